"""The first start: tables are played before anything is compiled, and compiled bots take over."""

from __future__ import annotations

import asyncio
import fcntl
import gc
from collections.abc import Iterator
from concurrent.futures import Future
from contextlib import ExitStack
from pathlib import Path
from random import Random

import pytest

from page_client import failures
from serving import AtTable, Serving, Visitor, until
from table import DANISH, FRENCH
from ultimo import rulebook
from ultimo.events import Action
from ultimo.kernel.cache import cache_home, stamp
from ultimo.play.choices import Choices
from ultimo.players import Match, View, create
from ultimo.players.warming import CLUB, compile_once, is_ready
from ultimo.server import bots
from ultimo.server.bots import Bots, Compiling, Lane
from ultimo.server.processes import decision

FAILED = "compiling has failed: bots go on uncompiled"
COMPILED = "__import__('ultimo.kernel.jit', fromlist=['jit']).COMPILED"


@pytest.fixture
def compiled() -> Path:
    """The folder that tests share, with all that club players need."""
    for name in CLUB:
        compile_once(name)
        assert is_ready(name)
    return cache_home()


@pytest.fixture
def cache(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """An empty folder for compiled code."""
    folder = tmp_path / "cache"
    folder.mkdir()
    monkeypatch.setenv("ULTIMO_CACHE", str(folder))
    return folder


def locks() -> Iterator[Path]:
    """The files on which those wait who want to compile what somebody else compiles now."""
    for name, module in CLUB.items():
        yield stamp(name.lower().replace(" ", "-"), module).with_suffix(".lock")


def speed(visitor: Visitor) -> str:
    """How bots think, as the server says."""
    told: str = visitor.get("/readyz").json["bots"]
    gauge = b"ultimo_bots_compiled 1.0" if told == "compiled" else b"ultimo_bots_compiled 0.0"
    assert gauge in visitor.get("/metrics").body
    return told


def test_the_first_table_is_played_before_anything_is_compiled_and_compiled_bots_take_over(
    compiled: Path, cache: Path, tmp_path: Path
) -> None:
    with ExitStack() as stack:
        with ExitStack() as held:
            for path in locks():
                fcntl.flock(held.enter_context(path.open("w")), fcntl.LOCK_EX)
            server = stack.enter_context(Serving(tmp_path / "tables.db"))
            visitor = Visitor(server)
            visitor.enter()
            pages = [
                stack.enter_context(AtTable(visitor, visitor.open_table(book, size, level="club")))
                for book, size in (("dtf", 3), ("french4", 4))
            ]
            for page in pages:
                page.play()
            assert speed(visitor) == "compiling"
            assert {path.suffix for path in cache.iterdir()} == {".lock"}
            for folder in filter(Path.is_dir, compiled.iterdir()):  # as if another server had compiled it
                (cache / folder.name).symlink_to(folder)
            for path in locks():
                path.with_suffix(".ready").touch()
        server.logged("bots are compiled")
        assert speed(visitor) == "compiled"
        for page in pages:
            page.play(deal=2)
        assert not failures(server)


def test_what_is_compiled_already_is_not_compiled_again(compiled: Path, tmp_path: Path) -> None:
    with Serving(tmp_path / "tables.db") as server:
        server.logged("bots are compiled")
        assert speed(Visitor(server)) == "compiled"
        assert "compiling" not in {line["event"] for line in server.lines}


def test_bots_go_on_uncompiled_if_compiling_fails(tmp_path: Path) -> None:
    (tmp_path / "file").touch()
    nowhere = {"ULTIMO_CACHE": str(tmp_path / "file" / "cache")}
    with Serving(tmp_path / "tables.db", env=nowhere) as server:
        visitor = Visitor(server)
        visitor.enter()
        server.logged(FAILED)
        until(lambda: speed(visitor) == "uncompiled")
        with AtTable(visitor, visitor.open_table(level="club")) as page:
            page.play()
        assert [line["event"] for line in failures(server)] == [FAILED]


def test_bots_are_plain_where_nothing_shall_be_compiled(tmp_path: Path) -> None:
    with Serving(tmp_path / "tables.db", env={"NUMBA_DISABLE_JIT": "1"}) as server:
        visitor = Visitor(server)
        visitor.enter()
        with AtTable(visitor, visitor.open_table("french3", level="beginner")) as page:
            page.play()
        assert speed(visitor) == "uncompiled"
        assert not failures(server)


# --- the same choices ----------------------------------------------------------------------------------


class Noting:
    """A club player who keeps what it has decided, and what it knew."""

    def __init__(self) -> None:
        self.decided: list[tuple[View, Choices]] = []

    def choose(self, view: View, choices: Choices, /) -> Action:
        self.decided.append((view, choices))
        return create("club", 1).choose(view, choices)


def decisions(book: str) -> list[tuple[View, Choices]]:
    """All that is to decide in a deal."""
    rules, player = rulebook.load(book), Noting()
    size = rules.sizes[0]
    match = Match(
        rules, [str(seat) for seat in range(size)], dict.fromkeys(range(size), player), Random(book)
    )
    for _ in match.play_deals(1):
        pass
    return [(view, choices) for view, choices in player.decided if len(choices) > 1]


def test_bots_choose_alike_compiled_and_uncompiled_and_in_the_server(
    compiled: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(bots, "QUICK", 0.0)

    async def main() -> None:
        lanes, here = (Lane("club", 1), Lane("club", 1, plain=True)), Bots(1)
        here._is_in = True
        try:
            asked = [lane._executor().submit(eval, COMPILED) for lane in lanes]
            assert [await asyncio.wrap_future(one) for one in asked] == [True, False]
            for book in (*DANISH, *FRENCH):
                for level in ("beginner", "club"):
                    for view, choices in decisions(book):
                        fast, plain = [await lane.choose(level, "1", view, choices) for lane in lanes]
                        assert fast == plain == await here.choose(level, "1", view, choices)
        finally:
            for lane in lanes:
                lane.close()

    asyncio.run(main())


# --- what may go wrong ---------------------------------------------------------------------------------


def test_the_family_that_a_table_asks_for_is_compiled_first(cache: Path) -> None:
    compiling = Compiling()
    assert compiling.waiting == ("Danish club", "French club")
    compiling.ask_for(rulebook.load("french5"))
    assert compiling.waiting == ("French club", "Danish club")
    compiling.ask_for(rulebook.load("jensen"))
    assert compiling.waiting == ("Danish club", "French club")


def test_bots_that_are_stopped_before_they_are_ready_end_quietly(cache: Path) -> None:
    told: list[str] = []

    async def main() -> None:
        asyncio.get_running_loop().set_exception_handler(lambda _, context: told.append(context["message"]))
        lane = Lane("club", 1, plain=True)
        lane.start()
        waiting = asyncio.create_task(lane.until_ready())
        await asyncio.sleep(0)
        waiting.cancel()
        await asyncio.wait([waiting])
        await asyncio.to_thread(lane.close)
        await asyncio.sleep(0)
        gc.collect()

    asyncio.run(main())
    assert told == []


@pytest.mark.parametrize("failure", [None, RuntimeError("not today")])
def test_nobody_waits_for_compiled_bots_that_do_not_get_ready(
    failure: Exception | None, compiled: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """The folder may be that of another machine, whose code is of no use here."""
    monkeypatch.setattr(bots, "GRACE", 0.01)
    view, choices = decision("dtf", 3)

    class Late(Lane):
        def start(self) -> None:
            self._starting = [Future()]
            if failure is not None:
                self._starting[0].set_exception(failure)

    async def main() -> None:
        some = Bots(1)
        some._quick = Late("club", 1)
        try:
            assert await some.choose("club", "1", view, choices) == create("club", 1).choose(view, choices)
            assert some._plain.works
            assert some.speed == ("compiling" if failure is None else "uncompiled")
        finally:
            await some.close()

    asyncio.run(main())
