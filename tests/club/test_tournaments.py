"""Tournaments: results by person, team and club are plain sums, whatever is corrected on the way."""

from __future__ import annotations

from collections import defaultdict
from fractions import Fraction
from itertools import pairwise
from random import Random

import pytest
from msgspec.structs import replace

from clubs import french_entry
from ultimo import french, rulebook
from ultimo.club import plausible, standings
from ultimo.club import tournament as t
from ultimo.club.drawing import drawn
from ultimo.club.duplicate import by_seat
from ultimo.club.presets import PRESETS
from ultimo.club.sheet import Refused
from ultimo.events import balances
from ultimo.names import LANGUAGES

CLUBS = ("HjT", "VLK", "FFT", "BVT")


def begun(preset: str = "danish-championship", /, **changes: object) -> t.Tournament:
    return t.begin(t.Begun(by="host", name="DM", terms=replace(PRESETS[preset], **changes), seed="s"))


def people(many: int, team: int = 4) -> tuple[t.Person, ...]:
    return tuple(
        t.Person(f"Player {number}", f"Team {number // team}", CLUBS[number % len(CLUBS)])
        for number in range(many)
    )


def seven_tables(order: list[int]) -> tuple[t.Table, ...]:
    """Twenty-five people at four tables of four and three of three."""
    cuts = [0, 4, 8, 12, 16, 19, 22, 25]
    return tuple(tuple(order[start:end]) for start, end in pairwise(cuts))


def points(rng: Random, seats: int) -> tuple[int, ...]:
    made = [rng.randrange(-60, 60) * 5 for _ in range(seats - 1)]
    return (*made, -sum(made))


def championship(rng: Random) -> tuple[t.Tournament, list[t.AnyFact]]:
    found, log = begun(), []

    def write(fact: t.AnyFact) -> None:
        nonlocal found
        found = t.decide(found, fact)
        log.append(fact)

    write(t.Entered(people=people(25)))
    for number in (1, 2):
        order = rng.sample(range(1, 26), 25)
        write(t.Seated(round=number, tables=seven_tables(order)))
        for place, table in enumerate(found.tables[number], 1):
            result = t.Result(points(rng, len(table)))
            write(t.Reported(round=number, table=place, result=result))
            if rng.random() < 0.3:
                result = t.Result(points(rng, len(table)))
                write(t.Amended(round=number, table=place, result=result, note="typed wrongly"))
        write(t.RoundClosed(round=number))
    write(t.Penalised(who=3, hundredths=10_000, note="sheet not returned"))
    write(t.Closed())
    return found, log


@pytest.mark.parametrize("seed", range(5))
def test_a_championship_of_tables_of_three_and_four_adds_up(seed: int) -> None:
    found, log = championship(Random(seed))
    first = t.Begun(by="host", name="DM", terms=PRESETS["danish-championship"], seed="s")
    assert t.fold([first, *log]) == found

    last: dict[tuple[int, int], tuple[int, ...]] = {}
    for fact in log:
        if isinstance(fact, t.Reported | t.Amended):
            last[fact.round, fact.table] = fact.result.points
    alone: dict[int, int] = defaultdict(int)
    for (number, place), made in last.items():
        for who, one in zip(found.tables[number][place - 1], made, strict=True):
            alone[who] += one
    alone[3] -= 100
    assert {one.who[0]: one.score for one in standings.people(found)} == alone
    by_team: dict[str, int] = defaultdict(int)
    by_club: dict[str, list[int]] = defaultdict(list)
    for number, person in enumerate(people(25), 1):
        by_team[person.team] += alone[number]
        by_club[person.club].append(alone[number])
    assert {one.name: one.score for one in standings.teams(found)} == by_team
    means = {club: Fraction(sum(made), len(made)) for club, made in by_club.items()}
    assert {one.name: one.score for one in standings.clubs(found)} == means
    summed = replace(found, terms=replace(found.terms, clubs="sum"))
    assert {one.name: one.score for one in standings.clubs(summed)} == {
        club: sum(made) for club, made in by_club.items()
    }
    for table in (standings.people(found), standings.teams(found), standings.clubs(found)):
        for earlier, later in pairwise(table):
            assert earlier.score >= later.score
            assert (earlier.place == later.place) == (earlier.score == later.score)


def two_tables(**changes: object) -> t.Tournament:
    found = t.decide(begun("danish-championship", **changes), t.Entered(people=people(7)))
    return t.decide(found, t.Seated(round=1, tables=((1, 2, 3, 4), (5, 6, 7))))


def report(
    found: t.Tournament, number: int, place: int, *made: int, deals: int = 0, cups: int = 0
) -> t.Tournament:
    result = t.Result(made, deals=deals, cups=cups)
    return t.decide(found, t.Reported(round=number, table=place, result=result))


def places(found: t.Tournament) -> dict[int, int]:
    return {one.who[0]: one.place for one in standings.people(found)}


def test_the_same_score_is_the_same_place_unless_the_terms_break_the_tie() -> None:
    def played(ties: str) -> t.Tournament:
        found = report(two_tables(ties=ties), 1, 1, 30, 10, 0, -40)
        found = report(found, 1, 2, 40, -20, -20)
        found = t.decide(found, t.RoundClosed(round=1))
        found = t.decide(found, t.Seated(round=2, tables=((1, 2, 5, 4), (3, 6, 7))))
        found = report(found, 2, 1, 30, 10, 20, -60)
        return report(found, 2, 2, 0, 0, 0)

    assert places(played("shared")) == {1: 1, 5: 1, 2: 3, 3: 4, 6: 5, 7: 5, 4: 7}
    assert places(played("bestRound"))[5] == 1
    assert places(played("bestRound"))[1] == 2
    assert places(played("lastRound"))[1] == 1
    assert places(played("lastRound"))[5] == 2


def test_everybody_plays_as_many_deals_at_tables_of_three_and_four() -> None:
    found = two_tables(compare="perDeal")
    assert (t.deals_at(found, 3), t.deals_at(found, 4)) == (12, 16)
    found = report(found, 1, 1, 30, 30, 30, -90)
    found = report(found, 1, 2, 30, 30, -60, deals=6)
    scores = {one.who[0]: one.score for one in standings.people(found)}
    assert (scores[1], scores[5]) == (Fraction(30, 12), Fraction(30, 6))
    assert t.deals_at(begun("french-individual"), 3) == t.deals_at(begun("french-individual"), 4) == 4


def test_a_stand_in_plays_on_under_the_same_number_and_a_round_is_drawn_anew_without_who_leaves() -> None:
    found = report(two_tables(), 1, 1, 30, 10, 0, -40)
    with pytest.raises(Refused, match="let somebody stand in"):
        t.decide(found, t.Withdrew(who=7, round=1))
    found = t.decide(found, t.StoodIn(who=7, round=1, name="Karen"))
    assert found.entrant(7).name_in(1) == "Karen"
    found = t.decide(report(found, 1, 2, 5, 5, -10), t.RoundClosed(round=1))
    found = t.decide(found, t.Seated(round=2, tables=((1, 2, 3), (4, 5, 6, 7))))
    found = t.decide(found, t.Withdrew(who=7, round=2))
    assert 2 not in found.tables
    found = t.decide(found, t.Seated(round=2, tables=((1, 2, 3), (4, 5, 6))))
    assert t.idle(found, 2) == ()
    line = next(one for one in standings.people(found) if one.who == (7,))
    assert [line.score, *line.rounds] == [-10, -10, None]
    assert t.decide(found, t.Returned(who=7)).entrant(7).plays(2)


def test_the_points_of_a_table_add_up_to_what_is_not_left_in_its_cups() -> None:
    with pytest.raises(Refused, match="add up to zero"):
        report(two_tables(), 1, 1, 30, 10, 0, -80)
    with pytest.raises(Refused, match="have been divided"):
        report(two_tables(), 1, 1, 30, 10, 0, -80, cups=40)
    found = report(two_tables(divided=False), 1, 1, 30, 10, 0, -80, cups=40)
    assert found.results[1, 1].cups == 40
    with pytest.raises(Refused, match="add up to zero"):
        report(found, 1, 2, 10, 10, -10, cups=10)
    french = t.decide(begun("french-individual"), t.Entered(people=people(4)))
    french = t.decide(french, t.Seated(round=1, tables=((1, 2, 3, 4),)))
    with pytest.raises(Refused, match="they add up to 30"):
        report(french, 1, 1, 100, -20, -20, -30)


def refusals() -> list[tuple[str, t.AnyFact, t.Role]]:
    done = t.Result((0, 0, 0, 0))
    return [
        ("tournament.notOrganiser", t.Closed(), "scorer"),
        ("tournament.alreadyBegun", t.Begun(name="x", terms=PRESETS["french-duplicate"]), "organiser"),
        ("tournament.twice", t.Entered(people=people(1)), "organiser"),
        ("tournament.noName", t.Entered(people=(t.Person(" "),)), "organiser"),
        ("tournament.nameTooLong", t.Renamed(who=1, person=t.Person("x", "y" * 61)), "organiser"),
        ("tournament.tooManyPeople", t.Entered(people=people(1) * 400), "organiser"),
        ("tournament.noSuchPerson", t.Returned(who=8), "organiser"),
        ("tournament.notWithdrawn", t.Returned(who=1), "organiser"),
        ("tournament.noSuchRound", t.Withdrew(who=1, round=3), "organiser"),
        ("tournament.wrongTable", t.Seated(round=1, tables=((1, 2),)), "organiser"),
        ("tournament.seatedTwice", t.Seated(round=1, tables=((1, 2, 1),)), "organiser"),
        ("tournament.noSuchTable", t.Reported(round=1, table=3, result=done), "scorer"),
        ("tournament.notReported", t.Amended(round=1, table=1, result=done), "scorer"),
        ("tournament.eachSeat", t.Reported(round=1, table=2, result=done), "scorer"),
        ("tournament.noBoards", t.Reported(round=1, table=1, result=t.Result((), ((0,),))), "scorer"),
        ("tournament.missing", t.RoundClosed(round=1), "organiser"),
        ("tournament.notNext", t.RoundClosed(round=2), "organiser"),
        ("tournament.penalty", t.Penalised(who=1, hundredths=0), "organiser"),
        ("tournament.notClosed", t.Reopened(), "organiser"),
        ("nobody", t.ScorerNamed(who=""), "organiser"),
        ("tournament.doubt.step", t.Reported(round=1, table=1, result=t.Result((33, -33, 0, 0))), "scorer"),
        (
            "tournament.doubt.most",
            t.Reported(round=1, table=1, result=t.Result((5655, -5655, 0, 0))),
            "scorer",
        ),
    ]


@pytest.mark.parametrize(("key", "fact", "role"), refusals())
def test_what_cannot_be_is_refused_in_every_language(key: str, fact: t.AnyFact, role: t.Role) -> None:
    with pytest.raises(Refused) as refused:
        t.decide(two_tables(), fact, role)
    assert refused.value.key == key
    assert all(refused.value.told(language) for language in LANGUAGES)


def test_what_is_closed_stays_as_it_is() -> None:
    found = report(report(two_tables(), 1, 1, 0, 0, 0, 0), 1, 2, 0, 0, 0)
    facts: list[tuple[str, t.AnyFact]] = [
        ("tournament.alreadyReported", t.Reported(round=1, table=1, result=t.Result((0, 0, 0, 0)))),
        ("tournament.hasResults", t.Seated(round=1, tables=((1, 2, 3),))),
    ]
    for key, fact in facts:
        with pytest.raises(Refused) as refused:
            t.decide(found, fact)
        assert refused.value.key == key
    found = t.decide(t.decide(found, t.RoundClosed(round=1)), t.Withdrew(who=1, round=2))
    facts = [
        ("tournament.roundClosed", t.Withdrew(who=2, round=1)),
        ("tournament.withdrawn", t.Seated(round=2, tables=((1, 2, 3),))),
    ]
    for key, fact in facts:
        with pytest.raises(Refused) as refused:
            t.decide(found, fact)
        assert refused.value.key == key
    over = t.decide(found, t.Closed())
    with pytest.raises(Refused, match="the tournament is over"):
        t.decide(over, t.Entered(people=people(8)[7:]))
    assert not t.decide(over, t.Reopened()).closed
    assert t.decide(over, t.Published(public=True)).public


@pytest.mark.parametrize(
    ("key", "preset", "changes"),
    [
        ("tournament.rounds", "french-individual", {"rounds": 0}),
        ("tournament.deals", "french-individual", {"deals": 61}),
        ("tournament.sizes", "danish-championship", {"sizes": (6,)}),
        ("tournament.sizes", "danish-championship", {"sizes": ()}),
        ("tournament.teamsOfFour", "french-triplette", {"rules": "dtf"}),
        ("tournament.oneSize", "french-duplicate", {"sizes": (4, 3)}),
    ],
)
def test_terms_that_fit_no_rules_are_refused(key: str, preset: str, changes: dict[str, object]) -> None:
    with pytest.raises(Refused) as refused:
        begun(preset, **changes)
    assert refused.value.key == key


def test_who_may_write() -> None:
    found = t.decide(begun(), t.ScorerNamed(who="scribe"))
    assert t.role_of(found, ["host"]) == "organiser"
    assert t.role_of(found, ["other", "scribe"]) == "scorer"
    assert t.role_of(found, ["other"]) is None
    assert t.role_of(found, [], secretary=True) == "organiser"
    found = t.decide(found, t.ScorerNamed(who="scribe", may=False))
    assert t.role_of(found, ["scribe"]) is None


def test_tables_are_drawn_without_who_has_left_and_teams_do_not_meet() -> None:
    found = t.decide(begun(rounds=3), t.Entered(people=people(13, team=3)))
    first = drawn(found, "seed")
    assert list(first) == [1, 2, 3]
    found = t.decide(found, t.Seated(round=1, tables=first[1]))
    for place, table in enumerate(found.tables[1], 1):
        found = report(found, 1, place, *[0] * len(table))
    found = t.decide(found, t.Withdrew(who=13, round=2))
    again = drawn(found, "seed")
    assert list(again) == [2, 3]
    for tables in again.values():
        assert sorted(who for table in tables for who in table) == list(range(1, 13))
        assert all(len({found.entrant(who).person.team for who in table}) == len(table) for table in tables)
    with pytest.raises(Refused, match="3 to 100 people"):
        drawn(begun(), "seed")


def french_table(preset: str) -> t.Tournament:
    found = t.decide(begun(preset), t.Entered(people=people(4)))
    return t.decide(found, t.Seated(round=1, tables=((1, 2, 3, 4),)))


@pytest.mark.parametrize(
    ("score", "possible"), [(620, True), (622, False), (57, False), (-422, True), (-424, False)]
)
def test_a_garde_pays_an_even_number_and_at_most_a_slam(score: int, possible: bool) -> None:
    """By the payments of the book: 25 and 55 points twice, the petit, three poignées' worth and a slam."""
    found = french_table("french-duplicate")
    result = t.Result(boards=(by_seat(50, 0, 4), (), by_seat(score, 2, 4), ()))
    fact = t.Reported(round=1, table=1, result=result)
    if not possible:
        with pytest.raises(Refused) as refused:
            t.decide(found, fact)
        assert (refused.value.key, refused.value.field) == ("tournament.doubt.garde", "anyway")
        assert refused.value.values["board"] == 3
        assert all(str(score) in refused.value.told(language) for language in LANGUAGES)
    assert t.decide(found, replace(fact, anyway=True)).results[1, 1] == result


def test_free_deals_of_four_differ_by_multiples_of_four() -> None:
    found = french_table("french-individual")
    assert report(found, 1, 1, 62, -2, -30, -30).results
    for made in ((61, -1, -30, -30), (4 * 2940 + 4, -4 * 2940 - 4, 0, 0)):
        with pytest.raises(Refused) as refused:
            report(found, 1, 1, *made)
        assert refused.value.field == "anyway"
        assert all(refused.value.told(language) for language in LANGUAGES)


def test_every_deal_that_a_french_book_settles_is_possible() -> None:
    rng = Random(4)
    for book in ("french3", "french4", "fft3", "fft4"):
        rules = rulebook.load(book)
        assert isinstance(rules, rulebook.FrenchRules)
        for _ in range(200):
            entry = french_entry(rng, rules.players)
            happened = french.Outcome(
                players=rules.players,
                taker=entry.taker or 0,
                bid=entry.bid,
                half_points=entry.half_points,
                bouts=entry.bouts,
                petit_au_bout=rng.choice((None, "taker", "defence")),
            )
            paid = balances(french.settle(rules, happened).transfers)
            assert plausible.doubt_of_table(rules, [paid[seat] for seat in range(rules.players)], 1) is None
            assert french.score(rules, happened).value in plausible.scores(rules, entry.bid)


def test_house_rules_change_what_danish_payments_are_multiples_of() -> None:
    assert plausible.payment_step(rulebook.load("dtf", {"count.mode": "off"})) == 5
    assert plausible.payment_step(rulebook.load("dtf", {"count.mode": "exact"})) == 1
    assert plausible.payment_step(rulebook.load("dtf", {"bagud.pagatExtraCup": 3})) == 1
