"""Parameter mutation: change every single value of every rulebook in turn; some test must fail.

A value that can change unnoticed is dead or untested. The tables of `test_rulebooks_as_data.py`, which repeat
every value, are left out: the tests that kill a mutant must show what the value *does*. A mutant is made in
memory, in a forked child, and the tests most likely to notice come first. Finished mutants are kept in a
cache, so that an interrupted run goes on where it was.

    python tools/mutate_rulebooks.py [--books dtf basta] [--keys skus pay] [--all] [--jobs 2] [--fresh]

`--all` tries every alternative of a value, not only the first; `--quick` runs only the likely tests.
"""

from __future__ import annotations

import argparse
import contextlib
import io
import json
import os
import sys
from collections.abc import Iterator, Sequence
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path
from typing import Any, get_args, get_type_hints

import hypothesis
import pytest

from ultimo import rulebook

ROOT = Path(__file__).resolve().parent.parent
CACHE = ROOT / ".mutants.json"
TESTS = ROOT / "tests" / "rulebook"
NOT_BEHAVIOUR = {
    "test_rulebooks_as_data",
    "test_house_rules",
    "test_coverage_map",
    "test_damaged_records",
    "test_names",
}
LIKELY = {  # where to look first, by the table of a parameter
    "table": ("test_each_book", "test_seating_and_cups", "test_counting"),
    "cups": ("test_each_book", "test_seating_and_cups", "test_session", "test_last_trick"),
    "deal": ("test_each_book", "test_dealing", "test_french_dealing", "test_french_tables", "test_fines"),
    "skat": ("test_each_book", "test_skat", "test_skat_disclosure"),
    "decl": ("test_declarations", "test_fines"),
    "skus": ("test_skus", "test_skus_demand", "test_skus_last_trick"),
    "pay": ("test_payments_in_play", "test_last_trick"),
    "ultimo": ("test_last_trick",),
    "bagud": ("test_last_trick",),
    "lastTrick": ("test_last_trick",),
    "nolo": ("test_each_book", "test_nolo_and_tout", "test_last_trick", "test_counting"),
    "tout": ("test_each_book", "test_nolo_and_tout", "test_last_trick", "test_counting"),
    "count": ("test_counting",),
    "fine": ("test_each_book", "test_fines", "test_fine_effects", "test_bastas_fines"),
    "strict": ("test_fines",),
    "session": ("test_session",),
    "sitter": ("test_each_book",),
    "target": ("test_french_scores", "test_french_tables"),
    "base": ("test_french_scores", "test_french_tables"),
    "petitAuBout": ("test_french_scores", "test_french_tables"),
    "bid": ("test_french_contract", "test_french_scores", "test_french_tables"),
    "poignee": ("test_french_poignees", "test_french_tables"),
    "excuse": ("test_french_excuse", "test_french_tables"),
    "slam": ("test_french_scores", "test_french_tables"),
    "call": ("test_french_following", "test_french_contract", "test_french_tables"),
}


# --- mutants -------------------------------------------------------------------------------------------


def mutants(book: str, every: bool) -> Iterator[tuple[str, Any]]:
    """The changes of single values of a rulebook: key and new value."""
    for key, value in rulebook.parameters(rulebook.load(book)).items():
        others = list(alternatives(book, key, value))
        for other in others if every else others[:1]:
            yield key, other


def alternatives(book: str, key: str, value: Any) -> Iterator[Any]:
    """Other values of a parameter."""
    match value:
        case bool():
            yield not value
        case int():
            near = [value + 5, value - 5, value + 1, value - 1]
            yield from [other for other in near if _loads(book, key, other)] or near[:1]
        case str():
            yield from (word for word in _words(type(rulebook.load(book)), key.split(".")) if word != value)
        case list() if value and isinstance(value[0], dict):
            for field, old in value[0].items():
                if isinstance(old, int):
                    yield [{**value[0], field: old + 1}, *value[1:]]
            yield value[:-1]
        case list() if value:
            yield value[:-1]
            if isinstance(value[0], int):
                yield [*value[:-1], value[-1] + 1]
        case list():
            yield from _additions(key)


def _additions(key: str) -> Iterator[Any]:
    """What an empty list might hold."""
    if key.endswith(".effect"):
        yield ["banUltimo"]
    elif key == "nolo.announce":
        yield [{"beforeTrick": 1, "win": 36, "premium": 90, "lose": 10}]
    elif key == "tout.announce":
        yield [{"beforeTrick": 1, "win": 52, "lose": 52}]
    elif key == "call.fallback":
        yield ["queen"]


def _words(kind: Any, path: list[str]) -> tuple[str, ...]:
    """The words a parameter may be, from the types of the rulebook."""
    hints = get_type_hints(kind)
    name = next(field for field in hints if _camel(field) == path[0])
    if path[1:]:
        return _words(hints[name], path[1:])
    words = get_args(hints[name])
    return tuple(word for word in words if isinstance(word, str))


def _camel(name: str) -> str:
    head, *rest = name.split("_")
    return head + "".join(word.capitalize() for word in rest)


def _loads(book: str, key: str, value: Any) -> bool:
    try:
        rulebook.load(book, {key: value})
    except rulebook.RulebookError:
        return False
    return True


# --- killing -------------------------------------------------------------------------------------------


def verdict(book: str, key: str, value: Any, quick: bool) -> str:
    """How a mutant ends: refused by the reader, killed by a test, or alive."""
    if not _loads(book, key, value):
        return "refused"
    likely = [TESTS / f"{name}.py" for name in LIKELY.get(key.split(".")[0], ())]
    first = [path for path in likely if path.exists()]
    rest = [path for path in sorted(TESTS.glob("test_*.py")) if path not in first and _is_behaviour(path)]
    for paths in (first, () if quick else rest):
        if paths and _fails_in_child(book, key, value, paths):
            return "killed"
    return "ALIVE"


def _is_behaviour(path: Path) -> bool:
    return path.stem not in NOT_BEHAVIOUR


def _fails_in_child(book: str, key: str, value: Any, paths: Sequence[Path]) -> bool:
    """Whether the tests fail with this value, tried in a forked child that shares the imports."""
    child = os.fork()
    if child == 0:
        with open(os.devnull, "w") as nowhere, contextlib.redirect_stdout(io.StringIO()):
            os.dup2(nowhere.fileno(), 1)
            os.dup2(nowhere.fileno(), 2)
            _plant(book, key, value)
            arguments = ["-x", "-q", "-p", "no:cacheprovider", "-p", "no:xdist", "--rootdir", str(ROOT)]
            os._exit(int(pytest.main([*arguments, *map(str, paths)])))
    _, status = os.waitpid(child, 0)
    return os.waitstatus_to_exitcode(status) in (pytest.ExitCode.TESTS_FAILED, pytest.ExitCode.INTERRUPTED)


def _plant(book: str, key: str, value: Any) -> None:
    """Let this process read the rulebook with the value changed."""
    resolved = rulebook._resolved

    def mutated(name: str) -> dict[str, Any]:
        tables = resolved(name)
        return rulebook._put(name, tables, key, value) if name == book else tables

    vars(rulebook)["_resolved"] = mutated
    rulebook._plain.cache_clear()
    hypothesis.settings.register_profile("mutants", max_examples=20, database=None)
    hypothesis.settings.load_profile("mutants")


def main() -> int:
    parser = argparse.ArgumentParser(
        description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter
    )
    parser.add_argument("--books", nargs="*", default=rulebook.ids())
    parser.add_argument(
        "--keys", nargs="*", default=[""], help="only parameters that begin with one of these"
    )
    parser.add_argument("--all", action="store_true")
    parser.add_argument("--quick", action="store_true", help="run only the tests most likely to notice")
    parser.add_argument("--jobs", type=int, default=2)
    parser.add_argument("--fresh", action="store_true", help="forget earlier results")
    options = parser.parse_args()
    known: dict[str, str] = {}
    if CACHE.exists() and not options.fresh:
        known = json.loads(CACHE.read_text(encoding="utf-8"))
    todo = [
        (book, key, value)
        for book in options.books
        for key, value in mutants(book, options.all)
        if key.startswith(tuple(options.keys))
    ]

    def one(mutant: tuple[str, str, Any]) -> str:
        name = f"{mutant[0]} {mutant[1]}={json.dumps(mutant[2])}"
        if name not in known:
            known[name] = verdict(*mutant, options.quick)
            CACHE.write_text(json.dumps(known, indent=0), encoding="utf-8")
        return name

    with ThreadPoolExecutor(options.jobs) as pool:
        names = []
        for done, name in enumerate(pool.map(one, todo), 1):
            names.append(name)
            if sys.stderr.isatty() or done % 50 == 0 or known[name] == "ALIVE":
                print(f"{done}/{len(todo)} {known[name]:8} {name}", file=sys.stderr)
    ends = [known[name] for name in names]
    alive = [name for name in names if known[name] == "ALIVE"]
    killed, refused = ends.count("killed"), ends.count("refused")
    print(f"{len(ends)} mutants: {killed} killed, {refused} refused, {len(alive)} alive")
    print("\n".join(alive))
    return bool(alive)


if __name__ == "__main__":
    sys.exit(main())
