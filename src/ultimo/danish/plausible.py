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
from ultimo.danish.phases import BITS, window
from ultimo.events import Declaration, ImpossibleOutcome, Problems, Seat
from ultimo.play.following import strength
from ultimo.rulebook import DanishRules

WHOLE_COUNT = 78


def check(rules: DanishRules, outcome: Outcome) -> None:
    """Refuse an outcome that no deal can have."""
    for field, reason in _contradictions(rules, outcome):
        raise ImpossibleOutcome(field, reason)


def _contradictions(rules: DanishRules, outcome: Outcome) -> Problems:
    yield from _people(rules, outcome)
    yield from _declarations(rules, outcome)
    yield from _announcements(rules, outcome)
    yield from _fallen(outcome)
    if outcome.winner is None:
        yield from _unfinished(outcome)
        return
    yield from _tricks(outcome)
    yield from _last_trick(outcome)
    yield from _counts(rules, outcome)


def _people(rules: DanishRules, outcome: Outcome) -> Problems:
    if outcome.table not in rules.sizes:
        yield "table", f"{rules.id} is played by {' or '.join(map(str, rules.sizes))} at the table"
    if len(set(outcome.order)) != 3 or not set(outcome.order) <= set(range(outcome.table)):
        yield "order", f"forehand, middle and dealer are three seats from 0 to {outcome.table - 1}"
    for cup in ("king", "pagat"):
        if getattr(outcome, cup) < 0:
            yield cup, "a cup cannot hold less than nothing"
    named = {
        "declarations": tuple(outcome.declarations),
        "announcements": tuple(one.seat for one in outcome.announcements),
        "kings_lost": tuple(one.seat for one in outcome.kings_lost),
        "pagat_fate": (outcome.pagat_fate.seat,) if outcome.pagat_fate else (),
        "fines": tuple(one.seat for one in outcome.fines),
        "banned": outcome.banned,
        "barren": outcome.barren,
        "charged": () if outcome.charged is None else (outcome.charged,),
        "last": tuple(one.seat for one in outcome.last),
        "winner": () if outcome.winner is None else (outcome.winner,),
    }
    for field, seats in named.items():
        for seat in seats:
            if seat not in outcome.order:
                yield field, f"seat {seat} does not play in this deal"


def _unfinished(outcome: Outcome) -> Problems:
    """A deal that was scrapped has no last trick and no count."""
    for field in ("tricks", "counts"):
        if getattr(outcome, field) is not None:
            yield field, "a deal without a winner of the last trick was not played to its end"
    if outcome.last:
        yield "last", "say who won the last trick"


# --- declarations --------------------------------------------------------------------------------------


def _declarations(rules: DanishRules, outcome: Outcome) -> Problems:
    speakable = {one for some in vocabulary(rules.decl) for one in some}
    liars = {fined.seat for fined in outcome.fines if fined.offence == "wrongDecl"}
    known: dict[Seat, Cards] = {}
    for seat, made in outcome.declarations.items():
        for one in made:
            if one not in speakable:
                yield "declarations", f"seat {seat}: there is no such declaration in {rules.id}: {_said(one)}"
                return
        if len({slot(one) for one in made}) != len(made):
            yield "declarations", f"seat {seat} declares the same thing twice"
        if seat not in liars:
            yield from _consistent(seat, made)
            known[seat] = reduce(or_, map(held, made), 0)
    together = 0
    for seat, certain in known.items():
        if shared := together & certain:
            yield "declarations", f"{cards(shared)[0].value} would be in two hands, one of them seat {seat}'s"
        together |= certain
    yield from _halves(known, outcome)
    tarokker = sum(one.count for seat in known for one in outcome.declarations[seat] if one.kind == "tarok")
    if tarokker > 22:
        yield "declarations", f"{tarokker} tarokker are declared, and there are 22 with the skus"
    yield from _fallen_from(known, outcome)


def _halves(known: dict[Seat, Cards], outcome: Outcome) -> Problems:
    """Three of a family are in the hand that declares a half, also where nobody is told which."""
    for seat in known:
        for one in outcome.declarations[seat]:
            if one.kind == "half" and one.missing is None:
                elsewhere = reduce(or_, (certain for other, certain in known.items() if other != seat), 0)
                if (elsewhere & FAMILIES[one.of or "K"]).bit_count() > 1:
                    yield "declarations", f"three cards of seat {seat}'s half would be in other hands"


def _said(one: Declaration) -> str:
    parts = [one.kind, one.count or "", one.of or "", one.missing.value if one.missing else ""]
    return " ".join(str(part) for part in parts if part)


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


def _consistent(seat: Seat, made: tuple[Declaration, ...]) -> Problems:
    """Whether one hand can make all these declarations."""
    certain = reduce(or_, map(held, made), 0)
    for one in made:
        if one.kind == "tarok" and one.pagat is False and certain & PAGAT:
            yield "declarations", f"seat {seat} has the pagat by one declaration and lacks it by another"
        if one.kind == "tarok" and (certain & ALL_TRUMPS).bit_count() > one.count:
            yield "declarations", f"seat {seat} declares more matadors than tarokker"
        if one.missing and certain & one.missing.bit:
            card = one.missing.value
            yield "declarations", f"seat {seat} has {card} by one declaration and lacks it by another"
        if one.kind == "full" and certain & SKUS and any(other.kind == "over" for other in made):
            yield "declarations", f"seat {seat} has the skus by one declaration and lacks it by another"


def _fallen_from(known: dict[Seat, Cards], outcome: Outcome) -> Problems:
    """Cards must fall from the hands that declared them."""
    fallen = [("kings_lost", one.seat, one.card) for one in outcome.kings_lost]
    fallen += [("last", one.seat, one.card) for one in outcome.last]
    if outcome.pagat_fate:
        fallen.append(("pagat_fate", outcome.pagat_fate.seat, Card("T1")))
    for field, seat, card in fallen:
        for other, certain in known.items():
            if other != seat and certain & card.bit:
                yield field, f"{card.value} is in the hand of seat {other} by its declaration"


def _announcements(rules: DanishRules, outcome: Outcome) -> Problems:
    for one in outcome.announcements:
        if not window(numbers(rules), one.before) & BITS.get(one.kind, 0):
            yield "announcements", f"{one.kind} cannot be announced before trick {one.before} in {rules.id}"
    if len({one.seat for one in outcome.announcements}) != len(outcome.announcements):
        yield "announcements", "nobody announces twice"


# --- cards and tricks ----------------------------------------------------------------------------------


def _fallen(outcome: Outcome) -> Problems:
    kings = [one.card for one in outcome.kings_lost]
    for card in kings:
        if not card.bit & KINGS:
            yield "kings_lost", f"{card.value} is not a king"
    if len(set(kings)) != len(kings):
        yield "kings_lost", "a king can be lost once"
    for one in outcome.last:
        if one.card in kings:
            yield "last", f"{one.card.value} has been lost before the last trick"
        if one.card.bit == PAGAT and outcome.pagat_fate:
            yield "last", "the pagat has fallen before the last trick"
    if len({one.card for one in outcome.last}) != len(outcome.last):
        yield "last", "a card falls once"
    if len({one.seat for one in outcome.last}) != len(outcome.last):
        yield "last", "each seat plays one card to the last trick"


def _tricks(outcome: Outcome) -> Problems:
    tricks = outcome.tricks
    if tricks is None:
        yield "tricks", "say how many tricks each of the three has won"
    elif min(tricks) < 0 or sum(tricks) != LAST:
        yield "tricks", f"{sum(tricks)} tricks, and there are {LAST}"
    elif outcome.winner is not None and tricks[outcome.order.index(outcome.winner)] == 0:
        yield "tricks", f"seat {outcome.winner} has won the last trick"
    elif (fate := outcome.pagat_fate) and fate.home:
        others = outcome.winner == fate.seat
        if tricks[outcome.order.index(fate.seat)] < 1 + others:
            yield "pagat_fate", f"seat {fate.seat} has not won a trick with the pagat"


def _last_trick(outcome: Outcome) -> Problems:
    """Whether the winner's card can have won: cards that are not noted may have been anything lower."""
    card = {one.seat: one.card for one in outcome.last}
    won = card.get(outcome.winner) if outcome.winner is not None else None
    if won is None:
        yield "last", "say with which card the last trick was won"
        return
    if won.bit == SKUS:
        yield "last", "the skus wins no trick"
        return
    for seat, other in card.items():
        higher = strength(other.index, won.suit, True) > strength(won.index, won.suit, True)
        if seat != outcome.winner and higher:
            yield "last", f"{won.value} does not beat {other.value}"
    led = outcome.last[0].card
    complete = len(outcome.last) == 3
    if complete and not won.bit & TRUMPS and led.bit != SKUS and led.suit != won.suit:
        yield "last", f"{led.value} was led, which {won.value} neither follows nor beats"


def _counts(rules: DanishRules, outcome: Outcome) -> Problems:
    counts, tricks = outcome.counts, outcome.tricks
    if tricks is None:
        return
    if counts is None:
        if is_counted(rules, outcome):
            yield "counts", "this deal is counted: give the points of all three piles"
        return
    if sum(counts) != WHOLE_COUNT:
        yield "counts", f"the counts make {sum(counts)}, and there are {WHOLE_COUNT} points"
    for seat, count, won in zip(outcome.order, counts, tricks, strict=True):
        least = won + (seat == outcome.order[2])
        if count < least:
            yield "counts", f"seat {seat} has {least} points for tricks alone, not {count}"
        if won == 0 and seat != outcome.order[2] and count not in (0, 4):
            yield "counts", f"seat {seat} has no trick: its pile holds nothing, or the skus"
