"""Where everything lies on the board `w` of a Danish search, and how a position is packed into words.

The board begins with the rulebook's numbers, so that it can be handed to the shared rules as it is. It holds
the hands and tables: whatever is paid (for a trick, the last trick, a count) is written into tables by the
functions of the rules themselves. Behind the boards of all threads lie the marks of what they search and the
transposition table.
"""

from __future__ import annotations

from ultimo.danish import numbers as rule
from ultimo.danish.facts import FACTS
from ultimo.danish.payments import ACCOUNTS
from ultimo.kernel.layout import Places
from ultimo.play.book import LENGTH as BOOK

ATOM_WORDS, MOST_ATOMS = 5, 8
MOST_KINDS = 15
COUNT_SPAN = 128
WAYS = 2  # the game as it is, and the bare game: without its count
MOVE_ROOM, DEPTHS = 32, 104
HOLDINGS = 1 << 14  # sets of cards of a suit

_place = Places(rule.LENGTH)
SUITS = _place(3)  # the hands of the three places
TRUMPS = _place(3)
OUT_SUITS = _place()  # the cards that were in play when the trick began
OUT_TRUMPS = _place()
NODES = _place()  # positions visited,
LIMIT = _place()  # how many may be,
STOP = _place()  # whether it was too many
MODE = _place()
SIDE = _place(3)  # whether a place is on the side that is searched for
ASK = _place(3)  # who may demand the skus of a place
WEIGHT = _place(3)  # what a gain of a place is worth
JOINED_SUITS = _place(WAYS)  # cards that are like the one just below them
JOINED_TRUMPS = _place(WAYS)
FATAL_SUITS = _place()  # cards that lose the claim if they fall before the last trick
FATAL_TRUMPS = _place()
ATOMS = _place()  # how many atoms the claim has
KINDS = _place()  # how many announcements there are
WINDOWS = _place()  # before which tricks they can be made, a bit each
KING_POT = _place()  # the cups at the root
PAGAT_POT = _place()
KING_UNIT = _place()  # what a lost card adds to them
PAGAT_UNIT = _place()
BUCKETS = _place()  # of the transposition table, now
MOST_BUCKETS = _place()  # and at most
STORED = _place()  # positions written into it
TOTAL = _place()  # of all piles
BARED = _place()  # the places of the side, if the bare game is searched as well; else 0
SLOPE = _place(3)  # of counts, by place
SLOPE_HIGH = _place()
SLOPE_LOW = _place()
LAST_AT = _place()  # where the tables begin that have no fixed size
ENTRIES_AT = _place()  # the transposition table
MARKS_AT = _place()  # what other threads are searching; 0 if nobody else is
PAGAT_MASK = _place()  # the pagat and T21, where they are special; the kings
TOP_MASK = _place(WAYS)
KINGS_MASK = _place()
STEP = _place()  # counts are worth multiples of this
LOOSE = _place()  # the two places whose counts are paid in fives, where they are (see `remainders`)
SWAY = _place(3)  # by who orders: how far remainders can change that at most
SLIPS = _place(150)  # by who orders, counter, remainder and shift: how far one does
PILES = _place()  # what the piles come to in the outcome that was just found,
SHIFTS = _place()  # and for which shifts of the remainders it holds
ATOM = _place(ATOM_WORDS * MOST_ATOMS)  # what, place, suits, trumps, holds
KIND = _place(2 * (MOST_KINDS + 1))  # nolo or tout, before which trick
FACTS_AT = _place(FACTS)
ACCOUNTS_AT = _place(ACCOUNTS)
BOOK_AT = _place(BOOK)
REAL = _place(78)  # by card
CLASS = _place(78)  # 1 a king, 2 the pagat, else 0
HONOUR = _place(78)
HISTORY = _place(9 * 78)  # by place and card: how often it was good
PAYS = _place(81)  # by classes and winner: what a trick brings
FALLS = _place(81)  # … and what falls in it: lost kings times two, and the lost pagat
RECKONED = _place(3 * COUNT_SPAN)  # by place and count: what it is worth
RESIDUE = _place(3 * COUNT_SPAN)  # by place and count: what of it matters to what a pile can still bring
SPARE_HIGH = _place(3 * COUNT_SPAN)  # … and how far it can rise above its slope
SPARE_LOW = _place(3 * COUNT_SPAN)
ENDS_HIGH = _place(8 * 4 * 5)  # by who has kings, who the pagat, lost kings: best and worst end
ENDS_LOW = _place(8 * 4 * 5)
LOST_KING_VALUE = _place(3)
PAGAT_HIGH = _place(3)
PAGAT_LOW = _place(3)
MOVES = _place(MOVE_ROOM * DEPTHS)  # by depth
CODES = _place(WAYS * 4 * HOLDINGS)  # by way, suit and cards in play: the number of that holding
TRUMP_LOW = _place(2048)  # by the lower eleven trumps in play: who has them
TRUMP_HIGH = _place(2048)
TABLES = _place.end  # here begins what has no fixed size

CLAIMED, POINTED = 0, 1  # the modes
ULTIMO, BAGUD, HOME, LOST, LAST_TRICK, NOLO, TOUT = range(7)  # the atoms
NOLO_KIND, TOUT_KIND = 0, 1

LAST_ENDS = 8 * 5 * 2 * 3 * 3 * 27  # by who has no trick, lost kings and pagat, leader, winner, classes
UNKNOWN = 1 << 62
ENTRY = 4  # words of an entry of the transposition table: three of the key, and the value
BUCKET = 2 * ENTRY
FAR = 1 << 28  # beyond every value of a side

# --- the past of a position in points: what has happened that still matters --------------------------------

ZERO_BITS = 7  # who has taken no trick
KINGS_SHIFT, PAGAT_SHIFT, COUNT_SHIFT, KIND_SHIFT = 3, 6, 7, 28  # lost kings, lost pagat, counts, announced
WAY_SHIFT = 40  # no past, but part of the question: whether the bare game is searched
BARE = 1 << WAY_SHIFT

THIRD = 20  # bits of a gain where three share a word
THIRD_HALF = 1 << (THIRD - 1)
THIRD_MASK = (1 << THIRD) - 1

# --- the trick on the table, in one word -------------------------------------------------------------------

# How far it has come: 0 … 2 the places from the leader on may announce, 3 … 5 so many cards lie less three.
STAGE_BITS, NO_CARD_LIES = 7, 3
LED_SHIFT, FIRST_SHIFT, SECOND_SHIFT, DEMAND_SHIFT = 3, 6, 13, 20  # one more than the suit; cards; demand
NEW_TRICK = NO_CARD_LIES
NOT_ASKED, DEMANDED, ANSWERED = 0, 1, 2  # whether the skus is demanded in the third-last trick
MIN_ASKS, MAX_ASKS, BOTH_ASK = 0, 1, 2  # who may demand it: opponents of the side, its friends, one of each
