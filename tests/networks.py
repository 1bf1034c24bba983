"""Networks that fail: two namespaces with a cable that can be pulled, and a relay that swallows answers."""

from __future__ import annotations

import ctypes
import os
import shutil
import socket
import subprocess
from collections.abc import Callable, Iterator
from contextlib import contextmanager, suppress
from itertools import count
from threading import Event, Thread
from types import TracebackType

from serving import PATIENCE

NEW_NETWORK = 0x40000000  # CLONE_NEWNET
NEAR, FAR = "10.78.0.1", "10.78.0.2"
_numbers = count(1)


def may_join() -> bool:
    """Whether this process may make network namespaces, as root may where a container does not forbid it."""
    tried = subprocess.run(["unshare", "--net", "true"], capture_output=True, check=False)
    return os.getuid() == 0 and tried.returncode == 0 and shutil.which("ip") is not None


class Cable:
    """A cable between two machines, of which one is at `NEAR` and the other at `FAR`; nobody else is there.

    Pulled, it loses everything without a word, as a machine does that vanishes.
    """

    def __init__(self) -> None:
        number = f"{os.getpid()}-{next(_numbers)}"
        self.near, self.far = f"ultimo-near-{number}", f"ultimo-far-{number}"

    def __enter__(self) -> Cable:
        for name in (self.near, self.far):
            _ip("netns", "add", name)
            _ip("-n", name, "link", "set", "lo", "up")
        ends = ("link", "add", "cable", "type", "veth", "peer", "name", "cable", "netns", self.far)
        _ip("-n", self.near, *ends)
        for name, address in ((self.near, NEAR), (self.far, FAR)):
            _ip("-n", name, "address", "add", f"{address}/24", "dev", "cable")
        self.join()
        return self

    def __exit__(
        self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None
    ) -> None:
        for name in (self.near, self.far):
            _ip("netns", "delete", name)

    def pull(self) -> None:
        """Let nothing through."""
        _ip("-n", self.near, "link", "set", "cable", "down")

    def join(self) -> None:
        """Let everything through again."""
        for name in (self.near, self.far):
            _ip("-n", name, "link", "set", "cable", "up")


@contextmanager
def inside(namespace: str) -> Iterator[None]:
    """Be in a namespace with what is opened here, in this thread alone."""
    libc = ctypes.CDLL(None, use_errno=True)
    with open("/proc/thread-self/ns/net") as home, open(f"/run/netns/{namespace}") as there:
        try:
            assert libc.setns(there.fileno(), NEW_NETWORK) == 0, os.strerror(ctypes.get_errno())
            yield
        finally:
            assert libc.setns(home.fileno(), NEW_NETWORK) == 0, os.strerror(ctypes.get_errno())


def _ip(*arguments: str) -> None:
    subprocess.run(["ip", *arguments], check=True, timeout=PATIENCE)


def postgres_in(folder: str) -> socket.socket:
    """A connection to the PostgreSQL that listens in a folder."""
    connection = socket.socket(socket.AF_UNIX)
    connection.connect(f"{folder}/.s.PGSQL.5432")
    return connection


def server_in(namespace: str, port: int) -> socket.socket:
    """A connection to a server in a namespace."""
    with inside(namespace):
        return socket.create_connection(("127.0.0.1", port))


class Relay:
    """Lets clients reach something under an address of a network; `connect` reaches it.

    It can be told to hold everything back. And it can be told of a text: the transaction of PostgreSQL in
    which that is sent is committed, and its client never hears so.
    """

    def __init__(self, connect: Callable[[], socket.socket], host: str = "127.0.0.1") -> None:
        self._connect = connect
        self._listener = socket.create_server((host, 0))
        self.host, self.port = host, self._listener.getsockname()[1]
        self._marker: bytes | None = None
        self.swallowed = Event()
        self.flowing = Event()
        self.flowing.set()
        self._open: set[socket.socket] = set()
        Thread(target=self._accept, daemon=True).start()

    def swallow(self, marker: str) -> None:
        """Lose the answer to the COMMIT of the next transaction that sends this text."""
        self.swallowed.clear()
        self._marker = marker.encode()

    def close(self) -> None:
        """Let nobody through any more."""
        for one in (self._listener, *self._open):
            _shut(one)

    def _accept(self) -> None:
        with suppress(OSError):
            while True:
                client, _ = self._listener.accept()
                try:
                    server = self._connect()
                except OSError:
                    client.close()
                    continue
                self._open |= {client, server}
                losing = Event()
                for pump in (self._up, self._down):
                    Thread(target=pump, args=(client, server, losing), daemon=True).start()

    def _up(self, client: socket.socket, server: socket.socket, losing: Event) -> None:
        marked = False
        with suppress(OSError):
            while data := client.recv(65536):
                marked = marked or (self._marker is not None and self._marker in data)
                if marked and b"COMMIT\0" in data:
                    self._marker = None
                    losing.set()
                self.flowing.wait()
                server.sendall(data)
        _shut(server)

    def _down(self, client: socket.socket, server: socket.socket, losing: Event) -> None:
        with suppress(OSError):
            while data := server.recv(65536):
                if losing.is_set():
                    self.swallowed.set()
                    break
                self.flowing.wait()
                client.sendall(data)
        _shut(client)
        _shut(server)


def _shut(one: socket.socket) -> None:
    with suppress(OSError):
        one.shutdown(socket.SHUT_RDWR)
    one.close()
