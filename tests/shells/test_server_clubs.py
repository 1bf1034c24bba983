"""Clubs over HTTP: founded, joined, drawn, counted, kept and deleted, each by who may and by nobody else."""

from __future__ import annotations

import http.client
import json
import sqlite3
from collections.abc import Iterator
from itertools import count
from typing import Any, NamedTuple, get_args

import msgspec
import pytest

from serving import PATIENCE, Answer, AtTable, Serving, Visitor
from ultimo.club.archive import read, standings_of
from ultimo.club.club import fold
from ultimo.server.club_payloads import (
    AnyClubWish,
    ChronicleLine,
    ClubLine,
    ClubRules,
    ClubShown,
    EveningShown,
    ImportShown,
    InvitationLine,
    InvitationShown,
    MemberShown,
    SeasonShown,
    TablesDrawn,
)
from ultimo.server.clubs import ROUTES

pytestmark = pytest.mark.xdist_group("server_clubs")

LIMITS = {"ULTIMO_REQUEST_BURST": "5000", "ULTIMO_REQUEST_RATE": "1000"}
COMMANDS = count(1)
DAY = "2026-11-17"
WON = {"game": "danish", "winner": 1, "counts": {"1": 30, "3": 20}}
PAGAT = {"game": "danish", "winner": 2, "won_with": "T1", "counts": {"2": 31, "0": 22}}
LIST = "date,member,points\n2020-01-01,Karen,5\n2020-01-01,Bo,-5\n"
THREE = {"seats": ["m1", "m2", "m3"]}
TABLES = [[["m1", "m2", "m3", "m4"]]]


@pytest.fixture(scope="module")
def server(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Serving]:
    with Serving(tmp_path_factory.mktemp("clubs") / "tables.db", env=LIMITS) as serving:
        yield serving


@pytest.fixture(autouse=True)
def _nothing_raised(server: Serving) -> Iterator[None]:
    """After every test the server has logged no failure of its own."""
    yield
    assert [line for line in server.lines if line["level"] in ("error", "critical")] == []


@pytest.fixture
def karen(server: Serving) -> Visitor:
    return entered(server)


def entered(server: Serving) -> Visitor:
    one = Visitor(server)
    one.enter()
    return one


def founded(visitor: Visitor, **wish: Any) -> str:
    answer = visitor.post("/api/clubs", {"name": "Tarokklubben", "me": "Karen", "language": "da"} | wish)
    assert answer.status == 201, answer
    key: str = answer.json["id"]
    return key


def seen(visitor: Visitor, club: str, language: str = "en") -> ClubShown:
    return msgspec.json.decode(visitor.get(f"/api/clubs/{club}?lang={language}").body, type=ClubShown)


def sent(visitor: Visitor, club: str, kind: str, base: int = 10**6, cmd: str = "", **wish: Any) -> Answer:
    command = {"cmd": cmd or f"command-{next(COMMANDS)}", "base": base, "wish": {"type": kind} | wish}
    return visitor.post(f"/api/clubs/{club}?lang=en", command)


def write(visitor: Visitor, club: str, kind: str, **wish: Any) -> tuple[str, ...]:
    answer = sent(visitor, club, kind, **wish)
    assert answer.status == 200, answer.body
    return tuple(answer.json["made"])


def joined(server: Serving, secretary: Visitor, club: str, member: str = "", role: str = "member") -> Visitor:
    one = entered(server)
    answer = secretary.post(f"/api/clubs/{club}/invitations", {"member": member, "role": role})
    assert answer.status == 201, answer.body
    assert one.post("/api/clubs/join", {"secret": answer.json["secret"], "name": "Somebody"}).status == 201
    return one


class World(NamedTuple):
    """A club with four members, an evening that is drawn, and somebody of every kind."""

    club: str
    people: dict[str, Visitor]
    secret: str
    invitation: str
    sheet: str

    @property
    def secretary(self) -> Visitor:
        return self.people["secretary"]


def world(server: Serving) -> World:
    """A new club of new people."""
    secretary = entered(server)
    club = founded(secretary)
    write(secretary, club, "AddMembers", names=["Bo", "Ida", "Per"])
    people = {"nobody": Visitor(server), "stranger": entered(server), "secretary": secretary}
    for member, role in (("m2", "member"), ("m3", "scorer")):
        people[role] = joined(server, secretary, club, member, role)
    made = secretary.post(f"/api/clubs/{club}/invitations", {"uses": 9}).json
    write(secretary, club, "OpenSeason", name="2026/27")
    write(secretary, club, "OpenEvening", day=DAY)
    write(secretary, club, "SetAttendance", evening="e1", members=["m1", "m2", "m3", "m4"])
    write(secretary, club, "KeepTables", evening="e1", rounds=TABLES)
    sheet = secretary.post(f"/api/clubs/{club}/evenings/e1/sheets", {}).json["id"]
    return World(club, people, made["secret"], made["id"], sheet)


# --- who may do what: one table --------------------------------------------------------------------------

ORDER = ("nobody", "stranger", "member", "scorer", "secretary")  # who may least first
ALL = set(ORDER)
KNOWN = ALL - {"nobody"}
MEMBERS = {"member", "scorer", "secretary"}
SCORERS = {"scorer", "secretary"}
SECRETARY = {"secretary"}


class May(NamedTuple):
    """Who may ask for something, what is sent, and what the first of them is answered."""

    who: set[str]
    body: Any = None
    status: int = 200
    path: str = ""  # instead of the route's
    strangers: bool = False  # may if the club is public


REQUESTS: dict[str, May] = {
    "GET /api/clubs": May(KNOWN),
    "POST /api/clubs": May(KNOWN, {"name": "Another"}, 201),
    "POST /api/clubs/read": May(KNOWN, {"file": '{"type":"Founded","name":"x"}'}, 409),
    "POST /api/clubs/invitation": May(ALL, {}),
    "POST /api/clubs/join": May(KNOWN, {"name": "Somebody else"}, 201),
    "GET /api/clubs/{club}": May(MEMBERS, strangers=True),
    "POST /api/clubs/{club}": May(SCORERS, {"type": "Chronicle", "text": "a good evening"}),
    "DELETE /api/clubs/{club}": May(SECRETARY, status=204),
    "GET /api/clubs/{club}/follow": May(MEMBERS, path="/api/clubs/{club}/follow?since=no", status=404),
    "GET /api/clubs/{club}/seasons/{season}": May(MEMBERS, strangers=True),
    "GET /api/clubs/{club}/evenings/{evening}": May(MEMBERS),
    "POST /api/clubs/{club}/evenings/{evening}/draw": May(SCORERS, {"rounds": 2}),
    "POST /api/clubs/{club}/evenings/{evening}/sheets": May(
        SCORERS, {"table": 2, "seats": ["m1", "m2", "m3"]}, 201
    ),
    "POST /api/clubs/{club}/evenings/{evening}/close": May(SCORERS, {}),
    "POST /api/clubs/{club}/evenings/{evening}/online": May(SCORERS, {"table": "none"}, 409),
    "GET /api/clubs/{club}/members/{member}": May(MEMBERS),
    "GET /api/clubs/{club}/rules": May(MEMBERS),
    "GET /api/clubs/{club}/chronicle": May(MEMBERS),
    "GET /api/clubs/{club}/invitations": May(SECRETARY),
    "POST /api/clubs/{club}/invitations": May(SECRETARY, {}, 201),
    "DELETE /api/clubs/{club}/invitations/{invitation}": May(SECRETARY, status=204),
    "POST /api/clubs/{club}/recovery": May(SECRETARY, status=201),
    "POST /api/clubs/{club}/import": May(SECRETARY, {"text": LIST}),
    "GET /api/clubs/{club}/export": May(SECRETARY),
    "GET /api/clubs/{club}/results.csv": May(MEMBERS),
    "GET /api/clubs/{club}/standings.csv": May(MEMBERS),
}
WISHES: dict[str, May] = {
    "RenameClub": May(SECRETARY, {"name": "Another"}),
    "SetHouseRules": May(SECRETARY, {"name": "Ours", "rules": "jensen"}),
    "ChangeClub": May(SECRETARY, {"public": False, "online": True}),
    "AddMembers": May(SECRETARY, {"names": ["Asta"]}),
    "RenameMember": May(SECRETARY, {"member": "m4", "name": "Peer"}),
    "GiveRole": May(SECRETARY, {"member": "m4", "role": "scorer"}),
    "AskForRole": May(SCORERS, {"member": "m3"}),
    "LetGo": May(SECRETARY, {"member": "m4"}),
    "WelcomeBack": May(SECRETARY, {"member": "m4"}),
    "UnlinkMember": May(SECRETARY, {"member": "m4"}, 409),
    "ForgetMember": May(SECRETARY, {"member": "m4"}),
    "OpenSeason": May(SECRETARY, {"name": "2027/28"}),
    "ChangeSeason": May(SECRETARY, {"season": "s1", "name": "x", "scoring": {"by": "mean"}}),
    "CloseSeason": May(SECRETARY, {"season": "s1"}, 409),
    "ReopenSeason": May(SECRETARY, {"season": "s1"}, 409),
    "OpenEvening": May(SCORERS, {"day": "2026-12-01"}),
    "SetAttendance": May(SCORERS, {"evening": "e1", "members": ["m1"]}),
    "KeepTables": May(SCORERS, {"evening": "e1", "rounds": []}),
    "UnlinkSheet": May(SCORERS, {"evening": "e1", "sheet": "none"}, 409),
    "Uncount": May(SCORERS, {"evening": "e1", "source": "none"}, 409),
    "ReopenEvening": May(SCORERS, {"evening": "e1"}, 409),
    "Chronicle": May(SCORERS, {"text": "a good evening", "evening": "e1"}),
}


def test_every_route_and_every_wish_has_its_line() -> None:
    methods = {"GET", "POST", "DELETE", "PATCH", "PUT"}
    routes = {f"{one} {route.path}" for route in ROUTES for one in (route.methods or set()) & methods}
    assert routes == set(REQUESTS)
    assert {one.__name__ for one in get_args(AnyClubWish)} == set(WISHES)


def asked(here: World, route: str, may: May, who: str) -> Answer:
    method, path = route.split()
    values = {"club": here.club, "season": "s1", "evening": "e1", "member": "m1"}
    values |= {"invitation": here.invitation}
    body = may.body
    if route in ("POST /api/clubs/invitation", "POST /api/clubs/join"):
        body = body | {"secret": here.secret}
    if route == "POST /api/clubs/{club}":
        body = {"cmd": f"command-{next(COMMANDS)}", "base": 10**6, "wish": body}
    return here.people[who].ask(method, (may.path or path).format(**values), body)


def denied(who: str) -> int:
    """What somebody is answered who may not: a stranger cannot know whether there is such a club."""
    if who == "nobody":
        return 401
    return 404 if who == "stranger" else 403


ALONE = (
    "POST /api/clubs/join",
    "DELETE /api/clubs/{club}",
)  # after it people are others


@pytest.mark.parametrize("routes", [[one for one in REQUESTS if one not in ALONE], *([one] for one in ALONE)])
def test_each_request_is_granted_to_whom_it_should(server: Serving, routes: list[str]) -> None:
    here = world(server)
    for route in routes:
        may, first = REQUESTS[route], True
        for who in ORDER:
            answer = asked(here, route, may, who)
            case = (route, who, answer.body)
            if who not in may.who:
                expected = 404 if may.strangers and who == "nobody" else denied(who)
                assert answer.status == expected, case
            elif first:
                assert answer.status == may.status or (route.endswith("/draw") and answer.status == 501), case
                first = False
            else:
                assert answer.status not in (401, 403), case


def test_each_wish_is_granted_to_whom_it_should(server: Serving) -> None:
    here = world(server)
    for kind, may in WISHES.items():
        first = True
        for who in ORDER:
            answer = sent(here.people[who], here.club, kind, **may.body)
            case = (kind, who, answer.body)
            if who not in may.who:
                assert answer.status == denied(who), case
            else:
                assert answer.status == may.status or not first, case
                assert answer.status not in (401, 403, 404), case
                first = False


def test_a_public_club_shows_strangers_its_name_and_standings_alone(server: Serving) -> None:
    here = world(server)
    write(here.secretary, here.club, "ChangeClub", public=True, online=False)
    for who in ("nobody", "stranger"):
        for route, may in REQUESTS.items():
            if "{club}" in route:
                status = asked(here, route, may, who).status
                post = who == "nobody" and not may.strangers
                assert status == (200 if may.strangers else 401 if post else 404), (who, route)
        shown = seen(here.people[who], here.club)
        assert (shown.name, shown.role, shown.members, shown.evenings, shown.chronicle) == (
            "Tarokklubben",
            "",
            (),
            (),
            (),
        )
        season = here.people[who].get(f"/api/clubs/{here.club}/seasons/s1").json
        assert (season["charts"], season["records"], season["tallies"], season["evenings"]) == (
            [],
            [],
            {},
            [],
        )


def test_only_scorers_write_on_the_sheets_of_a_club(server: Serving) -> None:
    here = world(server)
    command = {"cmd": "command-x", "base": 1, "wish": {"type": "BookDeal", "entry": WON}}
    secret = here.secretary.post(f"/api/sheets/{here.sheet}/pen", {}).json["secret"]
    for who in ("member", "stranger"):
        one = here.people[who]
        assert one.get(f"/api/sheets/{here.sheet}").status == 200  # by its address
        assert one.post(f"/api/sheets/{here.sheet}", command).status == 403
        for wish in ({}, {"secret": f"{secret}x"}, {"takeBack": True}):
            assert one.post(f"/api/sheets/{here.sheet}/pen", wish).status == 403
    sights = {who: one.get(f"/api/sheets/{here.sheet}").json for who, one in here.people.items()}
    assert {who for who, one in sights.items() if one["scores"]} == SCORERS
    assert {who for who, one in sights.items() if one["club"] == here.club} == MEMBERS
    scorer = here.people["scorer"]
    assert scorer.post(f"/api/sheets/{here.sheet}", command).status == 403  # has not the pen
    assert scorer.post(f"/api/sheets/{here.sheet}/pen", {"takeBack": True}).status == 200
    assert scorer.post(f"/api/sheets/{here.sheet}", command | {"base": 2}).status == 200
    write(here.secretary, here.club, "GiveRole", member="m3", role="member")
    assert scorer.post(f"/api/sheets/{here.sheet}", command | {"cmd": "command-y", "base": 3}).status == 403


def test_a_sheet_of_a_club_says_where_it_is_kept_and_who_writes(server: Serving) -> None:
    here = world(server)
    command = {"cmd": "command-x", "base": 1, "wish": {"type": "BookDeal", "entry": WON}}
    assert here.secretary.post(f"/api/sheets/{here.sheet}", command).status == 200
    shown = here.people["stranger"].get(f"/api/sheets/{here.sheet}?lang=da").json
    club = here.secretary.get(f"/api/clubs/{here.club}").json
    (evening,) = [one for one in club["evenings"] if one["id"] == "e1"]
    own = next(one["name"] for one in club["members"] if one["id"] == club["me"])
    assert shown["origin"] == {
        "club": club["name"],
        "rules": club["rulesName"],
        "day": evening["day"],
        "round": 1,
        "table": 1,
    }
    assert [shown["writer"], *(one["by"] for one in shown["trail"])] == [own] * 3
    file = here.secretary.get(f"/api/sheets/{here.sheet}/table.csv?lang=da").headers["content-disposition"]
    assert file.endswith(f'{evening["day"]}-runde-1-bord-1.csv"')


@pytest.mark.parametrize("who", ["member", "stranger"])
def test_the_pen_of_a_club_goes_by_its_code_to_whoever_sits_at_the_table(server: Serving, who: str) -> None:
    here = world(server)
    secretary, one, pen = here.secretary, here.people[who], f"/api/sheets/{here.sheet}/pen"
    secret = secretary.post(pen, {}).json["secret"]
    assert one.post(pen, {"secret": secret}).status == 200
    shown = one.get(f"/api/sheets/{here.sheet}").json
    assert (shown["hasPen"], shown["scores"]) == (True, False)
    command = {"cmd": "command-x", "base": 2, "wish": {"type": "BookDeal", "entry": WON}}
    assert secretary.post(f"/api/sheets/{here.sheet}", command).status == 403
    assert one.post(f"/api/sheets/{here.sheet}", command).status == 200
    # of this sheet alone: the club is as closed to them as before
    assert one.get(f"/api/clubs/{here.club}").status == (200 if who == "member" else 404)
    assert one.post(f"/api/clubs/{here.club}/evenings/e1/sheets", {"round": 2}).status in (403, 404)
    # a scorer takes it at any time, and it is not taken back without another code
    again = one.post(pen, {}).json["secret"]
    assert here.people["scorer"].post(pen, {"takeBack": True}).status == 200
    for wish in ({"secret": secret}, {"secret": again}, {"takeBack": True}):
        assert one.post(pen, wish).status == 403
    assert one.post(f"/api/sheets/{here.sheet}", command | {"cmd": "command-y", "base": 4}).status == 403


# --- an evening ------------------------------------------------------------------------------------------


def played(visitor: Visitor, sheet: str, *entries: Any) -> None:
    for wish in (*({"type": "BookDeal", "entry": one} for one in entries), {"type": "CloseSheet"}):
        noted(visitor, sheet, wish)


def noted(visitor: Visitor, sheet: str, wish: Any) -> None:
    base = visitor.get(f"/api/sheets/{sheet}").json["seq"]
    command = {"cmd": f"command-{next(COMMANDS)}", "base": base, "wish": wish}
    assert visitor.post(f"/api/sheets/{sheet}", command).status == 200


def test_an_evening_is_played_counted_and_remembered(server: Serving) -> None:
    here = world(server)
    karen, club = here.secretary, here.club
    played(karen, here.sheet, WON, PAGAT)
    totals = karen.get(f"/api/sheets/{here.sheet}").json["totals"]
    assert karen.post(f"/api/clubs/{club}/evenings/e1/sheets", {}).json["id"] == here.sheet  # there is one
    other = karen.post(f"/api/clubs/{club}/evenings/e1/sheets", {"table": 2, "seats": ["m1", "m2", "m4"]})
    assert other.status == 201
    open_one = {"cmd": "command-open", "base": 1, "wish": {"type": "BookDeal", "entry": {"game": "danish"}}}
    assert karen.post(f"/api/sheets/{other.json['id']}", open_one).status == 200
    refused = karen.post(f"/api/clubs/{club}/evenings/e1/close?lang=en", {})
    assert refused.status == 409
    assert "Table 2 of round 1 is still playing" in refused.json["error"]
    write(karen, club, "UnlinkSheet", evening="e1", sheet=other.json["id"])
    assert karen.post(f"/api/clubs/{club}/evenings/e1/close", {}).status == 200
    told = msgspec.json.decode(karen.get(f"/api/clubs/{club}/evenings/e1?lang=en").body, type=EveningShown)
    assert told.closed
    assert {one.member: one.total for one in told.results} == dict(
        zip(("m1", "m2", "m3", "m4"), totals, strict=True)
    )
    assert [(one.deals, one.closed, one.counted) for one in told.sheets] == [(2, True, True)]
    assert any(one.text.startswith("Ida made a pagat ultimo") for one in told.chronicle)
    shown = seen(karen, club)
    assert [one.total for one in shown.standings] == sorted(totals, reverse=True)
    assert (shown.season, shown.seasons[0].evenings, shown.evenings[0].closed) == ("s1", 1, True)
    season = msgspec.json.decode(karen.get(f"/api/clubs/{club}/seasons/s1?lang=da").body, type=SeasonShown)
    assert {one.member: one.totals for one in season.charts} == {
        f"m{n}": (t,) for n, t in enumerate(totals, 1)
    }
    assert "Største tømte kop" in {one.label for one in season.records}
    assert {one.key: one.value for one in season.tallies["m3"]}["pagats"] == 1
    member = msgspec.json.decode(karen.get(f"/api/clubs/{club}/members/m3").body, type=MemberShown)
    assert [one.season for one in member.seasons] == ["s1", "all"]
    # something is put right, and it is counted again
    write(karen, club, "ReopenEvening", evening="e1")
    noted(karen, here.sheet, {"type": "ReopenSheet"})
    played(karen, here.sheet, WON)
    assert karen.post(f"/api/clubs/{club}/evenings/e1/close", {}).status == 200
    again = karen.get(f"/api/sheets/{here.sheet}").json["totals"]
    assert [one.total for one in seen(karen, club).standings] == sorted(again, reverse=True)
    lines = msgspec.json.decode(
        karen.get(f"/api/clubs/{club}/chronicle?lang=en").body, type=list[ChronicleLine]
    )
    assert sum("pagat" in one.text for one in lines) == 1


@pytest.mark.parametrize("way", ["divide", "anyway"])
def test_an_open_sheet_is_closed_by_the_book_or_counted_as_it_stands(server: Serving, way: str) -> None:
    here = world(server)
    karen, club, ida = here.secretary, here.club, here.people["scorer"]
    noted(karen, here.sheet, {"type": "BookDeal", "entry": WON})
    before = karen.get(f"/api/sheets/{here.sheet}").json["totals"]
    assert sum(before) < 0  # the rest lies in the cups
    close = f"/api/clubs/{club}/evenings/e1/close"
    assert ida.post(close, {}).status == 409
    assert ida.post(close, {way: True}).status == 200
    sheet = karen.get(f"/api/sheets/{here.sheet}").json
    counted = ida.get(f"/api/clubs/{club}/evenings/e1").json["counts"][0]["points"]
    assert list(counted.values()) == sheet["totals"]
    if way == "divide":
        assert (sheet["closed"], sum(sheet["totals"])) == (True, 0)
    else:
        assert (sheet["closed"], sheet["totals"]) == (False, before)


def test_guests_play_and_count_for_nobody(server: Serving) -> None:
    here = world(server)
    karen, club = here.secretary, here.club
    guests = {"g1": "Ole"}
    write(
        karen, club, "SetAttendance", evening="e1", members=["m1", "m2", "m3"], guests=guests, late={"g1": 2}
    )
    made = karen.post(
        f"/api/clubs/{club}/evenings/e1/sheets", {"round": 2, "seats": ["m1", "m2", "m3", "g1"]}
    )
    sheet = made.json["id"]
    assert karen.get(f"/api/sheets/{sheet}").json["names"] == ["Karen", "Bo", "Ida", "Ole"]
    played(karen, sheet, *[{"game": "danish"}] * 5)
    assert karen.post(f"/api/clubs/{club}/evenings/e1/close", {"anyway": True}).status == 200
    counted = karen.get(f"/api/clubs/{club}/evenings/e1").json["counts"]
    assert {one["source"] for one in counted} == {sheet}  # nothing was played at the first
    assert [set(one["points"]) for one in counted if one["source"] == sheet] == [{"m1", "m2", "m3"}]
    (line,) = seen(karen, club).evenings
    assert (line.people, line.deals) == (
        4,
        5,
    )  # the guest is there, and nobody plays all deals of a table of four
    assert [one["deals"] for one in counted] == [5]


def test_tables_are_drawn_and_kept_only_if_wished(server: Serving) -> None:
    here = world(server)
    answer = here.secretary.post(
        f"/api/clubs/{here.club}/evenings/e1/draw?lang=en", {"rounds": 2, "seed": "x"}
    )
    if answer.status == 501:
        assert answer.json["error"] == "Tables cannot be drawn on this server."
        return
    told = msgspec.json.decode(answer.body, type=TablesDrawn)
    assert [sorted(one for table in tables for one in table) for tables in told.rounds] == [
        ["m1", "m2", "m3", "m4"]
    ] * 2
    write(here.secretary, here.club, "KeepTables", evening="e1", rounds=told.rounds, seed=told.seed)
    assert here.secretary.get(f"/api/clubs/{here.club}/evenings/e1").json["seed"] == "x"


def test_a_session_online_counts_if_the_club_wants_it(server: Serving) -> None:
    here = world(server)
    karen, club = here.secretary, here.club
    table = karen.open_table(deals=1)
    with AtTable(karen, table) as page:
        page.play()
        early = karen.post(f"/api/clubs/{club}/evenings/e1/online?lang=en", {"table": table})
        while page.scene["moment"] != "over":
            wish = page.wish()
            page.hear() if wish is None else page.do(wish)
    refused = karen.post(f"/api/clubs/{club}/evenings/e1/online?lang=en", {"table": table})
    assert (refused.status, refused.json["error"]) == (409, "In this club games online do not count.")
    assert early.status == 409
    write(karen, club, "ChangeClub", public=False, online=True)
    assert karen.post(f"/api/clubs/{club}/evenings/e1/online", {"table": table}).status == 200
    counts = karen.get(f"/api/clubs/{club}/evenings/e1").json["counts"]
    points = karen.get("/api/figures?since=1").json["points"]
    assert [(one["kind"], one["points"], one["deals"]) for one in counts] == [("online", {"m1": points}, 1)]


# --- writing ---------------------------------------------------------------------------------------------


def test_a_command_is_obeyed_once_and_tells_what_it_made(karen: Visitor) -> None:
    club = founded(karen)
    answers = [sent(karen, club, "AddMembers", cmd="twice-twice", names=["Bo", " Ida\n"]) for _ in range(2)]
    assert [one.json for one in answers] == [{"seq": 6, "made": ["m2", "m3"]}] * 2
    assert [one.name for one in seen(karen, club).members] == ["Karen", "Bo", "Ida"]


def test_a_command_is_the_own_of_whoever_sends_it(server: Serving, karen: Visitor) -> None:
    club = founded(karen)
    scorer = joined(server, karen, club, role="scorer")
    answers = [
        sent(one, club, "Chronicle", cmd="the-same-id", text=text)
        for one, text in ((karen, "one"), (scorer, "two"), (karen, "one"))
    ]
    first, second, again = (one.json["seq"] for one in answers)
    assert second == first + 1
    assert again == first


def test_whoever_has_not_seen_what_another_changed_is_told(karen: Visitor) -> None:
    club = founded(karen)
    base = seen(karen, club).seq
    assert sent(karen, club, "RenameClub", base=base, name="First").status == 200
    assert sent(karen, club, "AddMembers", base=base, names=["Bo"]).status == 200  # is about something else
    answer = sent(karen, club, "RenameClub", base=base, name="Second")
    assert answer.status == 409
    assert answer.json["seq"] == base + 2
    assert "look at it first" in answer.json["error"]
    assert sent(karen, club, "RenameClub", base=base + 2, name="Second").status == 200


def test_what_cannot_be_is_refused_with_its_field_in_the_language_of_who_asks(karen: Visitor) -> None:
    club = founded(karen)
    answer = karen.post(
        f"/api/clubs/{club}?lang=da",
        {"cmd": "command-a", "base": 99, "wish": {"type": "LetGo", "member": "m1"}},
    )
    assert (answer.status, answer.json["field"]) == (409, "role")
    assert answer.json["error"].startswith("En klub skal have en sekretær")
    bad = sent(karen, club, "SetHouseRules", name="Ours", rules="dtf", house={"no.such": 1})
    assert (bad.status, bad.json["field"]) == (422, "overrides.no.such")
    assert karen.post("/api/clubs", {"name": "x", "rules": "none"}).status == 422
    assert karen.post("/api/clubs", {"name": "\u200b"}).status == 409
    assert sent(karen, club, "Chronicle", cmd="nul\0nul-nul", text="x").status == 422


def test_house_rules_are_told_beside_the_book_and_sheets_follow_them(server: Serving) -> None:
    here = world(server)
    karen, club = here.secretary, here.club
    write(karen, club, "SetHouseRules", name="Aarhus 1998", rules="dtf", house={"skus.demandable": False})
    told = msgspec.json.decode(karen.get(f"/api/clubs/{club}/rules?lang=en").body, type=ClubRules)
    assert (told.name, told.rules, len(told.differences)) == ("Aarhus 1998", "dtf", 1)
    made = karen.post(f"/api/clubs/{club}/evenings/e1/sheets", {"table": 2, "seats": ["m1", "m2", "m3"]})
    assert karen.get(f"/api/sheets/{made.json['id']}").json["house"] == 1


# --- joining and leaving ---------------------------------------------------------------------------------


def test_an_invitation_is_looked_at_accepted_and_spent(server: Serving, karen: Visitor) -> None:
    club = founded(karen)
    write(karen, club, "AddMembers", names=["Bo", "Ida"])
    made = karen.post(f"/api/clubs/{club}/invitations", {"uses": 2}).json
    bo, ida, late = (entered(server) for _ in range(3))
    shown = msgspec.json.decode(
        bo.post("/api/clubs/invitation", {"secret": made["secret"]}).body, type=InvitationShown
    )
    assert (shown.name, [one.name for one in shown.members], shown.joined) == (
        "Tarokklubben",
        ["Bo", "Ida"],
        False,
    )
    assert (
        bo.post("/api/clubs/join", {"secret": made["secret"], "member": "m1"}).status == 404
    )  # is somebody already
    assert bo.post("/api/clubs/join", {"secret": made["secret"], "member": "m2"}).status == 201
    assert (
        bo.post("/api/clubs/join", {"secret": made["secret"], "name": "Bo again"}).status == 200
    )  # is in it
    assert ida.post("/api/clubs/join", {"secret": made["secret"], "name": "Ida K."}).status == 201
    assert late.post("/api/clubs/join", {"secret": made["secret"]}).status == 404
    assert [one.name for one in seen(bo, club).members] == ["Karen", "Bo", "Ida", "Ida K."]
    assert seen(ida, club).me == "m4"
    clubs = msgspec.json.decode(bo.get("/api/clubs").body, type=list[ClubLine])
    assert [(one.id, one.role, one.members) for one in clubs] == [(club, "member", 4)]
    fresh = karen.post(f"/api/clubs/{club}/invitations", {"member": "m3", "role": "scorer"}).json
    lines = msgspec.json.decode(karen.get(f"/api/clubs/{club}/invitations").body, type=list[InvitationLine])
    assert [(one.id, one.name, one.role) for one in lines] == [(fresh["id"], "Ida", "scorer")]
    assert karen.ask("DELETE", f"/api/clubs/{club}/invitations/{fresh['id']}").status == 204
    assert late.post("/api/clubs/join", {"secret": fresh["secret"]}).status == 404
    # and whoever leaves sees the club no more, though the name stays
    assert sent(bo, club, "LetGo", member="m2").status == 200
    assert bo.get(f"/api/clubs/{club}").status == 404
    assert [one.left for one in seen(karen, club).members] == [False, True, False, False]


def test_members_have_their_name_in_the_chronicle_whatever_account_they_have(server: Serving) -> None:
    here = world(server)
    scorer, other = here.people["scorer"], entered(server)
    write(scorer, here.club, "Chronicle", text="as a guest")
    account = {"name": "Somebody Else", "password": "seven green umbrellas"}
    assert other.post("/api/account", account).status == 200
    assert scorer.post("/api/login", account).status == 200
    write(scorer, here.club, "Chronicle", text="with an account")
    own = [one for one in seen(here.secretary, here.club).chronicle if one.own]
    assert [(one.text, one.by) for one in own] == [("with an account", "Ida"), ("as a guest", "Ida")]


def recovery(secretary: Visitor, club: str) -> str:
    answer = secretary.post(f"/api/clubs/{club}/recovery")
    assert answer.status == 201, answer.body
    secret: str = answer.json["secret"]
    return secret


def test_a_recovery_link_gives_a_club_back_once_and_secretaries_are_told(server: Serving) -> None:
    here = world(server)
    lost, club, scorer = here.secretary, here.club, here.people["scorer"]
    first, secret = recovery(lost, club), recovery(lost, club)
    assert rows_with(server, secret) == []  # only its hash is kept
    again, late = entered(server), entered(server)
    assert again.post("/api/clubs/invitation", {"secret": first}).status == 404  # the second took its place
    told = again.post("/api/clubs/invitation", {"secret": secret}).json
    assert (told["role"], told["member"], told["joined"]) == ("recovery", "m1", False)
    assert scorer.post("/api/clubs/join", {"secret": "x" + secret}).status == 404
    assert again.post("/api/clubs/join", {"secret": secret}).status == 201
    assert (seen(again, club).role, seen(again, club).me) == ("secretary", "m1")
    assert [one.name for one in seen(again, club).recovered] == ["Karen"]
    assert seen(scorer, club).recovered == ()  # secretaries alone
    assert lost.get(f"/api/clubs/{club}").status == 404
    assert late.post("/api/clubs/join", {"secret": secret}).status == 404
    assert [one["role"] for one in again.get(f"/api/clubs/{club}/invitations").json] == ["member"]
    whole = again.get(f"/api/clubs/{club}/export").body.decode()
    assert fold(read(whole).facts).members["m1"].role == "secretary"


def test_a_recovery_link_is_withdrawn_by_any_secretary_and_goes_with_the_role(server: Serving) -> None:
    here = world(server)
    karen, club, ida = here.secretary, here.club, here.people["scorer"]
    assert ida.post(f"/api/clubs/{club}/recovery").status == 403
    assert sent(ida, club, "AskForRole", member="m2").status == 403  # for oneself alone
    assert sent(ida, club, "AskForRole", member="m3").status == 200
    assert [one.id for one in seen(karen, club).members if one.asks] == ["m3"]
    write(karen, club, "GiveRole", member="m3", role="secretary")
    assert [one.id for one in seen(karen, club).members if one.asks] == []
    secret = recovery(karen, club)
    (line,) = (one for one in ida.get(f"/api/clubs/{club}/invitations").json if one["role"] == "recovery")
    assert line["name"] == "Karen"
    assert ida.ask("DELETE", f"/api/clubs/{club}/invitations/{line['id']}").status == 204
    assert entered(server).post("/api/clubs/join", {"secret": secret}).status == 404
    secret = recovery(karen, club)
    write(ida, club, "GiveRole", member="m1", role="member")
    assert entered(server).post("/api/clubs/join", {"secret": secret}).status == 404


def test_whoever_came_back_as_another_member_is_given_their_place(server: Serving) -> None:
    here = world(server)
    secret = recovery(here.secretary, here.club)
    again = joined(server, here.secretary, here.club)
    assert seen(again, here.club).me == "m5"
    assert again.post("/api/clubs/join", {"secret": secret}).status == 201
    assert seen(again, here.club).me == "m1"
    assert (
        again.post("/api/clubs/join", {"secret": recovery(again, here.club)}).status == 200
    )  # is there already


def test_deleted_data_unlinks_and_the_last_leaves_nothing(server: Serving, karen: Visitor) -> None:
    club = founded(karen)
    bo = joined(server, karen, club)
    assert karen.ask("DELETE", "/api/me").status == 204
    shown = seen(bo, club)
    assert [(one.name, one.role, one.linked) for one in shown.members] == [
        ("Karen", "secretary", False),
        ("Somebody", "secretary", True),
    ]
    made = bo.post(f"/api/clubs/{club}/invitations", {"member": "m1"})
    assert made.status == 201  # she can come back
    assert bo.ask("DELETE", "/api/me").status == 204
    assert Visitor(server).get(f"/api/clubs/{club}").status == 404
    assert rows_with(server, club) == []


def test_a_forgotten_name_is_nowhere(server: Serving) -> None:
    here = world(server)
    write(here.secretary, here.club, "RenameMember", member="m4", name="Very Rare Name")
    sheet = here.secretary.post(
        f"/api/clubs/{here.club}/evenings/e1/sheets", {"table": 2, "seats": ["m4", "m1", "m2"]}
    ).json["id"]
    assert rows_with(server, "Very Rare Name") != []
    write(here.secretary, here.club, "ForgetMember", member="m4")
    assert rows_with(server, "Very Rare Name") == []
    assert here.secretary.get(f"/api/sheets/{sheet}").json["names"] == ["Slettet navn 4", "Karen", "Bo"]
    assert [one.id for one in seen(here.secretary, here.club).members] == ["m1", "m2", "m3"]
    assert here.secretary.get("/api/clubs").json[0]["members"] == 3
    evening = here.secretary.get(f"/api/clubs/{here.club}/evenings/e1").json
    assert evening["members"] == ["m1", "m2", "m3"]
    whole = here.secretary.get(f"/api/clubs/{here.club}/export").body.decode()
    brought = here.secretary.post("/api/clubs/read", {"file": whole})
    assert brought.status == 201, brought.body
    assert here.secretary.post("/api/clubs/read", {"file": whole, "member": "m4"}).status == 409


# --- files -----------------------------------------------------------------------------------------------


def rows_with(server: Serving, text: str) -> list[str]:
    """The tables of the database with a row in which a text stands."""
    with sqlite3.connect(f"file:{server.database}?mode=ro", uri=True) as database:
        tables = [one for (one,) in database.execute("SELECT name FROM sqlite_master WHERE type = 'table'")]
        return [
            table
            for table in tables
            if any(text in str(cell) for row in database.execute(f"SELECT * FROM {table}") for cell in row)
        ]


def test_a_club_is_exported_read_again_and_deleted_without_trace(server: Serving) -> None:
    here = world(server)
    karen, club = here.secretary, here.club
    write(karen, club, "RenameClub", name="Nowhere Else Club")
    played(karen, here.sheet, WON, PAGAT)
    assert karen.post(f"/api/clubs/{club}/evenings/e1/close", {}).status == 200
    before = seen(karen, club)
    text = karen.get(f"/api/clubs/{club}/export").body.decode()
    whole = read(text)
    assert list(whole.sheets) == [here.sheet]
    assert [one.total for one in standings_of(fold(whole.facts), "s1")] == [
        one.total for one in before.standings
    ]
    assert here.people["scorer"].enter()["id"] not in text
    assert karen.ask("DELETE", f"/api/clubs/{club}").status == 204
    assert (
        rows_with(server, club)
        == rows_with(server, here.sheet)
        == rows_with(server, "Nowhere Else Club")
        == []
    )
    made = karen.post("/api/clubs/read", {"file": text})
    assert made.status == 201, made.body
    again = seen(karen, made.json["id"])
    assert again.standings == before.standings
    assert [one.name for one in again.members] == [one.name for one in before.members]
    assert [one.linked for one in again.members] == [True, False, False, False]
    second = read(karen.get(f"/api/clubs/{made.json['id']}/export").body.decode())
    assert list(second.sheets.values()) == list(whole.sheets.values())
    kept = [one for one in whole.facts if type(one).__name__ not in ("AccountLinked", "AccountUnlinked")]
    assert [type(one) for one in second.facts[: len(kept)]] == [type(one) for one in kept]
    bad = karen.post("/api/clubs/read?lang=en", {"file": text + "nonsense\n"})
    assert bad.status == 422
    assert bad.json["error"].startswith(f"line {len(text.splitlines()) + 1}:")


def test_results_of_the_past_are_checked_then_written(karen: Visitor) -> None:
    club = founded(karen)
    wrong = LIST + "2020-01-01,Bo,3\n2020-13-01,Bo,3\n"
    told = msgspec.json.decode(
        karen.post(f"/api/clubs/{club}/import?lang=en", {"text": wrong}).body, type=ImportShown
    )
    assert [(one.line, one.error) for one in told.errors] == [
        (4, "Bo has this day already in line 3"),
        (5, "2020-13-01 is no date such as 2026-11-17"),
    ]
    assert (told.unknown, told.evenings, told.lines, told.points) == (("Bo",), 1, 2, 0)
    wish = {"text": LIST, "name": "2019/20", "check": False}
    unknown = karen.post(f"/api/clubs/{club}/import?lang=en", wish)
    assert [one["error"] for one in unknown.json["errors"]] == ["Bo is not on the list"]
    assert karen.post(f"/api/clubs/{club}/import", wish | {"add": True}).status == 201
    assert [(one.name, one.total) for one in seen(karen, club).standings] == [("Karen", 5), ("Bo", -5)]
    back = karen.get(f"/api/clubs/{club}/results.csv?season=s1&lang=en").body.decode("utf-8-sig")
    assert back.splitlines() == ["Date,Member,Points,Deals", "2020-01-01,Karen,5,0", "2020-01-01,Bo,-5,0"]
    assert b"Karen" in karen.get(f"/api/clubs/{club}/standings.csv").body
    assert karen.post(f"/api/clubs/{club}/import", {"text": "x" * 600_000}).status == 413


def test_an_imported_season_is_over_and_the_running_one_stays(server: Serving) -> None:
    here = world(server)
    karen, club = here.secretary, here.club
    before = seen(karen, club)
    wish = {"text": LIST, "name": "2019/20", "check": False, "add": True}
    assert karen.post(f"/api/clubs/{club}/import", wish).status == 201
    shown = seen(karen, club)
    assert [(one.name, one.closed) for one in shown.seasons] == [("2019/20", True), ("2026/27", False)]
    assert (shown.season, shown.standings) == (before.season, before.standings) == ("s1", ())
    (made,) = write(karen, club, "OpenEvening", day="2026-12-01")
    assert {one.id: one.season for one in seen(karen, club).evenings}[made] == "s1"
    write(karen, club, "ReopenSeason", season="s2")  # it can go on after all, and is not shown for that
    assert seen(karen, club).season == "s1"


def test_a_follower_hears_what_is_written(karen: Visitor) -> None:
    club = founded(karen)
    connection = http.client.HTTPConnection("127.0.0.1", karen.server.port, timeout=PATIENCE)
    connection.request("GET", f"/api/clubs/{club}/follow?since=0", headers={"Cookie": karen.cookie})
    answer = connection.getresponse()
    assert json.loads(answer.readline()) == {"seq": 4}
    write(karen, club, "Chronicle", text="heard")
    assert json.loads(answer.readline()) == {"seq": 5}
    connection.close()
