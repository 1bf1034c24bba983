"""The spelling of values and of patterns: for each type one writer and one reader, side by side."""

from __future__ import annotations

import re
from collections.abc import Callable, Iterable, Iterator
from functools import cache
from itertools import groupby, pairwise
from types import NoneType, UnionType
from typing import Any, Literal, NamedTuple, TypeVar, Union, get_args, get_origin

import msgspec
from msgspec import NODEFAULT, structs

from ultimo.cards import NOTATION, SKUS, SUITS, TRUMP, UNSEEN, Card
from ultimo.events import SomeCards
from ultimo.record.cursor import Cursor, word
from ultimo.record.places import ITEMS, TOO_MANY, not_a_card
from ultimo.record.words import PATTERNS

T = TypeVar("T")

HANDS = tuple[SomeCards, ...]  # a field of this type has lines of its own, one a seat


class Codec(NamedTuple):
    """How values of a type are written and read, and what they may begin with."""

    write: Callable[[Any], str]
    read: Callable[[Cursor], Any]
    begins: re.Pattern[str]


# --- values --------------------------------------------------------------------------------------------

_BARE = re.compile(r"\w[\w.'-]*")
_TEXT = re.compile(r'[\w"]')
_CARD = re.compile(r"[^\s,;|>{}()\[\]=]+")
_UNSEEN_CARDS = re.compile(r"\?\s*[×x*]\s*([0-9]{1,3})")
_LETTER = re.compile(r"[SHCDT](?=[\s|,;)]|$)", re.IGNORECASE)
_NONE = re.compile(r"-(?!\w)")
_BAR = re.compile(r"\|")
_FREE = re.compile(r"[^\]]*+(?=\])")
SHORT = 6  # so many cards are written out one by one; more are grouped by suit


def _words(words: dict[str, Any]) -> Codec:
    """Values that have a fixed word each."""
    spelled = {value: text for text, value in words.items()}
    values = {text.lower(): value for text, value in words.items()}
    longest_first = sorted(map(re.escape, words), key=len, reverse=True)
    pattern = re.compile(rf"({'|'.join(longest_first)})(?!\w)", re.IGNORECASE)
    what = ("one of " if len(words) > 2 else "") + (", " if len(words) > 2 else " or ").join(words)
    return Codec(
        lambda value: spelled[value],
        lambda cursor: values[cursor.need(pattern, what)[1].lower()],
        pattern,
    )


def _write_text(text: str) -> str:
    return text if _BARE.fullmatch(text) else msgspec.json.encode(text).decode()


def _read_text(cursor: Cursor) -> str:
    if cursor.peek(word('"')):
        return str(cursor.json())
    return cursor.need(_BARE, "a word, or text in quotes")[0]


def _write_free(text: str) -> str:
    plain = text.isprintable() and text == text.strip() and not set('"[]') & set(text)
    return text if plain else msgspec.json.encode(text).decode()


def _read_free(cursor: Cursor) -> str:
    if cursor.peek(word('"')):
        return str(cursor.json())
    return cursor.need(_FREE, "text and a closing ]")[0].rstrip()


def _read_card(cursor: Cursor) -> Card:
    at = cursor.at
    text = cursor.need(_CARD, "a card")[0]
    try:
        return Card(text.upper())
    except ValueError:
        raise cursor.fail(not_a_card(text), at) from None


def write_cards(cards: SomeCards) -> str:
    """Trumps first, high cards first; parentheses keep another order than that of the pack."""
    if not cards:
        return "-"
    if any(after < before for before, after in pairwise(cards)):
        return f"({' '.join(card.value for card in cards)})"
    shown = sorted((card for card in cards if card is not UNSEEN), key=_display)
    if len(shown) <= SHORT:
        groups = [" ".join(card.value for card in shown)] if shown else []
    else:
        groups = [
            f"{SUITS[suit]} {' '.join(card.value[1:] for card in group)}"
            for suit, group in groupby(shown, lambda card: card.suit)
        ]
    unseen = len(cards) - len(shown)
    return " | ".join(groups + [f"?×{unseen}" if unseen > 1 else "?"] * bool(unseen))


def _display(card: Card) -> tuple[bool, int, int]:
    """Trumps before suits; in each the highest first and the skus last."""
    return card.suit != TRUMP, card.suit, 0 if card.bit == SKUS else -card.index


def _read_cards(cursor: Cursor) -> SomeCards:
    if cursor.take(_NONE):
        return ()
    if cursor.take(word("(")):
        kept = tuple(few(_each_card(cursor), cursor))
        cursor.need(word(")"), "a card or a closing )")
        return kept
    return tuple(sorted(few(_each_card(cursor), cursor)))


def few(values: Iterable[T], cursor: Cursor) -> Iterator[T]:
    """The values of a list, of which there may be `ITEMS`."""
    for number, value in enumerate(values):
        if number == ITEMS:
            raise cursor.fail(TOO_MANY)
        yield value


def _each_card(cursor: Cursor) -> Iterator[Card]:
    """Cards written out, or ranks after the letter of their suit."""
    if not cursor.peek(_CARD):
        raise cursor.expected("cards, or - for none")
    suit = ""
    while cursor.peek(_CARD) or cursor.take(_BAR):
        if letter := cursor.take(_LETTER):
            suit = letter[0].upper()
        elif many := cursor.take(_UNSEEN_CARDS):
            yield from [UNSEEN] * int(many[1])
        elif (rank := cursor.peek(_CARD)) and suit + rank[0].upper() in NOTATION:
            cursor.take(_CARD)
            yield Card(suit + rank[0].upper())
        elif rank:
            yield _read_card(cursor)


_INT = Codec(str, Cursor.number, re.compile(r"-?[0-9]"))
_CARD_CODEC = Codec(lambda card: str(card.value), _read_card, re.compile(r"[?A-Z]", re.IGNORECASE))
_CARDS_CODEC = Codec(write_cards, _read_cards, re.compile(r"[?A-Z(-]", re.IGNORECASE))
_STR = Codec(_write_text, _read_text, _TEXT)
_FREE_CODEC = Codec(_write_free, _read_free, re.compile(r""))


@cache
def codec(kind: Any, spec: str = "") -> Codec:
    """How a type is spelled; `spec` is what a pattern says about it."""
    origin, inner = get_origin(kind), get_args(kind)
    if kind is str:
        return _FREE_CODEC if spec == "free" else _STR
    if kind is bool:
        yes, no = (spec or "yes/no").split("/")
        return _words({yes: True, no: False})
    if plain := {int: _INT, Card: _CARD_CODEC, SomeCards: _CARDS_CODEC}.get(kind):
        return plain
    if origin is Literal:
        return _words({str(value): value for value in inner})
    if origin in (Union, UnionType):
        unseen = "?" if bool in inner else "-"
        kinds = [codec(one, spec) for one in inner if one is not NoneType]
        return _either(*kinds, none=unseen if NoneType in inner else "")
    if origin is tuple:
        return _several(codec(inner[0]), " " if inner[0] in (int, str) else "; ", spec or "-")
    pattern = Pattern(kind, PATTERNS[kind])
    return Codec(pattern.write, lambda cursor: kind(**pattern.read(cursor)), re.compile(r"\w"))


def _either(*kinds: Codec, none: str) -> Codec:
    """A value of one of these types, a number before a word; or the sign for nothing, if there is one."""
    first, last = kinds[0], kinds[-1]
    nothing = re.compile(re.escape(none) + r"(?!\w)") if none else None

    def write(value: Any) -> str:
        if value is None:
            return none
        return (last if isinstance(value, str) else first).write(value)

    def read(cursor: Cursor) -> Any:
        if nothing and cursor.take(nothing):
            return None
        return (first if cursor.peek(first.begins) else last).read(cursor)

    begins = "|".join(part.begins.pattern for part in kinds)
    return Codec(write, read, re.compile(begins, re.IGNORECASE))


def _several(item: Codec, between: str, empty: str) -> Codec:
    """Some values, or the word for none."""
    none = re.compile(re.escape(empty) + r"(?!\w)", re.IGNORECASE)

    def read(cursor: Cursor) -> tuple[Any, ...]:
        if cursor.take(none):
            return ()
        values = [item.read(cursor)]
        while cursor.take(word(between)) if between.strip() else cursor.peek(item.begins):
            values.append(item.read(cursor))
            if len(values) > ITEMS:
                raise cursor.fail(TOO_MANY)
        return tuple(values)

    return Codec(lambda values: between.join(map(item.write, values)) or empty, read, item.begins)


# --- patterns ------------------------------------------------------------------------------------------

Fields = dict[str, Any]
_PIECE = re.compile(
    r"\{\+(?P<flag>\w+)\}"
    r"|\{(?P<field>\w+):?(?P<spec>[^}]*)\}"
    r"|\((?P<section>[^()]*)\)"
    r"|(?P<text>[^{}()]+)"
)


class Part(NamedTuple):
    """A piece of a pattern: writes from a value, reads into its fields; spaces alone begin with nothing."""

    write: Callable[[Any], str]
    read: Callable[[Cursor, Fields], None]
    begins: re.Pattern[str] | None


class Pattern:
    """The spelling of a struct, made from its text in `words.PATTERNS`."""

    def __init__(self, kind: type[Any], text: str) -> None:
        self._types = {field.name: field for field in structs.fields(kind)}
        self._parts = self._compile(text)

    def write(self, value: Any) -> str:
        """The value in words."""
        return "".join(part.write(value) for part in self._parts)

    def read(self, cursor: Cursor) -> Fields:
        """The fields of the value that stands here."""
        fields: Fields = {}
        for part in self._parts:
            part.read(cursor, fields)
        return fields

    def _compile(self, text: str) -> list[Part]:
        return [self._part(piece) for piece in _PIECE.finditer(text)]

    def _part(self, piece: re.Match[str]) -> Part:
        match piece.lastgroup:
            case "flag":
                return _flag(piece["flag"])
            case "section":
                names = re.findall(r"\{\+?(\w+)", piece["section"])
                defaults = {name: self._default(name) for name in names}
                return _section(self._compile(piece["section"]), defaults)
            case "text":
                return _fixed(piece["text"])
        name = piece["field"]
        return _field(name, codec(self._types[name].type, piece["spec"]))

    def _default(self, name: str) -> Any:
        default = self._types[name].default
        return "" if default is NODEFAULT else default  # a person with a pencil need not cite


def _fixed(text: str) -> Part:
    signs = re.findall(r"\w+|[^\w\s]", text)

    def read(cursor: Cursor, _: Fields) -> None:
        for sign in signs:
            cursor.need(word(sign), repr(sign))

    return Part(lambda _: text, read, word(text) if signs else None)


def _field(name: str, spelling: Codec) -> Part:
    def read(cursor: Cursor, fields: Fields) -> None:
        fields[name] = spelling.read(cursor)

    return Part(lambda value: spelling.write(getattr(value, name)), read, spelling.begins)


def _flag(name: str) -> Part:
    text = spaced(name)

    def read(cursor: Cursor, fields: Fields) -> None:
        cursor.need(word(text), repr(text))
        fields[name] = True

    return Part(lambda _: text, read, word(text))


def _section(parts: list[Part], defaults: Fields) -> Part:
    begins = [part.begins for part in parts if part.begins]

    def write(value: Any) -> str:
        if all(getattr(value, name) == default for name, default in defaults.items()):
            return ""
        return "".join(part.write(value) for part in parts)

    def read(cursor: Cursor, fields: Fields) -> None:
        fields.update(defaults)
        if cursor.peek(begins[0]):
            for part in parts:
                part.read(cursor, fields)

    return Part(write, read, begins[0])


def spaced(name: str) -> str:
    """The words of a name in code."""
    return re.sub(r"(?<!^)(?=[A-Z])|_", " ", name)


def regular(kind: type[Any]) -> str:
    """The pattern of an event without one of its own: `Words of its name seat: key value, key value`."""
    fields = {field.name: field for field in structs.fields(kind) if field.type != HANDS}
    seat = " {seat}" if fields.pop("seat", None) else ""
    needed = [field for field in fields.values() if field.default is NODEFAULT]
    if len(needed) == 1 and needed[0].type is not bool:  # it needs no key; a bare yes would say too little
        values = [f"{{{needed[0].name}}}"]
    else:
        values = [f"{spaced(field.name)} {{{field.name}}}" for field in needed]
    options = [
        f"(, {{+{name}}})" if field.default is False else f"(, {spaced(name)} {{{name}}})"
        for name, field in fields.items()
        if field not in needed
    ]
    words = spaced(kind.__name__).capitalize()
    return f"{words}{seat}{': ' if values else ''}{', '.join(values)}{''.join(options)}"
