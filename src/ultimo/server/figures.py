"""What people have won and lost: a row for each deal of each person, and what the rows come to.

A row is written with the facts that end a deal, so that nobody's figures have to be worked out from the logs.
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any, Final

from msgspec import Struct
from msgspec.structs import asdict
from sqlalchemy import Connection, Select, Subquery, case, delete, func, select
from sqlalchemy.dialects import postgresql, sqlite

from ultimo import french
from ultimo.events import Reason, Seat, Transfer
from ultimo.rulebook import FrenchRules
from ultimo.server.schema import figure
from ultimo.table.facts import PlayerId
from ultimo.table.live import Live
from ultimo.telling import results

LOOKED_AT: Final = 10_000  # of the last deals of a person
DRAWN: Final = 100  # deals in a picture

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


class Group(Struct, frozen=True):
    """The deals under one rulebook at tables of one size."""

    rules: str
    size: int
    deals: int
    points: int
    ultimos: int
    baguds: int
    nolos: int
    slams: int
    lasts: int


class Contract(Struct, frozen=True):
    """How often somebody has taken with a bid, and made it."""

    bid: str
    times: int
    made: int


class Deal(Struct, frozen=True):
    """One deal."""

    table_id: str
    deal: int
    points: int
    rules: str
    at: float


class Sums(Struct, frozen=True):
    """All figures of a person; `points` are those of the last deals, the oldest first."""

    groups: tuple[Group, ...]
    contracts: tuple[Contract, ...]
    points: tuple[int, ...]
    best: Deal | None
    worst: Deal | None
    deals_since: int
    points_since: int


# --- of a deal -----------------------------------------------------------------------------------------


def figures(live: Live) -> tuple[Figure, ...]:
    """The figures of the persons at a table whose deal is over; cards that were known before give none."""
    if live.moment not in ("between", "over") or not live.number or live.again_now:
        return ()
    return tuple(
        _figure(live, seat, sitting.player)
        for seat, sitting in enumerate(live.seats)
        if sitting.player is not None and not sitting.stand_in
    )


def _figure(live: Live, seat: Seat, player: PlayerId) -> Figure:
    state = live.series
    assert state is not None
    assert state.deal is not None
    ended = state.deal
    paid = [one for number, one in live.payments if number == live.number]
    shares = [one for one in paid if results.part_of(one) == "end" and one.payee == seat]
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
        share=sum(one.points for one in shares),
        played=int(seat in ended.active),
        ultimos=_feats([one for one in paid if one.payee == seat], ULTIMO),
        baguds=_feats([one for one in paid if one.payer == seat], BAGUD),
        nolos=_feats([one for one in paid if one.payee == seat], ("nolo",)),
        slams=slam + _feats([one for one in paid if one.payee == seat], ("tout",)),
        lasts=int(bool(ended.tricks) and ended.tricks[-1].winner == seat and bool(ended.result)),
        bid=bid,
        made=made,
    )


def _feats(paid: Sequence[Transfer], reasons: tuple[Reason, ...]) -> int:
    """How many such feats were paid for: each king is one."""
    return len({(one.reason, one.card) for one in paid if one.reason in reasons})


# --- of a person ---------------------------------------------------------------------------------------


def note(connection: Connection, table: str, at: float, rows: Sequence[Figure]) -> None:
    """Keep figures; when the cups are divided those of the last deal come again."""
    if not rows:
        return
    kind = sqlite if connection.dialect.name == "sqlite" else postgresql
    statement = kind.insert(figure)
    again = {"share": statement.excluded.share}
    statement = statement.on_conflict_do_update(index_elements=["table_id", "deal", "player_id"], set_=again)
    connection.execute(statement, [asdict(row) | {"table_id": table, "at": at} for row in rows])


def forget(connection: Connection, ids: Sequence[PlayerId]) -> None:
    """Delete the figures of a person."""
    connection.execute(delete(figure).where(figure.c.player_id.in_(ids)))


def sums(connection: Connection, ids: Sequence[PlayerId], since: float) -> Sums:
    """The figures of a person, of whom there may be several ids."""
    last = select(figure).where(figure.c.player_id.in_(ids)).order_by(figure.c.at.desc()).limit(LOOKED_AT)
    rows = last.subquery()
    whole = rows.c.points + rows.c.share

    def summed(column: Any) -> Any:
        return func.coalesce(func.sum(column), 0)

    feats = [summed(rows.c[name]) for name in ("ultimos", "baguds", "nolos", "slams", "lasts")]
    groups = select(rows.c.rules, rows.c.size, summed(rows.c.played), summed(whole), *feats)
    groups = groups.group_by(rows.c.rules, rows.c.size).order_by(rows.c.rules, rows.c.size)
    contracts = select(rows.c.bid, func.count(), summed(rows.c.made)).where(rows.c.bid != "")
    contracts = contracts.group_by(rows.c.bid).order_by(rows.c.bid)
    drawn = (
        select(whole).where(rows.c.played == 1).order_by(rows.c.at.desc(), rows.c.deal.desc()).limit(DRAWN)
    )
    today = select(
        summed(case((rows.c.at >= since, rows.c.played), else_=0)),
        summed(case((rows.c.at >= since, whole), else_=0)),
    )
    deals_since, points_since = connection.execute(today).one()
    return Sums(
        tuple(Group(*row) for row in connection.execute(groups)),
        tuple(Contract(*row) for row in connection.execute(contracts)),
        tuple(reversed(connection.execute(drawn).scalars().all())),
        _first(connection, _by_points(rows).order_by(rows.c.points.desc(), rows.c.at)),
        _first(connection, _by_points(rows).order_by(rows.c.points, rows.c.at)),
        deals_since,
        points_since,
    )


def _by_points(rows: Subquery) -> Select[Any]:
    found = select(rows.c.table_id, rows.c.deal, rows.c.points, rows.c.rules, rows.c.at)
    return found.where(rows.c.played == 1)


def _first(connection: Connection, query: Select[Any]) -> Deal | None:
    row = connection.execute(query.limit(1)).one_or_none()
    return None if row is None else Deal(*row)
