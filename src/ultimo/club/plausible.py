"""Which results of a table the rules allow: what is asked about before it is written.

A slip of the finger seldom hits a number that payments can add up to. A doubt is a `Refused` whose field is
`anyway`: whoever knows better writes the result all the same.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from functools import cache
from itertools import combinations_with_replacement
from math import gcd
from typing import Any, Final

from msgspec import Struct
from msgspec.structs import fields

from ultimo import french
from ultimo.club.sheet import Refused
from ultimo.events import Seat
from ultimo.french.outcome import ALL_HALF_POINTS
from ultimo.french.plausible import TRUMPS_AND_EXCUSE
from ultimo.rulebook import DanishRules, FrenchRules, Points, Rules

DUPLICATE_BID: Final = "garde"  # nobody bids in a duplicate: the contract is always this
BOUTS: Final = range(4)
COUNT_STEP: Final = {"table5": 5, "exact": 1, "off": 0}  # in what the count is paid
SLAMS: Final[tuple[tuple[french.Side | None, french.Side | None], ...]] = (  # announced, and made
    (None, None),
    (None, "taker"),
    ("taker", "taker"),
    ("taker", None),
    (None, "defence"),
)


def doubt_of_board(rules: Rules, board: int, points: Sequence[int], taker: Seat | None) -> Refused | None:
    """Why a board cannot have brought these points, if it cannot."""
    if not isinstance(rules, FrenchRules) or taker is None:
        return _step_doubt(rules, points)
    value, possible = -points[taker - 1], scores(rules, DUPLICATE_BID)
    if value in possible:
        return None
    return Refused(
        "tournament.doubt.garde",
        "anyway",
        board=board,
        value=value,
        step=possible.step,
        least=possible[0],
        most=possible[-1],
    )


def doubt_of_table(rules: Rules, points: Sequence[int], deals: int) -> Refused | None:
    """Why so many deals cannot have brought these points, if they cannot."""
    most, step = deals * most_of_deal(rules), step_between(rules, len(points))
    if large := [value for value in points if abs(value) > most]:
        return Refused("tournament.doubt.most", "anyway", value=large[0], deals=deals, most=most)
    if any((value - points[0]) % step for value in points):
        return Refused("tournament.doubt.between", "anyway", seats=len(points), step=step)
    return _step_doubt(rules, points)


def _step_doubt(rules: Rules, points: Sequence[int]) -> Refused | None:
    step = payment_step(rules)
    odd = [value for value in points if value % step]
    return Refused("tournament.doubt.step", "anyway", value=odd[0], step=step) if odd else None


def payment_step(rules: Rules) -> int:
    """The greatest number that divides every payment by these rules.

    >>> from ultimo.rulebook import load
    >>> payment_step(load("dtf")), payment_step(load("dtf", {"pay.lastTrick": 22}))
    (5, 1)
    """
    if not isinstance(rules, DanishRules):
        return 1
    return gcd(*_amounts(rules), rules.session.unit, COUNT_STEP[rules.count.mode])


def _amounts(rules: Struct) -> Iterator[int]:
    """Every amount of points in a rulebook or a table of it."""
    for one in fields(rules):
        value = getattr(rules, one.name)
        if one.type == Points:
            yield value
        for part in value if isinstance(value, tuple) else (value,):
            if isinstance(part, Struct):
                yield from _amounts(part)


def step_between(rules: Rules, seats: int) -> int:
    """The number by which the results of any two players differ, where the taker plays against all others.

    Of a French deal each defender loses the score, and the taker wins it from each: the difference is as many
    scores as there are players.
    """
    if not isinstance(rules, FrenchRules) or rules.call.card != "none" or seats != rules.players:
        return 1
    return seats * gcd(*(scores(rules, bid.id).step for bid in rules.bid.ladder))


def most_of_deal(rules: Rules) -> int:
    """More than a deal is likely to bring anybody: a tout with a pagat ultimo, or the highest French slam."""
    if isinstance(rules, DanishRules):
        return 2 * (rules.tout.pay + rules.ultimo.pagat + rules.ultimo.pagat_extra)
    return (rules.players - 1) * max(scores(rules, bid.id)[-1] for bid in rules.bid.ladder)


@cache
def scores(rules: FrenchRules, bid: str) -> range:
    """What a taker can win from each defender with a bid; what is lost is below zero.

    >>> from ultimo.rulebook import load
    >>> scores(load("fft4"), "garde")
    range(-422, 621, 2)
    """

    def scored(half_points: int = 0, bouts: int = 0, **more: Any) -> french.Score:
        return french.score(
            rules,
            french.Outcome(
                players=rules.players, taker=0, bid=bid, half_points=half_points, bouts=bouts, **more
            ),
        )

    contracts = [scored(half, bouts).contract for half in range(ALL_HALF_POINTS + 1) for bouts in BOUTS]
    petit = scored(petit_au_bout="taker").petit_au_bout
    pairs = combinations_with_replacement((0, *rules.poignee.sizes), 2)
    shown = [
        -scored(poignees=tuple(("taker", size) for size in pair if size)).poignee
        for pair in pairs
        if sum(pair) <= TRUMPS_AND_EXCUSE
    ]
    slams = [scored(slam_announced=announced, slam_made=made).slam for announced, made in SLAMS]
    bonus = petit + max(shown)
    least, most = min(contracts) - bonus + min(slams), max(contracts) + bonus + max(slams)
    return range(least, most + 1, gcd(*contracts, petit, *shown, *slams))
