"""`ultimo arena`: what it prints, writes and refuses; interrupted, it goes on where it stopped."""

from __future__ import annotations

import json
import signal
import subprocess
import sys
from pathlib import Path
from typing import Any

import msgspec
import pytest

import write_ladder
from commands import fails, ultimo
from serving import PATIENCE
from ultimo.analysis import runs
from ultimo.cli import figures
from ultimo.players.arena import arena
from ultimo.players.arena.results import Result

RUN = ("arena", "--rules", "hermansen", "--players", "random,random,random", "--deals", 8, "--seed", 7)
ONE = ("--processes", 1)
TIMES = ("mean_seconds", "slowest_seconds")


def _timeless(text: str | bytes) -> dict[str, Any]:
    """A result without the times, which differ from run to run."""
    told: dict[str, Any] = json.loads(text)
    for one in told["players"]:
        for key in TIMES:
            assert one.pop(key) >= 0
    return told


@pytest.fixture(scope="module")
def whole() -> dict[str, Any]:
    """The run in one go."""
    return _timeless(ultimo(*RUN, *ONE, "--json").out)


def _count(monkeypatch: pytest.MonkeyPatch) -> list[tuple[int, int]]:
    """The deals and rotations that are played from now on, in this process."""
    played: list[tuple[int, int]] = []
    play = arena.play

    def counted(made: arena.Plan, deal: int, rotation: int, **more: Any) -> arena.Played:
        played.append((deal, rotation))
        return play(made, deal, rotation, **more)

    monkeypatch.setattr(arena, "get_ready", lambda *_: None)
    monkeypatch.setattr(arena, "play", counted)
    return played


def test_the_players_are_measured(whole: dict[str, Any]) -> None:
    done = ultimo(*RUN, *ONE)
    assert (done.status, done.err) == (0, "")
    first, players, *rest = done.out.splitlines()
    assert first == "Hermansen, 1943: 8 deals in 3 rotations"
    assert players == "players: random, random, random · seed 7"
    text = "\n".join(rest)
    for label in ("1 random", "3 random", "last trick"):
        assert f"\n{label} " in text
    assert "4 random" not in text
    assert whole["command"] == " ".join(map(str, ("ultimo", *RUN)))
    assert [one["player"] for one in whole["players"]] == [0, 1, 2]
    assert sum(one["gain"]["mean"] for one in whole["players"]) == pytest.approx(0)
    assert sum(one["events"]["lastTrick"]["count"] for one in whole["players"]) == 8 * 3


def test_french_tables_are_as_large_as_they_are() -> None:
    done = ultimo("arena", "--rules", "french5", "--deals", 3, *ONE)
    assert done.out.startswith("French Tarot, five players: 3 deals in 5 rotations\n")
    assert "\ntaken " in done.out
    assert "\n5 random " in done.out


def test_one_against_others_is_told_what_it_gains() -> None:
    done = ultimo("arena", "--rules", "dtf", "--players", "beginner,random,random", "--deals", 3, *ONE)
    *_, last = done.out.splitlines()
    assert last.startswith("one beginner against random: +")
    assert " points a deal above the table, 95 % " in last


def test_samples_make_a_search_repeatable() -> None:
    run = ("arena", "--rules", "french3", "--players", "expert,club,club", "--deals", 1, *ONE)
    first, second = (_timeless(ultimo(*run, "--samples", 2, "--json").out) for _ in range(2))
    assert first == second
    assert first["plan"]["options"] == {"samples": 2}


def test_the_number_of_processes_changes_nothing(whole: dict[str, Any]) -> None:
    assert _timeless(ultimo(*RUN, "--processes", 2, "--json").out) == whole


def test_a_result_is_written_once(
    whole: dict[str, Any], tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    file = tmp_path / "result.json"
    done = ultimo(*RUN, *ONE, "--out", file)
    assert _timeless(file.read_bytes()) == whole
    assert list(tmp_path.iterdir()) == [file]
    played = _count(monkeypatch)
    assert ultimo(*RUN, *ONE, "--out", file) == done
    assert played == []


def _part(tmp_path: Path, monkeypatch: pytest.MonkeyPatch, after: int) -> Path:
    """What is left of a run that is interrupted after so many deals."""
    with monkeypatch.context() as patched:
        played, play = _count(patched), arena.play

        def stopped(*arguments: Any, **more: Any) -> arena.Played:
            if len(played) == after:
                raise KeyboardInterrupt
            return play(*arguments, **more)

        patched.setattr(arena, "play", stopped)
        assert ultimo(*RUN, *ONE, "--out", tmp_path / "result.json").status == 130
        assert played == [divmod(number, 3) for number in range(after)]
    part = tmp_path / "result.json.part"
    assert list(tmp_path.iterdir()) == [part]
    return part


@pytest.mark.parametrize("torn", [b"", b'{"deal":3,"rot', b'{"deal":3,"rot\n', b"\0\0\0\0\n"])
def test_an_interrupted_run_goes_on(
    torn: bytes, whole: dict[str, Any], tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    part = _part(tmp_path, monkeypatch, 10)
    part.write_bytes(part.read_bytes() + torn)
    played = _count(monkeypatch)
    assert ultimo(*RUN, *ONE, "--out", tmp_path / "result.json").status == 0
    assert played == [divmod(number, 3) for number in range(10, 24)]
    assert _timeless((tmp_path / "result.json").read_bytes()) == whole
    assert not part.exists()


def test_a_part_may_be_played_on_to_more_deals_or_fewer(
    whole: dict[str, Any], tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    part = _part(tmp_path, monkeypatch, 10)
    played = _count(monkeypatch)
    fewer = [2 if word == 8 else word for word in RUN]
    assert ultimo(*fewer, *ONE, "--out", tmp_path / "result.json").status == 0
    assert (played, part.exists()) == ([], False)
    assert json.loads((tmp_path / "result.json").read_bytes())["deals"] == 2


KILLED = """
import os
import signal
import sys
from ultimo.cli.main import main
from ultimo.players.arena import running

append, written = running._append, []

def until_killed(lines, one):
    append(lines, one)
    written.append(one)
    if len(written) == 3:  # the head, and two that were played
        os.kill(os.getpid(), signal.SIGKILL)

running._append = until_killed
main(sys.argv[1:])
"""


def test_a_killed_run_goes_on(whole: dict[str, Any], tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    part = tmp_path / "result.json.part"
    words = [str(word) for word in (*RUN, "--processes", 2, "--out", tmp_path / "result.json")]
    killed = subprocess.run([sys.executable, "-c", KILLED, *words], capture_output=True, check=False)
    assert killed.returncode == -signal.SIGKILL, killed
    head, *played = part.read_bytes().splitlines()
    assert len(played) == 2
    engine = json.loads(head)["engine"]
    monkeypatch.setattr(runs, "engine", lambda: engine)  # who edits meanwhile shall not see it fail
    assert ultimo(*words).status == 0
    assert _timeless((tmp_path / "result.json").read_bytes()) | {"engine": ""} == whole | {"engine": ""}


@pytest.mark.parametrize(
    ("change", "complaint"),
    [
        (("--seed", 8), "belongs to a run with seed 7, not 8"),
        (("--cups", "60,60"), "belongs to a run with cups null, not [60, 60]"),
        (("--rules", "jensen"), 'belongs to a run with rules "hermansen", not "jensen"'),
        (("--set", "cups.ante=10"), "belongs to a run with digest"),
    ],
)
def test_a_run_of_other_settings_is_refused(
    change: tuple[object, ...], complaint: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    part, file = _part(tmp_path, monkeypatch, 1), tmp_path / "result.json"
    before = part.read_bytes()
    assert complaint in fails(*RUN, *change, *ONE, "--out", file)
    assert part.read_bytes() == before
    ultimo(*RUN, *ONE, "--out", file)
    assert fails(*RUN, *change, *ONE, "--out", file).startswith(f"{file}: {complaint}")


def test_a_run_by_other_code_is_refused(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    _part(tmp_path, monkeypatch, 1)
    monkeypatch.setattr(runs, "engine", lambda: "another")
    told = fails(*RUN, *ONE, "--out", tmp_path / "result.json")
    assert "belongs to a run by another version of the program" in told


def test_a_part_that_is_damaged_is_refused(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    part = _part(tmp_path, monkeypatch, 4)
    lines = part.read_bytes().splitlines(keepends=True)
    part.write_bytes(b"".join([*lines[:2], b"{\n", *lines[2:]]))
    assert fails(*RUN, *ONE, "--out", tmp_path / "result.json").startswith(f"{part}:3: damaged")


def test_a_file_that_is_no_result_is_left_alone(tmp_path: Path) -> None:
    file = tmp_path / "letter.json"
    file.write_text('"Dear"', encoding="utf-8")
    assert fails(*RUN, *ONE, "--out", file).startswith(f"{file}: not the result of an arena")
    assert file.read_text(encoding="utf-8") == '"Dear"'


@pytest.mark.parametrize(("end", "begins"), [("png", b"\x89PNG"), ("svg", b"<?xml")])
def test_a_picture_is_drawn(end: str, begins: bytes, tmp_path: Path) -> None:
    run = ("arena", "--rules", "french3", "--deals", 3, *ONE, "--plot")
    for name in ("a", "b"):
        assert ultimo(*run, tmp_path / f"{name}.{end}").status == 0
    first, second = (tmp_path / f"{name}.{end}" for name in ("a", "b"))
    assert first.read_bytes().startswith(begins)
    assert first.read_bytes() == second.read_bytes()


@pytest.mark.parametrize(
    ("arguments", "complaint"),
    [
        (("--rules", "whist"), "whist: no such rulebook"),
        (("--players", "genius"), "there is no player 'genius'; there are random"),
        (("--players", "random,random"), "dtf is played by 3 or 4 or 5 at the table, not 2"),
        (("--players", "random,random,random", "--table", "4"), "--players: 3 levels for 4 seats"),
        (("--rules", "french4", "--table", "3"), "french4 is played by 4 at the table, not 3"),
        (("--rules", "french4", "--cups", "5,5"), "french4 is played without cups"),
        (("--samples", "3"), "none of the players takes samples"),
        (("--samples", "3", "--seconds", "1"), "--seconds and --samples: use only one of them"),
        (("--set", "cups.colour=red"), "dtf: cups.colour: no such parameter"),
        (("--plot", "a.jpg"), "a.jpg: a picture is written as .png or .svg"),
        (("--out", "none/a.json"), "none/a.json.part: No such file"),
    ],
)
def test_what_is_wrong_is_said_in_one_line(
    arguments: tuple[str, ...], complaint: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.chdir(tmp_path)
    assert fails("arena", "--deals", 1, *ONE, *arguments).startswith(complaint)
    assert not list(tmp_path.iterdir())


@pytest.mark.parametrize(
    "arguments",
    [("--cups", "60"), ("--cups", "a,b"), ("--deals", "0"), ("--seconds", "-1"), ("--processes", "x")],
)
def test_numbers_are_numbers(arguments: tuple[str, ...]) -> None:
    assert ultimo("arena", *arguments).status == 2


@pytest.mark.parametrize("package", ["numpy", "openskill", "matplotlib"])
def test_what_is_missing_is_named(package: str, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(figures, "find_spec", lambda name: None if name == package else object())
    told = fails("arena", "--plot", "a.png")
    assert told == f'this needs {package}: pip install "ultimo[analysis]"'


def test_one_deal_has_no_interval() -> None:
    told = _timeless(ultimo("arena", "--deals", 1, *ONE, "--json").out)
    assert told["players"][0]["points"]["interval"] is None
    assert "–" in ultimo("arena", "--deals", 1, *ONE).out


def test_help_loads_nothing_heavy() -> None:
    code = "import sys; from ultimo.cli.main import main\ntry: main(['arena', '--help'])\n"
    code += "except SystemExit: print(*sys.modules, file=sys.stderr)"
    done = subprocess.run(
        [sys.executable, "-c", code], capture_output=True, text=True, check=True, timeout=PATIENCE
    )
    assert not {"numpy", "numba", "openskill", "matplotlib", "rich"} & set(done.stderr.split())


# --- the ladder ----------------------------------------------------------------------------------------


def test_the_page_tells_what_was_measured() -> None:
    """If this fails: python tools/write_ladder.py"""
    page = write_ladder.PAGE.read_text(encoding="utf-8")
    assert page == "".join(write_ladder.page(write_ladder.read()))


def test_a_ladder_is_told_with_its_commands() -> None:
    run = ("arena", "--rules", "hermansen", "--players", "random,random,random", "--deals", 4, *ONE)
    text = ultimo(*run, "--json").out.replace('"random"', '"club"', 1).replace('"odd": null', '"odd": 0')
    found = msgspec.json.decode(text, type=Result)
    page = "".join(write_ladder.page({("hermansen", "expert", "club"): found}))
    assert f"\n```\n{found.command}\n```\n" in page
    assert "| expert over club | " in page
    assert page.count("Not measured yet.") == len(write_ladder.BOOKS) - 1
    assert len(list(write_ladder.commands(["--samples", "9"]))) == len(write_ladder.STEPS) * len(
        write_ladder.BOOKS
    )
