"""Every event can be told in every language, and what is not said aloud is not told."""

from __future__ import annotations

from types import NoneType, UnionType
from typing import Any, Literal, Union, get_args, get_origin

import pytest
from msgspec import structs

from ultimo import rulebook
from ultimo.cards import UNSEEN, Card
from ultimo.events import (
    CountConfirmed,
    Declaration,
    Declined,
    DemandAnswered,
    Event,
    HandAccepted,
    Scored,
    SkatLaid,
    Transfer,
)
from ultimo.names import LANGUAGES, names
from ultimo.record.model import EVENTS
from ultimo.telling.teller import Teller, halves, hand_order, signed

NAMES = ("Anna", "Bo", "Carl")
SILENT = {HandAccepted, Declined, DemandAnswered, CountConfirmed}
FRENCH = {Scored}  # only French Tarot has it, and its rules are needed to tell it


def some(kind: Any) -> Any:
    """A value of a type."""
    inner = get_args(kind)
    if get_origin(kind) is Literal:
        return inner[0]
    if get_origin(kind) in (Union, UnionType):
        return some(next(one for one in inner if one is not NoneType))
    if get_origin(kind) is tuple:
        return (some(inner[0]),) * 3
    if kind is Declaration:
        return Declaration("half", of="H", missing=Card("HK"))
    if kind is Transfer:
        return Transfer(0, "king", 5, "kingLost", "somewhere", Card("SK"))
    return {int: 1, str: "Anna", bool: True, Card: Card("SK")}[kind]


def sample(kind: type[Any]) -> Event:
    """An event of a kind."""
    event: Event = kind(**{field.name: some(field.type) for field in structs.fields(kind)})
    return event


@pytest.mark.parametrize("tongue", LANGUAGES)
@pytest.mark.parametrize("kind", EVENTS.values(), ids=list(EVENTS))
def test_every_event_has_its_words(kind: type[Any], tongue: str) -> None:
    rules = rulebook.load("french3" if kind in FRENCH else "dtf")
    lines = Teller(names(tongue), rules, NAMES).tell(None, sample(kind))
    assert bool(lines) == (kind not in SILENT)
    for line in lines:
        assert "{" not in line
        assert line == line.strip()
        assert not line[0].islower(), line


def test_what_a_seat_may_not_see_is_not_told() -> None:
    teller = Teller(names("en"), rulebook.load("dtf"), NAMES)
    hidden = SkatLaid(0, (UNSEEN,) * 3)
    assert teller.tell(None, hidden) == ["Anna discards three cards (the skat)"]
    assert teller.tell(None, SkatLaid(0, (Card("S4"), Card("H1"), Card("H9")))) == [
        "Anna discards three cards (the skat): ♠4 ♥1 ♥9"
    ]


def test_payments_are_told_one_by_one() -> None:
    teller = Teller(names("en"), rulebook.load("dtf"), NAMES)
    lost = Transfer(0, 1, 5, "kingLost", "x", Card("SK"))
    assert teller.payment(lost) == "Anna pays 5 to Bo: king lost ♠K"
    poured = Transfer("pagat", 1, 60, "pagatUltimo", "x", Card("T1"))
    assert teller.payment(poured) == "Bo gets 60 from the pagat cup: pagat ultimo"


def test_a_hand_is_sorted_as_a_player_holds_it() -> None:
    """Rule: rules A3. The Danish red pips go the other way."""
    hand = [Card(text) for text in ["T0", "T1", "T21", "SK", "S1", "S10", "H1", "H10", "HJ"]]
    danish = sorted(hand, key=lambda card: hand_order(card, danish=True))
    french = sorted(hand, key=lambda card: hand_order(card, danish=False))
    assert " ".join(card.value for card in danish) == "T21 T1 T0 SK S10 S1 HJ H1 H10"
    assert " ".join(card.value for card in french) == "T21 T1 T0 SK S10 S1 HJ H10 H1"


def test_numbers_as_people_write_them() -> None:
    assert [signed(number) for number in (5, 0, -5)] == ["+5", "0", "−5"]
    assert [halves(number) for number in (0, 1, 2, 83)] == ["0", "½", "1", "41½"]
