"""The settlement of the last trick: ultimo, bagud, nolo and tout.

The algorithm of rules B9, step by step, over plain integers: `n` is the rulebook (`numbers`), `facts` what
happened (`outcome.facts`), `book` takes the payments.
Rule: 000 Efter spillet; 001 C; 003 REGLER, SPILLET; 004 BETALINGSOVERSIGT, SPILLET.
"""

from __future__ import annotations

from ultimo.danish import facts as fact
from ultimo.danish import numbers as rule
from ultimo.danish import payments
from ultimo.danish.facts import facts, is_tout, nolos
from ultimo.danish.outcome import Outcome
from ultimo.danish.payments import PAGAT_CARD, from_each, is_king, to_cup, to_each, transfers
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
        tuple((cup, outcome.winner) for place, cup in enumerate(payments.CUPS) if emptied >> place & 1),
    )


@shared
def pay_last_trick(n: Numbers, facts: Numbers, book: Sheet) -> int:
    """All payments of the last trick; the set of cups that were emptied.

    Nobody need have meant to ultimate (I-9.18); a ban keeps from ultimo, not from bagud (I-9.19).
    Rule: the algorithm of rules B9, steps 1 to 6.
    """
    king, pagat = facts[fact.KING_CUP], facts[fact.PAGAT_CUP]
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
    return facts[fact.LAST_CARDS + (facts[fact.WINNER] - facts[fact.LEADER]) % 3]


@shared
def has_bagud(facts: Numbers) -> bool:
    """Whether a king or the pagat was lost in the last trick."""
    for turn in range(3):
        card = facts[fact.LAST_CARDS + turn]
        if (facts[fact.LEADER] + turn) % 3 != facts[fact.WINNER] and (card == PAGAT_CARD or is_king(card)):
            return True
    return False


# --- steps 1 to 4: the winner ---------------------------------------------------------------------------


@shared
def _pay_winner(n: Numbers, facts: Numbers, book: Sheet, card: int) -> int:
    """Pay the winner; the set of cups that he takes. Who is to win nothing gets nothing (I-11.7)."""
    place = facts[fact.WINNER]
    if facts[fact.BARREN] >> place & 1:
        return 0
    if not is_tout(facts):
        if nolos(n, facts) and n[rule.NOLO_CANCELS_ULTIMO]:
            from_each(book, place, _last_trick_price(n, facts), payments.TOOK_LAST, card)
            if card == PAGAT_CARD:  # I-9.8
                from_each(book, place, n[rule.PAGAT_HOME], payments.HOME_PAGAT, card)
            return 0
        return _pay_ultimo_or_plain(n, facts, book, card)
    announced = n[rule.TOUT_WINS + facts[fact.TOUT_BEFORE + place]]
    from_each(book, place, n[rule.TOUT_PAY] if announced == rule.NEVER else announced, payments.TOUT, card)
    taken = KING_BIT | PAGAT_BIT if n[rule.TOUT_TAKES_CUPS] else 0
    if not n[rule.TOUT_REPLACES_LAST]:
        return taken | _pay_ultimo_or_plain(n, facts, book, card)
    if card == PAGAT_CARD:  # I-9.10
        from_each(book, place, n[rule.PAGAT_HOME], payments.HOME_PAGAT, card)
    return taken


@shared
def _pay_ultimo_or_plain(n: Numbers, facts: Numbers, book: Sheet, card: int) -> int:
    """Steps 3 and 4; the set of cups that the winner takes.

    Who is banned is paid for the last trick and nothing else, be it with the pagat (I-9.21).
    """
    place, king = facts[fact.WINNER], is_king(card)
    if (not king and card != PAGAT_CARD) or facts[fact.BANNED] >> place & 1:
        from_each(book, place, _last_trick_price(n, facts), payments.TOOK_LAST, card)
        return 0
    price = ultimo_price(n, king)
    code = payments.KING_ULTIMO if king else payments.PAGAT_ULTIMO
    if facts[fact.CHARGED] == fact.NOBODY:
        from_each(book, place, price, code, card)
    else:  # whoever helped pays for both (I-11.11)
        pay(book, facts[fact.CHARGED], place, price, payments.ULTIMO_COST, card)
        pay(book, facts[fact.CHARGED], place, price, payments.ULTIMO_COST, card)
    if not n[rule.ULTIMO_INCLUDES_LAST]:
        from_each(book, place, _last_trick_price(n, facts), payments.TOOK_LAST, card)
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
    if not n[rule.CUPS]:
        return 0
    by_tout = n[rule.TOUT_TAKES_CUPS] and is_tout(facts)
    code = payments.TOUT if by_tout else payments.KING_ULTIMO if is_king(card) else payments.PAGAT_ULTIMO
    charged = facts[fact.CHARGED] != fact.NOBODY and not by_tout
    for cup in range(2):
        account, held = payments.KING_ACCOUNT + cup, king if cup == 0 else pagat
        if taken >> cup & 1:
            pay(book, account, facts[fact.WINNER], held, code, card)
            if charged:
                to_cup(n, book, facts[fact.CHARGED], account, held, payments.ULTIMO_COST, card)
    return 0 if charged else taken


# --- step 5: bagud ---------------------------------------------------------------------------------------


@shared
def _pay_bagud(n: Numbers, facts: Numbers, book: Sheet, king: int, pagat: int) -> tuple[int, int]:
    """Each bagud pays both opponents, and into its cup what that holds; what the cups come to.

    Where bagud is paid first, the second one finds in the cup what the first has paid in.
    """
    king_held, pagat_held = king, pagat
    for turn in range(3):
        place, card = (facts[fact.LEADER] + turn) % 3, facts[fact.LAST_CARDS + turn]
        if place == facts[fact.WINNER]:
            continue
        if is_king(card):
            double = king_held if n[rule.CUP_ORDER] == rule.BAGUD_FIRST else king
            to_each(book, place, ultimo_price(n, True), payments.KING_BAGUD, card)
            to_cup(n, book, place, payments.KING_ACCOUNT, double, payments.KING_BAGUD, card)
            king_held += double
        elif card == PAGAT_CARD:
            double = pagat_held if n[rule.CUP_ORDER] == rule.BAGUD_FIRST else pagat
            double += n[rule.BAGUD_EXTRA_CUP]
            to_each(book, place, ultimo_price(n, False), payments.PAGAT_BAGUD, card)
            to_cup(n, book, place, payments.PAGAT_ACCOUNT, double, payments.PAGAT_BAGUD, card)
            pagat_held += double
    return king_held, pagat_held


# --- step 6: nolo, and what was announced ------------------------------------------------------------------


@shared
def _pay_nolo_and_announcements(n: Numbers, facts: Numbers, book: Sheet) -> None:
    """Pay nolos, and what was announced in vain. An announced nolo counts even beside a tout."""
    nolo, tout = nolos(n, facts), is_tout(facts)
    for place in range(3):
        before = facts[fact.NOLO_BEFORE + place]
        announced = n[rule.NOLO_WINS + before] != rule.NEVER
        if announced and facts[fact.TRICKS_WON + place]:
            to_each(book, place, n[rule.NOLO_LOSES + before], payments.NOLO_LOST, NO_CARD)
        elif (announced or nolo >> place & 1) and not facts[fact.BARREN] >> place & 1:
            price = n[rule.NOLO_WINS + before] if announced else n[rule.NOLO_PAY] + n[rule.NOLO_PREMIUM]
            from_each(book, place, price, payments.NOLO, NO_CARD)
        failed = n[rule.TOUT_LOSES + facts[fact.TOUT_BEFORE + place]]
        if failed != rule.NEVER and not (tout and place == facts[fact.WINNER]):
            to_each(book, place, failed, payments.TOUT_LOST, NO_CARD)
