"""Which cards to lay away: what the skat of the Danish and the écart of the French game have in common."""

from __future__ import annotations

from collections.abc import Iterator
from typing import TYPE_CHECKING, ClassVar, Final

from msgspec import Struct

from ultimo import deal
from ultimo import events as e
from ultimo.cards import ALL_TRUMPS, SUIT_CARDS, Cards, cards, mask
from ultimo.names import capital, names
from ultimo.play.choices import Lays
from ultimo.rulebook import Rules
from ultimo.telling.teller import Teller
from ultimo.telling.writer import Block, CardRow, CardRows, Grid
from ultimo.tutor.school.exercises import Answer, Pick, Question, Verdict, picked
from ultimo.tutor.school.parts import Pen

# What weighs a choice brings the compiler along: it is loaded where an answer is judged.
if TYPE_CHECKING:
    from ultimo.tutor.school.trainers.weighing import Weighed
    from ultimo.tutor.words import Words

SAMPLES: Final = 480  # worlds an answer
SUITS: Final = SUIT_CARDS[:4]


class Laying(Struct, frozen=True):
    """A hand from which cards are to be laid, as its player knows it."""

    rules: Rules
    seat: e.Seat
    state: deal.State
    samples: int = SAMPLES
    key: ClassVar[str] = ""

    @property
    def hand(self) -> Cards:
        """All that is held."""
        return self.state.hands[self.seat]

    def question(self, language: str) -> Question:
        """The cards; what may not be laid is shown and cannot be picked."""
        pen = Pen(self.rules, language)
        widget = Pick(pen.sorted(self.hand), self._count, pen.sorted(self.hand & ~self._layable))
        return Question(self.asked(pen, self._count), widget, self.told(pen))

    def verdict(self, answer: Answer, language: str) -> Verdict:
        """What it is worth beside the best, what the club lays and why, and what all of it leaves."""
        from ultimo.tutor.school.trainers.weighing import weighed

        pen, widget = Pen(self.rules, language), self.question(language).widget
        assert isinstance(widget, Pick)
        laid = mask(" ".join(picked(widget, answer)))
        action = e.Lay(cards(laid))
        if not any(action in offer for offer in self._offers):
            found = weighed(self.rules, self.seat, self.state, None, self.samples)
            text = f"{pen.text('wrong')} {pen.text(f'{self.key}.notLegal')}"
            return Verdict(False, text, _answer(pen, found.best.action), self._compared(pen, found, None))
        found = weighed(self.rules, self.seat, self.state, action, self.samples)
        right = found.is_right(action)
        text = " ".join([pen.text("right" if right else "wrong"), *self._why(pen, found, action)])
        best = action if right else found.best.action
        return Verdict(right, text, _answer(pen, best), self._compared(pen, found, action))

    # --- to be said by each game ---------------------------------------------------------------------

    def asked(self, pen: Pen, count: int) -> str:
        """What is asked."""
        return pen.text(f"{self.key}.ask", count=count)

    def told(self, pen: Pen) -> tuple[Block, ...]:
        """What is known beside the hand."""
        raise NotImplementedError

    def notes(self, pen: Pen, laid: Cards) -> Iterator[str]:
        """What the principles say of the cards that are laid."""
        raise NotImplementedError

    def measure(self, laid: Cards) -> str:
        """The number by which the principles compare."""
        raise NotImplementedError

    # --- shared --------------------------------------------------------------------------------------

    @property
    def _offers(self) -> list[Lays]:
        offers = deal.legal(self.rules, self.state, self.seat).offers
        return [offer for offer in offers if isinstance(offer, Lays) and not offer.tout]

    @property
    def _count(self) -> int:
        return self._offers[0].sets.size

    @property
    def _layable(self) -> Cards:
        """Every card that some legal choice lays."""
        layable = 0
        for offer in self._offers:
            layable |= offer.sets.must | offer.sets.among
        return layable

    def _words(self, pen: Pen) -> Words:
        from ultimo.tutor.words import Words

        return Words(Teller(names(pen.language), self.rules, ()))

    def _why(self, pen: Pen, found: Weighed, action: e.Lay) -> Iterator[str]:
        words, worth = self._words(pen), found.judged.worth(action)
        if found.best.does(action) or not worth.behind:
            yield pen.text("laying.best")
        else:
            behind, error = words.number(worth.behind), words.number(worth.error)
            yield pen.text("laying.behind", points=behind, error=error)
            if found.is_right(action):
                yield pen.text("laying.close")
        yield from self.notes(pen, mask(action.cards))
        advice, club = words.principle(found.principle), _laid(found.club)
        key = "same" if club == mask(action.cards) else "club"
        yield pen.text(f"laying.{key}", cards=pen.faces(pen.sorted(club)), principle=advice)
        best = _laid(found.best.action)
        if best not in (club, mask(action.cards)):
            yield pen.text("laying.expert", cards=pen.faces(pen.sorted(best)))

    def _compared(self, pen: Pen, found: Weighed, action: e.Lay | None) -> tuple[Block, ...]:
        """The hand with the best cards marked; then yours, the club's and the best side by side."""
        rows = {"club": found.club, "best": found.best.action}
        if action is not None:
            rows = {"yours": action, **rows}
        head = (
            "",
            *(pen.text(f"{self.key}.head.{name}") for name in ("cards", "trumps", "suits", "measure")),
        )
        lines = [self._line(pen, found, name, one) for name, one in rows.items()]
        hand = CardRow(pen.teller.text("hand"), pen.sorted(self.hand), pen.sorted(_laid(found.best.action)))
        table = Grid((*head, pen.text("laying.head.behind")), tuple(lines))
        return (*self.told(pen), CardRows((hand,)), table)

    def _line(self, pen: Pen, found: Weighed, name: str, action: e.Action) -> tuple[str, ...]:
        words, laid = self._words(pen), _laid(action)
        left = self.hand & ~laid
        lengths = " ".join(
            f"{pen.teller.words.suit_sign(suit)}{n}" for suit, n in zip("SHCD", _lengths(left), strict=True)
        )
        worth = next((one for one in found.judged.worths if one.does(action)), None)
        behind = "–" if worth is None else f"{words.number(worth.behind)} ± {words.number(worth.error)}"
        trumps = str((left & ALL_TRUMPS).bit_count())
        label = capital(pen.text(f"laying.rows.{name}"))
        return label, pen.faces(pen.sorted(laid)), trumps, lengths, self.measure(laid), behind


def _laid(action: e.Action) -> Cards:
    assert isinstance(action, e.Lay)
    return mask(action.cards)


def _answer(pen: Pen, action: e.Action) -> Answer:
    return pen.sorted(_laid(action))


def _lengths(left: Cards) -> list[int]:
    """How many cards are left of each suit."""
    return [(left & suit).bit_count() for suit in SUITS]


def voids(hand: Cards, laid: Cards) -> list[int]:
    """The suits that were held and are laid to the last card."""
    return [place for place, suit in enumerate(SUITS) if hand & suit and not hand & ~laid & suit]
