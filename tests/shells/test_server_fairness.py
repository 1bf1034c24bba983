"""Fairness between people over real connections: words, crowds, hosts, commands, unshuffled packs."""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import ExitStack
from typing import Any

import msgspec
import pytest
from websockets.exceptions import ConnectionClosed

from serving import PATIENCE, AtTable, Serving, Visitor
from ultimo.table.live import key_of

NEVER = "0.001"  # tokens a second: none comes back within a test
LIMITS = {
    "ULTIMO_REQUEST_BURST": "5000",
    "ULTIMO_MESSAGE_BURST": "5000",
    "ULTIMO_TALK_BURST": "3",
    "ULTIMO_TALK_RATE": NEVER,
    "ULTIMO_SPECTATORS": "8",
    "ULTIMO_SPECTATOR_BURST": "4",
    "ULTIMO_SPECTATOR_RATE": NEVER,
    "ULTIMO_TABLE_SOCKETS": "2",
}
TOGETHER: dict[str, Any] = {"seats": [{"kind": "host"}, {"kind": "open"}, {"kind": "bot"}]}
SAME = "the-same-id"


@pytest.fixture(scope="module")
def server(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Serving]:
    with Serving(tmp_path_factory.mktemp("fairness") / "tables.db", env=LIMITS) as serving:
        yield serving


@pytest.fixture
def host(server: Serving) -> Visitor:
    return entered(server)


def entered(server: Serving) -> Visitor:
    visitor = Visitor(server)
    visitor.enter()
    return visitor


def say(page: AtTable, text: str = "Hello") -> dict[str, Any]:
    return page.do({"type": "Say", "text": text})


def lives(page: AtTable) -> bool:
    """Whether the page is still connected."""
    page.send({"type": "ping"})
    while (heard := page.hear()["type"]) not in ("pong", "goodbye"):
        pass
    return bool(heard == "pong")


def turned_away(visitor: Visitor, table: str) -> tuple[str, int]:
    """Why somebody may not watch a table, and the code with which the socket is closed."""
    with visitor.watch(table) as socket:
        said = msgspec.json.decode(socket.recv(PATIENCE))
        assert said["type"] == "goodbye"
        assert not said["again"]
        with pytest.raises(ConnectionClosed) as closed:
            socket.recv(PATIENCE)
    assert closed.value.rcvd is not None
    return said["reason"], closed.value.rcvd.code


# --- words and crowds ----------------------------------------------------------------------------------


def test_who_talks_too_fast_is_told_so_and_stays(server: Serving, host: Visitor) -> None:
    table = host.open_table(**TOGETHER)
    with AtTable(host, table) as page, AtTable(host, table, seed=2) as other:
        assert [say(page)["type"] for _ in range(3)] == ["done"] * 3
        refused = say(other), say(page)
        assert {one["type"] for one in refused} == {"refused"}, "all windows of a person share one limit"
        assert refused[0]["reason"].startswith("You are writing too fast.")
        assert lives(page)
        assert page.do({"type": "Start"})["type"] == "done", "what is no talk is not limited with it"


def test_all_who_watch_a_table_share_a_limit_and_seats_do_not(server: Serving, host: Visitor) -> None:
    table = host.open_table(**TOGETHER)
    with ExitStack() as stack:
        crowd = [stack.enter_context(AtTable(entered(server), table, seed=seed)) for seed in range(3)]
        seat = stack.enter_context(AtTable(host, table))
        answers = [say(one) for _ in range(2) for one in crowd]
        assert [one["type"] for one in answers] == ["done"] * 4 + ["refused"] * 2
        assert answers[-1]["reason"].startswith("Too many people")
        assert all(lives(one) for one in crowd)
        crowd[0].send({"type": "resync"})
        assert say(seat)["type"] == "done"
        while crowd[0].hear()["type"] != "full":
            pass  # everything comes again, only later


def test_a_table_lets_in_so_many_spectators_and_windows(server: Serving, host: Visitor) -> None:
    table = host.open_table(**TOGETHER)
    with ExitStack() as stack:
        crowd = [entered(server) for _ in range(4)]
        for one in crowd:
            stack.enter_context(AtTable(one, table))
        reason, code = turned_away(entered(server), table)
        assert (reason.partition(" are")[0], code) == ("4 people on your connection", 4429)
        stack.enter_context(AtTable(host, table))
        stack.enter_context(AtTable(host, table))
        reason, code = turned_away(host, table)
        assert reason.startswith("You have this table open 2 times already.")
        assert code == 4429


# --- what the host does about others -------------------------------------------------------------------


def test_a_muted_person_is_told_so_and_a_removed_one_does_not_come_back(
    server: Serving, host: Visitor
) -> None:
    table, loud = host.open_table(**TOGETHER), Visitor(server)
    who = key_of(table, loud.enter()["id"])
    with AtTable(host, table) as page, AtTable(loud, table) as spectator:
        say(spectator, "Play faster!")
        while not page.scene["people"]:
            page.hear()
        assert [one["who"] for one in page.scene["people"]] == [who]
        assert page.do({"type": "Mute", "who": who, "muted": True})["type"] == "done"
        while not spectator.scene["muted"]:
            spectator.hear()
        assert say(spectator)["reason"] == "the host has muted you at this table"
        assert page.do({"type": "Remove", "who": who})["type"] == "done"
        while (last := spectator.hear())["type"] != "goodbye":
            pass
        assert last["reason"] == "The host has removed you from this table."
        assert not last["again"]
    assert turned_away(loud, table) == ("The host has removed you from this table.", 4403)
    with AtTable(host, table) as page:
        assert page.scene["people"] == [], "the host comes from the same address, and may"


# --- commands ------------------------------------------------------------------------------------------


def test_the_command_of_another_is_not_answered_for_them(server: Serving, host: Visitor) -> None:
    table, other = host.open_table(**TOGETHER), entered(server)
    with AtTable(host, table) as page, AtTable(other, table) as stranger:
        assert page.do({"type": "Say", "text": "mine"}, SAME)["type"] == "done"
        assert stranger.do({"type": "Start"}, SAME)["type"] == "refused"
        done = page.do({"type": "Say", "text": "mine"}, SAME)
        assert done["type"] == "done"
        assert len(page.scene["chat"]) == 1


def test_nor_is_a_command_on_the_score_sheet_of_another(server: Serving, host: Visitor) -> None:
    wish = {"rules": "dtf", "names": ["Ada", "Bo", "Cleo"]}
    sheet = host.post("/api/sheets", wish).json["id"]
    note = {"cmd": SAME, "base": 1, "wish": {"type": "CloseSheet"}}
    assert host.post(f"/api/sheets/{sheet}", note).status == 200
    assert host.post(f"/api/sheets/{sheet}", note).status == 200
    assert entered(server).post(f"/api/sheets/{sheet}", note).status == 403


# --- a pack that is only cut ---------------------------------------------------------------------------


def test_where_the_pack_is_only_cut_nothing_tells_its_cards_before_the_end(
    server: Serving, host: Visitor
) -> None:
    table = host.open_table("french4", 4, house={"deal.shuffle": "never"}, deals=2)
    paths = ("record?form=jsonl", "record?deal=1", "replay/1", "fair/1", "review/1", "position/1/1")
    with AtTable(host, table) as page:
        page.play(1)
        answers = [host.get(f"/api/tables/{table}/{path}") for path in paths]
        answers.append(host.post(f"/api/tables/{table}/again", {"deal": 1}))
        assert {one.status for one in answers} == {409}
        assert {one.json["error"].partition(",")[0] for one in answers} == {
            "At this table the cards are not shuffled between deals"
        }
        assert not page.scene["result"]["hands"]
        assert host.get(f"/api/tables/{table}/ledger").status == 200, "what was paid is no secret"
        page.play(2)
        while page.scene["moment"] != "over":
            page.hear()
    assert host.get(f"/api/tables/{table}/record?form=jsonl").status == 200
    assert host.get(f"/api/tables/{table}/replay/1").status == 200
