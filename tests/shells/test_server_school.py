"""The school over HTTP: what can be learned, what is said to answers, and what is remembered of it."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any

import pytest

from serving import Serving, Visitor
from ultimo.names import LANGUAGES
from ultimo.rulebook import load
from ultimo.telling.citations import words
from ultimo.tutor.school.course import course, lesson
from ultimo.tutor.school.trainers import TRAINERS, trainer

pytestmark = pytest.mark.xdist_group("server_school")

SETTINGS = {"ULTIMO_REQUEST_BURST": "5000", "ULTIMO_TUTOR_PROCESSES": "1", "ULTIMO_TUTOR_ADDRESS": "100"}
LESSON = "/api/school/lessons/whip-sums"
TRAINER = "/api/school/trainers/declarations"


@pytest.fixture(scope="module")
def server(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Serving]:
    with Serving(tmp_path_factory.mktemp("school") / "tables.db", env=SETTINGS) as serving:
        yield serving
        assert not [line for line in serving.lines if line["level"] == "error"]


@pytest.fixture
def visitor(server: Serving) -> Visitor:
    one = Visitor(server)
    one.enter()
    return one


def school(visitor: Visitor, language: str = "en") -> Any:
    answer = visitor.get(f"/api/school?lang={language}")
    assert answer.status == 200, answer
    return answer.json


def solved(visitor: Visitor, name: str = "whip-sums") -> int:
    lessons = [one for chapter in school(visitor)["chapters"] for one in chapter["lessons"]]
    (found,) = [one["solved"] for one in lessons if one["name"] == name]
    return int(found)


def right_answer(n: int, seed: str = "a", book: str = "dtf") -> tuple[str, ...]:
    asked = trainer("declarations").ask(load(book), seed, n)
    return asked.verdict(("0",), "en").answer


def wrong_answer(n: int, seed: str = "a") -> tuple[str, ...]:
    right = set(right_answer(n, seed))
    return next((option,) for option in "012" if {option} != right)


def judge(visitor: Visitor, n: int, answer: tuple[str, ...], seed: str = "a") -> Any:
    told = visitor.post(f"{TRAINER}?rules=dtf&seed={seed}&n={n}&lang=en", {"answer": answer})
    assert told.status == 200, told
    return told.json


# --- the course ----------------------------------------------------------------------------------------


def test_the_school_lists_the_course_in_its_order(visitor: Visitor) -> None:
    shown = school(visitor)
    taught = [(one["id"], [lesson["name"] for lesson in one["lessons"]]) for one in shown["chapters"]]
    assert taught == [(one.id, list(one.lessons)) for one in course().chapters]
    assert [one["id"] for one in shown["trainers"]] == list(TRAINERS)
    assert shown["first"] == [{"family": "danish", "done": False}, {"family": "french", "done": False}]
    assert all(one["solved"] == 0 for chapter in shown["chapters"] for one in chapter["lessons"])


@pytest.mark.parametrize("language", LANGUAGES)
def test_the_school_speaks_every_language(visitor: Visitor, language: str) -> None:
    shown = school(visitor, language)
    lessons = {one["name"]: one for chapter in shown["chapters"] for one in chapter["lessons"]}
    for name, line in lessons.items():
        found = lesson(name)
        assert line["title"] == found.pen(language).write(found.title)
        assert line["exercises"] == len(found.exercises)
    page = visitor.get(f"{LESSON}?lang={language}").json
    assert page["parts"][0]["block"]["text"] == getattr(lesson("whip-sums").parts[0], language)


def test_a_lesson_says_what_comes_before_and_after_it(visitor: Visitor) -> None:
    page = visitor.get(f"{LESSON}?lang=en").json
    order = course().lessons("danish")
    place = order.index("whip-sums")
    assert page["previous"]["name"] == order[place - 1]
    assert page["next"]["name"] == order[place + 1]
    assert [one["name"] for one in page["needs"]] == ["four-factors"]
    assert [one["words"] for one in page["cites"]] == [words(one, "en") for one in lesson("whip-sums").cites]
    asked = [part["number"] for part in page["parts"] if part["kind"] == "ask"]
    assert asked == list(range(len(lesson("whip-sums").exercises)))
    assert page["parts"][0]["kind"] == "read"
    first = visitor.get(f"/api/school/lessons/{order[0]}").json
    last = visitor.get(f"/api/school/lessons/{order[-1]}").json
    assert first["previous"] is None
    assert last["next"] is None


def test_a_right_answer_is_remembered_and_a_wrong_one_explained(visitor: Visitor) -> None:
    wrong = visitor.post(f"{LESSON}/0?lang=en", {"answer": ["6"]}).json
    assert not wrong["right"]
    assert wrong["answer"] == ["7"]
    assert wrong["text"].startswith("Not quite. ")
    assert solved(visitor) == 0
    assert visitor.post(f"{LESSON}/0?lang=da", {"answer": ["7"]}).json["text"].startswith("Rigtigt. ")
    assert solved(visitor) == 1
    first, second = [part for part in visitor.get(LESSON).json["parts"] if part["kind"] == "ask"][:2]
    assert (first["solved"], second["solved"]) == (True, False)
    visitor.post(f"{LESSON}/0", {"answer": ["6"]})
    assert solved(visitor) == 1, "what is solved stays so"


def test_strangers_may_look_and_try_and_nothing_is_remembered_of_them(server: Serving) -> None:
    stranger = Visitor(server)
    assert stranger.post(f"{LESSON}/0", {"answer": ["7"]}).json["right"]
    assert solved(stranger) == 0
    assert judge(stranger, 0, right_answer(0)) | {"verdict": None} == {
        "verdict": None,
        "streak": 1,
        "best": 0,
    }


def test_a_guest_takes_along_what_is_learned(server: Serving) -> None:
    owner, guest = Visitor(server), Visitor(server)
    owner.enter()
    owner.post("/api/account", {"name": "Scholar", "password": "a long password"})
    judge(owner, 0, right_answer(0))
    guest.enter()
    guest.post(f"{LESSON}/0", {"answer": ["7"]})
    for n in range(3):
        judge(guest, n, right_answer(n))
    assert guest.post("/api/login", {"name": "Scholar", "password": "a long password"}).status == 200
    assert solved(guest) == solved(owner) == 1
    assert school(owner)["trainers"][0]["best"] == 3, "the better of two values stays"

    assert owner.ask("DELETE", "/api/me").status == 204
    owner.enter()
    assert solved(owner) == 0


# --- trainers ------------------------------------------------------------------------------------------


def test_a_trainer_asks_the_same_to_everybody_in_every_language(server: Serving, visitor: Visitor) -> None:
    path = f"{TRAINER}?rules=jensen&seed=abc&n=4"
    first, other = visitor.get(f"{path}&lang=en").json, Visitor(server).get(f"{path}&lang=en").json
    assert first["question"] == other["question"]
    assert (first["book"], first["n"]) == ("jensen", 4)
    assert first["trainer"]["books"][0]["id"] == "dtf"
    danish = visitor.get(f"{path}&lang=da").json["question"]
    assert danish["blocks"] == first["question"]["blocks"]
    assert danish["text"] != first["question"]["text"]


def test_a_run_is_counted_by_the_server(visitor: Visitor) -> None:
    assert judge(visitor, 0, right_answer(0))["streak"] == 1
    assert judge(visitor, 0, right_answer(0))["streak"] == 1, "the same answer twice counts once"
    assert judge(visitor, 5, right_answer(5))["streak"] == 1, "nobody leaps ahead"
    assert judge(visitor, 1, right_answer(1))["streak"] == 2
    told = judge(visitor, 2, wrong_answer(2))
    assert (told["streak"], told["best"], told["verdict"]["right"]) == (0, 2, False)
    assert judge(visitor, 2, right_answer(2))["streak"] == 0, "after the answer was told"
    assert judge(visitor, 0, right_answer(0))["streak"] == 0
    told = judge(visitor, 0, right_answer(0, "b"), "b")
    assert (told["streak"], told["best"]) == (1, 2)
    assert school(visitor)["trainers"][0]["best"] == 2


def test_a_run_begins_with_its_first_question(visitor: Visitor) -> None:
    assert judge(visitor, 3, right_answer(3))["streak"] == 0
    assert school(visitor)["trainers"][0]["best"] == 0


# --- whatever is sent ----------------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("path", "status"),
    [
        ("/api/school/lessons/nothing", 404),
        ("/api/school/lessons/..%2Fcourse", 404),
        ("/api/school/lessons/%00", 404),
        (f"/api/school/lessons/{'x' * 3000}", 404),
        ("/api/school/trainers/nothing", 404),
        (f"{TRAINER}?rules=french4", 404),
        (f"{TRAINER}?rules=../../etc/passwd", 404),
        (f"{TRAINER}?n=-1", 404),
        (f"{TRAINER}?n=99999", 404),
        (f"{TRAINER}?n=1e3", 404),
        (f"{TRAINER}?n=%D9%A3", 404),
        (f"{TRAINER}?seed=", 404),
        (f"{TRAINER}?seed={'a' * 25}", 404),
        (f"{TRAINER}?seed=%00", 404),
        (f"{TRAINER}?seed=a%25", 404),
    ],
)
def test_what_there_is_not_is_refused_in_words(visitor: Visitor, path: str, status: int) -> None:
    for method, body in (("GET", None), ("POST", {"answer": ["0"]})):
        if method == "POST" and "/lessons/" in path:
            path = f"{path}/0"
        answer = visitor.ask(method, path, body)
        assert answer.status == status, answer
        assert answer.json["error"]


@pytest.mark.parametrize("number", ["99", "9999", "99999", "-1", "x", "0.5", "%D9%A3", "0%00", "00000"])
def test_a_lesson_has_no_exercise_of_another_number(visitor: Visitor, number: str) -> None:
    assert visitor.post(f"{LESSON}/{number}", {"answer": ["7"]}).status == 404
    assert solved(visitor) == 0


@pytest.mark.parametrize(
    ("body", "status"),
    [
        ({}, 422),
        ({"answer": "7"}, 422),
        ({"answer": [7]}, 422),
        ({"answer": None}, 422),
        ({"answer": ["7"], "right": True}, 422),
        ({"answer": ["7" * 13]}, 422),
        ({"answer": ["7"] * 41}, 422),
        ({"answer": []}, 422),
        ({"answer": ["7", "7"]}, 422),
        ({"answer": ["seven"]}, 422),
        ({"answer": ["\u0667"]}, 422),
        ({"answer": ["7\x00"]}, 422),
        ({"answer": ["7"] * 100_000}, 413),
    ],
)
def test_an_answer_that_is_none_is_refused(visitor: Visitor, body: Any, status: int) -> None:
    for path in (f"{LESSON}/0", f"{TRAINER}?seed=a&n=0"):
        answer = visitor.post(path, body)
        assert answer.status == status, answer
        assert answer.json["error"]
    assert solved(visitor) == 0
    assert school(visitor)["trainers"][0]["best"] == 0


def test_who_asks_too_much_waits(tmp_path_factory: pytest.TempPathFactory) -> None:
    few = {**SETTINGS, "ULTIMO_REQUEST_BURST": "5", "ULTIMO_REQUEST_RATE": "0.001"}
    with Serving(tmp_path_factory.mktemp("few") / "tables.db", env=few) as server:
        one = Visitor(server)
        told = [one.post(f"{LESSON}/0", {"answer": ["7"]}).status for _ in range(7)]
    assert told[0] == 200
    assert told[-1] == 429
