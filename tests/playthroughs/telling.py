"""A playthrough as text: its sheet, with remarks on what could have been done and what was paid.

Remarks begin with `#`, so that the text is a record that can be read again.
"""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator

from playthroughs.script import Playthrough, Turn
from ultimo import record
from ultimo.cards import SKUS, SUITS, Card, Cards, cards
from ultimo.events import CardPlayed, Claim, Event, Opened, Paid, TrickWon
from ultimo.play.choices import Actions, Declarings, Lays, Offer, Plays, Shows, Subset
from ultimo.record import Entry, Record, sheet

_TRICK = re.compile(r"[0-9]+\. ")
_BELOW = re.compile(r"\+ |  Hand |$")
MANY = 6  # of a kind; more are only counted
ALL = "all"
KEY = "# A remark tells what could be done next; none, where there was no choice or any card could go."


def told(play: Playthrough) -> str:
    """The text of a playthrough."""
    text = sheet.dumps(Record(record.header(play.rules, play.size), tuple(map(Entry, play.log))))
    head, _, body = text.partition("\n\n")
    return "\n".join([head, KEY, "", *_with_remarks(play, body.splitlines()), *_ledger(play), ""])


def _with_remarks(play: Playthrough, lines: list[str]) -> Iterator[str]:
    """The lines of the sheet, each below what its actors could have done instead."""
    turns = {turn.index: turn for turn in play.turns}
    asides: dict[int, str] = {}
    active, at = range(play.size), 0
    for line in lines:
        if _BELOW.match(line):
            yield line
            continue
        covered = range(at, at + (len(active) + 1 if _TRICK.match(line) else 1))
        if isinstance(opened := play.log[at], Opened):
            active = range(len(opened.active))
        acted = [turns[index] for index in covered if index in turns]
        remarks = [(turn.seat, remark) for turn in acted if (remark := _remark(turn, asides))]
        if any(remark != ALL for _, remark in remarks):
            yield "# " + " | ".join(f"{seat}: {remark}" for seat, remark in remarks)
        yield line
        at = covered.stop


def _remark(turn: Turn, asides: dict[int, str]) -> str:
    """What a seat could do; nothing where it had no choice, and asides only when they are new."""
    offers = [_short(offer, turn.hand) for offer in turn.choices.offers if not isinstance(offer, Actions)]
    few = [action for offer in turn.choices.offers if isinstance(offer, Actions) for action in offer]
    if not offers:
        return _actions(few) if len(few) > 1 else ""
    aside = _actions(few)
    if aside and asides.get(turn.seat) != aside:
        offers.append(aside)
    asides[turn.seat] = aside
    return "; ".join(offers)


def _short(offer: Offer, hand: Cards) -> str:
    match offer:
        case Plays(cards=may, naming=naming):
            named = " named" if naming and may & SKUS else ""
            return (ALL if may == hand else grouped(may)) + named
        case Lays(sets=sets, tout=tout):
            return f"lay {_subset(sets)}{' for tout' if tout else ''}"
        case Shows(sets=sets):
            return f"show {_subset(sets)}"
        case Declarings():
            return f"declare in {len(offer)} ways"
        case _:
            return _actions(offer)


def _subset(sets: Subset) -> str:
    free = sets.among & ~sets.must
    more = sets.size - sets.must.bit_count()
    parts = [grouped(sets.must)] if sets.must else []
    parts += [f"{more} of {grouped(free)}"] if more else []
    return " and ".join(parts)


def _actions(some: Iterable[object]) -> str:
    """Actions by kind: what they are about, or how many there are."""
    kinds: dict[str, list[str]] = {}
    for action in some:
        fields = () if isinstance(action, Claim) else getattr(action, "__struct_fields__", ())
        about = " ".join(_word(getattr(action, name)) for name in fields)
        kinds.setdefault(type(action).__name__, []).append(about)
    return ", ".join(_kind(name, abouts) for name, abouts in kinds.items())


def _word(value: object) -> str:
    return value.value if isinstance(value, Card) else str(value)


def _kind(name: str, abouts: list[str]) -> str:
    if len(abouts) > MANY or (not abouts[0] and len(abouts) > 1):
        return f"{name} ×{len(abouts)}"
    return f"{name} {'/'.join(filter(None, abouts))}".strip()


def grouped(some: Cards) -> str:
    """Cards with each suit named once: `S 1 5 K, T 2 21 0`."""
    suits: dict[str, list[str]] = {}
    for card in cards(some):
        suits.setdefault(SUITS[card.suit], []).append(card.value[1:])
    return ", ".join(f"{suit} {' '.join(ranks)}" for suit, ranks in suits.items())


# --- the ledger ----------------------------------------------------------------------------------------


def _ledger(play: Playthrough) -> Iterator[str]:
    """What each account has gained, by reason, and in all."""
    accounts: list[int | str] = [*range(play.size)]
    if any(not isinstance(end, int) for end in _ends(play.log)):
        accounts += ["king", "pagat"]
    rows = _by_reason(play.log)
    if not rows:
        return
    total = {account: sum(row.get(account, 0) for row in rows.values()) for account in accounts}
    yield ""
    yield "# " + "".ljust(14) + "".join(str(account).rjust(7) for account in accounts)
    for reason, row in {**rows, "total": total}.items():
        gains = "".join((f"{row[account]:+d}" if row.get(account) else ".").rjust(7) for account in accounts)
        yield f"# {reason.ljust(14)}{gains}"
    yield f"# tricks        {_tricks(play)}"


def _by_reason(log: Iterable[Event]) -> dict[str, dict[int | str, int]]:
    rows: dict[str, dict[int | str, int]] = {}
    for event in log:
        for transfer in event.transfers if isinstance(event, Paid) else ():
            row = rows.setdefault(transfer.reason, {})
            row[transfer.payer] = row.get(transfer.payer, 0) - transfer.points
            row[transfer.payee] = row.get(transfer.payee, 0) + transfer.points
    return rows


def _ends(log: Iterable[Event]) -> Iterator[int | str]:
    for event in log:
        for transfer in event.transfers if isinstance(event, Paid) else ():
            yield transfer.payer
            yield transfer.payee


def _tricks(play: Playthrough) -> str:
    """How many tricks each seat has won, where cards were played."""
    won = [event.seat for event in play.log if isinstance(event, TrickWon)]
    if not any(isinstance(event, CardPlayed) for event in play.log):
        return "none"
    return "".join(str(won.count(seat)).rjust(7) for seat in range(play.size))
