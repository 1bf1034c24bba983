"""French deals in a row, and what French Tarot does without: cups, declarations, players who sit out."""

from __future__ import annotations

from collections.abc import Mapping, Sequence

from ultimo.cards import PACK, SUITS, TRUMPS, Card
from ultimo.events import Cup, Declaration, Seat, Transfer
from ultimo.french.dealing import pick_up
from ultimo.french.state import State
from ultimo.play.chance import Chance
from ultimo.play.places import Places, right_of
from ultimo.rulebook import FrenchRules

EXCUSE = Card("T0")
UPWARDS = "CDHS"  # the suits, when cards are drawn for the first deal
SUIT_LENGTH = 14


def seated(rules: FrenchRules, table: int, dealer: Seat, out: Seat | None) -> tuple[Seat, ...]:
    """Who plays when this seat deals: everybody, the dealer last; of five at a game of four not the dealer.

    Rule: 005 p12.
    """
    return right_of(dealer, table)[: rules.players]


def next_places(rules: FrenchRules, table: int, deals: int, dealer: Seat, out: Seat | None) -> Places:
    """Who deals next; nobody sits out.

    Rule: 002 §5.
    """
    return Places((dealer + 1) % table, out)


def deals_again(rules: FrenchRules, table: int) -> bool:
    """Whether the same player deals again after a deal that nobody has taken: who sits out for it does.

    Rule: 005 p12; I-F.8.
    """
    return table > rules.players


def draw(rules: FrenchRules, table: int, rng: Chance) -> tuple[Card, ...]:
    """The cards that everybody in turn draws for the first deal; nothing, where it is given by lot.

    Who draws the excuse draws again.
    Rule: 005 p4.
    """
    if rules.deal.first_dealer == "lot":
        return ()
    return tuple(card for card in rng.sample(PACK, table + 1) if card is not EXCUSE)[:table]


def drawn_dealer(rules: FrenchRules, drawn: Sequence[Card]) -> Seat | None:
    """Who deals first when everybody has drawn one of these cards: whoever has the lowest.

    Trumps are above suits; of two cards of the same rank spades are highest, then hearts, diamonds, clubs.
    Rule: 005 p4.
    """
    if rules.deal.first_dealer == "lot" or not drawn or EXCUSE in drawn:
        return None
    return drawn.index(min(drawn, key=_height))


def _height(card: Card) -> tuple[bool, int, int]:
    """How high a card is that is drawn for the first deal."""
    if card.bit & TRUMPS:
        return True, card.index, 0
    return False, card.index % SUIT_LENGTH, UPWARDS.index(SUITS[card.suit])


def first_out(rules: FrenchRules, table: int, dealer: Seat) -> None:
    """Nobody sits out."""


def picked_up(rules: FrenchRules, state: State) -> tuple[Card, ...]:
    """The pack for the next deal, where it is not shuffled; a view may not know every card of it."""
    if rules.deal.shuffle != "never":
        return ()
    pack = pick_up(rules, state)
    return pack if len(pack) == 78 else ()


def founding(rules: FrenchRules, table: int, active: Sequence[Seat], cup: Cup) -> list[Transfer]:
    """Nothing is paid into cups."""
    return []


def divided(
    rules: FrenchRules, cups: Mapping[Cup, int], totals: Sequence[int], dealer: Seat, lot: Seat
) -> list[Transfer]:
    """There is nothing to divide."""
    return []


def due_declarations(rules: FrenchRules, state: State, seat: Seat) -> tuple[Declaration, ...]:
    """Nobody declares."""
    return ()


def paid_declarations(rules: FrenchRules, state: State, seat: Seat) -> list[tuple[Declaration, int]]:
    """Nobody declares."""
    return []
