"""Rule B4: what the dealer must say about his skat, and what follows from a wrong one."""

from __future__ import annotations

import pytest

from skats import HALF_SPADES, LATER, TIGHT, TWO_TAROK, filled, lay, rows, to_lay
from table import danish_rules, net, strict
from ultimo import deal
from ultimo.cards import cards, mask, parse_cards
from ultimo.events import (
    AskTarokLaid,
    Claim,
    DealClosed,
    Declared,
    FineImposed,
    IllegalAction,
    SkatLaid,
    SkatNotice,
    SkatTakenBack,
    TarokLaidAnswer,
)
from ultimo.rulebook import DanishRules

# --- cards of a declaration ---


@pytest.mark.cites("G35", "I-5.1")
@pytest.mark.parametrize("book", ["jensen", "hermansen", "vlk"])
def test_he_is_paid_in_full_and_says_that_he_has_laid_from_a_declaration(book: str) -> None:
    table = to_lay(danish_rules(book), TIGHT, {1: "T6", 2: "T5"})
    told = table.act(0, lay("CQ C2 SJ"))
    assert told[:2] == (SkatLaid(0, cards(mask("SJ CQ C2"))), SkatNotice(0))
    (declared,) = [event for event in told if isinstance(event, Declared) and event.seat == 0]
    assert [(one.kind, one.count, one.pagat, one.of) for one in declared.declarations] == [
        ("tarok", 16, False, None),
        ("over", 0, None, "S"),
        ("over", 0, None, "H"),
        ("over", 0, None, "K"),
    ]
    paid = [t for t in table.transfers() if t.reason == "declaration"]
    assert net(paid, 0, 1, 2) == (170, -85, -85)


@pytest.mark.parametrize(
    ("book", "house", "said"),
    [
        pytest.param("dtf", None, [SkatNotice(0, parse_cards("SJ"))], marks=pytest.mark.cites("G36")),
        ("jensen", None, [SkatNotice(0)]),
        ("jensen", "cards", [SkatNotice(0, parse_cards("SJ"))]),
        ("dtf", "fact", [SkatNotice(0)]),
        ("dtf", "none", []),
        pytest.param("basta", None, [], marks=pytest.mark.cites("I-4.5")),
    ],
)
def test_what_he_says_is_the_fact_or_the_cards(book: str, house: str | None, said: list[SkatNotice]) -> None:
    rules = danish_rules(book, {"skat.discloseDeclared": house} if house else None)
    table = to_lay(rules, TIGHT)
    table.act(0, lay("CQ C2 SJ"))
    assert table.events(SkatNotice) == said


@pytest.mark.parametrize("book", LATER)
@pytest.mark.parametrize("switches", [(), ("skat",)])
def test_an_avoidable_notice_is_never_given_and_an_unavoidable_one_always(
    book: str, switches: tuple[str, ...]
) -> None:
    table = to_lay(strict(book, *switches), HALF_SPADES)
    table.act(0, lay("C1 C2 S5"))
    assert table.events(SkatNotice) == []
    table = to_lay(strict(book, *switches), TIGHT)
    table.act(0, lay("CQ C2 SJ"))
    assert len(table.events(SkatNotice)) == 1


# --- how many tarokker were laid ------------------------------------------------------------------------

LEADS = {1: "T5 D2", 2: "T6 D4"}


def asked(rules: DanishRules, hand: str, skat: str, *plays: str) -> tuple[bool, bool]:
    """Whether either opponent may ask for the tarokker laid, before the first card and after these cards."""
    table = to_lay(rules, hand, LEADS)
    table.act(0, lay(skat))

    def may() -> bool:
        assert AskTarokLaid() not in table.legal(0)
        forehand, middle = (AskTarokLaid() in table.legal(seat) for seat in (1, 2))
        assert forehand == middle
        return forehand

    before = may()
    table.play(*plays)
    return before, may()


@pytest.mark.parametrize(
    ("book", "house", "may"),
    [
        *rows("G37 G38 I-4.6", "jensen hermansen vlk", None, (False, True)),
        *rows("G39b I-4.6", "dtf", None, (True, True)),
        *rows("I-4.6", "basta", None, (False, False)),
        *rows("I-4.6", "jensen basta", "onDemand", (True, True)),
        *rows("I-4.6", "dtf basta", "afterVoid", (False, True)),
        *rows("I-4.6", "dtf jensen", "none", (False, False)),
    ],
)
def test_the_dealer_owes_an_answer_always_or_once_he_is_seen_void_or_never(
    book: str, house: str | None, may: tuple[bool, bool]
) -> None:
    rules = danish_rules(book, {"skat.discloseTarok": house} if house else None)
    assert asked(rules, TWO_TAROK, "T20 T2 C10", "T5", "T6", "S1") == may


@pytest.mark.cites("I-4.6")
def test_following_suit_or_playing_the_skus_does_not_show_the_dealer_void() -> None:
    rules = danish_rules("jensen")
    assert asked(rules, filled("T9 T0"), "T9 S1 S2", "T5", "T6", "T0") == (False, False)
    assert asked(rules, filled("T9 T0"), "T9 S1 S2", "T5", "T6", "S3") == (False, True)
    assert asked(rules, filled("T9 DK"), "T9 S1 S2", "D2", "D4", "DK") == (False, False)


@pytest.mark.parametrize(
    ("book", "hand", "skat", "count"),
    [
        *rows("G37", "jensen hermansen vlk", TWO_TAROK, "T20 T2 C10", 2),
        *rows("G39b", "dtf", TWO_TAROK, "T20 T2 C10", 2),
        *rows("I-4.6", "jensen hermansen vlk dtf", filled("T0"), "S1 S2 S3", 0),
    ],
)
@pytest.mark.parametrize("asker", [1, 2])
def test_the_answer_is_a_public_number(book: str, hand: str, skat: str, count: int, asker: int) -> None:
    table = to_lay(danish_rules(book), hand, LEADS)
    table.act(0, lay(skat))
    discard = cards(table.state.hands[0])[0]
    table.play("T5", "T6", discard.value)
    before = table.state
    assert table.act(asker, AskTarokLaid()) == (TarokLaidAnswer(asker, count),)
    for viewer in (0, 1, 2, None):
        seen = deal.seen_by(table.rules, before, viewer, TarokLaidAnswer(asker, count))
        assert seen == TarokLaidAnswer(asker, count)
    assert not any(AskTarokLaid() in table.legal(seat) for seat in range(3))  # everybody has heard it


# --- a wrong discard ---------------------------------------------------------------------------------------


# With these, and five tarokker and no court for the dealer, nobody has anything to declare.
PASSING = {
    1: "T6 T7 T8 T9 T10 T11 T12 T13 T14 SK SN HK HN CQ CJ DQ DJ",
    2: "T15 T16 T17 T18 T19 T20 T21 T0 SQ SJ HQ HJ CK CN DK DN",
}
CAVALRY = {1: "T6 T7 T8 T9 T10 T11 T12 T13 T14 SK SQ SN SJ"}


@pytest.mark.cites("I-4.7")
@pytest.mark.parametrize("book", ["jensen", "hermansen", "vlk"])
def test_a_wrong_skat_is_put_right_while_nobody_else_has_declared(book: str) -> None:
    table = to_lay(strict(book, "skat"), filled("T5 T4 T3 T2 T1"), PASSING)
    table.act(0, lay("T5 S1 S2"))
    assert table.act(2, Claim("skat", 0))[-1] == SkatTakenBack(0)
    assert table.state.hands[0].bit_count() == 28
    table.act(0, lay("S1 S2 S3"))
    assert table.state.phase == "play"
    assert table.events(FineImposed) == []


@pytest.mark.cites("I-4.7")
@pytest.mark.parametrize("book", ["jensen", "hermansen", "vlk"])
def test_a_wrong_skat_stops_the_deal_once_another_hand_has_declared(book: str) -> None:
    table = to_lay(strict(book, "skat"), filled("T5 T4 T3 T2 T1"), CAVALRY)
    table.act(0, lay("T5 S1 S2"))
    table.act(2, Claim("skat", 0))
    fined = [t for t in table.transfers() if t.reason == "fine"]
    assert net(fined, 0, "king", "pagat") == (-80, 40, 40)
    assert table.log[-1] == DealClosed("scrapped")


def test_where_the_table_is_not_strict_no_skat_can_be_claimed() -> None:
    table = to_lay(danish_rules("jensen"), filled("T9"))
    table.act(0, lay("S1 S2 S3"))
    with pytest.raises(IllegalAction, match="that mistake cannot happen at this table"):
        table.act(1, Claim("skat", 0))


@pytest.mark.cites("I-4.6")
def test_a_skat_that_was_put_right_may_be_asked_about_again() -> None:
    rules = danish_rules("jensen", {"strict.skat": True, "skat.discloseTarok": "onDemand"})
    table = to_lay(rules, filled("T5 T4 T3 T2 T1"), PASSING)
    table.act(0, lay("T5 S1 S2"))
    assert table.act(1, AskTarokLaid()) == (TarokLaidAnswer(1, 1),)
    table.act(1, Claim("skat", 0))
    table.act(0, lay("S1 S2 S3"))
    assert table.act(1, AskTarokLaid()) == (TarokLaidAnswer(1, 0),)
