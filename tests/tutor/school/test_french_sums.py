"""The sums of the French lessons."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

import pytest

from ultimo.tutor.school.sums import worked_out

GAMES = json.loads((Path(__file__).parents[2] / "data" / "french-examples.json").read_text())["games"]


@pytest.mark.parametrize("game", [game for game in GAMES if "book" in game], ids=lambda game: game["id"])
def test_the_games_of_the_book_come_out_as_printed(game: dict[str, Any]) -> None:
    words = [f"french{len(game['players'])}", game["bid"], game["card_points"], game["bouts"]]
    if game["petit_au_bout"]:
        words.append(f"petit={game['petit_au_bout']}")
    if shown := game["poignee"]:
        words.append(f"poignee={shown['by']}:{shown['trumps_shown']}")
    partner = game.get("partner")
    words += ["partner=1"] if partner else []
    told, book = " ".join(map(str, words)), game["book"]
    assert worked_out(f"frenchScore {told}") == book["value"]
    assert worked_out(f"frenchNet 0 {told}") == book["per_player"][game["taker"]]
    if partner:
        assert worked_out(f"frenchNet 1 {told}") == book["per_player"][partner]


def test_half_a_point_is_not_told_as_a_whole_one() -> None:
    with pytest.raises(ValueError, match="half a point is left over"):
        worked_out("frenchPoints SK")


def test_a_deal_has_nothing_that_is_not_known() -> None:
    with pytest.raises(ValueError, match="a deal has no 'pagat'"):
        worked_out("frenchScore french4 garde 41 2 pagat=taker")


@pytest.mark.parametrize(
    ("hand", "count"), [("T21", 12), ("T0", 8), ("T1", 7), ("T16 T15", 5), ("SK SQ SN SJ S10", 4)]
)
def test_a_hand_is_counted_card_by_card(hand: str, count: int) -> None:
    assert worked_out(f"handCount {hand}") == count
