"""What a card pays that falls in a trick before the last: a table behind rulebook and weights in `n`.

The rule itself has written it (`payments.pay_fallen`): for a card that is nothing, a king and the pagat, each
place that plays it and each that wins the trick, what the five accounts gain and what it is for.
"""

from __future__ import annotations

from ultimo.danish import numbers as rule
from ultimo.danish import phases
from ultimo.danish.following import LAST, THIRD_LAST
from ultimo.danish.payments import ACCOUNTS, PAGAT_CARD, is_king, pay_fallen
from ultimo.kernel.arrays import ints
from ultimo.kernel.danish import layout as at
from ultimo.kernel.danish.weights import WEIGHTS
from ultimo.kernel.jit import Ints, inlined
from ultimo.play.book import blank, post
from ultimo.play.following import PACK_SIZE, SKUS_BIT
from ultimo.rulebook import DanishRules, remembered

ONE_OF_EACH = 0, 13, PAGAT_CARD
KIND = ints(1 if is_king(card) else 2 * (card == PAGAT_CARD) for card in range(PACK_SIZE))
ROW = ACCOUNTS + 1
FIRST = rule.LENGTH + len(WEIGHTS)
QUIET_UNTIL = FIRST + ROW * at.PLACES * at.PLACES * len(ONE_OF_EACH)
LENGTH = QUIET_UNTIL + LAST + 1


@remembered
def prices(rules: DanishRules) -> tuple[int, ...]:
    """The table of a rulebook."""
    found: list[int] = []
    for card in ONE_OF_EACH:
        for place in range(at.PLACES):
            for won in range(at.PLACES):
                book, gained = blank(), [0] * ACCOUNTS
                pay_fallen(rule.numbers(rules), book, place, card, won, 0)
                codes = post(book, gained, 0)
                found += [*gained, codes]
    return (*found, *quiet(rule.numbers(rules)))


def quiet(n: tuple[int, ...]) -> list[int]:
    """For each trick the next, or itself, after which more may come than a lead, or the skus stays."""
    found = [LAST] * (LAST + 1)
    for number in range(LAST - 1, -1, -1):
        after = number + 1
        asked = phases.window(n, after) or phases.can_be_demanded(n, after, False)
        passes = phases.lead_passes(n, after, 0, SKUS_BIT)
        stays = not phases.skus_goes_home(number)
        found[number] = number if asked or passes or stays or after == THIRD_LAST else found[after]
    return found


@inlined
def pay_card(n: Ints, s: Ints, place: int, card: int, won: int) -> None:
    """Pay for a card that has fallen."""
    row = FIRST + ROW * (at.PLACES * (at.PLACES * KIND[card] + place) + won)
    for account in range(ACCOUNTS):
        s[at.NET + account] += n[row + account]
    s[at.HAPPENED] |= n[row + ACCOUNTS]
