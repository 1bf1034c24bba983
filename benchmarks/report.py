"""What was measured, as Markdown: sections with tables, and the bars that were set with what was reached."""

from __future__ import annotations

import os
import platform
import subprocess
from collections.abc import Iterable, Iterator, Sequence
from datetime import UTC, datetime
from importlib.metadata import PackageNotFoundError, version
from pathlib import Path

from msgspec import Struct

ROOT = Path(__file__).parents[1]
RESULTS = ROOT / "benchmarks" / "results.md"
QUIET = 0.5  # load above which others spoil the figures


class Bar(Struct, frozen=True):
    """Something that is asked for: at least so much, or at most."""

    what: str
    asked: float
    found: float
    unit: str = ""
    most: bool = False  # the less the better

    @property
    def reached(self) -> bool:
        """Whether it is."""
        return self.found <= self.asked if self.most else self.found >= self.asked


class Section(Struct, frozen=True):
    """One topic: some sentences, tables, bars."""

    title: str
    text: str
    tables: tuple[str, ...] = ()
    bars: tuple[Bar, ...] = ()
    limited: str = ""  # what limits it, as far as is known

    def lines(self) -> Iterator[str]:
        """The section as Markdown, without its bars, which stand together with those of the others."""
        yield f"## {self.title}\n"
        yield f"{self.text}\n"
        for table in self.tables:
            yield f"{table}\n"
        if self.limited:
            yield f"**What limits it.** {self.limited}\n"


def table(head: Sequence[str], rows: Iterable[Sequence[object]]) -> str:
    """A table; the first column is words, the others are figures."""
    lines = [_row(head), "|---|" + "---:|" * (len(head) - 1)]
    return "\n".join([*lines, *(_row([figure(cell) for cell in row]) for row in rows)])


def bars_table(bars: Iterable[Bar]) -> str:
    """The bars, and whether they are reached."""
    rows = [
        (
            bar.what,
            f"{'≤' if bar.most else '≥'} {figure(bar.asked)}{bar.unit}",
            f"{figure(bar.found)}{bar.unit}",
            "yes" if bar.reached else "**no**",
        )
        for bar in bars
    ]
    return table(("asked for", "bar", "found", "reached"), rows)


def figure(cell: object) -> str:
    """A number with as many digits as mean something."""
    if isinstance(cell, float):
        if cell == float("inf"):
            return "∞"
        return f"{cell:,.0f}" if cell >= 100 else f"{cell:.3g}"
    return f"{cell:,}" if isinstance(cell, int) else str(cell)


def _row(cells: Sequence[object]) -> str:
    return "| " + " | ".join(map(str, cells)) + " |"


def circumstances(command: str) -> Iterator[str]:
    """When, on what, of which commit and by which command."""
    yield f"- date: {datetime.now(UTC):%Y-%m-%d %H:%M} UTC"
    yield f"- machine: {_processor()}, {_cores()}, {platform.system()} {platform.machine()}"
    yield f"- Python: {platform.python_implementation()} {platform.python_version()}, {_versions()}"
    yield f"- commit: {_git('rev-parse', '--short', 'HEAD') or 'none'}{'-dirty' if changes() else ''}"
    yield f"- command: `{command}`"


def _processor() -> str:
    info = Path("/proc/cpuinfo")
    lines = info.read_text(encoding="utf-8").splitlines() if info.exists() else []
    models = [line.partition(":")[2].strip() for line in lines if line.startswith("model name")]
    return models[0] if models else platform.processor() or "unknown processor"


def load() -> float:
    """How many processes wanted a core in the last minute."""
    return os.getloadavg()[0]


def busy() -> list[str]:
    """A warning, if so much else runs that the figures would tell of it."""
    if (found := load()) <= QUIET:
        return []
    return [f"- **the machine was busy** (load {found:.1f} before the run): rates are lower bounds"]


def changes() -> list[str]:
    """The files that differ from the commit, the report itself not among them."""
    apart = f":!{RESULTS.relative_to(ROOT)}"
    lines = _git("status", "--porcelain", "--untracked-files=no", "--", ".", apart).splitlines()
    return [line.split()[-1] for line in lines]


def _cores() -> str:
    cores = os.cpu_count() or 1
    return "1 core" if cores == 1 else f"{cores} cores"


def _versions() -> str:
    found = []
    for package in ("numpy", "numba", "open-spiel", "rlcard", "endplay"):
        try:
            found.append(f"{package} {version(package)}")
        except PackageNotFoundError:
            found.append(f"no {package}")
    return ", ".join(found)


def _git(*arguments: str) -> str:
    done = subprocess.run(["git", *arguments], cwd=ROOT, capture_output=True, text=True, check=False)
    return done.stdout.strip()
