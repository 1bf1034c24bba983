"""A game that was cut off at any byte goes on, and loses at most the last action."""

from __future__ import annotations

from bisect import bisect_right
from functools import cache
from pathlib import Path
from tempfile import TemporaryDirectory

import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

from commands import fails, ultimo
from sessions import evening, happened
from ultimo.cli.play.plain import PlainTable
from ultimo.cli.play.saving import Saved, SaveFile, load
from ultimo.events import Event
from ultimo.record.check import steps


@cache
def whole_game(book: str, table: int) -> tuple[bytes, list[Event], list[int]]:
    """A saved evening of one deal: its bytes, its events, and after how many of them each action ends."""
    session = evening(book, table, deals=1)
    PlainTable(session, lambda: "", lambda _: None).run()
    rules, events = session.live.rules, happened(session)
    with TemporaryDirectory() as folder:
        path = Path(folder) / "whole.jsonl"
        SaveFile(path, Saved(rules, table, 0, (tuple(events),))).close()
        data = path.read_bytes()
    ends = [step.index + len(step.events) for _, step in steps(rules, events)]
    return data, events, ends


@pytest.mark.parametrize(("book", "table"), [("dtf", 4), ("french5", 5)])
@given(data=st.data())
@settings(max_examples=120, deadline=None, suppress_health_check=[HealthCheck.function_scoped_fixture])
def test_a_cut_loses_at_most_the_last_action(
    book: str, table: int, data: st.DataObject, tmp_path: Path
) -> None:
    whole, events, ends = whole_game(book, table)
    header = whole.index(b"\n")
    cut = data.draw(st.integers(header, len(whole)))
    path = tmp_path / "cut.jsonl"
    path.write_bytes(whole[:cut])
    complete = whole[:cut].count(b"\n") - 1 + whole[cut : cut + 1].startswith(b"\n")
    kept = ends[bisect_right(ends, max(complete, 0)) - 1] if complete > 0 else 0
    assert [event for step in load(path).played for event in step] == events[:kept]


@pytest.mark.parametrize("place", range(0, 100, 7))
def test_the_game_goes_on_from_there(place: int, tmp_path: Path) -> None:
    """To its end, and what comes out is a legal record."""
    whole, _, _ = whole_game("dtf", 4)
    header = whole.index(b"\n") + 1
    cut = header + (len(whole) - header - 60) * place // 100
    path = tmp_path / "cut.jsonl"
    path.write_bytes(whole[:cut])
    done = ultimo("play", "--resume", path, "--deals", 1, "--seed", 1, given="\n" * 300)
    assert done.status == 0
    assert "The game is over" in done.out
    assert ultimo("replay", path).status == 0


def test_a_header_that_is_cut_off_is_said(tmp_path: Path) -> None:
    whole, _, _ = whole_game("dtf", 4)
    path = tmp_path / "cut.jsonl"
    for cut in (0, 1, 40, whole.index(b"\n") - 1):
        path.write_bytes(whole[:cut])
        assert fails("play", "--resume", path).startswith(f"{path}:1:")
        assert path.read_bytes() == whole[:cut]


def test_a_game_that_was_never_dealt_begins_anew(tmp_path: Path) -> None:
    whole, _, _ = whole_game("dtf", 4)
    path = tmp_path / "cut.jsonl"
    path.write_bytes(whole[: whole.index(b"\n") + 1])
    assert ultimo("play", "--resume", path, "--deals", 1, "--seed", 1, given="\n" * 300).status == 0


def test_damage_in_the_midst_is_no_torn_end(tmp_path: Path) -> None:
    whole, _, _ = whole_game("dtf", 4)
    path = tmp_path / "damaged.jsonl"
    lines = whole.split(b"\n")
    path.write_bytes(b"\n".join([*lines[:20], lines[20][:-5], *lines[21:]]))
    assert fails("play", "--resume", path).startswith(f"{path}:21:")
    path.write_bytes(b"\n".join([*lines[:20], *lines[22:]]))
    assert fails("play", "--resume", path).startswith(f"{path}:2")
    path.write_bytes(whole.replace(b'"seat":0}', b'"seat":9}', 1))
    assert fails("play", "--resume", path) == f"{path}:1:1: the record does not say which 'seat' you sit"
