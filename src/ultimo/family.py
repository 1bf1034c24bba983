"""The face of the two families: what each of them answers, asked in the same words.

`ultimo.danish` and `ultimo.french` are modules that wear it, and the type checker sees to that. A caller asks
`family(rules)`, or a property that both states have, and need not know which game is played.

>>> from ultimo import rulebook
>>> dtf, french4 = rulebook.load("dtf"), rulebook.load("french4")
>>> family(dtf).seated(dtf, 4, 0, None), family(french4).seated(french4, 4, 0, None)
((1, 3, 0), (1, 2, 3, 0))
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Final, Protocol, TypeAlias, TypeVar, cast

from ultimo import danish, french
from ultimo.cards import Card, Cards
from ultimo.events import Action, Cup, Deal, DealEvent, Declaration, Opened, Seat, Settlement, Transfer
from ultimo.play.chance import Chance
from ultimo.play.choices import Choices
from ultimo.play.places import Places
from ultimo.rulebook import DanishRules, FrenchRules, Rules

State: TypeAlias = danish.State | french.State
Outcome: TypeAlias = danish.Outcome | french.Outcome

R = TypeVar("R", contravariant=True)
S = TypeVar("S")
T = TypeVar("T", contravariant=True)


class Family(Protocol[R, S, T]):
    """A family of games: its rules `R`, the state `S` of a deal, the outcome `T` of one.

    What an answer means is said where it is given: in `ultimo.danish` and in `ultimo.french`.
    """

    # a deal: `ultimo.deal` asks
    def begin(self, rules: R, opened: Opened, /) -> tuple[DealEvent, ...]: ...
    def initial(self, rules: R, opened: Opened, /) -> S: ...
    def evolve(self, rules: R, state: S, event: DealEvent, /) -> S: ...
    def step(
        self, rules: R, state: S, seat: Seat | None, action: Action, /
    ) -> tuple[S, tuple[DealEvent, ...]]: ...
    def legal(self, rules: R, state: S, seat: Seat, /) -> Choices: ...
    def waiting_for(self, rules: R, state: S, /) -> tuple[Seat, ...]: ...
    def seen_by(self, rules: R, state: S, viewer: Seat | None, event: DealEvent, /) -> DealEvent: ...
    def deal_from(self, rules: R, state: S, deck: Sequence[Card], rng: Chance, /) -> Deal: ...

    # what is paid for it
    def check(self, rules: R, outcome: T, /) -> None: ...
    def settle(self, rules: R, outcome: T, /) -> Settlement: ...

    # what tables and tellers want to know
    def due_declarations(self, rules: R, state: S, seat: Seat, /) -> tuple[Declaration, ...]: ...
    def paid_declarations(self, rules: R, state: S, seat: Seat, /) -> list[tuple[Declaration, int]]: ...
    def is_plain(self, rules: R, state: S, played: Cards, /) -> bool: ...

    # deals in a row: `ultimo.series` asks
    def seated(self, rules: R, table: int, dealer: Seat, out: Seat | None, /) -> tuple[Seat, ...]: ...
    def next_places(self, rules: R, table: int, deals: int, dealer: Seat, out: Seat | None, /) -> Places: ...
    def deals_again(self, rules: R, table: int, /) -> bool: ...
    def draw(self, rules: R, table: int, rng: Chance, /) -> tuple[Card, ...]: ...
    def drawn_dealer(self, rules: R, drawn: Sequence[Card], /) -> Seat | None: ...
    def first_out(self, rules: R, table: int, dealer: Seat, /) -> Seat | None: ...
    def picked_up(self, rules: R, state: S, /) -> tuple[Card, ...]: ...
    def founding(self, rules: R, table: int, active: Sequence[Seat], cup: Cup, /) -> list[Transfer]: ...
    def divided(
        self, rules: R, cups: Mapping[Cup, int], totals: Sequence[int], dealer: Seat, lot: Seat, /
    ) -> list[Transfer]: ...


DANISH: Final[Family[DanishRules, danish.State, danish.Outcome]] = danish
FRENCH: Final[Family[FrenchRules, french.State, french.Outcome]] = french

AnyFamily: TypeAlias = Family[Rules, State, Outcome]
_FAMILIES: Final = {DanishRules: cast(AnyFamily, DANISH), FrenchRules: cast(AnyFamily, FRENCH)}


def family(rules: Rules) -> AnyFamily:
    """The family of a rulebook. It is asked about its own rules, states and outcomes, and about no others."""
    return _FAMILIES[type(rules)]
