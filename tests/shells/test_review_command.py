"""`ultimo review`: decisions with grades, luck and play; every error in a clear sentence."""

from __future__ import annotations

import json
from pathlib import Path

import pytest

from commands import fails, ultimo
from ultimo.names import LANGUAGES
from ultimo.tutor.grades import GRADES


@pytest.fixture(scope="module")
def games(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """Two deals of a French table."""
    file = tmp_path_factory.mktemp("reviews") / "games.jsonl"
    made = ultimo("simulate", "--rules", "french3", "--deals", 2, "--players", "club", "--out", file)
    assert made.status == 0
    return file


@pytest.mark.parametrize("language", LANGUAGES)
def test_a_review_is_told_in_every_language(games: Path, language: str) -> None:
    done = ultimo("review", games, "--deal", 2, "--seat", 1, "--samples", 2, "--lang", language)
    assert done.status == 0
    assert done.err == ""
    lines = done.out.splitlines()
    assert lines[0].endswith("2")
    assert sum("club 1" in line for line in lines) > 24
    assert "{" not in done.out


def test_a_review_for_programs_is_the_same_again(games: Path) -> None:
    one, two = (ultimo("review", games, "--samples", 2, "--json") for _ in range(2))
    assert one == two
    reviews = json.loads(one.out)
    assert [review["deal"] for review in reviews] == [1, 2]
    for review in reviews:
        assert {one["grade"] for one in review["decisions"]} <= set(GRADES)
        assert sum(seat["result"] for seat in review["seats"]) == 0


def test_a_seat_has_a_number_or_a_name(games: Path) -> None:
    by_number = ultimo("review", games, "--deal", 1, "--seat", 2, "--samples", 1)
    assert by_number == ultimo("review", games, "--deal", 1, "--seat", "club 2", "--samples", 1)
    assert by_number.status == 0


def test_errors_are_clear(games: Path, tmp_path: Path) -> None:
    assert fails("review", tmp_path / "none.jsonl").endswith("none.jsonl: No such file or directory")
    assert fails("review", games, "--deal", 3) == f"{games}: there is no deal 3"
    assert fails("review", games, "--seat", 7).startswith("--seat: there is no seat 7; there are 0 club 0, ")
    assert fails("review", games, "--samples", 0) == "--samples: at least 1"
    assert fails("review", games, "--lang", "xx").startswith("no language 'xx'")
    lines = games.read_text(encoding="utf-8").splitlines()
    torn = tmp_path / "torn.jsonl"
    torn.write_text(lines[0] + '\n{"type"\n', encoding="utf-8")
    assert fails("review", torn).startswith(f"{torn}:2:")
    plays = [place for place, line in enumerate(lines) if '"CardPlayed"' in line]
    torn.write_text("\n".join(lines[: plays[9]]) + "\n", encoding="utf-8")
    assert fails("review", torn) == f"{torn}: there is no deal that is over"
    assert fails("review", torn, "--deal", 1) == f"{torn}: deal 1 is not over"
    torn.write_text("\n".join([*lines[: plays[9]], *lines[plays[10] :]]) + "\n", encoding="utf-8")
    assert fails("review", torn).startswith(f"{torn}:{plays[9] + 1}:1: ")


def test_a_record_that_hides_cards_cannot_be_reviewed(games: Path, tmp_path: Path) -> None:
    hidden = []
    for line in games.read_text(encoding="utf-8").splitlines():
        if '"Dealt"' in line:
            said = json.loads(line)
            said["hands"] = [["?"] * len(hand) for hand in said["hands"]]
            line = json.dumps(said)
        hidden.append(line)
    file = tmp_path / "hidden.jsonl"
    file.write_text("\n".join(hidden) + "\n", encoding="utf-8")
    assert fails("review", file) == f"{file}: the record hides cards: it is what one seat saw"
