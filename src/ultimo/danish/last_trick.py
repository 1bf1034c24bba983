"""The settlement of the last trick: ultimo, bagud, nolo and tout.

The algorithm of rules B9, step by step, over plain integers: `n` is the rulebook (`numbers`), `facts` what
happened (`outcome.facts`), `book` takes the payments.
Rule: 000 Efter spillet; 001 C; 003 REGLER, SPILLET; 004 BETALINGSOVERSIGT, SPILLET.
"""

from __future__ import annotations

from ultimo.danish import numbers as rule
from ultimo.danish.facts import (
    BANNED,
    BARREN,
    CHARGED,
    KING_CUP,
    LAST_CARDS,
    LEADER,
    NOBODY,
    NOLO_BEFORE,
    PAGAT_CUP,
    TOUT_BEFORE,
    TRICKS_WON,
    WINNER,
    facts,
    is_tout,
    nolos,
)
from ultimo.danish.numbers import CUPS as CUPS_ENABLED
from ultimo.danish.outcome import Outcome
from ultimo.danish.payments import (
    CUPS,
    HOME_PAGAT,
    KING_ACCOUNT,
    KING_BAGUD,
    KING_ULTIMO,
    NOLO,
    NOLO_LOST,
    PAGAT_ACCOUNT,
    PAGAT_BAGUD,
    PAGAT_CARD,
    PAGAT_ULTIMO,
    TOOK_LAST,
    TOUT,
    TOUT_LOST,
    ULTIMO_COST,
    from_each,
    is_king,
    to_cup,
    to_each,
    transfers,
)
from ultimo.events import Settlement
from ultimo.play.book import NO_CARD, blank, pay
from ultimo.play.following import Numbers, Sheet, shared
from ultimo.rulebook import DanishRules

KING_BIT, PAGAT_BIT = 1, 2  # the cups, in a set of them


def last_trick(rules: DanishRules, outcome: Outcome) -> Settlement:
    """Last trick, ultimo, bagud, nolo and tout, as transfers."""
    assert outcome.winner is not None
    assert outcome.tricks is not None
    book = blank()
    emptied = pay_last_trick(rule.numbers(rules), facts(outcome), book)
    return Settlement(
        tuple(transfers(rules, outcome.order, book)),
        tuple((cup, outcome.winner) for place, cup in enumerate(CUPS) if emptied >> place & 1),
    )


@shared
def pay_last_trick(n: Numbers, facts: Numbers, book: Sheet) -> int:
    """All payments of the last trick; the set of cups that were emptied.

    Nobody need have meant to ultimate (I-9.18); a ban keeps from ultimo, not from bagud (I-9.19).
    Rule: the algorithm of rules B9, steps 1 to 6.
    """
    king, pagat = facts[KING_CUP], facts[PAGAT_CUP]
    card = winning_card(facts)
    taken = _pay_winner(n, facts, book, card)
    if n[rule.CUP_ORDER] == rule.BAGUD_FIRST:
        king, pagat = _pay_bagud(n, facts, book, king, pagat)
        emptied = _take_cups(n, facts, book, card, taken, king, pagat)
    else:
        emptied = _take_cups(n, facts, book, card, taken, king, pagat)
        if n[rule.CUP_ORDER] == rule.ULTIMO_FIRST:
            king = 0 if taken & KING_BIT else king
            pagat = 0 if taken & PAGAT_BIT else pagat
        _pay_bagud(n, facts, book, king, pagat)
    _pay_nolo_and_announcements(n, facts, book)
    return emptied


@shared
def winning_card(facts: Numbers) -> int:
    """The card that took the last trick."""
    return facts[LAST_CARDS + (facts[WINNER] - facts[LEADER]) % 3]


@shared
def has_bagud(facts: Numbers) -> bool:
    """Whether a king or the pagat was lost in the last trick."""
    for turn in range(3):
        card = facts[LAST_CARDS + turn]
        if (facts[LEADER] + turn) % 3 != facts[WINNER] and (card == PAGAT_CARD or is_king(card)):
            return True
    return False


# --- steps 1 to 4: the winner ---------------------------------------------------------------------------


@shared
def _pay_winner(n: Numbers, facts: Numbers, book: Sheet, card: int) -> int:
    """Pay the winner; the set of cups that he takes. Who is to win nothing gets nothing (I-11.7)."""
    place = facts[WINNER]
    if facts[BARREN] >> place & 1:
        return 0
    if not is_tout(facts):
        if nolos(n, facts) and n[rule.NOLO_CANCELS_ULTIMO]:
            from_each(book, place, _last_trick_price(n, facts), TOOK_LAST, card)
            if card == PAGAT_CARD:  # I-9.8
                from_each(book, place, n[rule.PAGAT_HOME], HOME_PAGAT, card)
            return 0
        return _pay_ultimo_or_plain(n, facts, book, card)
    announced = n[rule.TOUT_WINS + facts[TOUT_BEFORE + place]]
    from_each(book, place, n[rule.TOUT_PAY] if announced == rule.NEVER else announced, TOUT, card)
    taken = KING_BIT | PAGAT_BIT if n[rule.TOUT_TAKES_CUPS] else 0
    if not n[rule.TOUT_REPLACES_LAST]:
        return taken | _pay_ultimo_or_plain(n, facts, book, card)
    if card == PAGAT_CARD:  # I-9.10
        from_each(book, place, n[rule.PAGAT_HOME], HOME_PAGAT, card)
    return taken


@shared
def _pay_ultimo_or_plain(n: Numbers, facts: Numbers, book: Sheet, card: int) -> int:
    """Steps 3 and 4; the set of cups that the winner takes.

    Who is banned is paid for the last trick and nothing else, be it with the pagat (I-9.21).
    """
    place, king = facts[WINNER], is_king(card)
    if (not king and card != PAGAT_CARD) or facts[BANNED] >> place & 1:
        from_each(book, place, _last_trick_price(n, facts), TOOK_LAST, card)
        return 0
    price = ultimo_price(n, king)
    code = KING_ULTIMO if king else PAGAT_ULTIMO
    if facts[CHARGED] == NOBODY:
        from_each(book, place, price, code, card)
    else:  # whoever helped pays for both (I-11.11)
        pay(book, facts[CHARGED], place, price, ULTIMO_COST, card)
        pay(book, facts[CHARGED], place, price, ULTIMO_COST, card)
    if not n[rule.ULTIMO_INCLUDES_LAST]:
        from_each(book, place, _last_trick_price(n, facts), TOOK_LAST, card)
    return KING_BIT if king else PAGAT_BIT


@shared
def ultimo_price(n: Numbers, king: bool) -> int:
    """What an ultimo brings from each, and a bagud costs to each."""
    return n[rule.ULTIMO_KING] if king else n[rule.ULTIMO_PAGAT] + n[rule.ULTIMO_PAGAT_EXTRA]


@shared
def _last_trick_price(n: Numbers, facts: Numbers) -> int:
    if n[rule.NOLO_CANCELS_LAST] and nolos(n, facts) and not is_tout(facts):
        return 0
    return n[rule.LAST_TRICK] if n[rule.PAID_WITH_BAGUD] or not has_bagud(facts) else 0


@shared
def _take_cups(n: Numbers, facts: Numbers, book: Sheet, card: int, taken: int, king: int, pagat: int) -> int:
    """The winner takes cups; a charged offender makes them good, and then they were not emptied."""
    if not n[CUPS_ENABLED]:
        return 0
    by_tout = n[rule.TOUT_TAKES_CUPS] and is_tout(facts)
    code = TOUT if by_tout else KING_ULTIMO if is_king(card) else PAGAT_ULTIMO
    charged = facts[CHARGED] != NOBODY and not by_tout
    for cup in range(2):
        held = king if cup == 0 else pagat
        if taken >> cup & 1:
            pay(book, KING_ACCOUNT + cup, facts[WINNER], held, code, card)
            if charged:
                to_cup(n, book, facts[CHARGED], KING_ACCOUNT + cup, held, ULTIMO_COST, card)
    return 0 if charged else taken


# --- step 5: bagud ---------------------------------------------------------------------------------------


@shared
def _pay_bagud(n: Numbers, facts: Numbers, book: Sheet, king: int, pagat: int) -> tuple[int, int]:
    """Each bagud pays both opponents, and into its cup what that holds; what the cups come to.

    Where bagud is paid first, the second one finds in the cup what the first has paid in.
    """
    king_held, pagat_held = king, pagat
    for turn in range(3):
        place, card = (facts[LEADER] + turn) % 3, facts[LAST_CARDS + turn]
        if place == facts[WINNER]:
            continue
        if is_king(card):
            double = king_held if n[rule.CUP_ORDER] == rule.BAGUD_FIRST else king
            to_each(book, place, ultimo_price(n, True), KING_BAGUD, card)
            to_cup(n, book, place, KING_ACCOUNT, double, KING_BAGUD, card)
            king_held += double
        elif card == PAGAT_CARD:
            double = (pagat_held if n[rule.CUP_ORDER] == rule.BAGUD_FIRST else pagat) + n[
                rule.BAGUD_EXTRA_CUP
            ]
            to_each(book, place, ultimo_price(n, False), PAGAT_BAGUD, card)
            to_cup(n, book, place, PAGAT_ACCOUNT, double, PAGAT_BAGUD, card)
            pagat_held += double
    return king_held, pagat_held


# --- step 6: nolo, and what was announced ------------------------------------------------------------------


@shared
def _pay_nolo_and_announcements(n: Numbers, facts: Numbers, book: Sheet) -> None:
    """Pay nolos, and what was announced in vain. An announced nolo counts even beside a tout."""
    nolo, tout = nolos(n, facts), is_tout(facts)
    for place in range(3):
        win, lose = (
            n[rule.NOLO_WINS + facts[NOLO_BEFORE + place]],
            n[rule.NOLO_LOSES + facts[NOLO_BEFORE + place]],
        )
        announced = win != rule.NEVER
        if announced and facts[TRICKS_WON + place]:
            to_each(book, place, lose, NOLO_LOST, NO_CARD)
        elif (announced or nolo >> place & 1) and not facts[BARREN] >> place & 1:
            from_each(
                book, place, win if announced else n[rule.NOLO_PAY] + n[rule.NOLO_PREMIUM], NOLO, NO_CARD
            )
        failed = n[rule.TOUT_LOSES + facts[TOUT_BEFORE + place]]
        if failed != rule.NEVER and not (tout and place == facts[WINNER]):
            to_each(book, place, failed, TOUT_LOST, NO_CARD)
