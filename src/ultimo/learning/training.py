"""A network that learns what each card brings beyond the club's, and the same network in whole numbers.

JAX does the learning, on one thread and in a fixed order, so that the same decisions give the same network on
the same machine.
"""

from __future__ import annotations

import os

os.environ["XLA_FLAGS"] = "--xla_cpu_multi_thread_eigen=false intra_op_parallelism_threads=1"
os.environ["JAX_PLATFORMS"] = "cpu"

from collections.abc import Callable, Iterator, Mapping, Sequence
from typing import Any

import jax
import jax.numpy as jnp
import numpy as np
import numpy.typing as npt
import optax
from msgspec import Struct

from ultimo.kernel.network import MOST

Floats = npt.NDArray[np.float32]
Bits = npt.NDArray[np.int64]
Labels = npt.NDArray[np.int16]
Parameters = dict[str, Any]

POINTS = 20.0  # what the network calls 1
UNKNOWN = -32768  # the label of what is not legal
TYPICAL = 150  # inputs that are on at once
FIRST_WEIGHT, OTHER_WEIGHT = 127, 8191  # the largest in whole numbers
FIRST_TYPICAL, OTHER_TYPICAL = 0.6, 0.4  # weights that are large before they are whole numbers
SURE = 99.9  # so many of a hundred hidden numbers are passed on as they are


class Learning(Struct, frozen=True, kw_only=True, forbid_unknown_fields=True):
    """How a network learns."""

    hidden: tuple[int, int] = (256, 128)
    steps: int = 4000  # 0: nothing is learned, as in a round that tries other margins
    batch: int = 1024
    rate: float = 1e-3
    decay: float = 1e-4
    clip: float = 6.0  # more than so much counts as this, in units of `POINTS`
    seed: int = 1


# --- learning ------------------------------------------------------------------------------------------


def learn(
    how: Learning,
    parts: Sequence[tuple[Bits, Labels]],
    inputs: int,
    begun: Parameters | None = None,
    tell: Callable[[int, float], object] = lambda step, loss: None,
) -> Parameters:
    """Train a network on decisions, from nothing or from another one; `tell` hears of every step."""
    outputs = parts[0][1].shape[1]
    held = begun or _begin(how, inputs, outputs)
    optimizer = optax.chain(
        optax.clip_by_global_norm(1.0),
        optax.adamw(optax.cosine_decay_schedule(how.rate, max(1, how.steps), 0.01), weight_decay=how.decay),
    )
    state = optimizer.init(held)

    def step(held: Parameters, state: Any, on: Any, labels: Any) -> tuple[Parameters, Any, Any]:
        loss, gradient = jax.value_and_grad(_loss)(held, on, labels, how.clip)
        update, state = optimizer.update(gradient, state, held)
        return optax.apply_updates(held, update), state, loss

    fast = jax.jit(step)
    for number, (on, labels) in enumerate(_batches(how, parts, inputs), 1):
        held, state, loss = fast(held, state, on, labels)
        tell(number, float(loss))
    return {name: np.asarray(value) for name, value in held.items()}


def values(held: Parameters, on: Any) -> Any:
    """What a network says of every action, in units of `POINTS`."""
    return _hidden(held, on)[1] @ held["w3"] + held["b3"]


def spread(bits: Bits, inputs: int) -> Floats:
    """Inputs a column each, from a bit each."""
    return np.unpackbits(bits.view(np.uint8), axis=1, count=inputs, bitorder="little").astype(np.float32)


def _begin(how: Learning, inputs: int, outputs: int) -> Parameters:
    keys = jax.random.split(jax.random.PRNGKey(how.seed), 3)
    sizes = (inputs, *how.hidden, outputs)
    made = {}
    for layer, (key, size, following) in enumerate(zip(keys, sizes, sizes[1:], strict=False), 1):
        active = TYPICAL if layer == 1 else size
        last = 0.1 if layer == 3 else 1.0
        made[f"w{layer}"] = jax.random.normal(key, (size, following)) * last * np.sqrt(2 / active)
        made[f"b{layer}"] = jnp.zeros(following)
    return made


def _hidden(held: Parameters, on: Any) -> tuple[Any, Any]:
    first = jax.nn.relu(on @ held["w1"] + held["b1"])
    return first, jax.nn.relu(first @ held["w2"] + held["b2"])


def _loss(held: Parameters, on: Any, labels: Any, clip: float) -> Any:
    known = labels != UNKNOWN
    wanted = jnp.clip(labels / POINTS, -clip, clip)
    errors = jnp.where(known, values(held, on) - wanted, 0.0)
    return jnp.sum(errors * errors) / jnp.sum(known)


def _batches(
    how: Learning, parts: Sequence[tuple[Bits, Labels]], inputs: int
) -> Iterator[tuple[Floats, Floats]]:
    """Decisions in random order, all of them before one comes again."""
    rng = np.random.default_rng(how.seed)
    bits, labels = (np.concatenate(column) for column in zip(*parts, strict=True))
    order, at = rng.permutation(len(bits)), 0
    for _ in range(how.steps):
        if at + how.batch > len(order):
            order, at = rng.permutation(len(bits)), 0
        rows = order[at : at + how.batch]
        at += how.batch
        yield spread(bits[rows], inputs), labels[rows].astype(np.float32)


# --- whole numbers -------------------------------------------------------------------------------------


def whole(held: Parameters, seen: Bits, margins: Sequence[float]) -> tuple[dict[str, Any], list[list[int]]]:
    """A network in whole numbers: sizes and shifts, and its layers. `seen` shows how large sums become.

    What a layer passes on may be scaled by any factor that the next takes back: so each hidden number has
    a scale of its own, by which its weights become as large as they may.
    """
    inputs = held["w1"].shape[0]
    on = spread(seen, inputs)
    scale = FIRST_WEIGHT / np.abs(held["w1"]).max(axis=0)
    first, begun = np.rint(held["w1"] * scale), np.rint(held["b1"] * scale)
    shift, levels = _passed_on(on @ first + begun)
    layers = [_layer(begun + (1 << shift >> 1), first, 1 << 15)]
    shifts = [shift]
    for name, alone in (("2", True), ("3", False)):
        weights = held["w" + name] * (2.0**shift / scale)[:, None]
        most = np.abs(weights).max(axis=0 if alone else None)
        scale = OTHER_WEIGHT / np.broadcast_to(most, weights.shape[1:])
        weights, begun = np.rint(weights * scale), np.rint(held["b" + name] * scale)
        if alone:
            shift, levels = _passed_on(levels @ weights + begun)
            shifts.append(shift)
            begun = begun + (1 << shift >> 1)
        layers.append(_layer(begun, weights, 1 << 31))
    unit = float(scale[0]) / POINTS
    sizes = [inputs, *(held[f"b{layer}"].size for layer in (1, 2, 3))]
    needed = [round(margin * unit) for margin in margins]
    return {"sizes": sizes, "shifts": shifts, "margins": needed, "unit": round(unit)}, layers


def from_whole(head: Mapping[str, Any], layers: Sequence[Sequence[int]]) -> Parameters:
    """The numbers that a network in whole numbers may have been made of: it says the same, but for rounding.

    Their scale is a choice, for what one layer loses of it the next gains.
    """
    sizes, held, scale = head["sizes"], Parameters(), 1.0
    for layer, typical in enumerate((FIRST_TYPICAL, OTHER_TYPICAL, 0.0)):
        begun = np.array(layers[2 * layer], np.float64)
        weights = np.array(layers[2 * layer + 1], np.float64).reshape(sizes[layer], sizes[layer + 1])
        if typical:
            shift = head["shifts"][layer]
            begun -= 1 << shift >> 1
            unit = np.abs(weights).max() * scale / typical
        else:
            shift, unit = 0, head["unit"] * POINTS
        held[f"w{layer + 1}"] = np.asarray(weights * (scale / unit), np.float32)
        held[f"b{layer + 1}"] = np.asarray(begun / unit, np.float32)
        scale = unit / 2.0**shift
    return held


def _passed_on(sums: Floats) -> tuple[int, Floats]:
    """By how many bits sums are made smaller so that nearly all can be passed on; and what is."""
    shift = 0
    while np.percentile(sums[sums > 0], SURE) / 2**shift > MOST:
        shift += 1
    return shift, np.minimum(np.floor(np.maximum(sums, 0) / 2**shift + 0.5), MOST).astype(np.float32)


def _layer(begun: Any, weights: Any, limit: int) -> list[int]:
    if np.abs(begun).max() >= limit:
        raise ValueError("a network whose sums begin too large for whole numbers")
    return [int(number) for number in (*begun, *weights.ravel())]
