"""The state of a live table: the fold of its facts.

It holds what each seat knows beside what is true, so that a scene is made from the one without the other
being at hand.
"""

from __future__ import annotations

from functools import lru_cache
from hashlib import sha256
from typing import Any, Literal, cast

from msgspec import Struct
from msgspec.structs import replace

from ultimo import deal, fair, series
from ultimo.events import Action, DealEvent, Dealt, Event, Opened, Paid, Seat, SeriesOpened, Transfer
from ultimo.play.story import put
from ultimo.rulebook import FrenchRules, Rules
from ultimo.series import State as Series
from ultimo.table import facts
from ultimo.table.answering import WORDLESS, only_choice
from ultimo.table.scene import Level, Moment
from ultimo.table.settings import Again, Settings, rules_of

CHAT_KEPT = 100
KEY = 12  # hexadecimal digits


class Sitting(Struct, frozen=True):
    """Who has a seat."""

    kind: Literal["person", "bot", "open"] = "open"
    name: str = ""
    player: facts.PlayerId | None = None
    level: Level = "club"
    stand_in: bool = False
    ready: bool = False

    @property
    def by_bot(self) -> bool:
        """Whether a bot moves."""
        return self.kind == "bot" or self.stand_in


class Shuffle(Struct, frozen=True):
    """An attempt at a draw: the secret of the server, and what people have committed to, by their ids."""

    deal: int
    draw: fair.Draw
    number: int  # counts the attempts at the table
    secret: str
    since: float  # when it began, or when the commitments were closed
    before: str = ""  # the digest of what came before it; nothing in an old log, which has no attempts
    failed: tuple[fair.Attempt, ...] = ()  # earlier attempts at the same draw
    closed: bool = False  # nobody commits any more
    shares: dict[facts.PlayerId, fair.Share] = {}

    @property
    def commitment(self) -> str:
        """What the server has committed to."""
        return fair.commitment(self.secret, self.before)

    @property
    def missing(self) -> frozenset[facts.PlayerId]:
        """Who has committed and not revealed."""
        return frozenset(player for player, share in self.shares.items() if not share.secret)

    @property
    def attempt(self) -> fair.Attempt:
        """The attempt as it stands in a proof."""
        shares = sorted(self.shares.values(), key=lambda share: share.seat)
        return fair.Attempt(self.commitment, self.secret, tuple(shares))


class Decided(Struct, frozen=True):
    """A decision of a person in the deal: how many events came before it, and what the person knew."""

    at: int
    seat: Seat
    action: Action
    view: deal.State
    place: int  # of the table then


class Live(Struct, frozen=True):
    """Everything that has happened at a table."""

    seq: int  # of the last fact
    table: str
    settings: Settings
    rules: Rules
    host: facts.PlayerId
    again: Again | None
    seats: tuple[Sitting, ...]
    started: bool = False
    finished: bool = False
    rematch: str | None = None
    seed: str | None = None  # from which all chance at this table follows, where it is known
    away: tuple[facts.PlayerId, ...] = ()  # without whom the table waits
    back_at: float = 0.0  # when one of them was last back
    skipped: bool = False  # the bots play this deal without a pause

    series: Series | None = None  # the truth
    views: tuple[Series, ...] = ()  # what each seat knows; last, what a spectator does
    before: Series | None = None  # the truth when the present deal, or the last one, began
    views_before: tuple[Series, ...] = ()  # what each seat knew then
    staked: tuple[tuple[int, Transfer], ...] = ()  # what had been paid for that deal then
    events: tuple[Event, ...] = ()  # since then
    decided: tuple[Decided, ...] = ()  # by people, since then
    taken_back: bool = False  # something of that deal
    payments: tuple[tuple[int, Transfer], ...] = ()  # of that deal, by its number, and for the next
    dealings: int = 0  # how often cards have been dealt in this deal
    moves: int = 0  # how often something has happened in the game
    place: int = 0  # the same without what was taken back
    shuffle: Shuffle | None = None
    last_shuffle: Shuffle | None = None  # of the deal before
    put_off: Shuffle | None = None  # of the next deal, while one that was over is played on
    attempts: int = 0  # at all draws of the table
    failed_at: dict[Seat, int] = {}  # the last deal for whose draw a seat has not revealed
    chat: tuple[tuple[facts.ChatSaid, float], ...] = ()
    muted: dict[facts.PlayerId, str] = {}  # whom nobody hears, and their names
    unseated: dict[facts.PlayerId, str] = {}  # whose seat the host has taken away, and their names
    removed: tuple[facts.PlayerId, ...] = ()  # who may not watch any more
    barred: tuple[str, ...] = ()  # the digests of addresses from where no guest or stranger may watch

    at: float = 0.0  # when the last fact happened
    moved_at: float = 0.0  # when something last happened in the game
    moved_seq: int = 0  # and where in the log
    asked_at: float = 0.0  # since when the table waits for those it waits for

    @property
    def moment(self) -> Moment:
        """What the people at the table are doing."""
        if self.series is None:
            return "gathering"
        if self.series.closed:
            return "over"
        return "deal" if self.series.playing else "between"

    @property
    def number(self) -> int:
        """The number of the present deal, or between deals of the one that is over."""
        if self.series is None:
            return 0
        return self.series.deals + self.series.playing

    @property
    def due_number(self) -> int:
        """The number of the deal whose cards are dealt next."""
        return self.series.deals + 1 if self.series is not None else 1

    @property
    def waiting_for(self) -> tuple[Seat, ...]:
        """The seats whose move the deal waits for."""
        if self.series is None or not self.series.playing or self.series.deal is None:
            return ()
        return deal.waiting_for(self.rules, self.series.deal)

    @property
    def needs_cards(self) -> bool:
        """Whether chance must deal now."""
        state = self.series
        return state is not None and state.playing and state.deal is not None and deal.needs_cards(state.deal)

    def may_commit(self, player: facts.PlayerId | None) -> bool:
        """Whether a person may take part in the attempt: not for known cards, nor who has failed of late."""
        shuffle, seat = self.shuffle, self.seat_of(player)
        if shuffle is None or seat is None or shuffle.closed or player in shuffle.shares:
            return False
        if shuffle.draw == "cards" and (shuffle.deal != self.due_number or self.dealt or self.again_next):
            return False
        return shuffle.deal >= self.failed_at.get(seat, -fair.REST) + fair.REST

    @property
    def reveals_open(self) -> bool:
        """Whether the secrets of the attempt decide something now."""
        if self.shuffle is None or not self.shuffle.closed:
            return False
        match self.shuffle.draw:
            case "dealer":
                return self.series is None
            case "cards":
                return self.needs_cards and not self.dealings
            case "rest":
                return self.moment == "between"

    @property
    def dealt(self) -> bool:
        """Whether the present deal has its cards."""
        return self.moment == "deal" and self.dealings > 0

    @property
    def again_next(self) -> bool:
        """Whether the next cards to be dealt are those of an earlier deal."""
        return self.again is not None and self.due_number == 1 and self.dealings == 0

    @property
    def people(self) -> list[facts.PlayerId | None]:
        """The persons who have a seat."""
        return [sitting.player for sitting in self.seats if sitting.kind == "person"]

    @property
    def alone(self) -> facts.PlayerId | None:
        """The only person at a table of bots."""
        people = self.people if self.started else []
        return people[0] if len(people) == 1 else None

    @property
    def paused(self) -> bool:
        """Whether the table waits for its only person to come back."""
        return self.alone is not None and self.alone in self.away

    def seat_of(self, player: facts.PlayerId | None) -> Seat | None:
        """Where a person sits."""
        if player is not None:
            for seat, sitting in enumerate(self.seats):
                if sitting.player == player:
                    return seat
        return None

    def view(self, seat: Seat | None) -> Series | None:
        """What a seat knows, or a spectator."""
        if not self.views:
            return None
        return self.views[-1 if seat is None else seat]

    @property
    def proof(self) -> fair.AnyProof | None:
        """How what was drawn last has been drawn; a seed proves nothing."""
        shuffle = self.shuffle
        if shuffle is None or self.seed is not None or (shuffle.draw == "cards" and self.again_now):
            return None
        return proof(self, shuffle, self.dealings)

    @property
    def dealer_is_set(self) -> bool:
        """Whether the first dealer is set and not drawn."""
        return self.again is not None or self.settings.first_dealer is not None

    @property
    def again_now(self) -> bool:
        """Whether the present deal has the cards of an earlier one."""
        return self.again is not None and self.number == 1 and self.dealings <= 1


class Known(Struct, frozen=True):
    """A person whom others can speak of at a table."""

    player: facts.PlayerId
    name: str
    seat: Seat | None
    muted: bool


def people(live: Live) -> dict[str, Known]:
    """Who has a seat or had one, has spoken of late or is muted, by the keys that pages have for them."""
    names = live.unseated | live.muted | {said.player: said.name for said, _ in live.chat}
    names |= {sitting.player: sitting.name for sitting in live.seats if sitting.player is not None}
    return {
        key_of(live.table, player): Known(player, name, live.seat_of(player), player in live.muted)
        for player, name in names.items()
        if player not in live.removed
    }


@lru_cache(4096)
def key_of(table: str, player: facts.PlayerId) -> str:
    """What the pages of a table call a person: it tells them apart there, and nothing elsewhere."""
    return sha256(f"{table}:{player}".encode()).hexdigest()[:KEY]


def held_back(rules: Rules, moment: Moment) -> bool:
    """Whether the cards of a deal that is over are not told yet: the next hands would follow from them.

    So it is until the session ends where the pack is only cut between deals.
    """
    return isinstance(rules, FrenchRules) and rules.deal.shuffle == "never" and moment != "over"


def people_in(live: Live, shuffle: Shuffle) -> tuple[Seat, ...]:
    """The seats of people, as a proof has them: those who have left since they committed are among them."""
    attempts = (*shuffle.failed, shuffle.attempt)
    left = {share.seat for attempt in attempts for share in attempt.players}
    return tuple(seat for seat, sitting in enumerate(live.seats) if sitting.kind == "person" or seat in left)


def proof(live: Live, shuffle: Shuffle, dealing: int) -> fair.AnyProof:
    """The secrets of a draw, for the first dealing of a deal or another."""
    people = people_in(live, shuffle)
    if not shuffle.before:
        shares = [shuffle.shares.get(sitting.player or "") for sitting in live.seats]
        opened = tuple(share for share in shares if share is not None and share.secret)
        return fair.FirstProof(live.table, shuffle.deal, dealing, shuffle.commitment, shuffle.secret, opened)
    among: tuple[Seat, ...] = ()
    match shuffle.draw:
        case "dealer":
            among = series.first_dealers(live.rules, live.settings.size, people)
        case "rest":
            among = tuple(range(live.settings.size))
        case "cards":
            pass
    attempts = (*shuffle.failed, shuffle.attempt)
    number = dealing if shuffle.draw == "cards" else fair.DRAWING
    return fair.Proof(live.table, shuffle.draw, shuffle.deal, number, people, among, attempts)


# --- facts ---------------------------------------------------------------------------------------------


def evolve(live: Live | None, fact: facts.Fact, at: float) -> Live:
    """The table after a fact, which happened at this time."""
    if isinstance(fact, facts.TableOpened):
        seats = (Sitting(),) * fact.settings.size
        rules = rules_of(fact.settings)
        return Live(1, fact.table, fact.settings, rules, fact.host, fact.again, seats, seed=fact.seed, at=at)
    if live is None:
        raise ValueError("a table begins with TableOpened")
    live = replace(live, seq=live.seq + 1, at=at)
    match fact:
        case facts.SeatTaken(seat=seat, player=player, name=name):
            return _seated(live, seat, Sitting("person", name, player))
        case facts.BotSeated(seat=seat, level=level, name=name):
            return _asked(_seated(live, seat, Sitting("bot", name, level=level)), at)
        case facts.SeatLeft(seat=seat):
            return _seated(live, seat, Sitting())
        case facts.SessionStarted():
            return replace(live, started=True)
        case facts.ServerCommitted():
            return _attempted(live, fact)
        case facts.PlayerCommitted(player=player, digest=digest):
            committer = live.seat_of(player)
            assert committer is not None
            share = fair.Share(committer, digest)
            return _shuffling(live, shares=_shuffle(live).shares | {player: share})
        case facts.CommitsClosed():
            return _shuffling(live, closed=True, since=at)
        case facts.PlayerRevealed(player=player, secret=secret):
            share = replace(_shuffle(live).shares[player], secret=secret)
            return _shuffling(live, shares=_shuffle(live).shares | {player: share})
        case facts.Happened(events=events):
            return _happened(live, events, at)
        case facts.MadeReady(seat=seat):
            return _seated(live, seat, replace(live.seats[seat], ready=True))
        case facts.StoodIn(seat=seat):
            return _seated(live, seat, replace(live.seats[seat], stand_in=True))
        case facts.SeatTakenBack(seat=seat):
            return _asked(_seated(live, seat, replace(live.seats[seat], stand_in=False)), at)
        case facts.WentAway(player=player):
            return replace(live, away=(*live.away, player))
        case facts.CameBack(player=player):
            others = tuple(other for other in live.away if other != player)
            return _asked(replace(live, away=others, back_at=at), at)
        case facts.TempoSet(tempo=tempo):
            return replace(live, settings=replace(live.settings, tempo=tempo))
        case facts.HelpSet(help=whom):
            return replace(live, settings=replace(live.settings, help=whom))
        case facts.Undone(to=to):
            return _undone(live, to, at)
        case facts.DealSkipped():
            return replace(live, skipped=True)
        case facts.RestClaimed():
            return live
        case facts.ChatSaid():
            return replace(live, chat=(*live.chat, (fact, at))[-CHAT_KEPT:])
        case facts.Muted(player=player, name=name):
            return replace(live, muted=live.muted | {player: name})
        case facts.Unmuted(player=player):
            return replace(live, muted={one: name for one, name in live.muted.items() if one != player})
        case facts.SpectatorRemoved(player=player):
            return replace(live, removed=(*live.removed, player))
        case facts.AddressBarred(digest=digest):
            return replace(live, barred=(*live.barred, digest))
        case facts.SeatTakenAway(player=player, name=name):
            return replace(live, unseated=live.unseated | {player: name})
        case facts.SessionFinished():
            return replace(live, finished=True)
        case facts.RematchOpened(table=table):
            return replace(live, rematch=table)
        case facts.PersonDeleted():
            return live


def _seated(live: Live, seat: Seat, sitting: Sitting) -> Live:
    return replace(live, seats=put(live.seats, seat, sitting))


def _asked(live: Live, at: float) -> Live:
    """From now on the table waits."""
    return replace(live, asked_at=at)


def _shuffling(live: Live, **changes: Any) -> Live:
    """The table after something about the secrets, which only a shuffle under way can have."""
    return replace(live, shuffle=replace(_shuffle(live), **changes))


def _shuffle(live: Live) -> Shuffle:
    assert live.shuffle is not None
    return live.shuffle


def _attempted(live: Live, fact: facts.ServerCommitted) -> Live:
    """The table with a new attempt at the same draw or at the next; one that had to wait is as it was."""
    now, waited = live.shuffle, live.put_off
    drawn = Shuffle(fact.deal, fact.draw, fact.number or fact.deal, fact.secret, live.at)
    failed_at = live.failed_at
    if waited is not None and waited.secret == fact.secret:
        drawn = waited
    elif now is not None and now.before and (now.deal, now.draw) == (fact.deal, fact.draw):
        failed_at = failed_at | dict.fromkeys(now.attempt.missing, now.deal)
        before = now.attempt.digest(now.before)
        drawn = replace(drawn, before=before, failed=(*now.failed, now.attempt))
    elif fact.number:
        drawn = replace(drawn, before=fair.origin(live.table, fact.draw, fact.deal))
    return replace(
        live,
        shuffle=drawn,
        last_shuffle=now if now is None or now.deal != fact.deal else live.last_shuffle,
        put_off=None,
        attempts=max(live.attempts, drawn.number),
        failed_at=failed_at,
    )


def _happened(live: Live, events: tuple[Event, ...], at: float) -> Live:
    live = noted(live, events)
    for event in events:
        live = after(live, event)
    return told(live, at)


def told(live: Live, at: float) -> Live:
    """The table when all that follows from one wish has happened."""
    return replace(
        live, moves=live.moves + 1, place=live.place + 1, moved_at=at, moved_seq=live.seq, asked_at=at
    )


def noted(live: Live, events: tuple[Event, ...]) -> Live:
    """The table that notes what a person has decided, if that is what these events follow from."""
    state = live.series
    if state is None or not state.playing or state.deal is None:
        return live
    seat, action = deal.cause(state.deal, cast(DealEvent, events[0])) or (None, None)
    if seat is None or action is None or live.seats[seat].kind != "person" or live.seats[seat].stand_in:
        return live
    if isinstance(action, WORDLESS) and only_choice(live.rules, state, seat) is not None:
        return live
    known = live.views[seat].deal
    assert known is not None
    one = Decided(len(live.events), seat, action, known, live.place)
    return replace(live, decided=(*live.decided, one))


def _undone(live: Live, to: int, at: float) -> Live:
    """The table after the first events of the deal and no others; what was said and drawn remains."""
    assert live.before is not None
    begun = replace(live, series=live.before, views=live.views_before, payments=live.staked)
    for event in live.events[:to]:
        begun = after(begun, event)
    shuffle, put_off = live.shuffle, live.put_off
    if shuffle is not None and shuffle.deal > begun.number:
        shuffle, put_off = live.last_shuffle, shuffle
    return replace(
        begun,
        decided=tuple(one for one in live.decided if one.at < to),
        taken_back=True,
        shuffle=shuffle,
        put_off=put_off,
        place=next((one.place for one in live.decided if one.at == to), live.place),
        moves=live.moves + 1,
        moved_at=at,
        asked_at=at,
    )


def after(live: Live, event: Event) -> Live:
    """The table after one event of the game."""
    if isinstance(event, SeriesOpened):
        opened = series.evolve(live.rules, None, event)
        return replace(live, series=opened, views=(opened,) * (live.settings.size + 1))
    assert live.series is not None
    viewers: tuple[Seat | None, ...] = (*range(live.settings.size), None)
    views = tuple(
        series.evolve(live.rules, view, series.seen_by(live.rules, live.series, viewer, event))
        for viewer, view in zip(viewers, live.views, strict=True)
    )
    match event:
        case Opened():
            rested = tuple(replace(sitting, ready=False) for sitting in live.seats)
            own = tuple(payment for payment in live.payments if payment[0] == live.due_number)
            live = replace(live, before=live.series, views_before=live.views, staked=own, payments=own)
            live = replace(live, events=(), decided=(), taken_back=False, dealings=0)
            live = replace(live, seats=rested, skipped=False)
        case Paid(transfers=transfers):
            number = _deal_of(live, transfers)
            live = replace(live, payments=(*live.payments, *((number, one) for one in transfers)))
        case Dealt():
            live = replace(live, dealings=live.dealings + 1)
    return replace(
        live,
        series=series.evolve(live.rules, live.series, event),
        views=views,
        events=(*live.events, event),
    )


def _deal_of(live: Live, transfers: tuple[Transfer, ...]) -> int:
    """The deal to which payments belong: between deals the last one, but cups are founded for the next."""
    founding = any(transfer.reason == "found" for transfer in transfers)
    return live.number + (live.moment == "between" and founding)
