"""What a French seat may choose besides the card it plays, over plain integers.

`n` is the rulebook as an array (`numbers`); hands and sets are words, suits and trumps apart.
"""

from __future__ import annotations

from ultimo.french.numbers import (
    BAN_AFTER_EXCUSE,
    CHIEN,
    DEFENDERS_ANNOUNCE,
    FIRST_LEAD_BAN,
    MOST_RANKS,
    NO_RANK,
    PETIT_SEC_REDEALS,
    PLAYERS,
    RANKS_CALLED,
    SHOWS_AGAIN,
)
from ultimo.french.reckoning import BOUTS_WORD, NO_SEAT
from ultimo.play.bits import count
from ultimo.play.counting import KINGS_WORD
from ultimo.play.following import REAL_TRUMPS, SKUS_BIT, SUIT_BITS, Numbers, shared

NOT_CALLED = -1  # instead of the number of the called card
PETIT_BIT = 1
ONE_OF_EACH = 1 | 1 << 14 | 1 << 28 | 1 << 42  # the lowest rank of every suit


@shared
def is_petit_sec(n: Numbers, trumps: int) -> bool:
    """Whether a hand ends the deal: the petit is its only trump, without the excuse.

    Rule: 002 §5; I-C.3.
    """
    return n[PETIT_SEC_REDEALS] != 0 and trumps == PETIT_BIT


@shared
def callable_suits(n: Numbers, suits: int) -> int:
    """The cards a taker may name: a king; and a lower court if he holds all four of each rank above.

    He may name a card he holds himself. What is in the chien does not count: it is not yet turned.
    Rule: 002 §16; I-C.14, I-C.18.
    """
    may = 0
    for step in range(MOST_RANKS):
        rank = n[RANKS_CALLED + step]
        if rank == NO_RANK or may & ~suits:
            break
        may |= ONE_OF_EACH << rank
    return may


@shared
def layable(n: Numbers, suits: int, trumps: int) -> tuple[int, int, int]:
    """What the taker may lay: the suit cards he must lay, then the suit cards and trumps to choose from.

    Suit cards but no king; if they are too few, all of them and trumps, but no bout.
    Rule: 002 §7; I-C.4, I-C.27.
    """
    free = suits & ~KINGS_WORD
    if count(free) >= n[CHIEN]:
        return 0, free, 0
    return free, 0, trumps & ~BOUTS_WORD


@shared
def showable(n: Numbers, trumps: int, laid: int, by_taker: bool) -> int:
    """The trumps that a seat may show, the excuse not among them.

    Some tables let the taker show again the trumps he had to lay.
    Rule: 002 §10; I-C.13.
    """
    if n[SHOWS_AGAIN] and by_taker:
        trumps |= laid
    return trumps & REAL_TRUMPS


@shared
def can_show(trumps: int, with_excuse: bool, size: int) -> bool:
    """Whether there is a poignée of `size` to be shown.

    Rule: 002 §10; I-C.13.
    """
    return count(trumps) + with_excuse >= size


@shared
def shown_sets(trumps: int, with_excuse: bool, size: int) -> tuple[int, int]:
    """The trumps that a poignée of `size` must show, and those to choose from.

    The excuse is shown only to complete all one's trumps.
    Rule: 002 §10; I-C.13.
    """
    if with_excuse and count(trumps) == size - 1:
        return trumps | SKUS_BIT, 0
    return 0, trumps


@shared
def barred_suits(n: Numbers, called: int, number: int, place: int) -> int:
    """The suit cards that may not set the suit of trick `number`, where `place` cards lie already.

    The called card's suit may not be led to the first trick, but for the called card itself; where the
    excuse is led, the card after it is bound alike if the rulebook says so.
    Rule: 002 §16; I-C.16, I-C.28.
    """
    if called == NOT_CALLED or number > 0 or not n[FIRST_LEAD_BAN]:
        return 0
    if place > 0 and not n[BAN_AFTER_EXCUSE]:
        return 0
    return SUIT_BITS << (14 * (called // 14)) & ~(1 << called)


@shared
def asked_after(n: Numbers, dealer: int, taker: int, seat: int) -> int:
    """Who is asked for a slam after `seat`: first the taker, then at some tables the others in turn.

    These are asked from the dealer's right.
    Rule: 002 §11; I-C.5.
    """
    if n[DEFENDERS_ANNOUNCE]:
        players = n[PLAYERS]
        last = 0 if seat == taker else (seat - dealer - 1) % players + 1
        for distance in range(last + 1, players + 1):
            other = (dealer + distance) % players
            if other != taker:
                return other
    return NO_SEAT
