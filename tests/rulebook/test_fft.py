"""Rules C13: the French federation's game, fft3, fft4 and fft5, beside Bussac's."""

from __future__ import annotations

from collections.abc import Sequence
from random import Random
from typing import Any

import pytest
from msgspec.structs import replace

from french_table import Table, dealt, forged, opened, rules_of
from live import HOST, bots
from live import Evening as Live
from rulebook.test_french_dealing import PETIT_SEC
from rulebook.test_french_excuse import EXCUSE, EXCUSE_LAST, LOST_BY_DEFENCE, ending, outcome_of, told
from rulebook.test_french_poignees import first_card, may_show, show, trumps
from rulebook.test_french_scores import NETS, VALUES, case, net, outcome
from sheets import begun, french_entry, write
from table import FFT, Evening, french_rules
from ultimo import french, rulebook, series
from ultimo.cards import KINGS, PACK, QUEENS, UNSEEN, cards, mask, parse_card, parse_cards
from ultimo.club.entries import FrenchDeal
from ultimo.club.season import tallies
from ultimo.club.sheet import Refused, ledger, preview
from ultimo.events import (
    Announce,
    Bid,
    Call,
    Counted,
    Cut,
    DealClosed,
    Decline,
    EcartLaid,
    ExcuseKept,
    ExcuseLost,
    ExcuseWins,
    IllegalAction,
    Lay,
    Opened,
    Pass,
    PetitSec,
    Play,
    Scored,
    SeriesOpened,
    TrickWon,
)
from ultimo.french import Outcome
from ultimo.table import Settings, story, story_so_far
from ultimo.table.facts import Happened
from ultimo.table.settings import check
from ultimo.telling.rules_words import differences

each_book = pytest.mark.parametrize("book", FFT)
OTHER_HERE = {"G157a", "G189"}  # half a point is given back, and two poignées both count


# --- what differs ---------------------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("book", "usual", "only"),
    [
        ("fft3", "french3", set()),
        ("fft4", "french4", set()),
        ("fft5", "french5", {"poignee.multiple", "call.restrictAfterExcuse"}),
    ],
)
def test_a_book_differs_from_bussacs_in_little(book: str, usual: str, only: set[str]) -> None:
    found = {one.key for one in differences(rules_of(book), rules_of(usual))}
    deal = {"deal.firstDealer", "deal.chienForbiddenEnds"}
    assert found == only | deal | {
        "ecart.review",
        "excuse.lastTrickReturn",
        "poignee.ecartTrump",
        "fine.fault",
    }


@pytest.mark.parametrize(
    ("book", "digest"),
    [("french3", "376ae9188468a445"), ("french4", "e29dae2cce1f4aea"), ("french5", "f55e5fbc9a90638c")],
)
def test_what_was_written_before_the_federations_parameters_came_stays_valid(book: str, digest: str) -> None:
    """A record and a score sheet carry the digest of their rules."""
    assert rulebook.digest(rules_of(book)) == digest
    later = {"deal.firstDealer": "lowestCard", "ecart.review": False, "fine.fault": "voidIfWon"}
    later |= {"table.mort": True} if book == "french4" else {}
    for key, value in later.items():
        assert rulebook.digest(rules_of(book, {key: value})) != digest


# --- the deal ------------------------------------------------------------------------------------------


@each_book
@pytest.mark.cites("G201")
@pytest.mark.parametrize(
    ("drawn", "dealer"),
    [("H10 C10 DQ T3 SK", 1), ("C1 D1 H1 S1 T1", 0), ("S2 H2 D2 T1 T2", 2), ("T9 T2 T21 T8 T3", 1)],
)
def test_who_draws_the_lowest_card_deals_first(book: str, drawn: str, dealer: int) -> None:
    rules = french_rules(book)
    cards_drawn = parse_cards(drawn)[: rules.players]
    assert series.drawn_dealer(rules, cards_drawn) == dealer
    names = [f"P{seat}" for seat in range(rules.players)]
    (opened_series,) = series.open_series(rules, names, dealer, drawn=cards_drawn)
    assert isinstance(opened_series, SeriesOpened)
    assert (opened_series.dealer, opened_series.drawn) == (dealer, cards_drawn)
    for wrong in (cards_drawn[1:], cards_drawn[:1] * rules.players, parse_cards("T0") + cards_drawn[1:]):
        with pytest.raises(IllegalAction, match="does not deal first"):
            series.open_series(rules, names, dealer, drawn=wrong)
    with pytest.raises(IllegalAction, match="does not deal first"):
        series.open_series(rules, names, (dealer + 1) % rules.players, drawn=cards_drawn)
    with pytest.raises(IllegalAction, match="does not deal first"):
        series.open_series(rules_of(f"french{rules.players}"), names, dealer, drawn=cards_drawn)


class Fixed:
    """Chance that gives these cards."""

    def sample(self, population: Sequence[Any], k: int) -> list[Any]:
        return list(parse_cards("H10 T0 C10 DQ T3 SK"))[:k]


@each_book
@pytest.mark.cites("G202")
def test_who_draws_the_excuse_draws_again(book: str) -> None:
    rules = rules_of(book)
    assert series.draw(rules, rules.players, Fixed()) == parse_cards("H10 C10 DQ T3 SK")[: rules.players]
    assert series.draw(rules_of("french4"), 4, Fixed()) == ()


@each_book
def test_a_table_draws_cards_for_the_first_deal_and_says_so(book: str) -> None:
    size = rules_of(book).players
    evening = Live(Settings(book, size, bots(size)), 3)
    while evening.live.series is None:
        before = evening.live
        evening.step()
    (fact, _) = evening.log[-1]
    assert isinstance(fact, Happened)
    (opened_series,) = fact.events
    assert isinstance(opened_series, SeriesOpened)
    assert series.drawn_dealer(evening.live.rules, opened_series.drawn) == evening.live.series.dealer
    (told_so,) = story(before, evening.log[-1:], HOST, "en")
    assert f"{evening.live.seats[opened_series.dealer].name} has the lowest and deals" in told_so.text


@each_book
@pytest.mark.cites("G203")
def test_only_the_first_and_the_last_card_of_the_pack_stay_out_of_the_chien(book: str) -> None:
    rules, rng = rules_of(book), Random(7)
    places = {place for _ in range(2000) for place in french.chien_positions(rules, rng)}
    assert places == set(range(1, 77))
    rest = range(20, 18 + rules.deal.chien)
    french.deal_out(rules, 0, PACK, (1, 76, *rest))
    for wrong in (0, 77):
        with pytest.raises(IllegalAction, match="the first and the last card of the pack"):
            french.deal_out(rules, 0, PACK, (wrong, 40, *rest))
    with pytest.raises(IllegalAction, match="the first 3 and the last 3"):
        french.deal_out(rules_of(f"french{rules.players}"), 0, PACK, (1, 76, *rest))


@pytest.mark.cites("G204")
def test_where_the_pack_is_not_shuffled_each_part_of_a_cut_has_more_than_three_cards() -> None:
    rules = rules_of("fft4", {"deal.shuffle": "never"})
    state = french.initial(rules, opened(rules, 1, PACK))
    with pytest.raises(IllegalAction, match="at least 4 cards"):
        french.decide(rules, state, 0, Cut(3))
    french.decide(rules, state, 0, Cut(4))


@pytest.mark.parametrize(("book", "packet"), [("fft3", 4), ("fft4", 3), ("fft5", 3)])
def test_packets_go_round_from_the_dealers_right(book: str, packet: int) -> None:
    rules = rules_of(book)
    deal = french.deal_out(rules, 0, PACK, range(60, 60 + rules.deal.chien))
    assert deal.hands[1][:packet] == PACK[:packet]
    assert PACK[packet] in deal.hands[2]


@each_book
def test_the_pack_is_shuffled_for_every_deal(book: str) -> None:
    rules = french_rules(book)
    evening = Evening(rules, rules.players)
    evening.play_deal(Random(3))
    evening.next_deal()
    assert [event.deck for event in evening.log if isinstance(event, Opened)] == [(), ()]


@each_book
@pytest.mark.cites("G205")
def test_a_petit_alone_shows_the_hand_and_the_next_player_deals(book: str) -> None:
    rules = french_rules(book)
    petit = {3: "C1 C2 C3 C4 C5 C6 ", 4: "", 5: ""}[rules.players] + PETIT_SEC
    petit = " ".join(["T1", *petit.split()[: rules.deal.hand - 1]])
    for hand, phase in ((petit, "closed"), (petit.replace("S1", "T0"), "bid")):
        evening = Evening(rules, rules.players, dealer=2)
        evening.next_deal()
        evening.act(None, dealt(rules, {1: hand}))
        assert evening.state.deal.phase == phase
        if phase == "closed":
            shown = mask(next(event for event in evening.log if isinstance(event, PetitSec)).hand)
            assert (shown, evening.state.dealer) == (mask(hand), 3 % rules.players)
            assert evening.state.totals == (0,) * rules.players


# --- the contract --------------------------------------------------------------------------------------


@pytest.mark.cites("G206")
def test_when_all_pass_the_dealers_right_neighbour_deals() -> None:
    rules = french_rules("fft4")
    evening = Evening(rules, 4, dealer=1)
    evening.next_deal()
    evening.act(None, dealt(rules, {}))
    for seat in (2, 3, 0, 1):
        evening.act(seat, Pass())
    assert isinstance(evening.log[-1], DealClosed)
    assert (evening.state.dealer, evening.state.totals) == (2, (0, 0, 0, 0))


@each_book
@pytest.mark.cites("G207")
def test_a_bid_must_be_higher(book: str) -> None:
    table = Table(book, hands={}).bid("garde")
    assert "higher" in table.refuses(Bid("petite")).reason
    assert list(table.legal) == [Pass(), Bid("sans"), Bid("contre")]


@each_book
@pytest.mark.parametrize("bid", ["petite", "garde", "sans", "contre"])
def test_the_chien_is_taken_after_the_two_lower_bids_and_stays_closed_after_the_others(
    book: str, bid: str
) -> None:
    table = Table(book, hands={0: "HK"}).bid(" ".join([bid] + ["pass"] * (rules_of(book).players - 1)))
    if book == "fft5":
        table.call("HK")
    assert table.state.phase == ("ecart" if bid in ("petite", "garde") else "slam")


@pytest.mark.parametrize(("bid", "bouts"), [("sans", 1), ("contre", 0)])
@each_book
def test_a_closed_chien_is_counted_for_the_side_that_the_bid_gives_it_to(
    book: str, bid: str, bouts: int
) -> None:
    rules = rules_of(book)
    last, aside = (
        rules.deal.hand,
        " ".join(["T21", "D1", "D2", "D3", "D4", "D5"][: rules.deal.chien]),
    )
    fixed = {(1, 1): "T1", (2, 1): "T0", (last, 0): "T20"}
    fixed |= {(last, seat): f"S{seat + 1}" for seat in range(1, rules.players)}
    called = {"call": "HK", "partner": 2} if book == "fft5" else {}
    if called:
        fixed[3, 2] = "HK"
    table = ending([1] * (last - 1) + [0], fixed, book, bid=bid, laid=aside, **called)
    assert outcome_of(table).bouts == bouts


@pytest.mark.cites("G208")
def test_no_king_and_no_bout_is_laid() -> None:
    table = Table("fft4", hands={0: "SK T21 S1 S2 S3 S4 S5"}).bid("garde pass pass pass")
    for card in ("SK", "T21"):
        assert "kings or bouts" in table.refuses(Lay(parse_cards(f"S1 S2 S3 S4 S5 {card}"))).reason


def has_laid(book: str, house: dict[str, Any] | None = None) -> Table:
    """The taker has laid suit cards and a trump, and is about to lead."""
    plain = "S1 S2 S3 S4 S5"[: 3 * rules_of(book).deal.chien - 4]
    hand = f"SK HK CK DK {plain} {trumps(*range(1, 22))}".split()[: rules_of(book).deal.hand]
    chien = f"{trumps(*range(2, 22))} T0".split()[-rules_of(book).deal.chien :]
    table = Table(book, {0: " ".join(hand)}, " ".join(chien), house)
    table.bid(" ".join(["garde"] + ["pass"] * (table.rules.players - 1)))
    if table.state.phase == "call":
        table.call("HK")
    table.do(Lay(parse_cards(f"{plain} T2")))
    table.do(Decline())
    return table


@each_book
@pytest.mark.cites("005 p6")
def test_the_ecart_is_not_looked_at_before_the_count(book: str) -> None:
    table = has_laid(book)
    laid, size = table.state.ecart, table.rules.deal.chien
    event = next(event for event in table.log if isinstance(event, EcartLaid))
    assert french.seen_by(table.rules, table.state, 0, event) == event  # who laid it knows it
    assert french.looked_at(table.rules, table.state) == ("ecart", mask("T2"), size - 1)
    assert french.noted(table.rules, event) == replace(event, cards=(UNSEEN,) * size)
    while table.state.phase != "closed":
        table.do(next(iter(table.legal)))
    assert french.looked_at(table.rules, table.state) == ("ecart", laid, 0)
    may = has_laid(book, {"ecart.review": True})
    assert french.looked_at(may.rules, may.state) == ("ecart", laid, 0)
    assert french.noted(may.rules, event) == event


@pytest.mark.parametrize(("book", "seen"), [("fft4", 0), ("french4", 6)])
def test_a_table_shows_the_taker_as_much_of_the_ecart_as_may_be_looked_at(book: str, seen: int) -> None:
    evening = Live(Settings(book, 4, bots(4)), 1)
    while True:
        evening.one_thing()
        state = evening.live.series
        now = state.deal if state is not None and state.playing else None
        if isinstance(now, french.State) and now.taker == 0 and now.ecart and now.tricks:
            break
    aside = evening.scene(HOST).aside
    assert aside is not None
    assert (aside.count, len(aside.cards)) == (6, seen)
    log = " ".join(one.text for one in story_so_far(evening.live, HOST, "en") if "discards" in one.text)
    assert log.endswith("(the écart)") == (seen == 0)


@pytest.mark.cites("G222", "I-F.5")
def test_who_asks_for_a_slam_is_asked_after_the_ecart_and_leads() -> None:
    table = Table("fft4", hands={2: "S1 S2 S3 S4 S5 S6"}, dealer=3).bid("pass pass garde pass")
    table.do(Lay(parse_cards("S1 S2 S3 S4 S5 S6")))
    assert list(table.legal) == [Decline(), Announce("slam")]
    table.do(Announce("slam"))
    assert table.turn == 2


@each_book
def test_nobody_but_the_taker_is_asked(book: str) -> None:
    table = Table(book, hands={0: "HK"}).bid(" ".join(["sans"] + ["pass"] * (rules_of(book).players - 1)))
    if book == "fft5":
        table.call("HK")
    table.do(Decline())
    assert table.state.phase == "play"


# --- poignées ------------------------------------------------------------------------------------------


def forced(book: str, hand: str, chien: str, laid: str) -> Table:
    """The taker had to lay trumps and is about to lead."""
    table = Table(book, hands={0: hand}, chien=chien)
    table.bid(" ".join(["garde"] + ["pass"] * (table.rules.players - 1)))
    if table.state.phase == "call":
        table.call("HK")
    table.do(Lay(parse_cards(laid)))
    table.do(Decline())
    return table


@pytest.mark.cites("G209", "I-F.4")
@pytest.mark.parametrize(("book", "triple"), [("fft4", 1), ("french4", 0)])
def test_four_kings_and_fifteen_trumps_make_a_triple_with_the_laid_one(book: str, triple: int) -> None:
    hand, chien = f"{trumps(*range(2, 15))} SK HK CK DK S1", "T15 T16 S2 S3 S4 S5"
    table = forced(book, hand, chien, "S1 S2 S3 S4 S5 T2")
    assert may_show(table).get(15, 0) == triple
    if triple:
        table.do(show(trumps(*range(2, 17))))
        assert table.state.poignees[0].size == 2
        shown = (("taker", 15),)
        assert french.score(table.rules, outcome(4, "garde", 41, 2, poignees=shown)).poignee == 40


@pytest.mark.cites("G210", "I-F.4")
def test_the_excuse_and_the_laid_trump_complete_thirteen_to_a_triple() -> None:
    hand, chien = f"{trumps(*range(2, 15))} T0 SK HK CK", "DK S1 S2 S3 S4 S5"
    table = forced("fft4", f"{hand} T15", chien, "S1 S2 S3 S4 S5 T2")
    assert may_show(table)[15] == 1
    table.do(show(f"{trumps(*range(2, 16))} T0"))


@pytest.mark.cites("G211")
def test_with_three_kings_and_sixteen_trumps_the_hand_alone_has_a_triple() -> None:
    hand = f"{trumps(*range(2, 17))} SK HK CK"
    table = forced("fft4", hand, "T17 S1 S2 S3 S4 S5", "S1 S2 S3 S4 S5 T2")
    table.do(show(trumps(*range(3, 18))))


@pytest.mark.cites("I-F.4")
@pytest.mark.parametrize(
    ("hand", "laid"),
    [
        (f"{trumps(*range(2, 14))} SK HK CK", "S1 S2 T2"),  # three kings, one trump laid
        (f"{trumps(*range(2, 13))} SK HK CK DK", "S1 T2 T3"),  # four kings, two laid
    ],
)
def test_five_players_may_reach_thirteen_with_laid_trumps(hand: str, laid: str) -> None:
    chien = "S1 S2 T14" if "S2" in laid else "S1 T13 T14"
    table = forced("fft5", hand, chien, laid)
    held = [card.value for card in cards(table.state.hands[0] | table.state.trumps_laid)]
    table.do(show(" ".join([card for card in held if card.startswith("T")][:13])))
    assert table.state.poignees[0].size == 2


@pytest.mark.cites("G212", "I-F.9")
def test_exactly_ten_or_fifteen_are_shown_and_fewer_than_possible_may_be() -> None:
    eleven, sixteen = first_card(trumps(*range(2, 13)), "fft4"), first_card(trumps(*range(2, 18)), "fft4")
    assert may_show(eleven) == {10: 11}
    assert "exactly this many trumps" in eleven.refuses(show(trumps(*range(2, 13)))).reason
    assert may_show(sixteen)[15] == 16
    sixteen.do(show(trumps(*range(2, 12))))
    assert sixteen.state.poignees[0].size == 0


@pytest.mark.cites("G213")
def test_the_excuse_replaces_a_missing_trump_and_no_hidden_one() -> None:
    nine = f"{trumps(*range(2, 11))} T0"
    first_card(nine, "fft4").do(show(nine))
    table = first_card(f"{nine} T11", "fft4")
    assert may_show(table) == {10: 1}
    assert table.refuses(show(nine))


@pytest.mark.parametrize(
    ("book", "held", "largest"),
    [
        pytest.param("fft3", 14, 13, marks=pytest.mark.cites("G231")),
        pytest.param("fft3", 17, 15, marks=pytest.mark.cites("G231")),
        pytest.param("fft3", 19, 18, marks=pytest.mark.cites("G231")),
        ("fft4", 10, 10),
        ("fft4", 14, 13),
        ("fft4", 15, 15),
        ("fft5", 8, 8),
        ("fft5", 12, 10),
        ("fft5", 13, 13),
    ],
)
def test_the_sizes_depend_on_the_table(book: str, held: int, largest: int) -> None:
    offered = may_show(first_card(trumps(*range(1, 1 + held)), book))
    assert max(offered) == largest
    sizes = rules_of(book).poignee.sizes
    assert tuple(offered) == sizes[: sizes.index(largest) + 1]
    assert not may_show(first_card(trumps(*range(1, sizes[0])), book))


# --- following -----------------------------------------------------------------------------------------

LEADER = "H4 H5 S1 S2 T9"


def first_lead(book: str, hands: dict[int, str]) -> Table:
    """Seat 0 has taken without the chien and called HK; it is to lead."""
    table = Table(book, hands=hands, chien="D1 D2 D3").bid("sans pass pass pass pass").call("HK")
    table.do(Decline())
    return table


@pytest.mark.cites("G234")
def test_the_called_suit_is_not_led_first_unless_with_the_called_card() -> None:
    assert "called suit" in first_lead("fft5", {0: LEADER}).refuses(Play(parse_card("H4"))).reason
    table = first_lead("fft5", {0: f"HK {LEADER}"})
    assert not {"H4", "H5"} & {*table.may_play().split()}
    table.play("HK")


@pytest.mark.cites("G235", "I-F.2")
def test_after_a_led_excuse_the_called_suit_may_be_played() -> None:
    hands = {0: "T0", 1: "H4 S9 T2", 2: "HK"}
    first_lead("fft5", hands).play("T0 H4")
    strict = first_lead("french5", hands)
    strict.play("T0")
    assert "hearts" in strict.refuses(Play(parse_card("H4"))).reason


@pytest.mark.parametrize(
    ("hand", "named"),
    [
        ("SK HK CK", KINGS),
        ("SK HK CK DK", KINGS | QUEENS),
        ("SK HK CK DK SQ HQ CQ DQ", KINGS | QUEENS | mask("SN HN CN DN")),
        ("SK HK CK DK SQ HQ CQ DQ SN HN CN DN", KINGS | QUEENS | mask("SN HN CN DN SJ HJ CJ DJ")),
    ],
)
def test_a_lower_court_is_called_by_who_holds_all_above(hand: str, named: int) -> None:
    table = Table("fft5", hands={0: hand, 1: "SJ"}, chien="T2 T3 T4").bid("garde pass pass pass pass")
    assert mask(action.card for action in table.legal if isinstance(action, Call)) == named


def test_a_king_in_the_chien_leaves_the_taker_alone() -> None:
    table = Table("fft5", hands={}, chien="HK D1 D2").bid("garde pass pass pass pass").call("HK")
    assert table.state.sides_public
    assert table.state.partner is None


# --- the excuse ----------------------------------------------------------------------------------------


@pytest.mark.cites("G225", "G226", "I-F.6")
@pytest.mark.parametrize(("asked", "worth"), [(True, 400), (False, 200)])
def test_the_excuse_wins_the_last_trick_of_a_slam_and_the_petit_before_it_is_au_bout(
    asked: bool, worth: int
) -> None:
    table = ending([0] * 18, EXCUSE_LAST | {(17, 0): "T1"}, "fft4", slam=asked)
    assert told(table, *EXCUSE) == [ExcuseWins(0)]
    found = outcome_of(table)
    assert (found.slam_made, found.petit_au_bout) == ("taker", "taker")
    assert french.score(table.rules, found).slam == worth


@pytest.mark.cites("I-F.6")
def test_the_excuse_wins_for_the_defence_too() -> None:
    table = ending([1, 2, 3] * 5 + [2, 1, 1], {(18, 1): "T0", (18, 0): "T20", (1, 1): "T1"}, "fft4")
    assert told(table, *EXCUSE) == [ExcuseWins(1)]
    assert outcome_of(table).slam_made == "defence"


@pytest.mark.cites("G227")
def test_an_excuse_kept_against_a_slam_counts_four() -> None:
    table = ending([0] * 18, {(5, 2): "T0", (18, 0): "T21", (1, 0): "T1"}, "fft4", bid="petite")
    assert told(table, Counted, Scored) == [Counted((174, 8)), Scored(271, 0, None, points=87, bouts=2)]


@pytest.mark.cites("G228")
def test_an_excuse_in_the_last_trick_goes_to_the_side_that_wins_it_whole() -> None:
    fixed = {(18, 0): "T20", (18, 1): "T0", (18, 2): "S3", (18, 3): "S4", (2, 1): "T1"}
    found = outcome_of(ending([0] + [1] * 16 + [0], fixed, "fft4"))
    assert (found.half_points, found.bouts) == (4 + 3 + 9 + 6, 1)


@pytest.mark.cites("G229", "I-F.1")
@pytest.mark.parametrize(("book", "half_points", "value"), [("fft4", 88, 28), ("french4", 89, 29)])
def test_half_a_point_comes_back_for_an_excuse_that_its_own_side_could_not_keep(
    book: str, half_points: int, value: int
) -> None:
    table = ending(
        [0] * 7 + [1] * 10 + [2],
        LOST_BY_DEFENCE,
        book,
        bid="petite",
        taker_has="T21 SK HK CK DK SQ",
        laid="C1 C2 C3 C4 C5 C6",
    )
    found = outcome_of(table)
    assert told(table, *EXCUSE) == [ExcuseLost(3)]
    assert (found.half_points, found.bouts) == (half_points, 2)
    assert french.score(table.rules, found).value == value


@pytest.mark.cites("I-F.1")
@pytest.mark.parametrize("book", ["fft3", "fft5"])
def test_so_it_is_with_three_and_five_players(book: str) -> None:
    rules = rules_of(book)
    last = rules.deal.hand
    fixed = {(last, 1): "S5", (last, 2): "T0", (last, 0): "D2", (2, 1): "T1"}
    fixed |= {(last, seat): f"C{seat}" for seat in range(3, rules.players)}
    called: dict[str, Any] = {"call": "HK", "laid": "HK D3 D4"} if book == "fft5" else {}
    winners = [0] + [1] * (last - 1)
    points = {
        name: outcome_of(ending(winners, fixed, name, **called)).half_points
        for name in (book, f"french{rules.players}")
    }
    assert points[f"french{rules.players}"] - points[book] == 1


@pytest.mark.cites("G230")
def test_nothing_is_given_for_an_excuse_in_an_own_trick_and_a_card_is_owed_before_the_first_trick() -> None:
    own = {(5, 0): "S2", (5, 1): "SK", (5, 2): "S3", (5, 3): "T0"}
    table = forged(Table("fft4"), [0, 1, 1, 0, 1], fixed=own)
    assert table.play("T0")[1:] == (TrickWon(1), ExcuseKept(3, owed=False))
    none = {(5, 1): "S10", (5, 2): "S2", (5, 3): "S3", (5, 0): "T0"}
    table = forged(Table("fft4"), [1, 1, 1, 1, 1], fixed=none)
    assert table.play("T0")[1:] == (TrickWon(1), ExcuseKept(0, owed=True))


# --- the score -----------------------------------------------------------------------------------------

SINGLE = (("taker", 10),)
SLAM = {"slam_announced": "taker", "slam_made": "taker"}
PRINTED = [  # the taker, N, E, S and W being 0 to 3; what happened; what each defender pays
    (1, outcome(4, "garde", 49, 2, taker=1, poignees=SINGLE, petit_au_bout="taker"), 106),
    (3, outcome(4, "sans", 45, 2, taker=3, petit_au_bout="defence"), 76),
    (2, outcome(4, "petite", 34, 2, taker=2, poignees=SINGLE, petit_au_bout="taker"), -42),
    (0, outcome(4, "garde", 52, 2, taker=0, poignees=(("defence", 10),)), 92),
    (2, outcome(4, "garde", 87, 2, taker=2, poignees=SINGLE, petit_au_bout="taker", **SLAM), 582),
]


@pytest.mark.cites("G215", "G216", "G217", "G218", "G219")
@pytest.mark.parametrize(("taker", "result", "value"), PRINTED)
def test_the_examples_of_the_text(taker: int, result: Outcome, value: int) -> None:
    rules = rules_of("fft4")
    french.check(rules, result)
    gains = net(french.settle(rules, result).transfers, 4)
    assert gains == [3 * value if seat == taker else -value for seat in range(4)]


@pytest.mark.cites("G220")
def test_the_score_sheet_of_the_text() -> None:
    found = ledger(write(begun(rules_of("fft4"), 4), *(french_entry(result) for _, result, _ in PRINTED)))
    assert found.totals == (-446, -390, 1346, -510)


SCORED = [
    case("G214", 4, "garde", 41, 2, 90, "I-F.3", poignees=(("taker", 10), ("defence", 10))),
    case("G221", 4, "contre", 41, 2, 150),
    case("G223", 4, "garde", 60, 3, -102, slam_announced="taker"),
    case("G224", 4, "garde", 3, 0, -356, slam_made="defence"),
    case("G232", 3, "petite", 40.5, 2, -26),
    case("G232", 3, "petite", 41.5, 2, 26),
    case("G233", 5, "garde", 51, 1, 50),
    case("G236", 5, "garde", 41, 2, 100, "I-F.3", partner=1, poignees=(("taker", 8), ("defence", 10))),
    case("G237", 5, "petite", 40.5, 2, -26, partner=1),
]


@pytest.mark.parametrize(("result", "value"), SCORED)
def test_the_value_of_a_deal(result: Outcome, value: int) -> None:
    rules = rules_of(f"fft{result.players}")
    french.check(rules, result)
    assert french.score(rules, result).value == value
    shares = {
        3: [2, -1, -1],
        4: [3, -1, -1, -1],
        5: [4, -1, -1, -1, -1] if result.partner is None else [2, 1, -1, -1, -1],
    }
    expected = [share * value for share in shares[result.players]]
    assert net(french.settle(rules, result).transfers, result.players) == expected


# --- mistakes at a table of people ----------------------------------------------------------------------


@each_book
@pytest.mark.cites("G240")
@pytest.mark.parametrize(
    ("fault", "points", "void"),
    [
        ("defence", 40, True),
        ("defence", 41, False),
        ("taker", 41, True),
        ("taker", 40, False),
        (None, 40, False),
    ],
)
def test_the_win_of_the_side_that_made_a_mistake_is_void_and_its_loss_counts(
    book: str, fault: french.Side | None, points: int, void: bool
) -> None:
    rules = french_rules(book)
    result = outcome(rules.players, "garde", points, 2, poignees=(("taker", rules.poignee.sizes[0]),))
    marked = replace(result, fault=fault)
    assert french.is_void(rules, marked) is void
    transfers = french.settle(rules, marked).transfers
    assert transfers == (() if void else french.settle(rules, result).transfers)
    line = preview(begun(rules, rules.players), french_entry(marked))
    assert (line.void, any(line.gains)) == (void, not void)


@pytest.mark.cites("G240")
def test_a_book_without_the_rule_refuses_a_mistake_and_a_club_can_have_it() -> None:
    deal = french_entry(outcome(4, "garde", 40, 2, fault="defence"))
    with pytest.raises(Refused, match="french4 has no rule") as refused:
        preview(begun(rules_of("french4"), 4), deal)
    assert refused.value.field == "fault"
    assert preview(begun(rules_of("french4", {"fine.fault": "voidIfWon"}), 4), deal).void


def test_nothing_of_a_void_deal_is_counted_for_the_season() -> None:
    """It is no played deal: neither the bid nor what was shown."""
    shown = outcome(4, "garde", 45, 2, poignees=SINGLE, petit_au_bout="taker", fault="taker")
    sheet = write(begun(rules_of("fft4"), 4), french_entry(shown))
    passed = write(begun(rules_of("fft4"), 4), FrenchDeal())
    assert tallies(sheet, ledger(sheet)) == tallies(passed, ledger(passed))


# --- five people at a game of four ----------------------------------------------------------------------

MORT = {"table.mort": True}


@pytest.mark.cites("G238", "I-F.8")
@pytest.mark.parametrize("book", ["fft4", "french4"])
def test_the_dealer_of_five_sits_out_scores_nothing_and_deals_until_somebody_takes(book: str) -> None:
    """Nobody takes where all pass, and where a petit is bare: both are written alike."""
    taken = FrenchDeal(taker=4, bid="garde", half_points=2 * 41, bouts=2)
    sheet = write(begun(rules_of(book, MORT), 5, dealer=3), FrenchDeal(), FrenchDeal(), taken)
    found = ledger(sheet)
    assert [(line.dealer, line.order) for line in found.lines] == [(3, (4, 0, 1, 2))] * 3
    assert [line.gains for line in found.lines] == [(0,) * 5, (0,) * 5, (-50, -50, -50, 0, 150)]
    assert (found.state.dealer, found.order) == (4, (0, 1, 2, 3))
    after = ledger(write(sheet, replace(taken, taker=0), replace(taken, taker=3)))
    assert [line.dealer for line in after.lines[3:]] == [4, 0]
    assert after.lines[4].gains == (0, -50, -50, 150, -50)


@pytest.mark.cites("I-F.8")
def test_after_a_deal_that_a_mistake_made_void_the_next_deals() -> None:
    won = FrenchDeal(taker=4, bid="garde", half_points=2 * 41, bouts=2, fault="taker")
    found = ledger(write(begun(rules_of("fft4", MORT), 5, dealer=3), won))
    assert (found.lines[0].gains, found.state.dealer) == ((0,) * 5, 4)


@pytest.mark.cites("G238")
def test_the_role_goes_round_and_everybody_plays_four_of_five_deals() -> None:
    deals = [FrenchDeal(taker=(dealer + 1) % 5, bid="petite", half_points=82, bouts=2) for dealer in range(5)]
    found = ledger(write(begun(rules_of("fft4", MORT), 5), *deals))
    assert [line.dealer for line in found.lines] == [0, 1, 2, 3, 4]
    assert found.totals == (0,) * 5


@pytest.mark.cites("G238")
@pytest.mark.parametrize(
    ("seat", "reason"), [(0, "does not play in this deal"), (5, "0 to 4"), (-1, "0 to 4")]
)
def test_who_sits_out_takes_nothing(seat: int, reason: str) -> None:
    wrong = FrenchDeal(taker=seat, bid="garde", half_points=82, bouts=2)
    with pytest.raises(Refused, match=reason) as refused:
        preview(begun(rules_of("fft4", MORT), 5), wrong)
    assert refused.value.field == "taker"


def test_five_need_the_house_rule_and_four_play_on_as_ever() -> None:
    with pytest.raises(IllegalAction, match="4 players, not 5"):
        begun(rules_of("fft4"), 5)
    found = ledger(write(begun(rules_of("fft4", MORT), 4), FrenchDeal()))
    assert (found.state.dealer, found.order) == (1, (2, 3, 0, 1))
    assert rules_of("fft5", MORT).sheet_sizes == (5,)


@pytest.mark.parametrize("size", [4, 5])
def test_a_table_of_the_program_refuses_it_and_says_why(size: int) -> None:
    with pytest.raises(IllegalAction, match="only be kept on the score sheet"):
        check(Settings("fft4", size, bots(size), house=MORT))


def same_here(cases: list[Any]) -> list[Any]:
    """The cases of Bussac's book that come out so by the federation's too."""
    return [pytest.param(*case.values, id=case.id) for case in cases if case.id not in OTHER_HERE]


@pytest.mark.parametrize(("result", "value"), same_here(VALUES))
def test_what_is_worth_the_same_as_in_bussacs_book(result: Outcome, value: int) -> None:
    assert french.score(rules_of(f"fft{result.players}"), result).value == value


@pytest.mark.parametrize(("result", "nets"), same_here(NETS))
def test_what_each_seat_gains_as_in_bussacs_book(result: Outcome, nets: list[int]) -> None:
    assert net(french.settle(rules_of(f"fft{result.players}"), result).transfers, result.players) == nets


@each_book
@pytest.mark.parametrize(("bouts", "needed"), [(0, 56), (1, 51), (2, 41), (3, 36)])
def test_the_bouts_say_how_many_points_are_needed(book: str, bouts: int, needed: int) -> None:
    players = rules_of(book).players
    for points, value in ((needed, 25), (needed - 1, -26)):
        assert french.score(rules_of(book), outcome(players, "petite", points, bouts)).value == value


@each_book
def test_bids_poignees_the_petit_and_slams_are_worth_the_same_at_every_table(book: str) -> None:
    rules = rules_of(book)
    players, sizes = rules.players, rules.poignee.sizes
    for bid, times in (("petite", 1), ("garde", 2), ("sans", 4), ("contre", 6)):
        won = french.score(rules, outcome(players, bid, 46, 2, petit_au_bout="taker"))
        assert (won.contract, won.petit_au_bout) == (30 * times, 10 * times)
    for size, worth in zip(sizes, (20, 30, 40), strict=True):
        shown = outcome(players, "garde", 46, 2, poignees=(("defence", size),))
        assert french.score(rules, shown).poignee == worth
    smallest = (("taker", sizes[0]), ("defence", sizes[0]))
    assert french.score(rules, outcome(players, "garde", 46, 2, poignees=smallest)).poignee == 40
    for slam, worth in (
        ({"slam_announced": "taker", "slam_made": "taker"}, 400),
        ({"slam_made": "taker"}, 200),
        ({"slam_announced": "taker"}, -200),
    ):
        assert french.score(rules, outcome(players, "garde", 87, 2, **slam)).slam == worth


@each_book
def test_a_deal_played_at_random_comes_out(book: str) -> None:
    table = Table(book)
    deck = Random(5).sample(PACK, 78)
    table.do(french.deal_from(table.rules, table.state, deck, Random(6)), None)
    for _ in table.random(Random(7)):
        assert sum(table.state.net) == 0
    assert table.state.phase == "closed"
