"""The score sheet of a table: a log of what was written, folded into deals, payments, cups and totals.

Nothing that was written is erased: an undone entry and a corrected one stay in the log, with who wrote them
and when. What follows from the entries is worked out anew from the first deal on, so that a correction of an
early deal changes everything after it, and the ledger cannot drift.
"""

from __future__ import annotations

from collections.abc import Iterable
from typing import Annotated, Any, TypeAlias

from msgspec import Meta, Struct
from msgspec.structs import replace

from ultimo import deal, french, rulebook, series
from ultimo.club.entries import Entry, at_table, field_of, outcome
from ultimo.events import Cup, ImpossibleOutcome, Paid, Seat, Transfer, balances
from ultimo.names import club_words, names
from ultimo.pauses import with_pauses
from ultimo.rulebook import FrenchRules, Rules
from ultimo.telling.teller import Teller

LONGEST_NOTE = 500
MOST_DEALS = 1000

Instant: TypeAlias = Annotated[float, Meta(ge=0, lt=253_402_300_800)]  # seconds since 1970, to the year 9999


class Refused(ValueError):
    """Something that cannot be written: which field, and a key and values for the reason.

    The sentences stand in `names/club`; why a deal cannot have gone so, `impossible` tells.
    """

    def __init__(
        self, key: str, field: str = "", impossible: ImpossibleOutcome | None = None, **values: int | str
    ) -> None:
        super().__init__(key, field)
        self.key, self.field, self.impossible, self.values = key, field, impossible, values

    def told(self, language: str, sheet: Sheet | None = None) -> str:
        """The reason in a language, with the names of those who play on the sheet."""
        if self.impossible is not None and sheet is not None:
            return Teller(names(language), sheet.rules, sheet.names).impossible(self.impossible)
        return club_words(language)[f"refused.{self.key}"].format_map(self.values)

    @property
    def reason(self) -> str:
        """The reason in English; seats and cards of an impossible deal are in notation."""
        return self.impossible.reason if self.impossible is not None else self.told("en")

    def __str__(self) -> str:
        return self.reason


# --- what is written -------------------------------------------------------------------------------------


class Fact(Struct, frozen=True, kw_only=True, omit_defaults=True, tag_field="type"):
    """Something written on the sheet: by whom, and when (seconds since 1970).

    `told_by` is who wrote it as a file says from which somebody else has read it.
    """

    by: str = ""
    told_by: str = ""
    at: Instant = 0.0


class Opened(Fact, frozen=True, tag=True):
    """A sheet is begun: by which rules, who sits where, who deals first."""

    rules: str
    names: tuple[str, ...]
    dealer: Seat = 0
    out: Seat | None = None  # who begins by sitting out for five deals, where one of five does so
    overrides: dict[str, Any] = {}
    digest: str = ""  # of the rules: the sheet is worked out by this version of them


class Booked(Fact, frozen=True, tag=True):
    """A deal is written down."""

    entry: Entry


class Corrected(Fact, frozen=True, tag=True):
    """An earlier deal, counted from 1, is written anew."""

    deal: int
    entry: Entry


class Undone(Fact, frozen=True, tag=True):
    """The last booking or correction that still stands is taken back."""


class Noted(Fact, frozen=True, tag=True):
    """A note beside a deal, or with 0 beside the evening; an empty one takes it away."""

    deal: int
    text: str


class PenHanded(Fact, frozen=True, tag=True):
    """Somebody else writes from now on; `code` if whoever had the pen gave it to them by its code."""

    to: str
    code: bool = False


class Closed(Fact, frozen=True, tag=True):
    """The evening is over, and the cups are divided; `lot` gets the rest where it is drawn for."""

    lot: Seat = 0


class Reopened(Fact, frozen=True, tag=True):
    """The evening goes on after all."""


AnyFact: TypeAlias = Opened | Booked | Corrected | Undone | Noted | PenHanded | Closed | Reopened


# --- the sheet -------------------------------------------------------------------------------------------


class Sheet(Struct, frozen=True):
    """What stands on the sheet."""

    rules: Rules
    start: series.State  # before the first deal
    host: str  # who began it, and can always take the pen
    pen: str  # who writes
    by_code: bool = False  # whether they were given the pen by its code
    entries: tuple[Entry, ...] = ()
    notes: dict[int, str] = {}
    before: tuple[tuple[Entry, ...], ...] = ()  # what stood before each change that can be taken back
    lot: Seat | None = None  # once it is closed
    seq: int = 0  # facts so far

    @property
    def names(self) -> tuple[str, ...]:
        """Who sits at the table."""
        return self.start.names

    @property
    def closed(self) -> bool:
        """Whether the evening is over."""
        return self.lot is not None


def evolve(sheet: Sheet | None, fact: AnyFact) -> Sheet:
    """The sheet after a fact."""
    if isinstance(fact, Opened):
        rules = rulebook.load(fact.rules, fact.overrides, fact.digest)
        (opened,) = series.open_series(rules, fact.names, fact.dealer, fact.out, on_sheet=True)
        return Sheet(rules, series.evolve(rules, None, opened), fact.by, fact.by, seq=1)
    if sheet is None:
        raise ValueError("a sheet begins with Opened")
    sheet = replace(sheet, seq=sheet.seq + 1)
    match fact:
        case Booked(entry=entry):
            return _changed(sheet, (*sheet.entries, entry))
        case Corrected(deal=number, entry=entry):
            place = number - 1
            return _changed(sheet, (*sheet.entries[:place], entry, *sheet.entries[place + 1 :]))
        case Undone():
            *before, last = sheet.before
            return replace(sheet, entries=last, before=tuple(before))
        case Noted(deal=number, text=text):
            kept = {key: note for key, note in sheet.notes.items() if key != number}
            return replace(sheet, notes=kept | {number: text} if text else kept)
        case PenHanded(to=to, code=code):
            return replace(sheet, pen=to, by_code=code)
        case Closed(lot=lot):
            return replace(sheet, lot=lot)
        case Reopened():
            return replace(sheet, lot=None)


def _changed(sheet: Sheet, entries: tuple[Entry, ...]) -> Sheet:
    return replace(sheet, entries=entries, before=(*sheet.before, sheet.entries))


def fold(facts: Iterable[AnyFact]) -> Sheet:
    """The sheet that a log makes."""
    sheet: Sheet | None = None
    for fact in with_pauses(facts):
        sheet = evolve(sheet, fact)
    if sheet is None:
        raise ValueError("an empty log")
    return sheet


def decide(sheet: Sheet, fact: AnyFact, evening: Evening | None = None) -> Sheet:
    """The sheet after a fact that may be written, or `Refused`.

    Only whoever has the pen writes. Whoever has it hands it over, and the host can take it back. Where many
    facts are decided in turn, the `evening` keeps what is worked out.
    """
    match fact:
        case Opened():
            raise Refused("alreadyOpen")
        case PenHanded(to=to) if fact.by in (sheet.pen, sheet.host):
            if not to:
                raise Refused("nobody", "to")
        case _ if fact.by != sheet.pen:
            raise Refused("notYourPen")
        case Reopened():
            if not sheet.closed:
                raise Refused("notClosed")
        case _ if sheet.closed:
            raise Refused("closed")
        case Booked(entry=entry):
            if len(sheet.entries) >= MOST_DEALS:
                raise Refused("tooManyDeals")
            preview(sheet, entry, evening=evening)
        case Corrected(deal=number, entry=entry):
            _check_number(sheet, number)
            preview(sheet, entry, number, evening)
        case Undone():
            if not sheet.before:
                raise Refused("nothingToUndo")
        case Noted(deal=number, text=text):
            if number != 0:
                _check_number(sheet, number)
            if len(text) > LONGEST_NOTE:
                raise Refused("noteTooLong", "text")
        case Closed(lot=lot):
            if lot not in range(len(sheet.names)):
                raise Refused("noSuchSeat", "lot")
    return evolve(sheet, fact)


def _check_number(sheet: Sheet, number: int) -> None:
    if number not in range(1, len(sheet.entries) + 1):
        raise Refused("noSuchDeal", "deal", deal=number)


# --- what follows from it --------------------------------------------------------------------------------


class Line(Struct, frozen=True):
    """A deal of the ledger: who played it, every payment opening stakes included, and where that left all."""

    number: int
    dealer: Seat
    order: tuple[Seat, ...]
    entry: Entry
    transfers: tuple[Transfer, ...]
    gains: tuple[int, ...]
    totals: tuple[int, ...]
    cups: dict[Cup, int]
    emptied: tuple[tuple[Cup, Seat], ...] = ()
    void: bool = False  # played, but it counts for nothing


class Ledger(Struct, frozen=True):
    """Everything that follows from a sheet; `state` is where the evening stands."""

    lines: tuple[Line, ...]
    state: series.State
    due: tuple[Transfer, ...] = ()  # opening stakes before the next deal
    order: tuple[Seat, ...] = ()  # who plays the next deal: forehand first, the dealer last
    division: tuple[Transfer, ...] = ()  # of the cups, when the evening is over

    @property
    def totals(self) -> tuple[int, ...]:
        """What everybody has won or lost, the opening stakes that are due not counted."""
        return self.state.totals


def ledger(sheet: Sheet) -> Ledger:
    """Every deal with its payments, from the first on."""
    rules, state = sheet.rules, sheet.start
    lines = []
    for number, entry in enumerate(sheet.entries, 1):
        line, state = _played(rules, state, number, entry)
        lines.append(line)
    division: tuple[Transfer, ...] = ()
    if sheet.lot is not None:
        for event in series.close(rules, state, sheet.lot):
            if isinstance(event, Paid):
                division += event.transfers
            state = series.evolve(rules, state, event)
    order = series.seated(rules, state.table, state.dealer, state.out)
    due = () if state.closed else tuple(series.due(rules, state))
    return Ledger(tuple(lines), state, due, order, division)


class Evening:
    """Where one evening stood after each of its deals, worked out once while a sheet is written on and on."""

    def __init__(self) -> None:
        self.worked_out = 0  # deals so far
        self._entries: list[Entry] = []
        self._states: list[series.State] = []

    def before(self, sheet: Sheet, place: int) -> series.State:
        """Where the evening stands before the deal at a place, from 0."""
        known = 0
        for one, other in zip(self._entries, sheet.entries[:place], strict=False):
            if one is not other:
                break
            known += 1
        if known < place:
            del self._entries[known:], self._states[known:]
        for number in range(known, place):
            state = self._states[-1] if self._states else sheet.start
            _, state = _played(sheet.rules, state, number + 1, sheet.entries[number])
            self._entries.append(sheet.entries[number])
            self._states.append(state)
            self.worked_out += 1
        return self._states[place - 1] if place else sheet.start


def preview(sheet: Sheet, entry: Entry, number: int | None = None, evening: Evening | None = None) -> Line:
    """What an entry would pay as the next deal, or as another, before it is booked; or `Refused`."""
    place = len(sheet.entries) if number is None else number - 1
    try:
        state = (evening or Evening()).before(sheet, place)
        line, _ = _played(sheet.rules, state, place + 1, entry)
    except ImpossibleOutcome as error:
        raise Refused("impossible", field_of(entry, error), error) from error
    return line


def _played(rules: Rules, state: series.State, number: int, entry: Entry) -> tuple[Line, series.State]:
    """A deal after its opening stakes, and the evening after it."""
    before, due = state.totals, tuple(series.due(rules, state))
    founded = series.evolve(rules, state, Paid(due)) if due else state
    order = series.seated(rules, state.table, state.dealer, state.out)
    happened = outcome(rules, state.table, order, founded.cups, entry)
    settled = deal.NOTHING_PAID
    if happened is not None:
        settled = at_table(order, happened, deal.settle(rules, happened))
    cleared = replace(founded, unfounded=(), founded=())
    after = series.booked(rules, cleared, settled, played=happened is not None)
    transfers = (*due, *map(_as_written, settled.transfers))
    gained = balances(transfers)
    gains = tuple(gained[seat] for seat in range(state.table))
    assert tuple(map(sum, zip(before, gains, strict=True))) == after.totals
    line = Line(
        number=number,
        dealer=state.dealer,
        order=order,
        entry=entry,
        transfers=transfers,
        gains=gains,
        totals=after.totals,
        cups=after.cups,
        emptied=settled.emptied,
        void=isinstance(rules, FrenchRules)
        and isinstance(happened, french.Outcome)
        and french.is_void(rules, happened),
    )
    return line, after


def _as_written(paid: Transfer) -> Transfer:
    """A payment without the card that won a last trick, which nobody has written down."""
    return replace(paid, card=None) if paid.reason == "lastTrick" else paid
