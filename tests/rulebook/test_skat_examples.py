"""Hermansen's dealer hands (rules F8; 001 Eksempler på lægning af skat): declarations and skats."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

import pytest

from skats import LATER, allows, lay, offered_skats, to_lay
from table import DANISH, danish_rules, net
from ultimo.cards import Card, mask
from ultimo.danish.declarations import value
from ultimo.events import Declaration, Declared, Lay

EXAMPLES: dict[str, Any] = json.loads(
    (Path(__file__).parent.parent / "data" / "skat-examples.json").read_text(encoding="utf-8")
)
HANDS: dict[str, dict[str, Any]] = {hand["id"]: hand for hand in EXAMPLES["hands"]}

# How the data and the engine call the same things.
KINDS = {"tarok": "tarok", "matador": "matadors", "half": "half", "full": "full", "over": "over"}


def as_declared(said: list[dict[str, Any]], named: bool = True) -> set[Declaration]:
    """The declarations of the data, where a half one names what is missing or where it does not."""
    return {
        Declaration(
            KINDS[one["type"]],  # type: ignore[arg-type]
            one.get("count", 0),
            one.get("pagat"),
            {"kings": "K"}.get(one.get("in"), one.get("in")),  # type: ignore[arg-type]
            Card(one["missing"]) if named and "missing" in one else None,
        )
        for one in said
    }


def hand_of(name: str) -> str:
    """The 28 cards of a hand, in notation."""
    return " ".join(HANDS[name]["hand"])


def first_skat(name: str) -> Lay:
    """What the book lays from a hand."""
    return lay(" ".join(HANDS[name]["laid"]))


def test_the_book_has_24_hands_of_28_cards() -> None:
    assert len(HANDS) == 24
    assert all(len(set(hand["hand"])) == 28 for hand in HANDS.values())


@pytest.mark.parametrize("book", LATER)
@pytest.mark.parametrize("name", HANDS)
def test_the_dealer_declares_what_the_book_has_him_declare(name: str, book: str) -> None:
    hand = HANDS[name]
    table = to_lay(danish_rules(book), hand_of(name))
    table.act(0, first_skat(name))
    (declared,) = [event for event in table.events(Declared) if event.seat == 0]
    assert set(declared.declarations) == as_declared(hand["declared_computed"])
    assert len(declared.declarations) == len(hand["declared_computed"])
    in_the_book = as_declared(hand["declared_book_structured"])
    assert (set(declared.declarations) == in_the_book) == hand["declarations_match_book"]


@pytest.mark.parametrize("name", HANDS)
def test_each_opponent_pays_what_the_data_says(name: str) -> None:
    rules = danish_rules("hermansen")
    for one in HANDS[name]["declared_computed"]:
        (declaration,) = as_declared([one])
        assert value(rules, declaration) == one["per_opponent"]


@pytest.mark.parametrize(
    ("name", "each"),
    [
        pytest.param("skat-03-3", 15, marks=pytest.mark.cites("G41")),
        pytest.param("skat-07-3", 15, marks=pytest.mark.cites("G42")),
        pytest.param("skat-13-3", 35, marks=pytest.mark.cites("G43")),
        pytest.param("skat-09-2", 5, marks=pytest.mark.cites("G44")),
    ],
)
def test_the_dealer_is_paid_for_his_declarations_by_each(name: str, each: int) -> None:
    table = to_lay(danish_rules("hermansen"), hand_of(name))
    table.act(0, first_skat(name))
    paid = [t for t in table.transfers() if t.reason == "declaration" and t.payee == 0]
    assert net(paid, 0, 1, 2) == (2 * each, -each, -each)


@pytest.mark.cites("G44")
def test_the_one_hand_that_the_book_lets_pass_wrongly_is_9_2() -> None:
    wrong = [name for name, hand in HANDS.items() if not hand["declarations_match_book"]]
    assert wrong == ["skat-09-2"]


LAID = [
    pytest.param(name, book, skat, legal, id=f"{name}-{book}-{' '.join(skat)}")
    for name, hand in HANDS.items()
    for book, legal in hand["skat_legal"].items()
    for skat in hand["laid_alternatives"]
]


@pytest.mark.parametrize(("name", "book", "skat", "legal"), LAID)
def test_the_skats_of_the_book_are_offered_to_the_dealer(
    name: str, book: str, skat: list[str], legal: bool
) -> None:
    rules, text = danish_rules(book), " ".join(skat)
    assert (mask(text) in offered_skats(rules, hand_of(name))) == legal
    assert allows(rules, hand_of(name), text) == legal


@pytest.mark.parametrize("book", DANISH)
@pytest.mark.parametrize("variant", EXAMPLES["declaration_variants"], ids=lambda variant: str(variant["id"]))
def test_with_another_card_the_hand_would_have_had_more_to_declare(
    variant: dict[str, Any], book: str
) -> None:
    swapped = [variant["replace"].get(card, card) for card in HANDS[variant["base"]]["hand"]]
    assert swapped != HANDS[variant["base"]]["hand"]
    table = to_lay(danish_rules(book), " ".join(swapped))
    table.act(0, lay("S10 S9 S8"))
    (declared,) = [event for event in table.events(Declared) if event.seat == 0]
    assert set(declared.declarations) == as_declared(variant["expected"], named=book != "basta")
