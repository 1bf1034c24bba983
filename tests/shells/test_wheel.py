"""The package as users get it: with the built page, the words and the migrations, and without Node."""

from __future__ import annotations

import subprocess
import sys
from pathlib import Path
from zipfile import ZipFile

ROOT = Path(__file__).parents[2]


def test_the_wheel_holds_all_that_is_served(tmp_path: Path) -> None:
    subprocess.run(
        [sys.executable, "-m", "hatchling", "build", "-t", "wheel", "-d", str(tmp_path)],
        cwd=ROOT,
        check=True,
        capture_output=True,
    )
    (wheel,) = tmp_path.glob("ultimo-*.whl")
    held = set(ZipFile(wheel).namelist())
    assert "ultimo/server/static/index.html" in held, "make page builds the page"
    scripts = [
        name for name in held if name.startswith("ultimo/server/static/assets/") and name.endswith(".js")
    ]
    assert scripts
    assert "ultimo/conformance/suite/vectors/cases.jsonl" in held
    for part in ("rulebooks/dtf.toml", "names/da.toml", "names/page/da.toml", "names/refusals/fr.toml"):
        assert f"ultimo/{part}" in held
    assert any(name.startswith("ultimo/server/migrations/versions/") for name in held)
