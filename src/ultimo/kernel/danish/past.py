"""What actions are worth in Danish worlds: the past is played again in each, and the rest by policies.

A world says how the hidden cards lie now. With the cards that have been played it says how they were dealt;
so the deal can be told once more from its first card, as it would have been had they lain so. On the way it
is noted how often the others did something else than a policy would have done with their cards: that is
what speaks against a world. A card that surprises in every world, or in none, says nothing between them, and
need not be asked about again.
"""

from __future__ import annotations

from ultimo.danish.phases import may_demand
from ultimo.kernel.danish import layout as at
from ultimo.kernel.danish.deal import take_up
from ultimo.kernel.danish.policy.choose import choose_by_sight
from ultimo.kernel.danish.run import do, play_out_by_sight
from ultimo.kernel.jit import Ints, Words, inlined, tight
from ultimo.kernel.layout import Places
from ultimo.kernel.sets import lies_in, lowest_card

# What a seat knows of the past, by place; the cards that were played, in their order, are the last of it.
ME, PRESENT, SKAT_LIES, WITH_TOUT, DEMANDERS, WAS_DEMANDED, PLAYS = range(7)
_place = Places(7)
FINED = _place(3)  # who may not ultimate, who wins nothing, who is charged
NOLO_SAID, TOUT_SAID = _place(3), _place(3)
GONE_SUITS, GONE_TRUMPS = _place(3), _place(3)  # what each place has played
ORDER = _place(3)  # the seats of the three places
NAMED = _place(26)  # for each trick the suit that was in force at its end
CARDS = _place(75)
TELLING = _place(75)  # for each card whether the policy is asked what it would have played
PAST = _place.end

LAID_OTHERWISE, PLAYED_OTHERWISE, SURPRISES = 0, 1, 2  # what speaks against a world


@tight
def tell_again(
    n: Ints,
    past: Ints,
    policy: int,
    suits: Ints,
    trumps: Ints,
    states: Ints,
    surprises: Ints,
    odd: Ints,
    w: Ints,
) -> None:
    """Tell the past in every world: the present state in each, and what the others did unlike the policy.

    `states` hold a deal that has just begun, with the cups as they were. The surprises of a world in which
    the past cannot have been so are -1. To `odd` is added in how many worlds each card was a surprise.
    """
    for world in range(len(states)):
        s = states[world]
        _deal(n, past, s, suits[world], trumps[world])
        surprises[world] = 0
        if _tell(n, past, policy, s, w, suits[world], trumps[world], surprises[world], odd):
            s[at.BANNED] = past[FINED]
            s[at.BARREN] = past[FINED + 1]
            s[at.CHARGED] = past[FINED + 2]
            s[at.DEMANDED] |= past[WAS_DEMANDED]
        else:
            surprises[world, LAID_OTHERWISE] = -1


@inlined
def _deal(n: Ints, past: Ints, s: Ints, suits: Ints, trumps: Ints) -> None:
    """The hands as they must have been dealt."""
    for place in range(3):
        seat = past[ORDER + place]
        s[at.SUITS + place] = suits[seat] | past[GONE_SUITS + place]
        s[at.TRUMPS + place] = trumps[seat] | past[GONE_TRUMPS + place]
    s[at.SUITS + 2] |= suits[len(suits) - 1]
    s[at.TRUMPS + 2] |= trumps[len(trumps) - 1]
    take_up(n, s)


@inlined
def _tell(
    n: Ints,
    past: Ints,
    policy: int,
    s: Ints,
    w: Ints,
    suits: Ints,
    trumps: Ints,
    surprises: Ints,
    odd: Ints,
) -> bool:
    """Go on to the present; whether that can be reached."""
    told, me, aside = 0, past[ME], len(suits) - 1
    while s[at.PHASE] != at.CLOSED and s[at.PHASE] != at.DEALING:
        phase, turn = s[at.PHASE], s[at.TURN]
        if told == past[PLAYS] and phase == past[PRESENT] and turn == me:
            return True
        if phase == at.PLAY:
            if told == past[PLAYS]:
                return False
            action = past[CARDS + told]
            if past[TELLING + told] and choose_by_sight(policy, n, s, w) != action:
                surprises[PLAYED_OTHERWISE] += 1
                odd[told] += 1
            told += 1
        elif phase == at.LAYING:
            if not past[SKAT_LIES]:
                return False
            action = _laid(past, s, suits[aside], trumps[aside])
            if turn != me and action != at.LAY_TOUT:
                wished = choose_by_sight(policy, n, s, w)
                if lies_in(suits[aside], trumps[aside], wished):
                    action = wished
                else:
                    surprises[LAID_OTHERWISE] += 1
        else:
            action = _said(n, past, policy, s, w)
        do(n, s, w, action)
    return False


@inlined
def _laid(past: Ints, s: Ints, suits: int, trumps: int) -> int:
    """The next card of the skat; before the first the word that the skus lies there."""
    if past[WITH_TOUT] and not s[at.TOUT_LAID]:
        return at.LAY_TOUT
    return lowest_card(suits & ~s[at.SKAT_SUITS], trumps & ~s[at.SKAT_TRUMPS])


@inlined
def _said(n: Ints, past: Ints, policy: int, s: Ints, w: Ints) -> int:
    """What was said by the place in turn; answers nobody has heard are what the policy would say."""
    phase, turn = s[at.PHASE], s[at.TURN]
    if phase == at.NAME:
        return at.RENAME_SKUS + past[NAMED + s[at.NUMBER]]
    if phase == at.ANNOUNCE:
        if past[NOLO_SAID + turn] == s[at.NUMBER]:
            return at.NOLO
        return at.TOUT if past[TOUT_SAID + turn] == s[at.NUMBER] else at.DECLINE
    if phase == at.DEMAND:
        if past[PRESENT] == at.DEMAND:
            return choose_by_sight(policy, n, s, w)
        return at.DEMAND_SKUS if past[DEMANDERS] >> turn & 1 else at.DECLINE
    return at.ACCEPT


@tight
def lay_out(start: Ints, order: Ints, suits: Ints, trumps: Ints, states: Ints) -> None:
    """Put worlds into the array of a view, where nothing is known of the past but what it came to."""
    for world in range(len(states)):
        s = states[world]
        for spot in range(len(start)):
            s[spot] = start[spot]
        for place in range(3):
            s[at.SUITS + place] = suits[world, order[place]]
            s[at.TRUMPS + place] = trumps[world, order[place]]
            s[at.DEALT_SUITS + place] = s[at.SUITS + place] | s[at.OUT_SUITS + place]
            s[at.DEALT_TRUMPS + place] = s[at.TRUMPS + place] | s[at.OUT_TRUMPS + place]
            if s[at.PHASE] == at.DEMAND and not may_demand(s[at.TRUMPS + place]):
                s[at.ASKED] &= ~(1 << place)
        if s[at.LAID]:
            s[at.SKAT_SUITS] = suits[world, suits.shape[1] - 1]
            s[at.SKAT_TRUMPS] = trumps[world, trumps.shape[1] - 1]
            s[at.DEALT_SUITS + 2] |= s[at.SKAT_SUITS]
            s[at.DEALT_TRUMPS + 2] |= s[at.SKAT_TRUMPS]


@tight
def play_candidates(
    n: Ints,
    states: Ints,
    candidates: Ints,
    alive: Ints,
    policies: Ints,
    seeds: Words,
    w: Ints,
    dice: Words,
    ends: Ints,
) -> None:
    """Play some states out, a row of `ends` each: how the deal ends by each candidate that is `alive`.

    A candidate is a row of actions, with -1 behind the last. All candidates of a state meet the same dice.
    """
    for row in range(len(states)):
        start = states[row]
        for candidate in range(len(candidates)):
            if not alive[candidate]:
                continue
            s = ends[row, candidate]
            for spot in range(len(s)):
                s[spot] = start[spot]
            dice[0] = seeds[row]
            for spot in range(candidates.shape[1]):
                if candidates[candidate, spot] >= 0:
                    do(n, s, w, candidates[candidate, spot])
            play_out_by_sight(n, s, w, policies, dice)
