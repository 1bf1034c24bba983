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
from ultimo.kernel.network import card_input, put_cards, put_one, put_steps, put_suits, suit_input
from ultimo.kernel.policy import STUDENT, SURE, is_among, suit_cards
from ultimo.play.counting import BOUTS_WORD
from ultimo.play.following import FIRST_TRUMP, PACK_SIZE, REAL_TRUMPS

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
def note_inputs(n: Ints, s: Ints, club: int) -> tuple[int, int]:
    """Note which inputs are on: their number, and the order of the suits; `club` is what the club does."""
    net, me, players = n[NETWORK:], s[at.TURN], n[rule.PLAYERS]
    odds.look_round(n, s, me)
    if s[at.PHASE] == at.PLAYING:
        odds.judge_sides(n, s, me)
    hand, trumps, out = s[at.SUITS + me], s[at.TRUMPS + me], s[at.OUT_SUITS]
    order = network.order_of(
        _standing(hand, out, 0), _standing(hand, out, 1), _standing(hand, out, 2), _standing(hand, out, 3)
    )
    on = put_one(net, 0, PHASE + s[at.PHASE])
    on = put_cards(net, on, HAND, order, hand, trumps)
    taken, taken_trumps, defended, defended_trumps = 0, 0, 0, 0
    for turn in range(players):
        seat = (me + turn) % players
        on = _put_seat(net, on, s, order, turn, seat)
        if seat == s[at.TAKER]:
            on = put_one(net, on, TAKER + turn)
            taken, taken_trumps = s[at.WON_SUITS + seat], s[at.WON_TRUMPS + seat]
        else:
            defended |= s[at.WON_SUITS + seat]
            defended_trumps |= s[at.WON_TRUMPS + seat]
        if seat == s[at.WINNING]:
            on = put_one(net, on, WINNING + turn)
    on = put_steps(net, on, WON, pile_half_points(taken, taken_trumps) // WON_STEP, WON_STEPS)
    others = pile_half_points(defended, defended_trumps) // WON_STEP
    on = put_steps(net, on, WON + WON_STEPS, others, WON_STEPS)
    on = put_cards(net, on, BOUTS - FIRST_TRUMP, order, 0, taken_trumps & BOUTS_WORD)
    on = put_cards(net, on, BOUTS + TRUMPS - FIRST_TRUMP, order, 0, defended_trumps & BOUTS_WORD)
    lies, lying = s[at.TRICK_SUITS], s[at.TRICK_TRUMPS]
    on = put_cards(net, on, LIES, order, lies, lying)
    on = put_steps(net, on, LYING, pile_half_points(lies, lying) // TRICK_STEP, TRICK_STEPS)
    on = put_cards(net, on, CHIEN, order, s[at.CHIEN_SEEN_SUITS], s[at.CHIEN_SEEN_TRUMPS])
    if me == s[at.TAKER]:
        on = put_cards(net, on, ECART, order, s[at.ECART_SUITS], s[at.ECART_TRUMPS])
    if s[at.CONTRACT] != at.NOTHING:
        on = put_one(net, on, CONTRACT + s[at.CONTRACT])
    on = put_one(net, on, ROLE + odds.role_of(s, me))
    if s[at.CALLED] != at.NOTHING:
        on = put_one(net, on, CALLED + suit_input(order, s[at.CALLED] // 14))
        if not s[at.SIDES_PUBLIC]:
            on = put_one(net, on, SECRET)
    if s[at.PLACE] and s[at.LED] >= 0:
        on = put_one(net, on, LED + suit_input(order, s[at.LED]))
    on = put_one(net, on, PLACE + s[at.PLACE])
    on = put_one(net, on, LEFT + n[rule.HAND] - s[at.TRICK] - 1)
    on = put_one(net, on, PLAYERS + players - 3)
    on = put_one(net, on, CLUB + output_of(order, club))
    on = put_steps(net, on, OWN, count(trumps & REAL_TRUMPS), TRUMP_STEPS)
    on = _put_hidden(net, on, order, hand, trumps & REAL_TRUMPS, out, s[at.OUT_TRUMPS] & REAL_TRUMPS)
    return on, order


@inlined
def _standing(hand: int, out: int, suit: int) -> int:
    """By what the suits are ordered: the cards in the hand, and then those that others may have."""
    held = suit_cards(hand, suit)
    return (count(held) << 14 | held) << 4 | count(suit_cards(out, suit))


@inlined
def _put_seat(net: Ints, on: int, s: Ints, order: int, turn: int, seat: int) -> int:
    """What everybody has seen of a seat."""
    suits, trumps = s[at.PLAYED_SUITS + seat], s[at.PLAYED_TRUMPS + seat]
    on = put_cards(net, on, PLAYED + turn * PACK_SIZE, order, suits, trumps)
    shown = s[at.SHOWN_TRUMPS + seat] & ~trumps
    on = put_cards(net, on, SHOWN + turn * TRUMPS - FIRST_TRUMP, order, 0, shown)
    if s[at.LACKS + seat]:
        on = put_one(net, on, LACKS + turn * TRUMPS + lowest(s[at.LACKS + seat]))
    on = put_suits(net, on, VOID + 5 * turn, order, s[at.VOID + seat])
    on = put_steps(net, on, BIDS + turn * BID_STEPS, s[at.BIDS + seat], BID_STEPS)
    if s[at.PHASE] == at.PLAYING:
        friend = (s[at.FRIEND + seat] * FRIEND_STEPS + SURE // 2) // SURE
        on = put_steps(net, on, FRIEND + turn * FRIEND_STEPS, friend, FRIEND_STEPS)
    on = put_steps(net, on, FED + turn * FED_STEPS, s[at.FED + seat], FED_STEPS)
    for suit in range(5):
        spot = LEADS + LEADS_SEEN * (5 * turn + suit_input(order, suit))
        leads = s[at.LEADS + seat] >> (LEAD_BITS * suit) & ((1 << LEAD_BITS) - 1)
        on = put_steps(net, on, spot, leads, LEADS_SEEN)
    return on


@inlined
def _put_hidden(net: Ints, on: int, order: int, hand: int, own: int, out: int, out_trumps: int) -> int:
    """How many cards of each suit are out, and how many of them are above one's best."""
    for suit in range(5):
        held = own if suit == 4 else suit_cards(hand, suit)
        others = out_trumps if suit == 4 else suit_cards(out, suit)
        spot = suit_input(order, suit)
        on = put_steps(net, on, HIDDEN + HIDDEN_STEPS * spot, count(others), HIDDEN_STEPS)
        if held:
            above = count(others >> highest(held))
            on = put_steps(net, on, ABOVE + ABOVE_STEPS * spot, above, ABOVE_STEPS)
    return on


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
    on, order = note_inputs(n, s, club)
    network.think(net, on)
    margin = net[network.MARGIN if s[at.PHASE] == at.PLAYING else network.WORD_MARGIN]
    best, most = club, network.value_of(net, output_of(order, club)) + margin
    for action in range(at.ACTIONS):
        if is_among(suits, trumps, words, action):
            value = network.value_of(net, output_of(order, action))
            if value > most:
                best, most = action, value
    return best
