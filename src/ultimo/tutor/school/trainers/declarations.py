"""What does this hand declare? A hand of 25 cards after the skat, by any Danish rulebook."""

from __future__ import annotations

from collections.abc import Iterator
from random import Random
from typing import Final

from msgspec import Struct

from ultimo.cards import ALL_CARDS, SKUS, TRUMPS, Card, Cards, cards, mask
from ultimo.danish.declarations import FAMILIES, declarations, slot, value
from ultimo.events import Declaration
from ultimo.names import capital
from ultimo.rulebook import DanishRules, Rules
from ultimo.telling.writer import Block, CardRow, CardRows
from ultimo.tutor.school.exercises import Answer, Choice, Question, Verdict, options
from ultimo.tutor.school.parts import Pen, near_declarations, of_declarations
from ultimo.tutor.school.trainers.trainer import Trainer

HELD: Final = 25
TRIES: Final = 400  # hands that are drawn at most for one with a declaration of the wanted kind
KEY: Final = "trainers.declarations"
PACK: Final = cards(ALL_CARDS)

# Most hands declare nothing, or trumps: these are what a hand is looked for with, one as often as the other.
WANTED: Final = ("any", "tarok", "matadors", "courts", "two")


class Hand(Struct, frozen=True):
    """A hand that is asked about."""

    rules: DanishRules
    hand: Cards

    def question(self, language: str) -> Question:
        """The hand, and what it may declare."""
        pen = Pen(self.rules, language)
        spoken = [capital(pen.teller.declaration(one)) for one in self._offered]
        widget = Choice((*spoken, pen.text("nothingToDeclare")), many=True)
        return Question(pen.text(f"{KEY}.ask"), widget, _shown(pen, self.hand))

    def verdict(self, answer: Answer, language: str) -> Verdict:
        """Each declaration with its reason, and what is missing for one that is not there."""
        pen, offered, due = Pen(self.rules, language), self._offered, declarations(self.rules, self.hand)
        widget = self.question(language).widget
        assert isinstance(widget, Choice)
        taken = options(widget, answer)
        right = {place for place, one in enumerate(offered) if one in due} or {len(offered)}
        said = [offered[place] for place in sorted(taken - right) if place < len(offered)]
        doubted = [one for one in (said if due else offered) if slot(one) not in map(slot, due)]
        text = [pen.text("right" if taken == right else "wrong")]
        text += [self._why(pen, one) for one in due] or [pen.text(f"{KEY}.nothing")]
        text += dict.fromkeys(self._why_not(pen, one) for one in doubted)
        marked = of_declarations(self.rules, self.hand)
        shown = tuple(map(str, sorted(right)))
        return Verdict(taken == right, " ".join(text), shown, _shown(pen, self.hand, marked))

    @property
    def _offered(self) -> tuple[Declaration, ...]:
        return near_declarations(self.rules, self.hand)

    def _why(self, pen: Pen, due: Declaration) -> str:
        """A declaration of the hand: what it takes, and what it earns."""
        kings = "Kings" if due.of == "K" else "Suit" if due.of else ""
        return pen.text(
            f"{KEY}.due.{due.kind}{kings}",
            declaration=capital(pen.teller.declaration(due)),
            least=self.rules.decl.tarok.min,
            points=value(self.rules, due),
        )

    def _why_not(self, pen: Pen, said: Declaration) -> str:
        """What is missing for something that the hand does not declare."""
        match said.kind:
            case "tarok":
                held = (self.hand & (TRUMPS | SKUS)).bit_count()
                return pen.text(f"{KEY}.not.tarok", held=held, least=self.rules.decl.tarok.min)
            case "matadors" | "matadorsBelow":
                inner = range(21, 1, -1) if said.kind == "matadors" else range(2, 22)
                run = [Card("T0"), Card("T1"), *(Card(f"T{number}") for number in inner)]
                missing = mask(run[: self.rules.decl.matador.min]) & ~self.hand
                return pen.text(f"{KEY}.not.{said.kind}", cards=pen.faces(pen.sorted(missing)))
            case _:
                return pen.text(f"{KEY}.not.courts")


def _shown(pen: Pen, hand: Cards, marked: Cards = 0) -> tuple[Block, ...]:
    return (CardRows((CardRow("", pen.sorted(hand), pen.sorted(marked)),)),)


def ask(rules: Rules, seed: str, n: int) -> Hand:
    """A hand of a run. It is one of some 10^20: none comes twice."""
    assert isinstance(rules, DanishRules)
    rng = Random(f"declarations {rules.id} {seed} {n}")
    wanted = rng.choice(WANTED)
    hands = list(_drawn(rng, rules, wanted))
    return Hand(rules, hands[-1])


def _drawn(rng: Random, rules: DanishRules, wanted: str) -> Iterator[Cards]:
    """Hands until one is as wanted, which is the last."""
    for _ in range(TRIES):
        hand = mask(rng.sample(PACK, HELD))
        yield hand
        if _is_as(wanted, declarations(rules, hand)):
            return


def _is_as(wanted: str, due: tuple[Declaration, ...]) -> bool:
    match wanted:
        case "any":
            return True
        case "two":
            return len(due) >= 2
        case "courts":
            return any(one.of in FAMILIES for one in due)
        case _:
            return any(one.kind == wanted for one in due)


TRAINER: Final = Trainer("declarations", "danish", ("dtf", "hermansen", "jensen", "vlk", "basta"), ask)
