"""What a club player of Danish Tarok does beside playing cards: the skat, the skus, announcements."""

from __future__ import annotations

from ultimo.danish import phases
from ultimo.kernel.bits import count
from ultimo.kernel.danish import layout as at
from ultimo.kernel.danish.deal import announceable
from ultimo.kernel.danish.policy.club import ULTIMATOR, last_chance, misere_risk, role
from ultimo.kernel.danish.policy.odds import note_hidden, of_suit
from ultimo.kernel.danish.policy.skat_search import choose_skat
from ultimo.kernel.jit import Ints, inlined


@inlined
def club_lay(n: Ints, s: Ints, w: Ints) -> int:
    """The next card of a club player's skat."""
    card, why = choose_skat(n, s, w)
    w[at.WHY] = why
    return card


@inlined
def club_word(n: Ints, s: Ints, w: Ints) -> int:
    """What a club player says where no card is played."""
    me, phase = s[at.TURN], s[at.PHASE]
    note_hidden(n, s, w, me)
    last = last_chance(s, w, me)
    w[at.ROLE] = role(s, w, me, last)
    if phase == at.HANDS:  # without tarok one plays for nolo, or not at all
        return at.ACCEPT if misere_risk(s, w, me) <= 2 else at.DEMAND_REDEAL
    if phase == at.NAME:
        return at.RENAME_SKUS + _best_name(s, me)
    if phase == at.DEMAND:
        return at.DEMAND_SKUS if w[at.ROLE] == ULTIMATOR else at.DECLINE
    if phase == at.ANNOUNCE and announceable(n, s, me) & phases.NOLO and misere_risk(s, w, me) <= -2:
        return at.NOLO
    return at.DECLINE


@inlined
def _best_name(s: Ints, me: int) -> int:
    """The suit of which the hand has most: there it has a card that may win."""
    found, most = 4, 0
    for suit in range(4):
        length = count(of_suit(s[at.SUITS + me], suit))
        if length > most:
            found, most = suit, length
    return found
