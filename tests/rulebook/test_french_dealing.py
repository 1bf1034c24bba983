"""Rules C1, C2: the pack, the deal, petit sec."""

from __future__ import annotations

from random import Random

import pytest

from french_table import Table, dealt, forged, opened, rules_of
from ultimo import french
from ultimo.cards import ALL_CARDS, PACK, UNSEEN, Card, cards, mask, parse_cards
from ultimo.deal import needs_cards
from ultimo.events import Cut, Deal, DealClosed, IllegalAction, PackCut, Pass, PetitSec

NEVER = {"deal.shuffle": "never"}
PETIT_SEC = "S1 S2 S3 S4 S5 S6 S7 S8 S9 H1 H2 H3 H4 H5 H6 H7 H8 T1"
PETIT_AND_EXCUSE = PETIT_SEC.replace("S9", "T0")


@pytest.mark.cites("G145", "I-C.3", "I-C.23")
def test_a_hand_whose_only_trump_is_the_petit_throws_the_cards_in() -> None:
    table = Table(hands={2: PETIT_SEC})
    assert table.log[2:] == [PetitSec(2, parse_cards(PETIT_SEC)), DealClosed("thrownIn")]
    assert table.state.phase == "closed"
    assert table.state.net == (0, 0, 0, 0)
    assert french.waiting_for(table.rules, table.state) == ()
    assert table.refuses(Pass(), 0).reason == "the deal is over"


@pytest.mark.cites("G146")
def test_the_excuse_counts_as_a_trump_beside_the_petit() -> None:
    table = Table(hands={2: PETIT_AND_EXCUSE})
    assert table.state.phase == "bid"


def test_where_petit_sec_is_off_the_deal_goes_on() -> None:
    assert Table(hands={2: PETIT_SEC}, house={"deal.petitSec": "off"}).state.phase == "bid"


@pytest.mark.cites("I-C.1")
@pytest.mark.parametrize(
    ("book", "first", "second"),
    [
        ("french3", "S5 S6 S7 S8", "S9 S10 SJ SN"),
        ("french4", "S4 S5 S6", "S7 S8 S9"),
        ("french5", "S4 S5 S6", "S7 S8 S9"),
    ],
)
def test_packets_go_round_anticlockwise_from_the_dealers_right(book: str, first: str, second: str) -> None:
    rules = rules_of(book)
    chien_at = range(30, 30 + rules.deal.chien)
    deal = french.deal_out(rules, opened(rules, 1), PACK, chien_at)
    packet = rules.deal.packet
    assert deal.hands[2][:packet] == PACK[:packet]
    assert mask(first) & mask(deal.hands[3 % rules.players]) == mask(first)
    assert deal.chien == PACK[30 : 30 + rules.deal.chien]
    if rules.players > 3:
        assert mask(second) & mask(deal.hands[4 % rules.players]) == mask(second)
    assert [len(hand) for hand in deal.hands] == [rules.deal.hand] * rules.players


@pytest.mark.parametrize("chien_at", [(10, 20, 30, 40, 50, 60), (3, 4, 5, 6, 7, 74), (8, 9, 10, 11, 12, 13)])
def test_chien_cards_fall_between_packets(chien_at: tuple[int, ...]) -> None:
    rules = rules_of()
    deal = french.deal_out(rules, 3, PACK, chien_at)
    assert mask(deal.chien) == mask(PACK[place] for place in chien_at)
    rest = [card for place, card in enumerate(PACK) if place not in chien_at]
    assert mask(deal.hands[0]) == mask(rest[place] for place in range(72) if place // 3 % 4 == 0)


@pytest.mark.cites("I-C.1")
@pytest.mark.parametrize("book", ["french3", "french4", "french5"])
def test_no_chien_card_comes_from_either_end_of_the_pack(book: str) -> None:
    rules, rng = rules_of(book), Random(7)
    drawn = [french.chien_positions(rules, rng) for _ in range(2000)]
    assert {place for places in drawn for place in places} == set(range(3, 75))
    assert all(len(set(places)) == rules.deal.chien for places in drawn)
    fft = rules_of(book, {"deal.chienForbiddenEnds": 1})
    assert {place for _ in range(2000) for place in french.chien_positions(fft, rng)} == set(range(1, 77))
    for wrong in (2, 75):
        with pytest.raises(IllegalAction, match="the first 3 and the last 3"):
            french.deal_out(rules, 0, PACK, (wrong, *range(20, 19 + rules.deal.chien)))


@pytest.mark.parametrize(
    ("deck", "chien_at", "reason"),
    [
        (PACK[:77], range(10, 16), "each of the 78"),
        ((*PACK[:77], PACK[0]), range(10, 16), "each of the 78"),
        (PACK, range(10, 15), "6 cards"),
        (PACK, (10, 10, 11, 12, 13, 14), "6 cards"),
    ],
)
def test_a_wrong_pack_is_not_dealt(deck: tuple[Card, ...], chien_at: tuple[int, ...], reason: str) -> None:
    with pytest.raises(IllegalAction, match=reason):
        french.deal_out(rules_of(), 0, deck, chien_at)


@pytest.mark.parametrize("book", ["french3", "french4", "french5"])
def test_chance_must_deal_every_card_once_in_hands_of_the_right_size(book: str) -> None:
    table = Table(book)
    assert needs_cards(table.state)
    assert french.waiting_for(table.rules, table.state) == ()
    good = dealt(table.rules, {})
    twice = Deal((*good.hands[:-1], good.hands[0]), good.chien)
    assert table.refuses(twice, None).reason == "deal each of the 78 cards once"
    unseen = Deal((*good.hands[:-1], (UNSEEN,) * table.rules.deal.hand), good.chien)
    assert "78" in table.refuses(unseen, None).reason
    short = Deal((good.hands[0][1:], *good.hands[1:]), (*good.chien, good.hands[0][0]))
    assert f"{table.rules.deal.hand} cards" in table.refuses(short, None).reason
    assert "chien" in table.refuses(Deal(good.hands, good.chien[1:]), None).reason
    assert "cannot be dealt now" in table.refuses(good, 0).reason
    assert table.refuses(Pass(), 0).reason == "the cards have not been dealt"
    table.do(good, None)
    assert table.refuses(good, None).cite == table.rules.deal.cite
    assert table.state.hands == tuple(map(mask, good.hands))


@pytest.mark.cites("I-C.2")
def test_a_pack_that_is_not_shuffled_is_cut_by_the_dealers_left_neighbour() -> None:
    rules = rules_of(house=NEVER)
    state = french.initial(rules, opened(rules, 1, PACK))
    assert french.waiting_for(rules, state) == (0,)
    assert len(french.legal(rules, state, 0)) == 71
    for at in (3, 75):
        with pytest.raises(IllegalAction, match="each part has at least 4 cards"):
            french.decide(rules, state, 0, Cut(at))
    assert french.decide(rules, state, 0, Cut(74)) == (PackCut(0, 74),)
    with pytest.raises(IllegalAction, match="it is seat 0’s turn"):
        french.decide(rules, state, 2, Cut(10))
    state, _ = french.step(rules, state, 0, Cut(4))
    assert needs_cards(state)
    assert state.deck == PACK[4:] + PACK[:4]


@pytest.mark.cites("I-C.2")
def test_the_first_pack_of_a_table_that_never_shuffles_comes_from_chance() -> None:
    rules = rules_of(house=NEVER)
    assert needs_cards(french.initial(rules, opened(rules, 1)))


@pytest.mark.cites("I-C.2")
def test_the_hands_of_a_pack_that_is_not_shuffled_are_those_it_gives() -> None:
    rules = rules_of(house=NEVER)
    state, _ = french.step(rules, french.initial(rules, opened(rules, 1, PACK)), 0, Cut(20))
    good = french.deal_out(rules, 1, state.deck, french.chien_positions(rules, Random(3)))
    assert french.step(rules, state, None, good)[0].hands == tuple(map(mask, good.hands))
    one, two = good.hands[0], good.hands[1]
    swapped = Deal(((two[0], *one[1:]), (one[0], *two[1:]), *good.hands[2:]), good.chien)
    with pytest.raises(IllegalAction, match="not the cards dealt from this pack"):
        french.decide(rules, state, None, swapped)
    first = (state.deck[0], *good.chien[1:])
    hands = tuple(
        tuple(good.chien[0] if card is state.deck[0] else card for card in hand) for hand in good.hands
    )
    with pytest.raises(IllegalAction, match="may not go to the chien"):
        french.decide(rules, state, None, Deal(hands, first))


@pytest.mark.cites("I-C.2")
def test_thrown_in_cards_are_picked_up_by_seats_with_the_chien_on_top() -> None:
    table = Table(hands={0: "T21"}, dealer=2).bid("pass pass pass pass")
    pack = french.pick_up(table.rules, table.state)
    hands = [cards(table.state.dealt[seat]) for seat in (3, 0, 1, 2)]
    assert pack == (*cards(table.state.chien), *hands[0], *hands[1], *hands[2], *hands[3])


@pytest.mark.cites("I-C.2")
@pytest.mark.parametrize("bid", ["garde", "sans", "contre"])
def test_played_cards_are_picked_up_by_sides_with_the_ecart_on_top(bid: str) -> None:
    last = {(18, 0): "T21", (18, 1): "S2", (18, 2): "S3", (18, 3): "S4"}
    table = forged(Table(), [1] + [0] * 16 + [0], bid=bid, fixed=last, laid="D1 D2 D3 D4 D5 D6")
    table.play("S4")
    pack = french.pick_up(table.rules, table.state)
    tricks = [tuple(play.card for play in trick.plays) for trick in table.state.tricks]
    assert pack[:6] == parse_cards("D1 D2 D3 D4 D5 D6")
    assert pack[6:10] == tricks[0]
    assert pack[10:14] == tricks[1]
    assert pack[-4:] == parse_cards("T21 S2 S3 S4")
    assert mask(pack) == ALL_CARDS
