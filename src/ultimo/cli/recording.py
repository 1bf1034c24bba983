"""Bots play through the engine, and every event is recorded: what `ultimo simulate --out` does."""

from __future__ import annotations

import sys
from argparse import Namespace
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from pathlib import Path
from random import Random
from typing import IO

from ultimo import record
from ultimo.cli import given
from ultimo.cli.complaint import Complaint
from ultimo.cli.progress import progress
from ultimo.cli.tally import Tally
from ultimo.events import IllegalAction
from ultimo.players import Match, create
from ultimo.record import Entry, jsonl
from ultimo.rulebook import Rules

DEALS = 100

Advance = Callable[[int], None]


def run(arguments: Namespace) -> int:
    """Play, record as it goes, and sum up."""
    rules = given.rules(arguments.rules, given.house(arguments))
    table = arguments.table or max(rules.sizes)
    levels = _levels(arguments.players, table)
    tally = Tally(rules, table)
    deals = arguments.deals or DEALS
    sessions = _sessions(arguments.out, deals, arguments.length)
    with progress(deals) as advance:
        for number, (file, deals) in enumerate(sessions):
            match = _match(rules, levels, f"{arguments.seed}:{number}")
            _record(match, file, deals, tally, advance)
    print("\n".join(tally.lines()), file=sys.stderr if arguments.out == given.STREAM else sys.stdout)
    return 0


def _levels(text: str, table: int) -> list[str]:
    levels = text.split(",")
    if len(levels) == 1:
        return levels * table
    if len(levels) != table:
        raise Complaint(f"--players: {len(levels)} levels for {table} seats")
    return levels


def _sessions(out: str, deals: int, length: int | None) -> list[tuple[str, int]]:
    """The file of each session, and how many deals it has: a file holds one session."""
    if Path(out).suffix in (".sheet", ".txt"):
        raise Complaint(f"{out}: a simulation is written as JSON lines; convert it afterwards")
    if length is None:
        return [(out, deals)]
    if out == given.STREAM:
        raise Complaint("--length makes a file for each session: give --out a name")
    path, sessions = Path(out), range(0, deals, length)
    digits = len(str(len(sessions)))
    return [
        (str(path.with_name(f"{path.stem}-{place:0{digits}}{path.suffix}")), min(length, deals - start))
        for place, start in enumerate(sessions, 1)
    ]


def _match(rules: Rules, levels: list[str], seed: str) -> Match:
    try:
        players = {seat: create(level, f"{seed}:{seat}") for seat, level in enumerate(levels)}
        return Match(rules, [f"{level} {seat}" for seat, level in enumerate(levels)], players, Random(seed))
    except (ValueError, IllegalAction) as error:
        raise Complaint(error) from error


def _record(match: Match, file: str, deals: int, tally: Tally, advance: Advance) -> None:
    """Play a session; after each deal what has happened is on disk."""
    header = record.header(match.rules, match.state.table)
    try:
        with _opened(file) as out:
            out.write(jsonl.encode_header(header))
            written = _append(out, match, 0)
            for _ in match.play_deals(deals):
                assert match.state.deal is not None
                tally.add(match.log[written:], match.state.deal)
                written = _append(out, match, written)
                advance(1)
            match.close()
            tally.close(match.log[written:])
            _append(out, match, written)
    except BrokenPipeError:
        raise
    except OSError as error:
        raise Complaint(f"{given.called(file, 'output')}: {error.strerror}") from error


def _append(out: IO[str], match: Match, written: int) -> int:
    """Write what is in the log and not yet in the file; how much is in it then."""
    out.writelines(jsonl.encode_entry(Entry(event)) for event in match.log[written:])
    out.flush()
    return len(match.log)


@contextmanager
def _opened(file: str) -> Iterator[IO[str]]:
    if file == given.STREAM:
        yield sys.stdout
    else:
        with Path(file).open("w", encoding="utf-8", newline="\n") as out:
            yield out
