"""A decision of a French deal, as the expert's search sees it."""

from __future__ import annotations

from collections.abc import Iterator

import numpy as np

from ultimo.cards import SUITS_WORD, Cards, cards, indices
from ultimo.events import Action, Announce, Bid, Call, Decline, Lay, Pass, Passed, Play, Seat, ShowPoignee
from ultimo.french.state import State
from ultimo.kernel.french import layout as at
from ultimo.kernel.french import past as past_at
from ultimo.kernel.french.bridge import PHASES, from_view
from ultimo.kernel.french.deal import array_of
from ultimo.kernel.french.policy.student import network_for
from ultimo.kernel.french.run import do
from ultimo.kernel.jit import Ints, Words
from ultimo.kernel.policy import CLUB
from ultimo.kernel.worlds.draw import Worlds
from ultimo.play.choices import Choices, Lays, Shows
from ultimo.play.following import FIRST_TRUMP
from ultimo.players.expert.inference import CAUTIOUS, Method
from ultimo.players.expert.table import Option, Table, note_plays
from ultimo.rulebook import FrenchRules

EVERY_ECART = 40  # so many are all tried


class FrenchTable(Table[FrenchRules, State]):
    """What a seat has to decide."""

    reds_reversed = False

    def __init__(
        self,
        rules: FrenchRules,
        state: State,
        seat: Seat,
        choices: Choices,
        keep: Action | None = None,
        method: Method = CAUTIOUS,
    ) -> None:
        self.n, self.view = array_of(rules, network_for((method.policy,))), from_view(rules, state, seat)
        self.past = past_of(rules, state, seat)
        super().__init__(rules, state, seat, choices, keep, method)

    def _options(self, choices: Choices) -> Iterator[Option]:
        for offer in choices.offers:
            if isinstance(offer, Lays):
                yield from self._ecarts(choices)
                continue
            offered = [next(iter(offer))] if isinstance(offer, Shows) else offer  # the lowest tell the least
            yield from self._plays(offered)
            for action in offered:
                if not isinstance(action, Play):
                    yield Option(action, self._moves(action))

    def _moves(self, action: Action) -> tuple[int, ...]:
        match action:
            case Pass():
                return (at.PASS,)
            case Bid(bid):
                return (at.BID + [row.id for row in self.rules.bid.ladder].index(bid),)
            case Decline():
                return (at.DECLINE,)
            case Announce():
                return (at.SLAM,)
            case Lay(laid):
                return tuple(card.index for card in laid)
            case ShowPoignee(shown):
                return self._shows(sum(card.bit for card in shown))
            case Call(card) | Play(card):
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

    # --- worlds ----------------------------------------------------------------------------------------

    @property
    def _telling(self) -> Ints:
        return self.past[past_at.TELLING : past_at.PAST]

    def tell(self, worlds: Worlds) -> tuple[Ints, Ints]:
        """The present state in each world, and how often the others did what surprises in it."""
        states = np.zeros((len(worlds), at.WHOLE), np.int64)
        surprises = np.zeros((len(worlds), past_at.SURPRISES), np.int64)
        past_at.tell_again(
            self.n, self.past, CLUB, worlds.suits, worlds.trumps, states, surprises, self.odd, self.dice
        )
        return states, surprises

    def _play(self, states: Ints, moves: Ints, alive: Ints, policies: Ints, seeds: Words, ends: Ints) -> None:
        past_at.play_candidates(self.n, states, moves, alive, policies, seeds, self.dice, ends)

    def nets(self, states: Ints) -> Ints:
        """What each seat has gained."""
        return states[..., at.NET : at.NET + self.state.table]


def past_of(rules: FrenchRules, state: State, seat: Seat) -> Ints:
    """What a seat knows of the past, for `tell_again`."""
    past = np.zeros(past_at.PAST, np.int64)
    past[past_at.ME], past[past_at.PRESENT], past[past_at.DEALER] = seat, PHASES[state.phase], state.dealer
    past[past_at.SPOKEN] = len(state.bids)
    past[past_at.CALLED] = at.NOTHING if state.called is None else state.called.index
    past[past_at.LAID] = state.phase in ("slam", "play")
    past[past_at.SLAM_BY] = at.NOTHING if state.slam is None else state.slam
    past[past_at.TAKER] = state.taker if state.shown and state.taker is not None else at.NOTHING
    past[past_at.CHIEN_SUITS] = state.shown & SUITS_WORD
    past[past_at.CHIEN_TRUMPS] = state.shown >> FIRST_TRUMP
    ladder = [row.id for row in rules.bid.ladder]
    for place, spoken in enumerate(state.bids):
        said = at.PASS if isinstance(spoken, Passed) else at.BID + ladder.index(spoken.bid)
        past[past_at.BIDS + place] = said
    past[past_at.SHOWN_KIND : past_at.SHOWN_KIND + at.MOST_SEATS] = at.NOTHING
    for shown in state.poignees:
        past[past_at.SHOWN_KIND + shown.seat] = shown.size
        past[past_at.SHOWN + shown.seat] = sum(card.bit for card in shown.cards) >> FIRST_TRUMP
    every = (*(trick.plays for trick in state.tricks), state.trick)
    note_plays(past, past_at, ((one.seat, one.card, one.card.index) for plays in every for one in plays))
    return past
