"""What people call things: cards, roles, declarations and sentences, in four languages.

Each language is one file of words beside this module; all have the same keys. The rules in sentences
stand in `rules/`; the reasons for a refusal stand in `refusals/`, those why no deal can have gone as a score
sheet says in `outcomes/`, and what can be wrong with the text of a position in `positions/`, under their keys
in the code.
Cards come as notation (`SK`, `T21`, `T0`, `?`). Where the two games have different words for one thing,
such as T0, the family says which is meant. Where the books word a declaration differently, the rulebook's
wordset does; only Danish knows the difference.

>>> names("fr").card("SK"), names("de").card_long("SK"), names("en").card("T0", "french")
('♠R', 'Pik-König', 'Excuse')
>>> names("da").declaration("hermansen", "half", of="K", missing="SK")
'Konger uden spar'
>>> names("en").text("winsTrick", player="Karen")
'Karen wins the trick'
"""

from __future__ import annotations

import re
import tomllib
from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from functools import cache
from importlib import resources
from types import MappingProxyType
from typing import Any, Literal, TypeAlias, cast

Family: TypeAlias = Literal["danish", "french"]
# kind, count, pagat, of and missing of a declaration, the last two in notation
SaidDeclaration: TypeAlias = tuple[str, int, bool | None, str | None, str | None]

LANGUAGES = ("en", "da", "fr", "de")
WORDSETS = ("jensen", "hermansen", "vlk", "basta", "dtf")
LOCALE_VARIABLES = ("LC_ALL", "LC_MESSAGES", "LANG")  # the first that is set decides, as POSIX has it

COMMA = {"en": "."}  # what parts a fraction from the whole, where it is no comma
SIGNS = {"S": "♠", "H": "♥", "C": "♣", "D": "♦"}
CARD = re.compile(r"([SHCD])([KQNJ2-9]|10?)|(T)(1?[0-9]|2[01])")


class UnknownName(LookupError):
    """Something for which a language has no word."""

    def __init__(self, language: str, key: str) -> None:
        super().__init__(f"no name for {key!r} in {language}")
        self.language = language
        self.key = key


def language(wish: str | None = None, environ: Mapping[str, str] | None = None) -> str:
    """The language that is wished for, else the one of the environment, else English.

    A wish may be a locale such as `da_DK.UTF-8`. One that cannot be met is an error; an environment
    that cannot be met is not, because nobody chose it for this program.
    """
    if wish is not None:
        if (wished := _language_of(wish)) not in LANGUAGES:
            raise ValueError(f"no language {wish!r}; there are {', '.join(LANGUAGES)}")
        return wished
    for variable in LOCALE_VARIABLES:
        if locale := (environ or {}).get(variable):
            found = _language_of(locale)
            return found if found in LANGUAGES else LANGUAGES[0]
    return LANGUAGES[0]


@cache
def names(language: str) -> Names:
    """The names of one of `LANGUAGES`."""
    if language not in LANGUAGES:
        raise ValueError(f"no language {language!r}; there are {', '.join(LANGUAGES)}")
    return Names(language, MappingProxyType(dict(_flat(tables(language)))))


@cache
def tables(language: str, part: str = "") -> Mapping[str, Any]:
    """A file of words as it is written: the common one of a language, or that of a part in a folder."""
    file = resources.files(__name__) / part / f"{language}.toml"
    return MappingProxyType(tomllib.loads(file.read_text(encoding="utf-8")))


@cache
def page(language: str) -> Mapping[str, str]:
    """The words of the page itself, by dotted keys: its buttons, headings and messages."""
    return MappingProxyType(dict(_flat(tables(language, "page"))))


@cache
def learning(language: str) -> Mapping[str, str]:
    """The sentences of how to play, by dotted keys."""
    return MappingProxyType(dict(_flat(tables(language, "learn"))))


@cache
def tutoring(language: str) -> Mapping[str, str]:
    """What the tutor says, by dotted keys."""
    return MappingProxyType(dict(_flat(tables(language, "tutor"))))


@cache
def schooling(language: str) -> Mapping[str, str]:
    """What the school says by itself, by dotted keys; the lessons bring their own texts."""
    return MappingProxyType(dict(_flat(tables(language, "school"))))


@cache
def puzzling(language: str) -> Mapping[str, str]:
    """What the puzzles say, by dotted keys."""
    return MappingProxyType(dict(_flat(tables(language, "puzzles"))))


@cache
def club_words(language: str) -> Mapping[str, str]:
    """What the club says, by dotted keys."""
    return MappingProxyType(dict(_flat(tables(language, "club"))))


def _under(table: str) -> Callable[[Names, str | int], str]:
    """The method that gives the word for a key in a table of words."""
    return lambda names, key: names._word(f"{table}.{key}")


@dataclass(frozen=True, slots=True, eq=False)
class Names:
    """The words of one language, by dotted keys such as `suits.S`."""

    language: str
    words: Mapping[str, str]

    # --- cards -----------------------------------------------------------------------------------------

    def card(self, notation: str, family: Family = "danish") -> str:
        """A card as a screen shows it: `♠K`, `T21`, `Skus`; an unseen one stays `?`."""
        if notation == "?":
            return notation
        suit, rank = self._suit_and_rank(notation)
        if notation == "T0":
            return capital(self.card_long(notation, family))
        return self.suit_sign(suit) + self.words.get(f"letters.{rank}", rank)

    def card_long(self, notation: str, family: Family = "danish") -> str:
        """A card as a sentence has it, without an article: `king of spades`, `pagat`."""
        if notation == "?":
            return self._word("cards.unseen")
        suit, rank = self._suit_and_rank(notation)
        if suit != "T":
            name = self.words.get(f"ranks.{rank}", rank)
            return self.filled("cards.plain", {"suit": self.suit(suit), "rank": name})
        if (key := f"{family}.{notation}") in self.words:
            return self.words[key]
        return self.filled(f"{family}.trump", {"number": rank})

    def suit(self, key: str, family: Family = "danish") -> str:
        """A suit, or with `T` the trumps, as one says it aloud."""
        return self._word(f"{family}.T" if key == "T" else f"suits.{key}")

    def suit_sign(self, key: str) -> str:
        """The sign before a rank: of a suit its picture, of the trumps a letter."""
        return SIGNS.get(key) or self._word(f"letters.{key}")

    # --- table -----------------------------------------------------------------------------------------

    role = _under("roles")  # who somebody is in a deal: dealer, forehand, taker …
    cup = _under("cups")  # the king cup or the pagat cup
    bid = _under("bids")  # a bid of French Tarot
    poignee = _under("poignees")  # a poignée by the place of its size in the rulebook's list
    announcement = _under("announcements")  # what may be announced: nolo, tout or a slam
    offence = _under("offences")  # what somebody did wrong
    effect = _under("effects")  # what follows from an offence beside the fine, as a clause

    def reason(self, key: str, family: Family = "danish") -> str:
        """Why points change hands."""
        own = f"reasons.{family}.{key}"
        return self.words[own] if own in self.words else self._word(f"reasons.{key}")

    def happened(self, key: str) -> str:
        """What deals are counted for: `kingUltimo`, `petitSec`."""
        own = f"happened.{key}"
        return self.words[own] if own in self.words else self.reason(key)

    def text(self, key: str, **values: object) -> str:
        """A sentence of the table, with its values filled in. A card in it has its short name."""
        return self.filled(f"text.{key}", values)

    def refusal(self, key: str) -> str:
        """The sentence of a refusal, or a word in it; values are not filled in."""
        return self._sentence("refusals", key)

    def position(self, key: str, values: Mapping[str, object]) -> str:
        """What is wrong with the text of a position, or with a goal, with its values filled in."""
        return self._sentence("positions", key).format_map(values)

    def _sentence(self, part: str, key: str) -> str:
        try:
            return cast(str, tables(self.language, part)[key])
        except KeyError:
            raise UnknownName(self.language, key) from None

    def outcome(self, key: str, values: Mapping[str, object]) -> str:
        """Why no deal can have gone so, with its values filled in."""
        sentences = tables(self.language, "outcomes")
        if key not in sentences:
            raise UnknownName(self.language, key)
        return cast(str, sentences[key]).format_map(values)

    def pair(self, title: str, text: str) -> str:
        """A title and what stands under it: `Taker: Karen`, in French with a space before the colon."""
        return title + self._word("list.colon") + text

    def clauses(self, parts: Sequence[str]) -> str:
        """Clauses of one sentence, apart."""
        return self._word("list.apart").join(parts)

    # --- declarations ----------------------------------------------------------------------------------

    def declaration(
        self,
        words: str,
        kind: str,
        count: int = 0,
        pagat: bool | None = None,
        of: str | None = None,
        missing: str | None = None,
    ) -> str:
        """One declaration as its rulebook has it said. Rule: rules B5, `decl.words`."""
        return capital(self.declared(words, (kind, count, pagat, of, missing)))

    def declarations(self, words: str, said: Sequence[SaidDeclaration]) -> str:
        """All that a hand declares, in one breath; nothing is a pass."""
        phrases: list[str] = []
        together = self._together(words, said)
        for declaration in said:
            if not together or declaration[0] not in ("tarok", "matadors"):
                phrases.append(self.declared(words, declaration))
            elif declaration[0] == "tarok":
                phrases.append(together)
        return capital(self.listed(phrases) if phrases else self._word(f"{self._wordset(words)}.none"))

    def _together(self, words: str, said: Sequence[SaidDeclaration]) -> str:
        """Tarokker and matadors as one phrase, "11 med 3", where the book has one and the hand both.

        Tarokker without the pagat, which only an error joins to matadors, are left apart: "10 uden 3"
        would say something else.
        """
        key = f"{self._wordset(words)}.together"
        tarok = [declaration for declaration in said if declaration[0] == "tarok"]
        matadors = [count for kind, count, *_ in said if kind == "matadors"]
        if key not in self.words or len(tarok) != 1 or len(matadors) != 1 or not tarok[0][2]:
            return ""
        return self.filled(key, {"tarok": self.declared(words, tarok[0]), "count": matadors[0]})

    def declared(self, words: str, declaration: SaidDeclaration) -> str:
        """One declaration inside a sentence."""
        kind, count, pagat, of, missing = declaration
        wordset = self._wordset(words)
        values: dict[str, object] = {"count": count}
        match kind:
            case "tarok":
                if pagat is None:
                    raise ValueError("a declaration of tarokker says whether the pagat is among them")
                kind += "With" if pagat else "Without"
            case "half" | "full" | "over":
                if of is None:
                    raise ValueError(f"a {kind} declaration is of a suit or of the kings")
                kind += "Kings" if of == "K" else "Suit"
                if of != "K":
                    values["suit"] = self.suit(of)
                if missing is not None:
                    kind += "Missing"
                    suit, rank = self._suit_and_rank(missing)
                    values.setdefault("suit", self.suit(suit))
                    values["court"] = self._word(f"{wordset}.courts.{rank}")
        return self.filled(f"{wordset}.{kind}", values)

    def _wordset(self, words: str) -> str:
        if words not in WORDSETS:
            raise UnknownName(self.language, f"declarations.{words}")
        plain = "declarations.all"
        return plain if f"{plain}.none" in self.words else f"declarations.{words}"

    def listed(self, phrases: Sequence[str]) -> str:
        """Phrases joined as a person does: `A, B and C`."""
        *before, last = phrases
        if not before:
            return last
        if any("," in phrase for phrase in before):  # a comma would no longer part the phrases
            return self.clauses(phrases)
        return self._word("list.between").join(before) + self._word("list.last") + last

    # --- looking up ------------------------------------------------------------------------------------

    def _suit_and_rank(self, notation: str) -> tuple[str, str]:
        found = CARD.fullmatch(notation)
        if found is None:
            raise UnknownName(self.language, notation)
        return found[1] or found[3], found[2] or found[4]

    def _word(self, key: str) -> str:
        try:
            return self.words[key]
        except KeyError:
            raise UnknownName(self.language, key) from None

    def filled(self, key: str, values: Mapping[str, object]) -> str:
        """A sentence by its whole key, with its values filled in."""
        sentence = self._word(key)
        try:
            return sentence.format_map(values)
        except KeyError as missing:
            raise ValueError(f"{key!r} needs a value for {missing}") from None


def folded(text: str) -> str:
    """`text` as a person may type it: in any case, with plain apostrophes and spaces.

    >>> folded("14 d’Atout")
    "14 d'atout"
    """
    return " ".join(text.casefold().replace("’", "'").split())


def _language_of(locale: str) -> str:
    """The language in a locale: `da` of `da_DK.UTF-8`."""
    return re.split(r"[-_.@]", locale.strip(), maxsplit=1)[0].lower()


def capital(text: str) -> str:
    """`text` with a capital first; the rest keeps its letters, as German nouns need."""
    return text[:1].upper() + text[1:]


def _flat(tables: Mapping[str, Any], prefix: str = "") -> Iterator[tuple[str, str]]:
    for key, value in tables.items():
        if isinstance(value, dict):
            yield from _flat(value, f"{prefix}{key}.")
        else:
            yield prefix + key, value
