"""Laying out a Danish position for the search."""

from __future__ import annotations

from collections.abc import Mapping

import numpy as np
from msgspec import Struct

from ultimo import danish
from ultimo.cards import ALL_CARDS, COURTS, KINGS, PAGAT, SKUS, SUITS_WORD, T21, Cards, indices
from ultimo.danish import numbers as rule
from ultimo.danish.numbers import numbers
from ultimo.danish.state import pile_points
from ultimo.kernel.danish.search import layout as at
from ultimo.kernel.danish.search import tables as t
from ultimo.kernel.danish.search.moves import trick_word
from ultimo.kernel.jit import Ints
from ultimo.play.counting import honours
from ultimo.play.following import FIRST_TRUMP, NO_SUIT, SKUS_CARD, TRUMP_SUIT, strength
from ultimo.rulebook import DanishRules

MOST_LABELS = 4  # special cards that a suit may have
PRICES = (
    rule.KING_LOST,
    rule.KING_LOST_CUP,
    rule.PAGAT_LOST,
    rule.PAGAT_LOST_CUP,
    rule.PAGAT_HOME,
    rule.LAST_TRICK,
    rule.ULTIMO_KING,
    rule.ULTIMO_PAGAT,
    rule.ULTIMO_PAGAT_EXTRA,
    rule.BAGUD_EXTRA_CUP,
    rule.NOLO_PAY,
    rule.NOLO_PREMIUM,
    rule.TOUT_PAY,
)
SMALLEST = 1 << 10  # pairs of known positions


class Query(Struct, frozen=True):
    """One atom of a claim for the search: an event of a place, with any of some cards."""

    what: int
    place: int
    cards: Cards
    holds: bool


class Rounding(Struct, frozen=True):
    """What a value with every point counted says about the true one, in which counts are paid in steps.

    A count that pays its player (`sign` 1) is rounded down, one that he pays for (-1) up. Two `counters` can
    lose a step between them. Where all other payments are multiples of the step (`whole`), so is the value.
    """

    step: int
    sign: int
    counters: int
    whole: bool

    def least(self, bound: int) -> int:
        """The least true value, if with every point it is at least `bound`."""
        if self.sign < 0:
            return -(-bound // self.step) * self.step if self.whole else bound
        if self.whole:
            return (bound // self.step - self.counters + 1) * self.step
        return bound - (self.step - 1) * self.counters

    def most(self, bound: int) -> int:
        """The greatest true value, if with every point it is at most `bound`."""
        return -Rounding(self.step, -self.sign, self.counters, self.whole).least(-bound)

    def sufficient(self, target: int) -> int:
        """With so many points the true value reaches the target for sure."""
        low = target - self.step
        while self.least(low) < target:
            low += 1
        return low

    def necessary(self, target: int) -> int:
        """With fewer points the true value does not reach the target."""
        low = target - 2 * self.step * self.counters
        while self.most(low) < target:
            low += 1
        return low


class Board:
    """The board of one search. `weights` say what a gain of each place is worth (see the tables)."""

    def __init__(
        self,
        rules: DanishRules,
        root: danish.State,
        weights: tuple[int, int, int],
        sides: tuple[bool, bool, bool],
        queries: tuple[Query, ...] | None,
        memory: int,
    ) -> None:
        self.rules = rules
        self.root = root
        self.order = root.order
        self.n = numbers(rules)
        self.place = {seat: place for place, seat in enumerate(root.order)}
        self.kinds = self._kinds() if queries is None else []
        out = sum(root.hands[seat] for seat in root.order)
        out |= sum(play.card.bit for play in root.trick)
        self.inner: dict[int, int] = {}  # from the number of a card to its place in the order of strength
        self._arrange(out)
        ends = at.LAST_ENDS * (len(self.kinds) + 1) ** 3 if queries is None else 0
        left = max(root.hands[seat].bit_count() for seat in root.order)
        pairs = _pairs(left, memory)
        self.w: Ints = np.zeros(at.TABLES + ends + pairs * 2 * at.ENTRY, np.int64)
        w = self.w
        w[at.LAST_AT], w[at.ENTRIES_AT], w[at.BUCKETS] = at.TABLES, at.TABLES + ends, pairs
        w[at.TABLES : at.TABLES + ends] = at.UNKNOWN
        w[: rule.LENGTH] = self.n
        w[at.MODE] = at.POINTED if queries is None else at.CLAIMED
        w[at.WEIGHT : at.WEIGHT + 3] = weights
        for place in range(3):
            friends = sides[(place + 1) % 3] + sides[(place + 2) % 3]
            w[at.SIDE + place] = sides[place]
            w[at.ASK + place] = at.MAX_ASKS if friends == 2 else at.MIN_ASKS if friends == 0 else at.BOTH_ASK
        self._lay_cards(out, queries)
        if queries is None:
            self._lay_points()

    # --- cards -------------------------------------------------------------------------------------------

    def _arrange(self, out: Cards) -> None:
        """Give the cards in play their places, of each suit the lowest first."""
        for suit in range(5):
            some = [index for index in indices(out & ~SKUS) if min(index // 14, TRUMP_SUIT) == suit]
            some.sort(key=lambda index: strength(index, min(index // 14, TRUMP_SUIT), True))
            for rank, index in enumerate(some):
                self.inner[index] = 14 * suit + rank
        self.inner[SKUS_CARD] = SKUS_CARD

    def words(self, some: Cards) -> tuple[int, int]:
        """A set of cards as two words in the order of the board."""
        suits = trumps = 0
        for index in indices(some):
            inner = self.inner[index]
            if inner < FIRST_TRUMP:
                suits |= 1 << inner
            else:
                trumps |= 1 << (inner - FIRST_TRUMP)
        return suits, trumps

    def _lay_cards(self, out: Cards, queries: tuple[Query, ...] | None) -> None:
        w = self.w
        w[at.REAL : at.REAL + 78] = SKUS_CARD
        for index, inner in self.inner.items():
            bit = 1 << index
            w[at.REAL + inner] = index
            w[at.CLASS + inner] = 1 if bit & KINGS else 2 if bit & PAGAT else 0
            w[at.HONOUR + inner] = honours(bit & SUITS_WORD, bit >> FIRST_TRUMP)
        for card in range(56):
            w[at.LANE + card] = 0x3FFF << 14 * (card // 14)
        labels = self._labels(out, queries)
        special = sum(1 << index for index in labels)
        w[at.SPLIT_SUITS], w[at.SPLIT_TRUMPS] = self.words(special)
        trumps = [1 << self.inner[index] - FIRST_TRUMP for index in labels if index >= FIRST_TRUMP]
        if len(trumps) > 2:
            raise ValueError("a claim can name at most two trumps")
        w[at.PAGAT_MASK], w[at.TOP_MASK] = (*trumps, 0, 0)[:2]
        if queries is None:
            w[at.PAGAT_MASK] = self.words(out & PAGAT)[1]
            w[at.TOP_MASK] = w[at.SPLIT_TRUMPS] ^ w[at.PAGAT_MASK]
        w[at.KINGS_MASK] = self.words(out & KINGS)[0]
        for number, query in enumerate(queries or ()):
            spot = at.ATOM + at.ATOM_WORDS * number
            suits, trumps_word = self.words(query.cards & out)
            w[spot : spot + at.ATOM_WORDS] = query.what, query.place, suits, trumps_word, query.holds
            last = query.what in (at.ULTIMO, at.BAGUD, at.LAST_TRICK)
            if last and query.holds and (query.cards & out).bit_count() == 1:
                w[at.FATAL_SUITS] |= suits
                w[at.FATAL_TRUMPS] |= trumps_word
        w[at.ATOMS] = len(queries or ())
        self._lay_holdings(out, labels)

    def _labels(self, out: Cards, queries: tuple[Query, ...] | None) -> Mapping[int, int]:
        """The cards that are like no other, with a number for those that may be exchanged between suits."""
        if queries is None:
            special = KINGS | PAGAT
            if self.n[rule.COUNT_MODE] != rule.UNCOUNTED:
                special |= COURTS | T21
            return {index: index % 14 - 9 if index < FIRST_TRUMP else 1 for index in indices(out & special)}
        sets: dict[int, int] = {}
        for number, query in enumerate(queries):
            for index in indices(0 if query.cards == ALL_CARDS else query.cards):
                sets[index] = sets.get(index, 0) | 1 << number
        kinds = sorted(set(sets.values()))
        return {index: 1 + kinds.index(some) for index, some in sorted(sets.items())}

    def _lay_holdings(self, out: Cards, labels: Mapping[int, int]) -> None:
        """Number the holdings of the suits, so that equal ones have one number whatever their suit."""
        w, owner = self.w, {}
        for place, seat in enumerate(self.order):
            for index in indices(self.root.hands[seat]):
                owner[self.inner[index]] = place
        for play in self.root.trick:
            owner[self.inner[play.card.index]] = self.place[play.seat]
        marks = {self.inner[index]: label for index, label in labels.items()}
        found = []
        for suit in range(4):
            some = sorted(card for card in owner if card // 14 == suit)
            if sum(card in marks for card in some) > MOST_LABELS:
                raise ValueError("a claim can name at most four cards of a suit")
            codes = np.zeros(1 << len(some), np.int64)
            t.write_holdings(
                codes,
                len(some),
                np.array([owner[card] for card in some] or [0], np.int64),
                np.array([marks.get(card, 0) for card in some] or [0], np.int64),
            )
            found.append(codes)
        _, numbered = np.unique(np.concatenate(found), return_inverse=True)
        start = 0
        for suit, codes in enumerate(found):
            spot = at.CODES + 16384 * suit
            w[spot : spot + len(codes)] = numbered[start : start + len(codes)]
            start += len(codes)
        owners = np.array([owner.get(FIRST_TRUMP + rank, 0) for rank in range(22)], np.int64)
        t.write_trumps(w, owners)

    # --- points ------------------------------------------------------------------------------------------

    def _kinds(self) -> list[tuple[int, int]]:
        """What has been announced or still can be: nolo or tout, and before which trick."""
        found = [
            (at.NOLO_KIND if one.kind == "nolo" else at.TOUT_KIND, one.before) for one in self.root.announced
        ]
        for kind, prices in ((at.NOLO_KIND, rule.NOLO_WINS), (at.TOUT_KIND, rule.TOUT_WINS)):
            for trick in range(self.root.number, rule.TRICKS):
                if self.n[prices + trick] != rule.NEVER:
                    found.append((kind, trick))
        kinds = sorted(set(found))
        if len(kinds) > at.MOST_KINDS:
            raise ValueError(f"more than {at.MOST_KINDS} kinds of announcements")
        return kinds

    def _lay_points(self) -> None:
        w, root = self.w, self.root
        t.prepare_facts(w, root.table)
        w[at.KINDS] = len(self.kinds)
        for number, (kind, before) in enumerate(self.kinds):
            w[at.KIND + 2 * number + 2], w[at.KIND + 2 * number + 3] = kind, before
            if before > root.number:
                w[at.WINDOWS] |= 1 << before
        w[at.KING_POT], w[at.PAGAT_POT] = root.king, root.pagat
        piles = pile_points(root)
        out = sum(root.hands[seat] for seat in root.order) | sum(play.card.bit for play in root.trick)
        tricks = rule.TRICKS - root.number
        rest = tricks + honours(out & SUITS_WORD, out >> FIRST_TRUMP)
        w[at.TOTAL] = sum(piles[seat] for seat in root.order) + rest
        if w[at.TOTAL] >= at.COUNT_SPAN:
            raise ValueError("the piles count more than a pack has")
        t.write_tables(w)
        t.write_residues(w)

    def lay_bounds(self) -> None:
        """Write the tables of bounds, which only the search for a side uses."""
        t.write_bounds(self.w)

    def straighten(self) -> Rounding | None:
        """Count every point, where the counts of this side are paid in steps; None where they are not.

        What is then searched has fewer positions, as no remainders matter; `Rounding` says what it means.
        """
        w, span = self.w, at.COUNT_SPAN
        step, signs = int(w[at.STEP]), []
        if step == 1:
            return None
        for place in range(3):
            worth = w[at.RECKONED + span * place : at.RECKONED + span * place + span]
            jumps = np.flatnonzero(np.diff(worth))
            if not len(jumps):
                continue
            start = int(jumps[0]) + 1
            sign = 1 if worth[start] > worth[start - 1] else -1
            beyond = np.arange(span) - start
            if (worth != worth[start] + sign * step * (beyond // step)).any():
                return None
            worth[:] = worth[start] + sign * beyond
            signs.append(sign)
        if len(set(signs)) != 1:
            return None
        t.write_residues(w)
        prices = [self.n[price] for price in PRICES] + [self.root.king, self.root.pagat]
        prices += [price for price in self.n[rule.NOLO_WINS : rule.ANNOUNCING] if price != rule.NEVER]
        whole = not any(price % step for price in prices)
        return Rounding(step, signs[0], len(signs), whole)

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
            kind = (at.NOLO_KIND if one.kind == "nolo" else at.TOUT_KIND, one.before)
            past |= (1 + self.kinds.index(kind)) << (at.KIND_SHIFT + 4 * self.place[one.seat])
        return past

    def lay(self, state: danish.State, answered: bool = False) -> tuple[int, int]:
        """Put the hands of a position on the board; the leader, and the trick as the search takes it.

        With `answered` nobody demands the skus any more.
        """
        w = self.w
        w[at.OUT_SUITS] = w[at.OUT_TRUMPS] = 0
        for place, seat in enumerate(self.order):
            suits, trumps = self.words(state.hands[seat])
            w[at.SUITS + place], w[at.TRUMPS + place] = suits, trumps
            w[at.OUT_SUITS] |= suits
            w[at.OUT_TRUMPS] |= trumps
        suits, trumps = self.words(sum(play.card.bit for play in state.trick))
        w[at.OUT_SUITS] |= suits
        w[at.OUT_TRUMPS] |= trumps
        played = [self.inner[play.card.index] for play in state.trick]
        spot = len(played)
        leader = self.place[state.trick[0].seat if state.trick else state.turn]
        if state.phase == "announce":
            spot = (self.place[state.asked[0]] - leader) % 3 - 3
        led = NO_SUIT if state.phase == "name" or not state.trick else state.led
        first, second = (*played, 0, 0)[:2]
        demanded = state.demanded or (state.phase == "demand" and bool(state.demands))
        demand = at.ANSWERED if answered else at.DEMANDED if demanded else at.NOT_ASKED
        return leader, int(trick_word(spot, led, first, second, demand))


def _pairs(left: int, memory: int) -> int:
    """How many pairs of known positions the table holds: a power of two, fewer where few are needed."""
    pairs = SMALLEST
    while pairs < SMALLEST << 2 * max(0, left - 4) and 4 * pairs * at.ENTRY * 8 <= memory:
        pairs *= 2
    return pairs
