"""Running `ultimo`, and the Python of a page, in the process of a test."""

from __future__ import annotations

import io
import sys
from contextlib import redirect_stdout
from typing import NamedTuple
from unittest import mock

from ultimo.cli.main import main


class Done(NamedTuple):
    """How a command ended, and what it wrote."""

    status: int
    out: str
    err: str


def ultimo(*arguments: object, given: str | bytes = "") -> Done:
    """Run a command with `given` as its standard input."""
    data = given.encode() if isinstance(given, str) else given
    streams = [io.TextIOWrapper(io.BytesIO(some), encoding="utf-8") for some in (data, b"", b"")]
    with (
        mock.patch.object(sys, "stdin", streams[0]),
        mock.patch.object(sys, "stdout", streams[1]),
        mock.patch.object(sys, "stderr", streams[2]),
    ):
        try:
            status = main([str(one) for one in arguments])
        except SystemExit as end:  # argparse
            status = int(end.code or 0)
        for stream in streams[1:]:
            stream.flush()
    out, err = (stream.detach().getvalue().decode() for stream in streams[1:])
    return Done(status, out, err)


def fails(*arguments: object, given: str | bytes = "") -> str:
    """The one line with which a command complains; it ends with status 1 and says nothing else."""
    done = ultimo(*arguments, given=given)
    assert done.status == 1, done
    assert done.out == ""
    assert done.err.startswith("ultimo: ")
    assert done.err.count("\n") == 1
    return done.err.removeprefix("ultimo: ").rstrip("\n")


def python(code: str) -> str:
    """What the Python of a page prints."""
    printed = io.StringIO()
    with redirect_stdout(printed):
        exec(compile(code, "<page>", "exec"), {"__name__": "__main__"})
    return printed.getvalue()
