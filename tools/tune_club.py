"""Look for better weights of the club player by self-play, and show or write them.

A coordinate search by duplicate play: one weight at a time is made larger and smaller. Each deal is played
with all seats judging as now, and again with each seat in turn judging by the candidate; what that seat gains
is the gain. A change that seems better is tried again on fresh deals, four times as many, and accepted only
if it gains more than twice the standard error there. The weights lie in the array `n`, behind the rulebook
(`kernel/<family>/weights.py`), so that nothing is compiled anew; the same seed finds the same weights.

    python tools/tune_club.py hermansen --weights LEAD,KEPT --deals 20000 --seed 1
"""

from __future__ import annotations

import argparse
import re
from collections.abc import Callable, Iterable, Iterator, Sequence
from difflib import unified_diff
from itertools import cycle
from math import sqrt
from pathlib import Path
from random import Random
from typing import NamedTuple, Protocol

import numpy as np

import ultimo
from ultimo.danish import numbers as danish_rule
from ultimo.french import numbers as french_rule
from ultimo.kernel import batch
from ultimo.kernel.danish import deal as danish_deal
from ultimo.kernel.danish import layout as danish_at
from ultimo.kernel.danish import memory as danish_memory
from ultimo.kernel.danish import run as danish_run
from ultimo.kernel.danish import weights as danish_weights
from ultimo.kernel.danish.policy.choose import choose_by_sight
from ultimo.kernel.dice import SHUFFLE, generator
from ultimo.kernel.french import deal as french_deal
from ultimo.kernel.french import layout as french_at
from ultimo.kernel.french import memory as french_memory
from ultimo.kernel.french import weights as french_weights
from ultimo.kernel.french.policy.choose import choose as choose_french
from ultimo.kernel.jit import Ints, Words
from ultimo.kernel.policy import CLUB
from ultimo.rulebook import DanishRules, FrenchRules, Rules, load

LINE = re.compile(r"^(?P<name>[A-Z]\w*) = _weight\((?P<values>[-\d, ]+)\)", re.MULTILINE)
STEP = 0.25  # a weight is changed by this part of itself at first
AGAIN = 4  # so many times as many deals prove a change
SURE = 2.0  # standard errors
Say = Callable[[str], object]


# --- the weights as text -------------------------------------------------------------------------------


class Weight(NamedTuple):
    """One number of `weights.py`: its name there, its place among several of that name, and among all."""

    name: str
    part: int
    place: int

    def __str__(self) -> str:
        return f"{self.name}[{self.part}]"


def source_of(rules: Rules) -> Path:
    """The file in which the weights stand."""
    family = "danish" if isinstance(rules, DanishRules) else "french"
    return Path(ultimo.__file__).parent / "kernel" / family / "weights.py"


def weights_in(text: str) -> list[Weight]:
    """Every number of a `weights.py`, in the order of their places."""
    found = [
        (one["name"], part) for one in LINE.finditer(text) for part in range(1 + one["values"].count(","))
    ]
    return [Weight(name, part, place) for place, (name, part) in enumerate(found)]


def chosen(text: str, names: str) -> list[Weight]:
    """The weights with these names, separated by commas, `KEPT` or `KEPT[1]`; all if none is given."""
    every = weights_in(text)
    wanted = {name.strip() for name in names.split(",")} - {""}
    if unknown := wanted - {one.name for one in every} - {str(one) for one in every}:
        raise SystemExit(f"there is no weight {', '.join(sorted(unknown))}")
    return [one for one in every if not wanted or {one.name, str(one)} & wanted]


def rewritten(text: str, values: Sequence[int]) -> str:
    """A `weights.py` with these values in their places."""
    rest: Iterator[int] = iter(values)

    def line(one: re.Match[str]) -> str:
        new = ", ".join(str(next(rest)) for _ in one["values"].split(","))
        return f"{one['name']} = _weight({new})"

    return LINE.sub(line, text)


# --- a deal, with two judgements -----------------------------------------------------------------------


class Game(Protocol):
    """What is asked of a family: deals to begin, choices by a judgement, and what they come to."""

    players: int
    n: Ints
    weights: int  # where in `n` they begin
    values: tuple[int, ...]

    def begin(self, number: int) -> tuple[Ints, Ints, Words]: ...
    def turn(self, s: Ints) -> int: ...
    def choose(self, n: Ints, s: Ints, w: Ints) -> int: ...
    def act(self, s: Ints, w: Ints, action: int, dice: Words) -> None: ...
    def net(self, s: Ints) -> Ints: ...


class Danish(Game):
    """A table of three, each deal with the same cups."""

    players = 3
    weights, values = danish_rule.LENGTH, danish_weights.WEIGHTS

    def __init__(self, rules: DanishRules, seed: int) -> None:
        self.n, self.seed = danish_deal.array_of(rules), seed

    def begin(self, number: int) -> tuple[Ints, Ints, Words]:
        s, w = np.zeros(danish_at.LENGTH, np.int64), np.zeros(danish_at.PAPER, np.int64)
        dice = generator(self.seed, number)
        danish_deal.begin(self.n, s, w, self.players, batch.START, batch.START)
        danish_memory.forget(s)
        self._deal(s, w, dice)
        return s, w, dice

    def turn(self, s: Ints) -> int:
        return -1 if s[danish_at.PHASE] == danish_at.CLOSED else int(s[danish_at.TURN])

    def choose(self, n: Ints, s: Ints, w: Ints) -> int:
        return int(choose_by_sight(CLUB, n, s, w))

    def act(self, s: Ints, w: Ints, action: int, dice: Words) -> None:
        danish_run.do(self.n, s, w, action)
        self._deal(s, w, dice)

    def net(self, s: Ints) -> Ints:
        return s[danish_at.NET : danish_at.NET + self.players]

    def _deal(self, s: Ints, w: Ints, dice: Words) -> None:
        while s[danish_at.PHASE] == danish_at.DEALING:
            danish_deal.deal(self.n, s, w, dice)


class French(Game):
    """A table of as many as the rules say."""

    weights, values = french_rule.LENGTH, french_weights.WEIGHTS

    def __init__(self, rules: FrenchRules, seed: int) -> None:
        self.n, self.seed, self.players = french_deal.array_of(rules), seed, rules.players

    def begin(self, number: int) -> tuple[Ints, Ints, Words]:
        s, pack, dice = french_deal.blank(), np.zeros(SHUFFLE, np.int64), generator(self.seed, number)
        french_deal.deal(self.n, s, number % self.players, pack, dice)
        return s, pack, dice

    def turn(self, s: Ints) -> int:
        return -1 if s[french_at.PHASE] == french_at.CLOSED else int(s[french_at.TURN])

    def choose(self, n: Ints, s: Ints, w: Ints) -> int:
        return int(choose_french(CLUB, n, s, NO_DICE))

    def act(self, s: Ints, w: Ints, action: int, dice: Words) -> None:
        french_memory.remember(self.n, s, action)
        french_deal.act(self.n, s, action)

    def net(self, s: Ints) -> Ints:
        return s[french_at.NET : french_at.NET + self.players]


NO_DICE = np.zeros(1, np.uint64)


def game_of(rules: Rules, seed: int) -> Game:
    """The deals of a seed under these rules."""
    return Danish(rules, seed) if isinstance(rules, DanishRules) else French(rules, seed)


class Gain(NamedTuple):
    """What a seat gains in a deal by judging otherwise: the mean over deals and its standard error."""

    mean: float
    error: float
    deals: int

    def __str__(self) -> str:
        return f"{self.mean:+.4f} ± {self.error:.4f} points a deal ({self.deals:,} deals)"


def gain(game: Game, now: Sequence[int], other: Sequence[int], deals: Iterable[int]) -> Gain:
    """What a seat gains by the weights `other` among players with the weights `now`."""
    judge, candidate = _judging_by(game, now), _judging_by(game, other)
    gains = np.array([_gain_of_deal(game, judge, candidate, number) for number in deals])
    return Gain(float(gains.mean()), float(gains.std(ddof=1)) / sqrt(len(gains)), len(gains))


def _judging_by(game: Game, values: Sequence[int]) -> Ints:
    """The array of the rulebook with these weights in the place of the club's."""
    n = game.n.copy()
    n[game.weights : game.weights + len(values)] = values
    return n


def _gain_of_deal(game: Game, now: Ints, other: Ints, number: int) -> float:
    """The mean over the seats; who would have chosen the same all along has gained nothing."""
    net, apart = _play(game, now, other, number, -1)
    total = sum(int(_play(game, now, other, number, seat)[0][seat] - net[seat]) for seat in sorted(apart))
    return total / game.players


def _play(game: Game, now: Ints, other: Ints, number: int, holder: int) -> tuple[Ints, set[int]]:
    """Play a deal, `holder` by the other judgement; without one, see who would have chosen otherwise."""
    s, w, dice = game.begin(number)
    apart: set[int] = set()
    while (seat := game.turn(s)) >= 0:
        differs = holder < 0 and seat not in apart
        tried = game.choose(other, s, w) if differs or seat == holder else -1
        action = tried if seat == holder else game.choose(now, s, w)
        if differs and tried != action:
            apart.add(seat)
        game.act(s, w, action, dice)
    return game.net(s), apart


# --- the search ----------------------------------------------------------------------------------------


def tune(
    game: Game, start: Sequence[int], weights: Sequence[Weight], seed: int, budget: int, batch: int, say: Say
) -> list[int]:
    """The weights that a search within a budget of deals comes to."""
    values, spent = list(start), 0
    steps = {weight: max(1, round(abs(values[weight.place]) * STEP)) for weight in weights}
    order = list(weights)
    Random(seed).shuffle(order)
    idle = 0  # weights in a row that no longer, or never, mattered
    for weight in cycle(order):
        if idle == len(order) or spent + (2 + AGAIN) * batch > budget:
            break
        tries = []
        for step in (steps[weight], -steps[weight]):
            other = list(values)
            other[weight.place] += step
            tries.append((gain(game, values, other, range(spent, spent + batch)), other))
        spent += 2 * batch
        found, other = max(tries)
        idle = idle + 1 if all(one.error == 0 for one, _ in tries) else 0
        before, after = values[weight.place], other[weight.place]
        if found.mean > found.error:
            found = gain(game, values, other, range(spent, spent + AGAIN * batch))
            spent += AGAIN * batch
            if found.mean > SURE * found.error:
                say(f"{spent:>9,}  {weight} {before} → {after}  accepted  {found}")
                values = other
                continue
        say(f"{spent:>9,}  {weight} {before} → {after}  {found}")
        steps[weight] = max(1, steps[weight] // 2)
    return values


def main() -> None:
    """Search, measure what came of it on deals of another seed, show the difference."""
    parser = argparse.ArgumentParser(
        description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter
    )
    parser.add_argument("rules", help="a rulebook, e.g. hermansen or french4")
    parser.add_argument("--weights", default="", help="names, separated by commas; else all")
    parser.add_argument("--deals", type=int, default=100_000, help="budget of the search")
    parser.add_argument("--batch", type=int, default=500, help="deals that try a change")
    parser.add_argument("--seed", type=int, default=1)
    parser.add_argument("--write", action="store_true", help="put the weights into the source")
    given = parser.parse_args()
    rules = load(given.rules)
    path = source_of(rules)
    text = path.read_text(encoding="utf-8")
    game = game_of(rules, given.seed)
    weights = chosen(text, given.weights)
    values = tune(game, game.values, weights, given.seed, given.deals, given.batch, print)
    if list(game.values) == values:
        print("nothing better was found")
        return
    fresh = game_of(rules, given.seed + 1)
    print("all together, on fresh deals:", gain(fresh, game.values, values, range(AGAIN * given.batch)))
    new = rewritten(text, values)
    print(
        *unified_diff(text.splitlines(), new.splitlines(), "weights.py", "weights.py", "", "", 0, ""),
        sep="\n",
    )
    if given.write:
        path.write_text(new, encoding="utf-8")


if __name__ == "__main__":
    main()
