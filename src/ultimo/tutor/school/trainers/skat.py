"""Which three of 28 cards does the dealer lay? Play-outs judge the answer, beside the book's principles."""

from __future__ import annotations

from collections.abc import Iterator
from random import Random
from typing import ClassVar, Final

from ultimo import danish
from ultimo.cards import ALL_TRUMPS, COURTS, SUITS, Cards
from ultimo.rulebook import Rules
from ultimo.telling.writer import Block, Passage
from ultimo.tutor.school.parts import Pen
from ultimo.tutor.school.sums import worked_out
from ultimo.tutor.school.trainers.laying import SUITS as SUIT_SETS
from ultimo.tutor.school.trainers.laying import Laying, voids
from ultimo.tutor.school.trainers.trainer import Trainer

NORMAL_TRUMPS: Final = 7
NORMAL_SUITS: Final = (6, 4, 4, 4)
WHIP: Final = 6  # cards of a suit that is worth leading to the bottom
TRUMP_WHIP: Final = 9  # with so many trumps these are the whip


class Skat(Laying, frozen=True):
    """The dealer's 28 cards."""

    key: ClassVar[str] = "trainers.skat"

    def told(self, pen: Pen) -> tuple[Block, ...]:
        """The cups."""
        state = self.state
        assert isinstance(state, danish.State)
        if not self.rules.has_cups:
            return ()
        return (Passage(pen.text(f"{self.key}.cups", king=state.king, pagat=state.pagat)),)

    def notes(self, pen: Pen, laid: Cards) -> Iterator[str]:
        """How far the hand is from the normal one, its whip and entries, and a suit that is given up."""
        left = self.hand & ~laid
        lengths = sorted(((left & suit).bit_count() for suit in SUIT_SETS), reverse=True)
        trumps, shape = (left & ALL_TRUMPS).bit_count(), "-".join(map(str, lengths))
        yield pen.text(f"{self.key}.shape", trumps=trumps, shape=shape, distance=distance(left))
        if lengths[0] >= WHIP:
            yield pen.text(f"{self.key}.whip", length=lengths[0], driven=worked_out(f"whip {lengths[0]}"))
        elif trumps >= TRUMP_WHIP:
            yield pen.text(f"{self.key}.tarokWhip", trumps=trumps)
        else:
            yield pen.text(f"{self.key}.noWhip", length=lengths[0])
        yield pen.text(f"{self.key}.entries", entries=(left & COURTS).bit_count())
        for place in voids(self.hand, laid):
            yield pen.text(f"{self.key}.void", suit=pen.teller.words.suit_sign(SUITS[place]))

    def measure(self, laid: Cards) -> str:
        """The distance to the normal hand."""
        return str(distance(self.hand & ~laid))


def distance(hand: Cards) -> int:
    """How many cards a hand is away from the normal one: seven trumps, and suits of 6, 4, 4 and 4.

    >>> from ultimo.cards import mask
    >>> distance(mask("T1 T2 T3 T4 T5 T6 T7 S1 S2 S3 S4 S5 S6 H1 H2 H3 H4 C1 C2 C3 C4 D1 D2 D3 D4"))
    0
    >>> distance(mask("T1 T2 T3 T4 T5 T6 T7 S1 S2 S3 S4 S5 H1 H2 H3 H4 H5 C1 C2 C3 C4 D1 D2 D3 D4"))
    1
    """
    lengths = sorted(((hand & suit).bit_count() for suit in SUIT_SETS), reverse=True)
    trumps = (hand & ALL_TRUMPS).bit_count()
    apart = abs(trumps - NORMAL_TRUMPS) + sum(
        abs(length - normal) for length, normal in zip(lengths, NORMAL_SUITS, strict=True)
    )
    return apart // 2  # a card too many here is one too few there


def ask(rules: Rules, seed: str, n: int) -> Skat:
    """A dealer's hand of a run."""
    from ultimo.tutor.school.trainers.weighing import come_to

    rng = Random(f"skat {rules.id} {seed} {n}")
    return Skat(rules, *come_to(rules, rng, lambda state: state.phase == "skat"))


TRAINER: Final = Trainer("skat", "danish", ("dtf", "hermansen", "jensen", "vlk", "basta"), ask, heavy=True)
