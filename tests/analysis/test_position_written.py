"""Positions written as a line of text: whatever is read from it plays on and settles as the position did."""

from __future__ import annotations

from collections.abc import Iterator
from itertools import islice
from random import Random
from typing import Any

import pytest
from msgspec.structs import replace

from analysis.endings import danish_endings, french_endings
from properties.driving import open_deal
from table import danish_rules
from ultimo import danish, deal, french, rulebook
from ultimo.analysis.position import NoPosition, PositionError, read, seats, write
from ultimo.analysis.solver import solve
from ultimo.danish.following import LAST
from ultimo.danish.state import pile_points
from ultimo.events import Action, AskTarokLaid, Pass, Play, ShowPoignee
from ultimo.players.policy.levels import Club
from ultimo.rulebook import Rules
from ultimo.tutor.decisions import seen

DANISH = ("basta", "dtf", "hermansen", "jensen", "vlk")
FRENCH = ("french3", "french4", "french5")


# --- what two positions have in common -------------------------------------------------------------------


def of_letters(state: Any, some: Any) -> dict[str, Any]:
    """What belongs to the seats, by their letters."""
    return {letter: some[seat] for letter, seat in seats(state).items()}


def who(state: Any, some: Any) -> list[str]:
    names = {seat: letter for letter, seat in seats(state).items()}
    return [names[seat] for seat in some]


def told(rules: Rules, state: Any) -> dict[str, Any]:
    """Everything of a position that matters from here on, by letters."""
    common = {
        "rules": rulebook.digest(rules),
        "hands": of_letters(state, state.hands),
        "trick": [(*who(state, [play.seat]), play.card, play.named) for play in state.trick],
        "led": state.led,
        "phase": state.phase,
        "waits": who(state, deal.waiting_for(rules, state)),
        "legal": {
            letter: sorted(map(repr, may(rules, state, seat))) for letter, seat in seats(state).items()
        },
    }
    if isinstance(state, danish.State):
        return common | {
            "number": state.number,
            "cups": state.cups,
            "won": of_letters(state, state.won),
            "points": of_letters(state, pile_points(state)),
            "skat": state.skat,
            "demanded": state.demanded and state.number == LAST - 2,
            "announced": [(*who(state, [one.seat]), one.kind, one.before) for one in state.announced],
            "table": state.table,
        }
    return common | {
        "number": len(state.tricks),
        "taken": sum(state.side(trick.winner) == "taker" for trick in state.tricks),
        "sides": of_letters(state, [state.side(seat) for seat in range(state.table)]),
        "contract": state.contract,
        "slam": state.slam is not None and who(state, [state.slam]),
        "poignees": [(*who(state, [one.seat]), len(one.cards)) for one in state.poignees],
        "aside": (state.chien, state.ecart),
    }


def may(rules: Rules, state: Any, seat: int) -> list[Action]:
    """What a seat may do that has a consequence; of poignées only how many."""
    every = islice(deal.legal(rules, state, seat), 400)
    return [one for one in every if not isinstance(one, AskTarokLaid | ShowPoignee)]


def check(rules: Rules, state: Any) -> Any:
    """The position that its line gives, which is the same."""
    line = write(rules, state)
    again, read_state = read(line)
    assert told(again, read_state) == told(rules, state), line
    assert write(again, read_state) == line
    return read_state


def gained(rules: Rules, state: Any, moves: list[tuple[str, Action]]) -> dict[str, int]:
    """What the seats gain by these moves to the end of a deal."""
    before = of_letters(state, state.net)
    for letter, action in moves:
        state, _ = deal.step(rules, state, seats(state)[letter], action)
    return {letter: value - before[letter] for letter, value in of_letters(state, state.net).items()}


# --- whole deals -----------------------------------------------------------------------------------------


def played(
    rules: Rules, size: int, seed: object, club: bool
) -> Iterator[tuple[Any, list[tuple[str, Action]]]]:
    """Every position in play of a deal, and all moves from it to its end."""
    rng = Random(f"{rules.id} {size} {seed}")
    state: Any = None
    line: list[tuple[Any, str, Action]] = []
    while state is None or not line:
        opened = open_deal(rules, size, rng)
        state = deal.initial(rules, opened)
        for event in deal.begin(rules, opened)[1:]:
            state = deal.evolve(rules, state, event)
        while not deal.is_over(state):
            if deal.needs_cards(state):
                state, _ = deal.step(rules, state, None, deal.deal_out(rules, state, deal.shuffled(rng), rng))
                continue
            seat = deal.waiting_for(rules, state)[0]
            choices = deal.legal(rules, state, seat)
            action: Action = AskTarokLaid()
            while isinstance(action, AskTarokLaid):
                action = (
                    Club().choose(seen(rules, seat, state), choices)
                    if club or (state.phase == "bid" and rng.random() < 0.5)
                    else choices.draw(rng)
                )
            if state.phase == "bid" and not club and rng.random() < 0.5:
                action = Pass()
            if in_play(state):
                line.append((state, who(state, [seat])[0], action))
            state, _ = deal.step(rules, state, seat, action)
    for place, (position, *_) in enumerate(line):
        yield position, [(letter, action) for _, letter, action in line[place:]]


def in_play(state: Any) -> bool:
    return state.phase in (
        ("announce", "demand", "play", "name") if isinstance(state, danish.State) else ("play",)
    )


def sizes() -> list[Any]:
    return [(book, size) for book in DANISH + FRENCH for size in rulebook.load(book).sizes]


@pytest.mark.parametrize("club", [False, True], ids=["random", "club"])
@pytest.mark.parametrize(("book", "size"), sizes())
def test_every_position_of_a_deal_is_the_same_when_it_is_read_again(book: str, size: int, club: bool) -> None:
    rules = rulebook.load(book)
    for seed in range(2):
        for position, moves in played(rules, size, seed, club):
            again = check(rules, position)
            assert gained(rules, again, moves) == gained(rules, position, moves), write(rules, position)


# --- endings ---------------------------------------------------------------------------------------------


@pytest.mark.parametrize("book", DANISH)
def test_a_danish_ending_is_worth_the_same(book: str) -> None:
    for rules, state in islice(danish_endings(book, "written", 3), 40):
        again = check(rules, state)
        assert values(rules, again) == values(rules, state), write(rules, state)


@pytest.mark.parametrize("book", FRENCH)
def test_a_french_ending_is_worth_the_same(book: str) -> None:
    for rules, state in islice(french_endings(book, "written", 3), 40):
        again = check(rules, state)
        assert values(rules, again) == values(rules, state), write(rules, state)


def values(rules: Rules, state: Any) -> list[Any]:
    found = solve(rules, state).actions
    return sorted(
        (
            *who(state, [one.seat]),
            repr(one.action),
            one.value,
            one.points and repr(of_letters(state, one.points)),
        )
        for one in found
    )


# --- what the line can say -------------------------------------------------------------------------------


def test_house_rules_stand_in_the_line() -> None:
    rules = danish_rules("dtf", {"skus.demandable": False, "cups.found.king": 7})
    _, state = read(
        "dtf: F T1 S2 S1 / M T21 T0 HK / B H7 H8 H9; house skus.demandable=false; house cups.found.king = 7"
    )
    line = write(rules, state)
    assert "house skus.demandable=false" in line
    assert read(line)[0] == rules
    assert read(line, house={"skus.demandable": True})[0] == danish_rules("dtf", {"cups.found.king": 7})


def test_who_has_still_to_be_asked_stands_in_the_line() -> None:
    line = "jensen: F T1 S2 S1 / M T21 T0 HK / B H7 H8 H9; F demands; demand; asked M B"
    state: Any = read(line)[1]
    assert (who(state, state.asked), who(state, state.demands), state.demanded) == (["M", "B"], ["F"], False)
    assert "; F demands; demand; asked M B; " in write(*read(line))


def test_the_petit_may_have_fallen_in_the_trick_just_won() -> None:
    line = "french4: T0 / S3 / H4 / T5; A leads; A takes garde; tricks 17"
    before: Any = read(line)[1]
    after: Any = read(f"{line}; petit last")[1]
    assert "T1" not in [play.card.value for play in before.tricks[-1].plays]
    assert "T1" in [play.card.value for play in after.tricks[-1].plays]
    assert "petit last" in write(*read(f"{line}; petit last"))


@pytest.mark.parametrize(
    ("text", "reason"),
    [
        ("dtf: F T1 / M T2 / B T3; house nothing", "write a house rule as key=value"),
        ("dtf: F T1 / M T2 / B T3; house =1", "write a house rule as key=value"),
        ("dtf: F T1 / M T2 / B T3; asked X", "“X” is not a seat"),
        ("french5: SK / T3 / HQ / T5 / D1; A takes garde; called X1", "“X1” is not a card"),
    ],
)
def test_what_cannot_be_read_says_why(text: str, reason: str) -> None:
    with pytest.raises(PositionError) as error:
        read(text)
    assert error.value.reason.startswith(reason)


def test_what_is_not_in_play_has_no_line() -> None:
    rules = rulebook.load("french4")
    state = deal.initial(rules, open_deal(rules, 4, Random(1)))
    with pytest.raises(NoPosition, match="dealing"):
        write(rules, state)
    with pytest.raises(NoPosition, match="another game"):
        write(rulebook.load("dtf"), state)


def test_a_view_with_hidden_cards_has_no_line() -> None:
    rules, state = read("dtf: F T1 / M T2 / B T3")
    assert isinstance(state, danish.State)
    with pytest.raises(NoPosition, match="not all cards are known"):
        write(rules, replace(state, unseen=(1, 0, 0)))


def test_a_card_on_the_table_stands_with_what_it_is_named() -> None:
    rules, state = read("jensen: F D3 D4 / M S1 S4 S3 / B H2 H4 H5; trick F T0=C; renamed H")
    assert "; trick F T0=C; renamed H; " in write(rules, state)
    assert isinstance(next(iter(deal.legal(rules, state, 2))), Play)
    assert not isinstance(state, french.State)
