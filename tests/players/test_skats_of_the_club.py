"""The club player's skat: legal everywhere, the best by its own score, and mostly Hermansen's (F1, F8)."""

from __future__ import annotations

import json
import os
import subprocess
import sys
from itertools import product
from pathlib import Path
from random import Random
from typing import Any

import numpy as np
import pytest

from skats import TIGHT, TWO_TAROK
from table import DANISH, danish_rules
from ultimo.cards import PACK, SUITS_WORD, Cards, cards, mask
from ultimo.danish.skat import legal_skats
from ultimo.kernel.danish import layout as at
from ultimo.kernel.danish.deal import act, array_of, begin, legal, take_up
from ultimo.kernel.danish.policy.reasons import PRINCIPLES_OF_SKAT
from ultimo.kernel.danish.policy.skat_search import candidates, choose_skat, skat_of
from ultimo.kernel.danish.policy.skat_value import FIGHT, NOLO, QUIET, all_entries, entries, factors, score
from ultimo.kernel.jit import Ints
from ultimo.play.following import FIRST_TRUMP, SUIT_BITS

LONG = bool(os.environ.get("ULTIMO_LONG"))
HANDS_TRIED = 2000 if LONG else 30

EXAMPLES: list[dict[str, Any]] = json.loads(
    (Path(__file__).parent.parent / "data" / "skat-examples.json").read_text(encoding="utf-8")
)["hands"]
DECIDABLE = [example for example in EXAMPLES if example["confidence"] != "ambiguous"]


def random_hands(seed: str, number: int) -> list[Cards]:
    """Hands of 28 cards; every fifth has few tarokker, so that they may be laid."""
    rng, hands = Random(seed), []
    for turn in range(number):
        pack = list(PACK)
        if turn % 5 == 0:
            pack = pack[:FIRST_TRUMP] + rng.sample(pack[FIRST_TRUMP:], rng.randrange(1, 4))
        hands.append(mask(rng.sample(pack, 28)))
    return hands


def notation(some: Cards) -> str:
    return " ".join(card.value for card in cards(some))


def about_to_lay(book: str, hand: Cards) -> tuple[Ints, Ints, Ints]:
    """A rulebook, a deal whose dealer holds these cards, and paper."""
    n = array_of(danish_rules(book))
    s, w = np.zeros(at.LENGTH, np.int64), np.zeros(at.PAPER, np.int64)
    begin(n, s, w, 3, 60, 60)
    rest = [card for card in PACK if not card.bit & hand]
    for place, held in enumerate((mask(rest[::2]), mask(rest[1::2]), hand)):
        s[at.SUITS + place], s[at.TRUMPS + place] = held & SUITS_WORD, held >> FIRST_TRUMP
    take_up(n, s)
    while s[at.PHASE] == at.HANDS:
        act(n, s, w, at.ACCEPT)
    assert s[at.PHASE] == at.LAYING
    return n, s, w


def laid_one_by_one(book: str, hand: Cards, first: int | None = None) -> Cards:
    """What the player lays, card by card, each of them legal; `first` has been laid for him."""
    n, s, w = about_to_lay(book, hand)
    laid = 0
    for turn in range(3):
        suits, trumps, _ = legal(n, s, w)
        card = first if first is not None and turn == 0 else int(choose_skat(n, s, w)[0])
        assert card < at.FIRST_WORD
        assert (int(suits) | int(trumps) << FIRST_TRUMP) >> card & 1
        laid |= 1 << card
        act(n, s, w, card)
    assert s[at.PHASE] != at.LAYING
    return laid


# --- Hermansen's hands -----------------------------------------------------------------------------------


def test_most_of_hermansens_hands_are_laid_as_he_lays_them() -> None:
    rules = danish_rules("hermansen")
    same = [
        example["id"]
        for example in DECIDABLE
        if skat_of(rules, mask(" ".join(example["hand"])))[0]
        in [mask(" ".join(skat)) for skat in example["laid_alternatives"]]
    ]
    assert len(DECIDABLE) == 21
    assert len(same) >= 14, same


@pytest.mark.parametrize(
    ("name", "why"),
    [
        ("skat-02-1", "F1.9"),  # two tarokker, both laid
        ("skat-04-1", "F1.6"),  # three of nine diamonds
        ("skat-05-3", "F1.14"),  # the queen above knight and jack
        ("skat-07-3", "F1.4"),  # to the normal hand
        ("skat-08-3", "F1.15"),  # the highest diamonds
        ("skat-09-3", "F1.13"),  # four of every suit
    ],
)
def test_the_reason_is_the_books(name: str, why: str) -> None:
    (hand,) = [mask(" ".join(example["hand"])) for example in EXAMPLES if example["id"] == name]
    assert skat_of(danish_rules("hermansen"), hand)[1] == why


# --- every hand ------------------------------------------------------------------------------------------


@pytest.mark.parametrize("book", DANISH)
def test_a_skat_is_legal_and_the_best_by_its_score(book: str) -> None:
    rules = danish_rules(book)
    for hand in [*random_hands(book, HANDS_TRIED), mask(TWO_TAROK), mask(TIGHT)]:
        skat, why = skat_of(rules, hand)
        ways = legal_skats(rules, hand)
        assert any(skat in way for way in ways), notation(skat)
        found = candidates(rules, hand, 100_000)
        assert {one[0] for one in found} == {one for way in ways for one in way}
        assert [one[1] for one in found] == sorted((one[1] for one in found), reverse=True)
        assert (skat, found[0][1], why) in found, (notation(hand), notation(skat))
        assert candidates(rules, hand, 3) == found[:3]


@pytest.mark.parametrize("book", DANISH)
def test_card_by_card_the_same_skat_is_laid(book: str) -> None:
    rules = danish_rules(book)
    for hand in random_hands(f"{book} card by card", HANDS_TRIED):
        assert laid_one_by_one(book, hand) == skat_of(rules, hand)[0]


@pytest.mark.parametrize("book", DANISH)
def test_a_skat_that_was_begun_otherwise_is_finished_legally(book: str) -> None:
    rules, rng = danish_rules(book), Random(book)
    for hand in random_hands(f"{book} begun", HANDS_TRIED):
        skat = rng.choice(legal_skats(rules, hand)).draw(rng)
        first = rng.choice(cards(skat)).index
        laid = laid_one_by_one(book, hand, first)
        assert laid >> first & 1
        assert any(laid in way for way in legal_skats(rules, hand))


def test_it_is_the_same_compiled_and_as_python() -> None:
    program = (
        "from players.test_skats_of_the_club import *\n"
        "for book in DANISH:\n"
        "    for hand in random_hands('twice', 8):\n"
        "        print(*skat_of(danish_rules(book), hand))\n"
    )
    here = Path(__file__).parents[1]
    path = os.pathsep.join([str(here), str(here.parent / "src")])
    plain = subprocess.run(
        [sys.executable, "-c", program],
        env={**os.environ, "NUMBA_DISABLE_JIT": "1", "PYTHONPATH": path},
        capture_output=True,
        text=True,
        check=True,
    )
    skats = [skat_of(danish_rules(book), hand) for book in DANISH for hand in random_hands("twice", 8)]
    assert plain.stdout.split() == [str(word) for skat in skats for word in skat]


# --- what it is made of ----------------------------------------------------------------------------------


def mirrored(some: Cards) -> Cards:
    """Spades and hearts for each other, clubs and diamonds too, each card with that of the same height."""
    found = some >> FIRST_TRUMP << FIRST_TRUMP
    for card in cards(some & SUITS_WORD):
        rank = card.index % 14
        found |= 1 << (14 * (card.suit ^ 1) + (9 - rank if rank < 10 else rank))
    return found


def test_red_and_black_suits_are_alike_but_for_the_order_of_their_pips() -> None:
    rules = danish_rules("basta")
    n = array_of(rules)
    for hand in random_hands("mirror", HANDS_TRIED):
        suits, trumps = hand & SUITS_WORD, hand >> FIRST_TRUMP
        other = mirrored(hand) & SUITS_WORD
        assert factors(n, suits, trumps) == factors(n, other, trumps)
        for (skat, _, _), aim in product(candidates(rules, hand, 5), (NOLO, QUIET, FIGHT)):
            assert score(n, suits, trumps, skat & SUITS_WORD, skat >> FIRST_TRUMP, aim) == score(
                n, other, trumps, mirrored(skat) & SUITS_WORD, skat >> FIRST_TRUMP, aim
            )


@pytest.mark.parametrize(
    ("kept", "laid", "quarters"),
    [
        ("SK", "", 4),
        ("SK SQ SJ S6", "", 10),
        ("SQ S2", "", 2),
        ("SQ", "", 0),  # the king takes her
        ("SN SJ S2", "", 1),
        ("S10 S9 S8 S6", "SQ SN SJ S5 S4", 4),  # what was laid stands above nobody
        ("S10 S9 S8 S7", "", 0),
    ],
)
def test_entries_are_counted_in_quarters(kept: str, laid: str, quarters: int) -> None:
    held = mask(kept)
    assert entries(held, SUIT_BITS & ~held & ~mask(laid)) == quarters


def test_entries_of_a_hand_are_those_of_its_suits_and_its_high_tarokker() -> None:
    assert all_entries(0, mask("T21 T20 T19") >> FIRST_TRUMP) == 12
    assert all_entries(0, mask("T20 T18 T2") >> FIRST_TRUMP) == 3
    assert all_entries(mask("SK HK HQ H10"), 0) == 12


@pytest.mark.parametrize("book", DANISH)
def test_no_suit_is_bared_where_there_is_a_choice(book: str) -> None:
    """F1.2: a suit of two or more is not laid down to one card or none; a nolo is another matter."""
    rules = danish_rules(book)
    for hand in random_hands(f"{book} bared", HANDS_TRIED):
        skat, why = skat_of(rules, hand)
        if why in ("F1.9", "F1.15"):
            continue
        for suit in range(4):
            dealt, gone = (word >> 14 * suit & SUIT_BITS for word in (hand, skat))
            assert not gone or (dealt & ~gone).bit_count() >= 2, (notation(hand), notation(skat))


def test_every_principle_has_a_number_of_part_f() -> None:
    assert all(name.startswith("F1.") for name in PRINCIPLES_OF_SKAT)
    assert len(set(PRINCIPLES_OF_SKAT)) == len(PRINCIPLES_OF_SKAT)
