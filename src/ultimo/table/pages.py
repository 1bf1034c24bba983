"""A table as its log tells it and as its pages are sent it: the fold, a step of it, and the messages.

Whoever keeps a table keeps the rows of its log, and has each page told what has changed since it was told
last. Nothing is kept here, and nobody is waited for.
"""

from __future__ import annotations

from collections.abc import Iterable, Sequence

import msgspec
from msgspec import Raw, Struct
from msgspec.structs import fields

from ultimo.events import Seat
from ultimo.pauses import with_pauses
from ultimo.table.facts import Fact, PlayerId
from ultimo.table.live import Live, evolve
from ultimo.table.messages import Full, Update
from ultimo.table.scene import Moment, Scene
from ultimo.table.showing import has_own_eyes, scene
from ultimo.table.story import story, story_so_far

SECTIONS = tuple((field.name, field.encode_name) for field in fields(Scene))
NEVER = 0.0  # the time in a message that is encoded before it is known when it is sent
UNDATED = b"0.0}"  # how such a message ends


class Row(Struct, frozen=True):
    """A fact in its log."""

    seq: int
    fact: Fact
    at: float


class Summary(Struct, frozen=True):
    """What lists show of a table: names and kinds by seat, and the totals of all seats after each deal."""

    moment: Moment
    number: int  # of the deal
    names: tuple[str, ...]  # "" where the seat is open
    kinds: tuple[str, ...]  # person, bot, open
    series: tuple[tuple[int, ...], ...]
    people: tuple[tuple[PlayerId, Seat], ...]


# --- the fold of its log -------------------------------------------------------------------------------


class Folded(Struct, frozen=True):
    """A table and the totals of its seats after each deal."""

    live: Live
    series: tuple[tuple[int, ...], ...] = ()


def fold(folded: Folded | None, rows: Iterable[Row]) -> Folded:
    """The table after more of its log."""
    for row in with_pauses(rows):
        live = evolve(folded.live if folded is not None else None, row.fact, row.at)
        folded = Folded(live, _series(live, folded.series if folded is not None else ()))
    assert folded is not None
    return folded


def _series(live: Live, series: tuple[tuple[int, ...], ...]) -> tuple[tuple[int, ...], ...]:
    """The totals after each deal; at the end of the session the cups are divided, which the last shows."""
    if live.series is None:
        return series
    if live.series.deals < len(series):  # the last one was taken back
        return series[: live.series.deals]
    if live.series.deals > len(series):
        return (*series, live.series.totals)
    return (*series[:-1], live.series.totals) if series and live.series.closed else series


def summary(folded: Folded) -> Summary:
    """What lists show of a table."""
    live = folded.live
    return Summary(
        live.moment,
        live.number,
        tuple(sitting.name for sitting in live.seats),
        tuple(sitting.kind for sitting in live.seats),
        folded.series,
        tuple((sitting.player, seat) for seat, sitting in enumerate(live.seats) if sitting.player),
    )


# --- what the pages are sent ---------------------------------------------------------------------------


class Page:
    """What a page has of a table: the sections of a scene, as of a sequence number.

    Pages to which the table looks the same have one together.
    """

    __slots__ = ("sections", "seq")

    def __init__(self, seq: int, sections: dict[str, bytes]) -> None:
        self.seq, self.sections = seq, sections


class Step:
    """A step of a table, as it is shown to its viewers: what it was, what happened, what it is now.

    Each of them has it worked out and encoded when they come to it; those to whom it looks the same, once.
    """

    def __init__(self, before: Live, rows: Sequence[Row], after: Live, present: frozenset[PlayerId]) -> None:
        self.before, self.rows, self.after, self.present = before, rows, after, present
        self._scenes: dict[tuple[PlayerId | None, str], tuple[Scene, Page]] = {}
        self._everything: dict[tuple[PlayerId | None, str], bytes] = {}
        self._changes: dict[tuple[PlayerId | None, str, Page | None], bytes | None] = {}

    def everything(self, viewer: PlayerId | None, language: str, now: float) -> tuple[bytes, Page]:
        """A message with all that a viewer may see, and what the page has then."""
        key = self._eyes(viewer), language
        shown, page = self._scene(*key)
        if key not in self._everything:
            told = story_so_far(self.after, *key)
            self._everything[key] = msgspec.json.encode(Full(page.seq, shown, told, NEVER))
        return _dated(self._everything[key], now), page

    def changes(
        self, viewer: PlayerId | None, language: str, had: Page, now: float
    ) -> tuple[bytes | None, Page]:
        """A message with what has changed since a page had something, if it has, and what it has then."""
        eyes = self._eyes(viewer)
        _, page = self._scene(eyes, language)
        key = eyes, language, had
        if key not in self._changes:
            self._changes[key] = self._update(eyes, language, had, page)
        message = self._changes[key]
        return (None, had) if message is None else (_dated(message, now), page)

    def _update(self, eyes: PlayerId | None, language: str, had: Page, page: Page) -> bytes | None:
        patch = {name: Raw(body) for name, body in page.sections.items() if had.sections[name] != body}
        if not self.rows and not patch:
            return None
        told = story(self.before, [(row.fact, row.at) for row in self.rows], eyes, language)
        return msgspec.json.encode(Update(had.seq, page.seq, patch, told, NEVER))

    def _scene(self, eyes: PlayerId | None, language: str) -> tuple[Scene, Page]:
        key = eyes, language
        if key not in self._scenes:
            shown = scene(self.after, eyes, language, self.present)
            self._scenes[key] = shown, Page(self.after.seq, sections(shown))
        return self._scenes[key]

    def _eyes(self, viewer: PlayerId | None) -> PlayerId | None:
        """Whose eyes a viewer has: who sees nothing of their own has those of any spectator."""
        own = has_own_eyes(self.before, viewer) or has_own_eyes(self.after, viewer)
        return viewer if own else None


def _dated(message: bytes, now: float) -> bytes:
    """A message that was encoded for many, with the time at which it goes to one."""
    assert message.endswith(UNDATED)
    return message[: -len(UNDATED)] + msgspec.json.encode(now) + b"}"


def sections(shown: Scene) -> dict[str, bytes]:
    """The sections of a scene, as they are sent."""
    return {name: msgspec.json.encode(getattr(shown, attribute)) for attribute, name in SECTIONS}
