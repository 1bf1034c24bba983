"""The tutor over HTTP: hints for one's own seat, reviews in pieces, the analysis board, what is refused."""

from __future__ import annotations

import http.client
import os
import signal
import time
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import msgspec
import pytest

from live import Evening, bots
from serving import PATIENCE, AtTable, Serving, Visitor, until
from ultimo.answers.books import title_of
from ultimo.names import names
from ultimo.players.warming import compile_part
from ultimo.server import reviews
from ultimo.server.settings import Config
from ultimo.table import Settings
from ultimo.table.archive import deal_events, step_of
from ultimo.telling.teller import Teller
from ultimo.tutor import review as tutor
from ultimo.tutor.judging import SAMPLES
from ultimo.tutor.telling import review_shown
from written import write

pytestmark = pytest.mark.xdist_group("server_tutor")

FEW = 2  # worlds a decision
SETTINGS = {
    "ULTIMO_REQUEST_BURST": "5000",
    "ULTIMO_TUTOR_PROCESSES": "1",
    "ULTIMO_REVIEW_SAMPLES": str(FEW),
    "ULTIMO_TUTOR_ADDRESS": "100",
}
ENDING = "dtf: F T1 S2 S1 / M T21 T0 HK / B H7 H8 H9"


@pytest.fixture(scope="module", autouse=True)
def _compiled() -> None:
    """Nobody waits here for the compiler, who takes minutes on a first start."""
    for part in ("Danish experts", "French experts", "Danish endings"):
        compile_part(part)


@pytest.fixture(scope="module")
def server(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Serving]:
    with Serving(tmp_path_factory.mktemp("tutor") / "tables.db", env=SETTINGS) as serving:
        yield serving
        assert not [line for line in serving.lines if line["level"] == "error"]


@pytest.fixture(scope="module")
def visitor(server: Serving) -> Visitor:
    return someone(server)


@pytest.fixture(scope="module")
def evening(server: Serving) -> Evening:
    """A table at which four deals are over."""
    found = Evening(Settings("dtf", 3, bots(3), deals=4), seed=5)
    found.play_on(4)
    write(server.database, [fact for fact, _ in found.log], time.time())
    return found


def someone(server: Serving) -> Visitor:
    visitor = Visitor(server)
    visitor.enter()
    return visitor


class Stream:
    """An answer that comes line by line."""

    def __init__(self, visitor: Visitor, method: str, path: str, body: Any = None) -> None:
        self._connection = http.client.HTTPConnection("127.0.0.1", visitor.server.port, timeout=PATIENCE)
        sent = {"Origin": visitor.server.url, "Cookie": visitor.cookie, "Accept-Encoding": "gzip"}
        content = None if body is None else msgspec.json.encode(body)
        self._connection.request(method, path, content, {key: value for key, value in sent.items() if value})
        self.answer = self._connection.getresponse()

    def __enter__(self) -> Stream:
        return self

    def __exit__(self, *_: object) -> None:
        self.answer.close()
        self._connection.close()

    def __iter__(self) -> Iterator[dict[str, Any]]:
        while line := self.answer.readline():
            yield msgspec.json.decode(line)

    def next(self) -> dict[str, Any]:
        return next(iter(self))


def reviewing(visitor: Visitor, evening: Evening, deal: int) -> Stream:
    return Stream(visitor, "GET", f"/api/tables/{evening.live.table}/review/{deal}?lang=en")


def measured(visitor: Visitor, name: str) -> float:
    text = visitor.get("/metrics").body.decode()
    return sum(float(line.rpartition(" ")[2]) for line in text.splitlines() if line.startswith(name))


def thinking(visitor: Visitor) -> list[int]:
    """The processes of the tutor: the children of the server that stand back."""
    server = visitor.server.pid
    return [pid for pid in children(server) if os.getpriority(os.PRIO_PROCESS, pid) >= 10]


def children(parent: int) -> Iterator[int]:
    for entry in Path("/proc").iterdir():
        if entry.name.isdecimal():
            try:
                status = (entry / "stat").read_text().rpartition(")")[2].split()
                arguments = (entry / "cmdline").read_bytes()
            except OSError:
                continue
            if int(status[1]) == parent and b"spawn_main" in arguments:
                yield int(entry.name)


# --- hints ---------------------------------------------------------------------------------------------


@pytest.fixture(scope="module")
def waiting(visitor: Visitor) -> Iterator[AtTable]:
    """A page whose person is on turn, with more than one card to play."""
    with AtTable(visitor, visitor.open_table("dtf", 3)) as page:
        on_turn(page)
        yield page


def on_turn(page: AtTable) -> None:
    """Start, and wait until the table asks this person something."""
    page.do({"type": "Start"})
    while not (page.scene["turn"] and page.scene["seats"][page.scene["you"]]["turn"]):
        page.hear()


def hinted(visitor: Visitor, page: AtTable, **body: Any) -> Any:
    """The answer to a wish for a hint, once a process of the tutor is ready."""
    while True:
        answer = visitor.post(f"/api/tables/{page.scene['table']['id']}/hint?lang=en", body)
        if answer.status != 503 or "not ready" not in answer.json["error"]:
            return answer


def test_who_is_on_turn_gets_a_hint_that_the_table_accepts(visitor: Visitor, waiting: AtTable) -> None:
    first = hinted(visitor, waiting, first=True)
    assert first.status == 200, first
    assert first.json["label"]
    assert all(one["points"] is None for one in first.json["candidates"]), "a club player does not reckon"
    answer = hinted(visitor, waiting, move=None, against=None)
    assert answer.status == 200, answer
    assert answer.json["label"]
    assert hinted(visitor, waiting).json == answer.json
    again = hinted(visitor, waiting, against=answer.json["action"])
    assert again.status == 200
    assert waiting.do({"type": "Act", "action": answer.json["action"]})["type"] == "done"


def test_who_only_watches_gets_none_and_a_stranger_neither(server: Serving, waiting: AtTable) -> None:
    answer = hinted(someone(server), waiting)
    assert (answer.status, answer.json["error"]) == (403, "You need a seat at this table to do this.")
    assert hinted(Visitor(server), waiting).status == 401


def test_there_is_no_hint_when_it_is_not_ones_turn(visitor: Visitor) -> None:
    table = visitor.open_table("dtf", 3)
    answer = visitor.post(f"/api/tables/{table}/hint?lang=en", {})
    assert answer.status == 409
    assert answer.json["error"]
    assert visitor.post("/api/tables/nowhere/hint", {}).status == 404


@pytest.mark.parametrize(
    ("body", "status"),
    [
        ({"against": {"type": "Play", "card": "X9"}}, 422),
        ({"against": {"type": "Open"}}, 422),
        ({"against": 7}, 422),
        ({"against": "x" * 60_000}, 422),
        ({"seat": 1}, 422),
        ({"move": "one"}, 422),
    ],
)
def test_what_a_hint_cannot_be_asked_is_refused(
    visitor: Visitor, waiting: AtTable, body: dict[str, Any], status: int
) -> None:
    assert hinted(visitor, waiting, **body).status == status


# --- reviews -------------------------------------------------------------------------------------------


def test_a_server_judges_as_everybody_else_does() -> None:
    assert Config().review_samples == SAMPLES


def test_a_review_tells_how_far_it_is_and_comes_at_once_the_second_time(
    visitor: Visitor, evening: Evening
) -> None:
    with reviewing(visitor, evening, 1) as stream:
        assert stream.answer.status == 200
        assert stream.answer.headers["content-type"] == "application/jsonl"
        *progress, last = stream
    of = progress[-1]["of"]
    done = [line["done"] for line in progress]
    assert done == sorted(done)
    assert done[-1] == of
    assert len(set(done)) > of // reviews.CHUNK // 2
    with reviewing(visitor, evening, 1) as stream:
        assert list(stream) == [last]
    rules, events = deal_events(evening.log, 1)
    teller = Teller(names("en"), rules, tuple(sitting.name for sitting in evening.live.seats))
    made = tutor.review(rules, events, samples=FEW)
    shown = review_shown(made, events, teller, 1, title_of("dtf", "en"), step_of(evening.log, 1))
    assert last["review"] == msgspec.json.decode(msgspec.json.encode(shown))


def test_two_who_ask_share_one_review_which_goes_on_if_one_leaves(
    server: Serving, visitor: Visitor, evening: Evening
) -> None:
    friend = someone(server)
    made = measured(visitor, 'ultimo_reviews_total{result="made"}')
    with reviewing(visitor, evening, 2) as mine:
        mine.next()
        with reviewing(friend, evening, 2) as theirs:
            theirs.next()
            mine.__exit__()
            *_, last = theirs
    assert "review" in last
    assert measured(visitor, 'ultimo_reviews_total{result="made"}') == made + 1


def test_the_processes_are_made_anew_when_they_are_killed(visitor: Visitor, evening: Evening) -> None:
    with reviewing(visitor, evening, 3) as stream:
        stream.next()
        for pid in thinking(visitor):
            os.kill(pid, signal.SIGKILL)
        *_, last = stream
    assert "review" in last
    with reviewing(visitor, evening, 4) as stream:
        *_, last = stream
    assert "review" in last


def test_the_review_of_a_deal_that_is_told_otherwise_is_made_anew(evening: Evening) -> None:
    rules, events = deal_events(evening.log, 1)
    other = reviews.order("table", 1, rules, deal_events(evening.log, 2)[1], FEW)
    one = reviews.order("table", 1, rules, events, FEW)
    assert len({one.digest, other.digest, reviews.order("table", 1, rules, events, 9).digest}) == 3
    assert one == reviews.order("table", 1, rules, events, FEW)


def test_only_a_deal_that_is_over_is_reviewed(visitor: Visitor, evening: Evening, waiting: AtTable) -> None:
    assert visitor.get(f"/api/tables/{evening.live.table}/review/9").status == 404
    assert visitor.get(f"/api/tables/{evening.live.table}/review/x").status == 404
    assert visitor.get(f"/api/tables/{waiting.scene['table']['id']}/review/1").status == 404
    assert visitor.get("/api/tables/nowhere/review/1").status == 404


@pytest.fixture(scope="module")
def slow(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Serving]:
    """A server that takes minutes for a review, which nobody here waits for."""
    settings = SETTINGS | {"ULTIMO_REVIEW_SAMPLES": "1000", "ULTIMO_TUTOR_QUEUE": "2"}
    with Serving(tmp_path_factory.mktemp("slow") / "tables.db", env=settings) as serving:
        yield serving


def test_who_floods_is_refused_while_others_get_their_hints_and_what_is_left_stops(
    slow: Serving, evening: Evening
) -> None:
    write(slow.database, [fact for fact, _ in evening.log], time.time())
    greedy, friend, third, fourth = (someone(slow) for _ in range(4))
    table = f"/api/tables/{evening.live.table}"
    with reviewing(greedy, evening, 1) as first, reviewing(friend, evening, 2) as second:
        assert first.next()["waiting"] == 0
        assert second.next()["waiting"] in (0, 1)
        refused = greedy.get(f"{table}/review/3?lang=en")
        assert (refused.status, "still being worked out" in refused.json["error"]) == (429, True)
        refused = third.get(f"{table}/review/3?lang=en")
        assert (refused.status, "just now" in refused.json["error"]) == (429, True)
        with AtTable(fourth, fourth.open_table("dtf", 3)) as page:
            on_turn(page)
            assert hinted(fourth, page).status == 200
        assert "done" in first.next()
    until(lambda: measured(fourth, 'ultimo_reviews_total{result="left"}') == 2)
    assert measured(fourth, 'ultimo_reviews_total{result="made"}') == 0


# --- the analysis board --------------------------------------------------------------------------------


def solving(visitor: Visitor, text: str = ENDING, **more: Any) -> Stream:
    return Stream(visitor, "POST", "/api/analyse/solve?lang=en", {"text": text, "moves": []} | more)


def test_a_position_is_shown_solved_and_written_down(visitor: Visitor) -> None:
    board = visitor.post("/api/analyse?lang=en", {"text": ENDING, "moves": []})
    assert board.status == 200, board
    with solving(visitor) as stream:
        first, *_, last = stream
    assert "waiting" in first
    assert last["finished"]
    written = visitor.post("/api/analyse/record", {"text": ENDING, "moves": [], "comments": []})
    assert (written.status, written.headers["content-type"]) == (200, "text/plain; charset=utf-8")


def test_a_frame_of_a_replay_becomes_a_position(visitor: Visitor, evening: Evening) -> None:
    table = f"/api/tables/{evening.live.table}"
    frames = len(visitor.get(f"{table}/replay/1").json["frames"])
    found = [visitor.get(f"{table}/position/1/{step}") for step in range(0, frames, 12)]
    assert {answer.status for answer in found} == {200, 409}
    texts = [answer.json["text"] for answer in found if answer.status == 200]
    assert all(text.startswith("dtf: ") for text in texts)
    assert visitor.get(f"{table}/position/1/{frames}").status == 404
    assert visitor.get(f"{table}/position/1/-1").status == 404
    assert visitor.get(f"{table}/position/9/0").status == 404


@pytest.mark.parametrize(
    ("body", "field"),
    [
        ({"text": "nonsense", "moves": []}, "text"),
        ({"text": "x" * 3000, "moves": []}, "text"),
        ({"text": "x" * 60_000, "moves": []}, "text"),
        ({"text": 7, "moves": []}, "text"),
        ({"text": ENDING, "moves": [{"type": "Play", "card": "C9"}]}, "moves"),
        ({"text": ENDING, "moves": [{"type": "Fly"}]}, "moves[0].type"),
        ({"text": ENDING, "moves": [{"type": "Pass"}] * 300}, "moves"),
        ({"moves": []}, None),
    ],
)
def test_what_is_no_position_is_refused_with_its_place(
    visitor: Visitor, body: dict[str, Any], field: str | None
) -> None:
    answer = visitor.post("/api/analyse?lang=en", body)
    assert answer.status == 422
    assert answer.json["error"]
    written = visitor.post("/api/analyse/record?lang=en", body)
    assert (answer.json.get("field"), written.status) == (field, 422)
    with Stream(visitor, "POST", "/api/analyse/solve?lang=en", body) as stream:
        if stream.answer.status == 200:
            *_, last = stream
            assert last["error"]
        else:
            assert stream.answer.status == 422


@pytest.mark.parametrize("path", ["analyse", "analyse/record", "analyse/solve"])
def test_what_is_wrong_with_a_position_is_told_in_the_language_of_the_visitor(
    visitor: Visitor, path: str
) -> None:
    body = {"text": "dtf: F T1 / M T2", "moves": []}
    with Stream(visitor, "POST", f"/api/{path}?lang=da", body) as stream:
        *_, last = stream
    assert (last["field"], last["error"]) == ("text", "der skal være 3 hænder med / imellem, ikke 2")


def test_pages_of_others_and_large_bodies_are_turned_away(visitor: Visitor) -> None:
    for path in ("/api/analyse", "/api/analyse/solve", "/api/analyse/record", "/api/tables/x/hint"):
        foreign = visitor.ask("POST", path, {"text": ENDING}, headers={"Origin": "https://evil.example"})
        assert foreign.status == 403
        assert visitor.ask("POST", path, data=b'"' + b"x" * 70_000).status == 413
        assert visitor.ask("POST", path, data=b"[" * 20_000).status in (400, 422)
