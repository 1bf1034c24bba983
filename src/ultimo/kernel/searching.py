"""What both searches share: equivalent cards, moves made and unmade, the two entries of a bucket."""

from __future__ import annotations

from ultimo.kernel.bits import lowest
from ultimo.kernel.jit import Ints, inlined
from ultimo.play.following import FIRST_TRUMP

LOWEST_OF_SUITS = 1 | 1 << 14 | 1 << 28 | 1 << 42


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
