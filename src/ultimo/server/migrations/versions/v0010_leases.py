"""Leases: which process drives a table, and until when."""

from __future__ import annotations

import sqlalchemy as sa
from alembic import op

revision = "0010"
down_revision = "0009"
branch_labels = None
depends_on = None


def upgrade() -> None:
    """Make the table."""
    op.create_table(
        "lease",
        sa.Column("table_id", sa.Text, nullable=False),
        sa.Column("node", sa.Text, nullable=False),
        sa.Column("fence", sa.Integer, nullable=False),
        sa.Column("until", sa.Double, nullable=False),
        sa.PrimaryKeyConstraint("table_id", name="pk_lease"),
        sa.ForeignKeyConstraint(["table_id"], ["game.id"], ondelete="CASCADE", name="fk_lease_table_id"),
    )
