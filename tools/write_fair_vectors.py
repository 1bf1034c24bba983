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
    """Proofs and what they deal: a table of three, one of five with two sitters, and two of French Tarot."""
    return [
        _danish(_proof("alone", 1, 1, []), seats=3, order=(1, 2, 0)),
        _danish(_proof("friends", 7, 2, [0, 3]), seats=5, order=(3, 4, 2)),
        _french("french4", _proof("french", 1, 1, [2]), dealer=3),
        _french("french5", _proof("five", 12, 3, [0, 1, 2, 3, 4]), dealer=0),
    ]


def _proof(table: str, number: int, time: int, players: list[int]) -> fair.Proof:
    server = _secret(f"{table} server")
    shares = [(seat, _secret(f"{table} {seat}")) for seat in players]
    return fair.Proof(
        fair.VERSION,
        table,
        number,
        time,
        fair.commitment(server),
        server,
        tuple(fair.Share(seat, fair.commitment(secret), secret) for seat, secret in shares),
    )


def _secret(seed: str) -> str:
    return hashlib.sha256(seed.encode()).hexdigest()


def _danish(proof: fair.Proof, seats: int, order: tuple[int, int, int]) -> dict[str, Any]:
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


def _french(book: str, proof: fair.Proof, dealer: int) -> dict[str, Any]:
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
    proof: fair.Proof, dealing: dict[str, Any], deck: tuple[Card, ...], given: Deal
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
