"""A position in one line of text, for people; or the position to which a record has come.

    hermansen: F T1 S2 S1 / M T21 T0 HK / B H7 H8 H9; F leads; cups 60 60

First the rulebook, which may be given apart; then the hands; then, after semicolons and in any order, what
else is to be known. Large and small letters are alike; `♠` is as good as `S`, `skus` and `excuse` as `T0`,
`pagat` and `petit` as `T1`. Commas between words do nothing.

Danish seats are F (forehand), M (middle) and B (baghånd, the dealer); French seats are A, B, C … from the
dealer's right. Hands stand in this order, or each begins with its letter. Both families know

    F leads              or `F to play`; if nothing is said the first seat leads
    trick F S2, M T21    what lies on the table, in order of play; a led skus with its name: `F T0=S`
    house skus.demandable=false   a house rule, its value as in a rulebook

Danish: what is not said is so that neither a nolo nor a tout is possible.

    cups 60 60           king cup and pagat cup; if nothing is said, as three have founded them
    won F 8 M 7 B 7      the tricks won so far; if nothing is said, as even as can be
    piles F SK T21, M HQ the cards won so far; honours not named go round as evenly as can be
    skat S2 S3 S4        what the dealer has laid; if nothing is said, cards that do not count
    demanded             or `F demands`: the skus has been demanded in this trick, the third last
    demand               everybody is just being asked whether they demand it
    asked M B            who has still to answer whether they demand or announce; `asked nobody`: it is over
    renamed H            the next hand has renamed the skus that was led
    announced F nolo 13  what was announced, and before which trick
    players 4            how many sit at the table, if not three

French: a position needs a taker.

    A takes garde        at a table of five `A takes garde with C`; alone, if nobody is named
    taker has 31.5 points 1 bouts   what the tricks, écart and excuse of his side come to by now;
                         if nothing is said, about half of what has been played
    tricks 9             the tricks of the taker's side; if nothing is said, what fits the points, but not all
    aside S2 S3 …        the écart, or the closed chien; if nothing is said, cards that do not count
    excuse A             who has played the excuse, if nobody holds it; if nothing is said, the taker
    poignee A 10         who has shown how many trumps
    slam A               who has announced a slam
    called HK            the card that was called, which bars its suit from the first lead at some tables
    petit last           the petit fell in the trick just won

`write` gives the line of a position in play, in one spelling, with all that `read` needs.

>>> rules, state = read("hermansen: F T1 S2 S1 / M T21 T0 HK / B H7 H8 H9")
>>> state.number, letter(state, state.turn), state.king
(23, 'F', 60)
>>> write(*read("jensen: F S4 / M T3 / B D2 D3; trick F S2, M T2; cups 10 20; skat C1 C2 C3"))[:50]
'jensen: F S4 / M T3 / B D3 D2; trick F S2, M T2; c'
>>> read("dtf: F T1 / M T0 / B S3 S2")
Traceback (most recent call last):
    ...
ultimo.analysis.position.errors.PositionError: column 25: the hands are not equally long: F 1, M 1, B 2
"""

from __future__ import annotations

import re
from collections.abc import Iterator, Mapping, Sequence
from typing import Any

import msgspec

from ultimo import deal, rulebook
from ultimo.analysis.position.danish import build as build_danish
from ultimo.analysis.position.errors import PositionError
from ultimo.analysis.position.french import build as build_french
from ultimo.analysis.position.scanning import DANISH_SEATS, FRENCH_SEATS, Clause, sentences
from ultimo.analysis.position.writing import NoPosition, seats, write
from ultimo.events import Event, Opened, Seat
from ultimo.record.check import steps
from ultimo.rulebook import DanishRules, Rules

__all__ = ["NoPosition", "PositionError", "letter", "read", "recorded", "seats", "write"]

HOUSE = "HOUSE"

_BOOK = re.compile(r"\s*([A-Za-z][\w-]*)\s*:")


def read(
    text: str, book: str | None = None, house: Mapping[str, Any] | None = None
) -> tuple[Rules, deal.State]:
    """The rules and the position that a text describes, or `PositionError`.

    `book` goes over the rulebook that the text names; house rules come on top. Raises `RulebookError` if the
    rules cannot be had.
    """
    start = 0
    if (found := _BOOK.match(text)) and found[1].upper() not in (*DANISH_SEATS, *FRENCH_SEATS):
        start = found.end()
        book = book or found[1].lower()
    if book is None:
        raise PositionError(0, "bookFirst", example="dtf: F T1 S2 / …")
    hands, clauses = sentences(text, start)
    own = dict(_house(text, clause) for clause in clauses if clause.keys[0] == HOUSE)
    rules = rulebook.load(book, own | dict(house or {}))
    clauses = [clause for clause in clauses if clause.keys[0] != HOUSE]
    if isinstance(rules, DanishRules):
        return rules, build_danish(rules, hands, clauses)
    return rules, build_french(rules, hands, clauses)


def _house(text: str, clause: Clause) -> tuple[str, Any]:
    """A house rule: whatever stands between `house` and the next semicolon."""
    first = clause.words[0]
    rest = text[first.at + len(first.text) :].split(";", 1)[0]
    key, sign, value = rest.partition("=")
    if not sign or not key.strip():
        raise first.error("houseRule", example="house skus.demandable=false")
    try:
        return key.strip(), msgspec.json.decode(value)
    except (msgspec.DecodeError, UnicodeEncodeError, RecursionError):
        return rulebook.parse_override(rest)  # as a person may write it


def letter(state: deal.State, seat: Seat) -> str:
    """The letter of a seat."""
    return next(name for name, other in seats(state).items() if other == seat)


# --- records -------------------------------------------------------------------------------------------

_LEADING = ("announce", "demand", "play")  # the phases in which a trick begins


def recorded(
    rules: Rules,
    events: Sequence[Event],
    *,
    number: int | None = None,
    after: int | None = None,
    event: int | None = None,
) -> deal.State:
    """The position of a record: of its last deal or deal `number`, `after` a trick or an event.

    Deals, tricks and events are counted from 1, events through the whole record; without a place it is the
    end of what is recorded. Raises `IllegalRecord` for what cannot have happened and `ValueError` for a
    place that is not there.
    """
    reached = list(_positions(rules, events))
    if event is not None:
        if not 0 < event <= len(events):
            raise ValueError(f"there is no event {event}: the record has {len(events)}")
        state = next(state for _, last, state in reached if last >= event)
        if state is None:
            raise ValueError(f"at event {event} no deal has begun")
        return _open(state)
    deals = reached[-1][0] if reached else 0
    chosen = deals if number is None else number
    states = [state for deal_number, _, state in reached if deal_number == chosen and state is not None]
    if not states:
        raise ValueError(
            f"there is no deal {chosen}: the record has {deals}" if chosen else "no deal has begun"
        )
    if after is None:
        return _open(states[-1])
    for state in states:
        if len(state.tricks) == after and state.phase in _LEADING:
            return state
    raise ValueError(f"deal {chosen} does not go on after trick {after}")


def _open(state: deal.State) -> deal.State:
    if deal.is_over(state):
        raise ValueError("the deal is over: say after which trick")
    return state


def _positions(rules: Rules, events: Sequence[Event]) -> Iterator[tuple[int, int, deal.State | None]]:
    """After each step of a record: the number of the deal, how many events there were, the position."""
    deals = 0
    for position, step in steps(rules, events):
        deals += sum(isinstance(one, Opened) for one in step.events)
        yield deals, step.index + len(step.events), position.deal
