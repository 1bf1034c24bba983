"""Where long work may pause, so that a shell can let others go first.

>>> said = []
>>> with pausing(lambda: said.append("a pause")):
...     pause()
>>> pause()
>>> said
['a pause']
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator
from contextlib import contextmanager
from contextvars import ContextVar
from typing import TypeVar

T = TypeVar("T")

_hook: ContextVar[Callable[[], None]] = ContextVar("pause")


def pause() -> None:
    """A point of long work at which others may go first; where nothing was said, it goes on."""
    if (hook := _hook.get(None)) is not None:
        hook()


def with_pauses(some: Iterable[T]) -> Iterator[T]:
    """The same, with a pause before each."""
    for one in some:
        pause()
        yield one


@contextmanager
def pausing(hook: Callable[[], None]) -> Iterator[None]:
    """Within this context, work calls `hook` wherever it may pause."""
    token = _hook.set(hook)
    try:
        yield
    finally:
        _hook.reset(token)
