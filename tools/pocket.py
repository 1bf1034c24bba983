"""Put the house that runs inside the page into a built page, and finish the page for use without a network.

    python tools/pocket.py src/ultimo/server/static
    python tools/pocket.py static-house --alone

A page is given Pyodide, the wheels of `requirements/pocket.lock` and the package, each under a name with a
hash of its content, so that nothing of another build is ever used; the list of them, and the words of every
language, stand in the page itself. `--alone` makes a page that never asks a server, for any host of plain
files. Where a wheel cannot be fetched, that is said, and the page needs its server.
"""

from __future__ import annotations

import argparse
import gzip
import hashlib
import re
import shutil
import subprocess
import sys
from io import BytesIO
from pathlib import Path
from typing import Any, Final
from zipfile import ZIP_DEFLATED, ZipFile, ZipInfo

import msgspec

from ultimo import names
from ultimo.server.pages import HASHED, PLACE, page_words
from ultimo.server.security import HEADERS

ROOT: Final = Path(__file__).parents[1]
PACKAGE: Final = ROOT / "src" / "ultimo"
PYODIDE: Final = ROOT / "web" / "node_modules" / "pyodide"
LOCK: Final = ROOT / "requirements" / "pocket.lock"
FETCHED: Final = ROOT / "build" / "pocket"
COMPLETE: Final = FETCHED / "complete"  # for make: nothing is missing

# Where Pyodide runs, as its wheels say it.
PLATFORM: Final = (
    *("--platform", "pyemscripten_2026_0_wasm32", "--python-version", "3.14"),
    *("--implementation", "cp", "--abi", "cp314", "--only-binary=:all:", "--no-deps"),
)
PARTS: Final = ("pyodide.mjs", "pyodide.asm.mjs", "pyodide.asm.wasm", "python_stdlib.zip")
LEFT_OUT: Final = ("cli", "server", "research", "learning", "conformance", "names/page")
KINDS: Final = (".py", ".toml", ".jsonl")
LONG_AGO: Final = (1980, 1, 1, 0, 0, 0)  # the same bytes whenever they are packed
LISTED: Final = re.compile(r'(<script type="application/json" id="pocket">).*?(</script>)', re.DOTALL)
POLICY: Final = "; ".join(
    one for one in HEADERS["content-security-policy"].split("; ") if not one.startswith("frame-ancestors")
)  # which a page cannot say by itself
ALONE: Final = f"""<meta http-equiv="content-security-policy" content="{POLICY}" />
    <meta name="ultimo-house" content="pocket" />"""
MOVED: Final = "to-the-page.js"  # what a host of plain files sends for an address inside the page
MOVING: Final = 'location.replace("/#" + location.pathname + location.search);'
SINCE: Final = "self.__ULTIMO_FILES = "


class Missing(Exception):
    """Something that the house in the page needs and that cannot be had."""


def main() -> None:
    """Finish the page in a folder."""
    asked = argparse.ArgumentParser(description=(__doc__ or "").splitlines()[0])
    asked.add_argument("folder", type=Path)
    asked.add_argument("--alone", action="store_true", help="a page that never asks a server")
    wish = asked.parse_args()
    if not wish.alone:
        COMPLETE.unlink(missing_ok=True)
    try:
        wheels = fetch()
    except Missing as missing:
        if wish.alone:
            sys.exit(f"There is no house without a server: {missing}")
        print(f"The page needs its server: {missing}", file=sys.stderr)
        finish(wish.folder, None, alone=False)
        return
    finish(wish.folder, put(wish.folder, wheels), alone=wish.alone)
    if not wish.alone:
        COMPLETE.touch()


# --- the files of the house ----------------------------------------------------------------------------


def fetch() -> list[Path]:
    """The wheels, fetched once; their hashes are those of the lock."""
    kept = FETCHED / _hash(LOCK.read_bytes())
    if not list(kept.glob("*.whl")):
        wish = [*PLATFORM, "--require-hashes", "--requirement", str(LOCK), "--dest", str(kept)]
        command = [sys.executable, "-m", "pip", "--disable-pip-version-check", "-q", "download", *wish]
        done = subprocess.run(command, capture_output=True, text=True, check=False)
        if done.returncode != 0:
            shutil.rmtree(kept, ignore_errors=True)
            said = done.stderr.strip().splitlines()
            raise Missing(f"the wheels of {LOCK.name} cannot be fetched. {said[-1] if said else ''}")
    return sorted(kept.glob("*.whl"))


def put(folder: Path, wheels: list[Path], package: Path = PACKAGE) -> dict[str, Any]:
    """Put the files into the page, and say what they are, as `web/src/pocket/wire.ts` has it."""
    pocket = folder / "pocket"
    pocket.mkdir(exist_ok=True)
    for old in pocket.iterdir():
        if old.suffix != ".js":  # the worker, which belongs to the page
            shutil.rmtree(old) if old.is_dir() else old.unlink()
    parts = {name: (PYODIDE / name).read_bytes() for name in PARTS}
    python = f"python-{_hash(*parts.values())}/"
    files = {
        python + (f"{name}.gz" if name.endswith(".wasm") else name): _packed(name, body)
        for name, body in parts.items()
    }
    bodies = [(wheel.name.partition("-")[0], wheel.read_bytes()) for wheel in wheels]
    held = {f"{name}-{_hash(body)}.whl": body for name, body in bodies}
    packed = zipped(package)
    ultimo = f"ultimo-{_hash(packed)}.zip"
    files |= held | {ultimo: packed}
    for path, body in files.items():
        (pocket / path).parent.mkdir(exist_ok=True)
        (pocket / path).write_bytes(body)
    lock = msgspec.json.decode((PYODIDE / "pyodide-lock.json").read_bytes())
    return {
        "python": python,
        "lock": msgspec.json.encode({"info": lock["info"], "packages": {}}).decode(),
        "wheels": list(held),
        "ultimo": ultimo,
        "files": [{"path": path, "bytes": len(body)} for path, body in files.items()],
    }


def zipped(package: Path) -> bytes:
    """The package as far as it is needed in a page: the same sources give the same bytes."""
    made = BytesIO()
    with ZipFile(made, "w", ZIP_DEFLATED, compresslevel=9) as archive:
        for path in sorted(package.rglob("*")):
            name = path.relative_to(package).as_posix()
            if path.suffix in KINDS and not name.startswith(tuple(f"{left}/" for left in LEFT_OUT)):
                archive.writestr(_entry(f"{package.name}/{name}"), path.read_bytes(), ZIP_DEFLATED, 9)
    return made.getvalue()


def _entry(name: str) -> ZipInfo:
    entry = ZipInfo(name, LONG_AGO)
    entry.external_attr = 0o644 << 16
    return entry


def _packed(name: str, body: bytes) -> bytes:
    """What is large is packed here: not every server does, and so its progress can be told."""
    return gzip.compress(body, 9, mtime=0) if name.endswith(".wasm") else body


def _hash(*bodies: bytes) -> str:
    return hashlib.sha256(b"".join(bodies)).hexdigest()[:12]


# --- the page ------------------------------------------------------------------------------------------


def finish(folder: Path, pocket: dict[str, Any] | None, *, alone: bool) -> None:
    """Write the list of the files into the page, and beside it, or in its place, one that needs no server."""
    index = folder / "index.html"
    listed = msgspec.json.encode(pocket).decode() if pocket else ""
    html = LISTED.sub(lambda found: found[1] + listed + found[2], index.read_text(encoding="utf-8"))
    tongues = {"all": {language: page_words(language) for language in names.LANGUAGES}}
    words = msgspec.json.encode(tongues).decode().replace("<", "\\u003c")
    shell = html.replace(PLACE, PLACE.replace("{}", words))
    if alone:
        html = shell.replace("<head>", f"<head>\n    {ALONE}", 1)
        away = f'<!doctype html><meta charset="utf-8"><title>Ultimo</title><script src="/{MOVED}"></script>\n'
        (folder / "404.html").write_text(away, encoding="utf-8")
        (folder / MOVED).write_text(f"{MOVING}\n", encoding="utf-8")
    else:
        (folder / "shell.html").write_text(shell, encoding="utf-8")
    index.write_text(html, encoding="utf-8")  # the last but one: a server reads all anew when it is newer
    keep(folder, pocket, index.name if alone else "shell.html")
    index.touch()


def keep(folder: Path, pocket: dict[str, Any] | None, shell: str) -> None:
    """Tell the service worker which files it keeps."""
    script = folder / "sw.js"
    code = script.read_text(encoding="utf-8")
    if code.startswith(SINCE):
        code = code.split("\n", 1)[1]
    left = {"sw.js", "index.html", "404.html", "preview.png", MOVED} - {shell}
    held = {file["path"] for file in pocket["files"]} if pocket else set()
    page = [
        {"url": name, "revision": None if name.startswith(HASHED) else _hash(path.read_bytes())}
        for path in sorted(folder.rglob("*"))
        if path.is_file()
        and (name := path.relative_to(folder).as_posix()) not in left
        and name.removeprefix("pocket/") not in held
    ]
    files = {"shell": shell, "page": page, "pocket": sorted(held)}
    script.write_text(f"{SINCE}{msgspec.json.encode(files).decode()};\n{code}", encoding="utf-8")


if __name__ == "__main__":
    main()
