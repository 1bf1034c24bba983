"""The order of things in a Danish deal, over plain integers: who is asked what and when, and what follows.

Each step is decided here and nowhere else: the engine, the compiled deal, both searches, the sampler of
hidden hands and the reader of positions all ask these functions. `n` is the rulebook as an array (`numbers`);
a hand is two words, suits and trumps. Places 0, 1, 2 are forehand, middle and dealer.
"""

from __future__ import annotations

from typing import Literal

from ultimo.danish import numbers as rule
from ultimo.danish.following import LAST, THIRD_LAST
from ultimo.play.counting import honours
from ultimo.play.following import REAL_TRUMPS, SKUS_BIT, Numbers, shared

PACKET = 5
PACKETS = 16  # the last one has three cards
DECLARING = (2, 0, 1)  # the dealer declares first, then forehand, then middle

NOLO, TOUT = 1, 2  # announcements, as a set
BITS: dict[Literal["nolo", "tout", "slam"], int] = {"nolo": NOLO, "tout": TOUT}
ANNOUNCEMENTS, DEMANDS, LEAD, SETTLEMENT = range(4)  # what comes next before a trick, in this order


# --- before the first trick ------------------------------------------------------------------------------


@shared
def founds(n: Numbers, plays: bool) -> bool:
    """Whether somebody at the table pays when a cup is founded: who plays, and elsewhere everybody.

    Rule: 000 Spillerne, Før spillet; I-2.1 to I-2.4.
    """
    return plays or n[rule.FOUND_BY_ALL] != 0


@shared
def receiver(packet: int) -> int:
    """The place that is dealt a packet: five cards at a time, forehand first, the last three to the dealer.

    Rule: 000 Kortgivning; I-3.5.
    """
    return packet % 3 if packet < PACKETS - 1 else 2


@shared
def may_ask_for_redeal(n: Numbers, trumps: int) -> bool:
    """Whether a hand may ask for other cards: without a real trump, where the book allows it.

    Rule: 000 Kortgivning; I-3.1, I-3.2.
    """
    return n[rule.REDEAL] != 0 and not trumps & REAL_TRUMPS


@shared
def declares_on_skat(n: Numbers) -> bool:
    """Whether the cards of the skat are among those on which the dealer declares: on 28, not on 25.

    Rule: 000 Meldinger, Før spillet; I-5.1, I-5.7.
    """
    return n[rule.DEALER_BASIS] == 28


# --- before a trick --------------------------------------------------------------------------------------


@shared
def window(n: Numbers, number: int) -> int:
    """The announcements that the book allows before a trick.

    Rule: 003 SPILLET.
    """
    if not 0 < number <= LAST:
        return 0
    nolo = NOLO if n[rule.NOLO_WINS + number] != rule.NEVER else 0
    return nolo | (TOUT if n[rule.TOUT_WINS + number] != rule.NEVER else 0)


@shared
def announceable(n: Numbers, number: int, won: int, spoken: bool) -> int:
    """What a player may announce before a trick: nolo without a trick so far, tout with all; once in a deal.

    Rule: 003 SPILLET; I-9.15.
    """
    may = 0 if spoken else window(n, number)
    if won:
        may &= ~NOLO
    if won != number - 1:
        may &= ~TOUT
    return may


@shared
def can_be_demanded(n: Numbers, number: int, gone: bool) -> bool:
    """Whether the skus can be demanded in a trick: in the third-last, as long as nobody has seen it go.

    Rule: 000 Skusen g, h; I-7.2, I-7.5, I-7.15.
    """
    return number == THIRD_LAST and n[rule.DEMANDABLE] != 0 and not gone


@shared
def may_demand(trumps: int) -> bool:
    """Whether a hand may demand the skus: not the one that holds it."""
    return not trumps & SKUS_BIT


@shared
def comes_next(n: Numbers, number: int, past: int, announcers: bool, gone: bool) -> int:
    """What comes next before a trick, once `past` of the steps are over (0 at its beginning).

    First the announcements, if somebody may make one, then the demand for the skus, then the lead.
    """
    if number > LAST:
        return SETTLEMENT
    if past <= ANNOUNCEMENTS and announcers:
        return ANNOUNCEMENTS
    if past <= DEMANDS and can_be_demanded(n, number, gone):
        return DEMANDS
    return LEAD


@shared
def lead_passes(n: Numbers, number: int, suits: int, trumps: int) -> bool:
    """Whether the lead passes on: a bare skus does not lead the last trick where the book says so.

    Rule: 004 OM SCUSEN; I-7.10.
    """
    return n[rule.LEAD_PASSES] != 0 and number == LAST and not suits and trumps == SKUS_BIT


# --- a trick ---------------------------------------------------------------------------------------------


@shared
def is_renamed(n: Numbers, next_has: bool, third_has: bool) -> bool:
    """Whether the next hand names a led skus anew: nobody has the suit it was named as.

    Rule: rules B7, steps 2 and 3; I-7.9, I-7.12.
    """
    return n[rule.RENAME] != rule.NEVER_RENAMED and not next_has and not third_has


@shared
def renaming_shows(n: Numbers) -> int:
    """The hands that lack the suit when a skus is renamed, a bit each: those that would have prevented it."""
    return int(not is_renamed(n, True, False)) | 2 * int(not is_renamed(n, False, True))


@shared
def skus_goes_home(number: int) -> bool:
    """Whether a skus goes back to its player when the trick is won: in every trick but the last."""
    return number < LAST


@shared
def skat_points(suits: int, trumps: int) -> int:
    """What the skat counts in the dealer's pile: it is a trick of the dealer, with its honours.

    Rule: 000 Efter spillet; 001 Betaling for korttælling; 004 TÆLLING; rules A4.
    """
    return 1 + honours(suits, trumps)
