"""A match with one person in it: whose turn it is, what the person sees, and the saved game."""

from __future__ import annotations

from typing import Literal, TypeAlias

from msgspec import Struct

from ultimo import deal, series
from ultimo.cli.play.saving import SaveFile
from ultimo.events import (
    Action,
    DealClosed,
    Event,
    Paid,
    Seat,
    Transfer,
    TrickWon,
)
from ultimo.names import Names
from ultimo.play.choices import Choices
from ultimo.players import Match, View
from ultimo.table.driving import WORDLESS
from ultimo.telling.labels import label
from ultimo.telling.seats import active
from ultimo.telling.teller import Teller

Moment: TypeAlias = Literal[
    "asked",  # the person must choose
    "others",  # chance or another player acts
    "watching",  # a trick is over that the person, who sits out, has only watched
    "between",  # no deal is being played
    "over",
]


class Told(Struct, frozen=True):
    """An event as the person saw it, and its sentences."""

    event: Event
    lines: tuple[str, ...]


class Session:
    """A person's evening: the match, the view of the person's seat, and the file it is saved in."""

    def __init__(
        self, match: Match, seat: Seat, words: Names, save: SaveFile | None = None, deals: int | None = None
    ) -> None:
        """Sit down; `deals` is how many are played in all, as long as the rules say so if None."""
        self.match = match
        self.rules = match.rules
        self.seat = seat
        self.teller = Teller(words, match.rules, match.state.names)
        self._save = save
        self._deals = deals
        self._all = self._seen = series.evolve(match.rules, None, match.log[0])
        self._watched = False
        self.resumed = len(match.log) > 1
        for event in match.log[1:]:
            self._see(event)

    # --- what the person knows -------------------------------------------------------------------------

    @property
    def view(self) -> View:
        """What the person's seat knows."""
        return View(self.rules, self.seat, self._seen)

    @property
    def present(self) -> deal.State | None:
        """The present deal, or the last one, as the person knows it."""
        return self._seen.deal

    @property
    def sits_out(self) -> bool:
        """Whether the person has no part in this deal."""
        return self._seen.playing and self.seat not in active(self._seen.deal)

    @property
    def saved_in(self) -> str:
        """The file in which the game is saved, if it is."""
        return str(self._save.path) if self._save else ""

    def payments(self) -> list[tuple[int, Transfer]]:
        """Every payment of the evening with the number of its deal; all of them are public."""
        number, paid = 1, []
        for event in self.match.log:
            if isinstance(event, Paid):
                paid += [(number, transfer) for transfer in event.transfers]
            number += isinstance(event, DealClosed)
        return paid

    # --- whose turn ------------------------------------------------------------------------------------

    @property
    def moment(self) -> Moment:
        """What the evening waits for."""
        state = self.match.state
        if state.closed:
            return "over"
        if not state.playing:
            return "between"
        if self._watched:
            return "watching"
        return "asked" if self.choices and not self._only_choice else "others"

    @property
    def choices(self) -> Choices | None:
        """What the person may do, if the deal waits for him and for nobody else before."""
        present = self.match.state.deal
        if present is None or deal.needs_cards(present):
            return None
        waiting = deal.waiting_for(self.rules, present)
        if self.seat not in waiting or any(seat in self.match.players for seat in waiting):
            return None
        return deal.legal(self.rules, present, self.seat)

    @property
    def _only_choice(self) -> Action | None:
        """What is done for the person, because there is nothing to choose and it tells nothing."""
        choices = self.choices
        if choices is None or len(choices) != 1:
            return None
        only = next(iter(choices))
        return only if isinstance(only, WORDLESS) else None

    # --- going on --------------------------------------------------------------------------------------

    def advance(self) -> list[Told]:
        """Let chance, another player or the person's only choice act."""
        if (only := self._only_choice) is not None:
            choice = self.teller.text("onlyChoice", choice=label(self.teller, self.present, only))
            first, *others = self.act(only)
            return [Told(first.event, (choice, *first.lines)), *others]
        return self._tell(self.match.advance())

    def act(self, action: Action) -> list[Told]:
        """Let the person act. May raise `IllegalAction`."""
        return self._tell(self.match.act(self.seat, action))

    def go_on(self) -> list[Told]:
        """Leave a watched trick, or begin the next deal, or end the evening."""
        if self._watched:
            self._watched = False
            return []
        if self.is_last:
            return self._tell(self.match.close())
        told = []
        for seat in self.match.players:
            for action in series.legal(self.rules, self.match.state, seat):
                told += self._tell(self.match.act(seat, action))
        return told + self._tell(self.match.next_deal())

    @property
    def is_last(self) -> bool:
        """Whether all deals of the evening have been played."""
        enough = self._deals is not None and self.match.state.deals >= self._deals
        return enough or series.is_due_to_end(self.rules, self.match.state)

    def close(self) -> None:
        """Leave the table; nothing more is saved."""
        if self._save:
            self._save.close()

    def _tell(self, events: tuple[Event, ...]) -> list[Told]:
        if self._save:
            self._save.append(events)
        told = [self._see(event) for event in events]
        self._watched = self.sits_out and any(isinstance(event, TrickWon) for event in events)
        return told

    def _see(self, event: Event) -> Told:
        """Show an event to the person."""
        seen = series.seen_by(self.rules, self._all, self.seat, event)
        before = self._seen
        self._all = series.evolve(self.rules, self._all, event)
        self._seen = series.evolve(self.rules, before, seen)
        if isinstance(seen, Paid):
            return Told(seen, tuple(self.teller.summed(seen.transfers)))
        return Told(seen, tuple(self.teller.tell(before.deal, seen, before.deals + 1)))
