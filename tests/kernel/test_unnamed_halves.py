"""Where a half declaration does not name the missing card, nobody knows it but by his own cards (I-5.8)."""

from __future__ import annotations

import numpy as np
import pytest

from kernel.worlds_views import looked_at
from skats import filled
from table import Table, danish_rules, dealt
from ultimo.cards import SKUS, Card, Cards, mask
from ultimo.danish import Outcome
from ultimo.danish.plausible import check
from ultimo.danish.state import State
from ultimo.events import Declaration, Declared, Decline, ImpossibleOutcome, Lay
from ultimo.kernel.danish import deal as kernel_deal
from ultimo.kernel.danish import layout as at
from ultimo.kernel.danish import memory
from ultimo.kernel.danish.bridge import from_view
from ultimo.rulebook import DanishRules

BASTA = danish_rules("basta")
NAMED = danish_rules("basta", {"decl.nameMissing": True})
HEARTS = "HK HQ HN HJ"
COURTS = mask(HEARTS)
HALF_HEARTS = Declaration("half", of="H")
DEALER, FOREHAND, MIDDLE = 0, 1, 2


def half(missing: str, holder: int, rules: DanishRules = BASTA) -> Table:
    """A deal in which forehand has half hearts, and another hand the card that is missing."""
    held = {FOREHAND: filled(f"{HEARTS} T0".replace(missing, "").strip(), 25), holder: missing}
    table = dealt(rules, held)
    laid = [action for action in table.legal(DEALER) if isinstance(action, Lay) and not action.tout]
    table.act(DEALER, next(action for action in laid if not mask(action.cards) & COURTS))
    while table.state.phase == "announce":
        table.act(table.state.asked[0], Decline())
    return table


def missing(world: tuple[Cards, ...]) -> Cards:
    """The court of hearts that forehand lacks in a world: one."""
    lacked = COURTS & ~world[FOREHAND]
    assert lacked.bit_count() == 1
    assert world[FOREHAND] & SKUS
    return lacked


@pytest.mark.cites("G144h", "I-5.8")
def test_to_who_holds_no_court_of_the_suit_each_of_them_may_be_missing() -> None:
    worlds = looked_at(BASTA, half("HQ", DEALER).log, MIDDLE).draw(400)
    assert len(worlds) == 400
    counts = [sum(missing(world) == mask(card) for world in worlds) for card in HEARTS.split()]
    assert sum(counts) == 400
    assert min(counts) > 60  # a hundred each, on the average


@pytest.mark.cites("I-5.8")
def test_who_holds_a_court_of_the_suit_knows_that_it_is_missing() -> None:
    worlds = looked_at(BASTA, half("HN", MIDDLE).log, MIDDLE).draw(50)
    assert {missing(world) for world in worlds} == {mask("HN")}


@pytest.mark.cites("I-5.8")
def test_once_three_have_been_played_everybody_knows_the_fourth() -> None:
    table = half("HJ", DEALER)
    for _ in range(3):
        play = next(card for card in HEARTS.split() if mask(card) & table.state.hands[FOREHAND])
        table.play(play)
        while table.state.trick:
            table.play(table.may_play(table.state.turn).split()[-1])
        if table.state.turn != FOREHAND:
            break
    shown = looked_at(BASTA, table.log, MIDDLE)
    fallen = sum(p.card.bit for t in shown.view.tricks for p in t.plays if p.seat == FOREHAND) & COURTS
    for world in shown.draw(50):
        assert (COURTS & ~(world[FOREHAND] | fallen)).bit_count() == 1


@pytest.mark.cites("I-5.8")
def test_where_it_is_named_everybody_knows_it() -> None:
    worlds = looked_at(NAMED, half("HQ", DEALER, NAMED).log, MIDDLE).draw(50)
    assert {missing(world) for world in worlds} == {mask("HQ")}


@pytest.mark.cites("G144h", "I-5.8")
@pytest.mark.parametrize("lacked", HEARTS.split())
def test_neither_what_is_said_nor_what_is_remembered_tells_the_missing_card(lacked: str) -> None:
    table = half(lacked, DEALER)
    assert [e.declarations for e in table.events(Declared) if e.seat == FOREHAND] == [(HALF_HEARTS,)]
    view = looked_at(BASTA, table.log, MIDDLE).view
    assert isinstance(view, State)
    s = from_view(BASTA, view, MIDDLE)
    place = table.state.order.index(FOREHAND)
    assert [s[spot + place] for spot in (at.HELD_SUITS, at.LACKED_SUITS)] == [0, 0]
    assert s[at.HELD_TRUMPS + place] == SKUS >> 56


@pytest.mark.parametrize("lacked", HEARTS.split())
def test_the_compiled_memory_does_not_peek_at_it(lacked: str) -> None:
    table = half(lacked, DEALER)
    s, w = np.zeros(at.LENGTH, np.int64), np.zeros(at.PAPER, np.int64)
    for place, seat in enumerate(table.state.order):
        for spot in (at.DEALT_SUITS, at.SUITS):
            s[spot + place] = table.state.hands[seat] & ((1 << 56) - 1)
        for spot in (at.DEALT_TRUMPS, at.TRUMPS):
            s[spot + place] = table.state.hands[seat] >> 56
    memory.hear(kernel_deal.array_of(BASTA), s, w)
    assert [s[spot] for spot in (at.HELD_SUITS, at.LACKED_SUITS)] == [0, 0]
    memory.forget(s)
    memory.hear(kernel_deal.array_of(NAMED), s, w)
    assert [s[spot] for spot in (at.HELD_SUITS, at.LACKED_SUITS)] == [
        COURTS & ~mask(lacked),
        mask(lacked),
    ]


# --- what a score sheet refuses ------------------------------------------------------------------------


def sheet(**more: object) -> Outcome:
    """What is noted of a deal that was not played to its end."""
    return Outcome(table=3, order=(FOREHAND, MIDDLE, DEALER), king=60, pagat=60, **more)  # type: ignore[arg-type]


@pytest.mark.cites("I-5.8")
def test_a_score_sheet_has_a_half_as_the_book_has_it_said() -> None:
    named = Declaration("half", of="H", missing=Card("HQ"))
    check(BASTA, sheet(declarations={FOREHAND: (HALF_HEARTS,)}))
    check(NAMED, sheet(declarations={FOREHAND: (named,)}))
    for rules, said in ((BASTA, named), (NAMED, HALF_HEARTS)):
        with pytest.raises(ImpossibleOutcome, match="no such declaration"):
            check(rules, sheet(declarations={FOREHAND: (said,)}))


@pytest.mark.cites("I-5.8")
def test_a_score_sheet_refuses_a_half_whose_courts_are_in_other_hands() -> None:
    kings = Declaration("full", of="K")
    check(BASTA, sheet(declarations={FOREHAND: (HALF_HEARTS,), MIDDLE: (kings,)}))  # one king may be missing
    for of in ("H", "K"):
        made = {FOREHAND: (Declaration("half", of=of),), MIDDLE: (Declaration("full", of=of),)}
        with pytest.raises(ImpossibleOutcome, match="would be in other hands"):
            check(BASTA, sheet(declarations=made))
