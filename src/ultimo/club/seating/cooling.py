"""How likely a change for the worse is made in a search that cools down."""

from __future__ import annotations

NEVER = 1e-5


def chances(cold: float) -> list[float]:
    """The chance of a change that costs 0, 1, 2 … units, until there is next to none; one unit has e^-cold.

    It is worked out by products alone: mathematical libraries differ in the last digit of an exponential
    function, and a seed is to give the same plan everywhere.
    """
    unit = 1 - cold / 64
    for _ in range(6):
        unit *= unit
    found = [1.0]
    while found[-1] > NEVER:
        found.append(found[-1] * unit)
    return found
