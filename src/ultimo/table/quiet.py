"""Quiet choices: the truth where somebody is asked for it, cheap cards where any will do.

They are what is offered first and cost little; no strategy is in them.
"""

from __future__ import annotations

from ultimo.cards import SKUS, SUITS, Card, Cards, cards, mask
from ultimo.danish import State as DanishState
from ultimo.danish.state import pile_points
from ultimo.events import Action, Answer, Call, Cut, EnterCount, SomeCards, Vote
from ultimo.play.choices import Subset
from ultimo.play.counting import honours_of
from ultimo.players import View

MIDDLE_OF_PACK = 39


def usual(view: View, actions: tuple[Action, ...]) -> Action:
    """What is offered first of some actions: the truth where one is asked for it, else the first."""
    first, hand = actions[0], _hand(view)
    match first, view.deal:
        case Cut(), _:
            return Cut(MIDDLE_OF_PACK)
        case EnterCount(), DanishState() as state:
            return EnterCount(pile_points(state)[view.seat])
        case Answer(), DanishState() as state:
            truth = Answer(state.has_led_suit(view.seat))
            return truth if truth in actions else first
        case Call(), _:
            others = [action for action in actions if isinstance(action, Call) and not action.card.bit & hand]
            return others[0] if others else first
        case Vote(), DanishState(ballot=ballot):
            return Vote(ballot is None or ballot.question != "ultimoCost")
        case _:
            return first


def _hand(view: View) -> Cards:
    hands = view.deal.hands
    return hands[view.seat] if hands else 0


def cost(card: Card) -> tuple[bool, int, bool, int]:
    """How dear a card is: the skus most, then by its honours, trumps before suits, high before low."""
    return card.bit == SKUS, honours_of(card.bit), card.suit == len(SUITS) - 1, card.index % 14


def cheapest(sets: Subset) -> SomeCards:
    """A set that costs little: low cards, from short suits."""
    free = sets.among & ~sets.must
    length = {card: sum(other.suit == card.suit for other in cards(free)) for card in cards(free)}
    ordered = sorted(cards(free), key=lambda card: (cost(card)[:3], length[card], card.index))
    chosen = mask((*cards(sets.must), *ordered[: sets.size - sets.must.bit_count()]))
    return cards(chosen)
