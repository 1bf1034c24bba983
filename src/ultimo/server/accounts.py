"""Who somebody is: guests first, accounts for those who want one, and the sessions of both.

A session is a random token in a cookie, of which the database has only the hash. Whoever changes what they
are, by an account, by logging in or by another password, gets a new token; the old one ends. All that is open
for a session is closed when it ends.
"""

from __future__ import annotations

import asyncio
import hashlib
import secrets
import time
from collections.abc import Callable, Iterable
from contextlib import suppress
from typing import Final, NamedTuple

from argon2 import PasswordHasher
from argon2.exceptions import InvalidHashError, VerificationError

from ultimo.answers.cleaning import clean_name, guest_name
from ultimo.answers.refusing import Refusal
from ultimo.server.clock import DAY
from ultimo.server.database import Full
from ultimo.server.limits import Lane
from ultimo.server.naming import check_password, name_key, own_name, password_of, skeletons
from ultimo.server.store import Player, Store

HASHING: Final[dict[Lane, int]] = {"quick": 2, "slow": 1}  # at the same time; each takes 64 MiB
SOON: Final = 1.0  # seconds in which an answer reaches the browser


class Session(NamedTuple):
    """Somebody who is known: who, by which token, and until when."""

    player: Player
    token: str
    expires: float


class Accounts:
    """People and their sessions; `choose(n)` gives a number below n, for the names of guests.

    `ended` is told the hashes of the tokens whose sessions have ended.
    """

    def __init__(
        self,
        store: Store,
        days: int,
        clock: Callable[[], float] = time.time,
        choose: Callable[[int], int] = secrets.randbelow,
        ended: Callable[[Iterable[str]], None] = lambda _: None,
    ) -> None:
        self._store = store
        self._ended = ended
        self._choose = choose
        self._lasts = days * DAY
        self._clock = clock
        self._hasher = PasswordHasher()
        self._hashing = {lane: asyncio.Semaphore(many) for lane, many in HASHING.items()}
        self._unknown = ""  # the hash of no password, for names that nobody has

    # --- sessions --------------------------------------------------------------------------------------

    async def session(self, token: str | None) -> Session | None:
        """The session of a token, which lasts longer for being used."""
        now = self._clock()
        found = await self._store.player_of(hashed(token), now) if token else None
        if not token or found is None:
            return None
        player, expires = found
        if expires < now + self._lasts - DAY:
            with suppress(Full):  # on a full disk people can still look
                await self._store.extend_session(hashed(token), now, now + self._lasts)
                expires = now + self._lasts
        return Session(player, token, expires)

    async def enter(self, session: Session | None, language: str) -> Session:
        """Come in: with the session one has, else as a new guest."""
        if session is not None:
            return session
        player = Player(secrets.token_urlsafe(9), guest_name(language, self._choose), True, language)
        await self._store.add_guest(player, self._clock())
        return await self._opened(player)

    async def leave(self, session: Session) -> None:
        """Log out."""
        await self._store.end_session(hashed(session.token))
        self._ended([hashed(session.token)])

    async def _change_token(self, session: Session) -> None:
        """End a session that goes on under another token."""
        await self._store.end_session(hashed(session.token))
        self._ended_soon(session)

    def _ended_soon(self, session: Session) -> None:
        """Close what is open for a token when the browser has got the other: its pages come again with it."""
        asyncio.get_running_loop().call_later(SOON, self._ended, [hashed(session.token)])

    async def leave_everywhere(self, session: Session) -> None:
        """Log out wherever one is logged in."""
        self._ended(await self._store.end_sessions(session.player.id))

    async def _opened(self, player: Player) -> Session:
        token, now = secrets.token_urlsafe(32), self._clock()
        await self._store.add_session(hashed(token), player.id, now, now + self._lasts)
        return Session(player, token, now + self._lasts)

    # --- accounts --------------------------------------------------------------------------------------

    async def register(self, session: Session, name: str, password: str) -> Session:
        """Make the guest an account, which keeps all games."""
        if not session.player.guest:
            raise Refusal(409, "isAccount")
        name = own_name(name)
        await asyncio.to_thread(check_password, password, name)
        await self._must_be_free(name, session.player)
        made = await self._store.make_account(
            session.player.id, name, name_key(name), await self._hashed(password), skeletons(name)
        )
        if not made:
            raise Refusal(409, "nameTaken", "name", name=name)
        await self._change_token(session)
        return await self._opened(Player(session.player.id, name, False, session.player.language))

    async def login(self, session: Session | None, name: str, password: str, lane: Lane = "quick") -> Session:
        """Log in; what one has played as a guest goes to the account."""
        account = await self._store.account(name_key(clean_name(name)))
        player, stored = account if account is not None else (None, await self._hash_of_nothing())
        fits = await self._verified(stored, password, lane)
        if player is None or not fits:
            raise Refusal(403, "noAccount", "password")
        if self._hasher.check_needs_rehash(stored):
            await self._store.rehash(player.id, await self._hashed(password))
        if session is not None:
            if session.player.guest:
                await self._store.merge(session.player.id, player.id)
            await self._change_token(session)
        return await self._opened(player)

    async def change(self, session: Session, name: str | None, language: str | None) -> Player:
        """Change one's name or language; nobody takes the name of an account that is not his."""
        player = session.player
        key, looks = None, frozenset[str]()
        if name is not None:
            name = own_name(name) if clean_name(name) != player.name else None  # else nothing changes
        if name is not None:
            await self._must_be_free(name, player)
            if not player.guest:
                key, looks = name_key(name), skeletons(name)
        if not await self._store.change_player(player.id, name, language, key, looks):
            raise Refusal(409, "nameTaken", "name", name=name)
        return Player(player.id, name or player.name, player.guest, language or player.language)

    async def change_password(self, session: Session, old: str, new: str) -> Session:
        """Take another password; all other sessions end, and this one gets a new token."""
        stored = await self._store.password(session.player.id)
        if stored is None:
            raise Refusal(409, "noPassword")
        if not await self._verified(stored, old):
            raise Refusal(403, "wrongPassword", "old")
        await asyncio.to_thread(check_password, new, session.player.name, "new")
        changed = await self._hashed(new)
        opened = await self._opened(session.player)
        ended = await self._store.end_sessions(session.player.id, [hashed(opened.token)], changed)
        self._ended(one for one in ended if one != hashed(session.token))
        self._ended_soon(session)
        return opened

    async def _must_be_free(self, name: str, player: Player) -> None:
        """Refuse the name of another account, and one that looks like it."""
        holder = await self._store.account(name_key(name))
        if holder is not None and holder[0].id != player.id:
            raise Refusal(409, "nameTaken", "name", name=name)
        if await self._store.looks_like(skeletons(name), player.id):
            raise Refusal(409, "nameAlike", "name", name=name)

    # --- browsers that have logged in before -----------------------------------------------------------

    async def remember_device(self, player: Player, old: str | None) -> str:
        """Remember a browser that has logged in, instead of by an old token; the new token."""
        token = secrets.token_urlsafe(32)
        was = None if old is None else hashed(old)
        await self._store.remember_device(player.id, hashed(token), was, self._clock())
        return token

    async def device(self, token: str | None, name: str) -> str | None:
        """The hash of a browser's token, if it has logged in to the account of this name before."""
        if not token or not await self._store.knows_device(hashed(token), name_key(clean_name(name))):
            return None
        return hashed(token)

    # --- passwords: hashed in a thread, a few at a time ------------------------------------------------

    async def _hashed(self, password: str) -> str:
        async with self._hashing["quick"]:
            return await asyncio.to_thread(self._hasher.hash, password_of(password))

    async def _verified(self, stored: str, password: str, lane: Lane = "quick") -> bool:
        """Whether it is the password; one from before they were normalised fits as it is."""
        async with self._hashing[lane]:
            for spelling in dict.fromkeys((password_of(password), password)):
                try:
                    return await asyncio.to_thread(self._hasher.verify, stored, spelling)
                except (VerificationError, InvalidHashError):
                    continue
        return False

    async def _hash_of_nothing(self) -> str:
        """What is compared for an unknown name, so that it takes as long as for a known one."""
        self._unknown = self._unknown or await self._hashed(secrets.token_urlsafe(32))
        return self._unknown


def hashed(token: str) -> str:
    """What the database knows of a token."""
    return hashlib.sha256(token.encode()).hexdigest()
