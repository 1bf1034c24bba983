"""Deals for the properties: packs that bring rare things about, players who err, actions of any kind."""

from __future__ import annotations

from collections.abc import Iterator
from random import Random
from types import NoneType, UnionType
from typing import Any, Literal, Union, get_args, get_origin

from msgspec import Struct, structs
from msgspec.structs import replace

from ultimo import danish, deal, rulebook, series
from ultimo.cards import (
    ALL_CARDS,
    ALL_TRUMPS,
    COURTS,
    KINGS,
    PACK,
    SKUS,
    SUIT_CARDS,
    SUITS,
    TRUMPS,
    ULTIMO_CARDS,
    Card,
    Cards,
    cards,
    mask,
)
from ultimo.danish.state import pile_points
from ultimo.events import (
    Action,
    Bid,
    Claim,
    ClaimVoid,
    Deal,
    Decline,
    DemandSkus,
    EnterCount,
    Lay,
    NameSkus,
    ObjectCount,
    Opened,
    Play,
    Recount,
    Seat,
    ShowPoignee,
)
from ultimo.play.choices import Choices
from ultimo.rulebook import DanishRules, FrenchRules, Rules, Strict

TABLES = tuple((book, size) for book in rulebook.ids() for size in rulebook.load(book).sizes)
SWITCHES = tuple(
    f"strict.{field.encode_name}" for field in structs.fields(Strict) if field.encode_name != "cite"
)
LUMPS = (1, 1, 1, 8, 200)  # how much a place at the table may be drawn to a kind of card


# --- cards ---------------------------------------------------------------------------------------------


def open_deal(rules: Rules, table: int, rng: Random) -> Opened:
    """A deal with any dealer, anybody out, any cups, and a pack where it is not shuffled."""
    dealer = rng.randrange(table)
    out = series.first_out(rules, table, dealer)
    if out is not None:
        out = rng.choice([seat for seat in range(table) if seat != dealer])
    active = series.seated(rules, table, dealer, out)
    if isinstance(rules, FrenchRules):
        deck = deal.shuffled(rng) if rules.deal.shuffle == "never" and rng.random() < 0.8 else ()
        return Opened(table, dealer, active, deck=deck)
    full = rules.cups.enabled
    return Opened(table, dealer, active, rng.randrange(300) * full, rng.randrange(300) * full)


def cards_for(rules: Rules, state: deal.State, rng: Random) -> Deal:
    """Cards as they come from a shuffled pack, or in lumps; at a strict table perhaps miscounted."""
    if state.phase == "correcting":
        return deal.deal_out(rules, state, deal.shuffled(rng), rng)
    if not isinstance(state, danish.State) and state.deck:
        return deal.deal_out(rules, state, state.deck, rng)
    kind = rng.random()
    if kind < 0.5:
        dealt = deal.deal_out(rules, state, deal.shuffled(rng), rng)
    elif kind < 0.95 or not isinstance(state, danish.State):
        dealt = _in_lumps(rules, state, rng)
    else:
        dealt = _stacked(state, rng)
    if isinstance(rules, DanishRules) and rules.strict.deal and rng.random() < 0.3:
        assert isinstance(state, danish.State)
        return _miscounted(state, dealt, rng)
    return dealt


def _in_lumps(rules: Rules, state: deal.State, rng: Random) -> Deal:
    """Cards of a kind drawn together, so that voids, long runs, poignées and bare petits are not rare."""
    if isinstance(state, danish.State):
        room = [(28 if seat == state.dealer else 25) * (seat in state.order) for seat in range(state.table)]
    else:
        assert isinstance(rules, FrenchRules)
        room = [rules.deal.hand] * state.table + [rules.deal.chien]
    drawn = [[rng.choice(LUMPS) for _ in room] for _ in range(7)]
    places: list[list[Card]] = [[] for _ in room]
    for card in rng.sample(PACK, len(PACK)):
        kind = 5 if card.bit & COURTS else 6 if card.bit == SKUS else card.suit
        free = [drawn[kind][place] * (room[place] > 0) for place in range(len(room))]
        (place,) = rng.choices(range(len(room)), free)
        places[place].append(card)
        room[place] -= 1
    hands = tuple(tuple(sorted(hand)) for hand in places)
    return Deal(hands) if isinstance(state, danish.State) else Deal(hands[:-1], hands[-1])


def _stacked(state: danish.State, rng: Random) -> Deal:
    """A dealer who has to lay cards of his declarations: all tarokker, and courts that belong together."""
    suit = rng.choice("SHCD")
    hand = mask(f"{suit}Q {suit}N") | KINGS | ALL_TRUMPS
    rest = rng.sample(cards(ALL_CARDS & ~hand), 50)
    forehand, middle, dealer = state.order
    hands = {dealer: cards(hand), forehand: cards(mask(rest[:25])), middle: cards(mask(rest[25:]))}
    return Deal(tuple(hands.get(seat, ()) for seat in range(state.table)))


def _miscounted(state: danish.State, dealt: Deal, rng: Random) -> Deal:
    hands = [list(hand) for hand in dealt.hands]
    for _ in range(rng.randint(1, 2)):
        giver, taker = rng.sample(state.order, 2)
        hands[taker].append(hands[giver].pop(rng.randrange(len(hands[giver]))))
    return Deal(tuple(tuple(sorted(hand)) for hand in hands))


# --- players -------------------------------------------------------------------------------------------


class Clumsy:
    """A table of players who mostly know the rules; `error` is how often one does anything at all.

    Some tables hold back the skus, or all ultimo cards, so that the last tricks have something to tell; some
    like to lead the skus and to talk about it.
    """

    def __init__(self, rules: Rules, rng: Random, error: float) -> None:
        self.rules = rules
        self.lawful = _lawful(rules)
        self.rng = rng
        self.error = error
        self.hoard: Cards = rng.choice((0, SKUS, SKUS | ULTIMO_CARDS, SKUS | ULTIMO_CARDS))
        self.eager = rng.random() < 0.5
        self.modest = rng.random() < 0.7

    def next(self, state: deal.State) -> tuple[Seat | None, Action]:
        """Who acts next, and how: one of those the deal waits for, or now and then anybody who may."""
        rng = self.rng
        if deal.needs_cards(state):
            return None, cards_for(self.rules, state, rng)
        seats = deal.waiting_for(self.rules, state)
        if rng.random() < 0.02 + self.error / 4:
            seats = tuple(seat for seat in range(state.table) if deal.legal(self.rules, state, seat).offers)
        seat = rng.choice(seats)
        choices = deal.legal(self.rules, state, seat)
        if isinstance(state, danish.State) and state.phase == "count" and rng.random() < 0.8:
            honest = EnterCount(pile_points(state)[seat])  # counts at random would go on for ever
            return seat, honest if honest in choices else choices.draw(rng)
        if isinstance(state, danish.State) and rng.random() < 0.3 and _is_misdealt(state):
            return seat, ObjectCount()
        if self.eager and (rare := self._rare(state, seat, choices)):
            return seat, rng.choice(rare)
        action = self._choose(state, seat, choices)
        for _ in range(9):
            if not self._reluctant(action):
                break
            action = self._choose(state, seat, choices)
        return seat, action

    def _rare(self, state: deal.State, seat: Seat, choices: Choices) -> list[Action]:
        """Words about a led skus, and its lead as a suit that nobody else has."""
        others = sum(hand for holder, hand in enumerate(state.hands) if holder != seat)
        dead = [suit for place, suit in enumerate(SUITS) if not others & SUIT_CARDS[place]]
        words: list[Action] = [*(Play(Card("T0"), suit) for suit in dead), *map(NameSkus, SUITS)]
        if self.rng.random() < 0.3:
            words.append(ClaimVoid())
        return [word for word in words if word in choices]

    def _reluctant(self, action: Action) -> bool:
        match action:
            case Play(card=card):
                return bool(card.bit & self.hoard)
            case DemandSkus():
                return bool(self.hoard & ULTIMO_CARDS)
            case Bid(bid="sans" | "contre"):
                return self.modest
            case ObjectCount() | Recount():  # which cost nothing and have no end
                return True
            case _:
                return False

    def _choose(self, state: deal.State, seat: Seat, choices: Choices) -> Action:
        if self.rng.random() < self.error or self.lawful is self.rules:
            return choices.draw(self.rng)
        lawful = deal.legal(self.lawful, state, seat)
        action = (lawful or choices).draw(self.rng)
        return action if action in choices else choices.draw(self.rng)


def _is_misdealt(state: danish.State) -> bool:
    """Whether somebody would do well to count the cards that have just been dealt."""
    return state.phase == "handCheck" and any(
        state.size(seat) != (28 if seat == state.dealer else 25) for seat in state.order
    )


def _lawful(rules: Rules) -> Rules:
    """The same rules at a table where no error can be made."""
    if not isinstance(rules, DanishRules) or not any(getattr(rules.strict, name) for name in _STRICT_FIELDS):
        return rules
    return replace(rules, strict=replace(rules.strict, **dict.fromkeys(_STRICT_FIELDS, False)))


_STRICT_FIELDS = tuple(field.name for field in structs.fields(Strict) if field.name != "cite")


# --- any action at all ---------------------------------------------------------------------------------


def any_actions(state: deal.State, rng: Random, number: int) -> Iterator[tuple[Seat | None, Action]]:
    """Actions of every kind from anybody, sensible or not; half of them with cards that the seat holds."""
    for _ in range(number):
        seat = rng.choice((None, *range(-1, state.table + 1)))
        if rng.random() < 0.5:
            yield seat, _any(rng, rng.choice(get_args(Action)))
            continue
        seat = rng.randrange(state.table)
        yield seat, _near(state.hands[seat], rng)


def _near(hand: Cards, rng: Random) -> Action:
    """An action that might be legal: with cards from this hand."""
    held, trumps = cards(hand), cards(hand & (TRUMPS | SKUS))
    match rng.randrange(5):
        case 0 | 1 if held:
            return Play(rng.choice(held), rng.choice((None, None, None, "S", "T")))
        case 2:
            return Lay(tuple(rng.sample(held, min(len(held), rng.choice((3, 6))))), rng.random() < 0.2)
        case 3:
            return ShowPoignee(tuple(rng.sample(trumps, min(len(trumps), rng.choice((8, 10, 13, 15))))))
        case _:
            return rng.choice((Decline(), Claim("revoke", rng.randrange(5)), Claim("skat", rng.randrange(5))))


def _any(rng: Random, kind: Any) -> Any:
    """Any value of a type."""
    origin, inner = get_origin(kind), get_args(kind)
    if origin is tuple:
        return tuple(_any(rng, inner[0]) for _ in range(rng.randrange(7)))
    if origin is Literal:
        return rng.choice(inner)
    if origin in (Union, UnionType):
        return _any(rng, rng.choice(inner))
    if isinstance(kind, type) and issubclass(kind, Struct):
        return kind(**{field.name: _any(rng, field.type) for field in structs.fields(kind)})
    if kind is Card:
        return rng.choice(list(Card))
    return {int: rng.randrange(-1, 80), bool: rng.random() < 0.5, NoneType: None}[kind]
