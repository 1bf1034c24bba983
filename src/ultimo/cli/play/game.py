"""A game to sit down to: a new one, or one that is gone on with."""

from __future__ import annotations

import os
from argparse import Namespace
from collections.abc import Sequence
from pathlib import Path
from random import Random, SystemRandom

from ultimo.cli import given
from ultimo.cli.complaint import Complaint
from ultimo.cli.play.saving import Saved, SaveFile, default_path, keep_previous, load
from ultimo.cli.play.session import Session
from ultimo.names import Names
from ultimo.players import Match, create
from ultimo.table.decide import BOTS
from ultimo.telling.teller import family

USUAL_TABLE = 4
FIXED = ("rules", "table", "seat", "name", "house", "set")  # what a game that is gone on with has already


def sit_down(arguments: Namespace, words: Names) -> Session:
    """The game that the arguments ask for, saved from its first event on."""
    if arguments.resume is None:
        saved, path = _new(arguments), _new_path(arguments.save)
    else:
        path = default_path(os.environ) if arguments.resume is True else arguments.resume
        saved, path = _old(arguments, path), arguments.save or path
    names = _names(saved, arguments.name or words.text("screen.person"))
    match = _match(saved, names, arguments.level, arguments.seed)
    if match.state.closed:
        raise Complaint(f"{path}: {words.text('seriesOver')}")
    save = SaveFile(path, saved.rules, saved.table, saved.seat, match.log)
    return Session(match, saved.seat, words, save, arguments.deals)


def _new(arguments: Namespace) -> Saved:
    rules = given.rules(arguments.rules or "dtf", given.house(arguments))
    usual = USUAL_TABLE if USUAL_TABLE in rules.sizes else rules.sizes[0]
    table, seat = arguments.table or usual, arguments.seat or 0
    if table not in rules.sizes:
        sizes = " or ".join(map(str, rules.sizes))
        raise Complaint(f"--table: {rules.id} is played by {sizes} at the table, not {table}")
    if not 0 <= seat < table:
        raise Complaint(f"--seat: there is no seat {seat} at a table of {table}")
    return Saved(rules, table, seat, ())


def _new_path(save: Path | None) -> Path:
    """Where a new game is saved; no other is lost by it."""
    if save is None:
        path = default_path(os.environ)
        keep_previous(path)
        return path
    if save.exists():
        raise Complaint(f"{save} already exists: continue it with --resume {save}, or give another name")
    return save


def _old(arguments: Namespace, path: Path) -> Saved:
    for option in FIXED:
        if getattr(arguments, option):
            raise Complaint(f"--{option}: cannot be changed when you continue a saved game")
    return load(path)


def _names(saved: Saved, person: str) -> list[str]:
    others = iter(BOTS[family(saved.rules)])
    return [person if seat == saved.seat else next(others) for seat in range(saved.table)]


def _match(saved: Saved, names: Sequence[str], level: str, seed: str | None) -> Match:
    """The match so far; what has been played changes the seed, so that no deal comes again."""
    sown = f"{SystemRandom().random() if seed is None else seed}:{len(saved.events)}"
    bots = [seat for seat in range(saved.table) if seat != saved.seat]
    players = {seat: create(level, f"{sown}:{seat}") for seat in bots}
    return Match(saved.rules, names, players, Random(sown), saved.events)
