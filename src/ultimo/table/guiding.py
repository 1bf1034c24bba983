"""A guided first deal as a page draws it: the table as the learner sees it, and what the guide says.

Nothing is kept: the table is made anew from the step and the learner's moves, and what has happened since the
step before comes card by card, so that the page can show it as a live table does.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from typing import Final

from msgspec import Struct
from msgspec.structs import replace

from ultimo import series
from ultimo.events import Action, AskTarokLaid, Event, Lay, Paid, Play, ShowPoignee
from ultimo.names import Family, capital, names
from ultimo.table.live import Live, Sitting, after
from ultimo.table.scene import AnyOffer, ButtonOffer, CardName, Happening, PickOffer, Scene
from ultimo.table.settings import SeatPlan, Settings
from ultimo.table.showing import scene, teller_of
from ultimo.table.story import tell
from ultimo.telling import results
from ultimo.telling.writer import CardRow
from ultimo.tutor.school.first import First, Kind, Reached, WrongMove, at, first, reason, words
from ultimo.tutor.school.parts import drawn

LEARNER: Final = "learner"


class GuideFrame(Struct, frozen=True):
    """The table after something has happened, and what that was."""

    scene: Scene
    story: tuple[Happening, ...]


class LineShown(Struct, frozen=True):
    """A payment of the deal: what the learner has got or paid by it, how it was worked out, and why."""

    label: str
    points: int
    how: tuple[str, ...]
    why: str


class FirstShown(Struct, frozen=True, rename="camel"):
    """A step of a guided deal: what is told and asked, and how the table has come to it, frame by frame.

    What is to be done is `action`; `touch` are the cards of the hand that are touched for it, and where there
    is a choice to make, `either` are others that are marked as well.
    """

    name: Family
    title: str
    step: int
    steps: int
    made: int  # moves of the learner's before this step
    kind: Kind
    text: str
    rows: tuple[CardRow, ...]
    action: Action | None
    touch: tuple[CardName, ...]
    either: tuple[CardName, ...]
    frames: tuple[GuideFrame, ...]
    lines: tuple[LineShown, ...] = ()


class NotHere(ValueError):
    """A move that is not made at a step: why, in the language of the learner."""


def guided(name: Family, moves: Sequence[Action], step: int, player: str, language: str) -> FirstShown:
    """A step of the first deal of a game after these moves, or `NotHere`, or `NoSuchStep`."""
    one = first(name)
    pen = one.pen(language)
    try:
        there = at(one, moves, step)
    except WrongMove as wrong:
        raise NotHere(reason(wrong, pen, _names(one, player))) from None
    here = one.steps[step]
    return FirstShown(
        name=name,
        title=pen.write(one.title),
        step=step,
        steps=len(one.steps),
        made=sum(bool(before.touch) for before in one.steps[:step]),
        kind=one.kind(step),
        text=words(pen, here.say, there.changed),
        rows=drawn(pen, here.shown).rows,
        action=there.touch,
        touch=() if isinstance(there.touch, ShowPoignee) else _cards(there.touch),
        either=tuple(here.either.split()),
        frames=tuple(_frames(one, there, player, language)),
        lines=tuple(_lines(one, there, language)) if one.kind(step) == "end" else (),
    )


def _names(one: First, player: str) -> tuple[str, ...]:
    return tuple(name or player for name in one.names)


def _cards(action: Action | None) -> tuple[CardName, ...]:
    match action:
        case Play(card=card):
            return (card.value,)
        case Lay(cards=some) | ShowPoignee(cards=some):
            return tuple(card.value for card in some)
        case _:
            return ()


# --- the table -------------------------------------------------------------------------------------------


def _live(one: First, player: str) -> Live:
    """The table before anything has happened at it."""
    size = len(one.hands)
    settings = Settings(
        one.book,
        size,
        tuple(SeatPlan("host" if seat == one.learner else "bot") for seat in range(size)),
        house=dict(one.house),
        help="never",
    )
    return Live(
        seq=0,
        table="",
        settings=settings,
        rules=one.rules,
        host=LEARNER,
        again=None,
        seats=tuple(
            Sitting("person", player, LEARNER) if seat == one.learner else Sitting("bot", name)
            for seat, name in enumerate(one.names)
        ),
        started=True,
    )


def _frames(one: First, there: Reached, player: str, language: str) -> Iterator[GuideFrame]:
    """The table after each thing that has happened since the step before; if nothing has, as it is."""
    live = _live(one, player)
    for place, events in enumerate(there.happened):
        told: list[Happening] = []
        for event in events:
            if there.step and place >= there.since:
                told += _told(live, one, event, language)
            live = after(live, event)
        if told or place == len(there.happened) - 1:
            shown = scene(live, LEARNER, language, frozenset((LEARNER,)))
            yield GuideFrame(_simplified(shown, there.touch), tuple(told))


def _told(live: Live, one: First, event: Event, language: str) -> Iterator[Happening]:
    view = live.view(one.learner)
    if live.series is None or view is None:
        return
    seen = series.seen_by(live.rules, live.series, one.learner, event)
    for told in tell(teller_of(live, language), view, seen):
        # a great moment needs no sentence here: it would call the learner by a name that is new to them
        yield replace(told, text="") if told.kind == "moment" else told


def _simplified(shown: Scene, touch: Action | None) -> Scene:
    """The scene without offers of which a guide does not speak; what it says is what is suggested."""
    if shown.turn is None:
        return shown

    def with_it(offer: AnyOffer) -> AnyOffer:
        match offer, touch:
            case PickOffer(), Lay():
                return replace(offer, suggestion=_cards(touch))
            case PickOffer(), ShowPoignee():
                return replace(offer, must=_cards(touch), among=(), suggestion=())
        return offer

    offers = tuple(with_it(one) for one in shown.turn.offers if not _is_aside(one))
    return replace(shown, turn=replace(shown.turn, offers=offers, rest=False))


def _is_aside(offer: AnyOffer) -> bool:
    return isinstance(offer, ButtonOffer) and isinstance(offer.action, AskTarokLaid)


# --- the end ---------------------------------------------------------------------------------------------


def _lines(one: First, there: Reached, language: str) -> Iterator[LineShown]:
    """What the learner has got and paid, for each reason, and what the guide says of it."""
    pen, ended = one.pen(language), there.state.deal
    assert ended is not None
    teller = replace(pen.teller, players=_names(one, capital(names(language).text("you"))))
    told = [event for some in there.happened for event in some if isinstance(event, Paid)]
    paid = [transfer for event in told for transfer in event.transfers]
    rows = results.by_reason(teller, paid, results.accounts_of(one.rules, len(one.hands)), ended)
    own = [row for row in rows if row.points[one.learner]]
    for row, said in zip(own, one.payments, strict=True):
        yield LineShown(row.label, row.points[one.learner], row.how, words(pen, said, there.changed))
