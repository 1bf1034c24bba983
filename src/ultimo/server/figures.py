"""What people have won and lost: a row for each deal of each person, and what the rows come to.

A row is written with the facts that end a deal, so that nobody's figures have to be worked out from the logs.
"""

from __future__ import annotations

from collections.abc import Sequence
from itertools import accumulate
from typing import Any, Final, Literal, TypeAlias, get_args, get_type_hints

from msgspec import Struct
from msgspec.structs import asdict
from sqlalchemy import ColumnCollection, ColumnElement, Connection, case, delete, func, select

from ultimo import french
from ultimo.answers import books
from ultimo.answers.payloads import ContractFigure, DealFigure, FigureGroup, Figures, Uncounted
from ultimo.events import Bid, Reason, Seat, Transfer
from ultimo.names import capital, names
from ultimo.rulebook import FrenchRules
from ultimo.server.database import insert_or_change
from ultimo.server.schema import figure
from ultimo.table.facts import PlayerId
from ultimo.table.live import Live
from ultimo.telling import results

Columns: TypeAlias = ColumnCollection[str, Any]

LOOKED_AT: Final = 10_000  # of the last deals of a person
DRAWN: Final = 100  # deals in a picture

COUNTED: Final = figure.c.uncounted == ""
BIDS: Final[tuple[str, ...]] = get_args(get_type_hints(Bid)["bid"])  # the lowest first
ULTIMO: Final[tuple[Reason, ...]] = ("kingUltimo", "pagatUltimo")
BAGUD: Final[tuple[Reason, ...]] = ("kingBagud", "pagatBagud")


class Figure(Struct, frozen=True):
    """What a deal was for one person; `share` is what came from the cups at the end of the game."""

    player_id: PlayerId
    deal: int
    rules: str
    size: int
    points: int
    share: int = 0
    played: int = 1  # 0 for who sat out
    ultimos: int = 0
    baguds: int = 0
    nolos: int = 0
    slams: int = 0  # touts, too
    lasts: int = 0  # last tricks
    bid: str = ""  # of the taker
    made: int = 0
    uncounted: Uncounted | Literal[""] = ""


# --- of a deal -----------------------------------------------------------------------------------------


def figures(live: Live) -> tuple[Figure, ...]:
    """The figures of the persons at a table whose deal is over.

    A deal whose cards were known before, or in which something was taken back, is noted and does not count.
    """
    if live.moment not in ("between", "over") or not live.number:
        return ()
    uncounted: Uncounted | Literal[""] = (
        "sameCards" if live.again_now else "takenBack" if live.taken_back else ""
    )
    return tuple(
        _figure(live, seat, sitting.player, uncounted)
        for seat, sitting in enumerate(live.seats)
        if sitting.player is not None and not sitting.stand_in
    )


def _figure(live: Live, seat: Seat, player: PlayerId, uncounted: Uncounted | Literal[""]) -> Figure:
    state = live.series
    assert state is not None
    assert state.deal is not None
    ended = state.deal
    paid = [one for number, one in live.payments if number == live.number]
    won = [one for one in paid if one.payee == seat]
    lost = [one for one in paid if one.payer == seat]
    bid, made, slam = "", 0, 0
    match live.rules, ended:
        case FrenchRules() as rules, french.State(counted=(_, *_)):
            outcome = french.outcome_of(rules, ended)
            slam = int(outcome.slam_made == ended.side(seat))
            if ended.taker == seat:
                bid, made = outcome.bid, int(french.score(rules, outcome).won)
    return Figure(
        player_id=player,
        deal=live.number,
        rules=live.rules.id,
        size=live.settings.size,
        points=results.gains(paid, live.settings.size)[seat],
        share=sum(one.points for one in won if results.part_of(one) == "end"),
        played=int(seat in ended.active),
        ultimos=_feats(won, ULTIMO),
        baguds=_feats(lost, BAGUD),
        nolos=_feats(won, ("nolo",)),
        slams=slam + _feats(won, ("tout",)),
        lasts=int(bool(ended.tricks) and ended.tricks[-1].winner == seat and bool(ended.result)),
        bid=bid,
        made=made,
        uncounted=uncounted,
    )


def _feats(paid: Sequence[Transfer], reasons: tuple[Reason, ...]) -> int:
    """How many such feats were paid for: each king is one."""
    return len({(one.reason, one.card) for one in paid if one.reason in reasons})


# --- of a person ---------------------------------------------------------------------------------------


def note(connection: Connection, table: str, at: float, rows: Sequence[Figure]) -> None:
    """Keep figures; when the cups are divided those of the last deal come again."""
    if not rows:
        return
    statement = insert_or_change(connection, figure)
    again = {"share": statement.excluded.share}
    statement = statement.on_conflict_do_update(index_elements=["table_id", "deal", "player_id"], set_=again)
    connection.execute(statement, [asdict(row) | {"table_id": table, "at": at} for row in rows])


def drop(connection: Connection, table: str, deal: int) -> None:
    """Keep no figures of a deal."""
    connection.execute(delete(figure).where(figure.c.table_id == table, figure.c.deal == deal))


def sums(connection: Connection, ids: Sequence[PlayerId], since: float, language: str) -> Figures:
    """The figures of a person, of whom there may be several ids, and how much of them is since a time."""
    own = figure.c.player_id.in_(ids)
    last = select(figure).where(own, COUNTED).order_by(figure.c.at.desc()).limit(LOOKED_AT)
    rows = last.subquery().c
    whole = rows.points + rows.share
    drawn = select(whole).where(rows.played == 1).order_by(rows.at.desc(), rows.deal.desc()).limit(DRAWN)
    today = select(
        _sum(case((rows.at >= since, rows.played), else_=0)),
        _sum(case((rows.at >= since, whole), else_=0)),
    )
    deals_today, points_today = connection.execute(today).one()
    groups = _groups(connection, rows, language)
    return Figures(
        deals=sum(group.deals for group in groups),
        points=sum(group.points for group in groups),
        deals_today=deals_today,
        points_today=points_today,
        groups=groups,
        contracts=_contracts(connection, rows, language),
        totals=tuple(accumulate(reversed(connection.execute(drawn).scalars().all()))),
        best=_deal(connection, rows, rows.points.desc(), language),
        worst=_deal(connection, rows, rows.points, language),
        uncounted=_uncounted(connection, own),
    )


def _uncounted(connection: Connection, own: ColumnElement[bool]) -> dict[Uncounted, int]:
    """How many of a person's deals do not count, by the reason."""
    query = select(figure.c.uncounted, func.count().label("deals")).where(own, ~COUNTED, figure.c.played == 1)
    return {row.uncounted: row.deals for row in connection.execute(query.group_by(figure.c.uncounted))}


def _sum(column: ColumnElement[int]) -> ColumnElement[int]:
    return func.coalesce(func.sum(column), 0)


def _groups(connection: Connection, rows: Columns, language: str) -> tuple[FigureGroup, ...]:
    """The deals under each rulebook at tables of each size."""
    counted = (rows.ultimos, rows.baguds, rows.nolos, rows.slams, rows.lasts)
    query = select(rows.rules, rows.size, *map(_sum, (rows.played, rows.points + rows.share, *counted)))
    query = query.group_by(rows.rules, rows.size).order_by(rows.rules, rows.size)
    return tuple(
        FigureGroup(books.title_of(rules, language), rules, books.family_of(rules), *numbers)
        for rules, *numbers in connection.execute(query)
    )


def _contracts(connection: Connection, rows: Columns, language: str) -> tuple[ContractFigure, ...]:
    """How often each bid was taken with, and made: the lowest first."""
    query = select(rows.bid, func.count(), _sum(rows.made)).where(rows.bid != "").group_by(rows.bid)
    found = sorted(connection.execute(query), key=lambda row: BIDS.index(row.bid))
    return tuple(ContractFigure(capital(names(language).bid(bid)), *numbers) for bid, *numbers in found)


def _deal(
    connection: Connection, rows: Columns, order: ColumnElement[int], language: str
) -> DealFigure | None:
    """The deal that comes first in an order."""
    query = select(rows.table_id, rows.deal, rows.points, rows.rules, rows.at).where(rows.played == 1)
    row = connection.execute(query.order_by(order, rows.at).limit(1)).one_or_none()
    if row is None:
        return None
    return DealFigure(row.table_id, row.deal, row.points, books.title_of(row.rules, language), row.at)
