"""What a French club player does with a hand, and that it is better than a newcomer."""

from __future__ import annotations

import os

import numpy as np
import pytest

from french_arrays import trace
from french_table import Table, rules_of
from ultimo.cards import KINGS, mask, parse_card, parse_cards
from ultimo.events import Announce, Bid, Call, Decline, Lay, Pass, Play, ShowPoignee
from ultimo.kernel.dice import SHUFFLE, generator
from ultimo.kernel.french import layout as at
from ultimo.kernel.french.deal import array_of, blank, deal
from ultimo.kernel.french.policy.odds import ROLES
from ultimo.kernel.french.policy.reasons import PRINCIPLES
from ultimo.kernel.french.run import COLUMNS, NET, by_seat, play_out, sessions
from ultimo.kernel.policy import BEGINNER, CLUB, RANDOM
from ultimo.play.following import FIRST_TRUMP
from ultimo.players.policy import french as french_policies

BOOKS = ("french3", "french4", "french5")
NUMBER = 20_000 if os.environ.get("ULTIMO_LONG") else 400
STRONG = "T21 T20 T19 T17 T15 T12 T9 T4 T1 T0 SK SQ HK H3 C5 C2 D8 D4"
WEAK = "T14 T6 S10 S8 S3 S2 HJ H9 H7 H2 CN C8 C4 C1 D10 D7 D5 D2"


def asked(table: Table, policy: int = CLUB) -> tuple[object, str, str]:
    """What the seat in turn does; the test looks at its own cards only, so that the state serves as view."""
    action, role, why = french_policies.choose(table.rules, table.state, table.turn, policy)
    return action, ROLES[role], PRINCIPLES[why]


@pytest.mark.parametrize("book", BOOKS)
@pytest.mark.parametrize(("better", "worse"), [(BEGINNER, RANDOM), (CLUB, BEGINNER)])
def test_one_better_player_among_worse_ones_gains(book: str, better: int, worse: int) -> None:
    """The same deals with the better player at every seat in turn; the interval is one of 95 %."""
    rules = rules_of(book)
    gains = np.zeros(NUMBER)
    for seat in range(rules.players):
        policies = [better if place == seat else worse for place in range(rules.players)]
        gains += sessions(rules, seed=41, first=0, number=NUMBER, policies=policies)[:, NET + seat]
    gains /= rules.players
    assert gains.mean() > 1.96 * gains.std() / NUMBER**0.5


@pytest.mark.parametrize("book", BOOKS)
def test_the_excuse_is_played_before_the_last_trick(book: str) -> None:
    """Rule: 002 §9; principle F7.4."""
    rules = rules_of(book)
    n, s = array_of(rules), blank()
    for number in range(200):
        dice = generator(42, number)
        deal(n, s, 0, np.zeros(SHUFFLE, np.int64), dice)
        play_out(n, s, by_seat((CLUB, BEGINNER)), dice)
        if s[at.EXCUSE_TRICK] == rules.deal.hand - 1:
            assert s[at.SLAM_SIDE] != 0


@pytest.mark.parametrize("policy", [CLUB, BEGINNER])
def test_a_strong_hand_bids_and_a_weak_one_passes(policy: int) -> None:
    """Principle F7.5."""
    table = Table(hands={0: STRONG, 1: WEAK})
    action, role, why = asked(table, policy)
    assert isinstance(action, Bid)
    if policy == CLUB:
        assert (role, why) == ("bidder", "F7.5")
    table.do(Pass())
    assert asked(table, policy)[0] == Pass()


def test_bids_rise_with_the_hand() -> None:
    rows = sessions(rules_of(), seed=3, first=0, number=4000, policies=(CLUB,))
    told = dict(zip(COLUMNS, rows[rows[:, COLUMNS.index("taker")] >= 0].T, strict=True))
    bouts = [told["hand_bouts"][told["bid"] == step].mean() for step in range(3)]
    assert bouts == sorted(bouts)


def test_the_ecart_makes_voids_and_lays_no_king() -> None:
    """Principle F7.1."""
    table = Table(hands={0: STRONG}, chien="C9 CQ D10 H8 HJ DN")
    table.bid("garde pass pass pass")
    action, role, why = asked(table)
    assert isinstance(action, Lay)
    laid = mask(action.cards)
    kept = (mask(STRONG) | mask("C9 CQ D10 H8 HJ DN")) & ~laid
    assert (role, why) == ("taker", "F7.1")
    assert not laid & KINGS
    voids = [suit for suit in range(4) if not kept >> (14 * suit) & 0x3FFF]
    assert voids
    assert action in table.legal


def test_who_calls_names_a_king_he_has_not() -> None:
    """Rule: 002 §16."""
    table = Table("french5", hands={0: "T21 T20 T15 T12 T9 T4 T1 T0 SK SQ HK H3 C5 CQ D4"})
    table.bid("garde pass pass pass pass")
    action, _, why = asked(table)
    assert isinstance(action, Call)
    assert action.card.bit & KINGS & ~mask("SK HK")
    assert why == "FR.call"


def test_a_taker_shows_his_poignee_and_a_defender_hides_his() -> None:
    """Principle F7.2."""
    many = "T21 T20 T19 T17 T15 T12 T9 T4 T2 T0"
    taker = Table(hands={0: f"{many} SK SQ HK H3 C5 C2 D8 D4"})
    taker.bid("sans pass pass pass")
    taker.do(Decline())
    action, _, why = asked(taker)
    assert isinstance(action, ShowPoignee)
    assert mask(action.cards) == mask(many)
    assert why == "F7.2"
    defender = taken({0: f"{many} SK SQ HK H3 C5 C2 D8 D9", 1: "T1 T3"}, taker=1)
    assert isinstance(asked(defender)[0], Play)


def test_a_slam_is_announced_only_if_no_trick_can_be_lost() -> None:
    sure = "T21 T20 T19 T18 T17 T16 T15 T14 T13 T12 T11 T10 T9 T8 T0 SK SQ HK"
    table = Table(hands={0: sure, 1: "T1 T2"})
    table.bid("contre pass pass pass")
    assert asked(table)[0] == Announce("slam")
    doubtful = Table(hands={0: sure.replace("SQ", "S2"), 1: "T1 T2"})
    doubtful.bid("contre pass pass pass")
    assert asked(doubtful)[0] == Decline()


def taken(hands: dict[int, str], taker: int) -> Table:
    """A table where a seat has taken and laid six diamonds; seat 0 leads."""
    hands = {**hands, taker: f"{hands[taker]} D1 D2 D3 D4 D5 D6"}
    table = Table(hands=hands)
    table.bid(" ".join("petite" if seat == taker else "pass" for seat in range(4)))
    table.do(Lay(tuple(parse_cards("D1 D2 D3 D4 D5 D6"))))
    table.do(Decline())
    return table


def test_a_trump_that_cannot_win_is_the_lowest_and_not_the_petit() -> None:
    """Principle F7.6."""
    table = taken({0: "T21 S1", 1: "T1 T3 T7 T9", 2: "T20 C1", 3: "T2 H1"}, taker=0)
    table.play("T21")
    assert asked(table) == (Play(parse_card("T3")), "defender", "F7.6")


@pytest.mark.parametrize("taker", [1, 2])
def test_a_friend_behind_the_taker_does_not_save_a_petit_that_is_led(taker: int) -> None:
    """What the taker takes the petit with is what the friend would have to beat (F7.6)."""
    hands = {0: "T1 T5 S2 H3", 1: "T9 S9", 2: "T10 H9", 3: "T12 C9"}
    hands[taker] += " T21 T18 T16 T14 T11"
    assert asked(taken(hands, taker))[0] != Play(parse_card("T1"))


@pytest.mark.parametrize("book", ["french3", "french4"])
def test_a_defender_hardly_ever_leads_the_petit(book: str) -> None:
    """Seeded deals of club players: leads of a defender who has the petit, the taker not being the last."""
    rules = rules_of(book)
    n, s, dice = array_of(rules), blank(), np.zeros(1, np.uint64)
    pack = np.zeros(SHUFFLE, np.int64)
    could = led = 0
    for number in range(300):
        dice[:] = generator(43, number)
        deal(n, s, number % rules.players, pack, dice)
        for row in trace(n, s, by_seat((CLUB,)), dice):
            seat, taker = row[at.TURN], row[at.TAKER]
            if row[at.PHASE] != at.PLAYING or row[at.PLACE] or seat == taker:
                continue
            behind = (taker - seat) % rules.players < rules.players - 1
            if behind and row[at.TRUMPS + seat] & 1 and row[at.SUITS + seat]:
                could += 1
                led += row[-1] == FIRST_TRUMP
    assert could > 40
    assert led < could // 20


def test_points_go_to_a_friend_and_not_to_the_taker() -> None:
    hands = {0: "SK H1 T1 T2", 1: "S5 S8", 2: "S3 S4", 3: "SN S2 SJ"}
    friend, enemy = taken(hands, taker=1), taken(hands, taker=0)
    for table in (friend, enemy):
        table.play("SK S5 S3")
    assert asked(friend) == (Play(parse_card("SN")), "defender", "FR.feed")
    assert asked(enemy) == (Play(parse_card("S2")), "defender", "FR.low")


def test_a_hidden_partner_feeds_the_taker() -> None:
    """Principle F7.3."""
    table = Table(
        "french5",
        hands={
            0: "DK D10 T20",
            1: "D5 H1",
            2: "D6 H2",
            3: "D7 H3",
            4: "DN D2 CK S10 SJ SN SQ H10 HJ HN HQ C10 CJ T1 T2",
        },
        chien="S1 S2 S3",
    )
    table.bid("petite pass pass pass pass").call("CK")
    table.do(Lay(tuple(parse_cards("S1 S2 S3"))))
    table.do(Decline())
    table.play("DK D5 D6 D7")
    assert asked(table) == (Play(parse_card("DN")), "partner", "F7.3")
