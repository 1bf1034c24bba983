"""Score sheets of tables where people play with real cards."""

from __future__ import annotations

import sqlalchemy as sa
from alembic import op

revision = "0006"
down_revision = "0005"
branch_labels = None
depends_on = None


def upgrade() -> None:
    """Make the tables."""
    op.create_table(
        "sheet",
        sa.Column("id", sa.Text, nullable=False),
        *(sa.Column(name, sa.Text, nullable=False) for name in ("host", "pen", "rules", "names")),
        sa.Column("deals", sa.Integer, nullable=False),
        sa.Column("closed", sa.Boolean, nullable=False),
        sa.Column("handing", sa.Text),
        *(
            sa.Column(name, sa.Double, nullable=False)
            for name in ("handing_until", "created_at", "updated_at")
        ),
        sa.PrimaryKeyConstraint("id", name="pk_sheet"),
    )
    op.create_index("ix_sheet_host", "sheet", ["host"])
    op.create_index("ix_sheet_pen", "sheet", ["pen"])
    op.create_table(
        "sheet_fact",
        sa.Column("sheet_id", sa.Text, nullable=False),
        sa.Column("seq", sa.Integer, nullable=False, autoincrement=False),
        sa.Column("cmd_id", sa.Text),
        sa.Column("body", sa.Text, nullable=False),
        sa.Column("at", sa.Double, nullable=False),
        sa.PrimaryKeyConstraint("sheet_id", "seq", name="pk_sheet_fact"),
        sa.ForeignKeyConstraint(
            ["sheet_id"], ["sheet.id"], ondelete="CASCADE", name="fk_sheet_fact_sheet_id"
        ),
        sa.UniqueConstraint("sheet_id", "cmd_id", name="uq_sheet_fact_sheet_id_cmd_id"),
    )
