"""Reviews of deals, which take long to make."""

from __future__ import annotations

import sqlalchemy as sa
from alembic import op

revision = "0003"
down_revision = "0002"
branch_labels = None
depends_on = None


def upgrade() -> None:
    """Make the table; a review is made when somebody asks for it."""
    op.create_table(
        "review",
        sa.Column("table_id", sa.Text, nullable=False),
        sa.Column("deal", sa.Integer, nullable=False, autoincrement=False),
        sa.Column("version", sa.Integer, nullable=False),
        sa.Column("digest", sa.Text, nullable=False),
        sa.Column("body", sa.Text, nullable=False),
        sa.Column("at", sa.Double, nullable=False),
        sa.PrimaryKeyConstraint("table_id", "deal", name="pk_review"),
        sa.ForeignKeyConstraint(["table_id"], ["game.id"], ondelete="CASCADE", name="fk_review_table_id"),
    )
