"""How many tables a server holds, what they and idle sockets cost, and when a browser shows the first card.

The server and its bots are processes of their own; the people are in this one. On a machine of few cores they
take turns with the server, so that the figures are lower bounds. Parts can be measured alone:

    python -m benchmarks.tables --ramp 100,200,300 --seconds 30
    python -m benchmarks.tables --idle 2000
    python -m benchmarks.tables --soak 60 --tables 100

each with `--database SQLite` or `--database PostgreSQL`.
"""

from __future__ import annotations

import argparse
import asyncio
import gzip
import sys
from importlib import import_module
from math import inf
from typing import Any

from benchmarks.report import ROOT, Bar, Section, table

SCRIPTS = ROOT / "src" / "ultimo" / "server" / "static" / "assets"
SLOW = 0.1  # seconds from action to seen that one move in a hundred may take
MANY = 400  # tables that one process should hold
SOCKETS = 2000  # idle ones, too
MOST_SCRIPT = 100.0  # kB
REVIEWED = 50  # tables that play beside reviews
STAGES = (50, 100, 150, 200, 300, 400, 600, 800)


IDLE = ("idle sockets", "kB a socket", "cores of the server", "ms to answer at most")


def script_kilobytes() -> float:
    """All scripts of the page as they are sent."""
    return sum(len(gzip.compress(path.read_bytes(), 6)) for path in SCRIPTS.glob("*.js")) / 1000


def measure(full: bool) -> Section:
    """Tables of one person and two club bots, more and more of them; with either database."""
    loads = _loads()
    idle_rows = []
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
            with server:
                idle_rows.append((name, *_idle_figures(asyncio.run(loads.idle(server, SOCKETS, 10.0)))))
            besides.append((name, 1000 * found.alone.p99, 1000 * found.beside.p99, found.reviews))
            rows += [(name, *_figures(stage)) for stage in stages]
            held = max((stage.tables for stage in stages if stage.p99 < SLOW), default=0)
            holds.append((name, held, stages[-1].tables))
    bars = [Bar(f"tables with p99 under {1000 * SLOW:.0f} ms, {name}", MANY, held) for name, held, _ in holds]
    script = Bar("scripts of the page, compressed", MOST_SCRIPT, script_kilobytes(), " kB", most=True)
    first = f" A browser that has never been here shows its first card after {seen[0]:.2f} s." if seen else ""
    head = (
        "database",
        "tables and sockets",
        "moves/s of people",
        "median ms",
        "p99 ms",
        "cores of the server",
        "ms of a core a move",
        "ms to write",
        "ms of a bot",
        "kB a table",
    )
    return Section(
        "Tables in the browser",
        "One server process. At each table a person, who takes 1 to 3 seconds for "
        "a move, and two club bots at the normal tempo; from action to seen is from the command of a person "
        f"to its answer and the new scene on his page, over a socket.{first}",
        (
            table(("database", f"most tables with p99 under {1000 * SLOW:.0f} ms", "most tried"), holds),
            table(head, rows),
            table(("database", *IDLE), idle_rows),
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
        (*bars, script),
    )


def _loads() -> Any:
    """What puts servers under load; it needs the folder of the tests."""
    sys.path.append(str(ROOT / "tests"))
    return import_module("benchmarks.table_load")


def _figures(stage: Any) -> tuple[object, ...]:
    return (
        stage.tables,
        stage.moves,
        1000 * stage.median,
        1000 * stage.p99,
        stage.cores,
        1000 * stage.cost,
        1000 * stage.append,
        1000 * stage.bot,
        stage.memory / 1000,
    )


def _idle_figures(found: Any) -> tuple[object, ...]:
    return found.sockets, found.memory / 1000, found.cores, 1000 * found.slowest


# --- parts alone ---------------------------------------------------------------------------------------


def main() -> None:
    """Measure a part, and print it."""
    parser = argparse.ArgumentParser(
        description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter
    )
    part = parser.add_mutually_exclusive_group(required=True)
    part.add_argument("--ramp", metavar="TABLES", help="so many tables, then so many: 100,200,300")
    part.add_argument("--idle", type=int, metavar="SOCKETS", help="so many sockets over which nothing goes")
    part.add_argument("--soak", type=float, metavar="MINUTES", help="a steady load for so long")
    parser.add_argument("--seconds", type=float, default=30.0, help="for which each stage is looked at")
    parser.add_argument("--tables", type=int, default=100, help="that are played at with --soak")
    parser.add_argument("--database", default="SQLite", choices=("SQLite", "PostgreSQL"))
    given, loads = parser.parse_args(), _loads()
    with loads.servers() as servers, servers[given.database] as server:
        if given.ramp:
            stages = tuple(map(int, given.ramp.split(",")))
            print(*asyncio.run(loads.ramp(server, stages, given.seconds, inf)), sep="\n")
        elif given.idle:
            print(asyncio.run(loads.idle(server, given.idle, given.seconds)))
        else:
            _print_soak(loads, asyncio.run(loads.soak(server, given.tables, given.soak)))


def _print_soak(loads: Any, samples: list[Any]) -> None:
    for one in samples:
        held = f"{one.memory / 1e6:7.1f} MB  {one.files:5.0f} files  {one.tables:4.0f} tables"
        print(f"{60 * one.hours:6.1f} min  {held}")
    settled = samples[len(samples) // 4 :]  # at first caches fill
    for what, unit, size in (("memory", "MB", 1e6), ("files", "files", 1)):
        slope = loads.growth([(one.hours, getattr(one, what)) for one in settled]) / size
        print(f"{what}: {slope:+.2f} {unit} an hour, without the first quarter")


if __name__ == "__main__":
    main()
