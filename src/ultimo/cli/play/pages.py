"""Pages to read: the previous trick, the payments, the result of a deal, help."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from itertools import groupby

from ultimo import deal, series
from ultimo.cli.play.asking import enter
from ultimo.cli.play.dialogue import Dialogue
from ultimo.cli.play.spans import Line, Span, table
from ultimo.events import Transfer
from ultimo.telling.results import accounts_of, added, by_reason, outcome, standing
from ultimo.telling.teller import Teller, capital, cite_after, signed

KEYS = ("enter", "arrows", "space", "typing", "back", "trick", "ledger", "rules", "help", "quit")


def previous_trick(teller: Teller, present: deal.State | None) -> list[Line]:
    """Who played what to the last complete trick, and who won it."""
    if present is None or not present.tricks:
        return [[Span(teller.text("screen.noTrick"))]]
    trick = present.tricks[-1]
    lines = [[Span(f"{teller.text('previousTrick')} ({len(present.tricks)})", "title")]]
    for play in trick.plays:
        named = f" = {teller.suit(play.named)}" if play.named else ""
        played = teller.words.pair(teller.players[play.seat], f"{teller.face(play.card)}{named}")
        lines.append([Span(f"  {played}")])
    lines.append([Span(teller.text("winsTrick", player=teller.players[trick.winner]))])
    return lines


def ledger(teller: Teller, payments: Iterable[tuple[int, Transfer]]) -> list[Line]:
    """Every payment of the evening with its citation, deal by deal."""
    lines: list[Line] = []
    for number, paid in groupby(payments, lambda payment: payment[0]):
        lines.append([Span(teller.text("deal", number=number), "title")])
        for cite, some in groupby((transfer for _, transfer in paid), lambda transfer: transfer.cite):
            lines += [[Span(f"  {capital(teller.payment(transfer))}")] for transfer in some]
            lines.append([Span(f"   {cite_after(teller, cite)}", "dim")] if cite else [])
    return lines or [[Span(teller.text("screen.noPayments"))]]


def guide(dialogue: Dialogue | None, teller: Teller) -> list[Line]:
    """What is asked, what Enter will do, and all keys."""
    lines: list[Line] = []
    if dialogue is not None:
        lines = [
            [Span(dialogue.prompt.question, "title")],
            *([Span(line)] for line in dialogue.prompt.guide.splitlines()),
            [Span(enter(dialogue), "enter")],
            [],
        ]
    lines.append([Span(teller.text("screen.keys"), "title")])
    return lines + [[Span(f"  {teller.text(f'keys.{key}')}")] for key in KEYS]


# --- the result of a deal ------------------------------------------------------------------------------


def result(teller: Teller, state: series.State, transfers: Sequence[Transfer]) -> list[Line]:
    """The deal that is over: what was paid for what, the piles, the cards laid aside, the totals."""
    present = state.deal
    if present is None:
        return []
    lines: list[Line] = [[Span(teller.text("screen.result", number=state.deals), "title")]]
    lines += [[Span(line)] for line in outcome(teller, present)]
    return [*lines, [], *_by_reason(teller, state, transfers)]


def _by_reason(teller: Teller, state: series.State, transfers: Sequence[Transfer]) -> list[Line]:
    """A row for each reason and a column for each account, then the deal and the evening."""
    accounts = accounts_of(teller.rules, state.table)
    rows = by_reason(teller, transfers, accounts, state.deal)
    whole = added(rows, accounts)
    lines = [(row.reason, row.gains) for row in rows]
    lines += [(teller.text("screen.thisDeal"), whole), (teller.text("total"), standing(state, accounts))]
    head = ["", *(capital(teller.account(account)) for account in accounts)]
    texts = [[label, *(signed(gain) if gain else "·" for gain in gains)] for label, gains in lines]
    return table([head, *texts], right=range(1, len(accounts) + 1))
