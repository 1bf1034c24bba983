"""`ultimo simulate`: let bots play numbered deals, recorded event by event or as rows and statistics.

The same seed gives the same deals whichever output is asked for: the kernel's dice deal, its players choose.
"""

from __future__ import annotations

import os
import sys
from argparse import ArgumentParser, Namespace
from collections import Counter
from collections.abc import Iterator, Sequence
from contextlib import contextmanager, suppress
from math import isnan
from pathlib import Path
from random import Random
from typing import IO, TYPE_CHECKING, Any

from ultimo import deal, french, record
from ultimo.analysis.runs import Advance, rules_of
from ultimo.cli import figures, given
from ultimo.cli.complaint import Complaint
from ultimo.cli.progress import progress
from ultimo.events import Event, IllegalAction, Paid, Seat, balances
from ultimo.names import names
from ultimo.players import Match, create, options_of
from ultimo.players.arena.events import events_of
from ultimo.players.player import see_off, short, split
from ultimo.record import Entry, jsonl
from ultimo.rulebook import FrenchRules, Rules
from ultimo.telling.teller import signed

if TYPE_CHECKING:
    from ultimo.analysis.simulation.run import Plan
    from ultimo.analysis.statistics import Share, Summary

ONLY_AT_SCALE = ("rows", "plot", "cores", "chunk", "cluster", "json")
DEALS, RECORDED = 100_000, 100  # if nothing is said
# What is told, by its name in the rows: a share of all deals, or of the French ones that were played.
ROWS = (
    *("king_ultimo", "pagat_ultimo", "king_bagud", "pagat_bagud"),
    *("nolo", "nolo_lost", "tout", "tout_lost"),
    *("pagat_home", "pagat_lost", "king_lost", "declared"),
    *("petit_sec", "passed", "bid_petite", "bid_garde", "bid_sans", "bid_contre", "won"),
    *("petit_au_bout_taker", "petit_au_bout_defence"),
    *("slam_taker", "slam_defence", "slam_announced", "poignee"),
)
OF_ALL = {"petit_sec", "passed"}
# The same of records.
DANISH = ("kingUltimo", "pagatUltimo", "kingBagud", "pagatBagud", "nolo", "tout")
FRENCH = ("made", "petitAuBout", "poignee", "slam", "slamLost")
RESULTS = {"scrapped": "scrapped", "passed": "deal passed on", "thrownIn": "thrown in"}


def arguments(parser: ArgumentParser) -> None:
    """The arguments of the command."""
    parser.add_argument(
        "--rules", metavar="ID,…", default="dtf", help="the rulebook (dtf); without --out also several"
    )
    parser.add_argument(
        "--table", metavar="N", type=int, help="players at the table (default: the most the book allows)"
    )
    parser.add_argument(
        "--deals", metavar="N", type=figures.positive, help="how many deals (100 with --out, else 100000)"
    )
    parser.add_argument(
        "--seed",
        metavar="SEED",
        default="1",
        help="a whole number: same seed, same deals, recorded or not (1)",
    )
    parser.add_argument(
        "--players",
        metavar="LEVEL,…",
        default="random",
        help="one for all, or one per seat: random, lowest, highest, beginner, club, student; with --out "
        "also expert, master, package.module:Class and cmd:PROGRAM (default: random)",
    )
    parser.add_argument(
        "--length",
        metavar="N",
        type=figures.positive,
        help="deals per game (default: all with --out, otherwise 20)",
    )
    given.add_house(parser)
    record = parser.add_argument_group(
        "recording (every event, for `ultimo replay`)",
        "The deals are those of the rows. Tables where mistakes can happen (strict.*), packs that are not "
        "shuffled and the expert are played by the engine instead, with other dice.",
    )
    record.add_argument(
        "--out",
        metavar="FILE",
        help="write JSON lines; - for standard output; with --length, one numbered file per game",
    )
    given.add_programs(record)
    scale = parser.add_argument_group("large simulations (without --out)")
    scale.add_argument("--rows", metavar="FILE", help="write one row per deal to FILE.parquet or FILE.jsonl")
    scale.add_argument("--plot", metavar="FOLDER", help="pictures (PNG and SVG)")
    scale.add_argument("--cores", metavar="N", type=figures.positive, help="processors to use (all)")
    scale.add_argument(
        "--chunk", metavar="N", type=figures.positive, help="deals that a process plays at a time"
    )
    figures.add_cluster(scale)
    scale.add_argument("--json", action="store_true", default=None, help="the summary for a program")


def run(arguments: Namespace) -> int:
    """Play in one of the two ways."""
    if arguments.out is None:
        return _at_scale(arguments)
    for option in ONLY_AT_SCALE:
        if getattr(arguments, option) is not None:
            raise Complaint(f"--{option} cannot be combined with --out")
    return _recorded(arguments)


def _seed(arguments: Namespace) -> int:
    """The seed, which numbers the deals."""
    if not arguments.seed.isdecimal():
        raise Complaint(f"--seed: {arguments.seed!r} is not a whole number")
    return int(arguments.seed)


# --- at scale ------------------------------------------------------------------------------------------


def _at_scale(arguments: Namespace) -> int:
    """Play, write the rows and the pictures, sum up."""
    figures.need("numpy", "fast")
    plans = _plans(arguments)
    rows = None if arguments.rows is None else _rows(arguments.rows, plans)
    if arguments.plot is not None:
        figures.need("matplotlib")
    results = list(_results(plans, rows, arguments))
    if arguments.plot is not None:
        from ultimo.analysis import pictures

        with figures.drawing(arguments.plot):
            pictures.simulation(Path(arguments.plot), results)
    if arguments.json:
        reports = [report(plan, summary) for plan, summary in results]
        figures.print_json(reports[0] if len(reports) == 1 else reports)
    else:
        print("\n\n".join("\n".join(lines(plan, summary)) for plan, summary in results))
    return 0


def _plans(arguments: Namespace) -> list[Plan]:
    from ultimo.analysis.simulation import run as simulation
    from ultimo.kernel import NotCompilable
    from ultimo.kernel.jit import COMPILED

    if not COMPILED and "NUMBA_DISABLE_JIT" not in os.environ:
        print(
            'numba is not installed; with it (pip install "ultimo[fast]") this is far faster', file=sys.stderr
        )
    house, players = given.house(arguments), split(arguments.players)
    for player in players:
        _refuse_recorded(player)
    try:
        with figures.running():
            return [
                simulation.plan(
                    given.rules(book, house),
                    table=arguments.table,
                    seed=_seed(arguments),
                    deals=arguments.deals or DEALS,
                    length=arguments.length,
                    players=players,
                )
                for book in arguments.rules.split(",")
            ]
    except NotCompilable as error:
        raise Complaint(error) from error


def _refuse_recorded(player: str) -> None:
    """Complain of a player whom the compiled code does not know, if there is such a player."""
    from ultimo.kernel.policy import POLICIES

    if player not in POLICIES:
        with suppress(ValueError):  # that nobody has this name is told with the names that there are
            options_of(player)
            raise Complaint(
                f"{player} is no compiled player: record its deals with --out, or use ultimo arena"
            )


def _rows(file: str, plans: list[Plan]) -> Path:
    from ultimo.analysis.simulation.files import form_of

    path = Path(file)
    with figures.running():
        if form_of(path) == "parquet":
            figures.need("pyarrow")
    if len(plans) > 1:
        raise Complaint("--rows: a file holds the rows of one rulebook")
    return path


def _results(plans: list[Plan], rows: Path | None, arguments: Namespace) -> Iterator[tuple[Plan, Summary]]:
    from ultimo.analysis.simulation import run as simulation

    chunk = arguments.chunk or simulation.CHUNK
    chunks = max(-(-plan.deals // chunk) for plan in plans)
    with figures.running(rows), figures.executor(arguments, chunks) as on:
        for plan in plans:
            with progress(plan.deals) as advance:
                yield plan, simulation.run(plan, rows=rows, on=on, chunk=chunk, advance=advance)


def shares(summary: Summary) -> Iterator[tuple[str, Share]]:
    """How often there was what, by its name in the rows."""
    french = "played" in summary.counts
    for name in ROWS:
        if name in summary.counts and (summary.counts[name] or not name.endswith("_lost")):
            yield name, summary.share(name, "played" if french and name not in OF_ALL else None)


def report(plan: Plan, summary: Summary) -> dict[str, Any]:
    """What a program is told."""
    from ultimo.analysis.statistics import average, combined_cup, quantile

    told: dict[str, Any] = {"plan": plan, "deals": summary.deals, "sessions": summary.sessions}
    told["events"] = {
        name: {"count": share.count, "of": share.of, "share": share.value, "interval": share.interval()}
        for name, share in shares(summary)
        if share.of
    }
    told["points"] = {}
    for name in summary.moments:
        mean = summary.mean(name)
        sure = not isnan(mean.error)
        told["points"][name] = {"mean": mean.value, "interval": mean.interval() if sure else None}
    told["cups"] = {
        cup: {
            "mean": average(held),
            **{f"{part:.0%}": quantile(held, part) for part in (0.05, 0.5, 0.95, 0.99)},
            "highest": summary.highest[f"{cup}_cup"],
        }
        for cup in summary.cups
        if (held := combined_cup(summary, cup))
    }
    return told


def lines(plan: Plan, summary: Summary) -> Iterator[str]:
    """The table."""
    from ultimo.analysis.simulation.rows import label
    from ultimo.analysis.statistics import average, combined_cup, quantile

    players = plan.players[0] if len(set(plan.players)) == 1 else ", ".join(plan.players)
    sessions = f", sessions of {plan.length}" if summary.cups else ""
    house = " with house rules" if plan.overrides else ""
    yield f"{rules_of(plan).title}{house}: {summary.deals:,} deals, {plan.table} at the table{sessions}"
    yield f"players: {players} · seed {plan.seed}"
    if plan.overrides:
        yield figures.BOOK_PRICES[rules_of(plan).family]
    yield ""
    yield f"{'':<34} {'deals':>11} {'share':>11}   95 % interval"
    for name, share in shares(summary):
        of = "" if share.of == summary.deals else " of those played"
        interval = figures.percents(share.interval())
        yield f"{label(name):<34} {share.count:>11,} {figures.percent(share.value):>11}   {interval}{of}"
    yield ""
    yield f"{'points a deal':<34} {'':>11} {'mean':>11}   95 % interval"
    for name in summary.moments:
        mean = summary.mean(name)
        yield f"{name:<34} {'':>11} {figures.number(mean.value):>11}   {figures.numbers(mean.interval())}"
    if summary.cups:
        yield ""
        yield f"{'cups as a deal begins':<34} {'median':>11} {'mean':>11}   95 % below, highest"
        for cup in summary.cups:
            held = combined_cup(summary, cup)
            spread = f"{quantile(held, 0.95):,}, {summary.highest[f'{cup}_cup']:,}"
            yield f"{cup + ' cup':<34} {quantile(held, 0.5):>11,} {average(held):>11,.1f}   {spread}"


# --- recorded ------------------------------------------------------------------------------------------


def _recorded(arguments: Namespace) -> int:
    """Play, record as it goes, and sum up."""
    rules = given.rules(arguments.rules, given.house(arguments))
    table = arguments.table or max(rules.sizes)
    levels = figures.levels(arguments.players, table, table)
    tally = Tally(rules, table)
    deals = arguments.deals or RECORDED
    seed, first = _seed(arguments), 0
    sessions = _sessions(arguments.out, deals, arguments.length)
    options = {"limit": arguments.limit, "errors": given.errors(arguments)}
    with progress(deals) as advance:
        for file, deals in sessions:
            match = _match(rules, levels, seed, first, options)
            try:
                _record(match, file, deals, tally, advance)
            finally:
                tally.see_off(match)
            first += deals
    print("\n".join(tally.lines()), file=sys.stderr if arguments.out == given.STREAM else sys.stdout)
    return 0


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


def _match(rules: Rules, levels: list[str], seed: int, first: int, options: dict[str, Any]) -> Match:
    """A session from deal number `first` on, played by the engine alone where the kernel cannot."""
    figures.need("numpy", "fast")
    from ultimo.players.numbered import Numbered, can_play

    try:
        if can_play(rules, levels):
            return Numbered(rules, levels, seed, first)
        players = {
            seat: create(level, f"{seed}:{first}:{seat}", **options) for seat, level in enumerate(levels)
        }
        names = [f"{short(level)} {seat}" for seat, level in enumerate(levels)]
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
        self.faults: dict[Seat, dict[str, tuple[int, str]]] = {}

    def add(self, events: Sequence[Event], ended: deal.State) -> None:
        """Count a deal: what was told, and the state in which it ended."""
        self.deals += 1
        self._pay(events)
        self.counts.update(map(names("en").happened, events_of(self.rules, events, ended)))
        if ended.result in RESULTS:
            self.counts[RESULTS[ended.result]] += 1
        elif isinstance(ended, french.State) and ended.contract is not None:
            self.counts[names("en").bid(ended.contract.id)] += 1

    def close(self, events: Sequence[Event]) -> None:
        """Count the end of a session, which is no deal."""
        self._pay(events)

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
        for seat, faults in sorted(self.faults.items()):
            yield ""
            yield from figures.faults(f"seat {seat}", faults)

    def see_off(self, match: Match) -> None:
        """The session is over: players from elsewhere leave, and what they did wrong is counted."""
        for seat, faults in zip(match.players, see_off(list(match.players.values())), strict=True):
            for fault in faults:
                kinds = self.faults.setdefault(seat, {})
                count, first = kinds.get(fault.kind, (0, fault.message))
                kinds[fault.kind] = count + 1, first

    def _labels(self) -> list[str]:
        words = names("en")
        if isinstance(self.rules, FrenchRules):
            bids = [words.bid(row.id) for row in self.rules.bid.ladder]
            return [*bids, *map(words.happened, FRENCH), RESULTS["thrownIn"]]
        return [*map(words.happened, DANISH), RESULTS["scrapped"], RESULTS["passed"]]

    def _pay(self, events: Sequence[Event]) -> None:
        gained = balances(one for event in events if isinstance(event, Paid) for one in event.transfers)
        self.totals = [total + gained[seat] for seat, total in enumerate(self.totals)]
