"""A house as the page's worker wants one, which says what it was asked: for tests of everything around it."""

from __future__ import annotations

import importlib
import json
from collections.abc import Callable
from typing import Any


class House:
    """Answers with the question, keeps what it is told to, and reads aloud what it hears."""

    def __init__(self, storage: Any, clock: Callable[[], float]) -> None:
        self._storage = storage
        self._clock = clock

    async def start(self) -> None:
        """Have the live table at hand."""
        importlib.import_module("ultimo.table.live")

    async def answer(
        self, method: str, path: str, body: str, language: str
    ) -> tuple[int, dict[str, str], bytes]:
        """Say what was asked; some questions are about what is kept."""
        if path.startswith("/api/enter"):
            return _told({"id": "~me", "name": "Me", "guest": True, "language": language})
        if path.startswith("/api/history"):
            return _told([])
        if path.startswith("/api/tables?") or path == "/api/tables":
            return _told({"open": [], "running": []})
        if path.startswith("/api/keep"):
            return _told(await self._keep(json.loads(body)))
        if path.startswith("/api/tables/~") and "record" in path:
            headers = {"content-type": "text/plain", "content-disposition": 'attachment; filename="deal.txt"'}
            return 200, headers, "the deal: ♠K".encode()
        return _told({"method": method, "path": path, "body": body, "now": self._clock()})

    async def open(self, table: str, language: str, say: Callable[[str], None]) -> Line:
        """A line that says everything again."""
        say(json.dumps({"type": "goodbye", "reason": f"{table} {language}", "again": False}))
        return Line(say)

    async def _keep(self, wish: dict[str, Any]) -> Any:
        try:
            done = await getattr(self._storage, wish["do"])(*wish["with"])
        except Exception as error:
            return {"refused": getattr(error, "name", type(error).__name__)}
        return {"done": done.to_py() if hasattr(done, "to_py") else done}


class Line:
    """Says what it hears."""

    def __init__(self, say: Callable[[str], None]) -> None:
        self._say = say

    async def hear(self, text: str) -> None:
        """Say it."""
        self._say(text)

    def close(self) -> None:
        """Say no more."""
        self._say = lambda _: None


def _told(value: Any) -> tuple[int, dict[str, str], bytes]:
    return 200, {"content-type": "application/json"}, json.dumps(value).encode()


house = House
