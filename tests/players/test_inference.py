"""Every deduction of the books' that does not concern single hidden cards; the sampler has the others."""

from __future__ import annotations

import json
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest

import whips as reader
from kernel import test_worlds_inference as sampled
from ultimo.cards import parse_card
from ultimo.danish.following import SECOND_LAST, THIRD_LAST, legal_cards, winner
from ultimo.danish.numbers import numbers
from ultimo.play.following import SKUS_BIT, suit_of
from ultimo.rulebook import DanishRules, load

DATA = Path(__file__).parents[1] / "data" / "inference-examples.json"
CASES: dict[str, dict[str, Any]] = {case["id"]: case for case in json.loads(DATA.read_text())["cases"]}
Facts = dict[str, Any]


def whip(premises: Facts) -> Facts:
    driven, leads = reader.whips(premises["whips"])
    return {"taroks_driven": driven, "leads": leads}


def hits(premises: Facts) -> Facts:
    return {
        f"{who}_hit": reader.hits(premises["whip"], premises[f"{who}_suit_length"])
        for who in ("ultimator", "helper")
    }


def leader_helper(premises: Facts) -> Facts:
    whip, leader = premises["ultimator_whip"], reader.length_when_hit(premises["leader_hit_on_lead"])
    helper = reader.third_length(whip, leader)
    assert reader.signal_of(helper) == "to"
    return {
        "leader_suit_length": leader,
        "helper_suit_length": helper,
        "leader_taroks_left": reader.tarokker_after(premises["leader_taroks"], whip, leader),
        "helper_taroks_left": reader.tarokker_after(premises["helper_taroks"], whip, helper),
    }


def suit_count(premises: Facts) -> Facts:
    ultimator = reader.length_when_hit(premises["ultimator_hit_on_lead"])
    return {
        "ultimator_suit_length": ultimator,
        "leader_whip": reader.third_length(ultimator, premises["own_suit_length"]),
    }


def french_count(premises: Facts) -> Facts:
    left, right = reader.fallen(premises["number"])
    own = premises.get("own_taroks", 0) - premises.get("own_left", 0)
    return {
        "fallen_left": left,
        "fallen_right": right,
        "fallen_others": left + right,
        "fallen_total": left + right + own,
    }


def marking(premises: Facts) -> Facts:
    (length,) = premises.values()
    low_first = reader.signal_of(length) == "to"
    first, then = ("low", "higher") if low_first else ("high", "lower")
    return {"signal": reader.signal_of(length), "first": first, "then": then}


def marking_observed(premises: Facts) -> Facts:
    return {"signal": reader.signal(parse_card(premises["first"]), parse_card(premises["second"]))}


def convention(premises: Facts) -> Facts:
    below = reader.below(parse_card(premises["lead"]))
    assert below is not None
    return {"player_holds": [below.value]}


def technique(premises: Facts) -> Facts:
    order, me = premises["order_of_play"], set(premises["me"])
    winners = []
    for trick in premises["tricks"]:
        one, two, three = (parse_card(card).index for card in trick)
        winners.append(order[winner(one, two, three, suit_of(one))])
        me -= set(trick)
    return {"winners": winners, "me_left": sorted(me)}


def rule(premises: Facts) -> Facts:
    number = THIRD_LAST if premises["trick"] == "third-last" else SECOND_LAST
    spade = 1
    rules = load("hermansen", {"skus.thirdLastVoluntary": True, "skus.secondLastBarred": True})
    assert isinstance(rules, DanishRules)
    n = numbers(rules)
    free = legal_cards(n, spade, SKUS_BIT, 0, number, False)[1] & SKUS_BIT != 0
    demanded = legal_cards(n, spade, SKUS_BIT, 0, number, True) == (0, SKUS_BIT)
    return {"free_use": free, "may_be_demanded": demanded}


def balance(premises: Facts) -> Facts:
    king, pagat = (int(premises[who].split()[0]) for who in ("king_player", "pagat_player"))
    return {"balanced": reader.are_balanced(king, pagat)}


READ: dict[str, Callable[[Facts], Facts]] = {
    "whip": whip,
    "hits": hits,
    "leader_helper": leader_helper,
    "suit_count": suit_count,
    "french_count": french_count,
    "marking": marking,
    "marking_observed": marking_observed,
    "convention": convention,
    "technique": technique,
    "rule": rule,
    "balance": balance,
}
SAMPLED = {"tarok_split", "holding"}  # tests/kernel/test_worlds_inference.py


@pytest.mark.parametrize("name", [name for name, case in CASES.items() if case["kind"] not in SAMPLED])
def test_the_reader_concludes_what_the_book_concludes(name: str) -> None:
    case = CASES[name]
    found = READ[case["kind"]](case["premises"])
    known = {key: value for key, value in case["conclusion"].items() if key in found}
    assert known
    assert found == found | known


def test_every_case_is_looked_at() -> None:
    assert {case["kind"] for case in CASES.values()} == SAMPLED | set(READ)
    assert {name for name in CASES if CASES[name]["kind"] == "holding"} <= set(sampled_cases())


def sampled_cases() -> list[str]:
    source = Path(sampled.__file__).read_text(encoding="utf-8")
    return [name for name in CASES if f'"{name}"' in source]
