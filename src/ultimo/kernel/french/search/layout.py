"""Where everything lies on the board of a French search, behind the rulebook's numbers.

Behind the boards of all threads lie the marks of what they search.
"""

from __future__ import annotations

from ultimo.french import numbers as rule
from ultimo.kernel.french.layout import MOST_SEATS
from ultimo.kernel.layout import Places
from ultimo.play.following import PACK_SIZE

MOST_MOVES = 25

_place = Places(rule.LENGTH)
BID = _place()
POIGNEES_SHOWN = _place()  # what they come to
ANNOUNCED = _place()  # the side that has announced a slam
NODES = _place()
NODE_LIMIT = _place()
STOPPED = _place()
MARKS_AT = _place()  # what other threads are searching; 0 if nobody else is
CALLED = _place()  # the card that was called, or NOT_CALLED
SIDES = _place(MOST_SEATS)
SUITS = _place(MOST_SEATS)
TRUMPS = _place(MOST_SEATS)
REST_SUITS = _place()  # all hands together
REST_TRUMPS = _place()
TRICK_SUITS = _place()  # on the table
TRICK_TRUMPS = _place()
MARKS = _place(36)  # half points, by end
LEAST = _place(128)  # the lowest and the highest mark that may still come about
MOST = _place(128)
SHAPES = _place(128)
SUIT_ORDERS = _place(4 * 1024)  # see the transposition table
TRUMP_ORDERS = _place(1024 + 512)
MATTERED_SUITS = _place()  # the cards whose rank has decided something in the search that has just ended
MATTERED_TRUMPS = _place()
BEST_CARD = _place()  # of the search that has just ended, if it tried any
MOVES = _place(121 * MOST_MOVES)
HISTORY = _place(MOST_SEATS * PACK_SIZE)  # how often a lead has answered the question, by seat and card
LAST_GOOD = _place(MOST_MOVES * MOST_SEATS)  # the lead that did so last, by tricks left and seat
BOARD_LENGTH = _place.end

FAR = 1 << 16  # no mark is so high or so low

# --- the trick on the table, in one word -------------------------------------------------------------------

# How many cards lie; one more than the suit in force; how high the best card stands and who played it; one
# more than who played the excuse.
CARDS_BITS, LED_SHIFT, HEIGHT_SHIFT, BY_SHIFT, EXCUSE_SHIFT = 7, 3, 6, 14, 17
HEIGHT_BITS, SEAT_BITS, LOWEST_HEIGHT = 255, 7, 2

# --- how the deal stands, in one word ----------------------------------------------------------------------

# Which side may still make a slam; the bouts of the taker's side; whether the petit fell in the trick before.
ALIVE_BITS, BOUTS_SHIFT, BOUTS_BITS, PETIT_SHIFT = 3, 2, 3, 4
