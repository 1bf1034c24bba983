"""What everybody has seen of a deal, as a sequence of words: for models that read sequences.

A word is an action by its number, or something that was told: trumps declared, a card that a declaration
names, a card of the chien, a trump that was shown. A token is a word together with the player who has said
or done it, counted in the order of play from the reader on: `player * vocabulary + word`. What is laid is
secret and no word; neither is a "no" to what only some are asked, which would tell something of their cards.
A poignée is told by its trumps, all at once.
"""

from __future__ import annotations

from collections.abc import Iterator
from typing import Final

from ultimo.cards import indices
from ultimo.events import Seat
from ultimo.kernel.danish import layout as danish_at
from ultimo.kernel.french import layout as french_at
from ultimo.kernel.jit import Ints
from ultimo.kernel.sets import cards_in
from ultimo.play.following import FIRST_TRUMP, PACK_SIZE
from ultimo.rulebook import DanishRules, Rules

MOST_TRUMPS: Final = 22
TRUMPS_DECLARED: Final = danish_at.ACTIONS  # and the number of trumps behind it
TOLD: Final = TRUMPS_DECLARED + MOST_TRUMPS + 1  # and a card that was told by declaring
DANISH_WORDS: Final = TOLD + PACK_SIZE
CHIEN: Final = french_at.ACTIONS  # and a card of the chien
SHOWN: Final = CHIEN + PACK_SIZE  # and a trump of a poignée
FRENCH_WORDS: Final = SHOWN + PACK_SIZE


def vocabulary(rules: Rules) -> int:
    """How many words there are."""
    return DANISH_WORDS if isinstance(rules, DanishRules) else FRENCH_WORDS


def said(rules: Rules, before: Ints, after: Ints, action: int) -> Iterator[tuple[int, int]]:
    """The words that everybody hears as an action is done, each with the place that says it."""
    return (
        _danish(before, after, action) if isinstance(rules, DanishRules) else _french(before, after, action)
    )


class History:
    """The words of the deal that is being played, each with the seat that has said or done it."""

    def __init__(self, rules: Rules) -> None:
        self._rules, self._words = rules, vocabulary(rules)
        self._seats: tuple[Seat, ...] = ()
        self.said: tuple[tuple[Seat, int], ...] = ()

    def begin(self, seats: tuple[Seat, ...]) -> None:
        """A new deal, with these seats in the order of play."""
        self._seats, self.said = seats, ()

    def note(self, before: Ints, after: Ints, action: int) -> None:
        """An action was done."""
        self.said += tuple(
            (self._seats[place], word) for place, word in said(self._rules, before, after, action)
        )

    def tokens(self, reader: Seat) -> tuple[int, ...]:
        """The sequence as a seat reads it."""
        me = self._seats.index(reader)
        players = len(self._seats)
        return tuple(
            (self._seats.index(seat) - me) % players * self._words + word for seat, word in self.said
        )


def _danish(before: Ints, after: Ints, action: int) -> Iterator[tuple[int, int]]:
    at = danish_at
    phase, place = before[at.PHASE], int(before[at.TURN])
    if phase in (at.PLAY, at.NAME) or action in (at.NOLO, at.TOUT, at.DEMAND_SKUS, at.DEMAND_REDEAL):
        yield place, action
    elif after[at.HEARD] and not before[at.HEARD]:
        for one in range(at.PLACES):
            if trumps := int(after[at.TAROKKER + one]):
                yield one, TRUMPS_DECLARED + trumps
            for card in indices(cards_in(after[at.HELD_SUITS + one], after[at.HELD_TRUMPS + one])):
                yield one, TOLD + card


def _french(before: Ints, after: Ints, action: int) -> Iterator[tuple[int, int]]:
    at = french_at
    phase, seat = before[at.PHASE], int(before[at.TURN])
    if (phase in (at.BIDDING, at.CALLING, at.PLAYING) and action < at.SHOW) or action == at.SLAM:
        yield seat, action
    turned = cards_in(after[at.CHIEN_SEEN_SUITS], after[at.CHIEN_SEEN_TRUMPS])
    if turned and not before[at.CHIEN_SEEN_SUITS] | before[at.CHIEN_SEEN_TRUMPS]:
        for card in indices(turned):
            yield int(after[at.TAKER]), CHIEN + card
    if (phase == at.SHOWING or action >= at.SHOW) and after[at.PHASE] != at.SHOWING:
        for trump in indices(int(after[at.SHOWN_TRUMPS + seat])):
            yield seat, SHOWN + FIRST_TRUMP + trump
