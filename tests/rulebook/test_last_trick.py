"""Rules B9: last trick, ultimo and bagud, alone and beside a nolo or a tout.

Every case runs twice: as a score sheet notes it, and as the last trick of a deal that is played.
"""

from __future__ import annotations

from random import Random
from typing import Any

import pytest
from msgspec.structs import replace

from settling import A_TOUT, C_NOLO, ROUTES, A, B, C, Settled
from table import DANISH, danish_rules, dealt, ending, net
from ultimo.danish import outcome_of, settle
from ultimo.deal import shuffled
from ultimo.events import Announced, Cup

JHT = ("jensen", "hermansen", "dtf")
JHV = ("jensen", "hermansen", "vlk")
JHVT = (*JHV, "dtf")


def case(cites: str, books: Any, cards: str, expected: tuple[int, int, int], **more: Any) -> list[Any]:
    """A row for each book: the cards of A, B and C, what they gain, and what else differs.

    `after` is what the cups hold at the end, `took` which of them A has emptied.
    """
    after = more.pop("after", more.get("cups", (60, 60)))
    took = tuple((cup, A) for cup in more.pop("took", "").split())
    cited = cites.split()
    return [
        pytest.param(
            book, cards, more, expected, after, took, marks=pytest.mark.cites(*cited), id=f"{cited[0]}-{book}"
        )
        for book in ((books,) if isinstance(books, str) else books)
    ]


def house(rule: dict[str, Any], cards: str, expected: tuple[int, int, int], **more: Any) -> list[Any]:
    """A row for house rules on top of Jensen's book."""
    words = ", ".join(f"{key}={value}" for key, value in rule.items())
    return [
        pytest.param(*row.values, id=f"{words} {cards}")
        for row in case("I-9.1", "jensen", cards, expected, house=rule, **more)
    ]


NOLO: dict[str, Any] = {"tricks": C_NOLO}
TOUT: dict[str, Any] = {"tricks": A_TOUT, "cups": (100, 80), "after": (0, 0), "took": "king pagat"}
KING_GOES: dict[str, Any] = {"cups": (100, 60), "after": (0, 60), "took": "king"}
PAGAT_GOES: dict[str, Any] = {"cups": (60, 80), "after": (60, 0), "took": "pagat"}

BAGUD_FIRST = {"cups.lastTrickOrder": "bagudFirst"}
ULTIMO_FIRST = {"cups.lastTrickOrder": "ultimoFirst"}
BAGUD_ALONE = {"lastTrick.paidWithBagud": False}
LAST_TRICK_TOO = {"ultimo.includesLastTrick": False}
TOUT_AND_LAST_TRICK = {"tout.replacesLastTrick": False}
TOUT_AND_NOLOS = {"tout.excludesNolo": False}
TOUT_LEAVES_CUPS = {"tout.takesCups": False}
NO_CUPS = {"cups.enabled": False}

CASES = [
    *case("G92", JHVT, "T20 S4 D4", (40, -20, -20)),
    *case("G93", "basta", "T20 S4 D4", (10, -5, -5)),
    *case("G94 I-9.1", "jensen", "HK S4 D4", (180, -40, -40), **KING_GOES),
    *case("G95 I-9.2", JHT, "T1 S4 D4", (170, -45, -45), **PAGAT_GOES),
    *case("G96 I-9.1 I-9.2", "basta", "T1 S4 D4", (150, -45, -45), after=(60, 0), took="pagat"),
    *case("G97 I-9.4 I-9.6", "jensen", "T20 HK D4", (80, -190, 20), cups=(90, 60), after=(180, 60)),
    *case("G98", "jensen", "T20 HK D4", (40, -170, 40), cups=(90, 60), after=(180, 60), house=BAGUD_ALONE),
    *case("G99 I-9.3", JHV, "T15 T1 D4", (85, -185, 25), cups=(60, 70), after=(60, 145)),
    *case("G100 I-9.3", "dtf", "T15 T1 D4", (85, -180, 25), cups=(60, 70), after=(60, 140)),
    *case("G101 I-9.3 I-9.17", "basta", "T15 T1 D4", (50, -155, 35), cups=(60, 70), after=(60, 140)),
    *case("G102 I-9.5", "jensen", "T1 HK D4", (210, -215, -5), cups=(90, 80), after=(180, 0), took="pagat"),
    *case("G103 I-9.5", "jensen", "T20 HK SK", (120, -120, -120), after=(180, 60)),
    *case("G104 I-9.5 I-2.3", "jensen", "HK SK D4", (220, -220, 0), **KING_GOES | {"after": (100, 60)}),
    *case("G105 I-9.3 I-9.5", "jensen", "T20 HK T1", (125, -115, -135), after=(120, 125)),
    *case("G106 I-9.7", JHV, "HK S4 D4", (15, -45, 30), **NOLO),
    *case("G107 I-9.7", "dtf", "HK S4 D4", (-25, -25, 50), **NOLO),
    *case("G108 I-9.7 I-9.8", "jensen", "T1 S4 D4", (25, -50, 25), **NOLO),
    *case("G109 I-9.8", "dtf", "T1 S4 D4", (-15, -30, 45), **NOLO),
    *case("G110 I-9.7", "jensen", "T5 S4 SK", (55, -5, -110), **NOLO, after=(120, 60)),
    *case("G111", "dtf", "T5 S4 SK", (15, 15, -90), **NOLO, after=(120, 60)),
    *case("G112 I-9.9 I-9.10", "jensen", "T20 S4 D4", (340, -80, -80), **TOUT),
    *case("G113 I-9.5 I-9.10", "jensen", "T20 HK D4", (380, -260, -40), **TOUT | {"after": (100, 0)}),
    *case("G116 I-9.1", "jensen", "HK S4 D4", (40, -20, -20), cups=(100, 60), banned=(A,)),
    *case("G117 I-9.21", "jensen", "T1 S4 D4", (40, -20, -20), cups=(60, 80), banned=(A,)),
    *case(
        "G122 I-9.1 I-9.14",
        "basta",
        "HK S4 D4",
        (69, -76, 47),
        **NOLO,
        cups=(40, 60),
        after=(0, 60),
        took="king",
    ),
    *case("G122b I-9.20", "jensen", "HK SK D4", (320, -220, 0), **KING_GOES, house=BAGUD_FIRST),
    *case("G122c I-9.20", "jensen", "HK SK D4", (220, -120, 0), **KING_GOES, house=ULTIMO_FIRST),
    *case("G122d I-9.20", "jensen", "T20 HK SK", (120, -120, -180), after=(240, 60), house=BAGUD_FIRST),
    # in the oldest book the last trick is paid beside an ultimo
    *case("I-9.1", "basta", "HK S4 D4", (130, -35, -35), after=(0, 60), took="king"),
    # who may not ultimate is paid for the last trick and no more, whichever card took it
    *case("I-9.21", JHVT, "T1 S4 D4", (40, -20, -20), banned=(A,)),
    *case("I-9.21", "basta", "T1 S4 D4", (10, -5, -5), banned=(A,)),
    *case("I-9.8 I-9.21", "jensen", "T1 S4 D4", (25, -50, 25), **NOLO, banned=(A,)),
    # a tout is no ultimo besides; a pagat that takes its last trick is an ordinary pagat at home
    *case("I-9.10", JHVT, "HK S4 D4", (340, -80, -80), **TOUT),
    *case("I-9.10", JHVT, "T1 S4 D4", (350, -85, -85), **TOUT),
    # who may not ultimate still goes bagud
    *case("I-9.19", "jensen", "T20 HK D4", (80, -160, 20), after=(120, 60), banned=(B,)),
    *case("I-9.19", "basta", "T20 T1 D4", (50, -145, 35), after=(60, 120), banned=(B,)),
    # the other orders, with a cup that nobody takes and one that a tout takes
    *case("I-9.20", "jensen", "T20 HK SK", (120, -120, -120), after=(180, 60), house=ULTIMO_FIRST),
    *case("I-9.20", "jensen", "T20 T1 D4", (470, -255, -35), **TOUT, house=BAGUD_FIRST),
    *case("I-9.20", "jensen", "T20 T1 D4", (385, -175, -35), **TOUT | {"after": (0, 5)}, house=ULTIMO_FIRST),
]

HOUSE_RULES = [
    *house({"pay.lastTrick": 7}, "T20 S4 D4", (14, -7, -7)),
    *house({"pay.pagatHome": 8}, "T1 S4 D4", (31, -53, 22), **NOLO),
    *house({"ultimo.king": 35}, "HK S4 D4", (170, -35, -35), **KING_GOES),
    *house({"ultimo.king": 35}, "T20 HK D4", (75, -150, 15), after=(120, 60)),
    *house({"ultimo.pagat": 30}, "T1 S4 D4", (150, -35, -35), **PAGAT_GOES),
    *house({"ultimo.pagat": 30}, "T20 T1 D4", (75, -155, 15), after=(60, 125)),
    *house({"ultimo.pagatExtra": 8}, "T1 S4 D4", (176, -48, -48), **PAGAT_GOES),
    *house({"ultimo.pagatExtra": 8}, "T20 T1 D4", (88, -181, 28), after=(60, 125)),
    *house({"bagud.pagatExtraCup": 0}, "T20 T1 D4", (85, -170, 25), after=(60, 120)),
    *house(LAST_TRICK_TOO, "HK S4 D4", (220, -60, -60), **KING_GOES),
    *house(LAST_TRICK_TOO, "T1 S4 D4", (210, -65, -65), **PAGAT_GOES),
    *house(LAST_TRICK_TOO, "T1 HK D4", (230, -205, -25), after=(120, 0), took="pagat"),
    *house(LAST_TRICK_TOO | BAGUD_ALONE, "T1 HK D4", (190, -185, -5), after=(120, 0), took="pagat"),
    *house(BAGUD_ALONE, "T20 S4 D4", (40, -20, -20)),
    *house({"nolo.pay": 30}, "T20 S4 D4", (10, -50, 40), **NOLO),
    *house({"nolo.premium": 10}, "T20 S4 D4", (5, -55, 50), **NOLO),
    *house({"nolo.cancelsUltimo": False}, "HK S4 D4", (115, -65, 10), **NOLO, after=(0, 60), took="king"),
    *house({"nolo.cancelsLastTrick": True}, "HK S4 D4", (-25, -25, 50), **NOLO),
    *house({"tout.pay": 100}, "T20 S4 D4", (380, -100, -100), **TOUT),
    *house(TOUT_LEAVES_CUPS, "T20 S4 D4", (160, -80, -80), tricks=A_TOUT),
    *house(TOUT_AND_NOLOS, "T20 S4 D4", (290, -55, -55), **TOUT),
    *house(TOUT_AND_LAST_TRICK, "T20 S4 D4", (380, -100, -100), **TOUT),
    *house(TOUT_AND_LAST_TRICK, "HK S4 D4", (420, -120, -120), **TOUT),
    *house(TOUT_AND_LAST_TRICK, "T1 S4 D4", (430, -125, -125), **TOUT),
    *house(
        TOUT_AND_LAST_TRICK | TOUT_LEAVES_CUPS,
        "HK S4 D4",
        (300, -120, -120),
        tricks=A_TOUT,
        after=(0, 60),
        took="king",
    ),
    *house(TOUT_AND_LAST_TRICK | TOUT_AND_NOLOS, "T20 S4 D4", (330, -75, -75), **TOUT),
    *house(
        TOUT_AND_LAST_TRICK | TOUT_AND_NOLOS | {"nolo.cancelsLastTrick": True},  # nolo in steps 6, 7 only
        "T20 S4 D4",
        (330, -75, -75),
        **TOUT,
    ),
    *house(NO_CUPS, "HK S4 D4", (80, -40, -40)),
    *house(NO_CUPS, "T20 HK T1", (125, -55, -70)),
    *house(NO_CUPS, "T20 S4 D4", (160, -80, -80), tricks=A_TOUT),
]


@pytest.mark.parametrize("route", ROUTES)
@pytest.mark.parametrize(("book", "cards", "more", "expected", "after", "took"), CASES + HOUSE_RULES)
def test_the_last_trick_pays_as_the_specification_says(
    route: str,
    book: str,
    cards: str,
    more: dict[str, Any],
    expected: tuple[int, int, int],
    after: tuple[int, int],
    took: tuple[tuple[Cup, int], ...],
) -> None:
    settled = Settled(route, book, cards, **more)
    assert (settled.players, settled.cups) == (expected, after)
    assert settled.emptied == took


@pytest.mark.cites("I-9.18")
@pytest.mark.parametrize("book", DANISH)
@pytest.mark.parametrize(("card", "cup"), [("CK", "king"), ("T1", "pagat")])
def test_an_ultimo_needs_neither_announcement_nor_intention(book: str, card: str, cup: str) -> None:
    table = ending(danish_rules(book), {A: card, B: "D9", C: "S4"}, A, won={A: 8, B: 8, C: 8})
    table.play(card, "D9", "S4")
    assert table.state.emptied == ((cup, A),)
    assert table.events(Announced) == []


@pytest.mark.parametrize("book", DANISH)
@pytest.mark.parametrize("seed", range(6))
def test_a_deal_and_a_score_sheet_that_notes_it_pay_the_same(book: str, seed: int) -> None:
    rules, rng = danish_rules(book), Random(seed)
    deck = [card.value for card in shuffled(rng)]
    table = dealt(rules, {A: " ".join(deck[:25]), B: " ".join(deck[25:50]), C: " ".join(deck[50:])})
    table.accept_all()
    table.play_on(rng)
    noted = replace(outcome_of(table.state, table.state.counts), king=60, pagat=60)
    sheet = settle(rules, noted)
    everybody = (A, B, C, "king", "pagat")
    assert net(sheet.transfers, *everybody) == net(table.transfers(), *everybody)
    assert sheet.emptied == table.state.emptied
