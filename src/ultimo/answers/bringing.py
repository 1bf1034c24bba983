"""What was kept on a device, brought to an account: checked from its first line on, and kept once.

A log of a device has one place in an account, which follows from the person and the id of the log. A score
sheet grows there as it grows on the device. Of a session the deals that are over are kept, to be looked at:
it is played where it is, and counts nowhere, for its cards were in the memory of the device.
"""

from __future__ import annotations

import re
from base64 import urlsafe_b64encode
from collections.abc import Sequence
from hashlib import sha256
from itertools import accumulate
from typing import Final, NamedTuple

import msgspec
from msgspec import Struct
from msgspec.structs import replace

from ultimo.answers import sheets, tables
from ultimo.answers.cleaning import clean_name
from ultimo.answers.refusing import Refusal, sentence
from ultimo.answers.sheet_payloads import SheetsDiffer
from ultimo.club.sheet import AnyFact
from ultimo.events import Event, Opened, SeriesOpened
from ultimo.pauses import with_pauses
from ultimo.record.check import IllegalRecord, steps
from ultimo.record.places import excess, too_deep
from ultimo.table import pages
from ultimo.table.facts import (
    BotSeated,
    Fact,
    Happened,
    PlayerId,
    SeatTaken,
    SessionStarted,
    TableOpened,
    Undone,
)
from ultimo.table.pages import Folded, Row
from ultimo.table.settings import Settings, recorded, rules_of

DEVICE: Final = re.compile(r"~[0-9a-f]{16}(\.[1-9][0-9]?)?")  # a log of a device, or another edition of it
KEY: Final = 22  # characters


class Kept(Struct, frozen=True):
    """A row of the log of a table as a device keeps it."""

    at: float
    fact: Fact


KEPT: Final[msgspec.json.Decoder[Kept]] = msgspec.json.Decoder(Kept)


def place(player: PlayerId, log: str) -> str:
    """Where a log of a device has its place in an account.

    >>> place("karen", "~0123456789abcdef") == place("karen", "~0123456789abcdef")
    True
    >>> place("karen", "~0123456789abcdef") == place("bo", "~0123456789abcdef")
    False
    """
    if not DEVICE.fullmatch(log):
        raise Refusal(404, "unknownPage")
    return urlsafe_b64encode(sha256(f"{player} {log}".encode()).digest())[:KEY].decode()


# --- score sheets ----------------------------------------------------------------------------------------


def sheet(text: str, own: str, name: str, now: float, language: str) -> tuple[AnyFact, ...]:
    """The log of a sheet as somebody's own; by whom and when it was written, the device says."""
    facts, _ = sheets.read(text, own, language, clean_name(name))
    return tuple(replace(fact, at=min(fact.at, now)) for fact in facts)


def grown(there: Sequence[AnyFact], brought: Sequence[AnyFact]) -> tuple[AnyFact, ...]:
    """What is to be written behind the sheet in the account; or `Differ`, if both have been written on."""
    same = _same(there, brought)
    if same < min(len(there), len(brought)):
        raise Differ(same, len(there) - same, len(brought) - same)
    return tuple(brought[same:])


class Differ(Exception):
    """Two logs of a sheet: how much of them is the same, and how much each has that the other has not."""

    def __init__(self, same: int, there: int, here: int) -> None:
        super().__init__(same, there, here)
        self.same, self.there, self.here = same, there, here

    def told(self, key: str, language: str) -> SheetsDiffer:
        """The same for whoever has to choose."""
        return SheetsDiffer(sentence(language, "sheetsDiffer"), key, self.same, self.there, self.here)


def _same(one: Sequence[AnyFact], other: Sequence[AnyFact]) -> int:
    """How many facts two logs begin with alike, whoever wrote them and when."""
    pairs = zip(map(_plain, one), map(_plain, other), strict=False)
    return next((at for at, (a, b) in enumerate(pairs) if a != b), min(len(one), len(other)))


def _plain(fact: AnyFact) -> AnyFact:
    return replace(fact, by="", told_by="", at=0.0)


# --- sessions --------------------------------------------------------------------------------------------


class Session(NamedTuple):
    """The log of a session in an account, the table that it comes to, and how long it is on the device."""

    rows: tuple[Row, ...]
    folded: Folded
    length: int


def session(text: str, key: str, player: PlayerId, now: float, language: str) -> Session:
    """The deals of a session that are over: every wish is decided again, and must lead to what is told.

    Nothing else of the log is kept: not what was said or taken back, nor how the cards were shuffled, which
    proves nothing where one person has all secrets.
    """
    kept = _rows(text)
    opened = kept[0].fact
    if not isinstance(opened, TableOpened):
        raise _no_session("TableOpened")
    settings = replace(recorded(opened.settings), public=False)
    tables.check_settings(settings, language)
    if sorted(plan.kind for plan in settings.seats) != ["bot"] * (settings.size - 1) + ["host"]:
        raise _no_session("seats")
    played = _played(kept, settings)
    groups = _decided(settings, [event for event, _ in played])
    times = tuple(accumulate((min(max(at, 0.0), now) for _, at in played), max))
    facts = _beginning(key, settings, player, groups[0][0])
    rows = [Row(seq, fact, times[0]) for seq, fact in enumerate(facts, 1)]
    index = 0
    for events in groups:
        rows.append(Row(len(rows) + 1, Happened(events), times[index]))
        index += len(events)
    return Session(tuple(rows), pages.fold(None, rows), len(kept))


def _rows(text: str) -> list[Kept]:
    """The rows of a log that is not empty."""
    found = []
    for line in with_pauses(filter(None, text.split("\n"))):
        if too_deep(line) or excess(line, _raw(line)):
            raise _no_session("tooLarge")
        try:
            found.append(KEPT.decode(line))
        except (msgspec.DecodeError, RecursionError, ValueError) as error:
            raise _no_session(error) from None
    if not found:
        raise _no_session("TableOpened")
    return found


def _raw(line: str) -> object:
    try:
        return msgspec.json.decode(line)
    except (msgspec.DecodeError, RecursionError) as error:
        raise _no_session(error) from None


def _no_session(reason: object) -> Refusal:
    return Refusal(422, "notASession", "log", reason=reason)


def _played(kept: Sequence[Kept], settings: Settings) -> list[tuple[Event, float]]:
    """What happened in the game and was not taken back, with its time, and with names as they are shown."""
    found: list[tuple[Event, float]] = []
    begun = 0  # where the present deal begins
    for row in kept:
        match row.fact:
            case Undone(to=to):
                del found[begun + max(1, to) :]
            case Happened(events=events):
                for event in events:
                    if isinstance(event, Opened):
                        begun = len(found)
                    found.append((event, row.at))
    match found:
        case [(SeriesOpened(names=names) as first, at), *rest] if len(names) == settings.size:
            return [(replace(first, names=tuple(map(clean_name, names))), at), *rest]
    raise _no_session("SeriesOpened")


def _decided(settings: Settings, events: Sequence[Event]) -> list[tuple[Event, ...]]:
    """The events wish by wish, as the rules give them, up to the end of the last deal that is over."""
    found: list[tuple[Event, ...]] = []
    over = 0
    try:
        for position, step in with_pauses(steps(rules_of(settings), events)):
            found.append(step.events)
            if position.series is not None and position.series.deals and not position.series.playing:
                over = len(found)
    except IllegalRecord as error:
        raise _no_session(error) from None
    if not over:
        raise Refusal(409, "noDealOver")
    return found[:over]


def _beginning(key: str, settings: Settings, player: PlayerId, first: Event) -> list[Fact]:
    """The facts with which the session begins, with the names of the first event of the game."""
    assert isinstance(first, SeriesOpened)
    sat: list[Fact] = [
        SeatTaken(seat, player, name) if plan.kind == "host" else BotSeated(seat, plan.level, name)
        for seat, (plan, name) in enumerate(zip(settings.seats, first.names, strict=True))
    ]
    return [TableOpened(key, settings, player), *sat, SessionStarted()]
