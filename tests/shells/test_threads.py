"""What several threads of the server may do at the same time."""

from __future__ import annotations

import subprocess
import sys

AT_ONCE = """
import sys, threading
from ultimo import rulebook
sys.setswitchinterval(1e-6)
together = threading.Barrier(4)
def read(book):
    together.wait()
    rulebook.load(book)
readers = [threading.Thread(target=read, args=(book,)) for book in ("dtf", "jensen", "french4", "basta")]
for reader in readers: reader.start()
for reader in readers: reader.join()
print("read")
"""


def test_threads_may_be_the_first_to_read_rulebooks_together() -> None:
    """A process crashed when two requests were the first to read a book."""
    for _ in range(4):
        done = subprocess.run([sys.executable, "-c", AT_ONCE], capture_output=True, text=True, check=False)
        assert (done.returncode, done.stdout) == (0, "read\n")
