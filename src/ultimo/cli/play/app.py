"""The table on a screen."""

from __future__ import annotations

from collections.abc import Iterable
from functools import partial

from textual.app import App, ComposeResult
from textual.containers import VerticalScroll
from textual.content import Content
from textual.events import Key
from textual.screen import ModalScreen
from textual.widgets import Static

from ultimo.cli.complaint import Complaint
from ultimo.cli.play import drawing
from ultimo.cli.play.dialogue import Dialogue
from ultimo.cli.play.drawing import BACK, PAGES, QUIT, Line, Span
from ultimo.cli.play.prompt import Sent
from ultimo.cli.play.session import Session

PAGE = 104  # columns that a page takes at most
KEPT = 500  # lines of the story
STYLES = {
    "dim": "dim",
    "title": "bold",
    "question": "bold",
    "enter": "",
    "message": "bold $warning",
    "legal": "bold",
    "marked": "bold reverse",
    "number": "not bold",
    "red": "$text-error",
    "trump": "$text-accent",
}
KEYS = {"L": "previousTrick", "P": "ledger", "R": "screen.rules", "?": "help", "U": "undo", "Q": "quit"}
SCROLLING = ("up", "down", "pageup", "pagedown", "home", "end")
CLOSING = ("enter", "escape", "space", "q")  # close a page
ARROWS = {"left": -1, "up": -1, "right": 1, "down": 1}


def content(lines: Iterable[Line]) -> Content:
    """Lines with their kinds as styles."""
    parts: list[str | tuple[str, str]] = []
    for place, line in enumerate(lines):
        parts += ["\n"] if place else []
        parts += [(span.text, " ".join(filter(None, map(STYLES.get, span.kind.split())))) for span in line]
    return Content.assemble(*parts)


class Page(ModalScreen[None]):
    """Something to read; any of the usual keys goes back to the table."""

    CSS = f"""
    Page {{ align: center middle; }}
    Page VerticalScroll {{ width: 100%; max-width: {PAGE}; height: auto; max-height: 100%; padding: 0 1;
                          background: $surface; border: round $primary; }}
    """

    def __init__(self, title: str, lines: list[Line], hint: str, at_end: bool) -> None:
        super().__init__()
        self._title, self._lines, self._hint, self._at_end = title, lines, hint, at_end

    def compose(self) -> ComposeResult:
        with VerticalScroll(can_focus=False) as scroll:
            scroll.border_title, scroll.border_subtitle = self._title, self._hint
            yield Static(content(self._lines))

    def on_mount(self) -> None:
        """What has grown is read from its end."""
        if self._at_end:
            self.call_after_refresh(self.query_one(VerticalScroll).scroll_end, animate=False)

    def on_key(self, event: Key) -> None:
        """Scroll, or go back."""
        event.stop()
        if event.key in CLOSING:
            self.dismiss()
        elif event.key in SCROLLING:
            way = event.key.replace("page", "page_")
            getattr(self.query_one(VerticalScroll), f"scroll_{way}")(animate=False)


class Table(App[None]):
    """A table: what is on it, the story, the hand, and what is asked."""

    CSS = """
    #head { background: $primary; color: $text; padding: 0 1; height: auto; }
    #seats { padding: 0 1 0 0; height: auto; }
    #story { height: 1fr; padding: 0 1; border-top: solid $primary-darken-2; scrollbar-size-vertical: 1; }
    #hand { height: auto; padding: 0 1; border-top: solid $primary-darken-2; }
    #prompt { height: auto; padding: 0 1; border-top: solid $primary-darken-2; }
    #typed { height: auto; padding: 0 1; color: $text-accent; }
    #keys { height: auto; padding: 0 1; background: $panel; color: $text-muted; }
    """
    ENABLE_COMMAND_PALETTE = False

    def __init__(self, session: Session) -> None:
        super().__init__()
        self.session = session
        self.dialogue: Dialogue | None = None
        self.typed = ""
        self.failure: Complaint | None = None
        self._hurry = False
        self._turn = 0
        self._story = session.greeting()

    def compose(self) -> ComposeResult:
        """From top to bottom."""
        yield from (Static(id="head"), Static(id="seats"))
        with VerticalScroll(id="story", can_focus=False):
            yield Static(id="lines")
        yield from (Static(id=part) for part in ("hand", "prompt", "typed", "keys"))

    def on_mount(self) -> None:
        """Begin, or go on."""
        self._go()

    def on_resize(self) -> None:
        """The lines have another length."""
        if self._story:
            self._draw()

    # --- what happens ----------------------------------------------------------------------------------

    def _go(self) -> None:
        """Ask the person, or let the others move after a while."""
        self._turn += 1
        self.dialogue = self.session.dialogue()
        if self.dialogue is not None or self.session.is_over:
            self._hurry = False
        elif self.session.pause and not self._hurry:
            self.set_timer(self.session.pause, partial(self._others, self._turn))
        else:
            self.call_later(self._others, self._turn)
        self._draw()

    def _others(self, turn: int) -> None:
        """Let the others move, unless somebody in a hurry has made them do so already."""
        if turn == self._turn:
            self._proceed(None)

    def _proceed(self, sent: Sent | None) -> None:
        try:
            self._story += self.session.proceed(sent)
        except Complaint as complaint:
            self.failure = complaint
            self.exit()
            return
        del self._story[:-KEPT]
        self._go()

    # --- keys ------------------------------------------------------------------------------------------

    def on_key(self, event: Key) -> None:
        """A key of the person."""
        character = event.character or ""
        if event.key == "enter":
            self._enter()
        elif not self.typed and self._is_command(character.lower()):
            self._command(character.lower())
        elif self.dialogue is not None:
            self._talk(event.key, character)
        self._draw()

    def _enter(self) -> None:
        typed, self.typed = self.typed, ""
        if self.dialogue is None:
            if self.session.is_over:
                self.exit()
            else:
                self._hurry = True
                self._others(self._turn)
        elif self._is_command(typed.lower(), alone=True):
            self._command(typed.lower())
        else:
            self._said(self.dialogue.say(typed))

    def _said(self, dialogue: Dialogue) -> None:
        self.dialogue = dialogue
        if dialogue.sent is not None:
            self._proceed(dialogue.sent)

    def _talk(self, key: str, character: str) -> None:
        assert self.dialogue is not None
        if key in ARROWS:
            self.dialogue = self.dialogue.move(ARROWS[key])
        elif key == "space" and not self.typed:
            self._said(self.dialogue.toggle())
        elif key == "backspace":
            self.typed = self.typed[:-1]
        elif key == "escape":
            self.typed = ""
        elif character.isprintable():
            self.typed += character

    def _is_command(self, key: str, alone: bool = False) -> bool:
        """Whether a key is no beginning of an answer; where cards are asked for, H begins hearts."""
        if key not in (*PAGES, BACK, QUIT):
            return False
        if self.dialogue is None:
            return True
        if alone:
            return not self.dialogue.means(key)
        begins = {text[:1].lower() for option in self.dialogue.options for text in option.typed}
        laying = key == "l" and bool(self.dialogue.prompt.picks)
        return not laying and not (key == "h" and begins)

    def _command(self, key: str) -> None:
        if key == QUIT:
            self.exit()
        elif key in PAGES:
            text = self.session.teller.text
            lines = drawing.page(self.session, key, self.dialogue, min(self.size.width, PAGE) - 6)
            self.push_screen(Page(text(PAGES[key]), lines, text("screen.onScreen"), at_end=key == "p"))
        elif self.dialogue is not None:
            self.dialogue = self.dialogue.back()

    # --- drawing ---------------------------------------------------------------------------------------

    def _draw(self) -> None:
        session, columns = self.session, max(self.size.width - 2, 20)
        result = drawing.result(session) if self.dialogue is not None or session.is_over else []
        self._put("head", [drawing.head(session)])
        self._put("seats", [] if result else drawing.seats(session, columns))
        self._put("lines", result or [[Span(line)] for line in self._story])
        self._put("hand", [] if result else drawing.hand(session, self.dialogue, columns))
        self._put("prompt", self._asked(columns))
        self._put("keys", self._keys(columns))
        self._put("typed", [[Span(f"> {self.typed}▁")]] if self.typed else [])
        story = self.query_one("#story", VerticalScroll)
        self.call_after_refresh(story.scroll_home if result else story.scroll_end, animate=False)

    def _put(self, name: str, lines: list[Line]) -> None:
        widget = self.query_one(f"#{name}", Static)
        widget.display = bool(lines)
        widget.update(content(lines))

    def _asked(self, columns: int) -> list[Line]:
        text = self.session.teller.text
        if self.dialogue is not None:
            return drawing.asked(self.dialogue, columns)
        if self.session.is_over:
            return [[Span(f"{text('seriesOver')}. {text('enterOn')}", "question")]]
        return [[Span(text("screen.others"), "dim")]]

    def _keys(self, columns: int) -> list[Line]:
        text = self.session.teller.text
        cells = [[Span(key, "title"), Span(f" {text(name)}  ")] for key, name in KEYS.items()]
        return drawing.flow(cells, columns)
