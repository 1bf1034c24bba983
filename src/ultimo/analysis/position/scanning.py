"""The words of a position, each with its place, and what they can mean."""

from __future__ import annotations

import re
from collections.abc import Callable, Mapping, Sequence
from typing import NamedTuple, TypeVar

from ultimo.analysis.position.errors import PositionError, Refused, Spoken
from ultimo.cards import SUITS, Card, CardError, Cards, Suit, parse_card
from ultimo.events import IllegalAction, Play, Seat
from ultimo.rulebook import Rules

DANISH_SEATS = ("F", "M", "B")
FRENCH_SEATS = ("A", "B", "C", "D", "E")

S = TypeVar("S")

_SIGNS = str.maketrans({"♠": "S", "♥": "H", "♣": "C", "♦": "D"})
_NAMED = {"SKUS": "T0", "EXCUSE": "T0", "PAGAT": "T1", "PETIT": "T1"}
_WORD = re.compile(r"[^\s,:]+")


class Word(NamedTuple):
    """A word and where it stands."""

    text: str
    at: int

    @property
    def key(self) -> str:
        """The word in capitals, which is how words are compared."""
        return self.text.upper()

    def error(self, key: str, **values: Spoken) -> PositionError:
        """The error that something is wrong with this word."""
        return PositionError(self.at, key, **values)

    def number(self, key: str) -> int:
        """The whole number that this word must be; `key` is that of the error if it is none."""
        if not re.fullmatch(r"[0-9]{1,6}", self.text):
            raise self.error(key, text=self.text)
        return int(self.text)

    def card(self) -> Card:
        """The card that this word must be."""
        key = self.key.translate(_SIGNS)
        try:
            return parse_card(_NAMED.get(key, key))
        except CardError:
            raise self.error("notACard", text=self.text) from None

    def suit(self) -> Suit:
        """The suit that this word must be; T for the trumps."""
        key = self.key.translate(_SIGNS)
        for suit in SUITS:
            if suit == key:
                return suit
        raise self.error("notASuit", text=self.text)

    def seat(self, letters: Sequence[str]) -> str:
        """The seat that this word must be."""
        if self.key not in letters:
            raise self.error("notASeat", text=self.text, seats=" ".join(letters))
        return self.key


Words = list[Word]


class Clause(NamedTuple):
    """The words between two semicolons, and where they begin."""

    words: Words
    at: int

    @property
    def keys(self) -> tuple[str, ...]:
        """The words in capitals."""
        return tuple(word.key for word in self.words)

    def rest(self, least: int, key: str, **values: Spoken) -> Words:
        """The words after the first, of which there must be `least`; `key` is that of the error if not."""
        if len(self.words) <= least:
            raise PositionError(self.words[-1].at + len(self.words[-1].text), key, **values)
        return self.words[1:]


def sentences(text: str, start: int = 0) -> tuple[list[Words], list[Clause]]:
    """The hands and the clauses of a position that begins at `start`."""
    first, *others = _parts(text, start, len(text), ";")
    hands = [_words(text, begin, end) for begin, end in _parts(text, *first, "/")]
    clauses = [Clause(_words(text, begin, end), begin) for begin, end in others]
    return hands, [clause for clause in clauses if clause.words]


def _parts(text: str, start: int, end: int, sign: str) -> list[tuple[int, int]]:
    cuts = [place for place in range(start, end) if text[place] == sign]
    return list(zip([start, *(cut + 1 for cut in cuts)], [*cuts, end], strict=True))


def _words(text: str, start: int, end: int) -> Words:
    return [Word(found[0], found.start()) for found in _WORD.finditer(text, start, end)]


# --- what both families say ----------------------------------------------------------------------------


class Told:
    """What the clauses of a position have said, of both families."""

    def __init__(self, letters: Sequence[str], hands: list[Words], clauses: list[Clause]) -> None:
        self.letters = letters
        self.end = clauses[0].at if clauses else max((words[-1].at for words in hands if words), default=0)
        self.hands = hands_of(hands, letters, self.end)
        self.seen: Cards = sum(self.hands.values())
        self.leader: Word | None = None
        self.trick: list[tuple[str, Word, Suit | None]] = []

    def take(self, words: Words) -> Cards:
        """The cards of some words, which nobody has had so far."""
        found = 0
        for word in words:
            self.seen = take(word, self.seen)
            found |= word.card().bit
        return found

    def hear(self, clause: Clause, known: str) -> None:
        """Take down a clause that both families know; `known` are the others, for who says something else."""
        match clause.keys:
            case (_, "LEADS") | (_, "TO", "PLAY" | "LEAD"):
                clause.words[0].seat(self.letters)
                self.leader = clause.words[0]
            case ("TRICK" | "TABLE", *_):
                self.trick = trick_of(
                    clause.rest(1, "trickExpected", example=_a_trick(self.letters)), self.letters
                )
                for letter, card, _ in self.trick:
                    self.hands[letter] |= self.take([card])
            case _:
                said = " ".join(word.text for word in clause.words)
                raise clause.words[0].error("notUnderstood", text=said, known=known)

    def left(self, most: int) -> int:
        """How many tricks are left: the hands, with what lies on the table, are equally long."""
        sizes = {letter: hand.bit_count() for letter, hand in self.hands.items()}
        if len(set(sizes.values())) > 1:
            counted = ", ".join(f"{letter} {size}" for letter, size in sizes.items())
            raise PositionError(self.end, "unequalHands", counted=counted)
        left = sizes[self.letters[0]]
        if not 0 < left <= most:
            raise PositionError(self.end, "handSize", most=most)
        return left

    @property
    def first(self) -> str:
        """Who has led, or leads."""
        return self.trick[0][0] if self.trick else self.leader.key if self.leader else self.letters[0]

    def play(
        self, rules: Rules, seats: Mapping[str, Seat], state: S, step: Callable[[S, Seat, Play], S]
    ) -> S:
        """Play what lies on the table, so that it is legal."""
        called = {seat: letter for letter, seat in seats.items()}
        players = tuple(called.get(seat, "") for seat in range(max(called) + 1))
        for place, (letter, word, named) in enumerate(self.trick):
            card = word.card()
            try:
                state = step(state, seats[letter], Play(card, named))
            except IllegalAction as refusal:
                why = Refused(rules, players, refusal)
                raise word.error("cannotHavePlayed", seat=letter, card=card.value, why=why) from None
            if place == len(self.letters) - 1:
                raise word.error("trickComplete")
        return state

    def check_turn(self, letter: str) -> None:
        """Who is to play after these cards is who was told."""
        if self.leader and self.trick and self.leader.key != letter:
            raise self.leader.error("turnAfter", seat=letter)


def hands_of(hands: list[Words], letters: Sequence[str], end: int) -> dict[str, Cards]:
    """The hands by seat: in order of play, or each with its letter."""
    if len(hands) != len(letters):
        raise PositionError(end, "handsNeeded", needed=len(letters), given=len(hands))
    found: dict[str, Cards] = {}
    seen: Cards = 0
    for place, words in enumerate(hands):
        seat = letters[place]
        if words and words[0].key in letters:
            seat, words = words[0].key, words[1:]
        if seat in found:
            raise hands[place][0].error("handTwice", seat=seat)
        found[seat] = 0
        for word in words:
            seen = take(word, seen)
            found[seat] |= word.card().bit
    return found


def take(word: Word, seen: Cards) -> Cards:
    """The cards seen so far with that of the word, which must not be among them."""
    bit = word.card().bit
    if seen & bit:
        raise word.error("cardTwice", card=word.card().value)
    return seen | bit


def by_seat(words: Words, letters: Sequence[str]) -> list[tuple[str, Words]]:
    """Words that belong to the seat named before them: `F 8 M 7`."""
    found: list[tuple[str, Words]] = []
    for word in words:
        if word.key == "/":
            continue
        if word.key in letters:
            found.append((word.key, []))
        elif not found:
            raise word.error("seatExpected", text=word.text, seats=" ".join(letters))
        else:
            found[-1][1].append(word)
    return found


def trick_of(words: Words, letters: Sequence[str]) -> list[tuple[str, Word, Suit | None]]:
    """The cards on the table: who has played which, and what a led skus was named."""
    played: list[tuple[str, Word, Suit | None]] = []
    for seat, (card, *more) in ((seat, some) for seat, some in by_seat(words, letters) if some):
        if more:
            raise more[0].error("oneCard", seat=seat)
        text, sign, name = card.text.partition("=")
        named = Word(name, card.at + len(text) + 1).suit() if sign else None
        played.append((seat, Word(text, card.at), named))
    if not played:
        raise words[0].error("trickExpected", example=_a_trick(letters))
    return played


def _a_trick(letters: Sequence[str]) -> str:
    return f"trick {letters[0]} S2"


def half_points(word: Word) -> int:
    """Points as halves: `31`, `31.5`, `31½`."""
    found = re.fullmatch(r"([0-9]{1,3})?(\.0|\.5|½)?", word.text)
    if not found or not word.text:
        raise word.error("pointsExpected", text=word.text)
    return 2 * int(found[1] or 0) + (found[2] in (".5", "½"))
