"""A French deal over an array of integers: dealt, bid, called, laid, announced, shown, played and settled.

The rules are those of `french`, compiled; here is only the order of things. `legal` says what may be done,
`act` does it and trusts that it is legal. Every deal comes from a shuffled pack: to pick the cards up and cut
them instead is a matter of a series of deals, and of the table.
"""

from __future__ import annotations

from ultimo.french.following import legal_cards
from ultimo.french.numbers import (
    BIDS,
    CALLS,
    CHIEN,
    CHIEN_GOES,
    CHIEN_TAKEN,
    PLAYERS,
    POIGNEE_SIZE,
    POIGNEES,
)
from ultimo.french.offering import (
    asked_after,
    barred_suits,
    callable_suits,
    can_show,
    layable,
    showable,
    shown_sets,
)
from ultimo.french.reckoning import poignee_worth, poignees_together
from ultimo.kernel import french_deal_state as at
from ultimo.kernel.bits import count
from ultimo.kernel.french_deal_start import array_of, blank, close, deal
from ultimo.kernel.french_deal_tricks import play, top
from ultimo.kernel.jit import Ints, inlined, tight
from ultimo.play.following import FIRST_TRUMP, SKUS_BIT

__all__ = ["act", "array_of", "blank", "deal", "legal"]


# --- what may be done ----------------------------------------------------------------------------------


@tight
def legal(n: Ints, s: Ints) -> tuple[int, int, int]:
    """What the seat whose turn it is may do: cards in two words, and the other choices in a third."""
    phase, seat = s[at.PHASE], s[at.TURN]
    if phase == at.PLAYING:
        number = s[at.TRICK]
        barred = barred_suits(n, s[at.CALLED], number, s[at.PLACE])
        suits, trumps = legal_cards(
            s[at.SUITS + seat], s[at.TRUMPS + seat], s[at.LED], top(s[at.HEIGHT]), barred
        )
        return suits, trumps, poignees(n, s) if number == 0 else 0
    if phase == at.LAYING:
        must, suits, trumps = layable_now(n, s)
        return (must, 0, 0) if must else (suits, trumps, 0)
    if phase == at.BIDDING:
        lowest_bid = at.BID - at.FIRST_WORD + s[at.CONTRACT] + 1
        all_bids = (1 << (at.BID - at.FIRST_WORD + n[BIDS])) - 1
        return 0, 0, 1 | (all_bids >> lowest_bid << lowest_bid)
    if phase == at.SLAM_ASKED:
        return 0, 0, 1 << (at.DECLINE - at.FIRST_WORD) | 1 << (at.SLAM - at.FIRST_WORD)
    if phase == at.CALLING:
        return callable_suits(n, s[at.SUITS + seat]), 0, 0
    if phase == at.SHOWING:
        return 0, to_show(n, s) & ~s[at.SHOWN_TRUMPS + seat], 0
    return 0, 0, 0


@inlined
def layable_now(n: Ints, s: Ints) -> tuple[int, int, int]:
    """What the taker may lay next; what is laid already counts as in his hand."""
    seat = s[at.TAKER]
    laid_suits, laid_trumps = s[at.ECART_SUITS], s[at.ECART_TRUMPS]
    must, suits, trumps = layable(n, s[at.SUITS + seat] | laid_suits, s[at.TRUMPS + seat] | laid_trumps)
    return must & ~laid_suits, suits & ~laid_suits, trumps & ~laid_trumps


@inlined
def to_show(n: Ints, s: Ints) -> int:
    """The trumps that the seat whose turn it is may show."""
    seat = s[at.TURN]
    return showable(n, s[at.TRUMPS + seat], s[at.ECART_TRUMPS], seat == s[at.TAKER])


@inlined
def poignees(n: Ints, s: Ints) -> int:
    """The poignées that the seat whose turn it is may show before its first card; one at most."""
    seat = s[at.TURN]
    if s[at.SHOWN_SIZE + seat]:
        return 0
    trumps, with_excuse = to_show(n, s), s[at.TRUMPS + seat] & SKUS_BIT != 0
    words = 0
    for kind in range(n[POIGNEES]):
        if not can_show(trumps, with_excuse, n[POIGNEE_SIZE + kind]):
            break  # the sizes ascend
        words |= 1 << (at.SHOW - at.FIRST_WORD + kind)
    return words


# --- doing it ------------------------------------------------------------------------------------------


@tight
def act(n: Ints, s: Ints, action: int) -> None:
    """Let the seat whose turn it is do what is legal, with all that follows."""
    phase = s[at.PHASE]
    if phase == at.PLAYING:
        if action < at.FIRST_WORD:
            play(n, s, action)
        else:
            show(n, s, action - at.SHOW)
    elif phase == at.LAYING:
        lay(n, s, action)
    elif phase == at.BIDDING:
        speak(n, s, action)
    elif phase == at.SLAM_ASKED:
        answer(n, s, action)
    elif phase == at.CALLING:
        call(n, s, action)
    elif phase == at.SHOWING:
        show_one(n, s, action)


@inlined
def speak(n: Ints, s: Ints, action: int) -> None:
    """Bid or pass; when everybody has spoken, no bid throws the cards in.

    Rule: 002 §6; I-C.14, I-C.23.
    """
    if action != at.PASS:
        s[at.TAKER] = s[at.TURN]
        s[at.CONTRACT] = action - at.BID
    s[at.SPOKEN] += 1
    s[at.TURN] = (s[at.TURN] + 1) % n[PLAYERS]
    if s[at.SPOKEN] < n[PLAYERS]:
        return
    s[at.TURN] = s[at.TAKER]
    if s[at.TAKER] == at.NOTHING:
        close(s, at.ALL_PASSED)
    elif n[CALLS]:
        s[at.PHASE] = at.CALLING
    else:
        turn_chien(n, s)


@inlined
def call(n: Ints, s: Ints, card: int) -> None:
    """Name the partner's card; if it is the taker's own or lies in the chien, he plays alone.

    Rule: 002 §16; I-C.14, I-C.17.
    """
    s[at.CALLED] = card
    for seat in range(n[PLAYERS]):
        if seat != s[at.TAKER] and s[at.SUITS + seat] >> card & 1:
            s[at.PARTNER] = seat
    turn_chien(n, s)


@inlined
def turn_chien(n: Ints, s: Ints) -> None:
    """The sides are made; the chien is turned and taken up, unless the contract leaves it closed.

    Rule: 002 §7, §16; I-C.14, I-C.17.
    """
    taker = s[at.TAKER]
    s[at.SIDES] = 1 << taker
    if s[at.PARTNER] != at.NOTHING:
        s[at.SIDES] |= 1 << s[at.PARTNER]
    if n[CHIEN_GOES + s[at.CONTRACT]] != CHIEN_TAKEN:
        s[at.PHASE] = at.SLAM_ASKED
        return
    if s[at.CALLED] != at.NOTHING and s[at.CHIEN_SUITS] >> s[at.CALLED] & 1:
        s[at.SIDES_PUBLIC] = 1
    s[at.SUITS + taker] |= s[at.CHIEN_SUITS]
    s[at.TRUMPS + taker] |= s[at.CHIEN_TRUMPS]
    s[at.LEFT] = n[CHIEN]
    s[at.PHASE] = at.LAYING


@inlined
def lay(n: Ints, s: Ints, card: int) -> None:
    """Lay one card of the écart.

    Rule: 002 §7.
    """
    taker = s[at.TAKER]
    if card < FIRST_TRUMP:
        s[at.SUITS + taker] ^= 1 << card
        s[at.ECART_SUITS] |= 1 << card
    else:
        s[at.TRUMPS + taker] ^= 1 << (card - FIRST_TRUMP)
        s[at.ECART_TRUMPS] |= 1 << (card - FIRST_TRUMP)
    s[at.LEFT] -= 1
    if s[at.LEFT] == 0:
        s[at.PHASE] = at.SLAM_ASKED


@inlined
def answer(n: Ints, s: Ints, action: int) -> None:
    """Announce a slam, and lead to it; or decline, and the next one is asked.

    Rule: 002 §11; I-C.5, I-C.6.
    """
    if action == at.SLAM:
        s[at.ANNOUNCER] = s[at.TURN]
        lead(s, s[at.TURN])
        return
    following = asked_after(n, s[at.DEALER], s[at.TAKER], s[at.TURN])
    if following != at.NOTHING:
        s[at.TURN] = following
    else:
        lead(s, (s[at.DEALER] + 1) % n[PLAYERS])


@inlined
def lead(s: Ints, seat: int) -> None:
    """The play begins."""
    s[at.PHASE] = at.PLAYING
    s[at.TURN] = seat
    s[at.LEADER] = seat


@inlined
def show(n: Ints, s: Ints, kind: int) -> None:
    """Begin to show a poignée; where there is nothing to choose, all of it is shown at once.

    Rule: 002 §10; I-C.12, I-C.13.
    """
    seat, size, trumps = s[at.TURN], n[POIGNEE_SIZE + kind], to_show(n, s)
    must, among = shown_sets(trumps, s[at.TRUMPS + seat] & SKUS_BIT != 0, size)
    s[at.SHOWN_SIZE + seat] = size
    s[at.SHOWN_TRUMPS + seat] = must
    s[at.POIGNEE] = poignees_together(n, s[at.POIGNEE], poignee_worth(n, size))
    s[at.LEFT] = size - count(must)
    if s[at.LEFT] == count(among):
        s[at.SHOWN_TRUMPS + seat] |= among
        s[at.LEFT] = 0
    else:
        s[at.PHASE] = at.SHOWING


@inlined
def show_one(n: Ints, s: Ints, card: int) -> None:
    """Show one more trump of a poignée."""
    s[at.SHOWN_TRUMPS + s[at.TURN]] |= 1 << (card - FIRST_TRUMP)
    s[at.LEFT] -= 1
    if s[at.LEFT] == 0:
        s[at.PHASE] = at.PLAYING
