"""Measure the review: does it find an error that was planted, and does it leave good play alone?

Experts play a deal. Then one of the decisions of the last eight tricks is replaced by an action that both the
exact solver with the true cards and an expert with dice of its own put well below the best, and experts play
the rest anew. A review of that seat should name the decision among its costliest, and call it a mistake at
least. The first deals are reviewed without the error too: there nothing should be called a blunder. What is
done is kept in a file, so that the tool goes on where it was stopped.

    python tools/planted_errors.py --deals 300
"""

from __future__ import annotations

import os
import sys
from argparse import ArgumentParser
from collections.abc import Iterator, Sequence
from concurrent.futures import ProcessPoolExecutor, as_completed
from itertools import islice
from math import sqrt
from multiprocessing import get_context
from pathlib import Path
from random import Random

import msgspec
from msgspec import Struct

from ultimo import deal, rulebook, series
from ultimo.events import Action, DealEvent, Opened
from ultimo.players.expert.expert import Expert
from ultimo.rulebook import FrenchRules, Rules
from ultimo.tutor.advising import decided_by_cards
from ultimo.tutor.decisions import Decision, decisions, seen
from ultimo.tutor.grades import GRADES
from ultimo.tutor.judging import judged
from ultimo.tutor.review import review
from ultimo.tutor.reviewed import Worth

BOOKS = ("hermansen", "dtf", "french4", "french5")
LAST_TRICKS = 8
PLAYING = 96  # worlds a decision of the experts who play
PLAYING_NODES = 1 << 21  # and positions
JUDGING = 192  # and of the one who looks for an error to plant,
MAKING_SURE = 768  # and looks again: an estimate that is picked for being high is often too high
NODES = 1 << 24  # positions that are searched in these worlds
CLEAN = 20  # of so many deals all seats are reviewed without the error: more than a thousand decisions
LEAST = {"danish": 20.0, "french": 10.0}  # points that the planted action loses
PAGE = Path(__file__).parents[1] / "docs" / "tutor.md"
KEPT = Path(__file__).parents[1] / "build" / "planted-errors.jsonl"
BEGIN, END = "<!-- planted errors -->", "<!-- end of planted errors -->"


class Found(Struct, frozen=True, omit_defaults=True):
    """What the review made of one deal with an error in it; `rank` counts from 1, and 0 is none."""

    book: str
    number: int
    planted: bool  # or there was nothing to plant
    rank: int = 0
    grade: str = ""
    cost: float = 0.0  # by the judgement that planted it
    loss: float = 0.0  # by the review
    error: float = 0.0
    what: str = ""
    judged: int = 0  # decisions of the deal without the error, if they were looked at
    blunders: int = 0
    mistakes: int = 0
    fine: int = 0


# --- one deal --------------------------------------------------------------------------------------------


def played(rules: Rules, seed: str) -> tuple[DealEvent, ...]:
    """A deal among experts, from its opening to its end."""
    rng = Random(seed)
    size = rules.sizes[0]
    dealer = rng.randrange(size)
    active = series.seated(rules, size, dealer, series.first_out(rules, size, dealer))
    cups = (0, 0) if isinstance(rules, FrenchRules) else (20 + rng.randrange(200), 20 + rng.randrange(120))
    opened = Opened(size, dealer, active, *cups)
    return play_on(rules, deal.begin(rules, opened), seed, rng)


def play_on(rules: Rules, events: Sequence[DealEvent], seed: str, rng: Random) -> tuple[DealEvent, ...]:
    """What has happened, and what experts make of the rest."""
    opened = events[0]
    assert isinstance(opened, Opened)
    truth = deal.initial(rules, opened)
    views = [truth] * opened.table
    log: list[DealEvent] = [opened]
    new: Sequence[DealEvent] = events[1:]
    while True:
        for event in new:
            views = [
                deal.evolve(rules, view, deal.seen_by(rules, truth, seat, event))
                for seat, view in enumerate(views)
            ]
            truth = deal.evolve(rules, truth, event)
        log += new
        if deal.is_over(truth):
            return tuple(log)
        if deal.needs_cards(truth):
            new = deal.decide(rules, truth, None, deal.deal_out(rules, truth, deal.shuffled(rng), rng))
            continue
        seat = deal.waiting_for(rules, truth)[0]
        view, choices = seen(rules, seat, views[seat]), deal.legal(rules, views[seat], seat)
        new = deal.decide(
            rules,
            truth,
            seat,
            Expert(f"plays {seed}", samples=PLAYING, nodes=PLAYING_NODES).choose(view, choices),
        )


def planting(rules: Rules, events: Sequence[DealEvent], rng: Random) -> tuple[Decision, Action, float] | None:
    """A decision near the end and an action that was clearly worse there, if there is one."""
    made = [one for one in decisions(rules, events) if _is_near_end(one)]
    rng.shuffle(made)
    for one in made:
        if not decided_by_cards(one.view, one.choices):
            continue
        if not _worse(rules, one, Expert("plants", samples=JUDGING)):
            continue
        worse = _worse(rules, one, Expert("plants", samples=MAKING_SURE, nodes=NODES))
        if worse:
            chosen = rng.choice(worse)
            return one, chosen.action, chosen.behind
    return None


def _worse(rules: Rules, made: Decision, expert: Expert) -> list[Worth]:
    """What is clearly worse than the best, both with open cards and in the worlds of an expert."""
    found = judged(expert.judge(made.view, made.choices), made.truth)
    if not found.proven:
        return []
    top = max(worth.open for worth in found.worths if worth.open is not None)
    return [
        worth
        for worth in found.worths
        if worth.open is not None
        and min(top - worth.open, worth.behind) >= LEAST[rules.family]
        and worth.action in made.choices
    ]


def _is_near_end(made: Decision) -> bool:
    left = max(map(int.bit_count, made.truth.hands))
    return made.truth.phase in ("play", "demand", "name") and 0 < left <= LAST_TRICKS


def measure(task: tuple[str, int]) -> Found:
    """One deal: an error planted and looked for, and perhaps the same deal without it."""
    book, number = task
    rules, seed = rulebook.load(book), f"{book} {number}"
    events = played(rules, seed)
    rng = Random(f"error {seed}")
    error = planting(rules, events, rng)
    if error is None:
        return Found(book, number, planted=False)
    made, action, cost = error
    before = events[: made.index]
    after = deal.decide(rules, made.truth, made.seat, action)
    spoilt = play_on(rules, (*before, *after), f"{seed} spoilt", rng)
    told = review(rules, spoilt, seats=[made.seat])
    place = next(at for at, one in enumerate(told.decisions) if one.index == made.index)
    worst, mine = told.worst(made.seat), told.decisions[place]
    clean = review(rules, events).decisions if number < CLEAN else ()
    good = [one.grade for one in clean if one.grade != "forced"]
    return Found(
        book,
        number,
        planted=True,
        rank=worst.index(place) + 1 if place in worst else 0,
        grade=mine.grade,
        cost=round(cost, 1),
        loss=round(mine.loss, 1),
        error=round(mine.error, 1),
        what=f"{made.truth.phase} {made.truth.number} seat {made.seat}: {action}",
        judged=len(good),
        blunders=good.count("blunder"),
        mistakes=good.count("mistake"),
        fine=sum(grade in ("best", "fine") for grade in good),
    )


# --- all of them -----------------------------------------------------------------------------------------


def kept(file: Path) -> list[Found]:
    """What an earlier run has found."""
    if not file.exists():
        return []
    return [msgspec.json.decode(line, type=Found) for line in file.read_bytes().splitlines() if line]


def measured(book: str, deals: int, cores: int, file: Path) -> list[Found]:
    """So many deals with an error in them, in order, those of an earlier run among them."""
    done = {one.number: one for one in kept(file) if one.book == book}
    file.parent.mkdir(exist_ok=True)
    with ProcessPoolExecutor(cores, get_context("spawn")) as pool, file.open("ab") as out:
        while True:
            planted = [one for one in _from_start(done) if one.planted]
            if len(planted) >= deals:
                return planted[:deals]
            missing = islice((number for number in range(10 * deals) if number not in done), 4 * cores)
            tasks = [pool.submit(measure, (book, number)) for number in missing]
            for task in as_completed(tasks):
                found = task.result()
                done[found.number] = found
                out.write(msgspec.json.encode(found) + b"\n")
                out.flush()
            print(f"{book}: {sum(one.planted for one in done.values())} of {deals}", file=sys.stderr)


def _from_start(done: dict[int, Found]) -> Iterator[Found]:
    """What has been found of the first deals, as far as there is no gap."""
    number = 0
    while number in done:
        yield done[number]
        number += 1


def _share(some: int, of: int) -> str:
    """A share in hundred with its 95 % interval (Wilson)."""
    if not of:
        return "–"
    part, z = some / of, 1.96
    middle = (part + z * z / (2 * of)) / (1 + z * z / of)
    half = z * sqrt(part * (1 - part) / of + z * z / (4 * of * of)) / (1 + z * z / of)
    return f"{100 * part:.1f} ({100 * max(0.0, middle - half):.1f} – {100 * (middle + half):.1f})"


def table(command: str, results: dict[str, list[Found]]) -> str:
    """The figures as a table of the page."""
    bad = GRADES.index("mistake")
    lines = [
        BEGIN,
        "",
        "```console",
        f"$ {command}",
        "```",
        "",
        "| rules | deals | among the three costliest, % | mistake or worse, % | experts: decisions judged |"
        " of them blunders, % |",
        "|---|--:|--:|--:|--:|--:|",
    ]
    for book, found in results.items():
        named = sum(one.rank > 0 for one in found)
        graded = sum(GRADES.index(one.grade) >= bad for one in found)
        all_judged, blunders = sum(one.judged for one in found), sum(one.blunders for one in found)
        lines.append(
            f"| {rulebook.load(book).title} | {len(found)} | {_share(named, len(found))} |"
            f" {_share(graded, len(found))} | {all_judged} | {_share(blunders, all_judged)} |"
        )
    return "\n".join([*lines, "", END])


def main() -> None:
    """Measure, and write the table into the page."""
    parser = ArgumentParser(description=(__doc__ or "").split("\n")[0])
    parser.add_argument("--deals", type=int, default=300, help="deals with an error, for each rulebook")
    parser.add_argument("--rules", nargs="+", default=list(BOOKS))
    parser.add_argument("--cores", type=int, default=os.cpu_count() or 1)
    parser.add_argument("--kept", type=Path, default=KEPT, help="what is done, to go on from")
    parser.add_argument("--dry", action="store_true", help="only show the table")
    arguments = parser.parse_args()
    results = {
        book: measured(book, arguments.deals, arguments.cores, arguments.kept) for book in arguments.rules
    }
    which = "" if arguments.rules == list(BOOKS) else f" --rules {' '.join(arguments.rules)}"
    told = table(f"python tools/planted_errors.py --deals {arguments.deals}{which}", results)
    print(told)
    if not arguments.dry:
        page = PAGE.read_text(encoding="utf-8")
        head, _, rest = page.partition(BEGIN)
        PAGE.write_text(head + told + rest.partition(END)[2], encoding="utf-8")


if __name__ == "__main__":
    main()
