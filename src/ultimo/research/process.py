"""A program at the other end of two pipes: lines go out, lines come back, and nothing it does can stop us.

Whatever goes wrong is a `Failure` with its kind. A program that fails is ended at once, with all that it has
started; none is left behind.
"""

from __future__ import annotations

import os
import select
import signal
import subprocess
import sys
from collections.abc import Sequence
from contextlib import suppress
from pathlib import Path
from time import monotonic
from typing import IO, Final, cast

LONGEST: Final = 1 << 16  # bytes of an answer
LONGEST_WORD: Final = 300  # characters of what is said about a failure
COMPLAINTS: Final = 1 << 20  # bytes that a program may complain of until it answers
TAIL: Final = 4096  # bytes of what a program complains of that are kept
GRACE: Final = 1.0  # seconds for a program to end when it is told to
SHOWN: Final = "-"  # complaints are shown, not written to a file
# Ends a program with all that it has started when whoever started it ends without a word, however that was.
GUARD: Final = ("sh", "-c", 'trap "" HUP INT TERM; read -r _ || kill -s KILL -- "-$0"')


class Failure(Exception):
    """What a program did wrong: the kind of it, and a line that says what."""

    def __init__(self, kind: str, message: str) -> None:
        shown = message[:LONGEST_WORD]
        self.kind = kind
        self.message = "".join(one if one.isprintable() else "\N{REPLACEMENT CHARACTER}" for one in shown)
        super().__init__(self.message)


class Process:
    """A program that runs. `errors` is the file for what it writes to standard error, or `-` to show it."""

    def __init__(self, command: Sequence[str], errors: str | None = None) -> None:
        try:
            self._child = subprocess.Popen(
                list(command),
                stdin=subprocess.PIPE,
                stdout=subprocess.PIPE,
                stderr=subprocess.PIPE,
                bufsize=0,
                start_new_session=True,  # so that Ctrl-C is ours alone, and its own children end with it
            )
        except OSError as error:
            raise Failure("start", f"{command[0]}: {error.strerror}") from error
        self._guard = subprocess.Popen(
            [*GUARD, str(self._child.pid)], stdin=subprocess.PIPE, start_new_session=True
        )
        pipes = (self._child.stdin, self._child.stdout, self._child.stderr)
        self._in, self._out, self._err = cast(tuple[IO[bytes], IO[bytes], IO[bytes]], pipes)
        for pipe in (self._in, self._out, self._err):
            os.set_blocking(pipe.fileno(), False)
        self._errors = errors
        self._unsent, self._unread, self._tail = b"", b"", b""
        self._complained = 0  # bytes since the last answer
        self._open = {self._out.fileno(), self._err.fileno()}

    def tell(self, line: bytes) -> None:
        """Send a line, now or together with the next question."""
        self._unsent += line + b"\n"

    def ask(self, line: bytes, seconds: float) -> bytes:
        """Send a line, and the line that answers it; raises `Failure`."""
        self.tell(line)
        end, self._complained = monotonic() + seconds, 0
        while b"\n" not in self._unread:
            if len(self._unread) > LONGEST:
                raise Failure("flood", f"an answer of more than {LONGEST} bytes")
            if self._complained > COMPLAINTS:
                raise Failure("flood", f"more than {COMPLAINTS} bytes of complaints")
            if (left := end - monotonic()) <= 0:
                raise Failure("late", f"no answer within {seconds:g} s")
            self._exchange(left)
            if self._out.fileno() not in self._open:
                raise Failure("crash", self._last_words())
        answer, _, self._unread = self._unread.partition(b"\n")
        if len(answer) > LONGEST:
            raise Failure("flood", f"an answer of more than {LONGEST} bytes")
        return answer

    def push(self) -> None:
        """Send what can be sent without waiting."""
        self._exchange(0)

    def end(self, goodbye: bytes = b"") -> None:
        """Let it end by itself if there is something to say; then make it end."""
        if self._child.returncode is None and goodbye:
            self.tell(goodbye)
            self._wait_for_end(monotonic() + GRACE)
        self._stop()
        for pipe in (self._in, self._out, self._err):
            with suppress(OSError):
                pipe.close()

    def _wait_for_end(self, last: float) -> None:
        """Send all that is left to say and nothing more, until its answers end or the time is up."""
        while self._out.fileno() in self._open and (left := last - monotonic()) > 0:
            if not self._unsent:
                self._in.close()
            self._exchange(left)
            self._unread = b""

    def _stop(self) -> int:
        """End it with all that it has started; how it ended."""
        if self._child.returncode is not None:
            return self._child.returncode
        with suppress(ProcessLookupError):
            os.killpg(self._child.pid, signal.SIGKILL)  # before it is waited for: the number is still its own
        status = self._child.wait()
        self._guard.communicate(b"\n")
        if self._err.fileno() in self._open:  # what it complained of at last: as much as a pipe holds
            self._complain(self._read(self._err.fileno()))
        return status

    def _exchange(self, seconds: float) -> None:
        """Wait for something to move in the pipes, and let it."""
        poll = select.poll()
        for number in self._open:
            poll.register(number, select.POLLIN)
        if self._unsent:
            poll.register(self._in.fileno(), select.POLLOUT)
        for number, _ in poll.poll(seconds * 1000):
            if number == self._out.fileno():
                self._unread += self._read(number)
            elif number == self._err.fileno():
                self._complain(self._read(number))
            else:
                self._send()

    def _send(self) -> None:
        try:
            self._unsent = self._unsent[os.write(self._in.fileno(), self._unsent) :]
        except BlockingIOError:
            pass
        except BrokenPipeError:  # it reads no more: that its answers end, too, is seen at once
            self._unsent = b""
            self._open.discard(self._out.fileno())

    def _read(self, number: int) -> bytes:
        try:
            found = os.read(number, LONGEST)
        except BlockingIOError:
            return b""
        if not found:
            self._open.discard(number)
        return found

    def _complain(self, found: bytes) -> None:
        self._tail = (self._tail + found)[-TAIL:]
        self._complained += len(found)
        if self._errors == SHOWN:
            print(found.decode(errors="replace"), end="", file=sys.stderr, flush=True)
        elif self._errors is not None:
            with Path(self._errors).open("ab", buffering=0) as file:
                file.write(found)

    def _last_words(self) -> str:
        """How it ended, and the last line of what it complained of."""
        status = self._stop()
        lines = [line for line in self._tail.decode(errors="replace").splitlines() if line.strip()]
        told = f"it ended with status {status}" if status >= 0 else f"it ended by signal {-status}"
        return f"{told}: {lines[-1].strip()}" if lines else told
