"""Games to watch over HTTP: which there are, one with its review, and the ways on from a step of it."""

from __future__ import annotations

from collections.abc import Iterator

import pytest

from serving import Serving, Visitor
from ultimo.players.warming import compile_part
from ultimo.tutor.games.game import collection

pytestmark = pytest.mark.xdist_group("server_games")

SETTINGS = {"ULTIMO_REQUEST_BURST": "5000", "ULTIMO_TUTOR_PROCESSES": "1", "ULTIMO_TUTOR_ADDRESS": "100"}
NAME = collection()[0].id


@pytest.fixture(scope="module", autouse=True)
def _compiled() -> None:
    """Nobody waits here for the compiler, who takes minutes on a first start."""
    compile_part("Danish club")


@pytest.fixture(scope="module")
def server(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Serving]:
    with Serving(tmp_path_factory.mktemp("games") / "tables.db", env=SETTINGS) as serving:
        yield serving
        assert not [line for line in serving.lines if line["level"] == "error"]


@pytest.fixture
def visitor(server: Serving) -> Visitor:
    visitor = Visitor(server)
    visitor.enter()
    return visitor


def test_all_games_are_listed_for_anybody(server: Serving) -> None:
    told = Visitor(server).get("/api/games?lang=fr").json
    assert [one["id"] for one in told["games"]] == [one.id for one in collection()]


def test_a_game_comes_with_its_review_in_words(visitor: Visitor) -> None:
    told = visitor.get(f"/api/games/{NAME}?lang=da").json
    first, again = (visitor.get(f"/api/games/{NAME}/review?lang=da").json for _ in range(2))
    assert first == again
    shown = [one for one in first["decisions"] if len(one["options"]) > 1]
    assert len(shown) == told["game"]["told"] > 0
    assert all(one["step"] < len(told["replay"]["frames"]) for one in shown)


def test_a_game_is_played_on_and_analysed(visitor: Visitor) -> None:
    review = visitor.get(f"/api/games/{NAME}/review?lang=en").json
    decision = next(one for one in review["decisions"] if len(one["options"]) > 1 and one["trick"])
    step = decision["step"] - 1
    assert visitor.get(f"/api/games/{NAME}/position/{step}").json["text"]
    made = visitor.post(f"/api/games/{NAME}/again", {"step": step, "seat": decision["seat"]})
    assert made.status == 201
    line = visitor.get(f"/api/tables/{made.json['id']}").json
    assert [seat["kind"] for seat in line["seats"]].index("person") == decision["seat"]


@pytest.mark.parametrize("path", ["", "/review", "/position/1"])
def test_what_is_not_there_is_told(visitor: Visitor, path: str) -> None:
    answer = visitor.get(f"/api/games/none{path}?lang=en")
    assert (answer.status, answer.json["error"]) == (404, "There is no such deal.")
