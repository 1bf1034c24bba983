"""Write anew what the manuals show of the program: the output of commands, and the table of the settings.

    python tools/write_documents.py [settle.md …]

A line `…` in a manual stands for lines that are left out, and `…` in a line for the rest of it: what stands
around them is brought up to date, and they stay. Read the difference before you commit it.
"""

from __future__ import annotations

import os
import re
import shlex
import sys
import tempfile
from difflib import get_close_matches
from functools import partial
from pathlib import Path

from commands import python, ultimo
from ultimo.server.settings import settings

DOCS = Path(__file__).parents[1] / "docs"
MANUALS = ("command-line.md", "settle.md", "score-sheet.md", "score-sheet.da.md", "seating.md", "research.md")
ANYTHING = "…"
FENCE = re.compile(r"^```(console|python|text)\n(.*?)^```$", re.MULTILINE | re.DOTALL)
COMMAND = re.compile(r"^\$ (.*)\n((?:(?!\$ ).*\n)*)", re.MULTILINE)
SHEET = re.compile(r"^```(?:json|python) ([^\n`]+)\n(.*?)^```$", re.MULTILINE | re.DOTALL)
SETTING = re.compile(r"^\| `(\w+)` \| [^|]* \|", re.MULTILINE)


def main() -> None:
    """Bring every manual up to date, or those that are named."""
    os.environ["COLUMNS"] = "80"
    for name in sys.argv[1:] or MANUALS:
        manual = DOCS / name
        text = manual.read_text(encoding="utf-8")
        with tempfile.TemporaryDirectory() as folder:
            os.chdir(folder)
            for sheet, content in SHEET.findall(text):
                Path(sheet).write_text(content, encoding="utf-8")
            sys.path.insert(0, folder)
            printed: list[str] = []
            manual.write_text(FENCE.sub(partial(_fence, printed), text), encoding="utf-8")
            os.chdir(DOCS)
    about = {one.name: one.about for one in settings()}
    server = DOCS / "server.md"
    text = server.read_text(encoding="utf-8")
    server.write_text(SETTING.sub(lambda row: f"| `{row[1]}` | {about[row[1]]} |", text), encoding="utf-8")


def _fence(printed: list[str], fence: re.Match[str]) -> str:
    """A fence as it is to be; what Python prints stands in the next one of text."""
    kind, text = fence[1], fence[2]
    if kind == "console":
        text = _ran(text)
    elif kind == "python":
        printed.append(python(text))
    elif printed:
        text = printed.pop()
    return f"```{kind}\n{text}```"


def _ran(block: str) -> str:
    return COMMAND.sub(lambda found: f"$ {found[1]}\n{_shown(found[2], _output(found[1]))}", block)


def _output(command: str) -> list[str]:
    keys, _, last = command.rpartition(" | ")
    _, *arguments = shlex.split(last)
    done = ultimo(*arguments, given="\n" * 500 if keys.startswith("yes") else "")
    return (done.out + done.err).splitlines()


def _shown(before: str, printed: list[str]) -> str:
    """The output, shortened as it was: the same number of lines around each `…`, found by their likeness."""
    parts = [part.splitlines() for part in re.split(rf"^{ANYTHING}\n", before, flags=re.MULTILINE)]
    if len(parts) == 1:
        return "".join(f"{line}\n" for line in map(_cut, printed, _lines(parts[0], len(printed))))
    kept: list[str] = []
    for place, part in enumerate(parts):
        first = _place(part, printed, place, len(parts))
        kept += map(_cut, printed[first : first + len(part)], part)
        kept += [ANYTHING] if place < len(parts) - 1 else []
    return "".join(f"{line}\n" for line in kept)


def _lines(part: list[str], number: int) -> list[str]:
    return part if len(part) == number else [""] * number


def _place(part: list[str], printed: list[str], place: int, parts: int) -> int:
    """Where a part begins: the first at the top, the last at the end, another where its first line is."""
    if place == 0:
        return 0
    if place == parts - 1 or not part:
        return len(printed) - len(part)
    (found,) = get_close_matches(part[0], printed, 1, 0.0)
    return printed.index(found)


def _cut(line: str, before: str) -> str:
    """A line, left out in part as it was before."""
    if re.fullmatch(re.escape(before).replace(ANYTHING, ".*"), line):
        return before
    head, dots, _ = before.partition(ANYTHING)
    return line[: len(head)] + dots if dots and len(line) > len(head) else line


if __name__ == "__main__":
    main()
