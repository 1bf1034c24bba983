"""Many deals side by side (`ultimo.kernel.batch`): compiled players, and players in numpy from outside."""

from __future__ import annotations

import numpy as np
from benchmarks.measure import Job, in_turns
from benchmarks.playouts import job
from benchmarks.report import Bar, Section, table

from ultimo import rulebook
from ultimo.kernel.batch import Batch
from ultimo.kernel.jit import Ints
from ultimo.play.following import FIRST_TRUMP

SIZES = (1, 16, 256, 4096, 65536)
USUAL = 4096
TRUMP_BITS = 22  # the other actions follow the trumps in number, as they do in the masks side by side
HALVES = tuple((half, (1 << half) - 1) for half in (32, 16, 8, 4, 2, 1))


def at_random(batch: Batch, rng: np.random.Generator) -> Ints:
    """A legal action for each deal, each as likely as another; anything for a deal that is over."""
    suits, others = batch.suits, batch.trumps | batch.words << TRUMP_BITS
    of_suits = np.bitwise_count(suits).astype(np.int64)
    every = of_suits + np.bitwise_count(others)
    nth = (rng.random(len(every)) * every).astype(np.int64)
    beyond = nth >= of_suits
    chosen = nth_bit(np.where(beyond, others, suits), nth - of_suits * beyond)
    chosen += FIRST_TRUMP * beyond
    return chosen


def nth_bit(words: Ints, nth: Ints) -> Ints:
    """The place of the nth bit of each word that is set: it is in the lower or the upper half, and so on."""
    place = np.zeros_like(words)
    for half, lower in HALVES:
        below = np.bitwise_count(words & lower)
        upper = nth >= below
        nth = nth - below * upper
        jump = half * upper
        words = words >> jump
        place += jump
    return place


def compiled(book: str, deals: int, size: int) -> Job:
    """So many deals in batches, with compiled random players."""
    rules = rulebook.load(book)

    def play() -> float:
        for first in range(0, deals, size):
            Batch(rules, deals=size, seed=1, first=first).play()
        return deals

    return play


def from_numpy(book: str, deals: int, size: int) -> Job:
    """So many deals in batches, with random players in numpy that look at the legal masks."""
    rules = rulebook.load(book)
    rng = np.random.default_rng(1)

    def play() -> float:
        for first in range(0, deals, size):
            batch = Batch(rules, deals=size, seed=1, first=first)
            while not batch.done.all():
                batch.step(at_random(batch, rng))
        return deals

    return play


def measure(full: bool) -> Section:
    """By size of batch, and every rule set at the usual size."""
    turns = 5 if full else 3
    by_size = []
    for size in SIZES:
        deals = max(size, min(64, 1024 * size) if size < 16 else 8192)
        jobs = {"compiled": compiled("hermansen", deals, size), "numpy": from_numpy("hermansen", deals, size)}
        rates = in_turns(jobs, turns)
        by_size.append((f"{size:,}", rates["compiled"].cpu, rates["numpy"].cpu))
    by_book, bars = [], []
    for book in rulebook.ids():
        jobs = {
            "loop": job(book, 20_000),
            "compiled": compiled(book, 4 * USUAL, USUAL),
            "numpy": from_numpy(book, USUAL, USUAL),
        }
        loop, inside, outside = (rate.cpu for rate in in_turns(jobs, turns).values())
        by_book.append((book, loop, inside, outside, inside / loop, outside / loop))
        if book == "hermansen":
            bars = [
                Bar("hermansen in batches, compiled players", 350_000, inside, " deals/s"),
                Bar("hermansen in batches, players in numpy", 25_000, outside, " deals/s"),
            ]
    return Section(
        "Batches",
        "Complete random deals a second on one core. The players in numpy are given the masks of legal "
        "actions and choose with array operations alone; each action is checked.",
        (
            table(("deals in a batch (hermansen)", "compiled players", "players in numpy"), by_size),
            table(
                (
                    f"rule set, {USUAL:,} in a batch",
                    "no batch",
                    "compiled players",
                    "players in numpy",
                    "compiled × no batch",
                    "numpy × no batch",
                ),
                by_book,
            ),
        ),
        tuple(bars),
    )
