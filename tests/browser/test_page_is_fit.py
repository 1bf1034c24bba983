"""The page can be installed, starts without a network, stands still while it is loaded, and is accessible."""

from __future__ import annotations

from pathlib import Path
from urllib.request import urlopen

import pytest
from playwright.sync_api import Browser

from check_page import SHIFTS, checked, moved, unfit
from serving import Serving
from ultimo.server.settings import PAGE

pytestmark = pytest.mark.xdist_group("page_is_fit")


def read(path: str, folder: Path = PAGE) -> bytes | None:
    found = folder / path
    return found.read_bytes() if found.exists() else None


def test_nothing_is_wrong_with_the_page(browser: Browser, server: Serving) -> None:
    assert checked(browser, f"{server.url}/") == []


def test_robots_read_no_table_and_no_sheet(server: Serving) -> None:
    with urlopen(f"{server.url}/robots.txt") as answer:
        assert answer.headers.get_content_type() == "text/plain"
        lines = answer.read().decode().splitlines()
    assert {"User-agent: *", "Disallow: /api/", "Disallow: /t/", "Disallow: /sheets/"} <= set(lines)


def test_wrong_icons_are_noticed(built: None) -> None:
    assert unfit(read) == []
    swapped = {"icon-192.png": "icon-512.png", "icon-maskable.png": "none.png", "icon.svg": "icon-192.png"}
    assert unfit(lambda path: read(swapped.get(path, path))) == [
        "icon.svg is no SVG",
        "icon-192.png has 512x512",
        "icon-maskable.png is not there",
    ]
    assert unfit(lambda _: None) == ["there is no manifest"]


def test_a_page_that_moves_is_noticed(browser: Browser) -> None:
    page = browser.new_page()
    page.add_init_script(SHIFTS)
    page.goto("data:text/html,<p style='height:30vh'></p><p style='height:50vh;background:red'>a</p>")
    page.evaluate("new Promise(done => requestAnimationFrame(() => requestAnimationFrame(done)))")
    assert moved(page) == []
    page.evaluate("document.querySelector('p').style.height = '80vh'")
    page.wait_for_function("window.shifted > 0")
    assert moved(page) != []
    page.close()
