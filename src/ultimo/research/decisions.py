"""Every decision of numbered deals, played by compiled players: what was seen, allowed and done, as arrays.

The deals are those of `ultimo simulate`. Sets of cards are packed, a bit a card: ten bytes a set, the card
with number `i` in bit `i % 8` of byte `i // 8`. What may be done is packed in the same way.

>>> from ultimo.rulebook import load
>>> played = play(load("hermansen"), table=3, seed=7, first=0, deals=2, length=20, policies=[4])
>>> played.notes.shape[1] == len(NOTES), played.planes.shape[1], played.masks.shape[1]
(True, 140, 12)
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import Final, NamedTuple, TypeVar

import numpy as np
import numpy.typing as npt

from ultimo.kernel.danish import deal as danish_deal
from ultimo.kernel.danish import layout as danish_at
from ultimo.kernel.danish import run as danish_run
from ultimo.kernel.danish.policy.choose import choose as choose_danish
from ultimo.kernel.danish.policy.student import network_for as danish_network
from ultimo.kernel.dice import SHUFFLE, draw, mixed, next_word, starts
from ultimo.kernel.french import deal as french_deal
from ultimo.kernel.french import layout as french_at
from ultimo.kernel.french import run as french_run
from ultimo.kernel.french.policy.choose import choose as choose_french
from ultimo.kernel.french.policy.student import network_for as french_network
from ultimo.kernel.jit import Ints, Words, inlined, tight
from ultimo.play.following import FIRST_TRUMP, PACK_SIZE
from ultimo.research.danish import Floats
from ultimo.research.danish import observe as observe_danish
from ultimo.research.french import observe as observe_french
from ultimo.research.history import MOST_WORDS, danish_words, french_words, vocabulary
from ultimo.research.layout import CARDS
from ultimo.research.observing import layout_of
from ultimo.rulebook import DanishRules, FrenchRules, Rules

S = TypeVar("S", bound=np.generic)
Small = npt.NDArray[np.int32]
Bytes = npt.NDArray[np.uint8]

SET: Final = (CARDS + 7) // 8  # bytes of a set of cards
NOTES: Final = ("deal", "decision", "seat", "place", "action", "return", "heard")
DEAL, DECISION, SEAT, PLACE, ACTION, RETURN, HEARD = range(len(NOTES))
ROWS_A_DEAL, WORDS_A_DEAL = 112, 100  # to begin with; arrays that are full are made longer

# Where the loop stands, so that it can stop and go on: the row of the deal, whether it has begun, how many
# decisions and words it has had, where its decisions begin, and how many decisions and words there are.
ROW, BEGUN, DECIDED, SAID, FIRST, KEPT, WORDS = range(7)


class Played(NamedTuple):
    """What deals came to: decisions, a row each, and deals, a row each."""

    deals: Ints  # the rows of `ultimo simulate`
    notes: Small  # of each decision: `NOTES`
    planes: Bytes  # the sets of cards of its observation
    numbers: Small  # the other numbers of its observation
    masks: Bytes  # what could be done
    words: Small  # what everybody has heard or seen, deal after deal: place times vocabulary, plus the word
    ends: Ints  # where the words of each deal end


class Paper(NamedTuple):
    """What a loop works on."""

    n: Ints
    states: Ints  # one deal
    before: Ints  # the same before an action
    w: Ints
    policies: Ints
    by_place: Ints
    words: Words
    dice: Words
    picks: Words  # decides which decisions are kept
    viewer: Ints
    seen: Floats
    said: Ints


def play(
    rules: Rules,
    *,
    table: int,
    seed: int,
    first: int,
    deals: int,
    length: int,
    policies: Sequence[int],
    sample: int = 1,
) -> Played:
    """Play deals number `first` … of a seed; the first of them begins a session. One in `sample` is kept."""
    layout, danish = layout_of(rules), isinstance(rules, DanishRules)
    at = danish_at if danish else french_at
    if isinstance(rules, DanishRules):
        n = danish_deal.array_of(rules, danish_network(policies))
    else:
        n = french_deal.array_of(rules, french_network(policies))
    paper = Paper(
        n=n,
        states=np.zeros((1, danish_at.LENGTH if danish else french_at.WHOLE), np.int64),
        before=np.zeros(danish_at.LENGTH if danish else french_at.WHOLE, np.int64),
        w=np.zeros(danish_at.PAPER if danish else SHUFFLE, np.int64),
        policies=french_run.by_seat(policies),
        by_place=np.zeros(3, np.int64),
        words=starts(seed, first),
        dice=np.zeros(1, np.uint64),
        picks=np.zeros(1, np.uint64),
        viewer=np.zeros(1, np.int64),
        seen=np.zeros((1, layout.size), np.float32),
        said=np.zeros((MOST_WORDS, 2), np.int64),
    )
    rows = ROWS_A_DEAL * deals // sample + 1
    made = Played(
        deals=_blank_rows(rules, table, first, deals, length),
        notes=np.empty((rows, len(NOTES)), np.int32),
        planes=np.empty((rows, SET * layout.planes), np.uint8),
        numbers=np.empty((rows, layout.size - CARDS * layout.planes), np.int32),
        masks=np.empty((rows, (at.ACTIONS + 7) // 8), np.uint8),
        words=np.empty(WORDS_A_DEAL * deals + MOST_WORDS, np.int32),
        ends=np.zeros(deals, np.int64),
    )
    where = np.zeros(WORDS + 1, np.int64)
    fill = _fill_danish if danish else _fill_french
    while fill(paper, table, sample, vocabulary(rules), where, made) < deals:
        made = _longer(made, where)
    kept = slice(where[KEPT])
    return made._replace(
        notes=made.notes[kept],
        planes=made.planes[kept],
        numbers=made.numbers[kept],
        masks=made.masks[kept],
        words=made.words[: where[WORDS]],
    )


def _blank_rows(rules: Rules, table: int, first: int, deals: int, length: int) -> Ints:
    if isinstance(rules, FrenchRules):
        rows = np.zeros((deals, len(french_run.COLUMNS)), np.int64)
        rows[:, french_run.DEAL] = np.arange(first, first + deals)
        return rows
    return danish_run.blank_rows(rules, table, first // length, -(-deals // length), length)[:deals]


def _longer(made: Played, where: Ints) -> Played:
    """The same with more room for what is full."""
    if where[KEPT] == len(made.notes):
        rows = len(made.notes) * 5 // 4 + 1
        made = made._replace(
            notes=_stretched(made.notes, rows),
            planes=_stretched(made.planes, rows),
            numbers=_stretched(made.numbers, rows),
            masks=_stretched(made.masks, rows),
        )
    if where[WORDS] + MOST_WORDS > len(made.words):
        made = made._replace(words=_stretched(made.words, len(made.words) * 5 // 4 + MOST_WORDS))
    return made


def _stretched(one: npt.NDArray[S], rows: int) -> npt.NDArray[S]:
    longer = np.empty((rows, *one.shape[1:]), one.dtype)
    longer[: len(one)] = one
    return longer


# --- the loops -----------------------------------------------------------------------------------------


@tight
def _fill_danish(p: Paper, table: int, sample: int, vocabulary: int, where: Ints, made: Played) -> int:
    """Play on until all deals are over or no more fits; how many deals are over."""
    n, s, w, before = p.n, p.states[0], p.w, p.before
    while where[ROW] < len(made.deals):
        row = where[ROW]
        if not where[BEGUN]:
            danish_run.open_row(n, s, w, table, p.policies, p.by_place, p.words, p.dice, made.deals, row)
            _begin(p, where)
        while s[danish_at.PHASE] != danish_at.CLOSED:
            if s[danish_at.PHASE] == danish_at.DEALING:
                danish_deal.deal(n, s, w, p.dice)
                continue
            if not _has_room(where, made):
                return int(row)
            place = s[danish_at.TURN]
            kept = draw(p.picks, sample) == 0
            if kept:
                p.viewer[0] = place
                observe_danish(p.states, p.viewer, p.seen)
                _keep(danish_deal.legal(n, s, w), p.seen[0], where, made)
            action = choose_danish(p.by_place[place], n, s, w, p.dice)
            if kept:
                seat = made.deals[row, danish_run.PLACES + place]
                _note(made.deals[row, danish_run.DEAL], seat, place, action, where, made)
            for spot in range(len(s)):
                before[spot] = s[spot]
            danish_run.do(n, s, w, action)
            for word in range(danish_words(before, s, action, p.said)):
                made.words[where[WORDS]] = p.said[word, 0] * vocabulary + p.said[word, 1]
                _count_word(where)
            where[DECIDED] += 1
        danish_run.write_row(s, made.deals, row)
        for one in range(where[FIRST], where[KEPT]):
            made.notes[one, RETURN] = s[danish_at.NET + made.notes[one, PLACE]]
        _end(where, made)
    return int(where[ROW])


@tight
def _fill_french(p: Paper, table: int, sample: int, vocabulary: int, where: Ints, made: Played) -> int:
    """Play on until all deals are over or no more fits; how many deals are over."""
    n, s, before = p.n, p.states[0], p.before
    while where[ROW] < len(made.deals):
        row = where[ROW]
        number = made.deals[row, french_run.DEAL]
        if not where[BEGUN]:
            p.dice[0] = next_word(p.words)
            french_deal.deal(n, s, number % table, p.w, p.dice)
            _begin(p, where)
        forehand = s[french_at.DEALER] + 1
        while s[french_at.PHASE] != french_at.CLOSED:
            if not _has_room(where, made):
                return int(row)
            seat = s[french_at.TURN]
            kept = draw(p.picks, sample) == 0
            if kept:
                p.viewer[0] = seat
                observe_french(n, p.states, p.viewer, p.seen)
                _keep(french_deal.legal(n, s), p.seen[0], where, made)
            action = choose_french(p.policies[seat], n, s, p.dice)
            if kept:
                _note(number, seat, (seat - forehand) % table, action, where, made)
            for spot in range(len(s)):
                before[spot] = s[spot]
            french_run.do(n, s, action)
            for word in range(french_words(before, s, action, p.said)):
                place = (p.said[word, 0] - forehand) % table
                made.words[where[WORDS]] = place * vocabulary + p.said[word, 1]
                _count_word(where)
            where[DECIDED] += 1
        french_run.write_row(n, s, made.deals, row)
        for one in range(where[FIRST], where[KEPT]):
            made.notes[one, RETURN] = s[french_at.NET + made.notes[one, SEAT]]
        _end(where, made)
    return int(where[ROW])


@inlined
def _begin(p: Paper, where: Ints) -> None:
    """A deal begins; which of its decisions are kept has nothing to do with its cards."""
    p.picks[0] = mixed(mixed(p.dice[0]))
    where[BEGUN] = 1
    where[DECIDED] = 0
    where[SAID] = 0
    where[FIRST] = where[KEPT]


@inlined
def _end(where: Ints, made: Played) -> None:
    made.ends[where[ROW]] = where[WORDS]
    where[ROW] += 1
    where[BEGUN] = 0


@inlined
def _has_room(where: Ints, made: Played) -> bool:
    return bool(where[KEPT] < len(made.notes) and where[WORDS] + MOST_WORDS <= len(made.words))


@inlined
def _count_word(where: Ints) -> None:
    where[WORDS] += 1
    where[SAID] += 1


@inlined
def _keep(legal: tuple[int, int, int], seen: Floats, where: Ints, made: Played) -> None:
    """Pack what is seen and what may be done."""
    row = where[KEPT]
    suits, trumps, words = legal
    mask, planes, numbers = made.masks[row], made.planes[row], made.numbers[row]
    rest = trumps | words << (PACK_SIZE - FIRST_TRUMP)
    for byte in range(len(mask)):
        mask[byte] = (suits >> 8 * byte if byte < FIRST_TRUMP // 8 else rest >> 8 * byte - FIRST_TRUMP) & 255
    sets = len(planes) // SET
    for one in range(sets):
        for byte in range(SET):
            packed = 0
            for card in range(8 * byte, min(8 * byte + 8, CARDS)):
                packed |= int(seen[CARDS * one + card] != 0) << card % 8
            planes[SET * one + byte] = packed
    for one in range(len(numbers)):
        numbers[one] = int(seen[CARDS * sets + one])


@inlined
def _note(deal: int, seat: int, place: int, action: int, where: Ints, made: Played) -> None:
    """Note who does what where; what it comes to is not known yet."""
    note = made.notes[where[KEPT]]
    note[DEAL] = deal
    note[DECISION] = where[DECIDED]
    note[SEAT] = seat
    note[PLACE] = place
    note[ACTION] = action
    note[HEARD] = where[SAID]
    where[KEPT] += 1
