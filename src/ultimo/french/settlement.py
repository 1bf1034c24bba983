"""What a French deal is worth: from what happened to transfers with reason and citation.

Nothing here knows the cards: a score sheet that notes bid, points, bouts and bonuses gets the same payments
as a deal played in full. Card points are counted in halves, so that they are integers.

>>> from ultimo.rulebook import load
>>> game_1 = Outcome(players=4, taker=0, bid="garde", half_points=2 * 46, bouts=2)
>>> score(load("french4"), game_1).value
60
"""

from __future__ import annotations

from typing import Literal, NamedTuple, TypeAlias

from msgspec import Struct

from ultimo.events import ImpossibleOutcome, Reason, Seat, Transfer
from ultimo.rulebook import BidRow, FrenchRules

Side: TypeAlias = Literal["taker", "defence"]

ALL_HALF_POINTS = 182  # in the pack


class Outcome(
    Struct, frozen=True, kw_only=True, forbid_unknown_fields=True, tag_field="family", tag="french"
):
    """What happened in a deal, as a score sheet notes it.

    `half_points` and `bouts` are those of the taker's side. `poignees` has one entry for each that was shown:
    by which side, and how many trumps. Without a partner at a table of five the taker plays alone.
    """

    players: int
    taker: Seat
    bid: str
    half_points: int
    bouts: int
    partner: Seat | None = None
    petit_au_bout: Side | None = None
    poignees: tuple[tuple[Side, int], ...] = ()
    slam_announced: Side | None = None
    slam_made: Side | None = None


class Score(Struct, frozen=True):
    """What each defender pays, and what it is made of; negative amounts go the other way."""

    value: int
    won: bool
    points: int  # the taker's side's, rounded
    needed: int
    contract: int
    petit_au_bout: int
    poignee: int
    slam: int

    @property
    def difference(self) -> int:
        """By how many points the deal was won; lost, if negative."""
        return self.points - self.needed


class Part(NamedTuple):
    """One component of a score, as it is paid."""

    points: int
    reason: Reason
    cite: str


def score(rules: FrenchRules, outcome: Outcome) -> Score:
    """The value of a deal: `(±(25 + |d|) ± petit au bout) · multiplier ± poignées ± slam`.

    The bonuses never change who has won; exactly the needed points win by 0.
    Rule: 002 §4, §10, §11, §12, §13; I-C.21.
    """
    multiplier = row_of(rules, outcome.bid).mult
    needed = needed_points(rules, outcome.bouts)
    won = outcome.half_points >= 2 * needed
    points = _rounded(outcome.half_points, won)
    sign = 1 if won else -1
    contract = sign * (rules.base + abs(points - needed)) * multiplier
    petit = _signed(outcome.petit_au_bout, rules.petit_au_bout) * multiplier
    poignee = sign * _poignees_value(rules, outcome)
    slam = _slam_value(rules, outcome)
    return Score(contract + petit + poignee + slam, won, points, needed, contract, petit, poignee, slam)


def settle(rules: FrenchRules, outcome: Outcome) -> tuple[Transfer, ...]:
    """Every payment of a deal: one transfer for each defender and each component.

    The defenders, in order from the taker's right, pay the taker first and then the partner, as many each
    as the rulebook's share says.
    Rule: 002 §13, §14, §16.
    """
    scored = score(rules, outcome)
    parts = (
        Part(scored.contract, "contract", rules.cite),
        Part(scored.petit_au_bout, "petitAuBout", rules.cite),
        Part(scored.poignee, "poignee", rules.poignee.cite),
        Part(scored.slam, "slam", rules.slam.cite),
    )
    pairs = tuple(zip(defenders(outcome), _receivers(rules, outcome), strict=True))
    return tuple(
        Transfer(defender, receiver, part.points, part.reason, part.cite)
        if part.points > 0
        else Transfer(receiver, defender, -part.points, part.reason, part.cite)
        for part in parts
        if part.points
        for defender, receiver in pairs
    )


def row_of(rules: FrenchRules, bid: str) -> BidRow:
    """The row of the rulebook's ladder that a bid names."""
    for row in rules.bid.ladder:
        if row.id == bid:
            return row
    raise ImpossibleOutcome("bid", f"{bid!r} is not among {', '.join(row.id for row in rules.bid.ladder)}")


def needed_points(rules: FrenchRules, bouts: int) -> int:
    """The points that the taker's side needs with this number of bouts.

    Rule: 002 §4.
    """
    for number, points in rules.target.items():
        if number == str(bouts):
            return points
    raise ImpossibleOutcome("bouts", f"{bouts} is not a number from 0 to 3")


def poignee_value(rules: FrenchRules, shown: int) -> int:
    """What a poignée of so many trumps is worth.

    Rule: 002 §10, §15, §16.
    """
    for size, value in zip(rules.poignee.sizes, rules.poignee.values, strict=True):
        if size == shown:
            return value
    sizes = ", ".join(map(str, rules.poignee.sizes))
    raise ImpossibleOutcome("poignees", f"{shown} trumps are not a poignée: {sizes} are")


def defenders(outcome: Outcome) -> tuple[Seat, ...]:
    """The seats against the taker's side, from the taker's right."""
    others = ((outcome.taker + distance) % outcome.players for distance in range(1, outcome.players))
    return tuple(seat for seat in others if seat != outcome.partner)


def _receivers(rules: FrenchRules, outcome: Outcome) -> tuple[Seat, ...]:
    if outcome.partner is None:
        return (outcome.taker,) * rules.share.alone
    return (outcome.taker,) * rules.share.taker + (outcome.partner,) * rules.share.partner


def _rounded(half_points: int, won: bool) -> int:
    """Whole points, a half counting for the side that wins: 40½ with 2 bouts is 40, and 41½ is 42.

    Rule: 002 §15, §16; I-C.9, I-C.22.
    """
    return (half_points + 1) // 2 if won else half_points // 2


def _signed(side: Side | None, points: int) -> int:
    """Points of a side as the taker's side sees them."""
    if side is None:
        return 0
    return points if side == "taker" else -points


def _poignees_value(rules: FrenchRules, outcome: Outcome) -> int:
    """What the poignées add for the side that wins, whoever showed them.

    Rule: 002 §10; I-C.12, I-C.20.
    """
    values = [poignee_value(rules, shown) for _, shown in outcome.poignees]
    match rules.poignee.multiple:
        case "sum":
            return sum(values)
        case "largest":
            return max(values, default=0)


def _slam_value(rules: FrenchRules, outcome: Outcome) -> int:
    """What a slam made adds, and what one announced in vain costs; both may happen, and then add up.

    Rule: 002 §11; I-C.5, I-C.19, I-C.26.
    """
    announced, made = outcome.slam_announced, outcome.slam_made
    value = _signed(made, rules.slam.announced if announced == made else rules.slam.silent)
    if announced != made:
        value += _signed(announced, rules.slam.failed)
    return value
