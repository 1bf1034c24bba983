"""What a club player of Danish Tarok does beside playing cards: the skat, the skus, announcements."""

from __future__ import annotations

from ultimo.danish import phases
from ultimo.kernel.danish import layout as at
from ultimo.kernel.danish import weights as wt
from ultimo.kernel.danish.deal import announceable
from ultimo.kernel.danish.policy.odds import ULTIMATOR, misere_risk, read_table
from ultimo.kernel.danish.policy.skat_search import choose_skat
from ultimo.kernel.jit import Ints, inlined
from ultimo.kernel.policy import longest


@inlined
def club_word(n: Ints, s: Ints, w: Ints) -> int:
    """What a club player does where no card is played."""
    me, phase = s[at.TURN], s[at.PHASE]
    if phase == at.LAYING:
        card, w[at.WHY] = choose_skat(n, s, w)
        return card
    read_table(n, s, w)
    if phase == at.HANDS:  # without tarok one plays for nolo, or not at all
        return at.ACCEPT if misere_risk(n, s, w, me) <= n[wt.ACCEPT_RISK] else at.DEMAND_REDEAL
    if phase == at.NAME:  # where the hand has most cards, it has one that may win
        return at.RENAME_SKUS + longest(s[at.SUITS + me])
    if phase == at.DEMAND:
        return at.DEMAND_SKUS if w[at.ROLE] == ULTIMATOR else at.DECLINE
    if phase == at.ANNOUNCE and announceable(n, s, me) & phases.NOLO:
        return at.NOLO if misere_risk(n, s, w, me) <= n[wt.ANNOUNCE_RISK] else at.DECLINE
    return at.DECLINE
