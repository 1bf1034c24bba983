"""How long the tutor thinks: the review of a whole deal, and a hint, in every rulebook."""

from __future__ import annotations

from collections.abc import Callable
from functools import partial
from random import Random
from statistics import median
from time import process_time

from benchmarks.report import Bar, Section, table

from ultimo import rulebook
from ultimo.names import names
from ultimo.players import Match, create
from ultimo.telling.teller import Teller
from ultimo.tutor.decisions import deals, decisions
from ultimo.tutor.hinting import hint
from ultimo.tutor.review import review

MOST = {"danish": 15.0, "french": 10.0}  # seconds for a review


def measure(full: bool) -> Section:
    """Deals of club players, reviewed for all seats; hints at some of their decisions."""
    number = 10 if full else 2
    rows, bars = [], []
    for book in rulebook.ids():
        rules = rulebook.load(book)
        players = [f"club {seat}" for seat in range(rules.sizes[0])]
        match = Match(rules, players, {seat: create("club", 1) for seat in range(len(players))}, Random(7))
        list(match.play_deals(number + 1))
        first, *others = deals(match.log)
        review(rules, first, samples=8)  # compiled by now
        reviews = [_seconds(partial(review, rules, events)) for events in others]
        teller = Teller(names("en"), rules, tuple(players))
        asked = [one for events in others for one in list(decisions(rules, events))[:: 3 if full else 9]]
        hints = [_seconds(partial(hint, one.view, one.choices, teller)) for one in asked]
        rows.append(
            (f"`{book}`", median(reviews), max(reviews), 60 / median(reviews), median(hints), max(hints))
        )
        bars.append(Bar(f"review of a deal, `{book}`", MOST[rules.family], max(reviews), "s", most=True))
    head = ("rules", "review, s", "slowest", "reviews a minute", "hint, s", "slowest")
    return Section(
        "The tutor",
        "Deals of club players reviewed for all seats at the usual depth, and hints at some decisions; "
        "seconds of one core.",
        (table(head, rows),),
        tuple(bars),
    )


def _seconds(work: Callable[[], object]) -> float:
    began = process_time()
    work()
    return process_time() - began
