"""Puzzles that people have tried, and how hard they have turned out to be."""

from __future__ import annotations

import sqlalchemy as sa
from alembic import op

revision = "0005"
down_revision = "0004"
branch_labels = None
depends_on = None


def upgrade() -> None:
    """Make the tables; a puzzle that nobody has tried has the rating that it was made with."""
    op.create_table(
        "attempt",
        sa.Column("player_id", sa.Text, nullable=False),
        sa.Column("puzzle_id", sa.Text, nullable=False),
        sa.Column("at", sa.Double, nullable=False),
        sa.Column("solved", sa.Boolean, nullable=False),
        sa.Column("mu", sa.Double, nullable=False),
        sa.Column("sigma", sa.Double, nullable=False),
        sa.PrimaryKeyConstraint("player_id", "puzzle_id", name="pk_attempt"),
    )
    op.create_table(
        "puzzle_rating",
        sa.Column("puzzle_id", sa.Text, nullable=False),
        sa.Column("mu", sa.Double, nullable=False),
        sa.Column("sigma", sa.Double, nullable=False),
        sa.Column("tried", sa.Integer, nullable=False),
        sa.PrimaryKeyConstraint("puzzle_id", name="pk_puzzle_rating"),
    )
