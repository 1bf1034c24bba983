"""The random player of the kernel draws as that of the engine: a kind of action first, then one of it."""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable
from random import Random
from typing import Any

import numpy as np
import pytest

import french_table
from table import Table, danish_rules, dealt
from ultimo.cards import cards
from ultimo.events import Action, Lay, Play, ShowPoignee
from ultimo.kernel.danish import layout as at
from ultimo.kernel.danish.at_random import are_plain_tricks, play_tricks_at_random
from ultimo.kernel.danish.bridge import from_view, to_action
from ultimo.kernel.danish.deal import act, begin, deal
from ultimo.kernel.danish.deal import array_of as danish_array
from ultimo.kernel.danish.policy.choose import choose
from ultimo.kernel.dice import GOLDEN, MASK, generator
from ultimo.kernel.jit import Words
from ultimo.kernel.policy import RANDOM
from ultimo.play.choices import Choices, Lays, Plays
from ultimo.players.policy import french as french_policies
from ultimo.rulebook import DanishRules

DRAWS = 6_000
SIGMAS = 4


def alike(one: Counter[Any], other: Counter[Any]) -> bool:
    """Whether two samples of one size may come from one distribution: chi-square, rare cells joined."""
    cells = {what: one[what] + other[what] for what in one | other}
    rare = [what for what, seen in cells.items() if seen < 10]
    pairs = [(one[what], other[what]) for what in cells if what not in rare]
    if rare:
        pairs.append((sum(one[what] for what in rare), sum(other[what] for what in rare)))
    chi_square = sum((here - there) ** 2 / (here + there) for here, there in pairs)
    freedom = len(pairs) - 1
    return bool(chi_square < freedom + SIGMAS * (2 * max(1, freedom)) ** 0.5)


def of_engine(choices: Choices) -> Counter[Action]:
    rng = Random(1)
    return Counter(choices.draw(rng) for _ in range(DRAWS))


def of_kernel(draw: Callable[[Words], Action]) -> Counter[Action]:
    dice = generator(2, 0)
    return Counter(draw(dice) for _ in range(DRAWS))


# --- Danish --------------------------------------------------------------------------------------------


def drawn(rules: DanishRules, table: Table, seat: int) -> Callable[[Words], Action]:
    """What draws as a random player of the kernel does in a position of the engine."""
    n, first = danish_array(rules), from_view(rules, table.state, seat)
    w = np.zeros(at.PAPER, np.int64)

    def draw(dice: Words) -> Action:
        s, laid = first.copy(), []
        while s[at.PHASE] == at.LAYING:
            laid.append(int(choose(RANDOM, n, s, w, dice)))
            act(n, s, w, laid[-1])
        if not laid:
            return to_action(int(s[at.PHASE]), int(choose(RANDOM, n, s, w, dice)))
        return Lay(cards(sum(1 << card for card in laid if card < at.FIRST_WORD)), at.LAY_TOUT in laid)

    return draw


# The dealer's hand, and how many ways there are to lay: tarokker all or none, with the skus for tout or not.
SKATS = {
    "S1 S2 S3 S4 S5 S6 H1 H2 H3 C1 C2 C3 D1 D2 D3 D4 D5 D6 D7 D8 HK CK DK T2 T3 T0 SQ HQ": 4,
    "S1 S2 S3 S4 S5 S6 H1 H2 H3 C1 C2 C3 D1 D2 D3 D4 D5 D6 D7 D8 HK CK DK T2 T3 T4 T0 HQ": 3,
    "S1 S2 S3 S4 S5 S6 H1 H2 H3 C1 C2 C3 D1 D2 D3 D4 D5 D6 D7 D8 HK CK DK T2 T3 T4 SQ HQ": 2,
    "S1 S2 H1 H2 T0 T2 T3 T4 T5 T6 T7 T8 T9 T10 T11 T12 T13 T14 T15 T16 HK CK DK T17 T18 T19 SK HQ": 2,
}


@pytest.mark.parametrize(("hand", "ways"), SKATS.items(), ids=range(len(SKATS)))
def test_a_skat_is_laid_as_the_engine_draws_it(hand: str, ways: int) -> None:
    rules = danish_rules("dtf", {"skat.skusForTout": True})
    table = dealt(rules, {0: hand})
    table.accept_all()
    choices = table.legal(0)
    assert [type(offer) for offer in choices.offers] == [Lays] * ways
    assert alike(of_engine(choices), of_kernel(drawn(rules, table, 0)))


def test_a_skus_is_led_as_often_as_another_card() -> None:
    rules = danish_rules("hermansen")
    table = dealt(rules, {1: "T0 T1 T2 S1 H1 C1", 0: "T3 T4 T5 T6 T7 T8"})
    table.accept_all()
    table.act(0, next(iter(table.legal(0))))
    while table.state.phase != "play":
        seat = table.state.asked[0]
        table.act(seat, next(iter(table.legal(seat))))
    choices = Choices(tuple(offer for offer in table.legal(1).offers if isinstance(offer, Plays)))
    kernel = of_kernel(drawn(rules, table, 1))
    assert len(kernel) == 25 + 4
    assert alike(of_engine(choices), kernel)


def test_an_announcement_is_one_word_of_three() -> None:
    nolo, tout = {"win": 30, "premium": 4, "lose": 7}, {"win": 50, "lose": 50}
    house = {"nolo.announce": [{"beforeTrick": 1, **nolo}], "tout.announce": [{"beforeTrick": 1, **tout}]}
    rules = danish_rules("dtf", house)
    table = dealt(rules, {})
    table.accept_all()
    table.act(0, next(iter(table.legal(0))))
    (seat, *_) = table.state.asked
    choices = Choices(table.legal(seat).offers[:1])
    assert (table.state.phase, len(choices)) == ("announce", 3)
    assert alike(of_engine(choices), of_kernel(drawn(rules, table, seat)))


def to_the_end(rules: DanishRules, seed: int, start: int, by_tricks: bool) -> list[int]:
    """The end of a random deal, its play with dice that begin at `start`: by whole tricks or card by card."""
    n, s, w = danish_array(rules), np.zeros(at.LENGTH, np.int64), np.zeros(at.PAPER, np.int64)
    dice = generator(seed, 0)
    begin(n, s, w, 3, 0, 0)
    deal(n, s, w, dice)
    while s[at.PHASE] < at.ANNOUNCE:
        act(n, s, w, at.ACCEPT if s[at.PHASE] == at.HANDS else choose(RANDOM, n, s, w, dice))
    dice[0] = start
    while s[at.PHASE] != at.CLOSED:
        if by_tricks and are_plain_tricks(s):
            play_tricks_at_random(n, s, w, dice)
        else:
            act(n, s, w, choose(RANDOM, n, s, w, dice))
    s[at.TURN] = 0  # nobody's
    return [*s.tolist(), int(dice[0])]


@pytest.mark.parametrize("throws", range(1, 76, 6))
def test_a_throw_is_made_again_in_the_midst_of_tricks(throws: int) -> None:
    """From 0 the generator gives 0, which no draw keeps where the sides do not divide its words."""
    rules = danish_rules("hermansen")
    for seed in range(3):
        start = -throws * GOLDEN & MASK
        assert to_the_end(rules, seed, start, True) == to_the_end(rules, seed, start, False)


def test_whole_tricks_stop_where_somebody_is_asked() -> None:
    nolo = {"beforeTrick": 5, "win": 30, "premium": 4, "lose": 7}
    rules = danish_rules("dtf", {"nolo.announce": [nolo], "skus.lastTrickLead": "leadPasses"})
    for seed in range(40):
        assert to_the_end(rules, seed, seed, True) == to_the_end(rules, seed, seed, False)


# --- French --------------------------------------------------------------------------------------------


def test_a_poignee_is_a_kind_beside_all_cards() -> None:
    table = french_table.Table("french4", {0: "T1 T2 T3 T4 T5 T6 T7 T8 T9 T10 T11 T12 T13 T14 T15 T0"})
    table.bid("contre pass pass pass")
    while table.state.phase != "play":
        table.do(next(iter(table.legal)))
    choices, seat = table.legal, table.turn
    assert [type(offer).__name__ for offer in choices.offers] == ["Plays", "Shows", "Shows", "Shows"]
    rules, state = table.rules, table.state
    kernel = of_kernel(lambda dice: french_policies.choose(rules, state, seat, RANDOM, dice)[0])
    engine = of_engine(choices)
    assert alike(by_kind(engine), by_kind(kernel))
    assert alike(cards_of(engine), cards_of(kernel))


def cards_of(found: Counter[Action]) -> Counter[Action]:
    """The cards that were played."""
    return Counter({what: times for what, times in found.items() if isinstance(what, Play)})


def by_kind(found: Counter[Action]) -> Counter[int]:
    """How often a card was played, and a poignée of each size shown."""
    kinds: Counter[int] = Counter()
    for what, times in found.items():
        kinds[len(what.cards) if isinstance(what, ShowPoignee) else 0] += times
    return kinds
