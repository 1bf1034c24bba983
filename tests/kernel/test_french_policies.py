"""The French policies: what they look at, and what they do."""

from __future__ import annotations

import os
from collections.abc import Iterator
from random import Random

import numpy as np
import pytest

from french_arrays import from_state
from french_table import opened, rules_of
from ultimo import french
from ultimo.events import DealEvent, Seat
from ultimo.kernel.dice import SHUFFLE, generator
from ultimo.kernel.french import layout as at
from ultimo.kernel.french.bridge import from_view, to_deal
from ultimo.kernel.french.deal import act, array_of, blank, deal, legal
from ultimo.kernel.french.memory import fill, remember
from ultimo.kernel.french.policy.choose import choose
from ultimo.kernel.french.policy.odds import ROLES
from ultimo.kernel.french.policy.reasons import PRINCIPLES
from ultimo.kernel.french.run import by_seat, play_out
from ultimo.kernel.jit import Ints, Words
from ultimo.kernel.policy import BEGINNER, CLUB, RANDOM
from ultimo.play.choices import Choices
from ultimo.players.policy import french as french_policies
from ultimo.rulebook import FrenchRules

BOOKS = ("french3", "french4", "french5")
LONG = bool(os.environ.get("ULTIMO_LONG"))
DEALS = 200 if LONG else 8
MIXED = (CLUB, BEGINNER, RANDOM)


class Watched:
    """A deal at the table, with the view of every seat beside it."""

    def __init__(self, rules: FrenchRules, number: int) -> None:
        self.rules = rules
        dealer = number % rules.players
        self.views: dict[Seat, french.State] = {}
        begun = opened(rules, dealer)
        self.state = french.initial(rules, begun)
        for seat in range(rules.players):
            self.views[seat] = french.initial(rules, begun)
        s = blank()
        deal(array_of(rules), s, dealer, np.zeros(SHUFFLE, np.int64), generator(21, number))
        self._tell(french.decide(rules, self.state, None, to_deal(rules, s)))

    def _tell(self, events: tuple[DealEvent, ...]) -> None:
        for event in events:
            for seat, view in self.views.items():
                seen = french.seen_by(self.rules, self.state, seat, event)
                self.views[seat] = french.evolve(self.rules, view, seen)
            self.state = french.evolve(self.rules, self.state, event)

    def turns(self, policies: Ints, dice: Words) -> Iterator[Seat]:
        """Whose turn it is, until the end; everybody acts by a policy on the view."""
        while waiting := french.waiting_for(self.rules, self.state):
            (seat,) = waiting
            yield seat
            action, _, _ = french_policies.choose(
                self.rules, self.views[seat], seat, int(policies[seat]), dice
            )
            assert action in self.choices(seat)
            self._tell(french.decide(self.rules, self.state, seat, action))

    def choices(self, seat: Seat) -> Choices:
        """What a seat may do."""
        return french.legal(self.rules, self.state, seat)


def rows(rules: FrenchRules, state: french.State) -> tuple[Ints, Ints]:
    """A state's cards as a world: hands, and what is laid aside."""
    together = from_state(rules, state)
    aside = state.chien | state.ecart
    suits = [*together[at.SUITS : at.SUITS + rules.players], aside & (1 << 56) - 1]
    trumps = [*together[at.TRUMPS : at.TRUMPS + rules.players], aside >> 56]
    return np.array(suits, np.int64), np.array(trumps, np.int64)


@pytest.mark.parametrize("book", BOOKS)
def test_a_policy_needs_no_more_than_its_seat_has_seen(book: str) -> None:
    """Told the whole truth or the view of a seat, it does the same for the same reason, and it is legal."""
    rules = rules_of(book)
    n, principles = array_of(rules), set()
    for number in range(DEALS):
        table, dice = Watched(rules, number), generator(22, number)
        policies = by_seat(MIXED[number % 3 :] + MIXED[: number % 3])
        for seat in table.turns(policies, dice):
            for policy in (CLUB, BEGINNER):
                whole, part = from_state(rules, table.state), from_view(rules, table.views[seat], seat)
                action = choose(policy, n, whole, dice)
                assert action == choose(policy, n, part, dice)
                assert (whole[at.WHY], whole[at.ROLE]) == (part[at.WHY], part[at.ROLE])
                assert may(n, whole, action)
                if policy == CLUB:
                    principles.add(PRINCIPLES[whole[at.WHY]])
                    assert ROLES[whole[at.ROLE]]
    assert {"F7.1", "F7.4", "F7.5", "F7.6"} <= principles


def may(n: Ints, s: Ints, action: int) -> bool:
    """Whether an action is legal."""
    suits, trumps, words = map(int, legal(n, s))
    return bool((suits | trumps << 56 | words << at.FIRST_WORD) >> action & 1)


@pytest.mark.parametrize("book", BOOKS)
def test_the_truth_filled_into_a_view_is_the_whole_deal(book: str) -> None:
    rules = rules_of(book)
    n = array_of(rules)
    for number in range(DEALS):
        table, dice = Watched(rules, number), generator(23, number)
        for step, seat in enumerate(table.turns(by_seat(MIXED), dice)):
            if step % 5:
                continue
            viewer = (seat + step) % rules.players
            s = from_view(rules, table.views[viewer], viewer)
            fill(n, s, *rows(rules, table.state))
            assert s[: at.REMEMBERED].tolist() == from_state(rules, table.state)[: at.REMEMBERED].tolist()


@pytest.mark.parametrize("book", BOOKS)
def test_a_bot_at_the_table_plays_as_in_the_kernel(book: str) -> None:
    rules = rules_of(book)
    for number in range(DEALS):
        table = Watched(rules, number)
        s = from_state(rules, table.state)
        for _ in table.turns(by_seat((CLUB, BEGINNER)), generator(1, 1)):
            pass
        if s[at.PHASE] != at.CLOSED:
            play_out(array_of(rules), s, by_seat((CLUB, BEGINNER)), generator(1, 1))
            assert s[at.NET : at.NET + rules.players].tolist() == list(table.state.net)


def test_memory_is_public() -> None:
    """What a seat remembers is what any other does, whatever it holds."""
    rules = rules_of("french5")
    for number in range(DEALS):
        table = Watched(rules, number)
        for _ in table.turns(by_seat(MIXED), generator(24, number)):
            told = {
                tuple(from_view(rules, view, seat)[at.LENGTH : at.REMEMBERED].tolist())
                for seat, view in table.views.items()
            }
            assert len(told) == 1


def test_a_view_has_no_array_before_the_cards() -> None:
    rules = rules_of()
    with pytest.raises(ValueError, match="not been dealt"):
        from_view(rules, french.initial(rules, opened(rules, 0)), 0)


@pytest.mark.parametrize("book", BOOKS)
def test_remembering_goes_on_where_a_view_was_filled(book: str) -> None:
    """From the middle of a deal it can be played out in a world, and the memory stays that of the table."""
    rules = rules_of(book)
    n = array_of(rules)
    rng = Random(5)
    for number in range(DEALS):
        table, dice = Watched(rules, number), generator(25, number)
        for seat in table.turns(by_seat((CLUB,)), dice):
            if rng.random() > 0.2 or table.state.phase == "ecart":
                continue
            s = from_view(rules, table.views[seat], seat)
            fill(n, s, *rows(rules, table.state))
            one = from_state(rules, table.state)
            for array in (s, one):
                for _ in range(6):
                    if array[at.PHASE] != at.CLOSED:
                        action = choose(CLUB, n, array, dice)
                        remember(n, array, action)
                        act(n, array, action)
            assert s[: at.REMEMBERED].tolist() == one[: at.REMEMBERED].tolist()
