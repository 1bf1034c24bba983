"""`ultimo arena`: players play the same deals in each other's seats, and are measured by it."""

from __future__ import annotations

from argparse import ArgumentParser, ArgumentTypeError, Namespace
from collections.abc import Iterator
from pathlib import Path
from typing import TYPE_CHECKING

from ultimo.cli import figures, given
from ultimo.cli.complaint import Complaint
from ultimo.cli.progress import progress
from ultimo.names import names
from ultimo.players.player import short, split

if TYPE_CHECKING:
    from ultimo.analysis.statistics import Share
    from ultimo.players.arena.arena import Plan
    from ultimo.players.arena.card import Card
    from ultimo.players.arena.results import Estimate, Result, Standing

BOOK, DEALS, SEED = "dtf", 100, 1
NOT_WITH_CARD = ("table", "seed", "cups", "plot", "set", "house")
PICTURES = (".png", ".svg")
LABEL = 14  # letters of a player in a table
OPTIONS = ("seconds", "samples", "limit")  # for the players


def arguments(parser: ArgumentParser) -> None:
    """The arguments of the command."""
    parser.add_argument("--rules", metavar="ID", help="the rulebook (dtf); with --card several (all)")
    parser.add_argument(
        "--card",
        action="store_true",
        help="measure one player by the benchmark card: fixed deals against fixed opponents",
    )
    parser.add_argument(
        "--players",
        metavar="LEVEL,…",
        default="random",
        help="one for all, or one a player: random, beginner, club, student, expert, master, "
        "package.module:Class, "
        "cmd:PROGRAM (random)",
    )
    parser.add_argument(
        "--table", metavar="N", type=int, help="how many sit at the table (as many as players, or the fewest)"
    )
    parser.add_argument(
        "--deals",
        metavar="N",
        type=figures.positive,
        help=f"how many deals, each played in every rotation ({DEALS})",
    )
    parser.add_argument("--seed", metavar="N", type=int, help="same seed, same deals (1)")
    parser.add_argument(
        "--cups",
        metavar="KING,PAGAT",
        type=_cups,
        help="what the cups hold as a deal begins (typical values from the middle of a game)",
    )
    parser.add_argument(
        "--seconds",
        metavar="S",
        type=given.seconds,
        help="thinking time per decision (of the processor), for levels that search",
    )
    parser.add_argument(
        "--samples",
        metavar="N",
        type=figures.positive,
        help="samples per decision instead of a time limit (gives repeatable results)",
    )
    given.add_programs(parser)
    parser.add_argument(
        "--processes", metavar="N", type=figures.positive, help="processes to use (default: all processors)"
    )
    figures.add_cluster(parser)
    parser.add_argument(
        "--out",
        metavar="FILE",
        help="write the result as JSON; an interrupted run resumes from here (with --card a folder)",
    )
    parser.add_argument("--plot", metavar="FILE", help="a picture, in FILE.png or FILE.svg")
    parser.add_argument("--json", action="store_true", help="the result for a program")
    given.add_house(parser)


def _cups(text: str) -> tuple[int, int]:
    king, _, pagat = text.partition(",")
    if not king.isdecimal() or not pagat.isdecimal():
        raise ArgumentTypeError(f"{text!r} is not what two cups hold: write e.g. 60,60")
    return int(king), int(pagat)


def run(arguments: Namespace) -> int:
    """Play, write the result and the picture, and tell it."""
    figures.need("numpy")
    figures.need("openskill")
    if arguments.card:
        return _card(arguments)
    if arguments.plot is not None:
        if Path(arguments.plot).suffix not in PICTURES:
            raise Complaint(f"{arguments.plot}: a picture is written as {' or '.join(PICTURES)}")
        figures.need("matplotlib")
    found = _result(arguments)
    if arguments.plot is not None:
        with figures.drawing(arguments.plot):
            _draw(Path(arguments.plot), found)
    if arguments.json:
        figures.print_json(found)
    else:
        print("\n".join(lines(found)))
    return 0


def _result(arguments: Namespace) -> Result:
    from ultimo.players.arena import arena
    from ultimo.players.arena import running as arena_running

    rules = given.rules(arguments.rules or BOOK, given.house(arguments))
    levels = figures.levels(arguments.players, arguments.table, min(rules.sizes))
    options = _options(arguments)
    out = None if arguments.out is None else Path(arguments.out)
    with figures.running(out):
        made = arena.plan(
            rules,
            levels,
            seed=SEED if arguments.seed is None else arguments.seed,
            deals=arguments.deals or DEALS,
            cups=arguments.cups,
            options=options,
        )
        jobs = made.deals * len(levels)
        with figures.executor(arguments, jobs, "processes") as on, progress(jobs) as advance:
            return arena_running.run(made, out, on, advance, given.errors(arguments))


def _options(arguments: Namespace) -> dict[str, int | float]:
    """What the players are told beside their seed."""
    options = {name: getattr(arguments, name) for name in OPTIONS if getattr(arguments, name) is not None}
    if {"seconds", "samples"} <= options.keys():
        raise Complaint("--seconds and --samples: use only one of them")
    return options


# --- the card ------------------------------------------------------------------------------------------


def _card(arguments: Namespace) -> int:
    """Measure one player by the card."""
    from ultimo.players.arena import card
    from ultimo.players.arena import running as arena_running

    for option in NOT_WITH_CARD:
        if getattr(arguments, option):
            raise Complaint(f"--{option}: the benchmark card says what is played")
    (player, *others) = split(arguments.players)
    if others:
        raise Complaint("--players: the benchmark card measures one player; it brings the others")
    books = card.BOOKS if arguments.rules is None else arguments.rules.split(",")
    folder = None if arguments.out is None else Path(arguments.out)
    with figures.running(folder):
        deals = arguments.deals or card.DEALS
        plans = list(card.plans(player, books=books, deals=deals, options=_options(arguments)))
        if folder is not None:
            folder.mkdir(parents=True, exist_ok=True)
        results = []
        jobs = sum(made.deals * len(made.players) for made in plans)
        with figures.executor(arguments, jobs, "processes") as on, progress(jobs) as advance:
            for made in plans:
                out = None if folder is None else folder / f"{made.rules}-{made.players[1]}.json"
                results.append(arena_running.run(made, out, on, advance, given.errors(arguments)))
        found = card.card(results)
        if folder is not None:
            (folder / "card.json").write_bytes(arena_running.encoded(found))
    if arguments.json:
        figures.print_json(found)
    else:
        print("\n".join(card_lines(found)))
    return 0


def card_lines(found: Card) -> Iterator[str]:
    """The card as a table."""
    told = [f"{found.deals:,} deals", f"seed {found.seed}"]
    told += [f"{name} {value:g}" for name, value in found.options.items()]
    yield f"benchmark card {found.card}: {short(found.player)} · {' · '.join(told)}"
    yield ""
    yield f"{'':<12} {'against':<10} {'gain a deal':>12}   {'95 % interval':<22} {'points a deal':>14}"
    for entry in found.entries:
        gain, interval = _estimate(entry.gain)
        points = figures.number(entry.points.mean)
        yield f"{entry.rules:<12} {entry.opponent:<10} {gain:>12}   {interval:<22} {points:>14}"
    for entry in found.entries:
        if entry.faults:
            yield ""
            failed = {kind: (faults.count, faults.first) for kind, faults in entry.faults.items()}
            yield from figures.faults(f"{entry.rules} against {entry.opponent}", failed)


# --- telling it ----------------------------------------------------------------------------------------


def lines(found: Result) -> Iterator[str]:
    """The tables."""
    from ultimo.analysis.runs import rules_of

    made = found.plan
    house = " with house rules" if made.overrides else ""
    yield f"{rules_of(made).title}{house}: {found.deals:,} deals in {found.rotations} rotations"
    yield f"players: {', '.join(map(short, made.players))} · seed {made.seed}"
    if made.overrides:
        yield figures.BOOK_PRICES[rules_of(made).family]
    yield from _bounds(made)
    yield ""
    yield f"{'':<16} {'points a deal':>15}   {'95 % interval':<22} {'above the table':>15}   95 % interval"
    for one in found.players:
        label = _label(one)
        points, gain = (_estimate(value) for value in (one.points, one.gain))
        yield f"{label:<16} {points[0]:>15}   {points[1]:<22} {gain[0]:>15}   {gain[1]}"
    yield ""
    yield f"{'':<16} {'rating':>15}   {'± sigma':<22} {'a decision':>15}   longest, decisions"
    for one in found.players:
        label = _label(one)
        mean = "–" if one.mean_seconds is None else _time(one.mean_seconds)
        spent = f"{mean:>15}   {_time(one.slowest_seconds)}, {one.decisions:,}"
        yield f"{label:<16} {one.rating.mu:>15.2f}   ± {one.rating.sigma:<20.2f} {spent}"
    yield ""
    yield from _events(found)
    yield from _faults(found)
    if found.odd is not None:
        yield ""
        yield odd_line(found)


def odd_line(found: Result) -> str:
    """What the one player who differs makes of the others."""
    assert found.odd is not None
    one = found.players[found.odd]
    others = next(level for level in found.plan.players if level != one.level)
    points, gain = (_estimate(value) for value in (one.points, one.gain))
    who = f"one {short(one.level)} against {short(others)}"
    told = f"{who}: {gain[0]} points a deal above the table, 95 % {gain[1]}"
    return told if points == gain else f"{told}; {points[0]} points a deal, 95 % {points[1]}"


def _bounds(made: Plan) -> Iterator[str]:
    told = [f"{name} {value:g}" for name, value in made.options.items()]
    if made.cups is not None:
        told.append(f"cups {made.cups[0]} and {made.cups[1]}")
    if told:
        yield " · ".join(told)


def _shares(found: Result) -> Iterator[tuple[str, list[Share]]]:
    """How often what happened to each player; what happened to nobody is left out."""
    for name in found.players[0].events:
        shares = [one.events[name] for one in found.players]
        if any(share.count for share in shares):
            yield name, shares


def _events(found: Result) -> Iterator[str]:
    from ultimo.players.arena.events import OF

    label = names("en").happened
    yield f"{'':<24}" + "".join(f" {_label(one):>14}" for one in found.players)
    for name, shares in _shares(found):
        told = f"{label(name)}, of {label(OF[name])}" if name in OF else label(name)
        yield f"{told:<24}" + "".join(f" {figures.percent(share.value):>14}" for share in shares)


def _faults(found: Result) -> Iterator[str]:
    """What programs did wrong."""
    for one in found.players:
        if one.faults:
            yield ""
            told = {kind: (faults.count, faults.first) for kind, faults in one.faults.items()}
            yield from figures.faults(_label(one), told)


def _label(one: Standing) -> str:
    return f"{one.player + 1} {short(one.level)}"[:LABEL]


def _estimate(value: Estimate) -> tuple[str, str]:
    return figures.number(value.mean), "–" if value.interval is None else figures.numbers(value.interval)


def _time(seconds: float) -> str:
    """A time as people say it.

    >>> _time(0.5), _time(0.0123), _time(0.0000049)
    ('0.50 s', '12.3 ms', '4.9 µs')
    """
    if seconds >= 0.1:
        return f"{seconds:.2f} s"
    return f"{seconds * 1e3:.1f} ms" if seconds >= 1e-4 else f"{seconds * 1e6:.1f} µs"


def _draw(path: Path, found: Result) -> None:
    """What each player makes above the table, and how often what happens to them."""
    from ultimo.analysis import pictures
    from ultimo.analysis.runs import rules_of

    about = f"{found.deals:,} deals in {found.rotations} rotations, seed {found.plan.seed}"
    pictures.standings(
        path,
        f"{rules_of(found.plan).title}: {', '.join(map(short, found.plan.players))}\n{about}",
        {_label(one): (one.gain.mean, one.gain.interval) for one in found.players},
        {names("en").happened(name): shares for name, shares in _shares(found)},
    )
