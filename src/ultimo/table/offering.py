"""What a seat may do, as a page can draw it: offers with their words, and why other cards are barred."""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from typing import Literal

from ultimo import events as e
from ultimo import series
from ultimo.cards import SKUS, SUITS, Card, Cards, cards, mask
from ultimo.danish import State as DanishState
from ultimo.danish.state import pile_points
from ultimo.events import Action, Cut, Declaration, EnterCount, IllegalAction, Play, Seat
from ultimo.family import family
from ultimo.names import capital
from ultimo.play.choices import Actions, Choices, Declarings, Lays, Plays, Shows, Subset
from ultimo.play.counting import honours_of
from ultimo.players import View
from ultimo.table import scene
from ultimo.telling.citations import Cited, cited_if
from ultimo.telling.labels import guide, label, poignee, slot_name
from ultimo.telling.labels import question as question_of
from ultimo.telling.teller import Teller

MIDDLE_OF_PACK = 39


def turn(
    teller: Teller, view: series.State, seat: Seat, asked: bool, deadline: float | None
) -> scene.Turn | None:
    """What a seat may do, in the deal or between deals, and what it is asked; None if it can only wait."""
    choices = series.legal(teller.rules, view, seat)
    if not choices:
        return None
    if not view.playing:
        between = tuple(scene.ButtonOffer(action, label(teller, "", action)) for action in choices)
        return scene.Turn(teller.text("choose"), "", between)
    seen = View(teller.rules, seat, view)
    offers = tuple(_offers(teller, seen, choices))
    question, guided = _asked(teller, seen, choices) if asked else ("", "")
    only = _only(seen, choices) if asked else None
    return scene.Turn(question, guided, offers, _barred(teller, seen, choices), deadline, only)


def _only(view: View, choices: Choices) -> scene.CardName | None:
    """The card that is all a seat may play; with the last card a question about the skat has lost its use."""
    plays = [offer for offer in choices.offers if isinstance(offer, Plays)]
    if len(plays) != 1 or len(plays[0]) != 1:
        return None
    last = view.deal.hands[view.seat].bit_count() == 1
    rest = [action for offer in choices.offers if offer is not plays[0] for action in offer]
    if rest and not (last and all(isinstance(action, e.AskTarokLaid) for action in rest)):
        return None
    (card,) = cards(plays[0].cards)
    return str(card.value)


def _asked(teller: Teller, view: View, choices: Choices) -> tuple[str, str]:
    """The question, and some sentences about it."""
    leads = not view.deal.trick
    match choices.offers[0]:
        case Plays():
            kind = "lead" if leads else "follow"
            return teller.text(f"asks.{kind}"), teller.text(f"guide.{kind}")
        case Lays(sets=sets):
            phase = view.deal.phase
            asks = teller.text("asks.lay" if phase == "skat" else f"asks.{phase}", count=sets.size)
            return asks, teller.text(f"guide.{phase}", count=sets.size)
        case offer:
            first = next(iter(offer))
            return question_of(teller, view.deal), guide(teller, view.deal, first)


def _offers(teller: Teller, view: View, choices: Choices) -> Iterator[scene.AnyOffer]:
    for offer in choices.offers:
        match offer:
            case Plays(cards=playable, naming=naming):
                suits = tuple(scene.SuitShown(suit, capital(teller.suit(suit))) for suit in SUITS)
                yield scene.PlayOffer(shown(teller, playable), naming, suits if naming else ())
            case Lays(sets=sets, tout=tout):
                name = capital(teller.words.announcement("tout")) if tout else teller.text(view.deal.phase)
                yield _pick(teller, "Lay", name, sets, tout)
            case Shows(sets=sets):
                yield _pick(teller, "ShowPoignee", poignee(teller, sets.size), sets)
            case Declarings():
                yield _declaring(teller, view, offer)
            case Actions(actions=actions) if isinstance(actions[0], Cut | EnterCount):
                yield _number(view, actions)
            case _:
                first = usual(view, tuple(offer))
                ordered = [first, *(action for action in offer if action != first)]
                yield from (
                    scene.ButtonOffer(action, label(teller, view.deal.phase, action)) for action in ordered
                )


def _pick(
    teller: Teller, does: Literal["Lay", "ShowPoignee"], words: str, sets: Subset, tout: bool = False
) -> scene.PickOffer:
    must, among = shown(teller, sets.must), shown(teller, sets.among & ~sets.must)
    return scene.PickOffer(does, words, sets.size, must, among, tout, shown(teller, mask(cheapest(sets))))


def _declaring(teller: Teller, view: View, offer: Declarings) -> scene.DeclareOffer:
    def said(one: Declaration) -> scene.SaidShown:
        return scene.SaidShown(one, teller.declarations((one,)))

    slots = tuple(
        scene.SlotShown(capital(slot_name(teller, slot[0])), tuple(map(said, slot))) for slot in offer.slots
    )
    due = family(view.rules).due_declarations(view.rules, view.deal, view.seat)
    return scene.DeclareOffer(slots, due, capital(teller.declarations(())))


def _number(view: View, actions: tuple[Action, ...]) -> scene.NumberOffer:
    numbers = [_number_of(action) for action in actions]
    does: Literal["Cut", "EnterCount"] = "Cut" if isinstance(actions[0], Cut) else "EnterCount"
    return scene.NumberOffer(does, min(numbers), max(numbers), _number_of(usual(view, actions)))


def _number_of(action: Action) -> int:
    assert isinstance(action, Cut | EnterCount)
    return action.at if isinstance(action, Cut) else action.points


# --- quiet choices: the truth where it is asked for, cheap cards where any will do; no strategy ----------


def usual(view: View, actions: tuple[Action, ...]) -> Action:
    """What is offered first of some actions: the truth where one is asked for it, else the first."""
    first, hand = actions[0], _hand(view)
    match first, view.deal:
        case Cut(), _:
            return Cut(MIDDLE_OF_PACK)
        case EnterCount(), DanishState() as state:
            return EnterCount(pile_points(state)[view.seat])
        case e.Answer(), DanishState() as state:
            truth = e.Answer(state.has_led_suit(view.seat))
            return truth if truth in actions else first
        case e.Call(), _:
            others = (one for one in actions if isinstance(one, e.Call) and not one.card.bit & hand)
            return next(others, first)
        case e.Vote(), DanishState(ballot=ballot):
            return e.Vote(ballot is None or ballot.question != "ultimoCost")
        case _:
            return first


def _hand(view: View) -> Cards:
    hands = view.deal.hands
    return hands[view.seat] if hands else 0


def cost(card: Card) -> tuple[bool, int, bool, int]:
    """How dear a card is: the skus most, then by its honours, trumps before suits, high before low."""
    return card.bit == SKUS, honours_of(card.bit), card.suit == len(SUITS) - 1, card.index % 14


def cheapest(sets: Subset) -> e.SomeCards:
    """A set that costs little: low cards, from short suits."""
    free = sets.among & ~sets.must
    length = {card: sum(other.suit == card.suit for other in cards(free)) for card in cards(free)}
    ordered = sorted(cards(free), key=lambda card: (cost(card)[:3], length[card], card.index))
    chosen = mask((*cards(sets.must), *ordered[: sets.size - sets.must.bit_count()]))
    return cards(chosen)


# --- what may not be done ------------------------------------------------------------------------------


def _barred(teller: Teller, view: View, choices: Choices) -> tuple[scene.Barred, ...]:
    """The cards of the hand that may not be played or laid, by the reason why not."""
    held = _hand(view)
    lays = [offer.sets for offer in choices.offers if isinstance(offer, Lays)]
    if playable := choices.cards():
        wishes: Iterable[tuple[Card, Action]] = [(card, Play(card)) for card in cards(held & ~playable)]
    elif lays:
        layable = 0
        for sets in lays:
            layable |= sets.must | sets.among
        wishes = [(card, _lay_with(card, lays[0])) for card in cards(held & ~layable)]
    else:
        return ()
    reasons: dict[tuple[str, Cited | None], list[Card]] = {}
    for card, wish in wishes:
        why = _refusal(teller, view, wish)
        if why is not None:
            reasons.setdefault(why, []).append(card)
    return tuple(scene.Barred(shown(teller, mask(some)), why, cite) for (why, cite), some in reasons.items())


def _lay_with(card: Card, sets: Subset) -> e.Lay:
    """A skat that would be right but for one card."""
    others = [other for other in cheapest(sets) if other is not card]
    return e.Lay(tuple(sorted([card, *others[: sets.size - 1]])))


def _refusal(teller: Teller, view: View, wish: Action) -> tuple[str, Cited | None] | None:
    try:
        series.decide(view.rules, view.series, view.seat, wish)
    except IllegalAction as error:
        return capital(teller.refusal(error)), cited_if(error.cite, teller.words.language)
    return None


def shown(teller: Teller, some: Cards) -> tuple[scene.CardName, ...]:
    """Cards in notation, as a player holds them."""
    return tuple(card.value for card in teller.sorted(some))
