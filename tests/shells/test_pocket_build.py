"""What the build puts into the page: the package as far as a page needs it, and the lists of the files."""

from __future__ import annotations

import subprocess
import sys
from io import BytesIO
from pathlib import Path
from typing import Any
from zipfile import ZipFile

import msgspec
import pytest

import pocket
from ultimo import names
from ultimo.server.pages import PLACE

HTML = f"""<!doctype html><html lang="en"><head>{PLACE}<script type="application/json" id="pocket"></script>
</head><body></body></html>"""
MODULES = ("ultimo.table.live", "ultimo.table.driving", "ultimo.club.sheet", "ultimo.tutor.hinting")


@pytest.fixture(scope="module")
def package() -> bytes:
    return pocket.zipped(pocket.PACKAGE)


@pytest.fixture
def page(tmp_path: Path) -> Path:
    """A built page, as small as one can be."""
    (tmp_path / "assets").mkdir()
    (tmp_path / "pocket").mkdir()
    (tmp_path / "index.html").write_text(HTML, encoding="utf-8")
    (tmp_path / "assets" / "a-1x.js").write_text("", encoding="utf-8")
    (tmp_path / "pocket" / "worker-1x.js").write_text("", encoding="utf-8")
    (tmp_path / "icon.svg").write_text("<svg/>", encoding="utf-8")
    (tmp_path / "sw.js").write_text("work();\n", encoding="utf-8")
    return tmp_path


def test_the_same_sources_give_the_same_bytes(package: bytes) -> None:
    assert pocket.zipped(pocket.PACKAGE) == package


def test_the_package_holds_what_a_page_needs_and_no_more(package: bytes, tmp_path: Path) -> None:
    held = ZipFile(BytesIO(package)).namelist()
    assert {name.split(".")[-1] for name in held} == {"py", "toml", "jsonl"}
    assert not [
        name for name in held if name.startswith(("ultimo/server/", "ultimo/cli/", "ultimo/research/"))
    ]
    ZipFile(BytesIO(package)).extractall(tmp_path)
    asked = f"import {', '.join(MODULES)}; print(ultimo.__file__)"  # beside what is installed, from here
    done = subprocess.run(
        [sys.executable, "-c", asked],
        cwd=tmp_path,
        env={"PYTHONPATH": str(tmp_path)},
        capture_output=True,
        text=True,
        check=True,
    )
    assert done.stdout.startswith(str(tmp_path))


def kept(page: Path) -> dict[str, Any]:
    line, code = (page / "sw.js").read_text(encoding="utf-8").split("\n", 1)
    assert code == "work();\n"
    files: dict[str, Any] = msgspec.json.decode(line.removeprefix(pocket.SINCE).removesuffix(";"))
    return files


def test_a_page_for_a_server_has_one_beside_it_for_when_that_is_gone(page: Path) -> None:
    made = {"files": [{"path": "ultimo-1.zip", "bytes": 1}]}
    (page / "pocket" / "ultimo-1.zip").touch()
    for _ in range(2):  # a second time changes nothing
        pocket.finish(page, made, alone=False)
        index, shell = ((page / name).read_text(encoding="utf-8") for name in ("index.html", "shell.html"))
        assert PLACE in index
        assert '"ultimo-1.zip"' in index
        assert all(f'"language":"{language}"' in shell for language in names.LANGUAGES)
        files = kept(page)
        assert files["shell"] == "shell.html"
        assert files["pocket"] == ["ultimo-1.zip"]
        urls = [entry["url"] for entry in files["page"]]
        assert urls == ["assets/a-1x.js", "icon.svg", "pocket/worker-1x.js", "shell.html"]


def test_without_its_wheels_the_page_needs_its_server(page: Path) -> None:
    pocket.finish(page, None, alone=False)
    assert (page / "index.html").read_text(encoding="utf-8") == HTML
    assert kept(page)["pocket"] == []


def test_a_page_that_stands_alone_says_so(page: Path) -> None:
    pocket.finish(page, {"files": []}, alone=True)
    index = (page / "index.html").read_text(encoding="utf-8")
    assert '<meta name="ultimo-house" content="pocket" />' in index
    assert "unsafe" not in index.split("</head>")[0].split('id="words"')[0]
    assert pocket.MOVED in (page / "404.html").read_text(encoding="utf-8")
    assert kept(page)["shell"] == "index.html"
