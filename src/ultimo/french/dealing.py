"""The pack: picked up, cut, and dealt in packets.

A pack lies with its first card on top: `deck[0]` is dealt first.
"""

from __future__ import annotations

from collections.abc import Sequence

from ultimo.cards import ALL_CARDS, PACK, Card, Cards, cards, mask
from ultimo.events import Cut, Deal, IllegalAction, Opened, Seat
from ultimo.french.numbers import numbers
from ultimo.french.phases import chien_span, receiver
from ultimo.french.state import State
from ultimo.play.chance import Chance
from ultimo.play.choices import Choices, actions
from ultimo.rulebook import FrenchRules

LEAST_PART = 4  # of a pack that is cut: in each part (I-C.2)
CUTS: Choices = actions(*(Cut(at) for at in range(LEAST_PART, len(PACK) - LEAST_PART + 1)))


def chien_positions(rules: FrenchRules, rng: Chance) -> tuple[int, ...]:
    """The places in the pack whose cards go to the chien, drawn at random."""
    return tuple(sorted(rng.sample(_chien_places(rules), rules.deal.chien)))


def deal_out(
    rules: FrenchRules, dealt_by: Opened | Seat, deck: Sequence[Card], chien_at: Sequence[int]
) -> Deal:
    """The hands and the chien that a pack gives: packets in turn, from the dealer's right anticlockwise.

    Chien cards are put down one at a time and fall between packets, so that a packet is the next cards of
    the pack that do not go to the chien. Hands are given in the order of the cards, not of the deal.
    """
    if refusal := _wrong_pack(rules, deck, chien_at):
        raise refusal
    dealer = dealt_by.dealer if isinstance(dealt_by, Opened) else dealt_by
    aside = set(chien_at)
    stream = [card for place, card in enumerate(deck) if place not in aside]
    hands: list[Cards] = [0] * rules.players
    for packet, start in enumerate(range(0, len(stream), rules.deal.packet)):
        hands[receiver(numbers(rules), dealer, packet)] |= mask(stream[start : start + rules.deal.packet])
    return Deal(tuple(map(cards, hands)), cards(mask(deck[place] for place in aside)))


def deal_from(rules: FrenchRules, state: State, deck: Sequence[Card], rng: Chance) -> Deal:
    """The hands that a pack gives at this table; `rng` chooses where the chien falls."""
    return deal_out(rules, state.dealer, deck, chien_positions(rules, rng))


def wrong_deal(rules: FrenchRules, state: State, deal: Deal) -> IllegalAction | None:
    """What is wrong with a deal, if anything is.

    Where the pack is not shuffled the hands must be those of the known pack. The chien tells at which
    places its cards lay.
    """
    cite = rules.deal.cite
    if tuple(map(len, deal.hands)) != (rules.deal.hand,) * rules.players:
        return IllegalAction("dealEach", cite, hand=rules.deal.hand, players=rules.players)
    if len(deal.chien) != rules.deal.chien:
        return _wrong_chien(rules)
    hands, chien = tuple(map(mask, deal.hands)), mask(deal.chien)
    together = chien
    for hand in hands:
        together |= hand
    if together != ALL_CARDS:
        return IllegalAction("dealWholePack", cite)
    if state.deck:
        places = [place for place, card in enumerate(state.deck) if card.bit & chien]
        if any(place not in _chien_places(rules) for place in places):
            return _wrong_ends(rules)
        given = deal_out(rules, state.dealer, state.deck, places)
        if tuple(map(mask, given.hands)) != hands:
            return IllegalAction("notThePack", cite)
    return None


def pick_up(rules: FrenchRules, state: State) -> tuple[Card, ...]:
    """The pack as it is gathered after a deal, for tables that never shuffle.

    From the top: the écart or the closed chien; the tricks of the defence; those of the taker's side. In
    each pile the tricks lie in the order in which they were won, the cards of a trick in the order of play,
    and the excuse where it fell. Thrown-in cards: the chien, then the hands from the dealer's right.
    Rule: 002 §5; I-C.2.
    """
    pack = list(cards(state.chien | state.ecart))
    for side in ("defence", "taker"):
        for trick in state.tricks:
            if state.side(trick.winner) == side:
                pack += (play.card for play in trick.plays)
    for distance in range(state.table):
        pack += cards(state.hands[(state.forehand + distance) % state.table])
    return tuple(pack)


def _chien_places(rules: FrenchRules) -> range:
    return range(*chien_span(numbers(rules)))


def _wrong_pack(rules: FrenchRules, deck: Sequence[Card], chien_at: Sequence[int]) -> IllegalAction | None:
    if len(deck) != len(PACK) or mask(deck) != ALL_CARDS:
        return IllegalAction("packNotWhole", rules.deal.cite)
    if len(set(chien_at)) != rules.deal.chien or len(chien_at) != rules.deal.chien:
        return _wrong_chien(rules)
    if any(place not in _chien_places(rules) for place in chien_at):
        return _wrong_ends(rules)
    return None


def _wrong_chien(rules: FrenchRules) -> IllegalAction:
    return IllegalAction("chienSize", rules.deal.cite, count=rules.deal.chien)


def _wrong_ends(rules: FrenchRules) -> IllegalAction:
    if rules.deal.chien_forbidden_ends == 1:
        return IllegalAction("chienEnd", rules.deal.cite)
    return IllegalAction("chienEnds", rules.deal.cite, count=rules.deal.chien_forbidden_ends)
