"""Numbered deals with every event recorded, and summed up: what `ultimo simulate --out` does."""

from __future__ import annotations

import sys
from argparse import Namespace
from collections import Counter
from collections.abc import Callable, Iterator, Sequence
from contextlib import contextmanager
from pathlib import Path
from random import Random
from typing import IO

from ultimo import deal, french, record
from ultimo.cli import given, simulate
from ultimo.cli.complaint import Complaint
from ultimo.cli.progress import progress
from ultimo.events import Event, IllegalAction, Paid, Transfer, balances
from ultimo.names import names
from ultimo.players import Match, create
from ultimo.record import Entry, jsonl
from ultimo.rulebook import FrenchRules, Rules
from ultimo.telling.teller import signed

DEALS = 100
DANISH_ROWS = {
    "kingUltimo": "king ultimo",
    "pagatUltimo": "pagat ultimo",
    "kingBagud": "king bagud",
    "pagatBagud": "pagat bagud",
    "nolo": "nolo",
    "tout": "tout",
}
MADE, PETIT, POIGNEE, SLAM, SLAM_LOST = (
    "contract made",
    "petit au bout",
    "poignée",
    "slam",
    "slam announced in vain",
)
RESULTS = {"scrapped": "scrapped", "passed": "deal passed on", "thrownIn": "thrown in"}

Advance = Callable[[int], None]


def run(arguments: Namespace) -> int:
    """Play, record as it goes, and sum up."""
    rules = given.rules(arguments.rules, given.house(arguments))
    table = arguments.table or max(rules.sizes)
    levels = _levels(arguments.players, table)
    tally = Tally(rules, table)
    deals = arguments.deals or DEALS
    seed, first = simulate.seed(arguments), 0
    sessions = _sessions(arguments.out, deals, arguments.length)
    with progress(deals) as advance:
        for file, deals in sessions:
            _record(_match(rules, levels, seed, first), file, deals, tally, advance)
            first += deals
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


def _match(rules: Rules, levels: list[str], seed: int, first: int) -> Match:
    """A session from deal number `first` on, played by the engine alone where the kernel cannot."""
    simulate.need("numpy")
    from ultimo.players.numbered import Numbered, can_play

    try:
        if can_play(rules, levels):
            return Numbered(rules, levels, seed, first)
        players = {seat: create(level, f"{seed}:{first}:{seat}") for seat, level in enumerate(levels)}
        names = [f"{level} {seat}" for seat, level in enumerate(levels)]
        return Match(rules, names, players, Random(f"{seed}:{first}"))
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


class Tally:
    """Counts deal by deal."""

    def __init__(self, rules: Rules, table: int) -> None:
        self.rules = rules
        self.deals = 0
        self.counts: Counter[str] = Counter()
        self.totals = [0] * table

    def add(self, events: Sequence[Event], ended: deal.State) -> None:
        """Count a deal: what was told, and the state in which it ended."""
        self.deals += 1
        reasons = {transfer.reason for transfer in self._paid(events)}
        self.counts.update(label for reason, label in DANISH_ROWS.items() if reason in reasons)
        if ended.result in RESULTS:
            self.counts[RESULTS[ended.result]] += 1
            return
        match self.rules, ended:
            case FrenchRules() as rules, french.State():
                self._french(rules, ended)

    def _french(self, rules: FrenchRules, ended: french.State) -> None:
        outcome = french.outcome_of(rules, ended)
        happened = {
            names("en").bid(outcome.bid): True,
            MADE: french.score(rules, outcome).won,
            PETIT: outcome.petit_au_bout,
            POIGNEE: outcome.poignees,
            SLAM: outcome.slam_made,
            SLAM_LOST: outcome.slam_announced and outcome.slam_announced != outcome.slam_made,
        }
        self.counts.update(label for label, did in happened.items() if did)

    def close(self, events: Sequence[Event]) -> None:
        """Count the end of a session, which is no deal."""
        self._paid(events)

    def lines(self) -> Iterator[str]:
        """The table."""
        yield f"{self.rules.title}: {self.deals} deals with {len(self.totals)} at the table"
        yield ""
        for label in self._labels():
            count = self.counts[label]
            yield f"{label:<24} {count:>8} {100 * count / self.deals:>7.2f} %"
        yield ""
        for seat, total in enumerate(self.totals):
            yield f"{f'seat {seat}':<24} {signed(total):>8} {total / self.deals:>+7.2f} a deal"

    def _labels(self) -> list[str]:
        if isinstance(self.rules, FrenchRules):
            bids = [names("en").bid(row.id) for row in self.rules.bid.ladder]
            return [*bids, MADE, PETIT, POIGNEE, SLAM, SLAM_LOST, RESULTS["thrownIn"]]
        return [*DANISH_ROWS.values(), RESULTS["scrapped"], RESULTS["passed"]]

    def _paid(self, events: Sequence[Event]) -> list[Transfer]:
        transfers = [one for event in events if isinstance(event, Paid) for one in event.transfers]
        gained = balances(transfers)
        self.totals = [total + gained[seat] for seat, total in enumerate(self.totals)]
        return transfers
