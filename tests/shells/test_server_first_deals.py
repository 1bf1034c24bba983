"""The guided first deals over HTTP: every step in every language, reasons for other moves, hostile input."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any

import msgspec
import pytest

from serving import Answer, Serving, Visitor
from ultimo.names import LANGUAGES, Family
from ultimo.tutor.school.first import DEALS, first, script

pytestmark = pytest.mark.xdist_group("server_first_deals")

LIMITS = {"ULTIMO_REQUEST_BURST": "5000", "ULTIMO_REQUEST_RATE": "1000"}
games = pytest.mark.parametrize("name", DEALS)


@pytest.fixture(scope="module")
def server(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Serving]:
    with Serving(tmp_path_factory.mktemp("first") / "tables.db", env=LIMITS) as serving:
        yield serving


@pytest.fixture(autouse=True)
def _nothing_raised(server: Serving) -> Iterator[None]:
    """After every test the server lives and has logged no failure."""
    before = len(_failures(server))
    yield
    assert Visitor(server).get("/readyz").status == 200
    assert not _failures(server)[before:]


def _failures(server: Serving) -> list[dict[str, Any]]:
    return [line for line in server.lines if line["level"] in ("error", "critical")]


def moves_of(name: Family) -> list[Any]:
    made: list[Any] = msgspec.to_builtins(script(first(name)))
    return made


def ask(visitor: Visitor, name: str, body: Any, language: str = "en") -> Answer:
    return visitor.post(f"/api/school/first/{name}?lang={language}", body)


def cards_in(scene: dict[str, Any]) -> set[str]:
    """Every card that is named anywhere in a scene but in words."""
    seats = [card for seat in scene["seats"] for card in seat["hand"]]
    return {*seats, *((scene["aside"] or {}).get("cards", ()))}


@games
@pytest.mark.parametrize("language", LANGUAGES)
def test_every_step_can_be_shown(server: Serving, name: Family, language: str) -> None:
    visitor, moves = Visitor(server), moves_of(name)
    visitor.enter()
    steps = ask(visitor, name, {}, language).json["steps"]
    texts = set()
    for at in range(steps):
        shown = ask(visitor, name, {"at": at, "moves": moves}, language).json
        assert (shown["step"], shown["name"]) == (at, name)
        texts.add(shown["text"])
        last = shown["frames"][-1]["scene"]
        assert last["you"] == first(name).learner
        assert set(shown["touch"]) | set(shown["either"]) <= set(last["hand"])
        assert (shown["kind"] == "do") == (shown["action"] is not None)
        if shown["action"] is not None:
            assert last["turn"] is not None
        if last["moment"] == "deal":
            allowed = {"T1", "T11", "CN", "S2", "D9", "H5", "CQ", "C7", "D5"} if name == "french" else set()
            assert cards_in(last) <= allowed, "the hands of others are not shown"
    assert len(texts) == steps
    assert shown["kind"] == "end"
    assert sum(line["points"] for line in shown["lines"]) == {"danish": 180, "french": 444}[name]
    assert all(line["how"] and line["why"] for line in shown["lines"])
    done = {one["family"]: one["done"] for one in visitor.get("/api/school").json["first"]}
    assert done[name]


@games
def test_frames_tell_what_has_happened_since_the_step_before(server: Serving, name: Family) -> None:
    visitor, moves = Visitor(server), moves_of(name)
    steps = ask(visitor, name, {}).json["steps"]
    played = [
        one["card"]
        for at in range(steps)
        for frame in ask(visitor, name, {"at": at, "moves": moves}).json["frames"]
        for one in frame["story"]
        if one["kind"] == "played"
    ]
    assert len(played) == len(set(played)) == {"danish": 75, "french": 72}[name]


def test_a_wrong_card_is_refused_in_the_language_of_who_asks(server: Serving) -> None:
    visitor, moves = Visitor(server), moves_of("danish")
    told = set()
    for language in LANGUAGES:
        wrong = {"at": 9, "moves": [moves[0], {"type": "Play", "card": "T21"}]}
        answer = ask(visitor, "danish", wrong, language)
        assert answer.status == 409
        told.add(answer.json["error"])
    assert len(told) == len(LANGUAGES)
    assert ask(visitor, "danish", {"at": 9, "moves": moves[:2]}).status == 200


HOSTILE: list[tuple[Any, int]] = [
    ({"at": -1}, 422),
    ({"at": 33}, 422),
    ({"at": 999_999_999_999}, 422),
    ({"at": "3"}, 422),
    ({"at": 1.5}, 422),
    ({"at": None}, 422),
    ({"at": 9, "moves": []}, 422),
    ({"moves": "CK"}, 422),
    ({"moves": [{"type": "Play"}]}, 422),
    ({"moves": [{"type": "Play", "card": "XX"}]}, 422),
    ({"moves": [{"type": "Pass"}] * 201}, 422),
    ({"step": 3}, 422),
    ([], 422),
    ({"at": 9, "moves": [{"type": "Play", "card": "?", "named": None}]}, 409),
    ({"at": 9, "moves": [{"type": "Deal", "hands": [[], [], []], "chien": []}]}, 409),
    ({"at": 9, "moves": [{"type": "Lay", "cards": ["T21", "T21", "T21"], "tout": True}]}, 409),
    ({"at": 9, "moves": [{"type": "ShowPoignee", "cards": []}]}, 409),
    ({"at": 9, "moves": [{"type": "Declare", "declarations": [{"kind": "over", "of": "K"}] * 99}]}, 409),
    ({"at": 9, "moves": [{"type": "Claim", "offence": "revoke", "against": 99}]}, 409),
    ({"at": 9, "moves": [{"type": "Bid", "bid": "contre"}]}, 409),
    ({"at": 9, "moves": [{"type": "Redeal"}]}, 409),
]


@pytest.mark.parametrize(("body", "status"), HOSTILE, ids=range(len(HOSTILE)))
def test_what_cannot_be_is_refused_in_words(server: Serving, body: Any, status: int) -> None:
    answer = ask(Visitor(server), "danish", body)
    assert (answer.status, bool(answer.json["error"])) == (status, True)


def test_there_is_no_other_deal(server: Serving) -> None:
    visitor = Visitor(server)
    for name in ("swedish", "dtf", "..%2fdanish", "danish.toml", "%00"):
        assert ask(visitor, name, {}).status == 404
    assert visitor.get("/api/school/first/danish").status in (404, 405)
    assert visitor.ask("POST", "/api/school/first/danish", data=b"{" * 5000).status == 400
    foreign = visitor.ask("POST", "/api/school/first/danish", {}, {"Origin": "https://evil.example"})
    assert foreign.status == 403
