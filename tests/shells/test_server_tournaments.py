"""Tournaments over HTTP: a championship and a duplicate from the first name to the last place."""

from __future__ import annotations

import csv
import io
import json
from collections import defaultdict
from collections.abc import Iterator
from itertools import count
from random import Random
from typing import Any

import msgspec
import pytest

from serving import Answer, Serving, Visitor
from ultimo.club.boards import loads
from ultimo.club.duplicate import percents
from ultimo.server.tournament_payloads import BoardHands, TournamentShown, TournamentStanding
from ultimo.server.tournaments import ROUTES

pytestmark = pytest.mark.xdist_group("server_tournaments")

LIMITS = {"ULTIMO_REQUEST_BURST": "5000", "ULTIMO_REQUEST_RATE": "1000"}
COMMANDS = count(1)
DANISH = {"name": "DM", "rules": "dtf", "rounds": 2, "deals": 12}
DUPLICATE = {
    "name": "Open",
    "rules": "french4",
    "rounds": 2,
    "deals": 4,
    "kind": "duplicate",
    "sizes": [4],
}


@pytest.fixture(scope="module")
def server(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Serving]:
    with Serving(tmp_path_factory.mktemp("tournaments") / "tables.db", env=LIMITS) as serving:
        yield serving


@pytest.fixture(autouse=True)
def _nothing_raised(server: Serving) -> Iterator[None]:
    """After every test the server has logged no failure of its own."""
    yield
    assert [line for line in server.lines if line["level"] in ("error", "critical")] == []


@pytest.fixture
def host(server: Serving) -> Visitor:
    return entered(server)


def entered(server: Serving) -> Visitor:
    one = Visitor(server)
    one.enter()
    return one


def begun(host: Visitor, wish: dict[str, Any]) -> str:
    answer = host.post("/api/tournaments", wish)
    assert answer.status == 201, answer
    key: str = answer.json["id"]
    return key


def seen(visitor: Visitor, key: str, language: str = "en") -> TournamentShown:
    answer = visitor.get(f"/api/tournaments/{key}?lang={language}")
    assert answer.status == 200, answer
    return msgspec.json.decode(answer.body, type=TournamentShown)


def write(
    visitor: Visitor, key: str, type_: str, base: int = 10_000, cmd: str | None = None, **wish: Any
) -> Answer:
    asked = {"cmd": cmd or f"command-{next(COMMANDS)}", "base": base, "wish": {"type": type_} | wish}
    return visitor.post(f"/api/tournaments/{key}?lang=en", asked)


def wrote(visitor: Visitor, key: str, type_: str, **wish: Any) -> None:
    answer = write(visitor, key, type_, **wish)
    assert answer.status == 200, answer


def enter(host: Visitor, key: str, people: int) -> list[dict[str, str]]:
    entering = [
        {"name": f" Player  {one} ", "team": f"T{one // 4}", "club": ("HjT", "VLK", "FFT")[one % 3]}
        for one in range(people)
    ]
    wrote(host, key, "EnterPeople", people=entering)
    return entering


def invited(host: Visitor, scorer: Visitor, key: str) -> None:
    secret = host.post(f"/api/tournaments/{key}/scorers", {}).json["secret"]
    assert scorer.post(f"/api/tournaments/{key}/scorers", {"secret": secret}).status == 200


def by_name(lines: tuple[TournamentStanding, ...]) -> dict[str, float]:
    return {one.name: one.score for one in lines}


def test_a_championship_of_tables_of_three_and_four(server: Serving, host: Visitor) -> None:
    key, rng = begun(host, DANISH), Random(25)
    people, scorer = enter(host, key, 25), entered(server)
    invited(host, scorer, key)
    alone: dict[int, int] = defaultdict(int)
    drawn = host.post(f"/api/tournaments/{key}/draw").json["rounds"]
    for number in (1, 2):
        tables = drawn[str(number)]
        assert sorted(map(len, tables), reverse=True) == [4] * 4 + [3] * 3
        for table in tables:
            assert len({people[who - 1]["team"] for who in table}) == len(table)
        wrote(host, key, "SeatTables", round=number, tables=tables)
        for place, table in enumerate(tables, 1):
            made = [rng.randrange(-40, 40) * 5 for _ in table[1:]]
            points = [-sum(made), *made]
            wrote(scorer, key, "ReportTable", round=number, table=place, points=points)
            for who, one in zip(table, points, strict=True):
                alone[who] += one
        wrote(host, key, "CloseRound", round=number)
    wrong = seen(host, key).plan[0].tables[0]
    right = [5 * (len(wrong.people) - 1), *[-5] * (len(wrong.people) - 1)]
    fixing = {"round": 1, "table": 1, "points": right, "amend": True, "note": "typed wrongly"}
    wrote(scorer, key, "ReportTable", **fixing)
    for who, before, after in zip(wrong.people, wrong.points, right, strict=True):
        alone[who] += after - before
    wrote(host, key, "Penalise", who=9, hundredths=5000)
    alone[9] -= 50
    wrote(host, key, "CloseTournament")

    now = seen(host, key)
    assert all(table.planned == 4 * len(table.people) for table in now.plan[0].tables)
    assert [table.amended for table in now.plan[0].tables] == [True] + [False] * 6
    assert {one.who[0]: one.score for one in now.by_person} == alone
    teams: dict[str, int] = defaultdict(int)
    clubs: dict[str, list[int]] = defaultdict(list)
    for who, person in enumerate(people, 1):
        teams[person["team"]] += alone[who]
        clubs[person["club"]].append(alone[who])
    assert by_name(now.by_team) == teams
    assert by_name(now.by_club) == {club: round(sum(made) / len(made), 2) for club, made in clubs.items()}
    assert now.people[0].name == "Player 0"
    assert now.trail[-1].kind == "closed"
    assert write(host, key, "EnterPeople", people=[{"name": "Late"}]).json["error"].startswith("The tournam")
    rows = list(
        csv.reader(
            io.StringIO(host.get(f"/api/tournaments/{key}/standings.csv?lang=da").body.decode("utf-8-sig")),
            delimiter=";",
        )
    )
    assert rows[0] == ["Plads", "Deltager", "Runde 1", "Runde 2", "Resultat"]
    assert len(rows) == 1 + 25 + 1 + 7 + 1 + 3


def test_a_french_duplicate_of_eight_tables(server: Serving, host: Visitor) -> None:
    key, rng, guest = begun(host, DUPLICATE), Random(8), entered(server)
    enter(host, key, 32)
    wrote(host, key, "PublishTournament", public=True)
    proposed = host.post(f"/api/tournaments/{key}/draw").json["rounds"]
    scores: dict[int, list[list[int]]] = {}
    for number in (1, 2):
        wrote(host, key, "SeatTables", round=number, tables=proposed[str(number)])
        scores[number] = [[rng.randrange(-120, 120, 2) for _ in range(4)] for _ in range(8)]
        for place, made in enumerate(scores[number], 1):
            wrote(host, key, "ReportTable", round=number, table=place, scores=made)
        if number == 1:
            assert guest.get(f"/api/tournaments/{key}/boards/1").status == 403
        wrote(host, key, "CloseRound", round=number)

    marks: dict[int, tuple[list[float], list[float]]] = {who: ([], []) for who in range(1, 33)}
    for number in (1, 2):
        for slot in range(4):
            takers = percents([made[slot] for made in scores[number]])
            for table, mark in zip(proposed[str(number)], takers, strict=True):
                for seat, who in enumerate(table):
                    attacks = seat == slot
                    marks[who][0 if attacks else 1].append(float(mark if attacks else 100 - mark))
    expected = {
        who: sum(attack) / len(attack) / 4 + sum(defence) / len(defence) * 3 / 4
        for who, (attack, defence) in marks.items()
    }
    now = seen(guest, key, "fr")
    assert {one.who[0]: one.score for one in now.by_person} == pytest.approx(expected, abs=0.006)
    assert (now.role, now.marks, now.trail, now.scorers) == ("", "percent", (), ())
    assert now.seats == ("Sud", "Est", "Nord", "Ouest")
    assert [len(board.tables) for board in now.boards] == [8] * 8

    hands = msgspec.json.decode(guest.get(f"/api/tournaments/{key}/boards/5").body, type=BoardHands)
    kept = loads(host.get(f"/api/tournaments/{key}/boards.jsonl").body.decode())
    assert len(kept) == 8
    assert [set(hand) for hand in hands.hands] == [{card.value for card in hand} for hand in kept[4].hands]
    laid = [card for card in (*hands.hands[hands.lays], *hands.chien) if card[0] != "T" and card[1] != "K"]
    asked = {"laid": laid[: hands.laid]}
    told = guest.post(f"/api/tournaments/{key}/boards/5", asked)
    assert told.json["text"].startswith("french4: A ")
    assert guest.post(f"/api/tournaments/{key}/boards/5", {"laid": ["T21"]}).status == 422
    assert host.get(f"/api/tournaments/{key}/boards.html?lang=fr").body.count(b"<section>") == 8
    assert guest.get(f"/api/tournaments/{key}/boards/9").status == 404


def test_a_table_keeps_its_score_on_a_sheet(host: Visitor) -> None:
    key = begun(host, DANISH | {"divided": False})
    enter(host, key, 4)
    wrote(host, key, "SeatTables", round=1, tables=[[4, 2, 3, 1]])
    assert write(host, key, "ReportTable", round=1, table=1, sheet=True).status == 409
    sheet = host.post(f"/api/tournaments/{key}/sheets", {"round": 1, "table": 1}).json["id"]
    assert host.post(f"/api/tournaments/{key}/sheets", {"round": 1, "table": 1}).status == 409
    assert host.post(f"/api/tournaments/{key}/sheets", {"round": 1, "table": 2}).status == 409
    entry = {"game": "danish", "winner": 1, "counts": {"1": 30, "3": 20}}
    wish = {"cmd": "booking-1", "base": 1, "wish": {"type": "BookDeal", "entry": entry}}
    assert host.post(f"/api/sheets/{sheet}", wish).status == 200
    shown = host.get(f"/api/sheets/{sheet}").json
    assert shown["names"] == ["Player 3", "Player 1", "Player 2", "Player 0"]
    wrote(host, key, "ReportTable", round=1, table=1, sheet=True)
    table = seen(host, key).plan[0].tables[0]
    assert (list(table.points), table.deals, table.sheet) == (shown["totals"], 1, sheet)
    assert table.cups == -sum(shown["totals"]) > 0


def test_a_command_is_the_own_of_whoever_sends_it(server: Serving, host: Visitor) -> None:
    key, scorer = begun(host, DANISH), entered(server)
    invited(host, scorer, key)
    enter(host, key, 7)
    wrote(host, key, "SeatTables", round=1, tables=[[1, 2, 3, 4], [5, 6, 7]])
    base, cmd = seen(host, key).seq, "the-same-id"
    one: dict[str, Any] = {"round": 1, "table": 1, "points": [15, -5, -5, -5]}
    two: dict[str, Any] = {"round": 1, "table": 2, "points": [10, -5, -5]}
    assert write(host, key, "ReportTable", base, cmd, **one).json == {"seq": base + 1}
    assert write(scorer, key, "ReportTable", base, cmd, **two).json == {"seq": base + 2}
    assert write(host, key, "ReportTable", base, cmd, **one).json == {"seq": base + 1}


def test_nobody_overwrites_what_they_have_not_seen(host: Visitor) -> None:
    key = begun(host, DANISH)
    enter(host, key, 7)
    wrote(host, key, "SeatTables", round=1, tables=[[1, 2, 3, 4], [5, 6, 7]])
    base = seen(host, key).seq
    first: dict[str, Any] = {"round": 1, "table": 1, "points": [15, -5, -5, -5]}
    assert write(host, key, "ReportTable", base, "the-same-command", **first).json == {"seq": base + 1}
    assert write(host, key, "ReportTable", base, "the-same-command", **first).json == {"seq": base + 1}
    other: dict[str, Any] = {"round": 1, "table": 2, "points": [10, -5, -5]}
    assert write(host, key, "ReportTable", base, **other).status == 200
    late = write(host, key, "ReportTable", base, **first, amend=True)
    assert late.status == 409
    assert [(one["kind"], one["table"]) for one in late.json["news"]] == [("reported", 1), ("reported", 2)]
    assert late.json["stands"] == late.json["sent"] == [15, -5, -5, -5]
    bad = write(host, key, "ReportTable", round=1, table=2, points=[10, -5, 0], amend=True)
    assert bad.json["error"] == "The points must add up to zero; they add up to 5."


def test_a_second_result_of_a_table_is_told_with_both(server: Serving, host: Visitor) -> None:
    """Whoever opened the form before the other wrote sees both; the history has both figures."""
    key, scorer = begun(host, DUPLICATE), entered(server)
    enter(host, key, 4)
    invited(host, scorer, key)
    wrote(host, key, "SeatTables", round=1, tables=[[1, 2, 3, 4]])
    opened = seen(scorer, key).seq
    table: dict[str, Any] = {"round": 1, "table": 1}
    assert write(host, key, "ReportTable", opened, **table, scores=[56, 62, -56, -52]).status == 200
    late = write(scorer, key, "ReportTable", opened, **table, scores=[58, None, -56, -52])
    assert late.status == 409
    assert (late.json["stands"], late.json["sent"]) == ([56, 62, -56, -52], [58, None, -56, -52])
    assert seen(host, key).plan[0].tables[0].figures == (56, 62, -56, -52)
    now = late.json["seq"]
    mine = write(scorer, key, "ReportTable", now, **table, scores=[58, None, -56, -52], amend=True)
    assert mine.status == 200
    line = seen(host, key).trail[-1]
    assert (line.kind, line.figures, line.before) == ("amended", (58, None, -56, -52), (56, 62, -56, -52))


def test_a_result_of_people_who_sit_elsewhere_by_now_is_not_written(host: Visitor) -> None:
    key = begun(host, DANISH)
    enter(host, key, 7)
    wrote(host, key, "SeatTables", round=1, tables=[[1, 2, 3, 4], [5, 6, 7]])
    opened = seen(host, key).seq
    wrote(host, key, "SeatTables", round=1, tables=[[4, 3, 2, 1], [5, 6, 7]])
    late = write(host, key, "ReportTable", opened, round=1, table=1, points=[15, -5, -5, -5])
    assert (late.status, late.json["stands"], late.json["sent"]) == (409, [], [15, -5, -5, -5])


def test_a_result_that_is_hardly_possible_is_asked_about_and_written_anyway(host: Visitor) -> None:
    key = begun(host, DUPLICATE)
    enter(host, key, 4)
    wrote(host, key, "SeatTables", round=1, tables=[[1, 2, 3, 4]])
    table: dict[str, Any] = {"round": 1, "table": 1, "scores": [56, 57, 50, 50]}
    asked = write(host, key, "ReportTable", **table)
    assert (asked.status, asked.json["field"]) == (409, "anyway")
    assert asked.json["error"].startswith("Board 2: 57 is not possible with a garde")
    assert write(host, key, "ReportTable", **table, anyway=True).status == 200
    assert seen(host, key).plan[0].tables[0].figures == (56, 57, 50, 50)


PRIVATE = {"organiser": 200, "scorer": 200, "guest": 404, "stranger": 404}
PUBLIC = dict.fromkeys(PRIVATE, 200)
WRITES = {"organiser": 200, "scorer": 403, "guest": 403, "stranger": 401}
RESULTS = WRITES | {"scorer": 200}
RULES: list[tuple[str, str, Any, dict[str, int]]] = [
    ("GET", "", None, PUBLIC),
    ("GET", "/standings.csv", None, PUBLIC),
    ("GET", "/log", None, WRITES),
    ("GET", "/boards.html", None, WRITES),
    ("GET", "/boards/1", None, PUBLIC | {"scorer": 403, "guest": 403, "stranger": 403}),
    ("GET", "/follow?since=no", None, dict.fromkeys(PRIVATE, 404)),
    ("GET", "/boards/9", None, dict.fromkeys(PRIVATE, 404)),
    ("POST", "/boards/9", {"laid": []}, dict.fromkeys(PRIVATE, 404)),
    ("POST", "/sheets", {"round": 1, "table": 1}, RESULTS | {"organiser": 409, "scorer": 409}),
    ("POST", "/draw", {}, WRITES),
    ("POST", "/scorers", {}, WRITES),
    ("POST", "/scorers", {"secret": "wrong"}, dict.fromkeys(PRIVATE, 403) | {"stranger": 401}),
    ("POST", "", {"type": "Penalise", "who": 1, "hundredths": 50}, WRITES),
    ("POST", "", {"type": "PublishTournament", "public": True}, WRITES),
    (
        "POST",
        "",
        {"type": "ReportTable", "round": 1, "table": 1, "scores": [50, None, 50, 50], "amend": True},
        RESULTS,
    ),
]


def test_every_request_is_tried_by_every_role() -> None:
    tried = {(method, path.partition("?")[0]) for method, path, _, _ in RULES}
    for route in ROUTES:
        method = "POST" if "POST" in (route.methods or ()) else "GET"
        path = route.path.removeprefix("/api/tournaments/{tournament}")
        path = path.replace("{board}", "9").replace("{form}", "html")
        assert (method, path) in tried or not route.path.startswith("/api/tournaments/{"), route.path


def test_everybody_may_do_what_their_role_lets_them(server: Serving, host: Visitor) -> None:
    """Every request by every role, at a private and at a public tournament."""
    key = begun(host, DUPLICATE)
    scorer, guest, stranger = entered(server), entered(server), Visitor(server)
    who = {"organiser": host, "scorer": scorer, "guest": guest, "stranger": stranger}
    enter(host, key, 8)
    rounds = host.post(f"/api/tournaments/{key}/draw").json["rounds"]
    wrote(host, key, "SeatTables", round=1, tables=rounds["1"])
    invited(host, scorer, key)
    wrote(host, key, "ReportTable", round=1, table=1, scores=[50, 50, 50, 50])
    assert {role: one.get(f"/api/tournaments/{key}").status for role, one in who.items()} == PRIVATE
    wrote(host, key, "PublishTournament", public=True)
    for method, path, body, expected in RULES:
        found = {}
        for role, one in who.items():
            if method == "GET":
                found[role] = one.get(f"/api/tournaments/{key}{path}").status
                continue
            asked = body if path else {"cmd": f"command-{next(COMMANDS)}", "base": 10_000, "wish": body}
            found[role] = one.post(f"/api/tournaments/{key}{path}", asked).status
        assert found == expected, (method, path, body)
    assert [line["id"] for line in host.get("/api/tournaments").json] == [key]
    assert guest.get("/api/tournaments").json == []
    assert stranger.get("/api/tournaments").status == 401
    assert len(stranger.get("/api/tournaments/presets").json) == 5
    (named,) = seen(host, key).scorers
    wrote(host, key, "DropScorer", who=named.id)
    assert write(scorer, key, "ReportTable", round=1, table=2, scores=[50, 50, 50, 50]).status == 403
    assert host.get("/api/tournaments/none").status == 404
    assert guest.post("/api/tournaments", DANISH | {"club": "c1"}).status == 403
    assert guest.post("/api/tournaments", DANISH | {"sizes": [6]}).status == 409
    assert guest.post("/api/tournaments", DANISH | {"rules": "none"}).status == 422


def test_the_log_is_all_there_is(host: Visitor) -> None:
    key = begun(host, DANISH)
    enter(host, key, 4)
    wrote(host, key, "StandIn", who=1, round=1, name="Karen")
    wrote(host, key, "RenamePerson", who=2, person={"name": "Bo", "club": "VLK"})
    wrote(host, key, "WithdrawPerson", who=3, round=1)
    wrote(host, key, "ReturnPerson", who=3)
    lines = host.get(f"/api/tournaments/{key}/log").body.decode().splitlines()
    kinds = [json.loads(line)["type"] for line in lines]
    assert kinds == ["Begun", "Entered", "StoodIn", "Renamed", "Withdrew", "Returned"]
    now = seen(host, key)
    assert (now.people[0].stand_in, now.people[1].name, now.people[2].left) == ("Karen", "Bo", 0)


def test_members_of_its_club_have_their_names_in_the_history(server: Serving, host: Visitor) -> None:
    club = host.post("/api/clubs", {"name": "Tarokklubben", "me": "Karen Holm"}).json["id"]
    key, scorer, outside = begun(host, DANISH | {"club": club}), entered(server), entered(server)
    secret = host.post(f"/api/clubs/{club}/invitations", {"member": ""}).json["secret"]
    assert scorer.post("/api/clubs/join", {"secret": secret, "name": "Bo Juhl"}).status == 201
    enter(host, key, 4)
    wrote(host, key, "SeatTables", round=1, tables=[[1, 2, 3, 4]])
    for one in (scorer, outside):
        invited(host, one, key)
    opened = seen(scorer, key).seq
    wrote(scorer, key, "ReportTable", round=1, table=1, points=[15, -5, -5, -5])
    late = write(outside, key, "ReportTable", opened, round=1, table=1, points=[0, 0, 0, 0])
    assert [one["by"] for one in late.json["news"]] == ["Bo Juhl"]
    assert {one.by for one in seen(host, key).trail if one.kind == "begun"} == {"Karen Holm"}
    names = {one.name for one in seen(host, key).scorers}
    assert "Bo Juhl" in names
    assert len(names) == 2


def test_a_club_holds_a_tournament(server: Serving, host: Visitor) -> None:
    """Its secretary is the organiser, its members see it, and it goes with the club."""
    club = host.post("/api/clubs", {"name": "Tarokklubben", "me": "Karen"}).json["id"]
    key = begun(host, DANISH | {"club": club})

    def joined(role: str) -> Visitor:
        secret = host.post(f"/api/clubs/{club}/invitations", {"member": "", "role": role}).json["secret"]
        one = entered(server)
        assert one.post("/api/clubs/join", {"secret": secret, "name": role}).status == 201
        return one

    secretary, member, guest = joined("secretary"), joined("member"), entered(server)
    assert guest.get(f"/api/tournaments/{key}").status == 404
    assert seen(member, key).role == ""
    assert write(member, key, "CloseTournament").status == 403
    assert seen(secretary, key).role == "organiser"
    enter(secretary, key, 4)
    assert [line["id"] for line in member.get("/api/tournaments").json] == [key]
    assert member.post("/api/tournaments", DANISH | {"club": club}).status == 403
    assert host.ask("DELETE", f"/api/clubs/{club}").status == 204
    assert host.get(f"/api/tournaments/{key}").status == 404
