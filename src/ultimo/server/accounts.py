"""Who somebody is: guests first, accounts for those who want one, and the sessions of both.

A session is a random token in a cookie, of which the database has only the hash. Whoever changes what he is,
by an account or by logging in, gets a new token; the old one ends.
"""

from __future__ import annotations

import asyncio
import hashlib
import secrets
import time
import unicodedata
from collections.abc import Callable
from contextlib import suppress
from typing import Final, NamedTuple

from argon2 import PasswordHasher
from argon2.exceptions import InvalidHashError, VerificationError

from ultimo import names
from ultimo.server.database import Full
from ultimo.server.http import Refusal
from ultimo.server.store import Player, Store

DAY: Final = 86400.0
HASHING: Final = 2  # passwords that are hashed at the same time; each takes 64 MiB
NAME_LENGTH: Final = 24
NUMBERS: Final = range(10, 100)  # behind the names of guests


class Session(NamedTuple):
    """Somebody who is known: who, by which token, and until when."""

    player: Player
    token: str
    expires: float


class Accounts:
    """People and their sessions; `choose(n)` gives a number below n, for the names of guests."""

    def __init__(
        self,
        store: Store,
        days: int,
        clock: Callable[[], float] = time.time,
        choose: Callable[[int], int] = secrets.randbelow,
    ) -> None:
        self._store = store
        self._choose = choose
        self._lasts = days * DAY
        self._clock = clock
        self._hasher = PasswordHasher()
        self._hashing = asyncio.Semaphore(HASHING)
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

    async def _opened(self, player: Player) -> Session:
        token, now = secrets.token_urlsafe(32), self._clock()
        await self._store.add_session(hashed(token), player.id, now, now + self._lasts)
        return Session(player, token, now + self._lasts)

    # --- accounts --------------------------------------------------------------------------------------

    async def register(self, session: Session, name: str, password: str) -> Session:
        """Make the guest an account, which keeps all games."""
        if not session.player.guest:
            raise Refusal(409, "isAccount")
        name = clean_name(name)
        hashed_password = await self._hashed(password)
        if not await self._store.make_account(session.player.id, name, name_key(name), hashed_password):
            raise Refusal(409, "nameTaken", "name", name=name)
        await self.leave(session)
        return await self._opened(Player(session.player.id, name, False, session.player.language))

    async def login(self, session: Session | None, name: str, password: str) -> Session:
        """Log in; what one has played as a guest goes to the account."""
        account = await self._store.account(name_key(clean_name(name)))
        player, stored = account if account is not None else (None, await self._hash_of_nothing())
        fits = await self._verified(stored, password)
        if player is None or not fits:
            raise Refusal(403, "noAccount", "password")
        if self._hasher.check_needs_rehash(stored):
            await self._store.rehash(player.id, await self._hashed(password))
        if session is not None:
            if session.player.guest:
                await self._store.merge(session.player.id, player.id)
            await self.leave(session)
        return await self._opened(player)

    async def change(self, session: Session, name: str | None, language: str | None) -> Player:
        """Change one's name or language; nobody takes the name of an account that is not his."""
        player, key = session.player, None
        if name is not None:
            name, key = clean_name(name), name_key(clean_name(name))
            holder = await self._store.account(key)
            if holder is not None and holder[0].id != player.id:
                raise Refusal(409, "nameTaken", "name", name=name)
        if not await self._store.change_player(player.id, name, language, None if player.guest else key):
            raise Refusal(409, "nameTaken", "name", name=name)
        return Player(player.id, name or player.name, player.guest, language or player.language)

    # --- passwords: hashed in a thread, a few at a time ------------------------------------------------

    async def _hashed(self, password: str) -> str:
        async with self._hashing:
            return await asyncio.to_thread(self._hasher.hash, password)

    async def _verified(self, stored: str, password: str) -> bool:
        async with self._hashing:
            try:
                return await asyncio.to_thread(self._hasher.verify, stored, password)
            except (VerificationError, InvalidHashError):
                return False

    async def _hash_of_nothing(self) -> str:
        """What is compared for an unknown name, so that it takes as long as for a known one."""
        self._unknown = self._unknown or await self._hashed(secrets.token_urlsafe(32))
        return self._unknown


def hashed(token: str) -> str:
    """What the database knows of a token."""
    return hashlib.sha256(token.encode()).hexdigest()


def clean(text: str) -> str:
    """A text of people without control characters, with single spaces."""
    plain = "".join(" " if letter.isspace() else letter for letter in unicodedata.normalize("NFKC", text))
    shown = "".join(letter for letter in plain if not unicodedata.category(letter).startswith("C"))
    return " ".join(shown.split())


def guest_name(language: str, choose: Callable[[int], int]) -> str:
    """A friendly name for somebody who has not said theirs; `choose(n)` gives a number below n.

    >>> guest_name("en", lambda many: many - 1)
    'Whale 99'
    """
    animals: list[str] = names.tables(language, "server")["guests"]["animals"].split(", ")
    return f"{animals[choose(len(animals))]} {NUMBERS[choose(len(NUMBERS))]}"


def clean_name(name: str) -> str:
    """The name as it is shown; one that nobody could read is refused."""
    cleaned = clean(name)[:NAME_LENGTH].strip()
    if not any(letter.isalnum() for letter in cleaned):
        raise Refusal(422, "nameEmpty", "name")
    return cleaned


def name_key(name: str) -> str:
    """What an account is found by: capitals make no difference."""
    return name.casefold()
