"""The house on a device answers as the server does, keeps everything, and says what it cannot do."""

from __future__ import annotations

import asyncio
import json
from random import Random

import msgspec
import pytest

from alone import any_answer
from device import Device, in_a_trick, is_over
from ultimo.answers import puzzles, school
from ultimo.names import LANGUAGES
from ultimo.pocket.storage import Conflict, Full, Kind, Memory
from ultimo.tutor.school import course
from ultimo.tutor.school.puzzles.puzzle import Puzzle


def test_a_deal_is_played_to_its_end_and_kept() -> None:
    async def evening() -> None:
        device = Device()
        table = await device.table()
        assert table.startswith("~")
        await device.play(table, is_over)
        (played,) = (await device.ask("GET", "/api/history"))[1]
        assert played["id"] == table
        assert played["deals"] == 1
        for path in ("", "/rules", "/ledger", "/replay/1", "/fair/1"):
            assert (await device.ask("GET", f"/api/tables/{table}{path}"))[0] == 200
        status, record = await device.ask("GET", f"/api/tables/{table}/record?form=jsonl")
        assert status == 200
        assert record.startswith(b'{"')
        assert {message["type"] for message in device.told} >= {"full", "update", "done"}

    asyncio.run(evening())


def test_the_list_knows_a_result_before_it_is_shown(monkeypatch: pytest.MonkeyPatch) -> None:
    """A page that is closed as soon as it shows a result leaves no deal out of the list."""

    async def evening() -> None:
        device = Device()
        table = await device.table()
        kept = device.storage.describe

        async def described(log: str, kind: Kind, line: str) -> None:
            await kept(log, kind, line)
            device.told.append({"type": "described"})

        monkeypatch.setattr(device.storage, "describe", described)
        await device.play(table, is_over)
        types = [message["type"] for message in device.told]
        last = len(types) - 1 - types[::-1].index("described")
        assert "update" in types[last:]

    asyncio.run(evening())


def test_a_game_is_watched_and_played_on() -> None:
    async def evening() -> None:
        device = Device()
        _, told = await device.ask("GET", "/api/games")
        name = told["games"][0]["id"]
        status, game = await device.ask("GET", f"/api/games/{name}")
        assert (status, game["game"]["id"]) == (200, name)
        _, review = await device.ask("GET", f"/api/games/{name}/review")
        step = next(
            one["step"] - 1 for one in review["decisions"] if len(one["options"]) > 1 and one["trick"]
        )
        assert (await device.ask("GET", f"/api/games/{name}/position/{step}"))[0] == 200
        status, made = await device.ask("POST", f"/api/games/{name}/again", {"step": step, "seat": 0})
        assert status == 201
        await device.play(made["id"], is_over)
        assert (await device.ask("GET", "/api/games/none"))[0] == 404

    asyncio.run(evening())


def test_a_table_goes_on_where_it_was_left_in_the_middle_of_a_trick() -> None:
    async def evening() -> None:
        first = Device()
        table = await first.table()
        await first.play(table, in_a_trick)
        left = (await first.house.tables.hold(table)).live
        second = Device(first.storage)  # the tab was closed, and another one is opened
        assert (await second.house.tables.hold(table)).live == left
        await second.play(table, is_over)
        assert len((await second.ask("GET", "/api/history"))[1]) == 1

    asyncio.run(evening())


def test_a_command_is_obeyed_once() -> None:
    async def evening() -> None:
        device = Device()
        table = await device.table()
        await device.play(table, in_a_trick)
        held, person = await device.house.tables.hold(table), await device.house.person("en")
        wish = device.wish(held, Random(1))
        assert wish is not None
        seq = await held.do(person, "the-command", wish)
        assert await held.do(person, "the-command", wish) == seq

    asyncio.run(evening())


def test_a_full_device_refuses_and_loses_nothing(monkeypatch: pytest.MonkeyPatch) -> None:
    async def evening() -> None:
        device = Device()
        table = await device.table()
        await device.play(table, in_a_trick)
        before = (await device.house.tables.hold(table)).live

        async def full(*_: object) -> None:
            raise Full

        monkeypatch.setattr(device.storage, "append", full)
        wish = {"rules": "dtf", "names": ["A", "B", "C"], "dealer": 0}
        status, told = await device.ask("POST", "/api/sheets", wish)
        assert status == 507
        assert "full" in told["error"]
        assert (await Device(device.storage).house.tables.hold(table)).live == before

    asyncio.run(evening())


def test_a_page_is_told_when_a_table_cannot_go_on_and_comes_back(monkeypatch: pytest.MonkeyPatch) -> None:
    async def evening() -> None:
        device = Device()
        table = await device.table()

        async def full(*_: object) -> None:
            raise Full

        with monkeypatch.context() as patched:
            patched.setattr(device.storage, "append", full)
            await device.house.open(table, "en", lambda text: device.told.append(json.loads(text)))
            while device.told[-1]["type"] != "goodbye":
                await asyncio.sleep(0)
        assert device.told[-1]["again"]
        assert "full" in device.told[-1]["reason"]
        await device.play(table, is_over)

    asyncio.run(evening())


def test_whoever_has_not_seen_what_another_wrote_comes_back() -> None:
    async def evening() -> None:
        first = Device()
        table = await first.table()
        await first.play(table, in_a_trick)
        talk = await first.house.open(table, "en", lambda text: first.told.append(json.loads(text)))
        assert talk is not None
        wish = msgspec.to_builtins(first.wish(await first.house.tables.hold(table), Random(1)))
        second = Device(first.storage)
        await second.play(table, is_over)
        await talk.hear(json.dumps({"type": "do", "cmd": "the-command", "wish": wish}))
        assert first.told[-1]["type"] == "goodbye"
        assert first.told[-1]["again"]
        assert (await first.house.tables.hold(table)).live.moment == "over"

    asyncio.run(evening())


@pytest.mark.parametrize("language", LANGUAGES)
def test_what_needs_a_server_says_so(language: str) -> None:
    async def evening() -> None:
        device = Device()
        for method, path in (("GET", "/api/clubs"), ("POST", "/api/login"), ("GET", "/api/figures")):
            status, told = await device.ask(method, path, {}, language)
            assert status == 501
            assert told["error"]
        seats = [{"kind": "host"}, {"kind": "bot", "level": "expert"}, {"kind": "open"}]
        settings = {"rules": "dtf", "size": 3, "seats": seats}
        status, told = await device.ask("POST", "/api/tables", {"settings": settings}, language)
        assert status == 409
        assert told["error"]

    asyncio.run(evening())


def test_an_evening_with_real_cards_is_written_down() -> None:
    async def evening() -> None:
        device = Device()
        status, made = await device.ask(
            "POST", "/api/sheets", {"rules": "dtf", "names": ["Ada", "Bo", "Cy"], "dealer": 0}
        )
        assert status == 201
        sheet = f"/api/sheets/{made['id']}"
        shown = (await device.ask("GET", sheet))[1]
        wish = {"type": "NoteDeal", "deal": 0, "text": "in the cellar"}
        note = {"cmd": "the-first-note", "base": shown["seq"], "wish": wish}
        assert (await device.ask("POST", sheet, note))[0] == 200
        assert (await device.ask("POST", sheet, note))[0] == 200  # the same once more is written once
        again = (await Device(device.storage).ask("GET", sheet))[1]
        assert again["note"] == "in the cellar"
        assert again["seq"] == shown["seq"] + 1
        assert [one["id"] for one in (await device.ask("GET", "/api/sheets"))[1]] == [made["id"]]
        assert (await device.ask("DELETE", sheet))[0] == 204
        assert (await device.ask("GET", sheet))[0] == 404

    asyncio.run(evening())


def test_who_is_deleted_leaves_nothing_on_the_device() -> None:
    async def evening() -> None:
        device = Device()
        table = await device.table()
        await device.play(table, in_a_trick)
        sheet = (await device.ask("POST", "/api/sheets", {"rules": "dtf", "names": ["a", "b", "c"]}))[1]["id"]
        before = (await device.ask("POST", "/api/enter", {}))[1]["id"]
        assert (await device.ask("DELETE", "/api/me"))[0] == 204
        for path in (f"/api/tables/{table}", f"/api/tables/{table}/ledger", f"/api/sheets/{sheet}"):
            assert (await device.ask("GET", path))[0] == 404
        for path in ("/api/history", "/api/sheets"):
            assert (await device.ask("GET", path))[1] == []
        assert (await device.ask("POST", "/api/enter", {}))[1]["id"] != before

    asyncio.run(evening())


def test_what_was_learned_is_remembered() -> None:
    async def evening() -> None:
        device, path = Device(), "/api/school/lessons/aim/0"
        widget = course.lesson("aim").exercises[0].question(course.lesson("aim").pen("en")).widget
        right = school.lesson_verdict("aim", 0, any_answer(widget), "en").answer
        status, verdict = await device.ask("POST", path, {"answer": right})
        assert (status, verdict["right"]) == (200, True)
        told = (await Device(device.storage).ask("GET", "/api/school"))[1]
        lessons = {one["name"]: one["solved"] for chapter in told["chapters"] for one in chapter["lessons"]}
        assert [name for name, solved in lessons.items() if solved] == ["aim"]

    asyncio.run(evening())


def test_a_run_of_a_trainer_counts_right_answers_and_ends_with_a_wrong_one() -> None:
    async def evening() -> None:
        device, asked = Device(), ("declarations", "dtf", "1")

        async def answer(n: int, right: bool) -> tuple[int, int]:
            widget = school.trainer_question(*asked, n, "en").widget
            any_one = any_answer(widget)
            known = school.trainer_verdict(*asked, n, any_one, "en").answer
            given = known if right else next(one for one in (any_one, ("1",), ("2",)) if one != known)
            path = f"/api/school/trainers/declarations?rules=dtf&seed=1&n={n}"
            told = (await device.ask("POST", path, {"answer": given}))[1]
            return told["streak"], told["best"]

        assert [await answer(0, True), await answer(1, True)] == [(1, 1), (2, 2)]
        assert await answer(2, False) == (0, 2)
        assert await answer(3, True) == (0, 2)
        runs = [item for item in await device.house.progress() if item.startswith("run/")]
        assert runs == ["run/declarations/dtf/1"]

    asyncio.run(evening())


def test_one_person_lives_here_however_many_questions_come_at_once() -> None:
    class Slow(Memory):
        async def get(self, key: str) -> str | None:
            found = await super().get(key)
            await asyncio.sleep(0)
            return found

    async def evening() -> None:
        house = Device(Slow()).house
        one, other = await asyncio.gather(house.person("en"), house.person("en"))
        assert one == other

    asyncio.run(evening())


def test_a_puzzle_of_the_day_that_takes_too_long_here_is_another_here() -> None:
    def usual(day: int) -> Puzzle:
        return puzzles.of_the_day(day * puzzles.DAY)

    long = next(day for day in range(100) if usual(day).rules == "french4" and usual(day).tricks > 5)

    async def evening() -> None:
        device = Device()

        async def told(day: int) -> str:
            device.house.clock = lambda: day * float(puzzles.DAY)
            name: str = (await device.ask("GET", "/api/puzzles"))[1]["day"]
            return name

        assert await told(0) == usual(0).id  # the same as everybody's
        assert await told(long) != usual(long).id
        assert (await device.ask("GET", f"/api/puzzles/{usual(long).id}"))[0] == 501
        assert (await device.ask("GET", "/api/puzzles/day"))[0] == 200

    asyncio.run(evening())


def test_two_writers_of_a_log_are_noticed() -> None:
    async def evening() -> None:
        storage = Memory()
        await storage.append("~log", 0, ["1"], None)
        with pytest.raises(Conflict):
            await storage.append("~log", 0, ["2"], None)

    asyncio.run(evening())
