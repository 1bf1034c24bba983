"""Does anyone see too much? A seat's stream holds what rules E5 lets it know, and depends on nothing else."""

from __future__ import annotations

import os
from collections.abc import Iterator
from itertools import zip_longest
from random import Random

import pytest

from properties.driving import SWITCHES, TABLES
from secrecy.streams import Swap, Told, log, named, played, stream, until
from table import DANISH
from ultimo import deal, french, rulebook
from ultimo.cards import COURTS, SUITS_WORD, UNSEEN, Card, mask
from ultimo.events import (
    Call,
    Called,
    CardPlayed,
    CardsCorrected,
    CardTakenBack,
    ChienShown,
    ClaimMade,
    Counted,
    DealEvent,
    Dealt,
    Declared,
    DemandAnswered,
    EcartLaid,
    ExcuseKept,
    ExcuseLost,
    ExcuseWins,
    IllegalAction,
    LeadPassed,
    OffenceFound,
    Paid,
    PartnerRevealed,
    PetitSec,
    PlayedOutOfTurn,
    PoigneeShown,
    RedealDemanded,
    Revealed,
    Scored,
    Seat,
    SkatLaid,
    SkatNotice,
    SkatShown,
    SkusDemanded,
    SuitNotIn,
    TakerAloneRevealed,
    TarokLaidAnswer,
    VoidAnswered,
    VoidClaimed,
    WrongDemand,
)
from ultimo.rulebook import DanishRules, Rules

DEALS = 40 if "ULTIMO_LONG" in os.environ else 3
PIPS = SUITS_WORD & ~COURTS

WITH_SITTERS = [(book, size) for book, size in TABLES if size > 3 and book in DANISH]

every_table = pytest.mark.parametrize(("book", "size"), TABLES)


def tables(book: str) -> Iterator[Rules]:
    """A rulebook as it is, and where it has them with every error and with a pack that is not shuffled."""
    rules = rulebook.load(book)
    yield rules
    if isinstance(rules, DanishRules):
        yield rulebook.load(book, dict.fromkeys(SWITCHES, True) | {"decl.mode": "manual"})
    else:
        yield rulebook.load(book, {"deal.shuffle": "never"})


def deals(book: str, size: int, error: float = 0.0) -> Iterator[Told]:
    """Some deals at each kind of table."""
    for rules in tables(book):
        for number in range(DEALS):
            yield played(rules, size, Random(f"{book} {size} {number}"), error)


def viewers(told: Told) -> tuple[Seat | None, ...]:
    """Everybody at the table, and a spectator."""
    return (*range(told.opened.table), None)


# --- the stream does not depend on what was not seen ----------------------------------------------------


@pytest.mark.cites("E5", "I-7.16")
@every_table
def test_exchanging_unseen_pips_of_a_suit_changes_no_byte(book: str, size: int) -> None:
    """Two hands exchange pips of one suit: nothing they may or must do changes, so nobody may notice."""
    compared = 0
    for told in deals(book, size):
        for viewer in viewers(told):
            swap = exchange(told, viewer, same_suit=True, rng=Random(compared))
            if swap and is_shuffled(told):
                first = until(stream(told, viewer), swap)
                assert first == until(until_illegal(stream(told, viewer, swap)), swap)
                compared += len(first)
    assert compared > 10 * DEALS * size


@pytest.mark.cites("E5")
@every_table
def test_exchanging_any_unseen_cards_changes_only_what_must_be_said(book: str, size: int) -> None:
    """Any two unseen cards change places; where play can go on as it did, the stream stays the same.

    What a book makes a player say of his hand may change, and then the two deals are no longer alike.
    """
    alike = 0
    for told in deals(book, size):
        for viewer in viewers(told):
            swap = exchange(told, viewer, same_suit=False, rng=Random(alike))
            if not swap or not is_shuffled(told):
                continue
            first, second = stream(told, viewer), until_illegal(stream(told, viewer, swap))
            for line, other in zip_longest(until(first, swap), until(second, swap)):
                if line != other:
                    assert line is None or other is None or must_be_said(line) or must_be_said(other)
                    break
                alike += 1
    assert alike > 5 * DEALS * size


def exchange(told: Told, viewer: Seat | None, *, same_suit: bool, rng: Random) -> Swap:
    """Two cards of two others, or of the chien, that the viewer does not see dealt; none in want of such."""
    dealt = told.hands()
    hidden = [hand for seat, hand in enumerate(dealt.hands) if seat != viewer and hand]
    hidden += [dealt.chien] if dealt.chien else []
    for _ in range(50):
        one, other = rng.sample(hidden, 2)
        a, b = rng.choice(one), rng.choice(other)
        if not same_suit or (a.suit == b.suit and mask((a, b)) & ~PIPS == 0):
            return {a: b, b: a}
    return {}


def is_shuffled(told: Told) -> bool:
    """Whether the cards come from nowhere; a known pack could not be dealt otherwise."""
    return not told.opened.deck


def until_illegal(lines: Iterator[str]) -> Iterator[str]:
    """The lines as far as the actions can be taken."""
    try:
        yield from lines
    except IllegalAction:
        return


def must_be_said(line: str) -> bool:
    """Whether a line tells what a player, or the table for him, has to say of his cards."""
    return any(f'"type":"{kind.__name__}"' in line for kind in MUST_BE_SAID)


MUST_BE_SAID = (
    CardTakenBack,
    ClaimMade,
    Declared,
    LeadPassed,
    OffenceFound,
    PetitSec,
    SkatNotice,
    SkusDemanded,
    SuitNotIn,
    TakerAloneRevealed,
    TarokLaidAnswer,
    VoidAnswered,
    VoidClaimed,
    WrongDemand,
)


# --- the stream names only cards that the seat may know -------------------------------------------------

SHOWN = (  # cards that are on the table for all to see, or named by a player
    Called,
    CardPlayed,
    CardTakenBack,
    ChienShown,
    Declared,
    PetitSec,
    PlayedOutOfTurn,
    PoigneeShown,
    RedealDemanded,
    Revealed,
    SkatNotice,
    SkatShown,
)


@pytest.mark.cites("E5", "I-4.6", "I-C.17")
@every_table
def test_nobody_is_sent_a_card_he_may_not_know(book: str, size: int) -> None:
    for told in deals(book, size, error=0.05):
        for viewer in viewers(told):
            known: set[Card] = set()
            for state, event in log(told):
                if isinstance(event, Dealt):
                    known = set()
                known |= set(learned(event, viewer))
                sent = set(named(deal.seen_by(told.rules, state, viewer, event)))
                assert sent <= known, event


def learned(event: DealEvent, viewer: Seat | None) -> Iterator[Card]:
    """The cards that a seat comes to know by an event, as rules E5 has it."""
    match event:
        case Dealt(hands=hands) | CardsCorrected(hands=hands):
            yield from hands[viewer] if viewer is not None else ()
        case SkatLaid(seat=seat, cards=laid) if seat == viewer:
            yield from laid
        case EcartLaid(seat=seat, cards=laid, shown=shown):
            yield from laid if seat == viewer else shown
        case _ if isinstance(event, SHOWN):
            yield from named(event)


@pytest.mark.cites("E5")
@every_table
def test_a_seat_sees_its_own_hand_and_the_backs_of_the_others(book: str, size: int) -> None:
    for told in deals(book, size):
        for state, event in log(told):
            if isinstance(event, Dealt):
                for viewer in viewers(told):
                    seen = deal.seen_by(told.rules, state, viewer, event)
                    assert isinstance(seen, Dealt)
                    assert seen.chien == (UNSEEN,) * len(event.chien)
                    for seat, hand in enumerate(event.hands):
                        assert seen.hands[seat] == (hand if seat == viewer else (UNSEEN,) * len(hand))


@pytest.mark.cites("E5", "I-7.2")
@pytest.mark.parametrize("book", ["jensen", "hermansen", "vlk", "dtf"])
def test_how_another_answers_the_demand_is_hidden(book: str) -> None:
    answered = 0
    for told in deals(book, 3):
        for state, event in log(told):
            if isinstance(event, DemandAnswered):
                answered += 1
                for viewer in viewers(told):
                    seen = deal.seen_by(told.rules, state, viewer, event)
                    assert seen == (event if viewer == event.seat else DemandAnswered(event.seat, None))
    assert answered >= 3


@pytest.mark.cites("E5")
@every_table
def test_skat_ecart_and_closed_chien_are_hidden_until_the_count(book: str, size: int) -> None:
    shown = 0
    for told in deals(book, size):
        events = list(log(told))
        dealt = [at for at, (_, event) in enumerate(events) if isinstance(event, Dealt | CardsCorrected)]
        for place, (_, event) in enumerate(events):
            if isinstance(event, SkatShown | Revealed):
                shown += 1
                before = events[dealt[-1] : place]
                for viewer in set(viewers(told)) - {layer(before)}:
                    sent = set(cards_sent(told, viewer, before))
                    assert not sent & (set(event.cards) - disclosed(before))
    assert shown


def layer(events: list[tuple[deal.State, DealEvent]]) -> Seat | str:
    """Who has laid the hidden cards; nobody has, if the chien was left closed."""
    laid = [event.seat for _, event in events if isinstance(event, SkatLaid | EcartLaid)]
    return laid[-1] if laid else "nobody"


def cards_sent(told: Told, viewer: Seat | None, events: list[tuple[deal.State, DealEvent]]) -> Iterator[Card]:
    """The cards of which a seat was told where they are; one may name a card without having it."""
    for state, event in events:
        if not isinstance(event, Declared | Called | Paid):
            yield from named(deal.seen_by(told.rules, state, viewer, event))


def disclosed(events: list[tuple[deal.State, DealEvent]]) -> set[Card]:
    """Laid cards of which everybody had to be told, or which everybody saw in the chien."""
    found: set[Card] = set()
    for _, event in events:
        match event:
            case SkatNotice(cards=some) | ChienShown(cards=some) | EcartLaid(shown=some):
                found |= set(some)
            case _:
                pass
    return found


@pytest.mark.cites("E5")
@pytest.mark.parametrize(("book", "size"), WITH_SITTERS)
def test_a_sitter_sees_all_where_the_table_lets_him(book: str, size: int) -> None:
    for sees in ("public", "all"):
        rules = rulebook.load(book, {"sitter.sees": sees})
        told = played(rules, size, Random(f"{book} {size}"))
        sitters = [seat for seat in range(size) if seat not in told.opened.active]
        assert sitters
        for sitter in sitters:
            seen = [deal.seen_by(rules, state, sitter, event) for state, event in log(told)]
            assert (seen == [event for _, event in log(told)]) == (sees == "all")
            assert sees == "all" or seen == [
                deal.seen_by(rules, state, None, event) for state, event in log(told)
            ]


# --- five players: nothing tells the sides before the called card falls ---------------------------------


@pytest.mark.cites("E5", "I-C.25")
def test_nothing_tells_the_partner_before_the_called_card_falls() -> None:
    """Two deals that differ in who holds the called king: to all but the two holders they look the same."""
    compared = excuses = 0
    for number in range(60 * DEALS):
        told = played(rulebook.load("french5"), 5, Random(f"partner {number}"))
        for swap, holders in other_partners(told, Random(number)):
            for viewer in set(viewers(told)) - holders:
                first = up_to_the_card(stream(told, viewer), swap)
                assert first == up_to_the_card(until_illegal(stream(told, viewer, swap)), swap)
                compared += 1
                excuses += any('"card":"T0"' in line for line in first)
    assert compared > 20 * DEALS
    assert excuses > 2 * DEALS


def other_partners(told: Told, rng: Random) -> Iterator[tuple[Swap, set[Seat | None]]]:
    """Exchanges of the called card for one of its suit in another defender's hand, and who holds the two.

    The line that calls the card is public and names it, so that the exchanged deals are compared from there.
    """
    call = next(((seat, action.card) for seat, action in told.actions if isinstance(action, Call)), None)
    if call is None or call[0] is None:
        return
    taker, called = call
    dealt = told.hands().hands
    holder = next((seat for seat, hand in enumerate(dealt) if called in hand), taker)
    for other, hand in enumerate(dealt):
        pips = [card for card in hand if card.suit == called.suit and mask((card,)) & PIPS]
        if holder != taker and other not in (holder, taker) and pips:
            card = rng.choice(pips)
            yield {called: card, card: called}, {holder, other}


def up_to_the_card(lines: Iterator[str], swap: Swap) -> list[str]:
    """The lines until one of the cards is seen; the call, which names one of them, shows nothing."""
    kept = until(lines, swap)
    return [*kept, *until(lines, swap)]


@pytest.mark.cites("E5", "I-C.17", "I-C.25")
def test_sides_and_the_fate_of_the_excuse_are_told_together() -> None:
    hidden = 0
    for number in range(40 * DEALS):
        told = played(rulebook.load("french5"), 5, Random(f"sides {number}"))
        public = False
        for state, event in log(told):
            assert isinstance(state, french.State)
            assert state.sides_public == public
            if isinstance(event, PartnerRevealed | TakerAloneRevealed | Revealed):
                public = True
            if isinstance(event, ExcuseKept | ExcuseLost | ExcuseWins | Counted | Scored | Paid):
                assert public
            hidden += state.excuse is not None and not public
    assert hidden
