"""Each limit of what is kept holds for requests at the same moment, on either database."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from concurrent.futures import ThreadPoolExecutor
from dataclasses import fields
from itertools import count
from threading import Barrier
from typing import Any

import pytest

import postgres
from serving import Answer, Serving, Visitor
from ultimo.server.app import by_day
from ultimo.server.club_asking import MOST_INVITATIONS
from ultimo.server.settings import Config

pytestmark = pytest.mark.xdist_group("limits_at_once")

AT_ONCE = 12
MOST = 3
LIMITS = ("tables", "bot_tables", "experts", "sheets", "clubs", "tournaments")
FEW = {f"ULTIMO_OWN_{name.upper()}": str(MOST) for name in LIMITS} | {
    "ULTIMO_PROXIES": "127.0.0.1",
    "ULTIMO_DAY_GUESTS": str(MOST),
    "ULTIMO_OWN_STREAMS": str(MOST),
}
ADDRESSES = (f"2001:db8:{number:x}::1" for number in count(1))  # each of a network of its own
HOST, BOT, EXPERT = {"kind": "host"}, {"kind": "bot"}, {"kind": "bot", "level": "expert"}
SHEET = {"rules": "dtf", "names": ["Ada", "Bo", "Ida"]}
TOURNAMENT = {"name": "Cup", "rules": "french4", "rounds": 2, "deals": 4}


def sent(one: Visitor, method: str, path: str, body: Any, address: str) -> Answer:
    return one.ask(method, path, body, {"X-Forwarded-For": address})


def come(server: Serving) -> Visitor:
    one = Visitor(server)
    assert sent(one, "POST", "/api/enter", {}, next(ADDRESSES)).status == 200
    return one


Request = tuple[str, Any]  # what is posted where
Kind = Callable[[Visitor], Request]  # after what has to be there first


def table(*seats: dict[str, str]) -> Kind:
    settings = {"rules": "dtf", "size": 3, "seats": list(seats), "tempo": "instant"}
    return lambda _: ("/api/tables", {"settings": settings})


def tournament_of_a_club(one: Visitor) -> Request:
    club = sent(one, "POST", "/api/clubs", {"name": "Tarok"}, next(ADDRESSES)).json["id"]
    return "/api/tournaments", TOURNAMENT | {"club": club}


def invitation(one: Visitor) -> Request:
    club = sent(one, "POST", "/api/clubs", {"name": "Tarok"}, next(ADDRESSES)).json["id"]
    path = f"/api/clubs/{club}/invitations"
    for _ in range(MOST_INVITATIONS - MOST):
        assert sent(one, "POST", path, {}, next(ADDRESSES)).status == 201
    return path, {}


KINDS: dict[str, Kind] = {
    "own_tables": table(HOST, BOT, BOT),
    "own_bot_tables": table(BOT, BOT, BOT),
    "own_experts": table(HOST, BOT, EXPERT),
    "own_sheets": lambda _: ("/api/sheets", SHEET),
    "own_clubs": lambda _: ("/api/clubs", {"name": "Tarok"}),
    "own_tournaments": lambda _: ("/api/tournaments", TOURNAMENT),
    "own_tournaments of a club": tournament_of_a_club,
    "invitations of a club": invitation,
}
IN_MEMORY = {"own_streams"}  # of one process, which counts before it waits for anything


@pytest.fixture(scope="module", params=["sqlite", "postgres"])
def server(request: pytest.FixtureRequest, tmp_path_factory: pytest.TempPathFactory) -> Iterator[Serving]:
    if request.param == "postgres":
        database = postgres.new_database()
    else:
        database = str(tmp_path_factory.mktemp("at_once") / "tables.db")
    with Serving(database, 0, FEW, seed=None) as serving:
        yield serving
        assert not [line for line in serving.lines if line["level"] in ("error", "critical")]


def at_once(server: Serving, ask: Callable[[int], Answer]) -> list[int]:
    """The statuses of so many requests that are sent at the same moment."""
    ready = Barrier(AT_ONCE)

    def one(number: int) -> int:
        ready.wait()
        return ask(number).status

    with ThreadPoolExecutor(AT_ONCE) as threads:
        return sorted(threads.map(one, range(AT_ONCE)))


def test_every_limit_of_the_settings_is_tried() -> None:
    names = {one.name for one in fields(Config)}
    assert {one for one in names if one.startswith("own_")} == {*map(_setting, KINDS)} - {""} | IN_MEMORY
    assert {one for one in names if one.startswith("day_")} == {f"day_{what}" for what in by_day(Config())}


def _setting(kind: str) -> str:
    return kind.split()[0] if kind.startswith("own_") else ""


@pytest.mark.parametrize("kind", KINDS)
def test_of_many_at_once_no_more_are_begun_than_may_be(server: Serving, kind: str) -> None:
    """They come from networks of their own: the requests of one address take turns."""
    one, begun = come(server), Visitor(server)
    path, body = KINDS[kind](one)
    begun.cookies, addresses = one.cookies, [next(ADDRESSES) for _ in range(AT_ONCE)]
    statuses = at_once(server, lambda number: sent(begun, "POST", path, body, addresses[number]))
    assert statuses.count(201) == MOST, statuses
    assert set(statuses) <= {201, 409, 429}


def test_of_many_guests_of_one_address_no_more_come_in_than_may(server: Serving) -> None:
    address = next(ADDRESSES)
    new = [Visitor(server) for _ in range(AT_ONCE)]
    statuses = at_once(server, lambda number: sent(new[number], "POST", "/api/enter", {}, address))
    assert statuses == [200] * MOST + [429] * (AT_ONCE - MOST)
