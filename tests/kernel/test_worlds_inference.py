"""What a good player concludes, the sampler knows: the deductions of the books, and those of the rules."""

from __future__ import annotations

import json
from collections.abc import Callable
from pathlib import Path
from random import Random
from typing import Any

import pytest
from msgspec.structs import replace

from kernel.worlds_views import looked_at
from table import Table, danish_rules, dealt
from ultimo import danish
from ultimo.cards import (
    ALL_CARDS,
    ALL_TRUMPS,
    COURTS,
    KINGS,
    SKUS,
    SUIT_CARDS,
    SUITS_WORD,
    Cards,
    cards,
    mask,
    parse_card,
)
from ultimo.events import Lay, Seat

DATA = Path(__file__).parents[1] / "data" / "inference-examples.json"
CASES: dict[str, dict[str, Any]] = {case["id"]: case for case in json.loads(DATA.read_text())["cases"]}
ME, RIGHT, LEFT = 0, 1, 2  # I deal: play goes from me to the right
RULES = danish_rules("hermansen")
Made = tuple[Any, ...]


def of_kind(kind: str) -> list[Any]:
    return [pytest.param(case, id=name) for name, case in CASES.items() if case["kind"] == kind]


def hands(rng: Random, tarokker: dict[Seat, int], held: dict[Seat, Cards]) -> dict[Seat, Cards]:
    """Three hands with so many tarokker, and some cards for certain."""
    found = dict.fromkeys((ME, RIGHT, LEFT), 0) | held
    free = ALL_CARDS & ~sum(found.values())
    for seat, number in tarokker.items():
        lacking = number - (found[seat] & ALL_TRUMPS).bit_count()
        found[seat] |= mask(rng.sample(cards(free & ALL_TRUMPS), lacking))
        free &= ~found[seat]
    for seat in found:
        kinds = free & SUITS_WORD if seat in tarokker else free
        found[seat] |= mask(rng.sample(cards(kinds), (28 if seat == ME else 25) - found[seat].bit_count()))
        free &= ~found[seat]
    return found


def table(
    tarokker: dict[Seat, int],
    held: dict[Seat, Cards],
    right: Callable[[tuple[Made, ...]], bool],
    seed: int = 7,
) -> Table:
    """A deal whose declarations are right, the skat laid without a tarok."""
    rng = Random(seed)
    while True:
        try:
            found = hands(rng, tarokker, held)
        except ValueError:
            continue  # too few cards of a kind are left for one of them
        notation = {seat: " ".join(card.value for card in cards(hand)) for seat, hand in found.items()}
        at = dealt(RULES, notation)
        at.accept_all()
        choices = [action for action in at.legal(ME) if isinstance(action, Lay) and not action.tout]
        plain = [action for action in choices if not mask(action.cards) & (ALL_TRUMPS | SUIT_CARDS[0])]
        if not plain:
            continue
        at.act(ME, rng.choice(plain))
        if right(at.state.declared):
            return at


def worlds(at: Table, viewer: Seat = ME, number: int = 2000) -> list[tuple[Cards, ...]]:
    """Worlds as a seat at the table can think of them."""
    drawn = looked_at(RULES, at.log, viewer).draw(number)
    assert len(drawn) == number
    return drawn


def tarokker(cards: Cards) -> int:
    return (cards & ALL_TRUMPS).bit_count()


def numbers_declared(made: tuple[Made, ...]) -> dict[Seat, int]:
    return {seat: one.count for seat, some in enumerate(made) for one in some if one.kind == "tarok"}


def kinds(made: Made) -> set[str]:
    return {one.kind for one in made}


# --- how the tarokker are split ------------------------------------------------------------------------


@pytest.mark.parametrize("case", of_kind("tarok_split"))
def test_the_split_of_the_tarokker(case: dict[str, Any]) -> None:
    own, said = case["premises"]["own_taroks"], case["premises"]["declared_taroks"]
    possible = [tuple(pair) for pair in case["conclusion"]["left_right_possible"]]
    if not possible:
        return impossible_split(own)
    left, right = possible[0]
    spoken = {ME: own} if own >= 10 else {}
    spoken |= {LEFT if place == "left" else RIGHT: number for place, number in said.items()}
    at = table({ME: own, LEFT: left, RIGHT: right}, {}, lambda made: numbers_declared(made) == spoken)
    split = {(tarokker(world[LEFT]), tarokker(world[RIGHT])) for world in worlds(at)}
    assert split == set(possible)
    return None


def impossible_split(own: int) -> None:
    """Nobody has declared ten, and yet somebody must have them: no world fits."""
    at = table({ME: own, LEFT: 10, RIGHT: 12 - own}, {}, lambda made: LEFT in numbers_declared(made))
    glimpse = looked_at(RULES, at.log, ME)
    assert isinstance(glimpse.view, danish.State)
    silent = replace(glimpse.view, declared=(glimpse.view.declared[ME], (), ()))
    assert not replace(glimpse, view=silent).draw(1)


@pytest.mark.parametrize("name", ["count-9", "count-85"])
def test_how_many_tarokker_a_hand_has_left(name: str) -> None:
    """The tens digit has fallen from the left hand, the units from the right."""
    case = CASES[name]
    premises, conclusion = case["premises"], case["conclusion"]
    fallen = {
        LEFT: premises["number"] // 10,
        RIGHT: premises["number"] % 10,
        ME: premises["own_taroks"] - premises["own_left"],
    }
    at = fallen_so_far({ME: premises["own_taroks"], LEFT: 9, RIGHT: 13 - premises["own_taroks"]}, fallen)
    left_over = [(tarokker(world[LEFT]), tarokker(world[RIGHT])) for world in worlds(at)]
    assert {left for left, _ in left_over} == set(conclusion["left_remaining_possible"])
    assert {right for _, right in left_over} == set(conclusion["right_remaining_possible"])
    assert sum(fallen.values()) == conclusion["fallen_total"]
    assert {premises["own_left"] + left + right for left, right in left_over} == {conclusion["still_in"]}


def fallen_so_far(dealt_out: dict[Seat, int], fallen: dict[Seat, int]) -> Table:
    """A deal in which so many tarokker have fallen from each hand, and nobody has shown that he has none.

    The left hand has no spades, and the others lead them; tarok is led while everybody may lose one.
    """
    spades = cards(SUIT_CARDS[0])
    held = {ME: mask(spades[::2]) | SKUS, RIGHT: mask(spades[1::2])}
    for seed in range(300):
        at = table(dealt_out, held, lambda made: not numbers_declared(made), seed)
        rng = Random(seed)
        while at.state.number < 23:
            state, seat = at.state, at.state.turn
            gone = {seat: dealt_out[seat] - tarokker(state.hands[seat]) for seat in dealt_out}
            if gone == fallen:
                return at
            may = at.legal(seat).cards() & ~SKUS
            if state.trick:
                due = SUIT_CARDS[state.led] if may & SUIT_CARDS[state.led] else ALL_TRUMPS
            elif all(gone[other] < fallen[other] for other in fallen):
                due = ALL_TRUMPS
            else:
                due = may & SUIT_CARDS[0] or SUITS_WORD
            if not may & due or gone[seat] > fallen[seat]:
                break
            at.play(rng.choice(cards(may & due)).value)
    raise AssertionError("no such deal was found")


# --- who holds what ------------------------------------------------------------------------------------


def holds(world: tuple[Cards, ...], seat: Seat, some: list[str]) -> bool:
    return all(world[seat] & parse_card(card).bit for card in some)


@pytest.mark.parametrize(("name", "extra"), [("inf-e", "T21"), ("inf-f", "T1")])
def test_a_half_declaration_and_one_matador_exclude_the_other(name: str, extra: str) -> None:
    case = CASES[name]
    shown = case["premises"]["player_shows"][0]
    at = table({}, {RIGHT: mask(f"HK HQ HN T0 {extra}")}, lambda made: kinds(made[RIGHT]) == {"half"})
    at.play(shown)
    for world in worlds(at):
        assert holds(world, RIGHT, case["conclusion"]["player_holds"])
        assert not any(holds(world, RIGHT, [card]) for card in case["conclusion"]["player_does_not_hold"])


@pytest.mark.parametrize(
    ("name", "held", "made"),
    [("inf-g", "HK HQ HN HJ", {"full"}), ("inf-decl-uden", "", {"tarok"})],
)
def test_a_declaration_says_what_is_not_there(name: str, held: str, made: set[str]) -> None:
    case = CASES[name]
    elsewhere = {LEFT: mask(case["conclusion"]["player_does_not_hold"][0])}
    count = {RIGHT: 10} if "tarok" in made else {}
    at = table(count, {RIGHT: mask(held)} | elsewhere, lambda said: kinds(said[RIGHT]) == made)
    for world in worlds(at):
        assert not holds(world, RIGHT, case["conclusion"]["player_does_not_hold"])


def test_matadors_are_where_they_were_declared() -> None:
    at = table({}, {RIGHT: mask("T21 T1 T0")}, lambda made: "matadors" in kinds(made[RIGHT]))
    for world in worlds(at):
        assert holds(world, RIGHT, CASES["inf-decl-mata"]["conclusion"]["player_holds"])


def test_two_full_declarations_leave_the_skus_to_the_third() -> None:
    """And if he declares nothing, he has no three courts of a kind."""
    case = CASES["inf-h2"]["conclusion"]
    full = {ME: mask("HK HQ HN HJ"), RIGHT: mask("SK SQ SN SJ"), LEFT: SKUS}
    at = table({}, full, lambda made: kinds(made[ME]) == kinds(made[RIGHT]) == {"full"} and not made[LEFT])
    for world in worlds(at):
        assert holds(world, LEFT, CASES["inf-h1"]["conclusion"]["third_player_holds"])
        assert holds(world, LEFT, case["third_player_holds"])
        assert (world[LEFT] & KINGS).bit_count() <= case["third_player_max_kings"]
        for suit in SUIT_CARDS[:4]:
            assert (world[LEFT] & COURTS & suit).bit_count() <= case["third_player_max_pictures_per_suit"]


def test_a_ruff_tells_the_length_of_the_third_hand() -> None:
    """I hold seven spades; the second lead of them is ruffed: the leader had six."""
    case = CASES["suit-1-7-6"]
    spades = cards(SUIT_CARDS[0])[::-1]  # the king first
    own = case["premises"]["own_suit_length"]
    six = case["conclusion"]["leader_whip"]
    held = {RIGHT: mask(spades[:six]), ME: mask(spades[six : six + own]), LEFT: spades[-1].bit}
    at = table({LEFT: 7}, held, lambda made: True)
    ruff = cards(at.state.hands[LEFT] & ALL_TRUMPS & ~SKUS)[0].value
    at.play(spades[0].value, spades[-1].value, spades[six].value, spades[1].value, ruff)
    for world in worlds(at):
        left = world[RIGHT] & SUIT_CARDS[0]
        assert left.bit_count() == six - 2
        assert not world[LEFT] & SUIT_CARDS[0]
