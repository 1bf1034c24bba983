"""Searches that are kept: whose turn it is between their pieces, and what becomes of those nobody wants."""

from __future__ import annotations

import asyncio
from collections.abc import Awaitable, Callable
from pathlib import Path
from typing import Any

import pytest

from ultimo.answers import positions
from ultimo.kernel import pausing
from ultimo.server import searches
from ultimo.server.processes import begin
from ultimo.server.searches import SHORT, Searches
from ultimo.server.thinking import Unfinished

LONG = SHORT + 1
POSITION = "dtf: F T1 S2 S1 / M T21 T0 HK / B H7 H8 H9"


def begin_plainly() -> None:
    begin()


def write(file: str, word: str) -> str:
    with Path(file).open("a") as written:
        written.write(f"{word}\n")
    return word


def search(file: str, word: str, pieces: int) -> str:
    """Pause so often, as a search does that is granted some positions at a time."""
    for _ in range(pieces):
        write(file, word)
        pausing.granted(1)
    return word


def search_for_ever(file: str, word: str) -> None:
    try:
        search(file, word, 1 << 60)
    except pausing.Abandoned:
        write(file, f"{word} ends")
        raise


def fail(file: str) -> None:
    search(file, "f", 2)
    raise ValueError("no")


def kept() -> int:
    return len(searches._kept)


def die() -> None:
    import os

    os._exit(1)


def run(work: Callable[[Searches], Awaitable[Any]]) -> Any:
    async def whole() -> Any:
        found = Searches(1, begin_plainly, piece=0.0)
        try:
            return await work(found)
        finally:
            await found.close()

    return asyncio.run(whole())


async def until(condition: Callable[[], bool]) -> None:
    while not condition():
        await asyncio.sleep(0.001)


def test_pieces_of_searches_take_turns_and_each_goes_on_where_it_was(tmp_path: Path) -> None:
    file = str(tmp_path / "order")

    async def work(found: Searches) -> list[str]:
        asked = (("here", "Ada"), "a", 3), (("there", "Bo"), "b", 2)
        return await asyncio.gather(
            *(found.stage(asker, SHORT, search, file, word, pieces) for asker, word, pieces in asked)
        )

    assert run(work) == ["a", "b"]
    assert Path(file).read_text().split() == ["a", "b", "a", "b", "a"]


def test_a_puzzle_is_answered_before_the_next_piece_of_a_search(tmp_path: Path) -> None:
    file = tmp_path / "order"

    async def work(found: Searches) -> None:
        greedy = [
            asyncio.create_task(found.stage(("here", f"guest {n}"), LONG, search_for_ever, str(file), "g"))
            for n in range(8)
        ]
        await until(file.exists)
        for _ in range(5):
            before = file.read_text().count("g")
            await found.at_once(("there", "Ada"), write, str(file), "puzzle")
            assert file.read_text().partition("puzzle")[0].count("g") <= before + 1
            file.write_text("g")
        for one in greedy:
            one.cancel()

    run(work)


def test_a_short_search_waits_for_no_other_address_longer_than_a_piece(tmp_path: Path) -> None:
    file = tmp_path / "order"

    async def work(found: Searches) -> None:
        greedy = [
            asyncio.create_task(found.stage(("here", f"guest {n}"), most, search_for_ever, str(file), "g"))
            for n in range(8)
            for most in (SHORT, LONG)
        ]
        await until(lambda: file.exists() and file.read_text().count("g") > 4)
        for most, word in ((SHORT, "short"), (LONG, "long")):
            assert await found.stage(("there", "Ada"), most, search, str(file), word, 4) == word
            between = file.read_text().split(word)[1:-1]
            assert [pieces.split() for pieces in between] == [["g"]] * 3
        for one in greedy:
            one.cancel()

    run(work)


def test_of_an_address_one_long_search_is_kept_and_the_others_wait(tmp_path: Path) -> None:
    file = tmp_path / "order"

    async def work(found: Searches) -> None:
        greedy = [
            asyncio.create_task(found.stage(("here", f"guest {n}"), LONG, search_for_ever, str(file), f"{n}"))
            for n in range(4)
        ]
        await until(lambda: file.exists() and file.read_text().count("0") > 4)
        assert await found.at_once(("there", "Ada"), kept) == 1
        greedy[0].cancel()
        await until(lambda: "1" in file.read_text())
        assert file.read_text().split().count("ends") == 1
        for one in greedy:
            one.cancel()

    run(work)


def test_a_search_for_which_nobody_waits_is_dropped(tmp_path: Path) -> None:
    file = tmp_path / "order"

    async def work(found: Searches) -> None:
        left = asyncio.create_task(found.stage(("here", "Ada"), LONG, search_for_ever, str(file), "a"))
        await until(file.exists)
        left.cancel()
        await until(lambda: "ends" in file.read_text())
        assert await found.at_once(("here", "Ada"), kept) == 0

    run(work)


def test_what_a_search_raises_is_heard_and_a_process_that_dies_begins_again(tmp_path: Path) -> None:
    file = tmp_path / "order"

    async def work(found: Searches) -> None:
        with pytest.raises(ValueError, match="no"):
            await found.stage(("here", "Ada"), SHORT, fail, str(file))
        assert await found.at_once(("here", "Ada"), kept) == 0
        going = asyncio.create_task(found.stage(("here", "Ada"), LONG, search, str(file), "a", 400))
        await until(lambda: "a" in file.read_text())
        with pytest.raises(Unfinished):
            await found.at_once(("there", "Bo"), die)
        assert await going == "a"
        assert file.read_text().count("a") > 400, "what the dead process had found is searched again"

    run(work)


def test_a_stage_of_the_analysis_board_finds_the_same_in_pieces() -> None:
    given = (POSITION, (), "points", "en", positions.BUDGETS[0])

    async def work(found: Searches) -> tuple[bytes, bool, bool]:
        return await found.stage(("here", "Ada"), positions.BUDGETS[0], positions.solved, *given)

    in_pieces, at_once = run(work), positions.solved(*given)
    assert in_pieces[1:] == at_once[1:] == (True, True)
