"""Errors at a strict table: finding them, fining them, and what follows.

Rule: rules B11 and E4.
"""

from __future__ import annotations

from collections.abc import Iterator

from ultimo.cards import ALL_TRUMPS, KINGS, PAGAT
from ultimo.danish.declarations import overpaid, value
from ultimo.danish.evolve import evolve
from ultimo.danish.legal import due_declarations
from ultimo.danish.outcome import Fined
from ultimo.danish.payments import fine, fine_for, king_lost, pagat_fallen
from ultimo.danish.skat import legal_skats
from ultimo.danish.state import Fault, State
from ultimo.events import (
    CardReturned,
    Claim,
    ClaimMade,
    DealClosed,
    FineImposed,
    OffenceFound,
    Seat,
    SkatTakenBack,
    Transfer,
)
from ultimo.play.story import Story
from ultimo.rulebook import DanishRules


class Telling(Story[DanishRules, State]):
    """The story of a Danish deal."""

    __slots__ = ()

    def __init__(self, rules: DanishRules, state: State) -> None:
        super().__init__(rules, state, evolve)

    @property
    def interrupted(self) -> bool:
        """Whether a vote or the end of the deal keeps it from going on."""
        return self.state.ballot is not None or self.state.phase == "closed"


# --- finding -------------------------------------------------------------------------------------------


def wrong_skat(rules: DanishRules, state: State) -> Iterator[Fault]:
    """The dealer's fault if what he has laid is no legal skat (I-4.7)."""
    whole = state.dealt[state.dealer]
    if not any(state.skat in sets for sets in legal_skats(rules, whole, tout=state.tout_laid)):
        yield Fault(state.dealer, "wrongSkat")


def wrong_declaration(rules: DanishRules, state: State, seat: Seat) -> Iterator[Fault]:
    """A seat's fault if it has declared what it does not hold, or not declared what it does.

    Rule: 000 Forkerte eller manglende meldinger; 001 B; I-11.8.
    """
    made = state.declared[seat]
    if made is None or seat in state.silenced:
        return
    due = due_declarations(rules, state, seat)
    if set(made) - set(due):
        yield Fault(seat, "wrongDecl")
    elif set(due) - set(made):
        yield Fault(seat, "missingDecl")


def wrong_hands(state: State) -> Iterator[Fault]:
    """The faults of those who have taken up a wrong number of cards (I-11.3)."""
    for seat in state.order:
        laid = 3 if seat == state.dealer and (state.skat or state.skat_unseen) else 0
        should = 28 if seat == state.dealer else 25
        played = sum(play.seat == seat for trick in state.tricks for play in trick.plays)
        played += sum(play.seat == seat for play in state.trick)
        if state.size(seat) + laid + played != should:
            yield Fault(seat, "wrongCards")


def new(state: State, faults: Iterator[Fault]) -> list[Fault]:
    """Those faults that have not been established before."""
    return [fault for fault in faults if fault not in state.found]


def claimed(rules: DanishRules, state: State, claim: Claim) -> list[Fault]:
    """The faults that a claim brings to light; none if it is false, which costs nothing."""
    match claim.offence:
        case "revoke":
            return new(state, (fault for fault in state.faults if fault.seat == claim.against))[:1]
        case "declaration":
            return new(state, wrong_declaration(rules, state, claim.against))
        case "skat":
            return new(state, wrong_skat(rules, state))


def claim(story: Telling, seat: Seat, wish: Claim) -> None:
    """Hear a claim."""
    faults = claimed(story.rules, story.state, wish)
    story.tell(ClaimMade(seat, wish.against, wish.offence, bool(faults)))
    for fault in faults:
        establish(story, fault)


# --- fining --------------------------------------------------------------------------------------------


def establish(story: Telling, fault: Fault) -> None:
    """Tell an offence; it is fined at once, unless the opponents are asked first."""
    story.tell(OffenceFound(fault.seat, fault.offence, fault.trick))
    if story.state.ballot is None:
        impose(story, fault)


def impose(story: Telling, fault: Fault) -> None:
    """Fine an offence with all its effects."""
    rules, state = story.rules, story.state
    effects = fine_for(rules, fault.offence).effect
    if "correctable" in effects and _correctable(state):
        story.tell(SkatTakenBack(state.dealer))  # I-11.2: no fine
        return
    fined = _terms(rules, state, fault)
    story.tell(FineImposed(fault.seat, fault.offence, effects, fined.overpaid, fined.false_ten))
    story.pay(fine(rules, state.order, fined))
    if "winNothing" in effects:
        story.pay(_reversed(_pagat_home(rules, state, fault.seat)))
    if "giveBack" in effects:
        _give_back(story, fault)
    if "stop" in effects:
        scrap(story)


def _correctable(state: State) -> bool:
    """A wrong skat is put right until another hand has declared positively, or a card has been played."""
    forehand, middle, _ = state.order
    return not (state.declared[forehand] or state.declared[middle] or state.trick or state.tricks)


def _terms(rules: DanishRules, state: State, fault: Fault) -> Fined:
    """The fine with what was received wrongly and goes back.

    Rule: 001 B; 003 MELDINGEN, ECARTERINGEN 1; I-11.5.
    """
    seat, effects = fault.seat, fine_for(rules, fault.offence).effect
    made = state.declared[seat] or ()
    if seat in state.unpaid:
        return Fined(seat, fault.offence)
    if "noDeclare" in effects:
        return Fined(seat, fault.offence, sum(value(rules.decl, one) for one in made))
    if fault.offence != "wrongDecl":
        return Fined(seat, fault.offence)
    due = due_declarations(rules, state, seat)
    back = overpaid(rules.decl, made, due) if "repay" in effects else 0
    held = (state.dealt[seat] & ALL_TRUMPS).bit_count()
    least = rules.decl.tarok.min
    false_ten = held == least - 1 and any(
        (one.kind, one.count, one.pagat) == ("tarok", least, False) for one in made
    )
    return Fined(seat, fault.offence, back, false_ten)


def _pagat_home(rules: DanishRules, state: State, seat: Seat) -> list[Transfer]:
    """What an offender has been paid for his pagat in this deal."""
    fate = state.pagat_fate
    if fate and fate.seat == seat and fate.home:
        return pagat_fallen(rules, state.order, seat, home=True)
    return []


def _give_back(story: Telling, fault: Fault) -> None:
    """Kings and pagat that an offender captured by his revoke return, and what was paid for them.

    Rule: 003 REGLER; rules D1 «giveBack».
    """
    rules, state = story.rules, story.state
    if not 0 < fault.trick <= len(state.tricks):
        return
    trick = state.tricks[fault.trick - 1]
    if trick.winner != fault.seat:
        return
    for play in trick.plays:
        if play.seat == fault.seat or not play.card.bit & (KINGS | PAGAT):
            continue
        paid = (
            king_lost(rules, state.order, play.seat, play.card)
            if play.card.bit & KINGS
            else pagat_fallen(rules, state.order, play.seat, home=False)
        )
        story.tell(CardReturned(play.seat, play.card))
        story.pay(_reversed(paid))


def _reversed(transfers: list[Transfer]) -> list[Transfer]:
    return [Transfer(t.payee, t.payer, t.points, "giveBack", t.cite, t.card) for t in transfers]


def scrap(story: Telling) -> None:
    """Stop the deal: what has been paid stands, nothing more is settled (I-11.4).

    Others found with a wrong number of cards are fined like the first before it ends.
    """
    first = story.state.found[-1] if story.state.found else None
    if first and first.offence == "wrongCards":
        for fault in new(story.state, wrong_hands(story.state)):
            story.tell(OffenceFound(fault.seat, fault.offence))
            story.pay(fine(story.rules, story.state.order, Fined(fault.seat, fault.offence)))
    story.tell(DealClosed("scrapped"))
