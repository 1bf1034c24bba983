"""The benchmark card: the same deals and the same opponents for every player, so that results compare.

Everything that decides what comes out is fixed here and has a version: the rulebooks, the opponents, the
seed and the number of deals. What a player is measured by is its gain: the points a deal that it makes above
the average of its table, on average over the rotations, with the 95 % interval between deals.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping, Sequence
from typing import Final

from msgspec import Struct

from ultimo import rulebook
from ultimo.analysis.runs import RunError
from ultimo.players.arena import arena
from ultimo.players.arena.arena import Plan
from ultimo.players.arena.results import Estimate, Faults, Result

VERSION: Final = 1
SEED: Final = 78
DEALS: Final = 1000
BOOKS: Final = ("basta", "jensen", "hermansen", "vlk", "dtf", "french3", "french4", "french5")
OPPONENTS: Final = ("beginner", "club")


class Entry(Struct, frozen=True, kw_only=True, omit_defaults=True):
    """What a player makes against opponents of one level under one rulebook."""

    rules: str
    digest: str
    opponent: str
    rotations: int
    gain: Estimate
    points: Estimate
    faults: dict[str, Faults] = {}


class Card(Struct, frozen=True, kw_only=True):
    """What a player makes against everybody on the card."""

    card: int  # the version
    player: str
    options: dict[str, int | float]
    seed: int
    deals: int
    version: str  # of Ultimo
    engine: str
    entries: tuple[Entry, ...]


def plans(
    player: str,
    *,
    books: Sequence[str] = BOOKS,
    deals: int = DEALS,
    options: Mapping[str, int | float] | None = None,
) -> Iterator[Plan]:
    """What is to be played: the player alone against the smallest table of each kind.

    No opponent is measured against itself: it chooses without dice, and its gain is exactly zero.
    """
    for book in books:
        if book not in BOOKS:
            raise RunError(f"{book} is not on the card; there are {', '.join(BOOKS)}")
        rules = rulebook.load(book)
        for opponent in OPPONENTS:
            if opponent == player:
                continue
            players = [player, *[opponent] * (min(rules.sizes) - 1)]
            yield arena.plan(rules, players, seed=SEED, deals=deals, options=options)


def card(found: Iterable[Result]) -> Card:
    """What the results of all plans come to."""
    results = list(found)
    made = results[0].plan
    return Card(
        card=VERSION,
        player=made.players[0],
        options=made.options,
        seed=made.seed,
        deals=made.deals,
        version=made.version,
        engine=results[0].engine,
        entries=tuple(map(_entry, results)),
    )


def _entry(found: Result) -> Entry:
    mine = found.players[0]
    return Entry(
        rules=found.plan.rules,
        digest=found.plan.digest,
        opponent=found.plan.players[1],
        rotations=found.rotations,
        gain=mine.gain,
        points=mine.points,
        faults=mine.faults,
    )
