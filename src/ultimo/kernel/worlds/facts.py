"""What is known of the cards in a deal, collected before it becomes arrays.

Cards lie in rows: row `s` is the hand of seat `s`, the last row the cards laid aside (skat, écart, closed
chien). A row has cards that are known to lie there, room for more, and cards that may be among them.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable

from msgspec import Struct, field

from ultimo import events as e
from ultimo.cards import ALL_CARDS, Cards, indices
from ultimo.kernel.sets import cards_in, words
from ultimo.play.following import PACK_SIZE


class Impossible(ValueError):
    """No cards fit what is said to be known: the view contradicts itself, or holds no cards yet."""


class Heard(Struct, frozen=True):
    """What a seat was told that its state of the deal does not keep.

    Without it the worlds are still all those that fit, and some more.
    """

    notice: e.SkatNotice | None = None  # that cards of a declaration were laid
    demanded_after: int | None = None  # cards on the table when the skus was demanded
    all: bool = False  # whether nothing was missed: no notice then means that none was given


class Spoken(Struct, frozen=True):
    """A hand has made its declarations: on the cards of these rows, and those it has played."""

    rows: tuple[int, ...]
    played: Cards
    least: int  # tarokker, the skus among them
    most: int
    made: tuple[int, ...]  # as `danish.declarations.declare` writes them


class Laid(Struct, frozen=True):
    """A Danish skat that the viewer has not seen."""

    dealer: int
    played: Cards  # by the dealer
    answer: int = -1  # how many tarokker he has said to lie there
    ruled: bool = False  # tarokker only if there are at most three
    whole: bool = False  # and then all of them
    doubtful: bool = False  # the rules of laying depend on cards that are not known: look at each skat
    tout: bool = False
    noticed: int = -1  # whether he has said that cards of a declaration lie there, if that is known


class Bare(Struct, frozen=True):
    """The petit was not dealt to this seat as its only trump."""

    row: int
    let_go: Cards  # played or laid
    taken_up: Cards  # from the chien


class Facts(Struct):
    """What is known, while it is collected."""

    known: list[Cards]
    room: list[int]
    may: list[Cards] = field(default_factory=list)
    played: list[Cards] = field(default_factory=list)
    spoken: list[Spoken] = field(default_factory=list)
    laid: Laid | None = None
    some: list[tuple[tuple[int, ...], Cards]] = field(default_factory=list)  # one of them lies in these rows
    bare: list[Bare] = field(default_factory=list)

    def __post_init__(self) -> None:
        self.may = [ALL_CARDS if room else 0 for room in self.room]
        self.played = [0] * len(self.room)

    def never(self, row: int, cards: Cards) -> None:
        """None of these cards lies in this row, as far as it is not known to lie there."""
        self.may[row] &= ~cards

    def only(self, cards: Cards, *rows: int) -> None:
        """These cards lie in these rows, if they have not been played."""
        for row in range(len(self.may)):
            if row not in rows:
                self.never(row, cards)

    def unlocated(self) -> Cards:
        """The cards whose row is not known."""
        located = 0
        for cards in (*self.known, *self.played):
            located |= cards
        return ALL_CARDS & ~located

    def settle(self) -> None:
        """Put down every card for which one row is left, and fill every row that needs all it may have."""
        if self.unlocated().bit_count() != sum(self.room):
            raise Impossible("the hands do not hold the cards that are left")
        while self._settle_cards() or self._settle_rows():
            pass

    def _settle_cards(self) -> bool:
        settled = False
        for index in indices(self.unlocated()):
            rows = [row for row, may in enumerate(self.may) if self.room[row] and may >> index & 1]
            if not rows:
                raise Impossible("there is a card that nobody can hold")
            if len(rows) == 1:
                self._put(rows[0], 1 << index)
                settled = True
        return settled

    def _settle_rows(self) -> bool:
        for row, room in enumerate(self.room):
            wanted = self.may[row] & self.unlocated()
            if room and wanted.bit_count() < room:
                raise Impossible("a hand cannot be filled")
            if room and wanted.bit_count() == room:
                self._put(row, wanted)
                return True
        return False

    def _put(self, row: int, cards: Cards) -> None:
        if self.room[row] < cards.bit_count():
            raise Impossible("a hand would hold too many cards")
        self.known[row] |= cards
        self.room[row] -= cards.bit_count()


def ruled_out(card: int, legal: Callable[[int, int], tuple[int, int]]) -> Cards:
    """The cards that a hand which played `card` cannot have held beside it, by what a hand may play.

    Each card is tried alone: whether a play is legal depends on no two other cards together.
    """
    beside = (1 << other for other in range(PACK_SIZE))
    return sum(bit for bit in beside if not cards_in(*legal(*words(bit | 1 << card))) >> card & 1)


def heard(seen: Iterable[e.DealEvent]) -> Heard:
    """What is worth remembering of all that a seat saw of a deal."""
    notice: e.SkatNotice | None = None
    demanded_after: int | None = None
    lying = 0
    for event in seen:
        match event:
            case e.CardPlayed():
                lying += 1
            case e.CardTakenBack():
                lying -= 1
            case e.TrickWon():
                lying = 0
            case e.SkatNotice():
                notice = event
            case e.Dealt() | e.SkatLaid() | e.SkatTakenBack():
                notice = None
            case e.SkusDemanded():
                demanded_after = lying
    return Heard(notice, demanded_after, all=True)
