"""Sums of French Tarot."""

from __future__ import annotations

from typing import Any

from ultimo.cards import KINGS, PAGAT, QUEENS, SKUS, T21, TRUMPS, Card, cards, mask
from ultimo.events import balances
from ultimo.french.counting import half_points
from ultimo.french.legal import ecarts
from ultimo.french.outcome import Outcome
from ultimo.french.settlement import needed_points, score, settle
from ultimo.rulebook import FrenchRules, load
from ultimo.tutor.school.sums.known import known

LOWEST_HIGH_TRUMP = Card("T16").bit  # from here on a trump is a high one in the count of a French hand


@known
def french_points(about: list[str]) -> int:
    """The card points of some cards of French Tarot, which must come to a whole number.

    >>> french_points("SK HJ T9 C4".split())
    7
    """
    whole, half = divmod(half_points(mask(" ".join(about))), 2)
    if half:
        raise ValueError(f"half a point is left over: {' '.join(about)}")
    return whole


@known
def needed(about: list[str]) -> int:
    """The card points that a taker needs with so many bouts.

    >>> [needed([bouts]) for bouts in "0123"]
    [56, 51, 41, 36]
    """
    return needed_points(_french("french4"), int(about[0]))


@known
def french_score(about: list[str]) -> int:
    """What each defender pays: rulebook, bid, points, bouts, then what else there was (`_outcome`).

    >>> french_score("french4 garde 39 3 petit=taker".split())
    76
    """
    return score(*_outcome(about)).value


@known
def french_net(about: list[str]) -> int:
    """What a seat of French Tarot has of a deal; the taker is 0, a partner 1. The rest as in `french_score`.

    >>> [french_net(f"{seat} french5 garde 43 2 partner=1".split()) for seat in "012"]
    [108, 54, -54]
    """
    rules, outcome = _outcome(about[1:])
    return balances(settle(rules, outcome).transfers)[int(about[0])]


def _outcome(about: list[str]) -> tuple[FrenchRules, Outcome]:
    """A deal from its words.

    What else there was: `petit=defence`, `poignee=taker:10`, `announced=taker`, `made=taker`, `partner=1`.
    """
    book, bid, points, bouts, *rest = about
    rules = _french(book)
    said = [word.split("=") for word in rest]
    more: dict[str, Any] = {}
    for key, value in said:
        match key:
            case "petit":
                more["petit_au_bout"] = value
            case "poignee":
                side, _, shown = value.partition(":")
                more["poignees"] = (*more.get("poignees", ()), (side, int(shown)))
            case "announced" | "made":
                more[f"slam_{key}"] = value
            case "partner":
                more["partner"] = int(value)
            case _:
                raise ValueError(f"a deal has no {key!r}")
    halves = round(2 * float(points))
    return rules, Outcome(
        players=rules.players, taker=0, bid=bid, half_points=halves, bouts=int(bouts), **more
    )


def _french(book: str) -> FrenchRules:
    rules = load(book)
    assert isinstance(rules, FrenchRules), book
    return rules


@known
def forced_trumps(about: list[str]) -> int:
    """How many trumps a taker must lay from a hand of 24 cards, for want of others.

    >>> forced_trumps("SK HK CK DK S2 H2 C2 D2 T21 T0 T1 T2 T3 T4 T5 T6 T7 T8 T9 T10 T11 T12 T13 T14".split())
    2
    """
    may = ecarts(_french("french4"), mask(" ".join(about)))
    return may.size - may.must.bit_count() if may.among & TRUMPS else 0


@known
def hand_count(about: list[str]) -> int:
    """The school's count of a French hand of 18 cards, before a bid: bouts, trumps, kings and queens.

    >>> hand_count("T21 T0 T20 T9 SK HQ".split())
    29
    """
    return sum(map(_counts, cards(mask(" ".join(about)))))


def _counts(card: Card) -> int:
    """What a card adds to the count of a hand."""
    match card.bit:
        case bit if bit == T21:
            return 12
        case bit if bit == SKUS:
            return 8
        case bit if bit == PAGAT:
            return 7
        case bit if bit & TRUMPS:
            return 3 if bit >= LOWEST_HIGH_TRUMP else 2
        case bit if bit & KINGS:
            return 3
        case bit:
            return 1 if bit & QUEENS else 0
