"""Rules A4 and B10: counting the piles, and what the count pays."""

from __future__ import annotations

from random import Random
from typing import Any

import pytest

from settling import C_NOLO, LEVEL, A, B, C, outcome
from table import DANISH, Table, danish_rules, dealt, ending, net, strict
from ultimo import deal
from ultimo.cards import COURTS, KINGS, PACK, Card, cards, mask
from ultimo.danish import Outcome, settle
from ultimo.danish.counting import count_payments, count_results
from ultimo.danish.state import pile_points
from ultimo.events import Accept, Counted, EnterCount, Recount, RecountDemanded
from ultimo.play.counting import honours_of
from ultimo.rulebook import DanishRules, RulebookError

# As printed in 000 Efter spillet, and in 004 with its last two rows put right (rules A1, errata).
TABLE = """
00-03 -25   04-08 -20   09-13 -15   14-18 -10   19-23 -5    24-28 0     29-33 5     34-38 10
39-43 15    44-48 20    49-53 25    54-58 30    59-63 35    64-68 40    69-73 45    74-78 50
"""
PRINTED = {
    count: int(points)
    for span, points in zip(TABLE.split()[::2], TABLE.split()[1::2], strict=True)
    for count in range(int(span[:2]), int(span[3:]) + 1)
}
SPLITS = [(one, two, 78 - one - two) for one in range(79) for two in range(79 - one)]
ROUNDED = ("jensen", "hermansen", "vlk", "dtf")
EXACT = {"count.mode": "exact", "count.counters": "all"}


def counted(
    rules: DanishRules, *counts: int, table: int = 3, order: tuple[int, int, int] = (A, B, C)
) -> tuple[int, ...]:
    """What forehand, middle and dealer win by these counts."""
    noted = Outcome(table=table, order=order, king=0, pagat=0, counts=counts)  # type: ignore[arg-type]
    result = count_results(rules, noted)
    assert net(count_payments(rules, noted), *order) == tuple(result[seat] for seat in order)
    return tuple(result[seat] for seat in order)


# --- what a count pays ---------------------------------------------------------------------------------


@pytest.mark.cites("G124")
@pytest.mark.parametrize("book", ROUNDED)
def test_every_count_pays_as_printed(book: str) -> None:
    assert sorted(PRINTED) == list(range(79))
    rules = danish_rules(book)
    for count, points in PRINTED.items():
        assert counted(rules, 0, 78 - count, count)[2] == points


@pytest.mark.cites("G124")
@pytest.mark.parametrize("book", ["jensen", "dtf"])
def test_the_ends_of_the_rows_pay_as_the_specification_says(book: str) -> None:
    ends = (0, 3, 4, 23, 24, 28, 29, 73, 74, 78)
    paid = [counted(danish_rules(book), 0, 78 - count, count)[2] for count in ends]
    assert paid == [-25, -25, -20, -5, 0, 0, 5, 45, 50, 50]


@pytest.mark.cites("G125")
def test_73_is_paid_45_although_the_federation_prints_it_twice() -> None:
    assert counted(danish_rules("dtf"), 0, 5, 73)[2] == 45


@pytest.mark.cites("I-10.3")
@pytest.mark.parametrize(("count", "points"), [(23, -5), (18, -10), (29, 5), (34, 10)])
def test_hermansens_examples_are_paid_in_fives(count: int, points: int) -> None:
    assert counted(danish_rules("hermansen"), 0, 78 - count, count)[2] == points
    assert counted(danish_rules("hermansen", EXACT), 0, 78 - count, count)[2] == count - 26


@pytest.mark.cites("G123", "I-10.2")
def test_the_third_player_pays_the_balance() -> None:
    assert counted(danish_rules("jensen"), 20, 19, 39) == (-10, -5, 15)


@pytest.mark.cites("G126", "I-10.1")
@pytest.mark.parametrize("book", ["jensen", "dtf"])
def test_a_player_may_win_five_although_no_other_count_pays(book: str) -> None:
    assert counted(danish_rules(book), 24, 25, 29) == (-5, 0, 5)


@pytest.mark.cites("G127", "I-10.2")
@pytest.mark.parametrize("book", ["jensen", "dtf"])
def test_who_balances_may_miss_what_his_own_count_would_pay(book: str) -> None:
    assert counted(danish_rules(book), 29, 25, 24) == (0, 0, 0)


@pytest.mark.cites("I-10.2")
@pytest.mark.parametrize("book", ROUNDED)
def test_the_count_balances_whatever_the_split_and_never_misses_by_more_than_five(book: str) -> None:
    rules = danish_rules(book)
    for split in SPLITS:
        third, *counters = counted(rules, *split)
        assert third + sum(counters) == 0
        assert counters == [PRINTED[count] for count in split[1:]]
        assert abs(third - PRINTED[split[0]]) <= 5


@pytest.mark.cites("I-10.2")
def test_three_rounded_counts_would_not_balance_and_are_refused_as_a_house_rule() -> None:
    assert len(SPLITS) == 3160
    assert sum(PRINTED[one] + PRINTED[two] + PRINTED[three] != 0 for one, two, three in SPLITS) == 720
    with pytest.raises(RulebookError, match="rounded counts do not balance"):
        danish_rules("jensen", {"count.counters": "all"})


@pytest.mark.cites("G128", "I-10.5")
def test_basta_pays_exact_differences() -> None:
    assert counted(danish_rules("basta"), 33, 25, 20) == (7, -1, -6)


@pytest.mark.cites("I-10.5")
def test_exact_differences_balance_by_themselves() -> None:
    rules = danish_rules("basta")
    for split in SPLITS:
        assert counted(rules, *split) == tuple(count - 26 for count in split)


def test_a_house_may_count_exactly_with_two_counters_or_not_at_all() -> None:
    two = danish_rules("jensen", {"count.mode": "exact"})
    assert counted(two, 20, 19, 39) == (-6, -7, 13)
    noted = outcome(["T20", "S4", "D4"], LEVEL, counts=(20, 19, 39))
    reasons = [t.reason for t in settle(danish_rules("jensen", {"count.mode": "off"}), noted).transfers]
    assert "lastTrick" in reasons
    assert "count" not in reasons


@pytest.mark.cites("I-10.4")
def test_losers_pay_and_winners_are_paid_and_nobody_both() -> None:
    for rules in (danish_rules("jensen"), danish_rules("basta")):
        for split in SPLITS[::7]:
            noted = Outcome(table=3, order=(A, B, C), king=0, pagat=0, counts=split)
            payments = count_payments(rules, noted)
            assert {t.payer for t in payments}.isdisjoint({t.payee for t in payments})
            assert all(t.points > 0 for t in payments)
            assert net(payments, A, B, C) == tuple(count_results(rules, noted)[seat] for seat in (A, B, C))


# --- who counts ----------------------------------------------------------------------------------------


def to_the_count(rules: DanishRules, order: tuple[int, int, int], table: int) -> Table:
    """A deal in which all cards have been played and the players count."""
    for seed in range(20):
        deck = [card.value for card in deal.shuffled(Random(seed))]
        hands = {order[0]: deck[:25], order[1]: deck[25:50], order[2]: deck[50:]}
        table_ = dealt(rules, {seat: " ".join(hand) for seat, hand in hands.items()}, order, table)
        table_.accept_all()
        while table_.state.phase not in ("count", "closed"):
            seat = deal.waiting_for(rules, table_.state)[0]
            table_.act(seat, table_.legal(seat).draw(Random(seed)))
        if table_.state.phase == "count":
            return table_
    raise AssertionError("twenty nolos in a row")


@pytest.mark.parametrize(
    ("book", "order", "table", "counters"),
    [
        pytest.param("jensen", (1, 3, 0), 4, (3, 0), marks=pytest.mark.cites("G129", "I-10.1")),
        pytest.param("vlk", (1, 4, 0), 5, (1, 0), marks=pytest.mark.cites("G130", "I-10.1")),
        pytest.param("dtf", (1, 4, 0), 5, (1, 0), marks=pytest.mark.cites("I-10.1")),
        pytest.param("jensen", (1, 3, 0), 5, (3, 0), marks=pytest.mark.cites("I-10.1")),
        pytest.param("hermansen", (1, 3, 0), 5, (3, 0), marks=pytest.mark.cites("I-10.1", "I-10.3")),
        pytest.param("vlk", (1, 2, 0), 3, (2, 0), marks=pytest.mark.cites("I-10.1")),
        pytest.param("dtf", (1, 3, 0), 4, (3, 0), marks=pytest.mark.cites("I-10.1")),
        pytest.param("basta", (1, 3, 0), 4, (1, 3, 0), marks=pytest.mark.cites("I-10.5")),
    ],
)
def test_the_two_who_do_not_prepare_the_next_deal_count(
    book: str, order: tuple[int, int, int], table: int, counters: tuple[int, ...]
) -> None:
    position = to_the_count(strict(book, "count"), order, table)
    assert deal.waiting_for(position.rules, position.state) == counters
    for seat in set(range(table)) - set(counters):
        assert EnterCount(26) not in position.legal(seat)
    if book != "basta":
        (third,) = set(order) - set(counters)
        result = dict(
            zip(order, counted(danish_rules(book), 30, 9, 39, table=table, order=order), strict=True)
        )
        own = dict(zip(order, (30, 9, 39), strict=True))
        assert result == {seat: PRINTED[own[seat]] for seat in counters} | {
            third: -sum(PRINTED[own[seat]] for seat in counters)
        }


@pytest.mark.cites("G131")
@pytest.mark.parametrize("book", ROUNDED)
@pytest.mark.parametrize("switch", [(), ("count",)])
def test_after_a_nolo_nobody_counts(book: str, switch: tuple[str, ...]) -> None:
    table = ending(strict(book, *switch), {A: "T20", B: "S4", C: "D4"}, A, won={A: 12, B: 12})
    table.play("T20", "S4", "D4")
    assert table.state.phase == "closed"
    assert table.events(Counted) == []
    assert "count" not in {t.reason for t in table.transfers()}
    noted = outcome(["T20", "S4", "D4"], C_NOLO, counts=(60, 18, 0))
    assert count_payments(danish_rules(book), noted) == []


# --- what a pile is worth ------------------------------------------------------------------------------


@pytest.mark.parametrize("book", DANISH)
def test_the_piles_come_to_78_and_the_skat_counts_as_a_trick_of_the_dealers(book: str) -> None:
    table = to_the_count(strict(book, "count"), (A, B, C), 3)
    state = table.state
    assert sum(pile_points(state)) == 78
    assert sum(state.won) == 25
    assert pile_points(state)[C] == state.won[C] + 1 + honours_of(state.piles[C] | state.skat)
    assert pile_points(state)[A] == state.won[A] + honours_of(state.piles[A])


def test_counting_by_threes_as_basta_does_gives_the_same() -> None:
    """Honours of 5 4 3 2 with two blanks each; two together are one less, three two less; blanks are 1."""
    five = KINGS | mask("T21 T1 T0")
    value = {card: 5 if card.bit & five else "JNQ".find(card.value[-1]) + 2 for card in cards(five | COURTS)}
    rng = Random(3)
    for _ in range(50):
        tricks = rng.randrange(27)
        pile = rng.sample(PACK, 3 * tricks)
        points = 0
        for place in range(0, len(pile), 3):
            some = [value[card] for card in pile[place : place + 3] if card in value]
            points += sum(some) - (len(some) - 1) if some else 1
        assert points == tricks + honours_of(mask(pile))


@pytest.mark.parametrize(
    ("one", "worth"),
    [("SK", 4), ("T21", 4), ("T1", 4), ("T0", 4), ("HQ", 3), ("CN", 2), ("DJ", 1), ("T20", 0)],
)
def test_a_card_counts_what_a4_says(one: str, worth: int) -> None:
    assert honours_of(Card(one).bit) == worth
    assert honours_of(mask(PACK)) == 52


# --- counting by hand (strict.count) -------------------------------------------------------------------


def enter(table: Table, **points: int) -> None:
    """Let seats enter counts: `s2=39`."""
    for seat, count in points.items():
        table.act(int(seat[1:]), EnterCount(count))


def accept_all(table: Table) -> None:
    """Everybody is content."""
    for seat in table.state.order:
        table.act(seat, Accept())


def true_counts(table: Table) -> dict[str, Any]:
    """What the piles are worth, as `enter` wants it."""
    return {f"s{seat}": points for seat, points in enumerate(pile_points(table.state))}


@pytest.mark.cites("I-10.2")
def test_three_counts_that_do_not_make_78_are_counted_again() -> None:
    table = to_the_count(strict("basta", "count"), (A, B, C), 3)
    enter(table, s1=30, s2=30, s0=30)
    assert table.log[-1] == RecountDemanded(C, wrong=True)
    assert (table.state.phase, table.state.entered) == ("count", ())
    enter(table, **true_counts(table))
    accept_all(table)
    (final,) = table.events(Counted)
    assert final.points == pile_points(table.state)
    assert table.state.result == "played"


@pytest.mark.cites("I-10.2")
def test_two_counts_above_78_are_counted_again() -> None:
    table = to_the_count(strict("jensen", "count"), (A, B, C), 3)
    enter(table, s2=40, s0=39)
    assert table.log[-1] == RecountDemanded(C, wrong=True)
    enter(table, s2=39, s0=39)
    assert table.state.entered == ((B, 39), (C, 39))  # the third may have nothing


@pytest.mark.parametrize("book", DANISH)
def test_a_player_may_have_a_wrong_count_counted_again(book: str) -> None:
    table = to_the_count(strict(book, "count"), (A, B, C), 3)
    right = true_counts(table)
    if book != "basta":
        del right["s1"]
    wrong = right | {"s2": right["s2"] + 1, "s0": right["s0"] - 1}
    enter(table, **wrong)
    assert table.act(B, Recount()) == (RecountDemanded(B, wrong=True),)
    enter(table, **right)
    assert table.act(B, Recount()) == (RecountDemanded(B, wrong=False),)
    accept_all(table)
    assert table.state.counts == pile_points(table.state)


def test_a_wrong_count_that_everybody_accepts_is_paid() -> None:
    table = to_the_count(strict("jensen", "count"), (A, B, C), 3)
    enter(table, s2=19, s0=39)
    accept_all(table)
    assert table.state.counts == (39, 20, 19)
    assert net([t for t in table.transfers() if t.reason == "count"], A, B, C) == (-10, -5, 15)


def test_the_count_waits_for_every_counter_and_then_for_everybodys_word() -> None:
    table = to_the_count(strict("jensen", "count"), (A, B, C), 3)
    assert table.refuses(B, Accept()).reason == "this is not possible now"
    enter(table, s2=19)
    assert table.refuses(B, EnterCount(20)).reason == "it is not your turn"
    assert table.refuses(C, EnterCount(79)).reason == "this is not possible now"
    enter(table, s0=39)
    assert deal.waiting_for(table.rules, table.state) == (A, B, C)
    table.act(A, Accept())
    assert deal.waiting_for(table.rules, table.state) == (B, C)


@pytest.mark.parametrize("book", DANISH)
def test_where_errors_in_counting_are_impossible_nobody_enters_a_count(book: str) -> None:
    table = ending(danish_rules(book), {A: "T20", B: "S4", C: "D4"}, A, won={A: 8, B: 8, C: 8})
    table.play("T20", "S4", "D4")
    assert table.state.phase == "closed"
    assert table.state.counts == pile_points(table.state)
