"""Offences at a strict table: finding them, fining them, and what follows.

Rule: rules B11 and E4.
"""

from __future__ import annotations

from collections.abc import Iterator
from itertools import chain

from ultimo import events as e
from ultimo.cards import ALL_TRUMPS, KINGS, PAGAT
from ultimo.danish.dealing import sizes
from ultimo.danish.declarations import overpaid, value
from ultimo.danish.evolve import DealStory
from ultimo.danish.following import THIRD_LAST
from ultimo.danish.legal import due_declarations
from ultimo.danish.outcome import Fined
from ultimo.danish.payments import declared, fine, fine_for, given_back, pagat_fallen
from ultimo.danish.payments import trick as trick_payments
from ultimo.danish.skat import SIZE, legal_skats
from ultimo.danish.state import Fault, State
from ultimo.rulebook import DanishRules

# --- finding -------------------------------------------------------------------------------------------


def wrong_skat(rules: DanishRules, state: State) -> Iterator[Fault]:
    """The dealer's fault if what he has laid is no legal skat (I-4.7)."""
    whole = state.dealt[state.dealer]
    if not any(state.skat in sets for sets in legal_skats(rules, whole, tout=state.tout_laid)):
        yield Fault(state.dealer, "wrongSkat")


def wrong_declaration(rules: DanishRules, state: State, seat: e.Seat) -> Iterator[Fault]:
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
        laid = SIZE if seat == state.dealer and (state.skat or state.skat_unseen) else 0
        played = sum(play.seat == seat for trick in state.tricks for play in trick.plays)
        played += sum(play.seat == seat for play in state.trick)
        if state.size(seat) + laid + played != sizes(state.order, seat):
            yield Fault(seat, "wrongCards")


def new(state: State, faults: Iterator[Fault]) -> list[Fault]:
    """Those faults that have not been established before."""
    return [fault for fault in faults if fault not in state.found]


def claimed(rules: DanishRules, state: State, claim: e.Claim) -> list[Fault]:
    """The faults that a claim brings to light; none if it is false, which costs nothing."""
    match claim.offence:
        case "revoke":
            return new(state, (fault for fault in state.faults if fault.seat == claim.against))[:1]
        case "declaration":
            return new(state, wrong_declaration(rules, state, claim.against))
        case "skat":
            return new(state, wrong_skat(rules, state))


def claim(story: DealStory, seat: e.Seat, wish: e.Claim) -> None:
    """Hear a claim."""
    faults = claimed(story.rules, story.state, wish)
    story.tell(e.ClaimMade(seat, wish.against, wish.offence, bool(faults)))
    for fault in faults:
        establish(story, fault)


def unheard(rules: DanishRules, state: State) -> list[Fault]:
    """Faults that came to light together with one that has been heard: wrong demands, wrong hands.

    When a deal is scrapped the hands are laid open, and with them false declarations (I-11.12).
    """
    demands = (Fault(seat, "wrongDemand", THIRD_LAST) for seat in state.wrong_demands)
    hands = wrong_hands(state) if any(fault.offence == "wrongCards" for fault in state.found) else iter(())
    told = state.order if state.stopping and rules.strict.declare else ()
    words = (
        fault
        for seat in told
        for fault in wrong_declaration(rules, state, seat)
        if fault.offence == "wrongDecl"
    )
    return new(state, chain(demands, hands, words))


def hear(story: DealStory) -> None:
    """Establish such faults one by one, until a vote or the end of the deal interrupts."""
    while not story.state.interrupted and (faults := unheard(story.rules, story.state)):
        establish(story, faults[0])


# --- fining --------------------------------------------------------------------------------------------


def establish(story: DealStory, fault: Fault) -> None:
    """Tell an offence; it is fined at once, unless the opponents are asked first.

    A skat that can still be put right is no offence (I-11.2).
    """
    if "correctable" in fine_for(story.rules, fault.offence).effect and _correctable(story.state):
        story.tell(e.SkatTakenBack(story.state.dealer))
        return
    story.tell(e.OffenceFound(fault.seat, fault.offence, fault.trick))
    if story.state.ballot is None:
        impose(story, fault)


def impose(story: DealStory, fault: Fault) -> None:
    """Fine an offence with all its effects; in a deal that is at its end only the fine is left of them."""
    rules, state = story.rules, story.state
    effects = () if state.stopping else fine_for(rules, fault.offence).effect
    _fine(story, fault, effects)
    if "winNothing" in effects:
        story.pay(_pagat_home_returned(rules, state, fault.seat))
    if "giveBack" in effects:
        give_back(story, fault)
    if story.state.stopping:
        stop(story)


def waive(story: DealStory, fault: Fault) -> None:
    """Let an offence pass: it is as if it had not been one."""
    state = story.state
    story.tell(e.FineWaived(fault.seat, fault.offence))
    if fault.offence == "earlyDecl" and fault.seat in state.unpaid:
        made = state.declared[fault.seat] or ()
        story.pay(declared(story.rules, state.order, fault.seat, made))
    if state.stopping:
        stop(story)


def _fine(story: DealStory, fault: Fault, effects: tuple[e.Effect, ...]) -> None:
    fined = _terms(story.rules, story.state, fault)
    story.tell(e.FineImposed(fault.seat, fault.offence, effects, fined.overpaid, fined.false_ten))
    story.pay(fine(story.rules, story.state.order, fined))


def _correctable(state: State) -> bool:
    """A wrong skat is put right until another hand has declared positively, or a card has been played."""
    forehand, middle, _ = state.order
    return not (state.declared[forehand] or state.declared[middle] or state.trick or state.tricks)


def _terms(rules: DanishRules, state: State, fault: Fault) -> Fined:
    """The fine with what was received wrongly and goes back.

    Rule: 001 B; 003 MELDINGEN, ECARTERINGEN 1.
    """
    seat, effects = fault.seat, fine_for(rules, fault.offence).effect
    if "noDeclare" in effects:
        return Fined(seat, fault.offence, kept(rules, state, seat))
    if fault.offence != "wrongDecl":
        return Fined(seat, fault.offence)
    made, due = state.declared[seat] or (), due_declarations(rules, state, seat)
    back = overpaid(rules, made, due) if "repay" in effects and seat not in state.unpaid else 0
    held = (state.dealt[seat] & ALL_TRUMPS).bit_count()
    least = rules.decl.tarok.min
    false_ten = held == least - 1 and any(
        (one.kind, one.count, one.pagat) == ("tarok", least, False) for one in made
    )
    return Fined(seat, fault.offence, back, false_ten)


def kept(rules: DanishRules, state: State, seat: e.Seat) -> int:
    """What a seat still has, of each opponent, of what it was paid for declarations."""
    if seat in state.unpaid:
        return 0
    received = sum(value(rules, one) for one in state.declared[seat] or ())
    return received - sum(fined.overpaid for fined in state.fines if fined.seat == seat)


def _pagat_home_returned(rules: DanishRules, state: State, seat: e.Seat) -> list[e.Transfer]:
    """What an offender has been paid for his pagat in this deal goes back, once.

    Who wins nothing already has given it back, or was not paid.
    """
    fate = state.pagat_fate
    if not fate or fate.seat != seat or not fate.home or seat in state.barren:
        return []
    paid = pagat_fallen(rules, state.order, seat, home=True)
    return [e.Transfer(t.payee, t.payer, t.points, "giveBack", t.cite, t.card) for t in paid]


def give_back(story: DealStory, fault: Fault) -> None:
    """Kings and pagat that an offender captured by his revoke return; he pays what they cost their owner.

    Before the trick is complete there is nothing to return; it is done when he has won it.
    Rule: 003 REGLER; rules D1 «giveBack».
    """
    rules, state = story.rules, story.state
    if not 0 < fault.trick <= len(state.tricks) or state.tricks[fault.trick - 1].winner != fault.seat:
        return
    plays = state.tricks[fault.trick - 1].plays
    for play in plays:
        if play.seat != fault.seat and play.card.bit & (KINGS | PAGAT):
            cost = sum(t.points for t in trick_payments(rules, state.order, (play,), fault.seat))
            story.tell(e.CardReturned(play.seat, play.card, fault.seat, cost))
            story.pay(given_back(rules, story.state.given_back[-1]))


def stop(story: DealStory) -> None:
    """The deal ends here; at a lenient table those who are concerned with it are heard first."""
    if story.rules.strict.lenient and (faults := unheard(story.rules, story.state)):
        establish(story, faults[0])
    else:
        scrap(story)


def scrap(story: DealStory) -> None:
    """End the deal: what has been paid stands, nothing more is settled (I-11.4).

    Those whose faults come to light with the first, or with the open hands, are fined before it ends.
    """
    if not story.rules.strict.lenient:
        for fault in unheard(story.rules, story.state):
            story.tell(e.OffenceFound(fault.seat, fault.offence, fault.trick))
            _fine(story, fault, ())
    story.tell(e.DealClosed("scrapped"))
