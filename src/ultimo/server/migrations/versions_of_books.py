"""By which version of its book a table is played whose log does not say so: the one before a schema came."""

from __future__ import annotations

import json
from collections.abc import Mapping

import sqlalchemy as sa
from alembic import op


def record(digests: Mapping[str, str]) -> None:
    """Record digests by rulebook for the tables that have none: in their first facts, and in `game`."""
    game = sa.table("game", sa.column("id"), sa.column("settings"))
    event = sa.table("event", sa.column("table_id"), sa.column("seq"), sa.column("body"))
    connection = op.get_bind()
    for table, agreed in connection.execute(sa.select(game)).all():
        settings = json.loads(agreed)
        if "digest" in settings or settings["rules"] not in digests:
            continue
        settings["digest"] = digests[settings["rules"]]
        connection.execute(sa.update(game).where(game.c.id == table).values(settings=_written(settings)))
        first = (event.c.table_id == table) & (event.c.seq == 1)
        for body in connection.execute(sa.select(event.c.body).where(first)).scalars().all():
            opened = json.loads(body)
            opened["settings"]["digest"] = settings["digest"]
            connection.execute(sa.update(event).where(first).values(body=_written(opened)))


def _written(value: object) -> str:
    return json.dumps(value, ensure_ascii=False, separators=(",", ":"))
