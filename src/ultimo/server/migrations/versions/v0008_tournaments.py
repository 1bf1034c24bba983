"""Tournaments, and what is written about them."""

from __future__ import annotations

import sqlalchemy as sa
from alembic import op

revision = "0008"
down_revision = "0007"
branch_labels = None
depends_on = None


def upgrade() -> None:
    """Make the tables."""
    op.create_table(
        "tournament",
        sa.Column("id", sa.Text, nullable=False),
        *(sa.Column(name, sa.Text, nullable=False) for name in ("host", "club", "name", "rules", "kind")),
        sa.Column("people", sa.Integer, nullable=False),
        *(sa.Column(name, sa.Boolean, nullable=False) for name in ("public", "closed")),
        sa.Column("inviting", sa.Text),
        *(
            sa.Column(name, sa.Double, nullable=False)
            for name in ("inviting_until", "created_at", "updated_at")
        ),
        sa.PrimaryKeyConstraint("id", name="pk_tournament"),
    )
    op.create_index("ix_tournament_host", "tournament", ["host"])
    op.create_index("ix_tournament_club", "tournament", ["club"])
    op.create_table(
        "tournament_fact",
        sa.Column("tournament_id", sa.Text, nullable=False),
        sa.Column("seq", sa.Integer, nullable=False, autoincrement=False),
        sa.Column("cmd_id", sa.Text),
        sa.Column("body", sa.Text, nullable=False),
        sa.Column("at", sa.Double, nullable=False),
        sa.PrimaryKeyConstraint("tournament_id", "seq", name="pk_tournament_fact"),
        sa.ForeignKeyConstraint(
            ["tournament_id"],
            ["tournament.id"],
            ondelete="CASCADE",
            name="fk_tournament_fact_tournament_id",
        ),
        sa.UniqueConstraint("tournament_id", "cmd_id", name="uq_tournament_fact_tournament_id_cmd_id"),
    )
