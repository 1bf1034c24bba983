"""A deal as one of the players sees it: tricks, the own hand, and the others by where they sit."""

from __future__ import annotations

from msgspec import Struct

from ultimo import deal
from ultimo import events as e
from ultimo.cards import Cards
from ultimo.names import capital, names
from ultimo.rulebook import Rules
from ultimo.telling.teller import Teller
from ultimo.telling.writer import Block, CardRow, CardRows, Passage
from ultimo.tutor.school.parts import Pen


class Seen(Struct, frozen=True):
    """What a seat knows of a deal; all are at the table who play."""

    rules: Rules
    state: deal.State
    seat: e.Seat

    @property
    def order(self) -> list[e.Seat]:
        """Everybody in order of play, the reader first."""
        order = [self.seat]
        while (after := self.state.after(order[-1])) != self.seat:
            order.append(after)
        return order

    @property
    def others(self) -> list[e.Seat]:
        """Everybody else, in order of play."""
        return self.order[1:]

    @property
    def tricks(self) -> list[tuple[e.CardPlayed, ...]]:
        """The cards of the tricks, in order of play."""
        return [trick.plays for trick in self.state.tricks]

    def played(self, seat: e.Seat) -> Cards:
        """What a seat has played."""
        return sum(play.card.bit for plays in self.tricks for play in plays if play.seat == seat)

    def teller(self, pen: Pen) -> Teller:
        """Who calls the others by where they sit: play goes to the right."""
        places = pen.text(f"seen.places.{self.state.table}").split(", ")
        named = {self.seat: capital(pen.teller.text("you")), **dict(zip(self.others, places, strict=True))}
        return Teller(names(pen.language), self.rules, tuple(named[seat] for seat in sorted(named)))

    def blocks(self, pen: Pen, marked: Cards = 0) -> tuple[Block, ...]:
        """The tricks and the own hand; the order of play, if there is a trick."""
        players, state = self.teller(pen).players, self.state
        rows = [
            CardRow(
                pen.text("seen.trick", number=number, player=players[plays[0].seat]),
                tuple(play.card.value for play in plays),
                tuple(play.card.value for play in plays if play.card.bit & marked),
            )
            for number, plays in enumerate(self.tricks, 1)
        ]
        hand = state.hands[self.seat]
        rows.append(CardRow(pen.teller.text("hand"), pen.sorted(hand), pen.sorted(hand & marked)))
        if laid := state.laid:
            label = pen.teller.text(state.aside.kind)
            rows.append(CardRow(label, pen.sorted(laid), pen.sorted(laid & marked)))
        order = Passage(pen.text("seen.order", players=" – ".join(players[seat] for seat in self.order)))
        return (order, CardRows(tuple(rows))) if self.tricks else (CardRows(tuple(rows)),)
