"""A Danish position from its words."""

from __future__ import annotations

from typing import Any, cast

from msgspec.structs import replace

from ultimo import danish, series
from ultimo.analysis.position.errors import PositionError
from ultimo.analysis.position.scanning import DANISH_SEATS, Clause, Told, Word, Words, by_seat
from ultimo.cards import ALL_CARDS, SKUS, Cards, cards
from ultimo.danish.evolve import before_trick
from ultimo.danish.following import LAST
from ultimo.danish.numbers import numbers
from ultimo.danish.phases import can_be_demanded, lead_passes
from ultimo.danish.skat import SIZE as SKAT_SIZE
from ultimo.events import Announced, IllegalAction, NameSkus, Opened, Play, Seat
from ultimo.play.counting import honours_of
from ultimo.play.following import words
from ultimo.rulebook import DanishRules


class _Told(Told):
    """What the clauses of a position have said."""

    def __init__(self, hands: list[Words], clauses: list[Clause]) -> None:
        super().__init__(DANISH_SEATS, hands, clauses)
        self.renamed: Word | None = None
        self.cups: tuple[int, int] | None = None
        self.won: dict[str, int] | None = None
        self.won_at = 0
        self.piles: dict[str, Cards] = dict.fromkeys(DANISH_SEATS, 0)
        self.skat: Cards = 0
        self.demand: Word | None = None  # `demand`, `demanded`, or the seat that demands
        self.window: Word | None = None  # `demand`: it is being asked for
        self.demanders: list[str] = []
        self.asked: list[str] | None = None  # who has still to answer, where it is told
        self.announced: list[tuple[str, str, int]] = []
        self.players = 3


def build(rules: DanishRules, hands: list[Words], clauses: list[Clause]) -> danish.State:
    """The position that the words describe."""
    told = _Told(hands, clauses)
    for clause in clauses:
        _hear(rules, told, clause)
    return _state(rules, told)


def _hear(rules: DanishRules, told: _Told, clause: Clause) -> None:
    """Take down one clause."""
    match clause.keys:
        case (_, "DEMANDS"):
            told.demanders.append(clause.words[0].seat(DANISH_SEATS))
            told.demand = clause.words[0]
        case ("DEMANDED",):
            told.demand = clause.words[0]
        case ("DEMAND",):
            told.window = clause.words[0]
        case ("ASKED", "NOBODY"):
            told.asked = []
        case ("ASKED", *_):
            some = clause.rest(1, "askedExpected", example="asked M B", nobody="asked nobody")
            told.asked = [word.seat(DANISH_SEATS) for word in some]
        case ("RENAMED", _):
            told.renamed = clause.words[1]
            told.renamed.suit()
        case ("CUPS", *_):
            king, pagat, *more = clause.rest(2, "cupsExpected", example="cups 60 60")
            _nothing(more)
            told.cups = king.number("pointsNumber"), pagat.number("pointsNumber")
        case ("WON", *_):
            told.won_at = clause.words[0].at
            told.won = _counts(clause)
        case ("PILES", *_):
            for seat, some in by_seat(
                clause.rest(1, "cardsExpected", example="piles F SK T21"), DANISH_SEATS
            ):
                told.piles[seat] |= told.take(some)
        case ("SKAT", *_):
            told.skat = told.take(clause.rest(1, "cardsExpected", example="skat S2 S3 S4"))
            if told.skat.bit_count() != SKAT_SIZE:
                raise clause.words[0].error("skatSize", count=SKAT_SIZE)
        case ("ANNOUNCED", _, "NOLO" | "TOUT", _):
            _, who, kind, before = clause.words
            if (number := before.number("announcedNumber")) not in range(1, LAST + 1):
                raise before.error("announcedNumber", text=before.text)
            told.announced.append((who.seat(DANISH_SEATS), kind.key.lower(), number))
        case ("PLAYERS", _):
            told.players = clause.words[1].number("playersNumber")
            if told.players not in rules.sizes:
                raise clause.words[1].error("tableSizes", sizes=", ".join(map(str, rules.sizes)))
        case _:
            known = "leads, trick, cups, won, piles, skat, demand, demanded, asked, announced, players"
            told.hear(clause, known)


def _counts(clause: Clause) -> dict[str, int]:
    """The tricks that each seat has won; none, if it is not named."""
    example = "won F 8 M 7 B 7"
    counts = dict.fromkeys(DANISH_SEATS, 0)
    for seat, some in by_seat(clause.rest(1, "wonExpected", example=example), DANISH_SEATS):
        if not some:
            raise clause.words[0].error("wonExpected", example=example)
        _nothing(some[1:])
        counts[seat] = some[0].number("tricksNumber")
    return counts


def _nothing(words: Words) -> None:
    for word in words:
        raise word.error("notHere", text=word.text)


# --- from words to a state -----------------------------------------------------------------------------


def _state(rules: DanishRules, told: _Told) -> danish.State:
    number = LAST + 1 - told.left(LAST)
    order = series.seated(rules, told.players, 0, series.first_out(rules, told.players, 0))
    seats = dict(zip(DANISH_SEATS, order, strict=True))
    found = rules.cups.found
    king, pagat = told.cups or ((3 * found.king, 3 * found.pagat) if rules.cups.enabled else (0, 0))
    skat, piles = _gone(told, number)

    def by_number(some: dict[str, int]) -> tuple[int, ...]:
        placed = {seats[letter]: value for letter, value in some.items()}
        return tuple(placed.get(seat, 0) for seat in range(told.players))

    state = danish.initial(rules, Opened(told.players, order[-1], order, king, pagat))
    dealt = told.hands | {"B": told.hands["B"] | skat}
    state = replace(
        state,
        hands=by_number(told.hands),
        dealt=by_number(dealt),
        skat=skat,
        piles=by_number(piles),
        won=by_number(_won(told, number)),
        declared=((),) * told.players,
        announced=tuple(
            Announced(seats[seat], cast(Any, kind), before) for seat, kind, before in told.announced
        ),
        number=number,
        turn=_leader(rules, number, seats[told.first], by_number(told.hands), order),
        skus_gone=not any(hand & SKUS for hand in told.hands.values()),
        phase="play",
    )
    state = before_trick(rules, state)
    state = _windows(rules, state, told, seats)
    return _played(rules, state, told, seats)


def _leader(
    rules: DanishRules, number: int, leader: Seat, hands: tuple[Cards, ...], order: tuple[Seat, ...]
) -> Seat:
    """Who leads, if the lead of the last trick may pass."""
    if lead_passes(numbers(rules), number, *words(hands[leader])):
        return order[(order.index(leader) + 1) % len(order)]
    return leader


def _won(told: _Told, number: int) -> dict[str, int]:
    earlier = number - 1
    if told.won is None:
        each, more = divmod(earlier, len(DANISH_SEATS))
        return {seat: each + (place < more) for place, seat in enumerate(DANISH_SEATS)}
    if sum(told.won.values()) != earlier:
        raise PositionError(told.won_at, "tricksWon", won=sum(told.won.values()), played=earlier)
    return told.won


def _gone(told: _Told, number: int) -> tuple[Cards, dict[str, Cards]]:
    """The skat and the piles: honours that are not placed go to whoever has least, high ones first."""
    skat, piles = told.skat, dict(told.piles)
    rest = sorted(cards(ALL_CARDS & ~told.seen), key=lambda card: -honours_of(card.bit))
    while rest and skat.bit_count() < SKAT_SIZE:
        skat |= rest.pop().bit
    if number == 1:
        return skat, piles
    for card in rest:
        poorest = min(DANISH_SEATS, key=lambda seat: honours_of(piles[seat]))
        piles[poorest] |= card.bit
    return skat, piles


def _windows(rules: DanishRules, state: danish.State, told: _Told, seats: dict[str, Seat]) -> danish.State:
    """What is asked before the trick: the demand only if it is told, announcements if they may be."""
    state = _demand(rules, state, told, seats)
    asked = None if told.asked is None else tuple(seats[letter] for letter in told.asked)
    if told.window is not None and not told.trick:
        return replace(state, phase="demand", asked=state.order if asked is None else asked)
    if state.phase == "announce" and asked and not told.trick:
        return replace(state, asked=asked)
    if state.phase == "demand" or told.trick or asked is not None:
        return replace(state, phase="play", asked=())
    return state


def _demand(rules: DanishRules, state: danish.State, told: _Told, seats: dict[str, Seat]) -> danish.State:
    """Whether the skus has been demanded, and by whom; while it is being asked for, who has said so."""
    wish = told.demand or told.window
    if wish is None:
        return state
    holder = next((seat for seat in state.order if state.hands[seat] & SKUS), None)
    if not can_be_demanded(numbers(rules), state.number, holder is None) or holder is None:
        raise wish.error("demandThirdLast")
    by = tuple(seats[letter] for letter in told.demanders)
    if holder in by:
        raise wish.error("holderDemands")
    if told.demand is None:
        return state
    return replace(state, demanded=told.window is None, demands=by or (state.after(holder),))


def _played(rules: DanishRules, state: danish.State, told: _Told, seats: dict[str, Seat]) -> danish.State:
    """Play what lies on the table, so that it is legal and a led skus has its consequences."""

    def renamed(now: danish.State) -> danish.State:
        if told.renamed and now.phase == "name":
            return danish.step(rules, now, now.turn, NameSkus(told.renamed.suit()))[0]
        return now

    def step(now: danish.State, seat: Seat, play: Play) -> danish.State:
        now = renamed(now)
        try:
            return danish.step(rules, now, seat, play)[0]
        except IllegalAction:
            if not now.demanded:
                raise
        after, _ = danish.step(rules, replace(now, demanded=False), seat, play)
        return replace(after, demanded=True)  # it was demanded after this card had fallen

    now = renamed(told.play(rules, seats, state, step))
    if told.renamed and not now.renamed:
        raise told.renamed.error("onlyLedSkusRenamed")
    told.check_turn(next((letter for letter, seat in seats.items() if seat == now.turn), ""))
    return now
