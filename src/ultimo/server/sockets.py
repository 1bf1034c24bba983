"""The socket of a page at a table: commands come in, scenes go out.

Whoever sends what cannot be understood, too much or too often is told so once, and the socket is closed.
Nothing that comes over a socket raises out of here.
"""

from __future__ import annotations

import asyncio
import time
from dataclasses import dataclass
from functools import partial
from typing import Final

import msgspec
from msgspec.structs import replace
from starlette.websockets import WebSocket, WebSocketDisconnect, WebSocketState

from ultimo.answers.cleaning import clean
from ultimo.answers.refusing import Refusal, refusal_of, sentence
from ultimo.events import IllegalAction
from ultimo.rulebook import UnknownVersion
from ultimo.server import logs, metrics
from ultimo.server.accounts import hashed
from ultimo.server.appending import Deleted, TableId, UnknownTable
from ultimo.server.database import Full, Unavailable
from ultimo.server.held import Viewer
from ultimo.server.house import House, check_written, house, session_key, session_of
from ultimo.server.http import language
from ultimo.server.keeper import Closing, NoRoom, Permit
from ultimo.server.programs import MAY, Ears, program_of
from ultimo.server.quotas import OverQuota
from ultimo.server.security import address, is_own, note
from ultimo.server.store import Player
from ultimo.server.tables import room, room_for_an_expert
from ultimo.table import messages
from ultimo.telling.citations import cited_if

RESTARTING: Final = 1012
TOO_LARGE: Final = 1009
FAILED: Final = 1011
MALFORMED: Final = 4400
REMOVED: Final = 4403
UNKNOWN: Final = 4404
OTHER_RULES: Final = 4409
FLOOD: Final = 4429
RESENDS: Final = 20  # commands that a page may send again when it has come back, before it sends others
NAMED: Final = (messages.Sit, messages.Say, messages.Rematch)  # write down the name that the speaker has now
LOOK: Final = 300.0  # seconds after which it is looked whether a session has ended unheard
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
    except Unavailable as error:  # the page comes back, and sends again what has no answer
        logs.logger().warning("no answer from the database", error=str(error))
        await _close(socket, RESTARTING)
    except (Refusal, UnknownVersion) as error:
        refusal = refusal_of(error, OTHER_RULES)
        note(refusal.why, address=address(socket))
        why = sentence(tongue, refusal.why, **refusal.values)
        await _say(socket, messages.Goodbye(why, comes_again(refusal)))
        await _close(socket, refusal.status)


def comes_again(refusal: Refusal) -> bool:
    """Whether a page that is sent away comes back by itself, as when the server stops, or after a rest."""
    return refusal.status == RESTARTING or refusal.why == "tooMany"


async def _watch(socket: WebSocket, here: House, language: str) -> None:
    """Show somebody a table for as long as they stay."""
    game = await here.store.game(socket.path_params["table"])
    if game is None:
        raise Refusal(UNKNOWN, "unknownTable")
    if not game.kept:
        raise Refusal(UNKNOWN, "logGone")
    if game.device:
        raise Refusal(UNKNOWN, "playedOnDevice")
    player = await program_of(socket, game.id)
    ears, token = None if player is None else Ears(player), None
    if player is None and (session := await session_of(socket)) is not None:
        # who may have been a guest when they sat down
        player = replace(session.player, id=await here.store.known_as(game.id, session.player.id))
        token = hashed(session.token)
    try:
        viewer = await here.keeper.watch(game.id, player, language, address(socket))
    except NoRoom as full:
        raise Refusal(REMOVED if full.why == "removed" else FLOOD, full.why, most=full.most) from None
    try:
        await Talk(socket, here, game.id, player, viewer, token, ears).run()
    finally:
        viewer.close()


@dataclass(slots=True)
class Talk:
    """What goes to and fro over one socket."""

    socket: WebSocket
    here: House
    table: TableId
    player: Player | None
    viewer: Viewer
    token: str | None = None  # the hash of that of the session; a program has none
    ears: Ears | None = None  # of a program, which is sent events instead of scenes
    resends: int = RESENDS

    async def run(self) -> None:
        """Serve the page until it goes, or the server does."""
        works = self._show(), self._listen(), self._until_logged_out()
        tasks = {asyncio.create_task(work) for work in works}
        try:
            ended, _ = await asyncio.wait(tasks, return_when=asyncio.FIRST_COMPLETED)
            while ended:
                ended.pop().result()
        finally:
            await _end(tasks)

    async def _show(self) -> None:
        """Send what the viewer sees; it sees no more when the server stops, or the host sends it away."""
        async for message in self.viewer:
            if self.ears is not None and not self.viewer.leaving:
                message = self.ears.hear(self.viewer.live)
            if message:
                await _send(self.socket, message)
        await _close(self.socket, REMOVED if self.viewer.sent_away else RESTARTING)

    async def _until_logged_out(self) -> None:
        """Wait until the session has ended, wherever that happens; it is looked for now and then."""
        followers = self.here.followers
        with followers.listening(session_key(self.socket)) as woken:
            while not followers.closed:
                woken.clear()
                if self.player is not None:
                    await self._speaker(self.player)
                await followers.wait(woken, LOOK)
        await asyncio.Event().wait()  # the server stops, and the viewer says goodbye

    async def _speaker(self, player: Player) -> Player:
        """Who speaks, by the name they have now; a program has no session, it goes by its token."""
        if self.ears is not None:
            return player
        session = await session_of(self.socket)
        if session is None:  # logged out, or in: there is another token
            raise Refusal(RESTARTING, "noSession")
        return replace(player, name=session.player.name)

    async def _listen(self) -> None:
        while True:
            message = await self.socket.receive()
            if message["type"] == "websocket.disconnect":
                if reason := DROPPED.get(message.get("code") or 0):
                    note(reason, address=address(self.socket))
                return
            if not self.viewer.seated:
                async with self.here.limits.lane:
                    await asyncio.sleep(0)  # seats come first
            await self._heard(self._read(message.get("text")))

    def _read(self, text: str | None) -> messages.PageMessage:
        if not self.here.limits.messages.take(self.viewer.person, time.monotonic()):
            raise Refusal(FLOOD, "flood")
        return message_of(text)

    async def _heard(self, message: messages.PageMessage) -> None:
        match message:
            case messages.Ping():
                await _say(self.socket, messages.Pong(self.here.clock()))
            case messages.Resync() if self._may_ask():
                self.viewer.resync()
            case messages.Resync():
                self.viewer.resync_later()
            case messages.Do(cmd=cmd, wish=wish):
                if (answer := await self._done(cmd, wish)) is not None:
                    await _say(self.socket, answer)

    async def _done(self, cmd: str, wish: messages.Wish) -> messages.Done | messages.Refused | None:
        """The answer to a command; none if the server says goodbye, so that the page sends it to the next.

        Whatever is refused is not in the log. Where nobody knows that, `Unavailable` ends the talk.
        """
        if self.player is None:
            return await self._refused(cmd, "noSession")
        if self.ears is not None and not isinstance(wish, MAY):
            return await self._refused(cmd, "notForPrograms")
        if why := "dayWritten" if self._written_enough(self.player, wish) else self._too_much(wish):
            return await self._refused(cmd, why)
        player = await self._speaker(self.player) if isinstance(wish, NAMED) else self.player
        if self.viewer.leaving:
            return None
        if isinstance(wish, messages.Say):
            wish = messages.Say(clean(wish.text))
            if not wish.text:
                return await self._refused(cmd, "nothingSaid")
        try:
            permit = Permit(partial(room, self.socket, player.id), partial(room_for_an_expert, self.socket))
            seq = await self.here.keeper.do(self.table, player, cmd, wish, self.token, permit)
        except IllegalAction as error:
            return self._illegal(cmd, wish, error)
        except Closing:
            return None
        except Deleted:
            raise Refusal(RESTARTING, "noSession") from None
        except Refusal as refusal:  # the table of a rematch, or an expert
            return await self._refused(cmd, refusal.why, **refusal.values)
        except UnknownTable:  # its log was deleted while it was watched
            return await self._refused(cmd, "logGone")
        except Full:
            return await self._refused(cmd, "diskFull")
        except Unavailable:
            metrics.COMMANDS.labels("unanswered").inc()
            raise
        except Exception:
            metrics.COMMANDS.labels("failed").inc()
            logs.logger().exception("command failed", wish=type(wish).__name__)
            return messages.Refused(cmd, sentence(self.viewer.language, "failed"))
        metrics.COMMANDS.labels("done").inc()
        return messages.Done(cmd, seq)

    def _too_much(self, wish: messages.Wish) -> str:
        """Which sentence refuses a wish: one person says too much, or all who watch ask for too much."""
        limits = self.here.limits
        if isinstance(wish, messages.Say) and not limits.words.take(self.viewer.person, time.monotonic()):
            return "talkTooFast"
        return "" if self._may_ask() else "tableBusy"

    def _written_enough(self, player: Player, wish: messages.Wish) -> bool:
        """Whether somebody has written so much today that they begin nothing more."""
        try:
            if not isinstance(wish, messages.ONWARD):
                check_written(self.socket, player.id)
        except OverQuota:
            return True
        return False

    def _may_ask(self) -> bool:
        """Whether something is done at once: for a seat always, for spectators within their limit."""
        if self.viewer.seated:
            return True
        return self.here.limits.spectators.take(self.table, time.monotonic())

    def _illegal(self, cmd: str, wish: messages.Wish, error: IllegalAction) -> messages.Refused:
        metrics.COMMANDS.labels("refused").inc()
        note("illegal", wish=type(wish).__name__, player=self.player.id if self.player else None)
        return messages.Refused(
            cmd, self.viewer.teller.refusal(error), cited_if(error.cite, self.viewer.language)
        )

    async def _refused(self, cmd: str, why: str, **values: object) -> messages.Done | messages.Refused:
        """Refuse a command, unless it was obeyed when it came for the first time."""
        if self.player is not None and self.resends:
            self.resends -= 1
            seq = await self.here.store.applied(self.table, self.player.id, cmd)
            if seq is not None:
                return messages.Done(cmd, seq)
        metrics.COMMANDS.labels("refused").inc()
        note(why, address=address(self.socket))
        return messages.Refused(cmd, sentence(self.viewer.language, why, **values))


async def _end(tasks: set[asyncio.Task[None]]) -> None:
    """Cancel tasks, and forget them: what they have raised holds on to whoever waited for them."""
    for task in tasks:
        task.cancel()
    await asyncio.gather(*tasks, return_exceptions=True)
    tasks.clear()


def message_of(text: str | None) -> messages.PageMessage:
    """What a page has sent, if it can be understood; raises `Refusal`."""
    if text is None:
        raise Refusal(MALFORMED, "malformed")
    try:
        if len(text) > messages.MAX_FRAME or len(data := text.encode()) > messages.MAX_FRAME:
            raise Refusal(TOO_LARGE, "largeMessage", most=messages.MAX_FRAME)
        return READER.decode(data)
    except (msgspec.DecodeError, RecursionError, UnicodeError):
        raise Refusal(MALFORMED, "malformed") from None


async def _say(socket: WebSocket, message: messages.ServerMessage) -> None:
    await _send(socket, WRITER.encode(message))


async def _send(socket: WebSocket, message: bytes) -> None:
    """Send something, unless it was found out meanwhile that the other side has gone."""
    if socket.application_state is WebSocketState.DISCONNECTED:
        raise WebSocketDisconnect
    await socket.send_text(message.decode())


async def _close(socket: WebSocket, code: int) -> None:
    """Close the socket, if the other side has not."""
    try:
        await socket.close(code)
    except (RuntimeError, WebSocketDisconnect):
        logs.logger().debug("closed already")
