"""What people have learned."""

from __future__ import annotations

import sqlalchemy as sa
from alembic import op

revision = "0004"
down_revision = "0003"
branch_labels = None
depends_on = None


def upgrade() -> None:
    """Make the table; nobody has learned anything yet."""
    op.create_table(
        "progress",
        sa.Column("player_id", sa.Text, nullable=False),
        sa.Column("item", sa.Text, nullable=False),
        sa.Column("value", sa.Integer, nullable=False),
        sa.Column("at", sa.Double, nullable=False),
        sa.PrimaryKeyConstraint("player_id", "item", name="pk_progress"),
    )
