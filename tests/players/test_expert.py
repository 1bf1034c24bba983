"""The expert: every decision at every table, the past told again as it was, the race of its candidates."""

from __future__ import annotations

from collections.abc import Iterator
from itertools import islice
from random import Random
from typing import Any

import numpy as np
import pytest
from msgspec.structs import replace

from kernel.worlds_views import Glimpse, glimpses
from properties.driving import SWITCHES
from table import DANISH, FRENCH, WITHOUT_FFT, danish_rules, ending
from ultimo import danish, deal, french, rulebook, series
from ultimo.analysis import solver
from ultimo.analysis.position import read
from ultimo.cards import cards, mask, parse_card
from ultimo.danish.facts import KING_CUP, PAGAT_CUP, TRICKS_WON
from ultimo.events import Opened, Play
from ultimo.kernel.danish import layout as danish_at
from ultimo.kernel.danish.bridge import from_view
from ultimo.kernel.french import layout as at
from ultimo.kernel.jit import Ints, Words
from ultimo.kernel.worlds.draw import Worlds
from ultimo.kernel.worlds.knowledge import knowledge
from ultimo.players import Match, create
from ultimo.players.expert import inference, opened, search
from ultimo.players.expert.danish import DanishTable
from ultimo.players.expert.expert import SEARCH, Expert
from ultimo.players.expert.french import FrenchTable
from ultimo.players.expert.table import touching
from ultimo.players.player import View
from ultimo.players.reasons import PRINCIPLES
from ultimo.rulebook import DanishRules, FrenchRules

BOOKS = WITHOUT_FFT
SAMPLES = 8


def seated(glimpse: Glimpse) -> View:
    """A view of a deal as a player gets it."""
    assert glimpse.viewer is not None
    names = [str(seat) for seat in range(glimpse.view.table)]
    first = series.open_series(glimpse.rules, names, glimpse.view.dealer)[0]
    around = series.evolve(glimpse.rules, None, first)
    return View(glimpse.rules, glimpse.viewer, replace(around, deal=glimpse.view))


def decisions(book: str, number: int, step: int = 5) -> Iterator[Glimpse]:
    """Moments at which the seat that looks on has something to decide by its cards."""
    rules = rulebook.load(book)
    count = 0
    for glimpse in glimpses(rules, rules.sizes[-1], Random(f"expert {book} {number}")):
        seat = glimpse.viewer
        if seat is None or seat not in deal.waiting_for(rules, glimpse.view):
            continue
        if glimpse.view.phase in ("declare", "cut") or len(deal.legal(rules, glimpse.view, seat)) < 2:
            continue
        count += 1
        if count % step == 0 or glimpse.view.phase != "play":
            yield glimpse


# --- at the table --------------------------------------------------------------------------------------


@pytest.mark.parametrize("book", BOOKS)
def test_an_expert_plays_whole_deals(book: str) -> None:
    rules = rulebook.load(book)
    size = rules.sizes[-1]
    players = {seat: create("expert" if seat == 1 else "club", seat, samples=SAMPLES) for seat in range(size)}
    match = Match(rules, [str(seat) for seat in range(size)], players, Random(3))
    assert list(match.play_deals(2)) == [1, 2]


def test_an_expert_makes_no_errors_where_they_are_possible() -> None:
    rules = rulebook.load("jensen", dict.fromkeys(SWITCHES, True) | {"decl.mode": "manual"})
    players = {seat: create("expert", seat, samples=SAMPLES) for seat in range(3)}
    match = Match(rules, ("A", "B", "C"), players, Random(3))
    assert list(match.play_deals(1)) == [1]
    present = match.state.deal
    assert isinstance(present, danish.State)
    assert present.result == "played"
    assert not present.found


@pytest.mark.parametrize("book", ["hermansen", "french5"])
def test_the_same_view_gives_the_same_choice_and_reasons(book: str) -> None:
    asked = 0
    for glimpse in [one for number in range(3) for one in decisions(book, number, 2)][::2]:
        view, seat = seated(glimpse), glimpse.viewer
        assert seat is not None
        choices = deal.legal(glimpse.rules, glimpse.view, seat)
        expert = Expert(7, samples=40)
        chosen = expert.choose(view, choices)
        reason = expert.explain(view, choices)
        assert chosen == reason.action == Expert(7, samples=40).choose(view, choices)
        assert reason.candidates[0].action == chosen
        assert all(one.action in choices for one in reason.candidates)
        assert reason.principle in (*PRINCIPLES, SEARCH)
        assert reason.words
        for one in reason.inferred:
            assert sum(one.chances) == pytest.approx(1)
            assert one.chances[seat] == 0
            row = next(row for row, hand in enumerate(glimpse.truth) if hand & one.card.bit)
            assert row != seat
        asked += bool(reason.inferred)
    assert asked > 3


def test_time_is_kept_by_the_clock() -> None:
    now = [0.0]

    def clock() -> float:
        now[0] += 0.001
        return now[0]

    glimpse = next(decisions("dtf", 2, 1))
    choices = deal.legal(glimpse.rules, glimpse.view, glimpse.viewer or 0)
    began = now[0]
    assert Expert(1, seconds=0.1, clock=clock).choose(seated(glimpse), choices) in choices
    assert 0 < now[0] - began < 0.1


@pytest.mark.parametrize("book", ["hermansen", "french4"])
def test_cards_that_tell_nothing_are_not_asked_about_again(book: str) -> None:
    """Of the worlds that were drawn one is as likely beside another by the cards that are left."""
    fewer = 0
    for glimpse, _ in islice(late(book), 4):
        view = seated(glimpse)
        choices = deal.legal(glimpse.rules, glimpse.view, view.seat)
        table = Expert(1, samples=SAMPLES).judge(view, choices).table
        assert table is not None
        worlds, _, against = table.draw(128, np.array([7], np.uint64))
        asked = table.odd.copy()
        table.odd[:] = 0
        _, surprises = table.tell(worlds)
        fewer += int((asked == len(worlds)).sum())
        again = table.against(surprises)
        assert (table.odd <= asked).all()
        assert np.ptp(against - again) < 1e-9
        assert not table.odd[asked == len(worlds)].any()
    assert fewer


def late(book: str) -> Iterator[tuple[Glimpse, int]]:
    """Decisions near the end that rest on worlds, some of which are solved."""
    for glimpse in (one for number in range(7) for one in decisions(book, number, 1)):
        seat = glimpse.viewer
        assert seat is not None
        near = 3 < glimpse.view.hands[seat].bit_count() <= 7
        if glimpse.view.phase == "play" and near and knowledge(glimpse.rules, glimpse.view).hidden:
            yield glimpse, seat


@pytest.mark.parametrize("book", ["hermansen", "french4"])
def test_what_the_solver_found_can_win(book: str, monkeypatch: pytest.MonkeyPatch) -> None:
    """Whichever candidate the solver values far above the others is chosen, whatever the play-outs say."""
    asked = 0
    for glimpse, seat in late(book):
        choices = deal.legal(glimpse.rules, glimpse.view, seat)
        for best in choices:
            monkeypatch.setattr(
                "ultimo.players.expert.opened.worths",
                lambda *_, best=best, choices=choices: {one: 5000 * (one == best) for one in choices},
            )
            reason = Expert(7, samples=64).explain(seated(glimpse), choices)
            if len(reason.candidates) == len(choices) and reason.inferred:
                assert reason.action == best
                asked += 1
    assert asked > 8


@pytest.mark.parametrize("book", ["hermansen", "french4"])
def test_without_a_clock_the_solver_gets_a_number_of_positions(
    book: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    """One allowance for the whole decision, so that no world, however hard, takes more than is left."""
    solve, given, visited = solver.solve, list[int](), list[int]()

    def watched(*args: Any, **limits: Any) -> solver.Solution:
        assert limits.get("seconds") is None
        given.append(limits["nodes"])
        found = solve(*args, **limits)
        visited.append(found.nodes)
        return found

    monkeypatch.setattr(solver, "solve", watched)
    several = 0
    for glimpse, seat in late(book):
        given.clear()
        visited.clear()
        Expert(7, samples=64).choose(seated(glimpse), deal.legal(glimpse.rules, glimpse.view, seat))
        before = [sum(visited[:number]) for number in range(len(visited))]
        assert given == [opened.MOST_NODES - some for some in before]
        assert sum(visited) <= opened.MOST_NODES
        several += len(given) > 1
    assert several > 2


@pytest.mark.parametrize("book", ["hermansen", "french4"])
def test_what_is_allowed_bounds_the_solver(book: str) -> None:
    glimpse, seat = next(late(book))
    state = opened.placed(glimpse.view, tuple(glimpse.truth))
    free, tight = opened.Allowance(), opened.Allowance(nodes=40)
    assert opened.worths(glimpse.rules, state, seat, free) is not None
    assert not free.spent
    assert opened.worths(glimpse.rules, state, seat, tight) is None
    assert tight.nodes == 0
    assert tight.spent


# --- the past ------------------------------------------------------------------------------------------


def only(world: tuple[int, ...]) -> Worlds:
    """One world."""
    suits = np.array([[hand & (1 << 56) - 1 for hand in world]], np.int64)
    return Worlds(suits, np.array([[hand >> 56 for hand in world]], np.int64), np.ones(1))


def whole(state: danish.State, truth: tuple[int, ...]) -> danish.State:
    """The state of a viewer with all cards where they truly lie."""
    none = (0,) * state.table
    return replace(state, hands=truth[:-1], unseen=none, skat=truth[-1], skat_unseen=0)


@pytest.mark.parametrize("book", [book for book in BOOKS if book in DANISH])
def test_a_danish_past_comes_to_the_present(book: str) -> None:
    told = 0
    for glimpse in (glimpse for number in range(4) for glimpse in decisions(book, number, 1)):
        rules, state, seat = glimpse.rules, glimpse.view, glimpse.viewer
        assert isinstance(rules, DanishRules)
        assert isinstance(state, danish.State)
        assert seat is not None
        table = DanishTable(rules, state, seat, deal.legal(rules, state, seat))
        _, states, against = table.draw(6, np.array([told], np.uint64))
        assert np.isfinite(against).all()
        states, surprises = table.tell(only(glimpse.truth))
        assert surprises[0, 0] >= 0
        expected = from_view(rules, whole(state, glimpse.truth), seat)
        places = [*range(danish_at.PHASE, danish_at.DEALT_SUITS)]
        places.remove(danish_at.ASKED)
        if state.phase == "demand":  # what the others have answered is not known
            places.remove(danish_at.DEMANDED)
        places += [*range(danish_at.SIZE, danish_at.LENGTH), KING_CUP, PAGAT_CUP, TRICKS_WON]
        places += [danish_at.SKAT_SUITS, danish_at.SKAT_TRUMPS, danish_at.HONOURS, danish_at.LAID]
        assert list(states[0, places]) == list(expected[places])
        told += 1
    assert told > 8


@pytest.mark.parametrize("book", [book for book in BOOKS if book in FRENCH])
def test_a_french_past_comes_to_the_present(book: str) -> None:
    told = 0
    for number in range(4):
        for glimpse in decisions(book, number, 1):
            rules, state, seat = glimpse.rules, glimpse.view, glimpse.viewer
            assert isinstance(rules, FrenchRules)
            assert isinstance(state, french.State)
            assert seat is not None
            table = FrenchTable(rules, state, seat, deal.legal(rules, state, seat))
            _, _, against = table.draw(6, np.array([told], np.uint64))
            assert np.isfinite(against).all()
            states, surprises = table.tell(only(glimpse.truth))
            assert surprises[0, 0] >= 0
            present = states[0]
            assert present[at.TURN] == seat
            assert present[at.TRICK] == len(state.tricks)
            for one in range(state.table):
                hand = int(present[at.SUITS + one]) | int(present[at.TRUMPS + one]) << 56
                assert hand == glimpse.truth[one]
                assert present[at.TRICKS + one] == sum(trick.winner == one for trick in state.tricks)
            told += 1
    assert told > 8


def club_deal(book: str) -> Iterator[tuple[deal.State, deal.State, int]]:
    """A deal among club players: at each decision the truth, the view and the seat."""
    rules = rulebook.load(book)
    size, club = rules.sizes[0], create("club", 1)
    active = series.seated(rules, size, 0, None)
    opened = Opened(size, 0, active, 60, 60)
    first = series.evolve(rules, None, series.open_series(rules, [str(seat) for seat in range(size)], 0)[0])
    rng = Random(f"club {book}")
    truth = deal.initial(rules, opened)
    views = [truth] * size
    events = deal.begin(rules, opened)[1:]
    while True:
        for event in events:
            views = [
                deal.evolve(rules, view, deal.seen_by(rules, truth, seat, event))
                for seat, view in enumerate(views)
            ]
            truth = deal.evolve(rules, truth, event)
        if deal.is_over(truth):
            return
        if deal.needs_cards(truth):
            dealt = deal.deal_out(rules, truth, deal.shuffled(rng), rng)
            events = deal.decide(rules, truth, None, dealt)
            continue
        seat = deal.waiting_for(rules, truth)[0]
        yield truth, views[seat], seat
        view = View(rules, seat, replace(first, deal=views[seat]))
        events = deal.decide(rules, truth, seat, club.choose(view, deal.legal(rules, truth, seat)))


@pytest.mark.parametrize("book", ["hermansen", "french4"])
def test_nothing_that_club_players_did_speaks_against_the_truth(book: str) -> None:
    rules = rulebook.load(book)
    unlike = looked = 0
    for truth, state, seat in club_deal(book):
        choices = deal.legal(rules, state, seat)
        if state.phase != "play" or len(choices) < 2:
            continue
        if isinstance(state, danish.State) and isinstance(truth, danish.State):
            assert isinstance(rules, DanishRules)
            table = DanishTable(rules, state, seat, choices)
            _, surprises = table.tell(only((*truth.hands, truth.skat)))
            _, _, against = table.draw(10, np.array([looked], np.uint64))
        else:
            assert isinstance(rules, FrenchRules)
            assert isinstance(state, french.State)
            assert isinstance(truth, french.State)
            other = FrenchTable(rules, state, seat, choices)
            _, surprises = other.tell(only((*truth.hands, truth.chien | truth.ecart)))
            _, _, against = other.draw(10, np.array([looked], np.uint64))
        assert not surprises.any()
        looked += 1
        unlike += int((against > 0).sum())
    assert looked > 10
    assert unlike > looked  # but much speaks against other worlds


# --- the race ------------------------------------------------------------------------------------------


class Booth:
    """A decision whose candidates gain what they are told to, with noise that all share."""

    def __init__(self, worth: list[float], unlikely: bool = False) -> None:
        self.worth, self.unlikely, self.played = worth, unlikely, 0

    def likely(self, number: int, dice: Words) -> tuple[Worlds, Ints]:
        rng = np.random.default_rng(int(dice[0]))
        dice[0] += np.uint64(1)
        none = np.zeros((number, 3), np.int64)
        states = rng.integers(-50, 50, (number, 1))
        weights = np.where(states[:, 0] > 0, 0.01, 1.0) if self.unlikely else np.ones(number)
        return Worlds(none, none, weights), states

    def gains(self, states: Ints, alive: Ints, seeds: Words) -> Ints:
        self.played += len(states) * int(alive.sum())
        rng = np.random.default_rng(int(seeds[0]))
        noise = states + rng.integers(-9, 10, (len(states), len(self.worth)))
        gained: Ints = (noise + np.array(self.worth)).astype(np.int64)
        return gained


def test_the_best_wins_and_those_behind_drop_out() -> None:
    booth = Booth([0, 9, -60, 10, 1])
    race = search.run(booth, 5, 0, 1, 400, np.inf)
    mean, spread, tried = race.results()
    assert search.choice(race, mean, tried, 0) == 3
    assert tried[2] < tried[3]
    assert booth.played < 5 * 400
    assert abs((mean[3] - mean[1]) - 1) < 4 * (spread[1] + spread[3])


def test_with_time_left_a_race_ends_where_going_on_promises_nothing() -> None:
    close = search.run(Booth([0, 0]), 2, 0, 1, None, np.inf)
    assert close.alive.all()
    assert search.promise(close, 0) < inference.ENOUGH
    apart = search.run(Booth([0, 1.5]), 2, 0, 1, None, np.inf)
    assert search.choice(apart, *apart.results()[::2], 0) == 1
    assert sum(map(len, apart.gains)) < sum(map(len, close.gains))


def test_what_the_solver_says_leaves_less_to_be_expected_of_play_outs() -> None:
    even = np.array([0.0, 0.0])
    close = search.run(Booth([0, 0]), 2, 0, 1, 64, np.inf)
    heard = search.run(Booth([0, 0]), 2, 0, 1, 64, np.inf, search.Solved([even] * 12))
    assert search.promise(heard, 0) < search.promise(close, 0) / 2


def test_an_unlikely_world_counts_less() -> None:
    fair = search.run(Booth([0, 0]), 2, 0, 1, 200, np.inf).results()[0][0]
    told = search.run(Booth([0, 0], unlikely=True), 2, 0, 1, 200, np.inf).results()[0][0]
    assert told < fair - 10


def test_a_master_keeps_early_what_the_books_keep() -> None:
    """F3.5, F5.1: the skus, and a tarok led from a hand of few, must lead the favourite by its patience."""
    rules = rulebook.load("hermansen")
    assert isinstance(rules, DanishRules)
    handicapped = free = late = 0
    for number in range(4):
        for glimpse in decisions("hermansen", number, step=1):
            state, seat = glimpse.view, glimpse.viewer
            assert isinstance(state, danish.State)
            assert seat is not None
            if state.phase != "play":
                continue
            choices = deal.legal(rules, state, seat)
            table = DanishTable(rules, state, seat, choices, method=inference.MASTERLY)
            few = mask("T1 T2 T3 T4 T5 T6 T7 T8 T9 T10 T11 T12 T13 T14 T15 T16 T17 T18 T19 T20 T21")
            short = (state.hands[seat] & few).bit_count() <= 6
            for option, points in zip(table.options, table.handicaps(-1), strict=True):
                if option is table.options[-1]:
                    continue  # the favourite
                assert isinstance(option.action, Play)
                card = option.action.card
                rash = card == parse_card("T0") or (not state.trick and short and card.bit & few)
                assert points == (inference.MASTERLY.patience if rash and state.number <= 8 else 0)
                handicapped += bool(points)
                free += not rash
                late += bool(rash and state.number > 8)
    assert min(handicapped, free, late) >= 5


def test_between_equals_the_favourite_is_taken() -> None:
    class Even(Booth):
        def gains(self, states: Ints, alive: Ints, seeds: Words) -> Ints:
            return np.repeat(states, len(self.worth), axis=1)

    race = search.run(Even([0, 0, 0]), 3, 1, 1, 500, np.inf)
    assert list(race.alive) == [0, 1, 0]
    mean, _, tried = race.results()
    assert search.choice(race, mean, tried, 1) == 1


def test_what_leads_by_less_than_its_handicap_does_not_replace_the_favourite() -> None:
    for worth, handicap, taken in ((2, 0.0, 1), (2, 3.0, 0), (5, 3.0, 1)):
        handicaps = np.array([0.0, handicap])
        race = search.run(Booth([0, worth]), 2, 0, 1, 2000, np.inf, handicaps=handicaps)
        mean, _, tried = race.results()
        assert search.choice(race, mean, tried, 0) == taken
    timed = search.run(Booth([0, 2]), 2, 0, 1, None, np.inf, handicaps=np.array([0.0, 3.0]))
    assert timed.alive[0]  # and it does not go on for ever
    race = search.run(Booth([0, 6, 5]), 3, 0, 1, 2000, np.inf, handicaps=np.array([0.0, 4.0, 0.0]))
    mean, _, tried = race.results()
    assert search.choice(race, mean, tried, 0) == 2  # the next best has none


def test_the_solver_is_heard_before_anybody_drops_out() -> None:
    worth, told = [0.0, 9.0, -60.0, 10.0, 1.0], np.array([0.0, 0.0, 200.0, 0.0, 0.0])
    race = search.run(Booth(worth), 5, 0, 1, 400, np.inf, search.Solved([told] * 10))
    points, _, tried = race.results()
    assert search.choice(race, points, tried, 0) == 2
    assert tried[2] == tried.max()
    assert points[2] == pytest.approx((10 * 200 + 4 * -60) / 14, abs=9)


def test_chains_go_on_with_the_likelier_worlds() -> None:
    dice = np.array([12345 << 40], np.uint64)
    even = inference.survivors(np.full(40, 3.0), dice)
    assert even.tolist() == list(range(40))
    against = np.repeat([1.0, 9.0], 500)
    kept = inference.survivors(against, dice)
    assert len(kept) == 1000
    share = (kept >= 500).mean()
    assert share == pytest.approx(1 / (1 + np.exp(8 * inference.COOLING)), abs=0.01)


def test_a_surprise_tells_the_more_the_fewer_there_are() -> None:
    """Who always does as one expects is taken at their word, and who seldom does is not."""
    for number in (1, 8, 60):
        more = np.diff(inference.unlikely(number))
        assert len(more) == number
        assert (np.diff(more) < 0).all()
    assert inference.unlikely(60)[1] - inference.unlikely(60)[0] > 5  # as good as never
    assert inference.unlikely(60)[31] - inference.unlikely(60)[30] < 1.5


def test_worlds_are_weighed_softly_enough_that_some_are_left() -> None:
    against = np.arange(100.0)
    weights = inference.weighed(against, np.ones(100))
    assert weights.sum() == pytest.approx(1)
    assert 1 / (weights**2).sum() >= inference.KEPT * 100
    assert weights[0] > weights[1] > weights[50]
    against[:] = np.inf
    assert not inference.weighed(against, np.ones(100)).any()


# --- candidates ----------------------------------------------------------------------------------------


def test_cards_that_touch_are_tried_once() -> None:
    hand = mask("S3 S4 S6 SJ SN H3 H2 T4 T5 T7 T1 T2")
    gone = mask("S5 T6")
    plays = [Play(card) for card in cards(hand)]
    groups = [" ".join(play.card.value for play in group) for group in touching(hand, gone, plays, True)]
    assert groups == ["S3 S4 S6", "SJ", "SN", "H3 H2", "T1", "T2", "T4 T5 T7"]


def test_a_position_without_a_past_is_played_as_it_lies() -> None:
    table = ending(danish_rules("hermansen"), {1: "SK S3 T4", 2: "S2 H7 T9", 0: "D1 D2 T21"}, 1)
    rules = table.rules
    assert isinstance(rules, DanishRules)
    choices = deal.legal(rules, table.state, 1)
    found = DanishTable(rules, table.state, 1, choices)
    assert found.past is None
    assert parse_card("SK") in {
        option.action.card for option in found.options if isinstance(option.action, Play)
    }


# --- with open eyes --------------------------------------------------------------------------------------

LAST_CARDS = (
    "french5: SK / T3 / HQ / T5 / D1; A takes garde{partner}; taker has 41.5 points 2 bouts; {leader} leads"
)
OTHER_SHARES = {"share.taker": 1, "share.partner": 2}


@pytest.mark.parametrize(
    ("partner", "house", "times"),
    [
        (" with C", {}, {"A": 2, "B": -1, "C": 1, "D": -1}),
        (" with C", OTHER_SHARES, {"A": 1, "B": -1, "C": 2, "D": -1}),
        (" with C", {"share.taker": 3, "share.partner": 0}, {"A": 3, "C": 0}),
        ("", OTHER_SHARES, {"A": 4, "B": -1, "C": -1}),
    ],
)
def test_what_an_ending_is_worth_follows_the_shares_of_the_rulebook(
    partner: str, house: dict[str, int], times: dict[str, int]
) -> None:
    rules = rulebook.load("french5", house)
    for leader, often in times.items():
        _, state = read(LAST_CARDS.format(partner=partner, leader=leader))
        (solved,) = solver.solve(rules, state).actions
        worth = opened.worths(rules, state, "ABCDE".index(leader), opened.Allowance())
        assert worth == {solved.action: often * solved.value}
        assert solved.value != 0


def test_a_few_solved_worlds_with_a_slam_do_not_outweigh_the_play_outs() -> None:
    """Either kind of evidence counts for more the surer it is."""
    played = np.tile([[4.0, 0.0], [0.0, 0.0]], (100, 1))
    few = search.Solved([np.array([400.0, 0.0]), np.array([0.0, 0.0])])
    many = search.Solved([np.array([gain, 0.0]) for gain in (30.0, 34.0)] * 50)

    def lead(solved: search.Solved | None) -> tuple[float, float]:
        none = np.zeros((len(played), 3), np.int64)
        worlds = Worlds(none, none, np.ones(len(played)))
        return search.Race([played], np.ones(2, np.int64), [worlds], solved).lead(0, 1)

    assert lead(None)[0] == pytest.approx(2.0)
    assert lead(few)[0] < 10.0
    assert 25.0 < lead(many)[0] < 32.0
