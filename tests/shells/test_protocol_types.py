"""The page's types of the protocol are those of the server."""

from __future__ import annotations

import re

import write_protocol
from ultimo.table.messages import Do
from ultimo.table.scene import PlayOffer


def test_the_file_is_fresh() -> None:
    assert write_protocol.FILE.read_text(encoding="utf-8") == write_protocol.protocol(), (
        "web/src/protocol.ts is stale: run `make protocol`"
    )


def test_every_type_that_is_used_is_written() -> None:
    text = re.sub(r"//.*|/\*\*.*?\*/|\"[^\"]*\"", "", write_protocol.protocol())
    written = set(re.findall(r"export type (\w+)", text))
    used = set(re.findall(r"\b[A-Z]\w+", text)) - {"Record"}
    assert used <= written, used - written
    assert {"Scene", "Full", "Settings", "Book", "Play"} <= written


def test_a_tag_is_a_field_and_a_default_is_always_sent() -> None:
    text = write_protocol.protocol()
    assert f'  kind: "{PlayOffer.__struct_config__.tag}";' in text
    assert f'  type: "{Do.__struct_config__.tag}";' in text
    assert "  standIn: boolean;" in text  # has a default, and a scene leaves nothing out
    assert "  grace?: number;" in text  # settings leave their defaults out
