"""Write docs/regret.md: what each level loses near the end, against the best with open cards.

Positions come from deals among club players, at the decision of one seat when each hand has eight cards left.
The solver values every action with the true cards open: in Danish Tarok every seat plays for its own points
(max^n), in French Tarok the two sides against each other. A player sees only its view, so that no level can
be expected to lose nothing; what counts is that the loss falls with the level. A position that is not solved
in time is replaced by the next.

    python tools/write_regret.py --positions 500
"""

from __future__ import annotations

import os
import sys
from argparse import ArgumentParser
from collections.abc import Iterator
from concurrent.futures import ProcessPoolExecutor
from itertools import count
from math import sqrt
from multiprocessing import get_context
from pathlib import Path
from random import Random
from statistics import fmean
from typing import Any, NamedTuple

from msgspec.structs import replace

from ultimo import deal, french, rulebook, series
from ultimo.analysis.solver import solve
from ultimo.cards import Card
from ultimo.cli.progress import progress
from ultimo.events import Action, Opened, Play, Seat
from ultimo.players import View, create
from ultimo.rulebook import DanishRules, FrenchRules, Rules

BOOKS = ("hermansen", "dtf", "french4")
LEVELS = ("random", "beginner", "club", "student", "expert", "master")
LEFT = 8  # cards in the hand of the seat that decides
LIMIT = 10.0  # seconds for the solver


class Position(NamedTuple):
    """A decision: the truth, and what the seat knows of it."""

    rules: Rules
    truth: deal.State
    view: View


class Loss(NamedTuple):
    """What the levels lose in one position, in the order of the levels."""

    points: tuple[float, ...]
    actions: int


def position(book: str, number: int) -> Position | None:
    """Deal number so and so among club players, where the chosen seat has eight cards left and a choice."""
    rules = rulebook.load(book)
    size, rng = rules.sizes[0], Random(f"regret {book} {number}")
    dealer, chosen = number % size, rng.randrange(size)
    opened = _opened(rules, size, dealer, rng)
    around = series.evolve(
        rules, None, series.open_series(rules, [str(seat) for seat in range(size)], dealer)[0]
    )
    club = create("club", 0)
    truth = deal.initial(rules, opened)
    views = [deal.initial(rules, opened)] * size
    events = deal.begin(rules, opened)[1:]
    while True:
        for event in events:
            views = [
                deal.evolve(rules, view, deal.seen_by(rules, truth, seat, event))
                for seat, view in enumerate(views)
            ]
            truth = deal.evolve(rules, truth, event)
        if deal.is_over(truth):
            return None
        if deal.needs_cards(truth):
            dealt = deal.deal_out(rules, truth, deal.shuffled(rng), rng)
            events = deal.decide(rules, truth, None, dealt)
            continue
        seat = deal.waiting_for(rules, truth)[0]
        view = View(rules, seat, replace(around, deal=views[seat]))
        choices = deal.legal(rules, truth, seat)
        if seat == chosen and truth.phase == "play" and truth.hands[seat].bit_count() == LEFT:
            return Position(rules, truth, view) if len(choices) > 1 else None
        events = deal.decide(rules, truth, seat, club.choose(view, choices))


def _opened(rules: Rules, size: int, dealer: Seat, rng: Random) -> Opened:
    active = series.seated(rules, size, dealer, series.first_out(rules, size, dealer))
    if isinstance(rules, FrenchRules):
        return Opened(size, dealer, active)
    return Opened(size, dealer, active, 20 + rng.randrange(200), 20 + rng.randrange(120))


def worths(rules: Rules, truth: deal.State, seat: Seat, limit: float) -> dict[Action, int] | None:
    """What each action is worth to the seat with open cards; None if that is not found in time."""
    solution = solve(rules, truth, seconds=limit)
    if not solution.exact:
        return None
    sign = 1
    if isinstance(truth, french.State):
        sign = 1 if truth.side(seat) == "taker" else -1
    return {one.action: sign * one.value for one in solution.actions if one.seat == seat}


def measure(task: tuple[str, int, float, int | None, float]) -> Loss | None:
    """What each level loses in a position; None if there is none, or it is not solved."""
    book, number, limit, samples, seconds = task
    found = position(book, number)
    if found is None:
        return None
    rules, truth, view = found
    worth = worths(rules, truth, view.seat, limit)
    if worth is None:
        return None
    best, choices = max(worth.values()), deal.legal(rules, truth, view.seat)
    lost: list[float] = []
    for level in LEVELS:
        if level == "random":  # whatever it drew would be luck
            lost.append(best - expected(worth))
            continue
        chosen = create(level, number, samples=samples, seconds=seconds).choose(view, choices)
        lost.append(best - worth[chosen] if chosen in worth else 0)
    return Loss(tuple(lost), len(worth))


def expected(worth: dict[Action, int]) -> float:
    """What a random player makes of a choice on average: every card alike, and every name of a led skus."""
    by_card: dict[Card, list[int]] = {}
    for action, points in worth.items():
        if isinstance(action, Play):
            by_card.setdefault(action.card, []).append(points)
    return fmean(fmean(points) for points in by_card.values())


def losses(
    book: str, positions: int, cores: int, limit: float, samples: int | None, seconds: float
) -> Iterator[Loss]:
    """What is lost in the first positions that can be solved, in their order."""
    with ProcessPoolExecutor(cores, get_context("spawn")) as pool:
        numbers = count()
        waiting = [
            pool.submit(measure, (book, next(numbers), limit, samples, seconds)) for _ in range(4 * cores)
        ]
        found = 0
        while found < positions:
            loss = waiting.pop(0).result()
            if loss is not None:
                found += 1
                yield loss
            waiting.append(pool.submit(measure, (book, next(numbers), limit, samples, seconds)))
        for one in waiting:
            one.cancel()


def summary(book: str, found: list[Loss]) -> dict[str, Any]:
    """Means with standard errors, and how often a level found a best action."""
    rules = rulebook.load(book)
    levels = {}
    for place, level in enumerate(LEVELS):
        lost = [one.points[place] for one in found]
        mean = sum(lost) / len(lost)
        spread = sqrt(sum((one - mean) ** 2 for one in lost) / (len(lost) - 1) / len(lost))
        levels[level] = {
            "lost": round(mean, 3),
            "error": round(spread, 3),
            "best": round(sum(one == 0 for one in lost) / len(lost), 4),
        }
    truth = "every seat for its own points" if isinstance(rules, DanishRules) else "two sides"
    return {"positions": len(found), "left": LEFT, "truth": truth, "levels": levels}


PAGE = Path(__file__).parents[1] / "docs" / "regret.md"
HEAD = """# Points lost a decision

What each level loses near the end, against the best that could have been done with open cards. Positions
come from deals among club players, at a decision of one seat when it has {left} cards left. The solver
values every action with the true cards open: in Danish Tarok every seat plays for its own points, in French
Tarok the two sides against each other, and a point there is what a defender pays. Nobody sees the cards, so
that no level can be expected to lose nothing. Intervals are 95 %; *best* is how often an action was taken
that loses nothing. All levels decide in the same positions; of the random player the mean over its choices
is taken, so that luck has no part in it.

```console
$ {command}
```
"""


def page(command: str, results: dict[str, dict[str, Any]]) -> str:
    """The page with a table for each rulebook."""
    lines = [HEAD.format(left=LEFT, command=command)]
    for book, result in results.items():
        lines.append(f"## {rulebook.load(book).title}\n\n{result['positions']} positions.\n")
        lines.append("| level | points lost | 95 % interval | best |\n|---|--:|---|--:|")
        for level, row in result["levels"].items():
            margin = 1.96 * row["error"]
            low, high = row["lost"] - margin, row["lost"] + margin
            lines.append(f"| {level} | {row['lost']:.2f} | {low:.2f} to {high:.2f} | {row['best']:.0%} |")
        lines.append("")
    return "\n".join(lines).rstrip() + "\n"


def main() -> None:
    """Measure, and write the page."""
    parser = ArgumentParser(description=__doc__)
    parser.add_argument("--rules", default=",".join(BOOKS), help="rulebooks, separated by commas")
    parser.add_argument("--positions", type=int, default=500)
    parser.add_argument("--limit", type=float, default=LIMIT, help="seconds of the solver for a position")
    parser.add_argument("--samples", type=int, help="worlds for those who search, instead of time")
    parser.add_argument("--seconds", type=float, default=0.5, help="for each decision of those who search")
    parser.add_argument("--processes", type=int, default=len(os.sched_getaffinity(0)))
    given = parser.parse_args()
    results: dict[str, dict[str, Any]] = {}
    for book in given.rules.split(","):
        found = []
        with progress(given.positions, f"positions of {book}") as done:
            for loss in losses(
                book, given.positions, given.processes, given.limit, given.samples, given.seconds
            ):
                found.append(loss)
                done(1)
        results[book] = summary(book, found)
        for level, row in results[book]["levels"].items():
            print(f"{book} {level}: {row['lost']:.2f} ± {1.96 * row['error']:.2f}, best {row['best']:.0%}")
    PAGE.write_text(page(" ".join(["python", "tools/write_regret.py", *sys.argv[1:]]), results), "utf-8")


if __name__ == "__main__":
    main()
