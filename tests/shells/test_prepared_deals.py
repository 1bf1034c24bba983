"""`ultimo deals`: the same seed gives the same boards, each card goes to one place, and files are checked."""

from __future__ import annotations

import json
import re
from pathlib import Path

import pytest

from commands import fails, ultimo
from ultimo import deal, record, rulebook
from ultimo.analysis.position import PositionError
from ultimo.cards import PACK, Card
from ultimo.club import boards as b
from ultimo.club.hand_records import as_html, as_text
from ultimo.events import DealEvent
from ultimo.names import LANGUAGES, names

TABLES = [(book, size) for book in rulebook.ids() for size in rulebook.load(book).sizes]


@pytest.mark.parametrize(("book", "size"), TABLES)
def test_every_board_can_be_played_and_read_again(book: str, size: int) -> None:
    rules = rulebook.load(book)
    made = list(b.make(rules, size, "a seed", range(1, 7)))
    assert made == [*b.make(rules, size, "a seed", range(1, 4)), *b.make(rules, size, "a seed", range(4, 7))]
    assert made != list(b.make(rules, size, "another", range(1, 7)))
    assert b.loads(b.dumps(made)) == made
    for one in made:
        assert sorted([card for hand in one.hands for card in hand] + list(one.chien)) == list(PACK)
        kept = record.loads(record.jsonl.dumps(b.recorded(one)))
        events = [entry.event for entry in kept.entries if isinstance(entry.event, DealEvent)]
        assert not deal.is_over(deal.replay(rules, events))
    assert {one.dealer for one in made} <= set(range(size))


def test_a_board_is_redealt_until_nobody_may_demand_it() -> None:
    rules = rulebook.load("dtf")
    for one in b.make(rules, 3, "many", range(1, 200)):
        assert all(any(card.value[0] == "T" and card.value != "T0" for card in hand) for hand in one.hands)


@pytest.mark.parametrize("language", LANGUAGES)
def test_a_hand_record_tells_every_card_and_where_it_goes(language: str) -> None:
    (one,) = b.make(rulebook.load("french4"), 4, "x", [1])
    told = list(as_text([one], names(language)))
    notation = [line.strip()[1:-1] for line in told if line.strip().startswith("[")]
    assert len(notation) == 5
    assert len(re.findall(r"\d+|[KQNJ]", " ".join(notation))) == len(PACK)
    places = [line.partition(": ")[2].split("  ") for line in told[-6:-1]]
    assert [len(line) for line in places] == [22, 14, 14, 14, 14]
    page = as_html([one], names(language))
    assert page.count("<section>") == 1
    assert page.count("<td>") == len(PACK)
    assert f'<html lang="{language}">' in page
    assert "http" not in page


def test_boards_are_made_written_and_shown(tmp_path: Path) -> None:
    kept = tmp_path / "boards.jsonl"
    assert ultimo("deals", "make", 4, "--seed", "club", "--out", kept).status == 0
    assert [json.loads(line)["board"] for line in kept.read_text().splitlines()] == [1, 2, 3, 4]
    shown = ultimo("deals", "show", kept, "--board", 3, "--lang", "en").out
    assert shown.startswith("Board 3 · North deals · North takes")
    assert ultimo("deals", "make", 1, "--seed", "club", "--first", 3, "--lang", "en").out == shown
    read = record.loads(ultimo("deals", "show", kept, "--board", 3, "--record").out)
    assert read.header.rules == "french4"
    printed = tmp_path / "boards.html"
    assert ultimo("deals", "show", kept, "--out", printed, "--lang", "fr").status == 0
    assert "Étui 4" in printed.read_text(encoding="utf-8")
    danish = ultimo("deals", "make", 1, "--seed", "club", "--rules", "dtf", "--lang", "da").out
    assert danish.startswith("Mappe 1 · Syd giver · Nord sidder over")


def test_what_is_no_board_is_told_with_its_line(tmp_path: Path) -> None:
    (one,) = b.make(rulebook.load("french4"), 4, "x", [1])
    line = b.dumps([one])
    assert "line 2: no board can be read here" in fails(
        "deals", "show", "-", "--lang", "en", given=line + "{}"
    )
    twice = line.replace(one.hands[0][0].value, one.hands[1][0].value)
    assert "line 1: " in fails("deals", "show", "-", "--lang", "en", given=twice)
    unseen = line.replace(one.hands[0][0].value, "?", 1)
    assert "all cards must be known" in fails("deals", "show", "-", "--lang", "en", given=unseen)
    assert "no boards" in fails("deals", "show", "-", "--lang", "en", given="\n")
    assert fails("deals", "show", "-", "--board", 9, "--lang", "en", given=line).endswith("no board 9")
    two = b.dumps(b.make(rulebook.load("french4"), 4, "x", [1, 2]))
    assert "--record: " in fails("deals", "show", "-", "--record", given=two)
    assert "--table: " in fails("deals", "make", 1, "--seed", "x", "--table", 5)
    assert "at most 500" in fails("deals", "make", 501, "--seed", "x")
    other = line.replace('"rules":"french4"', '"rules":"french5"')
    assert "no version here has the digest" in fails("deals", "show", "-", "--lang", "en", given=other)
    size = other.replace(f',"digest":"{one.digest}"', "")
    assert "is not played by 4" in fails("deals", "show", "-", "--lang", "en", given=size)


@pytest.mark.parametrize(("book", "size", "laid"), [("french4", 4, 6), ("dtf", 3, 3), ("dtf", 4, 3)])
def test_a_board_becomes_a_position_when_it_is_known_what_was_laid(book: str, size: int, laid: int) -> None:
    (one,) = b.make(rulebook.load(book), size, "x", [1])
    layer = one.dealer if one.taker is None else one.taker
    held = [*one.hands[layer], *one.chien]
    plain = [card for card in held if card.value[0] != "T" and card.value[1] != "K"][:laid]
    text = b.position_of(one, plain)
    assert text.startswith(f"{book}: ")
    assert all(card.value in text for card in plain)
    with pytest.raises(PositionError):
        b.position_of(one, [Card("SK")])
