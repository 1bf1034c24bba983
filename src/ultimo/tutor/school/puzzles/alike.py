"""What is as good as the same: cards next to one another, and endings that differ only in their suits."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from itertools import permutations
from typing import TypeAlias

from ultimo import danish
from ultimo import events as e
from ultimo.cards import BOUTS, COURTS, ULTIMO_CARDS, Card, Cards, cards
from ultimo.play.following import strength
from ultimo.tutor.board import Board
from ultimo.tutor.board import board as board_of
from ultimo.tutor.school.puzzles.puzzle import Puzzle

Shape: TypeAlias = tuple[object, ...]
BLACK_AND_RED = ((0, 1, 2, 3), (2, 1, 0, 3), (0, 3, 2, 1), (2, 3, 0, 1))  # S H C D: within a colour


def in_play(board: Board) -> Cards:
    """The cards in hand and on the table."""
    held = sum(play.card.bit for play in board.state.trick)
    for hand in board.state.hands:
        held |= hand
    return held


def equals(actions: Sequence[e.Action], board: Board) -> bool:
    """Whether actions are one action, or cards of a suit between which no other card is in play."""
    if all(one == actions[0] for one in actions):
        return True
    plays = [one for one in actions if isinstance(one, e.Play)]
    if len(plays) < len(actions) or len({(one.card.suit, one.named) for one in plays}) > 1:
        return False
    reversed_ = isinstance(board.state, danish.State)
    places = [_height(one.card, reversed_) for one in plays]
    own = {one.card for one in plays}
    return not any(
        card not in own
        and card.suit == plays[0].card.suit
        and min(places) < _height(card, reversed_) < max(places)
        for card in cards(in_play(board))
    )


def same_worth(one: e.Action, other: e.Action, board: Board) -> bool:
    """Whether it makes no difference which of two actions is done: equal cards that count alike."""
    if not equals((one, other), board):
        return False
    counting = ULTIMO_CARDS if isinstance(board.state, danish.State) else COURTS | BOUTS
    pair = [play.card for play in (one, other) if isinstance(play, e.Play)]
    return one == other or not any(card.bit & counting for card in pair)


def _height(card: Card, reversed_: bool) -> int:
    return strength(card.index, card.suit, reversed_)


# --- endings ------------------------------------------------------------------------------------------------


def shape(puzzle: Puzzle) -> Shape:
    """An ending without what makes no difference: which suit of a colour is which, and how high pips are.

    Of the cards in play only their order counts, of the seats only how far they sit from the one on turn. In
    French Tarot all suits are alike.
    """
    board = board_of(puzzle.position)
    is_danish = isinstance(board.state, danish.State)
    ways = BLACK_AND_RED if is_danish else tuple(permutations(range(4)))
    return min(_written(puzzle, board, (*way, 4), is_danish) for way in ways)


def _written(puzzle: Puzzle, board: Board, way: Sequence[int], is_danish: bool) -> Shape:
    state, turn = board.state, board.turn
    seats = list(board.letters)
    first = seats.index(turn) if turn in seats else 0
    order = seats[first:] + seats[:first]
    names = dict(_names(board, way, is_danish))

    def hand(some: Cards) -> tuple[str, ...]:
        return tuple(sorted(names[card] for card in cards(some)))

    goal = tuple(
        ":".join(_word(part, board, order, names) for part in atom.split(":"))
        for atom in puzzle.goal.split(",")
    )
    return (
        puzzle.rules if not is_danish else "",
        goal,
        tuple(board.letters[seat] in puzzle.side for seat in order),
        tuple(hand(state.hands[seat]) for seat in order),
        tuple((order.index(play.seat), names[play.card]) for play in state.trick),
    )


def _word(part: str, board: Board, order: Sequence[e.Seat], names: dict[Card, str]) -> str:
    """A part of a goal, its seat and card as the shape has them."""
    for place, seat in enumerate(order):
        if part == board.letters[seat]:
            return str(place)
    return next((name for card, name in names.items() if card.value == part), part)


def _names(board: Board, way: Sequence[int], is_danish: bool) -> Iterator[tuple[Card, str]]:
    """What the cards in play are called: by suit and place, and by name where they matter by themselves."""
    special = (ULTIMO_CARDS | BOUTS) if is_danish else COURTS | BOUTS
    by_suit: dict[int, list[Card]] = {}
    for card in cards(in_play(board)):
        by_suit.setdefault(card.suit, []).append(card)
    for suit, some in by_suit.items():
        for place, card in enumerate(sorted(some, key=lambda one: _height(one, is_danish))):
            mark = card.value[1:] if card.bit & special else ""
            yield card, f"{way[suit]}.{place:02}{mark}"
