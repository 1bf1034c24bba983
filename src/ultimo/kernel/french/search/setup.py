"""From the state of a French deal to the board of a search."""

from __future__ import annotations

from functools import cache

import numpy as np
from msgspec import Struct

from ultimo.cards import PAGAT, SKUS, SUITS_WORD, Card, Cards, cards
from ultimo.events import Seat
from ultimo.french import numbers as rule
from ultimo.french.counting import excuse_gain, taker_pile
from ultimo.french.following import UNBEATEN, fall
from ultimo.french.legal import legal
from ultimo.french.numbers import numbers
from ultimo.french.outcome import SIDES as SIDE_NUMBERS
from ultimo.french.reckoning import (
    NO_SEAT,
    NOBODY,
    TAKER,
    pile_bouts,
    pile_half_points,
    poignees_together,
)
from ultimo.french.settlement import poignee_value
from ultimo.french.state import State, card_number
from ultimo.kernel.french.search import layout as at
from ultimo.kernel.french.search.side import search, standing_word, trick_word
from ultimo.kernel.french.search.tricks import MIDDLE, PIPS, one_of_each
from ultimo.kernel.jit import Ints
from ultimo.play.following import FIRST_TRUMP, NO_SUIT
from ultimo.rulebook import FrenchRules

EVERY_SLAM = 3


class Position(Struct, frozen=True):
    """A position as `search` takes it, apart from the hands, which lie on the board.

    `rest_…` are the bouts and half points not yet won, in hands or on the table; `petit_open` says that the
    petit may still fall at the end, or has.
    """

    tricks_left: int
    seat: Seat
    trick: int
    alive: int
    bouts: int
    petit_before: int
    half_points: int
    rest_bouts: int
    rest_half_points: int
    petit_open: int


def new_board(rules: FrenchRules, state: State) -> Ints:
    """A board with all that stays the same to the end of a deal."""
    assert state.contract is not None
    n = numbers(rules)
    board: Ints = np.zeros(at.BOARD_LENGTH, np.int64)
    board[: rule.LENGTH] = n
    board[at.BID] = rules.bid.ladder.index(state.contract)
    for shown in state.poignees:
        worth = poignee_value(rules, len(shown.cards))
        board[at.POIGNEES_SHOWN] = poignees_together(n, int(board[at.POIGNEES_SHOWN]), worth)
    board[at.ANNOUNCED] = NOBODY if state.slam is None else SIDE_NUMBERS[state.side(state.slam)]
    board[at.CALLED] = card_number(state.called)
    for seat in range(state.table):
        board[at.SIDES + seat] = SIDE_NUMBERS[state.side(seat)]
    board[at.PACKED : at.PACKED + 1024] = _packed()
    return board


@cache
def _packed() -> tuple[int, ...]:
    """Every set of five cards as its places among those present, by the two sets of bits."""
    table = []
    for present in range(32):
        bits = [bit for bit in range(5) if present >> bit & 1]
        for held in range(32):
            table.append(sum((held >> bit & 1) << place for place, bit in enumerate(bits)))
    return tuple(table)


def lay(board: Ints, rules: FrenchRules, state: State) -> Position:
    """Put the hands of a position on a board."""
    for seat, hand in enumerate(state.hands):
        board[at.SUITS + seat] = hand & SUITS_WORD
        board[at.TRUMPS + seat] = hand >> FIRST_TRUMP
    held = _together(state.hands)
    board[at.REST_SUITS] = held & SUITS_WORD
    board[at.REST_TRUMPS] = held >> FIRST_TRUMP
    table = _on_table(state)
    board[at.TRICK_SUITS], board[at.TRICK_TRUMPS] = table & SUITS_WORD, table >> FIRST_TRUMP
    return _position(rules, state, held)


def run(board: Ints, table: Ints, position: Position) -> int:
    """Search: by how many half points the mark of the goal on the board is passed, or missed if negative."""
    standing = standing_word(position.alive, position.bouts, position.petit_before)
    left, seat, trick, has = position.tricks_left, position.seat, position.trick, position.half_points
    return int(search(board, table, left, seat, trick, standing, -has)) + has


def groups(rules: FrenchRules, state: State) -> dict[Card, Card]:
    """Every card that may be played, and with it the lowest of those that come to the same."""
    assert state.turn is not None
    may = legal(rules, state, state.turn).cards()
    present = _together(state.hands) | _on_table(state)
    single = one_of_each(may & SUITS_WORD, present & SUITS_WORD, PIPS)
    single |= one_of_each(may >> FIRST_TRUMP, present >> FIRST_TRUMP, MIDDLE) << FIRST_TRUMP
    found: dict[Card, Card] = {}
    lowest: Card | None = None
    for card in cards(may):
        if lowest is None or card.bit & single:
            lowest = card
        found[card] = lowest
    return found


def _position(rules: FrenchRules, state: State, held: Cards) -> Position:
    assert state.turn is not None
    table = _on_table(state)
    led, best, by, excuse = NO_SUIT, UNBEATEN, state.turn, NO_SEAT
    for play in state.trick:
        led, best, by = fall(play.card.index, play.seat, led, best, by)
        if play.card.bit == SKUS:
            excuse = play.seat
    half_points, bouts = _won(rules, state)
    rest = held | table
    petit_before = bool(state.tricks and state.tricks[-1].cards & PAGAT)
    return Position(
        tricks_left=rules.deal.hand - len(state.tricks),
        seat=state.turn,
        trick=int(trick_word(len(state.trick), led, best, by, excuse)),
        alive=_alive(state),
        bouts=bouts,
        petit_before=int(petit_before),
        half_points=half_points,
        rest_bouts=pile_bouts(rest >> FIRST_TRUMP),
        rest_half_points=pile_half_points(rest & SUITS_WORD, rest >> FIRST_TRUMP),
        petit_open=int(petit_before or bool(rest & PAGAT)),
    )


def _won(rules: FrenchRules, state: State) -> tuple[int, int]:
    """The half points and bouts that the taker's side has so far, what was laid or lies closed with them."""
    pile = taker_pile(state)
    half_points = pile_half_points(pile & SUITS_WORD, pile >> FIRST_TRUMP)
    bouts = pile_bouts(pile >> FIRST_TRUMP)
    more, bout = excuse_gain(rules, state)
    return half_points + more, bouts + bout


def _alive(state: State) -> int:
    """Which sides may still win every trick: bit 0 for the taker's, bit 1 for the defence."""
    alive = EVERY_SLAM
    for trick in state.tricks:
        alive &= 1 if SIDE_NUMBERS[state.side(trick.winner)] == TAKER else 2
    return alive


def _on_table(state: State) -> Cards:
    return _together(tuple(play.card.bit for play in state.trick))


def _together(sets: tuple[Cards, ...]) -> Cards:
    union = 0
    for one in sets:
        union |= one
    return union
