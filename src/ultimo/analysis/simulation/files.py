"""A file of rows that survives being interrupted: parts, and a state that says which are done.

While a run lasts there are, beside FILE, the folder `FILE.parts` with a part for each chunk that is done, and
`FILE.state` with the plan of the run and what the chunks come to. Each is written elsewhere and put in place
in one step. At the end the parts are joined in order, and FILE appears.
"""

from __future__ import annotations

import json
import shutil
from collections.abc import Iterable, Iterator
from pathlib import Path
from typing import TYPE_CHECKING, Any, Literal, TypeAlias

import msgspec

from ultimo.analysis.runs import Origin, Plan, RunError, decoded, in_one_step, origin, refuse_other
from ultimo.analysis.simulation.rows import Column, arrow_table, json_lines
from ultimo.analysis.statistics import Summary

if TYPE_CHECKING:
    import pyarrow

Form: TypeAlias = Literal["parquet", "jsonl"]
FORMS: dict[str, Form] = {".parquet": "parquet", ".jsonl": "jsonl"}
ROW_GROUP = 100_000  # rows; the same for every run, so that chunks leave no trace
COMPRESSION = "zstd"


class State(Origin):
    """What is in FILE.state."""

    chunk: int
    done: dict[int, int]  # the size of the part of each chunk that is done
    summary: Summary


def form_of(path: Path) -> Form:
    """How a file of rows is written, by the end of its name."""
    if path.suffix not in FORMS:
        raise RunError(f"{path}: rows are written as {' or '.join(FORMS)}")
    return FORMS[path.suffix]


class Checkpoint:
    """A run that writes rows, and how far it has come."""

    def __init__(self, path: Path, state: State) -> None:
        self.path = path
        self.state = state

    @classmethod
    def of(cls, path: Path, plan: Plan, chunk: int) -> Checkpoint:
        """The run of this plan into this file, begun or gone on with; it is not mixed with another."""
        form_of(path)
        fresh = origin(plan)
        found = cls(path, State(fresh.plan, fresh.engine, chunk, {}, Summary()))
        if (file := found._state_file).exists():
            found.state = decoded(str(file), file.read_bytes(), State)
            refuse_other(file, found.state, fresh)
        else:
            shutil.rmtree(found.parts, ignore_errors=True)
        found.parts.mkdir(exist_ok=True)
        return found

    def part(self, number: int) -> Path:
        """The file of the rows of a chunk."""
        return self.parts / part_name(number, form_of(self.path))

    def note(self, number: int, summary: Summary) -> None:
        """A chunk is done and its part in place."""
        self.state.done[number] = self.part(number).stat().st_size
        self.state.summary.add(summary)
        with in_one_step(self._state_file) as out:
            out.write_bytes(msgspec.json.encode(self.state))

    def merge(self, parts: int) -> None:
        """Join the parts in order, and clear up."""
        every = [self.part(number) for number in range(parts)]
        for number, part in enumerate(every):
            if not part.exists() or part.stat().st_size != self.state.done.get(number):
                raise RunError(f"{part}: missing or damaged; delete {self._state_file} to begin the run anew")
        with in_one_step(self.path) as out:
            if form_of(self.path) == "parquet":
                _join_parquet(every, out, self.state.plan)
            else:
                _join_lines(every, out)
        self._state_file.unlink()
        shutil.rmtree(self.parts)

    @property
    def _state_file(self) -> Path:
        return self.path.with_name(self.path.name + ".state")

    @property
    def parts(self) -> Path:
        """The folder of the parts."""
        return self.path.with_name(self.path.name + ".parts")


def part_name(number: int, form: Form) -> str:
    """The name of the part of a chunk."""
    return f"{number:08}.{form}"


def write_part(path: Path, columns: list[Column]) -> None:
    """Write the rows of a chunk."""
    with in_one_step(path) as out:
        if form_of(path) == "parquet":
            import pyarrow.parquet as pq

            pq.write_table(arrow_table(columns, {}), out, compression="lz4")  # read again soon
        else:
            out.write_bytes(json_lines(columns))


def _join_lines(parts: list[Path], out: Path) -> None:
    with out.open("wb") as whole:
        for part in parts:
            with part.open("rb") as piece:
                shutil.copyfileobj(piece, whole, 1 << 20)


def _join_parquet(parts: list[Path], out: Path, about: dict[str, Any]) -> None:
    import pyarrow.parquet as pq

    schema = pq.read_schema(parts[0]).with_metadata({"ultimo": json.dumps(about, sort_keys=True)})
    with pq.ParquetWriter(out, schema, compression=COMPRESSION) as whole:
        for group in _groups(pq.read_table(part, memory_map=False) for part in parts):
            whole.write_table(group.replace_schema_metadata(schema.metadata), row_group_size=ROW_GROUP)


def _groups(tables: Iterable[pyarrow.Table]) -> Iterator[pyarrow.Table]:
    """The same rows, cut into groups of one size."""
    import pyarrow as pa

    waiting: list[pyarrow.Table] = []
    rows = 0
    for table in tables:
        waiting.append(table)
        rows += len(table)
        while rows >= ROW_GROUP:
            together = pa.concat_tables(waiting).combine_chunks()
            yield together.slice(0, ROW_GROUP)
            waiting = [together.slice(ROW_GROUP)]
            rows -= ROW_GROUP
    if rows:
        yield pa.concat_tables(waiting).combine_chunks()
