"""What a French search asks: does the taker's side come to a score of at least so much?

The score rises with the half points of the taker's side, so the question is whether they reach a mark, which
differs with the bouts, the petit au bout and the slam of the end. A search therefore looks for one number:
the half points still to be won less the mark of the end that comes about.

Everything the search needs lies on one board of integers, the rulebook's numbers first.
"""

from __future__ import annotations

from ultimo.french.reckoning import parts
from ultimo.kernel.french.search import layout as at
from ultimo.kernel.jit import Ints, compiled, inlined


@inlined
def mixed(word: int) -> int:
    """A word of 63 bits in which every bit depends on all bits of the one given."""
    word = (word ^ (word >> 31)) * 0x7FB5D329728EA185 & at.WORD
    word = (word ^ (word >> 27)) * 0x01DADEF4BC2DD44D & at.WORD
    return word ^ (word >> 33)


@inlined
def place_of(side: int) -> int:
    """Where a side stands in the lists of marks: nobody, the taker's side, the defence."""
    return side % 3


@inlined
def mark_place(bouts: int, petit: int, slam: int) -> int:
    """Where the mark of an end stands."""
    return at.MARKS + 9 * bouts + 3 * place_of(petit) + place_of(slam)


@inlined
def range_place(alive: int, petit: int, fewest: int, most: int) -> int:
    """Where the bounds of the ends stand that may still come about.

    `alive` has bit 0 if the taker's side may still make a slam and bit 1 if the defence may.
    """
    return 64 * petit + 16 * alive + 4 * fewest + most


@inlined
def score_of(board: Ints, half_points: int, bouts: int, petit: int, slam: int) -> int:
    """What each defender pays after a deal that ends so.

    Rule: 002 §10, §11, §12, §13.
    """
    contract, petit_points, poignees, slam_points = parts(
        board, board[at.BID], half_points, bouts, petit, board[at.POIGNEES_SHOWN], board[at.ANNOUNCED], slam
    )
    return int(contract + petit_points + poignees + slam_points)


@inlined
def mark_of(board: Ints, score: int, bouts: int, petit: int, slam: int) -> int:
    """The fewest half points that give at least this score; beyond 0 … 182 the scale simply goes on."""
    low, high = -at.FAR, at.FAR
    while high - low > 1:
        middle = (low + high) // 2
        if score_of(board, middle, bouts, petit, slam) >= score:
            high = middle
        else:
            low = middle
    return high


@inlined
def slams_alive(alive: int, slam: int) -> bool:
    """Whether this side, or nobody, may still come to have all tricks."""
    return slam == 0 or (slam == 1 and alive & 1 != 0) or (slam == -1 and alive & 2 != 0)


@compiled
def set_goal(board: Ints, score: int) -> None:
    """Write on the board what a search for at least `score` must know.

    A shape says how the marks that may come about lie to each other. Where only one is left, or all have
    moved alike, what was found for another score holds for this one too.
    """
    for bouts in range(4):
        for petit in range(-1, 2):
            for slam in range(-1, 2):
                board[mark_place(bouts, petit, slam)] = mark_of(board, score, bouts, petit, slam)
    for alive in range(4):
        for in_play in range(2):
            for fewest in range(4):
                for most in range(fewest, 4):
                    _set_range(board, alive, in_play, fewest, most)


@inlined
def _set_range(board: Ints, alive: int, in_play: int, fewest: int, most: int) -> None:
    least, greatest = at.FAR, -at.FAR
    shape = alive
    first = int(board[mark_place(fewest, 0, 0)])
    for bouts in range(fewest, most + 1):
        for petit in range(-in_play, in_play + 1):
            for slam in range(-1, 2):
                if slams_alive(alive, slam):
                    mark = int(board[mark_place(bouts, petit, slam)])
                    least = min(least, mark)
                    greatest = max(greatest, mark)
                    shape = mixed(shape + mark - first + 4 * at.FAR)
    where = range_place(alive, in_play, fewest, most)
    board[at.LEAST + where] = least
    board[at.MOST + where] = greatest
    board[at.SHAPES + where] = shape


@compiled
def score_bound(board: Ints, alive: int, in_play: int, fewest: int, most: int, margin: int) -> int:
    """The score that a margin to the marks proves: at least, or at most where the margin is negative."""
    reached = margin >= 0
    bound = 1 << 40
    if not reached:
        bound = -bound
    for bouts in range(fewest, most + 1):
        for petit in range(-in_play, in_play + 1):
            for slam in range(-1, 2):
                if slams_alive(alive, slam):
                    half_points = int(board[mark_place(bouts, petit, slam)]) + margin
                    score = score_of(board, half_points, bouts, petit, slam)
                    bound = min(bound, score) if reached else max(bound, score)
    return bound
