"""What a lesson is made of: texts, cards, positions and exercises, each in four languages.

A lesson is read from a file by its types, so that a field that is missing or misspelt is an error with its
place. In a text, `[SK]` is a card and `{pay.last_trick:points}` a parameter of the lesson's rulebook; both
are told as the language tells them.
"""

from __future__ import annotations

import re
from collections.abc import Iterable, Mapping
from typing import TYPE_CHECKING, TypeAlias

from msgspec import Struct, structs

from ultimo import events as e
from ultimo.cards import Cards, cards, mask, parse_card, parse_cards
from ultimo.danish.declarations import (
    FAMILIES,
    MADE,
    declarations,
    declare,
    declared_cards,
    vocabulary,
)
from ultimo.danish.numbers import numbers as danish_numbers
from ultimo.danish.skat import legal_skats, never_laid, protected
from ultimo.events import Declaration
from ultimo.french.following import UNBEATEN, fall, legal_cards, top_trump
from ultimo.french.numbers import numbers
from ultimo.french.phases import NOT_CALLED, barred_suits
from ultimo.names import COMMA, names, schooling
from ultimo.play.following import NO_SUIT, together, words
from ultimo.rulebook import DanishRules, FrenchRules, Rules, load
from ultimo.telling.teller import Teller
from ultimo.telling.wording import phrasing
from ultimo.telling.writer import Block, CardRow, CardRows, Grid, Items, Passage
from ultimo.tutor.school.exercises import (
    Answer,
    Choice,
    Number,
    Pick,
    Question,
    Verdict,
    number,
    options,
    picked,
)

# Board and tutor bring the solver and its compiler along: only what needs them loads them, when it does.
if TYPE_CHECKING:
    from ultimo.tutor.board import Board
    from ultimo.tutor.shown import ActionShown

CARD = re.compile(r"\[([SHCDT][KQNJ0-9]{1,2})\]")


class Said(Struct, frozen=True, forbid_unknown_fields=True):
    """Something said in each language."""

    en: str
    da: str
    fr: str
    de: str


class Pen(Struct, frozen=True):
    """Writes what a lesson says, in a language and with the numbers of a rulebook."""

    rules: Rules
    language: str

    @property
    def teller(self) -> Teller:
        """Who knows the words of the game."""
        return Teller(names(self.language), self.rules, ())

    def write(self, said: Said) -> str:
        """A text with its cards and numbers in place."""
        text: str = getattr(said, self.language)
        told = phrasing(self.language).vformat(text, (), structs.asdict(self.rules))
        return CARD.sub(lambda found: self.teller.face(parse_card(found[1])), told)

    def text(self, key: str, **values: object) -> str:
        """A sentence of the school itself; `{points:points}` in it is an amount."""
        return phrasing(self.language).vformat(schooling(self.language)[key], (), values)

    def decimal(self, value: float) -> str:
        """A number with one place behind the comma."""
        return f"{value:.1f}".replace(".", COMMA.get(self.language, ","))

    def sorted(self, some: Cards | str) -> tuple[str, ...]:
        """Cards in notation as a player holds them."""
        hand = mask(some) if isinstance(some, str) else some
        return tuple(card.value for card in self.teller.sorted(hand))

    def faces(self, some: Iterable[str]) -> str:
        """Cards as a sentence has them."""
        return self.teller.faces(map(parse_card, some))


# --- to read ---------------------------------------------------------------------------------------------


class Text(Said, frozen=True, tag_field="part", tag="text"):
    """A paragraph."""

    def block(self, pen: Pen) -> Block:
        return Passage(pen.write(self))


class Bullets(Struct, frozen=True, forbid_unknown_fields=True, tag_field="part", tag="list"):
    """A list."""

    items: tuple[Said, ...]

    def block(self, pen: Pen) -> Block:
        return Items(tuple(map(pen.write, self.items)))


class Rows(Struct, frozen=True, forbid_unknown_fields=True, tag_field="part", tag="grid"):
    """A grid; what is the same in every language is simply a text."""

    head: tuple[Said | str, ...]
    rows: tuple[tuple[Said | str, ...], ...]

    def block(self, pen: Pen) -> Block:
        return Grid(_line(pen, self.head), tuple(_line(pen, row) for row in self.rows))


def _line(pen: Pen, cells: Iterable[Said | str]) -> tuple[str, ...]:
    said = (cell if isinstance(cell, Said) else Said(cell, cell, cell, cell) for cell in cells)
    return tuple(map(pen.write, said))


class Row(Struct, frozen=True, forbid_unknown_fields=True):
    """Cards side by side; they stay in the order in which they are written."""

    cards: str
    label: Said = Said("", "", "", "")
    marked: str = ""


class Drawn(Struct, frozen=True, forbid_unknown_fields=True, tag_field="part", tag="cards"):
    """Hands, tricks and the like, drawn as cards."""

    rows: tuple[Row, ...]

    def block(self, pen: Pen) -> Block:
        return drawn(pen, self.rows)


def drawn(pen: Pen, rows: Iterable[Row]) -> CardRows:
    """Rows of cards."""
    return CardRows(
        tuple(
            CardRow(pen.write(row.label), tuple(row.cards.split()), tuple(row.marked.split())) for row in rows
        )
    )


class Position(Struct, frozen=True, forbid_unknown_fields=True, tag_field="part", tag="position"):
    """A position with open hands; `goal` is something that can be brought about from here."""

    position: str
    goal: str = ""

    def block(self, pen: Pen) -> Block:
        return laid_open(_board(self.position, pen.language), pen)


def _board(position: str, language: str) -> Board:
    from ultimo.tutor.board import board

    return board(position, language=language)


def laid_open(
    shown: Board, pen: Pen, seats: Iterable[e.Seat] | None = None, marked: tuple[str, ...] = ()
) -> CardRows:
    """The hands of a position, in order of play from whoever is on turn, and the trick on the table.

    `marked` are cards of whoever is on turn.
    """
    from ultimo.tutor.board import words_of

    words, state = words_of(shown, pen.language), shown.state
    order = list(shown.letters)
    first = order.index(shown.turn) if shown.turn in order else 0
    rows = [
        CardRow(
            pen.text("toPlay", player=words.name(seat)) if seat == shown.turn else words.name(seat),
            pen.sorted(state.hands[seat]),
            marked if seat == shown.turn else (),
        )
        for seat in order[first:] + order[:first]
        if seats is None or seat in seats
    ]
    trick = tuple(play.card.value for play in state.trick)
    return CardRows((*rows, CardRow(pen.text("onTable"), trick)) if trick else tuple(rows))


# --- to answer -------------------------------------------------------------------------------------------


class Option(Said, frozen=True):
    """Something to choose, and why it is not right if it is not."""

    right: bool = False
    why: Said | None = None


class Asked(Struct, frozen=True, forbid_unknown_fields=True):
    """What all exercises have: the question, what it is about, and what is said to every answer."""

    ask: Said
    because: Said
    shown: tuple[Row, ...] = ()
    position: str = ""

    def blocks(self, pen: Pen) -> tuple[Block, ...]:
        """What is shown with the question."""
        found: list[Block] = [drawn(pen, self.shown)] if self.shown else []
        if self.position:
            found.append(laid_open(_board(self.position, pen.language), pen))
        return tuple(found)

    def told(
        self, pen: Pen, right: bool, answer: Answer, why: str = "", blocks: tuple[Block, ...] = ()
    ) -> Verdict:
        """A verdict: how it was, what was wrong with it, and the reason that is always given."""
        first = pen.text("right" if right else "wrong")
        text = " ".join(part for part in (first, why, pen.write(self.because)) if part)
        return Verdict(right, text, answer, blocks)


class Chosen(Asked, frozen=True, tag_field="part", tag="choice", kw_only=True):
    """One option, or with `many` all that are right. Of several right ones without `many` each will do."""

    options: tuple[Option, ...]
    many: bool = False

    def question(self, pen: Pen) -> Question:
        widget = Choice(tuple(map(pen.write, self.options)), self.many)
        return Question(pen.write(self.ask), widget, self.blocks(pen))

    def verdict(self, answer: Answer, pen: Pen) -> Verdict:
        widget = self.question(pen).widget
        assert isinstance(widget, Choice)
        taken = options(widget, answer)
        right = {place for place, one in enumerate(self.options) if one.right}
        good = taken == right if self.many else taken <= right
        wrong = [why for place in sorted(taken - right) if (why := self.options[place].why)]
        shown = sorted(right) if self.many else sorted(right)[:1]
        return self.told(pen, good, tuple(map(str, shown)), " ".join(map(pen.write, wrong)))


class Counted(Asked, frozen=True, tag_field="part", tag="number", kw_only=True):
    """A number; `near` is how far off an answer may be. `sum` is how the tests work it out again."""

    answer: int
    near: int = 0
    sum: str = ""

    def question(self, pen: Pen) -> Question:
        return Question(pen.write(self.ask), Number(), self.blocks(pen))

    def verdict(self, answer: Answer, pen: Pen) -> Verdict:
        right = abs(number(answer) - self.answer) <= self.near
        return self.told(pen, right, (str(self.answer),))


class PickedCards(Asked, frozen=True, tag_field="part", tag="pick", kw_only=True):
    """So many cards of a hand; `why` says what is wrong with a card."""

    hand: str
    answers: tuple[str, ...]
    why: Mapping[str, Said] = {}

    def question(self, pen: Pen) -> Question:
        widget = Pick(pen.sorted(self.hand), len(self.answers[0].split()))
        return Question(pen.write(self.ask), widget, self.blocks(pen))

    def verdict(self, answer: Answer, pen: Pen) -> Verdict:
        widget = self.question(pen).widget
        assert isinstance(widget, Pick)
        taken = picked(widget, answer)
        right = any(taken == set(one.split()) for one in self.answers)
        wrong = "" if right else " ".join(pen.write(self.why[card]) for card in answer if card in self.why)
        return self.told(pen, right, pen.sorted(self.answers[0]), wrong)


class Allowed(Asked, frozen=True, tag_field="part", tag="legal", kw_only=True):
    """Which cards of a French hand may be played to a trick; the engine knows the answer.

    `trick` is what lies there in the order of play, `called` the card that bars its suit from a first lead.
    """

    hand: str
    trick: str = ""
    called: str = ""

    def question(self, pen: Pen) -> Question:
        widget = Choice(tuple(pen.teller.face(parse_card(card)) for card in pen.sorted(self.hand)), many=True)
        trick = CardRow(pen.text("onTable"), tuple(self.trick.split()))
        rows = (*((trick,) if self.trick else ()), CardRow("", pen.sorted(self.hand)))
        return Question(pen.write(self.ask), widget, (CardRows(rows), *self.blocks(pen)))

    def verdict(self, answer: Answer, pen: Pen) -> Verdict:
        widget = self.question(pen).widget
        assert isinstance(widget, Choice)
        may = self.legal(pen.rules)
        right = {place for place, card in enumerate(pen.sorted(self.hand)) if parse_card(card).bit & may}
        taken = options(widget, answer)
        return self.told(pen, taken == right, tuple(map(str, sorted(right))))

    def legal(self, rules: Rules) -> Cards:
        """The cards that may be played."""
        assert isinstance(rules, FrenchRules), "only French Tarot has this"
        played = parse_cards(self.trick)
        led, height, winning = NO_SUIT, UNBEATEN, 0
        for place, card in enumerate(played):
            led, height, winning = fall(card.index, place, led, height, winning)
        called = parse_card(self.called).index if self.called else NOT_CALLED
        barred = barred_suits(numbers(rules), called, 0, len(played))
        return together(*legal_cards(*words(mask(self.hand)), led, top_trump(height), barred))


class Measured(Struct, frozen=True, forbid_unknown_fields=True):
    """What a skat was found to be worth: points a deal behind the best, with their standard error."""

    cards: str
    behind: float
    error: float


class Laid(Asked, frozen=True, tag_field="part", tag="skat", kw_only=True):
    """A skat from 28 cards: the book's, by cards or by suits, and what was measured.

    `suits` is a pattern such as `SHH`, of which every legal skat will do. Whatever was measured to be as good
    as the best, within two standard errors, will do as well.
    """

    hand: str
    answers: tuple[str, ...] = ()
    suits: tuple[str, ...] = ()
    measured: tuple[Measured, ...] = ()

    def question(self, pen: Pen) -> Question:
        rules, hand = _danish(pen.rules), mask(self.hand)
        barred = never_laid(rules, False) & hand
        widget = Pick(pen.sorted(hand), 3, pen.sorted(barred))
        return Question(pen.write(self.ask), widget, self.blocks(pen))

    def verdict(self, answer: Answer, pen: Pen) -> Verdict:
        widget, rules = self.question(pen).widget, _danish(pen.rules)
        assert isinstance(widget, Pick)
        laid = mask(" ".join(picked(widget, answer)))
        best = self.book(rules)
        if not is_legal(rules, mask(self.hand), laid):
            kept = laid & protected(rules, mask(self.hand))
            why = pen.text("declared", cards=pen.faces(pen.sorted(kept))) if kept else pen.text("notLegal")
            return self.told(pen, False, best, why)
        found = next((one for one in self.measured if mask(one.cards) == laid), None)
        by_book, as_good = self.is_book(laid), found is not None and found.behind <= 2 * found.error
        why = pen.text("asBook") if by_book else ""
        if as_good and not by_book:
            why = pen.text("asGood", cards=pen.faces(best))
        elif not by_book:
            why = pen.text("notBook", cards=pen.faces(best))
        if found is not None and found.behind > 0:
            why += " " + pen.text("behind", points=pen.decimal(found.behind), error=pen.decimal(found.error))
        return self.told(pen, by_book or as_good, best, why)

    def is_book(self, laid: Cards) -> bool:
        """Whether the book would lay these."""
        suits = sorted("SHCDT"[card.suit] for card in cards(laid))
        return any(mask(one) == laid for one in self.answers) or suits in map(sorted, self.suits)

    def book(self, rules: DanishRules) -> Answer:
        """A skat that the book would lay."""
        if self.answers:
            return tuple(self.answers[0].split())
        found = (some for ways in legal_skats(rules, mask(self.hand)) for some in ways if self.is_book(some))
        return tuple(card.value for card in cards(next(found)))


def is_legal(rules: DanishRules, hand: Cards, laid: Cards) -> bool:
    """Whether a dealer may lay these cards."""
    return any(laid in ways for ways in legal_skats(rules, hand))


class Declared(Asked, frozen=True, tag_field="part", tag="declare", kw_only=True):
    """All that a hand of 25 cards declares; the engine knows the answer."""

    hand: str

    def question(self, pen: Pen) -> Question:
        spoken = tuple(map(pen.teller.declaration, self.offered(_danish(pen.rules))))
        widget = Choice((*spoken, pen.text("nothingToDeclare")), many=True)
        return Question(pen.write(self.ask), widget, self.held(pen))

    def held(self, pen: Pen, marked: Cards = 0) -> tuple[Block, ...]:
        """The hand, and what else is shown."""
        hand = CardRow("", pen.sorted(self.hand), pen.sorted(marked))
        return (CardRows((hand,)), *self.blocks(pen))

    def verdict(self, answer: Answer, pen: Pen) -> Verdict:
        widget, rules = self.question(pen).widget, _danish(pen.rules)
        assert isinstance(widget, Choice)
        due, offered = declarations(rules, mask(self.hand)), self.offered(rules)
        right = {place for place, one in enumerate(offered) if one in due} or {len(offered)}
        told = pen.teller.declarations(due) if due else pen.text("nothingToDeclare")
        why = pen.text("declares", declarations=told)
        good, shown = options(widget, answer) == right, self.held(pen, of_declarations(rules, self.hand))
        return self.told(pen, good, tuple(map(str, sorted(right))), why, shown)

    def offered(self, rules: DanishRules) -> tuple[Declaration, ...]:
        """What is right, and what comes near it, in the order in which it is spoken."""
        return near_declarations(rules, mask(self.hand))


def of_declarations(rules: DanishRules, hand: Cards | str) -> Cards:
    """The cards of a hand that its declarations are made of."""
    made = [0] * MADE
    suits, trumps = words(mask(hand) if isinstance(hand, str) else hand)
    declare(danish_numbers(rules), suits, trumps, made)
    return together(*declared_cards(suits, trumps, made))


def near_declarations(rules: DanishRules, hand: Cards) -> tuple[Declaration, ...]:
    """The declarations of a hand, and for each slot one that it comes near to."""
    due = set(declarations(rules, hand))
    found: list[Declaration] = []
    for spoken in vocabulary(rules.decl):
        right = [one for one in spoken if one in due]
        wrong = [one for one in spoken if one not in due]
        if right:
            place = spoken.index(right[0])
            near = spoken[place + 1] if place + 1 < len(spoken) else spoken[place - 1]
            found += sorted((right[0], near), key=spoken.index)
        elif wrong[0].of is None or _holds_two(hand, wrong[0]):
            found.append(wrong[0])
    return tuple(found)


def _holds_two(hand: Cards, declaration: Declaration) -> bool:
    """Whether two cards of a court declaration are held, so that it may be thought of."""
    return declaration.of is not None and (hand & FAMILIES[declaration.of]).bit_count() >= 2


class Played(Asked, frozen=True, tag_field="part", tag="play", kw_only=True):
    """What to do in a position. `goal` is what is to be reached, as the solver has it written (else points).

    `answers` are the moves that reach it, in the notation of a board's sheet (`S2`, `T0=H`, `demands`); the
    tests ask the solver. `alone` shows only the hand of whoever is on turn; `why` says what is wrong with
    a move.
    """

    answers: tuple[str, ...]
    goal: str = "points"
    alone: bool = False
    why: Mapping[str, Said] = {}

    def blocks(self, pen: Pen, marked: tuple[str, ...] = ()) -> tuple[Block, ...]:
        here = self.board(pen.language)
        seats = None if not self.alone or here.turn is None else (here.turn,)
        rows = (drawn(pen, self.shown),) if self.shown else ()
        return (*rows, laid_open(here, pen, seats, marked))

    def board(self, language: str = "en") -> Board:
        """The position on a board."""
        return _board(self.position, language)

    def question(self, pen: Pen) -> Question:
        labels = tuple(one.label for one in self._offered(pen.language))
        return Question(pen.write(self.ask), Choice(labels), self.blocks(pen))

    def _offered(self, language: str) -> list[ActionShown]:
        """What can be chosen: a demand only where everybody is asked for it, not while a card is due."""
        from ultimo.tutor.board import actions_shown

        here = self.board(language)
        shown = actions_shown(here, language)
        demand = e.DemandSkus() if here.state.phase == "play" else None
        return [one for one in shown if one.action != demand]

    def verdict(self, answer: Answer, pen: Pen) -> Verdict:
        widget = self.question(pen).widget
        assert isinstance(widget, Choice)
        from ultimo.tutor.board import written

        moves = [written(one.action) for one in self._offered(pen.language)]
        (taken,) = options(widget, answer)
        why = "" if (said := self.why.get(moves[taken])) is None else pen.write(said)
        right, first = moves[taken] in self.answers, str(moves.index(self.answers[0]))
        best = tuple(card for one in self.answers if CARD.fullmatch(f"[{(card := one.partition('=')[0])}]"))
        return self.told(pen, right, (first,), why, self.blocks(pen, best))


Reading: TypeAlias = Text | Bullets | Rows | Drawn | Position
Asking: TypeAlias = Chosen | Counted | PickedCards | Allowed | Laid | Declared | Played
Part: TypeAlias = Reading | Asking


def _danish(rules: Rules) -> DanishRules:
    assert isinstance(rules, DanishRules), "only Danish Tarok has this"
    return rules


# --- a lesson --------------------------------------------------------------------------------------------


class Lesson(Struct, frozen=True, forbid_unknown_fields=True):
    """A lesson: what it teaches, after which others, and its parts in order.

    `principles` and `items` are what it teaches of the principles and of the books' items (docs/school.md),
    `cites` where the books say so, and `trainers` where one can go on practising.
    """

    title: Said
    goal: Said
    parts: tuple[Part, ...]
    rules: str
    needs: tuple[str, ...] = ()
    principles: tuple[str, ...] = ()
    items: tuple[str, ...] = ()
    cites: tuple[str, ...] = ()
    trainers: tuple[str, ...] = ()

    @property
    def exercises(self) -> tuple[Asking, ...]:
        """What is asked, in order."""
        return tuple(part for part in self.parts if isinstance(part, Asking))

    def pen(self, language: str) -> Pen:
        """Who writes its texts in a language."""
        return Pen(load(self.rules), language)
