"""One source, two speeds: the loops of the kernel run as Python, and compiled where numba is there.

`compiled` hands a function of integers and arrays to numba; without numba, or with `NUMBA_DISABLE_JIT=1`, it
leaves it alone. The functions that the rules share (`play.following.shared`) are made known to the compiler
as they are. Compiled code is kept in a folder named by the sources it came from, so that a change anywhere
in the rules compiles it anew: numba itself watches only the file of the function that it was asked for.
"""

from __future__ import annotations

import hashlib
import os
import platform
import re
import sys
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from functools import cache
from pathlib import Path
from typing import ParamSpec, TypeAlias, TypeVar

import numpy as np
import numpy.typing as npt

from ultimo.play.following import SHARED

try:
    import numba
    import numba.extending
except ImportError:  # the kernel works without it, slowly
    numba = None

P = ParamSpec("P")
R = TypeVar("R")

Ints: TypeAlias = npt.NDArray[np.int64]
Words: TypeAlias = npt.NDArray[np.uint64]

IMPORT = re.compile(r"^ *from (ultimo[\w.]*) import (\([^)]*\)|[^\n]*)", re.MULTILINE)
SMALL = 700  # bytes of Python code; above this a call costs less than the time to compile
COMPILED = numba is not None and not numba.config.DISABLE_JIT
LINKED = COMPILED and os.environ.get("ULTIMO_LINKING", "on") != "off"  # off: numba's own way, see linking.py

if LINKED:
    from ultimo.kernel import linking


def cache_folder(module: str) -> Path:
    """Where the compiled code of a module is kept: in `ULTIMO_CACHE`, or the user's cache.

    The folder is named by the sources of the module and of all that it imports of ours.
    """
    digest = hashlib.sha256(f"{sys.version_info[:2]} {platform.machine()} {LINKED}".encode())
    for name in sorted(_imported(module)):
        digest.update(_source(name).read_bytes())
    home = os.environ.get("ULTIMO_CACHE") or Path(
        os.environ.get("XDG_CACHE_HOME") or Path.home() / ".cache", "ultimo"
    )
    return Path(home, f"{module.rpartition('.')[2]}-{digest.hexdigest()[:16]}")


@cache
def _imported(module: str) -> frozenset[str]:
    """A module of ours with all that it imports, directly or not."""
    found, new = {module}, [module]
    while new:
        source = _source(new.pop())
        text = source.read_text(encoding="utf-8") if source.exists() else ""
        for package, names in IMPORT.findall(text):
            inside = [f"{package}.{name}" for name in re.findall(r"\w+", names)]
            for name in (package, *inside):
                if name not in found and _source(name).exists():
                    found.add(name)
                    new.append(name)
    return frozenset(name for name in found if _source(name).exists())


def _source(module: str) -> Path:
    """The file of a module of ours; a package's rules are in its modules."""
    return Path(__file__).parents[1].joinpath(*module.split(".")[1:]).with_suffix(".py")


def compiled(function: Callable[P, R]) -> Callable[P, R]:
    """The function, compiled when it is first called; its machine code is kept for the next time."""
    if not COMPILED:
        return function
    fast = _compiled(function, True)
    if LINKED:
        linking.collect_later(fast)
    return fast


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


def _compiled(function: Callable[P, R], memory: bool) -> Callable[P, R]:
    for known in SHARED[len(_registered) :]:
        _registered.append(_inlined(known))
    with _caching(function.__module__):
        fast: Callable[P, R] = numba.njit(
            cache=True, error_model="numpy", no_cfunc_wrapper=True, _nrt=memory
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
