"""How much a person or an address may have of something in a day, counted where it is written."""

from __future__ import annotations

import time
from collections.abc import Callable, Collection, Mapping
from typing import Final, Literal, TypeAlias

from sqlalchemy import Connection, delete

from ultimo.answers.refusing import Refusal
from ultimo.server.clock import DAY
from ultimo.server.database import Check, Database, insert_or_change
from ultimo.server.schema import quota

Daily: TypeAlias = Literal["guests", "tables", "sheets", "clubs", "tournaments", "invitations", "bytes"]

SENTENCES: Final[dict[Daily, str]] = {  # what is said to whoever has had enough for a day
    "guests": "dayGuests",
    "tables": "dayTables",
    "sheets": "daySheets",
    "clubs": "dayClubs",
    "tournaments": "dayTournaments",
    "invitations": "dayInvitations",
    "bytes": "dayBytes",
}


class OverQuota(Refusal):
    """More than one person or address may have in a day."""

    def __init__(self, what: Daily, most: int) -> None:
        super().__init__(429, SENTENCES[what], most=most)


class Quotas:
    """What each person and each address has used of something today; `most` says of what how much.

    It stands in the database, for all processes, and what is of an earlier day is deleted.
    """

    def __init__(
        self, database: Database, most: Mapping[Daily, int], clock: Callable[[], float] = time.time
    ) -> None:
        self._database, self._clock = database, clock
        self.most = most

    async def use(self, what: Daily, who: Collection[str], amount: int = 1) -> None:
        """Use something up for each of these, or for none of them and raise `OverQuota`."""
        await self._database.write(self.using(what, who, amount))

    def using(self, what: Daily, who: Collection[str], amount: int = 1) -> Check:
        """The same as a part of the transaction in which it is used."""
        day, most = int(self._clock() // DAY), self.most[what]

        def job(connection: Connection) -> None:
            connection.execute(delete(quota).where(quota.c.day < day))
            if not all(_used(connection, one, what, day, amount, most) for one in who):
                raise OverQuota(what, most)

        return job


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
