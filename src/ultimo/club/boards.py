"""Prepared deals: boards that a seed gives, to be sorted by hand and played at every table.

The pack is shuffled as at a fair table (`ultimo.fair`), the secret being the digest of the seed: whoever
knows the seed can shuffle once more. A deal that nobody has to play, because somebody may demand another, is
left out, and the pack is shuffled on.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence
from hashlib import sha256

import msgspec
from msgspec import Struct

from ultimo import deal, fair, record, rulebook, series
from ultimo.analysis import position
from ultimo.cards import PACK, UNSEEN, Card
from ultimo.club.duplicate import dealer_of, taker_of
from ultimo.events import Deal, DemandRedeal, Opened, Seat
from ultimo.pauses import with_pauses
from ultimo.rulebook import FrenchRules, Rules

FAIR = "ultimo-deals-1"  # stands for the table in the shuffle
MOST_BOARDS = 500
IMPOSED = "garde"  # the contract on every board


class Board(Struct, frozen=True, omit_defaults=True):
    """A prepared deal, by seat; in the Danish game the dealer has the three cards of the skat in hand."""

    board: int
    rules: str
    dealer: Seat
    hands: tuple[tuple[Card, ...], ...]
    chien: tuple[Card, ...] = ()
    taker: Seat | None = None
    overrides: dict[str, object] = {}
    digest: str = ""  # of the rules

    @property
    def table(self) -> int:
        """How many sit at the table."""
        return len(self.hands)


class BoardError(ValueError):
    """A file that holds no boards: in which line, from 1, and why."""

    def __init__(self, line: int, reason: str) -> None:
        super().__init__(f"line {line}: {reason}")
        self.line, self.reason = line, reason


def make(
    rules: Rules, table: int, seed: str, numbers: Iterable[int], *, teams: bool = False
) -> Iterator[Board]:
    """The boards of a seed with these numbers.

    >>> one, = make(rulebook.load("french4"), 4, "a seed", [7])
    >>> one.dealer, one.taker, [len(hand) for hand in one.hands], len(one.chien)
    (3, 2, [18, 18, 18, 18], 6)
    """
    for number in with_pauses(numbers):
        dealer = dealer_of(number, table)
        opened = Opened(table, dealer, playing(rules, table, dealer))
        begun = deal.replay(rules, deal.begin(rules, opened))
        key = fair.deal_key(FAIR, number, sha256(seed.encode()).hexdigest(), ())
        dealing = 1
        while True:
            chance = fair.Stream(key, dealing)
            dealt = deal.deal_out(rules, begun, deal.shuffled(chance), chance)
            after, _ = deal.step(rules, begun, None, dealt)
            if not deal.is_over(after) and not _may_redeal(rules, after):
                break
            dealing += 1
        french = isinstance(rules, FrenchRules)
        taker = taker_of(number, table, teams=teams) if french else None
        house, digest = rulebook.overrides(rules), rulebook.digest(rules)
        yield Board(number, rules.id, dealer, dealt.hands, dealt.chien, taker, house, digest)


def playing(rules: Rules, table: int, dealer: Seat) -> tuple[Seat, ...]:
    """Who plays a board: forehand first, the dealer last."""
    return series.seated(rules, table, dealer, series.first_out(rules, table, dealer))


def _may_redeal(rules: Rules, state: deal.State) -> bool:
    return any(DemandRedeal() in deal.legal(rules, state, seat) for seat in deal.waiting_for(rules, state))


# --- as files --------------------------------------------------------------------------------------------

_DECODER = msgspec.json.Decoder(Board)


def dumps(boards: Iterable[Board]) -> str:
    """Boards as JSON lines."""
    return "".join(msgspec.json.encode(one).decode() + "\n" for one in boards)


def loads(text: str) -> list[Board]:
    """The boards in a text, every one of which can be played; or `BoardError`."""
    found = []
    for number, line in enumerate(text.splitlines(), 1):
        if not line.strip():
            continue
        try:
            board = _DECODER.decode(line)
            recorded(board)
        except (msgspec.DecodeError, ValueError, RecursionError) as error:
            raise BoardError(number, str(error)) from error
        found.append(board)
    if not found:
        raise BoardError(1, "no boards")
    return found


def rules_of(board: Board) -> Rules:
    """The rules of a board."""
    return rulebook.load(board.rules, dict(board.overrides), board.digest)


def recorded(board: Board) -> record.Record:
    """The record of a deal that has just been dealt, for tables and programs that read records."""
    rules = rules_of(board)
    if board.table not in rules.sizes or board.dealer not in range(board.table):
        raise ValueError(f"{board.rules} is not played by {board.table}")
    if board.taker is not None and board.taker not in range(board.table):
        raise ValueError(f"no seat {board.taker} can take")
    if UNSEEN in (*board.chien, *(card for hand in board.hands for card in hand)):
        raise ValueError("all cards must be known")
    order = playing(rules, board.table, board.dealer)
    begun = deal.begin(rules, Opened(board.table, board.dealer, order))
    given = deal.decide(rules, deal.replay(rules, begun), None, Deal(board.hands, board.chien))
    entries = tuple(record.Entry(event) for event in (*begun, *given))
    return record.Record(record.header(rules, board.table), entries)


# --- afterwards ------------------------------------------------------------------------------------------


def position_of(board: Board, laid: Sequence[Card]) -> str:
    """The position after these cards have been laid, for the analysis board; raises `PositionError`."""
    rules = rules_of(board)
    order = playing(rules, board.table, board.dealer)
    layer = board.dealer if board.taker is None else board.taker
    held = {seat: set(board.hands[seat]) for seat in order}
    held[layer] |= set(board.chien)
    held[layer] -= set(laid)
    letters = "FMB" if board.taker is None else "ABCDE"
    hands = " / ".join(
        f"{letter} {_notation(held[seat])}" for letter, seat in zip(letters, order, strict=False)
    )
    cards = _notation(set(laid))
    if board.taker is None:
        told = f"skat {cards}; players {board.table}"
    else:
        told = f"{letters[order.index(board.taker)]} takes {IMPOSED}; aside {cards}"
    text = f"{board.rules}: {hands}; {told}"
    _, state = position.read(text)
    return position.write(rules, state)


def _notation(some: set[Card]) -> str:
    return " ".join(card.value for card in PACK if card in some)
