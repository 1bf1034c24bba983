"""How a live table waits: for its only person, for the host; its speed, and deals that one sits out."""

from __future__ import annotations

from typing import Any

import pytest

from live import HOST, Evening, answer, bots
from ultimo import rulebook, series
from ultimo.cards import cards
from ultimo.events import Accept, Deal, IllegalAction, Play
from ultimo.table import Again, SeatPlan, Settings, Think, due, evolve, story
from ultimo.table.driving import pause
from ultimo.table.facts import CameBack, StoodIn, WentAway
from ultimo.table.messages import Act, SetTempo, Sit, Skip, Stand, Start
from ultimo.telling.seats import active

LARGE = [(book, size) for book in rulebook.ids() for size in rulebook.load(book).sizes if size > 3]


def tabled(book: str, size: int, people: int = 1, seed: int = 0, **settings: Any) -> Evening:
    agreed = Settings(book, size, bots(size, people), **settings)
    evening = Evening(agreed, seed, (HOST, *(f"p{n}" for n in range(1, people))))
    for seat in range(1, people):
        evening.do(f"p{seat}", Sit(seat))
    return evening


def waits(evening: Evening) -> bool:
    """Let the table do all it does by itself, and say whether it then waits for people."""
    return any(not evening.step() for _ in range(50))


def playing(evening: Evening, tricks: int = 2) -> Evening:
    """Play until so many tricks lie there and it is the host's turn."""
    for _ in range(600):
        state = evening.live.series.deal if evening.live.series else None
        if state is not None and len(state.tricks) >= tricks and 0 in evening.live.waiting_for:
            return evening
        evening.one_thing()
    raise AssertionError("it is never the host's turn")


# --- one person and bots -------------------------------------------------------------------------------


@pytest.mark.parametrize(("book", "size"), [("dtf", 3), ("dtf", 5), ("french4", 4)])
@pytest.mark.parametrize("clock", [None, 10])
def test_nobody_plays_on_without_the_only_person(book: str, size: int, clock: int | None) -> None:
    evening = tabled(book, size, clock=clock)
    for number in range(120):  # wherever the person leaves: while bots move, on turn, between two deals
        evening.one_thing()
        if number % 8:
            continue
        evening.step()
        moves, events = evening.live.moves, evening.live.events
        evening.here.clear()
        evening.now += 0.1
        assert waits(evening), "a table without its only person does something"
        assert evening.live.paused
        evening.now += 10_000
        assert waits(evening)
        assert (evening.live.moves, evening.live.events) == (moves, events)
        assert not evening.live.seats[0].stand_in
        evening.here.add(HOST)
    assert not any(isinstance(fact, StoodIn) for fact, _ in evening.log)


def test_bots_do_not_think_for_an_absent_person() -> None:
    evening = tabled("dtf", 3)
    while not isinstance(due(evening.live, evening.now, evening.seen, evening.secret), Think):
        evening.one_thing()
        evening.seen[HOST] = evening.now
    assert not isinstance(due(evening.live, evening.now + 0.1, evening.seen, evening.secret), Think)


def test_a_short_absence_leaves_no_trace_and_a_long_one_restarts_the_clock() -> None:
    evening = playing(tabled("dtf", 3, seed=1, clock=30))
    evening.step()
    evening.here.clear()
    evening.now += 3  # the page is loaded again
    evening.here.add(HOST)
    evening.step()
    assert not any(isinstance(fact, WentAway) for fact, _ in evening.log)
    evening.here.clear()
    assert waits(evening)
    evening.now += 600
    before = evening.live
    evening.here.add(HOST)
    evening.step()
    assert isinstance(evening.log[-1][0], CameBack)
    shown = evening.scene(HOST)
    assert (shown.table.paused, shown.table.back) == (False, evening.now)
    assert shown.turn is not None
    assert shown.turn.deadline == evening.now + 30
    assert [one.text for one in story(before, evening.log[-1:], None, "en")] == ["Ada is back"]


def test_a_clock_that_runs_out_while_the_page_is_gone_moves_nobody() -> None:
    evening = playing(tabled("dtf", 3, clock=10))
    moves = evening.live.moves
    evening.now += 8
    evening.step()
    evening.here.clear()
    evening.now += 3  # a short absence, but the clock has run out in it
    evening.step()
    evening.here.add(HOST)
    evening.step()
    assert evening.live.moves == moves
    assert evening.scene(HOST).turn.deadline == evening.now + 10  # type: ignore[union-attr]


def test_a_pause_is_in_the_log_and_others_are_told() -> None:
    evening = playing(tabled("dtf", 3))
    evening.here.clear()
    assert waits(evening)
    folded = None
    for fact, at in evening.log:
        folded = evolve(folded, fact, at)
    assert folded == evening.live
    assert evening.scene(None).headline == "Ada is away: the table waits"


def test_with_two_people_a_bot_stands_in_as_ever() -> None:
    evening = playing(tabled("dtf", 3, people=2, grace=30))
    evening.step()
    evening.here = {"p1"}
    for _ in range(3):
        evening.step()
    assert evening.live.seats[0].stand_in
    assert not evening.live.paused


def test_a_table_that_the_other_has_left_waits_too() -> None:
    evening = playing(tabled("dtf", 3, people=2))
    evening.do("p1", Stand())
    evening.step()
    evening.here.clear()
    assert waits(evening)
    assert evening.live.paused


# --- the host ------------------------------------------------------------------------------------------


def test_bots_alone_play_only_while_somebody_watches() -> None:
    evening = Evening(Settings("french4", 4, (SeatPlan("bot", "random"),) * 4, deals=500), people=())
    assert waits(evening), "nobody has come yet"
    evening.here = {"spectator"}
    evening.play_on()
    for _ in range(10):
        evening.step()
    assert evening.live.moment == "deal"
    evening.here = set()
    evening.now += 1
    facts = len(evening.log)
    assert waits(evening), "nobody is there any more"
    assert len(evening.log) <= facts
    evening.here = {"another"}
    evening.play_on(3)


def test_a_deal_that_people_leave_is_finished_and_no_other_is_begun() -> None:
    evening = playing(tabled("dtf", 3, deals=500))
    evening.do(HOST, Stand())
    evening.here = set()
    evening.now += 1
    while evening.step():
        pass
    assert (evening.live.moment, evening.live.number) == ("between", 1)


def gathered() -> Evening:
    evening = Evening(Settings("dtf", 3, bots(3, 3), grace=30), 0, (HOST, "p1", "p2"))
    evening.host_starts = False
    evening.do("p1", Sit(1))
    return evening


def test_others_start_once_the_host_has_been_away_for_long() -> None:
    evening = gathered()
    evening.step()
    evening.here.remove(HOST)
    evening.now += 1
    evening.step()
    with pytest.raises(IllegalAction, match="only the host"):
        evening.do("p1", Start())
    evening.step()
    shown = evening.scene("p1")
    assert (shown.table.may_start, shown.table.host_away, shown.table.host) == (True, True, False)
    assert not evening.scene("p2").table.may_start, "who has no seat starts nothing"
    with pytest.raises(IllegalAction, match="only the host"):
        evening.do("p2", Start())
    evening.do("p1", Start())
    assert evening.live.started


def test_a_host_who_comes_back_starts_again() -> None:
    evening = gathered()
    evening.step()
    evening.here.remove(HOST)
    evening.now += 1
    assert waits(evening)
    assert evening.live.away
    evening.here.add(HOST)
    evening.step()
    assert not evening.scene("p1").table.may_start
    assert evening.scene(HOST).table.may_start


def test_an_empty_table_does_not_count_the_minutes_of_its_host() -> None:
    evening = gathered()
    evening.step()
    evening.here.clear()
    evening.now += 1000
    assert waits(evening)
    assert not evening.live.away


def test_nobody_sits_down_with_a_name_that_is_taken() -> None:
    evening = Evening(Settings("dtf", 3, bots(3, 2)), 0, (HOST, "karen"))
    with pytest.raises(IllegalAction, match="someone at this table is called"):
        evening.do("karen", Sit(1))  # as a bot is
    evening = Evening(Settings("dtf", 3, bots(3, 2)), 0, (HOST, "ADA"))
    with pytest.raises(IllegalAction, match="choose another name"):
        evening.do("ADA", Sit(1))


def test_no_bot_has_the_name_of_the_host() -> None:
    seats = (*bots(3)[1:], *bots(3)[:1])
    evening = Evening(Settings("dtf", 3, seats))
    assert len({sitting.name.casefold() for sitting in evening.live.seats}) == 3


# --- speed ---------------------------------------------------------------------------------------------


def test_the_host_changes_the_speed_at_any_time() -> None:
    evening = playing(tabled("dtf", 3, people=2))
    before, slow = evening.live, pause(evening.live)
    evening.do(HOST, SetTempo("instant"))
    assert pause(evening.live) == 0.0 < slow
    assert {evening.scene(player).table.tempo for player in (HOST, "p1", None)} == {"instant"}
    told = story(before, evening.log[-1:], "p1", "en")
    assert [one.text for one in told] == ["Ada sets the speed of play to instant"]
    with pytest.raises(IllegalAction, match="already"):
        evening.do(HOST, SetTempo("instant"))
    with pytest.raises(IllegalAction, match="only the host"):
        evening.do("p1", SetTempo("slow"))
    with pytest.raises(IllegalAction, match="need a seat"):
        evening.do("stranger", SetTempo("slow"))


def test_the_speed_of_a_game_that_is_over_stays() -> None:
    evening = tabled("french4", 4, deals=1)
    evening.play_on(1)
    evening.end()
    with pytest.raises(IllegalAction, match="any more"):
        evening.do(HOST, SetTempo("fast"))


# --- sitting out ---------------------------------------------------------------------------------------


@pytest.mark.parametrize(("book", "size"), LARGE)
def test_nobody_begins_by_sitting_out_among_bots(book: str, size: int) -> None:
    drawn = set()
    for seed in range(12):
        evening = tabled(book, size, seed=seed)
        while evening.live.moment != "deal":
            evening.step()
        state = evening.live.series
        assert state is not None
        assert 0 in active(state.deal)
        drawn.add(state.dealer)
    assert len(drawn) > 1, "there is still a draw"


def test_the_draw_among_people_is_among_all() -> None:
    assert series.first_dealers(rulebook.load("dtf"), 4, (0, 1)) == (0, 1, 2, 3)


def sitting_out(evening: Evening) -> Evening:
    """Play until the host sits out, which is never in the first deal."""
    for _ in range(6000):
        state = evening.live.series
        if state is not None and state.playing and state.deal is not None and 0 not in active(state.deal):
            return evening
        evening.one_thing()
    raise AssertionError("the host never sits out")


def test_who_sits_out_among_bots_may_see_the_result_at_once() -> None:
    evening = sitting_out(tabled("dtf", 4))
    assert evening.scene(HOST).table.may_skip
    assert not evening.scene(None).table.may_skip
    evening.do(HOST, Skip())
    since, number = evening.now, evening.live.number
    with pytest.raises(IllegalAction, match="skip only a deal"):
        evening.do(HOST, Skip())
    while evening.live.moment == "deal":
        evening.one_thing()
    assert evening.live.number == number
    assert evening.now <= since + 6.0, "nothing but the shuffling has taken time"
    evening.play_on(number + 1)
    assert not evening.live.skipped


def test_experts_hurry_through_a_deal_that_is_skipped() -> None:
    def thinks() -> set[str]:
        """Who thinks about the deal that the host sits out."""
        levels: set[str] = set()
        while evening.live.moment == "deal":
            evening.seen[HOST] = evening.now
            found = due(evening.live, evening.now, evening.seen, evening.secret)
            levels |= {found.level} if isinstance(found, Think) else set()
            evening.one_thing()
        return levels

    seats = (SeatPlan("host"), *[SeatPlan("bot", "expert")] * 3)
    evening = sitting_out(Evening(Settings("dtf", 4, seats), 0))
    evening.do(HOST, Skip())
    assert thinks() == {"club"}
    evening.play_on(evening.live.number + 1)
    evening = sitting_out(evening)
    assert thinks() == {"expert"}


@pytest.mark.parametrize("people", [1, 2])
def test_nobody_skips_a_deal_of_others(people: int) -> None:
    evening = tabled("dtf", 4, people=people)
    evening = playing(evening) if people == 1 else sitting_out(evening)
    assert not evening.scene(HOST).table.may_skip
    with pytest.raises(IllegalAction, match="skip only a deal"):
        evening.do(HOST, Skip())
    with pytest.raises(IllegalAction, match="need a seat"):
        evening.do("stranger", Skip())


# --- the same cards again ------------------------------------------------------------------------------


def test_no_page_is_asked_for_a_secret_for_cards_that_are_known() -> None:
    first = tabled("dtf", 3)
    first.play_on(1)
    dealt = first.live.series.deal.dealt  # type: ignore[union-attr]
    again = Again(Deal(tuple(cards(hand) for hand in dealt)), first.live.series.last_dealer)  # type: ignore
    evening = Evening(Settings("dtf", 3, bots(3), deals=2), 1, again=again)
    wanted = []
    while evening.live.series is None or evening.live.series.deals < 2:
        fair = evening.scene(HOST).fair
        wanted += [fair.deal] if fair is not None and fair.wanted else []
        evening.one_thing()
    assert set(wanted) == {2}, "the second deal is shuffled by all again"
    assert isinstance(evening.live.series, series.State)


def test_a_move_takes_no_notice_of_a_pause() -> None:
    """A page that is back acts before the table has noticed that it is."""
    evening = tabled("dtf", 3)
    while evening.scene(HOST).phase != "play" or 0 not in evening.live.waiting_for:
        evening.one_thing()
    evening.here.clear()
    assert waits(evening)
    turn = evening.scene(HOST).turn
    assert turn is not None
    evening.do(HOST, Act(answer(turn, evening.rng)))
    with pytest.raises(IllegalAction):
        evening.do(HOST, Act(Accept()))


# --- cards that may play themselves --------------------------------------------------------------------


@pytest.mark.parametrize(("book", "size"), [("dtf", 3), ("hermansen", 3), ("french4", 4)])
def test_a_card_may_play_itself_where_there_is_no_choice(book: str, size: int) -> None:
    evening, forced, last = tabled(book, size), 0, 0
    while evening.live.series is None or evening.live.series.deals < 2:
        shown = evening.scene(HOST)
        if shown.turn is not None and shown.turn.only is not None:
            choices = list(series.legal(evening.live.rules, evening.live.series, 0))  # type: ignore[arg-type]
            others = [action for action in choices if not isinstance(action, Play)]
            assert [action.card.value for action in choices if isinstance(action, Play)] == [shown.turn.only]
            assert not others or len(shown.hand) == 1
            forced, last = forced + 1, last + (len(shown.hand) == 1)
        elif shown.turn is not None and shown.phase == "play" and 0 in evening.live.waiting_for:
            assert len(shown.hand) > 1 or shown.hand == ("T0",), "the last card may, unless it is named"
        evening.one_thing()
    assert forced > last > 0
