"""What a seat may do in a Danish deal: exactly what `decide` accepts."""

from __future__ import annotations

from collections.abc import Iterator

from ultimo import events as e
from ultimo.cards import KINGS, PAGAT, SKUS, SUITS, Cards
from ultimo.danish import phases
from ultimo.danish.counting import balancer
from ultimo.danish.declarations import declarations, value, vocabulary
from ultimo.danish.numbers import numbers
from ultimo.danish.skat import SIZE, legal_skats
from ultimo.danish.state import State, announceable, demand_is_open, playable
from ultimo.play.choices import NOTHING, Actions, Choices, Declarings, Lays, Offer, Plays, Subset, actions
from ultimo.play.following import FIRST_TRUMP
from ultimo.rulebook import DanishRules

IN_PLAY = ("announce", "demand", "play", "answer", "name")
SKAT_LAID = ("declare", *IN_PLAY)


def waiting_for(rules: DanishRules, state: State) -> tuple[e.Seat, ...]:
    """The seats whose action the deal waits for; nobody while it waits for cards, or is over."""
    if state.ballot:
        return state.ballot.voters
    match state.phase:
        case "play" | "answer" | "name":
            return (state.turn,)
        case "demand":
            return state.asked
        case "announce":
            return state.asked[:1]
        case "handCheck":
            return tuple(seat for seat in state.order if seat not in state.accepted)
        case "misdeal" | "skat":
            return (state.dealer,)
        case "declare":
            return (next_declarer(state),)
        case "count":
            entered = [seat for seat, _ in state.entered]
            missing = tuple(seat for seat in counters(rules, state) if seat not in entered)
            return missing or tuple(seat for seat in state.order if seat not in state.confirmed)
        case _:
            return ()


def legal(rules: DanishRules, state: State, seat: e.Seat) -> Choices:
    """All that `seat` may do now, whether the deal waits for it or not."""
    if state.ballot:
        return actions(e.Vote(True), e.Vote(False)) if seat in state.ballot.voters else NOTHING
    if seat not in state.order or state.phase in ("closed", "dealing", "correcting"):
        return NOTHING
    if state.phase == "play":  # the rule, and asked most often
        due = _plays(rules, state, seat) if seat == state.turn else ()
    else:
        due = _due(rules, state, seat) if seat in waiting_for(rules, state) else ()
    offers = (*due, *_aside(rules, state, seat))
    return Choices(offers) if offers else NOTHING


# --- what the deal waits for ---------------------------------------------------------------------------


def _due(rules: DanishRules, state: State, seat: e.Seat) -> tuple[Offer, ...]:
    match state.phase:
        case "demand":
            may = phases.may_demand(state.hands[seat] >> FIRST_TRUMP)
            return (_few(e.Decline(), e.DemandSkus()) if may else _few(e.Decline()),)
        case "announce":
            return (_few(e.Decline(), *(e.Announce(kind) for kind in announceable(rules, state, seat))),)
        case "handCheck":
            if phases.may_ask_for_redeal(numbers(rules), state.hands[seat] >> FIRST_TRUMP):
                return (_few(e.Accept(), e.DemandRedeal()),)
            return (_few(e.Accept()),)
        case "skat":
            return tuple(_skats(rules, state))
        case "declare":
            return (_declarings(rules, state, seat),)
        case "misdeal":
            return (_few(e.Redeal(), e.PassDeal()),)
        case "answer":
            have = state.has_led_suit(seat)
            return (_few(*map(e.Answer, (True, False) if rules.strict.follow else (have,))),)
        case "name":
            return (_few(*map(e.NameSkus, SUITS)),)
        case "count":
            if len(state.entered) < len(counters(rules, state)):
                return (_few(*map(e.EnterCount, range(79))),)
            return (_few(e.Accept(), e.Recount()),)
        case _:
            return ()


def _few(*some: e.Action) -> Actions:
    return Actions(some)


def _plays(rules: DanishRules, state: State, seat: e.Seat) -> tuple[Offer, ...]:
    """Cards, and the words that go with a led skus where they are the players' own business."""
    may = state.hands[seat] if rules.strict.follow else playable(rules, state, seat)
    cards = Plays(may, naming=not state.trick)
    if not rules.strict.skus_claim or not _is_led_skus_open(rules, state):
        return (cards,)
    lacks = not state.has_led_suit(seat)
    if len(state.trick) == 1 and (lacks or rules.strict.follow):
        return cards, _few(e.ClaimVoid())
    if len(state.trick) == 2 and lacks and state.trick[1].card.suit != state.led:
        return cards, _few(*map(e.NameSkus, SUITS))
    return (cards,)


def _is_led_skus_open(rules: DanishRules, state: State) -> bool:
    """Whether a skus lies there of which nobody has spoken yet."""
    led = bool(state.trick) and state.trick[0].card.bit == SKUS
    return led and rules.skus.rename == "claim" and not (state.void_claimed or state.renamed)


def _skats(rules: DanishRules, state: State) -> Iterator[Offer]:
    hand = state.hands[state.dealer]
    if rules.strict.skat:
        yield Lays(Subset(0, hand, SIZE))
        if rules.skat.skus_for_tout and hand & SKUS:
            yield Lays(Subset(SKUS, hand, SIZE), tout=True)
        return
    for sets in legal_skats(rules, hand):
        yield Lays(sets)
    for sets in legal_skats(rules, hand, tout=True):
        yield Lays(sets, tout=True)


def _declarings(rules: DanishRules, state: State, seat: e.Seat) -> Offer:
    if seat in state.silenced:
        return _few(e.Declare(()))
    if rules.strict.declare:
        return Declarings(vocabulary(rules.decl))
    return _few(e.Declare(due_declarations(rules, state, seat)))


def due_declarations(rules: DanishRules, state: State, seat: e.Seat) -> tuple[e.Declaration, ...]:
    """What a seat's duty to declare comes to."""
    hand = state.dealt[seat]
    if seat == state.dealer and not phases.declares_on_skat(numbers(rules)):
        hand &= ~state.skat
    return declarations(rules, hand)


def declares_by_hand(rules: DanishRules) -> bool:
    """Whether the players declare themselves: agreed so, or because they may err in it."""
    return rules.decl.mode == "manual" or rules.strict.declare


def paid_declarations(rules: DanishRules, state: State, seat: e.Seat) -> list[tuple[e.Declaration, int]]:
    """What a seat has declared that is worth something, and what each opponent pays for it."""
    made = state.declared[seat] or ()
    return [(one, points) for one in made if (points := value(rules, one))]


def next_declarer(state: State) -> e.Seat:
    """The first who has not declared, in the order of declaring."""
    declaring = [state.order[place] for place in phases.DECLARING]
    return next((seat for seat in declaring if state.declared[seat] is None), state.dealer)


def counters(rules: DanishRules, state: State) -> tuple[e.Seat, ...]:
    """Who enters a count: two, or everybody."""
    if rules.count.counters == "all":
        return state.order
    third = balancer(rules, state.table, state.order)
    return tuple(seat for seat in state.order if seat != third)


# --- what may be said at other times -------------------------------------------------------------------


def _aside(rules: DanishRules, state: State, seat: e.Seat) -> list[Offer]:
    """Actions that the deal does not wait for."""
    some: list[e.Action] = []
    offers: list[Offer] = []
    if may_demand_late(rules, state, seat):
        some.append(e.DemandSkus())
    if rules.skat.disclose_tarok != "none" and may_ask_tarok_laid(rules, state, seat):
        some.append(e.AskTarokLaid())
    strict = rules.strict
    if seat == state.dealer and cups_forgotten(rules, state):
        some.append(e.MoveCups())
    if strict.deal and state.phase in ("handCheck", "skat", *SKAT_LAID):
        some.append(e.ObjectCount())
    if strict.follow or strict.declare or strict.skat:
        some += [claim for claim in _claims(rules, state) if (seat, claim) not in state.claims]
    if strict.declare and _may_declare_early(rules, state, seat):
        offers.append(Declarings(vocabulary(rules.decl)))
    if strict.turn and _may_err_in_turn(rules, state, seat):
        offers.append(Plays(state.hands[seat]))
    if some:
        offers.append(Actions(tuple(some)))
    return offers


def may_demand_late(rules: DanishRules, state: State, seat: e.Seat) -> bool:
    """Whether a seat may still demand the skus while the third-last trick lies on the table (E2)."""
    if state.phase not in ("play", "answer", "name") or not demand_is_open(rules, state):
        return False
    settled = state.demanded and not state.skus_gone
    may = phases.may_demand(state.hands[seat] >> FIRST_TRUMP)
    return may and not settled and seat not in state.wrong_demands


def may_ask_tarok_laid(rules: DanishRules, state: State, seat: e.Seat) -> bool:
    """Whether the dealer owes this seat an answer. It is public, so that nobody need ask twice.

    Rule: 000 Må ikke lægges d; 004 LÆGNING AF SKAT; I-4.6.
    """
    if not state.dealer_void and rules.skat.disclose_tarok != "onDemand":
        return False
    return seat != state.dealer and state.tarok_laid is None and state.phase in SKAT_LAID


def cups_forgotten(rules: DanishRules, state: State) -> bool:
    """Whether the dealer has yet to move the cups, as he must before the first lead.

    Rule: 004 KORTGIVNING, BØDER.
    """
    if not rules.strict.cups or not rules.cups.move_duty or not rules.cups.enabled:
        return False
    return not (state.cups_moved or state.trick or state.tricks)


def _claims(rules: DanishRules, state: State) -> Iterator[e.Claim]:
    """Errors that can be pointed out by now, against others or oneself."""
    if rules.strict.follow and state.phase in IN_PLAY and (state.trick or state.tricks):
        for seat in state.order:
            yield e.Claim("revoke", seat)
    if rules.strict.declare and state.phase in SKAT_LAID:
        for seat in state.order:
            if state.declared[seat] is not None:
                yield e.Claim("declaration", seat)
    if rules.strict.skat and state.phase in SKAT_LAID:
        yield e.Claim("skat", state.dealer)


def _may_declare_early(rules: DanishRules, state: State, seat: e.Seat) -> bool:
    if not rules.fine.early_decl.exists:
        return False
    if state.declared[seat] is not None or seat in state.silenced:
        return False
    return state.phase == "skat" or (state.phase == "declare" and seat != next_declarer(state))


def is_too_early(rules: DanishRules, state: State, seat: e.Seat) -> bool:
    """Whether a declaration of this seat now is fined: out of turn, or only before the dealer's.

    Rule: 003 MELDINGEN; 004 BØDER; I-11.13.
    """
    if "onlyBeforeDealer" in rules.fine.early_decl.effect:
        return seat != state.dealer and state.declared[state.dealer] is None
    return state.phase == "skat" or seat != next_declarer(state)


def _may_err_in_turn(rules: DanishRules, state: State, seat: e.Seat) -> bool:
    return (
        rules.fine.out_of_turn.exists
        and state.phase == "play"
        and seat != state.turn
        and bool(state.hands[seat])
    )


def is_plain(rules: DanishRules, state: State, played: Cards) -> bool:
    """Whether cards are all that is left to choose: no mistakes, no announcements, no king, pagat or skus."""
    strict = rules.strict
    errors = (strict.deal, strict.cups, strict.skat, strict.declare, strict.follow)
    others = (strict.turn, strict.skus_claim, strict.skus_demand, strict.count)
    announced = [row.before_trick for row in rules.nolo.announce]
    announced += [row.before_trick for row in rules.tout.announce]
    gone = not (KINGS | PAGAT | SKUS) & ~played
    return gone and not any((*errors, *others)) and all(trick <= state.number for trick in announced)
