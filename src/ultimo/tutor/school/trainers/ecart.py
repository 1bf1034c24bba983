"""Which cards does the taker lay? A garde, the chien taken up; the answer is judged by play-outs."""

from __future__ import annotations

from collections.abc import Iterator
from random import Random
from typing import ClassVar, Final

from ultimo import deal, french
from ultimo.cards import SUITS, Cards
from ultimo.french.counting import half_points
from ultimo.rulebook import Rules
from ultimo.telling.teller import halves
from ultimo.telling.writer import Block, CardRow, CardRows, Passage
from ultimo.tutor.school.parts import Pen
from ultimo.tutor.school.trainers.laying import SUITS as SUIT_SETS
from ultimo.tutor.school.trainers.laying import Laying, voids
from ultimo.tutor.school.trainers.trainer import Trainer

BID: Final = "garde"


class Ecart(Laying, frozen=True):
    """The taker's cards with the chien."""

    key: ClassVar[str] = "trainers.ecart"

    def asked(self, pen: Pen, count: int) -> str:
        """The contract, and what is asked."""
        return pen.text(f"{self.key}.ask", bid=pen.teller.words.bid(BID), count=count)

    def told(self, pen: Pen) -> tuple[Block, ...]:
        """The chien, and the card that was called."""
        state = self.state
        assert isinstance(state, french.State)
        rows = CardRows((CardRow(pen.teller.text("chien"), pen.sorted(state.shown)),))
        if state.called is None:
            return (rows,)
        return Passage(pen.text(f"{self.key}.called", card=pen.teller.face(state.called))), rows

    def notes(self, pen: Pen, laid: Cards) -> Iterator[str]:
        """The points that are put in safety, and the suits that can be ruffed."""
        left = self.hand & ~laid
        yield pen.text(f"{self.key}.points", points=halves(half_points(laid)))
        short = [place for place, suit in enumerate(SUIT_SETS) if not left & suit]
        signs = " ".join(pen.teller.words.suit_sign(SUITS[place]) for place in short)
        if voids(self.hand, laid):
            yield pen.text(f"{self.key}.voids", suits=signs)
        elif not short:
            yield pen.text(f"{self.key}.noVoid")

    def measure(self, laid: Cards) -> str:
        """The points in the écart."""
        return halves(half_points(laid))


def ask(rules: Rules, seed: str, n: int) -> Ecart:
    """A taker's hand of a run."""
    from ultimo.tutor.school.trainers.weighing import come_to

    return Ecart(rules, *come_to(rules, Random(f"ecart {rules.id} {seed} {n}"), _is_garde))


def _is_garde(state: deal.State) -> bool:
    garde = isinstance(state, french.State) and state.contract is not None and state.contract.id == BID
    return garde and state.phase == "ecart"


TRAINER: Final = Trainer("ecart", "french", ("french4", "french3", "french5"), ask, heavy=True)
