"""What each deal was for each person, for their figures."""

from __future__ import annotations

import sqlalchemy as sa
from alembic import op

revision = "0002"
down_revision = "0001"
branch_labels = None
depends_on = None

NUMBERS = ("size", "points", "share", "played", "ultimos", "baguds", "nolos", "slams", "lasts", "made")


def upgrade() -> None:
    """Make the table; deals that were played before have no figures."""
    op.create_table(
        "figure",
        sa.Column("table_id", sa.Text, nullable=False),
        sa.Column("deal", sa.Integer, nullable=False, autoincrement=False),
        sa.Column("player_id", sa.Text, nullable=False),
        sa.Column("at", sa.Double, nullable=False),
        sa.Column("rules", sa.Text, nullable=False),
        sa.Column("bid", sa.Text, nullable=False),
        *(sa.Column(name, sa.Integer, nullable=False) for name in NUMBERS),
        sa.PrimaryKeyConstraint("table_id", "deal", "player_id", name="pk_figure"),
        sa.ForeignKeyConstraint(["table_id"], ["game.id"], ondelete="CASCADE", name="fk_figure_table_id"),
    )
    op.create_index("ix_figure_player_id_at", "figure", ["player_id", "at"])
