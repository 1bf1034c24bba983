"""The program `ultimo`: one module a command, and only the one that is asked for is loaded."""

from __future__ import annotations

import os
import sys
from argparse import Action, ArgumentParser, Namespace, RawDescriptionHelpFormatter
from collections.abc import Sequence
from contextlib import suppress
from importlib import import_module
from io import TextIOWrapper
from typing import Any

from ultimo.cli.complaint import Complaint

COMMANDS = {
    "serve": "run the web server: play in the browser",
    "backup": "save all that a server keeps, even while it runs",
    "restore": "fill an empty database with a backup",
    "play": "play in the terminal",
    "sit": "let a program play at a table of a server",
    "rules": "list, show or compare rulebooks",
    "settle": "work out the payments for a deal played with real cards",
    "sheet": "print and check the score sheet of an evening with real cards",
    "deals": "prepare deals that all tables play, by a seed, and print them",
    "seating": "draw who sits at which table in each round of an evening",
    "club": "print and check the standings of an exported club",
    "replay": "check a recorded game move by move and describe it",
    "review": "judge every decision of a recorded deal",
    "verify": "check that a server shuffled the cards fairly",
    "convert": "convert a record between JSON lines and text sheet",
    "conform": "check another engine against the conformance suite",
    "simulate": "let bots play: record games or collect statistics",
    "dataset": "write every decision of bots' deals as a corpus for learning",
    "arena": "compare bots by playing the same deals",
    "solve": "find the best play with all cards face up",
    "puzzle": "solve endings as puzzles in the terminal",
    "puzzles": "find new puzzles in bots' games, or check them",
    "stats": "compare the books' frequencies with simulated ones",
    "warm": "prepare the bots now so that the first game starts faster",
}
INTERRUPTED = 130


def main(argv: Sequence[str] | None = None) -> int:
    """Run a command; the status to end with: 1 if what was given is wrong, 2 if it was asked for wrongly."""
    given = sys.argv[1:] if argv is None else list(argv)
    if isinstance(sys.stdout, TextIOWrapper):
        sys.stdout.reconfigure(
            errors="replace"
        )  # a terminal may not know all letters, nor a file name be text
    arguments = parser(given).parse_args(given)
    try:
        status: int = import_module(f"ultimo.cli.{arguments.command}").run(arguments)
        sys.stdout.flush()
        return status
    except Complaint as complaint:
        print(f"ultimo: {complaint}", file=sys.stderr)
    except BrokenPipeError:  # whoever reads has seen enough
        _flush_nowhere()
    except OSError as error:  # of a disk that is full, for one
        print(
            f"ultimo: {Complaint(': '.join(map(str, filter(None, (error.filename, error.strerror)))))}",
            file=sys.stderr,
        )
        _flush_nowhere()
    except MemoryError:
        print("ultimo: there is not enough memory for this", file=sys.stderr)
    except KeyboardInterrupt:
        return INTERRUPTED
    return 1


def _flush_nowhere() -> None:
    """Let go of what cannot be written any more."""
    with suppress(OSError):  # where standard output is no file
        os.dup2(os.open(os.devnull, os.O_WRONLY), sys.stdout.fileno())


def parser(given: Sequence[str] = ()) -> ArgumentParser:
    """The parser of all commands; the arguments of the one that is `given`."""
    whole = ArgumentParser(prog="ultimo", description="Play Danish Tarok and French Tarot by the book.")
    whole.add_argument("--version", action=_Version, nargs=0, help="show the version")
    commands = whole.add_subparsers(dest="command", metavar="COMMAND", required=True)
    chosen = next((word for word in given if not word.startswith("-")), None)
    for name, about in COMMANDS.items():
        one = commands.add_parser(
            name, help=about, description=about, formatter_class=RawDescriptionHelpFormatter
        )
        if name == chosen:
            import_module(f"ultimo.cli.{name}").arguments(one)
    return whole


class _Version(Action):
    def __call__(self, parser: ArgumentParser, namespace: Namespace, *_: Any) -> None:
        from importlib.metadata import version

        print(f"ultimo {version('ultimo')}")
        parser.exit()


if __name__ == "__main__":
    sys.exit(main())
