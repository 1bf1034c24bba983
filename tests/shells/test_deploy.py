"""The files for those who run a server: they name only what there is, and the proxy lets people play."""

from __future__ import annotations

import http.client
import os
import re
import shutil
import signal
import socket
import ssl
import subprocess
import tomllib
from collections.abc import Iterator
from pathlib import Path

import msgspec
import pytest
import yaml  # type: ignore[import-untyped]
from distributed.cli import dask_scheduler, dask_worker
from websockets.sync.client import connect
from websockets.typing import Origin

from serving import PATIENCE, Serving, Visitor, until
from ultimo.server import metrics
from ultimo.server.settings import settings

ROOT = Path(__file__).parents[2]
DEPLOY = ROOT / "deploy"
METRIC = re.compile(r"\b((?:ultimo|process)_[a-z_]+)\b")
SETTING = re.compile(r"\bULTIMO_[A-Z_]+\b")
NO_SETTINGS = {"ULTIMO_CACHE", "ULTIMO_CONFIG", "ULTIMO_CLUSTER", "ULTIMO_CLUSTER_HOST"}
DASK = {"scheduler": dask_scheduler.main, "worker": dask_worker.main}


def measured() -> set[str]:
    """The names of all time series that the server gives."""
    found = set()
    for family in metrics.REGISTRY.collect():
        match family.type:
            case "counter":
                found.add(f"{family.name}_total")
            case "histogram":
                found |= {f"{family.name}_{part}" for part in ("bucket", "sum", "count")}
            case _:
                found.add(family.name)
    return found


@pytest.mark.parametrize("name", ["alerts.yaml", "dashboard.json"])
def test_what_is_watched_is_measured(name: str) -> None:
    asked = set(METRIC.findall((DEPLOY / "monitoring" / name).read_text(encoding="utf-8")))
    assert asked
    assert asked - measured() == set()


def test_panels_of_the_dashboard_do_not_overlap() -> None:
    panels = msgspec.json.decode((DEPLOY / "monitoring" / "dashboard.json").read_bytes())["panels"]
    cells = [
        (x, y)
        for place in (panel["gridPos"] for panel in panels)
        for x in range(place["x"], place["x"] + place["w"])
        for y in range(place["y"], place["y"] + place["h"])
    ]
    assert len(cells) == len(set(cells))
    assert max(x for x, _ in cells) < 24


def test_settings_that_are_named_exist() -> None:
    there = {one.variable for one in settings()} | NO_SETTINGS
    for path in DEPLOY.rglob("*"):
        if path.is_file():
            assert set(SETTING.findall(path.read_text(encoding="utf-8"))) <= there, path


@pytest.mark.parametrize("name", ["Containerfile", "cluster/Containerfile"])
def test_files_that_go_into_an_image_exist_and_are_let_in(name: str) -> None:
    file = DEPLOY / name
    lines = file.read_text(encoding="utf-8").splitlines()
    copied = {source for line in lines if re.match(r"COPY (?!--)", line) for source in line.split()[1:-1]}
    ignored = file.with_name(f"{file.name}.dockerignore").read_text(encoding="utf-8").splitlines()
    let_in = tuple(line[1:] for line in ignored if line.startswith("!"))
    for source in copied:
        assert (ROOT / source).exists(), source
        assert any(f"{source}/".startswith(f"{one}/") for one in let_in), source
    build = tomllib.loads((ROOT / "pyproject.toml").read_text(encoding="utf-8"))["tool"]["hatch"]["build"]
    assert set(build["targets"]["wheel"]["force-include"]) <= copied, "the package cannot be built without"


@pytest.mark.parametrize("name", ["compose.yaml", "cluster/compose.yaml"])
def test_what_is_composed_exists(name: str) -> None:
    file = DEPLOY / name
    composed = yaml.safe_load(file.read_text(encoding="utf-8"))
    for service in composed["services"].values():
        if (build := service.get("build")) is not None:
            assert (file.parent / build["context"] / build["dockerfile"]).is_file()
        assert set(service.get("depends_on", ())) <= set(composed["services"])
        for volume in service.get("volumes", ()):
            assert volume.startswith("./") or volume.partition(":")[0] in composed["volumes"]


def test_what_serves_has_bounds_and_answers_to_a_name_that_is_given() -> None:
    composed = yaml.safe_load((DEPLOY / "compose.yaml").read_text(encoding="utf-8"))
    for name, service in composed["services"].items():
        assert {"mem_limit", "cpus"} <= set(service), name
        hosts = service.get("environment", {}).get("ULTIMO_HOSTS", "${ULTIMO_HOSTS:?")
        assert hosts.startswith("${ULTIMO_HOSTS:?"), "it is not started without"


def test_a_cluster_is_started_with_options_that_exist() -> None:
    started = []
    for path in (*DEPLOY.glob("systemd/*.service"), ROOT / "docs" / "cluster.md"):
        started += re.findall(r"\bdask (scheduler|worker) (.*)", path.read_text(encoding="utf-8"))
    composed = yaml.safe_load((DEPLOY / "cluster" / "compose.yaml").read_text(encoding="utf-8"))
    for service in composed["services"].values():
        match service.get("command"):
            case ["dask", what, *words]:
                started.append((what, " ".join(words)))
    assert len(started) == 6
    for what, words in started:
        known = {option for one in DASK[what].params for option in (*one.opts, *one.secondary_opts)}
        assert set(re.findall(r"--[a-z-]+", words)) <= known, (what, words)


# --- the proxy -----------------------------------------------------------------------------------------


class Proxy:
    """nginx with our configuration, its ports and paths moved to where a test may use them."""

    def __init__(self, folder: Path, server: Serving) -> None:
        self.port, plain = _free_port(), _free_port()
        self.origin = f"https://localhost:{self.port}"
        _certify(folder)
        (folder / "ultimo-servers.conf").write_text(f"server 127.0.0.1:{server.port};\n", encoding="utf-8")
        site = (DEPLOY / "nginx" / "ultimo.conf").read_text(encoding="utf-8")
        site = re.sub(r"listen \[::\].*\n", "", site)
        site = site.replace("listen 80;", f"listen 127.0.0.1:{plain};")
        site = site.replace("listen 443 ssl;", f"listen 127.0.0.1:{self.port} ssl;")
        site = site.replace("/etc/nginx/certificates", str(folder)).replace("/etc/nginx", str(folder))
        paths = " ".join(
            f"{kind}_temp_path {folder / kind};"
            for kind in ("client_body", "proxy", "fastcgi", "uwsgi", "scgi")
        )
        (folder / "nginx.conf").write_text(
            f"daemon off; pid {folder}/pid; error_log stderr; events {{}}\n"
            f"http {{ access_log {folder}/access.log; {paths}\n{site}}}\n",
            encoding="utf-8",
        )
        nginx = shutil.which("nginx", path=f"{os.environ['PATH']}:/usr/sbin")
        assert nginx, "nginx is not installed: apt-get install nginx-light"
        self.log = folder / "access.log"
        self._process = subprocess.Popen(
            [nginx, "-p", str(folder), "-c", str(folder / "nginx.conf")], stderr=subprocess.PIPE, text=True
        )
        until(self._answers)

    def _answers(self) -> bool:
        assert self._process.poll() is None, self._process.stderr and self._process.stderr.read()
        with socket.socket() as tried:
            return tried.connect_ex(("127.0.0.1", self.port)) == 0

    def close(self) -> None:
        self._process.send_signal(signal.SIGTERM)
        self._process.wait(PATIENCE)

    def ask(self, method: str, path: str, headers: dict[str, str]) -> tuple[http.client.HTTPResponse, bytes]:
        connection = http.client.HTTPSConnection(
            "localhost", self.port, timeout=PATIENCE, context=_trusting()
        )
        try:
            connection.request(method, path, b"{}" if method == "POST" else None, headers)
            answer = connection.getresponse()
            return answer, answer.read()
        finally:
            connection.close()


def _certify(folder: Path) -> None:
    made = ("-newkey", "ec", "-pkeyopt", "ec_paramgen_curve:prime256v1", "-nodes", "-days", "2")
    files = ("-keyout", str(folder / "privkey.pem"), "-out", str(folder / "fullchain.pem"))
    subprocess.run(
        ["openssl", "req", "-x509", *made, *files, "-subj", "/CN=localhost"], check=True, capture_output=True
    )


def _trusting() -> ssl.SSLContext:
    context = ssl.create_default_context()
    context.check_hostname = False
    context.verify_mode = ssl.CERT_NONE
    return context


def _free_port() -> int:
    with socket.create_server(("127.0.0.1", 0)) as taken:
        port: int = taken.getsockname()[1]
        return port


@pytest.fixture
def proxy(tmp_path: Path) -> Iterator[tuple[Proxy, Serving]]:
    with Serving(tmp_path / "tables.db", 0, None, "--proxies", "127.0.0.1", seed=None) as server:
        proxy = Proxy(tmp_path, server)
        try:
            yield proxy, server
        finally:
            proxy.close()


def test_people_play_through_the_proxy(proxy: tuple[Proxy, Serving]) -> None:
    door, server = proxy
    answer, body = door.ask("POST", "/api/enter", {"Origin": door.origin, "X-Forwarded-For": "203.0.113.9"})
    assert answer.status == 200, body
    cookies = answer.headers.get_all("set-cookie") or []
    assert all("Secure" in cookie for cookie in cookies)
    assert answer.headers["strict-transport-security"]
    assert server.logged("request", route="/api/enter")["address"] == "127.0.0.1", (
        "a visitor's word is not taken"
    )

    visitor = Visitor(server)
    visitor.cookies = dict(cookie.partition(";")[0].split("=", 1) for cookie in cookies)
    table = visitor.open_table()
    with connect(
        f"wss://localhost:{door.port}/ws/{table}",
        ssl=_trusting(),
        origin=Origin(door.origin),
        additional_headers={"Cookie": visitor.cookie},
        proxy=None,
        open_timeout=PATIENCE,
    ) as page:
        assert msgspec.json.decode(page.recv(PATIENCE))["type"] == "full"
    assert door.ask("GET", "/metrics", {})[0].status == 404
    moved, _ = door.ask("GET", "/clubs/join/s3cret", {})
    assert (moved.status, moved.headers["location"]) == (302, f"{door.origin}/clubs/join#invitation=s3cret")
    assert "/metrics" in door.log.read_text(encoding="utf-8")
    assert "s3cret" not in door.log.read_text(encoding="utf-8")
