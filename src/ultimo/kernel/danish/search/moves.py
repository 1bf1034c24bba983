"""Moves in a Danish search: which are tried, in what order, and what comes of them.

What the search for a side and the search for everybody share: they differ in what they compare alone. A trick
on the table is one word (see the layout): how far it has come, the suit in force, the cards, the demand.
"""

from __future__ import annotations

from ultimo.danish import phases
from ultimo.danish.following import LAST, has_suit, legal_cards, winner
from ultimo.danish.phases import is_renamed, lead_passes, skus_goes_home
from ultimo.kernel.bits import count, lowest
from ultimo.kernel.danish.search import layout as at
from ultimo.kernel.danish.search.tables import counted, end_worth, kind_of
from ultimo.kernel.jit import Ints, always_inlined, inlined, tight
from ultimo.play.following import FIRST_TRUMP, NO_SUIT, SKUS_BIT, SKUS_CARD, TRUMP_SUIT

ALL_SUITS = (1 << 56) - 1
ALL_TRUMPS = (1 << 21) - 1
NEITHER = -1  # neither no trick nor all
NAME_SHIFT = 7  # a move is a card, and above it one more than the suit that a led skus is named as
SCORE_SHIFT = 12
MOVE_BITS = (1 << SCORE_SHIFT) - 1
CARD_BITS = (1 << NAME_SHIFT) - 1


@inlined
def next_place(place: int) -> int:
    """The place that plays after this one."""
    return 0 if place == 2 else place + 1


# --- the trick on the table ------------------------------------------------------------------------------


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
def first_card(trick: int) -> int:
    """The card that was led."""
    return trick >> at.FIRST_SHIFT & CARD_BITS


@inlined
def second_card(trick: int) -> int:
    """The second card."""
    return trick >> at.SECOND_SHIFT & CARD_BITS


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
    """Whether a place may make an announcement of some kind before a trick.

    Of the tricks it has won the past says whether they are none, or all.
    """
    others = at.ZERO_BITS ^ 1 << place
    won = 0 if past >> place & 1 else number - 1 if (past & others) == others else NEITHER
    may = phases.announceable(w, number, won, kind_of(past, place) != 0)
    bit = phases.NOLO if w[at.KIND + 2 * kind] == at.NOLO_KIND else phases.TOUT
    return w[at.KIND + 2 * kind + 1] == number and may & bit != 0


# --- moves -----------------------------------------------------------------------------------------------


@inlined
def insert_move(w: Ints, base: int, moves: int, move: int, score: int) -> int:
    """Put a move in its place among those found so far, the most promising first; how many there are now."""
    word = score << SCORE_SHIFT | move
    spot = base + moves
    while spot > base and w[spot - 1] < word:
        w[spot] = w[spot - 1]
        spot -= 1
    w[spot] = word
    return moves + 1


@always_inlined
def list_cards(w: Ints, base: int, row: int, suits: int, trumps: int, hash_card: int) -> int:
    """List the cards that may be played, one of those that come to the same; how many there are.

    Cards of one hand come to the same if no card in play lies between them and none of them is special. The
    skus is not listed here.
    """
    moves = 0
    free = (suits | (ALL_SUITS & ~w[at.OUT_SUITS])) & ~w[at.SPLIT_SUITS]
    while suits:
        bit = suits & -suits
        card = lowest(bit)
        suits ^= bit
        if free & bit:
            suits &= ~(free & ~(free + bit) & w[at.LANE + card])
        score = w[at.HISTORY + 78 * row + card]
        moves = insert_move(w, base, moves, card, 1 << 40 if card == hash_card else score)
    trumps &= ALL_TRUMPS
    free = (trumps | (ALL_TRUMPS & ~w[at.OUT_TRUMPS])) & ~w[at.SPLIT_TRUMPS]
    while trumps:
        bit = trumps & -trumps
        card = FIRST_TRUMP + lowest(bit)
        trumps ^= bit
        if free & bit:
            trumps &= ~(free & ~(free + bit))
        score = w[at.HISTORY + 78 * row + card]
        moves = insert_move(w, base, moves, card, 1 << 40 if card == hash_card else score)
    return moves


@inlined
def list_names(w: Ints, base: int, moves: int, place: int, other: int, score: int) -> int:
    """List the names of a skus; of those that neither of two hands can follow only one."""
    dead = False
    for suit in range(5):
        if not has(w, place, suit) and not has(w, other, suit):
            if dead:
                continue
            dead = True
        moves = insert_move(w, base, moves, SKUS_CARD | (suit + 1) << NAME_SHIFT, score)
    return moves


@inlined
def has(w: Ints, place: int, suit: int) -> bool:
    """Whether a hand holds a suit."""
    return has_suit(w[at.SUITS + place], w[at.TRUMPS + place], suit)


@always_inlined
def list_moves(w: Ints, base: int, place: int, number: int, trick: int, hash_card: int) -> int:
    """List what a place may do next in a trick, the most promising first; how many moves there are."""
    played, led = cards_on_table(trick), led_suit(trick)
    following = next_place(place)
    if played == 1 and led == NO_SUIT:
        return list_names(w, base, 0, place, following, 0)
    suits, trumps = w[at.SUITS + place], w[at.TRUMPS + place]
    may_suits, may_trumps = legal_cards(w, suits, trumps, led, number, demand_of(trick) == at.DEMANDED)
    moves = list_cards(w, base, 3 * played + place, may_suits, may_trumps, hash_card)
    if may_trumps & SKUS_BIT:
        score = w[at.HISTORY + 78 * (3 * played + place) + SKUS_CARD]
        if played == 0:
            return list_names(w, base, moves, following, next_place(following), score)
        return insert_move(w, base, moves, SKUS_CARD, score)
    return moves


@inlined
def room_for_moves(left: int, trick: int) -> int:
    """Where the moves of a position are listed: by depth, and within a trick by how far it has come."""
    naming = cards_on_table(trick) == 1 and led_suit(trick) == NO_SUIT
    return at.MOVES + at.MOVE_ROOM * (4 * left + (3 if naming else cards_on_table(trick)))


@inlined
def note_cards_in_play(w: Ints) -> None:
    """Note which cards are in play as a trick begins: cards next to each other among them are alike."""
    w[at.OUT_SUITS] = w[at.SUITS] | w[at.SUITS + 1] | w[at.SUITS + 2]
    w[at.OUT_TRUMPS] = w[at.TRUMPS] | w[at.TRUMPS + 1] | w[at.TRUMPS + 2]


@inlined
def remove(w: Ints, place: int, card: int) -> None:
    """Take a card out of a hand, or put it back."""
    if card >= FIRST_TRUMP:
        w[at.TRUMPS + place] ^= 1 << (card - FIRST_TRUMP)
    else:
        w[at.SUITS + place] ^= 1 << card


# --- what comes of a move ----------------------------------------------------------------------------------


@always_inlined
def after_move(
    w: Ints, leader: int, number: int, trick: int, past: int, move: int
) -> tuple[int, int, int, int, int]:
    """The leader, the trick and the past after a move, what it brings at once, and whether that is all.

    The card has left its hand. A value that ends a claim is 0 or 1, and nothing comes after it.
    """
    card, name = move & CARD_BITS, (move >> NAME_SHIFT) - 1
    played, led, demand = cards_on_table(trick), led_suit(trick), demand_of(trick)
    first, second = first_card(trick), second_card(trick)
    if played == 1 and led == NO_SUIT:
        return leader, trick_word(1, name, first, 0, demand), past, 0, 0
    if played == 0:
        suit = name if card == SKUS_CARD else card // 14 if card < FIRST_TRUMP else TRUMP_SUIT
        if card == SKUS_CARD and is_renamed(
            w, has(w, next_place(leader), suit), has(w, place_after(leader, 2), suit)
        ):
            suit = NO_SUIT
        return leader, trick_word(1, suit, card, 0, demand), past, 0, 0
    if played == 1:
        return leader, trick_word(2, led, first, card, demand), past, 0, 0
    took = taker(w, leader, first, second, card, led)
    if number == LAST:
        if w[at.MODE] == at.CLAIMED:
            return took, at.NEW_TRICK, past, claim_at_end(w, past, leader, took, first, second, card), 1
        return took, at.NEW_TRICK, past, last_points(w, past, leader, took, first, second, card), 1
    if w[at.MODE] == at.CLAIMED:
        after = claim_after(w, past, leader, took, first, second, card)
        return took, at.NEW_TRICK, after, 1 if after == 0 else 0, 1 if after <= 0 else 0
    gain, after = trick_points(w, past, leader, took, first, second, card)
    window = w[at.WINDOWS] >> (number + 1) & 1
    return took, 0 if window else at.NEW_TRICK, after, gain, 0


@inlined
def last_trick(w: Ints, leader: int, past: int) -> int:
    """What the last trick brings, when nobody has a choice."""
    first = only_card(w, leader)
    second = only_card(w, next_place(leader))
    third = only_card(w, place_after(leader, 2))
    led = first // 14 if first < FIRST_TRUMP else TRUMP_SUIT
    took = taker(w, leader, first, second, third, led)
    if w[at.MODE] == at.CLAIMED:
        return claim_at_end(w, past, leader, took, first, second, third)
    return last_points(w, past, leader, took, first, second, third)


@inlined
def only_card(w: Ints, place: int) -> int:
    """The one card of a hand."""
    suits = w[at.SUITS + place]
    return lowest(suits) if suits else FIRST_TRUMP + lowest(w[at.TRUMPS + place])


@inlined
def last_leader(w: Ints, leader: int) -> int:
    """Who leads to the last trick; -1 if a skus is led, which has to be named first."""
    if lead_passes(w, LAST, w[at.SUITS + leader], w[at.TRUMPS + leader]):
        leader = next_place(leader)
    return -1 if w[at.TRUMPS + leader] & SKUS_BIT else leader


# --- the end of a trick ----------------------------------------------------------------------------------


@inlined
def taker(w: Ints, leader: int, first: int, second: int, third: int, led: int) -> int:
    """The place that takes a trick."""
    return place_after(leader, winner(w[at.REAL + first], w[at.REAL + second], w[at.REAL + third], led))


@inlined
def classes_of(w: Ints, leader: int, first: int, second: int, third: int) -> int:
    """Which places have played a king or the pagat."""
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
def after_trick(
    w: Ints, past: int, leader: int, took: int, first: int, second: int, third: int, number: int
) -> int:
    """The past with a trick more."""
    points = 1 + w[at.HONOUR + first] + w[at.HONOUR + second] + w[at.HONOUR + third]
    past &= ~(1 << took)
    if skus_goes_home(number) and (first == SKUS_CARD or second == SKUS_CARD or third == SKUS_CARD):
        holder = place_after(leader, 0 if first == SKUS_CARD else 1 if second == SKUS_CARD else 2)
        points -= w[at.HONOUR + SKUS_CARD]
        past += w[at.HONOUR + SKUS_CARD] << (at.COUNT_SHIFT + 7 * holder)
    return past + (points << (at.COUNT_SHIFT + 7 * took))


@inlined
def trick_points(
    w: Ints, past: int, leader: int, took: int, first: int, second: int, third: int
) -> tuple[int, int]:
    """What a trick before the last brings, with what the piles gain in worth, and the past after it."""
    after = after_trick(w, past, leader, took, first, second, third, LAST - 1)
    gain = worth_of_counts(w, after) - worth_of_counts(w, past)
    classes = classes_of(w, leader, first, second, third)
    if classes:
        gain += w[at.PAYS + 3 * classes + took]
        falls = w[at.FALLS + 3 * classes + took]
        after += (falls >> 1) << at.KINGS_SHIFT | (falls & 1) << at.PAGAT_SHIFT
    return gain, after


@inlined
def last_points(w: Ints, past: int, leader: int, took: int, first: int, second: int, third: int) -> int:
    """What the last trick brings, with the count."""
    after = after_trick(w, past, leader, took, first, second, third, LAST)
    classes = classes_of(w, leader, first, second, third)
    worth, piles = end_worth(w, after, leader, took, classes)
    if piles:
        worth += worth_of_counts(w, after)
    return worth - worth_of_counts(w, past)


@inlined
def _card_at(leader: int, place: int, first: int, second: int, third: int) -> int:
    """The card that a place has played."""
    turn = place - leader
    if turn < 0:
        turn += 3
    return first if turn == 0 else second if turn == 1 else third


@inlined
def _is_among(card: int, suits: int, trumps: int) -> bool:
    if card >= FIRST_TRUMP:
        return (trumps >> (card - FIRST_TRUMP) & 1) != 0
    return (suits >> card & 1) != 0


@tight
def claim_after(w: Ints, opened: int, leader: int, took: int, first: int, second: int, third: int) -> int:
    """The atoms still open after a trick before the last; -1 if the claim is lost."""
    left = opened
    for number in range(w[at.ATOMS]):
        if not opened >> number & 1:
            continue
        spot = at.ATOM + at.ATOM_WORDS * number
        what, place, suits, trumps, holds = w[spot], w[spot + 1], w[spot + 2], w[spot + 3], w[spot + 4]
        happened, barred = False, False
        if what == at.NOLO:
            barred = took == place
        elif what == at.TOUT:
            barred = took != place
        elif what in (at.HOME, at.LOST):
            fell = _is_among(_card_at(leader, place, first, second, third), suits, trumps)
            happened = fell and (took == place) == (what == at.HOME)
            barred = not happened and not (w[at.SUITS + place] & suits or w[at.TRUMPS + place] & trumps)
        else:
            barred = not (w[at.SUITS + place] & suits or w[at.TRUMPS + place] & trumps)
        if happened or barred:
            if happened != (holds != 0):
                return -1
            left ^= 1 << number
    return left


@tight
def claim_at_end(w: Ints, opened: int, leader: int, took: int, first: int, second: int, third: int) -> int:
    """1 if the claim holds after the last trick, else 0."""
    for number in range(w[at.ATOMS]):
        if not opened >> number & 1:
            continue
        spot = at.ATOM + at.ATOM_WORDS * number
        what, place, suits, trumps, holds = w[spot], w[spot + 1], w[spot + 2], w[spot + 3], w[spot + 4]
        happened = False
        if what == at.NOLO:
            happened = took != place
        elif what == at.TOUT:
            happened = took == place
        elif what in (at.ULTIMO, at.LAST_TRICK, at.BAGUD):
            among = _is_among(_card_at(leader, place, first, second, third), suits, trumps)
            happened = among and (took == place) == (what != at.BAGUD)
        if happened != (holds != 0):
            return 0
    return 1
