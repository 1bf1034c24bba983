"""Players from elsewhere: by entry point, by module, and programs in any language, whatever they do."""

from __future__ import annotations

import json
import os
import re
import shlex
import subprocess
import sys
from collections.abc import Iterator
from pathlib import Path
from random import Random
from types import SimpleNamespace
from typing import Any

import msgspec
import pytest

from table import DANISH, FRENCH
from ultimo import rulebook
from ultimo.events import Action, Event
from ultimo.play.choices import Choices
from ultimo.players import Match, View, create, options_of, player
from ultimo.players.arena import arena
from ultimo.players.match import first_answer
from ultimo.players.player import Guest
from ultimo.players.policy.levels import errand
from ultimo.research import process, programs
from ultimo.research.deciding import Decision
from ultimo.research.observing import layout_of, of_view

ROOT = Path(__file__).resolve().parents[2]

# A program that answers every question with its first legal action, but for what a test adds.
HONEST = """
import json, sys
def say(message): print(json.dumps(message), flush=True)
for line in sys.stdin:
    got = json.loads(line)
    if got["type"] == "hello":
        say({"type": "ready", "protocol": 1, "name": "Honest", **READY})
    elif got["type"] == "choose":
        answer = {"type": "action", "id": got["id"], "action": got["legal"][0]["action"]}
        BODY
        say(answer)
    ALWAYS
    if got["type"] == "quit":
        break
"""


def program(body: str = "pass", ready: str = "{}", always: str = "pass") -> str:
    """The command of a program that does this where it is asked."""
    code = HONEST.replace("BODY", body).replace("READY", ready).replace("ALWAYS", always)
    return f"cmd:{shlex.join([sys.executable, '-SEc', code])}"


@pytest.fixture(autouse=True)
def _no_program_is_left(monkeypatch: pytest.MonkeyPatch) -> Iterator[None]:
    started: list[subprocess.Popen[bytes]] = []
    popen = subprocess.Popen

    def noted(*arguments: Any, **options: Any) -> subprocess.Popen[bytes]:
        started.append(popen(*arguments, **options))
        return started[-1]

    monkeypatch.setattr(subprocess, "Popen", noted)
    yield
    programs.quit_all()
    programs._failed.clear()
    assert all(one.returncode is not None for one in started)


def _plan(command: str, book: str = "hermansen", **options: float) -> arena.Plan:
    rules = rulebook.load(book)
    return arena.plan(rules, [command, *["random"] * (rules.sizes[0] - 1)], seed=7, deals=2, options=options)


# --- by name -------------------------------------------------------------------------------------------


class Steady:
    """Does the first thing that it may."""

    def __init__(self, seed: int | str, **options: float) -> None:
        self.options = options

    def choose(self, view: View, choices: Choices, /) -> Action:
        return next(iter(choices))


def test_a_player_of_an_installed_package_has_a_name(monkeypatch: pytest.MonkeyPatch) -> None:
    class Points(dict[str, Any]):
        names = property(lambda self: set(self))

    found = Points(steady=SimpleNamespace(load=lambda: Steady))
    monkeypatch.setattr(
        player, "entry_points", lambda group: found if group == "ultimo.players" else Points()
    )
    player._elsewhere.cache_clear()
    made = create("steady", 1, seconds=2, errors="no option of players")
    assert isinstance(made, Steady)
    assert made.options == {"seconds": 2}
    with pytest.raises(ValueError, match="expert, master, expert-1, steady, package"):
        create("stead", 1)
    player._elsewhere.cache_clear()


def test_a_player_of_a_module_has_its_path(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    (tmp_path / "found_here.py").write_text(
        "class Bot:\n    def __init__(self, seed, samples=1): pass\nX = 3\n"
    )
    monkeypatch.chdir(tmp_path)
    monkeypatch.setattr(sys, "path", [*sys.path])
    assert options_of("found_here:Bot") == {"samples"}
    assert type(create("found_here:Bot", 1)).__name__ == "Bot"
    for wrong, why in {
        "found_here:Cat": "there is no player 'found_here:Cat': module 'found_here' has no attribute 'Cat'",
        "not_here:Bot": "there is no player 'not_here:Bot': No module named 'not_here'",
        "found_here:X": "'found_here:X' makes no player from a seed",
        "cmd:": "cmd: what?",
        "cmd:no-such-program -x": "there is no program 'no-such-program'",
        "cmd:node 'a": "cmd:node 'a: No closing quotation",
    }.items():
        with pytest.raises(ValueError, match=re.escape(why)):
            create(wrong, 1)


# --- in numbers ----------------------------------------------------------------------------------------


class Numbered:
    """Chooses numbers at random, and checks that they are what the table offers."""

    def __init__(self, seed: int) -> None:
        self._rng, self.parts = Random(seed), 0

    def choose(self, view: View, choices: Choices, /) -> Action:
        if (due := errand(view, choices)) is not None:
            return due
        decision, action = Decision(view), None
        assert (decision.observe() == of_view(view)).all()
        while action is None:
            before = decision.observe()
            most = 2 if decision.phase == "bid" else 78  # there is an écart after a low bid
            action = decision.act(self._rng.choice(decision.legal()[:most]))
            self.parts += action is None
            assert action is not None or (decision.observe() != before).any()
        assert action in choices
        return action


@pytest.mark.parametrize("book", [*DANISH, *FRENCH])
def test_numbers_come_to_actions_of_the_table(book: str) -> None:
    rules = rulebook.load(book)
    players = {seat: Numbered(seat) for seat in range(rules.sizes[-1])}
    match = Match(rules, [str(seat) for seat in players], players, Random(5))
    for _ in match.play_deals(8):
        pass
    assert sum(one.parts for one in players.values()) >= 5


def test_a_number_that_is_not_legal_is_refused() -> None:
    randoms = {seat: create("random", seat) for seat in range(3)}
    decision = Decision(first_answer(rulebook.load("hermansen"), 3, randoms)[0])
    with pytest.raises(ValueError, match="is not legal"):
        decision.act(next(number for number in range(78) if number not in decision.legal()))


# --- programs ------------------------------------------------------------------------------------------


class First:
    """What the honest program does, without one."""

    def __init__(self, seed: int | str) -> None:
        pass

    def choose(self, view: View, choices: Choices, /) -> Action:
        if (due := errand(view, choices)) is not None:
            return due
        decision, action = Decision(view), None
        while action is None:
            action = decision.act(decision.legal()[0])
        return action


@pytest.mark.parametrize("book", ["dtf", "french5"])
def test_a_program_plays_as_the_same_player_within(book: str, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setitem(player.PLAYERS, "first", First)
    outside, inside = _plan(program(), book), _plan("first", book)
    for deal, rotation in ((0, 0), (0, 1), (1, 2)):
        one, other = (arena.play(made, deal, rotation, lambda: 0.0) for made in (outside, inside))
        assert one == other
    assert len(programs._idle) == 1  # and one program for all of it


def _told(made: arena.Plan, errors: Path) -> list[dict[str, Any]]:
    """What a program is told in a deal, by one that repeats it all."""
    arena.play(made, 0, 0, errors=str(errors))
    programs.quit_all()
    return [json.loads(line) for line in errors.read_text(encoding="utf-8").splitlines()]


class Eyes:
    """Notes what its seat sees."""

    seen: list[Event] = []  # noqa: RUF012

    def __init__(self, seed: int | str) -> None:
        self.seen.clear()
        self._first = First(seed)

    def see(self, view: View, event: Event, /) -> None:
        self.seen.append(event)

    def choose(self, view: View, choices: Choices, /) -> Action:
        return self._first.choose(view, choices)


def test_a_program_is_told_what_its_seat_sees(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setitem(player.PLAYERS, "eyes", Eyes)
    echo = program(always="print(line, end='', file=sys.stderr, flush=True)")
    told = _told(_plan(echo), tmp_path / "errors")
    arena.play(_plan("eyes"), 0, 0)
    opened = next(place for place, event in enumerate(Eyes.seen) if type(event).__name__ == "Opened")
    seen = msgspec.json.decode(msgspec.json.encode(Eyes.seen[opened:]))
    assert [one["event"] for one in told if one["type"] == "event"] == seen
    assert sum("?" in card for card in seen[2]["hands"][1]) == 25  # what another has is hidden
    hello, begin, *_, end, last = told
    assert (hello["type"], hello["protocol"], last) == ("hello", 1, {"type": "quit"})
    rules = rulebook.load("hermansen")
    assert begin["type"] == "begin"
    assert (begin["rules"], begin["digest"], begin["seat"]) == ("hermansen", rulebook.digest(rules), 0)
    assert begin["cups"].keys() == {"king", "pagat"}
    assert (end["type"], end["result"], len(end["points"])) == ("end", "played", 3)
    asked = [one for one in told if one["type"] == "choose"]
    assert [one["id"] for one in asked] == list(range(1, len(asked) + 1))
    assert all(len(one["legal"]) > 1 and "observation" not in one for one in asked)


def test_a_program_may_ask_for_observations(tmp_path: Path) -> None:
    echo = program(
        ready='{"wants": "observations"}', always="print(line, end='', file=sys.stderr, flush=True)"
    )
    told = _told(_plan(echo, "french4"), tmp_path / "errors")
    layout = layout_of(rulebook.load("french4"))
    assert {one["type"] for one in told} == {"hello", "begin", "choose", "end", "quit"}
    assert told[1]["layout"] == [layout.family, layout.version, layout.size]
    for one in told:
        if one["type"] == "choose":
            assert len(one["observation"]) == layout.size
            assert [place for place, may in enumerate(one["mask"]) if may] == [
                legal["action"] for legal in one["legal"]
            ]


FAULTS = [
    ("illegal", program("answer['action'] = 77 if len(got['legal']) < 20 else -1"), "action "),
    ("nonsense", program("print('Hello', flush=True); continue"), "'Hello' is no answer"),
    ("nonsense", program("say(answer)"), "an answer to question 1, not to 2"),
    ("nonsense", program("answer['action'] = 'S1'"), "is no answer: Expected `int`"),
    ("crash", program("raise SystemExit('out of\\n  ideas ')"), "it ended with status 1: ideas"),
    ("crash", program("import os; os.kill(os.getpid(), 9)"), "it ended by signal 9"),
    ("flood", program("print('x' * 200_000, end='', flush=True)"), "an answer of more than 65536 bytes"),
    ("late", program("import time; time.sleep(60)"), "no answer within 0.2 s"),
    ("flood", program("while True: print('x' * 999, file=sys.stderr)"), "1048576 bytes of complaints"),
    ("late", program("import signal, time; signal.signal(15, signal.SIG_IGN); time.sleep(60)"), "no answer"),
    ("late", program("import os, time; os.fork(); time.sleep(60)"), "no answer within 0.2 s"),
    ("late", program("import os, time; os.fork() and os._exit(0); time.sleep(60)"), "no answer"),
    ("crash", program("import os, time; os.close(1); time.sleep(60)"), "it ended by signal 9"),
    ("crash", program("raise SystemExit('\\x1b[31mred')"), "status 1: \N{REPLACEMENT CHARACTER}[31mred"),
    ("flood", program("while True: sys.stdout.write('x' * (1 << 20))"), "more than 65536 bytes"),
    ("illegal", program("answer['action'] = 10 ** 4000"), "action 10000"),
    ("nonsense", program("answer['action'] = float('nan')"), "is no answer: JSON is malformed"),
    ("nonsense", program("print('{\"x\":' + '[' * 60_000, flush=True)"), "is no answer: "),
    ("nonsense", program("sys.stdout.buffer.write(bytes(range(256)) + b'\\n')"), "is no answer: "),
    ("nonsense", program(always="say({'type': 'action', 'id': 0, 'action': 0})"), "an answer to question 0"),
    ("start", program(ready="{'name': '\\ud800'}"), "is no answer: "),
    ("start", program(ready="sys.exit('no licence')"), "it ended with status 1: no licence"),
    ("start", program(ready="{'protocol': 9}"), "it speaks version 9 of the protocol, not 1"),
    ("start", "cmd:false", "it ended with status 1"),
]


@pytest.mark.parametrize(("kind", "command", "message"), FAULTS, ids=lambda value: str(value)[:8])
def test_a_program_that_fails_loses_its_deal_alone(kind: str, command: str, message: str) -> None:
    made = _plan(command, limit=0.2 if kind == "late" else 60)
    for rotation in range(2):
        one = arena.play(made, 0, rotation)
        assert one.faults.keys() == {0}
        assert one.faults[0].kind == kind
        assert message in one.faults[0].message
        assert len(one.faults[0].message) <= process.LONGEST_WORD
        assert sum(one.points) + sum(one.cups_after) == sum(one.cups)


def test_who_chose_wrong_is_told_so_and_stays(tmp_path: Path) -> None:
    echo = program("answer['action'] = 999", always="print(line, end='', file=sys.stderr, flush=True)")
    made, errors = _plan(echo), tmp_path / "errors"
    for rotation in range(2):
        arena.play(made, 0, rotation, errors=str(errors))
    programs.quit_all()
    types = [json.loads(line)["type"] for line in errors.read_text().splitlines()]
    assert [types.count(one) for one in ("hello", "begin", "choose", "fault", "end", "quit")] == [
        1,
        2,
        2,
        2,
        2,
        1,
    ]


def test_a_program_that_never_starts_is_given_up() -> None:
    made = _plan("cmd:false")
    told = [arena.play(made, deal, 0).faults[0].message for deal in (0, 1, 0, 1)]
    assert told[:3] == ["it ended with status 1"] * 3
    assert told[3] == "it has failed to start 3 times in a row, and is not started again"


def test_a_program_that_does_not_read_holds_nothing_up() -> None:
    made = _plan(program(always="import time; time.sleep(60)"), limit=0.2)
    assert arena.play(made, 0, 0).faults[0].kind == "late"


def test_complaints_without_end_do_not_hold_the_end_up(monkeypatch: pytest.MonkeyPatch) -> None:
    """Of a process in a session of its own, which has the pipe open and is not ended with the program."""
    one = process.Process(["true"])
    monkeypatch.setattr(os, "read", lambda number, size: b"x" * size)
    one.end()


def test_no_program_outlives_whoever_started_it(tmp_path: Path) -> None:
    """Not even one that ignores that its input has ended, nor its children."""
    os.mkfifo(pipe := tmp_path / "alive")
    hold = f"held = open({str(pipe)!r}, 'w')"
    stubborn = f"import os, time; {hold}; os.fork(); print(flush=True); time.sleep(600)"
    code = f"""
import os
from ultimo.research.process import Process
Process([{sys.executable!r}, "-SEc", {stubborn!r}]).ask(b"", 60)
os.kill(os.getpid(), 9)
"""
    with subprocess.Popen([sys.executable, "-c", code]) as parent, pipe.open() as alive:
        assert alive.read() == ""  # until nobody has it open any more
        assert parent.wait() == -9


def test_what_a_program_complains_of_can_be_shown(capfd: pytest.CaptureFixture[str]) -> None:
    arena.play(_plan(program("print('thinking', file=sys.stderr, flush=True)")), 0, 0, errors="-")
    programs.quit_all()
    assert set(capfd.readouterr().err.splitlines()) == {"thinking"}


def test_a_program_is_a_guest() -> None:
    assert isinstance(create(program(), 1), Guest)
    assert options_of(program()) == {"limit", "errors"}


# --- the examples --------------------------------------------------------------------------------------

BOTS = ROOT / "examples" / "bots"


@pytest.mark.parametrize("book", ["dtf", "french3", "french5"])
@pytest.mark.parametrize(
    "command", [f"node {BOTS / 'first-legal.mjs'}", f"{sys.executable} {BOTS / 'cautious.py'}"]
)
def test_the_examples_play_without_a_fault(command: str, book: str) -> None:
    made = _plan(f"cmd:{command}", book)
    for deal, rotation in ((0, 0), (1, 1)):
        one = arena.play(made, deal, rotation)
        assert (one.faults, one.decisions[0] > 0) == ({}, True)


# --- the page ------------------------------------------------------------------------------------------


def test_the_messages_of_the_page_are_those_of_the_protocol() -> None:
    page = (ROOT / "docs" / "protocol.md").read_text(encoding="utf-8")
    shown = re.findall(r"^([<>]) (\{.*\})$", page, re.MULTILINE)
    sent = programs.Hello | programs.Begin | programs.Seen | programs.Choose | programs.Faulted | programs.End
    kinds = {">": sent | programs.Quit, "<": programs.Ready | programs.Chosen}
    for way, line in shown:
        message = msgspec.json.decode(line, type=kinds[way])
        known = msgspec.json.decode(msgspec.json.encode(message))
        assert json.loads(line).items() <= known.items()
    assert len({json.loads(line)["type"] for _, line in shown}) == 9
    assert {kind for kind, *_ in FAULTS} == set(
        re.findall(r"^\| `(\w+)` \| .*$", page.split("wrong\n")[1], re.M)
    )
