"""Whatever is wrong with a record is told with line, column and a reason that a person understands."""

from __future__ import annotations

from pathlib import Path

import pytest

from ultimo import record, rulebook
from ultimo.events import TrickWon
from ultimo.record import Entry, Header, Record, RecordError, jsonl, sheet

JSON_HEADER = '{"ultimo":1,"rules":"dtf","digest":"00","overrides":{},"table":4}'
PAID = '"payee":1,"points":5,"reason":"ante","cite":""'
SHEET_HEADER = "Ultimo sheet 1\nRules: dtf 00\nTable: 4\n"

EITHER = [
    ("", 1, 1, "empty"),
    ("\n  \n", 1, 1, "empty"),
    ("\n\nDear Anna,\n", 3, 1, "not a record"),
    ("[]", 1, 1, "not a record"),
]

JSON_FIRST_LINES = [
    ("{", 1, 2, "not JSON"),
    ('{"rules":"dtf"}', 1, 1, "must be a header"),
    ('{"ultimo":2,"rules":"dtf"}', 1, 11, "version 2"),
    ('{"ultimo": "1"}', 1, 12, "version '1'"),
    ('{"ultimo":1,"rules":"dtf","digest":"00","overrides":{}}', 1, 1, "lacks the key 'table'"),
    (JSON_HEADER.replace('"dtf"', "17"), 1, 21, "rules must be text, not 17"),
    (JSON_HEADER.replace("{}", "[]"), 1, 53, "overrides must be an object"),
    (JSON_HEADER.replace("4", '"four"'), 1, 64, 'table must be a whole number, not "four"'),
]

JSON_EVENTS = [
    ('{"type":"CardPlayed","seat":1,"card":"SK"', 2, 42, "not JSON"),
    ('{"type":"CardPlayed","seat":1 "card":"SK"}', 2, 31, "not JSON: expecting ',' delimiter"),
    ('{"type":"TrickWon","seat":NaN}', 2, 1, "out of range"),
    ('{"type":"TrickWon","seat":1,"x":"\\ud800"}', 2, 1, "out of range"),
    ('{"type":"TrickWon","seat":1,"x":' + "[" * 100_000, 2, 1, "nested too deep"),
    ('["CardPlayed",1,"SK"]', 2, 1, "must be an object"),
    (JSON_HEADER, 2, 1, "a second header"),
    ('{"seat":1}', 2, 1, "lacks the key 'type'"),
    ('{"type":"CardPlaid","seat":1}', 2, 9, "'CardPlaid' is not a type of event"),
    ('{"seat":1,"type":7}', 2, 18, "7 is not a type of event"),
    ('{"type":"CardPlayed","seat":1}', 2, 1, "CardPlayed lacks the key 'card'"),
    ('{"type":"CardPlayed","seat":1,"card":"S11"}', 2, 38, "'S11' is not a card"),
    ('{"type":"CardPlayed","seat":1,"card":5}', 2, 38, "card must be a card, not 5"),
    ('{"type":"CardPlayed","seat":"1","card":"SK"}', 2, 29, 'seat must be a whole number, not "1"'),
    ('{"type":"CardPlayed","seat":true,"card":"SK"}', 2, 29, "seat must be a whole number, not true"),
    ('{"type":"BidMade","seat":1,"bid":"grand"}', 2, 34, "one of petite, garde, sans, contre"),
    ('{"type":"Dealt","hands":[["SK","SQ"],["S1", "T22"]]}', 2, 45, "'T22' is not a card"),
    ('{"type":"Dealt","hands":["SK","SQ"]}', 2, 26, 'hands[0] must be a list, not "SK"'),
    ('{"type":"Revealed","cards":[],"partner":"none"}', 2, 41, "a whole number or null"),
    ('{"type":"Paid","transfers":[{"payer":"kong",' + PAID + "}]}", 2, 38, "one of king, pagat"),
    ('{"type":"Paid","transfers":[{' + PAID + "}]}", 2, 29, "transfers[0] lacks the key 'payer'"),
    ('{"type":"TrickWon","seat":1,"meta":"slow"}', 2, 36, "meta must be an object"),
    ('{"type":"TrickWon","seat":1,"meta":{"unknown":1}}', 2, 47, "without the key 'unknown'"),
    ('\r\n{"type":"TrickWon","Sædet":"ø","seat":"ø"}', 3, 39, 'not "ø"'),
]

SHEET_HEADERS = [
    ("Ultimo sheet 2\n", 1, 14, "version 2"),
    ("Ultimo sheet one\n", 1, 1, "must be 'Ultimo sheet 1'"),
    ("Ultimo sheet 1\nTable: 4\n", 2, 1, "'Rules: dtf"),
    ("Ultimo sheet 1\nRules: dtf 00\n\nDeal continued\n", 4, 1, "'Table: 4'"),
    ("Ultimo sheet 1\nRules: dtf\n", 2, 11, "found the end of the line"),
    ("Ultimo sheet 1\nRules: dtf 00\nTable: four\n", 3, 8, "the number of people"),
    (SHEET_HEADER + "House: skus.demandable\n", 4, 23, "expected '='"),
    (SHEET_HEADER + "House: ultimo.king=10; skus.rename=[1,\n", 4, 36, "is not a value"),
    (SHEET_HEADER + "X-place: Aarhus\n", 4, 10, "not JSON"),
    (SHEET_HEADER + "X-rules: 1\n", 4, 3, "a line of its own"),
]

SHEET_EVENTS = [
    ("Skatt 0: S4", 4, 1, "'Skatt' is not a word of the sheet; did you mean 'Skat'?"),
    ("  ♠♠♠", 4, 3, "'♠♠♠' is not a word"),
    ("Skat nobody: S4", 4, 6, "expected a whole number, found 'nobody'"),
    ("Skat 0: S4 S11 S3", 4, 12, "'S11' is not a card"),
    ("Skat 0:", 4, 8, "expected cards, or - for none"),
    ("Skat 0: (S4 S3", 4, 15, "a closing )"),
    ("Skat 0: S4 S3 S2, nolo", 4, 19, "expected 'tout', found 'nolo'"),
    ("Skat 0: T 21 20 | S K 11", 4, 23, "'11' is not a card"),
    ("Play 1: T0=X", 4, 12, "one of S, H, C, D, T"),
    ("Play 1: S4 S5", 4, 12, "'S5' does not belong here"),
    ('Play 1: S4 {"clock":}', 4, 21, "not JSON"),
    ('Play 1: S4 {"clock":1e999}', 4, 12, "out of range"),
    ('Play 1: S4 {"unknown":{"seat":2}}', 4, 12, "'unknown'"),
    ("Deal: dealer 0, active 1 2 0", 4, 7, "expected 'table', found 'dealer'"),
    ("Declare 1: tarok ten", 4, 18, "'ten' does not belong here"),
    ("Declare 1: half H -H11", 4, 20, "'H11' is not a card"),
    ("Declare 1: ten taroks", 4, 12, "one of tarok, matadors"),
    ("Voted 1: maybe", 4, 10, "expected yes or no, found 'maybe'"),
    ('Series: dealer 0, names "Anna', 4, 25, "not JSON: unterminated string"),
    ("1. 1: S4 T4 S3", 4, 15, "expected '>' and the winner"),
    ("1. 1: S4 T4 S3 H2 H3 > 2", 4, 19, "expected '>' and the winner, found 'H3'"),
    ("1. 7: S4 T4 S3 > 2", 4, 4, "seat 7 does not play in this deal"),
    ("1. S4 T4 S3 > 2", 4, 4, "the seat that leads"),
    ("1. 1: S4 T4 S3 > me", 4, 18, "the seat that wins"),
    ("Deal: table 4, dealer 0, active 1 3 0\n1. 2: S4 > 2", 5, 4, "seat 2 does not play"),
    ("1 pays 2: ante", 4, 9, "expected a whole number, found ':'"),
    ("1 pays Anna 5: ante", 4, 8, "king or pagat"),
    ("1 pays 2 5: for fun", 4, 13, "found 'for'"),
    ("1 pays 2 5: ante [no end", 4, 19, "a closing ]"),
    ("+ 1 pays 2 5: ante", 4, 1, "no payment above"),
    ("1 pays 2 5", 4, 11, "expected ':'"),
    ("  Hand 0: SK", 4, 3, "below the line 'Dealt'"),
    ("Dealt\n  Hand 0: SK\n  Hand 2: SQ", 6, 8, "expected the hand of seat 1"),
    ("# a remark\n\nDealt\n  Hand 0: ?×5, SK", 7, 14, "does not belong here"),
]


@pytest.mark.parametrize(
    ("text", "line", "column", "reason"),
    [
        *EITHER,
        *JSON_FIRST_LINES[:3],
        *[(f"{JSON_HEADER}\n{text}\n", *rest) for text, *rest in JSON_EVENTS],
        *JSON_FIRST_LINES[3:],
        *SHEET_HEADERS,
        *[(f"{SHEET_HEADER}{text}\n", *rest) for text, *rest in SHEET_EVENTS],
    ],
)
def test_damage_is_told_with_its_place(text: str, line: int, column: int, reason: str) -> None:
    with pytest.raises(RecordError) as refused:
        record.loads(text)
    error = refused.value
    assert (error.line, error.column) == (line, column)
    assert reason in error.reason
    assert str(error) == f"line {line}, column {column}: {error.reason}"


@pytest.mark.parametrize(("spelling", "text"), [(jsonl, ""), (sheet, ""), (sheet, "# only a remark\n")])
def test_each_spelling_refuses_an_empty_record_by_itself(spelling: object, text: str) -> None:
    with pytest.raises(RecordError, match="empty"):
        spelling.loads(text)  # type: ignore[attr-defined]


def test_a_card_twice_in_a_hand_is_the_business_of_the_rules() -> None:
    twice = record.loads(SHEET_HEADER + "Dealt\n  Hand 0: SK SK\n")
    assert record.loads(jsonl.dumps(twice)) == twice


# --- files -----------------------------------------------------------------------------------------------


def test_a_file_that_is_not_utf_8(tmp_path: Path) -> None:
    file = tmp_path / "evening.txt"
    file.write_bytes(SHEET_HEADER.encode() + "# Ærø\n# Århus\n".encode("latin-1"))
    with pytest.raises(RecordError) as refused:
        record.load(file)
    assert str(refused.value) == "line 4, column 3: not UTF-8 text"


def test_a_line_cut_off_within_a_character_is_dropped_on_demand(tmp_path: Path) -> None:
    whole = f'{JSON_HEADER}\n{{"type":"TrickWon","seat":1}}\n{{"type":"TrickWon","seat":2,"meta":{{"by":"Åse'
    file = tmp_path / "evening.jsonl"
    file.write_bytes(whole.encode()[:-3])
    with pytest.raises(RecordError) as refused:
        record.load(file)
    assert (refused.value.line, refused.value.column) == (3, 43)
    kept = record.load(file, tolerant=True)
    assert jsonl.dumps(kept) == f'{JSON_HEADER}\n{{"type":"TrickWon","seat":1}}\n'


def test_only_the_last_line_can_be_torn() -> None:
    torn = f'{JSON_HEADER}\n{{"type":"TrickW\n'
    with pytest.raises(RecordError, match="line 2, column 9: not JSON"):
        jsonl.loads(torn, tolerant=True)
    with pytest.raises(RecordError, match="line 1, column 10"):
        jsonl.loads('{"ultimo"', tolerant=True)


def test_both_spellings_go_through_files(tmp_path: Path) -> None:
    some = record.loads(SHEET_HEADER + "1. 1: S4 T4 S3 H1 > 2\n")
    for spelling in (jsonl, sheet):
        path = tmp_path / "record"
        path.write_text(spelling.dumps(some), encoding="utf-8", newline="\n")
        assert spelling.loads(path.read_text(encoding="utf-8")) == some == record.load(path)


# --- rules -----------------------------------------------------------------------------------------------


@pytest.mark.parametrize("book", rulebook.ids())
def test_the_rules_of_a_record_are_found_again(book: str) -> None:
    rules = rulebook.load(book)
    header = record.header(rules, rules.sizes[0])
    assert record.rules_of(header) == rules
    assert sheet.loads(sheet.dumps(Record(header, ()))).header == header


def test_house_rules_are_part_of_the_record() -> None:
    rules = rulebook.load("dtf", {"skus.thirdLastVoluntary": False, "session.length.deals": 8})
    header = record.header(rules, 4)
    assert header.overrides == {"skus.thirdLastVoluntary": False, "session.length.deals": 8}
    for spelling in (jsonl, sheet):
        assert record.rules_of(spelling.loads(spelling.dumps(Record(header, ()))).header) == rules


def test_house_rules_may_be_written_as_in_a_rulebook() -> None:
    written = SHEET_HEADER + 'House: a=10; b = ["x", "y;z"]; c = {deals = 8}; d={"deals":8}; e=claim\n'
    assert record.loads(written).header.overrides == {
        "a": 10,
        "b": ["x", "y;z"],
        "c": {"deals": 8},
        "d": {"deals": 8},
        "e": "claim",
    }


@pytest.mark.parametrize(
    ("header", "reason"),
    [
        (Header("dtf", "0" * 16, {}, 4), "made under other rules"),
        (Header("skat", "0" * 16, {}, 4), "no such rulebook"),
        (Header("dtf", "0" * 16, {"skus.colour": "red"}, 4), "skus.colour: no such parameter"),
        (Header("dtf", "0" * 16, {"ultimo.king": "ten"}, 4), "ultimo.king"),
    ],
)
def test_rules_that_cannot_be_those_of_the_record(header: Header, reason: str) -> None:
    with pytest.raises(RecordError, match=reason) as refused:
        record.rules_of(header)
    assert (refused.value.line, refused.value.column) == (1, 1)


def test_other_rules_can_be_accepted_on_purpose() -> None:
    assert record.rules_of(Header("dtf", "0" * 16, {}, 4), same=False) == rulebook.load("dtf")


# --- what a record cannot hold -----------------------------------------------------------------------------


def test_an_extra_key_cannot_hide_one_of_the_header() -> None:
    with pytest.raises(ValueError, match="extra cannot hold rules"):
        Header("dtf", "00", {}, 4, {"rules": "vlk"})


@pytest.mark.parametrize("unknown", [{}, {"seat": 2}, {"meta": {}}, 7])
def test_an_unknown_key_cannot_hide_one_of_the_event(unknown: object) -> None:
    with pytest.raises(ValueError, match="other keys of a line"):
        Entry(TrickWon(1), {"unknown": unknown})


def test_an_unknown_key_returns_to_its_place() -> None:
    line = '{"type":"TrickWon","seat":1,"meta":{"clock":3},"weather":"rain"}\n'
    (entry,) = jsonl.loads(f"{JSON_HEADER}\n{line}").entries
    assert entry == Entry(TrickWon(1), {"clock": 3, "unknown": {"weather": "rain"}})
    assert jsonl.encode_entry(entry) == line
