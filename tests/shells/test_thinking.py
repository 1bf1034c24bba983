"""Where the tutor thinks: whose turn it is, what becomes of pieces whose process dies, who has to wait."""

from __future__ import annotations

import asyncio
import os
import signal
import time
from collections.abc import Awaitable, Callable
from itertools import pairwise
from pathlib import Path
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from ultimo.answers.refusing import Refusal
from ultimo.server.processes import begin
from ultimo.server.thinking import Errands, Thinking, Unfinished, Waited
from ultimo.server.turns import Turns

# --- whose turn it is ----------------------------------------------------------------------------------


def test_people_take_turns_however_much_one_of_them_wants() -> None:
    turns = Turns[str]()
    for number in range(50):
        turns.add(("greedy",), f"g{number}")
    turns.add(("Ada",), "a0")
    turns.add(("Bo",), "b0")
    turns.add(("Ada",), "a1")
    assert [turns.take() for _ in range(6)] == ["g0", "a0", "b0", "g1", "a1", "g2"]
    assert len(turns) == 47


def test_addresses_take_turns_however_many_people_one_of_them_has() -> None:
    turns = Turns[str]()
    for number in range(8):
        turns.add(("2001:db8::/48", f"2001:db8:0:{number % 2}::/64", f"guest {number}"), f"g{number}")
    turns.add(("192.0.2.1", "Ada"), "a0")
    turns.add(("192.0.2.1", "Bo"), "b0")
    turns.add(("192.0.2.1", "Ada"), "a1")
    assert [turns.take() for _ in range(8)] == ["g0", "a0", "g1", "b0", "g2", "a1", "g3", "g4"]
    assert turns.drop(("2001:db8::/48", "2001:db8:0:1::/64", "guest 5"), "g5")
    assert [turns.take({"2001:db8:0:1::/64"}) for _ in range(2)] == ["g6", None]
    assert len(turns) == 1


def test_what_is_urgent_goes_first_also_by_turns() -> None:
    turns = Turns[str]()
    turns.add(("Ada",), "review")
    for number in range(2):
        turns.add(("Bo",), f"b{number}", urgent=True)
    turns.add(("Ada",), "hint", urgent=True)
    assert [turns.take() for _ in range(5)] == ["b0", "hint", "b1", "review", None]


def test_what_nobody_wants_any_more_is_left_out() -> None:
    turns = Turns[str]()
    turns.add(("Ada",), "a")
    turns.add(("Bo",), "b")
    assert turns.drop(("Ada",), "a")
    assert not turns.drop(("Ada",), "a")
    assert not turns.drop(("Bo",), "a")
    assert [turns.take(), turns.take()] == ["b", None]


@given(st.lists(st.sampled_from("abcde"), max_size=40))
def test_nobody_comes_twice_while_somebody_waits(people: list[str]) -> None:
    turns = Turns[tuple[str, int]]()
    for number, person in enumerate(people):
        turns.add((person,), (person, number))
    taken = [turns.take() for _ in people]
    assert sorted(filter(None, taken)) == sorted((person, number) for number, person in enumerate(people))
    for person in set(people):
        mine = [place for place, piece in enumerate(taken) if piece is not None and piece[0] == person]
        for first, second in pairwise(mine):
            between = [piece[0] for piece in taken[first + 1 : second] if piece is not None]
            assert len(between) == len(set(between))


# --- pieces in processes -------------------------------------------------------------------------------


def begin_plainly() -> None:
    begin()


def add(first: int, second: int) -> int:
    return first + second


def die_until(file: str, times: int) -> str:
    """Die as often as told, and then come to an end."""
    with Path(file).open("a") as written:
        written.write("x")
    if len(Path(file).read_text()) <= times:
        os.kill(os.getpid(), signal.SIGKILL)
    return "done"


def note(file: str, word: str, seconds: float = 0.0) -> None:
    with Path(file).open("a") as written:
        written.write(f"{word}\n")
    time.sleep(seconds)


def refuse() -> None:
    raise ValueError("no")


def run(work: Callable[[Thinking], Awaitable[Any]], **options: Any) -> Any:
    async def whole() -> Any:
        thinking = Thinking(1, begin_plainly, **options)
        try:
            return await work(thinking)
        finally:
            await thinking.close()

    return asyncio.run(whole())


def test_a_piece_whose_process_dies_is_tried_once_more(tmp_path: Path) -> None:
    once, twice = str(tmp_path / "once"), str(tmp_path / "twice")

    async def work(thinking: Thinking) -> None:
        assert await thinking.think(("Ada",), die_until, once, 1) == "done"
        with pytest.raises(Unfinished):
            await thinking.think(("Ada",), die_until, twice, 2)
        assert await thinking.think(("Ada",), add, 1, 2) == 3
        with pytest.raises(ValueError, match="no"):
            await thinking.think(("Ada",), refuse)

    run(work)


def test_a_hint_comes_before_the_pieces_that_wait(tmp_path: Path) -> None:
    file = str(tmp_path / "order")

    async def work(thinking: Thinking) -> None:
        begun = [
            asyncio.create_task(thinking.think(("greedy",), note, file, f"g{turn}")) for turn in range(3)
        ]
        begun.append(asyncio.create_task(thinking.think(("Ada",), note, file, "a")))
        await asyncio.sleep(0)
        assert thinking.waiting == 3
        await thinking.think(("Bo",), note, file, "hint", urgent=True)
        await asyncio.gather(*begun)

    run(work)
    assert Path(file).read_text().split() == ["g0", "hint", "g1", "a", "g2"]


def test_pieces_for_which_nobody_waits_are_not_begun(tmp_path: Path) -> None:
    file = str(tmp_path / "order")

    async def work(thinking: Thinking) -> None:
        first = asyncio.create_task(thinking.think(("Ada",), note, file, "first"))
        left = asyncio.create_task(thinking.think(("Bo",), note, file, "left"))
        await asyncio.sleep(0)
        left.cancel()
        await first
        await thinking.think(("Ada",), note, file, "last")

    run(work)
    assert Path(file).read_text().split() == ["first", "last"]


def test_what_takes_too_long_is_given_up(tmp_path: Path) -> None:
    async def work(thinking: Thinking) -> None:
        with pytest.raises(Unfinished):
            await thinking.think(("Ada",), note, str(tmp_path / "x"), "endless", 1e6)

    run(work, patience=0.5)


def test_whose_turn_does_not_come_in_time_waits_no_longer_and_thinking_is_no_waiting(tmp_path: Path) -> None:
    file = tmp_path / "order"

    async def work(thinking: Thinking) -> None:
        endless = asyncio.create_task(thinking.think(("greedy",), note, str(file), "endless", 1e6, wait=60.0))
        while not file.exists():
            await asyncio.sleep(0.01)
        (piece,) = thinking._at
        assert piece.limit.when() is None
        with pytest.raises(Waited):
            await thinking.think(("Ada",), note, str(file), "never", wait=0.01)
        assert not endless.done()
        assert thinking.waiting == 0
        endless.cancel()

    run(work)
    assert file.read_text().split() == ["endless"]


def test_whoever_waits_when_the_server_stops_hears_so(tmp_path: Path) -> None:
    async def work(thinking: Thinking) -> None:
        waiting = [
            asyncio.create_task(thinking.think(("Ada",), note, str(tmp_path / "x"), "endless", 1e6))
            for _ in range(2)
        ]
        await asyncio.sleep(0)
        await thinking.close()
        found = await asyncio.gather(*waiting, return_exceptions=True)
        assert [type(one) for one in found] == [Unfinished, Unfinished]
        with pytest.raises(Unfinished):
            await thinking.think(("Ada",), add, 1, 1)

    run(work)


# --- who has to wait -----------------------------------------------------------------------------------


def refused(errands: Errands, *wish: Any) -> str:
    with pytest.raises(Refusal) as refusal:
        asyncio.run(errands.take(*wish))
    assert refusal.value.status == 429
    return refusal.value.why


def test_one_thing_of_a_kind_each_and_so_many_an_address_and_altogether() -> None:
    errands = Errands(most=3, most_here=2, pause=0.0)

    def take(*wish: Any) -> Callable[[], None]:
        return asyncio.run(errands.take(*wish))

    first = take("review", "Ada", "here", 1)
    assert refused(errands, "review", "Ada", "there", 2) == "tutorOnce"
    again = take("review", "Ada", "here", 1)
    assert refused(errands, "review", "Bo", "here", 1) == "tooMany"
    third = take("review", "Bo", "there", 5)
    assert refused(errands, "review", "Cy", "far", 6) == "tutorBusy"
    take("search", "Cy", "far", 6)
    first()
    assert refused(errands, "review", "Ada", "there", 2) == "tutorOnce"
    again()
    third()
    take("review", "Ada", "there", 2)


def test_what_somebody_has_just_left_is_waited_for() -> None:
    async def work() -> None:
        errands = Errands(most=3, most_here=3)
        release = await errands.take("search", "Ada", "here", 1)
        asyncio.get_running_loop().call_soon(release)
        await errands.take("search", "Ada", "here", 2)

    asyncio.run(work())
