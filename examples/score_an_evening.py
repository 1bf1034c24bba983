"""Settle a deal played with real cards: middle wins the last trick with T20, the dealer goes bagud."""

from __future__ import annotations

from ultimo import deal, rulebook
from ultimo.cards import Card
from ultimo.danish import Outcome
from ultimo.danish.outcome import LostKing
from ultimo.events import CardPlayed, Declaration

rules = rulebook.load("dtf")
outcome = Outcome(
    table=4,
    order=(1, 3, 0),  # forehand, middle, dealer; seat 2 sits out
    king=80,
    pagat=80,
    declarations={1: (Declaration("half", of="H", missing=Card("HQ")),)},
    kings_lost=(LostKing(1, Card("DK")),),
    tricks=(9, 10, 6),
    last=(CardPlayed(3, Card("T20")), CardPlayed(0, Card("SK"))),
    winner=3,
    counts=(30, 27, 21),
)
for transfer in deal.settle(rules, outcome).transfers:
    print(f"{transfer.payer} pays {transfer.payee} {transfer.points}: {transfer.reason} [{transfer.cite}]")
