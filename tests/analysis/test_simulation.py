"""Deals by the million: what comes out depends on the plan alone, and survives a kill."""

from __future__ import annotations

import json
import os
import signal
import subprocess
import sys
from math import sqrt
from pathlib import Path
from typing import Any

import msgspec
import pytest

from serving import ends_with_its_parent
from ultimo.analysis.executing import Processes
from ultimo.analysis.frequencies import dealt, frequencies
from ultimo.analysis.frequencies import exact as exactly_counted
from ultimo.analysis.runs import RunError
from ultimo.analysis.simulation import run as simulation
from ultimo.analysis.simulation.run import Plan, plan, run
from ultimo.analysis.statistics import Summary
from ultimo.kernel import NotCompilable
from ultimo.rulebook import load

LONG = bool(os.environ.get("ULTIMO_LONG"))
LAYOUT_DEALS = 1_000_000 if LONG else 20_000
SIGMAS = 5


def danish(**changes: Any) -> Plan:
    given: dict[str, Any] = {"table": 4, "seed": 5, "deals": 330, "length": 20, "players": ["random"]}
    return plan(load("hermansen"), **given | changes)


def french(**changes: Any) -> Plan:
    given: dict[str, Any] = {"seed": 5, "deals": 330, "players": ["beginner"]}
    return plan(load("french4"), **given | changes)


def written(path: Path, made: Plan, **options: Any) -> bytes:
    run(made, rows=path, **options)
    return path.read_bytes()


# --- chunks, processors, interruptions -----------------------------------------------------------------


@pytest.mark.parametrize("suffix", [".jsonl", ".parquet"])
@pytest.mark.parametrize("make", [danish, french])
def test_chunks_leave_no_trace(make: Any, suffix: str, tmp_path: Path) -> None:
    whole = written(tmp_path / f"a{suffix}", make())
    for chunk in (30, 170):
        assert written(tmp_path / f"b{suffix}", make(), chunk=chunk) == whole
    assert {path.name for path in tmp_path.iterdir()} == {f"a{suffix}", f"b{suffix}"}


def test_processors_leave_no_trace(tmp_path: Path) -> None:
    one = written(tmp_path / "one.parquet", danish(), chunk=40)
    with Processes(2) as on:
        assert written(tmp_path / "two.parquet", danish(), chunk=40, on=on) == one


def test_a_run_can_be_longer(tmp_path: Path) -> None:
    short = written(tmp_path / "short.jsonl", danish(deals=50))
    assert written(tmp_path / "long.jsonl", danish(deals=90)).startswith(short)


def test_a_summary_is_the_same_however_it_was_come_by(tmp_path: Path) -> None:
    told: list[int] = []
    plain = run(danish(), advance=told.append)
    assert sum(told) == plain.deals == 330
    assert plain.sessions == 17
    assert run(danish(), rows=tmp_path / "a.jsonl", chunk=40) == plain


class Stop(Exception):
    """The power goes."""


def interrupted(path: Path, made: Plan, after: int, chunk: int) -> None:
    """A run that is stopped when so many chunks are done."""
    left = after

    def advance(deals: int) -> None:
        nonlocal left
        left -= deals > 0
        if left < 0:
            raise Stop

    with pytest.raises(Stop):
        run(made, rows=path, chunk=chunk, advance=advance)


@pytest.mark.parametrize("suffix", [".jsonl", ".parquet"])
def test_a_stopped_run_goes_on(suffix: str, tmp_path: Path) -> None:
    expected, summary = written(tmp_path / f"a{suffix}", danish()), run(danish())
    path = tmp_path / f"b{suffix}"
    interrupted(path, danish(), after=2, chunk=40)
    interrupted(path, danish(), after=3, chunk=100)  # the chunks stay those of the first run
    assert not path.exists()
    todo: list[int] = []
    assert run(danish(), rows=path, advance=todo.append) == summary
    assert todo[0] >= 4 * 40
    assert path.read_bytes() == expected


KILLED = """
import os
import signal
import sys
from pathlib import Path
from ultimo.analysis.executing import Processes
from ultimo.analysis.simulation.run import plan, run
from ultimo.rulebook import load
done = []

def advance(deals):
    done.append(deals)
    if len(done) == 4:  # nothing yet, and three chunks
        os.kill(os.getpid(), signal.SIGKILL)

if __name__ == "__main__":
    made = plan(load("hermansen"), table=4, seed=5, deals=2_000, length=20)
    with Processes(2) as on:
        run(made, rows=Path(sys.argv[1]), chunk=100, on=on, advance=advance)
"""


def test_a_killed_run_goes_on(tmp_path: Path) -> None:
    script, path, state = tmp_path / "killed.py", tmp_path / "rows.jsonl", tmp_path / "rows.jsonl.state"
    script.write_text(KILLED, encoding="utf-8")
    process = subprocess.Popen([sys.executable, str(script), str(path)], start_new_session=True)
    assert process.wait() == -signal.SIGKILL
    assert state.exists()
    assert not path.exists()
    ends_with_its_parent(process.pid)
    done: list[int] = []
    run(danish(deals=2_000), rows=path, advance=done.append)
    assert done[0] == 300
    assert path.read_bytes() == written(tmp_path / "whole.jsonl", danish(deals=2_000))
    assert not state.exists()


# --- what is refused -----------------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("changes", "complaint"),
    [
        ({"table": 6}, "hermansen is played by 3 or 4 or 5 at the table, not 6"),
        ({"players": ["genius"]}, "there is no player 'genius'; there are random, lowest, highest"),
        ({"players": ["random", "lowest"]}, "2 players for 4 seats"),
        ({"length": 0}, "a session has 1 to 100000 deals, not 0"),
        ({"length": 100_001}, "a session has 1 to 100000 deals"),
        ({"seed": 1 << 64}, "the seed is a whole number"),
        ({"seed": -1}, "the seed is a whole number"),
    ],
)
def test_what_cannot_be_asked_for_is_refused(changes: dict[str, Any], complaint: str) -> None:
    with pytest.raises(RunError) as caught:
        danish(**changes)
    assert str(caught.value).startswith(complaint)


def test_french_deals_have_no_sessions() -> None:
    with pytest.raises(RunError, match="no sessions"):
        french(length=20)


def test_what_cannot_be_compiled_is_refused() -> None:
    with pytest.raises(NotCompilable, match=r"strict\.follow"):
        plan(load("dtf", {"strict.follow": True}), deals=1)


@pytest.mark.parametrize(
    ("changes", "complaint"),
    [
        ({"seed": 6}, "belongs to a run with seed 5, not 6"),
        ({"players": ["lowest"]}, "belongs to a run with players"),
        ({"length": 10}, "belongs to a run with length 20, not 10"),
    ],
)
def test_two_runs_do_not_mix(changes: dict[str, Any], complaint: str, tmp_path: Path) -> None:
    path = tmp_path / "rows.jsonl"
    interrupted(path, danish(), after=1, chunk=40)
    with pytest.raises(RunError, match=complaint):
        run(danish(**changes), rows=path)


@pytest.mark.parametrize("damage", [b"", b"{", b"[]", b'{"plan": 1}', b"\xff\xfe"])
def test_a_damaged_state_is_refused(damage: bytes, tmp_path: Path) -> None:
    path = tmp_path / "rows.jsonl"
    interrupted(path, danish(), after=1, chunk=40)
    state = tmp_path / "rows.jsonl.state"
    state.write_bytes(damage)
    with pytest.raises(RunError, match=r"rows\.jsonl\.state: damaged .*delete it to begin the run anew"):
        run(danish(), rows=path)
    state.unlink()
    assert written(path, danish()) == written(tmp_path / "other.jsonl", danish())


def test_the_state_of_other_code_is_refused(tmp_path: Path) -> None:
    path = tmp_path / "rows.jsonl"
    interrupted(path, danish(), after=1, chunk=40)
    state = tmp_path / "rows.jsonl.state"
    state.write_bytes(msgspec.json.encode(json.loads(state.read_bytes()) | {"engine": "older"}))
    with pytest.raises(RunError, match="another version of the program"):
        run(danish(), rows=path)


def test_a_damaged_part_is_refused(tmp_path: Path) -> None:
    path = tmp_path / "rows.jsonl"
    interrupted(path, danish(), after=1, chunk=40)
    part = next((tmp_path / "rows.jsonl.parts").iterdir())
    part.write_bytes(part.read_bytes()[:-1])
    with pytest.raises(RunError, match="missing or damaged"):
        run(danish(), rows=path)
    assert not path.exists()


def test_rows_are_parquet_or_json_lines(tmp_path: Path) -> None:
    with pytest.raises(RunError, match=r"rows are written as \.parquet or \.jsonl"):
        run(danish(), rows=tmp_path / "rows.csv")


# --- the files -----------------------------------------------------------------------------------------


def test_parquet_says_the_same_as_json_lines(tmp_path: Path) -> None:
    import pyarrow.parquet as pq

    for make in (danish, french):
        run(make(), rows=tmp_path / "rows.parquet")
        run(make(), rows=tmp_path / "rows.jsonl")
        table = pq.read_table(tmp_path / "rows.parquet")
        lines = (tmp_path / "rows.jsonl").read_bytes().splitlines()
        assert table.to_pylist() == [json.loads(line) for line in lines]
        assert len(lines) == 330


def test_parquet_knows_where_it_comes_from(tmp_path: Path) -> None:
    import pyarrow.parquet as pq

    made = plan(load("dtf", {"cups.ante": 10}), table=3, seed=4, deals=30, length=10, players=["lowest"])
    run(made, rows=tmp_path / "rows.parquet")
    about = json.loads(pq.read_schema(tmp_path / "rows.parquet").metadata[b"ultimo"])
    assert about == msgspec.to_builtins(made) | {"players": ["lowest"] * 3}
    assert about["overrides"] == {"cups.ante": 10}


def test_row_groups_are_of_one_size(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    import pyarrow.parquet as pq

    monkeypatch.setattr("ultimo.analysis.simulation.files.ROW_GROUP", 100)
    run(danish(), rows=tmp_path / "rows.parquet", chunk=60)
    file = pq.ParquetFile(tmp_path / "rows.parquet")
    groups = [file.metadata.row_group(at).num_rows for at in range(file.num_row_groups)]
    assert groups == [100, 100, 100, 30]


# --- what the books say --------------------------------------------------------------------------------


@pytest.fixture(scope="module")
def shuffled() -> dict[str, Any]:
    found: dict[str, Any] = {}
    for layout in dealt.LAYOUTS:
        sizes = dealt.sizes_of(layout)
        found |= dealt.count(sizes, seed=2026, first=0, deals=LAYOUT_DEALS)
    return found


@pytest.mark.parametrize("name", dealt.MEASURES)
def test_exact_probabilities_are_what_is_seen(name: str, shuffled: dict[str, Any]) -> None:
    share, exact = shuffled[name], dealt.MEASURES[name].exact()
    assert share.of > 0
    sigma = sqrt(share.of * exact * (1 - exact))
    assert abs(share.count - share.of * exact) <= max(SIGMAS * sigma, 1)


def test_the_kernel_deals_as_the_cards_fall() -> None:
    """Petit sec and ten tarokker, in deals as they are played."""
    found = run(plan(load("french5"), seed=3, deals=LAYOUT_DEALS)).share("petit_sec")
    exact = exactly_counted.petit_sec(5)
    assert abs(found.count - found.of * exact) <= SIGMAS * sqrt(found.of * exact)


def test_ways_to_lie_are_counted_right() -> None:
    """Two cards in three hands of two: by hand."""
    found = dict(exactly_counted.spreads(2, (2, 2, 2)))
    assert {counts: chance * 15 for counts, chance in found.items()} == {
        (2, 0, 0): 1,
        (0, 2, 0): 1,
        (0, 0, 2): 1,
        (1, 1, 0): 4,
        (1, 0, 1): 4,
        (0, 1, 1): 4,
    }


def test_kinds_of_hands_are_all_hands() -> None:
    from math import comb

    assert sum(exactly_counted.kinds(25).values()) == comb(78, 25)
    assert sum(exactly_counted.court_subsets().values()) == 1 << 16


def test_every_claim_is_measured_in_any_number_of_pieces() -> None:
    measured = frequencies.measure(400, 7)
    again = frequencies.measure(400, 7, chunk=100)
    assert measured == again
    rows = list(frequencies.rows(measured))
    assert {row.claim for row in rows if row.claim} == set(frequencies.CLAIMS)
    assert all((row.exact is None) == (row.players is not None) for row in rows)
    named = {row.figure.name for row in rows if row.exact is not None}
    assert named == set(dealt.MEASURES)
    assert all(0 <= row.share.count <= row.share.of for row in rows)
    plans = frequencies.plans(400, 7)
    assert frequencies.total(400) == 400 * (len(dealt.LAYOUTS) + len(plans))
    assert {p.rules for p in plans} == set(measured.played)


def test_a_cup_is_large_when_it_holds_more_than_it_says() -> None:
    measured = frequencies.measure(40, 7)
    by_name = {row.figure.name: row for row in frequencies.rows(measured)}
    summary = measured.played["hermansen"]["highest"]
    assert isinstance(summary, Summary)
    held = summary.cups["king"][simulation.LENGTH]
    row = by_name["large_king_cup"]
    assert row.share.of == sum(held.values()) == 2
    assert row.share.count == sum(count for points, count in held.items() if points > frequencies.LARGE_CUP)


def test_there_are_as_many_deals_as_one_reckons() -> None:
    assert len(str(frequencies.danish_deals())) == 36
