"""A student of French Tarot: does what the club does, or what by experience brings more.

As `danish/policy/student.py`: one network for three, four and five players, whose number is among its inputs.
It knows what its seat knows: who the partner is while that is secret, it guesses as the club does.
"""

from __future__ import annotations

from collections.abc import Iterable
from pathlib import Path

from ultimo.french import numbers as rule
from ultimo.french.reckoning import pile_half_points
from ultimo.kernel import network
from ultimo.kernel.bits import count, highest, lowest
from ultimo.kernel.french import layout as at
from ultimo.kernel.french.deal import NETWORK, legal
from ultimo.kernel.french.memory import LEAD_BITS
from ultimo.kernel.french.policy import odds
from ultimo.kernel.jit import Ints, inlined, tight
from ultimo.kernel.layout import Places
from ultimo.kernel.network import (
    card_input,
    put_bits,
    put_cards,
    put_none,
    put_one,
    put_steps,
    put_suits,
    suit_input,
)
from ultimo.kernel.policy import STUDENT, SURE, first_action, suit_cards, without_first
from ultimo.play.counting import BOUTS_WORD
from ultimo.play.following import PACK_SIZE, REAL_TRUMPS

TRUMPS = 22
MOST_HAND = 24
BID_STEPS, LEADS_SEEN, FED_STEPS, FRIEND_STEPS, TRUMP_STEPS, HIDDEN_STEPS, ABOVE_STEPS = 5, 2, 4, 4, 12, 8, 4
WON_STEPS, WON_STEP = 15, 12  # in half points
TRICK_STEPS, TRICK_STEP = 8, 4  # of what lies on the table

# --- the inputs: seats are counted from the own one ----------------------------------------------------

_input = Places()
PHASE = _input(at.CLOSED)
HAND = _input(PACK_SIZE)
PLAYED = _input(at.MOST_SEATS * PACK_SIZE)
LIES = _input(PACK_SIZE)  # the cards on the table,
LYING = _input(TRICK_STEPS)  # and what they count
CHIEN = _input(PACK_SIZE)  # as it was turned
ECART = _input(PACK_SIZE)  # the taker knows it
SHOWN = _input(at.MOST_SEATS * TRUMPS)  # of a poignée, and not played yet
LACKS = _input(at.MOST_SEATS * TRUMPS)  # the lowest of the trumps that a seat has shown not to have
VOID = _input(at.MOST_SEATS * 5)
BIDS = _input(at.MOST_SEATS * BID_STEPS)
TAKER = _input(at.MOST_SEATS)
CONTRACT = _input(rule.MOST_BIDS)
ROLE = _input(len(odds.ROLES))
CALLED = _input(4)  # the suit of the called card
FRIEND = _input(at.MOST_SEATS * FRIEND_STEPS)
SECRET = _input()
LED = _input(5)
WINNING = _input(at.MOST_SEATS)
PLACE = _input(at.MOST_SEATS)
LEFT = _input(MOST_HAND)  # tricks
PLAYERS = _input(3)
CLUB = _input(at.ACTIONS)  # what the club does
LEADS = _input(at.MOST_SEATS * 5 * LEADS_SEEN)
FED = _input(at.MOST_SEATS * FED_STEPS)
WON = _input(2 * WON_STEPS)  # what the taker has won, and what the others have
BOUTS = _input(2 * TRUMPS)
OWN = _input(TRUMP_STEPS)  # trumps in the hand
HIDDEN = _input(5 * HIDDEN_STEPS)  # how many cards of each suit may be in other hands,
ABOVE = _input(5 * ABOVE_STEPS)  # and how many of them are above one's best
INPUTS = _input.end
OUTPUTS = at.ACTIONS + 1  # one that makes pairs


@tight
def note_inputs(n: Ints, s: Ints, club: int) -> int:
    """Note which inputs are on; the order of the suits. `club` is what the club does."""
    net, me, players = n[NETWORK:], s[at.TURN], n[rule.PLAYERS]
    odds.look_round(n, s, me)
    if s[at.PHASE] == at.PLAYING:
        odds.judge_sides(n, s, me)
    hand, trumps, out = s[at.SUITS + me], s[at.TRUMPS + me], s[at.OUT_SUITS]
    order = network.order_of(
        _standing(hand, out, 0), _standing(hand, out, 1), _standing(hand, out, 2), _standing(hand, out, 3)
    )
    put_none(net)
    put_one(net, PHASE + s[at.PHASE])
    put_cards(net, HAND, order, hand, trumps)
    taken, taken_trumps, defended, defended_trumps = 0, 0, 0, 0
    for turn in range(players):
        seat = (me + turn) % players
        _put_seat(net, s, order, turn, seat)
        if seat == s[at.TAKER]:
            put_one(net, TAKER + turn)
            taken, taken_trumps = s[at.WON_SUITS + seat], s[at.WON_TRUMPS + seat]
        else:
            defended |= s[at.WON_SUITS + seat]
            defended_trumps |= s[at.WON_TRUMPS + seat]
        if seat == s[at.WINNING]:
            put_one(net, WINNING + turn)
    put_steps(net, WON, pile_half_points(taken, taken_trumps) // WON_STEP, WON_STEPS)
    others = pile_half_points(defended, defended_trumps) // WON_STEP
    put_steps(net, WON + WON_STEPS, others, WON_STEPS)
    put_bits(net, BOUTS, taken_trumps & BOUTS_WORD)
    put_bits(net, BOUTS + TRUMPS, defended_trumps & BOUTS_WORD)
    lies, lying = s[at.TRICK_SUITS], s[at.TRICK_TRUMPS]
    put_cards(net, LIES, order, lies, lying)
    put_steps(net, LYING, pile_half_points(lies, lying) // TRICK_STEP, TRICK_STEPS)
    put_cards(net, CHIEN, order, s[at.CHIEN_SEEN_SUITS], s[at.CHIEN_SEEN_TRUMPS])
    if me == s[at.TAKER]:
        put_cards(net, ECART, order, s[at.ECART_SUITS], s[at.ECART_TRUMPS])
    if s[at.CONTRACT] != at.NOTHING:
        put_one(net, CONTRACT + s[at.CONTRACT])
    put_one(net, ROLE + odds.role_of(s, me))
    if s[at.CALLED] != at.NOTHING:
        put_one(net, CALLED + suit_input(order, s[at.CALLED] // 14))
        if not s[at.SIDES_PUBLIC]:
            put_one(net, SECRET)
    if s[at.PLACE] and s[at.LED] >= 0:
        put_one(net, LED + suit_input(order, s[at.LED]))
    put_one(net, PLACE + s[at.PLACE])
    put_one(net, LEFT + n[rule.HAND] - s[at.TRICK] - 1)
    put_one(net, PLAYERS + players - 3)
    put_one(net, CLUB + output_of(order, club))
    put_steps(net, OWN, count(trumps & REAL_TRUMPS), TRUMP_STEPS)
    _put_hidden(net, order, hand, trumps & REAL_TRUMPS, out, s[at.OUT_TRUMPS] & REAL_TRUMPS)
    return order


@inlined
def _standing(hand: int, out: int, suit: int) -> int:
    """By what the suits are ordered: the cards in the hand, and then those that others may have."""
    held = suit_cards(hand, suit)
    return (count(held) << 14 | held) << 4 | count(suit_cards(out, suit))


@inlined
def _put_seat(net: Ints, s: Ints, order: int, turn: int, seat: int) -> None:
    """What everybody has seen of a seat."""
    suits, trumps = s[at.PLAYED_SUITS + seat], s[at.PLAYED_TRUMPS + seat]
    put_cards(net, PLAYED + turn * PACK_SIZE, order, suits, trumps)
    shown = s[at.SHOWN_TRUMPS + seat] & ~trumps
    put_bits(net, SHOWN + turn * TRUMPS, shown)
    if s[at.LACKS + seat]:
        put_one(net, LACKS + turn * TRUMPS + lowest(s[at.LACKS + seat]))
    put_suits(net, VOID + 5 * turn, order, s[at.VOID + seat])
    put_steps(net, BIDS + turn * BID_STEPS, s[at.BIDS + seat], BID_STEPS)
    if s[at.PHASE] == at.PLAYING:
        friend = (s[at.FRIEND + seat] * FRIEND_STEPS + SURE // 2) // SURE
        put_steps(net, FRIEND + turn * FRIEND_STEPS, friend, FRIEND_STEPS)
    put_steps(net, FED + turn * FED_STEPS, s[at.FED + seat], FED_STEPS)
    for suit in range(5):
        spot = LEADS + LEADS_SEEN * (5 * turn + suit_input(order, suit))
        leads = s[at.LEADS + seat] >> (LEAD_BITS * suit) & ((1 << LEAD_BITS) - 1)
        put_steps(net, spot, leads, LEADS_SEEN)


@inlined
def _put_hidden(net: Ints, order: int, hand: int, own: int, out: int, out_trumps: int) -> None:
    """How many cards of each suit are out, and how many of them are above one's best."""
    for suit in range(5):
        held = own if suit == 4 else suit_cards(hand, suit)
        others = out_trumps if suit == 4 else suit_cards(out, suit)
        spot = suit_input(order, suit)
        put_steps(net, HIDDEN + HIDDEN_STEPS * spot, count(others), HIDDEN_STEPS)
        if held:
            above = count(others >> highest(held))
            put_steps(net, ABOVE + ABOVE_STEPS * spot, above, ABOVE_STEPS)


@inlined
def output_of(order: int, action: int) -> int:
    """Which value is that of an action."""
    return card_input(order, action) if action < at.FIRST_WORD else action


# --- the choice ----------------------------------------------------------------------------------------


def network_for(policies: Iterable[int]) -> Ints | None:
    """The network that players of these policies need in `n`, if there is a student among them."""
    if STUDENT not in policies:
        return None
    return network.read(Path(__file__).with_name("student.net"), "french", INPUTS, OUTPUTS)


@tight
def better_action(n: Ints, s: Ints, club: int) -> int:
    """What seems best, if it is better than what the club does by the margin; that if nothing is."""
    suits, trumps, words = legal(n, s)
    if s[at.PHASE] == at.SHOWING or count(suits) + count(trumps) + count(words) == 1:
        return club
    if len(n) <= NETWORK:
        raise ValueError("a student needs a network: see network_for")
    net = n[NETWORK:]
    order = note_inputs(n, s, club)
    network.think(net, s[at.TURN])
    margin = net[network.MARGIN if s[at.PHASE] == at.PLAYING else network.WORD_MARGIN]
    best, most = club, network.value_of(net, output_of(order, club)) + margin
    while suits | trumps | words:
        action = first_action(suits, trumps, words)
        suits, trumps, words = without_first(suits, trumps, words)
        value = network.value_of(net, output_of(order, action))
        if value > most:
            best, most = action, value
    return best
