"""The values of a prompt: a question, numbered options with a default, and words of help."""

from __future__ import annotations

from collections.abc import Callable
from typing import TypeAlias, Union

from msgspec import Struct

from ultimo.cards import Card, Cards
from ultimo.events import Action, Lay, ShowPoignee, SomeCards
from ultimo.play.choices import Subset


class GoOn(Struct, frozen=True):
    """The person has seen enough of what is on the table."""


Wish: TypeAlias = Action | GoOn
Leads: TypeAlias = Union[Wish, Card, "Callable[[], Prompt]"]


class Option(Struct, frozen=True):
    """One thing to choose: a wish, a card of several that are chosen together, or another prompt."""

    label: str
    leads: Leads
    typed: tuple[str, ...] = ()  # what else may be typed for it
    card: Card | None = None  # the card in the hand that it stands for


class Pick(Struct, frozen=True):
    """So many cards are to be chosen: which sets may be, what is made of them, and a suggestion."""

    kind: type[Lay] | type[ShowPoignee]
    size: int
    sets: tuple[Subset, ...]
    wishes: Callable[[SomeCards], list[Action]]
    suggestion: SomeCards

    def open_to(self, picked: Cards) -> Cards:
        """The cards that may be added to those picked so far.

        >>> from ultimo.cards import cards, mask
        >>> pick = Pick(Lay, 3, (Subset(mask("T2"), mask("S1 S2 S3"), 3),), lambda _: [], ())
        >>> cards(pick.open_to(mask("S1"))), cards(pick.open_to(mask("S1 S2")))
        ((S2, S3, T2), (T2,))
        """
        together = 0
        for sets in self.sets:
            whole = sets.must | sets.among
            free = sets.size - (picked | sets.must).bit_count()
            if free >= 0 and not picked & ~whole:
                together |= (whole if free else sets.must) & ~picked
        return together


class Prompt(Struct, frozen=True):
    """What is asked. With `by_value` the options are numbers, and a number that is typed is meant itself."""

    question: str
    guide: str
    options: tuple[Option, ...]
    default: int = 0
    pick: Pick | None = None
    by_value: bool = False
    refusal: Callable[[Action], str] | None = None  # why something that is not offered may not be done
