"""A score sheet as somebody sees it, and why something cannot be written, in words."""

from __future__ import annotations

from collections.abc import Collection, Iterator, Mapping, Sequence

from msgspec.structs import replace

from ultimo import rulebook, series
from ultimo.answers import books
from ultimo.answers.sheet_payloads import (
    Announceable,
    BidChoice,
    MistakeChoice,
    PoigneeChoice,
    SheetBook,
    SheetDeal,
    SheetPlaces,
    SheetPreview,
    SheetShown,
    TrailLine,
)
from ultimo.club.mistakes import mistakes, parameter
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
    evolve,
    ledger,
)
from ultimo.danish.counting import balancing_place
from ultimo.danish.declarations import vocabulary
from ultimo.danish.numbers import numbers
from ultimo.events import Declaration, Transfer
from ultimo.names import capital, club_words, names
from ultimo.rulebook import DanishRules, Rules
from ultimo.table.scene import CupShown, SaidShown, SlotShown
from ultimo.telling.labels import slot_name
from ultimo.telling.rules_words import sentences
from ultimo.telling.teller import Teller

COMING = 8  # deals of which it is told who plays, for a page that cannot ask


def shown(
    key: str, facts: Sequence[AnyFact], ids: Collection[str], called: Mapping[str, str], language: str
) -> SheetShown:
    """The sheet for whoever has these ids; `called` are the names of those who have written."""
    sheet: Sheet | None = None
    trail: list[TrailLine] = []
    standing: list[dict[int, TrailLine]] = [{}]  # the corrections that stand, before each change and now
    for seq, fact in enumerate(facts, 1):
        line = trail_line(seq, fact, sheet, called)
        trail.append(line)
        match fact:
            case Booked():
                standing.append(standing[-1])
            case Corrected(deal=number):
                standing.append(standing[-1] | {number: line})
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
        title=books.title_of(rules.id, language),
        rules=rules.id,
        family=rules.family,
        house=len(rulebook.overrides(rules)),
        names=sheet.names,
        coming=tuple(_coming(rules, found)),
        due=tuple(_sentences(teller, found.due)),
        cups=tuple(CupShown(cup, capital(teller.words.cup(cup)), found.state.cups[cup]) for cup in cups),
        totals=found.totals,
        deals=tuple(_deal(teller, sheet, line, standing[-1].get(line.number)) for line in found.lines),
        note=sheet.notes.get(0, ""),
        closed=sheet.closed,
        division=tuple(_sentences(teller, found.division)),
        has_pen=sheet.pen in ids,
        is_host=sheet.host in ids,
        writer=called.get(sheet.pen, ""),
        may_undo=bool(sheet.before),
        book=_book(teller, len(sheet.names)),
        trail=tuple(trail),
    )


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


def kept(facts: Sequence[AnyFact], called: Mapping[str, str]) -> Iterator[AnyFact]:
    """The facts for a file, which names people as others know them."""
    for fact in facts:
        named = replace(fact, by=called.get(fact.by, fact.by))
        yield replace(named, to=called.get(named.to, named.to)) if isinstance(named, PenHanded) else named


def previewed(sheet: Sheet, line: Line, language: str) -> SheetPreview:
    """What a deal would pay."""
    teller = Teller(names(language), sheet.rules, sheet.names)
    cups = {cup: line.cups[cup] for cup in sheet.rules.accounts if sheet.rules.has_cups}
    return SheetPreview(sheet.seq, line.gains, tuple(_sentences(teller, line.transfers)), cups, line.void)


def why_not(refused: Refused, sheet: Sheet | None, language: str) -> str:
    """Why something cannot be written, as a sentence."""
    told = capital(refused.told(language, sheet))
    return told if told.endswith("?") else f"{told}."


def _sentences(teller: Teller, transfers: Sequence[Transfer]) -> Iterator[str]:
    return (capital(teller.payment(one)) for one in transfers)


def _coming(rules: Rules, found: Ledger) -> Iterator[SheetPlaces]:
    """Who deals and plays next, and in the deals after it."""
    table, dealer, out = found.state.table, found.state.dealer, found.state.out
    for deals in range(found.state.deals, found.state.deals + COMING):
        yield SheetPlaces(dealer, series.seated(rules, table, dealer, out))
        dealer, out = series.next_places(rules, table, deals + 1, dealer, out)


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
            lots=rules.has_cups and rules.session.rest == "lot",
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
