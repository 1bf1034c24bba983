"""A decision of a French deal, as the expert's search sees it."""

from __future__ import annotations

from collections.abc import Iterator
from functools import cached_property

import numpy as np

from ultimo.cards import SUITS_WORD, Cards, cards, indices
from ultimo.events import Action, Announce, Bid, Call, Decline, Lay, Pass, Passed, Play, Seat, ShowPoignee
from ultimo.french.state import State
from ultimo.kernel.french import layout as at
from ultimo.kernel.french import past as past_at
from ultimo.kernel.french.bridge import PHASES, from_view
from ultimo.kernel.french.deal import array_of, blank
from ultimo.kernel.french.run import do
from ultimo.kernel.jit import Ints, Words
from ultimo.kernel.policy import CLUB
from ultimo.kernel.worlds.draw import Sampler, Worlds, sampler
from ultimo.kernel.worlds.knowledge import Knowledge, knowledge
from ultimo.play.choices import Choices, Lays, Shows
from ultimo.play.following import FIRST_TRUMP
from ultimo.players import french_bot
from ultimo.players.expert.options import Option, fallen, table_of, touching
from ultimo.players.expert.search import Floats
from ultimo.rulebook import FrenchRules

SPOKEN_UNLIKE, PLAYED_UNLIKE = 2.0, 0.7  # what speaks against a world: what was done unlike the club
EVERY_ECART = 40  # so many are all tried


class FrenchTable:
    """What a seat has to decide."""

    def __init__(self, rules: FrenchRules, state: State, seat: Seat, choices: Choices) -> None:
        self.rules, self.state, self.seat = rules, state, seat
        self.n = array_of(rules)
        self.view = from_view(rules, state, seat)
        self.s, self.dice = blank(), np.zeros(1, np.uint64)
        self.policies = np.full(at.MOST_SEATS, CLUB, np.int64)
        self.past = past_of(rules, state, seat)
        self.options = tuple(self._options(choices))
        self.moves = table_of(self.options)

    # --- candidates ------------------------------------------------------------------------------------

    def _options(self, choices: Choices) -> Iterator[Option]:
        for offer in choices.offers:
            if isinstance(offer, Lays):
                yield from self._ecarts(choices)
            elif isinstance(offer, Shows):
                shown = self._shown(offer)
                yield Option(shown, self._moves(shown))
            else:
                plays = [action for action in offer if isinstance(action, Play)]
                for group in touching(self.state.hands[self.seat], fallen(self.state), plays, False):
                    yield Option(group[0], (group[0].card.index,), tuple(group))
                for action in offer:
                    if not isinstance(action, Play):
                        yield Option(action, self._moves(action))

    def _moves(self, action: Action) -> tuple[int, ...]:
        match action:
            case Pass():
                return (at.PASS,)
            case Bid(bid):
                return (at.BID + [row.id for row in self.rules.bid.ladder].index(bid),)
            case Call(card):
                return (card.index,)
            case Decline():
                return (at.DECLINE,)
            case Announce():
                return (at.SLAM,)
            case Lay(laid):
                return tuple(card.index for card in laid)
            case ShowPoignee(shown):
                return self._shows(sum(card.bit for card in shown))
            case Play(card):
                return (card.index,)
            case _:
                raise ValueError(f"{action} is not decided by the cards")

    def _shows(self, shown: Cards) -> tuple[int, ...]:
        """The word for a poignée, and its cards as far as they have to be chosen."""
        kind = self.rules.poignee.sizes.index(shown.bit_count())
        s, moves = self.view.copy(), [at.SHOW + kind]
        do(self.n, s, moves[0])
        while s[at.PHASE] == at.SHOWING:
            left = shown >> FIRST_TRUMP & ~int(s[at.SHOWN_TRUMPS + self.seat])
            moves.append(FIRST_TRUMP + (left & -left).bit_length() - 1)
            do(self.n, s, moves[-1])
        return tuple(moves)

    def _shown(self, offer: Shows) -> ShowPoignee:
        """The trumps that tell the least: the lowest that may be shown."""
        first = next(iter(offer))
        assert isinstance(first, ShowPoignee)
        return first

    def _ecarts(self, choices: Choices) -> Iterator[Option]:
        """The club's écart, and others that differ from it in one card; all of them where they are few."""
        if len(choices) <= EVERY_ECART:
            for action in choices:
                yield Option(action, self._moves(action))
            return
        first = self.advice()
        assert isinstance(first, Lay)
        yield Option(first, self._moves(first))
        hand, laid = self.state.hands[self.seat], sum(card.bit for card in first.cards)
        for out in indices(laid):
            for new in indices(hand & ~laid):
                other = Lay(cards(laid ^ 1 << out | 1 << new))
                if other in choices:
                    yield Option(other, self._moves(other))

    def advice(self) -> Action:
        """What the club's player would do."""
        return french_bot.choose(self.rules, self.state, self.seat, CLUB)[0]

    # --- worlds ----------------------------------------------------------------------------------------

    @cached_property
    def known(self) -> Knowledge:
        """What the seat knows of the cards; may raise `Impossible`."""
        return knowledge(self.rules, self.state)

    @cached_property
    def _sampler(self) -> Sampler:
        return sampler(self.known)

    def tell(self, worlds: Worlds) -> tuple[Ints, Ints]:
        """The present state in each world, and how often the others did what surprises in it."""
        states = np.zeros((len(worlds), len(self.s)), np.int64)
        surprises = np.zeros((len(worlds), past_at.SURPRISES), np.int64)
        past_at.tell_again(self.n, self.past, CLUB, worlds.suits, worlds.trumps, states, surprises, self.dice)
        return states, surprises

    def draw(self, number: int, dice: Words) -> tuple[Worlds, Ints, Floats]:
        """Worlds, the present state in each, and how much speaks against each."""
        worlds = self._sampler.draw(number, dice)
        states, surprises = self.tell(worlds)
        against = surprises @ np.array([SPOKEN_UNLIKE, PLAYED_UNLIKE])
        against[surprises[:, 0] < 0] = np.inf
        return worlds, states, against

    def gains(self, states: Ints, rows: Ints, alive: Ints, seeds: Words) -> Ints:
        """What the candidates gain in some of the states."""
        out = np.zeros((len(rows), len(self.moves)), np.int64)
        past_at.evaluate(
            self.n,
            states,
            rows,
            self.seat,
            self.moves,
            alive,
            self.policies,
            seeds,
            self.s,
            self.dice,
            out,
        )
        return out


def past_of(rules: FrenchRules, state: State, seat: Seat) -> Ints:
    """What a seat knows of the past, for `tell_again`."""
    past = np.zeros(past_at.PAST, np.int64)
    past[past_at.ME], past[past_at.PRESENT], past[past_at.DEALER] = seat, PHASES[state.phase], state.dealer
    past[past_at.SPOKEN] = len(state.bids)
    past[past_at.CALLED] = at.NOTHING if state.called is None else state.called.index
    past[past_at.LAID] = state.phase in ("slam", "play")
    past[past_at.SLAM_BY] = at.NOTHING if state.slam is None else state.slam
    past[past_at.TAKER] = state.taker if state.shown and state.taker is not None else at.NOTHING
    past[past_at.CHIEN_SUITS], past[past_at.CHIEN_TRUMPS] = _words(state.shown)
    ladder = [row.id for row in rules.bid.ladder]
    for place, spoken in enumerate(state.bids):
        past[past_at.BIDS + place] = (
            at.PASS if isinstance(spoken, Passed) else at.BID + ladder.index(spoken.bid)
        )
    past[past_at.SHOWN_KIND : past_at.SHOWN_KIND + at.MOST_SEATS] = at.NOTHING
    for shown in state.poignees:
        past[past_at.SHOWN_KIND + shown.seat] = shown.size
        past[past_at.SHOWN + shown.seat] = sum(card.bit for card in shown.cards) >> FIRST_TRUMP
    number = 0
    for plays in (*(trick.plays for trick in state.tricks), state.trick):
        for play in plays:
            suits, trumps = _words(play.card.bit)
            past[past_at.GONE_SUITS + play.seat] |= suits
            past[past_at.GONE_TRUMPS + play.seat] |= trumps
            past[past_at.CARDS + number] = play.card.index
            number += 1
    past[past_at.PLAYS] = number
    return past


def _words(some: Cards) -> tuple[int, int]:
    return some & SUITS_WORD, some >> FIRST_TRUMP
