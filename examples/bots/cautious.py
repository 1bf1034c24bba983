"""A player for Ultimo in plain Python, as a program: docs/protocol.md says what the lines are.

    ultimo arena --rules french4 --players "cmd:python examples/bots/cautious.py,club,club,club"

It bids only with many trumps, and plays the card with the fewest points that it may. Nothing is imported
from Ultimo: a program in any other language would do the same.
"""

from __future__ import annotations

import json
import sys
from typing import Any

WORTH = {"K": 9, "Q": 7, "N": 5, "J": 3}  # twice the points of a card
BOUTS = ("T0", "T1", "T21")
ENOUGH = {3: 11, 4: 9, 5: 8}  # trumps for a bid, by the number of players

hand: list[str] = []
table = seat = 0


def worth(card: str) -> int:
    """Twice the points of a card."""
    return 9 if card in BOUTS else WORTH.get(card[1], 1)


def note(event: dict[str, Any]) -> None:
    """Remember the cards that were dealt to this seat."""
    if event["type"] == "Dealt":
        hand[:] = event["hands"][seat]


def choose(message: dict[str, Any]) -> int:
    """The number of an action."""
    by_name: dict[str, int] = {one["name"]: one["action"] for one in message["legal"]}
    trumps = sum(card.startswith("T") for card in hand)
    if message["phase"] == "bid":
        return by_name["bid petite" if "bid petite" in by_name and trumps >= ENOUGH[table] else "pass"]
    for calm in ("decline", "accept the hand"):
        if calm in by_name:
            return by_name[calm]
    cards = [name for name in by_name if name[0] in "SHCDT" and name[1:] in RANKS]
    if not cards:
        return next(iter(by_name.values()))
    give = max if message["phase"] in ("ecart", "call") else min  # what is laid aside is safe
    return by_name[give(cards, key=lambda card: (worth(card), card[0] != "T"))]


RANKS = {*map(str, range(22)), *WORTH}

for line in sys.stdin:
    message = json.loads(line)
    match message["type"]:
        case "hello":
            answer = {"type": "ready", "protocol": 1, "name": "Cautious", "version": "1.0"}
        case "begin":
            table, seat = message["table"], message["seat"]
            continue
        case "event":
            note(message["event"])
            continue
        case "choose":
            answer = {"type": "action", "id": message["id"], "action": choose(message)}
        case "quit":
            break
        case _:
            continue
    print(json.dumps(answer), flush=True)
