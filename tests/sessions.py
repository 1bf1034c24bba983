"""Evenings for tests: a person at a table of bots, without a terminal and without a file."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from random import Random
from typing import Any

from ultimo import deal, rulebook
from ultimo.cards import SKUS, Cards, cards, mask
from ultimo.cli.play.dialogue import Dialogue
from ultimo.cli.play.presenter import Presenter
from ultimo.cli.play.session import Session
from ultimo.events import Action, Deal, Event, Play, SeriesOpened
from ultimo.names import names
from ultimo.play.choices import Choices
from ultimo.players import Match, View, create

NAMES = ("Anna", "Bo", "Carl", "Dorte", "Erik")


class Quiet:
    """Does the first thing it may, and keeps the skus as long as it can."""

    def choose(self, _: View, choices: Choices, /) -> Action:
        """A card that is not the skus, or whatever stands first."""
        first = choices.offers[0]
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
) -> Presenter:
    """A person at a seat, and bots at the others."""
    rules = rulebook.load(book, house)
    bots = [other for other in range(table) if other != seat]
    players = {other: Quiet() if quiet else create("random", f"{seed}:{other}") for other in bots}
    log: list[Event] = [] if dealer is None else [SeriesOpened(NAMES[:table], dealer)]
    match = Match(rules, NAMES[:table], players, Random(seed), log)
    return Presenter(Session(match, seat, names(lang), None, deals), quick)


def deal_out(presenter: Presenter, *hands: str) -> None:
    """Begin the deal; each seat has the cards that are named for it, and chance fills up."""
    session, rng = presenter.session, Random(1)
    session.go_on()
    state = session.match.state.deal
    assert state is not None
    given = deal.deal_out(session.rules, state, deal.shuffled(rng), rng)
    session._tell(session.match.act(None, _exchanged(given, [mask(hand) for hand in hands])))


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


def until(presenter: Presenter, wanted: Callable[[Dialogue], bool]) -> Dialogue:
    """Press Enter until the person is asked what is wanted."""
    for _ in range(2000):
        if presenter.session.moment == "over":
            break
        dialogue = presenter.dialogue()
        if dialogue is not None and wanted(dialogue):
            return dialogue
        if dialogue is None:
            presenter.proceed()
            continue
        while dialogue.sent is None:
            dialogue = dialogue.enter()
        presenter.proceed(dialogue.sent)
    raise AssertionError("never asked")


def asks(words: str) -> Callable[[Dialogue], bool]:
    """Whether a question has these words."""
    return lambda dialogue: words in dialogue.prompt.question
