"""What a French deal is worth: from what happened to transfers with reason and citation.

Nothing here knows the cards: a score sheet that notes bid, points, bouts and bonuses gets the same payments
as a deal played in full. Card points are counted in halves, so that they are integers.

>>> from ultimo.rulebook import load
>>> game_1 = Outcome(players=4, taker=0, bid="garde", half_points=2 * 46, bouts=2)
>>> score(load("french4"), game_1).value
60
"""

from __future__ import annotations

from msgspec import Struct

from ultimo.events import ImpossibleOutcome, Reason, Seat, Settlement, Transfer
from ultimo.french import reckoning
from ultimo.french.numbers import BOUTS, TARGET, numbers
from ultimo.french.outcome import SIDES, Outcome, seat_number
from ultimo.rulebook import BidRow, FrenchRules, citation


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


def score(rules: FrenchRules, outcome: Outcome) -> Score:
    """The value of a deal: `(±(25 + |d|) ± petit au bout) · multiplier ± poignées ± slam`.

    The bonuses never change who has won; exactly the needed points win by 0.
    Rule: 002 §4, §10, §11, §12, §13.
    """
    n, bid = numbers(rules), rules.bid.ladder.index(row_of(rules, outcome.bid))
    half_points, bouts = outcome.half_points, outcome.bouts
    needed = needed_points(rules, bouts)
    won = reckoning.has_won(n, half_points, bouts)
    poignees = 0
    for _, shown in outcome.poignees:
        poignees = reckoning.poignees_together(n, poignees, poignee_value(rules, shown))
    petit, announced, made = (
        SIDES[side] for side in (outcome.petit_au_bout, outcome.slam_announced, outcome.slam_made)
    )
    paid = reckoning.parts(n, bid, half_points, bouts, petit, poignees, announced, made)
    return Score(sum(paid), won, reckoning.rounded(half_points, won), needed, *paid)


def is_void(rules: FrenchRules, outcome: Outcome) -> bool:
    """Whether a deal counts for nothing: the side that made a mistake would have won it.

    Rule: 006 p5.
    """
    if outcome.fault is None or rules.fine.fault == "none":
        return False
    return score(rules, outcome).won == (outcome.fault == "taker")


def settle(rules: FrenchRules, outcome: Outcome) -> Settlement:
    """Every payment of a deal: one transfer for each defender and each component; none, if it is void.

    The defenders, in order from the taker's right, pay the taker first and then the partner, as many each
    as the rulebook's share says.
    Rule: 002 §13, §14, §16.
    """
    if is_void(rules, outcome):
        return Settlement(())
    scored = score(rules, outcome)
    components: tuple[tuple[int, Reason, str], ...] = (
        (scored.contract, "contract", citation(rules, "base")),
        (scored.petit_au_bout, "petitAuBout", citation(rules, "petitAuBout")),
        (scored.poignee, "poignee", citation(rules, "poignee.values")),
        (scored.slam, "slam", rules.slam.cite),
    )
    n, taker, partner = numbers(rules), outcome.taker, seat_number(outcome.partner)
    pairs = [
        (reckoning.defender_at(n, taker, partner, place), reckoning.receiver_at(n, taker, partner, place))
        for place in range(reckoning.payments_of(n, partner))
    ]
    return Settlement(
        tuple(
            Transfer(defender, receiver, points, reason, cite)
            if points > 0
            else Transfer(receiver, defender, -points, reason, cite)
            for points, reason, cite in components
            if points
            for defender, receiver in pairs
        )
    )


def row_of(rules: FrenchRules, bid: str) -> BidRow:
    """The row of the rulebook's ladder that a bid names."""
    for row in rules.bid.ladder:
        if row.id == bid:
            return row
    raise ImpossibleOutcome("bid", "noSuchBid", text=bid, bids=tuple(row.id for row in rules.bid.ladder))


def needed_points(rules: FrenchRules, bouts: int) -> int:
    """The points that the taker's side needs with this number of bouts.

    Rule: 002 §4.
    """
    if not 0 <= bouts <= BOUTS:
        raise ImpossibleOutcome("bouts", "numberOfBouts", count=bouts, all=BOUTS)
    return numbers(rules)[TARGET + bouts]


def poignee_value(rules: FrenchRules, shown: int) -> int:
    """What a poignée of so many trumps is worth.

    Rule: 002 §10, §15, §16.
    """
    worth = reckoning.poignee_worth(numbers(rules), shown)
    if worth == reckoning.NOT_A_POIGNEE:
        raise ImpossibleOutcome("poignees", "notAPoignee", count=shown, counts=rules.poignee.sizes)
    return worth


def defenders(outcome: Outcome) -> tuple[Seat, ...]:
    """The seats against the taker's side, from the taker's right."""
    others = ((outcome.taker + distance) % outcome.players for distance in range(1, outcome.players))
    return tuple(seat for seat in others if seat != outcome.partner)
