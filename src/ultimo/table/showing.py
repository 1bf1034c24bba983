"""The scene of a viewer, made from what the viewer's seat has seen."""

from __future__ import annotations

from collections.abc import Iterable
from functools import lru_cache
from typing import Literal

from msgspec.structs import replace

from ultimo import deal, french, series
from ultimo.cards import SUITS
from ultimo.danish import State as DanishState
from ultimo.danish.state import Trick as DanishTrick
from ultimo.danish.state import pile_points
from ultimo.events import CardPlayed, Seat, Transfer
from ultimo.french import State as FrenchState
from ultimo.french.state import Trick as FrenchTrick
from ultimo.names import capital, names
from ultimo.play.following import NO_SUIT
from ultimo.rulebook import FrenchRules, Rules
from ultimo.table import scene as scenes
from ultimo.table.answering import only_choice
from ultimo.table.claiming import can_claim
from ultimo.table.decide import has_say, leads, may_skip, may_start
from ultimo.table.driving import deadline, pause
from ultimo.table.facts import Audience, PlayerId
from ultimo.table.helping import backs, may_hint
from ultimo.table.live import Live, held_back, key_of, people
from ultimo.table.offering import shown, turn
from ultimo.table.scene import Scene
from ultimo.telling import results
from ultimo.telling.citations import Cited, entry, of_payment
from ultimo.telling.rules_words import book
from ultimo.telling.seats import active, contract, role, said
from ultimo.telling.teller import Teller, halves

CHAT_SHOWN = 50  # things said
REMEMBERED = 4096  # payments, and tables: what was put into words once is not at every step again
RESULTS = 256  # for the same reason


def scene(live: Live, viewer: PlayerId | None, language: str, present: frozenset[PlayerId]) -> Scene:
    """The table as a person sees it, at a seat or as a spectator."""
    teller, seat = teller_of(live, language), live.seat_of(viewer)
    view = live.view(seat)
    now_deal = view.deal if view is not None else None
    over = live.moment in ("between", "over")
    paid = _paid(live)
    return Scene(
        table=_table(live, viewer, teller),
        you=seat,
        moment=live.moment,
        number=live.number,
        phase=now_deal.phase if now_deal is not None else "",
        headline=_headline(live, teller, seat),
        contract=contract(teller, now_deal),
        seats=_seats(live, teller, view, seat, present),
        hand=_held(teller, now_deal, seat) if seat is not None else (),
        trick=_trick(teller, now_deal),
        last=_last(teller, now_deal),
        cups=_cups(teller, view),
        aside=_aside(teller, now_deal),
        reveal=_reveal(live, teller, now_deal, seat),
        turn=_turn(live, teller, view, seat),
        payments=tuple(payment(teller_of(live, language, seat), live.number, one) for one in paid),
        cites=legend(teller, paid),
        result=_result(live, teller, seat) if over and live.number else None,
        fair=fair_shown(live, viewer),
        chat=_chat(live, seat),
        people=_people(live, viewer),
        muted=viewer in live.muted,
    )


def has_own_eyes(live: Live, viewer: PlayerId | None) -> bool:
    """Whether the scene of a viewer is another than that of any spectator."""
    return has_say(live, viewer) or viewer in live.muted


def teller_of(live: Live, language: str, own: Seat | None = None) -> Teller:
    """What puts a table into words; `own` is the seat of the reader, whose name says so."""
    players = [sitting.name or "–" for sitting in live.seats]
    if own is not None:
        players[own] = f"{players[own]} ({names(language).text('you')})"
    return _teller(language, live.rules, tuple(players))


@lru_cache(REMEMBERED)
def _teller(language: str, rules: Rules, players: tuple[str, ...]) -> Teller:
    return Teller(names(language), rules, players)


# --- the table and its seats ---------------------------------------------------------------------------


def _table(live: Live, viewer: PlayerId | None, teller: Teller) -> scenes.TableShown:
    settings = live.settings
    return scenes.TableShown(
        id=live.table,
        rules=live.rules.id,
        title=book(live.rules, teller.words.language).title,
        family=live.rules.family,
        size=settings.size,
        house=len(settings.house),
        deals=settings.deals,
        tempo=settings.tempo,
        clock=settings.clock,
        public=settings.public,
        host=viewer is not None and leads(live, viewer),
        may_start=viewer is not None and may_start(live, viewer),
        host_away=not live.started and live.host in live.away,
        may_skip=may_skip(live, live.seat_of(viewer)),
        skipped=live.skipped and live.moment == "deal",
        paused=live.paused,
        back=live.back_at if live.started and live.back_at else None,
        again=live.again is not None,
        rematch=live.rematch,
        help=settings.help,
        hints=may_hint(live, viewer),
        backs=tuple(backs(live, viewer, teller)),
        taken_back=live.taken_back,
    )


def _headline(live: Live, teller: Teller, own: Seat | None) -> str:
    if live.moment == "over":
        return teller.text("seriesOver")
    if live.moment == "between" and live.number:
        return teller.text("screen.result", number=live.number)
    if live.paused:
        away = [sitting.name for sitting in live.seats if sitting.kind == "person"]
        return teller.text("table.paused", player=away[0])
    waiting = [teller.players[seat] for seat in _waits(live, own)]
    return teller.text("turnOf", player=", ".join(waiting)) if waiting else ""


def _waits(live: Live, viewer: Seat | None) -> tuple[Seat, ...]:
    """The seats that the table waits for, as far as a viewer may know.

    Who is asked about his hand has no tarok in it: that is his own affair until he says so.
    """
    state = live.series.deal if live.series is not None else None
    if state is not None and state.phase == "handCheck":
        return tuple(seat for seat in live.waiting_for if seat == viewer)
    return live.waiting_for


def _seats(
    live: Live, teller: Teller, view: series.State | None, own: Seat | None, present: frozenset[PlayerId]
) -> tuple[scenes.SeatShown, ...]:
    gains, waits = results.gains(_paid(live), live.settings.size), _waits(live, own)
    stakes = [one for one in _paid(live) if results.part_of(one) == "stake" and live.moment == "deal"]
    staked = results.gains(stakes, live.settings.size)
    return tuple(
        _seat(live, teller, view, seat, own, present, gain, -staked[seat], seat in waits)
        for seat, gain in enumerate(gains)
    )


def _seat(
    live: Live,
    teller: Teller,
    view: series.State | None,
    seat: Seat,
    own: Seat | None,
    present: frozenset[PlayerId],
    gain: int,
    staked: int,
    waits: bool,
) -> scenes.SeatShown:
    sitting = live.seats[seat]
    now_deal = view.deal if view is not None else None
    playing = now_deal is not None and seat in active(now_deal)
    return scenes.SeatShown(
        seat=seat,
        name=sitting.name,
        kind=sitting.kind,
        level=sitting.level if sitting.by_bot else "",
        present=sitting.kind != "person" or sitting.player in present,
        stand_in=sitting.stand_in,
        tags=now_deal.roles(seat)[::-1] if now_deal is not None else (),  # the dealer first
        role=role(teller, now_deal, seat),
        cards=now_deal.size(seat) if playing and now_deal is not None and now_deal.hands else 0,
        tricks=sum(trick.winner == seat for trick in now_deal.tricks) if now_deal is not None else 0,
        said=tuple(map(capital, said(teller, now_deal, seat))) if now_deal is not None else (),
        hand=() if seat == own else _held(teller, now_deal, seat),
        total=view.totals[seat] if view is not None else 0,
        gain=gain,
        staked=staked,
        turn=waits,
        ready=sitting.ready or sitting.by_bot,
    )


# --- cards ---------------------------------------------------------------------------------------------


def _held(teller: Teller, now_deal: deal.State | None, seat: Seat) -> tuple[str, ...]:
    return shown(teller, now_deal.hands[seat]) if now_deal is not None and now_deal.hands else ()


def _plays(teller: Teller, plays: tuple[CardPlayed, ...], led: int) -> tuple[scenes.PlayShown, ...]:
    """Cards of a trick; a led skus counts as the suit in force, which is another one once it is renamed."""
    return tuple(
        scenes.PlayShown(play.seat, play.card.value, SUITS[led], teller.suit(SUITS[led]))
        if play.named
        else scenes.PlayShown(play.seat, play.card.value)
        for play in plays
    )


def _trick(teller: Teller, now_deal: deal.State | None) -> scenes.TrickShown | None:
    """The trick on the table; a complete one is only the last."""
    if now_deal is None or not now_deal.trick:
        return None
    return scenes.TrickShown(len(now_deal.tricks) + 1, _plays(teller, now_deal.trick, now_deal.led))


def _last(teller: Teller, now_deal: deal.State | None) -> scenes.TrickShown | None:
    if now_deal is None or not now_deal.tricks:
        return None
    return trick_shown(teller, len(now_deal.tricks), now_deal.tricks[-1])


def trick_shown(teller: Teller, number: int, trick: DanishTrick | FrenchTrick) -> scenes.TrickShown:
    """A complete trick."""
    led = trick.led if isinstance(trick, DanishTrick) else NO_SUIT
    return scenes.TrickShown(number, _plays(teller, trick.plays, led), trick.winner)


def _cups(teller: Teller, view: series.State | None) -> tuple[scenes.CupShown, ...]:
    if view is None or not teller.rules.has_cups:
        return ()
    return tuple(
        scenes.CupShown(cup, capital(teller.words.cup(cup)), held) for cup, held in view.cups.items()
    )


def _aside(teller: Teller, now_deal: deal.State | None) -> scenes.AsideShown | None:
    """The cards that lie aside, as far as the viewer may look at them."""
    if now_deal is None or not now_deal.hands:
        return None
    match teller.rules, now_deal:
        case FrenchRules() as rules, FrenchState() as state:
            kind, known, unseen = french.looked_at(rules, state)
        case _:
            kind, known, unseen = now_deal.aside
    count = known.bit_count() + unseen
    return scenes.AsideShown(kind, capital(teller.text(kind)), count, shown(teller, known)) if count else None


def _reveal(
    live: Live, teller: Teller, now_deal: deal.State | None, viewer: Seat | None
) -> scenes.RevealShown | None:
    """The chien that has been turned up, while its taker looks at it.

    Rule: 002 §7.
    """
    if not isinstance(now_deal, FrenchState) or now_deal.phase != "ecart" or now_deal.taker is None:
        return None
    taker = now_deal.taker
    text = teller.text("turned.yours" if taker == viewer else "turned.taken", player=teller.players[taker])
    name = capital(teller.text("chien"))
    return scenes.RevealShown(taker, name, text, shown(teller, now_deal.shown), live.moved_at + pause(live))


# --- turns ---------------------------------------------------------------------------------------------


def _turn(live: Live, teller: Teller, view: series.State | None, seat: Seat | None) -> scenes.Turn | None:
    if view is None or seat is None or live.moment in ("gathering", "over") or live.needs_cards:
        return None
    asked = seat in live.waiting_for
    if asked and live.moment == "deal" and only_choice(live.rules, view, seat) is not None:
        return None  # the table is about to answer for him
    shown_turn = turn(teller, view, seat, asked, deadline(live) if asked else None)
    if shown_turn is None or view.deal is None or not view.playing:
        return shown_turn
    return replace(shown_turn, rest=can_claim(live.rules, view.deal, seat))


@lru_cache(REMEMBERED)
def payment(teller: Teller, number: int, one: Transfer) -> scenes.PaymentShown:
    """One payment in words."""
    return scenes.PaymentShown(
        number, one.payer, one.payee, one.points, teller.reason(one), capital(teller.payment(one)), entry(one)
    )


def legend(teller: Teller, paid: Iterable[Transfer]) -> dict[str, Cited]:
    """Where payments are written, and why they are made."""
    return {entry(one): _cite(teller, one) for one in paid}


@lru_cache(REMEMBERED)
def _cite(teller: Teller, one: Transfer) -> Cited:
    return of_payment(teller.rules, one, teller.words.language)


# --- the end of a deal ---------------------------------------------------------------------------------


def _paid(live: Live) -> tuple[Transfer, ...]:
    """The payments of the deal, with what was staked before it and, at the end, the division of the cups."""
    here = live.number
    return tuple([one for number, one in live.payments if number == here])


def _result(live: Live, teller: Teller, viewer: Seat | None) -> scenes.Result:
    """What everybody may see of a deal that is over: all of it, unless the next hands follow from its cards.

    Whoever may see everything anyway, as in a replay, sees it here too.
    """
    state, view = live.series, live.view(viewer)
    assert state is not None
    assert view is not None
    hidden = held_back(live.rules, live.moment) and view is not state
    return _result_of(teller, state, _paid(live), viewer, view if hidden else None)


@lru_cache(RESULTS)
def _result_of(
    teller: Teller,
    state: series.State,
    paid: tuple[Transfer, ...],
    viewer: Seat | None,
    view: series.State | None,
) -> scenes.Result:
    """The same; with a view nothing is shown that it has not seen."""
    ended, number = state.deal, state.deals
    assert ended is not None
    accounts = results.accounts_of(teller.rules, state.table)
    rows = results.by_reason(teller, paid, accounts, ended)
    of_deal = [row for row in rows if row.part != "end"]
    seats = sorted(range(state.table), key=lambda seat: seat != viewer)
    return scenes.Result(
        number=number,
        title=teller.text("screen.result", number=number),
        told=tuple(
            scenes.AccountShown(seat, results.account_of(teller, paid, ended, seat, own=seat == viewer))
            for seat in seats
        ),
        lines=tuple(results.outcome(teller, ended)),
        tricks=tuple(results.tricks(teller, ended)),
        ladder=results.ladder(teller.rules, ended),
        accounts=tuple(capital(teller.account(account)) for account in accounts),
        rows=tuple(rows),
        deal_row=results.added(of_deal, accounts),
        total_row=results.standing(state, accounts),
        piles=_piles(teller, ended) if view is None else (),
        aside=_aside(teller, ended if view is None else view.deal),
        hands=tuple(
            scenes.HandShown(seat, shown(teller, ended.dealt[seat]))
            for seat in (ended.active if ended.dealt and view is None else ())
        ),
    )


def _piles(teller: Teller, state: deal.State) -> tuple[scenes.PileShown, ...]:
    """The counted piles: each seat's, or each side's."""
    match state:
        case DanishState(counts=(_, *_)):
            return tuple(_pile(teller, state, seat) for seat in state.order)
        case FrenchState(counted=(_, *_)):
            return _sides(teller, state)
    return ()


def _pile(teller: Teller, state: DanishState, seat: Seat) -> scenes.PileShown:
    """A seat's pile, the dealer's with the skat."""
    pile = state.piles[seat] | (state.skat if seat == state.dealer else 0)
    points = str(pile_points(state)[seat])
    return scenes.PileShown(teller.players[seat], seat, points, state.won[seat], shown(teller, pile))


def _sides(teller: Teller, state: FrenchState) -> tuple[scenes.PileShown, ...]:
    """The taker's pile and the defence's."""
    piles = []
    for place, (side, word) in enumerate((("taker", "taker"), ("defence", "defender"))):
        seats = [seat for seat in range(state.table) if state.side(seat) == side]
        won = sum(trick.winner in seats for trick in state.tricks)
        name = ", ".join(teller.players[seat] for seat in seats)
        together = 0
        for seat in seats:
            together |= state.won[seat]
        title = teller.words.pair(capital(teller.words.role(word)), name)
        piles.append(
            scenes.PileShown(title, None, halves(state.counted[place]), won, shown(teller, together))
        )
    return tuple(piles)


# --- shuffling and talk --------------------------------------------------------------------------------


def fair_shown(live: Live, viewer: PlayerId | None) -> scenes.FairShown | None:
    """The attempt at a draw that is under way, and what the viewer is asked for."""
    shuffle = live.shuffle
    if shuffle is None or live.moment == "over":
        return None
    wanted: Literal["commit", "reveal"] | None = None
    if viewer in shuffle.missing and live.reveals_open:
        wanted = "reveal"
    elif live.may_commit(viewer):
        wanted = "commit"
    players = tuple(share.commitment for share in shuffle.attempt.players) if shuffle.closed else ()
    return scenes.FairShown(shuffle.number, shuffle.draw, shuffle.deal, shuffle.commitment, wanted, players)


def _chat(live: Live, seat: Seat | None) -> tuple[scenes.ChatShown, ...]:
    """What the viewer has heard."""
    heard = [
        scenes.ChatShown(one.name, one.seat, one.text, at, key_of(live.table, one.player))
        for one, at in live.chat
        if hears(live, seat, one.audience)
    ]
    return tuple(heard[-CHAT_SHOWN:])


def _people(live: Live, viewer: PlayerId | None) -> tuple[scenes.PersonShown, ...]:
    """Whom a host can mute, remove, or take a seat from."""
    if viewer is None or not leads(live, viewer):
        return ()
    return tuple(
        scenes.PersonShown(who, one.name, one.seat, one.muted)
        for who, one in people(live).items()
        if one.player not in (viewer, live.host)
    )


def hears(live: Live, seat: Seat | None, audience: Audience) -> bool:
    """Whether a viewer hears what is said to an audience: who plays a deal and who watches it are apart."""
    plays = live.series is not None and seat in active(live.series.deal)
    return audience in ("all", "active" if plays else "others")
