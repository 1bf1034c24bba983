"""Players who go by a policy of the kernel: the beginner, and the club player who can say why."""

from __future__ import annotations

from ultimo import danish, french
from ultimo.events import Action
from ultimo.kernel.policy import BEGINNER, CLUB
from ultimo.play.choices import Choices
from ultimo.players import clerk, danish_bot, danish_reasons, french_bot
from ultimo.players.player import View
from ultimo.players.principles import PRINCIPLES
from ultimo.players.reasons import Reason
from ultimo.rulebook import DanishRules, FrenchRules


class PolicyPlayer:
    """Does what a policy says. It needs no dice: the same view, the same choice."""

    policy: int

    def __init__(self, seed: int | str = 0) -> None:
        """The seed is there because every level has one."""

    def choose(self, view: View, choices: Choices, /) -> Action:
        """What the policy does; beside the cards, what an honest player does."""
        state, rules = view.deal, view.rules
        done = clerk.errand(view, choices)
        if done is not None:
            return done
        if isinstance(state, danish.State) and danish_bot.decides(state):
            assert isinstance(rules, DanishRules)
            return danish_bot.choose(rules, state, view.seat, self.policy)[0]
        if isinstance(state, french.State) and french_bot.decides(state):
            assert isinstance(rules, FrenchRules)
            return french_bot.choose(rules, state, view.seat, self.policy)[0]
        return next(iter(choices))


class Beginner(PolicyPlayer):
    """Knows the rules, and the habits of other card games."""

    policy = BEGINNER


class Club(PolicyPlayer):
    """Plays by the books' advice."""

    policy = CLUB

    def explain(self, view: View, choices: Choices, /) -> Reason:
        """The choice with what speaks for it."""
        state, rules = view.deal, view.rules
        done = clerk.errand(view, choices)
        if done is None and isinstance(state, danish.State) and danish_bot.decides(state):
            assert isinstance(rules, DanishRules)
            return danish_reasons.explain(rules, state, view.seat, choices, self.policy)
        if done is None and isinstance(state, french.State) and french_bot.decides(state):
            assert isinstance(rules, FrenchRules)
            action, role, why = french_bot.choose(rules, state, view.seat, self.policy)
            principle = french_bot.principle_name(why)
            return Reason(action, (), french_bot.role_name(role), principle, PRINCIPLES[principle])
        return Reason(done or next(iter(choices)))
