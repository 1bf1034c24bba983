"""Duplicate: the marks of the federation's own examples, and teams that play each other as they should."""

from __future__ import annotations

from collections import Counter, defaultdict
from fractions import Fraction
from itertools import combinations
from random import Random

import pytest
from msgspec.structs import replace

from ultimo import rulebook
from ultimo.club import duplicate as d
from ultimo.club import standings
from ultimo.club import tournament as t
from ultimo.club.drawing import drawn
from ultimo.club.presets import PRESETS
from ultimo.club.sheet import Refused


def played(preset: str, many: int, team: int, seed: int, **changes: object) -> t.Tournament:
    """A whole tournament with random results."""
    rng = Random(seed)
    terms = replace(PRESETS[preset], **changes)
    found = t.begin(t.Begun(by="host", name="Open", terms=terms, seed=str(seed)))
    entering = tuple(t.Person(f"J{number}", f"E{number // team}", "") for number in range(many))
    found = t.decide(found, t.Entered(people=entering))
    for number, tables in drawn(found, "").items():
        found = t.decide(found, t.Seated(round=number, tables=tables))
        for place in range(1, len(tables) + 1):
            boards = []
            for board in range((number - 1) * terms.deals + 1, number * terms.deals + 1):
                taker = t.taker_on(found, board)
                assert taker is not None
                boards.append(d.by_seat(rng.choice((-1, 1)) * rng.randrange(50, 130, 2), taker, 4))
            fact = t.Reported(round=number, table=place, result=t.Result(boards=tuple(boards)))
            found = t.decide(found, fact)
        found = t.decide(found, t.RoundClosed(round=number))
    return found


def test_the_presets_of_the_federation_follow_its_rules() -> None:
    french = [one for name, one in PRESETS.items() if name.startswith("french-")]
    assert [one.rules for one in french] == ["fft4"] * 4
    assert {rulebook.sister(one.rules, size) for one in french for size in one.sizes} == {"fft3", "fft4"}


def test_defenders_have_the_complement_of_their_takers_mark() -> None:
    takers = (56, 62, -56, -52, 50)
    tables = [
        d.Played(1, place, (1, 2, 3, 4), d.by_seat(score, 2, 4), 2) for place, score in enumerate(takers)
    ]
    marks = [one.marks for one in d.marked(tables, "percent")]
    assert [row[2] for row in marks] == [75, 100, 0, 25, 50]
    for row in marks:
        assert {row[0], row[1], row[3]} == {100 - row[2]}
    assert [sum(column) for column in zip(*(one.marks for one in d.marked(tables, "mean")), strict=True)] == [
        0
    ] * 4


def test_the_same_results_share_their_marks() -> None:
    assert d.percents((10, 10, -10)) == [75, 75, 0]
    assert d.percents((5, 5)) == [50, 50]
    assert d.percents((7,)) == [50]


def test_match_points_are_the_root_of_the_difference() -> None:
    team = {1: "A", 2: "A", 3: "A", 4: "A", 5: "B", 6: "B", 7: "B", 8: "B"}

    def match(ours: int, theirs: int) -> list[list[int]]:
        here = d.Played(1, 1, (1, 6, 7, 8), d.by_seat(ours, 0, 4), 0)
        there = d.Played(1, 2, (5, 2, 3, 4), d.by_seat(theirs, 0, 4), 0)
        return [list(map(int, one.marks)) for one in d.marked([here, there], "match", team)]

    assert match(82, 66) == [[4, -4, -4, -4], [-4, 4, 4, 4]]
    assert match(68, -76) == [[12, -12, -12, -12], [-12, 12, 12, 12]]
    assert d.match_points(10, 8) == Fraction(141, 100)
    alone = d.Played(1, 1, (1, 6, 7, 8), d.by_seat(50, 0, 4), 0)
    assert set(d.marked([alone], "match", team)[0].marks) == {0}


def test_a_duplicate_of_eight_tables_is_ranked_by_a_quarter_attack_and_three_quarters_defence() -> None:
    found = played("french-duplicate", 32, 4, seed=1)
    for tables in found.tables.values():
        assert [len(table) for table in tables] == [4] * 8
    own: dict[int, tuple[list[Fraction], list[Fraction]]] = {one: ([], []) for one in range(1, 33)}
    for (number, place), result in found.results.items():
        table = found.tables[number][place - 1]
        for slot, points in enumerate(result.boards):
            same = [found.results[number, other].boards[slot] for other in range(1, 9)]
            for seat, who in enumerate(table):
                others = [one[seat] for one in same]
                better = sum(one < points[seat] for one in others)
                equal = others.count(points[seat]) - 1
                mark = Fraction(100 * (2 * better + equal), 14)
                own[who][points[seat] != -3 * points[seat - 1]].append(mark)
    expected = {
        who: sum(attack) / len(attack) / 4 + sum(defence) / len(defence) * 3 / 4
        for who, (attack, defence) in own.items()
    }
    assert {one.who[0]: one.score for one in standings.people(found)} == expected
    assert sum(expected.values()) == 32 * 50
    assert len(standings.boards(found)) == 24
    assert all(len(lines) == 8 for lines in standings.boards(found).values())


def test_individuals_of_eight_tables_meet_nobody_twice_in_four_rounds() -> None:
    rounds = d.individuals(range(32), 4, 4)
    met = Counter(frozenset(two) for tables in rounds for table in tables for two in combinations(table, 2))
    assert max(met.values()) == 1


def test_teams_of_three_attack_as_often_as_each_other_and_defend_together() -> None:
    found = played("french-triplette", 24, 3, seed=2, rounds=8)
    attacks: Counter[str] = Counter()
    for tables in found.tables.values():
        assert sorted(who for table in tables for who in table) == list(range(1, 25))
        for taker, *defence in tables:
            assert len({found.entrant(who).person.team for who in defence}) == 1
            assert found.entrant(taker).person.team != found.entrant(defence[0]).person.team
            attacks[found.entrant(taker).person.team] += 1
    assert set(attacks.values()) == {6}
    lines = standings.teams(found)
    assert len(lines) == 8
    assert sum(one.score for one in lines) == 8 * 50


def test_teams_of_four_meet_at_two_tables_and_win_what_the_others_lose() -> None:
    found = played("french-quadrette", 16, 4, seed=3, rounds=3)
    met: Counter[tuple[str, str]] = Counter()
    for tables in found.tables.values():
        assert sorted(who for table in tables for who in table) == list(range(1, 17))
        for taker, *defence in tables:
            met[found.entrant(taker).person.team, found.entrant(defence[0]).person.team] += 1
    assert set(met.values()) == {1}
    assert len(met) == 12
    lines = standings.teams(found)
    assert sum(one.score for one in lines) == 0
    won: defaultdict[str, Fraction] = defaultdict(Fraction)
    for number, tables in found.tables.items():
        for place in range(1, len(tables), 2):
            here, there = found.results[number, place], found.results[number, place + 1]
            for ours, theirs in zip(here.boards, there.boards, strict=True):
                mark = d.match_points(-ours[1], -theirs[1])
                won[found.entrant(tables[place - 1][0]).person.team] += mark
                won[found.entrant(tables[place][0]).person.team] -= mark
    assert {one.name: one.score for one in lines} == won


def test_a_board_that_a_table_did_not_play_counts_for_the_others_only() -> None:
    found = played("french-duplicate", 8, 1, seed=4, rounds=1)
    result = found.results[1, 1]
    missing = t.Result(boards=((), *result.boards[1:]))
    found = t.decide(found, t.Amended(round=1, table=1, result=missing))
    assert [len(lines) for lines in standings.boards(found).values()] == [1, 2, 2, 2]
    assert set(standings.boards(found)[1][0].marks) == {50}


@pytest.mark.parametrize(
    ("key", "preset", "many", "team"),
    [
        ("tournament.tooFew", "french-duplicate", 3, 1),
        ("tournament.teamSize", "french-triplette", 11, 3),
        ("tournament.manyTeams", "french-triplette", 15, 3),
        ("tournament.manyTeams", "french-quadrette", 12, 4),
    ],
)
def test_teams_that_cannot_be_seated_are_refused(key: str, preset: str, many: int, team: int) -> None:
    with pytest.raises(Refused) as refused:
        played(preset, many, team, seed=0)
    assert refused.value.key == key


def test_nothing_is_drawn_when_all_is_played() -> None:
    with pytest.raises(Refused, match="nothing to draw"):
        drawn(played("french-duplicate", 8, 1, seed=4, rounds=1), "")


def test_boards_have_a_result_for_each_that_adds_up() -> None:
    found = t.begin(t.Begun(by="h", name="D", terms=PRESETS["french-duplicate"], seed="1"))
    found = t.decide(found, t.Entered(people=tuple(t.Person(f"J{one}") for one in range(4))))
    found = t.decide(found, t.Seated(round=1, tables=((1, 2, 3, 4),)))
    for key, boards in (
        ("tournament.boards", ((0, 0, 0, 0),)),
        ("tournament.sum", ((9, 0, 0, 0), (), (), ())),
        ("tournament.eachSeat", ((0, 0, 0), (), (), ())),
    ):
        with pytest.raises(Refused) as refused:
            t.decide(found, t.Reported(round=1, table=1, result=t.Result(boards=boards)))
        assert refused.value.key == key
