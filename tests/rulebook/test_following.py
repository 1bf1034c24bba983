"""Rules A3, B6: the order of the cards, what may be played to a trick, and who wins it."""

from __future__ import annotations

from collections.abc import Iterable
from itertools import pairwise
from random import Random

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from table import DANISH, ORDER, Table, danish_rules, ending, strict
from ultimo.cards import PACK, Card, cards, parse_card
from ultimo.danish.state import pile_points
from ultimo.events import CardPlayed, Decline, DemandSkus, NameSkus, Play, SkusRenamed, TrickWon
from ultimo.rulebook import citation

LEADER, NEXT, THIRD = ORDER  # forehand leads to trick 1
every_book = pytest.mark.parametrize("book", DANISH)


def trick(book: str, first: str, second: str, third: str, number: int = 10) -> Table:
    """A trick about to be led: three hands, the leader's first."""
    return ending(danish_rules(book), {LEADER: first, NEXT: second, THIRD: third}, LEADER, number=number)


# --- the order of the cards ----------------------------------------------------------------------------

BLACK = ["K", "Q", "N", "J", "10", "9", "8", "7", "6", "5", "4", "3", "2", "1"]
RED = ["K", "Q", "N", "J", "1", "2", "3", "4", "5", "6", "7", "8", "9", "10"]
TAROK = [str(number) for number in range(21, 0, -1)]
HIGH_TO_LOW = [("S", BLACK), ("H", RED), ("C", BLACK), ("D", RED), ("T", TAROK)]


@every_book
@pytest.mark.parametrize(("suit", "ranks"), HIGH_TO_LOW, ids=["S", "H", "C", "D", "T"])
def test_the_higher_card_of_a_suit_wins_and_in_the_red_suits_the_one_is_the_highest_pip(
    book: str, suit: str, ranks: list[str]
) -> None:
    aside = "C5" if suit != "C" else "S5"
    for high, low in pairwise(ranks):
        better, worse = suit + high, suit + low
        over = trick(book, worse, better, aside)
        over.play(worse, better, aside)
        under = trick(book, better, aside, worse)
        under.play(better, aside, worse)
        assert (over.events(TrickWon), under.events(TrickWon)) == ([TrickWon(NEXT)], [TrickWon(LEADER)])


@every_book
def test_the_lowest_tarok_beats_a_king_and_another_suit_beats_nothing(book: str) -> None:
    ruffed = trick(book, "SK", "HK", "T1")
    ruffed.play("SK", "HK", "T1")
    thrown = trick(book, "S1", "HK", "DK")
    thrown.play("S1", "HK", "DK")
    assert (ruffed.events(TrickWon), thrown.events(TrickWon)) == ([TrickWon(THIRD)], [TrickWon(LEADER)])


@every_book
def test_the_skus_beats_nothing_wherever_it_falls(book: str) -> None:
    table = trick(book, "S1 H5", "T0 C2", "C1 C5")
    table.play("S1", "T0", "C1")
    assert table.events(TrickWon) == [TrickWon(LEADER)]
    table = trick(book, "S1 H5", "C1 C2", "T0 C5")
    table.play("S1", "C1", "T0")
    assert table.events(TrickWon) == [TrickWon(LEADER)]


@every_book
def test_forehand_leads_and_then_whoever_won_the_last_trick(book: str) -> None:
    table = trick(book, "S4 S3", "S9 S7", "S2 T1")
    table.play("S4", "S9", "S2")
    assert table.state.turn == NEXT
    table.play("S7", "T1", "S3")
    assert table.events(TrickWon) == [TrickWon(NEXT), TrickWon(THIRD)]


# --- the five cases of the specification ---------------------------------------------------------------


@pytest.mark.cites("G56")
@every_book
@pytest.mark.parametrize(("hand", "may"), [("T5 H2", "T5"), ("T5 H2 T0", "T5 T0"), ("T5 T9 H2", "T5 T9")])
def test_void_in_the_suit_one_must_play_tarok(book: str, hand: str, may: str) -> None:
    table = trick(book, "S4 S5 S6", hand, "D1 D2 D3")
    table.play("S4")
    assert table.may_play(NEXT) == may
    refusal = table.refuses(NEXT, Play(parse_card("H2")))
    assert refusal.reason == "you have none of the suit, so you must play a trump"


@every_book
def test_who_has_the_suit_must_follow_it_with_any_card_of_it(book: str) -> None:
    table = trick(book, "SN S5 S6", "SK S2 T5", "SQ D2 D3")
    table.play("SN")
    assert table.may_play(NEXT) == "S2 SK"
    refusal = table.refuses(NEXT, Play(parse_card("T5")))
    assert (refusal.reason, refusal.cite) == ("you must follow suit: spades", danish_rules(book).play.cite)


@pytest.mark.cites("G57", "I-6.1")
@every_book
def test_nobody_need_beat_a_tarok_that_lies_on_the_table(book: str) -> None:
    table = trick(book, "D9 D4", "T8 S4", "T7 T14")  # trick 14 of the sample game, with a choice
    table.play("D9", "T8")
    assert table.may_play(THIRD) == "T7 T14"
    led = trick(book, "T8 D4", "T7 T14", "S1 S2")
    led.play("T8")
    assert led.may_play(NEXT) == "T7 T14"


@pytest.mark.cites("I-6.1")
@every_book
def test_nobody_need_beat_a_card_of_the_suit(book: str) -> None:
    table = trick(book, "SQ D4", "SK S2", "T9 D1")
    table.play("SQ")
    assert table.may_play(NEXT) == "S2 SK"


@pytest.mark.cites("G58", "I-6.2")
@every_book
@pytest.mark.parametrize("number", [1, 10, 22])
def test_the_skus_as_ones_only_tarok_need_not_be_played(book: str, number: int) -> None:
    table = trick(book, "T8 D4 D5", "T0 H3 C9", "S1 S2 S3", number)
    table.play("T8")
    assert table.may_play(NEXT) == "H3 C9 T0"


@pytest.mark.cites("I-6.2")
@every_book
def test_the_skus_satisfies_the_duty_to_play_tarok(book: str) -> None:
    table = trick(book, "S4 S5 S6", "T5 T0 H2", "D1 D2 D3")
    table.play("S4", "T0", "D1")
    assert table.events(TrickWon) == [TrickWon(LEADER)]
    assert table.state.faults == ()


@pytest.mark.cites("G59", "I-7.1")
@every_book
@pytest.mark.parametrize("number", [1, 10, 22])
def test_the_skus_may_be_played_although_the_suit_could_be_followed(book: str, number: int) -> None:
    table = trick(book, "S4 D4 D5", "S9 T0 H2", "D1 D2 D3", number)
    table.play("S4")
    assert table.may_play(NEXT) == "S9 T0"
    table.play("T0", "D1")
    assert pile_points(table.state)[NEXT] == 4  # it comes home although the trick is lost


@pytest.mark.cites("G60", "I-6.3")
@every_book
def test_in_the_second_last_trick_the_skus_stays_in_hand(book: str) -> None:
    table = trick(book, "S4 D4", "T0 H3", "S1 S2", 24)
    table.play("S4")
    assert table.may_play(NEXT) == "H3"
    refusal = table.refuses(NEXT, Play(parse_card("T0")))
    assert refusal.reason == "you cannot play the skus to the second-last trick; choose another card"
    assert refusal.cite == citation(danish_rules(book), "skus.secondLastBarred")


@pytest.mark.cites("I-6.3")
@every_book
def test_in_the_second_last_trick_the_skus_may_not_be_led_either(book: str) -> None:
    table = trick(book, "T0 HK", "S4 D4", "S1 S2", 24)
    assert list(table.legal(LEADER))[:1] == [Play(parse_card("HK"))]
    assert table.may_play(LEADER) == "HK"


@pytest.mark.cites("I-6.3")
@every_book
def test_playing_the_other_card_in_the_second_last_trick_is_no_revoke(book: str) -> None:
    table = ending(strict(book, "follow"), {LEADER: "S4 D4", NEXT: "T0 H3", THIRD: "S1 S2"}, LEADER)
    table.play("S4", "H3", "S1")
    assert (table.state.number, table.state.faults) == (25, ())
    erring = ending(strict(book, "follow"), {LEADER: "S4 D4", NEXT: "T0 H3", THIRD: "S1 S2"}, LEADER)
    erring.play("S4", "T0")
    assert [(fault.seat, fault.offence, fault.trick) for fault in erring.state.faults] == [
        (NEXT, "revoke", 24)
    ]


@pytest.mark.cites("I-6.2")
@every_book
def test_the_skus_must_be_played_when_it_is_the_last_card(book: str) -> None:
    table = trick(book, "S4", "T0", "S1", 25)
    table.play("S4")
    assert table.may_play(NEXT) == "T0"


# --- the same, over random hands -----------------------------------------------------------------------
# B6 once more, in other words: hands are sets of names, and a suit is a letter.


def legal_by_the_book(
    hand: set[str], number: int, led: str | None, *, demanded: bool, voluntary: bool
) -> set[str]:
    """The legal-play function of B6."""
    if number == 23 and demanded and "T0" in hand:
        return {"T0"}
    others = hand - {"T0"}
    followers = {card for card in others if card[0] == led}
    real_tarok = {card for card in others if card[0] == "T"}
    base = others if led is None else followers or real_tarok or others
    if "T0" in hand and number != 24 and (number != 23 or voluntary):
        base = base | {"T0"}
    return base or {"T0"}


def winner_by_the_book(played: list[tuple[int, str]], led: str) -> int:
    """Who wins: the highest tarok, else the highest card of the suit, else of the first suit that fell."""
    fallen = [(seat, card) for seat, card in played if card != "T0"]
    for suit in ("T", led, fallen[0][1][0]):
        ranks = dict(HIGH_TO_LOW)[suit]
        of_suit = [(ranks.index(card[1:]), seat) for seat, card in fallen if card[0] == suit]
        if of_suit:
            return min(of_suit)[1]
    raise AssertionError("one of the three cards is not the skus")


def names(some: Iterable[Card]) -> set[str]:
    return {card.value for card in some}


@settings(max_examples=400, deadline=None)
@given(
    seed=st.integers(0, 2**32),
    book=st.sampled_from(DANISH),
    number=st.integers(1, 25) | st.sampled_from([23, 24, 25]),
    voluntary=st.booleans(),
    barred=st.booleans(),
)
def test_legal_cards_and_winners_are_those_of_the_specification(
    seed: int, book: str, number: int, voluntary: bool, barred: bool
) -> None:
    rng = Random(seed)
    house = {
        "skus.thirdLastVoluntary": voluntary,
        "skus.secondLastBarred": barred,
        "skus.lastTrickLead": "named",
    }
    rules = danish_rules(book, house)
    size = 26 - number
    pack = rng.sample([card.value for card in PACK if card.value != "T0"], 3 * size - 1)
    pack.insert(rng.randrange(3 * size), "T0")  # the last tricks would else seldom see it
    hands = {seat: " ".join(pack[place * size :][:size]) for place, seat in enumerate(ORDER)}
    table = ending(rules, hands, LEADER)
    while table.state.phase in ("announce", "demand"):
        seat = table.state.asked[0]
        wants = DemandSkus() in table.legal(seat) and rng.random() < 0.3
        table.act(seat, DemandSkus() if wants else Decline())
    demanded = bool(table.state.demanded)
    led: str | None = None
    played: list[tuple[int, str]] = []
    while len(played) < 3:
        seat = table.state.turn
        if table.state.phase == "name":
            table.act(seat, NameSkus(rng.choice("SHCDT")))  # type: ignore[arg-type]
            led = table.events(SkusRenamed)[-1].suit
        may = table.legal(seat)
        expected = legal_by_the_book(
            names(cards(table.state.hands[seat])),
            number if barred or number != 24 else 1,  # the second-last trick is then like any other
            led,
            demanded=demanded,
            voluntary=voluntary,
        )
        assert names(cards(may.cards())) == expected
        action = rng.choice([action for action in may if isinstance(action, Play)])
        table.act(seat, action)
        told = next(event for event in reversed(table.log) if isinstance(event, CardPlayed))
        assert (told.seat, told.card, told.named) == (seat, action.card, action.named)
        led = led or action.named or action.card.value[0]
        played.append((seat, action.card.value))
    assert table.events(TrickWon) == [TrickWon(winner_by_the_book(played, led or ""))]
