"""Files that are none, endless, huge or hostile: one sentence, in bounded time and memory."""

from __future__ import annotations

import json
import os
import subprocess
import sys
import threading
import tracemalloc
from contextlib import suppress
from pathlib import Path

import msgspec
import pytest

from commands import fails, ultimo
from ultimo import files, record, rulebook
from ultimo.cli.complaint import Complaint
from ultimo.record import Entry, Header, Record, RecordError, jsonl, sheet
from ultimo.tutor import board

READERS = [
    ["replay"],
    ["convert", "--to", "sheet", "FILE", "-"],
    ["verify"],
    ["settle"],
    ["rules", "show", "dtf", "--house"],
    ["sheet"],
    ["club"],
    ["seating"],
    ["seating", "9", "--plan"],
    ["deals", "show"],
    ["review"],
    ["solve"],
    ["play", "--plain", "--resume"],
]
HEAD = '{"ultimo":1,"rules":"dtf","digest":"00","overrides":{},"table":4}\n'
SHEET = "Ultimo sheet 1\nRules: dtf 00\nTable: 4\n"
SOME_MEGABYTES = 30_000_000

each = pytest.mark.parametrize("command", READERS, ids=" ".join)


def told(command: list[str], file: object, given: str | bytes = "{}") -> str:
    """What a command says that has nothing to read in a file."""
    words = [str(file) if word == "FILE" else word for word in command]
    return fails(*words, *([] if "FILE" in command else [file]), given=given)


# --- what is no file -------------------------------------------------------------------------------------


@each
def test_a_folder_a_device_and_a_missing_file(command: list[str], tmp_path: Path) -> None:
    assert f"{tmp_path}: Is a directory" in told(command, tmp_path)
    assert "/dev/zero: is not a file" in told(command, "/dev/zero")
    assert f"{tmp_path / 'none'}: No such file or directory" in told(command, tmp_path / "none")


@each
def test_a_file_that_is_too_large(command: list[str], tmp_path: Path) -> None:
    file = tmp_path / "large"
    with file.open("wb") as sparse:
        sparse.truncate(files.RECORD + 1)
    assert f"{file}: is too large: at most " in told(command, file)


def test_standard_input_that_is_too_large() -> None:
    assert fails("settle", given=b" " * (files.SMALL + 1)).startswith(
        "standard input: is too large: at most 1024 KiB"
    )


def test_a_pipe_to_which_nobody_writes(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(files, "PATIENCE", 0.05)
    pipe = tmp_path / "pipe"
    os.mkfifo(pipe)
    assert fails("replay", pipe).startswith(f"{pipe}: is a pipe to which nobody has written for")


def test_a_pipe_to_which_somebody_writes(tmp_path: Path) -> None:
    pipe = tmp_path / "pipe"
    os.mkfifo(pipe)
    writer = threading.Thread(target=pipe.write_bytes, args=(b"Dear Anna,\n",))
    writer.start()
    assert "not a record" in fails("replay", pipe)
    writer.join()


# --- text that is none -----------------------------------------------------------------------------------


@pytest.mark.parametrize(
    "command", [["settle"], ["sheet"], ["club"], ["deals", "show"], ["seating"]], ids=" ".join
)
def test_another_encoding(command: list[str], tmp_path: Path) -> None:
    file = tmp_path / "latin"
    file.write_bytes("{}\n Åse\n".encode("latin-1"))
    assert told(command, file) == f"{file}: line 2: not UTF-8 text"


def test_house_rules_in_another_encoding(tmp_path: Path) -> None:
    file = tmp_path / "house.toml"
    file.write_bytes("# Århus\n".encode("latin-1"))
    assert fails("rules", "show", "dtf", "--house", file) == f"{file}: line 1: not UTF-8 text"


def test_a_mark_at_the_beginning_and_the_line_ends_of_windows(tmp_path: Path) -> None:
    file = tmp_path / "windows"
    file.write_bytes(b"\xef\xbb\xbf[cups]\r\nante = 15\r\n")
    assert ultimo("rules", "show", "dtf", "--house", file).status == 0
    outcome = {"family": "french", "players": 4, "taker": 2, "bid": "garde", "half_points": 92, "bouts": 2}
    text = json.dumps({"rules": "french4", "outcome": outcome})
    assert ultimo("settle", given=b"\xef\xbb\xbf" + text.encode()).status == 0


def test_a_complaint_is_one_line_that_moves_no_cursor() -> None:
    told = str(Complaint("a\nb\x1b[2J\u2028\u202f!\ud800" + "x" * 5000))
    assert told.startswith("a\\nb\\x1b[2J\\u2028\u202f!\\ud800xxx")
    assert len(told) < 1050
    text = '{"type":"TrickWon","seat":"' + "\\u001b]0;" + "x" * 100_000 + '"}'
    assert len(fails("replay", "-", given=HEAD + text)) < 1100


def test_letters_that_the_terminal_does_not_know() -> None:
    done = run("rules", "show", "french4", "--lang", "da", env={"PYTHONIOENCODING": "ascii"})
    assert done.returncode == 0, done.stderr


# --- what would take all memory, or for ever -------------------------------------------------------------


@pytest.mark.parametrize("seats", [300_000_000, 10**17, -1, 0, 2, 6])
def test_a_table_of_any_size(seats: int) -> None:
    for text, place in (
        (HEAD.replace(":4}", f":{seats}}}"), "1, column 64"),
        (SHEET.replace("4", str(seats)), "3, column 8"),
    ):
        with pytest.raises(RecordError, match=f"line {place}: at a table sit 3 to 5, not {seats}"):
            record.loads(text)


def test_a_deal_opened_for_millions() -> None:
    rules = rulebook.load("hermansen")
    head = jsonl.encode_header(record.header(rules, 3))
    deal = '{"type":"Opened","table":300000000,"dealer":0,"active":[1,2,0]}\n'
    assert "do not play together" in fails("replay", "-", "--json", given=head + deal)
    with pytest.raises(board.BoardError, match="do not play together"):
        board.recorded(head + deal)


def test_unseen_cards_without_end() -> None:
    text = SHEET + "Dealt\n  Hand 0: " + "?×999 " * 20_000
    tracemalloc.start()
    try:
        with pytest.raises(RecordError, match="more than 999 items"):
            record.loads(text)
        assert tracemalloc.get_traced_memory()[1] < SOME_MEGABYTES
    finally:
        tracemalloc.stop()


def test_numbers_and_lists_have_an_end() -> None:
    for line, reason in (
        (
            '{"type":"TrickWon","seat":' + "9" * 19 + "}",
            "line 2, column 27: a number has more than 18 digits",
        ),
        ('{"type":"TrickWon","seat":' + "9" * 9999 + "}", "line 2, column 1: not JSON"),
        (
            '{"type":"Revealed","cards":[' + ",".join(['"?"'] * 1000) + '],"partner":1}',
            "column 28: a list has more than",
        ),
        (
            '{"type":"TrickWon","seat":1,"meta":' + '{"a":' * 101 + "1" + "}" * 102,
            "nested more than 100 deep",
        ),
    ):
        with pytest.raises(RecordError, match=reason):
            record.loads(HEAD + line)


def test_no_work_grows_with_the_square_of_a_record() -> None:
    """Each takes a moment; if it grew with the square, the time for a test would be over."""
    paid = "1 pays 2 5: ante\n"
    for text in (
        SHEET + "1 pays 2 5: ante [" + " " * 400_000,
        SHEET + "a " * 400_000,
        SHEET + paid + "+ 1 pays 2 5\n" * 900 + (paid + "+ 1 pays 2 5\n" * 900) * 100,
        SHEET + "Series: dealer 0, names " + "a " * 400_000,
        HEAD + '{"type":"TrickWon","seat":1,"meta":{"a":' + "[" * 400_000,
        HEAD + "\n" * 400_000,
    ):
        with suppress(RecordError):
            record.loads(text)


@pytest.mark.parametrize(
    ("text", "reason"),
    [
        ("a." * 60_000 + "a = 1", "more than 100 dots"),
        ("[" + "a." * 60_000 + "a]", "more than 100 dots"),
        ("a = " + "[" * 50_000, "nested too deep"),
        ("a = " + "9" * 5000, "digits"),
        ("\n".join(f"a{number} = 1" for number in range(20_000)), "no such parameter"),
    ],
)
def test_house_rules_that_would_take_for_ever(tmp_path: Path, text: str, reason: str) -> None:
    file = tmp_path / "house.toml"
    file.write_text(text, encoding="utf-8")
    assert reason in fails("rules", "show", "dtf", "--house", file)


def test_a_house_rule_within_a_thousand_tables() -> None:
    deep: object = 1
    for _ in range(900):
        deep = {"a": deep}
    with pytest.raises(rulebook.RulebookError, match="no such parameter"):
        rulebook.load("dtf", {"skus": deep})
    header = Header("dtf", "00", {"skus": deep}, 4)
    with pytest.raises(RecordError, match="nested more than 100 deep"):
        record.loads(jsonl.dumps(Record(header, ())))


def test_a_proof_for_millions() -> None:
    order = {"seats": 10**18, "order": [1, 2, 0], "packet": 1, "chien": 0, "ends": 0}
    proof = {"rules": "hermansen", "house": {}, "dealer": 0, "dealing": order, "shuffles": []}
    assert "do not play together" in fails("verify", "-", given=msgspec.json.encode(proof).decode())
    assert "not a record" in fails("verify", "-", given="[" * 100_000)


def test_numbers_behind_options() -> None:
    endless = "9" * 5000
    assert "people" in fails("seating", endless)
    assert fails("sheet", "-", "--rate", "-1", given=_sheet()).startswith("--rate: ")
    for command in (
        ["deals", "make", "2", "--seed"],
        ["seating", "9", "--seed"],
        ["puzzle", "--seed"],
        ["play", "--seed"],
    ):
        assert ultimo(*command, "\udcff").status == 2


def _sheet() -> str:
    return '{"type":"Opened","rules":"french3","names":["a","b","c"]}\n{"type":"Closed"}\n'


def test_a_taker_who_sits_at_no_table(tmp_path: Path) -> None:
    file = tmp_path / "boards.jsonl"
    assert ultimo("deals", "make", "1", "--seed", "x", "--form", "json", "--out", file).status == 0
    one = json.loads(file.read_text(encoding="utf-8")) | {"taker": 9}
    assert fails("deals", "show", "-", given=json.dumps(one)).endswith("(no seat 9 can take)")


def test_a_word_that_is_no_card_is_not_called_one() -> None:
    made = {"kind": "S5", "count": 10}
    outcome = {
        "family": "danish",
        "table": 3,
        "order": [1, 2, 0],
        "king": 0,
        "pagat": 0,
        "declarations": {"1": [made]},
    }
    told = fails("settle", given=json.dumps({"rules": "dtf", "outcome": outcome}))
    assert told.endswith("kind: 'S5' is not a word for this")


def test_a_club_in_the_year_of_a_million() -> None:
    fact = '{"type":"Founded","name":"Us","book":"french4","by":"k","language":"en","at":1e300}\n'
    assert "at" in fails("club", "-", "--chronicle", given=fact)


# --- what is written ---------------------------------------------------------------------------------------


def run(
    *arguments: str, env: dict[str, str] | None = None, stdout: int = subprocess.PIPE
) -> subprocess.CompletedProcess[bytes]:
    """The program in a process of its own."""
    return subprocess.run(
        [sys.executable, "-m", "ultimo.cli.main", *arguments],
        stdout=stdout,
        stderr=subprocess.PIPE,
        check=False,
        env=os.environ | (env or {}),
    )


def test_a_full_disk_and_a_broken_pipe() -> None:
    with open("/dev/full", "wb") as full:
        done = run("rules", "show", "dtf", stdout=full.fileno())
    assert (done.returncode, done.stderr) == (1, b"ultimo: No space left on device\n")
    reading, writing = os.pipe()
    os.close(reading)
    try:
        done = run("rules", "show", "dtf", stdout=writing)
    finally:
        os.close(writing)
    assert (done.returncode, done.stderr) == (1, b"")


def test_what_is_kept_is_read_again_at_the_limits() -> None:
    long = ("?",) * 999
    head = Header("dtf", "00", {}, 4)
    text = '{"type":"Revealed","cards":' + json.dumps(long) + ',"partner":999999999999999999}\n'
    kept = record.loads(HEAD + text)
    assert isinstance(kept.entries[0], Entry)
    assert kept.header == head
    assert sheet.loads(sheet.dumps(kept)) == kept


def test_a_saved_game_of_another_table(tmp_path: Path) -> None:
    rules = rulebook.load("hermansen")
    opened = '{"type":"SeriesOpened","names":["a","b","c"],"dealer":0}\n'
    file = tmp_path / "saved.jsonl"
    for table, reason in ((4, "the record is not of a session of 4"), (3, "'seat'")):
        file.write_text(jsonl.encode_header(record.header(rules, table)) + opened, encoding="utf-8")
        assert reason in fails("play", "--plain", "--resume", file)


@pytest.mark.parametrize("trick", ["0", "26", "79", "999999", "9" * 400])
def test_a_position_with_an_announcement_before_no_trick(trick: str) -> None:
    text = f"vlk: F T1 S2 / M T21 T0 / B H7 H8; announced F nolo {trick}"
    assert fails("solve", text, "--lang", "en").startswith("position:1:53: expected the number of the trick")
