"""The tables of the database, and bringing a database up to them.

The log of the tables (`event`) is the truth. What `game` and `game_player` say of a table follows from it and
is there for lists, what `figure` says of a deal for the figures of people; `review` keeps what takes long to
work out, `presence` says who is connected just now, and `lease` which process drives a table: all three may
be lost. `progress` is what people have done at the school, `attempt` has the puzzles that they have tried,
`puzzle_rating` what that says of the puzzles. The log of the score sheets is `sheet_fact`; what `sheet` says
follows from it, but for a pen that is being handed over. The log of the clubs is `club_fact`; `club` and
`club_member` follow from it, but for the epoch, which counts how often a name was taken out of the log. A
sheet may belong to a club. `quota` says how much of what a person or an address has used today, and nothing
of days before.

Of a person whose data is deleted, `player` has only the id and the times for a while, in which nothing more
is written in their name. `noted` says who has written notes on which score sheets and tournaments.
`lookalike` has the forms by which the names of accounts are compared, `device` the browsers that have logged
in to an account before. `program` has the tokens by which programs sit at tables, hashed.

What comes from a device has a `device_log`; its id here follows from that and the person.
"""

from __future__ import annotations

from pathlib import Path
from typing import Any

import sqlalchemy as sa
from alembic import command
from alembic.config import Config
from alembic.migration import MigrationContext
from alembic.script import ScriptDirectory
from alembic.util import CommandError
from sqlalchemy.types import TypeEngine

MIGRATIONS = Path(__file__).parent / "migrations"
WORDS = sa.text("kind = 'ChatSaid'")  # events in which the words of people stand
GOING = sa.text("log = 'going'")  # tables whose logs are being deleted
WORDLESS = "ChatGone"  # the kind of those whose words are deleted
UPGRADING = 78  # the key of the lock under which one process at a time upgrades a database

metadata = sa.MetaData(
    naming_convention={
        "pk": "pk_%(table_name)s",
        "fk": "fk_%(table_name)s_%(column_0_N_name)s",
        "uq": "uq_%(table_name)s_%(column_0_N_name)s",
        "ix": "ix_%(table_name)s_%(column_0_N_name)s",
    }
)


def _given(kind: type[TypeEngine[Any]], *names: str) -> list[sa.Column[Any]]:
    """Columns that are never empty."""
    return [sa.Column(name, kind, nullable=False) for name in names]


# What a table must be for the partial indexes of `game`. Queries say just the same: a database uses such an
# index only where it can see beforehand that it fits, and of a value that is sent along it cannot.
OPEN = "moment <> 'over'"
IN_LOBBY = f"public IS TRUE AND {OPEN}"

player = sa.Table(
    "player",
    metadata,
    sa.Column("id", sa.Text, primary_key=True),
    *_given(sa.Text, "name", "language"),
    sa.Column("name_key", sa.Text, unique=True),  # of accounts: what a name is found by
    sa.Column("password", sa.Text),  # hashed
    *_given(sa.Boolean, "guest"),
    sa.Column("merged_into", sa.Text, index=True),  # the account of somebody who was a guest before
    *_given(sa.Double, "created_at", "seen_at"),
    sa.Column("deleted_at", sa.Double, index=True),  # since when the data is being deleted
    sa.Column("erased_at", sa.Double, index=True),  # when all of it was
)

lookalike = sa.Table(
    "lookalike",
    metadata,
    sa.Column("skeleton", sa.Text, primary_key=True),  # names that look alike have one in common
    sa.Column("player_id", sa.ForeignKey("player.id", ondelete="CASCADE"), nullable=False, index=True),
)

device = sa.Table(
    "device",
    metadata,
    sa.Column("token_hash", sa.Text, primary_key=True),
    sa.Column("player_id", sa.ForeignKey("player.id", ondelete="CASCADE"), nullable=False, index=True),
    sa.Column("at", sa.Double, nullable=False),  # of the last log-in
)

noted = sa.Table(
    "noted",
    metadata,
    sa.Column("log_id", sa.Text, primary_key=True),  # of a score sheet or a tournament
    sa.Column("player_id", sa.Text, primary_key=True, index=True),
)

session = sa.Table(
    "session",
    metadata,
    sa.Column("token_hash", sa.Text, primary_key=True),
    sa.Column("player_id", sa.ForeignKey("player.id", ondelete="CASCADE"), nullable=False, index=True),
    sa.Column("created_at", sa.Double, nullable=False),
    sa.Column("expires_at", sa.Double, nullable=False, index=True),
)

game = sa.Table(
    "game",
    metadata,
    sa.Column("id", sa.Text, primary_key=True),
    *_given(sa.Text, "settings", "title", "host"),
    *_given(sa.Boolean, "public"),
    *_given(sa.Text, "moment", "names", "kinds", "series"),
    *_given(sa.Integer, "number"),
    *_given(sa.Double, "created_at", "updated_at"),
    sa.Column("log", sa.Text, nullable=False, default="kept"),  # going: being deleted; gone: deleted
    sa.Column("device_log", sa.Text),  # of a session from a device: its id there
    sa.Column("device_seq", sa.Integer),  # and how long it was
    sa.Index(None, "moment", "updated_at"),
    sa.Index("ix_game_going", "id", sqlite_where=GOING, postgresql_where=GOING),
    sa.Index(
        "ix_game_lobby", "updated_at", sqlite_where=sa.text(IN_LOBBY), postgresql_where=sa.text(IN_LOBBY)
    ),
    sa.Index(
        "ix_game_open", "host", "updated_at", sqlite_where=sa.text(OPEN), postgresql_where=sa.text(OPEN)
    ),
)

game_player = sa.Table(
    "game_player",
    metadata,
    sa.Column("game_id", sa.ForeignKey("game.id", ondelete="CASCADE"), primary_key=True),
    sa.Column("player_id", sa.Text, primary_key=True, index=True),
    sa.Column("seat", sa.Integer),  # the last that the person had; none of somebody who only spoke
)

event = sa.Table(
    "event",
    metadata,
    sa.Column("table_id", sa.ForeignKey("game.id", ondelete="CASCADE"), primary_key=True),
    sa.Column("seq", sa.Integer, primary_key=True, autoincrement=False),
    *_given(sa.Text, "kind", "body"),
    sa.Column("cmd_id", sa.Text),
    *_given(sa.Double, "at"),
    sa.UniqueConstraint("table_id", "cmd_id"),
    sa.Index("ix_event_words", "at", sqlite_where=WORDS, postgresql_where=WORDS),
)

figure = sa.Table(
    "figure",
    metadata,
    sa.Column("table_id", sa.ForeignKey("game.id", ondelete="CASCADE"), primary_key=True),
    sa.Column("deal", sa.Integer, primary_key=True, autoincrement=False),
    sa.Column("player_id", sa.Text, primary_key=True),
    *_given(sa.Double, "at"),
    *_given(sa.Text, "rules", "bid"),
    *_given(sa.Integer, "size", "points", "share", "played", "made"),
    *_given(sa.Integer, "ultimos", "baguds", "nolos", "slams", "lasts"),
    sa.Column("uncounted", sa.Text, nullable=False, server_default=""),  # why the deal does not count
    sa.Index(None, "player_id", "at"),
)

review = sa.Table(
    "review",
    metadata,
    sa.Column("table_id", sa.ForeignKey("game.id", ondelete="CASCADE"), primary_key=True),
    sa.Column("deal", sa.Integer, primary_key=True, autoincrement=False),
    *_given(sa.Integer, "version"),
    *_given(sa.Text, "digest", "body"),  # of what was reviewed; no name is in either
    *_given(sa.Double, "at"),
)

progress = sa.Table(
    "progress",
    metadata,
    sa.Column("player_id", sa.Text, primary_key=True),
    sa.Column("item", sa.Text, primary_key=True),  # lesson/whip-sums/0, first/danish, trainer/declarations
    *_given(sa.Integer, "value"),  # the more, the better
    *_given(sa.Double, "at"),
)

attempt = sa.Table(
    "attempt",
    metadata,
    sa.Column("player_id", sa.Text, primary_key=True),
    sa.Column("puzzle_id", sa.Text, primary_key=True),
    *_given(sa.Double, "at"),
    *_given(sa.Boolean, "solved"),
    *_given(sa.Double, "mu", "sigma"),  # of the puzzle before
)

puzzle_rating = sa.Table(
    "puzzle_rating",
    metadata,
    sa.Column("puzzle_id", sa.Text, primary_key=True),
    *_given(sa.Double, "mu", "sigma"),
    *_given(sa.Integer, "tried"),
)

presence = sa.Table(
    "presence",
    metadata,
    *(sa.Column(name, sa.Text, primary_key=True) for name in ("table_id", "player_id", "node")),
    sa.Column("seen_at", sa.Double, nullable=False, index=True),
    sa.Index(None, "node"),
)

quota = sa.Table(
    "quota",
    metadata,
    *(sa.Column(name, sa.Text, primary_key=True) for name in ("who", "what")),  # a person or an address
    sa.Column("day", sa.Integer, primary_key=True, autoincrement=False, index=True),  # since 1970
    sa.Column("used", sa.BigInteger, nullable=False),
)

lease = sa.Table(
    "lease",
    metadata,
    sa.Column("table_id", sa.ForeignKey("game.id", ondelete="CASCADE"), primary_key=True),
    *_given(sa.Text, "node"),
    *_given(sa.Integer, "fence"),  # grows whenever another process takes over
    *_given(sa.Double, "until"),
)

program = sa.Table(
    "program",
    metadata,
    sa.Column("token_hash", sa.Text, primary_key=True),
    sa.Column("table_id", sa.ForeignKey("game.id", ondelete="CASCADE"), nullable=False, index=True),
    *_given(sa.Text, "player_id", "name"),
    *_given(sa.Double, "created_at"),
)

sheet = sa.Table(
    "sheet",
    metadata,
    sa.Column("id", sa.Text, primary_key=True),
    sa.Column("host", sa.Text, nullable=False, index=True),
    sa.Column("pen", sa.Text, nullable=False, index=True),
    *_given(sa.Text, "rules", "names"),
    *_given(sa.Integer, "deals"),
    *_given(sa.Boolean, "closed"),
    sa.Column("handing", sa.Text),  # the hash of the secret that takes the pen, once
    *_given(sa.Double, "handing_until", "created_at", "updated_at"),
    sa.Column("club_id", sa.Text, index=True),
    sa.Column("device_log", sa.Text),  # of a sheet from a device: its id there
)

sheet_fact = sa.Table(
    "sheet_fact",
    metadata,
    sa.Column("sheet_id", sa.ForeignKey("sheet.id", ondelete="CASCADE"), primary_key=True),
    sa.Column("seq", sa.Integer, primary_key=True, autoincrement=False),
    sa.Column("cmd_id", sa.Text),
    *_given(sa.Text, "body"),
    *_given(sa.Double, "at"),
    sa.UniqueConstraint("sheet_id", "cmd_id"),
)

club = sa.Table(
    "club",
    metadata,
    sa.Column("id", sa.Text, primary_key=True),
    *_given(sa.Text, "name"),
    *_given(sa.Integer, "members", "epoch"),
    *_given(sa.Double, "created_at", "updated_at"),
)

club_fact = sa.Table(
    "club_fact",
    metadata,
    sa.Column("club_id", sa.ForeignKey("club.id", ondelete="CASCADE"), primary_key=True),
    sa.Column("seq", sa.Integer, primary_key=True, autoincrement=False),
    sa.Column("cmd_id", sa.Text),
    *_given(sa.Text, "body"),
    *_given(sa.Double, "at"),
    sa.UniqueConstraint("club_id", "cmd_id"),
)

club_member = sa.Table(
    "club_member",
    metadata,
    sa.Column("club_id", sa.ForeignKey("club.id", ondelete="CASCADE"), primary_key=True),
    sa.Column("member_id", sa.Text, primary_key=True),
    sa.Column("player_id", sa.Text, nullable=False, index=True),  # members with an account alone
    *_given(sa.Text, "role"),
)

club_invitation = sa.Table(
    "club_invitation",
    metadata,
    sa.Column("hash", sa.Text, primary_key=True),  # of the secret
    sa.Column("club_id", sa.ForeignKey("club.id", ondelete="CASCADE"), nullable=False, index=True),
    *_given(sa.Text, "member_id", "role"),
    sa.Column("until", sa.Double, nullable=False, index=True),
    *_given(sa.Integer, "uses"),
)

tournament = sa.Table(
    "tournament",
    metadata,
    sa.Column("id", sa.Text, primary_key=True),
    sa.Column("host", sa.Text, nullable=False, index=True),
    sa.Column("club", sa.Text, nullable=False, index=True),  # empty where a person holds it
    *_given(sa.Text, "name", "rules", "kind"),
    *_given(sa.Integer, "people"),
    *_given(sa.Boolean, "public", "closed"),
    sa.Column("inviting", sa.Text),  # the hash of the secret that makes scorers
    *_given(sa.Double, "inviting_until", "created_at", "updated_at"),
)

tournament_fact = sa.Table(
    "tournament_fact",
    metadata,
    sa.Column("tournament_id", sa.ForeignKey("tournament.id", ondelete="CASCADE"), primary_key=True),
    sa.Column("seq", sa.Integer, primary_key=True, autoincrement=False),
    sa.Column("cmd_id", sa.Text),
    *_given(sa.Text, "body"),
    *_given(sa.Double, "at"),
    sa.UniqueConstraint("tournament_id", "cmd_id"),
)


class SchemaError(RuntimeError):
    """A database that this version cannot use."""


def upgrade(engine: sa.Engine, to: str = "head") -> None:
    """Bring a database up to the newest schema, or to another; of several processes at once, one does it."""
    with engine.connect().execution_options(upgrades=True) as connection, connection.begin():
        alone(connection)
        migrate(connection, to)


def alone(connection: sa.Connection) -> None:
    """Wait until no other process changes the schema; none does before the transaction ends.

    SQLite needs no lock of its own: the transaction has the file from its beginning.
    """
    if connection.dialect.name == "postgresql":
        connection.execute(sa.text("SET LOCAL statement_timeout = 0"))  # it takes as long as it takes
        connection.execute(sa.text("SET LOCAL idle_in_transaction_session_timeout = '60s'"))
        connection.execute(sa.select(sa.func.pg_advisory_xact_lock(UPGRADING)))


def migrate(connection: sa.Connection, revision: str = "head") -> None:
    """Bring a database up to a revision of the schema, inside the transaction of whoever asks."""
    config = _migrations()
    config.attributes["connection"] = connection
    try:
        command.upgrade(config, revision)
    except CommandError as error:
        raise SchemaError(
            f"the database was made by another version of ultimo ({error}): update ultimo, or use another"
        ) from error


def revision_of(connection: sa.Connection) -> str | None:
    """The revision of a database; none if it has no schema of ours."""
    return MigrationContext.configure(connection).get_current_revision()


def is_known(revision: str) -> bool:
    """Whether this version of the program knows a revision of the schema."""
    scripts = ScriptDirectory.from_config(_migrations())
    return revision in {script.revision for script in scripts.walk_revisions()}


def _migrations() -> Config:
    config = Config()
    config.set_main_option("script_location", str(MIGRATIONS).replace("%", "%%"))
    return config
