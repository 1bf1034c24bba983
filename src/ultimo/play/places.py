"""Places at the table, and on it: who sits where, what lies aside."""

from __future__ import annotations

from typing import Literal, NamedTuple, TypeAlias

from ultimo.cards import UNSEEN, Cards
from ultimo.events import Seat, SomeCards

Role: TypeAlias = Literal["dealer", "forehand", "middle", "sitter", "taker", "partner"]
BLOCK = 5  # deals that one of five sits out in a row


class Places(NamedTuple):
    """Who deals, and who sits out for five deals, where somebody does."""

    dealer: Seat
    out: Seat | None


def begun(dealer: Seat, out: Seat | None) -> int:
    """How many of its five deals somebody has sat out already when this seat deals first.

    Only where the first dealer sits two seats before them does everybody come back as forehand.
    Rule: I-1.8.
    """
    return 0 if out is None else (3, 4, 1, 2).index((dealer - out) % BLOCK)


class Aside(NamedTuple):
    """Cards that lie aside: those that the reader knows, and how many others there are."""

    kind: Literal["skat", "chien", "ecart"]
    known: Cards
    unseen: int


def right_of(seat: Seat, table: int) -> tuple[Seat, ...]:
    """Everybody at the table from the right of a seat, which comes last.

    Everything goes to the right, anticlockwise, also where a text says “from left to right”.
    Rule: I-1.7; 002 §5.
    """
    return tuple((seat + place) % table for place in range(1, table + 1))


def face_down(cards: SomeCards) -> SomeCards:
    """As many unseen cards."""
    return (UNSEEN,) * len(cards)


def own_hand(hands: tuple[SomeCards, ...], viewer: Seat | None) -> tuple[SomeCards, ...]:
    """All hands as one of the seats, or a spectator, sees them."""
    return tuple(hand if seat == viewer else face_down(hand) for seat, hand in enumerate(hands))
