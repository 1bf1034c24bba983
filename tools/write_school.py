"""Write the table of what the school teaches into docs/school.md: each teaching of the books with its lesson.

    python tools/write_school.py

What must be taught stands in docs/teaching.toml; what a lesson teaches, in the lesson.
"""

from __future__ import annotations

import tomllib
from pathlib import Path
from typing import Any

from ultimo.tutor.school.course import course, lesson

DOCS = Path(__file__).parents[1] / "docs"
TEACHING = DOCS / "teaching.toml"
PAGE = DOCS / "school.md"
BEGIN, END = "<!-- what is taught -->", "<!-- end of what is taught -->"


def taught() -> list[dict[str, Any]]:
    """What the books teach: in a few words, where, and its ids."""
    entries: list[dict[str, Any]] = tomllib.loads(TEACHING.read_text(encoding="utf-8"))["taught"]
    return entries


def lessons_by_id() -> dict[str, list[str]]:
    """The lessons that teach something, by its id."""
    found: dict[str, list[str]] = {}
    for name in (one for chapter in course().chapters for one in chapter.lessons):
        for one in (*lesson(name).principles, *lesson(name).items):
            found.setdefault(one, []).append(name)
    return found


def table() -> str:
    """The table as it stands in the page."""
    by_id = lessons_by_id()
    rows = ["| what | principles and items | in the books | taught in |", "|---|---|---|---|"]
    for one in taught():
        names = dict.fromkeys(name for key in one["ids"] for name in by_id.get(key, ()))
        rows.append(f"| {one['what']} | {', '.join(one['ids'])} | {one['at']} | {', '.join(names)} |")
    return "\n".join([BEGIN, "", *rows, "", END])


def main() -> None:
    """Write the table into the page."""
    page = PAGE.read_text(encoding="utf-8")
    head, _, rest = page.partition(BEGIN)
    PAGE.write_text(head + table() + rest.partition(END)[2], encoding="utf-8")


if __name__ == "__main__":
    main()
