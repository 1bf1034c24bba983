"""`ultimo settle`: the payments of a deal from a score sheet."""

from __future__ import annotations

import re
from argparse import ArgumentParser, Namespace
from collections.abc import Iterator
from typing import Any

import msgspec
from msgspec import Struct

from ultimo import deal
from ultimo.cli import given
from ultimo.cli.complaint import Complaint, complaining
from ultimo.events import Cup, ImpossibleOutcome, Seat, Transfer, balances
from ultimo.family import Outcome
from ultimo.names import capital
from ultimo.record.places import not_a_card
from ultimo.rulebook import Rules, fault
from ultimo.telling.teller import Teller, cite_after

GAMES = {"danish": "Danish Tarok", "french": "French Tarot"}


class ScoreSheet(Struct, frozen=True, forbid_unknown_fields=True):
    """What is settled: the outcome of a deal, and under which rules it was played."""

    outcome: Outcome
    rules: str | None = None
    overrides: dict[str, Any] = {}


class Settled(Struct, frozen=True):
    """Every payment of a deal, what each seat and cup has in the end, and who took which cup."""

    rules: str
    transfers: tuple[Transfer, ...]
    nets: tuple[int, ...]
    cups: dict[Cup, int]
    emptied: dict[Cup, Seat]


def arguments(parser: ArgumentParser) -> None:
    """The arguments of the command."""
    parser.add_argument(
        "file", metavar="FILE", nargs="?", default=given.STREAM, help="JSON file (default: standard input)"
    )
    parser.add_argument("--rules", metavar="ID", help="the rulebook, instead of the one in the file")
    given.add_house(parser)
    given.add_language(parser)
    parser.add_argument("--json", action="store_true", help="for programs")
    parser.epilog = (
        'The file: {"rules": "dtf", "overrides": {}, "outcome": {"family": "danish", …}}; see docs/settle.md.'
    )


def run(arguments: Namespace) -> int:
    """Print the payments."""
    words = given.words(arguments)
    sheet = read(arguments.file, given.text(arguments.file))
    rules = given.rules(_book(arguments, sheet), sheet.overrides | given.house(arguments))
    settled = settle(arguments.file, rules, sheet.outcome)
    if arguments.json:
        print(msgspec.json.encode(settled).decode())
    else:
        seats = tuple(words.text("seat", number=seat) for seat in range(len(settled.nets)))
        print("\n".join(lines(Teller(words, rules, seats), settled)))
    return 0


def _book(arguments: Namespace, sheet: ScoreSheet) -> str:
    book: str | None = arguments.rules or sheet.rules
    if book is None:
        raise Complaint(f"{given.called(arguments.file)}: rules: name the rulebook here or with --rules")
    return book


# --- reading -------------------------------------------------------------------------------------------


def read(file: str, data: str) -> ScoreSheet:
    """The score sheet in a file."""
    try:
        return msgspec.json.decode(data, type=ScoreSheet)
    except msgspec.ValidationError as error:
        raise Complaint(f"{given.called(file)}: {_in_words(error)}") from error
    except (msgspec.DecodeError, RecursionError) as error:
        raise Complaint(f"{given.called(file)}: not JSON: {error}") from error


def _in_words(error: msgspec.ValidationError) -> str:
    """What is wrong with which field."""
    reason, field = fault(error)
    if named := _FIELD.search(reason):
        reason = "is missing" if named[1] == "missing required" else "there is no such field"
        return f"{field}.{named[2]}".removeprefix(".") + f": {reason}"
    field = field or "the score sheet"
    if found := _NO_WORD.fullmatch(reason):
        is_card = field.endswith(_CARDS)
        return f"{field}: {not_a_card(found[1]) if is_card else f'{found[1]!r} is not a word for this'}"
    reason = _KIND.sub(lambda kind: _kind(kind[1]), reason)
    return f"{field}: {reason[:1].lower()}{reason[1:]}"


def _kind(names: str) -> str:
    """What a value is, to a person: `int | null` is a whole number."""
    return " or ".join(_KINDS.get(name, name) for name in names.split(" | ") if name != "null")


_FIELD = re.compile(r"(missing required|contains unknown) field `(\w+)`")
_NO_WORD = re.compile(r"Invalid enum value '(.*)'", re.DOTALL)
_CARDS = (".card", ".missing")  # fields that hold a card; any other word comes from a list
_KIND = re.compile(r"`([\w |]+)`")
_KINDS = {
    "int": "a whole number",
    "str": "text",
    "bool": "true or false",
    "array": "a list",
    "object": "an object",
}


def schema() -> dict[str, Any]:
    """The JSON Schema of a score sheet. A card or an announcement needs no type: its place tells."""
    (whole,), definitions = msgspec.json.schema_components((ScoreSheet,), ref_template="#/$defs/{name}")
    for definition in definitions.values():
        if "type" in definition.get("properties", {}):
            definition["required"] = [name for name in definition["required"] if name != "type"]
    return {
        "$schema": "https://json-schema.org/draft/2020-12/schema",
        "title": "A score sheet for `ultimo settle`",
        **whole,
        "$defs": dict(sorted(definitions.items())),
    }


# --- reckoning -----------------------------------------------------------------------------------------


def settle(file: str, rules: Rules, outcome: Outcome) -> Settled:
    """Every payment of a deal; an outcome that no deal can have is refused."""
    if outcome.family != rules.family:
        raise Complaint(
            f"{given.called(file)}: outcome.family: this is a deal of {GAMES[outcome.family]}, "
            f"but {rules.id} is a rulebook for {GAMES[rules.family]}"
        )
    with complaining(ImpossibleOutcome, about=f"{given.called(file)}: outcome."):
        settlement = deal.settle(rules, outcome)
    gained = balances(settlement.transfers)
    return Settled(
        rules.id,
        settlement.transfers,
        tuple(gained[seat] for seat in range(outcome.table)),
        {cup: held + gained[cup] for cup, held in outcome.cups.items()},
        dict(settlement.emptied),
    )


# --- telling -------------------------------------------------------------------------------------------


def lines(teller: Teller, settled: Settled) -> Iterator[str]:
    """The payments with their citations, then what everybody and the cups have."""
    for transfer in settled.transfers:
        yield f"{capital(teller.payment(transfer))}{cite_after(teller, transfer.cite)}"
    if settled.transfers:
        yield ""
    yield f"{teller.text('total')}: {teller.totals(settled.nets)}"
    if settled.cups:
        held = ", ".join(f"{teller.words.cup(cup)} {points}" for cup, points in settled.cups.items())
        yield f"{teller.text('cups')}: {held}"
    for cup in settled.emptied:
        yield teller.text("tells.cupEmptied", cup=teller.words.cup(cup))
