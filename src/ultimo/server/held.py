"""A table in the memory of a process: the fold of its log, who is there, and what the pages are sent."""

from __future__ import annotations

import asyncio
from collections import deque
from collections.abc import AsyncIterator, Callable, Iterable, Sequence
from math import nextafter
from time import perf_counter

import msgspec
from msgspec import Raw, Struct
from msgspec.structs import fields

from ultimo.server import metrics
from ultimo.server.leases import Lease
from ultimo.server.logs import logger
from ultimo.server.store import Row, Summary, TableId
from ultimo.server.turns import FairLock
from ultimo.table import Live, PlayerId, evolve, scene, story, story_so_far
from ultimo.table.decide import has_say
from ultimo.table.messages import Full, Goodbye, Update
from ultimo.table.scene import Scene
from ultimo.table.showing import has_own_eyes, teller_of
from ultimo.telling.teller import Teller

SECTIONS = tuple((field.name, field.encode_name) for field in fields(Scene))
BACKLOG = 64  # steps that a page may be behind before it is sent everything again
NEVER = 0.0  # the time in a message that is encoded before it is known when it is sent
UNDATED = b"0.0}"  # how such a message ends
LATER = 2.0  # seconds until a spectator of a busy table is sent everything again
REST = 6  # times as long as that took, the others come first
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
        self.address = address
        self.language = language
        self.address = address
        self._clock, self._when_closed = clock, closed
        self._latest = step
        self._steps: deque[Step] = deque()
        self._at = step.after.seq  # where the page is after these steps
        self._page: Page | None = None  # what the page has; None if everything is to be sent next
        self._goodbye: Goodbye | None = None
        self._later: asyncio.TimerHandle | None = None  # when everything is sent again
        self._ended = False
        self._woken = asyncio.Event()

    @property
    def leaving(self) -> bool:
        """Whether nothing more is to be done for this viewer here."""
        return self._ended or self._goodbye is not None

    @property
    def teller(self) -> Teller:
        """Who tells this viewer about the table."""
        return teller_of(self._latest.after, self.language)

    @property
    def live(self) -> Live:
        """The table as it is now."""
        return self._latest.after

    @property
    def person(self) -> str:
        """By whom the viewer is counted: strangers by their address."""
        return self.player or self.address

    @property
    def seated(self) -> bool:
        """Whether the viewer has a say at the table, and does not only watch it."""
        return has_say(self._latest.after, self.player)

    def tell(self, step: Step) -> None:
        """Something has happened; what the page knows already is not told again."""
        if self._page is None:
            self._latest = step if step.after.seq >= self._latest.after.seq else self._latest
        elif step.before.seq == self._at:
            self._latest, self._at = step, step.after.seq
            self._steps.append(step)
        elif step.after.seq > self._at:  # it begins with what the page knows, or behind what it does not
            self._latest = step
            self.resync()
        if len(self._steps) > BACKLOG:
            self.resync()
        self._woken.set()

    def begin_anew(self, step: Step) -> None:
        """Everything is otherwise than it was told."""
        self._latest = step
        self.resync()

    def resync(self) -> None:
        """Send everything again instead of what has not been sent."""
        self._steps.clear()
        self._page = None
        self._woken.set()

    def resync_later(self) -> None:
        """Send everything again in a while, once for all who ask meanwhile."""
        if self._later is None:
            self._later = asyncio.get_running_loop().call_later(LATER, self._resync_at_last)

    def _resync_at_last(self) -> None:
        self._later = None
        self.resync()

    def say_goodbye(self, reason: str, again: bool) -> None:
        """End the subscription from this side, with a word."""
        self._goodbye = Goodbye(reason, again)
        self._woken.set()

    @property
    def sent_away(self) -> bool:
        """Whether the subscription was ended from this side, and there is no use in coming back."""
        return self._goodbye is not None and not self._goodbye.again

    def close(self) -> None:
        """End the subscription."""
        if not self._ended:
            self._ended = True
            if self._later is not None:
                self._later.cancel()
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
        if self._page is None:
            return self._everything()
        return self._changes(self._page, self._steps.popleft()) if self._steps else None

    def _end(self, goodbye: Goodbye) -> bytes:
        self.close()
        return msgspec.json.encode(goodbye)

    def _everything(self) -> bytes:
        message, self._page = self._latest.everything(self.player, self.language, self._clock())
        self._at = self._page.seq
        return message

    def _changes(self, page: Page, step: Step) -> bytes | None:
        now = self._clock()
        message, self._page = step.changes(self.player, self.language, page, now)
        if message is not None and step.rows:
            metrics.SEEN.observe(max(0.0, now - step.rows[0].at))
        return message


def sections(shown: Scene) -> dict[str, bytes]:
    """The sections of a scene, as they are sent."""
    return {name: msgspec.json.encode(getattr(shown, attribute)) for attribute, name in SECTIONS}


# --- the table -----------------------------------------------------------------------------------------


class Held:
    """A table in memory. What changes it holds `lock`; `woken` says to its driver that it has changed.

    A table has a time of its own, in which nothing in its log lies in the future: where the clock of whoever
    wrote it was ahead of ours, the table goes on from there.
    """

    def __init__(self, folded: Folded, clock: Callable[[], float], gallery: Gallery) -> None:
        self.id = folded.live.table
        self.folded = folded
        self._clock = clock
        self._ahead = 0.0
        self._keep_time()
        self.summary = summary(folded)
        self.latest = Step(self.live, (), self.live, frozenset())
        self.lock = FairLock()
        self.woken = asyncio.Event()
        self.driver: asyncio.Task[None] | None = None
        self.lease: Lease | None = None  # under which it is driven
        self.faulty = False
        self.doubtful = False  # there may be more in its log, although nobody has told so
        self.used_at = clock()
        self.viewers: set[Viewer] = set()
        self.noted: set[PlayerId] = set()  # who is known to have been here
        self.elsewhere: frozenset[PlayerId] = frozenset()  # connected to other processes
        self._last_seen: dict[PlayerId, float] = {}
        self._gallery = gallery
        self._unseen: Live | None = None  # the table as spectators know it, if it has gone on
        self._unseen_rows: list[Row] = []  # what has happened since

    @property
    def live(self) -> Live:
        """The table."""
        return self.folded.live

    def now(self) -> float:
        """The time at the table, in seconds since 1970."""
        return self._clock() + self._ahead

    def _keep_time(self) -> None:
        self._ahead = max(self._ahead, self.live.at - self._clock())

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
        self._keep_time()
        self.show(Step(before, rows, self.live, self.present))

    def show(self, step: Step | None = None) -> None:
        """Show a step, or without one who is there now: to the seats at once, to spectators in their turn."""
        self.latest = step or Step(self.live, (), self.live, self.present)
        spectators = False
        for viewer in self.viewers:
            if has_say(self.live, viewer.player):
                viewer.tell(self.latest)
            else:
                spectators = True
        if spectators:
            self._unseen = self._unseen or self.latest.before
            self._unseen_rows += self.latest.rows
            self._gallery.stir(self)
        self.woken.set()

    def show_presence(self) -> None:
        """Show who is there now, unless nobody can see the difference."""
        people = frozenset(sitting.player for sitting in self.live.seats)
        if people & self.present != people & self.latest.present:
            self.show()
        self.woken.set()

    @property
    def spectators(self) -> list[Viewer]:
        """Who watches the table without a say at it."""
        return [viewer for viewer in self.viewers if not has_say(self.live, viewer.player)]

    def for_spectators(self) -> Step | None:
        """All that spectators have not been shown yet as one step; it counts as shown."""
        before, rows = self._unseen, self._unseen_rows
        self._unseen, self._unseen_rows = None, []
        return None if before is None else Step(before, rows, self.live, self.present)

    def begin_anew(self, folded: Folded) -> None:
        """Take another log for the table's."""
        self.folded, self.summary = folded, summary(folded)
        self._keep_time()
        self._unseen, self._unseen_rows = None, []
        self.latest = Step(self.live, (), self.live, self.present)
        for viewer in self.viewers:
            viewer.begin_anew(self.latest)
        self.woken.set()

    def expect_everybody(self) -> None:
        """Take everybody to have been here until just now: before, another process may have seen them."""
        before = nextafter(self.now(), 0.0)
        self._last_seen |= {sitting.player: before for sitting in self.live.seats if sitting.player}

    def seen(self, now: float) -> dict[PlayerId, float]:
        """When each person was last connected, as far as this process knows; who is connected, now."""
        self._last_seen |= dict.fromkeys(self.present, now)
        return self._last_seen


class Gallery:
    """Shows the spectators of a process their tables: one at a time, in turn, so that seats come first.

    What happens at a table until its turn comes is shown as one step, however much it is.
    """

    def __init__(self) -> None:
        self._stirred: dict[TableId, Held] = {}  # whose turn comes first is next
        self._woken = asyncio.Event()

    def stir(self, held: Held) -> None:
        """Something has happened at a table that spectators watch."""
        self._stirred.setdefault(held.id, held)
        self._woken.set()

    async def run(self) -> None:
        """Show what happens, for ever."""
        while True:
            await self._woken.wait()
            for table in list(self._stirred):
                held = self._stirred.pop(table)
                step = held.for_spectators()
                if step is not None:
                    await self._show(step, held.spectators)
            if not self._stirred:
                self._woken.clear()

    async def _show(self, step: Step, spectators: Sequence[Viewer]) -> None:
        for viewer in spectators:
            began = perf_counter()
            viewer.tell(step)
            await asyncio.sleep(0)  # in which it is sent
            await asyncio.sleep(REST * (perf_counter() - began))
