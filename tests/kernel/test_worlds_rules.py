"""What single rules prove about hidden cards."""

from __future__ import annotations

from random import Random

import pytest

import french_table
from kernel.worlds_views import Glimpse, looked_at
from table import Table, danish_rules, dealt
from ultimo import deal
from ultimo.cards import (
    ALL_CARDS,
    ALL_TRUMPS,
    KINGS,
    PAGAT,
    SKUS,
    SUITS_WORD,
    TRUMPS,
    Cards,
    cards,
    mask,
)
from ultimo.events import AskTarokLaid, Decline, DemandSkus, Lay, Seat, ShowPoignee, SkatNotice
from ultimo.french import State
from ultimo.kernel.worlds.knowledge import Heard

WORLDS = 500


def french(table: french_table.Table, viewer: Seat) -> Glimpse:
    return looked_at(table.rules, table.log, viewer)


def danish(table: Table, viewer: Seat) -> Glimpse:
    return looked_at(table.rules, table.log, viewer)


def held(glimpse: Glimpse, seat: Seat, told: Heard | None = None) -> tuple[Cards, Cards]:
    """The cards that a row has in some world, and those that it has in every one."""
    ever, always = 0, ALL_CARDS
    drawn = glimpse.draw(WORLDS, told)
    assert len(drawn) == WORLDS
    for world in drawn:
        ever |= world[seat]
        always &= world[seat]
    return ever, always


# --- French Tarot --------------------------------------------------------------------------------------


def test_the_excuse_in_a_poignee_shows_all_trumps() -> None:
    """Rule: 002 §10; I-C.13."""
    table = french_table.Table(hands={1: "T2 T3 T4 T5 T6 T7 T8 T9 T10 T0", 0: "SK SQ SN", 2: "T21 T1"})
    table.bid("petite pass pass pass")
    table.do(table.legal.draw(Random(1)))
    table.do(Decline())
    table.play("SK")
    table.do(ShowPoignee(cards(mask("T2 T3 T4 T5 T6 T7 T8 T9 T10 T0"))))
    ever, always = held(french(table, 3), 1)
    assert ever & ALL_TRUMPS == always & ALL_TRUMPS == mask("T2 T3 T4 T5 T6 T7 T8 T9 T10 T0")


CHIEN = "HK H5 D9 T7 C3 S2"


def taken(laid: str) -> french_table.Table:
    """Seat 0 has taken the chien and laid these cards."""
    table = french_table.Table(
        hands={0: "SK SQ SN SJ S10 S9 S8 S7 S6 S5 S4 S3 T21 T20 T19 T18 T17 C2", 1: "D1 T1 T0"}, chien=CHIEN
    )
    table.bid("garde pass pass pass")
    table.do(Lay(cards(mask(laid))))
    return table


def test_the_chien_is_with_the_taker_or_in_his_ecart() -> None:
    """Kings and trumps are kept, of the rest nobody knows.

    Rule: 002 §7; I-C.4.
    """
    glimpse = french(taken("C2 S3 S4 S5 S2 C3"), 2)
    others = 0
    for seat in (1, 3):
        others |= held(glimpse, seat)[0]
    ever, always = held(glimpse, 0)
    laid, laid_always = held(glimpse, 4)
    plain = mask("H5 D9 C3 S2")
    assert not others & mask(CHIEN)
    assert always & mask(CHIEN) == mask("HK T7")
    assert ever & plain == laid & plain == plain
    assert not laid_always
    assert not laid & (KINGS | ALL_TRUMPS)


def test_a_state_keeps_the_chien_that_was_shown() -> None:
    """Rule: 002 §7."""
    glimpse = french(taken("C2 S3 S4 S5 S2 C3"), 2)
    assert isinstance(glimpse.view, State)
    assert glimpse.view.shown == mask(CHIEN)
    assert not held(glimpse, 3, Heard())[0] & mask(CHIEN)


def test_a_trump_in_the_ecart_shows_that_nothing_else_could_be_laid() -> None:
    """Rule: 002 §7; I-C.4."""
    trumps = "T3 T4 T5 T6 T7 T8 T9 T10 T11 T12 T13 T21"
    table = french_table.Table(
        hands={0: f"SK HK CK DK {trumps} S2 H2", 1: "T1 T2 D1", 2: "T0 T14"}, chien="C2 D2 T15 T16 S3 T17"
    )
    table.bid("petite pass pass pass")
    table.do(Lay(cards(mask("S2 H2 C2 D2 S3 T17"))))
    ever, _ = held(french(table, 1), 0)
    assert not ever & SUITS_WORD & ~KINGS


def test_who_does_not_overtrump_cannot() -> None:
    """Rule: 002 §8."""
    table = french_table.Table(hands={0: "T9 T12 SK", 1: "T4 T2 S2", 2: "T1 T0", 3: "T21"})
    table.bid("sans pass pass pass")
    table.do(Decline())
    table.play("T9 T4")
    ever, _ = held(french(table, 2), 1)
    assert ever & TRUMPS & ~mask("T2 T3 T5 T6 T7 T8") == 0
    assert ever & mask("T2 T3")


def test_who_calls_a_queen_holds_all_kings() -> None:
    """Rule: 002 §16; I-C.18."""
    table = french_table.Table(
        "french5", hands={0: "SK HK CK DK T5", 1: "T1 T2", 2: "T3 T0", 3: "T4", 4: "T6"}
    )
    table.bid("sans pass pass pass pass").call("HQ")
    _, always = held(french(table, 2), 0)
    assert always & KINGS == KINGS


@pytest.mark.parametrize(("petit_sec", "found"), [("redeal", False), ("off", True)])
def test_nobody_was_dealt_the_petit_alone(petit_sec: str, found: bool) -> None:
    """Rule: 002 §5; I-C.3."""
    hands = {0: "T2 T3 T4 T5 T6 T7 T8 T9 T10 T11 T12 T13 T14 T15 T16 T17", 1: "T1 T18", 2: "T19", 3: "T20"}
    table = french_table.Table(hands=hands, chien="T21", house={"deal.petitSec": petit_sec})
    glimpse = french(table, 0)
    alone = [world for world in glimpse.draw(2000) for hand in world[1:4] if hand & ALL_TRUMPS == PAGAT]
    assert bool(alone) == found


# --- Danish Tarok --------------------------------------------------------------------------------------


def begun(book: str, hands: dict[Seat, str], laid: str = "") -> Table:
    """A deal up to the first lead; seat 0 deals, seat 1 leads."""
    table = dealt(danish_rules(book), hands)
    table.accept_all()
    lays = [action for action in table.legal(0) if isinstance(action, Lay) and not action.tout]
    wanted = cards(mask(laid))
    table.act(0, next(action for action in lays if set(wanted) <= set(action.cards)))
    return table


def test_the_words_about_a_led_skus_are_believed() -> None:
    """The next hand lacks the suit, the third has it.

    Rule: 000 Skusen i, j; I-7.12.
    """
    forehand = "T0 S1 S2 S3 S4 S5 S6 S7 S9 S10 SJ SN SQ SK H1 H2 H3 HJ C1 C2 CN D1 DQ T2 T5"
    middle = "H6 H7 H8 H9 HN C4 C5 C6 C7 CJ CK D4 D5 D6 D7 DJ DK T1 T3 T6 T9 T12 T15 T18 T20"
    table = begun("jensen", {1: forehand, 2: middle, 0: "S8"}, "H4 H5 H10")
    last_spade = mask("S8")
    for row in (0, 2, 3):
        assert held(danish(table, 1), row)[0] & last_spade
    table.play("T0=S")
    assert held(danish(table, 1), 0)[1] & last_spade


def test_a_demanded_skus_is_not_where_another_card_falls() -> None:
    """Nor with him who demands it.

    Rule: 000 Skusen g; I-7.2, I-7.5.
    """
    found = set()
    for seed in range(300):
        free, bound = led_third_last(seed, demand=False), led_third_last(seed, demand=True)
        if not free or not bound:
            continue
        for name, viewer, seat in (("leader", free[1], free[2]), ("demander", free[2], free[1])):
            if held(danish(free[0], viewer), seat)[0] & SKUS:
                assert not held(danish(bound[0], viewer), seat)[0] & SKUS
                found.add(name)
        if len(found) == 2:
            return
    raise AssertionError("no such deal was found")


def led_third_last(seed: int, *, demand: bool) -> tuple[Table, Seat, Seat] | None:
    """One without the skus has led to the third-last trick; another without it may demand, and the leader."""
    rng = Random(seed)
    table = shuffled(rng)
    while table.state.phase == "play" and table.state.number < 23:
        may = table.legal(table.state.turn).cards()
        table.play(rng.choice(cards(may & ~SKUS or may)).value)
    holder = next((seat for seat in range(3) if table.state.hands[seat] & SKUS), None)
    leader = table.state.turn
    if table.state.phase != "demand" or holder in (None, leader):
        return None
    (other,) = {0, 1, 2} - {holder, leader}
    for seat in table.state.order:
        table.act(seat, DemandSkus() if demand and seat == other else Decline())
    table.play(cards(table.legal(leader).cards())[0].value)
    return table, other, leader


def test_the_last_lead_tells_who_holds_the_skus() -> None:
    """It passes from a bare skus, and from nothing else.

    Rule: 004 OM SCUSEN; I-7.10.
    """
    found = set()
    for seed in range(25):
        rng = Random(seed)
        table = shuffled(rng, "dtf")
        while table.state.number < 25:
            for seat in table.state.asked:
                table.act(seat, Decline())
            may = table.legal(table.state.turn).cards()
            table.play(rng.choice(cards(may & ~SKUS or may)).value)
        holder = next((seat for seat in range(3) if table.state.hands[seat] & SKUS), None)
        winner = table.state.tricks[-1].winner
        for viewer in {0, 1, 2} - {holder, winner}:
            ever, always = held(danish(table, viewer), winner)
            passed = table.state.turn != winner
            assert bool(always & SKUS) == passed == bool(ever & SKUS)
            found.add((passed, holder is None))
    assert found >= {(True, False), (False, False)}


def shuffled(rng: Random, book: str = "jensen") -> Table:
    """A deal at random up to the first lead."""
    deck = [card.value for card in deal.shuffled(rng)]
    table = dealt(danish_rules(book), {1: " ".join(deck[:25]), 2: " ".join(deck[25:50])})
    table.accept_all()
    table.act(0, rng.choice([action for action in table.legal(0) if isinstance(action, Lay)]))
    return table


def test_the_dealer_says_how_many_tarokker_lie_in_the_skat() -> None:
    """Rule: 004 LÆGNING AF SKAT; I-4.6."""
    low = " ".join(f"T{number}" for number in range(4, 13))
    high = " ".join(f"T{number}" for number in (*range(13, 22), 1, 0))
    table = begun("dtf", {0: "T2 T3", 1: low, 2: high}, "T2 T3")
    glimpse = danish(table, 1)
    assert {(world[-1] & TRUMPS).bit_count() for world in glimpse.draw(WORLDS)} > {0}
    table.act(1, AskTarokLaid())
    glimpse = danish(table, 1)
    assert {(world[-1] & TRUMPS).bit_count() for world in glimpse.draw(WORLDS)} == {2}


def test_cards_of_a_declaration_that_were_laid_are_named() -> None:
    """Rule: 004 LÆGNING AF SKAT; I-4.1."""
    whole = KINGS | ALL_TRUMPS | mask("SQ SN")
    table = dealt(danish_rules("dtf"), {0: " ".join(card.value for card in cards(whole))})
    table.accept_all()
    table.act(0, table.legal(0).draw(Random(1)))
    (notice,) = table.events(SkatNotice)
    _, always = held(danish(table, 1), 3)
    assert mask(notice.cards) & ~always == 0
