"""The single payments of a Danish deal, each with reason and citation.

What is paid in every deal is written over plain integers, into a book (`play.book`), so that it can be
compiled: places 0, 1, 2 are forehand, middle and dealer, the accounts 3 and 4 the cups. `transfers` tells a
book as people read it. Fines, which only a table with errors knows, are transfers from the start.
"""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from typing import Literal, NamedTuple

from msgspec.structs import replace

from ultimo.cards import PACK, Card
from ultimo.danish import numbers as rule
from ultimo.danish.declarations import value
from ultimo.danish.numbers import CUPS as CUPS_ENABLED
from ultimo.danish.outcome import Fined, GivenBack, Order
from ultimo.events import CardPlayed, Cup, Declaration, Offence, Reason, Seat, Transfer
from ultimo.play.book import NO_CARD, blank, pay, rows
from ultimo.play.following import FIRST_TRUMP, Numbers, Sheet, shared
from ultimo.rulebook import DanishRules, Fine, citation

CUPS: tuple[Cup, Cup] = ("king", "pagat")
PARAMETERS = {  # of the kinds of declarations
    "tarok": "tarok",
    "matadors": "matador",
    "matadorsBelow": "matadorsFromBelow",
    "half": "half",
    "full": "full",
    "over": "over",
}
KING_ACCOUNT, PAGAT_ACCOUNT, ACCOUNTS = 3, 4, 5
PAGAT_CARD = FIRST_TRUMP


class Meaning(NamedTuple):
    """What a code in the book of payments says: the reason, and the parameter by which it is paid."""

    reason: Reason
    key: str


MEANINGS: list[Meaning] = []


def _code(reason: Reason, key: str) -> int:
    """The next code."""
    MEANINGS.append(Meaning(reason, key))
    return len(MEANINGS) - 1


FOUNDED = _code("found", "cups.found")
ANTED = _code("ante", "cups.ante")
DECLARED = _code("declaration", "decl")
LOST_KING = _code("kingLost", "pay.kingLost")
LOST_PAGAT = _code("pagatLost", "pay.pagatLost")
HOME_PAGAT = _code("pagatHome", "pay.pagatHome")
TOOK_LAST = _code("lastTrick", "pay.lastTrick")
KING_ULTIMO = _code("kingUltimo", "ultimo.king")
PAGAT_ULTIMO = _code("pagatUltimo", "ultimo.pagat")
ULTIMO_COST = _code("ultimoCost", "fine.revoke")
KING_BAGUD = _code("kingBagud", "bagud")
PAGAT_BAGUD = _code("pagatBagud", "bagud.pagatExtraCup")
NOLO = _code("nolo", "nolo.pay")
NOLO_LOST = _code("noloLost", "nolo.announce")
TOUT = _code("tout", "tout.pay")
TOUT_LOST = _code("toutLost", "tout.announce")
COUNT = _code("count", "count.mode")
FLAT_COUNT = _code("count", "tout.count")  # the flat price of a tout


def transfers(rules: DanishRules, order: Order, book: Numbers) -> list[Transfer]:
    """The payments of a book, as people read them."""
    accounts = (*order, *CUPS)
    found = []
    for payer, payee, points, code, card in rows(book):
        reason, key = MEANINGS[code]
        about = None if card == NO_CARD else PACK[card]
        cite = citation(rules, key)
        found.append(Transfer(accounts[payer], accounts[payee], points, reason, cite, about))
    return found


@shared
def from_each(book: Sheet, place: int, points: int, code: int, card: int) -> None:
    """Both opponents pay, in order of play."""
    pay(book, (place + 1) % 3, place, points, code, card)
    pay(book, (place + 2) % 3, place, points, code, card)


@shared
def to_each(book: Sheet, place: int, points: int, code: int, card: int) -> None:
    """Both opponents are paid, in order of play."""
    pay(book, place, (place + 1) % 3, points, code, card)
    pay(book, place, (place + 2) % 3, points, code, card)


@shared
def to_cup(n: Numbers, book: Sheet, place: int, cup: int, points: int, code: int, card: int) -> None:
    """A payment into a cup, where cups are in use."""
    if n[CUPS_ENABLED]:
        pay(book, place, cup, points, code, card)


@shared
def founding_points(n: Numbers, cup: int) -> int:
    """What each who founds a cup pays into it."""
    if not n[CUPS_ENABLED]:
        return 0
    return n[rule.FOUND_KING] if cup == KING_ACCOUNT else n[rule.FOUND_PAGAT]


@shared
def pay_ante(n: Numbers, book: Sheet) -> None:
    """The dealer pays into each cup.

    Rule: 000 Før spillet; 001 A; 003 REGLER; 004 KORTGIVNING.
    """
    to_cup(n, book, 2, KING_ACCOUNT, n[rule.ANTE], ANTED, NO_CARD)
    to_cup(n, book, 2, PAGAT_ACCOUNT, n[rule.ANTE], ANTED, NO_CARD)


@shared
def is_king(card: int) -> bool:
    """Whether a card is a king."""
    return 0 <= card < FIRST_TRUMP and card % 14 == 13


@shared
def pay_fallen(n: Numbers, book: Sheet, place: int, card: int, winner: int, barren: int) -> None:
    """What a card costs or brings that falls in a trick before the last: a lost king, the pagat.

    Those who are to win nothing (`barren`, a bit a place) are not paid for their pagat (I-11.7).
    Rule: 000 Under spillet; 001 B; 003 REGLER; I-8.1 to I-8.6.
    """
    if card == PAGAT_CARD:
        pay_pagat(n, book, place, place == winner, barren)
    elif is_king(card) and place != winner:
        to_each(book, place, n[rule.KING_LOST], LOST_KING, card)
        to_cup(n, book, place, KING_ACCOUNT, n[rule.KING_LOST_CUP], LOST_KING, card)


@shared
def pay_pagat(n: Numbers, book: Sheet, place: int, home: bool, barren: int) -> None:
    """The pagat is paid when it takes a trick and pays when it does not."""
    if not home:
        to_each(book, place, n[rule.PAGAT_LOST], LOST_PAGAT, PAGAT_CARD)
        to_cup(n, book, place, PAGAT_ACCOUNT, n[rule.PAGAT_LOST_CUP], LOST_PAGAT, PAGAT_CARD)
    elif not barren >> place & 1:
        from_each(book, place, n[rule.PAGAT_HOME], HOME_PAGAT, PAGAT_CARD)


# --- as transfers --------------------------------------------------------------------------------------


def founding(rules: DanishRules, seats: Iterable[Seat], cup: Cup) -> list[Transfer]:
    """These seats pay into an empty or emptied cup."""
    reason, key = MEANINGS[FOUNDED]
    points = founding_points(rule.numbers(rules), KING_ACCOUNT + CUPS.index(cup))
    return [Transfer(seat, cup, points, reason, citation(rules, key)) for seat in seats if points]


def ante(rules: DanishRules, order: Order) -> list[Transfer]:
    """The dealer's ante."""
    book = blank()
    pay_ante(rule.numbers(rules), book)
    return transfers(rules, order, book)


def declared(rules: DanishRules, order: Order, seat: Seat, made: Iterable[Declaration]) -> list[Transfer]:
    """Both opponents pay for each declaration.

    Rule: 000 Før spillet; 001 A; 003 MELDINGEN; 004 BETALINGSOVERSIGT.
    """
    found, place = [], order.index(seat)
    for one in made:
        book, cite = blank(), citation(rules, f"decl.{PARAMETERS[one.kind]}")
        from_each(book, place, value(rules, one), DECLARED, NO_CARD)
        found += [replace(paid, cite=cite) for paid in transfers(rules, order, book)]
    return found


def trick(
    rules: DanishRules,
    order: Order,
    plays: Iterable[CardPlayed],
    winner: Seat,
    barren: Sequence[Seat] = (),
) -> list[Transfer]:
    """What the cards of a trick before the last cost and bring."""
    barren_places = sum(1 << order.index(seat) for seat in barren)
    book = blank()
    for play in plays:
        place = order.index(play.seat)
        pay_fallen(rule.numbers(rules), book, place, play.card.index, order.index(winner), barren_places)
    return transfers(rules, order, book)


def king_lost(rules: DanishRules, order: Order, seat: Seat, card: Card) -> list[Transfer]:
    """A king that does not win its trick pays both opponents and the king cup."""
    winner = order[(order.index(seat) + 1) % 3]
    return trick(rules, order, (CardPlayed(seat, card),), winner)


def pagat_fallen(rules: DanishRules, order: Order, seat: Seat, *, home: bool) -> list[Transfer]:
    """The pagat fell before the last trick."""
    book = blank()
    pay_pagat(rule.numbers(rules), book, order.index(seat), home, 0)
    return transfers(rules, order, book)


def fine_for(rules: DanishRules, offence: Offence) -> Fine:
    """The rulebook's fine for an offence; one that has no effects is given as an amount."""
    fines = rules.fine
    amounts: dict[Offence, tuple[int, str]] = {
        "wrongDemand": (fines.wrong_demand, "fine.wrongDemand"),
        "cupsNotMoved": (fines.cups_not_moved, "fine.cupsNotMoved"),
        "misdeal": (rules.deal.misdeal_pay, "deal.misdealPay"),
    }
    if offence in amounts:
        amount, key = amounts[offence]
        return Fine(amt=amount, effect=(), cite=citation(rules, key))
    with_effects: dict[Offence, Fine] = {
        "wrongSkat": fines.wrong_skat,
        "wrongCards": fines.wrong_cards,
        "revoke": fines.revoke,
        "wrongDecl": fines.wrong_decl,
        "missingDecl": fines.missing_decl,
        "earlyDecl": fines.early_decl,
        "outOfTurn": fines.out_of_turn,
    }
    return with_effects[offence]


def fine(rules: DanishRules, order: Order, fined: Fined) -> list[Transfer]:
    """The fine itself, into each cup or to each opponent, and what goes back.

    Rule: B11; 001 B (overpaid declarations return); 003 MELDINGEN (a false ten).
    """
    terms = fine_for(rules, fined.offence)
    place = order.index(fined.seat)
    opponents = order[(place + 1) % 3], order[(place + 2) % 3]
    paid: list[tuple[Seat | Cup, int, Reason]] = [(other, fined.overpaid, "repay") for other in opponents]
    if fined.false_ten:
        paid += [(other, rules.fine.false_ten, "fine") for other in opponents]
    reason: Reason = "misdeal" if fined.offence == "misdeal" else "fine"
    if fine_goes_to(rules, fined.offence) == "opponents":
        paid += [(other, terms.amt, reason) for other in opponents]
    elif rules.cups.enabled:
        paid += [(cup, terms.amt, reason) for cup in CUPS]
    return [Transfer(fined.seat, payee, points, why, terms.cite) for payee, points, why in paid if points]


def given_back(rules: DanishRules, back: GivenBack) -> list[Transfer]:
    """What a wrongly captured card has cost its owner is paid by its captor.

    Rule: 003 REGLER; rules D1 «giveBack».
    """
    cite = rules.fine.revoke.cite
    return [Transfer(back.by, back.to, back.points, "giveBack", cite, back.card)] if back.points else []


def fine_goes_to(rules: DanishRules, offence: Offence) -> Literal["cups", "opponents"]:
    """Who gets a fine: a misdeal has its own rule, and cups that were not moved are paid themselves."""
    match offence:
        case "misdeal":
            return "opponents" if rules.deal.misdeal == "payEachOrPass" else "cups"
        case "cupsNotMoved":
            return "cups"
        case _:
            return rules.fine.to
