"""The French search: what it takes for granted is true, and how it is run does not change what it answers.

That its values are those of trying everything is shown in `analysis/test_solver_against_brute_force.py`.
"""

from __future__ import annotations

import os
import subprocess
import sys
from itertools import count, islice, product
from random import Random

import pytest
from msgspec.structs import replace

from analysis.endings import french_endings
from analysis.reference import TooManyPositions, Tree, scored
from french_table import Table, forged, rules_of
from ultimo import french, rulebook
from ultimo.analysis.position import read
from ultimo.analysis.solver import Solution
from ultimo.analysis.solver import french as french_solver
from ultimo.analysis.solver.french import EVEN, LEAN, STEPS, next_target, solve
from ultimo.analysis.solver.limits import Bounds
from ultimo.cards import Cards, cards, mask, parse_card
from ultimo.events import Decline, Play, ShowPoignee
from ultimo.french.reckoning import NO_SEAT
from ultimo.kernel import NotCompilable
from ultimo.kernel.french.search import layout as at
from ultimo.kernel.french.search.bounds import command_wins, in_command, sure_bounds
from ultimo.kernel.french.search.goal import end_of, set_goal
from ultimo.kernel.french.search.setup import lay, new_boards
from ultimo.kernel.french.search.side import PIPS
from ultimo.kernel.french.search.transposition import (
    TRUMPS_DEPTH,
    check_of,
    depths_of,
    mattered_within,
    position_of,
)
from ultimo.kernel.jit import COMPILED, Ints
from ultimo.kernel.searching import one_of_each
from ultimo.play.following import words
from ultimo.rulebook import FrenchRules

BOOKS = ("french3", "french4", "french5")
SIDES: dict[int, french.Side | None] = {0: None, 1: "taker", -1: "defence"}
LONG = "ULTIMO_LONG" in os.environ
MIDDLING = (
    {"french3": 7, "french4": 6, "french5": 5} if COMPILED else {"french3": 4, "french4": 3, "french5": 3}
)


def endings(
    book: str, left: int, number: int, seed: str = "search"
) -> list[tuple[FrenchRules, french.State]]:
    """Endings with so many tricks left."""
    found = french_endings(book, seed, most=left)
    return list(islice((one for one in found if len(one[1].tricks) == one[0].deal.hand - left), number))


def values(solution: Solution) -> list[int]:
    """What the cards are worth."""
    return [action.value for action in solution.actions]


def telling(solution: Solution) -> tuple[object, ...]:
    """All of a solution but the time it took."""
    return solution.value, solution.actions, solution.line, solution.exact, solution.nodes


# --- what the search takes for granted -----------------------------------------------------------------


@pytest.mark.cites("I-C.21", "I-C.22", "I-C.26")
@pytest.mark.parametrize("book", BOOKS)
def test_a_mark_is_the_fewest_half_points_that_give_the_score(book: str) -> None:
    rng = Random(book)
    for rules, state in endings(book, 2, 6):
        assert state.taker is not None
        assert state.contract is not None
        (board,), target = new_boards(rules, state), rng.randint(-500, 500)
        set_goal(board, target)
        for bouts, petit, slam in product(range(4), SIDES, SIDES):
            outcome = french.Outcome(
                players=rules.players,
                taker=state.taker,
                partner=state.partner,
                bid=state.contract.id,
                half_points=0,
                bouts=bouts,
                petit_au_bout=SIDES[petit],
                poignees=tuple((state.side(shown.seat), len(shown.cards)) for shown in state.poignees),
                slam_announced=None if state.slam is None else state.side(state.slam),
                slam_made=SIDES[slam],
            )
            mark = int(board[at.MARKS + end_of(bouts, petit, slam)])
            assert french.score(rules, replace(outcome, half_points=mark)).value >= target
            assert french.score(rules, replace(outcome, half_points=mark - 1)).value < target


def one_by_one(own: Cards, present: Cards) -> Cards:
    """The lowest of every group of pips, found card by card."""
    kept = 0
    for suit in range(4):
        below = False  # the last card present is one of one's own
        for rank in range(14):
            bit = 1 << 14 * suit + rank
            if rank >= 10:
                kept |= own & bit
            elif own & bit:
                kept |= 0 if below else bit
                below = True
            elif present & bit:
                below = False
    return kept


def test_cards_that_nothing_parts_are_tried_once() -> None:
    rng = Random(3)
    for _ in range(2000):
        present = rng.getrandbits(56) | (rng.getrandbits(56) if rng.random() < 0.3 else 0)
        own = present & rng.getrandbits(56) | present & (rng.getrandbits(56) & PIPS)
        assert one_of_each(own, present, PIPS) == one_by_one(own, present)


def assert_sure(rules: FrenchRules, state: french.State, value: int) -> None:
    """What is sure before a lead is not more than the value allows."""
    (board,) = new_boards(rules, state)
    position = lay(board, rules, state)
    left, has = position.tricks_left, position.half_points
    for target, reached in ((value, True), (value + 1, False)):
        set_goal(board, target)
        low, high = sure_bounds(board, left, position.seat, position.alive, position.bouts, -has)
        if reached:
            assert has + high >= 0, state
        else:
            assert has + low < 0, state


@pytest.mark.parametrize("book", BOOKS)
def test_what_is_sure_is_so(book: str) -> None:
    tried = 0
    for rules, state in endings(book, 2, 400 if LONG else 40) + endings(book, 3, 100 if LONG else 12):
        if state.trick:
            continue
        try:
            value, _ = scored(Tree(rules, state, 4000))
        except TooManyPositions:
            continue
        tried += 1
        assert_sure(rules, state, value)
    assert tried >= 8


def dealt(book: str, size: int, rng: Random) -> tuple[FrenchRules, french.State]:
    """A position with so many cards in each hand: many trumps in one, whoever leads, and few suits."""
    rules = rulebook.load(book)
    assert isinstance(rules, FrenchRules)
    trumps = [f"T{number}" for number in rng.sample(range(22), rng.randint(size - 1, size + 1))]
    plain = [suit + rank for suit in rng.sample("SHCD", 3) for rank in ("2", "6", "9", "J", "N", "Q", "K")]
    long = rng.randrange(rules.players)
    hands: list[list[str]] = [[] for _ in range(rules.players)]
    for trump in trumps:
        seat = long if rng.random() < 0.75 else rng.randrange(rules.players)
        hands[seat if len(hands[seat]) < size else (seat + 1) % rules.players].append(trump)
    rng.shuffle(plain)
    for hand in hands:
        while len(hand) < size:
            hand.append(plain.pop())
    told = " / ".join(" ".join(hand) for hand in hands)
    taker, leader = rng.choices("ABCDE"[: rules.players], k=2)
    played, state = read(f"{book}: {told}; {taker} takes garde; {leader} leads")
    assert isinstance(played, FrenchRules)
    assert isinstance(state, french.State)
    return played, state


@pytest.mark.parametrize(
    ("book", "size"), [("french3", 3), ("french4", 3), *([("french3", 4)] if LONG else [])]
)
def test_what_a_hand_in_command_wins_is_so(book: str, size: int) -> None:
    found = (dealt(book, size, Random(f"{book} {size} {number}")) for number in count())
    tried = 0
    for rules, state in found:
        assert state.turn is not None
        (board,) = new_boards(rules, state)
        lay(board, rules, state)
        if in_command(board, size, state.turn) == NO_SEAT:
            continue
        try:
            value, _ = scored(Tree(rules, state, 1500))
        except TooManyPositions:
            continue
        assert_sure(rules, state, value)
        tried += 1
        if tried == (300 if LONG else 12):
            break


@pytest.mark.parametrize(
    ("hands", "leader", "hand", "half_points"),
    [
        # All trumps, and a master: 3 tricks with at least 3 cards of each other hand, and a knight
        ("HN S1 T5 T7 / S2 S3 S4 S5 / C1 C2 C3 C4 / D1 D2 D3 D4", 1, 0, 5 + 2 + 3 * 3),
        # One trump against two: it beats a trump or ruffs the master, which counts more
        ("HN S1 T5 T7 / S2 S3 S4 T9 / C1 C2 C3 C4 / D1 D2 D3 D4", 0, 0, 2 + 2 * 3),
        # Who does not lead may be forced to ruff first, and then be left without a trump
        ("HN S1 T5 T7 / S2 S3 S4 T9 / C1 C2 C3 C4 / D1 D2 D3 D4", 1, NO_SEAT, 0),
        # The excuse of another may stand in for its trump
        ("HN S1 T5 T7 / S2 S3 T0 T9 / C1 C2 C3 C4 / D1 D2 D3 D4", 0, NO_SEAT, 0),
        # One's own excuse gives up the lead
        ("HN T0 T5 T7 / S2 S3 S4 T9 / C1 C2 C3 C4 / D1 D2 D3 D4", 0, NO_SEAT, 0),
    ],
)
def test_a_hand_is_in_command(hands: str, leader: int, hand: int, half_points: int) -> None:
    board = laid(tuple(hands.split(" / ")))
    assert in_command(board, 4, leader) == hand
    if hand != NO_SEAT:
        assert command_wins(board, hand)[0] == half_points


HANDS = ("SK S9 H3 T0 T5", "S8 S4 HQ T9 T1", "D2 D7 D8 S6 T21", "C1 C5 CJ S2 T3")


def laid(hands: tuple[str, ...]) -> Ints:
    """A board with these hands on it."""
    rules = rules_of("french4")
    table = forged(Table("french4"), [0] * 15, short=0)
    state = replace(table.state, hands=tuple(map(mask, hands)), turn=0, phase="play")
    (board,) = new_boards(rules, state)
    lay(board, rules, state)
    return board


def known_by(hands: tuple[str, ...], depths: int, leader: int = 0) -> int:
    """What hands are known by, if so much of them mattered."""
    return int(check_of(*position_of(laid(hands), leader, 7), depths))


def test_a_position_is_known_by_what_mattered() -> None:
    nothing, spades, trumps = 0, 3, 2 << TRUMPS_DEPTH
    same = ("SK S10 H1 T0 T18", "S7 S4 HQ T19 T1", "D3 D4 D10 S5 T21", "C7 C9 CJ S1 T2")
    high = ("SK S6 H3 T0 T5", "S8 S4 HQ T9 T1", "D2 D7 D8 S9 T21", "C1 C5 CJ S2 T3")
    low = ("SK S9 H3 T0 T5", "S8 S2 HQ T9 T1", "D2 D7 D8 S6 T21", "C1 C5 CJ S4 T3")
    for other in (same, high, low):
        assert known_by(other, nothing) == known_by(HANDS, nothing)
        assert known_by(other, trumps) == known_by(HANDS, trumps)
        assert (known_by(other, spades) == known_by(HANDS, spades)) is (other is not high)
    for other in (
        ("SK S9 H3 T0 T5", "S8 S4 HK T9 T1", "D2 D7 D8 S6 T21", "C1 C5 CJ S2 T3"),  # another court
        ("SK S9 H3 T0 T5", "S8 S4 HQ T9 T2", "D2 D7 D8 S6 T21", "C1 C5 CJ S2 T3"),  # no petit
        ("SK S9 H3 T0 T9", "S8 S4 HQ T5 T1", "D2 D7 D8 S6 T21", "C1 C5 CJ S2 T3"),  # trumps exchanged
        ("SK S9 H3 T0 T5", "S8 S4 HQ T9 T1", "D2 D7 D8 S6 T20", "C1 C5 CJ S2 T3"),  # no T21
        ("SK S9 S3 T0 T5", "S8 S4 HQ T9 T1", "D2 D7 D8 S6 T21", "C1 C5 CJ S2 T3"),  # other lengths
    ):
        assert known_by(other, nothing) != known_by(HANDS, nothing)
    assert known_by(HANDS, nothing, leader=1) != known_by(HANDS, nothing)


def test_depths_reach_down_to_the_lowest_card_that_mattered() -> None:
    board = laid(HANDS)
    for some, depths, lowest in (
        ("", 0, ""),
        ("S9", 1, "S9"),
        ("SK S6 S9", 3, "S6"),
        ("S2 H3 D7 T5", 5 | 1 << 4 | 2 << 12 | 2 << TRUMPS_DEPTH, "S2 H3 D7 T5"),
        ("T1 T21 T0 HQ", 0, ""),  # they always matter
    ):
        assert depths_of(board, *words(mask(some))) == depths
        assert mattered_within(board, depths) == words(mask(lowest))


# --- how it is run -------------------------------------------------------------------------------------


@pytest.mark.parametrize("book", BOOKS)
def test_a_small_table_gives_the_same_values(book: str) -> None:
    for rules, state in endings(book, MIDDLING[book], 30 if LONG else 4):
        solution, forgetful = solve(rules, state), solve(rules, state, memory=0)
        assert solution.exact
        assert forgetful.exact
        assert forgetful.actions == solution.actions
        assert forgetful.line == solution.line


@pytest.mark.parametrize("book", BOOKS)
def test_the_value_stays_the_same_along_the_line(book: str) -> None:
    for rules, state in endings(book, MIDDLING[book], 30 if LONG else 3):
        solution = solve(rules, state)
        best = max if state.turn is not None and state.side(state.turn) == "taker" else min
        assert solution.value == best(values(solution))
        assert solution == replace(solve(rules, state), seconds=solution.seconds)
        now = state
        for seat, action in solution.line:
            assert solve(rules, now).value == solution.value
            now, _ = french.step(rules, now, seat, action)
        assert now.phase == "closed"
        assert french.score(rules, french.outcome_of(rules, now)).value == solution.value


@pytest.mark.parametrize("book", BOOKS)
def test_who_asks_for_less_gets_the_same_value(book: str) -> None:
    work = [0, 0, 0]
    for rules, state in endings(book, MIDDLING[book], 30 if LONG else 4) + endings(book, 1, 4):
        solution = solve(rules, state)
        alone, with_card = solve(rules, state, line=0, actions=()), solve(rules, state, line=1, actions=())
        for less in (alone, with_card):
            assert (less.value, less.exact, less.actions) == (solution.value, True, ())
        assert alone.line == ()
        ((_, best),) = with_card.line
        values = {one.action: one.value for one in solution.actions}
        assert values[best] == solution.value
        some = solve(rules, state, line=0, actions=(best, Play(parse_card("T0"))))
        assert {one.action: one.value for one in some.actions}.items() <= values.items()
        assert some.value == solution.value
        work = [sum(both) for both in zip(work, (alone.nodes, with_card.nodes, solution.nodes), strict=True)]
        cut = solve(rules, state, nodes=1, line=1, actions=())
        assert cut.exact or not cut.line
    assert work == sorted(work)


def test_a_table_that_grows_gives_the_same_values(monkeypatch: pytest.MonkeyPatch) -> None:
    rules, state = endings("french4", MIDDLING["french4"], 1)[0]
    whole = solve(rules, state)
    monkeypatch.setattr(french_solver, "FIRST_BUCKETS", 1)
    monkeypatch.setattr(french_solver, "NODES_PER_BUCKET", 1)
    assert replace(solve(rules, state), nodes=whole.nodes, seconds=whole.seconds) == whole


@pytest.mark.parametrize("lean", [EVEN - LEAN, EVEN, EVEN + LEAN])
@pytest.mark.parametrize("guess", [None, -200, -60, 10, 70, 200])
def test_questions_come_to_an_end_at_every_value(guess: int | None, lean: float) -> None:
    for value in range(-50, 81):
        bounds, first, steps = Bounds(-50, 80), Bounds(-50, 80), iter(STEPS)
        while not bounds.known:
            target = next_target(bounds, first, guess, next(steps, STEPS[-1]), lean)
            assert bounds.low < target <= bounds.high
            if value >= target:
                bounds.low = target
            else:
                bounds.high = target - 1
        assert bounds.low == value


def test_every_card_is_valued_in_the_engines_order() -> None:
    for book in BOOKS:
        for rules, state in endings(book, 3, 8):
            assert state.turn is not None
            actions = [one.action for one in solve(rules, state).actions]
            assert actions == list(french.legal(rules, state, state.turn))


@pytest.mark.parametrize("book", BOOKS)
def test_a_time_limit_leaves_bounds(book: str) -> None:
    for rules, state in endings(book, MIDDLING[book], 30 if LONG else 3):
        exact, cut = solve(rules, state), solve(rules, state, seconds=0)
        assert not cut.exact
        assert cut.line == ()
        assert [one.action for one in cut.actions] == [one.action for one in exact.actions]
        taker = state.turn is not None and state.side(state.turn) == "taker"
        for sure, value in zip(values(cut), values(exact), strict=True):
            assert sure <= value if taker else sure >= value


def test_a_search_that_would_take_too_long_is_cut_off() -> None:
    rules, state = endings("french4", 16, 1)[0]
    solution = solve(rules, state, seconds=0.0)
    assert not solution.exact
    assert {valued.action for valued in solution.actions} == set(
        french.legal(rules, state, solution.actions[0].seat)
    )


def both_speeds() -> str:
    """What the search finds in some endings, and in how many nodes."""
    found = [one for book in BOOKS for one in endings(book, 3, 5, "both speeds")]
    return "\n".join(str(telling(solve(rules, state))) for rules, state in found)


def test_compiled_and_plain_searches_are_the_same() -> None:
    """The same nodes, values and lines; without numba both are plain."""
    code = "from kernel.test_french_search import both_speeds; print(both_speeds())"
    other = subprocess.run(
        [sys.executable, "-W", "error::RuntimeWarning", "-c", code],
        env={
            **os.environ,
            "NUMBA_DISABLE_JIT": "1" if COMPILED else "0",
            "PYTHONPATH": os.pathsep.join(sys.path),
        },
        capture_output=True,
        text=True,
        check=True,
    )
    assert other.stdout.strip() == both_speeds()


# --- what is refused -----------------------------------------------------------------------------------


def test_only_a_position_in_play_with_all_its_cards_is_solved() -> None:
    rules = rules_of("french4")
    table = Table("french4", {0: "T21"})
    with pytest.raises(ValueError, match="'bid'"):
        solve(rules, table.state)
    _, state = endings("french4", 2, 1)[0]
    with pytest.raises(ValueError, match="known"):
        solve(rules, replace(state, unseen=(1, 0, 0, 0)))


@pytest.mark.cites("I-C.13")
def test_before_the_first_card_a_poignee_must_be_out_of_the_question() -> None:
    ten = "T2 T3 T4 T5 T6 T7 T8 T9 T10 T11"
    table = Table("french4", {0: ten, 1: "T12 T13 T14", 2: "T15 T16 T17", 3: "T18 T19 T20"}, "T21 T0 T1")
    table.bid("sans pass pass pass")
    table.do(Decline())
    with pytest.raises(NotCompilable, match="poignée"):
        solve(table.rules, table.state, seconds=0)
    table.do(ShowPoignee(tuple(cards(mask(ten)))))
    assert not solve(table.rules, table.state, seconds=0).exact


# --- endings of the book -------------------------------------------------------------------------------


@pytest.mark.cites("I-C.10", "I-C.11")
def test_the_excuse_is_kept_for_the_last_trick_of_a_slam_only() -> None:
    """With all tricks so far the excuse takes the last; with one lost it must go before."""
    for winners, kept in (([0] * 16, True), ([0] * 15 + [1], False)):
        fixed = {(17, 0): "T21", (18, 0): "T0", (17, 1): "S2", (18, 1): "S3", (17, 2): "H2", (18, 2): "H3"}
        table = forged(Table("french4"), winners, fixed=fixed | {(17, 3): "D2", (18, 3): "D3"}, short=0)
        state = replace(table.state, turn=0)
        solution = solve(table.rules, state)
        worth = {one.action: one.value for one in solution.actions}
        early, late = worth[Play(parse_card("T0"))], worth[Play(parse_card("T21"))]
        assert (late > early) is kept
        assert solution.value == max(early, late)
