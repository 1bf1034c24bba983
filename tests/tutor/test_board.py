"""The analysis board: what is put on it, what may be done and asked there, and what it says."""

from __future__ import annotations

import re
from collections.abc import Iterator, Mapping
from random import Random
from typing import Any

import msgspec
import pytest

from analysis.test_endgames_solved import claim_of, side_of
from players.test_endgames_played import won_claims
from rulebook.test_endgames import ENDGAMES, move, position, rules_of
from ultimo import deal
from ultimo import record as records
from ultimo.analysis import position as positions
from ultimo.analysis.solver import solve
from ultimo.cards import parse_card
from ultimo.events import Action, Announce, Decline, DemandSkus, NameSkus, Play, ShowPoignee
from ultimo.names import LANGUAGES, tables
from ultimo.players import Match, create
from ultimo.rulebook import load
from ultimo.table.boarding import board_shown
from ultimo.tutor.board import Board, BoardError, board, record, recorded, solving
from ultimo.tutor.decisions import seen
from ultimo.tutor.judging import judged, judgement

EG_1 = "hermansen: F T1 S2 S1 / M T21 T0 HK / B H7 H8 H9"
FIVE = (
    "french5: SK / T3 T4 / HQ H2 / T5 C1 / D1 D2; "
    "A takes garde with C; trick A S2; taker has 41.5 points 2 bouts"
)
SHEET = f"Ultimo position 1\n{EG_1}\n"


def play(card: str, named: Any = None) -> Play:
    return Play(parse_card(card), named)


# --- making one ------------------------------------------------------------------------------------------


def test_a_board_is_made_of_a_line_and_of_moves() -> None:
    found = board(EG_1, [play("S1"), DemandSkus(), play("T0"), play("H7")])
    assert [found.letters[one.seat] for one in found.made] == ["F", "F", "M", "B"]
    assert found.turn is not None
    assert (found.letters[found.turn], found.over, found.left) == ("F", False, 2)
    assert found.text == board(EG_1).text == board(found.text).text
    assert board(found.here).here == found.here
    assert found.here != found.text


def test_a_board_may_be_played_to_the_end() -> None:
    moves = [one for _, one in solve(*positions.read(EG_1)).line]
    found = board(EG_1, moves)
    assert (found.over, found.turn, found.here, list(found.actions())) == (True, None, "", [])
    shown = board_shown(found, "en")
    assert (shown.over, shown.goals, len(shown.played)) == (True, (), len(moves))
    assert solving(EG_1, moves).verdict == "The deal is over."
    with pytest.raises(BoardError) as error:
        board(EG_1, [*moves, play("S2")])
    assert (error.value.field, error.value.column) == ("moves", len(moves) + 1)


@pytest.mark.parametrize(
    ("text", "moves", "field", "column", "reason"),
    [
        ("dtf: F T1 / M T22 / B S3", (), "text", 15, "“T22” is not a card"),
        ("whist: F T1 / M T2 / B T3", (), "text", None, "there is no rulebook “whist”; there are basta, "),
        (f"{EG_1}; house skus.hat=1", (), "text", None, "“skus.hat” is not a house rule here"),
        (EG_1, (play("S1"), play("H7")), "moves", 2, "Move 2, ♥7: "),
        (EG_1, (play("T0", "S"),), "moves", 1, "Move 1, "),
        ("x" * 5000, (), "text", None, "the text is too long: at most 4000 characters"),
        (EG_1, (play("S1"),) * 200, "moves", None, "too many moves: at most 120"),
        (
            "Ultimo position 1\n" + EG_1 + "\n1. F jumps",
            (),
            "text",
            None,
            "line 3: “1. F jumps” is not a move",
        ),
        ("Ultimo position 1\n", (), "text", None, "no position"),
    ],
)
def test_what_cannot_be_put_on_it_says_where_and_why(
    text: str, moves: tuple[Action, ...], field: str, column: int | None, reason: str
) -> None:
    with pytest.raises(BoardError) as error:
        board(text, moves)
    assert (error.value.field, error.value.column) == (field, column)
    assert reason in error.value.reason


@pytest.mark.parametrize(
    ("text", "moves", "told"),
    [
        (
            "dtf: F T1 / M T2",
            (),
            (
                "3 hands are needed, with / between them, not 2",
                "der skal være 3 hænder med / imellem, ikke 2",
                "il faut 3 jeux, séparés par /, et non 2",
                "es müssen 3 Blätter sein, mit / dazwischen, nicht 2",
            ),
        ),
        (
            "dtf: F S1 / M S3 / B S9 T1; trick F S2, M H4",
            (),
            (
                "M cannot have played H4: you must follow suit: spades",
                "M kan ikke have spillet H4: du skal bekende farve: spar",
                "M ne peut pas avoir joué H4\N{NO-BREAK SPACE}: "
                "il faut fournir la couleur demandée\N{NO-BREAK SPACE}: pique",
                "M kann H4 nicht gespielt haben: du musst bedienen: Pik",
            ),
        ),
        (
            EG_1,
            (play("S1"),) * 200,
            (
                "too many moves: at most 120",
                "for mange træk: højst 120",
                "trop de coups\N{NO-BREAK SPACE}: 120 au plus",
                "zu viele Züge: höchstens 120",
            ),
        ),
        (
            "Ultimo position 1\n",
            (),
            (
                "this record has no position in it",
                "der står ingen stilling i referatet",
                "ce compte rendu ne contient aucune position",
                "in diesem Protokoll steht keine Stellung",
            ),
        ),
    ],
)
def test_what_is_wrong_is_told_in_the_language_of_the_visitor(
    text: str, moves: tuple[Action, ...], told: tuple[str, ...]
) -> None:
    for language, sentence in zip(LANGUAGES, told, strict=True):
        with pytest.raises(BoardError) as error:
            board(text, moves, language)
        assert error.value.reason == sentence
        with pytest.raises(BoardError) as error:
            record(text, moves, (), language)
        assert error.value.reason == sentence


def test_a_strict_table_has_no_errors_on_the_board() -> None:
    found = board(f"{EG_1}; house strict.follow=true")
    assert "strict" not in found.text
    assert solving(f"{EG_1}; house strict.follow=true", ()).exact


# --- what is shown ---------------------------------------------------------------------------------------


@pytest.mark.parametrize("language", LANGUAGES)
def test_everything_is_told_in_every_language(language: str) -> None:
    for text in (EG_1, FIVE):
        shown = board_shown(board(text, (), language), language)
        assert all([one.label for one in shown.actions] + [one.label for one in shown.goals])
        for goal in shown.goals:
            found = solving(text, (), goal.id, language)
            assert found.exact
            assert found.verdict
            assert not re.search(r"[{}]", found.verdict + "".join(found.forced) + goal.label)
        assert msgspec.json.encode(shown)


def test_all_hands_lie_open() -> None:
    shown = board_shown(board(EG_1, [play("S1")]), "en")
    assert [len(one.hand) for one in shown.scene.seats] == [3, 2, 3]
    assert [one.tricks for one in shown.scene.seats] == [7, 8, 7]
    assert shown.scene.trick is not None
    assert (shown.scene.trick.number, shown.scene.last) == (23, None)
    assert [(one.letter, one.name) for one in shown.seats] == [
        ("F", "Forehand"),
        ("M", "Middle hand"),
        ("B", "Dealer"),
    ]
    after = board_shown(board(EG_1, [play("S1"), DemandSkus(), play("T0"), play("H7")]), "en")
    assert after.scene.last is not None
    assert after.scene.last.number == 23
    assert [one.name for one in board_shown(board(FIVE), "da").seats] == list("ABCDE")


def test_the_goals_are_what_may_still_come_about() -> None:
    goals = [one.id for one in board_shown(board(EG_1), "en").goals]
    assert goals[:4] == ["points", "points:F", "points:M", "points:B"]
    assert set(goals[4:]) == {
        *(f"lastTrick:{seat}" for seat in "FMB"),
        *("ultimo:F:T1", "bagud:F:T1", "ultimo:M:HK", "bagud:M:HK"),
    }
    nolo = board("dtf: F S1 / M T2 / B H3; won F 0 M 24 B 0")
    assert {"nolo:F", "nolo:B", "tout:M"} <= {one.id for one in board_shown(nolo, "en").goals}
    assert [one.id for one in board_shown(board(FIVE), "en").goals] == ["points"]


def test_who_may_demand_without_being_on_turn_is_named() -> None:
    shown = board_shown(board(EG_1, [play("S1")]), "en")
    assert [one.label for one in shown.actions if one.action == DemandSkus()] == ["Forehand: Demand the skus"]


def test_of_the_poignees_each_size_is_offered_once() -> None:
    trumps = " ".join(f"T{number}" for number in range(1, 15))
    rest = [f"{suit}{number}" for suit in "SHCD" for number in range(1, 11)]
    rest += [f"{suit}{court}" for court in "JNQ" for suit in "SHCD"]
    hands = [f"{trumps} {' '.join(rest[:4])}", *(" ".join(rest[at : at + 18]) for at in (4, 22))]
    last = " ".join([*rest[40:], *(f"T{number}" for number in range(15, 22)), "T0"][:18])
    found = board(f"french4: {' / '.join((*hands, last))}; A takes garde")
    shows = [one for _, one in found.actions() if isinstance(one, ShowPoignee)]
    assert [len(one.cards) for one in shows] == [10, 13]
    told = solving(found.text, ())
    assert (told.finished, told.exact) == (True, False)
    assert told.verdict.startswith("A poignée may still be shown")


# --- solving ---------------------------------------------------------------------------------------------


def test_the_first_endgame_is_solved() -> None:
    found = solving(EG_1, ())
    assert (found.exact, found.finished, found.depth) == (True, True, 3)
    assert found.verdict == "With best play by everyone: Forehand +195, Middle hand −185, Dealer −10."
    assert [(one.label, one.value, one.best) for one in found.values] == [
        ("♠1", 195, True),
        ("♠2", 195, True),
        ("T1", -30, False),
    ]
    assert found.values[0].points == (-10, 195, -185)
    assert found.line[0].label == "♠1"
    assert any("T1 ultimo for Forehand" in one for one in found.forced)


def test_a_claim_is_told_by_whether_it_can_be_forced() -> None:
    assert solving(EG_1, (), "ultimo:F:T1,bagud:M:HK").verdict.startswith("Forehand can force it")
    assert solving(EG_1, (), "lastTrick:B").verdict.startswith("Dealer cannot force it")
    assert solving(EG_1, (), "points:F").verdict.startswith("Forehand against the others: +")


def test_in_french_tarot_the_defence_wants_the_value_low() -> None:
    found = solving(FIVE, ())
    assert found.verdict == "With best play each defender pays the taker’s side 52."
    lowest = min(one.value for one in found.values)
    assert all(one.best == (one.value == lowest) for one in found.values)
    assert found.values[0].points == (104, -52, 52, -52, -52)


def test_a_small_budget_gives_what_is_known_and_says_so() -> None:
    long = "hermansen: F T1 T9 T8 S2 S1 D3 / M T21 T0 HK C3 C4 C5 / B H7 H8 H9 T2 T3 T4"
    few = solving(long, (), "points", "en", 50)
    assert (few.exact, few.finished) == (False, False)
    assert few.verdict.startswith("Not certain yet: ")
    whole = solving(long, (), "points", "en", 1 << 22)
    assert whole.finished
    assert all(one.least == one.value == one.most for one in whole.values)
    true = {one.label: one.value for one in whole.values}
    some = solving(long, (), "points", "en", 1600)
    assert not some.exact
    assert any(one.least is not None and one.least != one.most for one in some.values)
    assert all((one.least or -999) <= true[one.label] <= (one.most or 999) for one in some.values)


@pytest.mark.parametrize("goal", ["jump", "ultimo:X:T1", "ultimo:F:Z9", "points:X", "points:F,M,B"])
def test_a_goal_that_cannot_be_asked_is_refused(goal: str) -> None:
    with pytest.raises(BoardError) as error:
        solving(EG_1, (), goal)
    assert error.value.field == "goal"


def test_why_a_goal_cannot_be_asked_is_told_in_the_language_of_the_visitor() -> None:
    with pytest.raises(BoardError) as error:
        solving(EG_1, (), "points:X", "da")
    assert error.value.reason == "Det spørgsmål kan ikke stilles her: ”X” er ikke en plads: F M B"


# --- to keep ---------------------------------------------------------------------------------------------


def test_what_was_tried_is_kept_with_what_was_noted() -> None:
    moves: list[Action] = [play("S1"), DemandSkus(), play("T0")]
    sheet = record(EG_1, moves, ["a small one", "", "it {must}\nfall"])
    assert sheet.splitlines()[0] == "Ultimo position 1"
    assert sheet.splitlines()[2:] == ["1. F S1 {a small one}", "2. F demands", "3. M T0 {it (must) fall}"]
    line, kept, comments = recorded(sheet)
    assert (kept, comments) == (tuple(moves), ("a small one", "", "it (must) fall"))
    assert board(sheet) == board(line, moves) == board(EG_1, moves)


def test_every_kind_of_move_has_a_spelling() -> None:
    hands = "jensen: F D3 D4 T0 / M S1 S4 S3 / B H2 H4 H5"
    moves: list[Action] = [play("T0", "C"), NameSkus("H"), play("S1")]
    assert board(record(hands, moves)) == board(hands, moves)
    asked = f"{EG_1}; demand"
    assert board(record(asked, [Decline()])) == board(asked, [Decline()])
    sheet = f"{SHEET}# a note\n\nF announces nolo\nA shows T1 T2\n"
    assert recorded(sheet)[1] == (Announce("nolo"), ShowPoignee((parse_card("T1"), parse_card("T2"))))


# --- the book --------------------------------------------------------------------------------------------


@pytest.mark.parametrize(("key", "check"), won_claims())
def test_from_every_start_of_the_book_what_is_won_is_kept(key: str, check: dict[str, Any]) -> None:
    table = position(ENDGAMES[key], rules_of("hermansen", check.get("rules")))
    for text in check.get("after", ()):
        move(table, text)
    while table.state.phase == "demand":
        table.act(table.state.asked[0], Decline())
    claim, side = claim_of(check["claim"]["all"]), side_of(check["coalition"])
    if table.state.turn not in side or solve(table.rules, table.state, claim, side).value == 0:
        return
    seat = table.state.turn
    view = seen(table.rules, seat, table.state)
    best = judged(judgement(view, table.legal(seat))).worths[0].action
    keeping = [one.action for one in solve(table.rules, table.state, claim, side).actions if one.value == 1]
    assert best in keeping


# --- words -----------------------------------------------------------------------------------------------


def keys(node: Any, prefix: str = "") -> Iterator[tuple[str, frozenset[str]]]:
    if isinstance(node, Mapping):
        for key, below in node.items():
            yield from keys(below, f"{prefix}.{key}")
    else:
        yield prefix, frozenset(re.findall(r"\{(\w+)\}", str(node)))


@pytest.mark.parametrize("language", LANGUAGES)
def test_every_language_says_all_of_it(language: str) -> None:
    assert dict(keys(tables(language, "board"))) == dict(keys(tables("en", "board")))


def test_a_board_is_a_value() -> None:
    found = board(EG_1)
    assert isinstance(found, Board)
    assert found == board(EG_1)
    assert deal.waiting_for(found.rules, found.state) == (found.turn,)


@pytest.mark.parametrize("book", ["dtf", "french4"])
def test_the_record_of_a_game_is_opened_near_the_end_of_its_last_deal(book: str) -> None:
    rules = load(book)
    players = {seat: create("club", 1) for seat in range(rules.sizes[0])}
    match = Match(rules, [str(seat) for seat in players], players, Random(3))
    list(match.play_deals(2))
    kept = records.Record(records.header(rules, rules.sizes[0]), tuple(map(records.Entry, match.log)))
    for spelled in (records.jsonl.dumps(kept), records.sheet.dumps(kept)):
        text, moves, comments = recorded(spelled)
        assert not moves
        assert not comments
        shown = board(text, ())
        assert max(map(int.bit_count, shown.state.hands)) == 8
    with pytest.raises(BoardError):
        recorded("Ultimo sheet 1\nnothing")
