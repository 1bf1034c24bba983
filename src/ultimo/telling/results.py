"""The result of a deal: how it ended in cards, and what was paid for what."""

from __future__ import annotations

from collections import Counter
from collections.abc import Sequence

from msgspec import Struct

from ultimo import deal, french, series
from ultimo.danish import State as DanishState
from ultimo.danish.payments import CUPS
from ultimo.events import Account, Transfer
from ultimo.rulebook import DanishRules, FrenchRules, Rules
from ultimo.telling.citations import entry
from ultimo.telling.teller import Teller, capital, halves


class Row(Struct, frozen=True):
    """What each account has gained or lost for one reason, and where that is written."""

    reason: str
    gains: tuple[int, ...]
    cites: tuple[str, ...]  # as a legend has them


def accounts_of(rules: Rules, table: int) -> tuple[Account, ...]:
    """Who can have points: the seats, and the cups where there are any."""
    seats: tuple[Account, ...] = tuple(range(table))
    return (*seats, *CUPS) if isinstance(rules, DanishRules) else seats


def by_reason(teller: Teller, transfers: Sequence[Transfer], accounts: Sequence[Account]) -> list[Row]:
    """A row for each reason, in the order in which it was first paid for."""
    gains: dict[str, Counter[Account]] = {}
    cites: dict[str, dict[str, None]] = {}
    for one in transfers:
        reason = capital(teller.reason(one))
        gain = gains.setdefault(reason, Counter())
        gain[one.payer] -= one.points
        gain[one.payee] += one.points
        cites.setdefault(reason, {})[entry(one)] = None
    return [
        Row(reason, tuple(gain[account] for account in accounts), tuple(cites[reason]))
        for reason, gain in gains.items()
    ]


def added(rows: Sequence[Row], accounts: Sequence[Account]) -> tuple[int, ...]:
    """What each account has gained or lost by all of it."""
    return tuple(sum(row.gains[place] for row in rows) for place in range(len(accounts)))


def standing(state: series.State, accounts: Sequence[Account]) -> tuple[int, ...]:
    """What each account holds."""
    cups = {"king": state.king, "pagat": state.pagat}
    return tuple(state.totals[account] if isinstance(account, int) else cups[account] for account in accounts)


def outcome(teller: Teller, present: deal.State) -> list[str]:
    """How the deal ended, in cards."""
    if isinstance(present, DanishState):
        lines = (
            [teller.words.pair(teller.text("skat"), teller.cards_of(present.skat))] if present.skat else []
        )
        counted = [
            teller.text("counts", player=teller.players[seat], points=present.counts[seat])
            for seat in present.order
            if present.counts
        ]
        return [*lines, *([", ".join(counted)] if counted else [])]
    if not present.counted:
        return [teller.text("allPassed")] if present.bids else []
    assert isinstance(teller.rules, FrenchRules)
    outcome = french.outcome(teller.rules, present)
    score = french.score(teller.rules, outcome)
    taker, defence = map(halves, present.counted)
    laid = teller.text("ecart" if present.ecart else "chien")
    needed = teller.text("needed", points=score.points, needed=score.needed, bouts=outcome.bouts)
    return [
        teller.words.pair(laid, teller.cards_of(present.ecart or present.chien)),
        teller.text("tells.countedSides", taker=taker, defence=defence),
        f"{needed}. {teller.text('contractMade' if score.won else 'contractLost')}",
    ]
