"""How many tables a server holds, and when a browser shows the first card.

The server and its bots are processes of their own; the people are in this one. On a machine of few cores they
take turns with the server, so that the figures are lower bounds.
"""

from __future__ import annotations

import asyncio
import gzip
import sys
from importlib import import_module
from typing import Any

from benchmarks.report import ROOT, Bar, Section, table

SCRIPTS = ROOT / "src" / "ultimo" / "server" / "static" / "assets"
SLOW = 0.2  # seconds from action to seen that one move in a hundred may take
MOST_SCRIPT = 100.0  # kB
REVIEWED = 50  # tables that play beside reviews
STAGES = (50, 100, 150, 200, 300, 400, 600, 800)


def script_kilobytes() -> float:
    """All scripts of the page as they are sent."""
    return sum(len(gzip.compress(path.read_bytes(), 6)) for path in SCRIPTS.glob("*.js")) / 1000


def measure(full: bool) -> Section:
    """Tables of one person and two club bots, more and more of them; with either database."""
    sys.path.append(str(ROOT / "tests"))
    loads: Any = import_module("benchmarks.table_load")
    rows, holds, seen, besides = [], [], list[float](), []
    with loads.servers() as servers:
        for name, server in servers.items():
            with server:
                if not seen:
                    seen = loads.first_card(server, 5 if full else 3)
                stages = asyncio.run(loads.ramp(server, STAGES, 30.0 if full else 10.0, SLOW))
            with server:
                found = asyncio.run(
                    loads.beside_reviews(server, REVIEWED, 60.0 if full else 20.0, 60 if full else 25)
                )
            besides.append((name, 1000 * found.alone.p99, 1000 * found.beside.p99, found.reviews))
            rows += [(name, *_figures(stage)) for stage in stages]
            held = max((stage.tables for stage in stages if stage.p99 < SLOW), default=0)
            holds.append((name, held, stages[-1].tables))
    script = Bar("scripts of the page, compressed", MOST_SCRIPT, script_kilobytes(), " kB", most=True)
    first = f" A browser that has never been here shows its first card after {seen[0]:.2f} s." if seen else ""
    head = (
        "database",
        "tables and sockets",
        "moves/s of people",
        "median ms",
        "p99 ms",
        "cores of the server",
        "ms to write",
        "ms of a bot",
        "kB a table",
    )
    return Section(
        "Tables in the browser",
        "One server process, one process for its bots. At each table a person, who takes 1 to 3 seconds for "
        "a move, and two club bots at the normal tempo; from action to seen is from the command of a person "
        f"to its answer and the new scene on his page, over a socket.{first}",
        (
            table(("database", "most tables with p99 under 200 ms", "most tried"), holds),
            table(head, rows),
            table(
                (
                    "database",
                    f"p99 ms of {REVIEWED} tables",
                    "while deals are reviewed",
                    "reviews a minute",
                ),
                besides,
            ),
        ),
        (script,),
    )


def _figures(stage: Any) -> tuple[object, ...]:
    return (
        stage.tables,
        stage.moves,
        1000 * stage.median,
        1000 * stage.p99,
        stage.cores,
        1000 * stage.append,
        1000 * stage.bot,
        stage.memory / 1000,
    )
