"""`ultimo puzzle` and `ultimo puzzles`: solved in the terminal in four languages, found, and checked."""

from __future__ import annotations

from pathlib import Path

import pytest

from commands import fails, ultimo
from ultimo.names import LANGUAGES, puzzling
from ultimo.tutor.school.puzzles.puzzle import collection, puzzle, write


@pytest.mark.parametrize("language", LANGUAGES)
def test_a_puzzle_is_solved_in_every_language(language: str) -> None:
    done = ultimo("puzzle", "--id", "hermansen-2", "--lang", language, given="t21\nnonsense\n1\n")
    assert (done.status, done.err) == (0, "")
    text = puzzling(language)
    assert text["told.right"] in done.out
    assert text["terminal.unknown"] in done.out
    assert text["told.solved"].partition("{")[0] in done.out
    assert text["terminal.score"].format(solved=1, tried=1) in done.out
    assert "{" not in done.out


def test_a_wrong_move_is_explained() -> None:
    out = ultimo("puzzle", "--id", "hermansen-2", "--lang", "en", given="1\n").out
    assert "♠2 does not reach the goal." in out
    assert "The only right move was T21." in out
    assert "The others answer:" in out
    assert "0 of 1 solved." in out


def test_not_to_demand_the_skus_is_answered_without_it() -> None:
    out = ultimo("puzzle", "--id", "hermansen-1", "--lang", "en", given="1\n2\n").out
    assert "You have to demand the skus here; without a demand the goal is lost." in out
    answer = out.partition("The others answer:")[2].partition("The right line:")[0]
    assert answer
    assert "Demand" not in answer


def test_one_can_stop_at_any_time_and_the_order_can_be_had_again() -> None:
    chosen = [
        ultimo("puzzle", "--theme", "king", "--seed", 4, "--lang", "en", given="q\n").out for _ in range(2)
    ]
    assert chosen[0] == chosen[1]
    assert chosen[0].startswith("King ultimo")
    assert "solved" not in chosen[0]
    assert ultimo("puzzle", "--rules", "french3", "--seed", 1, given="").out.count("french3") == 1


def test_what_is_not_there_is_complained_about() -> None:
    assert fails("puzzle", "--id", "none") == "--id: there is no puzzle 'none'"
    assert (
        fails("puzzle", "--theme", "slam", "--rules", "dtf")
        == "there is no puzzle with this theme and these rules"
    )
    assert "there is no 'x'" in fails("puzzles", "make", "--rules", "x", "--out", "y")
    assert "these rulebooks have none" in fails(
        "puzzles", "make", "--rules", "dtf", "--themes", "slam", "--out", "y"
    )


def test_unsound_puzzles_are_found(tmp_path: Path) -> None:
    one = puzzle("hermansen-2")
    file = tmp_path / "some.jsonl"
    file.write_bytes(write([one, one]))
    done = ultimo("puzzles", "verify", file)
    assert (done.status, done.err) == (1, "hermansen-2 and hermansen-2 are alike\n")
    file.write_bytes(write([one]))
    assert ultimo("puzzles", "verify", file).out == "1 puzzles: all are sound.\n"
    file.write_bytes(b'{"id": 1}\n')
    assert "some.jsonl" in fails("puzzles", "verify", file)


def test_another_search_is_not_mixed_into_one_that_was_begun(tmp_path: Path) -> None:
    part = tmp_path / "new.jsonl.part"
    part.write_text(
        '{"order":{"rules":["dtf"],"themes":["stop"],"number":1,"seed":2,"deals":1},"puzzles":[],"next":{}}'
    )
    said = fails(
        "puzzles", "make", "--rules", "dtf", "--themes", "stop", "--number", 1, "--out", part.with_suffix("")
    )
    assert "another search was begun here" in said


def test_the_collection_is_small() -> None:
    assert len(write(list(collection()))) < 400_000
