"""The examples, and the Python of the README, run."""

from __future__ import annotations

import re
import subprocess
import sys
from pathlib import Path
from random import Random

import pytest

from serving import PATIENCE
from ultimo.players import Match, create
from ultimo.rulebook import load

ROOT = Path(__file__).resolve().parents[2]


def run(*command: str) -> str:
    """What a Python command prints; it must succeed."""
    done = subprocess.run(
        [sys.executable, *command], cwd=ROOT, capture_output=True, text=True, check=False, timeout=PATIENCE
    )
    assert done.returncode == 0, done.stderr
    return done.stdout


@pytest.mark.parametrize("path", sorted((ROOT / "examples").glob("*.py")), ids=lambda path: path.stem)
def test_an_example_runs_and_says_something(path: Path) -> None:
    assert run(str(path)).strip()


def test_the_bot_of_the_examples_is_made_from_a_seed_as_the_arena_does(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    monkeypatch.syspath_prepend(ROOT / "examples")
    players = {seat: create("write_a_bot:LowestCard", seed=seat) for seat in range(3)}
    match = Match(load("dtf"), ["A", "B", "C"], players, Random(1))
    assert len(list(match.play_deals(2))) == 2


def test_the_python_of_the_readme_runs() -> None:
    code = re.findall(r"```python\n(.*?)```", (ROOT / "README.md").read_text(encoding="utf-8"), re.DOTALL)
    deal, ending, players, research = code
    assert re.fullmatch(r"\((-?\d+, ){2}-?\d+\) \d+ \d+", run("-c", deal).strip())
    assert [line.split()[0] for line in run("-c", ending.replace("50_000", "5")).splitlines()] == [
        "Play(card=S1,",
        "Play(card=S2,",
        "Play(card=T1,",
    ]
    chosen, *candidates = run("-c", players).splitlines()
    assert chosen.startswith("Play(card=")
    assert len(candidates) > 1
    run("-c", research)


def test_the_python_of_the_players_page_runs() -> None:
    text = (ROOT / "docs" / "players.md").read_text(encoding="utf-8")
    (code,) = re.findall(r"```python\n(.*?)```", text, re.DOTALL)
    assert [line.split()[0] for line in run("-c", code).splitlines()] == ["1", "2", "3"]
