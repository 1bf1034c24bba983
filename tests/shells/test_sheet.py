"""`ultimo sheet`: an evening as a table, the payments of a deal, who pays whom; damaged sheets."""

from __future__ import annotations

import csv
import io
import json
from pathlib import Path
from typing import Any

import pytest
from hypothesis import example, given
from hypothesis import strategies as st
from openpyxl import load_workbook

import ultimo as ultimo_package
from clubs import Log
from commands import fails, ultimo
from ultimo.club import club as c
from ultimo.club.archive import Whole, export, portable
from ultimo.club.files import dumps, is_formula, loads, to_csv
from ultimo.names import LANGUAGES, tables

SOURCES = Path(ultimo_package.__file__).parent
ULTIMO_ENTRY = {
    "game": "danish",
    "declarations": {"2": [{"kind": "tarok", "count": 10, "pagat": True}]},
    "winner": 2,
    "won_with": "T1",
    "kings_lost": [{"seat": 0, "card": "SK"}],
    "counts": {"2": 31, "0": 22},
}
EVENING: list[dict[str, Any]] = [
    {"type": "Opened", "by": "Karen", "rules": "dtf", "names": ["Karen", "Bo", "Ida", "Per"]},
    {"type": "Booked", "by": "Karen", "entry": {"game": "danish", "winner": 1, "counts": {"1": 30, "3": 20}}},
    {"type": "Booked", "by": "Karen", "entry": ULTIMO_ENTRY},
    {"type": "Noted", "by": "Karen", "deal": 2, "text": "=SUM(A1)"},
]
CLOSED = {"type": "Closed", "by": "Karen"}


def log(*facts: dict[str, Any]) -> str:
    return "".join(json.dumps(fact) + "\n" for fact in facts)


def test_an_evening_is_told_deal_by_deal() -> None:
    told = ultimo("sheet", "-", "--lang", "en", given=log(*EVENING)).out.splitlines()
    assert told[0] == "Score sheet: Dansk Tarokforbund, today"
    assert told[3].split()[:6] == ["1", "Karen", "−70", "+5", "−40", "−65"]
    assert "Next: Ida deals" in told
    assert "  Karen pays 20 into the pagat cup: opening stake" in told  # which was taken


@pytest.mark.parametrize(
    ("tongue", "head", "refused"),
    [
        ("da", "Regnskab: Dansk Tarokforbund, i dag", "linje 5: partiet er slut; åbn det igen"),
        ("fr", "Feuille de marque\N{NO-BREAK SPACE}: ", "ligne 5\N{NO-BREAK SPACE}: la soirée est terminée"),
        ("de", "Spielzettel: ", "Zeile 5: der Abend ist zu Ende"),
    ],
)
def test_it_speaks_the_language_that_is_asked_for(tongue: str, head: str, refused: str) -> None:
    told = ultimo("sheet", "-", "--lang", tongue, given=log(*EVENING)).out
    assert told.startswith(head)
    assert refused in fails("sheet", "-", "--lang", tongue, given=log(*EVENING[:3], CLOSED, EVENING[3]))


def test_an_impossible_deal_is_refused_with_the_name_of_who_cannot_have_it() -> None:
    nolo = {"game": "danish", "winner": 1, "nolo": [3], "counts": {"1": 60, "3": 7}}
    wrong = log(EVENING[0], EVENING[1] | {"entry": nolo})
    assert "linje 2: Per har ingen stik" in fails("sheet", "-", "--lang", "da", given=wrong)
    two = log(EVENING[0] | {"names": ["Karen", "Bo"]})
    assert "spilles af 3 eller 4 eller 5 ved bordet" in fails("sheet", "-", "--lang", "da", given=two)


def test_at_its_end_it_says_who_pays_whom() -> None:
    told = ultimo("sheet", "-", "--lang", "da", "--rate", "5", given=log(*EVENING, CLOSED)).out
    assert "Karen betaler 5,50 til Ida\nPer betaler 2,25 til Ida\nBo betaler 1,75 til Ida\n" in told


def test_every_payment_of_a_deal_has_its_place_in_the_book() -> None:
    told = ultimo("sheet", "-", "--lang", "en", "--deal", "2", given=log(*EVENING)).out
    assert "Ida gets 90 from the pagat cup: pagat ultimo [The federation (DTF)" in told
    assert "Total: Karen −75, Bo −60, Ida +210, Per 0" in told
    assert "there are 2 deals" in fails("sheet", "-", "--deal", "3", given=log(*EVENING))


def test_a_spreadsheet_gets_no_formula() -> None:
    rows = list(csv.reader(io.StringIO(ultimo("sheet", "-", "--csv", given=log(*EVENING)).out)))
    assert rows[2][2:6] == ["-75", "-60", "210", "0"]
    assert rows[2][-1] == "'=SUM(A1)"


@pytest.mark.parametrize(("language", "line"), [("en", "1,-10,-26.05"), ("da", "1;-10;-26,05")])
def test_numbers_are_numbers_as_the_readers_spreadsheet_writes_them(language: str, line: str) -> None:
    assert to_csv([(1, -10, -26.05)], language) == f"{line}\n"


@given(st.lists(st.text("x=+-@;,\t|\"' \n\uff1d", max_size=12), min_size=1, max_size=3))
@example(["x;=cmd|' /C calc'!A0"])
@example(['x;"=1+1"'])
def test_whichever_character_separates_cells_none_is_a_formula(texts: list[str]) -> None:
    written = to_csv([tuple(texts)], "en")
    for separator in ",;\t|":
        cells = [cell for row in csv.reader(io.StringIO(written), delimiter=separator) for cell in row]
        assert not [cell for cell in cells if is_formula(cell.lstrip())], (separator, written)


def test_a_workbook_has_numbers_and_no_formulas_and_says_who_pays_whom(tmp_path: Path) -> None:
    path, named = tmp_path / "evening.xlsx", EVENING[0] | {"names": ["=Karen", "Bo", "Ida", "Per\x07"]}
    facts = log(named, *EVENING[1:], CLOSED)
    assert ultimo("sheet", "-", "--lang", "en", "--xlsx", str(path), "--rate", "5", given=facts).out == ""
    deals, end = load_workbook(path).worksheets
    assert [cell.value for cell in deals[3]][2:8] == [-75, -60, 210, 0, 95, 0]
    head, note = deals["C1"], deals["I3"]
    assert (head.value, head.data_type, head.font.bold, deals.freeze_panes) == ("=Karen", "s", True, "C2")
    assert (note.value, note.data_type, note.quotePrefix) == ("=SUM(A1)", "s", True)
    rows = [[cell for cell in row if cell is not None] for row in end.values]
    assert rows[1] == ["=Karen", -110, -5.5]
    assert rows[-3:] == [["=Karen", "Ida", 5.5], ["Per", "Ida", 2.25], ["Bo", "Ida", 1.75]]
    assert "No such file" in fails("sheet", "-", "--xlsx", str(tmp_path / "strange" / "x"), given=facts)


@pytest.mark.parametrize(
    ("facts", "reason"),
    [
        ([], "an empty file"),
        ([CLOSED], "line 1: a sheet begins with Opened"),
        ([EVENING[0], {"type": "Jumped"}], "line 2: Invalid value"),
        ([EVENING[0] | {"rules": "whist"}], "line 1: "),
        ([EVENING[0] | {"names": ["Karen"]}], "line 1: "),
        ([EVENING[0] | {"digest": "0"}], "does not know the version of dtf"),
        ([EVENING[0], EVENING[1] | {"by": "Bo"}], "line 2: somebody else has the pen"),
        ([EVENING[0], {"type": "Undone", "by": "Karen"}], "line 2: there is nothing to take back"),
        ([EVENING[0], EVENING[1] | {"entry": {"game": "danish", "winner": 9}}], "line 2: "),
    ],
)
def test_a_damaged_sheet_is_refused_with_its_line(facts: list[dict[str, Any]], reason: str) -> None:
    assert reason in fails("sheet", "-", given=log(*facts))


def test_what_is_read_is_written_again_as_it_was() -> None:
    facts = loads(log(*EVENING, CLOSED))
    assert loads(dumps(facts)) == facts


def test_every_language_has_all_words_of_the_club() -> None:
    source = tables("en", "club")
    for language in LANGUAGES:
        words = tables(language, "club")
        assert {part: set(words[part]) for part in words} == {part: set(source[part]) for part in source}


def test_every_word_of_a_sheet_is_said_somewhere() -> None:
    sources = "".join(file.read_text(encoding="utf-8") for file in SOURCES.rglob("*.py"))
    assert [key for key in tables("en", "club")["sheet"] if f'"sheet.{key}"' not in sources] == []


# --- clubs -----------------------------------------------------------------------------------------------


def season() -> Log:
    club = Log()
    club.season("2026/27")
    evening = club.evening("2026-11-17", ("m1", "m2", "m3"), "s1")
    club.count(evening, {"m1": 12, "m2": -7, "m3": -5})
    club.write(c.EveningClosed, evening=evening)
    return club


def test_a_club_is_checked_and_its_standings_are_told() -> None:
    text = export(portable(Whole(tuple(season().facts), {})))
    told = ultimo("club", "-", "--lang", "da", given=text).out.splitlines()
    assert told[:2] == ["Tarokklubben: 2026/27", "Alle point"]
    assert told[4].split() == ["1", "Member", "1", "12", "12", "1", "12", "10", "1,2", "1"]
    assert told[-1] == "12 kendsgerninger og 0 regnskaber, alt i orden"
    rows = json.loads(ultimo("club", "-", "--json", "--season", "all", given=text).out)
    assert [row["Total"] for row in rows] == [12, -5, -7]
    assert "2026-11-17,Member 2,-7,10" in ultimo("club", "-", "--results", "--csv", given=text).out
    assert "won the evening with +12" in ultimo("club", "-", "--chronicle", "--lang", "en", given=text).out
    assert len(json.loads(ultimo("club", "-", "--chronicle", "--json", given=text).out)) > 3


def test_a_damaged_club_and_an_unknown_season_are_told() -> None:
    text = export(portable(Whole(tuple(season().facts), {})))
    wrong = text + '{"type":"MemberLeft","member":"m9"}'
    assert "line 13: there is no such member" in fails("club", "-", given=wrong)
    assert "choose one of: 2026/27, all" in fails("club", "-", "--season", "none", given=text)


def test_every_refusal_and_every_sentence_of_the_club_is_said_somewhere() -> None:
    sources = "".join(file.read_text(encoding="utf-8") for file in SOURCES.rglob("*.py"))
    said = {part: set(tables("en", "club")[part]) for part in ("refused", "import")}
    unsaid = {key for keys in said.values() for key in keys if f'"{key}"' not in sources}
    assert unsaid == set()
