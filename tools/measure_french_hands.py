"""Measure what the French lessons of the school say about hands: club players play them, with forced bids.

    python tools/measure_french_hands.py counts --deals 1000000
    python tools/measure_french_hands.py played --deals 1000000
    python tools/measure_french_hands.py hand "T21 T19 …" --bid garde
    python tools/measure_french_hands.py hand "T21 T17 …" --chien "T10 …" --lay "HQ …"
    python tools/measure_french_hands.py hand "T21 T19 …" --rules french5 --call SK --deals 4000

`counts`: the first to speak takes, whatever the hand, and the others pass; told by the school's count of the
hand. `played`: all bid as they like. `hand`: the first to speak has this hand, the rest is dealt at random.
"""

from __future__ import annotations

from argparse import ArgumentParser, Namespace
from collections import defaultdict
from collections.abc import Iterable, Iterator
from math import sqrt
from random import Random

import numpy as np

from ultimo.cards import ALL_CARDS, Cards, cards, indices, mask
from ultimo.french.reckoning import DEFENCE, TAKER, has_won
from ultimo.kernel.dice import SHUFFLE, generator
from ultimo.kernel.french import layout as at
from ultimo.kernel.french.deal import act, array_of, begin, blank, deal
from ultimo.kernel.french.memory import remember
from ultimo.kernel.french.policy.choose import choose
from ultimo.kernel.french.run import by_seat, play_out
from ultimo.kernel.jit import Ints
from ultimo.kernel.policy import CLUB
from ultimo.kernel.sets import cards_in
from ultimo.play.following import words
from ultimo.rulebook import FrenchRules, load
from ultimo.tutor.school.sums import worked_out

NO_DICE = np.zeros(1, np.uint64)
BIDS = ("petite", "garde", "sans", "contre")
STEP = 2  # counts told together
POIGNEE = 10  # trumps of a single one


class Table:
    """Club players under a rulebook, and the deal before them."""

    def __init__(self, rules: FrenchRules) -> None:
        self.rules, self.n, self.s = rules, array_of(rules), blank()
        self.club, self.pack = by_seat([CLUB]), np.zeros(SHUFFLE, np.int64)

    def shuffle(self, seed: int, number: int) -> bool:
        """Deal a numbered deal; whether it can be bid on."""
        deal(self.n, self.s, number % self.rules.players, self.pack, generator(seed, number))
        return bool(self.s[at.PHASE] == at.BIDDING)

    def lay_out(self, hands: Iterable[Cards], chien: Cards) -> bool:
        """Deal these hands, the first of them to the first to speak."""
        self.s = blank()
        for seat, hand in enumerate(hands):
            self.s[at.SUITS + seat], self.s[at.TRUMPS + seat] = words(hand)
        self.s[at.CHIEN_SUITS], self.s[at.CHIEN_TRUMPS] = words(chien)
        begin(self.n, self.s, self.rules.players - 1)
        return bool(self.s[at.PHASE] == at.BIDDING)

    def take(self, bid: int) -> None:
        """Let the first to speak take, and the others pass."""
        self.do(at.BID + bid)
        while self.s[at.PHASE] == at.BIDDING:
            self.do(at.PASS)

    def do(self, action: int) -> None:
        """Let the seat in turn act."""
        remember(self.n, self.s, action)
        act(self.n, self.s, action)

    def finish(self) -> Ints:
        """Let club players play to the end."""
        play_out(self.n, self.s, self.club, NO_DICE)
        return self.s

    @property
    def won(self) -> bool:
        """Whether the taker's side has won."""
        return bool(has_won(self.n, self.s[at.HALF_POINTS], self.s[at.BOUTS]))


def counts(asked: Namespace) -> Iterator[str]:
    """Forced bids by the count of the hand."""
    table = Table(_french("french4"))
    found: dict[tuple[int, int], list[tuple[bool, int]]] = defaultdict(list)
    for number in range(asked.deals):
        for bid in (BIDS.index("garde"), BIDS.index("sans"), BIDS.index("contre")):
            if not table.shuffle(asked.seed, number):
                break
            seat = table.s[at.TURN]
            hand = cards(cards_in(table.s[at.SUITS + seat], table.s[at.TRUMPS + seat]))
            count = worked_out("handCount " + " ".join(card.value for card in hand))
            table.take(bid)
            table.finish()
            found[count // STEP * STEP, bid].append((table.won, int(table.s[at.VALUE])))
    for (count, bid), results in sorted(found.items()):
        yield f"{count}–{count + STEP - 1} {BIDS[bid]}: {_told(results)}"


def played(asked: Namespace) -> Iterator[str]:
    """What happens where all bid as they like."""
    table = Table(_french("french4"))
    found: dict[str, list[bool]] = defaultdict(list)
    for number in range(asked.deals):
        found["played"].append(table.shuffle(asked.seed, number))
        s = table.finish()
        if s[at.RESULT] != at.PLAYED:
            found["played"][-1] = False
            continue
        taker, dealt = s[at.TAKER], s[at.DEALT_TRUMPS : at.DEALT_TRUMPS + 4]
        found[f"bid {BIDS[s[at.CONTRACT]]}"].append(table.won)
        found["petit au bout, taker"].append(s[at.PETIT_SIDE] == TAKER)
        found["petit au bout, defence"].append(s[at.PETIT_SIDE] == DEFENCE)
        if s[at.SHOWN_SIZE + taker] >= POIGNEE:
            found["won by a taker with a poignée"].append(table.won)
        if any(int(trumps).bit_count() >= POIGNEE for seat, trumps in enumerate(dealt) if seat != taker):
            found["won by the defence with ten trumps in a hand"].append(not table.won)
    for what, results in found.items():
        yield f"{what}: {np.mean(results):.4f} of {len(results)}"


def hand(asked: Namespace) -> Iterator[str]:
    """One hand, with a chien and what is laid or called, if they are given."""
    rules = _french(asked.rules)
    table, rng = Table(rules), Random(asked.seed)
    results: list[tuple[bool, int]] = []
    own, chien = mask(asked.hand), mask(asked.chien)
    rest = list(indices(ALL_CARDS & ~own & ~chien))
    for _ in range(asked.deals):
        rng.shuffle(rest)
        start = 0 if chien else rules.deal.chien
        others = (
            sum(1 << card for card in rest[first : first + rules.deal.hand])
            for first in range(start, len(rest), rules.deal.hand)
        )
        if table.lay_out((own, *others), chien or sum(1 << card for card in rest[:start])):
            table.take(BIDS.index(asked.bid))
            if table.s[at.PHASE] == at.CALLING:
                table.do(mask(asked.call).bit_length() - 1 if asked.call else _choice(table))
            for card in indices(mask(asked.lay)):
                table.do(card)
            table.finish()
            results.append((table.won, int(table.s[at.VALUE])))
    yield _told(results)


def _choice(table: Table) -> int:
    return int(choose(CLUB, table.n, table.s, NO_DICE))


def _told(results: list[tuple[bool, int]]) -> str:
    won, values = zip(*results, strict=True)
    error = np.std(values) / sqrt(len(values))
    return f"won {np.mean(won):.3f}, each defender pays {np.mean(values):.1f} ± {error:.1f}, deals {len(won)}"


def _french(book: str) -> FrenchRules:
    rules = load(book)
    assert isinstance(rules, FrenchRules), book
    return rules


def main() -> None:
    """Measure what is asked for, and print it."""
    parser = ArgumentParser(description=__doc__)
    kinds = parser.add_subparsers(required=True)
    for measure, deals, seed in ((counts, 100_000, 7), (played, 100_000, 7), (hand, 3000, 1)):
        kind = kinds.add_parser(measure.__name__)
        kind.set_defaults(measure=measure)
        kind.add_argument("--deals", type=int, default=deals)
        kind.add_argument("--seed", type=int, default=seed)
    kind.add_argument("hand")
    kind.add_argument("--rules", default="french4")
    kind.add_argument("--bid", choices=BIDS, default="garde")
    for option in ("--chien", "--lay", "--call"):
        kind.add_argument(option, default="")
    asked = parser.parse_args()
    for line in asked.measure(asked):
        print(line)


if __name__ == "__main__":
    main()
