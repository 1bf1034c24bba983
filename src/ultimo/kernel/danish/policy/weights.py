"""The weights of a club player's judgement of Danish Tarok, found by play against beginners and his like.

They are sixteenths of a point where nothing else is said.
"""

from __future__ import annotations

LAST_SLOPE = 60  # each tarok ahead raises the chance of the last trick, in parts of SURE
LAST_LATER = 4  # and by so much more in every trick
LAST_BASE = 251  # the chance of one among equals
TAROK_WORTH = 58  # a tarok is worth so much to the fight,
TAROK_HEIGHT = 7  # each step of its height adds to that,
TAROK_LATE = -2  # and every trick that has been played changes it
MASTER = 40  # the highest tarok is kept for the last trick: for each trick
MASTER_FROM = 14  # after this one
TAROK_OF_HELPER = 632  # a helper spends his more freely: in parts of SURE
ENTRY = 3  # a high card of a suit gets its player in: for each step
COURT_LOST = 9  # for each point of a court that does not win
COURT_WON = 7
DANGEROUS = 56  # a tarok driven out of the strongest opponent
HARMLESS = 14  # and out of the other
TAROK_LEAD = -9  # to lead tarok
LENGTH = 15  # each card of the suit that is led, for what follows
AGAIN = 4  # each time that the suit has been led before by the same hand
FRIEND = 20  # or by the leader, for a helper
FOE = 1  # or by the one whom both fight
LEAD = 7  # to be on lead
SKUS_EARLY = 8  # the skus is still good for so much, for each trick before the 22nd
SKUS_LATE = 44  # and in the way after the 20th
NOLO_RISK = 3  # so many cards that may win are too many for a nolo
NOLO_SHED = 13  # then it is good to be rid of a high card: each step of its height,
NOLO_KING = 62  # and a king
KING_KEPT = 482  # what part of the price of an ultimo a king that is kept has, of SURE,
KING_HOPE = 470  # if the chance of the last trick is more than this
KING_FEAR = 70  # and what it costs to keep it
KING_END = 156  # in the last three tricks: how much more than even the chance must be
PAGAT_KEPT = 490  # likewise
PAGAT_HOPE = 400
PAGAT_GUARD = 22  # for each other tarok that guards it
PAGAT_FEAR = 65
PAGAT_END = 0
SIGNAL = 1  # so that nothing else is given up for it
