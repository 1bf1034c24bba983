"""Counting the piles, and what the count pays.

Over plain integers: `n` is the rulebook (`numbers`), `facts` what happened (`outcome.facts`).
Rule: 000 Efter spillet; 001 Betaling for korttælling; 003 REGLER; 004 TÆLLING.
"""

from __future__ import annotations

from ultimo.danish import numbers as rule
from ultimo.danish.facts import BARREN, COUNTS, NOBODY, RESULTS, TABLE_SIZE, WINNER, facts, is_tout, nolos
from ultimo.danish.outcome import Order, Outcome
from ultimo.danish.payments import COUNT, FLAT_COUNT, from_each, transfers
from ultimo.events import Seat, Transfer
from ultimo.play.book import NO_CARD, blank, pay
from ultimo.play.following import Numbers, Sheet, shared
from ultimo.rulebook import DanishRules

MEAN_COUNT = 26  # a third of the 78 points
FLAT_TOUT = 25  # from each, where the book counts a tout so


def is_counted(rules: DanishRules, outcome: Outcome) -> bool:
    """Whether the piles are counted."""
    return counts_piles(rule.numbers(rules), facts(outcome))


def balancer(rules: DanishRules, table: int, order: Order) -> Seat:
    """Who does not count but receives or pays the balance."""
    return order[balancing_place(rule.numbers(rules), table)]


def count_results(rules: DanishRules, outcome: Outcome) -> dict[Seat, int]:
    """What each active player wins by the count; they sum to zero."""
    noted = facts(outcome)
    reckon(rule.numbers(rules), noted)
    return dict(zip(outcome.order, noted[RESULTS : RESULTS + 3], strict=True))


def count_payments(rules: DanishRules, outcome: Outcome) -> list[Transfer]:
    """The count as transfers; nobody need have counted where a tout is paid in place of it."""
    noted, book = facts(outcome), blank()
    if outcome.counts is None and not (rules.tout.count == "flat25" and is_tout(noted)):
        return []
    pay_count(rule.numbers(rules), noted, book)
    return transfers(rules, outcome.order, book)


@shared
def counts_piles(n: Numbers, facts: Numbers) -> bool:
    """Whether the piles are counted: not after a nolo, nor after a tout that replaces the count.

    Rule: 000 Efter spillet; 001 Betaling for korttælling; I-9.11, I-9.13.
    """
    return is_count_paid(n, facts) and (n[rule.TOUT_COUNT] == rule.BY_COUNT or not is_tout(facts))


@shared
def is_count_paid(n: Numbers, facts: Numbers) -> bool:
    """Whether a count is paid at all, by the piles or flat."""
    return n[rule.COUNT_MODE] != rule.UNCOUNTED and not (n[rule.NOLO_CANCELS_COUNT] and nolos(n, facts))


@shared
def balancing_place(n: Numbers, table: int) -> int:
    """Who does not count but receives or pays the balance: he who is concerned with the next deal.

    Rule: 000 Efter spillet; I-10.1.
    """
    return 1 if table == 5 and n[rule.TWO_SIT_OUT] else 0


@shared
def in_fives(count: int) -> int:
    """A count as the table of the books pays it: the difference to 26 in whole fives, to the nearest."""
    return 5 * ((count - MEAN_COUNT + 2) // 5)


@shared
def reckon(n: Numbers, facts: Sheet) -> None:
    """Write down what each wins by the count; it sums to zero.

    Rule: 000 Efter spillet (table); 003 REGLER (exact); I-10.2, I-10.3, I-10.5.
    """
    for place in range(3):
        count = facts[COUNTS + place]
        facts[RESULTS + place] = count - MEAN_COUNT if n[rule.COUNT_MODE] == rule.EXACT else in_fives(count)
    if not n[rule.ALL_COUNT]:
        third = balancing_place(n, facts[TABLE_SIZE])
        facts[RESULTS + third] = -facts[RESULTS + (third + 1) % 3] - facts[RESULTS + (third + 2) % 3]
    if facts[BARREN]:
        _charge_offenders(facts)


@shared
def _charge_offenders(facts: Sheet) -> None:
    """Offenders pay what the others win, and the others lose nothing; the first pays the odd point.

    Rule: I-11.7.
    """
    won, offenders, first = 0, 0, NOBODY
    for place in range(3):
        if facts[BARREN] >> place & 1:
            offenders += 1
            first = place if first == NOBODY else first
        else:
            facts[RESULTS + place] = max(0, facts[RESULTS + place])
            won += facts[RESULTS + place]
    for place in range(3):
        if facts[BARREN] >> place & 1:
            facts[RESULTS + place] = -(won // offenders) - (won % offenders if place == first else 0)


@shared
def pay_count(n: Numbers, facts: Sheet, book: Sheet) -> None:
    """The count, from losers to winners; the flat price of a tout where the book has it.

    Rule: I-10.4.
    """
    if n[rule.TOUT_COUNT] == rule.FLAT and is_tout(facts):
        winner = facts[WINNER]
        if is_count_paid(n, facts) and winner != NOBODY and not facts[BARREN] >> winner & 1:
            from_each(book, winner, FLAT_TOUT, FLAT_COUNT, NO_CARD)
        return
    if not counts_piles(n, facts):
        return
    reckon(n, facts)
    for winner in range(3):
        for loser in range(3):
            if loser != winner:
                points = min(max(facts[RESULTS + winner], 0), max(-facts[RESULTS + loser], 0))
                facts[RESULTS + winner] -= points
                facts[RESULTS + loser] += points
                pay(book, loser, winner, points, COUNT, NO_CARD)
