"""`ultimo sit`: let a program play at a table of a server, in the seat that its token is for."""

from __future__ import annotations

import os
import secrets
import shlex
import time
from argparse import ArgumentParser, Namespace
from collections.abc import Iterator
from pathlib import Path
from typing import TYPE_CHECKING, Final
from urllib.parse import urlsplit

import msgspec

from ultimo import deal, fair, rulebook, series
from ultimo.cli import figures, given
from ultimo.cli.complaint import Complaint
from ultimo.players import Player, View, Watcher, create
from ultimo.players.player import COMMAND, Fault, see_off

if TYPE_CHECKING:
    from websockets.sync.client import ClientConnection

    from ultimo.server.programs import Before, Told
    from ultimo.table.messages import Wish

TOKEN: Final = "ULTIMO_TOKEN"
BURST, RATE = 15, 7.0  # messages: a little less than a server takes if nothing else is set
TRIES: Final = 6  # connections in a row that come to nothing


def arguments(parser: ArgumentParser) -> None:
    """The arguments of the command."""
    parser.add_argument("--url", metavar="URL", required=True, help="the server, e.g. https://tarok.example")
    parser.add_argument("--table", metavar="ID", required=True, help="the table, as in the link to it")
    parser.add_argument(
        "--program", metavar="CMD", required=True, help="the program and its arguments (docs/protocol.md)"
    )
    parser.add_argument(
        "--token",
        metavar="FILE",
        help=f"the file with the token of the seat (without it, the environment variable {TOKEN})",
    )
    given.add_programs(parser)


def run(arguments: Namespace) -> int:
    """Play until the game is over."""
    figures.need("websockets", "web")
    figures.need("numpy", "fast")
    token = _token(arguments)
    try:
        player = create(
            f"{COMMAND}{arguments.program}",
            secrets.token_hex(8),
            limit=arguments.limit,
            errors=given.errors(arguments),
        )
    except ValueError as error:
        raise Complaint(error) from error
    seat = Seat(player)
    try:
        _play(seat, arguments.url.rstrip("/"), arguments.table, token)
    finally:
        (failed,) = see_off([player])
    print("\n".join(_lines(seat, shlex.split(arguments.program)[0], failed)))
    return 0


def _token(arguments: Namespace) -> str:
    if arguments.token is not None:
        return given.read(arguments.token).decode(errors="replace").strip()
    if token := os.environ.get(TOKEN, "").strip():
        return token
    raise Complaint(f"give the token of the seat: --token FILE, or the environment variable {TOKEN}")


def _lines(seat: Seat, program: str, failed: list[Fault]) -> Iterator[str]:
    yield f"The game is over: {seat.deals} deals, {figures.number(seat.total)} points"
    if failed:
        found: dict[str, tuple[int, str]] = {}
        for fault in failed:
            count, first = found.get(fault.kind, (0, fault.message))
            found[fault.kind] = count + 1, first
        yield from figures.faults(Path(program).name, found)


# --- the seat ------------------------------------------------------------------------------------------


class Seat:
    """What a seat at a table knows from what the server tells it, and what its player wishes."""

    def __init__(self, player: Player) -> None:
        self._player = player
        self._view: View | None = None
        self._secrets: dict[int, str] = {}  # by the attempts for which they are
        self._deal = -1
        self._heard = self._acted = self._ready = 0  # events, those before the last action, the last deal

    @property
    def deals(self) -> int:
        """How many deals are over."""
        return 0 if self._view is None else self._view.series.deals

    @property
    def total(self) -> int:
        """What the seat has made in all of them."""
        return 0 if self._view is None else self._view.series.totals[self._view.seat]

    def wishes(self, told: Told) -> Iterator[Wish]:
        """What follows from what is told."""
        from ultimo.table import messages

        self._hear(told)
        if told.commit and told.commit not in self._secrets:
            self._secrets[told.commit] = secrets.token_hex(32)
            yield messages.Commit(told.commit, fair.commitment(self._secrets[told.commit]))
        if told.reveal in self._secrets:  # once too often is refused, and does no harm
            yield messages.Reveal(told.reveal, self._secrets[told.reveal])
        if told.replaced:
            yield messages.TakeBack()
        if told.turn and self._view is not None and self._heard > self._acted:
            self._acted = self._heard
            choices = deal.legal(self._view.rules, self._view.deal, self._view.seat)
            yield messages.Act(self._player.choose(self._view, choices))
        elif told.unready and self._ready < self.deals:
            self._ready = self.deals
            yield messages.Ready()

    def _hear(self, told: Told) -> None:
        if told.before is not None:
            self._begin(told.before)
        for number, event in enumerate(told.events, told.start):
            assert self._view is not None
            rules, seat = self._view.rules, self._view.seat
            self._view = View(rules, seat, series.evolve(rules, self._view.series, event))
            if number >= self._heard:
                self._heard = number + 1
                if isinstance(self._player, Watcher):
                    self._player.see(self._view, event)

    def _begin(self, before: Before) -> None:
        """A deal begins, or is told once more from its beginning."""
        rules = rulebook.load(before.rules, before.house, before.digest)
        stood = series.State(before.names, before.dealer, before.out, before.totals)
        stood = msgspec.structs.replace(stood, king=before.king, pagat=before.pagat, deals=before.deals)
        self._view = View(rules, before.seat, stood)
        self._acted = 0
        if before.deals != self._deal:
            self._deal, self._heard = before.deals, 0


# --- the connection ------------------------------------------------------------------------------------


def _play(seat: Seat, url: str, table: str, token: str) -> None:
    """Play over one connection after the other, as long as they bring something."""
    from websockets.exceptions import ConnectionClosed, InvalidHandshake, InvalidURI
    from websockets.sync.client import connect
    from websockets.typing import Origin

    parts, failed = urlsplit(url), 0
    if parts.scheme not in ("http", "https"):
        raise Complaint(f"{url}: write the address of the server as https://…")
    address = f"{url.replace('http', 'ws', 1)}/ws/{table}?lang=en"
    headers = {"Authorization": f"Bearer {token}"}
    while True:
        try:
            origin = Origin(f"{parts.scheme}://{parts.netloc}")
            with connect(address, origin=origin, additional_headers=headers) as socket:
                for over in _talk(seat, socket):
                    if over:
                        return
                    failed = 0
            why = "the connection ends"
        except (OSError, ConnectionClosed, InvalidHandshake, InvalidURI) as error:
            why = str(error)
        except msgspec.MsgspecError as error:
            raise Complaint(f"{url}: the server speaks another version ({error})") from error
        failed += 1
        if failed == TRIES:
            raise Complaint(f"{url}: the table cannot be reached ({why})")
        time.sleep(0.1 * 2**failed)


def _talk(seat: Seat, socket: ClientConnection) -> Iterator[bool]:
    """Do what the server tells; after each time whether the game is over."""
    from ultimo.server.limits import Bucket
    from ultimo.server.programs import Told
    from ultimo.table.messages import Do, Done, Goodbye, Pong, Refused

    reader = msgspec.json.Decoder(Told | Done | Refused | Goodbye | Pong)
    bucket = Bucket(BURST, RATE, time.monotonic())
    for text in socket:
        match reader.decode(text):
            case Told() as told:
                for wish in seat.wishes(told):
                    while not bucket.take(time.monotonic()):
                        time.sleep(0.05)
                    socket.send(msgspec.json.encode(Do(secrets.token_hex(8), wish)).decode())
                yield told.moment == "over"
            case Goodbye(reason=reason, again=False):
                raise Complaint(reason)
