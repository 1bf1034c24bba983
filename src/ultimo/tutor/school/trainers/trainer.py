"""What a trainer is."""

from __future__ import annotations

from collections.abc import Callable

from msgspec import Struct

from ultimo.names import Family
from ultimo.rulebook import Rules
from ultimo.tutor.school.exercises import Exercise


class Trainer(Struct, frozen=True):
    """Asks questions of one kind without an end.

    `ask(rules, seed, n)` is the question with the number `n`, from 0, of the run that a seed names: the same
    every time, in every process, and never twice within a run. `books` are the rulebooks by which it can be
    played, the usual one first, and `family` is the game of that one; who serves both games has books of
    both. What takes long, or needs the compiler, is `heavy`: it is asked and judged
    where the tutor thinks. Its title and what it is about stand in `names/school` under `trainers` and its
    id. What `ask` needs of the solver it loads itself, as the server knows all trainers and no compiler.
    """

    id: str
    family: Family
    books: tuple[str, ...]
    ask: Callable[[Rules, str, int], Exercise]
    heavy: bool = False
