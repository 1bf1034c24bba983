"""Sums of the game that a lesson asks for, so that its numbers are worked out and not only written down.

A sum is written as its name and what it is about: `whip 7`, `pile 9 SK T21`, `frenchPoints SK T1 S5`.
"""

from __future__ import annotations

from ultimo.tutor.school.sums import danish as danish
from ultimo.tutor.school.sums import french as french
from ultimo.tutor.school.sums.known import SUMS


def worked_out(text: str) -> int:
    """What a sum comes to; `LookupError` if there is none of that name."""
    name, *about = text.split()
    return SUMS[name](about)
