"""What a French search asks: does the taker's side come to a score of at least so much?

The score rises with the half points of the taker's side, so the question is whether they reach a mark, which
differs with the bouts, the petit au bout and the slam of the end. A search therefore looks for one number:
the half points still to be won less the mark of the end that comes about.

Everything the search needs lies on one board of integers, the rulebook's numbers first.
"""

from __future__ import annotations

from ultimo.french.reckoning import DEFENCE, NOBODY, TAKER, parts
from ultimo.kernel.french.search import layout as at
from ultimo.kernel.jit import Ints, compiled, inlined
from ultimo.kernel.searching import WORD


@inlined
def mixed(word: int) -> int:
    """A word of 63 bits in which every bit depends on all bits of the one given."""
    word = (word ^ (word >> 31)) * 0x7FB5D329728EA185 & WORD
    word = (word ^ (word >> 27)) * 0x01DADEF4BC2DD44D & WORD
    return word ^ (word >> 33)


# An end is a number: the bouts of the taker's side, who has the petit au bout, who a slam.


@inlined
def end_of(bouts: int, petit: int, slam: int) -> int:
    """The number of an end."""
    return 9 * bouts + 3 * (petit + 1) + slam + 1


@inlined
def ends_with(fewest: int, most: int) -> range:
    """All ends with so many bouts."""
    return range(end_of(fewest, DEFENCE, DEFENCE), end_of(most, TAKER, TAKER) + 1)


@inlined
def is_open(end: int, alive: int, in_play: int) -> bool:
    """Whether an end may still come about; `in_play` says whether anybody may have the petit au bout.

    `alive` has bit 0 if the taker's side may still make a slam and bit 1 if the defence may.
    """
    petit, slam = end // 3 % 3 - 1, end % 3 - 1
    return (petit == NOBODY or in_play != 0) and (slam == NOBODY or alive & (1 if slam == TAKER else 2) != 0)


@inlined
def range_place(alive: int, petit: int, fewest: int, most: int) -> int:
    """Where the bounds of the ends stand that may still come about (see `is_open`)."""
    return 64 * petit + 16 * alive + 4 * fewest + most


@inlined
def score_of(board: Ints, half_points: int, end: int) -> int:
    """What each defender pays after a deal that ends so.

    Rule: 002 §10, §11, §12, §13.
    """
    bouts, petit, slam = end // 9, end // 3 % 3 - 1, end % 3 - 1
    contract, petit_points, poignees, slam_points = parts(
        board, board[at.BID], half_points, bouts, petit, board[at.POIGNEES_SHOWN], board[at.ANNOUNCED], slam
    )
    return int(contract + petit_points + poignees + slam_points)


@inlined
def mark_of(board: Ints, score: int, end: int) -> int:
    """The fewest half points that give at least this score; beyond 0 … 182 the scale simply goes on."""
    low, high = -at.FAR, at.FAR
    while high - low > 1:
        middle = (low + high) // 2
        if score_of(board, middle, end) >= score:
            high = middle
        else:
            low = middle
    return high


@compiled
def set_goal(board: Ints, score: int) -> None:
    """Write on the board what a search for at least `score` must know.

    A shape says how the marks that may come about lie to each other. Where only one is left, or all have
    moved alike, what was found for another score holds for this one too.
    """
    for end in ends_with(0, 3):
        board[at.MARKS + end] = mark_of(board, score, end)
    for alive in range(4):
        for in_play in range(2):
            for fewest in range(4):
                for most in range(fewest, 4):
                    _set_range(board, alive, in_play, fewest, most)


@inlined
def _set_range(board: Ints, alive: int, in_play: int, fewest: int, most: int) -> None:
    least, greatest, shape = at.FAR, -at.FAR, alive
    first = int(board[at.MARKS + end_of(fewest, NOBODY, NOBODY)])
    for end in ends_with(fewest, most):
        if is_open(end, alive, in_play):
            mark = int(board[at.MARKS + end])
            least, greatest = min(least, mark), max(greatest, mark)
            shape = mixed(shape + mark - first + 4 * at.FAR)
    where = range_place(alive, in_play, fewest, most)
    board[at.LEAST + where], board[at.MOST + where], board[at.SHAPES + where] = least, greatest, shape


@compiled
def score_bound(board: Ints, alive: int, in_play: int, fewest: int, most: int, margin: int) -> int:
    """The score that a margin to the marks proves: at least, or at most where the margin is negative."""
    bound = 1 << 40 if margin >= 0 else -1 << 40
    for end in ends_with(fewest, most):
        if is_open(end, alive, in_play):
            score = score_of(board, int(board[at.MARKS + end]) + margin, end)
            bound = min(bound, score) if margin >= 0 else max(bound, score)
    return bound


@compiled
def score_range(
    board: Ints, alive: int, in_play: int, fewest: int, most: int, least: int, greatest: int
) -> tuple[int, int]:
    """Between what two scores a deal ends, from the `least` to the `greatest` half points of the taker."""
    low, high = 1 << 40, -1 << 40
    for end in ends_with(fewest, most):
        if is_open(end, alive, in_play):
            low = min(low, score_of(board, least, end))
            high = max(high, score_of(board, greatest, end))
    return low, high
