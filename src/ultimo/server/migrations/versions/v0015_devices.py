"""Score sheets and sessions that were brought from a device."""

from __future__ import annotations

import sqlalchemy as sa
from alembic import op

revision = "0015"
down_revision = "0014"
branch_labels = None
depends_on = None


def upgrade() -> None:
    """Add the columns; what was there before came from no device."""
    for table in ("game", "sheet"):
        op.add_column(table, sa.Column("device_log", sa.Text))
    op.add_column("game", sa.Column("device_seq", sa.Integer))
