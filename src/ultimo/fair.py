"""Fair cards: a shuffle that neither the server nor a player can bend, and that anybody can check afterwards.

The server commits to a secret by its SHA-256, then the players commit to theirs, then the players reveal;
the server reveals when the deal is over. The key of the deal is the SHA-256 of all secrets together. From it
comes a stream of numbers, HMAC-SHA256 of a counter, and the pack is dealt by drawing cards from it without
replacement. Secrets, commitments and keys are written in hexadecimal; a browser does the same with WebCrypto.

>>> server, player = "00" * 32, "11" * 32
>>> key = deal_key("table", 1, server, [player])
>>> key[:16], Stream(key, 1).sample("ABCDEFGH", 8)
('2c5967fbbb0df7ed', ['B', 'G', 'E', 'F', 'D', 'H', 'A', 'C'])
"""

from __future__ import annotations

import hashlib
import hmac
import re
from collections.abc import Iterable, Sequence
from typing import Final, TypeVar

from msgspec import Struct

VERSION: Final = "ultimo-fair-1"
SECRET = re.compile("[0-9a-f]{64}")
WORDS = 1 << 32  # the stream is read as numbers of 32 bits

T = TypeVar("T")


class Share(Struct, frozen=True):
    """What a player adds to the shuffle."""

    seat: int
    commitment: str
    secret: str


class Proof(Struct, frozen=True):
    """All that is needed to shuffle once more what was dealt; `dealing` is 2 after a redeal."""

    version: str
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
        """What does not fit: whose secret is not the one that was committed to.

        Another spelling of a secret, or another order of the players, would give another key for the same
        commitments: whoever could choose one could choose the cards.
        """
        found = [] if commitment(self.secret) == self.commitment else ["the server revealed another secret"]
        found += [
            f"seat {share.seat} revealed another secret"
            for share in self.players
            if commitment(share.secret) != share.commitment
        ]
        secrets = [self.secret, *(share.secret for share in self.players)]
        seats = [share.seat for share in self.players]
        if not all(SECRET.fullmatch(secret) for secret in secrets):
            found.append("a secret is not written as 64 digits of 0-9 and a-f")
        if seats != sorted(set(seats)):
            found.append("the players are not in the order of their seats")
        return found


def commitment(secret: str) -> str:
    """What is told of a secret beforehand."""
    return hashlib.sha256(bytes.fromhex(secret)).hexdigest()


def deal_key(table: str, deal: int, server: str, players: Iterable[str]) -> str:
    """The key of a deal from the secrets of the server and of the players, in the order of their seats."""
    return hashlib.sha256(":".join([VERSION, table, str(deal), server, *players]).encode()).hexdigest()


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
