"""`ultimo settle`: every payment, and a clear word about what cannot be."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

import pytest

from commands import fails, ultimo

DEAL: dict[str, Any] = {
    "rules": "dtf",
    "outcome": {
        "family": "danish",
        "table": 4,
        "order": [1, 3, 0],
        "king": 85,
        "pagat": 60,
        "tricks": [13, 4, 8],
        "last": [{"seat": 1, "card": "T1"}, {"seat": 3, "card": "S4"}, {"seat": 0, "card": "DK"}],
        "winner": 1,
        "counts": [41, 8, 29],
    },
}
DONNE: dict[str, Any] = {
    "rules": "french4",
    "outcome": {"family": "french", "players": 4, "taker": 2, "bid": "garde", "half_points": 92, "bouts": 2},
}


def changed(sheet: dict[str, Any], **outcome: Any) -> str:
    """The sheet with other entries of the outcome; None leaves one out."""
    entries = {**sheet["outcome"], **outcome}
    kept = {key: value for key, value in entries.items() if value is not None}
    return json.dumps({**sheet, "outcome": kept})


def test_a_danish_deal_from_standard_input() -> None:
    """A pagat ultimo takes the pagat cup, a king bagud doubles the king cup. Rule: rules B9."""
    done = ultimo("settle", "--json", given=json.dumps(DEAL))
    settled = json.loads(done.out)
    assert done.status == 0
    assert settled["cups"] == {"king": 180, "pagat": 0}
    assert settled["emptied"] == {"pagat": 1}
    assert sum(settled["nets"]) + sum(settled["cups"].values()) == 85 + 60
    assert {one["reason"] for one in settled["transfers"]} == {
        "ante",
        "pagatUltimo",
        "kingBagud",
        "count",
    }
    assert all(one["cite"] for one in settled["transfers"])


def test_words_and_language() -> None:
    printed = ultimo("settle", "-", "--lang", "da", given=json.dumps(DEAL)).out
    assert "Plads 3 betaler 45 til plads 1: pagatultimo [Forbundet (DTF), ”Betalingsoversigt”" in printed
    assert "Plads 1 får 65 fra pagatkoppen: pagatultimo" in printed
    assert "I alt: plads 0 −" in printed
    assert "Kopper: kongekop 180, pagatkop 0" in printed


def test_a_french_deal(tmp_path: Path) -> None:
    """Rule: 002 §14, game 1."""
    file = tmp_path / "donne.json"
    file.write_text(json.dumps(DONNE), encoding="utf-8")
    assert json.loads(ultimo("settle", file, "--json").out)["nets"] == [-60, -60, 180, -60]
    assert "Cups" not in ultimo("settle", file).out


def test_options_go_over_the_file(tmp_path: Path) -> None:
    """A house rule on the command line over one of a file, over one of the sheet, over the book."""
    house = tmp_path / "house.toml"
    house.write_text("[pay]\nlastTrick = 1\n[cups]\nante = 15\n", encoding="utf-8")
    sheet = json.dumps({**DEAL, "overrides": {"cups.ante": 10, "ultimo.pagatExtra": 0}})
    options = ("--rules", "jensen", "--house", house, "--set", "cups.ante=20")
    settled = json.loads(ultimo("settle", "--json", *options, given=sheet).out)
    assert settled["rules"] == "jensen"
    paid = {one["reason"]: one["points"] for one in settled["transfers"]}
    assert paid["ante"] == 20


def test_a_sheet_without_rules_takes_those_of_the_command() -> None:
    sheet = json.dumps({"outcome": DONNE["outcome"]})
    assert ultimo("settle", "--rules", "french4", given=sheet).status == 0
    assert fails("settle", given=sheet) == ("standard input: rules: name the rulebook here or with --rules")


@pytest.mark.parametrize(
    ("sheet", "complaint"),
    [
        ("", "not JSON: Input data was truncated"),
        ("{", "not JSON: Input data was truncated"),
        ("[]", "the score sheet: expected an object, got a list"),
        ("{}", "outcome: is missing"),
        ('{"outcome": {}}', "outcome.family: is missing"),
        ('{"rules": 1, "outcome": {}}', "rules: expected text, got a whole number"),
        ('{"outcome": {"family": "whist"}}', "outcome.family: invalid value 'whist'"),
        (json.dumps({**DEAL, "tables": 1}), "tables: there is no such field"),
        (
            json.dumps({**DEAL, "rules": "french4"}),
            "outcome.family: this is a deal of Danish Tarok, but french4 is a rulebook for French",
        ),
        (changed(DEAL, order=None), "outcome.order: is missing"),
        (changed(DEAL, order=[1, 3]), "outcome.order: expected a list of length 3"),
        (changed(DEAL, order=[1, 1, 0]), "outcome.order: forehand, middle and dealer are three seats"),
        (changed(DEAL, king="many"), "outcome.king: expected a whole number, got text"),
        (changed(DEAL, king=-5), "outcome.king: a cup cannot hold less than nothing"),
        (changed(DEAL, kings=[]), "outcome.kings: there is no such field"),
        (changed(DEAL, winner=2), "outcome.winner: seat 2 does not play in this deal"),
        (changed(DEAL, tricks=[13, 4, 7]), "outcome.tricks: 24 tricks, and there are 25"),
        (changed(DEAL, counts=[41, 8, 30]), "outcome.counts: the counts make 79, and there are 78 points"),
        (
            changed(DEAL, kings_lost=[{"seat": 1, "card": "SX"}]),
            "outcome.kings_lost[0].card: 'SX' is not a card",
        ),
        (changed(DEAL, declarations={"a": []}), "outcome.declarations: expected a whole number"),
        (changed(DONNE, bid="solo"), "outcome.bid: 'solo' is not among petite, garde, sans, contre"),
        (changed(DONNE, bouts=4), "outcome.bouts: 4 is not a number from 0 to 3"),
        (changed(DONNE, half_points=200), "outcome.half_points: the pack holds 91 points"),
        (changed(DONNE, partner=1), "outcome.partner: nobody is called at this table"),
        (changed(DONNE, poignees=[["taker", 9]]), "outcome.poignees: 9 trumps are not a poignée"),
    ],
)
def test_what_cannot_be_is_refused_with_its_field(sheet: str, complaint: str) -> None:
    assert fails("settle", given=sheet).removeprefix("standard input: ").startswith(complaint)


def test_a_file_that_is_not_text(tmp_path: Path) -> None:
    file = tmp_path / "sheet.json"
    file.write_bytes(b'{"rules": "\xff"}')
    assert fails("settle", file) == f"{file}: line 1: not UTF-8 text"
