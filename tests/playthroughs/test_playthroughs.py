"""Did anything change? Deals told in full, compared with how they were told before."""

from __future__ import annotations

from difflib import unified_diff
from pathlib import Path

import pytest

from playthroughs.scenarios import SCENARIOS
from playthroughs.telling import told
from ultimo import record, rulebook
from ultimo.record import Entry, check

GOLDEN = Path(__file__).parent / "golden"


@pytest.mark.parametrize("name", SCENARIOS)
def test_a_playthrough_is_told_as_before(name: str) -> None:
    text = told(SCENARIOS[name]())
    file = GOLDEN / f"{name}.txt"
    golden = file.read_text(encoding="utf-8") if file.exists() else ""
    difference = "\n".join(
        unified_diff(golden.splitlines(), text.splitlines(), f"golden/{name}.txt", "now", lineterm="", n=2)
    )
    assert text == golden, f"run `make playthroughs` if this is meant:\n{difference}"


@pytest.mark.parametrize("name", SCENARIOS)
def test_a_playthrough_is_a_record_that_can_be_checked(name: str) -> None:
    play = SCENARIOS[name]()
    written = record.loads((GOLDEN / f"{name}.txt").read_text(encoding="utf-8"))
    assert written.entries == tuple(map(Entry, play.log))
    check.check(record.rules_of(written.header), play.log)


def test_every_rulebook_has_a_playthrough_at_every_size_of_table() -> None:
    told_of = {tuple(name.split("-")[:2]) for name in SCENARIOS}
    tables = {(book, str(size)) for book in rulebook.ids() for size in rulebook.load(book).sizes}
    assert told_of == tables


def test_every_golden_text_has_a_scenario() -> None:
    assert {file.stem for file in GOLDEN.glob("*.txt")} == set(SCENARIOS)
