"""The order of things in a French deal, over plain integers: what comes next, what a seat may then choose.

Each step is decided here and nowhere else: the engine, the compiled deal, the search and the sampler of
hidden hands all ask these functions. `n` is the rulebook as an array (`numbers`); hands and sets are words,
suits and trumps apart; a seat that is not there is `NO_SEAT`.
"""

from __future__ import annotations

from ultimo.french import numbers as rule
from ultimo.french.reckoning import BOUTS_WORD, NO_SEAT
from ultimo.play.bits import count
from ultimo.play.counting import KINGS_WORD
from ultimo.play.following import PACK_SIZE, REAL_TRUMPS, SKUS_BIT, SUIT_BITS, Numbers, shared

NOT_CALLED = -1  # instead of the number of the called card
PETIT_BIT = 1
STEPS = BIDDING, CALLING, LAYING, SLAM, PLAYING, THROWN_IN = range(6)  # of a deal, in their order
ONE_OF_EACH = 1 | 1 << 14 | 1 << 28 | 1 << 42  # the lowest rank of every suit


@shared
def chien_span(n: Numbers) -> tuple[int, int]:
    """The first and the end of the places in the pack whose cards may go to the chien: none near its ends.

    Rule: 002 §5; I-C.1.
    """
    return n[rule.FORBIDDEN_ENDS], PACK_SIZE - n[rule.FORBIDDEN_ENDS]


@shared
def receiver(n: Numbers, dealer: int, packet: int) -> int:
    """The seat that is dealt a packet: the first goes to the dealer's right, and so on anticlockwise.

    Rule: 002 §5.
    """
    return (dealer + 1 + packet) % n[rule.PLAYERS]


@shared
def is_petit_sec(n: Numbers, trumps: int) -> bool:
    """Whether a hand ends the deal: the petit is its only trump, without the excuse.

    Rule: 002 §5; I-C.3.
    """
    return n[rule.PETIT_SEC_REDEALS] != 0 and trumps == PETIT_BIT


@shared
def comes_next(n: Numbers, over: int, taker: int, contract: int) -> int:
    """The step after one that is over; one that this table or this contract does not have is passed over.

    Bids; the call; the chien is turned, taken up and an écart laid; the slam; the tricks. If nobody has bid
    the cards are thrown in, and nobody scores.
    Rule: 002 §6, §7, §16; I-C.14, I-C.23.
    """
    if over == BIDDING and taker == NO_SEAT:
        return THROWN_IN
    if over < CALLING and n[rule.CALLS]:
        return CALLING
    if over < LAYING and is_turned(n, contract):
        return LAYING
    return SLAM if over < SLAM else PLAYING


@shared
def is_turned(n: Numbers, contract: int) -> bool:
    """Whether the chien is turned for all to see and taken up; `contract` is its place on the ladder.

    Rule: 002 §7.
    """
    return n[rule.CHIEN_GOES + contract] == rule.CHIEN_TAKEN


@shared
def shows_taker_alone(called: int, chien: int) -> bool:
    """Whether a turned chien shows that the taker plays alone: the called card lies in it.

    In a chien that stays closed nobody learns it before the count.
    Rule: 002 §16; I-C.17.
    """
    return called != NOT_CALLED and chien >> called & 1 != 0


@shared
def partner_of(taker: int, holder: int) -> int:
    """The taker's partner: who was dealt the called card, unless it is the taker or nobody.

    Rule: 002 §16.
    """
    return NO_SEAT if holder == taker else holder


@shared
def callable_suits(n: Numbers, suits: int) -> int:
    """The cards a taker may name: a king; and a lower court if he holds all four of each rank above.

    He may name a card he holds himself. What is in the chien does not count: it is not yet turned.
    Rule: 002 §16; I-C.18.
    """
    may = 0
    for step in range(rule.MOST_RANKS):
        rank = n[rule.RANKS_CALLED + step]
        if rank == rule.NO_RANK or may & ~suits:
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
    if count(free) >= n[rule.CHIEN]:
        return 0, free, 0
    return free, 0, trumps & ~BOUTS_WORD


@shared
def showable(n: Numbers, trumps: int, laid: int, by_taker: bool) -> int:
    """The trumps that a seat may show, the excuse not among them.

    Some tables let the taker show again the trumps that had to be laid.
    Rule: 002 §10.
    """
    if n[rule.SHOWS_AGAIN] and by_taker:
        trumps |= laid
    return trumps & REAL_TRUMPS


@shared
def can_show(trumps: int, with_excuse: bool, size: int) -> bool:
    """Whether there is a poignée of `size` to be shown.

    Rule: 002 §10.
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
    if called == NOT_CALLED or number > 0 or not n[rule.FIRST_LEAD_BAN]:
        return 0
    if place > 0 and not n[rule.BAN_AFTER_EXCUSE]:
        return 0
    return SUIT_BITS << (14 * (called // 14)) & ~(1 << called)


@shared
def asked_after(n: Numbers, dealer: int, taker: int, seat: int) -> int:
    """Who is asked for a slam after `seat`: first the taker, then at some tables the others in turn.

    These are asked from the dealer's right.
    Rule: 002 §11; I-C.5.
    """
    if n[rule.DEFENDERS_ANNOUNCE]:
        players = n[rule.PLAYERS]
        last = 0 if seat == taker else (seat - dealer - 1) % players + 1
        for distance in range(last + 1, players + 1):
            other = (dealer + distance) % players
            if other != taker:
                return other
    return NO_SEAT


@shared
def first_leader(n: Numbers, dealer: int, announcer: int) -> int:
    """Who leads to the first trick: whoever has announced a slam, else the seat at the dealer's right.

    Rule: 002 §8, §11; I-C.6.
    """
    return (dealer + 1) % n[rule.PLAYERS] if announcer == NO_SEAT else announcer
