"""Rules C5: the poignée."""

from __future__ import annotations

from typing import Any

import pytest

from french_table import Table
from ultimo import french
from ultimo.cards import parse_cards
from ultimo.events import CardPlayed, Decline, Lay, PoigneeShown, Scored, ShowPoignee
from ultimo.french import Outcome, Side
from ultimo.french.legal import shows
from ultimo.play.choices import Shows
from ultimo.rulebook import citation


def trumps(*numbers: int) -> str:
    """Trumps by number."""
    return " ".join(f"T{number}" for number in numbers)


TWELVE = trumps(*range(2, 14))


def first_card(
    hand: str, book: str = "french4", house: dict[str, Any] | None = None, other: str = ""
) -> Table:
    """Seat 0 has taken without the chien and is about to lead."""
    table = Table(book, hands={0: hand, 1: other}, house=house)
    table.bid(" ".join(["sans"] + ["pass"] * (table.rules.players - 1)))
    if table.state.phase == "call":
        table.call("HK")
    table.do(Decline())
    return table


def may_show(table: Table) -> dict[int, int]:
    """How many sets of each size may be shown."""
    return {offer.sets.size: len(offer) for offer in table.legal.offers if isinstance(offer, Shows)}


def show(text: str) -> ShowPoignee:
    """A poignée from notation."""
    return ShowPoignee(parse_cards(text))


@pytest.mark.cites("G173", "I-C.13")
def test_twelve_trumps_show_ten_of_them() -> None:
    table = first_card(TWELVE)
    assert may_show(table) == {10: 66}
    assert table.do(show(trumps(*range(4, 14)))) == (PoigneeShown(0, 0, parse_cards(trumps(*range(4, 14)))),)
    assert "exactly this many trumps: 10, 13, 15" in first_card(TWELVE).refuses(show(TWELVE)).reason


@pytest.mark.cites("G174")
def test_the_excuse_completes_nine_trumps() -> None:
    table = first_card(f"{trumps(*range(2, 11))} T0")
    assert may_show(table) == {10: 1}
    table.do(show(f"{trumps(*range(2, 11))} T0"))


@pytest.mark.cites("G174a")
def test_twelve_trumps_and_the_excuse_show_ten_trumps_or_all_thirteen_cards() -> None:
    table = first_card(f"{TWELVE} T0")
    assert may_show(table) == {10: 66, 13: 1}
    table.do(show(f"{TWELVE} T0"))
    assert table.state.poignees[0].size == 1


@pytest.mark.cites("G174b", "I-C.13")
def test_eleven_trumps_and_the_excuse_show_ten_trumps_without_it() -> None:
    table = first_card(f"{trumps(*range(2, 13))} T0")
    assert may_show(table) == {10: 11}
    refusal = table.refuses(show(f"{trumps(*range(2, 11))} T0"))
    assert refusal.reason == "you can show the excuse only together with all your trumps, to reach the number"
    assert refusal.cite == citation(table.rules, "poignee.sizes")


@pytest.mark.cites("G175")
def test_the_excuse_may_not_hide_a_trump() -> None:
    table = first_card(f"{trumps(*range(2, 12))} T0")
    assert "excuse" in table.refuses(show(f"{trumps(*range(2, 11))} T0")).reason
    assert may_show(table) == {10: 1}


@pytest.mark.cites("G176")
def test_a_poignee_after_ones_first_card_is_too_late() -> None:
    table = first_card(TWELVE, other=trumps(*range(14, 22)))
    table.play("T13 T14")
    assert "too late" in table.refuses(show(trumps(*range(2, 12))), 0).reason
    table.play(_lowest(table))
    table.play(_lowest(table))
    assert table.turn == 1
    assert "too late" in table.refuses(show(trumps(*range(14, 22))), 1).reason
    assert "too late" in table.refuses(show(trumps(*range(2, 12))), 0).reason
    assert may_show(table) == {}


def _lowest(table: Table) -> str:
    return table.may_play().split()[0]


def test_a_poignee_is_shown_once_and_by_whose_turn_it_is() -> None:
    table = first_card(TWELVE, other=f"{trumps(*range(14, 22))} T1 T0")
    assert "it is seat 0’s turn" in table.refuses(show(f"{trumps(*range(14, 22))} T1 T0"), 1).reason
    table.do(show(trumps(*range(2, 12))))
    assert table.turn == 0
    assert table.refuses(show(trumps(*range(3, 13)))).reason == "you have already shown your poignée"
    assert table.play("T13") == (CardPlayed(0, parse_cards("T13")[0]),)
    assert may_show(table) == {10: 1}


@pytest.mark.parametrize(
    ("text", "reason"),
    [
        (trumps(*range(2, 11)) + " T21", "you do not have T21"),
        (trumps(*range(2, 11)) + " S1", "a poignée consists of trumps only"),
    ],
)
def test_a_poignee_is_of_trumps_in_the_hand(text: str, reason: str) -> None:
    table = first_card(f"S1 {TWELVE}")
    assert table.refuses(show(text)).reason == reason
    assert table.refuses(ShowPoignee(parse_cards("T2") * 10)).reason == "you chose T2 twice"


@pytest.mark.cites("G180")
def test_thirteen_trumps_are_a_single_poignee_with_three_players() -> None:
    table = first_card(trumps(*range(2, 15)), "french3")
    assert may_show(table) == {13: 1}
    table.do(show(trumps(*range(2, 15))))
    assert table.state.poignees[0].size == 0
    outcome = Outcome(players=3, taker=0, bid="sans", half_points=90, bouts=2, poignees=(("taker", 13),))
    assert french.score(table.rules, outcome).poignee == 20


@pytest.mark.parametrize(
    ("book", "sizes"), [("french3", (13, 15, 18)), ("french4", (10, 13, 15)), ("french5", (8, 10, 13))]
)
def test_the_sizes_depend_on_the_table(book: str, sizes: tuple[int, ...]) -> None:
    held = min(18, 24 if book == "french3" else 18 if book == "french4" else 15)
    table = first_card(trumps(*range(2, 2 + held)), book)
    assert tuple(may_show(table)) == sizes


def test_more_than_half_of_the_hand_is_the_smallest_poignee() -> None:
    for book in ("french3", "french4", "french5"):
        rules = Table(book).rules
        assert rules.poignee.sizes[0] == rules.deal.hand // 2 + 1


@pytest.mark.parametrize(
    ("number", "excuse", "sets"), [(9, False, 0), (9, True, 1), (10, True, 1), (8, True, 0)]
)
def test_exactly_so_many_cards_are_shown(number: int, excuse: bool, sets: int) -> None:
    assert len(shows(sum(1 << 60 + place for place in range(number)), excuse, 10)) == sets


# --- a trump in the écart ------------------------------------------------------------------------------

LAID = f"{trumps(*range(2, 15))} SK HK CK DK S1"


def after_laying_a_trump(**house: str) -> Table:
    """The taker held four kings and fifteen trumps, and had to lay T2."""
    table = Table(
        hands={0: LAID},
        chien="T15 T16 S2 S3 S4 S5",
        house={f"poignee.{key}": word for key, word in house.items()},
    )
    table.bid("garde pass pass pass")
    table.do(Lay(parse_cards("S1 S2 S3 S4 S5 T2")))
    table.do(Decline())
    return table


@pytest.mark.cites("I-C.13")
def test_a_trump_in_the_ecart_does_not_count_for_a_poignee() -> None:
    table = after_laying_a_trump()
    assert may_show(table) == {10: 1001, 13: 14}
    assert table.refuses(show(trumps(*range(2, 17)))).reason == "you do not have T2"


@pytest.mark.cites("I-C.13")
def test_a_table_may_let_it_be_shown_again() -> None:
    table = after_laying_a_trump(ecartTrump="showAgain")
    assert may_show(table)[15] == 1
    table.do(show(trumps(*range(2, 17))))
    assert table.state.ecart & table.state.hands[0] == 0
    assert "T2" not in table.may_play().split()


@pytest.mark.cites("I-C.13")
def test_a_laid_trump_helps_nobody_but_the_taker() -> None:
    hands = {0: f"{trumps(*range(11, 21))} SK HK CK DK S1", 1: trumps(*range(1, 8))}
    table = Table("french5", hands=hands, chien="T10 T21 S2", house={"poignee.ecartTrump": "showAgain"})
    table.bid("garde pass pass pass pass").call("HK")
    table.do(Lay(parse_cards("S1 S2 T10")))
    table.do(Decline())
    assert may_show(table)[8] == 495  # of twelve, T10 among them
    table.play("T21")
    assert may_show(table) == {}


# --- what it is worth ----------------------------------------------------------------------------------


@pytest.mark.cites("G177", "I-C.12")
def test_two_poignees_of_four_players_count_both_for_the_winner() -> None:
    table = first_card(f"{trumps(*range(12, 22))} SK HK CK DK", other=trumps(*range(1, 11)))
    table.do(show(trumps(*range(12, 22))))
    table.play("T21")
    table.do(show(trumps(*range(1, 11))))
    assert table.state.poignees[1].seat == 1
    both: tuple[tuple[Side, int], ...] = (("taker", 10), ("defence", 10))
    won = Outcome(players=4, taker=0, bid="petite", half_points=90, bouts=2, poignees=both)
    lost = Outcome(players=4, taker=0, bid="petite", half_points=70, bouts=2, poignees=both)
    assert french.score(table.rules, won).poignee == 40
    assert french.score(table.rules, lost).poignee == -40


@pytest.mark.cites("I-C.15")
def test_a_poignee_of_a_secret_partner_is_assigned_at_the_end() -> None:
    hands = {0: "T21 T20 T19", 2: f"HK {trumps(*range(2, 10))}"}
    table = Table("french5", hands=hands).bid("garde pass pass pass pass").call("HK")
    table.do(next(iter(table.legal)))
    table.do(Decline())
    table.play("T21")
    table.play(_lowest(table))
    table.do(show(trumps(*range(2, 10))))
    assert not table.state.sides_public
    while table.state.phase == "play":
        table.play(_lowest(table))
    assert french.outcome_of(table.rules, table.state).poignees == (("taker", 8),)
    assert any(isinstance(event, Scored) for event in table.log)
