"""The tables on the board of a Danish search: what tricks, the last trick and counts bring.

Cards are put in order of strength, without those that are gone at the root, so that of every suit the lowest
bits are in use; `REAL` gives a card its number back. The functions of the rules themselves are asked for
every case, once.

Gains are summed with a weight for each place: 1 for those of the side and 0 for the others; or, where each
plays for themselves, so that three gains lie side by side in one word (`gain_of`).
"""

from __future__ import annotations

from math import gcd

from ultimo.danish import facts as fact
from ultimo.danish import numbers as rule
from ultimo.danish.counting import counts_piles, pay_count, reckon
from ultimo.danish.last_trick import pay_last_trick
from ultimo.danish.payments import ACCOUNTS, KING_ACCOUNT, PAGAT_ACCOUNT, PAGAT_CARD, pay_fallen
from ultimo.kernel.bits import count
from ultimo.kernel.danish.search import layout as at
from ultimo.kernel.jit import Ints, compiled, inlined
from ultimo.play.book import LENGTH as BOOK
from ultimo.play.book import post
from ultimo.play.following import REAL_TRUMPS


@inlined
def gain_of(word: int, place: int) -> int:
    """The gain of a place, where three share a word."""
    for _ in range(place):
        low = ((word + at.THIRD_HALF) & at.THIRD_MASK) - at.THIRD_HALF
        word = (word - low) >> at.THIRD
    return ((word + at.THIRD_HALF) & at.THIRD_MASK) - at.THIRD_HALF


@inlined
def counted(past: int, place: int) -> int:
    """What a place has in its pile."""
    return past >> (at.COUNT_SHIFT + 7 * place) & 127


@inlined
def kind_of(past: int, place: int) -> int:
    """The number of what a place has announced; 0 for nothing."""
    return past >> (at.KIND_SHIFT + 4 * place) & 15


@inlined
def way_of(past: int) -> int:
    """Which game is searched: 0 the whole, 1 the bare one, without its count."""
    return past >> at.WAY_SHIFT


@inlined
def is_counted(past: int) -> bool:
    """Whether the piles will be counted for sure: everybody has taken a trick."""
    return past & at.ZERO_BITS == 0 and (past & at.BARE - 1) >> at.KIND_SHIFT == 0


# --- writing the tables ----------------------------------------------------------------------------------


@inlined
def _booked(w: Ints) -> int:
    """The weighted gains of the payments in the book, which is emptied."""
    accounts = w[at.ACCOUNTS_AT : at.ACCOUNTS_AT + ACCOUNTS]
    for account in range(ACCOUNTS):
        accounts[account] = 0
    book = w[at.BOOK_AT : at.BOOK_AT + BOOK]
    post(book, accounts, 0)
    book[0] = 0
    gained = 0
    for place in range(3):
        gained += w[at.WEIGHT + place] * accounts[place]
    return gained


@inlined
def _card_of(kind: int, place: int) -> int:
    """A card of a class: a king of a suit of its own, the pagat, or one that is neither."""
    return 14 * place + 13 if kind == 1 else PAGAT_CARD if kind == 2 else 14 * place


@compiled
def write_tables(w: Ints) -> None:
    """Write down what tricks pay and counts are worth. Rule: B8, B10."""
    book = w[at.BOOK_AT : at.BOOK_AT + BOOK]
    book[0] = 0
    for classes in range(27):
        for winner in range(3):
            kings, pagat = 0, 0
            for place in range(3):
                kind = classes // 3**place % 3
                pay_fallen(w, book, place, _card_of(kind, place), winner, 0)
                if place != winner:
                    kings += kind == 1
                    pagat += kind == 2
            w[at.PAYS + 3 * classes + winner] = _booked(w)
            w[at.FALLS + 3 * classes + winner] = 2 * kings + pagat
            if classes == 1 and winner == 1:
                w[at.KING_UNIT] = w[at.ACCOUNTS_AT + KING_ACCOUNT]
            if classes == 2 and winner == 1:
                w[at.PAGAT_UNIT] = w[at.ACCOUNTS_AT + PAGAT_ACCOUNT]
    facts = w[at.FACTS_AT : at.FACTS_AT + fact.FACTS]
    for place in range(3):
        for pile in range(at.COUNT_SPAN):
            for other in range(3):
                facts[fact.COUNTS + other] = pile if other == place else 0
            reckon(w, facts)
            worth = 0
            if w[rule.COUNT_MODE] != rule.UNCOUNTED:
                for other in range(3):
                    worth += w[at.WEIGHT + other] * facts[fact.RESULTS + other]
            w[at.RECKONED + at.COUNT_SPAN * place + pile] = worth
    # The worth of three counts is the sum of the three; what nothing counts for is in each of them.
    for place in range(1, 3):
        empty = w[at.RECKONED + at.COUNT_SPAN * place]
        for pile in range(at.COUNT_SPAN):
            w[at.RECKONED + at.COUNT_SPAN * place + pile] -= empty


@inlined
def end_worth(w: Ints, past: int, leader: int, winner: int, classes: int) -> tuple[int, int]:
    """What the last trick brings, and whether the piles are counted; `past` is that after the trick.

    Each case is asked of the rules once. Rule: B9.
    """
    zero, kings, pagat = past & at.ZERO_BITS, past >> at.KINGS_SHIFT & 7, past >> at.PAGAT_SHIFT & 1
    kinds = 0
    if w[at.KINDS]:
        for place in range(3):
            kinds = kinds * (w[at.KINDS] + 1) + kind_of(past, place)
    spot = ((((kinds * 8 + zero) * 5 + kings) * 2 + pagat) * 3 + leader) * 3 + winner
    spot = w[at.LAST_AT] + spot * 27 + classes
    known = w[spot]
    if known == at.UNKNOWN:
        known = _asked_end(w, past, leader, winner, classes)
        w[spot] = known
    return known >> 1, known & 1


@compiled
def _asked_end(w: Ints, past: int, leader: int, winner: int, classes: int) -> int:
    """What the last trick brings, twice, and one if the piles are counted: as the rules say."""
    book = w[at.BOOK_AT : at.BOOK_AT + BOOK]
    facts = w[at.FACTS_AT : at.FACTS_AT + fact.FACTS]
    facts[fact.LEADER], facts[fact.WINNER] = leader, winner
    facts[fact.KING_CUP] = w[at.KING_POT] + (past >> at.KINGS_SHIFT & 7) * w[at.KING_UNIT]
    facts[fact.PAGAT_CUP] = w[at.PAGAT_POT] + (past >> at.PAGAT_SHIFT & 1) * w[at.PAGAT_UNIT]
    for place in range(3):
        kind = classes // 3**place % 3
        facts[fact.LAST_CARDS + (place - leader) % 3] = _card_of(kind, place)
        facts[fact.TRICKS_WON + place] = 0 if past >> place & 1 else 1
        announced = kind_of(past, place)
        facts[fact.NOLO_BEFORE + place] = 0
        facts[fact.TOUT_BEFORE + place] = 0
        if announced:
            before = fact.NOLO_BEFORE if w[at.KIND + 2 * announced] == at.NOLO_KIND else fact.TOUT_BEFORE
            facts[before + place] = w[at.KIND + 2 * announced + 1]
    book[0] = 0
    pay_last_trick(w, facts, book)
    piles = 1 if counts_piles(w, facts) else 0
    if not piles:
        pay_count(w, facts, book)
    return 2 * _booked(w) + piles


@compiled
def write_bounds(w: Ints) -> None:
    """Write down the best and the worst that can come of the last trick when all have taken tricks."""
    for kings in range(8):
        for pagat in range(4):
            for lost in range(4, -1, -1):
                high, low = -at.FAR, at.FAR
                for classes in range(27):
                    if not _is_possible(classes, kings, pagat):
                        continue
                    for leader in range(3):
                        for winner in range(3):
                            worth, _ = end_worth(w, lost << at.KINGS_SHIFT, leader, winner, classes)
                            high, low = max(high, worth), min(low, worth)
                spot = (kings * 4 + pagat) * 5 + lost
                if lost < 4:
                    high = max(high, w[at.ENDS_HIGH + spot + 1])
                    low = min(low, w[at.ENDS_LOW + spot + 1])
                w[at.ENDS_HIGH + spot], w[at.ENDS_LOW + spot] = high, low
    for place in range(3):
        other = (place + 1) % 3
        king, pagat = 3**place, 2 * 3**place
        w[at.LOST_KING_VALUE + place] = w[at.PAYS + 3 * king + other]
        home, lost = w[at.PAYS + 3 * pagat + place], w[at.PAYS + 3 * pagat + other]
        w[at.PAGAT_HIGH + place] = max(0, home, lost)
        w[at.PAGAT_LOW + place] = min(0, home, lost)


@inlined
def _is_possible(classes: int, kings: int, pagat: int) -> bool:
    """Whether last cards of these classes can come of hands where some have kings and one the pagat."""
    for place in range(3):
        kind = classes // 3**place % 3
        if (kind == 1 and not kings >> place & 1) or (kind == 2 and place != pagat):
            return False
    return True


@compiled
def write_holdings(codes: Ints, owners: Ints, labels: Ints) -> None:
    """Write for each set of cards of a suit in play who has them, from the top, and where special ones are.

    `owners` and `labels` are by card from the lowest; a label is not 0 if the card is special.
    """
    for cards in range(len(codes)):
        code, special, rank = 1, 0, 0
        for card in range(len(owners)):
            if cards >> card & 1:
                code = 4 * code + owners[card]
                if labels[card]:
                    special = special << 8 | labels[card] << 4 | rank
                rank += 1
        codes[cards] = special << 29 | code


@compiled
def write_trumps(w: Ints, owners: Ints) -> None:
    """Write who has which of the lower eleven and of the upper ten trumps."""
    for cards in range(2048):
        low, high = 0, 1
        for card in range(10, -1, -1):
            if cards >> card & 1:
                low = 4 * low + owners[card]
                high = 4 * high + owners[11 + card] if card < 10 else high
        w[at.TRUMP_LOW + cards], w[at.TRUMP_HIGH + cards] = low, high


@inlined
def trump_code(w: Ints, trumps: int) -> int:
    """Who has the trumps in play, from the top."""
    real = trumps & REAL_TRUMPS
    low = real & 2047
    return (w[at.TRUMP_HIGH + (real >> 11)] << 2 * count(low)) | w[at.TRUMP_LOW + low]


@compiled
def write_residues(w: Ints) -> None:
    """Write down when two counts have the same future, and how far a count can stray from its slope.

    A count that is paid in fives repeats itself every five points, one that is paid exactly every point.
    """
    step, w[at.SLOPE_HIGH], w[at.SLOPE_LOW] = 0, -at.FAR, at.FAR
    for place in range(0, 3 * at.COUNT_SPAN, at.COUNT_SPAN):
        worth = w[at.RECKONED + place : at.RECKONED + place + at.COUNT_SPAN]
        period = 1
        while not _repeats(worth, period):
            period += 1
        slope = (worth[period] - worth[0]) // period
        w[at.SLOPE + place // at.COUNT_SPAN] = slope
        w[at.SLOPE_HIGH], w[at.SLOPE_LOW] = max(w[at.SLOPE_HIGH], slope), min(w[at.SLOPE_LOW], slope)
        high = low = worth[at.COUNT_SPAN - 1] - slope * (at.COUNT_SPAN - 1)
        for pile in range(at.COUNT_SPAN - 1, -1, -1):
            strays = worth[pile] - slope * pile
            high, low = max(high, strays), min(low, strays)
            w[at.RESIDUE + place + pile] = pile % period
            w[at.SPARE_HIGH + place + pile], w[at.SPARE_LOW + place + pile] = high - strays, low - strays
            step = gcd(step, worth[pile] - worth[max(0, pile - 1)])
    w[at.STEP] = max(step, 1)


@inlined
def _repeats(worth: Ints, period: int) -> bool:
    """Whether the worth of a count grows by the same amount with every `period` points."""
    for pile in range(at.COUNT_SPAN - period):
        if worth[pile + period] - worth[pile] != worth[period] - worth[0]:
            return False
    return True
