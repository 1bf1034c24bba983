"""The reference itself: what it says of positions of which everybody knows what to say."""

from __future__ import annotations

import os
from typing import Any

import pytest

from analysis import reference
from analysis.reference import Tree
from analysis.test_endgames_solved import claim_of, side_of
from rulebook.test_endgames import ENDGAMES, claims, move, position, rules_of
from table import danish_rules, ending
from ultimo.analysis.position import read
from ultimo.analysis.solver import Atom
from ultimo.cards import parse_card
from ultimo.events import Decline, DemandSkus, NameSkus, Play

QUICK = [case for case in claims() if case.values[0] != "eg-4"]  # its tree is by far the largest


@pytest.mark.parametrize(("key", "check"), [*claims()] if "ULTIMO_LONG" in os.environ else QUICK)
def test_the_reference_finds_the_claims_of_the_endgames_as_the_data_says(
    key: str, check: dict[str, Any]
) -> None:
    table = position(ENDGAMES[key], rules_of("hermansen", check.get("rules")))
    for text in check.get("after", ()):
        move(table, text)
    tree = Tree(table.rules, table.state)
    value, _ = reference.forced(tree, claim_of(check["claim"]["all"]).atoms, side_of(check["coalition"]))
    assert value == check["expected"]


def test_a_demand_that_can_still_come_is_listed_before_the_moves_of_the_holder() -> None:
    """Endgame 7 at the lead: B avoids the bagud by his demand alone. Rule: 001 Løsninger 7."""
    rules, state = read("hermansen: F T21 T20 T0 / M S1 S2 S3 / B T18 T15 HK")
    bagud = Atom("bagud", 0, parse_card("HK"))
    value, actions = reference.forced(Tree(rules, state), [bagud], frozenset({1, 2}))
    assert value == 0
    assert [(seat, action) for seat, action, _ in actions[:2]] == [(2, DemandSkus()), (0, DemandSkus())]
    assert [worth for *_, worth in actions[:2]] == [0, 0]
    leads = {action.card.value: worth for _, action, worth in actions[2:] if isinstance(action, Play)}
    assert leads == {"T20": 1, "T21": 1, "T0": 0}


def test_in_the_open_window_the_first_seat_answers_and_may_still_demand_later() -> None:
    rules, state = read("hermansen: F T1 S2 S1 / M T21 T0 HK / B H7 H8 H9; demand")
    ultimo = Atom("ultimo", 1, parse_card("T1"))
    value, actions = reference.forced(Tree(rules, state), [ultimo], frozenset({1}))
    assert value == 1
    assert actions == [(1, Decline(), 1), (1, DemandSkus(), 1)]


def test_the_next_hand_chooses_the_name_that_is_best_for_it() -> None:
    """Endgame 7 in the last trick: named spades the middle hand wins it, named hearts the dealer."""
    rules, state = read("hermansen: F / M S1 / B HK; trick F T0=D; cups 60 60")
    value, actions = reference.gained(Tree(rules, state), frozenset({2}))
    names = {action.suit: worth for _, action, worth in actions if isinstance(action, NameSkus)}
    assert names["S"] == names["C"] == value > names["H"]


def test_who_is_indifferent_takes_what_is_worst_for_the_next_hand() -> None:
    """The dealer leads and loses the last two tricks either way; he chooses who is to have them."""
    table = ending(
        danish_rules("jensen", {"count.mode": "off"}),
        {1: "S9 H2", 2: "D3 H1", 0: "S3 D9"},
        leader=0,
        won={1: 8, 2: 8, 0: 7},
    )
    gains, vectors = reference.everybody(Tree(table.rules, table.state))
    assert [vector[0] for *_, vector in vectors] == [-20, -20]
    assert gains == min((vector for *_, vector in vectors), key=lambda vector: vector[1])
    assert gains[1] == -20
