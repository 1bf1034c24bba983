"""A learner from end to end: it imitates club players from a corpus, and then plays against beginners.

    pip install "ultimo[learn]"
    ultimo dataset --rules hermansen --deals 100000 --players club --seed 1 --out club
    python examples/research/learner.py club

A network in JAX learns to choose what club players have chosen. In the duel it has one place at a table of
beginners. Every deal is also played by beginners alone, and the difference in its place is what it gains.
"""

from __future__ import annotations

from argparse import ArgumentParser
from collections.abc import Callable, Iterator
from functools import partial
from time import perf_counter
from typing import Any, NamedTuple, TypeAlias

import jax
import jax.numpy as jnp
import numpy as np
import numpy.typing as npt
import optax

from ultimo.analysis.statistics import Mean
from ultimo.kernel.batch import Batch as Deals
from ultimo.kernel.policy import POLICIES
from ultimo.research.corpus import Batch, Corpus, Part, load
from ultimo.research.learning import Learners
from ultimo.rulebook import Rules

jax.config.update("jax_platforms", "cpu")  # a network so small gains nothing elsewhere

Network: TypeAlias = list[tuple[jax.Array, jax.Array]]  # weights and biases, layer by layer
Floats: TypeAlias = npt.NDArray[np.floating[Any]]
Choose: TypeAlias = Callable[[Learners], npt.ArrayLike]  # an action at each table

AT_ONCE = 2000  # tables of the duel that are played side by side


# --- the network ---------------------------------------------------------------------------------------


def new(sizes: list[int], seed: int) -> Network:
    """A network that knows nothing: random weights, as He et al. (2015) scale them."""
    keys = jax.random.split(jax.random.key(seed), len(sizes) - 1)
    return [
        (jax.random.normal(key, (inputs, outputs)) * (2 / inputs) ** 0.5, jnp.zeros(outputs))
        for key, inputs, outputs in zip(keys, sizes, sizes[1:], strict=False)
    ]


def scores(network: Network, observations: jax.Array, masks: jax.Array) -> jax.Array:
    """A score for every action; what may not be done has the lowest."""
    x = jnp.sign(observations) * jnp.log1p(jnp.abs(observations))  # cups hold hundreds, cards are 0 or 1
    *hidden, last = network
    for weights, biases in hidden:
        x = jax.nn.relu(x @ weights + biases)
    return jnp.where(masks, x @ last[0] + last[1], -1e9)


def loss_of(network: Network, batch: Batch) -> jax.Array:
    """How unlikely the network finds what was done: the mean of -log p."""
    found = scores(network, batch.observations, batch.masks)
    return optax.softmax_cross_entropy_with_integer_labels(found, batch.actions).mean()


@jax.jit
def best(network: Network, observations: jax.Array, masks: jax.Array) -> jax.Array:
    """The action with the highest score in each row."""
    return scores(network, observations, masks).argmax(axis=1)


# --- learning ------------------------------------------------------------------------------------------


class Trained(NamedTuple):
    """A network, and its loss in each batch."""

    network: Network
    losses: Floats


def train(
    corpus: Corpus,
    *,
    passes: int = 2,
    size: int = 1024,
    hidden: tuple[int, ...] = (512, 256),
    rate: float = 1e-3,
    seed: int = 1,
) -> Trained:
    """Go through the corpus so many times, in batches of one size; the rate falls to nothing by the end."""
    network = new([corpus.layout.size, *hidden, len(corpus.actions)], seed)
    steps = int(passes * len(corpus) * (1 - corpus.test) / size)
    optimizer = optax.adam(optax.cosine_decay_schedule(rate, steps))

    @jax.jit
    def step(network: Network, state: Any, batch: Batch) -> tuple[Network, Any, jax.Array]:
        loss, slopes = jax.value_and_grad(loss_of)(network, batch)
        updates, state = optimizer.update(slopes, state)
        return optax.apply_updates(network, updates), state, loss

    state, losses = optimizer.init(network), []
    for number in range(passes):
        for batch in whole(corpus, size, "train", seed + number):
            network, state, loss = step(network, state, batch)
            losses.append(loss)  # not looked at yet: JAX learns while the next batch is read
            if len(losses) % 500 == 0:
                print(f"{len(losses):>6} of {steps} batches, loss {np.mean(losses[-500:]):.3f}", flush=True)
    return Trained(network, np.asarray(losses, np.float32))


def whole(corpus: Corpus, size: int, part: Part, seed: int) -> Iterator[Batch]:
    """The batches of exactly this size, for which JAX compiles once; a smaller rest is left out."""
    return (batch for batch in corpus.batches(size, seed=seed, part=part) if len(batch.actions) == size)


def agreement(network: Network, corpus: Corpus, size: int = 1024) -> float:
    """How often it would choose what was chosen, in decisions with a choice of deals kept for testing."""
    right, count = 0, 0
    for seen, masks, actions, _ in whole(corpus, size, "test", seed=0):
        choice = masks.sum(axis=1) > 1
        right += int((np.asarray(best(network, seen, masks)) == actions)[choice].sum())
        count += int(choice.sum())
    return right / count


# --- playing -------------------------------------------------------------------------------------------


def by(network: Network, tables: Learners) -> npt.ArrayLike:
    """What the network does at each table."""
    return np.asarray(best(network, tables.observations(), tables.masks()))


def duel(choose: Choose, rules: Rules, opponents: str, *, deals: int, seed: int) -> Mean:
    """What it gains a deal at tables of `opponents`, over one of them in its place with the same cards."""
    parts = [range(first, min(first + AT_ONCE, deals)) for first in range(0, deals, AT_ONCE)]
    gained = np.concatenate([_gained(choose, rules, opponents, part, seed) for part in parts])
    return Mean(float(gained.mean()), float(gained.std(ddof=1) / len(gained) ** 0.5))


def _gained(choose: Choose, rules: Rules, opponents: str, part: range, seed: int) -> Floats:
    ours = Learners(rules, tables=len(part), seed=seed, first=part.start, opponents=opponents)
    theirs = Deals(rules, deals=len(part), seed=seed, first=part.start)
    theirs.play([POLICIES[opponents]])
    numbers, points = np.array(part), np.zeros(len(part))
    over = ours.numbers != numbers  # where nobody is asked, the deal is void at both tables
    while not over.all():
        rewards, ended = ours.step(choose(ours))  # a table that is done plays on, and nobody counts
        points[ended & ~over] = rewards[ended & ~over]
        over |= ended
    return np.asarray(points - theirs.net[np.arange(len(part)), numbers % theirs.places])


def main() -> None:
    """Learn, and play."""
    parser = ArgumentParser(description="Imitate club players, then play against beginners.")
    parser.add_argument("corpus", help="the folder of a corpus")
    parser.add_argument("--passes", type=int, default=2, help="how often to go through the corpus (2)")
    parser.add_argument("--deals", type=int, default=20_000, help="deals of the duel (20000)")
    parser.add_argument("--opponents", nargs="+", default=["beginner"], help="levels to beat (beginner)")
    parser.add_argument("--seed", type=int, default=1, help="of the network and the order of decisions (1)")
    given = parser.parse_args()
    corpus, begun = load(given.corpus), perf_counter()
    network, _ = train(corpus, passes=given.passes, seed=given.seed)
    print(f"learned for {(perf_counter() - begun) / 60:.1f} minutes")
    print(f"chooses as the players of the corpus in {agreement(network, corpus):.1%} of decisions")
    for level in given.opponents:
        choose = partial(by, network)
        gain = duel(choose, corpus.rules, level, deals=given.deals, seed=corpus.plan.seed + 1)
        low, high = gain.interval()
        print(f"gains {gain.value:+.2f} points a deal over {level} (95 % interval {low:+.2f} to {high:+.2f})")


if __name__ == "__main__":
    main()
