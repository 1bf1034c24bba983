"""People whose data is deleted, who has noted what, names that look alike, browsers that have logged in."""

from __future__ import annotations

import json

import sqlalchemy as sa
from alembic import op

from ultimo.server.naming import skeletons

revision = "0013"
down_revision = "0012"
branch_labels = None
depends_on = None


def _note_writers() -> None:
    """Say who has written notes on score sheets and tournaments."""
    noted = op.create_table(
        "noted",
        sa.Column("log_id", sa.Text, nullable=False),
        sa.Column("player_id", sa.Text, nullable=False),
        sa.PrimaryKeyConstraint("log_id", "player_id", name="pk_noted"),
    )
    op.create_index("ix_noted_player_id", "noted", ["player_id"])
    found: set[tuple[str, str]] = set()
    for table, key, field in (
        ("sheet_fact", "sheet_id", "text"),
        ("tournament_fact", "tournament_id", "note"),
    ):
        log = sa.table(table, sa.column(key), sa.column("body"))
        query = sa.select(log.c[key], log.c.body).where(log.c.body.contains(f'"{field}":'))
        for log_id, body in op.get_bind().execute(query):
            fact = json.loads(body)
            if fact.get(field) and fact.get("by"):
                found.add((log_id, fact["by"]))
    if found:
        op.bulk_insert(noted, [{"log_id": log_id, "player_id": by} for log_id, by in sorted(found)])


def upgrade() -> None:
    """Make the column and the tables, and note what the names of all accounts look like."""
    for name in ("deleted_at", "erased_at"):
        op.add_column("player", sa.Column(name, sa.Double))
        op.create_index(f"ix_player_{name}", "player", [name])
    _note_writers()
    lookalike = op.create_table(
        "lookalike",
        sa.Column("skeleton", sa.Text, nullable=False),
        sa.Column("player_id", sa.Text, nullable=False),
        sa.PrimaryKeyConstraint("skeleton", name="pk_lookalike"),
        sa.ForeignKeyConstraint(
            ["player_id"], ["player.id"], ondelete="CASCADE", name="fk_lookalike_player_id"
        ),
    )
    op.create_index("ix_lookalike_player_id", "lookalike", ["player_id"])
    op.create_table(
        "device",
        sa.Column("token_hash", sa.Text, nullable=False),
        sa.Column("player_id", sa.Text, nullable=False),
        sa.Column("at", sa.Double, nullable=False),
        sa.PrimaryKeyConstraint("token_hash", name="pk_device"),
        sa.ForeignKeyConstraint(["player_id"], ["player.id"], ondelete="CASCADE", name="fk_device_player_id"),
    )
    op.create_index("ix_device_player_id", "device", ["player_id"])
    player = sa.table(
        "player", sa.column("id"), sa.column("name"), sa.column("name_key"), sa.column("created_at")
    )
    query = sa.select(player.c.id, player.c.name).where(player.c.name_key.is_not(None))
    rows: dict[str, str] = {}
    for player_id, name in op.get_bind().execute(query.order_by(player.c.created_at, player.c.id)):
        for skeleton in skeletons(name):
            rows.setdefault(skeleton, player_id)  # of two that look alike already, the older has the name
    if rows:
        values = [{"skeleton": skeleton, "player_id": player_id} for skeleton, player_id in rows.items()]
        op.bulk_insert(lookalike, values)
