"""What both searches share: equivalent cards, moves made and unmade, and threads that search together.

Threads that search together have a board each and one transposition table, without locks: an entry of two
that were written at the same time is known by its words, which then do not fit together, and not believed.
So that they do not all do the same, a thread marks what it searches, and the others try other moves first.
"""

from __future__ import annotations

from ultimo.kernel.arrays import aligned
from ultimo.kernel.bits import lowest
from ultimo.kernel.jit import Ints, inlined
from ultimo.play.following import FIRST_TRUMP

LOWEST_OF_SUITS = 1 | 1 << 14 | 1 << 28 | 1 << 42
WORD = 0x7FFFFFFFFFFFFFFF
MARKS = 1 << 12  # places for what is being searched
LINE = 8  # words of a line of the processor's cache


def joins(alike: int, bottoms: int = 0) -> int:
    """The cards that come to the same as the card just below them, where all of `alike` do but the lowest."""
    return alike & alike << 1 & ~bottoms


@inlined
def one_of_each(own: int, present: int, joined: int) -> int:
    """The lowest card of every group of equivalent ones: no card of another hand or of the trick parts them.

    `joined` is what `joins` says. A bit is carried upwards over the cards that are gone; where it comes upon
    a card of one's own again, that one adds nothing.
    """
    gone = joined & ~present
    above = own << 1 & joined
    reached = ((gone + (above & gone)) & ~gone) | (above & ~gone)
    return own & ~(reached & joined)


@inlined
def lowest_card(suits: int, trumps: int) -> int:
    """The number of the lowest card of a set, plain suits before trumps."""
    return lowest(suits) if suits else FIRST_TRUMP + lowest(trumps)


@inlined
def without_lowest(suits: int, trumps: int) -> tuple[int, int]:
    """A set without its lowest card."""
    return (suits & (suits - 1), trumps) if suits else (suits, trumps & (trumps - 1))


@inlined
def flip(board: Ints, suits_at: int, trumps_at: int, card: int) -> None:
    """Take a card out of a set of cards on a board, or put it back."""
    if card >= FIRST_TRUMP:
        board[trumps_at] ^= 1 << (card - FIRST_TRUMP)
    else:
        board[suits_at] ^= 1 << card


@inlined
def make_room(table: Ints, bucket: int, size: int, deeper: bool) -> int:
    """The entry of a bucket to be written, of two with `size` words each.

    The first is kept while it is `deeper` than the new position; else it moves to the second's place.
    """
    if deeper:
        return bucket + size
    for word in range(bucket, bucket + size):
        table[word + size] = table[word]
    return bucket


# --- threads ---------------------------------------------------------------------------------------------


def boards_before(threads: int, length: int, shared: int) -> list[Ints]:
    """A board of so many words for each thread, seen to the end of the memory that all share.

    Behind the last one lies what is shared, where a line of the processor's cache begins: `shared_at` says
    where that is.
    """
    words = aligned(threads * length + shared, threads * length, LINE)
    return [words[length * thread :] for thread in range(threads)]


def shared_at(threads: int, length: int, thread: int) -> int:
    """Where on the board of a thread begins what is shared."""
    return (threads - thread) * length


@inlined
def blended(word: int, more: int) -> int:
    """A word of 63 bits that depends on two; of two that differ in one of them it makes two that differ."""
    word = (word ^ more) * 0x7FB5D329728EA185 & WORD
    return word ^ (word >> 32)


@inlined
def mark_of(here: int, move: int) -> int:
    """What a move in a position is marked by; never 0."""
    return blended(here, move + 1) | 1


@inlined
def is_marked(board: Ints, marks: int, mark: int) -> bool:
    """Whether another thread is searching this."""
    return board[marks + (mark >> 40 & (MARKS - 1))] == mark


@inlined
def set_mark(board: Ints, marks: int, mark: int, to: int) -> None:
    """Mark what is searched now, by its mark, or with 0 no longer."""
    board[marks + (mark >> 40 & (MARKS - 1))] = to
