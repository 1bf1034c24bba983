"""What do declarations and tricks give away? Where a card can lie, and how many trumps a hand was dealt.

The answer comes from the worlds that fit what the seat knows (`reading`), and never from the hidden cards.
"""

from __future__ import annotations

from collections.abc import Iterator
from random import Random
from typing import TYPE_CHECKING, Final, Literal, TypeAlias

from msgspec import Struct
from msgspec.structs import replace

from ultimo import danish, deal
from ultimo import events as e
from ultimo.cards import ALL_TRUMPS, BOUTS, KINGS, PAGAT, SKUS, Card, Cards, cards
from ultimo.danish.declarations import FAMILIES, TRUMP_BITS
from ultimo.danish.plausible import held
from ultimo.names import capital
from ultimo.rulebook import DanishRules, Rules
from ultimo.telling.teller import Teller
from ultimo.telling.writer import Block, Items
from ultimo.tutor.school.exercises import Answer, Choice, Number, Question, Verdict, number, options
from ultimo.tutor.school.parts import Pen
from ultimo.tutor.school.trainers.deals import Dealt, played
from ultimo.tutor.school.trainers.seen import Seen
from ultimo.tutor.school.trainers.trainer import Trainer

# What reads a deal brings the compiler along: it is loaded where a question is asked.
if TYPE_CHECKING:
    from ultimo.tutor.school.trainers.reading import Reader

KEY: Final = "trainers.inference"
MOST_TRICKS: Final = 5
TRIES: Final = 8  # questions that are looked at for one that has something to conclude
KEYS: Final = KINGS | BOUTS  # the cards that are asked for
DEDUCTION: Final = 0.8  # how often something is to be concluded
Kind: TypeAlias = Literal["where", "least", "most"]
KINDS: Final[tuple[Kind, ...]] = ("where", "where", "least", "most")


class Where(Struct, frozen=True):
    """Where a card can lie: with whom, or in the skat."""

    seen: Seen
    told: tuple[e.DealEvent, ...]  # all that the seat has seen
    card: Card

    def question(self, language: str) -> Question:
        """Every place where a card may lie that the seat has not seen."""
        pen = Pen(self.seen.rules, language)
        teller = self.seen.teller(pen)
        widget = Choice(tuple(_place(teller, row) for row in self._rows), many=True)
        ask = pen.text(f"{KEY}.ask.where", card=teller.face(self.card))
        return Question(ask, widget, _blocks(self.seen, pen))

    def verdict(self, answer: Answer, language: str) -> Verdict:
        """Where it can be, and for each other place why not."""
        pen, widget = Pen(self.seen.rules, language), self.question(language).widget
        assert isinstance(widget, Choice)
        taken, rows, possible = options(widget, answer), self._rows, self.possible
        right = frozenset(place for place, row in enumerate(rows) if row in possible)
        text = [pen.text("right" if taken == right else "wrong"), *self._why(pen, possible)]
        shown = tuple(map(str, sorted(right)))
        return Verdict(taken == right, " ".join(text), shown, _blocks(self.seen, pen))

    @property
    def possible(self) -> frozenset[int]:
        """The rows in which the card lies in some world."""
        reader = _reader(self.seen, self.told)
        return frozenset(row for row in self._rows if reader.can_lie(self.card, row))

    @property
    def concluded(self) -> bool:
        """Whether it follows that one of the others does not have it."""
        return not frozenset(self.seen.others) <= self.possible

    @property
    def _rows(self) -> list[int]:
        """The others, and the skat if it lies face down."""
        table = self.seen.state.table
        return self.seen.others if self.seen.state.laid else [*self.seen.others, table]

    def _why(self, pen: Pen, possible: frozenset[int]) -> Iterator[str]:
        teller = self.seen.teller(pen)
        face = teller.face(self.card)
        for seat in self.seen.others:
            for one in _declared(self.seen, seat):
                if self.card.bit & _certain(one):
                    told = capital(teller.declaration(one))
                    yield pen.text(f"{KEY}.has", player=teller.players[seat], declaration=told, card=face)
                    return
        for row in self._rows:
            if row not in possible:
                yield self._why_not(pen, teller, row)
        places = teller.words.listed([_place(teller, row) for row in self._rows if row in possible])
        yield pen.text(f"{KEY}.possible" if len(possible) > 1 else f"{KEY}.only", card=face, places=places)

    def _why_not(self, pen: Pen, teller: Teller, row: int) -> str:
        face = teller.face(self.card)
        if row == self.seen.state.table:
            return pen.text(f"{KEY}.notLaid", card=face)
        player, rules = teller.players[row], self.seen.rules
        assert isinstance(rules, DanishRules)
        for one in _declared(self.seen, row):
            if self.card.bit & _missing(rules, one):
                told = capital(teller.declaration(one))
                return pen.text(f"{KEY}.hasNot", player=player, declaration=told, card=face)
        state = self.seen.state
        assert isinstance(state, danish.State)
        silent = replace(self.seen, state=replace(state, declared=(None,) * state.table))
        if not _reader(silent, self.told).can_lie(self.card, row):
            return pen.text(f"{KEY}.shown", player=player, card=face)
        return pen.text(f"{KEY}.contradicts", player=player, card=face)


class Split(Struct, frozen=True):
    """How many trumps a hand was dealt at least, or at most."""

    seen: Seen
    told: tuple[e.DealEvent, ...]
    kind: Kind
    other: e.Seat

    def question(self, language: str) -> Question:
        """Who has declared what, and the own hand."""
        pen = Pen(self.seen.rules, language)
        ask = pen.text(f"{KEY}.ask.{self.kind}", player=self.seen.teller(pen).players[self.other])
        return Question(ask, Number(), _blocks(self.seen, pen))

    def verdict(self, answer: Answer, language: str) -> Verdict:
        """The sum: 22 trumps, the own ones, and what the others have said."""
        pen, said = Pen(self.seen.rules, language), number(answer)
        least, most = self.bounds
        due = least if self.kind == "least" else most
        text = [pen.text("right" if said == due else "wrong"), *self._why(pen, least, most)]
        return Verdict(said == due, " ".join(text), (str(due),), _blocks(self.seen, pen, ALL_TRUMPS))

    @property
    def bounds(self) -> tuple[int, int]:
        """The fewest and the most trumps in any world."""
        return _reader(self.seen, self.told).trumps(self.other)

    @property
    def concluded(self) -> bool:
        """Whether that says more than the silence of the hand itself."""
        rules = self.seen.rules
        assert isinstance(rules, DanishRules)
        least, most = self.bounds
        return least > 0 if self.kind == "least" else most < rules.decl.tarok.min - 1

    def _why(self, pen: Pen, least: int, most: int) -> Iterator[str]:
        seen, players = self.seen, self.seen.teller(pen).players
        rules, me = seen.rules, seen.seat
        assert isinstance(rules, DanishRules)
        own = (seen.state.hands[me] | seen.played(me) | seen.state.laid) & ALL_TRUMPS
        yield pen.text(f"{KEY}.own", whole=ALL_TRUMPS.bit_count(), own=own.bit_count())
        for seat in seen.others:
            number = next((one.count for one in _declared(seen, seat) if one.kind == "tarok"), None)
            key, many = ("silent", rules.decl.tarok.min - 1) if number is None else ("declared", number)
            yield pen.text(f"{KEY}.{key}", player=players[seat], number=many)
        if not seen.state.laid and _reader(seen, self.told).can_lie_in_skat():
            yield pen.text(f"{KEY}.maybeLaid")
        fallen = (seen.played(self.other) & ALL_TRUMPS).bit_count()
        if fallen:
            yield pen.text(f"{KEY}.fallen", player=players[self.other], number=fallen)
        key = "exactly" if least == most else "between"
        yield pen.text(f"{KEY}.{key}", player=players[self.other], least=least, most=most)


# --- what is known ---------------------------------------------------------------------------------------


def _reader(seen: Seen, told: tuple[e.DealEvent, ...]) -> Reader:
    from ultimo.tutor.school.trainers.reading import reader

    assert isinstance(seen.rules, DanishRules)
    assert isinstance(seen.state, danish.State)
    return reader(seen.rules, seen.state, told)


def _declared(seen: Seen, seat: e.Seat) -> tuple[e.Declaration, ...]:
    assert isinstance(seen.state, danish.State)
    return seen.state.declared[seat] or ()


def _certain(one: e.Declaration) -> Cards:
    """The cards that a hand with this declaration has."""
    if one.kind == "half" and one.missing is not None:
        return held(one) | FAMILIES[one.of or "K"] & ~one.missing.bit
    return held(one)


def _missing(rules: DanishRules, one: e.Declaration) -> Cards:
    """The cards that a declaration says a hand does not have."""
    match one.kind:
        case "tarok" if one.pagat is False:
            return PAGAT
        case "matadors":
            return TRUMP_BITS[23 - one.count] if one.count < len(TRUMP_BITS) else 0
        case "matadorsBelow":
            return TRUMP_BITS[one.count] if one.count < len(TRUMP_BITS) else 0
        case "half" if one.missing is not None:
            return one.missing.bit
        case "full" if rules.decl.overfull:
            return SKUS
        case _:
            return 0


# --- what is shown ---------------------------------------------------------------------------------------


def _place(teller: Teller, row: int) -> str:
    return teller.players[row] if row < len(teller.players) else teller.text("skat")


def _blocks(seen: Seen, pen: Pen, marked: Cards = 0) -> tuple[Block, ...]:
    """What everybody has declared, then the tricks and the own hand."""
    teller, state = seen.teller(pen), seen.state
    assert isinstance(state, danish.State)
    said = []
    for seat in state.order:
        (role,) = state.roles(seat)
        made = teller.declarations(_declared(seen, seat))
        said.append(teller.words.pair(f"{teller.players[seat]} ({teller.words.role(role)})", made))
    return Items(tuple(said)), *seen.blocks(pen, marked)


# --- asking ----------------------------------------------------------------------------------------------


def ask(rules: Rules, seed: str, n: int) -> Where | Split:
    """A hand and what was declared, at the first lead or some tricks later."""
    rng = Random(f"inference {rules.id} {seed} {n}")
    wanted, tricks, kind = rng.random() < DEDUCTION, rng.randint(0, MOST_TRICKS), rng.choice(KINDS)
    for _ in range(TRIES):
        one = _asked(played(rules, rng, lambda state: _has_come_to(state, tricks)), rng, kind)
        if not wanted or one.concluded:
            break
    return one


def _has_come_to(state: deal.State, tricks: int) -> bool:
    """Whether so many tricks have been played, and the next is to be led."""
    return state.phase == "play" and len(state.tricks) == tricks and not state.trick


def _asked(found: Dealt, rng: Random, kind: Kind) -> Where | Split:
    """A question of a kind about a deal; where there is none, of the other."""
    state = found.state
    assert isinstance(state, danish.State)
    seat = rng.choice(state.order)
    told = found.seen_by(seat)
    seen = Seen(found.rules, deal.replay(found.rules, told), seat)
    fallen = sum(play.card.bit for plays in seen.tricks for play in plays)
    silent = [
        other
        for other in seen.others
        if other != state.dealer and not any(one.kind == "tarok" for one in _declared(seen, other))
    ]
    hidden = cards(KEYS & ~(seen.state.hands[seat] | seen.state.laid | fallen))
    if hidden and (kind == "where" or not silent):
        return Where(seen, told, rng.choice(hidden))
    return Split(seen, told, "least" if kind == "where" else kind, rng.choice(silent))


TRAINER: Final = Trainer(
    "inference", "danish", ("dtf", "hermansen", "jensen", "vlk", "basta"), ask, heavy=True
)
