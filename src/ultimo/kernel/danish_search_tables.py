"""The desk of a Danish search: one array of words that holds the position, the rules and what is known.

A search has only this array and a few numbers in hand. Cards are put in order of strength, without those
that are gone at the root, so that of every suit the lowest bits are in use; `REAL` gives a card its number
back. What the search needs to know of the rules (what a trick pays, what the last trick brings, what a count
is worth) is written into tables by the functions of the rules themselves.

Gains are summed with a weight for each place: 1 for those of the side and 0 for the others; or, where each
plays for himself, so that three gains lie side by side in one word (`gain_of`).
"""

from __future__ import annotations

from ultimo.danish.counting import counts_piles, pay_count, reckon
from ultimo.danish.last_trick import pay_last_trick
from ultimo.danish.numbers import COUNT_MODE, UNCOUNTED
from ultimo.danish.numbers import LENGTH as NUMBERS
from ultimo.danish.outcome import (
    CHARGED,
    COUNTS,
    FACTS,
    KING_CUP,
    LAST_CARDS,
    LEADER,
    NOBODY,
    NOLO_BEFORE,
    PAGAT_CUP,
    RESULTS,
    TABLE_SIZE,
    TOUT_BEFORE,
    TRICKS_WON,
    WINNER,
)
from ultimo.danish.payments import ACCOUNTS, KING_ACCOUNT, PAGAT_ACCOUNT, PAGAT_CARD, pay_fallen
from ultimo.kernel.bits import count
from ultimo.kernel.jit import Ints, compiled, inlined
from ultimo.play.book import LENGTH as BOOK
from ultimo.play.book import post
from ultimo.play.following import REAL_TRUMPS

# --- the places on the desk ------------------------------------------------------------------------------

SUITS, TRUMPS = 0, 3  # the hands of the three places
OUT_SUITS, OUT_TRUMPS = 6, 7  # the cards that were in play when the trick began
NODES, LIMIT, STOP = 8, 9, 10  # positions visited, how many may be, whether it was too many
MODE, VOLUNTARY, BARRED, DEMANDABLE, RENAMES, PASSES = range(11, 17)
SIDE, ASK, WEIGHT = 17, 20, 23  # three places each
SPLIT_SUITS, SPLIT_TRUMPS = 26, 27  # cards that are like no other
FATAL_SUITS, FATAL_TRUMPS = 28, 29  # cards that lose the claim if they fall before the last trick
ATOMS, KINDS, WINDOWS = 30, 31, 32  # how many atoms, how many announcements, whether any can come
KING_POT, PAGAT_POT, KING_UNIT, PAGAT_UNIT = 33, 34, 35, 36  # the cups at the root; what a lost card adds
SIZE, TOTAL, SLOPE_HIGH, SLOPE_LOW = 37, 38, 39, 40  # of the known positions; of all piles; of counts
LAST_AT, KNOWN_AT = 41, 42  # where the tables begin that have no fixed size
PAGAT_MASK, TOP_MASK, KINGS_MASK = 43, 44, 45  # the pagat and T21, where they are special; the kings
STEP = 46  # counts are worth multiples of this
ATOM = 48  # what, place, suits, trumps, holds; at most eight
ATOM_WORDS, MOST_ATOMS = 5, 8
KIND = ATOM + ATOM_WORDS * MOST_ATOMS  # nolo or tout, before which trick; at most fifteen
MOST_KINDS = 15
FACTS_AT = KIND + 2 * (MOST_KINDS + 1)
ACCOUNTS_AT = FACTS_AT + FACTS
BOOK_AT = ACCOUNTS_AT + ACCOUNTS
NUMBERS_AT = BOOK_AT + BOOK
REAL = NUMBERS_AT + NUMBERS  # by card
CLASS = REAL + 78  # 1 a king, 2 the pagat, else 0
HONOUR = CLASS + 78
LANE = HONOUR + 78  # the cards of the same suit, for a card of a suit
HISTORY = LANE + 56  # by place and card: how often it was good
PAYS = HISTORY + 9 * 78  # by classes and winner: what a trick brings
FALLS = PAYS + 81  # … and what falls in it: lost kings times two, and the lost pagat
COUNT_SPAN = 128
RECKONED = FALLS + 81  # by place and count: what it is worth
RESIDUE = RECKONED + 3 * COUNT_SPAN  # by place and count: what of it matters to what a pile can still bring
SPARE_HIGH = RESIDUE + 3 * COUNT_SPAN  # … and how far it can rise above its slope
SPARE_LOW = SPARE_HIGH + 3 * COUNT_SPAN
ENDS_HIGH = SPARE_LOW + 3 * COUNT_SPAN  # by who has kings, who the pagat, lost kings: best and worst end
ENDS_LOW = ENDS_HIGH + 8 * 4 * 5
LOST_KING_VALUE = ENDS_LOW + 8 * 4 * 5  # by place
PAGAT_HIGH = LOST_KING_VALUE + 3  # by place
PAGAT_LOW = PAGAT_HIGH + 3
MOVES = PAGAT_LOW + 3  # by depth
MOVE_ROOM, DEPTHS = 32, 104
CODES = MOVES + MOVE_ROOM * DEPTHS  # by suit and cards in play: the number of that holding
TRUMP_LOW = CODES + 4 * 16384  # by the lower eleven trumps in play: who has them
TRUMP_HIGH = TRUMP_LOW + 2048
TABLES = TRUMP_HIGH + 2048  # here begins what has no fixed size

CLAIMED, POINTED = 0, 1  # the modes
ULTIMO, BAGUD, HOME, LOST, LAST_TRICK, NOLO, TOUT = range(7)  # the atoms
NOLO_KIND, TOUT_KIND = 0, 1

LAST_ENDS = 8 * 5 * 2 * 3 * 3 * 27  # by who has no trick, lost kings and pagat, leader, winner, classes
UNKNOWN = 1 << 62
ENTRY = 4  # words of a known position: three of the key, and the value
FAR = 1 << 28  # beyond every value of a side

# --- the past of a position in points: what has happened that still matters --------------------------------

ZERO_BITS = 7  # who has taken no trick
KINGS_SHIFT, PAGAT_SHIFT, COUNT_SHIFT, KIND_SHIFT = 3, 6, 7, 28  # lost kings, lost pagat, counts, announced

THIRD = 20  # bits of a gain where three share a word
THIRD_HALF = 1 << (THIRD - 1)
THIRD_MASK = (1 << THIRD) - 1


@inlined
def gain_of(word: int, place: int) -> int:
    """The gain of a place, where three share a word."""
    for _ in range(place):
        low = ((word + THIRD_HALF) & THIRD_MASK) - THIRD_HALF
        word = (word - low) >> THIRD
    return ((word + THIRD_HALF) & THIRD_MASK) - THIRD_HALF


@inlined
def counted(past: int, place: int) -> int:
    """What a place has in its pile."""
    return past >> (COUNT_SHIFT + 7 * place) & 127


@inlined
def kind_of(past: int, place: int) -> int:
    """The number of what a place has announced; 0 for nothing."""
    return past >> (KIND_SHIFT + 4 * place) & 15


# --- writing the tables ----------------------------------------------------------------------------------


@inlined
def _booked(w: Ints) -> int:
    """The weighted gains of the payments in the book, which is emptied."""
    accounts = w[ACCOUNTS_AT : ACCOUNTS_AT + ACCOUNTS]
    for account in range(ACCOUNTS):
        accounts[account] = 0
    book = w[BOOK_AT : BOOK_AT + BOOK]
    post(book, accounts, 0)
    book[0] = 0
    gained = 0
    for place in range(3):
        gained += w[WEIGHT + place] * accounts[place]
    return gained


@inlined
def _card_of(kind: int, place: int) -> int:
    """A card of a class: a king of a suit of its own, the pagat, or one that is neither."""
    return 14 * place + 13 if kind == 1 else PAGAT_CARD if kind == 2 else 14 * place


@compiled
def write_tables(w: Ints) -> None:
    """Write down what tricks pay and counts are worth. Rule: B8, B10."""
    n = w[NUMBERS_AT : NUMBERS_AT + NUMBERS]
    book = w[BOOK_AT : BOOK_AT + BOOK]
    book[0] = 0
    for classes in range(27):
        for winner in range(3):
            kings, pagat = 0, 0
            for place in range(3):
                kind = classes // 3**place % 3
                pay_fallen(n, book, place, _card_of(kind, place), winner, 0)
                if place != winner:
                    kings += kind == 1
                    pagat += kind == 2
            w[PAYS + 3 * classes + winner] = _booked(w)
            w[FALLS + 3 * classes + winner] = 2 * kings + pagat
            if classes == 1 and winner == 1:
                w[KING_UNIT] = w[ACCOUNTS_AT + KING_ACCOUNT]
            if classes == 2 and winner == 1:
                w[PAGAT_UNIT] = w[ACCOUNTS_AT + PAGAT_ACCOUNT]
    facts = w[FACTS_AT : FACTS_AT + FACTS]
    for place in range(3):
        for pile in range(COUNT_SPAN):
            for other in range(3):
                facts[COUNTS + other] = pile if other == place else 0
            reckon(n, facts)
            worth = 0
            if n[COUNT_MODE] != UNCOUNTED:
                for other in range(3):
                    worth += w[WEIGHT + other] * facts[RESULTS + other]
            w[RECKONED + COUNT_SPAN * place + pile] = worth
    # The worth of three counts is the sum of the three; what nothing counts for is in each of them.
    for place in range(1, 3):
        empty = w[RECKONED + COUNT_SPAN * place]
        for pile in range(COUNT_SPAN):
            w[RECKONED + COUNT_SPAN * place + pile] -= empty


@inlined
def end_worth(w: Ints, past: int, leader: int, winner: int, classes: int) -> tuple[int, int]:
    """What the last trick brings, and whether the piles are counted; `past` is that after the trick.

    Each case is asked of the rules once. Rule: B9.
    """
    zero, kings, pagat = past & ZERO_BITS, past >> KINGS_SHIFT & 7, past >> PAGAT_SHIFT & 1
    kinds = 0
    if w[KINDS]:
        for place in range(3):
            kinds = kinds * (w[KINDS] + 1) + kind_of(past, place)
    at = ((((kinds * 8 + zero) * 5 + kings) * 2 + pagat) * 3 + leader) * 3 + winner
    at = w[LAST_AT] + at * 27 + classes
    known = w[at]
    if known == UNKNOWN:
        known = _asked_end(w, past, leader, winner, classes)
        w[at] = known
    return known >> 1, known & 1


@compiled
def _asked_end(w: Ints, past: int, leader: int, winner: int, classes: int) -> int:
    """What the last trick brings, twice, and one if the piles are counted: as the rules say."""
    n = w[NUMBERS_AT : NUMBERS_AT + NUMBERS]
    book = w[BOOK_AT : BOOK_AT + BOOK]
    facts = w[FACTS_AT : FACTS_AT + FACTS]
    facts[LEADER], facts[WINNER] = leader, winner
    facts[KING_CUP] = w[KING_POT] + (past >> KINGS_SHIFT & 7) * w[KING_UNIT]
    facts[PAGAT_CUP] = w[PAGAT_POT] + (past >> PAGAT_SHIFT & 1) * w[PAGAT_UNIT]
    for place in range(3):
        kind = classes // 3**place % 3
        facts[LAST_CARDS + (place - leader) % 3] = _card_of(kind, place)
        facts[TRICKS_WON + place] = 0 if past >> place & 1 else 1
        announced = kind_of(past, place)
        facts[NOLO_BEFORE + place] = 0
        facts[TOUT_BEFORE + place] = 0
        if announced:
            before = NOLO_BEFORE if w[KIND + 2 * announced] == NOLO_KIND else TOUT_BEFORE
            facts[before + place] = w[KIND + 2 * announced + 1]
    book[0] = 0
    pay_last_trick(n, facts, book)
    piles = 1 if counts_piles(n, facts) else 0
    if not piles:
        pay_count(n, facts, book)
    return 2 * _booked(w) + piles


def prepare_facts(w: Ints, table: int) -> None:
    """The facts of the end that no play changes."""
    w[FACTS_AT + CHARGED] = NOBODY
    w[FACTS_AT + TABLE_SIZE] = table


@compiled
def write_bounds(w: Ints) -> None:
    """Write down the best and the worst that can come of the last trick when all have taken tricks."""
    for kings in range(8):
        for pagat in range(4):
            for lost in range(4, -1, -1):
                high, low = -FAR, FAR
                for classes in range(27):
                    if not _is_possible(classes, kings, pagat):
                        continue
                    for leader in range(3):
                        for winner in range(3):
                            worth, _ = end_worth(w, lost << KINGS_SHIFT, leader, winner, classes)
                            high, low = max(high, worth), min(low, worth)
                at = (kings * 4 + pagat) * 5 + lost
                if lost < 4:
                    high = max(high, w[ENDS_HIGH + at + 1])
                    low = min(low, w[ENDS_LOW + at + 1])
                w[ENDS_HIGH + at], w[ENDS_LOW + at] = high, low
    for place in range(3):
        other = (place + 1) % 3
        king, pagat = 3**place, 2 * 3**place
        w[LOST_KING_VALUE + place] = w[PAYS + 3 * king + other]
        home, lost = w[PAYS + 3 * pagat + place], w[PAYS + 3 * pagat + other]
        w[PAGAT_HIGH + place] = max(0, home, lost)
        w[PAGAT_LOW + place] = min(0, home, lost)


@inlined
def _is_possible(classes: int, kings: int, pagat: int) -> bool:
    """Whether last cards of these classes can come of hands where some have kings and one the pagat."""
    for place in range(3):
        kind = classes // 3**place % 3
        if (kind == 1 and not kings >> place & 1) or (kind == 2 and place != pagat):
            return False
    return True


@compiled
def write_holdings(codes: Ints, size: int, owners: Ints, labels: Ints) -> None:
    """Write for each set of cards of a suit in play who has them, from the top, and where special ones are.

    `owners` and `labels` are by card from the lowest; a label is not 0 if the card is special.
    """
    for cards in range(1 << size):
        code, special, rank = 1, 0, 0
        for card in range(size):
            if cards >> card & 1:
                code = 4 * code + owners[card]
                if labels[card]:
                    special = special << 8 | labels[card] << 4 | rank
                rank += 1
        codes[cards] = special << 29 | code


@compiled
def write_trumps(w: Ints, owners: Ints) -> None:
    """Write who has which of the lower and of the upper trumps."""
    for cards in range(2048):
        low, high = 0, 1
        for card in range(10, -1, -1):
            if cards >> card & 1:
                low = 4 * low + owners[card]
                high = 4 * high + owners[11 + card] if card < 10 else high
        w[TRUMP_LOW + cards] = low
        w[TRUMP_HIGH + cards] = high


@inlined
def trump_code(w: Ints, trumps: int) -> int:
    """Who has the trumps in play, from the top."""
    real = trumps & REAL_TRUMPS
    low = real & 2047
    return (w[TRUMP_HIGH + (real >> 11)] << 2 * count(low)) | w[TRUMP_LOW + low]


@compiled
def write_residues(w: Ints) -> None:
    """Write down when two counts have the same future, and how far a count can stray from its slope.

    A count that is paid in fives repeats itself every five points, one that is paid exactly every point.
    """
    span = COUNT_SPAN
    highest, lowest = -FAR, FAR
    for place in range(3):
        at = RECKONED + span * place
        period = 1
        while period < span and not _repeats(w, at, period):
            period += 1
        rise = w[at + span - 1] - w[at]
        slope = 0 if period == span else (w[at + period] - w[at]) // period
        if period == span and rise > 0:
            slope = 1
        highest, lowest = max(highest, slope), min(lowest, slope)
        for pile in range(span):
            w[RESIDUE + span * place + pile] = pile % period
            high, low = 0, 0
            for later in range(pile, span):
                strays = w[at + later] - w[at + pile] - slope * (later - pile)
                high, low = max(high, strays), min(low, strays)
            w[SPARE_HIGH + span * place + pile] = high
            w[SPARE_LOW + span * place + pile] = low
    w[SLOPE_HIGH], w[SLOPE_LOW] = highest, lowest
    step = 0
    for place in range(3):
        for pile in range(1, span):
            rise = abs(w[RECKONED + span * place + pile] - w[RECKONED + span * place + pile - 1])
            while rise:
                step, rise = rise, step % rise
    w[STEP] = max(step, 1)


@inlined
def _repeats(w: Ints, at: int, period: int) -> bool:
    """Whether the worth of a count grows by the same amount with every `period` points."""
    for pile in range(COUNT_SPAN - period):
        if w[at + pile + period] - w[at + pile] != w[at + period] - w[at]:
            return False
    return True
