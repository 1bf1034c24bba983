"""`ultimo seating`: the plan of an evening, drawn anew after somebody left, and what is refused."""

from __future__ import annotations

from pathlib import Path

import msgspec
import pytest

from commands import fails, ultimo
from ultimo.club.seating import Plan
from ultimo.names import LANGUAGES, tables

FEW = ("--steps", "3000")
NAMES = "Karen\nBo\n\nIda\n Per \nAsta\nEmil\nLis\nOle\n"


def plan_of(*arguments: object, given: str = "") -> Plan:
    return msgspec.json.decode(ultimo("seating", *arguments, *FEW, "--json", given=given).out, type=Plan)


def test_the_rounds_are_told_table_by_table() -> None:
    told = ultimo("seating", 25, "--tables", "4,4,4,4,3,3,3", "--lang", "en").out.splitlines()
    assert told[0] == "Seating plan for 25 people"
    assert sum(line.startswith("  Table ") for line in told) == 14
    seated = sorted(int(name) for line in told[4:11] for name in line.split("  ")[-1].split(", "))
    assert seated == list(range(1, 26))
    assert "Nobody meets the same person twice." in told


def test_names_come_from_a_file_with_who_is_late_gone_or_apart() -> None:
    wishes = ("--rounds", 3, "--late", "Karen:2", "--gone", "Bo:3", "--apart", "Ida,Per")
    plan = plan_of("-", *wishes, given=NAMES)
    assert {name: share.rounds for name, share in plan.shares.items() if share.rounds < 3} == {
        "Karen": 2,
        "Bo": 2,
    }
    assert not any({"Ida", "Per"} <= set(table) for one in plan.rounds for table in one.tables)
    assert plan == plan_of("-", *wishes, "--seed", 1, given=NAMES)
    assert plan != plan_of("-", *wishes, "--seed", 2, given=NAMES)


def test_an_evening_is_drawn_anew_after_what_was_played(tmp_path: Path) -> None:
    file = tmp_path / "plan.json"
    file.write_text(ultimo("seating", 12, "--rounds", 3, *FEW, "--json").out, encoding="utf-8")
    before = plan_of(12, "--rounds", 3)
    after = plan_of(12, "--rounds", 3, "--plan", file, "--played", 2, "--gone", "4:3")
    assert after.rounds[:2] == before.rounds[:2]
    assert after.shares["4"].rounds == 2
    assert plan_of(12, "--before", file).again > 0
    file.write_text("{}", encoding="utf-8")
    assert "plan.json: " in fails("seating", 12, "--before", file)
    assert "--plan" in fails("seating", 12, "--played", 2)


@pytest.mark.parametrize(
    ("tongue", "head", "other", "refused"),
    [
        ("en", "Seating plan for 11 people", "the nearest are 4 + 4 + 3", "Nobody is not on the list"),
        ("da", "Bordplan for 11 personer", "det nærmeste er 4 + 4 + 3", "Nobody står ikke på listen"),
        ("fr", "Plan de table pour 11", ": 4 + 4 + 3.", "Nobody n’est pas sur la liste"),
        ("de", "Sitzplan für 11 Personen", "am nächsten kommt 4 + 4 + 3", "Nobody steht nicht auf der Liste"),
    ],
)
def test_it_speaks_the_language_that_is_asked_for(tongue: str, head: str, other: str, refused: str) -> None:
    told = ultimo("seating", 11, "--sizes", 4, *FEW, "--lang", tongue).out
    assert told.startswith(head)
    assert other in told
    assert refused in fails("seating", 11, "--late", "Nobody:2", "--lang", tongue)


@pytest.mark.parametrize(
    "wrong",
    [("--late", "Karen"), ("--late", ":2"), ("--apart", "Karen"), ("--sizes", "4,x"), ("--rounds", 0)],
)
def test_what_is_written_wrongly_is_a_wrong_command(wrong: tuple[object, ...]) -> None:
    assert ultimo("seating", 11, *wrong).status == 2


def test_every_word_of_a_plan_is_said_somewhere() -> None:
    source = Path(__file__).parents[2] / "src" / "ultimo" / "cli" / "seating.py"
    text = source.read_text(encoding="utf-8")
    for language in LANGUAGES:
        assert [key for key in tables(language, "club")["seating"] if f'"seating.{key}"' not in text] == []
