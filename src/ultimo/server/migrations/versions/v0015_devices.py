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
    op.add_column("game", sa.Column("brought", sa.Integer))
    op.add_column("sheet", sa.Column("brought", sa.Boolean))
