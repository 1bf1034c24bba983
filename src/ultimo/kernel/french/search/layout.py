"""Where everything lies on the board of a French search, behind the rulebook's numbers."""

from __future__ import annotations

from ultimo.french import numbers as rule
from ultimo.kernel.french.layout import MOST_SEATS
from ultimo.kernel.layout import Places

MOST_MOVES = 25

_place = Places(rule.LENGTH)
BID = _place()
POIGNEES_SHOWN = _place()  # what they come to
ANNOUNCED = _place()  # the side that has announced a slam
NODES = _place()
NODE_LIMIT = _place()
STOPPED = _place()
CALLED = _place()  # the card that was called, or NOT_CALLED
SIDES = _place(MOST_SEATS)
SUITS = _place(MOST_SEATS)
TRUMPS = _place(MOST_SEATS)
REST_SUITS = _place()  # all hands together
REST_TRUMPS = _place()
MARKS = _place(36)  # half points, by bouts, petit au bout and slam
LEAST = _place(128)  # the lowest and the highest mark that may still come about
MOST = _place(128)
SHAPES = _place(128)
PACKED = _place(1024)  # five bits pressed together
MOVES = _place(121 * MOST_MOVES)
BOARD_LENGTH = _place.end

FAR = 1 << 16  # no mark is so high or so low
WORD = 0x7FFFFFFFFFFFFFFF
