"""What several commands are given: rules with house rules, files, a language."""

from __future__ import annotations

import os
import sys
from argparse import ArgumentParser, ArgumentTypeError, Namespace, _ArgumentGroup
from pathlib import Path
from typing import Any

from ultimo import files, names, record, rulebook
from ultimo.cli.complaint import Complaint, complaining
from ultimo.record import RecordError

STREAM = "-"  # stands for standard input or output


def add_house(parser: ArgumentParser) -> None:
    """The options for house rules."""
    parser.add_argument("--house", metavar="FILE", help="house rules from a TOML file")
    parser.add_argument(
        "--set",
        metavar="KEY=VALUE",
        action="append",
        default=[],
        help="set one house rule, e.g. --set skus.demandable=false (repeatable)",
    )


def add_programs(parser: ArgumentParser | _ArgumentGroup) -> None:
    """The options for players that are programs."""
    parser.add_argument(
        "--limit", metavar="S", type=seconds, help="seconds that a program has for a decision (5)"
    )
    parser.add_argument(
        "--errors", metavar="FILE", help="add what programs write to standard error to this file"
    )
    parser.add_argument("--verbose", action="store_true", help="show what programs write to standard error")


def seconds(text: str) -> float:
    """A time."""
    try:
        found = float(text)
    except ValueError:
        found = 0.0
    if not 0 < found < float("inf"):
        raise ArgumentTypeError(f"{text!r} is not a time in seconds")
    return found


def errors(arguments: Namespace) -> str | None:
    """Where programs complain: a file, `-` for all to see, or nowhere."""
    if arguments.verbose:
        return STREAM
    if arguments.errors is None:
        return None
    try:
        Path(arguments.errors).open("ab").close()
    except OSError as error:
        raise Complaint(f"{arguments.errors}: {error.strerror}") from error
    return str(Path(arguments.errors).absolute())


def add_language(parser: ArgumentParser, of: str = "") -> None:
    """The option for the language; `of` says of what, if not of everything."""
    parser.add_argument(
        "--lang", metavar="xx", help=f"{of}{', '.join(names.LANGUAGES)}; default: your system language"
    )


def plain(said: str) -> str:
    """What is written behind an option and must be text; a file may be called anything."""
    try:
        said.encode()
    except UnicodeEncodeError:
        raise ArgumentTypeError("must be UTF-8 text") from None
    return said


@complaining(rulebook.RulebookError)
def house(arguments: Namespace) -> dict[str, Any]:
    """The house rules that were given; what is set one by one goes over what a file says."""
    from_file = rulebook.read_overrides(Path(arguments.house)) if arguments.house else {}
    return from_file | dict(map(rulebook.parse_override, arguments.set))


@complaining(rulebook.RulebookError)
def rules(book: str, house: dict[str, Any]) -> rulebook.Rules:
    """A rulebook with house rules."""
    return rulebook.load(book, house)


@complaining(ValueError)
def words(arguments: Namespace) -> names.Names:
    """The names of the language that was asked for, or of the environment."""
    return names.names(names.language(arguments.lang, os.environ))


def called(file: str, stream: str = "input") -> str:
    """What a complaint calls a file."""
    return f"standard {stream}" if file == STREAM else file


def read(file: str, most: int = files.SMALL) -> bytes:
    """The bytes of a file, or of standard input; there may be `most`."""
    try:
        return files.stream(sys.stdin.buffer, most) if file == STREAM else files.read(file, most)
    except files.FileError as error:
        raise Complaint(f"{called(file)}: {error}") from error


def text(file: str, most: int = files.SMALL) -> str:
    """The text of a file, or of standard input."""
    data = read(file, most)
    with complaining(files.FileError, about=f"{called(file)}: "):
        return files.text(data)


def read_record(file: str, *, tolerant: bool = False) -> tuple[str, record.Record]:
    """The text of a record, and what it says; `tolerant` drops what was cut off at its end."""
    try:
        text = record.decode(read(file, files.RECORD), tolerant=tolerant)
        return text, record.loads(text, tolerant=tolerant)
    except RecordError as error:
        raise damaged(file, error) from error


def damaged(file: str, error: RecordError) -> Complaint:
    """The complaint about a record, in the form that editors understand."""
    return Complaint(f"{called(file)}:{error.line}:{error.column}: {error.reason}")
