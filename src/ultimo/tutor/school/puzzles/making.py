"""Making a collection: a search that can be broken off and goes on where it stopped."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from pathlib import Path

import msgspec
from msgspec import Struct

from ultimo.rulebook import load
from ultimo.tutor.school.puzzles.finding import Found, search, themes_of
from ultimo.tutor.school.puzzles.puzzle import THEMES, Puzzle, Theme, write

OFTEN = 100  # deals after which it is noted how far a search has come


class Order(Struct, frozen=True):
    """What decides what a search finds."""

    rules: tuple[str, ...]
    themes: tuple[Theme, ...]
    number: int
    seed: int
    deals: int  # at most so many of each rulebook

    def wanted(self) -> dict[tuple[str, Theme], int]:
        """How many of each rulebook and theme: as even as can be, and not fewer than asked for."""
        pairs = [
            (book, theme) for book in self.rules for theme in themes_of(load(book)) if theme in self.themes
        ]
        return {pair: -(-self.number // len(pairs)) for pair in pairs}


class Stage(Struct):
    """How far a search has come."""

    order: Order
    puzzles: list[Puzzle]
    next: dict[str, int]  # deal of each rulebook


class OtherOrder(ValueError):
    """What was begun in a file was another search."""


def make(order: Order, file: Path, advance: Callable[[int], None] = lambda found: None) -> list[Puzzle]:
    """Search, and write what was found; what has come so far stands in a file beside it that ends in `.part`.

    `advance` is told how many puzzles more there are.
    """
    part = file.with_name(f"{file.name}.part")
    stage = _begun(part, order)
    advance(len(stage.puzzles))
    found = Found(order.wanted(), stage.puzzles)
    for book in order.rules:
        for number in range(stage.next.get(book, 0), order.deals):
            if not found.themes(book):
                break
            one = search(found, book, order.seed, number)
            stage.next[book] = number + 1
            if one is not None:
                found.take(one)
                stage.puzzles.append(one)
                advance(1)
            if one is not None or number % OFTEN == 0:
                _note(part, stage)
    puzzles = in_order(stage.puzzles)
    file.write_bytes(write(puzzles))
    part.unlink(missing_ok=True)
    return puzzles


def in_order(puzzles: Sequence[Puzzle]) -> list[Puzzle]:
    """Puzzles as a collection has them: by theme, rulebook and rating."""
    return sorted(puzzles, key=lambda one: (THEMES.index(one.theme), one.rules, one.rating, one.id))


def _begun(part: Path, order: Order) -> Stage:
    if not part.exists():
        return Stage(order, [], {})
    stage = msgspec.json.decode(part.read_bytes(), type=Stage)
    if stage.order != order:
        raise OtherOrder(f"{part}: another search was begun here; finish it, or remove the file")
    return stage


def _note(part: Path, stage: Stage) -> None:
    new = part.with_name(f"{part.name}.new")
    new.write_bytes(msgspec.json.encode(stage))
    new.replace(part)
