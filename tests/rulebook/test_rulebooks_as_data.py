"""The rulebooks say exactly what rules D1–D3 say, and where it is written."""

from __future__ import annotations

import re
from collections.abc import Mapping
from typing import Any

import pytest

from table import DOCUMENTS
from ultimo.rulebook import DanishRules, FrenchRules, citation, ids, load, parameters

# --- the values of rules D, typed from there ----------------------------------------------------------

DANISH_BOOKS = ("jensen", "hermansen", "vlk", "basta", "dtf")
FRENCH_BOOKS = ("french3", "french4", "french5", "fft3", "fft4", "fft5")
BOOKS = DANISH_BOOKS + FRENCH_BOOKS

NOLO = [
    {"beforeTrick": 1, "win": 36, "premium": 90, "lose": 10},
    {"beforeTrick": 13, "win": 31, "premium": 25, "lose": 5},
]
TOUT = [
    {"beforeTrick": 1, "win": 52, "lose": 52},
    {"beforeTrick": 13, "win": 38, "lose": 38},
    {"beforeTrick": 20, "win": 31, "lose": 31},
]
SKAT = ["stop", "correctable"]
DECL = ["banUltimo", "repay"]
BOTH = ["consent", "banUltimo"]
VOTE = ["winNothing", "giveBack", "ultimoCost"]
FREE = [0, 1000]

D1: Mapping[str, tuple[Any, Any, Any, Any, Any]] = {  # jensen, hermansen, vlk, basta, dtf
    "table.sizes": ([3, 4, 5], [3, 4, 5], [3, 4, 5], [3, 4], [3, 4, 5]),
    "table.five": ("fiveDealsOut", "fiveDealsOut", "twoSitOut", "twoSitOut", "twoSitOut"),
    "cups.found.king": (20, 20, 20, 5, 20),
    "cups.found.pagat": (20, 20, 20, 10, 20),
    "cups.foundBy": ("allAtTable", "allAtTable", "allAtTable", "active", "allAtTable"),
    "cups.moveDuty": (False, False, False, False, True),
    "deal.misdeal": ("anteOrPass", "anteOrPass", "anteOrPass", "payEachOrPass", "correctAndFine"),
    "deal.objectUntil": ("takenUp", "takenUp", "takenUp", "firstLead", "takenUp"),
    "deal.redealNoTarok": (True, True, True, False, True),
    "skat.forbidPagat": (False, False, True, False, True),
    "skat.forbidDeclared": (True, True, True, False, True),
    "skat.tarokAllOrNone": (True, True, True, False, True),
    "skat.skusForTout": (True, True, True, True, False),
    "skat.discloseTarok": ("afterVoid", "afterVoid", "afterVoid", "none", "onDemand"),
    "skat.discloseDeclared": ("fact", "fact", "fact", "none", "cards"),
    "decl.dealerBasis": (28, 28, 28, 25, 28),
    "decl.overfull": (True, True, True, True, True),
    "decl.matadorsFromBelow": (False, False, False, False, False),
    "decl.nameMissing": (True, True, True, False, True),
    "decl.words": ("jensen", "hermansen", "vlk", "basta", "dtf"),
    "skus.demandable": (True, True, True, False, True),
    "skus.rename": ("claim", "claim", "claim", "nextDecides", "claim"),
    "skus.swapOnRename": (True, True, True, True, True),
    "skus.lastTrickLead": ("named", "named", "named", "named", "leadPasses"),
    "pay.kingLostCup": (5, 5, 5, 0, 5),
    "pay.lastTrick": (20, 20, 20, 5, 20),
    "ultimo.king": (40, 40, 40, 30, 40),
    "ultimo.kingRange": (FREE, FREE, FREE, [10, 30], FREE),
    "ultimo.pagat": (40, 40, 40, 40, 40),
    "ultimo.pagatRange": (FREE, FREE, FREE, [15, 40], FREE),
    "ultimo.pagatExtra": (5, 5, 5, 0, 5),
    "ultimo.includesLastTrick": (True, True, True, False, True),
    "bagud.pagatExtraCup": (5, 5, 5, 0, 0),
    "nolo.cancelsUltimo": (True, True, True, False, True),
    "nolo.cancelsLastTrick": (False, False, False, False, True),
    "nolo.pay": (25, 25, 25, 26, 25),
    "nolo.premium": (0, 0, 0, 15, 0),
    "nolo.announce": ([], [], [], NOLO, []),
    "tout.pay": (80, 80, 80, 26, 80),
    "tout.announce": ([], [], [], TOUT, []),
    "tout.count": ("byCount", "flat25", "byCount", "none", "byCount"),
    "count.mode": ("table5", "table5", "table5", "exact", "table5"),
    "count.counters": ("twoAndBalance", "twoAndBalance", "twoAndBalance", "all", "twoAndBalance"),
    "fine.to": ("cups", "cups", "cups", "opponents", "cups"),
    "fine.wrongSkat.amt": (40, 40, 40, 15, 40),
    "fine.wrongSkat.effect": (SKAT, SKAT, SKAT, ["noDeclare", "winNothing"], ["consent"]),
    "fine.wrongCards.amt": (40, 40, 40, 15, 40),
    "fine.wrongCards.effect": (["stop"], ["stop"], ["stop"], ["winNothing", "ultimoCost"], ["consent"]),
    "fine.revoke.amt": (40, 40, 40, 15, 40),
    "fine.revoke.effect": (["stop"], ["stop"], ["stop"], VOTE, ["consent"]),
    "fine.wrongDecl.amt": (10, 40, 10, 0, 40),
    "fine.wrongDecl.effect": (DECL, ["stop", "repay"], DECL, ["repay"], [*BOTH, "repay"]),
    "fine.missingDecl.amt": (10, 40, 10, 0, 40),
    "fine.missingDecl.effect": (["banUltimo"], ["stop"], ["banUltimo"], ["banUltimo"], BOTH),
    "fine.earlyDecl.amt": (0, 0, 0, 0, 20),
    "fine.earlyDecl.effect": ([], [], [], ["noPayForIt"], ["onlyBeforeDealer", "consent"]),
    "fine.outOfTurn.amt": (0, 0, 0, 0, 20),
    "fine.outOfTurn.effect": ([], [], [], [], ["consent"]),
    "fine.falseTen": (0, 0, 0, 15, 0),
    "fine.wrongDemand": (20, 20, 20, 0, 20),
    "session.unit": (5, 5, 5, 1, 5),
}

D2: Mapping[str, Any] = {  # the same in all Danish books
    "cups.enabled": True,
    "cups.ante": 5,
    "cups.lastTrickOrder": "snapshot",
    "deal.misdealPay": 5,
    "fine.cupsNotMoved": 5,
    "decl.tarok.min": 10,
    "decl.tarok.base": 10,
    "decl.tarok.step": 5,
    "decl.matador.min": 3,
    "decl.matador.base": 10,
    "decl.matador.step": 5,
    "decl.half": 5,
    "decl.full": 10,
    "decl.over": 15,
    "decl.mode": "auto",
    "skus.thirdLastVoluntary": True,
    "skus.secondLastBarred": True,
    "pay.kingLost": 5,
    "pay.pagatLost": 5,
    "pay.pagatHome": 5,
    "pay.pagatLostCup": 5,
    "lastTrick.paidWithBagud": True,
    "nolo.cancelsCount": True,
    "tout.takesCups": True,
    "tout.excludesNolo": True,
    "tout.replacesLastTrick": True,
    "strict.deal": False,
    "strict.cups": False,
    "strict.skat": False,
    "strict.declare": False,
    "strict.follow": False,
    "strict.turn": False,
    "strict.skusClaim": False,
    "strict.skusDemand": False,
    "strict.count": False,
    "strict.lenient": False,
    "session.length": "open",
    "session.rest": "worst",
    "sitter.sees": "public",
}

LADDER = [
    {"id": "petite", "mult": 1, "chien": "taken"},
    {"id": "garde", "mult": 2, "chien": "taken"},
    {"id": "sans", "mult": 4, "chien": "taker"},
    {"id": "contre", "mult": 6, "chien": "defence"},
]

D3: Mapping[str, tuple[Any, Any, Any, Any, Any, Any]] = {  # french3, french4, french5, fft3, fft4, fft5
    "players": (3, 4, 5, 3, 4, 5),
    "deal.packet": (4, 3, 3, 4, 3, 3),
    "deal.hand": (24, 18, 15, 24, 18, 15),
    "deal.chien": (6, 6, 3, 6, 6, 3),
    "deal.chienForbiddenEnds": (3, 3, 3, 1, 1, 1),
    "deal.firstDealer": ("lot", "lot", "lot", "lowestCard", "lowestCard", "lowestCard"),
    "deal.shuffle": ("everyDeal", "everyDeal", "everyDeal", "everyDeal", "everyDeal", "everyDeal"),
    "deal.petitSec": ("redeal", "redeal", "redeal", "redeal", "redeal", "redeal"),
    "bid.ladder": (LADDER, LADDER, LADDER, LADDER, LADDER, LADDER),
    "target.0": (56, 56, 56, 56, 56, 56),
    "target.1": (51, 51, 51, 51, 51, 51),
    "target.2": (41, 41, 41, 41, 41, 41),
    "target.3": (36, 36, 36, 36, 36, 36),
    "ecart.review": (True, True, True, False, False, False),
    "table.mort": (False, False, False, False, False, False),
    "fine.fault": ("none", "none", "none", "voidIfWon", "voidIfWon", "voidIfWon"),
    "poignee.sizes": ([13, 15, 18], [10, 13, 15], [8, 10, 13], [13, 15, 18], [10, 13, 15], [8, 10, 13]),
    "poignee.values": ([20, 30, 40], [20, 30, 40], [20, 30, 40], [20, 30, 40], [20, 30, 40], [20, 30, 40]),
    "poignee.multiple": ("sum", "sum", "largest", "sum", "sum", "sum"),
    "poignee.ecartTrump": ("exclude", "exclude", "exclude", "showAgain", "showAgain", "showAgain"),
    "excuse.lastTrickReturn": ("none", "none", "none", "half", "half", "half"),
    "slam.announced": (400, 400, 400, 400, 400, 400),
    "slam.silent": (200, 200, 200, 200, 200, 200),
    "slam.failed": (-200, -200, -200, -200, -200, -200),
    "slam.defendersMayAnnounce": (False, False, False, False, False, False),
    "petitAuBout": (10, 10, 10, 10, 10, 10),
    "base": (25, 25, 25, 25, 25, 25),
    "round": ("winner", "winner", "winner", "winner", "winner", "winner"),
    "call.card": ("none", "none", "king", "none", "none", "king"),
    "call.fallback": ([], [], ["queen", "knight", "jack"], [], [], ["queen", "knight", "jack"]),
    "call.firstLeadBan": (False, False, True, False, False, True),
    "call.restrictAfterExcuse": (False, False, True, False, False, False),
    "share.taker": (2, 3, 2, 2, 3, 2),
    "share.partner": (0, 0, 1, 0, 0, 1),
    "share.alone": (2, 3, 4, 2, 3, 4),
}


def test_the_rulebooks_come_with_the_package() -> None:
    assert ids() == tuple(sorted(BOOKS))


@pytest.mark.parametrize("book", DANISH_BOOKS)
def test_a_danish_rulebook_has_exactly_the_values_of_the_specification(book: str) -> None:
    column = DANISH_BOOKS.index(book)
    assert parameters(load(book)) == {**{key: row[column] for key, row in D1.items()}, **D2}


@pytest.mark.parametrize("book", FRENCH_BOOKS)
def test_a_french_rulebook_has_exactly_the_values_of_the_specification(book: str) -> None:
    column = FRENCH_BOOKS.index(book)
    assert parameters(load(book)) == {key: row[column] for key, row in D3.items()}


@pytest.mark.parametrize("book", BOOKS)
def test_a_rulebook_names_itself_its_family_and_its_character(book: str) -> None:
    rules = load(book)
    assert rules.id == book
    assert isinstance(rules, DanishRules if book in DANISH_BOOKS else FrenchRules)
    assert rules.title.strip()
    assert re.fullmatch(r"[A-Z].*\.", rules.about)


@pytest.mark.parametrize(("book", "sizes"), [("basta", (3, 4)), ("dtf", (3, 4, 5)), ("french5", (5,))])
def test_a_rulebook_knows_how_many_may_sit_down(book: str, sizes: tuple[int, ...]) -> None:
    assert load(book).sizes == sizes


def test_a_fine_exists_if_it_costs_or_does_something() -> None:
    basta = load("basta")
    assert isinstance(basta, DanishRules)
    assert basta.fine.revoke.exists
    assert basta.fine.wrong_decl.exists
    assert not basta.fine.out_of_turn.exists


# --- citations ----------------------------------------------------------------------------------------


@pytest.mark.parametrize("book", BOOKS)
def test_every_parameter_has_a_citation_that_names_a_source_or_says_silent(book: str) -> None:
    rules = load(book)
    for key in parameters(rules):
        assert re.search(
            r"\b(00[0-6]|VLK) \S|\bI-(\d+|[CF])\.\d+|\bsilent in 00[0-6]\b", citation(rules, key)
        ), key


@pytest.mark.parametrize("book", BOOKS)
def test_a_rulebook_cites_no_other_book(book: str) -> None:
    rules = load(book)
    cited = " ".join(citation(rules, key) for key in parameters(rules))
    assert set(re.findall(r"\b\d{3}\b|\bVLK\b", cited)) == DOCUMENTS[book]


def test_rules_can_be_hashed_with_their_citations() -> None:
    assert hash(load("dtf")) == hash(load("dtf", {"pay.lastTrick": 20}))


def test_a_citation_is_the_own_one_or_that_of_the_innermost_table() -> None:
    jensen, french = load("jensen"), load("french4")
    assert citation(jensen, "lastTrick.paidWithBagud") == "silent in 000; I-9.6"
    assert citation(jensen, "fine.outOfTurn.amt") == "silent in 000"
    assert citation(jensen, "fine.outOfTurn") == "silent in 000"
    assert citation(jensen, "fine.to") not in ("silent in 000", "")
    assert citation(french, "players") == "002 §1"
    assert citation(french, "target.2") == citation(french, "target") == dict(french.cites)["target"]
