"""A review made in parts: joined, they are the review that is made at once."""

from __future__ import annotations

from random import Random

import msgspec
import pytest

from ultimo import rulebook
from ultimo.players import Match, RandomPlayer
from ultimo.tutor.decisions import deals, decisions
from ultimo.tutor.review import joined, review, review_part
from ultimo.tutor.reviewed import Reviewed

FEW = 2  # worlds a decision


@pytest.mark.parametrize(("book", "table"), [("hermansen", 4), ("french4", 4)])
def test_the_parts_of_a_review_join_to_the_whole(book: str, table: int) -> None:
    rules = rulebook.load(book)
    players = {seat: RandomPlayer(seat) for seat in range(table)}
    match = Match(rules, ["Ada", "Bo", "Cy", "Di"][:table], players, Random(1))
    list(match.play_deals(1))
    (events,) = deals(match.log)
    number = len(list(decisions(rules, events)))
    parts = [review_part(rules, events, first, first + 7, FEW) for first in range(0, number, 7)]
    told = [msgspec.json.decode(msgspec.json.encode(part), type=tuple[Reviewed, ...]) for part in parts]
    whole = review(rules, events, samples=FEW)
    assert joined(rules, events, [one for part in told for one in part]) == whole
    assert len(whole.decisions) == number
