"""What a table does by itself, and when: it shuffles, deals, goes on, and lets bots move.

Nothing happens here either. `due` says what should happen now, until when nothing should, or whose move a
bot has to find; whoever drives the table does so and asks again.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping
from contextlib import suppress
from functools import partial
from hashlib import sha256
from typing import TypeAlias

from msgspec import Struct

from ultimo import deal, series
from ultimo import events as e
from ultimo.fair import DRAWING, Draw, Stream, lot
from ultimo.play.choices import Choices
from ultimo.players import View
from ultimo.series import State as Series
from ultimo.table import facts
from ultimo.table.answering import only_choice
from ultimo.table.facts import Fact, Happened, PlayerId
from ultimo.table.live import Live, Shuffle, people_in, proof
from ultimo.table.scene import RECKONING, Level, Tempo
from ultimo.table.settings import Again, is_for_bots

PACES: dict[Tempo, float] = {"instant": 0.0, "fast": 0.25, "normal": 0.7, "slow": 1.4}  # seconds a move
TRICK_SHOWN = 1.6  # paces for which a complete trick lies on the table
CHIEN_SHOWN = 4.3  # paces for which the chien lies open in the middle
LOOKING = 60.0  # seconds more than a turn for the result of a deal, where there is a clock
COMMIT_WAIT = 3.0  # seconds for the pages to commit to their secrets when something is to be drawn,
REVEAL_WAIT = 3.0  # and to reveal them; a page answers at once, and has the rest for its way
AWAY = 5.0  # seconds for which the page of the only person may be gone, as when it is loaded again
STAND_IN: Level = "club"

Seen: TypeAlias = Mapping[PlayerId, float]  # when each person was last connected
Secret: TypeAlias = Callable[[], str]  # 32 random bytes in hexadecimal


class Nothing(Struct, frozen=True):
    """The table waits for people."""


class Wait(Struct, frozen=True):
    """Nothing happens before this time, unless somebody does something."""

    until: float


class Facts(Struct, frozen=True):
    """This happens now."""

    facts: tuple[Fact, ...]


class Think(Struct, frozen=True):
    """A bot has to find a move, which is made no earlier than `not_before`.

    That follows from what everybody at the table sees, and never from the bot's cards or choices.
    """

    seat: e.Seat
    level: Level
    seed: str
    view: View
    choices: Choices
    moves: int  # of the table when it was asked
    not_before: float


Due: TypeAlias = Nothing | Wait | Facts | Think


def due(live: Live, now: float, seen: Seen, secret: Secret) -> Due:
    """What the table does by itself."""
    if live.seed is not None:
        secret = partial(_seeded, live.seed, live.due_number)
    state = live.series
    if live.moment == "over":
        return Nothing()
    if back := tuple(facts.CameBack(player) for player in live.away if _is_here(player, now, seen)):
        return Facts(back)
    if not live.started:
        return _gathering(live, now, seen)
    if _is_unwatched(live, now, seen):
        return Nothing()
    if state is None and live.again is not None:
        return _happens(series.open_series(live.rules, _names(live), live.again.dealer, live.again.out))
    if state is None and live.settings.first_dealer is not None:
        return _happens(series.open_series(live.rules, _names(live), live.settings.first_dealer))
    if live.alone is not None and not _is_here(live.alone, now, seen):
        return _paused(live, live.alone, now, seen)
    closing = state is not None and not state.playing and is_last(live)
    if state is not None and closing and not series.needs_lot(live.rules, state):
        return _happens(series.close(live.rules, state))
    draw: Draw = "dealer" if state is None else "rest" if closing else "cards"
    number = 0 if state is None else live.due_number
    if live.shuffle is None or (live.shuffle.deal, live.shuffle.draw) != (number, draw):
        return _attempt(live, number, draw, secret)
    if state is None or closing:
        waits = _secrets(live, live.shuffle, now, seen, secret)
        return waits if waits is not None else _happens(_drawn(live, live.shuffle))
    if not state.playing:
        return _between(live, state, now, seen)
    if live.needs_cards:
        return _shuffle(live, state, now, seen, secret)
    return _move(live, state, now, seen)


def thought(live: Live, think: Think, action: e.Action) -> tuple[Fact, ...]:
    """The facts of a move that a bot has found, or `IllegalAction` if the game has moved on meanwhile."""
    if live.moves != think.moves or live.series is None:
        raise e.IllegalAction("gameWentOn")
    return (Happened(series.decide(live.rules, live.series, think.seat, action)),)


def _seeded(seed: str, number: int) -> str:
    """What stands for the secrets of a deal where a seed is all the chance there is."""
    return sha256(f"{seed}:{number}".encode()).hexdigest()


def _happens(events: tuple[e.Event, ...]) -> Facts:
    return Facts((Happened(events),))


# --- who is away ---------------------------------------------------------------------------------------


def _is_here(player: PlayerId, now: float, seen: Seen) -> bool:
    return seen.get(player, now - 1) >= now


def _gathering(live: Live, now: float, seen: Seen) -> Due:
    """Nothing begins without the host; once the host has been away for the grace period, others may start."""
    host = live.host
    waits = any(
        sitting.player is not None and sitting.player != host and _is_here(sitting.player, now, seen)
        for sitting in live.seats
    )
    if not waits or host in live.away or live.seat_of(host) is None or _is_here(host, now, seen):
        return Nothing()
    until = seen.get(host, live.at) + live.settings.grace
    return Wait(until) if now < until else Facts((facts.WentAway(host),))


def _is_unwatched(live: Live, now: float, seen: Seen) -> bool:
    """Whether bots would play for nobody. A deal that people have begun and left to bots is finished."""
    if live.people or any(_is_here(player, now, seen) for player in seen):
        return False
    between = live.series is None or not live.series.playing
    return is_for_bots(live.settings) or (between and not is_last(live))


def _paused(live: Live, player: PlayerId, now: float, seen: Seen) -> Due:
    """Nobody plays on without the only person: a short absence is not noticed, a long one stops clocks."""
    if player in live.away:
        return Nothing()
    until = seen.get(player, live.at) + AWAY
    clock = deadline(live)
    if clock is not None and live.seat_of(player) in live.waiting_for:
        until = min(until, clock)
    return Wait(until) if now < until else Facts((facts.WentAway(player),))


# --- between deals -------------------------------------------------------------------------------------


def _names(live: Live) -> list[str]:
    return [sitting.name for sitting in live.seats]


def _drawn(live: Live, shuffle: Shuffle) -> tuple[e.Event, ...]:
    """The game begins with the dealer that is drawn, or ends with a lot for the rest of the cups."""
    key = _key(live, shuffle, DRAWING)
    if live.series is not None:
        return series.close(live.rules, live.series, lot(key, range(live.settings.size)))
    people = people_in(live, shuffle)
    dealer, cards = series.first_dealer(live.rules, live.settings.size, people, key)
    return series.open_series(live.rules, _names(live), dealer, drawn=cards)


def is_last(live: Live) -> bool:
    """Whether no other deal follows."""
    if live.series is None:
        return False
    deals = live.settings.deals
    enough = deals is not None and live.series.deals >= deals
    deserted = deals is None and not any(sitting.kind == "person" for sitting in live.seats)
    return live.finished or enough or deserted or series.is_due_to_end(live.rules, live.series)


def _between(live: Live, state: Series, now: float, seen: Seen) -> Due:
    for seat, sitting in enumerate(live.seats):
        if sitting.by_bot:
            for action in series.legal(live.rules, state, seat):  # at a strict table everybody founds
                return _happens(series.decide(live.rules, state, seat, action))
    if _is_left_to_bots(live):
        return Nothing()
    clock = deadline(live)
    ends = [_gone_at(live, seat, seen) for seat in _unready(live, state)]
    if clock is not None:  # who plays by the clock does not look at a result for ever
        ends = [min(until, clock + LOOKING) for until in ends]
    late = [until for until in ends if until > now]
    return Wait(min(late)) if late else _happens(series.next_deal(live.rules, state))


def _is_left_to_bots(live: Live) -> bool:
    """Whether bots play for all the people: they finish the deal, and then wait for somebody to come back."""
    people = [sitting for sitting in live.seats if sitting.kind == "person"]
    return bool(people) and all(sitting.stand_in and not sitting.ready for sitting in people)


def _unready(live: Live, state: Series) -> list[e.Seat]:
    """The persons for whom the table waits; before the first deal, those who have yet to found."""
    return [
        seat
        for seat, sitting in enumerate(live.seats)
        if sitting.kind == "person" and not sitting.ready and not sitting.stand_in
        if state.deals or series.legal(live.rules, state, seat)
    ]


def _gone_at(live: Live, seat: e.Seat, seen: Seen) -> float:
    """When a bot will play for a person who stays away: the time on turn alone counts."""
    player = live.seats[seat].player
    return max(live.asked_at, seen.get(player, live.asked_at) if player else 0.0) + live.settings.grace


# --- secrets and cards ---------------------------------------------------------------------------------


def _attempt(live: Live, number: int, draw: Draw, secret: Secret) -> Facts:
    """The next attempt at a draw; one that had to wait goes on."""
    waited = live.put_off
    if waited is not None and (waited.deal, waited.draw) == (number, draw):
        return Facts((facts.ServerCommitted(number, waited.secret, waited.number, draw),))
    return Facts((facts.ServerCommitted(number, secret(), live.attempts + 1, draw),))


def _shuffle(live: Live, state: Series, now: float, seen: Seen, secret: Secret) -> Due:
    assert state.deal is not None
    assert live.shuffle is not None
    if live.again_next and live.again is not None:
        return Facts(tuple(map(Happened, _played_before(live, state, live.again))))
    if live.dealings == 0 and (waits := _secrets(live, live.shuffle, now, seen, secret)) is not None:
        return waits
    return _happens(series.decide(live.rules, state, None, _dealt(live, live.shuffle, state)))


def _played_before(live: Live, state: Series, again: Again) -> Iterator[tuple[e.Event, ...]]:
    """The cards of an earlier deal and what was played before the point from which it is played on.

    What cannot be done here, as after a redeal, ends it: from there the deal is played on.
    """
    state, dealt = series.step(live.rules, state, None, again.cards)
    yield dealt
    with suppress(e.IllegalAction):
        for move in again.moves:
            state, events = series.step(live.rules, state, move.seat, move.action)
            yield events


def _secrets(live: Live, shuffle: Shuffle, now: float, seen: Seen, secret: Secret) -> Due | None:
    """Time for the pages of those who are here to commit, and then to reveal; or another attempt.

    The time begins anew when the only person comes back, or when somebody else drives the table.
    """
    since = max(shuffle.since, live.asked_at)
    if not shuffle.closed:
        until = since + COMMIT_WAIT
        waits = any(
            live.may_commit(one.player) and _is_here(one.player, now, seen)
            for one in live.seats
            if one.player
        )
        return Wait(until) if waits and now < until else Facts((facts.CommitsClosed(shuffle.deal),))
    until = since + REVEAL_WAIT
    if not shuffle.missing:
        return None
    if now < until:
        return Wait(until)
    return _attempt(live, shuffle.deal, shuffle.draw, secret) if shuffle.before else None


def _dealt(live: Live, shuffle: Shuffle, state: Series) -> e.Deal:
    assert state.deal is not None
    dealing = live.dealings + 1
    stream = Stream(_key(live, shuffle, dealing), dealing)
    deck = series.cut_pack(state) or deal.shuffled(stream)
    return deal.deal_out(live.rules, state.deal, deck, stream)


def _key(live: Live, shuffle: Shuffle, dealing: int) -> str:
    """What is drawn follows from all secrets, or at a table with a seed from the server's alone."""
    return shuffle.secret if live.seed is not None else proof(live, shuffle, dealing).key


# --- moves ---------------------------------------------------------------------------------------------


def _move(live: Live, state: Series, now: float, seen: Seen) -> Due:
    waiting = live.waiting_for
    for seat in waiting:
        if live.seats[seat].by_bot:
            return _think(live, seat, _level(live, seat))
    for seat in waiting:
        if (only := only_choice(live.rules, state, seat)) is not None:
            return _happens(series.decide(live.rules, state, seat, only))
    ends: list[float] = []
    for seat in waiting:
        gone = _gone_at(live, seat, seen)
        if gone <= now:
            return Facts((facts.StoodIn(seat),))
        clock = deadline(live)
        if clock is not None and clock <= now:
            return _think(live, seat, STAND_IN)
        ends.append(min(gone, clock) if clock is not None else gone)
    return Wait(min(ends)) if ends else Nothing()


def deadline(live: Live) -> float | None:
    """When the clock of those the table waits for runs out."""
    return live.asked_at + live.settings.clock if live.settings.clock is not None else None


def _level(live: Live, seat: e.Seat) -> Level:
    """How well a bot plays; who skips a deal does not wait for experts."""
    level = live.seats[seat].level
    return STAND_IN if live.skipped and level in RECKONING else level


def _think(live: Live, seat: e.Seat, level: Level) -> Think:
    view = live.view(seat)
    assert view is not None
    choices = series.legal(live.rules, view, seat)
    return Think(
        seat,
        level,
        _seed(live, seat),
        View(live.rules, seat, view),
        choices,
        live.moves,
        live.moved_at + pause(live),
    )


def _seed(live: Live, seat: e.Seat) -> str:
    """The bot's dice: nobody could know them, or a card would tell from which hand it was drawn.

    They depend on the place in the game, not on what was taken back: the same choice gets the same answer.
    """
    assert live.shuffle is not None
    return sha256(f"{live.shuffle.secret}:{seat}:{live.place}".encode()).hexdigest()


def pause(live: Live) -> float:
    """How long what has just happened is left for people to see."""
    if live.skipped:
        return 0.0
    pace = PACES[live.settings.tempo]
    if not any(sitting.kind == "person" for sitting in live.seats):
        return pace
    if live.series is not None and live.series.deal is not None and live.series.deal.phase == "ecart":
        return pace * CHIEN_SHOWN
    if any(isinstance(event, e.TrickWon) for event in _since_last_card(live.events)):
        return pace * TRICK_SHOWN
    return pace


def _since_last_card(events: tuple[e.Event, ...]) -> list[e.Event]:
    """What has happened since the last card fell."""
    found: list[e.Event] = []
    for event in reversed(events):
        if isinstance(event, e.CardPlayed):
            break
        found.append(event)
    return found
