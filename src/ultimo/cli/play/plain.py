"""The table as plain lines, for pipes, screen readers and terminals without a screen."""

from __future__ import annotations

import sys
from collections.abc import Callable, Iterable

from ultimo.cli.play import drawing
from ultimo.cli.play.dialogue import Dialogue
from ultimo.cli.play.drawing import BACK, PAGES, QUIT, Line
from ultimo.cli.play.prompt import Sent
from ultimo.cli.play.session import Session

COLUMNS = 78


class Quit(Exception):
    """The person wants to stop."""


class PlainTable:
    """Reads lines and writes lines."""

    def __init__(
        self,
        session: Session,
        read: Callable[[], str] | None = None,
        write: Callable[[str], object] = print,
    ) -> None:
        self.session = session
        self._read = read or _line
        self._write = write

    def run(self) -> None:
        """Play until the evening is over or the person has had enough."""
        session = self.session
        self._tell(session.greeting())
        try:
            while not session.is_over:
                dialogue = session.dialogue()
                self._tell(session.proceed(self._ask(dialogue) if dialogue else None))
            self._show(self._scene())
        except (Quit, EOFError, KeyboardInterrupt):
            self._write("")

    def _ask(self, dialogue: Dialogue) -> Sent:
        """Ask until something is sent."""
        self._show(self._scene())
        while dialogue.sent is None:
            if dialogue.chosen is None:
                self._show(drawing.hand(self.session, dialogue, COLUMNS))
                self._show(drawing.asked(dialogue, COLUMNS))
            else:
                self._show(drawing.answer(dialogue))
            dialogue = self._answered(dialogue, self._read().strip())
        return dialogue.sent

    def _scene(self) -> list[Line]:
        """What is shown before a question: the table, or between deals the result."""
        if self.session.watching:
            return []
        if result := drawing.result(self.session):
            return [[], *result]
        return [[], drawing.head(self.session), *drawing.seats(self.session, COLUMNS)]

    def _answered(self, dialogue: Dialogue, text: str) -> Dialogue:
        key = text.lower()
        if not dialogue.means(key):
            if key == QUIT:
                raise Quit
            if key == BACK:
                return dialogue.back()
            if key in PAGES:
                self._show(drawing.page(self.session, key, dialogue, COLUMNS))
                return dialogue
        return dialogue.say(text)

    def _tell(self, lines: Iterable[str]) -> None:
        for line in lines:
            self._write(line)

    def _show(self, lines: Iterable[Line]) -> None:
        self._tell(map(drawing.plain, lines))


def _line() -> str:
    """A line of the person's; who types it sees where."""
    return input("> " if sys.stdin.isatty() else "")
