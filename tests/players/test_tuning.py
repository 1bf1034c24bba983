"""The tool that looks for weights: one that was spoilt is found to be worse, and moved back."""

from __future__ import annotations

import re

import pytest

import tune_club
from ultimo import rulebook

# Weights spoilt on purpose: a player who gives everything for the lead, and one who takes on nearly nothing.
SPOILT = [("hermansen", "LEAD", 300), ("french4", "NOTHING_HELD[1]", -600)]


def _spoilt(book: str, name: str, value: int) -> tuple[tune_club.Game, tune_club.Weight, list[int]]:
    rules = rulebook.load(book)
    game = tune_club.game_of(rules, seed=5)
    (weight,) = tune_club.chosen(tune_club.source_of(rules).read_text(encoding="utf-8"), name)
    values = list(game.values)
    values[weight.place] = value
    return game, weight, values


@pytest.mark.parametrize(("book", "name", "value"), SPOILT)
def test_a_spoilt_weight_is_found_to_be_worse(book: str, name: str, value: int) -> None:
    game, _, values = _spoilt(book, name, value)
    lost = tune_club.gain(game, game.values, values, range(150))
    won = tune_club.gain(game, values, game.values, range(150))
    assert lost.mean < -3 * lost.error < 0
    assert won.mean > 3 * won.error > 0
    same = tune_club.gain(game, game.values, game.values, range(20))
    assert (same.mean, same.error) == (0, 0)


@pytest.mark.parametrize(("book", "name", "value"), SPOILT)
def test_the_search_moves_it_back_the_same_way_every_time(book: str, name: str, value: int) -> None:
    game, weight, values = _spoilt(book, name, value)
    said: list[str] = []
    runs = [tune_club.tune(game, values, [weight], 3, 1300, 100, said.append) for _ in range(2)]
    assert runs[0] == runs[1]
    assert said[: len(said) // 2] == said[len(said) // 2 :]
    assert game.values[weight.place] < runs[0][weight.place] < value
    assert "accepted" in said[0]
    others = [place for place in range(len(values)) if place != weight.place]
    assert all(runs[0][place] == game.values[place] for place in others)


@pytest.mark.parametrize("book", ["hermansen", "french5"])
def test_the_source_is_read_and_written_as_it_stands(book: str) -> None:
    rules = rulebook.load(book)
    text, values = tune_club.source_of(rules).read_text(encoding="utf-8"), tune_club.game_of(rules, 1).values
    assert len(tune_club.chosen(text, "")) == len(values)
    assert tune_club.rewritten(text, values) == text
    (weight,) = tune_club.chosen(text, "LEAD" if book == "hermansen" else "LEAD[1]")
    other = [value + 1 if place == weight.place else value for place, value in enumerate(values)]
    old, new = (
        re.findall(r"^LEAD = .*$", one, re.MULTILINE) for one in (text, tune_club.rewritten(text, other))
    )
    assert old != new
    assert str(other[weight.place]) in new[0]
    assert tune_club.rewritten(tune_club.rewritten(text, other), values) == text


def test_a_weight_that_is_not_there_is_refused() -> None:
    with pytest.raises(SystemExit, match="there is no weight LEED"):
        tune_club.chosen("LEAD = _weight(7)  # to be on lead\n", "LEAD,LEED")
