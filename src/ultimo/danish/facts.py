"""The end of a Danish deal as numbers, so that the rules of the last trick and the count can be compiled."""

from __future__ import annotations

from ultimo.danish.numbers import TOUT_EXCLUDES_NOLO
from ultimo.danish.outcome import Outcome
from ultimo.play.book import NO_CARD
from ultimo.play.following import Numbers, shared

# The places 0, 1, 2 are forehand, middle and dealer; sets of them are bits.
LEADER, WINNER, LAST_CARDS = 0, 1, 2
NET, KING_CUP, PAGAT_CUP = 5, 8, 9  # the five accounts side by side
TRICKS_WON, NOLO_BEFORE, TOUT_BEFORE, COUNTS, RESULTS = 10, 13, 16, 19, 22
BANNED, BARREN, CHARGED, TABLE_SIZE, FACTS = 25, 26, 27, 28, 29
NOBODY = -1


def facts(outcome: Outcome) -> list[int]:
    """The end of a deal as numbers; a card that was not played, as after a misdeal, is missing (-1)."""
    noted = [0] * FACTS
    place = {seat: at for at, seat in enumerate(outcome.order)}
    noted[LEADER] = place[outcome.last[0].seat] if outcome.last else 0
    noted[WINNER] = NOBODY if outcome.winner is None else place[outcome.winner]
    for at in range(3):
        noted[LAST_CARDS + at] = NO_CARD
    for play in outcome.last:
        noted[LAST_CARDS + (place[play.seat] - noted[LEADER]) % 3] = play.card.index
    noted[KING_CUP], noted[PAGAT_CUP] = outcome.king, outcome.pagat
    noted[TRICKS_WON : TRICKS_WON + 3] = outcome.tricks or (0, 0, 0)
    for one in outcome.announcements:
        noted[(NOLO_BEFORE if one.kind == "nolo" else TOUT_BEFORE) + place[one.seat]] = one.before
    noted[COUNTS : COUNTS + 3] = outcome.counts or (0, 0, 0)
    noted[BANNED] = sum(1 << place[seat] for seat in outcome.banned)
    noted[BARREN] = sum(1 << place[seat] for seat in outcome.barren)
    noted[CHARGED] = NOBODY if outcome.charged is None else place[outcome.charged]
    noted[TABLE_SIZE] = outcome.table
    return noted


@shared
def is_tout(facts: Numbers) -> bool:
    """Whether one player took every trick."""
    first, second, third = facts[TRICKS_WON], facts[TRICKS_WON + 1], facts[TRICKS_WON + 2]
    return int(first == 0) + int(second == 0) + int(third == 0) == 2  # words of an array add up only as int


@shared
def nolos(n: Numbers, facts: Numbers) -> int:
    """Who took no trick; where a tout excludes nolo, nobody beside a tout (I-9.9)."""
    if facts[WINNER] == NOBODY or (n[TOUT_EXCLUDES_NOLO] and is_tout(facts)):
        return 0
    found = 0
    for place in range(3):
        if facts[TRICKS_WON + place] == 0:
            found |= 1 << place
    return found
