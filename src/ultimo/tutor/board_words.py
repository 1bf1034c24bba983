"""What the analysis board says, in the four languages."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from typing import Any

from msgspec import Struct

from ultimo import danish, deal
from ultimo import events as e
from ultimo.analysis import position
from ultimo.analysis.solver import Atom, Claim, Goal, Solution
from ultimo.cards import mask
from ultimo.names import capital, names, tables
from ultimo.rulebook import Rules
from ultimo.telling.labels import label
from ultimo.telling.teller import Teller, signed
from ultimo.tutor.shown import LineStep


class Plain(Struct, frozen=True):
    """The sentences of the board by themselves."""

    language: str

    def get(self, key: str, **values: object) -> str:
        """A sentence by its dotted key."""
        node: Any = tables(self.language, "board")["board"]
        for part in key.split("."):
            node = node[part]
        return str(node).format_map(values) if values else str(node)


class BoardWords(Struct, frozen=True):
    """Tells what is on a board."""

    teller: Teller
    letters: dict[e.Seat, str]

    @staticmethod
    def plain(language: str) -> Plain:
        """The sentences that need no table."""
        return Plain(language)

    @staticmethod
    def of(rules: Rules, state: deal.State, language: str) -> BoardWords:
        """Words for a position; seats are called by their place, or by their letter."""
        words = names(language)
        letters = {seat: letter for letter, seat in position.seats(state).items()}
        if isinstance(state, danish.State):
            called = tuple(capital(words.role(state.roles(seat)[0])) for seat in range(state.table))
        else:
            called = tuple(letters[seat] for seat in range(state.table))
        return BoardWords(Teller(words, rules, called), letters)

    @property
    def language(self) -> str:
        """The language that is spoken."""
        return self.teller.words.language

    def text(self, key: str, **values: object) -> str:
        """A sentence of the board."""
        return Plain(self.language).get(key, **values)

    def name(self, seat: e.Seat) -> str:
        """What a seat is called."""
        return self.teller.players[seat]

    def side(self, some: Iterable[e.Seat]) -> str:
        """Who plays together, in order of play."""
        chosen = set(some)
        return self.teller.words.listed([self.name(seat) for seat in self.letters if seat in chosen])

    def number(self, value: int) -> str:
        """A large number in groups of three."""
        return f"{value:,}".replace(",", "\u202f")

    # --- actions -----------------------------------------------------------------------------------------

    def label(self, state: deal.State, action: e.Action) -> str:
        """What an action is called in a list."""
        return label(self.teller, state.phase, action)

    def cards(self, action: e.Action) -> tuple[str, ...]:
        """The cards that an action moves or shows."""
        match action:
            case e.Play(card=card):
                return (card.value,)
            case e.ShowPoignee(cards=some):
                return tuple(card.value for card in self.teller.sorted(mask(some)))
        return ()

    def step(self, state: deal.State, seat: e.Seat, action: e.Action) -> LineStep:
        """Something done in a line of play; `state` is the position before it."""
        return LineStep(seat, self.name(seat), self.label(state, action), self.cards(action), state.number)

    # --- goals and verdicts ------------------------------------------------------------------------------

    def atom(self, atom: Atom) -> str:
        """What may come about."""
        card = self.text("goals.anyCard") if atom.card is None else self.teller.face(atom.card)
        key = "lastTrickWith" if atom.what == "lastTrick" and atom.card is not None else atom.what
        told = self.text(f"goals.{key}", player=self.name(atom.seat), card=card)
        return told if atom.holds else self.text("goals.not", event=told)

    def verdict(self, goal: Goal, side: frozenset[e.Seat] | None, found: Solution) -> str:
        """What the position comes to."""
        if isinstance(goal, Claim):
            event = self.teller.words.listed([self.atom(atom) for atom in goal.atoms])
            return self.text(
                "verdicts.can" if found.value == 1 else "verdicts.cannot",
                side=self.side(side or ()),
                event=event,
            )
        if side is not None:
            return self.text("verdicts.side", side=self.side(side), points=signed(found.value))
        if found.points is not None:
            gains = ", ".join(f"{self.name(seat)} {signed(found.points[seat])}" for seat in self.letters)
            return self.text("verdicts.points", gains=gains)
        if found.value == 0:
            return self.text("verdicts.even")
        key = "takerWins" if found.value > 0 else "takerLoses"
        return self.text(f"verdicts.{key}", points=abs(found.value))

    def forced(self, side: Sequence[e.Seat], atoms: Sequence[Atom]) -> str:
        """What some seats can force."""
        events = self.teller.words.listed([self.atom(atom) for atom in atoms])
        return self.text("verdicts.forced", side=self.side(side), events=events)

    def shares(self, state: deal.State, value: int) -> tuple[float, ...] | None:
        """What everybody gains if each defender pays so much; None where it is not said that way."""
        if isinstance(state, danish.State):
            return None
        sides = [state.side(seat) for seat in range(state.table)]
        paid = value * sides.count("defence")
        return tuple(
            float(-value if side == "defence" else value if seat != state.taker else paid - value * others)
            for seat, side in enumerate(sides)
            for others in (sides.count("taker") - 1,)
        )
