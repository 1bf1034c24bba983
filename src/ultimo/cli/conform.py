"""`ultimo conform`: check any program against the conformance suite, or answer it."""

from __future__ import annotations

import io
import shlex
import sys
from argparse import ArgumentParser, ArgumentTypeError, Namespace
from collections import Counter
from collections.abc import Iterator, Mapping, Sequence
from pathlib import Path
from typing import Any

import msgspec

from ultimo.cli import given, replay
from ultimo.cli import settle as settling
from ultimo.cli.complaint import Complaint
from ultimo.conformance import plain, running, suite
from ultimo.conformance.plain import Unsupported, Wrong, ledger
from ultimo.conformance.running import Answering, Engine, Verdict
from ultimo.conformance.suite import Vector
from ultimo.events import ImpossibleOutcome
from ultimo.record import RecordError
from ultimo.record.check import IllegalRecord
from ultimo.rulebook import Rules, ids, overrides

ENGINES = {
    "plain": "the engine itself",
    "kernel": "the compiled deals",
    "terminal": "ultimo settle and ultimo replay",
}
SHOWN = 10


def arguments(parser: ArgumentParser) -> None:
    """The arguments of the command."""
    way = parser.add_mutually_exclusive_group(required=True)
    way.add_argument("--engine", metavar="CMD", help="the program to check, with its arguments")
    way.add_argument(
        "--serve",
        metavar="ENGINE",
        nargs="?",
        const="plain",
        choices=ENGINES,
        help="answer requests on standard input: "
        + ", ".join(f"{one} ({what})" for one, what in ENGINES.items()),
    )
    parser.add_argument("--suite", metavar="DIR", help="another folder of vectors (*.jsonl)")
    parser.add_argument(
        "--kind",
        metavar="KIND",
        action="append",
        default=[],
        help=f"only this kind (repeatable): {', '.join(suite.KINDS)}",
    )
    parser.add_argument(
        "--rules", metavar="ID", action="append", default=[], help="only this rule set (repeatable)"
    )
    parser.add_argument(
        "--timeout",
        metavar="S",
        type=_seconds,
        default=10.0,
        help="seconds to wait for an answer (default: 10)",
    )
    parser.add_argument(
        "--show",
        metavar="N",
        type=int,
        default=SHOWN,
        help=f"how many differences to show (default: {SHOWN})",
    )
    parser.add_argument("--json", action="store_true", help="for programs")
    parser.epilog = "The vectors, the protocol and all notation: conformance/README.md."


def _seconds(given: str) -> float:
    seconds = float(given)
    if not 0 < seconds <= 3600:
        raise ArgumentTypeError("give seconds, more than 0 and at most 3600")
    return seconds


def run(arguments: Namespace) -> int:
    """Check a program and say what was found; or answer until there are no more requests."""
    if arguments.serve is not None:
        running.serve(engine(arguments.serve), sys.stdin.buffer, _say)
        return 0
    try:
        command = shlex.split(arguments.engine)
    except ValueError as error:  # a quotation mark that is never closed
        raise Complaint(f"--engine: {error}") from error
    if not command:
        raise Complaint("--engine: name a program")
    vectors = list(chosen(arguments))
    verdicts = list(running.run(vectors, Engine(command, arguments.timeout)))
    if arguments.json:
        print(msgspec.json.encode(report(arguments.engine, verdicts)).decode())
    else:
        print("\n".join(lines(arguments.engine, verdicts, arguments.show)))
    statuses = Counter(one.status for one in verdicts)
    return 0 if statuses["passed"] and not statuses["failed"] else 1


def _say(line: str) -> None:
    sys.stdout.write(line)
    sys.stdout.flush()


def chosen(arguments: Namespace) -> Iterator[Vector]:
    """The vectors that were asked for; none at all is a complaint."""
    for kind in arguments.kind:
        if kind not in suite.KINDS:
            raise Complaint(f"--kind: there is no {kind!r}; there are {', '.join(suite.KINDS)}")
    for book in arguments.rules:
        if book not in ids():
            raise Complaint(f"--rules: there is no {book!r}; there are {', '.join(ids())}")
    folder = Path(arguments.suite) if arguments.suite else suite.FOLDER
    try:
        found = list(suite.vectors(folder, arguments.kind, arguments.rules))
    except (msgspec.DecodeError, OSError) as error:
        raise Complaint(f"{folder}: {error}") from error
    if not found:
        raise Complaint(f"{folder}: there are no such vectors")
    return iter(found)


# --- engines ---------------------------------------------------------------------------------------------


def engine(name: str) -> Answering:
    """One of the ways in which Ultimo answers."""
    if name == "kernel":
        try:
            from ultimo.conformance import compiled
        except ImportError as error:
            raise Complaint(f"--serve kernel needs the extra 'fast': {error}") from error
        return compiled.answer
    return through_commands if name == "terminal" else plain.answer


def through_commands(kind: str, rules: Rules, asked: Mapping[str, Any]) -> dict[str, Any]:
    """Answers by what the commands `settle` and `replay` print for programs."""
    match kind:
        case "outcome" | "impossible":
            sheet = {"rules": rules.id, "overrides": overrides(rules), "outcome": asked}
            return _settled(
                rules, msgspec.json.decode(_printed(settling, ["--json"], msgspec.json.encode(sheet)))
            )
        case "record":
            steps = msgspec.json.decode(_printed(replay, ["-", "--json"], asked["text"].encode()))["steps"]
            header = msgspec.json.decode(asked["text"].removeprefix("\ufeff").split("\n")[0])
            return {"nets": steps[-1]["totals"] if steps else [0] * header["table"]}
        case _:
            raise Unsupported(kind)


def _settled(rules: Rules, printed: Mapping[str, Any]) -> dict[str, Any]:
    """What `ultimo settle` prints, as an answer."""
    settled = msgspec.convert(printed, settling.Settled)
    before = ledger(rules, len(settled.nets), settled.transfers, {"king": 0, "pagat": 0})
    found = {"nets": list(settled.nets), "payments": before["payments"]}
    return found | ({"cups": settled.cups} if rules.accounts else {})


def _printed(command: Any, given_arguments: Sequence[str], data: bytes) -> bytes:
    """What a command prints when it reads this; what it complains of becomes an error with its key."""
    parser = ArgumentParser()
    command.arguments(parser)
    standard = sys.stdin, sys.stdout
    out = io.TextIOWrapper(io.BytesIO(), encoding="utf-8")
    sys.stdin, sys.stdout = io.TextIOWrapper(io.BytesIO(data), encoding="utf-8"), out
    try:
        command.run(parser.parse_args([*given_arguments]))
        out.flush()
        return out.buffer.getvalue()
    except Complaint as complaint:
        raise _as_error(complaint) from complaint
    finally:
        sys.stdin, sys.stdout = standard


def _as_error(complaint: Complaint) -> Wrong:
    """The key behind a complaint, and the line that it names."""
    match complaint.__cause__:
        case ImpossibleOutcome(key=key, field=field):
            return Wrong(key, field=field)
        case RecordError(key=key, line=line):
            return Wrong(key, line=line)
        case IllegalRecord(key=key):
            return Wrong(key, line=int(str(complaint).removeprefix(given.called(given.STREAM)).split(":")[1]))
        case _:
            return Wrong("")


# --- telling ---------------------------------------------------------------------------------------------


def report(command: str, verdicts: Sequence[Verdict]) -> dict[str, Any]:
    """All that was found, for programs."""
    statuses = Counter(one.status for one in verdicts)
    groups = Counter((one.vector.rules, one.vector.kind, one.status) for one in verdicts)
    cited = Counter((cite, one.status) for one in verdicts for cite in one.vector.cites)
    return {
        "engine": command,
        **{status: statuses[status] for status in ("passed", "failed", "unsupported")},
        "groups": [
            {"rules": book, "kind": kind, "status": status, "vectors": number}
            for (book, kind, status), number in sorted(groups.items())
        ],
        "citations": [
            {"cite": cite, "passed": cited[cite, "passed"], "failed": cited[cite, "failed"]}
            for cite in sorted({cite for cite, status in cited if status != "unsupported"})
        ],
        "failures": [
            {
                "id": one.vector.id,
                "kind": one.vector.kind,
                "rules": one.vector.rules,
                "cites": one.vector.cites,
                "why": one.why,
            }
            for one in verdicts
            if one.status == "failed"
        ],
    }


def lines(command: str, verdicts: Sequence[Verdict], shown: int) -> Iterator[str]:
    """What was found, for people: by rule set and kind, by citation, then the first differences."""
    told = report(command, verdicts)
    groups = {(one["rules"], one["kind"], one["status"]): one["vectors"] for one in told["groups"]}
    yield f"{command}: {len(verdicts):,} vectors"
    for book, kind in sorted({(book, kind) for book, kind, _ in groups}):
        parts = [
            f"{groups[book, kind, status]:,} {status}"
            for status in ("passed", "failed", "unsupported")
            if (book, kind, status) in groups
        ]
        yield f"  {book:<10} {kind:<13} {', '.join(parts)}"
    broken = [one for one in told["citations"] if one["failed"]]
    if broken:
        yield ""
        yield "Failed, by the place of the rule:"
        for one in sorted(broken, key=lambda one: (-one["failed"], one["cite"])):
            yield f"  [{one['cite']}] {one['failed']:,} of {one['failed'] + one['passed']:,}"
        yield ""
        yield "The first differences:"
        for one in told["failures"][:shown]:
            yield f"  {one['id']} [{', '.join(one['cites'])}]: {one['why']}"
        if len(told["failures"]) > shown:
            yield f"  … and {len(told['failures']) - shown:,} more"
    yield ""
    yield ", ".join(f"{told[status]:,} {status}" for status in ("passed", "failed", "unsupported"))
