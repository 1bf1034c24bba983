"""What holds after every event of every deal, whatever is played and however badly."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from random import Random
from typing import Any

import pytest
from msgspec import structs

from properties.driving import Clumsy, any_actions
from ultimo import danish, deal, french, record
from ultimo.cards import ALL_CARDS, Cards, mask
from ultimo.events import (
    Action,
    DealEvent,
    Event,
    IllegalAction,
    Lay,
    Opened,
    Paid,
    Seat,
    ShowPoignee,
    Transfer,
)
from ultimo.play.choices import Choices
from ultimo.record import Entry, Record, check, jsonl, sheet
from ultimo.rulebook import DanishRules, FrenchRules, Rules

FEW = 30  # legal actions that are all tried; of more, so many are drawn
STRANGE = 6  # arbitrary actions tried at each step

HIDDEN = {  # what a view may know less of than the table does
    danish.State: {"hands", "unseen", "dealt", "skat", "skat_unseen", "demands", "faults"},
    french.State: {
        "deck",
        "hands",
        "unseen",
        "dealt",
        "chien",
        "chien_unseen",
        "ecart",
        "ecart_unseen",
        "holder",
    },
}


class Witness:
    """Sees a deal happen, with the eyes of the table, of every seat and of a spectator, and objects."""

    def __init__(self, rules: Rules, opened: Opened) -> None:
        self.rules = rules
        self.start = opened.king + opened.pagat
        self.log: list[DealEvent] = []
        self.state = deal.initial(rules, opened)
        self.viewers: tuple[Seat | None, ...] = (*range(opened.table), None)
        first = {viewer: deal.seen_by(rules, self.state, viewer, opened) for viewer in self.viewers}
        self.seen: dict[Seat | None, list[DealEvent]] = {viewer: [event] for viewer, event in first.items()}
        self.views = {viewer: deal.replay(rules, [event]) for viewer, event in first.items()}
        self.log.append(opened)
        self.tell(deal.begin(rules, opened)[1:])

    def act(self, seat: Seat | None, action: Action) -> None:
        """Let an action happen; `decide`, `step` and `cause` must agree on what it is."""
        after, events = deal.step(self.rules, self.state, seat, action)
        assert events == deal.decide(self.rules, self.state, seat, action)
        assert deal.cause(self.state, events[0]) == (seat, action)
        self.tell(events)
        assert self.state == after

    def tell(self, events: Iterable[DealEvent]) -> None:
        """Let facts happen; the laws hold after each of them."""
        for event in events:
            for viewer in self.viewers:
                seen = deal.seen_by(self.rules, self.state, viewer, event)
                self.seen[viewer].append(seen)
                self.views[viewer] = deal.evolve(self.rules, self.views[viewer], seen)
            self.state = deal.evolve(self.rules, self.state, event)
            self.log.append(event)
            every_card_is_in_one_place(self.state)
            nothing_is_lost(self.state, self.start)
            for viewer in self.viewers:
                view_agrees(self.rules, self.state, self.views[viewer], viewer)

    # --- at rest, when somebody may act ------------------------------------------------------------------

    def someone_can_act(self) -> None:
        """The deal waits for chance, or for seats that can do something, or is over."""
        waiting = deal.waiting_for(self.rules, self.state)
        idle = deal.needs_cards(self.state) or deal.is_over(self.state)
        assert idle == (not waiting)
        for seat in waiting:
            assert len(deal.legal(self.rules, self.state, seat))

    def views_know_what_is_legal(self) -> dict[Seat, Choices]:
        """A seat's choices follow from what it has seen."""
        found = {}
        for seat in range(self.state.table):
            found[seat] = deal.legal(self.rules, self.state, seat)
            assert found[seat] == deal.legal(self.rules, self.views[seat], seat)
        return found

    def legal_is_what_is_accepted(self, rng: Random) -> None:
        """`decide` accepts what is legal and nothing else, and refuses in words."""
        before = hash(self.state)
        choices = self.views_know_what_is_legal()
        written: dict[Seat | None, list[Action]] = {None: []}
        for seat, offered in choices.items():
            if len(offered) <= FEW:
                written[seat] = list(offered)
                assert len(written[seat]) == len(set(written[seat])) == len(offered)
            some = written.get(seat) or [offered.draw(rng) for _ in range(FEW if offered else 0)]
            for action in some:
                assert action in offered
                assert deal.decide(self.rules, self.state, seat, action)
        for seat_or_none, action in any_actions(self.state, rng, STRANGE):
            expected = seat_or_none in choices and action in choices[seat_or_none]
            if seat_or_none in written:
                assert expected == (_canonical(action) in written[seat_or_none])
            self._accepts(seat_or_none, action, expected)
        assert hash(self.state) == before

    def _accepts(self, seat: Seat | None, action: Action, expected: bool) -> None:
        if expected:
            assert deal.decide(self.rules, self.state, seat, action)
            return
        with pytest.raises(IllegalAction) as refused:
            deal.decide(self.rules, self.state, seat, action)
        assert refused.value.reason


def _canonical(action: Action) -> Action:
    """An action that gives cards as a set, with the cards in order."""
    if isinstance(action, Lay | ShowPoignee) and len(set(action.cards)) == len(action.cards):
        return structs.replace(action, cards=tuple(sorted(action.cards)))
    return action


# --- after every event ---------------------------------------------------------------------------------


def every_card_is_in_one_place(state: deal.State) -> None:
    """Hands, trick, piles, skat or chien and écart make a pack; before the deal there are no cards."""
    places: list[Cards] = [*state.hands, mask(play.card for play in state.trick)]
    if isinstance(state, danish.State):
        places += [*state.piles, state.skat]
    else:
        places += [*state.won, state.chien, state.ecart]
    together = 0
    for place in places:
        assert not together & place
        together |= place
    empty = state.phase in ("dealing", "cut")
    assert together == (0 if empty else ALL_CARDS)


def nothing_is_lost(state: deal.State, start: int) -> None:
    """What the players have gained and what is in the cups is what was in the cups."""
    cups = state.king + state.pagat if isinstance(state, danish.State) else 0
    assert sum(state.net) + cups == start


def view_agrees(rules: Rules, state: deal.State, view: deal.State, viewer: Seat | None) -> None:
    """A view says of the hidden less than the table, never otherwise, and of all else the same."""
    kind = type(state)
    assert type(view) is kind
    sits_out = isinstance(state, danish.State) and viewer is not None and viewer not in state.order
    if sits_out and isinstance(rules, DanishRules) and rules.sitter.sees == "all":
        assert view == state
        return
    for name in kind.__struct_fields__:
        if name not in HIDDEN[kind]:
            assert getattr(view, name) == getattr(state, name), name
    for seat in range(state.table):
        assert not view.hands[seat] & ~state.hands[seat]
        assert not view.dealt[seat] & ~state.dealt[seat]
        assert view.size(seat) == state.size(seat)
        if seat == viewer:
            assert (view.hands[seat], view.dealt[seat]) == (state.hands[seat], state.dealt[seat])
    if isinstance(state, danish.State) and isinstance(view, danish.State):
        part_of(view.skat, view.skat_unseen, state.skat)
        assert set(view.demands) <= set(state.demands)
        assert set(view.faults) <= set(state.faults)
    elif isinstance(state, french.State) and isinstance(view, french.State):
        part_of(view.chien, view.chien_unseen, state.chien)
        part_of(view.ecart, view.ecart_unseen, state.ecart)
        assert len(view.deck) == len(state.deck)
        assert view.holder in (None, state.holder)


def part_of(known: Cards, unseen: int, whole: Cards) -> None:
    """Some cards of a heap are known, the others are counted."""
    assert not known & ~whole
    assert known.bit_count() + unseen == whole.bit_count()


# --- of a whole deal -----------------------------------------------------------------------------------


def witnessed(
    rules: Rules, opened: Opened, rng: Random, *, error: float = 1.0, probing: float = 1.0
) -> Witness:
    """A deal played to its end, with every law upheld on the way.

    `probing` is how often all that is legal, and more, is tried before a step is taken.
    """
    witness = Witness(rules, opened)
    players = Clumsy(rules, rng, error)
    while True:
        witness.someone_can_act()
        if rng.random() < probing:
            witness.legal_is_what_is_accepted(rng)
        else:
            witness.views_know_what_is_legal()
        if deal.is_over(witness.state):
            break
        witness.act(*players.next(witness.state))
    the_log_is_the_truth(witness)
    records_lose_nothing(rules, opened.table, witness.log)
    payments_are_the_settlement(rules, opened, witness)
    return witness


def the_log_is_the_truth(witness: Witness) -> None:
    """State and views are folds over the log, which stands up to being decided all over again."""
    assert deal.replay(witness.rules, witness.log) == witness.state
    for viewer, seen in witness.seen.items():
        assert deal.replay(witness.rules, seen) == witness.views[viewer]
    assert check.check(witness.rules, witness.log).deal == witness.state


def records_lose_nothing(rules: Rules, table: int, log: Sequence[Event]) -> None:
    """Both spellings are read back to the same record and written again to the same bytes."""
    written = Record(record.header(rules, table), tuple(map(Entry, log)))
    lines, text = jsonl.dumps(written), sheet.dumps(written)
    for spelling, spelled in ((jsonl, lines), (sheet, text)):
        again = record.loads(spelled)
        assert again == written
        assert spelling.dumps(again) == spelled
    assert record.rules_of(written.header) == rules
    assert jsonl.dumps(sheet.loads(text)) == lines


def payments_are_the_settlement(rules: Rules, opened: Opened, witness: Witness) -> None:
    """What was paid in the course of a deal is what a score sheet makes of its outcome."""
    state = witness.state
    if isinstance(rules, FrenchRules) and isinstance(state, french.State):
        due = (
            french.settle(rules, french.outcome_of(rules, state)).transfers
            if state.result == "played"
            else ()
        )
    elif isinstance(rules, DanishRules) and isinstance(state, danish.State) and not errors_happen(rules):
        before = structs.replace(state, king=opened.king, pagat=opened.pagat)
        due = danish.settle(rules, danish.outcome_of(before, state.counts)).transfers
    else:
        return
    paid = [transfer for event in witness.log if isinstance(event, Paid) for transfer in event.transfers]
    assert nets(paid) == nets(due)


def errors_happen(rules: DanishRules) -> bool:
    """Whether a table lets its players err."""
    return any(value is True for value in structs.astuple(rules.strict))


def nets(transfers: Iterable[Transfer]) -> dict[Any, int]:
    """What every account has gained, as far as it has."""
    gained: dict[Any, int] = {}
    for transfer in transfers:
        gained[transfer.payer] = gained.get(transfer.payer, 0) - transfer.points
        gained[transfer.payee] = gained.get(transfer.payee, 0) + transfer.points
    return {account: points for account, points in gained.items() if points}
