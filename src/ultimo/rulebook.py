"""A rulebook is data: what a table plays, and where that is written down.

Each file of `rulebooks/` states every parameter (or names one parent that does), every table with its
citation; a parameter that is written elsewhere than its table has its own under `[cites]`. House rules are
overrides on top, `{"skus.demandable": False}`, and are recorded with the game.
No code asks which book it plays; it asks for the parameter.

A book that changes leaves its earlier version in `rulebooks/earlier.toml`: the digest that is recorded with a
game says which version it is played by.

>>> rules = load("dtf", {"skus.thirdLastVoluntary": False})
>>> rules.skus.third_last_voluntary, rules.skus.last_trick_lead
(False, 'leadPasses')
>>> overrides(rules)
{'skus.thirdLastVoluntary': False}
>>> load("dtf", recorded="d69f122ff30db533").fine.early_decl.effect
('consent',)
"""

from __future__ import annotations

import hashlib
import re
import tomllib
from collections.abc import Callable, Iterator, Mapping, Sequence
from contextlib import suppress
from functools import cache
from importlib import resources
from pathlib import Path
from string import digits
from typing import Annotated, Any, ClassVar, Literal, TypeAlias, TypeVar, cast

import msgspec
from msgspec import Meta, Struct
from msgspec.structs import replace

from ultimo import files
from ultimo.events import Cup, Effect, Problems

Points: TypeAlias = Annotated[int, Meta(ge=0, le=1000)]
TrickNumber: TypeAlias = Annotated[int, Meta(ge=1, le=25)]
Cite: TypeAlias = Annotated[str, Meta(min_length=1)]
Cites: TypeAlias = tuple[tuple[str, Cite], ...]  # a table in a file; rules can be hashed, a dict cannot


class RulebookError(ValueError):
    """A rulebook or an override that cannot be used: says which file and which key."""

    def __init__(self, file: str, key: str, reason: str) -> None:
        super().__init__(f"{file}: {key}: {reason}" if key else f"{file}: {reason}")
        self.file = file
        self.key = key
        self.reason = reason


class UnknownVersion(RulebookError):
    """A digest that no version of a rulebook has had, as far as this program knows."""


class Table(Struct, frozen=True, kw_only=True, forbid_unknown_fields=True, rename="camel"):
    """A table of a rulebook file."""


class Cited(Table, frozen=True):
    """One that says where it is written."""

    cite: Cite


# --- Danish Tarok: rules D1 and D2 ---------------------------------------------------------------------


class Seating(Cited, frozen=True):
    sizes: tuple[Literal[3, 4, 5], ...]
    five: Literal["fiveDealsOut", "twoSitOut"]


class Founding(Table, frozen=True):
    king: Points
    pagat: Points


class Cups(Cited, frozen=True):
    enabled: bool
    found: Founding
    found_by: Literal["allAtTable", "active"]
    ante: Points
    move_duty: bool
    last_trick_order: Literal["snapshot", "ultimoFirst", "bagudFirst"]


class DanishDeal(Cited, frozen=True):
    misdeal: Literal["anteOrPass", "payEachOrPass", "correctAndFine"]
    misdeal_pay: Points
    object_until: Literal["takenUp", "firstLead"]  # when it is too late to say that cards were misdealt
    redeal_no_tarok: bool


class Skat(Cited, frozen=True):
    forbid_pagat: bool
    forbid_declared: bool
    tarok_all_or_none: bool
    skus_for_tout: bool
    disclose_tarok: Literal["none", "afterVoid", "onDemand"]
    disclose_declared: Literal["none", "fact", "cards"]


class Run(Table, frozen=True):
    """A declaration of a number of cards: what the smallest pays, and each card more."""

    min: Annotated[int, Meta(ge=3, le=22)]
    base: Points
    step: Points


class Declarations(Cited, frozen=True):
    dealer_basis: Literal[28, 25]
    tarok: Run
    matador: Run
    half: Points
    full: Points
    over: Points
    overfull: bool
    matadors_from_below: bool
    name_missing: bool
    words: Literal["jensen", "hermansen", "vlk", "basta", "dtf"]
    mode: Literal["auto", "manual"]


class Skus(Cited, frozen=True):
    demandable: bool
    third_last_voluntary: bool
    second_last_barred: bool
    rename: Literal["claim", "nextDecides", "never"]
    swap_on_rename: bool
    last_trick_lead: Literal["named", "leadPasses"]


class Pay(Cited, frozen=True):
    king_lost: Points
    king_lost_cup: Points
    pagat_lost: Points
    pagat_lost_cup: Points
    pagat_home: Points
    last_trick: Points


class Ultimo(Cited, frozen=True):
    """The prices of an ultimo, which are those of a bagud; a club may agree on others within the ranges."""

    king: Points
    king_range: tuple[Points, Points]
    pagat: Points
    pagat_range: tuple[Points, Points]
    pagat_extra: Points
    includes_last_trick: bool


class Bagud(Cited, frozen=True):
    pagat_extra_cup: Points


class LastTrick(Cited, frozen=True):
    paid_with_bagud: bool


class NoloAnnouncement(Table, frozen=True):
    before_trick: TrickNumber
    win: Points
    premium: Points
    lose: Points


class Nolo(Cited, frozen=True):
    pay: Points
    premium: Points
    announce: tuple[NoloAnnouncement, ...]
    cancels_ultimo: bool
    cancels_last_trick: bool
    cancels_count: bool


class ToutAnnouncement(Table, frozen=True):
    before_trick: TrickNumber
    win: Points
    lose: Points


class Tout(Cited, frozen=True):
    pay: Points
    announce: tuple[ToutAnnouncement, ...]
    count: Literal["byCount", "flat25", "none"]
    takes_cups: bool
    excludes_nolo: bool
    replaces_last_trick: bool


class Count(Cited, frozen=True):
    mode: Literal["table5", "exact", "off"]
    counters: Literal["twoAndBalance", "all"]


class Fine(Cited, frozen=True):
    amt: Points
    effect: tuple[Effect, ...]

    @property
    def exists(self) -> bool:
        """False where the book knows no such fine: then the engine prevents the error."""
        return bool(self.amt or self.effect)


class Fines(Cited, frozen=True):
    to: Literal["cups", "opponents"]
    wrong_skat: Fine
    wrong_cards: Fine
    revoke: Fine
    wrong_decl: Fine
    missing_decl: Fine
    early_decl: Fine
    out_of_turn: Fine
    false_ten: Points  # in addition, to each opponent, for a declaration of one tarok more than held
    wrong_demand: Points
    cups_not_moved: Points


class Strict(Cited, frozen=True):
    """Which errors are possible at this table (rules E4)."""

    deal: bool
    cups: bool
    skat: bool
    declare: bool
    follow: bool
    turn: bool
    skus_claim: bool
    skus_demand: bool
    count: bool
    lenient: bool


class Length(Table, frozen=True, omit_defaults=True):
    deals: Annotated[int, Meta(ge=1, le=10_000)] | None = None
    rounds: Annotated[int, Meta(ge=1, le=1_000)] | None = None


class Session(Cited, frozen=True):
    unit: Annotated[int, Meta(ge=1, le=1000)]
    length: Literal["open"] | Length
    rest: Literal["worst", "lot"]


class Sitter(Cited, frozen=True):
    sees: Literal["public", "all"]


class Playing(Cited, frozen=True):
    """Following suit and playing trumps, which all books of a family do alike: only the place differs."""


class DanishRules(Table, frozen=True, tag_field="family", tag="danish"):
    """A rulebook of Danish Tarok, resolved."""

    id: str
    title: str
    about: str
    table: Seating
    cups: Cups
    deal: DanishDeal
    skat: Skat
    decl: Declarations
    skus: Skus
    pay: Pay
    ultimo: Ultimo
    bagud: Bagud
    last_trick: LastTrick
    nolo: Nolo
    tout: Tout
    count: Count
    fine: Fines
    strict: Strict
    session: Session
    sitter: Sitter
    play: Playing
    cites: Cites = ()  # of single parameters
    version: str = ""  # the digest of an earlier version of the book
    family: ClassVar[Literal["danish"]] = "danish"
    low_reds_win: ClassVar = True  # among the pips of hearts and diamonds (rules A3)
    accounts: ClassVar[tuple[Cup, ...]] = ("king", "pagat")  # beside those of the seats

    @property
    def sizes(self) -> tuple[int, ...]:
        """How many may sit at the table."""
        return self.table.sizes

    @property
    def sheet_sizes(self) -> tuple[int, ...]:
        """How many may sit at a table whose score is kept on a sheet."""
        return self.sizes

    @property
    def has_cups(self) -> bool:
        """Whether cups stand on the table."""
        return self.cups.enabled

    @property
    def found_alone(self) -> bool:
        """Whether all found the cups by themselves, and may forget it."""
        return self.strict.cups

    @property
    def length(self) -> Length | None:
        """How long a session lasts; nothing, where that is left open."""
        return None if self.session.length == "open" else self.session.length


# --- French Tarot: rules D3 ----------------------------------------------------------------------------


class FrenchSeating(Cited, frozen=True):
    mort: bool  # five people may play the game of four: the dealer sits out


class FrenchDeal(Cited, frozen=True):
    packet: Annotated[int, Meta(ge=1, le=6)]
    hand: Annotated[int, Meta(ge=15, le=24)]
    chien: Annotated[int, Meta(ge=3, le=6)]
    chien_forbidden_ends: Annotated[int, Meta(ge=0, le=10)]
    first_dealer: Literal["lot", "lowestCard"]
    shuffle: Literal["never", "everyDeal"]
    petit_sec: Literal["redeal", "off"]


class BidRow(Table, frozen=True):
    id: Literal["petite", "garde", "sans", "contre"]
    mult: Annotated[int, Meta(ge=1, le=100)]
    chien: Literal["taken", "taker", "defence"]  # turned and taken, or closed and counted for a side


class Bidding(Cited, frozen=True):
    ladder: tuple[BidRow, ...]


class Poignee(Cited, frozen=True):
    sizes: tuple[Annotated[int, Meta(ge=1, le=22)], ...]
    values: tuple[Points, ...]
    multiple: Literal["sum", "largest"]
    ecart_trump: Literal["exclude", "showAgain"]


class Ecart(Cited, frozen=True):
    review: bool  # whether the taker may look at it again


class Excuse(Cited, frozen=True):
    last_trick_return: Literal["none", "half"]


class Slam(Cited, frozen=True):
    announced: Points
    silent: Points
    failed: Annotated[int, Meta(ge=-1000, le=0)]
    defenders_may_announce: bool


class Call(Cited, frozen=True):
    card: Literal["none", "king"]
    fallback: tuple[Literal["queen", "knight", "jack"], ...]
    first_lead_ban: bool
    restrict_after_excuse: bool


class Share(Cited, frozen=True):
    """How many defenders' payments each of the taker's side receives."""

    taker: Annotated[int, Meta(ge=1, le=4)]
    partner: Annotated[int, Meta(ge=0, le=2)]
    alone: Annotated[int, Meta(ge=2, le=4)]


class Faults(Cited, frozen=True):
    """What follows from a mistake such as a revoke, which the engine prevents and people make."""

    fault: Literal["none", "voidIfWon"]


class FrenchRules(Table, frozen=True, tag_field="family", tag="french"):
    """A rulebook of French Tarot, resolved."""

    id: str
    title: str
    about: str
    players: Literal[3, 4, 5]
    target: dict[Literal["0", "1", "2", "3"], Annotated[int, Meta(ge=0, le=91)]]
    base: Points
    petit_au_bout: Points
    round: Literal["winner"]
    cite: Cite
    table: FrenchSeating
    deal: FrenchDeal
    bid: Bidding
    ecart: Ecart
    poignee: Poignee
    excuse: Excuse
    slam: Slam
    call: Call
    share: Share
    fine: Faults
    play: Playing
    cites: Cites = ()  # of single parameters
    version: str = ""  # the digest of an earlier version of the book
    family: ClassVar[Literal["french"]] = "french"
    low_reds_win: ClassVar = False
    accounts: ClassVar[tuple[Cup, ...]] = ()
    has_cups: ClassVar = False
    found_alone: ClassVar = False
    length: ClassVar = None  # of a session: it is left open

    def __hash__(self) -> int:
        """The hash of all but the targets: a dictionary has none."""
        return hash(tuple(getattr(self, name) for name in self.__struct_fields__ if name != "target"))

    @property
    def sizes(self) -> tuple[int, ...]:
        """How many may sit at the table."""
        return (self.players,)

    @property
    def sheet_sizes(self) -> tuple[int, ...]:
        """How many may sit at a table whose score is kept on a sheet: one more, if the dealer sits out."""
        return (*self.sizes, self.players + 1) if self.players == 4 and self.table.mort else self.sizes


Rules: TypeAlias = DanishRules | FrenchRules
# Makes msgspec learn these types now: two threads that make it do so at the same time crash the process.
msgspec.json.Decoder(cast("type[Rules]", Rules))
Overrides: TypeAlias = Mapping[str, Any]

R = TypeVar("R", bound=Rules)
T = TypeVar("T")

SHORT_KEYS = {"call": "call.card"}  # rules D3 writes `call = king`; a table cannot be a word as well
REMEMBERED = 100  # rulebooks at a time
# Parameters that came later, with what everybody played before.
LATER = {"deal.firstDealer": "lot", "ecart.review": True, "fine.fault": "none", "table.mort": False}
EARLIER = "earlier.toml"
DEEPEST = 5  # tables within each other
NOT_RULES = {"id", "family", "title", "about", "cite", "cites", "version"}  # what a book says of itself


# --- reading -------------------------------------------------------------------------------------------


def ids() -> tuple[str, ...]:
    """The rulebooks that come with the package."""
    files = {path.name for path in _folder().iterdir() if path.name.endswith(".toml")}
    return tuple(sorted(name[:-5] for name in files - {EARLIER}))


def sister(rulebook: str, players: int) -> str | None:
    """The rulebook for so many players that goes with another.

    >>> sister("fft4", 5), sister("french4", 3), sister("dtf", 6)
    ('fft5', 'french3', None)
    """
    sisters = (one for one in ids() if one.rstrip(digits) == rulebook.rstrip(digits))
    return next((one for one in sisters if players in load(one).sizes), None)


def load(rulebook: str, house: Overrides | None = None, recorded: str = "") -> Rules:
    """The rulebook with this id, with house rules on top.

    It is today's version, or the one whose digest was `recorded`: that of these rules, or of the book without
    house rules. May raise `UnknownVersion`.
    """
    if not recorded:
        return _check(rulebook, _resolved(rulebook), house) if house else _plain(rulebook)
    known = versions(rulebook)
    if recorded in known:
        return changed(known[recorded], house) if house else known[recorded]
    for version in known.values() if house else ():
        with suppress(RulebookError):
            if digest(rules := changed(version, house or {})) == recorded:
                return rules
    today = digest(load(rulebook, house))
    raise UnknownVersion(rulebook, "", f"no version here has the digest {recorded}; today's is {today}")


@cache
def versions(rulebook: str) -> dict[str, Rules]:
    """A rulebook by its digests: as it is today and, the latest first, as it was before."""
    rules = _plain(rulebook)
    found = {digest(rules): rules}
    for name, before in _earlier().get(rulebook, {}).items():
        values = {key.removeprefix("later."): value for key, value in _flat(before)}
        rules = replace(changed(rules, values), version=name)
        found[name] = rules
    return found


def book_of(rules: Rules) -> Rules:
    """The book that rules depart from, in the version by which they are played."""
    return load(rules.id, recorded=rules.version)


def load_file(path: Path, house: Overrides | None = None) -> Rules:
    """A rulebook of one's own. It may extend one that comes with the package."""
    return _check(str(path), _extend(str(path), _read(path)), house or {})


def changed(rules: Rules, house: Overrides) -> Rules:
    """The rules with other house rules on top of those they have."""
    return _check(rules.id, msgspec.to_builtins(rules), house)


def read_overrides(path: Path) -> dict[str, Any]:
    """House rules from a TOML file: tables as in a rulebook, or dotted keys."""
    return dict(_flat(_read(path)))


def _read(path: Path) -> dict[str, Any]:
    try:
        return toml(files.text(files.read(path, files.RULES)))
    except ValueError as error:
        raise RulebookError(str(path), "", str(error)) from error


def toml(text: str) -> dict[str, Any]:
    """The tables in a text, or `ValueError`: also for keys so deep that to read them would take hours."""
    if any(line.count(".") > files.DEEPEST for line in text.split("\n")):
        raise ValueError(f"a line has more than {files.DEEPEST} dots")
    try:
        return tomllib.loads(text)
    except RecursionError:
        raise ValueError("nested too deep") from None


def parse_override(text: str) -> tuple[str, Any]:
    """House rule from `key=value`; a value that is not TOML is a word."""
    key, sign, value = text.partition("=")
    if not sign or not key.strip():
        raise RulebookError("override", text, "write key=value, e.g. skus.demandable=false")
    return key.strip(), toml_value(value)


def toml_value(text: str) -> Any:
    """A value as a rulebook has it; a text that is none is a word."""
    try:
        return toml(f"value = {text}")["value"]
    except ValueError:
        return text.strip()


def is_earlier(rules: Rules) -> bool:
    """Whether the book has changed since the version by which these rules are played."""
    return bool(overrides(book_of(rules), load(rules.id)))


def overrides(rules: Rules, book: Rules | None = None) -> dict[str, Any]:
    """The house rules of `rules`: where it departs from the book it is named after, or from another."""
    plain = parameters(book or book_of(rules))
    return {key: value for key, value in parameters(rules).items() if key not in plain or plain[key] != value}


def parameters(rules: Rules) -> dict[str, Any]:
    """Every parameter as `table.key` and plain value, without citations."""
    tables = msgspec.json.decode(msgspec.json.encode(rules))  # to_builtins keeps tuples, TOML has lists
    return {key: value for key, value in _flat(tables) if not NOT_RULES & set(key.split("."))}


def citation(rules: Rules, key: str) -> str:
    """Where a parameter or a table is written down: its own citation, else that of the table it stands in.

    >>> citation(load("dtf"), "cups.moveDuty"), citation(load("dtf"), "cups.enabled")
    ('004 Kortgivning, Bøder', '004 Tilbehør')
    """
    cites = _citations(rules)
    return cites[key] if key in cites else cites[key.rsplit(".", 2)[0]]  # a row: that of its list


def digest(rules: Rules) -> str:
    """Sixteen hex digits that identify the parameters. Words and citations do not count.

    Nor does a parameter that came later, where the rules have it as it was played before: what was written
    then stays valid.
    """
    later = _later(rules.id, rules.version)
    told = {key: value for key, value in parameters(rules).items() if later.get(key, ...) != value}
    canonical = msgspec.json.encode(told, order="sorted")
    return hashlib.sha256(canonical).hexdigest()[:16]


def remembered(function: Callable[[R], T]) -> Callable[[R], T]:
    """Remember what a function makes of rules, by the object: to hash a rulebook would take longer."""
    found: dict[int, tuple[R, T]] = {}

    def remembering(rules: R) -> T:
        known = found.get(id(rules))
        if known is None or known[0] is not rules:
            if len(found) >= REMEMBERED:
                found.clear()
            known = found[id(rules)] = (rules, function(rules))
        return known[1]

    return remembering


@remembered
def _citations(rules: Rules) -> dict[str, str]:
    """The citations of all parameters and tables, by their dotted keys."""
    tables = msgspec.to_builtins(rules)
    return dict(_cited(tables, "", tables.get("cite", ""), dict(rules.cites)))


def _cited(
    tables: Mapping[str, Any], prefix: str, above: str, own: Mapping[str, str]
) -> Iterator[tuple[str, str]]:
    for key, value in tables.items():
        if key in NOT_RULES:
            continue
        below = value.get("cite", above) if isinstance(value, dict) else above
        cite = own.get(prefix + key, below)
        yield prefix + key, cite
        if isinstance(value, dict):
            yield from _cited(value, f"{prefix}{key}.", cite, own)


def _folder() -> resources.abc.Traversable:
    return resources.files("ultimo") / "rulebooks"


@cache
def _plain(rulebook: str) -> Rules:
    return _check(rulebook, _resolved(rulebook), {})


@cache
def _earlier() -> dict[str, dict[str, dict[str, Any]]]:
    """The earlier versions by rulebook and digest, the latest first: what was otherwise than in the next."""
    return tomllib.loads((_folder() / EARLIER).read_text(encoding="utf-8"))


@cache
def _later(rulebook: str, version: str) -> dict[str, Any]:
    """The parameters that came later than a version, with what was played before."""
    found = dict(LATER)
    for name, before in _earlier().get(rulebook, {}).items() if version else ():
        found |= _flat(before.get("later", {}))
        if name == version:
            break
    return found


@cache
def _resolved(rulebook: str) -> dict[str, Any]:
    """The tables of a rulebook over those of its parent. Whoever changes them makes a copy."""
    if rulebook not in ids():
        raise RulebookError(rulebook, "", f"no such rulebook; there are {', '.join(ids())}")
    return _extend(f"{rulebook}.toml", _tables(rulebook))


def _tables(rulebook: str) -> dict[str, Any]:
    return tomllib.loads((_folder() / f"{rulebook}.toml").read_text(encoding="utf-8"))


def _extend(file: str, tables: dict[str, Any]) -> dict[str, Any]:
    """Lay `tables` over the one parent it may name."""
    if "version" in tables:
        raise RulebookError(file, "version", "no such parameter")
    if (parent := tables.pop("extends", None)) is None:
        return tables
    if parent not in ids():
        raise RulebookError(file, "extends", f"no rulebook {parent!r}; there are {', '.join(ids())}")
    base = _tables(parent)
    if "extends" in base:
        raise RulebookError(file, "extends", f"{parent} extends another rulebook; one level is allowed")
    return _laid_over(base, tables)


def _laid_over(base: dict[str, Any], top: dict[str, Any]) -> dict[str, Any]:
    both = dict(base)
    for key, value in top.items():
        below = both.get(key)
        both[key] = _laid_over(below, value) if isinstance(below, dict) and isinstance(value, dict) else value
    return both


def _flat(tables: Mapping[str, Any], prefix: str = "") -> Iterator[tuple[str, Any]]:
    """Tables as dotted keys; what is deeper than any rulebook stays as it is, and is no parameter."""
    for key, value in tables.items():
        if isinstance(value, dict) and prefix.count(".") < DEEPEST:
            yield from _flat(value, f"{prefix}{key}.")
        else:
            yield prefix + key, value


def _check(file: str, tables: dict[str, Any], house: Overrides) -> Rules:
    """Typed rules from resolved tables; every error names file and key."""
    tables = _laid_over({}, tables)
    for key, value in _flat(house):
        tables = _put(file, tables, SHORT_KEYS.get(key, key), value)
    if isinstance(cites := tables.get("cites"), dict):
        tables["cites"] = [*cites.items()]
    try:
        rules = msgspec.convert(tables, type=cast("type[Rules]", Rules))
    except msgspec.ValidationError as error:
        raise _readable(file, error) from error
    except (UnicodeEncodeError, RecursionError):
        raise RulebookError(
            file, "", "not a rulebook: nested too deep, or with signs that are none"
        ) from None
    if unknown := {key for key, _ in rules.cites} - _citations(rules).keys():
        raise RulebookError(file, f"cites.{min(unknown)}", "no such parameter")
    for key, problem in _contradictions(rules):
        raise RulebookError(file, key, problem)
    return rules


def _put(file: str, tables: dict[str, Any], key: str, value: Any) -> dict[str, Any]:
    """A copy of `tables` with one parameter replaced. The key must exist."""
    head, _, rest = key.partition(".")
    if head not in tables or NOT_RULES & set(key.split(".")):
        raise RulebookError(file, key, "no such parameter")
    below = tables[head]
    if not rest:
        return {**tables, head: value}
    word, _, field = rest.partition(".")
    if isinstance(below, list | tuple) and field and (place := row_place(below, word)) is not None:
        return {**tables, head: [*below[:place], _put(file, below[place], field, value), *below[place + 1 :]]}
    if not isinstance(below, dict):
        if head == "length" and rest in ("deals", "rounds"):  # `session.length.deals=8` over "open"
            return {**tables, head: {rest: value}}
        raise RulebookError(file, key, "no such parameter")
    try:
        return {**tables, head: _put(file, below, rest, value)}
    except RulebookError as error:
        raise RulebookError(file, key, error.reason) from None


def row_place(rows: Sequence[Any], word: str) -> int | None:
    """The place of a row of a list by the word that names it, its `id` or the trick before which it counts.

    >>> row_place([{"id": "petite"}, {"id": "garde"}], "garde"), row_place([{"beforeTrick": 13}], "13")
    (1, 0)
    """
    names = [(row.get("id"), str(row.get("beforeTrick"))) if isinstance(row, dict) else () for row in rows]
    return next((place for place, named in enumerate(names) if word in named), None)


def fault(error: msgspec.ValidationError) -> tuple[str, str]:
    """What msgspec says, `Expected … - at `$.a.b``, as a reason and the field `a.b`, if it is about one."""
    reason, _, place = str(error).partition(" - at ")
    return reason, place.rpartition("$")[2].strip("`.")


def _readable(file: str, error: msgspec.ValidationError) -> RulebookError:
    reason, field = fault(error)
    key = field.removesuffix("[...]")
    if missing := re.search(r"(?:missing required field|unknown field) `([^`]+)`", reason):
        key = f"{key}.{missing[1]}".lstrip(".")
    return RulebookError(file, key, reason)


def _contradictions(rules: Rules) -> Problems:
    """Combinations of values that no table can play."""
    match rules:
        case DanishRules():
            if not rules.table.sizes or len(set(rules.table.sizes)) < len(rules.table.sizes):
                yield "table.sizes", "give each size once, at least one"
            if rules.count.counters == "all" and rules.count.mode == "table5":
                yield "count.counters", "all needs count.mode = exact: rounded counts do not balance"
            for key, windows in (("nolo", rules.nolo.announce), ("tout", rules.tout.announce)):
                times = [window.before_trick for window in windows]
                if times != sorted(set(times)):
                    yield f"{key}.announce", "give the times in order of play, each once"
            for card, price, (least, most) in (
                ("king", rules.ultimo.king, rules.ultimo.king_range),
                ("pagat", rules.ultimo.pagat, rules.ultimo.pagat_range),
            ):
                if not least <= price <= most:
                    yield f"ultimo.{card}", f"must be from {least} to {most}"
            length = rules.session.length
            if isinstance(length, Length) and (length.deals is None) == (length.rounds is None):
                yield "session.length", 'give "open", {deals = n} or {rounds = n}'
        case FrenchRules():
            dealt = rules.players * rules.deal.hand + rules.deal.chien
            if dealt != 78:
                yield "deal.hand", f"hands and chien make {dealt} cards, not 78"
            if rules.deal.hand % rules.deal.packet:
                yield "deal.packet", "the hand must be a whole number of packets"
            if set(rules.target) != set("0123"):
                yield "target", "give the points needed with 0, 1, 2 and 3 bouts"
            if list(rules.poignee.sizes) != sorted(set(rules.poignee.sizes)):
                yield "poignee.sizes", "must ascend"
            if len(rules.poignee.sizes) != len(rules.poignee.values):
                yield "poignee.values", "give a value for each size"
            multipliers = [row.mult for row in rules.bid.ladder]
            if not multipliers or multipliers != sorted(set(multipliers)):
                yield "bid.ladder", "must ascend in its multiplier"
            if len({row.id for row in rules.bid.ladder}) < len(rules.bid.ladder):
                yield "bid.ladder", "give each bid once"
            called = rules.call.card != "none"
            if called and rules.players != 5:
                yield "call.card", "only with five players"
            if not called and (
                rules.call.fallback or rules.call.first_lead_ban or rules.call.restrict_after_excuse
            ):
                yield "call.card", "none leaves no fallback and no ban"
            if rules.share.alone != rules.players - 1:
                yield "share.alone", "the taker alone is paid by every other player"
            if called and rules.share.taker + rules.share.partner != rules.players - 2:
                yield "share.taker", "taker and partner share what the defenders pay"
            if not called and (rules.share.taker, rules.share.partner) != (rules.players - 1, 0):
                yield "share.taker", "without a partner the taker is paid by every other player"
