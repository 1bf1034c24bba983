"""Rules B7: the skus in the last trick, false words about it, and who hears what is said."""

from __future__ import annotations

from typing import Any

import pytest

from table import ORDER, Table, danish_rules, ending, net, strict
from ultimo import deal
from ultimo.cards import SKUS, mask, parse_card
from ultimo.events import (
    Answer,
    CardTakenBack,
    Claim,
    ClaimMade,
    ClaimVoid,
    Decline,
    DemandSkus,
    LeadPassed,
    NameSkus,
    Play,
    Seat,
    SkusRenamed,
    SuitNotIn,
    TrickWon,
    VoidAnswered,
    VoidClaimed,
    Vote,
)
from ultimo.rulebook import DanishRules

LEADER, NEXT, THIRD = ORDER


def last(rules: DanishRules, first: str, second: str, third: str, **more: Any) -> Table:
    """An ending: three hands, the leader's first; everybody has taken some tricks."""
    hands = {LEADER: first, NEXT: second, THIRD: third}
    return ending(rules, hands, LEADER, won={LEADER: 8, NEXT: 8, THIRD: 7}, **more)


# --- a led skus in the last trick ----------------------------------------------------------------------


@pytest.mark.cites("G69")
@pytest.mark.parametrize("book", ["hermansen", "jensen"])
def test_a_suit_nobody_has_is_named_by_the_next_hand_in_the_last_trick_too(book: str) -> None:
    table = last(danish_rules(book), "T0", "S3", "HK", king=90)
    table.play("T0=D")
    table.act(NEXT, NameSkus("S"))
    table.play("S3", "HK")
    assert table.events(TrickWon) == [TrickWon(NEXT)]
    assert table.state.piles[NEXT] == mask("T0 S3 HK")
    bagud = [t for t in table.transfers() if t.reason == "kingBagud"]
    assert net(bagud, LEADER, NEXT, THIRD, "king") == (40, 40, -170, 90)


@pytest.mark.cites("G70")
@pytest.mark.parametrize("book", ["hermansen", "jensen"])
def test_thrown_without_a_word_the_last_card_lets_the_third_hand_ultimate(book: str) -> None:
    table = last(strict(book, "skusClaim"), "T0", "S3", "HK", king=90)
    table.play("T0=D", "S3")
    table.act(THIRD, NameSkus("H"))
    assert table.events(CardTakenBack) == []
    table.play("HK")
    assert table.events(TrickWon) == [TrickWon(THIRD)]
    ultimo = [t for t in table.transfers() if t.reason == "kingUltimo"]
    assert net(ultimo, LEADER, NEXT, THIRD, "king") == (-40, -40, 170, -90)


@pytest.mark.parametrize(
    ("book", "house"),
    [
        pytest.param("dtf", {}, marks=pytest.mark.cites("G71", "I-7.10")),
        pytest.param("jensen", {"skus.lastTrickLead": "leadPasses"}, marks=pytest.mark.cites("I-7.10")),
    ],
)
def test_a_bare_skus_passes_the_lead_of_the_last_trick(book: str, house: dict[str, str]) -> None:
    table = last(danish_rules(book, house), "T20 T0", "S2 S3", "T18 HK", king=90)
    table.play("T20", "S2", "T18")
    assert table.events(LeadPassed) == [LeadPassed(NEXT)]
    assert (deal.waiting_for(table.rules, table.state), table.may_play(NEXT)) == ((NEXT,), "S3")
    table.play("S3", "HK")
    assert next(iter(table.legal(LEADER))) == Play(parse_card("T0"))
    table.play("T0")
    assert table.events(TrickWon) == [TrickWon(LEADER), TrickWon(NEXT)]
    assert table.state.piles[NEXT] == mask("T0 S3 HK")
    bagud = [t for t in table.transfers() if t.reason == "kingBagud"]
    assert net(bagud, LEADER, NEXT, THIRD, "king") == (40, 40, -170, 90)


@pytest.mark.cites("I-7.10", "I-7.11")
@pytest.mark.parametrize(
    ("book", "house"),
    [("jensen", {}), ("hermansen", {}), ("vlk", {}), ("basta", {}), ("dtf", {"skus.lastTrickLead": "named"})],
)
def test_elsewhere_a_bare_skus_leads_the_last_trick_by_name(book: str, house: dict[str, str]) -> None:
    table = last(danish_rules(book, house), "T20 T0", "S2 S3", "T18 HK")
    table.play("T20", "S2", "T18")
    assert (table.events(LeadPassed), table.state.turn) == ([], LEADER)
    table.play("T0=D")
    spoken = [SuitNotIn("D")] if book == "basta" else [VoidClaimed(NEXT), VoidAnswered(THIRD, have=False)]
    assert table.log[-len(spoken) :] == spoken
    table.act(NEXT, NameSkus("S"))
    table.play("S3", "HK")
    assert table.state.tricks[-1].winner == NEXT


@pytest.mark.cites("I-7.10")
def test_the_lead_stays_where_the_leader_has_another_card_or_somebody_else_the_skus() -> None:
    table = last(danish_rules("dtf"), "T20 S4", "S2 T0", "T18 HK")
    table.play("T20", "S2", "T18")
    assert (table.events(LeadPassed), table.state.turn) == ([], LEADER)
    table.play("S4", "T0", "HK")
    assert table.state.piles[LEADER] & SKUS


@pytest.mark.cites("I-7.10")
def test_after_a_misdeal_the_lead_passes_to_the_next_hand_that_still_has_a_card() -> None:
    """With one card too few in seat 2 the deal would otherwise wait for a hand that has none."""
    hands = {LEADER: "T20 T0", NEXT: "S3", THIRD: "S4 S5 S6"}
    table = ending(strict("dtf", "deal"), hands, LEADER, number=24)
    table.play("T20", "S3", "S4")
    assert deal.waiting_for(table.rules, table.state) == (THIRD,)


# --- false words and refused demands -------------------------------------------------------------------


@pytest.mark.cites("I-7.4")
def test_refusing_a_demand_is_a_revoke() -> None:
    table = last(strict("jensen", "follow"), "S4 S5 S6", "T0 S9 H2", "D1 D2 D3")
    for seat in ORDER:
        table.act(seat, DemandSkus() if seat == THIRD else Decline())
    table.play("S4", "S9")
    table.act(THIRD, Claim("revoke", NEXT))
    assert table.events(ClaimMade)[0].upheld
    assert net(table.transfers(), NEXT, "king", "pagat") == (-80, 40, 40)
    assert table.state.result == "scrapped"


@pytest.mark.cites("I-7.4", "I-7.16")
@pytest.mark.parametrize(("liar", "answer"), [(NEXT, False), (THIRD, False), (None, True)])
def test_a_false_word_about_the_suit_is_a_revoke(liar: Seat | None, answer: bool) -> None:
    hands = {NEXT: "H4 C4" if liar == NEXT else "S4 C4", THIRD: "C9 S7" if liar == NEXT else "H9 S7"}
    table = last(strict("jensen", "skusClaim", "follow"), "T0 S2", hands[NEXT], hands[THIRD], number=10)
    table.play("T0=H")
    table.act(NEXT, ClaimVoid())
    assert list(table.legal(THIRD))[:2] == [Answer(True), Answer(False)]
    table.act(THIRD, Answer(answer))
    assert [fault.seat for fault in table.state.faults] == ([] if liar is None else [liar])
    for seat in (NEXT, THIRD):
        if table.state.phase != "closed":
            table.act(LEADER, Claim("revoke", seat))
    assert [claim.against for claim in table.events(ClaimMade) if claim.upheld] == (
        [] if liar is None else [liar]
    )


@pytest.mark.cites("I-7.4")
def test_a_skus_led_by_mistake_and_taken_back_leaves_nothing_to_be_named() -> None:
    """I-11.9: in trick 24 it may not be led; if both others let the deal go on, another card is led."""
    table = last(strict("dtf", "follow"), "T0 S2", "C4 C2", "D2 D3")
    table.play("T0=H")
    table.act(NEXT, Claim("revoke", LEADER))
    table.act(NEXT, Vote(True))
    table.act(THIRD, Vote(True))
    assert table.log[-1] == CardTakenBack(LEADER, parse_card("T0"))
    table.act(LEADER, Play(parse_card("S2")))
    assert deal.waiting_for(table.rules, table.state) == (NEXT,)


# --- who hears what ------------------------------------------------------------------------------------


@pytest.mark.cites("I-7.16")
def test_all_that_is_said_of_a_led_skus_is_public_and_nothing_else_is() -> None:
    table = last(strict("dtf", "skusClaim"), "T0 H2 C3", "D4 S3 S8", "S7 C9 D2", number=10)
    table.play("T0=H", "D4")
    state, events = table.state, table.act(THIRD, NameSkus("S"))
    assert events == (SkusRenamed(THIRD, "S"), CardTakenBack(NEXT, parse_card("D4")))
    for event in (*events, VoidClaimed(NEXT), VoidAnswered(THIRD, False), SuitNotIn("H"), LeadPassed(NEXT)):
        for viewer in (*ORDER, None):
            assert deal.seen_by(table.rules, state, viewer, event) == event


@pytest.mark.cites("I-7.16")
@pytest.mark.parametrize("hand", ["H4 C4", "S4 C4"])
def test_at_a_strict_table_the_others_see_only_that_the_next_hand_is_to_act(hand: str) -> None:
    table = last(strict("jensen", "skusClaim"), "T0 S2", hand, "H9 S7", number=10)
    events = table.act(LEADER, Play(parse_card("T0"), "H"))
    assert len(events) == 1
    assert (table.state.phase, deal.waiting_for(table.rules, table.state)) == ("play", (NEXT,))
    assert [list(table.legal(seat)) for seat in (LEADER, THIRD)] == [[], []]
