"""People whose data is being deleted, names that look alike, and browsers that have logged in before."""

from __future__ import annotations

import sqlalchemy as sa
from alembic import op

from ultimo.server.naming import skeletons

revision = "0013"
down_revision = "0008"
branch_labels = None
depends_on = None


def upgrade() -> None:
    """Make the column and the tables, and note what the names of all accounts look like."""
    op.add_column("player", sa.Column("deleted_at", sa.Double))
    op.create_index("ix_player_deleted_at", "player", ["deleted_at"])
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
