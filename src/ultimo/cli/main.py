"""The program `ultimo`: one module a command, and only the one that is asked for is loaded."""

from __future__ import annotations

import os
import sys
from argparse import Action, ArgumentParser, Namespace, RawDescriptionHelpFormatter
from collections.abc import Sequence
from importlib import import_module
from typing import Any

from ultimo.cli.complaint import Complaint

COMMANDS = {
    "serve": "open the house: tables in the browser",
    "play": "sit down at a table in the terminal",
    "rules": "list the rulebooks, read one, compare two",
    "settle": "work out the payments of a deal from a score sheet",
    "replay": "check a record move by move and tell it in words",
    "verify": "shuffle once more what a server has dealt, and compare",
    "convert": "write a record in its other spelling",
    "simulate": "let bots play, and record it",
    "arena": "measure players against each other in the same deals",
    "solve": "say what is best with open cards, and who can force what",
    "stats": "measure what the books say about how often things happen",
    "warm": "compile what must be fast, before anybody waits for it",
}
INTERRUPTED = 130


def main(argv: Sequence[str] | None = None) -> int:
    """Run a command; the status to end with: 1 if what was given is wrong, 2 if it was asked for wrongly."""
    given = sys.argv[1:] if argv is None else list(argv)
    arguments = parser(given).parse_args(given)
    try:
        status: int = import_module(f"ultimo.cli.{arguments.command}").run(arguments)
        sys.stdout.flush()
        return status
    except Complaint as complaint:
        print(f"ultimo: {complaint}", file=sys.stderr)
    except BrokenPipeError:  # whoever reads has seen enough
        os.dup2(os.open(os.devnull, os.O_WRONLY), sys.stdout.fileno())  # what is left to flush goes nowhere
    except KeyboardInterrupt:
        return INTERRUPTED
    return 1


def parser(given: Sequence[str] = ()) -> ArgumentParser:
    """The parser of all commands; the arguments of the one that is `given`."""
    whole = ArgumentParser(prog="ultimo", description="Danish Tarok and French Tarot, exactly.")
    whole.add_argument("--version", action=_Version, nargs=0, help="say which version this is")
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
