"""Complete random deals per second on one core, in plain Python: `make bench`.

Two ways through the engine: `step`, which players use and which hands back the state after a wish; and
`decide` with `evolve` over its events, which is what a log costs that is decided and then applied. Both
choose from `legal` with the same seeds and so play the same deals. The best of several runs counts.

    python benchmarks/plain_python.py [--deals 200] [--runs 5] [rulebook …]
"""

from __future__ import annotations

import argparse
import platform
import subprocess
import sys
import time
from collections.abc import Callable, Iterator
from pathlib import Path
from random import Random

from ultimo import deal, rulebook, series
from ultimo.events import Action, Opened, Seat
from ultimo.rulebook import DanishRules, Rules

Advance = Callable[[Rules, deal.State, Seat | None, Action], deal.State]


def by_step(rules: Rules, state: deal.State, seat: Seat | None, action: Action) -> deal.State:
    """The next state as players get it."""
    return deal.step(rules, state, seat, action)[0]


def by_decide_and_evolve(rules: Rules, state: deal.State, seat: Seat | None, action: Action) -> deal.State:
    """The next state as the fold over what is decided."""
    for event in deal.decide(rules, state, seat, action):
        state = deal.evolve(rules, state, event)
    return state


def play(rules: Rules, table: int, seed: int, advance: Advance) -> int:
    """One random deal to its end; how many actions it took."""
    rng = Random(seed)
    dealer = seed % table
    active = series.seated(rules, table, dealer, series.first_out(rules, table, dealer))
    cups = (60, 60) if isinstance(rules, DanishRules) else (0, 0)
    state = deal.replay(rules, deal.begin(rules, Opened(table, dealer, active, *cups)))
    actions = 0
    while not deal.is_over(state):
        if deal.needs_cards(state):
            state = advance(rules, state, None, deal.deal_out(rules, state, deal.shuffled(rng), rng))
        else:
            seat = deal.waiting_for(rules, state)[0]
            state = advance(rules, state, seat, deal.legal(rules, state, seat).draw(rng))
            actions += 1
    return actions


def fastest(rules: Rules, table: int, deals: int, runs: int, advance: Advance) -> tuple[float, float]:
    """Deals and actions per second in the best run."""
    best, actions = float("inf"), 0
    for _ in range(runs):
        start = time.perf_counter()
        actions = sum(play(rules, table, seed, advance) for seed in range(deals))
        best = min(best, time.perf_counter() - start)
    return deals / best, actions / best


def rows(books: list[str], deals: int, runs: int) -> Iterator[str]:
    """The table of results, line by line as they come in."""
    yield "| rulebook | at the table | deals/s (step) | actions/s (step) | deals/s (decide + evolve) |"
    yield "|---|---:|---:|---:|---:|"
    for book in books:
        rules = rulebook.load(book)
        table = min(rules.sizes)
        stepping, actions = fastest(rules, table, deals, runs, by_step)
        folding, _ = fastest(rules, table, deals, runs, by_decide_and_evolve)
        yield f"| {book} | {table} | {stepping:.0f} | {actions:,.0f} | {folding:.0f} |"


def machine() -> Iterator[str]:
    """On what this was measured."""
    cpu = platform.processor() or "unknown processor"
    info = Path("/proc/cpuinfo")
    if info.exists():
        models = [
            line.partition(":")[2] for line in info.read_text().splitlines() if line.startswith("model name")
        ]
        cpu = models[0].strip() if models else cpu
    commit = subprocess.run(
        ["git", "describe", "--always", "--dirty"], capture_output=True, text=True, check=False
    ).stdout.strip()
    yield f"- machine: {cpu}, {platform.system()} {platform.machine()}, one core"
    yield f"- Python: {platform.python_implementation()} {platform.python_version()}"
    yield f"- commit: {commit or 'none'}"


def main() -> None:
    """Measure, and print what benchmarks/results.md has."""
    parser = argparse.ArgumentParser(
        description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter
    )
    parser.add_argument("books", nargs="*", metavar="rulebook")
    parser.add_argument("--deals", type=int, default=200)
    parser.add_argument("--runs", type=int, default=5)
    given = parser.parse_args()
    books = given.books or ["hermansen", *(book for book in rulebook.ids() if book != "hermansen")]
    for line in machine():
        print(line)
    print(f"- command: `python {' '.join(['benchmarks/plain_python.py', *sys.argv[1:]])}`")
    print(f"- best of {given.runs} runs of {given.deals} deals each\n")
    for line in rows(books, given.deals, given.runs):
        print(line, flush=True)


if __name__ == "__main__":
    main()
