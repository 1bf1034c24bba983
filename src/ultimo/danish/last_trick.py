"""The settlement of the last trick: ultimo, bagud, nolo and tout.

Rule: 000 Efter spillet; 001 C; 003 REGLER, SPILLET; 004 BETALINGSOVERSIGT, SPILLET.
"""

from __future__ import annotations

from msgspec import Struct

from ultimo.cards import KINGS, PAGAT, Card
from ultimo.danish.outcome import Outcome
from ultimo.danish.payments import CUPS, from_each, to_cup, to_each
from ultimo.events import Cup, Reason, Seat, Transfer
from ultimo.rulebook import DanishRules


class Settlement(Struct, frozen=True):
    """Transfers, and the cups that were taken with who took them."""

    transfers: tuple[Transfer, ...]
    emptied: tuple[tuple[Cup, Seat], ...] = ()


def last_trick(rules: DanishRules, outcome: Outcome) -> Settlement:
    """Last trick, ultimo, bagud, nolo and tout.

    Nobody need have meant to ultimate (I-9.18); a ban keeps from ultimo, not from bagud (I-9.19).
    Rule: the algorithm of rules B9, steps 1 to 6, which this follows line by line.
    """
    return _LastTrick(rules, outcome).settled()


class _LastTrick:
    """The settlement of one last trick, step by step."""

    def __init__(self, rules: DanishRules, outcome: Outcome) -> None:
        assert outcome.winner is not None
        assert outcome.tricks is not None
        self.rules = rules
        self.outcome = outcome
        self.order = outcome.order
        self.winner = outcome.winner
        self.tricks = dict(zip(outcome.order, outcome.tricks, strict=True))
        self.card = next((play.card for play in outcome.last if play.seat == self.winner), Card("T0"))
        self.bagud = [p for p in outcome.last if p.seat != self.winner and p.card.bit & (KINGS | PAGAT)]
        self.tout = outcome.tout
        self.nolo = outcome.nolo(rules.tout.excludes_nolo)
        self.barren = self.winner in outcome.barren
        self.transfers: list[Transfer] = []
        self.emptied: list[tuple[Cup, Seat]] = []

    def settled(self) -> Settlement:
        """All payments of the last trick."""
        cups = self.rules.cups
        take = self._winner_paid()
        pay_in = self._bagud_paid
        before: dict[Cup, int] = {"king": self.outcome.king, "pagat": self.outcome.pagat}
        match cups.last_trick_order:
            case "snapshot":
                self._take(take, before)
                pay_in(before, growing=False)
            case "ultimoFirst":
                self._take(take, before)
                pay_in({cup: 0 if cup in take else held for cup, held in before.items()}, growing=False)
            case "bagudFirst":
                self._take(take, pay_in(before, growing=True))
        self._nolo_and_announcements()
        return Settlement(tuple(self.transfers), tuple(self.emptied))

    def _last_trick_pay(self) -> int:
        rules = self.rules
        if self.nolo and rules.nolo.cancels_last_trick and not self.tout:
            return 0
        return rules.pay.last_trick if rules.last_trick.paid_with_bagud or not self.bagud else 0

    def _winner_paid(self) -> tuple[Cup, ...]:
        """Steps 1 to 4: pay the winner, and say which cups he takes."""
        if self.barren:  # I-11.7
            return ()
        tout = self.rules.tout
        if not self.tout:
            if self.nolo and self.rules.nolo.cancels_ultimo:
                self._plain_last_trick()
                return ()
            return self._ultimo_or_last_trick()
        terms = self._announced(self.winner, "tout")
        self._receive(terms.win if terms else tout.pay, "tout", tout.cite)
        took: tuple[Cup, ...] = CUPS if tout.takes_cups else ()
        if tout.replaces_last_trick:
            self._pagat_home()  # I-9.10
            return took
        return tuple(dict.fromkeys((*took, *self._ultimo_or_last_trick())))

    def _ultimo_or_last_trick(self) -> tuple[Cup, ...]:
        """Steps 3 and 4."""
        bit, prices = self.card.bit, self.rules.ultimo
        if not bit & (KINGS | PAGAT) or self.winner in self.outcome.banned:
            self._plain_last_trick()
            return ()
        price = prices.king if bit & KINGS else prices.pagat + prices.pagat_extra
        reason: Reason = "kingUltimo" if bit & KINGS else "pagatUltimo"
        self._receive(price, reason, prices.cite)
        if not prices.includes_last_trick:
            self._receive(self._last_trick_pay(), "lastTrick", self.rules.pay.cite)
        return ("king",) if bit & KINGS else ("pagat",)

    def _plain_last_trick(self) -> None:
        """Steps 2 and 4: the ordinary price, and the ordinary 5 for a pagat that takes a trick (I-9.8)."""
        self._receive(self._last_trick_pay(), "lastTrick", self.rules.pay.cite)
        self._pagat_home()

    def _pagat_home(self) -> None:
        if self.card.bit & PAGAT:
            self._receive(self.rules.pay.pagat_home, "pagatHome", self.rules.pay.cite)

    def _receive(self, points: int, reason: Reason, cite: str) -> None:
        charged = self.outcome.charged
        for transfer in from_each(self.order, self.winner, points, reason, cite, self.card):
            if reason in ("kingUltimo", "pagatUltimo") and charged is not None:  # I-11.11
                transfer = Transfer(charged, self.winner, points, "ultimoCost", cite, self.card)
            self.transfers.append(transfer)

    def _take(self, take: tuple[Cup, ...], held: dict[Cup, int]) -> None:
        """The winner takes cups; a charged offender makes them good, and then they were not emptied."""
        if not self.rules.cups.enabled:
            return
        charged = self.outcome.charged
        by_tout = self.tout and self.rules.tout.takes_cups
        reason: Reason = "tout" if by_tout else "kingUltimo" if self.card.bit & KINGS else "pagatUltimo"
        cite = self.rules.tout.cite if by_tout else self.rules.ultimo.cite
        for cup in take:
            if held[cup]:
                self.transfers.append(Transfer(cup, self.winner, held[cup], reason, cite, self.card))
            if charged is None or by_tout:
                self.emptied.append((cup, self.winner))
            else:
                self.transfers += to_cup(self.rules, charged, cup, held[cup], "ultimoCost", cite, self.card)

    def _bagud_paid(self, held: dict[Cup, int], *, growing: bool) -> dict[Cup, int]:
        """Step 5: each bagud pays both opponents, and into its cup what that holds; the cups afterwards.

        With `growing` cups the second bagud finds in the cup what the first has paid in.
        """
        prices, extra = self.rules.ultimo, self.rules.bagud.pagat_extra_cup
        after = dict(held)
        for play in self.bagud:
            king = bool(play.card.bit & KINGS)
            cup: Cup = "king" if king else "pagat"
            reason: Reason = "kingBagud" if king else "pagatBagud"
            price = prices.king if king else prices.pagat + prices.pagat_extra
            double = (after if growing else held)[cup] + (0 if king else extra)
            cite = self.rules.bagud.cite
            self.transfers += to_each(self.order, play.seat, price, reason, cite, play.card)
            self.transfers += to_cup(self.rules, play.seat, cup, double, reason, cite, play.card)
            after[cup] += double
        return after

    def _nolo_and_announcements(self) -> None:
        """Step 6. An announced nolo is honoured even beside a tout (I-9.15)."""
        rules = self.rules
        for seat in self.order:
            terms = self._announced(seat, "nolo")
            if terms and self.tricks[seat]:
                self.transfers += to_each(
                    self.order, seat, terms.lose + terms.premium, "noloLost", rules.nolo.cite
                )
            elif (terms or seat in self.nolo) and seat not in self.outcome.barren:
                win = terms.win + terms.premium if terms else rules.nolo.pay + rules.nolo.premium
                self.transfers += from_each(self.order, seat, win, "nolo", rules.nolo.cite)
            failed = self._announced(seat, "tout")
            if failed and not (self.tout and seat == self.winner):
                self.transfers += to_each(self.order, seat, failed.lose, "toutLost", rules.tout.cite)

    def _announced(self, seat: Seat, kind: str) -> _Terms | None:
        """The prices of what a seat has announced, where the book has any."""
        for announcement in self.outcome.announcements:
            if announcement.seat == seat and announcement.kind == kind:
                return announced_terms(self.rules, kind, announcement.before)
        return None


class _Terms(Struct, frozen=True):
    win: int
    premium: int
    lose: int


def announced_terms(rules: DanishRules, kind: str, before: int) -> _Terms | None:
    """The prices of a nolo or tout announced before a trick.

    Rule: 003 SPILLET; I-9.13, I-9.15.
    """
    if kind == "nolo":
        for nolo in rules.nolo.announce:
            if nolo.before_trick == before:
                return _Terms(nolo.win, nolo.premium, nolo.lose)
    for tout in rules.tout.announce:
        if kind == "tout" and tout.before_trick == before:
            return _Terms(tout.win, 0, tout.lose)
    return None
