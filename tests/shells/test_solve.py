"""`ultimo solve`: positions and records solved and told, and a clear word about what cannot be."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

import pytest

from commands import fails, ultimo

EG_1 = "hermansen: F T1 S2 S1 / M T21 T0 HK / B H7 H8 H9"
EG_2 = "hermansen: F T21 S3 S2 / M T20 T1 DJ / B H8 H9 H10"
DONNE = "french4: SK S2 / T3 T4 / HQ H2 / T0 C1; A takes garde; taker has 40 points 2 bouts"


def solved(*arguments: object) -> dict[str, Any]:
    """What a program is told."""
    done = ultimo("solve", *arguments, "--json")
    assert done.status == 0, done
    answer: dict[str, Any] = json.loads(done.out)
    return answer


def worth(answer: dict[str, Any]) -> dict[str, int]:
    """The values of the actions that play a card."""
    return {
        one["action"]["card"]: one["value"]
        for one in answer["solution"]["actions"]
        if "card" in one["action"]
    }


def test_a_claim_is_solved_for_whom_it_favours() -> None:
    """Endgame 1. Rule: 001 Løsninger 1."""
    answer = solved(EG_1, "--goal", "ultimo:F:T1,bagud:M:HK")
    assert answer["seats"] == {"F": 1, "M": 2, "B": 0}
    assert (answer["side"], answer["solution"]["value"], answer["solution"]["exact"]) == ([1], 1, True)
    assert worth(answer) == {"S1": 1, "S2": 1, "T1": 0}
    assert answer["forced"] is None
    without = solved(EG_1, "--goal", "ultimo:F:T1,bagud:M:HK", "--set", "skus.demandable=false")
    assert without["solution"]["value"] == 0


def test_an_event_that_must_not_occur_is_for_the_others() -> None:
    """Endgame 2: only T21 stops the ultimo. Rule: 001 Løsninger 2."""
    answer = solved(EG_2, "--goal", "!ultimo:M:T1", "--for", "F")
    assert worth(answer) == {"S2": 0, "S3": 0, "T21": 1}
    assert solved(EG_2, "--goal", "!ultimo:M:T1")["side"] == [0, 1]
    assert solved(EG_2, "--goal", "bagud:M:pagat")["side"] == [0, 1]


def test_it_is_told_in_words() -> None:
    printed = ultimo("solve", EG_1, "--goal", "ultimo:F:T1", "--for", "f").out.splitlines()
    assert printed[0] == "Hermansen, 1943: 3 tricks left, F leads"
    assert "    M: T21 Skus ♥K" in printed
    assert "    cups: king 60, pagat 60" in printed
    assert "F can force T1 ultimo for F." in printed
    assert "    F leads ♠2  yes" in printed
    assert "    F leads T1  no" in printed
    line = printed[printed.index("A line of best play:") :]
    assert any("F demands the skus" in one for one in line)
    assert any(one.startswith("    25. ") and one.endswith("T1: F wins the trick") for one in line)


def test_points_for_everybody_and_for_a_side() -> None:
    printed = ultimo("solve", EG_2).out
    assert "Each player for themselves: F " in printed
    assert "Who can force what:" in printed
    answer = solved(EG_2)
    points = answer["solution"]["points"]
    assert len(points) == 3
    assert answer["side"] is None
    assert all(one["points"][one["seat"]] == one["value"] for one in answer["solution"]["actions"])
    two = ultimo("solve", EG_2, "--for", "F,B").out
    assert "F and B against the rest: " in two


def test_who_can_force_what() -> None:
    """Endgames 2 and 5: F alone stops the ultimo there, here F and M together do."""
    found = solved(EG_2)["forced"]
    atoms = [(tuple(one["side"]), one["atom"]) for one in found]
    stopped = {"what": "ultimo", "seat": 2, "card": "T1", "holds": False}
    assert ((1,), stopped) in atoms
    assert all(atom != stopped for side, atom in atoms if side != (1,))
    eg_5 = "hermansen: H8 D8 D9 D10 / T21 T0 S2 S1 / T13 HK H3 D1"
    printed = ultimo("solve", eg_5, "--force").out
    assert "    F and M: no ♥K ultimo for B" in printed.replace(", ", "\n    F and M: ").replace(
        " and no", "\n    F and M: no"
    )


def test_french() -> None:
    answer = solved(DONNE)
    assert answer["seats"] == {"A": 0, "B": 1, "C": 2, "D": 3}
    assert set(worth(answer)) == {"S2", "SK"}
    printed = ultimo("solve", DONNE).out
    value = f"{answer['solution']['value']:+d}".replace("-", "−")
    assert f"Each defender pays {value}." in printed
    assert printed.splitlines()[-1] == f"    Each defender pays {value}"


# --- records -------------------------------------------------------------------------------------------


@pytest.fixture(scope="module")
def games(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """Two recorded deals."""
    file = tmp_path_factory.mktemp("records") / "games.jsonl"
    arguments = ("--rules", "jensen", "--table", 4, "--deals", 2, "--seed", 5, "--out", file)
    assert ultimo("simulate", *arguments).status == 0
    return file


def test_a_record_is_solved_after_a_trick(games: Path) -> None:
    answer = solved(games, "--deal", 1, "--after", 23, "--goal", "lastTrick:F")
    assert (answer["rules"], sum(len(one["points"] or ()) for one in answer["solution"]["actions"])) == (
        "jensen",
        0,
    )
    assert 1 <= len(answer["solution"]["actions"]) <= 2
    printed = ultimo("solve", games, "--after", 24).out
    assert "Jensen" in printed
    assert "random" in printed  # the players' names
    assert "1 trick left" in printed


def test_a_place_of_a_record_must_be_there(games: Path) -> None:
    assert fails("solve", games) == f"{games}: the deal is over: say after which trick"
    assert fails("solve", games, "--after", 25) == f"{games}: deal 2 does not go on after trick 25"
    assert fails("solve", games, "--deal", 3) == f"{games}: there is no deal 3: the record has 2"
    assert fails("solve", games, "--rules", "dtf").startswith("a record has its own rules")


# --- what cannot be ------------------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("arguments", "complaint"),
    [
        (("nosuchfile",), "nosuchfile: No such file or directory"),
        (("dtf: F T1 / M T22 / B S3",), "position:1:15: “T22” is not a card"),
        (("F T1 / M T2 / B S3",), "position:1:1: begin with the rulebook"),
        (("whist: F T1 / M T2 / B S3",), "whist: no such rulebook"),
        ((EG_1, "--after", 3), "--after works only with a record, not with a position"),
        ((EG_1, "--goal", "win"), "--goal: “win” is neither “points” nor an event such as “ultimo:F:T1”; "),
        ((EG_1, "--goal", "ultimo:X"), "--goal: “X” is not a seat: F M B"),
        ((EG_1, "--goal", "ultimo:F:T99"), "--goal: “T99” is not a card"),
        ((EG_1, "--for", "Z"), "--for: “Z” is not a seat: F M B"),
        ((EG_1, "--for", "F,M,B"), "--for: name one or two seats that play for the goal"),
        ((EG_1, "--goal", "nolo:F", "--for", "maxn"), "--for: “maxn” works only with “points”"),
        ((DONNE, "--goal", "lastTrick:A"), "--goal: in French Tarot the only goal is “points”"),
        ((DONNE, "--for", "A"), "--for: in French Tarot the taker’s side"),
        ((DONNE, "--force"), "--force: only Danish Tarok has an ultimo to force"),
    ],
)
def test_what_cannot_be_is_said_in_one_line(arguments: tuple[object, ...], complaint: str) -> None:
    assert fails("solve", *arguments).startswith(complaint)


@pytest.mark.parametrize(
    ("lang", "arguments", "complaint"),
    [
        ("da", ("dtf: F T1 / M T22 / B S3",), "position:1:15: ”T22” er ikke et kort: "),
        ("fr", ("F T1 / M T2 / B S3",), "position:1:1: commencez par le règlement, par exemple "),
        ("de", (EG_1, "--goal", "ultimo:X"), "--goal: „X“ ist kein Platz: F M B"),
        ("da", (EG_1, "--for", "F,M,B"), "--for: nævn en eller to pladser, der spiller for målet"),
        ("xx", (EG_1,), "no language 'xx'"),
    ],
)
def test_an_error_in_a_position_or_goal_is_told_in_the_language_asked_for(
    lang: str, arguments: tuple[object, ...], complaint: str
) -> None:
    assert fails("solve", *arguments, "--lang", lang).startswith(complaint)


def test_a_table_at_which_errors_are_possible_is_refused_by_name() -> None:
    assert "strict.follow" in fails("solve", EG_1, "--set", "strict.follow=true")
