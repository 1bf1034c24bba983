"""The table as plain lines, for pipes, screen readers and terminals without a screen."""

from __future__ import annotations

import sys
from collections.abc import Callable, Iterable

from ultimo.cli.play import asking
from ultimo.cli.play.dialogue import Dialogue
from ultimo.cli.play.presenter import BACK, PAGES, QUIT, Presenter
from ultimo.cli.play.prompt import Wish
from ultimo.cli.play.spans import Line, plain

COLUMNS = 78


class Quit(Exception):
    """The person wants to stop."""


class PlainTable:
    """Reads lines and writes lines."""

    def __init__(
        self,
        presenter: Presenter,
        read: Callable[[], str] | None = None,
        write: Callable[[str], object] = print,
    ) -> None:
        self.presenter = presenter
        self._read = read or _line
        self._write = write

    def run(self) -> None:
        """Play until the evening is over or the person has had enough."""
        self._tell(self.presenter.greeting())
        try:
            while self.presenter.session.moment != "over":
                dialogue = self.presenter.dialogue()
                told = self.presenter.proceed(self._ask(dialogue) if dialogue else None)
                self._tell(line for one in told for line in one.lines)
        except (Quit, EOFError, KeyboardInterrupt):
            self._write("")

    def _ask(self, dialogue: Dialogue) -> Wish:
        """Ask until something is sent."""
        self._show(self._scene())
        while dialogue.sent is None:
            if dialogue.chosen is None:
                self._show(self.presenter.hand(dialogue, COLUMNS))
                self._show(asking.prompt(dialogue, COLUMNS))
            else:
                self._show(asking.answer(dialogue))
            dialogue = self._answered(dialogue, self._read().strip())
        return dialogue.sent

    def _scene(self) -> list[Line]:
        """What is shown before a question: the table, or between deals the result."""
        match self.presenter.session.moment:
            case "asked":
                return [[], self.presenter.head(), *self.presenter.seats(COLUMNS)]
            case "between":
                return [[], *self.presenter.result()]
            case _:
                return []

    def _answered(self, dialogue: Dialogue, text: str) -> Dialogue:
        key = text.lower()
        if not dialogue.means(key):
            if key == QUIT:
                raise Quit
            if key == BACK:
                return dialogue.back()
            if key in PAGES:
                self._show(self.presenter.page(key, dialogue, COLUMNS))
                return dialogue
        return dialogue.say(text)

    def _tell(self, lines: Iterable[str]) -> None:
        for line in lines:
            self._write(line)

    def _show(self, lines: Iterable[Line]) -> None:
        for line in lines:
            self._write(plain(line))


def _line() -> str:
    """A line of the person's; who types it sees where."""
    return input("> " if sys.stdin.isatty() else "")
