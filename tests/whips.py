"""What a good player works out at a Danish table: whips, hits, signals, leads (rules F1.5, F2, F3.11, F3.12).

Plain arithmetic on what everybody sees; the probabilities of hidden cards are the sampler's business.
"""

from __future__ import annotations

from collections.abc import Iterable
from typing import Literal, NamedTuple, TypeAlias

from ultimo.cards import PACK, Card
from ultimo.kernel.danish.policy.odds import card_at, height_of
from ultimo.play.following import FIRST_TRUMP

Signal: TypeAlias = Literal["to", "from"]

SUIT_LENGTH = 14
TO_LENGTH = 4  # so many cards are shown as «to»


class Whip(NamedTuple):
    """What long suits do to the two other hands together: tarokker driven out, and leads needed."""

    driven: int
    leads: int


def whips(lengths: Iterable[int]) -> Whip:
    """A suit of so many cards, led to its end: the others have the rest, and trump the other times (F1.5)."""
    found = [(2 * length - (SUIT_LENGTH - length), length) for length in lengths]
    return Whip(sum(max(0, driven) for driven, _ in found), sum(leads for _, leads in found))


def hits(whip: int, length: int) -> int:
    """How many tarokker a whip takes from a hand that has so many cards of the suit (F3.7)."""
    return max(0, whip - length)


def length_when_hit(lead: int) -> int:
    """How many cards of a suit a hand had that first trumps it on this lead."""
    return lead - 1


def third_length(one: int, other: int) -> int:
    """How many cards of a suit the third hand has, if the skat has none (F2.8)."""
    return SUIT_LENGTH - one - other


def tarokker_after(tarokker: int, whip: int, length: int) -> int:
    """How many tarokker a hand has left when a whip has been played to its end (F3.11)."""
    return max(0, tarokker - hits(whip, length))


def fallen(number: int) -> tuple[int, int]:
    """The French count of tarokker: how many have fallen from the left and from the right hand (F2.6)."""
    left, right = divmod(number, 10)
    return left, right


def signal_of(length: int) -> Signal:
    """What a hand shows that has so many cards of a suit (F2.7)."""
    return "to" if length >= TO_LENGTH else "from"


def signal(first: Card, second: Card) -> Signal:
    """What two cards of a suit show: low, then high is «to». Red pips stand the other way round (F2.7)."""
    return "to" if height_of(second.index) > height_of(first.index) else "from"


def below(lead: Card) -> Card | None:
    """The next lower card, which he holds who leads the highest of touching cards (F3.9)."""
    height = height_of(lead.index)
    if height == 0:
        return None
    if lead.index >= FIRST_TRUMP:
        return PACK[lead.index - 1]
    return PACK[card_at(lead.index // 14, height - 1)]


def are_balanced(king_tarokker: int, pagat_tarokker: int) -> bool:
    """Whether two fighters are: he who plays for a king needs to be one tarok ahead of the pagat (F3.12)."""
    return king_tarokker - pagat_tarokker == 1
