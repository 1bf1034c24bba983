"""Drawing an evening: everybody sits, people meet as many others as they can, and luck is shared."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable
from itertools import combinations, product
from pathlib import Path
from random import Random

import msgspec
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from msgspec.structs import replace

from ultimo.club.seating import Plan, Round, Wish, draw, meetings, split
from ultimo.club.seating.dealers import first_dealers
from ultimo.club.seating.measures import bounds
from ultimo.club.seating.plan import present, sizes_of
from ultimo.club.sheet import Refused
from ultimo.names import LANGUAGES

FEW = 4_000  # steps, where it does not matter how good the plan is
QUICK = 400_000


def people(number: int) -> tuple[str, ...]:
    return tuple(f"P{one:02}" for one in range(1, number + 1))


def met(plan: Plan) -> dict[tuple[str, str], int]:
    return {(first, second): times for first, second, times in meetings(plan.rounds)}


@st.composite
def wishes(drawing: st.DrawFn) -> Wish:
    """An evening with people who come late, leave early or are better kept apart."""
    names = people(drawing(st.integers(7, 22)))
    rounds = drawing(st.integers(1, 5))
    late = drawing(st.dictionaries(st.sampled_from(names[:2]), st.integers(1, rounds), max_size=2))
    gone = drawing(st.dictionaries(st.sampled_from(names[2:4]), st.integers(1, rounds), max_size=2))
    sizes = drawing(st.sampled_from([(4, 3), (3,), (4,), (5, 4), (3, 4, 5)]))
    apart = drawing(st.sampled_from([(), ((names[0], names[1]),), ((names[4], names[5]),)]))
    return Wish(names, rounds, sizes, from_round=late, until_round=gone, apart=apart)


@settings(max_examples=25)
@given(wishes(), st.integers(0, 5), st.text(max_size=3))
def test_whatever_is_wished_everybody_present_sits_once_a_round(wish: Wish, played: int, seed: str) -> None:
    plan = draw(wish, seed, steps=FEW)
    assert len(plan.rounds) == wish.rounds
    for number, drawn in enumerate(plan.rounds, 1):
        assert sorted(name for table in drawn.tables for name in table) == sorted(present(wish, number))
        assert tuple(map(len, drawn.tables)) == sizes_of(wish, number)
    found = met(plan)
    assert not any(pair in found for pair in wish.apart)
    assert plan.repeats == sum(times - 1 for times in found.values()) >= plan.bound
    assert plan.most == max(found.values()) >= plan.most_bound
    kept = plan.rounds[:played]
    again = draw(wish, f"{seed}!", kept, FEW)
    assert again.rounds[: len(kept)] == kept
    assert again.repeats >= again.bound >= 0
    for one in (plan, again):
        assert msgspec.json.decode(msgspec.json.encode(one), type=Plan) == one
        assert sum(share.first for share in one.shares.values()) == sum(len(r.tables) for r in one.rounds)


def test_a_seed_gives_one_plan_whatever_the_order_of_the_list() -> None:
    wish = Wish(people(13), 3)
    assert draw(wish, "a", steps=FEW) == draw(replace(wish, people=wish.people[::-1]), "a", steps=FEW)
    assert draw(wish, "a", steps=FEW) != draw(wish, "b", steps=FEW)


def test_a_plan_does_not_change_from_one_machine_to_another() -> None:
    plan = draw(Wish(people(7), 2), "club", steps=FEW)
    assert plan.rounds == (
        Round((("P05", "P06", "P04", "P02"), ("P01", "P03", "P07"))),
        Round((("P02", "P06", "P01", "P07"), ("P04", "P03", "P05"))),
    )


# --- tables ----------------------------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("number", "sizes", "tables"),
    [
        (25, (4, 3), (4, 4, 4, 4, 3, 3, 3)),
        (7, (4, 3), (4, 3)),
        (9, (4, 3), (3, 3, 3)),
        (9, (3, 4), (3, 3, 3)),
        (8, (3, 4), (4, 4)),
        (11, (4,), (4, 4, 3)),
        (9, (4,), (4, 5)),
        (5, (4, 3), (5,)),
        (13, (5, 4), (5, 4, 4)),
        (3, (5,), (3,)),
    ],
)
def test_people_go_into_tables_as_near_to_the_wish_as_can_be(
    number: int, sizes: tuple[int, ...], tables: tuple[int, ...]
) -> None:
    assert split(number, sizes) == tables


def test_a_plan_says_where_the_tables_are_not_as_wished() -> None:
    assert draw(Wish(people(12), 2, (4,)), "a", steps=FEW).other == ()
    assert draw(Wish(people(11), 2, (4,)), "a", steps=FEW).other == (1, 2)
    late = Wish(people(12), 3, tables=(4, 4, 4), from_round={"P01": 3})
    plan = draw(late, "a", steps=FEW)
    assert [tuple(map(len, one.tables)) for one in plan.rounds] == [(4, 4, 3), (4, 4, 3), (4, 4, 4)]
    assert plan.other == (1, 2)
    given_order = draw(Wish(people(10), 1, tables=(3, 4, 3)), "a", steps=FEW)
    assert tuple(map(len, given_order.rounds[0].tables)) == (3, 4, 3)


# --- meetings --------------------------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("number", "rounds", "sizes"),
    [
        (9, 4, (3,)),  # the affine plane of order 3
        (16, 5, (4,)),  # and of order 4
        (15, 5, (4, 3)),  # without a point
        (15, 7, (3,)),  # Kirkman's schoolgirls
        (24, 7, (4,)),
        (25, 6, (5,)),  # the affine plane of order 5
        (25, 2, (4, 3)),
        (60, 8, (4, 3)),
    ],
)
def test_nobody_meets_twice_where_a_design_is_known(number: int, rounds: int, sizes: tuple[int, ...]) -> None:
    plan = draw(Wish(people(number), rounds, sizes), "1")
    assert (plan.repeats, plan.bound, plan.most) == (0, 0, 1)


@pytest.mark.parametrize(
    ("number", "rounds", "needed"), [(7, 2, 3), (8, 2, 4), (8, 3, 8), (10, 2, 1), (12, 2, 3), (16, 6, 24)]
)
def test_the_bound_is_met_where_meetings_must_be_repeated(number: int, rounds: int, needed: int) -> None:
    plan = draw(Wish(people(number), rounds), "1", steps=QUICK)
    assert (plan.repeats, plan.bound) == (needed, needed)


def test_the_bound_holds_for_every_plan_of_a_small_evening() -> None:
    """All plans for 7 people in two rounds and in three, the first round in order."""
    tables = [frozenset(four) for four in combinations(range(7), 4)]
    pairs = [set(combinations(sorted(f), 2)) | set(combinations(sorted({*range(7)} - f), 2)) for f in tables]
    for rounds in (2, 3):
        found = min(
            sum(Counter(pair for one in plan for pair in one).values()) - len(set().union(*plan))
            for rest in product(pairs, repeat=rounds - 1)
            for plan in [(pairs[0], *rest)]
        )
        assert found == bounds(Wish(people(7), rounds))[0]


def test_the_table_of_the_manual_is_what_is_drawn() -> None:
    """A few cells that are quickly drawn. If this fails: python tools/write_seating.py"""
    page = Path(__file__).parents[2] / "docs" / "seating.md"
    rows = [line.split(" | ") for line in page.read_text(encoding="utf-8").splitlines() if "×" in line]
    shown = {(row[0].strip("| "), place): cell for row in rows for place, cell in enumerate(row[2:], 1)}
    assert len(shown) == 8 * 54
    for number, rounds in ((7, 2), (8, 6), (16, 5), (33, 4), (60, 8)):
        plan = draw(Wish(tuple(f"{one:03}" for one in range(number)), rounds), "1")
        assert shown[str(number), rounds].strip("| ") == str(plan.repeats)


def test_who_comes_late_and_who_is_apart_counts_in_the_bound() -> None:
    wish = Wish(people(12), 3, (4,))
    assert bounds(wish) == (6, 2)
    assert bounds(replace(wish, rounds=2))[0] == 3
    assert bounds(replace(wish, rounds=2, from_round={"P01": 2}))[0] == 2
    lonely = tuple(("P01", name) for name in people(12)[4:])
    assert bounds(replace(wish, apart=lonely))[0] >= 6
    assert bounds(replace(wish, apart=lonely))[1] == 3  # three others, nine meetings


def test_people_who_met_before_are_better_kept_apart() -> None:
    names = people(16)
    first = draw(Wish(names, 2), "1", steps=QUICK)
    second = Wish(names, 1, met=(*meetings(first.rounds), ("P01", "somebody else", 3)))
    assert draw(second, "1", steps=QUICK).again == 0
    assert draw(second, "1", steps=60).again > 0


def test_after_somebody_has_left_only_the_rounds_to_come_are_drawn_anew() -> None:
    wish = Wish(people(16), 4)
    plan = draw(wish, "1", steps=QUICK)
    gone = replace(wish, until_round={"P05": 2}, apart=((plan.rounds[0].tables[0][0], "P16"),))
    after = draw(gone, "1", plan.rounds[:2], QUICK)
    assert after.rounds[:2] == plan.rounds[:2]
    assert after.repeats == after.bound == 0
    assert after.shares["P05"].rounds == 2
    dropped = draw(
        replace(wish, people=tuple(name for name in wish.people if name != "P05")), "1", plan.rounds[:2]
    )
    assert dropped.shares["P05"].rounds == 2
    assert draw(wish, "1", plan.rounds, FEW).rounds == plan.rounds


# --- shares ----------------------------------------------------------------------------------------------


def test_big_tables_and_sitting_out_are_shared() -> None:
    plan = draw(Wish(people(25), 4), "1", steps=QUICK)
    threes = [share.sizes.get(3, 0) for share in plan.shares.values()]
    assert (min(threes), max(threes)) == (1, 2)  # nine of 25 sit at threes
    fives = draw(Wish(people(23), 4, (5, 4)), "1", steps=QUICK)
    assert max(share.out for share in fives.shares.values()) <= 0.4
    assert {size for share in fives.shares.values() for size in share.sizes} == {4, 5}


def test_dealing_first_falls_to_everybody_as_evenly_as_can_be() -> None:
    for number, rounds in ((16, 4), (24, 8), (25, 4), (30, 3)):
        first = [share.first for share in draw(Wish(people(number), rounds), "1", steps=FEW).shares.values()]
        assert max(first) - min(first) <= 1, (number, rounds)


def test_a_first_deal_is_handed_on_from_table_to_table() -> None:
    tables = [(0, 1, 2), (0, 1, 3), (0, 1, 2), (2, 3, 4)]
    for seed in range(20):
        chosen = first_dealers(tables, [0] * 5, [4] * 5, Random(seed))
        assert all(one in table for one, table in zip(chosen, tables, strict=True))
        assert max(Counter(chosen).values()) == 1
    assert first_dealers([(0, 1, 2)], [1, 1, 3], [1, 2, 8], Random(0)) == [2]  # of eight rounds, three so far
    assert first_dealers([(0, 1, 2)], [1, 1, 1], [8, 2, 8], Random(0)) != [1]


@pytest.mark.parametrize("seed", range(12))
def test_no_other_choice_of_first_dealers_is_fairer(seed: int) -> None:
    rng = Random(seed)
    tables = [tuple(rng.sample(range(7), 3)) for _ in range(5)]
    dealt, stays = [rng.randrange(3) for _ in range(7)], [rng.randint(1, 4) for _ in range(7)]

    def worth(chosen: Iterable[int]) -> int:
        had = Counter(chosen)
        return sum(12 * (dealt[one] + had[one]) ** 2 // stays[one] for one in range(7))

    assert worth(first_dealers(tables, dealt, stays, rng)) == min(map(worth, product(*tables)))


# --- refusals --------------------------------------------------------------------------------------------

SEVEN = Wish(people(7), 2)
REFUSALS = {
    "seatingPeople": replace(SEVEN, people=people(2)),
    "seatingRounds": replace(SEVEN, rounds=9),
    "seatingTwice": replace(SEVEN, people=("A", "B", "C", "A")),
    "seatingSizes": replace(SEVEN, sizes=(6,)),
    "seatingUnknown": replace(SEVEN, apart=(("P01", "Nobody"),)),
    "seatingSelf": replace(SEVEN, apart=(("P01", "P01"),)),
    "seatingNever": replace(SEVEN, from_round={"P01": 2}, until_round={"P01": 1}),
    "seatingFew": replace(SEVEN, until_round=dict.fromkeys(people(5), 1)),
    "seatingTables": replace(SEVEN, tables=(4, 4)),
    "seatingApart": replace(SEVEN, apart=tuple(("P01", name) for name in people(7)[1:])),
}


@pytest.mark.parametrize("key", REFUSALS)
def test_what_cannot_be_drawn_is_refused_with_a_reason_in_every_language(key: str) -> None:
    with pytest.raises(Refused) as refused:
        draw(REFUSALS[key], "1", steps=FEW)
    assert refused.value.key == key
    assert refused.value.field
    assert len({refused.value.told(language) for language in LANGUAGES}) == len(LANGUAGES)


def test_more_rounds_than_the_evening_has_cannot_have_been_played() -> None:
    played = (Round((people(4), people(7)[4:])),) * 3
    with pytest.raises(Refused, match="3 rounds have been played"):
        draw(SEVEN, "1", played)
    with pytest.raises(Refused, match="room for 3 to 5"):
        draw(SEVEN, "1", (Round((people(6),)),))
    with pytest.raises(Refused, match="twice"):
        draw(SEVEN, "1", (Round((people(4), people(4))),))
