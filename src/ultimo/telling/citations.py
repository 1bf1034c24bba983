"""Where a rule is written, in words: a citation of a rulebook as a reader understands it, and what it opens.

A citation is parts between semicolons: a source with its places (`000 Skusen d, Selve spillet`), one that
says nothing (`silent in 001`) or something else (`unlike 002 §5`), interpretations (`I-9.5, I-9.20`).
Whatever else stands there, such as the paper of a club in a rulebook of its own, is taken as it is.
`names/citations` has the words: what the sources are called, what each interpretation has decided and why.

>>> words("000 Skusen d, SELVE SPILLET; I-6.3", "en")
'Jensen (1960s), “Skusen” d, “Selve spillet”; our interpretation'
>>> words("silent in 004", "de"), words("Minutes of 1971", "fr")
('Der Verband (DTF) sagt dazu nichts', 'Minutes of 1971')
"""

from __future__ import annotations

import re
from functools import cache, lru_cache
from typing import Any, TypeAlias

from msgspec import Struct

from ultimo.events import Reason, Transfer
from ultimo.names import LANGUAGES, capital, tables
from ultimo.rulebook import Rules, citation, remembered
from ultimo.telling.rules_words import explain

SOURCE = re.compile(r"(unlike )?(00[0-6]|VLK) (.+)")
SILENT = re.compile(r"(?:.*: )?silent in (00[0-6])(?:: .*)?")  # old records say what it is silent about
INTERPRETATION = re.compile(r"I-(?:\d+|[CF])\.\d+")
PLACE = re.compile(r"(?P<title>.*?)(?: (?P<item>\(\d\)|[A-C]|[a-m]|[a-m]–[a-m]|\d+|\d+–\d+))?")
ITEM = re.compile(r"[A-C]|[a-m]|\d+")
PAGE = re.compile(r"p(\d+)")
FEW = 3  # rules that are told for one payment
KEPT = 4096  # citations in words; a record of others may have any

# The parameters by which a payment may be made; the citation says which of them it was.
RULES: dict[Reason, tuple[str, ...]] = {
    "found": ("cups.found",),
    "shortFounding": ("cups.found",),
    "ante": ("cups.ante",),
    "misdeal": ("deal.misdeal",),
    "declaration": ("decl.tarok", "decl.matador", "decl.half", "decl.full", "decl.over"),
    "kingLost": ("pay.kingLost",),
    "pagatLost": ("pay.pagatLost",),
    "pagatHome": ("pay.pagatHome",),
    "lastTrick": ("pay.lastTrick",),
    "kingUltimo": ("ultimo.king",),
    "pagatUltimo": ("ultimo.pagat",),
    "kingBagud": ("ultimo.king",),
    "pagatBagud": ("ultimo.pagat",),
    "nolo": ("nolo.pay",),
    "noloLost": ("nolo.announce",),
    "tout": ("tout.pay",),
    "toutLost": ("tout.announce",),
    "count": ("count.mode", "tout.count"),
    "fine": (
        "fine.wrongSkat",
        "fine.wrongCards",
        "fine.revoke",
        "fine.wrongDecl",
        "fine.missingDecl",
        "fine.earlyDecl",
        "fine.outOfTurn",
        "fine.falseTen",
        "fine.wrongDemand",
        "fine.cupsNotMoved",
    ),
    "repay": ("fine.wrongDecl", "fine.wrongSkat"),
    "giveBack": ("fine.revoke",),
    "ultimoCost": ("fine.revoke",),
    "division": ("session.unit",),
    "divisionRest": ("session.rest",),
    "contract": ("base",),
    "petitAuBout": ("petitAuBout",),
    "poignee": ("poignee.values",),
    "slam": ("slam.announced", "slam.silent", "slam.failed"),
}


class Place(Struct, frozen=True):
    """A section of a source, with items of it; a `§` and a page, `p4`, have no title."""

    title: str
    items: tuple[str, ...] = ()


class Source(Struct, frozen=True):
    """Places of one source, which may be `unlike` what is played."""

    source: str
    places: tuple[Place, ...]
    unlike: bool = False


class Silent(Struct, frozen=True):
    """A source that says nothing about it."""

    source: str


class Decided(Struct, frozen=True):
    """Interpretations."""

    ids: tuple[str, ...]


class Free(Struct, frozen=True):
    """Words that no grammar is needed for."""

    words: str


Part: TypeAlias = Source | Silent | Decided | Free


class Cited(Struct, frozen=True):
    """Where something is written, and the sentences that explain it."""

    words: str
    why: tuple[str, ...] = ()


@cache
def parse(cite: str) -> tuple[Part, ...]:
    """The parts of a citation."""
    return tuple(_part(part) for part in cite.split("; ") if part)


def _part(text: str) -> Part:
    if found := SOURCE.fullmatch(text):
        return Source(found[2], _places(found[3]), bool(found[1]))
    if found := SILENT.fullmatch(text):
        return Silent(found[1])
    ids = tuple(text.split(", "))
    return Decided(ids) if all(map(INTERPRETATION.fullmatch, ids)) else Free(text)


def _places(text: str) -> tuple[Place, ...]:
    places: list[Place] = []
    for piece in text.split(", "):
        if places and ITEM.fullmatch(piece):  # one more item of the section before
            last = places.pop()
            places.append(Place(last.title, (*last.items, piece)))
            continue
        found = PLACE.fullmatch(piece)
        assert found is not None
        items = (found["item"],) if found["item"] else ()
        places.append(Place(_title(found["title"]), items))
    return tuple(places)


def _title(title: str) -> str:
    """A heading as a name; old records have those that a book prints in capitals in capitals."""
    return title.capitalize() if title.isupper() else title


def words(cite: str, language: str) -> str:
    """A citation in the words of a language; titles of sections keep that of their book."""
    told = tables(language, "citations")
    return capital(told["form"]["apart"].join(_told(part, told) for part in parse(cite)))


def _told(part: Part, told: Any) -> str:
    form, sources = told["form"], told["sources"]
    match part:
        case Source(source=source, places=places, unlike=unlike):
            told_there = ", ".join([sources[source], *(_place(place, form) for place in places)])
            return str(form["unlike"]).format(told_there) if unlike else told_there
        case Silent(source=source):
            return str(form["silent"]).format(source=sources[source])
        case Decided():
            return str(form["decided"])
        case Free(words=free):
            return free


def _place(place: Place, form: Any) -> str:
    if place.title.startswith("§"):
        return place.title
    if page := PAGE.fullmatch(place.title):
        return str(form["page"]).format(page[1])
    title = form["intro"] if place.title == "intro" else form["title"].format(place.title)
    return " ".join([title, ", ".join(place.items)]).rstrip()


def decisions(cite: str, language: str) -> tuple[str, ...]:
    """What the interpretations of a citation have decided, a sentence or two each."""
    told = tables(language, "citations")["interpretations"]
    return tuple(
        told[one] for part in parse(cite) if isinstance(part, Decided) for one in part.ids if one in told
    )


@lru_cache(KEPT)
def cited(cite: str, language: str) -> Cited:
    """A citation in words, and why it was read so; a scene asks for the same few again and again."""
    return Cited(words(cite, language), decisions(cite, language))


def cited_if(cite: str, language: str) -> Cited | None:
    """The same, where there is a citation."""
    return cited(cite, language) if cite else None


def entry(transfer: Transfer) -> str:
    """What stands for the citation of a payment in a legend: not for persons."""
    return f"{transfer.reason} {transfer.cite}"


def of_payment(rules: Rules, transfer: Transfer, language: str) -> Cited:
    """The citation of a payment; what explains it begins with the rule by which it is made."""
    said = cited(transfer.cite, language)
    return Cited(said.words, (*_rules(rules, transfer, language), *said.why))


def _rules(rules: Rules, transfer: Transfer, language: str) -> tuple[str, ...]:
    """The sentences of the rules by which a payment is made, unless it can be one of too many."""
    keys = RULES[transfer.reason]
    if len(keys) > 1:
        keys = tuple(key for key in keys if citation(rules, key) == transfer.cite)
    told = _sentences(rules)[language]
    return tuple(told[key] for key in keys if key in told) if len(keys) <= FEW else ()


def rule_of(rules: Rules, key: str, language: str) -> str:
    """What the rules say about a parameter."""
    return _sentences(rules)[language][key]


@remembered
def _sentences(rules: Rules) -> dict[str, dict[str, str]]:
    """The sentences of all rules, by language and key."""
    return {
        language: {line.key: line.sentence for section in explain(rules, language) for line in section.lines}
        for language in LANGUAGES
    }
