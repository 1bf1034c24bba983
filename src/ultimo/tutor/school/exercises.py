"""What a learner is asked, and what is said to the answer.

An exercise of a lesson and a question of a trainer are the same to whoever shows them: a question with
something to answer it by, and a verdict on an answer. An answer is a tuple of words: the numbers of the
chosen options, the cards in notation, or one number.
"""

from __future__ import annotations

from typing import Protocol, TypeAlias

from msgspec import Struct

from ultimo.telling.writer import Block

Answer: TypeAlias = tuple[str, ...]


class BadAnswer(ValueError):
    """An answer that the question cannot have."""


class Choice(Struct, frozen=True, tag_field="kind", tag="choice"):
    """One of several options; with `many`, all that are right. Answered by their numbers, from 0."""

    options: tuple[str, ...]
    many: bool = False


class Number(Struct, frozen=True, tag_field="kind", tag="number"):
    """A whole number, which may be below zero."""


class Pick(Struct, frozen=True, tag_field="kind", tag="pick"):
    """So many of these cards, in notation; `barred` are shown and cannot be picked."""

    cards: tuple[str, ...]
    count: int
    barred: tuple[str, ...] = ()


Widget: TypeAlias = Choice | Number | Pick


class Question(Struct, frozen=True):
    """What is asked, in a language: the text, what is shown with it, and how it is answered."""

    text: str
    widget: Widget
    blocks: tuple[Block, ...] = ()


class Verdict(Struct, frozen=True):
    """What is said to an answer: whether it is right, why, and an answer that is.

    `blocks`, if there are any, are shown from then on instead of the question's: the same with marks.
    """

    right: bool
    text: str
    answer: Answer
    blocks: tuple[Block, ...] = ()


class Exercise(Protocol):
    """Something that can be asked and answered."""

    def question(self, language: str) -> Question:
        """What is asked."""

    def verdict(self, answer: Answer, language: str) -> Verdict:
        """What is said to an answer, or `BadAnswer`."""


def options(widget: Choice, answer: Answer) -> frozenset[int]:
    """The options that an answer chooses, or `BadAnswer`."""
    known = {str(number): number for number in range(len(widget.options))}
    if len(set(answer)) != len(answer) or not known.keys() >= set(answer):
        raise BadAnswer("not among the options")
    if not answer or (len(answer) > 1 and not widget.many):
        raise BadAnswer("choose one option" if not widget.many else "choose at least one option")
    return frozenset(known[one] for one in answer)


def number(answer: Answer) -> int:
    """The number that an answer says, or `BadAnswer`."""
    text = answer[0].strip().replace("−", "-") if len(answer) == 1 else ""
    if not text.removeprefix("-").isascii() or not text.removeprefix("-").isdigit() or len(text) > 9:
        raise BadAnswer("not a whole number")
    return int(text)


def picked(widget: Pick, answer: Answer) -> frozenset[str]:
    """The cards that an answer picks, or `BadAnswer`."""
    chosen = frozenset(answer)
    if len(answer) != widget.count or len(chosen) != widget.count:
        raise BadAnswer(f"pick {widget.count} cards")
    if not chosen <= set(widget.cards) - set(widget.barred):
        raise BadAnswer("not among the cards")
    return chosen
