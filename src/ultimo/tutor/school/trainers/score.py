"""What does the deal pay? How it went, in words and cards; the engine's settlement knows the answer."""

from __future__ import annotations

from collections.abc import Iterator
from random import Random
from typing import Final

from msgspec import Struct

from ultimo import danish, french
from ultimo import events as e
from ultimo.cards import KINGS, PAGAT
from ultimo.names import capital, names
from ultimo.play.places import Role
from ultimo.rulebook import FrenchRules, Rules
from ultimo.telling import results
from ultimo.telling.teller import Teller, halves, signed
from ultimo.telling.writer import Block, CardRow, CardRows, Grid, Items
from ultimo.tutor.school.exercises import Answer, Number, Question, Verdict, number
from ultimo.tutor.school.parts import Pen
from ultimo.tutor.school.trainers.deals import Dealt, played
from ultimo.tutor.school.trainers.trainer import Trainer

KEY: Final = "trainers.score"
PEOPLE: Final = ("Anna", "Karen", "Paul", "David", "Emma")
TRIES: Final = 6  # deals that are played at most for one with a payment of the wanted kind

# What a deal is looked for with, one as often as the other; many deals have several of them.
WANTED: Final[dict[str, tuple[frozenset[str], ...]]] = {
    "danish": (
        frozenset({"kingUltimo"}),
        frozenset({"pagatUltimo", "pagatBagud"}),
        frozenset({"kingBagud"}),
        frozenset({"declaration"}),
        frozenset({"kingLost", "pagatLost", "pagatHome"}),
        frozenset({"nolo", "tout", "noloLost", "toutLost"}),
    ),
    "french": (
        frozenset({"contract"}),
        frozenset({"petitAuBout"}),
        frozenset({"poignee"}),
        frozenset({"petitAuBout", "poignee", "slam"}),
    ),
}


class Settled(Struct, frozen=True):
    """A deal that is over, and the seat whose points are asked for."""

    deal: Dealt
    seat: e.Seat

    def question(self, language: str) -> Question:
        """How the deal went, and what it brings somebody."""
        pen = self._pen(language)
        ask = pen.text(f"{KEY}.ask.{self.deal.rules.family}", player=self._teller(pen).players[self.seat])
        return Question(ask, Number(), self._blocks(pen))

    def verdict(self, answer: Answer, language: str) -> Verdict:
        """Every payment of the deal by its reason."""
        pen, said, due = self._pen(language), number(answer), self.points
        teller = self._teller(pen)
        transfers, state = self.deal.transfers, self.deal.state
        told = results.account_of(teller, transfers, state, self.seat, own=False)
        text = f"{pen.text('right' if said == due else 'wrong')} {told}"
        return Verdict(said == due, text, (str(due),), (*self._blocks(pen), *self._reckoned(pen, teller)))

    @property
    def points(self) -> int:
        """What the deal brings the seat."""
        return results.gains(self.deal.transfers, self.deal.state.table)[self.seat]

    def _pen(self, language: str) -> Pen:
        return Pen(self.deal.rules, language)

    def _teller(self, pen: Pen) -> Teller:
        return Teller(names(pen.language), pen.rules, PEOPLE[: self.deal.state.table])

    def _blocks(self, pen: Pen) -> tuple[Block, ...]:
        teller, state = self._teller(pen), self.deal.state
        if isinstance(state, danish.State):
            told, rows = _danish(pen, teller, self.deal, state), _danish_tricks(teller, state)
        else:
            told, rows = _french(pen, teller, state), _last_trick(teller, state)
        return Items(tuple(told)), CardRows(tuple(rows))

    def _reckoned(self, pen: Pen, teller: Teller) -> tuple[Block, ...]:
        """How the count is paid, and a row for each reason."""
        transfers, state = self.deal.transfers, self.deal.state
        accounts = results.accounts_of(self.deal.rules, state.table)
        rows = results.by_reason(teller, transfers, accounts, state)
        lines = [(row.label, *map(signed, row.points)) for row in rows]
        whole = (teller.text("total"), *map(signed, results.added(rows, accounts)))
        head = ("", *(capital(teller.account(account)) for account in accounts))
        return Items(tuple(results.outcome(teller, state))), Grid(head, (*lines, whole))


# --- how it went -----------------------------------------------------------------------------------------


def _placed(teller: Teller, seat: e.Seat, role: Role) -> str:
    return f"{teller.players[seat]} ({teller.words.role(role)})"


def _danish(pen: Pen, teller: Teller, dealt: Dealt, state: danish.State) -> Iterator[str]:
    """Who sits where, the cups before the deal, what was said, tricks and card points."""
    opened = dealt.log[0]
    assert isinstance(opened, e.Opened)
    roles: tuple[Role, ...] = ("forehand", "middle", "dealer")
    yield teller.words.listed([_placed(teller, *one) for one in zip(state.order, roles, strict=True)]) + "."
    if dealt.rules.has_cups:
        yield pen.text(f"{KEY}.cups", king=opened.king, pagat=opened.pagat)
    for seat in state.order:
        if made := state.declared[seat]:
            said = teller.declarations(made)
            yield teller.text("declares", player=teller.players[seat], declaration=said) + "."
    for one in state.announced:
        kind = teller.words.announcement(one.kind)
        yield teller.text("announces", player=teller.players[one.seat], announcement=kind) + "."
    yield pen.text(f"{KEY}.tricks", tricks=_by_seat(teller, state, state.won))
    if state.counts:  # a nolo or a tout may leave nothing to count
        yield pen.text(f"{KEY}.counts", counts=_by_seat(teller, state, state.counts))


def _by_seat(teller: Teller, state: danish.State, numbers: tuple[int, ...]) -> str:
    return ", ".join(f"{teller.players[seat]} {numbers[seat]}" for seat in state.order)


def _danish_tricks(teller: Teller, state: danish.State) -> Iterator[CardRow]:
    """The tricks in which a king or the pagat fell, and the last."""
    told = results.tricks(teller, state)
    for place, trick in enumerate(state.tricks):
        paid = [
            play.card.value
            for play in trick.plays
            if play.card.bit & PAGAT or (play.card.bit & KINGS and play.seat != trick.winner)
        ]
        if paid or trick is state.tricks[-1]:
            yield CardRow(told[place], tuple(play.card.value for play in trick.plays), tuple(paid))


def _french(pen: Pen, teller: Teller, state: french.State) -> Iterator[str]:
    """The contract, what was said and shown, and what the taker's side has."""
    assert state.contract is not None
    assert state.taker is not None
    taker = teller.players[state.taker]
    yield pen.text(f"{KEY}.takes", player=taker, bid=teller.words.bid(state.contract.id))
    if state.called is not None:
        yield teller.text("calls", player=taker, card=teller.card(state.called)) + "."
        partner = state.partner
        alone, with_whom = "tells.takerAlone", "tells.partner"
        player = taker if partner is None else teller.players[partner]
        yield teller.text(alone if partner is None else with_whom, player=player) + "."
    if state.slam is not None:
        slam = teller.words.announcement("slam")
        yield teller.text("announces", player=teller.players[state.slam], announcement=slam) + "."
    for event in state.poignees:
        yield teller.tell(state, event)[0] + "."
    assert isinstance(pen.rules, FrenchRules)
    outcome = french.outcome_of(pen.rules, state)
    if outcome.slam_made is not None:
        yield pen.text(f"{KEY}.slam.{outcome.slam_made}")
    had, others = map(halves, state.counted)
    yield teller.text("tells.countedSides", taker=had, defence=others) + "."
    yield pen.text(f"{KEY}.bouts", bouts=outcome.bouts)


def _last_trick(teller: Teller, state: french.State) -> Iterator[CardRow]:
    plays = state.tricks[-1].plays
    marked = tuple(play.card.value for play in plays if play.card.bit & PAGAT)
    yield CardRow(results.tricks(teller, state)[-1], tuple(play.card.value for play in plays), marked)


# --- asking ----------------------------------------------------------------------------------------------


def ask(rules: Rules, seed: str, n: int) -> Settled:
    """A deal of a run."""
    rng = Random(f"score {rules.id} {seed} {n}")
    wanted = rng.choice(WANTED[rules.family])
    for _ in range(TRIES):
        found = played(rules, rng, ducks="nolo" in wanted)
        if any(paid.reason in wanted for paid in found.transfers):
            break
    return Settled(found, rng.choice(sorted(found.state.active)))


TRAINER: Final = Trainer(
    "score",
    "danish",
    ("dtf", "hermansen", "jensen", "vlk", "basta", "french4", "french3", "french5"),
    ask,
)
