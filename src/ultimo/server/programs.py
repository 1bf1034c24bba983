"""Programs at the tables of the server: a token for a seat, and what that seat sees, event by event.

The host of a table gives a seat to a program and gets a token for it, once; the database has only its hash.
With it the program connects to the socket of that table and of no other, as somebody who has that seat: it
is sent what the seat sees, in the events of a record, and may do what concerns its seat. Where it is away or
too slow, a bot stands in for it as for everybody. `ultimo sit` is the other end.
"""

from __future__ import annotations

import secrets
from typing import Final

import msgspec
from msgspec import Struct
from sqlalchemy import Connection, insert, select
from starlette.requests import HTTPConnection, Request
from starlette.responses import Response

from ultimo import rulebook, series
from ultimo.answers.cleaning import clean_name
from ultimo.answers.payloads import ProgramSeated, SeatProgram
from ultimo.answers.refusing import Refusal
from ultimo.events import Event, IllegalAction, Seat
from ultimo.server import logs, schema
from ultimo.server.accounts import hashed
from ultimo.server.appending import TableId
from ultimo.server.database import Database
from ultimo.server.house import house, known
from ultimo.server.http import asked, language, told
from ultimo.server.naming import PROGRAM
from ultimo.server.store import Player
from ultimo.table import Live, decide
from ultimo.table import messages as m
from ultimo.table.scene import Moment
from ultimo.table.showing import fair_shown, teller_of

FORBIDDEN: Final = 4403  # the code with which a socket is closed
SCHEME: Final = "Bearer "
MAY: Final = (m.Act, m.Ready, m.TakeBack, m.Commit, m.Reveal)  # what a program may wish


class Before(Struct, frozen=True, omit_defaults=True):
    """How things stood as a deal began."""

    rules: str
    house: dict[str, object]
    seat: Seat
    names: tuple[str, ...]
    totals: tuple[int, ...]
    dealer: Seat
    out: Seat | None = None
    king: int = 0
    pagat: int = 0
    deals: int = 0
    digest: str = ""  # of the rules


class Told(Struct, frozen=True, kw_only=True, tag_field="type", tag="told", omit_defaults=True):
    """What a program is sent: events from number `start` of the deal on, and what is asked of it."""

    seq: int
    moment: Moment
    start: int = 0
    events: tuple[Event, ...] = ()
    before: Before | None = None  # with the first of them
    turn: bool = False  # the deal waits for this seat
    unready: bool = False  # the next deal waits for it
    replaced: bool = False  # a bot stands in for it, until it takes the seat back
    commit: int = 0  # to a secret for the attempt at a draw that has this number
    reveal: int = 0  # the secret for that attempt


# --- tokens --------------------------------------------------------------------------------------------


async def seat_program(request: Request) -> Response:
    """Give a seat to a program: whoever may seat a bot there may do so."""
    here, session, wish = house(request), await known(request), await asked(request, SeatProgram)
    table = request.path_params["table"]
    game = await here.store.game(table)
    if game is None:
        raise Refusal(404, "unknownTable")
    if game.device:
        raise Refusal(409, "playedOnDevice")
    live = await here.keeper.look(table)
    host = await here.store.known_as(table, session.player.id)
    name = f"{clean_name(wish.name.removesuffix(PROGRAM))}{PROGRAM}"
    program = Player(f"program-{secrets.token_urlsafe(9)}", name, True, session.player.language)
    token = secrets.token_urlsafe(32)
    try:
        decide(live, host, session.player.name, m.SeatBot(wish.seat, "club"))
        await here.keeper.do(table, program, secrets.token_hex(8), m.Sit(wish.seat))
    except IllegalAction as error:
        reason = teller_of(live, language(request)).refusal(error)
        raise Refusal(409, "told", "seat", error.cite, reason=reason) from None
    await _keep(here.store.database, token, table, program, here.clock())
    logs.logger().info("program seated", table=table, player=program.id)
    return told(ProgramSeated(token, wish.seat, name), 201)


async def _keep(database: Database, token: str, table: TableId, program: Player, at: float) -> None:
    row = {"token_hash": hashed(token), "table_id": table, "player_id": program.id, "name": program.name}

    def job(connection: Connection) -> None:
        connection.execute(insert(schema.program).values(**row, created_at=at))

    await database.write(job)


async def program_of(connection: HTTPConnection, table: TableId) -> Player | None:
    """Whose token a connection has, if it has one; a token for anything but this table is refused."""
    header = connection.headers.get("authorization", "")
    if not header.startswith(SCHEME):
        return None
    wanted = select(schema.program.c.player_id, schema.program.c.name).where(
        schema.program.c.token_hash == hashed(header.removeprefix(SCHEME)), schema.program.c.table_id == table
    )
    found = await house(connection).store.database.read(lambda reading: reading.execute(wanted).one_or_none())
    if found is None:
        raise Refusal(FORBIDDEN, "noToken")
    return Player(found.player_id, found.name, True, language(connection))


# --- what it is sent -----------------------------------------------------------------------------------


class Ears:
    """What a program has been told of a table, and what comes next."""

    def __init__(self, player: Player) -> None:
        self._player = player.id
        self._before: series.State | None = None  # of the deal that is told
        self._state: series.State | None = None  # after what has been told
        self._number = 0  # of events that have been told
        self._last: Told | None = None

    def hear(self, live: Live) -> bytes:
        """The next message; nothing if there is nothing new."""
        seat = live.seat_of(self._player)
        if seat is None:
            raise Refusal(FORBIDDEN, "noToken")
        began = live.before is not self._before or len(live.events) < self._number
        if began:
            self._before = self._state = live.before
            self._number = 0
        start, events = self._number, self._seen(live, seat)
        shown = fair_shown(live, self._player)
        wanted = {shown.wanted: shown.number} if shown is not None and shown.wanted else {}
        message = Told(
            seq=live.seq,
            moment=live.moment,
            start=start,
            events=events,
            before=_before(live, seat) if began and events else None,
            turn=seat in live.waiting_for,
            unready=live.moment == "between" and live.number > 0 and not live.seats[seat].ready,
            replaced=live.seats[seat].stand_in,
            commit=wanted.get("commit", 0),
            reveal=wanted.get("reveal", 0),
        )
        if not events and self._last is not None and _asks(message) == _asks(self._last):
            return b""
        self._last = message
        return msgspec.json.encode(message)

    def _seen(self, live: Live, seat: Seat) -> tuple[Event, ...]:
        if self._state is None:  # what is staked before the first deal is known when that begins
            return ()
        found = []
        for event in live.events[self._number :]:
            found.append(series.seen_by(live.rules, self._state, seat, event))
            self._state = series.evolve(live.rules, self._state, event)
        self._number = len(live.events)
        return tuple(found)


def _asks(message: Told) -> tuple[object, ...]:
    waits = message.turn, message.unready, message.replaced
    return message.moment, waits, message.commit, message.reveal


def _before(live: Live, seat: Seat) -> Before:
    stood = live.views_before[seat]
    return Before(
        rules=live.settings.rules,
        house=live.settings.house,
        seat=seat,
        names=stood.names,
        totals=stood.totals,
        dealer=stood.dealer,
        out=stood.out,
        king=stood.king,
        pagat=stood.pagat,
        deals=stood.deals,
        digest=rulebook.digest(live.rules),
    )
