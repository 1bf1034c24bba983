"""What follows from what a seat knows of a Danish deal: each supposition is tried by looking for a world.

Where one is found, the supposition is possible. Where the cards cannot be laid out so, or none of many that
were laid out fits what was declared, it is not.
"""

from __future__ import annotations

from collections.abc import Iterable

from msgspec import Struct
from msgspec.structs import replace

from ultimo import events as e
from ultimo.cards import ALL_TRUMPS, TRUMPS, Card
from ultimo.danish.numbers import numbers
from ultimo.danish.state import State
from ultimo.kernel.dice import generator
from ultimo.kernel.worlds import danish
from ultimo.kernel.worlds.draw import sampler
from ultimo.kernel.worlds.facts import Facts, Heard, Impossible, Spoken, heard
from ultimo.kernel.worlds.knowledge import arranged
from ultimo.rulebook import DanishRules

PATIENCE = 20_000  # worlds that are laid out at most for one that fits
MOST_TRUMPS = 22


class Reader(Struct, frozen=True):
    """Reads a deal from what a seat has seen."""

    rules: DanishRules
    state: State
    heard: Heard

    def can_lie(self, card: Card, row: int) -> bool:
        """Whether a card that the seat has not seen can lie in a row: with a seat, or last in the skat."""
        facts = self._facts()
        facts.only(card.bit, row)
        return self._fits(facts)

    def can_lie_in_skat(self) -> bool:
        """Whether there can be a trump in a skat that the seat has not seen."""
        facts = self._facts()
        row = len(facts.room) - 1
        facts.some.append(((row,), TRUMPS))
        return bool(facts.may[row] & facts.unlocated() & TRUMPS) and self._fits(facts)

    def trumps(self, seat: e.Seat) -> tuple[int, int]:
        """The fewest and the most trumps, the skus among them, that a hand can have been dealt.

        It is not the dealer's, unless that hand is the seat's own: a skat goes with it.
        """
        possible = [number for number in range(MOST_TRUMPS + 1) if self._can_have(seat, number)]
        return possible[0], possible[-1]

    def _can_have(self, seat: e.Seat, number: int) -> bool:
        facts = self._facts()
        for place, one in enumerate(facts.spoken):
            if one.rows == (seat,):
                if not one.least <= number <= one.most:
                    return False
                facts.spoken[place] = replace(one, least=number, most=number)
        return self._fits(facts)

    def _facts(self) -> Facts:
        return danish.facts(self.rules, self.state, self.heard)

    def _fits(self, facts: Facts) -> bool:
        """Whether there is a world."""
        try:
            facts.settle()
        except Impossible:
            return False
        if not all(_says_enough(facts, one) for one in facts.spoken):
            return False
        known = arranged(facts, numbers(self.rules))
        return len(sampler(known).draw(1, generator(0, 0), PATIENCE)) == 1


def _says_enough(facts: Facts, one: Spoken) -> bool:
    """Whether a hand that is known to the last card has as many trumps as it has declared."""
    held = one.played
    for row in one.rows:
        if facts.room[row]:
            return True
        held |= facts.known[row]
    return one.least <= (held & ALL_TRUMPS).bit_count() <= one.most


def reader(rules: DanishRules, state: State, seen: Iterable[e.DealEvent]) -> Reader:
    """Who reads a deal from all that a seat has seen of it."""
    return Reader(rules, state, heard(seen))
