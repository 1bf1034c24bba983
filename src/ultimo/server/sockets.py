"""The socket of a page at a table: commands come in, scenes go out.

Whoever sends what cannot be understood, too much or too often is told so once, and the socket is closed.
Nothing that comes over a socket raises out of here.
"""

from __future__ import annotations

import asyncio
import time
from dataclasses import dataclass
from typing import Final

import msgspec
from msgspec.structs import replace
from starlette.websockets import WebSocket, WebSocketDisconnect

from ultimo.events import IllegalAction
from ultimo.server import logs, metrics
from ultimo.server.accounts import clean
from ultimo.server.held import Viewer
from ultimo.server.house import House, house, session_of
from ultimo.server.http import Refusal, language, sentence, told_by
from ultimo.server.keeper import Closing
from ultimo.server.limits import Bucket
from ultimo.server.security import address, is_own, note
from ultimo.server.store import Player, TableId
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
            raise Refusal(FLOOD, "tooManySockets")
        if not here.costly.take(address(socket), time.monotonic()):
            raise Refusal(FLOOD, "tooMany")
        await _watch(socket, here, tongue)
    except Closing:
        await _close(socket, RESTARTING)
    except Refusal as refusal:
        note(refusal.why, address=address(socket))
        why, again = sentence(tongue, refusal.why, **refusal.values), refusal.status == RESTARTING
        await _say(socket, messages.Goodbye(why, again))
        await _close(socket, refusal.status)


async def _watch(socket: WebSocket, here: House, language: str) -> None:
    """Show somebody a table for as long as they stay."""
    game = await here.store.game(socket.path_params["table"])
    if game is None:
        raise Refusal(UNKNOWN, "unknownTable")
    session, player = await session_of(socket), None
    if session is not None:  # who may have been a guest when they sat down
        player = replace(session.player, id=await here.store.known_as(game.id, session.player.id))
    viewer = await here.keeper.watch(game.id, player, language)
    bucket = Bucket(here.config.message_burst, here.config.message_rate, time.monotonic())
    try:
        await Talk(socket, here, game.id, player, viewer, bucket).run()
    finally:
        viewer.close()


@dataclass(frozen=True, slots=True)
class Talk:
    """What goes to and fro over one socket."""

    socket: WebSocket
    here: House
    table: TableId
    player: Player | None
    viewer: Viewer
    bucket: Bucket

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
        async for message in self.viewer:
            await self.socket.send_text(message.decode())
        await _close(self.socket, RESTARTING)

    async def _listen(self) -> None:
        while True:
            message = await self.socket.receive()
            if message["type"] == "websocket.disconnect":
                if reason := DROPPED.get(message.get("code") or 0):
                    note(reason, address=address(self.socket))
                return
            await self._heard(self._read(message.get("text")))

    def _read(self, text: str | None) -> messages.PageMessage:
        if not self.bucket.take(time.monotonic()):
            raise Refusal(FLOOD, "flood")
        if text is None:
            raise Refusal(MALFORMED, "malformed")
        try:
            if len(text) > messages.MAX_FRAME or len(data := text.encode()) > messages.MAX_FRAME:
                raise Refusal(TOO_LARGE, "largeMessage", most=messages.MAX_FRAME)
            return READER.decode(data)
        except (msgspec.DecodeError, RecursionError, UnicodeError):
            raise Refusal(MALFORMED, "malformed") from None

    async def _heard(self, message: messages.PageMessage) -> None:
        match message:
            case messages.Ping():
                await _say(self.socket, messages.Pong(self.here.clock()))
            case messages.Resync():
                self.viewer.resync()
            case messages.Do(cmd=cmd, wish=wish):
                if (answer := await self._done(cmd, wish)) is not None:
                    await _say(self.socket, answer)

    async def _done(self, cmd: str, wish: messages.Wish) -> messages.Done | messages.Refused | None:
        """The answer to a command; none if the server stops, so that the page sends it to the next."""
        if self.player is None:
            return self._refused(cmd, "noSession")
        if (session := await session_of(self.socket)) is None:  # logged out, or in: there is another token
            raise Refusal(RESTARTING, "noSession")
        player = replace(self.player, name=session.player.name)
        if isinstance(wish, messages.Say):
            wish = messages.Say(clean(wish.text))
            if not wish.text:
                return self._refused(cmd, "nothingSaid")
        try:
            seq = await self.here.keeper.do(self.table, player, cmd, wish)
        except IllegalAction as error:
            return self._illegal(cmd, wish, error)
        except Closing:
            return None
        except Exception:
            metrics.COMMANDS.labels("failed").inc()
            logs.logger().exception("command failed", wish=type(wish).__name__)
            return messages.Refused(cmd, sentence(self.viewer.language, "failed"))
        metrics.COMMANDS.labels("done").inc()
        return messages.Done(cmd, seq)

    def _illegal(self, cmd: str, wish: messages.Wish, error: IllegalAction) -> messages.Refused:
        metrics.COMMANDS.labels("refused").inc()
        note("illegal", wish=type(wish).__name__, player=self.player.id if self.player else None)
        return messages.Refused(
            cmd, told_by(self.viewer.teller, error), cited_if(error.cite, self.viewer.language)
        )

    def _refused(self, cmd: str, why: str) -> messages.Refused:
        metrics.COMMANDS.labels("refused").inc()
        note(why, address=address(self.socket))
        return messages.Refused(cmd, sentence(self.viewer.language, why))


async def _say(socket: WebSocket, message: messages.ServerMessage) -> None:
    await socket.send_text(WRITER.encode(message).decode())


async def _close(socket: WebSocket, code: int) -> None:
    """Close the socket, if the other side has not."""
    try:
        await socket.close(code)
    except (RuntimeError, WebSocketDisconnect):
        logs.logger().debug("closed already")
