"""Counting: what the piles hold after the last trick, and what became of the excuse."""

from __future__ import annotations

from typing import NamedTuple

from ultimo.cards import PAGAT, SKUS, Cards
from ultimo.events import Seat
from ultimo.french import reckoning
from ultimo.french.numbers import numbers
from ultimo.french.outcome import SIDE_NAMES, SIDES, Outcome, Side
from ultimo.french.state import State
from ultimo.play.following import FIRST_TRUMP, words
from ultimo.rulebook import FrenchRules


class ExcuseFate(NamedTuple):
    """What became of a played excuse, `KEPT`, `LOST` or `WINS`; `owed` if half a point is given for it.

    Kept or winning, it belongs to the side of the seat that played it; lost, to the other side. What is owed
    goes from the side that has it to the side that has not.
    """

    seat: Seat
    fate: int
    owed: int


def half_points(cards: Cards) -> int:
    """The card points of a pile, in halves: 182 in all."""
    return reckoning.pile_half_points(*words(cards))


def excuse_wins(rules: FrenchRules, state: State) -> bool:
    """Whether the excuse, which lies in the trick on the table, takes it."""
    by = next(play.seat for play in state.trick if play.card.bit == SKUS)
    return reckoning.excuse_takes(numbers(rules), len(state.tricks), _sweep(state), SIDES[state.side(by)])


def _sweep(state: State) -> int:
    by_taker = sum(state.side(trick.winner) == "taker" for trick in state.tricks)
    return reckoning.sweep_of(len(state.tricks), by_taker)


def excuse_fate(rules: FrenchRules, state: State) -> ExcuseFate | None:
    """What became of the excuse, once its trick is won; None while it is out, or in the closed chien."""
    if state.excuse is None:
        return None
    trick = state.tricks[state.excuse]
    by = next(play.seat for play in trick.plays if play.card.bit == SKUS)
    own = state.side(trick.winner) == state.side(by)
    return ExcuseFate(by, *reckoning.fate_of_excuse(numbers(rules), state.excuse, own, trick.winner == by))


def excuse_gain(rules: FrenchRules, state: State) -> tuple[int, int]:
    """The half points and bouts that a played excuse brings the taker's side; nothing while it is out."""
    if (played := excuse_fate(rules, state)) is None:
        return 0, 0
    return reckoning.excuse_share(SIDES[state.side(played.seat)], played.fate, played.owed)


def petit_au_bout(rules: FrenchRules, state: State) -> Side | None:
    """The side that has won the petit at the end, if one has."""
    n, played, tricks = numbers(rules), excuse_fate(rules, state), state.tricks
    excuse_won = played is not None and played.fate == reckoning.WINS
    for number in (len(tricks) - 1, len(tricks) - 2):
        if tricks[number].cards & PAGAT and reckoning.petit_ends(n, number, excuse_won):
            return state.side(tricks[number].winner)
    return None


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


def outcome_of(rules: FrenchRules, state: State) -> Outcome:
    """What a deal that has been played out comes to.

    Rule: 002 §3, §13; I-C.15.
    """
    if len(state.tricks) != rules.deal.hand or state.taker is None or state.contract is None:
        raise ValueError("the deal has not been played out")
    pile = taker_pile(state)
    more_points, more_bouts = excuse_gain(rules, state)
    points = half_points(pile) + more_points
    bouts = reckoning.pile_bouts(pile >> FIRST_TRUMP) + more_bouts
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
        slam_made=SIDE_NAMES[_sweep(state)],
    )
