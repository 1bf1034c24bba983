"""Score sheets: begun, as somebody sees them, written on, handed over, and kept; and why not, in words.

Who writes, and when, is never taken from a request: whoever calls says it.
"""

from __future__ import annotations

import re
import unicodedata
from collections.abc import Collection, Iterator, Mapping, Sequence
from datetime import UTC, datetime
from typing import Final

import msgspec
from msgspec import Struct
from msgspec.structs import replace

from ultimo import rulebook, series
from ultimo.answers import books
from ultimo.answers.cleaning import NAME_LENGTH, clean, clean_name
from ultimo.answers.files import LINES, WORKBOOK, File, spreadsheet
from ultimo.answers.refusing import Refusal
from ultimo.answers.sheet_payloads import (
    Announceable,
    AnySheetWish,
    BidChoice,
    BookDeal,
    ChipPile,
    CloseSheet,
    CoinPayment,
    CorrectDeal,
    MistakeChoice,
    NoteDeal,
    OpenSheet,
    PoigneeChoice,
    PreviewDeal,
    ReopenSheet,
    SheetBehind,
    SheetBook,
    SheetDeal,
    SheetLine,
    SheetMoney,
    SheetOrigin,
    SheetPlaces,
    SheetPreview,
    SheetShown,
    TrailLine,
    UndoDeal,
    WriteSheet,
)
from ultimo.club.club import Club
from ultimo.club.files import SheetError, dumps, loads, table, to_csv
from ultimo.club.mistakes import mistakes, parameter
from ultimo.club.money import Rate, chips, fewest_payments, in_coins
from ultimo.club.sheet import (
    AnyFact,
    Booked,
    Closed,
    Corrected,
    Ledger,
    Line,
    Noted,
    Opened,
    PenHanded,
    Refused,
    Reopened,
    Sheet,
    Undone,
    decide,
    evolve,
    fold,
    ledger,
    preview,
)
from ultimo.club.workbook import to_xlsx
from ultimo.danish.counting import balancing_place
from ultimo.danish.declarations import vocabulary
from ultimo.danish.numbers import numbers
from ultimo.events import Declaration, IllegalAction, Transfer
from ultimo.names import capital, club_words, names
from ultimo.pauses import with_pauses
from ultimo.rulebook import DanishRules, RulebookError, Rules
from ultimo.table.scene import CupShown, SaidShown, SlotShown
from ultimo.telling.labels import slot_name
from ultimo.telling.rules_words import sentences
from ultimo.telling.teller import Teller

COMING: Final = 8  # deals of which it is told who plays, for a page that cannot ask
HANDING: Final = 600.0  # seconds for which a secret takes the pen
MOST_FACTS: Final = 10_000  # on a sheet
MOST_NOTES: Final = 500  # of them
LONGEST_FILE_NAME: Final = 100
LETTERS: Final = str.maketrans({"æ": "ae", "ø": "oe", "å": "aa", "œ": "oe", "ß": "ss"})
LARGEST_NUMBER: Final = 9999  # in what is written
ORDERED: Final = (BookDeal, CorrectDeal, UndoDeal)  # what hangs on all that was written before


class Listed(Struct, frozen=True):
    """A sheet as a list knows it, without what is written on it."""

    id: str
    rules: str
    names: tuple[str, ...]
    deals: int
    closed: bool
    at: float
    device: str = ""


# --- beginning and finding -------------------------------------------------------------------------------


def opened(wish: OpenSheet, by: str, at: float, language: str) -> tuple[Opened, Sheet]:
    """The fact with which a sheet begins, and the sheet."""
    people = tuple(map(clean_name, wish.names))
    check_numbers(wish.dealer)
    try:
        rules = rulebook.load(wish.rules, wish.house)
    except RulebookError as error:
        raise Refusal(422, "settings", f"house.{error.key}" if error.key else "rules", reason=error) from None
    fact = Opened(
        by=by,
        at=at,
        rules=wish.rules,
        names=people,
        dealer=wish.dealer,
        overrides=wish.house,
        digest=rulebook.digest(rules),
    )
    return fact, begun(fact, "names", language)


def begun(fact: Opened, field: str, language: str) -> Sheet:
    """The sheet that begins so; `field` is what is wrong with the request if nobody can play so."""
    try:
        return evolve(None, fact)
    except IllegalAction as error:
        rules = rulebook.load(fact.rules, fact.overrides, fact.digest)
        reason = Teller(names(language), rules, fact.names).refusal(error)
        raise Refusal(422, "settings", field, error.cite, reason=reason) from None


def read(text: str, own: str, language: str, by: str = "") -> tuple[tuple[AnyFact, ...], Sheet]:
    """A log that was kept, as the log of somebody who has its pen; who wrote it, the file says, or `by`."""
    if len(text.splitlines()) > MOST_FACTS:
        raise Refusal(422, "tooMany")
    try:
        facts = [fact for fact in loads(text) if not isinstance(fact, PenHanded)]
        check_numbers(facts)
        kept = tuple(_read(fact, own, by) for fact in with_pauses(facts))
        return kept, fold(kept)
    except SheetError as error:
        raise Refusal(422, "told", "log", reason=error.told(language)) from None


def _read(fact: AnyFact, own: str, by: str) -> AnyFact:
    """A fact of a file as one's own, with the name that the file has for whoever wrote it."""
    return replace(fact, by=own, told_by=clean(fact.told_by or by or fact.by)[:NAME_LENGTH])


def line(one: Listed, language: str) -> SheetLine:
    """A sheet in a list."""
    title = books.title_of(one.rules, language)
    return SheetLine(one.id, title, one.rules, one.names, one.deals, one.closed, one.at, one.device)


# --- looking ---------------------------------------------------------------------------------------------


def shown(
    key: str,
    facts: Sequence[AnyFact],
    ids: Collection[str],
    called: Mapping[str, str],
    language: str,
    club: str = "",
    scores: bool = True,
    may_delete: bool = False,
    origin: SheetOrigin | None = None,
) -> SheetShown:
    """The sheet for whoever has these ids; `called` are the names of those who have written.

    `club` is the one that it belongs to, for those who do too; `scores` is whether one may take the pen.
    """
    sheet: Sheet | None = None
    trail: list[TrailLine] = []
    standing: list[dict[int, TrailLine]] = [{}]  # the corrections that stand, before each change and now
    for seq, fact in enumerate(facts, 1):
        news = trail_line(seq, fact, sheet, called)
        trail.append(news)
        match fact:
            case Booked():
                standing.append(standing[-1])
            case Corrected(deal=number):
                standing.append(standing[-1] | {number: news})
            case Undone():
                standing.pop()
        sheet = evolve(sheet, fact)
    assert sheet is not None
    found, rules = ledger(sheet), sheet.rules
    teller = Teller(names(language), rules, sheet.names)
    cups = rules.accounts if rules.has_cups else ()
    return SheetShown(
        id=key,
        seq=sheet.seq,
        begun=facts[0].at,
        title=books.title_of(rules.id, language),
        rules=rules.id,
        family=rules.family,
        house=len(rulebook.overrides(rules)),
        earlier=rulebook.is_earlier(rules),
        names=sheet.names,
        coming=tuple(_coming(rules, found)),
        due=tuple(_sentences(teller, found.due)),
        cups=tuple(CupShown(cup, capital(teller.words.cup(cup)), found.state.cups[cup]) for cup in cups),
        totals=found.totals,
        deals=tuple(_deal(teller, sheet, line, standing[-1].get(line.number)) for line in found.lines),
        note=sheet.notes.get(0, ""),
        closed=sheet.closed,
        division=tuple(_sentences(teller, found.division)),
        has_pen=has_pen(sheet, ids, scores),
        is_host=sheet.host in ids,
        writer=called.get(sheet.pen, ""),
        may_undo=bool(sheet.before),
        book=_book(teller, len(sheet.names)),
        trail=tuple(trail),
        club=club,
        scores=scores,
        may_delete=may_delete,
        origin=origin,
    )


def origin_of(club: Club, key: str) -> SheetOrigin | None:
    """Where in a club a sheet is kept."""
    for evening in club.evenings.values():
        for one in evening.sheets:
            if one.sheet == key:
                return SheetOrigin(club.name, club.rules_name, evening.day, one.round, one.table)
    return None


def trail_line(seq: int, fact: AnyFact, before: Sheet | None, called: Mapping[str, str]) -> TrailLine:
    """What was written, by whom and when."""
    name = fact.told_by or called.get(fact.by, "")
    line = TrailLine(seq, "opened", name, fact.at, from_file=bool(fact.told_by))
    deals = 0 if before is None else len(before.entries)
    match fact:
        case Opened():
            return line
        case Booked():
            return replace(line, kind="booked", deal=deals + 1)
        case Corrected(deal=number):
            return replace(line, kind="corrected", deal=number)
        case Undone():
            return replace(line, kind="undone", deal=deals)
        case Noted(deal=number, text=text):
            return replace(line, kind="noted", deal=number, text=text)
        case PenHanded(to=to):
            return replace(line, kind="pen", text=called.get(to, ""))
        case Closed():
            return replace(line, kind="closed")
        case Reopened():
            return replace(line, kind="reopened")


def writers(facts: Sequence[AnyFact]) -> set[str]:
    """The ids of all who have written, or have been given the pen."""
    return {fact.by for fact in facts} | {fact.to for fact in facts if isinstance(fact, PenHanded)}


def previewed(facts: Sequence[AnyFact], wish: PreviewDeal, language: str) -> SheetPreview:
    """What an entry would pay, or why it cannot have been."""
    check_numbers(wish)
    sheet = fold(facts)
    try:
        if wish.deal is not None and wish.deal not in range(1, len(sheet.entries) + 1):
            raise Refused("noSuchDeal", "deal", deal=wish.deal)
        found = preview(sheet, wish.entry, wish.deal)
    except Refused as refused:
        return SheetPreview(sheet.seq, error=why_not(refused, sheet, language), field_=refused.field)
    teller = Teller(names(language), sheet.rules, sheet.names)
    cups = {cup: found.cups[cup] for cup in sheet.rules.accounts if sheet.rules.has_cups}
    return SheetPreview(sheet.seq, found.gains, tuple(_sentences(teller, found.transfers)), cups, found.void)


def rate_asked(coins: str, points: str) -> Rate:
    """A rate as an address has it: so many coins for so many points."""
    if not re.fullmatch(r"[0-9]{1,6}", coins) or not re.fullmatch(r"[1-9][0-9]{0,5}", points):
        raise Refusal(404, "unknownPage", "coins")
    return Rate(int(coins), int(points))


def money(facts: Sequence[AnyFact], rate: Rate, language: str) -> SheetMoney:
    """The evening in money, when it is over."""
    totals = ledger(fold(facts)).totals
    if sum(totals):
        raise refusal(Refused("notClosed"), None, language)
    coins = in_coins(totals, rate)
    return SheetMoney(
        coins,
        tuple(CoinPayment(one.payer, one.payee, one.coins) for one in fewest_payments(coins)),
        tuple(
            ChipPile({str(value): many for value, many in pile.items()}, rest)
            for pile, rest in map(chips, totals)
        ),
    )


# --- files -----------------------------------------------------------------------------------------------


def file_name(facts: Sequence[AnyFact], origin: SheetOrigin | None, language: str, ending: str) -> str:
    """What a file of a sheet is called: by club, day and table, or by the players and the day."""
    words, opened = club_words(language), facts[0]
    assert isinstance(opened, Opened)
    if origin is None:
        day = datetime.fromtimestamp(opened.at, UTC).date().isoformat()
        parts = [day, *opened.names]
    else:
        where = words["file.where"].format(round=origin.round, table=origin.table)
        parts = [origin.club, origin.day, where]
    plain = unicodedata.normalize("NFKD", " ".join(parts).lower().translate(LETTERS))
    name = "-".join(re.findall("[a-z0-9]+", plain.encode("ascii", "ignore").decode()))
    return f"{name[:LONGEST_FILE_NAME]}.{ending}"


def log_file(
    facts: Sequence[AnyFact], called: Mapping[str, str], origin: SheetOrigin | None, language: str
) -> File:
    """All that was written, to keep; it names people as others know them."""
    return File(file_name(facts, origin, language, "jsonl"), LINES, dumps(_kept(facts, called)))


def _kept(facts: Sequence[AnyFact], called: Mapping[str, str]) -> Iterator[AnyFact]:
    """The facts for a file."""
    for fact in facts:
        named = replace(fact, by=called.get(fact.by, fact.by))
        yield replace(named, to=called.get(named.to, named.to)) if isinstance(named, PenHanded) else named


def table_file(facts: Sequence[AnyFact], origin: SheetOrigin | None, language: str) -> File:
    """The table of all deals for a spreadsheet."""
    sheet, name = fold(facts), file_name(facts, origin, language, "csv")
    return spreadsheet(name, to_csv(table(sheet, ledger(sheet), language), language))


def workbook(facts: Sequence[AnyFact], rate: Rate | None, origin: SheetOrigin | None, language: str) -> File:
    """The evening as a workbook; at a rate, with who pays whom in money."""
    sheet, name = fold(facts), file_name(facts, origin, language, "xlsx")
    return File(name, WORKBOOK, to_xlsx(sheet, ledger(sheet), language, rate))


# --- writing ---------------------------------------------------------------------------------------------


def is_behind(wish: WriteSheet, seq: int) -> bool:
    """Whether something hangs on what was written before, and whoever writes it has not seen all of that."""
    return isinstance(wish.wish, ORDERED) and wish.base != seq


def behind(facts: Sequence[AnyFact], called: Mapping[str, str], base: int, language: str) -> SheetBehind:
    """What somebody has not seen yet."""
    sheet: Sheet | None = None
    news = []
    for seq, fact in enumerate(facts, 1):
        if seq > base:
            news.append(trail_line(seq, fact, sheet, called))
        sheet = evolve(sheet, fact)
    return SheetBehind(why_not(Refused("behind"), None, language), len(facts), tuple(news))


def written(
    facts: Sequence[AnyFact],
    ids: Sequence[str],
    wish: AnySheetWish,
    at: float,
    language: str,
    scores: bool = True,
) -> tuple[AnyFact, Sheet]:
    """The fact that somebody with these ids writes behind a log, the present id first, and the sheet then.

    `scores` is False on the sheet of a club of which they are no scorer.
    """
    sheet = fold(facts)
    check_scores(sheet, ids, scores)
    try:
        if sheet.seq >= MOST_FACTS:
            raise Refused("tooManyDeals")
        if isinstance(wish, NoteDeal) and sum(isinstance(one, Noted) for one in facts) >= MOST_NOTES:
            raise Refused("tooManyNotes", "text")
        fact = _fact(wish, _acting(sheet, ids), at)
        return fact, decide(sheet, fact)
    except Refused as refused:
        raise refusal(refused, fold(facts[:1]), language) from None


def _fact(wish: AnySheetWish, by: str, at: float) -> AnyFact:
    match wish:
        case BookDeal(entry=entry):
            return Booked(by=by, at=at, entry=entry)
        case CorrectDeal(deal=number, entry=entry):
            return Corrected(by=by, at=at, deal=number, entry=entry)
        case UndoDeal():
            return Undone(by=by, at=at)
        case NoteDeal(deal=number, text=text):
            return Noted(by=by, at=at, deal=number, text=clean(text))
        case CloseSheet(lot=lot):
            return Closed(by=by, at=at, lot=lot)
        case ReopenSheet():
            return Reopened(by=by, at=at)


def draws_lot(rules: Rules) -> bool:
    """Whether a lot is drawn for what is left when the cups are divided."""
    return isinstance(rules, DanishRules) and rules.has_cups and rules.session.rest == "lot"


def has_pen(sheet: Sheet, ids: Collection[str], scores: bool) -> bool:
    """Whether somebody with these ids writes: on a club's sheet a scorer, or who got the pen by its code."""
    return sheet.pen in ids and (scores or sheet.by_code)


def check_scores(sheet: Sheet, ids: Collection[str], scores: bool) -> None:
    """Refuse the sheet of a club to those who may not write on it."""
    if not scores and not has_pen(sheet, ids, scores):
        raise Refusal(403, "clubScorers")


def check_pen(sheet: Sheet, ids: Sequence[str], language: str) -> None:
    """Refuse to hand over a pen that somebody does not have."""
    if sheet.pen not in ids:
        raise refusal(Refused("notYourPen"), sheet, language)


def taken(
    sheet: Sheet, ids: Sequence[str], at: float, code: bool, free: bool, language: str
) -> tuple[PenHanded, Sheet]:
    """The fact that somebody takes the pen, and the sheet then.

    They have its `code`, or it is `free` for them as scorers of the sheet's club; else only the host can take
    it back.
    """
    fact = PenHanded(by=sheet.pen if code or free else _acting(sheet, ids), at=at, to=ids[0], code=code)
    try:
        return fact, decide(sheet, fact)
    except Refused as refused:
        raise refusal(refused, sheet, language) from None


def _acting(sheet: Sheet, ids: Sequence[str]) -> str:
    """Which of a person's ids acts: the one with the pen, or the host's, or the present one."""
    return next((one for one in (sheet.pen, sheet.host) if one in ids), ids[0])


def check_numbers(written: object) -> None:
    """Refuse numbers that no table has: what is reckoned with them could take long, or overflow."""
    _check_numbers(msgspec.to_builtins(written))


def _check_numbers(plain: object) -> None:
    match plain:
        case bool() | None:
            return
        case int() if abs(plain) > LARGEST_NUMBER:
            raise Refusal(422, "invalid", part="JSON", reason=f"{LARGEST_NUMBER}")
        case dict():
            _check_numbers([*plain.keys(), *plain.values()])
        case list() | tuple():
            for one in plain:
                _check_numbers(one)


# --- why not ---------------------------------------------------------------------------------------------


def refusal(refused: Refused, sheet: Sheet | None, language: str) -> Refusal:
    """The refusal of what cannot be written."""
    status = {"notYourPen": 403, "impossible": 422}.get(refused.key, 409)
    return Refusal(status, "told", refused.field, reason=why_not(refused, sheet, language))


def why_not(refused: Refused, sheet: Sheet | None, language: str) -> str:
    """Why something cannot be written, as a sentence."""
    told = capital(refused.told(language, sheet))
    return told if told.endswith("?") else f"{told}."


# --- in words --------------------------------------------------------------------------------------------


def _sentences(teller: Teller, transfers: Sequence[Transfer]) -> Iterator[str]:
    return (capital(teller.payment(one)) for one in transfers)


def _coming(rules: Rules, found: Ledger) -> Iterator[SheetPlaces]:
    """Who deals and plays next, and in the deals after it."""
    table, dealer, out = found.state.table, found.state.dealer, found.state.out
    for deals in range(found.state.deals, found.state.deals + COMING):
        yield SheetPlaces(dealer, series.seated(rules, table, dealer, out))
        dealer, out = series.next_places(rules, table, found.state.begun + deals + 1, dealer, out)


def _deal(teller: Teller, sheet: Sheet, line: Line, corrected: TrailLine | None) -> SheetDeal:
    return SheetDeal(
        number=line.number,
        dealer=line.dealer,
        order=line.order,
        entry=line.entry,
        payments=tuple(_sentences(teller, line.transfers)),
        gains=line.gains,
        totals=line.totals,
        cups={cup: line.cups[cup] for cup in sheet.rules.accounts} if sheet.rules.has_cups else {},
        note=sheet.notes.get(line.number, ""),
        corrected=corrected,
        void=line.void,
    )


def _mistakes(teller: Teller, rules: DanishRules) -> Iterator[MistakeChoice]:
    language = teller.words.language
    rule, said = sentences(rules, language), club_words(language)
    for one in mistakes(rules):
        price = said[f"mistake.{one.to}"].format(points=one.amount) if one.amount else said["mistake.free"]
        yield MistakeChoice(
            offence=one.offence,
            label=capital(teller.words.offence(one.offence)),
            price=price,
            rule=rule["deal.misdeal" if one.offence == "misdeal" else parameter(one.offence)],
            by=one.by,
            asks=one.asks,
            ends=one.ends,
            ante=one.ante,
            passes=one.passes,
        )


def _book(teller: Teller, table: int) -> SheetBook:
    rules, words = teller.rules, teller.words
    if isinstance(rules, DanishRules):

        def said(one: Declaration) -> SaidShown:
            return SaidShown(one, teller.declarations((one,)))

        false_ten = Declaration("tarok", rules.decl.tarok.min, pagat=False)
        return SheetBook(
            slots=tuple(
                SlotShown(capital(slot_name(teller, slot[0])), tuple(map(said, slot)))
                for slot in vocabulary(rules.decl)
            ),
            announcements=(
                *(
                    Announceable("nolo", one.before_trick, capital(words.announcement("nolo")))
                    for one in rules.nolo.announce
                ),
                *(
                    Announceable("tout", one.before_trick, capital(words.announcement("tout")))
                    for one in rules.tout.announce
                ),
            ),
            balances=balancing_place(numbers(rules), table),
            lots=draws_lot(rules),
            mistakes=tuple(_mistakes(teller, rules)),
            false_ten=false_ten if rules.fine.false_ten else None,
        )
    return SheetBook(
        bids=tuple(BidChoice(row.id, capital(words.bid(row.id))) for row in rules.bid.ladder),
        poignees=tuple(
            PoigneeChoice(size, capital(words.poignee(place)))
            for place, size in enumerate(rules.poignee.sizes)
        ),
        partner=rules.call.card != "none",
        slam_by_defence=rules.slam.defenders_may_announce,
        deals_again=series.deals_again(rules, table),
        fault=rules.fine.fault != "none",
    )
