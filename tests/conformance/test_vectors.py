"""The conformance suite is true: as it was written, complete, and every engine here agrees."""

from __future__ import annotations

import hashlib
import json
import os
from collections import Counter
from collections.abc import Callable, Iterator
from itertools import pairwise

import msgspec
import pytest
from jsonschema import Draft202012Validator
from msgspec import inspect

import coverage_map
import write_conformance
from parameters import kinds
from ultimo.cards import NOTATION
from ultimo.cli.conform import engine
from ultimo.conformance import notation, running, suite
from ultimo.conformance.suite import Vector, difference
from ultimo.rulebook import DanishRules, FrenchRules, ids, load

LONG = bool(os.environ.get("ULTIMO_LONG"))
EVERY = {"plain": 11, "kernel": 29, "terminal": 5}  # of the vectors, one in so many is asked
KINDS_OF = {"kernel": ("legal", "deal"), "terminal": ("outcome", "impossible", "record")}
MOST_BYTES = 3_300_000


@pytest.fixture(scope="module")
def vectors() -> list[Vector]:
    """The whole suite."""
    return list(suite.vectors())


# --- the files -------------------------------------------------------------------------------------------


def test_the_files_are_those_that_were_written() -> None:
    index = json.loads(suite.INDEX.read_text(encoding="utf-8"))
    files = {file.stem: file.read_bytes() for file in suite.FOLDER.glob("*.jsonl")}
    assert files.keys() == index.keys() == {*ids(), "cases", "parameters"}
    for name, data in files.items():
        assert hashlib.sha256(data).hexdigest() == index[name]["sha256"], f"run `make conformance`: {name}"
        assert data.count(b"\n") == index[name]["vectors"]
    assert sum(map(len, files.values())) <= MOST_BYTES


@pytest.mark.parametrize("book", ids() if LONG else ["fft3"])
def test_a_file_is_written_again_to_the_byte(book: str) -> None:
    again = write_conformance.lines_of(write_conformance.of_book(book))
    assert again == (suite.FOLDER / f"{book}.jsonl").read_bytes(), "run `make conformance` if this is meant"


def test_cases_by_hand_are_written_again() -> None:
    again = write_conformance.by_hand()
    assert again == write_conformance.read("cases")[: len(again)]


def test_the_schema_and_the_rule_sets_are_todays() -> None:
    home = suite.HOME
    assert json.loads((home / "vector.schema.json").read_text(encoding="utf-8")) == suite.schema()
    assert json.loads((home / "rules.json").read_text(encoding="utf-8")) == write_conformance.rule_sets()


def test_vectors_requests_and_answers_fit_the_schema(vectors: list[Vector]) -> None:
    schema = suite.schema()
    Draft202012Validator.check_schema(schema)
    of_vector = Draft202012Validator(schema)
    request, reply = (Draft202012Validator(schema["$defs"][name]) for name in ("request", "answer"))
    for one in vectors if LONG else vectors[::40]:
        raw = json.loads(msgspec.json.encode(one))
        of_vector.validate({key: value for key, value in raw.items() if value is not None})
        request.validate(json.loads(msgspec.json.encode(one.request())))
    for said in ({"id": "a", "answer": {}}, {"id": "a", "error": {}}, {"id": "a", "unsupported": True}):
        reply.validate(said)
    assert not reply.is_valid({"id": "a", "answer": {}, "unsupported": True})


def test_every_vector_has_the_fields_of_the_schema() -> None:
    allowed, ids_seen = set(suite.schema()["properties"]), set()
    for file in sorted(suite.FOLDER.glob("*.jsonl")):
        for line in file.read_bytes().splitlines():
            raw = msgspec.json.decode(line)
            assert raw.keys() <= allowed
            assert set(suite.schema()["required"]) <= raw.keys()
            assert ("expected" in raw) != ("error" in raw)
            assert raw["kind"] in suite.KINDS
            assert raw["cites"]
            assert raw["id"] not in ids_seen
            ids_seen.add(raw["id"])
    assert len(ids_seen) >= 3000


# --- what it covers --------------------------------------------------------------------------------------


def test_every_case_of_the_specification_is_there(vectors: list[Vector]) -> None:
    cited = {cite for one in vectors for cite in one.cites}
    assert not coverage_map.cases().keys() - cited


def test_every_parameter_is_there_with_another_value(vectors: list[Vector]) -> None:
    changed = {key for one in vectors for key in one.overrides}
    for kind in (DanishRules, FrenchRules):
        keys = {key for key, _ in kinds(inspect.type_info(kind))} - write_conformance.NOT_FLIPPED.keys()
        missing = {key for key in keys if not any(one == key or one.startswith(f"{key}.") for one in changed)}
        assert not missing


def test_whoever_was_drawn_for_the_rest_of_the_cups_is_told(vectors: list[Vector]) -> None:
    drawn = [one for one in vectors if one.kind == "stakes" and one.overrides.get("session.rest") == "lot"]
    assert drawn
    for one in drawn:
        assert one.expected is not None
        assert one.expected["payments"]["divisionRest"][one.input["lot"]] > 0


def test_a_dealer_never_sits_out_and_who_comes_back_of_five_is_forehand(vectors: list[Vector]) -> None:
    five = [one for one in vectors if one.kind == "seating" and "out" in one.input]
    assert {(one.input["dealer"] - one.input["out"]) % 5 for one in five} == {1, 2, 3, 4}
    for one in five:
        assert one.expected is not None
        for (_, *before), (dealer, *after) in pairwise(one.expected["deals"]):
            assert dealer == after[-1]
            back = {*after} - {*before}
            assert len({*after}) == 3
            assert len(back) == 1 or after[0] in back


def test_whoever_sits_out_to_deal_deals_until_somebody_takes(vectors: list[Vector]) -> None:
    (one, *_) = [one for one in vectors if one.kind == "seating" and one.overrides.get("table.mort")]
    assert one.expected is not None
    assert [deal[0] for deal in one.expected["deals"]] == [3, 3, 3, 4, 0, 0, 1, 2]


def test_a_file_that_is_none_is_told_in_words() -> None:
    with pytest.raises(SystemExit, match=r"no file is called rules\.json; there are basta, .*, parameters"):
        write_conformance.main(["rules.json"])


@pytest.mark.parametrize(("book", "suits"), [("jensen", "SHT"), ("french4", "SHT")])
def test_neighbours_in_rank_are_told_apart(book: str, suits: str, vectors: list[Vector]) -> None:
    """Whichever two of them an engine has the wrong way round."""
    tricks = [one.input["cards"].split() for one in vectors if (one.kind, one.rules) == ("trick", book)]
    met = {frozenset(cards[:2]) for cards in tricks}
    for suit in suits:
        alike = [name for name in NOTATION if name[0] == suit and name != "T0"]
        assert all(frozenset(pair) in met for pair in pairwise(alike))


def test_every_rule_set_has_every_kind(vectors: list[Vector]) -> None:
    found = Counter((one.rules, one.kind) for one in vectors)
    for book in ids():
        lacking = {kind for kind in suite.KINDS if not found[book, kind]}
        assert lacking <= ({"endgame"} if load(book).family == "danish" else {"endgame", "stakes"})


RARE: dict[str, Callable[[Vector], bool]] = {
    "petit au bout": lambda one: "petitAuBout" in payments(one),
    "slam": lambda one: "slam" in payments(one),
    "tout": lambda one: "tout" in payments(one),
    "nolo": lambda one: "nolo" in payments(one),
    "lost nolo": lambda one: "noloLost" in payments(one),
    "king ultimo": lambda one: "kingUltimo" in payments(one),
    "pagat ultimo": lambda one: "pagatUltimo" in payments(one),
    "king bagud": lambda one: "kingBagud" in payments(one),
    "pagat bagud": lambda one: "pagatBagud" in payments(one),
    "fine": lambda one: "fine" in payments(one),
    "redeal": lambda one: "ask redeal" in one.input.get("moves", ""),
    "skus named anew": lambda one: " name " in one.input.get("moves", ""),
    "skus demanded": lambda one: "demand skus" in one.input.get("moves", ""),
    "thrown in": lambda one: (one.expected or {}).get("result") == "thrownIn",
    "scrapped": lambda one: (one.expected or {}).get("result") == "scrapped",
    "poignée": lambda one: " show " in one.input.get("moves", ""),
    "king called": lambda one: " call " in one.input.get("moves", ""),
}


def payments(one: Vector) -> dict[str, list[int]]:
    found: dict[str, list[int]] = (one.expected or {}).get("payments", {})
    return found


@pytest.mark.parametrize("name", RARE)
def test_what_is_rare_is_there(name: str, vectors: list[Vector]) -> None:
    assert sum(RARE[name](one) for one in vectors) >= 3


def test_poignees_of_every_size_and_every_bid_are_paid(vectors: list[Vector]) -> None:
    for book in ids():
        rules = load(book)
        if isinstance(rules, FrenchRules):
            some = [one for one in vectors if one.rules == book and one.kind == "outcome"]
            shown = {size for one in some for _, size in one.input.get("poignees", ())}
            assert set(rules.poignee.sizes) <= shown
            assert {one.input["bid"] for one in some} == {row.id for row in rules.bid.ladder}


# --- who answers -----------------------------------------------------------------------------------------


def asked(name: str, some: list[Vector]) -> Iterator[running.Verdict]:
    """What an engine here makes of vectors."""
    for one in some:
        said = running.reply(engine(name), msgspec.json.encode(one.request()))
        yield running.judged(one, msgspec.json.encode(said).decode())


@pytest.mark.parametrize("name", EVERY)
def test_every_way_to_answer_agrees_with_the_suite(name: str, vectors: list[Vector]) -> None:
    known = [one for one in vectors if one.kind in KINDS_OF.get(name, tuple(suite.KINDS))]
    verdicts = list(asked(name, known if LONG else known[:: EVERY[name]]))
    failed = [(one.vector.id, one.why) for one in verdicts if one.status == "failed"]
    assert not failed
    statuses = Counter(one.status for one in verdicts)
    assert statuses["unsupported"] <= (0 if name != "kernel" else statuses["passed"])


@pytest.mark.parametrize(("name", "kind"), [("kernel", "outcome"), ("terminal", "deal")])
def test_what_an_engine_does_not_know_it_says(name: str, kind: str, vectors: list[Vector]) -> None:
    some = [one for one in vectors if one.kind == kind][:3]
    assert [one.status for one in asked(name, some)] == ["unsupported"] * 3


# --- comparing -------------------------------------------------------------------------------------------

LEGAL = Vector("a", "legal", "dtf", ("x",), {}, expected={"actions": ["S4", "T0=H"], "lay": {"all": "S4 H3"}})
PAID = Vector("b", "outcome", "dtf", ("x",), {}, expected={"nets": [1, -1], "payments": {"ante": [1, -1]}})
REFUSED = Vector("c", "record", "dtf", ("x",), {}, error={"key": "notHeld", "line": 4})


@pytest.mark.parametrize(
    ("vector", "said", "why"),
    [
        (LEGAL, {"answer": {"actions": ["T0=H", "S4"], "lay": {"all": "H3 S4"}}}, None),
        (LEGAL, {"answer": {"actions": ["S4"], "lay": {"all": "H3 S4"}}}, "actions: "),
        (LEGAL, {"answer": {"actions": [1, "S4"], "lay": {"all": "H3 S4"}}}, "are not actions"),
        (LEGAL, {"answer": {"actions": ["S4", "T0=H"], "lay": {"all": "S4"}}}, "lay.all: "),
        (LEGAL, {"answer": {"actions": ["S4", "T0=H"]}}, "lay is missing"),
        (PAID, {"answer": {"nets": [1, -1]}}, None),
        (PAID, {"answer": {"nets": [1, -1], "payments": {"ante": [1, -1]}}}, None),
        (PAID, {"answer": {"nets": [1, -1], "payments": {"ante": [1, 0]}}}, "payments.ante: [1,-1] expected"),
        (PAID, {"answer": {"nets": [1, -1], "payments": {}}}, "payments.ante"),
        (PAID, {"answer": {"nets": [1, -1], "bonus": 3}}, "bonus: there is no such thing"),
        (PAID, {"answer": {"nets": [1.0, -1]}}, None),
        (PAID, {"answer": {"nets": [True, -1]}}, "nets"),
        (PAID, {"answer": {"nets": [1]}}, "nets"),
        (PAID, {"answer": [1, -1]}, "must be an object"),
        (PAID, {"error": {"key": "x"}}, "an answer was expected"),
        (REFUSED, {"error": {}}, None),
        (REFUSED, {"error": {"key": "notHeld", "reason": "as you like"}}, None),
        (REFUSED, {"error": {"key": "notHeld", "line": 5}}, "error.line: 4 expected, not 5"),
        (REFUSED, {"error": {"key": "follow"}}, "error.key"),
        (REFUSED, {"error": "no"}, "must be an object"),
        (REFUSED, {"answer": {"nets": []}}, "the error notHeld was expected"),
    ],
)
def test_an_answer_is_compared_as_the_page_says(vector: Vector, said: object, why: str | None) -> None:
    found = difference(vector, said)
    assert found is None if why is None else why in (found or "")


@pytest.mark.parametrize(
    "said", ["fly", "lay S4 S4 X", "bid grand", "claim revoke", "cut x", "T0=X", "name Q"]
)
def test_what_is_no_action_is_refused(said: str) -> None:
    with pytest.raises(notation.Unreadable):
        notation.action(said)


@pytest.mark.parametrize(
    "line",
    [
        b"",
        b"{",
        b"[1]",
        b'{"id":1}',
        b'{"id":"a","kind":"outcome","rules":"whist","input":{}}',
        b'{"id":"a","kind":"outcome","rules":"dtf","input":{}}',
        b'{"id":"a","kind":"deal","rules":"dtf","input":{"moves":"x"}}',
        b'{"id":"a","kind":"legal","rules":"dtf","input":{"position":7,"seat":0}}',
        b'{"id":"a","kind":"outcome","rules":"dtf","overrides":{"x":1},"input":{}}',
        b"\xff",
    ],
)
def test_whatever_is_asked_gets_one_answer(line: bytes) -> None:
    said = running.reply(engine("plain"), line)
    assert "error" in said
    assert said["error"]["key"]
