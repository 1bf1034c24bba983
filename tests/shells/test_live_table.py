"""The live table without I/O: whole sessions by the offers of the scenes, seats, clocks and talk."""

from __future__ import annotations

from typing import Any

import msgspec
import pytest
from msgspec.structs import replace

from live import HOST, STRICT, Evening, answer, bots
from ultimo import record, rulebook, series
from ultimo.events import Accept, Deal, Dealt, Event, IllegalAction, Play, SeriesOpened
from ultimo.names import capital
from ultimo.record import jsonl, sheet
from ultimo.record.check import check
from ultimo.table import (
    SeatPlan,
    Settings,
    evolve,
    forget,
    ledger,
    replay,
    session_record,
    story_so_far,
    totals,
)
from ultimo.table.archive import steps
from ultimo.table.facts import NOBODY, BotSeated, ChatSaid, Fact, Happened, SeatLeft, SeatTaken, StoodIn
from ultimo.table.messages import (
    Act,
    Commit,
    Finish,
    OpenSeat,
    Ready,
    Reveal,
    Say,
    SeatBot,
    Sit,
    Stand,
    Start,
    TakeBack,
)
from ultimo.table.scene import Scene
from ultimo.table.showing import teller_of
from ultimo.telling.citations import cited_if

TABLES = [(book, size) for book in rulebook.ids() for size in rulebook.load(book).sizes]


def tabled(book: str, size: int, people: int = 1, seed: int = 0, **settings: Any) -> Evening:
    agreed = Settings(book, size, bots(size, people), **settings)
    return Evening(agreed, seed, (HOST, *(f"p{n}" for n in range(1, people))))


# --- whole sessions ------------------------------------------------------------------------------------


@pytest.mark.parametrize(("book", "size"), TABLES)
def test_whoever_plays_by_the_offers_alone_is_never_refused(book: str, size: int) -> None:
    evening = tabled(book, size, people=2, deals=2)
    evening.do("p1", Sit(1))
    evening.play_on(2)
    evening.end()
    assert sum(evening.live.series.totals) == 0  # type: ignore[union-attr]


@pytest.mark.parametrize("book", ["jensen", "hermansen", "vlk", "basta", "dtf"])
def test_offers_of_a_strict_table_are_never_refused(book: str) -> None:
    for seed in range(3):
        evening = tabled(book, 3, people=3, seed=seed, house=STRICT)
        evening.do("p1", Sit(1))
        evening.do("p2", Sit(2))
        evening.play_on(1)
        assert evening.live.series.deals == 1  # type: ignore[union-attr]


def test_nobody_is_asked_what_the_table_answers_for_him() -> None:
    evening = tabled("dtf", 3)
    while evening.scene(HOST).phase != "handCheck" or 0 not in evening.live.waiting_for:
        evening.step()
    assert evening.scene(HOST).turn is None


@pytest.mark.parametrize(("book", "size"), [("dtf", 4), ("french5", 5)])
def test_the_log_is_the_truth(book: str, size: int) -> None:
    evening = tabled(book, size)
    evening.play_on(1)
    folded = None
    for fact, at in evening.log:
        folded = evolve(folded, fact, at)
    assert folded == evening.live


@pytest.mark.parametrize(("book", "size"), [("hermansen", 3), ("french4", 4)])
def test_a_barred_card_is_refused_for_the_reason_shown(book: str, size: int) -> None:
    evening, tried = tabled(book, size, seed=3), 0
    for _ in range(400):
        shown = evening.scene(HOST)
        if shown.turn is not None and shown.phase == "play":
            for barred in shown.turn.barred:
                for card in barred.cards:
                    with pytest.raises(IllegalAction) as refused:
                        evening.do(HOST, Act(msgspec.convert({"type": "Play", "card": card}, Play)))
                    teller = teller_of(evening.live, "en")
                    assert capital(teller.refusal(refused.value)) == barred.why
                    assert cited_if(refused.value.cite, "en") == barred.cite
                    tried += 1
        evening.one_thing()
    assert tried > 20


@pytest.mark.parametrize(("book", "size"), [("dtf", 3), ("french5", 5)])
def test_a_session_leaves_a_record_that_checks(book: str, size: int) -> None:
    evening = tabled(book, size, deals=2)
    evening.play_on(2)
    evening.end()
    kept = session_record(evening.log)
    assert check(evening.live.rules, [entry.event for entry in kept.entries]) is not None
    assert record.loads(jsonl.dumps(kept)) == record.loads(sheet.dumps(kept)) == kept
    assert len(totals(evening.log)) == 2
    assert ledger(evening.log, "da")


def test_a_running_deal_is_in_no_record() -> None:
    evening = tabled("dtf", 3, deals=2)
    evening.play_on(1)
    evening.do(HOST, Ready())
    for _ in range(40):
        evening.one_thing()
    assert evening.live.moment == "deal"
    kept = session_record(evening.log)
    assert type(kept.entries[-1].event).__name__ == "DealClosed"


def test_a_replay_shows_all_hands_and_ends_with_the_result() -> None:
    evening = tabled("hermansen", 3)
    evening.play_on(1)
    frames, cites = replay(evening.log, 1, "en")
    dealt = next(frame for frame in frames if frame.story[0].kind == "dealt")
    assert sorted(len(seat.hand) for seat in dealt.scene.seats) == [25, 25, 28]
    assert frames[-1].scene.result is not None
    assert {one.cite for one in frames[-1].scene.payments} == set(cites)
    assert not any(frame.scene.cites for frame in frames)
    assert [number for frame in frames if (trick := frame.scene.last) for number in [trick.number]][-1] == 25


# --- seats ---------------------------------------------------------------------------------------------


def test_people_take_open_seats_and_the_game_begins_when_the_host_starts() -> None:
    evening = tabled("dtf", 3, people=3)
    evening.host_starts = False
    evening.settle_down()
    assert evening.live.moment == "gathering"
    evening.do("p1", Sit(1))
    with pytest.raises(IllegalAction, match="this seat is taken"):
        evening.do("p2", Sit(1))
    with pytest.raises(IllegalAction, match="have a seat"):
        evening.do("p1", Sit(2))
    evening.do("p2", Sit(2))
    evening.settle_down()
    assert evening.live.moment == "gathering"
    assert [evening.scene(player).table.may_start for player in (HOST, "p1", None)] == [True, False, False]
    evening.do(HOST, Start())
    assert evening.live.started
    with pytest.raises(IllegalAction, match="has already started"):
        evening.do("p3", Sit(0))


def test_the_host_alone_seats_bots_and_starts() -> None:
    evening = tabled("french4", 4, people=3)
    evening.do("p1", Sit(1))
    for wish in (SeatBot(2, "club"), OpenSeat(3), Start()):
        with pytest.raises(IllegalAction, match="only the host"):
            evening.do("p1", wish)
    evening.do(HOST, OpenSeat(3))
    evening.do(HOST, SeatBot(3, "beginner"))
    evening.do(HOST, Start())
    assert [sitting.kind for sitting in evening.live.seats] == ["person", "person", "bot", "bot"]
    assert len({sitting.name for sitting in evening.live.seats}) == 4


def test_who_stands_up_during_a_session_leaves_the_seat_to_a_bot() -> None:
    evening = tabled("dtf", 3)
    evening.settle_down()
    evening.do(HOST, Stand())
    assert evening.live.seats[0].kind == "bot"
    assert evening.scene(HOST).you is None
    for _ in range(300):
        evening.step()
    assert evening.live.moment == "over"  # with nobody left there is no other deal


def test_no_seat_chooses_the_cards_and_no_stranger_plays() -> None:
    evening = tabled("dtf", 3)
    evening.settle_down()
    with pytest.raises(IllegalAction, match="players do not choose"):
        evening.do(HOST, Act(Deal(((), (), ()))))
    with pytest.raises(IllegalAction, match="you need a seat at this table"):
        evening.do("stranger", Act(Accept()))


def test_people_found_by_themselves_at_a_strict_table() -> None:
    evening = tabled("dtf", 3, house={"strict.cups": True})
    for _ in range(10):
        evening.step()
    assert evening.live.moment == "between"  # the first deal waits for the founding
    shown = evening.scene(HOST)
    assert shown.turn is not None
    evening.do(HOST, Act(evening_answer(evening)))
    evening.settle_down()
    assert evening.scene(HOST).moment == "deal"
    assert evening.scene(HOST).cups[0].points == 65


def test_a_session_ends_when_the_host_says_so() -> None:
    evening = tabled("dtf", 3)
    evening.settle_down()
    evening.do(HOST, Finish())
    evening.play_on(1)
    evening.end()
    assert evening.live.series.king == evening.live.series.pagat == 0  # type: ignore[union-attr]


# --- away ----------------------------------------------------------------------------------------------


def on_turn(evening: Evening) -> None:
    """Play until the host is asked for a card."""
    for _ in range(400):
        if evening.scene(HOST).phase == "play" and 0 in evening.live.waiting_for:
            return
        evening.one_thing()
    raise AssertionError("the host never leads")


def test_a_bot_stands_in_after_the_grace_period_and_gives_the_seat_back() -> None:
    evening = tabled("dtf", 3, people=2, grace=30)
    evening.do("p1", Sit(1))
    on_turn(evening)
    evening.step()
    evening.here = {"p1"}
    left = evening.seen[HOST]
    while not evening.live.seats[0].stand_in:
        evening.step()
    assert evening.now == left + 30
    for _ in range(30):
        evening.one_thing()
    evening.here.add(HOST)
    evening.do(HOST, TakeBack())
    assert not evening.live.seats[0].stand_in
    on_turn(evening)
    assert evening.scene(HOST).turn is not None


def test_grace_is_counted_on_ones_own_turns_only() -> None:
    evening = tabled("dtf", 3, people=2, grace=30)
    evening.do("p1", Sit(1))
    while evening.scene(HOST).phase != "play" or evening.live.waiting_for != (1,):
        evening.one_thing()
    evening.step()
    evening.here = {"p1"}  # the host leaves while p1 thinks, for a long time
    for _ in range(40):
        evening.step()
    assert evening.now > evening.seen[HOST] + 1000
    assert not any(isinstance(fact, StoodIn) for fact, _ in evening.log)


def evening_answer(evening: Evening) -> Any:
    turn = evening.scene(HOST).turn
    assert turn is not None
    return answer(turn, evening.rng)


def test_a_move_takes_the_seat_back() -> None:
    evening = tabled("dtf", 3, grace=5)
    on_turn(evening)
    evening.put((StoodIn(0),))
    evening.do(HOST, Act(evening_answer(evening)))
    assert not evening.live.seats[0].stand_in


def test_the_clock_of_a_turn_lets_a_bot_make_one_move() -> None:
    evening = tabled("dtf", 3, clock=10)
    on_turn(evening)
    shown = evening.scene(HOST)
    assert shown.turn is not None
    assert shown.turn.deadline == evening.live.asked_at + 10
    moves = evening.live.moves
    while evening.live.moves == moves:
        evening.step()
    assert evening.now == shown.turn.deadline
    assert not evening.live.seats[0].stand_in


def test_who_plays_by_the_clock_does_not_look_at_a_result_for_ever() -> None:
    evening = tabled("dtf", 3, clock=10)
    evening.play_on(1)
    ended = evening.now
    while evening.live.moment == "between":
        evening.step()
    assert evening.now == ended + 10 + 60


# --- shuffling -----------------------------------------------------------------------------------------


def test_secrets_are_committed_before_any_is_revealed() -> None:
    evening = tabled("dtf", 3)
    while evening.live.shuffle is None:
        evening.step()
    with pytest.raises(IllegalAction, match="until everyone has locked one in"):
        evening.do(HOST, Reveal(1, "11" * 32))
    evening.do(HOST, Commit(1, "00" * 32))
    with pytest.raises(IllegalAction, match="already"):
        evening.do(HOST, Commit(1, "11" * 32))
    while evening.live.shuffle is None or not evening.live.shuffle.closed:
        evening.step()
    with pytest.raises(IllegalAction, match="not the secret"):
        evening.do(HOST, Reveal(1, "11" * 32))
    while not evening.live.dealings:
        evening.step()
    assert evening.live.proof is not None
    assert evening.live.proof.players == ()  # who does not reveal takes no part, and nobody waits for ever


def test_what_a_person_adds_changes_the_cards_and_is_proved() -> None:
    def dealt(player_joins: bool) -> Evening:
        evening = tabled("dtf", 3)
        while not evening.live.dealings:
            if player_joins:
                evening.one_thing()
            else:
                evening.step()
        return evening

    alone, together = dealt(False), dealt(True)
    assert alone.live.proof is not None
    assert together.live.proof is not None
    assert len(together.live.proof.players) == 1
    assert not together.live.proof.complaints()
    hands = [evening.live.series.deal.dealt for evening in (alone, together)]  # type: ignore[union-attr]
    assert hands[0] != hands[1]


class Silent(Evening):
    """A table whose people add nothing to the shuffle."""

    def shuffle(self, player: str, shown: Scene) -> None:
        self.step()


def test_with_a_seed_the_cards_are_known_whatever_people_add_and_nothing_is_proved() -> None:
    def dealt(kind: type[Evening], seed: int, known: str) -> list[Event]:
        """Who deals first, and the cards of two deals."""
        evening = kind(Settings("dtf", 3, bots(3), deals=2), seed, known=known)
        evening.play_on(2)
        assert evening.live.shuffle is not None
        assert evening.live.proof is None
        return [step.event for step in steps(evening.log) if isinstance(step.event, SeriesOpened | Dealt)]

    first, again, other = dealt(Evening, 1, "a"), dealt(Silent, 2, "a"), dealt(Evening, 1, "b")
    assert first == again
    assert first[1] != first[2], "each deal has cards of its own"
    assert first != other


def test_with_a_seed_bots_choose_the_same_again() -> None:
    def chosen(seed: int) -> list[Event]:
        evening = Evening(
            Settings("french4", 4, (SeatPlan("bot", "random"),) * 4, deals=1), seed, ("spectator",), known="a"
        )
        evening.play_on()
        return [step.event for step in steps(evening.log)]

    assert chosen(1) == chosen(2)


# --- talk ----------------------------------------------------------------------------------------------


def test_sitters_and_players_do_not_talk_during_a_deal() -> None:
    evening = tabled("dtf", 4, people=4)
    for seat in (1, 2, 3):
        evening.do(f"p{seat}", Sit(seat))
    evening.do("p1", Say("before"))
    evening.settle_down()
    deal = evening.live.series.deal  # type: ignore[union-attr]
    assert deal is not None
    sitter = next(seat for seat in range(4) if seat not in deal.order)  # type: ignore[union-attr]
    people = [HOST, "p1", "p2", "p3"]
    evening.do(people[sitter], Say("I see everything"))
    evening.do(people[deal.dealer], Say("I deal"))
    heard = {player: [one.text for one in evening.scene(player).chat] for player in (*people, None)}
    assert heard[people[sitter]] == ["before", "I see everything"] == heard[None]
    assert all(heard[people[seat]] == ["before", "I deal"] for seat in deal.order)  # type: ignore[union-attr]


def test_only_the_cards_of_the_last_trick_are_told_again() -> None:
    """Rule: E5. Who has won each trick stands at the seats anyway."""
    evening = tabled("dtf", 3)
    while len(evening.live.series.deal.tricks if evening.live.dealings else ()) < 6:  # type: ignore
        evening.one_thing()
    told = story_so_far(evening.live, HOST, "en")
    assert sum(one.kind == "won" for one in told) == 6
    assert sum(one.kind == "played" for one in told) <= 5
    evening.play_on(1)
    shown = evening.scene(HOST)
    assert shown.result is not None
    assert len(shown.result.tricks) == 25


def test_deleted_names_and_words_are_gone_from_the_log() -> None:
    evening = tabled("dtf", 3)
    evening.do(HOST, Say("my secret"))
    evening.play_on(1)
    left = forget([fact for fact, _ in evening.log], {HOST})
    evening.log = [(fact, at) for fact, (_, at) in zip(left, evening.log, strict=True)]
    text = msgspec.json.encode([fact for fact, _ in evening.log])
    assert b"Ada" not in text
    assert b"my secret" not in text
    folded = None
    for fact, at in evening.log:
        folded = evolve(folded, fact, at)
    assert folded is not None
    assert folded.seats[0].name == NOBODY
    assert isinstance(folded.series, series.State)


def test_the_names_and_words_of_others_stay_in_the_log() -> None:
    """Of whoever had the same seat later, has the same name, or speaks of somebody who is deleted."""
    opened = SeriesOpened(("Ada", "Bo", "Karen"), 0)
    log: list[Fact] = [
        SeatTaken(0, "ada2", "Ada"),
        SeatTaken(1, "ada", "Ada"),
        ChatSaid("ada", "Ada", 1, "mine"),
        SeatLeft(1),
        SeatTaken(1, "bo", "Bo"),
        ChatSaid("bo", "Bo", 1, "where is Ada?"),
        BotSeated(2, "random", "Karen"),
        Happened((opened,)),
    ]
    left = forget(log, {"ada"})
    assert [fact for fact in log if fact not in left] == [log[1], log[2]]
    assert left[1:3] == [SeatTaken(1, "ada", NOBODY), ChatSaid("ada", NOBODY, 1, NOBODY)]
    last = forget(log, {"bo"})[-1]
    assert isinstance(last, Happened)
    assert last.events == (replace(opened, names=("Ada", NOBODY, "Karen")),)


def test_settings_that_cannot_be_played_say_why() -> None:
    with pytest.raises(IllegalAction, match="for 4 players"):
        Evening(Settings("french4", 3, bots(3)))
    with pytest.raises(IllegalAction, match="3 seats, but 2 are described"):
        Evening(Settings("dtf", 3, bots(2)))
    with pytest.raises(IllegalAction, match="only one seat"):
        Evening(Settings("dtf", 3, (SeatPlan("host"),) * 3))
    for settings in (
        Settings("dtf", 3, bots(3, 2), first_dealer=2),
        Settings("dtf", 3, bots(3), first_dealer=2, public=True),
        Settings("dtf", 3, bots(3), first_dealer=3),
    ):
        with pytest.raises(IllegalAction, match="first dealer is drawn"):
            Evening(settings)
