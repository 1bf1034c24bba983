"""Mistakes at a Danish table: for which the book has a fine, and what follows without being written.

Whoever keeps the score writes who was fined for what. Who may then make no ultimo, who wins nothing and what
goes back, the book says.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import get_args

import msgspec
from msgspec.structs import replace

from ultimo.danish.declarations import overpaid
from ultimo.danish.outcome import Fined
from ultimo.danish.payments import fine_for
from ultimo.events import Declaration, Effect, Offence, Seat
from ultimo.rulebook import DanishRules
from ultimo.telling.rules_words import applies

OFFENCES: tuple[Offence, ...] = get_args(Offence)


def parameter(offence: Offence) -> str:
    """The rule by which a mistake is fined."""
    return "deal.misdealPay" if offence == "misdeal" else f"fine.{offence}"


def fined_offences(rules: DanishRules) -> tuple[Offence, ...]:
    """The mistakes for which there is a fine at a table with these rules.

    >>> from ultimo.rulebook import load
    >>> fined_offences(load("jensen"))
    ('wrongSkat', 'wrongCards', 'revoke', 'wrongDecl', 'missingDecl', 'wrongDemand')
    """
    tables = msgspec.to_builtins(rules)
    return tuple(one for one in OFFENCES if fine_for(rules, one).exists and applies(tables, parameter(one)))


def suffering(rules: DanishRules, fines: Sequence[Fined], effect: Effect) -> tuple[Seat, ...]:
    """Who suffers an effect by these fines, each once."""
    return tuple(dict.fromkeys(one.seat for one in fines if effect in fine_for(rules, one.offence).effect))


def with_repayments(
    rules: DanishRules,
    fines: Sequence[Fined],
    paid: Mapping[Seat, tuple[Declaration, ...]],
    true: Mapping[Seat, tuple[Declaration, ...]],
) -> tuple[Fined, ...]:
    """The fines with what was received wrongly for declarations, unless it is written already.

    `true` is what those had to declare who declared wrongly. Where no declaration counts, all goes back that
    has not gone back before.
    """
    found: list[Fined] = []
    for one in fines:
        effects, made = fine_for(rules, one.offence).effect, paid.get(one.seat, ())
        back = one.overpaid
        if not back and "noDeclare" in effects:
            before = sum(other.overpaid for other in found if other.seat == one.seat)
            back = overpaid(rules, made, ()) - before
        elif not back and "repay" in effects and one.offence == "wrongDecl" and one.seat in true:
            back = overpaid(rules, made, true[one.seat])
        found.append(replace(one, overpaid=back))
    return tuple(found)
