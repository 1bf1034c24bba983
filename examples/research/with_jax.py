"""A corpus for JAX: batches of one size for a step that is compiled once.

    python examples/research/with_jax.py club

Needs JAX, which Ultimo does not install.
"""

from __future__ import annotations

import sys
from typing import Any

import jax
import jax.numpy as jnp

from ultimo.research.corpus import load

SIZE, RATE = 1024, 0.1


def loss(weights: Any, seen: Any, masks: Any, actions: Any) -> Any:
    """How unlikely what was done is to a network of two layers."""
    hidden = jax.nn.relu(seen @ weights["in"] + weights["first"])
    scores = jnp.where(masks, hidden @ weights["out"] + weights["last"], -1e9)
    return -jnp.take_along_axis(jax.nn.log_softmax(scores), actions[:, None], axis=1).mean()


@jax.jit
def step(weights: Any, seen: Any, masks: Any, actions: Any) -> tuple[Any, Any]:
    """The weights after a batch, and its loss."""
    value, slopes = jax.value_and_grad(loss)(weights, seen, masks, actions)
    return jax.tree.map(lambda weight, slope: weight - RATE * slope, weights, slopes), value


def main(folder: str, batches: int = 200) -> None:
    """Learn to imitate for a while."""
    corpus = load(folder)
    inputs, actions = corpus.layout.size, len(corpus.actions)
    one, two = jax.random.split(jax.random.key(1))
    weights = {
        "in": jax.random.normal(one, (inputs, 256)) * (2 / inputs) ** 0.5,
        "first": jnp.zeros(256),
        "out": jax.random.normal(two, (256, actions)) * (2 / 256) ** 0.5,
        "last": jnp.zeros(actions),
    }
    scale = 1 / next(corpus.batches(10_000, pool=1)).observations.max(axis=0).clip(1)
    whole = (batch for batch in corpus.batches(SIZE, seed=1) if len(batch.actions) == SIZE)
    for number, batch in zip(range(1, 1 + batches), whole, strict=False):
        weights, value = step(weights, batch.observations * scale, batch.masks, batch.actions)
        if number % 20 == 0:
            print(f"{number:>6} batches, loss {value:.3f}", flush=True)


if __name__ == "__main__":
    main(sys.argv[1])
