"""Why a score sheet refuses an entry can be told in every language, with the names of those who play."""

from __future__ import annotations

import ast
import pickle
import string
from collections.abc import Iterator
from pathlib import Path

import pytest

import ultimo
from ultimo import rulebook
from ultimo.cards import Card
from ultimo.club import sheet as s
from ultimo.club.entries import DanishDeal
from ultimo.events import Declaration, ImpossibleOutcome
from ultimo.names import LANGUAGES, UnknownName, club_words, names, tables
from ultimo.telling.teller import Teller

SOURCES = Path(ultimo.__file__).parent
PLAYERS = ("Karen", "Bo", "Ida")
NBSP = "\N{NO-BREAK SPACE}"

each_language = pytest.mark.parametrize("tongue", LANGUAGES)


def places(text: str) -> set[str]:
    return {field for _, field, _, _ in string.Formatter().parse(text) if field is not None}


def raised(error: str, place: int, files: str = "**/*.py") -> Iterator[tuple[str, ast.Call]]:
    """Every place in the sources that makes such an error, with its key."""
    for file in sorted(SOURCES.glob(files)):
        for node in ast.walk(ast.parse(file.read_text(encoding="utf-8"))):
            if isinstance(node, ast.Call) and ast.unparse(node.func) == error and len(node.args) > place:
                key = node.args[place]
                assert isinstance(key, ast.Constant), ast.unparse(node)
                yield str(key.value), node


@each_language
def test_every_reason_has_its_words_with_the_same_places(tongue: str) -> None:
    found, words = list(raised("ImpossibleOutcome", 1)), tables(tongue, "outcomes")
    assert len(found) > 60
    assert {key for key, _ in found} == set(words)
    for key, node in found:
        assert places(words[key]) == {keyword.arg for keyword in node.keywords}, ast.unparse(node)
    for key, sentence in words.items():
        assert sentence == sentence.strip() != "", key
        assert not sentence.endswith("."), key


@each_language
def test_every_refusal_of_sheet_and_club_has_its_words_with_the_same_places(tongue: str) -> None:
    made = [*raised("Refused", 0, "club/*.py"), *raised("s.Refused", 0, "server/sheets.py")]
    made += [*raised("s.Refused", 0, "club/*.py"), *raised("Refused", 0, "server/club*.py")]
    club = [(key, node) for key, node in made if key != "impossible"]
    words = {key.removeprefix("refused."): text for key, text in club_words(tongue).items()}
    assert len(club) > 10
    for key, node in club:
        assert places(words[key]) == {keyword.arg for keyword in node.keywords}, ast.unparse(node)


def told(book: str, error: ImpossibleOutcome) -> list[str]:
    return [Teller(names(tongue), rulebook.load(book), PLAYERS).impossible(error) for tongue in LANGUAGES]


@pytest.mark.parametrize(
    ("book", "error", "english", "sentences"),
    [
        (
            "dtf",
            ImpossibleOutcome("counts", "fewerThanTricks", player=2, least=9, count=7),
            "counts: seat 2 has 9 points for tricks alone, not 7",
            [
                "Ida has 9 points for tricks alone, not 7",
                "Ida har 9 point alene for stik, ikke 7",
                "Ida a 9 points rien que pour les plis, pas 7",
                "Ida hat allein für Stiche 9 Punkte, nicht 7",
            ],
        ),
        (
            "dtf",
            ImpossibleOutcome("last", "doesNotBeat", card=Card("SK"), other=Card("T1")),
            "last: SK does not beat T1",
            [
                "♠K does not beat pagat",
                "♠K stikker ikke pagat",
                f"la première carte ne bat pas la seconde{NBSP}: ♠R, petit",
                "♠K schlägt Pagat nicht",
            ],
        ),
        (
            "basta",
            ImpossibleOutcome(
                "declarations",
                "noSuchDeclaration",
                player=1,
                book="basta",
                declaration=Declaration("matadorsBelow", 3),
            ),
            "declarations: seat 1: there is no such declaration in basta: matadorsBelow 3",
            [
                "Bo: there is no such declaration in M. Basta, 1899: 3 matadors from below",
                "Bo: den melding findes ikke i M. Basta, 1899: 3 matadorer fra neden",
                f"Bo{NBSP}: cette annonce n’existe pas dans M. Basta, 1899{NBSP}: 3 matadors par le bas",
                "Bo: Diese Meldung gibt es in M. Basta, 1899 nicht: 3 Matadore von unten",
            ],
        ),
        (
            "jensen",
            ImpossibleOutcome("fines", "noSuchFine", book="jensen", offence="outOfTurn"),
            "fines: jensen has no fine for this: outOfTurn",
            [],
        ),
        (
            "dtf",
            ImpossibleOutcome("table", "tableSizes", book="dtf", sizes=(3, 4)),
            "table: dtf is played by 3 or 4 at the table",
            [],
        ),
        (
            "french4",
            ImpossibleOutcome("bid", "noSuchBid", text="solo", bids=("petite", "contre")),
            "bid: 'solo' is not among petite, contre",
            [],
        ),
    ],
)
def test_a_reason_is_told_with_names_and_cards(
    book: str, error: ImpossibleOutcome, english: str, sentences: list[str]
) -> None:
    assert str(error) == english
    found = told(book, error)
    assert not sentences or found == sentences
    assert all("{" not in one for one in found)
    assert len(set(found)) == len(LANGUAGES)


def test_a_refused_entry_names_who_cannot_have_it() -> None:
    sheet = s.fold([s.Opened(rules="dtf", names=PLAYERS, by="Karen")])
    entry = DanishDeal(winner=1, nolo=(2,), counts={1: 60, 2: 3})
    with pytest.raises(s.Refused) as refused:
        s.decide(sheet, s.Booked(entry=entry, by="Karen"))
    assert refused.value.told("da", sheet) == "Ida har ingen stik: bunken er tom eller rummer skusen"
    assert refused.value.reason == "seat 2 has no trick: the pile holds nothing, or the skus"
    assert refused.value.told("da") == "sådan kan intet spil være gået"


def test_a_reason_survives_the_way_to_another_process_and_an_unknown_one_is_a_fault() -> None:
    error = ImpossibleOutcome("counts", "sumOfCounts", count=79, all=78)
    back = pickle.loads(pickle.dumps(error))
    assert (str(back), back.field, back.values) == (str(error), error.field, error.values)
    with pytest.raises(UnknownName, match="theCatIsOnTheTable"):
        told("dtf", ImpossibleOutcome("counts", "theCatIsOnTheTable"))
