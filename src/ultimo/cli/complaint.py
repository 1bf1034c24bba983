"""What a user is told when something is wrong with what they gave."""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import contextmanager

from ultimo.files import shortened

SPACES = "\N{NO-BREAK SPACE}\N{NARROW NO-BREAK SPACE}"  # of sentences; Python does not call them printable


class Complaint(Exception):
    """What is wrong, in one line; the program ends with status 1."""

    def __str__(self) -> str:
        """The reason as a terminal can show it: without what would move its cursor, and not endless."""
        said = shortened(super().__str__())
        return "".join(one if one.isprintable() or one in SPACES else ascii(one)[1:-1] for one in said)


@contextmanager
def complaining(*errors: type[Exception], about: str = "") -> Iterator[None]:
    """Around what is done, or a function: turns these errors into complaints."""
    try:
        yield
    except errors as error:
        raise Complaint(f"{about}{error}") from error
