"""A student is made by a plan: the same plan makes the same file, and nothing is done twice."""

from __future__ import annotations

import json
from hashlib import sha256
from pathlib import Path

import numpy as np
import pytest

import train_policy
from ultimo.kernel import network
from ultimo.learning import danish, training

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


def test_a_plan_goes_on_from_the_network_of_another(plan: Path, tmp_path: Path) -> None:
    train_policy.main([str(plan), "--work", str(tmp_path / "one"), "--to", str(tmp_path)])
    net = tmp_path / "student.net"
    told = sha256(net.read_bytes()).hexdigest()
    on = f'[[rounds]]\ndecisions = 0\nfile = "{net}"\nsha256 = "{told}"\n\n'
    head, first, second, _, duels = (
        PLAN.replace("[[rounds]]", "|[[rounds]]").replace("[duels]", "|[duels]").split("|")
    )
    assert "600" in first
    plan.write_text(head + on + second + duels, encoding="utf-8")
    train_policy.main([str(plan), "--work", str(tmp_path / "two"), "--to", str(tmp_path / "on")])
    given = tmp_path / "two" / f"network-{told[:16]}.net"
    assert given.read_bytes() == net.read_bytes()

    held = dict(np.load(given.with_suffix(".npz")))
    read = network.read(net, "danish", danish.INPUTS, danish.OUTPUTS).copy()
    rng = np.random.default_rng(1)
    for _ in range(5):
        on_now = rng.random(danish.INPUTS) < 0.1
        network.put_none(read)
        for one in np.flatnonzero(on_now).tolist():
            network.put_one(read, one)
        network.think(read, 0)
        values = [
            network.value_of(read, output) / int(read[network.UNIT]) for output in range(danish.OUTPUTS)
        ]
        expected = np.asarray(training.values(held, on_now.astype(np.float32))) * training.POINTS
        assert values == pytest.approx(expected.tolist(), abs=1.0)

    plan.write_text(head + on.replace(told, "0" * 64) + second + duels, encoding="utf-8")
    with pytest.raises(SystemExit, match="is not the network 0000000000000000"):
        train_policy.main([str(plan), "--work", str(tmp_path / "three"), "--to", str(tmp_path / "on")])


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
