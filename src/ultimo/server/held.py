"""A table in the memory of a process: the fold of its log, and who is there."""

from __future__ import annotations

import asyncio
from collections.abc import Iterable, Sequence
from math import nextafter

from msgspec import Struct

from ultimo.server.store import Row, Summary
from ultimo.server.viewer import Viewer
from ultimo.table import Live, PlayerId, evolve, scene, story
from ultimo.table.scene import Happening, Scene


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
    if live.series is None or live.series.deals == 0:
        return series
    if live.series.deals > len(series):
        return (*series, live.series.totals)
    return (*series[:-1], live.series.totals) if live.series.closed else series


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


class Step:
    """A step of a table, as it is shown to its viewers: what it was, what happened, what it is now.

    Each of them has it worked out when he comes to it; those to whom it looks the same, once.
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
