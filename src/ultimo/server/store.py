"""What the server keeps: the logs of the tables, what lists show of them, and the people."""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Callable, Collection, Coroutine, Iterable, Mapping, Sequence
from contextlib import suppress
from functools import wraps
from typing import Any, Concatenate, ParamSpec, TypeAlias, TypeVar

import msgspec
from msgspec import Struct
from msgspec.structs import asdict
from sqlalchemy import (
    ColumnElement,
    Connection,
    RowMapping,
    bindparam,
    delete,
    func,
    insert,
    or_,
    select,
    text,
    update,
)
from sqlalchemy.exc import IntegrityError

from ultimo.answers import payloads
from ultimo.answers.ratings import Attempt, Rating, Standing, first_ones, rated, standing
from ultimo.answers.school import longest_item, run_after, run_item
from ultimo.events import Seat
from ultimo.server import figures
from ultimo.server.appending import (
    KEPT,
    Append,
    Conflict,
    Deleted,
    Opening,
    TableId,
    append_all,
    begin,
    encoded,
    listed_as,
    must_be_there,
    note_people,
    opened_as,
    rows_of,
)
from ultimo.server.database import Check, Database, among, clock_of, insert_or_change, no_limit
from ultimo.server.figures import Figure
from ultimo.server.leases import Lease
from ultimo.server.schema import (
    IN_LOBBY,
    OPEN,
    attempt,
    device,
    event,
    figure,
    game,
    game_player,
    lookalike,
    noted,
    player,
    presence,
    program,
    progress,
    puzzle_rating,
    quota,
    review,
    session,
    sheet,
    tournament,
)
from ultimo.table.facts import (
    NOBODY,
    BotSeated,
    Fact,
    PersonDeleted,
    PlayerId,
    SeatLeft,
    SeatTaken,
    SeatTakenAway,
    TableOpened,
    forget,
)
from ultimo.table.pages import Row, Summary
from ultimo.table.scene import RECKONING, Moment
from ultimo.table.settings import Settings

P = ParamSpec("P")
T = TypeVar("T")

LOBBY = 2 * 3600.0  # seconds after which a table at which nothing happens leaves the lobby
LISTED = 200  # tables in a list at most
REREAD = 40  # reviews that are looked at for mistakes
WRONG = ("mistake", "blunder")  # grades of a review that are worth a second look
GONE = 60.0  # seconds after which nobody believes that somebody is still connected
DEVICES = 20  # browsers of an account that are remembered
TRIES = 20  # conflicts in a row
UNDER_WAY = 3600.0  # seconds after which nothing can be under way in the name of somebody who is deleted

# Made once, before any thread needs them: msgspec crashes where several threads are the first to use a type.
FACT = msgspec.json.Decoder(Fact)
SETTINGS = msgspec.json.Decoder(Settings)
TEXTS = msgspec.json.Decoder(tuple[str, ...])
SERIES = msgspec.json.Decoder(tuple[tuple[int, ...], ...])

# What is asked and done at every move, put together once.
WHOSE = (
    select(player, session.c.expires_at)
    .join(session)
    .where(session.c.token_hash == bindparam("token"), session.c.expires_at > bindparam("now"))
    .where(player.c.deleted_at.is_(None))
)


class Player(Struct, frozen=True):
    """A person."""

    id: PlayerId
    name: str
    guest: bool
    language: str


class Forgotten(Struct, frozen=True):
    """What was deleted: a person under all their ids, at which tables, and their sessions by their hashes."""

    ids: list[PlayerId]
    tables: list[TableId]
    sessions: list[str]


class Game(Struct, frozen=True):
    """A table in a list."""

    id: TableId
    settings: Settings
    moment: Moment
    number: int
    names: tuple[str, ...]
    kinds: tuple[str, ...]
    series: tuple[tuple[int, ...], ...]
    at: float  # of the last fact
    kept: bool  # whether its log is still there
    device: str  # its id on the device where it was played, if it comes from one
    seat: Seat | None = None  # of the player whose history it is


class Mistakes(Struct, frozen=True):
    """A deal in which somebody made mistakes that the solver proves."""

    table: TableId
    deal: int
    rules: str
    number: int


class Judgement(Struct, frozen=True):
    """What is read of a decision in a review."""

    seat: Seat
    grade: str
    proven: bool = False


class Reviewed(Struct, frozen=True):
    """What is read of a review."""

    decisions: tuple[Judgement, ...]

    def mistakes(self, seat: Seat) -> int:
        """How many decisions of a seat are proved to be mistakes, or worse."""
        return sum(one.seat == seat and one.proven and one.grade in WRONG for one in self.decisions)


REVIEWED = msgspec.json.Decoder(Reviewed)

Job: TypeAlias = Callable[Concatenate["Store", Connection, P], T]
Method: TypeAlias = Callable[Concatenate["Store", P], Coroutine[Any, Any, T]]


def reads(job: Job[P, T]) -> Method[P, T]:
    """A method that only reads: it is run in a thread, with a connection in a transaction."""

    @wraps(job)
    async def method(self: Store, /, *args: P.args, **kwargs: P.kwargs) -> T:
        return await self.database.read(lambda connection: job(self, connection, *args, **kwargs))

    return method


def writes(job: Job[P, T]) -> Method[P, T]:
    """A method that writes, which is safe once it returns; else as one that reads."""

    @wraps(job)
    async def method(self: Store, /, *args: P.args, **kwargs: P.kwargs) -> T:
        return await self.database.write(lambda connection: job(self, connection, *args, **kwargs))

    return method


class Store:
    """The database as the server uses it.

    Sessions go by the hash of their token, times are seconds since 1970.
    """

    def __init__(self, database: Database) -> None:
        self.database = database

    @reads
    def check(self, connection: Connection) -> None:
        """Ask the database something; raises when it cannot be reached."""
        connection.execute(select(1))

    @reads
    def time(self, connection: Connection) -> float:
        """The time by the clock of the database."""
        return float(connection.execute(select(clock_of(connection))).scalar_one())

    # --- the log ---------------------------------------------------------------------------------------

    @writes
    def create(
        self,
        connection: Connection,
        facts: Sequence[Fact],
        at: float,
        summary: Summary,
        allow: Check = no_limit,
    ) -> None:
        """Begin the log of a table, if that is allowed."""
        begin(connection, Opening(tuple(facts), summary, allow), at)

    async def append(
        self,
        table: TableId,
        after: int,
        facts: Sequence[Fact],
        at: float,
        cmd: str | None = None,
        summary: Summary | None = None,
        speaker: PlayerId | None = None,
        figured: Sequence[Figure] = (),
        taken_back: int | None = None,
        lease: Lease | None = None,
        opening: Opening | None = None,
        by: PlayerId | None = None,
        token: str | None = None,
        allow: Check = no_limit,
    ) -> None:
        """Write facts behind the one that the writer has seen last, or raise `Conflict`.

        What is to be written only under a lease raises `LeaseLost` when that is not held. What somebody who
        is deleted has wished for is not written, nor what comes from a session that has ended: `Deleted`.
        """
        given = cmd, summary, speaker, figured, taken_back, lease, opening, by, token, allow
        await self.database.write_together(append_all, Append(table, after, facts, at, *given), table)

    @reads
    def read(self, connection: Connection, table: TableId, after: int = 0) -> list[Row]:
        """The log behind a sequence number; of an unknown table, or one whose log is deleted, it is empty."""
        query = select(event.c.seq, event.c.body, event.c.at).join(game).order_by(event.c.seq)
        query = query.where(event.c.table_id == asked_for(table), event.c.seq > after, game.c.log == KEPT)
        return [Row(seq, FACT.decode(body), at) for seq, body, at in connection.execute(query)]

    @reads
    def applied(self, connection: Connection, table: TableId, sender: PlayerId, cmd: str) -> int | None:
        """Where in the log a command of somebody's has been applied."""
        query = select(event.c.seq).where(event.c.table_id == table, event.c.cmd_id == bound(sender, cmd))
        return connection.execute(query).scalar_one_or_none()

    @reads
    def lengths(self, connection: Connection, tables: Collection[TableId]) -> dict[TableId, int]:
        """How long the logs of these tables are."""
        last = select(func.max(event.c.seq)).where(event.c.table_id == game.c.id).scalar_subquery()
        query = select(game.c.id, func.coalesce(last, 0)).where(among(connection, game.c.id, tables))
        return dict(map(tuple, connection.execute(query)))

    # --- lists -----------------------------------------------------------------------------------------

    @reads
    def game(self, connection: Connection, table: TableId) -> Game | None:
        """A table."""
        row = connection.execute(select(game).where(game.c.id == asked_for(table))).mappings().one_or_none()
        return None if row is None else _game(row)

    @reads
    def lobby(self, connection: Connection, now: float) -> list[Game]:
        """The public tables that are open or being played, the liveliest first."""
        query = select(game).where(text(IN_LOBBY), game.c.updated_at > now - LOBBY)
        query = query.order_by(game.c.updated_at.desc()).limit(LISTED)
        return [_game(row) for row in connection.execute(query).mappings()]

    @reads
    def history(self, connection: Connection, player_id: PlayerId) -> list[Game]:
        """The tables at which somebody has sat, the last first."""
        query = select(game, game_player.c.seat).join(game_player)
        mine = game_player.c.player_id.in_(all_ids(connection, player_id))
        query = query.where(mine, game_player.c.seat.is_not(None))
        query = query.order_by(game.c.updated_at.desc()).limit(LISTED)
        return [_game(row) for row in connection.execute(query).mappings()]

    @reads
    def figures(
        self, connection: Connection, player_id: PlayerId, since: float, language: str
    ) -> payloads.Figures:
        """What somebody has won and lost, and how much of it since a time."""
        return figures.sums(connection, all_ids(connection, player_id), since, language)

    # --- sessions from devices ---------------------------------------------------------------------------

    @reads
    def brought(self, connection: Connection, tables: Collection[TableId]) -> TableId | None:
        """Which of these tables is there: a session that somebody has brought under one of their ids."""
        query = select(game.c.id).where(game.c.id.in_(tables), game.c.device_log.is_not(None))
        return connection.execute(query).scalars().first()

    @writes
    def bring(
        self, connection: Connection, log: str, rows: Sequence[Row], summary: Summary, length: int
    ) -> None:
        """Keep a session from a device, whose log there is so long, unless as much of it is there already.

        For lists it is over, as it is not played here; and it has no figures. May raise `Conflict`.
        """
        opened = rows[0].fact
        assert isinstance(opened, TableOpened)
        must_be_there(connection, opened.host)
        here = game.c.id == opened.table
        found = select(game.c.device_seq, game.c.log).where(here).with_for_update()
        old = connection.execute(found).one_or_none()
        if old is not None and (old.device_seq >= length or old.log != KEPT):
            return
        values = listed_as(summary, rows[-1].at) | {"moment": "over", "device_log": log, "device_seq": length}
        if old is None:
            try:
                connection.execute(insert(game).values(**opened_as(opened, rows[0].at), **values))
            except IntegrityError as error:
                raise Conflict from error
        else:
            connection.execute(update(game).where(here).values(**values))
            connection.execute(delete(event).where(event.c.table_id == opened.table))
        note_people(connection, [(opened.table, dict(summary.people))])
        written = (
            one for row in rows for one in rows_of(opened.table, row.seq - 1, [row.fact], row.at, None)
        )
        connection.execute(insert(event), list(written))

    @writes
    def drop_brought(self, connection: Connection, table: TableId, player_id: PlayerId) -> bool:
        """Delete a session that somebody has brought from a device; whether there was one."""
        mine = game.c.host.in_(all_ids(connection, player_id)) & game.c.device_log.is_not(None)
        return connection.execute(delete(game).where(game.c.id == asked_for(table), mine)).rowcount == 1

    # --- reviews ---------------------------------------------------------------------------------------

    @reads
    def review(
        self, connection: Connection, table: TableId, deal: int, version: int, digest: str
    ) -> bytes | None:
        """The review of a deal, if it was made by this version and of just this."""
        query = select(review.c.body).where(review.c.table_id == table, review.c.deal == deal)
        query = query.where(review.c.version == version, review.c.digest == digest)
        body: str | None = connection.execute(query).scalar_one_or_none()
        return None if body is None else body.encode()

    @writes
    def keep_review(
        self,
        connection: Connection,
        table: TableId,
        deal: int,
        version: int,
        digest: str,
        body: bytes,
        at: float,
    ) -> None:
        """Keep the review of a deal, instead of an older one."""
        kept = {"version": version, "digest": digest, "body": body.decode(), "at": at}
        statement = insert_or_change(connection, review).values(table_id=table, deal=deal, **kept)
        connection.execute(statement.on_conflict_do_update(index_elements=["table_id", "deal"], set_=kept))

    # --- progress --------------------------------------------------------------------------------------

    @reads
    def progress(self, connection: Connection, player_id: PlayerId) -> dict[str, int]:
        """What somebody has done at the school, under all their ids; the better of two values counts."""
        mine = progress.c.player_id.in_(all_ids(connection, player_id))
        query = select(progress.c.item, func.max(progress.c.value)).where(mine).group_by(progress.c.item)
        return dict(map(tuple, connection.execute(query)))

    @writes
    def done(self, connection: Connection, player_id: PlayerId, item: str, at: float, value: int = 1) -> None:
        """Remember that somebody has done something, unless they have done it better before."""
        _better(connection, player_id, item, value, at)

    @writes
    def answered(
        self,
        connection: Connection,
        player_id: PlayerId,
        trainer: str,
        run: str,
        n: int,
        right: bool,
        at: float,
    ) -> int:
        """How many answers of a trainer's run are right, one after the other, after the one to question `n`.

        Somebody has one run of a trainer at a time. The longest is remembered.
        """
        begun, item = run_item(trainer), run_item(trainer, run)
        own = (progress.c.player_id == player_id) & progress.c.item.startswith(begun, autoescape=True)
        connection.execute(delete(progress).where(own, progress.c.item != item))
        before = connection.execute(select(progress.c.value).where(own)).scalar_one_or_none() or 0
        after = run_after(before, n, right)
        if after != before:
            _better(connection, player_id, longest_item(trainer), after, at)
            kept = {"value": after, "at": at}
            statement = insert_or_change(connection, progress).values(player_id=player_id, item=item, **kept)
            connection.execute(
                statement.on_conflict_do_update(index_elements=["player_id", "item"], set_=kept)
            )
        return max(after, 0)

    @reads
    def mistakes(self, connection: Connection, player_id: PlayerId) -> list[Mistakes]:
        """Of somebody's last reviewed deals those in which the solver proves mistakes of theirs."""
        query = select(review.c.table_id, review.c.deal, review.c.body, review.c.at, game, game_player.c.seat)
        query = query.join(game, game.c.id == review.c.table_id).join(game_player)
        mine = game_player.c.player_id.in_(all_ids(connection, player_id))
        query = query.where(mine, game_player.c.seat.is_not(None)).order_by(review.c.at.desc()).limit(REREAD)
        found = []
        for row in connection.execute(query).mappings():
            number = REVIEWED.decode(row["body"]).mistakes(row["seat"])
            if number:
                settings = SETTINGS.decode(row["settings"])
                found.append(Mistakes(row["table_id"], row["deal"], settings.rules, number))
        return found

    # --- puzzles ---------------------------------------------------------------------------------------

    @reads
    def attempts(self, connection: Connection, player_id: PlayerId) -> list[Attempt]:
        """The puzzles that somebody has tried, under any of their ids, the first attempt at each."""
        return first_ones(_attempts(connection, player_id))

    @reads
    def puzzle_ratings(self, connection: Connection, puzzles: Collection[str]) -> dict[str, Rating]:
        """What puzzles are rated by those who have tried them."""
        rows = connection.execute(select(puzzle_rating).where(puzzle_rating.c.puzzle_id.in_(puzzles)))
        return {row["puzzle_id"]: Rating(row["mu"], row["sigma"]) for row in rows.mappings()}

    @writes
    def note_attempt(
        self,
        connection: Connection,
        player_id: PlayerId,
        puzzle: str,
        made: Rating,
        solved: bool,
        at: float,
        rates: bool = True,
    ) -> tuple[Standing, Standing] | None:
        """Note an attempt at a puzzle, `made` being what it is rated if nobody has tried it.

        What somebody's attempts came to before and after; None if they have tried it already. If it `rates`,
        the rating of the puzzle changes too.
        """
        earlier = first_ones(_attempts(connection, player_id))
        if any(one.puzzle == puzzle for one in earlier):
            return None
        query = select(puzzle_rating).where(puzzle_rating.c.puzzle_id == puzzle)
        row = connection.execute(query).mappings().one_or_none()
        rating = made if row is None else Rating(row["mu"], row["sigma"])
        new = Attempt(puzzle, at, solved, rating)
        values = {"at": at, "solved": solved, "mu": rating.mu, "sigma": rating.sigma}
        first = insert_or_change(connection, attempt).values(player_id=player_id, puzzle_id=puzzle, **values)
        if connection.execute(first.on_conflict_do_nothing()).rowcount != 1:
            return None
        before = standing(earlier)
        if rates:
            _, hard = rated(before.rating, rating, solved)
            kept = {"mu": hard.mu, "sigma": hard.sigma, "tried": 1 if row is None else row["tried"] + 1}
            statement = insert_or_change(connection, puzzle_rating).values(puzzle_id=puzzle, **kept)
            connection.execute(statement.on_conflict_do_update(index_elements=["puzzle_id"], set_=kept))
        return before, before.after(new)

    # --- presence --------------------------------------------------------------------------------------

    @writes
    def be_present(
        self, connection: Connection, node: str, people: Iterable[tuple[TableId, PlayerId]]
    ) -> None:
        """Say who is connected to this process, instead of what it has said before."""
        now = clock_of(connection)
        old = (presence.c.node == node) | (presence.c.seen_at < now - GONE)
        connection.execute(delete(presence).where(old))
        rows = [{"table_id": table, "player_id": one, "node": node} for table, one in people]
        if rows:
            connection.execute(insert(presence).values(seen_at=now), rows)

    @reads
    def present(
        self, connection: Connection, tables: Collection[TableId], node: str, within: float
    ) -> dict[TableId, frozenset[PlayerId]]:
        """Who has been connected to other processes within so many seconds."""
        there = presence.c
        query = select(there.table_id, there.player_id)
        query = query.where(among(connection, there.table_id, tables), there.node != node)
        query = query.where(there.seen_at > clock_of(connection) - within)
        found: dict[TableId, set[PlayerId]] = defaultdict(set)
        for table, player_id in connection.execute(query):
            found[table].add(player_id)
        return {table: frozenset(people) for table, people in found.items()}

    # --- sessions --------------------------------------------------------------------------------------

    @reads
    def player_of(self, connection: Connection, token_hash: str, now: float) -> tuple[Player, float] | None:
        """Whose session it is, and when it ends."""
        row = connection.execute(WHOSE, {"token": token_hash, "now": now}).mappings().one_or_none()
        return None if row is None else (_person(row), row["expires_at"])

    @writes
    def add_session(
        self, connection: Connection, token_hash: str, player_id: PlayerId, now: float, expires: float
    ) -> None:
        """Begin a session. Of somebody who is deleted: `Deleted`."""
        there = (player.c.id == player_id) & player.c.deleted_at.is_(None)
        if connection.execute(update(player).where(there).values(seen_at=now)).rowcount != 1:
            raise Deleted
        values = {"token_hash": token_hash, "player_id": player_id}
        connection.execute(insert(session).values(**values, created_at=now, expires_at=expires))

    @writes
    def extend_session(self, connection: Connection, token_hash: str, now: float, expires: float) -> None:
        """Let a session last longer, for its player is here."""
        mine = session.c.token_hash == token_hash
        connection.execute(update(session).where(mine).values(expires_at=expires))
        owner = select(session.c.player_id).where(mine).scalar_subquery()
        connection.execute(update(player).where(player.c.id == owner).values(seen_at=now))

    @writes
    def end_sessions(
        self,
        connection: Connection,
        player_id: PlayerId,
        but: Collection[str] = (),
        password: str | None = None,
    ) -> list[str]:
        """End the sessions of a person, but for some, and remember no browser; the hashes of those ended.

        With a hashed password it becomes the account's, in the same moment.
        """
        if password is not None:
            connection.execute(update(player).where(player.c.id == player_id).values(password=password))
        mine = (session.c.player_id == player_id) & session.c.token_hash.not_in(but)
        ended = list(connection.execute(select(session.c.token_hash).where(mine)).scalars())
        connection.execute(delete(session).where(session.c.token_hash.in_(ended)))
        connection.execute(delete(device).where(device.c.player_id == player_id))
        return ended

    @writes
    def end_session(self, connection: Connection, token_hash: str) -> None:
        """End a session."""
        connection.execute(delete(session).where(session.c.token_hash == token_hash))

    # --- devices ---------------------------------------------------------------------------------------

    @writes
    def remember_device(
        self, connection: Connection, player_id: PlayerId, token_hash: str, old: str | None, now: float
    ) -> None:
        """Remember that a browser has logged in to an account, instead of what it had before."""
        must_be_there(connection, player_id)
        connection.execute(delete(device).where(device.c.token_hash == old, device.c.player_id == player_id))
        connection.execute(insert(device).values(token_hash=token_hash, player_id=player_id, at=now))
        mine = device.c.player_id == player_id
        kept = select(device.c.token_hash).where(mine).order_by(device.c.at.desc()).limit(DEVICES)
        last = list(connection.execute(kept).scalars())
        connection.execute(delete(device).where(mine, device.c.token_hash.not_in(last)))

    @reads
    def knows_device(self, connection: Connection, token_hash: str, name_key: str) -> bool:
        """Whether a browser has logged in to the account of this name before."""
        query = select(device.c.token_hash).join(player)
        query = query.where(device.c.token_hash == token_hash, player.c.name_key == name_key)
        return connection.execute(query).first() is not None

    # --- people ----------------------------------------------------------------------------------------

    @writes
    def add_guest(self, connection: Connection, guest: Player, now: float) -> None:
        """Somebody new."""
        connection.execute(insert(player).values(**asdict(guest), created_at=now, seen_at=now))

    async def change_player(
        self,
        player_id: PlayerId,
        name: str | None = None,
        language: str | None = None,
        name_key: str | None = None,
        looks: Collection[str] = (),
    ) -> bool:
        """Give somebody another name or language, None leaves it; whether an account's name was free.

        `looks` are the skeletons of an account's new name.
        """
        given = {"name": name, "language": language, "name_key": name_key}
        values = {key: value for key, value in given.items() if value is not None}
        try:
            if values:
                await self._change(player.c.id == player_id, values, player_id, looks)
        except IntegrityError:
            return False
        return True

    @reads
    def looks_like(self, connection: Connection, looks: Collection[str], player_id: PlayerId) -> bool:
        """Whether somebody else has an account whose name has one of these skeletons."""
        query = select(lookalike.c.player_id).where(lookalike.c.skeleton.in_(looks))
        return connection.execute(query.where(lookalike.c.player_id != player_id)).first() is not None

    @reads
    def account(self, connection: Connection, name_key: str) -> tuple[Player, str] | None:
        """The account that a name is found by, and its hashed password."""
        row = connection.execute(select(player).where(player.c.name_key == name_key)).mappings().one_or_none()
        return None if row is None else (_person(row), row["password"])

    async def make_account(
        self, player_id: PlayerId, name: str, name_key: str, password: str, looks: Collection[str] = ()
    ) -> bool:
        """Make an account of a guest; whether the name was free and there is such a guest."""
        values = {"name": name, "name_key": name_key, "password": password, "guest": False}
        guest = (player.c.id == player_id) & player.c.guest & player.c.deleted_at.is_(None)
        try:
            return await self._change(guest, values, player_id, looks) == 1
        except IntegrityError:
            return False

    async def rehash(self, player_id: PlayerId, password: str) -> None:
        """Keep the password in a newer hash."""
        await self._change(player.c.id == player_id, {"password": password})

    @reads
    def password(self, connection: Connection, player_id: PlayerId) -> str | None:
        """The hashed password of an account."""
        return connection.execute(
            select(player.c.password).where(player.c.id == player_id)
        ).scalar_one_or_none()

    @writes
    def _change(
        self,
        connection: Connection,
        who: ColumnElement[bool],
        values: Mapping[str, Any],
        owner: PlayerId = "",
        looks: Collection[str] = (),
    ) -> int:
        """Change what is known of people; of how many. The skeletons of an account's name are its own."""
        changed = connection.execute(update(player).where(who).values(**values)).rowcount
        if changed and looks:
            connection.execute(delete(lookalike).where(lookalike.c.player_id == owner))
            rows = [{"skeleton": one, "player_id": owner} for one in looks]
            connection.execute(insert(lookalike), rows)
        return changed

    # --- one person under several ids ------------------------------------------------------------------

    @writes
    def merge(self, connection: Connection, guest: PlayerId, account: PlayerId) -> None:
        """Let a guest, and whoever has been merged into the guest, be the same person as an account.

        The logs go on speaking of the guest's id. The guest's sessions end. Of an account that is deleted:
        `Deleted`.
        """
        if guest == account:
            return
        must_be_there(connection, account)
        same = or_(player.c.id == guest, player.c.merged_into == guest)
        connection.execute(update(player).where(same, player.c.guest).values(merged_into=account))
        connection.execute(delete(session).where(session.c.player_id == guest))

    @reads
    def known_as(self, connection: Connection, table: TableId, player_id: PlayerId) -> PlayerId:
        """The id under which a person sits at a table, or else has spoken there, or else their own."""
        here, ids = game_player.c, all_ids(connection, player_id)
        query = select(here.player_id).where(here.game_id == table, here.player_id.in_(ids))
        query = query.order_by(here.seat.is_(None), here.player_id != player_id)
        return connection.execute(query).scalars().first() or player_id

    # --- forgetting ------------------------------------------------------------------------------------

    async def forget(self, player_id: PlayerId, now: float = 0.0) -> Forgotten:
        """Delete what there is about a person, and say where it was.

        From the first step on nothing more is written in their name: only the id stays, with the time. A
        server that dies before all is `finished` goes on when it is started again.
        """
        ids, sessions = await self._begin_to_forget(player_id, now)
        tables = await self._traces(ids)
        for table in tables:
            await self._forget_at(table, ids, now)
        await self._forget_person(ids)
        return Forgotten(ids, tables, sessions)

    @reads
    def unfinished(self, connection: Connection) -> list[PlayerId]:
        """The people whose data is not all deleted yet."""
        begun = player.c.deleted_at.is_not(None) & player.c.erased_at.is_(None)
        return list(connection.execute(select(player.c.id).where(begun)).scalars())

    @writes
    def finished(self, connection: Connection, ids: Collection[PlayerId], now: float) -> None:
        """Note that all is deleted of a person; the rows of those of whom it was long ago go too."""
        connection.execute(delete(player).where(player.c.erased_at < now - UNDER_WAY))
        connection.execute(delete(noted).where(noted.c.player_id.in_(ids)))
        connection.execute(update(player).where(player.c.id.in_(ids)).values(erased_at=now))

    @writes
    def _begin_to_forget(
        self, connection: Connection, player_id: PlayerId, now: float
    ) -> tuple[list[PlayerId], list[str]]:
        """Leave nothing in the people's own rows, and end their sessions: all ids, and the sessions."""
        mine = or_(player.c.id == player_id, player.c.merged_into == player_id)
        ids = list(connection.execute(select(player.c.id).where(mine).with_for_update()).scalars())
        since = func.coalesce(player.c.deleted_at, now)
        nothing: dict[str, Any] = {"name": NOBODY, "name_key": None, "password": None, "language": "en"}
        connection.execute(update(player).where(player.c.id.in_(ids)).values(**nothing, deleted_at=since))
        ended = select(session.c.token_hash).where(session.c.player_id.in_(ids))
        sessions = list(connection.execute(ended).scalars())
        for table in (session, device, lookalike):
            connection.execute(delete(table).where(table.c.player_id.in_(ids)))
        return ids or [player_id], sessions

    @reads
    def _traces(self, connection: Connection, ids: Collection[PlayerId]) -> list[TableId]:
        """The tables at which a person has been."""
        query = select(game_player.c.game_id).where(game_player.c.player_id.in_(ids)).distinct()
        return list(connection.execute(query).scalars())

    async def _forget_at(self, table: TableId, ids: Collection[PlayerId], now: float) -> None:
        """Take a person's name and words out of one table; while others write there, once more."""
        for _ in range(TRIES):
            with suppress(Conflict):
                await self._rewrite(table, ids, now)
                return
        raise Conflict

    @writes
    def _rewrite(self, connection: Connection, table: TableId, ids: Collection[PlayerId], now: float) -> None:
        """Take a person's name and words out of the log of one table, and out of its lines in lists.

        The last fact says so. Whoever still has the old log, and would write behind it, gets a conflict and
        reads it anew: so the name does not come back out of the memory of any process.
        """
        query = select(event.c.seq, event.c.body).where(event.c.table_id == table).order_by(event.c.seq)
        log = [(seq, body, FACT.decode(body)) for seq, body in connection.execute(query)]
        for (seq, body, _), left in zip(log, forget((fact for _, _, fact in log), ids), strict=True):
            forgotten = encoded(left)
            if forgotten != body:
                where = (event.c.table_id == table) & (event.c.seq == seq)
                connection.execute(update(event).where(where).values(body=forgotten))
        try:
            connection.execute(insert(event), rows_of(table, len(log), [PersonDeleted()], now, None))
        except IntegrityError as error:
            raise Conflict from error
        names = connection.execute(select(game.c.names).where(game.c.id == table)).scalar_one()
        shown = list(TEXTS.decode(names))
        holders = {
            fact.seat: fact.player if isinstance(fact, SeatTaken) else None
            for _, _, fact in log
            if isinstance(fact, SeatTaken | BotSeated | SeatLeft | SeatTakenAway)
        }
        for seat, holder in holders.items():
            shown[seat] = NOBODY if holder in ids else shown[seat]
        connection.execute(update(game).where(game.c.id == table).values(names=encoded(shown)))

    @writes
    def _forget_person(self, connection: Connection, ids: Sequence[PlayerId]) -> None:
        """Delete the rows that are about a person alone, and the tokens of programs at their tables."""
        been = select(game_player.c.game_id).where(game_player.c.player_id.in_(ids))
        hosted = select(game.c.id).where(game.c.id.in_(been), game.c.host.in_(ids))
        connection.execute(delete(program).where(program.c.table_id.in_(hosted)))
        alone = list(connection.execute(hosted.where(game.c.device_log.is_not(None))).scalars())
        connection.execute(delete(game).where(game.c.id.in_(alone)))
        for table in (game_player, presence, figure, progress, attempt):
            connection.execute(delete(table).where(table.c.player_id.in_(ids)))
        connection.execute(delete(quota).where(quota.c.who.in_(ids)))
        connection.execute(delete(sheet).where(sheet.c.host.in_(ids), sheet.c.club_id.is_(None)))
        own = tournament.c.host.in_(ids) & (tournament.c.club == "")
        connection.execute(delete(tournament).where(own))


def open_tables(connection: Connection, player_id: PlayerId, now: float) -> list[Settings]:
    """The agreements of the tables that somebody has opened and at which something happens still."""
    ids = all_ids(connection, player_id)
    query = select(game.c.settings).where(game.c.host.in_(ids), text(OPEN))
    query = query.where(game.c.updated_at > now - LOBBY)
    return [SETTINGS.decode(agreed) for agreed in connection.execute(query).scalars()]


def seated_experts(connection: Connection, player_id: PlayerId, now: float, most: int) -> int:
    """How many seats experts and masters have at the tables that somebody has open.

    Bots of a level are seated among the first `most` facts of a table: before its first deal.
    """
    hosted = select(game.c.id).where(game.c.host.in_(all_ids(connection, player_id)), text(OPEN))
    kinds = [kind.__name__ for kind in (BotSeated, SeatLeft)]
    query = select(event.c.table_id, event.c.body).order_by(event.c.table_id, event.c.seq)
    query = query.where(event.c.table_id.in_(hosted.where(game.c.updated_at > now - LOBBY)))
    levels: dict[tuple[TableId, Seat], str] = {}
    for table, body in connection.execute(query.where(event.c.kind.in_(kinds), event.c.seq <= most)):
        fact = FACT.decode(body)
        levels[table, fact.seat] = fact.level if isinstance(fact, BotSeated) else ""
    return sum(level in RECKONING for level in levels.values())


def all_ids(connection: Connection, player_id: PlayerId) -> list[PlayerId]:
    """All ids of a person, the given one first."""
    merged = connection.execute(select(player.c.id).where(player.c.merged_into == player_id))
    return [player_id, *merged.scalars()]


def _better(connection: Connection, player_id: PlayerId, item: str, value: int, at: float) -> None:
    """Write down a value unless there is one as good; nothing is no value."""
    if value <= 0:
        return
    statement = insert_or_change(connection, progress)
    statement = statement.on_conflict_do_update(
        index_elements=["player_id", "item"],
        set_={"value": statement.excluded.value, "at": statement.excluded.at},
        where=progress.c.value < statement.excluded.value,
    )
    connection.execute(statement, {"player_id": player_id, "item": item, "value": value, "at": at})


def _attempts(connection: Connection, player_id: PlayerId) -> list[Attempt]:
    """All attempts of a person at puzzles."""
    rows = connection.execute(select(attempt).where(attempt.c.player_id.in_(all_ids(connection, player_id))))
    return [
        Attempt(row["puzzle_id"], row["at"], row["solved"], Rating(row["mu"], row["sigma"]))
        for row in rows.mappings()
    ]


def bound(sender: PlayerId, cmd: str) -> str:
    """A command's id as it is stored: bound to its sender, so that nobody can answer for another's.

    No command has a colon in its id. What was written before ids were bound has none here either.
    """
    return f"{sender}:{cmd}"


def asked_for(table: TableId) -> str:
    """The id in an address, which anybody can write: PostgreSQL cannot even look for a NUL."""
    return table.replace("\0", "\N{REPLACEMENT CHARACTER}")


# --- values and rows -----------------------------------------------------------------------------------


def _game(row: RowMapping) -> Game:
    return Game(
        id=row["id"],
        settings=SETTINGS.decode(row["settings"]),
        moment=row["moment"],
        number=row["number"],
        names=TEXTS.decode(row["names"]),
        kinds=TEXTS.decode(row["kinds"]),
        series=SERIES.decode(row["series"]),
        at=row["updated_at"],
        kept=row["log"] == KEPT,
        device=row["device_log"] or "",
        seat=row.get("seat"),
    )


def _person(row: RowMapping) -> Player:
    return Player(row["id"], row["name"], row["guest"], row["language"])
