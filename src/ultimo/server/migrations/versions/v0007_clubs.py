"""Clubs: their logs, who belongs to them, invitations, and whose a score sheet is."""

from __future__ import annotations

import sqlalchemy as sa
from alembic import op

revision = "0007"
down_revision = "0006"
branch_labels = None
depends_on = None


def upgrade() -> None:
    """Make the tables, and the column of the sheets."""
    op.create_table(
        "club",
        sa.Column("id", sa.Text, nullable=False),
        sa.Column("name", sa.Text, nullable=False),
        *(sa.Column(name, sa.Integer, nullable=False) for name in ("members", "epoch")),
        *(sa.Column(name, sa.Double, nullable=False) for name in ("created_at", "updated_at")),
        sa.PrimaryKeyConstraint("id", name="pk_club"),
    )
    op.create_table(
        "club_fact",
        sa.Column("club_id", sa.Text, nullable=False),
        sa.Column("seq", sa.Integer, nullable=False, autoincrement=False),
        sa.Column("cmd_id", sa.Text),
        sa.Column("body", sa.Text, nullable=False),
        sa.Column("at", sa.Double, nullable=False),
        sa.PrimaryKeyConstraint("club_id", "seq", name="pk_club_fact"),
        sa.ForeignKeyConstraint(["club_id"], ["club.id"], ondelete="CASCADE", name="fk_club_fact_club_id"),
        sa.UniqueConstraint("club_id", "cmd_id", name="uq_club_fact_club_id_cmd_id"),
    )
    op.create_table(
        "club_member",
        *(sa.Column(name, sa.Text, nullable=False) for name in ("club_id", "member_id", "player_id", "role")),
        sa.PrimaryKeyConstraint("club_id", "member_id", name="pk_club_member"),
        sa.ForeignKeyConstraint(["club_id"], ["club.id"], ondelete="CASCADE", name="fk_club_member_club_id"),
    )
    op.create_index("ix_club_member_player_id", "club_member", ["player_id"])
    op.create_table(
        "club_invitation",
        *(sa.Column(name, sa.Text, nullable=False) for name in ("hash", "club_id", "member_id", "role")),
        sa.Column("until", sa.Double, nullable=False),
        sa.Column("uses", sa.Integer, nullable=False),
        sa.PrimaryKeyConstraint("hash", name="pk_club_invitation"),
        sa.ForeignKeyConstraint(
            ["club_id"], ["club.id"], ondelete="CASCADE", name="fk_club_invitation_club_id"
        ),
    )
    op.create_index("ix_club_invitation_club_id", "club_invitation", ["club_id"])
    op.add_column("sheet", sa.Column("club_id", sa.Text))
    op.create_index("ix_sheet_club_id", "sheet", ["club_id"])
