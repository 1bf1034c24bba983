"""Log-outs, passwords and deletions on a real server: what ends, what is gone, and what stays."""

from __future__ import annotations

import http.client
import sqlite3
from collections.abc import Iterator
from itertools import count
from pathlib import Path
from typing import Any

import msgspec
import pytest
from websockets.exceptions import ConnectionClosed

from serving import PATIENCE, AtTable, Serving, Visitor

pytestmark = pytest.mark.xdist_group("server_accounts")

PASSWORD = "a very long password"
OTHER = "another long password"
LIMITS = {"ULTIMO_LOGIN_BURST": "500", "ULTIMO_REQUEST_BURST": "5000"}


@pytest.fixture(scope="module")
def server(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Serving]:
    with Serving(tmp_path_factory.mktemp("deletion") / "tables.db", env=LIMITS) as serving:
        yield serving


def came(server: Serving, name: str = "") -> Visitor:
    visitor = Visitor(server)
    visitor.enter()
    if name:
        assert visitor.ask("PATCH", "/api/me", {"name": name}).status == 200
    return visitor


def with_account(server: Serving, name: str) -> Visitor:
    visitor = came(server)
    assert visitor.post("/api/account", {"name": name, "password": PASSWORD}).status == 200
    return visitor


def logged_in(
    server: Serving, name: str, visitor: Visitor | None = None, password: str = PASSWORD
) -> Visitor:
    visitor = visitor or Visitor(server)
    assert visitor.post("/api/login", {"name": name, "password": password}).status == 200
    return visitor


_pages = count(2)


def at(visitor: Visitor, table: str) -> AtTable:
    """A page at a table, whose commands are no other page's."""
    return AtTable(visitor, table, next(_pages))


def goodbye(page: AtTable) -> dict[str, Any]:
    """What an open page is told at last, without having asked for anything."""
    while (message := page.hear())["type"] != "goodbye":
        pass
    with pytest.raises(ConnectionClosed):
        page.socket.recv(PATIENCE)
    return message


def written(server: Serving) -> bytes:
    """Every byte of the database's files."""
    return b"".join(path.read_bytes() for path in Path(server.database).parent.glob("tables.db*"))


def rows(server: Serving, sql: str) -> str:
    connection = sqlite3.connect(f"file:{Path(server.database)}?mode=ro", uri=True)
    try:
        return str(connection.execute(sql).fetchall())
    finally:
        connection.close()


def together(host: Visitor, *others: Visitor) -> str:
    """A public table at which these people sit, with a bot if there are only two."""
    seats = [{"kind": "host"}, *[{"kind": "open"}] * len(others)]
    seats += [{"kind": "bot", "level": "random"}] * (3 - len(seats))
    table = host.open_table(seats=seats, public=True)
    for seat, other in enumerate(others, 1):
        with at(other, table) as page:
            assert page.do({"type": "Sit", "seat": seat})["type"] == "done"
    return table


# --- logging out -----------------------------------------------------------------------------------------


def test_who_logs_out_is_sent_away_from_every_table_that_is_open(server: Serving) -> None:
    """The page is told to come again, and comes as whoever has its cookie now."""
    visitor = came(server)
    with at(visitor, visitor.open_table()) as one, at(visitor, visitor.open_table()) as two:
        assert visitor.post("/api/logout").status == 204
        assert [goodbye(page)["again"] for page in (one, two)] == [True, True]


def test_who_logs_out_everywhere_is_logged_out_everywhere(server: Serving) -> None:
    at_home = with_account(server, "Everywhere")
    on_the_phone, neighbour = logged_in(server, "Everywhere"), came(server)
    table = on_the_phone.open_table()
    with at(on_the_phone, table) as page, at(neighbour, table) as watching:
        assert at_home.post("/api/logout", {"everywhere": True}).status == 204
        goodbye(page)
        assert watching.do({"type": "Say", "text": "still here"})["type"] == "done"
    assert [one.get("/api/history").status for one in (at_home, on_the_phone, neighbour)] == [401, 401, 200]
    logged_in(server, "Everywhere")


def test_another_password_ends_all_other_sessions(server: Serving) -> None:
    visitor = with_account(server, "Careful")
    thief, old = logged_in(server, "Careful"), dict(visitor.cookies)
    table = thief.open_table()
    with at(thief, table) as page:
        refused = visitor.post("/api/password", {"old": "not the password", "new": OTHER})
        assert (refused.status, refused.json["field"]) == (403, "old")
        refused = visitor.post("/api/password", {"old": PASSWORD, "new": "careful1"})
        assert (refused.status, refused.json["field"]) == (422, "new")
        assert thief.get("/api/history").status == 200  # nothing has happened yet
        assert visitor.post("/api/password", {"old": PASSWORD, "new": OTHER}).status == 200
        goodbye(page)
    assert thief.get("/api/history").status == 401
    assert visitor.get("/api/history").status == 200
    assert visitor.cookies["ultimo"] != old["ultimo"]
    stale = Visitor(server)
    stale.cookies = old
    assert stale.get("/api/history").status == 401
    assert Visitor(server).post("/api/login", {"name": "Careful", "password": PASSWORD}).status == 403
    logged_in(server, "Careful", password=OTHER)


def test_an_open_page_comes_again_as_the_account_that_its_guest_has_become(server: Serving) -> None:
    visitor = came(server)
    table = visitor.open_table()
    with at(visitor, table) as page:
        made = visitor.post("/api/account", {"name": "Grown Up", "password": PASSWORD})
        assert made.status == 200
        assert goodbye(page)["again"]  # only now, when the browser has the new token
    with at(visitor, table) as page:
        assert page.scene["you"] == 0


def test_a_guest_has_no_password_to_change(server: Serving) -> None:
    assert came(server).post("/api/password", {"old": PASSWORD, "new": OTHER}).status == 409


def test_what_follows_a_club_ends_with_the_session(server: Serving) -> None:
    visitor = with_account(server, "Member")
    club = visitor.post("/api/clubs", {"name": "Ours"}).json["id"]
    connection = http.client.HTTPConnection("127.0.0.1", server.port, timeout=PATIENCE)
    try:
        connection.request("GET", f"/api/clubs/{club}/follow", headers={"Cookie": visitor.cookie})
        lines = connection.getresponse()
        assert msgspec.json.decode(lines.readline())["seq"] > 0
        visitor.post("/api/logout")
        assert lines.read() == b""  # it is over
    finally:
        connection.close()


# --- passwords that are tried ----------------------------------------------------------------------------


def test_a_browser_that_has_logged_in_is_known_again_and_others_are_not(server: Serving) -> None:
    visitor = with_account(server, "Remembered")
    token = visitor.cookies["ultimo_device"]
    visitor.post("/api/logout")
    assert visitor.cookies["ultimo_device"] == token
    kept = rows(server, "SELECT token_hash FROM device")
    assert token not in kept
    logged_in(server, "Remembered", visitor)
    assert visitor.cookies["ultimo_device"] != token
    assert Visitor(server).post("/api/login", {"name": "Remembered", "password": OTHER}).status == 403


# --- names -----------------------------------------------------------------------------------------------


def test_nobody_takes_a_name_that_looks_like_the_name_of_an_account(server: Serving) -> None:
    with_account(server, "Countess Ida")
    other = came(server)
    for name in ("Cоuntess Ida", "Countess lda", "COUNTESS IDA", "countessida"):
        for answer in (
            other.ask("PATCH", "/api/me", {"name": name}),
            other.post("/api/account", {"name": name, "password": PASSWORD}),
        ):
            assert (answer.status, answer.json["field"]) == (409, "name"), name
    renamed = with_account(server, "Count Ole")
    assert renamed.ask("PATCH", "/api/me", {"name": "Countess 1da"}).status == 409
    assert renamed.ask("PATCH", "/api/me", {"name": "Count OIe"}).status == 200  # like one's own
    logged_in(server, "count oie")
    assert other.ask("PATCH", "/api/me", {"name": "Count Ole"}).status == 409


def test_no_two_at_a_table_have_names_that_look_alike(server: Serving) -> None:
    host, twin = came(server, "Freja"), came(server, "Frеja")
    seats = [{"kind": "host"}, {"kind": "open"}, {"kind": "bot", "level": "random"}]
    with at(twin, host.open_table(seats=seats)) as page:
        for wish in ({"type": "Sit", "seat": 1}, {"type": "Say", "text": "it is I, Freja"}):
            answer = page.do(wish)
            assert (answer["type"], "Freja" in str(answer)) == ("refused", True), answer


# --- deleting --------------------------------------------------------------------------------------------


def test_who_is_deleted_is_sent_away_and_leaves_nothing_in_the_files(server: Serving) -> None:
    """The guest that one was before, too."""
    with_account(server, "Zacharias")
    guest = came(server, "Balthazar")
    host = came(server, "Melchior")
    table = together(host, guest)
    with at(guest, table) as page:
        page.do({"type": "Say", "text": "frankincense and myrrh"})
    visitor = logged_in(server, "Zacharias", guest)
    sheet = host.post("/api/sheets", {"rules": "dtf", "names": ["A", "B", "C"]}).json["id"]
    secret = host.post(f"/api/sheets/{sheet}/pen").json["secret"]
    assert visitor.post(f"/api/sheets/{sheet}/pen", {"secret": secret}).status == 200
    noted = {
        "cmd": "notation",
        "base": 2,
        "wish": {"type": "NoteDeal", "deal": 0, "text": "gold for everybody"},
    }
    answer = visitor.post(f"/api/sheets/{sheet}", noted)
    assert answer.status == 200, answer
    with at(host, table) as other, at(visitor, table) as page:
        other.do({"type": "Start"})
        page.do({"type": "Say", "text": "once more: myrrh"})
        before = written(server)
        names = (b"Zacharias", b"zacharias", b"Balthazar")
        secrets = (*names, b"myrrh", b"frankincense", b"gold for everybody")
        assert all(one in before for one in secrets)
        assert visitor.ask("DELETE", "/api/me").status == 204
        goodbye(page)
        while "Balthazar" in str(other.scene) or "myrrh" in str(other.scene):
            other.hear()
        assert "Melchior" in str(other.scene)
    after = written(server)
    assert [one for one in secrets if one in after] == []
    assert b"Melchior" in after
    assert "ultimo_device" not in visitor.cookies


def test_what_is_others_stays_theirs(server: Serving) -> None:
    """Others with the same name, who sat on the same chair, or who have spoken of somebody."""
    first, second, third = came(server, "Ragnhild"), came(server, "Ragnhild"), came(server, "Sigurd")
    other = together(second, third)
    table = together(third, first)
    with at(first, table) as page:
        assert page.do({"type": "Say", "text": "I go"})["type"] == "done"
        assert page.do({"type": "Stand"})["type"] == "done"
    with at(second, table) as page, at(third, table) as host:
        assert page.do({"type": "Sit", "seat": 1})["type"] == "done"
        page.do({"type": "Say", "text": "Goodbye, Ragnhild"})
        assert host.do({"type": "Start"})["type"] == "done"
        assert first.ask("DELETE", "/api/me").status == 204
        while "I go" in str(host.scene["chat"]):
            host.hear()
        assert [seat["name"] for seat in host.scene["seats"]][:2] == ["Sigurd", "Ragnhild"]
        assert [said["text"] for said in host.scene["chat"]] == ["–", "Goodbye, Ragnhild"]
        assert [said["name"] for said in host.scene["chat"]] == ["–", "Ragnhild"]
    assert third.get(f"/api/tables/{other}").json["seats"][0]["name"] == "Ragnhild"
    assert second.enter()["name"] == "Ragnhild"


def test_no_list_no_preview_and_no_record_names_who_is_deleted(server: Serving) -> None:
    host, visitor = came(server, "Hostess"), with_account(server, "Unforgotten")
    table = together(host, visitor)
    paths = ("/api/tables", f"/api/tables/{table}", f"/t/{table}", "/api/history")
    assert b"Unforgotten" in b"".join(host.get(path).body for path in paths)
    assert visitor.ask("DELETE", "/api/me").status == 204
    for path in paths:
        assert b"Unforgotten" not in host.get(path).body, path
    assert "Unforgotten" not in rows(server, "SELECT * FROM player") + rows(server, "SELECT * FROM game")


def test_a_deletion_that_was_cut_short_is_finished_at_the_next_start(tmp_path: Path) -> None:
    """As if the server had died after the first step."""
    with Serving(tmp_path / "tables.db") as server:
        visitor = came(server, "Cut Short")
        visitor.open_table()
        me = visitor.enter()["id"]
        server.stop()
        connection = sqlite3.connect(server.database)
        with connection:
            connection.execute("UPDATE player SET deleted_at = 1, name = '–' WHERE id = ?", (me,))
        connection.close()
        server.start()
        assert visitor.get("/api/history").status == 401
        assert b"Cut Short" not in written(server)
        assert rows(server, "SELECT count(*) FROM player WHERE erased_at IS NULL") == "[(0,)]"
