"""Who can force what: all that trying everything finds, and nothing that need not be said."""

from __future__ import annotations

from itertools import combinations, islice

import pytest

from analysis import reference
from analysis.endings import danish_endings
from analysis.reference import Tree
from table import DANISH
from ultimo import danish
from ultimo.analysis.position import read
from ultimo.analysis.solver import Atom
from ultimo.analysis.solver.forcing import Forced, forcing
from ultimo.cards import ULTIMO_CARDS, cards, parse_card
from ultimo.events import Seat
from ultimo.rulebook import DanishRules


def by_trying(rules: DanishRules, state: danish.State) -> set[tuple[frozenset[Seat], Atom]]:
    """Every last trick, ultimo and bagud, and every prevented ultimo, that a seat or two can force."""
    tree = Tree(rules, state)
    found = set()
    for size in (1, 2):
        for side in map(frozenset, combinations(state.order, size)):
            for seat in state.order:
                last = state.hands[seat] or sum(play.card.bit for play in state.trick if play.seat == seat)
                held = cards(last & ULTIMO_CARDS)
                if seat in side:
                    atoms = [Atom("lastTrick", seat), *(Atom("ultimo", seat, card) for card in held)]
                else:
                    atoms = [Atom("bagud", seat, card) for card in held]
                    atoms += [Atom("ultimo", seat, card, holds=False) for card in held]
                found |= {(side, atom) for atom in atoms if reference.forced(tree, [atom], side)[0]}
    return found


@pytest.mark.parametrize("book", DANISH)
def test_all_that_can_be_forced_is_told_once(book: str) -> None:
    for rules, state in islice(danish_endings(book, "forcing", most=3), 4):
        expected = by_trying(rules, state)
        told = {(frozenset(one.side), one.atom) for one in forcing(rules, state).found}
        assert told <= expected, state
        for side, atom in expected - told:  # somebody of the side can do it alone, or do more
            more = Atom("bagud", atom.seat, atom.card) if not atom.holds else atom
            assert any(other <= side and known in (atom, more) for other, known in told), (side, atom, state)
        for side, atom in told:
            assert not any(other < side and known == atom for other, known in told), (side, atom, state)


def test_an_endgame_of_the_book() -> None:
    """Endgame 1: F makes his ultimo and plays M bagud. Rule: 001 Løsninger 1."""
    rules, state = read("hermansen: F T1 S2 S1 / M T21 T0 HK / B H7 H8 H9")
    assert isinstance(rules, DanishRules)
    assert isinstance(state, danish.State)
    answer = forcing(rules, state)
    assert answer.exact
    assert [one for one in answer.found if one.side == (1,)] == [
        Forced((1,), Atom("lastTrick", 1)),
        Forced((1,), Atom("ultimo", 1, parse_card("T1"))),
        Forced((1,), Atom("bagud", 2, parse_card("HK"))),
    ]


def test_when_time_runs_out_it_is_said() -> None:
    hands = [
        "T21 T3 T5 T7 S1 S3 S5 SK H1 H3 HK C2 D2 D4 D6",
        "T20 T4 T6 T8 S2 S4 S6 SQ H2 H4 HQ C1 CK D1 D3",
        "T19 T1 T0 T9 S7 S8 SN SJ H5 H7 HN C3 CQ DK D5",
    ]
    rules, state = read("dtf: " + " / ".join(hands))
    assert isinstance(rules, DanishRules)
    assert isinstance(state, danish.State)
    assert not forcing(rules, state, seconds=0.0).exact
