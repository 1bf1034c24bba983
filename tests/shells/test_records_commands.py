"""`ultimo simulate`, `replay` and `convert`: the same bytes again, and every error in its place."""

from __future__ import annotations

import json
from pathlib import Path

import pytest

from commands import fails, ultimo
from table import WITHOUT_FFT
from ultimo import record, rulebook
from ultimo.events import CardPlayed, DealClosed, Paid, SeriesClosed
from ultimo.names import LANGUAGES
from ultimo.record import jsonl, sheet
from ultimo.telling.citations import words

TABLES = [(book, size) for book in WITHOUT_FFT for size in rulebook.load(book).sizes]


@pytest.fixture(scope="module")
def games(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """Three deals of a table of four."""
    file = tmp_path_factory.mktemp("records") / "games.jsonl"
    assert ultimo("simulate", "--table", 4, "--deals", 3, "--seed", 7, "--out", file).status == 0
    return file


def spoiled(games: Path, tmp_path: Path, number: int, old: str, new: str) -> Path:
    """A copy in which one line is another."""
    lines = games.read_text(encoding="utf-8").splitlines()
    assert old in lines[number - 1]
    lines[number - 1] = lines[number - 1].replace(old, new, 1)
    file = tmp_path / "spoiled.jsonl"
    file.write_text("\n".join(lines) + "\n", encoding="utf-8")
    return file


# --- simulate ------------------------------------------------------------------------------------------


@pytest.mark.parametrize(("book", "size"), TABLES)
def test_a_simulation_is_a_legal_record_and_comes_again(book: str, size: int, tmp_path: Path) -> None:
    one, two = tmp_path / "one.jsonl", tmp_path / "two.jsonl"
    for file in (one, two):
        done = ultimo("simulate", "--rules", book, "--table", size, "--deals", 2, "--out", file)
        assert done.status == 0
        assert f"2 deals with {size} at the table" in done.out
        assert done.err == ""
    assert one.read_bytes() == two.read_bytes()
    assert ultimo("replay", one).status == 0


def test_another_seed_gives_other_deals(games: Path) -> None:
    other = ultimo("simulate", "--table", 4, "--deals", 3, "--seed", 8, "--out", "-")
    assert other.out != games.read_text(encoding="utf-8")
    assert "3 deals with 4 at the table" in other.err


def test_the_totals_are_those_of_the_record(games: Path) -> None:
    done = ultimo("simulate", "--table", 4, "--deals", 3, "--seed", 7, "--out", "-")
    assert done.out == games.read_text(encoding="utf-8")
    last = record.loads(done.out).entries[-1].event
    assert isinstance(last, SeriesClosed)
    shown = [
        int(line.split()[2].replace("−", "-")) for line in done.err.splitlines() if line.startswith("seat")
    ]
    assert tuple(shown) == last.totals


def test_a_session_ends_after_its_length(tmp_path: Path) -> None:
    out = tmp_path / "s.jsonl"
    assert ultimo("simulate", "--deals", 5, "--length", 2, "--out", out).status == 0
    files = sorted(tmp_path.iterdir())
    assert [file.name for file in files] == ["s-1.jsonl", "s-2.jsonl", "s-3.jsonl"]
    deals = [
        sum(isinstance(entry.event, DealClosed) for entry in record.load(file).entries) for file in files
    ]
    assert deals == [2, 2, 1]
    assert len({file.read_bytes() for file in files}) == 3


def test_house_rules_go_into_the_record(tmp_path: Path) -> None:
    out = tmp_path / "s.jsonl"
    ultimo("simulate", "--set", "cups.ante=50", "--deals", 1, "--out", out)
    assert record.load(out).header.overrides == {"cups.ante": 50}


def test_the_rules_of_the_session_end_it(tmp_path: Path) -> None:
    out = tmp_path / "s.jsonl"
    done = ultimo("simulate", "--set", "session.length.deals=2", "--deals", 9, "--out", out)
    assert "2 deals" in done.out


# --- replay --------------------------------------------------------------------------------------------


@pytest.mark.parametrize("tongue", LANGUAGES)
def test_a_record_is_told_with_every_payment_and_its_citation(games: Path, tongue: str) -> None:
    printed = ultimo("replay", games, "--lang", tongue).out
    told = record.load(games)
    transfers = [
        one for entry in told.entries if isinstance(entry.event, Paid) for one in entry.event.transfers
    ]
    assert printed.count(f"[{words(transfers[0].cite, tongue)}]") == sum(
        words(one.cite, tongue) == words(transfers[0].cite, tongue) for one in transfers
    )
    assert len(
        [line for line in printed.splitlines() if line.startswith("    ") and line.endswith("]")]
    ) == len(transfers)
    assert "{" not in printed


def test_one_deal_of_a_record(games: Path) -> None:
    whole, second = ultimo("replay", games).out, ultimo("replay", games, "--deal", 2).out
    assert second in whole
    assert "Deal 2: " in second
    assert "Deal 1: " not in second
    assert fails("replay", games, "--deal", 9) == f"{games}: there is no deal 9"


def test_a_record_for_programs(games: Path) -> None:
    told = json.loads(ultimo("replay", games, "--json").out)
    entries = record.load(games).entries
    assert [event for step in told["steps"] for event in step["events"]] == [
        json.loads(jsonl.encode_entry(entry)) for entry in entries
    ]
    for step in told["steps"]:
        assert sum(step["totals"]) + sum(step["cups"].values()) == 0
    assert sum(step["nets"] != [0, 0, 0, 0] for step in told["steps"]) > 50
    assert {step["deal"] for step in told["steps"]} == {0, 1, 2, 3}
    places = jsonl.places(games.read_text(encoding="utf-8"))
    assert [step["line"] for step in told["steps"]][:2] == places[:2]


def test_a_single_deal_is_told_by_seats(games: Path, tmp_path: Path) -> None:
    whole = record.load(games)
    opened = next(
        place for place, entry in enumerate(whole.entries) if type(entry.event).__name__ == "Opened"
    )
    closed = next(place for place, entry in enumerate(whole.entries) if isinstance(entry.event, DealClosed))
    file = tmp_path / "deal.sheet"
    file.write_text(
        sheet.dumps(record.Record(whole.header, whole.entries[opened : closed + 1])), encoding="utf-8"
    )
    printed = ultimo("replay", file).out
    assert "seat 0" in printed
    assert "Deal 1: " in printed


def test_damage_is_told_with_line_and_column(games: Path, tmp_path: Path) -> None:
    file = spoiled(games, tmp_path, 2, "SeriesOpened", "SeriesOpen")
    assert fails("replay", file) == f"{file}:2:9: 'SeriesOpen' is not a type of event"
    file.write_bytes(games.read_bytes()[:-7])
    last = games.read_text(encoding="utf-8").count("\n")
    assert fails("replay", file).startswith(f"{file}:{last}:")
    file.write_bytes(b'{"ultimo":1}\n\xff\n')
    assert fails("replay", file) == f"{file}:2:1: not UTF-8 text"
    file.write_bytes(b"")
    assert fails("replay", file) == f"{file}:1:1: the record is empty"


def test_another_rulebook_is_noticed(games: Path, tmp_path: Path) -> None:
    file = spoiled(games, tmp_path, 1, '"digest":"', '"digest":"0')
    assert fails("replay", file).startswith(f"{file}:1:1: the record was made under other rules")
    file = spoiled(games, tmp_path, 1, '"dtf"', '"whist"')
    assert fails("replay", file).startswith(f"{file}:1:1: the rules of the record cannot be used")


@pytest.mark.parametrize("suffix", [".jsonl", ".sheet"])
def test_what_cannot_have_happened_is_told_with_its_line(games: Path, tmp_path: Path, suffix: str) -> None:
    """The second card of the record is played again by whoever plays the third."""
    lines = games.read_text(encoding="utf-8").splitlines()
    second, third = [number for number, line in enumerate(lines) if '"CardPlayed"' in line][1:3]
    card = json.loads(lines[second])["card"]
    lines[third] = json.dumps({**json.loads(lines[third]), "card": card})
    file = tmp_path / "wrong.jsonl"
    file.write_text("\n".join(lines) + "\n", encoding="utf-8")
    number = third + 1
    if suffix == ".sheet":
        assert ultimo("convert", file, file.with_suffix(suffix)).status == 0
        file = file.with_suffix(suffix)
        number = sheet.places(file.read_text(encoding="utf-8"))[third - 1]  # the header is line 0
    done = ultimo("replay", file)
    assert done.status == 1
    assert done.err.startswith(f"ultimo: {file}:{number}:1: ")
    assert ultimo("replay", file, "--json").out == ""


def test_a_payment_that_is_not_due_is_told_with_its_line(games: Path, tmp_path: Path) -> None:
    lines = games.read_text(encoding="utf-8").splitlines()
    number = next(number for number, line in enumerate(lines, 1) if '"reason":"ante"' in line)
    file = spoiled(games, tmp_path, number, '"points":5', '"points":6')
    assert ultimo("replay", file).err.startswith(f"ultimo: {file}:{number}:1: the record has Paid")


# --- convert -------------------------------------------------------------------------------------------


def test_there_and_back_not_a_byte_changes(games: Path, tmp_path: Path) -> None:
    text, back = tmp_path / "games.txt", tmp_path / "back.jsonl"
    assert ultimo("convert", games, text).status == 0
    assert text.read_text(encoding="utf-8").startswith("Ultimo sheet 1\n")
    assert ultimo("convert", text, back).status == 0
    assert back.read_bytes() == games.read_bytes()


def test_streams(games: Path) -> None:
    as_sheet = ultimo("convert", "-", "-", "--to", "sheet", given=games.read_bytes()).out
    assert ultimo("convert", "-", "-", "--to", "jsonl", given=as_sheet).out == games.read_text(
        encoding="utf-8"
    )
    assert fails("convert", "-", "-", given=games.read_bytes()).startswith("standard output: add --to")
    assert fails("convert", "-", "-", "--to", "sheet", given="whist").startswith(
        "standard input:1:1: not a record"
    )


def test_places_are_the_lines_of_the_entries(games: Path) -> None:
    """In both spellings the line on which an entry begins tells what it is."""
    text = games.read_text(encoding="utf-8")
    kept = record.loads(text)
    for written, places in ((text, jsonl.places(text)), (sheet.dumps(kept), sheet.places(sheet.dumps(kept)))):
        lines = written.split("\n")
        assert len(places) == len(kept.entries)
        assert places == sorted(places)
        for entry, number in zip(kept.entries, places, strict=True):
            if isinstance(entry.event, CardPlayed):
                assert entry.event.card.value in lines[number - 1]
