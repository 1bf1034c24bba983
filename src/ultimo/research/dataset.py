"""A corpus of decisions on disk: shards of Parquet, a manifest and a card, all decided by a plan.

A folder holds, for each shard, `decisions/N.parquet` (a row a decision) and `deals/N.parquet` (a row a deal,
as `ultimo simulate --rows` writes it, with everything public as tokens). `dataset.json` says what the run was
and, when it is over, what each shard comes to; `README.md` describes the columns.

A shard is a function of the plan and its number. Its files are put in place in one step, so that a file that
is there is whole: a run that was interrupted goes on where it stopped.
"""

from __future__ import annotations

import hashlib
import json
from collections.abc import Sequence
from importlib.metadata import version
from itertools import chain
from pathlib import Path
from typing import TYPE_CHECKING, Final

import msgspec
import numpy as np
import numpy.typing as npt
from msgspec import Struct

from ultimo.analysis import runs
from ultimo.analysis.executing import Executor, Here
from ultimo.analysis.runs import Advance, RunError, decoded, in_one_step, refuse_other, rules_of
from ultimo.analysis.simulation import rows as simulation_rows
from ultimo.analysis.simulation import run as simulation
from ultimo.analysis.simulation.files import COMPRESSION
from ultimo.kernel.jit import COMPILED
from ultimo.kernel.policy import POLICIES
from ultimo.research import actions, card
from ultimo.research.card import columns_of
from ultimo.research.decisions import ACTION, DEAL, DECISION, HEARD, PLACE, RETURN, SEAT, SET, Played, play
from ultimo.research.history import vocabulary
from ultimo.research.layout import Layout
from ultimo.research.observing import layout_of
from ultimo.rulebook import DanishRules, Rules

if TYPE_CHECKING:
    import pyarrow

FORMAT: Final = 1  # of the files: other columns are another format
SHARD: Final = 2_000 if COMPILED else 20  # deals: some 160,000 decisions, 100 MB of memory and 5 MB on disk
MANIFEST, CARD = "dataset.json", "README.md"
DECISIONS, DEALS = "decisions", "deals"


class Plan(simulation.Plan, frozen=True, kw_only=True):
    """All that decides the bytes of a corpus."""

    sample: int  # one decision in so many is kept
    shard: int  # deals a shard
    layout: str  # family and version
    format: int

    @property
    def shards(self) -> int:
        """How many shards there are."""
        return -(-self.deals // self.shard)


class File(Struct, frozen=True):
    """A file of a shard."""

    rows: int
    bytes: int
    sha256: str


class Shard(Struct, frozen=True):
    """What a shard comes to."""

    number: int
    first: int  # deal
    decisions: File
    deals: File


class Manifest(runs.Origin):
    """What is in `dataset.json`; `shards` is empty until all are done."""

    layout: Layout
    actions: tuple[str, ...]
    vocabulary: int  # of the tokens
    pyarrow: str  # the version that has written the files
    shards: tuple[Shard, ...] = ()


class Job(Struct, frozen=True):
    """A shard that is to be played."""

    plan: Plan
    number: int


def plan(
    rules: Rules,
    *,
    table: int | None = None,
    seed: int = 1,
    deals: int,
    length: int | None = None,
    players: Sequence[str] = ("club",),
    sample: int = 1,
    shard: int = SHARD,
) -> Plan:
    """A plan that can be done; raises as `simulation.plan` does. A shard holds whole sessions."""
    if table is None:
        table = len(players) if len(players) > 1 else min(rules.sizes)
    made = simulation.plan(rules, table=table, seed=seed, deals=deals, length=length, players=players)
    layout = layout_of(rules)
    return Plan(
        **msgspec.structs.asdict(made),
        sample=sample,
        shard=max(1, shard // made.length) * made.length,
        layout=f"{layout.family} {layout.version}",
        format=FORMAT,
    )


def run(
    made: Plan, folder: Path, *, on: Executor | None = None, advance: Advance = lambda deals: None
) -> Manifest:
    """Write all shards of a plan that are not there yet, then the manifest and the card."""
    folder.mkdir(parents=True, exist_ok=True)
    manifest = _begun(made, folder)
    there = [number for number in range(made.shards) if _is_there(made, number, folder)]
    missing = (Job(made, number) for number in range(made.shards) if number not in there)
    kept = (_told(made, number, folder) for number in there)
    done = []
    for shard in chain(kept, (on or Here()).files(do, missing, folder)):
        done.append(shard)
        advance(shard.deals.rows)
    manifest.shards = tuple(sorted(done, key=lambda shard: shard.number))
    _write(folder / CARD, card.text(made, manifest).encode())
    _write(folder / MANIFEST, _encoded(manifest))
    return manifest


def do(job: Job, folder: Path) -> Shard:
    """Play a shard and put its files into a folder; what it comes to."""
    for kind, table in shard(job.plan, job.number).items():
        path = file_of(folder, kind, job.number)
        path.parent.mkdir(exist_ok=True)
        _write_table(path, table)
    return _told(job.plan, job.number, folder)


def shard(made: Plan, number: int) -> dict[str, pyarrow.Table]:
    """The decisions and the deals of a shard: nothing but the plan and its number decides them."""
    rules, first = rules_of(made), number * made.shard
    played = play(
        rules,
        table=made.table,
        seed=made.seed,
        first=first,
        deals=min(made.shard, made.deals - first),
        length=made.length,
        policies=[POLICIES[player] for player in made.players],
        sample=made.sample,
    )
    return {DECISIONS: _decisions(made, number, played), DEALS: _deals(made, number, played)}


def file_of(folder: Path, kind: str, number: int) -> Path:
    """The file of a shard."""
    return folder / kind / f"{number:06}.parquet"


def manifest_of(folder: Path) -> Manifest:
    """The manifest of a folder."""
    file = folder / MANIFEST
    if not file.exists():
        raise RunError(f"{file}: there is no such file; `ultimo dataset` writes it")
    return decoded(str(file), file.read_bytes(), Manifest)


def plan_of(manifest: Manifest) -> Plan:
    """The plan of a manifest."""
    return msgspec.convert(manifest.plan, Plan)


# --- columns -------------------------------------------------------------------------------------------


def _decisions(made: Plan, number: int, played: Played) -> pyarrow.Table:
    import pyarrow as pa

    layout, notes = layout_of(rules_of(made)), played.notes
    levels = pa.array(sorted(set(made.players)))
    by_seat = np.searchsorted(sorted(set(made.players)), made.players).astype(np.int8)
    columns = {
        "deal": pa.array(notes[:, DEAL].astype(np.int64)),
        "decision": pa.array(notes[:, DECISION].astype(np.int16)),
        "seat": pa.array(notes[:, SEAT].astype(np.int8)),
        "place": pa.array(notes[:, PLACE].astype(np.int8)),
        "level": pa.DictionaryArray.from_arrays(pa.array(by_seat[notes[:, SEAT]]), levels),
        "action": pa.array(notes[:, ACTION].astype(np.int16)),
        "return": pa.array(notes[:, RETURN]),
        "heard": pa.array(notes[:, HEARD].astype(np.int16)),
        "mask": _binary(played.masks),
    }
    sets = [field for field in layout.fields if field.cards]
    spot = 0
    for field in sets:
        width = SET * field.times
        columns[columns_of(field)[0]] = _binary(played.planes[:, spot : spot + width])
        spot += width
    names = [name for field in layout.fields if not field.cards for name in columns_of(field)]
    for one, name in enumerate(names):
        columns[name] = pa.array(np.ascontiguousarray(played.numbers[:, one]))
    return pa.table(columns).replace_schema_metadata(_about(made, number))


def _binary(packed: npt.NDArray[np.uint8]) -> pyarrow.Array:
    import pyarrow as pa

    rows, width = packed.shape
    held = pa.py_buffer(np.ascontiguousarray(packed))
    return pa.FixedSizeBinaryArray.from_buffers(pa.binary(width), rows, [None, held])


def _deals(made: Plan, number: int, played: Played) -> pyarrow.Table:
    import pyarrow as pa

    table = simulation_rows.arrow_table(simulation_rows.columns(rules_of(made), made.table, played.deals), {})
    offsets = pa.array(np.concatenate([[0], played.ends]).astype(np.int32))
    tokens = pa.ListArray.from_arrays(offsets, pa.array(played.words.astype(np.int16)))
    return table.append_column("tokens", tokens).replace_schema_metadata(_about(made, number))


# --- files ---------------------------------------------------------------------------------------------


def _about(made: Plan, number: int) -> dict[str, str]:
    """What a file says of itself."""
    told = {"plan": msgspec.to_builtins(made), "engine": runs.engine(), "shard": number}
    return {"ultimo": json.dumps(told, sort_keys=True)}


def _is_there(made: Plan, number: int, folder: Path) -> bool:
    """Whether the files of a shard are there."""
    import pyarrow as pa
    import pyarrow.parquet as pq

    about = _about(made, number)["ultimo"].encode()
    try:
        found = [
            pq.read_metadata(file_of(folder, kind, number)).metadata or {} for kind in (DECISIONS, DEALS)
        ]
    except (FileNotFoundError, pa.ArrowInvalid):
        return False
    return all(one.get(b"ultimo") == about for one in found)


def _write_table(path: Path, table: pyarrow.Table) -> None:
    import pyarrow as pa
    import pyarrow.parquet as pq

    few = [field.name for field in table.schema if not pa.types.is_fixed_size_binary(field.type)]
    with in_one_step(path) as out:
        pq.write_table(
            table,
            out,
            compression=COMPRESSION,
            use_dictionary=[f"{name}.list.element" if name == "tokens" else name for name in few],
            write_statistics=few,
            row_group_size=max(1, len(table)),
        )


def _told(made: Plan, number: int, folder: Path) -> Shard:
    """What a shard comes to, by its files."""
    decisions, deals = (_file(file_of(folder, kind, number)) for kind in (DECISIONS, DEALS))
    return Shard(number, number * made.shard, decisions, deals)


def _file(path: Path) -> File:
    import pyarrow.parquet as pq

    with path.open("rb") as file:
        digest = hashlib.file_digest(file, "sha256").hexdigest()
    return File(pq.read_metadata(path).num_rows, path.stat().st_size, digest)


def _begun(made: Plan, folder: Path) -> Manifest:
    """The manifest of a run as it begins; a folder is not mixed with another run."""
    rules, begun = rules_of(made), runs.origin(made)
    fresh = Manifest(
        begun.plan,
        begun.engine,
        layout_of(rules),
        actions.names(isinstance(rules, DanishRules)),
        vocabulary(rules),
        version("pyarrow"),
    )
    if (file := folder / MANIFEST).exists():
        refuse_other(file, manifest_of(folder), begun)
    else:
        _write(file, _encoded(fresh))
    return fresh


def _encoded(manifest: Manifest) -> bytes:
    return msgspec.json.format(msgspec.json.encode(manifest), indent=1) + b"\n"


def _write(path: Path, text: bytes) -> None:
    with in_one_step(path) as out:
        out.write_bytes(text)
