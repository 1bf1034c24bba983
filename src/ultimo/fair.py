"""Fair cards: a shuffle that neither the server nor a player can bend unseen, and that anybody can check.

A **draw** decides who deals first, the cards of a deal, or who gets the rest of the cups. In each **attempt**
at it the server commits to a secret by its SHA-256, then the players commit to theirs, then the players
reveal; the server reveals when the deal is over. An attempt in which a player does not reveal has failed:
the next one has fresh secrets, without that player. The digest of each attempt goes into the commitment of
the next, and that of the last one is the key of the draw. From the key comes a stream of numbers, HMAC-SHA256
of a counter, and the pack is dealt by drawing cards from it without replacement. All are written in
hexadecimal; a browser does the same with WebCrypto.

>>> server, player = "00" * 32, "11" * 32
>>> before = origin("table", "cards", 1)
>>> key = Attempt(commitment(server, before), server, (Share(0, commitment(player), player),)).digest(before)
>>> key[:16], Stream(key, 1).sample("ABCDEFGH", 8)
('7a5f1143bf9565d9', ['D', 'E', 'B', 'G', 'A', 'F', 'H', 'C'])
"""

from __future__ import annotations

import hashlib
import hmac
import re
from collections.abc import Iterable, Sequence
from itertools import combinations
from typing import Final, Literal, TypeAlias, TypeVar

from msgspec import Struct

FIRST: Final = "ultimo-fair-1"
VERSION: Final = "ultimo-fair-2"
SECRET = re.compile("[0-9a-f]{64}")
WORDS = 1 << 32  # the stream is read as numbers of 32 bits
DRAWING: Final = 0  # the dealing whose numbers draw the cards for the first deal, before any hand is dealt
REST: Final = 5  # deals for which nobody is asked who has not revealed, that one included

Draw: TypeAlias = Literal[
    "dealer", "cards", "rest"
]  # what is drawn: the first dealer, cards, the rest of the cups

T = TypeVar("T")


class Share(Struct, frozen=True, omit_defaults=True):
    """What a player adds to the shuffle; without a secret the player has not revealed."""

    seat: int
    commitment: str
    secret: str = ""


class Attempt(Struct, frozen=True):
    """One attempt at a draw: the secret of the server, and the players who had committed in time."""

    commitment: str
    secret: str
    players: tuple[Share, ...]

    @property
    def missing(self) -> tuple[int, ...]:
        """The seats that have not revealed."""
        return tuple(share.seat for share in self.players if not share.secret)

    def digest(self, before: str) -> str:
        """All of the attempt, and what came before it, in one number."""
        shares = [part for one in self.players for part in (str(one.seat), one.commitment, one.secret)]
        return _sha256(before, self.commitment, self.secret, *shares)

    def complaints(self, before: str) -> list[str]:
        """What does not fit in the attempt."""
        return _complaints(self.commitment, self.secret, self.players, before)


class Proof(Struct, frozen=True, tag_field="version", tag=VERSION):
    """All that is needed to draw once more; `dealing` is 2 after a redeal, and 0 where no hands are dealt."""

    table: str
    draw: Draw
    deal: int  # 0 for the first dealer; for the rest of the cups one more than the last
    dealing: int
    people: tuple[int, ...]  # the seats that had a person
    among: tuple[int, ...]  # the seats among which the dealer or the rest is drawn
    attempts: tuple[Attempt, ...]

    @property
    def key(self) -> str:
        """The key of the draw."""
        return chain(origin(self.table, self.draw, self.deal), self.attempts)

    @property
    def players(self) -> tuple[Share, ...]:
        """Whose secrets decide, beside that of the server."""
        return self.attempts[-1].players if self.attempts else ()

    @property
    def chosen(self) -> int:
        """The seat that is drawn by lot."""
        return lot(self.key, self.among)

    def complaints(self) -> list[str]:
        """What does not fit: a secret, or an attempt that may not have been followed by another.

        Whoever could drop an attempt that everybody has opened, or let a seat fail twice, could draw until
        the cards suit them.
        """
        if not self.attempts:
            return ["the proof has no attempt"]
        found, before = [], origin(self.table, self.draw, self.deal)
        for number, attempt in enumerate(self.attempts, 1):
            found += [f"{said} in attempt {number}" for said in attempt.complaints(before)]
            before = attempt.digest(before)
        *failed, last = self.attempts
        if last.missing:
            found.append("the last attempt was not opened by all who had committed")
        if not all(attempt.missing for attempt in failed):
            found.append("an attempt that everybody had opened was dropped")
        took_part = set().union(*map(_seats, self.attempts))
        if not took_part <= set(self.people):
            found.append("a seat took part that had no person")
        if any(set(earlier.missing) & _seats(later) for earlier, later in combinations(self.attempts, 2)):
            found.append("a seat that had not opened was asked again")
        return found


class FirstProof(Struct, frozen=True, tag_field="version", tag=FIRST):
    """A proof as it was before there were attempts: it cannot show that somebody's secret was left out."""

    table: str
    deal: int
    dealing: int
    commitment: str
    secret: str
    players: tuple[Share, ...]

    @property
    def key(self) -> str:
        """The key of the deal."""
        return deal_key(self.table, self.deal, self.secret, [share.secret for share in self.players])

    def complaints(self) -> list[str]:
        """What does not fit."""
        late = [f"seat {share.seat} has no secret" for share in self.players if not share.secret]
        return late + _complaints(self.commitment, self.secret, self.players)


AnyProof: TypeAlias = Proof | FirstProof


def asked_too_early(earlier: Proof, later: Proof) -> frozenset[int]:
    """The seats that had not revealed in one draw, and were asked in another before their time."""
    if (earlier.draw, earlier.deal) == (later.draw, later.deal) or later.deal >= earlier.deal + REST:
        return frozenset()
    missing = {seat for attempt in earlier.attempts for seat in attempt.missing}
    return frozenset(missing & set().union(*map(_seats, later.attempts)))


def commitment(secret: str, before: str = "") -> str:
    """What is told of a secret beforehand; that of the server holds what came before, too."""
    return hashlib.sha256(bytes.fromhex(before + secret)).hexdigest()


def origin(table: str, draw: Draw, deal: int) -> str:
    """What the first attempt at a draw has before it."""
    return _sha256(VERSION, table, draw, str(deal))


def chain(before: str, attempts: Iterable[Attempt]) -> str:
    """What comes before the next attempt; after the last one, the key."""
    for attempt in attempts:
        before = attempt.digest(before)
    return before


def lot(key: str, among: Sequence[T]) -> T:
    """One of several, by lot: the key is far larger than their number, so each is as likely as another."""
    return among[int(key, 16) % len(among)]


def deal_key(table: str, deal: int, server: str, players: Iterable[str]) -> str:
    """The key of a deal from all secrets alone, as before there were attempts, and of prepared deals."""
    return _sha256(FIRST, table, str(deal), server, *players)


def _sha256(*parts: str) -> str:
    return hashlib.sha256(":".join(parts).encode()).hexdigest()


def _complaints(server: str, secret: str, shares: Sequence[Share], before: str = "") -> list[str]:
    """Whose secret is not the one that was committed to.

    Another spelling of a secret, or another order of the players, would give another key for the same
    commitments: whoever could choose one could choose the cards.
    """
    opened = [share for share in shares if share.secret]
    found = [] if commitment(secret, before) == server else ["the server revealed another secret"]
    found += [
        f"seat {share.seat} revealed another secret"
        for share in opened
        if commitment(share.secret) != share.commitment
    ]
    spelled = [
        server,
        secret,
        *(part for share in shares for part in (share.commitment, share.secret or server)),
    ]
    if not all(SECRET.fullmatch(one) for one in spelled):
        found.append("a secret is not written as 64 digits of 0-9 and a-f")
    seats = [share.seat for share in shares]
    if seats != sorted(set(seats)):
        found.append("the players are not in the order of their seats")
    return found


def _seats(attempt: Attempt) -> set[int]:
    return {share.seat for share in attempt.players}


class Stream:
    """Numbers that follow from a key; another dealing in the same deal has others."""

    def __init__(self, key: str, dealing: int) -> None:
        self._key = bytes.fromhex(key)
        self._dealing = dealing
        self._blocks = 0
        self._words: list[int] = []

    def below(self, bound: int) -> int:
        """A number from 0, each as likely as another: what would favour the small ones is drawn again."""
        while True:
            word = self._word()
            if word < WORDS - WORDS % bound:
                return word % bound

    def sample(self, population: Sequence[T], k: int) -> list[T]:
        """Some of the population in the order in which they are drawn."""
        pool = list(population)
        for place in range(k):
            other = place + self.below(len(pool) - place)
            pool[place], pool[other] = pool[other], pool[place]
        return pool[:k]

    def _word(self) -> int:
        if not self._words:
            block = hmac.digest(self._key, f"{self._dealing}:{self._blocks}".encode(), "sha256")
            self._words = [int.from_bytes(block[start : start + 4], "big") for start in range(28, -1, -4)]
            self._blocks += 1
        return self._words.pop()
