"""The arena: duplicate play, by which players are measured.

Each deal of a run is played once for each rotation of the players through the seats, with the same pack, the
same cups and the same dealer: whatever the cards bring, they bring it to everybody in turn. A deal stands
alone, so that deals are independent. Its pack and its cups come from dice thrown for (seed, deal), each
player's own dice from (seed, deal, rotation, seat); so no cut of a run and no number of processes changes
what comes out.

>>> from ultimo import rulebook
>>> made = plan(rulebook.load("hermansen"), ["random"] * 3, seed=7, deals=10)
>>> one = play(made, deal=4, rotation=2)
>>> sum(one.points) + sum(one.cups_after) == sum(one.cups)
True
"""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping, Sequence
from random import Random
from time import perf_counter, thread_time
from typing import Any

import msgspec
from msgspec import Struct

from ultimo import series
from ultimo.analysis import runs
from ultimo.analysis.runs import RunError, rules_of
from ultimo.danish.numbers import numbers
from ultimo.danish.payments import CUPS
from ultimo.danish.phases import founds
from ultimo.events import Action, Event, IllegalAction, Paid, Seat, SeriesOpened, Transfer
from ultimo.play.choices import Choices
from ultimo.players import warming
from ultimo.players.arena.events import events_of, side_of
from ultimo.players.match import Match
from ultimo.players.player import Fault, Guest, Player, View, Watcher, create, options_of, see_off
from ultimo.rulebook import DanishRules, Rules, citation

Clock = Callable[[], float]
Cups = tuple[int, int]  # king cup and pagat cup

SESSION = 20  # deals; a deal may be any of them
# In which share of deals there is what among club players under Hermansen's rules, in 20,000 deals of
# `ultimo simulate --rules hermansen --table 3 --players club --deals 20000 --seed 7`.
EMPTIED = {"king": 0.014, "pagat": 0.049}  # by an ultimo
DOUBLED = {"king": 0.003, "pagat": 0.002}  # by a bagud
LOST = {"king": 0.09, "pagat": 0.30}  # in an earlier trick, which costs what the book says
QUICK: dict[str, Any] = {"seconds": 0.001, "samples": 1}  # to get ready, not to be good


class Plan(runs.Plan, frozen=True, kw_only=True):
    """All that decides what comes out of a run.

    With rotation r player p sits in seat (p + r) modulo their number.
    """

    cups: Cups | None  # of every deal; None: drawn for each
    options: dict[str, int | float]  # for those levels that take them


class Played(Struct, frozen=True, kw_only=True, omit_defaults=True):
    """A deal as it was played in one rotation; lists are by player, in the order of the plan."""

    deal: int
    rotation: int
    points: tuple[int, ...]
    cups: Cups = (0, 0)
    cups_after: Cups = (0, 0)
    events: dict[str, tuple[int, ...]]  # to which players it happened
    side: tuple[int, ...] = ()  # the taker's, in French Tarot; none if nobody took
    sitting: tuple[int, ...] = ()  # who sat out
    decisions: tuple[int, ...]  # between two actions or more
    seconds: tuple[float, ...]  # for all of them
    slowest: tuple[float, ...]
    faults: dict[int, Fault] = {}  # of players who failed, and whose deal a stand-in has finished


# --- the plan ------------------------------------------------------------------------------------------


def plan(
    rules: Rules,
    players: Sequence[str],
    *,
    seed: int = 1,
    deals: int,
    cups: Cups | None = None,
    options: Mapping[str, int | float] | None = None,
) -> Plan:
    """A plan that can be done; it raises RunError for what cannot be asked for."""
    book = runs.book(rules, len(players))
    try:
        taken = frozenset[str]().union(*map(options_of, players))
    except ValueError as error:
        raise RunError(error) from error
    for option in options or {}:
        if option not in taken:
            raise RunError(f"none of the players takes {option}")
    if cups is not None and not rules.has_cups:
        raise RunError(f"{rules.id} is played without cups")
    return Plan(
        **book, players=tuple(players), seed=seed, deals=deals, cups=cups, options=dict(options or {})
    )


def schedule(made: Plan) -> Iterator[tuple[int, int]]:
    """Every deal with every rotation: all rotations of a deal, then those of the next."""
    for deal in range(made.deals):
        for rotation in range(len(made.players)):
            yield deal, rotation


def seat_of(made: Plan, player: int, rotation: int) -> Seat:
    """Where a player sits."""
    return (player + rotation) % len(made.players)


# --- the cups ------------------------------------------------------------------------------------------


def cups_of(made: Plan, deal: int) -> Cups:
    """What the cups hold as a deal begins, before its ante."""
    rules = rules_of(made)
    if not isinstance(rules, DanishRules) or not rules.cups.enabled:
        return 0, 0
    return made.cups or drawn_cups(rules, len(made.players), Random(f"{made.seed}:{deal}:cups"))


def drawn_cups(rules: DanishRules, table: int, rng: Random) -> Cups:
    """The cups before one of the deals of a session, each as likely as another.

    The session is not played: in each earlier deal the dealer antes, cards are lost, and an ultimo or a bagud
    comes about by dice. So the cups do not depend on the players who are measured.
    """
    founders = sum(founds(numbers(rules), seat < 3) for seat in range(table))
    founded = {"king": founders * rules.cups.found.king, "pagat": founders * rules.cups.found.pagat}
    costs = {"king": rules.pay.king_lost_cup, "pagat": rules.pay.pagat_lost_cup}
    held = dict(founded)
    for _ in range(rng.randrange(SESSION)):
        for cup in CUPS:
            held[cup] += rules.cups.ante
            dice = rng.random()
            if dice < EMPTIED[cup]:
                held[cup] = founded[cup]
            elif dice < EMPTIED[cup] + DOUBLED[cup]:
                held[cup] *= 2
            elif rng.random() < LOST[cup]:
                held[cup] += costs[cup]
    return held["king"], held["pagat"]


# --- a deal --------------------------------------------------------------------------------------------


class Timed:
    """A player under the clock."""

    def __init__(self, player: Player, clock: Clock) -> None:
        self.player, self._clock = player, clock
        self.decisions = 0
        self.seconds = self.slowest = 0.0

    def choose(self, view: View, choices: Choices, /) -> Action:
        """What the player chooses; who has no choice does not decide."""
        began = self._clock()
        action = self.player.choose(view, choices)
        took = self._clock() - began
        if len(choices) > 1:
            self.decisions += 1
            self.seconds += took
            self.slowest = max(self.slowest, took)
        return action

    def see(self, view: View, event: Event, /) -> None:
        """Pass on what happened to a player who wants to be told."""
        if isinstance(self.player, Watcher):
            self.player.see(view, event)


def play(
    made: Plan, deal: int, rotation: int, clock: Clock | None = None, errors: str | None = None
) -> Played:
    """Play a deal of a plan in one of its rotations; `errors` is where programs complain.

    Seconds are the processor's, those of thinking too, so that it does not matter what else it does. Only a
    program is timed by the clock on the wall, as its work is done elsewhere; or all by the `clock` given.
    """
    table = len(made.players)
    seats = [seat_of(made, player, rotation) for player in range(table)]
    given = {**made.options, "clock": thread_time, "errors": errors}
    try:
        created = {
            seat: create(level, f"{made.seed}:{deal}:{rotation}:{seat}", **given)
            for seat, level in zip(seats, made.players, strict=True)
        }
    except ValueError as error:  # the plan was made on another machine, which has this player
        raise RunError(error) from error
    timed = {seat: Timed(player, clock or _clock_for(player)) for seat, player in created.items()}
    cups = cups_of(made, deal)
    try:
        match = _match(made, deal, timed, cups)
        match.next_deal()
        while match.advance():
            pass
    except IllegalAction as error:
        names = ", ".join(made.players)
        raise RunError(f"deal {deal}, rotation {rotation} of {names}: {error}") from error
    finally:
        failed = see_off([timed[seat].player for seat in seats])
    ended = match.state.deal
    assert ended is not None
    player_in = {seat: player for player, seat in enumerate(seats)}
    happened = events_of(match.rules, match.log, ended)
    return Played(
        deal=deal,
        rotation=rotation,
        points=tuple(ended.net[seat] for seat in seats),
        cups=cups,
        cups_after=(match.state.king, match.state.pagat),
        events={name: tuple(sorted(player_in[seat] for seat in some)) for name, some in happened.items()},
        side=tuple(sorted(player_in[seat] for seat in side_of(ended))),
        sitting=tuple(player for player, seat in enumerate(seats) if seat not in ended.active),
        decisions=tuple(timed[seat].decisions for seat in seats),
        seconds=tuple(round(timed[seat].seconds, 6) for seat in seats),
        slowest=tuple(round(timed[seat].slowest, 6) for seat in seats),
        faults={player: some[0] for player, some in enumerate(failed) if some},
    )


def _clock_for(player: Player) -> Clock:
    return perf_counter if isinstance(player, Guest) else thread_time


def get_ready(made: Plan, errors: str | None = None) -> None:
    """Let every level play a deal, so that no clock runs while code is compiled or read.

    Who thinks for some seconds may ask the solver, but not in every deal.
    """
    play(msgspec.structs.replace(made, options=made.options | QUICK), 0, 0, errors=errors)
    if any(options_of(level) & QUICK.keys() for level in made.players):
        warming.endings(rules_of(made))


def _match(made: Plan, deal: int, players: Mapping[Seat, Player], cups: Cups) -> Match:
    """People who have just sat down, with the cups as they are given."""
    rules, table = rules_of(made), len(made.players)
    dealer = deal % table
    opened = SeriesOpened(
        tuple(f"seat {seat}" for seat in range(table)), dealer, series.first_out(rules, table, dealer)
    )
    log: list[Event] = [opened]
    if rules.has_cups:
        log.append(Paid(tuple(_founding(rules, table, cups))))
    return Match(rules, opened.names, players, Random(f"{made.seed}:{deal}"), log)


def _founding(rules: Rules, table: int, cups: Cups) -> Iterator[Transfer]:
    """What makes the cups hold so much; it is no part of the deal."""
    for cup, held in zip(CUPS, cups, strict=True):
        for seat in range(table):
            part = held // table + (seat < held % table)
            yield Transfer(seat, cup, part, "found", citation(rules, "cups.found"))
