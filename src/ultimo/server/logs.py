"""Log lines on standard error: JSON for programs, or text for people.

A line says what happened, where and to which request; never a token, a password, a card or what people say.
"""

from __future__ import annotations

import logging
import sys
import time
from contextlib import suppress
from typing import Any, Final, TextIO, cast

import msgspec
import structlog
from structlog.typing import FilteringBoundLogger, Processor

from ultimo.server.limits import Rarely

LIBRARIES: Final = ("websockets", "sqlalchemy", "alembic", "asyncio")
about: Final = structlog.contextvars.bound_contextvars  # says these values with every line in its block


def configure(level: str, form: str) -> None:
    """Set up the logs of this process, those of the libraries included."""
    lowest = logging.getLevelNamesMapping()[level.upper()]
    shared: list[Processor] = [
        structlog.contextvars.merge_contextvars,
        structlog.processors.add_log_level,
        structlog.processors.TimeStamper(fmt="iso", utc=True, key="at"),
        structlog.processors.format_exc_info,
    ]
    render: Processor = (
        structlog.processors.JSONRenderer(serializer=_encoded)
        if form == "json"
        else structlog.dev.ConsoleRenderer(colors=sys.stderr.isatty())
    )
    structlog.configure(
        processors=[*shared, render],
        wrapper_class=structlog.make_filtering_bound_logger(lowest),
        logger_factory=structlog.PrintLoggerFactory(cast(TextIO, Lossy(sys.stderr))),
        cache_logger_on_first_use=True,
    )
    handler = logging.StreamHandler(sys.stderr)
    handler.addFilter(_Floods())
    handler.setFormatter(structlog.stdlib.ProcessorFormatter(processor=render, foreign_pre_chain=shared))
    logging.basicConfig(handlers=[handler], level=logging.WARNING, force=True)
    for library in LIBRARIES:  # what they find noteworthy about every connection is noise here
        logging.getLogger(library).setLevel(max(lowest, logging.WARNING))
    logging.getLogger("uvicorn").setLevel(logging.ERROR)  # it warns of what comes in, which the server notes


class _Floods(logging.Filter):
    """Lets a library say the same only now and then."""

    def __init__(self) -> None:
        super().__init__()
        self._rarely = Rarely(20, 0.1)

    def filter(self, record: logging.LogRecord) -> bool:
        """Whether a line is written."""
        left_out = self._rarely.left_out(f"{record.name} {record.msg}"[:200], time.monotonic())
        if left_out:
            record.msg = f"{record.msg} ({left_out} more)"
        return left_out is not None


class Lossy:
    """A stream that nobody has to worry about: what cannot be written, on a full disk for one, is lost."""

    def __init__(self, stream: TextIO) -> None:
        self._stream = stream

    def write(self, text: str) -> int:
        """Write if it can be."""
        with suppress(OSError):
            self._stream.write(text)
        return len(text)

    def flush(self) -> None:
        """Let it be seen if it can be."""
        with suppress(OSError):
            self._stream.flush()


def logger() -> FilteringBoundLogger:
    """The log of the server."""
    log: FilteringBoundLogger = structlog.get_logger()
    return log


def _encoded(line: Any, **_: Any) -> str:
    return msgspec.json.encode(line, enc_hook=str).decode()
