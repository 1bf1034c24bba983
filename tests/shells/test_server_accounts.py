"""Guests, accounts and sessions on a real server."""

from __future__ import annotations

import sqlite3
from collections.abc import Iterator
from pathlib import Path

import pytest

from serving import AtTable, Serving, Visitor

pytestmark = pytest.mark.xdist_group("server_accounts")

PASSWORD = "a very long password"
LIMITS = {"ULTIMO_LOGIN_BURST": "500", "ULTIMO_REQUEST_BURST": "5000"}


@pytest.fixture(scope="module")
def server(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Serving]:
    with Serving(tmp_path_factory.mktemp("accounts") / "tables.db", env=LIMITS) as serving:
        yield serving


def came(server: Serving) -> Visitor:
    visitor = Visitor(server)
    visitor.enter()
    return visitor


def with_account(server: Serving, name: str) -> Visitor:
    visitor = came(server)
    assert visitor.post("/api/account", {"name": name, "password": PASSWORD}).status == 200
    return visitor


def logged_in(server: Serving, name: str, visitor: Visitor | None = None) -> Visitor:
    visitor = visitor or Visitor(server)
    assert visitor.post("/api/login", {"name": name, "password": PASSWORD}).status == 200
    return visitor


# --- sessions ------------------------------------------------------------------------------------------


def test_a_stranger_becomes_a_guest_and_stays_who_he_is(server: Serving) -> None:
    visitor = Visitor(server)
    first = visitor.post("/api/enter", {"language": "da"})
    assert first.json["guest"]
    assert first.json["language"] == "da"
    assert visitor.enter() == first.json
    assert came(server).enter()["id"] != first.json["id"]


def test_the_cookie_is_out_of_reach_for_scripts_and_other_sites(server: Serving) -> None:
    (cookie,) = [one for one in Visitor(server).post("/api/enter").cookies if one.startswith("ultimo=")]
    parts = {part.strip().lower() for part in cookie.split(";")[1:]}
    assert {"httponly", "samesite=lax", "path=/", "max-age=7776000"} <= parts
    assert "secure" not in parts  # this server speaks plain HTTP


def test_only_the_hash_of_a_token_is_kept(server: Serving) -> None:
    token = came_token(server)
    everything = "".join(
        str(row) for table in ("session", "player") for row in query(server, f"SELECT * FROM {table}")
    )
    assert len(token) >= 43  # 256 bits
    assert token not in everything
    assert token not in server.log


def came_token(server: Serving) -> str:
    return came(server).cookies["ultimo"]


def query(server: Serving, sql: str) -> list[tuple[object, ...]]:
    connection = sqlite3.connect(f"file:{Path(server.database)}?mode=ro", uri=True)
    try:
        return connection.execute(sql).fetchall()
    finally:
        connection.close()


@pytest.mark.parametrize("token", ["", "nonsense", "x" * 5000, "æøå"])
def test_an_unknown_token_makes_nobody_known(server: Serving, token: str) -> None:
    visitor = Visitor(server)
    visitor.cookies["ultimo"] = token.encode("ascii", "xmlcharrefreplace").decode()
    assert visitor.get("/api/history").status == 401
    assert visitor.post("/api/tables", {"settings": {"rules": "dtf", "size": 3, "seats": []}}).status == 401


def test_logging_out_ends_the_session_for_everybody_who_has_the_token(server: Serving) -> None:
    visitor = came(server)
    copied = Visitor(server)
    copied.cookies = dict(visitor.cookies)
    assert visitor.post("/api/logout").status == 204
    assert "ultimo" not in visitor.cookies
    assert copied.get("/api/history").status == 401


# --- names ---------------------------------------------------------------------------------------------


def test_who_has_another_name_speaks_under_it_at_once(server: Serving) -> None:
    visitor = came(server)
    with AtTable(visitor, visitor.open_table()) as page:
        visitor.ask("PATCH", "/api/me", {"name": "Renamed"})
        page.do({"type": "Say", "text": "good evening"})
        assert [said["name"] for said in page.scene["chat"]] == ["Renamed"]


def test_a_guest_can_have_another_name_and_language(server: Serving) -> None:
    visitor = came(server)
    changed = visitor.ask("PATCH", "/api/me", {"name": " Karen\t  B ", "language": "fr"})
    assert (changed.json["name"], changed.json["language"]) == ("Karen B", "fr")
    assert visitor.ask("PATCH", "/api/me", {"name": "  Karen   B"}).json["name"] == "Karen B"
    assert visitor.enter()["name"] == "Karen B"
    assert visitor.cookies["ultimo_language"] == "fr"


@pytest.mark.parametrize(
    "name",
    [
        "",
        "\x00\x01",
        "...",
        "\u3164\u3164",
        "Kar\u202een",
        "Ka\u200bren",
        "Admin",
        "H0st",
        "Оtter 12",
        "x" * 25,
        7,
    ],
)
def test_a_name_that_is_none_is_refused_at_its_field(server: Serving, name: object) -> None:
    answer = came(server).ask("PATCH", "/api/me", {"name": name})
    assert answer.status == 422
    assert answer.json["field"] == "name"


def test_nobody_takes_the_name_of_an_account(server: Serving) -> None:
    with_account(server, "Countess")
    other = came(server)
    for answer in (
        other.ask("PATCH", "/api/me", {"name": "countess"}),
        other.post("/api/account", {"name": "COUNTESS", "password": PASSWORD}),
    ):
        assert answer.status == 409
        assert answer.json["field"] == "name"


def test_an_account_that_is_renamed_is_logged_in_to_by_its_new_name(server: Serving) -> None:
    visitor = with_account(server, "Before")
    assert visitor.ask("PATCH", "/api/me", {"name": "After"}).status == 200
    assert Visitor(server).post("/api/login", {"name": "Before", "password": PASSWORD}).status == 403
    assert logged_in(server, "after").enter()["name"] == "After"


# --- accounts ------------------------------------------------------------------------------------------


def test_a_guest_becomes_an_account_and_gets_a_new_token(server: Serving) -> None:
    visitor = came(server)
    before, old = visitor.enter(), dict(visitor.cookies)
    table = visitor.open_table()
    made = visitor.post("/api/account", {"name": "Ada", "password": PASSWORD}).json
    assert made == {**before, "name": "Ada", "guest": False}
    assert [game["id"] for game in visitor.get("/api/history").json] == [table]
    stale = Visitor(server)
    stale.cookies = old
    assert stale.get("/api/history").status == 401
    assert visitor.post("/api/account", {"name": "Ada2", "password": PASSWORD}).status == 409


def test_a_guest_who_logs_in_brings_his_games_and_his_seat(server: Serving) -> None:
    with_account(server, "Niels")
    guest = came(server)
    table = guest.open_table()
    with AtTable(guest, table) as page:
        assert page.scene["you"] == 0
    logged_in(server, "niels", guest)
    assert [game["id"] for game in guest.get("/api/history").json] == [table]
    with AtTable(guest, table) as page:
        assert page.scene["you"] == 0
        page.play()
    assert logged_in(server, "Niels").get("/api/history").json[0]["deals"] == 1


def test_a_wrong_password_and_an_unknown_name_are_told_alike(server: Serving) -> None:
    with_account(server, "Known")
    wrong = Visitor(server).post("/api/login", {"name": "Known", "password": "not the password"})
    unknown = Visitor(server).post("/api/login", {"name": "Nobody", "password": "not the password"})
    assert (wrong.status, wrong.body) == (unknown.status, unknown.body) == (403, wrong.body)
    assert not wrong.cookies


def test_passwords_are_kept_hashed_and_never_logged(server: Serving) -> None:
    with_account(server, "Hash")
    (kept,) = query(server, "SELECT password FROM player WHERE name = 'Hash'")[0]
    assert str(kept).startswith("$argon2id$")
    assert PASSWORD not in server.log


@pytest.mark.parametrize("password", ["short", "", "x" * 201, 12345678])
def test_a_password_has_a_length(server: Serving, password: object) -> None:
    answer = came(server).post("/api/account", {"name": "Someone", "password": password})
    assert answer.status == 422
    assert answer.json["field"] == "password"


# --- deleting ------------------------------------------------------------------------------------------


def test_whoever_deletes_himself_leaves_only_his_cards(server: Serving) -> None:
    visitor = with_account(server, "Forgettable")
    table = visitor.open_table(public=True)
    with AtTable(visitor, table) as page:
        page.do({"type": "Say", "text": "remember these words"})
        page.play()
    assert visitor.ask("DELETE", "/api/me").status == 204
    assert visitor.get("/api/history").status == 401
    assert Visitor(server).post("/api/login", {"name": "Forgettable", "password": PASSWORD}).status == 403
    other = came(server)
    left = other.get(f"/api/tables/{table}/replay/1")
    assert left.status == 200
    assert b"Forgettable" not in left.body + other.get("/api/tables").body
    bodies = "".join(str(row) for row in query(server, "SELECT body FROM event"))
    assert "Forgettable" not in bodies
    assert "remember these words" not in bodies
    with AtTable(other, table) as page:
        assert "Forgettable" not in str(page.scene)
