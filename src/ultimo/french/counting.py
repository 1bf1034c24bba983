"""Counting: what the piles hold after the last trick, and what became of the excuse."""

from __future__ import annotations

from typing import Literal

from msgspec import Struct

from ultimo.cards import BOUTS, PAGAT, SKUS, Cards, honours
from ultimo.events import Seat
from ultimo.french.settlement import Outcome, Side
from ultimo.french.state import State
from ultimo.rulebook import FrenchRules

EXCUSE_HALF_POINTS = 9


class ExcuseFate(Struct, frozen=True):
    """What became of a played excuse; `owed` says that half a point is given for it.

    Kept or winning, it belongs to the side of the seat that played it; lost, to the other side. What is owed
    goes from the side that has it to the side that has not.
    """

    seat: Seat
    fate: Literal["kept", "lost", "wins"]
    owed: bool


def half_points(cards: Cards) -> int:
    """The card points of a pile, in halves: bout and king 9, queen 7, knight 5, jack 3, others 1; 182 in all.

    Rule: 002 §3.
    """
    return 2 * honours(cards) + cards.bit_count()


def excuse_wins(rules: FrenchRules, state: State) -> bool:
    """Whether an excuse in the trick on the table takes it: the last, after all others went to its side.

    Rule: 002 §9, §11; I-C.10, I-C.19.
    """
    if len(state.tricks) != rules.deal.hand - 1:
        return False
    by = next((play.seat for play in state.trick if play.card.bit == SKUS), None)
    return by is not None and sweep(state) == state.side(by)


def sweep(state: State) -> Side | None:
    """The side that has won every trick so far, if one has.

    Rule: 002 §11; I-C.19.
    """
    winners = {state.side(trick.winner) for trick in state.tricks}
    return winners.pop() if len(winners) == 1 else None


def excuse_fate(rules: FrenchRules, state: State) -> ExcuseFate | None:
    """What became of the excuse, once its trick is won; None while it is out, or in the closed chien.

    Before the last trick its side keeps it, and owes half a point if the other side won the trick, whether or
    not it has a card to give. In the last trick it is lost, even if its own side wins that trick, unless it
    wins the trick itself.
    Rule: 002 §9, §11; I-C.7, I-C.8, I-C.9.
    """
    if state.excuse is None:
        return None
    trick = state.tricks[state.excuse]
    by = next(play.seat for play in trick.plays if play.card.bit == SKUS)
    own_trick = state.side(trick.winner) == state.side(by)
    if state.excuse < rules.deal.hand - 1:
        return ExcuseFate(by, "kept", not own_trick)
    if trick.winner == by:
        return ExcuseFate(by, "wins", False)
    return ExcuseFate(by, "lost", own_trick and rules.excuse.last_trick_return == "half")


def petit_au_bout(rules: FrenchRules, state: State) -> Side | None:
    """The side that has won the petit in the last trick; in the one before, if the excuse takes the last.

    Rule: 002 §11, §12; I-C.11, I-C.24.
    """
    last = state.tricks[-1]
    at_the_end = last.cards
    played = excuse_fate(rules, state)
    if played is not None and played.fate == "wins":
        at_the_end |= state.tricks[-2].cards
    return state.side(last.winner) if at_the_end & PAGAT else None


def taker_pile(state: State) -> Cards:
    """The cards that count for the taker's side, without a played excuse.

    Rule: 002 §6, §7.
    """
    pile = 0
    for seat, won in enumerate(state.won):
        if state.side(seat) == "taker":
            pile |= won & ~SKUS
    if state.contract is not None and state.contract.chien == "defence":
        return pile
    return pile | state.ecart | state.chien


def outcome(rules: FrenchRules, state: State) -> Outcome:
    """What a deal that has been played out comes to.

    Rule: 002 §3, §9, §13; I-C.7, I-C.9, I-C.15.
    """
    if len(state.tricks) != rules.deal.hand or state.taker is None or state.contract is None:
        raise ValueError("the deal has not been played out")
    pile = taker_pile(state)
    points, bouts = half_points(pile), (pile & BOUTS).bit_count()
    if played := excuse_fate(rules, state):
        if (state.side(played.seat) == "taker") != (played.fate == "lost"):
            points += EXCUSE_HALF_POINTS - played.owed
            bouts += 1
        else:
            points += played.owed
    return Outcome(
        players=state.table,
        taker=state.taker,
        partner=state.partner,
        bid=state.contract.id,
        half_points=points,
        bouts=bouts,
        petit_au_bout=petit_au_bout(rules, state),
        poignees=tuple((state.side(shown.seat), len(shown.cards)) for shown in state.poignees),
        slam_announced=None if state.slam is None else state.side(state.slam),
        slam_made=sweep(state),
    )
