"""`ultimo conform`: other people's engines, good ones and bad ones, and the small one in JavaScript."""

from __future__ import annotations

import json
import shutil
import sys
from collections.abc import Iterator
from pathlib import Path

import msgspec
import pytest

from commands import fails, ultimo
from ultimo.conformance import running, suite
from ultimo.conformance.running import Engine, Verdict
from ultimo.conformance.suite import Vector

EXAMPLE = suite.HOME / "examples" / "french-scoring.mjs"
KNOWN = ("outcome", "trick", "count")
ANSWERS = """
import json, sys
for number, line in enumerate(sys.stdin):
    asked = json.loads(line)
    {answer}
    print(json.dumps(said), flush=True)
"""
FOREVER = 60.0  # seconds; none of the programs needs them


def program(folder: Path, answer: str, whole: bool = False) -> str:
    """A program that answers so."""
    file = folder / "engine.py"
    file.write_text(answer if whole else ANSWERS.format(answer=answer), encoding="utf-8")
    return f"{sys.executable} {file}"


def some(number: int = 6) -> list[Vector]:
    return list(suite.vectors(kinds=["trick"], rules=["french4"]))[:number]


def verdicts(command: str, number: int = 6, timeout: float = FOREVER) -> list[Verdict]:
    return list(running.run(some(number), Engine(command.split(), timeout)))


# --- programs that do not do as they should ----------------------------------------------------------------


@pytest.mark.parametrize(
    ("answer", "why"),
    [
        ("said = 7", "nonsense: an answer to '7'"),
        ("said = {'id': 'another', 'answer': {}}", "nonsense: an answer to 'another'"),
        ("said = {'id': asked['id']}", "neither an answer nor an error"),
        ("said = {'id': asked['id'], 'answer': {}, 'error': {}}", "or both"),
        ("said = {'id': asked['id'], 'answer': {'winner': 9}}", "expected, not 9"),
        ("said = {'id': asked['id'], 'answer': {'winner': '0'}}", 'expected, not "0"'),
        ("print('hello', flush=True); said = {}", "nonsense: not JSON: 'hello'"),
    ],
)
def test_wrong_answers_and_nonsense_are_told(tmp_path: Path, answer: str, why: str) -> None:
    first = verdicts(program(tmp_path, answer), 1)[0]
    assert first.status == "failed"
    assert why in first.why


def test_a_program_that_crashes_is_started_again(tmp_path: Path) -> None:
    answer = "said = {'id': asked['id'], 'unsupported': True}\n    if number: raise SystemExit('I give up')"
    found = verdicts(program(tmp_path, answer))
    assert [one.status for one in found] == ["unsupported", "failed"] * 3
    assert found[1].why == "the program ended with status 1: I give up"


def test_a_program_that_keeps_silent_is_left_after_three_times(tmp_path: Path) -> None:
    found = verdicts(program(tmp_path, "import time\ntime.sleep(600)", whole=True), 5, timeout=0.3)
    assert [one.why for one in found] == [
        *["no answer within 0.3 seconds"] * 3,
        *["not asked, after 3 failures in a row"] * 2,
    ]


def test_a_program_that_never_ends_its_line_is_stopped(tmp_path: Path) -> None:
    flood = "import sys\nwhile True:\n    sys.stdout.write('x' * 100_000)"
    (found,) = verdicts(program(tmp_path, flood, whole=True), 1)
    assert found.why == "an answer of more than 1,000,000 characters"


def test_a_program_that_says_too_much_is_not_waited_for(tmp_path: Path) -> None:
    flood = "while True:\n    print('{}')"
    (found,) = verdicts(program(tmp_path, flood, whole=True), 1)
    assert "nonsense" in found.why


def test_a_program_that_is_not_there() -> None:
    assert verdicts("/nowhere/engine", 1)[0].why == "the program cannot be started: No such file or directory"


# --- the command -------------------------------------------------------------------------------------------

SERVE = f"{sys.executable} -m ultimo.cli.main conform --serve"


def test_ultimo_passes_its_own_suite_over_the_wire() -> None:
    done = ultimo(
        "conform", "--engine", SERVE, "--rules", "fft3", "--kind", "trick", "--kind", "outcome", "--json"
    )
    found = json.loads(done.out)
    assert (done.status, found["failed"], found["unsupported"]) == (0, 0, 0)
    assert found["passed"] > 80
    assert {one["kind"] for one in found["groups"]} == {"trick", "outcome"}


def test_differences_are_told_by_rule_with_its_place(tmp_path: Path) -> None:
    wrong = program(tmp_path, "said = {'id': asked['id'], 'answer': {'winner': 0}}")
    done = ultimo("conform", "--engine", wrong, "--rules", "french4", "--kind", "trick", "--show", "2")
    assert done.status == 1
    assert "Failed, by the place of the rule:\n  [002 §" in done.out
    assert "winner: 1 expected, not 0" in done.out
    assert "… and " in done.out
    assert " failed, 0 unsupported" in done.out.splitlines()[-1]


def test_an_engine_that_supports_nothing_has_not_passed(tmp_path: Path) -> None:
    mute = program(tmp_path, "said = {'id': asked['id'], 'unsupported': True}")
    done = ultimo("conform", "--engine", mute, "--rules", "vlk", "--kind", "count")
    assert done.status == 1
    assert done.out.endswith("\n0 passed, 0 failed, 9 unsupported\n") or "0 passed, 0 failed" in done.out


def test_requests_are_answered_on_standard_output() -> None:
    one = some(1)[0]
    done = ultimo("conform", "--serve", given=msgspec.json.encode(one.request()) + b"\n\nwhat?\n")
    first, second = map(json.loads, done.out.splitlines())
    assert first == {"id": one.id, "answer": one.expected}
    assert second["error"]["key"] == "notARequest"


@pytest.mark.parametrize(
    ("arguments", "complaint"),
    [
        (("--engine", "x", "--kind", "poem"), "--kind: there is no 'poem'; there are legal, trick"),
        (("--engine", "x", "--rules", "whist"), "--rules: there is no 'whist'; there are basta, dtf"),
        (("--engine", "x", "--suite", "/nowhere"), "/nowhere: there are no such vectors"),
        (("--engine", ""), "--engine: name a program"),
    ],
)
def test_what_is_asked_for_wrongly_is_said_in_a_line(arguments: tuple[str, ...], complaint: str) -> None:
    assert fails("conform", *arguments).startswith(complaint)


@pytest.mark.parametrize("arguments", [(), ("--serve", "poet"), ("--engine", "x", "--timeout", "0")])
def test_without_an_engine_there_is_nothing_to_do(arguments: tuple[str, ...]) -> None:
    assert ultimo("conform", *arguments).status == 2


# --- the engine in JavaScript ------------------------------------------------------------------------------


def in_javascript(source: str, folder: Path) -> Iterator[Verdict]:
    """What a text of the example makes of the French vectors it knows."""
    shutil.copy(suite.HOME / "rules.json", folder / "rules.json")
    file = folder / "examples" / EXAMPLE.name
    file.parent.mkdir(exist_ok=True)
    file.write_text(source, encoding="utf-8")
    vectors = [one for one in suite.vectors(kinds=KNOWN) if one.rules.startswith(("french", "fft"))]
    return running.run(vectors, Engine(["node", str(file)], FOREVER))


def test_the_example_is_short_and_passes(tmp_path: Path) -> None:
    source = EXAMPLE.read_text(encoding="utf-8")
    assert source.count("\n") < 150
    found = list(in_javascript(source, tmp_path))
    assert [(one.vector.id, one.why) for one in found if one.status != "passed"] == []
    assert len(found) > 700


PLANTED = {
    "a wrong multiplier": (
        "Math.abs(points - needed)) * mult *",
        "Math.abs(points - needed)) * (mult + 1) *",
    ),
    "a multiplier of the bid below": ("row.id === deal.bid).mult", 'row.id === "garde").mult'),
    "a petit au bout that is not multiplied": ("rules.petitAuBout * mult", "rules.petitAuBout"),
    "a petit au bout for the winner": (
        "sign(deal.petit_au_bout) *",
        "(deal.petit_au_bout ? (won ? 1 : -1) : 0) *",
    ),
    "half a point rounded up for all": (
        ": Math.floor(deal.half_points / 2)",
        ": Math.ceil(deal.half_points / 2)",
    ),
    "the needed points do not win": ("deal.half_points >= 2 * needed", "deal.half_points > 2 * needed"),
    "poignées for the taker": ("return won ? together : -together", "return together"),
    "only the largest poignée": ('=== "sum"', '=== "never"'),
    "a failed slam costs nothing": ('announced * rules["slam.failed"]', "0"),
    "an announced slam pays as a silent one": (
        'made * rules["slam.announced"]',
        'made * rules["slam.silent"]',
    ),
    "a partner who gets as much as the taker": ('rules["share.partner"]', 'rules["share.taker"]'),
    "a taker who is never alone": (
        "alone ? deal.players - 1 :",
        "alone && deal.players < 5 ? deal.players - 1 :",
    ),
    "a deal that is never void": ('=== "voidIfWon"', '=== "never"'),
    "house rules that are ignored": ("{ ...book.parameters, ...overrides }", "book.parameters"),
    "an excuse that counts as a pip": ('["T21", "T1", "T0"]', '["T21", "T1"]'),
    "an excuse that sets the suit": ('played.find((card) => card !== "T0")[0]', "played[0][0]"),
    "an excuse that never wins": ("if (slam && excuse >= 0)", "if (slam && excuse > 9)"),
    "an excuse that always wins": ("if (slam && excuse >= 0)", "if (excuse >= 0)"),
    "an ace above a two": ('["1", "2",', '["2", "1",'),
}


@pytest.mark.parametrize("name", PLANTED)
def test_a_planted_error_is_found(name: str, tmp_path: Path) -> None:
    source, (right, wrong) = EXAMPLE.read_text(encoding="utf-8"), PLANTED[name]
    assert source.count(right) == 1
    found = in_javascript(source.replace(right, wrong), tmp_path)
    first = next(one for one in found if one.status == "failed")
    assert "expected, not" in first.why
