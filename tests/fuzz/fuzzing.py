"""The run of a fuzzer: many cases, each bounded in time and memory; a failure can be made again.

In `make test` a target tries a fixed number of cases that all follow from a fixed seed. In `make long` it
goes on for an hour from a seed of its own, and prints it. An input that fails is kept in `.fuzz/`.
"""

from __future__ import annotations

import os
import resource
import secrets
import signal
import time
from collections import Counter
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from pathlib import Path
from random import Random
from types import FrameType
from typing import Final, TypeVar

LONG: Final = "ULTIMO_LONG" in os.environ
SEED: Final = "1"
LONG_SECONDS: Final = float(os.environ.get("ULTIMO_FUZZ_SECONDS", "3600"))
CPU_SECONDS: Final = 10.0  # of the processor, which one case may take; nearly all take a thousandth of it
MEMORY: Final = 768 * 1024 * 1024  # bytes that one case may take beyond what there was
STATM: Final = Path("/proc/self/statm")
KEPT: Final = Path(__file__).parents[2] / ".fuzz"

T = TypeVar("T")


class TooSlow(Exception):
    """One case has taken more than its time."""


def _alarm(_: int, __: FrameType | None) -> None:
    raise TooSlow(f"more than {CPU_SECONDS} s of the processor")


@contextmanager
def bounded() -> Iterator[None]:
    """Around one case: raises `TooSlow` or `MemoryError` where it takes too much."""
    limits = resource.getrlimit(resource.RLIMIT_AS)
    if STATM.exists():
        now = int(STATM.read_text().split()[0]) * resource.getpagesize()
        resource.setrlimit(resource.RLIMIT_AS, (now + MEMORY, limits[1]))
    before = signal.signal(signal.SIGVTALRM, _alarm)
    signal.setitimer(signal.ITIMER_VIRTUAL, CPU_SECONDS)
    try:
        yield
    finally:
        signal.setitimer(signal.ITIMER_VIRTUAL, 0)
        signal.signal(signal.SIGVTALRM, before)
        resource.setrlimit(resource.RLIMIT_AS, limits)


def fuzz(target: str, cases: int, make: Callable[[Random], T], check: Callable[[T], str]) -> Counter[str]:
    """Make and check inputs; how often each thing came of it, as `check` names it."""
    seed = secrets.token_hex(4) if LONG else SEED
    end = time.monotonic() + LONG_SECONDS
    if LONG:
        print(f"fuzz {target}: seed {seed}")
    found: Counter[str] = Counter()
    number = 0
    while time.monotonic() < end if LONG else number < cases:
        one = make(Random(f"{target}:{seed}:{number}"))
        try:
            with bounded():
                found[check(one)] += 1
        except BaseException as error:
            raise AssertionError(
                f"{target}, seed {seed}, case {number}: {type(error).__name__}: {str(error)[:500]}; "
                f"the input is in {keep(target, f'{seed}-{number}', one)}"
            ) from error
        number += 1
    return found


def keep(target: str, name: str, one: object) -> Path:
    """Keep an input that has failed."""
    KEPT.mkdir(exist_ok=True)
    path = KEPT / f"{target}-{name}"
    path.write_bytes(one if isinstance(one, bytes) else repr(one).encode("utf-8", "surrogatepass"))
    return path
