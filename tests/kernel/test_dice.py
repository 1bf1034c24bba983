"""Dice and bits: pinned, so that a seed gives the same deal in every version and on every machine."""

from __future__ import annotations

import os
import subprocess
import sys
from collections import Counter
from pathlib import Path

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from ultimo.kernel import bits
from ultimo.kernel.cache import imported
from ultimo.kernel.dice import (
    AHEAD,
    GOLDEN,
    SHUFFLE,
    draw,
    generator,
    next_word,
    pass_over,
    shuffle,
    starts,
    throw_ahead,
)
from ultimo.kernel.jit import Words, tight
from ultimo.play import bits as plain

# The words that SplitMix64 gives from this state; also in the test suites of other implementations.
SPLITMIX64 = (6457827717110365317, 3203168211198807973, 9817491932198370423, 4593380528125082431)
STATE = 1234567

PACKS = {  # seed, deal: how the pack begins
    (0, 0): [13, 29, 0, 23, 45, 30, 57, 39],
    (7, 0): [26, 61, 8, 77, 25, 71, 6, 46],
    (7, 1): [39, 17, 70, 49, 19, 18, 74, 0],
    (2026, 1_000_000): [37, 24, 50, 13, 52, 40, 61, 41],
}
DRAWS = {(7, 0, 78): [74, 68, 70, 4, 56], (7, 0, 3): [2, 2, 2, 0, 2], (2026, 5, 1000): [943, 746, 473, 1, 12]}


@tight
def counted(word: int) -> int:
    return bits.count(word)


@tight
def lowest_bit(word: int) -> int:
    return bits.lowest(word)


@tight
def highest_bit(word: int) -> int:
    return bits.highest(word)


@tight
def selected(word: int, nth: int) -> int:
    return bits.select(word, nth)


@tight
def picked(word: int, nth: int) -> int:
    return bits.pick(word, nth)


def test_the_generator_is_splitmix64() -> None:
    dice = np.array([STATE], np.uint64)
    assert tuple(next_word(dice) for _ in SPLITMIX64) == SPLITMIX64


def test_throws_ahead_are_the_words_to_come() -> None:
    dice, again, paper = generator(7, 3), generator(7, 3), np.zeros(AHEAD, np.int64)
    throw_ahead(dice, paper)
    assert dice == again
    assert paper.tolist() == [next_word(again) >> 32 for _ in range(AHEAD)]
    pass_over(dice, AHEAD)
    assert dice == again


@pytest.mark.parametrize(("seed", "deal"), PACKS)
def test_a_pack_is_shuffled_as_it_always_was(seed: int, deal: int) -> None:
    paper, dice = np.zeros(SHUFFLE, np.int64), generator(seed, deal)
    shuffle(dice, paper)
    pack = paper[:78].tolist()
    assert pack[:8] == PACKS[seed, deal]
    assert pack == swapped(again := generator(seed, deal))
    assert dice == again


def swapped(dice: Words) -> list[int]:
    """A pack that is shuffled throw by throw."""
    pack = list(range(78))
    for place in range(77, 0, -1):
        other = draw(dice, place + 1)
        pack[place], pack[other] = pack[other], pack[place]
    return pack


def test_a_throw_that_must_be_made_again_is() -> None:
    """The first word is 0, one of the few that would make some places likelier."""
    before = (1 << 64) - GOLDEN
    paper, dice = np.zeros(SHUFFLE, np.int64), np.array([before], np.uint64)
    again = dice.copy()
    shuffle(dice, paper)
    assert paper[:78].tolist() == swapped(again)
    assert dice == again
    assert int(dice[0]) == (before + 78 * GOLDEN) % (1 << 64)  # 77 places, and one throw more


@pytest.mark.parametrize(("seed", "deal", "sides"), DRAWS)
def test_numbers_are_drawn_as_they_always_were(seed: int, deal: int, sides: int) -> None:
    dice = generator(seed, deal)
    assert [draw(dice, sides) for _ in range(5)] == DRAWS[seed, deal, sides]


def test_each_deal_of_a_run_has_the_generator_of_its_number() -> None:
    words = starts(99, 1000)
    assert [next_word(words) for _ in range(3)] == [int(generator(99, 1000 + at)[0]) for at in range(3)]


def test_every_number_is_drawn_as_often_as_any_other() -> None:
    dice = generator(1, 1)
    found = Counter(draw(dice, 6) for _ in range(60_000))
    assert sum((number - 10_000) ** 2 / 10_000 for number in found.values()) < 20.5  # chi-square, 1 in 1000


@settings(deadline=None)
@given(st.integers(1, 2**63 - 1), st.data())
def test_compiled_bits_are_pythons(word: int, data: st.DataObject) -> None:
    nth = data.draw(st.integers(0, word.bit_count() - 1))
    assert counted(word) == plain.count(word) == bin(word).count("1")
    assert lowest_bit(word) == plain.lowest(word)
    assert highest_bit(word) == plain.highest(word) == word.bit_length() - 1
    assert selected(word, nth) == plain.select(word, nth)
    assert picked(word, nth) == plain.pick(word, nth) == 1 << plain.select(word, nth)
    assert sum(word >> at & 1 for at in range(plain.select(word, nth))) == nth


def test_without_the_instruction_bits_are_selected_all_the_same() -> None:
    code = (
        "from ultimo.kernel import bits; import numba\n"
        "assert not bits.has_bit_select()\n"
        "print(numba.njit(lambda word, nth: bits.select(word, nth))(0b1011000, 2))"
    )
    environment = os.environ | {"NUMBA_CPU_NAME": "generic"}
    run = subprocess.run(
        [sys.executable, "-c", code], capture_output=True, text=True, check=True, env=environment
    )
    assert run.stdout.split() == ["6"]


@pytest.mark.parametrize("module", ["danish.run", "french.run"])
def test_a_changed_rule_is_compiled_anew(module: str) -> None:
    family = module.partition(".")[0]
    sources = imported(f"ultimo.kernel.{module}")
    assert {f"ultimo.{family}.following", "ultimo.play.following", "ultimo.kernel.dice"} <= sources
    assert {f"ultimo.{family}.numbers", f"ultimo.kernel.{family}.layout"} <= sources


def test_the_kernel_works_without_numba() -> None:
    """As Python, and with the same rows."""
    code = (
        "from ultimo.kernel.danish import run; from ultimo.rulebook import load\n"
        "print(run.sessions(load('dtf'), table=3, seed=3, first=0, number=1, length=2).tolist())"
    )
    found = set()
    for environment in ({}, {"NUMBA_DISABLE_JIT": "1"}):
        run = subprocess.run(
            [sys.executable, "-W", "error", "-c", code],
            capture_output=True,
            text=True,
            check=True,
            env=os.environ | environment,
        )
        found.add(run.stdout)
    blocked = "import sys; sys.modules['numba'] = None\n" + code
    run = subprocess.run([sys.executable, "-c", blocked], capture_output=True, text=True, check=True)
    found.add(run.stdout)
    assert len(found) == 1


def test_the_kernel_works_with_numbas_own_linking(tmp_path: Path) -> None:
    """`linking.py` leans on parts of numba that are not public; without it the same comes out, later."""
    code = (
        "import numpy as np\n"
        "from ultimo.kernel import jit\n"
        "from ultimo.kernel.dice import generator\n"
        "from ultimo.kernel.french import deal\n"
        "from ultimo.rulebook import load\n"
        "n, s = deal.array_of(load('french5')), deal.blank()\n"
        "deal.deal(n, s, 2, np.zeros(156, np.int64), generator(7, 0))\n"
        "print(jit.LINKED, s.tolist(), deal.legal(n, s))"
    )
    found = {}
    for linking in ("on", "off"):
        environment = os.environ | {"ULTIMO_LINKING": linking, "ULTIMO_CACHE": str(tmp_path)}
        run = subprocess.run(
            [sys.executable, "-c", code], capture_output=True, text=True, check=True, env=environment
        )
        linked, _, found[linking] = run.stdout.partition(" ")
        assert linked == str(linking == "on")
    assert found["on"] == found["off"]
