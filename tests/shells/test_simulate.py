"""`ultimo simulate` at scale, and `ultimo stats`: what they print, write and refuse."""

from __future__ import annotations

import json
import subprocess
import sys
from pathlib import Path

import pytest

from commands import fails, ultimo
from serving import PATIENCE
from ultimo.analysis.frequencies import frequencies
from ultimo.analysis.frequencies.dealt import MEASURES
from ultimo.cli import figures

SCALE = ("simulate", "--rules", "hermansen", "--table", 3, "--deals", 60, "--seed", 7)


def test_a_simulation_is_summed_up() -> None:
    done = ultimo(*SCALE)
    assert done.status == 0
    assert done.err == ""
    first, players, *rest = done.out.splitlines()
    assert first == "Hermansen, 1943: 60 deals, 3 at the table, sessions of 20"
    assert players == "players: random · seed 7"
    text = "\n".join(rest)
    for label in (
        "king ultimo",
        "pagat bagud",
        "nolo",
        "tout",
        "seat 2",
        "dealer",
        "king cup",
        "a declaration",
    ):
        assert f"\n{label} " in text
    assert "seat 3" not in text


def test_the_same_seed_says_the_same() -> None:
    assert ultimo(*SCALE) == ultimo(*SCALE)
    assert ultimo(*SCALE[:-1], 8).out != ultimo(*SCALE).out


def test_a_french_simulation_is_summed_up() -> None:
    done = ultimo("simulate", "--rules", "french5", "--players", "beginner", "--deals", 2000)
    assert done.status == 0
    for label in ("all passed", "petite", "contract made", "slam, taker", "taker, if played", "seat 4"):
        assert f"\n{label} " in done.out
    assert "king cup" not in done.out
    assert " of those played" in done.out


def test_a_program_is_told_the_same() -> None:
    told = json.loads(ultimo(*SCALE, "--json").out)
    assert told["plan"]["rules"] == "hermansen"
    assert told["plan"]["players"] == ["random"] * 3
    assert (told["deals"], told["sessions"]) == (60, 3)
    event = told["events"]["declared"]
    assert event["of"] == 60
    assert event["interval"][0] < event["share"] == event["count"] / 60 < event["interval"][1]
    assert told["points"]["seat 0"]["interval"][0] < told["points"]["seat 0"]["mean"]
    assert told["cups"]["king"]["5%"] <= told["cups"]["king"]["50%"] <= told["cups"]["king"]["highest"]


def test_one_session_has_no_interval() -> None:
    told = json.loads(ultimo("simulate", "--deals", 5, "--json").out)
    assert told["points"]["seat 0"]["interval"] is None
    assert "–" in ultimo("simulate", "--deals", 5).out


def test_several_rulebooks_are_told_one_after_the_other() -> None:
    done = ultimo("simulate", "--rules", "basta,dtf", "--table", 3, "--deals", 40)
    assert done.out.startswith("M. Basta, 1899: 40 deals")
    assert "\n\nDansk Tarokforbund, today: 40 deals" in done.out
    told = json.loads(ultimo("simulate", "--rules", "basta,dtf", "--deals", 40, "--json").out)
    assert [one["plan"]["table"] for one in told] == [4, 5]


def test_house_rules_are_played_and_told() -> None:
    done = ultimo(*SCALE, "--set", "cups.ante=50", "--length", 3)
    assert done.out.startswith("Hermansen, 1943 with house rules: 60 deals, 3 at the table, sessions of 3\n")
    assert "tuned to the books’ prices" in done.out
    assert "tuned" not in ultimo(*SCALE).out
    plain, rich = (
        json.loads(ultimo(*SCALE, *more, "--json").out) for more in ((), ("--set", "cups.ante=50"))
    )
    assert rich["cups"]["king"]["mean"] > plain["cups"]["king"]["mean"]


def test_rows_are_written(tmp_path: Path) -> None:
    file = tmp_path / "rows.jsonl"
    assert ultimo(*SCALE, "--rows", file, "--chunk", 20, "--cores", 1) == ultimo(*SCALE)
    rows = [json.loads(line) for line in file.read_bytes().splitlines()]
    assert [row["deal"] for row in rows] == list(range(60))
    assert (
        rows[0]["points_seat_0"]
        + rows[0]["points_seat_1"]
        + rows[0]["points_seat_2"]
        + (rows[0]["king_cup_after"] + rows[0]["pagat_cup_after"])
        == 0
    )
    assert list(tmp_path.iterdir()) == [file]


def test_pictures_are_drawn(tmp_path: Path) -> None:
    done = ultimo("simulate", "--rules", "basta,french4", "--deals", 40, "--length", 1, "--plot", tmp_path)
    assert done.status == 0
    pictures = ("points-basta", "cups-basta", "points-french4", "events-danish", "events-french")
    assert {file.name for file in tmp_path.iterdir()} == {
        f"{name}.{end}" for name in pictures for end in ("png", "svg")
    }
    for file in tmp_path.iterdir():
        assert file.read_bytes().startswith(b"\x89PNG" if file.suffix == ".png" else b"<?xml")


def test_the_same_deals_give_the_same_pictures(tmp_path: Path) -> None:
    for folder in ("a", "b"):
        ultimo("simulate", "--rules", "french4", "--deals", 40, "--plot", tmp_path / folder)
    assert len(list((tmp_path / "a").iterdir())) == 4
    for file in (tmp_path / "a").iterdir():
        assert file.read_bytes() == (tmp_path / "b" / file.name).read_bytes()


@pytest.mark.parametrize(
    ("arguments", "complaint"),
    [
        (("--rules", "whist"), "whist: no such rulebook"),
        (("--table", "2"), "dtf is played by 3 or 4 or 5 at the table, not 2"),
        (("--players", "genius"), "there is no player 'genius'; there are random, lowest, highest"),
        (("--players", "random,random"), "2 players for 5 seats"),
        (("--seed", "abc"), "--seed: 'abc' is not a whole number"),
        (("--rules", "french4", "--length", "2"), "French deals do not hang together"),
        (("--set", "strict.follow=true"), "strict.follow"),
        (("--rows", "rows.csv"), "rows.csv: rows are written as .parquet or .jsonl"),
        (("--rows", "none/rows.jsonl"), "none/rows.jsonl"),
        (("--rules", "dtf,basta", "--rows", "rows.jsonl"), "--rows: a file holds the rows of one rulebook"),
        (("--out", "a.jsonl", "--rows", "rows.jsonl"), "--rows cannot be combined with --out"),
        (("--out", "a.jsonl", "--json"), "--json cannot be combined with --out"),
        (("--out", "a.jsonl", "--cores", "2"), "--cores cannot be combined with --out"),
    ],
)
def test_what_is_wrong_is_said_in_one_line(
    arguments: tuple[str, ...], complaint: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.chdir(tmp_path)
    assert fails("simulate", "--deals", 3, *arguments).startswith(complaint)
    assert not list(tmp_path.iterdir())


@pytest.mark.parametrize(
    "arguments", [("--cores", "0"), ("--chunk", "x"), ("--length", "0"), ("--deals", "-1")]
)
def test_numbers_are_numbers(arguments: tuple[str, ...]) -> None:
    assert ultimo("simulate", *arguments).status == 2


@pytest.mark.parametrize(
    ("package", "arguments", "complaint"),
    [
        ("numpy", (), 'this needs numpy: pip install "ultimo[fast]"'),
        ("pyarrow", ("--rows", "a.parquet"), 'this needs pyarrow: pip install "ultimo[analysis]"'),
        ("matplotlib", ("--plot", "a"), 'this needs matplotlib: pip install "ultimo[analysis]"'),
    ],
)
def test_what_is_missing_is_named(
    package: str, arguments: tuple[str, ...], complaint: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.chdir(tmp_path)
    monkeypatch.setattr(figures, "find_spec", lambda name: None if name == package else object())
    assert fails("simulate", "--deals", 3, *arguments) == complaint


@pytest.mark.parametrize("command", ["simulate", "stats", "dataset"])
def test_help_loads_nothing_heavy(command: str) -> None:
    code = f"import sys; from ultimo.cli.main import main\ntry: main(['{command}', '--help'])\n"
    code += "except SystemExit: print(*sys.modules, file=sys.stderr)"
    done = subprocess.run(
        [sys.executable, "-c", code], capture_output=True, text=True, check=True, timeout=PATIENCE
    )
    assert not {"numpy", "numba", "pyarrow", "matplotlib", "rich", "distributed"} & set(done.stderr.split())


# --- stats ---------------------------------------------------------------------------------------------


def test_stats_say_what_the_books_say() -> None:
    done = ultimo("stats", "--deals", 200, "--seed", 3)
    assert done.status == 0
    assert done.out.startswith("200 deals per figure, seed 3\n")
    for claim in frequencies.CLAIMS:
        assert f"\n{claim.book}, {claim.section}: {claim.says}\n" in done.out
    assert "exact 95.12 %" in done.out
    assert done == ultimo("stats", "--deals", 200, "--seed", 3)


def test_stats_for_a_program_and_with_pictures(tmp_path: Path) -> None:
    told = json.loads(ultimo("stats", "--deals", 200, "--json", "--plot", tmp_path).out)
    tout = [one for one in told["figures"] if one["section"] == "Tout"]
    assert [one["players"] for one in tout] == ["random", "lowest", "highest", "beginner", "club"]
    assert all(one["of"] == 200 for one in tout)
    assert {"tarokker.png", "tarokker.svg", "events-hermansen.png"} <= {
        file.name for file in tmp_path.iterdir()
    }


def test_the_page_has_every_claim_and_its_probability() -> None:
    """If this fails: python tools/write_frequencies.py"""
    page = (Path(__file__).parents[2] / "docs" / "frequencies.md").read_text(encoding="utf-8")
    for claim in frequencies.CLAIMS:
        assert f"| {claim.book}, {claim.section} | {claim.says} |" in page
    for figure in (*frequencies.ALSO, *(one for claim in frequencies.CLAIMS for one in claim.figures)):
        assert figure.label in page
        if figure.rules is None:
            assert f"| {figures.percent(MEASURES[figure.name].exact())} |" in page


@pytest.mark.parametrize(
    ("share", "told"), [(0.5, "50 %"), (1 / 3, "33.33 %"), (2e-7, "0.00002 %"), (0.0, "0 %")]
)
def test_shares_have_the_digits_they_need(share: float, told: str) -> None:
    assert figures.percent(share) == told
