"""The socket of a page at a table: commands come in, scenes go out.

Whoever sends what cannot be understood, too much or too often is told so once, and the socket is closed.
Nothing that comes over a socket raises out of here.
"""

from __future__ import annotations

import asyncio
import time
from typing import Final

import msgspec
from msgspec.structs import replace
from starlette.websockets import WebSocket, WebSocketDisconnect

from ultimo.events import IllegalAction
from ultimo.server import logs, metrics
from ultimo.server.accounts import clean
from ultimo.server.house import House, house, session_of
from ultimo.server.http import language
from ultimo.server.keeper import Closing
from ultimo.server.limits import Bucket
from ultimo.server.security import address, is_own, note
from ultimo.server.store import Game, Player
from ultimo.server.viewer import Viewer
from ultimo.server.words import sentence, told_by
from ultimo.table import messages
from ultimo.telling.citations import cited_if

RESTARTING: Final = 1012
TOO_LARGE: Final = 1009
FAILED: Final = 1011
MALFORMED: Final = 4400
UNKNOWN: Final = 4404
FLOOD: Final = 4429
DROPPED: Final = {1002: "broken frame", 1007: "not UTF-8", 1009: "large frame"}  # by the protocol itself

READER: Final[msgspec.json.Decoder[messages.PageMessage]] = msgspec.json.Decoder(messages.PageMessage)
WRITER: Final = msgspec.json.Encoder()


class Fault(Exception):
    """Why a page is sent away: the code of the close, which sentence says so, and whether to come again."""

    def __init__(self, code: int, why: str, again: bool = False, **values: object) -> None:
        super().__init__(why)
        self.code = code
        self.why = why
        self.again = again
        self.values = values


async def table(socket: WebSocket) -> None:
    """Let a page in, if it may come in, and serve it until it goes."""
    here, where = house(socket), address(socket)
    with here.sockets.hold(where) as place, logs.about(table=socket.path_params["table"]):
        try:
            if is_own(socket, here.config.origins):
                await socket.accept()
                with metrics.SOCKETS.track_inprogress():
                    await _serve(socket, here, place)
            else:
                note("foreignOrigin", address=where)
                await socket.close()
        except WebSocketDisconnect:
            pass
        except Exception:
            logs.logger().exception("socket failed")
            await _close(socket, FAILED)


async def _serve(socket: WebSocket, here: House, place: bool) -> None:
    tongue = language(socket)
    try:
        if not place:
            raise Fault(FLOOD, "tooManySockets")
        if not here.costly.take(address(socket), time.monotonic()):
            raise Fault(FLOOD, "tooMany")
        await _watch(socket, here, tongue)
    except Closing:
        await _close(socket, RESTARTING)
    except Fault as fault:
        note(fault.why, address=address(socket))
        await _say(socket, messages.Goodbye(sentence(tongue, fault.why, **fault.values), fault.again))
        await _close(socket, fault.code)


async def _watch(socket: WebSocket, here: House, language: str) -> None:
    """Show somebody a table for as long as he stays."""
    game = await here.store.game(socket.path_params["table"])
    if game is None:
        raise Fault(UNKNOWN, "unknownTable")
    session = await session_of(socket)
    player = None if session is None else await _known_as(here, game, session.player)
    viewer = await here.keeper.watch(game.id, player, language)
    try:
        await Talk(socket, here, game, player, viewer, language).run()
    finally:
        viewer.close()


async def _known_as(here: House, game: Game, player: Player) -> Player:
    """Somebody as the table knows him, who may have been a guest when he sat down."""
    return replace(player, id=await here.store.known_as(game.id, player.id))


class Talk:
    """What goes to and fro over one socket."""

    def __init__(
        self, socket: WebSocket, here: House, game: Game, player: Player | None, viewer: Viewer, language: str
    ) -> None:
        self._socket = socket
        self._here = here
        self._game = game
        self._player = player
        self._viewer = viewer
        self._language = language
        self._bucket = Bucket(here.config.message_burst, here.config.message_rate, time.monotonic())

    async def run(self) -> None:
        """Serve the page until it goes, or the server does."""
        tasks = {asyncio.create_task(self._show()), asyncio.create_task(self._listen())}
        try:
            ended, _ = await asyncio.wait(tasks, return_when=asyncio.FIRST_COMPLETED)
            for task in ended:
                task.result()
        finally:
            for task in tasks:
                task.cancel()
            await asyncio.gather(*tasks, return_exceptions=True)

    async def _show(self) -> None:
        """Send what the viewer sees; it sees no more when the server stops."""
        async for message in self._viewer:
            await self._socket.send_text(message.decode())
        await _close(self._socket, RESTARTING)

    async def _listen(self) -> None:
        while True:
            message = await self._socket.receive()
            if message["type"] == "websocket.disconnect":
                if reason := DROPPED.get(message.get("code") or 0):
                    note(reason, address=address(self._socket))
                return
            await self._heard(self._read(message.get("text")))

    def _read(self, text: str | None) -> messages.PageMessage:
        if not self._bucket.take(time.monotonic()):
            raise Fault(FLOOD, "flood")
        if text is None:
            raise Fault(MALFORMED, "malformed")
        if len(text) > messages.MAX_FRAME or len(data := text.encode()) > messages.MAX_FRAME:
            raise Fault(TOO_LARGE, "largeMessage", most=messages.MAX_FRAME)
        try:
            return READER.decode(data)
        except (msgspec.DecodeError, RecursionError, UnicodeError):
            raise Fault(MALFORMED, "malformed") from None

    async def _heard(self, message: messages.PageMessage) -> None:
        match message:
            case messages.Ping():
                await _say(self._socket, messages.Pong(self._here.clock()))
            case messages.Resync():
                self._viewer.resync()
            case messages.Do(cmd=cmd, wish=wish):
                if (answer := await self._done(cmd, wish)) is not None:
                    await _say(self._socket, answer)

    async def _done(self, cmd: str, wish: messages.Wish) -> messages.Done | messages.Refused | None:
        """The answer to a command; none if the server stops, so that the page sends it to the next."""
        if self._player is None:
            return self._refused(cmd, "noSession")
        if (session := await session_of(self._socket)) is None:  # logged out, or in: there is another token
            raise Fault(RESTARTING, "noSession", again=True)
        player = replace(self._player, name=session.player.name)
        if isinstance(wish, messages.Say):
            wish = messages.Say(clean(wish.text))
            if not wish.text:
                return self._refused(cmd, "nothingSaid")
        try:
            seq = await self._here.keeper.do(self._game.id, player, cmd, wish)
        except IllegalAction as error:
            return self._illegal(cmd, wish, error)
        except Closing:
            return None
        except Exception:
            metrics.COMMANDS.labels("failed").inc()
            logs.logger().exception("command failed", wish=type(wish).__name__)
            return messages.Refused(cmd, sentence(self._language, "failed"))
        metrics.COMMANDS.labels("done").inc()
        return messages.Done(cmd, seq)

    def _illegal(self, cmd: str, wish: messages.Wish, error: IllegalAction) -> messages.Refused:
        metrics.COMMANDS.labels("refused").inc()
        note("illegal", wish=type(wish).__name__, player=self._player.id if self._player else None)
        return messages.Refused(
            cmd, told_by(self._viewer.teller, error), cited_if(error.cite, self._language)
        )

    def _refused(self, cmd: str, why: str) -> messages.Refused:
        metrics.COMMANDS.labels("refused").inc()
        note(why, address=address(self._socket))
        return messages.Refused(cmd, sentence(self._language, why))


async def _say(socket: WebSocket, message: messages.ServerMessage) -> None:
    await socket.send_text(WRITER.encode(message).decode())


async def _close(socket: WebSocket, code: int) -> None:
    """Close the socket, if the other side has not."""
    try:
        await socket.close(code)
    except (RuntimeError, WebSocketDisconnect):
        logs.logger().debug("closed already")
