"""What remains of a table: the record of its closed deals, their replays, the proofs of their cards."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator
from typing import NamedTuple, TypeAlias

import msgspec
from msgspec import Struct
from msgspec.structs import replace

from ultimo import record
from ultimo.events import Deal, DealClosed, DealEvent, Dealt, Event, IllegalAction, Opened, Paid
from ultimo.fair import Proof
from ultimo.record import Entry, Record
from ultimo.rulebook import Rules
from ultimo.table.facts import Fact, Happened
from ultimo.table.live import Live, after, evolve, told
from ultimo.table.scene import Happening, PaymentShown, Scene
from ultimo.table.settings import Again
from ultimo.table.showing import legend, payment, scene, teller_of
from ultimo.table.story import tell
from ultimo.telling.citations import Cited

Log: TypeAlias = Iterable[tuple[Fact, float]]  # the facts of a table, with their times


class Frame(Struct, frozen=True, rename="camel"):
    """One step of a replay: the table with all cards open, and what has just happened."""

    scene: Scene
    story: tuple[Happening, ...]


class Step(NamedTuple):
    """An event of the game, the table before it and when it happened."""

    before: Live
    event: Event
    at: float


class UnknownDeal(LookupError):
    """A deal that has not been played to its end at this table."""


def steps(log: Log) -> Iterator[Step]:
    """Every event of the game."""
    live: Live | None = None
    for fact, at in log:
        if live is None or not isinstance(fact, Happened):
            live = evolve(live, fact, at)
            continue
        live = replace(live, seq=live.seq + 1, at=at)
        for event in fact.events:
            yield Step(live, event, at)
            live = after(live, event)
        live = told(live, at)


def deal_steps(log: Log, number: int) -> list[Step]:
    """The events of one deal, which must be over."""
    found = []
    for step in steps(log):
        if step.before.series is not None and _number(step) == number:
            found.append(step)
            if isinstance(step.event, DealClosed):
                return found
    raise UnknownDeal(f"there is no deal {number} that is over")


def _number(step: Step) -> int:
    """The number of the deal to which an event belongs; 0 for what happens between deals."""
    live = step.before
    assert live.series is not None
    if isinstance(step.event, Opened):
        return live.due_number
    return live.number if live.series.playing else 0


# --- records -------------------------------------------------------------------------------------------


def session_record(log: Log) -> Record:
    """All deals that are over, and the end of the session."""
    done = list(steps(log))
    if not done:
        raise UnknownDeal("no deal has been played yet")
    last = done[-1]
    over = after(last.before, last.event).moment != "deal"
    ends = [place for place, step in enumerate(done) if isinstance(step.event, DealClosed)]
    kept = done if over else done[: ends[-1] + 1] if ends else done[:1]
    return _record(kept)


def deal_record(log: Log, number: int) -> Record:
    """One deal that is over."""
    return _record(deal_steps(log, number))


def _record(kept: list[Step]) -> Record:
    first = kept[0].before
    entries = tuple(Entry(step.event, _meta(step)) for step in kept)
    return Record(record.header(first.rules, first.settings.size), entries)


def _meta(step: Step) -> dict[str, object]:
    """When it happened, and with dealt cards how they were shuffled."""
    meta: dict[str, object] = {"at": step.at}
    if isinstance(step.event, Dealt):
        proof = after(step.before, step.event).proof
        return meta | ({"fair": msgspec.json.decode(msgspec.json.encode(proof))} if proof is not None else {})
    return meta


def proofs(log: Log, number: int) -> list[tuple[Proof, Dealt]]:
    """How the cards of a deal were shuffled, each time they were dealt, and what came of it."""
    found = []
    for step in deal_steps(log, number):
        if isinstance(step.event, Dealt):
            proof = after(step.before, step.event).proof
            if proof is not None:
                found.append((proof, step.event))
    return found


def again(log: Log, number: int) -> Again:
    """The cards of a deal, to be played once more; after redeals those that were played."""
    played = deal_steps(log, number)
    dealt = [step.event for step in played if isinstance(step.event, Dealt)]
    opened = played[0].event
    if not dealt or not isinstance(opened, Opened):
        raise IllegalAction("noCardsInDeal")
    assert played[0].before.series is not None
    return Again(Deal(dealt[-1].hands, dealt[-1].chien), opened.dealer, played[0].before.series.out)


# --- to look at ----------------------------------------------------------------------------------------


def replay(log: Log, number: int, language: str) -> tuple[list[Frame], dict[str, Cited]]:
    """A deal step by step with all cards open, and the legend of all; what tells nothing is no step."""
    frames: list[Frame] = []
    cites: dict[str, Cited] = {}
    for step in deal_steps(log, number):
        teller = teller_of(step.before, language)
        truth = step.before.series
        assert truth is not None
        told = tuple(tell(teller, truth, step.event))
        if told:
            shown = _open_scene(after(step.before, step.event), language)
            cites |= shown.cites
            frames.append(Frame(replace(shown, cites={}), told))
    return frames, cites


def _open_scene(live: Live, language: str) -> Scene:
    """The table as somebody sees it who may see everything."""
    assert live.series is not None
    return scene(replace(live, views=(live.series,) * len(live.views)), None, language, frozenset())


def ledger(log: Log, language: str) -> tuple[list[PaymentShown], dict[str, Cited]]:
    """Every payment of the session, and their legend; payments are public."""
    paid: list[PaymentShown] = []
    cites: dict[str, Cited] = {}
    for step in steps(log):
        if isinstance(step.event, Paid):
            teller = teller_of(step.before, language)
            known = len(step.before.payments)
            new = after(step.before, step.event).payments[known:]
            paid += [payment(teller, *one) for one in new]
            cites |= legend(teller, (transfer for _, transfer in new))
    return paid, cites


def totals(log: Log) -> list[tuple[int, ...]]:
    """What everybody had after each deal."""
    ended = [after(step.before, step.event) for step in steps(log) if isinstance(step.event, DealClosed)]
    return [live.series.totals for live in ended if live.series is not None]


# --- stub ----------------------------------------------------------------------------------------------


def deal_events(log: Log, number: int) -> tuple[Rules, tuple[DealEvent, ...]]:
    """The rules and the events of a deal that is over."""
    played = deal_steps(log, number)
    return played[0].before.rules, tuple(step.event for step in played)  # type: ignore[misc]


def step_of(log: Log, number: int) -> Callable[[int], int]:
    """The frame of the replay that shows an event of the deal."""
    places: list[int] = []
    frames = 0
    for step in deal_steps(log, number):
        assert step.before.series is not None
        places.append(frames)
        frames += bool(tuple(tell(teller_of(step.before, "en"), step.before.series, step.event)))
    return places.__getitem__
