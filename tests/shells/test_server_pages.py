"""The page as the server sends it: words, languages, files, headers; and a server without it."""

from __future__ import annotations

import gzip
import re
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import msgspec
import pytest

from serving import Serving, Visitor
from ultimo import names, rulebook
from ultimo.server.pages import PLACE, page_words

pytestmark = pytest.mark.xdist_group("server_pages")

HTML = f"""<!doctype html><html lang="en"><head>{PLACE}<script type="module" src="/assets/a-1x.js"></script>
</head><body></body></html>"""


@pytest.fixture(scope="module")
def folder(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """A built page, as small as one can be."""
    made = tmp_path_factory.mktemp("page")
    (made / "assets").mkdir()
    (made / "index.html").write_text(HTML, encoding="utf-8")
    (made / "assets" / "a-1x.js").write_text("// " + "script " * 500, encoding="utf-8")
    (made / "icon.svg").write_text("<svg/>", encoding="utf-8")
    (made / "pocket").mkdir()
    (made / "pocket" / "worker-1x.js").write_text("// a worker", encoding="utf-8")
    return made


@pytest.fixture(scope="module")
def server(folder: Path, tmp_path_factory: pytest.TempPathFactory) -> Iterator[Serving]:
    env = {"ULTIMO_PAGE": str(folder), "ULTIMO_PROXIES": "127.0.0.1"}
    with Serving(tmp_path_factory.mktemp("pages") / "tables.db", env=env, seed=None) as serving:
        yield serving


def words_in(body: bytes) -> Any:
    found = re.search(rb'<script type="application/json" id="words">(.*?)</script>', body, re.DOTALL)
    assert found
    return msgspec.json.decode(found[1])


def test_every_address_of_the_page_is_the_page(server: Serving) -> None:
    visitor = Visitor(server)
    bodies = {visitor.get(path).body for path in ("/", "/new", "/t/abc", "/t/abc/deal/3", "/verify?t=x")}
    assert len(bodies) == 1


def tags_in(body: bytes) -> dict[str, str]:
    found = re.findall(r'<meta (?:property|name)="([\w:]+)" content="([^"]*)" />', body.decode())
    return dict(found)


def test_a_link_to_a_table_shows_what_is_played_there(server: Serving) -> None:
    visitor = Visitor(server)
    visitor.enter()
    assert visitor.ask("PATCH", "/api/me", {"name": '"><b>Evelina & Co'}).status == 200
    public, private = visitor.open_table(public=True), visitor.open_table("french4", 4)
    for table, told in ((public, True), (private, False)):
        body = visitor.get(f"/t/{table}").body
        assert (b"Evelina" in body) is told
        assert b"><b>Evelina" not in body
        assert words_in(body) == page_words("en")
    tags = tags_in(visitor.get(f"/t/{private}").body)
    assert "French Tarot" in tags["og:title"]
    assert tags["og:image"] == f"{server.url}/preview.png"
    assert tags["og:description"] == tags["description"]
    deal = tags_in(visitor.get(f"/t/{private}/deal/3?lang=da").body)
    assert "spil 3" in deal["og:title"]
    assert tags_in(visitor.get("/").body)["og:title"] == "Ultimo"


def test_a_host_that_is_none_is_not_written_into_the_page(server: Serving) -> None:
    answer = Visitor(server).ask("GET", "/", headers={"Host": 'x"><script>alert(1)</script>'})
    assert b"alert(1)" not in answer.body


@pytest.mark.parametrize("language", names.LANGUAGES)
def test_previews_have_their_words_in_every_language(language: str) -> None:
    first, other = (names.tables(one, "server")["preview"] for one in ("en", language))
    assert list(first) == list(other)
    for key, text in other.items():
        assert set(re.findall(r"{(\w+)}", text)) == set(re.findall(r"{(\w+)}", first[key]))


@pytest.mark.parametrize(
    ("path", "headers", "language"),
    [
        ("/", {}, "en"),
        ("/", {"Accept-Language": "da-DK,da;q=0.9,en;q=0.8"}, "da"),
        ("/", {"Accept-Language": "nl, fr;q=0.4, de;q=0.7"}, "de"),
        ("/", {"Accept-Language": "x" * 5000}, "en"),
        ("/", {"Accept-Language": "da", "Cookie": "ultimo_language=fr"}, "fr"),
        ("/?lang=de", {"Accept-Language": "da", "Cookie": "ultimo_language=fr"}, "de"),
        ("/?lang=xx", {"Cookie": "ultimo_language=<script>"}, "en"),
    ],
)
def test_the_page_comes_with_the_words_of_the_language(
    server: Serving, path: str, headers: dict[str, str], language: str
) -> None:
    answer = Visitor(server).ask("GET", path, headers=headers)
    assert answer.headers["content-type"] == "text/html; charset=utf-8"
    assert f'<html lang="{language}">'.encode() in answer.body
    assert words_in(answer.body) == page_words(language)


@pytest.mark.parametrize("language", names.LANGUAGES)
def test_the_words_name_all_cards_of_both_games(language: str) -> None:
    words = page_words(language)
    assert words["language"] == language
    for family in ("danish", "french"):
        assert len(words["cards"][family]) >= 78
        assert set(words["letters"][family]) == set("KQNJT")
        assert set(words["suits"][family]) == set("SHCDT")
    assert words["words"] == dict(names.page(language))


def test_what_has_a_hash_in_its_name_is_kept_for_good_and_the_rest_asked_for_again(server: Serving) -> None:
    visitor = Visitor(server)
    script = visitor.get("/assets/a-1x.js")
    assert script.headers["cache-control"] == "public, max-age=31536000, immutable"
    assert "javascript" in script.headers["content-type"]
    for path in ("/", "/icon.svg"):
        answer = visitor.get(path)
        assert answer.headers["cache-control"] == "no-cache"
        again = visitor.ask("GET", path, headers={"If-None-Match": answer.headers["etag"]})
        assert (again.status, again.body) == (304, b"")


def test_files_are_sent_compressed_to_who_can_read_them_so(server: Serving, folder: Path) -> None:
    visitor = Visitor(server)
    packed = visitor.ask("GET", "/assets/a-1x.js", headers={"Accept-Encoding": "br, gzip"})
    assert packed.headers["content-encoding"] == "gzip"
    assert len(packed.body) < 200
    assert gzip.decompress(packed.body) == (folder / "assets" / "a-1x.js").read_bytes()
    books = visitor.ask("GET", "/api/books", headers={"Accept-Encoding": "gzip"})
    assert books.headers["content-encoding"] == "gzip"
    assert len(msgspec.json.decode(gzip.decompress(books.body))) == len(rulebook.ids())


def test_a_file_of_another_build_is_not_the_page(server: Serving) -> None:
    assert Visitor(server).get("/assets/old-9z.js").status == 404


@pytest.mark.parametrize(
    "path", ["/../settings.py", "/assets/../../app.py", "/..%2f..%2fetc/passwd", "//etc/passwd", "/%00"]
)
def test_nothing_outside_the_folder_is_sent(server: Serving, path: str) -> None:
    answer = Visitor(server).get(path)
    assert answer.status in (200, 404)
    assert b"root:" not in answer.body
    assert b"from __future__" not in answer.body


@pytest.mark.parametrize("path", ["/", "/assets/a-1x.js", "/api/books", "/api/none", "/healthz", "/metrics"])
def test_every_answer_has_the_headers_that_protect(server: Serving, path: str) -> None:
    headers = Visitor(server).get(path).headers
    policy = dict(rule.split(" ", 1) for rule in headers["content-security-policy"].split("; "))
    assert policy["default-src"] == "'self'"
    assert policy["frame-ancestors"] == "'none'"
    assert "unsafe" not in headers["content-security-policy"]
    assert headers["x-content-type-options"] == "nosniff"
    assert headers["referrer-policy"] == "same-origin"
    assert re.fullmatch("[0-9a-f]{16}", headers["x-request-id"])
    assert "server" not in headers
    assert "strict-transport-security" not in headers


def test_only_what_runs_a_house_inside_the_page_may_run_compiled_code(server: Serving) -> None:
    visitor = Visitor(server)
    worker = visitor.get("/pocket/worker-1x.js").headers
    assert worker["cache-control"] == "public, max-age=31536000, immutable"
    assert "script-src 'self' 'wasm-unsafe-eval';" in worker["content-security-policy"]
    page = visitor.get("/").headers["content-security-policy"]
    assert worker["content-security-policy"].replace(" script-src 'self' 'wasm-unsafe-eval';", "") == page
    assert visitor.get("/pocket/worker-0x.js").status == 404


def test_behind_a_proxy_that_is_believed_everything_is_secure(server: Serving) -> None:
    proxied = {
        "X-Forwarded-Proto": "https",
        "X-Forwarded-For": "203.0.113.7",
        "Origin": f"https://127.0.0.1:{server.port}",
    }
    answer = Visitor(server).ask("POST", "/api/enter", {}, proxied)
    assert answer.status == 200
    assert all("Secure" in cookie for cookie in answer.cookies)
    assert "max-age" in answer.headers["strict-transport-security"]
    assert server.logged("request", route="/api/enter", address="203.0.113.7")["status"] == 200


def test_a_page_that_is_built_anew_is_sent_anew(server: Serving, folder: Path) -> None:
    visitor = Visitor(server)
    before = visitor.get("/").body
    (folder / "index.html").write_text(HTML.replace("<body>", "<body>new"), encoding="utf-8")
    assert visitor.get("/").body == before.replace(b"<body>", b"<body>new")


def test_without_a_page_the_server_says_what_is_missing(tmp_path: Path) -> None:
    nowhere = tmp_path / "static"
    with Serving(tmp_path / "tables.db", env={"ULTIMO_PAGE": str(nowhere)}) as server:
        visitor = Visitor(server)
        missing = visitor.get("/")
        assert missing.status == 503
        assert b"make page" in missing.body
        assert b"Node 20" in missing.body
        assert str(nowhere).encode() in missing.body
        told = visitor.get("/readyz").json
        assert (told["ready"], told["database"], told["page"]) == (True, "ok", "not built: run make page")
        visitor.enter()
        assert visitor.open_table()
