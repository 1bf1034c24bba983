"""A French deal as an array of integers: the places in it, its phases and the numbers of actions.

Hands and sets of cards are two words each; seats and bids that are not there are -1. The array knows every
card and both sides; what a seat may know of it is the business of who reads it. Behind the deal itself, which
ends at `LENGTH`, it remembers what everybody has seen.
"""

from __future__ import annotations

from ultimo.cards import PACK
from ultimo.french import numbers as rule
from ultimo.french import phases
from ultimo.kernel.layout import Places

MOST_SEATS = 5

# Phases: the steps of a deal, then one for the trumps of a poignée, one by one, and the end.
BIDDING, CALLING, LAYING, SLAM_ASKED, PLAYING, _ = phases.STEPS
SHOWING, CLOSED = 5, 6

# What came of it: nothing yet, a petit sec, nobody bid, played out.
OPEN, PETIT_SEC, ALL_PASSED, PLAYED = range(4)

# Actions: 0 … 77 are cards, to play, to lay, to call or to show; the others are bits of a word from PASS up.
FIRST_WORD = len(PACK)
PASS = FIRST_WORD
BID = PASS + 1  # the first of the ladder, then the others
DECLINE = BID + rule.MOST_BIDS
SLAM = DECLINE + 1
SHOW = SLAM + 1  # a poignée of the first size, then the others; its cards are chosen one by one
ACTIONS = SHOW + rule.MOST_POIGNEES

_place = Places()
PHASE = _place()
TURN = _place()  # whom the game waits for
DEALER = _place()
RESULT = _place()

# before the first card
SPOKEN = _place()  # how many have bid or passed
TAKER = _place()  # while the bidding lasts, the highest bidder so far
CONTRACT = _place()  # the place of his bid on the ladder
CALLED = _place()  # a card
PARTNER = _place()
SIDES = _place()  # the seats of the taker's side, a bit each
SIDES_PUBLIC = _place()
CHIEN_SUITS = _place()  # as it was dealt
CHIEN_TRUMPS = _place()
ECART_SUITS = _place()
ECART_TRUMPS = _place()
LEFT = _place()  # how many cards are still to be laid, or to be shown
ANNOUNCER = _place()  # of a slam
POIGNEE = _place()  # what those shown come to

# the trick on the table
TRICK = _place()  # its number, from 0
LEADER = _place()
PLACE = _place()  # how many cards lie
LED = _place()  # the suit in force
HEIGHT = _place()  # how high the best card stands
WINNING = _place()  # whose it is
TRICK_SUITS = _place()
TRICK_TRUMPS = _place()

# what has been won
PILE_SUITS = _place()  # the tricks of the taker's side, the excuse where it fell
PILE_TRUMPS = _place()
TAKER_TRICKS = _place()  # of his side
EXCUSE_BY = _place()  # who has played it
EXCUSE_TRICK = _place()
EXCUSE_TAKER = _place()  # who has won that trick
PETIT_TRICK = _place()
PETIT_TAKER = _place()
FATES = (EXCUSE_BY, EXCUSE_TRICK, EXCUSE_TAKER, PETIT_TRICK, PETIT_TAKER)
UNKNOWN = (TAKER, CONTRACT, CALLED, PARTNER, ANNOUNCER, WINNING, *FATES)  # NOTHING, as a deal begins

# the count, as the taker's side sees it
HALF_POINTS = _place()
BOUTS = _place()
PETIT_SIDE = _place()  # who has made the petit au bout
SLAM_SIDE = _place()  # who has made a slam
VALUE = _place()

# by seat
SUITS = _place(MOST_SEATS)
TRUMPS = _place(MOST_SEATS)
DEALT_SUITS = _place(MOST_SEATS)
DEALT_TRUMPS = _place(MOST_SEATS)
SHOWN_SIZE = _place(MOST_SEATS)  # of a poignée
SHOWN_TRUMPS = _place(MOST_SEATS)
TRICKS = _place(MOST_SEATS)
NET = _place(MOST_SEATS)

# by place in the trick
TABLE = _place(MOST_SEATS)  # the cards that lie

LENGTH = _place.end

# What everybody has seen, kept up by `memory` where a player looks at it. By seat:
BIDS = _place(MOST_SEATS)  # 0 not yet, 1 a pass, 2 the first bid of the ladder, …
PLAYED_SUITS = _place(MOST_SEATS)
PLAYED_TRUMPS = _place(MOST_SEATS)
WON_SUITS = _place(MOST_SEATS)  # the cards of the tricks it has won, the excuse where it fell
WON_TRUMPS = _place(MOST_SEATS)
VOID = _place(MOST_SEATS)  # suits it has shown not to have, a bit each, the trumps as bit 4
LACKS = _place(MOST_SEATS)  # trumps it has shown not to have
FIRST_LED = _place(MOST_SEATS)  # one more than the card it led first, 0 if it has led none
LEADS = _place(MOST_SEATS)  # how often it has led each suit, four bits a suit
FED = _place(MOST_SEATS)  # what it has thrown on tricks that the taker was winning, beyond the least it could
# of the table:
CHIEN_SEEN_SUITS = _place()  # the chien that was turned
CHIEN_SEEN_TRUMPS = _place()
REMEMBERED = _place.end

# What a player thought of when it chose: a principle and a role (`policy.reasons`), and how it saw the
# others: the cards it did not know to be gone, and by seat the chance that it is a friend.
WHY = _place()
ROLE = _place()
OUT_SUITS = _place()
OUT_TRUMPS = _place()
FRIEND = _place(MOST_SEATS)
WHOLE = _place.end

NOTHING = -1  # no seat, no bid, no card, no trick
