"""The guided first deals: played by the rules, told in four languages, with a reason for every other card."""

from __future__ import annotations

from itertools import pairwise
from random import Random

import pytest

from ultimo import danish, deal
from ultimo import events as e
from ultimo.cards import ALL_CARDS, cards, mask, parse_card, parse_cards
from ultimo.names import LANGUAGES, Family
from ultimo.tutor.school.first import DEALS, First, NoSuchStep, WrongMove, at, first, reason, script, words

PLAYERS = ("Anna", "Karen", "Aage", "Else")
END = {"danish": (180, -125, -125), "french": (444, -148, -148, -148)}

games = pytest.mark.parametrize("name", DEALS)


def end(one: First) -> int:
    return len(one.steps) - 1


def play(card: str) -> e.Play:
    return e.Play(parse_card(card))


def step_of(one: First, touch: str) -> tuple[int, tuple[e.Action, ...]]:
    """The step at which something is to be touched, and what has been done before it."""
    number = next(number for number, step in enumerate(one.steps) if step.touch == touch)
    return number, script(one)[: sum(bool(step.touch) for step in one.steps[:number])]


def refused(one: First, touch: str, wish: e.Action) -> WrongMove:
    number, moves = step_of(one, touch)
    with pytest.raises(WrongMove) as wrong:
        at(one, (*moves, wish), number + 1)
    return wrong.value


@games
def test_all_78_cards_are_dealt_once(name: Family) -> None:
    one = first(name)
    dealt = " ".join((*one.hands, one.chien)).split()
    assert len(dealt) == 78
    assert mask(" ".join(dealt)) == ALL_CARDS


@games
def test_the_deal_is_played_by_the_rules_to_its_end(name: Family) -> None:
    one = first(name)
    reached = at(one, script(one), end(one))
    assert reached.state.deal is not None
    assert deal.is_over(reached.state.deal)
    assert reached.state.totals == END[name]
    assert one.kind(end(one)) == "end"
    assert reached.touch is None


def test_the_danish_deal_pays_what_its_guide_tells() -> None:
    one = first("danish")
    reached = at(one, script(one), end(one))
    state = reached.state.deal
    assert isinstance(state, danish.State)
    assert state.counts == (45, 20, 13)
    paid = [
        transfer
        for events in reached.happened
        for event in events
        if isinstance(event, e.Paid)
        for transfer in event.transfers
    ]
    count = [(t.payer, t.points) for t in paid if t.reason == "count"]
    assert count == [(1, 5), (2, 15)]
    assert [(t.payer, t.points) for t in paid if t.reason == "pagatUltimo"] == [
        (1, 45),
        (2, 45),
        ("pagat", 65),
    ]


@games
def test_every_step_goes_on_from_the_one_before(name: Family) -> None:
    one, moves = first(name), script(first(name))
    reached = [at(one, moves, number) for number in range(len(one.steps))]
    assert [there.step for there in reached] == list(range(len(one.steps)))
    for before, after in pairwise(reached):
        assert after.happened[: after.since] == before.happened
        assert bool(one.steps[before.step].touch) == (before.touch is not None)
    for there in reached:
        if there.touch is not None:
            assert there.state.deal is not None
            assert one.learner in deal.waiting_for(one.rules, there.state.deal)
            assert there.touch in deal.legal(one.rules, there.state.deal, one.learner)


@games
@pytest.mark.parametrize("language", LANGUAGES)
def test_every_moment_is_told_in_every_language(name: Family, language: str) -> None:
    one = first(name)
    pen = one.pen(language)
    said = [one.title]
    for step in one.steps:
        said += [step.say, *step.why.values(), *([step.otherwise] if step.otherwise else [])]
    for text in said:
        told = words(pen, text, {})
        assert told
        assert not set("[]{}") & set(told), told
        assert len(told) < 300, told
    assert len({pen.write(step.say) for step in one.steps}) == len(one.steps)


@games
def test_whatever_is_as_good_leads_to_the_same_end(name: Family) -> None:
    one, dice = first(name), Random(name)
    taken = 0
    for _ in range(20):
        moves: list[e.Action] = []
        for number, step in enumerate(one.steps):
            there = at(one, moves, number)
            if there.touch is None:
                continue
            wish = there.touch
            if step.equals and dice.random() < 0.6:
                equal = parse_card(dice.choice(step.equals.split()))
                wish = e.Play(there.changed.get(equal, equal))
                taken += 1
            moves.append(wish)
        assert at(one, moves, end(one)).state.totals == END[name]
    assert taken > 10


def test_the_guide_names_the_card_that_has_changed_places() -> None:
    one = first("danish")
    number, moves = step_of(one, "H9")
    later, _ = step_of(one, "H7")
    changed = (*moves, play("H7"), *script(one)[len(moves) + 1 :])
    there = at(one, changed, later)
    assert there.touch == play("H9")
    assert "♥9" in words(one.pen("en"), one.steps[later].say, there.changed)
    assert "♥7" in words(one.pen("en"), one.steps[number + 1].say, there.changed)


@pytest.mark.parametrize("language", LANGUAGES)
@games
def test_every_other_card_is_refused_with_a_reason(name: Family, language: str) -> None:
    one, moves = first(name), script(first(name))
    pen = one.pen(language)
    reasons: set[str] = set()
    for number in range(end(one)):
        there = at(one, moves, number)
        if not isinstance(there.touch, e.Play):
            continue
        made = moves[: sum(bool(step.touch) for step in one.steps[:number])]
        assert there.state.deal is not None
        right = {one.steps[number].touch, *one.steps[number].equals.split()}
        for card in cards(there.state.deal.hands[one.learner]):
            if card.value in right:
                continue
            with pytest.raises(WrongMove) as wrong:
                at(one, (*made, e.Play(card)), number + 1)
            told = reason(wrong.value, pen, PLAYERS)
            assert told[-1] in ".!"
            assert not set("[]{}") & set(told), told
            reasons.add(told)
    assert len(reasons) > 20


def test_what_the_rules_forbid_is_said_as_they_say_it() -> None:
    wrong = refused(first("danish"), "D6", play("S2"))
    assert wrong.refusal is not None
    assert "follow suit" in reason(wrong, first("danish").pen("en"), PLAYERS)
    assert reason(wrong, first("danish").pen("de"), PLAYERS) != reason(
        wrong, first("danish").pen("en"), PLAYERS
    )


def test_the_pagat_is_kept_for_the_last_trick() -> None:
    wrong = refused(first("danish"), "T13", play("T1"))
    assert wrong.refusal is None
    told = reason(wrong, first("danish").pen("en"), PLAYERS)
    assert "5 from each" in told
    assert "45 from each" in told


def test_declaring_nothing_is_refused() -> None:
    one = first("danish")
    told = reason(refused(one, "declare", e.Declare(())), one.pen("en"), PLAYERS)
    assert "40 points" in told


def test_another_bid_another_ecart_and_a_card_before_the_poignee_are_refused() -> None:
    one, pen = first("french"), first("french").pen("en")
    bids = [reason(refused(one, "garde", e.Bid(bid)), pen, PLAYERS) for bid in ("petite", "sans", "contre")]
    assert len(set(bids)) == 2
    assert "pity" in reason(refused(one, "garde", e.Pass()), pen, PLAYERS)
    lay = next(step.touch for step in one.steps if step.touch.startswith("lay"))
    king = refused(one, lay, e.Lay(parse_cards("SK CQ CN C7 D5 D9")))
    assert king.refusal is not None
    other = refused(one, lay, e.Lay(parse_cards("SQ CQ CN C7 D5 D9")))
    assert "whole suits" in reason(other, pen, PLAYERS)
    show = next(step.touch for step in one.steps if step.touch.startswith("show"))
    assert "before your first card" in reason(refused(one, show, play("SK")), pen, PLAYERS)


def test_cards_may_be_picked_in_any_order() -> None:
    one = first("french")
    lay = next(step.touch for step in one.steps if step.touch.startswith("lay"))
    number, moves = step_of(one, lay)
    back = e.Lay(tuple(map(parse_card, reversed(lay.split()[1:]))))
    assert at(one, (*moves, back), number + 1).step == number + 1


@games
def test_a_step_needs_what_is_done_before_it_and_not_what_comes_later(name: Family) -> None:
    one, moves = first(name), script(first(name))
    for number in (-1, len(one.steps), 10**9):
        with pytest.raises(NoSuchStep):
            at(one, moves, number)
    with pytest.raises(NoSuchStep):
        at(one, moves[:-1], end(one))
    assert at(one, moves, 0).happened == at(one, (), 0).happened
