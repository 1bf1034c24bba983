"""What the documents show is what happens: all that is in them runs, and the schemas are up to date.

If the first test fails because the words have changed: `python tools/write_documents.py`.
"""

from __future__ import annotations

import json
import re
import shlex
import tomllib
from itertools import pairwise
from pathlib import Path

import pytest
from jsonschema import Draft202012Validator

from commands import python, ultimo
from ultimo.cli import settle

DOCS = Path(__file__).parents[2] / "docs"
ANYTHING = "…"  # stands for lines, or for the end of a line, that are left out


def _fences(document: str) -> list[tuple[str, str]]:
    """The fenced blocks of a document with what stands behind the fence."""
    text = (DOCS / document).read_text(encoding="utf-8")
    return re.findall(r"^```([^\n`]+)\n(.*?)^```$", text, re.MULTILINE | re.DOTALL)


def _matches(shown: str, printed: str) -> bool:
    pattern = ""
    for line in shown.splitlines():
        whole = line == ANYTHING
        pattern += r"(?:.*\n)*?" if whole else re.escape(line).replace(ANYTHING, ".*") + r"\n"
    return re.fullmatch(pattern, printed) is not None


@pytest.mark.parametrize(
    "document",
    [
        "command-line.md",
        "settle.md",
        "score-sheet.md",
        "score-sheet.da.md",
        "seating.md",
        "research.md",
        "observations.md",
    ],
)
def test_everything_that_is_shown_prints_what_is_shown(
    document: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.chdir(tmp_path)
    monkeypatch.setenv("COLUMNS", "80")
    for info, text in _fences(document):
        _, _, file = info.partition(" ")
        if file:
            (tmp_path / file).write_text(text, encoding="utf-8")
    monkeypatch.syspath_prepend(tmp_path)
    ran, fences = 0, _fences(document)
    for (info, text), (following, shown) in pairwise([*fences, ("", "")]):
        if (info, following) == ("python", "text"):
            assert _matches(shown, printed := python(text)), (shown, printed)
            ran += 1
        if info != "console":
            continue
        for command, shown in re.findall(r"^\$ (.*)\n((?:(?!\$ ).*\n)*)", text, re.MULTILINE):
            keys, _, last = command.rpartition(" | ")
            program, *arguments = shlex.split(last)
            assert program == "ultimo"
            done = ultimo(*arguments, given="\n" * 500 if keys.startswith("yes") else "")
            assert _matches(shown, done.out + done.err), (command, done)
            ran += 1
    assert ran


def test_the_schema_of_a_score_sheet_is_up_to_date() -> None:
    """If this fails: python tools/write_schemas.py"""
    written = json.loads((DOCS / "schema" / "outcome.schema.json").read_text(encoding="utf-8"))
    assert written == json.loads(json.dumps(settle.schema()))


@pytest.mark.parametrize("name", ["deal.json", "donne.json"])
def test_the_score_sheets_of_the_manual_follow_the_schema(name: str) -> None:
    validator = Draft202012Validator(settle.schema())
    sheets = {
        info.removeprefix("json "): json.loads(text) for info, text in _fences("settle.md") if "json" in info
    }
    assert not list(validator.iter_errors(sheets[name]))
    assert list(validator.iter_errors({**sheets[name], "outcome": {}}))


@pytest.mark.parametrize("document", ["research.md", "observations.md"])
def test_what_all_python_for_researchers_prints_is_shown(document: str) -> None:
    fences = [info for info, _ in _fences(document)]
    assert fences.count("python") == len(re.findall("python text", " ".join(fences)))


def test_whoever_cites_names_this_version() -> None:
    project = tomllib.loads((DOCS.parent / "pyproject.toml").read_text(encoding="utf-8"))["project"]
    cited = (DOCS.parent / "CITATION.cff").read_text(encoding="utf-8")
    page = (DOCS / "research.md").read_text(encoding="utf-8")
    assert f"\nversion: {project['version']}\nlicense: {project['license']}\n" in cited
    assert f"version = {{{project['version']}}}" in page
    assert f"| **version** | {project['version']};" in page
    assert f"| version of Ultimo | {project['version']} |" in page
