"""Every reason for a refusal can be told in every language."""

from __future__ import annotations

import ast
import pickle
import string
from collections.abc import Iterator
from functools import cache
from pathlib import Path

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
WORDS = {*danish.SUIT_WORDS, *french.SUIT_WORDS, *french.ONE_OF.values(), *french.ALL_OF.values(), "or"}

each_language = pytest.mark.parametrize("tongue", LANGUAGES)


def teller(tongue: str, book: str = "dtf") -> Teller:
    return Teller(names(tongue), rulebook.load(book), ("Anna", "Bo", "Carl", "Dorte", "Emil"))


def places(text: str) -> set[str]:
    return {field for _, field, _, _ in string.Formatter().parse(text) if field is not None}


@cache
def refusals() -> tuple[tuple[set[str], ast.Call], ...]:
    """Every place in the sources where a wish is refused, and under which keys it may be."""
    return tuple(_refusals())


def _refusals() -> Iterator[tuple[set[str], ast.Call]]:
    for file in sorted(SOURCES.rglob("*.py")):
        if file.relative_to(SOURCES).parts[0] not in APART:
            tree = ast.parse(file.read_text(encoding="utf-8"))
            for node in ast.walk(tree):
                if isinstance(node, ast.Call) and ast.unparse(node.func) in (
                    "IllegalAction",
                    "e.IllegalAction",
                ):
                    yield written(node.args[0], tree), node


def written(sentence: ast.expr, tree: ast.Module) -> set[str]:
    """A key as it stands in the source, there or as a constant of the module; or what is `due`."""
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


# --- every language has every sentence ----------------------------------------------------------------


def test_a_refusal_has_its_key_as_it_is_and_a_value_for_every_place() -> None:
    """A key that is put together could not be looked up in the sources."""
    found = list(refusals())
    assert len(found) > 60
    english = tables("en", "refusals")
    for keys, node in found:
        assert keys, ast.unparse(node)
        for key in keys:
            assert places(english[key]) == {keyword.arg for keyword in node.keywords}, ast.unparse(node)


def test_a_refusal_takes_its_citation_from_the_rulebook() -> None:
    """A book that stands in the code would be cited at every table."""
    written = [node.args[1] for _, node in refusals() if len(node.args) > 1]
    assert len(written) > 40
    assert [ast.unparse(cite) for cite in written if isinstance(cite, ast.Constant)] == []


@each_language
def test_every_key_of_the_sources_has_a_sentence_and_every_sentence_is_used(tongue: str) -> None:
    keys = {key for keys, _ in refusals() for key in keys}
    assert set(tables(tongue, "refusals")) == keys | WORDS


@each_language
def test_a_translation_has_the_places_of_the_english_sentence(tongue: str) -> None:
    for key, sentence in tables(tongue, "refusals").items():
        assert places(sentence) == places(tables("en", "refusals")[key]), key
        assert sentence == sentence.strip() != "", key
        assert not sentence.endswith("."), key


@each_language
def test_a_key_without_a_sentence_is_a_fault_that_is_told(tongue: str) -> None:
    with pytest.raises(UnknownName, match="no name for 'theCatIsOnTheTable'"):
        teller(tongue).refusal(IllegalAction("theCatIsOnTheTable"))


# --- what is said --------------------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("book", "error", "told"),
    [
        (
            "dtf",
            IllegalAction("notHeld", card=Card("SK")),
            [
                "you do not have ♠K",
                "du har ikke ♠K",
                "cette carte n’est pas dans votre jeu : ♠R",
                "du hast ♠K nicht",
            ],
        ),
        (
            "dtf",
            IllegalAction("follow", suit="tarok"),
            [
                "you must follow suit: trumps",
                "du skal bekende farve: tarok",
                "il faut fournir la couleur demandée\N{NO-BREAK SPACE}: atout",
                "du musst bedienen: Tarock",
            ],
        ),
        (
            "french5",
            IllegalAction("turnOf", player=3, due="bidOrPass"),
            [
                "it is Dorte’s turn: bid or pass",
                "det er Dorte, der har turen: byd, eller meld pas",
                "c’est à Dorte\N{NO-BREAK SPACE}: enchérissez ou passez",
                "Dorte ist dran: reize oder passe",
            ],
        ),
        (
            "french5",
            IllegalAction("bidHigher", bid="sans"),
            [
                "bid higher than garde sans, or pass",
                "byd højere end garde sans, eller meld pas",
                "enchérissez au-dessus de la garde sans, ou passez",
                "reize höher als Hand oder passe",
            ],
        ),
        (
            "french5",
            IllegalAction("callFallback", all="kings", one="aQueen"),
            [
                "you can call a queen only if you have all four kings",
                "kun den, der har alle fire konger, må kalde en dame",
                "il faut avoir les quatre rois pour appeler une dame",
                "nur wer alle vier Könige hat, darf eine Dame rufen",
            ],
        ),
        (
            "french4",
            IllegalAction(
                "trumpsToMakeUp",
                cards=(Card("S2"), Card("HQ")),
            ),
            [
                "discard ♠2 ♥Q first; trumps may only make up the number",
                "trumfer må kun lægges for at nå antallet: læg først ♠2 ♥D",
                "les atouts ne s’écartent que pour compléter l’écart : écartez d’abord ♠2 ♥D",
                "Trümpfe dürfen nur zum Auffüllen gedrückt werden: Drücke zuerst ♠2 ♥D",
            ],
        ),
        (
            "basta",
            IllegalAction("wrongTableSize", book="basta", sizes=(3, 4), table=5),
            [
                "basta is for 3 or 4 players, not 5",
                "basta spilles af 3 eller 4 ved bordet, ikke 5",
                "basta se joue à 3 ou 4, pas à 5",
                "basta ist für 3 oder 4 Spieler, nicht für 5",
            ],
        ),
    ],
)
def test_a_refusal_is_told_with_the_words_of_the_language(
    book: str, error: IllegalAction, told: list[str]
) -> None:
    assert [teller(tongue, book).refusal(error) for tongue in LANGUAGES] == told


@pytest.mark.parametrize(
    ("error", "reason"),
    [
        (IllegalAction("notHeld", card=Card("T21")), "you do not have T21"),
        (IllegalAction("noSuchSeat", seat=2, table=4), "there is no seat 2 at a table of 4"),
        (IllegalAction("follow", suit="hearts"), "you must follow suit: hearts"),
        (IllegalAction("noSuchBid", bid="solo"), "there is no bid solo at this table"),
        (IllegalAction("turnOf", player=2, due="bidOrPass"), "it is seat 2’s turn: bid or pass"),
        (
            IllegalAction("trumpsToMakeUp", cards=(Card("S2"), Card("HQ"))),
            "discard S2 HQ first; trumps may only make up the number",
        ),
        (
            IllegalAction("poigneeSizes", counts=(10, 13, 15)),
            "a poignée must have exactly this many trumps: 10, 13, 15",
        ),
        (
            IllegalAction("wrongTableSize", book="basta", sizes=(3, 4), table=5),
            "basta is for 3 or 4 players, not 5",
        ),
    ],
)
def test_the_reason_is_the_english_sentence_in_notation(error: IllegalAction, reason: str) -> None:
    assert error.reason == str(error) == reason
    cited = IllegalAction(error.key, "002 §8", **error.values)
    assert str(cited) == f"{reason} [002 §8]"


def test_a_refusal_survives_the_way_to_another_process() -> None:
    error = IllegalAction("notHeld", "002 §8", card=Card("SK"))
    back = pickle.loads(pickle.dumps(error))
    assert (str(back), back.key, back.values) == (str(error), error.key, error.values)


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
