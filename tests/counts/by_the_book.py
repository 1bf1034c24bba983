"""How many ways there are to play an ending, counted without the engine: rules B6, B7, C6 and E2 once more.

Cards are names (`S4`, `T0`), hands are sets of names, seats are 0, 1, 2 in the direction of play. Nothing
here comes from the package, so that a misreading would have to be made twice.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator
from functools import cache
from typing import NamedTuple, TypeAlias, TypeVar

BLACK = ["1", "2", "3", "4", "5", "6", "7", "8", "9", "10", "J", "N", "Q", "K"]
RED = [*reversed(BLACK[:10]), *BLACK[10:]]
SKUS = "T0"
NAMES = "SHCDT"

Counts: TypeAlias = tuple[list[int], int]
N = TypeVar("N", bound="Node | French")


class Skus(NamedTuple):
    """The parameters of the skus; `claim` is whether a void hand must claim by itself."""

    demandable: bool
    voluntary: bool
    next_decides: bool
    swap: bool
    passes: bool
    claim: bool


class Node(NamedTuple):
    """A moment of an ending."""

    hands: tuple[frozenset[str], ...]
    number: int
    turn: int
    trick: tuple[tuple[int, str], ...] = ()
    led: str = ""
    asked: tuple[int, ...] = ()  # who has yet to answer whether he demands the skus
    demanded: bool = False
    talk: str = ""  # "answer" or "name": the seat to act speaks, it does not play
    claimed: bool = False  # a word has been said about this led skus


def begin(rules: Skus, hands: Iterable[Iterable[str]], leader: int, asked: Iterable[int]) -> Node:
    """The first moment of an ending; `asked` is the order in which the seats answer."""
    held = tuple(map(frozenset, hands))
    return _before(rules, Node(held, 26 - len(held[0]), leader), tuple(asked))


def _before(rules: Skus, node: Node, asked: tuple[int, ...]) -> Node:
    """A trick about to be led."""
    if node.number == 23 and rules.demandable and any(SKUS in hand for hand in node.hands):
        return node._replace(asked=asked)
    if node.number == 25 and rules.passes and node.hands[node.turn] == {SKUS}:
        return node._replace(turn=(node.turn + 1) % 3)
    return node


def after(rules: Skus, order: tuple[int, ...], node: Node) -> Iterator[Node]:
    """The moments that may follow, one for each thing somebody may do."""
    if node.number > 25:
        return
    if node.asked:
        seat, *rest = node.asked
        yield node._replace(asked=tuple(rest))
        if SKUS not in node.hands[seat]:
            yield node._replace(asked=tuple(rest), demanded=True)
        return
    holders = [seat for seat in range(3) if SKUS in node.hands[seat]]
    if node.number == 23 and rules.demandable and holders and not node.demanded:
        yield from [node._replace(demanded=True)] * 2  # either opponent, until the trick is complete
    lacks = not _of(node.hands[node.turn], node.led)
    if node.talk == "answer":
        next_hand = (node.turn + 2) % 3
        yield node._replace(talk="name" if lacks else "", turn=next_hand, claimed=True)
        return
    if node.talk == "name":
        yield from (node._replace(led=name, talk="", claimed=True) for name in NAMES)
        return
    if rules.claim and not rules.next_decides and not node.claimed and node.trick[:1]:
        yield from _words(rules, node, lacks)
    for card in _legal(rules, node):
        leads_skus = not node.trick and card == SKUS
        for led in NAMES if leads_skus else [node.led or card[0]]:
            yield _played(rules, order, node, card, led)


def _of(hand: frozenset[str], suit: str) -> frozenset[str]:
    return frozenset(card for card in hand if card[0] == suit and card != SKUS)


def _legal(rules: Skus, node: Node) -> frozenset[str]:
    hand = node.hands[node.turn]
    if node.number == 23 and node.demanded and SKUS in hand:
        return frozenset([SKUS])
    others = hand - {SKUS}
    if node.trick:
        others = _of(others, node.led) or _of(others, "T") or others
    if node.number == 24 or (node.number == 23 and not rules.voluntary):
        return others
    return others | (hand & {SKUS})


def _words(rules: Skus, node: Node, lacks: bool) -> Iterator[Node]:
    """What may be said of a led skus by who must speak for himself."""
    if node.trick[0][1] != SKUS or not lacks:
        return
    if len(node.trick) == 1:
        yield node._replace(talk="answer", turn=(node.turn + 1) % 3)
        return
    thrower, thrown = node.trick[1]
    if thrown[0] == node.led:
        return  # the suit was there
    for name in NAMES:
        named = node._replace(led=name, claimed=True)
        if rules.swap and thrown[0] != name and _of(node.hands[thrower], name):
            back = node.hands[thrower] | {thrown}
            hands = tuple(back if seat == thrower else hand for seat, hand in enumerate(node.hands))
            named = named._replace(hands=hands, trick=node.trick[:1], turn=thrower)
        yield named


def _played(rules: Skus, order: tuple[int, ...], node: Node, card: str, led: str) -> Node:
    seat = node.turn
    hands = tuple(hand - {card} for hand in node.hands)
    trick = (*node.trick, (seat, card))
    if len(trick) == 3:
        return _before(
            rules, Node(hands, node.number + 1, _winner(trick, led, RED), demanded=node.demanded), order
        )
    new = node._replace(hands=hands, trick=trick, led=led, turn=(seat + 1) % 3)
    if card == SKUS and not node.trick and (rules.next_decides or not rules.claim):
        nobody = not _of(hands[(seat + 1) % 3], led) and not _of(hands[(seat + 2) % 3], led)
        return new._replace(talk="name" if nobody else "")
    return new


def _winner(trick: tuple[tuple[int, str], ...], led: str, reds: list[str]) -> int:
    fallen = [(card, seat) for seat, card in trick if card != SKUS]
    for suit in ("T", led, fallen[0][0][0]):
        ranks = reds if suit in "HD" else BLACK
        height: Callable[[str], int] = int if suit == "T" else ranks.index
        same = [(height(card[1:]), seat) for card, seat in fallen if card[0] == suit]
        if same:
            return max(same)[1]
    raise AssertionError("every trick has a card that is not the skus")


def danish_count(rules: Skus, hands: Iterable[Iterable[str]], leader: int, order: tuple[int, ...]) -> Counts:
    """The ways to play a Danish ending."""
    return _count(begin(rules, hands, leader, order), lambda node: after(rules, order, node))


# --- French endings ------------------------------------------------------------------------------------


class French(NamedTuple):
    """A moment of a French ending: rules C6, any number of players, nothing said."""

    hands: tuple[frozenset[str], ...]
    turn: int
    trick: tuple[tuple[int, str], ...] = ()


def french_count(hands: Iterable[Iterable[str]], leader: int) -> Counts:
    """The ways to play a French ending."""
    return _count(French(tuple(map(frozenset, hands)), leader), _french_after)


def _french_after(node: French) -> Iterator[French]:
    hand, real = node.hands[node.turn], [card for _, card in node.trick if card != SKUS]
    may = hand - {SKUS}
    if real:
        top = max([int(card[1:]) for card in real if card[0] == "T"], default=0)
        trumps = _of(may, "T")
        higher = frozenset(card for card in trumps if int(card[1:]) > top)
        suit = _of(may, real[0][0]) if real[0][0] != "T" else frozenset()
        may = suit or higher or trumps or may
    for card in may | (hand & {SKUS}):
        hands = tuple(one - {card} for one in node.hands)
        trick = (*node.trick, (node.turn, card))
        if len(trick) < len(hands):
            yield French(hands, (node.turn + 1) % len(hands), trick)
        else:
            yield French(hands, _winner(trick, (*real, card)[0][0], BLACK))


# --- counting ------------------------------------------------------------------------------------------


def _count(start: N, following: Callable[[N], Iterator[N]]) -> Counts:
    """How many sequences of one, two, three … actions there are, and how many of them end the deal."""

    @cache
    def below(node: N) -> tuple[tuple[int, ...], int]:
        if not any(node.hands) and not node.trick:
            return (), 1
        depths: list[int] = []
        lines = 0
        for child in following(node):
            deeper, ends = below(child)
            lines += ends
            for depth, ways in enumerate((1, *deeper)):
                depths[depth : depth + 1] = [ways + sum(depths[depth : depth + 1])]
        return tuple(depths), lines

    depths, lines = below(start)
    return list(depths), lines
