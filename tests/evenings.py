"""Seeded sessions of the live table, to be played wherever Python runs: their logs must be the same.

Run by itself it writes a line for each: `python tests/evenings.py FIRST END`.
"""

from __future__ import annotations

import sys
from collections.abc import Iterator
from hashlib import sha256
from random import Random
from typing import Any

import msgspec

from ultimo import rulebook, series
from ultimo.players import create
from ultimo.rulebook import RulebookError
from ultimo.table import (
    Facts,
    Nothing,
    SeatPlan,
    Settings,
    Think,
    Wait,
    decide,
    due,
    evolve,
    open_table,
    thought,
)
from ultimo.table.messages import Act, Ready
from ultimo.table.scene import Level
from ultimo.telling.switches import switches

HOST = "host"
BOOKS = tuple(rulebook.ids())
TABLES = tuple((book, size) for book in BOOKS for size in rulebook.load(book).sizes)
LEVELS: tuple[Level, ...] = ("beginner", "club", "club", "random")
CHANGES = 3  # house rules of a table at most


def evening(number: int) -> bytes:
    """The log of session `number`: a deal of one person, who plays anything that is legal, and bots."""
    rng = Random(f"evening {number}")
    book, size = TABLES[number % len(TABLES)]
    levels = [rng.choice(LEVELS) for _ in range(size - 1)]
    seats = (SeatPlan("host"), *(SeatPlan("bot", level) for level in levels))
    house = house_rules(book, rng) if number >= len(TABLES) else {}
    settings = Settings(book, size, seats, house, deals=1, tempo="instant")
    return b"\n".join(played(settings, f"{number:064x}", rng))


def house_rules(book: str, rng: Random) -> dict[str, Any]:
    """Some switches of a table set otherwise than in the book."""
    found: dict[str, Any] = {}
    for _ in range(rng.randint(0, CHANGES)):
        groups = switches(rulebook.load(book, found))
        one = rng.choice([switch for group in groups for switch in group.switches])
        values = [choice.value for choice in one.choices] or [one.least, one.most]
        try:
            rulebook.load(book, wish := {**found, one.key: rng.choice(values)})
        except RulebookError:
            continue
        found = wish
    return found


def played(settings: Settings, seed: str, rng: Random) -> Iterator[bytes]:
    """Every fact of a session, with its time."""
    now, live = 0.0, None
    waiting = list(open_table("~evening", settings, HOST, "Ada", seed=seed))
    while True:
        for fact in waiting:
            yield msgspec.json.encode((now, fact))
            live = evolve(live, fact, now)
        assert live is not None
        if live.moment == "over":
            return
        match due(live, now, {HOST: now}, lambda: seed):
            case Facts(facts=facts):
                waiting = list(facts)
            case Think() as think:
                action = create(think.level, think.seed).choose(think.view, think.choices)
                waiting = list(thought(live, think, action))
            case Wait(until=until) if not is_asked(live):
                now, waiting = until, []
            case Wait() | Nothing():
                waiting = list(wish(live, rng))


def is_asked(live: Any) -> bool:
    """Whether the table waits for the person, and not for something to be drawn or shown."""
    if live.series is None:
        return False
    return 0 in live.waiting_for if live.series.playing else not live.seats[0].ready


def wish(live: Any, rng: Random) -> tuple[Any, ...]:
    """What the person does: anything that is legal, or go on after a deal."""
    choices = series.legal(live.rules, live.series, 0)
    if not live.series.playing and not choices:
        return decide(live, HOST, "Ada", Ready())
    return decide(live, HOST, "Ada", Act(choices.draw(rng)))


def told(first: int, end: int) -> Iterator[str]:
    """A line for each of these sessions: its number, its length and its digest."""
    for number in range(first, end):
        log = evening(number)
        yield f"{number} {log.count(10) + 1} {sha256(log).hexdigest()}"


if __name__ == "__main__":
    for line in told(int(sys.argv[1]), int(sys.argv[2])):
        print(line, flush=True)
