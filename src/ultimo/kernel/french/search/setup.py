"""From the state of a French deal to the board of a search."""

from __future__ import annotations

from msgspec import Struct

from ultimo.cards import PAGAT, SKUS, SUITS_WORD, Card, Cards, cards, indices
from ultimo.events import Seat
from ultimo.french import numbers as rule
from ultimo.french import reckoning
from ultimo.french.counting import excuse_gain, taker_pile
from ultimo.french.following import UNBEATEN, fall
from ultimo.french.legal import legal
from ultimo.french.outcome import SIDES
from ultimo.french.settlement import poignee_value
from ultimo.french.state import State, card_number
from ultimo.kernel.arrays import ints, zeros
from ultimo.kernel.french.search import layout as at
from ultimo.kernel.french.search.side import MIDDLE, PIPS, search, standing_word, trick_word
from ultimo.kernel.french.search.transposition import write_orders
from ultimo.kernel.jit import Ints
from ultimo.kernel.searching import MARKS, boards_before, one_of_each, shared_at
from ultimo.play.following import FIRST_TRUMP, NO_SUIT, PACK_SIZE
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

    @property
    def open_ends(self) -> tuple[int, int, int, int]:
        """Which ends may still come about: slams, petit au bout, fewest and most bouts (see `goal`)."""
        return self.alive, self.petit_open, self.bouts, self.bouts + self.rest_bouts


def new_boards(rules: FrenchRules, state: State, threads: int = 1) -> list[Ints]:
    """A board for each thread, the first with all that stays the same to the end of a deal."""
    assert state.contract is not None
    n = rule.numbers(rules)
    boards = boards_before(threads, at.BOARD_LENGTH, MARKS)
    board = boards[0]
    board[: rule.LENGTH] = ints(n)
    board[at.BID] = rules.bid.ladder.index(state.contract)
    for shown in state.poignees:
        worth = poignee_value(rules, len(shown.cards))
        board[at.POIGNEES_SHOWN] = reckoning.poignees_together(n, int(board[at.POIGNEES_SHOWN]), worth)
    board[at.ANNOUNCED] = reckoning.NOBODY if state.slam is None else SIDES[state.side(state.slam)]
    board[at.CALLED] = card_number(state.called)
    for seat in range(state.table):
        board[at.SIDES + seat] = SIDES[state.side(seat)]
    write_orders(board, _owners(state))
    return boards


def share(boards: list[Ints], threads: int) -> None:
    """Make the boards of so many threads ready to search what lies on the first."""
    board = boards[0]
    board[at.MARKS_AT] = shared_at(len(boards), at.BOARD_LENGTH, 0) if threads > 1 else 0
    for thread, other in enumerate(boards[1:threads], 1):
        other[: at.BOARD_LENGTH] = board[: at.BOARD_LENGTH]
        other[at.MARKS_AT] = shared_at(len(boards), at.BOARD_LENGTH, thread)
        other[other[at.MARKS_AT] :] = zeros(MARKS)


def _owners(state: State) -> Ints:
    """The seat of each card that is still in a hand."""
    owner = zeros(PACK_SIZE)
    for seat, hand in enumerate(state.hands):
        for index in indices(hand):
            owner[index] = seat
    return owner


def lay(board: Ints, rules: FrenchRules, state: State) -> Position:
    """Put the hands of a position on a board."""
    assert state.turn is not None
    held, table = sum(state.hands), _on_table(state)
    for seat, hand in enumerate(state.hands):
        board[at.SUITS + seat], board[at.TRUMPS + seat] = _words(hand)
    board[at.REST_SUITS], board[at.REST_TRUMPS] = _words(held)
    board[at.TRICK_SUITS], board[at.TRICK_TRUMPS] = _words(table)
    led, best, by, excuse = NO_SUIT, UNBEATEN, state.turn, reckoning.NO_SEAT
    for play in state.trick:
        led, best, by = fall(play.card.index, play.seat, led, best, by)
        if play.card.bit == SKUS:
            excuse = play.seat
    pile = _words(taker_pile(state))
    more, bout = excuse_gain(rules, state)
    rest = _words(held | table)
    petit_before = bool(state.tricks and state.tricks[-1].cards & PAGAT)
    return Position(
        tricks_left=rules.deal.hand - len(state.tricks),
        seat=state.turn,
        trick=int(trick_word(len(state.trick), led, best, by, excuse)),
        alive=_alive(board, state),
        bouts=reckoning.pile_bouts(pile[1]) + bout,
        petit_before=int(petit_before),
        half_points=reckoning.pile_half_points(*pile) + more,
        rest_bouts=reckoning.pile_bouts(rest[1]),
        rest_half_points=reckoning.pile_half_points(*rest),
        petit_open=int(petit_before or bool((held | table) & PAGAT)),
    )


def run(board: Ints, table: Ints, position: Position) -> int:
    """Search: by how many half points the mark of the goal on the board is passed, or missed if negative."""
    standing = standing_word(position.alive, position.bouts, position.petit_before)
    left, seat, trick, has = position.tricks_left, position.seat, position.trick, position.half_points
    return int(search(board, table, left, seat, trick, standing, -has)) + has


def groups(rules: FrenchRules, state: State) -> dict[Card, Card]:
    """Every card that may be played, and with it the lowest of those that come to the same."""
    assert state.turn is not None
    may = legal(rules, state, state.turn).cards()
    present = sum(state.hands) | _on_table(state)
    single = one_of_each(may & SUITS_WORD, present, PIPS)
    single |= one_of_each(may >> FIRST_TRUMP, present >> FIRST_TRUMP, MIDDLE) << FIRST_TRUMP
    found: dict[Card, Card] = {}
    lowest: Card | None = None
    for card in cards(may):
        if lowest is None or card.bit & single:
            lowest = card
        found[card] = lowest
    return found


def _alive(board: Ints, state: State) -> int:
    """Which sides may still win every trick: bit 0 for the taker's, bit 1 for the defence."""
    alive = EVERY_SLAM
    for trick in state.tricks:
        alive &= 1 if board[at.SIDES + trick.winner] == reckoning.TAKER else 2
    return alive


def _on_table(state: State) -> Cards:
    return sum(play.card.bit for play in state.trick)


def _words(some: Cards) -> tuple[int, int]:
    """A set of cards as two words."""
    return some & SUITS_WORD, some >> FIRST_TRUMP
