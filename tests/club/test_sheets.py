"""The score sheet: what is written pays what the deal itself paid, whatever is undone and corrected."""

from __future__ import annotations

import os
from collections import Counter
from collections.abc import Iterator
from random import Random

import msgspec
import pytest
from msgspec.structs import replace

from sheets import NAMES, PEN, danish_entry, french_entry
from ultimo import danish, deal, french, rulebook, series
from ultimo.cards import parse_card
from ultimo.club import sheet as s
from ultimo.club.entries import DanishDeal, Entry, FrenchDeal
from ultimo.events import Action, Event, Paid, Seat, Transfer
from ultimo.players import Match
from ultimo.rulebook import FrenchRules, Rules

OUTCOMES = 100_000 if "ULTIMO_LONG" in os.environ else 24  # of each rulebook, at all its tables together
DEALS = 25  # on a sheet at most
TABLES = [(book, size) for book in rulebook.ids() for size in rulebook.load(book).sizes]


# --- a deal as somebody would write it down ----------------------------------------------------------------


def written(rules: Rules, state: danish.State | french.State) -> Entry:
    """What is written of a deal that is over."""
    if isinstance(rules, FrenchRules):
        assert isinstance(state, french.State)
        if state.taker is None or len(state.tricks) != rules.deal.hand:
            return FrenchDeal()
        return french_entry(french.outcome_of(rules, state))
    assert isinstance(state, danish.State)
    return danish_entry(danish.outcome_of(state, state.counts))


class AtRandom(Match):
    """A match that is played at random without anybody looking on: nobody's view is kept."""

    def __init__(self, rules: Rules, size: int, rng: Random) -> None:
        super().__init__(rules, NAMES[:size], {}, rng)
        self._dice = rng

    def act(self, seat: Seat | None, action: Action) -> tuple[Event, ...]:
        """Let a seat act: what `Match` does, without working out the state a second time."""
        self.state, told = series.step(self.rules, self.state, seat, action)
        self.log += told
        return told

    def advance(self) -> tuple[Event, ...]:
        """Let chance or whoever is to act do anything that is allowed."""
        present = self.state.deal
        if present is None or deal.is_over(present) or deal.needs_cards(present):
            return super().advance()
        seat = deal.waiting_for(self.rules, present)[0]
        return self.act(seat, deal.legal(self.rules, present, seat).draw(self._dice))


class Pen:
    """Somebody who writes, errs, takes back and corrects."""

    def __init__(self, match: Match, rng: Random) -> None:
        start = match.state
        self.log: list[s.AnyFact] = [
            s.Opened(rules=match.rules.id, names=start.names, dealer=start.dealer, out=start.out, by=PEN)
        ]
        self.sheet = s.fold(self.log)
        self._rng, self._evening = rng, s.Evening()

    def write(self, fact: s.AnyFact) -> None:
        self.sheet = s.decide(self.sheet, fact, self._evening)
        self.log.append(fact)

    def book(self, entry: Entry) -> None:
        """Write a deal, now and then by way of errors."""
        match self._rng.randrange(5):
            case 0:
                self.write(s.Booked(entry=self._wrong(entry), by=PEN))
                self.write(s.Undone(by=PEN))
                self.write(s.Booked(entry=entry, by=PEN))
            case 1:
                self.write(s.Booked(entry=self._wrong(entry), by=PEN))
                self.write(s.Corrected(deal=len(self.sheet.entries), entry=entry, by=PEN))
            case _:
                self.write(s.Booked(entry=entry, by=PEN))

    def _wrong(self, entry: Entry) -> Entry:
        """The deal before, if it can be written by mistake: who sits out may have changed."""
        wrong = self.sheet.entries[-1] if self.sheet.entries else entry
        try:
            s.preview(self.sheet, wrong, evening=self._evening)
        except s.Refused:
            return entry
        return wrong


def paid(match: Match, since: int) -> Iterator[Transfer]:
    """What was paid; the card that won a last trick is not written down."""
    for event in match.log[since:]:
        if isinstance(event, Paid):
            yield from (replace(t, card=None) if t.reason == "lastTrick" else t for t in event.transfers)


def lengths(deals: int) -> Iterator[int]:
    """How many deals are written on each sheet."""
    while deals > 0:
        yield min(deals, DEALS)
        deals -= DEALS


@pytest.mark.parametrize(("book", "size"), TABLES)
def test_what_is_written_pays_what_was_paid(book: str, size: int) -> None:
    rules, rng = rulebook.load(book), Random(f"{book} {size}")
    for deals in lengths(-(-OUTCOMES // len(rules.sizes))):
        match = AtRandom(rules, size, rng)
        pen, played = Pen(match, rng), []
        for _ in range(deals):
            since = len(match.log)
            for _ in match.play_deals(1):
                pass
            assert match.state.deal is not None
            pen.book(written(rules, match.state.deal))
            played.append((Counter(paid(match, since)), match.state.totals, match.state.cups))
        found = s.ledger(pen.sheet)
        assert [(Counter(line.transfers), line.totals, line.cups) for line in found.lines] == played
        assert (found.state.dealer, found.state.out) == (match.state.dealer, match.state.out)
        assert sum(found.totals) + sum(found.state.cups.values()) == 0
        assert s.fold(pen.log) == pen.sheet


@pytest.mark.parametrize("book", ["dtf", "french5"])
def test_a_log_is_read_back_as_it_was_written(book: str) -> None:
    rules, size = rulebook.load(book), rulebook.load(book).sizes[-1]
    match = AtRandom(rules, size, Random(3))
    pen = Pen(match, Random(4))
    for _ in match.play_deals(6):
        assert match.state.deal is not None
        pen.book(written(rules, match.state.deal))
    pen.write(s.Noted(deal=2, text="Per dealt wrong", by=PEN))
    pen.write(s.Closed(lot=1, by=PEN))
    lines = [msgspec.json.encode(fact) for fact in pen.log]
    read = [msgspec.json.decode(line, type=s.AnyFact) for line in lines]
    assert read == pen.log
    assert s.ledger(s.fold(read)) == s.ledger(pen.sheet)
    assert sum(s.ledger(pen.sheet).totals) == 0  # the cups are divided


# --- what cannot be written --------------------------------------------------------------------------------


def opened(book: str = "dtf", names: tuple[str, ...] = NAMES[:3]) -> s.Sheet:
    return s.fold([s.Opened(rules=book, names=names, by=PEN)])


def last_trick(winner: int, **fields: object) -> DanishDeal:
    return DanishDeal(winner=winner, counts={1: 26, 2: 26}, **fields)  # type: ignore[arg-type]


def test_only_whoever_has_the_pen_writes_and_it_can_be_handed_over() -> None:
    sheet = opened()
    with pytest.raises(s.Refused, match="somebody else has the pen"):
        s.decide(sheet, s.Booked(entry=last_trick(1), by="Bo"))
    sheet = s.decide(sheet, s.PenHanded(to="Bo", by=PEN))
    assert len(s.decide(sheet, s.Booked(entry=last_trick(1), by="Bo")).entries) == 1
    with pytest.raises(s.Refused, match="somebody else has the pen"):
        s.decide(sheet, s.PenHanded(to="Ida", by="Ida"))
    assert s.decide(sheet, s.PenHanded(to=PEN, by=PEN)).pen == PEN  # the host takes it back


@pytest.mark.parametrize(
    ("entry", "field"),
    [
        (DanishDeal(winner=1, counts={1: 40, 2: 40}), "counts"),
        (DanishDeal(winner=1, counts={1: 26}), "counts"),
        (DanishDeal(winner=1), "counts"),
        (DanishDeal(winner=1, counts={1: 0, 2: 40}), "counts"),
        (FrenchDeal(), "game"),
    ],
)
def test_an_entry_that_no_deal_can_have_is_refused_with_its_field(entry: Entry, field: str) -> None:
    with pytest.raises(s.Refused) as refused:
        s.decide(opened(), s.Booked(entry=entry, by=PEN))
    assert refused.value.field == field
    assert refused.value.reason


def test_an_early_deal_is_corrected_and_all_after_it_is_worked_out_anew() -> None:
    sheet = opened()
    for winner in (1, 2, 0):
        sheet = s.decide(sheet, s.Booked(entry=DanishDeal(winner=winner, counts={0: 26, 1: 26}), by=PEN))
    before = s.ledger(sheet)
    ultimo = DanishDeal(winner=1, won_with=parse_card("T1"), counts={0: 26, 1: 26})
    after = s.ledger(s.decide(sheet, s.Corrected(deal=1, entry=ultimo, by=PEN)))
    assert after.lines[0].emptied == (("pagat", 1),)
    assert after.lines[1].transfers[0].reason == "found"  # the cup is founded anew
    assert [line.number for line in after.lines] == [line.number for line in before.lines]
    assert after.totals != before.totals
    assert sum(after.totals) + sum(after.state.cups.values()) == 0


def test_nothing_is_taken_back_where_nothing_was_written() -> None:
    with pytest.raises(s.Refused, match="nothing to take back"):
        s.decide(opened(), s.Undone(by=PEN))
