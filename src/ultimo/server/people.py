"""People and their sessions in the database."""

from __future__ import annotations

from collections.abc import Sequence
from typing import TypeAlias

from msgspec import Struct
from sqlalchemy import Connection, RowMapping, delete, insert, or_, select, update
from sqlalchemy.exc import IntegrityError

from ultimo.server.database import Database
from ultimo.server.schema import game_player, player, session

PlayerId: TypeAlias = str


class Player(Struct, frozen=True):
    """A person."""

    id: PlayerId
    name: str
    guest: bool
    language: str


class People:
    """Who there is. Sessions go by the hash of their token, times are seconds since 1970."""

    def __init__(self, database: Database) -> None:
        self._database = database

    # --- sessions --------------------------------------------------------------------------------------

    async def player_of(self, token_hash: str, now: float) -> tuple[Player, float] | None:
        """Whose session it is, and when it ends."""

        def job(connection: Connection) -> tuple[Player, float] | None:
            query = select(player, session.c.expires_at).join(session)
            query = query.where(session.c.token_hash == token_hash, session.c.expires_at > now)
            row = connection.execute(query).mappings().one_or_none()
            return None if row is None else (_person(row), row["expires_at"])

        return await self._database.read(job)

    async def add_session(self, token_hash: str, player_id: PlayerId, now: float, expires: float) -> None:
        """Begin a session; those that have expired go."""

        def job(connection: Connection) -> None:
            connection.execute(delete(session).where(session.c.expires_at < now))
            values = {"token_hash": token_hash, "player_id": player_id}
            connection.execute(insert(session).values(**values, created_at=now, expires_at=expires))
            connection.execute(update(player).where(player.c.id == player_id).values(seen_at=now))

        await self._database.write(job)

    async def extend_session(self, token_hash: str, now: float, expires: float) -> None:
        """Let a session last longer, for its player is here."""

        def job(connection: Connection) -> None:
            mine = session.c.token_hash == token_hash
            connection.execute(update(session).where(mine).values(expires_at=expires))
            owner = select(session.c.player_id).where(mine).scalar_subquery()
            connection.execute(update(player).where(player.c.id == owner).values(seen_at=now))

        await self._database.write(job)

    async def end_session(self, token_hash: str) -> None:
        """End a session."""
        await self._database.write(
            lambda connection: connection.execute(
                delete(session).where(session.c.token_hash == token_hash)
            ).close()
        )

    # --- players ---------------------------------------------------------------------------------------

    async def add_guest(self, guest: Player, now: float) -> None:
        """Somebody new."""
        values = {"id": guest.id, "name": guest.name, "guest": guest.guest, "language": guest.language}
        statement = insert(player).values(**values, created_at=now, seen_at=now)
        await self._database.write(lambda connection: connection.execute(statement).close())

    async def change_player(
        self,
        player_id: PlayerId,
        name: str | None = None,
        language: str | None = None,
        name_key: str | None = None,
    ) -> bool:
        """Give somebody another name or language, None leaves it; whether an account's name was free."""
        given = {"name": name, "language": language, "name_key": name_key}
        values = {key: value for key, value in given.items() if value is not None}
        statement = update(player).where(player.c.id == player_id).values(**values)
        try:
            if values:
                await self._database.write(lambda connection: connection.execute(statement).close())
        except IntegrityError:
            return False
        return True

    async def account(self, name_key: str) -> tuple[Player, str] | None:
        """The account that a name is found by, and its hashed password."""

        def job(connection: Connection) -> tuple[Player, str] | None:
            query = select(player).where(player.c.name_key == name_key)
            row = connection.execute(query).mappings().one_or_none()
            return None if row is None else (_person(row), row["password"])

        return await self._database.read(job)

    async def make_account(self, player_id: PlayerId, name: str, name_key: str, password: str) -> bool:
        """Make an account of a guest; whether the name was free and there is such a guest."""

        def job(connection: Connection) -> bool:
            guest = (player.c.id == player_id) & player.c.guest
            values = {"name": name, "name_key": name_key, "password": password, "guest": False}
            return connection.execute(update(player).where(guest).values(**values)).rowcount == 1

        try:
            return await self._database.write(job)
        except IntegrityError:
            return False

    async def rehash(self, player_id: PlayerId, password: str) -> None:
        """Keep the password in a newer hash."""
        statement = update(player).where(player.c.id == player_id).values(password=password)
        await self._database.write(lambda connection: connection.execute(statement).close())

    # --- one person under several ids ------------------------------------------------------------------

    async def merge(self, guest: PlayerId, account: PlayerId) -> None:
        """Let a guest, and whoever has been merged into the guest, be the same person as an account.

        The logs go on speaking of the guest's id. The guest's sessions end.
        """

        def job(connection: Connection) -> None:
            same = or_(player.c.id == guest, player.c.merged_into == guest)
            connection.execute(update(player).where(same, player.c.guest).values(merged_into=account))
            connection.execute(delete(session).where(session.c.player_id == guest))

        if guest != account:
            await self._database.write(job)

    async def known_as(self, table: str, player_id: PlayerId) -> PlayerId:
        """The id under which a person sits at a table, or else has spoken there, or else his own."""

        def job(connection: Connection) -> PlayerId:
            here = game_player.c
            query = select(here.player_id).where(
                here.game_id == table, here.player_id.in_(all_ids(connection, player_id))
            )
            query = query.order_by(here.seat.is_(None), here.player_id != player_id)
            return connection.execute(query).scalars().first() or player_id

        return await self._database.read(job)


def all_ids(connection: Connection, player_id: PlayerId) -> Sequence[PlayerId]:
    """All ids of a person, the given one first."""
    merged = connection.execute(select(player.c.id).where(player.c.merged_into == player_id))
    return [player_id, *merged.scalars()]


def _person(row: RowMapping) -> Player:
    return Player(row["id"], row["name"], row["guest"], row["language"])
