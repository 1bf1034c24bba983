"""`ultimo warm`: compile what must be fast, before anybody waits for it.

Compiled code is kept, so that this takes its time once for each version of the program.
"""

from __future__ import annotations

import os
import sys
from argparse import ArgumentParser, Namespace
from concurrent.futures import ProcessPoolExecutor, as_completed
from multiprocessing import get_context
from time import perf_counter

from ultimo.players.warming import CLUB, PARTS, compile_part


def arguments(parser: ArgumentParser) -> None:
    """The arguments of the command."""
    parser.add_argument(
        "--for",
        dest="purpose",
        choices=("all", "club"),
        default="all",
        help="everything, or only what bots up to club level need (default: all)",
    )
    parser.add_argument("--cores", metavar="N", type=int, help="processors to use (default: all)")


def run(arguments: Namespace) -> int:
    """Run the command."""
    began = perf_counter()
    cores = max(1, arguments.cores or len(os.sched_getaffinity(0)))
    parts = CLUB if arguments.purpose == "club" else tuple(PARTS)
    print(f"compiling {', '.join(parts)} …", file=sys.stderr, flush=True)
    with ProcessPoolExecutor(min(cores, len(parts)), get_context("spawn")) as pool:
        waiting = [pool.submit(compile_part, name) for name in parts]
        for done in as_completed(waiting):
            name, seconds = done.result()
            print(f"  {name}: {seconds:.1f} s", file=sys.stderr, flush=True)
    print(f"ready after {perf_counter() - began:.1f} s", file=sys.stderr)
    return 0
