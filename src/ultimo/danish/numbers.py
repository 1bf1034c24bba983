"""A Danish rulebook as an array of numbers: all that decides payments and play at a table without errors.

A parameter has a fixed place in the array, a choice is written as the number of its word. The rules read
`n[KING_LOST]` whether they run as Python or compiled.
"""

from __future__ import annotations

from ultimo.play.parameters import Parameters
from ultimo.rulebook import DanishRules, remembered

_place = Parameters()
TWO_SIT_OUT = _place("table.five")
CUPS = _place("cups.enabled")
ANTE = _place("cups.ante")
FOUND_KING = _place("cups.found.king")
FOUND_PAGAT = _place("cups.found.pagat")
FOUND_BY_ALL = _place("cups.found_by")
CUP_ORDER = _place("cups.last_trick_order")
REDEAL = _place("deal.redeal_no_tarok")
SKAT_NO_PAGAT = _place("skat.forbid_pagat")
SKAT_NO_DECLARED = _place("skat.forbid_declared")
SKAT_ALL_TAROK = _place("skat.tarok_all_or_none")
SKAT_SKUS_FOR_TOUT = _place("skat.skus_for_tout")
DEALER_BASIS = _place("decl.dealer_basis")
TAROK_MIN = _place("decl.tarok.min")
TAROK_BASE = _place("decl.tarok.base")
TAROK_STEP = _place("decl.tarok.step")
MATADOR_MIN = _place("decl.matador.min")
MATADOR_BASE = _place("decl.matador.base")
MATADOR_STEP = _place("decl.matador.step")
HALF_PAY = _place("decl.half")
FULL_PAY = _place("decl.full")
OVER_PAY = _place("decl.over")
OVERFULL = _place("decl.overfull")
FROM_BELOW = _place("decl.matadors_from_below")
NAME_MISSING = _place("decl.name_missing")
DEMANDABLE = _place("skus.demandable")
THIRD_LAST_VOLUNTARY = _place("skus.third_last_voluntary")
SECOND_LAST_BARRED = _place("skus.second_last_barred")
RENAME = _place("skus.rename")
LEAD_PASSES = _place("skus.last_trick_lead")
KING_LOST = _place("pay.king_lost")
KING_LOST_CUP = _place("pay.king_lost_cup")
PAGAT_LOST = _place("pay.pagat_lost")
PAGAT_LOST_CUP = _place("pay.pagat_lost_cup")
PAGAT_HOME = _place("pay.pagat_home")
LAST_TRICK = _place("pay.last_trick")
ULTIMO_KING = _place("ultimo.king")
ULTIMO_PAGAT = _place("ultimo.pagat")
ULTIMO_PAGAT_EXTRA = _place("ultimo.pagat_extra")
ULTIMO_INCLUDES_LAST = _place("ultimo.includes_last_trick")
BAGUD_EXTRA_CUP = _place("bagud.pagat_extra_cup")
PAID_WITH_BAGUD = _place("last_trick.paid_with_bagud")
NOLO_PAY = _place("nolo.pay")
NOLO_PREMIUM = _place("nolo.premium")
NOLO_CANCELS_ULTIMO = _place("nolo.cancels_ultimo")
NOLO_CANCELS_LAST = _place("nolo.cancels_last_trick")
NOLO_CANCELS_COUNT = _place("nolo.cancels_count")
TOUT_PAY = _place("tout.pay")
TOUT_COUNT = _place("tout.count")
TOUT_TAKES_CUPS = _place("tout.takes_cups")
TOUT_EXCLUDES_NOLO = _place("tout.excludes_nolo")
TOUT_REPLACES_LAST = _place("tout.replaces_last_trick")
COUNT_MODE = _place("count.mode")
ALL_COUNT = _place("count.counters")

# What an announcement before trick t wins and loses, in the t-th place from here; NEVER where there is none.
TRICKS = 26
NOLO_WINS = len(_place)
NOLO_LOSES = NOLO_WINS + TRICKS
TOUT_WINS = NOLO_LOSES + TRICKS
TOUT_LOSES = TOUT_WINS + TRICKS
ANNOUNCING = TOUT_LOSES + TRICKS  # whether there are announcements at all
LENGTH = ANNOUNCING + 1
NEVER = -1

# The words of choices. Where there are two, the number also answers the question in the place's name.
SNAPSHOT, ULTIMO_FIRST, BAGUD_FIRST = range(3)
NEVER_RENAMED, BY_CLAIM, NEXT_DECIDES = range(3)
BY_COUNT, FLAT, NO_COUNT = range(3)
IN_FIVES, EXACT, UNCOUNTED = range(3)

WORDS: dict[str, dict[str, int]] = {
    "table.five": {"fiveDealsOut": 0, "twoSitOut": 1},
    "cups.found_by": {"active": 0, "allAtTable": 1},
    "cups.last_trick_order": {"snapshot": SNAPSHOT, "ultimoFirst": ULTIMO_FIRST, "bagudFirst": BAGUD_FIRST},
    "skus.rename": {"never": NEVER_RENAMED, "claim": BY_CLAIM, "nextDecides": NEXT_DECIDES},
    "skus.last_trick_lead": {"named": 0, "leadPasses": 1},
    "tout.count": {"byCount": BY_COUNT, "flat25": FLAT, "none": NO_COUNT},
    "count.mode": {"table5": IN_FIVES, "exact": EXACT, "off": UNCOUNTED},
    "count.counters": {"twoAndBalance": 0, "all": 1},
}


@remembered
def numbers(rules: DanishRules) -> tuple[int, ...]:
    """The rulebook as an array."""
    found = _place.numbers(rules, WORDS) + [NEVER] * (4 * TRICKS)
    for row in rules.nolo.announce:
        found[NOLO_WINS + row.before_trick] = row.win + row.premium
        found[NOLO_LOSES + row.before_trick] = row.lose + row.premium
    for one in rules.tout.announce:
        found[TOUT_WINS + one.before_trick] = one.win
        found[TOUT_LOSES + one.before_trick] = one.lose
    return (*found, int(bool(rules.nolo.announce or rules.tout.announce)))
