"""From the plain engine to the array and back: the same deal, told in both ways."""

from __future__ import annotations

from ultimo.cards import PACK, PAGAT, SKUS, cards
from ultimo.events import Action, Announce, Bid, Call, Deal, Decline, Pass, Passed, Play, Seat
from ultimo.french import State
from ultimo.french import numbers as rule
from ultimo.french.following import UNBEATEN, fall
from ultimo.french.numbers import numbers
from ultimo.french.reckoning import poignee_worth, poignees_together
from ultimo.kernel.french import layout as at
from ultimo.kernel.french.deal import blank
from ultimo.kernel.french.memory import FIRST_BID, PASSED, see_card
from ultimo.kernel.jit import Ints
from ultimo.kernel.sets import cards_in, words
from ultimo.play.following import FIRST_TRUMP, NO_SUIT
from ultimo.rulebook import FrenchRules

PHASES = {
    "bid": at.BIDDING,
    "call": at.CALLING,
    "ecart": at.LAYING,
    "slam": at.SLAM_ASKED,
    "play": at.PLAYING,
    "closed": at.CLOSED,
}


def from_view(rules: FrenchRules, state: State, seat: Seat) -> Ints:
    """The array of a deal that is going on as one seat sees it: the other hands are empty.

    What the others show of their hands is in its memory. The sides are as far as the seat knows them; the
    cards laid aside are there if it has seen them. `fill` puts a world into it.
    """
    if state.phase not in PHASES or state.phase == "closed":
        raise ValueError("the cards have not been dealt, or the deal is over")
    s = blank()
    s[at.SUITS + seat], s[at.TRUMPS + seat] = words(state.hands[seat])
    s[at.DEALT_SUITS + seat], s[at.DEALT_TRUMPS + seat] = words(state.dealt[seat])
    s[at.CHIEN_SUITS], s[at.CHIEN_TRUMPS] = words(state.shown)
    s[at.ECART_SUITS], s[at.ECART_TRUMPS] = words(state.ecart)
    put_public(rules, s, state)
    return s


def put_public(rules: FrenchRules, s: Ints, state: State) -> None:
    """Write down what everybody at the table knows."""
    s[at.PHASE] = PHASES[state.phase]
    s[at.TURN] = _number(state.turn)
    s[at.DEALER] = state.dealer
    s[at.SIDES_PUBLIC] = state.sides_public
    _put_contract(rules, s, state)
    _put_tricks(s, state)
    _put_memory(rules, s, state)


def _put_contract(rules: FrenchRules, s: Ints, state: State) -> None:
    n = numbers(rules)
    s[at.SPOKEN] = len(state.bids)
    s[at.TAKER] = _number(state.taker)
    s[at.CONTRACT] = -1 if state.contract is None else rules.bid.ladder.index(state.contract)
    s[at.CALLED] = -1 if state.called is None else state.called.index
    s[at.PARTNER] = _number(state.partner)
    if state.phase not in ("bid", "call") and state.taker is not None:
        s[at.SIDES] = sum(1 << seat for seat in range(state.table) if state.side(seat) == "taker")
    s[at.LEFT] = n[rule.CHIEN] if state.phase == "ecart" else 0
    s[at.ANNOUNCER] = _number(state.slam)
    for shown in state.poignees:
        size = len(shown.cards)
        s[at.SHOWN_SIZE + shown.seat] = size
        s[at.SHOWN_TRUMPS + shown.seat] = sum(card.bit for card in shown.cards) >> FIRST_TRUMP
        s[at.POIGNEE] = poignees_together(n, int(s[at.POIGNEE]), poignee_worth(n, size))


def _put_tricks(s: Ints, state: State) -> None:
    for place in at.FATES:
        s[place] = at.NOTHING
    pile = 0
    for number, trick in enumerate(state.tricks):
        s[at.TRICKS + trick.winner] += 1
        if state.side(trick.winner) == "taker":
            s[at.TAKER_TRICKS] += 1
            pile |= trick.cards
        if trick.cards & SKUS:
            s[at.EXCUSE_BY] = next(play.seat for play in trick.plays if play.card.bit == SKUS)
            s[at.EXCUSE_TRICK], s[at.EXCUSE_TAKER] = number, trick.winner
        if trick.cards & PAGAT:
            s[at.PETIT_TRICK], s[at.PETIT_TAKER] = number, trick.winner
    s[at.PILE_SUITS], s[at.PILE_TRUMPS] = words(pile)
    s[at.TRICK], s[at.PLACE] = len(state.tricks), len(state.trick)
    s[at.LEADER] = _leader(state)
    on_table = state.trick + (state.tricks[-1].plays[len(state.trick) :] if state.tricks else ())
    for place, play in enumerate(on_table):
        s[at.TABLE + place] = play.card.index
    led, height, winning = NO_SUIT, UNBEATEN, at.NOTHING
    for play in state.trick:
        led, height, winning = fall(play.card.index, play.seat, led, height, winning)
    s[at.LED], s[at.HEIGHT], s[at.WINNING] = led, height, winning
    s[at.TRICK_SUITS], s[at.TRICK_TRUMPS] = words(sum(play.card.bit for play in state.trick))


def _put_memory(rules: FrenchRules, s: Ints, state: State) -> None:
    """What everybody has seen; `memory.remember` comes to the same step by step."""
    s[at.CHIEN_SEEN_SUITS], s[at.CHIEN_SEEN_TRUMPS] = words(state.shown)
    ladder = [row.id for row in rules.bid.ladder]
    for spoken in state.bids:
        s[at.BIDS + spoken.seat] = (
            PASSED if isinstance(spoken, Passed) else FIRST_BID + ladder.index(spoken.bid)
        )
    for plays in (*(trick.plays for trick in state.tricks), state.trick):
        led, height, winning, together = NO_SUIT, UNBEATEN, at.NOTHING, 0
        for play in plays:
            see_card(s, play.seat, play.card.index, led, height, winning)
            led, height, winning = fall(play.card.index, play.seat, led, height, winning)
            together |= play.card.bit
        if len(plays) == state.table:
            suits, trumps = words(together)
            s[at.WON_SUITS + winning] |= suits
            s[at.WON_TRUMPS + winning] |= trumps


def _leader(state: State) -> int:
    if state.trick:
        return state.trick[0].seat
    if state.tricks:
        return state.tricks[-1].winner
    return _number(state.turn) if state.phase == "play" else 0


def to_deal(rules: FrenchRules, s: Ints) -> Deal:
    """The cards as they were dealt."""
    hands = [cards_in(s[at.DEALT_SUITS + seat], s[at.DEALT_TRUMPS + seat]) for seat in range(rules.players)]
    return Deal(tuple(map(cards, hands)), cards(cards_in(s[at.CHIEN_SUITS], s[at.CHIEN_TRUMPS])))


def to_action(rules: FrenchRules, phase: int, action: int) -> Action:
    """What an action is called at the table; the cards of an écart and of a poignée are one action there."""
    if phase == at.PLAYING and action < at.FIRST_WORD:
        return Play(PACK[action])
    if phase == at.CALLING:
        return Call(PACK[action])
    if phase == at.BIDDING:
        return Pass() if action == at.PASS else Bid(rules.bid.ladder[action - at.BID].id)
    if phase == at.SLAM_ASKED:
        return Decline() if action == at.DECLINE else Announce("slam")
    raise ValueError("an écart or a poignée is made of several actions")


def _number(seat: int | None) -> int:
    return at.NOTHING if seat is None else seat
