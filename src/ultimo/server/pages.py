"""The built page: its files, and its first one with the words of the visitor's language and a preview in it.

The files are few and small: they are read once, compressed once, and read again when the page has been built
anew. Files with a hash in their name never change, so a browser keeps them for good.

A preview is what a link shows of itself where it is sent: a title, a sentence and a picture, as tags of the
page. A link may be read by anybody who finds it, so that only a public table tells who sits there, and no
preview tells a card or a score.
"""

from __future__ import annotations

import gzip
import hashlib
import mimetypes
import re
from functools import cache
from html import escape
from pathlib import Path
from typing import Any, Final, get_args

import msgspec
from msgspec import Struct
from starlette.requests import Request
from starlette.responses import Response

from ultimo import names
from ultimo.answers import books
from ultimo.cards import SUITS, Card
from ultimo.names import Family
from ultimo.server.http import language
from ultimo.server.limits import Crowded, Works
from ultimo.server.security import HEADERS, groups, own_origin
from ultimo.server.store import Game, Store
from ultimo.telling.teller import hand_order

PLACE: Final = '<script type="application/json" id="words">{}</script>'  # where the words go
POCKET: Final = "pocket/"  # the folder of what runs a house inside the page
HASHED: Final = ("assets/", POCKET)  # the folders of the files with a hash in their path
POLICY: Final = HEADERS["content-security-policy"].replace(  # a worker has the policy of its own file
    "default-src 'self'", "default-src 'self'; script-src 'self' 'wasm-unsafe-eval'"
)
FOR_GOOD: Final = "public, max-age=31536000, immutable"
ASK_AGAIN: Final = "no-cache"
KEPT: Final = 200  # pages with tags of their own that are kept compressed
VARY: Final = "accept-encoding"
FRONT_VARY: Final = f"{VARY}, accept-language, cookie"  # of the page itself, with the visitor's words in it
COMPRESSIBLE: Final = ("text/", "image/svg", "application/json", "application/javascript")
INDEX: Final = "index.html"
PICTURE: Final = "/preview.png"
TABLE: Final = re.compile(r"/t/([^/]{1,64})(?:/(rules|deal/([1-9][0-9]{0,8})))?/?")
HOST: Final = re.compile(r"[\w.:\[\]-]{1,255}", re.ASCII)
MISSING: Final = """<!doctype html>
<html lang="en"><head><meta charset="utf-8"><title>Ultimo: the page is not built</title></head>
<body><h1>The page is not built</h1>
<p>The server runs, but there is no <code>index.html</code> in <code>{folder}</code>.</p>
<p>In a checkout, run <code>make page</code> (it needs Node 20 or newer) and load this page again. The package
from a release has the page in it.</p></body></html>
"""


class File(Struct, frozen=True):
    """A file of the page, as it is and compressed."""

    body: bytes
    packed: bytes | None
    media: str
    tag: str
    headers: dict[str, str]


class Page:
    """The page in a folder."""

    def __init__(self, folder: Path) -> None:
        self.folder = folder
        self._index = folder / INDEX
        self._read_at = 0
        self._files: dict[str, File] = {}
        self._fronts: dict[tuple[str, str], File] = {}  # by language and tags
        self._plain_fronts: dict[str, File] = {}

    @property
    def built(self) -> bool:
        """Whether there is a page."""
        return self._index.is_file()

    def file(self, request: Request) -> Response | None:
        """A file of the page, or the news that there is none; None at an address of the page's own."""
        if not self.built:
            text = MISSING.format(folder=self.folder)
            return Response(text, 503, {"cache-control": "no-store"}, media_type="text/html")
        self._refresh()
        path = request.url.path.removeprefix("/")
        file = self._files.get(path)
        if file is None and path.startswith(HASHED):
            return Response("This file belongs to another build of the page.", 404, media_type="text/plain")
        return _sent(request, file) if file is not None else None

    async def front(self, request: Request, store: Store, works: Works) -> Response:
        """The page itself, with the preview of its address in its head.

        One that nobody has asked for yet is made in its turn. Whoever asks for too many gets the page all the
        same, with the preview of the front page.
        """
        tongue, where = language(request), groups(request)
        shown = await preview(request.url.path, store, tongue)
        tags = shown.tags(picture(request))
        file = self._fronts.get((tongue, tags))
        if file is None:
            try:
                works.spend(where)
                async with works.turn(where) as spent:
                    file = await works.run(spent, lambda: self._front(tongue, tags))
            except Crowded:
                file = self._plain(tongue)
        return _sent(request, file)

    def forget_previews(self) -> None:
        """Keep no page that names somebody in its preview."""
        self._fronts.clear()

    def _refresh(self) -> None:
        """Read the files, if they are not those that were read."""
        built_at = self._index.stat().st_mtime_ns
        if built_at == self._read_at:
            return
        self._files = {
            name: _file(path.read_bytes(), mimetypes.guess_type(name)[0] or "application/octet-stream", name)
            for path in self.folder.rglob("*")
            if path.is_file() and (name := path.relative_to(self.folder).as_posix()) != INDEX
        }
        self._fronts, self._plain_fronts = {}, {}
        self._read_at = built_at

    def _front(self, language: str, tags: str) -> File:
        made = self._made(language, tags)
        if len(self._fronts) >= KEPT:
            self._fronts.clear()
        self._fronts[language, tags] = made
        return made

    def _plain(self, language: str) -> File:
        """The page with the preview that fits everywhere, which is kept for good."""
        if language not in self._plain_fronts:
            shown = Preview("Ultimo", _words(language)["about"])
            self._plain_fronts[language] = self._made(language, shown.tags(PICTURE))
        return self._plain_fronts[language]

    def _made(self, language: str, tags: str) -> File:
        html = self._index.read_text(encoding="utf-8")
        html = html.replace('<html lang="en">', f'<html lang="{language}">')
        html = html.replace(PLACE, PLACE.replace("{}", inlined(language)))
        html = html.replace("</head>", f"{tags}</head>", 1)
        return _file(html.encode(), "text/html; charset=utf-8", INDEX)


def _file(body: bytes, media: str, name: str) -> File:
    packed = gzip.compress(body, 9, mtime=0) if media.startswith(COMPRESSIBLE) else None
    tag = f'"{hashlib.sha256(body).hexdigest()[:32]}"'
    headers = {"cache-control": FOR_GOOD if name.startswith(HASHED) else ASK_AGAIN, "etag": tag, "vary": VARY}
    if name == INDEX:
        headers["vary"] = FRONT_VARY
    if name.startswith(POCKET):
        headers["content-security-policy"] = POLICY
    return File(body, packed, media, tag, headers)


def _sent(request: Request, file: File) -> Response:
    headers = dict(file.headers)
    if file.tag in request.headers.get("if-none-match", ""):
        return Response(status_code=304, headers=headers)
    body = file.body
    if file.packed is not None and "gzip" in request.headers.get("accept-encoding", ""):
        body = file.packed
        headers["content-encoding"] = "gzip"
    return Response(body, headers=headers | {"content-type": file.media})


@cache
def inlined(language: str) -> str:
    """The words of a language as JSON that can stand inside an HTML page."""
    return msgspec.json.encode(page_words(language)).decode().replace("<", "\\u003c")


def _orders(danish: bool) -> dict[str, list[str]]:
    """The ranks of each suit from the highest down, as a game has them."""
    ordered = sorted(Card, key=lambda card: hand_order(card, danish))
    return {suit: [card.value[1:] for card in ordered if card.value[0] == suit] for suit in SUITS}


def page_words(language: str) -> dict[str, Any]:
    """All words that the page itself needs: its own, and what the cards are called and marked with."""
    words = names.names(language)
    families: tuple[Family, ...] = get_args(Family)
    letters = {rank: words.words[f"letters.{rank}"] for rank in "KQNJT"}
    return {
        "language": language,
        "languages": list(names.LANGUAGES),
        "words": dict(names.page(language)),
        "cards": {
            family: {card.value: words.card_long(card.value, family) for card in Card} for family in families
        },
        "letters": dict.fromkeys(families, letters),
        "orders": {family: _orders(family == "danish") for family in families},
        "suits": {family: {suit: words.suit(suit, family) for suit in SUITS} for family in families},
    }


# --- previews ------------------------------------------------------------------------------------------


class Preview(Struct, frozen=True):
    """What a link shows of itself."""

    title: str
    description: str

    def tags(self, picture: str) -> str:
        """The tags that services which show links look for."""
        shown = {
            "og:type": "website",
            "og:site_name": "Ultimo",
            "og:title": self.title,
            "og:description": self.description,
            "og:image": picture,
            "og:image:width": "1200",
            "og:image:height": "630",
        }
        tags = [f'<meta property="{key}" content="{escape(text)}" />' for key, text in shown.items()]
        tags.append('<meta name="twitter:card" content="summary_large_image" />')
        tags.append(f'<meta name="description" content="{escape(self.description)}" />')
        return "".join(tags)


def picture(request: Request) -> str:
    """The picture with its whole address; a host that cannot be one is left out."""
    host = request.headers.get("host", "")
    return own_origin(request) + PICTURE if HOST.fullmatch(host) else PICTURE


async def preview(path: str, store: Store, language: str) -> Preview:
    """The preview of an address."""
    if found := TABLE.fullmatch(path):
        game = await store.game(found[1])
        if game is not None:
            return _of_table(game, found[2] or "", found[3] or "", language)
    words = _words(language)
    if path == "/learn" or path.startswith("/learn/"):
        return Preview(words["learn"], words["learnAbout"])
    if path == "/school" or path.startswith("/school/"):
        return Preview(words["school"], words["schoolAbout"])
    return Preview("Ultimo", words["about"])


def _of_table(game: Game, part: str, deal: str, language: str) -> Preview:
    words, title = _words(language), books.title_of(game.settings.rules, language)
    if deal:
        return Preview(words["deal"].format(title=title, number=deal), words["dealAbout"])
    if part:
        return Preview(words["rules"].format(title=title), words["about"])
    sitting = [name for name in game.names if name] if game.settings.public else []
    about = words["open"] if "open" in game.kinds else words["running"]
    if sitting:
        about = f"{about} {words['players'].format(names=', '.join(sitting))}"
    return Preview(words["table"].format(title=title, size=game.settings.size), about)


def _words(language: str) -> dict[str, str]:
    words: dict[str, str] = names.tables(language, "server")["preview"]
    return words
