"""A progress bar for what takes long."""

from __future__ import annotations

import sys
from collections.abc import Callable, Iterator
from contextlib import contextmanager


@contextmanager
def progress(total: int, what: str = "deals") -> Iterator[Callable[[int], None]]:
    """A bar on standard error, if a person is looking and can be shown one; to be told of what is done.

    It shows how much is done, how fast it goes, and how long it will still take.
    """
    if not sys.stderr.isatty():
        yield lambda done: None
        return
    try:
        from rich.console import Console
        from rich.progress import BarColumn, Progress, Task, TextColumn, TimeRemainingColumn
        from rich.text import Text
    except ImportError:
        yield lambda done: None
        return

    class Speed(TextColumn):
        """How many a second."""

        def render(self, task: Task) -> Text:
            speed = task.finished_speed or task.speed
            return Text(f"{speed:,.0f} {what}/s" if speed else "")

    columns = (
        TextColumn("{task.description}"),
        BarColumn(),
        TextColumn("{task.completed:,.0f}/{task.total:,.0f}"),
        Speed(""),
        TimeRemainingColumn(),
    )
    with Progress(*columns, console=Console(stderr=True)) as bar:
        task = bar.add_task(what, total=total)
        yield lambda done: bar.advance(task, done)
