"""The tables of the database, and bringing a database up to them.

The log of the tables (`event`) is the truth. What `game` and `game_player` say of a table follows from it and
is there for lists, what `figure` says of a deal for the figures of people; `presence` says who is connected
just now, and may be lost.
"""

from __future__ import annotations

from pathlib import Path

from alembic import command
from alembic.config import Config
from alembic.util import CommandError
from sqlalchemy import (
    Boolean,
    Column,
    Double,
    Engine,
    ForeignKey,
    Index,
    Integer,
    MetaData,
    Table,
    Text,
    UniqueConstraint,
    func,
    select,
)

MIGRATIONS = Path(__file__).parent / "migrations"
UPGRADING = 78  # the key of the lock under which one process at a time upgrades a database

metadata = MetaData(
    naming_convention={
        "pk": "pk_%(table_name)s",
        "fk": "fk_%(table_name)s_%(column_0_N_name)s",
        "uq": "uq_%(table_name)s_%(column_0_N_name)s",
        "ix": "ix_%(table_name)s_%(column_0_N_name)s",
    }
)

player = Table(
    "player",
    metadata,
    Column("id", Text, primary_key=True),
    Column("name", Text, nullable=False),
    Column("name_key", Text, unique=True),  # of accounts: what a name is found by
    Column("password", Text),  # hashed
    Column("guest", Boolean, nullable=False),
    Column("language", Text, nullable=False),
    Column("merged_into", Text, index=True),  # the account of somebody who was a guest before
    Column("created_at", Double, nullable=False),
    Column("seen_at", Double, nullable=False),
)

session = Table(
    "session",
    metadata,
    Column("token_hash", Text, primary_key=True),
    Column("player_id", ForeignKey("player.id", ondelete="CASCADE"), nullable=False, index=True),
    Column("created_at", Double, nullable=False),
    Column("expires_at", Double, nullable=False, index=True),
)

game = Table(
    "game",
    metadata,
    Column("id", Text, primary_key=True),
    Column("settings", Text, nullable=False),
    Column("title", Text, nullable=False),
    Column("host", Text, nullable=False),
    Column("public", Boolean, nullable=False),
    Column("moment", Text, nullable=False),
    Column("number", Integer, nullable=False),
    Column("names", Text, nullable=False),
    Column("kinds", Text, nullable=False),
    Column("series", Text, nullable=False),
    Column("created_at", Double, nullable=False),
    Column("updated_at", Double, nullable=False),
    Index(None, "moment", "updated_at"),
)

game_player = Table(
    "game_player",
    metadata,
    Column("game_id", ForeignKey("game.id", ondelete="CASCADE"), primary_key=True),
    Column("player_id", Text, primary_key=True, index=True),
    Column("seat", Integer),  # the last that the person had; none of somebody who only spoke
)

event = Table(
    "event",
    metadata,
    Column("table_id", ForeignKey("game.id", ondelete="CASCADE"), primary_key=True),
    Column("seq", Integer, primary_key=True, autoincrement=False),
    Column("kind", Text, nullable=False),
    Column("body", Text, nullable=False),
    Column("cmd_id", Text),
    Column("at", Double, nullable=False),
    UniqueConstraint("table_id", "cmd_id"),
)

figure = Table(
    "figure",
    metadata,
    Column("table_id", ForeignKey("game.id", ondelete="CASCADE"), primary_key=True),
    Column("deal", Integer, primary_key=True, autoincrement=False),
    Column("player_id", Text, primary_key=True),
    Column("at", Double, nullable=False),
    Column("rules", Text, nullable=False),
    Column("bid", Text, nullable=False),
    *(
        Column(name, Integer, nullable=False)
        for name in (
            "size",
            "points",
            "share",
            "played",
            "ultimos",
            "baguds",
            "nolos",
            "slams",
            "lasts",
            "made",
        )
    ),
    Index(None, "player_id", "at"),
)

presence = Table(
    "presence",
    metadata,
    Column("table_id", Text, primary_key=True),
    Column("player_id", Text, primary_key=True),
    Column("node", Text, primary_key=True),
    Column("seen_at", Double, nullable=False, index=True),
)


class SchemaError(RuntimeError):
    """A database that this version cannot use."""


def upgrade(engine: Engine) -> None:
    """Bring a database up to the newest schema; of several processes at once, one does it.

    SQLite needs no lock of its own: the transaction has the file from its beginning.
    """
    config = Config()
    config.set_main_option("script_location", str(MIGRATIONS).replace("%", "%%"))
    with engine.connect().execution_options(writes=True) as connection, connection.begin():
        if connection.dialect.name == "postgresql":
            connection.execute(select(func.pg_advisory_xact_lock(UPGRADING)))
        config.attributes["connection"] = connection
        try:
            command.upgrade(config, "head")
        except CommandError as error:
            raise SchemaError(
                f"the database was made by another version of ultimo ({error}): update ultimo, or use another"
            ) from error
