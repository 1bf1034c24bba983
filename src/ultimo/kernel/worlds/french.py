"""What a seat knows of the cards in a French deal."""

from __future__ import annotations

from functools import lru_cache

from ultimo.cards import ALL_TRUMPS, KINGS, SKUS, SUITS_WORD, TRUMPS, Cards, mask
from ultimo.events import CardPlayed
from ultimo.french.following import led_suit, legal_cards, trump_number
from ultimo.french.legal import RANKS_CALLED
from ultimo.french.state import State
from ultimo.kernel.worlds.facts import Bare, Facts
from ultimo.play.following import FIRST_TRUMP
from ultimo.rulebook import FrenchRules

PLAIN = SUITS_WORD & ~KINGS  # the cards that an écart is made of


def facts(rules: FrenchRules, state: State) -> Facts:
    """What the reader of a state knows. The last row is the closed chien, and then the écart."""
    pile_unseen = state.chien_unseen + state.ecart_unseen
    found = Facts([*state.hands, state.chien | state.ecart], [*state.unseen, pile_unseen])
    for trick in state.tricks:
        _from_plays(trick.plays, found)
    _from_plays(state.trick, found)
    for shown in state.poignees:
        together = mask(shown.cards)
        if together & SKUS:  # shown only with all the trumps that a hand has (I-C.13)
            found.never(shown.seat, TRUMPS & ~together)
    if state.taker is not None:
        _from_ecart(state, found)
        _from_call(rules, state, found)
    if rules.deal.petit_sec != "off" and (state.phase != "closed" or state.bids):
        _from_no_petit_sec(state, found)
    return found


def _from_plays(plays: tuple[CardPlayed, ...], found: Facts) -> None:
    """Who does not follow, does not trump or does not overtrump could not."""
    trick: list[int] = []
    for play in plays:
        card = play.card.index
        top = max(map(trump_number, trick), default=0)
        found.played[play.seat] |= play.card.bit
        found.never(play.seat, ruled_out(card, led_suit(trick), top))
        trick.append(card)


@lru_cache(maxsize=20_000)
def ruled_out(card: int, led: int, top: int) -> Cards:
    """The cards that a hand which played `card` cannot have held beside it.

    Each card is tried alone: whether a play is legal depends on no two other cards together. What may not
    be led to the first trick depends on no hand at all.
    """
    forbidden = 0
    for other in range(78):
        both = 1 << card | 1 << other
        suits, trumps = legal_cards(both & SUITS_WORD, both >> FIRST_TRUMP, led, top, 0)
        if not (suits | trumps << FIRST_TRUMP) >> card & 1:
            forbidden |= 1 << other
    return forbidden


def _from_ecart(state: State, found: Facts) -> None:
    """The taker has the chien he took up, and lays neither king nor, if he can help it, a trump.

    Rule: 002 §7; I-C.4.
    """
    taker, pile = state.taker, state.table
    assert taker is not None
    laid = bool(state.ecart or state.ecart_unseen)
    found.only(state.shown, taker, pile)
    if laid:
        found.never(pile, KINGS | ALL_TRUMPS)
    if state.trumps_laid:
        found.never(taker, PLAIN)


def _from_call(rules: FrenchRules, state: State, found: Facts) -> None:
    """Who names a lower court holds all four of each rank above, and did before he took up the chien.

    Rule: 002 §16; I-C.18.
    """
    if state.called is None:
        return
    taker, pile = state.taker, state.table
    assert taker is not None
    laid = bool(state.ecart or state.ecart_unseen)
    for rank in (rules.call.card, *rules.call.fallback):
        courts = RANKS_CALLED.get(rank, 0)
        if courts & state.called.bit:
            return
        found.only(courts, *((taker, pile) if laid else (taker,)))


def _from_no_petit_sec(state: State, found: Facts) -> None:
    """The deal has not been thrown in: nobody was dealt the petit as his only trump.

    Rule: 002 §5; I-C.3.
    """
    for seat in range(state.table):
        if seat == state.taker and state.contract is not None and state.contract.chien == "taken":
            found.bare.append(Bare(seat, found.played[seat] | state.trumps_laid, state.shown))
        else:
            found.bare.append(Bare(seat, found.played[seat], 0))
