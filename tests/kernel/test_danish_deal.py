"""The kernel's Danish deal is the engine's: the same choices at every step, the same payments at the end."""

from __future__ import annotations

import hashlib
import os
from random import Random
from typing import Any

import numpy as np
import pytest

from kernel.danish_engine import Twice
from table import DANISH, danish_rules
from ultimo import series
from ultimo.danish.outcome import Order
from ultimo.kernel import NotCompilable
from ultimo.kernel.danish import layout as at
from ultimo.kernel.danish import run as danish_run
from ultimo.kernel.danish.deal import array_of
from ultimo.kernel.danish.policy.student import network_for
from ultimo.kernel.dice import starts
from ultimo.kernel.jit import COMPILED
from ultimo.kernel.policy import POLICIES

LONG = bool(os.environ.get("ULTIMO_LONG"))
DEALS = 1000 if LONG else 12

HOUSES: dict[str, dict[str, Any]] = {
    "as written": {},
    "no demand": {"skus.demandable": False, "skus.thirdLastVoluntary": False},
    "free skus": {"skus.secondLastBarred": False, "skus.rename": "never", "skat.skusForTout": True},
    "other cups": {"cups.lastTrickOrder": "bagudFirst", "tout.takesCups": False, "bagud.pagatExtraCup": 3},
    "ultimo first": {"cups.lastTrickOrder": "ultimoFirst", "tout.replacesLastTrick": False},
    "no cups": {"cups.enabled": False, "count.mode": "exact", "decl.dealerBasis": 25},
    "announced": {
        "nolo.announce": [{"beforeTrick": 2, "win": 30, "premium": 4, "lose": 7}],
        "tout.announce": [{"beforeTrick": 3, "win": 50, "lose": 50}],
        "decl.matadorsFromBelow": True,
        "skus.lastTrickLead": "leadPasses",
    },
    "lay anything": {"skat.forbidDeclared": False, "skat.tarokAllOrNone": False, "decl.mode": "manual"},
}


def orders(book: str, table: int) -> list[Order]:
    rules = danish_rules(book)
    return [series.seated(rules, table, dealer, series.first_out(rules, table, dealer)) for dealer in (0, 1)]  # type: ignore[misc]


@pytest.mark.parametrize("house", HOUSES)
@pytest.mark.parametrize("book", DANISH)
def test_a_deal_is_the_engines_step_by_step(book: str, house: str) -> None:
    rules = danish_rules(book, HOUSES[house])
    rng = Random(f"{book} {house}")
    for deal in range(DEALS):
        table = rng.choice(rules.sizes)
        order = rng.choice(orders(book, table))
        king, pagat = rng.choice((0, 20, 85)), rng.choice((0, 35, 140))
        Twice(rules, table, order, deal, king, pagat).play(rng)


@pytest.mark.parametrize("policy", POLICIES)
@pytest.mark.parametrize("book", DANISH)
def test_compiled_and_interpreted_sessions_are_the_same(book: str, policy: str) -> None:
    rules, table = danish_rules(book), 4
    mixed = [POLICIES[policy], POLICIES["random"]]
    fast = danish_run.sessions(rules, table=table, seed=11, first=3, number=2, length=3, policies=mixed)
    slow = fast.copy()
    slow[:, danish_run.SEAT_NETS :] = 0
    plain = getattr(danish_run.play_sessions, "py_func", danish_run.play_sessions)
    by_seat = np.array(mixed * 2 + mixed[:1], np.int64)
    s, w, dice = np.zeros(at.LENGTH, np.int64), np.zeros(at.PAPER, np.int64), np.zeros(1, np.uint64)
    n = array_of(rules, network_for(mixed))
    plain(n, s, w, table, by_seat, np.zeros(3, np.int64), starts(11, 9), dice, slow)
    assert np.array_equal(fast, slow)


def test_the_compiler_is_there() -> None:
    assert COMPILED or os.environ.get("NUMBA_DISABLE_JIT")


# SHA-256, its first 16 digits, over the rows of 2 sessions of 10 deals of seed 2026, as little-endian words.
VECTORS = {
    ("jensen", 3): "fd652aa9050ba902",
    ("hermansen", 3): "fd652aa9050ba902",
    ("vlk", 5): "78cd7f849443aa90",
    ("basta", 4): "dc306e07321e8a2a",
    ("dtf", 3): "79c91260c4e75377",
}


@pytest.mark.parametrize(("book", "table"), VECTORS)
def test_a_seed_gives_the_same_deals_for_ever(book: str, table: int) -> None:
    rows = danish_run.sessions(danish_rules(book), table=table, seed=2026, first=0, number=2, length=10)
    assert hashlib.sha256(rows.astype("<i8").tobytes()).hexdigest()[:16] == VECTORS[book, table]


def test_deals_do_not_depend_on_how_a_run_is_cut() -> None:
    rules = danish_rules("hermansen")
    whole = danish_run.sessions(rules, table=4, seed=5, first=0, number=6, length=4)
    parts = [danish_run.sessions(rules, table=4, seed=5, first=at, number=2, length=4) for at in (0, 2, 4)]
    assert np.array_equal(whole, np.concatenate(parts))


def test_every_point_comes_from_a_seat_or_a_cup() -> None:
    for book in DANISH:
        rules = danish_rules(book)
        for table in rules.sizes:
            rows = danish_run.sessions(rules, table=table, seed=5, first=0, number=50, length=10)
            by_name = dict(zip(danish_run.COLUMNS, rows.T, strict=True))
            paid = sum(by_name[f"net{seat}"] for seat in range(5)).reshape(50, 10).sum(axis=1)
            held = (by_name["king_cup_after"] + by_name["pagat_cup_after"])[9::10]
            assert np.array_equal(paid + held, np.zeros(50))


def test_a_table_with_errors_is_refused_by_name() -> None:
    with pytest.raises(NotCompilable, match=r"strict\.follow"):
        array_of(danish_rules("dtf", {"strict.follow": True}))
