"""Which outcomes a Danish deal can have: what a score sheet refuses before it reckons."""

from __future__ import annotations

from functools import reduce
from operator import or_

from ultimo.cards import ALL_TRUMPS, KINGS, PAGAT, SKUS, TRUMPS, Card, Cards, cards
from ultimo.danish.counting import is_counted
from ultimo.danish.declarations import FAMILIES, TRUMP_BITS, slot, vocabulary
from ultimo.danish.following import LAST
from ultimo.danish.numbers import numbers
from ultimo.danish.outcome import Outcome
from ultimo.danish.payments import fine_for
from ultimo.danish.phases import BITS, window
from ultimo.events import Declaration, Impossibilities, ImpossibleOutcome, Seat
from ultimo.play.following import strength
from ultimo.rulebook import DanishRules

WHOLE_COUNT = 78
MOST_ANTES = 20  # of one dealer, who errs again and again


def check(rules: DanishRules, outcome: Outcome) -> None:
    """Refuse an outcome that no deal can have."""
    for problem in _contradictions(rules, outcome):
        raise problem


def _contradictions(rules: DanishRules, outcome: Outcome) -> Impossibilities:
    yield from _people(rules, outcome)
    yield from _antes(rules, outcome)
    yield from _declarations(rules, outcome)
    yield from _announcements(rules, outcome)
    yield from _fines(rules, outcome)
    yield from _fallen(outcome)
    if outcome.winner is None:
        yield from _unfinished(outcome)
        return
    yield from _tricks(outcome)
    yield from _last_trick(outcome)
    yield from _counts(rules, outcome)


def _people(rules: DanishRules, outcome: Outcome) -> Impossibilities:
    if outcome.table not in rules.sizes:
        yield ImpossibleOutcome("table", "tableSizes", book=rules.id, sizes=rules.sizes)
    if len(set(outcome.order)) != 3 or not set(outcome.order) <= set(range(outcome.table)):
        yield ImpossibleOutcome("order", "threeSeats", last=outcome.table - 1)
    for cup in ("king", "pagat"):
        if getattr(outcome, cup) < 0:
            yield ImpossibleOutcome(cup, "cupBelowNothing")
    named = {
        "declarations": tuple(outcome.declarations),
        "announcements": tuple(one.seat for one in outcome.announcements),
        "kings_lost": tuple(one.seat for one in outcome.kings_lost),
        "pagat_fate": (outcome.pagat_fate.seat,) if outcome.pagat_fate else (),
        "fines": tuple(one.seat for one in outcome.fines),
        "let_pass": outcome.let_pass,
        "banned": outcome.banned,
        "barren": outcome.barren,
        "charged": () if outcome.charged is None else (outcome.charged,),
        "given_back": tuple(seat for one in outcome.given_back for seat in (one.by, one.to)),
        "winner": () if outcome.winner is None else (outcome.winner,),
        "last": tuple(one.seat for one in outcome.last),
    }
    for field, seats in named.items():
        for seat in seats:
            if seat not in outcome.order:
                yield ImpossibleOutcome(field, "notInDeal", player=seat)


def _antes(rules: DanishRules, outcome: Outcome) -> Impossibilities:
    if outcome.antes < 1:
        yield ImpossibleOutcome("antes", "anteOnce")
    if outcome.antes > MOST_ANTES:
        yield ImpossibleOutcome("antes", "tooManyAntes", most=MOST_ANTES)
    if outcome.antes > 1 and rules.deal.misdeal != "anteOrPass":
        yield ImpossibleOutcome("antes", "anteAgain", book=rules.id)


def _unfinished(outcome: Outcome) -> Impossibilities:
    """A deal that was scrapped has no last trick and no count."""
    for field in ("tricks", "counts"):
        if getattr(outcome, field) is not None:
            yield ImpossibleOutcome(field, "notPlayedOut")
    if outcome.last:
        yield ImpossibleOutcome("last", "whoWonLast")


# --- declarations --------------------------------------------------------------------------------------


def _declarations(rules: DanishRules, outcome: Outcome) -> Impossibilities:
    speakable = {one for some in vocabulary(rules.decl) for one in some}
    liars = {fined.seat for fined in outcome.fines if fined.offence == "wrongDecl"} | set(outcome.let_pass)
    known: dict[Seat, Cards] = {}
    for seat, made in outcome.declarations.items():
        for one in made:
            if one not in speakable:
                yield ImpossibleOutcome(
                    "declarations", "noSuchDeclaration", player=seat, book=rules.id, declaration=one
                )
                return
        if len({slot(one) for one in made}) != len(made):
            yield ImpossibleOutcome("declarations", "declaredTwice", player=seat)
        if seat not in liars:
            yield from _consistent(seat, made)
            known[seat] = reduce(or_, map(held, made), 0)
    together = 0
    for seat, certain in known.items():
        if shared := together & certain:
            yield ImpossibleOutcome("declarations", "inTwoHands", card=cards(shared)[0], player=seat)
        together |= certain
    yield from _halves(known, outcome)
    tarokker = sum(one.count for seat in known for one in outcome.declarations[seat] if one.kind == "tarok")
    if tarokker > 22:
        yield ImpossibleOutcome("declarations", "tooManyTrumps", count=tarokker)
    yield from _fallen_from(known, outcome)


def _halves(known: dict[Seat, Cards], outcome: Outcome) -> Impossibilities:
    """Three of a family are in the hand that declares a half, also where nobody is told which."""
    for seat in known:
        for one in outcome.declarations[seat]:
            if one.kind == "half" and one.missing is None:
                elsewhere = reduce(or_, (certain for other, certain in known.items() if other != seat), 0)
                if (elsewhere & FAMILIES[one.of or "K"]).bit_count() > 1:
                    yield ImpossibleOutcome("declarations", "halfElsewhere", player=seat)


def held(one: Declaration) -> Cards:
    """Cards that whoever makes a declaration must hold."""
    match one.kind:
        case "tarok":
            return PAGAT if one.pagat else 0
        case "matadors":
            return SKUS | PAGAT | sum(TRUMP_BITS[24 - one.count :])
        case "matadorsBelow":
            return sum(TRUMP_BITS[: one.count])
        case "half":
            if one.missing is None:  # three of four, and nobody is told which
                return SKUS
            return FAMILIES[one.of or "K"] & ~one.missing.bit | SKUS
        case "full":
            return FAMILIES[one.of or "K"]
        case "over":
            return FAMILIES[one.of or "K"] | SKUS


def _consistent(seat: Seat, made: tuple[Declaration, ...]) -> Impossibilities:
    """Whether one hand can make all these declarations."""
    certain = reduce(or_, map(held, made), 0)
    for one in made:
        if one.kind == "tarok" and one.pagat is False and certain & PAGAT:
            yield ImpossibleOutcome("declarations", "hasAndLacks", player=seat, card=Card("T1"))
        if one.kind == "tarok" and (certain & ALL_TRUMPS).bit_count() > one.count:
            yield ImpossibleOutcome("declarations", "tooManyMatadors", player=seat)
        if one.missing and certain & one.missing.bit:
            yield ImpossibleOutcome("declarations", "hasAndLacks", player=seat, card=one.missing)
        if one.kind == "full" and certain & SKUS and any(other.kind == "over" for other in made):
            yield ImpossibleOutcome("declarations", "hasAndLacks", player=seat, card=Card("T0"))


def _fallen_from(known: dict[Seat, Cards], outcome: Outcome) -> Impossibilities:
    """Cards must fall from the hands that declared them."""
    fallen = [("kings_lost", one.seat, one.card) for one in outcome.kings_lost]
    fallen += [("last", one.seat, one.card) for one in outcome.last]
    if outcome.pagat_fate:
        fallen.append(("pagat_fate", outcome.pagat_fate.seat, Card("T1")))
    for field, seat, card in fallen:
        for other, certain in known.items():
            if other != seat and certain & card.bit:
                yield ImpossibleOutcome(field, "declaredByOther", card=card, player=other)


def _announcements(rules: DanishRules, outcome: Outcome) -> Impossibilities:
    for one in outcome.announcements:
        if not window(numbers(rules), one.before) & BITS.get(one.kind, 0):
            yield ImpossibleOutcome(
                "announcements", "cannotAnnounce", announcement=one.kind, trick=one.before, book=rules.id
            )
    if len({one.seat for one in outcome.announcements}) != len(outcome.announcements):
        yield ImpossibleOutcome("announcements", "announcedTwice")


# --- fines ---------------------------------------------------------------------------------------------


def _fines(rules: DanishRules, outcome: Outcome) -> Impossibilities:
    """Whether the book knows these fines, and what follows from them."""
    for one in outcome.fines:
        terms = fine_for(rules, one.offence)
        if not terms.exists:
            yield ImpossibleOutcome("fines", "noSuchFine", book=rules.id, offence=one.offence)
        if one.overpaid < 0:
            yield ImpossibleOutcome("fines", "backBelowNothing")
        if one.overpaid and not {"repay", "noDeclare"} & set(terms.effect):
            yield ImpossibleOutcome("fines", "noRepay", book=rules.id, offence=one.offence)
        if one.false_ten and one.offence != "wrongDecl":
            yield ImpossibleOutcome("fines", "onlyFalseTen")
    for back in outcome.given_back:
        if "giveBack" not in rules.fine.revoke.effect:
            yield ImpossibleOutcome("given_back", "nothingGivenBack", book=rules.id)
        if back.points < 0:
            yield ImpossibleOutcome("given_back", "backBelowNothing")
        if back.by == back.to:
            yield ImpossibleOutcome("given_back", "backToAnother")
        if not back.card.bit & (KINGS | PAGAT):
            yield ImpossibleOutcome("given_back", "neverGivenBack", card=back.card)
    if outcome.charged is not None:
        won = [one.card.bit for one in outcome.last if one.seat == outcome.winner]
        if outcome.charged == outcome.winner or not any(card & (KINGS | PAGAT) for card in won):
            yield ImpossibleOutcome("charged", "chargedForUltimo", player=outcome.charged)


# --- cards and tricks ----------------------------------------------------------------------------------


def _fallen(outcome: Outcome) -> Impossibilities:
    kings = [one.card for one in outcome.kings_lost]
    for card in kings:
        if not card.bit & KINGS:
            yield ImpossibleOutcome("kings_lost", "notAKing", card=card)
    if len(set(kings)) != len(kings):
        yield ImpossibleOutcome("kings_lost", "kingLostOnce")
    for one in outcome.last:
        if one.card in kings:
            yield ImpossibleOutcome("last", "fallenBefore", card=one.card)
        if one.card.bit == PAGAT and outcome.pagat_fate:
            yield ImpossibleOutcome("last", "fallenBefore", card=one.card)
    if len({one.card for one in outcome.last}) != len(outcome.last):
        yield ImpossibleOutcome("last", "cardFallsOnce")
    if len({one.seat for one in outcome.last}) != len(outcome.last):
        yield ImpossibleOutcome("last", "oneCardEach")


def _tricks(outcome: Outcome) -> Impossibilities:
    tricks = outcome.tricks
    if tricks is None:
        yield ImpossibleOutcome("tricks", "sayTricks")
    elif min(tricks) < 0 or sum(tricks) != LAST:
        yield ImpossibleOutcome("tricks", "sumOfTricks", count=sum(tricks), all=LAST)
    elif outcome.winner is not None and tricks[outcome.order.index(outcome.winner)] == 0:
        yield ImpossibleOutcome("tricks", "wonLastTrick", player=outcome.winner)
    elif (fate := outcome.pagat_fate) and fate.home:
        others = outcome.winner == fate.seat
        if tricks[outcome.order.index(fate.seat)] < 1 + others:
            yield ImpossibleOutcome("pagat_fate", "noTrickWithPagat", player=fate.seat)


def _last_trick(outcome: Outcome) -> Impossibilities:
    """Whether the winner's card can have won: cards that are not noted may have been anything lower."""
    card = {one.seat: one.card for one in outcome.last}
    won = card.get(outcome.winner) if outcome.winner is not None else None
    if won is None:
        yield ImpossibleOutcome("last", "whichCardWon")
        return
    if won.bit == SKUS:
        yield ImpossibleOutcome("last", "skusWinsNothing")
        return
    for seat, other in card.items():
        higher = strength(other.index, won.suit, True) > strength(won.index, won.suit, True)
        if seat != outcome.winner and higher:
            yield ImpossibleOutcome("last", "doesNotBeat", card=won, other=other)
    led = outcome.last[0].card
    complete = len(outcome.last) == 3
    if complete and not won.bit & TRUMPS and led.bit != SKUS and led.suit != won.suit:
        yield ImpossibleOutcome("last", "neitherFollowsNorBeats", led=led, card=won)


def _counts(rules: DanishRules, outcome: Outcome) -> Impossibilities:
    counts, tricks = outcome.counts, outcome.tricks
    if tricks is None:
        return
    if counts is None:
        if is_counted(rules, outcome):
            yield ImpossibleOutcome("counts", "sayCounts")
        return
    if sum(counts) != WHOLE_COUNT:
        yield ImpossibleOutcome("counts", "sumOfCounts", count=sum(counts), all=WHOLE_COUNT)
    for seat, count, won in zip(outcome.order, counts, tricks, strict=True):
        least = won + (seat == outcome.order[2])
        if count < least:
            yield ImpossibleOutcome("counts", "fewerThanTricks", player=seat, least=least, count=count)
        if won == 0 and seat != outcome.order[2] and count not in (0, 4):
            yield ImpossibleOutcome("counts", "pileWithoutTrick", player=seat)
