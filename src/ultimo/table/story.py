"""What a viewer is told as it happens: sentences, and the values of what is animated."""

from __future__ import annotations

from collections.abc import Iterator, Sequence

from ultimo import french, series
from ultimo.cards import UNSEEN
from ultimo.events import CardPlayed, Dealt, EcartLaid, Event, Paid, Seat, SeriesOpened, TrickWon
from ultimo.rulebook import FrenchRules
from ultimo.table import facts
from ultimo.table.facts import Fact, PlayerId
from ultimo.table.live import Live, evolve
from ultimo.table.scene import Happening, HappeningKind, MomentShown
from ultimo.table.showing import hears, payment, teller_of
from ultimo.telling.moments import moments
from ultimo.telling.teller import Teller

KINDS: dict[type[Event], HappeningKind] = {CardPlayed: "played", TrickWon: "won", Dealt: "dealt"}
COMINGS: dict[type[facts.SeatFact], str] = {  # what is told of a seat
    facts.SeatTaken: "sitsDown",
    facts.BotSeated: "sitsDown",
    facts.StoodIn: "standsIn",
    facts.SeatTakenBack: "isBack",
    facts.RestClaimed: "claimsRest",
    facts.Undone: "takesBack",
}
PERSONS: dict[type[facts.PersonFact], str] = {  # what is told of a person
    facts.Muted: "muted",
    facts.Unmuted: "unmuted",
    facts.SpectatorRemoved: "removed",
    facts.SeatTakenAway: "seatTakenAway",
}


def story(
    before: Live, log: Sequence[tuple[Fact, float]], viewer: PlayerId | None, language: str
) -> tuple[Happening, ...]:
    """What a viewer is told of new facts; `before` is the table before the first of them."""
    told: list[Happening] = []
    live = before
    for place, (fact, at) in enumerate(log):
        if place:
            live = evolve(live, *log[place - 1])
        seat = live.seat_of(viewer)
        match fact:
            case facts.Happened(events=events):
                told += _events(live, events, seat, language)
            case facts.ChatSaid(name=name, text=text) if hears(live, seat, fact.audience):
                told.append(Happening("chat", f"{name}: {text}", fact.seat))
            case facts.CameBack(player=player) if (own := live.seat_of(player)) is not None:
                told.append(_said(live, own, "isBack", language))
            case facts.TempoSet(seat=own, tempo=tempo):
                told.append(_said(live, own, f"tempos.{tempo}", language))
            case facts.HelpSet(seat=own, help=whom):
                told.append(_said(live, own, f"helps.{whom}", language))
            case facts.PersonFact(name=name):
                text = teller_of(live, language).text(f"table.{PERSONS[type(fact)]}", player=name)
                told.append(Happening("told", text))
            case facts.SeatFact(seat=own) if key := COMINGS.get(type(fact)):
                told.append(_said(evolve(live, fact, at), own, key, language))
    return tuple(told)


def story_so_far(live: Live, viewer: PlayerId | None, language: str) -> tuple[Happening, ...]:
    """What a viewer has been told in the deal; of the cards only the last two tricks.

    Rule: E5, earlier tricks.
    """
    if live.before is None:
        return ()
    seat = live.seat_of(viewer)
    teller = teller_of(live, language, seat)
    truth, view = live.before, live.before
    told: list[Happening] = []
    for event in live.events:
        seen = series.seen_by(live.rules, truth, seat, event)
        told += tell(teller, view, seen)
        truth, view = series.evolve(live.rules, truth, event), series.evolve(live.rules, view, seen)
    return tuple(_recent(told))


def _events(live: Live, events: tuple[Event, ...], seat: Seat | None, language: str) -> Iterator[Happening]:
    teller = teller_of(live, language, seat)
    truth, view = live.series, live.view(seat)
    for event in events:
        if truth is None or view is None:
            truth = view = series.evolve(live.rules, None, event)
            if isinstance(event, SeriesOpened) and event.drawn:
                yield Happening("told", teller.draws(event), event.dealer)
            continue
        seen = series.seen_by(live.rules, truth, seat, event)
        yield from tell(teller, view, seen)
        truth, view = series.evolve(live.rules, truth, event), series.evolve(live.rules, view, seen)


def tell(teller: Teller, view: series.State, event: Event) -> Iterator[Happening]:
    """An event as it was seen, in words."""
    if isinstance(event, Paid):
        for moment in moments(teller, view.deal, event.transfers):
            card = moment.card.value if moment.card else None
            great = MomentShown(moment.title, moment.cup, moment.points)
            yield Happening("moment", moment.text, moment.seat, card, moment=great)
        for one in event.transfers:
            paid = payment(teller, view.deals + view.playing, one)
            yield Happening("paid", paid.text, payment=paid)
        return
    played = event.card if isinstance(event, CardPlayed) and event.card is not UNSEEN else None
    kind, seat = KINDS.get(type(event), "told"), getattr(event, "seat", None)
    if isinstance(teller.rules, FrenchRules) and isinstance(event, EcartLaid):
        event = french.noted(teller.rules, event)
    for text in teller.tell(view.deal, event, view.deals + 1):
        yield Happening(kind, text, seat, played.value if played else None)


def _said(live: Live, seat: Seat, key: str, language: str) -> Happening:
    teller = teller_of(live, language)
    return Happening("told", teller.text(f"table.{key}", player=teller.players[seat]), seat)


def _recent(told: list[Happening]) -> Iterator[Happening]:
    """Without the cards of earlier tricks."""
    tricks = [place for place, one in enumerate(told) if one.kind == "won"]
    first = tricks[-2] + 1 if len(tricks) > 1 else 0
    for place, one in enumerate(told):
        if place >= first or one.kind != "played":
            yield one
