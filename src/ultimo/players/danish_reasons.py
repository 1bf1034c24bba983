"""Why a club player of Danish Tarok chooses a card: what each seems worth, and which part of it decides."""

from __future__ import annotations

import numpy as np

from ultimo.cards import KINGS, PACK
from ultimo.danish.state import State
from ultimo.events import Action, Play, Seat
from ultimo.kernel.danish import deal as kernel_deal
from ultimo.kernel.danish import layout as at
from ultimo.kernel.danish.bridge import from_view
from ultimo.kernel.danish.policy import club, odds
from ultimo.kernel.danish.policy.reasons import PRINCIPLES_OF_SKAT
from ultimo.play.choices import Choices
from ultimo.play.following import SKUS_CARD
from ultimo.players import danish_bot
from ultimo.players.clerk import calm
from ultimo.players.principles import PRINCIPLES
from ultimo.players.reasons import Candidate, Reason
from ultimo.rulebook import DanishRules

SKUS_PLAYED = Play(PACK[SKUS_CARD])
LATE = 20  # from here on the skus is in the way
WORDS = {"handCheck": "F6.1", "announce": "F6.1", "demand": "F5.8", "name": "F5.4"}
WHIPS = {odds.ULTIMATOR: "F3.2", odds.LEADER: "F3.3", odds.HELPER: "F3.5"}


def explain(rules: DanishRules, state: State, seat: Seat, choices: Choices, policy: int) -> Reason:
    """The club player's choice with his reasons."""
    action, role, why = danish_bot.choose(rules, state, seat, policy)
    if state.phase == "skat":
        return _reason(action, (), role, PRINCIPLES_OF_SKAT[why])
    if state.phase != "play":
        return _reason(action, (), role, WORDS[state.phase])
    weighed = _weighed(rules, state, seat, choices)
    candidates = tuple(
        Candidate(play, round(float(parts.sum()) / odds.POINT, 2))
        for play, parts in sorted(weighed.items(), key=lambda one: -one[1].sum())
    )
    if not isinstance(action, Play) or len(weighed) < 2 or action not in weighed:
        return _reason(action, candidates, role, "DK.trick" if state.trick else "F4.2")
    others = [parts for play, parts in weighed.items() if play not in (action, SKUS_PLAYED)]
    others = others or [weighed[SKUS_PLAYED]]
    part = int(np.argmax(weighed[action] - np.mean(others, axis=0)))
    return _reason(action, candidates, role, _principle(state, action, role, part))


def _weighed(rules: DanishRules, state: State, seat: Seat, choices: Choices) -> dict[Action, np.ndarray]:
    """Every card that may be played, with the parts of its worth."""
    n, s, w = kernel_deal.array_of(calm(rules)), from_view(rules, state, seat), np.zeros(at.PAPER, np.int64)
    found: dict[Action, np.ndarray] = {}
    for play in choices:
        if isinstance(play, Play) and play.named is None:
            club.weigh(n, s, w, play.card.index)
            found[play] = w[at.WORTH : at.WORTH + club.PARTS].astype(float)
    return found


def _principle(state: State, action: Play, role: int, part: int) -> str:
    """The advice behind the part of a worth that decides."""
    match part:
        case club.KING:
            return "DK.king" if action.card.bit & KINGS else "F3.23"
        case club.PAGAT:
            return "F3.22"
        case club.FIGHT:
            return "F3.5" if role == odds.HELPER else "F3.1"
        case club.WHIP:
            return WHIPS.get(role, "F4.2")
        case club.MISERE:
            return "F6.8"
        case club.SKUS:
            return "F5.6" if state.number > LATE else "F5.3"
        case club.SIGNALS:
            return "F2.7"
        case _:
            return "DK.trick"


def _reason(action: Action, candidates: tuple[Candidate, ...], role: int, principle: str) -> Reason:
    return Reason(action, candidates, odds.ROLES[role], principle, PRINCIPLES[principle])
