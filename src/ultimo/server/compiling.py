"""Compiles what bots need while the server is in use, in a process that lets all others go first."""

from __future__ import annotations

import asyncio
import os
from concurrent.futures import ProcessPoolExecutor
from multiprocessing import get_context

from ultimo.players.warming import CLUB, compile_once, is_ready
from ultimo.rulebook import DanishRules, Rules
from ultimo.server.logs import logger
from ultimo.server.processes import begin, end

NICE = 10  # how far it stands back


class Compiling:
    """The parts of the club's that are not compiled yet; those come first that tables have asked for."""

    def __init__(self) -> None:
        self._waiting = [name for name in CLUB if not is_ready(name)]

    @property
    def waiting(self) -> tuple[str, ...]:
        """What is left to compile, in its order."""
        return tuple(self._waiting)

    def ask_for(self, rules: Rules) -> None:
        """Let the family come next that is played by these rules."""
        name = "Danish club" if isinstance(rules, DanishRules) else "French club"
        if name in self._waiting:
            self._waiting.remove(name)
            self._waiting.insert(0, name)

    async def run(self) -> bool:
        """Compile one part after another; whether that went well."""
        loop = asyncio.get_running_loop()
        pool = ProcessPoolExecutor(1, get_context("spawn"), initializer=_begin)
        try:
            while self._waiting:
                name = self._waiting.pop(0)
                logger().info("compiling", part=name)
                seconds = await loop.run_in_executor(pool, compile_once, name)
                logger().info("compiled", part=name, seconds=round(seconds, 1))
        except Exception:
            logger().exception("compiling has failed: bots go on uncompiled")
            return False
        finally:
            await asyncio.to_thread(end, pool)
        return True


def _begin() -> None:
    """Get the process ready: it ends when its server does, and yields to everybody."""
    begin()
    os.nice(NICE)
