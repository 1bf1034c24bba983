"""The first tables."""

from __future__ import annotations

import sqlalchemy as sa
from alembic import op

revision = "0001"
down_revision = None
branch_labels = None
depends_on = None


def upgrade() -> None:
    """Make them."""
    _people()
    _games()
    op.create_table(
        "presence",
        sa.Column("table_id", sa.Text, nullable=False),
        sa.Column("player_id", sa.Text, nullable=False),
        sa.Column("node", sa.Text, nullable=False),
        sa.Column("seen_at", sa.Double, nullable=False),
        sa.PrimaryKeyConstraint("table_id", "player_id", "node", name="pk_presence"),
    )
    op.create_index("ix_presence_seen_at", "presence", ["seen_at"])


def _people() -> None:
    op.create_table(
        "player",
        sa.Column("id", sa.Text, nullable=False),
        sa.Column("name", sa.Text, nullable=False),
        sa.Column("name_key", sa.Text),
        sa.Column("password", sa.Text),
        sa.Column("guest", sa.Boolean, nullable=False),
        sa.Column("language", sa.Text, nullable=False),
        sa.Column("merged_into", sa.Text),
        sa.Column("created_at", sa.Double, nullable=False),
        sa.Column("seen_at", sa.Double, nullable=False),
        sa.PrimaryKeyConstraint("id", name="pk_player"),
        sa.UniqueConstraint("name_key", name="uq_player_name_key"),
    )
    op.create_index("ix_player_merged_into", "player", ["merged_into"])
    op.create_table(
        "session",
        sa.Column("token_hash", sa.Text, nullable=False),
        sa.Column("player_id", sa.Text, nullable=False),
        sa.Column("created_at", sa.Double, nullable=False),
        sa.Column("expires_at", sa.Double, nullable=False),
        sa.PrimaryKeyConstraint("token_hash", name="pk_session"),
        sa.ForeignKeyConstraint(
            ["player_id"], ["player.id"], ondelete="CASCADE", name="fk_session_player_id"
        ),
    )
    op.create_index("ix_session_player_id", "session", ["player_id"])
    op.create_index("ix_session_expires_at", "session", ["expires_at"])


def _games() -> None:
    op.create_table(
        "game",
        sa.Column("id", sa.Text, nullable=False),
        sa.Column("settings", sa.Text, nullable=False),
        sa.Column("title", sa.Text, nullable=False),
        sa.Column("host", sa.Text, nullable=False),
        sa.Column("public", sa.Boolean, nullable=False),
        sa.Column("moment", sa.Text, nullable=False),
        sa.Column("number", sa.Integer, nullable=False),
        sa.Column("names", sa.Text, nullable=False),
        sa.Column("kinds", sa.Text, nullable=False),
        sa.Column("series", sa.Text, nullable=False),
        sa.Column("created_at", sa.Double, nullable=False),
        sa.Column("updated_at", sa.Double, nullable=False),
        sa.PrimaryKeyConstraint("id", name="pk_game"),
    )
    op.create_index("ix_game_moment_updated_at", "game", ["moment", "updated_at"])
    op.create_table(
        "game_player",
        sa.Column("game_id", sa.Text, nullable=False),
        sa.Column("player_id", sa.Text, nullable=False),
        sa.Column("seat", sa.Integer),
        sa.PrimaryKeyConstraint("game_id", "player_id", name="pk_game_player"),
        sa.ForeignKeyConstraint(["game_id"], ["game.id"], ondelete="CASCADE", name="fk_game_player_game_id"),
    )
    op.create_index("ix_game_player_player_id", "game_player", ["player_id"])
    op.create_table(
        "event",
        sa.Column("table_id", sa.Text, nullable=False),
        sa.Column("seq", sa.Integer, nullable=False),
        sa.Column("kind", sa.Text, nullable=False),
        sa.Column("body", sa.Text, nullable=False),
        sa.Column("cmd_id", sa.Text),
        sa.Column("at", sa.Double, nullable=False),
        sa.PrimaryKeyConstraint("table_id", "seq", name="pk_event"),
        sa.ForeignKeyConstraint(["table_id"], ["game.id"], ondelete="CASCADE", name="fk_event_table_id"),
        sa.UniqueConstraint("table_id", "cmd_id", name="uq_event_table_id_cmd_id"),
    )
