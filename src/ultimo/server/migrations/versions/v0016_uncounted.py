"""Why a deal does not count among the figures of a person."""

from __future__ import annotations

import sqlalchemy as sa
from alembic import op

revision = "0016"
down_revision = "0015"
branch_labels = None
depends_on = None


def upgrade() -> None:
    """Add the column; of deals before, only those that count were noted."""
    op.add_column("figure", sa.Column("uncounted", sa.Text, nullable=False, server_default=""))
