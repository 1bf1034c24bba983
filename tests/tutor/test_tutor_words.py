"""What the tutor says: the same in four languages, and a sentence for all that it can say."""

from __future__ import annotations

import re
from typing import get_args

import pytest

from tutor.walking import teller
from ultimo import rulebook
from ultimo.danish.state import Phase as DanishPhase
from ultimo.french.state import Phase as FrenchPhase
from ultimo.kernel.danish.policy import odds as danish_odds
from ultimo.kernel.danish.policy.reasons import PRINCIPLES_OF_SKAT
from ultimo.kernel.french.policy import odds as french_odds
from ultimo.kernel.french.policy.reasons import PRINCIPLES as FRENCH_PRINCIPLES
from ultimo.names import LANGUAGES, tutoring
from ultimo.players.policy import danish as danish_policy
from ultimo.players.reasons import PRINCIPLES
from ultimo.tutor.evidence import COUNTS
from ultimo.tutor.grades import GRADES
from ultimo.tutor.words import Words

PLACE = re.compile(r"\{(\w+)\}")
UNASKED = ("dealing", "correcting", "settle", "closed")


@pytest.mark.parametrize("language", LANGUAGES)
def test_every_language_has_the_same_keys_and_places(language: str) -> None:
    source, own = tutoring("en"), tutoring(language)
    assert list(own) == list(source)
    for key, sentence in source.items():
        assert set(PLACE.findall(own[key])) == set(PLACE.findall(sentence)), key


def test_every_principle_that_a_player_can_give_has_a_sentence() -> None:
    given = {
        *PRINCIPLES_OF_SKAT,
        *FRENCH_PRINCIPLES,
        *danish_policy.WORDS.values(),
        *danish_policy.WHIPS.values(),
        *danish_policy.PARTS.values(),
        *("DK.king", "DK.trick", "F3.1", "F3.5", "F3.23", "F4.2", "F5.3", "F5.6", "search", "solved"),
    }
    assert given <= set(PRINCIPLES)
    assert all(f"principles.{name}" in tutoring("en") for name in PRINCIPLES)


def test_every_role_grade_and_question_has_words() -> None:
    words = tutoring("en")
    for role in {*danish_odds.ROLES, *french_odds.ROLES} - {""}:
        assert f"roles.{role}" in words
    for grade in GRADES:
        assert f"grades.{grade}" in words
    for phase in {*get_args(DanishPhase), *get_args(FrenchPhase)} - {*UNASKED}:
        assert f"asked.{phase}" in words


def test_what_can_happen_has_words() -> None:
    words = tutoring("en")
    told = {key.partition(".")[2] for key in words if key.startswith("events.")}
    assert set(COUNTS) <= told
    assert {"lastTrick", "pagatUltimo", "contract", "petitLost", "taker"} <= told


@pytest.mark.parametrize(
    ("language", "value", "told"),
    [
        ("en", 1.0, "1 point"),
        ("en", 0.04, "0 points"),
        ("en", 2.25, "2.2 points"),
        ("en", 31.6, "32 points"),
        ("da", 2.5, "2,5 point"),
        ("de", 1.0, "1 Punkt"),
        ("de", 3.14, "3,1 Punkte"),
        ("fr", 1.5, "1,5 point"),
        ("fr", 2.0, "2 points"),
    ],
)
def test_points_are_told_as_the_language_does(language: str, value: float, told: str) -> None:
    assert Words(teller(rulebook.load("dtf"), 3, language)).points(value) == told


def test_what_was_won_or_lost_has_a_sign() -> None:
    words = Words(teller(rulebook.load("dtf"), 3))
    assert [words.signed(value) for value in (3.25, -3.25, 0.0, -12.4)] == ["+3.2", "−3.2", "0", "−12"]
