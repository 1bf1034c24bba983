"""Observations: a seat observes what the table has shown it, and nothing else."""

from __future__ import annotations

from typing import cast

import numpy as np
import pytest

from table import DANISH, FRENCH
from ultimo import danish
from ultimo.kernel.danish import layout as danish_at
from ultimo.kernel.danish.policy.choose import choose as choose_danish
from ultimo.kernel.french import layout as french_at
from ultimo.kernel.french.policy.choose import choose as choose_french
from ultimo.kernel.jit import Ints, Words
from ultimo.players import View, numbered
from ultimo.players.numbered import Numbered
from ultimo.research.danish import Floats
from ultimo.research.observing import layout_of, observe, of_view
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
