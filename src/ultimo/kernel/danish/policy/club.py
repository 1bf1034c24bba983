"""A club player of Danish Tarok: the books' advice (rules part F) as a policy.

It reads the table (`odds`), knows its role in the fight for the last trick, and gives every card that it may
play a worth: what the trick is likely to bring, and what the card would have been good for later. A worth is
counted in sixteenths of a point and is made of `PARTS`; the part that speaks most for the chosen card is the
reason it gives.
"""

from __future__ import annotations

from ultimo.danish import numbers as rule
from ultimo.danish.following import LAST
from ultimo.danish.payments import is_king
from ultimo.kernel.bits import count, highest, lowest
from ultimo.kernel.danish import layout as at
from ultimo.kernel.danish import weights as wt
from ultimo.kernel.danish.deal import legal_plays
from ultimo.kernel.danish.policy import odds
from ultimo.kernel.danish.policy.odds import HELPER, OTHERS, POINT, height_of, of_suit
from ultimo.kernel.jit import Ints, inlined, tight
from ultimo.kernel.policy import HONOUR, NEVER, SURE, first_card, longest
from ultimo.play.counting import honours
from ultimo.play.following import (
    FIRST_TRUMP,
    NO_SUIT,
    REAL_TRUMPS,
    SKUS_CARD,
    TRUMP_SUIT,
    strength,
    suit_of,
)

# The parts of a worth: the trick with its cards, kings, the pagat, the fight for the last trick (tarokker
# spent and driven out), a nolo, the skus, and signals.
TRICK, KING, PAGAT, FIGHT, WHIP, MISERE, SKUS, SIGNALS = range(8)
PARTS = 8

OF_KING, OF_PAGAT = range(2)  # in the pairs of weights


# --- the choice ------------------------------------------------------------------------------------------


@inlined
def club_card(n: Ints, s: Ints, w: Ints) -> int:
    """The card a club player plays."""
    suits, trumps, _ = legal_plays(n, s)
    if count(suits) + count(trumps) == 1:
        w[at.ROLE] = odds.BALANCER
        return first_card(suits, trumps)
    if suits | trumps == 0:
        return at.LEAD_SKUS + longest(s[at.SUITS + s[at.TURN]])
    odds.read_table(n, s, w)
    if s[at.LED] == NO_SUIT:
        return _best_lead(n, s, w, suits, trumps)
    return _best_follow(n, s, w, suits, trumps)


@tight
def weigh(n: Ints, s: Ints, w: Ints, card: int) -> int:
    """What a club player thinks a card worth; the parts stay on the paper, for whoever asks why."""
    odds.read_table(n, s, w)
    if s[at.LED] == NO_SUIT:
        return worth_of_lead(n, s, w, card)
    return worth_of_follow(n, s, w, card, odds.highest_on_table(s))


@inlined
def _best_lead(n: Ints, s: Ints, w: Ints, suits: int, trumps: int) -> int:
    """Of each suit the highest, the one below it and the lowest are looked at; of the tarokker likewise."""
    best, most = -1, NEVER
    for suit in range(5):
        held = trumps & REAL_TRUMPS if suit == TRUMP_SUIT else of_suit(suits, suit)
        tried = 0
        while held and tried < 3:
            height = highest(held) if tried < 2 else lowest(held)
            card = odds.card_at(suit, height)
            worth = worth_of_lead(n, s, w, card)
            if worth > most:
                best, most = card, worth
            held ^= 1 << height
            tried += 1
    return best


@inlined
def _best_follow(n: Ints, s: Ints, w: Ints, suits: int, trumps: int) -> int:
    """Every card that may answer is looked at."""
    top = odds.highest_on_table(s)
    best, most = -1, NEVER
    while suits | trumps:
        card = first_card(suits, trumps)
        if suits:
            suits &= suits - 1
        else:
            trumps &= trumps - 1
        worth = worth_of_follow(n, s, w, card, top)
        if worth > most:
            best, most = card, worth
    return best


# --- what a card is worth --------------------------------------------------------------------------------


@inlined
def worth_of_follow(n: Ints, s: Ints, w: Ints, card: int, best: int) -> int:
    """What a card is worth as an answer, `best` being the card that stands highest."""
    led = s[at.LED]
    clear(w)
    if card == SKUS_CARD:
        w[at.WORTH + SKUS] = -n[wt.SKUS_EARLY] * max(0, n[wt.SKUS_EARLY_TO] - s[at.NUMBER])
        if s[at.NUMBER] > n[wt.SKUS_LATE_FROM]:
            w[at.WORTH + SKUS] += n[wt.SKUS_LATE]
        return total(w)
    wins = 0
    if strength(card, led, True) > strength(best, led, True):
        wins = SURE
        if s[at.PLAYED] == 1:
            wins -= odds.beaten_chance(w, 0, led, card)
    if w[at.ROLE] == odds.NOLO:
        w[at.WORTH + MISERE] = n[wt.NOLO_SHED] * height_of(card) - nolo_price(n) * wins // SURE
        if card >= FIRST_TRUMP:
            w[at.WORTH + MISERE] += n[wt.NOLO_TAROK]
        if is_king(card):
            w[at.WORTH + KING] = n[wt.NOLO_KING]
        return total(w)
    w[at.WORTH + TRICK] = (table_worth(n, s) + n[wt.LEAD]) * wins // SURE
    note_spent(n, s, w, card, wins)
    if suit_of(card) == led and card < FIRST_TRUMP and wins == 0:
        w[at.WORTH + SIGNALS] = n[wt.SIGNAL] * signal(s, card)
    return total(w)


@inlined
def worth_of_lead(n: Ints, s: Ints, w: Ints, card: int) -> int:
    """What a card is worth as a lead."""
    me, suit = s[at.TURN], suit_of(card)
    clear(w)
    first, second = odds.beaten_chance(w, 0, suit, card), odds.beaten_chance(w, 1, suit, card)
    wins = (SURE - first) * (SURE - second) // SURE
    if w[at.ROLE] == odds.NOLO:
        shed = n[wt.NOLO_SHED] * height_of(card) * n[wt.NOLO_LED] // SURE
        w[at.WORTH + MISERE] = shed - nolo_price(n) * wins // SURE
        return total(w)
    w[at.WORTH + TRICK] = (n[wt.TRICK_AHEAD] + n[wt.LEAD]) * wins // SURE
    note_spent(n, s, w, card, wins)
    w[at.WORTH + WHIP] = driven(n, w, 0, suit) + driven(n, w, 1, suit)
    if suit == TRUMP_SUIT:
        w[at.WORTH + FIGHT] += n[wt.TAROK_LEAD]
        return total(w)
    w[at.WORTH + WHIP] += n[wt.LENGTH_LED] * count(of_suit(s[at.SUITS + me], suit))
    w[at.WORTH + WHIP] += n[wt.AGAIN] * s[at.LEADS + 5 * me + suit]
    if w[at.ROLE] == HELPER:  # returns the suit of the other, who leads the defence (F3.5)
        first = odds.strongest(w)
        friend, foe = (me + 2 - first) % 3, (me + 1 + first) % 3
        w[at.WORTH + WHIP] += n[wt.FRIEND] * min(n[wt.LEADS_SEEN], s[at.LEADS + 5 * friend + suit])
        w[at.WORTH + WHIP] -= n[wt.FOE] * min(n[wt.LEADS_SEEN], s[at.LEADS + 5 * foe + suit])
    return total(w)


@inlined
def clear(w: Ints) -> None:
    """Begin a new sum."""
    for part in range(PARTS):
        w[at.WORTH + part] = 0


@inlined
def total(w: Ints) -> int:
    """The sum of the parts."""
    together = 0
    for part in range(PARTS):
        together += w[at.WORTH + part]
    return together


# --- its parts -------------------------------------------------------------------------------------------


@inlined
def nolo_price(n: Ints) -> int:
    """What a nolo brings."""
    return POINT * OTHERS * (n[rule.NOLO_PAY] + n[rule.NOLO_PREMIUM])


@inlined
def table_worth(n: Ints, s: Ints) -> int:
    """What the cards on the table bring to the one who wins them: the count, kings and the pagat."""
    worth = POINT * (1 + honours(s[at.TRICK_SUITS], s[at.TRICK_TRUMPS] & REAL_TRUMPS))
    for turn in range(s[at.PLAYED]):
        card = s[at.LAST_CARDS + turn]
        if is_king(card):
            worth += POINT * n[rule.KING_LOST]
        elif card == FIRST_TRUMP:
            worth += POINT * (n[rule.PAGAT_LOST] + n[rule.PAGAT_HOME])
    return worth


@inlined
def note_spent(n: Ints, s: Ints, w: Ints, card: int, wins: int) -> None:
    """The parts that come of parting with a card, which wins its trick with the chance `wins`."""
    loses, honour = SURE - wins, POINT * HONOUR[card]
    if card == FIRST_TRUMP:
        home = POINT * OTHERS * n[rule.PAGAT_HOME] + honour
        lost = POINT * (OTHERS * n[rule.PAGAT_LOST] + n[rule.PAGAT_LOST_CUP]) + honour
        guards = count(s[at.TRUMPS + s[at.TURN]] & REAL_TRUMPS) - 1
        kept = worth_kept(n, s, w, OF_PAGAT, n[rule.ULTIMO_PAGAT], s[at.PAGAT_CUP], guards)
        w[at.WORTH + PAGAT] += (wins * home - loses * lost) // SURE - kept
        w[at.WORTH + FIGHT] -= n[wt.TAROK_WORTH]
    elif card > FIRST_TRUMP:
        w[at.WORTH + TRICK] -= honour * loses // SURE
        w[at.WORTH + FIGHT] -= tarok_cost(n, s, w, card)
    elif is_king(card):
        lost = POINT * (OTHERS * n[rule.KING_LOST] + n[rule.KING_LOST_CUP]) + honour
        kept = worth_kept(n, s, w, OF_KING, n[rule.ULTIMO_KING], s[at.KING_CUP], 0)
        w[at.WORTH + KING] -= lost * loses // SURE + kept
    else:
        courts = n[wt.COURT_WON] * wins - n[wt.COURT_LOST] * loses
        w[at.WORTH + TRICK] += HONOUR[card] * courts // SURE
        w[at.WORTH + FIGHT] -= n[wt.ENTRY] * height_of(card)


@inlined
def worth_kept(n: Ints, s: Ints, w: Ints, which: int, ultimo: int, cup: int, guards: int) -> int:
    """What a king or the pagat is worth that is kept: an ultimo, seldom; a loss, more often.

    The pagat may also be brought home later, the better the more tarokker guard it.
    Rule: F3.21, F3.22, F3.23.
    """
    price = POINT * (OTHERS * ultimo + (cup if n[rule.CUPS] else 0))
    last = w[at.LAST_CHANCE]
    if LAST + 1 - s[at.NUMBER] <= n[wt.END]:
        return price * (2 * last - SURE - n[wt.KEPT_END + which]) // SURE
    hope = price * max(0, last - n[wt.KEPT_HOPE + which]) // SURE * n[wt.KEPT + which] // SURE
    return hope + n[wt.PAGAT_GUARD] * min(guards, n[wt.PAGAT_GUARDS]) - n[wt.KEPT_FEAR + which]


@inlined
def tarok_cost(n: Ints, s: Ints, w: Ints, card: int) -> int:
    """What a tarok would have been worth in the fight; a helper spends theirs more freely (F3.5).

    One that no other can beat would win the last trick: the nearer that is, the more it is worth to keep it.
    """
    height, number = height_of(card), s[at.NUMBER]
    worth = n[wt.TAROK_WORTH] + n[wt.TAROK_HEIGHT] * height + n[wt.TAROK_LATE] * number
    if w[at.ROLE] == HELPER:
        worth = worth * n[wt.TAROK_OF_HELPER] // SURE
    else:
        worth += worth * w[at.LAST_CHANCE] * n[wt.TAROK_HOPE] // (SURE * SURE)
    if (w[at.HIDDEN_TRUMPS] & REAL_TRUMPS) >> height == 0:
        worth += n[wt.MASTER] * max(0, number - n[wt.MASTER_FROM])
    return worth


@inlined
def signal(s: Ints, card: int) -> int:
    """Low, then high with four or more of the suit; high, then low with fewer (F2.7)."""
    if HONOUR[card]:
        return 0
    me, suit, height = s[at.TURN], card // 14, height_of(card)
    second = s[at.FOLLOWED + 4 * me + suit] != 0
    long = count(of_suit(s[at.SUITS + me], suit)) + second >= wt.SIGNAL_LENGTH
    return height if long == second else -height


@inlined
def driven(n: Ints, w: Ints, other: int, suit: int) -> int:
    """What a lead of a suit takes from an opponent in tarokker, and what that is worth (F1.5)."""
    chance = odds.tarok_chance(w, other, 0)
    if suit != TRUMP_SUIT:
        chance = chance * (SURE - odds.has_suit_chance(w, other, suit)) // SURE
    dangerous = w[at.TAROK + other] >= w[at.TAROK + 1 - other]
    return (n[wt.DANGEROUS] if dangerous else n[wt.HARMLESS]) * chance // SURE
