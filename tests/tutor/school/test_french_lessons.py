"""The bids of the French lessons are those of a club player, and of the count that they teach."""

from __future__ import annotations

import pytest
from msgspec.structs import replace

from ultimo import french
from ultimo.cards import mask
from ultimo.events import Bid, Opened
from ultimo.kernel.policy import CLUB
from ultimo.players.policy.french import choose
from ultimo.rulebook import FrenchRules, load
from ultimo.tutor.school import course as school
from ultimo.tutor.school import parts as p
from ultimo.tutor.school.sums import worked_out

FROM = {"Pass": 0, "Garde": 28, "Garde sans": 44, "Garde contre": 46}  # what a hand must count for a bid
BIDS = {"Pass": "", "Garde": "garde", "Garde sans": "sans", "Garde contre": "contre"}
HANDS = [
    pytest.param(part.shown[0].cards, next(one.en for one in part.options if one.right), id=f"{number}")
    for number, part in enumerate(school.lesson("bidding").parts)
    if isinstance(part, p.Chosen) and part.shown
]


def test_the_lesson_asks_for_bids() -> None:
    assert len(HANDS) == 3


@pytest.mark.parametrize(("hand", "bid"), HANDS)
def test_a_bid_of_the_lesson_is_what_its_count_says(hand: str, bid: str) -> None:
    count = worked_out(f"handCount {hand}")
    assert max((name for name, least in FROM.items() if count >= least), key=FROM.__getitem__) == bid


@pytest.mark.parametrize(("hand", "bid"), HANDS)
def test_a_bid_of_the_lesson_is_that_of_a_club_player(hand: str, bid: str) -> None:
    rules = load("french4")
    assert isinstance(rules, FrenchRules)
    hands = (mask(hand), 0, 0, 0)
    start = french.initial(rules, Opened(4, 3, (0, 1, 2, 3)))
    state = replace(start, phase="bid", turn=0, hands=hands, dealt=hands, unseen=(0, 18, 18, 18))
    action, _, _ = choose(rules, state, 0, CLUB)
    assert (action.bid if isinstance(action, Bid) else "") == BIDS[bid]
