"""What a link shows of itself where it is sent: a title, a sentence and a picture, as tags of the page.

A link may be read by anybody who finds it, so that only a public table tells who sits there, and no preview
tells a card or a score.
"""

from __future__ import annotations

import re
from html import escape
from typing import Final

from msgspec import Struct
from starlette.requests import Request

from ultimo import names
from ultimo.server import books
from ultimo.server.security import own_origin
from ultimo.server.store import Game, Store

PICTURE: Final = "/preview.png"
TABLE: Final = re.compile(r"/t/([^/]{1,64})(?:/(rules|deal/([1-9][0-9]{0,8})))?/?")
HOST: Final = re.compile(r"[\w.:\[\]-]{1,255}", re.ASCII)


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
