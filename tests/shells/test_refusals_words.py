"""Every reason for a refusal can be told in every language, and says what the English one says."""

from __future__ import annotations

import ast
import pickle
import string
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest

import ultimo
from ultimo import deal, rulebook
from ultimo.cards import Card
from ultimo.danish import refusals as danish
from ultimo.deal import begin
from ultimo.events import IllegalAction, Opened, Play
from ultimo.french import refusals as french
from ultimo.names import LANGUAGES, UnknownName, names, tables
from ultimo.telling.teller import Teller

SOURCES = Path(ultimo.__file__).parent
APART = ("record",)  # its errors tell a programmer which line of a file is wrong
OTHERS = LANGUAGES[1:]
WORDS = {*danish.SUIT_WORDS, *french.SUIT_WORDS, *french.ONE_OF.values(), *french.ALL_OF.values(), "or"}

each_other_language = pytest.mark.parametrize("tongue", OTHERS)


def teller(tongue: str, book: str = "dtf") -> Teller:
    return Teller(names(tongue), rulebook.load(book), ("Anna", "Bo", "Carl", "Dorte", "Emil"))


def places(text: str) -> set[str]:
    return {field for _, field, _, _ in string.Formatter().parse(text) if field is not None}


def refusals() -> Iterator[tuple[set[str], ast.Call]]:
    """Every place in the sources where a wish is refused, and with which sentences it may be."""
    for file in sorted(SOURCES.rglob("*.py")):
        if file.relative_to(SOURCES).parts[0] not in APART:
            tree = ast.parse(file.read_text(encoding="utf-8"))
            for node in ast.walk(tree):
                if isinstance(node, ast.Call) and getattr(node.func, "id", "") == "IllegalAction":
                    yield written(node.args[0], tree), node


def written(sentence: ast.expr, tree: ast.Module) -> set[str]:
    """A sentence as it stands in the source, there or as a constant of the module; or what is `due`."""
    match sentence:
        case ast.Constant(value=str(text)):
            return {text}
        case ast.Name(id="due"):
            return set(french.DUE.values())
        case ast.Name(id=name):
            return {
                str(one.value.value)
                for one in tree.body
                if isinstance(one, ast.Assign) and isinstance(one.value, ast.Constant)
                if ast.unparse(one.targets[0]) == name
            }
    return set()


# --- nothing is left in English ------------------------------------------------------------------------


def test_a_refusal_has_its_sentence_as_it_is_and_a_value_for_every_place() -> None:
    """A sentence that is put together could not be found in another language."""
    found = list(refusals())
    assert len(found) > 60
    for texts, node in found:
        assert texts, ast.unparse(node)
        for text in texts:
            assert places(text) == {keyword.arg for keyword in node.keywords}, ast.unparse(node)


@each_other_language
def test_every_sentence_has_a_translation_and_every_translation_a_sentence(tongue: str) -> None:
    sentences = {text for texts, _ in refusals() for text in texts}
    assert set(tables(tongue, "refusals")) == sentences | WORDS


@each_other_language
def test_a_translation_has_the_places_of_its_sentence(tongue: str) -> None:
    for english, translated in tables(tongue, "refusals").items():
        assert places(translated) == places(english), english
        assert translated == translated.strip() != "", english
        assert not translated.endswith("."), english


@each_other_language
def test_what_has_no_translation_is_not_told_in_english(tongue: str) -> None:
    with pytest.raises(UnknownName, match="no name for 'the cat is on the table'"):
        teller(tongue).refusal(IllegalAction("the cat is on the table"))


# --- what is said --------------------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("book", "error", "told"),
    [
        (
            "dtf",
            IllegalAction("you do not hold {card}", card=Card("SK")),
            ["you do not hold ♠K", "du har ikke ♠K", "vous n'avez pas ♠R", "du hast ♠K nicht"],
        ),
        (
            "dtf",
            IllegalAction("you must follow suit: {suit}", suit="tarok"),
            [
                "you must follow suit: tarok",
                "du skal bekende farve: tarok",
                "il faut fournir la couleur demandée : atout",
                "du musst Farbe bedienen: Tarock",
            ],
        ),
        (
            "french5",
            IllegalAction("it is the turn of {player}: {due}", player=3, due="bid or pass"),
            [
                "it is the turn of Dorte: bid or pass",
                "turen er hos Dorte: byd, eller meld pas",
                "c'est le tour de Dorte : enchérissez ou passez",
                "Dorte ist dran: reize oder passe",
            ],
        ),
        (
            "french5",
            IllegalAction("bid higher than {bid}, or pass", bid="sans"),
            [
                "bid higher than garde sans, or pass",
                "byd højere end garde sans, eller meld pas",
                "enchérissez au-dessus de : garde sans, ou passez",
                "reize höher als Hand oder passe",
            ],
        ),
        (
            "french5",
            IllegalAction("only who holds all four {all} may name {one}", all="kings", one="a queen"),
            [
                "only who holds all four kings may name a queen",
                "kun den, der har alle fire konger, må nævne en dame",
                "il faut avoir les quatre rois pour appeler une dame",
                "nur wer alle vier Könige hat, darf eine Dame rufen",
            ],
        ),
        (
            "french4",
            IllegalAction(
                "trumps may be laid only to make up the number: lay {cards} first",
                cards=(Card("S2"), Card("HQ")),
            ),
            [
                "trumps may be laid only to make up the number: lay ♠2 ♥Q first",
                "trumfer må kun lægges for at nå antallet: læg først ♠2 ♥D",
                "les atouts ne s'écartent que pour compléter : écartez d'abord ♠2 ♥D",
                "Trümpfe dürfen nur zum Auffüllen gedrückt werden: drücke zuerst ♠2 ♥D",
            ],
        ),
        (
            "basta",
            IllegalAction(
                "{book} is played by {sizes} at the table, not {table}", book="basta", sizes=(3, 4), table=5
            ),
            [
                "basta is played by 3 or 4 at the table, not 5",
                "basta spilles af 3 eller 4 ved bordet, ikke 5",
                "basta se joue à 3 ou 4 à la table, pas à 5",
                "basta wird zu 3 oder 4 am Tisch gespielt, nicht zu 5",
            ],
        ),
    ],
)
def test_a_refusal_is_told_with_the_words_of_the_language(
    book: str, error: IllegalAction, told: list[str]
) -> None:
    assert [teller(tongue, book).refusal(error) for tongue in LANGUAGES] == told


@pytest.mark.parametrize(
    ("values", "reason"),
    [
        ({"card": Card("T21")}, "card T21"),
        ({"cards": (Card("S2"), Card("HQ"))}, "cards S2 HQ"),
        ({"sizes": (3, 4, 5)}, "sizes 3 or 4 or 5"),
        ({"counts": (10, 13, 15)}, "counts 10, 13, 15"),
        ({"player": 2}, "player seat 2"),
        ({"count": 2}, "count 2"),
        ({"suit": "hearts"}, "suit hearts"),
    ],
)
def test_the_reason_is_the_english_sentence_in_notation(values: dict[str, Any], reason: str) -> None:
    (name,) = values
    error = IllegalAction(f"{name} {{{name}}}", "002 §8", **values)
    assert error.reason == reason
    assert str(error) == f"{reason} [002 §8]"
    assert (error.sentence, error.values, error.cite) == (f"{name} {{{name}}}", values, "002 §8")


def test_a_refusal_survives_the_way_to_another_process() -> None:
    error = IllegalAction("you do not hold {card}", "002 §8", card=Card("SK"))
    back = pickle.loads(pickle.dumps(error))
    assert (str(back), back.sentence, back.values) == (str(error), error.sentence, error.values)


@pytest.mark.parametrize(
    ("book", "players", "told"),
    [("dtf", 3, "der må ikke spilles kort nu"), ("french4", 4, "kortene er ikke givet")],
)
def test_what_the_rules_refuse_is_told(book: str, players: int, told: str) -> None:
    """Before any card is dealt."""
    rules = rulebook.load(book)
    opened = Opened(players, 0, (1, 2, 0) if players == 3 else tuple(range(players)))
    state = deal.replay(rules, begin(rules, opened))
    with pytest.raises(IllegalAction) as refused:
        deal.decide(rules, state, 1, Play(Card("SK")))
    assert teller("da", book).refusal(refused.value) == told
