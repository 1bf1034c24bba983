"""When a principle of the books, or a role, is true of what is advised.

The club's player goes by weights, and its principle is a guess at what weighed most. Whether the words of
that principle fit the action is asked here, of the position; and where they speak of the last trick, the
pagat, a king, the count or a contract, also of the play-outs of the two best actions, which must differ in it
beyond their error.
"""

from __future__ import annotations

from typing import NamedTuple

from ultimo import danish, french
from ultimo import events as e
from ultimo.cards import (
    ALL_CARDS,
    BOUTS,
    COURTS,
    KINGS,
    PAGAT,
    QUEENS,
    SKUS,
    SUIT_CARDS,
    TRUMPS,
    Card,
    Cards,
    cards,
    mask,
)
from ultimo.play.following import NO_SUIT, strength
from ultimo.tutor.evidence import Evidence

HALF = 0.5
SAFE = 0.1  # the most chance of a loss
APART = 0.1  # between chances that are told apart
FIGHTING, BEATEN = 0.3, 0.2  # chances of the last trick
FEW_TRUMPS, MANY_TRUMPS = 3, 8
LONG = 5  # cards in a suit
LATE = 3  # tricks to come when the excuse is late
LOW_TRUMPS = mask("T1 T2 T3 T4 T5 T6 T7 T8 T9 T10")
SUITS = range(4)
TRUMP_SUIT = 4


# --- roles -----------------------------------------------------------------------------------------------


def has_role(role: str, on: Evidence) -> bool:
    """Whether a seat plays for what a role says, or is it."""
    state, me = on.view.deal, on.view.seat
    if isinstance(state, french.State):
        return role == _side(state, me)
    if not on.last:
        return False
    mine, (second, first) = on.last[me], sorted(on.last[seat] for seat in state.order if seat != me)
    match role:
        case "nolo":
            return on.chance("nolo") >= HALF
        case "ultimator":
            return mine >= HALF
        case "leader":
            return first >= HALF and mine >= second + APART
        case "balancer":
            return second >= FIGHTING and mine <= BEATEN
        case "helper":
            return first >= HALF and mine <= second - APART
    return False


def _side(state: french.State, me: e.Seat) -> str:
    """What a seat is in a French deal, as it knows itself."""
    if state.phase == "bid":
        return "bidder"
    if me == state.taker:
        return "taker"
    return "partner" if me == state.partner else "defender"


# --- a card and its trick --------------------------------------------------------------------------------


class Trick(NamedTuple):
    """A card that might be played, and the trick that it would go to."""

    on: Evidence
    card: Card

    @property
    def state(self) -> danish.State | french.State:
        """The deal as the seat knows it."""
        return self.on.view.deal

    @property
    def hand(self) -> Cards:
        """What the seat holds."""
        return self.state.hands[self.on.view.seat]

    @property
    def leads(self) -> bool:
        """Whether the card would be the first of its trick."""
        return not self.state.trick

    @property
    def is_last(self) -> bool:
        """Whether nobody plays after it."""
        return len(self.state.trick) == len(self.state.active) - 1

    @property
    def is_trump(self) -> bool:
        """Whether the card is a trump other than the skus."""
        return bool(self.card.bit & TRUMPS)

    @property
    def height(self) -> int:
        """How high the card stands in its own suit."""
        return self.height_of(self.card)

    def height_of(self, card: Card) -> int:
        """How high a card stands in its own suit."""
        return strength(card.index, card.suit, isinstance(self.state, danish.State))

    @property
    def suit(self) -> Cards:
        """What the seat holds of the suit of the card."""
        return self.hand & SUIT_CARDS[self.card.suit]

    @property
    def legal(self) -> list[Card]:
        """What may be played instead, or this."""
        return [one.card for one in self.on.choices if isinstance(one, e.Play)]

    @property
    def longest(self) -> bool:
        """Whether the card is of the longest plain suit."""
        return not self.card.bit & (TRUMPS | SKUS) and self.suit.bit_count() == max(
            (self.hand & SUIT_CARDS[suit]).bit_count() for suit in SUITS
        )

    @property
    def out(self) -> Cards:
        """The cards that others may hold, as far as the seat has seen where they are not."""
        state = self.state
        gone = sum(play.card.bit for trick in state.tricks for play in trick.plays)
        gone |= sum(play.card.bit for play in state.trick)
        return ALL_CARDS & ~(self.hand | gone | state.laid | state.aside.known)

    def stands(self, card: Card) -> int:
        """How high a card stands in this trick; 0 or less cannot win."""
        led = card.suit if self.state.led == NO_SUIT else self.state.led
        return strength(card.index, led, isinstance(self.state, danish.State))

    def wins(self, card: Card) -> bool:
        """Whether a card would stand highest as the trick lies."""
        return self.stands(card) > max((self.stands(play.card) for play in self.state.trick), default=0)

    def takes(self, card: Card) -> bool:
        """Whether a card would take the trick, whatever the others hold."""
        return self.is_last and self.wins(card)


def applies(principle: str, on: Evidence) -> bool:
    """Whether the words of a principle are true of what is advised."""
    match on.view.deal, on.action:
        case danish.State() as state, e.Lay(cards=laid):
            return _of_skat(principle, on, state.hands[on.view.seat], mask(laid))
        case danish.State() as state, e.Play(card=card):
            return _of_danish_card(principle, Trick(on, card), state, _rival(on))
        case danish.State() as state, _:
            return _of_danish_word(principle, on, state)
        case french.State() as state, e.Play(card=card):
            return _of_french_card(principle, Trick(on, card), state, _rival(on))
        case french.State() as state, _:
            return _of_french_word(principle, on, state)
    return False


def _rival(on: Evidence) -> Card | None:
    return on.rival.card if isinstance(on.rival, e.Play) else None


# --- Danish Tarok ----------------------------------------------------------------------------------------


def _of_skat(principle: str, on: Evidence, dealt: Cards, laid: Cards) -> bool:
    kept = dealt & ~laid
    lengths = [(kept & SUIT_CARDS[suit]).bit_count() for suit in SUITS]
    before = [(dealt & SUIT_CARDS[suit]).bit_count() for suit in SUITS]
    gone = [one - other for one, other in zip(before, lengths, strict=True)]
    trumps = kept.bit_count() - sum(lengths)
    match principle:
        case "F1.4":
            return sorted(lengths) == [4, 4, 4, 6]
        case "F1.7":
            return trumps >= MANY_TRUMPS and sum(gone) == laid.bit_count()
        case "F1.9":
            return 0 < (dealt & TRUMPS).bit_count() <= FEW_TRUMPS and not kept & TRUMPS
        case "F1.11":
            king = [bool(dealt & KINGS & SUIT_CARDS[suit]) for suit in SUITS]
            with_king = any(king[suit] and gone[suit] and before[suit] >= LONG for suit in SUITS)
            without = any(not king[suit] and not gone[suit] and before[suit] >= LONG for suit in SUITS)
            return with_king and without and trumps < MANY_TRUMPS - 1
        case "F1.12":
            return any(before[suit] in (5, 6) and gone[suit] >= 2 for suit in SUITS)
        case "F1.13":
            return lengths == [4, 4, 4, 4]
        case "F1.14":
            courts = laid & COURTS
            return bool(courts >> 1 & kept & COURTS)
        case "F1.15":
            return on.chance("nolo") >= HALF and all(
                _are_highest(laid & SUIT_CARDS[suit], kept & SUIT_CARDS[suit]) for suit in SUITS
            )
        case "F1.16":
            pairs = [(kept & (KINGS | QUEENS) & SUIT_CARDS[suit]).bit_count() == 2 for suit in SUITS]
            return any(pairs[suit] and lengths[suit] == max(lengths) and not gone[suit] for suit in SUITS)
    return False


def _are_highest(laid: Cards, kept: Cards) -> bool:
    """Whether of a red or black suit nothing higher is kept than what is laid."""
    heights = [[strength(card.index, card.suit, True) for card in cards(some)] for some in (laid, kept)]
    return not heights[0] or not heights[1] or min(heights[0]) > max(heights[1])


def _of_danish_card(principle: str, trick: Trick, state: danish.State, rival: Card | None) -> bool:
    on, card, other = trick.on, trick.card, 0 if rival is None else rival.bit
    match principle:
        case "DK.trick":
            counts = any(play.card.bit & (COURTS | BOUTS) for play in state.trick)
            beaten = rival is not None and not trick.wins(rival)
            return counts and trick.takes(card) and beaten and on.rises("count")
        case "DK.king":
            return bool(card.bit & KINGS and trick.wins(card) and trick.out & TRUMPS)
        case "F2.7":
            return _signals(trick, state)
        case "F3.1":
            return bool(other & TRUMPS and not card.bit & (TRUMPS | SKUS) and on.rises("lastTrick"))
        case "F3.2":
            return trick.leads and trick.longest and has_role("ultimator", on) and on.rises("lastTrick")
        case "F3.3":
            return trick.leads and trick.longest and has_role("leader", on)
        case "F3.5":
            return trick.leads and has_role("helper", on) and _returns_to_leader(trick, state)
        case "F3.22":
            return card.bit == PAGAT and on.rises("pagatHome")
        case "F3.23":
            better = on.rises("kingUltimo") or on.falls("kingBagud") or on.falls("kingLost")
            return bool(other & KINGS and not card.bit & KINGS and better)
        case "F4.2":
            return trick.leads and trick.longest
        case "F5.3":
            return card.bit == SKUS and not trick.leads and not on.equals
        case "F5.4":
            return isinstance(on.action, e.Play) and on.action.named is not None
        case "F5.6":
            return card.bit == SKUS and has_role("ultimator", on)
        case "F6.8":
            lower = [one for one in trick.legal if one.suit == card.suit and not trick.wins(one)]
            highest = all(trick.height_of(one) <= trick.height for one in lower)
            loses = not trick.leads and not trick.wins(card) and card.bit != SKUS
            return loses and highest and len(lower) > 1 and has_role("nolo", on)
    return False


def _signals(trick: Trick, state: danish.State) -> bool:
    """Whether a pip that cannot win says by its height whether four or more of the suit were held."""
    if (
        trick.leads
        or trick.card.suit != state.led
        or trick.card.bit & (COURTS | TRUMPS)
        or trick.wins(trick.card)
    ):
        return False
    mine = [
        play.card
        for past in state.tricks
        if past.led == state.led and past.plays[0].seat != trick.on.view.seat
        for play in past.plays
        if play.seat == trick.on.view.seat and play.card.suit == state.led
    ]
    has_four = trick.suit.bit_count() + len(mine) >= 4
    pips = [trick.height_of(one) for one in cards(trick.suit & ~COURTS)]
    if not mine:
        return (trick.height == min(pips)) == has_four and len(pips) > 1
    return (
        len(mine) == 1 and not mine[0].bit & COURTS and (trick.height > trick.height_of(mine[0])) == has_four
    )


def _returns_to_leader(trick: Trick, state: danish.State) -> bool:
    """Whether a suit is led that the other defender has led before; the strongest is played against."""
    last, me = trick.on.last, trick.on.view.seat
    friend = min((seat for seat in state.order if seat != me), key=lambda seat: last[seat])
    return any(
        past.plays[0].seat == friend and past.led == trick.card.suit and past.plays[0].card.bit != SKUS
        for past in state.tricks
    )


def _of_danish_word(principle: str, on: Evidence, state: danish.State) -> bool:
    hand = state.hands[on.view.seat]
    match principle, on.action:
        case "F5.4", e.NameSkus():
            return True
        case "F5.8", e.DemandSkus():
            return True
        case "F6.1", e.Accept() | e.Announce(kind="nolo"):
            trumps, courts = hand & TRUMPS, hand & COURTS
            small = all(
                2 * (courts & SUIT_CARDS[suit]).bit_count() <= (hand & SUIT_CARDS[suit]).bit_count()
                for suit in SUITS
            )
            return trumps.bit_count() <= FEW_TRUMPS and not trumps & ~LOW_TRUMPS and small
    return False


# --- French Tarot ----------------------------------------------------------------------------------------


def _of_french_card(principle: str, trick: Trick, state: french.State, rival: Card | None) -> bool:
    on, card = trick.on, trick.card
    me, mine = on.view.seat, trick.on.view.deal.hands[on.view.seat]
    top = max((play.card.index for play in state.trick if play.card.bit & TRUMPS), default=0)
    match principle:
        case "F7.3":
            hidden = me == state.partner and not state.sides_public
            return hidden and _feeds(trick, state) and _winner(trick) == state.taker and on.rises("half")
        case "F7.4":
            return card.bit == SKUS and mine.bit_count() <= LATE
        case "F7.6":
            trumps = [one.index for one in cards(mine & TRUMPS)]
            return trick.is_trump and card.index == min(trumps) and max(trumps) < top
        case "FR.excuse":
            return card.bit == SKUS and not trick.leads and not any(map(trick.wins, trick.legal))
        case "FR.petit.save":
            safe = on.falls("petitLost") and on.chance("petitLost") <= SAFE
            return card.bit == PAGAT and safe
        case "FR.petit.hunt":
            return trick.leads and trick.is_trump and bool(trick.out & PAGAT) and on.rises("petitWon")
        case "FR.petit.bout":
            return bool(mine & PAGAT) and card.bit != PAGAT and on.rises("petitBout")
        case "FR.trumps":
            return trick.leads and trick.is_trump and bool(trick.out & TRUMPS)
        case "FR.long":
            held = trick.suit.bit_count()
            return trick.leads and trick.longest and (trick.out & SUIT_CARDS[card.suit]).bit_count() < held
        case "FR.master":
            above = [one for one in cards(trick.out) if one.suit == card.suit]
            beaten = any(trick.height_of(one) > trick.height for one in above)
            return card.suit < TRUMP_SUIT and not beaten and trick.wins(card)
        case "FR.force":
            return trick.leads and state.taker in _void_in(state, card.suit) and me != state.taker
        case "FR.return":
            return trick.leads and _is_led_by_friend(state, card.suit, me)
        case "FR.ruff":
            lower = [one for one in trick.legal if one.bit & TRUMPS & ~PAGAT and one.index < card.index]
            return trick.is_trump and state.led in SUITS and top == 0 and not lower
        case "FR.win":
            return trick.takes(card) and rival is not None and not trick.wins(rival)
        case "FR.feed":
            better = on.rises("half") if state.side(me) == "taker" else on.falls("half")
            return _feeds(trick, state) and _winner(trick) in _friends(state, me) and better
        case "FR.low":
            worth = {one: _half_points(one) for one in trick.legal}
            loses = not trick.leads and not trick.wins(card)
            return loses and worth[card] == min(worth.values()) < max(worth.values())
    return False


def _half_points(card: Card) -> int:
    """What a card counts, in half points."""
    if card.bit & (SKUS | PAGAT) or card.value == "T21" or card.bit & KINGS:
        return 9
    return {"Q": 7, "N": 5, "J": 3}.get(card.value[1:], 1)


def _feeds(trick: Trick, state: french.State) -> bool:
    """Whether a court goes to a trick that somebody else is winning."""
    return not trick.leads and bool(trick.card.bit & COURTS) and not trick.wins(trick.card)


def _winner(trick: Trick) -> e.Seat:
    """Whose card stands highest as the trick lies."""
    return max(trick.state.trick, key=lambda play: trick.stands(play.card)).seat


def _friends(state: french.State, me: e.Seat) -> set[e.Seat]:
    """Those who are known to a seat to be of its side."""
    if not state.sides_public:
        return {state.taker} if me == state.partner and state.taker is not None else set()
    return {seat for seat in state.active if seat != me and state.side(seat) == state.side(me)}


def _is_led_by_friend(state: french.State, suit: int, me: e.Seat) -> bool:
    friends = _friends(state, me) - {state.taker}
    return any(
        past.plays[0].seat in friends and past.plays[0].card.suit == suit and past.plays[0].card.bit != SKUS
        for past in state.tricks
    )


def _void_in(state: french.State, suit: int) -> set[e.Seat]:
    """Who has shown to have no card of a suit."""
    found = set()
    for past in state.tricks:
        first = next((play for play in past.plays if play.card.bit != SKUS), None)
        if first is not None and first.card.suit == suit:
            found |= {play.seat for play in past.plays if play.card.suit != suit and play.card.bit != SKUS}
    return found


def _of_french_word(principle: str, on: Evidence, state: french.State) -> bool:
    hand = state.hands[on.view.seat]
    match principle, on.action:
        case "F7.1", e.Lay(cards=laid):
            kept = hand & ~mask(laid)
            void = any(hand & SUIT_CARDS[suit] and not kept & SUIT_CARDS[suit] for suit in SUITS)
            return void or bool(mask(laid) & COURTS)
        case "F7.2", e.ShowPoignee():
            event = "contract" if state.side(on.view.seat) == "taker" else "contractLost"
            return on.chance(event) >= HALF
        case "F7.5", e.Bid():
            return True
        case "FR.call", e.Call(card=card):
            held = [(hand & SUIT_CARDS[suit]).bit_count() for suit in SUITS]
            queen = bool(hand & QUEENS & SUIT_CARDS[card.suit])
            return not hand & card.bit and (queen or held[card.suit] == max(held))
        case "FR.slam", e.Decline():
            return bool(on.changes) and on.chance("slam") < HALF
    return False
