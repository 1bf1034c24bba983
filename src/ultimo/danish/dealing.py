"""Dealing 78 cards: 25 to forehand and middle, 28 to the dealer.

Rule: 000 Kortgivning; 001 Kortgivning; 003 KORTENE; 004 KORTGIVNING.
"""

from __future__ import annotations

from collections.abc import Sequence

from ultimo.cards import ALL_CARDS, Card, Cards, cards, mask
from ultimo.danish.outcome import Order
from ultimo.danish.phases import PACKET, PACKETS, receiver
from ultimo.danish.state import State
from ultimo.events import Deal, Seat, SomeCards
from ultimo.play.chance import Chance
from ultimo.rulebook import DanishRules

HAND = 25
DEALER_HAND = 28


def deal_out(table: int, order: Order, deck: Sequence[Card]) -> Deal:
    """The hands that a pack gives, packet by packet."""
    hands: list[list[Card]] = [[] for _ in range(table)]
    for packet in range(PACKETS):
        hands[order[receiver(packet)]] += deck[PACKET * packet : PACKET * (packet + 1)]
    return Deal(tuple(tuple(sorted(hand)) for hand in hands))


def deal_from(rules: DanishRules, state: State, deck: Sequence[Card], rng: Chance) -> Deal:
    """The hands that a pack gives at this table, or how it puts a misdeal right."""
    if state.phase == "correcting":
        return corrected(state.order, tuple(map(cards, state.hands)), deck)
    return deal_out(state.table, state.order, deck)


def sizes(order: Order, seat: Seat) -> int:
    """How many cards a seat should be dealt."""
    return DEALER_HAND if seat == order[2] else HAND if seat in order else 0


def is_whole_pack(hands: Sequence[SomeCards]) -> bool:
    """Whether the hands hold each of the 78 cards once."""
    return sum(map(len, hands)) == 78 and mask(card for hand in hands for card in hand) == ALL_CARDS


def is_right(order: Order, hands: Sequence[SomeCards]) -> bool:
    """Whether everybody has the right number of cards."""
    return all(len(hand) == sizes(order, seat) for seat, hand in enumerate(hands))


def corrected(order: Order, hands: Sequence[SomeCards], deck: Sequence[Card]) -> Deal:
    """The hands of a misdeal put right: each surplus hand gives up the cards that come last in `deck`.

    Rule: 004 KORTGIVNING.
    """
    drawn = [sorted(hand, key=deck.index) for hand in hands]
    right = [tuple(hand[: sizes(order, seat)]) for seat, hand in enumerate(drawn)]
    surplus = [card for seat, hand in enumerate(drawn) for card in hand[sizes(order, seat) :]]
    for seat, hand in enumerate(right):
        lacking = sizes(order, seat) - len(hand)
        right[seat] = tuple(sorted((*hand, *surplus[:lacking])))
        surplus = surplus[lacking:]
    return Deal(tuple(right))


def corrects(order: Order, hands: Sequence[Cards], right: Sequence[Cards]) -> bool:
    """Whether `right` puts a misdeal right by taking from hands that have too many alone."""
    return all(
        new & ~old == 0 if old.bit_count() > sizes(order, seat) else old & ~new == 0
        for seat, (old, new) in enumerate(zip(hands, right, strict=True))
    )
