"""Weights found in labelled decisions: the same twice and anywhere, and a spoilt one is moved back."""

from __future__ import annotations

import json
from pathlib import Path

import numpy as np
import pytest

import find_weights
import train_policy
import tune_club
from ultimo import rulebook
from ultimo.analysis.executing import Here
from ultimo.learning.decisions import FAMILIES

PLAN = """
kind = "weights"
family = "danish"
seed = 3
books = ["hermansen", "basta"]
decisions = 500
rounds = 2
weights = ["LEAD", "KEPT[1]"]
search = {{ passes = 2, sure = {sure} }}

[duels]
seed = 4
deals = 6
books = ["dtf"]
"""


@pytest.fixture
def plan(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    monkeypatch.setattr(find_weights, "CHUNK", 250)
    path = tmp_path / "tiny.toml"
    path.write_text(PLAN.format(sure=0.0), encoding="utf-8")
    return path


def contents(folder: Path) -> dict[str, bytes]:
    return {path.name: path.read_bytes() for path in folder.iterdir()}


def test_the_same_plan_finds_the_same_weights_anywhere(plan: Path, tmp_path: Path) -> None:
    for name, more in (("one", []), ("other", ["--workers", "2"])):
        train_policy.main([str(plan), "--work", str(tmp_path / name), *more])
    one, other = contents(tmp_path / "one"), contents(tmp_path / "other")
    assert one == other
    assert len([name for name in one if name.startswith("decisions-")]) == 4
    told = json.loads(one["weights.json"])
    assert set(told["weights"]) <= {"LEAD[0]", "KEPT[1]"}
    assert all(change["gain"] > 0 < change["again"] for change in told["changes"])
    assert [duel["deals"] for duel in told["duels"]] == [6]

    kept = {path: path.stat().st_mtime_ns for path in (tmp_path / "one").glob("[dw]*-*")}
    assert len(kept) == 8
    train_policy.main([str(plan), "--work", str(tmp_path / "one"), "--to", str(tmp_path / "again")])
    assert {path: path.stat().st_mtime_ns for path in kept} == kept
    assert contents(tmp_path / "again")["weights.json"] == one["weights.json"]


@pytest.mark.parametrize(
    ("book", "name", "value", "sure"),
    [("hermansen", "KEPT_FEAR[0]", -900, 2.0), ("french4", "KEEP_TRUMP[0]", -900, 0.0)],
)
def test_a_spoilt_weight_is_moved_back(tmp_path: Path, book: str, name: str, value: int, sure: float) -> None:
    rules = rulebook.load(book)
    plan = find_weights.Plan(
        kind="weights",
        family="danish" if book == "hermansen" else "french",
        seed=5,
        books=(book,),
        decisions=4000,
        weights=(name,),
        duels=find_weights.Duels(seed=1, deals=2, books=(book,)),
    )
    done = find_weights.Weighing(plan, tmp_path, Here())
    (weight,) = done.weights
    spoilt = list(done.values)
    spoilt[weight.place] = value
    parts, _ = done.parts(1, spoilt)
    judge = find_weights.Judge(plan.family, parts, done.start)
    assert not judge.gains(spoilt).any()  # what the club does brings nothing beyond what the club does
    assert judge.gains(done.values).mean() > 0
    step = value - done.values[weight.place]
    begun = find_weights.Found(tuple(spoilt), (step,), ())
    found = find_weights.searched(judge, find_weights.Search(sure=sure), done.weights, begun, 1)
    assert found.values == done.values
    assert [change.weight for change in found.changes] == [str(weight)]
    assert tune_club.chosen(tune_club.source_of(rules).read_text(encoding="utf-8"), name) == [weight]


def test_what_is_judged_is_what_was_played_out(tmp_path: Path) -> None:
    """Where other weights choose another card, the gain is the label of that card."""
    plan = find_weights.Plan(
        kind="weights",
        family="french",
        seed=5,
        books=("french5",),
        decisions=300,
        duels=find_weights.Duels(seed=1, deals=2, books=("french5",)),
    )
    done = find_weights.Weighing(plan, tmp_path, Here())
    (part,), _ = done.parts(1, done.values)
    other = [-value for value in done.values]
    gains = find_weights.Judge("french", [part], done.start).gains(other)
    by = FAMILIES["french"]
    legal = part.brought != by.UNKNOWN
    assert np.count_nonzero(gains) > 50
    assert all(gain in row[known] for gain, row, known in zip(gains, part.brought, legal, strict=True))


@pytest.mark.parametrize(
    ("wrong", "said"),
    [
        (PLAN.format(sure=2.0).replace('"danish"', '"polish"'), "there is no family 'polish'"),
        (PLAN.format(sure=2.0).replace("LEAD", "LEED"), "there is no weight LEED"),
        (PLAN.format(sure=2.0).replace("decisions = 500", "rows = 500"), "rows"),
    ],
)
def test_a_plan_that_cannot_be_done_is_refused(tmp_path: Path, wrong: str, said: str) -> None:
    path = tmp_path / "wrong.toml"
    path.write_text(wrong, encoding="utf-8")
    with pytest.raises(SystemExit, match=said):
        train_policy.main([str(path), "--work", str(tmp_path / "work")])


def test_a_cluster_and_processes_are_not_asked_for_at_once(plan: Path) -> None:
    with pytest.raises(SystemExit):
        train_policy.main([str(plan), "--workers", "2", "--cluster", "local:1"])
