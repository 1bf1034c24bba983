"""A Danish deal as an array of integers, and what happens to it.

The same game as `ultimo.danish`, for tables without errors, in the smallest steps: a place chooses one of
`legal`, `act` lets it happen. Places 0, 1, 2 are forehand, middle and dealer. The array begins with the facts
of `danish.outcome`, so that the settlement reads it as it is (`n` the rulebook, `s` the deal, `w` paper to
work on). Declarations are made for the players, and a
late demand for the skus, which nobody waits for, is not among the choices: all are asked before the
third-last trick.
"""

from __future__ import annotations

import numpy as np

from ultimo.cards import COURTS, KINGS
from ultimo.danish.counting import pay_count
from ultimo.danish.declarations import MADE, PAGAT_BIT, declare, declared_points
from ultimo.danish.following import LAST, THIRD_LAST, has_suit, legal_cards, winner
from ultimo.danish.last_trick import pay_last_trick
from ultimo.danish.numbers import (
    ANNOUNCING,
    DEALER_BASIS,
    DEMANDABLE,
    LEAD_PASSES,
    NEVER,
    NEVER_RENAMED,
    NOLO_WINS,
    REDEAL,
    RENAME,
    SECOND_LAST_BARRED,
    THIRD_LAST_VOLUNTARY,
    TOUT_WINS,
    numbers,
)
from ultimo.danish.outcome import (
    CHARGED,
    COUNTS,
    FACTS,
    KING_CUP,
    LAST_CARDS,
    LEADER,
    NET,
    NOBODY,
    NOLO_BEFORE,
    PAGAT_CUP,
    TABLE_SIZE,
    TOUT_BEFORE,
    TRICKS_WON,
    WINNER,
)
from ultimo.danish.payments import DECLARED, from_each, pay_ante, pay_fallen
from ultimo.danish.skat import SIZE as SKAT_SIZE
from ultimo.danish.skat import WAYS, ways_to_lay
from ultimo.kernel import NotCompilable
from ultimo.kernel.bits import count
from ultimo.kernel.chance import shuffle
from ultimo.kernel.jit import Ints, Words, inlined, tight
from ultimo.play.book import LENGTH as BOOK_LENGTH
from ultimo.play.book import NO_CARD, ROW, post
from ultimo.play.counting import honours
from ultimo.play.following import (
    FIRST_TRUMP,
    NO_SUIT,
    REAL_TRUMPS,
    SKUS_BIT,
    SKUS_CARD,
    suit_of,
)
from ultimo.rulebook import DanishRules

# --- the array -----------------------------------------------------------------------------------------

PHASE, TURN, NUMBER, LED, PLAYED, DEMANDED, SKUS_GONE, ASKED = range(FACTS, FACTS + 8)
TRICK_SUITS, TRICK_TRUMPS = FACTS + 8, FACTS + 9  # the cards on the table
SUITS = FACTS + 10  # the hands, in two words
TRUMPS = SUITS + 3
DEALT_SUITS = TRUMPS + 3
DEALT_TRUMPS = DEALT_SUITS + 3
SKAT_SUITS = DEALT_TRUMPS + 3
SKAT_TRUMPS = SKAT_SUITS + 1
LAID = SKAT_TRUMPS + 1  # how many cards lie in the skat
TOUT_LAID = LAID + 1
HONOURS = TOUT_LAID + 1  # in each pile
EMPTIED = HONOURS + 3  # cups that were taken, as a set
HAPPENED = EMPTIED + 1  # what was paid for, a bit for each code of `danish.payments`
POINTS_DECLARED = HAPPENED + 1  # what each hand was paid for declarations, by each
SIZE = POINTS_DECLARED + 3

# Paper to work on, which no deal needs to keep: payments, declarations, ways to lay, a player's thoughts,
# the pack.
BOOK = 0
MADE_AT = BOOK + BOOK_LENGTH
WAYS_AT = MADE_AT + MADE
TOUT_WAYS_AT = WAYS_AT + WAYS
THOUGHTS = TOUT_WAYS_AT + WAYS
PACK = THOUGHTS + 64
PAPER = PACK + 78

DEALING, HANDS, LAYING, ANNOUNCE, DEMAND, PLAY, NAME, CLOSED = range(8)

# --- actions: 0 … 77 are cards, played or laid ---------------------------------------------------------

FIRST_WORD = 78
LEAD_SKUS = 78  # … 82: lead the skus as spades, hearts, clubs, diamonds, tarok
RENAME_SKUS = 83  # … 87
DECLINE, DEMAND_SKUS, NOLO, TOUT, ACCEPT, DEMAND_REDEAL, LAY_TOUT = range(88, 95)
ACTIONS = 95
ALL_NAMES = 0b11111


def array_of(rules: DanishRules) -> Ints:
    """The rulebook as an array; a table at which errors can happen is not for the kernel."""
    strict = [name for name in rules.strict.__struct_fields__ if getattr(rules.strict, name) is True]
    if strict:
        raise NotCompilable(f"strict.{strict[0]}: the kernel knows no errors at the table")
    return np.array(numbers(rules), np.int64)


@inlined
def begin(n: Ints, s: Ints, w: Ints, table: int, king: int, pagat: int) -> None:
    """Open a deal: the dealer antes, and cards are to be dealt."""
    for at in range(SIZE):
        s[at] = 0
    s[KING_CUP] = king
    s[PAGAT_CUP] = pagat
    s[TABLE_SIZE] = table
    s[CHARGED] = NOBODY
    s[WINNER] = NOBODY
    s[LED] = NO_SUIT
    s[NUMBER] = 1
    book = w[BOOK:MADE_AT]
    book[0] = 0
    pay_ante(n, book)
    _post(s, w)


@tight
def deal(n: Ints, s: Ints, w: Ints, dice: Words) -> None:
    """Shuffle and deal: five at a time, forehand first, the last three to the dealer (I-3.5)."""
    pack = w[PACK:PAPER]
    for card in range(78):
        pack[card] = card
    shuffle(dice, pack)
    deal_pack(n, s, w)


@inlined
def deal_pack(n: Ints, s: Ints, w: Ints) -> None:
    """Deal the pack as it lies."""
    for place in range(3):
        s[SUITS + place] = 0
        s[TRUMPS + place] = 0
    for packet in range(16):
        place, suits, trumps = packet % 3 if packet < 15 else 2, 0, 0
        for at in range(5 * packet, min(5 * packet + 5, 78)):
            card = w[PACK + at]
            tarok = card >= FIRST_TRUMP
            bit = 1 << (card - either(tarok, FIRST_TRUMP, 0))
            suits |= either(tarok, 0, bit)
            trumps |= either(tarok, bit, 0)
        s[SUITS + place] |= suits
        s[TRUMPS + place] |= trumps
    take_up(n, s)


@inlined
def either(first: bool, one: int, other: int) -> int:
    """The one or the other, without a branch that the processor could guess wrong."""
    return other ^ ((one ^ other) & -int(first))


@inlined
def take_up(n: Ints, s: Ints) -> None:
    """The hands are dealt; those without tarok may ask for others.

    Rule: 000 Kortgivning; I-3.1, I-3.2.
    """
    s[ASKED] = 0
    for place in range(3):
        s[DEALT_SUITS + place] = s[SUITS + place]
        s[DEALT_TRUMPS + place] = s[TRUMPS + place]
        if n[REDEAL] and not s[TRUMPS + place] & REAL_TRUMPS:
            s[ASKED] |= 1 << place
    _after_asking_hands(s)


@inlined
def _after_asking_hands(s: Ints) -> None:
    if s[ASKED]:
        s[PHASE] = HANDS
        s[TURN] = _first_asked(s, 0)
    else:
        s[PHASE] = LAYING
        s[TURN] = 2


@inlined
def _first_asked(s: Ints, start: int) -> int:
    """The first place that has yet to be asked, from `start` on in order of play."""
    for turn in range(3):
        place = (start + turn) % 3
        if s[ASKED] >> place & 1:
            return place
    return NOBODY


# --- what may be done ----------------------------------------------------------------------------------


@tight
def legal(n: Ints, s: Ints, w: Ints) -> tuple[int, int, int]:
    """What the place in turn may do: cards as two words, and the other actions, a bit each from 78 on."""
    if s[PHASE] == PLAY:
        return legal_plays(n, s)
    if s[PHASE] == LAYING:
        return _legal_lays(n, s, w)
    return 0, 0, _legal_words(n, s)


@inlined
def _legal_words(n: Ints, s: Ints) -> int:
    """What may be done without a card."""
    phase, word = s[PHASE], 0
    if phase == NAME:
        word = ALL_NAMES << (RENAME_SKUS - FIRST_WORD)
    elif phase == DEMAND:
        word = 1 << (DECLINE - FIRST_WORD) | 1 << (DEMAND_SKUS - FIRST_WORD)
    elif phase == HANDS:
        word = 1 << (ACCEPT - FIRST_WORD) | 1 << (DEMAND_REDEAL - FIRST_WORD)
    elif phase == ANNOUNCE:
        word = 1 << (DECLINE - FIRST_WORD)
        if may_announce_nolo(n, s, s[TURN]):
            word |= 1 << (NOLO - FIRST_WORD)
        if may_announce_tout(n, s, s[TURN]):
            word |= 1 << (TOUT - FIRST_WORD)
    return word


@inlined
def legal_plays(n: Ints, s: Ints) -> tuple[int, int, int]:
    """The cards that may be played; a skus that is led is led under a name."""
    place = s[TURN]
    suits, trumps = legal_cards(
        s[SUITS + place],
        s[TRUMPS + place],
        s[LED],
        s[NUMBER],
        s[DEMANDED],
        n[THIRD_LAST_VOLUNTARY],
        n[SECOND_LAST_BARRED],
    )
    if s[PLAYED] == 0 and trumps & SKUS_BIT:
        return suits, trumps & REAL_TRUMPS, ALL_NAMES
    return suits, trumps, 0


@inlined
def _legal_lays(n: Ints, s: Ints, w: Ints) -> tuple[int, int, int]:
    """The next card of a skat that is laid one by one; or the word that it will hold the skus."""
    find_ways(n, s, w)
    return lays_left(s, w)


@inlined
def lays_left(s: Ints, w: Ints) -> tuple[int, int, int]:
    """What the ways to lay that have been found leave to be done next."""
    suits, trumps = 0, 0
    ways = w[WAYS_AT:TOUT_WAYS_AT]
    left = SKAT_SIZE - s[LAID]
    for way in range(ways[0]):
        at = 1 + 4 * way
        must_suits, must_trumps, may_suits, may_trumps = ways[at], ways[at + 1], ways[at + 2], ways[at + 3]
        if s[SKAT_SUITS] & ~(must_suits | may_suits) or s[SKAT_TRUMPS] & ~(must_trumps | may_trumps):
            continue
        must_suits &= ~s[SKAT_SUITS]
        must_trumps &= ~s[SKAT_TRUMPS]
        due = count(must_suits) + count(must_trumps)
        if due <= left:
            suits |= must_suits
            trumps |= must_trumps
        if due < left:
            suits |= may_suits & ~s[SKAT_SUITS]
            trumps |= may_trumps & ~s[SKAT_TRUMPS]
    word = 0
    if s[LAID] == 0 and not s[TOUT_LAID] and w[TOUT_WAYS_AT]:
        word = 1 << (LAY_TOUT - FIRST_WORD)
    return suits, trumps, word


@tight
def find_ways(n: Ints, s: Ints, w: Ints) -> None:
    """Note the ways to lay, and beside them those with the skus."""
    suits, trumps = s[DEALT_SUITS + 2], s[DEALT_TRUMPS + 2]
    made = w[MADE_AT:WAYS_AT]
    ways_to_lay(n, suits, trumps, s[TOUT_LAID] != 0, w[WAYS_AT:TOUT_WAYS_AT], made)
    ways_to_lay(n, suits, trumps, True, w[TOUT_WAYS_AT:PACK], made)


@inlined
def may_announce_nolo(n: Ints, s: Ints, place: int) -> bool:
    """Whether a place may announce nolo before this trick: without a trick so far (003 SPILLET; I-9.15)."""
    if s[NOLO_BEFORE + place] or s[TOUT_BEFORE + place]:
        return False
    return bool(n[NOLO_WINS + s[NUMBER]] != NEVER and s[TRICKS_WON + place] == 0)


@inlined
def may_announce_tout(n: Ints, s: Ints, place: int) -> bool:
    """Whether a place may announce tout before this trick: with all tricks so far (003 SPILLET; I-9.15)."""
    if s[NOLO_BEFORE + place] or s[TOUT_BEFORE + place]:
        return False
    return bool(n[TOUT_WINS + s[NUMBER]] != NEVER and s[TRICKS_WON + place] == s[NUMBER] - 1)


# --- what happens --------------------------------------------------------------------------------------


@inlined
def act(n: Ints, s: Ints, w: Ints, action: int) -> None:
    """Let the place in turn do one of its legal actions."""
    if s[PHASE] == PLAY:
        play(n, s, w, action)
    elif s[PHASE] == LAYING:
        lay(n, s, w, action)
    else:
        _speak(n, s, action)


@inlined
def _speak(n: Ints, s: Ints, action: int) -> None:
    """What is done without a card."""
    phase = s[PHASE]
    if phase == NAME:
        s[LED] = action - RENAME_SKUS
        s[PHASE] = PLAY
    elif phase == HANDS:
        if action == DEMAND_REDEAL:
            s[PHASE] = DEALING
        else:
            s[ASKED] &= ~(1 << s[TURN])
            _after_asking_hands(s)
    elif phase == ANNOUNCE:
        _announce(n, s, action)
    elif phase == DEMAND:
        s[DEMANDED] |= action == DEMAND_SKUS
        s[ASKED] &= ~(1 << s[TURN])
        s[TURN] = _first_asked(s, 0)
        if s[TURN] == NOBODY:
            s[PHASE] = PLAY
            s[TURN] = s[LEADER]


@tight
def lay(n: Ints, s: Ints, w: Ints, action: int) -> None:
    """One card goes into the skat; with the third the declarations are made and the play begins."""
    if action == LAY_TOUT:
        s[TOUT_LAID] = 1
        return
    if action < FIRST_TRUMP:
        s[SKAT_SUITS] |= 1 << action
        s[SUITS + 2] &= ~(1 << action)
    else:
        s[SKAT_TRUMPS] |= 1 << (action - FIRST_TRUMP)
        s[TRUMPS + 2] &= ~(1 << (action - FIRST_TRUMP))
    s[LAID] += 1
    if s[LAID] < SKAT_SIZE:
        return
    s[SKUS_GONE] = s[TOUT_LAID]
    if s[TOUT_LAID] and n[TOUT_WINS + 1] != NEVER:
        s[TOUT_BEFORE + 2] = 1
    _declare(n, s, w)
    s[LEADER] = 0
    before_trick(n, s)


@inlined
def _declare(n: Ints, s: Ints, w: Ints) -> None:
    """Dealer, forehand, middle: each is paid for what his hand must declare.

    Rule: 000 Meldinger, Før spillet; I-5.1, I-5.7.
    """
    book, made = w[BOOK:MADE_AT], w[MADE_AT:WAYS_AT]
    book[0] = 0
    for turn in range(3):
        place = (turn + 2) % 3
        if place == 2 and n[DEALER_BASIS] == 25:
            declare(n, s[SUITS + 2], s[TRUMPS + 2], made)
        else:
            declare(n, s[DEALT_SUITS + place], s[DEALT_TRUMPS + place], made)
        for row in range(made[0]):
            points = declared_points(n, made[1 + 3 * row], made[2 + 3 * row])
            s[POINTS_DECLARED + place] += points
            from_each(book, place, points, DECLARED, NO_CARD)
    _post(s, w)


@inlined
def before_trick(n: Ints, s: Ints) -> None:
    """The phase in which a new trick begins: announcements, then the demand, then the lead."""
    if n[ANNOUNCING] and _ask_for_announcements(n, s):
        return
    _before_lead(n, s)


@inlined
def _ask_for_announcements(n: Ints, s: Ints) -> bool:
    """Ask those who may announce before this trick, if there are any."""
    s[ASKED] = 0
    for place in range(3):
        if may_announce_nolo(n, s, place) or may_announce_tout(n, s, place):
            s[ASKED] |= 1 << place
    if s[ASKED] == 0:
        return False
    s[PHASE] = ANNOUNCE
    s[TURN] = _first_asked(s, s[LEADER])
    return True


@inlined
def _before_lead(n: Ints, s: Ints) -> None:
    """The lead; in the third-last trick, where the skus can be demanded, the question who does."""
    s[PHASE] = PLAY
    s[TURN] = s[LEADER]
    if s[NUMBER] == THIRD_LAST and n[DEMANDABLE] and not s[SKUS_GONE]:
        _ask_for_demands(s)


@inlined
def _ask_for_demands(s: Ints) -> None:
    """Ask who demands the skus; its holder is not asked."""
    s[PHASE] = DEMAND
    s[ASKED] = 0
    for place in range(3):
        if not s[TRUMPS + place] & SKUS_BIT:
            s[ASKED] |= 1 << place
    s[TURN] = _first_asked(s, 0)


@inlined
def _announce(n: Ints, s: Ints, action: int) -> None:
    place = s[TURN]
    if action == NOLO:
        s[NOLO_BEFORE + place] = s[NUMBER]
    elif action == TOUT:
        s[TOUT_BEFORE + place] = s[NUMBER]
    s[ASKED] &= ~(1 << place)
    s[TURN] = _first_asked(s, s[LEADER])
    if s[TURN] == NOBODY:
        _before_lead(n, s)


@inlined
def play(n: Ints, s: Ints, w: Ints, action: int) -> None:
    """A card falls; a led skus may have to be renamed, and the third card ends the trick."""
    place = s[TURN]
    card = min(action, SKUS_CARD)
    if card < FIRST_TRUMP:
        s[SUITS + place] ^= 1 << card
        s[TRICK_SUITS] |= 1 << card
    else:
        s[TRUMPS + place] ^= 1 << (card - FIRST_TRUMP)
        s[TRICK_TRUMPS] |= 1 << (card - FIRST_TRUMP)
    played = s[PLAYED]
    s[LAST_CARDS + played] = card
    s[PLAYED] = played + 1
    if card == SKUS_CARD:
        s[SKUS_GONE] = 1
    if s[LED] == NO_SUIT:
        s[LED] = action - LEAD_SKUS if action >= LEAD_SKUS else suit_of(card)
    if played == 2:
        finish(n, s, w)
        return
    s[TURN] = (place + 1) % 3
    if action >= LEAD_SKUS:
        _skus_led(n, s)


@inlined
def _skus_led(n: Ints, s: Ints) -> None:
    """The next hand names the skus anew where nobody has the suit (rules B7, steps 2 and 3)."""
    first, second = s[TURN], (s[TURN] + 1) % 3
    if (
        n[RENAME] != NEVER_RENAMED
        and not has_suit(s[SUITS + first], s[TRUMPS + first], s[LED])
        and not has_suit(s[SUITS + second], s[TRUMPS + second], s[LED])
    ):
        s[PHASE] = NAME


@tight
def finish(n: Ints, s: Ints, w: Ints) -> None:
    """The trick goes to its winner, and a skus before the last trick back to its player."""
    first, second, third = s[LAST_CARDS], s[LAST_CARDS + 1], s[LAST_CARDS + 2]
    leader = s[LEADER]
    won = (leader + winner(first, second, third, s[LED])) % 3
    suits, trumps = s[TRICK_SUITS], s[TRICK_TRUMPS]
    s[TRICKS_WON + won] += 1
    s[TRICK_SUITS] = 0
    s[TRICK_TRUMPS] = 0
    s[PLAYED] = 0
    s[LED] = NO_SUIT
    if s[NUMBER] == LAST:
        s[WINNER] = won
        s[HONOURS + won] += honours(suits, trumps)
        close(n, s, w)
        return
    if trumps & SKUS_BIT:
        s[HONOURS + _player_of_skus(s)] += honours(0, SKUS_BIT)
        trumps &= REAL_TRUMPS
    if suits & COURTS or trumps:
        s[HONOURS + won] += honours(suits, trumps)
    if suits & KINGS or trumps & PAGAT_BIT:
        pay_trick(n, s, w, won)
    s[NUMBER] += 1
    s[LEADER] = won
    before_trick(n, s)
    if s[NUMBER] == LAST and n[LEAD_PASSES] and not s[SUITS + won] and s[TRUMPS + won] == SKUS_BIT:
        s[LEADER] = (won + 1) % 3  # 004 OM SCUSEN; I-7.10
        if s[PHASE] == PLAY:
            s[TURN] = s[LEADER]


@inlined
def _player_of_skus(s: Ints) -> int:
    """Who played the skus to this trick, and gets it back."""
    turn = 0
    while s[LAST_CARDS + turn] != SKUS_CARD:
        turn += 1
    return int(s[LEADER] + turn) % 3


@tight
def pay_trick(n: Ints, s: Ints, w: Ints, won: int) -> None:
    """Kings and the pagat in a trick before the last."""
    book = w[BOOK:MADE_AT]
    book[0] = 0
    for turn in range(3):
        pay_fallen(n, book, (s[LEADER] + turn) % 3, s[LAST_CARDS + turn], won, 0)
    _post(s, w)


@tight
def close(n: Ints, s: Ints, w: Ints) -> None:
    """Settle the last trick and the count."""
    for place in range(3):
        s[COUNTS + place] = s[TRICKS_WON + place] + s[HONOURS + place]
    s[COUNTS + 2] += 1 + honours(s[SKAT_SUITS], s[SKAT_TRUMPS])
    book = w[BOOK:MADE_AT]
    book[0] = 0
    s[EMPTIED] = pay_last_trick(n, s, book)
    pay_count(n, s, book)
    _post(s, w)
    s[PHASE] = CLOSED


@inlined
def _post(s: Ints, w: Ints) -> None:
    """Pay what stands in the book, and remember what it was for."""
    book = w[BOOK:MADE_AT]
    post(book, s, NET)
    for row in range(book[0]):
        s[HAPPENED] |= 1 << book[4 + ROW * row]
