"""`ultimo replay`: check a record move by move and tell it in words."""

from __future__ import annotations

from argparse import ArgumentParser, Namespace
from collections.abc import Iterable, Iterator

import msgspec
from msgspec import Struct

from ultimo import deal, record
from ultimo import events as e
from ultimo.cli import given
from ultimo.cli.complaint import Complaint
from ultimo.names import Names
from ultimo.record import Record, RecordError, jsonl, sheet
from ultimo.record.check import IllegalRecord, Position, Step, steps
from ultimo.rulebook import Rules
from ultimo.telling.rules_words import book
from ultimo.telling.teller import Teller, after, cite_after


class Told(Struct, frozen=True):
    """A step of a record as a program reads it: where it stands, what was wished, what followed."""

    deal: int
    line: int
    seat: e.Seat | None
    action: e.Action | None
    events: tuple[e.Event, ...]
    nets: tuple[int, ...]  # what each seat has gained in this deal
    totals: tuple[int, ...]  # and in the session
    cups: dict[e.Cup, int]


def arguments(parser: ArgumentParser) -> None:
    """The arguments of the command."""
    parser.add_argument(
        "file", metavar="FILE", help="a record (JSON lines or text sheet); - for standard input"
    )
    parser.add_argument(
        "--deal", metavar="N", type=int, help="describe only deal N (everything is still checked)"
    )
    given.add_language(parser)
    parser.add_argument("--json", action="store_true", help="output JSON")


def run(arguments: Namespace) -> int:
    """Check the record, and tell it."""
    words = given.words(arguments)
    text, read = given.read_record(arguments.file)
    try:
        rules = record.rules_of(read.header)
    except RecordError as error:
        raise given.damaged(arguments.file, error) from error
    told = checked(arguments.file, text, rules, read)
    if arguments.json:
        some = [one for one in told if arguments.deal in (None, one.deal)]
        head = {key: getattr(read.header, key) for key in ("rules", "digest", "overrides", "table")}
        print(msgspec.json.encode({**head, "steps": some}).decode())
        found = bool(some)
    else:
        found = _print(story(words, rules, read, told), arguments.deal)
    if arguments.deal is not None and not found:
        raise Complaint(f"{given.called(arguments.file)}: there is no deal {arguments.deal}")
    return 0


def _print(lines: Iterable[tuple[int, str]], only: int | None) -> bool:
    """Print the lines of the deal that is asked for, or all, as they come; whether there are any."""
    found = False
    for number, line in lines:
        if only in (None, number):
            print(line)
            found = True
    return found


# --- checking ------------------------------------------------------------------------------------------


def checked(file: str, text: str, rules: Rules, read: Record) -> Iterator[Told]:
    """The steps of a record, each found right; the complaint about the first that is not."""
    events = [entry.event for entry in read.entries]
    places = (jsonl if record.spelling(text) == "jsonl" else sheet).places(text)
    number = 0
    try:
        for position, step in steps(rules, events):
            number += sum(isinstance(event, e.Opened) for event in step.events)
            yield _told(read, position, step, number, places[step.index])
    except IllegalRecord as error:
        raise Complaint(f"{given.called(file)}:{places[error.index]}:1: {error.reason}") from error


def _told(read: Record, position: Position, step: Step, number: int, line: int) -> Told:
    nobody = (0,) * read.header.table
    nets = position.deal.net if position.deal else nobody
    totals = position.series.totals if position.series else nets
    cups = position.deal.cups if position.deal else {}
    if cups and position.series:
        cups = position.series.cups
    return Told(number, line, step.seat, step.action, step.events, nets, totals, cups)


# --- telling -------------------------------------------------------------------------------------------


def story(words: Names, rules: Rules, read: Record, told: Iterable[Told]) -> Iterator[tuple[int, str]]:
    """The record in words, line by line, each with the number of its deal; a trick is one line."""
    teller = Teller(words, rules, players(words, read))
    yield 0, words.text("rulebook", title=book(rules, words.language).title)
    present: deal.State | None = None
    meanwhile: list[str] = []  # what is said while a trick lies on the table is told after it
    for step in told:
        for event in step.events:
            lines = _lines(teller, present, event, step.deal)
            if present is not None and present.trick and not isinstance(event, e.TrickWon | e.DealClosed):
                meanwhile += lines
            else:
                yield from (
                    (step.deal, line) for line in [*_trick(teller, present, event), *meanwhile, *lines]
                )
                meanwhile = []
            present = after(rules, present, event)
        if isinstance(step.events[-1], e.DealClosed):
            yield from ((step.deal, line) for line in _standing(teller, step))


def _standing(teller: Teller, step: Told) -> Iterator[str]:
    yield teller.words.pair(teller.text("total"), teller.totals(step.totals))
    if step.cups:
        held = ", ".join(f"{teller.words.cup(cup)} {points}" for cup, points in step.cups.items())
        yield teller.words.pair(teller.text("cups"), held)


def players(words: Names, read: Record) -> tuple[str, ...]:
    """The names of those at the table; who has none goes by their seat."""
    first = read.entries[0].event if read.entries else None
    if isinstance(first, e.SeriesOpened):
        return first.names
    return tuple(words.text("seat", number=seat) for seat in range(read.header.table))


def _lines(teller: Teller, present: deal.State | None, event: e.Event, number: int) -> list[str]:
    match event:
        case e.CardPlayed() | e.TrickWon():
            return []  # told in the line of the trick
        case e.Paid(transfers=transfers):
            return [
                f"    {teller.payment(transfer)}{cite_after(teller, transfer.cite)}" for transfer in transfers
            ]
        case e.Opened():
            return ["", *teller.tell(present, event, number)]
        case e.Dealt(hands=hands, chien=chien):
            held = {player: hand for player, hand in zip(teller.players, hands, strict=True) if hand}
            if chien:
                held[teller.text("chien")] = chien
            given_out = [f"    {holder}: {teller.cards(some)}" for holder, some in held.items()]
            return [*teller.tell(present, event), *given_out]
        case _:
            return teller.tell(present, event)


def _trick(teller: Teller, present: deal.State | None, event: e.Event) -> Iterator[str]:
    """The trick on the table, which this event ends: who played what, and who wins it if somebody does."""
    if present is None or not present.trick or not isinstance(event, e.TrickWon | e.DealClosed):
        return
    played = ", ".join(
        f"{teller.players[play.seat]} {teller.card(play.card)}"
        + (f" = {teller.suit(play.named)}" if play.named else "")
        for play in present.trick
    )
    number = len(present.tricks) + 1
    won = (
        f": {teller.text('winsTrick', player=teller.players[event.seat])}"
        if isinstance(event, e.TrickWon)
        else ""
    )
    yield f"{number:>3}. {played}{won}"
