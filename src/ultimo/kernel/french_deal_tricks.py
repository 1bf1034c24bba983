"""The tricks of a French deal over an array of integers, and what they come to."""

from __future__ import annotations

from ultimo.french.following import legal_cards
from ultimo.french.numbers import CHIEN_GOES, CHIEN_TAKER, HAND, PLAYERS
from ultimo.french.reckoning import (
    NOBODY,
    defender_at,
    excuse_share,
    excuse_takes,
    fate_of_excuse,
    parts,
    payments_of,
    petit_ends,
    pile_bouts,
    pile_half_points,
    receiver_at,
    side_of,
    sweep_of,
)
from ultimo.kernel import french_deal_state as at
from ultimo.kernel.bits import count, select
from ultimo.kernel.chance import draw
from ultimo.kernel.french_deal_start import close
from ultimo.kernel.jit import Ints, Words, inlined, tight
from ultimo.play.following import FIRST_TRUMP, NO_SUIT, SKUS_BIT, SKUS_CARD, strength, suit_of

BELOW_TRUMPS = strength(FIRST_TRUMP, NO_SUIT, False) - 1  # T1 stands one higher


@inlined
def play(n: Ints, s: Ints, card: int) -> None:
    """Play a card; the last one of a trick ends it.

    Rule: 002 §8, §16.
    """
    seat, place = s[at.TURN], s[at.PLACE]
    if card < FIRST_TRUMP:
        s[at.SUITS + seat] ^= 1 << card
        s[at.TRICK_SUITS] |= 1 << card
    else:
        s[at.TRUMPS + seat] ^= 1 << (card - FIRST_TRUMP)
        s[at.TRICK_TRUMPS] |= 1 << (card - FIRST_TRUMP)
    s[at.LED], s[at.HEIGHT], s[at.WINNING] = fallen(card, seat, s[at.LED], s[at.HEIGHT], s[at.WINNING])
    s[at.TABLE + place] = card
    if card == s[at.CALLED]:
        s[at.SIDES_PUBLIC] = 1
    if place + 1 == n[PLAYERS]:
        end_trick(n, s)
    else:
        s[at.PLACE] = place + 1
        s[at.TURN] = seat + 1 if seat + 1 < n[PLAYERS] else 0


@inlined
def fallen(card: int, seat: int, led: int, height: int, winning: int) -> tuple[int, int, int]:
    """The suit in force, how high the best card stands and whose it is, when `seat` has played `card`.

    Rule: 002 §8.
    """
    if led == NO_SUIT:
        led = suit_of(card)
    stands = strength(card, led, False)
    if stands > height:
        return led, stands, seat
    return led, height, winning


@tight
def play_tricks_at_random(n: Ints, s: Ints, dice: Words) -> None:
    """Play whole tricks, each card as likely as another, to the end.

    This is what `legal`, a choice and `play` do card by card after the first trick; the cards come to lie as
    if they had, but nobody looks at them in between.
    """
    players = n[PLAYERS]
    while s[at.PHASE] == at.PLAYING:
        seat, led, height, winning = s[at.TURN], NO_SUIT, at.UNBEATEN, 0
        trick_suits, trick_trumps = 0, 0
        for place in range(players):
            suits, trumps = legal_cards(s[at.SUITS + seat], s[at.TRUMPS + seat], led, top(height), 0)
            lower = count(suits)
            cards = lower + count(trumps)
            nth = draw(dice, cards)
            if nth < lower:
                card = select(suits, nth)
                s[at.SUITS + seat] ^= 1 << card
                trick_suits |= 1 << card
            else:
                number = select(trumps, nth - lower)
                s[at.TRUMPS + seat] ^= 1 << number
                trick_trumps |= 1 << number
                card = FIRST_TRUMP + number
            led, height, winning = fallen(card, seat, led, height, winning)
            s[at.TABLE + place] = card
            seat = seat + 1 if seat + 1 < players else 0
        s[at.TRICK_SUITS] = trick_suits
        s[at.TRICK_TRUMPS] = trick_trumps
        s[at.WINNING] = winning
        if s[at.CALLED] != at.NOTHING and trick_suits >> s[at.CALLED] & 1:
            s[at.SIDES_PUBLIC] = 1
        end_trick(n, s)


@inlined
def top(height: int) -> int:
    """The highest trump in a trick whose best card stands so high, 0 if none."""
    return max(0, height - BELOW_TRUMPS)


@inlined
def end_trick(n: Ints, s: Ints) -> None:
    """The trick is won, and after the last one the deal is settled.

    Rule: 002 §8, §9, §11.
    """
    number, winner, trumps = s[at.TRICK], s[at.WINNING], s[at.TRICK_TRUMPS]
    if trumps & SKUS_BIT:
        by, sweep = player_of_excuse(n, s), sweep_of(number, s[at.TAKER_TRICKS])
        if excuse_takes(n, number, sweep, side_of(by, s[at.TAKER], s[at.PARTNER])):
            winner = by
        s[at.EXCUSE_BY] = by
        s[at.EXCUSE_TRICK] = number
        s[at.EXCUSE_TAKER] = winner
    if trumps & 1:
        s[at.PETIT_TRICK] = number
        s[at.PETIT_TAKER] = winner
    s[at.TRICKS + winner] += 1
    for_taker = s[at.SIDES] >> winner & 1
    s[at.TAKER_TRICKS] += for_taker
    s[at.PILE_SUITS] |= s[at.TRICK_SUITS] & -for_taker
    s[at.PILE_TRUMPS] |= trumps & -for_taker
    s[at.TRICK] = number + 1
    s[at.TURN] = winner
    s[at.LEADER] = winner
    s[at.PLACE] = 0
    s[at.WINNING] = at.NOTHING
    s[at.LED] = NO_SUIT
    s[at.HEIGHT] = at.UNBEATEN
    s[at.TRICK_SUITS] = 0
    s[at.TRICK_TRUMPS] = 0
    if number + 1 == n[HAND]:
        s[at.SIDES_PUBLIC] = 1
        reckon(n, s)
        close(s, at.PLAYED)


@inlined
def player_of_excuse(n: Ints, s: Ints) -> int:
    """Who has played the excuse to a trick that is full."""
    place = 0
    while s[at.TABLE + place] != SKUS_CARD:
        place += 1
    return int((s[at.LEADER] + place) % n[PLAYERS])


@inlined
def announced_by(s: Ints) -> int:
    """The side that has announced a slam."""
    if s[at.ANNOUNCER] == at.NOTHING:
        return NOBODY
    return side_of(s[at.ANNOUNCER], s[at.TAKER], s[at.PARTNER])


@inlined
def reckon(n: Ints, s: Ints) -> None:
    """Count the piles of a deal that has been played out, and pay.

    Rule: 002 §3, §6, §7, §9, §13, §14.
    """
    taker, partner, contract = s[at.TAKER], s[at.PARTNER], s[at.CONTRACT]
    suits, trumps = s[at.PILE_SUITS] | s[at.ECART_SUITS], s[at.PILE_TRUMPS] & ~SKUS_BIT | s[at.ECART_TRUMPS]
    if n[CHIEN_GOES + contract] == CHIEN_TAKER:
        suits, trumps = suits | s[at.CHIEN_SUITS], trumps | s[at.CHIEN_TRUMPS]
    half_points, bouts = pile_half_points(suits, trumps), pile_bouts(trumps)
    excuse_won = False
    if s[at.EXCUSE_TRICK] != at.NOTHING:
        side, won_by = side_of(s[at.EXCUSE_BY], taker, partner), s[at.EXCUSE_TAKER]
        excuse_won = won_by == s[at.EXCUSE_BY]
        fate, owed = fate_of_excuse(
            n, s[at.EXCUSE_TRICK], side_of(won_by, taker, partner) == side, excuse_won
        )
        more_points, more_bouts = excuse_share(side, fate, owed)
        half_points, bouts = half_points + more_points, bouts + more_bouts
    petit = NOBODY
    if s[at.PETIT_TRICK] != at.NOTHING and petit_ends(n, s[at.PETIT_TRICK], excuse_won):
        petit = side_of(s[at.PETIT_TAKER], taker, partner)
    announced = announced_by(s)
    made = sweep_of(s[at.TRICK], s[at.TAKER_TRICKS])
    paid = parts(n, contract, half_points, bouts, petit, s[at.POIGNEE], announced, made)
    s[at.HALF_POINTS] = half_points
    s[at.BOUTS] = bouts
    s[at.PETIT_SIDE] = petit
    s[at.SLAM_SIDE] = made
    s[at.VALUE] = paid[0] + paid[1] + paid[2] + paid[3]
    for place in range(payments_of(n, partner)):
        s[at.NET + defender_at(n, taker, partner, place)] -= s[at.VALUE]
        s[at.NET + receiver_at(n, taker, partner, place)] += s[at.VALUE]
