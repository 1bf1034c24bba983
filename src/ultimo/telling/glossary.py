"""The words of the game, explained, and what the books call them.

>>> [one.says for one in glossary("en") if one.id == "nolo"]
['Winning no trick at all in a deal.']
"""

from __future__ import annotations

from functools import cache
from typing import Literal, TypeAlias

from msgspec import Struct

from ultimo import rulebook
from ultimo.names import tables
from ultimo.telling.rules_words import book

CONCEPTS = "concepts"  # the file with what is the same in every language
PART = "glossary"

Game: TypeAlias = Literal["danish", "french", ""]  # the one a word belongs to, or both


class BookWords(Struct, frozen=True):
    """What a book calls something, in its own language."""

    book: str
    words: str


class Explanation(Struct, frozen=True):
    """A word of the game; `words` are all by which a text is recognised to speak of it."""

    id: str
    family: Game
    word: str
    words: tuple[str, ...]
    says: str
    books: tuple[BookWords, ...]


@cache
def glossary(language: str) -> tuple[Explanation, ...]:
    """Every word with what it means, in a language."""
    told = tables(language, PART)
    explained = []
    for name, concept in tables(CONCEPTS, PART).items():
        words = tuple(told[name]["words"].split(", "))
        books = [
            BookWords(book(rulebook.load(one), language).title, own) for one, own in concept["books"].items()
        ]
        explained.append(
            Explanation(name, concept["family"], words[0], words, told[name]["says"], tuple(books))
        )
    return tuple(explained)


def book_words(rulebook: str, language: str) -> tuple[tuple[str, str], ...]:
    """Words of a language beside those of a book, where the book's is another or in no other book.

    >>> book_words("vlk", "da")
    (('matadorer', 'store'), ('fuld', 'helt'))
    """
    told, pairs = tables(language, PART), []
    for name, concept in tables(CONCEPTS, PART).items():
        ours, books = told[name]["words"].split(", "), concept["books"]
        others = {word for book, words in books.items() if book != rulebook for word in words.split(", ")}
        ours_too = {ours[0], *(others & {*ours})}
        theirs = [word for word in books.get(rulebook, "").split(", ") if word not in ours_too]
        if any(theirs):
            pairs.append((ours[0], ", ".join(theirs)))
    return tuple(pairs)
