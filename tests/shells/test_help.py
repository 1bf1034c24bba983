"""Help at a live table: the host's switch, whom hints may be given, taking back, playing on from a step."""

from __future__ import annotations

from random import Random
from typing import Any

import msgspec
import pytest

from live import HOST, STRICT, Evening, answer, bots, told, wire
from naming import named, without_speech
from ultimo import record, rulebook, series
from ultimo.events import Bid, DealClosed, Dealt, HandAccepted, IllegalAction, Opened, Play
from ultimo.names import LANGUAGES
from ultimo.record import jsonl, sheet
from ultimo.record.check import check
from ultimo.table import (
    Live,
    Settings,
    Think,
    again,
    deal_events,
    deal_record,
    due,
    evolve,
    ledger,
    proofs,
    replay,
    session_record,
    step_of,
    thought,
    totals,
)
from ultimo.table.facts import Happened, StoodIn, Undone
from ultimo.table.helping import may_hint, question
from ultimo.table.messages import Act, ClaimRest, Ready, SetHelp, Sit, Stand, Undo, Wish
from ultimo.table.scene import ButtonOffer, TableShown
from ultimo.tutor.decisions import decisions

PHASES: list[tuple[str, int, tuple[int, ...], set[str]]] = [  # a table, its seeds, and what is asked there
    ("dtf", 3, (0,), {"skat", "declare", "play"}),
    ("jensen", 3, (3,), {"skat", "declare", "play"}),
    ("basta", 4, (1,), {"skat", "declare", "announce", "play"}),
    ("french4", 4, (10,), {"bid", "ecart", "slam", "play"}),
    ("french5", 5, (56,), {"bid", "call", "ecart", "slam", "play"}),
]
GAMES = [("dtf", 3), ("hermansen", 4), ("french4", 4), ("french5", 5)]


def alone(book: str, size: int, seed: int | str = 0, **settings: Any) -> Evening:
    """One person among bots."""
    return Evening(Settings(book, size, bots(size), tempo="instant", **settings), seed)


def table(evening: Evening, viewer: str | None = HOST) -> TableShown:
    return evening.scene(viewer).table


def asked(evening: Evening) -> None:
    """Go on until the host is asked something in the deal, or the deal is over."""
    for _ in range(2000):
        if evening.live.moment == "between" and evening.live.number and not evening.live.seats[0].ready:
            return
        if 0 in evening.live.waiting_for and evening.scene(HOST).turn is not None:
            return
        evening.one_thing()
    raise AssertionError("nobody is asked")


def decide_once(evening: Evening, rng: Random) -> Any:
    """Let the host answer, and the table go on until the next question; what was answered."""
    turn = evening.scene(HOST).turn
    assert turn is not None
    offered = [offer.action for offer in turn.offers if isinstance(offer, ButtonOffer)]
    action = Bid("garde") if Bid("garde") in offered else answer(turn, rng)
    evening.do(HOST, Act(action))
    asked(evening)
    return action


def game(live: Live) -> tuple[object, ...]:
    """What a table has come to, without times and without how often something has happened."""
    return (
        live.series,
        live.views,
        live.events,
        live.payments,
        live.dealings,
        live.decided,
        live.place,
        live.number,
        live.moment,
    )


def refused(evening: Evening, player: str, wish: Wish, why: str) -> None:
    before = evening.live
    with pytest.raises(IllegalAction, match=why):
        evening.do(player, wish)
    assert evening.live is before


# --- whom the table helps --------------------------------------------------------------------------------


def test_help_is_for_one_person_among_bots_unless_the_host_wants_it_otherwise() -> None:
    assert msgspec.json.decode(b'{"rules":"dtf","size":3,"seats":[]}', type=Settings).help == "alone"
    assert b"help" not in msgspec.json.encode(Settings("dtf", 3, bots(3)))
    helped = {}
    for help_ in ("never", "alone", "everyone"):
        for people in (1, 2):
            evening = Evening(Settings("dtf", 3, bots(3, people), help=help_), 0, (HOST, "p1"))
            if people == 2:
                evening.do("p1", Sit(1))
            asked(evening)
            helped[help_, people] = [table(evening, who).hints for who in (HOST, "p1", None)]
            assert table(evening, None).help == help_
    assert helped == {
        ("never", 1): [False, False, False],
        ("never", 2): [False, False, False],
        ("alone", 1): [True, False, False],
        ("alone", 2): [False, False, False],
        ("everyone", 1): [True, False, False],
        ("everyone", 2): [True, True, False],
    }


def test_who_is_left_alone_among_bots_is_helped() -> None:
    evening = Evening(Settings("dtf", 3, bots(3, 2)), 0, (HOST, "p1"))
    evening.do("p1", Sit(1))
    asked(evening)
    assert not may_hint(evening.live, HOST)
    evening.do("p1", Stand())
    assert may_hint(evening.live, HOST)


def test_the_host_sets_whom_the_table_helps_between_deals() -> None:
    evening = alone("dtf", 3)
    asked(evening)
    refused(evening, HOST, SetHelp("never"), "only before the game or between deals")
    evening.play_on(1)
    refused(evening, HOST, SetHelp("alone"), "already")
    evening.do(HOST, SetHelp("everyone"))
    evening.do(HOST, SetHelp("never"))
    assert table(evening).help == "never"
    assert table(evening).backs == ()
    evening.do(HOST, Ready())
    asked(evening)
    assert not table(evening).hints


def test_help_for_everyone_is_agreed_before_others_sit_down() -> None:
    evening = Evening(Settings("dtf", 3, bots(3, 3)), 0, (HOST, "p1", "p2"))
    evening.host_starts = False
    evening.do(HOST, SetHelp("everyone"))
    evening.do(HOST, SetHelp("never"))
    evening.do("p1", Sit(1))
    refused(evening, HOST, SetHelp("everyone"), "before others sit down")
    refused(evening, "p1", SetHelp("alone"), "only the host")
    refused(evening, "p2", SetHelp("alone"), "seat")
    evening.do(HOST, SetHelp("alone"))
    assert [table(evening, who).help for who in (HOST, "p1", None)] == ["alone"] * 3


# --- questions -------------------------------------------------------------------------------------------


@pytest.mark.parametrize(("book", "size"), GAMES)
def test_a_hint_is_about_what_the_person_knows_and_may_do(book: str, size: int) -> None:
    evening, rng, found = alone(book, size, 1), Random(1), 0
    asked(evening)
    while evening.live.moment == "deal":
        view, choices = question(evening.live, HOST)
        assert view.series is evening.live.views[0]
        assert decide_once(evening, rng) in choices
        found += 1
    assert found > 8
    with pytest.raises(IllegalAction, match="not your turn"):
        question(evening.live, HOST)


def test_a_hint_is_for_who_is_helped_and_on_turn() -> None:
    evening = Evening(Settings("dtf", 3, bots(3, 2), help="everyone"), 0, (HOST, "p1"))
    evening.do("p1", Sit(1))
    while evening.scene(HOST).phase != "play":
        evening.one_thing()
    while len(set(evening.live.waiting_for) & {0, 1}) != 1:
        evening.one_thing()
    on_turn = 0 in evening.live.waiting_for
    with pytest.raises(IllegalAction, match="not your turn"):
        question(evening.live, "p1" if on_turn else HOST)
    with pytest.raises(IllegalAction, match="seat"):
        question(evening.live, "somebody")
    never = alone("dtf", 3, help="never")
    asked(never)
    with pytest.raises(IllegalAction, match="no hints or take-backs"):
        question(never.live, HOST)


# --- taking back -----------------------------------------------------------------------------------------


@pytest.mark.parametrize(("book", "size", "seeds", "phases"), PHASES)
def test_whatever_is_taken_back_and_done_again_is_as_it_was(
    book: str, size: int, seeds: tuple[int, ...], phases: set[str]
) -> None:
    """In every phase: the same wishes after a take-back get the same answers of the bots and the same end."""
    found: set[str] = set()
    house = {} if book.startswith("french") else {"decl.mode": "manual"}
    for seed in seeds:
        evening, rng = alone(book, size, f"{book}{seed}", house=house), Random(seed)
        states, actions = [], []
        asked(evening)
        while evening.live.moment == "deal":
            states.append(evening.live)
            found.add(evening.scene(HOST).phase)
            actions.append(decide_once(evening, rng))
        ended = evening.live
        assert [one.to for one in table(evening).backs] == [len(live.events) for live in states]
        for place in reversed([*range(5), *range(5, len(states), 7)][: len(states)]):
            evening.do(HOST, Undo(len(states[place].events)))
            assert game(evening.live) == game(states[place])
            assert table(evening).taken_back
            assert len(table(evening).backs) == place
            for action in actions[place:]:
                evening.do(HOST, Act(action))
                asked(evening)
            assert game(evening.live) == game(ended)
            assert evening.live.moves > ended.moves
        folded = None
        for fact, at in evening.log:
            folded = evolve(folded, fact, at)
        assert folded == evening.live
    assert phases <= found, found


@pytest.mark.parametrize(("book", "size"), GAMES)
@pytest.mark.parametrize("seed", [0, 1, 3])
def test_records_and_accounts_are_those_of_the_deal_as_it_was_played_at_last(
    book: str, size: int, seed: int
) -> None:
    evening, rng = alone(book, size, f"{book}{seed}", deals=3), Random(seed)
    marked: set[int] = set()
    for number in (1, 2):
        for _ in range(4):
            asked(evening)
            for _ in range(rng.randint(1, 12)):
                if evening.live.moment == "deal":
                    decide_once(evening, rng)
            if backs := table(evening).backs:  # not where the host sits out
                evening.do(HOST, Undo(rng.choice(backs).to))
                marked.add(number)
        evening.play_on(number)
        evening.do(HOST, Ready())
    evening.play_on(3)
    evening.end()
    assert evening.live.series is not None
    kept = session_record(evening.log)
    assert check(evening.live.rules, [entry.event for entry in kept.entries]).series == evening.live.series
    assert record.loads(jsonl.dumps(kept)) == record.loads(sheet.dumps(kept)) == kept
    opened = [entry for entry in kept.entries if isinstance(entry.event, Opened)]
    assert {number for number, entry in enumerate(opened, 1) if entry.meta.get("takenBack")} == marked
    assert ("takenBack" in deal_record(evening.log, 1).entries[0].meta) == (1 in marked)
    live = evening.live.series
    assert sum(live.totals) + live.king + live.pagat == 0
    assert len(totals(evening.log)) == 3
    payments, _ = ledger(evening.log, "en")
    gained = [0] * size
    for one in payments:
        for account, points in ((one.payer, -one.points), (one.payee, one.points)):
            if isinstance(account, int):
                gained[account] += points
    assert tuple(gained) == live.totals
    for number in (1, 2, 3):
        rules, events = deal_events(evening.log, number)
        made = list(decisions(rules, events))
        assert made or events[-1] == DealClosed("thrownIn"), "a bare petit leaves nothing to decide"
        frames, _ = replay(evening.log, number, "en")
        assert frames[-1].scene.result is not None
        assert all(not proof.complaints() for proof, _ in proofs(evening.log, number))


def test_what_was_paid_is_taken_back_with_it() -> None:
    evening, rng = alone("hermansen", 3, 4), Random(4)
    asked(evening)
    before = evening.live
    while evening.live.moment == "deal":
        decide_once(evening, rng)
    assert evening.live.series.totals != before.series.totals  # type: ignore[union-attr]
    assert len(evening.live.payments) > len(before.payments)
    evening.do(HOST, Undo(table(evening).backs[0].to))
    assert evening.live.series.totals == before.series.totals  # type: ignore[union-attr]
    assert evening.live.payments == before.payments
    assert game(evening.live) == game(before)


def test_a_deal_that_was_over_and_is_played_on_is_in_no_record() -> None:
    evening = alone("dtf", 3, 2)
    evening.play_on(1)
    assert deal_record(evening.log, 1)
    evening.do(HOST, Undo(table(evening).backs[-1].to))
    with pytest.raises(LookupError):
        deal_record(evening.log, 1)
    assert totals(evening.log) == []
    evening.play_on(1)
    assert deal_record(evening.log, 1)


def test_the_secret_of_the_next_deal_stays_the_one_that_was_committed_to() -> None:
    evening = alone("dtf", 3, 2)
    evening.play_on(1)
    for _ in range(3):
        evening.step()  # the server commits to the next cards
    evening.one_thing()  # and so does the page
    drawn = evening.live.shuffle
    assert drawn is not None
    assert (drawn.deal, len(drawn.shares)) == (2, 1)
    evening.do(HOST, Undo(table(evening).backs[-3].to))
    assert evening.live.shuffle is not None
    assert evening.live.shuffle.deal == 1
    assert evening.scene(HOST).fair.wanted is None  # type: ignore[union-attr]
    evening.do(HOST, Undo(table(evening).backs[-3].to))
    evening.play_on(1)
    for _ in range(3):
        evening.step()
    assert evening.live.shuffle == drawn
    evening.play_on(2)
    assert not proofs(evening.log, 2)[0][0].complaints()


def test_new_cards_are_the_same_when_they_are_dealt_again() -> None:
    """All pass, and the next deal follows in the same way; at a strict table a misdeal is dealt again."""
    evening, rng = alone("french4", 4, 8), Random(8)
    asked(evening)
    first = evening.live
    while evening.live.moment == "deal":
        decide_once(evening, rng)
    evening.do(HOST, Undo(len(first.events)))
    assert [event for event in evening.live.events if isinstance(event, Dealt)] == [
        event for event in first.events if isinstance(event, Dealt)
    ]


@pytest.mark.parametrize("book", ["dtf", "hermansen"])
def test_a_strict_table_can_be_taken_back(book: str) -> None:
    for seed in (2, 3, 4):
        evening, rng = alone(book, 3, seed, house=STRICT), Random(seed)
        evening.play_on(1)
        for _ in range(3):
            evening.do(HOST, Undo(rng.choice(table(evening).backs).to))
            evening.play_on(1)
        kept = session_record(evening.log)
        assert check(evening.live.rules, [entry.event for entry in kept.entries]) is not None


def test_taking_back_is_refused_to_whom_it_is_not_open() -> None:
    evening = Evening(Settings("dtf", 3, bots(3, 2), help="everyone"), 0, (HOST, "p1"))
    evening.do("p1", Sit(1))
    asked(evening)
    decide_once(evening, Random(0))
    own = next(one.at for one in evening.live.decided if one.seat == 0)
    refused(evening, HOST, Undo(own), "all others at the table are bots")
    refused(evening, "somebody", Undo(own), "seat")
    assert table(evening).backs == ()
    never = alone("dtf", 3, help="never")
    asked(never)
    decide_once(never, Random(0))
    refused(never, HOST, Undo(never.live.decided[0].at), "no hints or take-backs")
    other = alone("dtf", 3)
    refused(other, HOST, Undo(0), "cannot be taken back")
    asked(other)
    decide_once(other, Random(0))
    (only,) = [one.to for one in table(other).backs]
    for place in {*range(-2, len(other.live.events) + 3)} - {only}:
        refused(other, HOST, Undo(place), "cannot be taken back")
    assert table(other, None).backs == ()
    other.play_on(1)
    other.do(HOST, Ready())
    asked(other)
    refused(other, HOST, Undo(only), "cannot be taken back")  # that was another deal


def test_nothing_is_taken_back_once_the_game_is_over() -> None:
    evening = alone("dtf", 3, deals=1)
    evening.play_on(1)
    evening.end()
    assert table(evening).backs == ()
    refused(evening, HOST, Undo(evening.live.decided[0].at), "cannot be taken back")


def test_a_thought_from_before_is_refused() -> None:
    evening = alone("dtf", 3, 1)
    asked(evening)
    decide_once(evening, Random(1))
    turn = evening.scene(HOST).turn
    assert turn is not None
    evening.do(HOST, Act(answer(turn, evening.rng)))
    while not isinstance(think := due(evening.live, evening.now, {HOST: evening.now}, evening.secret), Think):
        evening.step()
    live = evening.live
    evening.do(HOST, Undo(table(evening).backs[-1].to))
    with pytest.raises(IllegalAction, match="moved on"):
        thought(evening.live, think, next(iter(think.choices)))
    assert evening.live.moves > live.moves


def test_what_the_table_or_a_bot_did_for_a_person_is_not_their_decision() -> None:
    evening = alone("dtf", 3, 3)
    evening.play_on(1)
    accepted = evening.live.events.index(HandAccepted(0))
    own = [one.at for one in evening.live.decided]
    assert accepted not in own
    assert len(own) > 20
    evening.do(HOST, Ready())
    asked(evening)
    place = len(evening.live.events)
    evening.put((StoodIn(0),))
    while len(evening.live.events) == place:
        evening.step()
    assert not any(one.at >= place for one in evening.live.decided)
    if own := [one.at for one in evening.live.decided]:
        evening.do(HOST, Undo(own[-1]))
        assert not evening.live.seats[0].stand_in


def test_a_claimed_rest_can_be_taken_back() -> None:
    for seed in range(60):
        evening = alone("dtf", 3, seed)
        while evening.live.moment != "between" or not evening.live.number:
            turn = evening.scene(HOST).turn
            if turn is not None and turn.rest:
                place = len(evening.live.events)
                evening.do(HOST, ClaimRest())
                assert evening.live.moment == "between"
                evening.do(HOST, Undo(place))
                assert evening.scene(HOST).turn == turn
                return
            evening.one_thing()
    raise AssertionError("nobody could claim the rest")


# --- what is shown ---------------------------------------------------------------------------------------


def test_own_decisions_are_told_with_their_trick() -> None:
    evening, rng = alone("french5", 5, "french511"), Random(11)
    asked(evening)
    while evening.live.moment == "deal":
        decide_once(evening, rng)
    texts = [one.text for one in table(evening).backs]
    tricks = [text for text in texts if text.startswith("Trick ")]
    assert len(tricks) >= 15
    assert tricks[4].startswith("Trick 5: ")
    assert len(texts) > len(tricks)
    assert all(evening.scene(HOST, language).table.backs for language in LANGUAGES)


def test_who_takes_back_is_told_to_all_in_every_language() -> None:
    evening = alone("dtf", 3, 2)
    evening.play_on(1)
    evening.do(HOST, SetHelp("everyone"))
    before = evening.live
    evening.do(HOST, Undo(table(evening).backs[-1].to))
    evening.play_on(1)
    evening.do(HOST, SetHelp("alone"))
    for language in LANGUAGES:
        assert told(before, evening, None, language).count(b"Ada") >= 2


@pytest.mark.parametrize(("book", "size"), GAMES)
def test_after_a_take_back_no_card_is_shown_that_was_not_seen_before_it(book: str, size: int) -> None:
    evening, rng = alone(book, size, f"secret{book}"), Random(3)
    family = rulebook.load(book).family
    asked(evening)
    seen: list[tuple[int, dict[tuple[str | None, str], set[str]]]] = []
    while evening.live.moment == "deal":
        seen.append((len(evening.live.events), _cards(evening, family)))
        decide_once(evening, rng)
    for place, cards in reversed(seen):
        evening.do(HOST, Undo(place))
        assert _cards(evening, family) == cards
        assert evening.scene(HOST).result is None


def _cards(evening: Evening, family: str) -> dict[tuple[str | None, str], set[str]]:
    """The cards that everybody is sent who comes now, in two languages."""
    return {
        (viewer, language): set(named(without_speech(wire(evening, viewer, language)), language, family))
        for viewer in (HOST, None)
        for language in ("en", "da")
    }


# --- playing on from a step --------------------------------------------------------------------------------


@pytest.mark.parametrize(("book", "size"), GAMES)
def test_a_deal_is_played_on_from_any_frame_of_its_replay(book: str, size: int) -> None:
    evening = alone(book, size, f"on{book}", deals=1)
    evening.play_on(1)
    frames, _ = replay(evening.log, 1, "en")
    rules, events = deal_events(evening.log, 1)
    made = list(decisions(rules, events))
    where = step_of(evening.log, 1)
    assert where(0) == 0
    assert where(len(events)) == len(frames)
    for decision in made[:: len(made) // 5]:
        step = where(decision.index) - 1
        cards = again(evening.log, 1, step)
        assert len(cards.moves) <= made.index(decision)
        second = Evening(evening.live.settings, 7, again=cards)
        while not second.live.dealings:
            second.one_thing()
        shown, frame = second.scene(HOST), frames[step].scene
        assert shown.trick == frame.trick
        assert [seat.cards for seat in shown.seats] == [seat.cards for seat in frame.seats]
        assert [seat.tricks for seat in shown.seats] == [seat.tricks for seat in frame.seats]
        assert len([one for one, _ in second.log if isinstance(one, Happened)]) >= len(cards.moves)
        second.play_on(1)
        second.end()
        kept = session_record(second.log)
        assert check(second.live.rules, [entry.event for entry in kept.entries]) is not None
    with pytest.raises(IllegalAction, match="the deal is over"):
        again(evening.log, 1, len(frames) - 1)
    with pytest.raises(IllegalAction, match="no such step"):
        again(evening.log, 1, len(frames))
    assert again(evening.log, 1).moves == ()
    assert again(evening.log, 1, 0).moves == ()


def test_a_step_of_the_replay_shows_what_a_decision_led_to() -> None:
    evening = alone("dtf", 3, 6)
    evening.play_on(1)
    frames, _ = replay(evening.log, 1, "en")
    rules, events = deal_events(evening.log, 1)
    where = step_of(evening.log, 1)
    for decision in decisions(rules, events):
        if isinstance(decision.action, Play):
            assert frames[where(decision.index)].story[0].card == decision.action.card.value


def test_a_log_with_what_was_taken_back_reads_as_it_was_written() -> None:
    fact = Undone(0, 12)
    assert msgspec.json.encode(fact) == b'{"type":"Undone","seat":0,"to":12}'
    old = b'{"cards":{"type":"Deal","hands":[]},"dealer":1,"out":null}'
    assert msgspec.json.decode(old, type=type(again_of())).moves == ()


def again_of() -> Any:
    evening = alone("dtf", 3, 6)
    evening.play_on(1)
    assert isinstance(evening.live.series, series.State)
    return again(evening.log, 1)
