"""Reading cards as a person types them: in notation, or as the language writes them."""

from __future__ import annotations

from functools import cache
from typing import NamedTuple

from ultimo.cards import PACK, SUITS, Card, Suit
from ultimo.names import SIGNS, Family, Names, folded

VERBS = ("play", "lay", "show")  # may stand before the cards, in English or in the player's language


class Named(NamedTuple):
    """A card, and the suit that a skus is named as."""

    card: Card
    suit: Suit | None = None


def cards_named(words: Names, family: Family, text: str) -> list[Named] | None:
    """The cards in `text`, or None if it is about something else.

    >>> from ultimo.names import names
    >>> cards_named(names("da"), "danish", "læg s4 hkn skus=h")
    [Named(card=S4, suit=None), Named(card=HJ, suit=None), Named(card=T0, suit='H')]
    """
    said = folded(text).replace(",", " ").split()
    if said and said[0] in _verbs(words):
        said = said[1:]
    if whole := _named(words, family, " ".join(said)):  # some names have spaces
        return [whole]
    found = [_named(words, family, word) for word in said]
    known = [one for one in found if one is not None]
    return known if known and len(known) == len(found) else None


def _named(words: Names, family: Family, word: str) -> Named | None:
    name, sign, suit = word.partition("=")
    card = _spellings(words, family).get(name)
    if card is None or (sign and (suit.upper() not in SUITS or card.value != "T0")):
        return None
    return Named(card, next((one for one in SUITS if one == suit.upper()), None))


@cache
def _verbs(words: Names) -> frozenset[str]:
    return frozenset((*VERBS, *(words.text(f"typed.{verb}") for verb in VERBS)))


@cache
def _spellings(words: Names, family: Family) -> dict[str, Card]:
    """Every way to write a card: S4, ♠4, SJ or the language's SKn, T0 or the card's own name."""
    found: dict[str, Card] = {}
    for card in PACK:
        suit, rank = card.value[0], card.value[1:]
        letter = words.words.get(f"letters.{rank}", rank)
        signs = {suit, words.words.get(f"letters.{suit}", suit), SIGNS.get(suit, suit)}
        spelled = {f"{sign}{one}" for sign in signs for one in (rank, letter)}
        for one in (*spelled, words.card(card.value, family), words.card_long(card.value, family)):
            found.setdefault(folded(one), card)
    return {card.value.casefold(): card for card in PACK} | found
