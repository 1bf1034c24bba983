"""Threads that search one position together, each on a board of its own; what they find they share."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from concurrent.futures import ThreadPoolExecutor

from msgspec import Struct

from ultimo.kernel.jit import COMPILED, Ints
from ultimo.kernel.pausing import granted

ALONE = 1 << 13  # nodes that one thread visits before it asks for help: most questions are answered by then


class Words(Struct, frozen=True):
    """Where on a board stand the nodes visited, how many may be, and whether it was too many."""

    nodes: int
    limit: int
    stopped: int


class Team:
    """So many threads at most. The one that asks is one of them; the others wait for long questions.

    Python runs one thread at a time: where nothing is compiled there are no others.
    """

    def __init__(self, threads: int, words: Words) -> None:
        if threads < 1:
            raise ValueError("at least one thread must search")
        self.threads, self.words = threads if COMPILED else 1, words
        self.others = ThreadPoolExecutor(threads - 1) if self.threads > 1 else None

    def close(self) -> None:
        """Let the threads go."""
        if self.others is not None:
            self.others.shutdown()

    def share_of(self, most: int, threads: int) -> int:
        """How many of so many nodes each of some threads may visit; one alone does not go far."""
        if threads < self.threads:
            most = min(most, ALONE)
        return max(1, most // threads)

    def ask(
        self, boards: Sequence[Ints], most: int, search: Callable[[Ints], int]
    ) -> tuple[int | None, int, Ints]:
        """The first answer of any thread, none if each visits `most` nodes without one; nodes; whose board.

        Who has the answer takes from the others the nodes that they have left.
        """
        words = self.words
        first = granted(most) if len(boards) == 1 else most
        for board in boards:
            board[words.nodes], board[words.stopped], board[words.limit] = 0, 0, first

        def run(board: Ints) -> int | None:
            try:
                found = int(search(board))
                return None if board[words.stopped] else found
            finally:
                granted(0)
                for other in boards:
                    other[words.limit] = 0

        waiting = [self.others.submit(run, board) for board in boards[1:]] if self.others is not None else []
        found = [run(boards[0]), *(one.result() for one in waiting)]
        visited = sum(min(int(board[words.nodes]), most) for board in boards)  # without the one too many
        for answer, board in zip(found, boards, strict=True):
            if answer is not None:
                return answer, visited, board
        return None, visited, boards[0]
