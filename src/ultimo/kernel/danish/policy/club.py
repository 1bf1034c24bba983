"""A club player of Danish Tarok: the books' advice (rules part F) as a policy.

He reads the table (`odds`), knows his role in the fight for the last trick, and gives every card
that he may play a worth: what the trick is likely to bring, and what the card would have been good for later.
A worth is counted in sixteenths of a point and is made of `PARTS`; the part that speaks most for the chosen
card is the reason he gives.
"""

from __future__ import annotations

from ultimo.danish import numbers as rule
from ultimo.danish.following import LAST
from ultimo.kernel.bits import count, highest, lowest
from ultimo.kernel.danish import layout as at
from ultimo.kernel.danish.deal import legal_plays
from ultimo.kernel.danish.policy import weights
from ultimo.kernel.danish.policy.odds import (
    SURE,
    beaten_chance,
    card_at,
    has_suit_chance,
    has_tarok_chance,
    height_of,
    note_hidden,
    of_suit,
)
from ultimo.kernel.jit import Ints, inlined, tight
from ultimo.play.counting import honours
from ultimo.play.following import (
    FIRST_TRUMP,
    NO_SUIT,
    REAL_TRUMPS,
    SKUS_BIT,
    SKUS_CARD,
    TRUMP_SUIT,
    strength,
    suit_of,
)

ULTIMATOR, LEADER, HELPER, BALANCER, NOLO = range(5)
ROLES = ("ultimator", "leader", "helper", "balancer", "nolo")

# The parts of a worth: the trick with its cards, kings, the pagat, the fight for the last trick (tarokker
# spent and driven out), a nolo, the skus, and signals.
TRICK, KING, PAGAT, FIGHT, WHIP, MISERE, SKUS, SIGNALS = range(8)
PARTS = 8

POINT = 16


# --- the fight for the last trick ------------------------------------------------------------------------


@inlined
def last_chance(s: Ints, w: Ints, me: int) -> int:
    """The chance to win the last trick, as it seems from the tarokker (F1.3, F3.11)."""
    own = POINT * count(s[at.TRUMPS + me] & REAL_TRUMPS)
    most = max(w[at.TAROK], w[at.TAROK + 1])
    if own == 0:
        return 60 if most > 8 else SURE // 3
    if most == 0:
        return 900
    ahead = (own - most) * (weights.LAST_SLOPE + weights.LAST_LATER * s[at.NUMBER]) // POINT
    return min(900, max(40, weights.LAST_BASE + ahead))


@inlined
def role(s: Ints, w: Ints, me: int, last: int) -> int:
    """What a place plays for now (F3.1)."""
    if s[at.TRICKS_WON + me] == 0 and misere_risk(s, w, me) <= weights.NOLO_RISK:
        return NOLO
    own = POINT * count(s[at.TRUMPS + me] & REAL_TRUMPS)
    if last > SURE // 2:
        return ULTIMATOR
    strongest = 0 if w[at.TAROK] >= w[at.TAROK + 1] else 1
    if w[at.TAROK + strongest] < own + POINT:
        return BALANCER
    return LEADER if own >= w[at.TAROK + 1 - strongest] else HELPER


@tight
def misere_risk(s: Ints, w: Ints, me: int) -> int:
    """How many cards of a hand may have to win a trick: a suit is safe if small cards stand under the big.

    Rule: F6.1, F6.2, F6.8.
    """
    trumps = s[at.TRUMPS + me] & REAL_TRUMPS
    risk = 0
    while trumps:
        top = highest(trumps)
        higher = count(w[at.HIDDEN_TRUMPS] & REAL_TRUMPS & ~((2 << top) - 1))
        risk += 4 if higher < 4 else 1
        trumps ^= 1 << top
    for suit in range(4):
        own, hidden = of_suit(s[at.SUITS + me], suit), of_suit(w[at.HIDDEN_SUITS], suit)
        held = 0
        while own:
            low = lowest(own)
            if count(hidden & ((1 << low) - 1)) > 2 * held + 2:
                risk += 1
            held += 1
            own &= own - 1
            if held == 4:
                break
    if s[at.TRUMPS + me] & SKUS_BIT:
        risk -= 2
    return risk


@inlined
def nolo_price(n: Ints) -> int:
    """What a nolo brings."""
    return POINT * 2 * (n[rule.NOLO_PAY] + n[rule.NOLO_PREMIUM])


# --- what a card is worth --------------------------------------------------------------------------------


@inlined
def cup(n: Ints, s: Ints, which: int) -> int:
    """What a cup holds."""
    return s[which] if n[rule.CUPS] else 0


@inlined
def king_kept(n: Ints, s: Ints, last: int) -> int:
    """What a king is worth that is kept: an ultimo, seldom; a loss, more often (F3.22, F3.23)."""
    price = 2 * n[rule.ULTIMO_KING] + cup(n, s, at.KING_CUP)
    left = LAST + 1 - s[at.NUMBER]
    if left <= 3:
        return POINT * price * (2 * last - SURE - weights.KING_END) // SURE
    return (
        POINT * price * max(0, last - weights.KING_HOPE) // SURE * weights.KING_KEPT // SURE
        - weights.KING_FEAR
    )


@inlined
def pagat_kept(n: Ints, s: Ints, me: int, last: int) -> int:
    """What the pagat is worth that is kept, for an ultimo or to be brought home later (F3.21, F3.22)."""
    price = 2 * n[rule.ULTIMO_PAGAT] + cup(n, s, at.PAGAT_CUP)
    left = LAST + 1 - s[at.NUMBER]
    if left <= 3:
        return POINT * price * (2 * last - SURE - weights.PAGAT_END) // SURE
    guards = count(s[at.TRUMPS + me] & REAL_TRUMPS) - 1
    hope = POINT * price * max(0, last - weights.PAGAT_HOPE) // SURE * weights.PAGAT_KEPT // SURE
    return hope + weights.PAGAT_GUARD * min(guards, 5) - weights.PAGAT_FEAR


@inlined
def tarok_cost(s: Ints, w: Ints, card: int, last: int, part: int) -> int:
    """What a tarok would have been worth in the fight; a helper spends his more freely (F3.5).

    One that no other can beat would win the last trick: the nearer that is, the more it is worth to keep it.
    """
    worth = weights.TAROK_WORTH + weights.TAROK_HEIGHT * height_of(card) + weights.TAROK_LATE * s[at.NUMBER]
    if part == HELPER:
        worth = worth * weights.TAROK_OF_HELPER // SURE
    else:
        worth += worth * last // (2 * SURE)
    if (w[at.HIDDEN_TRUMPS] & REAL_TRUMPS) >> height_of(card) == 0:
        worth += weights.MASTER * max(0, s[at.NUMBER] - weights.MASTER_FROM)
    return worth


@inlined
def note_spent(n: Ints, s: Ints, w: Ints, me: int, card: int, wins: int, last: int, part: int) -> None:
    """The parts that come of parting with a card, which wins its trick with the chance `wins`."""
    loses = SURE - wins
    if card == FIRST_TRUMP:
        home = POINT * (2 * n[rule.PAGAT_HOME] + 4)
        lost = POINT * (2 * n[rule.PAGAT_LOST] + n[rule.PAGAT_LOST_CUP] + 4)
        w[at.WORTH + PAGAT] += (wins * home - loses * lost) // SURE - pagat_kept(n, s, me, last)
        w[at.WORTH + FIGHT] -= weights.TAROK_WORTH
    elif card > FIRST_TRUMP:
        own = 4 * POINT if card == SKUS_CARD - 1 else 0
        w[at.WORTH + TRICK] -= own * loses // SURE
        w[at.WORTH + FIGHT] -= tarok_cost(s, w, card, last, part)
    else:
        height = height_of(card)
        if height == 13:
            lost = POINT * (2 * n[rule.KING_LOST] + n[rule.KING_LOST_CUP] + 4)
            w[at.WORTH + KING] -= lost * loses // SURE + king_kept(n, s, last)
        else:
            own = max(0, height - 9)
            w[at.WORTH + TRICK] += own * (weights.COURT_WON * wins - weights.COURT_LOST * loses) // SURE
            w[at.WORTH + FIGHT] -= weights.ENTRY * height


@inlined
def table_worth(n: Ints, s: Ints) -> int:
    """What the cards on the table bring to the one who wins them: the count, kings and the pagat."""
    worth = POINT * (1 + honours(s[at.TRICK_SUITS], s[at.TRICK_TRUMPS] & REAL_TRUMPS))
    for turn in range(s[at.PLAYED]):
        card = s[at.LAST_CARDS + turn]
        if card < FIRST_TRUMP and card % 14 == 13:
            worth += POINT * n[rule.KING_LOST]
        elif card == FIRST_TRUMP:
            worth += POINT * (n[rule.PAGAT_LOST] + n[rule.PAGAT_HOME])
    return worth


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


@inlined
def worth_of_follow(n: Ints, s: Ints, w: Ints, card: int, best: int, last: int, part: int) -> int:
    """What a card is worth as an answer, `best` being the card that stands highest."""
    me, led = s[at.TURN], s[at.LED]
    clear(w)
    if card == SKUS_CARD:
        w[at.WORTH + SKUS] = -weights.SKUS_EARLY * max(0, 22 - s[at.NUMBER])
        if s[at.NUMBER] > 20:
            w[at.WORTH + SKUS] += weights.SKUS_LATE
        return total(w)
    wins = 0
    if strength(card, led, True) > strength(best, led, True):
        wins = SURE
        if s[at.PLAYED] == 1:
            wins -= beaten_chance(w, 0, led, card)
    if part == NOLO:
        w[at.WORTH + MISERE] = weights.NOLO_SHED * height_of(card) - nolo_price(n) * wins // SURE
        if card >= FIRST_TRUMP:
            w[at.WORTH + MISERE] += 4 * POINT
        if card < FIRST_TRUMP and height_of(card) == 13:
            w[at.WORTH + KING] = (
                weights.NOLO_KING
            )  # it costs something now, and ten times as much in the last trick
        return total(w)
    w[at.WORTH + TRICK] = (table_worth(n, s) + weights.LEAD) * wins // SURE
    note_spent(n, s, w, me, card, wins, last, part)
    if suit_of(card) == led and card < FIRST_TRUMP and wins == 0:
        w[at.WORTH + SIGNALS] = weights.SIGNAL * signal(s, me, card)
    return total(w)


@inlined
def signal(s: Ints, me: int, card: int) -> int:
    """Low, then high with four or more of the suit; high, then low with fewer (F2.7)."""
    suit, height = card // 14, height_of(card)
    first = s[at.FOLLOWED + 4 * me + suit]
    long = count(of_suit(s[at.SUITS + me], suit)) >= (4 if first == 0 else 3)
    if height > 9:
        return 0
    if first == 0:
        return -height if long else height
    return height if long else -height


@inlined
def worth_of_lead(n: Ints, s: Ints, w: Ints, card: int, last: int, part: int) -> int:
    """What a card is worth as a lead."""
    me, suit = s[at.TURN], suit_of(card)
    clear(w)
    first, second = beaten_chance(w, 0, suit, card), beaten_chance(w, 1, suit, card)
    wins = (SURE - first) * (SURE - second) // SURE
    if part == NOLO:
        w[at.WORTH + MISERE] = weights.NOLO_SHED * height_of(card) // 2 - nolo_price(n) * wins // SURE
        return total(w)
    w[at.WORTH + TRICK] = (2 * POINT + weights.LEAD) * wins // SURE
    note_spent(n, s, w, me, card, wins, last, part)
    w[at.WORTH + WHIP] = driven(w, 0, suit) + driven(w, 1, suit)
    if suit == TRUMP_SUIT:
        w[at.WORTH + FIGHT] += weights.TAROK_LEAD
    else:
        w[at.WORTH + WHIP] += (
            weights.LENGTH * count(of_suit(s[at.SUITS + me], suit))
            + weights.AGAIN * s[at.LEADS + 5 * me + suit]
        )
        if part == HELPER:  # returns the suit of the other, who leads the defence (F3.5)
            strongest = 0 if w[at.TAROK] >= w[at.TAROK + 1] else 1
            friend, foe = (me + 2 - strongest) % 3, (me + 1 + strongest) % 3
            w[at.WORTH + WHIP] += weights.FRIEND * min(2, s[at.LEADS + 5 * friend + suit])
            w[at.WORTH + WHIP] -= weights.FOE * min(2, s[at.LEADS + 5 * foe + suit])
    return total(w)


@inlined
def driven(w: Ints, other: int, suit: int) -> int:
    """What a lead of a suit takes from an opponent in tarokker, and what that is worth (F1.5)."""
    chance = has_tarok_chance(w, other)
    if suit != TRUMP_SUIT:
        chance = chance * (SURE - has_suit_chance(w, other, suit)) // SURE
    return (
        (weights.DANGEROUS if w[at.TAROK + other] >= w[at.TAROK + 1 - other] else weights.HARMLESS)
        * chance
        // SURE
    )


# --- the choice ------------------------------------------------------------------------------------------


@inlined
def club_card(n: Ints, s: Ints, w: Ints) -> int:
    """The card a club player plays."""
    me = s[at.TURN]
    suits, trumps, _ = legal_plays(n, s)
    if count(suits) + count(trumps) == 1:
        w[at.ROLE] = BALANCER
        return lowest(suits) if suits else FIRST_TRUMP + lowest(trumps)
    if suits | trumps == 0:
        return at.LEAD_SKUS + longest(s, me)
    note_hidden(n, s, w, me)
    last = last_chance(s, w, me)
    part = role(s, w, me, last)
    w[at.ROLE] = part
    if s[at.LED] == NO_SUIT:
        return _best_lead(n, s, w, suits, trumps, last, part)
    return _best_follow(n, s, w, suits, trumps, last, part)


@tight
def weigh(n: Ints, s: Ints, w: Ints, card: int) -> int:
    """What a club player thinks a card worth; the parts stay on the paper, for him who asks why."""
    me = s[at.TURN]
    note_hidden(n, s, w, me)
    last = last_chance(s, w, me)
    w[at.ROLE] = role(s, w, me, last)
    if s[at.LED] == NO_SUIT:
        return worth_of_lead(n, s, w, card, last, w[at.ROLE])
    return worth_of_follow(n, s, w, card, highest_on_table(s), last, w[at.ROLE])


@inlined
def highest_on_table(s: Ints) -> int:
    """The card that would win the trick as it lies."""
    first, second, led = s[at.LAST_CARDS], s[at.LAST_CARDS + 1], s[at.LED]
    if s[at.PLAYED] == 2 and strength(second, led, True) > strength(first, led, True):
        return second
    return first


@inlined
def longest(s: Ints, me: int) -> int:
    """The suit of which a hand has most; tarok if it has none."""
    most, found = 0, TRUMP_SUIT
    for suit in range(4):
        length = count(of_suit(s[at.SUITS + me], suit))
        if length > most:
            most, found = length, suit
    return found


@inlined
def _best_lead(n: Ints, s: Ints, w: Ints, suits: int, trumps: int, last: int, part: int) -> int:
    """Of each suit the highest, the one below it and the lowest are looked at; of the tarokker likewise."""
    best, most = -1, -(1 << 40)
    for suit in range(5):
        held = trumps & REAL_TRUMPS if suit == TRUMP_SUIT else of_suit(suits, suit)
        tried = 0
        while held and tried < 3:
            height = highest(held) if tried < 2 else lowest(held)
            card = FIRST_TRUMP + height if suit == TRUMP_SUIT else card_at(suit, height)
            worth = worth_of_lead(n, s, w, card, last, part)
            if worth > most:
                best, most = card, worth
            held ^= 1 << height
            tried += 1
    return best


@inlined
def _best_follow(n: Ints, s: Ints, w: Ints, suits: int, trumps: int, last: int, part: int) -> int:
    """Every card that may answer is looked at."""
    top = highest_on_table(s)
    best, most = -1, -(1 << 40)
    while suits:
        card = lowest(suits)
        suits &= suits - 1
        worth = worth_of_follow(n, s, w, card, top, last, part)
        if worth > most:
            best, most = card, worth
    while trumps:
        card = FIRST_TRUMP + lowest(trumps)
        trumps &= trumps - 1
        worth = worth_of_follow(n, s, w, card, top, last, part)
        if worth > most:
            best, most = card, worth
    return best
