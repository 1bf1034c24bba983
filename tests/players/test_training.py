"""A student is made by a plan: the same plan makes the same file, and nothing is done twice."""

from __future__ import annotations

import json
from hashlib import sha256
from pathlib import Path

import numpy as np
import pytest

import train_policy
from ultimo.kernel import network
from ultimo.learning import danish

PLAN = """
family = "danish"
seed = 3
books = ["hermansen", "basta"]

[[rounds]]
decisions = 600
learning = { hidden = [16, 8], steps = 6, batch = 64 }

[[rounds]]
decisions = 60
drivers = [0, 1]
own = 1
others = [0, 1]
again = [1]
begin = 1
learning = { hidden = [16, 8], steps = 3, batch = 64 }

[[rounds]]
decisions = 0
again = [1, 2]
begin = 2
margins = [5.0, 7.0]
learning = { hidden = [16, 8], steps = 0 }

[duels]
seed = 4
deals = 4
books = ["dtf"]
rounds = 2
"""


@pytest.fixture
def plan(tmp_path: Path) -> Path:
    path = tmp_path / "tiny.toml"
    path.write_text(PLAN, encoding="utf-8")
    return path


def test_the_same_plan_makes_the_same_student(plan: Path, tmp_path: Path) -> None:
    made = []
    for name in ("one", "other"):
        train_policy.main([str(plan), "--work", str(tmp_path / name), "--to", str(tmp_path / f"to {name}")])
        made.append(
            [(tmp_path / f"to {name}" / file).read_bytes() for file in ("student.net", "student.json")]
        )
    assert made[0] == made[1]
    net, told = made[0][0], json.loads(made[0][1])
    assert told["sha256"] == sha256(net).hexdigest()
    assert told["decisions"] == 660
    assert [one["deals"] for one in told["duels"]] == [2, 2, 2, 2, 4, 4]
    read = network.read(tmp_path / "to one" / "student.net", "danish", danish.INPUTS, danish.OUTPUTS)
    assert read[: network.MARGIN].tolist()[:4] == [danish.INPUTS, 16, 8, danish.OUTPUTS]
    second = tmp_path / "one" / f"network-{told['rounds'][1]['network']}.net"
    before = network.read(second, "danish", danish.INPUTS, danish.OUTPUTS)
    differs = [network.MARGIN, network.WORD_MARGIN]  # and nothing else
    assert np.flatnonzero(before != read).tolist() == differs
    assert read[differs].tolist() == pytest.approx(
        [5 * before[network.UNIT], 7 * before[network.UNIT]], rel=1e-4
    )

    kept = {path: path.stat().st_mtime_ns for path in (tmp_path / "one").iterdir()}
    train_policy.main([str(plan), "--work", str(tmp_path / "one"), "--to", str(tmp_path / "again")])
    assert {path: path.stat().st_mtime_ns for path in (tmp_path / "one").iterdir()} == kept
    assert (tmp_path / "again" / "student.net").read_bytes() == net


@pytest.mark.parametrize(
    ("wrong", "said"),
    [
        (PLAN.replace("own = 1", "own = 2"), "round 2 asks for a round that has not been"),
        (PLAN.replace('"danish"', '"polish"'), "there is no family 'polish'"),
        (PLAN.replace("seed = 3", "sead = 3"), "sead"),
        (PLAN.replace("decisions = 60\n", ""), "decisions"),
    ],
)
def test_a_plan_that_cannot_be_done_is_refused(tmp_path: Path, wrong: str, said: str) -> None:
    path = tmp_path / "wrong.toml"
    path.write_text(wrong, encoding="utf-8")
    with pytest.raises(SystemExit, match=said):
        train_policy.main([str(path), "--work", str(tmp_path / "work"), "--to", str(tmp_path)])
    with pytest.raises(SystemExit, match="No such file"):
        train_policy.main([str(tmp_path / "none.toml")])
