"""Moves in a Danish search: which are tried, in what order, and what comes of them.

What the search for a side and the search for everybody share: they differ in what they compare alone. A trick
on the table is one word (see the layout): how far it has come, the suit in force, the cards, the demand.
"""

from __future__ import annotations

from ultimo.danish import phases
from ultimo.danish.following import LAST, has_suit, legal_cards, winner
from ultimo.kernel.bits import count
from ultimo.kernel.danish.search import layout as at
from ultimo.kernel.danish.search.tables import counted, end_worth, kind_of, way_of
from ultimo.kernel.jit import Ints, always_inlined, inlined, tight
from ultimo.kernel.searching import (
    blended,
    flip,
    is_marked,
    lowest_card,
    mark_of,
    one_of_each,
    set_mark,
    without_lowest,
)
from ultimo.play.following import FIRST_TRUMP, NO_SUIT, SKUS_BIT, SKUS_CARD, suit_of

NEITHER = -1  # neither no trick nor all
NAME_SHIFT = 7  # a move is a card, and above it one more than the suit that a led skus is named as
SCORE_SHIFT = 12
MOVE_BITS = (1 << SCORE_SHIFT) - 1
CARD_BITS = (1 << NAME_SHIFT) - 1
HASH_SCORE = 1 << 40  # the hash move comes first
LOST = -1  # instead of the atoms that are open: the claim is lost
MARKED_FROM = 6  # tricks left: with fewer, two threads may as well do the same
MARK_PLACE = at.MOVE_ROOM - 1  # behind the moves: the mark of the one that is searched


# --- the trick on the table ------------------------------------------------------------------------------


@inlined
def next_place(place: int) -> int:
    """The place that plays after this one."""
    return 0 if place == 2 else place + 1


@inlined
def place_after(leader: int, distance: int) -> int:
    """The place so many seats after the leader."""
    place = leader + distance
    return place - 3 if place > 2 else place


@inlined
def cards_on_table(trick: int) -> int:
    """How many cards lie; less than none while announcements can be made."""
    return (trick & at.STAGE_BITS) - at.NO_CARD_LIES


@inlined
def led_suit(trick: int) -> int:
    """The suit in force; a led skus that is to be named anew has none yet."""
    return (trick >> at.LED_SHIFT & 7) - 1


@inlined
def is_naming(trick: int) -> bool:
    """Whether the next move is to name a led skus anew."""
    return cards_on_table(trick) == 1 and led_suit(trick) == NO_SUIT


@inlined
def first_two(trick: int) -> tuple[int, int]:
    """The card that was led, and the second."""
    return trick >> at.FIRST_SHIFT & CARD_BITS, trick >> at.SECOND_SHIFT & CARD_BITS


@inlined
def demand_of(trick: int) -> int:
    """Whether the skus is demanded, not, or nobody has been asked."""
    return trick >> at.DEMAND_SHIFT


@inlined
def trick_word(played: int, led: int, first: int, second: int, demand: int) -> int:
    """A trick as one word."""
    word = played + at.NO_CARD_LIES | (led + 1) << at.LED_SHIFT | demand << at.DEMAND_SHIFT
    return word | first << at.FIRST_SHIFT | second << at.SECOND_SHIFT


@inlined
def trick_number(w: Ints, place: int) -> int:
    """The number of the trick to which a place has yet to play."""
    return LAST + 1 - count(w[at.SUITS + place]) - count(w[at.TRUMPS + place])


@inlined
def announceable(w: Ints, past: int, place: int, kind: int, number: int) -> bool:
    """Whether a place may make an announcement of some kind before a trick; none (0) it may always make.

    Of the tricks it has won the past says whether they are none, or all.
    """
    if kind == 0:
        return True
    others = at.ZERO_BITS ^ 1 << place
    won = 0 if past >> place & 1 else number - 1 if (past & others) == others else NEITHER
    may = phases.announceable(w, number, won, kind_of(past, place) != 0)
    bit = phases.NOLO if w[at.KIND + 2 * kind] == at.NOLO_KIND else phases.TOUT
    return w[at.KIND + 2 * kind + 1] == number and may & bit != 0


@inlined
def announced(past: int, place: int, kind: int) -> int:
    """The past when a place has announced something."""
    return past | kind << (at.KIND_SHIFT + 4 * place)


# --- moves -----------------------------------------------------------------------------------------------


@inlined
def insert_move(w: Ints, base: int, moves: int, word: int) -> None:
    """Put a move in its place among those listed so far, the most promising first."""
    spot = base + moves
    while spot > base and w[spot - 1] < word:
        w[spot] = w[spot - 1]
        spot -= 1
    w[spot] = word


@inlined
def list_names(w: Ints, base: int, moves: int, place: int, other: int, score: int) -> int:
    """List the names of a skus; of those that neither of two hands can follow only one."""
    dead = False
    for suit in range(5):
        if not has(w, place, suit) and not has(w, other, suit):
            if dead:
                continue
            dead = True
        insert_move(w, base, moves, score << SCORE_SHIFT | (suit + 1) << NAME_SHIFT | SKUS_CARD)
        moves += 1
    return moves


@inlined
def has(w: Ints, place: int, suit: int) -> bool:
    """Whether a hand holds a suit."""
    return has_suit(w[at.SUITS + place], w[at.TRUMPS + place], suit)


@always_inlined
def list_moves(w: Ints, base: int, place: int, number: int, trick: int, way: int, hash_card: int) -> int:
    """List what a place may do next, one card of each group of equivalent ones; how many moves there are.

    The hash move comes first, then what the history heuristic thinks most of.
    """
    following = next_place(place)
    if is_naming(trick):
        return list_names(w, base, 0, place, following, 0)
    played = cards_on_table(trick)
    if played == 0:
        note_cards_in_play(w)
    suits, trumps = legal_cards(
        w, w[at.SUITS + place], w[at.TRUMPS + place], led_suit(trick), number, demand_of(trick) == at.DEMANDED
    )
    history = at.HISTORY + 78 * (3 * played + place)
    named = trumps & SKUS_BIT if played == 0 else 0
    suits = one_of_each(suits, w[at.OUT_SUITS], w[at.JOINED_SUITS + way])
    trumps = one_of_each(trumps ^ named, w[at.OUT_TRUMPS], w[at.JOINED_TRUMPS + way])
    moves = 0
    while suits or trumps:
        card = lowest_card(suits, trumps)
        suits, trumps = without_lowest(suits, trumps)
        score = HASH_SCORE if card == hash_card else w[history + card]
        insert_move(w, base, moves, score << SCORE_SHIFT | card)
        moves += 1
    if named:
        return list_names(w, base, moves, following, next_place(following), w[history + SKUS_CARD])
    return moves


@inlined
def lead_of(move: int) -> int:
    """The suit that a lead asks for; a led skus is named as one."""
    card = move & CARD_BITS
    return (move >> NAME_SHIFT) - 1 if card == SKUS_CARD else suit_of(card)


@inlined
def room_for_moves(left: int, trick: int) -> int:
    """Where the moves of a position are listed: by depth, and within a trick by how far it has come."""
    return at.MOVES + at.MOVE_ROOM * (4 * left + (3 if is_naming(trick) else cards_on_table(trick)))


@inlined
def note_cards_in_play(w: Ints) -> None:
    """Note which cards are in play as a trick begins: cards next to each other among them are alike."""
    w[at.OUT_SUITS] = w[at.SUITS] | w[at.SUITS + 1] | w[at.SUITS + 2]
    w[at.OUT_TRUMPS] = w[at.TRUMPS] | w[at.TRUMPS + 1] | w[at.TRUMPS + 2]


@inlined
def make(w: Ints, place: int, trick: int, move: int) -> None:
    """Make a move, or unmake it: its card leaves the hand or returns. The led skus that is named has left."""
    if not is_naming(trick):
        flip(w, at.SUITS + place, at.TRUMPS + place, move & CARD_BITS)


# --- threads ---------------------------------------------------------------------------------------------


@tight
def choose(w: Ints, base: int, index: int, end: int, left: int, trick: int, past: int) -> None:
    """Take the first of the moves up to `end` that no other thread is searching, and mark it; else the first.

    Who holds a card that is not yet played never changes, so a position is known by the cards in all hands.
    """
    w[base + MARK_PLACE] = 0
    if left < MARKED_FROM:
        return
    suits = w[at.SUITS] | w[at.SUITS + 1] | w[at.SUITS + 2]
    trumps = w[at.TRUMPS] | w[at.TRUMPS + 1] | w[at.TRUMPS + 2]
    here = blended(blended(int(suits), int(trumps) << 32 | trick), past)
    spot, mark = base + index, 0
    for other in range(base + index, base + end):
        mark = mark_of(here, int(w[other]) & MOVE_BITS)
        if not is_marked(w, w[at.MARKS_AT], mark):
            spot = other
            break
    word = w[spot]
    for other in range(spot, base + index, -1):
        w[other] = w[other - 1]
    w[base + index] = word
    w[base + MARK_PLACE] = mark = mark_of(here, int(word) & MOVE_BITS)
    set_mark(w, w[at.MARKS_AT], mark, mark)


@inlined
def unmark(w: Ints, base: int) -> None:
    """The move is searched."""
    mark = int(w[base + MARK_PLACE])
    if mark:
        set_mark(w, w[at.MARKS_AT], mark, 0)


# --- what comes of a move ----------------------------------------------------------------------------------


@always_inlined
def after_move(
    w: Ints, leader: int, number: int, trick: int, past: int, move: int
) -> tuple[int, int, int, int, bool]:
    """The leader, the trick and the past after a move, what it brings at once, and whether that is all.

    The card has left its hand. A value that ends a claim is 0 or 1, and nothing comes after it.
    """
    card = move & CARD_BITS
    played, demand = cards_on_table(trick), demand_of(trick)
    first, _ = first_two(trick)
    if is_naming(trick):
        return leader, trick_word(1, lead_of(move), first, 0, demand), past, 0, False
    if played == 0:
        suit = lead_of(move)
        if card == SKUS_CARD and phases.is_renamed(
            w, has(w, next_place(leader), suit), has(w, place_after(leader, 2), suit)
        ):
            suit = NO_SUIT
        return leader, trick_word(1, suit, card, 0, demand), past, 0, False
    if played == 1:
        return leader, trick_word(2, led_suit(trick), first, card, demand), past, 0, False
    took = taker(w, leader, trick, card)
    if w[at.MODE] == at.CLAIMED:
        after = claim_after(w, past, leader, took, trick, card, number == LAST)
        return took, at.NEW_TRICK, after, 1 if after == 0 else 0, after == 0 or after == LOST
    gain, after = trick_points(w, past, leader, took, trick, card, number == LAST)
    window = w[at.WINDOWS] >> (number + 1) & 1
    return took, 0 if window else at.NEW_TRICK, after, gain, number == LAST


@inlined
def last_trick(w: Ints, leader: int, past: int) -> tuple[int, int]:
    """What the last trick brings, when nobody has a choice, and the past after it."""
    second, third = next_place(leader), place_after(leader, 2)
    first = lowest_card(w[at.SUITS + leader], w[at.TRUMPS + leader])
    trick = trick_word(
        2, suit_of(first), first, lowest_card(w[at.SUITS + second], w[at.TRUMPS + second]), at.NOT_ASKED
    )
    card = lowest_card(w[at.SUITS + third], w[at.TRUMPS + third])
    took = taker(w, leader, trick, card)
    if w[at.MODE] == at.CLAIMED:
        return 1 if claim_after(w, past, leader, took, trick, card, True) == 0 else 0, 0
    return trick_points(w, past, leader, took, trick, card, True)


@inlined
def last_leader(w: Ints, leader: int) -> int:
    """Who leads to the last trick; -1 if a skus is led, which has to be named first."""
    if phases.lead_passes(w, LAST, w[at.SUITS + leader], w[at.TRUMPS + leader]):
        leader = next_place(leader)
    return -1 if w[at.TRUMPS + leader] & SKUS_BIT else leader


# --- the end of a trick: two cards lie, and a third falls ------------------------------------------------


@inlined
def taker(w: Ints, leader: int, trick: int, third: int) -> int:
    """The place that takes a trick."""
    first, second = first_two(trick)
    place = winner(w[at.REAL + first], w[at.REAL + second], w[at.REAL + third], led_suit(trick))
    return place_after(leader, place)


@inlined
def classes_of(w: Ints, leader: int, trick: int, third: int) -> int:
    """Which places have played a king or the pagat."""
    first, second = first_two(trick)
    one, two, three = w[at.CLASS + first], w[at.CLASS + second], w[at.CLASS + third]
    if one + two + three == 0:
        return 0
    if leader == 0:
        return one + 3 * two + 9 * three
    if leader == 1:
        return three + 3 * one + 9 * two
    return two + 3 * three + 9 * one


@inlined
def worth_of_counts(w: Ints, past: int) -> int:
    """What the piles are worth as they lie."""
    return (
        w[at.RECKONED + counted(past, 0)]
        + w[at.RECKONED + at.COUNT_SPAN + counted(past, 1)]
        + w[at.RECKONED + 2 * at.COUNT_SPAN + counted(past, 2)]
    )


@inlined
def after_trick(w: Ints, past: int, leader: int, took: int, trick: int, third: int, last: bool) -> int:
    """The past with a trick more."""
    first, second = first_two(trick)
    points = 1 + w[at.HONOUR + first] + w[at.HONOUR + second] + w[at.HONOUR + third]
    past &= ~(1 << took)
    if phases.skus_goes_home(LAST if last else LAST - 1) and (
        first == SKUS_CARD or second == SKUS_CARD or third == SKUS_CARD
    ):
        holder = place_after(leader, 0 if first == SKUS_CARD else 1 if second == SKUS_CARD else 2)
        points -= w[at.HONOUR + SKUS_CARD]
        past += w[at.HONOUR + SKUS_CARD] << (at.COUNT_SHIFT + 7 * holder)
    return past + (points << (at.COUNT_SHIFT + 7 * took))


@inlined
def trick_points(
    w: Ints, past: int, leader: int, took: int, trick: int, third: int, last: bool
) -> tuple[int, int]:
    """What a trick brings, with what the piles gain in worth or finally count, and the past after it."""
    after = after_trick(w, past, leader, took, trick, third, last)
    classes = classes_of(w, leader, trick, third)
    gain, piles = 0, 1
    if last:
        gain, piles = end_worth(w, after, leader, took, classes)
    elif classes:
        gain = w[at.PAYS + 3 * classes + took]
    if way_of(past) == 0:
        gain -= worth_of_counts(w, past)
        if piles:
            gain += worth_of_counts(w, after)
    if classes and not last:
        falls = w[at.FALLS + 3 * classes + took]
        after += (falls >> 1) << at.KINGS_SHIFT | (falls & 1) << at.PAGAT_SHIFT
    return gain, after


@inlined
def is_among(card: int, suits: int, trumps: int) -> bool:
    """Whether a card is one of a set."""
    return ((trumps >> (card - FIRST_TRUMP) if card >= FIRST_TRUMP else suits >> card) & 1) != 0


@tight
def claim_after(w: Ints, opened: int, leader: int, took: int, trick: int, third: int, last: bool) -> int:
    """The atoms still open after a trick, none after the last; `LOST` if the claim is lost."""
    left = opened
    first, second = first_two(trick)
    for number in range(w[at.ATOMS]):
        if not opened >> number & 1:
            continue
        spot = at.ATOM + at.ATOM_WORDS * number
        what, place, suits, trumps, holds = w[spot], w[spot + 1], w[spot + 2], w[spot + 3], w[spot + 4]
        if what in (at.NOLO, at.TOUT):
            possible = (took == place) == (what == at.TOUT)
            happened = possible and last
        else:
            card = first if place == leader else second if place == next_place(leader) else third
            possible = (w[at.SUITS + place] & suits or w[at.TRUMPS + place] & trumps) != 0
            happened = (
                last == (what not in (at.HOME, at.LOST))
                and is_among(card, suits, trumps)
                and (took == place) == (what not in (at.LOST, at.BAGUD))
            )
        if happened or last or not possible:
            if happened != (holds != 0):
                return LOST
            left ^= 1 << number
    return left
