"""The same rules at three speeds: the plain engine, the kernel as Python, the kernel compiled.

The plain engine is measured in two ways: `step`, which players use and which hands back the state after a
wish; and `decide` with `evolve` over its events, which is what a log costs that is decided and then applied.
"""

from __future__ import annotations

from collections.abc import Callable
from random import Random

from benchmarks.measure import Job, in_turns, run_python
from benchmarks.playouts import job
from benchmarks.report import Bar, Section, table

from ultimo import deal, rulebook, series
from ultimo.events import Action, Opened, Seat
from ultimo.rulebook import DanishRules, Rules

Advance = Callable[[Rules, deal.State, Seat | None, Action], deal.State]
CUPS = (60, 60)


def by_step(rules: Rules, state: deal.State, seat: Seat | None, action: Action) -> deal.State:
    """The next state as players get it."""
    return deal.step(rules, state, seat, action)[0]


def by_decide_and_evolve(rules: Rules, state: deal.State, seat: Seat | None, action: Action) -> deal.State:
    """The next state as the fold over what is decided."""
    for event in deal.decide(rules, state, seat, action):
        state = deal.evolve(rules, state, event)
    return state


def opened(rules: Rules, table: int, dealer: Seat) -> deal.State:
    """A deal that waits for its cards."""
    active = series.seated(rules, table, dealer, series.first_out(rules, table, dealer))
    cups = CUPS if isinstance(rules, DanishRules) else (0, 0)
    return deal.replay(rules, deal.begin(rules, Opened(table, dealer, active, *cups)))


def play(rules: Rules, table: int, seed: int, advance: Advance) -> None:
    """Play one random deal to its end."""
    rng = Random(seed)
    state = opened(rules, table, seed % table)
    while not deal.is_over(state):
        if deal.needs_cards(state):
            state = advance(rules, state, None, deal.deal_out(rules, state, deal.shuffled(rng), rng))
        else:
            seat = deal.waiting_for(rules, state)[0]
            state = advance(rules, state, seat, deal.legal(rules, state, seat).draw(rng))


def plain(book: str, deals: int, advance: Advance) -> Job:
    """Play so many deals in the plain engine."""
    rules = rulebook.load(book)

    def play_all() -> float:
        for seed in range(deals):
            play(rules, min(rules.sizes), seed, advance)
        return deals

    return play_all


def interpreted(book: str, deals: int, turns: int) -> float:
    """Deals a second of the kernel as Python, in a process in which nothing is compiled."""
    code = (
        "from benchmarks.measure import in_turns\n"
        "from benchmarks.playouts import job\n"
        f"print(in_turns({{'it': job({book!r}, {deals})}}, {turns})['it'].cpu)"
    )
    return float(run_python("-c", code, NUMBA_DISABLE_JIT="1"))


def measure(full: bool) -> Section:
    """Every rule set in the plain engine, beside the kernel."""
    books = ["hermansen", *(book for book in rulebook.ids() if book != "hermansen")]
    deals, turns = (200, 5) if full else (60, 3)
    rows = []
    for book in books:
        rates = in_turns(
            {
                "step": plain(book, deals, by_step),
                "fold": plain(book, deals, by_decide_and_evolve),
                "compiled": job(book, 20_000),
            },
            turns,
        )
        slow = interpreted(book, 40, turns)
        fast = rates["compiled"].cpu
        step, fold = rates["step"].cpu, rates["fold"].cpu
        rows.append((book, step, fold, slow, fast, fast / step, fast / slow))
    head = (
        "deals/s",
        "plain (step)",
        "plain (decide + evolve)",
        "kernel as Python",
        "kernel compiled",
        "compiled × plain",
        "compiled × as Python",
    )
    return Section(
        "Three speeds of the same rules",
        "Complete random deals a second on one core. The plain engine computes the legal actions twice for "
        "each action, once for the player and once at the gate; its random players also ask and demand "
        "what those of the kernel do not.",
        (table(head, rows),),
        (Bar("hermansen in the plain engine, decide and evolve", 400, rows[0][2], " deals/s"),),
    )
