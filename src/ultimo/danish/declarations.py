"""What a hand has to declare, and what that pays.

Rule: 000 Tarok-, Matador-, Farvemeldinger; 001 Meldinger; 003 MELDINGEN; 004 MELDINGER.
"""

from __future__ import annotations

from collections.abc import Iterable
from typing import Literal, TypeAlias

from ultimo.cards import ALL_TRUMPS, COURTS, KINGS, PAGAT, SKUS, SUIT_CARDS, T21, Card, Cards, cards
from ultimo.events import Declaration
from ultimo.rulebook import Declarations, Run

Family: TypeAlias = Literal["S", "H", "C", "D", "K"]
FAMILIES: dict[Family, Cards] = {
    "S": COURTS & SUIT_CARDS[0],
    "H": COURTS & SUIT_CARDS[1],
    "C": COURTS & SUIT_CARDS[2],
    "D": COURTS & SUIT_CARDS[3],
    "K": KINGS,
}
TRUMP_BITS = tuple(Card(f"T{number}").bit for number in range(22))  # by number, T0 first


def declarations(rules: Declarations, hand: Cards) -> tuple[Declaration, ...]:
    """Everything that `hand` must declare.

    The skus serves in as many declarations as it can. Four courts with it are overfull and nothing else.
    A number of tarokker says whether the pagat is among them, and nothing of T21 or the skus.
    Rule: I-5.2 to I-5.6.
    """
    found = []
    tarokker = (hand & ALL_TRUMPS).bit_count()
    if tarokker >= rules.tarok.min:
        found.append(Declaration("tarok", tarokker, bool(hand & PAGAT)))
    if (above := matadors(hand)) >= rules.matador.min:
        found.append(Declaration("matadors", above))
    if rules.matadors_from_below and (below := matadors_below(hand)) >= rules.matador.min:
        found.append(Declaration("matadorsBelow", below))
    skus = bool(hand & SKUS)
    for of, family in FAMILIES.items():
        held = hand & family
        if held == family:
            found.append(Declaration("over" if skus and rules.overfull else "full", of=of))
        elif skus and held.bit_count() == 3:
            found.append(Declaration("half", of=of, missing=cards(family ^ held)[0]))
    return tuple(found)


def matadors(hand: Cards) -> int:
    """The length of the unbroken run T21, T20, … that T1 and T0 complete, both counted; 0 without them."""
    if hand & (T21 | PAGAT | SKUS) != T21 | PAGAT | SKUS:
        return 0
    lowest = 21
    while lowest > 2 and hand & TRUMP_BITS[lowest - 1]:
        lowest -= 1
    return (22 - lowest) + 2  # the run, the pagat and the skus


def matadors_below(hand: Cards) -> int:
    """The length of the run T1, T2, … with T0 counted; 0 without T0 and T1."""
    if hand & (PAGAT | SKUS) != PAGAT | SKUS:
        return 0
    number = 2
    while number < 22 and hand & TRUMP_BITS[number]:
        number += 1
    return number


def value(rules: Declarations, declaration: Declaration) -> int:
    """What each opponent pays for a declaration."""
    match declaration.kind:
        case "tarok":
            return _run(rules.tarok, declaration.count)
        case "matadors" | "matadorsBelow":
            return _run(rules.matador, declaration.count)
        case "half":
            return rules.half
        case "full":
            return rules.full
        case "over":
            return rules.over


def _run(run: Run, count: int) -> int:
    return run.base + run.step * (count - run.min)


def cards_declared(hand: Cards, made: Iterable[Declaration]) -> Cards:
    """The cards of `hand` that its declarations are made of."""
    together = 0
    for declaration in made:
        match declaration.kind:
            case "tarok":
                together |= hand & ALL_TRUMPS
            case "matadors":
                together |= SKUS | PAGAT | sum(TRUMP_BITS[24 - declaration.count :])
            case "matadorsBelow":
                together |= sum(TRUMP_BITS[: declaration.count])
            case "half" | "full" | "over":
                together |= hand & (FAMILIES[declaration.of or "K"] | SKUS)
    return together & hand


def slot(declaration: Declaration) -> str:
    """What a declaration is about: a hand makes at most one of each."""
    return declaration.of or declaration.kind


def overpaid(rules: Declarations, made: Iterable[Declaration], true: Iterable[Declaration]) -> int:
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
    courts = [
        (
            *(Declaration("half", of=of, missing=card) for card in cards(family)),
            Declaration("full", of=of),
            *((Declaration("over", of=of),) if rules.overfull else ()),
        )
        for of, family in FAMILIES.items()
    ]
    return (tarok, *runs, *courts)
