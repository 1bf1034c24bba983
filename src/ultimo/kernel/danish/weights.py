"""The weights of a club player's judgement of Danish Tarok, found by play against beginners and its like.

A weight is a place in the array `n`, behind the rulebook: `n[wt.LEAD]`; its value stands in the brackets, and
`tools/tune_club.py` looks for a better one. They are sixteenths of a point where nothing else is said; a
chance is in parts of SURE (1024).
"""

from __future__ import annotations

from ultimo.danish.numbers import LENGTH
from ultimo.kernel.policy import Weights

_weight = Weights(LENGTH)

# --- the fight for the last trick -----------------------------------------------------------------------

LAST_BASE = _weight(251)  # the chance of one among equals,
LAST_SLOPE = _weight(60)  # raised by each tarok ahead: a chance,
LAST_LATER = _weight(4)  # and by so much more in every trick
LAST_LEAST = _weight(40)  # it is never thought to be less: a chance,
LAST_MOST = _weight(900)  # or more,
LAST_ALONE = _weight(900)  # which is that of the only one with tarokker
LAST_WITHOUT = _weight(60)  # the chance without a tarok, while another has one,
LAST_OPEN = _weight(341)  # and if nobody is thought to have more
LAST_SOME = _weight(8)  # than this: sixteenths of a tarok
FAVOURITE = _weight(512)  # a chance above this makes an ultimator
BALANCE = _weight(16)  # who is less behind the strongest than this balances: sixteenths of a tarok
TAROK_WORTH = _weight(58)  # a tarok is worth so much to the fight,
TAROK_HEIGHT = _weight(7)  # each step of its height adds to that,
TAROK_LATE = _weight(-2)  # and every trick that has been played changes it
TAROK_HOPE = _weight(512)  # so much more, times the chance of the last trick: parts of SURE
TAROK_OF_HELPER = _weight(632)  # a helper spends theirs more freely: parts of SURE
MASTER = _weight(40)  # the highest tarok is kept for the last trick: for each trick
MASTER_FROM = _weight(14)  # after this one: its number

# --- tricks and leads -----------------------------------------------------------------------------------

TRICK_AHEAD = _weight(32)  # what a trick that one leads is thought to bring
LEAD = _weight(7)  # to be on lead
ENTRY = _weight(3)  # a high card of a suit gets its player in: for each step
COURT_LOST = _weight(9)  # for each point of a court that does not win,
COURT_WON = _weight(7)  # and of one that does
DANGEROUS = _weight(56)  # a tarok driven out of the strongest opponent
HARMLESS = _weight(14)  # and out of the other
TAROK_LEAD = _weight(-9)  # to lead tarok
LENGTH_LED = _weight(15)  # each card of the suit that is led, for what follows
AGAIN = _weight(4)  # each time that the suit has been led before by the same hand,
FRIEND = _weight(20)  # or by the leader, for a helper,
FOE = _weight(1)  # or by the one whom both fight,
LEADS_SEEN = _weight(2)  # of which so many count: a number
SKUS_EARLY = _weight(8)  # the skus is still good for so much, for each trick
SKUS_EARLY_TO = _weight(22)  # before this one: its number
SKUS_LATE = _weight(44)  # and in the way
SKUS_LATE_FROM = _weight(20)  # after this one: its number
SIGNAL = _weight(1)  # so that nothing else is given up for it

# --- kings and the pagat, as pairs: a king's, the pagat's -----------------------------------------------

KEPT = _weight(482, 490)  # what part of the price of an ultimo one has that is kept: parts of SURE,
KEPT_HOPE = _weight(470, 400)  # if the chance of the last trick is more than this,
KEPT_FEAR = _weight(70, 65)  # and what it costs to keep it
KEPT_END = _weight(156, 0)  # how much more than even the chance must be
END = _weight(3)  # in the last tricks: their number
PAGAT_GUARD = _weight(22)  # for each other tarok that guards the pagat,
PAGAT_GUARDS = _weight(5)  # of which so many count: a number

# --- nolo: risk is counted in cards that may have to win ------------------------------------------------

NOLO_RISK = _weight(3)  # so much risk is too much to play for nolo,
ACCEPT_RISK = _weight(2)  # to accept a hand without tarok,
ANNOUNCE_RISK = _weight(-2)  # or to announce it
RISK_TAROK = _weight(4)  # a tarok's risk,
RISK_COVERED = _weight(1)  # and that of one with enough others above it:
COVERED_BY = _weight(4)  # so many
RISK_CARD = _weight(1)  # a card of a suit that the others can stay below
RISK_ROUNDS = _weight(4)  # in its first rounds: their number
RISK_SKUS = _weight(2)  # so much less with the skus
NOLO_SHED = _weight(13)  # it is good to be rid of a high card: each step of its height,
NOLO_LED = _weight(512)  # of which a lead has this part: parts of SURE
NOLO_TAROK = _weight(64)  # to be rid of a tarok,
NOLO_KING = _weight(62)  # and of a king: it costs something now, and ten times as much in the last trick

# --- what a hand of 28 is for: quarters of an entry -----------------------------------------------------

TAROK_FACTOR = _weight(2)  # a tarok is half an entry
UNCOVERED = _weight(3)  # for each card that a side suit lacks of four
FIGHTING = _weight(44)  # as much as the factors of a fight hand come to
HOPELESS = _weight(19)  # as much as tarokker and entries of a hand come to that had better take no trick …
SMALL_TAROK = _weight(14)  # … if it has no tarok above this: its number
NOLO_ENTRIES = _weight(16)  # as much as the entries of a hand without tarok come to that plays for nolo

# --- what a skat leaves: hundredths of a step of height in a suit ---------------------------------------

SKAT_ENTRY = _weight(400)  # a quarter of an entry
HEIGHT = _weight(100)  # each card of the others below one of the four best
SMALL = _weight(200)  # each card of the others that the smallest card stays below
COUNTED = _weight(80)  # a point of the count in the skat,
COUNTED_FROM = _weight(1)  # after the first, which a court is worth to keep: points
RAW = _weight(1)  # among cards that do the same work: keep the top
RAW_SMALL = _weight(2)  # and the smallest
SIDE = _weight(1000)  # for a side suit that is one card longer or shorter than four; grows with the square
LACKING = _weight(500)  # for one shorter, with more tarokker than the normal hand
BARED = _weight(6000)  # for leaving one card or none of a suit
WHIP_KEPT = _weight(4000)  # for a whip of six or more,
SHORT_WHIP = _weight(1500)  # and of five
WHIP_CARD = _weight(800)  # for each card beyond six that can be driven
UNDRIVEN = _weight(2000)  # against each that cannot
KING_IN_WHIP = _weight(900)  # against a whip with the king, in a quiet hand
PAIR_IN_WHIP = _weight(500)  # against a whip with king and queen, in a fight hand
TOGETHER = _weight(600)  # for each pair of cards laid from one suit

WEIGHTS = tuple(_weight.values)

# --- as the books have it: no weights, and not to be looked for -----------------------------------------

COVER = 4  # cards that cover a suit (F1.4)
WHIP = 6  # the whip of the normal hand,
WHIP_FROM = 5  # and the shortest that is one
NORMAL_TAROK = 7  # the tarokker of the normal hand
TAROK_WHIP = 9  # with so many the tarokker are the whip (F1.13)
FEW = 3  # tarokker that may be laid for a nolo (F1.9)
SIGNAL_LENGTH = 4  # so many cards of a suit are shown as «to» (F2.7)

# --- a beginner's ---------------------------------------------------------------------------------------

BEGINNER_LATE = 20  # from this trick on the skus must go
