"""Whatever opens something travels in a cookie, a body or a header, never in an address or a log line."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping
from typing import Any

import pytest
from websockets.sync.client import connect
from websockets.typing import Origin

from serving import PATIENCE, Answer, Serving, Visitor
from ultimo.server.house import COOKIE, DEVICE
from ultimo.server.schema import metadata

pytestmark = pytest.mark.xdist_group("server_secrets")

PASSWORD = "seven green umbrellas"
WRONG = "seven grey umbrellas"
SHEET = {"rules": "dtf", "names": ["Karen", "Bo", "Ida"]}
TOURNAMENT = {"name": "DM", "rules": "dtf", "rounds": 2, "deals": 12}


class Recorded(Visitor):
    """Somebody of whose requests a proxy writes down the addresses."""

    def __init__(self, server: Serving, addresses: list[str]) -> None:
        super().__init__(server)
        self.addresses = addresses
        self.enter()

    def ask(
        self,
        method: str,
        path: str,
        body: Any = None,
        headers: Mapping[str, str] | None = None,
        data: bytes | None = None,
    ) -> Answer:
        """Send a request."""
        self.addresses.append(path)
        return super().ask(method, path, body, headers, data)


Kind = Callable[[Recorded, Recorded], str]  # makes a secret, lets another use it and fail with it


def session(one: Recorded, _: Recorded) -> str:
    assert one.get("/api/history").status == 200
    return one.cookies[COOKIE]


def password(one: Recorded, other: Recorded) -> str:
    assert one.post("/api/account", {"name": "Karen Frost", "password": PASSWORD}).status == 200
    assert other.post("/api/login", {"name": "Karen Frost", "password": WRONG}).status == 403
    assert other.post("/api/login", {"name": "Karen Frost", "password": PASSWORD}).status == 200
    return PASSWORD


def device(one: Recorded, _: Recorded) -> str:
    assert one.post("/api/account", {"name": "Ida Holm", "password": PASSWORD}).status == 200
    assert one.post("/api/login", {"name": "Ida Holm", "password": PASSWORD}).status == 200
    return one.cookies[DEVICE]


def pen(one: Recorded, other: Recorded) -> str:
    sheet = one.post("/api/sheets", SHEET).json["id"]
    secret: str = one.post(f"/api/sheets/{sheet}/pen").json["secret"]
    assert other.post(f"/api/sheets/{sheet}/pen", {"secret": secret}).status == 200
    assert one.post(f"/api/sheets/{sheet}/pen", {"secret": secret}).status == 403
    return secret


def scorer(one: Recorded, other: Recorded) -> str:
    key = one.post("/api/tournaments", TOURNAMENT).json["id"]
    secret: str = one.post(f"/api/tournaments/{key}/scorers").json["secret"]
    assert other.post(f"/api/tournaments/{key}/scorers", {"secret": secret}).status == 200
    return secret


def invitation(one: Recorded, other: Recorded) -> str:
    club = one.post("/api/clubs", {"name": "Tarokklubben", "me": "Karen"}).json["id"]
    secret: str = one.post(f"/api/clubs/{club}/invitations", {"role": "scorer"}).json["secret"]
    assert other.post("/api/clubs/invitation", {"secret": secret}).json["club"] == club
    link = Visitor.ask(other, "GET", f"/clubs/join/{secret}")  # as links were once
    assert (link.status, link.headers.get("location")) == (302, f"/clubs/join#invitation={secret}")
    assert other.post("/api/clubs/join", {"secret": secret, "name": "Bo"}).status == 201
    assert one.post("/api/clubs/join", {"secret": f"{secret}x", "name": "Bo"}).status == 404
    for path in (f"/api/clubs/join/{secret}", f"/clubs/join/{secret}/more", f"/api/none/{secret}"):
        for method in ("GET", "POST", "DELETE", "PUT"):
            assert Visitor.ask(other, method, path, {}).status in (200, 404, 405, 503)
    return secret


def recovery(one: Recorded, other: Recorded) -> str:
    club = one.post("/api/clubs", {"name": "Tarokklubben", "me": "Karen"}).json["id"]
    secret: str = one.post(f"/api/clubs/{club}/recovery").json["secret"]
    assert other.post("/api/clubs/invitation", {"secret": secret}).json["club"] == club
    assert other.post("/api/clubs/join", {"secret": secret}).status == 201
    return secret


def program(one: Recorded, _: Recorded) -> str:
    table = one.open_table(seats=[{"kind": "host"}, {"kind": "open"}, {"kind": "open"}])
    token: str = one.post(f"/api/tables/{table}/bots", {"seat": 1, "name": "Owl"}).json["token"]
    address, origin = one.server.url.replace("http", "ws", 1), Origin(one.server.url)
    for given, told in ((token, "told"), (f"{token}x", "goodbye")):
        header = {"Authorization": f"Bearer {given}"}
        with connect(f"{address}/ws/{table}", origin=origin, additional_headers=header, proxy=None) as socket:
            assert told in str(socket.recv(PATIENCE))
    return token


KINDS: dict[str, Kind] = {  # by the column in which the hash of each stands, and for what
    "session.token_hash": session,
    "player.password": password,
    "device.token_hash": device,
    "sheet.handing": pen,
    "tournament.inviting": scorer,
    "club_invitation.hash": invitation,
    "club_invitation.hash for recovery": recovery,
    "program.token_hash": program,
}


@pytest.fixture(scope="module")
def server(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Serving]:
    folder = tmp_path_factory.mktemp("secrets")
    with Serving(folder / "tables.db", 0, {"ULTIMO_LOG_LEVEL": "debug"}) as serving:
        yield serving


def test_every_kind_of_secret_is_listed_here() -> None:
    names = ("hash", "handing", "inviting", "password", "secret", "token", "recovery")
    columns = (column for table in metadata.sorted_tables for column in table.columns)
    found = {f"{one.table.name}.{one.name}" for one in columns if one.name.split("_")[-1] in names}
    assert found == {name.split()[0] for name in KINDS}


def test_no_secret_stands_in_an_address_a_log_line_or_a_metric(server: Serving) -> None:
    addresses = list[str]()
    secrets = {name: make(*(Recorded(server, addresses) for _ in "ab")) for name, make in KINDS.items()}
    last = Recorded(server, addresses)
    asked = last.get("/metrics")
    server.logged("request", request=asked.headers["x-request-id"])
    places = {"an address": "\n".join(addresses), "the log": server.log, "a metric": asked.body.decode()}
    for name, secret in {**secrets, "wrong": WRONG}.items():
        assert len(secret) > 15
        found = [place for place, text in places.items() if secret in text]
        assert not found, (name, found)


def test_a_log_line_names_the_route_and_not_the_path(server: Serving) -> None:
    one = Visitor(server)
    for method, path, route in (
        ("GET", "/api/tables/abc", "/api/tables/{table}"),
        ("DELETE", "/api/puzzles/abc", "/api/{path}"),  # no such method
        ("POST", "/clubs/abc", "/{path}"),
        ("GET", "/api/none/abc", "/api/{path}"),
        ("GET", "/clubs/join/abc", "/clubs/join/{secret}"),
        ("GET", "/clubs/abc", "/{path}"),
    ):
        for headers in ({}, {"Host": "elsewhere.example"}):  # the second is refused before it is routed
            answer = one.ask(method, path, headers=headers)
            line = server.logged("request", request=answer.headers["x-request-id"])
            assert line["route"] == route
            assert "path" not in line
            if answer.status == 421:
                refused = server.logged("refused", request=answer.headers["x-request-id"])
                assert refused["route"] == route
