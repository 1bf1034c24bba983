"""What the solver has found, in words."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence
from typing import Any

from msgspec import Struct

from ultimo import danish, deal
from ultimo import events as e
from ultimo.analysis import position
from ultimo.analysis.solver import Atom, Claim, Goal, Solution, Valued
from ultimo.analysis.solver.forcing import Forced, Forcing
from ultimo.cards import cards
from ultimo.telling.teller import Teller, signed
from ultimo.telling.wording import listed

EVENT_WORDS = {
    "ultimo": "{card} ultimo for {player}",
    "bagud": "{player} bagud on {card}",
    "home": "{card} home for {player}",
    "lost": "{card} of {player} lost",
    "lastTrick": "the last trick for {player}",
    "nolo": "nolo for {player}",
    "tout": "tout for {player}",
}


class Telling(Struct, frozen=True):
    """Tells the solution of a position."""

    teller: Teller
    state: deal.State
    goal: Goal
    side: frozenset[e.Seat] | None

    def lines(self, solution: Solution, forced: Forcing | None) -> Iterator[str]:
        """Everything: the position, its value, what each action is worth, a line, and who can force what."""
        yield from self._position()
        yield ""
        yield self._value(solution) if solution.exact else "Time ran out: this is what is proven so far."
        yield ""
        yield from self._actions(solution.actions)
        yield ""
        yield "A line of best play:"
        yield from self._line(solution)
        if forced is not None:
            yield ""
            yield from self._forced(forced)

    # --- the position ----------------------------------------------------------------------------------

    def _position(self) -> Iterator[str]:
        state = self.state
        left = max(hand.bit_count() for hand in state.hands)
        tricks = "1 trick" if left == 1 else f"{left} tricks"
        yield f"{self.teller.rules.title}: {tricks} left, {self._turn()}"
        if state.trick:
            yield f"    on the table: {', '.join(self._card_played(play) for play in state.trick)}"
        for seat in position.seats(state).values():
            yield f"    {self._player(seat)}: {self.teller.faces(cards(state.hands[seat]))}".rstrip()
        if state.cups:
            yield f"    cups: {', '.join(f'{cup} {held}' for cup, held in state.cups.items())}"

    def _turn(self) -> str:
        state = self.state
        (seat, *_) = deal.waiting_for(self.teller.rules, state) or (state.turn,)
        does = {"demand": "may demand the skus", "announce": "may announce", "name": "renames the skus"}
        leads = "leads" if not state.trick else "is to play"
        return f"{self._player(seat or 0)} {does.get(state.phase, leads)}"

    def _player(self, seat: e.Seat) -> str:
        return self.teller.players[seat]

    def _side(self, side: Iterable[e.Seat]) -> str:
        some = frozenset(side)
        return listed([self._player(seat) for seat in position.seats(self.state).values() if seat in some])

    # --- values ----------------------------------------------------------------------------------------

    def _value(self, solution: Solution) -> str:
        if isinstance(self.goal, Claim):
            assert self.side is not None
            wish = listed([self._atom(atom) for atom in self.goal.atoms])
            verb = "can" if solution.value == 1 else "cannot"
            return f"{self._side(self.side)} {verb} force {wish}."
        if not isinstance(self.state, danish.State):
            return f"Each defender pays {signed(solution.value)}."
        if self.side is None:
            return f"Each player for themselves: {self._gains(solution.points)}."
        return f"{self._side(self.side)} against the rest: {signed(solution.value)}."

    def _gains(self, points: tuple[int, ...] | None) -> str:
        assert points is not None
        return ", ".join(
            f"{self._player(seat)} {signed(points[seat])}" for seat in position.seats(self.state).values()
        )

    def _actions(self, actions: Sequence[Valued]) -> Iterator[str]:
        told = [(self._action(one.seat, one.action), self._worth(one)) for one in actions]
        width = max((len(action) for action, _ in told), default=0)
        yield from (f"    {action:<{width}}  {worth}" for action, worth in told)
        if any(isinstance(one.action, e.DemandSkus) for one in actions) and self.state.phase == "play":
            yield "These values hold if nobody demands the skus now."

    def _worth(self, one: Valued) -> str:
        if one.least is None or one.least != one.most:
            return self._bound(one)
        if isinstance(self.goal, Claim):
            return "yes" if one.value == 1 else "no"
        return signed(one.value) if one.points is None else self._gains(one.points)

    def _bound(self, one: Valued) -> str:
        """What is proven of a value that is not known."""
        if isinstance(self.goal, Claim) or (one.least is None and one.most is None):
            return "not known"
        ends = (("at least", one.least), ("at most", one.most))
        return ", ".join(f"{words} {signed(end)}" for words, end in ends if end is not None)

    def _atom(self, atom: Atom) -> str:
        card = "a king or the pagat" if atom.card is None else self.teller.face(atom.card)
        words = EVENT_WORDS[atom.what].format(player=self._player(atom.seat), card=card)
        if atom.what == "lastTrick" and atom.card is not None:
            words += f" with {card}"
        return words if atom.holds else f"no {words}".replace("no the ", "not the ")

    def _action(self, seat: e.Seat, action: e.Action) -> str:
        player = self._player(seat)
        match action:
            case e.Play(card=card, named=named):
                verb = "leads" if not self.state.trick else "plays"
                name = f" as {self.teller.suit(named)}" if named else ""
                return f"{player} {verb} {self.teller.face(card)}{name}"
            case e.NameSkus(suit=suit):
                return f"{player} names the skus {self.teller.suit(suit)}"
            case e.DemandSkus():
                return f"{player} demands the skus"
            case e.Announce(kind=kind):
                return f"{player} announces {kind}"
            case e.Decline():
                return f"{player} says nothing"
            case _:
                return f"{player} {type(action).__name__}"

    # --- the line --------------------------------------------------------------------------------------

    def _line(self, solution: Solution) -> Iterator[str]:
        """The line, a trick a line; and what everybody has gained by it."""
        rules, state = self.teller.rules, self.state
        trick = [self._card_played(play) for play in state.trick]
        now: Any = state
        for seat, action in solution.line:
            for after, events in steps(rules, now, seat, action):
                for event in events:
                    trick += self._told(event)
                    if isinstance(event, e.TrickWon):
                        won = self.teller.text("winsTrick", player=self._player(event.seat))
                        yield f"{after.number - 1:>6}. {', '.join(trick)}: {won}"
                        trick = []
                    elif isinstance(event, e.Scored):
                        yield f"    Each defender pays {signed(event.value)}"
                now = after
        if trick:
            yield f"{now.number:>6}. {', '.join(trick)}"
        if isinstance(state, danish.State):
            gained = tuple(after - before for after, before in zip(now.net, state.net, strict=True))
            yield f"    {self._gains(gained)}"

    def _told(self, event: e.Event) -> list[str]:
        match event:
            case e.CardPlayed():
                return [self._card_played(event)]
            case e.SkusRenamed(seat=seat, suit=suit):
                return [f"{self._player(seat)} names it {self.teller.suit(suit)}"]
            case e.SkusDemanded(by=by):
                return [self.teller.text("demands", player=self._player(seat)) for seat in by]
            case e.Announced(seat=seat, kind=kind):
                return [f"{self._player(seat)} announces {kind}"]
            case _:
                return []

    def _card_played(self, play: e.CardPlayed) -> str:
        name = f" = {self.teller.suit(play.named)}" if play.named else ""
        return f"{self._player(play.seat)} {self.teller.face(play.card)}{name}"

    # --- forcing ---------------------------------------------------------------------------------------

    def _forced(self, forced: Forcing) -> Iterator[str]:
        yield "Who can force what:"
        by_side: dict[tuple[e.Seat, ...], list[Forced]] = {}
        for one in forced.found:
            by_side.setdefault(one.side, []).append(one)
        for side, found in by_side.items():
            yield f"    {self._side(side)}: {listed([self._atom(one.atom) for one in found])}"
        if not by_side:
            yield "    nobody can force anything"
        if not forced.exact:
            yield "    Time ran out: there may be more."


def steps(
    rules: Any, state: deal.State, seat: e.Seat, action: e.Action
) -> Iterator[tuple[Any, tuple[Any, ...]]]:
    """The state and the facts after an action of a line, and after the silence that a line does not tell."""
    now: Any = state
    while now.phase == "demand" and not (seat in now.asked and action in deal.legal(rules, now, seat)):
        now, events = deal.step(rules, now, now.asked[0], e.Decline())
        yield now, events
    if not isinstance(action, e.Decline) or now.phase in ("demand", "announce"):
        yield deal.step(rules, now, seat, action)
