"""Deals written on a score sheet, as somebody at the table would write them."""

from __future__ import annotations

from msgspec.structs import replace

from ultimo import danish, french, rulebook
from ultimo.cards import KINGS, PAGAT
from ultimo.club import sheet as s
from ultimo.club.entries import DanishDeal, Entry, FrenchDeal
from ultimo.rulebook import Rules

PEN = "Karen"
NAMES = ("Karen", "Bo", "Ida", "Per", "Asta")


def danish_entry(out: danish.Outcome) -> DanishDeal:
    """What is written of a Danish deal that went so: no tricks, and no card that pays nothing."""
    last = {one.seat: one.card for one in out.last}
    honours = {seat: card for seat, card in last.items() if card.bit & (KINGS | PAGAT)}
    tricks = dict(zip(out.order, out.tricks or (), strict=False))
    tout = out.winner is not None and tricks[out.winner] == 25
    counts = dict(zip(out.order, out.counts or (), strict=False))
    return DanishDeal(
        antes=out.antes,
        declarations={seat: made for seat, made in out.declarations.items() if made},
        announcements=out.announcements,
        kings_lost=out.kings_lost,
        pagat_fate=out.pagat_fate,
        given_back=out.given_back,
        fines=out.fines,
        let_pass=out.let_pass,
        banned=out.banned,
        barren=out.barren,
        charged=out.charged,
        winner=out.winner,
        won_with=honours.get(out.winner) if out.winner is not None else None,
        fallen=tuple(one for one in out.last if one.seat in honours and one.seat != out.winner),
        nolo=() if tout else tuple(seat for seat, won in tricks.items() if won == 0),
        tout=tout,
        counts={seat: counts[seat] for seat in out.order[:2]} if counts else {},
    )


def french_entry(out: french.Outcome) -> FrenchDeal:
    """What is written of a French deal that went so."""
    fields = {name: getattr(out, name) for name in FrenchDeal.__struct_fields__ if name != "counted"}
    return FrenchDeal(**fields)


def begun(rules: Rules, size: int, cups: tuple[int, int] | None = None, dealer: int = 0) -> s.Sheet:
    """A sheet on which nothing is written; with `cups` these were founded before, and hold so much."""
    opened = s.Opened(
        rules=rules.id, names=NAMES[:size], by=PEN, dealer=dealer, overrides=rulebook.overrides(rules)
    )
    sheet = s.fold([opened])
    if cups is None or not rules.has_cups:
        return sheet
    king, pagat = cups
    return replace(sheet, start=replace(sheet.start, king=king, pagat=pagat, unfounded=()))


def write(sheet: s.Sheet, *entries: Entry) -> s.Sheet:
    """The sheet after these deals."""
    for entry in entries:
        sheet = s.decide(sheet, s.Booked(entry=entry, by=PEN))
    return sheet
