"""Chromium as the system has it."""

from __future__ import annotations

import shutil
from collections.abc import Iterator
from contextlib import contextmanager

from playwright.sync_api import Browser, sync_playwright

NAMES = ("chromium-headless-shell", "chromium", "chromium-browser", "google-chrome")
PLAIN = "ultimo.test"  # this machine by a name where browsers take plain http for insecure
FLAGS = (
    *("--no-sandbox", "--disable-gpu", "--disable-background-networking", "--no-first-run"),
    f"--host-resolver-rules=MAP {PLAIN} 127.0.0.1",
)


class NoChromium(RuntimeError):
    """There is no browser to test with."""


@contextmanager
def chromium() -> Iterator[Browser]:
    """A browser without a window."""
    program = next(filter(None, map(shutil.which, NAMES)), None)
    if program is None:
        raise NoChromium("there is no Chromium on this machine: apt-get install chromium")
    with sync_playwright() as playwright:
        browser = playwright.chromium.launch(executable_path=program, args=list(FLAGS))
        yield browser
        browser.close()
