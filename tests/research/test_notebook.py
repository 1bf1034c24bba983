"""The notebook of the examples runs, and shows what it prints."""

from __future__ import annotations

from concurrent.futures import ThreadPoolExecutor
from pathlib import Path

import write_notebook


def test_the_notebook_prints_what_it_shows(tmp_path: Path) -> None:
    """If this fails: python tools/write_notebook.py"""
    with ThreadPoolExecutor(1) as thread:  # a browser may have the event loop of this one
        done = thread.submit(write_notebook.executed, tmp_path).result()
    printed = write_notebook.printed(done)
    assert printed == write_notebook.printed(write_notebook.stored())
    owl, *others = [float(line.split()[1]) for line in printed[-1].splitlines()]
    assert owl < 0 < min(others)
    assert "78 decisions" in printed[2]
