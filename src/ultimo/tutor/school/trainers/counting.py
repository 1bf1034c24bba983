"""How many trumps? Some tricks of a deal as one of the players saw them, and what has fallen in them.

In Danish Tarok the skus is one of 22 trumps, and both opponents are counted in one number: the tens are what
has fallen from the left hand, the units what has fallen from the right.
"""

from __future__ import annotations

from collections.abc import Iterator
from random import Random
from typing import Final, Literal, TypeAlias

from msgspec import Struct

from ultimo import deal
from ultimo import events as e
from ultimo.cards import ALL_TRUMPS, TRUMPS, Cards
from ultimo.names import capital, names
from ultimo.rulebook import Rules
from ultimo.telling.teller import Teller
from ultimo.telling.writer import Block, CardRow, CardRows, Passage
from ultimo.tutor.school.exercises import Answer, Number, Question, Verdict, number
from ultimo.tutor.school.parts import Pen
from ultimo.tutor.school.trainers.deals import Dealt, played
from ultimo.tutor.school.trainers.trainer import Trainer

KEY: Final = "trainers.counting"
FEWEST, MOST = 4, 11  # tricks that are shown
UNITS: Final = 10  # from so many on the right hand has no digit of its own
Kind: TypeAlias = Literal["out", "fallen", "both"]
KINDS: Final[dict[str, tuple[Kind, ...]]] = {"danish": ("out", "fallen", "both"), "french": ("out", "fallen")}


class Counted(Struct, frozen=True):
    """What a seat has seen of a deal, and what is asked about it: perhaps about another seat."""

    rules: Rules
    state: deal.State  # as the seat knows it
    seat: e.Seat
    kind: Kind
    other: e.Seat

    def question(self, language: str) -> Question:
        """The tricks, and what to count in them."""
        pen = Pen(self.rules, language)
        ask = pen.text(f"{KEY}.ask.{self._key}", player=self._teller(pen).players[self.other])
        return Question(ask, Number(), self._blocks(pen))

    def verdict(self, answer: Answer, language: str) -> Verdict:
        """What has fallen from each hand, with the trumps marked."""
        pen, said = Pen(self.rules, language), number(answer)
        right = pen.text("right" if said == self.count else "wrong")
        text = f"{right} {' '.join(self._why(pen))}"
        return Verdict(said == self.count, text, (str(self.count),), self._blocks(pen, self._trumps))

    @property
    def count(self) -> int:
        """The number that is asked for."""
        match self.kind:
            case "out":
                return self._trumps.bit_count() - sum(map(self._fallen, self.state.active)) - self._held
            case "fallen":
                return self._fallen(self.other)
            case "both":
                left, right = self._neighbours
                return UNITS * self._fallen(left) + self._fallen(right)

    @property
    def _trumps(self) -> Cards:
        """What counts as a trump: in Danish Tarok the skus does."""
        return ALL_TRUMPS if self.rules.family == "danish" else TRUMPS

    @property
    def _held(self) -> int:
        return (self.state.hands[self.seat] & self._trumps).bit_count()

    @property
    def _neighbours(self) -> tuple[e.Seat, e.Seat]:
        """The left and the right hand of three: play goes to the right."""
        right = self.state.after(self.seat)
        return self.state.after(right), right

    @property
    def _key(self) -> str:
        return self.kind if self.kind == "both" else f"{self.kind}.{self.rules.family}"

    @property
    def _tricks(self) -> list[tuple[e.CardPlayed, ...]]:
        return [trick.plays for trick in self.state.tricks]

    def _fallen(self, seat: e.Seat) -> int:
        """How many trumps a seat has played."""
        plays = (play for plays in self._tricks for play in plays if play.seat == seat)
        return sum(bool(play.card.bit & self._trumps) for play in plays)

    def _teller(self, pen: Pen) -> Teller:
        """The others are called by where they sit."""
        return Teller(names(pen.language), self.rules, seats_from(pen, self.seat, self.state.table))

    def _why(self, pen: Pen) -> Iterator[str]:
        players = self._teller(pen).players
        order = [seat for seat in self._order if seat != self.seat]
        fallen = ", ".join(f"{players[seat]} {self._fallen(seat)}" for seat in (*order, self.seat))
        yield pen.text(f"{KEY}.fallen", fallen=fallen)
        if self.kind == "out":
            gone = sum(map(self._fallen, self.state.active))
            whole = self._trumps.bit_count()
            yield pen.text(f"{KEY}.sum", whole=whole, gone=gone, held=self._held, out=self.count)
        elif self.kind == "both":
            left, right = map(self._fallen, self._neighbours)
            yield pen.text(f"{KEY}.digits", left=left, right=right, number=self.count)

    @property
    def _order(self) -> list[e.Seat]:
        """Everybody in order of play, the reader first."""
        order = [self.seat]
        while (after := self.state.after(order[-1])) != self.seat:
            order.append(after)
        return order

    def _blocks(self, pen: Pen, marked: Cards = 0) -> tuple[Block, ...]:
        players, state = self._teller(pen).players, self.state
        order = Passage(pen.text(f"{KEY}.order", players=" – ".join(players[seat] for seat in self._order)))
        rows = [
            CardRow(
                pen.text(f"{KEY}.trick", number=place, player=players[plays[0].seat]),
                tuple(play.card.value for play in plays),
                tuple(play.card.value for play in plays if play.card.bit & marked),
            )
            for place, plays in enumerate(self._tricks, 1)
        ]
        hand = state.hands[self.seat]
        held = CardRow(pen.teller.text("hand"), pen.sorted(hand), pen.sorted(hand & marked))
        return order, CardRows((*rows, held))


def seats_from(pen: Pen, seat: e.Seat, table: int) -> tuple[str, ...]:
    """The players by where they sit, seen from one of them."""
    places = pen.text(f"{KEY}.places.{table}").split(", ")
    named = {(seat + place) % table: name for place, name in enumerate(places, 1)}
    named[seat] = capital(pen.teller.text("you"))
    return tuple(named[place] for place in range(table))


def ask(rules: Rules, seed: str, n: int) -> Counted:
    """Some tricks of a run, with a question that they can answer."""
    rng = Random(f"counting {rules.id} {seed} {n}")
    kind, many = rng.choice(KINDS[rules.family]), rng.randint(FEWEST, MOST)
    while True:
        found = played(rules, rng, lambda state: len(state.tricks) == many)
        one = _asked(found, rng, kind)
        if one.count and (kind != "both" or one.count % UNITS):
            return one


def _asked(found: Dealt, rng: Random, kind: Kind) -> Counted:
    seat = rng.choice(found.state.active)
    other = rng.choice([one for one in found.state.active if one != seat])
    return Counted(found.rules, found.view(seat), seat, kind, other)


TRAINER: Final = Trainer(
    "counting",
    "danish",
    ("dtf", "hermansen", "jensen", "vlk", "basta", "french4", "french3", "french5"),
    ask,
)
