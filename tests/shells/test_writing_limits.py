"""How much people and addresses may write in a day: no more is begun then, and what is under way goes on."""

from __future__ import annotations

import asyncio
from collections.abc import Iterator
from itertools import count, cycle
from pathlib import Path
from typing import Any

import msgspec
import pytest

from live import HOST, Evening
from postgres import binaries, new_database
from serving import Answer, AtTable, Serving, Visitor
from ultimo.answers.refusing import Refusal
from ultimo.answers.sheet_payloads import BookDeal, NoteDeal
from ultimo.answers.sheets import MOST_NOTES, written
from ultimo.club import club as c
from ultimo.club import sheet as s
from ultimo.club.entries import DanishDeal
from ultimo.server import metrics
from ultimo.server.app import by_day
from ultimo.server.database import Database
from ultimo.server.quotas import OverQuota, Quotas, size, users
from ultimo.server.settings import Config
from ultimo.table import SeatPlan, Settings
from ultimo.table.facts import ChatSaid
from ultimo.table.messages import Sit

pytestmark = pytest.mark.xdist_group("writing_limits")

COMMANDS = count(1)
PLAIN = {"game": "danish", "winner": 1, "counts": {"1": 30, "3": 20}}
ENTRY = msgspec.convert(PLAIN, DanishDeal, strict=False)
FEW = {
    "ULTIMO_DAY_WRITTEN": "25000",
    "ULTIMO_MESSAGE_BURST": "5000",
    "ULTIMO_REQUEST_BURST": "1000",
}


# --- an evening of a club ------------------------------------------------------------------------------


def test_a_club_s_evening_behind_one_address_uses_less_than_a_tenth(tmp_path: Path) -> None:
    """Sixty people play for five hours at twelve tables, with pages and with real cards at once, and talk."""
    tables, deals, people = 12, 5 * 10, 60
    five = Settings("dtf", 5, (SeatPlan("host"), *[SeatPlan("open")] * 4))
    table = Evening(five, 1, (HOST, *(f"p{seat}" for seat in range(1, 5))))
    for seat in range(1, 5):
        table.do(f"p{seat}", Sit(seat))
    table.play_on(3)
    a_deal = size(fact for fact, _ in table.log) / 3
    assert 10_000 < a_deal < 50_000

    dated: Any = {"by": "x" * 12, "at": 1.8e9 + 0.123456}
    said = size([ChatSaid("x" * 12, "Somebody", 0, "x" * 80, "all")])
    booked = size([s.Booked(entry=ENTRY, **dated)])
    noted = size([s.Noted(deal=1, text="x" * 200, **dated)])
    names = tuple(f"m{number}" for number in range(people))
    club = size(c.MemberAdded(member=one, name="Somebody Long", **dated) for one in names)
    club += people * size([c.AttendanceSet(evening="e1", members=names, **dated)])
    talk = people * 5 * 12 * said  # one word in five minutes
    sheets = tables * (deals * booked * 1.5 + 20 * noted)  # every second deal is corrected
    evening = tables * deals * a_deal + talk + sheets + club

    quotas = Quotas(Database(str(tmp_path / "tables.db")), by_day(Config()))
    person, address = users("ada", "192.0.2.1")
    assert evening < quotas.most_of("written", address) / 10
    host = deals * a_deal + evening / people  # pays for the bots of the table, too
    assert host < quotas.most_of("written", person) / 10


# --- what is noted -------------------------------------------------------------------------------------


@pytest.fixture(params=["sqlite", "postgresql"])
def address(request: pytest.FixtureRequest, tmp_path: Path) -> str:
    if request.param == "sqlite":
        return str(tmp_path / "tables.db")
    assert binaries() is not None
    return new_database()


def test_what_several_processes_write_is_added_up_and_ends_with_the_day(address: str) -> None:
    async def main() -> None:
        now, fact = [86400.0 * 100], ["x" * 98]  # with its quotes 100 bytes
        database = Database(address)
        await database.start()
        one, other = (Quotas(database, {"written": 900, "guests": 10}, lambda: now[0]) for _ in "ab")
        home = users("ada", "2001:db8:1:2::/64")
        assert home == ["ada", "at 2001:db8:1:2::/64", "at 2001:db8:1::/48"]
        one.note(home, fact)
        one.note(home, fact)
        one.check_written(home)
        await one.flush()
        await one.flush()
        other.note(home, fact)
        other.check_written(home)
        await other.flush()  # learns what the other process has added
        with pytest.raises(OverQuota):
            other.check_written(home)
        other.check_written(users("bo", "2001:db8:1:2::/64"))  # an address may write five times as much
        await other.measure()
        shown = metrics.exposition().decode()
        assert 'ultimo_day_most{what="written"} 1.0\n' in shown
        assert 'ultimo_day_users{part="0.1",what="written"} 3.0\n' in shown
        assert 'ultimo_day_users{part="1.0",what="written"} 1.0\n' in shown
        assert "ada" not in shown
        now[0] += 86400
        other.check_written(home)
        await database.close()

    asyncio.run(main())


# --- what is refused -----------------------------------------------------------------------------------


@pytest.fixture(scope="module")
def server(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Serving]:
    with Serving(tmp_path_factory.mktemp("writing") / "tables.db", 0, FEW) as serving:
        yield serving
        assert not [line for line in serving.lines if line["level"] in ("error", "critical")]


def write(visitor: Visitor, path: str, kind: str, base: int = 10**6, **wish: Any) -> Answer:
    command = {"cmd": f"command-{next(COMMANDS)}", "base": base, "wish": {"type": kind} | wish}
    return visitor.post(f"{path}?lang=en", command)


def enough(answer: Answer) -> bool:
    """Whether somebody has written enough today."""
    return answer.status == 429 and "written a great deal today" in answer.json["error"]


def test_who_has_written_enough_begins_nothing_and_all_that_is_under_way_goes_on(server: Serving) -> None:
    ada, bo = Visitor(server), Visitor(server)
    ada.enter()
    bo.enter()
    sheet_of = {"rules": "dtf", "names": ["Ada", "Bo", "Ida", "Per"]}
    sheet = "/api/sheets/" + ada.post("/api/sheets", sheet_of).json["id"]
    club = "/api/clubs/" + ada.post("/api/clubs", {"name": "Tarok", "me": "Ada"}).json["id"]
    assert write(ada, club, "OpenEvening", day="2026-12-01").status == 200
    cup = {"name": "Cup", "rules": "dtf", "rounds": 2, "deals": 4}
    tournament = "/api/tournaments/" + ada.post("/api/tournaments", cup).json["id"]
    with AtTable(ada, ada.open_table(deals=2)) as page:
        while page.scene["turn"] is None:
            page.do(wish) if (wish := page.wish()) else page.hear()
        tempos = cycle(("fast", "instant"))
        while (said := page.do({"type": "SetTempo", "tempo": next(tempos)}))["type"] == "done":
            pass
        assert "written a great deal today" in said["reason"]
        for wish in ({"type": "Say", "text": "Hello"}, {"type": "SetTempo", "tempo": next(tempos)}):
            assert "written a great deal today" in page.do(wish)["reason"]
        page.play(1)
        assert "written a great deal today" in page.do({"type": "Ready"})["reason"]
        assert page.do({"type": "Finish"})["type"] == "done"
    seats = [{"kind": "host"}, {"kind": "bot"}, {"kind": "bot"}]
    table = {"settings": {"rules": "dtf", "size": 3, "seats": seats}}
    beginnings = {"tables": table, "sheets": sheet_of, "clubs": {"name": "Tarok"}, "tournaments": cup}
    for what, body in beginnings.items():
        assert enough(ada.post(f"/api/{what}?lang=en", body)), what
        assert bo.post(f"/api/{what}?lang=en", body).status == 201, what
    assert write(ada, sheet, "BookDeal", base=1, entry=PLAIN).status == 200
    assert enough(write(ada, sheet, "NoteDeal", deal=1, text="a note"))
    assert write(ada, sheet, "CloseSheet", base=2).status == 200
    assert enough(write(ada, club, "RenameClub", name="Another"))
    assert write(ada, club, "SetAttendance", evening="e1", members=["m1"]).status == 200
    assert enough(write(ada, tournament, "PublishTournament", public=True))
    assert write(ada, tournament, "CloseTournament").status in (200, 409)


def test_a_sheet_has_room_for_so_many_notes_and_for_entries_after_them() -> None:
    opened = s.Opened(rules="dtf", names=("Ada", "Bo", "Ida", "Per"), by="ada")
    notes = [s.Noted(deal=0, text=str(number), by="ada") for number in range(MOST_NOTES)]
    written((opened, *notes[1:]), ["ada"], NoteDeal(deal=0, text="the last"), 1.0, "en")
    with pytest.raises(Refusal) as refused:
        written((opened, *notes), ["ada"], NoteDeal(deal=0, text="one more"), 1.0, "en")
    assert "500 notes" in str(refused.value.values["reason"])
    _, sheet = written((opened, *notes), ["ada"], BookDeal(entry=ENTRY), 1.0, "en")
    assert len(sheet.entries) == 1
