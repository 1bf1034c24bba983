"""Hermansen's seven endgames, solved: every claim, every change of a rule, every lead, every line."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping
from typing import Any, cast

import pytest

from rulebook.test_endgames import (
    BOOKS,
    ENDGAMES,
    SEATS,
    Result,
    cards_for,
    claims,
    holds,
    move,
    position,
    results,
    rules_of,
    written,
)
from table import Table
from ultimo.analysis.solver import Atom, Claim, solve
from ultimo.cards import parse_card
from ultimo.events import Decline, Play

SPELLED = {"last_trick": "lastTrick"}


def atom(event: Result) -> Atom:
    """An event as the data writes it: `["not", "ultimo", "F", "T1"]`; the card may be left out."""
    negated, (what, who, *card) = event[0] == "not", event[event[0] == "not" :]
    return Atom(
        cast(Any, SPELLED.get(what, what)),
        SEATS[who],
        parse_card(card[0]) if card else None,
        holds=not negated,
    )


def claim_of(events: Iterable[Result]) -> Claim:
    """A claim as the data writes it."""
    return Claim(tuple(map(atom, events)))


def side_of(people: Iterable[str]) -> frozenset[int]:
    """The seats of a coalition."""
    return frozenset(SEATS[who] for who in people)


def is_won(table: Table, endgame: Mapping[str, Any]) -> bool:
    """Whether the coalition can force the claim of an endgame from here."""
    solution = solve(
        table.rules, table.state, claim_of(endgame["claim"]["all"]), side_of(endgame["coalition"])
    )
    assert solution.exact
    return solution.value == 1


@pytest.mark.parametrize(("key", "check"), [*claims()])
def test_a_claim_is_solved_as_the_data_says(key: str, check: dict[str, Any]) -> None:
    table = position(ENDGAMES[key], rules_of("hermansen", check.get("rules")))
    for text in check.get("after", ()):
        move(table, text)
    solution = solve(table.rules, table.state, claim_of(check["claim"]["all"]), side_of(check["coalition"]))
    assert solution.exact
    assert solution.value == check["expected"]


@pytest.mark.parametrize("book", BOOKS)
@pytest.mark.parametrize("key", ENDGAMES)
def test_the_first_leads_are_right_or_wrong_as_the_data_says(key: str, book: str) -> None:
    endgame = ENDGAMES[key]
    table = position(endgame, rules_of(book, endgame.get("first_leads_rules")))
    while table.state.phase == "demand":
        table.act(table.state.asked[0], Decline())
    leader = table.state.turn
    solution = solve(
        table.rules, table.state, claim_of(endgame["claim"]["all"]), side_of(endgame["coalition"])
    )
    leads = {
        written(leader, one.action): one.value == 1
        for one in solution.actions
        if isinstance(one.action, Play)
    }
    assert leads == endgame["first_leads"]
    assert list(leads) == [written(leader, action) for action in cards_for(table, leader)]


def winning_lines() -> Iterator[Any]:
    """The lines of the book in which the claim comes about."""
    for key, endgame in ENDGAMES.items():
        for line in endgame["book_lines"]:
            if holds(endgame["claim"]["all"], line["result"]):
                yield pytest.param(key, line, id=f"{key}-{line['name']}")


@pytest.mark.parametrize("book", BOOKS)
@pytest.mark.parametrize(("key", "line"), [*winning_lines()])
def test_in_a_winning_line_no_move_of_the_coalition_lets_go_of_the_claim(
    key: str, line: dict[str, Any], book: str
) -> None:
    endgame = ENDGAMES[key]
    table = position(endgame, rules_of(book, line.get("rules")))
    won = [is_won(table, endgame)]
    for text in line["moves"]:
        move(table, text)
        if table.state.phase != "closed":
            won.append(is_won(table, endgame))
            if text.split()[0] in endgame["coalition"] and won[-2]:
                assert won[-1], text
    assert won[-1]
    assert holds(endgame["claim"]["all"], results(table.state))


def test_some_lines_win() -> None:
    assert {key for key, _ in (param.values for param in winning_lines())} == set(ENDGAMES)
