"""French Tarot in sentences: the wording of every parameter of rules D3, in the order of a deal."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from ultimo.telling.wording import Chapter, listed, points

BIDS = {"petite": "petite", "garde": "garde", "sans": "garde sans", "contre": "garde contre"}
CHIENS = {
    "taken": "the chien is turned and taken",
    "taker": "the chien stays closed and counts for the taker",
    "defence": "the chien stays closed and counts for the defence",
}


def _ladder(rows: tuple[dict[str, Any], ...], _: Any) -> str:
    bids = [f"{BIDS[row['id']]} ×{row['mult']} ({CHIENS[row['chien']]})" for row in rows]
    return f"The bids, each above the one before, are {listed(bids)}."


def _fallback(ranks: tuple[str, ...], _: Any) -> str:
    if not ranks:
        return "No other rank may be called instead."
    lower = listed(list(ranks), "or")
    return f"A taker who holds all four of the rank before may call the next lower one: {lower}."


def _poignee_sizes(sizes: tuple[int, ...], _: Any) -> str:
    return f"A poignée shows {listed([str(size) for size in sizes], 'or')} trumps."


def _poignee_values(values: tuple[int, ...], _: Any) -> str:
    worth = listed([str(value) for value in values], "or")
    return f"By its size a poignée is worth {worth} points to the side that wins the deal."


def _target(target: dict[str, int], _: Any) -> str:
    needed = [f"{target[bouts]} with {bouts}" for bouts in sorted(target)]
    return f"By the number of bouts in his tricks the taker needs points: {listed(needed)}."


def _failed(value: int, _: Any) -> str:
    return f"A slam announced and not made costs {points(-value)} from the announcing side to each opponent."


FRENCH: Mapping[str, Chapter] = {
    "Dealing": {
        "players": "{0} players sit at the table.",
        "deal.shuffle": {
            "never": "The cards are never shuffled, only gathered and cut.",
            "everyDeal": "The cards are shuffled for every deal.",
        },
        "deal.packet": "Cards are dealt in packets of {0}.",
        "deal.hand": "Each hand has {0} cards.",
        "deal.chien": "The chien has {0} cards.",
        "deal.chienForbiddenEnds": (
            "Any card of the pack may go to the chien.",
            "Of the pack the first {0} and the last {0} may not go to the chien.",
        ),
        "deal.petitSec": {
            "redeal": "A hand whose only trump is the petit, without the excuse, is thrown in.",
            "off": "A hand whose only trump is the petit is played.",
        },
    },
    "Bidding": {"bid.ladder": _ladder},
    "Chien and call": {
        "call.card": {
            "none": "The taker plays alone against the others.",
            "king": "The taker calls a king before the chien is turned; its holder is his secret partner.",
        },
        "call.fallback": _fallback,
        "call.firstLeadBan": {
            True: "The called suit may not be led to the first trick, except with the called card itself.",
            False: "Any suit may be led to the first trick.",
        },
        "call.restrictAfterExcuse": {
            True: "The first card after a led excuse is bound as a lead is.",
            False: "The first card after a led excuse is free.",
        },
    },
    "Play and excuse": {
        "excuse.lastTrickReturn": {
            "none": "An excuse played to the last trick goes to the other side, and nothing comes back.",
            "half": "An excuse played to the last trick goes to the other side, and half a point comes back.",
        },
    },
    "Poignées": {
        "poignee.sizes": _poignee_sizes,
        "poignee.values": _poignee_values,
        "poignee.multiple": {
            "sum": "If two poignées are shown, both count.",
            "largest": "If two poignées are shown, only the larger counts.",
        },
        "poignee.ecartTrump": {
            "exclude": "Trumps laid in the écart do not count for a poignée.",
            "showAgain": "Trumps laid in the écart count for a poignée if they are shown again.",
        },
    },
    "Scoring": {
        "target": _target,
        "round": {"winner": "Half points are rounded in favour of the side that wins."},
        "base": "Every deal is worth {points} and the difference from the points needed, times the bid.",
        "petitAuBout": "The petit in the last trick brings the side that wins it {points}, times the bid.",
        "slam.announced": "A slam announced and made brings {points} from each opponent.",
        "slam.silent": "A slam made without announcing it brings {points} from each opponent.",
        "slam.failed": _failed,
        "slam.defendersMayAnnounce": {
            True: "Defenders too may announce a slam.",
            False: "Only the taker may announce a slam.",
        },
    },
    "Shares": {
        "share.taker": "The taker wins or loses the value of the deal ×{0}.",
        "share.partner": (
            "There is no partner to share with.",
            "The partner wins or loses the value of the deal ×{0}.",
        ),
        "share.alone": "A taker without a partner wins or loses the value of the deal ×{0}.",
    },
}
