"""The policies of the kernel at a Danish table, and why the club's player chooses a card.

Beside the cards an honest player declares, counts and answers truly. At a table where errors are possible a
bot makes none, and points out none.
"""

from __future__ import annotations

from functools import cache
from statistics import fmean as mean

from msgspec.structs import asdict, replace

from ultimo import events as e
from ultimo.cards import KINGS, PACK, Cards, cards
from ultimo.danish.legal import due_declarations
from ultimo.danish.skat import SIZE as SKAT_SIZE
from ultimo.danish.state import State, pile_points
from ultimo.kernel.arrays import zeros
from ultimo.kernel.danish import deal as kernel_deal
from ultimo.kernel.danish import layout as at
from ultimo.kernel.danish.bridge import PHASES, from_view, to_action
from ultimo.kernel.danish.policy import club, odds
from ultimo.kernel.danish.policy.choose import choose_by_experience, choose_by_sight
from ultimo.kernel.danish.policy.reasons import PRINCIPLES_OF_SKAT
from ultimo.kernel.danish.policy.student import network_for
from ultimo.kernel.jit import Ints
from ultimo.kernel.policy import CLUB, STUDENT
from ultimo.play.choices import Choices
from ultimo.play.following import FIRST_TRUMP, SKUS_CARD
from ultimo.players.reasons import Candidate, Reason
from ultimo.rulebook import DanishRules

SKUS_PLAYED = e.Play(PACK[SKUS_CARD])
SAID = (e.Accept, e.DemandRedeal, e.Announce, e.Decline, e.DemandSkus, e.NameSkus)  # as the cards decide
LATE = 20  # from here on the skus is in the way
# The advice behind what is said, and behind the part of a worth that decides.
WORDS = {"handCheck": "F6.1", "announce": "F6.1", "demand": "F5.8", "name": "F5.4"}
WHIPS = {odds.ULTIMATOR: "F3.2", odds.LEADER: "F3.3", odds.HELPER: "F3.5"}
PARTS = {club.PAGAT: "F3.22", club.MISERE: "F6.8", club.SIGNALS: "F2.7"}


@cache
def calm(rules: DanishRules) -> DanishRules:
    """The same rules at a table without errors, by which a bot chooses its cards."""
    possible = [name for name, value in asdict(rules.strict).items() if value is True]
    return replace(rules, strict=replace(rules.strict, **dict.fromkeys(possible, False)))


def errand(rules: DanishRules, state: State, seat: e.Seat, choices: Choices) -> e.Action | None:
    """What is to be done now without thinking of the cards; None where they decide."""
    if state.ballot:
        return e.Vote(True)  # what the rules provide for is due
    if e.MoveCups() in choices:
        return e.MoveCups()
    match state.phase:
        case "declare":
            return e.Declare(() if seat in state.silenced else due_declarations(rules, state, seat))
        case "misdeal":
            return e.Redeal() if e.Redeal() in choices else e.PassDeal()
        case "answer":
            return e.Answer(state.has_led_suit(seat))
        case "count":
            entered = e.EnterCount(pile_points(state)[seat])
            return entered if entered in choices else e.Accept()
        case "handCheck" if e.DemandRedeal() not in choices:
            return e.Accept()
        case "demand" if state.skus_gone or state.holds_skus(seat):  # one knows where it is
            return e.Decline()
        case "play" if e.ClaimVoid() in choices and not state.has_led_suit(seat):
            return e.ClaimVoid()
        case _:
            return None


# --- choosing ------------------------------------------------------------------------------------------


def decides(state: State) -> bool:
    """Whether the cards decide here, and so the policies."""
    return state.phase in PHASES


def choose(rules: DanishRules, state: State, seat: e.Seat, policy: int) -> tuple[e.Action, int, int]:
    """What a policy does with what a seat knows; its role, and the principle it goes by."""
    n, s, w = _arrays(rules, state, seat, policy)
    if state.phase == "skat":
        return _lay(n, s, w, policy), int(w[at.ROLE]), int(w[at.WHY])
    action = to_action(int(s[at.PHASE]), int(_action(policy, n, s, w)))
    return action, int(w[at.ROLE]), int(w[at.WHY])


def _arrays(rules: DanishRules, state: State, seat: e.Seat, policy: int) -> tuple[Ints, Ints, Ints]:
    n = kernel_deal.array_of(calm(rules), network_for((policy,)))
    return n, from_view(rules, state, seat), zeros(at.PAPER)


def _action(policy: int, n: Ints, s: Ints, w: Ints) -> int:
    """What a policy does; a student's code is apart, so that a club player need not wait for it."""
    return choose_by_experience(n, s, w) if policy == STUDENT else choose_by_sight(policy, n, s, w)


def _lay(n: Ints, s: Ints, w: Ints, policy: int) -> e.Lay:
    """A skat, which the policy lays card by card."""
    before = _hand(s)
    why = -1
    while s[at.LAID] < SKAT_SIZE:
        action = _action(policy, n, s, w)
        why = int(w[at.WHY]) if why < 0 else why
        kernel_deal.put_down(s, action)
    w[at.WHY] = why
    return e.Lay(cards(before & ~_hand(s)), bool(s[at.TOUT_LAID]))


def _hand(s: Ints) -> Cards:
    return int(s[at.SUITS + 2]) | int(s[at.TRUMPS + 2]) << FIRST_TRUMP


# --- explaining ----------------------------------------------------------------------------------------


def explain(rules: DanishRules, state: State, seat: e.Seat, choices: Choices, policy: int) -> Reason:
    """The club player's choice, with what each card seems worth, and which part of that decides."""
    action, number, why = choose(rules, state, seat, policy)
    role = odds.ROLES[number]
    if state.phase == "skat":
        return Reason.by(PRINCIPLES_OF_SKAT[why], action, role)
    if state.phase != "play":
        return Reason.by(WORDS[state.phase], action, role)
    weighed = _weighed(rules, state, seat, choices)
    candidates = tuple(
        Candidate(play, round(sum(parts) / odds.POINT, 2))
        for play, parts in sorted(weighed.items(), key=lambda one: -sum(one[1]))
    )
    if not isinstance(action, e.Play) or len(weighed) < 2 or action not in weighed:
        return Reason.by("DK.trick" if state.trick else "F4.2", action, role, candidates)
    others = [parts for play, parts in weighed.items() if play not in (action, SKUS_PLAYED)]
    others = others or [weighed[SKUS_PLAYED]]
    ahead = [own - mean(theirs) for own, *theirs in zip(weighed[action], *others, strict=True)]
    part = ahead.index(max(ahead))
    return Reason.by(_principle(state, action, number, part), action, role, candidates)


def _weighed(rules: DanishRules, state: State, seat: e.Seat, choices: Choices) -> dict[e.Action, list[int]]:
    """Every card that may be played, with the parts of its worth."""
    n, s, w = _arrays(rules, state, seat, CLUB)
    found: dict[e.Action, list[int]] = {}
    for play in choices:
        if isinstance(play, e.Play) and play.named is None:
            club.weigh(n, s, w, play.card.index)
            found[play] = [int(part) for part in w[at.WORTH : at.WORTH + club.PARTS]]
    return found


def _principle(state: State, action: e.Play, role: int, part: int) -> str:
    """The advice behind the part of a worth that decides."""
    match part:
        case club.KING:
            return "DK.king" if action.card.bit & KINGS else "F3.23"
        case club.FIGHT:
            return "F3.5" if role == odds.HELPER else "F3.1"
        case club.WHIP:
            return WHIPS.get(role, "F4.2")
        case club.SKUS:
            return "F5.6" if state.number > LATE else "F5.3"
        case _:
            return PARTS.get(part, "DK.trick")
