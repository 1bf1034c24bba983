"""The requests that are about tables: the lobby, opening one, its rules, and what remains of its deals."""

from __future__ import annotations

import time
from typing import Final

from msgspec.structs import replace
from starlette.requests import Request
from starlette.responses import Response

from ultimo import table
from ultimo.answers import books
from ultimo.answers.payloads import (
    Ledger,
    Lobby,
    NewTable,
    PlayAgain,
    Replay,
    SeatLine,
    TableLine,
    TableMade,
)
from ultimo.answers.refusing import Refusal, number
from ultimo.events import IllegalAction, Seat
from ultimo.names import names
from ultimo.record import jsonl, sheet
from ultimo.rulebook import RulebookError
from ultimo.server import fairness
from ultimo.server.house import answered, house, known, use, was_read, worked_out
from ultimo.server.http import asked, language, told
from ultimo.server.security import address
from ultimo.server.store import Game
from ultimo.table import Fact, SeatPlan, Settings
from ultimo.table.facts import PlayerId, SeatTaken
from ultimo.table.live import held_back
from ultimo.table.settings import check, experts, is_for_bots, rules_of
from ultimo.telling.teller import Teller

FORMS: Final = {
    "sheet": (sheet.dumps, "text/plain; charset=utf-8"),
    "jsonl": (jsonl.dumps, "application/jsonl; charset=utf-8"),
}


# --- finding and opening -------------------------------------------------------------------------------


async def lobby(request: Request) -> Response:
    """The public tables."""
    here, tongue = house(request), language(request)
    games = await here.store.lobby(here.clock())

    def work() -> Response:
        lines = [_line(game, tongue) for game in games]
        waiting = tuple(line for line in lines if line.moment == "gathering")
        return told(Lobby(waiting, tuple(line for line in lines if line.moment != "gathering")))

    return await answered(request, work)


async def open_table(request: Request) -> Response:
    """Open a table."""
    session, settings = await known(request), (await asked(request, NewTable)).settings
    _check(settings, language(request))
    await _room(request, settings, session.player.id)
    return told(TableMade(await house(request).keeper.open(settings, session.player)), 201)


async def open_again(request: Request) -> Response:
    """Open a table for the cards of a deal that is over: one's own seat, and bots on the others."""
    session, wish = await known(request), await asked(request, PlayAgain)
    game, log = await game_of(request), await open_log_of(request)
    cards = await worked_out(request, wish.deal, lambda: table.again(log, wish.deal, wish.step))
    player = await house(request).store.known_as(game.id, session.player.id)
    settings = _alone(game.settings, _seat_of(log, player))
    await _room(request, settings, session.player.id)
    return told(TableMade(await house(request).keeper.open(settings, session.player, cards)), 201)


async def _room(request: Request, settings: Settings, player: PlayerId) -> None:
    """Refuse a table to whoever has enough of them open, or has opened enough today."""
    here = house(request)
    if not here.openings.take(address(request), time.monotonic()):
        raise Refusal(429, "tooMany")
    config, opened = here.config, await here.store.open_tables(player, here.clock())
    if len(opened) >= config.own_tables:
        raise Refusal(409, "ownTables", most=config.own_tables)
    if is_for_bots(settings) and sum(map(is_for_bots, opened)) >= config.own_bot_tables:
        raise Refusal(409, "ownBotTables", most=config.own_bot_tables)
    if experts(settings) and sum(map(experts, (settings, *opened))) > config.own_experts:
        raise Refusal(409, "ownExperts", most=config.own_experts)
    await use(request, "tables", player)


async def invitation(request: Request) -> Response:
    """What a table plays and who sits there."""
    return told(_line(await game_of(request), language(request)))


async def rules(request: Request) -> Response:
    """The rules of a table in sentences."""
    settings = (await game_of(request)).settings
    tongue = language(request)
    return await answered(request, lambda: told(books.table_rules(rules_of(settings), settings.size, tongue)))


def _check(settings: Settings, language: str) -> None:
    """Refuse a table that cannot be."""
    try:
        check(settings)
    except RulebookError as error:
        field = f"settings.house.{error.key}" if error.key else "settings.rules"
        raise Refusal(422, "settings", field, reason=error) from None
    except IllegalAction as error:
        reason = Teller(names(language), rules_of(settings), ()).refusal(error)
        raise Refusal(422, "settings", "settings.size", error.cite, reason=reason) from None


def _alone(settings: Settings, own: Seat) -> Settings:
    """The agreement of a table at which one person plays a single deal from a seat."""
    seats = tuple(
        SeatPlan("host") if seat == own else SeatPlan("bot", plan.level)
        for seat, plan in enumerate(settings.seats)
    )
    return replace(settings, seats=seats, deals=1, public=False, help="alone")


def _seat_of(log: list[tuple[Fact, float]], player: str) -> Seat:
    """Where somebody sat last; who never did takes the first seat."""
    taken = [fact.seat for fact, _ in log if isinstance(fact, SeatTaken) and fact.player == player]
    return taken[-1] if taken else 0


# --- what remains --------------------------------------------------------------------------------------


async def record(request: Request) -> Response:
    """The record of a deal, or of all that are over, to keep."""
    form = request.query_params.get("form", "sheet")
    if form not in FORMS:
        raise Refusal(404, "unknownPage", "form")
    wish = request.query_params.get("deal")
    deal = None if wish is None else number(wish)
    log = await open_log_of(request)
    write, media = FORMS[form]

    name = f"ultimo-{request.path_params['table']}{'' if deal is None else f'-{deal}'}.{form}"
    headers = {"content-disposition": f'attachment; filename="{name}"', "cache-control": "no-store"}

    def written() -> Response:
        text = write(table.session_record(log) if deal is None else table.deal_record(log, deal))
        return Response(text, headers=headers, media_type=media)

    return await answered(request, written, deal or 1)


async def replay(request: Request) -> Response:
    """A deal step by step."""
    deal, log, tongue = number(request.path_params["deal"]), await open_log_of(request), language(request)

    def work() -> Response:
        frames, cites = table.replay(log, deal, tongue)
        return told(Replay(deal, tuple(frames), cites))

    return await answered(request, work, deal)


async def fair(request: Request) -> Response:
    """How the cards of a deal were shuffled."""
    deal, log = number(request.path_params["deal"]), await open_log_of(request)
    found = await worked_out(request, deal, lambda: fairness.fair_deal(log, deal))
    if not found.shuffles:
        raise Refusal(404, "unproven", deal=deal)
    return told(found)


async def ledger(request: Request) -> Response:
    """Every payment of the session so far."""
    log, tongue = await log_of(request), language(request)

    def work() -> Response:
        payments, cites = table.ledger(log, tongue)
        return told(Ledger(tuple(payments), cites))

    return await answered(request, work)


async def game_of(request: Request) -> Game:
    game = await house(request).store.game(request.path_params["table"])
    if game is None:
        raise Refusal(404, "unknownTable")
    return game


async def open_log_of(request: Request) -> list[tuple[Fact, float]]:
    """The log of a table, for what tells the cards of its deals: not while the next ones follow from them."""
    game = await game_of(request)
    if held_back(rules_of(game.settings), game.moment):
        raise Refusal(409, "heldBack")
    return await log_of(request)


async def log_of(request: Request) -> list[tuple[Fact, float]]:
    """The log of the table in the address, which its request pays for; a table can outlive it."""
    rows = await house(request).store.read(request.path_params["table"])
    was_read(request, len(rows))
    if not rows:
        await game_of(request)
        raise Refusal(410, "logGone")
    return [(row.fact, row.at) for row in rows]


def _line(game: Game, language: str) -> TableLine:
    settings = game.settings
    return TableLine(
        id=game.id,
        title=books.title_of(settings.rules, language),
        rules=settings.rules,
        family=books.family_of(settings.rules),
        size=settings.size,
        seats=tuple(
            SeatLine(name, kind)  # type: ignore[arg-type]
            for name, kind in zip(game.names, game.kinds, strict=True)
        ),
        moment=game.moment,
        number=game.number,
        deals=settings.deals,
        house=len(settings.house),
        public=settings.public,
        at=game.at,
    )
