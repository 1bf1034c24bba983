"""The reasons of a hint as typed facts: each is checked before it becomes a sentence.

A fact is checked against what the seat knows, what its actions are worth, and how play-outs end by the two
best of them. Nothing is imported here that reckons: a device without the compiler checks what it can.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from typing import TypeAlias

from msgspec import Struct

from ultimo import danish, french
from ultimo import events as e
from ultimo.cards import PAGAT, Card
from ultimo.players import View
from ultimo.tutor.evidence import Evidence
from ultimo.tutor.principles import applies, has_role
from ultimo.tutor.reviewed import Worth
from ultimo.tutor.words import Words

LIKELY = 0.65  # from this chance on something is expected
HALF = 0.5
APART = 0.1  # between chances that are told apart

LIKELY = 0.65  # from this chance on something is expected

# --- facts -----------------------------------------------------------------------------------------------


class Aim(Struct, frozen=True):
    """What the seat plays for, or is."""

    role: str


class Advice(Struct, frozen=True):
    """A principle of the books that the best action follows."""

    principle: str


class Solved(Struct, frozen=True):
    """Every card is known, and the values are exact."""


class Alike(Struct, frozen=True):
    """All that may be done comes to the same."""


class Equal(Struct, frozen=True):
    """Others are about equal to the best: the first of them, and how many more."""

    other: Worth
    more: int


class Ahead(Struct, frozen=True):
    """The best is ahead of the second best, beyond the error."""

    other: Worth


class Effect(Struct, frozen=True):
    """What happens more or less often than by the second best."""

    event: str


class Outlook(Struct, frozen=True):
    """What is to be expected of the last trick, or of the contract."""

    event: str


class Declared(Struct, frozen=True):
    """What another player has declared."""

    seat: e.Seat
    declarations: tuple[e.Declaration, ...]


class Announced(Struct, frozen=True):
    """What another player has announced."""

    seat: e.Seat
    kind: str


class Showed(Struct, frozen=True):
    """A poignée that another player has shown."""

    seat: e.Seat
    size: int


class Lies(Struct, frozen=True):
    """Where a key card probably lies, or must lie."""

    card: Card
    row: int


class MostTrumps(Struct, frozen=True):
    """Who probably has more trumps than anybody else."""

    seat: e.Seat


Fact: TypeAlias = (
    Aim
    | Advice
    | Solved
    | Alike
    | Equal
    | Ahead
    | Effect
    | Outlook
    | Declared
    | Announced
    | Showed
    | Lies
    | MostTrumps
)


def holds(fact: Fact, on: Evidence) -> bool:
    """Whether a fact is so."""
    match fact:
        case Aim(role):
            return has_role(role, on)
        case Advice(principle):
            return applies(principle, on)
        case Solved():
            return on.known and len(on.worths) > 1
        case Alike():
            return len(on.worths) == 1
        case Equal(other, more):
            return [one.action for one in on.equals[:1]] == [other.action] and more == len(on.equals) - 1
        case Ahead(other):
            return not on.equals and on.worths[1:2] == (other,)
        case Effect(event):
            return on.rises(event) or on.falls(event)
        case Outlook(event):
            return _is_expected(event, on)
        case Declared(seat, declarations):
            return isinstance(on.view.deal, danish.State) and on.view.deal.declared[seat] == declarations
        case Announced(seat, kind):
            return (seat, kind) in announced(on.view)
        case Showed(seat, size):
            state = on.view.deal
            return isinstance(state, french.State) and any(
                (one.seat, one.size) == (seat, size) for one in state.poignees
            )
        case Lies(card, row):
            return on.located.get(card) == row or _chance(card, row, on) >= LIKELY
        case MostTrumps(seat):
            return seat in on.trumps
    return False


def announced(view: View) -> list[tuple[e.Seat, str]]:
    """What has been announced, and by whom."""
    state = view.deal
    if isinstance(state, danish.State):
        return [(one.seat, one.kind) for one in state.announced]
    return [] if state.slam is None else [(state.slam, "slam")]


def _is_expected(event: str, on: Evidence) -> bool:
    over = isinstance(on.view.deal, danish.State) or on.view.deal.phase not in ("bid", "call")
    return over and on.chance(event) >= LIKELY


def _chance(card: Card, row: int, on: Evidence) -> float:
    return on.chances[card][row] if card in on.chances else 0.0


# --- sentences -------------------------------------------------------------------------------------------


def told(facts: Iterable[Fact], on: Evidence, words: Words) -> Iterator[str]:
    """The sentences of those facts that hold. There is no other way from a fact to a sentence."""
    for fact in facts:
        if holds(fact, on):
            yield from _sentences(fact, on, words)


def _sentences(fact: Fact, on: Evidence, words: Words) -> Iterator[str]:
    state, players = on.view.deal, words.teller.players
    match fact:
        case Aim(role):
            yield words.text(f"roles.{role}")
        case Advice(principle):
            yield words.principle(principle)
        case Solved():
            yield words.principle("solved")
        case Alike():
            yield words.text("hint.alike")
        case Equal(other, more):
            best, label = words.label(state, on.action), words.label(state, other.action)
            values = {"best": best, "other": label, "points": words.points(other.behind)}
            yield words.text("hint.equalMore" if more else "hint.equal", **values, count=more)
            yield words.text("hint.highest" if round(other.behind, 1) > 0 else "hint.either", **values)
        case Ahead(other):
            key = "hint.aheadKnown" if on.known else "hint.ahead"
            yield words.text(key, other=words.label(state, other.action), points=words.points(other.behind))
        case Effect(event):
            yield words.change(on.changes[event])
        case Outlook(event):
            yield words.text(f"hint.{event}", percent=words.percent(on.chance(event)))
        case Declared(seat, declarations):
            made = words.teller.declarations(declarations)
            yield words.text("hint.declared", player=players[seat], declarations=made)
        case Announced(seat, kind):
            said = words.teller.words.announcement(kind)
            yield words.text("hint.announced", player=players[seat], announcement=said)
        case Showed(seat, size):
            poignee = words.teller.words.poignee(size)
            yield words.text("hint.poignee", player=players[seat], poignee=poignee)
        case Lies(card, row):
            yield _where(card, row, on, words)
        case MostTrumps(seat):
            key = f"hint.trumps.{on.view.rules.family}"
            yield words.text(key, player=players[seat], count=round(on.trumps[seat]))


def _where(card: Card, row: int, on: Evidence, words: Words) -> str:
    """That a card lies with a seat or aside, probably or certainly."""
    state = on.view.deal
    sure = "Sure" if card in on.located else ""
    name, percent = words.card_name(card), words.percent(_chance(card, row, on))
    if row >= state.table:
        aside = words.text(f"hint.asides.{state.aside.kind}")
        return words.text(f"hint.aside{sure}", card=name, aside=aside, percent=percent)
    player = words.teller.players[row]
    if isinstance(state, danish.State) and card.bit == PAGAT:
        return words.text(f"hint.pagat{sure}", player=player, percent=percent)
    if isinstance(state, french.State) and card == state.called and row != state.taker:
        return words.text(f"hint.partner{sure}", player=player, percent=percent)
    return words.text(f"hint.holds{sure}", card=name, player=player, percent=percent)
