"""How many trumps? Some tricks of a deal as one of the players saw them, and what has fallen in them.

In Danish Tarok the skus is one of 22 trumps, and both opponents are counted in one number: the tens are what
has fallen from the left hand, the units what has fallen from the right.
"""

from __future__ import annotations

from collections.abc import Iterator
from random import Random
from typing import Final, Literal, TypeAlias

from msgspec import Struct

from ultimo import events as e
from ultimo.cards import ALL_TRUMPS, TRUMPS, Cards
from ultimo.rulebook import Rules
from ultimo.tutor.school.exercises import Answer, Number, Question, Verdict, number
from ultimo.tutor.school.parts import Pen
from ultimo.tutor.school.trainers.deals import Dealt, played
from ultimo.tutor.school.trainers.seen import Seen
from ultimo.tutor.school.trainers.trainer import Trainer

KEY: Final = "trainers.counting"
FEWEST, MOST = 4, 11  # tricks that are shown
UNITS: Final = 10  # from so many on the right hand has no digit of its own
Kind: TypeAlias = Literal["out", "fallen", "both"]
KINDS: Final[dict[str, tuple[Kind, ...]]] = {"danish": ("out", "fallen", "both"), "french": ("out", "fallen")}


class Counted(Struct, frozen=True):
    """What a seat has seen of a deal, and what is asked about it: perhaps about another seat."""

    seen: Seen
    kind: Kind
    other: e.Seat

    def question(self, language: str) -> Question:
        """The tricks, and what to count in them."""
        pen = Pen(self.seen.rules, language)
        key = self.kind if self.kind == "both" else f"{self.kind}.{pen.rules.family}"
        ask = pen.text(f"{KEY}.ask.{key}", player=self.seen.teller(pen).players[self.other])
        return Question(ask, Number(), self.seen.blocks(pen))

    def verdict(self, answer: Answer, language: str) -> Verdict:
        """What has fallen from each hand, with the trumps marked."""
        pen, said = Pen(self.seen.rules, language), number(answer)
        right = pen.text("right" if said == self.count else "wrong")
        text = f"{right} {' '.join(self._why(pen))}"
        return Verdict(said == self.count, text, (str(self.count),), self.seen.blocks(pen, self._trumps))

    @property
    def count(self) -> int:
        """The number that is asked for."""
        match self.kind:
            case "out":
                return self._trumps.bit_count() - self._gone - self._held
            case "fallen":
                return self._fallen(self.other)
            case "both":
                right, left = map(self._fallen, self.seen.others)
                return UNITS * left + right

    @property
    def _trumps(self) -> Cards:
        """What counts as a trump: in Danish Tarok the skus does."""
        return ALL_TRUMPS if self.seen.rules.family == "danish" else TRUMPS

    @property
    def _held(self) -> int:
        """What lies open before the reader: the hand, and what was laid."""
        state = self.seen.state
        return ((state.hands[self.seen.seat] | state.laid) & self._trumps).bit_count()

    @property
    def _gone(self) -> int:
        return sum(map(self._fallen, self.seen.order))

    def _fallen(self, seat: e.Seat) -> int:
        """How many trumps a seat has played."""
        return (self.seen.played(seat) & self._trumps).bit_count()

    def _why(self, pen: Pen) -> Iterator[str]:
        players = self.seen.teller(pen).players
        order = (*self.seen.others, self.seen.seat)
        yield pen.text(
            f"{KEY}.fallen", fallen=", ".join(f"{players[one]} {self._fallen(one)}" for one in order)
        )
        if self.kind == "out":
            whole = self._trumps.bit_count()
            yield pen.text(f"{KEY}.sum", whole=whole, gone=self._gone, held=self._held, out=self.count)
        elif self.kind == "both":
            right, left = map(self._fallen, self.seen.others)
            yield pen.text(f"{KEY}.digits", left=left, right=right, number=self.count)


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
    return Counted(Seen(found.rules, found.view(seat), seat), kind, other)


TRAINER: Final = Trainer(
    "counting",
    "danish",
    ("dtf", "hermansen", "jensen", "vlk", "basta", "french4", "french3", "french5"),
    ask,
)
