"""The benchmark card: fixed deals against fixed opponents, and a page that tells what was measured."""

from __future__ import annotations

import json
from pathlib import Path

import pytest

import write_benchmark_card
from commands import fails, ultimo
from ultimo import rulebook
from ultimo.players.arena import card

RUN = ("arena", "--card", "--players", "random", "--rules", "hermansen", "--deals", 2, "--processes", 1)


def test_a_player_is_measured_by_the_card(tmp_path: Path) -> None:
    done = ultimo(*RUN, "--out", tmp_path / "card")
    assert (done.status, done.err) == (0, "")
    first, _, _, *lines = done.out.splitlines()
    assert first == f"benchmark card {card.VERSION}: random · 2 deals · seed {card.SEED}"
    assert [line.split()[:2] for line in lines] == [["hermansen", "beginner"], ["hermansen", "club"]]
    files = {file.name for file in (tmp_path / "card").iterdir()}
    assert files == {"card.json", "hermansen-beginner.json", "hermansen-club.json"}
    told = json.loads((tmp_path / "card" / "card.json").read_bytes())
    assert [entry["gain"]["mean"] < 0 for entry in told["entries"]] == [True, True]
    assert json.loads(ultimo(*RUN, "--out", tmp_path / "card", "--json").out) == told


def test_the_card_fixes_what_is_played() -> None:
    made = list(card.plans("random"))
    assert len(made) == len(card.BOOKS) * len(card.OPPONENTS)
    assert {one.players[1] for one in card.plans("club")} == {"beginner"}
    assert {(one.seed, one.deals, one.cups) for one in made} == {(78, 1000, None)}
    assert [one.players for one in made[-2:]] == [("random", *["beginner"] * 4), ("random", *["club"] * 4)]


@pytest.mark.parametrize(
    ("arguments", "complaint"),
    [
        (("--seed", "3"), "--seed: the benchmark card says what is played"),
        (("--set", "cups.ante=10"), "--set: the benchmark card says what is played"),
        (("--players", "club,club"), "--players: the benchmark card measures one player"),
        (("--rules", "fft4"), "fft4 is not on the card; there are basta, "),
        (("--players", "genius"), "there is no player 'genius'; there are random"),
    ],
)
def test_what_is_wrong_is_said_in_one_line(arguments: tuple[str, ...], complaint: str) -> None:
    assert fails(*RUN, *arguments).startswith(complaint)


def test_the_page_tells_what_was_measured() -> None:
    """If this fails: python tools/write_benchmark_card.py"""
    cards = write_benchmark_card.read()
    assert write_benchmark_card.PAGE.read_text(encoding="utf-8") == "".join(write_benchmark_card.page(cards))
    for level, one in cards.items():
        assert (one.card, one.player, one.seed) == (card.VERSION, level, card.SEED)
        assert one.deals <= card.DEALS
        for entry in one.entries:
            assert entry.digest == rulebook.digest(rulebook.load(entry.rules))
            assert entry.opponent != level
