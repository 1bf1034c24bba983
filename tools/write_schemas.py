"""Write what is published of the formats: `python tools/write_schemas.py`."""

from __future__ import annotations

import json
from pathlib import Path

from ultimo.cli import settle
from ultimo.record.schema import schema, spellings

DOCS = Path(__file__).parents[1] / "docs"


def main() -> None:
    """Write the schemas of a line and of a score sheet, and the table of spellings in the manual."""
    for name, published in (("record", schema()), ("outcome", settle.schema())):
        text = json.dumps(published, indent=2, ensure_ascii=False) + "\n"
        (DOCS / "schema" / f"{name}.schema.json").write_text(text, encoding="utf-8")
    manual = DOCS / "records.md"
    before, fence, rest = manual.read_text(encoding="utf-8").partition("```patterns\n")
    table = "".join(f"{line}\n" for line in spellings())
    manual.write_text(before + fence + table + rest[rest.index("```") :], encoding="utf-8")


if __name__ == "__main__":
    main()
