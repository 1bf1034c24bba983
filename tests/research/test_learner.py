"""The learner of the examples, for a few seconds: it learns, and its duel can be played."""

from __future__ import annotations

from pathlib import Path
from runpy import run_path

import numpy as np

from ultimo.research import dataset
from ultimo.research.corpus import load
from ultimo.rulebook import load as book

EXAMPLE = Path(__file__).parents[2] / "examples" / "research" / "learner.py"


def test_a_learner_comes_to_choose_as_its_examples_and_plays(tmp_path: Path) -> None:
    example = run_path(str(EXAMPLE))
    dataset.run(dataset.plan(book("hermansen"), deals=240, shard=80, players=("club",)), tmp_path)
    corpus = load(tmp_path, test=0.1)
    network, losses = example["train"](corpus, batches=50, size=128, hidden=32, rate=5e-3)
    assert np.mean(losses[-10:]) < np.mean(losses[:10]) - 0.1
    fresh = example["Network"](corpus.layout.size, len(corpus.actions))
    assert example["agreement"](network, corpus) > example["agreement"](fresh, corpus) + 0.05
    (gain, half), again = (example["duel"](network, corpus.rules, "beginner", 30, seed) for seed in (2, 2))
    assert (gain, half) == again
    assert half > 0
