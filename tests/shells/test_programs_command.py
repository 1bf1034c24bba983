"""`ultimo arena` and `ultimo simulate` with programs as players."""

from __future__ import annotations

import json
import os
import shlex
import sys
from pathlib import Path

import pytest

from commands import fails, ultimo
from serving import until

ROOT = Path(__file__).resolve().parents[2]
BOTS = ROOT / "examples" / "bots"
CAUTIOUS = f"cmd:{sys.executable} {BOTS / 'cautious.py'}"
# Says who it is, then fails at the first question.
FAILS = """
import os, sys
sys.stdin.readline()
print('{"type":"ready","protocol":1,"name":"Fails"}', flush=True)
print("pid", os.getpid(), file=sys.stderr, flush=True)
for line in sys.stdin:
    if '"choose"' in line:
        sys.exit("no idea")
"""
FAILING = f"cmd:{shlex.join([sys.executable, '-SEc', FAILS])}"
STAYS = FAILS.replace("import os, sys", "import json, os, sys").replace(
    'sys.exit("no idea")',
    """got = json.loads(line)
        answer = {"type": "action", "id": got["id"], "action": got["legal"][0]["action"]}
        print(json.dumps(answer), flush=True)""",
)
STAYING = f"cmd:{shlex.join([sys.executable, '-SEc', STAYS])}"


def _is_alive(pid: int) -> bool:
    try:
        os.kill(pid, 0)
    except ProcessLookupError:
        return False
    return True


def test_programs_are_measured_on_all_processors(tmp_path: Path) -> None:
    players, errors = f"{STAYING},{FAILING},random", tmp_path / "errors"
    run = ("arena", "--rules", "hermansen", "--players", players, "--deals", 1, "--processes", 2)
    done = ultimo(*run, "--errors", errors, "--json")
    assert (done.status, done.err) == (0, "")
    told = json.loads(done.out)
    assert "faults" not in told["players"][0]
    (faults,) = told["players"][1]["faults"].items()
    assert faults == ("crash", {"count": 3, "first": "deal 0, rotation 0: it ended with status 1: no idea"})
    lines = errors.read_text(encoding="utf-8").splitlines()
    pids = {int(line.split()[1]) for line in lines if line.startswith("pid")}
    assert len(pids) >= 3 + 1 + 1  # what fails starts for each deal, and once to get ready
    until(lambda: not any(map(_is_alive, pids)), lambda: "processes that played have not ended")
    assert shlex.split(told["command"])[5] == players


def test_what_went_wrong_is_told(tmp_path: Path) -> None:
    run = ("arena", "--rules", "hermansen", "--players", f"{FAILING},random,random", "--deals", 1)
    done = ultimo(*run, "--processes", 1, "--limit", 60)
    assert done.status == 0
    assert f"\n1 {Path(sys.executable).stem}"[:12] in done.out
    assert ": it failed in 3 deals, which a club player has finished\n" in done.out
    assert "\n    crash         3   first deal 0, rotation 0: it ended with status 1: no idea\n" in done.out
    assert "\nlimit 60\n" in done.out


def test_a_program_is_recorded(tmp_path: Path) -> None:
    file = tmp_path / "games.jsonl"
    players = f"{FAILING},random,{CAUTIOUS}"
    run = ("simulate", "--rules", "hermansen", "--table", 3, "--players", players, "--deals", 2)
    done = ultimo(*run, "--seed", 3, "--out", file, "--verbose")
    assert done.status == 0
    assert done.out.endswith(
        "\nseat 0: it failed in 2 deals, which a club player has finished\n"
        "    crash         2   first it ended with status 1: no idea\n"
    )
    assert done.err.count("no idea") == 2
    assert json.loads(file.read_text(encoding="utf-8").splitlines()[1])["names"][1:] == [
        "random 1",
        "cautious 2",
    ]
    assert ultimo("replay", file).status == 0


@pytest.mark.parametrize(
    ("command", "complaint"),
    [
        (("arena", "--players", "cmd:no-such-program x"), "cmd:no-such-program x: there is no program"),
        (("arena", "--players", "no.such.module:Bot"), "there is no player 'no.such.module:Bot': No module"),
        (("arena", "--limit", "3"), "none of the players takes limit"),
        (("arena", "--errors", "no/such/file"), "no/such/file: No such file or directory"),
        (
            ("simulate", "--players", "cmd:true"),
            "cmd:true is no compiled player: record its deals with --out",
        ),
        (
            ("simulate", "--out", "-", "--players", "genius"),
            "there is no player 'genius'; there are random, ",
        ),
    ],
)
def test_what_is_wrong_is_said_in_one_line(command: tuple[str, ...], complaint: str) -> None:
    assert fails(*command, "--deals", 1).startswith(complaint)
