"""The club's log: who may write what, what fits, and what a season comes to."""

from __future__ import annotations

from collections import defaultdict
from fractions import Fraction
from random import Random
from typing import Any, get_args

import pytest
from msgspec.structs import replace

from clubs import KAREN, SCRAPPED, Log, french_entry
from ultimo.cards import parse_card
from ultimo.club import club as c
from ultimo.club import sheet as s
from ultimo.club.archive import (
    Whole,
    export,
    facts_of,
    parse,
    portable,
    read,
    result_rows,
    standing_rows,
    standings_of,
    with_sheets,
)
from ultimo.club.entries import DanishDeal, FrenchDeal
from ultimo.club.files import SheetError, to_csv
from ultimo.club.season import ALL, charts, chronicle, current, deals_of, played, records, tally_of
from ultimo.club.sheet import Refused
from ultimo.names import LANGUAGES, club_words

WON = DanishDeal(winner=1, counts={1: 30, 3: 20})
PAGAT = DanishDeal(winner=2, won_with=parse_card("T1"), counts={2: 31, 0: 22})
SEATED: dict[str, Any] = {"evening": "e1", "round": 1, "table": 1, "sheet": "x", "seats": ("m1",)}


def refused(log: Log, kind: Any, **values: Any) -> str:
    with pytest.raises(Refused) as info:
        log.write(kind, **values)
    assert all(info.value.told(language) for language in LANGUAGES)
    return info.value.key


# --- what fits -------------------------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("kind", "values", "key"),
    [
        (c.Founded, {"name": "Another"}, "clubFounded"),
        (c.Renamed, {"name": "  "}, "noName"),
        (c.Renamed, {"name": "x" * 61}, "longName"),
        (c.HouseRules, {"name": "Ours", "book": "none"}, "badRules"),
        (c.HouseRules, {"name": "Ours", "book": "dtf", "overrides": {"no.such": 1}}, "badRules"),
        (c.SettingsChanged, {"scoring": c.Scoring("best")}, "badScoring"),
        (c.MemberAdded, {"member": "m9", "name": "Ida"}, "noSuchMember"),
        (c.MemberAdded, {"member": "m5", "name": "MEMBER 2"}, "sameName"),
        (c.MemberRenamed, {"member": "m2", "name": "member 3"}, "sameName"),
        (c.MemberReturned, {"member": "m2"}, "isThere"),
        (c.MemberLeft, {"member": "m1"}, "lastSecretary"),
        (c.RoleGiven, {"member": "m1", "role": "scorer"}, "lastSecretary"),
        (c.AccountUnlinked, {"member": "m1"}, "lastSecretary"),
        (c.AccountUnlinked, {"member": "m2"}, "notLinked"),
        (c.AccountLinked, {"member": "m1", "player": "another"}, "isLinked"),
        (c.SeasonOpened, {"season": "s1", "name": "2026"}, "noSuchSeason"),
        (c.SeasonReopened, {"season": "s1"}, "seasonOpen"),
        (c.SeasonClosed, {"season": "s1"}, "eveningsRun"),
        (c.EveningOpened, {"evening": "e2", "day": "2026-02-30"}, "badDay"),
        (c.EveningOpened, {"evening": "e2", "day": "2026-02-03", "season": "s7"}, "noSuchSeason"),
        (c.AttendanceSet, {"evening": "e1", "members": ("m1", "m1")}, "twice"),
        (c.AttendanceSet, {"evening": "e1", "members": ("m8",)}, "noSuchMember"),
        (c.AttendanceSet, {"evening": "e1", "members": (), "guests": {"m1": "Ole"}}, "noSuchMember"),
        (c.AttendanceSet, {"evening": "e1", "members": ("m1",), "guests": {"g1": "Member 1"}}, "sameName"),
        (c.AttendanceSet, {"evening": "e1", "members": ("m1",), "late": {"m1": 99}}, "badRound"),
        (c.Drawn, {"evening": "e1", "rounds": ((("m1", "m2"), ("m1", "m3")),)}, "badTables"),
        (
            c.SheetLinked,
            {"evening": "e1", "round": 1, "table": 1, "sheet": "x", "seats": ("m7",)},
            "badTables",
        ),
        (c.SheetUnlinked, {"evening": "e1", "sheet": "x"}, "noSuchSheet"),
        (c.Counted, {"evening": "e1", "source": "x", "results": (c.Result("m9", 1),)}, "noSuchMember"),
        (c.Uncounted, {"evening": "e1", "source": "x"}, "notCounted"),
        (c.EveningReopened, {"evening": "e1"}, "eveningOpen"),
        (c.EveningClosed, {"evening": "e9"}, "noSuchEvening"),
        (c.Chronicled, {"text": " "}, "badText"),
    ],
)
def test_what_does_not_fit_is_refused(kind: Any, values: dict[str, Any], key: str) -> None:
    log = Log()
    log.season()
    log.evening("2026-11-17", ("m1", "m2", "m3"), "s1")
    before = log.club
    assert refused(log, kind, **values) == key
    assert log.club == before


def test_a_club_has_room_for_so_many() -> None:
    log = Log(members=c.MOST_MEMBERS)
    assert refused(log, c.MemberAdded, member="m201", name="One more") == "manyMembers"


def test_what_is_closed_stays_as_it_is_until_it_is_opened_again() -> None:
    log = Log()
    season = log.season()
    evening = log.evening("2026-11-17", ("m1", "m2", "m3"), season)
    log.write(c.EveningClosed, evening=evening)
    assert refused(log, c.AttendanceSet, evening=evening, members=()) == "eveningClosed"
    log.write(c.SeasonClosed, season=season)
    assert refused(log, c.EveningReopened, evening=evening) == "seasonClosed"
    assert refused(log, c.EveningOpened, evening="e2", day="2026-11-18", season=season) == "seasonClosed"
    log.write(c.SeasonReopened, season=season)
    log.write(c.EveningReopened, evening=evening)
    log.write(c.AttendanceSet, evening=evening, members=("m4",))
    assert log.club.evenings[evening].members == ("m4",)


@pytest.mark.parametrize(
    ("role", "may"),
    [
        ("member", {c.MemberLeft, c.AccountUnlinked}),
        ("scorer", {c.MemberLeft, c.AccountUnlinked, c.RoleAsked, *c.SCORERS}),
        ("secretary", set(get_args(c.AnyFact))),
    ],
)
def test_who_may_write_what(role: c.Role, may: set[Any]) -> None:
    samples = {kind: _sample(kind) for kind in get_args(c.AnyFact)}
    allowed = {kind for kind, one in samples.items() if c.may(c.Member("m2", "Bo", role), one)}
    assert allowed == may
    others = c.MemberLeft(member="m3")
    assert c.may(c.Member("m2", "Bo", role), others) == (role == "secretary")
    assert not any(
        c.may(None, one) or c.may(c.Member("m2", "Bo", role, left=True), one) for one in samples.values()
    )


def _sample(kind: Any) -> c.AnyFact:
    values: dict[str, Any] = {"member": "m2", "evening": "e1", "season": "s1", "name": "Bo", "role": "member"}
    values |= {"player": "x", "day": "2026-11-17", "members": (), "rounds": (), "sheet": "x", "seats": ()}
    values |= {"round": 1, "table": 1, "source": "x", "text": "x", "book": "dtf"}
    fact: c.AnyFact = kind(**{name: values[name] for name in kind.__struct_fields__ if name in values})
    return fact


def test_two_who_write_about_the_same_are_told_apart_from_two_who_do_not() -> None:
    subjects = {c.subject(c.AttendanceSet(evening=one, members=())) for one in ("e1", "e2")}
    assert len(subjects) == 2
    assert c.subject(c.EveningClosed(evening="e1")) == c.subject(c.EveningReopened(evening="e1"))
    assert c.subject(c.MemberAdded(member="m1", name="Bo")) == ""


# --- a season --------------------------------------------------------------------------------------------


@pytest.fixture(scope="module")
def season() -> Log:
    """Thirty evenings of 24 members, six tables each, through the log."""
    rng, log = Random(78), Log("french4", 24)
    log.season("2025/26", by="best", best=20, least=10)
    for number in range(30):
        there = [f"m{one}" for one in range(1, 25)]
        rng.shuffle(there)
        there = there[: rng.choice((16, 20, 24))]
        evening = log.evening(f"2026-{number // 28 + 1:02}-{number % 28 + 1:02}", tuple(there), "s1")
        tables = tuple(tuple(there[place : place + 4]) for place in range(0, len(there), 4))
        log.write(c.Drawn, evening=evening, rounds=(tables,), seed=str(number))
        for table, seats in enumerate(tables, 1):
            log.play(evening, table, seats, *(french_entry(rng, 4) for _ in range(4)))
        log.write(c.EveningClosed, evening=evening)
    return log


def independent(log: Log) -> dict[str, list[int]]:
    """What each member won on each evening, added up from the sheets alone."""
    won: dict[tuple[str, str], int] = defaultdict(int)
    for fact in log.facts:
        if isinstance(fact, c.SheetLinked):
            totals = s.ledger(s.fold(log.sheets[fact.sheet])).totals
            for member, points in zip(fact.seats, totals, strict=True):
                won[member, fact.evening] += points
    return {f"m{one}": [p for (who, _), p in won.items() if who == f"m{one}"] for one in range(1, 25)}


def test_a_season_is_what_its_sheets_add_up_to(season: Log) -> None:
    alone = independent(season)
    found = standings_of(season.club, "s1")
    assert {one.member: one.total for one in found} == {who: sum(points) for who, points in alone.items()}
    assert {one.member: one.evenings for one in found} == {who: len(points) for who, points in alone.items()}
    assert {one.member: one.score for one in found} == {
        who: sum(sorted(points)[-20:]) for who, points in alone.items()
    }
    assert sum(one.total for one in found) == 0
    assert sum(one.won for one in found) >= 30
    ranked = [one for one in found if one.place]
    assert [one.score for one in ranked] == sorted((one.score for one in ranked), reverse=True)
    assert all((one.place == 0) == (one.evenings < 10) for one in found)
    some = played(season.club, "s1")
    for one in charts(some):
        assert [points for points in one.points if points is not None] == alone[one.member]
        assert one.totals[-1] == sum(alone[one.member])
        tally = tally_of(some, one.member)
        assert tally.points_won - tally.points_lost == sum(alone[one.member])
        assert sum(bid.taken for bid in tally.contracts.values()) <= 4 * len(alone[one.member])
    best = next(one for one in records(some) if one.kind == "evening")
    assert best.value == max(max(points) for points in alone.values())


@pytest.mark.parametrize("by", ["total", "mean", "best"])
def test_ties_share_a_place_and_who_came_rarely_has_none(by: c.Measure) -> None:
    log = Log(members=4)
    log.season("2026", by=by, best=1 if by == "best" else 0, least=2)
    for day, points in (("2026-01-01", (10, 10, -30, 10)), ("2026-01-02", (-4, -4, 8))):
        evening = log.evening(day, ("m1", "m2", "m3", "m4"), "s1")
        log.count(evening, {f"m{place}": one for place, one in enumerate(points, 1)})
    found = [(one.place, one.member, int(one.score)) for one in standings_of(log.club, "s1")]
    scores = {"total": (6, 6, -22, 10), "mean": (3, 3, -11, 10), "best": (10, 10, 8, 10)}[by]
    assert found == [(1, "m1", scores[0]), (1, "m2", scores[1]), (3, "m3", scores[2]), (0, "m4", scores[3])]


def test_counted_again_takes_the_place_of_the_first_count() -> None:
    log = Log()
    evening = log.evening("2026-11-17", ("m1", "m2", "m3"))
    log.count(evening, {"m1": 5, "m2": -5}, "sheet")
    log.count(evening, {"m1": 7, "m2": -7}, "sheet")
    log.count(evening, {"m1": 1, "m3": -1}, "other")
    assert {one.member: one.score for one in standings_of(log.club, ALL)} == {"m1": 8, "m2": -7, "m3": -1}
    log.write(c.Uncounted, evening=evening, source="sheet")
    assert {one.member: one.score for one in standings_of(log.club, ALL)} == {"m1": 1, "m3": -1}


def test_deals_of_a_table_are_told_where_nobody_has_counted_them() -> None:
    log = Log()
    key = log.play(
        log.evening("2026-11-17", ("m1", "m2", "m3", "m4")), 1, ("m1", "m2", "m3", "m4"), *[SCRAPPED] * 5
    )
    count = log.club.evenings["e1"].counts[key]
    assert max(one.deals for one in count.results) < 5
    assert (count.deals, deals_of(count)) == (0, 5)  # as an older log has it
    assert deals_of(replace(count, deals=6)) == 6


def test_a_danish_evening_is_tallied_and_remembered() -> None:
    log = Log()
    evening = log.evening("2026-11-17", ("m1", "m2", "m3"), guests={"g1": "Ole"})
    log.play(evening, 1, ("m1", "m2", "m3", "g1"), WON, PAGAT, SCRAPPED)
    log.write(c.Chronicled, text="The first evening in the new room", evening=evening)
    log.write(c.EveningClosed, evening=evening)
    some = played(log.club)
    assert some.members == ["m1", "m2", "m3"]
    assert [tally_of(some, one).pagats for one in some.members] == [0, 0, 1]
    tally = tally_of(some, "m3")
    assert tally.cup > 0
    assert (tally.won, tally.dealt) == (1, 1)
    assert some.brought[0]["m3"].deals == 2  # sat out once
    told = [line.text for line in chronicle(log.club, log.facts, "en")]
    assert "Member 3 made a pagat ultimo" in " ".join(told)
    assert "The first evening in the new room" in told
    assert [line.text for line in chronicle(log.club, log.facts, "da") if "lavede pagatultimo" in line.text]
    log.write(c.EveningReopened, evening=evening)
    assert "pagat" not in " ".join(line.text for line in chronicle(log.club, log.facts, "en"))
    assert {one.kind for one in records(some)} >= {"evening", "best", "ultimos"}


WON_TOGETHER = "Member 1 and Member 2 won the evening with +5"


def test_a_season_that_is_closed_again_is_won_once() -> None:
    log = Log()
    season = log.season()
    evening = log.evening("2026-11-17", ("m1", "m2"), season)
    log.count(evening, {"m1": 5, "m2": 5})
    log.write(c.EveningClosed, evening=evening)
    for kind in (c.SeasonClosed, c.SeasonReopened, c.SeasonClosed):
        log.write(kind, season=season)
    told = [line.text for line in chronicle(log.club, log.facts, "en")]
    assert told[:2] == ["Member 1 and Member 2 won 2026", WON_TOGETHER]


def test_the_season_that_runs_is_the_last_by_day() -> None:
    log = Log()
    assert (log.club.season, current(log.club)) == (None, ALL)
    log.write(c.SeasonOpened, season="s1", name="2026/27", at=1_790_000_000.0)  # in September 2026
    log.write(c.SeasonOpened, season="s2", name="2025/26", at=1_795_000_000.0)
    log.evening("2026-04-14", ("m1",), "s2")
    assert current(log.club) == "s1"  # begun, and nobody has played yet
    log.evening("2026-11-19", ("m1",), "s1")
    assert current(log.club) == "s1"
    assert [one.id for one in log.club.seasons_by_day] == ["s2", "s1"]
    for evening, season in (("e2", "s1"), ("e1", "s2")):
        log.write(c.EveningClosed, evening=evening)
        log.write(c.SeasonClosed, season=season)
    assert (log.club.season, current(log.club)) == (None, "s1")


def test_the_chronicle_is_told_in_the_order_of_days() -> None:
    log = Log()
    season = log.season("2026/27")
    late = log.evening("2026-11-19", ("m1", "m2"), season)
    log.count(late, {"m1": 5, "m2": -5})
    log.write(c.EveningClosed, evening=late, at=1_795_100_000.0)
    past = log.season("2025/26")
    early = log.evening("2026-04-14", ("m1", "m2"), past)
    log.count(early, {"m1": -5, "m2": 5})
    log.write(c.EveningClosed, evening=early, at=1_795_200_000.0)
    log.write(c.SeasonClosed, season=past, at=1_795_200_000.0)
    told = [(line.day, line.text) for line in chronicle(log.club, log.facts, "en")]
    assert [day for day, _ in told] == sorted((day for day, _ in told), reverse=True)
    assert told[:3] == [
        ("2026-11-19", "Member 1 won the evening with +5"),
        ("2026-04-14", "Member 2 won 2025/26"),
        ("2026-04-14", "Member 2 won the evening with +5"),
    ]
    assert [line.text for line in chronicle(log.club, log.facts, "en", early)] == [told[2][1]]


def test_members_of_one_list_stand_in_one_line_of_the_chronicle() -> None:
    log = Log()
    log.write(c.MemberAdded, member="m5", name="Bo", at=2.0)
    lines = [one.text for one in chronicle(log.club, log.facts, "en")]
    assert lines == ["Bo joined", "4 new members", "The club was founded"]
    log.facts = [c.forget(fact, "m3") for fact in log.facts]
    lines = [one.text for one in chronicle(c.fold(log.facts), log.facts, "en")]
    assert lines == ["Bo joined", "3 new members", "The club was founded"]


def test_french_feats_are_counted_for_their_side() -> None:
    log = Log("french4")
    evening = log.evening("2026-11-17", ("m1", "m2", "m3", "m4"))
    made = FrenchDeal(
        taker=1, bid="garde", half_points=120, bouts=3, petit_au_bout="taker", poignees=(("defence", 10),)
    )
    down = FrenchDeal(taker=1, bid="garde", half_points=40, bouts=0)
    log.play(evening, 1, ("m1", "m2", "m3", "m4"), made, down, FrenchDeal())
    some = played(log.club)
    assert tally_of(some, "m2").contracts == {"garde": c.Contract(2, 1)}
    assert (tally_of(some, "m2").petits, tally_of(some, "m2").poignees) == (1, 0)
    assert (tally_of(some, "m1").petits, tally_of(some, "m1").poignees) == (0, 1)
    assert tally_of(some, "m1").contracts == {}


def test_five_sit_at_a_game_of_four_where_the_dealer_sits_out() -> None:
    log = Log("fft4")
    log.write(c.HouseRules, name="Five of us", book="fft4", overrides={"table.mort": True})
    assert c.rules_for(log.club, 5) == ("fft4", {"table.mort": True})
    assert c.rules_for(log.club, 4) == ("fft4", {"table.mort": True})
    assert c.rules_for(Log("fft4").club, 5) == ("fft5", {})


def test_a_table_of_another_size_has_the_sister_book() -> None:
    log = Log("french4")
    assert c.rules_for(log.club, 3) == ("french3", {})
    assert c.rules_for(log.club, 4) == ("french4", {})
    assert c.rules_for(Log("fft4").club, 5) == ("fft5", {})
    with pytest.raises(Refused, match="table"):
        c.rules_for(log.club, 9)


# --- files -----------------------------------------------------------------------------------------------


def test_a_club_is_read_back_without_loss(season: Log) -> None:
    whole = Whole(tuple(season.facts), season.sheets)
    carried = portable(whole)
    text = export(carried)
    assert KAREN not in text
    again = read(text)
    assert again == carried
    assert export(again) == text
    assert standings_of(c.fold(again.facts), "s1") == standings_of(season.club, "s1")
    moved = c.fold(with_sheets(again.facts, {key: f"new-{key}" for key in season.sheets}))
    assert all(one.sheet.startswith("new-") for e in moved.evenings.values() for one in e.sheets)
    assert standings_of(moved, "s1") == standings_of(season.club, "s1")


@pytest.mark.parametrize(
    ("text", "line"),
    [
        ("", 1),
        ("nonsense", 1),
        ('{"type":"Renamed","name":"x"}', 1),
        ('{"type":"Founded","name":"x"}\n\n{"type":"MemberLeft","member":"m1"}', 3),
        ('{"type":"Founded","name":"x","book":"none"}', 1),
        ('{"type":"Founded","name":"x"}\n{"type":"SheetLog","sheet":"y","facts":[]}', 2),
    ],
)
def test_a_damaged_club_is_refused_with_its_line(text: str, line: int) -> None:
    with pytest.raises(SheetError) as info:
        read(text)
    assert info.value.line == line
    assert all(info.value.told(language) for language in LANGUAGES)


def summed(club: c.Club) -> dict[str, tuple[int, int, int]]:
    return {club.called(o.member): (o.total, o.evenings, o.deals) for o in standings_of(club, "s1")}


def test_results_of_the_past_are_read_and_written_as_they_were(season: Log) -> None:
    text = to_csv(result_rows(season.club, "s1", "en"), "en")
    new = Log(members=0)
    found = parse(new.club, text)
    assert (found.faults, len(found.unknown), len(found.days), found.points) == ((), 24, 30, 0)
    new.season()
    for fact in facts_of(new.club, found, "s1", "", 0.0):
        new.club = c.decide(new.club, fact)
    before, after = (summed(one) for one in (season.club, new.club))
    assert before == after
    assert {one.key for one in parse(new.club, text).faults} == {"there"}
    assert len(list(standing_rows(new.club, "s1", "da"))) == 25


def test_every_fault_of_a_list_is_told_with_its_line() -> None:
    log = Log()
    text = "\n".join(
        [
            "Dato;Medlem;Point;Spil",
            "2026-01-05;Member 1;12;10",
            "5.1.2026;member 2;−12",
            "",
            "2026-13-05;Member 3;4",
            "2026-01-05;Member 1;3",
            "2026-01-05;Member 3;many",
            "2026-01-05;;3",
            "2026-01-05;Member 4;99999999",
            "2026-01-05;Member 4",
            "2026-01-05;Ida;0;-3",
            f"2026-01-05;{'x' * 30};0",
            "2026-01-06;Bo;0",
        ]
    )
    found = parse(log.club, text)
    assert [(one.line, one.key) for one in found.faults] == [
        (5, "day"),
        (6, "doubled"),
        (7, "number"),
        (8, "name"),
        (9, "large"),
        (10, "columns"),
        (11, "number"),
        (12, "longName"),
    ]
    assert found.unknown == {"Bo": 13}
    assert {day: {name: one.points for name, one in some.items()} for day, some in found.days.items()} == {
        "2026-01-05": {"Member 1": 12, "Member 2": -12},
        "2026-01-06": {"Bo": 0},
    }
    for one in found.faults:
        assert all(one.told(language) for language in LANGUAGES)


# --- people ----------------------------------------------------------------------------------------------


def test_whoever_goes_last_leaves_the_club_to_another() -> None:
    log = Log()
    assert c.departure(log.club, [KAREN]) is None
    for member, player, role in (("m2", "bo", "member"), ("m3", "ida", "scorer")):
        log.write(c.AccountLinked, member=member, player=player)
        log.write(c.RoleGiven, member=member, role=role)
    facts = c.departure(log.club, [KAREN])
    assert facts == (c.RoleGiven(member="m3", role="secretary"), c.AccountUnlinked(member="m1"))
    for fact in facts or ():
        log.club = c.decide(log.club, fact)
    assert log.club.members["m1"].name == "Member 1"
    assert [one.id for one in log.club.secretaries] == ["m3"]


def test_a_name_can_be_taken_out_of_the_log() -> None:
    log = Log()
    log.write(c.MemberRenamed, member="m2", name="Bo")
    facts = [c.forget(fact, "m2") for fact in log.facts]
    assert "Bo" not in export(Whole(tuple(facts), {}))
    assert c.fold(facts).members["m2"] == replace(log.club.members["m2"], name=c.NOBODY)


def test_a_club_is_read_back_after_names_are_deleted() -> None:
    """Its file and its list of results name nobody and can be read, by the club and by another."""
    log = Log(members=5)
    first = log.evening("2026-11-17", ("m1", "m2", "m3", "m4"), log.season())
    log.play(first, 1, ("m1", "m2", "m3", "m4"), WON, PAGAT)
    log.write(c.EveningClosed, evening=first)
    second = log.evening("2026-11-24", ("m2", "m4", "m5"), late={"m2": 2}, leaving={"m4": 3})
    log.write(c.AccountLinked, member="m4", player="account-of-m4")
    for member in ("m2", "m4"):
        for fact in c.forgetting(log.club, member, KAREN, 1.0):
            log.club = c.decide(log.club, fact)
            log.facts.append(fact)
        log.facts = [c.forget(fact, member) for fact in log.facts]
    there = [one.id for one in log.club.members.values() if not one.left and not one.nameless]
    assert there == ["m1", "m3", "m5"]
    evening = log.club.evenings[second]
    assert (evening.people, evening.late, evening.leaving) == (("m5",), {}, {})
    assert log.club.evenings[first].members == ("m1", "m2", "m3", "m4")  # it is over
    assert [log.club.called(one) for one in ("m2", "m4")] == ["Slettet navn 2", "Slettet navn 4"]
    assert not any(
        "Slettet" in one.text for one in chronicle(log.club, log.facts, "da") if "blev" in one.text
    )
    text = export(portable(Whole(tuple(log.facts), log.sheets)))
    assert "Member 2" not in export(portable(Whole(tuple(log.facts), {})))  # the server unnames the sheets
    assert standings_of(c.fold(read(text).facts), "s1") == standings_of(log.club, "s1")
    rows = to_csv(result_rows(log.club, "s1", "da"), "da")
    assert {one.key for one in parse(log.club, rows).faults} == {"there"}  # the members are known
    new = Log(members=0)
    found = parse(new.club, rows)
    assert (found.faults, len(found.unknown)) == ((), 4)
    new.season()
    for fact in facts_of(new.club, found, "s1", "", 0.0):
        new.club = c.decide(new.club, fact)
    assert {one.total for one in standings_of(new.club, "s1")} == {
        one.total for one in standings_of(log.club, "s1")
    }


def test_of_several_members_somebody_is_who_may_most() -> None:
    log = Log()
    log.write(c.AccountLinked, member="m2", player="guest")
    member = log.club.member_of([KAREN, "guest"])
    assert member is not None
    assert member.role == "secretary"
    assert log.club.member_of(["nobody"]) is None


def test_every_scoring_and_mean_is_told() -> None:
    log = Log()
    evening = log.evening("2026-11-17", ("m1",))
    log.count(evening, {"m1": 5}, deals=4)
    (one,) = standings_of(log.club, ALL)
    assert (one.mean, one.per_deal) == (Fraction(5), Fraction(5, 4))
    for language in LANGUAGES:
        assert club_words(language)["scoring.total"]
