"""One record, two spellings: nothing is lost either way, and equal records give equal bytes."""

from __future__ import annotations

import json
import re
from functools import cache
from pathlib import Path
from types import NoneType, UnionType
from typing import Any, Literal, Union, get_args, get_origin

import pytest
from hypothesis import given
from hypothesis import strategies as st
from jsonschema import Draft202012Validator
from msgspec import Struct, structs

from ultimo import record
from ultimo.cards import Card
from ultimo.events import CardPlayed, Event, Opened, TrickWon
from ultimo.record import Entry, Header, Record, RecordError, jsonl, sheet
from ultimo.record.model import EVENTS, HEADER_KEYS, LINE_KEYS, SIZES
from ultimo.record.schema import schema, spellings

DOCS = Path(__file__).parents[2] / "docs"

# --- any value of any type, so that a new event needs no word here ---------------------------------------

TEXT = st.text(st.characters(exclude_categories=["Cs"]), max_size=12)
NUMBERS = st.integers(-3, 130)
JSON: st.SearchStrategy[Any] = st.recursive(
    st.none()
    | st.booleans()
    | st.integers(-(2**62), 2**62)
    | st.floats(allow_nan=False, allow_infinity=False)
    | TEXT,
    lambda inner: st.lists(inner, max_size=3) | st.dictionaries(TEXT, inner, max_size=3),
    max_leaves=4,
)
CARDS = st.lists(st.sampled_from(Card), max_size=8) | st.lists(st.sampled_from(Card), max_size=30).map(sorted)


@cache
def values(kind: Any) -> st.SearchStrategy[Any]:
    """Any value of a type."""
    origin, inner = get_origin(kind), get_args(kind)
    if kind == tuple[Card, ...]:
        return CARDS.map(tuple)
    if origin is tuple:
        return st.lists(values(inner[0]), max_size=4).map(tuple)
    if origin is Literal:
        return st.sampled_from(inner)
    if origin in (Union, UnionType):
        return st.one_of(*map(values, inner))
    if isinstance(kind, type) and issubclass(kind, Struct):
        return st.fixed_dictionaries(
            {field.name: values(field.type) for field in structs.fields(kind) if field.required},
            optional={field.name: values(field.type) for field in structs.fields(kind) if not field.required},
        ).map(lambda fields: kind(**fields))
    return {
        int: NUMBERS,
        str: TEXT,
        bool: st.booleans(),
        NoneType: st.none(),
        Card: st.sampled_from(Card),
    }[kind]


@st.composite
def metas(draw: st.DrawFn, event: Event) -> dict[str, Any]:
    """Any envelope, with and without keys that nobody knows."""
    meta = draw(st.just({}) | st.dictionaries(TEXT.filter(lambda key: key != "unknown"), JSON, max_size=2))
    known = LINE_KEYS[type(event).__name__]
    if draw(st.integers(0, 4)) == 0:
        meta["unknown"] = draw(
            st.dictionaries(TEXT.filter(lambda key: key not in known), JSON, min_size=1, max_size=2)
        )
    return meta


@st.composite
def entries(draw: st.DrawFn) -> Entry:
    event = draw(values(draw(st.sampled_from(list(EVENTS.values())))))
    return Entry(event, draw(metas(event)))


@st.composite
def tricks(draw: st.DrawFn) -> list[Entry]:
    """A deal opened and tricks in it, most of them in turn and undisturbed."""
    active = tuple(draw(st.permutations(range(4))))[: draw(st.integers(2, 4))]
    stream: list[Entry] = [Entry(Opened(table=4, dealer=0, active=active))]
    for _ in range(draw(st.integers(0, 4))):
        leader = draw(st.integers(0, len(active) - 1))
        for seat in active[leader:] + active[:leader]:
            stream.append(
                Entry(CardPlayed(seat, draw(st.sampled_from(Card)), draw(st.none() | st.just("H"))))
            )
        stream.append(Entry(TrickWon(draw(st.sampled_from(active)))))
        if draw(st.integers(0, 3)) == 0:
            stream.insert(draw(st.integers(1, len(stream))), draw(entries()))
    return stream


HEADERS = st.builds(
    Header,
    rules=TEXT,
    digest=TEXT,
    overrides=st.dictionaries(TEXT, JSON, max_size=2),
    table=st.sampled_from(SIZES),
    extra=st.dictionaries(TEXT.filter(lambda key: key not in HEADER_KEYS), JSON, max_size=2),
)
RECORDS = st.builds(Record, HEADERS, (st.lists(entries(), max_size=5) | tricks()).map(tuple))

both = pytest.mark.parametrize("spelling", [jsonl, sheet], ids=["jsonl", "sheet"])


# --- the laws ------------------------------------------------------------------------------------------


@both
@given(given_record=RECORDS)
def test_what_is_written_is_read_again(spelling: Any, given_record: Record) -> None:
    text = spelling.dumps(given_record)
    assert spelling.loads(text) == given_record
    assert spelling.dumps(spelling.loads(text)) == text
    assert record.loads(text) == given_record


@pytest.mark.parametrize("kind", EVENTS.values(), ids=EVENTS.keys())
@given(data=st.data())
def test_every_event_has_both_spellings(kind: Any, data: st.DataObject) -> None:
    alone = Record(Header("dtf", "0" * 16, {}, 4), (Entry(data.draw(values(kind))),))
    assert jsonl.loads(jsonl.dumps(alone)) == alone
    assert sheet.loads(sheet.dumps(alone)) == alone


@given(RECORDS)
def test_the_way_through_the_sheet_changes_no_byte(given_record: Record) -> None:
    lines = jsonl.dumps(given_record)
    assert jsonl.dumps(sheet.loads(sheet.dumps(jsonl.loads(lines)))) == lines


@given(RECORDS)
def test_equal_records_give_equal_bytes(given_record: Record) -> None:
    def turned(value: Any) -> Any:
        if isinstance(value, dict):
            return {key: turned(value[key]) for key in reversed(value)}
        return [turned(one) for one in value] if isinstance(value, list) else value

    header = structs.replace(
        given_record.header,
        overrides=turned(given_record.header.overrides),
        extra=turned(given_record.header.extra),
    )
    other = Record(header, tuple(Entry(entry.event, turned(entry.meta)) for entry in given_record.entries))
    assert jsonl.dumps(other) == jsonl.dumps(given_record)
    assert sheet.dumps(other) == sheet.dumps(given_record)


@both
@given(given_record=RECORDS)
def test_blank_lines_line_ends_a_mark_and_spaces_do_not_matter(spelling: Any, given_record: Record) -> None:
    text = spelling.dumps(given_record)
    assert spelling.loads("\ufeff" + text.replace("\n", "\r\n")) == given_record
    assert spelling.loads("\n \t\n" + text.replace("\n", "  \n\n")) == given_record
    assert spelling.loads("   " + text.replace("\n", "\n\t ").rstrip("\t ")) == given_record
    assert spelling.loads(text.removesuffix("\n")) == given_record


@given(RECORDS)
def test_json_may_be_spaced_and_turned(given_record: Record) -> None:
    lines = jsonl.dumps(given_record).split("\n")[:-1]
    turned = [dict(reversed(json.loads(line).items())) for line in lines]
    assert jsonl.loads("\n".join(json.dumps(line, indent=None) for line in turned)) == given_record


@given(RECORDS.filter(lambda some: not any(entry.meta for entry in some.entries)))
def test_words_of_a_sheet_may_be_shouted_and_stretched(given_record: Record) -> None:
    header = Header("dtf", "00", {}, given_record.header.table)
    text = sheet.dumps(Record(header, given_record.entries))
    if '"' in text or re.search(r"names|effects|\[", text):  # free text keeps its case and its spaces
        return
    first, rules, rest = text.split("\n", 2)
    stretched = "\n".join([first.upper(), rules, rest.upper().replace(" ", "   ")])
    assert sheet.loads(stretched).entries == given_record.entries
    assert sheet.loads(text.replace("\n", "\n# a remark\n")).entries == given_record.entries


@given(RECORDS)
def test_every_json_line_fits_the_schema(given_record: Record) -> None:
    for line in jsonl.dumps(given_record).split("\n")[:-1]:
        assert validator().is_valid(json.loads(line)), line


@cache
def validator() -> Draft202012Validator:
    return Draft202012Validator(schema())


@given(RECORDS.filter(lambda some: bool(some.entries)), st.data())
def test_a_torn_last_line_is_dropped_on_demand(given_record: Record, data: st.DataObject) -> None:
    whole = jsonl.dumps(given_record)
    last = jsonl.encode_entry(given_record.entries[-1])
    cut = data.draw(st.integers(1, len(last) - 2))
    torn = whole[: len(whole) - len(last) + cut]
    with pytest.raises(RecordError) as error:
        jsonl.loads(torn)
    assert error.value.line == len(given_record.entries) + 1
    assert jsonl.loads(torn, tolerant=True).entries == given_record.entries[:-1]


@both
@given(given_record=RECORDS, data=st.data())
def test_damage_is_refused_with_a_place_or_still_a_record(
    spelling: Any, given_record: Record, data: st.DataObject
) -> None:
    text = spelling.dumps(given_record)
    at = data.draw(st.integers(0, len(text)))
    damaged = text[:at] + data.draw(st.text('0159 STK?{}[]":;,.|>=-×\n', max_size=3)) + text[at + 1 :]
    if place := refusal(spelling, damaged):
        line, column = place
        lines = damaged.split("\n")
        assert 1 <= line <= len(lines)
        assert 1 <= column <= len(lines[line - 1]) + 1


def refusal(spelling: Any, text: str) -> tuple[int, int] | None:
    """Where the text is refused, if it is."""
    try:
        spelling.loads(text)
    except RecordError as error:
        return error.line, error.column
    return None


def test_a_trick_is_one_line_when_everybody_plays_in_turn() -> None:
    def body(*stream: Entry) -> list[str]:
        some = Record(Header("dtf", "00", {}, 4), (Entry(Opened(4, 0, (1, 3, 0))), *stream))
        assert sheet.loads(sheet.dumps(some)) == some
        return sheet.dumps(some).splitlines()[5:]

    third, first, second = (
        Entry(CardPlayed(seat, Card(card))) for seat, card in ((3, "S4"), (0, "T0"), (1, "S5"))
    )
    won = Entry(TrickWon(1))
    assert body(third, first, second, won) == ["1. 3: S4 T0 S5 > 1"]
    assert body(won, third, first, second, won) == ["Trick won 1", "2. 3: S4 T0 S5 > 1"]
    assert body(third, second, first, won) == ["Play 3: S4", "Play 1: S5", "Play 0: T0", "Trick won 1"]
    assert body(third, first, won) == ["Play 3: S4", "Play 0: T0", "Trick won 1"]
    slow = Entry(second.event, {"clock": 60})
    assert body(third, first, slow, won)[2] == 'Play 1: S5 {"clock":60}'


# --- what is published -----------------------------------------------------------------------------------


def test_the_published_schema_is_up_to_date() -> None:
    published = json.loads((DOCS / "schema" / "record.schema.json").read_text(encoding="utf-8"))
    assert published == json.loads(json.dumps(schema())), "run tools/write_schemas.py"
    Draft202012Validator.check_schema(published)


def test_the_manual_tells_every_spelling() -> None:
    manual = (DOCS / "records.md").read_text(encoding="utf-8")
    table = re.findall(r"```patterns\n(.*?)```", manual, re.DOTALL)[0].splitlines()
    assert table == spellings(), "run tools/write_schemas.py"


def test_the_examples_of_the_manual_are_one_record_in_canonical_form() -> None:
    manual = (DOCS / "records.md").read_text(encoding="utf-8")
    lines, text = (re.findall(rf"```{name}\n(.*?)```", manual, re.DOTALL)[0] for name in ("jsonl", "text"))
    assert jsonl.dumps(jsonl.loads(lines)) == lines
    assert sheet.dumps(jsonl.loads(lines)) == text
    assert sheet.loads(text) == jsonl.loads(lines)
