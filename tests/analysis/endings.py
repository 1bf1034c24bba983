"""Random endings of deals, the same for the same seed: every rulebook and size of table, rare things often.

A deal is played at random down to its last tricks. So that endings are about something, the players of most
deals keep their kings, the pagat and the skus as long as they may; the tricks won so far are then sometimes
given to others, so that somebody may still take none, or all.
"""

from __future__ import annotations

from collections.abc import Iterator
from functools import cache
from random import Random
from typing import Any, TypeAlias

from msgspec.structs import replace

from properties.alternatives import Change, others, type_of
from properties.driving import open_deal
from ultimo import danish, deal, french, rulebook
from ultimo.analysis.solver import POINTS, Atom, Claim, Goal
from ultimo.cards import PAGAT, SKUS, SUIT_CARDS, SUITS, T21, ULTIMO_CARDS, Cards, cards, parse_card
from ultimo.danish.evolve import before_trick
from ultimo.danish.following import LAST
from ultimo.events import Action, Announce, AskTarokLaid, Decline, DemandSkus, Pass, Play, Seat
from ultimo.rulebook import DanishRules, FrenchRules, Rules

KEPT: Cards = ULTIMO_CARDS | SKUS  # what makes an ending
Question: TypeAlias = tuple[Rules, Any, Goal, frozenset[int] | None]

NOT_IN_ENDINGS = ("strict.", "session.", "fine.", "sitter.", "table.", "decl.", "deal.", "skat.")


def danish_endings(
    book: str,
    seed: object,
    most: int = 99,
    rules: DanishRules | None = None,
    sizes: tuple[int, ...] = (1, 2, 3, 3, 3, 4),
) -> Iterator[tuple[DanishRules, danish.State]]:
    """Endings of at most so many tricks, without end; under these rules, or now and then with house rules."""
    number = 0
    while True:
        rng = Random(f"{book} {seed} {number}")
        number += 1
        played = rules or _with_house(book, rng)
        assert isinstance(played, DanishRules)
        yield played, _danish_ending(played, min(most, rng.choice(sizes)), rng)


def french_endings(book: str, seed: object, most: int = 3) -> Iterator[tuple[FrenchRules, french.State]]:
    """Endings of at most so many tricks, without end."""
    number = 0
    while True:
        rng = Random(f"{book} {seed} {number}")
        number += 1
        rules = _with_house(book, rng)
        assert isinstance(rules, FrenchRules)
        yield rules, _french_ending(rules, rng.randint(1, most), rng)


@cache
def house_rules(book: str) -> tuple[Change, ...]:
    """Each change of one parameter that can make another ending of it; not every one can be played alone."""
    rules = rulebook.load(book)
    return tuple(
        (key, other)
        for key, value in rulebook.parameters(rules).items()
        if not key.startswith(NOT_IN_ENDINGS)
        for other in others(type_of(type(rules), key), value)
    )


def _with_house(book: str, rng: Random) -> Rules:
    """The rulebook, or for one deal in three one with some house rules."""
    house: dict[str, Any] = {}
    wishes = rng.choices(house_rules(book), k=4) if rng.random() < 0.33 else []
    for key, value in wishes:
        try:
            rulebook.load(book, house | {key: value})
        except rulebook.RulebookError:  # it contradicts another house rule
            continue
        house |= {key: value}
    return rulebook.load(book, house)


def _random_step(rules: Rules, state: Any, rng: Random, kept: Cards = 0) -> Any:
    """What the next seat does at random; it parts with what is kept only if it must."""
    seat = deal.waiting_for(rules, state)[0]
    legal = deal.legal(rules, state, seat)
    must = not legal.cards() & ~kept
    action: Action = AskTarokLaid()  # a question that changes nothing
    while isinstance(action, AskTarokLaid) or (
        isinstance(action, Play) and action.card.bit & kept and not must
    ):
        action = legal.draw(rng)
    if isinstance(action, DemandSkus | Announce) and rng.random() < 0.75:
        action = next((other for other in legal if isinstance(other, Decline | Play)), action)
    return deal.step(rules, state, seat, action)[0]


def _begun(rules: Rules, rng: Random) -> Any:
    """A deal of which the cards have been dealt."""
    opened = open_deal(rules, rng.choice(rules.sizes), rng)
    state = deal.initial(rules, opened)
    for event in deal.begin(rules, opened)[1:]:
        state = deal.evolve(rules, state, event)
    return state


def _dealt(rules: Rules, state: Any, rng: Random) -> Any:
    return deal.step(rules, state, None, deal.deal_out(rules, state, deal.shuffled(rng), rng))[0]


# --- Danish --------------------------------------------------------------------------------------------


def _danish_ending(rules: DanishRules, left: int, rng: Random) -> Any:
    kept = rng.choice((0, SKUS, SKUS, KEPT, KEPT, KEPT, KEPT))
    state = _begun(rules, rng)
    while state.number < LAST + 1 - left:
        state = (
            _dealt(rules, state, rng) if deal.needs_cards(state) else _random_step(rules, state, rng, kept)
        )
    assert isinstance(state, danish.State)
    if rng.random() < 0.35:
        state = _with_other_winners(rules, state, rng)
    if rng.random() < 0.3:
        state = _led_by_skus(rules, state, rng)
    while state.phase == "demand" and rng.random() < 0.8:
        state = _random_step(rules, state, rng)
    for _ in range(rng.choice((0, 0, 0, 1, 1, 2, 3, 4))):
        after = _random_step(rules, state, rng)
        if after.number != state.number:  # it would be another ending
            break
        state = after
    return state


def _with_other_winners(rules: DanishRules, state: danish.State, rng: Random) -> danish.State:
    """The ending with all earlier tricks won by one player, or by two: a tout or a nolo is possible."""
    winners = rng.sample(state.order, rng.choice((1, 2, 2)))
    tricks = tuple(replace(trick, winner=rng.choice(winners)) for trick in state.tricks)
    won = tuple(sum(trick.winner == seat for trick in tricks) for seat in range(state.table))
    piles = [0] * state.table
    for trick in tricks:
        for play in trick.plays:
            piles[play.seat if play.card.bit == SKUS else trick.winner] |= play.card.bit
    state = replace(state, tricks=tricks, won=won, piles=tuple(piles))
    return _led_by(rules, state, rng.choice(winners))


def _led_by(rules: DanishRules, state: danish.State, leader: Seat) -> danish.State:
    """The ending with another leader; a bare skus does not lead where the lead passes."""
    if rules.skus.last_trick_lead == "leadPasses" and state.number == LAST and state.hands[leader] == SKUS:
        leader = state.after(leader)
    return before_trick(rules, replace(state, turn=leader, asked=(), demands=(), phase="play"))


def _led_by_skus(rules: DanishRules, state: danish.State, rng: Random) -> danish.State:
    """The ending with the holder of the skus on the lead, and if he may, the skus led."""
    holder = next((seat for seat in state.order if state.hands[seat] & SKUS), None)
    if holder is None:
        return state
    state = _led_by(rules, state, holder)
    while state.phase in ("announce", "demand"):
        state = _random_step(rules, state, rng)
    others = sum(state.hands) & ~state.hands[holder]
    missing = [suit for suit, some in zip(SUITS, SUIT_CARDS, strict=True) if not others & some]
    led = Play(parse_card("T0"), rng.choice(missing if missing and rng.random() < 0.7 else SUITS))
    if led not in deal.legal(rules, state, holder) or rng.random() < 0.3:
        return state
    after = deal.step(rules, state, holder, led)[0]
    assert isinstance(after, danish.State)
    return after


# --- French --------------------------------------------------------------------------------------------


def _french_ending(rules: FrenchRules, left: int, rng: Random) -> Any:
    kept = rng.choice((0, SKUS, PAGAT | SKUS, PAGAT | SKUS | T21))
    state = _begun(rules, rng)
    while len(state.tricks) < rules.deal.hand - left:
        if deal.is_over(state):  # nobody bid, or a bare petit
            state = _begun(rules, rng)
        elif deal.needs_cards(state):
            state = _dealt(rules, state, rng)
        elif state.phase == "bid" and rng.random() < 0.6:  # else most bids would be the highest
            state = deal.step(rules, state, state.turn, Pass())[0]
        else:
            state = _random_step(rules, state, rng, kept)
    assert isinstance(state, french.State)
    if rng.random() < 0.3:
        state = _with_one_winner(state, rng)
    for _ in range(rng.randrange(rules.players)):
        state = _random_step(rules, state, rng)
    return state


def _with_one_winner(state: french.State, rng: Random) -> french.State:
    """The ending with all earlier tricks won by one side: a slam is possible."""
    side = state.side(rng.randrange(state.table))
    winners = [seat for seat in range(state.table) if state.side(seat) == side]
    tricks = tuple(replace(trick, winner=rng.choice(winners)) for trick in state.tricks)
    won = [0] * state.table
    for trick in tricks:
        won[trick.winner] |= trick.cards
    return replace(state, tricks=tricks, won=tuple(won), turn=rng.choice(winners))


def questions(book: str, seed: object) -> Iterator[Question]:
    """Claims, points and everybody for themselves in endings long enough to share."""
    if book.startswith("french"):
        for rules, state in french_endings(book, seed, most=5):
            yield rules, state, POINTS, None
        return
    for number, (played, ending) in enumerate(danish_endings(book, seed, sizes=(4, 5, 5, 6))):
        rng = Random(number)
        seat, side = rng.choice(ending.order), frozenset(rng.sample(ending.order, rng.choice((1, 2))))
        named = [
            Atom("ultimo", one, card)
            for one in ending.order
            for card in cards(ending.hands[one] & ULTIMO_CARDS)
        ]
        atoms = (Atom("lastTrick", seat, holds=rng.random() < 0.8), *named[:1])
        yield from (
            (played, ending, Claim(atoms[: rng.choice((1, 2))]), side),
            (played, ending, POINTS, side),
            (played, ending, POINTS, None),
        )
