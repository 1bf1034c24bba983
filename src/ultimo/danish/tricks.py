"""Playing a Danish trick, with all that a skus can bring."""

from __future__ import annotations

from ultimo import events as e
from ultimo.cards import SKUS, SUITS, TRUMPS
from ultimo.danish import phases
from ultimo.danish.closing import close_play
from ultimo.danish.evolve import DealStory
from ultimo.danish.following import LAST, winner
from ultimo.danish.legal import cups_forgotten
from ultimo.danish.numbers import numbers
from ultimo.danish.offences import establish, give_back, hear
from ultimo.danish.payments import trick as trick_payments
from ultimo.danish.state import Fault, State
from ultimo.play.following import SKUS_CARD, words


def play(story: DealStory, seat: e.Seat, action: e.Play) -> None:
    """A card falls: perhaps a led skus has to be talked about, perhaps the trick is complete.

    A skus that was demanded is named as freely as any other (I-7.13).
    """
    state = story.state
    if seat != state.turn:
        story.tell(e.PlayedOutOfTurn(seat, action.card))
        establish(story, Fault(seat, "outOfTurn", state.number))
        return
    forgotten = cups_forgotten(story.rules, state)
    story.tell(e.CardPlayed(seat, action.card, action.named))
    if forgotten:
        establish(story, Fault(state.dealer, "cupsNotMoved"))
    if _is_complete(story.state):
        _finish(story)
    elif action.named is not None:
        _skus_led(story)


def _is_complete(state: State) -> bool:
    """Whether everybody who has a card has played one."""
    return len(state.trick) == 3 or state.turn in [play.seat for play in state.trick]


def _finish(story: DealStory) -> None:
    """Give the trick to its winner, and the skus back to its player."""
    state = story.state
    number, plays = state.number, state.trick
    first, second, third = (*(card.card.index for card in plays), SKUS_CARD, SKUS_CARD)[:3]
    seat = plays[winner(first, second, third, state.led)].seat
    story.tell(e.TrickWon(seat))
    for card in plays:
        if card.card.bit == SKUS and phases.skus_goes_home(number):
            story.tell(e.SkusReturned(card.seat))
    if number == LAST:
        close_play(story)
        return
    story.pay(trick_payments(story.rules, state.order, plays, seat, state.barren))
    for fault in state.found:
        if fault == Fault(seat, "revoke", number) and "giveBack" in story.rules.fine.revoke.effect:
            give_back(story, fault)
    _pass_last_lead(story)


def _pass_last_lead(story: DealStory) -> None:
    """A bare skus may not lead the last trick."""
    state = story.state
    if phases.lead_passes(numbers(story.rules), state.number, *words(state.hands[state.turn])):
        story.tell(e.LeadPassed(state.next_with_cards(state.after(state.turn))))


# --- a led skus ----------------------------------------------------------------------------------------


def _skus_led(story: DealStory) -> None:
    """Let the next hand claim and the third answer, where they need not do it themselves (I-7.16)."""
    rules, state = story.rules, story.state
    next_hand, third_hand = state.turn, state.after(state.turn)
    next_has, third_has = state.has_led_suit(next_hand), state.has_led_suit(third_hand)
    if rules.skus.rename == "claim":
        if not next_has and not rules.strict.skus_claim:
            story.tell(e.VoidClaimed(next_hand))
            story.tell(e.VoidAnswered(third_hand, third_has))
    elif phases.is_renamed(numbers(rules), next_has, third_has):
        story.tell(e.SuitNotIn(SUITS[state.led]))


def talk(story: DealStory, seat: e.Seat, action: e.ClaimVoid | e.Answer | e.NameSkus) -> None:
    """What the players say about a led skus."""
    match action:
        case e.ClaimVoid():
            story.tell(e.VoidClaimed(seat))
        case e.Answer(have=have):
            story.tell(e.VoidAnswered(seat, have))
        case e.NameSkus(suit=suit):
            story.tell(e.SkusRenamed(seat, suit))
            if len(story.state.trick) == 2:
                _swap(story)


def _swap(story: DealStory) -> None:
    """The second hand takes back a card that the new suit does not allow.

    Rule: 004 OM SCUSEN; rules B7 step 4; I-7.8.
    """
    state = story.state
    thrown = state.trick[1]
    if story.rules.skus.swap_on_rename and thrown.card.suit != state.led and state.has_led_suit(thrown.seat):
        story.tell(e.CardTakenBack(thrown.seat, thrown.card))


# --- the demand ----------------------------------------------------------------------------------------


def answer_demand(story: DealStory, seat: e.Seat, demand: bool) -> None:
    """Each seat answers unseen by the others; then everybody hears who demands (E2)."""
    story.tell(e.DemandAnswered(seat, demand))
    state = story.state
    if not state.asked:
        demand_skus(story, tuple(other for other in state.order if other in state.demands))


def demand_skus(story: DealStory, by: tuple[e.Seat, ...]) -> None:
    """Everybody hears who demands: before the third-last trick, or while it lies on the table."""
    if not by:
        return
    if any(hand & SKUS for hand in story.state.hands):
        story.tell(e.SkusDemanded(by))
        return
    for seat in by:
        story.tell(e.WrongDemand(seat))
    hear(story)


def tell_tarok_laid(story: DealStory, seat: e.Seat) -> None:
    """The dealer says how many tarokker lie in the skat: a number, not which."""
    story.tell(e.TarokLaidAnswer(seat, (story.state.skat & TRUMPS).bit_count()))
