"""Rules C6, C11: which cards may be played, and who wins the trick."""

from __future__ import annotations

import pytest

from french_table import Table, position, rules_of
from ultimo import french
from ultimo.cards import cards, parse_card, parse_cards
from ultimo.events import Announce, CardPlayed, Decline, IllegalAction, Lay, Play, TrickWon
from ultimo.french.following import winner
from ultimo.play.following import SHARED, shared
from ultimo.rulebook import citation


def may(trick: str, hand: str) -> str:
    """The cards of a hand that may be added to a trick."""
    rules = rules_of()
    return " ".join(
        card.value for card in cards(french.legal(rules, position(rules, trick, hand), 0).cards())
    )


def refused(trick: str, hand: str, card: str) -> str:
    """Why a card may not be added to a trick."""
    rules = rules_of()
    with pytest.raises(IllegalAction) as refusal:
        french.decide(rules, position(rules, trick, hand), 0, Play(parse_card(card)))
    assert refusal.value.cite == rules.play.cite
    return refusal.value.reason


@pytest.mark.parametrize(
    ("trick", "hand", "playable"),
    [
        pytest.param("T9", "S3 T4 T12", "T12", marks=pytest.mark.cites("G151")),
        pytest.param("T9", "S3 T4 T12 T0", "T12 T0", marks=pytest.mark.cites("G151")),
        pytest.param("H5 T15", "S3 T4 T9", "T4 T9", marks=pytest.mark.cites("G152")),
        pytest.param("H5 T15", "H2 T20", "H2", marks=pytest.mark.cites("G153")),
        pytest.param("T0 D5", "S3 D2 T4", "D2", marks=pytest.mark.cites("G154")),
        pytest.param("T0 T9", "S3 H2 T4 T12", "T12", marks=pytest.mark.cites("G154a")),
        ("", "S3 H2 T4 T0", "S3 H2 T4 T0"),
        ("T0", "S3 H2 T4", "S3 H2 T4"),
        ("H10", "H1 HK S3", "H1 HK"),
        ("H5 T15", "S3 T4 T16 T21", "T16 T21"),
        ("H5 T15 T17", "S3 T4 T16 T21", "T21"),
        ("H5 S2", "S3 T4 T16", "T4 T16"),
        ("H5", "S3 D4 T0", "S3 D4 T0"),
        ("T21", "T1 T20", "T1 T20"),
        ("T5 T0", "T5 T6", "T6"),
        ("T1", "S2 C3", "S2 C3"),
    ],
)
def test_a_hand_follows_else_trumps_else_plays_anything(trick: str, hand: str, playable: str) -> None:
    assert may(trick, hand) == playable


@pytest.mark.parametrize(
    ("trick", "hand", "card", "reason"),
    [
        ("T9", "S3 T4 T12", "T4", "you must play a higher trump than T9"),
        ("H5 T15", "S3 T4 T9", "S3", "you have no hearts, so you must trump"),
        ("H5", "H2 T20", "T20", "you must follow suit: hearts"),
        ("T9", "T4 S2", "S2", "you must follow suit: trumps"),
        ("T9", "T4 S2", "C2", "you do not have C2"),
    ],
)
def test_a_refused_card_says_what_must_be_played(trick: str, hand: str, card: str, reason: str) -> None:
    assert refused(trick, hand, card) == reason


def test_the_excuse_is_not_named() -> None:
    rules = rules_of()
    with pytest.raises(IllegalAction, match="do not name a suit"):
        french.decide(rules, position(rules, "", "T0 S2"), 0, Play(parse_card("T0"), "S"))


@pytest.mark.parametrize(
    ("trick", "place"),
    [
        ("S5 S9 SK H10", 2),
        ("H10 HJ H1 T1", 3),
        ("D1 D10 D9 C1", 1),
        ("T9 T12 T4 T0", 1),
        ("T0 D5 D9 SK", 2),
        ("S2 HK T0 DK", 0),
        ("T0 D5 T2 D9 T3", 4),
    ],
)
def test_the_highest_trump_wins_else_the_highest_of_the_suit_led(trick: str, place: int) -> None:
    numbers = [card.index for card in parse_cards(trick)]
    assert winner(numbers, False) == place


def test_the_winner_leads_to_the_next_trick() -> None:
    table = Table(hands={0: "S5", 1: "S9", 2: "SK", 3: "S10"}).bid("pass pass pass contre")
    table.do(Decline())
    assert table.play("S5 S9 SK S10") == (CardPlayed(3, parse_card("S10")), TrickWon(2))
    assert table.turn == 2
    assert "it is seat 2’s turn" in table.refuses(Play(parse_card("S1")), 0).reason


def test_rules_of_integers_are_on_the_list_of_what_may_be_compiled() -> None:
    names = {function.__name__ for function in SHARED if function.__module__ == "ultimo.french.following"}
    assert names == {"legal_cards", "fall", "top_trump", "trump_number"}
    assert shared.__module__ == "ultimo.play.following"


# --- the first trick with five players -----------------------------------------------------------------

LEADER = "H4 H5 S1 S2 T9"


def first_lead(hands: dict[int, str], house: dict[str, bool] | None = None, chien: str = "D1 D2 D3") -> Table:
    """Seat 0 has taken without the chien and called HK; it is to lead."""
    table = Table("french5", hands=hands, chien=chien, house=house).bid("sans pass pass pass pass").call("HK")
    table.do(Decline())
    return table


@pytest.mark.cites("G184", "I-C.28")
def test_the_suit_of_the_called_card_may_not_be_led_to_the_first_trick() -> None:
    table = first_lead({0: LEADER, 2: "HK"})
    refusal = table.refuses(Play(parse_card("H4")))
    assert refusal.reason == "you cannot lead the called suit to the first trick: hearts"
    assert refusal.cite == citation(table.rules, "call.firstLeadBan")
    assert not {"H4", "H5"} & set(table.may_play().split())
    assert {"S1", "T9"} <= set(table.may_play().split())


@pytest.mark.cites("G185", "I-C.28")
def test_the_holder_may_lead_the_called_card_itself_and_no_other_of_its_suit() -> None:
    table = first_lead({0: f"HK {LEADER}"})
    assert "HK" in table.may_play().split()
    assert "hearts" in table.refuses(Play(parse_card("H4"))).reason


@pytest.mark.cites("G185", "I-C.28")
def test_a_partner_who_leads_may_lead_the_called_card() -> None:
    table = Table("french5", hands={0: f"HK {LEADER}"}).bid("pass sans pass pass pass").call("HK")
    table.do(Decline())
    assert table.turn == 0
    assert "HK" in table.may_play().split()
    assert "H4" not in table.may_play().split()


@pytest.mark.cites("G185a", "I-C.28")
def test_the_ban_binds_a_taker_who_has_announced_a_slam() -> None:
    table = Table("french5", hands={1: LEADER, 2: "HK"}).bid("pass sans pass pass pass").call("HK")
    table.do(Announce("slam"))
    assert table.turn == 1
    assert "hearts" in table.refuses(Play(parse_card("H4"))).reason


@pytest.mark.cites("I-C.28")
def test_the_ban_holds_when_the_called_card_lies_in_the_chien_or_is_a_queen() -> None:
    in_chien = first_lead({0: LEADER}, chien="HK D1 D2")
    assert "H4" not in in_chien.may_play().split()
    queen = (
        Table("french5", hands={0: "SK HK CK DK H4 S2", 1: "HQ"}).bid("sans pass pass pass pass").call("HQ")
    )
    queen.do(Decline())
    assert not {"HK", "H4"} & set(queen.may_play().split())


@pytest.mark.cites("I-C.28")
def test_a_taker_who_took_the_called_card_from_the_chien_may_lead_it() -> None:
    table = Table("french5", hands={0: LEADER}, chien="HK D1 D2").bid("garde pass pass pass pass").call("HK")
    table.do(Lay(parse_cards("S1 S2 D1")))
    table.do(Decline())
    assert "HK" in table.may_play().split()
    assert "H4" not in table.may_play().split()


@pytest.mark.cites("G186", "I-C.16")
def test_after_a_led_excuse_the_card_that_sets_the_suit_is_bound_like_a_lead() -> None:
    table = first_lead({0: "T0", 1: "HJ S9 T2", 2: "HK"})
    table.play("T0")
    assert "hearts" in table.refuses(Play(parse_card("HJ"))).reason
    table.play("S9")


@pytest.mark.cites("I-C.16")
def test_a_table_may_bind_the_led_card_only() -> None:
    table = first_lead({0: "T0", 1: "HJ S9 T2", 2: "HK"}, house={"call.restrictAfterExcuse": False})
    assert "H" not in {card[0] for card in table.may_play().split()} - {"T", "S", "C", "D"}
    table.play("T0 HJ")


def test_a_table_may_know_no_ban() -> None:
    house = {"call.firstLeadBan": False, "call.restrictAfterExcuse": False}
    first_lead({0: LEADER, 2: "HK"}, house=house).play("H4")


def test_the_ban_binds_nobody_who_follows_and_ends_with_the_first_trick() -> None:
    table = first_lead({0: f"{LEADER} SK", 1: "S3 H1", 2: "HK S4", 3: "S5", 4: "S6"})
    table.play("SK S3 S4 S5 S6")
    assert "H4" in table.may_play().split()
