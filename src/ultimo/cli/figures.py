"""What the commands that measure have in common: needs, complaints, and figures as people read them."""

from __future__ import annotations

import os
import sys
from argparse import ArgumentParser, ArgumentTypeError, Namespace, _ArgumentGroup
from collections.abc import Iterator, Mapping
from contextlib import contextmanager
from importlib.util import find_spec
from math import floor, isnan, log10
from typing import TYPE_CHECKING

import msgspec

from ultimo.cli.complaint import Complaint
from ultimo.players.player import split

if TYPE_CHECKING:
    from ultimo.analysis.executing import Executor
    from ultimo.analysis.statistics import Interval

# What is told where house rules are played: bots weigh what they were tuned for.
BOOK_PRICES = {
    "danish": "the bots were tuned to the books’ prices, and of others they know only some",
    "french": "the bots were tuned to the books’ prices: they bid and play as if nothing else were paid",
}


def positive(text: str) -> int:
    """A number of deals."""
    if not text.isdecimal() or not int(text):
        raise ArgumentTypeError(f"{text!r} must be a whole number, 1 or more")
    return int(text)


def need(package: str, extra: str = "analysis") -> None:
    """Complain, with what to do about it, if a package is not installed."""
    if find_spec(package) is None:
        raise Complaint(f'this needs {package}: pip install "ultimo[{extra}]"')


def levels(text: str, table: int | None, otherwise: int) -> list[str]:
    """The level of each player: one for all who sit at the table, or one for each."""
    found = split(text)
    if len(found) == 1:
        return found * (table or otherwise)
    if table not in (None, len(found)):
        raise Complaint(f"--players: {len(found)} levels for {table} seats")
    return found


def add_cluster(parser: ArgumentParser | _ArgumentGroup) -> None:
    """The option of all commands whose work can be done on other machines."""
    parser.add_argument(
        "--cluster",
        metavar="WHERE",
        type=_cluster,
        help="use a Dask cluster: tcp://HOST:PORT of its scheduler, or local:N to start N workers here",
    )


def _cluster(text: str) -> str:
    """Where a cluster is."""
    local = text.removeprefix("local:")
    if local != text and local.isdecimal() and int(local):
        return text
    if text.startswith(("tcp://", "tls://")) and text.rpartition(":")[2].isdecimal():
        return text
    raise ArgumentTypeError(f"{text!r} is neither tcp://HOST:PORT nor local:N")


@contextmanager
def executor(arguments: Namespace, jobs: int, option: str = "cores") -> Iterator[Executor]:
    """Where so many jobs are done; `option` says how many processes at most, if not all processors."""
    from ultimo.analysis import executing

    most, cluster = getattr(arguments, option), arguments.cluster
    if cluster is not None:
        if most is not None:
            raise Complaint(f"--cluster and --{option}: use only one of them")
        need("distributed", "cluster")
    processes = max(1, min(most or os.cpu_count() or 1, jobs))
    with executing.executor(processes, cluster, lambda said: print(said, file=sys.stderr)) as on:
        yield on


@contextmanager
def running(file: object = None) -> Iterator[None]:
    """What goes wrong in a run, or with its file, is a complaint."""
    from ultimo.analysis.runs import RunError, WorkerEnded

    try:
        yield
    except WorkerEnded as error:
        again = "" if file is None else "; the same command goes on where it stopped"
        raise Complaint(f"{error}{again}") from error
    except RunError as error:
        raise Complaint(error) from error
    except OSError as error:
        raise Complaint(f"{error.filename or file}: {error.strerror}") from error


@contextmanager
def drawing(place: str) -> Iterator[None]:
    """What goes wrong with pictures is a complaint."""
    try:
        yield
    except OSError as error:
        raise Complaint(f"{place}: {error.strerror}") from error


def print_json(told: object) -> None:
    """What a program is told."""
    print(msgspec.json.format(msgspec.json.encode(told), indent=2).decode())


def faults(label: str, found: Mapping[str, tuple[int, str]]) -> Iterator[str]:
    """In how many deals a program failed, in which ways, and what it did the first time."""
    number = sum(count for count, _ in found.values())
    yield f"{label}: it failed in {number:,} deals, which a club player has finished"
    for kind, (count, first) in sorted(found.items()):
        yield f"    {kind:<8} {count:>6,}   first {first}"


# --- figures -------------------------------------------------------------------------------------------


def percent(share: float) -> str:
    """A share, with as many digits as it needs.

    >>> percent(0.0712345), percent(0.00000123), percent(0.0), percent(1.0)
    ('7.123 %', '0.000123 %', '0 %', '100 %')
    """
    return "–" if isnan(share) else f"{_digits(100 * share)} %"


def percents(interval: Interval) -> str:
    """An interval of shares."""
    low, high = interval
    return f"{_digits(100 * low)} to {_digits(100 * high)} %"


def number(value: float) -> str:
    """A mean with its sign."""
    return "–" if isnan(value) else f"{value:+,.2f}".replace("-", "−")


def numbers(interval: Interval) -> str:
    """An interval of means."""
    return "–" if isnan(interval[0]) else f"{number(interval[0])} to {number(interval[1])}"


def _digits(value: float) -> str:
    """A number to four significant digits, never as a power of ten."""
    if value == 0:
        return "0"
    places = 3 - floor(log10(abs(value)))
    return f"{value:.{min(places, 12)}f}".rstrip("0").rstrip(".") if places > 0 else f"{value:.0f}"
