"""Write the golden playthroughs anew: `make playthroughs`. Read the difference before you commit it."""

from __future__ import annotations

import sys
from pathlib import Path

ROOT = Path(__file__).parents[1]
sys.path.insert(0, str(ROOT / "tests"))

from playthroughs.scenarios import SCENARIOS  # noqa: E402
from playthroughs.telling import told  # noqa: E402

GOLDEN = ROOT / "tests" / "playthroughs" / "golden"


def main() -> None:
    """Write what has changed, and remove what no scenario tells any more."""
    GOLDEN.mkdir(exist_ok=True)
    texts = {GOLDEN / f"{name}.txt": told(scenario()) for name, scenario in SCENARIOS.items()}
    for file in sorted(set(GOLDEN.glob("*.txt")) - set(texts)):
        file.unlink()
        print(f"removed {file.relative_to(ROOT)}")
    for file, text in texts.items():
        if not file.exists() or file.read_text(encoding="utf-8") != text:
            file.write_text(text, encoding="utf-8")
            print(f"wrote   {file.relative_to(ROOT)}")


if __name__ == "__main__":
    main()
