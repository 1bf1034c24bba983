"""The solver is right: in random endings it values every action as trying everything does.

The quick share runs always; with ULTIMO_LONG at least a thousand endings for each rule set and objective.
"""

from __future__ import annotations

import os
import subprocess
import sys
from collections import Counter
from collections.abc import Iterator
from itertools import combinations, islice
from typing import Any, Literal, TypeAlias

import pytest

from analysis import reference
from analysis.endings import danish_endings, french_endings, house_rules
from analysis.reference import TooManyPositions, Tree
from table import DANISH, FRENCH, danish_rules
from ultimo import danish, deal, french
from ultimo.analysis.solver import MEMORY, Atom, Claim, Goal, Points, Solution, solve, team
from ultimo.cards import ULTIMO_CARDS, cards
from ultimo.events import Decline, Scored, Seat
from ultimo.rulebook import DanishRules, FrenchRules, RulebookError, Rules

LONG = "ULTIMO_LONG" in os.environ
SHARES = 20 if LONG else 1  # so that several processes can share the work
ENDINGS = 50 if LONG else 14  # in each share
SMALL = 1 << 12  # bytes: a table in which positions must displace each other all the time
LARGEST = 12_000 if LONG else 4_000  # positions in a tree

Side: TypeAlias = frozenset[Seat]
What: TypeAlias = Literal["ultimo", "bagud", "home", "lost", "lastTrick", "nolo", "tout"]
OBJECTIVES = ("lastTrick", "ultimo", "not ultimo", "bagud", "nolo", "one seat", "two seats", "everybody")


@pytest.fixture(autouse=True)
def help_at_once(monkeypatch: pytest.MonkeyPatch) -> None:
    """Where two threads search, both do, however short it is."""
    monkeypatch.setattr(team, "ALONE", 8)


def sides(state: danish.State) -> Iterator[Side]:
    """Every seat alone, and every two together."""
    for size in (1, 2):
        yield from map(frozenset, combinations(state.order, size))


def claims(state: danish.State) -> Iterator[tuple[str, Claim]]:
    """What may be claimed about an ending: every event with every card that can still bring it about."""
    for seat in state.order:
        yield "lastTrick", Claim((Atom("lastTrick", seat),))
        yield "nolo", Claim((Atom("nolo", seat),))
        yield "tout", Claim((Atom("tout", seat),))
        yield "any ultimo", Claim((Atom("ultimo", seat),))
        yield "no bagud", Claim((Atom("bagud", seat, holds=False),))
        yield "any home", Claim((Atom("home", seat),))
        yield "none lost", Claim((Atom("lost", seat, holds=False),))
        on_table = sum(play.card.bit for play in state.trick if play.seat == seat)
        for card in cards((state.hands[seat] | on_table) & ULTIMO_CARDS):
            yield "ultimo", Claim((Atom("ultimo", seat, card),))
            yield "not ultimo", Claim((Atom("ultimo", seat, card, holds=False),))
            yield "bagud", Claim((Atom("bagud", seat, card),))
            yield "home", Claim((Atom("home", seat, card),))
            yield "lost", Claim((Atom("lost", seat, card),))
            yield "lastTrick with", Claim((Atom("lastTrick", seat, card),))
            yield (
                "neither home nor ultimo",
                Claim((Atom("home", seat, card, holds=False), Atom("ultimo", seat, holds=False))),
            )


def endings(book: str, share: int) -> Iterator[tuple[DanishRules, danish.State, Tree]]:
    """The endings of a share that can be tried through."""
    for rules, state in danish_endings(book, f"share {share}"):
        try:
            yield rules, state, Tree(rules, state, LARGEST)
        except TooManyPositions:
            continue


@pytest.mark.parametrize("share", range(SHARES))
@pytest.mark.parametrize("book", DANISH)
def test_a_danish_ending_is_worth_what_trying_everything_gives(book: str, share: int) -> None:
    tried: Counter[str] = Counter()
    for number, (rules, state, tree) in enumerate(endings(book, share)):
        if number >= ENDINGS and all(tried[objective] >= ENDINGS for objective in OBJECTIVES):
            break
        tried.update(assert_claims(rules, state, tree, number))
        assert_points(rules, state, tree, SMALL if number % 2 else MEMORY)
        tried.update(("one seat", "two seats", "everybody"))


@pytest.mark.parametrize("book", DANISH if LONG else ("jensen", "basta"))
def test_every_house_rule_is_heeded(book: str) -> None:
    """Each parameter by itself; in the quick share those that are no numbers."""
    for key, value in house_rules(book):
        if not LONG and not isinstance(value, bool | str):
            continue
        try:
            house = danish_rules(book, {key: value})
        except RulebookError:  # it goes only together with another
            continue
        for rules, state in islice(danish_endings(book, key, most=3, rules=house), 20 if LONG else 3):
            try:
                tree = Tree(rules, state, LARGEST // 4)
            except TooManyPositions:
                continue
            assert_points(rules, state, tree, MEMORY)


def assert_claims(rules: DanishRules, state: danish.State, tree: Tree, number: int) -> set[str]:
    """Every claim, for one side after the other; which objectives there were."""
    everyone = list(sides(state))
    objectives = set()
    for place, (objective, claim) in enumerate(claims(state)):
        side = everyone[(number + place) % len(everyone)]
        value, actions = reference.forced(tree, claim.atoms, side)
        solution = solve(rules, state, claim, side, threads=1 + (number + place) % 2)
        where = (objective, claim, side, state)
        assert solution.exact, where
        assert [(one.seat, one.action, one.value) for one in solution.actions] == actions, where
        assert solution.value == value, where
        assert solution.points is None
        end = played_out(rules, state, solution)
        occurred = [reference.occurs(atom, end) is atom.holds for atom in claim.atoms]
        assert all(occurred) is bool(value), where
        if place % 4 == number % 4:
            assert_is_told_less(rules, state, claim, side, solution)
        objectives.add(objective)
    return objectives


def assert_points(rules: DanishRules, state: danish.State, tree: Tree, memory: int) -> None:
    """The points of every side, and those of everybody for himself."""
    for side in sides(state):
        value, actions = reference.gained(tree, side)
        solution = solve(rules, state, Points(), side, memory=memory, threads=1 + (memory == SMALL))
        where = (side, state)
        assert solution.exact, where
        assert [(one.seat, one.action, one.value) for one in solution.actions] == actions, where
        assert solution.value == value, where
        gains = played_out(rules, state, solution).gains
        assert sum(gains[seat] for seat in side) == value, where
        assert_is_told_less(rules, state, Points(), side, solution)
    gains, vectors = reference.everybody(tree)
    solution = solve(rules, state, memory=memory)
    assert solution.exact, state
    assert [(one.seat, one.action, one.points) for one in solution.actions] == vectors, state
    assert [one.value for one in solution.actions] == [vector[seat] for seat, _, vector in vectors], state
    assert solution.points == gains, state
    assert played_out(rules, state, solution).gains == gains, state
    assert_needs_no_line(rules, state, solution)
    assert_is_told_less(rules, state, Points(), None, solution)


def assert_is_told_less(
    rules: DanishRules, state: danish.State, goal: Goal, side: Side | None, solution: Solution
) -> None:
    """Who asks for the value alone, or for one action, is told the same; and what a limit leaves is true."""
    bare = solve(rules, state, goal, side, line=0, actions=())
    assert (bare.value, bare.points, bare.actions) == (solution.value, solution.points, ()), (side, state)
    last = solution.actions[-1]
    assert solve(rules, state, goal, side, line=0, actions=(last.action,)).actions[-1] == last
    cut = solve(rules, state, goal, side, nodes=max(1, solution.nodes // 3))
    for one, true in zip(cut.actions, solution.actions, strict=True):
        assert true.least == true.value == true.most
        assert one.least is None or one.least <= true.value, (side, state)
        assert one.most is None or one.most >= true.value, (side, state)


def assert_needs_no_line(rules: Rules, state: deal.State, solution: Solution) -> None:
    """Who wants no line gets the same values for no more work."""
    bare = solve(rules, state, line=0)
    assert (bare.value, bare.actions, bare.exact, bare.line) == (solution.value, solution.actions, True, ())
    assert bare.nodes <= solution.nodes


def test_when_a_limit_comes_something_is_proven_of_every_action() -> None:
    for rules, state in islice(danish_endings("hermansen", "limit", sizes=(6,)), 6):
        side = frozenset({state.order[0]})
        whole = solve(rules, state, Points(), side, line=0, nodes=1 << 40)
        cut = solve(rules, state, Points(), side, nodes=whole.nodes * 9 // 10)
        if len(whole.actions) > 1:
            assert not cut.exact
            assert all(one.least is not None or one.most is not None for one in cut.actions), state


class PlayedOut(reference.End):
    """How a deal ends that follows the line of a solution, and what everybody gains on the way."""

    gains: tuple[int, ...]


def played_out(rules: DanishRules, state: danish.State, solution: Solution) -> PlayedOut:
    """The end of the solver's line, all of it legal; silence in the window is not written."""
    now: Any = state
    for seat, action in solution.line:
        while now.phase == "demand" and not (seat in now.asked and action in deal.legal(rules, now, seat)):
            now, _ = deal.step(rules, now, now.asked[0], Decline())
        if isinstance(action, Decline) and now.phase == "play":
            continue  # he was asked, and does not demand the skus
        now, _ = deal.step(rules, now, seat, action)
    assert deal.is_over(now)
    end = PlayedOut(now.won, now.tricks[-1], reference.fates(now.tricks[:-1]))
    end.gains = tuple(after - before for after, before in zip(now.net, state.net, strict=True))
    return end


# --- uncompiled --------------------------------------------------------------------------------------


def try_small_endings(book: str, most: int = 40, enough: int = 2) -> None:
    """Solve the first small endings of a rulebook, with a tout that is still possible among them."""
    tried = touts = 0
    for rules, state in danish_endings(book, "small", most=2):
        tree = Tree(rules, state)
        tout = max(state.won) == state.number - 1
        if len(tree.known) > most or (tried >= enough and not tout):
            continue
        assert_claims(rules, state, tree, tried)
        assert_points(rules, state, tree, SMALL)
        tried, touts = tried + 1, touts + tout
        if tried >= enough and touts:
            return


@pytest.mark.parametrize("book", DANISH if LONG else ("jensen", "basta"))
def test_the_search_gives_the_same_values_when_it_is_not_compiled(book: str) -> None:
    subprocess.run(
        [sys.executable, "-c", f"from {__name__} import *; try_small_endings({book!r})"],
        env={**os.environ, "NUMBA_DISABLE_JIT": "1", "PYTHONPATH": os.pathsep.join(sys.path)},
        check=True,
    )


# --- French --------------------------------------------------------------------------------------------


def french_trees(book: str, share: int) -> Iterator[tuple[FrenchRules, french.State, Tree]]:
    """The French endings of a share that can be tried through."""
    for rules, state in french_endings(book, f"share {share}", most=4 if book == "french3" or LONG else 3):
        try:
            yield rules, state, Tree(rules, state, LARGEST)
        except TooManyPositions:
            continue


@pytest.mark.parametrize("share", range(SHARES))
@pytest.mark.parametrize("book", FRENCH)
def test_a_french_ending_is_worth_what_trying_everything_gives(book: str, share: int) -> None:
    for number, (rules, state, tree) in enumerate(islice(french_trees(book, share), ENDINGS * 2)):
        value, actions = reference.scored(tree)
        solution = solve(rules, state, memory=SMALL if number % 2 else MEMORY)
        assert solution.exact, state
        assert [(one.seat, one.action, one.value) for one in solution.actions] == actions, state
        assert solution.value == value, state
        now: Any = state
        for seat, action in solution.line:
            now, events = deal.step(rules, now, seat, action)
        assert [event.value for event in events if isinstance(event, Scored)] == [value], state
        assert_needs_no_line(rules, state, solution)
