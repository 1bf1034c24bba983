"""Reviews of deals, which take long to make."""

from __future__ import annotations

import sqlalchemy as sa
from alembic import op

from ultimo.server.migrations.versions_of_books import record

revision = "0003"
down_revision = "0002"
branch_labels = None
depends_on = None

BOOKS = {  # as they were before the specification of 17 November 2026
    "basta": "fe55a66ae98d0bd3",
    "dtf": "d69f122ff30db533",
    "hermansen": "ddde9ca448efc235",
    "jensen": "3860f3cdb14503f7",
    "vlk": "68cf7b24faf19164",
}


def upgrade() -> None:
    """Make the table; a review is made when somebody asks for it. Tables go on by the books as they were."""
    record(BOOKS)
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
