"""Hermansen's seven endgames, played by experts who know every card, as good players do by counting."""

from __future__ import annotations

from typing import Any

import pytest
from msgspec.structs import replace

from rulebook.test_endgames import ENDGAMES, SEATS, claims, holds, move, position, results, rules_of
from table import Table
from ultimo import deal, series
from ultimo.analysis.solver import solve
from ultimo.events import Play
from ultimo.players.expert.expert import Expert
from ultimo.players.player import View

# Where the side of a claim earns more by something else, which a player for points prefers.
BETTER_PAID = {("eg-7", "demand")}


def play(table: Table) -> None:
    """Let experts play an ending to its end."""
    around = series.evolve(table.rules, None, series.open_series(table.rules, ("B", "F", "M"), 0)[0])
    while table.state.phase != "closed":
        seat = deal.waiting_for(table.rules, table.state)[0]
        view = View(table.rules, seat, replace(around, deal=table.state))
        table.act(seat, Expert(1, samples=8).choose(view, table.legal(seat)))


def won_claims() -> list[Any]:
    """What a side can force: at the start, after some moves, and with other rules of the skus."""
    found = []
    for parameter in claims():
        key, check = parameter.values
        switches = [switch for switch, value in check.get("rules", {}).items() if value is False]
        dearer = any((key, switch) in BETTER_PAID for switch in switches) and "B" not in check["coalition"]
        if check["expected"] and not dearer:
            found.append(parameter)
    return found


@pytest.mark.parametrize(("key", "check"), won_claims())
def test_what_a_side_can_force_it_brings_about(key: str, check: dict[str, Any]) -> None:
    table = position(ENDGAMES[key], rules_of("hermansen", check.get("rules")))
    for text in check.get("after", ()):
        move(table, text)
    play(table)
    assert holds(check["claim"]["all"], results(table.state))


def test_each_endgame_is_among_them() -> None:
    assert {parameter.values[0] for parameter in won_claims()} == set(ENDGAMES)


def test_an_expert_leaves_the_bagud_of_the_seventh_where_another_line_pays_more() -> None:
    table = position(ENDGAMES["eg-7"], rules_of("hermansen", {"demand": False}))
    forehand = SEATS["F"]
    worth = {one.action: one.value for one in solve(table.rules, table.state).actions}
    books = [action for action in worth if isinstance(action, Play) and action.card.value == "T21"]
    before = table.state.net[forehand]
    play(table)
    assert table.state.net[forehand] - before == max(worth.values()) > worth[books[0]]
