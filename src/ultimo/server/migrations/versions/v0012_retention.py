"""What retention needs: which logs are kept, and where words stand."""

from __future__ import annotations

import sqlalchemy as sa
from alembic import op

revision = "0012"
down_revision = "0011"
branch_labels = None
depends_on = None


def upgrade() -> None:
    """All logs are kept so far."""
    op.add_column("game", sa.Column("log", sa.Text, nullable=False, server_default="kept"))
    going = sa.text("log = 'going'")
    op.create_index("ix_game_going", "game", ["id"], sqlite_where=going, postgresql_where=going)
    words = sa.text("kind = 'ChatSaid'")
    op.create_index("ix_event_words", "event", ["at"], sqlite_where=words, postgresql_where=words)
