"""A decision of a Danish deal, as the expert's search sees it."""

from __future__ import annotations

from collections.abc import Iterator

import numpy as np

from ultimo import events as e
from ultimo.cards import cards
from ultimo.danish.facts import KING_CUP, PAGAT_CUP
from ultimo.danish.legal import legal
from ultimo.danish.state import State
from ultimo.kernel.danish import deal
from ultimo.kernel.danish import layout as at
from ultimo.kernel.danish import past as past_at
from ultimo.kernel.danish.bridge import PHASES, from_action, from_view
from ultimo.kernel.danish.policy.skat_search import candidates
from ultimo.kernel.danish.policy.student import is_rash, network_for
from ultimo.kernel.jit import Ints, Words
from ultimo.kernel.policy import CLUB
from ultimo.kernel.worlds.draw import Worlds
from ultimo.play.choices import Choices
from ultimo.players.expert.inference import CAUTIOUS, Method
from ultimo.players.expert.table import Option, Table, note_plays
from ultimo.players.policy.danish import SAID, calm
from ultimo.rulebook import DanishRules

MOST_SKATS = 24  # that are tried


class DanishTable(Table[DanishRules, State]):
    """What a seat has to decide. Everybody is taken to go on by the rules without errors."""

    reds_reversed = True

    def __init__(
        self,
        rules: DanishRules,
        state: State,
        seat: e.Seat,
        choices: Choices,
        keep: e.Action | None = None,
        method: Method = CAUTIOUS,
    ) -> None:
        self.calm = calm(rules)
        self.n, self.view = (
            deal.array_of(self.calm, network_for((method.policy,))),
            from_view(self.calm, state, seat),
        )
        self.w = np.zeros(at.PAPER, np.int64)
        self.past = past_of(state, seat) if len(state.tricks) == state.number - 1 else None
        self._start: Ints | None = None
        super().__init__(rules, state, seat, choices, keep, method)

    def _options(self, choices: Choices) -> Iterator[Option]:
        if self.state.phase == "skat":
            yield from self._skats(choices)
            return
        yield from self._plays(legal(self.calm, self.state, self.seat))  # no errors, and nothing out of turn
        if self.state.phase != "play":  # what may be said besides while a trick lies there is not weighed
            for action in choices:
                if isinstance(action, SAID):
                    yield Option(action, self._moves(action))

    def _skats(self, choices: Choices) -> Iterator[Option]:
        """The skats that the club thinks best; the skus is not laid for tout."""
        for skat, _, _ in candidates(self.calm, self.state.hands[self.seat], MOST_SKATS):
            action = e.Lay(cards(skat))
            if action in choices:
                yield Option(action, self._moves(action))

    def _moves(self, action: e.Action) -> tuple[int, ...]:
        if isinstance(action, e.Lay):
            laid = tuple(card.index for card in action.cards)
            return (at.LAY_TOUT, *laid) if action.tout else laid
        return (from_action(action),)

    def is_rash(self, option: Option) -> bool:
        """Whether a card gives away early what the books would keep."""
        return bool(is_rash(self.view, option.moves[0]))

    # --- worlds ----------------------------------------------------------------------------------------

    @property
    def _telling(self) -> Ints:
        return np.zeros(0, np.int64) if self.past is None else self.past[past_at.TELLING : past_at.PAST]

    def tell(self, worlds: Worlds) -> tuple[Ints, Ints]:
        """The present state in each world, and how often the others did what surprises in it."""
        if self.past is None:
            states = np.zeros((len(worlds), at.LENGTH), np.int64)
            order = np.array(self.state.order, np.int64)
            past_at.lay_out(self.view, order, worlds.suits, worlds.trumps, states)
            return states, np.zeros((len(worlds), past_at.SURPRISES), np.int64)
        if self._start is None:
            self._start = self._begun(self.past, worlds)
        states = np.repeat(self._start, len(worlds), axis=0)
        return states, self._tell(self.past, worlds.suits, worlds.trumps, states)

    def _begun(self, past: Ints, worlds: Worlds) -> Ints:
        """The deal as it began. What has gone into the cups since then is found by telling it once."""
        s = np.zeros((1, at.LENGTH), np.int64)
        deal.begin(self.n, s[0], self.w, self.state.table, 0, 0)
        s[0, KING_CUP], s[0, PAGAT_CUP] = 0, 0
        told = s.copy()
        self._tell(past, worlds.suits[:1], worlds.trumps[:1], told)
        s[0, KING_CUP] = self.state.king - told[0, KING_CUP]
        s[0, PAGAT_CUP] = self.state.pagat - told[0, PAGAT_CUP]
        return s

    def _tell(self, past: Ints, suits: Ints, trumps: Ints, states: Ints) -> Ints:
        """Tell the past in worlds; what is surprising in each."""
        surprises = np.zeros((len(states), past_at.SURPRISES), np.int64)
        past_at.tell_again(self.n, past, CLUB, suits, trumps, states, surprises, self.odd, self.w)
        return surprises

    def _play(self, states: Ints, moves: Ints, alive: Ints, policies: Ints, seeds: Words, ends: Ints) -> None:
        past_at.play_candidates(self.n, states, moves, alive, policies, seeds, self.w, self.dice, ends)

    def nets(self, states: Ints) -> Ints:
        """What each seat at the table has gained; who sits out, what they have by now."""
        found = np.broadcast_to(self.state.net, (*states.shape[:-1], self.state.table)).copy()
        found[..., list(self.state.order)] = states[..., at.NET : at.NET + len(self.state.order)]
        return found


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
        first = past_at.NOLO_SAID if said.kind == "nolo" else past_at.TOUT_SAID
        past[first + place[said.seat]] = said.before
    past[past_at.ORDER : past_at.ORDER + 3] = state.order
    tricks = [*((trick.plays, trick.led) for trick in state.tricks), (state.trick, state.led)]
    past[past_at.NAMED + 1 : past_at.NAMED + 1 + len(tricks)] = [led for _, led in tricks]
    played = (play for plays, _ in tricks for play in plays)
    note_plays(
        past,
        past_at,
        ((place[one.seat], one.card, from_action(e.Play(one.card, one.named))) for one in played),
    )
    return past
