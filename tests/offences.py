"""Committing every offence of rules B11 at a strict Danish table, and having it found out.

A is forehand, B middle, C the dealer. Nobody has anything to declare, unless a test gives A a tenth tarok.
"""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

from settling import A, B, C
from table import Table, dealt, ending, net, opened, strict
from ultimo import danish
from ultimo.cards import ALL_CARDS, Card, cards, mask, parse_cards
from ultimo.events import (
    Claim,
    Deal,
    Declaration,
    Declare,
    Decline,
    DemandSkus,
    FineImposed,
    Lay,
    ObjectCount,
    Play,
    Seat,
    Transfer,
    Vote,
)
from ultimo.rulebook import DanishRules

NINE = "T2 T3 T4 T5 T6 T7 T8 T9 T10 SK HQ CN DJ S1 S2 S3 H1 H2 H3 C1 C2 C3 D1 D2 D3"
TEN = NINE.replace("D3", "T20")
ELEVEN = TEN.replace("D2", "T19")
TEN_WITH = NINE.replace("D3", "T1")
MIDDLE = "T11 T12 T13 T14 T15 T16 T17 T18 T21 SQ HN CJ DK S4 S5 S6 H4 H5 H6 C4 C5 C6 D4 D5 D6"
SKAT = Lay(parse_cards("S7 S8 S9"))
WRONG_SKAT = Lay(parse_cards("HK S7 S8"))
LAST_THREE = {A: "S4 S5 S6", B: "S7 D1 D2", C: "H1 H2 H3"}


def tarok(count: int, *, pagat: bool = False) -> Declaration:
    """`10 with`, `11 without` …"""
    return Declaration("tarok", count, pagat)


def manual(book: str, *switches: str, **house: Any) -> DanishRules:
    """A table where everybody declares for himself, and may err."""
    return strict(book, "declare", *switches, **{"decl.mode": "manual"} | house)


def taken_up(rules: DanishRules, forehand: str = NINE) -> Table:
    """A deal before the skat is laid."""
    table = dealt(rules, {A: forehand, B: MIDDLE})
    table.accept_all()
    return table


def declared(rules: DanishRules, forehand: str, *spoken: Declaration) -> Table:
    """A deal in which forehand has declared this, and the others nothing."""
    table = taken_up(rules, forehand)
    table.act(C, SKAT)
    table.act(C, Declare(()))
    table.act(A, Declare(spoken))
    table.act(B, Declare(()))
    return table


def advance(table: Table, number: int) -> Table:
    """Play the lowest legal cards until this trick is led."""
    while table.state.number < number:
        if table.state.phase == "announce":
            table.act(table.state.asked[0], Decline())
        else:
            table.play(table.may_play(table.state.turn).split()[0])
    return table


def wrong_number(rules: DanishRules) -> Table:
    """A deal in which A has taken up 26 cards and C 27."""
    start = opened()
    table = Table(rules, danish.initial(rules, start), danish.begin(rules, start))
    for event in table.log[1:]:
        table.state = danish.evolve(rules, table.state, event)
    hands = {A: mask(NINE + " S10"), B: mask(MIDDLE)}
    hands[C] = ALL_CARDS & ~hands[A] & ~hands[B]
    table.act(None, Deal(tuple(cards(hands[seat]) for seat in range(3))))
    table.accept_all()
    table.act(C, SKAT)
    return table


# --- each offence, found out ---------------------------------------------------------------------------


def wrong_skat(book: str, **house: Any) -> Table:
    """C has laid a king, which A finds after he has declared ten."""
    table = taken_up(strict(book, "skat", **house), TEN)
    table.act(C, WRONG_SKAT)
    table.act(A, Claim("skat", C))
    return table


def wrong_cards(book: str, **house: Any) -> Table:
    """B says in the first trick that a number of cards is wrong."""
    table = wrong_number(strict(book, "deal", **house))
    table.play("S1")
    table.act(B, ObjectCount())
    return table


def revoke(book: str, **house: Any) -> Table:
    """B has not followed suit, and the trick has been turned."""
    table = ending(strict(book, "follow", **house), LAST_THREE, A)
    table.play("S4", "D1", "H1")
    table.act(C, Claim("revoke", B))
    return table


def wrong_decl(book: str, **house: Any) -> Table:
    """A has declared ten with the pagat, and holds nine without it."""
    table = advance(declared(manual(book, **house), NINE, tarok(10, pagat=True)), 6)
    table.act(C, Claim("declaration", A))
    return table


def missing_decl(book: str, **house: Any) -> Table:
    """A has not declared his ten."""
    table = advance(declared(manual(book, **house), TEN), 6)
    table.act(C, Claim("declaration", A))
    return table


def early_decl(book: str, **house: Any) -> Table:
    """A declares before the skat is laid."""
    table = taken_up(manual(book, **house), TEN)
    table.act(A, Declare((tarok(10),)))
    return table


def out_of_turn(book: str, **house: Any) -> Table:
    """B plays although A leads."""
    table = ending(strict(book, "turn", **house), LAST_THREE, A)
    table.act(B, Play(Card("D1")))
    return table


def wrong_demand(book: str, **house: Any) -> Table:
    """C demands the skus, which has gone, while the third-last trick lies on the table."""
    table = ending(strict(book, "skusDemand", **house), LAST_THREE, A)
    table.play("S4")
    table.act(C, DemandSkus())
    return table


def cups_not_moved(book: str, **house: Any) -> Table:
    """C has not moved the cups when A leads."""
    table = taken_up(strict(book, "cups", **house))
    table.act(C, SKAT)
    table.play("S1")
    return table


COMMIT: dict[str, tuple[Callable[..., Table], Seat]] = {
    "wrongSkat": (wrong_skat, C),
    "wrongCards": (wrong_cards, A),
    "revoke": (revoke, B),
    "wrongDecl": (wrong_decl, A),
    "missingDecl": (missing_decl, A),
    "earlyDecl": (early_decl, A),
    "outOfTurn": (out_of_turn, B),
    "wrongDemand": (wrong_demand, C),
    "cupsNotMoved": (cups_not_moved, C),
}


# --- what follows --------------------------------------------------------------------------------------


def vote(table: Table, *words: bool) -> Table:
    """Let the voters answer in turn."""
    for yes in words:
        table.act(table.state.ballot.voters[0], Vote(yes))
    return table


def reasons(table: Table, *some: str) -> list[Transfer]:
    """The payments for some reasons."""
    return [t for t in table.transfers() if t.reason in some]


def paid(table: Table, *some: str) -> tuple[int, ...]:
    """What A, B, C, the king cup and the pagat cup have gained for some reasons."""
    return net(reasons(table, *some), A, B, C, "king", "pagat")


def fined(table: Table) -> list[tuple[Seat, str]]:
    """Who has been fined, and what for."""
    return [(event.seat, event.offence) for event in table.events(FineImposed)]
