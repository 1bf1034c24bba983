"""A table in the memory of a process: the fold of its log, who is there, and what the pages are sent."""

from __future__ import annotations

import asyncio
from collections import deque
from collections.abc import AsyncIterator, Callable, Sequence
from math import nextafter
from time import perf_counter

import msgspec

from ultimo.server import metrics
from ultimo.server.appending import TableId
from ultimo.server.leases import Lease
from ultimo.server.logs import logger
from ultimo.server.turns import FairLock
from ultimo.table import Live, PlayerId
from ultimo.table.decide import has_say
from ultimo.table.messages import Goodbye
from ultimo.table.pages import Folded, Page, Row, Step, summary
from ultimo.table.showing import teller_of
from ultimo.telling.teller import Teller

BACKLOG = 64  # steps that a page may be behind before it is sent everything again
LATER = 2.0  # seconds until a spectator of a busy table is sent everything again
REST = 6  # times as long as that took, the others come first
FAULT = "a program error prevents this table from being shown; reload the page"


# --- what the pages are sent -----------------------------------------------------------------------------


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

    def writer(self, by: PlayerId | None) -> tuple[PlayerId, str]:
        """Who has written something, or else the host, and the address from where they watch the table."""
        person = by or self.live.host
        own = next((one.address for one in self.viewers if one.player == person), "")
        return person, own or (self.payer if self.viewers else "")

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
