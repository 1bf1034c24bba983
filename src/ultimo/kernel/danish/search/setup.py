"""Laying out a Danish position for the search."""

from __future__ import annotations

from itertools import chain, groupby, pairwise, product

from msgspec import Struct

from ultimo import danish
from ultimo.cards import ALL_CARDS, COURTS, KINGS, PAGAT, SKUS, SUITS_WORD, T21, TRUMPS, Cards, indices
from ultimo.danish import facts as fact
from ultimo.danish import numbers as rule
from ultimo.danish.state import pile_points
from ultimo.events import Announced, Seat
from ultimo.kernel.arrays import filled, ints, zeros
from ultimo.kernel.danish.search import layout as at
from ultimo.kernel.danish.search import tables as t
from ultimo.kernel.danish.search.moves import announced, trick_word
from ultimo.kernel.danish.search.remainders import FIVE, order_of
from ultimo.kernel.danish.search.transposition import double
from ultimo.kernel.searching import LOWEST_OF_SUITS, MARKS, boards_before, joins, shared_at
from ultimo.play.counting import honours
from ultimo.play.following import FIRST_TRUMP, NO_SUIT, SKUS_CARD, strength, suit_of
from ultimo.rulebook import DanishRules

MOST_LABELS = 4  # special cards that a suit may have
PRICES = (  # those of lost cards and of the last trick follow one another
    *range(rule.KING_LOST, rule.ULTIMO_PAGAT_EXTRA + 1),
    *(rule.BAGUD_EXTRA_CUP, rule.NOLO_PAY, rule.NOLO_PREMIUM, rule.TOUT_PAY),
    *range(rule.NOLO_WINS, rule.ANNOUNCING),
)
SMALLEST = 1 << 10  # buckets of the transposition table at first
ROOM = 8  # buckets for each position in it, when threads begin to search together
ENDLESS = 1 << 60  # nodes


class Query(Struct, frozen=True):
    """One atom of a claim for the search: an event of a place, with any of some cards."""

    what: int
    place: int
    cards: Cards
    holds: bool


class Rounding(Struct, frozen=True):
    """What a value with every point of one place counted says about the true one, paid in steps.

    All payments but the count are multiples of the step, so the value is rounded as this count is: one that
    pays its player (`sign` 1) down, one that he pays for (-1) up.
    """

    step: int
    sign: int

    def rounded(self, points: int) -> int:
        """The true value, or a bound on it."""
        return self.sign * (self.sign * points // self.step) * self.step

    def needed(self, target: int) -> int:
        """The fewest points with which the true value reaches the target."""
        whole = -(-target // self.step) * self.step
        return whole if self.sign > 0 else whole - self.step + 1


EXACT = Rounding(1, 1)


class Board:
    """The board of one search: for a claim of a side, for its points, or without a side for everybody's."""

    def __init__(
        self,
        rules: DanishRules,
        root: danish.State,
        sides: tuple[bool, ...],
        queries: tuple[Query, ...] | None,
        memory: int,
        threads: int = 1,
    ) -> None:
        self.root, self.order, self.n = root, root.order, rule.numbers(rules)
        self.queries, self.rounding = queries, EXACT
        self.kinds = self._kinds() if queries is None else []
        self.cards = sum(root.hands[seat] for seat in root.order) | _on_table(root)  # those in play
        self.inner = _arranged(self.cards)
        ends = at.LAST_ENDS * (len(self.kinds) + 1) ** 3 if queries is None else 0
        buckets = _buckets(max(root.hands[seat].bit_count() for seat in root.order), memory)
        self.length = at.TABLES + ends
        self.boards = boards_before(threads, self.length, MARKS + buckets * at.BUCKET)
        self.w = w = self.boards[0]
        w[at.LAST_AT], w[at.ENTRIES_AT] = at.TABLES, shared_at(threads, self.length, 0) + MARKS
        self.most_buckets = w[at.MOST_BUCKETS] = buckets
        w[at.BUCKETS] = SMALLEST
        w[at.TABLES : at.TABLES + ends] = filled(ends, at.UNKNOWN)
        w[: rule.LENGTH] = ints(self.n)
        w[at.MODE] = at.POINTED if queries is None else at.CLAIMED
        w[at.WEIGHT : at.WEIGHT + 3] = ints(sides if any(sides) else (1, 1 << at.THIRD, 1 << 2 * at.THIRD))
        w[at.SIDE : at.SIDE + 3] = ints(sides)
        for place in range(3):
            friends = sum(sides) - sides[place]
            w[at.ASK + place] = (at.MIN_ASKS, at.BOTH_ASK, at.MAX_ASKS)[friends]
        self._lay_cards()
        if queries is None:
            self._lay_points()
            if any(sides):
                t.write_bounds(w)
                self.rounding = self._straighten()
                self._lay_bare()
            else:
                self._lay_remainders()

    # --- cards -------------------------------------------------------------------------------------------

    def words(self, some: Cards) -> tuple[int, int]:
        """A set of cards as two words in the order of the board."""
        inner = sum(1 << self.inner[index] for index in indices(some))
        return inner & SUITS_WORD, inner >> FIRST_TRUMP

    def _lay_cards(self) -> None:
        w = self.w
        w[at.REAL : at.REAL + 78] = filled(78, SKUS_CARD)
        for index, inner in self.inner.items():
            bit = 1 << index
            w[at.REAL + inner] = index
            w[at.CLASS + inner] = 1 if bit & KINGS else 2 if bit & PAGAT else 0
            w[at.HONOUR + inner] = honours(bit & SUITS_WORD, bit >> FIRST_TRUMP)
        labels = self._labels()
        suits, trumps = self.words(sum(1 << index for index in labels))
        self._join(0, suits, trumps)
        w[at.KINGS_MASK] = self.words(self.cards & KINGS)[0]
        if self.queries is None:
            w[at.PAGAT_MASK] = self.words(self.cards & PAGAT)[1]
            w[at.TOP_MASK] = trumps ^ w[at.PAGAT_MASK]
        else:
            named = [1 << rank for rank in indices(trumps)]
            if len(named) > 2:
                raise ValueError("a claim can name at most two trumps")
            w[at.PAGAT_MASK], w[at.TOP_MASK] = (*named, 0, 0)[:2]
            self._lay_claim(self.queries)
        self._lay_holdings(labels, 0)

    def _join(self, way: int, suits: int, trumps: int) -> None:
        """Say which cards are like those just below them, where some are like no other."""
        self.w[at.JOINED_SUITS + way] = joins(SUITS_WORD & ~suits, LOWEST_OF_SUITS)
        self.w[at.JOINED_TRUMPS + way] = joins((TRUMPS >> FIRST_TRUMP) & ~trumps)

    def _lay_bare(self) -> None:
        """Lay out the bare game as well, where there is a count: courts and T21 are like others in it."""
        if self.w[at.SLOPE_HIGH] == self.w[at.SLOPE_LOW]:
            return
        labels = dict.fromkeys(indices(self.cards & (KINGS | PAGAT)), 1)
        self._join(1, *self.words(sum(1 << index for index in labels)))
        self._lay_holdings(labels, 1)
        self.w[at.BARED] = sum(self.w[at.SIDE : at.SIDE + 3].tolist())

    def _lay_claim(self, queries: tuple[Query, ...]) -> None:
        w = self.w
        w[at.ATOMS] = len(queries)
        for number, query in enumerate(queries):
            spot = at.ATOM + at.ATOM_WORDS * number
            suits, trumps = self.words(query.cards & self.cards)
            atom = (query.what, query.place, suits, trumps, query.holds)
            w[spot : spot + at.ATOM_WORDS] = ints(atom)
            last = query.what in (at.ULTIMO, at.BAGUD, at.LAST_TRICK)
            if last and query.holds and (query.cards & self.cards).bit_count() == 1:
                w[at.FATAL_SUITS] |= suits
                w[at.FATAL_TRUMPS] |= trumps

    def _labels(self) -> dict[int, int]:
        """The cards that are like no other, with a number for those that may be exchanged between suits."""
        if self.queries is None:
            special = KINGS | PAGAT
            if self.n[rule.COUNT_MODE] != rule.UNCOUNTED:
                special |= COURTS | T21
            some = indices(self.cards & special)
            return {index: index % 14 - 9 if index < FIRST_TRUMP else 1 for index in some}
        sets: dict[int, int] = {}
        for number, query in enumerate(self.queries):
            for index in indices(0 if query.cards == ALL_CARDS else query.cards):
                sets[index] = sets.get(index, 0) | 1 << number
        kinds = sorted(set(sets.values()))
        return {index: 1 + kinds.index(some) for index, some in sorted(sets.items())}

    def _lay_holdings(self, labels: dict[int, int], way: int) -> None:
        """Number the holdings of the suits, so that equal ones have one number whatever their suit."""
        w, owner = self.w, {}
        for place, seat in enumerate(self.order):
            for index in indices(self.root.hands[seat] | _on_table(self.root, seat)):
                owner[self.inner[index]] = place
        marks = {self.inner[index]: label for index, label in labels.items()}
        found = []
        for suit in range(4):
            some = sorted(card for card in owner if card // 14 == suit)
            if sum(card in marks for card in some) > MOST_LABELS:
                raise ValueError("a claim can name at most four cards of a suit")
            codes = zeros(1 << len(some))
            owners, labelled = (owner[card] for card in some), (marks.get(card, 0) for card in some)
            t.write_holdings(codes, ints(owners), ints(labelled))
            found.append(codes.tolist())
        numbers = {code: number for number, code in enumerate(sorted(set(chain(*found))))}
        for suit, holdings in enumerate(found):
            spot = at.CODES + at.HOLDINGS * (4 * way + suit)
            w[spot : spot + len(holdings)] = ints(map(numbers.__getitem__, holdings))
        t.write_trumps(w, ints(owner.get(FIRST_TRUMP + rank, 0) for rank in range(21)))

    # --- points ------------------------------------------------------------------------------------------

    def _kinds(self) -> list[tuple[int, int]]:
        """What has been announced or still can be: nolo or tout, and before which trick."""
        found = {_kind_of(one) for one in self.root.announced}
        for kind, prices in ((at.NOLO_KIND, rule.NOLO_WINS), (at.TOUT_KIND, rule.TOUT_WINS)):
            tricks = range(self.root.number, rule.TRICKS)
            found |= {(kind, trick) for trick in tricks if self.n[prices + trick] != rule.NEVER}
        if len(found) > at.MOST_KINDS:
            raise ValueError(f"more than {at.MOST_KINDS} kinds of announcements")
        return sorted(found)

    def _lay_points(self) -> None:
        w, root = self.w, self.root
        w[at.FACTS_AT + fact.CHARGED], w[at.FACTS_AT + fact.TABLE_SIZE] = fact.NOBODY, root.table
        w[at.KINDS] = len(self.kinds)
        for number, (kind, before) in enumerate(self.kinds):
            w[at.KIND + 2 * number + 2], w[at.KIND + 2 * number + 3] = kind, before
            if before > root.number:
                w[at.WINDOWS] |= 1 << before
        w[at.KING_POT], w[at.PAGAT_POT] = root.king, root.pagat
        piles = pile_points(root)
        rest = rule.TRICKS - root.number + honours(self.cards & SUITS_WORD, self.cards >> FIRST_TRUMP)
        w[at.TOTAL] = sum(piles[seat] for seat in root.order) + rest
        if w[at.TOTAL] >= at.COUNT_SPAN:
            raise ValueError("the piles count more than a pack has")
        t.write_tables(w)
        t.write_residues(w)

    def _lay_remainders(self) -> None:
        """Where counts of two places are paid in fives: how shifts of their remainders change orders."""
        w = self.w
        periods = [
            max(w[start : start + at.COUNT_SPAN].tolist()) + 1
            for start in range(at.RESIDUE, at.RESIDUE + 3 * at.COUNT_SPAN, at.COUNT_SPAN)
        ]
        counters = [place for place in range(3) if periods[place] == FIVE]
        if sorted(periods) != [1, FIVE, FIVE]:
            return
        w[at.LOOSE] = counters[0] | counters[1] << 2
        for place, (number, counter) in product(range(3), enumerate(counters)):
            worth = w[at.RECKONED + at.COUNT_SPAN * counter :]
            orders = [order_of(int(worth[pile]), place) for pile in range(2 * FIVE)]
            shifts = product(range(FIVE), repeat=2)
            slips = [orders[pile + shift] - orders[pile] for pile, shift in shifts]
            spot = at.SLIPS + 50 * place + 25 * number
            w[spot : spot + 25] = ints(slips)
            w[at.SWAY + place] += max(slips) - min(slips)

    def _straighten(self) -> Rounding:
        """Count every point of one place, where the counts of this side are paid in steps; what that means.

        What is then searched has fewer positions, as fewer remainders matter.
        """
        w, step, straight = self.w, int(self.w[at.STEP]), {}
        prices = [self.root.king, self.root.pagat, *(self.n[price] for price in PRICES)]
        if step == 1 or any(price % step for price in prices if price != rule.NEVER):
            return EXACT
        for start in range(at.RECKONED, at.RECKONED + 3 * at.COUNT_SPAN, at.COUNT_SPAN):
            worth = w[start : start + at.COUNT_SPAN].tolist()
            first = next((pile for pile, (one, other) in enumerate(pairwise(worth), 1) if one != other), 0)
            if any(value % step for value in worth):
                return EXACT
            if not first:
                continue
            sign = 1 if worth[first] > worth[first - 1] else -1
            beyond = range(-first, at.COUNT_SPAN - first)
            if worth != [worth[first] + sign * step * (pile // step) for pile in beyond]:
                return EXACT
            straight[start] = sign, [worth[first] + sign * pile for pile in beyond]
        start, (sign, points) = next(iter(straight.items()))
        w[start : start + at.COUNT_SPAN] = ints(points)
        t.write_residues(w)
        return Rounding(step, sign)

    # --- positions ---------------------------------------------------------------------------------------

    def past_of(self, state: danish.State) -> int:
        """What has happened so far, as far as it matters to points."""
        piles = pile_points(state)
        past = (len(state.kings_lost) - len(self.root.kings_lost)) << at.KINGS_SHIFT
        fate = state.pagat_fate
        past |= (fate is not None and not fate.home and self.root.pagat_fate is None) << at.PAGAT_SHIFT
        for place, seat in enumerate(self.order):
            past |= (state.won[seat] == 0) << place
            past |= piles[seat] << (at.COUNT_SHIFT + 7 * place)
        for one in state.announced:
            past = announced(past, self.order.index(one.seat), 1 + self.kinds.index(_kind_of(one)))
        return past

    def lay(self, state: danish.State, answered: bool = False) -> tuple[int, int]:
        """Put the hands of a position on the board; the leader, and the trick as the search takes it.

        With `answered` nobody demands the skus any more.
        """
        w = self.w
        w[at.OUT_SUITS], w[at.OUT_TRUMPS] = self.words(_on_table(state))
        for place, seat in enumerate(self.order):
            w[at.SUITS + place], w[at.TRUMPS + place] = self.words(state.hands[seat])
            w[at.OUT_SUITS] |= w[at.SUITS + place]
            w[at.OUT_TRUMPS] |= w[at.TRUMPS + place]
        played = [self.inner[play.card.index] for play in state.trick]
        spot = len(played)
        leader = self.order.index(state.trick[0].seat if state.trick else state.turn)
        if state.phase == "announce":
            spot = (self.order.index(state.asked[0]) - leader) % 3 - 3
        led = NO_SUIT if state.phase == "name" or not state.trick else state.led
        first, second = (*played, 0, 0)[:2]
        demanded = state.demanded or (state.phase == "demand" and bool(state.demands))
        demand = at.ANSWERED if answered else at.DEMANDED if demanded else at.NOT_ASKED
        return leader, int(trick_word(spot, led, first, second, demand))

    # --- threads -----------------------------------------------------------------------------------------

    def share(self, threads: int) -> int:
        """Make the boards of so many threads ready to search; how many nodes each may visit, then once more.

        Together they do not make the table larger while they search, so that is done here.
        """
        w, most = self.w, self.most_buckets
        w[at.STORED] = sum(int(board[at.STORED]) for board in self.boards)
        w[at.MOST_BUCKETS], w[at.MARKS_AT] = most, 0
        if threads == 1:
            return ENDLESS
        while w[at.BUCKETS] < min(most, ROOM * w[at.STORED]):
            double(w)
        marks = w[at.MARKS_AT] = w[at.ENTRIES_AT] - MARKS
        w[marks : marks + MARKS] = zeros(MARKS)
        w[at.MOST_BUCKETS] = w[at.BUCKETS]
        for thread, board in enumerate(self.boards[1:], 1):
            told = at.REAL if board[at.BUCKETS] else self.length  # the first time everything
            board[:told] = w[:told]
            board[at.STORED] = 0
            board[at.MARKS_AT] = shared_at(len(self.boards), self.length, thread)
            board[at.ENTRIES_AT] = board[at.MARKS_AT] + MARKS
        return ENDLESS if w[at.BUCKETS] == most else int(w[at.BUCKETS])


def _arranged(out: Cards) -> dict[int, int]:
    """The cards in play by their places on the board, of each suit the lowest first."""
    ordered = sorted(indices(out & ~SKUS), key=lambda index: strength(index, suit_of(index), True))
    inner = {SKUS_CARD: SKUS_CARD}
    for suit, some in groupby(sorted(ordered, key=suit_of), suit_of):
        inner |= {index: 14 * suit + rank for rank, index in enumerate(some)}
    return inner


def _on_table(state: danish.State, seat: Seat | None = None) -> Cards:
    """The cards of the trick, or what a seat has played to it."""
    return sum(play.card.bit for play in state.trick if seat in (None, play.seat))


def _kind_of(one: Announced) -> tuple[int, int]:
    """An announcement as numbers: nolo or tout, and before which trick."""
    return at.NOLO_KIND if one.kind == "nolo" else at.TOUT_KIND, one.before


def _buckets(left: int, memory: int) -> int:
    """How many buckets the transposition table may come to have: a power of two, fewer for few tricks."""
    buckets = SMALLEST
    while buckets < SMALLEST << 2 * max(0, left - 4) and 2 * buckets * at.BUCKET * 8 <= memory:
        buckets *= 2
    return buckets
