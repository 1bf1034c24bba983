"""From the wish of a person to the facts that follow from it, or a refusal."""

from __future__ import annotations

from collections.abc import Mapping

from msgspec.structs import replace

from ultimo import fair, series
from ultimo.events import Action, Deal, IllegalAction, Seat
from ultimo.names import Family
from ultimo.table import facts, messages
from ultimo.table.claiming import can_claim, laid_down
from ultimo.table.facts import Fact, PlayerId
from ultimo.table.helping import taken
from ultimo.table.live import Known, Live, evolve, people
from ultimo.table.scene import Help, Level, Tempo
from ultimo.table.settings import Again, SeatPlan, Settings, check, dated
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
    opened = facts.TableOpened(table, dated(settings), host, again, seed)
    live = evolve(None, opened, 0.0)
    plans = settings.seats
    sat: list[Fact] = [
        facts.SeatTaken(seat, host, name) for seat, plan in enumerate(plans) if plan.kind == "host"
    ]
    for one in sat:
        live = evolve(live, one, 0.0)
    bots, live = _bots(live, {seat: plan.level for seat, plan in enumerate(plans) if plan.kind == "bot"})
    return (opened, *sat, *bots, *([] if _open_seats(live) else [facts.SessionStarted()]))


def decide(live: Live, player: PlayerId, name: str, wish: messages.Wish) -> tuple[Fact, ...]:
    """The facts that follow from a wish, or `IllegalAction`. Changes nothing."""
    _need(player not in live.removed, IllegalAction("removedHere"))
    match wish:
        case messages.Act(action=action):
            return _act(live, _own_seat(live, player), action)
        case messages.Sit(seat=seat):
            return (_sit(live, player, name, seat),)
        case messages.Stand():
            return (_stand(live, _own_seat(live, player)),)
        case messages.SeatBot(seat=seat, level=level):
            _gathering(live, player)
            _need(seat in _open_seats(live), IllegalAction("seatTaken"))
            return (_bot(live, seat, level),)
        case messages.OpenSeat(seat=seat):
            _gathering(live, player)
            _need(
                0 <= seat < len(live.seats) and live.seats[seat].kind == "bot",
                IllegalAction("onlyBotRemoved"),
            )
            return (facts.SeatLeft(seat),)
        case messages.Start():
            return _start(live, player)
        case messages.Ready():
            return (_ready(live, _own_seat(live, player)),)
        case messages.TakeBack():
            seat = _own_seat(live, player)
            _need(live.seats[seat].stand_in, IllegalAction("noStandIn"))
            return (facts.SeatTakenBack(seat),)
        case messages.SetTempo(tempo=tempo):
            return (_set_tempo(live, player, tempo),)
        case messages.SetHelp(help=whom):
            return (_set_help(live, player, whom),)
        case messages.Undo(to=to):
            return _undo(live, player, to)
        case messages.ClaimRest():
            return _claim_rest(live, _own_seat(live, player))
        case messages.Skip():
            seat = _own_seat(live, player)
            _need(may_skip(live, seat), IllegalAction("skipOnlySittingOut"))
            return (facts.DealSkipped(seat),)
        case messages.Finish():
            return (_finish(live, player),)
        case messages.Rematch():
            raise IllegalAction("rematchByServer")
        case messages.Say(text=text):
            return (_say(live, player, name, " ".join(text.split())),)
        case messages.Mute(who=who, muted=muted):
            return (_mute(_other(live, player, who), muted),)
        case messages.Remove(who=who):
            other = _other(live, player, who)
            _need(other.seat is None, IllegalAction("removeSpectators"))
            return (facts.SpectatorRemoved(other.player, other.name),)
        case messages.TakeSeat(who=who):
            return _take_seat(live, _other(live, player, who))
        case messages.Commit(number=number, digest=digest):
            return (_commit(live, player, number, digest),)
        case messages.Reveal(number=number, secret=secret):
            return (_reveal(live, player, number, secret),)


def _need(is_so: bool, refusal: IllegalAction) -> None:
    """Refuse a wish, unless what it needs is so."""
    if not is_so:
        raise refusal


# --- in the game ---------------------------------------------------------------------------------------


def _act(live: Live, seat: Seat, action: Action) -> tuple[Fact, ...]:
    """A person moves."""
    if live.series is None:
        raise IllegalAction("gameNotBegun")
    _need(not isinstance(action, Deal), IllegalAction("cardsNotChosen"))
    return (*_back(live, seat), facts.Happened(series.decide(live.rules, live.series, seat, action)))


def _back(live: Live, seat: Seat) -> tuple[Fact, ...]:
    """Whoever moves while a bot plays for them has their seat back by that."""
    return (facts.SeatTakenBack(seat),) if live.seats[seat].stand_in else ()


def _ready(live: Live, seat: Seat) -> Fact:
    _need(live.moment == "between", IllegalAction("noDealEnded"))
    _need(not live.seats[seat].ready, IllegalAction("alreadyReady"))
    return facts.MadeReady(seat)


def _claim_rest(live: Live, seat: Seat) -> tuple[Fact, ...]:
    """The rest of the deal as facts, as if everybody had laid the cards in turn."""
    view = live.view(seat)
    if live.series is None or view is None or view.deal is None or not can_claim(live.rules, view.deal, seat):
        raise IllegalAction("restNotClaimed")
    rest = map(facts.Happened, laid_down(live.rules, live.series, seat))
    return (*_back(live, seat), facts.RestClaimed(seat), *rest)


def may_skip(live: Live, seat: Seat | None) -> bool:
    """Whether a seat may see the result at once: bots play the deal, and no other person watches it here."""
    if live.series is None or not live.series.playing or live.skipped or seat is None:
        return False
    return seat not in active(live.series.deal) and live.alone == live.seats[seat].player


def _set_tempo(live: Live, player: PlayerId, tempo: Tempo) -> Fact:
    seat = _own_seat(live, player)
    _need(leads(live, player), IllegalAction("onlyHostSetsSpeed"))
    _need(live.moment != "over", IllegalAction("speedTooLate"))
    _need(live.settings.tempo != tempo, IllegalAction("speedAlready"))
    return facts.TempoSet(seat, tempo)


def _set_help(live: Live, player: PlayerId, whom: Help) -> Fact:
    """The host's switch; nobody is helped against people who have sat down without knowing it."""
    seat = _own_seat(live, player)
    _need(leads(live, player), IllegalAction("onlyHostSetsHelp"))
    _need(live.moment in ("gathering", "between"), IllegalAction("helpBetweenDeals"))
    _need(live.settings.help != whom, IllegalAction("helpAlready"))
    people = sum(sitting.kind == "person" for sitting in live.seats)
    _need(whom != "everyone" or people == 1, IllegalAction("helpBeforeOthers"))
    return facts.HelpSet(seat, whom)


def _undo(live: Live, player: PlayerId, to: int) -> tuple[Fact, ...]:
    """A person among bots goes back to just before a decision of their own."""
    seat = _own_seat(live, player)
    _need(live.settings.help != "never", IllegalAction("noHelp"))
    _need(live.alone == player, IllegalAction("takeBackAlone"))
    _need(any(one.at == to for one in taken(live, player)), IllegalAction("nothingToTakeBack"))
    return (*_back(live, seat), facts.Undone(seat, to))


def _finish(live: Live, player: PlayerId) -> Fact:
    _need(leads(live, player), IllegalAction("onlyHostEnds"))
    _need(live.moment in ("deal", "between"), IllegalAction("noGame"))
    _need(not live.finished, IllegalAction("endsAlready"))
    return facts.SessionFinished()


# --- seats ---------------------------------------------------------------------------------------------


def _sit(live: Live, player: PlayerId, name: str, seat: Seat) -> Fact:
    _need(live.seat_of(player) is None, IllegalAction("alreadySeated"))
    _need(not live.started, IllegalAction("gameBegunWatch"))
    _need(player not in live.unseated, IllegalAction("seatLost"))
    _need(seat in _open_seats(live), IllegalAction("seatTaken"))
    for other, sitting in enumerate(live.seats):
        _need(sitting.name.casefold() != name.casefold(), IllegalAction("nameAtTable", player=other))
    return facts.SeatTaken(seat, player, name)


def _stand(live: Live, seat: Seat) -> Fact:
    _need(live.moment != "over", IllegalAction("gameOver"))
    return _bot(live, seat, "club") if live.started else facts.SeatLeft(seat)


def may_start(live: Live, player: PlayerId) -> bool:
    """Whether a person may begin the game: who leads, and while the host is away whoever has a seat."""
    late = live.host in live.away and live.seat_of(player) is not None
    return not live.started and (leads(live, player) or late)


def _start(live: Live, player: PlayerId) -> tuple[Fact, ...]:
    if not may_start(live, player):
        _gathering(live, player)
    bots, _ = _bots(live, dict.fromkeys(_open_seats(live), "club"))
    return (*bots, facts.SessionStarted())


def _gathering(live: Live, player: PlayerId) -> None:
    _need(leads(live, player), IllegalAction("onlyHost"))
    _need(not live.started, IllegalAction("gameBegun"))


def _open_seats(live: Live) -> list[Seat]:
    return [seat for seat, sitting in enumerate(live.seats) if sitting.kind == "open"]


def _bots(live: Live, levels: Mapping[Seat, Level]) -> tuple[list[Fact], Live]:
    """Bots at these seats, and the table with them."""
    seated: list[Fact] = []
    for seat, level in levels.items():
        seated.append(_bot(live, seat, level))
        live = evolve(live, seated[-1], live.at)
    return seated, live


def _bot(live: Live, seat: Seat, level: Level) -> facts.BotSeated:
    """A bot with a name that nobody else at the table has."""
    taken = {sitting.name for place, sitting in enumerate(live.seats) if place != seat}
    return facts.BotSeated(seat, level, next(name for name in BOTS[live.rules.family] if name not in taken))


def _own_seat(live: Live, player: PlayerId) -> Seat:
    seat = live.seat_of(player)
    if seat is None:
        raise IllegalAction("notSeated")
    return seat


def rematch(live: Live, player: PlayerId) -> Settings:
    """The agreement of the table at which the same people play on by today's rules, whoever asks first."""
    seat = live.seat_of(player)
    if live.moment != "over" or seat is None:
        raise IllegalAction("rematchForPlayers")
    _need(live.rematch is None, IllegalAction("rematchOpen"))
    plans = [SeatPlan("bot", one.level) if one.kind == "bot" else SeatPlan("open") for one in live.seats]
    plans[seat] = SeatPlan("host")
    return replace(live.settings, seats=tuple(plans), digest="")


def has_say(live: Live, player: PlayerId | None) -> bool:
    """Whether a person has a say at the table, and does not only watch it: with a seat, or as its host."""
    return player is not None and (player == live.host or live.seat_of(player) is not None)


def leads(live: Live, player: PlayerId) -> bool:
    """Whether the player speaks for the table: the host, or without one whoever sits there first."""
    people = [sitting.player for sitting in live.seats if sitting.kind == "person"]
    return player == live.host or (live.host not in people and people[:1] == [player])


# --- what the host does about others -------------------------------------------------------------------


def _other(live: Live, player: PlayerId, who: str) -> Known:
    """Somebody about whom the player may do something."""
    _need(leads(live, player), IllegalAction("onlyHost"))
    other = people(live).get(who)
    if other is None:
        raise IllegalAction("nobodyThere")
    _need(other.player not in (player, live.host), IllegalAction("notTheHost"))
    return other


def _mute(other: Known, muted: bool) -> Fact:
    if muted:
        _need(not other.muted, IllegalAction("mutedAlready"))
        return facts.Muted(other.player, other.name)
    _need(other.muted, IllegalAction("notMuted"))
    return facts.Unmuted(other.player, other.name)


def _take_seat(live: Live, other: Known) -> tuple[Fact, ...]:
    if other.seat is None:
        raise IllegalAction("hasNoSeat")
    left = _stand(live, other.seat)
    return facts.SeatTakenAway(other.player, other.name, other.seat), left


# --- talk ----------------------------------------------------------------------------------------------


def _say(live: Live, player: PlayerId, name: str, text: str) -> Fact:
    _need(bool(text), IllegalAction("nothingSaid"))
    _need(player not in live.muted, IllegalAction("muted"))
    seat = live.seat_of(player)
    return facts.ChatSaid(player, name, seat, text, audience(live, seat))


def audience(live: Live, seat: Seat | None) -> facts.Audience:
    """Who hears a seat, or a spectator: during a deal nobody who plays it hears who only watches it."""
    if live.series is None or not live.series.playing:
        return "all"
    return "active" if seat in active(live.series.deal) else "others"


# --- shuffling -----------------------------------------------------------------------------------------


def _commit(live: Live, player: PlayerId, number: int, digest: str) -> Fact:
    _own_seat(live, player)
    if live.shuffle is None or live.shuffle.number != number:
        raise IllegalAction("notShuffling")
    _need(player not in live.shuffle.shares, IllegalAction("alreadyCommitted"))
    _need(live.may_commit(player), IllegalAction("tooLateToShuffle"))
    return facts.PlayerCommitted(live.shuffle.deal, player, digest)


def _reveal(live: Live, player: PlayerId, number: int, secret: str) -> Fact:
    shuffle = live.shuffle
    if shuffle is None or shuffle.number != number:
        raise IllegalAction("notShuffling")
    _need(shuffle.closed, IllegalAction("revealTooEarly"))
    _need(live.reveals_open and player in shuffle.missing, IllegalAction("notShuffling"))
    _need(fair.commitment(secret) == shuffle.shares[player].commitment, IllegalAction("wrongSecret"))
    return facts.PlayerRevealed(shuffle.deal, player, secret)
