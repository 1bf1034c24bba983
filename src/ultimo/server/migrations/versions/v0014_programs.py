"""Programs that sit at tables by a token of their own."""

from __future__ import annotations

import sqlalchemy as sa
from alembic import op

revision = "0014"
down_revision = "0013"
branch_labels = None
depends_on = None


def upgrade() -> None:
    """Make the table."""
    op.create_table(
        "program",
        sa.Column("token_hash", sa.Text, nullable=False),
        sa.Column("table_id", sa.Text, nullable=False),
        *(sa.Column(name, sa.Text, nullable=False) for name in ("player_id", "name")),
        sa.Column("created_at", sa.Double, nullable=False),
        sa.PrimaryKeyConstraint("token_hash", name="pk_program"),
        sa.ForeignKeyConstraint(["table_id"], ["game.id"], ondelete="CASCADE", name="fk_program_table_id"),
    )
    op.create_index("ix_program_table_id", "program", ["table_id"])
