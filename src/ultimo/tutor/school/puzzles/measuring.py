"""How hard a puzzle is: by chance, and for bots who do not see the others' cards.

A puzzle is as hard as it is unlikely to be solved by chance, in bits: a decision among eight moves of which
one is right is three. What a beginner or a club player finds from what their seat knows is easier than what
they do not find.
"""

from __future__ import annotations

from collections.abc import Sequence
from math import log2

from msgspec import Struct

from ultimo import deal
from ultimo import events as e
from ultimo.analysis import position
from ultimo.players.policy.levels import Beginner, Club, PolicyPlayer
from ultimo.rulebook import Rules
from ultimo.tutor.lines import Table
from ultimo.tutor.school.puzzles.playing import Game, Place
from ultimo.tutor.school.puzzles.puzzle import MEAN

USUAL_BITS, PER_BIT = 3.55, 110  # of a usual puzzle, and what a bit more is worth
BEGINNER, CLUB = 60, 110  # what it is worth whether they find it


class Measured(Struct, frozen=True):
    """The bits of a puzzle, and whether bots solve it; nothing is known where its past is not."""

    bits: float
    beginner: bool | None = None
    club: bool | None = None

    @property
    def rating(self) -> int:
        """The rating with which a puzzle begins."""
        value = MEAN + PER_BIT * (self.bits - USUAL_BITS)
        for found, worth in ((self.beginner, BEGINNER), (self.club, CLUB)):
            value += 0 if found is None else -worth if found else worth
        return round(value)


def bits(game: Game) -> float:
    """How unlikely a puzzle is to be solved by chance."""
    return -sum(log2(one.share) for one in game.play(game.line()).decisions)


def measured(game: Game, rules: Rules, events: Sequence[e.DealEvent]) -> Measured:
    """A puzzle measured where it was found: after some events of a deal."""
    return Measured(
        bits(game),
        *(_solves(player, game, rules, events) for player in (Beginner(), Club())),
    )


def _solves(player: PolicyPlayer, game: Game, rules: Rules, events: Sequence[e.DealEvent]) -> bool:
    """Whether a bot at every seat of the solver finds right moves to the end, knowing what its seat knows."""
    table, done = Table(rules, events), 0
    letters, really = game.start.board.letters, position.seats(table.truth)
    place = game.defended(game.start)
    wishes = False  # to demand the skus, said when everybody is asked
    while game.over(place.board) is None:
        for made in place.board.made[done:]:
            asks = table.truth.phase == "demand" and made.seat in game.side
            seat = really[letters[made.seat]]  # a position seats everybody anew
            wishes = wishes or (asks and isinstance(_chosen(player, table, seat), e.DemandSkus))
            table.act(seat, made.action)
        done = len(place.board.made)
        asked = game.asked(place)
        mover = asked.options[0].seat
        if mover == place.board.turn:
            action = _chosen(player, table, really[letters[mover]])
        else:
            action = e.DemandSkus() if wishes else e.Decline()
        if not any(one.action == action and one.right for one in asked.options):
            return False
        place = game.defended(Place(place.board, place.waited).after(action))
    return True


def _chosen(player: PolicyPlayer, table: Table, seat: e.Seat) -> e.Action:
    view = table.view(seat)
    return player.choose(view, deal.legal(table.rules, view.deal, seat))
