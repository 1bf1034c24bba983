"""What a seat knows of the cards in a Danish deal.

Where a table lets an error happen (`strict`), what the rule would prove is not taken as proved.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from functools import lru_cache

from ultimo.cards import PAGAT, SKUS, SUIT_CARDS, SUITS, TRUMPS, Cards
from ultimo.danish.dealing import DEALER_HAND
from ultimo.danish.declarations import FAMILIES, KINDS, MADE, TRUMP_BITS
from ultimo.danish.following import THIRD_LAST, legal_cards
from ultimo.danish.numbers import numbers
from ultimo.danish.phases import declares_on_skat, is_renamed, lead_passes, renaming_shows
from ultimo.danish.plausible import held
from ultimo.danish.skat import SIZE, never_laid
from ultimo.danish.state import State
from ultimo.events import CardPlayed, Declaration, Seat
from ultimo.kernel.worlds.facts import Facts, Heard, Laid, Spoken, ruled_out
from ultimo.play.following import NO_SUIT, SKUS_BIT
from ultimo.rulebook import DanishRules


def facts(rules: DanishRules, state: State, heard: Heard) -> Facts:
    """What the reader of a state knows."""
    found = Facts([*state.hands, state.skat], [*state.unseen, state.skat_unseen])
    for play in _plays(state):
        found.played[play.seat] |= play.card.bit
    if not rules.strict.follow:
        _from_plays(rules, state, heard, found)
        _from_words(rules, state, found)
    for seat in state.demands:  # from the holder only a refusal is accepted
        found.never(seat, SKUS)
    _from_last_lead(rules, state, found)
    if state.skat_unseen:
        _from_skat(rules, state, heard, found)
    if not rules.strict.declare:
        for seat in state.order:
            made = state.declared[seat]
            if made is not None and seat not in state.silenced:
                _from_declarations(rules, state, seat, made, found)
    return found


def _plays(state: State) -> Iterator[CardPlayed]:
    for trick in state.tricks:
        yield from trick.plays
    yield from state.trick


# --- play ----------------------------------------------------------------------------------------------


def _from_plays(rules: DanishRules, state: State, heard: Heard, found: Facts) -> None:
    """Who does not follow has none of the suit; who then plays no tarok has none; and so on.

    A demand of which it is not known when it came binds the third hand at least: it cannot come later.
    """
    demanded_after = 2 if heard.demanded_after is None else heard.demanded_after
    tricks = [(trick.plays, trick.led) for trick in state.tricks]
    for number, (plays, led) in enumerate([*tricks, (state.trick, state.led)], start=1):
        renamed = bool(plays) and plays[0].named is not None and SUITS[led] != plays[0].named
        for place, play in enumerate(plays):
            if play.card.bit == SKUS:
                continue  # which may be played in place of any card
            if place == 1 and renamed and rules.strict.skus_claim and not rules.skus.swap_on_rename:
                continue  # played before the skus was renamed, perhaps
            demanded = number == THIRD_LAST and state.demanded and place >= demanded_after
            in_force = led if place else NO_SUIT
            found.never(play.seat, _ruled_out(numbers(rules), play.card.index, in_force, number, demanded))


@lru_cache(maxsize=20_000)
def _ruled_out(n: tuple[int, ...], card: int, led: int, number: int, demanded: bool) -> Cards:
    """What a card shows its hand not to have."""
    return ruled_out(card, lambda suits, trumps: legal_cards(n, suits, trumps, led, number, demanded))


def _from_words(rules: DanishRules, state: State, found: Facts) -> None:
    """What was said, or by its rule not said, of the suit that a led skus was named as (rules B7)."""
    for trick in state.tricks:
        if trick.plays[0].named is not None:
            named = SUITS.index(trick.plays[0].named)
            if named != trick.led:
                _renamed(rules, found, SUIT_CARDS[named], [play.seat for play in trick.plays[1:]])
    if not state.trick or state.trick[0].named is None:
        return
    suit = SUIT_CARDS[SUITS.index(state.trick[0].named)]
    next_hand = state.after(state.trick[0].seat)
    third_hand = state.after(next_hand)
    followed = len(state.trick) > 1 and bool(state.trick[1].card.bit & suit)
    if state.renamed or state.phase == "name":
        _renamed(rules, found, suit, (next_hand, third_hand))
    elif state.void_claimed:
        found.never(next_hand, suit)
        if state.phase == "play":
            found.some.append(((third_hand,), suit))
    elif rules.skus.rename == "claim":
        if not rules.strict.skus_claim and len(state.trick) == 1:
            found.some.append(((next_hand,), suit))
    elif is_renamed(numbers(rules), False, False) and not followed:  # somebody has it, or it would be
        found.some.append(((next_hand, third_hand)[len(state.trick) - 1 :], suit))


def _renamed(rules: DanishRules, found: Facts, suit: Cards, seats: Sequence[Seat]) -> None:
    """A led skus is named anew: of the next and the third hand some lack the suit."""
    for place, seat in enumerate(seats):
        if renaming_shows(numbers(rules)) >> place & 1:
            found.never(seat, suit)


def _from_last_lead(rules: DanishRules, state: State, found: Facts) -> None:
    """A bare skus has passed the lead of the last trick on, and any other hand has not."""
    passes = lead_passes(numbers(rules), state.number, 0, SKUS_BIT) and not rules.strict.deal
    if not passes or not state.tricks:
        return
    winner = state.tricks[-1].winner
    leader = state.trick[0].seat if state.trick else state.turn
    if leader == winner:
        found.never(winner, SKUS)
    else:
        found.only(SKUS, winner)


# --- skat ----------------------------------------------------------------------------------------------


def _from_skat(rules: DanishRules, state: State, heard: Heard, found: Facts) -> None:
    """What the rules of laying (rules B4) say of a skat that lies face down."""
    skat, dealer = state.table, state.dealer
    answer = -1 if state.tarok_laid is None else state.tarok_laid
    if state.tout_laid:
        found.only(SKUS, skat)
    if rules.strict.skat:
        found.laid = Laid(dealer, found.played[dealer], answer)
        return
    found.never(skat, never_laid(rules, state.tout_laid))
    if heard.notice is not None:
        for card in heard.notice.cards:
            found.only(card.bit, skat)
    made = None if rules.strict.declare else state.declared[dealer]
    doubtful = _is_doubtful(rules, made)
    if not doubtful and rules.skat.forbid_declared:
        for one in made or ():
            found.never(skat, _kept(one) & ~SKUS)
    found.laid = Laid(
        dealer,
        found.played[dealer],
        answer,
        ruled=not doubtful,
        whole=rules.skat.tarok_all_or_none,
        doubtful=doubtful,
        tout=state.tout_laid,
        noticed=int(heard.notice is not None) if heard.all and rules.skat.disclose_declared != "none" else -1,
    )


def _is_doubtful(rules: DanishRules, made: tuple[Declaration, ...] | None) -> bool:
    """Whether the dealer may have had to lay what he would have to keep, or what he keeps is not known.

    He has three cards to spare unless nearly all of his 28 are tarokker, kings and courts he has declared.
    """
    on_skat = declares_on_skat(numbers(rules))
    known = made is not None and on_skat
    if rules.skat.forbid_declared and not known:
        return True
    tarokker = rules.decl.tarok.min - 1 if made is not None else 22
    courts = 0
    for one in made or ():
        tarokker = one.count if one.kind == "tarok" else tarokker
        courts += 3 if one.of not in (None, "K") and rules.skat.forbid_declared else 0
    if not on_skat:
        tarokker += SIZE
    return DEALER_HAND - tarokker - 4 - courts < SIZE


def _kept(one: Declaration) -> Cards:
    """The cards that a declaration keeps from the skat."""
    match one.kind:
        case "tarok":
            return TRUMPS
        case "matadors" | "matadorsBelow":
            return held(one)
        case _:
            return FAMILIES[one.of or "K"]


# --- declarations --------------------------------------------------------------------------------------


def _from_declarations(
    rules: DanishRules, state: State, seat: Seat, made: tuple[Declaration, ...], found: Facts
) -> None:
    """What a hand has declared it holds, and what it has not declared it does not hold."""
    laid = seat == state.dealer and declares_on_skat(numbers(rules))
    rows = (seat, state.table) if laid else (seat,)
    least, most = 0, rules.decl.tarok.min - 1
    for one in made:
        certain, lacked = held(one), _lacked(rules, one)
        if one.kind == "half" and one.missing is None:
            three, fourth = _half(found, seat, rows, FAMILIES[one.of or "K"])
            certain, lacked = certain | three, lacked | fourth
        found.only(certain, *rows)
        for row in rows:
            found.never(row, lacked)
        if one.kind == "tarok":
            least = most = one.count
    found.spoken.append(Spoken(rows, found.played[seat], least, most, _written(made)))


def _half(found: Facts, seat: Seat, rows: tuple[int, ...], family: Cards) -> tuple[Cards, Cards]:
    """The three of a family that a hand holds and the fourth, where the cards that lie open tell them apart.

    Nobody is told which card is missing: it is one that lies elsewhere, or the one beside three.
    """
    here, elsewhere = found.played[seat] & family, 0
    for row, known in enumerate(found.known):
        if row in rows:
            here |= known & family
        else:
            elsewhere |= (known | found.played[row]) & family
    if elsewhere:
        return family & ~elsewhere, elsewhere
    return (here, family & ~here) if here.bit_count() == 3 else (0, 0)


def _lacked(rules: DanishRules, one: Declaration) -> Cards:
    """The cards that a hand with this declaration does not have."""
    match one.kind:
        case "tarok" if one.pagat is False:
            return PAGAT
        case "matadors" if one.count < 22:
            return TRUMP_BITS[23 - one.count]
        case "matadorsBelow" if one.count < 22:
            return TRUMP_BITS[one.count]
        case "half" if one.missing is not None:
            return one.missing.bit
        case "full" if rules.decl.overfull:
            return SKUS
        case _:
            return 0


def _written(made: tuple[Declaration, ...]) -> tuple[int, ...]:
    """Declarations as the compiled rule writes them."""
    numbers = [len(made)]
    for one in made:
        family = tuple(FAMILIES).index(one.of) if one.of else 0
        numbers += [KINDS.index(one.kind), one.count, family]
    return tuple(numbers + [0] * (MADE - len(numbers)))
