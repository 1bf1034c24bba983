"""A student of Danish Tarok: does what the club does, or what by experience brings more.

A network (`kernel.network`) that has seen what every choice of millions of decisions would have brought says
how much better or worse than the club's each one is. Its inputs are what the place knows: cards by
height, the suits in an order of their own, so that what is learned in one suit is known in all, and the
payments of the rulebook, so that one network serves them all.
"""

from __future__ import annotations

from collections.abc import Iterable
from pathlib import Path

from ultimo.danish import numbers as rule
from ultimo.danish.following import LAST
from ultimo.kernel import network
from ultimo.kernel.arrays import ints
from ultimo.kernel.bits import count, highest
from ultimo.kernel.danish import layout as at
from ultimo.kernel.danish.deal import NETWORK, legal
from ultimo.kernel.danish.policy.odds import POINT, height_of, heights, read_table
from ultimo.kernel.jit import Ints, inlined, tight
from ultimo.kernel.layout import Places
from ultimo.kernel.network import put_card, put_cards, put_none, put_one, put_steps, put_suits, suit_input
from ultimo.kernel.policy import STUDENT, first_action, suit_cards, without_first
from ultimo.play.following import FIRST_TRUMP, PACK_SIZE, REAL_TRUMPS, SKUS_CARD

# What the rulebook pays and how it ends a deal: a parameter, what makes a step of it, and how many count.
BOOK = (
    (rule.CUPS, 1, 1),
    (rule.KING_LOST, 5, 2),
    (rule.KING_LOST_CUP, 5, 2),
    (rule.PAGAT_LOST, 5, 2),
    (rule.PAGAT_LOST_CUP, 5, 2),
    (rule.PAGAT_HOME, 5, 2),
    (rule.LAST_TRICK, 10, 4),
    (rule.ULTIMO_KING, 20, 4),
    (rule.ULTIMO_PAGAT, 20, 4),
    (rule.ULTIMO_INCLUDES_LAST, 1, 1),
    (rule.BAGUD_EXTRA_CUP, 5, 2),
    (rule.NOLO_PAY, 25, 3),
    (rule.NOLO_PREMIUM, 5, 3),
    (rule.NOLO_CANCELS_LAST, 1, 1),
    (rule.TOUT_PAY, 40, 3),
    (rule.COUNT_MODE, 1, 2),
    (rule.ALL_COUNT, 1, 1),
    (rule.LEAD_PASSES, 1, 1),
)
BOOK_PLACES, BOOK_STEPS, BOOK_MOST = map(ints, zip(*BOOK, strict=True))
EARLY = 8  # tricks in which the books ask for patience
FEW = 6  # tarokker: less than a third of them
LEADS_SEEN, TAROK_STEPS, TRICK_STEPS, CUP_STEPS, CUP_STEP, HIDDEN_STEPS, ABOVE_STEPS = 3, 12, 6, 8, 25, 8, 4

# --- the inputs ----------------------------------------------------------------------------------------

_input = Places()
PHASE = _input(at.CLOSED)
HAND = _input(PACK_SIZE)
OUT = _input(3 * PACK_SIZE)  # what this place, the next and the third have played
LIES = _input(2 * PACK_SIZE)  # the cards on the table: the next but one's, and the last
SKAT = _input(PACK_SIZE)  # the dealer knows it
HELD = _input(2 * PACK_SIZE)  # what the next and the third have declared and not played,
LACKED = _input(2 * PACK_SIZE)  # and what they have told not to have
VOID = _input(2 * 5)
LED = _input(5)
PLAYED = _input(3)
PLACE = _input(3)
NUMBER = _input(LAST)
TRICKLESS = _input(3)
NOLO = _input(3)  # who has announced it
TOUT = _input(3)
DEMANDED = _input()
SKUS_GONE = _input()
CLUB = _input(at.ACTIONS)  # what the club does
ROLE = _input(5)
LEADS = _input(3 * 5 * LEADS_SEEN)
SIGNALS = _input(2 * 4 * 2)
TAROK = _input(3 * TAROK_STEPS)  # how many this place has, and the others are thought to have
WON = _input(3 * TRICK_STEPS)
CUPS = _input(2 * CUP_STEPS)
HIDDEN = _input(5 * HIDDEN_STEPS)  # how many cards of each suit one does not see,
ABOVE = _input(5 * ABOVE_STEPS)  # and how many of them are above one's best
RULES = _input(int(sum(BOOK_MOST)))
INPUTS = _input.end
OUTPUTS = at.ACTIONS + 1  # one that makes pairs


@tight
def note_inputs(n: Ints, s: Ints, w: Ints, club: int) -> int:
    """Note which inputs are on; the order of the suits. `club` is what the club does."""
    read_table(n, s, w)
    net, me = n[NETWORK:], s[at.TURN]
    one, two = (me + 1) % 3, (me + 2) % 3
    hand = heights(s[at.SUITS + me])
    out = s[at.OUT_SUITS + me] | s[at.OUT_SUITS + one] | s[at.OUT_SUITS + two]
    order = network.order_of(
        _standing(hand, out, 0), _standing(hand, out, 1), _standing(hand, out, 2), _standing(hand, out, 3)
    )
    put_none(net)
    put_one(net, PHASE + s[at.PHASE])
    put_cards(net, HAND, order, hand, s[at.TRUMPS + me])
    for turn in range(3):
        place = (me + turn) % 3
        suits, trumps = heights(s[at.OUT_SUITS + place]), s[at.OUT_TRUMPS + place]
        put_cards(net, OUT + turn * PACK_SIZE, order, suits, trumps)
        put_steps(net, WON + turn * TRICK_STEPS, s[at.TRICKS_WON + place], TRICK_STEPS)
        if s[at.TRICKS_WON + place] == 0:
            put_one(net, TRICKLESS + turn)
        if s[at.NOLO_BEFORE + place]:
            put_one(net, NOLO + turn)
        if s[at.TOUT_BEFORE + place]:
            put_one(net, TOUT + turn)
        for suit in range(5):
            spot = LEADS + LEADS_SEEN * (5 * turn + suit_input(order, suit))
            put_steps(net, spot, s[at.LEADS + 5 * place + suit], LEADS_SEEN)
    for turn in range(2):
        place = (me + 1 + turn) % 3
        _put_other(net, s, order, turn, place)
        tarok = TAROK + (1 + turn) * TAROK_STEPS
        put_steps(net, tarok, (w[at.TAROK + turn] + POINT // 2) // POINT, TAROK_STEPS)
    put_steps(net, TAROK, count(s[at.TRUMPS + me] & REAL_TRUMPS), TAROK_STEPS)
    if s[at.PLAYED] == 2:
        put_card(net, LIES, order, by_height(s[at.LAST_CARDS]))
    if s[at.PLAYED]:
        put_card(net, LIES + PACK_SIZE, order, by_height(s[at.LAST_CARDS + s[at.PLAYED] - 1]))
        put_one(net, LED + suit_input(order, s[at.LED]))
    if me == 2:
        put_cards(net, SKAT, order, heights(s[at.SKAT_SUITS]), s[at.SKAT_TRUMPS])
    put_one(net, PLAYED + s[at.PLAYED])
    put_one(net, PLACE + me)
    put_one(net, NUMBER + s[at.NUMBER] - 1)
    if s[at.DEMANDED]:
        put_one(net, DEMANDED)
    if s[at.SKUS_GONE]:
        put_one(net, SKUS_GONE)
    put_one(net, CLUB + output_of(order, club))
    put_one(net, ROLE + w[at.ROLE])
    _put_hidden(net, order, hand, s[at.TRUMPS + me] & REAL_TRUMPS, w)
    if n[rule.CUPS]:
        put_steps(net, CUPS, s[at.KING_CUP] // CUP_STEP, CUP_STEPS)
        put_steps(net, CUPS + CUP_STEPS, s[at.PAGAT_CUP] // CUP_STEP, CUP_STEPS)
    start = RULES
    for row in range(len(BOOK_PLACES)):
        put_steps(net, start, n[BOOK_PLACES[row]] // BOOK_STEPS[row], BOOK_MOST[row])
        start += BOOK_MOST[row]
    return order


@inlined
def _standing(hand: int, out: int, suit: int) -> int:
    """By what the suits are ordered: the cards in the hand, and then those that are gone."""
    held = suit_cards(hand, suit)
    return (count(held) << 14 | held) << 4 | count(suit_cards(out, suit))


@inlined
def _put_other(net: Ints, s: Ints, order: int, turn: int, place: int) -> None:
    """What is known of another hand."""
    suits = heights(s[at.HELD_SUITS + place] & ~s[at.OUT_SUITS + place])
    trumps = s[at.HELD_TRUMPS + place] & ~s[at.OUT_TRUMPS + place]
    put_cards(net, HELD + turn * PACK_SIZE, order, suits, trumps)
    suits, trumps = heights(s[at.LACKED_SUITS + place]), s[at.LACKED_TRUMPS + place]
    put_cards(net, LACKED + turn * PACK_SIZE, order, suits, trumps)
    put_suits(net, VOID + 5 * turn, order, s[at.VOID + place])
    for suit in range(4):
        signal = s[at.SIGNAL + 4 * place + suit]
        if signal:
            spot = SIGNALS + 2 * (4 * turn + suit_input(order, suit))
            put_one(net, spot + (signal == at.TO))


@inlined
def _put_hidden(net: Ints, order: int, hand: int, tarokker: int, w: Ints) -> None:
    """How many cards of each suit are hidden, and how many of them are above one's best."""
    hidden = heights(w[at.HIDDEN_SUITS])
    for suit in range(5):
        own = tarokker if suit == 4 else suit_cards(hand, suit)
        others = w[at.HIDDEN_TRUMPS] & REAL_TRUMPS if suit == 4 else suit_cards(hidden, suit)
        spot = suit_input(order, suit)
        put_steps(net, HIDDEN + HIDDEN_STEPS * spot, count(others), HIDDEN_STEPS)
        if own:
            above = count(others >> highest(own))
            put_steps(net, ABOVE + ABOVE_STEPS * spot, above, ABOVE_STEPS)


@inlined
def by_height(card: int) -> int:
    """A card as if the pips of all suits stood as in the black ones."""
    if card >= FIRST_TRUMP:
        return card
    return card - card % 14 + height_of(card)


@inlined
def output_of(order: int, action: int) -> int:
    """Which value is that of an action: of a card, of a suit by which the skus goes, of a word."""
    if action < at.FIRST_WORD:
        return network.card_input(order, by_height(action))
    if action < at.RENAME_SKUS:
        return at.LEAD_SKUS + suit_input(order, action - at.LEAD_SKUS)
    if action < at.DECLINE:
        return at.RENAME_SKUS + suit_input(order, action - at.RENAME_SKUS)
    return action


# --- the choice ----------------------------------------------------------------------------------------


def network_for(policies: Iterable[int]) -> Ints | None:
    """The network that players of these policies need in `n`, if there is a student among them."""
    if STUDENT not in policies:
        return None
    return network.read(Path(__file__).with_name("student.net"), "danish", INPUTS, OUTPUTS)


@tight
def better_action(n: Ints, s: Ints, w: Ints, club: int) -> int:
    """What seems best, if it is better than what the club does by the margin; that if nothing is.

    What is rash must be better by the margin once more: it gains against the club, and nothing against those
    who have seen it.
    """
    suits, trumps, words = legal(n, s, w)
    if count(suits) + count(trumps) + count(words) == 1:
        return club
    if len(n) <= NETWORK:
        raise ValueError("a student needs a network: see network_for")
    net = n[NETWORK:]
    order = note_inputs(n, s, w, club)
    network.think(net, s[at.TURN])
    best = club
    margin = net[network.MARGIN if s[at.PHASE] == at.PLAY else network.WORD_MARGIN]
    most = network.value_of(net, output_of(order, club)) + margin
    while suits | trumps | words:
        action = first_action(suits, trumps, words)
        suits, trumps, words = without_first(suits, trumps, words)
        value = network.value_of(net, output_of(order, action))
        if action != club and is_rash(s, action):
            value -= margin
        if value > most:
            best, most = action, value
    return best


@inlined
def is_rash(s: Ints, action: int) -> bool:
    """Whether an early play gives away what the books keep.

    The skus is a weapon to trick 22 (F5.1), and a hand short of tarok does not lead it (F3.5).
    """
    if s[at.PHASE] != at.PLAY or s[at.NUMBER] > EARLY:
        return False
    if SKUS_CARD <= action < at.RENAME_SKUS:
        return True
    few = count(s[at.TRUMPS + s[at.TURN]] & REAL_TRUMPS) <= FEW
    return bool(s[at.PLAYED] == 0 and few and FIRST_TRUMP <= action < SKUS_CARD)
