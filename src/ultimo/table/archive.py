"""What remains of a table: the record of its closed deals, their replays, the proofs of their cards.

What was taken back is not part of it: a deal is shown as it was played at last, and marked.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator
from itertools import accumulate
from typing import NamedTuple, TypeAlias, cast

import msgspec
from msgspec import Struct
from msgspec.structs import replace

from ultimo import deal, record
from ultimo.events import (
    CupsDivided,
    Deal,
    DealClosed,
    DealEvent,
    Dealt,
    Event,
    IllegalAction,
    Opened,
    Paid,
    SeriesOpened,
)
from ultimo.fair import AnyProof
from ultimo.pauses import with_pauses
from ultimo.record import Entry, Record
from ultimo.rulebook import Rules
from ultimo.table.facts import Fact, Happened, Undone
from ultimo.table.live import Live, after, evolve, noted, told
from ultimo.table.scene import Happening, PaymentShown, Scene
from ultimo.table.settings import Again, Move
from ultimo.table.showing import legend, payment, scene, teller_of
from ultimo.table.story import tell
from ultimo.telling.citations import Cited
from ultimo.tutor.decisions import deals

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
    first: bool = True  # of what follows from one wish
    taken_back: bool = False  # something of the deal that this event opens


class UnknownDeal(LookupError):
    """A deal that has not been played to its end at this table."""


def steps(log: Log) -> Iterator[Step]:
    """Every event of the game that was not taken back."""
    live: Live | None = None
    found: list[Step] = []  # since the present deal began
    for fact, at in with_pauses(log):
        if live is None or not isinstance(fact, Happened):
            live = evolve(live, fact, at)
            if isinstance(fact, Undone):
                found = [found[0]._replace(taken_back=True), *found[1 : fact.to]]
            continue
        live = noted(replace(live, seq=live.seq + 1, at=at), fact.events)
        for place, event in enumerate(fact.events):
            if isinstance(event, Opened):
                yield from found
                found = []
            found.append(Step(live, event, at, place == 0))
            live = after(live, event)
        live = told(live, at)
    yield from found


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
    entries = tuple(Entry(step.event, _meta(step)) for step in with_pauses(kept))
    return Record(record.header(first.rules, first.settings.size), entries)


def _meta(step: Step) -> dict[str, object]:
    """When it happened, how what was drawn has been drawn, and whether the deal has a take-back."""
    meta: dict[str, object] = {"at": step.at}
    if step.taken_back:
        meta["takenBack"] = True
    if isinstance(step.event, SeriesOpened) and step.before.dealer_is_set:
        meta["dealer"] = "set"
    if (proof := proof_of(step)) is not None:
        meta["fair"] = msgspec.json.decode(msgspec.json.encode(proof))
    return meta


def proof_of(step: Step) -> AnyProof | None:
    """How that was drawn which an event tells, where it tells what was drawn."""
    live = after(step.before, step.event)
    draw = live.shuffle.draw if live.shuffle is not None else None
    match step.event:
        case Dealt():
            return live.proof
        case SeriesOpened() if draw == "dealer":
            return live.proof
        case CupsDivided() if draw == "rest":
            return live.proof
        case _:
            return None


def proofs(log: Log, number: int) -> list[tuple[AnyProof, Dealt]]:
    """How the cards of a deal were shuffled, each time they were dealt, and what came of it."""
    return [
        (proof, step.event)
        for step in deal_steps(log, number)
        if isinstance(step.event, Dealt) and (proof := proof_of(step)) is not None
    ]


def deal_events(log: Log, number: int) -> tuple[Rules, tuple[DealEvent, ...]]:
    """The rules and the events of a deal that is over."""
    played = deal_steps(log, number)
    (events,) = deals([step.event for step in played])
    return played[0].before.rules, events


def again(log: Log, number: int, frame: int | None = None) -> Again:
    """The cards of a deal, to be played once more or on from a frame of its replay.

    After redeals they are those that were played. A wish of which a frame shows the beginning is granted.
    """
    played = deal_steps(log, number)
    dealt = [step.event for step in played if isinstance(step.event, Dealt)]
    opened = played[0].event
    if not dealt or not isinstance(opened, Opened):
        raise IllegalAction("noCardsInDeal")
    assert played[0].before.series is not None
    cards, out = Deal(dealt[-1].hands, dealt[-1].chien), played[0].before.series.out
    return Again(cards, opened.dealer, out, () if frame is None else _moves(played, frame))


def _moves(played: list[Step], frame: int) -> tuple[Move, ...]:
    """What was wished in a deal, since its cards were dealt, up to a frame of its replay."""
    shown = [place for place, step in enumerate(played) if _told(step, "en")]
    if not 0 <= frame < len(shown):
        raise IllegalAction("noSuchStep")
    cards = max(place for place, step in enumerate(played) if isinstance(step.event, Dealt))
    wishes = [place for place, step in enumerate(played) if place > cards and step.first]
    if wishes and wishes[-1] <= shown[frame]:
        raise IllegalAction("dealOver")
    return tuple(_move(played[place]) for place in wishes if place <= shown[frame])


def _move(step: Step) -> Move:
    """The wish from which an event followed."""
    assert step.before.series is not None
    assert step.before.series.deal is not None
    found = deal.cause(step.before.series.deal, cast(DealEvent, step.event))
    assert found is not None
    return Move(*found)


# --- to look at ----------------------------------------------------------------------------------------


def replay(log: Log, number: int, language: str) -> tuple[list[Frame], dict[str, Cited]]:
    """A deal step by step with all cards open, and the legend of all; what tells nothing is no step."""
    frames: list[Frame] = []
    cites: dict[str, Cited] = {}
    for step in deal_steps(log, number):
        if told := _told(step, language):
            shown = _open_scene(after(step.before, step.event), language)
            cites |= shown.cites
            frames.append(Frame(replace(shown, cites={}), told))
    return frames, cites


def step_of(log: Log, number: int) -> Callable[[int], int]:
    """For the place of an event in a deal, the frame of the replay that shows it or comes next after it."""
    frames = [0, *accumulate(bool(_told(step, "en")) for step in deal_steps(log, number))]
    return frames.__getitem__


def _told(step: Step, language: str) -> tuple[Happening, ...]:
    """What somebody is told of an event who may see everything."""
    assert step.before.series is not None
    return tuple(tell(teller_of(step.before, language), step.before.series, step.event))


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
