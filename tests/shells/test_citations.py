"""Citations in words: one grammar, a sentence for every interpretation, no code in what a person reads."""

from __future__ import annotations

import ast
import re
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest

from commands import ultimo
from live import HOST, Evening, bots
from ultimo import rulebook
from ultimo.cli.rules import diff_lines, show_lines
from ultimo.events import Transfer
from ultimo.names import LANGUAGES, tables
from ultimo.record import jsonl
from ultimo.rulebook import DanishRules, Rules, citation, load
from ultimo.table import Settings, session_record
from ultimo.table.scene import ButtonOffer, Scene
from ultimo.table.showing import teller_of
from ultimo.telling.citations import (
    Cited,
    Decided,
    Free,
    Place,
    Silent,
    Source,
    cited,
    of_payment,
    parse,
    words,
)
from ultimo.telling.results import outcome
from ultimo.telling.rules_words import differences, explain
from ultimo.telling.switches import switches

SOURCES = Path(rulebook.__file__).parent
CODE = re.compile(r"\b00[0-6]\b|\bI-[0-9CF]|\bT\d+\b|[a-z]+\.[a-zA-Z]+[A-Z]")
BOOKS = rulebook.ids()
STRICT: dict[str, Any] = {
    f"strict.{switch}": True
    for switch in ("cups", "skat", "declare", "follow", "turn", "skusClaim", "skusDemand", "count")
} | {"decl.mode": "manual"}
each_language = pytest.mark.parametrize("language", LANGUAGES)
each_book = pytest.mark.parametrize("book", BOOKS)


def cites_of(rules: Rules) -> set[str]:
    """Every citation of a rulebook: those of its parameters, and those that only tables have."""
    parameters = rulebook.parameters(rules)
    keys = {*parameters, *(key.rpartition(".")[0] for key in parameters), "play"} - {""}
    return {citation(rules, key) for key in keys}


def cites_in_code() -> set[str]:
    """Every string in the code that begins as a citation does; the grammar itself is not one."""
    found = set()
    for path in SOURCES.rglob("*.py"):
        for node in ast.walk(ast.parse(path.read_text(encoding="utf-8"))):
            text = node.value if isinstance(node, ast.Constant) else None
            if isinstance(text, str) and re.match(r"(00[0-6]|VLK) [A-ZÆØÅ§ip]|I-[0-9CF]|silent in 00", text):
                found.add(text)
    return found


# --- the grammar ---------------------------------------------------------------------------------------


def test_a_citation_has_sources_silences_and_interpretations() -> None:
    assert parse("001 Betalinger A, B, Kortene g–m; silent in 000; I-9.5, I-C.20") == (
        Source("001", (Place("Betalinger", ("A", "B")), Place("Kortene", ("g–m",)))),
        Silent("000"),
        Decided(("I-9.5", "I-C.20")),
    )
    assert parse("002 §10, §16") == (Source("002", (Place("§10"), Place("§16"))),)
    assert parse("unlike 002 §5; I-C.2") == (Source("002", (Place("§5"),), unlike=True), Decided(("I-C.2",)))
    assert parse("VLK Ved 5 spillere") == (Source("VLK", (Place("Ved 5 spillere"),)),)
    assert parse("minutes of 1971, page 3") == (Free("minutes of 1971, page 3"),)
    assert parse("") == ()


def test_a_book_that_has_it_otherwise_is_cited_as_such() -> None:
    cite = citation(load("french5"), "deal.shuffle")
    assert words(cite, "en") == "Otherwise in Bussac, French Tarot, §5; our interpretation"
    assert words(cite, "de") == "Anders: Bussac, Französisches Tarot, §5; unsere Auslegung"


def test_old_records_are_read_too() -> None:
    old = "001 Særlige udtryk ved tarokken 10–12, SPILLERNE; moving the cups: silent in 001; I-9.5, I-9.20"
    said = "Hermansen (1943), “Særlige udtryk ved tarokken” 10–12, “Spillerne”"
    assert words(old, "en") == f"{said}; Hermansen (1943) says nothing about this; our interpretation"
    table = "silent in 000: the table agrees which errors are possible; I-2.4"
    assert [type(part) for part in parse(table)] == [Silent, Decided]


@each_book
def test_every_citation_of_a_rulebook_follows_the_grammar(book: str) -> None:
    for cite in cites_of(load(book)):
        assert cite
        assert not [part for part in parse(cite) if isinstance(part, Free)], cite
        titles = [place.title for part in parse(cite) if isinstance(part, Source) for place in part.places]
        assert all(title.startswith("§") or not title.isupper() for title in titles), cite


def test_every_citation_in_the_code_follows_the_grammar() -> None:
    for cite in cites_in_code():
        assert not [part for part in parse(cite) if isinstance(part, Free)], cite


def test_every_interpretation_that_can_be_cited_has_a_sentence_in_every_language() -> None:
    cited_ones = set().union(*(cites_of(load(book)) for book in BOOKS), cites_in_code())
    needed = {
        one for cite in cited_ones for part in parse(cite) if isinstance(part, Decided) for one in part.ids
    }
    assert len(needed) > 70
    for language in LANGUAGES:
        told = tables(language, "citations")
        assert not needed - told["interpretations"].keys(), language
        assert {key: set(table) for key, table in told.items()} == {
            key: set(table) for key, table in tables("en", "citations").items()
        }
        for key, sentence in told["interpretations"].items():
            assert sentence.endswith("."), key
            assert sentence[0].isupper() or sentence[0] in "«„”“", key


def test_a_citation_for_which_no_parameter_stands_is_refused(tmp_path: Path) -> None:
    own = tmp_path / "ours.toml"
    own.write_text("extends = 'dtf'\nid = 'ours'\n[cites]\n'cups.antee' = 'our paper'\n", encoding="utf-8")
    with pytest.raises(rulebook.RulebookError, match=r"cites\.cups\.antee: no such parameter"):
        rulebook.load_file(own)


# --- payments ------------------------------------------------------------------------------------------


def test_a_payment_cites_its_own_rule_and_opens_with_its_sentence() -> None:
    rules = load("jensen")
    paid = Transfer(0, "king", 5, "ante", citation(rules, "cups.ante"))
    sentences = {line.key: line.sentence for section in explain(rules) for line in section.lines}
    assert of_payment(rules, paid, "en") == Cited(
        "Jensen (1960s), “Særlige udtryk ved tarok”, “Før spillet”", (sentences["cups.ante"],)
    )
    revoke = Transfer(0, "king", 40, "fine", citation(rules, "fine.revoke"))
    assert of_payment(rules, revoke, "en").why[0] == sentences["fine.revoke"]


@pytest.mark.parametrize("book", [book for book in BOOKS if isinstance(load(book), DanishRules)])
def test_following_is_cited_from_the_book_that_is_played(book: str) -> None:
    rules = load(book)
    sources = [
        {part.source for part in parse(citation(rules, key)) if isinstance(part, Source)}
        for key in ("play", "pay.lastTrick")
    ]
    assert sources[0] == sources[1] != set()


# --- no code in what a person reads --------------------------------------------------------------------


def texts(value: Any) -> Iterator[str]:
    """Every string in a table of words."""
    if isinstance(value, str):
        yield value
    elif isinstance(value, dict):
        for key, part in value.items():
            if key != "typing":  # what a person types in the terminal is notation
                yield from texts(part)
    elif isinstance(value, list | tuple):
        for part in value:
            yield from texts(part)


def of(cite: Cited | None) -> list[str]:
    return [cite.words, *cite.why] if cite else []


@each_language
@pytest.mark.parametrize("part", ["", "rules", "refusals", "page", "server", "citations"])
def test_no_word_file_says_a_code(language: str, part: str) -> None:
    said = [
        text for text in texts(dict(tables(language, part))) if CODE.search(re.sub(r"\{[^}]*\}", "", text))
    ]
    assert not said


@each_language
@each_book
def test_no_rule_switch_or_citation_says_a_code(book: str, language: str) -> None:
    rules = load(book)
    read = show_lines(rules, language=language, why=True)
    other = load("dtf" if isinstance(rules, DanishRules) else "french4")
    read += diff_lines(rules, other, differences(rules, other, language), language)
    for group in switches(rules, language):
        for switch in group.switches:
            read += [switch.label, switch.sentence, *of(switch.cite)]
            read += [choice.sentence for choice in switch.choices]
    for cite in cites_of(rules):
        read += of(cited(cite, language))
    assert not [text for text in read if CODE.search(text)]


def read_in(shown: Scene) -> Iterator[str]:
    """What a person reads in a scene."""
    yield from (shown.headline, shown.contract, shown.table.title)
    for seat in shown.seats:
        yield from (seat.role, *seat.said)
    for payment in shown.payments:
        yield from (payment.reason, payment.text)
    for cite in shown.cites.values():
        yield from of(cite)
    if shown.turn is not None:
        yield from (shown.turn.question, shown.turn.guide)
        for barred in shown.turn.barred:
            yield from (barred.why, *of(barred.cite))
        for offer in shown.turn.offers:
            if isinstance(offer, ButtonOffer):
                yield offer.label
    if shown.result is not None:
        yield from (shown.result.title, *shown.result.lines, *shown.result.accounts)
        for row in shown.result.rows:
            yield row.label
            assert set(row.cites) <= set(shown.cites)


def played(book: str, seed: int, strict: bool) -> Iterator[Evening]:
    """Some positions of a deal at random, at a table where errors can happen or at one where they cannot."""
    size = load(book).sizes[0]
    evening = Evening(Settings(book, size, bots(size, 1), house=STRICT if strict else {}), seed)
    for step in range(4000):
        if evening.live.series is not None and evening.live.series.deals:
            break
        evening.one_thing()
        if step % 10 == 0:
            yield evening
    yield evening


@pytest.mark.parametrize(
    ("book", "strict"),
    [*((book, False) for book in BOOKS), *((book, True) for book in ("dtf", "hermansen", "vlk"))],
)
def test_no_deal_says_a_code(book: str, strict: bool, tmp_path: Path) -> None:
    for evening in played(book, 11, strict):
        for language in LANGUAGES:
            shown = evening.scene(HOST, language)
            assert not [text for text in read_in(shown) if CODE.search(text)]
            assert {payment.cite for payment in shown.payments} <= set(shown.cites)
    assert evening.live.series is not None
    assert evening.live.series.deal is not None
    file = tmp_path / "deal.jsonl"
    file.write_text(jsonl.dumps(session_record(evening.log)), encoding="utf-8")
    for language in LANGUAGES:
        teller = teller_of(evening.live, language)
        lines = [*outcome(teller, evening.live.series.deal), *replayed(file, language)]
        assert len(lines) > 30
        assert not [line for line in lines if CODE.search(line)]


def replayed(file: Path, language: str) -> list[str]:
    """What `ultimo replay` tells of a record."""
    return ultimo("replay", file, "--lang", language).out.splitlines()
