"""Deals by the million: played by the compiled loops on all processors, summed up, and kept as rows.

A run is cut into chunks. Deals are numbered and each has dice of its own, so that neither the number of
processors nor the size of the chunks nor an interruption changes anything in what comes out.

>>> from ultimo import rulebook
>>> made = plan(rulebook.load("hermansen"), table=3, seed=7, deals=50, length=20)
>>> run(made).deals
50
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from pathlib import Path

from msgspec import Struct

from ultimo.analysis import runs
from ultimo.analysis.executing import Executor, Here
from ultimo.analysis.runs import Advance, RunError, rules_of
from ultimo.analysis.simulation import rows as simulation_rows
from ultimo.analysis.simulation.files import Checkpoint, Form, form_of, part_name, write_part
from ultimo.analysis.statistics import Summary
from ultimo.kernel.danish import run as danish_run
from ultimo.kernel.french import run as french_run
from ultimo.kernel.jit import COMPILED, Ints
from ultimo.kernel.policy import POLICIES
from ultimo.rulebook import FrenchRules, Rules

CHUNK = 50_000 if COMPILED else 100  # deals: about half a second
LENGTH = 20  # deals a session, if nothing is said
LONGEST = 100_000  # a session is never cut, and a chunk must fit into memory


class Plan(runs.Plan, frozen=True, kw_only=True):
    """All that decides what comes out of a run; players are by seat."""

    table: int
    length: int  # deals a session; French deals do not hang together, and each is one


class Job(Struct, frozen=True):
    """A chunk of a run: its number, its first deal and how many; how its rows are written."""

    plan: Plan
    number: int
    first: int
    deals: int
    form: Form


def plan(
    rules: Rules,
    *,
    table: int | None = None,
    seed: int = 1,
    deals: int,
    length: int | None = None,
    players: Sequence[str] = ("random",),
) -> Plan:
    """A plan that can be done.

    It raises RunError for what cannot be asked for, NotCompilable for rules the kernel cannot express.
    """
    table = max(rules.sizes) if table is None else table
    book = runs.book(rules, table)
    for player in players:
        if player not in POLICIES:
            raise RunError(f"there is no player {player!r}; there are {', '.join(POLICIES)}")
    if len(players) not in (1, table):
        raise RunError(f"{len(players)} players for {table} seats")
    if isinstance(rules, FrenchRules):
        if length not in (None, 1):
            raise RunError("French deals do not hang together: there are no sessions to give a length")
        length = 1
    length = LENGTH if length is None else length
    if not 0 < length <= LONGEST:
        raise RunError(f"a session has 1 to {LONGEST} deals, not {length}")
    if not 0 <= seed < 1 << 64:
        raise RunError(f"the seed is a whole number from 0 to 2⁶⁴ − 1, not {seed}")
    made = Plan(
        **book,
        table=table,
        seed=seed,
        deals=deals,
        length=length,
        players=tuple(players) * (table // len(players)),
    )
    play(made, 0, 1)  # compiles, and refuses what cannot be
    return made


def play(made: Plan, first: int, deals: int) -> Ints:
    """The rows of deals number `first` …; the first begins a session."""
    rules = rules_of(made)
    chosen = [POLICIES[player] for player in made.players]
    if isinstance(rules, FrenchRules):
        return french_run.sessions(rules, seed=made.seed, first=first, number=deals, policies=chosen)
    length = made.length if first or deals > made.length else deals  # of one session, only what is wanted
    rows = danish_run.sessions(
        rules,
        table=made.table,
        seed=made.seed,
        first=first // made.length,
        number=-(-deals // length),
        length=length,
        policies=chosen,
    )
    return rows[:deals]


def do(job: Job) -> Summary:
    """Play a chunk; what it comes to."""
    return _summed(job, play(job.plan, job.first, job.deals))


def write(job: Job, parts: Path) -> tuple[int, Summary]:
    """Play a chunk and write its rows into a folder; its number, and what it comes to."""
    made, rows = job.plan, play(job.plan, job.first, job.deals)
    write_part(
        parts / part_name(job.number, job.form), simulation_rows.columns(rules_of(made), made.table, rows)
    )
    return job.number, _summed(job, rows)


def _summed(job: Job, rows: Ints) -> Summary:
    made = job.plan
    return simulation_rows.summary(rules_of(made), made.table, made.length, rows)


def run(
    made: Plan,
    *,
    rows: Path | None = None,
    on: Executor | None = None,
    chunk: int = CHUNK,
    advance: Advance = lambda deals: None,
) -> Summary:
    """Play all deals of a plan; with `rows`, into a file, going on where an interrupted run has stopped.

    `on` says where, if not in this process; `advance` is told how many deals more are done.
    """
    on = Here() if on is None else on
    chunk = max(1, chunk // made.length) * made.length
    if rows is None:
        whole = Summary()
        for summary in on.spread(do, _jobs(made, chunk)):
            whole.add(summary)
            advance(summary.deals)
        return whole
    checkpoint = Checkpoint.of(rows, made, chunk)
    state = checkpoint.state  # its chunks are those with which the run was begun
    advance(state.summary.deals)
    left = (job for job in _jobs(made, state.chunk, form_of(rows)) if job.number not in state.done)
    for number, summary in on.files(write, left, checkpoint.parts):
        checkpoint.note(number, summary)
        advance(summary.deals)
    checkpoint.merge(-(-made.deals // state.chunk))
    return state.summary


def _jobs(made: Plan, chunk: int, form: Form = "parquet") -> Iterator[Job]:
    """The chunks of a run."""
    for number, first in enumerate(range(0, made.deals, chunk)):
        yield Job(made, number, first, min(chunk, made.deals - first), form)
