"""`ultimo warm`: compile what must be fast, before anybody waits for it.

Compiled code is kept, so that this takes its time once for each version of the program.
"""

from __future__ import annotations

import os
import sys
from argparse import ArgumentParser, Namespace
from collections.abc import Callable
from concurrent.futures import ProcessPoolExecutor, as_completed
from multiprocessing import get_context
from time import perf_counter


def arguments(parser: ArgumentParser) -> None:
    """The arguments of the command."""
    parser.add_argument("--cores", metavar="N", type=int, help="how many at a time (as many as there are)")


def run(arguments: Namespace) -> int:
    """Run the command."""
    began = perf_counter()
    cores = max(1, arguments.cores or len(os.sched_getaffinity(0)))
    print(f"compiling {', '.join(PARTS)} …", file=sys.stderr, flush=True)
    with ProcessPoolExecutor(min(cores, len(PARTS)), get_context("spawn")) as pool:
        waiting = [pool.submit(compile_part, name) for name in PARTS]
        for done in as_completed(waiting):
            name, seconds = done.result()
            print(f"  {name}: {seconds:.1f} s", file=sys.stderr, flush=True)
    print(f"ready after {perf_counter() - began:.1f} s", file=sys.stderr)
    return 0


def compile_part(name: str) -> tuple[str, float]:
    """Compile one part by using it; how long it took."""
    began = perf_counter()
    PARTS[name]()
    return name, perf_counter() - began


def danish_deals() -> None:
    """Whole Danish deals."""
    from ultimo.kernel import danish_play
    from ultimo.rulebook import DanishRules, load

    rules = load("dtf")
    assert isinstance(rules, DanishRules)
    danish_play.sessions(rules, table=3, seed=1, first=0, number=1, length=1)


def french_deals() -> None:
    """Whole French deals."""
    from ultimo.kernel import french_deal_batch
    from ultimo.rulebook import FrenchRules, load

    rules = load("french4")
    assert isinstance(rules, FrenchRules)
    french_deal_batch.deals(rules, seed=1, first=0, number=1)


def batches() -> None:
    """Deals side by side, of both families."""
    from ultimo.kernel.batch import Batch
    from ultimo.rulebook import load

    for book in ("dtf", "french4"):
        batch = Batch(load(book), deals=2, seed=1)
        batch.step(batch.legal_table().argmax(axis=1))
        batch.play()


def danish_endings() -> None:
    """The solver, for Danish endings."""
    from ultimo.analysis.position import read
    from ultimo.analysis.solver import POINTS, Atom, Claim, solve

    rules, state = read("dtf: F T1 S2 S1 / M T21 T0 HK / B H7 H8 H9")
    seat = rules.sizes[0] - 2
    solve(rules, state, Claim((Atom("lastTrick", seat),)), frozenset({seat}))
    solve(rules, state, POINTS, frozenset({seat}))
    solve(rules, state)


def french_endings() -> None:
    """The solver, for French endings."""
    from ultimo.analysis.position import read
    from ultimo.analysis.solver import solve

    solve(*read("french4: SK S2 / T3 T4 / HQ H2 / T21 C1; A takes garde"))


def hidden_hands() -> None:
    """Worlds that fit what a seat knows, in both families."""
    from random import Random

    from ultimo import deal
    from ultimo.events import Opened
    from ultimo.kernel.chance import generator
    from ultimo.kernel.knowledge import knowledge
    from ultimo.kernel.worlds import sampler
    from ultimo.rulebook import load

    for book, table in (("dtf", 3), ("french4", 4)):
        rules = load(book)
        opened = Opened(table, 0, (*range(1, table), 0), 60, 60)
        state = view = deal.replay(rules, deal.begin(rules, opened))
        dealt = deal.deal_out(rules, state, deal.shuffled(Random(1)), Random(1))
        for event in deal.decide(rules, state, None, dealt):
            view = deal.evolve(rules, view, deal.seen_by(rules, state, 1, event))
            state = deal.evolve(rules, state, event)
        sampler(knowledge(rules, view)).draw(1, generator(1, 1))


PARTS: dict[str, Callable[[], None]] = {
    "Danish deals": danish_deals,
    "French deals": french_deals,
    "batches": batches,
    "Danish endings": danish_endings,
    "French endings": french_endings,
    "hidden hands": hidden_hands,
}
