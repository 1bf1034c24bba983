"""A corpus for PyTorch: the processes of a `DataLoader` share its shards.

    python examples/research/with_torch.py club

Needs PyTorch, which Ultimo does not install and its tests do not run.
"""

from __future__ import annotations

import sys
from collections.abc import Iterator
from typing import Any

import torch
from torch import nn
from torch.utils.data import DataLoader, IterableDataset, get_worker_info

from ultimo.research.corpus import load


class Decisions(IterableDataset[tuple[Any, ...]]):
    """Batches of observations, masks, actions and returns, once through the corpus."""

    def __init__(self, folder: str, size: int, seed: int) -> None:
        self.folder, self.size, self.seed = folder, size, seed

    def __iter__(self) -> Iterator[tuple[Any, ...]]:
        worker, corpus = get_worker_info(), load(self.folder)
        first, step = (0, 1) if worker is None else (worker.id, worker.num_workers)
        shards = range(first, corpus.plan.shards, step)
        for batch in corpus.batches(self.size, seed=self.seed, shards=shards):
            yield tuple(map(torch.from_numpy, batch))


def main(folder: str, batches: int = 200) -> None:
    """Learn to imitate for a while."""
    corpus = load(folder)
    model = nn.Sequential(nn.Linear(corpus.layout.size, 256), nn.ReLU(), nn.Linear(256, len(corpus.actions)))
    scale = 1 / next(corpus.batches(10_000, pool=1)).observations.max(axis=0).clip(1)
    optimizer = torch.optim.Adam(model.parameters(), lr=1e-3)
    data = DataLoader(Decisions(folder, 1024, seed=1), batch_size=None, num_workers=1)
    for number, (seen, masks, actions, _) in zip(range(1, 1 + batches), data, strict=False):
        scores = model(seen * torch.from_numpy(scale)).masked_fill(~masks, -1e9)
        loss = nn.functional.cross_entropy(scores, actions)
        optimizer.zero_grad()
        loss.backward()
        optimizer.step()
        if number % 20 == 0:
            print(f"{number:>6} batches, loss {loss.item():.3f}", flush=True)


if __name__ == "__main__":
    main(sys.argv[1])
