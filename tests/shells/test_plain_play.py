"""`ultimo play --plain`: an evening in lines, with nothing but Enter if one likes."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import pytest

from commands import ultimo
from sessions import deal_out, evening
from ultimo import record, rulebook
from ultimo.cli.play.plain import PlainTable
from ultimo.cli.play.session import Session
from ultimo.events import DealClosed, SeriesClosed
from ultimo.names import LANGUAGES

TABLES = [(book, size) for book in rulebook.ids() for size in rulebook.load(book).sizes]
STRICT: list[dict[str, Any]] = [
    {"decl.mode": "manual"},
    {"decl.mode": "manual", "strict.declare": True},
    {"strict.follow": True, "strict.skusClaim": True},
    {"strict.count": True},
    {"strict.cups": True},
    {"strict.deal": True, "strict.skat": True},
    {"strict.skusDemand": True, "strict.turn": True, "strict.lenient": True},
]
ENTERS = "\n" * 400


@pytest.fixture(autouse=True)
def _in_a_folder_of_its_own(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("XDG_STATE_HOME", str(tmp_path))
    monkeypatch.delenv("LANG", raising=False)
    monkeypatch.delenv("LC_ALL", raising=False)


def through(session: Session, *said: str) -> str:
    """Say these lines and then only Enter; what was written."""
    lines = iter(said)
    written: list[str] = []
    PlainTable(session, lambda: next(lines, ""), written.append).run()
    return "\n".join(written)


def until_they_end(session: Session, *said: str) -> str:
    """Say these lines and then nothing more; what was written."""
    lines = list(said)
    written: list[str] = []

    def read() -> str:
        if not lines:
            raise EOFError
        return lines.pop(0)

    PlainTable(session, read, written.append).run()
    return "\n".join(written)


# --- only Enter ----------------------------------------------------------------------------------------


@pytest.mark.parametrize(("book", "size"), TABLES)
def test_enter_alone_gets_through_a_deal(book: str, size: int, tmp_path: Path) -> None:
    save = tmp_path / "evening.jsonl"
    done = ultimo(
        *("play", "--rules", book, "--table", size, "--seat", size - 1, "--name", "Ada"),
        *("--deals", 1, "--seed", 2, "--save", save),
        given=ENTERS,
    )
    assert done.status == 0
    assert done.err == ""
    assert "Deal 1 is over" in done.out
    assert done.out.endswith(f"Saved in {save}\n")
    assert ultimo("replay", save).status == 0
    events = [entry.event for entry in record.load(save).entries]
    assert isinstance(events[-1], SeriesClosed)
    assert sum(isinstance(event, DealClosed) for event in events) == 1


@pytest.mark.parametrize("tongue", LANGUAGES)
@pytest.mark.parametrize(("book", "size"), [("vlk", 5), ("french5", 5)])
def test_several_deals_in_every_language(book: str, size: int, tongue: str) -> None:
    """Five deals at tables of five: everybody sits out or takes once."""
    written = through(evening(book, size, lang=tongue, deals=5))
    assert "{" not in written
    assert "None" not in written


@pytest.mark.parametrize("house", STRICT, ids=" ".join)
def test_strict_tables(house: dict[str, Any]) -> None:
    session = evening("dtf", 3, house=house, deals=3)
    through(session)
    assert session.is_over
    assert session.live.number == 3


@pytest.mark.parametrize("seed", range(3))
def test_tables_where_the_bots_err_at_random(seed: int) -> None:
    house = {key: True for house in STRICT for key in house if key != "decl.mode"} | {"decl.mode": "manual"}
    session = evening("dtf", 4, house=house, deals=3, seed=seed)
    through(session)
    assert session.is_over


def test_the_same_seed_gives_the_same_evening() -> None:
    options = ("play", "--rules", "dtf", "--deals", 1, "--seed", 5)
    assert ultimo(*options, given=ENTERS).out == ultimo(*options, given=ENTERS).out


# --- what is shown -------------------------------------------------------------------------------------


def test_bots_are_told_line_by_line_and_the_table_before_each_question() -> None:
    written = through(evening(dealer=2, quiet=True)).splitlines()
    assert "Deal 1: Carl deals" in written
    assert "Anna wins the trick" in written or "Bo wins the trick" in written
    head = next(place for place, line in enumerate(written) if line.startswith("Dansk Tarokforbund, today"))
    assert "King cup" in written[head]
    assert written[head + 1].split() == ["Seat", "Role", "Cards", "Tricks", "Total"]
    assert written[head + 2].startswith("▸Anna*")


def test_the_result_adds_up() -> None:
    session = evening(dealer=2, quiet=True)
    written = through(session).splitlines()
    rows = written[written.index("Deal 1 is over") :]
    table = {line[:16].strip(): line[16:].split() for line in rows if "·" in line or line.startswith("Total")}
    assert any(line.startswith("Skat: ") for line in rows)
    assert any(" → " in line for line in rows)
    totals = [int(number.replace("−", "-").replace("·", "0")) for number in table["Total"]]
    assert sum(totals) == 0
    assert len(totals) == 5


def test_pages() -> None:
    session = evening(dealer=2, quiet=True)
    written = until_they_end(session, "l", "p", "r", "?", "h", "", "", "l")
    assert "No tricks yet" in written
    assert "  Anna pays 20 into the king cup: opening stake" in written
    assert "    [The federation (DTF), " in written
    assert "LAST TRICK AND ULTIMO" in written
    assert written.count("You lead: play any highlighted card") == 2
    assert "Press Enter for" in written
    assert "Previous trick (1)" in written


def test_undo_and_a_mistyped_choice() -> None:
    session = evening(dealer=2, quiet=True)
    written = until_they_end(session, "u", "bogus", "1", "u", "")
    assert "Nothing to undo" in written
    assert "“bogus” is not a choice here" in written
    assert "Undone" in written
    assert not any("Anna leads" in line for line in written.splitlines())


def test_who_sits_out_watches_and_sees_no_hand() -> None:
    """Seat 2 sits out at a table of four when seat 0 deals. Rule: rules E5; I-1.4."""
    session = evening("dtf", 4, seat=2, dealer=0, quiet=True)
    written = through(session)
    assert "Carl (you) sits out" in written
    assert written.count("Press Enter to continue") >= 24
    assert "Your turn" not in written
    before_the_count = written.partition("In the skat lay")[0]
    assert "discards three cards (the skat)\n" in before_the_count


def test_nobody_elses_cards_are_written_before_they_are_seen() -> None:
    session = evening(dealer=0, quiet=True, seat=1)
    deal_out(session, "SK S1", "S2", "T21")
    written = until_they_end(session)
    assert "♠K" not in written
    assert "T21" not in written
    assert "♠2" in written


# --- leaving -------------------------------------------------------------------------------------------


def test_quit_says_where_the_game_is_and_resume_goes_on(tmp_path: Path) -> None:
    save = tmp_path / "ultimo" / "last.jsonl"
    done = ultimo("play", "--rules", "vlk", "--table", 3, "--seed", 1, "--name", "Ada", given="\n\n\n\nq\n")
    assert done.status == 0
    assert done.out.endswith(f"Saved in {save}\nContinue later with: ultimo play --resume {save}\n")
    before = record.load(save)
    again = ultimo("play", "--resume", "--deals", 1, "--seed", 2, given=ENTERS)
    assert again.status == 0
    after = record.load(save)
    assert after.entries[: len(before.entries)] == before.entries
    assert "Ada" in again.out
    assert ultimo("replay", save).status == 0
    over = ultimo("play", "--resume", "--seed", 3, given=ENTERS)
    assert over.status == 1
    assert over.err == f"ultimo: {save}: The game is over\n"


def test_the_end_of_the_input_saves_too(tmp_path: Path) -> None:
    save = tmp_path / "evening.jsonl"
    done = ultimo("play", "--seed", 1, "--save", save, given="\n\n")
    assert done.status == 0
    assert f"Saved in {save}" in done.out
    assert ultimo("replay", save).status == 0


def test_no_game_is_lost_by_a_new_one(tmp_path: Path) -> None:
    ultimo("play", "--seed", 1, given="")
    first = (tmp_path / "ultimo" / "last.jsonl").read_bytes()
    ultimo("play", "--seed", 2, given="")
    assert (tmp_path / "ultimo" / "previous.jsonl").read_bytes() == first
    save = tmp_path / "mine.jsonl"
    ultimo("play", "--seed", 3, "--save", save, given="")
    kept = save.read_bytes()
    refused = ultimo("play", "--seed", 4, "--save", save, given="")
    assert refused.status == 1
    assert "already exists" in refused.err
    assert save.read_bytes() == kept


def test_a_resumed_game_can_be_saved_elsewhere(tmp_path: Path) -> None:
    one, two = tmp_path / "one.jsonl", tmp_path / "two.jsonl"
    ultimo("play", "--seed", 1, "--save", one, given="\n\n\n")
    kept = one.read_bytes()
    ultimo("play", "--seed", 2, "--resume", one, "--save", two, given="\n\n\n\n\n")
    assert one.read_bytes() == kept
    assert two.read_bytes().startswith(kept)


def test_a_folder_that_cannot_be_written_is_said(tmp_path: Path) -> None:
    (tmp_path / "file").write_text("")
    done = ultimo("play", "--seed", 1, "--save", tmp_path / "file" / "a.jsonl", given="")
    assert done.status == 1
    assert "the game cannot be saved" in done.err
