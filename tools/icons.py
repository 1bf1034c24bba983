"""Draw the icons of the page for screens, web/public/icon-*.png, from web/public/icon.svg.

`python tools/icons.py` needs Chromium. The icon that a system may cut to its own shape has the ground to its
edges, and the cards within the middle that is never cut.
"""

from __future__ import annotations

import sys
from io import BytesIO
from pathlib import Path

from PIL import Image

ROOT = Path(__file__).parents[1]
sys.path.insert(0, str(ROOT / "tests"))

from browser.chromium import chromium  # noqa: E402

PUBLIC = ROOT / "web" / "public"
COLOURS = 64
GROUND = "#1f4a40"
SIZES = {"icon-192.png": (192, 1.0), "icon-512.png": (512, 1.0), "icon-maskable.png": (512, 0.8)}


def main() -> None:
    """Draw them."""
    svg = (PUBLIC / "icon.svg").read_text(encoding="utf-8")
    with chromium() as browser:
        for name, (size, part) in SIZES.items():
            page = browser.new_page(viewport={"width": size, "height": size})
            ground = GROUND if part < 1 else "transparent"
            body = f"display: grid; place-items: center; height: 100vh; margin: 0; background: {ground}"
            page.set_content(f"<style>body {{ {body} }} svg {{ width: {part:.0%} }}</style>{svg}")
            drawn = Image.open(BytesIO(page.screenshot(omit_background=True)))
            drawn.quantize(COLOURS).save(PUBLIC / name, optimize=True)


if __name__ == "__main__":
    main()
