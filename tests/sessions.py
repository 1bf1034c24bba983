"""Evenings for tests: a person at a table of bots, without a terminal and without a file."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from random import Random
from typing import Any

from ultimo import deal, rulebook, series
from ultimo.cards import SKUS, Cards, cards, mask
from ultimo.cli.play.dialogue import Dialogue
from ultimo.cli.play.session import Session, bot
from ultimo.events import Action, Deal, Event, Play
from ultimo.table import SeatPlan, Settings, Think, open_local
from ultimo.table.facts import Happened
from ultimo.table.scene import Tempo

NAMES = ("Anna", "Bo", "Carl", "Dorte", "Erik")


def quietly(think: Think) -> Action:
    """The first thing that a bot may do, but the skus is kept as long as it can be."""
    first = think.choices.offers[0]
    kept = [action for action in first if not (isinstance(action, Play) and action.card.bit == SKUS)]
    return kept[0] if kept else next(iter(first))


def evening(
    book: str = "dtf",
    table: int = 3,
    *,
    seat: int = 0,
    seed: int = 1,
    dealer: int | None = None,
    house: Mapping[str, Any] | None = None,
    lang: str = "en",
    deals: int | None = 1,
    quick: bool = False,
    quiet: bool = False,
    tempo: Tempo = "instant",
) -> Session:
    """A person at a seat, and bots at the others."""
    seats = tuple(SeatPlan("host") if other == seat else SeatPlan("bot", "random") for other in range(table))
    settings = Settings(book, table, seats, dict(house or {}), deals, tempo)
    first = Random(seed).randrange(table) if dealer is None else dealer
    opened = series.open_series(rulebook.load(book, house), NAMES[:table], first)
    facts = open_local(settings, NAMES[seat], str(seed), [opened])
    return Session(facts, lang, quick=quick, choose=quietly if quiet else bot)


def deal_out(session: Session, *hands: str) -> None:
    """Begin the deal; each seat has the cards that are named for it, and chance fills up."""
    rng, live = Random(1), session.live
    while not live.needs_cards:
        session.proceed()
        live = session.live
    assert live.series is not None
    assert live.series.deal is not None
    given = deal.deal_out(live.rules, live.series.deal, deal.shuffled(rng), rng)
    dealt = _exchanged(given, [mask(hand) for hand in hands])
    session.put((Happened(series.decide(live.rules, live.series, None, dealt)),))


def happened(session: Session) -> list[Event]:
    """What has happened in the game."""
    return [event for fact, _ in session.log if isinstance(fact, Happened) for event in fact.events]


def _exchanged(given: Deal, wishes: list[Cards]) -> Deal:
    """The deal with cards exchanged until everybody has those that are wished."""
    piles = [mask(hand) for hand in (*given.hands, given.chien)]
    for place, wish in enumerate(wishes):
        for card in cards(wish & ~piles[place]):
            holder = next(other for other, pile in enumerate(piles) if pile & card.bit)
            spare = cards(piles[place] & ~sum(wishes))[0]
            piles[holder] ^= card.bit | spare.bit
            piles[place] ^= card.bit | spare.bit
    *hands, chien = map(cards, piles)
    return Deal(tuple(hands), chien)


def until(session: Session, wanted: Callable[[Dialogue], bool]) -> Dialogue:
    """Press Enter until the person is asked what is wanted."""
    for _ in range(2000):
        if session.is_over:
            break
        dialogue = session.dialogue()
        if dialogue is not None and wanted(dialogue):
            return dialogue
        if dialogue is None:
            session.proceed()
            continue
        while dialogue.sent is None:
            dialogue = dialogue.enter()
        session.proceed(dialogue.sent)
    raise AssertionError("never asked")


def asks(words: str) -> Callable[[Dialogue], bool]:
    """Whether a question has these words."""
    return lambda dialogue: words in dialogue.prompt.question
