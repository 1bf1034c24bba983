"""What the cards alone decide, counted in many shuffled packs: the check of the exact probabilities.

A measure looks at the hands of many deals at once, two words a hand, and says in which of them it was to be
seen and in which of those it happened. Deals are numbered; any part of a run can be done anywhere.

>>> found = count(sizes_of("danish"), seed=7, first=0, deals=1000)
>>> found["ten_tarokker_in_a_hand"].of
1000
"""

from __future__ import annotations

from collections.abc import Callable
from typing import Literal, NamedTuple, TypeAlias, get_args

import numpy as np
import numpy.typing as npt

from ultimo.analysis.frequencies import exact
from ultimo.analysis.statistics import Share
from ultimo.danish.declarations import FAMILY_WORDS
from ultimo.kernel.dice import next_word, shuffle, starts
from ultimo.kernel.jit import Ints, Words, tight
from ultimo.play.following import FIRST_TRUMP, PACK_SIZE, SKUS_BIT, SUIT_BITS

Layout: TypeAlias = Literal["danish", "french3", "french4", "french5"]
Flags: TypeAlias = npt.NDArray[np.bool_]
Seen: TypeAlias = tuple[Flags, Flags]  # in which deals it happened, and in which it could

LAYOUTS: tuple[Layout, ...] = get_args(Layout)
FOREHAND, MIDDLE, DEALER = range(3)
SPADES = 0
BOTH_ENDS = 1 << 20 | 1  # T21 and T1
BOUTS = BOTH_ENDS | SKUS_BIT
TWELVE = sum(0b111 << (14 * suit + 11) for suit in range(4))  # kings, queens, knights


class Hands:
    """The hands of many deals."""

    def __init__(self, words: Ints) -> None:
        self.suits, self.trumps = words[:, 0::2], words[:, 1::2]
        self.all: Flags = np.ones(len(words), np.bool_)

    def tarokker(self) -> Ints:
        """How many each hand has, the skus counted."""
        return _counted(self.trumps)

    def spades(self, hand: int) -> Ints:
        """How many spades a hand has; one suit is as good as another, and deals stay independent."""
        return self.lengths(SPADES)[:, hand]

    def lengths(self, suit: int) -> Ints:
        """How many cards of a suit each hand has."""
        return _counted(self.suits >> (14 * suit) & SUIT_BITS)

    def family(self) -> Ints:
        """The most courts of a suit, or kings, in each hand."""
        held: Ints = np.maximum.reduce([_counted(self.suits & word) for word in FAMILY_WORDS])
        return held


def _counted(words: Ints) -> Ints:
    return np.bitwise_count(words).astype(np.int64)


class Measure(NamedTuple):
    """Something the cards decide: where it is seen, how it is counted, and its probability."""

    layout: Layout
    seen: Callable[[Hands], Seen]
    exact: Callable[[], float]


def _in_all(happened: Callable[[Hands], Flags]) -> Callable[[Hands], Seen]:
    return lambda h: (happened(h), h.all)


def _declares(h: Hands) -> Flags:
    skus, family, trumps = h.trumps & SKUS_BIT != 0, h.family(), h.trumps
    matadors = trumps & BOUTS == BOUTS
    found: Flags = (h.tarokker() >= 10) | matadors | (family == 4) | (skus & (family == 3))
    return found


def _skus_told(h: Hands) -> Flags:
    told = (h.family() >= 3) | (h.trumps & BOTH_ENDS == BOTH_ENDS)
    found: Flags = ((h.trumps & SKUS_BIT != 0) & told).any(axis=1)
    return found


def _longest_of_others(own: int, hand: int) -> Callable[[Hands], Seen]:
    """In a suit of which one hand has just so many, whether another can whip."""

    def seen(h: Hands) -> Seen:
        there = h.spades(hand) == own
        others = np.delete(h.lengths(SPADES), hand, axis=1)
        return there & (others.max(axis=1) >= exact.WHIP), there

    return seen


def _six_drives_four(h: Hands) -> Seen:
    there = h.spades(DEALER) == exact.WHIP
    others = np.delete(h.lengths(SPADES), DEALER, axis=1)
    return there & (others.max(axis=1) <= exact.WHIP), there


def _single_is_long_elsewhere(h: Hands) -> Seen:
    there = h.spades(FOREHAND) == 1
    return there & (h.lengths(SPADES)[:, 1:].min(axis=1) >= 4), there


def _declared_suit(h: Hands) -> Seen:
    courts = _counted(h.suits[:, FOREHAND] & FAMILY_WORDS[SPADES])
    skus = h.trumps[:, FOREHAND] & SKUS_BIT != 0
    there = (courts == 4) | (skus & (courts == 3))
    return there & (h.spades(FOREHAND) >= exact.WHIP), there


def _kind(h: Hands) -> Flags:
    lengths = np.sort(np.stack([h.lengths(suit)[:, FOREHAND] for suit in range(4)], axis=1), axis=1)
    found: Flags = (lengths == (4, 4, 4, 6)).all(axis=1)
    return found


def _whip(h: Hands) -> Flags:
    found: Flags = np.maximum.reduce([h.lengths(suit)[:, FOREHAND] for suit in range(4)]) >= exact.WHIP
    return found


def _petit_sec(h: Hands) -> Flags:
    found: Flags = (h.trumps[:, :-1] == 1).any(axis=1)
    return found


def _two_poignees(players: int) -> Callable[[Hands], Flags]:
    return lambda h: (h.tarokker()[:, :-1] >= exact.POIGNEE[players]).sum(axis=1) >= 2


def _whip_elsewhere(own: int, sizes: tuple[int, int]) -> Callable[[], float]:
    return lambda: exact.others_have(own, sizes, lambda counts: max(counts) >= exact.WHIP)


MEASURES: dict[str, Measure] = {
    "tarokker_8_7_7": Measure(
        "danish",
        _in_all(lambda h: (np.sort(h.tarokker(), axis=1) == (7, 7, 8)).all(axis=1)),
        lambda: exact.spread(exact.TAROKKER, exact.DANISH, lambda counts: sorted(counts) == [7, 7, 8]),
    ),
    "no_tarok_in_some_hand": Measure(
        "danish", _in_all(lambda h: (h.trumps & ~SKUS_BIT == 0).any(axis=1)), exact.tarokless
    ),
    "ten_tarokker_in_a_hand": Measure(
        "danish",
        _in_all(lambda h: h.tarokker()[:, FOREHAND] >= 10),
        lambda: exact.at_least(10, exact.TAROKKER, exact.DANISH[FOREHAND]),
    ),
    "ten_tarokker_in_some_hand": Measure(
        "danish",
        _in_all(lambda h: h.tarokker().max(axis=1) >= 10),
        lambda: exact.spread(exact.TAROKKER, exact.DANISH, lambda counts: max(counts) >= 10),
    ),
    "three_matadors_in_some_hand": Measure(
        "danish", _in_all(lambda h: (h.trumps & BOUTS == BOUTS).any(axis=1)), exact.matadors
    ),
    "four_kings_in_a_hand": Measure(
        "danish",
        _in_all(lambda h: h.suits[:, FOREHAND] & FAMILY_WORDS[4] == FAMILY_WORDS[4]),
        lambda: exact.at_least(4, 4, exact.DANISH[FOREHAND]),
    ),
    "declares": Measure("danish", _in_all(lambda h: _declares(h)[:, FOREHAND]), exact.declares),
    "skus_told": Measure("danish", _in_all(_skus_told), exact.skus_told),
    "normal_hand": Measure("danish", _in_all(_kind), lambda: exact.kind(7, 6, 4, 4, 4)),
    "whip": Measure("danish", _in_all(_whip), exact.whip),
    "six_drives_four": Measure(
        "danish",
        _six_drives_four,
        lambda: exact.others_have(6, (25, 25), lambda counts: max(counts) <= exact.WHIP),
    ),
    "five_is_whip_elsewhere": Measure("danish", _longest_of_others(5, DEALER), _whip_elsewhere(5, (25, 25))),
    "six_is_whip_elsewhere": Measure("danish", _longest_of_others(6, DEALER), _whip_elsewhere(6, (25, 25))),
    "four_is_whip_elsewhere": Measure(
        "danish", _longest_of_others(4, FOREHAND), _whip_elsewhere(4, (25, 28))
    ),
    "single_is_long_elsewhere": Measure(
        "danish",
        _single_is_long_elsewhere,
        lambda: exact.others_have(1, (25, 28), lambda counts: min(counts) >= 4),
    ),
    "declared_suit_is_whip": Measure("danish", _declared_suit, exact.declared_suit_is_whip),
    "petit_sec_3": Measure("french3", _in_all(_petit_sec), lambda: exact.petit_sec(3)),
    "petit_sec_4": Measure("french4", _in_all(_petit_sec), lambda: exact.petit_sec(4)),
    "petit_sec_5": Measure("french5", _in_all(_petit_sec), lambda: exact.petit_sec(5)),
    "two_poignees_4": Measure("french4", _in_all(_two_poignees(4)), lambda: exact.two_poignees(4)),
    "two_poignees_5": Measure("french5", _in_all(_two_poignees(5)), lambda: exact.two_poignees(5)),
    "twelve_courts": Measure(
        "french5",
        _in_all(lambda h: (h.suits[:, :-1] & TWELVE == TWELVE).any(axis=1)),
        exact.twelve_courts,
    ),
}


def sizes_of(layout: Layout) -> tuple[int, ...]:
    """How many cards each hand has; the last of a French deal is the chien."""
    return exact.DANISH if layout == "danish" else exact.FRENCH[int(layout[-1])]


def count(sizes: tuple[int, ...], *, seed: int, first: int, deals: int) -> dict[str, Share]:
    """What is seen in deals number `first` … of a seed, for every measure of the layout."""
    hands = Hands(dealt(sizes, seed=seed, first=first, deals=deals))
    found = {}
    for name, measure in MEASURES.items():
        if sizes_of(measure.layout) == sizes:
            happened, could = measure.seen(hands)
            found[name] = Share(int(happened.sum()), int(could.sum()))
    return found


def dealt(sizes: tuple[int, ...], *, seed: int, first: int, deals: int) -> Ints:
    """The hands of shuffled packs, two words each: suits and trumps."""
    out = np.zeros((deals, 2 * len(sizes)), np.int64)
    ends = np.cumsum(np.array(sizes, np.int64))
    fill(ends, starts(seed, first), np.zeros(1, np.uint64), np.zeros(PACK_SIZE, np.int64), out)
    return out


@tight
def fill(ends: Ints, words: Words, dice: Words, pack: Ints, out: Ints) -> None:
    """Shuffle a pack for each row and give out the cards."""
    for row in range(len(out)):
        dice[0] = next_word(words)
        for place in range(len(pack)):
            pack[place] = place
        shuffle(dice, pack)
        hand = 0
        for place in range(len(pack)):
            if place == ends[hand]:
                hand += 1
            card = pack[place]
            if card < FIRST_TRUMP:
                out[row, 2 * hand] |= 1 << card
            else:
                out[row, 2 * hand + 1] |= 1 << (card - FIRST_TRUMP)
