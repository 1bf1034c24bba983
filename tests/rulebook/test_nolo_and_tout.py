"""Rules B9: nolo and tout, announced or not, and what they do to the count."""

from __future__ import annotations

from typing import Any

import pytest

from settling import A_TOUT, C_NOLO, LEVEL, ROUTES, A, B, C, Settled, outcome
from table import DANISH, Table, danish_rules, dealt, ending, net
from ultimo import deal
from ultimo.cards import parse_cards
from ultimo.danish import settle
from ultimo.events import Announce, Announced, Counted, Decline, Lay
from ultimo.rulebook import DanishRules, RulebookError

START, THIRTEENTH, SIXTH_LAST = 1, 13, 20
CARDS = "T20 S4 D4"


def paid(table: Table, reason: str) -> tuple[int, ...]:
    """What A, B and C have gained for one reason."""
    return net([t for t in table.transfers() if t.reason == reason], A, B, C)


# --- prices --------------------------------------------------------------------------------------------


NOLO_PRICES = [
    pytest.param(None, C_NOLO, 82, marks=pytest.mark.cites("G118", "I-9.13")),
    pytest.param(START, C_NOLO, 252, marks=pytest.mark.cites("G119", "I-9.16")),
    pytest.param(START, LEVEL, -200, marks=pytest.mark.cites("G119", "I-9.16")),
    pytest.param(THIRTEENTH, C_NOLO, 112, marks=pytest.mark.cites("G120")),
    pytest.param(THIRTEENTH, LEVEL, -60, marks=pytest.mark.cites("G120")),
]


@pytest.mark.parametrize("route", ROUTES)
@pytest.mark.parametrize(("before", "tricks", "expected"), NOLO_PRICES)
def test_bastas_nolo_pays_more_the_earlier_it_is_announced(
    route: str, before: int | None, tricks: tuple[int, int, int], expected: int
) -> None:
    announced = (Announced(C, "nolo", before),) if before else ()
    settled = Settled(route, "basta", CARDS, tricks, announced=announced)
    assert settled.only("nolo", "noloLost") == (-expected // 2, -expected // 2, expected)
    assert settled.only("lastTrick") == (10, -5, -5)


TOUT_PRICES = [(START, 104), (THIRTEENTH, 76), (SIXTH_LAST, 62), (None, 52)]


@pytest.mark.cites("G121", "I-9.13")
@pytest.mark.parametrize("route", ROUTES)
@pytest.mark.parametrize(("before", "expected"), TOUT_PRICES)
def test_bastas_tout_pays_more_the_earlier_it_is_announced_and_takes_all_pouilles(
    route: str, before: int | None, expected: int
) -> None:
    announced = (Announced(A, "tout", before),) if before else ()
    won = Settled(route, "basta", CARDS, A_TOUT, announced=announced)
    assert (won.players, won.cups) == ((expected + 120, -expected // 2, -expected // 2), (0, 0))
    lost = Settled(route, "basta", CARDS, (24, 1, 0), announced=announced)
    assert lost.only("tout", "toutLost")[0] == (-expected if before else 0)
    assert lost.cups == (60, 60)


@pytest.mark.cites("I-9.15")
@pytest.mark.parametrize("route", ROUTES)
@pytest.mark.parametrize("book", ["jensen", "hermansen", "vlk", "dtf"])
def test_the_later_books_pay_no_more_for_a_nolo_or_tout_that_was_spoken_of(route: str, book: str) -> None:
    nolo = Settled(route, book, CARDS, C_NOLO, announced=(Announced(C, "nolo", START),))
    assert nolo.only("nolo") == (-25, -25, 50)
    tout = Settled(route, book, CARDS, A_TOUT, announced=(Announced(A, "tout", START),))
    assert tout.only("tout") == (160 + 120, -80, -80)


@pytest.mark.cites("I-9.9")
@pytest.mark.parametrize("route", ROUTES)
@pytest.mark.parametrize("book", DANISH)
def test_two_players_without_a_trick_are_a_tout_of_the_third_and_no_nolo(route: str, book: str) -> None:
    settled = Settled(route, book, CARDS, A_TOUT)
    assert settled.only("nolo") == (0, 0, 0)
    assert settled.only("tout") == ((172, -26, -26) if book == "basta" else (280, -80, -80))


@pytest.mark.cites("I-9.9", "I-9.15")
@pytest.mark.parametrize("route", ROUTES)
def test_an_announced_nolo_is_honoured_even_beside_a_tout(route: str) -> None:
    settled = Settled(route, "basta", CARDS, A_TOUT, announced=(Announced(C, "nolo", START),))
    assert settled.only("nolo") == (-126, -126, 252)
    assert settled.only("tout") == (172, -26, -26)


@pytest.mark.cites("I-9.16")
def test_bastas_prices_are_agreed_within_limits_and_the_premium_freely() -> None:
    for key, least, most in (("ultimo.king", 10, 30), ("ultimo.pagat", 15, 40)):
        for price in (least, most):
            danish_rules("basta", {key: price})
        for price in (least - 1, most + 1):
            with pytest.raises(RulebookError, match=f"{key}: must be from {least} to {most}"):
                danish_rules("basta", {key: price})
    assert (danish_rules("basta").ultimo.king, danish_rules("basta").ultimo.pagat) == (30, 40)


@pytest.mark.cites("I-9.16")
@pytest.mark.parametrize("route", ROUTES)
def test_a_house_may_set_the_terms_of_announcements(route: str) -> None:
    nolo = {"nolo.announce": [{"beforeTrick": 1, "win": 36, "premium": 300, "lose": 12}]}
    tout = {"tout.announce": [{"beforeTrick": 7, "win": 33, "lose": 44}]}
    for book in ("jensen", "basta"):
        spoken: dict[str, Any] = {"announced": (Announced(C, "nolo", 1), Announced(A, "tout", 7))}
        won = Settled(route, book, CARDS, C_NOLO, house=nolo | tout, **spoken)
        assert won.only("nolo") == (-336, -336, 672)
        assert won.only("toutLost") == (-88, 44, 44)
        lost = Settled(route, book, CARDS, LEVEL, house=nolo | tout, **spoken)
        assert lost.only("noloLost") == (312, 312, -624)
        assert Settled(route, book, CARDS, A_TOUT, house=tout, **spoken).only("tout")[1:] == (-33, -33)


# --- announcing ----------------------------------------------------------------------------------------


@pytest.mark.cites("I-9.15")
def test_at_the_start_everybody_may_announce_in_order_of_play_once_and_in_public() -> None:
    table = dealt(danish_rules("basta"), {})
    table.act(C, next(iter(table.legal(C))))
    assert (table.state.phase, table.state.asked) == ("announce", (A, B, C))
    assert list(table.legal(A)) == [Decline(), Announce("nolo"), Announce("tout")]
    assert table.refuses(B, Announce("nolo")).reason == "you cannot announce this now"
    (told,) = table.act(A, Announce("nolo"))
    assert [deal.seen_by(table.rules, table.state, seat, told) for seat in (B, C, None)] == [told] * 3
    table.act(B, Announce("tout"))
    table.act(C, Decline())
    assert (table.state.phase, table.state.turn) == ("play", A)
    assert table.refuses(A, Announce("tout")).reason == "you cannot announce this now"


THIRTEEN = {
    A: "T9 T10 T11 T12 T13 T14 T15 T16 T17 T18 T19 T20 T21",
    B: "H1 H2 H3 H4 H5 H6 H7 H8 H9 H10 HJ HN HQ",
    C: "S1 S2 S3 S4 S5 S6 S7 S8 S9 S10 SJ SN SQ",
}
SIX = {A: "T9 T8 T7 T6 T5 T4", B: "H1 H2 H3 H4 H5 H6", C: "S1 S2 S3 S4 S5 S6"}
SEVEN = {A: "T9 T8 T7 T6 T5 T4 T3", B: "H1 H2 H3 H4 H5 H6 H7", C: "S1 S2 S3 S4 S5 S6 S7"}


@pytest.mark.cites("I-9.15")
@pytest.mark.parametrize(
    ("hands", "won", "asked"),
    [
        (THIRTEEN, {B: 12}, {B: "tout", C: "nolo", A: "nolo"}),
        (THIRTEEN, {A: 6, B: 6}, {C: "nolo"}),
        (THIRTEEN, {A: 4, B: 4, C: 4}, {}),
        (SIX, {B: 19}, {B: "tout"}),  # too late for a nolo
        (SIX, {B: 18, A: 1}, {}),
        (SEVEN, {B: 18}, {}),
    ],
)
def test_later_only_who_has_no_trick_or_every_trick_may_announce(
    hands: dict[int, str], won: dict[int, int], asked: dict[int, Any]
) -> None:
    table = ending(danish_rules("basta"), hands, B, won=won)
    assert table.state.asked == tuple(asked)
    for seat, kind in asked.items():
        assert list(table.legal(seat)) == [Decline(), Announce(kind)]
        table.act(seat, Announce(kind))
    assert table.state.phase == "play"
    assert ending(danish_rules("jensen"), hands, B, won=won).state.phase == "play"


@pytest.mark.cites("I-9.15")
def test_who_has_announced_is_not_asked_again() -> None:
    before = (Announced(C, "nolo", 1),)
    table = ending(danish_rules("basta"), THIRTEEN, B, won={B: 12}, announced=before)
    assert table.state.asked == (B, A)


@pytest.mark.cites("I-9.15")
def test_a_deal_is_played_out_after_an_announcement_has_failed() -> None:
    table = ending(danish_rules("basta"), THIRTEEN, B, won={B: 12})
    for seat, kind in ((B, "tout"), (C, "nolo"), (A, "nolo")):
        table.act(seat, Announce(kind))  # type: ignore[arg-type]
    table.play("H1", "S1", "T9")
    assert (table.state.won[A], table.state.phase) == (1, "play")  # B's tout and A's nolo have failed
    table.play_on()
    assert paid(table, "toutLost") == (38, -76, 38)
    assert paid(table, "noloLost") == (-60, 30, 30)
    assert paid(table, "nolo") == (-56, -56, 112)


# --- nolo and tout in play, and the count --------------------------------------------------------------


@pytest.mark.cites("I-9.12")
@pytest.mark.parametrize(
    ("book", "pay"), [*((book, 25) for book in DANISH if book != "basta"), ("basta", 41)]
)
def test_whoever_took_no_trick_is_paid_a_nolo_unasked_and_the_skat_is_no_trick(book: str, pay: int) -> None:
    table = ending(danish_rules(book), {A: "T20", B: "S4", C: "D4"}, A, skat="C1 C2 C3", won={A: 12, B: 12})
    table.play("T20", "S4", "D4")
    assert table.state.skat.bit_count() == 3
    assert paid(table, "nolo") == (-pay, -pay, 2 * pay)


@pytest.mark.cites("I-9.13")
@pytest.mark.parametrize("tricks", [C_NOLO, A_TOUT])
def test_bastas_nolo_and_tout_are_paid_instead_of_the_count(tricks: tuple[int, int, int]) -> None:
    won = {A: tricks[0] - 1, B: tricks[1]}
    table = ending(danish_rules("basta"), {A: "T20", B: "S4", C: "D4"}, A, won=won)
    table.play("T20", "S4", "D4")
    assert (table.events(Counted), paid(table, "count")) == ([], (0, 0, 0))


@pytest.mark.cites("G122e", "I-9.13")
def test_an_announced_nolo_that_is_lost_does_not_stop_the_count() -> None:
    spoken = (Announced(C, "nolo", START),)
    noted = outcome(CARDS.split(), LEVEL, announcements=spoken, counts=(30, 28, 20))
    transfers = settle(danish_rules("basta"), noted).transfers
    assert net([t for t in transfers if t.reason == "noloLost"], A, B, C) == (100, 100, -200)
    assert net([t for t in transfers if t.reason == "count"], A, B, C) == (4, 2, -6)


@pytest.mark.parametrize("book", DANISH)
def test_a_house_may_count_after_a_nolo(book: str) -> None:
    rules = danish_rules(book, {"nolo.cancelsCount": False})
    table = ending(rules, {A: "T20", B: "S4", C: "D4"}, A, won={A: 12, B: 12}, piles=(0, 0, 0))
    table.play("T20", "S4", "D4")
    assert table.state.counts == (1, 13, 12)  # the dealer has the skat


def whole_tout(rules: DanishRules, *, skus_in: int = 25, announce: bool = False) -> Table:
    """A deal that A wins from the first trick to the last; the dealer C lays SQ HN DJ and has the skus."""
    winners = " ".join(f"T{number}" for number in range(1, 22)) + " SK HK CK DK"
    table = dealt(rules, {A: winners, B: "SN SJ HQ HJ CQ CN DQ DN", C: "T0 SQ HN DJ CJ"})
    table.accept_all()
    table.act(C, Lay(parse_cards("SQ HN DJ")))
    if announce:
        table.act(A, Announce("tout"))
    while table.state.phase != "closed":
        if table.state.phase in ("announce", "demand"):
            table.act(deal.waiting_for(rules, table.state)[0], Decline())
            continue
        may = table.may_play(table.state.turn).split()
        table.play("T0" if "T0" in may and skus_in == table.state.number else may[0])
    assert table.state.won[A] == 25
    return table


@pytest.mark.parametrize(
    ("skus_in", "counts", "expected"),
    [
        pytest.param(25, (71, 0, 7), (45, -25, -20), marks=pytest.mark.cites("G115", "I-9.11")),
        pytest.param(10, (67, 0, 11), (40, -25, -15), marks=pytest.mark.cites("G115b", "I-9.11")),
    ],
)
@pytest.mark.parametrize("book", ["jensen", "vlk", "dtf"])
def test_a_tout_is_counted_as_it_lies(
    book: str, skus_in: int, counts: tuple[int, ...], expected: tuple[int, ...]
) -> None:
    table = whole_tout(danish_rules(book), skus_in=skus_in)
    assert tuple(table.state.counts[seat] for seat in (A, B, C)) == counts
    assert paid(table, "count") == expected
    assert paid(table, "tout") == (160 + 130, -80, -80)


@pytest.mark.cites("G114", "I-9.11")
@pytest.mark.parametrize("skus_in", [10, 25])
def test_hermansens_tout_is_counted_flat(skus_in: int) -> None:
    table = whole_tout(danish_rules("hermansen"), skus_in=skus_in)
    assert (table.events(Counted), paid(table, "count")) == ([], (50, -25, -25))


@pytest.mark.cites("I-9.11", "I-9.13")
def test_bastas_announced_tout_takes_both_pouilles_and_is_not_counted() -> None:
    table = whole_tout(danish_rules("basta"), announce=True)
    assert paid(table, "tout") == (104 + 130, -52, -52)
    assert (table.events(Counted), paid(table, "count")) == ([], (0, 0, 0))
    assert table.state.emptied == (("king", A), ("pagat", A))


@pytest.mark.parametrize(
    ("house", "expected"),
    [
        ({"tout.count": "byCount"}, (45, -25, -20)),
        ({"tout.count": "flat25"}, (50, -25, -25)),
        ({"tout.count": "none"}, (0, 0, 0)),
        ({"tout.count": "flat25", "count.mode": "off"}, (0, 0, 0)),
        ({"tout.count": "byCount", "tout.excludesNolo": False}, (0, 0, 0)),
        ({"tout.count": "flat25", "tout.excludesNolo": False}, (0, 0, 0)),
        ({"tout.count": "flat25", "tout.excludesNolo": False, "nolo.cancelsCount": False}, (50, -25, -25)),
    ],
)
def test_a_house_may_count_a_tout_in_other_ways(house: dict[str, Any], expected: tuple[int, ...]) -> None:
    assert paid(whole_tout(danish_rules("jensen", house)), "count") == expected
