"""How a deal ends by one choice and by another: what becomes more likely, and what less.

Both are played out by club players in the same worlds, so that only the choice makes the difference.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import TypeAlias

import numpy as np
import numpy.typing as npt
from msgspec import Struct
from msgspec.structs import replace

from ultimo.danish import payments
from ultimo.events import Action
from ultimo.french.settlement import needed_points
from ultimo.kernel.danish import layout as dk
from ultimo.kernel.french import layout as fr
from ultimo.kernel.jit import Ints
from ultimo.kernel.worlds.draw import Worlds
from ultimo.kernel.worlds.knowledge import Impossible
from ultimo.play.choices import Choices
from ultimo.play.following import FIRST_TRUMP
from ultimo.players import View
from ultimo.players.expert import search
from ultimo.players.expert.danish import DanishTable
from ultimo.players.expert.expert import AnyTable, Judgement
from ultimo.players.expert.french import FrenchTable
from ultimo.players.expert.inference import Floats, picked
from ultimo.players.expert.search import mean_of
from ultimo.tutor.evidence import COUNTS, Change, Evidence
from ultimo.tutor.judging import judged

Bools: TypeAlias = npt.NDArray[np.bool_]
Happened: TypeAlias = dict[str, Bools | Floats]  # by event and world

PLAYED_OUT = 128  # worlds
SEED = 0x9E3779B97F4A7C15
TELLING = 0.03  # a smaller difference of chances is not worth a sentence,
COUNTING = 0.5  # nor one of counted points
MOST = 3  # events that are named


class Ends(Struct, frozen=True):
    """Worlds with their weights, the present in each, and how it ends by each of some choices."""

    weights: Floats
    starts: Ints
    ends: dict[int, Ints]  # by the place of the choice among the candidates


def evidence(
    view: View, choices: Choices, found: Judgement, samples: int, against: Action | None = None
) -> tuple[Evidence, Ends | None, Worlds | None]:
    """What the reasons for the best action are checked against, with the play-outs and the worlds behind it.

    The two best actions are played out, and one that was asked about; `choices` are those that are weighed.
    """
    values = judged(found)
    on = Evidence(view, choices, values.worths, values.known)
    pool = _pool(found, samples)
    if pool is None or found.table is None:
        return on, None, None
    table, actions = found.table, [one.action for one in values.worths[:2]]
    best, rival = (place_of(table, actions[at]) for at in (0, -1))
    asked = [] if against is None or against not in choices else [place_of(table, against)]
    played = play_out(table, sorted({best, rival, *asked}), pool, PLAYED_OUT)
    changes = compare(table, played, best, rival)
    return replace(on, changes=changes, last=last_trick(table, played, best)), played, pool


def place_of(table: AnyTable, action: Action) -> int:
    """The place of the candidate that is an action, or comes to the same."""
    return next(
        place
        for place, option in enumerate(table.options)
        if action == option.action or action in option.same
    )


def _pool(found: Judgement, samples: int) -> Worlds | None:
    """Worlds with how likely each is: those of the race, or others that fit; None if none does."""
    if found.race is not None and found.race.worlds:
        return found.race.pool()
    try:
        worlds = found.table.likely(samples, np.array([SEED], np.uint64))[0] if found.table else ()
    except Impossible:
        return None
    return worlds or None


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


def compare(table: AnyTable, found: Ends, one: int, other: int) -> dict[str, Change]:
    """What happens, and what is counted, by two choices: every event, with the error of its difference."""
    pairs = [
        (happenings(table, found.starts, ends) | count(table, ends))
        for ends in (found.ends[one], found.ends[other])
    ]
    weights, firsts, seconds = found.weights, *pairs
    return {
        event: Change(
            event,
            float(weights @ firsts[event]),
            float(weights @ seconds[event]),
            mean_of(firsts[event].astype(float) - seconds[event], weights)[1],
        )
        for event in firsts
    }


def telling(changes: Mapping[str, Change]) -> list[Change]:
    """The changes that are worth a sentence, the greatest first: what happens, or else what is counted."""
    sure = sorted(
        (change for change in changes.values() if change.is_sure),
        key=lambda change: -abs(change.one - change.other),
    )
    happened = [one for one in sure if one.event not in COUNTS and abs(one.one - one.other) >= TELLING]
    counted = [one for one in sure if one.event in COUNTS and abs(one.one - one.other) >= COUNTING]
    return happened[:MOST] or counted[:1]


def last_trick(table: AnyTable, found: Ends, place: int) -> tuple[float, ...]:
    """By seat how often it takes the last trick of a Danish deal by a choice."""
    if not isinstance(table, DanishTable):
        return ()
    ends, order = found.ends[place], table.state.order
    over = ends[:, dk.PHASE] == dk.CLOSED
    taken = [float(found.weights @ (over & (ends[:, dk.WINNER] == one))) for one in range(len(order))]
    return tuple(taken[order.index(seat)] if seat in order else 0.0 for seat in range(table.state.table))


# --- what happens --------------------------------------------------------------------------------------


def happenings(table: AnyTable, starts: Ints, ends: Ints) -> Happened:
    """What happens in each world, by the names of the events."""
    return _danish(table, starts, ends) if isinstance(table, DanishTable) else _french(table, starts, ends)


def count(table: AnyTable, ends: Ints) -> Happened:
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
