"""Deals played by clumsy players, and every decision in them as its seat knew it."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator
from random import Random

from properties.driving import Clumsy, open_deal
from ultimo import danish, deal, rulebook
from ultimo.names import names
from ultimo.play.choices import Choices
from ultimo.players import View
from ultimo.rulebook import Rules
from ultimo.telling.teller import Teller
from ultimo.tutor.decisions import seen

PEOPLE = ("Karen", "Peder", "Inger", "Hans", "Sofie")
STRICT = ("deal", "cups", "skat", "declare", "follow", "turn", "skusClaim", "skusDemand", "count")
MOST_ACTIONS = 400


def strict(book: str) -> Rules:
    """A Danish rulebook at a table where every error can happen."""
    return rulebook.load(book, {f"strict.{name}": True for name in STRICT} | {"decl.mode": "manual"})


def teller(rules: Rules, table: int, language: str = "en") -> Teller:
    """Who tells what happens at a table of so many."""
    return Teller(names(language), rules, PEOPLE[:table])


def walk(rules: Rules, size: int, rng: Random, error: float = 0.0) -> Iterator[tuple[View, Choices]]:
    """Every decision of a deal, as its seat knew it."""
    opened = open_deal(rules, size, rng)
    players = Clumsy(rules, rng, error)
    truth = deal.initial(rules, opened)
    views = [truth] * size
    events = deal.begin(rules, opened)[1:]
    for _ in range(MOST_ACTIONS):
        for event in events:
            views = [
                deal.evolve(rules, view, deal.seen_by(rules, truth, seat, event))
                for seat, view in enumerate(views)
            ]
            truth = deal.evolve(rules, truth, event)
        if deal.is_over(truth):
            return
        seat, action = players.next(truth)
        if seat is not None and seat in deal.waiting_for(rules, truth):
            yield seen(rules, seat, views[seat]), deal.legal(rules, views[seat], seat)
        events = deal.decide(rules, truth, seat, action)


def kind(view: View) -> str:
    """What is asked: the phase, or a vote."""
    state = view.deal
    return "vote" if isinstance(state, danish.State) and state.ballot is not None else state.phase


def some(rules: Rules, size: int, seeds: range, most: int) -> Iterator[tuple[View, Choices]]:
    """Some decisions of each kind, from several deals; of many plays those that are spread over a deal."""
    told: Counter[str] = Counter()
    asked: Counter[str] = Counter()
    for seed in seeds:
        for view, choices in walk(rules, size, Random(f"walk {rules.id} {seed}"), 0.02):
            name = kind(view)
            asked[name] += 1
            limit = 4 * most if name == "play" else most
            if told[name] < limit and (name != "play" or asked[name] % 13 == 1):
                told[name] += 1
                yield view, choices
