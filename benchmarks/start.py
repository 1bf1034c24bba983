"""How long it takes to begin: the command line, and the first call of compiled loops."""

from __future__ import annotations

import sys
from pathlib import Path
from tempfile import TemporaryDirectory

from benchmarks.measure import Taken, seconds_of
from benchmarks.report import Bar, Section, table

IMPORT_ALL = (
    "from importlib import import_module\n"
    "from ultimo.cli.main import COMMANDS\n"
    "for command in COMMANDS: import_module(f'ultimo.cli.{command}')"
)
DANISH = (
    "from ultimo.rulebook import load; from ultimo.kernel.danish.run import sessions\n"
    "sessions(load('hermansen'), table=3, seed=1, first=0, number=1, length=1)"
)
FRENCH = (
    "from ultimo.rulebook import load; from ultimo.kernel.french.run import sessions\n"
    "sessions(load('french4'), seed=1, first=0, number=1)"
)
SOLVE = (
    "from ultimo.analysis.position import read; from ultimo.analysis.solver import solve\n"
    "solve(*read({position!r}){more})"
)
DANISH_ENDING = "hermansen: F T1 S2 S1 / M T21 T0 HK / B H7 H8 H9"
FRENCH_ENDING = "french4: A T1 S2 S1 / B T21 T0 HK / C H7 H8 H9 / D C7 C8 C9; A takes garde"
FIRST_CALLS = {
    "Danish playouts": DANISH,
    "French playouts": FRENCH,
    "Danish solver, one side": SOLVE.format(position=DANISH_ENDING, more=", side=frozenset({0})"),
    "Danish solver, everybody": SOLVE.format(position=DANISH_ENDING, more=""),
    "French solver": SOLVE.format(position=FRENCH_ENDING, more=""),
}
QUICK = ("Danish playouts", "French playouts", "Danish solver, one side")
WARM = {"`ultimo warm --for club`": 15, "`ultimo warm`": 60}  # seconds at most, on two cores
HELP, IMPORT = "`ultimo --help`", "import of the command line with all its commands"


def python(code: str) -> list[str]:
    """The command that runs some code."""
    return [sys.executable, "-c", code]


def compiling(command: list[str]) -> Taken:
    """How long a command takes where nothing has been compiled yet."""
    with TemporaryDirectory() as cache:
        (cold,) = seconds_of(command, 1, ULTIMO_CACHE=cache)
    return cold


def measure(full: bool) -> Section:
    """Whole processes, the interpreter's own start included."""
    times = 15 if full else 7
    ultimo = str(Path(sys.executable).with_name("ultimo"))
    commands = {
        "`python -c pass`": python("pass"),
        HELP: [ultimo, "--help"],
        IMPORT: python(IMPORT_ALL),
    }
    found = {name: seconds_of(command, times) for name, command in commands.items()}
    rows = [(name, *taken[0], taken[times // 2].wall) for name, taken in found.items()]
    calls = []
    for name in FIRST_CALLS if full else QUICK:
        code = python(FIRST_CALLS[name])
        with TemporaryDirectory() as cache:
            (cold,) = seconds_of(code, 1, ULTIMO_CACHE=cache)
            warm = seconds_of(code, 3, ULTIMO_CACHE=cache)[0]
        calls.append((name, *cold, *warm, cold.cpu / warm.cpu))
    compiled = {name: compiling([ultimo, *name.strip("`").split()[1:]]) for name in WARM}
    return Section(
        "Start",
        "Seconds for whole processes. Cold: nothing has been compiled yet; warm: any later process. What "
        "`make play` needs is compiled by `ultimo warm --for club`, which the server does while it plays; "
        "everything there is, by `ultimo warm`; both on all cores.",
        (
            table(("", "by the clock", "processor", "median by the clock"), rows),
            table(
                (
                    "first call of the kernel",
                    "cold, by the clock",
                    "cold, processor",
                    "warm, by the clock",
                    "warm, processor",
                    "cold × warm",
                ),
                calls,
            ),
            table(
                ("compiling", "by the clock", "processor"),
                [(name, *taken) for name, taken in compiled.items()],
            ),
        ),
        (
            Bar(HELP, 0.3, found[HELP][0].wall, " s", most=True),
            Bar(IMPORT, 0.6, found[IMPORT][0].wall, " s", most=True),
            *(Bar(f"{name}, cold", WARM[name], compiled[name].wall, " s", most=True) for name in WARM),
        ),
    )
