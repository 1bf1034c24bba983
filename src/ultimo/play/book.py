"""A book of payments as integers: how many, then for each the payer, the payee, points, code and card.

The rules write their payments here, the table reads them as transfers, and the compiled loops add them up.
Accounts are places at the table and, after them, cups. The code says what is paid for, family by family.
"""

from __future__ import annotations

from ultimo.play.following import Numbers, Sheet, shared

ROW = 5
NO_CARD = -1
LENGTH = 1 + ROW * 60  # no deal has so many payments at once


@shared
def pay(book: Sheet, payer: int, payee: int, points: int, code: int, card: int) -> None:
    """Note a payment; one of nothing is not noted: the next is written over it."""
    at = 1 + ROW * book[0]
    book[at] = payer
    book[at + 1] = payee
    book[at + 2] = points
    book[at + 3] = code
    book[at + 4] = card
    book[0] += int(points > 0)


@shared
def post(book: Numbers, accounts: Sheet, offset: int) -> int:
    """Add the payments to accounts that begin at `offset`; what they are for, a bit for each code."""
    codes = 0
    for row in range(book[0]):
        at = 1 + ROW * row
        accounts[offset + book[at]] -= book[at + 2]
        accounts[offset + book[at + 1]] += book[at + 2]
        codes |= 1 << book[at + 3]
    return codes


def blank() -> list[int]:
    """A book without payments."""
    return [0] * LENGTH


def rows(book: Numbers) -> list[tuple[int, int, int, int, int]]:
    """The payments in the order in which they were noted."""
    starts = range(1, 1 + ROW * book[0], ROW)
    return [(book[at], book[at + 1], book[at + 2], book[at + 3], book[at + 4]) for at in starts]
