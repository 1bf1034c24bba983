"""What everybody has seen of a deal, as a sequence of words: for models that read sequences.

A word is an action by its number, or something that was told: trumps declared, a card that a declaration
names, a card of the chien, a trump that was shown. A token is a word together with the player who has said
or done it, counted in the order of play from the reader on: `player * vocabulary + word`. What is laid is
secret and no word; neither is a "no" to what only some are asked, which would tell something of their cards.
A poignée is told by its trumps, all at once.
"""

from __future__ import annotations

from collections.abc import Iterator
from typing import Final, NamedTuple

import numpy as np

from ultimo.events import Seat
from ultimo.kernel.bits import lowest
from ultimo.kernel.danish import layout as danish_at
from ultimo.kernel.french import layout as french_at
from ultimo.kernel.jit import Ints, inlined
from ultimo.play.following import FIRST_TRUMP, PACK_SIZE
from ultimo.rulebook import DanishRules, Rules

MOST_TRUMPS: Final = PACK_SIZE - FIRST_TRUMP
TRUMPS_DECLARED: Final = danish_at.ACTIONS  # and the number of trumps behind it
TOLD: Final = TRUMPS_DECLARED + MOST_TRUMPS + 1  # and a card that was told by declaring
DANISH_WORDS: Final = TOLD + PACK_SIZE
CHIEN: Final = french_at.ACTIONS  # and a card of the chien
SHOWN: Final = CHIEN + PACK_SIZE  # and a trump of a poignée
FRENCH_WORDS: Final = SHOWN + PACK_SIZE


class Words(NamedTuple):
    """Words of one kind: so many numbers from the first on."""

    first: int
    number: int
    about: str


KINDS: Final = {
    "danish": (
        Words(0, danish_at.ACTIONS, "an action that everybody sees or hears, by its number"),
        Words(TRUMPS_DECLARED, MOST_TRUMPS + 1, "trumps declared: how many"),
        Words(TOLD, PACK_SIZE, "a card that a declaration names"),
    ),
    "french": (
        Words(0, french_at.ACTIONS, "an action that everybody sees or hears, by its number"),
        Words(CHIEN, PACK_SIZE, "a card of the chien that is turned up; the taker says it"),
        Words(SHOWN, PACK_SIZE, "a trump that is shown as part of a poignée"),
    ),
}
MOST_WORDS: Final = 128  # of one action: every card is told once at most, and so is every number of trumps


def vocabulary(rules: Rules) -> int:
    """How many words there are."""
    return DANISH_WORDS if isinstance(rules, DanishRules) else FRENCH_WORDS


def said(rules: Rules, before: Ints, after: Ints, action: int) -> Iterator[tuple[int, int]]:
    """The words that everybody hears as an action is done, each with the place that says it."""
    write = danish_words if isinstance(rules, DanishRules) else french_words
    paper = np.empty((MOST_WORDS, 2), np.int64)
    words = write(before, after, action, paper)
    return ((place, word) for place, word in paper[:words].tolist())


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


@inlined
def danish_words(before: Ints, after: Ints, action: int, said: Ints) -> int:
    """Write down what everybody hears of an action, each word behind its place; how many words."""
    at = danish_at
    phase, words = before[at.PHASE], 0
    if phase in (at.PLAY, at.NAME) or action in (at.NOLO, at.TOUT, at.DEMAND_SKUS, at.DEMAND_REDEAL):
        words = _say(said, words, before[at.TURN], action)
    elif after[at.HEARD] and not before[at.HEARD]:
        for place in range(at.PLACES):
            if after[at.TAROKKER + place]:
                words = _say(said, words, place, TRUMPS_DECLARED + after[at.TAROKKER + place])
            suits, trumps = after[at.HELD_SUITS + place], after[at.HELD_TRUMPS + place]
            words = _say_cards(said, words, place, TOLD, suits, trumps)
    return words


@inlined
def french_words(before: Ints, after: Ints, action: int, said: Ints) -> int:
    """Write down what everybody sees of an action, each word behind its seat; how many words."""
    at = french_at
    phase, seat, words = before[at.PHASE], before[at.TURN], 0
    if (phase in (at.BIDDING, at.CALLING, at.PLAYING) and action < at.SHOW) or action == at.SLAM:
        words = _say(said, words, seat, action)
    if not before[at.CHIEN_SEEN_SUITS] | before[at.CHIEN_SEEN_TRUMPS]:
        suits, trumps = after[at.CHIEN_SEEN_SUITS], after[at.CHIEN_SEEN_TRUMPS]
        words = _say_cards(said, words, after[at.TAKER], CHIEN, suits, trumps)
    if (phase == at.SHOWING or action >= at.SHOW) and after[at.PHASE] != at.SHOWING:
        words = _say_cards(said, words, seat, SHOWN, 0, after[at.SHOWN_TRUMPS + seat])
    return words


@inlined
def _say(said: Ints, words: int, place: int, word: int) -> int:
    said[words, 0] = place
    said[words, 1] = word
    return words + 1


@inlined
def _say_cards(said: Ints, words: int, place: int, kind: int, suits: int, trumps: int) -> int:
    """A word for every card of a set, in the order of the pack."""
    while suits:
        words = _say(said, words, place, kind + lowest(suits))
        suits &= suits - 1
    while trumps:
        words = _say(said, words, place, kind + FIRST_TRUMP + lowest(trumps))
        trumps &= trumps - 1
    return words
