"""The program as a whole: it starts fast, and what is wrong is said in one line."""

from __future__ import annotations

import subprocess
import sys
from importlib.metadata import version
from pathlib import Path

import pytest

from commands import fails, ultimo
from serving import PATIENCE
from ultimo.cli.main import COMMANDS

HEAVY = ("textual", "rich", "msgspec", "asyncio")


def _loaded(code: str) -> set[str]:
    """The modules that some code loads in a process of its own."""
    script = (
        f"import sys\ntry:\n    {code}\nexcept SystemExit:\n    pass\nprint(*sys.modules, file=sys.stderr)"
    )
    done = subprocess.run(
        [sys.executable, "-c", script], capture_output=True, text=True, check=True, timeout=PATIENCE
    )
    return set(done.stderr.split())


def test_help_loads_nothing_heavy() -> None:
    loaded = _loaded("from ultimo.cli.main import main; main(['--help'])")
    assert not set(HEAVY) & loaded


@pytest.mark.parametrize("command", ["rules", "settle", "replay", "convert", "simulate", "play"])
def test_no_command_loads_the_screen_before_it_is_needed(command: str) -> None:
    loaded = _loaded(f"import ultimo.cli.{command}")
    assert not {"textual", "rich"} & loaded


@pytest.mark.parametrize("command", COMMANDS)
def test_every_command_has_help(command: str) -> None:
    done = ultimo(command, "--help")
    assert done.status == 0
    assert COMMANDS[command] in done.out


def test_the_version_is_that_of_the_package() -> None:
    assert ultimo("--version").out == f"ultimo {version('ultimo')}\n"


@pytest.mark.parametrize("arguments", [(), ("bogus",), ("settle", "--bogus"), ("simulate", "--deals", "0")])
def test_a_command_that_is_not_understood_ends_with_2(arguments: tuple[str, ...]) -> None:
    done = ultimo(*arguments)
    assert done.status == 2
    assert done.err.startswith("usage: ultimo")


@pytest.mark.parametrize(
    ("arguments", "complaint"),
    [
        (("rules", "show", "whist"), "whist: no such rulebook; there are basta, dtf"),
        (("rules", "show", "dtf", "--set", "skus"), "override: skus: write key=value"),
        (("rules", "show", "dtf", "--set", "skus.x=1"), "dtf: skus.x: no such parameter"),
        (("rules", "show", "dtf", "--house", "none.toml"), "none.toml: "),
        (("rules", "diff", "dtf", "french4"), "dtf and french4: family: one is Danish Tarok"),
        (("settle", "none.json"), "none.json: No such file or directory"),
        (("settle", "."), ".: Is a directory"),
        (("replay", "none.jsonl"), "none.jsonl: No such file or directory"),
        (("replay", "none.jsonl", "--lang", "xx"), "no language 'xx'; there are en, da, fr, de"),
        (("convert", "none.jsonl", "a.sheet"), "none.jsonl: No such file or directory"),
        (("convert", "none.jsonl", "a.pdf"), "a.pdf: add --to jsonl or --to sheet"),
        (("simulate", "--rules", "basta", "--table", "5", "--out", "-"), "basta is for 3 or 4 players"),
        (("simulate", "--players", "genius", "--out", "a.jsonl"), "there is no player 'genius'"),
        (("simulate", "--players", "random,random", "--out", "a.jsonl"), "--players: 2 levels for 5 seats"),
        (("simulate", "--out", "a.sheet"), "a.sheet: a simulation is written as JSON lines"),
        (("simulate", "--length", "2", "--out", "-"), "--length makes a file for each session"),
        (("simulate", "--out", "none/a.jsonl"), "none/a.jsonl: No such file or directory"),
        (
            ("play", "--rules", "french4", "--table", "5"),
            "--table: french4 is played by 4 at the table, not 5",
        ),
        (("play", "--seat", "4", "--table", "4"), "--seat: there is no seat 4 at a table of 4"),
        (("play", "--lang", "da_SE", "--resume", "none.jsonl"), "none.jsonl: No such file or directory"),
        (
            ("play", "--resume", "none.jsonl", "--rules", "dtf"),
            "--rules: cannot be changed when you continue a saved game",
        ),
    ],
)
def test_what_is_wrong_is_said_in_one_line(
    arguments: tuple[str, ...], complaint: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.chdir(tmp_path)
    assert fails(*arguments).startswith(complaint)
    assert not list(tmp_path.iterdir())


def test_whoever_reads_may_stop_reading() -> None:
    """`ultimo rules show dtf | head -1` says nothing about a broken pipe."""
    command = f"{sys.executable} -m ultimo.cli.main rules show dtf | head -1"
    done = subprocess.run(command, shell=True, capture_output=True, text=True, check=True, timeout=PATIENCE)
    assert done.stdout == "Dansk Tarokforbund, today\n"
    assert done.stderr == ""
