"""Why a French player does what it does: the numbers of principles and roles, and their names.

F-numbers are those of the rules' part F; a principle that has none there is named by what it is about.
"""

from __future__ import annotations

NO_ROLE, BIDDER, TAKER, PARTNER, DEFENDER = range(5)
ROLES = ("", "bidder", "taker", "partner", "defender")

PRINCIPLES = (
    "FR.only",  # there was nothing to choose
    "F7.1",  # the écart: voids, and courts in safety
    "F7.2",  # a poignée only if one's side will probably win
    "F7.3",  # the hidden partner feeds the taker
    "F7.4",  # the excuse is not kept for the last trick
    "F7.5",  # bid at once what the hand is worth
    "F7.6",  # the lowest trump where none can win
    "FR.call",  # a king that helps
    "FR.slam",  # announced only if no trick can be lost
    "FR.excuse",  # the excuse instead of a card that would be lost
    "FR.petit.save",  # the petit comes home
    "FR.petit.hunt",  # high trumps against the petit of the others
    "FR.petit.bout",  # the petit is kept for the last trick
    "FR.trumps",  # draw trumps
    "FR.long",  # lead the long suit
    "FR.master",  # a card that nothing of its suit beats is played while it wins
    "FR.force",  # lead what the taker must trump
    "FR.return",  # lead a friend's suit again
    "FR.ruff",  # trump as cheaply as will do
    "FR.win",  # take the trick
    "FR.feed",  # points on a friend's trick
    "FR.low",  # what is lost should be worth little
)
(
    ONLY,
    ECART,
    POIGNEE,
    HIDDEN_FEED,
    EXCUSE_LATE,
    BID_WORTH,
    LOWEST_TRUMP,
    CALL,
    SLAM,
    EXCUSE_SAVES,
    PETIT_SAVED,
    PETIT_HUNTED,
    PETIT_LAST,
    DRAW_TRUMPS,
    LONG_SUIT,
    MASTER,
    FORCE,
    RETURN,
    RUFF,
    WIN,
    FEED,
    LOW,
) = range(len(PRINCIPLES))
