"""What the house on a device answers by itself: the same, whether numpy and the compiler are there or not.

Run by itself it does without them and writes what a part of it answers: `python tests/alone.py hints`.
"""

from __future__ import annotations

import asyncio
import sys
from collections.abc import Callable, Iterator
from itertools import islice
from pathlib import Path
from random import Random

if __name__ == "__main__":
    sys.modules["numpy"] = sys.modules["numba"] = None  # type: ignore[assignment]  # importing them fails
    sys.path.insert(0, str(Path(__file__).parent))

import msgspec

from analysis.endings import danish_endings, french_endings
from tutor.walking import PEOPLE, some
from ultimo import rulebook
from ultimo.analysis.solver import POINTS, Atom, Claim, Solution, solve
from ultimo.answers import advice, games, positions, puzzles, school
from ultimo.events import Action
from ultimo.names import LANGUAGES
from ultimo.pocket.house import House
from ultimo.pocket.storage import Memory
from ultimo.tutor.games.game import collection as collection_of_games
from ultimo.tutor.school import course
from ultimo.tutor.school.exercises import Answer, Choice, Number, Widget
from ultimo.tutor.school.puzzles.playing import reply
from ultimo.tutor.school.puzzles.puzzle import collection
from ultimo.tutor.school.trainers import TRAINERS

EVERY = 20  # puzzles
ENDING = "hermansen: F T1 S2 S1 / M T21 T0 HK / B H7 H8 H9"


def lessons() -> Iterator[object]:
    """Every lesson in every language, and what is said to some answer and to the right one."""
    for number, name in enumerate(
        one for family in school.FAMILIES for one in course.course().lessons(family)
    ):
        language = LANGUAGES[number % len(LANGUAGES)]
        yield name, school.parts(name, language)
        for place, exercise in enumerate(course.lesson(name).exercises):
            widget = exercise.question(course.lesson(name).pen(language)).widget
            told = school.lesson_verdict(name, place, any_answer(widget), language)
            yield told, school.lesson_verdict(name, place, told.answer, language)


def trainers() -> Iterator[object]:
    """What a page that asks every trainer is told: light ones ask and judge, the others need a server."""
    house = House(Memory(), lambda: 0.0)
    for one in TRAINERS.values():
        for book in one.books:
            path = f"/api/school/trainers/{one.id}?rules={book}&seed=1"
            yield one.id, one.heavy, *asyncio.run(house.answer("GET", path, "", "en"))
            if not one.heavy:
                widget = school.trainer_question(one.id, book, "1", 0, "en").widget
                yield school.trainer_verdict(one.id, book, "1", 0, any_answer(widget), "en")


def any_answer(widget: Widget) -> Answer:
    """An answer that a question can have."""
    if isinstance(widget, Choice | Number):
        return ("0",)
    return tuple(card for card in widget.cards if card not in widget.barred)[: widget.count]


def some_puzzles() -> Iterator[object]:
    """Some puzzles from their start, and after a right move."""
    for one in collection()[::EVERY]:
        yield puzzles.played(one.id, (), "en")
        asked = reply(one, ()).asked
        assert asked is not None
        yield puzzles.played(one.id, [asked.right[0].action], "da")


def boards() -> Iterator[object]:
    """The analysis board: a position, what was played from it, and what the solver says."""
    moves: tuple[Action, ...] = ()
    for number in range(3):
        shown = msgspec.json.decode(positions.board(ENDING, moves, "en"))
        yield shown
        kept = positions.written(ENDING, moves, [f"move {one}" for one in range(number)], "en")
        yield kept, positions.opened(str(kept.body), "en")
        body, finished, exact = positions.solved(ENDING, moves, "points", "fr", positions.BUDGETS[0])
        yield msgspec.json.decode(body) | {"seconds": 0}, finished, exact
        moves = (*moves, msgspec.convert(shown["actions"][0]["action"], Action))


def endings() -> Iterator[object]:
    """Small endings of both families solved, a Danish one for everybody, for a side and for a claim."""
    for book in ("hermansen", "basta", "dtf"):
        for rules, state in islice(danish_endings(book, "alone", 3), 4):
            side = frozenset({state.order[0]})
            yield _told(solve(rules, state))
            yield _told(solve(rules, state, POINTS, side, threads=2))
            yield _told(solve(rules, state, Claim((Atom("lastTrick", state.order[0]),)), side))
    for book in ("french3", "french5"):
        for three, deal in islice(french_endings(book, "alone"), 4):
            yield _told(solve(three, deal))


def _told(found: Solution) -> object:
    return found.value, found.points, found.actions, found.line, found.exact, found.nodes


def hints() -> Iterator[object]:
    """What a club player advises at decisions of every kind, and rather than what."""
    for place, book in enumerate(("hermansen", "dtf", "french4", "french5")):
        rules = rulebook.load(book)
        size, language = rules.sizes[0], LANGUAGES[place]
        for number, (view, choices) in enumerate(some(rules, size, range(2), 2)):
            against = choices.draw(Random(number)) if number % 2 else None
            body = advice.club_hint(view, choices, language, PEOPLE[:size], against)
            yield view.seat, msgspec.json.decode(body)


def watched() -> Iterator[object]:
    """Every game to watch with its review, in one language or another."""
    for place, one in enumerate(collection_of_games()):
        language = LANGUAGES[place % len(LANGUAGES)]
        yield games.told(one.id, language), games.review(one.id, language)


PARTS: dict[str, Callable[[], Iterator[object]]] = {
    "lessons": lessons,
    "trainers": trainers,
    "puzzles": some_puzzles,
    "boards": boards,
    "endings": endings,
    "hints": hints,
    "games": watched,
}


def told(part: str) -> list[str]:
    """What a part answers, a line for each answer."""
    return [msgspec.json.encode(one).decode() for one in PARTS[part]()]


if __name__ == "__main__":
    print(*told(sys.argv[1]), sep="\n")
