"""Points as money at the end of an evening: what everybody pays or gets, who pays whom, in which chips."""

from __future__ import annotations

from collections.abc import Sequence
from itertools import combinations

from msgspec import Struct

from ultimo.danish.session import CHIPS
from ultimo.events import Seat


class Rate(Struct, frozen=True):
    """What points are worth: so many of the smallest coins for so many points."""

    coins: int
    points: int = 1
    currency: str = ""

    def __post_init__(self) -> None:
        if self.coins < 0 or self.points < 1:
            raise ValueError("a rate is so many coins for at least one point")


class Payment(Struct, frozen=True):
    """Money from one player to another, in the smallest coin."""

    payer: Seat
    payee: Seat
    coins: int


def in_coins(totals: Sequence[int], rate: Rate) -> tuple[int, ...]:
    """What everybody gets, or pays if below zero; what is rounded off goes to those who lose most by it.

    >>> in_coins((-10, -10, 20), Rate(1, 3))
    (-4, -3, 7)
    """
    if sum(totals) != 0:
        raise ValueError("what is won is not what is lost: divide the cups first")
    whole = [total * rate.coins // rate.points for total in totals]  # rounded down
    lost = [total * rate.coins - coins * rate.points for total, coins in zip(totals, whole, strict=True)]
    for seat in sorted(range(len(totals)), key=lambda seat: (-lost[seat], -seat))[: -sum(whole)]:
        whole[seat] += 1
    return tuple(whole)


def fewest_payments(coins: Sequence[int]) -> tuple[Payment, ...]:
    """Who pays whom so that all are square, in as few payments as possible.

    People who are square among themselves need one payment less than they are, so the table is parted into as
    many such groups as can be.

    >>> [(one.payer, one.payee, one.coins) for one in fewest_payments((-5, 5, -7, 4, 3))]
    [(0, 1, 5), (2, 3, 4), (2, 4, 3)]
    """
    square = _groups(frozenset(seat for seat, one in enumerate(coins) if one), coins)
    return tuple(paid for group in square for paid in _within(group, coins))


def _groups(seats: frozenset[Seat], coins: Sequence[int]) -> list[tuple[Seat, ...]]:
    """The seats in as many groups as can be, each of which is square by itself."""
    if not seats:
        return []
    first, *others = sorted(seats)
    best: list[tuple[Seat, ...]] = []
    for size in range(1, len(others) + 1):
        for some in combinations(others, size):
            group = (first, *some)
            if sum(coins[seat] for seat in group) == 0:
                found = [group, *_groups(seats - set(group), coins)]
                best = max(best, found, key=len)
    return best


def _within(group: tuple[Seat, ...], coins: Sequence[int]) -> list[Payment]:
    """Payments that square a group, fewer than it has people: the largest debt goes to the largest claim."""
    left = {seat: coins[seat] for seat in group}
    found = []
    while any(left.values()):
        payer, payee = min(left, key=lambda seat: left[seat]), max(left, key=lambda seat: left[seat])
        paid = min(-left[payer], left[payee])
        found.append(Payment(payer, payee, paid))
        left[payer] += paid
        left[payee] -= paid
    return found


def chips(points: int) -> tuple[dict[int, int], int]:
    """The fewest chips that make so many points, by their value, and what is left over.

    >>> chips(145)
    ({100: 1, 20: 2, 5: 1}, 0)
    """
    left, found = abs(points), {}
    for chip in CHIPS:
        if number := left // chip:
            found[chip] = number
        left %= chip
    return found, left
