"""The student: a network in whole numbers, what it is told, the file it comes from, and what it gains."""

from __future__ import annotations

import json
from hashlib import sha256
from pathlib import Path
from random import Random
from typing import Any

import numpy as np
import pytest

from ultimo import rulebook
from ultimo.kernel import network
from ultimo.kernel.danish import deal as danish_deal
from ultimo.kernel.danish import layout as danish_at
from ultimo.kernel.danish.policy import student as danish_student
from ultimo.kernel.danish.policy.choose import choose_by_experience, choose_by_sight
from ultimo.kernel.danish.policy.odds import by_height, of_suit
from ultimo.kernel.danish.run import do as do_danish
from ultimo.kernel.danish.run import sessions as danish_sessions
from ultimo.kernel.dice import generator, starts
from ultimo.kernel.french.policy import student as french_student
from ultimo.kernel.french.run import sessions as french_sessions
from ultimo.kernel.jit import Ints
from ultimo.kernel.policy import CLUB, STUDENT
from ultimo.learning import danish as danish_learning
from ultimo.learning import french as french_learning
from ultimo.rulebook import DanishRules, FrenchRules

STUDENTS: dict[str, Any] = {"danish": danish_student, "french": french_student}
LEARNING: dict[str, Any] = {"danish": danish_learning, "french": french_learning}
SIZES = [20, 16, 8, 5]
LARGEST = 600_000  # bytes


def folder(family: str) -> Path:
    return Path(STUDENTS[family].__file__).parent


def some_layers(rng: Random) -> list[list[int]]:
    inputs, first, second, outputs = SIZES
    return [
        [
            *(rng.randint(-900, 900) for _ in range(first)),
            *(rng.randint(-127, 127) for _ in range(inputs * first)),
        ],
        [
            *(rng.randint(-9000, 9000) for _ in range(second)),
            *(rng.randint(-8191, 8191) for _ in range(first * second)),
        ],
        [
            *(rng.randint(-9000, 9000) for _ in range(outputs)),
            *(rng.randint(-8191, 8191) for _ in range(second * outputs)),
        ],
    ]


HEAD = {"family": "danish", "sizes": SIZES, "shifts": [2, 9], "margins": [3, 4], "unit": 2}

# --- the network ---------------------------------------------------------------------------------------


@pytest.mark.parametrize("seed", range(20))
def test_numbers_that_share_a_word_are_summed_up_alone(tmp_path: Path, seed: int) -> None:
    rng = Random(seed)
    layers = some_layers(rng)
    path = tmp_path / "some.net"
    path.write_bytes(network.written(HEAD, layers))
    net = network.read(path, "danish", SIZES[0], SIZES[-1]).copy()
    for _ in range(rng.randint(1, 4)):  # what was on before, for this player and for others
        on = rng.sample(range(SIZES[0]), rng.randint(0, SIZES[0]))
        network.put_none(net)
        for one in on:
            network.put_one(net, one)
        player = rng.randrange(network.PLAYERS)
        network.think(net, player)
    levels = [int(one in on) for one in range(SIZES[0])]
    for numbers, size, shift in zip(layers, SIZES[1:], [2, 9, None], strict=True):
        sums = numbers[:size]
        for row, level in enumerate(levels):
            weights = numbers[size * (1 + row) : size * (2 + row)]
            sums = [one + level * weight for one, weight in zip(sums, weights, strict=True)]
        levels = sums if shift is None else [min(max(one, 0) >> shift, network.MOST) for one in sums]
    assert [network.value_of(net, output) for output in range(SIZES[-1])] == levels


def test_the_order_of_the_suits_is_by_their_numbers() -> None:
    rng = Random(1)
    for _ in range(200):
        given = [rng.randint(0, 5) for _ in range(4)]
        order = network.order_of(*given)
        places = [network.suit_input(order, suit) for suit in range(5)]
        assert sorted(places) == [0, 1, 2, 3, 4]
        assert places[4] == 4
        assert [given[places.index(place)] for place in range(4)] == sorted(given, reverse=True)


# --- its file ------------------------------------------------------------------------------------------


@pytest.mark.parametrize("family", STUDENTS)
def test_the_manifest_is_that_of_the_file(family: str) -> None:
    file = (folder(family) / "student.net").read_bytes()
    told = json.loads((folder(family) / "student.json").read_text(encoding="utf-8"))
    assert told["sha256"] == sha256(file).hexdigest()
    assert told["plan"]["family"] == family
    assert len(file) <= LARGEST


@pytest.mark.parametrize("harm", ["cut", "changed", "another", "empty", "absent"])
def test_a_damaged_file_is_refused_in_plain_words(tmp_path: Path, harm: str) -> None:
    whole = network.written(HEAD, some_layers(Random(1)))
    path = tmp_path / "some.net"
    harmed = {
        "cut": whole[:-1],
        "changed": whole[:-5] + bytes([whole[-5] ^ 1]) + whole[-4:],
        "another": b"%PDF-1.7\n" + whole,
        "empty": b"",
    }
    if harm in harmed:
        path.write_bytes(harmed[harm])
    with pytest.raises(ValueError, match=r"the network some\.net (is damaged|cannot be read)"):
        network.read(path, "danish", SIZES[0], SIZES[-1])


def test_a_network_for_other_inputs_is_refused(tmp_path: Path) -> None:
    path = tmp_path / "some.net"
    path.write_bytes(network.written(HEAD, some_layers(Random(1))))
    for family, inputs in (("french", SIZES[0]), ("danish", SIZES[0] + 1)):
        with pytest.raises(ValueError, match="trained for other inputs"):
            network.read(path, family, inputs, SIZES[-1])


@pytest.mark.parametrize("sizes", [[1536, 4, 4, 1], [4, 260, 4, 1], [4, 4, 260, 1]])
def test_a_network_too_large_for_its_paper_is_refused(sizes: list[int]) -> None:
    with pytest.raises(ValueError, match="does not fit on its paper"):
        network.packed({**HEAD, "sizes": sizes}, [])


def test_a_student_without_a_network_is_an_error() -> None:
    rules = rulebook.load("dtf")
    assert isinstance(rules, DanishRules)
    positions = list(danish_positions("dtf", 1))
    n = danish_deal.array_of(rules)
    with pytest.raises(ValueError, match="needs a network"):
        choose_by_experience(n, positions[0], np.zeros(danish_at.PAPER, np.int64))


# --- what it is told -----------------------------------------------------------------------------------


def danish_positions(book: str, deals: int) -> list[Ints]:
    """Every choice between cards in some deals of club players."""
    rules = rulebook.load(book)
    assert isinstance(rules, DanishRules)
    at, n, found = danish_at, danish_deal.array_of(rules), []
    for number in range(deals):
        s, w, dice = np.zeros(at.LENGTH, np.int64), np.zeros(at.PAPER, np.int64), generator(5, number)
        danish_deal.begin(n, s, w, 3, 60, 85)
        while s[at.PHASE] != at.CLOSED:
            if s[at.PHASE] == at.DEALING:
                danish_deal.deal(n, s, w, dice)
                continue
            if (
                s[at.PHASE] == at.PLAY
                and sum(int(word).bit_count() for word in danish_deal.legal(n, s, w)) > 1
            ):
                found.append(s.copy())
            do_danish(n, s, w, choose_by_sight(CLUB, n, s, w))
    return found


SETS = ("SUITS", "DEALT_SUITS", "OUT_SUITS", "HELD_SUITS", "LACKED_SUITS")


def exchanged(s: Ints, one: int, other: int) -> Ints:
    """The same position with two suits in each other's place, card by card as they stand."""
    at, new = danish_at, s.copy()
    place = {one: other, other: one}

    def turned(word: int) -> int:
        found = 0
        for suit in range(4):
            to = place.get(suit, suit)
            found |= int(by_height(of_suit(word, suit), to)) << (14 * to)
        return found

    spots = [getattr(at, name) + seat for name in SETS for seat in range(3)]
    for spot in (*spots, at.SKAT_SUITS, at.TRICK_SUITS):
        new[spot] = turned(int(s[spot]))
    for turn in range(s[at.PLAYED]):
        card = int(s[at.LAST_CARDS + turn])
        new[at.LAST_CARDS + turn] = turned(1 << card).bit_length() - 1 if card < 56 else card
    new[at.LED] = place.get(int(s[at.LED]), s[at.LED])
    for seat in range(3):
        for base, width in ((at.LEADS, 5), (at.FOLLOWED, 4), (at.SIGNAL, 4)):
            new[base + width * seat + one] = s[base + width * seat + other]
            new[base + width * seat + other] = s[base + width * seat + one]
        void = int(s[at.VOID + seat])
        kept = void & ~(1 << one | 1 << other)
        new[at.VOID + seat] = kept | (void >> one & 1) << other | (void >> other & 1) << one
    return new


def noted(n: Ints, s: Ints, club: int) -> list[int]:
    w = np.zeros(danish_at.PAPER, np.int64)
    danish_student.note_inputs(n, s, w, club)
    return on_in(n)


def on_in(n: Ints) -> list[int]:
    """Which inputs are on."""
    start = danish_deal.NETWORK + network.ON
    words = n[start : start + network.ON_WORDS].tolist()
    return [
        network.ON_BITS * place + bit
        for place, word in enumerate(words)
        for bit in range(network.ON_BITS)
        if word >> bit & 1
    ]


def test_suits_that_change_places_change_no_input() -> None:
    rules = rulebook.load("hermansen")
    assert isinstance(rules, DanishRules)
    n, at, compared = danish_deal.array_of(rules, np.zeros(network.WEIGHTS, np.int64)), danish_at, 0
    skus = 77
    for s in danish_positions("hermansen", 6):
        hand = int(s[at.SUITS + s[at.TURN]])
        held = [int(of_suit(hand, suit)) for suit in range(4)]
        if len(set(held)) < 4:  # then what has been played decides, or nothing does
            continue
        for one, other in ((0, 1), (1, 3), (2, 1)):
            assert noted(n, s, skus) == noted(n, exchanged(s, one, other), skus)
            compared += 1
    assert compared > 300


def test_inputs_are_the_same_compiled_and_plain() -> None:
    rules = rulebook.load("basta")
    assert isinstance(rules, DanishRules)
    n = danish_deal.array_of(rules, np.zeros(network.WEIGHTS, np.int64))
    w = np.zeros(danish_at.PAPER, np.int64)
    plain = getattr(danish_student.note_inputs, "py_func", danish_student.note_inputs)
    for s in danish_positions("basta", 3)[::5]:
        club = choose_by_sight(CLUB, n, s, w)
        order = danish_student.note_inputs(n, s, w, club)
        fast = on_in(n)
        assert plain(n, s, w, club) == order
        assert on_in(n) == fast
        assert max(fast) < danish_student.INPUTS


# --- what it does --------------------------------------------------------------------------------------

# SHA-256, its first 16 digits, over the rows of deals among students and a club player, little-endian.
PINNED = {
    "hermansen": "a19f504225870581",
    "basta": "68f16dcfb505cff7",
    "french3": "cdb661d7d8638d8e",
    "french4": "e12032f4511846d0",
    "french5": "a56296635139ad47",
}


@pytest.mark.parametrize("book", PINNED)
def test_it_decides_the_same_everywhere(book: str) -> None:
    rules, policies = rulebook.load(book), (STUDENT, CLUB, STUDENT)
    if isinstance(rules, DanishRules):
        rows = danish_sessions(rules, table=3, seed=3, first=0, number=4, length=5, policies=policies)
    else:
        assert isinstance(rules, FrenchRules)
        rows = french_sessions(rules, seed=3, first=0, number=20, policies=policies)
    assert sha256(rows.astype("<i8").tobytes()).hexdigest()[:16] == PINNED[book]


@pytest.mark.parametrize(("book", "deals"), [("hermansen", 300), ("dtf", 300), ("french4", 2000)])
def test_it_gains_among_club_players(book: str, deals: int) -> None:
    """The same deals with the student at every place in turn; the interval is one of 95 %."""
    rules = rulebook.load(book)
    by = LEARNING["danish" if isinstance(rules, DanishRules) else "french"]
    net = STUDENTS["danish" if isinstance(rules, DanishRules) else "french"].network_for((STUDENT,))
    n = by.array_of(rules, net)
    gains, seen = np.zeros((deals, by.seats(n)), np.int64), np.zeros(2, np.int64)
    s, _, w, _ = by.blank()
    by.duel(np.stack((n, n)), 1, 0, s, w, starts(41, 0), np.zeros(1, np.uint64), gains, seen)
    mean = gains.mean(axis=1) / by.seats(n)
    assert mean.mean() > 1.96 * mean.std() / deals**0.5
    assert 0 < seen[1] < seen[0]
