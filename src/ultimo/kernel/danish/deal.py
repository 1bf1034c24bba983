"""A Danish deal as an array of integers, and what happens to it.

The same game as `ultimo.danish`, for tables without errors, in the smallest steps: a place chooses one of
`legal`, `act` lets it happen. Places 0, 1, 2 are forehand, middle and dealer. The array begins with the facts
of `danish.outcome`, so that the settlement reads it as it is (`n` the rulebook, `s` the deal, `w` paper to
work on). Declarations are made for the players, and a
late demand for the skus, which nobody waits for, is not among the choices: all are asked before the
third-last trick.
"""

from __future__ import annotations

from ultimo.cards import KINGS, SUITS_WORD
from ultimo.danish import numbers as rule
from ultimo.danish import phases
from ultimo.danish.counting import pay_count
from ultimo.danish.dealing import HAND
from ultimo.danish.declarations import PAGAT_BIT, declare, declared_points
from ultimo.danish.following import LAST, has_suit, legal_cards, winner
from ultimo.danish.last_trick import pay_last_trick
from ultimo.danish.numbers import numbers
from ultimo.danish.payments import DECLARED, from_each, pay_ante
from ultimo.danish.skat import SIZE as SKAT_SIZE
from ultimo.danish.skat import ways_to_lay
from ultimo.kernel import NotCompilable
from ultimo.kernel.arrays import ints, joined
from ultimo.kernel.bits import count
from ultimo.kernel.danish import layout as at
from ultimo.kernel.danish.prices import LENGTH, pay_card, prices
from ultimo.kernel.danish.weights import WEIGHTS
from ultimo.kernel.dice import shuffle
from ultimo.kernel.jit import Ints, Words, always_inlined, inlined, tight
from ultimo.kernel.sets import ALL_TRUMPS, cards_at, move
from ultimo.play.book import NO_CARD, post
from ultimo.play.counting import honours
from ultimo.play.following import NO_SUIT, PACK_SIZE, REAL_TRUMPS, SKUS_BIT, SKUS_CARD, suit_of
from ultimo.rulebook import DanishRules

# Where in the pack the cards of forehand lie, and behind them those of the middle hand.
DEALT_TO = ints(
    spot for place in range(2) for spot in range(PACK_SIZE) if phases.receiver(spot // phases.PACKET) == place
)

NETWORK = LENGTH  # where a student's network begins in `n`


def array_of(rules: DanishRules, net: Ints | None = None) -> Ints:
    """The rulebook as an array, weights and prices behind it, and the network with which a student thinks.

    A table with errors is not for the kernel.
    """
    strict = [name for name in rules.strict.__struct_fields__ if getattr(rules.strict, name) is True]
    if strict:
        raise NotCompilable(f"strict.{strict[0]}: the kernel knows no errors at the table")
    n = ints((*numbers(rules), *WEIGHTS, *prices(rules)))
    return n if net is None else joined(n, net)


@inlined
def begin(n: Ints, s: Ints, w: Ints, table: int, king: int, pagat: int) -> None:
    """Open a deal: the dealer antes, and cards are to be dealt."""
    for spot in range(at.SIZE):
        s[spot] = 0
    s[at.KING_CUP] = king
    s[at.PAGAT_CUP] = pagat
    s[at.TABLE_SIZE] = table
    s[at.CHARGED] = at.NOBODY
    s[at.WINNER] = at.NOBODY
    s[at.LED] = NO_SUIT
    s[at.NUMBER] = 1
    book = w[at.BOOK : at.MADE_AT]
    book[0] = 0
    pay_ante(n, book)
    _post(s, w)


@tight
def deal(n: Ints, s: Ints, w: Ints, dice: Words) -> None:
    """Shuffle and deal."""
    pack = w[at.PACK : at.PAPER]
    shuffle(dice, pack)
    deal_pack(n, s, pack)


@inlined
def deal_pack(n: Ints, s: Ints, pack: Ints) -> None:
    """Deal the pack as it lies; what two have not got has the third."""
    s[at.SUITS + 2] = SUITS_WORD
    s[at.TRUMPS + 2] = ALL_TRUMPS
    for place in range(2):
        suits, trumps = cards_at(pack, DEALT_TO[HAND * place : HAND * (place + 1)])
        s[at.SUITS + place] = suits
        s[at.TRUMPS + place] = trumps
        s[at.SUITS + 2] ^= suits
        s[at.TRUMPS + 2] ^= trumps
    take_up(n, s)


@inlined
def take_up(n: Ints, s: Ints) -> None:
    """The hands are dealt, and some may ask for others."""
    s[at.ASKED] = 0
    for place in range(3):
        s[at.DEALT_SUITS + place] = s[at.SUITS + place]
        s[at.DEALT_TRUMPS + place] = s[at.TRUMPS + place]
        if phases.may_ask_for_redeal(n, s[at.TRUMPS + place]):
            s[at.ASKED] |= 1 << place
    _after_asking_hands(s)


@inlined
def _after_asking_hands(s: Ints) -> None:
    if s[at.ASKED]:
        s[at.PHASE] = at.HANDS
        s[at.TURN] = _first_asked(s, 0)
    else:
        s[at.PHASE] = at.LAYING
        s[at.TURN] = 2


@inlined
def _first_asked(s: Ints, start: int) -> int:
    """The first place that has yet to be asked, from `start` on in order of play."""
    for turn in range(3):
        place = (start + turn) % 3
        if s[at.ASKED] >> place & 1:
            return place
    return at.NOBODY


# --- what may be done ----------------------------------------------------------------------------------


@tight
def legal(n: Ints, s: Ints, w: Ints) -> tuple[int, int, int]:
    """What the place in turn may do: cards as two words, and the other actions, a bit each from 78 on."""
    if s[at.PHASE] == at.PLAY:
        return legal_plays(n, s)
    if s[at.PHASE] == at.LAYING:
        return _legal_lays(n, s, w)
    return 0, 0, _legal_words(n, s)


@inlined
def _legal_words(n: Ints, s: Ints) -> int:
    """What may be done without a card."""
    phase, word = s[at.PHASE], 0
    if phase == at.NAME:
        word = at.ALL_NAMES << (at.RENAME_SKUS - at.FIRST_WORD)
    elif phase == at.DEMAND:
        word = 1 << (at.DECLINE - at.FIRST_WORD) | 1 << (at.DEMAND_SKUS - at.FIRST_WORD)
    elif phase == at.HANDS:
        word = 1 << (at.ACCEPT - at.FIRST_WORD) | 1 << (at.DEMAND_REDEAL - at.FIRST_WORD)
    elif phase == at.ANNOUNCE:
        word = 1 << (at.DECLINE - at.FIRST_WORD)
        word |= announceable(n, s, s[at.TURN]) << (at.NOLO - at.FIRST_WORD)  # nolo, and after it tout
    return word


@inlined
def legal_plays(n: Ints, s: Ints) -> tuple[int, int, int]:
    """The cards that may be played; a skus that is led is led under a name."""
    place = s[at.TURN]
    suits, trumps = legal_cards(
        n, s[at.SUITS + place], s[at.TRUMPS + place], s[at.LED], s[at.NUMBER], s[at.DEMANDED] != 0
    )
    if s[at.PLAYED] == 0 and trumps & SKUS_BIT:
        return suits, trumps & REAL_TRUMPS, at.ALL_NAMES
    return suits, trumps, 0


@inlined
def _legal_lays(n: Ints, s: Ints, w: Ints) -> tuple[int, int, int]:
    """The next card of a skat that is laid one by one; or the word that it will hold the skus."""
    find_ways(n, s, w)
    suits, trumps = 0, 0
    ways = w[at.WAYS_AT : at.TOUT_WAYS_AT]
    left = SKAT_SIZE - s[at.LAID]
    for spot in range(1, 1 + 4 * ways[0], 4):
        must_suits, must_trumps = ways[spot], ways[spot + 1]
        may_suits, may_trumps = ways[spot + 2], ways[spot + 3]
        if s[at.SKAT_SUITS] & ~(must_suits | may_suits) or s[at.SKAT_TRUMPS] & ~(must_trumps | may_trumps):
            continue
        must_suits &= ~s[at.SKAT_SUITS]
        must_trumps &= ~s[at.SKAT_TRUMPS]
        due = count(must_suits) + count(must_trumps)
        if due <= left:
            suits |= must_suits
            trumps |= must_trumps
        if due < left:
            suits |= may_suits & ~s[at.SKAT_SUITS]
            trumps |= may_trumps & ~s[at.SKAT_TRUMPS]
    word = 0
    if s[at.LAID] == 0 and not s[at.TOUT_LAID] and w[at.TOUT_WAYS_AT]:
        word = 1 << (at.LAY_TOUT - at.FIRST_WORD)
    return suits, trumps, word


@tight
def find_ways(n: Ints, s: Ints, w: Ints) -> None:
    """Note the ways to lay, and beside them those with the skus."""
    suits, trumps = s[at.DEALT_SUITS + 2], s[at.DEALT_TRUMPS + 2]
    made = w[at.MADE_AT : at.WAYS_AT]
    ways_to_lay(n, suits, trumps, s[at.TOUT_LAID] != 0, w[at.WAYS_AT : at.TOUT_WAYS_AT], made)
    ways_to_lay(n, suits, trumps, True, w[at.TOUT_WAYS_AT : at.THOUGHTS], made)


@inlined
def announceable(n: Ints, s: Ints, place: int) -> int:
    """What a place may announce before this trick."""
    spoken = s[at.NOLO_BEFORE + place] + s[at.TOUT_BEFORE + place] != 0
    return phases.announceable(n, s[at.NUMBER], s[at.TRICKS_WON + place], spoken)


# --- what happens --------------------------------------------------------------------------------------


@inlined
def act(n: Ints, s: Ints, w: Ints, action: int) -> None:
    """Let the place in turn do one of its legal actions."""
    if s[at.PHASE] == at.PLAY:
        play(n, s, w, action)
    elif s[at.PHASE] == at.LAYING:
        lay(n, s, w, action)
    else:
        _speak(n, s, action)


@inlined
def _speak(n: Ints, s: Ints, action: int) -> None:
    """What is done without a card."""
    phase = s[at.PHASE]
    if phase == at.NAME:
        s[at.LED] = action - at.RENAME_SKUS
        s[at.PHASE] = at.PLAY
    elif phase == at.HANDS:
        if action == at.DEMAND_REDEAL:
            s[at.PHASE] = at.DEALING
        else:
            s[at.ASKED] &= ~(1 << s[at.TURN])
            _after_asking_hands(s)
    elif phase == at.ANNOUNCE:
        _announce(n, s, action)
    elif phase == at.DEMAND:
        s[at.DEMANDED] |= action == at.DEMAND_SKUS
        s[at.ASKED] &= ~(1 << s[at.TURN])
        s[at.TURN] = _first_asked(s, 0)
        if s[at.TURN] == at.NOBODY:
            s[at.PHASE] = at.PLAY
            s[at.TURN] = s[at.LEADER]


@inlined
def lay(n: Ints, s: Ints, w: Ints, action: int) -> None:
    """One card goes into the skat, and the third is the last; or it is said that it will hold the skus."""
    put_down(s, action)
    if s[at.LAID] == SKAT_SIZE:
        _begin_play(n, s, w)


@tight
def _begin_play(n: Ints, s: Ints, w: Ints) -> None:
    """The skat has been laid: the declarations are made, and the first trick begins."""
    s[at.SKUS_GONE] = s[at.TOUT_LAID]
    if s[at.TOUT_LAID] and n[rule.TOUT_WINS + 1] != rule.NEVER:
        s[at.TOUT_BEFORE + 2] = 1
    _declare(n, s, w)
    s[at.LEADER] = 0
    before_trick(n, s)


@inlined
def put_down(s: Ints, action: int) -> None:
    """One card goes into the skat, or it is said that the skus will lie there."""
    if action == at.LAY_TOUT:
        s[at.TOUT_LAID] = 1
        return
    move(s, at.SUITS + 2, at.TRUMPS + 2, at.SKAT_SUITS, at.SKAT_TRUMPS, action)
    s[at.LAID] += 1


@inlined
def _declare(n: Ints, s: Ints, w: Ints) -> None:
    """Each in turn is paid for what their hand must declare."""
    book, made = w[at.BOOK : at.MADE_AT], w[at.MADE_AT : at.WAYS_AT]
    book[0] = 0
    for place in phases.DECLARING:
        suits, trumps = declared_hand(n, s, place)
        declare(n, suits, trumps, made)
        for row in range(made[0]):
            points = declared_points(n, made[1 + 3 * row], made[2 + 3 * row])
            s[at.POINTS_DECLARED + place] += points
            from_each(book, place, points, DECLARED, NO_CARD)
    _post(s, w)


@inlined
def declared_hand(n: Ints, s: Ints, place: int) -> tuple[int, int]:
    """The cards on which a place declares."""
    if place == 2 and not phases.declares_on_skat(n):
        return s[at.SUITS + 2], s[at.TRUMPS + 2]
    return s[at.DEALT_SUITS + place], s[at.DEALT_TRUMPS + place]


@inlined
def before_trick(n: Ints, s: Ints) -> None:
    """A new trick: what comes first before it."""
    if n[rule.ANNOUNCING] and phases.window(n, s[at.NUMBER]):
        for place in range(3):
            if announceable(n, s, place):
                s[at.ASKED] |= 1 << place
    _go_on(n, s, phases.ANNOUNCEMENTS)


@inlined
def _go_on(n: Ints, s: Ints, past: int) -> None:
    """Go to the next step before a trick, when so many are over."""
    step = phases.comes_next(n, s[at.NUMBER], past, s[at.ASKED] != 0, s[at.SKUS_GONE] != 0)
    if step == phases.LEAD:
        s[at.PHASE] = at.PLAY
        s[at.TURN] = s[at.LEADER]
    elif step == phases.DEMANDS:
        _ask_for_demands(s)
    else:
        s[at.PHASE] = at.ANNOUNCE
        s[at.TURN] = _first_asked(s, s[at.LEADER])


@inlined
def _ask_for_demands(s: Ints) -> None:
    """Ask those who may demand the skus."""
    s[at.PHASE] = at.DEMAND
    for place in range(3):
        if phases.may_demand(s[at.TRUMPS + place]):
            s[at.ASKED] |= 1 << place
    s[at.TURN] = _first_asked(s, 0)


@inlined
def _announce(n: Ints, s: Ints, action: int) -> None:
    place = s[at.TURN]
    if action == at.NOLO:
        s[at.NOLO_BEFORE + place] = s[at.NUMBER]
    elif action == at.TOUT:
        s[at.TOUT_BEFORE + place] = s[at.NUMBER]
    s[at.ASKED] &= ~(1 << place)
    s[at.TURN] = _first_asked(s, s[at.LEADER])
    if s[at.TURN] == at.NOBODY:
        _go_on(n, s, phases.DEMANDS)


@inlined
def play(n: Ints, s: Ints, w: Ints, action: int) -> None:
    """A card falls; a led skus may have to be renamed, and the third card ends the trick."""
    place = s[at.TURN]
    card = min(action, SKUS_CARD)
    move(s, at.SUITS + place, at.TRUMPS + place, at.TRICK_SUITS, at.TRICK_TRUMPS, card)
    played = s[at.PLAYED]
    s[at.LAST_CARDS + played] = card
    s[at.PLAYED] = played + 1
    if card == SKUS_CARD:
        s[at.SKUS_GONE] = 1
    if s[at.LED] == NO_SUIT:
        s[at.LED] = action - at.LEAD_SKUS if action >= at.LEAD_SKUS else suit_of(card)
    if played == 2:
        finish(n, s, w)
        return
    s[at.TURN] = (place + 1) % 3
    if action >= at.LEAD_SKUS:
        _skus_led(n, s)


@inlined
def _skus_led(n: Ints, s: Ints) -> None:
    """The next hand may have to name the skus anew."""
    first, second = s[at.TURN], (s[at.TURN] + 1) % 3
    next_has = has_suit(s[at.SUITS + first], s[at.TRUMPS + first], s[at.LED])
    third_has = has_suit(s[at.SUITS + second], s[at.TRUMPS + second], s[at.LED])
    if phases.is_renamed(n, next_has, third_has):
        s[at.PHASE] = at.NAME


@tight
def finish(n: Ints, s: Ints, w: Ints) -> None:
    """The third card has fallen, and the trick goes to its winner."""
    first, second, third = s[at.LAST_CARDS], s[at.LAST_CARDS + 1], s[at.LAST_CARDS + 2]
    won = (s[at.LEADER] + winner(first, second, third, s[at.LED])) % 3
    suits, trumps = s[at.TRICK_SUITS], s[at.TRICK_TRUMPS]
    s[at.TRICK_SUITS] = 0
    s[at.TRICK_TRUMPS] = 0
    s[at.PLAYED] = 0
    s[at.LED] = NO_SUIT
    take_trick(n, s, w, won, suits, trumps)


@always_inlined
def take_trick(n: Ints, s: Ints, w: Ints, won: int, suits: int, trumps: int) -> None:
    """A trick is won; the skus may go back to its player, and after the last one the deal is settled."""
    number = s[at.NUMBER]
    s[at.TRICKS_WON + won] += 1
    if trumps & SKUS_BIT and phases.skus_goes_home(number):
        s[at.HONOURS + _player_of_skus(s)] += honours(0, SKUS_BIT)
        trumps &= REAL_TRUMPS
    s[at.HONOURS + won] += honours(suits, trumps)
    if number == LAST:
        s[at.WINNER] = won
        close(n, s, w)
        return
    if suits & KINGS or trumps & PAGAT_BIT:
        for turn in range(3):
            pay_card(n, s, (s[at.LEADER] + turn) % 3, s[at.LAST_CARDS + turn], won)
    s[at.NUMBER] = number + 1
    s[at.LEADER] = won
    before_trick(n, s)
    if phases.lead_passes(n, number + 1, s[at.SUITS + won], s[at.TRUMPS + won]):
        s[at.LEADER] = (won + 1) % 3
        if s[at.PHASE] == at.PLAY:
            s[at.TURN] = s[at.LEADER]


@inlined
def _player_of_skus(s: Ints) -> int:
    """Who played the skus to this trick, and gets it back."""
    turn = 0
    while s[at.LAST_CARDS + turn] != SKUS_CARD:
        turn += 1
    return int(s[at.LEADER] + turn) % 3


@tight
def close(n: Ints, s: Ints, w: Ints) -> None:
    """Settle the last trick and the count."""
    for place in range(3):
        s[at.COUNTS + place] = s[at.TRICKS_WON + place] + s[at.HONOURS + place]
    s[at.COUNTS + 2] += phases.skat_points(s[at.SKAT_SUITS], s[at.SKAT_TRUMPS])
    book = w[at.BOOK : at.MADE_AT]
    book[0] = 0
    s[at.EMPTIED] = pay_last_trick(n, s, book)
    pay_count(n, s, book)
    _post(s, w)
    s[at.PHASE] = at.CLOSED


@inlined
def _post(s: Ints, w: Ints) -> None:
    """Pay what stands in the book, and remember what it was for."""
    s[at.HAPPENED] |= post(w[at.BOOK : at.MADE_AT], s, at.NET)
