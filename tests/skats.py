"""Dealers about to lay a skat, for tests."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

import pytest

from table import Table, dealt
from ultimo.cards import Cards, mask, parse_cards
from ultimo.events import IllegalAction, Lay, Seat
from ultimo.rulebook import DanishRules

LATER = ("jensen", "hermansen", "vlk", "dtf")  # the books after basta, which protect declarations
PIPS = [f"{suit}{pip}" for suit in "SHC" for pip in range(1, 11)]
ALL_TAROK = " ".join(f"T{number}" for number in range(22))

# Hermansen's first two hands, and one that cannot spare three cards
TWO_TAROK = "T20 T2 SK SJ S9 S8 S6 S5 S1 HN H1 H2 H7 H9 C10 C9 C8 C7 C6 C3 C2 C1 D1 D3 D7 D8 D9 D10"
HALF_SPADES = "T21 T1 T0 SK SQ SJ S7 S6 S5 HN H1 H2 H7 H9 C10 C9 C8 C7 C6 C3 C2 C1 D1 D3 D7 D8 D9 D10"
TIGHT = "T21 T20 T19 T18 T17 T16 T15 T14 T13 T12 T11 T10 T9 T8 T7 T0 SK SQ SN SJ HK HQ HN HJ CK CQ C2 DK"


def filled(named: str, size: int = 28) -> str:
    """A hand, the dealer's unless `size` says otherwise: these cards, and pips, which declare nothing."""
    rest = [pip for pip in PIPS if pip not in named.split()]
    return " ".join([named, *rest[: size - len(named.split())]])


def to_lay(rules: DanishRules, hand: str, others: Mapping[Seat, str] | None = None) -> Table:
    """A deal in which the dealer, seat 0, is about to lay from this hand."""
    table = dealt(rules, {0: hand, **(others or {})})
    table.accept_all()
    return table


def lay(skat: str, tout: bool = False) -> Lay:
    """The wish to lay these cards."""
    return Lay(parse_cards(skat), tout)


def allows(rules: DanishRules, hand: str, skat: str, tout: bool = False) -> bool:
    """Whether the dealer may lay `skat`: `legal` offers it and `decide` takes it, or neither does."""
    table = to_lay(rules, hand)
    offered = lay(skat, tout) in table.legal(0)
    try:
        table.act(0, lay(skat, tout))
    except IllegalAction:
        assert not offered
        return False
    assert offered
    assert table.state.skat == mask(skat)
    return True


def offered_skats(rules: DanishRules, hand: str, tout: bool = False) -> set[Cards]:
    """Every skat that the dealer is offered, each once."""
    offered = [action for action in to_lay(rules, hand).legal(0) if isinstance(action, Lay)]
    assert len(set(offered)) == len(offered)
    return {mask(action.cards) for action in offered if action.tout == tout}


def rows(cited: str, books: str, *rest: Any) -> list[Any]:
    """A row of a parametrized test for each of these books, marked with the cases it shows, if any."""
    marks = [pytest.mark.cites(*cited.split())] if cited else []
    return [pytest.param(book, *rest, marks=marks) for book in books.split()]
