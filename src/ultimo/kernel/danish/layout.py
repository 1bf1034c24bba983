"""Where everything lies in the arrays of a Danish deal; its phases, and the numbers of actions.

`s` is a deal: the facts of its end first, so that the settlement reads it as it is, then the deal itself, and
behind `SIZE` what everybody has seen of it. `w` is paper to work on, which no deal needs to keep. The players
0, 1, 2 are forehand, middle and dealer; what is kept for each of them takes three places of the array. A set
of cards is two words, suits and trumps.
"""

from __future__ import annotations

from ultimo.danish.declarations import MADE
from ultimo.danish.facts import *  # noqa: F403 - the deal begins with them
from ultimo.danish.facts import FACTS
from ultimo.danish.skat import WAYS
from ultimo.kernel.dice import AHEAD, SHUFFLE
from ultimo.kernel.layout import Places
from ultimo.play.book import LENGTH as BOOK_LENGTH
from ultimo.play.following import PACK_SIZE

PLACES, SUITS_AND_TRUMPS = 3, 5
NOTE = PLACES + 2  # of a trick: leader, winner and three cards

# --- the deal ------------------------------------------------------------------------------------------

_deal = Places(FACTS)
PHASE = _deal()
TURN = _deal()  # whom the game waits for
NUMBER = _deal()  # of the trick, from 1
LED = _deal()  # the suit in force
PLAYED = _deal()  # how many cards lie on the table
DEMANDED = _deal()  # whether the skus is
SKUS_GONE = _deal()
ASKED = _deal()  # the places that have yet to answer, a bit each
TRICK_SUITS = _deal()  # the cards on the table
TRICK_TRUMPS = _deal()
SUITS = _deal(PLACES)  # the hands
TRUMPS = _deal(PLACES)
DEALT_SUITS = _deal(PLACES)
DEALT_TRUMPS = _deal(PLACES)
SKAT_SUITS = _deal()
SKAT_TRUMPS = _deal()
LAID = _deal()  # how many cards lie in the skat
TOUT_LAID = _deal()
HONOURS = _deal(PLACES)  # in each pile
EMPTIED = _deal()  # cups that were taken, as a set
HAPPENED = _deal()  # what was paid for, a bit for each code of `danish.payments`
POINTS_DECLARED = _deal(PLACES)  # what each hand was paid for declarations, by each
SIZE = _deal.end

# --- what everybody has seen, kept up by `memory` where a player looks at it -----------------------------

OUT_SUITS = _deal(PLACES)  # the cards that each place has played
OUT_TRUMPS = _deal(PLACES)
VOID = _deal(PLACES)  # the suits in which a place has shown that it has nothing, a bit each
HELD_SUITS = _deal(PLACES)  # what a place has declared, the cards by name
HELD_TRUMPS = _deal(PLACES)
LACKED_SUITS = _deal(PLACES)  # and what follows that it was not dealt
LACKED_TRUMPS = _deal(PLACES)
TAROKKER = _deal(PLACES)  # how many trumps a place has declared, the skus counted
LEADS = _deal(SUITS_AND_TRUMPS * PLACES)  # how often a place has led each suit, five to a place
FOLLOWED = _deal(4 * PLACES)  # the height of the first card with which it followed suit, four to a place
SIGNAL = _deal(4 * PLACES)  # its second was higher (TO) or lower (FROM)
HEARD = _deal()  # whether the declarations have been made
LENGTH = _deal.end

TO, FROM = 1, -1  # «I have four or more», «three or fewer» (F2.7)

# --- the paper: payments, declarations, ways to lay, thoughts, policies, a shuffle -------------------------

_paper = Places()
BOOK = _paper(BOOK_LENGTH)
MADE_AT = _paper(MADE)
WAYS_AT = _paper(WAYS)
TOUT_WAYS_AT = _paper(WAYS)
THOUGHTS = _paper(64)
AHEAD_AT = _paper(AHEAD)  # throws of the dice
FANS = _paper(2 * PLACES)  # of random players: hands, and what they win (`at_random`)
PILES = _paper(2 * PLACES)
NOTED = _paper(NOTE * (SUITS_AND_TRUMPS + 2))  # tricks with a king, the pagat or the skus, and one more
PACK = _paper(PACK_SIZE)
THROWS = _paper(SHUFFLE - PACK_SIZE)  # of the shuffle
PAPER = _paper.end

# What a decision is about, and how its player reads the table (`policy.odds`).
_thought = Places(THOUGHTS)
WHY = _thought()  # the principle that decided
ROLE = _thought()
LAST_CHANCE = _thought()  # to win the last trick
HIDDEN_SUITS = _thought()  # cards that lie with the others, or in a skat that is not ours
HIDDEN_TRUMPS = _thought()
SHARE = _thought(2 * SUITS_AND_TRUMPS)  # by suit and opponent (next hand first): who has a hidden card
TAROK = _thought(2)  # how many real trumps each opponent is thought to have, in sixteenths
SKUS_WITH = _thought(2)  # the chance that an opponent has the skus
LEFT = _thought(2)  # cards in the hands of the two opponents
WORTH = _thought(8)  # the parts of what a card is worth (`policy.club`)

# --- phases --------------------------------------------------------------------------------------------

DEALING, HANDS, LAYING, ANNOUNCE, DEMAND, PLAY, NAME, CLOSED = range(8)

# --- actions: 0 … 77 are cards, played or laid ---------------------------------------------------------

FIRST_WORD = PACK_SIZE
LEAD_SKUS = FIRST_WORD  # … 82: lead the skus as spades, hearts, clubs, diamonds, trumps
RENAME_SKUS = LEAD_SKUS + SUITS_AND_TRUMPS  # … 87
DECLINE, DEMAND_SKUS, NOLO, TOUT, ACCEPT, DEMAND_REDEAL, LAY_TOUT = range(88, 95)
ACTIONS = 95
ALL_NAMES = 0b11111
