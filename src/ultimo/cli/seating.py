"""`ultimo seating`: draw who sits at which table in each round of an evening."""

from __future__ import annotations

from argparse import ArgumentParser, ArgumentTypeError, Namespace
from collections.abc import Collection, Iterator, Mapping

import msgspec

from ultimo.cli import given
from ultimo.cli.complaint import Complaint
from ultimo.cli.figures import positive
from ultimo.cli.progress import progress
from ultimo.club.seating import MOST_PEOPLE, STEPS, Plan, Round, Wish, draw, meetings
from ultimo.club.sheet import Refused
from ultimo.names import club_words


class _Rounds(msgspec.Struct):
    """What is read of a plan; how good it was is not."""

    rounds: tuple[Round, ...]


def arguments(parser: ArgumentParser) -> None:
    """The arguments of the command."""
    parser.add_argument(
        "people",
        metavar="PEOPLE",
        help="how many people, or a file with one name a line; - for standard input",
    )
    parser.add_argument("--rounds", metavar="N", type=positive, default=2, help="rounds of the evening (2)")
    parser.add_argument(
        "--sizes",
        metavar="N,…",
        type=_numbers,
        default=(4, 3),
        help="wished table sizes, the best first (4,3)",
    )
    parser.add_argument("--tables", metavar="N,…", type=_numbers, help="the sizes of the very tables instead")
    parser.add_argument(
        "--late", metavar="NAME:ROUND", type=_at, action="append", default=[], help="comes in that round"
    )
    parser.add_argument(
        "--gone",
        metavar="NAME:ROUND",
        type=_at,
        action="append",
        default=[],
        help="is gone from that round on",
    )
    parser.add_argument(
        "--apart", metavar="NAME,NAME", type=_pair, action="append", default=[], help="never at one table"
    )
    parser.add_argument(
        "--before",
        metavar="FILE",
        action="append",
        default=[],
        help="the plan of an earlier evening (--json): people who met there should rather not meet again",
    )
    parser.add_argument("--plan", metavar="FILE", help="a plan of this evening (--json) to draw anew")
    parser.add_argument(
        "--played", metavar="N", type=positive, help="rounds of --plan that have been played and stay (1)"
    )
    parser.add_argument(
        "--seed", metavar="SEED", type=given.plain, default="1", help="same seed, same plan (1)"
    )
    parser.add_argument(
        "--steps",
        metavar="N",
        type=positive,
        default=STEPS,
        help=f"how long to look for a good plan ({STEPS})",
    )
    parser.add_argument("--json", action="store_true", help="output JSON")
    given.add_language(parser)


def run(arguments: Namespace) -> int:
    """Draw and print the plan."""
    words = given.words(arguments)
    wish = Wish(
        people=_people(arguments.people),
        rounds=arguments.rounds,
        sizes=arguments.sizes,
        tables=arguments.tables,
        from_round=dict(arguments.late),
        until_round={name: number - 1 for name, number in arguments.gone},
        apart=tuple(arguments.apart),
        met=tuple(met for file in arguments.before for met in meetings(_rounds(file))),
    )
    try:
        with progress(arguments.steps, "steps") as advance:
            plan = draw(wish, arguments.seed, _kept(arguments), arguments.steps, advance)
    except Refused as refused:
        raise Complaint(refused.told(words.language)) from refused
    if arguments.json:
        print(msgspec.json.encode(plan).decode())
    else:
        print("\n".join(_told(plan, wish, words.language)))
    return 0


def _people(people: str) -> tuple[str, ...]:
    """Numbers as names, or the lines of a file."""
    if people.isdecimal():
        number = int(people) if len(people) < 10 else MOST_PEOPLE + 1
        return tuple(str(one) for one in range(1, min(number, MOST_PEOPLE + 1) + 1))  # one more is refused
    lines = given.text(people).splitlines()
    return tuple(line.strip() for line in lines if line.strip())


def _kept(arguments: Namespace) -> tuple[Round, ...]:
    if arguments.plan is None:
        if arguments.played is not None:
            raise Complaint("--played goes with --plan")
        return ()
    return _rounds(arguments.plan)[: arguments.played or 1]


def _rounds(file: str) -> tuple[Round, ...]:
    try:
        return msgspec.json.decode(given.text(file), type=_Rounds).rounds
    except (msgspec.DecodeError, RecursionError) as error:
        raise Complaint(f"{given.called(file)}: {error}") from error


def _told(plan: Plan, wish: Wish, language: str) -> Iterator[str]:
    """The rounds table by table, and how good the plan is."""
    words = club_words(language)
    yield words["seating.title"].format(people=len(wish.people))
    yield words["seating.dealer"]
    for number, one in enumerate(plan.rounds, 1):
        yield ""
        yield words["seating.round"].format(round=number)
        heads = [words["seating.table"].format(table=table) for table in range(1, len(one.tables) + 1)]
        for head, table in zip(heads, one.tables, strict=True):
            yield f"  {head.ljust(len(heads[-1]))}  {', '.join(table)}"
    yield ""
    yield from _merits(plan, words)


def _merits(plan: Plan, words: Mapping[str, str]) -> Iterator[str]:
    for number in plan.other:
        sizes = [len(table) for table in plan.rounds[number - 1].tables]
        yield words["seating.other"].format(
            round=number, people=sum(sizes), tables=" + ".join(map(str, sizes))
        )
    if not plan.repeats:
        yield words["seating.fresh"]
    else:
        key = "seating.best" if plan.repeats == plan.bound else "seating.repeats"
        yield words[key].format(repeats=plan.repeats, bound=plan.bound)
        yield words["seating.most"].format(most=plan.most)
    if plan.again:
        yield words["seating.again"].format(again=plan.again)
    yield words["seating.first"].format(span=_span([share.first for share in plan.shares.values()]))
    yield words["seating.out"].format(span=_span([round(100 * share.out) for share in plan.shares.values()]))


def _span(numbers: Collection[int]) -> str:
    least, most = min(numbers), max(numbers)
    return str(least) if least == most else f"{least}–{most}"


# --- what is written behind an option --------------------------------------------------------------------


def _numbers(text: str) -> tuple[int, ...]:
    return tuple(positive(one) for one in text.split(","))


def _at(text: str) -> tuple[str, int]:
    name, _, number = text.rpartition(":")
    if not name:
        raise ArgumentTypeError(f"{text!r} must be a name and a round, as in Karen:2")
    return name, positive(number)


def _pair(text: str) -> tuple[str, str]:
    first, comma, second = text.partition(",")
    if not comma:
        raise ArgumentTypeError(f"{text!r} must be two names, as in Karen,Bo")
    return first.strip(), second.strip()
