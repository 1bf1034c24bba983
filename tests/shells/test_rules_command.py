"""`ultimo rules`: the list, one rulebook, and what differs between two."""

from __future__ import annotations

import json
from pathlib import Path

import pytest

from commands import ultimo
from ultimo import rulebook
from ultimo.telling.citations import decisions, words
from ultimo.telling.rules_words import differences, explain

BOOKS = rulebook.ids()


def test_the_list_has_every_rulebook_with_what_it_is() -> None:
    printed = ultimo("rules").out
    for book in BOOKS:
        rules = rulebook.load(book)
        assert rules.title in printed
        assert rulebook.digest(rules) in printed
    assert "for 3, 4 or 5 players" in printed


def test_the_list_for_programs() -> None:
    listed = {one["id"]: one for one in json.loads(ultimo("rules", "--json").out)}
    assert tuple(listed) == BOOKS
    assert listed["french5"]["sizes"] == [5]
    assert listed["french5"]["family"] == "french"
    assert listed["dtf"]["digest"] == rulebook.digest(rulebook.load("dtf"))


@pytest.mark.parametrize("book", BOOKS)
def test_a_rulebook_is_shown_whole_with_its_citations(book: str) -> None:
    rules = rulebook.load(book)
    printed = " ".join(ultimo("rules", "show", book).out.split())
    for section in explain(rules):
        assert section.title.upper() in printed
        for line in section.lines:
            assert line.sentence in printed
            assert f"[{words(line.cite, 'en')}]" in printed
    assert "*" not in printed


def test_why_a_rule_was_read_so_is_told_when_it_is_asked_for() -> None:
    decided = " ".join(decisions("I-9.6", "en"))
    plain, why = (" ".join(ultimo("rules", "show", "dtf", *more).out.split()) for more in ([], ["--why"]))
    assert decided not in plain
    assert f"[The federation (DTF) says nothing about this; our interpretation] – {decided}" in why


def test_house_rules_are_marked_and_the_book_is_quoted(tmp_path: Path) -> None:
    house = tmp_path / "house.toml"
    house.write_text("[skus]\ndemandable = false\n[pay]\nlastTrick = 25\n", encoding="utf-8")
    printed = ultimo("rules", "show", "dtf", "--house", house, "--set", "pay.lastTrick=30").out
    assert "House rules, marked with *: 2." in printed
    marked = [line for line in printed.splitlines() if line.startswith("* ")]
    assert marked == [
        "* Nobody may demand the skus.",
        "* The last trick earns 30 points from each opponent.",
    ]
    assert "    (The book: The last trick earns 20 points from each opponent.)" in printed


def test_a_rulebook_for_programs() -> None:
    shown = json.loads(ultimo("rules", "show", "dtf", "--set", "skus.demandable=false", "--json").out)
    assert shown["house"] == {"skus.demandable": False}
    lines = {line["key"]: line for section in shown["sections"] for line in section["lines"]}
    assert lines["skus.demandable"]["sentence"] == "Nobody may demand the skus."


def test_a_comparison_has_both_sentences_and_citations() -> None:
    jensen, dtf = rulebook.load("jensen"), rulebook.load("dtf")
    printed = " ".join(ultimo("rules", "diff", "jensen", "dtf", "--keys").out.split())
    found = differences(jensen, dtf)
    assert f"{len(found)} differences" in printed
    for one in found:
        assert (
            f"{one.key} jensen {one.sentence_a} [{words(one.cite_a, 'en')}]"
            f" dtf {one.sentence_b} [{words(one.cite_b, 'en')}]" in printed
        )
    as_data = json.loads(ultimo("rules", "diff", "jensen", "dtf", "--json").out)
    assert [one["key"] for one in as_data["differences"]] == [one.key for one in found]


def test_a_rulebook_does_not_differ_from_itself() -> None:
    assert "no differences" in ultimo("rules", "diff", "dtf", "dtf").out


# --- in another language ------------------------------------------------------------------------------


def test_the_rules_are_english_unless_another_language_is_asked_for(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("LC_ALL", "da_DK.UTF-8")
    assert "either opponent may demand that the skus be played" in ultimo("rules", "show", "dtf").out


def test_a_rulebook_is_shown_in_another_language() -> None:
    printed = ultimo("rules", "show", "dtf", "--lang", "da", "--set", "skus.demandable=false").out
    assert printed.startswith("Dansk Tarokforbund, i dag\n")
    assert "Husregler, mærket med *: 1." in printed
    assert "* Ingen kan forlange skusen." in printed
    assert "    (Bogen: Hver af modspillerne kan forlange skusen i tredjesidste stik.)" in printed
    assert ultimo("rules", "--lang", "da", "show", "dtf", "--set", "skus.demandable=false").out == printed


def test_the_list_and_a_comparison_in_another_language() -> None:
    assert "à 3, 4 ou 5 joueurs" in ultimo("rules", "--lang", "fr").out
    assert "keine Unterschiede" in ultimo("rules", "diff", "dtf", "dtf", "--lang", "de").out
    as_data = json.loads(ultimo("rules", "diff", "jensen", "dtf", "--json", "--lang", "fr").out)
    found = differences(rulebook.load("jensen"), rulebook.load("dtf"), "fr")
    assert [one["sentence_a"] for one in as_data["differences"]] == [one.sentence_a for one in found]


def test_a_language_there_is_not_is_refused() -> None:
    failed = ultimo("rules", "show", "dtf", "--lang", "sv")
    assert failed.status != 0
    assert "there are en, da, fr, de" in failed.err
