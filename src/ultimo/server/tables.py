"""The requests that are about tables: the lobby, opening one, its rules, and what remains of its deals."""

from __future__ import annotations

import time

from sqlalchemy import Connection
from starlette.requests import HTTPConnection, Request
from starlette.responses import Response

from ultimo.answers import tables
from ultimo.answers.payloads import NewTable, PlayAgain, TableMade
from ultimo.answers.refusing import Refusal, number
from ultimo.server.database import Check, one_by_one
from ultimo.server.house import answered, beginning, house, known, was_read, worked_out
from ultimo.server.http import asked, language, told
from ultimo.server.keeper import MOST_IDLE
from ultimo.server.security import address
from ultimo.server.settings import Config
from ultimo.server.store import Game, open_tables, seated_experts
from ultimo.table import Fact, Settings
from ultimo.table.facts import PlayerId
from ultimo.table.settings import experts, is_for_bots

# --- finding and opening -------------------------------------------------------------------------------


async def lobby(request: Request) -> Response:
    """The public tables."""
    here, tongue = house(request), language(request)
    games = await here.store.lobby(here.clock())
    return await answered(request, lambda: tables.lobby(games, tongue))


async def open_table(request: Request) -> Response:
    """Open a table."""
    session, settings = await known(request), (await asked(request, NewTable)).settings
    tables.check_settings(settings, language(request))
    allow = room(request, session.player.id, settings)
    return told(TableMade(await house(request).keeper.open(settings, session.player, None, allow)), 201)


async def open_again(request: Request) -> Response:
    """Open a table for the cards of a deal that is over: one's own seat, and bots on the others."""
    session, wish = await known(request), await asked(request, PlayAgain)
    game, log = await game_of(request), await open_log_of(request)
    cards = await worked_out(request, lambda: tables.again(log, wish.deal, wish.step))
    player = await house(request).store.known_as(game.id, session.player.id)
    settings = tables.alone(game.settings, log, player)
    allow = room(request, session.player.id, settings)
    return told(TableMade(await house(request).keeper.open(settings, session.player, cards, allow)), 201)


def room(connection: HTTPConnection, player: PlayerId, settings: Settings) -> Check:
    """Refuse a table to whoever has enough of them open, or has opened enough today."""
    here = house(connection)
    if not here.openings.take(address(connection), time.monotonic()):
        raise Refusal(429, "tooMany")
    config, now = here.config, here.clock()

    def check(transaction: Connection) -> None:
        opened = open_tables(transaction, player, now)
        if len(opened) >= config.own_tables:
            raise Refusal(409, "ownTables", most=config.own_tables)
        if is_for_bots(settings) and sum(map(is_for_bots, opened)) >= config.own_bot_tables:
            raise Refusal(409, "ownBotTables", most=config.own_bot_tables)
        _check_experts(transaction, config, player, now, experts(settings))

    return beginning(connection, "tables", player, check)


def room_for_an_expert(connection: HTTPConnection, host: PlayerId) -> Check:
    """Refuse a seat of an expert at a table whose host has enough of them."""
    here = house(connection)

    def check(transaction: Connection) -> None:
        one_by_one(transaction, f"tables {host}")
        _check_experts(transaction, here.config, host, here.clock(), 1)

    return check


def _check_experts(transaction: Connection, config: Config, host: PlayerId, now: float, more: int) -> None:
    most = config.own_experts
    if more and seated_experts(transaction, host, now, MOST_IDLE) + more > most:
        raise Refusal(409, "ownExperts", most=most)


async def invitation(request: Request) -> Response:
    """What a table plays and who sits there."""
    return told(tables.line(await game_of(request), language(request)))


async def rules(request: Request) -> Response:
    """The rules of a table in sentences."""
    settings, tongue = (await game_of(request)).settings, language(request)
    return await answered(request, lambda: tables.rules(settings, tongue))


# --- what remains --------------------------------------------------------------------------------------


async def record(request: Request) -> Response:
    """The record of a deal, or of all that are over, to keep."""
    wish = request.query_params
    form, deal = tables.asked_record(wish.get("form", "sheet"), wish.get("deal"))
    table, log = request.path_params["table"], await open_log_of(request)
    return await answered(request, lambda: tables.record(table, log, form, deal))


async def replay(request: Request) -> Response:
    """A deal step by step."""
    deal, log, tongue = number(request.path_params["deal"]), await open_log_of(request), language(request)
    return await answered(request, lambda: tables.replay(log, deal, tongue))


async def fair(request: Request) -> Response:
    """How the cards of a deal were shuffled."""
    deal, log = number(request.path_params["deal"]), await open_log_of(request)
    return await answered(request, lambda: tables.fair(log, deal))


async def ledger(request: Request) -> Response:
    """Every payment of the session so far."""
    log, tongue = await log_of(request), language(request)
    return await answered(request, lambda: tables.ledger(log, tongue))


async def game_of(request: Request) -> Game:
    """The table in the address."""
    game = await house(request).store.game(request.path_params["table"])
    if game is None:
        raise Refusal(404, "unknownTable")
    return game


async def open_log_of(request: Request) -> list[tuple[Fact, float]]:
    """The log of a table, for what tells the cards of its deals."""
    game = await game_of(request)
    tables.check_open(game.settings, game.moment)
    return await log_of(request)


async def log_of(request: Request) -> list[tuple[Fact, float]]:
    """The log of the table in the address, which its request pays for; a table can outlive it."""
    rows = await house(request).store.read(request.path_params["table"])
    was_read(request, len(rows))
    if not rows:
        await game_of(request)
        raise Refusal(410, "logGone")
    return [(row.fact, row.at) for row in rows]
