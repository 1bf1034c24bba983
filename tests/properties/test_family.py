"""Either family answers every question of the common face, for its rules and for a deal that has begun."""

from __future__ import annotations

from random import Random

import pytest

from properties.driving import TABLES
from ultimo import danish, deal, french, rulebook, series
from ultimo.events import Opened, Settlement, Transfer, balances
from ultimo.family import Family, family
from ultimo.play.choices import Choices

QUESTIONS = {name for name in vars(Family) if not name.startswith("_")}


def begun(book: str, table: int) -> tuple[rulebook.Rules, deal.State]:
    """A deal with its cards, before the first word."""
    rules, rng = rulebook.load(book), Random(1)
    opened = Opened(table, 0, series.seated(rules, table, 0, series.first_out(rules, table, 0)))
    state = deal.replay(rules, deal.begin(rules, opened))
    return rules, deal.step(rules, state, None, deal.deal_out(rules, state, deal.shuffled(rng), rng))[0]


@pytest.mark.parametrize("module", [danish, french])
def test_a_family_has_an_answer_to_every_question(module: object) -> None:
    assert QUESTIONS - set(vars(module)) == set()


@pytest.mark.parametrize(("book", "table"), TABLES)
def test_both_answer_about_a_deal_that_has_begun(book: str, table: int) -> None:
    rules, state = begun(book, table)
    face = family(rules)
    (seat, *_) = face.waiting_for(rules, state) or state.active
    assert isinstance(face.legal(rules, state, seat), Choices)
    assert len(face.due_declarations(rules, state, seat)) >= len(face.paid_declarations(rules, state, seat))
    assert not face.is_plain(rules, state, 0)
    assert face.picked_up(rules, state) == ()
    assert state.number == 1
    assert not state.needs_cards
    assert set(state.cups) == set(rules.accounts)
    assert state.deck == ()
    assert {role for one in state.active for role in state.roles(one)} >= {"dealer"}
    assert sum(map(state.size, state.active)) + state.aside.known.bit_count() + state.aside.unseen == 78
    assert state.laid == 0


@pytest.mark.parametrize(("book", "table"), TABLES)
def test_both_answer_about_deals_in_a_row(book: str, table: int) -> None:
    rules = rulebook.load(book)
    face, out = family(rules), series.first_out(rules, table, 0)
    active = face.seated(rules, table, 0, out)
    assert active[-1] == 0
    assert face.next_places(rules, table, 1, 0, out).dealer != 0
    for cup in rules.accounts if rules.has_cups else ():
        assert {one.payee for one in face.founding(rules, table, active, cup)} == {cup}
    paid = face.divided(rules, {"king": 50, "pagat": 70}, (0,) * table, 0, 0)
    assert sum(one.points for one in paid) == (120 if rules.accounts else 0)


def test_a_settlement_of_either_family_has_the_same_form() -> None:
    scored = french.Outcome(players=4, taker=0, bid="garde", half_points=92, bouts=2)
    scrapped = danish.Outcome(table=3, order=(1, 2, 0), king=60, pagat=60)
    for book, outcome in (("french4", scored), ("dtf", scrapped)):
        settlement = deal.settle(rulebook.load(book), outcome)
        assert isinstance(settlement, Settlement)
        assert settlement.transfers
        assert sum(balances(settlement.transfers).values()) == 0


def test_balances_have_both_ends_of_every_transfer() -> None:
    paid = [Transfer(0, "king", 5, "ante", ""), Transfer("king", 2, 3, "kingUltimo", "")]
    assert balances(paid) == {0: -5, "king": 2, 2: 3}
