"""Positions in text, and positions of records: what is read, and what is said about what cannot be read."""

from __future__ import annotations

from random import Random
from typing import Any, cast

import pytest

from table import ORDER, Evening, danish_rules, ending
from ultimo import danish, deal, french
from ultimo.analysis.position import PositionError, letter, read, recorded, seats
from ultimo.cards import ALL_CARDS, mask
from ultimo.danish.state import pile_points
from ultimo.events import Announced, CardPlayed, TrickWon
from ultimo.french.counting import excuse_fate, half_points, taker_pile
from ultimo.rulebook import FrenchRules, RulebookError

EG_1 = "F T1 S2 S1 / M T21 T0 HK / B H7 H8 H9"
FOUR = "french4: SK S2 / T3 T4 / HQ H2 / T21 C1; A takes garde"


def danish_state(text: str, **how: Any) -> danish.State:
    return cast(danish.State, read(text, **how)[1])


def french_state(text: str) -> tuple[FrenchRules, french.State]:
    return cast("tuple[FrenchRules, french.State]", read(text))


# --- Danish --------------------------------------------------------------------------------------------


def test_a_danish_position_is_the_ending_it_describes() -> None:
    state = danish_state(f"hermansen: {EG_1}; F leads; cups 55 85; demand")
    made = ending(
        danish_rules("hermansen"),
        {1: "T1 S2 S1", 2: "T21 T0 HK", 0: "H7 H8 H9"},
        leader=1,
        won={1: 8, 2: 7, 0: 7},
        king=55,
        pagat=85,
    ).state
    for field in (
        "table",
        "order",
        "king",
        "pagat",
        "hands",
        "number",
        "turn",
        "won",
        "phase",
        "asked",
        "net",
    ):
        assert getattr(state, field) == getattr(made, field), field


@pytest.mark.parametrize(
    "text",
    [
        "hermansen: T1 S2 S1 / T21 T0 HK / H7 H8 H9",
        "Hermansen:F:t1,s2,s1/m: t21 skus hk / b h7 h8 h9 ;",
        "hermansen: B ♥7 ♥8 ♥9 / F pagat ♠2 ♠1 / M T21 T0 ♥K; F to play; cups 60 60; won F 8 M 7 B 7",
    ],
)
def test_the_notation_is_forgiving(text: str) -> None:
    assert read(text) == read(f"hermansen: {EG_1}; F leads")


def test_the_rulebook_may_be_given_apart_and_house_rules_come_on_top() -> None:
    assert read(EG_1, "dtf")[0].id == "dtf"
    assert read(f"jensen: {EG_1}", "dtf")[0].id == "dtf"
    rules, state = read(f"dtf: {EG_1}; demand", house={"skus.demandable": True})
    assert state.phase == "demand"
    assert rules == danish_rules("dtf", {"skus.demandable": True})


def test_what_is_not_said_makes_neither_nolo_nor_tout_and_counts_about_alike() -> None:
    state = danish_state(f"dtf: {EG_1}")
    assert all(0 < state.won[seat] < 22 for seat in ORDER)
    points = [pile_points(state)[seat] for seat in ORDER]
    assert max(points) - min(points) <= 4
    cards = [*state.hands, *state.piles, state.skat]
    assert sum(cards) == ALL_CARDS
    assert state.skat.bit_count() == 3


def test_what_is_said_goes_over_it() -> None:
    state = danish_state(
        "basta: F T1 S2 / M T21 HK / B H7 H8; won F 0 M 20 B 3; piles M SK SQ, F T20 / B DK; skat C1 C2 C3; "
        "announced F nolo 13; players 4; M leads"
    )
    assert state.table == 4
    forehand, middle, dealer = state.order
    assert (state.won[forehand], state.won[middle], state.won[dealer]) == (0, 20, 3)
    assert state.piles[middle] & mask("SK SQ") == mask("SK SQ")
    assert state.piles[dealer] & mask("DK")
    assert state.skat == mask("C1 C2 C3")
    assert state.announced == (Announced(forehand, "nolo", 13),)
    assert (state.turn, state.number) == (middle, 24)


def test_cards_on_the_table_have_been_played() -> None:
    state = danish_state("jensen: F S4 / M T3 / B D2 D3; trick F S2, M T2; B to play")
    assert [play.card.value for play in state.trick] == ["S2", "T2"]
    assert (state.turn, state.led, state.number) == (0, 0, 24)


def test_a_led_skus_has_its_consequences() -> None:
    hands = "F D3 D4 / M S1 S4 S3 / B H2 H4 H5"
    named = danish_state(f"jensen: {hands}; trick F T0=C")
    assert (named.phase, named.turn) == ("name", 2)
    renamed = danish_state(f"jensen: {hands}; trick F T0=C; renamed H")
    assert (renamed.phase, renamed.led, renamed.turn) == ("play", 1, 2)
    assert danish_state(f"jensen: {hands}; trick F T0=H").phase == "play"
    after = danish_state("jensen: F D3 D4 / M S1 S3 / B H2 H4 H5; trick F T0=C, M S4; renamed H")
    assert (after.turn, after.led) == (0, 1)


def test_where_the_lead_passes_a_bare_skus_does_not_lead_the_last_trick() -> None:
    """Rule: 004 OM SCUSEN; I-7.10."""
    assert letter(danish_state("dtf: F T0 / M S1 / B H2"), 2) == "M"
    assert danish_state("dtf: F T0 / M S1 / B H2").turn == 2
    assert danish_state("jensen: F T0 / M S1 / B H2").turn == 1


def test_the_demand() -> None:
    assert danish_state(f"jensen: {EG_1}").phase == "play"
    assert not danish_state(f"jensen: {EG_1}").demanded
    assert danish_state(f"jensen: {EG_1}; demanded").demanded
    assert danish_state(f"jensen: {EG_1}; B demands").demands == (0,)
    assert danish_state(f"jensen: {EG_1}; demand").asked == ORDER


# --- French --------------------------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("text", "points", "bouts"),
    [
        (f"{FOUR}; taker has 31 points 1 bouts", 62, 1),
        (f"{FOUR}; taker has 31 points 1 bouts; excuse C", 62, 1),
        (f"{FOUR}; taker has 20 points 2 bouts; tricks 4", 40, 2),
        ("french5: SK / T3 / HQ / T5 / D1; A takes contre with C; taker has 41.5 points 2 bouts", 83, 2),
        ("french5: SK / T3 / HQ / T5 / D1; A takes contre; excuse B; taker has 41½ points 1 bout", 83, 1),
        ("french3: SK S2 / T3 T4 / HQ T0; B takes petite; taker has 50.5 points 1 bout", 101, 1),
    ],
)
def test_the_points_and_bouts_of_the_taker_are_those_that_are_said(
    text: str, points: int, bouts: int
) -> None:
    rules, state = french_state(text)
    pile = taker_pile(state)
    halves, found = half_points(pile), (pile & mask("T1 T21")).bit_count()
    if fate := excuse_fate(rules, state):
        ours = state.side(fate.seat) == "taker"
        halves += 9 - fate.owed if ours else fate.owed
        found += ours
    assert (halves, found) == (points, bouts)
    assert sum(state.hands) + sum(state.won) + state.ecart + state.chien == ALL_CARDS
    assert all(len(trick.plays) == rules.players for trick in state.tricks)
    assert len({state.side(trick.winner) for trick in state.tricks}) == 2


def test_a_french_position_can_be_played_to_its_end() -> None:
    rules, state = french_state(
        "french5: SK / T3 T4 / HQ H2 / T5 C1 / D1 D2; A takes sans with C; trick A S2"
    )
    assert (state.taker, state.partner, letter(state, state.turn or 0)) == (0, 2, "B")
    now: Any = state
    while not deal.is_over(now):
        now, _ = deal.step(rules, now, now.turn, deal.legal(rules, now, now.turn).draw(Random(1)))
    assert sum(now.net) == 0
    assert now.net[0] == 2 * now.net[2]


def test_slam_and_poignee() -> None:
    _, state = french_state(f"{FOUR}; slam A; poignee B 10; tricks 16; B leads")
    assert (state.slam, state.turn) == (0, 1)
    assert [(shown.seat, len(shown.cards)) for shown in state.poignees] == [(1, 10)]
    assert {trick.winner for trick in state.tricks} == {0}


def test_the_seats_of_both_families_go_by_letters() -> None:
    assert seats(danish_state(f"dtf: {EG_1}")) == {"F": 1, "M": 2, "B": 0}
    assert seats(french_state(FOUR)[1]) == {"A": 0, "B": 1, "C": 2, "D": 3}


# --- what cannot be read -------------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("text", "at", "reason"),
    [
        ("F T1 / M T2 / B T3", "F", "begin with the rulebook"),
        ("dtf: F T1 / M T2", "T2", "3 hands are needed"),
        ("dtf: F T1 / M T22 / B S3", "T22", "“T22” is not a card"),
        ("dtf: F T1 / M S2 / B s2", "s2", "S2 is there twice"),
        ("dtf: F T1 / F S3 / B S2", "F S3", "F has a hand already"),
        ("dtf: F T1 / M S3 / B S2 S4; won F 8", "; won", "the hands are not equally long: F 1, M 1, B 2"),
        ("dtf: F / M / B", "B", "a hand has 1 to 25 cards"),
        ("dtf: F T1 / M T2 / B T3; cup 3", "cup", "“cup 3” is not understood"),
        ("dtf: F T1 / M T2 / B T3; cups 3", "", "expected the king cup and the pagat cup"),
        ("dtf: F T1 / M T2 / B T3; cups 3 x", "x", "expected a number of points, found “x”"),
        ("dtf: F T1 / M T2 / B T3; won F 3", "won", "the tricks won add up to 3, but 24 have been played"),
        ("dtf: F T1 / M T2 / B T3; won F M 8", "won", "expected a number of tricks after each seat"),
        ("dtf: F T1 / M T2 / B T3; won 8 F 8", "8 F", "expected a seat (F M B), found “8”"),
        ("dtf: F T1 / M T2 / B T3; X leads", "X", "“X” is not a seat: F M B"),
        ("dtf: F T1 / M T2 / B T3; skat S1", "skat", "the skat has 3 cards"),
        ("dtf: F T1 / M T2 / B T3; players 6", "6", "this rulebook is for 3, 4, 5 players"),
        ("dtf: F T1 / M T2 / B T0; demanded", "demanded", "the skus can be demanded only in the third-last"),
        (f"dtf: {EG_1}; M demands", "M demands", "the player who has the skus cannot demand it"),
        ("dtf: F S1 S2 / M S3 / B T3 T4; trick M S4; F to play", "F to", "after these cards it is B’s turn"),
        ("dtf: F S1 S2 / M S3 T4 / B S9; trick F H2", "", "the hands are not equally long"),
        ("dtf: F S1 / M S3 / B S9 T1; trick F S2, M H4", "H4", "M cannot have played H4: "),
        ("dtf: F S1 / M S3 T4 / B S9 T1; trick F S2; renamed H", "H", "only a led skus"),
        ("jensen: F S1 / M S3 T4 / B S9 T1; trick F T0=X", "X", "“X” is not a suit"),
        ("jensen: F S1 / M S3 / B S9; trick F S2, M S4, B S5", "S5", "this trick is complete"),
        ("french4: SK / T3 / HQ / T5; B leads", "; B", "say who takes"),
        (
            "french4: SK / T3 / HQ / T5; A takes passe",
            "passe",
            "“passe” is not a bid at this table: petite, garde",
        ),
        ("french4: SK / T3 / HQ / T5; A takes garde with B", "B", "the taker cannot have this partner"),
        (f"{FOUR}; taker has 90 points 3 bouts", "90", "the tricks played so far cannot come"),
        (f"{FOUR}; taker has many points 3 bouts", "many", "expected points"),
        (f"{FOUR}; poignee A 9", "9", "a poignée must have exactly this many trumps: 10, 13, 15"),
        (f"{FOUR}; aside S3", "aside", "“aside” needs 6 cards at this table"),
        (f"{FOUR}; cups 3 4", "cups", "“cups 3 4” is not understood"),
        (
            "french4: S1 / S3 / T5 T6 / H5 H6; A takes garde; trick B T3, A S5",
            "S5",
            "A cannot have played",
        ),
    ],
)
def test_an_error_says_what_is_wrong_and_where(text: str, at: str, reason: str) -> None:
    with pytest.raises(PositionError) as error:
        read(text)
    assert error.value.reason.startswith(reason), error.value
    where = text.rfind(at) if at and not at.startswith(";") else text.find(at) + 1 if at else None
    assert where is None or error.value.at in (where, text.find(at)), (error.value.at, where)


def test_an_unknown_rulebook_is_named() -> None:
    with pytest.raises(RulebookError, match="whist: no such rulebook"):
        read("whist: F T1 / M T2 / B T3")


# --- records -------------------------------------------------------------------------------------------


@pytest.fixture(scope="module")
def evening() -> Evening:
    """Two deals of which the second has not been played to its end."""
    some = Evening(danish_rules("dtf"), 4)
    rng = Random(3)
    some.play_deal(rng)
    some.play_deal(rng)
    whole = [place for place, event in enumerate(some.log) if isinstance(event, TrickWon)]
    del some.log[whole[40] :]
    while not isinstance(some.log[-1], TrickWon):
        some.log.pop()
    return some


def test_the_end_of_what_is_recorded(evening: Evening) -> None:
    log = evening.log[: _last_step(evening)]
    state = recorded(evening.rules, log)
    assert len(state.tricks) == 14
    assert state == recorded(evening.rules, log, number=2, after=14)


def _last_step(evening: Evening) -> int:
    """Where the second deal has gone on to its fifteenth trick."""
    tricks = [place for place, event in enumerate(evening.log) if isinstance(event, TrickWon)]
    return next(
        place
        for place, event in enumerate(evening.log)
        if place > tricks[38] and isinstance(event, CardPlayed)
    )


def test_a_trick_of_an_earlier_deal(evening: Evening) -> None:
    log = evening.log[: _last_step(evening)]
    state = cast(danish.State, recorded(evening.rules, log, number=1, after=22))
    assert (state.number, sum(state.won)) == (23, 22)
    assert state.phase in ("demand", "play")
    start = cast(danish.State, recorded(evening.rules, log, number=1, after=0))
    assert (start.phase, start.number) == ("play", 1)


def test_an_event(evening: Evening) -> None:
    log = evening.log[: _last_step(evening)]
    place = next(place for place, event in enumerate(log) if isinstance(event, CardPlayed))
    state = recorded(evening.rules, log, event=place + 1)
    assert [play.card for play in state.trick] == [cast(CardPlayed, log[place]).card]


@pytest.mark.parametrize(
    ("where", "complaint"),
    [
        ({"number": 3}, "there is no deal 3: the record has 2"),
        ({"number": 1}, "the deal is over: say after which trick"),
        ({"number": 1, "after": 25}, "deal 1 does not go on after trick 25"),
        ({"after": 20}, "deal 2 does not go on after trick 20"),
        ({"event": 0}, "there is no event 0"),
        ({"event": 9999}, "there is no event 9999"),
        ({"event": 1}, "at event 1 no deal has begun"),
    ],
)
def test_a_place_that_is_not_there(evening: Evening, where: dict[str, int], complaint: str) -> None:
    with pytest.raises(ValueError, match=complaint):
        recorded(evening.rules, evening.log[: _last_step(evening)], **where)


def test_an_empty_record() -> None:
    with pytest.raises(ValueError, match="no deal has begun"):
        recorded(danish_rules("dtf"), [])
