"""Check a built page as a browser does before it offers to install it, and as people do who wait for it.

    python tools/check_page.py                         # the page of this checkout, with a server of its own
    python tools/check_page.py http://localhost:8001   # any other, such as a folder on a host

It looks at the manifest and its icons, the service worker, a start without a network, accessibility, and
whether anything moves while the page is loaded, on a phone and on a screen, and says what is wrong.
"""

from __future__ import annotations

import argparse
import struct
import sys
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from pathlib import Path
from tempfile import TemporaryDirectory
from typing import Any, Final

import msgspec
from axe_playwright_python.sync_playwright import Axe  # type: ignore[import-untyped]
from playwright.sync_api import Browser, Page, ViewportSize

ROOT: Final = Path(__file__).parents[1]
sys.path.insert(0, str(ROOT / "tests"))

from browser.chromium import chromium  # noqa: E402
from serving import Serving  # noqa: E402

PHONE: Final[ViewportSize] = {"width": 360, "height": 740}
DESKTOP: Final[ViewportSize] = {"width": 1280, "height": 800}
PATIENCE: Final = 60_000  # milliseconds
STILL: Final = 0.05  # how much may move while a page is loaded, as browsers reckon it
SERIOUS: Final = ("serious", "critical")
LOOKED_FOR: Final = ("label-content-name-mismatch", "aria-allowed-role")
AXE: Final = {"rules": {rule: {"enabled": True} for rule in LOOKED_FOR}}
PNG: Final = b"\x89PNG\r\n\x1a\n"
WANTED: Final = {("192x192", "any"), ("512x512", "any"), ("512x512", "maskable")}
SAID: Final = ("name", "short_name", "start_url", "scope", "display", "theme_color", "background_color")
SHIFTS: Final = """
window.shifted = 0;
new PerformanceObserver((seen) => {
  for (const one of seen.getEntries()) if (!one.hadRecentInput) window.shifted += one.value;
}).observe({ type: "layout-shift", buffered: true });
"""

Fetch = Callable[[str], bytes | None]


def main() -> None:
    """Check a page, and say what is wrong with it."""
    asked = argparse.ArgumentParser(description=(__doc__ or "").splitlines()[0])
    asked.add_argument("address", nargs="?", help="where the page is")
    wish = asked.parse_args()
    with chromium() as browser, _page(wish.address) as address:
        found = checked(browser, address.rstrip("/") + "/")
    print("\n".join(found) or "Nothing is wrong.")
    sys.exit(bool(found))


@contextmanager
def _page(address: str | None) -> Iterator[str]:
    if address is not None:
        yield address
        return
    with TemporaryDirectory() as folder, Serving(Path(folder) / "ultimo.sqlite") as server:
        yield server.url


def checked(browser: Browser, address: str) -> list[str]:
    """What is wrong with a page."""
    found = []
    for size, where in ((PHONE, "on a phone"), (DESKTOP, "on a screen")):
        context = browser.new_context(viewport=size, locale="en-GB")
        context.set_default_timeout(PATIENCE)
        context.add_init_script(SHIFTS)
        page = context.new_page()
        page.goto(address)
        _seen(page)
        page.wait_for_load_state("networkidle")
        found += [f"{where}: {fault}" for fault in (*moved(page), *inaccessible(page))]
        if size is PHONE:
            found += [*unfit(_fetching(page, address)), *absent(page, address)]
        context.close()
    return found


def _seen(page: Page) -> None:
    page.get_by_test_id("play-danish").wait_for()


# --- the manifest ----------------------------------------------------------------------------------------


def _fetching(page: Page, address: str) -> Fetch:
    def fetch(path: str) -> bytes | None:
        answer = page.request.get(address + path)
        return answer.body() if answer.ok else None

    return fetch


def unfit(fetch: Fetch) -> list[str]:
    """Why a browser would not install the page: its manifest, and the icons of that.

    >>> unfit({"manifest.webmanifest": b"{}"}.get)[0]
    'the manifest has no name'
    """
    body = fetch("manifest.webmanifest")
    if body is None:
        return ["there is no manifest"]
    manifest: dict[str, Any] = msgspec.json.decode(body)
    icons = manifest.get("icons", [])
    sizes = {(icon["sizes"], icon.get("purpose", "any")) for icon in icons}
    return [
        *(f"the manifest has no {key}" for key in SAID if not manifest.get(key)),
        *(f"there is no icon of {size} for {purpose}" for size, purpose in sorted(WANTED - sizes)),
        *(fault for icon in icons for fault in _false(icon, fetch(icon["src"]))),
    ]


def _false(icon: dict[str, str], body: bytes | None) -> list[str]:
    """What the manifest says of an icon that is not so."""
    if body is None:
        return [f"{icon['src']} is not there"]
    if icon["type"] == "image/svg+xml":
        return [] if b"<svg" in body else [f"{icon['src']} is no SVG"]
    if not body.startswith(PNG):
        return [f"{icon['src']} is no PNG"]
    width, height = struct.unpack(">II", body[16:24])
    return [] if icon["sizes"] == f"{width}x{height}" else [f"{icon['src']} has {width}x{height}"]


# --- the page --------------------------------------------------------------------------------------------


def moved(page: Page) -> list[str]:
    """Whether what is seen has moved about since the page was opened."""
    shifted: float = page.evaluate("window.shifted")
    return [f"the page moves while it is loaded: {shifted:.3f}"] if shifted >= STILL else []


def inaccessible(page: Page) -> list[str]:
    """The serious faults that axe finds, and those of rules that it leaves off or calls minor."""
    return [
        f"{one['help']}: {node['target']} {node['html'][:120]} {node['failureSummary'][:300]}"
        for one in Axe().run(page, options=AXE).response["violations"]
        if one["impact"] in SERIOUS or one["id"] in LOOKED_FOR
        for node in one["nodes"][:3]
    ]


def absent(page: Page, address: str) -> list[str]:
    """Whether the page, once it is kept, does not start without a network."""
    page.wait_for_function("() => navigator.serviceWorker.controller !== null")
    script: str = page.evaluate("navigator.serviceWorker.controller.scriptURL")
    scope: str = page.evaluate("navigator.serviceWorker.ready.then(one => one.scope)")
    found = [] if (script, scope) == (f"{address}sw.js", address) else [f"{script} controls {scope}"]
    keep = page.get_by_test_id("keep")
    if keep.is_visible():
        keep.click()
        page.get_by_test_id("to-device").wait_for()
    page.context.set_offline(True)
    page.reload()
    _seen(page)
    page.get_by_test_id("on-device").wait_for()
    return found + [f"without a network: {fault}" for fault in (*moved(page), *inaccessible(page))]


if __name__ == "__main__":
    main()
