"""Versions of rulebooks: what was begun by one of them is played, checked and worked out by it for ever."""

from __future__ import annotations

from pathlib import Path

import pytest

from commands import ultimo
from ultimo import rulebook
from ultimo.rulebook import RulebookError, UnknownVersion, load
from ultimo.table.settings import UNRECORDED

# Every digest with which a rulebook was ever published, the latest first. A book that changes has another:
# put it in front, and what the book had before into `rulebooks/earlier.toml`. Nothing is ever taken away.
PUBLISHED = {
    "basta": ["aa68a5f0bde68d55", "fe55a66ae98d0bd3", "52295795e6519b9d"],
    "dtf": ["052684b0d32b14d1", "d69f122ff30db533", "38852cc9c33b271e"],
    "fft3": ["2e8d0caa78b20d25", "798e4cb409c591e8", "244ac15354e7075d"],
    "fft4": ["14b1be2dee68b614", "053879c5224f19a3", "b40dcbaba1c87058"],
    "fft5": ["017684f1704bc2c7", "50f61f3e1ab97760", "093e0f393c58b93d"],
    "french3": ["376ae9188468a445"],
    "french4": ["e29dae2cce1f4aea"],
    "french5": ["f55e5fbc9a90638c"],
    "hermansen": ["fa9cb8e932a07b9b", "ddde9ca448efc235", "a7760b9dbfa113d7"],
    "jensen": ["397c88f5229373c2", "3860f3cdb14503f7", "cc1c5b15c6611db8"],
    "vlk": ["505d8bb2dda7da14", "68cf7b24faf19164", "065afd45e144bde4"],
}
VERSIONS = [(book, digest) for book, digests in PUBLISHED.items() for digest in digests]
HOUSE = {"danish": {"pay.kingLost": 10}, "french": {"base": 30}}


def test_every_digest_that_was_published_is_kept() -> None:
    assert {book: [*rulebook.versions(book)] for book in rulebook.ids()} == PUBLISHED


@pytest.mark.parametrize(("book", "recorded"), VERSIONS)
def test_a_version_is_found_by_its_digest_with_house_rules_and_without(book: str, recorded: str) -> None:
    rules = load(book, recorded=recorded)
    assert (rulebook.digest(rules), rulebook.overrides(rules)) == (recorded, {})
    assert (rules.version == "") == (recorded == PUBLISHED[book][0])
    house = HOUSE[rules.family]
    own = load(book, house, recorded)
    digest = rulebook.digest(own)
    assert rulebook.overrides(own) == house
    assert load(book, house, digest) == own
    assert rulebook.book_of(own) == rules
    assert rulebook.digest(load(book, house)) == digest or rules.version


def test_today_is_the_version_of_those_who_record_none() -> None:
    for book, digests in PUBLISHED.items():
        assert rulebook.digest(load(book)) == digests[0]
        assert UNRECORDED[book] in digests


def test_a_version_differs_as_it_did() -> None:
    before = load("dtf", recorded="d69f122ff30db533")
    assert rulebook.overrides(before, load("dtf")) == {
        "fine.wrongDecl.effect": ["consent", "banUltimo"],
        "fine.earlyDecl.effect": ["consent"],
    }
    basta = load("basta", recorded="fe55a66ae98d0bd3")
    assert rulebook.overrides(basta, load("basta")) == {
        "cups.foundBy": "allAtTable",
        "ultimo.includesLastTrick": True,
        "decl.nameMissing": True,
        "deal.objectUntil": "takenUp",
    }


def test_a_house_rule_that_came_later_makes_another_digest() -> None:
    before = load("dtf", recorded="d69f122ff30db533")
    assert rulebook.digest(rulebook.changed(before, {"decl.nameMissing": True})) == "d69f122ff30db533"
    other = rulebook.changed(before, {"decl.nameMissing": False})
    assert load("dtf", {"decl.nameMissing": False}, rulebook.digest(other)) == other


@pytest.mark.parametrize("house", [{}, {"pay.kingLost": 10}])
def test_a_digest_that_nothing_has_had_is_refused(house: dict[str, int]) -> None:
    with pytest.raises(UnknownVersion, match=r"dtf: no version here has the digest 0{16}; today's is "):
        load("dtf", house, "0" * 16)


def test_house_rules_that_fit_no_version_are_named() -> None:
    with pytest.raises(RulebookError, match=r"pay\.kingLost") as error:
        load("dtf", {"pay.kingLost": "much"}, "0" * 16)
    assert not isinstance(error.value, UnknownVersion)


def test_nobody_gives_a_version_in_a_file_or_as_a_house_rule(tmp_path: Path) -> None:
    file = tmp_path / "own.toml"
    file.write_text('extends = "dtf"\nversion = "d69f122ff30db533"\n')
    with pytest.raises(RulebookError, match="version: no such parameter"):
        rulebook.load_file(file)
    with pytest.raises(RulebookError, match="version: no such parameter"):
        load("dtf", {"version": "d69f122ff30db533"})


def test_the_versions_are_no_rulebook() -> None:
    assert "earlier" not in rulebook.ids()
    assert "earlier" not in ultimo("rules").out
