"""A recorded deal is the deal of the kernel: what the record comes to is what the row says."""

from __future__ import annotations

import numpy as np
import pytest

from french_arrays import from_state
from table import WITHOUT_FFT
from ultimo import danish, french, rulebook
from ultimo.danish.payments import MEANINGS
from ultimo.danish.state import pile_points
from ultimo.events import Opened, Paid
from ultimo.kernel.danish import run as danish_run
from ultimo.kernel.french import run as french_run
from ultimo.kernel.french.deal import array_of
from ultimo.kernel.policy import POLICIES
from ultimo.players.numbered import Numbered, can_play
from ultimo.rulebook import DanishRules, FrenchRules

TABLES = [(book, size) for book in WITHOUT_FFT for size in rulebook.load(book).sizes]
TABLES_OF = {"random": ("random",), "mixed": ("club", "random", "student", "beginner"), "club": ("club",)}
DEALS, SEED = 6, 5


@pytest.mark.parametrize("who", TABLES_OF)
@pytest.mark.parametrize(("book", "size"), TABLES)
def test_the_rows_of_a_record_are_those_of_the_kernel(book: str, size: int, who: str) -> None:
    rules = rulebook.load(book)
    levels = [TABLES_OF[who][seat % len(TABLES_OF[who])] for seat in range(size)]
    assert can_play(rules, levels)
    policies = [POLICIES[level] for level in levels]
    if isinstance(rules, DanishRules):
        check_danish(rules, size, levels, policies)
    else:
        check_french(rules, levels, policies)


def check_danish(
    rules: DanishRules, size: int, levels: list[str], policies: list[int], number: int = DEALS
) -> None:
    """Net, cups, payments, tricks and counts of the second session of a run."""
    rows = danish_run.sessions(
        rules, table=size, seed=SEED, first=1, number=1, length=number, policies=policies
    )
    match, before = Numbered(rules, levels, SEED, number), (0,) * size
    deals = match.play_deals(number)
    told = 1
    for row in rows.tolist():
        next(deals)
        log, told = match.log[told:], len(match.log)
        says, ended = dict(zip(danish_run.COLUMNS, row, strict=True)), match.state.deal
        assert isinstance(ended, danish.State)
        opened = next(event for event in log if isinstance(event, Opened))
        order, counts = ended.order, pile_points(ended)
        assert order == (says["forehand"], says["middle"], says["dealer"])
        assert [says[f"net{seat}"] for seat in range(size)] == np.subtract(
            match.state.totals, before
        ).tolist()
        assert (says["king_cup"], says["pagat_cup"]) == (opened.king, opened.pagat)
        assert (says["king_cup_after"], says["pagat_cup_after"]) == (match.state.king, match.state.pagat)
        assert says["winner"] == ended.tricks[-1].winner
        assert row[danish_run.BY_PLACE :][:3] == [ended.won[seat] for seat in order]
        assert row[danish_run.BY_PLACE :][3:6] == [counts[seat] for seat in order]
        paid = {t.reason for event in log if isinstance(event, Paid) for t in event.transfers} - {"found"}
        assert {meaning.reason for at, meaning in enumerate(MEANINGS) if says["happened"] >> at & 1} == paid
        before = match.state.totals


def check_french(rules: FrenchRules, levels: list[str], policies: list[int], number: int = DEALS) -> None:
    """All that a row says, from deal number 7 on."""
    rows = french_run.sessions(rules, seed=SEED, first=7, number=number, policies=policies)
    match, n = Numbered(rules, levels, SEED, 7), array_of(rules)
    for row, _ in zip(rows, match.play_deals(number), strict=True):
        ended, out = match.state.deal, np.zeros((1, len(french_run.COLUMNS)), np.int64)
        assert isinstance(ended, french.State)
        french_run.write_row(n, from_state(rules, ended), out, 0)
        assert out[0, 1:].tolist() == row[1:].tolist()


def test_what_the_kernel_does_not_know_is_left_to_the_engine() -> None:
    assert not can_play(rulebook.load("dtf", {"strict.follow": True}), ["random"] * 5)
    assert not can_play(rulebook.load("french4", {"deal.shuffle": "never"}), ["random"] * 4)
    assert not can_play(rulebook.load("dtf"), ["expert"] * 5)
