"""Draw the picture that links show of themselves, web/public/preview.png, from the deck of the page.

Needs the built page: `make page`, then `python tools/preview_picture.py`.
"""

from __future__ import annotations

import sys
from io import BytesIO
from pathlib import Path
from tempfile import TemporaryDirectory

from PIL import Image

ROOT = Path(__file__).parents[1]
sys.path.insert(0, str(ROOT / "tests"))

from browser.chromium import chromium  # noqa: E402
from serving import Serving  # noqa: E402

FILE = ROOT / "web" / "public" / "preview.png"
SIZE = {"width": 1200, "height": 630}
COLOURS = 128
# The cards and the name of the front page, alone on the felt.
ALONE = """() => {
  const fan = document.querySelector(".fan");
  const name = document.querySelector("h1");
  const picture = document.createElement("div");
  picture.style.cssText = `position: fixed; inset: 0; z-index: 99; display: grid; place-items: center;
    grid-template-columns: 1fr 1fr; color: #fbf7ec;
    background: radial-gradient(ellipse at 70% 30%, #2c6556, #1f4a40)`;
  name.style.cssText = "font-size: 118px; margin-left: 60px";
  fan.style.cssText = "width: 200px; margin: 60px 60px 0 0";
  picture.append(name, fan);
  document.querySelector(".hero").append(picture);
}"""


def main() -> None:
    """Draw it."""
    with (
        TemporaryDirectory() as folder,
        Serving(Path(folder) / "ultimo.sqlite") as server,
        chromium() as browser,
    ):
        page = browser.new_page(viewport=SIZE, color_scheme="light", reduced_motion="reduce")  # type: ignore
        page.goto(server.url)
        page.locator(".fan").wait_for()
        page.evaluate(ALONE)
        drawn = Image.open(BytesIO(page.screenshot()))
        drawn.convert("RGB").quantize(COLOURS).save(FILE, optimize=True)


if __name__ == "__main__":
    main()
