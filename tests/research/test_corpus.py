"""A corpus: its decisions are those of a game, its bytes those of its plan, and it is read as it was seen."""

from __future__ import annotations

import signal
import subprocess
import sys
from pathlib import Path
from typing import Any

import numpy as np
import pytest

from commands import fails, ultimo
from serving import ends_with_its_parent
from table import DANISH, FRENCH
from ultimo.analysis.runs import RunError
from ultimo.analysis.simulation import run as simulation
from ultimo.kernel.danish import layout as danish_at
from ultimo.kernel.french import layout as french_at
from ultimo.kernel.policy import POLICIES
from ultimo.research import corpus, dataset
from ultimo.research.decisions import ACTION, DEAL, DECISION, HEARD, NOTES, PLACE, RETURN, SEAT, Played, play
from ultimo.research.game import Game
from ultimo.research.history import vocabulary
from ultimo.research.observing import layout_of
from ultimo.rulebook import Rules, load

LENGTH = 3
MIXED = ("club", "student", "random", "highest", "beginner")


def played(rules: Rules, **settings: Any) -> Played:
    """Two short sessions of players of several levels."""
    table = rules.sizes[-1]
    policies = [POLICIES[level] for level in MIXED[:table]]
    known: dict[str, Any] = {"table": table, "seed": 5, "first": 3, "deals": 2 * LENGTH, "length": LENGTH}
    return play(rules, policies=policies, **(known | settings))


def unpacked(rules: Rules, found: Played) -> corpus.Decisions:
    """The same, as the loader gives it."""
    notes = {name: found.notes[:, one].astype(np.int64) for one, name in enumerate(NOTES)}
    actions = danish_at.ACTIONS if rules.id in DANISH else french_at.ACTIONS
    return corpus.Decisions(layout_of(rules), actions, notes, found.planes, found.numbers, found.masks)


@pytest.mark.parametrize("book", [*DANISH, *FRENCH])
def test_decisions_are_those_of_a_game(book: str) -> None:
    rules = load(book)
    found = played(rules)
    seen, masks = unpacked(rules, found).observations(), unpacked(rules, found).masks()
    words = found.words.astype(np.int64)
    logs = corpus.Logs(3, 3 if book in DANISH else rules.sizes[0], vocabulary(rules), words, found.ends)
    game = Game(rules, table=rules.sizes[-1], deals=2 * LENGTH, seed=5)
    for row, note in enumerate(found.notes.tolist()):
        if note[DECISION] == 0 and note[DEAL] % LENGTH == 0:
            session = {"deals": LENGTH, "session": note[DEAL] // LENGTH, "history": True}
            game = Game(rules, table=rules.sizes[-1], seed=5, **session)
        if note[DECISION] == 0:
            founded = [*game._paid]
        assert (game.number, game.turn) == (note[DEAL], note[SEAT])
        assert game.seats[note[PLACE]] == game.turn
        assert np.array_equal(game.observe(note[SEAT]), seen[row])
        assert np.array_equal(game.legal(), masks[row])
        assert game.history is not None
        heard = logs.read(note[DEAL], note[PLACE], note[HEARD])
        assert game.history.tokens(note[SEAT]) == tuple(heard.tolist())
        deals = game.played
        game.act(note[ACTION])
        if game.played != deals:
            assert note[RETURN] == game.settled[note[SEAT]] - founded[note[SEAT]]
    assert game.is_over


@pytest.mark.parametrize("players", [("random",), ("club",), ("club", "beginner", "random", "lowest")])
@pytest.mark.parametrize("book", ["dtf", "french4"])
def test_deals_are_those_of_a_simulation(book: str, players: tuple[str, ...]) -> None:
    made = dataset.plan(load(book), table=4, seed=9, deals=50, players=players)
    policies = [POLICIES[player] for player in made.players]
    found = play(
        load(book), table=4, seed=9, first=0, deals=50, length=made.length, policies=policies, sample=7
    )
    assert np.array_equal(found.deals, simulation.play(made, 0, 50))


def test_a_sample_is_some_of_all_whatever_room_there_is(monkeypatch: pytest.MonkeyPatch) -> None:
    rules = load("french5")
    whole, some = played(rules, deals=60), played(rules, deals=60, sample=10)
    monkeypatch.setattr("ultimo.research.decisions.ROWS_A_DEAL", 1)
    monkeypatch.setattr("ultimo.research.decisions.WORDS_A_DEAL", 1)
    again = played(rules, deals=60)
    for name in Played._fields:
        assert np.array_equal(getattr(whole, name), getattr(again, name))
    rows = {tuple(note[:2]): row for row, note in enumerate(whole.notes.tolist())}
    kept = [rows[tuple(note[:2])] for note in some.notes.tolist()]
    assert len(rows) / 15 < len(kept) < len(rows) / 7
    assert np.array_equal(whole.planes[kept], some.planes)
    assert np.array_equal(whole.notes[kept], some.notes)
    assert np.array_equal(whole.words, some.words)


# --- files ---------------------------------------------------------------------------------------------


def small(**settings: Any) -> dataset.Plan:
    known: dict[str, Any] = {
        "seed": 3,
        "deals": 100,
        "players": ("club", "club", "random"),
        "shard": 40,
        "sample": 3,
    }
    return dataset.plan(load("hermansen"), **(known | settings))


def contents(folder: Path) -> dict[str, bytes]:
    return {str(path.relative_to(folder)): path.read_bytes() for path in folder.rglob("*") if path.is_file()}


@pytest.fixture(scope="module")
def folder(tmp_path_factory: pytest.TempPathFactory) -> Path:
    path = tmp_path_factory.mktemp("corpus")
    dataset.run(small(), path)
    return path


KILLED = """
import os, signal, sys
from pathlib import Path
from ultimo.analysis.executing import Processes
from ultimo.research import dataset
from ultimo.rulebook import load

def kill(deals):
    os.kill(os.getpid(), signal.SIGKILL)

if __name__ == "__main__":
    made = dataset.plan(
        load("hermansen"), seed=3, deals=100, players=("club", "club", "random"), shard=40, sample=3
    )
    dataset.run(made, Path(sys.argv[1]), on=Processes(2), advance=kill)
"""


def test_a_killed_run_of_two_processes_goes_on_to_the_same_bytes(
    folder: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    script, path = tmp_path / "killed.py", tmp_path / "corpus"
    script.write_text(KILLED, encoding="utf-8")
    process = subprocess.Popen([sys.executable, str(script), str(path)], start_new_session=True)
    assert process.wait() == -signal.SIGKILL
    ends_with_its_parent(process.pid)
    with pytest.raises(RunError, match="not finished"):
        corpus.load(path)
    (path / "deals/000002.parquet").write_bytes(b"torn")
    again, shard = [], dataset.shard

    def counted(made: dataset.Plan, number: int) -> dict[str, Any]:
        again.append(number)
        return shard(made, number)

    monkeypatch.setattr(dataset, "shard", counted)
    dataset.run(small(), path)
    assert 2 in again
    assert len(again) < 3
    assert contents(path) == contents(folder)


def test_a_folder_is_not_mixed_with_another_run(folder: Path) -> None:
    with pytest.raises(RunError, match="belongs to a run with seed 3, not 4"):
        dataset.run(small(seed=4), folder)


def test_what_is_read_is_what_was_seen(folder: Path) -> None:
    made, loaded = small(), corpus.load(folder)
    assert loaded.plan == made
    for number in range(3):
        first = number * 40
        policies = [POLICIES[player] for player in made.players]
        deals = min(40, 100 - first)
        found = play(
            loaded.rules,
            table=3,
            seed=3,
            first=first,
            deals=deals,
            length=20,
            policies=policies,
            sample=3,
        )
        expected, read = unpacked(loaded.rules, found), loaded.shard(number)
        assert np.array_equal(expected.observations(), read.observations())
        assert np.array_equal(expected.masks(), read.masks())
        assert all(np.array_equal(expected.notes[name], read.notes[name]) for name in NOTES)
        seats = read.notes["seat"]
        assert [loaded.levels[level] for level in read.notes["level"]] == [made.players[s] for s in seats]
        logs = loaded.logs(number)
        assert (logs.first, logs.ends.tolist(), logs.tokens.tolist()) == (
            first,
            found.ends.tolist(),
            found.words.tolist(),
        )
    assert len(loaded) == loaded.arrays().rows


def test_batches_have_every_decision_once_and_parts_share_no_deal(folder: Path) -> None:
    loaded = corpus.load(folder, test=0.2)
    train, test = loaded.arrays("train"), loaded.arrays("test")
    assert not set(train.notes["deal"]) & set(test.notes["deal"])
    assert train.rows + test.rows == len(loaded)
    assert 5 < len(set(test.notes["deal"])) < 40

    def sums(seed: int) -> list[float]:
        return [float(batch.observations.sum()) for batch in loaded.batches(100, seed=seed, pool=2)]

    assert sums(1) == sums(1) != sums(2)
    assert sum(sums(1)) == sum(sums(2)) == float(train.observations().sum())
    club = loaded.arrays(levels=["club"])
    assert {loaded.levels[level] for level in club.notes["level"]} == {"club"}
    assert all(
        mask[action] for batch in loaded.batches(500) for mask, action in zip(*batch[1:3], strict=True)
    )


# --- the command ---------------------------------------------------------------------------------------


def test_the_command_writes_a_corpus_and_its_card(tmp_path: Path) -> None:
    command = ("dataset", "--rules", "french3", "--deals", 8, "--shard", 4, "--cores", 1, "--out", tmp_path)
    done = ultimo(*command)
    assert done.status == 0, done
    loaded = corpus.load(tmp_path)
    assert done.out == (
        f"{tmp_path}: {len(loaded)} decisions of 8 deals, {done.out.split()[-5]} MB in 2 shards\n"
    )
    card = (tmp_path / "README.md").read_text(encoding="utf-8")
    for field in loaded.layout.fields:
        assert f"`obs_{field.name}" in card
        assert field.about in card
    assert ultimo(*command) == done  # it is there


@pytest.mark.parametrize(
    ("arguments", "complaint"),
    [
        (("--players", "expert"), "there is no player 'expert'"),
        (("--players", "club,club"), "hermansen is played by"),
        (("--seed", "-1"), "the seed is a whole number"),
        (("--rules", "dtf", "--set", "strict.revoke=true"), ""),
    ],
)
def test_what_is_wrong_is_said_in_one_line(
    arguments: tuple[str, ...], complaint: str, tmp_path: Path
) -> None:
    assert fails("dataset", "--deals", 3, "--out", tmp_path / "a", *arguments).startswith(complaint)
    assert not list(tmp_path.iterdir())
