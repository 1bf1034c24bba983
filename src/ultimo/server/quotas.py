"""How much a person or an address may have of something in a day, counted where it is written."""

from __future__ import annotations

import asyncio
import time
from collections import Counter
from collections.abc import Callable, Collection, Iterable, Mapping
from itertools import count
from typing import Final, Literal, TypeAlias

import msgspec
from sqlalchemy import Connection, delete, select

from ultimo.answers.refusing import Refusal
from ultimo.server import metrics
from ultimo.server.clock import DAY
from ultimo.server.database import Check, Database, Unavailable, insert_or_change
from ultimo.server.hosts import address_groups
from ultimo.server.logs import logger
from ultimo.server.schema import quota

Daily: TypeAlias = Literal[
    "guests", "tables", "sheets", "clubs", "tournaments", "invitations", "bytes", "written", "ratings"
]

ADDRESS: Final = "at "  # before an address, where it stands beside the ids of people
NEIGHBOURS: Final = 5  # times as much as a person an address may write
ROW: Final = 200  # bytes that a fact takes besides its text
FLUSH: Final = 5.0  # seconds after which what was written is added up in the database
MEASURE: Final = 12  # of them, after which the use of the day is measured
SHARES: Final = (0.01, 0.1, 0.5, 1.0)  # of a day's limit


def users(player: str, address: str) -> list[str]:
    """Whose use of the day something is: a person's, and that of the groups that an address is counted in."""
    groups = address_groups(address) if address else ()
    return [one for one in (player, *(ADDRESS + group for group in groups)) if one]


def size(facts: Iterable[object]) -> int:
    """How many bytes facts take in the database."""
    return sum(ROW + len(msgspec.json.encode(fact)) for fact in facts)


class OverQuota(Refusal):
    """More than one person or address may have in a day."""

    def __init__(self, what: Daily, most: int) -> None:
        super().__init__(429, f"day{what.capitalize()}", most=most)


class Quotas:
    """What each person and each address has used of something today; `most` says of what how much.

    It stands in the database, for all processes, and what is of an earlier day is deleted. Bytes that are
    written are noted in memory and added up every few seconds: a move must not wait for that.
    """

    def __init__(
        self, database: Database, most: Mapping[Daily, int], clock: Callable[[], float] = time.time
    ) -> None:
        self._database, self._clock = database, clock
        self.most = most
        self._day = 0
        self._noted: Counter[str] = Counter()  # bytes that are not in the database yet
        self._written: Counter[str] = Counter()  # bytes of today, by those who write here

    async def use(self, what: Daily, who: Collection[str], amount: int = 1) -> None:
        """Use something up for each of these, or for none of them and raise `OverQuota`."""
        await self._database.write(self.using(what, who, amount))

    async def has_left(self, what: Daily, who: Collection[str]) -> bool:
        """Use something up for each of these, if there is enough; whether there was."""
        try:
            await self.use(what, who)
        except OverQuota:
            return False
        return True

    def using(self, what: Daily, who: Collection[str], amount: int = 1) -> Check:
        """The same as a part of the transaction in which it is used."""
        day, most = int(self._clock() // DAY), self.most[what]

        def job(connection: Connection) -> None:
            connection.execute(delete(quota).where(quota.c.day < day))
            if not all(_used(connection, one, what, day, amount, most) for one in who):
                raise OverQuota(what, most)

        return job

    # --- what is written -------------------------------------------------------------------------------

    def note(self, who: Iterable[str], facts: Iterable[object]) -> None:
        """Note that these have written facts."""
        self._begin_day()
        written = size(facts)
        for one in who:
            self._noted[one] += written
            self._written[one] += written

    def check_written(self, who: Iterable[str]) -> None:
        """Refuse a beginning to those who have written enough today: `OverQuota`."""
        self._begin_day()
        for one in who:
            if self._written[one] >= (most := self.most_of("written", one)):
                raise OverQuota("written", most)

    def most_of(self, what: Daily, who: str) -> int:
        """How much of something somebody may have in a day."""
        return self.most[what] * (NEIGHBOURS if what == "written" and who.startswith(ADDRESS) else 1)

    def _begin_day(self) -> None:
        if (day := int(self._clock() // DAY)) != self._day:
            self._day = day
            self._noted.clear()
            self._written.clear()

    async def flush(self) -> None:
        """Add what was noted to what stands in the database, and learn what others have added there."""
        self._begin_day()
        noted, self._noted, day = self._noted, Counter(), self._day

        def job(connection: Connection) -> dict[str, int]:
            return {one: _added(connection, one, "written", day, noted[one]) for one in sorted(noted)}

        try:
            written = await self._database.write(job) if noted else {}
        except Unavailable:
            self._noted += noted
            raise
        if day == self._day:
            for one, used in written.items():
                self._written[one] = used + self._noted[one]

    async def measure(self) -> None:
        """Show how much of a day's limits is used: by how many, and at most; not by whom."""
        today = quota.c.day == int(self._clock() // DAY)
        query = select(quota.c.who, quota.c.what, quota.c.used).where(today)
        rows = await self._database.read(lambda connection: connection.execute(query).all())
        for what in self.most:
            shares = [used / self.most_of(what, who) for who, kind, used in rows if kind == what]
            metrics.DAY_MOST.labels(what).set(max(shares, default=0.0))
            for least in SHARES:
                metrics.DAY_USERS.labels(what, str(least)).set(sum(share >= least for share in shares))

    async def run_for_ever(self) -> None:
        """Flush and measure now and then; cancel it to stop."""
        for times in count(1):
            await asyncio.sleep(FLUSH)
            try:
                await self.flush()
                if times % MEASURE == 0:
                    await self.measure()
            except Unavailable as error:  # it is tried again before long
                logger().warning("what is written cannot be added up", error=str(error))


def _added(connection: Connection, who: str, what: Daily, day: int, amount: int) -> int:
    """Add to what somebody has used, however much it is; what it comes to."""
    statement = insert_or_change(connection, quota).values(who=who, what=what, day=day, used=amount)
    used = quota.c.used + statement.excluded.used
    statement = statement.on_conflict_do_update(index_elements=["who", "what", "day"], set_={"used": used})
    return int(connection.execute(statement.returning(quota.c.used)).scalar_one())


def _used(connection: Connection, who: str, what: str, day: int, amount: int, most: int) -> bool:
    """Write down what somebody uses, unless it is too much: in one statement, so that no two can pass."""
    if amount > most:
        return False
    statement = insert_or_change(connection, quota).values(who=who, what=what, day=day, used=amount)
    used = quota.c.used + statement.excluded.used
    statement = statement.on_conflict_do_update(
        index_elements=["who", "what", "day"], set_={"used": used}, where=used <= most
    )
    return connection.execute(statement.returning(quota.c.used)).first() is not None
