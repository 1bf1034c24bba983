"""Observations: a seat observes what the table has shown it, and nothing else."""

from __future__ import annotations

from typing import cast

import numpy as np
import pytest

import write_layouts
from table import DANISH, FRENCH
from ultimo import danish
from ultimo.kernel.danish import layout as danish_at
from ultimo.kernel.danish.policy.choose import choose as choose_danish
from ultimo.kernel.french import layout as french_at
from ultimo.kernel.french.policy.choose import choose as choose_french
from ultimo.kernel.jit import Ints, Words
from ultimo.kernel.policy import POLICIES
from ultimo.players import View, numbered
from ultimo.players.numbered import Numbered
from ultimo.research.corpus import Decisions
from ultimo.research.danish import Floats
from ultimo.research.decisions import play
from ultimo.research.layout import CARDS
from ultimo.research.observing import by_field, layout_of, observe, of_view, planes
from ultimo.rulebook import DanishRules, Rules, load


class Watched(Numbered):
    """Numbered deals of which every decision is looked at twice: from all cards, and from the seat's view."""

    def __init__(self, rules: Rules, level: str) -> None:
        super().__init__(rules, [level] * rules.sizes[-1], seed=5, first=0)
        self._views = dict.fromkeys(range(self.state.table), self.state)
        self.looked = 0

    def compare(self, s: Ints) -> None:
        """The seat in turn observes the same from what was shown to it as from the whole state."""
        if isinstance(self.rules, DanishRules):
            self._answer_for_all()
            place = int(s[danish_at.TURN])
            seat = cast(danish.State, self.state.deal).order[place]
        else:
            seat = place = int(s[french_at.TURN])
        if not in_parts(self.rules, s):
            whole = observe(self.rules, s[None], np.array([place]))[0]
            seen = of_view(View(self.rules, seat, self._views[seat]))
            assert differing(self.rules, whole, seen) == []
            self.looked += 1


def in_parts(rules: Rules, s: Ints) -> bool:
    """Whether some of several cards are laid or shown; at the table that is one action."""
    if isinstance(rules, DanishRules):
        return bool(s[danish_at.PHASE] == danish_at.LAYING and (s[danish_at.LAID] or s[danish_at.TOUT_LAID]))
    laid = s[french_at.ECART_SUITS] | s[french_at.ECART_TRUMPS]
    return bool(s[french_at.PHASE] == french_at.SHOWING or (s[french_at.PHASE] == french_at.LAYING and laid))


def differing(rules: Rules, one: Floats, other: Floats) -> list[str]:
    """The fields in which two observations differ."""
    spans = {field.name: slice(field.start, field.start + field.size) for field in layout_of(rules).fields}
    return [name for name, span in spans.items() if not np.array_equal(one[span], other[span])]


@pytest.mark.parametrize("level", ["random", "club"])
@pytest.mark.parametrize("book", [*DANISH, *FRENCH])
def test_a_seat_observes_what_the_table_has_shown_it(
    book: str, level: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    match = Watched(load(book), level)

    def danish_choice(policy: int, n: Ints, s: Ints, w: Ints, dice: Words) -> int:
        match.compare(s)
        return choose_danish(policy, n, s, w, dice)

    def french_choice(policy: int, n: Ints, s: Ints, dice: Words) -> int:
        match.compare(s)
        return choose_french(policy, n, s, dice)

    monkeypatch.setattr(numbered, "choose_danish", danish_choice)
    monkeypatch.setattr(numbered, "choose_french", french_choice)
    for _ in match.play_deals(6):
        pass
    assert match.looked > 100


@pytest.mark.parametrize("book", [*DANISH, *FRENCH])
def test_every_number_is_in_its_range(book: str) -> None:
    rules, layout = load(book), layout_of(load(book))
    policies = [POLICIES[level] for level in ("random", "club")]
    found = play(rules, table=rules.sizes[-1], seed=2, first=0, deals=60, length=20, policies=policies)
    seen = Decisions(layout, 0, {}, found.planes, found.numbers, found.masks).observations()
    low, high = layout.bounds
    assert low.shape == high.shape == (layout.size,)
    assert [layout_field(rules, int(spot)) for spot in np.flatnonzero((seen < low).any(axis=0))] == []
    assert [layout_field(rules, int(spot)) for spot in np.flatnonzero((seen > high).any(axis=0))] == []


def layout_field(rules: Rules, spot: int) -> str:
    """The field in which a number lies."""
    return next(one.name for one in layout_of(rules).fields if one.start <= spot < one.start + one.size)


@pytest.mark.parametrize("book", ["dtf", "french5"])
def test_planes_and_fields_are_the_vector_in_other_shapes(book: str) -> None:
    layout = layout_of(load(book))
    seen = np.arange(2 * layout.size, dtype=np.float32).reshape(2, layout.size)
    fields = by_field(layout, seen)
    assert list(fields) == [field.name for field in layout.fields]
    assert np.array_equal(np.hstack([some.reshape(2, -1) for some in fields.values()]), seen)
    assert np.array_equal(planes(layout, seen).reshape(2, -1), seen[:, : layout.planes * CARDS])
    plane = layout["played"].start // CARDS + 1
    assert np.array_equal(planes(layout, seen)[:, plane], fields["played"][:, 1])
    for field in layout.fields:
        assert len(field.labels) == field.times
        assert fields[field.name].shape == (2, *field.shape)
        assert np.array_equal(by_field(layout, seen[1])[field.name], fields[field.name][1])
        assert np.shares_memory(fields[field.name], seen)


def test_the_page_explains_the_numbers_as_they_are() -> None:
    """If this fails: python tools/write_layouts.py"""
    assert write_layouts.PAGE.read_text(encoding="utf-8") == "".join(write_layouts.page())


@pytest.mark.parametrize("book", ["hermansen", "french4"])
def test_the_card_tells_how_large_the_games_are(book: str) -> None:
    """If this fails: python tools/write_layouts.py"""
    assert f"\n{write_layouts.size(book)}" in write_layouts.CARD.read_text(encoding="utf-8")
