"""Are the legal moves exactly right? Endings with the number of ways to play them, rulebook by rulebook.

A file `*.count` gives the hands by seat (seat 0 deals) and who leads, then for some rulebooks with house
rules how many sequences of one, two, three … actions there are (`counts`), and how many sequences end the
deal (`lines`). An action is a card (with its name if it is a led skus), a word about a led skus, or an answer
to the question whether one demands it. The three answers are given in the order of the seats; a late demand
may come from anybody at any time. Questions to the dealer about his skat are left out: they change nothing.
"""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path
from typing import NamedTuple

import pytest

import french_table
from counts.by_the_book import Skus, danish_count, french_count
from table import ORDER, ending
from ultimo import deal
from ultimo.events import Action, Answer, ClaimVoid, Decline, DemandSkus, NameSkus, Play, Seat
from ultimo.rulebook import DanishRules, FrenchRules, Rules, load, parse_override

COUNTED = (Play, ClaimVoid, Answer, NameSkus, DemandSkus, Decline)


class Ending(NamedTuple):
    """One entry of a file."""

    id: str
    rules: str
    hands: dict[Seat, str]
    leader: Seat
    counts: list[int]
    lines: int


def read(path: Path) -> Iterator[Ending]:
    """The entries of a file: first the position, then a paragraph for each set of rules."""
    text = "\n".join(line.partition("#")[0].strip() for line in path.read_text(encoding="utf-8").splitlines())
    paragraphs = [
        dict(line.split(maxsplit=1) for line in paragraph.splitlines() if line)
        for paragraph in text.split("\n\n")
    ]
    position, *entries = [paragraph for paragraph in paragraphs if paragraph]
    hands = {
        int(seat): hand.strip() for seat, hand in (one.split(":") for one in position["hands"].split("|"))
    }
    for entry in entries:
        counts = [int(number) for number in entry["counts"].split()]
        name = f"{path.stem}: {entry['rules']}"
        yield Ending(name, entry["rules"], hands, int(position["leader"]), counts, int(entry["lines"]))


ENDINGS = [one for path in sorted(Path(__file__).parent.glob("*.count")) for one in read(path)]
each_ending = pytest.mark.parametrize("one", ENDINGS, ids=[one.id for one in ENDINGS])


def rules_of(one: Ending) -> Rules:
    """The rulebook of an entry with its house rules."""
    book, *house = one.rules.split()
    return load(book, dict(map(parse_override, house)))


def position(one: Ending, rules: Rules) -> deal.State:
    """The ending as the engine knows it."""
    if isinstance(rules, DanishRules):
        state: deal.State = ending(rules, one.hands, one.leader).state
        return state
    table = french_table.Table(rules.id)
    size, players = rules.deal.hand, rules.players
    left = len(one.hands[0].split())
    fixed = {
        (size - left + place, seat): card
        for seat, hand in one.hands.items()
        for place, card in enumerate(hand.split(), 1)
    }
    return french_table.forged(table, [one.leader] * size, fixed=fixed, short=left * players).state


def moves(rules: Rules, state: deal.State) -> Iterator[tuple[Seat, Action]]:
    """What may be done next. Of those who are asked at the same time the first one answers."""
    waiting = deal.waiting_for(rules, state)
    for seat in range(state.table):
        if seat == waiting[0] or seat not in waiting:
            for action in deal.legal(rules, state, seat):
                if isinstance(action, COUNTED):
                    yield seat, action


def walk(rules: Rules, state: deal.State) -> tuple[list[int], int]:
    """The counts by depth and the number of lines from here."""
    if deal.is_over(state):
        return [], 1
    depths: list[int] = []
    lines = 0
    for seat, action in moves(rules, state):
        deeper, ends = walk(rules, deal.step(rules, state, seat, action)[0])
        lines += ends
        depths = added(depths, [1, *deeper])
    return depths, lines


def added(one: list[int], other: list[int]) -> list[int]:
    """The sums of two lists, of which either may be the longer."""
    longer, shorter = (one, other) if len(one) >= len(other) else (other, one)
    return [number + more for number, more in zip(longer, shorter + [0] * len(longer), strict=False)]


def divided(rules: Rules, state: deal.State) -> str:
    """The lines after each first action: where to look for a difference."""
    rows = []
    for seat, action in moves(rules, state):
        lines = walk(rules, deal.step(rules, state, seat, action)[0])[1]
        rows.append(f"{seat} {action}: {lines}")
    return "\n".join(rows)


@each_ending
def test_an_ending_can_be_played_in_as_many_ways_as_the_file_says(one: Ending) -> None:
    rules = rules_of(one)
    state = position(one, rules)
    assert walk(rules, state) == (one.counts, one.lines), f"{one.id}\n{divided(rules, state)}"


@each_ending
def test_a_count_without_the_engine_gives_the_same_number(one: Ending) -> None:
    rules = rules_of(one)
    hands = [one.hands[seat].split() for seat in sorted(one.hands)]
    if isinstance(rules, FrenchRules):
        assert french_count(hands, one.leader) == (one.counts, one.lines)
        return
    skus = Skus(
        demandable=rules.skus.demandable,
        voluntary=rules.skus.third_last_voluntary,
        next_decides=rules.skus.rename == "nextDecides",
        swap=rules.skus.swap_on_rename,
        passes=rules.skus.last_trick_lead == "leadPasses",
        claim=rules.strict.skus_claim,
    )
    assert danish_count(skus, hands, one.leader, ORDER) == (one.counts, one.lines)
