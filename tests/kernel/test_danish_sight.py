"""Players who look about see what everybody has seen, and nothing else."""

from __future__ import annotations

from random import Random

import numpy as np
import pytest

from kernel.danish_engine import Twice
from table import DANISH, danish_rules
from ultimo.danish.facts import NET
from ultimo.danish.outcome import Order
from ultimo.kernel.danish import deal as kernel_deal
from ultimo.kernel.danish import layout as at
from ultimo.kernel.danish import memory
from ultimo.kernel.danish.bridge import PHASES, from_action, from_view, to_action
from ultimo.kernel.danish.past import lay_out
from ultimo.kernel.danish.policy.choose import choose, choose_by_sight
from ultimo.kernel.danish.run import do, sessions
from ultimo.kernel.policy import BEGINNER, CLUB, RANDOM
from ultimo.rulebook import DanishRules

LEVELS = (BEGINNER, CLUB)


class Watched(Twice):
    """A deal whose memory is kept up by the kernel, and told anew from the engine's state."""

    def __init__(self, rules: DanishRules, order: Order, seed: int) -> None:
        super().__init__(rules, 3, order, seed, 60, 45)
        self.s = np.concatenate([self.s, np.zeros(at.LENGTH - at.SIZE, np.int64)])
        self.decisions = 0

    def _act(self, action: int) -> None:
        self._assert_same_sight()
        laying, truth = self.s[at.PHASE] == at.LAYING, self.s.copy()
        do(self.n, truth, self.w.copy(), action)
        memory.remember(self.n, self.s, action)
        super()._act(action)
        if laying and self.s[at.PHASE] != at.LAYING:
            memory.hear(self.n, self.s, self.w)
        assert (truth == self.s).all()

    def _assert_same_sight(self) -> None:
        """What the seat in turn sees by the engine is what stands in the array; a policy sees no more."""
        place = self.s[at.TURN]
        seat = self.order[place]
        if self.state.phase not in PHASES or self.laid or self.s[at.TOUT_LAID]:
            return
        whole = from_view(self.rules, self.state, seat)
        assert list(whole[at.SIZE :]) == list(self.s[at.SIZE :])
        for spot in (
            at.SUITS,
            at.TRUMPS,
            at.SKAT_SUITS,
            at.NUMBER,
            at.LED,
            at.PLAYED,
            at.SKUS_GONE,
            at.HONOURS,
            NET,
        ):
            assert whole[spot] == self.s[spot]
        seen = blinded(whole, int(place))
        for policy in LEVELS:
            action = self._chosen(policy, self.s)
            assert action == self._chosen(policy, whole) == self._chosen(policy, seen)
            assert action in self._legal()
            if self.s[at.PHASE] != at.LAYING:
                assert from_action(to_action(int(self.s[at.PHASE]), action)) == action
            self.decisions += 1

    def _chosen(self, policy: int, s: np.ndarray) -> int:
        return int(choose_by_sight(policy, self.n, s.copy(), np.zeros(at.PAPER, np.int64)))


def blinded(s: np.ndarray, place: int) -> np.ndarray:
    """The array without what the place cannot see."""
    seen = s.copy()
    for other in {0, 1, 2} - {place}:
        for spot in (at.SUITS, at.TRUMPS, at.DEALT_SUITS, at.DEALT_TRUMPS):
            seen[spot + other] = 0
    if place != 2:
        seen[at.SKAT_SUITS] = seen[at.SKAT_TRUMPS] = 0
    return seen


@pytest.mark.parametrize("book", DANISH)
def test_a_policy_sees_what_its_seat_sees(book: str) -> None:
    rng, decisions = Random(f"sight {book}"), 0
    for seed in range(6):
        deal = Watched(danish_rules(book), rng.choice(((0, 1, 2), (2, 0, 1))), seed)
        deal.play(rng)
        decisions += deal.decisions
    assert decisions > 700


@pytest.mark.parametrize("book", DANISH)
def test_a_world_filled_in_is_the_deal(book: str) -> None:
    """With the true cards in the array of a view, the rest of the deal is the true one."""
    rules = danish_rules(book)
    rng = Random(f"fill {book}")
    deal = Watched(rules, (1, 2, 0), 3)
    filled = 0
    while deal.s[at.PHASE] != at.CLOSED:
        if deal.s[at.PHASE] == at.DEALING:
            deal._deal()
            continue
        deal._pass_over()
        place = int(deal.s[at.TURN])
        if deal.s[at.PHASE] == at.PLAY:
            s = blinded(from_view(rules, deal.state, deal.order[place]), place)
            suits, trumps = np.zeros((2, 1, 4), np.int64)
            for number, seat in enumerate(deal.order):
                suits[0, seat], trumps[0, seat] = deal.s[at.SUITS + number], deal.s[at.TRUMPS + number]
            suits[0, 3], trumps[0, 3] = deal.s[at.SKAT_SUITS], deal.s[at.SKAT_TRUMPS]
            states = np.zeros((1, at.LENGTH), np.int64)
            lay_out(s, np.array(deal.order, np.int64), suits, trumps, states)
            assert _end(rules, states[0]) == _end(rules, deal.s)
            filled += 1
        deal._act(rng.choice(deal._legal()))
    assert filled == 75


def _end(rules: DanishRules, s: np.ndarray) -> list[int]:
    """The points, if the club's player goes on for everybody."""
    n, s, w, dice = (
        kernel_deal.array_of(rules),
        s.copy(),
        np.zeros(at.PAPER, np.int64),
        np.zeros(1, np.uint64),
    )
    while s[at.PHASE] != at.CLOSED:
        do(n, s, w, choose(CLUB, n, s, w, dice))
    return [int(points) for points in s[NET : NET + 3]]


@pytest.mark.parametrize("book", DANISH)
def test_the_ladder_of_policies_stands(book: str) -> None:
    """One seat of the higher level gains; the measured ladder is in the documentation."""
    rules = danish_rules(book)
    for higher, lower in ((BEGINNER, RANDOM), (CLUB, BEGINNER)):
        gain = 0
        for seat in range(3):
            policies = [lower] * 3
            policies[seat] = higher
            rows = sessions(rules, table=3, seed=5, first=0, number=100, length=15, policies=policies)
            gain += int(rows[:, 5 + seat].sum())
        assert gain > 0
