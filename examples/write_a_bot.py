"""A bot that always plays its lowest legal card, against two that play at random."""

from __future__ import annotations

from random import Random

from ultimo import rulebook
from ultimo.cards import cards
from ultimo.events import Action, Play
from ultimo.play.choices import Choices
from ultimo.players import Match, Player, RandomPlayer, View


class LowestCard:
    """Plays the lowest card it may; leaves everything else to chance."""

    def __init__(self, seed: int) -> None:
        self._rng = Random(seed)

    def choose(self, view: View, choices: Choices, /) -> Action:
        """The first legal card in the order of the pack."""
        if may := choices.cards():
            lowest = Play(cards(may)[0])
            if lowest in choices:
                return lowest
        return choices.draw(self._rng)


if __name__ == "__main__":
    rules = rulebook.load("dtf")
    players: dict[int, Player] = {0: LowestCard(1), 1: RandomPlayer(1), 2: RandomPlayer(2)}
    match = Match(rules, ["Low", "Bo", "Eva"], players, Random(3))
    for _ in match.play_deals(20):
        pass
    match.close()
    print(dict(zip(match.state.names, match.state.totals, strict=True)))
