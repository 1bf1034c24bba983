"""Where compiled code is kept, found without the compiler.

It lies in folders named by the sources it came from, so that a change anywhere in the rules compiles it anew:
numba itself watches only the file of the function that it was asked for.
"""

from __future__ import annotations

import hashlib
import os
import platform
import re
import sys
from functools import cache
from importlib.metadata import PackageNotFoundError, version
from pathlib import Path

IMPORT = re.compile(r"^ *from (ultimo[\w.]*) import (\([^)]*\)|[^\n]*)", re.MULTILINE)


def compiler() -> str | None:
    """The version of the compiler that is used here; None if the kernel runs as Python."""
    if os.environ.get("NUMBA_DISABLE_JIT", "0") not in ("", "0"):
        return None
    try:
        return version("numba")
    except PackageNotFoundError:
        return None


def is_linked() -> bool:
    """Whether functions come together as in `linking.py`; with `ULTIMO_LINKING=off` in numba's own way."""
    return compiler() is not None and os.environ.get("ULTIMO_LINKING", "on") != "off"


def cache_home() -> Path:
    """The folder of all that is kept: `ULTIMO_CACHE`, or one in the user's cache."""
    given = os.environ.get("ULTIMO_CACHE")
    return Path(given or Path(os.environ.get("XDG_CACHE_HOME") or Path.home() / ".cache", "ultimo"))


def cache_folder(module: str) -> Path:
    """Where the compiled code of a module is kept: named by the sources of all that it imports of ours."""
    return cache_home() / f"{module.rpartition('.')[2]}-{_digest(module)}"


def stamp(name: str, module: str) -> Path:
    """The file that is there once everything is compiled that the module calls, here and by this compiler."""
    place = f"{_source(module)} {compiler()}"
    return cache_home() / f"{name}-{_digest(module, place)}.ready"


@cache
def _digest(module: str, place: str = "") -> str:
    digest = hashlib.sha256(f"{sys.version_info[:2]} {platform.machine()} {is_linked()}{place}".encode())
    for name in sorted(imported(module)):
        digest.update(_source(name).read_bytes())
    return digest.hexdigest()[:16]


@cache
def imported(module: str) -> frozenset[str]:
    """A module with all of ours that it imports, directly or not."""
    if not _source(module).exists():  # not one of ours
        return frozenset()
    found, new = {module}, [module]
    while new:
        fresh = _imports(new.pop()) - found
        found |= fresh
        new += fresh
    return frozenset(found)


@cache
def _imports(module: str) -> frozenset[str]:
    """What a module of ours imports of ours; a package is no module, its rules are in its modules."""
    named = set()
    for package, names in IMPORT.findall(_source(module).read_text(encoding="utf-8")):
        named |= {package, *(f"{package}.{name}" for name in re.findall(r"\w+", names))}
    return frozenset(name for name in named if _source(name).exists())


def _source(module: str) -> Path:
    """The file of a module of ours."""
    return Path(__file__).parents[1].joinpath(*module.split(".")[1:]).with_suffix(".py")
