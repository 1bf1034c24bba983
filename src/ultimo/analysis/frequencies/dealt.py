"""What the cards alone decide, counted in many shuffled packs: the check of the exact probabilities.

A measure looks at the hands of many deals at once, two words a hand, and says in which of them it was to be
seen and in which of those it happened. Deals are numbered; any part of a run can be done anywhere.

>>> found = count(sizes_of("danish"), seed=7, first=0, deals=1000)
>>> found["ten_tarokker_in_a_hand"].of
1000
"""

from __future__ import annotations

from collections.abc import Callable
from functools import partial
from typing import Literal, NamedTuple, TypeAlias, get_args

import numpy as np
import numpy.typing as npt

from ultimo.analysis.frequencies import exact
from ultimo.analysis.statistics import Share
from ultimo.danish.declarations import FAMILY_WORDS
from ultimo.kernel.dice import SHUFFLE, next_word, shuffle, starts
from ultimo.kernel.jit import Ints, Words, tight
from ultimo.play.following import FIRST_TRUMP, PACK_SIZE, SKUS_BIT, SUIT_BITS

Layout: TypeAlias = Literal["danish", "french3", "french4", "french5"]
Flags: TypeAlias = npt.NDArray[np.bool_]
Seen: TypeAlias = tuple[Flags, Flags]  # in which deals it happened, and in which it could
Holds: TypeAlias = Callable[[Ints], Flags]  # in which of many rows of counts, a hand each, it is so

LAYOUTS: tuple[Layout, ...] = get_args(Layout)
FRENCH: dict[int, Layout] = {3: "french3", 4: "french4", 5: "french5"}
FOREHAND, DEALER = 0, 2  # their places
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

    def lengths(self, suit: int) -> Ints:
        """How many cards of a suit each hand has."""
        return _counted(self.suits >> (14 * suit) & SUIT_BITS)

    def family(self) -> Ints:
        """The most courts of a suit, or kings, in each hand."""
        held: Ints = np.maximum.reduce([_counted(self.suits & word) for word in FAMILY_WORDS])
        return held


def _counted(words: Ints) -> Ints:
    return np.bitwise_count(words).astype(np.int64)


def sizes_of(layout: Layout) -> tuple[int, ...]:
    """How many cards each hand has; the last of a French deal is the chien."""
    return exact.DANISH if layout == "danish" else exact.FRENCH[int(layout[-1])]


class Measure(NamedTuple):
    """Something the cards decide: where it is seen, how it is counted, and its probability."""

    layout: Layout
    seen: Callable[[Hands], Seen]
    exact: Callable[[], float]


def _always(layout: Layout, happened: Callable[[Hands], Flags], exact: Callable[[], float]) -> Measure:
    """What any deal may show."""
    return Measure(layout, lambda h: (happened(h), h.all), exact)


def _lie(layout: Layout, of: int, counted: Callable[[Hands], Ints], holds: Holds) -> Measure:
    """Whether `of` cards of a kind lie in a certain way, by how many of them each hand has."""
    exactly = partial(exact.spread, of, sizes_of(layout), holds)
    return _always(layout, lambda h: holds(counted(h)), exactly)


def _rest(own: int, hand: int, holds: Holds) -> Measure:
    """In a suit of which a hand has just so many, whether the rest lies in a certain way with the others."""

    def seen(h: Hands) -> Seen:
        lengths = h.lengths(SPADES)  # one suit is as good as another, and deals stay independent
        there = lengths[:, hand] == own
        return there & holds(np.delete(lengths, hand, axis=1)), there

    others = [size for place, size in enumerate(exact.DANISH) if place != hand]
    return Measure("danish", seen, partial(exact.spread, exact.SUIT - own, others, holds))


def _declares(h: Hands) -> Flags:
    skus, family, trumps = h.trumps & SKUS_BIT != 0, h.family(), h.trumps
    matadors = trumps & BOUTS == BOUTS
    found: Flags = (h.tarokker() >= 10) | matadors | (family == 4) | (skus & (family == 3))
    return found[:, FOREHAND]


def _skus_told(h: Hands) -> Flags:
    told = (h.family() >= 3) | (h.trumps & BOTH_ENDS == BOTH_ENDS)
    found: Flags = ((h.trumps & SKUS_BIT != 0) & told).any(axis=1)
    return found


def _declared_suit(h: Hands) -> Seen:
    courts = _counted(h.suits[:, FOREHAND] & FAMILY_WORDS[SPADES])
    skus = h.trumps[:, FOREHAND] & SKUS_BIT != 0
    there = (courts == 4) | (skus & (courts == 3))
    return there & (h.lengths(SPADES)[:, FOREHAND] >= exact.WHIP), there


def _suits_of_forehand(h: Hands) -> Ints:
    """The lengths of forehand's suits, the shortest first."""
    return np.sort(np.stack([h.lengths(suit)[:, FOREHAND] for suit in range(4)], axis=1), axis=1)


def _petit_sec(players: Literal[3, 4, 5]) -> Measure:
    return _always(
        FRENCH[players], lambda h: (h.trumps[:, :-1] == 1).any(axis=1), partial(exact.petit_sec, players)
    )


def _two_poignees(players: Literal[4, 5]) -> Measure:
    least = exact.POIGNEE[players]
    return _lie(
        FRENCH[players], exact.TAROKKER, Hands.tarokker, lambda n: (n[:, :-1] >= least).sum(axis=1) >= 2
    )


def _whip_elsewhere(own: int, hand: int) -> Measure:
    return _rest(own, hand, lambda n: n.max(axis=1) >= exact.WHIP)


# The number of cards that each hand has is `n`: a row a deal, a column a hand.
MEASURES: dict[str, Measure] = {
    "tarokker_8_7_7": _lie(
        "danish", exact.TAROKKER, Hands.tarokker, lambda n: (np.sort(n, axis=1) == (7, 7, 8)).all(axis=1)
    ),
    "no_tarok_in_some_hand": _lie(
        "danish", exact.TAROKKER - 1, lambda h: _counted(h.trumps & ~SKUS_BIT), lambda n: n.min(axis=1) == 0
    ),
    "ten_tarokker_in_a_hand": _lie("danish", exact.TAROKKER, Hands.tarokker, lambda n: n[:, FOREHAND] >= 10),
    "ten_tarokker_in_some_hand": _lie(
        "danish", exact.TAROKKER, Hands.tarokker, lambda n: n.max(axis=1) >= 10
    ),
    "three_matadors_in_some_hand": _lie(
        "danish", 3, lambda h: _counted(h.trumps & BOUTS), lambda n: n.max(axis=1) == 3
    ),
    "four_kings_in_a_hand": _lie(
        "danish", 4, lambda h: _counted(h.suits & FAMILY_WORDS[4]), lambda n: n[:, FOREHAND] == 4
    ),
    "declares": _always("danish", _declares, exact.declares),
    "skus_told": _always("danish", _skus_told, exact.skus_told),
    "normal_hand": _always(
        "danish",
        lambda h: (_suits_of_forehand(h) == (4, 4, 4, 6)).all(axis=1),
        lambda: exact.kind(7, 6, 4, 4, 4),
    ),
    "whip": _always("danish", lambda h: _suits_of_forehand(h)[:, -1] >= exact.WHIP, exact.whip),
    "six_drives_four": _rest(exact.WHIP, DEALER, lambda n: n.max(axis=1) <= exact.WHIP),
    "five_is_whip_elsewhere": _whip_elsewhere(5, DEALER),
    "six_is_whip_elsewhere": _whip_elsewhere(6, DEALER),
    "four_is_whip_elsewhere": _whip_elsewhere(4, FOREHAND),
    "single_is_long_elsewhere": _rest(1, FOREHAND, lambda n: n.min(axis=1) >= 4),
    "declared_suit_is_whip": Measure("danish", _declared_suit, exact.declared_suit_is_whip),
    "petit_sec_3": _petit_sec(3),
    "petit_sec_4": _petit_sec(4),
    "petit_sec_5": _petit_sec(5),
    "two_poignees_4": _two_poignees(4),
    "two_poignees_5": _two_poignees(5),
    "twelve_courts": _lie(
        "french5", 12, lambda h: _counted(h.suits & TWELVE), lambda n: n[:, :-1].max(axis=1) == 12
    ),
}


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
    fill(ends, starts(seed, first), np.zeros(1, np.uint64), np.zeros(SHUFFLE, np.int64), out)
    return out


@tight
def fill(ends: Ints, words: Words, dice: Words, pack: Ints, out: Ints) -> None:
    """Shuffle a pack for each row and give out the cards."""
    for row in range(len(out)):
        dice[0] = next_word(words)
        shuffle(dice, pack)
        hand = 0
        for place in range(PACK_SIZE):
            if place == ends[hand]:
                hand += 1
            card = pack[place]
            if card < FIRST_TRUMP:
                out[row, 2 * hand] |= 1 << card
            else:
                out[row, 2 * hand + 1] |= 1 << (card - FIRST_TRUMP)
