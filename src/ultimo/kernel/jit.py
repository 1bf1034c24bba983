"""One source, two speeds: the loops of the kernel run as Python, and compiled where numba is there.

`compiled` hands a function of integers and arrays to numba; without numba, or with `NUMBA_DISABLE_JIT=1`, it
leaves it alone. The functions that the rules share (`play.following.shared`) are made known to the compiler
as they are. Where compiled code is kept, `kernel.cache` says.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator
from contextlib import contextmanager
from typing import TYPE_CHECKING, Any, ParamSpec, TypeAlias, TypeVar

from ultimo.kernel.cache import cache_folder, is_linked
from ultimo.play.following import SHARED

try:
    import numba
    import numba.extending
except ImportError:  # the kernel works without it, slowly
    numba = None

P = ParamSpec("P")
R = TypeVar("R")

if TYPE_CHECKING:
    import numpy as np
    import numpy.typing as npt

    Ints: TypeAlias = npt.NDArray[np.int64]
    Words: TypeAlias = npt.NDArray[np.uint64]
else:
    Ints = Words = Any  # where there is no numpy, what `kernel.arrays` makes

SMALL = 700  # bytes of Python code; above this a call costs less than the time to compile
COMPILED = numba is not None and not numba.config.DISABLE_JIT
LINKED = COMPILED and is_linked()

if LINKED:
    from ultimo.kernel import linking


def compiled(function: Callable[P, R]) -> Callable[P, R]:
    """The function, compiled when it is first called; its machine code is kept for the next time."""
    return _called(function, memory=True, concurrent=False) if COMPILED else function


def concurrent(function: Callable[P, R]) -> Callable[P, R]:
    """The function, compiled so that other threads run while it does: what they share, it must expect.

    It makes no array, as those that are `tight`.
    """
    return _called(function, memory=False, concurrent=True) if COMPILED else function


def tight(function: Callable[P, R]) -> Callable[P, R]:
    """The function, compiled without memory of its own: it makes no array, all come in as arguments.

    Counting the references to an array costs more than playing a card. Its callers call it and do not take
    it in: it is compiled once, whoever calls it.
    """
    if not COMPILED:
        return function
    fast = _compiled(function, False)
    if LINKED:
        linking.set_apart(fast)
    return fast


def inlined(function: Callable[P, R]) -> Callable[P, R]:
    """A function without memory of its own that compiled ones call; from outside it runs as Python."""
    return _inlined(function) if COMPILED else function


def always_inlined(function: Callable[P, R]) -> Callable[P, R]:
    """A large function that becomes part of its callers all the same: in a search every call counts."""
    return _inlined(function, always=True) if COMPILED else function


def _called(function: Callable[P, R], *, memory: bool, concurrent: bool) -> Callable[P, R]:
    """A function that Python calls."""
    fast = _compiled(function, memory, concurrent)
    if LINKED:
        linking.collect_later(fast)
    return fast


def _compiled(function: Callable[P, R], memory: bool, concurrent: bool = False) -> Callable[P, R]:
    for known in SHARED[len(_registered) :]:
        _registered.append(_inlined(known))
    with _caching(function.__module__):
        fast: Callable[P, R] = numba.njit(
            cache=True, error_model="numpy", no_cfunc_wrapper=True, nogil=concurrent, _nrt=memory
        )(function)
    return fast


def _inlined(function: Callable[P, R], always: bool = False) -> Callable[P, R]:
    """Let compiled code call a function; a small one becomes part of its caller."""
    small = always or len(function.__code__.co_code) < SMALL
    if LINKED:
        linking.make_part(function, small)
    else:
        numba.extending.register_jitable(error_model="numpy", forceinline=small, _nrt=False)(function)
    return function


_registered: list[Callable[..., object]] = []  # the rules that the compiler knows


@contextmanager
def _caching(module: str) -> Iterator[None]:
    """Numba's cache in our folder, for the function that is declared meanwhile and for nobody else's."""
    before = numba.config.CACHE_DIR
    numba.config.CACHE_DIR = str(cache_folder(module))
    try:
        yield
    finally:
        numba.config.CACHE_DIR = before
