"""A device with the house inside its page, and somebody who plays there."""

from __future__ import annotations

import asyncio
import json
from collections.abc import Callable
from hashlib import sha256
from random import Random
from typing import Any

import msgspec

from ultimo import series
from ultimo.pocket.house import House
from ultimo.pocket.storage import Memory
from ultimo.pocket.tables import Table
from ultimo.table.messages import Act, Ready, Wish

SEATS = [{"kind": "host"}, {"kind": "bot", "level": "club"}, {"kind": "bot", "level": "beginner"}]


class Clock:
    """Time that goes on by itself, a second each time it is looked at."""

    def __init__(self) -> None:
        self.now = 1_800_000_000.0

    def __call__(self) -> float:
        self.now += 1
        return self.now


class Secret:
    """What stands for chance: the same every time, and never twice alike."""

    def __init__(self) -> None:
        self.number = 0

    def __call__(self) -> str:
        self.number += 1
        return sha256(str(self.number).encode()).hexdigest()


class Device:
    """A device with a page."""

    def __init__(self, storage: Memory | None = None) -> None:
        self.storage = storage or Memory()
        self.house = House(self.storage, Clock(), Secret())
        self.told: list[dict[str, Any]] = []

    async def ask(self, method: str, path: str, body: object = None, language: str = "en") -> tuple[int, Any]:
        """What is answered to a request."""
        sent = "" if body is None else json.dumps(body)
        status, headers, found = await self.house.answer(method, path, sent, language)
        return status, json.loads(found) if headers["content-type"] == "application/json" and found else found

    async def table(self, **more: object) -> str:
        """A table with bots."""
        settings = {"rules": "dtf", "size": 3, "seats": SEATS, "deals": 1, "tempo": "instant", **more}
        status, made = await self.ask("POST", "/api/tables", {"settings": settings})
        assert status == 201
        return str(made["id"])

    async def play(self, table: str, until: Callable[[Table], bool]) -> None:
        """Sit down and play anything that is legal."""
        talk = await self.house.open(table, "en", lambda text: self.told.append(json.loads(text)))
        assert talk is not None
        held, rng, number = await self.house.tables.hold(table), Random(table), 0
        while not until(held):
            assert not is_over(held)
            wish = self.wish(held, rng)
            if wish is not None:
                number += 1
                cmd = f"{held.live.seq:08}-{number}"
                await talk.hear(json.dumps({"type": "do", "cmd": cmd, "wish": msgspec.to_builtins(wish)}))
            await asyncio.sleep(0)
        talk.close()

    def wish(self, held: Table, rng: Random) -> Wish | None:
        """What the person wants."""
        live = held.live
        if live.series is None:
            return None
        if 0 not in live.waiting_for:
            return Ready() if live.series.deals and not live.series.playing else None
        return Act(series.legal(live.rules, live.series, 0).draw(rng))


def is_over(held: Table) -> bool:
    return held.live.moment == "over"


def in_a_trick(held: Table) -> bool:
    """Whether somebody has led to the fourth trick and the person is to follow."""
    state = held.live.series and held.live.series.deal
    return bool(state and len(state.tricks) >= 3 and state.trick and 0 in held.live.waiting_for)


# --- what a device has kept --------------------------------------------------------------------------------

NAMES = ("Karen", "Bo", "Ida")
PLAIN = {"game": "danish", "winner": 1, "counts": {"1": 30, "0": 20}}


async def write_sheet(device: Device, deals: int) -> str:
    """A score sheet with some deals and a note."""
    key = str((await device.ask("POST", "/api/sheets", {"rules": "dtf", "names": NAMES}))[1]["id"])
    wishes: list[Any] = [{"type": "BookDeal", "entry": PLAIN}] * deals
    for place, wish in enumerate([*wishes, {"type": "NoteDeal", "deal": 1, "text": "in the tunnel"}], 1):
        write = {"cmd": f"command-{place}", "base": place, "wish": wish}
        assert (await device.ask("POST", f"/api/sheets/{key}", write))[0] == 200
    return key


async def play_session(device: Device, deals: int) -> str:
    """A session to its end."""
    table = await device.table(deals=deals)
    await device.play(table, is_over)
    return table


async def rows_of(device: Device, log: str) -> tuple[str, ...]:
    """The rows of a log as the device keeps them."""
    return tuple(row for _, row in await device.storage.read(log))
