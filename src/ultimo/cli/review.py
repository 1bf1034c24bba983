"""`ultimo review`: judge every decision of a recorded deal, and tell luck from play."""

from __future__ import annotations

from argparse import ArgumentParser, Namespace
from collections.abc import Iterator, Sequence
from typing import TYPE_CHECKING

import msgspec

from ultimo import events as e
from ultimo import record
from ultimo.cards import UNSEEN
from ultimo.cli import given
from ultimo.cli.complaint import Complaint, complaining
from ultimo.cli.progress import progress
from ultimo.cli.replay import checked, players
from ultimo.record import RecordError
from ultimo.rulebook import Rules
from ultimo.telling.teller import Teller
from ultimo.tutor.decisions import NoDeal, deals, decisions
from ultimo.tutor.words import Words

if TYPE_CHECKING:
    from ultimo.tutor.shown import DecisionShown, LineStep, ReviewedSeat, ReviewShown

STEPS = 9  # of a line that are told


def arguments(parser: ArgumentParser) -> None:
    """The arguments of the command."""
    from ultimo.tutor.judging import SAMPLES

    parser.add_argument(
        "file", metavar="FILE", help="a record (JSON lines or text sheet); - for standard input"
    )
    parser.add_argument("--deal", metavar="N", type=int, help="review only deal N (default: all that ended)")
    parser.add_argument("--seat", metavar="S", help="judge only this seat: a number from 0, or a name")
    parser.add_argument(
        "--samples",
        metavar="N",
        type=int,
        default=SAMPLES,
        help="deals tried a decision (default: %(default)s)",
    )
    given.add_language(parser)
    parser.add_argument("--json", action="store_true", help="output JSON")


def run(arguments: Namespace) -> int:
    """Review the deals that are asked for."""
    names = given.words(arguments)
    text, read = given.read_record(arguments.file)
    try:
        rules = record.rules_of(read.header)
    except RecordError as error:
        raise given.damaged(arguments.file, error) from error
    if arguments.samples < 1:
        raise Complaint("--samples: at least 1")
    events = [entry.event for entry in read.entries]
    file = given.called(arguments.file)
    if any(isinstance(event, e.Dealt) and any(map(_hides, event.hands)) for event in events):
        raise Complaint(f"{file}: the record hides cards: it is what one seat saw")
    for _ in checked(arguments.file, text, rules, read):
        pass  # a review is made of what can have happened
    teller = Teller(names, rules, players(names, read))
    seats = None if arguments.seat is None else [_seat(teller, arguments.seat)]
    found = [
        _reviewed(teller, rules, number, one, seats, arguments.samples, file)
        for number, one in _asked(file, deals(events), arguments.deal)
    ]
    if arguments.json:
        print(msgspec.json.encode(found).decode())
        return 0
    for number, shown in enumerate(found):
        print("\n" * bool(number) + "\n".join(told(Words(teller), shown, seats)))
    return 0


def _hides(hand: Sequence[object]) -> bool:
    return UNSEEN in hand


def _asked(
    file: str, found: Sequence[tuple[e.DealEvent, ...]], only: int | None
) -> Iterator[tuple[int, tuple[e.DealEvent, ...]]]:
    """The deals to review, with their numbers: the one that is asked for, or all that ended."""
    if only is not None and not 1 <= only <= len(found):
        raise Complaint(f"{file}: there is no deal {only}")
    over = {number: isinstance(one[-1], e.DealClosed) for number, one in enumerate(found, 1)}
    if only is not None and not over[only]:
        raise Complaint(f"{file}: deal {only} is not over")
    if not any(over.values()):
        raise Complaint(f"{file}: there is no deal that is over")
    for number, one in enumerate(found, 1):
        if over[number] and only in (None, number):
            yield number, one


def _seat(teller: Teller, wish: str) -> e.Seat:
    """The seat with a number or a name."""
    if wish in teller.players:
        return teller.players.index(wish)
    if wish in map(str, range(len(teller.players))):
        return int(wish)
    named = ", ".join(f"{seat} {name}" for seat, name in enumerate(teller.players))
    raise Complaint(f"--seat: there is no seat {wish}; there are {named}")


def _reviewed(
    teller: Teller,
    rules: Rules,
    number: int,
    events: tuple[e.DealEvent, ...],
    seats: list[e.Seat] | None,
    samples: int,
    file: str,
) -> ReviewShown:
    """The review of a deal; a bar shows how far it has come."""
    from ultimo.tutor.review import Progress, reviewing
    from ultimo.tutor.reviewed import Review
    from ultimo.tutor.telling import review_shown

    with complaining(NoDeal, about=f"{file}: "):
        total = sum(1 for _ in decisions(rules, events))
        with progress(total, "decisions") as advance:
            for found in reviewing(rules, events, seats, samples):
                if isinstance(found, Progress):
                    advance(1)
    assert isinstance(found, Review)
    title = teller.text("deal", number=number)
    return review_shown(found, events, teller, number, title, lambda index: index)


# --- telling -------------------------------------------------------------------------------------------


def told(words: Words, shown: ReviewShown, seats: list[e.Seat] | None = None) -> Iterator[str]:
    """A review line by line: all decisions, the costliest in words, and luck and play of every seat."""
    yield shown.title
    some = [one for one in shown.decisions if seats is None or one.seat in seats]
    rows = [_row(words, one) for one in some]
    widths = [max((len(row[column]) for row in rows), default=0) for column in range(3)]
    for row in rows:
        cells = [cell.ljust(width) for cell, width in zip(row, widths, strict=False)]
        yield "  " + "  ".join([*cells, row[3]]).rstrip()
    for seat in shown.seats:
        if seat.plays and (seats is None or seat.seat in seats):
            yield from _of_seat(words, shown, seat)
    yield ""
    yield shown.note


def _row(words: Words, one: DecisionShown) -> tuple[str, str, str, str]:
    """What was asked, what was done, its grade, and what it cost."""
    cost = f"{words.signed(-one.loss)} ± {words.number(one.error)}" if one.loss >= 0.05 else ""
    return one.question, one.label, one.grade_word, cost


def _of_seat(words: Words, shown: ReviewShown, seat: ReviewedSeat) -> Iterator[str]:
    yield ""
    yield from seat.sentences
    if seat.worst:
        yield words.text("review.worst", player=seat.name)
    for place in seat.worst:
        one = shown.decisions[place]
        yield f"  {one.question}: {one.label} ({one.grade_word})"
        yield from (f"    {sentence}" for sentence in (*one.words, one.principle) if sentence)
        yield "    " + words.text("review.better", line=_line(one.line))
        yield "    " + words.text("review.played", line=_line(one.played))


def _line(steps: Sequence[LineStep]) -> str:
    """The beginning of a line of play."""
    first = ", ".join(f"{step.name} {step.label}" for step in steps[:STEPS])
    return f"{first} …" if len(steps) > STEPS else first
