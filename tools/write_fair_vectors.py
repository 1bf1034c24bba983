"""Write shuffles for the page to check its own against: `python tools/write_fair_vectors.py`."""

from __future__ import annotations

import hashlib
import json
from collections.abc import Iterable
from pathlib import Path
from typing import Any

import msgspec

from ultimo import danish, deal, fair, french
from ultimo.cards import Card
from ultimo.events import Deal
from ultimo.rulebook import FrenchRules, load

FILE = Path(__file__).parents[1] / "web" / "src" / "lib" / "fair.vectors.json"


def vectors() -> list[dict[str, Any]]:
    """Proofs and what they deal: both games, failed attempts, a table of a device, and an old proof."""
    return [
        _danish(_proof("alone", 1, 1, [[]]), seats=3, order=(1, 2, 0)),
        _danish(_proof("friends", 7, 2, [[0, 3]]), seats=5, order=(3, 4, 2)),
        _french("french4", _proof("french", 1, 1, [[2]]), dealer=3),
        _french("french5", _proof("five", 12, 3, [[0, 1, 2, 3, 4]]), dealer=0),
        _danish(_proof("late", 2, 1, [[0, 1, 2], [0, 2]], missing=(1,)), seats=3, order=(2, 0, 1)),
        _danish(_proof("~0123456789abcdef", 1, 1, [[0]]), seats=3, order=(1, 2, 0)),
        _danish(_old("old", 7, 2, [0, 3]), seats=5, order=(3, 4, 2)),
    ]


def _proof(
    table: str, number: int, time: int, attempts: list[list[int]], missing: tuple[int, ...] = ()
) -> fair.Proof:
    """A proof; who is missing has not revealed in any attempt but the last."""
    found: list[fair.Attempt] = []
    before = fair.origin(table, "cards", number)
    for turn, players in enumerate(attempts):
        server = _secret(f"{table} server {turn}")
        silent = missing if turn < len(attempts) - 1 else ()
        shares = [_share(seat, _secret(f"{table} {seat} {turn}"), seat in silent) for seat in players]
        found.append(fair.Attempt(fair.commitment(server, before), server, tuple(shares)))
        before = found[-1].digest(before)
    return fair.Proof(table, "cards", number, time, tuple(attempts[0]), (), tuple(found))


def _share(seat: int, secret: str, is_silent: bool = False) -> fair.Share:
    return fair.Share(seat, fair.commitment(secret), "" if is_silent else secret)


def _old(table: str, number: int, time: int, players: list[int]) -> fair.FirstProof:
    server = _secret(f"{table} server")
    shares = tuple(_share(seat, _secret(f"{table} {seat}")) for seat in players)
    return fair.FirstProof(table, number, time, fair.commitment(server), server, shares)


def _secret(seed: str) -> str:
    return hashlib.sha256(seed.encode()).hexdigest()


def _danish(proof: fair.AnyProof, seats: int, order: tuple[int, int, int]) -> dict[str, Any]:
    deck = deal.shuffled(fair.Stream(proof.key, proof.dealing))
    dealing = {
        "seats": seats,
        "order": order,
        "packet": danish.phases.PACKET,
        "chien": 0,
        "ends": 0,
        "pack": [],
    }
    return _vector(proof, dealing, deck, danish.deal_out(seats, order, deck))


def _french(book: str, proof: fair.AnyProof, dealer: int) -> dict[str, Any]:
    rules = load(book)
    assert isinstance(rules, FrenchRules)
    stream = fair.Stream(proof.key, proof.dealing)
    deck = deal.shuffled(stream)
    given = french.deal_out(rules, dealer, deck, french.chien_positions(rules, stream))
    order = [(dealer + turn) % rules.players for turn in range(1, rules.players + 1)]
    dealing = {
        "seats": rules.players,
        "order": order,
        "packet": rules.deal.packet,
        "chien": rules.deal.chien,
        "ends": rules.deal.chien_forbidden_ends,
        "pack": [],
    }
    return _vector(proof, dealing, deck, given)


def _vector(
    proof: fair.AnyProof, dealing: dict[str, Any], deck: tuple[Card, ...], given: Deal
) -> dict[str, Any]:
    return {
        "proof": msgspec.to_builtins(proof),
        "key": proof.key,
        "deck": _text(deck),
        "dealing": msgspec.to_builtins(dealing),
        "dealt": {"hands": [_text(hand) for hand in given.hands], "chien": _text(given.chien)},
    }


def _text(cards: Iterable[Card]) -> str:
    return " ".join(str(card.value) for card in cards)


def written() -> str:
    """The text of the file."""
    return json.dumps(vectors(), indent=1) + "\n"


if __name__ == "__main__":
    FILE.write_text(written(), encoding="utf-8")
