"""`ultimo convert`: write a record in its other spelling."""

from __future__ import annotations

import sys
from argparse import ArgumentParser, Namespace
from pathlib import Path

from ultimo.cli import given
from ultimo.cli.complaint import Complaint
from ultimo.record import Spelling, jsonl, sheet

SUFFIXES: dict[str, Spelling] = {".jsonl": "jsonl", ".sheet": "sheet", ".txt": "sheet"}
WRITERS = {"jsonl": jsonl.dumps, "sheet": sheet.dumps}


def arguments(parser: ArgumentParser) -> None:
    """The arguments of the command."""
    parser.add_argument(
        "source", metavar="IN", help="a record (JSON lines or text sheet); - for standard input"
    )
    parser.add_argument("target", metavar="OUT", help=f"{', '.join(SUFFIXES)}; - is standard output")
    parser.add_argument("--to", choices=sorted(WRITERS), help="the format, if the file name does not show it")


def run(arguments: Namespace) -> int:
    """Read the record and write it."""
    spelling = arguments.to or SUFFIXES.get(Path(arguments.target).suffix)
    if spelling is None:
        target = given.called(arguments.target, "output")
        raise Complaint(
            f"{target}: add --to jsonl or --to sheet, or use a file name ending in {', '.join(SUFFIXES)}"
        )
    _, read = given.read_record(arguments.source)
    write(arguments.target, WRITERS[spelling](read).encode())
    return 0


def write(file: str, data: bytes) -> None:
    """Write a file, or to standard output."""
    try:
        if file == given.STREAM:
            sys.stdout.buffer.write(data)
        else:
            Path(file).write_bytes(data)
    except BrokenPipeError:
        raise
    except (OSError, ValueError) as error:  # a name with a NUL
        reason = error.strerror if isinstance(error, OSError) else "there can be no such name"
        raise Complaint(f"{given.called(file, 'output')}: {reason}") from error
