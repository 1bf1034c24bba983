"""Records as JSON lines: the header, then one event a line.

The writer is strict: equal records give equal bytes. The reader is lax in spaces, line ends, the order of
keys and keys it does not know, which it keeps.
"""

from __future__ import annotations

from typing import Any

import msgspec

from ultimo.events import Value
from ultimo.pauses import with_pauses
from ultimo.record import model
from ultimo.record.places import TOO_DEEP, Step, excess, locate, misfit, syntax, too_deep

_encode = msgspec.json.Encoder(order="deterministic").encode  # dicts sorted, structs in their own order
_decode = msgspec.json.Decoder().decode


class HeaderLine(Value, frozen=True):
    """The keys of the header in the order of the file."""

    ultimo: int
    rules: str
    digest: str
    overrides: dict[str, Any]
    table: int


def encode_header(header: model.Header) -> str:
    """The first line of a record, with its line end."""
    first = HeaderLine(model.VERSION, header.rules, header.digest, header.overrides, header.table)
    return (_join(_encode(first), header.extra) + b"\n").decode()


def encode_entry(entry: model.Entry) -> str:
    """One event as a line, with its line end: append it to a record while playing."""
    line = _encode(entry.event)
    if entry.meta:
        meta = {key: value for key, value in entry.meta.items() if key != model.UNKNOWN}
        line = _join(line, {"meta": meta} if meta else {})
        line = _join(line, entry.meta.get(model.UNKNOWN, {}))
    return (line + b"\n").decode()


def _join(line: bytes, more: dict[str, Any]) -> bytes:
    """The object `line`, which has keys already, with more keys at its end."""
    return line[:-1] + b"," + _encode(more)[1:] if more else line


def dumps(record: model.Record) -> str:
    """The record as JSON lines."""
    return encode_header(record.header) + "".join(map(encode_entry, with_pauses(record.entries)))


def loads(text: str, *, tolerant: bool = False) -> model.Record:
    """The record in `text`; `tolerant` drops a last line that was cut off while it was written."""
    said = model.lines(text)
    header = _header(*next(said, (1, "")))
    end = text.count("\n") + 1
    entries = []
    for number, line in said:
        try:
            entries.append(_entry(number, line))
        except _Torn:
            if not (tolerant and number == end):
                raise
    return model.Record(header, tuple(entries))


def places(text: str) -> list[int]:
    """The line on which each entry of the record in `text` stands."""
    return [number for number, _ in model.lines(text)][1:]


class _Torn(model.RecordError):
    """A line that is not JSON, perhaps because it was cut off."""


def _object(number: int, line: str) -> dict[str, Any]:
    try:
        raw = _decode(line)
    except (msgspec.DecodeError, RecursionError, UnicodeEncodeError):
        at, reason = syntax(line)
        raise _Torn(number, at + 1, reason, "notJson") from None
    if too_deep(line):
        raise model.RecordError(number, 1, TOO_DEEP, "tooLarge")
    if not isinstance(raw, dict):
        raise _wrong(number, line, (), "a line must be an object {…}", "notAnObject")
    return raw


def _header(number: int, line: str) -> model.Header:
    if not line:
        raise model.RecordError(number, 1, "the record is empty", "empty")
    raw = _object(number, line)
    if "ultimo" not in raw:
        raise _wrong(number, line, (), 'the first line must be a header: {"ultimo":1,"rules":…}', "noHeader")
    if raw["ultimo"] != model.VERSION:
        raise _wrong(number, line, ("ultimo",), model.other_version(repr(raw["ultimo"])), "otherVersion")
    first = _fit(number, line, raw, HeaderLine)
    if reason := model.wrong_table(first.table):
        raise _wrong(number, line, ("table",), reason, "wrongField")
    extra = {key: value for key, value in raw.items() if key not in model.HEADER_KEYS}
    return model.Header(first.rules, first.digest, first.overrides, first.table, extra)


def _entry(number: int, line: str) -> model.Entry:
    raw = _object(number, line)
    name = raw.get("type")
    kind = model.EVENTS.get(name) if isinstance(name, str) else None
    if kind is None:
        raise _wrong(number, line, ("type",), _not_an_event(raw), "notAnEvent")
    event = _fit(number, line, raw, kind)
    if found := excess(line, {key: raw[key] for key in kind.__struct_fields__ if key in raw}):
        raise _wrong(number, line, *found, "tooLarge")
    meta = raw.get("meta", {})
    if not isinstance(meta, dict) or model.UNKNOWN in meta:
        reason = f"meta must be an object, without the key {model.UNKNOWN!r}"
        raise _wrong(number, line, ("meta", model.UNKNOWN), reason, "wrongField")
    if not raw.keys() <= model.LINE_KEYS[kind.__name__]:
        unknown = {key: value for key, value in raw.items() if key not in model.LINE_KEYS[kind.__name__]}
        meta = {**meta, model.UNKNOWN: unknown}
    return model.Entry(event, meta)


def _not_an_event(raw: dict[str, Any]) -> str:
    if "type" in raw:
        return f"{raw['type']!r} is not a type of event"
    return "a second header: a file holds one record" if "ultimo" in raw else "an event lacks the key 'type'"


def _fit(number: int, line: str, raw: dict[str, Any], kind: type[Any]) -> Any:
    try:
        return msgspec.convert(raw, kind)
    except msgspec.ValidationError as error:
        path, reason = misfit(error, kind, raw)
        raise _wrong(number, line, path, reason, "wrongField") from None


def _wrong(number: int, line: str, path: tuple[Step, ...], reason: str, key: str) -> model.RecordError:
    return model.RecordError(number, locate(line, path) + 1, reason, key)
