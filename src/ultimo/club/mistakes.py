"""Mistakes at a Danish table: for which the book has a fine, and what follows without being written.

Whoever keeps the score writes who was fined for what. Who may then make no ultimo, who wins nothing and what
goes back, the book says.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Literal, TypeAlias, get_args

import msgspec
from msgspec import Struct
from msgspec.structs import replace

from ultimo.cards import Card
from ultimo.danish.declarations import overpaid
from ultimo.danish.outcome import Fined, GivenBack, LostKing, Order, PagatFate
from ultimo.danish.payments import fine_for, fine_goes_to, king_lost, pagat_fallen
from ultimo.events import Declaration, Effect, Offence, Seat
from ultimo.rulebook import DanishRules
from ultimo.telling.rules_words import applies

THE_PAGAT = Card("T1")
OFFENCES: tuple[Offence, ...] = get_args(Offence)

Question: TypeAlias = Literal["goesOn", "true", "nine", "captured", "helped"]


By: TypeAlias = Literal["dealer", "declarer", "anybody"]
_BY: dict[Offence, By] = {
    "wrongSkat": "dealer",
    "cupsNotMoved": "dealer",
    "wrongDecl": "declarer",
    "earlyDecl": "declarer",
}


class Captured(Struct, frozen=True):
    """A king or the pagat that a player has taken by a mistake: it goes back, with what it had cost."""

    by: Seat
    card: Card


class Mistake(Struct, frozen=True):
    """A mistake as the book sees it: who can make it, what it costs, and what has to be asked about it.

    It costs `amount` into each cup or to each opponent, or where `ante` is set the dealer antes again. `ends`
    says that the deal ends with it, `passes` that the dealer may instead let the next player deal.
    """

    offence: Offence
    by: By
    amount: int
    to: Literal["cups", "opponents"]
    ends: bool = False
    asks: tuple[Question, ...] = ()
    ante: bool = False
    passes: bool = False


def mistakes(rules: DanishRules) -> tuple[Mistake, ...]:
    """The mistakes that can be written at a table with these rules."""
    fined = (_mistake(rules, one) for one in fined_offences(rules) if one != "misdeal")
    return (*fined, _misdeal(rules))


def _misdeal(rules: DanishRules) -> Mistake:
    again = rules.deal.misdeal == "anteOrPass"
    return Mistake(
        "misdeal",
        "dealer",
        rules.cups.ante if again else rules.deal.misdeal_pay,
        "cups" if again else fine_goes_to(rules, "misdeal"),
        ante=again,
        passes=rules.deal.misdeal != "correctAndFine",
    )


def _mistake(rules: DanishRules, offence: Offence) -> Mistake:
    terms = fine_for(rules, offence)
    asked: dict[Question, bool] = {
        "goesOn": "consent" in terms.effect,
        "true": "repay" in terms.effect and offence == "wrongDecl",
        "nine": bool(rules.fine.false_ten) and offence == "wrongDecl",
        "captured": "giveBack" in terms.effect,
        "helped": "ultimoCost" in terms.effect,
    }
    return Mistake(
        offence,
        _BY.get(offence, "anybody"),
        terms.amt,
        fine_goes_to(rules, offence),
        ends="stop" in terms.effect,
        asks=tuple(question for question, open_ in asked.items() if open_),
    )


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


def returned(
    rules: DanishRules,
    order: Order,
    captured: Sequence[Captured],
    kings: Sequence[LostKing],
    pagat: PagatFate | None,
) -> tuple[GivenBack, ...]:
    """The captured cards as they go back to those who lost them, with what they cost; others are left out."""
    owner = {one.card: one.seat for one in kings}
    if pagat is not None and not pagat.home:
        owner[THE_PAGAT] = pagat.seat
    return tuple(
        GivenBack(one.by, owner[one.card], one.card, _cost(rules, order, owner[one.card], one.card))
        for one in captured
        if owner.get(one.card) in order
    )


def _cost(rules: DanishRules, order: Order, seat: Seat, card: Card) -> int:
    """What a king or the pagat costs whoever loses it."""
    if card == THE_PAGAT:
        return sum(t.points for t in pagat_fallen(rules, order, seat, home=False))
    return sum(t.points for t in king_lost(rules, order, seat, card))
