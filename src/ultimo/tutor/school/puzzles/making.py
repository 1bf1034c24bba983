"""Making a collection: a search that can be broken off and goes on where it stopped.

What is taken of a deal depends on what was taken of those before it. So deals are looked at in advance, and
taken in their order; as soon as a puzzle is taken, those that were looked at before it are looked at again.
What comes out is the same however many are looked at side by side.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence
from pathlib import Path

import msgspec
from msgspec import Struct
from msgspec.structs import replace

from ultimo.analysis.executing import Executor, Here
from ultimo.analysis.runs import in_one_step
from ultimo.rulebook import FrenchRules, load
from ultimo.tutor.school.puzzles.alike import Shape
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


class Search(Struct, frozen=True):
    """A deal to be looked at: for which lane, and what is wanted and there after how many puzzles."""

    lane: int
    turn: int
    place: tuple[int, int]
    book: str
    seed: int
    missing: dict[tuple[str, Theme], int]
    shapes: frozenset[Shape]


def look(job: Search) -> tuple[Search, Puzzle | None]:
    """What is wanted most of a deal."""
    found = Found(job.missing)
    found.shapes.update(job.shapes)
    return replace(job, shapes=frozenset()), search(found, job.book, job.seed, job.place[1])


class Lane:
    """Rulebooks whose puzzles may be alike: their deals are taken one after the other.

    A place is that of a rulebook among them, and the number of a deal.
    """

    def __init__(self, number: int, books: Sequence[str], stage: Stage) -> None:
        self.number, self.books, self.stage = number, books, stage
        wanted = {pair: times for pair, times in stage.order.wanted().items() if pair[0] in books}
        self.found = Found(wanted, [one for one in stage.puzzles if one.rules in books])
        self.turn = 0
        self.looked_at: dict[tuple[int, int], Puzzle | None] = {}
        self.at = self.ahead = self._from(0, stage.next.get(books[0], 0))

    def next_search(self) -> Search | None:
        """A deal that has not been looked at since the last puzzle, if there is one."""
        if self.ahead is None:
            return None
        place, seed = self.ahead, self.stage.order.seed
        self.ahead = self._from(place[0], place[1] + 1)
        missing, shapes = dict(self.found.missing), frozenset(self.found.shapes)
        return Search(self.number, self.turn, place, self.books[place[0]], seed, missing, shapes)

    def take(self, job: Search, one: Puzzle | None) -> Iterator[tuple[int, Puzzle | None]]:
        """The deals that are taken now that this one has been looked at, and what was found in each."""
        if job.turn != self.turn:
            return
        self.looked_at[job.place] = one
        while self.at is not None and self.at in self.looked_at:
            (book, number), puzzle = self.at, self.looked_at.pop(self.at)
            self.stage.next[self.books[book]] = number + 1
            if puzzle is not None:
                self.found.take(puzzle)
                self.stage.puzzles.append(puzzle)
            self.at = self._from(book, number + 1)
            if puzzle is not None:
                self.turn += 1
                self.looked_at.clear()
                self.ahead = self.at
            yield number, puzzle

    def _from(self, book: int, number: int) -> tuple[int, int] | None:
        """The first place from here on of a rulebook of which something is wanted."""
        while number >= self.stage.order.deals or not self.found.themes(self.books[book]):
            book += 1
            if book == len(self.books):
                return None
            number = self.stage.next.get(self.books[book], 0)
        return book, number


def make(
    order: Order,
    file: Path,
    advance: Callable[[int], None] = lambda found: None,
    on: Executor | None = None,
) -> list[Puzzle]:
    """Search, and write what was found; what has come so far stands in a file beside it that ends in `.part`.

    `advance` is told how many puzzles more there are; `on` says where to search, if not in this process.
    """
    on = Here() if on is None else on
    part = file.with_name(f"{file.name}.part")
    stage = _begun(part, order)
    advance(len(stage.puzzles))
    lanes = [Lane(number, books, stage) for number, books in enumerate(_alike(order.rules))]
    while any(lane.at is not None for lane in lanes):
        for job, one in on.spread(look, _searches(lanes)):
            for number, taken in lanes[job.lane].take(job, one):
                if taken is not None:
                    advance(1)
                if taken is not None or number % OFTEN == 0:
                    _note(part, stage)
    puzzles = in_order(stage.puzzles)
    with in_one_step(file) as out:
        out.write_bytes(write(puzzles))
    part.unlink(missing_ok=True)
    return puzzles


def _alike(books: Sequence[str]) -> list[list[str]]:
    """The rulebooks whose puzzles may be alike, together: all Danish ones, and each French one alone."""
    french = [[book] for book in books if isinstance(load(book), FrenchRules)]
    danish = [book for book in books if [book] not in french]
    return [danish, *french] if danish else french


def _searches(lanes: Sequence[Lane]) -> Iterator[Search]:
    """Deals to look at, of all lanes in turn; what has been found meanwhile is taken into account."""
    more = True
    while more:
        more = False
        for lane in lanes:
            if (job := lane.next_search()) is not None:
                more = True
                yield job


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
    with in_one_step(part) as out:
        out.write_bytes(msgspec.json.encode(stage))
