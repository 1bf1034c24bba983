"""The end of a Danish deal: the last trick is settled, the piles are counted."""

from __future__ import annotations

from itertools import chain

from ultimo import events as e
from ultimo.cards import cards
from ultimo.danish.counting import count_payments, is_counted
from ultimo.danish.evolve import DealStory
from ultimo.danish.last_trick import last_trick
from ultimo.danish.legal import counters
from ultimo.danish.offences import establish, new, wrong_declaration, wrong_hands, wrong_skat
from ultimo.danish.state import Fault, State, outcome_of, pile_points
from ultimo.rulebook import DanishRules


def close_play(story: DealStory) -> None:
    """Settle the last trick and count, unless an error that now comes to light stops it.

    Rule: E1 states 10 to 12; rules B9, B10.
    """
    while faults := new(story.state, _at_the_end(story.rules, story.state)):
        establish(story, faults[0])
        if story.state.interrupted:
            return
    rules, state = story.rules, story.state
    settlement = last_trick(rules, outcome_of(state))
    if _question_ultimo(story, settlement):
        return
    story.pay(settlement.transfers)
    for cup, seat in settlement.emptied:
        story.tell(e.CupEmptied(cup, seat))
    story.tell(e.SkatShown(cards(state.skat)))
    if story.state.phase != "count":
        _pay_count(story, pile_points(story.state) if is_counted(rules, outcome_of(state)) else ())


def _at_the_end(rules: DanishRules, state: State) -> chain[Fault]:
    """Errors that the engine sees when all cards have appeared."""
    strict = rules.strict
    return chain(
        wrong_hands(state) if strict.deal else (),
        wrong_skat(rules, state) if strict.skat else (),
        *(wrong_declaration(rules, state, seat) for seat in state.order if strict.declare),
    )


def _question_ultimo(story: DealStory, settlement: e.Settlement) -> bool:
    """Ask whether an error has helped an ultimo, if one would be paid and somebody is liable (I-11.11)."""
    state = story.state
    ultimo = any(t.reason in ("kingUltimo", "pagatUltimo") for t in settlement.transfers)
    liable = [seat for seat in state.liable if seat != state.tricks[-1].winner]
    if not ultimo or not liable or state.charged is not None:
        return False
    story.tell(e.UltimoQuestioned(liable[0]))
    return True


def _pay_count(story: DealStory, points: tuple[int, ...]) -> None:
    if points:
        story.tell(e.Counted(points))
    story.pay(count_payments(story.rules, outcome_of(story.state, points)))
    story.tell(e.DealClosed("played"))


def count(story: DealStory, seat: e.Seat, action: e.Accept | e.EnterCount | e.Recount) -> None:
    """The players count by themselves (strict count); a sum that cannot be is counted again.

    Rule: E4 «strict.count».
    """
    match action:
        case e.EnterCount(points=points):
            story.tell(e.CountEntered(seat, points))
            if len(story.state.entered) == len(counters(story.rules, story.state)) and not _possible(story):
                story.tell(e.RecountDemanded(seat, wrong=True))
        case e.Recount():
            wrong = _entered(story.state) != pile_points(story.state)
            story.tell(e.RecountDemanded(seat, wrong))
        case e.Accept():
            story.tell(e.CountConfirmed(seat))
            if len(story.state.confirmed) == len(story.state.order):
                _pay_count(story, _entered(story.state))


def _possible(story: DealStory) -> bool:
    total, whole = sum(points for _, points in story.state.entered), sum(pile_points(story.state))
    return total == whole or (total < whole and len(story.state.entered) < 3)


def _entered(state: State) -> tuple[int, ...]:
    """The counts as entered; who does not count has the rest."""
    points = dict(state.entered)
    rest = sum(pile_points(state)) - sum(points.values())
    return tuple(points.get(seat, rest if seat in state.order else 0) for seat in range(state.table))
