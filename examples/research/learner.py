"""A learner from end to end: it imitates club players from a corpus, and then plays against beginners.

    ultimo dataset --rules hermansen --deals 100000 --players club --seed 1 --out club
    python examples/research/learner.py club

A network of one hidden layer, in numpy alone, learns to choose what club players have chosen. In the duel it
has one place at a table of beginners. Every deal is also played by beginners alone, and the difference in its
place is what it gains.
"""

from __future__ import annotations

from argparse import ArgumentParser
from collections.abc import Iterator
from itertools import islice
from typing import NamedTuple

import numpy as np
import numpy.typing as npt

from ultimo.kernel.batch import Batch as Deals
from ultimo.kernel.policy import POLICIES
from ultimo.research.corpus import Batch, Corpus, load
from ultimo.research.learning import Learners
from ultimo.rulebook import Rules

Floats = npt.NDArray[np.float32]
Bools = npt.NDArray[np.bool_]


class Trained(NamedTuple):
    """A network, and its loss in each batch."""

    network: Network
    losses: list[float]


class Network:
    """Scores of all actions from an observation: two layers, learned by Adam."""

    def __init__(self, inputs: int, actions: int, hidden: int = 256, seed: int = 1) -> None:
        rng = np.random.default_rng(seed)

        def layer(rows: int, columns: int) -> Floats:
            return np.float32(np.sqrt(2 / rows)) * rng.standard_normal((rows, columns), np.float32)

        self.scale = np.ones(inputs, np.float32)
        self.weights = [layer(inputs, hidden), np.zeros(hidden, np.float32), layer(hidden, actions)]
        self.weights.append(np.zeros(actions, np.float32))
        self._means = [np.zeros_like(one) for one in self.weights]
        self._squares = [np.zeros_like(one) for one in self.weights]
        self._steps = 0

    def fit_scale(self, observations: Floats) -> None:
        """Bring large numbers, such as what the cups hold, to the size of the others."""
        self.scale = 1 / np.maximum(1, np.abs(observations).max(axis=0))

    def scores(self, observations: Floats, masks: Bools) -> Floats:
        """A score for every action; what may not be done has the lowest."""
        return self._forward(observations, masks)[2]

    def choose(self, observations: Floats, masks: Bools) -> npt.NDArray[np.int64]:
        """The best action of each row."""
        return np.asarray(self.scores(observations, masks).argmax(axis=1))

    def learn(self, batch: Batch, rate: float) -> float:
        """Make the actions of a batch likelier; how unlikely they were, as the mean of -log p."""
        seen, hidden, scores = self._forward(batch.observations, batch.masks)
        rows = np.arange(len(scores))
        wrong = np.exp(scores - scores.max(axis=1, keepdims=True))
        wrong /= wrong.sum(axis=1, keepdims=True)
        loss = float(-np.log(wrong[rows, batch.actions] + 1e-9).mean())
        wrong[rows, batch.actions] -= 1
        wrong /= len(rows)
        back = (wrong @ self.weights[2].T) * (hidden > 0)
        self._step([seen.T @ back, back.sum(axis=0), hidden.T @ wrong, wrong.sum(axis=0)], rate)
        return loss

    def _forward(self, observations: Floats, masks: Bools) -> tuple[Floats, Floats, Floats]:
        seen = observations * self.scale
        hidden = np.maximum(0, seen @ self.weights[0] + self.weights[1])
        scores = hidden @ self.weights[2] + self.weights[3]
        return seen, hidden, np.where(masks, scores, np.float32(-1e9))

    def _step(self, slopes: list[Floats], rate: float) -> None:
        self._steps += 1
        rate *= np.sqrt(1 - 0.999**self._steps) / (1 - 0.9**self._steps)
        for weight, mean, square, slope in zip(self.weights, self._means, self._squares, slopes, strict=True):
            mean += 0.1 * (slope - mean)
            square += 0.001 * (slope * slope - square)
            weight -= np.float32(rate) * mean / (np.sqrt(square) + 1e-8)


def train(
    corpus: Corpus, batches: int, size: int = 512, hidden: int = 256, rate: float = 2e-3, seed: int = 1
) -> Trained:
    """Learn from so many batches; the rate falls to nothing by the end."""
    network = Network(corpus.layout.size, len(corpus.actions), hidden, seed)
    network.fit_scale(next(corpus.batches(4096, seed=seed, pool=1)).observations)
    losses: list[float] = []
    for batch in islice(_again_and_again(corpus, size, seed), batches):
        losses.append(network.learn(batch, rate * (1 - len(losses) / batches)))
        if len(losses) % max(1, batches // 10) == 0:
            print(f"{len(losses):>6} batches, loss {np.mean(losses[-200:]):.3f}", flush=True)
    return Trained(network, losses)


def _again_and_again(corpus: Corpus, size: int, seed: int) -> Iterator[Batch]:
    while True:
        for seen, masks, actions, returns in corpus.batches(size, seed=seed):
            kept = has_choice(masks)
            yield Batch(seen[kept], masks[kept], actions[kept], returns[kept])
        seed += 1


def has_choice(masks: Bools) -> Bools:
    """In which decisions there is more than one legal action."""
    return np.asarray(masks.sum(axis=1) > 1)


def agreement(network: Network, corpus: Corpus) -> float:
    """How often it would choose what was chosen, among decisions that it has not seen."""
    right, count = 0, 0
    for seen, masks, actions, _ in corpus.batches(4096, part="test", pool=1):
        kept = has_choice(masks)
        right += int((network.choose(seen, masks) == actions)[kept].sum())
        count += int(kept.sum())
    return right / count


def duel(network: Network, rules: Rules, opponents: str, deals: int, seed: int) -> tuple[float, float]:
    """What it gains a deal over a player of the others' level in its place, and half of the 95 % interval."""
    gained = []
    for first in range(0, deals, 1000):
        tables = min(1000, deals - first)
        ours = Learners(rules, tables=tables, seed=seed, first=first, opponents=opponents)
        numbers, places = ours.numbers.copy(), ours.places.copy()
        points, over = np.zeros(tables), np.zeros(tables, np.bool_)
        while not over.all():
            rewards, ended = ours.step(network.choose(ours.observations(), ours.masks()))
            points[ended & ~over] = rewards[ended & ~over]
            over |= ended
        theirs = Deals(rules, deals=tables, seed=seed, first=first)
        theirs.play([POLICIES[opponents]])
        gained.append(points - theirs.net[numbers - first, places])
    together = np.concatenate(gained)
    return float(together.mean()), float(1.96 * together.std(ddof=1) / np.sqrt(len(together)))


def main() -> None:
    """Learn, and play."""
    parser = ArgumentParser(description="Imitate club players, then play against beginners.")
    parser.add_argument("corpus", help="the folder of a corpus")
    parser.add_argument("--batches", type=int, default=4000, help="batches to learn from (4000)")
    parser.add_argument("--deals", type=int, default=20_000, help="deals of the duel (20000)")
    parser.add_argument("--opponents", default="beginner", help="the level to beat (beginner)")
    parser.add_argument("--seed", type=int, default=1, help="of the network and the order of decisions (1)")
    arguments = parser.parse_args()
    corpus = load(arguments.corpus)
    network, _ = train(corpus, arguments.batches, seed=arguments.seed)
    print(
        f"chooses as the players of the corpus in {agreement(network, corpus):.1%} of decisions with a choice"
    )
    gain, half = duel(network, corpus.rules, arguments.opponents, arguments.deals, seed=corpus.plan.seed + 1)
    interval = f"{gain - half:+.2f} to {gain + half:+.2f}"
    print(f"gains {gain:+.2f} points a deal over {arguments.opponents} (95 % interval {interval})")


if __name__ == "__main__":
    main()
