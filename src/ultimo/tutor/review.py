"""The review of a deal: every decision judged, what it cost, and how much of the result was luck.

A review is made of the events of a deal and of nothing else, by fixed dice and in a fixed number of worlds:
whoever makes it again gets the same, and at a table, on the command line or in a program it is the same.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence
from itertools import islice

import numpy as np
from msgspec import Struct
from msgspec.structs import replace

from ultimo import deal
from ultimo import events as e
from ultimo.kernel.policy import WAVERING
from ultimo.play.choices import Choices
from ultimo.players.expert.expert import AnyTable, Judgement
from ultimo.players.policy.levels import Club
from ultimo.players.reasons import Reason
from ultimo.rulebook import Rules, digest
from ultimo.tutor.advising import decided_by_cards, weighable
from ultimo.tutor.decisions import Decision, decisions
from ultimo.tutor.ends import evidence
from ultimo.tutor.facts import Advice, holds
from ultimo.tutor.grades import SURE, grade_of, thresholds
from ultimo.tutor.judging import NODES, SAMPLES, Judged, as_it_lies, judged, judgement
from ultimo.tutor.reviewed import Review, Reviewed, Worth

CLOSER = 6  # times as much is thought near the end where it is in doubt whether something was a mistake
OUTLOOKS = 64  # play-outs for what a deal is expected to come to


class Progress(Struct, frozen=True):
    """How far a review has come."""

    done: int
    of: int


def review(
    rules: Rules,
    events: Sequence[e.DealEvent],
    seats: Sequence[e.Seat] | None = None,
    samples: int = SAMPLES,
) -> Review:
    """The review of a deal, of some seats or of all. Raises `NoDeal`."""
    *_, last = reviewing(rules, events, seats, samples)
    assert isinstance(last, Review)
    return last


def reviewing(
    rules: Rules,
    events: Sequence[e.DealEvent],
    seats: Sequence[e.Seat] | None = None,
    samples: int = SAMPLES,
) -> Iterator[Progress | Review]:
    """The same, telling how far it has come; at last the review itself."""
    made = list(decisions(rules, events))
    found: list[Reviewed] = []
    for one in made:
        found.append(_reviewed(rules, one, seats is None or one.seat in seats, samples))
        yield Progress(len(found), len(made))
    yield joined(rules, events, found)


def review_part(
    rules: Rules, events: Sequence[e.DealEvent], first: int, last: int, samples: int = SAMPLES
) -> tuple[Reviewed, ...]:
    """The decisions from number `first` up to but not including `last`, of all seats; `joined` joins them."""
    return tuple(
        _reviewed(rules, one, True, samples) for one in islice(decisions(rules, events), first, last)
    )


def joined(rules: Rules, events: Sequence[e.DealEvent], found: Iterable[Reviewed]) -> Review:
    """The review that all decisions of a deal make together."""
    found = tuple(found)
    result = deal.replay(rules, events).net
    luck = next((one.outlook for one in found if one.outlook), tuple(map(float, result)))
    return Review(rules.id, digest(rules), found, result, luck)


def _reviewed(rules: Rules, made: Decision, wanted: bool, samples: int) -> Reviewed:
    """One decision with what is thought of it, and what everybody could expect before it."""
    state = made.view.deal
    plain = Reviewed(made.index, made.seat, state.phase, len(state.tricks), made.action, "forced")
    choices = weighable(made.view, made.choices)
    if not decided_by_cards(made.view, made.choices) or made.action not in choices:
        return plain
    found = judgement(made.view, made.choices, made.action, samples if wanted else 0)
    outlook = outlooks(found.table, made.truth) if found.table is not None else ()
    advised = Club().explain(made.view, choices)
    if not wanted:
        return replace(plain, outlook=outlook, role=advised.role)
    values = judged(found, made.truth)
    near = found.race is not None and found.race.solved is not None
    if near and _in_doubt(rules, values.worth(made.action)):
        found = judgement(made.view, made.choices, made.action, CLOSER * samples, CLOSER * NODES)
        values = judged(found, made.truth)
    if len(values.worths) < 2:
        return replace(plain, outlook=outlook, role=advised.role, options=values.worths)
    chosen, best = values.worth(made.action), values.worths[0]
    loss, error = chosen.behind, chosen.error
    return Reviewed(
        made.index,
        made.seat,
        state.phase,
        len(state.tricks),
        made.action,
        "best" if chosen is best else grade_of(rules, loss, error),
        loss,
        error,
        _open_loss(values, chosen),
        values.proven,
        values.known,
        values.worths,
        advised.role,
        _principle(made, choices, found, samples, advised),
        outlook,
    )


def _principle(made: Decision, choices: Choices, found: Judgement, samples: int, advised: Reason) -> str:
    """The principle of the club's player, where that does the best and the principle is true of it."""
    if not judged(found).best.does(advised.action):
        return ""
    on, _, _ = evidence(made.view, choices, found, samples)
    return advised.principle if holds(Advice(advised.principle), on) else ""


def _in_doubt(rules: Rules, chosen: Worth) -> bool:
    """Whether something was lost, and it may or may not have been a mistake."""
    steps, doubt = thresholds(rules), SURE * chosen.error
    return chosen.behind >= steps.slip and abs(chosen.behind - steps.mistake) < doubt


def _open_loss(values: Judged, chosen: Worth) -> float | None:
    opened = [one.open for one in values.worths if one.open is not None]
    return None if chosen.open is None else max(opened) - chosen.open


def outlooks(table: AnyTable, truth: deal.State) -> tuple[float, ...]:
    """What each seat can expect as the cards lie: club players play on, and now and then waver."""
    states = as_it_lies(table, truth)
    if states is None:
        return ()
    seeds = np.arange(1, OUTLOOKS + 1, dtype=np.uint64) * np.uint64(0x9E3779B97F4A7C15)
    nothing = np.full((1, 1), -1, np.int64)
    starts = np.repeat(states, OUTLOOKS, axis=0)
    ends = table.play_out(starts, np.ones(1, np.int64), seeds, WAVERING, nothing)
    return tuple(round(float(mean), 2) for mean in table.nets(ends[:, 0]).mean(axis=0))
