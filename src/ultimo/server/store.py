"""What the server keeps: the logs of the tables, what lists show of them, and the people."""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Callable, Collection, Coroutine, Iterable, Mapping, Sequence
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
    update,
)
from sqlalchemy.exc import IntegrityError

from ultimo.events import Seat
from ultimo.server import figures, payloads
from ultimo.server.database import Database, insert_or_change
from ultimo.server.figures import Figure
from ultimo.server.ratings import Attempt, Rating, Standing, first_ones, rated, standing
from ultimo.server.schema import (
    attempt,
    event,
    figure,
    game,
    game_player,
    player,
    presence,
    progress,
    puzzle_rating,
    review,
    session,
    sheet,
    tournament,
)
from ultimo.table.facts import NOBODY, BotSeated, Fact, PlayerId, SeatLeft, SeatTaken, TableOpened, forget
from ultimo.table.scene import Moment
from ultimo.table.settings import Settings, rules_of

TableId: TypeAlias = str
P = ParamSpec("P")
T = TypeVar("T")

LOBBY = 2 * 3600.0  # seconds after which a table at which nothing happens leaves the lobby
LISTED = 200  # tables in a list at most
REREAD = 40  # reviews that are looked at for mistakes
WRONG = ("mistake", "blunder")  # grades of a review that are worth a second look
GONE = 60.0  # seconds after which nobody believes that somebody is still connected
ENDED = -1  # the value of a run in which an answer was wrong

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
)
WRITE = insert(event)
TOUCH = update(game).where(game.c.id == bindparam("table")).values(updated_at=bindparam("updated_at"))


class UnknownTable(LookupError):
    """There is no such table."""

    def __init__(self, table: TableId) -> None:
        super().__init__(f"there is no table {table}")
        self.table = table


class Conflict(Exception):
    """The log has gone on, or the command has been applied: read on, and decide again."""


class Player(Struct, frozen=True):
    """A person."""

    id: PlayerId
    name: str
    guest: bool
    language: str


class Row(Struct, frozen=True):
    """A fact in its log."""

    seq: int
    fact: Fact
    at: float


class Summary(Struct, frozen=True):
    """What lists show of a table: names and kinds by seat, and the totals of all seats after each deal."""

    moment: Moment
    number: int  # of the deal
    names: tuple[str, ...]  # "" where the seat is open
    kinds: tuple[str, ...]  # person, bot, open
    series: tuple[tuple[int, ...], ...]
    people: tuple[tuple[PlayerId, Seat], ...]


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

    # --- the log ---------------------------------------------------------------------------------------

    @writes
    def create(self, connection: Connection, facts: Sequence[Fact], at: float, summary: Summary) -> None:
        """Begin the log of a table."""
        opened = facts[0]
        assert isinstance(opened, TableOpened)
        values = {
            "id": opened.table,
            "settings": _json(opened.settings),
            "title": rules_of(opened.settings).title,
            "host": opened.host,
            "public": opened.settings.public,
            "created_at": at,
        }
        connection.execute(insert(game).values(**values, **_listed(summary, at)))
        _note_people(connection, opened.table, dict(summary.people))
        connection.execute(insert(event), _rows(opened.table, 0, facts, at, None))

    @writes
    def append(
        self,
        connection: Connection,
        table: TableId,
        after: int,
        facts: Sequence[Fact],
        at: float,
        cmd: str | None = None,
        summary: Summary | None = None,
        speaker: PlayerId | None = None,
        figured: Sequence[Figure] = (),
        taken_back: int | None = None,
    ) -> None:
        """Write facts behind the one that the writer has seen last, or raise `Conflict`.

        A summary is given where it has changed, a speaker who has not been at this table before, and the
        figures of a deal that these facts end. A deal of which they take something back has none.
        """
        try:
            connection.execute(WRITE, _rows(table, after, facts, at, cmd))
        except IntegrityError as error:
            raise Conflict from error
        if summary is None:
            connection.execute(TOUCH, {"table": table, "updated_at": at})
        else:
            connection.execute(update(game).where(game.c.id == table).values(**_listed(summary, at)))
        people: dict[PlayerId, Seat | None] = {} if speaker is None else {speaker: None}
        _note_people(connection, table, people | dict(summary.people if summary is not None else ()))
        if taken_back is not None:
            figures.drop(connection, table, taken_back)
        figures.note(connection, table, at, figured)

    @reads
    def read(self, connection: Connection, table: TableId, after: int = 0) -> list[Row]:
        """The log behind a sequence number; of an unknown table it is empty."""
        query = select(event.c.seq, event.c.body, event.c.at).order_by(event.c.seq)
        query = query.where(event.c.table_id == asked_for(table), event.c.seq > after)
        return [Row(seq, FACT.decode(body), at) for seq, body, at in connection.execute(query)]

    @reads
    def applied(self, connection: Connection, table: TableId, cmd: str) -> int | None:
        """Where in the log a command has been applied."""
        query = select(event.c.seq).where(event.c.table_id == table, event.c.cmd_id == cmd)
        return connection.execute(query).scalar_one_or_none()

    @reads
    def lengths(self, connection: Connection, tables: Collection[TableId]) -> dict[TableId, int]:
        """How long the logs of these tables are."""
        query = select(event.c.table_id, func.max(event.c.seq)).where(event.c.table_id.in_(tables))
        return dict(map(tuple, connection.execute(query.group_by(event.c.table_id))))

    # --- lists -----------------------------------------------------------------------------------------

    @reads
    def game(self, connection: Connection, table: TableId) -> Game | None:
        """A table."""
        row = connection.execute(select(game).where(game.c.id == asked_for(table))).mappings().one_or_none()
        return None if row is None else _game(row)

    @reads
    def lobby(self, connection: Connection, now: float) -> list[Game]:
        """The public tables that are open or being played, the liveliest first."""
        query = select(game).where(game.c.public, game.c.moment != "over", game.c.updated_at > now - LOBBY)
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

        A run counts from its first question on and ends with a wrong answer; an answer out of turn changes
        nothing. Somebody has one run of a trainer at a time. The longest is remembered.
        """
        begun, item = f"run/{trainer}/", f"run/{trainer}/{run}"
        own = (progress.c.player_id == player_id) & progress.c.item.startswith(begun, autoescape=True)
        connection.execute(delete(progress).where(own, progress.c.item != item))
        before: int | None = connection.execute(select(progress.c.value).where(own)).scalar_one_or_none()
        if n != (before or 0):
            return max(before or 0, 0)
        _better(connection, player_id, f"trainer/{trainer}", n + right, at)
        kept = {"value": n + 1 if right else ENDED, "at": at}
        statement = insert_or_change(connection, progress).values(player_id=player_id, item=item, **kept)
        connection.execute(statement.on_conflict_do_update(index_elements=["player_id", "item"], set_=kept))
        return n + 1 if right else 0

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
        self, connection: Connection, player_id: PlayerId, puzzle: str, made: Rating, solved: bool, at: float
    ) -> tuple[Standing, Standing] | None:
        """Note an attempt at a puzzle, `made` being what it is rated if nobody has tried it.

        What somebody's attempts came to before and after; None if they have tried it already.
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
        _, hard = rated(before.rating, rating, solved)
        kept = {"mu": hard.mu, "sigma": hard.sigma, "tried": 1 if row is None else row["tried"] + 1}
        statement = insert_or_change(connection, puzzle_rating).values(puzzle_id=puzzle, **kept)
        connection.execute(statement.on_conflict_do_update(index_elements=["puzzle_id"], set_=kept))
        return before, before.after(new)

    # --- presence --------------------------------------------------------------------------------------

    @writes
    def be_present(
        self, connection: Connection, node: str, people: Iterable[tuple[TableId, PlayerId]], now: float
    ) -> None:
        """Say who is connected to this process, instead of what it has said before."""
        old = (presence.c.node == node) | (presence.c.seen_at < now - GONE)
        connection.execute(delete(presence).where(old))
        rows = [
            {"table_id": table, "player_id": player_id, "node": node, "seen_at": now}
            for table, player_id in people
        ]
        if rows:
            connection.execute(insert(presence), rows)

    @reads
    def present(
        self, connection: Connection, tables: Collection[TableId], node: str, since: float
    ) -> dict[TableId, frozenset[PlayerId]]:
        """Who is connected to other processes."""
        there = presence.c
        query = select(there.table_id, there.player_id)
        query = query.where(there.table_id.in_(tables), there.node != node, there.seen_at > since)
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
        """Begin a session; those that have expired go."""
        connection.execute(delete(session).where(session.c.expires_at < now))
        values = {"token_hash": token_hash, "player_id": player_id}
        connection.execute(insert(session).values(**values, created_at=now, expires_at=expires))
        connection.execute(update(player).where(player.c.id == player_id).values(seen_at=now))

    @writes
    def extend_session(self, connection: Connection, token_hash: str, now: float, expires: float) -> None:
        """Let a session last longer, for its player is here."""
        mine = session.c.token_hash == token_hash
        connection.execute(update(session).where(mine).values(expires_at=expires))
        owner = select(session.c.player_id).where(mine).scalar_subquery()
        connection.execute(update(player).where(player.c.id == owner).values(seen_at=now))

    @writes
    def end_session(self, connection: Connection, token_hash: str) -> None:
        """End a session."""
        connection.execute(delete(session).where(session.c.token_hash == token_hash))

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
    ) -> bool:
        """Give somebody another name or language, None leaves it; whether an account's name was free."""
        given = {"name": name, "language": language, "name_key": name_key}
        values = {key: value for key, value in given.items() if value is not None}
        try:
            if values:
                await self._change(player.c.id == player_id, values)
        except IntegrityError:
            return False
        return True

    @reads
    def account(self, connection: Connection, name_key: str) -> tuple[Player, str] | None:
        """The account that a name is found by, and its hashed password."""
        row = connection.execute(select(player).where(player.c.name_key == name_key)).mappings().one_or_none()
        return None if row is None else (_person(row), row["password"])

    async def make_account(self, player_id: PlayerId, name: str, name_key: str, password: str) -> bool:
        """Make an account of a guest; whether the name was free and there is such a guest."""
        values = {"name": name, "name_key": name_key, "password": password, "guest": False}
        try:
            return await self._change((player.c.id == player_id) & player.c.guest, values) == 1
        except IntegrityError:
            return False

    async def rehash(self, player_id: PlayerId, password: str) -> None:
        """Keep the password in a newer hash."""
        await self._change(player.c.id == player_id, {"password": password})

    @writes
    def _change(self, connection: Connection, who: ColumnElement[bool], values: Mapping[str, Any]) -> int:
        """Change what is known of people; of how many."""
        return connection.execute(update(player).where(who).values(**values)).rowcount

    # --- one person under several ids ------------------------------------------------------------------

    @writes
    def merge(self, connection: Connection, guest: PlayerId, account: PlayerId) -> None:
        """Let a guest, and whoever has been merged into the guest, be the same person as an account.

        The logs go on speaking of the guest's id. The guest's sessions end.
        """
        if guest == account:
            return
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

    async def forget(self, player_id: PlayerId) -> list[TableId]:
        """Delete what there is about a person; the tables out of whose logs name and words are gone."""
        ids, tables = await self._traces(player_id)
        for table in tables:
            await self._forget_at(table, ids)
        await self._forget_person(ids)
        return tables

    @reads
    def _traces(self, connection: Connection, player_id: PlayerId) -> tuple[list[PlayerId], list[TableId]]:
        """All ids of a person, and the tables at which they have been."""
        ids = all_ids(connection, player_id)
        query = select(game_player.c.game_id).where(game_player.c.player_id.in_(ids)).distinct()
        return ids, list(connection.execute(query).scalars())

    @writes
    def _forget_at(self, connection: Connection, table: TableId, ids: Sequence[PlayerId]) -> None:
        """Take a person's name and words out of the log of one table, and out of its lines in lists."""
        query = select(event.c.seq, event.c.body).where(event.c.table_id == table).order_by(event.c.seq)
        log = [(seq, body, FACT.decode(body)) for seq, body in connection.execute(query)]
        taken = [fact for _, _, fact in log if isinstance(fact, SeatTaken)]
        seats = {one: frozenset(fact.seat for fact in taken if fact.player == one) for one in ids}
        for seq, body, fact in log:
            for player_id in ids:
                fact = forget(fact, player_id, seats[player_id])
            forgotten = _json(fact)
            if forgotten != body:
                where = (event.c.table_id == table) & (event.c.seq == seq)
                connection.execute(update(event).where(where).values(body=forgotten))
        names = connection.execute(select(game.c.names).where(game.c.id == table)).scalar_one()
        shown = list(TEXTS.decode(names))
        holders = {
            fact.seat: fact.player if isinstance(fact, SeatTaken) else None
            for _, _, fact in log
            if isinstance(fact, SeatTaken | BotSeated | SeatLeft)
        }
        for seat, holder in holders.items():
            shown[seat] = NOBODY if holder in ids else shown[seat]
        connection.execute(update(game).where(game.c.id == table).values(names=_json(shown)))

    @writes
    def _forget_person(self, connection: Connection, ids: Sequence[PlayerId]) -> None:
        """Delete the rows that are about a person alone."""
        for table in (session, game_player, presence, figure, progress, attempt):
            connection.execute(delete(table).where(table.c.player_id.in_(ids)))
        connection.execute(delete(sheet).where(sheet.c.host.in_(ids), sheet.c.club_id.is_(None)))
        own = tournament.c.host.in_(ids) & (tournament.c.club == "")
        connection.execute(delete(tournament).where(own))
        connection.execute(delete(player).where(player.c.id.in_(ids)))


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


def asked_for(table: TableId) -> str:
    """The id in an address, which anybody can write: PostgreSQL cannot even look for a NUL."""
    return table.replace("\0", "\N{REPLACEMENT CHARACTER}")


def _note_people(connection: Connection, table: TableId, people: Mapping[PlayerId, Seat | None]) -> None:
    """Note who has been at a table; a seat is not forgotten when its player only speaks later."""
    if not people:
        return
    statement = insert_or_change(connection, game_player)
    seat = func.coalesce(statement.excluded.seat, game_player.c.seat)
    statement = statement.on_conflict_do_update(index_elements=["game_id", "player_id"], set_={"seat": seat})
    rows = [{"game_id": table, "player_id": one, "seat": seat} for one, seat in people.items()]
    connection.execute(statement, rows)


# --- values and rows -----------------------------------------------------------------------------------


def _json(value: object) -> str:
    return msgspec.json.encode(value).decode()


def _rows(
    table: TableId, after: int, facts: Sequence[Fact], at: float, cmd: str | None
) -> list[dict[str, Any]]:
    """Facts as rows; the first carries the command."""
    return [
        {
            "table_id": table,
            "seq": after + place,
            "kind": type(fact).__name__,
            "body": _json(fact),
            "cmd_id": cmd if place == 1 else None,
            "at": at,
        }
        for place, fact in enumerate(facts, 1)
    ]


def _listed(summary: Summary, at: float) -> dict[str, Any]:
    shown = {name: _json(getattr(summary, name)) for name in ("names", "kinds", "series")}
    return {"moment": summary.moment, "number": summary.number, "updated_at": at} | shown


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
        seat=row.get("seat"),
    )


def _person(row: RowMapping) -> Player:
    return Player(row["id"], row["name"], row["guest"], row["language"])
