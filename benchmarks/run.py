"""Measure everything: `make bench`, or `python -m benchmarks.run [--full] [topic …]`.

Prints what it finds, topic by topic, and the bars at the end. A run of all topics writes one report,
`benchmarks/results.md`, in place of the one before. It is of one commit: with changes that have not been
committed nothing is written, nor measured for it. Nothing that is slow makes it fail.
"""

from __future__ import annotations

import argparse
import shlex
import sys
import time
import traceback
from collections.abc import Iterator, Sequence
from importlib import import_module
from pathlib import Path

from benchmarks.report import RESULTS, Section, bars_table, busy, changes, circumstances, load

TOPICS = (
    "playouts",
    "peers",
    "engines",
    "scaling",
    "cluster",
    "batches",
    "research",
    "solver",
    "tutor",
    "start",
    "tables",
    "attacks",
    "pocket",
)
HEAD = f"""\
# Measured

By `make bench`, in one run: what is compared took turns, and the best turn of each counts. Figures are per
second of one core's time unless they say *by the clock*. Machines are noisy: compare figures of one run, and
rather the ratios. `make bench ARGS=--full` takes longer and looks closer; a topic ({", ".join(TOPICS[:2])},
{", ".join(TOPICS[2:])}) can be measured alone with `make bench ARGS=solver`.
"""


def measured(topic: str, full: bool) -> Section:
    """A topic; if it cannot be measured, why not."""
    try:
        section: Section = import_module(f"benchmarks.{topic}").measure(full)
    except Exception as error:
        traceback.print_exc()
        return Section(topic.capitalize(), f"Not measured: {type(error).__name__}: {error}")
    return section


def document(head: Sequence[str], sections: Sequence[Section]) -> Iterator[str]:
    """The whole text of the results."""
    yield HEAD
    yield from head
    yield "\n## What was asked for\n"
    yield bars_table(bar for section in sections for bar in section.bars)
    yield ""
    for section in sections:
        yield from (line.rstrip("\n") + "\n" for line in section.lines())


def main() -> None:
    """Measure, print, write."""
    parser = argparse.ArgumentParser(
        description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter
    )
    parser.add_argument("topics", nargs="*", metavar="topic", help=", ".join(TOPICS))
    size = parser.add_mutually_exclusive_group()
    size.add_argument("--quick", action="store_true", help="a quarter of an hour (as without it)")
    size.add_argument("--full", action="store_true", help="an hour or two")
    parser.add_argument("--out", type=Path, help="where to write (benchmarks/results.md, if all is measured)")
    given = parser.parse_args()
    if unknown := set(given.topics) - set(TOPICS):
        parser.error(f"there is no topic {' '.join(unknown)}; there are {' '.join(TOPICS)}")
    out = given.out or (None if given.topics else RESULTS)
    if out and (changed := changes()):
        parser.error(f"a report is of one commit; not committed: {', '.join(changed)}")
    head = list(circumstances(shlex.join(["python", "-m", "benchmarks.run", *sys.argv[1:]])))
    before, warning = load(), busy()
    print("\n".join([*head, *warning]), flush=True)
    sections = list[Section]()
    start = time.perf_counter()
    for topic in given.topics or TOPICS:
        began = time.perf_counter()
        sections.append(measured(topic, given.full))
        print("\n" + "\n".join(sections[-1].lines()).rstrip())
        print(f"\n({topic}: {time.perf_counter() - began:.0f} s)", flush=True)
    minutes = (time.perf_counter() - start) / 60
    head.append(f"- the run took {minutes:.0f} minutes; load {before:.1f} before it, {load():.1f} at its end")
    if bars := [bar for section in sections for bar in section.bars]:
        print("\n" + bars_table(bars))
    if out:
        out.write_text("\n".join(document([*head, *warning], sections)).rstrip() + "\n", encoding="utf-8")
        print(f"\nwritten: {out}")


if __name__ == "__main__":
    main()
