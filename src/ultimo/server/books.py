"""Rulebooks as the pages show them: what there is, what differs, what a table may change, what it plays."""

from __future__ import annotations

import asyncio
from functools import cache
from typing import Any

import msgspec
from starlette.requests import Request
from starlette.responses import Response

from ultimo import names, rulebook
from ultimo.names import Family
from ultimo.rulebook import RulebookError, Rules
from ultimo.server.http import Refusal, language, number, told
from ultimo.server.payloads import Book, BookPage, Differs, Glossary, RuleLine, RuleSection, TableRules
from ultimo.telling.citations import cited
from ultimo.telling.glossary import glossary
from ultimo.telling.learning import chapters, heading, usual
from ultimo.telling.rules_words import Line, differences, explain, sentences
from ultimo.telling.rules_words import book as words_of
from ultimo.telling.switches import switches


async def books(request: Request) -> Response:
    """All rulebooks."""
    tongue = language(request)
    return told(await asyncio.to_thread(lambda: [_book(one, tongue) for one in rulebook.ids()]))


async def book(request: Request) -> Response:
    """One rulebook with its switches, as `house` has set them so far."""
    rules, tongue = _asked_for(request), language(request)
    page = await asyncio.to_thread(
        lambda: BookPage(_book(rules.id, tongue), switches(rules, tongue), rules.sheet_sizes)
    )
    return told(page)


async def learn(request: Request) -> Response:
    """How to play by a rulebook, for `size` at the table (else the fewest) and with `house` rules."""
    rules = _asked_for(request)
    size = number(request.query_params.get("size", str(min(rules.sizes))))
    if size not in rules.sizes:
        raise Refusal(404, "unknownPage")
    return told(await asyncio.to_thread(table_rules, rules, size, language(request)))


async def words(request: Request) -> Response:
    """The words of both games, explained."""
    return told(Glossary(glossary(language(request))))


def _asked_for(request: Request) -> Rules:
    """The rulebook in the address, with the `house` rules that are asked for."""
    name: str = request.path_params["book"]
    if name not in rulebook.ids():
        raise Refusal(404, "unknownBook", "rules", book=name, books=", ".join(rulebook.ids()))
    house = request.query_params.get("house", "{}")
    try:
        return rulebook.load(name, msgspec.json.decode(house, type=dict[str, Any]))
    except RulebookError as error:
        raise Refusal(422, "settings", f"house.{error.key}", reason=error) from None
    except (msgspec.DecodeError, RecursionError):
        raise Refusal(400, "notJson", "house") from None


@cache
def _book(name: str, language: str) -> Book:
    rules = rulebook.load(name)
    beside = usual(rules)
    words = words_of(rules, language)
    return Book(
        id=name,
        family=rules.family,
        title=words.title,
        about=words.about,
        sizes=rules.sizes,
        beside=words_of(beside, language).title,
        differences=differing(rules, beside, language) if {*rules.sizes} & {*beside.sizes} else (),
    )


def differing(rules: Rules, usual: Rules, language: str) -> tuple[Differs, ...]:
    """What rules say otherwise than others of the same family."""
    return tuple(
        Differs(
            one.key, one.sentence_a, one.sentence_b, cited(one.cite_a, language), cited(one.cite_b, language)
        )
        for one in differences(rules, usual, language)
    )


def title_of(rules: str, language: str) -> str:
    """What a rulebook is called."""
    return _book(rules, language).title


def family_of(rules: str) -> Family:
    """Which game a rulebook is of."""
    return _book(rules, names.LANGUAGES[0]).family


def table_rules(rules: Rules, size: int, language: str) -> TableRules:
    """How to play, and the rules of a table in sentences; a house rule stands beside what the book says."""
    plain = sentences(rulebook.load(rules.id), language)
    words, house = words_of(rules, language), rulebook.overrides(rules)
    return TableRules(
        title=words.title,
        about=words.about,
        heading=heading(rules, language),
        family=rules.family,
        size=size,
        sizes=rules.sizes,
        house=len(house),
        chapters=chapters(rules, size, language),
        sections=tuple(
            RuleSection(section.title, tuple(_line(one, plain[one.key], language) for one in section.lines))
            for section in explain(rules, language)
        ),
    )


def _line(line: Line, plain: str, language: str) -> RuleLine:
    own = line.sentence != plain
    return RuleLine(line.key, line.sentence, cited(line.cite, language), own, plain if own else "")
