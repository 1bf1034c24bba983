"""What a user is told when something is wrong with what they gave."""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import contextmanager


class Complaint(Exception):
    """What is wrong, in one line; the program ends with status 1."""


@contextmanager
def complaining(*errors: type[Exception], about: str = "") -> Iterator[None]:
    """Around what is done, or a function: turns these errors into complaints."""
    try:
        yield
    except errors as error:
        raise Complaint(f"{about}{error}") from error
