"""What is done in the processes of the tutor: a piece of work each.

What they need is loaded there: the server itself has no use for the compiler. For the same reason they
answer in JSON, which the server hands on unread.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from contextlib import contextmanager

import msgspec

from ultimo.events import Action, DealEvent
from ultimo.names import names
from ultimo.play.choices import Choices
from ultimo.players import View
from ultimo.rulebook import Rules, load
from ultimo.telling.teller import Teller
from ultimo.telling.writer import Block
from ultimo.tutor.school.exercises import Answer, Question, Verdict


def hint(
    view: View, choices: Choices, language: str, people: tuple[str, ...], against: Action | None, samples: int
) -> bytes:
    """A hint for a seat, from what it knows."""
    from ultimo.tutor import hinting

    teller = Teller(names(language), view.rules, people)
    return msgspec.json.encode(hinting.hint(view, choices, teller, against, samples))


def review_part(rules: Rules, events: Sequence[DealEvent], first: int, last: int, samples: int) -> bytes:
    """Some decisions of a deal, reviewed."""
    from ultimo.tutor import review

    return msgspec.json.encode(review.review_part(rules, events, first, last, samples))


def joined(rules: Rules, events: Sequence[DealEvent], parts: Sequence[bytes]) -> bytes:
    """The review that its parts make together."""
    from ultimo.tutor import review

    found = [msgspec.json.decode(part, type=tuple[review.Reviewed, ...]) for part in parts]
    return msgspec.json.encode(review.joined(rules, events, [one for part in found for one in part]))


def review_shown(
    body: bytes,
    rules: Rules,
    events: Sequence[DealEvent],
    language: str,
    people: tuple[str, ...],
    number: int,
    title: str,
    steps: tuple[int, ...],
) -> bytes:
    """A review in words; `steps` are the frames of the replay by the events of the deal."""
    from ultimo.tutor import review, telling

    teller = Teller(names(language), rules, people)
    read = msgspec.json.decode(body, type=review.Review)
    shown = telling.review_shown(read, events, teller, number, title, steps.__getitem__)
    return msgspec.json.encode(shown)


def board(text: str, moves: Sequence[Action], language: str) -> bytes:
    """The analysis board after some moves. Raises `Wrong`."""
    from ultimo.table import boarding
    from ultimo.tutor import board

    with _told_plainly():
        return msgspec.json.encode(boarding.board_shown(board.board(text, moves, language), language))


def written(text: str, moves: Sequence[Action], comments: Sequence[str], language: str) -> str:
    """The record of what was played from a position. Raises `Wrong`."""
    from ultimo.tutor import board

    with _told_plainly():
        return board.record(text, moves, comments, language)


def opened(record: str, language: str) -> tuple[str, tuple[Action, ...], tuple[str, ...]]:
    """The position, the moves and the comments of such a record. Raises `Wrong`."""
    from ultimo.tutor import board

    with _told_plainly():
        return board.recorded(record, language)


def solved(
    text: str, moves: Sequence[Action], goal: str, language: str, budget: int, last: bool
) -> tuple[bytes, bool, bool]:
    """What a search finds in so many positions, whether it ends here, and whether it is proven.

    Raises `Wrong`.
    """
    from ultimo.tutor import board

    with _told_plainly():
        found = board.solving(text, moves, goal, language, budget)
    finished = found.finished or found.exact or last
    return msgspec.json.encode(msgspec.structs.replace(found, finished=finished)), finished, found.exact


def lesson(name: str, language: str) -> tuple[Block | Question, ...]:
    """The parts of a lesson in order."""
    from ultimo.tutor.school import course
    from ultimo.tutor.school.parts import Asking

    found = course.lesson(name)
    pen = found.pen(language)
    return tuple(part.question(pen) if isinstance(part, Asking) else part.block(pen) for part in found.parts)


def lesson_verdict(name: str, number: int, answer: Answer, language: str) -> Verdict:
    """What is said to an answer to an exercise of a lesson. Raises `BadAnswer`."""
    from ultimo.tutor.school import course

    return course.exercise(name, number).verdict(answer, language)


def trainer_question(trainer: str, book: str, seed: str, n: int, language: str) -> Question:
    """A question of a trainer."""
    from ultimo.tutor.school import trainers

    return trainers.trainer(trainer).ask(load(book), seed, n).question(language)


def trainer_verdict(trainer: str, book: str, seed: str, n: int, answer: Answer, language: str) -> Verdict:
    """What is said to an answer to it. Raises `BadAnswer`."""
    from ultimo.tutor.school import trainers

    return trainers.trainer(trainer).ask(load(book), seed, n).verdict(answer, language)


class Wrong(ValueError):
    """What is wrong with a position or a move, and where; it can be sent from one process to another."""

    def __init__(self, field: str, column: int | None, reason: str) -> None:
        super().__init__(field, column, reason)
        self.field, self.column, self.reason = field, column, reason


@contextmanager
def _told_plainly() -> Iterator[None]:
    from ultimo.tutor.board import BoardError

    try:
        yield
    except BoardError as error:
        raise Wrong(error.field, error.column, error.reason) from None


def puzzle(name: str, moves: Sequence[Action], language: str) -> tuple[bytes, str]:
    """A puzzle after the solver's moves, and its state then. Raises `Wrong`."""
    from ultimo.table import boarding
    from ultimo.tutor.school.puzzles import playing, words
    from ultimo.tutor.school.puzzles.puzzle import puzzle

    one = puzzle(name)
    try:
        found = playing.reply(one, moves)
        before = playing.reply(one, moves[:-1]).place if moves else playing.game(one).start
    except playing.NotAMove as error:
        raise Wrong("moves", error.place + 1, words.told_wrong(error, language)) from None
    told = boarding.PuzzleTold(
        words.puzzle_shown(one, language),
        boarding.board_shown(found.place.board, language),
        boarding.scenes_between(before.board, found.place.board, language),
        words.reply_shown(one, moves, found, language),
    )
    return msgspec.json.encode(told), found.state
