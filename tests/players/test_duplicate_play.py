"""Duplicate play: the same cards, cups and dealer for everybody; points that sum to zero; honest figures."""

from __future__ import annotations

import shlex
import sys
import time
from fractions import Fraction
from random import Random
from statistics import mean, stdev

import pytest

from ultimo import rulebook
from ultimo.analysis.runs import RunError
from ultimo.danish import payments
from ultimo.danish.payments import CUPS
from ultimo.events import Action
from ultimo.kernel.danish import run as danish_run
from ultimo.kernel.policy import CLUB
from ultimo.play.choices import Choices
from ultimo.players import View, create, options_of, warming
from ultimo.players.arena import arena, results
from ultimo.players.arena.arena import Plan, Played
from ultimo.players.player import PLAYERS, Player
from ultimo.rulebook import DanishRules

TABLES = [("basta", 3), ("hermansen", 3), ("jensen", 4), ("vlk", 5), ("dtf", 5), ("french3", 3)]
TABLES += [("french4", 4), ("french5", 5)]


class First:
    """Plays without dice: the first of its choices."""

    def __init__(self, seed: int | str) -> None:
        pass

    def choose(self, view: View, choices: Choices, /) -> Action:
        return next(iter(choices))


class Witness(First):
    """Remembers what it was shown first in each deal, and by which seed it was made."""

    seen: list[tuple[int | str, View]] = []  # noqa: RUF012

    def __init__(self, seed: int | str, samples: int = 1) -> None:
        self._seed, self._fresh = seed, True

    def choose(self, view: View, choices: Choices, /) -> Action:
        if self._fresh:
            self.seen.append((self._seed, view))
            self._fresh = False
        return super().choose(view, choices)


@pytest.fixture(autouse=True)
def _more_players(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setitem(PLAYERS, "first", First)
    monkeypatch.setitem(PLAYERS, "witness", Witness)
    Witness.seen.clear()


def _plan(book: str, players: list[str], deals: int = 6, cups: tuple[int, int] | None = None) -> Plan:
    return arena.plan(rulebook.load(book), players, seed=7, deals=deals, cups=cups)


def _all(made: Plan) -> list[Played]:
    return [arena.play(made, deal, rotation) for deal, rotation in arena.schedule(made)]


@pytest.mark.parametrize(("book", "table"), TABLES)
def test_points_and_cups_sum_to_zero(book: str, table: int) -> None:
    for one in _all(_plan(book, ["random"] * table)):
        assert sum(one.points) + sum(one.cups_after) - sum(one.cups) == 0
        assert len(one.sitting) == (max(0, table - 3) if book[0] != "f" else 0)
        for player in one.sitting:
            assert (one.points[player], one.decisions[player]) == (0, 0)


@pytest.mark.parametrize(("book", "table"), TABLES)
def test_every_rotation_has_the_same_cards_cups_and_dealer(book: str, table: int) -> None:
    made = _plan(book, ["witness"] * table, deals=2)
    for deal in range(made.deals):
        shown = []
        for rotation in range(table):
            Witness.seen.clear()
            played = arena.play(made, deal, rotation)
            hands = {view.seat: view.deal.dealt[view.seat] for _, view in Witness.seen}
            dealer = {view.deal.dealer for _, view in Witness.seen}
            shown.append((hands, dealer, played.cups))
            assert all(seed == f"7:{deal}:{rotation}:{view.seat}" for seed, view in Witness.seen)
        assert all(one == shown[0] for one in shown)
        assert len(shown[0][0]) == (3 if book[0] != "f" else table)


def test_a_player_is_shown_no_other_hand() -> None:
    arena.play(_plan("dtf", ["witness"] * 3), 0, 0)
    for _, view in Witness.seen:
        assert [bool(hand) for hand in view.deal.dealt] == [seat == view.seat for seat in range(3)]


def test_each_player_sits_everywhere_once() -> None:
    made = _plan("french5", ["random"] * 5)
    for player in range(5):
        assert sorted(arena.seat_of(made, player, rotation) for rotation in range(5)) == list(range(5))
    assert len(set(arena.schedule(made))) == 6 * 5


@pytest.mark.parametrize(("book", "table"), TABLES)
def test_players_who_play_alike_come_out_alike(book: str, table: int) -> None:
    """Without dice every rotation is the same deal, and so each player has made what the table has made."""
    made = _plan(book, ["first"] * table)
    played = _all(made)
    points, gains = results.observations(made, played)
    assert all(one == points[0] for one in points)
    assert not any(any(one) for one in gains)
    for deal in range(made.deals):
        cups = [one.cups_after for one in played if one.deal == deal]
        assert cups == [cups[0]] * table
    for standing in results.result(made, played).players:
        assert (standing.gain.mean, standing.gain.interval) == (0, (0, 0))


@pytest.mark.parametrize(("book", "table"), [("hermansen", 3), ("french4", 4)])
def test_gains_sum_to_zero_and_are_the_points_where_these_do(book: str, table: int) -> None:
    made = _plan(book, ["first"] + ["random"] * (table - 1))
    played = _all(made)
    points, gains = results.observations(made, played)
    assert all(sum(deal) == 0 for deal in zip(*gains, strict=True))
    assert (points == gains) == (book == "french4")
    found = results.result(made, played)
    assert found.odd == 0
    by_hand = [mean(one.points[0] for one in played if one.deal == deal) for deal in range(made.deals)]
    assert found.players[0].points.mean == pytest.approx(mean(by_hand))
    assert found.players[0].points.interval is not None
    half = 1.96 * stdev(by_hand) / made.deals**0.5
    assert found.players[0].points.interval[1] == pytest.approx(mean(by_hand) + half, rel=1e-3)


def _timeless(played: list[Played]) -> list[Played]:
    from msgspec.structs import replace

    return [replace(one, seconds=(), slowest=()) for one in played]


def test_a_deal_does_not_depend_on_the_others() -> None:
    short, long = _plan("hermansen", ["random"] * 3, 3), _plan("hermansen", ["random"] * 3, 5)
    backwards = [arena.play(long, deal, rotation) for deal, rotation in reversed([*arena.schedule(long)])]
    assert _timeless(_all(short)) == _timeless(backwards[::-1])[:9]
    assert results.result(long, _timed(backwards)) == results.result(long, _timed(_all(long)))


def _timed(played: list[Played]) -> list[Played]:
    from msgspec.structs import replace

    return [replace(one, seconds=(0.0,) * 3, slowest=(0.0,) * 3) for one in played]


def test_another_seed_gives_other_deals() -> None:
    one, other = (
        arena.plan(rulebook.load("hermansen"), ["first"] * 3, seed=seed, deals=5) for seed in (1, 2)
    )
    assert [play.points for play in _all(one)] != [play.points for play in _all(other)]


def test_cups_are_drawn_as_in_a_session_or_given() -> None:
    made = _plan("hermansen", ["first"] * 3)
    drawn = [arena.cups_of(made, deal) for deal in range(300)]
    assert min(map(min, drawn)) == 60
    assert len(set(drawn)) > 30
    assert sum(cups == (60, 60) for cups in drawn) < 60
    fixed = _plan("hermansen", ["first"] * 3, cups=(85, 300))
    assert {one.cups for one in _all(fixed)} == {(85, 300)}
    assert {one.cups for one in _all(_plan("french3", ["first"] * 3))} == {(0, 0)}


def test_cups_fill_by_the_rates_that_are_stated() -> None:
    """The mean of drawn cups against the one that the rates come to, deal by deal."""
    rules = rulebook.load("hermansen")
    assert isinstance(rules, DanishRules)
    drawn = [arena.drawn_cups(rules, 3, Random(f"cups {number}")) for number in range(4000)]
    costs = {"king": rules.pay.king_lost_cup, "pagat": rules.pay.pagat_lost_cup}
    for place, cup in enumerate(CUPS):
        held, means = 60.0, list[float]()
        for _ in range(arena.SESSION):
            means.append(held)
            held += rules.cups.ante
            goes_on = 1 - arena.EMPTIED[cup] - arena.DOUBLED[cup]
            held = (
                arena.EMPTIED[cup] * 60
                + arena.DOUBLED[cup] * 2 * held
                + goes_on * (held + arena.LOST[cup] * costs[cup])
            )
        found = [cups[place] for cups in drawn]
        assert abs(mean(found) - mean(means)) < 4 * stdev(found) / len(found) ** 0.5


def test_cups_are_drawn_by_what_happens_among_club_players() -> None:
    """Seeded sessions of club players: how often a cup is emptied or doubled, and what is held."""
    rules = rulebook.load("hermansen")
    assert isinstance(rules, DanishRules)
    rows = danish_run.sessions(
        rules, table=3, seed=7, first=0, number=250, length=arena.SESSION, policies=(CLUB,)
    )
    happened = rows[:, danish_run.COLUMNS.index("happened")]
    stated = {
        payments.KING_ULTIMO: arena.EMPTIED["king"],
        payments.PAGAT_ULTIMO: arena.EMPTIED["pagat"],
        payments.KING_BAGUD: arena.DOUBLED["king"],
        payments.PAGAT_BAGUD: arena.DOUBLED["pagat"],
        payments.LOST_KING: arena.LOST["king"],
        payments.LOST_PAGAT: arena.LOST["pagat"],
    }
    for what, share in stated.items():
        counted = int((happened >> what & 1).sum())
        expected = share * len(rows)
        assert abs(counted - expected) < 4 * expected**0.5
    drawn = [arena.drawn_cups(rules, 3, Random(f"cups {number}")) for number in range(4000)]
    for place, cup in enumerate(("king_cup", "pagat_cup")):
        held = rows[:, danish_run.COLUMNS.index(cup)].mean()
        assert mean(cups[place] for cups in drawn) == pytest.approx(held, rel=0.06)


def test_fewer_found_where_only_those_who_play_do() -> None:
    rules = rulebook.load("dtf", {"cups.foundBy": "active"})
    assert isinstance(rules, DanishRules)
    assert min(arena.drawn_cups(rules, 5, Random(seed)) for seed in range(60)) == (60, 60)


def test_what_happened_is_counted_for_whom_it_happened_to() -> None:
    played = _all(_plan("hermansen", ["random"] * 3, 60))
    names = {name for one in played for name in one.events}
    assert {"kingUltimo", "kingBagud", "lastTrick"} <= names
    for one in played:
        (winner,) = one.events["lastTrick"]
        for ultimo in ("kingUltimo", "pagatUltimo"):
            assert one.events.get(ultimo, (winner,)) == (winner,)
        for bagud in ("kingBagud", "pagatBagud"):
            assert winner not in one.events.get(bagud, ())
        if "kingUltimo" in one.events and "kingBagud" not in one.events:
            assert one.cups_after[0] == 0


def test_french_deals_have_a_taker_and_his_side() -> None:
    played = _all(_plan("french5", ["random"] * 5, 12))
    assert any(one.side for one in played)
    for one in played:
        assert bool(one.side) == ("taken" in one.events)
        if one.side:
            partner = one.events.get("called", ())
            assert sorted(one.events["taken"] + partner) == list(one.side)
            assert set(one.events.get("made", ())) <= set(one.events["taken"])


def test_decisions_are_timed_and_forced_cards_are_not() -> None:
    ticks = iter(range(10_000))
    one = arena.play(_plan("french4", ["first"] * 4), 0, 1, lambda: float(next(ticks)))
    assert one.seconds == one.decisions
    assert set(one.slowest) == {1.0}
    assert all(0 < number < 18 + 3 for number in one.decisions)


def test_decisions_take_the_time_of_the_processor_not_that_of_the_wall(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    clocks = []

    class Watched(arena.Timed):
        def __init__(self, player: Player, clock: arena.Clock) -> None:
            clocks.append(clock)
            super().__init__(player, clock)

    monkeypatch.setattr(arena, "Timed", Watched)
    program = shlex.join(("cmd:" + sys.executable, "-c", "pass"))
    arena.play(_plan("french3", ["first", "first", program]), 0, 0)
    assert clocks == [time.thread_time, time.thread_time, time.perf_counter]


def _won_by_first(made: Plan, side: tuple[int, ...]) -> list[Played]:
    size = len(made.players)
    points = (size - 1,) + (-1,) * (size - 1)
    zeros = (0,) * size
    return [
        Played(
            deal=deal,
            rotation=rotation,
            points=points,
            events={},
            side=side,
            decisions=zeros,
            seconds=zeros,
            slowest=zeros,
        )
        for deal, rotation in arena.schedule(made)
    ]


def test_ratings_follow_the_points() -> None:
    for book, size, side in (("hermansen", 3, ()), ("french4", 4, (0,))):
        made = _plan(book, ["random"] * size, 8)
        first, *rest = results.rated(made, _won_by_first(made, side))
        assert all(first.mu > other.mu for other in rest)
        assert all(other.sigma < 25 / 3 for other in (first, *rest))
    nobody = results.rated(made, _won_by_first(made, ()))
    assert {(one.mu, one.sigma) for one in nobody} == {(25, 25 / 3)}


def test_an_estimate_needs_two_deals_for_its_interval() -> None:
    assert results.estimate([Fraction(5)]).interval is None
    assert results.estimate([Fraction(5)] * 3).interval == (5, 5)


@pytest.mark.parametrize(
    ("levels", "odd"),
    [("a b b", 0), ("b b b a", 3), ("a a a", None), ("a a b b", None), ("a b c", None), ("a b", None)],
)
def test_the_odd_one_out(levels: str, odd: int | None) -> None:
    assert results.odd_one(levels.split()) == odd


def test_the_command_says_all_that_was_asked() -> None:
    rules = rulebook.load("dtf", {"cups.ante": 10, "session.length": {"deals": 8}})
    made = arena.plan(
        rules, ["witness", "first", "first"], seed=3, deals=4, cups=(1, 2), options={"samples": 20}
    )
    told = results.command(made)
    assert told.startswith("ultimo arena --rules dtf --players witness,first,first --deals 4 --seed 3")
    assert "--samples 20 --cups 1,2" in told
    words = shlex.split(told)
    house = dict(rulebook.parse_override(words[at + 1]) for at, word in enumerate(words) if word == "--set")
    assert (
        rulebook.digest(rulebook.load("dtf", house)) == made.digest != rulebook.digest(rulebook.load("dtf"))
    )


@pytest.mark.parametrize(
    ("book", "players", "more", "complaint"),
    [
        ("french4", ["first"] * 3, {}, "french4 is played by 4 at the table, not 3"),
        ("dtf", ["first", "genius", "first"], {}, "there is no player 'genius'; there are random"),
        ("dtf", ["first"] * 3, {"options": {"samples": 3}}, "none of the players takes samples"),
        ("french4", ["first"] * 4, {"cups": (1, 1)}, "french4 is played without cups"),
    ],
)
def test_a_plan_that_cannot_be(
    book: str, players: list[str], more: dict[str, object], complaint: str
) -> None:
    with pytest.raises(RunError, match=complaint):
        arena.plan(rulebook.load(book), players, deals=1, **more)  # type: ignore[arg-type]


def test_a_player_who_breaks_the_rules_is_named(monkeypatch: pytest.MonkeyPatch) -> None:
    class Cheat(First):
        def choose(self, view: View, choices: Choices, /) -> Action:
            from ultimo.events import Pass

            return Pass()

    monkeypatch.setitem(PLAYERS, "cheat", Cheat)
    with pytest.raises(RunError, match="deal 0, rotation 2 of first, first, cheat: "):
        arena.play(_plan("dtf", ["first", "first", "cheat"]), 0, 2)


def test_a_level_gets_the_options_it_takes() -> None:
    assert options_of("witness") == {"samples"}
    assert options_of("random") == set()
    assert isinstance(create("witness", 1, samples=3, seconds=0.5), Witness)
    assert isinstance(create("first", 1, samples=3), First)
    with pytest.raises(ValueError, match="there is no player 'genius'"):
        create("genius", 1)


def test_a_level_may_be_named_by_its_place(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setitem(PLAYERS, "named", "ultimo.players.player:RandomPlayer")
    assert isinstance(create("named", 1), PLAYERS["random"])  # type: ignore[arg-type]


def test_a_level_may_have_seconds_of_its_own() -> None:
    given = {"seconds": 0.5, "samples": None}
    quick, usual = create("master@0.1", 1, **given), create("master", 1, **given)
    assert type(quick) is type(usual)
    assert (quick._seconds, usual._seconds) == (0.1, 0.5)  # type: ignore[attr-defined]
    assert options_of("master@0.1") == options_of("master") - {"seconds"}


@pytest.mark.parametrize(
    ("level", "says"),
    [
        ("club@1", "club does not think by the clock"),
        ("master@", "how many seconds"),
        ("master@soon", "how many seconds"),
        ("master@-1", "how many seconds"),
        ("master@inf", "how many seconds"),
        ("nobody@1", "there is no player"),
    ],
)
def test_seconds_that_make_no_sense_are_refused(level: str, says: str) -> None:
    with pytest.raises(ValueError, match=says):
        create(level, 1)


def test_getting_ready_plays_quickly(monkeypatch: pytest.MonkeyPatch) -> None:
    given: list[int] = []

    class Slow(First):
        def __init__(self, seed: int | str, samples: int = 1000) -> None:
            given.append(samples)

    monkeypatch.setitem(PLAYERS, "slow", Slow)
    monkeypatch.setattr(warming, "danish_endings", lambda: None)
    arena.get_ready(_plan("dtf", ["slow"] * 3))
    assert given == [1, 1, 1]


@pytest.mark.parametrize("book", ["dtf", "french4"])
def test_getting_ready_compiles_the_solver_for_those_who_think(
    monkeypatch: pytest.MonkeyPatch, book: str
) -> None:
    asked: list[str] = []

    class Thinker(First):
        def __init__(self, seed: int | str, seconds: float = 1.0) -> None:
            pass

    monkeypatch.setitem(PLAYERS, "thinker", Thinker)
    monkeypatch.setattr(warming, "danish_endings", lambda: asked.append("dtf"))
    monkeypatch.setattr(warming, "french_endings", lambda: asked.append("french4"))
    players = rulebook.load(book).sizes[0]
    arena.get_ready(_plan(book, ["beginner"] * players))
    assert asked == []
    arena.get_ready(_plan(book, ["thinker"] + ["beginner"] * (players - 1)))
    assert asked == [book]
