"""What a host may do about people at a table, and what is not told of a pack that is only cut."""

from __future__ import annotations

import msgspec
import pytest

from live import HOST, Evening, bots
from ultimo.events import IllegalAction
from ultimo.table import Fact, PlayerId, Settings, forget, replay, story
from ultimo.table.facts import NOBODY, AddressBarred, SpectatorRemoved
from ultimo.table.live import key_of
from ultimo.table.messages import Mute, Remove, Say, Sit, Stand, Start, TakeSeat, Wish

TOGETHER = Settings("dtf", 3, bots(3, people=2), tempo="instant", deals=1)


@pytest.fixture
def evening() -> Evening:
    """The host and p1 have seats, and p2 has said something."""
    together = Evening(TOGETHER, people=(HOST, "p1"))
    together.host_starts = False
    together.do("p1", Sit(1))
    together.do("p2", Say("Hello"))
    return together


def key(player: PlayerId) -> str:
    return key_of("table1", player)


def refused(evening: Evening, player: PlayerId, wish: Wish) -> str:
    with pytest.raises(IllegalAction) as refusal:
        evening.do(player, wish)
    return refusal.value.reason


def told(evening: Evening, before: int) -> list[str]:
    """What a spectator is told of the facts since there were so many."""
    start = Evening(TOGETHER)
    start.live = None  # type: ignore[assignment]
    start.put(tuple(fact for fact, _ in evening.log[:before]))
    return [one.text for one in story(start.live, evening.log[before:], None, "en")]


def test_who_is_muted_is_heard_no_more_until_the_host_says_so(evening: Evening) -> None:
    for player in ("p1", "p2"):
        evening.do(HOST, Mute(key(player), True))
        assert evening.scene(player).muted
        assert "mute" in refused(evening, player, Say("Can you hear me?"))
        evening.do(HOST, Mute(key(player), False))
        assert not evening.scene(player).muted
        evening.do(player, Say("Thank you"))
    assert [line.text for line in evening.scene(None).chat] == ["Hello", "Thank you", "Thank you"]


def test_everybody_is_told_whom_the_host_mutes_and_removes(evening: Evening) -> None:
    before = len(evening.log)
    evening.do(HOST, Mute(key("p1"), True))
    evening.do(HOST, Mute(key("p1"), False))
    evening.do(HOST, Remove(key("p2")))
    evening.do(HOST, TakeSeat(key("p1")))
    assert told(evening, before) == [
        "p1 has been muted",
        "p1 can write again",
        "p2 has been removed from the table",
        "The host takes the seat of p1 away",
    ]


def test_only_the_host_is_shown_whom_something_can_be_done_about(evening: Evening) -> None:
    shown = evening.scene(HOST).people
    assert {(one.name, one.seat, one.muted) for one in shown} == {("p1", 1, False), ("p2", None, False)}
    assert {one.who for one in shown} == {key("p1"), key("p2")}
    assert evening.scene("p1").people == evening.scene("p2").people == ()
    assert [line.who for line in evening.scene(None).chat] == [key("p2")]
    assert key_of("table2", "p2") != key("p2"), "nobody is known again at another table"


@pytest.mark.parametrize("wish", [Mute(key("p2"), True), Remove(key("p2")), TakeSeat(key("p1"))])
def test_nobody_but_the_host_does_anything_about_others(evening: Evening, wish: Wish) -> None:
    assert "host" in refused(evening, "p1", wish)
    assert "host" in refused(evening, "p2", wish)


def test_a_host_does_nothing_about_themselves_nor_who_leads_about_the_host(evening: Evening) -> None:
    assert refused(evening, HOST, TakeSeat(key(HOST)))
    evening.do(HOST, Say("I only watch"))
    evening.do(HOST, Stand())
    assert evening.scene("p1").people, "who sits there first leads now"
    for wish in (Mute(key(HOST), True), Remove(key(HOST))):
        assert refused(evening, "p1", wish)


def test_what_is_so_already_is_refused(evening: Evening) -> None:
    assert "not muted" in refused(evening, HOST, Mute(key("p1"), False))
    evening.do(HOST, Mute(key("p1"), True))
    assert "already" in refused(evening, HOST, Mute(key("p1"), True))
    assert "seat" in refused(evening, HOST, Remove(key("p1")))
    assert "no seat" in refused(evening, HOST, TakeSeat(key("p2")))
    assert "no longer here" in refused(evening, HOST, Remove(key("p3")))


def test_who_is_removed_does_nothing_at_this_table_any_more(evening: Evening) -> None:
    evening.do(HOST, Remove(key("p2")))
    for wish in (Say("But"), Sit(2)):
        assert "removed" in refused(evening, "p2", wish)
    assert "no longer here" in refused(evening, HOST, Remove(key("p2")))


def test_a_seat_that_is_taken_away_is_free_before_the_game_but_not_for_the_same_person(
    evening: Evening,
) -> None:
    evening.do(HOST, TakeSeat(key("p1")))
    assert evening.live.seats[1].kind == "open"
    assert key("p1") in {one.who for one in evening.scene(HOST).people}, "who has not said a word"
    assert "seat away" in refused(evening, "p1", Sit(1))
    evening.do("p3", Sit(1))


def test_in_play_a_bot_has_the_seat_that_is_taken_away(evening: Evening) -> None:
    evening.do(HOST, Start())
    evening.settle_down()
    evening.do(HOST, TakeSeat(key("p1")))
    assert evening.live.seats[1].kind == "bot"
    assert evening.scene("p1").you is None
    evening.play_on(1)


def test_the_names_of_those_who_are_forgotten_are_gone_from_what_the_host_did() -> None:
    for fact, forgotten in (
        (SpectatorRemoved("p2", "Bo"), SpectatorRemoved("p2", NOBODY)),
        (AddressBarred("p2", "abc"), AddressBarred("p2", NOBODY)),
    ):
        assert forget([fact], ["p2"]) == [forgotten]
        assert msgspec.json.decode(msgspec.json.encode(fact), type=Fact) == fact


def test_where_the_pack_is_only_cut_the_cards_of_a_deal_are_told_when_the_session_is_over() -> None:
    settings = Settings("french4", 4, bots(4), house={"deal.shuffle": "never"}, tempo="instant", deals=2)
    evening = Evening(settings, seed=1)
    evening.play_on(1)
    for viewer in (HOST, None):
        shown = evening.scene(viewer).result
        assert shown is not None
        assert not shown.hands
        assert not shown.piles
        assert shown.rows, "what is paid is told"
    last, _ = replay(evening.log, 1, "en")
    assert last[-1].scene.result is None or last[-1].scene.result.hands, "a replay shows all"
    evening.play_on(2)
    evening.end()
    shown = evening.scene(HOST).result
    assert shown is not None
    assert shown.hands
