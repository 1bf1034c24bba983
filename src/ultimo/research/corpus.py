"""Reading a corpus of decisions: as arrays, or as shuffled batches for learning.

    for batch in load(folder).batches(1024, seed=1, part="train"):
        learn(batch.observations, batch.masks, batch.actions, batch.returns)

Whatever is read stays packed until it is asked for. `part` splits by deal: no deal is in both parts, and
which part it is in depends on its number alone.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from pathlib import Path
from typing import Any, Literal, NamedTuple, TypeAlias

import numpy as np
import numpy.typing as npt

from ultimo.analysis.runs import RunError, rules_of
from ultimo.kernel.dice import GOLDEN, mixed
from ultimo.kernel.jit import Ints
from ultimo.research import actions
from ultimo.research.card import columns_of
from ultimo.research.danish import Floats
from ultimo.research.dataset import DEALS, DECISIONS, file_of, manifest_of, plan_of
from ultimo.research.decisions import NOTES, SET, Bytes, Small
from ultimo.research.layout import CARDS, Layout
from ultimo.research.observing import layout_of
from ultimo.rulebook import DanishRules

Part: TypeAlias = Literal["all", "train", "test"]

TEST = 0.05  # the share of the deals that is kept for testing, if nothing is said
POOL = 4  # shards that are shuffled together


class Batch(NamedTuple):
    """Decisions ready to learn from, a row each."""

    observations: Floats
    masks: npt.NDArray[np.bool_]
    actions: Ints
    returns: Floats


class Decisions(NamedTuple):
    """Decisions as they lie in the files, a row each."""

    layout: Layout
    actions: int  # how many there are
    notes: dict[str, Ints]  # `NOTES`, and the level by its number
    planes: Bytes  # packed
    numbers: Small
    packed_masks: Bytes

    @property
    def rows(self) -> int:
        """How many decisions there are."""
        return len(self.planes)

    def take(self, rows: npt.NDArray[Any]) -> Decisions:
        """Some of them."""
        notes = {name: values[rows] for name, values in self.notes.items()}
        packed = self.planes[rows], self.numbers[rows], self.packed_masks[rows]
        return Decisions(self.layout, self.actions, notes, *packed)

    def observations(self) -> Floats:
        """What was observed, exactly as `observing.observations` gives it."""
        seen = np.empty((self.rows, self.layout.size), np.float32)
        sets = self.planes.reshape(self.rows, self.layout.planes, SET)
        flat = np.unpackbits(sets, axis=-1, count=CARDS, bitorder="little")
        seen[:, : self.layout.planes * CARDS] = flat.reshape(self.rows, -1)
        seen[:, self.layout.planes * CARDS :] = self.numbers
        return seen

    def masks(self) -> npt.NDArray[np.bool_]:
        """What could be done."""
        flat = np.unpackbits(self.packed_masks, axis=-1, count=self.actions, bitorder="little")
        return flat.view(np.bool_)

    def batch(self) -> Batch:
        """All that a learner needs."""
        returns = self.notes["return"].astype(np.float32)
        return Batch(self.observations(), self.masks(), self.notes["action"], returns)


class Logs(NamedTuple):
    """Everything public of deals, as tokens: those of deal `first + i` end where `ends[i]` says."""

    first: int
    places: int
    vocabulary: int
    tokens: Ints  # place times vocabulary, plus the word
    ends: Ints

    def read(self, deal: int, place: int = 0, heard: int | None = None) -> Ints:
        """What a place has heard of a deal, or its first `heard` tokens, counted from the reader on."""
        row = deal - self.first
        start = self.ends[row - 1] if row else 0
        said = self.tokens[start : self.ends[row]][:heard]
        speaker, word = np.divmod(said, self.vocabulary)
        return (speaker - place) % self.places * self.vocabulary + word


def load(folder: str | Path, test: float = TEST) -> Corpus:
    """A corpus that is complete; `test` is the share of its deals that is kept for testing."""
    return Corpus(Path(folder), test)


class Corpus:
    """The decisions of a folder."""

    def __init__(self, folder: Path, test: float = TEST) -> None:
        self.folder, self.test, self.manifest = folder, test, manifest_of(folder)
        self.plan = plan_of(self.manifest)
        self.rules = rules_of(self.plan)
        self.layout = layout_of(self.rules)
        self.actions = actions.names(isinstance(self.rules, DanishRules))
        self.levels = tuple(sorted(set(self.plan.players)))
        if not self.manifest.shards:
            raise RunError(f"{folder}: not finished; the same command goes on with it")
        if (self.manifest.layout, self.manifest.actions) != (self.layout, self.actions):
            raise RunError(f"{folder}: written for other observations or actions than this program has")

    def __len__(self) -> int:
        return sum(shard.decisions.rows for shard in self.manifest.shards)

    def shard(self, number: int) -> Decisions:
        """The decisions of a shard."""
        import pyarrow.parquet as pq

        table = pq.read_table(file_of(self.folder, DECISIONS, number), memory_map=False)
        notes = {name: table[name].to_numpy().astype(np.int64) for name in NOTES}
        levels = table["level"].combine_chunks().indices
        notes["level"] = levels.to_numpy().astype(np.int64)
        sets = [_bytes(table[columns_of(field)[0]]) for field in self.layout.fields if field.cards]
        names = [name for field in self.layout.fields if not field.cards for name in columns_of(field)]
        numbers = np.empty((len(table), len(names)), np.int32)
        for one, name in enumerate(names):
            numbers[:, one] = table[name].to_numpy()
        planes = np.concatenate(sets, axis=1)
        return Decisions(self.layout, len(self.actions), notes, planes, numbers, _bytes(table["mask"]))

    def logs(self, number: int) -> Logs:
        """Everything public of the deals of a shard."""
        import pyarrow.parquet as pq

        table = pq.read_table(file_of(self.folder, DEALS, number), columns=["tokens"])
        lists = table["tokens"].combine_chunks()
        places = 3 if isinstance(self.rules, DanishRules) else self.plan.table
        tokens, ends = lists.values.to_numpy().astype(np.int64), lists.offsets.to_numpy()[1:]
        return Logs(number * self.plan.shard, places, self.manifest.vocabulary, tokens, ends)

    def arrays(self, part: Part = "all", levels: Sequence[str] | None = None) -> Decisions:
        """All decisions at once, packed: some 250 bytes each."""
        return _together([self._part(number, part, levels) for number in range(self.plan.shards)])

    def batches(
        self,
        size: int,
        *,
        seed: int = 0,
        part: Part = "train",
        levels: Sequence[str] | None = None,
        shards: Sequence[int] | None = None,
        pool: int = POOL,
    ) -> Iterator[Batch]:
        """All decisions once, by shards in random order of which `pool` are shuffled together.

        Give each pass another seed. `levels` keeps the decisions of some players alone; `shards` reads some
        files alone, where several processes share the work.
        """
        rng = np.random.default_rng(seed)
        order = rng.permutation(
            np.arange(self.plan.shards) if shards is None else np.asarray(shards, np.int64)
        ).tolist()
        for start in range(0, len(order), pool):
            some = _together([self._part(number, part, levels) for number in order[start : start + pool]])
            rows = rng.permutation(some.rows)
            for spot in range(0, len(rows), size):
                yield some.take(rows[spot : spot + size]).batch()

    def _part(self, number: int, part: Part, levels: Sequence[str] | None) -> Decisions:
        found = self.shard(number)
        kept = np.ones(found.rows, np.bool_)
        if part != "all":
            kept &= is_test(found.notes["deal"], self.test) == (part == "test")
        if levels is not None:
            kept &= np.isin(found.notes["level"], [self.levels.index(level) for level in levels])
        return found if kept.all() else found.take(kept)


def is_test(deals: Ints, share: float) -> npt.NDArray[np.bool_]:
    """Which deals are kept for testing.

    >>> np.flatnonzero(is_test(np.arange(60), 0.05)).tolist()
    [10, 21, 48]
    """
    words: Any = deals.astype(np.uint64) + np.uint64(GOLDEN)
    return np.asarray(mixed(words) >> np.uint64(11)) < share * (1 << 53)


def _bytes(column: Any) -> Bytes:
    """A column of bytes as an array."""
    array = column.combine_chunks()
    return np.frombuffer(array.buffers()[1], np.uint8).reshape(len(array), array.type.byte_width)


def _together(some: list[Decisions]) -> Decisions:
    if len(some) == 1:
        return some[0]
    notes = {name: np.concatenate([one.notes[name] for one in some]) for name in some[0].notes}
    packed = (
        np.concatenate([getattr(one, name) for one in some]) for name in ("planes", "numbers", "packed_masks")
    )
    return Decisions(some[0].layout, some[0].actions, notes, *packed)
