"""Compare the solver with that of another tree of sources: are all values the same, and for what work?

`git worktree add ../before HEAD~1`, then `PYTHONPATH=src:tests:. python tools/compare_solvers.py ../before`
solves endings of all rulebooks, some with house rules: claims of one and of several atoms, points of one seat
and of two, each for themselves, and French ones; with `--french` these alone. With `--model` it solves the
benchmark's positions of club play instead. Both solvers take turns, so that a slow minute slows both. It ends
with an error if any value differs. Without another tree it compares one thread with `--threads`.
"""

from __future__ import annotations

import argparse
import os
import pickle
import subprocess
import sys
import time
from collections.abc import Iterator
from itertools import count, islice
from pathlib import Path
from random import Random
from statistics import median
from typing import Any, TypeAlias

from ultimo import rulebook
from ultimo.analysis.solver import POINTS, Atom, Claim, Goal, solve
from ultimo.cards import ULTIMO_CARDS

Question: TypeAlias = tuple[Any, Any, Goal, frozenset[int] | None, int]  # rules, state, goal, side, memory
Answer: TypeAlias = tuple[bool, Any, int, float]  # exact, all that is told, nodes, seconds of the processor

ROOT = Path(__file__).resolve().parent.parent
BOOKS = ("jensen", "hermansen", "vlk", "basta", "dtf")
FRENCH = ("french3", "french4", "french5", "fft3", "fft4", "fft5")
SIZES = (4, 5, 5, 6, 6, 7)  # tricks to come in Danish endings,
MOST_FRENCH = 7  # and at most in French ones
MEMORIES = (1 << 16, 64 << 20)  # the first is so small that positions displace one another
EVENTS = ("lastTrick", "ultimo", "bagud", "home", "lost", "nolo", "tout")


def random_claim(state: Any, rng: Random) -> Claim:
    """One event, or two or three; of cards only kings and pagat that somebody holds."""
    from benchmarks.positions import held

    atoms = []
    for _ in range(rng.choice((1, 1, 2, 2, 3))):
        what, seat, card = rng.choice(EVENTS), rng.choice(state.order), None
        if what in ("ultimo", "bagud", "home", "lost") and (some := held(state, ULTIMO_CARDS)):
            seat, card = rng.choice(some)
        atoms.append(Atom(what, seat, card, rng.random() < 0.7))  # type: ignore[arg-type]
    return Claim(tuple(atoms))


def french_questions() -> Iterator[Question]:
    """Questions about endings of all French rulebooks, without end and always the same."""
    from analysis.endings import french_endings

    found = [french_endings(book, "compared", most=MOST_FRENCH) for book in FRENCH]
    for number in count():
        rng = Random(f"French question {number}")
        yield *next(found[number % len(found)]), POINTS, None, rng.choice(MEMORIES)


def endings() -> Iterator[Question]:
    """Questions about endings of all rulebooks, without end and always the same."""
    from analysis.endings import danish_endings

    found = [danish_endings(book, "compared", sizes=SIZES) for book in BOOKS]
    french = french_questions()
    for number in count():
        rng = Random(f"question {number}")
        if number % 4 == 3:
            yield next(french)
        rules, state = next(found[number % len(found)])
        side = frozenset(rng.sample(state.order, rng.choice((1, 1, 2))))
        memory = MEMORIES[number // len(found) % 2]
        match number // len(found) % 5:
            case 0 | 1:
                yield rules, state, random_claim(state, rng), side, memory
            case 2 | 3:
                yield rules, state, POINTS, side, memory
            case _:
                yield rules, state, POINTS, None, memory


def club(model: str, left: int, book: str) -> Iterator[Question]:
    """What the benchmark asks of positions of club play."""
    from benchmarks.positions import positions
    from benchmarks.solver import claim, everybody, points_of_one

    asked = {"claim": claim, "points": points_of_one, "everybody": everybody, "french": everybody}[model]
    rules = rulebook.load(book)
    for place, state in enumerate(positions(rules, left, "club play")):
        yield rules, state, *asked(state, Random(f"club play {left} {place}")), 64 << 20


# --- the two solvers -------------------------------------------------------------------------------------


class Solver:
    """A process in which the sources of one tree solve."""

    def __init__(self, tree: Path, threads: int) -> None:
        self.threads = threads
        path = os.pathsep.join((str(tree / "src"), *sys.path))
        self.process = subprocess.Popen(
            [sys.executable, __file__, "--serve"],
            env=os.environ | {"PYTHONPATH": path},
            stdin=subprocess.PIPE,
            stdout=subprocess.PIPE,
        )

    def solve(self, question: Question, nodes: int) -> Answer:
        """What it says."""
        assert self.process.stdin is not None
        assert self.process.stdout is not None
        given = {"nodes": nodes} | ({"threads": self.threads} if self.threads > 1 else {})
        pickle.dump((question, given), self.process.stdin)
        self.process.stdin.flush()
        answer: Answer = pickle.load(self.process.stdout)
        return answer

    def end(self) -> None:
        """Let the process end."""
        self.process.communicate()


def serve() -> None:
    """Answer questions until there are no more."""
    while True:
        try:
            (rules, state, goal, side, memory), given = pickle.load(sys.stdin.buffer)
        except EOFError:
            return
        began = time.process_time()
        try:
            found = solve(rules, state, goal, side, memory=memory, **given)
            told = found.value, found.points, [(one.action, one.value, one.points) for one in found.actions]
            answer: Answer = found.exact, told, found.nodes, time.process_time() - began
        except ValueError as error:
            answer = True, str(error), 0, time.process_time() - began
        pickle.dump(answer, sys.stdout.buffer)
        sys.stdout.flush()


def main() -> None:
    """Ask both solvers everything, by turns."""
    parser = argparse.ArgumentParser(description=(__doc__ or "").splitlines()[0])
    parser.add_argument("before", type=Path, nargs="?", default=ROOT, help="the other tree of sources")
    parser.add_argument("--number", type=int, default=2000, help="of positions")
    parser.add_argument("--nodes", type=int, default=30_000_000, help="the most for a position")
    models = ("claim", "points", "everybody", "french")
    parser.add_argument("--model", choices=models, help="positions of club play")
    parser.add_argument("--french", action="store_true", help="endings of French rulebooks alone")
    parser.add_argument("--tricks", type=int, default=10, help="to come in them")
    parser.add_argument("--rules", help="their rulebook; default: hermansen or french4")
    parser.add_argument("--threads", type=int, default=1, help="of the solver of this tree")
    parser.add_argument("--serve", action="store_true", help=argparse.SUPPRESS)
    given = parser.parse_args()
    if given.serve:
        serve()
        return
    solvers = [Solver(given.before, 1), Solver(ROOT, given.threads)]
    book = given.rules or ("french4" if given.model == "french" else "hermansen")
    some = french_questions() if given.french else endings()
    questions = club(given.model, given.tricks, book) if given.model else some
    rows, different = [], 0
    for number, question in enumerate(islice(questions, given.number)):
        if number < 3 and given.model:  # before anything is measured, all is compiled
            for solver in solvers:
                solver.solve(question, given.nodes)
        order = solvers if number % 2 else solvers[::-1]
        found = {solver: solver.solve(question, given.nodes) for solver in order}
        before, now = (found[solver] for solver in solvers)
        rows.append((before, now))
        if before[0] and now[0] and before[1] != now[1]:
            different += 1
            print(f"different: {number} {question[2:4]}\n  {before[1]}\n  {now[1]}")
    for solver in solvers:
        solver.end()
    told = (
        f"{len(rows)} positions, exact {sum(one[0] for one, _ in rows)} and {sum(one[0] for _, one in rows)}"
    )
    print(f"{told}, {different} different")
    for name, place in (("nodes", 2), ("CPU seconds", 3)):
        both = [[row[which][place] for row in rows] for which in (0, 1)]
        medians, sums = [median(some) for some in both], [sum(some) for some in both]
        print(f"{name}: median {medians[0]:.6g} → {medians[1]:.6g}, sum {sums[0]:.6g} → {sums[1]:.6g}")
    sys.exit(1 if different else 0)


if __name__ == "__main__":
    main()
