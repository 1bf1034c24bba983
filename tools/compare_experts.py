"""Compare the expert with that of another tree of sources: what does a decision take, and what does it lose?

`git worktree add ../before HEAD~1`, then `PYTHONPATH=src python tools/compare_experts.py ../before --rules
french4`. Both decide at the same moments of deals among club players, in turns and by the processor's own
time, so that it does not matter what else the machine does. What a choice loses is told by a third look, in
so many more worlds and by other dice: points that it puts the choice below its own. A decision between cards
that come to the same loses nothing. Intervals are 95 %.
"""

from __future__ import annotations

import argparse
import json
import os
import pickle
import subprocess
import sys
import time
from collections.abc import Iterator
from itertools import count, islice
from math import sqrt
from pathlib import Path
from random import Random
from statistics import mean, stdev
from typing import Any

from ultimo import rulebook
from ultimo.analysis.solver import limits
from ultimo.events import Action
from ultimo.players import Match, create
from ultimo.players.expert import expert, opened, search
from ultimo.tutor.decisions import Decision, deals, decisions

WORLDS, NODES = 3000, 1 << 25  # of the third look
STEP = 5  # of the decisions of a deal one in so many is looked at
QUICK = 0.01  # seconds for what is only compiled


def moments(book: str) -> Iterator[Decision]:
    """Decisions of club players, without end and always the same."""
    from ultimo.tutor.advising import decided_by_cards  # the other tree may have it elsewhere

    rules = rulebook.load(book)
    names = [str(seat) for seat in range(rules.sizes[0])]
    for number in count():
        clubs = {seat: create("club", seat) for seat in range(len(names))}
        match = Match(rules, names, clubs, Random(f"experts {number}"))
        list(match.play_deals(1))
        for events in deals(match.log):
            made = [one for one in decisions(rules, events) if decided_by_cards(one.view, one.choices)]
            yield from made[number % STEP :: STEP]


# --- the two experts -------------------------------------------------------------------------------------


class Thinker:
    """A process in which the expert of one tree decides."""

    def __init__(self, tree: Path) -> None:
        path = os.pathsep.join((str(tree / "src"), *sys.path))
        self.process = subprocess.Popen(
            [sys.executable, __file__, "--serve"],
            env=os.environ | {"PYTHONPATH": path},
            stdin=subprocess.PIPE,
            stdout=subprocess.PIPE,
        )

    def choose(self, made: Decision, seconds: float) -> tuple[Action, float]:
        """What it does, and the time of the processor that it took."""
        assert self.process.stdin is not None
        assert self.process.stdout is not None
        pickle.dump((made.view, made.choices, seconds), self.process.stdin)
        self.process.stdin.flush()
        found: tuple[Action, float] = pickle.load(self.process.stdout)
        return found

    def end(self) -> None:
        """Let the process end."""
        self.process.communicate()


def serve() -> None:
    """Decide until nobody asks any more."""
    clock: Any = time.thread_time
    for module in (expert, opened, search, limits):  # for trees whose expert takes no clock
        vars(module)["perf_counter"] = clock
    named = {"clock": clock} if "clock" in expert.Expert.__init__.__annotations__ else {}
    while True:
        try:
            view, choices, seconds = pickle.load(sys.stdin.buffer)
        except EOFError:
            return
        began = clock()
        action = expert.Expert(1, seconds=seconds, **named).choose(view, choices)
        pickle.dump((action, clock() - began), sys.stdout.buffer)
        sys.stdout.buffer.flush()


# --- what is lost ----------------------------------------------------------------------------------------


def worths(made: Decision) -> tuple[Action, dict[Action, float]]:
    """What the third look would do, and what it thinks of every action."""
    found = expert.Expert("third", samples=WORLDS, nodes=NODES).judge(made.view, made.choices)
    told = {one.action: one.points or 0.0 for one in found.candidates}
    for option in found.table.options if found.table is not None else ():
        known = [told[action] for action in (option.action, *option.same) if action in told]
        told |= dict.fromkeys(option.same, known[0]) if known else {}
    return found.action, told


def interval(values: list[float]) -> tuple[float, float]:
    """A mean, and half of its interval."""
    return mean(values), 1.96 * stdev(values) / sqrt(len(values))


def main() -> None:
    """Compare."""
    words = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    words.add_argument("tree", type=Path, nargs="?", help="the other tree")
    words.add_argument("--rules", default="hermansen")
    words.add_argument("--positions", type=int, default=200)
    words.add_argument("--seconds", type=float, nargs=2, default=(0.5, 0.5), help="of the other, and of this")
    words.add_argument("--out", type=Path, help="a file for the result")
    words.add_argument("--serve", action="store_true", help=argparse.SUPPRESS)
    given = words.parse_args()
    if given.serve:
        serve()
        return
    if given.tree is None:
        words.error("the other tree is missing")
    both = [Thinker(tree) for tree in (given.tree, Path(__file__).resolve().parent.parent)]
    for made in islice(moments(given.rules), 60):
        for one in both:
            one.choose(made, QUICK)
    lost: list[list[float]] = [[], []]
    took: list[list[float]] = [[], []]
    for made in islice(moments(given.rules), given.positions):
        best, told = worths(made)
        for number, (one, seconds) in enumerate(zip(both, given.seconds, strict=True)):
            action, spent = one.choose(made, seconds)
            lost[number].append(told[best] - told.get(action, min(told.values())))
            took[number].append(spent)
    for one in both:
        one.end()
    more = interval([this - other for other, this in zip(*lost, strict=True)])
    result = {
        "command": "python tools/compare_experts.py " + " ".join(sys.argv[1:]),
        "rules": given.rules,
        "positions": given.positions,
        "seconds": list(given.seconds),
        "took": [[mean(one), max(one)] for one in took],
        "lost": [interval(one) for one in lost],
        "lost more": more,
    }
    text = json.dumps(result, indent=2)
    print(text)
    if given.out is not None:
        given.out.write_text(text + "\n", encoding="utf-8")


if __name__ == "__main__":
    main()
