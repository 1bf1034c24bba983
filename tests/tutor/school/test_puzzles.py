"""Puzzles: what they claim holds, no two are alike, and only right lines solve them.

A sample is verified always, all of them with ULTIMO_LONG.
"""

from __future__ import annotations

import json
import os
import re
from collections import Counter
from pathlib import Path
from statistics import mean

import pytest
from msgspec.structs import replace

from table import WITHOUT_FFT
from ultimo import rulebook
from ultimo.cards import mask, parse_card
from ultimo.events import Decline, DemandSkus, Play
from ultimo.names import LANGUAGES, puzzling
from ultimo.tutor.board import board, written
from ultimo.tutor.school.puzzles import finding, making, puzzle
from ultimo.tutor.school.puzzles.alike import equals, shape
from ultimo.tutor.school.puzzles.playing import Game, NotAMove, reply
from ultimo.tutor.school.puzzles.puzzle import THEMES, Puzzle, UnknownPuzzle, collection
from ultimo.tutor.school.puzzles.verifying import twins, verify
from ultimo.tutor.school.puzzles.words import puzzle_shown, reply_shown

ALL = collection()
EVERY = 1 if "ULTIMO_LONG" in os.environ else 24  # one in so many is verified
SAMPLE = ALL[::EVERY]
PLACE = re.compile(r"\{(\w+)\}")
HERMANSEN = [one for one in ALL if one.composed]
ENDGAMES = json.loads((Path(__file__).parents[2] / "data/endgames.json").read_text())["endgames"]


def named(name: str) -> Puzzle:
    return puzzle.puzzle(name)


# --- the collection -------------------------------------------------------------------------------------


def test_there_are_many_of_every_rulebook_and_theme() -> None:
    assert len(ALL) >= 600
    found = Counter((one.rules, one.theme) for one in ALL)
    for book in WITHOUT_FFT:
        for theme in finding.themes_of(rulebook.load(book)):
            assert found[book, theme], (book, theme)
    assert set(THEMES) == {one.theme for one in ALL}
    by_book = Counter(one.rules for one in ALL)
    assert set(by_book) == set(WITHOUT_FFT)
    assert min(by_book.values()) >= 40


def test_no_two_are_alike_and_none_has_the_name_of_another() -> None:
    assert twins(ALL) == []
    assert len({one.id for one in ALL}) == len(ALL)
    assert all(one.composed or one.id == puzzle.name_of(one.position, one.goal, one.side) for one in ALL)


def test_they_are_of_all_lengths_and_of_middling_difficulty() -> None:
    assert {3, 4, 5, 6} <= {one.tricks for one in ALL} <= set(range(puzzle.FEWEST, puzzle.MOST + 1))
    assert 1400 <= mean(one.rating for one in ALL) <= 1600
    assert min(one.rating for one in ALL) < 1250 < 1750 < max(one.rating for one in ALL)


@pytest.mark.parametrize("one", SAMPLE, ids=lambda one: one.id)
def test_a_puzzle_is_sound(one: Puzzle) -> None:
    assert verify(one) == []


@pytest.mark.parametrize("one", HERMANSEN, ids=lambda one: one.id)
def test_hermansens_endgames_are_a_set_of_their_own(one: Puzzle) -> None:
    """The cards and the claims of the book; the last one where the skus is not demanded."""
    endgame = next(other for other in ENDGAMES if other["id"] == one.id.replace("hermansen", "eg"))
    here = board(one.position)
    for seat, letter in here.letters.items():
        assert here.start.hands[seat] == mask(" ".join(endgame["hands"][letter]))
    atoms = {
        ("!" if event[0] == "not" else "") + ":".join(event[event[0] == "not" :])
        for event in endgame["claim"]["all"]
    }
    assert set(one.goal.split(",")) == atoms
    assert set(one.side) <= set(endgame["coalition"])
    assert verify(one) == []


def test_all_of_hermansens_endgames_are_there() -> None:
    assert len(HERMANSEN) == len(ENDGAMES)


def test_an_unknown_puzzle_is_refused() -> None:
    with pytest.raises(UnknownPuzzle):
        puzzle.puzzle("none")


# --- playing --------------------------------------------------------------------------------------------


@pytest.mark.parametrize("one", SAMPLE, ids=lambda one: one.id)
def test_only_a_right_line_solves(one: Puzzle) -> None:
    """Along a right line every wrong move fails at once, and every right one leads on."""
    game, moves = Game(one), list[object]()
    line = game.line()
    for right in line:
        found = game.play(tuple(moves))  # type: ignore[arg-type]
        assert found.state == "open"
        assert found.asked is not None
        for option in found.asked.options:
            after = game.play((*moves, option.action))  # type: ignore[arg-type]
            assert (after.state == "failed") == (not option.right), written(option.action)
            if not option.right:
                with pytest.raises(NotAMove):
                    game.play((*moves, option.action, option.action))  # type: ignore[arg-type]
        moves.append(right)
    assert game.play(line).state == "solved"
    with pytest.raises(NotAMove):
        game.play((*line, line[-1]))


def test_the_defence_is_always_the_same() -> None:
    for one in SAMPLE[::5]:
        first, second = Game(one), Game(one)
        assert first.line() == second.line()
        assert first.play(first.line()).place == second.play(second.line()).place


def test_the_skus_is_demanded_before_its_holders_turn() -> None:
    """Endgame 1: without a demand the king is not played bagud. Rule: 001 Løsninger 1."""
    one = named("hermansen-1")
    asked = reply(one, [Play(parse_card("S1"))]).asked
    assert asked is not None
    assert {option.action: option.right for option in asked.options} == {DemandSkus(): True, Decline(): False}


def test_a_move_that_cannot_be_made_is_refused() -> None:
    with pytest.raises(NotAMove) as refused:
        reply(named("hermansen-2"), [DemandSkus()])
    assert refused.value.place == 0


# --- what is alike --------------------------------------------------------------------------------------


def test_suits_of_a_colour_may_be_exchanged() -> None:
    one = named("hermansen-2")
    other = replace(
        one,
        position="hermansen: F T21 C3 C2 / M T20 T1 HJ / B D10 D9 D8; F leads; cups 60 60; won F 8 M 7 B 7",
    )
    assert shape(one) == shape(other)
    third = replace(other, position=other.position.replace("HJ", "SJ"))
    assert shape(third) != shape(one)


def test_cards_are_equal_if_nothing_in_play_lies_between() -> None:
    here = board("hermansen: F S4 S2 H10 H1 / M S3 T1 T2 HK / B D1 D2 D3 D4")
    plays = {action.card.value: action for _, action in here.actions() if isinstance(action, Play)}
    assert not equals([plays["S4"], plays["S2"]], here)
    assert equals([plays["H10"], plays["H1"]], here)
    assert not equals([plays["H10"], plays["S2"]], here)


# --- finding --------------------------------------------------------------------------------------------


def test_what_is_wrong_with_a_puzzle_is_found() -> None:
    one = named("hermansen-2")
    assert verify(replace(one, side="M", goal="ultimo:M:T1")) == ["the solver is not on turn"]
    assert verify(replace(one, goal="ultimo:M:T1", side="F")) == ["the goal cannot be forced"]
    assert "2 tricks to come" not in verify(replace(one, tricks=2))
    assert verify(replace(one, tricks=2)) == ["the position has other rules, or other tricks to come"]
    assert verify(replace(one, theme="contract"))


def test_the_same_search_finds_the_same_and_goes_on_where_it_stopped(tmp_path: Path) -> None:
    order = making.Order(("dtf",), ("stop", "save"), 2, 3, 300)
    whole = making.make(order, tmp_path / "whole.jsonl")
    assert len(whole) == 2
    assert all(verify(one) == [] for one in whole)
    stops = iter([True])

    def stop(found: int) -> None:
        if found and next(stops, False):
            raise KeyboardInterrupt

    with pytest.raises(KeyboardInterrupt):
        making.make(order, tmp_path / "cut.jsonl", stop)
    assert making.make(order, tmp_path / "cut.jsonl") == whole
    assert (tmp_path / "cut.jsonl").read_bytes() == (tmp_path / "whole.jsonl").read_bytes()
    assert [file.name for file in tmp_path.iterdir() if "part" in file.name] == []


# --- words ----------------------------------------------------------------------------------------------


@pytest.mark.parametrize("language", LANGUAGES)
def test_every_language_has_the_same_keys_and_places(language: str) -> None:
    source, own = puzzling("en"), puzzling(language)
    assert list(own) == list(source)
    for key, sentence in source.items():
        assert set(PLACE.findall(own[key])) == set(PLACE.findall(sentence)), key


@pytest.mark.parametrize("language", LANGUAGES)
def test_a_puzzle_is_told_in_every_language(language: str) -> None:
    tasks = set()
    for one in (*HERMANSEN, *SAMPLE[::4]):
        shown = puzzle_shown(one, language)
        assert shown.title == puzzling(language)[f"themes.{one.theme}"]
        tasks.add(shown.goal)
        game = Game(one)
        wrong = next((option.action for option in game.asked(game.start).options if not option.right), None)
        moves = game.line() if wrong is None else (wrong,)
        told = reply_shown(one, moves, game.play(moves), language)
        assert told.told
        assert told.line
        assert told.state == ("solved" if wrong is None else "failed")
    assert len(tasks) > 5
