"""Puzzles over HTTP: what there is, what moves come to, and the rating of whoever makes them."""

from __future__ import annotations

import asyncio
import sqlite3
import sys
from collections.abc import Iterator
from contextlib import closing
from pathlib import Path
from random import Random
from subprocess import run
from typing import Any

import msgspec
import pytest
from openskill.models import PlackettLuce

from live import bots
from serving import Serving, Visitor
from ultimo.answers.puzzles import of_the_day
from ultimo.answers.ratings import (
    CHANCE,
    DRIFT,
    MEAN,
    MEASURED,
    UNKNOWN,
    Attempt,
    Rating,
    first_ones,
    rated,
    standing,
)
from ultimo.players.warming import compile_part
from ultimo.server.database import Database
from ultimo.server.store import Mistakes, Player, Store
from ultimo.table import Settings, open_table
from ultimo.table.pages import Row, fold, summary
from ultimo.tutor.school.puzzles.playing import Game
from ultimo.tutor.school.puzzles.puzzle import THEMES, collection, puzzle

pytestmark = pytest.mark.xdist_group("server_puzzles")

SETTINGS = {"ULTIMO_REQUEST_BURST": "5000", "ULTIMO_TUTOR_PROCESSES": "1", "ULTIMO_TUTOR_ADDRESS": "100"}
FIRST, SECOND = "hermansen-1", "hermansen-2"
LINE = [{"type": "Play", "card": "T21"}, {"type": "Play", "card": "S2"}]
WRONG = [{"type": "Play", "card": "S2"}]


@pytest.fixture(scope="module", autouse=True)
def _compiled() -> None:
    """Nobody waits here for the compiler, who takes minutes on a first start."""
    compile_part("Danish endings")


@pytest.fixture(scope="module")
def server(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Serving]:
    with Serving(tmp_path_factory.mktemp("puzzles") / "tables.db", env=SETTINGS) as serving:
        yield serving
        assert not [line for line in serving.lines if line["level"] == "error"]


def someone(server: Serving) -> Visitor:
    visitor = Visitor(server)
    visitor.enter()
    return visitor


def tried(visitor: Visitor, name: str, moves: Any) -> Any:
    answer = visitor.post(f"/api/puzzles/{name}?lang=en", {"moves": moves})
    assert answer.status == 200, answer.body
    return answer.json


def test_the_list_has_every_theme_and_rulebook(server: Serving) -> None:
    told = someone(server).get("/api/puzzles?lang=da").json
    assert [theme["id"] for theme in told["themes"]] == list(THEMES)
    assert told["themes"][0]["title"] == "Pagatultimo"
    assert sum(theme["number"] for theme in told["themes"]) == len(collection())
    assert sum(book["number"] for book in told["rules"]) == len(collection())
    assert told["standing"] == {"rating": 1500, "tried": 0, "solved": 0, "streak": 0, "best": 0}
    assert (puzzle(told["day"]).id, told["daySolved"]) == (told["day"], None)


def test_a_puzzle_is_shown_with_open_cards_and_without_its_answer(server: Serving) -> None:
    told = Visitor(server).get(f"/api/puzzles/{SECOND}?lang=en").json
    assert told["solved"] is None
    assert told["told"]["puzzle"]["goal"] == "Middle hand must not win the last trick with T1."
    assert told["told"]["puzzle"]["side"] == "You play Forehand. All cards are open."
    assert told["told"]["reply"]["state"] == "open"
    assert [one["label"] for one in told["told"]["reply"]["actions"]] == ["♠2", "♠3", "T21"]
    assert told["told"]["reply"]["line"] == []
    assert b"right" not in Visitor(server).get(f"/api/puzzles/{SECOND}").body
    assert len(told["told"]["board"]["scene"]["seats"]) == 3


def test_a_right_line_solves_it_and_the_first_attempt_counts(server: Serving) -> None:
    visitor = someone(server)
    going = tried(visitor, SECOND, LINE[:1])
    assert (going["told"]["reply"]["state"], going["change"], going["standing"]["tried"]) == ("open", None, 0)
    assert going["told"]["frames"]
    done = tried(visitor, SECOND, LINE)
    assert (done["told"]["reply"]["state"], done["solved"]) == ("solved", True)
    assert done["change"] > 0
    assert done["standing"]["rating"] == 1500 + done["change"]
    assert (done["standing"]["streak"], done["standing"]["solved"]) == (1, 1)
    assert done["told"]["reply"]["line"]
    again = tried(visitor, SECOND, WRONG)
    assert (again["told"]["reply"]["state"], again["change"], again["solved"]) == ("failed", None, True)
    assert again["standing"] == done["standing"]
    theme = next(one for one in visitor.get("/api/puzzles").json["themes"] if one["id"] == "stop")
    assert (theme["tried"], theme["solved"]) == (1, 1)


def test_a_wrong_move_ends_it_with_the_reason(server: Serving) -> None:
    visitor = someone(server)
    done = tried(visitor, SECOND, WRONG)
    assert (done["told"]["reply"]["state"], done["solved"]) == ("failed", False)
    assert done["change"] < 0
    assert done["told"]["reply"]["told"] == ["♠2 does not reach the goal.", "The only right move was T21."]
    assert done["told"]["reply"]["refutation"]
    assert visitor.post(f"/api/puzzles/{SECOND}", {"moves": [*WRONG, *LINE]}).status == 422


def test_what_cannot_be_is_refused(server: Serving) -> None:
    visitor = someone(server)
    assert visitor.get("/api/puzzles/none").status == 404
    assert visitor.post("/api/puzzles/none", {"moves": []}).status == 404
    assert Visitor(server).post(f"/api/puzzles/{FIRST}", {"moves": []}).status == 401
    refused = visitor.post(f"/api/puzzles/{FIRST}?lang=en", {"moves": [{"type": "Play", "card": "T21"}]})
    assert (refused.status, refused.json["error"]) == (422, "Move 1 cannot be made here.")
    assert visitor.post(f"/api/puzzles/{FIRST}", {"moves": [{"type": "Nothing"}]}).status == 422
    assert visitor.post(f"/api/puzzles/{FIRST}", {"moves": LINE * 30}).status == 422
    assert visitor.get("/api/puzzles/next?theme=none").status == 404
    assert visitor.get("/api/puzzles").json["standing"]["tried"] == 0


def test_the_next_one_has_the_theme_and_the_rules_and_is_new(server: Serving) -> None:
    visitor = someone(server)
    tried(visitor, SECOND, WRONG)
    for _ in range(4):
        told = visitor.get("/api/puzzles/next?theme=stop&rules=hermansen").json["told"]["puzzle"]
        assert (told["theme"], told["rules"]) == ("stop", "hermansen")
        assert told["id"] != SECOND
    day = visitor.get("/api/puzzles/day").json["told"]["puzzle"]["id"]
    assert day == visitor.get("/api/puzzles").json["day"]


def test_a_guest_takes_the_rating_into_an_account(server: Serving) -> None:
    visitor, other = someone(server), someone(server)
    secret = {"name": "Solver", "password": "long enough"}
    assert visitor.post("/api/account", secret).status == 200
    before = tried(visitor, SECOND, LINE)["standing"]
    tried(other, SECOND, WRONG)
    after = tried(other, "hermansen-3", right_line("hermansen-3"))["standing"]
    assert after["tried"] == 2
    assert other.post("/api/login", secret).status == 200
    merged = other.get("/api/puzzles").json["standing"]
    assert (merged["tried"], merged["solved"], merged["streak"]) == (2, 2, 2)  # the account was first at one
    assert merged["rating"] > before["rating"]


def test_guests_never_change_the_rating_of_a_puzzle_and_accounts_of_an_address_a_few_times(
    server: Serving,
) -> None:
    name = "hermansen-4"
    line = right_line(name)

    def times_rated() -> list[int]:
        with closing(sqlite3.connect(server.database)) as database:
            query = "SELECT tried FROM puzzle_rating WHERE puzzle_id = ?"
            return [tried for (tried,) in database.execute(query, (name,))]

    guest = tried(someone(server), name, line)
    assert guest["change"] > 0, "their own figure moves"
    assert times_rated() == []
    for number in range(5):
        account = someone(server)
        given = {"name": f"Accomplice {'ABCDE'[number]}", "password": "seven green umbrellas"}
        assert account.post("/api/account", given).status == 200
        assert tried(account, name, line)["change"] > 0
        assert times_rated() == [min(number + 1, 3)]


def right_line(name: str) -> list[dict[str, str]]:
    """The moves of a right line as a page sends them."""
    decoded: list[dict[str, str]] = msgspec.json.decode(msgspec.json.encode(Game(puzzle(name)).line()))
    return decoded


def test_nothing_of_a_person_who_is_forgotten_stays(server: Serving) -> None:
    visitor = someone(server)
    tried(visitor, SECOND, LINE)
    assert visitor.ask("DELETE", "/api/me").status == 204
    visitor.enter()
    assert visitor.get("/api/puzzles").json["standing"]["tried"] == 0


def test_the_server_itself_lists_puzzles_without_the_compiler() -> None:
    code = "import sys, ultimo.server.puzzling as p; p.puzzles.collection(); print('numba' in sys.modules)"
    assert run([sys.executable, "-c", code], capture_output=True, text=True, check=True).stdout == "False\n"


# --- ratings --------------------------------------------------------------------------------------------


def test_whoever_solves_rises_and_the_puzzle_falls() -> None:
    new, hard = Rating(), Rating(1800, MEASURED)
    solver, after = rated(new, hard, True)
    assert solver.mu > new.mu
    assert after.mu < hard.mu
    assert solver.sigma < new.sigma
    easier, _ = rated(new, Rating(1200, MEASURED), True)
    assert easier.mu < solver.mu
    lost, risen = rated(new, hard, False)
    assert lost.mu < new.mu
    assert risen.mu > hard.mu


def test_ratings_are_those_of_the_library_that_arenas_use() -> None:
    model, dice = PlackettLuce(mu=MEAN, sigma=UNKNOWN, beta=CHANCE, tau=DRIFT), Random(1)
    for _ in range(200):
        solver, hard = (Rating(dice.uniform(500, 2500), dice.uniform(20, 300)) for _ in range(2))
        solved = dice.random() < 0.5
        teams = [[model.rating(one.mu, one.sigma)] for one in (solver, hard)]
        expected = [one for (one,) in model.rate(teams, ranks=[1, 2] if solved else [2, 1])]
        found = rated(solver, hard, solved)
        assert [one.mu for one in found] == pytest.approx([one.mu for one in expected], rel=1e-12)
        assert [one.sigma for one in found] == pytest.approx([one.sigma for one in expected], rel=1e-12)


def test_a_standing_counts_first_attempts_in_their_order() -> None:
    made = Rating(1500, MEASURED)
    attempts = [
        Attempt("b", 2.0, True, made),
        Attempt("a", 3.0, False, made),
        Attempt("a", 1.0, True, made),
        Attempt("c", 4.0, False, made),
        Attempt("d", 5.0, True, made),
    ]
    assert [(one.puzzle, one.solved) for one in first_ones(attempts)] == [
        ("a", True),
        ("b", True),
        ("c", False),
        ("d", True),
    ]
    found = standing(attempts)
    assert (found.tried, found.solved, found.streak, found.best) == (4, 3, 1, 2)


def test_an_attempt_is_noted_once_and_rates_the_puzzle(tmp_path: Path) -> None:
    async def main() -> None:
        database = Database(str(tmp_path / "tables.db"))
        await database.start()
        store = Store(database)
        await store.add_guest(Player("ada", "Ada", True, "en"), 1.0)
        made = Rating(1700.0, MEASURED)
        counted = await store.note_attempt("ada", "x", made, True, 2.0)
        assert counted is not None
        assert counted[1].rating.mu > counted[0].rating.mu == 1500
        assert await store.note_attempt("ada", "x", made, False, 3.0) is None
        assert [(one.puzzle, one.solved) for one in await store.attempts("ada")] == [("x", True)]
        assert (await store.puzzle_ratings(["x", "y"])).keys() == {"x"}
        assert (await store.puzzle_ratings(["x"]))["x"].mu < made.mu
        await database.close()

    asyncio.run(main())


def test_reviewed_deals_with_proven_mistakes_of_ones_own_are_found(tmp_path: Path) -> None:
    def judged(seat: int, grade: str, proven: bool) -> dict[str, object]:
        return {"seat": seat, "grade": grade, "proven": proven, "index": 3}

    async def main() -> None:
        database = Database(str(tmp_path / "tables.db"))
        await database.start()
        store = Store(database)
        facts = open_table("t1", Settings("dtf", 3, bots(3)), "ada", "Ada")
        folded = fold(None, [Row(seq, fact, 1.0) for seq, fact in enumerate(facts, 1)])
        await store.create(facts, 1.0, summary(folded))
        seat = dict(summary(folded).people)["ada"]
        for deal, judgements in {
            1: [judged(seat, "mistake", True), judged(seat, "blunder", True), judged(seat, "blunder", False)],
            2: [judged(seat + 1, "blunder", True), judged(seat, "slip", True)],
        }.items():
            body = msgspec.json.encode({"decisions": judgements, "rules": "dtf"})
            await store.keep_review("t1", deal, 1, "", body, float(deal))
        assert await store.mistakes("ada") == [Mistakes("t1", 1, "dtf", 2)]
        assert await store.mistakes("bo") == []
        await database.close()

    asyncio.run(main())


def test_the_puzzle_of_the_day_is_the_same_all_day() -> None:
    day = 24 * 3600.0
    assert of_the_day(1000 * day) == of_the_day(1001 * day - 1)
    assert len({of_the_day(number * day).id for number in range(30)}) > 20
