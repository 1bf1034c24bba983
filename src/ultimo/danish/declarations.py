"""What a hand has to declare, and what that pays.

Rule: 000 Tarok-, Matador-, Farvemeldinger; 001 Meldinger; 003 MELDINGEN; 004 MELDINGER.
"""

from __future__ import annotations

from collections.abc import Iterable
from typing import Literal, TypeAlias, get_args

from ultimo.cards import COURTS, KINGS, SUIT_CARDS, Card, Cards, cards
from ultimo.danish import numbers as rule
from ultimo.events import Declaration
from ultimo.play.bits import count, highest, lowest
from ultimo.play.following import REAL_TRUMPS, SKUS_BIT, Numbers, Sheet, shared, words
from ultimo.rulebook import DanishRules, Declarations

Family: TypeAlias = Literal["S", "H", "C", "D", "K"]
FAMILIES: dict[Family, Cards] = {
    "S": COURTS & SUIT_CARDS[0],
    "H": COURTS & SUIT_CARDS[1],
    "C": COURTS & SUIT_CARDS[2],
    "D": COURTS & SUIT_CARDS[3],
    "K": KINGS,
}
FAMILY_WORDS = tuple(FAMILIES.values())
TRUMP_BITS = tuple(Card(f"T{number}").bit for number in range(22))  # by number, T0 first
PAGAT_BIT, T21_BIT = 1, 1 << 20  # in the word of trumps
MATADOR_BITS = SKUS_BIT | PAGAT_BIT | T21_BIT

Kind: TypeAlias = Literal["tarok", "matadors", "matadorsBelow", "half", "full", "over"]
KINDS: tuple[Kind, ...] = get_args(Kind)
TAROK, MATADORS, MATADORS_BELOW, HALF, FULL, OVER = range(len(KINDS))
MADE = 1 + 3 * 8  # a hand makes at most one declaration of each of eight kinds


def declarations(rules: DanishRules, hand: Cards) -> tuple[Declaration, ...]:
    """Everything that `hand` must declare."""
    made = [0] * MADE
    suits, trumps = words(hand)
    declare(rule.numbers(rules), suits, trumps, made)
    return tuple(
        _declaration(rules.decl, KINDS[kind], count, family, suits, trumps)
        for kind, count, family in (made[at : at + 3] for at in range(1, 1 + 3 * made[0], 3))
    )


def _declaration(
    rules: Declarations, kind: Kind, count: int, family: int, suits: int, trumps: int
) -> Declaration:
    """A declaration as people make it.

    A number of tarokker says whether the pagat is among them, and nothing of T21 or the skus (I-5.6); a half
    one says which card is missing where the book asks for it (I-5.8).
    """
    if kind == "tarok":
        return Declaration(kind, count, bool(trumps & PAGAT_BIT))
    if kind in ("matadors", "matadorsBelow"):
        return Declaration(kind, count)
    of = tuple(FAMILIES)[family]
    named = kind == "half" and rules.name_missing
    return Declaration(kind, of=of, missing=cards(FAMILIES[of] & ~suits)[0] if named else None)


def value(rules: DanishRules, declaration: Declaration) -> int:
    """What each opponent pays for a declaration."""
    return declared_points(rule.numbers(rules), KINDS.index(declaration.kind), declaration.count or 0)


@shared
def declare(n: Numbers, suits: int, trumps: int, made: Sheet) -> None:
    """Write down everything that a hand must declare: how many, then kind, count and family of each.

    The skus serves in as many declarations as it can. Four courts with it are overfull and nothing else.
    Rule: I-5.2 to I-5.5.
    """
    made[0] = 0
    tarokker, above, below = count(trumps), matadors(trumps), matadors_below(trumps)
    if tarokker >= n[rule.TAROK_MIN]:
        _make(made, TAROK, tarokker, 0)
    if above >= n[rule.MATADOR_MIN]:
        _make(made, MATADORS, above, 0)
    if n[rule.FROM_BELOW] and below >= n[rule.MATADOR_MIN]:
        _make(made, MATADORS_BELOW, below, 0)
    skus = trumps & SKUS_BIT != 0
    for family in range(len(FAMILY_WORDS)):
        held = count(suits & FAMILY_WORDS[family])
        if held == 4:
            _make(made, OVER if skus and n[rule.OVERFULL] else FULL, 0, family)
        elif skus and held == 3:
            _make(made, HALF, 0, family)


@shared
def _make(made: Sheet, kind: int, number: int, family: int) -> None:
    at = 1 + 3 * made[0]
    made[at] = kind
    made[at + 1] = number
    made[at + 2] = family
    made[0] += 1


@shared
def matadors(trumps: int) -> int:
    """The length of the unbroken run T21, T20, … that T1 and T0 complete, both counted; 0 without them."""
    if trumps & MATADOR_BITS != MATADOR_BITS:
        return 0
    gaps = REAL_TRUMPS & ~PAGAT_BIT & ~trumps
    if gaps == 0:
        return 22
    return 20 - highest(gaps) + 2  # the run above the highest gap, the pagat and the skus


@shared
def matadors_below(trumps: int) -> int:
    """The length of the run T1, T2, … with T0 counted; 0 without T0 and T1."""
    if trumps & (PAGAT_BIT | SKUS_BIT) != PAGAT_BIT | SKUS_BIT:
        return 0
    return lowest(SKUS_BIT | REAL_TRUMPS & ~trumps) + 1  # the bits below the lowest gap, and the skus


@shared
def declared_points(n: Numbers, kind: int, number: int) -> int:
    """What each opponent pays for a declaration of this kind and, where it has one, number of cards."""
    if kind == TAROK:
        return n[rule.TAROK_BASE] + n[rule.TAROK_STEP] * (number - n[rule.TAROK_MIN])
    if kind in (MATADORS, MATADORS_BELOW):
        return n[rule.MATADOR_BASE] + n[rule.MATADOR_STEP] * (number - n[rule.MATADOR_MIN])
    if kind == HALF:
        return n[rule.HALF_PAY]
    return n[rule.FULL_PAY] if kind == FULL else n[rule.OVER_PAY]


@shared
def declared_cards(suits: int, trumps: int, made: Numbers) -> tuple[int, int]:
    """The cards of a hand that its declarations are made of."""
    of_suits, of_trumps = 0, 0
    for row in range(made[0]):
        kind, number, family = made[1 + 3 * row], made[2 + 3 * row], made[3 + 3 * row]
        if kind == TAROK:
            of_trumps |= trumps
        elif kind == MATADORS:
            of_trumps |= SKUS_BIT | PAGAT_BIT | (REAL_TRUMPS >> (23 - number) << (23 - number))
        elif kind == MATADORS_BELOW:
            of_trumps |= SKUS_BIT | ((1 << (number - 1)) - 1)
        else:
            of_suits |= suits & FAMILY_WORDS[family]
            of_trumps |= trumps & SKUS_BIT
    return of_suits, of_trumps


def slot(declaration: Declaration) -> str:
    """What a declaration is about: a hand makes at most one of each."""
    return declaration.of or declaration.kind


def overpaid(rules: DanishRules, made: Iterable[Declaration], true: Iterable[Declaration]) -> int:
    """How much more than its due each opponent has paid for what was declared.

    Slot by slot: too little in one declaration does not make good for too much in another.
    Rule: 001 B «not the reverse»; I-11.5.
    """
    due = {slot(declaration): value(rules, declaration) for declaration in true}
    return sum(max(0, value(rules, one) - due.get(slot(one), 0)) for one in made)


def vocabulary(rules: Declarations) -> tuple[tuple[Declaration, ...], ...]:
    """Every declaration that can be spoken, slot by slot: what a player who may err can choose from."""
    tarok = tuple(
        Declaration("tarok", count, pagat) for count in range(rules.tarok.min, 23) for pagat in (True, False)
    )
    runs = [tuple(Declaration("matadors", count) for count in range(rules.matador.min, 23))]
    if rules.matadors_from_below:
        runs.append(tuple(Declaration("matadorsBelow", count) for count in range(rules.matador.min, 23)))
    named = rules.name_missing
    courts = [
        (
            *(Declaration("half", of=of, missing=card) for card in (cards(family) if named else (None,))),
            Declaration("full", of=of),
            *((Declaration("over", of=of),) if rules.overfull else ()),
        )
        for of, family in FAMILIES.items()
    ]
    return (tarok, *runs, *courts)
