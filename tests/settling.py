"""The last trick of a Danish deal, settled as a score sheet notes it, as it is played, and as it is written.

`club` is the score sheet of a club, on which a person writes less than `ultimo settle` is given.
"""

from __future__ import annotations

from typing import Any

from sheets import begun, danish_entry, write
from table import danish_rules, ending, net, plays
from ultimo.club.sheet import ledger
from ultimo.danish import Outcome
from ultimo.danish.last_trick import last_trick
from ultimo.danish.payments import ante
from ultimo.events import CupEmptied, Settlement
from ultimo.rulebook import DanishRules

A, B, C = 1, 2, 0  # forehand, middle, dealer
ROUTES = ("score sheet", "deal")
LEVEL = (9, 8, 8)  # tricks of A, B and C
C_NOLO = (13, 12, 0)
A_TOUT = (25, 0, 0)


class Settled:
    """A last trick that A leads and wins with the first of three cards; the count is set aside."""

    def __init__(
        self,
        route: str,
        book: str,
        cards: str,
        tricks: tuple[int, int, int] = LEVEL,
        cups: tuple[int, int] = (60, 60),
        house: dict[str, Any] | None = None,
        **more: Any,
    ) -> None:
        settle = {"score sheet": _noted, "deal": _played, "club": _written}[route]
        settlement = settle(danish_rules(book, house), cards.split(), tricks, cups, more)
        self.transfers = [t for t in settlement.transfers if t.reason != "count"]
        self.emptied = settlement.emptied
        gained = net(self.transfers, A, B, C, "king", "pagat")
        self.players = gained[:3]
        self.cups = (cups[0] + gained[3], cups[1] + gained[4])

    def only(self, *reasons: str) -> tuple[int, ...]:
        """What A, B and C have gained by some payments alone."""
        return net([t for t in self.transfers if t.reason in reasons], A, B, C)


def outcome(
    cards: list[str], tricks: tuple[int, int, int], cups: tuple[int, int] = (60, 60), **more: Any
) -> Outcome:
    """What a score sheet notes when A has won the last trick with the first of these cards."""
    last = plays(s1=cards[0], s2=cards[1], s0=cards[2])
    king, pagat = cups
    return Outcome(
        table=3, order=(A, B, C), king=king, pagat=pagat, tricks=tricks, last=last, winner=A, **more
    )


def _noted(
    rules: DanishRules,
    cards: list[str],
    tricks: tuple[int, int, int],
    cups: tuple[int, int],
    more: dict[str, Any],
) -> Settlement:
    noted = {"announcements" if key == "announced" else key: value for key, value in more.items()}
    return last_trick(rules, outcome(cards, tricks, cups, **noted))


def _played(
    rules: DanishRules,
    cards: list[str],
    tricks: tuple[int, int, int],
    cups: tuple[int, int],
    more: dict[str, Any],
) -> Settlement:
    won = {A: tricks[0] - 1, B: tricks[1], C: tricks[2]}
    hands = {A: cards[0], B: cards[1], C: cards[2]}
    table = ending(rules, hands, A, won=won, king=cups[0], pagat=cups[1], **more)
    table.play(*cards)
    assert table.state.tricks[-1].winner == A
    emptied = tuple((event.cup, event.seat) for event in table.events(CupEmptied))
    return Settlement(tuple(table.transfers()), emptied)


def _written(
    rules: DanishRules,
    cards: list[str],
    tricks: tuple[int, int, int],
    cups: tuple[int, int],
    more: dict[str, Any],
) -> Settlement:
    noted = {"announcements" if key == "announced" else key: value for key, value in more.items()}
    counts = (tricks[0] + 52, tricks[1], tricks[2] + 1)  # all honours are A's
    entry = danish_entry(outcome(cards, tricks, counts=counts, **noted))
    king, pagat = net(ante(rules, (A, B, C)), "king", "pagat")
    sheet = write(begun(rules, 3, (cups[0] - king, cups[1] - pagat)), entry)
    (line,) = ledger(sheet).lines
    return Settlement(tuple(t for t in line.transfers if t.reason not in ("ante", "found")), line.emptied)
