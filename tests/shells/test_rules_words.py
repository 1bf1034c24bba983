"""A rulebook reads as sentences: every parameter once, and another value reads otherwise."""

from __future__ import annotations

import re
import string
from collections.abc import Iterator, Mapping
from typing import Any

import msgspec
import pytest
from msgspec import inspect

from parameters import kinds, others, with_value
from ultimo.names import LANGUAGES, tables
from ultimo.rulebook import DanishRules, FrenchRules, RulebookError, Rules, citation, ids, load, parameters
from ultimo.telling.rules_words import Book, Line, book, chapters, differences, explain, sentences, value_of
from ultimo.telling.wording import phrasing

each_language = pytest.mark.parametrize("tongue", LANGUAGES)


def lines(rules: Rules, tongue: str = "en") -> dict[str, Line]:
    return {line.key: line for section in explain(rules, tongue) for line in section.lines}


def sentence(book: str, key: str, **house: Any) -> str:
    """What is said under `key`; `skus_demandable=False` stands for the house rule `skus.demandable`."""
    return lines(load(book, {name.replace("_", "."): value for name, value in house.items()}))[key].sentence


def said(rules: Rules, key: str, tongue: str) -> str:
    """One line alone, which is quicker than all of them."""
    wording = next(chapter[key] for _, chapter in chapters(rules, tongue) if key in chapter)
    tables = msgspec.to_builtins(rules)
    return phrasing(tongue).sentence(wording, value_of(tables, key), tables)


def covering(rules: Rules, parameter: str) -> list[str]:
    """The lines that speak about a parameter: its own, or that of the small table that holds it."""
    return [key for key in sentences(rules) if f"{parameter}.".startswith(f"{key}.")]


@pytest.mark.parametrize("book", ids())
def test_every_parameter_has_exactly_one_line_and_every_line_a_parameter(book: str) -> None:
    rules = load(book)
    told = [covering(rules, parameter) for parameter in parameters(rules)]
    assert [len(found) for found in told] == [1] * len(told)
    assert {key for found in told for key in found} == set(sentences(rules))
    assert sum(len(section.lines) for section in explain(rules)) == len(lines(rules))


# --- rules that a book does not have --------------------------------------------------------------------

WITHOUT_MEANING = {
    "jensen": {"deal.misdealPay", "fine.cupsNotMoved"},
    "hermansen": {"deal.misdealPay", "fine.cupsNotMoved"},
    "vlk": {"deal.misdealPay", "fine.cupsNotMoved"},
    "basta": {
        "table.five",
        "fine.cupsNotMoved",
        "fine.wrongDemand",
        "strict.skusDemand",
        "skus.swapOnRename",
        "strict.skusClaim",
    },
    "dtf": set(),
    "fft5": {"table.mort"},
    "french5": {"table.mort"},
}
ALONE = {"call.fallback", "call.firstLeadBan", "call.restrictAfterExcuse", "share.partner", "share.alone"}
WITHOUT_MEANING |= {"fft4": ALONE, "french4": ALONE}
WITHOUT_MEANING |= {book: ALONE | {"table.mort"} for book in ("fft3", "french3")}


@pytest.mark.parametrize("book", ids())
def test_a_book_tells_no_rule_that_it_does_not_have(book: str) -> None:
    rules = load(book)
    assert set(sentences(rules)) - set(lines(rules)) == WITHOUT_MEANING[book]


@pytest.mark.parametrize(
    ("book", "house", "appear"),
    [
        ("jensen", {"deal.misdeal": "payEachOrPass"}, {"deal.misdealPay"}),
        ("jensen", {"cups.moveDuty": True}, {"fine.cupsNotMoved"}),
        ("basta", {"skus.demandable": True}, {"fine.wrongDemand", "strict.skusDemand"}),
        ("basta", {"skus.rename": "claim"}, {"skus.swapOnRename", "strict.skusClaim"}),
        ("basta", {"table.sizes": [3, 4, 5]}, {"table.five"}),
    ],
)
def test_a_house_rule_that_gives_another_its_meaning_lets_it_be_told(
    book: str, house: dict[str, Any], appear: set[str]
) -> None:
    assert set(lines(load(book, house))) - set(lines(load(book))) == appear


def test_without_cups_nothing_is_told_of_them() -> None:
    told = set(lines(load("dtf", {"cups.enabled": False})))
    assert {key for key in told if key.startswith("cups.") or "Cup" in key} == {"cups.enabled"}
    assert not told & {"strict.cups", "fine.cupsNotMoved", "tout.takesCups"}


@each_language
@pytest.mark.parametrize("book", ["french3", "french4"])
def test_where_nobody_is_called_nothing_is_said_of_calling(book: str, tongue: str) -> None:
    words = {"en": "call", "da": "kald", "fr": "appel", "de": "ruf"}[tongue]
    rules = load(book)
    told = [section.title for section in explain(rules, tongue)]
    told += [line.sentence for line in lines(rules, tongue).values()]
    assert [text for text in told if words in text.lower()] == []
    assert any(words in line.sentence.lower() for line in lines(load("french5"), tongue).values())


@each_language
def test_a_payment_that_the_book_fixes_is_not_said_to_be_agreed_on(tongue: str) -> None:
    for name in ("jensen", "hermansen", "vlk", "dtf"):
        for card in ("king", "pagat"):
            assert "1000" not in said(load(name), f"ultimo.{card}Range", tongue)
    assert "30" in said(load("basta"), "ultimo.kingRange", tongue)
    assert "40" in said(load("basta"), "ultimo.pagatRange", tongue)


@pytest.mark.cites("I-C.20")
@each_language
def test_where_an_example_of_the_book_is_not_followed_the_rules_say_so(tongue: str) -> None:
    """002 §16: the printed example comes to 74, the book's own table to 84."""
    told = lines(load("french5"), tongue)["poignee.sizes"].sentence
    assert {"74", "84", "§16"} <= set(re.findall(r"§?\d+", told))
    for rules in (load("french4"), load("french5", {"poignee.sizes": [8, 11, 13]})):
        assert "84" not in lines(rules, tongue)["poignee.sizes"].sentence


@each_language
@pytest.mark.parametrize("book", ids())
def test_every_line_is_a_sentence_with_its_citation(book: str, tongue: str) -> None:
    rules = load(book)
    for key, line in lines(rules, tongue).items():
        assert line.sentence[0].isupper() or line.sentence[0].isdigit(), key
        assert line.sentence.endswith("."), key
        assert not set(line.sentence) & set("{}[]_"), key
        assert line.cite == citation(rules, key) != "", key


def test_sections_follow_the_order_of_a_deal() -> None:
    assert [section.title for section in explain(load("dtf"))] == [
        "The table",
        "Cups",
        "Dealing",
        "Skat",
        "Declarations",
        "Skus",
        "Payments during play",
        "Last trick and ultimo",
        "Nolo and tout",
        "Card points",
        "Fines",
        "Strict table (mistakes are possible)",
        "Game length and cups at the end",
    ]
    assert [section.title for section in explain(load("french5"))] == [
        "Dealing",
        "Bidding",
        "The taker’s side",
        "Play and excuse",
        "Poignées",
        "Scoring",
        "Who pays what",
    ]


# --- another value, another sentence ------------------------------------------------------------------


@each_language
@pytest.mark.parametrize(
    ("book", "key", "kind"),
    [
        pytest.param(book, key, kind, id=f"{book}-{key}")
        for book, rules_type in (("jensen", DanishRules), ("basta", DanishRules), ("french5", FrenchRules))
        for key, kind in kinds(inspect.type_info(rules_type))
    ],
)
def test_another_value_of_a_parameter_reads_otherwise(
    book: str, key: str, kind: inspect.Type, tongue: str
) -> None:
    rules = load(book)
    value: Any = msgspec.to_builtins(rules)
    for word in key.split("."):
        value = value[word]
    values = [value, *others(key, kind, value)]
    line = covering(rules, key)[0]
    told = {said(with_value(rules, key, other), line, tongue) for other in values}
    assert len(told) == len({msgspec.json.encode(other) for other in values})


# --- samples ------------------------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("book", "key", "expected"),
    [
        ("vlk", "skat.forbidPagat", "Kings, trump 21 and the pagat may not be discarded."),
        (
            "jensen",
            "fine.revoke",
            "Not following suit (a revoke) means a fine of 40 points into each cup and cancels the deal.",
        ),
        (
            "basta",
            "fine.missingDecl",
            "A missing declaration: the player at fault is paid for an ultimo only as for the last trick.",
        ),
        ("basta", "fine.outOfTurn", "Playing out of turn has no fine."),
        (
            "basta",
            "deal.misdeal",
            "After a misdeal the dealer either pays each opponent and deals again, or pays nothing and lets "
            "the next player deal.",
        ),
        ("basta", "deal.misdealPay", "The payment for a misdeal is 5 points."),
        ("dtf", "deal.misdealPay", "The payment for a misdeal is 5 points."),
        (
            "vlk",
            "fine.wrongDecl",
            "A wrong declaration means a fine of 10 points into each cup; the player at fault is paid for an "
            "ultimo only as for the last trick and gives back what was received wrongly. "
            "Whoever discovers a wrong or missing declaration must say so at once.",
        ),
        (
            "dtf",
            "fine.earlyDecl",
            "A declaration made too early means a fine of 20 points into each cup and cancels the deal "
            "unless both opponents want to play on; "
            "only a declaration made before the dealer’s counts as early.",
        ),
        (
            "jensen",
            "fine.wrongDemand",
            "Demanding a skus that has been played means a fine of 20 points into each cup.",
        ),
        ("jensen", "ultimo.kingRange", "The book fixes this payment."),
        ("basta", "decl.nameMissing", "A half declaration does not say which card is missing."),
        (
            "basta",
            "deal.objectUntil",
            "A wrong number of cards is a misdeal until the first card is led; after that it is fined.",
        ),
        (
            "jensen",
            "fine.wrongSkat",
            "A wrong discard means a fine of 40 points into each cup and cancels the deal; "
            "it may be corrected until another player has declared something.",
        ),
        ("basta", "pay.kingLostCup", "A player who loses a king pays nothing into the king cup."),
        ("basta", "session.unit", "At the end the cups are shared out in chips of 1 point."),
        ("basta", "table.sizes", "There are 3 or 4 players at the table; three play each deal."),
        ("dtf", "table.sizes", "There are 3, 4 or 5 players at the table; three play each deal."),
        (
            "french3",
            "poignee.sizes",
            "A poignée (a handful of trumps shown for a bonus) has 13, 15 or 18 trumps.",
        ),
        (
            "french4",
            "target",
            "The more bouts (the 21, the petit, the excuse) in the taker’s tricks, the fewer points are "
            "needed: "
            "56 with 0, 51 with 1, 41 with 2 and 36 with 3.",
        ),
        ("french5", "share.partner", "The partner wins or loses the value of the deal ×1."),
    ],
)
def test_a_rule_reads_as_a_person_says_it(book: str, key: str, expected: str) -> None:
    assert sentence(book, key) == expected


def test_house_rules_are_told_as_they_are_played() -> None:
    assert sentence("dtf", "skus.demandable", skus_demandable=False) == "Nobody may demand the skus."
    assert sentence("dtf", "session.length", session_length={"rounds": 3}) == "The game ends after 3 rounds."
    assert sentence("dtf", "session.length", session_length={"deals": 1}) == "The game ends after 1 deal."
    assert sentence("dtf", "fine.revoke", fine_to="opponents").startswith(
        "Not following suit (a revoke) means a fine of 40 points to each opponent"
    )


@pytest.mark.parametrize(
    ("book", "key", "da", "fr", "de"),
    [
        (
            "dtf",
            "fine.revoke",
            "Kulørsvigt koster 40 point i hver kop og medfører, at spillet kasseres, "
            "medmindre begge modspillere vil spille videre.",
            "Une renonce se paie 40 points dans chaque pot et annule la donne, "
            "sauf si les deux adversaires veulent continuer.",
            "Falsches Bedienen kostet 40 Punkte in jeden Topf und beendet das Spiel, "
            "wenn nicht beide Gegner weiterspielen wollen.",
        ),
        (
            "basta",
            "fine.missingDecl",
            "En glemt melding: den skyldige får for en ultimo kun betaling som for sidste stik.",
            "Une annonce oubliée\N{NO-BREAK SPACE}: "
            "le fautif n’est payé pour un ultimo que comme pour le dernier pli.",
            "Eine vergessene Meldung: wer den Fehler gemacht hat, "
            "wird für einen Ultimo nur wie für den letzten Stich bezahlt.",
        ),
        (
            "basta",
            "pay.kingLostCup",
            "For en tabt konge betales intet i kongekoppen.",
            "Pour un roi perdu, on met 0 point au pot des rois.",
            "Ein verlorener König bringt nichts in den Königstopf.",
        ),
        (
            "french3",
            "poignee.sizes",
            "En poignée er på 13, 15 eller 18 trumfer.",
            "Une poignée se compose de 13, 15 ou 18 atouts.",
            "Eine Poignée besteht aus 13, 15 oder 18 Trümpfen.",
        ),
    ],
)
def test_a_rule_reads_as_a_person_says_it_in_his_language(
    book: str, key: str, da: str, fr: str, de: str
) -> None:
    told = {tongue: lines(load(book), tongue)[key].sentence for tongue in LANGUAGES[1:]}
    assert told == {"da": da, "fr": fr, "de": de}


# --- the words ----------------------------------------------------------------------------------------


def words(node: Any, place: str = "") -> Iterator[tuple[str, str]]:
    """Every word of a file with its place; what is a list has its places numbered."""
    if isinstance(node, str):
        yield place, node
        return
    for key, below in node.items() if isinstance(node, Mapping) else enumerate(node):
        yield from words(below, f"{place}/{key}")


SAME_IN_EVERY_LANGUAGE = {
    *(load(name).title for name in ids()),
    "1 point",
    "{} points",
    "Skat",
    "Skus",
    "Poignées",
    "Petit sec",
    "Petit in the last trick (petit au bout)",
}


def places(text: str) -> set[tuple[str, str | None]]:
    """What is filled in, and how it is told."""
    return {(field, how) for _, field, how, _ in string.Formatter().parse(text) if field is not None}


@each_language
def test_every_language_words_the_same_things_in_the_same_order(tongue: str) -> None:
    english, other = dict(words(tables("en", "rules"))), dict(words(tables(tongue, "rules")))
    assert list(other) == list(english)
    for place, text in other.items():
        assert text.strip() != "", place
        if not place.startswith("/amounts/"):  # a language may say nothing without a number
            assert places(text) == places(english[place]), place


@each_language
def test_only_what_is_a_name_reads_as_in_english(tongue: str) -> None:
    """Nothing has been left untranslated."""
    english = dict(words(tables("en", "rules")))
    same = {text for place, text in words(tables(tongue, "rules")) if text == english[place]}
    letters = {text for text in same if re.search(r"[A-Za-z]{3}", re.sub(r"\{.*?\}", "", text))}
    assert tongue == "en" or letters <= SAME_IN_EVERY_LANGUAGE


@pytest.mark.parametrize("name", ids())
def test_a_rulebook_has_a_title_and_a_character_in_every_language(name: str) -> None:
    rules = load(name)
    assert book(rules) == Book(rules.title, rules.about)
    assert len({book(rules, tongue).about for tongue in LANGUAGES}) == len(LANGUAGES)


def test_a_rulebook_of_ones_own_keeps_its_words() -> None:
    own = msgspec.structs.replace(load("dtf"), id="ours", title="Onsdagsklubben", about="As we play it.")
    assert book(own, "de") == Book("Onsdagsklubben", "As we play it.")


# --- differences --------------------------------------------------------------------------------------


def test_two_rulebooks_differ_in_sentences_and_citations() -> None:
    found = {difference.key: difference for difference in differences(load("jensen"), load("hermansen"))}
    assert list(found) == ["decl.words", "tout.count", "fine.wrongDecl", "fine.missingDecl"]
    assert found["tout.count"].sentence_a == "After a tout, card points are paid as usual."
    assert (
        found["tout.count"].sentence_b
        == "After a tout, each opponent pays a flat 25 points instead of card points."
    )
    assert found["tout.count"].cite_a == citation(load("jensen"), "tout.count")
    assert found["tout.count"].cite_b == citation(load("hermansen"), "tout.count")


def test_differences_are_told_in_every_language_where_they_are() -> None:
    a, b = load("jensen"), load("dtf")
    english = differences(a, b)
    for tongue in LANGUAGES[1:]:
        told = differences(a, b, tongue)
        assert [one.key for one in told] == [one.key for one in english]
        assert all(one.sentence_a != other.sentence_a for one, other in zip(told, english, strict=True))


@pytest.mark.parametrize(
    "house", [{"fine.to": "opponents"}, {"fine.revoke.amt": 50}, {"strict.follow": True}]
)
def test_only_what_is_set_differently_is_a_difference(house: dict[str, Any]) -> None:
    found = differences(load("jensen"), load("jensen", house))
    assert [difference.key for difference in found] == [key.removesuffix(".amt") for key in house]
    assert found[0].sentence_a != found[0].sentence_b


@pytest.mark.parametrize("book", ids())
def test_a_rulebook_does_not_differ_from_itself(book: str) -> None:
    assert differences(load(book), load(book)) == []


def test_danish_and_french_rules_are_not_compared() -> None:
    with pytest.raises(RulebookError, match="dtf and french4: family: one is Danish Tarok"):
        differences(load("dtf"), load("french4"))
