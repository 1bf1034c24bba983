"""A table in the memory of a process: the fold of its log, who is there, and what the pages are sent."""

from __future__ import annotations

import asyncio
from collections import deque
from collections.abc import AsyncIterator, Callable, Iterable, Sequence
from math import nextafter

import msgspec
from msgspec import Raw, Struct
from msgspec.structs import fields

from ultimo.server import metrics
from ultimo.server.logs import logger
from ultimo.server.store import Row, Summary
from ultimo.table import Live, PlayerId, evolve, scene, story, story_so_far
from ultimo.table.messages import Full, Goodbye, Update
from ultimo.table.scene import Happening, Scene
from ultimo.table.showing import teller_of
from ultimo.telling.teller import Teller

SECTIONS = tuple((field.name, field.encode_name) for field in fields(Scene))
BACKLOG = 64  # steps that a page may be behind before it is sent everything again
FAULT = "a program error prevents this table from being shown; reload the page"


# --- the fold of its log -------------------------------------------------------------------------------


class Folded(Struct, frozen=True):
    """A table and the totals of its seats after each deal."""

    live: Live
    series: tuple[tuple[int, ...], ...] = ()


def fold(folded: Folded | None, rows: Iterable[Row]) -> Folded:
    """The table after more of its log."""
    for row in rows:
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


# --- what the pages are sent -----------------------------------------------------------------------------


class Step:
    """A step of a table, as it is shown to its viewers: what it was, what happened, what it is now.

    Each of them has it worked out when they come to it; those to whom it looks the same, once.
    """

    def __init__(self, before: Live, rows: Sequence[Row], after: Live, present: frozenset[PlayerId]) -> None:
        self.before, self.rows, self.after, self.present = before, rows, after, present
        self._scenes: dict[tuple[PlayerId | None, str], Scene] = {}
        self._stories: dict[tuple[PlayerId | None, str], tuple[Happening, ...]] = {}

    def scene(self, viewer: PlayerId | None, language: str) -> Scene:
        """What the viewer is shown."""
        key = viewer, language
        if key not in self._scenes:
            self._scenes[key] = scene(self.after, viewer, language, self.present)
        return self._scenes[key]

    def story(self, viewer: PlayerId | None, language: str) -> tuple[Happening, ...]:
        """What the viewer is told."""
        key = viewer, language
        if key not in self._stories:
            facts = [(row.fact, row.at) for row in self.rows]
            self._stories[key] = story(self.before, facts, viewer, language)
        return self._stories[key]


class Viewer:
    """A subscription to a table, as one person sees it in one language: an iterator over encoded messages.

    The first is everything; then come the sections that have changed. A slow page is not waited for.
    """

    def __init__(
        self,
        step: Step,
        player: PlayerId | None,
        language: str,
        clock: Callable[[], float],
        closed: Callable[[Viewer], None],
        address: str = "",
    ) -> None:
        self.player = player
        self.language = language
        self.address = address
        self._clock, self._when_closed = clock, closed
        self._latest = step
        self._steps: deque[Step] = deque()
        self._whole = True  # everything is to be sent next
        self._seq = 0  # that the page has
        self._sent: dict[str, bytes] = {}  # the sections that it has
        self._goodbye: Goodbye | None = None
        self._ended = False
        self._woken = asyncio.Event()

    @property
    def teller(self) -> Teller:
        """Who tells this viewer about the table."""
        return teller_of(self._latest.after, self.language)

    def tell(self, step: Step) -> None:
        """Something has happened."""
        self._latest = step
        if not self._whole:
            self._steps.append(step)
        if len(self._steps) > BACKLOG:
            self.resync()
        self._woken.set()

    def resync(self) -> None:
        """Send everything again instead of what has not been sent."""
        self._steps.clear()
        self._whole = True
        self._woken.set()

    def say_goodbye(self, reason: str, again: bool) -> None:
        """End the subscription from this side, with a word."""
        self._goodbye = Goodbye(reason, again)
        self._woken.set()

    def close(self) -> None:
        """End the subscription."""
        if not self._ended:
            self._ended = True
            self._when_closed(self)
        self._woken.set()

    def __aiter__(self) -> AsyncIterator[bytes]:
        return self

    async def __anext__(self) -> bytes:
        while not self._ended:
            self._woken.clear()
            try:
                message = self._next()
            except Exception:
                logger().exception("a table cannot be shown", table=self._latest.after.table)
                message = self._end(Goodbye(FAULT, False))
            if message is not None:
                return message
            if not self._steps:
                await self._woken.wait()
        raise StopAsyncIteration

    def _next(self) -> bytes | None:
        """The next message, if there is one."""
        if self._goodbye is not None:
            return self._end(self._goodbye)
        if self._whole:
            return self._everything()
        return self._changes(self._steps.popleft()) if self._steps else None

    def _end(self, goodbye: Goodbye) -> bytes:
        self.close()
        return msgspec.json.encode(goodbye)

    def _everything(self) -> bytes:
        step, now = self._latest, self._clock()
        shown = step.scene(self.player, self.language)
        told = story_so_far(step.after, self.player, self.language)
        self._whole = False
        self._seq, self._sent = step.after.seq, sections(shown)
        return msgspec.json.encode(Full(self._seq, shown, told, now))

    def _changes(self, step: Step) -> bytes | None:
        now = self._clock()
        shown = sections(step.scene(self.player, self.language))
        patch = {name: Raw(body) for name, body in shown.items() if self._sent[name] != body}
        if not step.rows and not patch:
            return None
        update = Update(self._seq, step.after.seq, patch, step.story(self.player, self.language), now)
        self._seq, self._sent = step.after.seq, shown
        if step.rows:
            metrics.SEEN.observe(max(0.0, now - step.rows[0].at))
        return msgspec.json.encode(update)


def sections(shown: Scene) -> dict[str, bytes]:
    """The sections of a scene, as they are sent."""
    return {name: msgspec.json.encode(getattr(shown, attribute)) for attribute, name in SECTIONS}


# --- the table -----------------------------------------------------------------------------------------


class Held:
    """A table in memory. What changes it holds `lock`; `woken` says to its driver that it has changed."""

    def __init__(self, folded: Folded, now: float) -> None:
        self.id = folded.live.table
        self.folded = folded
        self.summary = summary(folded)
        self.latest = Step(self.live, (), self.live, frozenset())
        self.lock = asyncio.Lock()
        self.woken = asyncio.Event()
        self.driver: asyncio.Task[None] | None = None
        self.faulty = False
        self.used_at = now
        self.viewers: set[Viewer] = set()
        self.noted: set[PlayerId] = set()  # who is known to have been here
        self.elsewhere: frozenset[PlayerId] = frozenset()  # connected to other processes
        self._last_seen: dict[PlayerId, float] = {}

    @property
    def live(self) -> Live:
        """The table."""
        return self.folded.live

    @property
    def present(self) -> frozenset[PlayerId]:
        """Who is connected."""
        return self.elsewhere | self.here

    @property
    def here(self) -> frozenset[PlayerId]:
        """Who is connected to this process."""
        return frozenset(viewer.player for viewer in self.viewers if viewer.player is not None)

    @property
    def payer(self) -> str:
        """The address whose turn it is when bots think for this table: of the host, of others, of spectators.

        Nobody slows a table down by looking at it.
        """
        seats = {self.live.host: 2} | dict.fromkeys(self.live.people, 1)
        known = [viewer for viewer in self.viewers if viewer.address]
        first = max(known, key=lambda one: (seats.get(one.player, 0), one.address), default=None)
        return self.live.host if first is None else first.address

    def advance(self, folded: Folded, rows: Sequence[Row]) -> None:
        """Let the table go on, before everybody's eyes."""
        before, self.folded, self.summary = self.live, folded, summary(folded)
        self.show(Step(before, rows, self.live, self.present))

    def show(self, step: Step | None = None) -> None:
        """Show a step, or without one who is there now."""
        self.latest = step or Step(self.live, (), self.live, self.present)
        for viewer in self.viewers:
            viewer.tell(self.latest)
        self.woken.set()

    def begin_anew(self, folded: Folded) -> None:
        """Take another log for the table's."""
        self.folded, self.summary = folded, summary(folded)
        self.show()
        for viewer in self.viewers:
            viewer.resync()

    def expect_everybody(self, now: float) -> None:
        """Take everybody to have been here until just now: before, another process may have seen them."""
        before = nextafter(now, 0.0)
        self._last_seen |= {sitting.player: before for sitting in self.live.seats if sitting.player}

    def seen(self, now: float) -> dict[PlayerId, float]:
        """When each person was last connected, as far as this process knows; who is connected, now."""
        self._last_seen |= dict.fromkeys(self.present, now)
        return self._last_seen
