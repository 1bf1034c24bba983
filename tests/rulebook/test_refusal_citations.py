"""A refusal names the table's own book and no other."""

from __future__ import annotations

import re
from collections.abc import Iterator
from random import Random
from typing import Any

import pytest

from table import DANISH, DOCUMENTS, Evening
from ultimo import deal, rulebook
from ultimo.cards import PACK, SUITS
from ultimo.events import (
    Accept,
    Action,
    Announce,
    Answer,
    AskTarokLaid,
    Bid,
    Call,
    Claim,
    ClaimVoid,
    Cut,
    Deal,
    Declaration,
    Declare,
    Decline,
    DemandRedeal,
    DemandSkus,
    EnterCount,
    IllegalAction,
    Lay,
    MoveCups,
    NameSkus,
    ObjectCount,
    Pass,
    PassDeal,
    Play,
    Recount,
    Redeal,
    ShowPoignee,
    Vote,
)

WORDS: tuple[Action, ...] = (
    Accept(),
    Announce("nolo"),
    Announce("tout"),
    Announce("slam"),
    Answer(True),
    AskTarokLaid(),
    Bid("petite"),
    Bid("contre"),
    Claim("revoke", 0),
    ClaimVoid(),
    Cut(1),
    Deal(()),
    Declare((Declaration("tarok", 22, True),)),
    Decline(),
    DemandRedeal(),
    DemandSkus(),
    EnterCount(20),
    MoveCups(),
    ObjectCount(),
    Pass(),
    PassDeal(),
    Recount(),
    Redeal(),
    Vote(True),
    *(Call(card) for card in PACK[10:14]),
    *(NameSkus(suit) for suit in SUITS),
)
FOLLOWING = ("follow", "mustTrumpDanish", "mustTrump", "mustBeat")


def wishes(rng: Random) -> Iterator[Action]:
    """All that a person at a table could wish, and much that nobody would."""
    yield from WORDS
    for card in PACK:
        yield Play(card)
        yield Play(card, "H")
    for size in (3, 6, 10):
        for some in (rng.sample(PACK, size), rng.sample(PACK[56:], size)):
            yield Lay(tuple(some))
            yield Lay(tuple(some), tout=True)
            yield ShowPoignee(tuple(some))
    yield ShowPoignee(PACK[56:66])


def refused(book: str, house: dict[str, Any], seed: int) -> list[IllegalAction]:
    """Refusals from all over a deal that is played at random."""
    rules, rng = rulebook.load(book, house), Random(seed)
    evening, found = Evening(rules, rules.sizes[0]), []
    evening.next_deal()
    while evening.state.playing:
        state = evening.state.deal
        for seat in (None, *range(state.table)):
            for wish in wishes(rng):
                try:
                    deal.decide(rules, state, seat, wish)
                except IllegalAction as refusal:
                    found.append(refusal)
        for _ in range(5):  # so often is enough
            if not evening.state.playing:
                break
            state = evening.state.deal
            if deal.needs_cards(state):
                evening.act(None, deal.deal_out(rules, state, deal.shuffled(rng), rng))
                break
            seat = deal.waiting_for(rules, state)[0]
            evening.act(seat, deal.legal(rules, state, seat).draw(rng))
    return found


@pytest.mark.parametrize("book", DOCUMENTS)
def test_a_refusal_cites_the_book_of_its_table(book: str) -> None:
    house = {"decl.mode": "manual"} if book in DANISH else {}
    found = [refusal for seed in range(2) for refusal in refused(book, house, seed)]
    assert len({refusal.key for refusal in found}) > 12
    for refusal in found:
        assert set(re.findall(r"\b\d{3}\b", refusal.cite)) <= DOCUMENTS[book], refusal
    following = {refusal.cite for refusal in found if refusal.key in FOLLOWING}
    assert following == {rulebook.load(book).play.cite}
    assert all(re.match(r"00\d", cite) for cite in following)


@pytest.mark.parametrize(
    ("book", "cite"),
    [
        ("jensen", "000 SELVE SPILLET"),
        ("vlk", "000 SELVE SPILLET"),
        ("hermansen", "001 Indledning til selve spillet"),
        ("basta", "003 REGLER"),
        ("dtf", "004 SPILLET"),
        ("french5", "002 §8"),
    ],
)
def test_the_duty_to_follow_stands_where_each_book_has_it(book: str, cite: str) -> None:
    assert rulebook.load(book).play.cite.casefold().startswith(cite.casefold())
