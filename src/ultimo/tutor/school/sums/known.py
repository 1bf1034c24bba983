"""Where the sums are known by their names."""

from __future__ import annotations

from collections.abc import Callable
from typing import TypeAlias

Sum: TypeAlias = Callable[[list[str]], int]
SUMS: dict[str, Sum] = {}


def known(work: Sum) -> Sum:
    """Make a sum known, by its name in camel case."""
    first, *others = work.__name__.split("_")
    SUMS[first + "".join(map(str.capitalize, others))] = work
    return work
