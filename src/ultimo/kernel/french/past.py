"""What actions are worth in French worlds: the past is played again in each, and the rest by policies.

A world says how the hidden cards lie now. With the cards that have been played, laid and turned it says how
they were dealt; so the deal can be told once more from its first bid, as it would have been had they lain so.
On the way it is noted how often the others did something else than a policy would have done with their cards:
that is what speaks against a world. A card that surprises in every world, or in none, says nothing between
them, and need not be asked about again.
"""

from __future__ import annotations

from ultimo.french import numbers as rule
from ultimo.kernel.bits import lowest
from ultimo.kernel.french import layout as at
from ultimo.kernel.french.deal import begin
from ultimo.kernel.french.policy.choose import choose
from ultimo.kernel.french.run import do, play_out
from ultimo.kernel.jit import Ints, Words, inlined, tight
from ultimo.kernel.layout import Places
from ultimo.kernel.sets import lies_in, lowest_card
from ultimo.play.following import FIRST_TRUMP, PACK_SIZE

# What a seat knows of the past; the cards that were played, in their order, are the last of it.
ME, PRESENT, DEALER, SPOKEN, CALLED, LAID, SLAM_BY, PLAYS = range(8)
TAKER, CHIEN_SUITS, CHIEN_TRUMPS = range(8, 11)  # who has taken up the chien, -1 if nobody has; what it was
_place = Places(11)
BIDS = _place(at.MOST_SEATS)  # in the order of speaking
SHOWN_KIND = _place(at.MOST_SEATS)  # which poignée a seat has shown, -1 for none; and its cards
SHOWN = _place(at.MOST_SEATS)
GONE_SUITS, GONE_TRUMPS = _place(at.MOST_SEATS), _place(at.MOST_SEATS)  # what each seat has played
CARDS = _place(PACK_SIZE)
TELLING = _place(PACK_SIZE)  # for each card whether the policy is asked what it would have played
PAST = _place.end

SPOKE_OTHERWISE, PLAYED_OTHERWISE, SURPRISES = 0, 1, 2  # what speaks against a world


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
    dice: Words,
) -> None:
    """Tell the past in every world: the present state in each, and what the others did unlike the policy.

    The surprises of a world in which the past cannot have been so are -1. To `odd` is added in how many
    worlds each card was a surprise.
    """
    for world in range(len(states)):
        s = states[world]
        _deal(n, past, s, suits[world], trumps[world])
        surprises[world] = 0
        if not _tell(n, past, policy, s, dice, suits[world], trumps[world], surprises[world], odd):
            surprises[world, SPOKE_OTHERWISE] = -1


@inlined
def _deal(n: Ints, past: Ints, s: Ints, suits: Ints, trumps: Ints) -> None:
    """The hands and the chien as they must have been dealt."""
    s[:] = 0
    players, taker = n[rule.PLAYERS], past[TAKER]
    for seat in range(players):
        s[at.SUITS + seat] = suits[seat] | past[GONE_SUITS + seat]
        s[at.TRUMPS + seat] = trumps[seat] | past[GONE_TRUMPS + seat]
    if taker == at.NOTHING:
        s[at.CHIEN_SUITS] = suits[players]
        s[at.CHIEN_TRUMPS] = trumps[players]
    else:
        s[at.CHIEN_SUITS] = past[CHIEN_SUITS]
        s[at.CHIEN_TRUMPS] = past[CHIEN_TRUMPS]
        s[at.SUITS + taker] = (s[at.SUITS + taker] | suits[players]) & ~past[CHIEN_SUITS]
        s[at.TRUMPS + taker] = (s[at.TRUMPS + taker] | trumps[players]) & ~past[CHIEN_TRUMPS]
    begin(n, s, past[DEALER])


@inlined
def _tell(
    n: Ints,
    past: Ints,
    policy: int,
    s: Ints,
    dice: Words,
    suits: Ints,
    trumps: Ints,
    surprises: Ints,
    odd: Ints,
) -> bool:
    """Go on to the present; whether that can be reached."""
    told, me, aside = 0, past[ME], n[rule.PLAYERS]
    while s[at.PHASE] != at.CLOSED:
        phase, turn = s[at.PHASE], s[at.TURN]
        shows = phase == at.PLAYING and past[SHOWN_KIND + turn] >= 0 and not s[at.SHOWN_SIZE + turn]
        there = phase == past[PRESENT] and turn == me and told == past[PLAYS]
        if there and not shows and (phase != at.BIDDING or s[at.SPOKEN] == past[SPOKEN]):
            return True
        if shows:
            action = at.SHOW + past[SHOWN_KIND + turn]
        elif phase == at.PLAYING:
            if told == past[PLAYS]:
                return False
            action = past[CARDS + told]
            if past[TELLING + told] and choose(policy, n, s, dice) != action:
                surprises[PLAYED_OTHERWISE] += 1
                odd[told] += 1
            told += 1
        elif phase == at.LAYING:
            if not past[LAID]:
                return False
            action = lowest_card(suits[aside] & ~s[at.ECART_SUITS], trumps[aside] & ~s[at.ECART_TRUMPS])
            if turn != me:
                wished = choose(policy, n, s, dice)
                if lies_in(suits[aside], trumps[aside], wished):
                    action = wished
                else:
                    surprises[PLAYED_OTHERWISE] += 1
        else:
            if phase == at.BIDDING and s[at.SPOKEN] == past[SPOKEN]:
                return False
            action = _said(past, s)
            if turn != me and phase != at.SHOWING and choose(policy, n, s, dice) != action:
                surprises[SPOKE_OTHERWISE] += 1
        do(n, s, action)
    return False


@inlined
def _said(past: Ints, s: Ints) -> int:
    """What was bid, called, announced or shown by the seat in turn."""
    phase, turn = s[at.PHASE], s[at.TURN]
    if phase == at.BIDDING:
        return past[BIDS + s[at.SPOKEN]]
    if phase == at.CALLING:
        return past[CALLED]
    if phase == at.SHOWING:
        return FIRST_TRUMP + lowest(past[SHOWN + turn] & ~s[at.SHOWN_TRUMPS + turn])
    return at.SLAM if past[SLAM_BY] == turn else at.DECLINE


@tight
def play_candidates(
    n: Ints,
    states: Ints,
    candidates: Ints,
    alive: Ints,
    policies: Ints,
    seeds: Words,
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
                    do(n, s, candidates[candidate, spot])
            play_out(n, s, policies, dice)
