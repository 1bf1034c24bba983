"""Find weights of the club player in labelled decisions: a plan of the kind "weights" for `train_policy.py`.

    python tools/train_policy.py benchmarks/club/danish.toml --to build/weights

Decisions are kept with the deal before them and with what every action brought, played out by club players.
So a club player with other weights can be asked again, and what it would have gained is a mean over the same
decisions: nothing is played. A search makes one weight at a time larger and smaller, in an order by the seed.
A change is accepted if it gains more than `sure` standard errors in one half of the decisions, and something
in the other. What was found is measured by play on fresh deals, as `tune_club.py` does. The next round makes
decisions by the club with the weights found before. Nothing is written into the source.
"""

from __future__ import annotations

import json
import sys
from collections.abc import Iterator, Sequence
from math import sqrt
from pathlib import Path
from random import Random
from typing import Any, Literal, NamedTuple

import msgspec
import numpy as np
import numpy.typing as npt
from msgspec import Struct

import tune_club
from tune_club import Weight
from ultimo import rulebook
from ultimo.analysis.executing import Executor
from ultimo.analysis.runs import in_one_step
from ultimo.cli.progress import progress
from ultimo.kernel import network
from ultimo.kernel.jit import Ints
from ultimo.learning.decisions import FAMILIES, Job, digest, make_all, sources
from ultimo.rulebook import DanishRules, FrenchRules

CHUNK = 100_000  # decisions in a file
INTERVAL = 1.96  # standard errors
Labels = npt.NDArray[np.int16]


class Search(Struct, frozen=True, kw_only=True, forbid_unknown_fields=True):
    """How weights are looked for."""

    passes: int = 3  # so often every weight is tried
    step: float = (
        0.25  # a weight is changed by this part of itself at first, and by half of it after a failure
    )
    sure: float = 2.0  # standard errors


class Duels(Struct, frozen=True, kw_only=True, forbid_unknown_fields=True):
    """How found weights are measured."""

    seed: int
    deals: int
    books: tuple[str, ...]


class Plan(Struct, frozen=True, kw_only=True, forbid_unknown_fields=True):
    """All that decides what weights come out."""

    kind: Literal["weights"]
    family: str
    seed: int
    books: tuple[str, ...]  # their decisions come in turn
    decisions: int
    duels: Duels
    weights: tuple[str, ...] = ()  # names, `KEPT` or `KEPT[1]`; all if there is none
    rounds: int = 1
    share: int = 128  # of the choices among cards that are looked into, in 1024,
    words: int = 0  # and of all others
    wander: int = 60  # of any card instead, in 1024
    search: Search = Search()


class Change(Struct, frozen=True):
    """A weight that was changed, and what that gains in a decision: in one half of them, and in the other."""

    weight: str
    before: int
    after: int
    gain: float
    again: float


class Found(Struct, frozen=True):
    """Where a search has come to after a pass."""

    values: tuple[int, ...]
    steps: tuple[int, ...]  # of each weight that is looked for
    changes: tuple[Change, ...]


def chunks(decisions: int, books: Sequence[str]) -> Iterator[tuple[str, int, int]]:
    """The files of some decisions: the book, the number of the file and of decisions in it."""
    for chunk in range(-(-decisions // CHUNK)):
        yield books[chunk % len(books)], chunk, min(CHUNK, decisions - CHUNK * chunk)


def tell(line: str) -> None:
    """Say what is being done, where no bar can be shown."""
    if not sys.stderr.isatty():
        print(line, file=sys.stderr, flush=True)


# --- judging -------------------------------------------------------------------------------------------


class Part(NamedTuple):
    """Decisions of one book, and its array."""

    n: Ints
    states: Ints
    brought: Labels


class Judge:
    """What a club player with some weights would gain in a decision."""

    def __init__(self, family: str, parts: Sequence[Part], start: int) -> None:
        self.by, self.parts, self.start = FAMILIES[family], parts, start
        self.s, _, self.w, _ = self.by.blank()
        self.dice = np.zeros(1, np.uint64)

    def gains(self, values: Sequence[int]) -> npt.NDArray[np.int64]:
        """The gain of every decision."""
        found = []
        for part in self.parts:
            n = part.n.copy()
            n[self.start : self.start + len(values)] = values
            gains = np.zeros(len(part.states), np.int64)
            self.by.judge(n, self.s, self.w, self.dice, part.states, part.brought, gains)
            found.append(gains)
        return np.concatenate(found)


def searched(judge: Judge, search: Search, weights: Sequence[Weight], begun: Found, seed: int) -> Found:
    """Try every weight once, in an order by the seed; every other decision is of the other half."""
    values, steps, changes = list(begun.values), list(begun.steps), list(begun.changes)
    now = judge.gains(values)
    order = list(range(len(weights)))
    Random(seed).shuffle(order)
    with progress(len(order), "weights") as advance:
        for one in order:
            place = weights[one].place
            tries = []
            for step in (steps[one], -steps[one]):
                other = list(values)
                other[place] += step
                gains = judge.gains(other)
                more = (gains - now).astype(np.float64)
                half, rest = more[::2], more[1::2]
                error = float(half.std(ddof=1)) / sqrt(len(half))
                tries.append((float(half.mean()), float(rest.mean()), error, other, gains))
            gain, again, error, other, gains = max(tries, key=lambda tried: tried[0])
            if gain > search.sure * error and again > 0:
                change = Change(
                    str(weights[one]), values[place], other[place], round(gain, 4), round(again, 4)
                )
                tell(
                    f"{change.weight} {change.before} → {change.after}: {gain:+.4f}, {again:+.4f} a decision"
                )
                changes.append(change)
                values, now = other, gains
            else:
                steps[one] = max(1, steps[one] // 2)
            advance(1)
    return Found(tuple(values), tuple(steps), tuple(changes))


# --- the plan ------------------------------------------------------------------------------------------


class Weighing:
    """A plan that is carried out, with the folder where its steps are kept."""

    def __init__(self, plan: Plan, folder: Path, on: Executor) -> None:
        self.plan, self.folder, self.on, self.by = plan, folder, on, FAMILIES[plan.family]
        folder.mkdir(parents=True, exist_ok=True)
        self.sources = sources(plan.family)
        rules = self.rules(plan.books[0])
        text = tune_club.source_of(rules).read_text(encoding="utf-8")
        self.weights = tune_club.chosen(text, ",".join(plan.weights))
        game = tune_club.game_of(rules, 0)
        self.start, self.values = game.weights, game.values

    def rules(self, book: str) -> DanishRules | FrenchRules:
        """A rulebook of the plan."""
        rules = rulebook.load(book)
        assert isinstance(rules, DanishRules | FrenchRules)
        return rules

    def array(self, book: str, values: Sequence[int]) -> Ints:
        """A rulebook with these weights."""
        n: Ints = self.by.array_of(self.rules(book), np.zeros(network.WEIGHTS, np.int64))
        n[self.start : self.start + len(values)] = values
        return n

    def parts(self, number: int, values: Sequence[int]) -> tuple[list[Part], list[str]]:
        """The decisions of a round, made by the club with these weights; and the names of their files."""
        plan, jobs, books = self.plan, [], []
        for book, chunk, size in chunks(plan.decisions, plan.books):
            by = [self.sources, "states", plan.seed, number, chunk, book, size, list(values)]
            by += [plan.share, plan.words, plan.wander]
            jobs.append(
                Job(
                    name=f"decisions-{digest(by)}.npz",
                    family=plan.family,
                    ns=self.array(book, values)[None],
                    drivers=(0,),
                    own=0,
                    others=(0,),
                    share=plan.share,
                    words=plan.words,
                    wander=plan.wander,
                    seed=plan.seed,
                    number=1_000 * number + chunk,
                    size=size,
                    as_states=True,
                )
            )
            books.append(book)
        tell(f"round {number}: {plan.decisions:,} decisions")
        with progress(plan.decisions, f"decisions of round {number}") as advance:
            files = make_all(self.on, jobs, self.folder, advance)
        parts = []
        for book, file in zip(books, files, strict=True):
            with np.load(file) as kept:
                parts.append(Part(self.array(book, values), kept["states"], kept["brought"]))
        return parts, [file.stem for file in files]

    def found(self) -> Found:
        """The weights at the end of the last round."""
        search = self.plan.search
        begun = Found(self.values, (), ())
        for number in range(1, self.plan.rounds + 1):
            steps = tuple(max(1, round(abs(begun.values[one.place]) * search.step)) for one in self.weights)
            begun = Found(begun.values, steps, begun.changes)
            parts, names = self.parts(number, begun.values)
            judge = Judge(self.plan.family, parts, self.start)
            for turn in range(search.passes):
                tell(f"round {number}, pass {turn + 1} of {search.passes}: {len(self.weights)} weights")
                begun = self.passed(judge, begun, names, self.plan.seed + turn)
        return begun

    def passed(self, judge: Judge, begun: Found, names: Sequence[str], seed: int) -> Found:
        """A pass over all weights; kept, and not done again."""
        by = [self.sources, names, msgspec.to_builtins(begun), msgspec.to_builtins(self.plan.search), seed]
        by += [[str(one) for one in self.weights], Path(__file__).read_text(encoding="utf-8")]
        path = self.folder / f"weights-{digest(by)}.json"
        if not path.exists():
            found = searched(judge, self.plan.search, self.weights, begun, seed)
            with in_one_step(path) as new:
                new.write_bytes(msgspec.json.encode(found))
        return msgspec.json.decode(path.read_bytes(), type=Found)

    def duels(self, values: Sequence[int]) -> Iterator[dict[str, Any]]:
        """What one seat gains by these weights among players with those of the source, on fresh deals."""
        for book in self.plan.duels.books:
            game = tune_club.game_of(self.rules(book), self.plan.duels.seed)
            gain = tune_club.gain(game, self.values, values, range(self.plan.duels.deals))
            error = INTERVAL * gain.error
            interval = [round(gain.mean - error, 3), round(gain.mean + error, 3)]
            yield {"rules": book, "deals": gain.deals, "gain": round(gain.mean, 3), "interval": interval}


def find(plan: Plan, folder: Path, to: Path | None, on: Executor) -> None:
    """Look for weights by a plan; write `weights.json` with what was found and what it gains by play."""
    done = Weighing(plan, folder, on)
    found = done.found()
    duels = []
    for one in done.duels(found.values):
        print(f"{one['rules']}: {one['gain']} {one['interval']}", flush=True)
        duels.append(one)
    changed = {
        str(weight): [done.values[weight.place], found.values[weight.place]]
        for weight in done.weights
        if done.values[weight.place] != found.values[weight.place]
    }
    told = {
        "plan": msgspec.to_builtins(plan),
        "sources": done.sources,
        "weights": changed,  # before and after
        "changes": msgspec.to_builtins(found.changes),
        "duels": duels,
    }
    path = (to or folder) / "weights.json"
    path.parent.mkdir(parents=True, exist_ok=True)
    path.write_text(json.dumps(told, indent=2) + "\n", encoding="utf-8")
    print(f"{path}: {len(changed)} of {len(done.weights)} weights changed", file=sys.stderr)
