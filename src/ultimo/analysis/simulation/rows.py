"""The rows of the kernel as people read them: columns with names and words, and what they add up to.

A row of the kernel is a line of integers, one a deal. Here they become named columns (bits become yes or no,
card numbers become cards, -1 becomes nothing), JSON lines, Parquet tables, and summaries.
"""

from __future__ import annotations

import json
from collections.abc import Iterable, Iterator
from typing import TYPE_CHECKING, Any, Literal, NamedTuple, TypeAlias

import msgspec
import numpy as np
import numpy.typing as npt

from ultimo.analysis.statistics import Distribution, Moments, Summary, rounded
from ultimo.cards import NOTATION
from ultimo.danish.payments import MEANINGS
from ultimo.kernel.danish import run as danish_run
from ultimo.kernel.french import run as french_run
from ultimo.kernel.jit import Ints
from ultimo.names import names
from ultimo.rulebook import DanishRules, FrenchRules, Rules

if TYPE_CHECKING:
    import pyarrow

Kind: TypeAlias = Literal["number", "small", "flag", "half", "word"]

PLACES = ("forehand", "middle", "dealer")
CUPS = ("king", "pagat")
MOST_NUMBERS = 250  # of so many deals of a session the cups are kept; of longer ones, so many spread evenly

# What a Danish deal can be asked for, by the reason of the payment that shows it.
DANISH_EVENTS = {
    "declared": "declaration",
    "king_lost": "kingLost",
    "pagat_lost": "pagatLost",
    "pagat_home": "pagatHome",
    "king_ultimo": "kingUltimo",
    "pagat_ultimo": "pagatUltimo",
    "king_bagud": "kingBagud",
    "pagat_bagud": "pagatBagud",
    "nolo": "nolo",
    "nolo_lost": "noloLost",
    "tout": "tout",
    "tout_lost": "toutLost",
}
RESULTS = ("open", "petit sec", "passed", "played")
ATTACK, DEFENCE = "taker", "defence"


class Column(NamedTuple):
    """A column: its values, and where they are numbers of words, the words; -1 may stand for nothing."""

    name: str
    kind: Kind
    values: npt.NDArray[Any]
    words: tuple[str, ...] = ()
    optional: bool = False


def label(event: str) -> str:
    """What an event that is counted in rows is called: `king_ultimo`, `bid_garde`, `won`."""
    words = names("en")
    if event.startswith("bid_"):
        return words.bid(event.removeprefix("bid_"))
    first, *more = event.split("_")
    return words.happened("made" if event == "won" else first + "".join(map(str.capitalize, more)))


class Table:
    """Rows of the kernel by the names of their columns."""

    def __init__(self, names: tuple[str, ...], rows: Ints) -> None:
        self.rows = rows
        self.places = {name: place for place, name in enumerate(names)}

    def __getitem__(self, name: str) -> Ints:
        return self.rows[:, self.places[name]]

    def each(self, *names: str) -> Ints:
        """Several columns side by side."""
        return self.rows[:, [self.places[name] for name in names]]


def columns(rules: Rules, table: int, rows: Ints) -> list[Column]:
    """The columns of a file of rows."""
    if isinstance(rules, DanishRules):
        return list(_danish_columns(table, Table(danish_run.COLUMNS, rows)))
    return list(_french_columns(rules, Table(french_run.COLUMNS, rows)))


def summary(rules: Rules, table: int, length: int, rows: Ints) -> Summary:
    """What rows add up to; they begin with a session and hold whole ones, but for the last of a run."""
    if isinstance(rules, DanishRules):
        return _danish_summary(table, length, Table(danish_run.COLUMNS, rows))
    return _french_summary(rules, Table(french_run.COLUMNS, rows))


# --- Danish --------------------------------------------------------------------------------------------


def _danish_columns(table: int, t: Table) -> Iterator[Column]:
    yield Column("deal", "number", t["deal"])
    yield Column("session", "number", t["session"])
    for place in PLACES:
        yield Column(place, "small", t[place])
    for seat in range(table):
        yield Column(f"points_seat_{seat}", "number", t[f"net{seat}"])
    for cup in CUPS:
        yield Column(f"{cup}_cup_before", "number", t[f"{cup}_cup"])
        yield Column(f"{cup}_cup_after", "number", t[f"{cup}_cup_after"])
        yield Column(f"{cup}_cup_emptied", "flag", t["emptied"] >> CUPS.index(cup) & 1)
    for name, happened in _danish_events(t).items():
        yield Column(name, "flag", happened)
    yield Column("last_trick_seat", "small", t["winner"])
    yield Column("last_trick_card", "word", t["winning_card"], NOTATION, True)
    for what, kernel in (("tricks", "tricks"), ("card_points", "count"), ("declared_points", "declared")):
        for place in PLACES:
            yield Column(f"{what}_{place}", "small", t[f"{kernel}_{place}"])
    for place in PLACES:
        yield Column(f"tarok_dealt_{place}", "small", t[f"tarok_{place}"])


def _danish_events(t: Table) -> dict[str, Ints]:
    reasons = [meaning.reason for meaning in MEANINGS]
    return {name: t["happened"] >> reasons.index(reason) & 1 for name, reason in DANISH_EVENTS.items()}  # type: ignore[arg-type]


def _danish_summary(table: int, length: int, t: Table) -> Summary:
    nets = t.each(*(f"net{seat}" for seat in range(table)))
    of_places = np.take_along_axis(nets, t.each(*PLACES), axis=1)
    whole = Summary(len(nets), -(-len(nets) // length))
    whole.moments = {f"seat {seat}": _moments(length, net) for seat, net in enumerate(nets.T)}
    whole.moments |= {place: _moments(length, net) for place, net in zip(PLACES, of_places.T, strict=True)}
    events = _danish_events(t)
    events |= {f"{cup}_cup_emptied": t["emptied"] >> place & 1 for place, cup in enumerate(CUPS)}
    events["ultimo"] = events["king_ultimo"] | events["pagat_ultimo"]
    events["bagud"] = events["king_bagud"] | events["pagat_bagud"]
    events["nolo_and_bagud"] = events["nolo"] & events["bagud"]
    events["plain"] = 1 - (events["ultimo"] | events["bagud"] | events["nolo"] | events["tout"])
    whole.counts = {name: int(happened.sum()) for name, happened in events.items()}
    whole.points = _distribution(of_places)
    for cup in CUPS:
        held = t[f"{cup}_cup"]
        whole.cups[cup] = _by_number(length, held)
        whole.highest[f"{cup}_cup"] = int(t[f"{cup}_cup_after"].max(initial=0))
        whole.highest[f"{cup}_cup"] = max(whole.highest[f"{cup}_cup"], int(held.max(initial=0)))
    _winners_tarok(whole, t, events)
    return whole


def _winners_tarok(whole: Summary, t: Table, events: dict[str, Ints]) -> None:
    """Count with how many tarokker, as dealt, a pagat or a king was brought home in the last trick."""
    dealt = t.each(*(f"tarok_{place}" for place in PLACES))
    won = (t.each(*PLACES) == t["winner"][:, None]).argmax(axis=1)
    held = np.take_along_axis(dealt, won[:, None], axis=1)[:, 0]
    for name in ("pagat_ultimo", "king_ultimo"):
        whole.counts[f"{name}_with_8"] = int(((events[name] == 1) & (held >= 8)).sum())


def _by_number(length: int, held: Ints) -> dict[int, Distribution]:
    """The distribution of a cup by the number of the deal in its session, from 1."""
    kept = np.unique(np.linspace(0, length - 1, min(length, MOST_NUMBERS)).astype(np.int64))
    return {
        int(number) + 1: _distribution(held[number::length]) for number in kept if len(held[number::length])
    }


# --- French --------------------------------------------------------------------------------------------


def _french_columns(rules: FrenchRules, t: Table) -> Iterator[Column]:
    yield Column("deal", "number", t["deal"])
    yield Column("dealer", "small", t["dealer"])
    yield Column("result", "word", t["result"], RESULTS)
    yield Column("taker", "small", t["taker"], optional=True)
    yield Column("bid", "word", t["bid"], tuple(row.id for row in rules.bid.ladder), True)
    yield Column("called", "word", t["called"], NOTATION, True)
    yield Column("partner", "small", t["partner"], optional=True)
    yield Column("taker_points", "half", t["half_points"])
    yield Column("taker_bouts", "small", t["bouts"])
    yield Column("taker_tricks", "small", t["taker_tricks"])
    yield Column("won", "flag", t["won"])
    for name, kernel in (("petit_au_bout", "petit_au_bout"), ("slam", "slam_made")):
        yield Column(name, "word", _sides(t[kernel]), (ATTACK, DEFENCE), True)
    yield Column("slam_announced", "word", _sides(t["slam_announced"]), (ATTACK, DEFENCE), True)
    yield Column("poignees", "small", t["poignees"])
    yield Column("value", "number", t["value"])
    for name in ("hand_trumps", "hand_bouts", "hand_kings", "chien_bouts"):
        yield Column(name, "small", t[name])
    for seat in range(rules.players):
        yield Column(f"poignee_seat_{seat}", "small", t[f"poignee{seat}"])
    for seat in range(rules.players):
        yield Column(f"points_seat_{seat}", "number", t[f"net{seat}"])


def _sides(values: Ints) -> Ints:
    """From 1, -1, 0 to the places of taker, defence, nobody."""
    return np.where(values == 0, -1, np.where(values > 0, 0, 1))


def _french_summary(rules: FrenchRules, t: Table) -> Summary:
    nets = t.each(*(f"net{seat}" for seat in range(rules.players)))
    played = t["result"] == RESULTS.index("played")
    by_taker = np.take_along_axis(nets[played], t["taker"][played][:, None], axis=1)[:, 0]
    whole = Summary(len(nets), len(nets))
    whole.moments = {f"seat {seat}": _moments(1, net) for seat, net in enumerate(nets.T)}
    whole.moments["taker, if played"] = _moments(1, by_taker)
    events = {word.replace(" ", "_"): t["result"] == place for place, word in enumerate(RESULTS) if place}
    events |= {f"bid_{row.id}": played & (t["bid"] == place) for place, row in enumerate(rules.bid.ladder)}
    events["won"] = played & (t["won"] == 1)
    events |= {f"won_{row.id}": events["won"] & events[f"bid_{row.id}"] for row in rules.bid.ladder}
    for name, kernel in (("petit_au_bout", "petit_au_bout"), ("slam", "slam_made")):
        events[f"{name}_taker"] = played & (t[kernel] > 0)
        events[f"{name}_defence"] = played & (t[kernel] < 0)
    events["slam"] = played & (t["slam_made"] != 0)
    events["slam_announced"] = played & (t["slam_announced"] != 0)
    shown = t.each(*(f"poignee{seat}" for seat in range(rules.players)))
    events["poignee"] = played & (shown.max(axis=1) > 0)
    events["two_poignees"] = played & ((shown > 0).sum(axis=1) > 1)
    events["half_points"] = played & (t["half_points"] % 2 == 1)
    whole.counts = {name: int(happened.sum()) for name, happened in events.items()}
    whole.points = _distribution(nets[played])
    return whole


# --- both ----------------------------------------------------------------------------------------------


def _moments(length: int, net: Ints) -> Moments:
    """The sums over sessions of what somebody has won."""
    starts = np.arange(0, len(net), length)
    lengths = np.diff(np.append(starts, len(net)))
    won = np.add.reduceat(net, starts) if len(net) else net
    if int(np.abs(won).max(initial=0)) ** 2 * len(won) >= 1 << 62:
        won = won.astype(object)  # whole numbers of any size, slowly
    return Moments(
        len(starts),
        len(net),
        int(won.sum()),
        int((lengths * lengths).sum()),
        int((won * won).sum()),
        int((won * lengths).sum()),
    )


def _distribution(values: Ints) -> Distribution:
    held: Distribution = {}
    found, counts = np.unique(values, return_counts=True)
    for value, count in zip(found.tolist(), counts.tolist(), strict=True):
        held[rounded(value)] = held.get(rounded(value), 0) + count
    return held


def json_lines(some: list[Column]) -> bytes:
    """A line of JSON a row."""
    names = [column.name for column in some]
    lines = [dict(zip(names, row, strict=True)) for row in zip(*map(_plain, some), strict=True)]
    return msgspec.json.Encoder().encode_lines(lines)


def _plain(column: Column) -> Iterable[Any]:
    if column.kind == "flag":
        return column.values.astype(bool).tolist()  # type: ignore[no-any-return]
    if column.kind == "half":
        return (column.values / 2).tolist()  # type: ignore[no-any-return]
    if column.kind == "word":
        words = (*column.words, None)  # -1 is the last
        return (words[value] for value in column.values.tolist())
    if column.optional:
        return (None if value < 0 else value for value in column.values.tolist())
    return column.values.tolist()  # type: ignore[no-any-return]


def arrow_table(some: list[Column], about: dict[str, Any]) -> pyarrow.Table:
    """A table for Parquet; what it is about goes with it."""
    import pyarrow as pa

    arrays = [_arrow(column) for column in some]
    table = pa.Table.from_arrays(arrays, names=[column.name for column in some])
    return table.replace_schema_metadata({"ultimo": json.dumps(about, sort_keys=True)})


def _arrow(column: Column) -> Any:
    import pyarrow as pa

    mask = column.values < 0 if column.optional else None
    match column.kind:
        case "number":
            return pa.array(column.values, pa.int64())
        case "small":
            return pa.array(column.values.astype(np.int16), pa.int16(), mask=mask)
        case "flag":
            return pa.array(column.values.astype(bool), pa.bool_())
        case "half":
            return pa.array(column.values / 2, pa.float64())
        case "word":
            places = pa.array(np.maximum(column.values, 0).astype(np.int8), pa.int8(), mask=mask)
            return pa.DictionaryArray.from_arrays(places, pa.array(column.words, pa.string()))
