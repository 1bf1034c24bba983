"""The single payments of a Danish deal, each a list of transfers with reason and citation."""

from __future__ import annotations

from collections.abc import Iterable, Sequence

from ultimo.cards import KINGS, PAGAT, Card
from ultimo.danish.declarations import value
from ultimo.danish.outcome import Fined, GivenBack, Order
from ultimo.events import CardPlayed, Cup, Declaration, Offence, Reason, Seat, Transfer
from ultimo.rulebook import DanishRules, Fine

CUPS: tuple[Cup, Cup] = ("king", "pagat")


def opponents(order: Order, seat: Seat) -> tuple[Seat, Seat]:
    """The two other active players, in order of play after `seat`."""
    place = order.index(seat)
    return order[(place + 1) % 3], order[(place + 2) % 3]


def from_each(
    order: Order, seat: Seat, points: int, reason: Reason, cite: str, card: Card | None = None
) -> list[Transfer]:
    """Both opponents pay `seat`."""
    return [Transfer(other, seat, points, reason, cite, card) for other in opponents(order, seat) if points]


def to_each(
    order: Order, seat: Seat, points: int, reason: Reason, cite: str, card: Card | None = None
) -> list[Transfer]:
    """`seat` pays both opponents."""
    return [Transfer(seat, other, points, reason, cite, card) for other in opponents(order, seat) if points]


def to_cup(
    rules: DanishRules,
    seat: Seat,
    cup: Cup,
    points: int,
    reason: Reason,
    cite: str,
    card: Card | None = None,
) -> list[Transfer]:
    """`seat` pays into a cup, where cups are in use."""
    return [Transfer(seat, cup, points, reason, cite, card)] if points and rules.cups.enabled else []


def founding(rules: DanishRules, seats: Iterable[Seat], cup: Cup) -> list[Transfer]:
    """Everybody concerned pays into an empty or emptied cup.

    Rule: 000 Spillerne, Før spillet; I-2.2, I-2.3.
    """
    points = rules.cups.found.king if cup == "king" else rules.cups.found.pagat
    return [t for seat in seats for t in to_cup(rules, seat, cup, points, "found", rules.cups.cite)]


def ante(rules: DanishRules, dealer: Seat) -> list[Transfer]:
    """The dealer pays into each cup.

    Rule: 000 Før spillet; 001 A; 003 REGLER; 004 KORTGIVNING.
    """
    return [t for cup in CUPS for t in to_cup(rules, dealer, cup, rules.cups.ante, "ante", rules.cups.cite)]


def declared(rules: DanishRules, order: Order, seat: Seat, made: Iterable[Declaration]) -> list[Transfer]:
    """Both opponents pay for each declaration.

    Rule: 000 Før spillet; 001 A; 003 MELDINGEN; 004 BETALINGSOVERSIGT.
    """
    return [
        t
        for one in made
        for t in from_each(order, seat, value(rules.decl, one), "declaration", rules.decl.cite)
    ]


def trick(
    rules: DanishRules,
    order: Order,
    plays: Iterable[CardPlayed],
    winner: Seat,
    barren: Sequence[Seat] = (),
) -> list[Transfer]:
    """Kings and the pagat in a trick before the last: lost ones pay, a pagat at home is paid.

    Those who are to win nothing are not paid for their pagat (I-11.7).
    Rule: 000 Under spillet; 001 B; 003 REGLER; I-8.1 to I-8.6.
    """
    transfers: list[Transfer] = []
    for play in plays:
        if play.card.bit & KINGS and play.seat != winner:
            transfers += king_lost(rules, order, play.seat, play.card)
        elif play.card.bit & PAGAT and not (play.seat == winner and winner in barren):
            transfers += pagat_fallen(rules, order, play.seat, home=play.seat == winner)
    return transfers


def king_lost(rules: DanishRules, order: Order, seat: Seat, card: Card) -> list[Transfer]:
    """A king that does not win its trick pays both opponents and the king cup."""
    pay = rules.pay
    return to_each(order, seat, pay.king_lost, "kingLost", pay.cite, card) + to_cup(
        rules, seat, "king", pay.king_lost_cup, "kingLost", pay.cite, card
    )


def pagat_fallen(rules: DanishRules, order: Order, seat: Seat, *, home: bool) -> list[Transfer]:
    """The pagat is paid when it takes a trick and pays when it does not."""
    pay, card = rules.pay, Card("T1")
    if home:
        return from_each(order, seat, pay.pagat_home, "pagatHome", pay.cite, card)
    return to_each(order, seat, pay.pagat_lost, "pagatLost", pay.cite, card) + to_cup(
        rules, seat, "pagat", pay.pagat_lost_cup, "pagatLost", pay.cite, card
    )


def fine_for(rules: DanishRules, offence: Offence) -> Fine:
    """The rulebook's fine for an offence."""
    fines = rules.fine
    match offence:
        case "wrongSkat":
            return fines.wrong_skat
        case "wrongCards":
            return fines.wrong_cards
        case "revoke":
            return fines.revoke
        case "wrongDecl":
            return fines.wrong_decl
        case "missingDecl":
            return fines.missing_decl
        case "earlyDecl":
            return fines.early_decl
        case "outOfTurn":
            return fines.out_of_turn
        case "wrongDemand":
            return Fine(amt=fines.wrong_demand, effect=(), cite=fines.cite)
        case "cupsNotMoved":
            return Fine(amt=fines.cups_not_moved, effect=(), cite=fines.cite)
        case "misdeal":
            return Fine(amt=rules.deal.misdeal_pay, effect=(), cite=rules.deal.cite)


def fine(rules: DanishRules, order: Order, fined: Fined) -> list[Transfer]:
    """The fine itself, into each cup or to each opponent, and what goes back.

    Rule: B11; 001 B (overpaid declarations return); 003 MELDINGEN (a false ten).
    """
    terms = fine_for(rules, fined.offence)
    seat = fined.seat
    transfers = to_each(order, seat, fined.overpaid, "repay", terms.cite)
    if fined.false_ten:
        transfers += to_each(order, seat, rules.fine.false_ten, "fine", terms.cite)
    reason: Reason = "misdeal" if fined.offence == "misdeal" else "fine"
    if _to_opponents(rules, fined.offence):
        return transfers + to_each(order, seat, terms.amt, reason, terms.cite)
    return transfers + [t for cup in CUPS for t in to_cup(rules, seat, cup, terms.amt, reason, terms.cite)]


def given_back(rules: DanishRules, back: GivenBack) -> list[Transfer]:
    """What a wrongly captured card has cost its owner is paid by its captor.

    Rule: 003 REGLER; rules D1 «giveBack».
    """
    cite = rules.fine.revoke.cite
    return [Transfer(back.by, back.to, back.points, "giveBack", cite, back.card)] if back.points else []


def _to_opponents(rules: DanishRules, offence: Offence) -> bool:
    """Who gets a fine: a misdeal has its own rule, and cups that were not moved are paid themselves."""
    match offence:
        case "misdeal":
            return rules.deal.misdeal == "payEachOrPass"
        case "cupsNotMoved":
            return False
        case _:
            return rules.fine.to == "opponents"
