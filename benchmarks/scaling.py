"""One process against two, each playing random deals of its own."""

from __future__ import annotations

import multiprocessing
import os
from concurrent.futures import Executor, ProcessPoolExecutor

from benchmarks.measure import Job, in_turns
from benchmarks.playouts import playouts
from benchmarks.report import Bar, Section, table

BOOKS = ("hermansen", "french4")


def chunk(book: str, deals: int, number: int) -> int:
    """Deals number `number · deals` … of the run."""
    return playouts(book, deals, first=number * deals)[0]


def spread(pool: Executor, book: str, deals: int, processes: int) -> Job:
    """So many deals in each process; the work is the deals."""
    chunks = range(processes)
    return lambda: sum(pool.map(chunk, [book] * processes, [deals] * processes, chunks))


def measure(full: bool) -> Section:
    """By the clock, since several processes share no processor time."""
    context = multiprocessing.get_context("spawn")
    most = min(4 if full else 2, max(2, os.cpu_count() or 1))
    deals = 400_000 if full else 150_000
    rows = []
    with ProcessPoolExecutor(1, context) as one, ProcessPoolExecutor(most, context) as more:
        for book in BOOKS:
            jobs = {"one": spread(one, book, deals, 1), "more": spread(more, book, deals, most)}
            rates = in_turns(jobs, 5)
            rows.append((book, rates["one"].wall, rates["more"].wall, rates["more"].wall / rates["one"].wall))
    head = ("deals/s by the clock", "1 process", f"{most} processes", f"{most} against 1")
    return Section(
        "One process and more",
        f"Random deals in each process, {deals:,} at a time; {os.cpu_count()} cores.",
        (table(head, rows),),
        tuple(Bar(f"{book}, {most} processes against one", 0.95 * most, row[2], " ×") for book, *row in rows),
    )
