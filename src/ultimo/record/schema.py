"""What is published of the two spellings, made from the events themselves."""

from __future__ import annotations

from typing import Any

import msgspec

from ultimo.record.jsonl import HeaderLine
from ultimo.record.model import EVENTS, VERSION
from ultimo.record.sheet import pattern


def schema() -> dict[str, Any]:
    """The schema of a header, or of any event with its envelope. Keys it does not name are allowed."""
    kinds: tuple[type[Any], ...] = (HeaderLine, *EVENTS.values())
    _, definitions = msgspec.json.schema_components(kinds, ref_template="#/$defs/{name}")
    for name in EVENTS:
        definitions[name]["properties"]["meta"] = {"type": "object"}
    definitions[HeaderLine.__name__]["properties"]["ultimo"] = {"const": VERSION}
    return {
        "$schema": "https://json-schema.org/draft/2020-12/schema",
        "title": f"A line of an Ultimo record, version {VERSION}",
        "anyOf": [{"$ref": f"#/$defs/{kind.__name__}"} for kind in kinds],
        "$defs": dict(sorted(definitions.items())),
    }


def spellings() -> list[str]:
    """How the sheet spells each event, one line each."""
    return [f"{name:<20}{pattern(kind)}" for name, kind in EVENTS.items()]
