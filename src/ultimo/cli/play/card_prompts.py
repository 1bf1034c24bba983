"""Prompts about cards: playing one, laying some, showing a poignée."""

from __future__ import annotations

from collections.abc import Callable
from functools import partial

from ultimo import deal
from ultimo.cards import SKUS, SUITS, Card, Cards, mask
from ultimo.cli.play.prompt import Option, Pick, Prompt
from ultimo.events import Action, IllegalAction, Lay, Play, ShowPoignee, SomeCards
from ultimo.play.choices import Choices, Lays, Plays, Shows
from ultimo.players import View
from ultimo.rulebook import DanishRules
from ultimo.table.quiet import cheapest, cost
from ultimo.telling.labels import poignee
from ultimo.telling.teller import Teller, capital, cite_after


def refusal(teller: Teller, view: View) -> Callable[[Action], str]:
    """Asks the rules why something may not be done."""

    def ask(action: Action) -> str:
        try:
            deal.decide(view.rules, view.deal, view.seat, action)
        except IllegalAction as error:
            return why(teller, error)
        return ""

    return ask


def why(teller: Teller, error: IllegalAction) -> str:
    """The reason for a refusal, and the place where the rule stands."""
    return teller.refusal(error) + cite_after(teller, error.cite)


# --- playing a card ------------------------------------------------------------------------------------


def play_or_show(teller: Teller, view: View, choices: Choices, extra: tuple[Option, ...]) -> Prompt:
    """A card to play; who may show a poignée before it is asked about that first."""
    plays = next(offer for offer in choices.offers if isinstance(offer, Plays))
    shows = [offer for offer in choices.offers if isinstance(offer, Shows)]
    if not shows:
        return _play(teller, view, plays, extra)
    options = [Option(teller.text("does.noPoignee"), partial(_play, teller, view, plays, extra))]
    options += [
        Option(poignee(teller, offer.sets.size), partial(_show, teller, view, offer)) for offer in shows
    ]
    return Prompt(teller.text("askPoignee"), teller.text("guide.poignee"), tuple(options))


def _play(teller: Teller, view: View, plays: Plays, extra: tuple[Option, ...]) -> Prompt:
    options = [_card(teller, plays, card) for card in teller.sorted(plays.cards)]
    quiet = min(options, key=lambda option: cost(option.card))
    leads = not view.deal.trick
    return Prompt(
        teller.text("asks.lead" if leads else "asks.follow"),
        teller.text("guide.lead" if leads else "guide.follow"),
        (*options, *extra),
        options.index(quiet),
        refusal=refusal(teller, view),
    )


def _card(teller: Teller, plays: Plays, card: Card) -> Option:
    if plays.naming and card.bit == SKUS:
        return Option(teller.face(card), partial(_name, teller, card), (card.value,), card)
    return Option(teller.face(card), Play(card), (card.value,), card)


def _name(teller: Teller, card: Card) -> Prompt:
    """As what a skus is led."""
    options = tuple(
        Option(capital(teller.suit(suit)), Play(card, suit), (suit, f"{card.value}={suit}")) for suit in SUITS
    )
    return Prompt(teller.text("askName"), teller.text("guide.nameLed"), options)


# --- choosing several ----------------------------------------------------------------------------------


def lay(teller: Teller, view: View, choices: Choices, extra: tuple[Option, ...]) -> Prompt:
    """The skat or the écart; the cards tell whether tout is announced with them, or it is asked."""
    offers = [offer for offer in choices.offers if isinstance(offer, Lays)]

    def wishes(chosen: SomeCards) -> list[Action]:
        found = [Lay(chosen, offer.tout) for offer in offers if mask(chosen) in offer.sets]
        return list(dict.fromkeys(found))

    danish = isinstance(view.rules, DanishRules)
    sets = tuple(offer.sets for offer in offers)
    pick = Pick(Lay, sets[0].size, sets, wishes, tuple(teller.sorted(mask(cheapest(sets[0])))))
    return Prompt(
        teller.text("asks.lay" if danish else "asks.ecart", count=pick.size),
        teller.text("guide.skat" if danish else "guide.ecart", count=pick.size),
        (*_pickable(teller, pick), *extra),
        pick=pick,
        refusal=refusal(teller, view),
    )


def _show(teller: Teller, view: View, offer: Shows) -> Prompt:
    """Which trumps are shown."""
    sets = offer.sets
    cheap = tuple(teller.sorted(mask(cheapest(sets))))
    pick = Pick(ShowPoignee, sets.size, (sets,), lambda some: [ShowPoignee(some)], cheap)
    return Prompt(
        teller.text("chooseCards", count=pick.size),
        teller.text("guide.show", count=pick.size),
        _pickable(teller, pick),
        pick=pick,
        refusal=refusal(teller, view),
    )


def _pickable(teller: Teller, pick: Pick) -> tuple[Option, ...]:
    among: Cards = 0
    for sets in pick.sets:
        among |= sets.must | sets.among
    return tuple(Option(teller.face(card), card, (card.value,), card) for card in teller.sorted(among))
