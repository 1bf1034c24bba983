"""Counting the piles, and what the count pays.

Rule: 000 Efter spillet; 001 Betaling for korttælling; 003 REGLER; 004 TÆLLING.
"""

from __future__ import annotations

from ultimo.danish.outcome import Order, Outcome
from ultimo.danish.payments import from_each
from ultimo.events import Seat, Transfer
from ultimo.rulebook import DanishRules

MEAN_COUNT = 26  # a third of the 78 points
FLAT_TOUT = 25  # from each, where the book counts a tout so


def is_counted(rules: DanishRules, outcome: Outcome) -> bool:
    """Whether the piles are counted: not after a nolo, nor after a tout that replaces the count.

    Rule: 000 Efter spillet; 001 Betaling for korttælling; I-9.11, I-9.13.
    """
    return _is_paid(rules, outcome) and (not outcome.tout or rules.tout.count == "byCount")


def _is_paid(rules: DanishRules, outcome: Outcome) -> bool:
    nolo = outcome.nolo(rules.tout.excludes_nolo)
    return rules.count.mode != "off" and not (nolo and rules.nolo.cancels_count)


def balancer(rules: DanishRules, table: int, order: Order) -> Seat:
    """Who does not count but receives or pays the balance: he who is concerned with the next deal.

    Rule: 000 Efter spillet; I-10.1.
    """
    forehand, middle, _ = order
    return middle if table == 5 and rules.table.five == "twoSitOut" else forehand


def count_results(rules: DanishRules, outcome: Outcome) -> dict[Seat, int]:
    """What each active player wins by the count; they sum to zero.

    Rule: 000 Efter spillet (table); 003 REGLER (exact); I-10.2 to I-10.5, I-11.7.
    """
    assert outcome.counts is not None
    exact = rules.count.mode == "exact"
    result = {
        seat: count - MEAN_COUNT if exact else in_fives(count)
        for seat, count in zip(outcome.order, outcome.counts, strict=True)
    }
    if rules.count.counters == "twoAndBalance":
        third = balancer(rules, outcome.table, outcome.order)
        result[third] = -sum(won for seat, won in result.items() if seat != third)
    if outcome.barren:
        return _with_offenders(result, outcome)
    return result


def in_fives(count: int) -> int:
    """A count as the table of the books pays it: the difference to 26 in whole fives, to the nearest."""
    return 5 * ((count - MEAN_COUNT + 2) // 5)


def _with_offenders(result: dict[Seat, int], outcome: Outcome) -> dict[Seat, int]:
    """Offenders pay what the others win, and the others lose nothing (I-11.7)."""
    offenders = [seat for seat in outcome.order if seat in outcome.barren]
    paid = {seat: max(0, won) for seat, won in result.items() if seat not in offenders}
    each, rest = divmod(sum(paid.values()), len(offenders))
    return paid | {seat: -each - (rest if place == 0 else 0) for place, seat in enumerate(offenders)}


def count_payments(rules: DanishRules, outcome: Outcome) -> list[Transfer]:
    """The count as transfers from losers to winners; the flat price of a tout where the book has it.

    Rule: I-10.4.
    """
    if outcome.tout and rules.tout.count == "flat25":
        if outcome.winner is None or outcome.winner in outcome.barren or not _is_paid(rules, outcome):
            return []
        return from_each(outcome.order, outcome.winner, FLAT_TOUT, "count", rules.tout.cite)
    if outcome.counts is None or not is_counted(rules, outcome):
        return []
    return _from_losers_to_winners(count_results(rules, outcome), rules.count.cite)


def _from_losers_to_winners(result: dict[Seat, int], cite: str) -> list[Transfer]:
    owed = {seat: -won for seat, won in result.items() if won < 0}
    transfers = []
    for winner, due in result.items():
        for loser in owed:
            points = min(max(due, 0), owed[loser])
            if points:
                transfers.append(Transfer(loser, winner, points, "count", cite))
                owed[loser] -= points
                due -= points
    return transfers
