"""What is sent to a page: no card that the viewer has not seen is in any byte of it."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any

import pytest

from live import HOST, Evening, bots, told, wire
from naming import named, named_by, without_speech
from ultimo import deal, rulebook, series
from ultimo.cards import PACK
from ultimo.events import Deal
from ultimo.names import LANGUAGES
from ultimo.table import Again, Live, PlayerId, Settings
from ultimo.table.messages import Sit

TABLES = [(book, size) for book in rulebook.ids() for size in rulebook.load(book).sizes]
OPEN_HANDS: dict[str, Any] = {"sitter.sees": "all"}


def known(live: Live, viewer: PlayerId | None) -> set[str]:
    """The cards that a viewer has seen in this deal: what the events as seen by its seat name."""
    seat, truth = live.seat_of(viewer), live.before
    assert truth is not None
    found: set[str] = set()
    for event in live.events:
        seen = series.seen_by(live.rules, truth, seat, event)
        found |= named_by(seen)
        truth = series.evolve(live.rules, truth, event)
    return found


def evenings(book: str, size: int, house: dict[str, Any]) -> Iterator[tuple[Evening, list[PlayerId | None]]]:
    """A deal played by people in every seat, stopped after each thing that happens."""
    people = [HOST, *(f"p{seat}" for seat in range(1, size))]
    agreed = Settings(book, size, bots(size, size), house=house)
    evening = Evening(agreed, f"{book}{size}", tuple(people))
    for seat in range(1, size):
        evening.do(f"p{seat}", Sit(seat))
    while evening.live.series is None or evening.live.series.deals < 1:
        yield evening, [*people, None]
        evening.one_thing()


@pytest.mark.parametrize(("book", "size"), TABLES)
def test_no_unseen_card_is_sent(book: str, size: int) -> None:
    family = rulebook.load(book).family
    house = OPEN_HANDS if size > 3 and family == "danish" else {}
    before, looked = None, 0
    for number, (evening, people) in enumerate(evenings(book, size, house)):
        live = evening.live
        if not live.dealings or not live.series.playing:  # type: ignore[union-attr]
            before = live
            continue
        for place, viewer in enumerate(people):
            language = LANGUAGES[(number + place) % len(LANGUAGES)]
            texts = [told(before, evening, viewer, language).decode()] if before is not None else []
            if (number + place) % 4 == 0:  # everybody comes back now and then, and is sent everything
                texts.append(without_speech(wire(evening, viewer, language)))
            cards = {card for text in texts for card in named(text, language, family)}
            if cards:
                assert cards <= known(live, viewer), (viewer, live.series.deal.phase)  # type: ignore
            looked += 1
        before = live
    assert looked > 100


@pytest.mark.parametrize(("book", "size"), [("dtf", 3), ("french5", 5)])
def test_the_secret_of_the_shuffle_is_sent_to_nobody_before_the_deal_is_over(book: str, size: int) -> None:
    looked = 0
    for evening, people in evenings(book, size, {}):
        shuffle = evening.live.shuffle
        if shuffle is None:
            continue
        sent = b"".join(wire(evening, viewer) for viewer in people)
        assert shuffle.secret.encode() not in sent
        assert not any(
            secret.encode() in sent
            for secret in (share.secret for share in shuffle.shares.values())
            if secret
        )
        looked += 1
    assert looked > 50


def test_a_spectator_and_a_sitter_see_what_is_public() -> None:
    for evening, _ in evenings("dtf", 4, {}):
        present = evening.live.series.deal if evening.live.series else None
        if present is None or not present.hands or deal.is_over(present):
            continue
        sitter = next(seat for seat in range(4) if seat not in present.order)  # type: ignore[union-attr]
        for viewer in (evening.live.seats[sitter].player, None):
            shown = evening.scene(viewer)
            assert shown.hand == ()
            assert all(seat.hand == () for seat in shown.seats)
            assert shown.aside is None or not shown.aside.cards


def test_who_is_asked_about_his_hand_is_known_to_himself_alone() -> None:
    """A hand without a tarok may ask for new cards: whoever is seen to be asked would have none."""
    hands = tuple(
        tuple(PACK[place] for place in places) for places in (range(25), range(25, 50), range(50, 78))
    )
    again = Again(Deal(hands), dealer=2)
    people = (HOST, "p1", "p2")
    evening = Evening(Settings("dtf", 3, bots(3, 3)), "asked", people, again=again)
    for seat in (1, 2):
        evening.do(f"p{seat}", Sit(seat))
    while evening.scene(HOST).phase != "handCheck" or len(evening.live.waiting_for) == 3:
        evening.step()
    asked = evening.live.waiting_for
    assert asked
    for place, player in enumerate(people):
        marked = [seat.seat for seat in evening.scene(player).seats if seat.turn]
        assert marked == [place] * (place in asked)
    assert not any(seat.turn for seat in evening.scene(None).seats)
