"""A French deal over an array of integers: dealt, bid, called, laid, announced, shown, played and settled.

The rules are those of `french`, compiled; here is only the order of things. `legal` says what may be done,
`act` does it and trusts that it is legal. Every deal comes from a shuffled pack: to pick the cards up and cut
them instead is a matter of a series of deals, and of the table.
"""

from __future__ import annotations

from ultimo.cards import SUITS_WORD
from ultimo.french import numbers as rule
from ultimo.french import phases, reckoning
from ultimo.french.following import UNBEATEN, fall, legal_cards, top_trump
from ultimo.french.numbers import numbers
from ultimo.kernel.arrays import ints, joined, zeros
from ultimo.kernel.bits import count
from ultimo.kernel.dice import draw, shuffle
from ultimo.kernel.french import layout as at
from ultimo.kernel.french.weights import WEIGHTS
from ultimo.kernel.jit import Ints, Words, always_inlined, inlined, tight
from ultimo.kernel.sets import ALL_TRUMPS, IN_SUITS, IN_TRUMPS, cards_at, move
from ultimo.play.following import FIRST_TRUMP, NO_SUIT, PACK_SIZE, SKUS_BIT, SKUS_CARD
from ultimo.rulebook import FrenchRules

# --- the start ------------------------------------------------------------------------------------------


SPOTS = rule.LENGTH + len(WEIGHTS)  # which places of the pack, without the chien, make the hands: in `n`
NETWORK = SPOTS + PACK_SIZE  # where a student's network begins


def array_of(rules: FrenchRules, net: Ints | None = None) -> Ints:
    """The rulebook as the array that everything here takes as `n`; weights and `SPOTS` behind it.

    Behind all comes the network with which a student thinks.
    """
    n = numbers(rules)
    players, packet, dealt = n[rule.PLAYERS], n[rule.PACKET], n[rule.PLAYERS] * n[rule.HAND]
    spots = sorted(range(dealt), key=lambda spot: spot // packet % players)
    found = ints((*n, *WEIGHTS, *spots, *(0 for _ in range(PACK_SIZE - dealt))))
    return found if net is None else joined(found, net)


def blank() -> Ints:
    """A state to deal into."""
    return zeros(at.WHOLE)


@tight
def deal(n: Ints, s: Ints, dealer: int, pack: Ints, dice: Words) -> None:
    """Shuffle a pack and deal it, on the paper of a shuffle; the state before is forgotten.

    Places for the chien are drawn among those that are allowed; packets are dealt from what is left.
    """
    for place in range(at.WHOLE):
        s[place] = 0
    shuffle(dice, pack)
    players, hand = n[rule.PLAYERS], n[rule.HAND]
    s[at.CHIEN_SUITS], s[at.CHIEN_TRUMPS] = take_chien(n, pack, dice)
    left_suits, left_trumps = SUITS_WORD ^ s[at.CHIEN_SUITS], ALL_TRUMPS ^ s[at.CHIEN_TRUMPS]
    for turn in range(players - 1):
        suits, trumps = cards_at(pack, n[SPOTS + turn * hand : SPOTS + (turn + 1) * hand])
        left_suits ^= suits
        left_trumps ^= trumps
        seat = phases.receiver(n, dealer, turn)
        s[at.SUITS + seat] = suits
        s[at.TRUMPS + seat] = trumps
    seat = phases.receiver(n, dealer, players - 1)  # what the others have not got
    s[at.SUITS + seat] = left_suits
    s[at.TRUMPS + seat] = left_trumps
    begin(n, s, dealer)


@inlined
def take_chien(n: Ints, pack: Ints, dice: Words) -> tuple[int, int]:
    """Take the chien out of the pack, at places that are drawn, and close the pack up."""
    first, end = phases.chien_span(n)
    suits, trumps = 0, 0
    for _ in range(n[rule.CHIEN]):
        place = first + draw(dice, end - first)
        while pack[place] == at.NOTHING:
            place = first + draw(dice, end - first)
        suits |= IN_SUITS[pack[place]]
        trumps |= IN_TRUMPS[pack[place]]
        pack[place] = at.NOTHING
    left = 0
    for place in range(PACK_SIZE):
        card = pack[place]
        pack[left] = card
        left += int(card != at.NOTHING)
    return suits, trumps


@inlined
def begin(n: Ints, s: Ints, dealer: int) -> None:
    """Open the bidding over hands and chien that are there, unless a petit sec ends the deal."""
    for place in at.UNKNOWN:
        s[place] = at.NOTHING
    s[at.LED] = NO_SUIT
    s[at.HEIGHT] = UNBEATEN
    s[at.DEALER] = dealer
    s[at.PHASE] = at.BIDDING
    s[at.TURN] = (dealer + 1) % n[rule.PLAYERS]
    s[at.SIDES_PUBLIC] = n[rule.CALLS] == 0
    for seat in range(n[rule.PLAYERS]):
        s[at.DEALT_SUITS + seat] = s[at.SUITS + seat]
        s[at.DEALT_TRUMPS + seat] = s[at.TRUMPS + seat]
        if phases.is_petit_sec(n, s[at.TRUMPS + seat]):
            close(s, at.PETIT_SEC)


@inlined
def close(s: Ints, result: int) -> None:
    """The deal is over."""
    s[at.PHASE] = at.CLOSED
    s[at.TURN] = at.NOTHING
    s[at.RESULT] = result


# --- what may be done ----------------------------------------------------------------------------------


@tight
def legal(n: Ints, s: Ints) -> tuple[int, int, int]:
    """What the seat whose turn it is may do: cards in two words, and the other choices in a third."""
    phase, seat = s[at.PHASE], s[at.TURN]
    if phase == at.PLAYING:
        number = s[at.TRICK]
        barred = phases.barred_suits(n, s[at.CALLED], number, s[at.PLACE])
        suits, trumps = legal_cards(
            s[at.SUITS + seat], s[at.TRUMPS + seat], s[at.LED], top_trump(s[at.HEIGHT]), barred
        )
        return suits, trumps, poignees(n, s, seat) if number == 0 else 0
    if phase == at.LAYING:
        must, suits, trumps = layable_now(n, s)
        return (must, 0, 0) if must else (suits, trumps, 0)
    if phase == at.BIDDING:
        return 0, 0, legal_bids(n, s)
    if phase == at.SLAM_ASKED:
        return 0, 0, 1 << (at.DECLINE - at.FIRST_WORD) | 1 << (at.SLAM - at.FIRST_WORD)
    if phase == at.CALLING:
        return phases.callable_suits(n, s[at.SUITS + seat]), 0, 0
    if phase == at.SHOWING:
        return 0, to_show(n, s, seat) & ~s[at.SHOWN_TRUMPS + seat], 0
    return 0, 0, 0


@inlined
def legal_bids(n: Ints, s: Ints) -> int:
    """To pass, and every bid above the highest so far."""
    lowest_bid = at.BID - at.FIRST_WORD + s[at.CONTRACT] + 1
    all_bids = (1 << (at.BID - at.FIRST_WORD + n[rule.BIDS])) - 1
    return 1 | (all_bids >> lowest_bid << lowest_bid)


@inlined
def layable_now(n: Ints, s: Ints) -> tuple[int, int, int]:
    """What the taker may lay next; what is laid already counts as in his hand."""
    seat = s[at.TAKER]
    laid_suits, laid_trumps = s[at.ECART_SUITS], s[at.ECART_TRUMPS]
    must, suits, trumps = phases.layable(
        n, s[at.SUITS + seat] | laid_suits, s[at.TRUMPS + seat] | laid_trumps
    )
    return must & ~laid_suits, suits & ~laid_suits, trumps & ~laid_trumps


@inlined
def to_show(n: Ints, s: Ints, seat: int) -> int:
    """The trumps that a seat may show."""
    return phases.showable(n, s[at.TRUMPS + seat], s[at.ECART_TRUMPS], seat == s[at.TAKER])


@inlined
def poignees(n: Ints, s: Ints, seat: int) -> int:
    """The poignées that a seat may show before its first card; one at most."""
    if s[at.SHOWN_SIZE + seat]:
        return 0
    trumps, with_excuse = to_show(n, s, seat), s[at.TRUMPS + seat] & SKUS_BIT != 0
    words = 0
    for kind in range(n[rule.POIGNEES]):
        if not phases.can_show(trumps, with_excuse, n[rule.POIGNEE_SIZE + kind]):
            break  # the sizes ascend
        words |= 1 << (at.SHOW - at.FIRST_WORD + kind)
    return words


# --- doing it ------------------------------------------------------------------------------------------


@tight
def act(n: Ints, s: Ints, action: int) -> None:
    """Let the seat whose turn it is do what is legal, with all that follows."""
    phase = s[at.PHASE]
    if phase == at.PLAYING and action < at.FIRST_WORD:
        play(n, s, action)
    elif phase == at.BIDDING:
        speak(n, s, action)
    elif phase == at.SLAM_ASKED:
        answer(n, s, action)
    elif phase == at.CALLING:
        call(n, s, action)
    else:
        lay_or_show(n, s, action)


@inlined
def lay_or_show(n: Ints, s: Ints, action: int) -> None:
    """Go on with an écart or a poignée, which are chosen one by one."""
    phase = s[at.PHASE]
    if phase == at.LAYING:
        lay(n, s, action)
    elif phase == at.SHOWING:
        show_one(n, s, action)
    elif phase == at.PLAYING:
        show(n, s, action - at.SHOW)


@inlined
def speak(n: Ints, s: Ints, action: int) -> None:
    """Bid or pass."""
    if action != at.PASS:
        s[at.TAKER] = s[at.TURN]
        s[at.CONTRACT] = action - at.BID
    s[at.SPOKEN] += 1
    s[at.TURN] = (s[at.TURN] + 1) % n[rule.PLAYERS]
    if s[at.SPOKEN] == n[rule.PLAYERS]:
        go_on(n, s, phases.BIDDING)


@inlined
def call(n: Ints, s: Ints, card: int) -> None:
    """Name the partner's card."""
    s[at.CALLED] = card
    s[at.PARTNER] = phases.partner_of(s[at.TAKER], holder_of(n, s, at.SUITS, card))
    go_on(n, s, phases.CALLING)


@inlined
def holder_of(n: Ints, s: Ints, hands: int, card: int) -> int:
    """The seat that holds a card of a suit, in the hands that begin at a place of the array."""
    for seat in range(n[rule.PLAYERS]):
        if s[hands + seat] >> card & 1:
            return seat
    return at.NOTHING


@inlined
def go_on(n: Ints, s: Ints, over: int) -> None:
    """Go to the step that comes next."""
    s[at.TURN] = s[at.TAKER]
    step = phases.comes_next(n, over, s[at.TAKER], s[at.CONTRACT])
    if step == phases.THROWN_IN:
        close(s, at.ALL_PASSED)
        return
    s[at.PHASE] = step
    if step != phases.CALLING:
        s[at.SIDES] = sides_of(s[at.TAKER], s[at.PARTNER])
    if step == phases.LAYING:
        take_up(n, s)


@inlined
def sides_of(taker: int, partner: int) -> int:
    """The seats of the taker's side, a bit each."""
    return 1 << taker | (0 if partner == at.NOTHING else 1 << partner)


@inlined
def take_up(n: Ints, s: Ints) -> None:
    """The chien is turned and taken up."""
    taker = s[at.TAKER]
    if phases.shows_taker_alone(s[at.CALLED], s[at.CHIEN_SUITS]):
        s[at.SIDES_PUBLIC] = 1
    s[at.SUITS + taker] |= s[at.CHIEN_SUITS]
    s[at.TRUMPS + taker] |= s[at.CHIEN_TRUMPS]
    s[at.LEFT] = n[rule.CHIEN]


@inlined
def lay(n: Ints, s: Ints, card: int) -> None:
    """Lay one card of the écart."""
    taker = s[at.TAKER]
    move(s, at.SUITS + taker, at.TRUMPS + taker, at.ECART_SUITS, at.ECART_TRUMPS, card)
    s[at.LEFT] -= 1
    if s[at.LEFT] == 0:
        go_on(n, s, phases.LAYING)


@inlined
def answer(n: Ints, s: Ints, action: int) -> None:
    """Announce a slam, or decline, and the next one is asked; then the tricks begin."""
    following = at.NOTHING
    if action == at.SLAM:
        s[at.ANNOUNCER] = s[at.TURN]
    else:
        following = phases.asked_after(n, s[at.DEALER], s[at.TAKER], s[at.TURN])
    if following != at.NOTHING:
        s[at.TURN] = following
        return
    s[at.PHASE] = at.PLAYING
    s[at.LEADER] = phases.first_leader(n, s[at.DEALER], s[at.ANNOUNCER])
    s[at.TURN] = s[at.LEADER]


@inlined
def show(n: Ints, s: Ints, kind: int) -> None:
    """Begin to show a poignée; where there is nothing to choose, all of it is shown at once."""
    seat, size = s[at.TURN], n[rule.POIGNEE_SIZE + kind]
    trumps = to_show(n, s, seat)
    must, among = phases.shown_sets(trumps, s[at.TRUMPS + seat] & SKUS_BIT != 0, size)
    s[at.SHOWN_SIZE + seat] = size
    s[at.SHOWN_TRUMPS + seat] = must
    s[at.POIGNEE] = reckoning.poignees_together(n, s[at.POIGNEE], reckoning.poignee_worth(n, size))
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


# --- tricks ---------------------------------------------------------------------------------------------


@inlined
def play(n: Ints, s: Ints, card: int) -> None:
    """Play a card; the last one of a trick ends it.

    Rule: 002 §8, §16.
    """
    seat, place = s[at.TURN], s[at.PLACE]
    move(s, at.SUITS + seat, at.TRUMPS + seat, at.TRICK_SUITS, at.TRICK_TRUMPS, card)
    s[at.LED], s[at.HEIGHT], s[at.WINNING] = fall(card, seat, s[at.LED], s[at.HEIGHT], s[at.WINNING])
    s[at.TABLE + place] = card
    if card == s[at.CALLED]:
        s[at.SIDES_PUBLIC] = 1
    if place + 1 == n[rule.PLAYERS]:
        end_trick(n, s, s[at.WINNING], s[at.TRICK_SUITS], s[at.TRICK_TRUMPS])
    else:
        s[at.PLACE] = place + 1
        s[at.TURN] = seat + 1 if seat + 1 < n[rule.PLAYERS] else 0


@always_inlined
def end_trick(n: Ints, s: Ints, winner: int, suits: int, trumps: int) -> None:
    """The trick is won, and after the last one the deal is settled.

    Rule: 002 §8, §9, §11.
    """
    number = s[at.TRICK]
    if trumps & SKUS_BIT:
        by, sweep = player_of_excuse(n, s), reckoning.sweep_of(number, s[at.TAKER_TRICKS])
        if reckoning.excuse_takes(n, number, sweep, reckoning.side_of(by, s[at.TAKER], s[at.PARTNER])):
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
    s[at.PILE_SUITS] |= suits & -for_taker
    s[at.PILE_TRUMPS] |= trumps & -for_taker
    s[at.TRICK] = number + 1
    s[at.TURN] = winner
    s[at.LEADER] = winner
    s[at.PLACE] = 0
    s[at.WINNING] = at.NOTHING
    s[at.LED] = NO_SUIT
    s[at.HEIGHT] = UNBEATEN
    s[at.TRICK_SUITS] = 0
    s[at.TRICK_TRUMPS] = 0
    if number + 1 == n[rule.HAND]:
        s[at.SIDES_PUBLIC] = 1
        reckon(n, s)
        close(s, at.PLAYED)


@inlined
def player_of_excuse(n: Ints, s: Ints) -> int:
    """Who has played the excuse to a trick that is full."""
    place = 0
    while s[at.TABLE + place] != SKUS_CARD:
        place += 1
    return int((s[at.LEADER] + place) % n[rule.PLAYERS])


@inlined
def announced_by(s: Ints) -> int:
    """The side that has announced a slam."""
    if s[at.ANNOUNCER] == at.NOTHING:
        return reckoning.NOBODY
    return reckoning.side_of(s[at.ANNOUNCER], s[at.TAKER], s[at.PARTNER])


@inlined
def reckon(n: Ints, s: Ints) -> None:
    """Count the piles of a deal that has been played out, and pay.

    Rule: 002 §3, §6, §7, §9, §13, §14.
    """
    taker, partner, contract = s[at.TAKER], s[at.PARTNER], s[at.CONTRACT]
    suits, trumps = s[at.PILE_SUITS] | s[at.ECART_SUITS], s[at.PILE_TRUMPS] & ~SKUS_BIT | s[at.ECART_TRUMPS]
    if reckoning.counts_chien(n, contract):
        suits, trumps = suits | s[at.CHIEN_SUITS], trumps | s[at.CHIEN_TRUMPS]
    half_points, bouts = reckoning.pile_half_points(suits, trumps), reckoning.pile_bouts(trumps)
    excuse_won = False
    if s[at.EXCUSE_TRICK] != at.NOTHING:
        side, won_by = reckoning.side_of(s[at.EXCUSE_BY], taker, partner), s[at.EXCUSE_TAKER]
        excuse_won = won_by == s[at.EXCUSE_BY]
        own = reckoning.side_of(won_by, taker, partner) == side
        more_points, more_bouts = reckoning.excuse_brings(n, s[at.EXCUSE_TRICK], side, own, excuse_won)
        half_points, bouts = half_points + more_points, bouts + more_bouts
    petit = reckoning.NOBODY
    if s[at.PETIT_TRICK] != at.NOTHING and reckoning.petit_ends(n, s[at.PETIT_TRICK], excuse_won):
        petit = reckoning.side_of(s[at.PETIT_TAKER], taker, partner)
    announced = announced_by(s)
    made = reckoning.sweep_of(s[at.TRICK], s[at.TAKER_TRICKS])
    paid = reckoning.parts(n, contract, half_points, bouts, petit, s[at.POIGNEE], announced, made)
    s[at.HALF_POINTS] = half_points
    s[at.BOUTS] = bouts
    s[at.PETIT_SIDE] = petit
    s[at.SLAM_SIDE] = made
    s[at.VALUE] = paid[0] + paid[1] + paid[2] + paid[3]
    for place in range(reckoning.payments_of(n, partner)):
        s[at.NET + reckoning.defender_at(n, taker, partner, place)] -= s[at.VALUE]
        s[at.NET + reckoning.receiver_at(n, taker, partner, place)] += s[at.VALUE]
