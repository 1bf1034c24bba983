"""A French deal as an array of integers: the places in it, its phases and the numbers of actions.

Hands and sets of cards are two words each; seats and bids that are not there are -1. The array knows every
card and both sides; what a seat may know of it is the business of who reads it. Behind the deal itself, which
ends at `LENGTH`, it remembers what everybody has seen.
"""

from __future__ import annotations

from ultimo.cards import PACK
from ultimo.french.numbers import MOST_BIDS, MOST_POIGNEES

MOST_SEATS = 5

# Phases.
BIDDING, CALLING, LAYING, SLAM_ASKED, PLAYING, SHOWING, CLOSED = range(7)

# What came of it: nothing yet, a petit sec, nobody bid, played out.
OPEN, PETIT_SEC, ALL_PASSED, PLAYED = range(4)

# Actions: 0 … 77 are cards, to play, to lay, to call or to show; the others are bits of a word from PASS up.
FIRST_WORD = len(PACK)
PASS = FIRST_WORD
BID = PASS + 1  # the first of the ladder, then the others
DECLINE = BID + MOST_BIDS
SLAM = DECLINE + 1
SHOW = SLAM + 1  # a poignée of the first size, then the others; its cards are chosen one by one
ACTIONS = SHOW + MOST_POIGNEES

_length = 0


def _places(number: int = 1) -> int:
    """The first of the next places."""
    global _length
    _length += number
    return _length - number


PHASE = _places()
TURN = _places()  # whom the game waits for
DEALER = _places()
RESULT = _places()

# before the first card
SPOKEN = _places()  # how many have bid or passed
TAKER = _places()  # while the bidding lasts, the highest bidder so far
CONTRACT = _places()  # the place of his bid on the ladder
CALLED = _places()  # a card
PARTNER = _places()
SIDES = _places()  # the seats of the taker's side, a bit each
SIDES_PUBLIC = _places()
CHIEN_SUITS = _places()  # as it was dealt
CHIEN_TRUMPS = _places()
ECART_SUITS = _places()
ECART_TRUMPS = _places()
LEFT = _places()  # how many cards are still to be laid, or to be shown
ANNOUNCER = _places()  # of a slam
POIGNEE = _places()  # what those shown come to

# the trick on the table
TRICK = _places()  # its number, from 0
LEADER = _places()
PLACE = _places()  # how many cards lie
LED = _places()  # the suit in force
HEIGHT = _places()  # how high the best card stands
WINNING = _places()  # whose it is
TRICK_SUITS = _places()
TRICK_TRUMPS = _places()

# what has been won
PILE_SUITS = _places()  # the tricks of the taker's side, the excuse where it fell
PILE_TRUMPS = _places()
TAKER_TRICKS = _places()  # of his side
EXCUSE_BY = _places()  # who has played it
EXCUSE_TRICK = _places()
EXCUSE_TAKER = _places()  # who has won that trick
PETIT_TRICK = _places()
PETIT_TAKER = _places()

# the count, as the taker's side sees it
HALF_POINTS = _places()
BOUTS = _places()
PETIT_SIDE = _places()  # who has made the petit au bout
SLAM_SIDE = _places()  # who has made a slam
VALUE = _places()

# by seat
SUITS = _places(MOST_SEATS)
TRUMPS = _places(MOST_SEATS)
DEALT_SUITS = _places(MOST_SEATS)
DEALT_TRUMPS = _places(MOST_SEATS)
SHOWN_SIZE = _places(MOST_SEATS)  # of a poignée
SHOWN_TRUMPS = _places(MOST_SEATS)
TRICKS = _places(MOST_SEATS)
NET = _places(MOST_SEATS)

# by place in the trick
TABLE = _places(MOST_SEATS)  # the cards that lie

LENGTH = _length

# What everybody has seen, kept up by `french_memory` where a player looks at it. By seat:
BIDS = _places(MOST_SEATS)  # 0 not yet, 1 a pass, 2 the first bid of the ladder, …
PLAYED_SUITS = _places(MOST_SEATS)
PLAYED_TRUMPS = _places(MOST_SEATS)
WON_SUITS = _places(MOST_SEATS)  # the cards of the tricks it has won, the excuse where it fell
WON_TRUMPS = _places(MOST_SEATS)
VOID = _places(MOST_SEATS)  # suits it has shown not to have, a bit each, the trumps as bit 4
LACKS = _places(MOST_SEATS)  # trumps it has shown not to have
FIRST_LED = _places(MOST_SEATS)  # one more than the card it led first, 0 if it has led none
LEADS = _places(MOST_SEATS)  # how often it has led each suit, four bits a suit
FED = _places(
    MOST_SEATS
)  # what it has thrown on tricks that the taker was winning, beyond the least it could
# of the table:
CHIEN_SEEN_SUITS = _places()  # the chien that was turned
CHIEN_SEEN_TRUMPS = _places()
REMEMBERED = _length

# What a player thought of when it chose: a principle and a role (`french_club_reasons`), and how it saw the
# others: the cards it did not know to be gone, and by seat the chance that it is a friend.
WHY = _places()
ROLE = _places()
OUT_SUITS = _places()
OUT_TRUMPS = _places()
FRIEND = _places(MOST_SEATS)
WHOLE = _length

NOTHING = -1  # no seat, no bid, no card, no trick
UNBEATEN = -2  # lower than any card stands
