"""How to play is told from the parameters: whole, true for the table, and in words that a newcomer knows."""

from __future__ import annotations

import json
import re
from collections.abc import Iterator
from functools import cache
from itertools import chain
from pathlib import Path
from typing import Any

import msgspec
import pytest
from msgspec import inspect

from commands import fails, ultimo
from parameters import kinds, others, with_value
from ultimo.names import LANGUAGES, learning
from ultimo.rulebook import DanishRules, FrenchRules, Rules, ids, load
from ultimo.telling.learning import chapters, comparisons, lessons
from ultimo.telling.writer import Block, CardRows, Chapter, Grid, Items, Passage, Writer

TABLES = [(book, size) for book in ids() for size in load(book).sizes]
each_table = pytest.mark.parametrize(("book", "size"), TABLES)
each_language = pytest.mark.parametrize("tongue", LANGUAGES)

# Which sentences speak about a parameter. `rules.…` is a line of the rules in sentences.
DANISH = {
    "table.sizes": "seats.sizes",
    "table.five": "seats.fiveDealsOut seats.twoSitOut seats.lot",
    "sitter.sees": "seats.seesPublic seats.seesAll",
    "cups.enabled": "cups.none cups.what aim.cups aim.bagudPlain last.kingPlain last.kingBagudPlain",
    "cups.found.king": "cups.allAtTable cups.active",
    "cups.found.pagat": "cups.allAtTable cups.active",
    "cups.foundBy": "cups.allAtTable cups.active seats.outFounds",
    "cups.ante": "cups.ante",
    "cups.moveDuty": "cups.move",
    "cups.lastTrickOrder": "last.snapshot last.ultimoFirst last.bagudFirst",
    "deal.misdeal": "rules.deal.misdeal",
    "deal.misdealPay": "rules.deal.misdealPay",
    "deal.objectUntil": "rules.deal.objectUntil",
    "deal.redealNoTarok": "deal.redeal deal.noRedeal",
    "skat.forbidPagat": "deal.pagat deal.pagatToo deal.pagatBlocks deal.highestBlocks",
    "skat.forbidDeclared": "deal.declared deal.declaredToo",
    "skat.tarokAllOrNone": "deal.allTrumps deal.someTrumps",
    "skat.skusForTout": "deal.skusTout deal.skus",
    "skat.discloseTarok": "deal.askNone deal.askAfterVoid deal.askOnDemand",
    "skat.discloseDeclared": "deal.tellNothing deal.tellFact deal.tellCards",
    "decl.dealerBasis": "declare.basis28 declare.basis25",
    "decl.tarok.min": "declare.tarokNeeds declare.run",
    "decl.tarok.base": "declare.run",
    "decl.tarok.step": "declare.run",
    "decl.matador.min": "declare.matadorNeeds declare.run",
    "decl.matador.base": "declare.run",
    "decl.matador.step": "declare.run",
    "decl.half": "declare.half declare.halfNeeds",
    "decl.nameMissing": "declare.nameMissing",
    "decl.full": "declare.full declare.fullNeeds",
    "decl.over": "declare.over declare.overNeeds",
    "decl.overfull": "declare.over declare.noOver",
    "decl.matadorsFromBelow": "declare.below declare.belowNeeds",
    "decl.words": "rules.decl.words",
    "decl.mode": "declare.auto declare.manual",
    "skus.demandable": "skus.thirdFreeDemand skus.thirdFree skus.demand",
    "skus.thirdLastVoluntary": "skus.thirdOnlyDemand skus.thirdNever",
    "skus.secondLastBarred": "skus.secondBarred skus.secondFree",
    "skus.rename": "skus.claim skus.nextDecides skus.never",
    "skus.swapOnRename": "skus.swap skus.noSwap",
    "skus.lastTrickLead": "skus.named skus.leadPasses",
    "pay.kingLost": "during.kingLost during.kingLostPlain",
    "pay.kingLostCup": "during.kingLost",
    "pay.pagatLost": "during.pagatLost during.pagatLostPlain",
    "pay.pagatLostCup": "during.pagatLost",
    "pay.pagatHome": "during.pagatHome",
    "pay.lastTrick": "last.plain",
    "ultimo.king": "last.king last.kingBagud",
    "ultimo.kingRange": "last.ranges",
    "ultimo.pagat": "last.pagat last.pagatBagud",
    "ultimo.pagatRange": "last.ranges",
    "ultimo.pagatExtra": "last.pagat last.pagatBagud",
    "ultimo.includesLastTrick": "last.includes last.onTop",
    "bagud.pagatExtraCup": "last.pagatBagudMore",
    "lastTrick.paidWithBagud": "last.paidToo last.notPaidToo",
    "nolo.pay": "nolo.nolo",
    "nolo.premium": "nolo.nolo",
    "nolo.announce": "nolo.announce nolo.atStart nolo.atTrick",
    "nolo.cancelsUltimo": "nolo.cancelsUltimo nolo.cancelsNeither",
    "nolo.cancelsLastTrick": "nolo.cancelsBoth nolo.cancelsLast",
    "nolo.cancelsCount": "nolo.noCount nolo.count",
    "tout.pay": "nolo.tout",
    "tout.announce": "nolo.announce nolo.atStart nolo.atTrick",
    "tout.count": "nolo.toutByCount nolo.toutFlat25 nolo.toutNone",
    "tout.takesCups": "nolo.tout nolo.toutPlain",
    "tout.excludesNolo": "nolo.noNolo nolo.alsoNolo",
    "tout.replacesLastTrick": "nolo.instead nolo.besides",
    "count.mode": "count.table count.exact count.off",
    "count.counters": "count.all count.forehandBalances count.middleBalances",
    "fine.to": "rules.fine.revoke",
    "fine.wrongSkat": "rules.fine.wrongSkat",
    "fine.wrongCards": "rules.fine.wrongCards",
    "fine.revoke": "rules.fine.revoke",
    "fine.wrongDecl": "rules.fine.wrongDecl",
    "fine.missingDecl": "rules.fine.missingDecl",
    "fine.earlyDecl": "rules.fine.earlyDecl",
    "fine.outOfTurn": "rules.fine.outOfTurn",
    "fine.falseTen": "rules.fine.falseTen",
    "fine.wrongDemand": "rules.fine.wrongDemand",
    "fine.cupsNotMoved": "rules.fine.cupsNotMoved",
    "strict.deal": "rules.strict.deal",
    "strict.cups": "rules.strict.cups",
    "strict.skat": "rules.strict.skat",
    "strict.declare": "rules.strict.declare",
    "strict.follow": "rules.strict.follow",
    "strict.turn": "rules.strict.turn",
    "strict.skusClaim": "rules.strict.skusClaim skus.claimSelf",
    "strict.skusDemand": "rules.strict.skusDemand",
    "strict.count": "rules.strict.count",
    "strict.lenient": "rules.strict.lenient",
    "session.unit": "end.worst end.lot",
    "session.length": "rules.session.length",
    "session.rest": "end.worst end.lot",
}
FRENCH = {
    "players": "deal.all aim.alone",
    "target": "count.needed",
    "base": "score.base score.example",
    "petitAuBout": "score.petit score.example",
    "round": "count.winner",
    "deal.packet": "deal.deal",
    "deal.hand": "deal.deal",
    "deal.chien": "deal.deal",
    "deal.chienForbiddenEnds": "deal.ends deal.end deal.noEnds",
    "deal.firstDealer": "deal.lot deal.lowestCard",
    "deal.shuffle": "deal.never deal.everyDeal",
    "deal.petitSec": "deal.petitSec deal.petitPlayed",
    "bid.ladder": "bids.taken bids.taker bids.defence chien.taken chien.closed score.example",
    "ecart.review": "chien.review chien.noReview",
    "poignee.sizes": "shows.trumps",
    "poignee.values": "shows.worth",
    "poignee.multiple": "shows.sum shows.largest",
    "poignee.ecartTrump": "shows.exclude shows.showAgain",
    "excuse.lastTrickReturn": "excuse.none excuse.half",
    "slam.announced": "shows.announced",
    "slam.silent": "shows.silent",
    "slam.failed": "shows.failed",
    "slam.defendersMayAnnounce": "shows.defenders",
    "call.card": "call.king aim.partner count.partner",
    "call.fallback": "call.lower call.onlyKing",
    "call.firstLeadBan": "call.ban call.noBan",
    "call.restrictAfterExcuse": "call.after call.notAfter",
    "share.taker": "score.sharePartner",
    "share.partner": "score.sharePartner",
    "share.alone": "score.shareAlone score.sharePartner",
    "fine.fault": "rules.fine.fault",
    "table.mort": "rules.table.mort",
}
# Which sentences tell a chapter of docs/rules.md. C12 and C13 are remarks on what the others say.
SPECIFIED = {
    "B0": "aim.what play.follow",
    "B1": "seats.three seats.four seats.fiveDealsOut seats.twoSitOut seats.right seats.next seats.out",
    "B2": "cups.what cups.allAtTable cups.ante cups.move last.again",
    "B3": "deal.deal deal.redeal rules.deal.misdeal",
    "B4": "deal.skat deal.never deal.kings deal.pagat deal.skus deal.allTrumps deal.declared",
    "B5": "declare.when declare.several declare.halfNeeds declare.fullNeeds declare.overNeeds",
    "B6": "play.lead play.follow play.win play.low",
    "B7": "skus.free skus.early skus.last skus.home skus.demand skus.led skus.nobody",
    "B8": "during.when during.kingLost during.pagatLost during.pagatHome during.thrown",
    "B9": "last.plain last.king last.pagat last.silent nolo.nolo nolo.keepsPaying nolo.tout",
    "B10": "count.what count.par count.example cards.four cards.none",
    "B11": "fines.prevented fines.possible fines.cancelled",
    "B12": "end.worst end.highest",
    "C1": "deal.deal count.needed shows.trumps",
    "C2": "deal.next deal.petitSec",
    "C3": "bids.how bids.times",
    "C4": "chien.taken chien.barred chien.closed",
    "C5": "shows.poignee shows.whose shows.excuse shows.slam",
    "C6": "play.lead play.follow play.trump play.over play.win",
    "C7": "excuse.free excuse.led excuse.kept excuse.lost excuse.wins",
    "C8": "score.petit score.petitSlam",
    "C9": "shows.announced shows.silent shows.failed",
    "C10": "score.formula score.example score.each score.lost count.exactly",
    "C11": "call.king call.alone call.ban",
    "C12": "excuse.none score.petitSlam",
    "C13": "deal.ends shows.exclude",
}
# What else must be so for a parameter to matter.
NEEDS: dict[str, dict[str, Any]] = {"skus.swapOnRename": {"strict.skusClaim": True}}


def words(blocks: tuple[Block, ...]) -> Iterator[str]:
    """All that stands in blocks, piece by piece; cards are pictures."""
    for block in blocks:
        match block:
            case Passage(text=said):
                yield said
            case Items(items=items):
                yield from items
            case Grid(head=head, rows=rows):
                yield from head
                yield from chain.from_iterable(rows)
            case CardRows(rows=card_rows):
                yield from (row.label for row in card_rows)


def text(told: tuple[Chapter, ...]) -> str:
    return "\n".join(piece for chapter in told for piece in (chapter.title, *words(chapter.blocks)))


@cache
def page(book: str, size: int, tongue: str) -> str:
    """How to play, without what differs from another book."""
    return text(lessons(Writer(load(book), size, tongue), load(book)))


def told(rules: Rules, size: int) -> tuple[str, frozenset[str]]:
    """What is told about rules in English, and under which keys."""
    writer = Writer(rules, size, "en")
    return text(lessons(writer, rules)), frozenset(writer.said)


# --- everything that is played is said ----------------------------------------------------------------


BOOKS = {"danish": ("jensen", "basta", "dtf"), "french": ("french5", "fft4")}


def values(rules: Rules, key: str, kind: inspect.Type) -> list[Any]:
    """The other values that a parameter may have."""
    value: Any = msgspec.json.decode(msgspec.json.encode(rules))
    for word in key.split("."):
        value = value[word]
    return [other for other in others(key, kind, value) if other != value]


@cache
def variants(family: str) -> dict[str, tuple[bool, frozenset[str]]]:
    """For every parameter: whether some book tells each of its other values otherwise, and what is said."""
    found = {}
    for key, kind in kinds(inspect.type_info(type(load(BOOKS[family][0])))):
        otherwise, said = False, frozenset[str]()
        for book in BOOKS[family]:
            plain = load(book, NEEDS.get(key))
            before = [told(plain, size) for size in plain.sizes]
            texts = [
                [told(with_value(plain, key, other), size) for size in plain.sizes]
                for other in values(plain, key, kind)
            ]
            otherwise |= all([text for text, _ in one] != [text for text, _ in before] for one in texts)
            said = said.union(*(keys for _, keys in chain(before, *texts)))
        found[key] = otherwise, said
    return found


@pytest.mark.parametrize(("family", "mapped"), [("danish", DANISH), ("french", FRENCH)])
def test_every_parameter_is_told_and_another_value_is_told_otherwise(
    family: str, mapped: dict[str, str]
) -> None:
    kind = DanishRules if family == "danish" else FrenchRules
    # a fine is one sentence, whatever its effects
    parameters = {re.sub(r"\.(amt|effect)$", "", key) for key, _ in kinds(inspect.type_info(kind))}
    assert parameters == set(mapped)
    found = variants(family)
    ever = frozenset[str]().union(*(said for _, said in found.values()))
    for key, (otherwise, said) in found.items():
        assert otherwise, f"another value of {key} reads the same"
        sentences = mapped[re.sub(r"\.(amt|effect)$", "", key)].split()
        needed = {one if one.startswith("rules.") else f"{family}.{one}" for one in sentences}
        assert needed & said, key
        assert needed <= ever, f"{key}: {needed - ever}"


def test_every_sentence_is_told_somewhere() -> None:
    said = frozenset[str]().union(*(keys for family in BOOKS for _, keys in variants(family).values()))
    assert {key for key in learning("en") if not key.startswith("shared.")} == {
        key for key in said if not key.startswith("rules.")
    }


def test_every_chapter_of_the_specification_is_told() -> None:
    specification = Path("docs/rules.md").read_text(encoding="utf-8")
    headings = re.findall(r"^## ([BC]\d+) ", specification, re.MULTILINE)
    assert set(headings) == set(SPECIFIED)
    for chapter, keys in SPECIFIED.items():
        family = "danish" if chapter.startswith("B") else "french"
        said = frozenset().union(*(told(load(book), size)[1] for book, size in TABLES))
        said |= told(load("dtf", {"strict.follow": True}), 3)[1]
        needed = {key if key.startswith("rules.") else f"{family}.{key}" for key in keys.split()}
        assert needed <= said, (chapter, needed - said)


# --- what a newcomer asks -----------------------------------------------------------------------------

RED_PIPS = {
    "danish": {
        "en": "2 of hearts beats the 9 of hearts",
        "da": "Hjerter 2 slår altså hjerter 9",
        "fr": "2 de cœur bat donc le 9 de cœur",
        "de": "Herz-2 schlägt also die Herz-9",
    },
    "french": {
        "en": "9 of hearts beats the 2 of hearts",
        "da": "Hjerter 9 slår altså hjerter 2",
        "fr": "9 de cœur bat donc le 2 de cœur",
        "de": "Herz-9 schlägt also die Herz-2",
    },
}
LOST_KING = {
    "en": "A lost king costs you {} points in all.",
    "da": "En tabt konge koster dig i alt {} point.",
    "fr": "Un roi perdu vous coûte {} points en tout.",
    "de": "Ein verlorener König kostet dich zusammen {} Punkte.",
}
FREE_CARD = {
    "danish": {
        "en": "You may play the skus instead of any other card",
        "da": "Du må lægge skusen i stedet for ethvert andet kort",
        "fr": "Vous pouvez jouer l’excuse à la place de n’importe quelle carte",
        "de": "Du darfst den Skus statt jeder anderen Karte spielen",
    },
    "french": {
        "en": "You may play the excuse at any time",
        "da": "Du må når som helst lægge excusen",
        "fr": "Vous pouvez jouer l’excuse à tout moment",
        "de": "Du darfst den Excuse jederzeit",
    },
}
PAR = {
    "en": "26. That is par",
    "da": "gennemsnittet er 26.",
    "fr": "26. C’est la moyenne",
    "de": "26. Das ist der Durchschnitt",
}
OPPOSITE = {
    "en": "The player opposite the dealer sits out.",
    "da": "Spilleren over for kortgiveren sidder over.",
    "fr": "Le joueur en face du donneur fait le mort.",
    "de": "Wer dem Geber gegenübersitzt, setzt aus.",
}
BOUTS = {
    "en": "the bouts: trump 21, the petit (trump 1) and the excuse",
    "da": "bouts: trumf 21, petiten (trumf 1) og excusen",
    "fr": "les bouts\u00a0: le 21 d’atout, le petit (le 1 d’atout) et l’excuse",
    "de": "die Spitzen: Trumpf 21, der Petit (Trumpf 1) und der Excuse",
}
OVERTRUMP = {
    "en": "you must overtrump: if you have a trump higher",
    "da": "skal du overtrumfe: Har du en trumf, der er højere",
    "fr": "il faut monter\u00a0: si vous avez un atout plus fort",
    "de": "musst du übertrumpfen: Hast du einen Trumpf, der höher ist",
}


@each_language
@each_table
def test_the_page_answers_what_a_newcomer_asks(book: str, size: int, tongue: str) -> None:
    rules, here = load(book), page(book, size, tongue)
    if isinstance(rules, FrenchRules):
        asked = [RED_PIPS["french"], FREE_CARD["french"], BOUTS, OVERTRUMP]
        assert all(one[tongue] in here for one in asked)
        assert [*"0123"] == [*rules.target]
        for bouts, points in rules.target.items():
            assert f"\n{bouts}\n{points}\n" in here
        return
    cost = 2 * rules.pay.king_lost + rules.pay.king_lost_cup
    assert all(one[tongue] in here for one in (RED_PIPS["danish"], FREE_CARD["danish"], PAR))
    assert LOST_KING[tongue].format(cost) in here
    assert (OPPOSITE[tongue] in here) == (size == 4)


REAL_CARDS = ("cups.short", "skus.show", "nolo.keepsPaying", "nolo.noUltimo")


@pytest.mark.parametrize("book", [book for book in ids() if isinstance(load(book), DanishRules)])
def test_what_only_players_with_real_cards_need_is_told_too(book: str) -> None:
    rules = load(book)
    assert isinstance(rules, DanishRules)
    _, said = told(rules, 4)
    assert {f"danish.{key}" for key in REAL_CARDS} <= said
    assert ("danish.skus.claimReal" in said) == (rules.skus.rename == "claim")
    assert ("danish.seats.outShares" in said) == (rules.cups.found_by == "active")
    assert "danish.skus.claimReal" not in told(load(book, {"strict.skusClaim": True}), 4)[1]


def test_the_words_of_a_book_stand_beside_ours() -> None:
    chapter = {one.id: one for one in lessons(Writer(load("basta"), 3, "da"), load("basta"))}["words"]
    about, grid = chapter.blocks
    assert isinstance(about, Passage)
    assert isinstance(grid, Grid)
    assert about.text.startswith("Bastas bog fra 1899 er en fjerde udgave")
    assert {("tarok 21", "mondo"), ("skus", "scus"), ("småkort", "ladoner")} <= {*grid.rows}
    assert "words" not in {one.id for one in lessons(Writer(load("fft4"), 4, "da"), load("fft4"))}


def test_a_house_rule_is_told_as_it_is_played() -> None:
    dear = load("dtf", {"pay.kingLost": 7, "pay.kingLostCup": 11})
    assert "A lost king costs you 25 points in all." in text(chapters(dear, 3))
    assert [chapter.id for chapter in comparisons(dear)] == ["house"]
    assert [chapter.id for chapter in comparisons(load("jensen", {"pay.kingLost": 7}))] == [
        "house",
        "differs",
    ]
    assert [*comparisons(load("dtf"))] == []


@each_language
@each_table
def test_nothing_internal_is_read(book: str, size: int, tongue: str) -> None:
    """No place in a document, no interpretation, no card in notation, no parameter, no place left open."""
    assert re.findall(r"\b00\d\b|\bI-|§|\bT\d+\b|\b[a-z]+\.[a-z]+|[{}_]", page(book, size, tongue)) == []


@each_language
def test_sentences_are_short(tongue: str) -> None:
    """A newcomer understands each at first reading."""
    for book, size in TABLES:
        chapter = lessons(Writer(load(book), size, tongue), load(book))
        for block in chain.from_iterable(one.blocks for one in chapter):
            if isinstance(block, Passage):
                for sentence in re.split(r"(?<=[.!?])\s", block.text):
                    assert len(sentence.split()) <= 45, sentence


@each_language
def test_every_language_has_the_same_sentences_with_the_same_places(tongue: str) -> None:
    def places(said: str) -> set[str]:
        return set(re.findall(r"\{[^}]*\}", said))

    english, other = learning("en"), learning(tongue)
    assert list(other) == list(english)
    for key, said in other.items():
        assert places(said) == places(english[key]), key
        assert "'" not in said, key
    same = {
        key
        for key in other
        if other[key] == english[key] and re.search(r"[a-z]{4}", re.sub(r"\{.*?\}", "", english[key]))
    }
    assert tongue == "en" or len(same) < 8, same


# --- the command --------------------------------------------------------------------------------------


def test_the_command_teaches_a_table_in_a_language() -> None:
    printed = ultimo("rules", "learn", "dtf", "--table", "4", "--lang", "da").out
    assert printed.startswith("Sådan spiller du: Dansk Tarokforbund, i dag\n")
    assert OPPOSITE["da"] in " ".join(printed.split())
    assert "♥K ♥D ♥C ♥Kn ♥1 ♥2" in printed
    assert max(map(len, printed.splitlines())) <= 100


def test_the_command_writes_a_page_to_print() -> None:
    printed = ultimo("rules", "learn", "french4", "--html", "--lang", "fr").out
    assert printed.startswith('<!doctype html>\n<html lang="fr">')
    assert printed.count("<h2") == len(chapters(load("french4"), 4, "fr"))
    assert "<td>3</td><td>36</td>" in printed


def test_the_command_for_programs_and_for_a_table_that_cannot_be() -> None:
    read = json.loads(ultimo("rules", "learn", "basta", "--set", "count.mode=off", "--json").out)
    assert [chapter["id"] for chapter in read][:3] == ["aim", "cards", "seats"]
    assert next(chapter for chapter in read if chapter["id"] == "count")["blocks"] == [
        {"kind": "passage", "text": "The cards are not counted at this table."}
    ]
    assert fails("rules", "learn", "basta", "--table", "5") == "basta is for 3 or 4 at the table, not 5"
