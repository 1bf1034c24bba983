"""How a deal ends by one choice and by another: what becomes more likely, and what less.

Both are played out by club players in the same worlds, so that only the choice makes the difference.
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import TypeAlias

import numpy as np
import numpy.typing as npt
from msgspec import Struct

from ultimo.danish import payments
from ultimo.french.settlement import needed_points
from ultimo.kernel.danish import layout as dk
from ultimo.kernel.french import layout as fr
from ultimo.kernel.jit import Ints
from ultimo.kernel.worlds.draw import Worlds
from ultimo.play.following import FIRST_TRUMP
from ultimo.players.expert import search
from ultimo.players.expert.danish import DanishTable
from ultimo.players.expert.expert import AnyTable
from ultimo.players.expert.french import FrenchTable
from ultimo.players.expert.inference import Floats, picked

Bools: TypeAlias = npt.NDArray[np.bool_]
Happened: TypeAlias = dict[str, Bools]  # by event and world
Counted: TypeAlias = dict[str, Floats]

SEED = 0x9E3779B97F4A7C15
TELLING = 0.03  # a smaller difference of chances is not worth a sentence,
COUNTING = 0.5  # nor one of counted points
MOST = 3  # events that are named
COUNTS = ("count", "half", "bouts")  # what is counted instead


class Ends(Struct, frozen=True):
    """Worlds with their weights, the present in each, and how it ends by each of some choices."""

    weights: Floats
    starts: Ints
    ends: dict[int, Ints]  # by the place of the choice among the candidates


class Change(Struct, frozen=True):
    """How often something happens by one choice, and by another; or how much is counted."""

    event: str
    one: float
    other: float


def play_out(table: AnyTable, places: Sequence[int], worlds: Worlds, number: int) -> Ends:
    """Let the deal end by each of some candidates in some worlds, at most so many of them."""
    dice = np.array([SEED], np.uint64)
    chosen = picked(worlds.weights / worlds.weights.sum(), number, dice)
    rows, weights = np.unique(chosen, return_counts=True)
    states, _ = table.tell(Worlds(worlds.suits[rows], worlds.trumps[rows], worlds.weights[rows]))
    seeds = dice[0] + search.STRIDE * np.arange(1, len(rows) + 1, dtype=np.uint64)
    alive = np.zeros(len(table.options), np.int64)
    alive[list(places)] = 1
    ended = table.play_out(states, alive, seeds)
    return Ends(weights / weights.sum(), states, {place: ended[:, place] for place in places})


def chance(table: AnyTable, found: Ends, place: int, event: str) -> float | None:
    """How likely something happens by a choice; None if it cannot be told."""
    happened = happenings(table, found.starts, found.ends[place]).get(event)
    return None if happened is None else float(found.weights @ happened)


def changes(table: AnyTable, found: Ends, one: int, other: int) -> list[Change]:
    """What differs most between two choices: what happens, or else what is counted."""
    firsts = happenings(table, found.starts, found.ends[one])
    seconds = happenings(table, found.starts, found.ends[other])
    told = _compared(found.weights, firsts, seconds, TELLING)[:MOST]
    if told:
        return told
    counted = [count(table, found.ends[place]) for place in (one, other)]
    return _compared(found.weights, counted[0], counted[1], COUNTING)[:1]


def _compared(
    weights: Floats, one: Happened | Counted, other: Happened | Counted, least: float
) -> list[Change]:
    found = [Change(name, float(weights @ one[name]), float(weights @ other[name])) for name in one]
    telling = [change for change in found if abs(change.one - change.other) >= least]
    return sorted(telling, key=lambda change: -abs(change.one - change.other))


# --- what happens --------------------------------------------------------------------------------------


def happenings(table: AnyTable, starts: Ints, ends: Ints) -> Happened:
    """What happens in each world, by the names of the events."""
    return _danish(table, starts, ends) if isinstance(table, DanishTable) else _french(table, starts, ends)


def count(table: AnyTable, ends: Ints) -> Counted:
    """What is counted in each world."""
    if isinstance(table, DanishTable):
        me = table.state.order.index(table.seat)
        return {"count": ends[:, dk.COUNTS + me].astype(float)}
    return {"half": ends[:, fr.HALF_POINTS] / 2, "bouts": ends[:, fr.BOUTS].astype(float)}


def _danish(table: DanishTable, starts: Ints, ends: Ints) -> Happened:
    me = table.state.order.index(table.seat)
    over = ends[:, dk.PHASE] == dk.CLOSED
    won = over & (ends[:, dk.WINNER] == me)
    others_won = over & ~won & (ends[:, dk.WINNER] != dk.NOBODY)
    mine = ends[np.arange(len(ends)), dk.LAST_CARDS + (me - ends[:, dk.LEADER]) % 3]
    had_pagat = starts[:, dk.TRUMPS + me] & 1 == 1
    no_tricks = [over & (ends[:, dk.TRICKS_WON + place] == 0) for place in range(3)]
    king = (mine >= 0) & (mine < FIRST_TRUMP) & (mine % 14 == 13)

    def paid(code: int) -> Bools:
        since: Bools = (ends[:, dk.HAPPENED] & ~starts[:, dk.HAPPENED]) >> code & 1 == 1
        return since

    return {
        "lastTrick": won,
        "pagatUltimo": won & paid(payments.PAGAT_ULTIMO),
        "pagatUltimoOthers": others_won & paid(payments.PAGAT_ULTIMO),
        "pagatBagud": over & ~won & (mine == payments.PAGAT_CARD),
        "pagatLost": had_pagat & paid(payments.LOST_PAGAT),
        "pagatHome": had_pagat & paid(payments.HOME_PAGAT),
        "kingUltimo": won & paid(payments.KING_ULTIMO),
        "kingUltimoOthers": others_won & paid(payments.KING_ULTIMO),
        "kingBagud": over & ~won & king,
        "kingLost": paid(payments.LOST_KING),
        "nolo": no_tricks[me],
        "noloOthers": no_tricks[me - 1] | no_tricks[me - 2],
        "tout": no_tricks[me - 1] & no_tricks[me - 2],
    }


def _french(table: FrenchTable, starts: Ints, ends: Ints) -> Happened:
    seats = range(table.state.table)
    played = ends[:, fr.RESULT] == fr.PLAYED
    needed = np.array([2 * needed_points(table.rules, bouts) for bouts in range(4)])
    made = played & (ends[:, fr.HALF_POINTS] >= needed[ends[:, fr.BOUTS].clip(0, 3)])
    mine = ends[:, fr.SIDES] >> table.seat & 1
    side = 2 * mine - 1  # 1 with the taker, -1 against
    holder = [starts[:, fr.TRUMPS + seat] & 1 == 1 for seat in seats]
    winner = ends[:, fr.PETIT_TAKER]
    captor = np.where(winner >= 0, 2 * (ends[:, fr.SIDES] >> winner.clip(0) & 1) - 1, 0)
    against = np.zeros(len(ends), bool)  # the petit is with the other side
    for seat in seats:
        against |= holder[seat] & ((ends[:, fr.SIDES] >> seat & 1) != mine)
    bidding = table.state.phase == "bid"
    said = {
        "taker": played & (ends[:, fr.TAKER] == table.seat),
        "passed": ends[:, fr.RESULT] == fr.ALL_PASSED,
        "contractLost": played & ~made,
    }
    return {
        **(said if bidding else {}),
        "contract": made,
        "petitBout": played & (ends[:, fr.PETIT_SIDE] == side),
        "petitBoutOthers": played & (ends[:, fr.PETIT_SIDE] == -side),
        "petitLost": played & holder[table.seat] & (captor == -side),
        "petitWon": played & against & (captor == side),
        "slam": played & (ends[:, fr.SLAM_SIDE] == side),
        "slamOthers": played & (ends[:, fr.SLAM_SIDE] == -side),
    }
