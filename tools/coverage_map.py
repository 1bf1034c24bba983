"""The map from the specification to tests and code, in docs/coverage.md.

Every case of part G and every interpretation of docs/rules.md must be cited by a test
(`@pytest.mark.cites("G85", "I-8.2")`) and lead to code: an interpretation by being named where it is applied,
a case by the table docs/coverage.toml. Run it to write the map anew; `tests/rulebook/test_coverage_map.py`
fails when the map is stale or has a gap, or when an interpretation is decided in two functions.
"""

from __future__ import annotations

import ast
import importlib
import json
import re
import subprocess
import sys
import tempfile
import tomllib
from collections import defaultdict
from collections.abc import Iterator, Mapping
from pathlib import Path
from typing import NamedTuple

ROOT = Path(__file__).resolve().parent.parent
SPECIFICATION = ROOT / "docs" / "rules.md"
CODE_OF_CASES = ROOT / "docs" / "coverage.toml"
MAP = ROOT / "docs" / "coverage.md"

_CASE = re.compile(r"^\| (\d+[a-z]?) \| ([^|]+) \| ([^|]+) \|", re.MULTILINE)
_INTERPRETATION = re.compile(r"^\* \*\*(I-(?:C|\d+)\.\d+)\b(.*)$", re.MULTILINE)
_NAMED = re.compile(r"I-((?:C|\d+)\.)(\d+)(?:(?: to I-(?:C|\d+)\.|–)(\d+))?")


class Row(NamedTuple):
    """A line of the map."""

    id: str
    what: str
    tests: tuple[str, ...]
    code: tuple[str, ...]


def cases() -> dict[str, str]:
    """The cases of part G by number, with their situations."""
    part = SPECIFICATION.read_text(encoding="utf-8").split("\n# G. Test cases\n")[1]
    return {f"G{number}": f"{who.strip()}: {what.strip()}" for number, who, what in _CASE.findall(part)}


def interpretations() -> dict[str, str]:
    """The interpretations by number, with what they are about."""
    text = SPECIFICATION.read_text(encoding="utf-8")
    return {
        number: re.sub(r"\\?\*", "", rest).split(". ")[0].strip(" .").replace("|", "/")
        for number, rest in _INTERPRETATION.findall(text)
    }


def named_in(text: str) -> Iterator[str]:
    """The interpretations that a text names, ranges written out."""
    for chapter, first, last in _NAMED.findall(text):
        for number in range(int(first), int(last or first) + 1):
            yield f"I-{chapter}{number}"


def code_of_interpretations() -> dict[str, list[str]]:
    """Where each interpretation is applied: the functions, classes and rulebook files that name it."""
    found: dict[str, list[str]] = defaultdict(list)
    for path in sorted((ROOT / "src" / "ultimo").rglob("*")):
        if path.suffix not in (".py", ".toml"):
            continue
        place = path.relative_to(ROOT / "src" / "ultimo").as_posix()
        home = ""
        for line in path.read_text(encoding="utf-8").splitlines():
            if definition := re.match(r"\s*(?:def|class) (\w+)|^\[(\w[\w.]*)\]", line):
                home = definition[1] or f"[{definition[2]}]"
            for interpretation in named_in(line):
                where = f"{place}:{home}" if home else place
                if where not in found[interpretation]:
                    found[interpretation].append(where)
    return found


def decided_several_times() -> dict[str, list[str]]:
    """The interpretations that more than one function names: each is to be decided in one place."""
    found: dict[str, list[str]] = defaultdict(list)
    home = ROOT / "src" / "ultimo"
    for path in sorted(home.rglob("*.py")):
        text = path.read_text(encoding="utf-8")
        lines = text.splitlines()
        for node in ast.walk(ast.parse(text)):
            if isinstance(node, ast.FunctionDef):
                source = "\n".join(lines[node.lineno - 1 : node.end_lineno])
                for interpretation in sorted(set(named_in(source))):
                    found[interpretation].append(f"{path.relative_to(home).as_posix()}:{node.name}")
    return {number: functions for number, functions in sorted(found.items()) if len(functions) > 1}


def allowed_several_times() -> dict[str, str]:
    """The exceptions, each with its reason."""
    found: dict[str, str] = tomllib.loads(CODE_OF_CASES.read_text(encoding="utf-8"))["several"]
    return found


def code_of_cases() -> dict[str, tuple[str, ...]]:
    """The code of each case, from the table; a symbol that does not exist is an error."""
    known = list(cases())
    found: dict[str, tuple[str, ...]] = {}
    for span, symbols in tomllib.loads(CODE_OF_CASES.read_text(encoding="utf-8"))["cases"].items():
        for symbol in symbols:
            module, _, name = symbol.rpartition(".")
            getattr(importlib.import_module(f"ultimo.{module}"), name)
        first, _, last = span.partition("-")
        for number in known[known.index(f"G{first}") : known.index(f"G{last or first}") + 1]:
            if number in found:
                raise ValueError(f"{CODE_OF_CASES.name}: {number} stands there twice")
            found[number] = tuple(symbols)
    return found


def citations() -> dict[str, list[str]]:
    """The tests that cite each case and interpretation, as pytest collects them."""
    with tempfile.TemporaryDirectory() as folder:
        out = Path(folder) / "cites.json"
        command = [sys.executable, "-m", "pytest", "--collect-only", "-q", "-p", "no:xdist", "tests"]
        done = subprocess.run(
            [*command, f"--write-cites={out}"], cwd=ROOT, capture_output=True, text=True, check=False
        )
        if done.returncode:
            raise RuntimeError(done.stdout[-2000:] + done.stderr[-2000:])
        found: dict[str, list[str]] = json.loads(out.read_text(encoding="utf-8"))
        return found


def rows(
    ids: Mapping[str, str], tests: Mapping[str, list[str]], code: Mapping[str, tuple[str, ...] | list[str]]
) -> list[Row]:
    """The map of some cases or interpretations."""
    return [Row(key, what, tuple(tests.get(key, ())), tuple(code.get(key, ()))) for key, what in ids.items()]


def whole_map(cited: dict[str, list[str]] | None = None) -> tuple[list[Row], list[Row]]:
    """The map of the cases, and of the interpretations; without the tests, pytest is asked for them."""
    tests = citations() if cited is None else cited
    return rows(cases(), tests, code_of_cases()), rows(interpretations(), tests, code_of_interpretations())


def gaps(map_rows: list[Row]) -> list[str]:
    """What has no test, or no code."""
    return [f"{row.id}: no test" for row in map_rows if not row.tests] + [
        f"{row.id}: no code" for row in map_rows if not row.code
    ]


def markdown(of_cases: list[Row], of_interpretations: list[Row]) -> str:
    """The map as a page."""
    lines = [
        "# From the specification to tests and code",
        "",
        "Every case of part G and every interpretation of [rules.md](rules.md), the tests that show it and "
        "the code that implements it. Written by `tools/coverage_map.py`; a gap fails the build.",
    ]
    for title, some in (("Cases", of_cases), ("Interpretations", of_interpretations)):
        lines += ["", f"## {title}", "", "| | what | tests | code |", "|---|---|---|---|"]
        lines += [f"| {row.id} | {row.what} | {_cell(row.tests)} | {_cell(row.code)} |" for row in some]
    return "\n".join(lines) + "\n"


def _cell(names: tuple[str, ...]) -> str:
    shown = [f"`{name}`" for name in names[:3]]
    return "<br>".join([*shown, f"and {len(names) - 3} more"] if len(names) > 3 else shown)


if __name__ == "__main__":
    page = whole_map()
    MAP.write_text(markdown(*page), encoding="utf-8")
    missing = [gap for part in page for gap in gaps(part)]
    print("\n".join(missing) or f"{MAP.relative_to(ROOT)}: complete")
    sys.exit(bool(missing))
