"""A decision of a Danish deal, as the expert's search sees it."""

from __future__ import annotations

from collections.abc import Iterator
from functools import cached_property

import numpy as np

from ultimo import events as e
from ultimo.cards import SUITS_WORD, cards, indices
from ultimo.danish.facts import KING_CUP, PAGAT_CUP
from ultimo.danish.state import State
from ultimo.kernel.danish import deal
from ultimo.kernel.danish import layout as at
from ultimo.kernel.danish import past as past_at
from ultimo.kernel.danish.bridge import PHASES, from_action, from_view
from ultimo.kernel.danish.policy.skat_search import candidates
from ultimo.kernel.jit import Ints, Words
from ultimo.kernel.policy import CLUB
from ultimo.kernel.worlds.draw import Sampler, Worlds, sampler
from ultimo.kernel.worlds.knowledge import Knowledge, knowledge
from ultimo.play.choices import Choices
from ultimo.play.following import FIRST_TRUMP
from ultimo.players import danish_bot
from ultimo.players.expert.options import Option, fallen, table_of, touching
from ultimo.players.expert.search import Floats
from ultimo.rulebook import DanishRules

WORDS = (e.Accept, e.DemandRedeal, e.Announce, e.Decline, e.DemandSkus, e.NameSkus)
LAID_UNLIKE, PLAYED_UNLIKE = 1.0, 0.7  # what speaks against a world: each card another than the club's
MOST_SKATS = 24  # that are tried


class DanishTable:
    """What a seat has to decide."""

    def __init__(
        self, rules: DanishRules, calm: DanishRules, state: State, seat: e.Seat, choices: Choices
    ) -> None:
        """`calm` are the rules without errors, by which everybody is taken to go on."""
        self.rules, self.calm, self.state, self.seat = rules, calm, state, seat
        self.place = state.order.index(seat)
        self.n = deal.array_of(calm)
        self.view = from_view(calm, state, seat)
        self.w = np.zeros(at.PAPER, np.int64)
        self.dice = np.zeros(1, np.uint64)
        self.s = np.zeros(at.LENGTH, np.int64)
        self.policies = np.full(3, CLUB, np.int64)
        self.past = past_of(state, seat) if len(state.tricks) == state.number - 1 else None
        self.options = tuple(self._options(choices))
        self.moves = table_of(self.options)
        self._start: Ints | None = None

    # --- candidates ------------------------------------------------------------------------------------

    def _options(self, choices: Choices) -> Iterator[Option]:
        if self.state.phase == "skat":
            yield from self._skats(choices)
            return
        plays = [action for action in choices if isinstance(action, e.Play)]
        for group in touching(self.state.hands[self.seat], fallen(self.state), plays, True):
            yield Option(group[0], (from_action(group[0]),), tuple(group))
        if self.state.phase != "play":  # what may be said besides while a trick lies there is not weighed
            for action in choices:
                if isinstance(action, WORDS):
                    yield Option(action, (from_action(action),))

    def _skats(self, choices: Choices) -> Iterator[Option]:
        """The skats that the club thinks best; the skus is not laid for tout."""
        for skat, _, _ in candidates(self.calm, self.state.hands[self.seat], MOST_SKATS):
            action = e.Lay(cards(skat))
            if action in choices:
                yield Option(action, tuple(indices(skat)))

    def advice(self) -> e.Action:
        """What the club's player would do."""
        return danish_bot.choose(self.rules, self.state, self.seat, CLUB)[0]

    # --- worlds ----------------------------------------------------------------------------------------

    @cached_property
    def known(self) -> Knowledge:
        """What the seat knows of the cards; may raise `Impossible`."""
        return knowledge(self.rules, self.state)

    def _begun(self, worlds: Worlds) -> Ints:
        """The deal as it began. What has gone into the cups since then is found by telling it once."""
        s = np.zeros((1, at.LENGTH), np.int64)
        deal.begin(self.n, s[0], self.w, self.state.table, 0, 0)
        s[0, KING_CUP], s[0, PAGAT_CUP] = 0, 0
        told = s.copy()
        self._tell(worlds.suits[:1], worlds.trumps[:1], told)
        s[0, KING_CUP] = self.state.king - told[0, KING_CUP]
        s[0, PAGAT_CUP] = self.state.pagat - told[0, PAGAT_CUP]
        return s

    def _tell(self, suits: Ints, trumps: Ints, states: Ints) -> Ints:
        """Tell the past in worlds; what is surprising in each."""
        surprises = np.zeros((len(states), past_at.SURPRISES), np.int64)
        assert self.past is not None
        past_at.tell_again(self.n, self.past, CLUB, suits, trumps, states, surprises, self.w)
        return surprises

    def tell(self, worlds: Worlds) -> tuple[Ints, Ints]:
        """The present state in each world, and how often the others did what surprises in it."""
        if self._start is None:
            self._start = self._begun(worlds)
        states = np.repeat(self._start, len(worlds), axis=0)
        return states, self._tell(worlds.suits, worlds.trumps, states)

    @cached_property
    def _sampler(self) -> Sampler:
        return sampler(self.known)

    def draw(self, number: int, dice: Words) -> tuple[Worlds, Ints, Floats]:
        """Worlds, the present state in each, and how much speaks against each."""
        worlds = self._sampler.draw(number, dice)
        if self.past is None:
            states = np.zeros((len(worlds), at.LENGTH), np.int64)
            order = np.array(self.state.order, np.int64)
            past_at.lay_out(self.view, order, worlds.suits, worlds.trumps, states)
            return worlds, states, np.zeros(len(worlds))
        states, surprises = self.tell(worlds)
        against = surprises @ np.array([LAID_UNLIKE, PLAYED_UNLIKE])
        against[surprises[:, 0] < 0] = np.inf
        return worlds, states, against

    def gains(self, states: Ints, rows: Ints, alive: Ints, seeds: Words) -> Ints:
        """What the candidates gain in some of the states."""
        out = np.zeros((len(rows), len(self.moves)), np.int64)
        past_at.evaluate(
            self.n,
            states,
            rows,
            self.place,
            self.moves,
            alive,
            self.policies,
            seeds,
            self.s,
            self.w,
            self.dice,
            out,
        )
        return out


def past_of(state: State, seat: e.Seat) -> Ints:
    """What a seat knows of the past, for `tell_again`."""
    place = {one: at for at, one in enumerate(state.order)}
    past = np.zeros(past_at.PAST, np.int64)
    past[past_at.ME] = place[seat]
    past[past_at.PRESENT] = PHASES[state.phase]
    past[past_at.SKAT_LIES] = state.phase not in ("handCheck", "skat")
    past[past_at.WITH_TOUT] = state.tout_laid
    past[past_at.DEMANDERS] = sum(1 << place[one] for one in state.demands)
    past[past_at.WAS_DEMANDED] = state.demanded
    past[past_at.FINED] = sum(1 << place[one] for one in state.banned)
    past[past_at.FINED + 1] = sum(1 << place[one] for one in state.barren)
    past[past_at.FINED + 2] = -1 if state.charged is None else place[state.charged]
    for said in state.announced:
        past[(past_at.NOLO_SAID if said.kind == "nolo" else past_at.TOUT_SAID) + place[said.seat]] = (
            said.before
        )
    past[past_at.ORDER : past_at.ORDER + 3] = state.order
    at = past_at.CARDS
    for number, (plays, led) in enumerate(
        [*((trick.plays, trick.led) for trick in state.tricks), (state.trick, state.led)], start=1
    ):
        past[past_at.NAMED + number] = led
        for play in plays:
            past[at] = from_action(e.Play(play.card, play.named))
            at += 1
            suits, trumps = play.card.bit & SUITS_WORD, play.card.bit >> FIRST_TRUMP
            past[past_at.GONE_SUITS + place[play.seat]] |= suits
            past[past_at.GONE_TRUMPS + place[play.seat]] |= trumps
    past[past_at.PLAYS] = at - past_at.CARDS
    return past
