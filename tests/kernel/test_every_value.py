"""Every value of every parameter, in the compiled loops and by the engine: no loop knows a rule otherwise.

The loops that play whole tricks at random repeat, for speed, what may be played and who wins. So each
value of each parameter is played by them and card by card, and what they repeat is listed here with the
numbers of the rulebook that it reads: a rule that reads another one fails until its loop has learned it.
"""

from __future__ import annotations

import ast
import inspect
import os
from collections.abc import Callable, Mapping, Sequence
from functools import cache
from random import Random
from textwrap import dedent
from types import ModuleType
from typing import Any, TypeAlias

import numpy as np
import pytest

from kernel.danish_engine import Twice
from players.test_numbered_deals import check_danish, check_french
from properties.alternatives import changes
from table import DANISH, FRENCH
from ultimo import series
from ultimo.kernel.batch import OVER, Batch
from ultimo.kernel.danish import deal as danish_deal
from ultimo.kernel.french import deal as french_deal
from ultimo.kernel.jit import Ints
from ultimo.kernel.policy import RANDOM
from ultimo.play.following import SHARED
from ultimo.players.numbered import can_play
from ultimo.rulebook import DanishRules, Rules, load

LONG = bool(os.environ.get("ULTIMO_LONG"))
BATCH_DEALS = 2000 if LONG else 200  # deals by whole tricks and card by card, a value
ENGINE_DEALS = 6 if LONG else 1  # deals that the engine follows, a value
Function: TypeAlias = Callable[..., Any]

KEYS = [(book, key) for book in (*DANISH, *FRENCH) for key in dict(changes(book))]


@pytest.mark.parametrize(("book", "key"), KEYS)
def test_every_value_is_played_as_the_engine_plays_it(book: str, key: str) -> None:
    for change in changes(book):
        rules = load(book, dict([change]))
        if change[0] != key or not can_play(rules, ["random"]):
            continue
        check_whole_tricks(rules)
        check_against_engine(rules)


def check_whole_tricks(rules: Rules) -> None:
    """Random deals end alike by whole tricks and card by card, down to the dice."""
    by_tricks = Batch(rules, deals=BATCH_DEALS, seed=17)
    by_cards = by_tricks.copy()
    by_tricks.play((RANDOM,))
    by_cards.play_on((RANDOM,), np.full(BATCH_DEALS, OVER))
    assert by_cards.done.all()
    assert np.array_equal(ends(by_tricks), ends(by_cards))


def ends(batch: Batch) -> Ints:
    """How the deals have ended: gains, cups and tricks."""
    return np.concatenate([batch.net, batch.cups, batch.tricks_won], axis=1)


def check_against_engine(rules: Rules) -> None:
    """The engine follows numbered deals, and offers at each step what the kernel does."""
    if not isinstance(rules, DanishRules):
        check_french(rules, ["random"] * rules.players, [RANDOM] * rules.players, ENGINE_DEALS)
        return
    size = max(rules.sizes)
    check_danish(rules, size, ["random"] * size, [RANDOM] * size, ENGINE_DEALS)
    order = series.seated(rules, size, 0, series.first_out(rules, size, 0))
    assert len(order) == 3
    Twice(rules, size, order, 5, 60, 85).play(Random(5))


# --- what a loop repeats -------------------------------------------------------------------------------

# The rules that a card asks for one by one, with the numbers of the rulebook that each reads. What is new
# here must be taught to `at_random.play_tricks_at_random`, or keep `are_plain_tricks` from beginning.
DANISH_KNOWN = {
    "counting.honours": set(),
    "following.has_suit": set(),
    "following.legal_cards": {"SECOND_LAST_BARRED", "THIRD_LAST_VOLUNTARY"},  # plain tricks end before these
    "following.suit_of": set(),
    "following.winner": set(),
    "phases.announceable": {"NOLO_WINS", "TOUT_WINS"},  # where somebody may announce, `quiet` ends
    "phases.comes_next": {"DEMANDABLE"},
    "phases.is_renamed": {"RENAME"},  # a led skus is left to `deal`
    "phases.lead_passes": {"LEAD_PASSES"},  # asked by `quiet`
    "phases.may_demand": set(),
    "phases.skus_goes_home": set(),
    "phases.window": {"NOLO_WINS", "TOUT_WINS"},
}
FRENCH_KNOWN = {
    "following.fall": set(),
    "following.legal_cards": set(),
    "following.top_trump": set(),
    "phases.barred_suits": {"BAN_AFTER_EXCUSE", "FIRST_LEAD_BAN"},  # asked before the first trick
    "phases.callable_suits": {"RANKS_CALLED"},  # before the play, as the next two
    "phases.can_show": set(),
    "phases.layable": {"CHIEN"},
    "phases.showable": {"SHOWS_AGAIN"},
}


def test_a_rule_that_a_loop_repeats_reads_no_number_unknown_to_it() -> None:
    assert read_by(danish_deal, ("legal_plays", "play"), but=("close",)) == DANISH_KNOWN
    assert read_by(french_deal, ("legal", "play"), but=("end_trick",)) == FRENCH_KNOWN


def read_by(room: ModuleType, entries: Sequence[str], but: Sequence[str]) -> dict[str, set[str]]:
    """The shared rules that functions of a kernel's deal ask, and which numbers of the rulebook each reads.

    `but` names functions of the room that the loop calls itself.
    """
    rules: dict[str, set[str]] = {}
    waiting, seen = [getattr(room, entry) for entry in entries], set(but)
    while waiting:
        for called in called_by(waiting.pop()):
            if called in SHARED:
                rules[f"{called.__module__.rpartition('.')[2]}.{called.__name__}"] = numbers_read(called)
            elif called.__module__ == room.__name__ and called.__name__ not in seen:
                seen.add(called.__name__)
                waiting.append(called)
    return rules


def numbers_read(rule: Function) -> set[str]:
    """The numbers of the rulebook that a shared rule reads as `n[NAME]`, and all that it calls."""
    read: set[str] = set()
    for node in ast.walk(tree_of(rule)):
        if isinstance(node, ast.Subscript) and isinstance(node.value, ast.Name) and node.value.id == "n":
            names = [getattr(part, "attr", getattr(part, "id", "")) for part in ast.walk(node.slice)]
            read |= {name for name in names if name.isupper()}
    return read.union(*map(numbers_read, called_by(rule)))


def called_by(function: Function) -> list[Function]:
    """The functions of the package that a function calls by their names."""
    plain = plain_of(function)
    found = []
    for node in ast.walk(tree_of(function)):
        if isinstance(node, ast.Call):
            called = resolved(node.func, plain.__globals__)
            if callable(called) and getattr(called, "__module__", "").startswith("ultimo."):
                found.append(plain_of(called))
    return found


def resolved(name: ast.expr, names: Mapping[str, Any]) -> Any:
    """What a name, or the attribute of a module, stands for; None for all else."""
    if isinstance(name, ast.Name):
        return names.get(name.id)
    if isinstance(name, ast.Attribute):
        return getattr(resolved(name.value, names), name.attr, None)
    return None


@cache
def tree_of(function: Function) -> ast.AST:
    return ast.parse(dedent(inspect.getsource(plain_of(function))))


def plain_of(function: Function) -> Function:
    """The Python function behind a compiled one."""
    plain: Function = getattr(function, "py_func", function)
    return plain
