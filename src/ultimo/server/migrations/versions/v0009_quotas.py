"""What people and addresses use in a day, and indexes for the lists that had none."""

from __future__ import annotations

import sqlalchemy as sa
from alembic import op

from ultimo.server.migrations.versions_of_books import record

revision = "0009"
down_revision = "0008"
branch_labels = None
depends_on = None

OPEN = sa.text("moment <> 'over'")
IN_LOBBY = sa.text("public IS TRUE AND moment <> 'over'")
BOOKS = {  # as they were before faults at French Tarot
    "fft3": "798e4cb409c591e8",
    "fft4": "053879c5224f19a3",
    "fft5": "50f61f3e1ab97760",
}


def upgrade() -> None:
    """Make the table and the indexes. Tables go on by the books as they were."""
    record(BOOKS)
    op.create_table(
        "quota",
        sa.Column("who", sa.Text, nullable=False),
        sa.Column("what", sa.Text, nullable=False),
        sa.Column("day", sa.Integer, nullable=False, autoincrement=False),
        sa.Column("used", sa.BigInteger, nullable=False),
        sa.PrimaryKeyConstraint("who", "what", "day", name="pk_quota"),
    )
    op.create_index("ix_quota_day", "quota", ["day"])
    for name, columns, kept in (
        ("ix_game_lobby", ["updated_at"], IN_LOBBY),
        ("ix_game_open", ["host", "updated_at"], OPEN),
    ):
        op.create_index(name, "game", columns, sqlite_where=kept, postgresql_where=kept)
    op.create_index("ix_presence_node", "presence", ["node"])
    op.create_index("ix_club_invitation_until", "club_invitation", ["until"])
