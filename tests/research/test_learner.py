"""The learner of the examples, for a few seconds: it learns, and its duel is counted right."""

from __future__ import annotations

from functools import partial
from pathlib import Path
from runpy import run_path
from typing import Any

import numpy as np
import pytest

from ultimo.kernel.danish.policy.choose import choose_by_sight
from ultimo.kernel.policy import BEGINNER
from ultimo.research import dataset
from ultimo.research.corpus import load
from ultimo.research.learning import Learners
from ultimo.rulebook import load as book

RULES = book("hermansen")


@pytest.fixture(scope="module")
def example() -> dict[str, Any]:
    return run_path(str(Path(__file__).parents[2] / "examples" / "research" / "learner.py"))


def test_a_learner_comes_to_choose_as_its_examples(example: dict[str, Any], tmp_path: Path) -> None:
    dataset.run(dataset.plan(RULES, deals=240, shard=80, players=("club",)), tmp_path)
    corpus = load(tmp_path, test=0.1)
    learn = partial(example["train"], corpus, passes=1, size=128, hidden=(32,), rate=5e-3)
    network, losses = learn()
    assert np.mean(losses[-20:]) < np.mean(losses[:20]) - 0.1
    fresh = example["new"]([corpus.layout.size, 32, len(corpus.actions)], seed=1)
    knows, knew = (example["agreement"](one, corpus, size=128) for one in (network, fresh))
    assert knows > knew + 0.1
    assert np.array_equal(learn().losses, losses)
    duel = partial(example["duel"], partial(example["by"], network), RULES, "beginner", deals=60)
    assert duel(seed=2) == duel(seed=2) != duel(seed=3)


def beginners(tables: Learners) -> list[int]:
    """What a beginner would do at each table."""
    deals = tables._batch
    return [choose_by_sight(BEGINNER, deals._n, state, deals._paper) for state in deals.states]


def test_who_plays_as_the_others_gains_nothing_in_the_duel(example: dict[str, Any]) -> None:
    gain = example["duel"](beginners, RULES, "beginner", deals=300, seed=2)
    assert (gain.value, gain.error) == (0, 0)


def test_the_duel_counts_the_difference_in_the_learners_own_place(example: dict[str, Any]) -> None:
    """A beginner among players of the lowest card gains what `play` of the compiled tables says, too."""
    deals = range(90)
    mixed = [example["Deals"](RULES, deals=len(deals), seed=2) for _ in range(3)]
    for place, batch in enumerate(mixed):
        batch.play([BEGINNER if place == other else example["POLICIES"]["lowest"] for other in range(3)])
    alone = example["Deals"](RULES, deals=len(deals), seed=2)
    alone.play([example["POLICIES"]["lowest"]])
    gained = [mixed[deal % 3].net[deal, deal % 3] - alone.net[deal, deal % 3] for deal in deals]
    gain = example["duel"](beginners, RULES, "lowest", deals=len(deals), seed=2)
    assert gain.value == pytest.approx(np.mean(gained))
    assert gain.error == pytest.approx(np.std(gained, ddof=1) / len(deals) ** 0.5)
