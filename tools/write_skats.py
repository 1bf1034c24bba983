"""Lay Hermansen's hands as the players do, play them out, and write docs/skats.md."""

from __future__ import annotations

import json
import os
from argparse import ArgumentParser
from collections.abc import Iterator, Sequence
from concurrent.futures import ProcessPoolExecutor
from functools import partial
from math import sqrt
from multiprocessing import get_context
from pathlib import Path
from random import Random
from typing import Any

import numpy as np
import numpy.typing as npt
from msgspec import Struct

from ultimo import danish, deal, players
from ultimo.cards import ALL_CARDS, SUIT_CARDS, SUITS_WORD, Card, Cards, cards, indices, mask
from ultimo.cli.progress import progress
from ultimo.danish.skat import legal_skats
from ultimo.events import Accept, Deal, Lay
from ultimo.kernel.danish import layout as at
from ultimo.kernel.danish.deal import array_of, begin, take_up
from ultimo.kernel.danish.past import play_candidates
from ultimo.kernel.danish.policy.skat_search import candidates, skat_of
from ultimo.kernel.dice import generator
from ultimo.kernel.jit import Ints
from ultimo.kernel.policy import CLUB
from ultimo.play.following import FIRST_TRUMP
from ultimo.rulebook import DanishRules, load

ROOT = Path(__file__).parents[1]
PAGE = ROOT / "docs" / "skats.md"
EXAMPLES = ROOT / "tests" / "data" / "skat-examples.json"
PLAYOUTS, SEED, SAMPLES = 10_000, 2026, 200
CUP = 60
SURE = 1.96
LEVELS = ("student", "expert", "master")  # who lays beside the club

HEAD = """# Hermansen's hands

The 24 dealer hands of the book of 1943 ([rules.md](rules.md), F8): what he lays, what our players lay and
why (F1), and what it came to. Written by

```
python tools/write_skats.py --playouts {playouts} --seed {seed} --samples {samples}
```

Each skat was played out {playouts:,} times by club players in all seats, under the rules of `hermansen` with
{cup} points in each cup. The other 50 cards were dealt at random, the same way for each skat of a hand.
*Points* are what the dealer gained on average from the deal, declarations and ante included; the others'
are given as the difference to the club's skat, with 95 % intervals. They say what a skat is worth *among
players who play on like our club player*, not what it is worth among the best.

Of the {decidable} hands of which the book's skat can be read,
the club player lays {club} as the book does, {others}.
Where the print leaves a card open, any skat that fits it counts as the book's. Three hands are left out of
the count (*open*): print and text contradict each other, or a card is missing.

In the hands the cards that the book lays are bold, and the club's are in brackets.

| hand | cards | book | club | why | points | book's |{heads}
|---|---|---|---|---|--:|--:|{lines}
"""

DIFFER = """
## Where they differ

The *runner-up* is the best of the other skats by the club's own judgement that leaves another shape.

"""

REASONS = {
    "F1.4": "lays towards the normal hand, 7 tarokker with suits of 6, 4, 4 and 4",
    "F1.6": "shortens a suit that it cannot play to the bottom",
    "F1.7": "keeps a whip that it can drive, or many tarokker, and shortens side suits",
    "F1.9": "lays all its tarokker, to be ready for nolo",
    "F1.11": "keeps the whip without the king",
    "F1.12": "lays from one suit only",
    "F1.13": "keeps four of every suit, since the tarokker are the whip",
    "F1.14": "lays courts whose lower neighbours do the same work",
    "F1.15": "lays high cards of its long suits, to be ready for nolo",
    "F1.16": "keeps king and queen together, and whips with another suit",
}


class Laid(Struct, frozen=True):
    """What was laid from a hand of the book, and what came of it, each beside the club's."""

    name: str
    decidable: bool
    hand: Cards
    book: Cards  # the club's, if it is among those that fit the print
    as_book: bool
    club: Cards
    why: str
    others: dict[str, Cards]  # by level
    fitting: tuple[Cards, ...]  # that may be the book's
    runner_up: Cards
    points: npt.NDArray[np.float64]  # a row a deal: the club's skat, the book's, the runner-up's, the others'


# --- playing out -----------------------------------------------------------------------------------------


def worlds(n: Ints, hand: Cards, number: int, seed: int) -> Ints:
    """Deals in which the dealer has these 28 cards and the rest is as it may be; he is about to lay."""
    rng = np.random.default_rng(seed)
    states, paper = np.zeros((number, at.LENGTH), np.int64), np.zeros(at.PAPER, np.int64)
    rest = list(indices(ALL_CARDS & ~hand))
    for s in states:
        while s[at.PHASE] != at.LAYING:  # nobody asks for other cards
            s[:] = 0
            begin(n, s, paper, 3, CUP, CUP)
            order = rng.permutation(len(rest))
            forehand = sum(1 << rest[at] for at in order[:25])
            for place, held in enumerate((forehand, ALL_CARDS & ~hand & ~forehand, hand)):
                s[at.SUITS + place], s[at.TRUMPS + place] = held & SUITS_WORD, held >> FIRST_TRUMP
            take_up(n, s)
    return states


def played_out(
    rules: DanishRules, hand: Cards, skats: Sequence[Cards], number: int, seed: int
) -> npt.NDArray[np.float64]:
    """What the dealer gains by each skat, a row a deal, when all go on as club players do."""
    n = array_of(rules)
    states = worlds(n, hand, number, seed)
    ends = np.zeros((number, len(skats), at.LENGTH), np.int64)
    play_candidates(
        n,
        states,
        np.array([list(indices(skat)) for skat in skats], np.int64),
        np.ones(len(skats), np.int64),
        np.full(3, CLUB, np.int64),
        np.arange(number, dtype=np.uint64),
        np.zeros(at.PAPER, np.int64),
        generator(seed, 0),
        ends,
    )
    dealer = at.NET + 2
    return (ends[:, :, dealer] - states[:, None, dealer]).astype(np.float64)


# --- laying ----------------------------------------------------------------------------------------------


def skat_by(level: str, rules: DanishRules, hand: Cards, seed: int, samples: int) -> Cards:
    """The skat of a player of some level, seated as the dealer with these cards."""
    match = players.Match(
        rules, ("A", "B", "C"), {seat: players.create("random", 0) for seat in range(3)}, Random(seed)
    )
    match.next_deal()
    state = match.state.deal
    assert isinstance(state, danish.State)
    forehand, middle, seat = state.order
    rest = cards(ALL_CARDS & ~hand)
    hands = {forehand: rest[::2], middle: rest[1::2], seat: cards(hand)}
    match.act(None, Deal(tuple(hands[at] for at in range(3))))
    while isinstance(state := match.state.deal, danish.State) and state.phase == "handCheck":
        match.act(deal.waiting_for(rules, state)[0], Accept())
    view = match.view(seat)
    player = players.create(level, seed, samples=samples)
    action = player.choose(view, deal.legal(rules, view.deal, seat))
    assert isinstance(action, Lay)
    return mask(action.cards)


def shape(hand: Cards) -> tuple[int, ...]:
    """How many cards of each suit there are."""
    return tuple((hand & suit).bit_count() for suit in SUIT_CARDS)


def lay(example: dict[str, Any], playouts: int, seed: int, samples: int) -> Laid:
    """Lay from a hand of the book, and play it out."""
    rules = load("hermansen")
    assert isinstance(rules, DanishRules)
    hand = mask(" ".join(example["hand"]))
    fitting = [mask(" ".join(skat)) for skat in example["laid_alternatives"]]
    club, why = skat_of(rules, hand)
    book = club if club in fitting else mask(" ".join(example["laid"]))
    others = {level: skat_by(level, rules, hand, seed, samples) for level in LEVELS}
    every = sum(len(way) for way in legal_skats(rules, hand))
    runner_up = next(
        (skat for skat, _, _ in candidates(rules, hand, every) if shape(skat) != shape(club)), club
    )
    skats = [club, book, runner_up, *others.values()]
    return Laid(
        name=example["id"].removeprefix("skat-"),
        decidable=example["confidence"] != "ambiguous",
        hand=hand,
        book=book,
        as_book=club in fitting,
        club=club,
        why=why,
        others=others,
        fitting=tuple(fitting),
        runner_up=runner_up,
        points=played_out(rules, hand, skats, playouts, seed),
    )


# --- the page --------------------------------------------------------------------------------------------


def mean(points: npt.NDArray[np.float64]) -> str:
    """A mean with its 95 % interval."""
    return f"{points.mean():.1f} ± {error(points):.1f}"


def error(points: npt.NDArray[np.float64]) -> float:
    """Half the 95 % interval of a mean."""
    return float(SURE * points.std(ddof=1) / sqrt(len(points)))


def difference(laid: Laid, column: int) -> str:
    """How much more a skat brings than the club's."""
    more = laid.points[:, column] - laid.points[:, 0]
    return f"{more.mean():+.1f} ± {error(more):.1f}"


def names(some: Cards) -> str:
    """Cards in notation."""
    return " ".join(card.value for card in cards(some))


def height(card: Card) -> int:
    """The order of cards in a hand: from the top, in red suits the pips 1 to 10."""
    rank = card.index % 14
    if card.suit == 4:
        return -card.index if card.value != "T0" else 0
    return rank - 9 if card.suit % 2 and rank < 10 else -rank


def shown(laid: Laid) -> str:
    """A hand, suit by suit, with what was laid."""
    suits = []
    for suit in (*SUIT_CARDS[:4], ALL_CARDS & ~SUITS_WORD):
        words = []
        for card in sorted(cards(laid.hand & suit), key=height):
            word = card.value[1:]
            word = f"**{word}**" if card.bit & laid.book else word
            words.append(f"[{word}]" if card.bit & laid.club else word)
        letter = "T" if suit >> FIRST_TRUMP else cards(suit)[0].value[0]
        if words:
            suits.append(f"{letter} {' '.join(words)}")
    return " · ".join(suits[-1:] + suits[:-1])


def page(every: Sequence[Laid], playouts: int, seed: int, samples: int) -> Iterator[str]:
    """The text of the page."""
    counted = [laid for laid in every if laid.decidable]
    as_book = {level: sum(laid.others[level] in laid.fitting for laid in counted) for level in LEVELS}
    yield HEAD.format(
        playouts=playouts,
        seed=seed,
        samples=samples,
        cup=CUP,
        decidable=len(counted),
        club=sum(laid.as_book for laid in counted),
        others=", ".join(f"the {level} {number}" for level, number in as_book.items()),
        heads="".join(f" {level} | {level}'s |" for level in LEVELS),
        lines="---|--:|" * len(LEVELS),
    )
    for laid in every:
        yield row(laid)
    yield DIFFER
    for laid in every:
        if not laid.as_book or set(laid.others.values()) != {laid.club}:
            yield f"* {sentence(laid)}\n"


def row(laid: Laid) -> str:
    """A line of the table."""
    name = laid.name if laid.decidable else f"{laid.name} (open)"
    same = "the same" if laid.as_book else difference(laid, 1)
    club = "as the book" if laid.as_book else names(laid.club)
    cells = [name, shown(laid), names(laid.book), club, laid.why, mean(laid.points[:, 0]), same]
    for column, skat in enumerate(laid.others.values(), 3):
        cells += ["as the club", "the same"] if skat == laid.club else [names(skat), difference(laid, column)]
    return f"| {' | '.join(cells)} |\n"


def sentence(laid: Laid) -> str:
    """What to say of a hand that is not laid as the book lays it."""
    said = [f"**{laid.name}**: the club {REASONS[laid.why]} ({laid.why})"]
    if not laid.as_book:
        said.append(f"the book's {names(laid.book)} {verdict(laid, 1)}")
    if laid.runner_up != laid.club:
        said.append(f"the runner-up {names(laid.runner_up)} {verdict(laid, 2)}")
    for column, (level, skat) in enumerate(laid.others.items(), 3):
        if skat not in (laid.club, laid.book):
            said.append(f"the {level}'s {names(skat)} {verdict(laid, column)}")
    return "; ".join(said) + "."


def verdict(laid: Laid, column: int) -> str:
    """Which of two skats the play-outs prefer."""
    more = laid.points[:, column] - laid.points[:, 0]
    if abs(more.mean()) <= error(more):
        return f"is worth as much, as far as can be told ({difference(laid, column)})"
    better = "more" if more.mean() > 0 else "less"
    return f"brings {better} ({difference(laid, column)})"


def main() -> None:
    """Lay, play out and write."""
    parser = ArgumentParser(description=__doc__)
    parser.add_argument("--playouts", type=int, default=PLAYOUTS)
    parser.add_argument("--seed", type=int, default=SEED)
    parser.add_argument(
        "--samples", type=int, default=SAMPLES, help="worlds of each decision of expert and master"
    )
    given = parser.parse_args()
    hands = json.loads(EXAMPLES.read_text(encoding="utf-8"))["hands"]
    task = partial(lay, playouts=given.playouts, seed=given.seed, samples=given.samples)
    with progress(len(hands), "hands") as advance:
        every = [task(hands[0])]  # what has to be compiled is compiled once
        with ProcessPoolExecutor(len(os.sched_getaffinity(0)), get_context("spawn")) as pool:
            for laid in pool.map(task, hands[1:]):
                every.append(laid)
                advance(1)
    PAGE.write_text("".join(page(every, given.playouts, given.seed, given.samples)), encoding="utf-8")


if __name__ == "__main__":
    main()
