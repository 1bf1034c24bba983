"""A French rulebook as an array of numbers: all that decides a deal at the table.

A parameter has a fixed place in the array, a choice is written as the number of its word. The rules read
`n[BASE]` whether they run as Python or compiled.
"""

from __future__ import annotations

from ultimo.play.parameters import Parameters
from ultimo.rulebook import FrenchRules, remembered

_place = Parameters()
PLAYERS = _place("players")
BASE = _place("base")
PETIT_AU_BOUT = _place("petit_au_bout")
PACKET = _place("deal.packet")
HAND = _place("deal.hand")
CHIEN = _place("deal.chien")
FORBIDDEN_ENDS = _place("deal.chien_forbidden_ends")
PETIT_SEC_REDEALS = _place("deal.petit_sec")
POIGNEES_ADD_UP = _place("poignee.multiple")
SHOWS_AGAIN = _place("poignee.ecart_trump")
HALF_RETURNED = _place("excuse.last_trick_return")
SLAM_ANNOUNCED = _place("slam.announced")
SLAM_SILENT = _place("slam.silent")
SLAM_FAILED = _place("slam.failed")
DEFENDERS_ANNOUNCE = _place("slam.defenders_may_announce")
CALLS = _place("call.card")
FIRST_LEAD_BAN = _place("call.first_lead_ban")
BAN_AFTER_EXCUSE = _place("call.restrict_after_excuse")
SHARE_TAKER = _place("share.taker")
SHARE_PARTNER = _place("share.partner")
SHARE_ALONE = _place("share.alone")

# Lists: what is needed with b bouts, what the b-th bid is worth and where its chien goes, the ranks that may
# be called one after the other (NO_RANK after the last), and the sizes of a poignée with their values.
BOUTS = 3
TARGET = len(_place)
BIDS = TARGET + BOUTS + 1  # how many there are
MOST_BIDS = 4
MULTIPLIER = BIDS + 1
CHIEN_GOES = MULTIPLIER + MOST_BIDS
RANKS_CALLED = CHIEN_GOES + MOST_BIDS
MOST_RANKS = 4
POIGNEES = RANKS_CALLED + MOST_RANKS  # how many sizes there are
MOST_POIGNEES = 22
POIGNEE_SIZE = POIGNEES + 1
POIGNEE_VALUE = POIGNEE_SIZE + MOST_POIGNEES
LENGTH = POIGNEE_VALUE + MOST_POIGNEES
NO_RANK = -1

# The words of choices. Where there are two, the number also answers the question in the place's name.
CHIEN_TAKEN, CHIEN_TAKER, CHIEN_DEFENCE = range(3)

WORDS: dict[str, dict[str, int]] = {
    "deal.petit_sec": {"off": 0, "redeal": 1},
    "poignee.multiple": {"largest": 0, "sum": 1},
    "poignee.ecart_trump": {"exclude": 0, "showAgain": 1},
    "excuse.last_trick_return": {"none": 0, "half": 1},
    "call.card": {"none": 0, "king": 1},
}
CHIEN_WORDS = {"taken": CHIEN_TAKEN, "taker": CHIEN_TAKER, "defence": CHIEN_DEFENCE}
RANKS = {"king": 13, "queen": 12, "knight": 11, "jack": 10}


@remembered
def numbers(rules: FrenchRules) -> tuple[int, ...]:
    """The rulebook as an array."""
    found = _place.numbers(rules, WORDS)
    found += (rules.target[bouts] for bouts in ("0", "1", "2", "3"))
    ladder = rules.bid.ladder
    found.append(len(ladder))
    found += _filled([row.mult for row in ladder], MOST_BIDS, 0)
    found += _filled([CHIEN_WORDS[row.chien] for row in ladder], MOST_BIDS, CHIEN_TAKEN)
    called = dict.fromkeys((rules.call.card, *rules.call.fallback))
    found += _filled([RANKS[rank] for rank in called if rank != "none"], MOST_RANKS, NO_RANK)
    found.append(len(rules.poignee.sizes))
    found += _filled(rules.poignee.sizes, MOST_POIGNEES, 0)
    found += _filled(rules.poignee.values, MOST_POIGNEES, 0)
    return tuple(found)


def _filled(values: list[int] | tuple[int, ...], length: int, nothing: int) -> list[int]:
    return [*values, *(nothing for _ in range(length - len(values)))]
