"""Change every value of every rulebook in turn and see whether a test notices: `make mutate`.

The tests of tests/rulebook are collected once. For each change a child process is forked, the rulebook is
changed in its memory, and the tests are run until one fails: first those that noticed the same parameter
before, then those seen to read this rulebook, the quick ones first, then all others (a test may hold a book
that was read before it began). Two questions are answered:

- does any test of *behaviour* notice? (all but the tables of values and words, see DATA)
- if not, do at least the tables of values?

What has been found out is kept in .pytest_cache, so that a run can be broken off and taken up again; while
neither source nor tests have changed nothing is run twice, and after a change the old killers go first.

    python tools/mutate_rulebooks.py [--books jensen dtf] [--keys cups skus.rename] [--sample 100] [--fresh]
"""

from __future__ import annotations

import argparse
import gc
import hashlib
import json
import os
import random
import selectors
import signal
import sys
import time
from collections import Counter
from collections.abc import Callable, Iterable, Iterator
from functools import partial
from pathlib import Path
from typing import Any

ROOT = Path(__file__).parents[1]
sys.path[:0] = [str(ROOT / "tests"), str(ROOT / "src")]

import msgspec  # noqa: E402
import pytest  # noqa: E402

from properties.alternatives import Change, changes, spelled  # noqa: E402
from ultimo import rulebook  # noqa: E402

TESTS = ROOT / "tests" / "rulebook"
DATA = ("test_rulebooks_as_data.py", "test_house_rules.py", "test_damaged_records.py", "test_names.py")
CACHE = ROOT / ".pytest_cache" / "mutations.json"
PATIENCE = 180  # seconds after which a child is stuck, which is noticed too


# --- one change, in memory -----------------------------------------------------------------------------


def mutate(book: str, change: Change) -> None:
    """Change a rulebook for the rest of this process: as it is read, and wherever it has been read before."""
    key, value = change
    plain, whole = rulebook.load(book), rulebook.load(book, dict([change]))
    resolved = rulebook._resolved

    def changed(wanted: str) -> dict[str, Any]:
        tables = resolved(wanted)
        return rulebook._put(wanted, tables, key, value) if wanted == book else tables

    vars(rulebook)["_resolved"] = changed
    before = rulebook.parameters(plain)[key]
    for rules in [one for one in gc.get_objects() if type(one) is type(plain) and one.id == book]:
        if rules is plain or rulebook.parameters(rules).get(key) == before:
            _overwrite(rules, whole, key.split("."))


def _overwrite(rules: Any, whole: Any, words: list[str]) -> None:
    """Give `rules` the value that `whole` has; tables on the way are replaced, for books may share them."""
    fields = {field.encode_name: field.name for field in msgspec.structs.fields(rules)}
    name = fields[words[0]]
    inner = getattr(rules, name)
    if len(words) > 1 and isinstance(inner, msgspec.Struct):
        inner = msgspec.structs.replace(inner)
        _overwrite(inner, getattr(whole, name), words[1:])
    else:
        inner = getattr(whole, name)
    msgspec.structs.force_setattr(rules, name, inner)


# --- the tests -----------------------------------------------------------------------------------------


class Session:
    """The collected tests, which books each of them uses and how long it takes."""

    def __init__(self, session: pytest.Session) -> None:
        self.session = session
        self.items = {item.nodeid: item for item in session.items}
        self.failed: str = ""
        session.config.pluginmanager.register(self)

    def pytest_runtest_logreport(self, report: pytest.TestReport) -> None:
        if report.failed:
            self.failed = report.nodeid

    def run(self, nodeid: str) -> bool:
        """Whether a test passes."""
        self.failed = ""
        item = self.items[nodeid]
        item.config.hook.pytest_runtest_protocol(item=item, nextitem=None)
        return not self.failed

    def survey(self) -> dict[str, dict[str, Any]]:
        """Every test run once as it is: whether it passes, how long it takes, which books it reads."""
        used: set[str] = set()
        for reader in ("_resolved", "_plain"):
            vars(rulebook)[reader] = _noticing(vars(rulebook)[reader], used)
        found = {}
        for number, nodeid in enumerate(self.items, 1):
            used.clear()
            start = time.monotonic()
            passes = self.run(nodeid)
            found[nodeid] = {"passes": passes, "time": time.monotonic() - start, "books": sorted(used)}
            progress("survey", number, len(self.items), "")
        return found


def _noticing(reader: Callable[[str], Any], used: set[str]) -> Callable[[str], Any]:
    """A reader of rulebooks that writes down which it was asked for."""

    def noticed(book: str) -> Any:
        used.add(book)
        return reader(book)

    return noticed


def is_data(nodeid: str) -> bool:
    """Whether a test is one of the tables of values."""
    return any(f"/{name}::" in nodeid for name in DATA)


def first_killer(tests: Session, book: str, change: Change, order: list[str]) -> str:
    """The first test that fails after a change; none, if the text is empty."""
    mutate(book, change)
    for nodeid in order:
        if not tests.run(nodeid):
            return nodeid
    return ""


# --- children ------------------------------------------------------------------------------------------


def forked(work: Callable[[], Any], patience: int = PATIENCE) -> tuple[int, int]:
    """Start `work` in a child; its process id, and a pipe from which its answer can be read as JSON."""
    reading, writing = os.pipe()
    child = os.fork()
    if child:
        os.close(writing)
        return child, reading
    os.close(reading)
    signal.alarm(patience)
    silence = os.open(os.devnull, os.O_WRONLY)
    os.dup2(silence, 1)
    os.dup2(silence, 2)
    try:
        answer = json.dumps(work())
    except BaseException as error:  # a rulebook so strange that the tests cannot even run
        answer = json.dumps(f"{type(error).__name__} while running the tests")
    with os.fdopen(writing, "w") as pipe:
        pipe.write(answer)
    os._exit(0)


def answer_of(child: int, reading: int) -> Any:
    """What a child has found out; that it got stuck is an answer too."""
    with os.fdopen(reading) as pipe:
        text = pipe.read()
    os.waitpid(child, 0)
    return json.loads(text) if text else "stuck"


# --- all changes ---------------------------------------------------------------------------------------


class Campaign:
    """All changes, and what is known about them."""

    def __init__(self, tests: Session, given: argparse.Namespace) -> None:
        self.tests = tests
        self.given = given
        before = json.loads(CACHE.read_text()) if CACHE.exists() and not given.fresh else {}
        hints = before.get("hints", {}) | before.get("found", {})
        self.known: dict[str, Any] = {"fingerprint": fingerprint(), "survey": {}, "found": {}, "hints": hints}
        if before.get("fingerprint") == fingerprint():
            self.known = before
        self.killers: dict[str, Counter[str]] = {}
        for name, verdict in hints.items():
            self._remember(name, verdict)

    def run(self) -> None:
        """Try what has not been tried, two at a time, and keep what is found."""
        if not self.known["survey"]:
            child, reading = forked(self.tests.survey, patience=0)
            self.known["survey"] = answer_of(child, reading)
            self._save()
        todo = [one for one in self._wanted() if name_of(*one) not in self.known["found"]]
        random.Random(1).shuffle(todo)
        todo = todo[: self.given.sample] if self.given.sample else todo
        running: dict[int, tuple[int, str, Change]] = {}
        waiting = selectors.DefaultSelector()
        total, done = len(todo), 0
        while todo or running:
            while todo and len(running) < self.given.jobs:
                book, change = todo.pop()
                child, reading = forked(partial(self._try, book, change))
                running[reading] = (child, book, change)
                waiting.register(reading, selectors.EVENT_READ)
            for key, _ in waiting.select():
                waiting.unregister(key.fd)
                child, book, change = running.pop(key.fd)
                self._found(name_of(book, change), answer_of(child, key.fd))
                done += 1
                progress("mutate", done, total, name_of(book, change))

    def _try(self, book: str, change: Change) -> dict[str, str]:
        """Who notices a change: a test of behaviour, or else a table of values."""
        behaviour = first_killer(self.tests, book, change, self._order(book, change, data=False))
        if behaviour:
            return {"behaviour": behaviour, "data": ""}
        data = next((test for test in self._order(book, change, data=True) if not self.tests.run(test)), "")
        return {"behaviour": "", "data": data}

    def _order(self, book: str, change: Change, *, data: bool) -> list[str]:
        """The tests that pass without the change: likely ones, then readers of the book, then quick ones."""
        survey = self.known["survey"]
        likely = self.killers.get(change[0], Counter())
        hint = self.known["hints"].get(name_of(book, change), {})
        able = [test for test, about in survey.items() if about["passes"] and is_data(test) == data]

        def promise(test: str) -> tuple[bool, int, bool, float]:
            reads = book in survey[test]["books"]
            return test not in hint.values(), -likely[test], not reads, round(survey[test]["time"], 3)

        return sorted(able, key=promise)

    def _found(self, name: str, verdict: Any) -> None:
        verdict = verdict if isinstance(verdict, dict) else {"behaviour": verdict, "data": ""}
        self.known["found"][name] = verdict
        self._remember(name, verdict)
        self._save()

    def _remember(self, name: str, verdict: dict[str, str]) -> None:
        key = name.partition(":")[2].partition("=")[0]
        self.killers.setdefault(key, Counter()).update(test for test in verdict.values() if test)

    def _wanted(self) -> Iterator[tuple[str, Change]]:
        for book in self.given.books:
            for change in changes(book):
                if change[0].startswith(tuple(self.given.keys)):
                    yield book, change

    def _save(self) -> None:
        CACHE.parent.mkdir(exist_ok=True)
        fresh = CACHE.with_suffix(".new")
        fresh.write_text(json.dumps(self.known, indent=1))
        fresh.replace(CACHE)

    def report(self) -> Iterator[str]:
        """Tables of the changes that no test of behaviour, and that no test at all has noticed."""
        wanted = [name_of(book, change) for book, change in self._wanted()]
        found = {name: self.known["found"][name] for name in wanted if name in self.known["found"]}
        quiet = [name for name, verdict in found.items() if not verdict["behaviour"]]
        unseen = [name for name in quiet if not found[name]["data"]]
        broken = [test for test, about in self.known["survey"].items() if not about["passes"]]
        yield f"{len(found)} of {len(wanted)} changes tried, with {len(self.known['survey'])} tests"
        if broken:
            yield f"{len(broken)} tests fail without any change and were left out: {', '.join(broken[:5])} …"
        yield f"(a) noticed by no test:              {len(unseen)}"
        yield f"(b) noticed by no test of behaviour: {len(quiet)}"
        if quiet:
            yield ""
            yield "| book | parameter | changed to | the tables of values notice |"
            yield "|---|---|---|---|"
        for name in quiet:
            book, _, change = name.partition(":")
            key, _, value = change.partition("=")
            yield f"| {book} | {key} | `{value}` | {'yes' if found[name]['data'] else 'NO'} |"


def name_of(book: str, change: Change) -> str:
    """A change of a book in one word: `jensen:cups.ante=6`."""
    return f"{book}:{spelled(change)}"


def fingerprint() -> str:
    """What the verdicts depend on: the source and the tests."""
    files: Iterable[Path] = sorted(
        file
        for folder in (ROOT / "src", TESTS, ROOT / "tests" / "data")
        for file in folder.rglob("*")
        if file.suffix in (".py", ".toml", ".json")
    )
    digest = hashlib.sha256()
    for file in (*files, *sorted((ROOT / "tests").glob("*.py"))):
        digest.update(file.read_bytes())
    return digest.hexdigest()[:16]


def progress(what: str, done: int, total: int, name: str) -> None:
    """A bar, where there is somebody to see it."""
    if sys.stderr.isatty() or done == total or done % 50 == 0:
        width = 30 * done // max(total, 1)
        end = "\r" if sys.stderr.isatty() and done < total else "\n"
        print(
            f"{what} [{'#' * width:30}] {done}/{total} {name[:60]:60}", end=end, file=sys.stderr, flush=True
        )


class Plugin:
    """Takes the place of pytest's own loop."""

    def __init__(self, given: argparse.Namespace) -> None:
        self.given = given
        self.lines: list[str] = []

    def pytest_runtestloop(self, session: pytest.Session) -> bool:
        campaign = Campaign(Session(session), self.given)
        try:
            campaign.run()
        finally:
            self.lines = list(campaign.report())
        return True


def main() -> int:
    """Run the campaign and print the survivors; fails if there are any that no test notices."""
    parser = argparse.ArgumentParser(
        description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter
    )
    parser.add_argument("--books", nargs="*", default=rulebook.ids())
    parser.add_argument("--keys", nargs="*", default=[""], help="parameters that begin with one of these")
    parser.add_argument("--jobs", type=int, default=os.cpu_count() or 1)
    parser.add_argument("--sample", type=int, default=0, help="so many of them, drawn at random")
    parser.add_argument("--fresh", action="store_true", help="forget what is known")
    plugin = Plugin(parser.parse_args())
    os.chdir(ROOT)
    quiet = ["-s", "-p", "no:cacheprovider", "-p", "no:terminal", "-p", "no:xdist", "-p", "no:timeout"]
    pytest.main([str(TESTS), "-o", "addopts=", "--strict-markers", *quiet], plugins=[plugin])
    print("\n".join(plugin.lines))
    return 1 if any(line.endswith("| NO |") for line in plugin.lines) else 0


if __name__ == "__main__":
    sys.exit(main())
