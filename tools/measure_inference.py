"""How well likely worlds tell where hidden cards lie: log loss and calibration, beside worlds at random.

`python tools/measure_inference.py --rules hermansen --deals 60` looks at decisions of deals among club
players (`--level`). For each card that a seat has not located, the loss is minus the logarithm of the share
of worlds in which it lies where it does; half a world is added everywhere, so that no share is nothing. A bin
of the calibration says how often cards lay where that share of worlds has them. Written to `--out` as JSON.

`--beliefs 20000` measures what the tutor tells instead: of so many key cards that are said to lie somewhere
probably, in deals of beginners, clubs and students by all rulebooks, how many lay there.
"""

from __future__ import annotations

import argparse
import json
import sys
from collections.abc import Iterator
from itertools import pairwise
from pathlib import Path
from random import Random
from typing import Any

import numpy as np
from msgspec.structs import replace

from ultimo import danish, rulebook
from ultimo.cards import ALL_TRUMPS
from ultimo.kernel.dice import generator
from ultimo.players import Match, create
from ultimo.players.expert.expert import likely_worlds
from ultimo.players.expert.inference import CAUTIOUS, SHARP, Method, places_of
from ultimo.tutor import beliefs as located
from ultimo.tutor.advising import decided_by_cards
from ultimo.tutor.decisions import Decision, deals, decisions
from ultimo.tutor.facts import LIKELY
from ultimo.tutor.judging import SAMPLES

SHARE = 0.12  # of the decisions
LEVELS = ("beginner", "club", "student")
TRICKS = ((1, 4), (5, 8), (9, 12), (13, 16), (17, 25))
BINS = (0.0, 0.05, 0.15, 0.3, 0.5, 0.7, 0.85, 0.95, 1.0)
METHODS = {"at random": Method((0.0, 0.0, 0.0)), "cautious": CAUTIOUS, "sharp": SHARP}


def moments(book: str, level: str, number: int, **options: Any) -> Iterator[Decision]:
    """Some decisions about cards in deals of one level."""
    rules = rulebook.load(book)
    names = [str(seat) for seat in range(rules.sizes[0])]
    for deal in range(number):
        rng = Random(f"inference {deal}")
        players = {seat: create(level, f"{deal} {seat}", **options) for seat in range(len(names))}
        match = Match(rules, names, players, rng)
        list(match.play_deals(1))
        for events in deals(match.log):
            for one in decisions(rules, events):
                about_cards = one.view.deal.phase == "play" and decided_by_cards(one.view, one.choices)
                if about_cards and rng.random() < SHARE:
                    yield one


def losses(one: Decision, method: Method, worlds: int, seed: int) -> Iterator[tuple[int, float, bool]]:
    """For each hidden card and row: the card, what share of worlds has it there, and whether it is there."""
    drawn = likely_worlds(one.view, one.choices, worlds, generator(seed, 0), method)
    places = places_of(drawn)
    aside = one.truth.skat if isinstance(one.truth, danish.State) else one.truth.ecart or one.truth.chien
    truth = (*one.truth.hands, aside)
    smooth = (places * worlds + 0.5) / (worlds + 0.5 * len(truth))
    located = _located(one, worlds)
    for card in range(78):
        if not located >> card & 1 and any(row >> card & 1 for row in truth):
            for row, cards in enumerate(truth):
                yield card, float(smooth[card, row]), bool(cards >> card & 1)


def _located(one: Decision, worlds: int) -> int:
    """The cards that lie in the same place in all worlds at random."""
    drawn = likely_worlds(one.view, one.choices, worlds, generator(1, 1), METHODS["at random"])
    return sum(1 << card for card, row in enumerate(places_of(drawn)) if row.max() > 0.999)


def told(rows: list[tuple[int, int, float, bool]]) -> dict[str, Any]:
    """Log loss by part of the deal, of all cards and of trumps, and calibration."""

    def mean(some: Iterator[float]) -> float | None:
        found = list(some)
        return round(float(np.mean(found)), 4) if found else None

    parts = (*TRICKS, (1, 25))
    lain = [(trick, card, -float(np.log(share))) for trick, card, share, lies in rows if lies]
    found: dict[str, Any] = {"loss": {}, "trumps": {}, "calibration": []}
    for first, last in parts:
        part = [(card, loss) for trick, card, loss in lain if first <= trick <= last]
        found["loss"][f"{first}–{last}"] = mean(loss for _, loss in part)
        found["trumps"][f"{first}–{last}"] = mean(loss for card, loss in part if ALL_TRUMPS >> card & 1)
    for low, high in pairwise(BINS):
        some = [(share, lies) for _, _, share, lies in rows if low <= share < high]
        if len(some) >= 100:
            found["calibration"].append(
                [mean(share for share, _ in some), mean(float(lies) for _, lies in some), len(some)]
            )
    return found


def beliefs(number: int, seed: str) -> Iterator[tuple[float, bool]]:
    """What the tutor would tell of a key card, with its chance, and whether it was so."""
    books, deal = rulebook.ids(), 0
    while number > 0:
        rng, rules = Random(f"beliefs {seed} {deal}"), rulebook.load(books[deal % len(books)])
        deal += 1
        seats = range(rules.sizes[0])
        players = {seat: create(rng.choice(LEVELS), f"{seed} {deal} {seat}") for seat in seats}
        match = Match(rules, [str(seat) for seat in seats], players, rng)
        list(match.play_deals(1))
        for one in decisions(rules, deals(match.log)[0]):
            if decided_by_cards(one.view, one.choices) and rng.random() < SHARE:
                for found in told_of(one):
                    number -= 1
                    yield found


def told_of(one: Decision) -> Iterator[tuple[float, bool]]:
    """What the tutor tells of where cards probably lie, at a decision."""
    dice = generator(1, 0)
    pool = likely_worlds(one.view, one.choices, SAMPLES, dice, CAUTIOUS)
    if not len(pool):
        return
    chances, _ = located.beliefs(one.view, one.choices, pool)
    for card, rows in chances.items():
        row = max(range(len(rows)), key=rows.__getitem__)
        if LIKELY <= rows[row] < 1:
            aside = one.truth.aside.known if row == one.truth.table else one.truth.hands[row]
            yield rows[row], bool(aside & card.bit)


def told_beliefs(number: int, seed: str) -> dict[str, Any]:
    """By tenths from what is told on: how many beliefs, their mean chance, and how often it was so."""
    rows: dict[int, list[tuple[float, bool]]] = {65: [], 75: [], 85: [], 95: []}
    for count, (chance, lies) in enumerate(beliefs(number, seed), 1):
        rows[max(low for low in rows if 100 * chance >= low)].append((chance, lies))
        if count % 500 == 0:
            print(count, {low: _mean(some) for low, some in rows.items()}, file=sys.stderr, flush=True)
    return {str(low): _mean(some) for low, some in rows.items()}


def _mean(some: list[tuple[float, bool]]) -> tuple[int, float, float]:
    if not some:
        return 0, 0.0, 0.0
    told, so = (round(100 * float(np.mean(column)), 1) for column in zip(*some, strict=True))
    return len(some), told, so


def main() -> None:
    """Measure."""
    words = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    words.add_argument("--rules", default="hermansen")
    words.add_argument("--level", default="club", help="who plays (default: club)")
    words.add_argument("--samples", type=int, help="of those who play, if they search")
    words.add_argument("--deals", type=int, default=60)
    words.add_argument("--worlds", type=int, default=512, help="for each decision (default: 512)")
    words.add_argument("--steps", type=int, default=SHARP.steps, help="of the chains (default: %(default)s)")
    words.add_argument("--out", type=Path)
    words.add_argument("--beliefs", type=int, help="measure so many of what the tutor tells")
    words.add_argument("--seed", default="", help="of the deals of --beliefs")
    given = words.parse_args()
    if given.beliefs:
        print(json.dumps(told_beliefs(given.beliefs, given.seed)))
        return
    methods = METHODS | {"sharp": replace(SHARP, steps=given.steps)}
    rows: dict[str, list[tuple[int, int, float, bool]]] = {name: [] for name in methods}
    number = 0
    for number, one in enumerate(moments(given.rules, given.level, given.deals, samples=given.samples), 1):
        trick = len(one.view.deal.tricks) + 1
        for name, method in methods.items():
            rows[name] += [(trick, *row) for row in losses(one, method, given.worlds, number)]
        print(f"\r{number} decisions", end="", file=sys.stderr)
    print(file=sys.stderr)
    report = {
        "rules": given.rules,
        "level": given.level,
        "deals": given.deals,
        "decisions": number,
        "worlds": given.worlds,
        "steps": given.steps,
        "methods": {name: told(some) for name, some in rows.items()},
    }
    text = json.dumps(report, indent=1, ensure_ascii=False)
    print(text)
    if given.out:
        given.out.parent.mkdir(parents=True, exist_ok=True)
        given.out.write_text(text + "\n", encoding="utf-8")


if __name__ == "__main__":
    main()
