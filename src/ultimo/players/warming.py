"""Compiling before anybody waits for it: each part by using it once, and a note of what the club has ready.

Nothing of this loads the compiler but the parts themselves.
"""

from __future__ import annotations

from collections.abc import Callable
from functools import partial
from time import perf_counter
from typing import TYPE_CHECKING, Any

from ultimo.kernel.cache import compiler, stamp

if TYPE_CHECKING:
    from ultimo.play.choices import Choices
    from ultimo.players import View
    from ultimo.rulebook import Rules

CLUB = {"Danish club": "ultimo.players.policy.danish", "French club": "ultimo.players.policy.french"}


def is_ready(name: str) -> bool:
    """Whether a part of the club's is compiled already, by all that can be told without the compiler."""
    try:
        return stamp(_file(name), CLUB[name]).exists()
    except OSError:  # a folder that may not be looked into
        return False


def compile_part(name: str) -> tuple[str, float]:
    """Compile one part by using it; how long it took."""
    began = perf_counter()
    PARTS[name]()
    if name in CLUB and compiler() is not None:
        noted = stamp(_file(name), CLUB[name])
        noted.parent.mkdir(parents=True, exist_ok=True)
        noted.touch()
    return name, perf_counter() - began


def compile_once(name: str) -> float:
    """Compile a part of the club's unless it is, or somebody else does so now; how long it took."""
    import fcntl

    began = perf_counter()
    lock = stamp(_file(name), CLUB[name]).with_suffix(".lock")
    lock.parent.mkdir(parents=True, exist_ok=True)
    with lock.open("w") as held:
        fcntl.flock(held, fcntl.LOCK_EX)
        if not is_ready(name):
            compile_part(name)
    return perf_counter() - began


def _file(name: str) -> str:
    return name.lower().replace(" ", "-")


# --- the parts -----------------------------------------------------------------------------------------


def deals(book: str) -> None:
    """Whole deals."""
    from ultimo.analysis.simulation import run
    from ultimo.rulebook import load

    rules = load(book)
    run.plan(rules, table=rules.sizes[0], deals=1)  # plays one


def french_deals() -> None:
    """Whole French deals, and worlds put into a view."""
    from ultimo.kernel.french.deal import array_of, blank
    from ultimo.kernel.french.memory import fill
    from ultimo.rulebook import FrenchRules, load

    deals("french4")
    rules = load("french4")
    assert isinstance(rules, FrenchRules)
    nothing = blank()[: rules.players + 1]
    fill(array_of(rules), blank(), nothing, nothing)


def batches() -> None:
    """Deals side by side, of both families."""
    from ultimo.kernel.batch import Batch
    from ultimo.rulebook import load

    for book in ("dtf", "french4"):
        batch = Batch(load(book), deals=2, seed=1)
        batch.step(batch.legal_table().argmax(axis=1))
        batch.play()


def endings(rules: Rules) -> None:
    """The solver, for endings of a family."""
    (french_endings if rules.family == "french" else danish_endings)()


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


def bots(book: str, level: str, **options: Any) -> tuple[View, Choices]:
    """Bots at a table, until one has to answer the first lead: what it knows and may do."""
    from ultimo.players.match import first_answer
    from ultimo.players.player import create
    from ultimo.rulebook import load

    rules = load(book)
    table = rules.sizes[0]
    return first_answer(rules, table, {seat: create(level, 1, **options) for seat in range(table)})


def experts(book: str) -> None:
    """Experts, who reckon in worlds that fit what they know, one who says why, and a master."""
    from ultimo.players.expert.expert import Expert, Master

    decision = bots(book, "expert", samples=1)
    Expert(1, samples=1).explain(*decision)
    Master(1, samples=1).choose(*decision)


PARTS: dict[str, Callable[[], object]] = {
    "Danish deals": partial(deals, "dtf"),
    "French deals": french_deals,
    "batches": batches,
    "Danish endings": danish_endings,
    "French endings": french_endings,
    "Danish club": partial(bots, "dtf", "club"),
    "French club": partial(bots, "french4", "club"),
    "Danish experts": partial(experts, "dtf"),
    "French experts": partial(experts, "french4"),
}
