"""Names and passwords of people: how they are written, what none may be, and which names look alike.

Two names look alike if they have a skeleton in common: that of Unicode's report 39, in which all characters
that are easily taken for each other are one. What is easily taken for each other, `confusable_homoglyphs`
knows from Unicode's own table.

>>> alike("Karen", "ΚАREN"), alike("Ida", "lda"), alike("Alia", "Alla"), alike("Rene", "René")
(True, True, False, False)
"""

from __future__ import annotations

import re
import unicodedata
from functools import cache, lru_cache
from typing import Final

from ultimo import names
from ultimo.answers.cleaning import INVISIBLE, STYLES, clean_name
from ultimo.answers.refusing import Refusal

PROGRAM: Final = " (bot)"  # behind the name of a program, and of nobody else
KEPT: Final = 4096  # names whose skeletons are known
MARK: Final = "\N{LEFT-TO-RIGHT MARK}"  # stands around what is written from right to left in the table
PASSWORD_LENGTH: Final = 8
GUESSED: Final = 72  # characters by which it is told how soon a password is guessed
SAFE: Final = 2  # of the five grades of zxcvbn: a password is not guessed within a million attempts
NUMBERED: Final = re.compile(r"(?P<word>.*?)[\W_]*\d*[\W_]*")  # a word, and perhaps a number behind it


def own_name(name: str) -> str:
    """A name as somebody may choose it: with nothing hidden in it, and none that is the server's to give."""
    cleaned = clean_name(name)
    if any(hides(letter) for letter in STYLES.sub("", name)):
        raise Refusal(422, "nameHidden", "name")
    numbered = NUMBERED.fullmatch(cleaned)
    words = skeletons(numbered["word"]) if numbered is not None else frozenset()
    ends = tuple(skeletons(PROGRAM))
    claims = any(shown.endswith(ends) for shown in skeletons(cleaned))
    if claims or words & _reserved("reserved") or (cleaned[-1:].isdigit() and words & _reserved("animals")):
        raise Refusal(422, "nameReserved", "name", name=cleaned)
    return cleaned


def hides(letter: str) -> bool:
    """Whether a character cannot be seen, or turns the direction of others; spaces are none."""
    return not letter.isspace() and (
        unicodedata.category(letter).startswith("C") or INVISIBLE.match(letter) is not None
    )


def name_key(name: str) -> str:
    """What an account is found by: capitals make no difference."""
    return name.casefold()


def alike(one: str, other: str) -> bool:
    """Whether two names look alike."""
    return not skeletons(one).isdisjoint(skeletons(other))


@lru_cache(KEPT)
def skeletons(name: str) -> frozenset[str]:
    """What a name looks like: as it is written and, as capitals make no difference, in small letters."""
    written = unicodedata.normalize("NFKC", name)
    return frozenset((_skeleton(written.casefold()), _skeleton(_skeleton(written).casefold())))


# --- passwords -----------------------------------------------------------------------------------------


def password_of(text: str) -> str:
    """A password as it is hashed: the same whichever way a keyboard has composed its characters."""
    return unicodedata.normalize("NFKC", text)


def check_password(password: str, name: str, field: str = "password") -> None:
    """Refuse a new password that is too short to read, or that is guessed within a million attempts.

    What people try first is known to zxcvbn; a name and the words of the game are tried here as well.

    >>> check_password("three words here", "Karen")
    """
    from zxcvbn import zxcvbn  # takes a moment to read

    shown = "".join(letter for letter in password_of(password) if not hides(letter))
    plain = " ".join(shown.split())
    if len(plain) < PASSWORD_LENGTH:
        raise Refusal(422, "passwordShort", field, least=PASSWORD_LENGTH)
    key = name_key(name)
    tried = ["".join(key.split()), *key.split(), *_words("tried")]
    if zxcvbn(plain[:GUESSED], user_inputs=tried)["score"] < SAFE:
        raise Refusal(422, "passwordCommon", field)


# --- skeletons -----------------------------------------------------------------------------------------


def _skeleton(text: str) -> str:
    """All characters that are easily taken for each other as one, and without spaces."""
    looks = _looks()
    letters = unicodedata.normalize("NFD", "".join(text.split()))
    return unicodedata.normalize("NFD", "".join(looks.get(letter, letter) for letter in letters))


@cache
def _looks() -> dict[str, str]:
    """What each character is easily taken for: of all that are, the one that most others are taken for."""
    from confusable_homoglyphs.confusables import confusables_data  # takes a moment to read

    alike = {
        key.strip(MARK): {one["c"].strip(MARK) for one in ones} for key, ones in confusables_data.items()
    }
    found: dict[str, str] = {}
    for first in alike:
        if first in found:
            continue
        group, new = {first}, [first]
        while new:
            more = alike.get(new.pop(), set()) - group
            group |= more
            new += more
        hub = max(group, key=lambda text: (len(alike.get(text, ())), len(text), text))
        found |= dict.fromkeys(group, hub)
    return found


@cache
def _reserved(key: str) -> frozenset[str]:
    """Words that nobody's name may be, as they look in any language."""
    return frozenset(skeleton for word in _words(key) for skeleton in skeletons(word))


@cache
def _words(key: str) -> tuple[str, ...]:
    """Some words in all languages."""
    lists = (names.tables(language, "server")["guests"][key] for language in names.LANGUAGES)
    return tuple(word for words in lists for word in words.split(", "))
