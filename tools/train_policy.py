"""Train a student by a plan: decisions, a network, duels; then its file and a manifest beside it.

    python tools/train_policy.py benchmarks/student/danish.toml

A plan (TOML) has rounds. Each generates decisions by compiled loops, trains on them, and duels with the club.
In the first everybody is a club player; later rounds see the states into which their students come, and play
on with students of earlier rounds. Every step is kept in the work folder under a digest of all that decides
it: what is there already is not done again. One machine makes the same file from a plan, byte for byte, and
so do several processes (`--workers`) or a cluster (`--cluster`), which only share the decisions out.

A plan of the kind "weights" looks for weights of the club in such decisions (`find_weights.py`).
"""

from __future__ import annotations

import argparse
import hashlib
import json
import sys
from collections.abc import Iterator, Sequence
from functools import cached_property, partial
from math import sqrt
from pathlib import Path
from typing import Any

import msgspec
import numpy as np
from msgspec import Struct

import find_weights
import ultimo
from find_weights import chunks, tell
from ultimo import rulebook
from ultimo.analysis.executing import Executor, executor
from ultimo.analysis.runs import RunError, in_one_step
from ultimo.cli.figures import add_cluster
from ultimo.cli.progress import progress
from ultimo.kernel import network
from ultimo.kernel.dice import starts
from ultimo.kernel.jit import Ints
from ultimo.learning import training
from ultimo.learning.decisions import FAMILIES, Job, digest, make_all, sources
from ultimo.rulebook import DanishRules, FrenchRules

CLUB = 0  # a mind: the club, or the student of the round with this number
SHOWN = 20_000  # decisions that show how large the sums of a network become
SURE = 1.96  # standard errors


# --- the plan ------------------------------------------------------------------------------------------


class Round(Struct, frozen=True, kw_only=True, forbid_unknown_fields=True):
    """Decisions and what is learned from them; a mind is 0 for the club or the number of an earlier round."""

    decisions: int
    drivers: tuple[int, ...] = (CLUB,)  # who plays the deals, drawn for each seat
    own: int = CLUB  # who plays on in the seat that decides,
    others: tuple[int, ...] = (CLUB,)  # and in the others
    share: int = 128  # of the choices among cards that are looked into, in 1024,
    words: int = 0  # and of all others
    wander: int = 60  # of any card instead, in 1024
    margins: tuple[float, float] = (2.0, 1e6)  # points by which a card, or a word, must seem better
    again: tuple[int, ...] = ()  # rounds whose decisions are learned once more
    begin: int = 0  # the round whose network is trained further; 0: a new one
    learning: training.Learning = training.Learning()
    file: str = ""  # a network that another plan has made, in place of all this; from where the program runs
    sha256: str = ""  # and its digest


class Duels(Struct, frozen=True, kw_only=True, forbid_unknown_fields=True):
    """How students are measured; the books first named are those of which every round is measured."""

    seed: int
    deals: int
    books: tuple[str, ...]
    rounds: int  # of so many deals for each round


class Plan(Struct, frozen=True, kw_only=True, forbid_unknown_fields=True):
    """All that decides what student comes out."""

    family: str
    seed: int
    books: tuple[str, ...]  # their decisions come in turn; one that is named twice comes twice as often
    rounds: tuple[Round, ...]
    duels: Duels


def read_plan(path: Path) -> Plan | find_weights.Plan:
    """The plan of a file; ends the program if there is something wrong with it."""
    try:
        text = path.read_bytes()
        weighs = msgspec.toml.decode(text).get("kind") == "weights"
        plan: Plan | find_weights.Plan
        if weighs:
            plan = msgspec.toml.decode(text, type=find_weights.Plan)
        else:
            plan = msgspec.toml.decode(text, type=Plan)
    except (OSError, msgspec.MsgspecError) as error:
        raise SystemExit(f"{path}: {error}") from error
    if plan.family not in FAMILIES:
        raise SystemExit(f"{path}: there is no family {plan.family!r}")
    for number, one in enumerate(plan.rounds if isinstance(plan, Plan) else (), 1):
        if max((*one.drivers, one.own, *one.others, *one.again, one.begin)) >= number:
            raise SystemExit(f"{path}: round {number} asks for a round that has not been")
    return plan


# --- the steps -----------------------------------------------------------------------------------------


class Training:
    """A plan that is carried out, with the folder where its steps are kept."""

    def __init__(self, plan: Plan, folder: Path, on: Executor) -> None:
        self.plan, self.folder, self.on, self.by = plan, folder, on, FAMILIES[plan.family]
        self.known: dict[int, Path] = {}  # the networks of rounds that have been done
        folder.mkdir(parents=True, exist_ok=True)

    @cached_property
    def sources(self) -> str:
        """A digest of all that plays."""
        return sources(self.plan.family)

    def minds(self, book: str, known: Sequence[int]) -> tuple[Ints, dict[int, int]]:
        """The rulebook for the club, then for each student that is asked for; where each of them is."""
        rules = rulebook.load(book)
        assert isinstance(rules, DanishRules | FrenchRules)
        students = sorted(set(known) - {CLUB})
        nets = [self.network(number) for number in students]
        blank = np.zeros(len(nets[0]) if nets else network.WEIGHTS, np.int64)
        rows = [self.by.array_of(rules, net) for net in (blank, *nets)]
        return np.stack(rows), {CLUB: 0, **{number: row for row, number in enumerate(students, 1)}}

    def network(self, number: int) -> Ints:
        """The student of a round as it thinks."""
        return network.read(self.trained(number), self.plan.family, self.by.INPUTS, self.by.OUTPUTS)

    # --- decisions

    def job(self, number: int, chunk: int, book: str, size: int) -> Job:
        """The file with some decisions of a round."""
        one = self.plan.rounds[number - 1]
        asked = sorted({*one.drivers, one.own, *one.others} - {CLUB})
        by = [self.sources, self.plan.seed, number, chunk, book, size, one.drivers, one.own, one.others]
        by += [one.share, one.words, one.wander, [self.trained(other).stem for other in asked]]
        ns, rows = self.minds(book, asked)
        return Job(
            name=f"decisions-{digest(by)}.npz",
            family=self.plan.family,
            ns=ns,
            drivers=tuple(rows[mind] for mind in one.drivers),
            own=rows[one.own],
            others=tuple(rows[mind] for mind in one.others),
            share=one.share,
            words=one.words,
            wander=one.wander,
            seed=self.plan.seed,
            number=1_000 * number + chunk,
            size=size,
            as_states=False,
        )

    def decisions(self, number: int) -> list[Path]:
        """All files of a round."""
        todo = self.plan.rounds[number - 1].decisions
        jobs = [self.job(number, chunk, book, size) for book, chunk, size in chunks(todo, self.plan.books)]
        tell(f"round {number}: {todo:,} decisions")
        with progress(todo, f"decisions of round {number}") as advance:
            return make_all(self.on, jobs, self.folder, advance)

    # --- networks

    def trained(self, number: int) -> Path:
        """The network of a round, in whole numbers; the numbers it was made of lie beside it."""
        if number not in self.known:
            self.known[number] = self._trained(number)
        return self.known[number]

    def _trained(self, number: int) -> Path:
        one = self.plan.rounds[number - 1]
        if one.file:
            return self._given(one)
        files = [path for other in (*one.again, number) for path in self.decisions(other)]
        begun = self.trained(one.begin).with_suffix(".npz") if one.begin else None
        by = [_source(training), [path.stem for path in files], msgspec.to_builtins(one.learning)]
        by += [one.margins, begun and begun.stem]
        path = self.folder / f"network-{digest(by)}.net"
        if not path.exists():
            tell(f"round {number}: {one.learning.steps:,} steps on {len(files)} files")
            parts = [(kept["inputs"], kept["labels"]) for kept in map(np.load, files)]
            with progress(one.learning.steps, f"steps of round {number}") as advance:
                held = training.learn(
                    one.learning,
                    parts,
                    self.by.INPUTS,
                    dict(np.load(begun)) if begun else None,
                    lambda step, loss: advance(1),
                )
            head, layers = training.whole(held, parts[-1][0][:SHOWN], one.margins)
            with in_one_step(path.with_suffix(".npz")) as new, new.open("wb") as file:
                np.savez(file, **held)
            with in_one_step(path) as new:
                new.write_bytes(network.written({**head, "family": self.plan.family}, layers))
        return path

    def _given(self, one: Round) -> Path:
        """The network of another plan, and numbers that it may have been made of."""
        path = self.folder / f"network-{one.sha256[:16]}.net"
        given = path if path.exists() else Path(one.file)
        if not given.exists() or hashlib.sha256(given.read_bytes()).hexdigest() != one.sha256:
            raise RunError(f"{one.file} is not the network {one.sha256[:16]} with which the plan begins")
        held = training.from_whole(*network.layers_of(given))
        with in_one_step(path.with_suffix(".npz")) as new, new.open("wb") as file:
            np.savez(file, **held)
        if given != path:
            with in_one_step(path) as new:
                new.write_bytes(given.read_bytes())
        return path

    # --- duels

    def duel(self, book: str, one: int, others: int, deals: int) -> dict[str, Any]:
        """What one mind gains among others, in points above the mean of the table, and how sure that is."""
        ns, rows = self.minds(book, (one, others))
        players = self.by.seats(ns[0])
        gains, seen = np.zeros((deals, players), np.int64), np.zeros(2, np.int64)
        s, _, w, _ = self.by.blank()
        words, dice = starts(self.plan.duels.seed, 0), np.zeros(1, np.uint64)
        self.by.duel(ns, rows[one], rows[others], s, w, words, dice, gains, seen)
        by_deal = gains.mean(axis=1) / players
        error = SURE * float(by_deal.std()) / sqrt(deals)
        mean = float(by_deal.mean())
        found = {"rules": book, "one": one, "others": others, "deals": deals, "rotations": players}
        found |= {"gain": round(mean, 3), "interval": [round(mean - error, 3), round(mean + error, 3)]}
        return found | {"unlike_club": round(float(seen[1] / max(1, seen[0])), 4)}

    def duels(self) -> Iterator[dict[str, Any]]:
        """Every round in the first book, then the last in all of them, one among clubs and the reverse."""
        asked, last = self.plan.duels, len(self.plan.rounds)
        for number in range(1, last):
            yield self.duel(asked.books[0], number, CLUB, asked.rounds)
            yield self.duel(asked.books[0], last, number, asked.rounds)
        for book in asked.books:
            yield self.duel(book, last, CLUB, asked.deals)
            yield self.duel(book, CLUB, last, asked.deals)


def _source(module: Any) -> str:
    return hashlib.sha256(Path(module.__file__).read_bytes()).hexdigest()[:16]


# --- the student ---------------------------------------------------------------------------------------


def manifest(done: Training, file: bytes) -> dict[str, Any]:
    """What a student was made of, and what it can do."""
    rounds = []
    for number in range(1, len(done.plan.rounds) + 1):
        rounds.append({"round": number, "network": done.trained(number).stem.removeprefix("network-")})
    found = []
    for one in done.duels():
        print(
            f"{one['rules']}: {one['one']} among {one['others']}: {one['gain']} {one['interval']}", flush=True
        )
        found.append(one)
    return {
        "plan": msgspec.to_builtins(done.plan),
        "sources": done.sources,
        "sha256": hashlib.sha256(file).hexdigest(),
        "decisions": sum(one.decisions for one in done.plan.rounds),
        "rounds": rounds,
        "duels": found,
    }


def main(arguments: Sequence[str] | None = None) -> None:
    """Train by a plan."""
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawTextHelpFormatter)
    parser.add_argument("plan", type=Path)
    parser.add_argument(
        "--work", type=Path, help="where steps are kept (default: build/student or build/weights)"
    )
    parser.add_argument(
        "--to",
        type=Path,
        help="the folder of what comes out (default: the family's policies; for weights: --work)",
    )
    parser.add_argument("--workers", type=int, help="make decisions in so many processes (default: in one)")
    add_cluster(parser)
    given = parser.parse_args(arguments)
    if given.workers is not None and given.cluster is not None:
        parser.error("--cluster and --workers: use only one of them")
    plan = read_plan(given.plan)
    said = partial(print, file=sys.stderr)
    try:
        with executor(given.workers or 1, given.cluster, said) as on:
            if isinstance(plan, find_weights.Plan):
                find_weights.find(plan, given.work or Path("build", "weights"), given.to, on)
            else:
                train(plan, given.work or Path("build", "student"), given.to, on)
    except RunError as error:
        raise SystemExit(str(error)) from error


def train(plan: Plan, work: Path, to: Path | None, on: Executor) -> None:
    """Train a student, and write its file and its manifest."""
    done = Training(plan, work, on)
    folder = to or Path(ultimo.__file__).parent / "kernel" / plan.family / "policy"
    file = done.trained(len(plan.rounds)).read_bytes()
    told = manifest(done, file)
    folder.mkdir(parents=True, exist_ok=True)
    (folder / "student.net").write_bytes(file)
    (folder / "student.json").write_text(json.dumps(told, indent=2) + "\n", encoding="utf-8")
    print(f"{folder / 'student.net'}: {len(file):,} bytes", file=sys.stderr)


if __name__ == "__main__":
    main()
