"""How a club player guesses: who is a friend, which cards are out, and whose a trick will be.

Chances are in parts of SURE. A card that is out is taken to lie with each hand that may have it alike; the
taker, who has chosen cards, is thought shorter in suits and longer in trumps than the others.
"""

from __future__ import annotations

from ultimo.cards import SUITS_WORD
from ultimo.french import numbers as rule
from ultimo.french.following import BELOW_TRUMPS, top_trump
from ultimo.french.reckoning import pile_half_points
from ultimo.kernel.arrays import ints
from ultimo.kernel.bits import count, highest, lowest, select
from ultimo.kernel.french import layout as at
from ultimo.kernel.french import weights as wt
from ultimo.kernel.french.memory import LEAD_BITS
from ultimo.kernel.french.weights import weight
from ultimo.kernel.jit import Ints, inlined
from ultimo.kernel.policy import SURE, suit_cards
from ultimo.play.following import FIRST_TRUMP, REAL_TRUMPS, SKUS_BIT, TRUMP_SUIT

NO_ROLE, BIDDER, TAKER, PARTNER, DEFENDER = range(5)
ROLES = ("", "bidder", "taker", "partner", "defender")

MOST_CARDS = 22 * wt.TAKER_TRUMPS  # of the kind that is asked for
_HANDS = 6
HALF_POINTS = ints(pile_half_points(1 << card, 0) for card in range(FIRST_TRUMP))

# By hands among which so many cards lie: the chance that a certain one of them has none.
NONE_OF = ints(
    0 if hands == 0 or (hands == 1 and some) else round(SURE * ((hands - 1) / hands) ** some)
    for hands in range(_HANDS)
    for some in range(MOST_CARDS)
)


@inlined
def has_none(hands: int, some: int) -> int:
    """The chance that one of so many hands has none of some cards."""
    return int(NONE_OF[hands * MOST_CARDS + some])


# --- who is a friend -----------------------------------------------------------------------------------


@inlined
def is_hidden_partner(s: Ints, seat: int) -> bool:
    """Whether a seat has, or had, the called card; the taker may have called an own one."""
    called = s[at.CALLED]
    if called == at.NOTHING:
        return False
    return bool((s[at.SUITS + seat] | s[at.PLAYED_SUITS + seat] | own_ecart(s, seat)) >> called & 1)


@inlined
def own_ecart(s: Ints, seat: int) -> int:
    """The suit cards that a seat itself has laid."""
    return int(s[at.ECART_SUITS]) if seat == s[at.TAKER] else 0


@inlined
def role_of(s: Ints, seat: int) -> int:
    """What a seat is in this deal, as it knows itself."""
    if seat == s[at.TAKER]:
        return TAKER
    return PARTNER if is_hidden_partner(s, seat) else DEFENDER


@inlined
def judge_sides(n: Ints, s: Ints, seat: int) -> None:
    """Write down how likely each other seat is a friend.

    While the partner is secret it is looked for among those who may have the called card, more so if they
    throw courts on the taker's tricks.
    """
    players, taker = n[rule.PLAYERS], s[at.TAKER]
    if s[at.SIDES_PUBLIC] or is_hidden_partner(s, seat):
        friends = s[at.SIDES] if s[at.SIDES_PUBLIC] else 1 << seat | 1 << taker
        for other in range(players):
            s[at.FRIEND + other] = SURE * int((friends >> other & 1) == (friends >> seat & 1))
        return
    suit, suspicion = s[at.CALLED] // 14, 0
    for other in range(players):
        if other != seat and other != taker and not s[at.VOID + other] >> suit & 1:
            suspicion += wt.SUSPECT + s[at.FED + other]
    for other in range(players):
        suspect = 0
        if other != seat and other != taker and not s[at.VOID + other] >> suit & 1:
            suspect = SURE * (wt.SUSPECT + s[at.FED + other]) // suspicion
        s[at.FRIEND + other] = suspect if seat == taker else SURE - suspect
    s[at.FRIEND + taker] = 0
    s[at.FRIEND + seat] = SURE


# --- which cards are out -------------------------------------------------------------------------------


@inlined
def look_round(n: Ints, s: Ints, seat: int) -> None:
    """Write down the cards that may still be in other hands."""
    suits, trumps = s[at.SUITS + seat] | own_ecart(s, seat), s[at.TRUMPS + seat] | s[at.ECART_TRUMPS]
    for other in range(n[rule.PLAYERS]):
        suits |= s[at.PLAYED_SUITS + other]
        trumps |= s[at.PLAYED_TRUMPS + other]
    s[at.OUT_SUITS] = SUITS_WORD & ~suits
    s[at.OUT_TRUMPS] = (REAL_TRUMPS | SKUS_BIT) & ~trumps


@inlined
def out_of_suit(s: Ints, suit: int) -> int:
    """The cards of a suit that are out, from bit 0."""
    return int(suit_cards(s[at.OUT_SUITS], suit))


@inlined
def has_led(s: Ints, other: int, suit: int) -> bool:
    """Whether a seat has led a suit."""
    return bool(s[at.LEADS + other] >> (LEAD_BITS * suit) & ((1 << LEAD_BITS) - 1))


@inlined
def low_trump(trumps: int) -> int:
    """The lowest trump, the petit only if there is no other."""
    others = trumps & ~1
    return FIRST_TRUMP + lowest(others if others else trumps)


@inlined
def holders(n: Ints, s: Ints, seat: int, suit: int) -> int:
    """How many other hands may have cards of a suit, the trumps being 4."""
    found = 0
    for other in range(n[rule.PLAYERS]):
        found += int(other != seat and not s[at.VOID + other] >> suit & 1)
    return found


# --- whose the trick will be ---------------------------------------------------------------------------


@inlined
def known_trumps(s: Ints, other: int) -> int:
    """The trumps that a seat has shown, and that have not been played."""
    shown = s[at.SHOWN_TRUMPS + other]
    if other == s[at.TAKER]:
        shown |= s[at.CHIEN_SEEN_TRUMPS]
    return int(shown & s[at.OUT_TRUMPS] & REAL_TRUMPS)


@inlined
def chance_of_trump(n: Ints, s: Ints, seat: int, other: int, above: int) -> int:
    """The chance that another seat has a trump above a number."""
    if known_trumps(s, other) >> above:
        return SURE
    over = count((s[at.OUT_TRUMPS] & REAL_TRUMPS & ~s[at.LACKS + other]) >> above)
    if over == 0:
        return 0
    hands, taker = max(1, holders(n, s, seat, TRUMP_SUIT)), s[at.TAKER]
    if other == taker:
        over *= wt.TAKER_TRUMPS
    elif seat != taker and not s[at.VOID + taker] >> TRUMP_SUIT & 1:
        hands += 1  # what the taker has more, the others have less
    return SURE - has_none(hands, over)


@inlined
def chance_of_void(n: Ints, s: Ints, seat: int, other: int, suit: int) -> int:
    """The chance that another seat has no card of a plain suit."""
    if s[at.VOID + other] >> suit & 1:
        return SURE
    chance = has_none(max(1, holders(n, s, seat, suit)), count(out_of_suit(s, suit)))
    if other == s[at.TAKER] and not suit_cards(s[at.PLAYED_SUITS + other], suit):
        chance = max(chance, weight(n, s, wt.TAKER_MADE_VOID))
    return chance


@inlined
def chance_to_beat(n: Ints, s: Ints, seat: int, other: int, led: int, height: int, void: int) -> int:
    """The chance that another seat, still to play, beats what stands so high; `void` is that of the suit led.

    Who has no card of the suit led must trump, and must beat a trump; who has may like to play low.
    """
    trump = chance_of_trump(n, s, seat, other, top_trump(height))
    if led == TRUMP_SUIT:
        return trump
    chance = void * trump
    if height <= BELOW_TRUMPS and void < SURE:
        higher = count(out_of_suit(s, led) >> height)  # the lowest rank stands 1 high
        if higher:
            better = SURE - has_none(max(1, holders(n, s, seat, led)), higher)
            chance += (SURE - void) * min(SURE, better * weight(n, s, wt.BEHIND_BEATS) // SURE)
    return chance // SURE


@inlined
def stands_then(s: Ints, other: int, led: int, height: int, void: int) -> int:
    """How high a trick stands after another seat has beaten what stood so high.

    A seat is taken to do so with the middle one of the cards that it may have for it, of its suit or as a
    trump, whichever is likelier; the taker, whose trumps are many and high, with the highest trump.
    """
    if led != TRUMP_SUIT and height <= BELOW_TRUMPS and 2 * void < SURE:
        higher = out_of_suit(s, led) >> height
        if higher:
            return int(height + 1 + select(higher, count(higher) // 2))
    above = top_trump(height)
    trumps = (s[at.OUT_TRUMPS] & REAL_TRUMPS & ~s[at.LACKS + other]) >> above
    if trumps == 0:
        return height
    number = highest(trumps) if other == s[at.TAKER] else select(trumps, count(trumps) // 2)
    return int(BELOW_TRUMPS + above + 1 + number)


@inlined
def chance_to_win(n: Ints, s: Ints, seat: int, led: int, height: int, winning: int) -> int:
    """The chance that the side of the seat in turn takes the trick, when its card lies and it stands so.

    Who beats a card raises what the seats behind have to beat: a friend behind a foe cannot take back with
    any card what the foe has taken.
    """
    ours = SURE if winning == seat else int(s[at.FRIEND + winning])
    theirs = SURE - ours
    with_us, with_them = height, height  # how high it stands if the trick is ours, and if it is theirs
    for distance in range(1, n[rule.PLAYERS] - s[at.PLACE]):
        other = (seat + distance) % n[rule.PLAYERS]
        void = 0 if led == TRUMP_SUIT else chance_of_void(n, s, seat, other, led)
        from_us, from_them = 0, 0
        if ours:
            from_us = ours * chance_to_beat(n, s, seat, other, led, with_us, void) // SURE
        if theirs:
            from_them = theirs * chance_to_beat(n, s, seat, other, led, with_them, void) // SURE
        if from_us + from_them == 0:
            continue
        beaten = with_us if from_us >= from_them else with_them
        stands = stands_then(s, other, led, beaten, void)
        to_us = s[at.FRIEND + other] * (from_us + from_them) // SURE
        to_them = from_us + from_them - to_us
        ours += to_us - from_us
        theirs += to_them - from_them
        if 2 * to_us > ours:
            with_us = stands
        if 2 * to_them > theirs:
            with_them = stands
    return int(ours)
