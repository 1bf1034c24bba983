"""The expert: draws worlds that fit what it knows, tries its candidates in them, and takes the best.

What counts is points of the settlement, with the cups as they stand. The rest of the deal is played by the
club's player for everybody, who sees no more of a world than his seat would: so no candidate is thought good
because one would know later what one cannot know, as it is where open cards are searched. Where a seat has
located every card, the exact solver decides.
"""

from __future__ import annotations

from contextlib import suppress
from hashlib import blake2b
from math import inf
from time import perf_counter
from typing import ClassVar, TypeAlias

import numpy as np
from msgspec import Struct

from ultimo import danish, french
from ultimo.cards import PACK
from ultimo.events import Action
from ultimo.kernel.jit import Words
from ultimo.kernel.worlds.draw import Worlds
from ultimo.kernel.worlds.knowledge import Impossible
from ultimo.play.choices import Choices
from ultimo.players.expert import inference, opened, search
from ultimo.players.expert.danish import DanishTable
from ultimo.players.expert.french import FrenchTable
from ultimo.players.expert.inference import CAUTIOUS, MASTERLY, SHARP, UNCEASING, Method
from ultimo.players.expert.opened import Allowance
from ultimo.players.expert.search import Solved
from ultimo.players.expert.table import Option
from ultimo.players.player import View
from ultimo.players.policy.levels import Club, errand, policies
from ultimo.players.reasons import PRINCIPLES, Candidate, Inferred, Reason
from ultimo.rulebook import DanishRules, FrenchRules

SECONDS = 0.5
MOST_WORLDS = 64  # that are solved
RESERVE = 0.005  # seconds kept back
MOST_TRICKS = 8  # to come, for the solver: where there is no clock,
MOST_TRICKS_TIMED = 12  # and where there is one
MOST_SOLVED = 8  # tricks to come in which some of the worlds are solved as well
SOLVED_SHARE = 0.7  # of the time for that
SEARCH = "search"  # in place of a principle

AnyTable: TypeAlias = DanishTable | FrenchTable


class Judgement(Struct):
    """A decision with what it rests on; `places` are those of the candidates among the table's options."""

    action: Action
    candidates: list[Candidate]
    table: AnyTable | None = None
    race: search.Race | None = None
    places: list[int] = []


class Expert:
    """Reckons for `seconds` a decision, or in `samples` worlds and `nodes` positions without a clock.

    The dice of a decision come from the seed and the view, so that the same view gives the same choice. By
    `clock` the time is told: `time.thread_time` in its place counts the processor's, on a busy machine too.
    """

    usual: ClassVar[Method] = CAUTIOUS

    def __init__(
        self,
        seed: int | str,
        seconds: float = SECONDS,
        samples: int | None = None,
        nodes: int = opened.MOST_NODES,
        clock: search.Clock = perf_counter,
        method: Method | None = None,
    ) -> None:
        self._method = method or self.usual
        self._seed, self._seconds, self._samples, self._nodes = seed, seconds, samples, nodes
        self._clock = clock

    def choose(self, view: View, choices: Choices, /) -> Action:
        """The best of the choices, as far as can be seen."""
        return self.judge(view, choices).action

    def explain(self, view: View, choices: Choices, /) -> Reason:
        """The choice, and why: what the candidates seem worth, and where the hidden cards may lie."""
        found = self.judge(view, choices)
        advised = Club().explain(view, choices)
        agreed = advised.action == found.action
        return Reason(
            found.action,
            tuple(found.candidates),
            advised.role,
            advised.principle if agreed else SEARCH,
            advised.words if agreed else PRINCIPLES[SEARCH],
            inferred(found.race, found.table) if found.race and found.table else (),
        )

    def judge(self, view: View, choices: Choices, keep: Action | None = None) -> Judgement:
        """The choice with all that it rests on; `keep` is an action that is tried as often as the best."""
        end = inf if self._samples is not None else self._clock() + self._seconds - RESERVE
        due = errand(view, choices)
        if due is None and len(choices) == 1:
            due = next(iter(choices))
        if due is not None:
            return Judgement(due, [Candidate(due)])
        table = _table(view, choices, keep, self._method)
        if len(table.options) == 1:
            action = _preferred(table.options[0], table.advice())
            return Judgement(action, [Candidate(action)], table)
        known = self._open(view, choices, table, end)
        if known:
            return Judgement(known[0].action, known, table)
        return self._reckoned(view, table, end)

    def _open(self, view: View, choices: Choices, table: AnyTable, end: float) -> list[Candidate] | None:
        """What the solver says, where every card is known."""
        state = view.deal
        left = max(map(int.bit_count, state.hands))
        if left > (MOST_TRICKS if end == inf else MOST_TRICKS_TIMED):
            return None
        if not opened.is_open(state):
            try:
                if table.known.hidden:
                    return None
            except Impossible:
                return None
            state = opened.opened(state, table.known)
        rules = policies(view.rules).calm(view.rules)
        until = inf if end == inf else self._clock() + 0.8 * (end - self._clock())
        return opened.valued(rules, state, view.seat, choices, Allowance(until, self._nodes, self._clock))

    def _reckoned(self, view: View, table: AnyTable, end: float) -> Judgement:
        """What comes of trying the candidates in worlds."""
        options, advised = table.options, table.advice()
        favourite = next(
            (at for at, one in enumerate(options) if advised == one.action or advised in one.same), 0
        )
        race = None
        with suppress(Impossible):
            solved = self._solved(view, table, end)
            dice = self._dice(view)
            race = search.run(
                table,
                len(options),
                favourite,
                dice,
                self._samples,
                end,
                solved,
                table.kept,
                self._clock,
                self._method.enough,
                table.handicaps(favourite),
            )
        if race is None or not race.gains:  # nothing fits what was seen: then as the club does
            return Judgement(advised, [Candidate(advised)], table)
        points, spread, tried = race.results()
        best = search.choice(race, points, tried, favourite)
        candidates = [
            Candidate(_preferred(option, advised), float(points[at]), float(spread[at]), int(tried[at]))
            for at, option in enumerate(options)
        ]
        places = sorted(range(len(options)), key=lambda at: (at != best, -points[at]))
        return Judgement(candidates[best].action, [candidates[at] for at in places], table, race, places)

    def _solved(self, view: View, table: AnyTable, end: float) -> Solved | None:
        """What the options gain with open cards in some worlds; None where the end is far or they are hard.

        Open cards alone would overrate what one cannot know, and play-outs alone the habits of the club: so
        near the end both are heard.
        """
        state = view.deal
        left = state.hands[view.seat].bit_count()
        if state.phase != "play" or left > MOST_SOLVED:
            return None
        rules = policies(view.rules).calm(view.rules)
        until = inf if end == inf else self._clock() + SOLVED_SHARE * (end - self._clock())
        number = MOST_WORLDS
        if self._samples is not None:
            number = min(number, self._samples >> max(0, left - 4))
        if number == 0:
            return None
        solved, allowed = Solved([]), Allowance(until, self._nodes, self._clock)
        worlds, _ = table.likely(number, np.array([self._dice(view) ^ 1], np.uint64))
        for world in np.argsort(
            -worlds.weights, kind="stable"
        ):  # if time runs out, the likely ones are solved
            if allowed.spent:
                break
            found = opened.worths(rules, opened.placed(state, worlds.rows(world)), view.seat, allowed)
            if found is None or any(option.action not in found for option in table.options):
                break
            gains = np.array([found[option.action] for option in table.options], np.float64)
            solved.gains += [gains] * int(worlds.weights[world])
        return solved if solved.gains else None

    def _dice(self, view: View) -> int:
        state = view.deal
        seen = f"{state.phase} {state.hands[view.seat]:x} {len(state.tricks)} {len(state.trick)}"
        told = f"{self._seed} {view.seat} {view.series.deals} {seen}"
        return int.from_bytes(blake2b(told.encode(), digest_size=8).digest(), "little")


class Master(Expert):
    """Reckons as an expert does, but lets students play the deals out."""

    usual = MASTERLY


class FirstExpert(Expert):
    """The expert that others are compared with: it goes on while there is time."""

    usual = UNCEASING


def _table(view: View, choices: Choices, keep: Action | None = None, method: Method = CAUTIOUS) -> AnyTable:
    """The decision as the search sees it."""
    match view.rules, view.deal:
        case DanishRules() as rules, danish.State() as state:
            return DanishTable(rules, state, view.seat, choices, keep, method)
        case FrenchRules() as rules, french.State() as state:
            return FrenchTable(rules, state, view.seat, choices, keep, method)
        case _:
            raise TypeError("rules and deal of different families")


def likely_worlds(view: View, choices: Choices, number: int, dice: Words, method: Method = SHARP) -> Worlds:
    """About so many worlds by how likely they are, with what each counts; none if none fits."""
    worlds, _ = _table(view, choices, None, method).likely(number, dice)
    return worlds


def _preferred(option: Option, advised: Action) -> Action:
    """Of cards that come to the same the one that the club would play: it says what it should."""
    return advised if advised in option.same else option.action


def inferred(race: search.Race, table: AnyTable) -> tuple[Inferred, ...]:
    """Where each card that was not seen may lie, by the worlds that were drawn."""
    chances = inference.places_of(race.pool())
    own = table.state.hands[table.seat]
    return tuple(
        Inferred(card, tuple(map(float, chances[card.index])))
        for card in PACK
        if not own & card.bit and chances[card.index].any()
    )
