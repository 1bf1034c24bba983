"""From the wish of a person to the facts that follow from it, or a refusal."""

from __future__ import annotations

from ultimo import fair, series
from ultimo.events import Action, Deal, IllegalAction, Seat
from ultimo.names import Family
from ultimo.table import messages
from ultimo.table.claiming import can_claim, laid_down
from ultimo.table.facts import (
    Audience,
    BotSeated,
    ChatSaid,
    DealSkipped,
    Fact,
    Happened,
    MadeReady,
    PlayerCommitted,
    PlayerId,
    PlayerRevealed,
    RestClaimed,
    SeatLeft,
    SeatTaken,
    SeatTakenBack,
    SessionFinished,
    SessionStarted,
    TableOpened,
    TempoSet,
)
from ultimo.table.live import Live, evolve
from ultimo.table.scene import Level, Tempo
from ultimo.table.settings import Again, Settings, check
from ultimo.telling.seats import active

BOTS: dict[Family, tuple[str, ...]] = {  # from the country of the game
    "danish": ("Karen", "Aage", "Inger", "Poul", "Else"),
    "french": ("Odile", "Marcel", "Simone", "René", "Lucie"),
}


def open_table(
    table: str,
    settings: Settings,
    host: PlayerId,
    name: str,
    again: Again | None = None,
    seed: str | None = None,
) -> tuple[Fact, ...]:
    """The facts with which a table begins; with no seat left open the session begins at once."""
    check(settings)
    facts: list[Fact] = [TableOpened(table, settings, host, again, seed)]
    live = evolve(None, facts[0], 0.0)
    own = [seat for seat, plan in enumerate(settings.seats) if plan.kind == "host"]
    for seat in (*own, *(seat for seat in range(settings.size) if settings.seats[seat].kind == "bot")):
        sat = SeatTaken(seat, host, name) if seat in own else _bot(live, seat, settings.seats[seat].level)
        facts.append(sat)
        live = evolve(live, sat, 0.0)
    if not _open_seats(live):
        facts.append(SessionStarted())
    return tuple(facts)


def decide(live: Live, player: PlayerId, name: str, wish: messages.Wish) -> tuple[Fact, ...]:
    """The facts that follow from a wish, or `IllegalAction`. Changes nothing."""
    match wish:
        case messages.Act(action=action):
            return _act(live, player, action)
        case messages.Sit(seat=seat):
            return _sit(live, player, name, seat)
        case messages.Stand():
            return _stand(live, _own_seat(live, player))
        case messages.SeatBot(seat=seat, level=level):
            _gathering(live, player)
            _check_open(live, seat)
            return (_bot(live, seat, level),)
        case messages.OpenSeat(seat=seat):
            _gathering(live, player)
            if not 0 <= seat < len(live.seats) or live.seats[seat].kind != "bot":
                raise IllegalAction("onlyBotRemoved")
            return (SeatLeft(seat),)
        case messages.Start():
            return _start(live, player)
        case messages.Ready():
            return _ready(live, _own_seat(live, player))
        case messages.TakeBack():
            seat = _own_seat(live, player)
            if not live.seats[seat].stand_in:
                raise IllegalAction("noStandIn")
            return (SeatTakenBack(seat),)
        case messages.SetTempo(tempo=tempo):
            return _set_tempo(live, player, tempo)
        case messages.ClaimRest():
            return _claim_rest(live, _own_seat(live, player))
        case messages.Skip():
            return _skip(live, _own_seat(live, player))
        case messages.Finish():
            return _finish(live, player)
        case messages.Rematch():
            raise IllegalAction("rematchByServer")
        case messages.Say(text=text):
            return _say(live, player, name, text)
        case messages.Commit(deal=number, digest=digest):
            return _commit(live, player, number, digest)
        case messages.Reveal(deal=number, secret=secret):
            return _reveal(live, player, number, secret)


# --- in the game ---------------------------------------------------------------------------------------


def _act(live: Live, player: PlayerId, action: Action) -> tuple[Fact, ...]:
    """A person moves; if a bot has been playing for him, he has his seat back by that."""
    seat = _own_seat(live, player)
    if live.series is None:
        raise IllegalAction("gameNotBegun")
    if isinstance(action, Deal):
        raise IllegalAction("cardsNotChosen")
    back: tuple[Fact, ...] = (SeatTakenBack(seat),) if live.seats[seat].stand_in else ()
    return (*back, Happened(series.decide(live.rules, live.series, seat, action)))


def _ready(live: Live, seat: Seat) -> tuple[Fact, ...]:
    if live.moment != "between":
        raise IllegalAction("noDealEnded")
    if live.seats[seat].ready:
        raise IllegalAction("alreadyReady")
    return (MadeReady(seat),)


def _claim_rest(live: Live, seat: Seat) -> tuple[Fact, ...]:
    """The rest of the deal as facts, as if everybody had laid the cards in turn."""
    view = live.view(seat)
    if live.series is None or view is None or view.deal is None or not can_claim(live.rules, view.deal, seat):
        raise IllegalAction("restNotClaimed")
    back: tuple[Fact, ...] = (SeatTakenBack(seat),) if live.seats[seat].stand_in else ()
    return (*back, RestClaimed(seat), *map(Happened, laid_down(live.rules, live.series, seat)))


def _skip(live: Live, seat: Seat) -> tuple[Fact, ...]:
    if not may_skip(live, seat):
        raise IllegalAction("skipOnlySittingOut")
    return (DealSkipped(seat),)


def may_skip(live: Live, seat: Seat | None) -> bool:
    """Whether a seat may see the result at once: bots play the deal, and no other person watches it here."""
    if live.series is None or not live.series.playing or live.skipped or seat is None:
        return False
    return seat not in active(live.series.deal) and live.alone == live.seats[seat].player


def _set_tempo(live: Live, player: PlayerId, tempo: Tempo) -> tuple[Fact, ...]:
    seat = _own_seat(live, player)
    if not leads(live, player):
        raise IllegalAction("onlyHostSetsSpeed")
    if live.moment == "over":
        raise IllegalAction("speedTooLate")
    if live.settings.tempo == tempo:
        raise IllegalAction("speedAlready")
    return (TempoSet(seat, tempo),)


def _finish(live: Live, player: PlayerId) -> tuple[Fact, ...]:
    if not leads(live, player):
        raise IllegalAction("onlyHostEnds")
    if live.moment not in ("deal", "between"):
        raise IllegalAction("noGame")
    if live.finished:
        raise IllegalAction("endsAlready")
    return (SessionFinished(),)


# --- seats ---------------------------------------------------------------------------------------------


def _sit(live: Live, player: PlayerId, name: str, seat: Seat) -> tuple[Fact, ...]:
    if live.seat_of(player) is not None:
        raise IllegalAction("alreadySeated")
    if live.started:
        raise IllegalAction("gameBegunWatch")
    _check_open(live, seat)
    for other, sitting in enumerate(live.seats):
        if sitting.name.casefold() == name.casefold():
            raise IllegalAction("nameAtTable", player=other)
    return (SeatTaken(seat, player, name),)


def _stand(live: Live, seat: Seat) -> tuple[Fact, ...]:
    if live.moment == "over":
        raise IllegalAction("gameOver")
    if not live.started:
        return (SeatLeft(seat),)
    return (_bot(live, seat, "club"),)


def may_start(live: Live, player: PlayerId) -> bool:
    """Whether a person may begin the game: who leads, and while the host is away whoever has a seat."""
    late = live.host in live.away and live.seat_of(player) is not None
    return not live.started and (leads(live, player) or late)


def _start(live: Live, player: PlayerId) -> tuple[Fact, ...]:
    if not may_start(live, player):
        _gathering(live, player)
    facts: list[Fact] = []
    for seat in _open_seats(live):
        facts.append(_bot(live, seat, "club"))
        live = evolve(live, facts[-1], live.at)
    return (*facts, SessionStarted())


def _gathering(live: Live, player: PlayerId) -> None:
    if not leads(live, player):
        raise IllegalAction("onlyHost")
    if live.started:
        raise IllegalAction("gameBegun")


def _check_open(live: Live, seat: Seat) -> None:
    if seat not in _open_seats(live):
        raise IllegalAction("seatTaken")


def _open_seats(live: Live) -> list[Seat]:
    return [seat for seat, sitting in enumerate(live.seats) if sitting.kind == "open"]


def _bot(live: Live, seat: Seat, level: Level) -> BotSeated:
    """A bot with a name that nobody else at the table has."""
    taken = {sitting.name for place, sitting in enumerate(live.seats) if place != seat}
    names = BOTS[live.rules.family]
    return BotSeated(seat, level, next(name for name in names if name not in taken))


def _own_seat(live: Live, player: PlayerId) -> Seat:
    seat = live.seat_of(player)
    if seat is None:
        raise IllegalAction("notSeated")
    return seat


def leads(live: Live, player: PlayerId) -> bool:
    """Whether the player speaks for the table: the host, or without one whoever sits there first."""
    people = [sitting.player for sitting in live.seats if sitting.kind == "person"]
    return player == live.host or (live.host not in people and people[:1] == [player])


# --- talk ----------------------------------------------------------------------------------------------


def _say(live: Live, player: PlayerId, name: str, text: str) -> tuple[Fact, ...]:
    said = " ".join(text.split())
    if not said:
        raise IllegalAction("nothingSaid")
    seat = live.seat_of(player)
    return (ChatSaid(player, name, seat, said, audience(live, seat)),)


def audience(live: Live, seat: Seat | None) -> Audience:
    """Who hears a seat, or a spectator: during a deal nobody who plays it hears who only watches it."""
    if live.series is None or not live.series.playing:
        return "all"
    return "active" if seat in active(live.series.deal) else "others"


# --- shuffling -----------------------------------------------------------------------------------------


def _commit(live: Live, player: PlayerId, number: int, digest: str) -> tuple[Fact, ...]:
    _own_seat(live, player)
    shuffle = live.shuffle
    if shuffle is None or shuffle.deal != number:
        raise IllegalAction("notShuffling")
    if player in shuffle.committed:
        raise IllegalAction("alreadyCommitted")
    if not live.commits_open:
        raise IllegalAction("tooLateToShuffle")
    return (PlayerCommitted(number, player, digest),)


def _reveal(live: Live, player: PlayerId, number: int, secret: str) -> tuple[Fact, ...]:
    shuffle = live.shuffle
    if shuffle is None or shuffle.deal != number or player in shuffle.revealed or live.dealings:
        raise IllegalAction("notShuffling")
    if not shuffle.closed:
        raise IllegalAction("revealTooEarly")
    if fair.commitment(secret) != shuffle.committed.get(player):
        raise IllegalAction("wrongSecret")
    return (PlayerRevealed(number, player, secret),)
