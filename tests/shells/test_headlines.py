"""A deal in a few words, in every language."""

from __future__ import annotations

from collections.abc import Sequence
from random import Random

import pytest
from msgspec.structs import replace

from ultimo import rulebook
from ultimo.cards import Card
from ultimo.events import CardPlayed, DealEvent, Paid, Reason, Transfer
from ultimo.names import LANGUAGES, names
from ultimo.players import Match, create
from ultimo.rulebook import Rules
from ultimo.telling.headlines import emblem, headline
from ultimo.telling.teller import Teller
from ultimo.tutor.decisions import deals

PLAYERS = ("Ada", "Bo", "Karen", "Dan", "Eva")


def played(book: str, seed: int) -> tuple[Rules, tuple[DealEvent, ...]]:
    """A deal between club players."""
    rules = rulebook.load(book)
    size = rules.sizes[0]
    match = Match(rules, PLAYERS[:size], {seat: create("club", seat) for seat in range(size)}, Random(seed))
    assert list(match.play_deals(1)) == [1]
    (events,) = deals(match.log)
    return rules, events


def told(rules: Rules, events: Sequence[DealEvent], language: str = "en") -> str:
    return headline(Teller(names(language), rules, PLAYERS[: rules.sizes[0]]), events)


def paid_only(events: Sequence[DealEvent], reasons: dict[Reason, int]) -> list[DealEvent]:
    """The same deal, in which nothing was paid but this, to the forehand from the next."""
    (*_, last) = (place for place, event in enumerate(events) if isinstance(event, Paid))
    others = [replace(one, transfers=()) if isinstance(one, Paid) else one for one in events]
    new = tuple(Transfer(1, 0, points, reason, "x") for reason, points in reasons.items())
    others[last] = Paid(new)
    return others


@pytest.mark.parametrize(
    ("paid", "said"),
    [
        ({"lastTrick": 20}, "Last trick, +20"),
        ({"lastTrick": 20, "pagatUltimo": 30}, "Pagat ultimo, +50"),
        ({"kingUltimo": 10, "pagatBagud": 30}, "King ultimo and pagat bagud, +40"),
        ({"pagatBagud": 30}, "Pagat bagud, −30"),
        ({"noloLost": 60}, "Failed nolo, −60"),
        ({"count": 5}, "Ada, +5"),
    ],
)
def test_a_danish_deal_is_called_by_what_was_paid_for(paid: dict[Reason, int], said: str) -> None:
    rules, events = played("dtf", 1)
    assert told(rules, paid_only(events, paid)) == said


def test_a_french_deal_is_called_by_its_contract() -> None:
    found = {told(*played("french4", seed)) for seed in range(8)}
    assert any(" made with 2 bouts, +" in one for one in found)
    assert any(" failed with " in one and ", −" in one for one in found)


@pytest.mark.parametrize("language", LANGUAGES)
def test_every_language_has_its_own_words(language: str) -> None:
    rules, events = played("french3", 1)
    parts = {"en": "with", "da": "med", "fr": "avec", "de": "mit"}
    assert f" {parts[language]} " in told(rules, events, language)


def test_the_emblem_won_the_last_trick() -> None:
    for book in ("hermansen", "french5"):
        rules, events = played(book, 3)
        last = [event.card for event in events if isinstance(event, CardPlayed)][-rules.sizes[0] :]
        card = emblem(rules, events)
        assert isinstance(card, Card)
        assert card in last
