"""Commands are bound to who sent them: the id that is stored begins with the sender's.

In most logs each fact says who wrote it. The log of a table says it of people, or of their seats; what only
the host can have wished is the host's. Whoever sends such a command again is answered as before.
"""

from __future__ import annotations

import json
from collections.abc import Iterator
from typing import Any

import sqlalchemy as sa
from alembic import op

revision = "0011"
down_revision = "0010"
branch_labels = None
depends_on = None

WRITTEN = {"sheet_fact": "sheet_id", "club_fact": "club_id", "tournament_fact": "tournament_id"}
SOME = 1000  # rows at a time


def upgrade() -> None:
    """Put the sender before each id."""
    for name, key in WRITTEN.items():
        _bind(name, key, ((row, json.loads(row.body).get("by", "")) for row in _rows(name, key)))
    _bind("event", "table_id", _senders())


def _rows(name: str, key: str) -> Iterator[Any]:
    """All of a log, table by table."""
    log = _log(name, key)
    query = sa.select(log).order_by(log.c[key], log.c.seq)
    return iter(op.get_bind().execute(query, execution_options={"yield_per": SOME}))


def _bind(name: str, key: str, senders: Iterator[tuple[Any, str]]) -> None:
    log, found = _log(name, key), []
    for row, sender in senders:
        if row.cmd_id is not None:
            found.append({"in_log": getattr(row, key), "at_seq": row.seq, "bound": f"{sender}:{row.cmd_id}"})
    here = (log.c[key] == sa.bindparam("in_log")) & (log.c.seq == sa.bindparam("at_seq"))
    for start in range(0, len(found), SOME):
        changed = sa.update(log).where(here).values(cmd_id=sa.bindparam("bound"))
        op.get_bind().execute(changed, found[start : start + SOME])


def _senders() -> Iterator[tuple[Any, str]]:
    """Who sent what in the logs of tables, as far as they say so; the rest is the host's."""
    host, holders = "", dict[int, str]()
    for row in _rows("event", "table_id"):
        fact = json.loads(row.body)
        if fact["type"] == "TableOpened":
            host, holders = fact["host"], {}
        first = fact["events"][0] if fact.get("events") else fact
        seat = first.get("seat")
        yield row, fact.get("player") or holders.get(seat) or host
        if fact["type"] == "SeatTaken":
            holders[seat] = fact["player"]
        elif fact["type"] in ("SeatLeft", "BotSeated"):
            holders.pop(seat, None)


def _log(name: str, key: str) -> sa.TableClause:
    return sa.table(name, *(sa.column(one) for one in (key, "seq", "body", "cmd_id")))
