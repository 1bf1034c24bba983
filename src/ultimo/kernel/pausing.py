"""How a search pauses: it is granted a few positions at a time, and asks for more where it stands.

Its thread calls back into Python for them, deep in the compiled search, and may be kept waiting there: what
it has on its stack and in its table stays, so that a pause costs nothing and changes nothing. Without a pause
to make, a search is granted all its positions at once and stops when it has visited them.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator
from contextlib import contextmanager
from contextvars import ContextVar
from typing import TypeAlias

from ultimo.kernel.jit import COMPILED

Pause: TypeAlias = Callable[[], bool]  # may wait; whether the search goes on

GRANT = 1 << 12  # positions: a fraction of a millisecond where the search is compiled


class Abandoned(Exception):
    """A search that does not go on."""


class _Pauses:
    """The pauses of the searches of one thread, and the positions that the present one may still visit."""

    def __init__(self, pause: Pause) -> None:
        self.pause, self.left = pause, 0

    def grant(self) -> int:
        """How many positions more."""
        if not self.left or not self.pause():
            return 0
        granted = min(GRANT, self.left)
        self.left -= granted
        return granted


_pauses: ContextVar[_Pauses] = ContextVar("pauses")


@contextmanager
def pausing(pause: Pause) -> Iterator[None]:
    """Within this context, searches of one thread ask `pause` for every few positions."""
    token = _pauses.set(_Pauses(pause))
    try:
        yield
    finally:
        _pauses.reset(token)


def granted(most: int) -> int:
    """How many positions a search that may visit `most` gets at first. Raises `Abandoned`."""
    pauses = _pauses.get(None)
    if pauses is None:
        return most
    pauses.left = most
    first = pauses.grant()
    if most and not first:
        raise Abandoned
    return first


def _more() -> int:
    """How many positions more a search may visit that has visited those it was granted; 0: it stops."""
    pauses = _pauses.get(None)
    return 0 if pauses is None else pauses.grant()


more_positions: Callable[[], int] = _more

if COMPILED:
    import ctypes

    from llvmlite.binding import add_symbol
    from numba import types
    from numba.core.typing import signature

    _called = ctypes.CFUNCTYPE(ctypes.c_int64)(more_positions)  # takes the lock of the interpreter
    add_symbol("ultimo_more", ctypes.cast(_called, ctypes.c_void_p).value)
    more_positions = types.ExternalFunction("ultimo_more", signature(types.int64))
