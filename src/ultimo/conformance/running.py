"""The line protocol: answering requests, and asking a program.

A program reads one request a line and answers each with one line. One that crashes, keeps silent or talks
nonsense is told so, started anew and asked the next question; after a few such failures in a row it is left.
"""

from __future__ import annotations

import subprocess
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from contextlib import suppress
from queue import Empty, Full, Queue
from tempfile import TemporaryFile
from threading import Thread
from typing import IO, Any, Literal, TypeAlias

import msgspec
from msgspec import Struct

from ultimo.conformance.notation import Unreadable
from ultimo.conformance.plain import Unsupported, Wrong
from ultimo.conformance.suite import Vector, difference
from ultimo.rulebook import RulebookError, Rules, load

Answering: TypeAlias = Callable[[str, Rules, Mapping[str, Any]], dict[str, Any]]
LONGEST = 1_000_000  # characters of an answer
AHEAD = 16  # lines that a program may have written without being read
FAILURES = 3  # in a row, after which a program is left
LAST_WORDS = 400  # characters of what a program that ended wrote to its standard error


class Request(Struct, frozen=True):
    """A question of the protocol."""

    id: str
    kind: str
    rules: str
    input: dict[str, Any]
    overrides: dict[str, Any] = {}


# --- answering -------------------------------------------------------------------------------------------


def serve(answering: Answering, questions: Iterable[str | bytes], say: Callable[[str], None]) -> None:
    """Answer each line."""
    for line in questions:
        if line.strip():
            say(msgspec.json.encode(reply(answering, line)).decode() + "\n")


def reply(answering: Answering, line: str | bytes) -> dict[str, Any]:
    """The answer to one line, whatever is in it."""
    try:
        asked = msgspec.json.decode(line, type=Request)
    except (msgspec.DecodeError, UnicodeDecodeError, RecursionError) as error:
        return {"id": None, "error": {"key": "notARequest", "reason": str(error)}}
    try:
        found = answering(asked.kind, load(asked.rules, asked.overrides), asked.input)
    except Wrong as wrong:
        return {"id": asked.id, "error": wrong.error}
    except Unsupported:
        return {"id": asked.id, "unsupported": True}
    except RulebookError as error:
        return {"id": asked.id, "error": {"key": "unusableRules", "reason": str(error)}}
    except (Unreadable, ValueError, KeyError, IndexError, TypeError, AttributeError) as error:
        return {"id": asked.id, "error": {"key": "notARequest", "reason": repr(error)}}
    return {"id": asked.id, "answer": found}


# --- asking ----------------------------------------------------------------------------------------------


class Verdict(Struct, frozen=True):
    """What a program made of a vector; `why` it failed, if it did."""

    vector: Vector
    status: Literal["passed", "failed", "unsupported"]
    why: str = ""


class Failure(Exception):
    """A program that gave no answer."""


class Engine:
    """A program that is asked line by line; it is started when it is first asked."""

    def __init__(self, command: Sequence[str], timeout: float) -> None:
        self.command, self.timeout = command, timeout
        self._process: subprocess.Popen[str] | None = None
        self._said: Queue[str | None] = Queue(AHEAD)
        self._errors: IO[bytes] | None = None

    def ask(self, question: str) -> str:
        """The line with which the program answers."""
        process = self._process or self._start()
        assert process.stdin is not None
        try:
            process.stdin.write(question + "\n")
            process.stdin.flush()
        except (BrokenPipeError, OSError):
            raise self._ended() from None
        try:
            said = self._said.get(timeout=self.timeout)
        except Empty:
            self.stop()
            raise Failure(f"no answer within {self.timeout:g} seconds") from None
        if said is None:
            raise self._ended()
        if len(said) >= LONGEST:
            self.stop()
            raise Failure(f"an answer of more than {LONGEST:,} characters")
        return said

    def _start(self) -> subprocess.Popen[str]:
        self._errors = TemporaryFile()  # noqa: SIM115 - `stop` closes it
        try:
            self._process = subprocess.Popen(
                self.command,
                stdin=subprocess.PIPE,
                stdout=subprocess.PIPE,
                stderr=self._errors,
                encoding="utf-8",
                errors="replace",
            )
        except OSError as error:
            self._errors.close()
            self._errors = None
            raise Failure(f"the program cannot be started: {error.strerror or error}") from error
        self._said = Queue(AHEAD)
        assert self._process.stdout is not None
        Thread(target=_listen, args=(self._process, self._process.stdout, self._said), daemon=True).start()
        return self._process

    def _ended(self) -> Failure:
        """The program is gone: how it ended, and its last words."""
        process, words = self._process, ""
        assert process is not None
        try:
            status: int | None = process.wait(timeout=self.timeout)
        except subprocess.TimeoutExpired:
            status = None  # it has only closed its output
        if self._errors is not None:
            self._errors.seek(0)
            words = self._errors.read().decode(errors="replace").strip()[-LAST_WORDS:]
        self.stop()
        how = "the program closed its output" if status is None else f"the program ended with status {status}"
        return Failure(f"{how}: {words.splitlines()[-1]}" if words else how)

    def stop(self) -> None:
        """End the program, if it runs."""
        process, self._process = self._process, None
        if process is not None:
            process.kill()
            process.wait()
            for stream in (process.stdin, self._errors):
                if stream is not None:
                    _close(stream)
            self._errors = None


def _close(stream: IO[Any]) -> None:
    with suppress(OSError):  # of what could not be written any more
        stream.close()


def _listen(process: subprocess.Popen[str], stream: IO[str], said: Queue[str | None]) -> None:
    """Put what a program says where it is read, until it ends; one that says too much has to wait."""
    while line := stream.readline(LONGEST):
        while True:
            try:
                said.put(line, timeout=1)
                break
            except Full:
                if process.poll() is not None:
                    _close(stream)
                    return
    said.put(None)
    _close(stream)


def run(vectors: Iterable[Vector], engine: Engine) -> Iterator[Verdict]:
    """Ask a program everything."""
    failures, left = 0, ""
    try:
        for vector in vectors:
            if left:
                yield Verdict(vector, "failed", left)
                continue
            try:
                said = engine.ask(msgspec.json.encode(vector.request()).decode())
                failures = 0
                yield judged(vector, said)
            except Failure as failure:
                failures += 1
                yield Verdict(vector, "failed", str(failure))
                if failures == FAILURES:
                    left = f"not asked, after {FAILURES} failures in a row"
    finally:
        engine.stop()


def judged(vector: Vector, said: str) -> Verdict:
    """What a line comes to as the answer to a vector."""
    try:
        given = msgspec.json.decode(said)
    except (msgspec.DecodeError, RecursionError, ValueError):
        return Verdict(vector, "failed", f"nonsense: not JSON: {said.strip()[:80]!r}")
    if not isinstance(given, dict) or given.get("id") != vector.id:
        found = given.get("id") if isinstance(given, dict) else given
        return Verdict(vector, "failed", f"nonsense: an answer to {str(found)[:80]!r}, not to {vector.id!r}")
    if given.get("unsupported") is True:
        return Verdict(vector, "unsupported")
    if ("answer" in given) == ("error" in given):
        return Verdict(vector, "failed", "nonsense: neither an answer nor an error, or both")
    why = difference(vector, given)
    return Verdict(vector, "passed") if why is None else Verdict(vector, "failed", why)
