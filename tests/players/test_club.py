"""The club player plays by advice it can name, and at a table with errors it makes none."""

from __future__ import annotations

from random import Random

import pytest
from msgspec.structs import replace

from table import DANISH, FRENCH, danish_rules
from ultimo import danish, deal, rulebook, series
from ultimo.analysis.position import read
from ultimo.cards import TRUMPS, cards
from ultimo.events import Action, Decline, DemandSkus, Play
from ultimo.kernel.policy import CLUB
from ultimo.play.choices import Choices, actions
from ultimo.players import Match, View, create
from ultimo.players.policy import danish as danish_policies
from ultimo.players.policy.levels import Club, Student, errand
from ultimo.players.reasons import PRINCIPLES, Reason
from ultimo.rulebook import DanishRules

STRICT = ("deal", "cups", "skat", "declare", "follow", "turn", "skusClaim", "skusDemand", "count")


class Telling:
    """A club player who is asked why, whatever it does."""

    def __init__(self) -> None:
        self.reasons: list[Reason] = []

    def choose(self, view: View, choices: Choices, /) -> Action:
        action = Club().choose(view, choices)
        reason = Club().explain(view, choices)
        assert reason.action == action
        if len(choices) > 1 and reason.principle:
            self.reasons.append(reason)
        return action


@pytest.mark.parametrize("book", [*DANISH, *FRENCH])
def test_a_club_player_can_say_why(book: str) -> None:
    rules = rulebook.load(book)
    size = rules.sizes[0]
    players = {seat: Telling() for seat in range(size)}
    match = Match(rules, [str(seat) for seat in range(size)], players, Random(f"why {book}"))
    for _ in match.play_deals(2):
        pass
    reasons = [reason for player in players.values() for reason in player.reasons]
    assert len(reasons) > 40
    assert len({reason.principle for reason in reasons}) > 4
    for reason in reasons:
        assert reason.words == PRINCIPLES[reason.principle]
        assert reason.role
        points = [one.points for one in reason.candidates if one.points is not None]
        assert points == sorted(points, reverse=True)
        assert not points or reason.action in [one.action for one in reason.candidates]


@pytest.mark.parametrize("level", ["beginner", "club"])
@pytest.mark.parametrize("book", DANISH)
def test_nobody_errs_at_a_table_where_one_may(book: str, level: str) -> None:
    house: dict[str, object] = {f"strict.{name}": True for name in STRICT} | {"decl.mode": "manual"}
    rules = danish_rules(book, house)
    names = [str(seat) for seat in range(3)]
    match = Match(rules, names, {seat: create(level, seat) for seat in range(3)}, Random(f"strict {book}"))
    ended = 0
    for _ in match.play_deals(4):
        state = match.state.deal
        assert isinstance(state, danish.State)
        assert state.phase == "closed"
        assert not state.fines
        assert not state.found
        ended += state.number > 25
    assert ended >= 3  # a misdeal may be passed on


@pytest.mark.parametrize("book", DANISH)
def test_who_holds_the_skus_does_not_think_of_demanding_it(book: str) -> None:
    """Everybody is asked before the third-last trick, so that nobody learns who has it (E2)."""
    rules, state = read(f"{book}: F T21 T20 T0 / M H1 H2 H3 / B C1 C2 C3")
    assert isinstance(state, danish.State)
    state = replace(state, phase="demand", asked=state.order)
    opened = series.open_series(rules, [str(seat) for seat in range(state.table)], 0)[0]
    around = replace(series.evolve(rules, None, opened), deal=state)
    said = [errand(View(rules, seat, around), deal.legal(rules, state, seat)) for seat in state.order]
    assert said == [Decline(), None, None]
    gone = replace(around, deal=replace(state, skus_gone=True))
    assert errand(View(rules, state.order[1], gone), actions(Decline(), DemandSkus())) == Decline()


@pytest.mark.parametrize(
    "position",
    [
        "hermansen: F T21 T18 T15 C2 C10 S2 / M T6 T13 HN S8 H10 T2 / B T7 H3 H9 DN T1 H8",
        "hermansen: F T21 T19 T16 D8 DN / M T7 H9 T12 C8 T3 / B C5 T4 D10 C10 H4",
        "dtf: F T21 T15 T14 S8 D3 / M T13 C2 T19 HJ T6 / B DJ T18 S5 D8 H1",
        "hermansen: F T20 T17 S8 D3 / M T13 C2 HJ T6 / B DJ T18 S5 D8",
    ],
)
def test_the_highest_tarok_is_not_led_while_the_last_trick_is_near(position: str) -> None:
    """What nothing beats wins the last trick (F3.11): near the end another card is led."""
    rules, state = read(position)
    assert isinstance(state, danish.State)
    assert isinstance(rules, DanishRules)
    led = danish_policies.choose(rules, state, state.turn, CLUB)[0]
    assert isinstance(led, Play)
    assert led.card != max(cards(state.hands[state.turn] & TRUMPS), key=lambda card: card.index)


def test_a_level_that_is_not_there_is_refused() -> None:
    with pytest.raises(ValueError, match="there is no player 'genius'; there are random, beginner, club"):
        create("genius", 1)


@pytest.mark.parametrize("book", ["hermansen", "french4"])
def test_a_student_says_why_as_the_club_does_or_that_it_is_experience(book: str) -> None:
    rules = rulebook.load(book)
    size, student, club = rules.sizes[0], Student(), Club()
    match = Match(rules, [str(seat) for seat in range(size)], dict.fromkeys(range(size), student), Random(3))
    seen = {True: 0, False: 0}
    for _ in range(4):
        match.next_deal()
        while match.state.playing:
            assert match.state.deal is not None
            for seat in deal.waiting_for(rules, match.state.deal):
                view, choices = match.view(seat), deal.legal(rules, match.state.deal, seat)
                reason, advised = student.explain(view, choices), club.explain(view, choices)
                assert reason.action == student.choose(view, choices)
                same = reason.action == advised.action
                assert reason == advised if same else reason.principle == "experience"
                assert same or reason.words
                seen[same] += 1
            match.advance()
    assert min(seen.values()) > 0
