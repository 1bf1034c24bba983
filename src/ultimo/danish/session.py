"""Danish deals in a row: who plays, who deals next, who founds the cups and who gets them in the end."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import NamedTuple

from ultimo.cards import Card
from ultimo.danish import payments
from ultimo.danish.numbers import numbers
from ultimo.danish.payments import CUPS
from ultimo.danish.phases import founds
from ultimo.danish.state import State
from ultimo.events import Cup, Reason, Seat, Transfer
from ultimo.play.chance import Chance
from ultimo.play.places import BLOCK, Places, right_of
from ultimo.play.story import put
from ultimo.rulebook import DanishRules, citation

CHIPS = (100, 20, 10, 5)  # points of the federation's chips (004 Tilbehør)

# --- seating -------------------------------------------------------------------------------------------


def seated(rules: DanishRules, table: int, dealer: Seat, out: Seat | None) -> tuple[Seat, ...]:
    """Who plays when this seat deals: forehand first, the dealer last.

    Rule: 000 Spillerne; 001 Ved 5 spillere; I-1.3 to I-1.5.
    """
    if table == 3:
        return right_of(dealer, table)
    if table == 5 and rules.table.five == "twoSitOut":
        return (dealer + 1) % 5, (dealer + 4) % 5, dealer
    present = [seat for seat in (*range(dealer, table), *range(dealer)) if seat != out]
    return present[1], present[3], dealer


def next_places(rules: DanishRules, table: int, deals: int, dealer: Seat, out: Seat | None) -> Places:
    """Who deals next, and who then sits out, when so many deals are over: another one after every five.

    Rule: I-1.1, I-1.2; 001 Ved 5 spillere.
    """
    if table == 5 and rules.table.five == "twoSitOut":
        return Places((dealer + 2) % 5, out)
    following = (dealer + 1) % table
    if following == out:
        following = (following + 1) % table
    if out is not None and deals % BLOCK == 0:
        out = (out + 1) % table
    return Places(following, out)


def deals_again(rules: DanishRules, table: int) -> bool:
    """Nobody deals again: also a scrapped deal is a deal."""
    return False


def draw(rules: DanishRules, table: int, rng: Chance) -> tuple[Card, ...]:
    """Nobody draws cards for the first deal: it is given by lot."""
    return ()


def drawn_dealer(rules: DanishRules, drawn: Sequence[Card]) -> Seat | None:
    """No card makes anybody the first dealer."""
    return None


def first_out(rules: DanishRules, table: int, dealer: Seat) -> Seat | None:
    """Who begins by sitting out for five deals, where one of five does so."""
    return (dealer + 2) % 5 if table == 5 and rules.table.five == "fiveDealsOut" else None


class PackDuty(NamedTuple):
    """Who sees to the second pack while a deal is played: who shuffles it, cuts it, and deals it next."""

    shuffles: Seat
    cuts: Seat
    deals: Seat


def second_pack(rules: DanishRules, table: int, dealer: Seat) -> PackDuty | None:
    """The sitters' duties with five at the table, where the text gives them.

    Rule: 001 Ved 5 spillere.
    """
    if table == 5 and rules.table.five == "twoSitOut":
        return PackDuty((dealer + 3) % 5, (dealer + 4) % 5, (dealer + 2) % 5)
    return None


def picked_up(rules: DanishRules, state: State) -> tuple[Card, ...]:
    """The pack for the next deal, where it is not shuffled: here it always is."""
    return ()


# --- the cups ------------------------------------------------------------------------------------------


def founding(rules: DanishRules, table: int, active: Sequence[Seat], cup: Cup) -> list[Transfer]:
    """What is paid into an empty or emptied cup."""
    seats = [seat for seat in range(table) if founds(numbers(rules), seat in active)]
    return payments.founding(rules, seats, cup)


def divided(
    rules: DanishRules, cups: Mapping[Cup, int], totals: Sequence[int], dealer: Seat, lot: Seat
) -> list[Transfer]:
    """What everybody gets of the cups at the end, after a deal of `dealer`; `lot` may get the rest.

    The king cup is emptied first; what somebody gets beyond the others is the rest.
    Rule: 004 AFSLUTNING; I-12.1 to I-12.3.
    """
    shares = _shares(rules, sum(cups.values()), totals, dealer, lot)
    equal, held = min(shares), dict(cups)
    parts: list[tuple[Seat, int, Reason]] = [(seat, equal, "division") for seat in range(len(totals))]
    parts += [(seat, share - equal, "divisionRest") for seat, share in enumerate(shares)]
    transfers = []
    for seat, due, reason in parts:
        for cup in CUPS:
            points = min(due, held[cup])
            if points:
                transfers.append(Transfer(cup, seat, points, reason, citation(rules, "session.rest")))
                held[cup] -= points
                due -= points
    return transfers


def _shares(
    rules: DanishRules, whole: int, totals: Sequence[int], dealer: Seat, lot: Seat
) -> tuple[int, ...]:
    """What each seat gets of the cups, the rest included."""
    table, unit = len(totals), rules.session.unit
    each = whole // (table * unit) * unit
    worst = min(right_of(dealer, table), key=lambda seat: totals[seat])
    lucky = worst if rules.session.rest == "worst" else lot
    return put((each,) * table, lucky, whole - each * (table - 1))
