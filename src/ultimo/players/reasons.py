"""Why a player chose as it did: what the alternatives seemed worth, by what principle, with what in mind."""

from __future__ import annotations

from collections.abc import Mapping

from msgspec import Struct

from ultimo.cards import Card
from ultimo.events import Action
from ultimo.names import tables


class Candidate(Struct, frozen=True):
    """An action that was considered: the points it is expected to gain from here to the end of the deal.

    `spread` is the standard error of that expectation, and `samples` on how many worlds it rests; an action
    that soon turned out worse than others rests on few. A player who does not reckon expects nothing.
    """

    action: Action
    points: float | None = None
    spread: float | None = None
    samples: int = 0


class Inferred(Struct, frozen=True):
    """Where a card that was not seen may lie: how likely with each seat, and at last laid aside."""

    card: Card
    chances: tuple[float, ...]


class Reason(Struct, frozen=True):
    """A decision and what speaks for it. The candidates come with the best first.

    `principle` is the number of a piece of advice (rules.md, part F), or `search` where reckoning overruled
    all advice; `words` say it in a sentence. `role` is what the player was trying to be in this deal.
    """

    action: Action
    candidates: tuple[Candidate, ...] = ()
    role: str = ""
    principle: str = ""
    words: str = ""
    inferred: tuple[Inferred, ...] = ()

    @classmethod
    def by(cls, principle: str, action: Action, role: str, candidates: tuple[Candidate, ...] = ()) -> Reason:
        """A decision by a principle, with its words."""
        return cls(action, candidates, role, principle, PRINCIPLES[principle])


# What players go by, in a sentence each: the numbers are those of the rules' part on strategy.
PRINCIPLES: Mapping[str, str] = tables("en", "tutor")["principles"]
