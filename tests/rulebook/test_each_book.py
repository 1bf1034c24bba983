"""Values that a book shares with others, or needs only with a house rule, shown book by book."""

from __future__ import annotations

from random import Random

import pytest
from msgspec.structs import replace

from table import (
    DANISH,
    FRENCH,
    Evening,
    Table,
    danish_rules,
    dealt,
    ending,
    french_rules,
    net,
    opened,
    plays,
    strict,
)
from ultimo import danish, deal, series
from ultimo.cards import PACK, UNSEEN, cards, parse_cards
from ultimo.danish import Outcome, settle
from ultimo.events import (
    Announced,
    Claim,
    CupsDivided,
    Deal,
    Dealt,
    Declaration,
    Declare,
    Decline,
    Declined,
    DemandSkus,
    Lay,
    ObjectCount,
    Opened,
    Redeal,
    SkatNotice,
)
from ultimo.rulebook import DanishRules

LATER_BOOKS = ("jensen", "hermansen", "vlk", "dtf")
UNAVOIDABLE = (
    "T7 T8 T9 T10 T11 T12 T13 T14 T15 T16 T17 T18 T19 T20 T21 T0 SK HK CK DK SQ SN SJ HQ HN HJ CQ C2"
)
NINE_WITHOUT = "T2 T3 T4 T5 T6 T7 T8 T9 T10 S1 S2 S3 S4 S5 S6 S7 S8 S9 S10 H1 H2 H3 H4 H5 H6"


def opened_table(rules: DanishRules) -> Table:
    """A deal that waits for its cards."""
    start = opened()
    table = Table(rules, danish.initial(rules, start), danish.begin(rules, start))
    table.state = deal.replay(rules, table.log)
    return table


def lay_any(table: Table) -> None:
    """The dealer lays the first legal skat."""
    table.accept_all()
    table.act(0, next(iter(table.legal(0))))


@pytest.mark.parametrize("book", DANISH)
def test_a_sitter_sees_what_is_public_and_no_hand(book: str) -> None:
    """Rules E5, D2 «sitter.sees»."""
    rules = danish_rules(book)
    opened = Opened(4, 0, (1, 3, 0), 80, 80)
    state = danish.initial(rules, opened)
    event = Dealt(danish.deal_out(4, state.order, deal.shuffled(Random(1))).hands)
    seen = deal.seen_by(rules, state, 2, event)
    assert isinstance(seen, Dealt)
    assert {card for hand in seen.hands for card in hand} == {UNSEEN}


@pytest.mark.parametrize("book", LATER_BOOKS)
def test_nobody_is_asked_for_an_announcement_in_the_later_books(book: str) -> None:
    table = dealt(danish_rules(book), {})
    lay_any(table)
    assert table.state.phase == "play"
    table.play_on()
    assert (table.events(Announced), table.events(Declined)) == ([], [])


def test_basta_asks_everybody_for_an_announcement_before_the_first_lead() -> None:
    table = dealt(danish_rules("basta"), {})
    lay_any(table)
    assert (table.state.phase, table.state.asked) == ("announce", (1, 2, 0))


@pytest.mark.parametrize(
    ("book", "counted"),
    [
        ("jensen", (45, -25, -20)),
        ("hermansen", (50, -25, -25)),
        ("vlk", (45, -25, -20)),
        ("basta", (0, 0, 0)),
        ("dtf", (45, -25, -20)),
    ],
)
def test_how_the_cards_are_counted_after_a_tout(book: str, counted: tuple[int, ...]) -> None:
    """Rules B9, I-9.11: forehand takes every trick, the dealer has laid queen, knight and jack."""
    outcome = Outcome(
        table=3,
        order=(1, 2, 0),
        king=60,
        pagat=60,
        tricks=(25, 0, 0),
        last=plays(s1="T20", s2="S4", s0="D4"),
        winner=1,
        counts=(71, 0, 7),
    )
    transfers = settle(danish_rules(book), outcome).transfers
    assert net([t for t in transfers if t.reason == "count"], 1, 2, 0) == counted


@pytest.mark.parametrize("book", LATER_BOOKS)
def test_a_house_that_pays_the_last_trick_beside_a_tout_pays_it_though_two_are_without_a_trick(
    book: str,
) -> None:
    """Rules D2 «tout.*»: the two are nolo players when nolo is paid, and for nothing else."""
    house = {"tout.excludesNolo": False, "tout.replacesLastTrick": False, "tout.takesCups": False}
    outcome = Outcome(
        table=3,
        order=(1, 2, 0),
        king=60,
        pagat=60,
        tricks=(25, 0, 0),
        last=plays(s1="T20", s2="S4", s0="D4"),
        winner=1,
    )
    rules = danish_rules(book, house)
    paid = settle(rules, outcome).transfers
    assert net([t for t in paid if t.reason == "lastTrick"], 1, 2, 0) == (40, -20, -20)
    by_king = settle(rules, replace(outcome, last=plays(s1="HK", s2="S4", s0="D4"))).transfers
    assert [t.reason for t in by_king if t.payer == "king"] == ["kingUltimo"]


@pytest.mark.parametrize("book", LATER_BOOKS)
def test_a_false_ten_costs_nothing_to_the_opponents_in_the_later_books(book: str) -> None:
    table = dealt(strict(book, "declare"), {1: NINE_WITHOUT})
    lay_any(table)
    table.act(0, Declare(()))
    table.act(1, Declare((Declaration("tarok", 10, False),)))
    table.act(2, Claim("declaration", 1))
    fines = [t for t in table.transfers() if t.reason == "fine"]
    assert net(fines, 0, 2) == (0, 0)
    assert {t.payee for t in fines} == {"king", "pagat"}


@pytest.mark.parametrize(
    ("book", "nets"),
    [("basta", (200, -195, -5)), *((book, (220, -220, 0)) for book in LATER_BOOKS)],
)
def test_king_ultimo_beside_a_king_bagud_goes_by_what_the_cup_held(book: str, nets: tuple[int, ...]) -> None:
    """Rules I-9.5: the ultimator takes the hundred, the bagud pays a hundred in."""
    table = ending(
        danish_rules(book, {"count.mode": "off"}),
        {1: "HK", 2: "SK", 0: "H3"},
        1,
        won={1: 8, 2: 8, 0: 8},
        king=100,
    )
    table.play("HK", "SK", "H3")
    assert net(table.transfers(), 1, 2, 0) == nets
    assert table.state.king == 100


def test_a_house_that_seats_five_under_basta_lets_two_sit_out() -> None:
    rules = danish_rules("basta", {"table.sizes": [3, 4, 5]})
    assert series.seated(rules, 5, 0) == (1, 4, 0)
    assert series.next_places(rules, 5, 1, 0, None).dealer == 2


def test_a_house_that_protects_declarations_under_basta_asks_for_no_notice() -> None:
    table = dealt(danish_rules("basta", {"skat.forbidDeclared": True}), {0: UNAVOIDABLE})
    table.act(0, Lay(parse_cards("CQ C2 SJ")))
    assert table.events(SkatNotice) == []


def test_a_house_that_lets_the_skus_be_demanded_under_basta_fines_no_wrong_demand() -> None:
    rules = strict("basta", "skusDemand", **{"skus.demandable": True})
    table = ending(rules, {1: "S4 S5 S6", 2: "H4 H5 H6", 0: "D4 D5 D6"}, 1)
    for seat, action in ((1, DemandSkus()), (2, Decline()), (0, Decline())):
        table.act(seat, action)
    assert (table.state.wrong_demands, table.transfers()) == ((1,), [])


@pytest.mark.parametrize("book", DANISH)
def test_cups_that_were_not_moved_cost_five_each_wherever_a_house_wants_them_moved(book: str) -> None:
    table = dealt(strict(book, "cups", **{"cups.moveDuty": True}), {})
    lay_any(table)
    table.play(cards(table.state.hands[1] & ((1 << 56) - 1))[0].value)
    fines = [t for t in table.transfers() if t.reason == "fine"]
    assert net(fines, 0, "king", "pagat") == (-10, 5, 5)


@pytest.mark.parametrize("book", DANISH)
def test_a_misdeal_costs_five_to_each_wherever_a_house_has_it_paid_so(book: str) -> None:
    table = opened_table(strict(book, "deal", **{"deal.misdeal": "payEachOrPass"}))
    hands = danish.deal_out(3, (1, 2, 0), PACK).hands
    table.act(None, Deal(((*hands[0], hands[1][0]), hands[1][1:], hands[2])))
    table.act(2, ObjectCount())
    table.act(0, Redeal())
    assert net([t for t in table.transfers() if t.reason == "misdeal"], 0, 1, 2) == (-10, 5, 5)


@pytest.mark.parametrize(("book", "share"), [("basta", 57), *((book, 55) for book in LATER_BOOKS)])
def test_cups_are_divided_in_chips(book: str, share: int) -> None:
    """Rules I-12.1: 230 points among four, in chips of five, or of one under Basta."""
    founding = {"cups.found.king": 40, "cups.found.pagat": 15, "cups.foundBy": "allAtTable"}
    evening = Evening(danish_rules(book, founding | {"cups.ante": 5}), 4)
    evening.next_deal()
    state = replace(evening.state, deal=replace(evening.state.deal, phase="closed"))
    shares = next(e.shares for e in series.close(evening.rules, state) if isinstance(e, CupsDivided))
    assert (sum(shares), min(shares)) == (230, share)


@pytest.mark.parametrize("book", FRENCH)
def test_the_pack_is_shuffled_for_every_french_deal(book: str) -> None:
    """Rules I-C.2: nothing is handed from one deal to the next."""
    rules = french_rules(book)
    evening = Evening(rules, rules.players)
    evening.play_deal(Random(3))
    evening.next_deal()
    assert evening.state.deal.phase == "dealing"
    assert [event.deck for event in evening.log if isinstance(event, Opened)] == [(), ()]
