"""Records as a text sheet: a person can read it, write it with a pencil, and paste it into an issue.

The writer is strict: equal records give equal text. The reader is lax in spaces, blank lines and the case of
words, and passes over lines that begin with `#`. The grammar is in docs/records.md.
"""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence
from difflib import get_close_matches
from itertools import pairwise
from typing import Any

import msgspec
from msgspec import structs

from ultimo.events import CardPlayed, Event, Opened, Paid, Seat, SomeCards, Transfer, TrickWon
from ultimo.files import shortened
from ultimo.pauses import with_pauses
from ultimo.record.cursor import Cursor, word
from ultimo.record.grammar import HANDS, Fields, Pattern, codec, regular
from ultimo.record.model import (
    EVENTS,
    HEADER_KEYS,
    VERSION,
    Entry,
    Header,
    Record,
    RecordError,
    lines,
    other_version,
    wrong_table,
)
from ultimo.record.places import ITEMS, TOO_MANY
from ultimo.record.words import AMOUNT, CAUSE, PATTERNS
from ultimo.rulebook import toml

_HEAD = re.compile(r"[A-Za-z][A-Za-z ]*")
_FIRST = re.compile(r"ultimo\s+sheet\s+([0-9]+)\s*$", re.IGNORECASE)
_KEY = re.compile(r"(rules|house|table)\s*:|x-", re.IGNORECASE)
_TRICK = re.compile(r"[0-9]+\s*\.")
_PAYMENT = re.compile(r"\+|(-?[0-9]+|king|pagat)\s+pays(?!\w)", re.IGNORECASE)
_HAND = re.compile(r"hand\s+([0-9]{1,3})\s*:", re.IGNORECASE)
_VALUE = re.compile(r"[^;]*")

_encode = msgspec.json.Encoder(order="deterministic").encode
_text, _cards = codec(str), codec(SomeCards)


def pattern(kind: type[Any]) -> str:
    """How an event is spelled, in the language of `words`."""
    return PATTERNS.get(kind) or regular(kind)


def _headed(kind: type[Any]) -> tuple[str, Pattern]:
    text = pattern(kind)
    head = _HEAD.match(text)
    assert head
    return head[0].strip(), Pattern(kind, text[len(head[0].rstrip()) :])


_EVENTS = {kind: _headed(kind) for kind in EVENTS.values()}
_HEADS = {head.lower().replace(" ", ""): kind for kind, (head, _) in _EVENTS.items()}
_LONGEST_HEAD = max(len(head.split()) for head, _ in _EVENTS.values())  # in words
_HANDS = {
    kind: field.name for kind in EVENTS.values() for field in structs.fields(kind) if field.type == HANDS
}
_BELOW: dict[type[Any], Fields] = {  # what stands on lines of its own, before the first of them is read
    Paid: {"transfers": ()},
    **{kind: {name: ()} for kind, name in _HANDS.items()},
}
_RULES = Pattern(Header, " {rules} {digest}")
_AMOUNT, _CAUSE = Pattern(Transfer, AMOUNT), Pattern(Transfer, CAUSE)
_PLAYED = Pattern(CardPlayed, "{card}(={named})")


# --- writing -------------------------------------------------------------------------------------------


def dumps(record: Record) -> str:
    """The record as a sheet."""
    return "\n".join([*_header_lines(record.header), "", *with_pauses(_event_lines(record)), ""])


def _json(value: Any) -> str:
    return _encode(value).decode()


def _header_lines(header: Header) -> Iterator[str]:
    yield f"Ultimo sheet {VERSION}"
    yield f"Rules:{_RULES.write(header)}"
    if header.overrides:
        rules = (f"{_text.write(key)}={_json(value)}" for key, value in sorted(header.overrides.items()))
        yield f"House: {'; '.join(rules)}"
    yield f"Table: {header.table}"
    for key, value in sorted(header.extra.items()):
        yield f"X-{_text.write(key)}: {_json(value)}"


def _event_lines(record: Record) -> Iterator[str]:
    entries, active = record.entries, _everybody(record.header)
    number, at = 1, 0
    while at < len(entries):
        if trick := _trick(entries[at : at + len(active) + 1], active):
            yield f"{number}. {trick}"
            at += len(active) + 1
            number += 1
            continue
        event = entries[at].event
        if at and isinstance(event, Opened):
            yield ""
        yield from _entry_lines(entries[at])
        at += 1
        if isinstance(event, Opened):
            number, active = 1, event.active or _everybody(record.header)
        elif isinstance(event, TrickWon):
            number += 1


def _everybody(header: Header) -> Sequence[Seat]:
    return range(header.table)


def _in_turn(active: Sequence[Seat], leader: Seat) -> Iterator[Seat]:
    """The seats in the order in which they play to a trick."""
    first = active.index(leader)
    for place in range(len(active)):
        yield active[(first + place) % len(active)]


def _trick(entries: Sequence[Entry], active: Sequence[Seat]) -> str:
    """A trick on one line, or nothing when the entries are not exactly a trick of everybody in turn."""
    *cards, won = (None if entry.meta else entry.event for entry in entries)
    plays = [event for event in cards if isinstance(event, CardPlayed)]
    if not isinstance(won, TrickWon) or not plays or len(plays) < len(active) or plays[0].seat not in active:
        return ""
    leader = plays[0].seat
    if [play.seat for play in plays] != list(_in_turn(active, leader)):
        return ""
    return f"{leader}: {' '.join(map(_PLAYED.write, plays))} > {won.seat}"


def _entry_lines(entry: Entry) -> Iterator[str]:
    event, meta = entry.event, f" {_json(entry.meta)}" if entry.meta else ""
    if isinstance(event, Paid) and event.transfers:
        yield from _payment_lines(event.transfers, meta)
        return
    head, values = _EVENTS[type(event)]
    yield f"{head}{values.write(event)}{meta}"
    if hands := _HANDS.get(type(event)):
        for seat, hand in enumerate(getattr(event, hands)):
            yield f"  Hand {seat}: {_cards.write(hand)}"


def _payment_lines(transfers: tuple[Transfer, ...], meta: str) -> Iterator[str]:
    yield f"  {_AMOUNT.write(transfers[0])}{_CAUSE.write(transfers[0])}{meta}"
    for above, transfer in pairwise(transfers):
        amount, cause = _AMOUNT.write(transfer), _CAUSE.write(transfer)
        yield f"+ {amount}{'' if cause == _CAUSE.write(above) else cause}"


# --- reading -------------------------------------------------------------------------------------------


def loads(text: str) -> Record:
    """The record in `text`."""
    return _read(text)[0]


def places(text: str) -> list[int]:
    """The line on which each entry of the record in `text` begins."""
    return _read(text)[1]


def _read(text: str) -> tuple[Record, list[int]]:
    said = [Cursor(line, number) for number, line in lines(text) if not line.lstrip().startswith("#")]
    if not said:
        raise RecordError(1, 1, "the record is empty")
    _version(said[0])
    body = next((at for at, line in enumerate(said) if at and not line.peek(_KEY)), len(said))
    header = _read_header(said[1:body], said[min(body, len(said) - 1)])
    entries, begun = _read_entries(header, said[body:])
    return Record(header, tuple(entries)), begun


def _version(first: Cursor) -> None:
    found = first.peek(_FIRST)
    if not found:
        raise first.fail(f"the first line must be 'Ultimo sheet {VERSION}'")
    if found[1] != str(VERSION):
        raise first.fail(other_version(found[1]), found.start(1))


def _read_header(lines: list[Cursor], after: Cursor) -> Header:
    fields: Fields = {"overrides": {}, "extra": {}}
    for cursor in lines:
        key = cursor.need(_KEY, "a line of the header")[1]
        match key and key.lower():
            case "rules":
                fields |= _RULES.read(cursor)
            case "table":
                at, fields["table"] = cursor.at, cursor.number("the number of people at the table")
                if reason := wrong_table(fields["table"]):
                    raise cursor.fail(reason, at)
            case "house":
                fields["overrides"] |= _house(cursor)
            case _:
                at, name = cursor.at, _text.read(cursor)
                if name in HEADER_KEYS:
                    raise cursor.fail(f"{name} is a line of its own, not an extra one", at)
                cursor.need(word(":"), "':'")
                fields["extra"][name] = cursor.json()
        cursor.end()
    for needed, line in (("rules", "Rules: dtf 3f9a…"), ("table", "Table: 4")):
        if needed not in fields:
            raise after.fail(f"the header lacks a line such as '{line}'", 0)
    return Header(**fields)


def _house(cursor: Cursor) -> Iterator[tuple[str, Any]]:
    """House rules `key=value; …`; a value is JSON, TOML or a word."""
    while True:
        key = _text.read(cursor)
        cursor.need(word("="), "'=' and a value")
        yield key, _house_value(cursor)
        if not cursor.take(word(";")):
            return


def _house_value(cursor: Cursor) -> Any:
    start = cursor.at
    try:
        value = cursor.json()
        if cursor.ended or cursor.peek(word(";")):
            return value
    except RecordError:
        pass
    cursor.at = start
    text = cursor.need(_VALUE, "a value")[0].strip()
    try:
        return msgspec.json.decode(_encode(toml(f"value = {text}")["value"]))  # no dates in JSON
    except (ValueError, RecursionError):
        if text.isalnum():
            return text
    raise cursor.fail(f"{text!r} is not a value: write it as in a rulebook", start)


def _read_entries(header: Header, lines: list[Cursor]) -> tuple[list[Entry], list[int]]:
    """The entries, and the line on which each begins."""
    entries: list[Entry] = []
    begun: list[int] = []
    active = _everybody(header)
    for cursor in lines:
        if cursor.take(_TRICK):
            entries += _read_trick(cursor, active)
        elif cursor.peek(_PAYMENT):
            _read_payment(cursor, entries)
        elif hand := cursor.take(_HAND):
            _read_hand(cursor, hand, entries)
        else:
            entries.append(_read_event(cursor))
            if isinstance(opened := entries[-1].event, Opened):
                active = opened.active or _everybody(header)
        cursor.end()
        begun += [cursor.line] * (len(entries) - len(begun))
    return entries, begun


def _read_event(cursor: Cursor) -> Entry:
    kind = _read_head(cursor)
    return _in_envelope(cursor, kind(**_EVENTS[kind][1].read(cursor), **_BELOW.get(kind, {})))


def _read_head(cursor: Cursor) -> type[Any]:
    """The event whose name begins the line: the longest, for `Deal continued` is not a `Deal`."""
    head = cursor.peek(_HEAD)
    words = head[0].split() if head else []
    for length in range(min(len(words), _LONGEST_HEAD), 0, -1):
        if kind := _HEADS.get("".join(words[:length]).lower()):
            cursor.take(word(" ".join(words[:length])))
            return kind
    text = shortened(" ".join(words) or cursor.text[cursor.at :].split()[0], 40)
    close = get_close_matches(text, [head for head, _ in _EVENTS.values()], 1)
    raise cursor.fail(
        f"{text!r} is not a word of the sheet" + (f"; did you mean {close[0]!r}?" if close else "")
    )


def _in_envelope(cursor: Cursor, event: Event) -> Entry:
    """The event with the envelope that may stand at the end of its line."""
    start = cursor.at
    meta = cursor.json() if cursor.peek(word("{")) else {}
    try:
        return Entry(event, meta)
    except ValueError as error:
        raise cursor.fail(str(error), start) from None


def _read_trick(cursor: Cursor, active: Sequence[Seat]) -> Iterator[Entry]:
    """`7. 1: S4 T4 S3 > 2`; the number is for people, and counts for nothing."""
    start = cursor.at
    leader = cursor.number("the seat that leads")
    if leader not in active:
        raise cursor.fail(f"seat {leader} does not play in this deal", start)
    cursor.need(word(":"), "':'")
    for seat in _in_turn(active, leader):
        yield Entry(CardPlayed(seat=seat, **_PLAYED.read(cursor)))
        if cursor.ended or cursor.peek(word(">")):
            break
    cursor.need(word(">"), "'>' and the winner")
    yield Entry(TrickWon(cursor.number("the seat that wins")))


def _read_payment(cursor: Cursor, entries: list[Entry]) -> None:
    """A payment begins an event; with `+` it belongs to the payment above, and may have its cause."""
    more = cursor.take(word("+"))
    fields = _AMOUNT.read(cursor)
    if not more:
        entries.append(_in_envelope(cursor, Paid((Transfer(**fields, **_CAUSE.read(cursor)),))))
        return
    above = entries[-1].event if entries else None
    if not isinstance(above, Paid) or not above.transfers:
        raise cursor.fail("there is no payment above to which '+' could add", more.start())
    if len(above.transfers) == ITEMS:
        raise cursor.fail(TOO_MANY, more.start())
    cause = above.transfers[-1] if cursor.ended else None
    transfer = structs.replace(cause, **fields) if cause else Transfer(**fields, **_CAUSE.read(cursor))
    entries[-1] = structs.replace(entries[-1], event=Paid((*above.transfers, transfer)))


def _read_hand(cursor: Cursor, hand: re.Match[str], entries: list[Entry]) -> None:
    """A hand belongs to the event above that deals or corrects the cards."""
    above: Any = entries[-1].event if entries else None
    name = _HANDS.get(type(above))
    if not name:
        raise cursor.fail("a hand must stand below the line 'Dealt'", hand.start())
    hands = getattr(above, name)
    if int(hand[1]) != len(hands):
        raise cursor.fail(f"expected the hand of seat {len(hands)}", hand.start(1))
    event = structs.replace(above, **{name: (*hands, _cards.read(cursor))})
    entries[-1] = structs.replace(entries[-1], event=event)
