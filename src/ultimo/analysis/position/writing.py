"""A position in play as its line of text: what `read` reads as the same position."""

from __future__ import annotations

from collections.abc import Iterator, Mapping

import msgspec

from ultimo import danish, deal, french, rulebook
from ultimo.analysis.position.scanning import DANISH_SEATS, FRENCH_SEATS
from ultimo.cards import ALL_TRUMPS, PAGAT, SKUS, SUIT_CARDS, SUITS, Card, Cards, cards
from ultimo.danish.evolve import before_trick
from ultimo.danish.following import THIRD_LAST
from ultimo.events import CardPlayed, Seat
from ultimo.french.counting import excuse_fate, excuse_gain, half_points, taker_pile
from ultimo.french.reckoning import pile_bouts
from ultimo.play.counting import honours_of
from ultimo.play.following import FIRST_TRUMP
from ultimo.rulebook import DanishRules, FrenchRules, Rules

DANISH_PHASES = ("announce", "demand", "play", "name")


class NoPosition(ValueError):
    """A state that a line of text cannot hold, and why."""


def seats(state: deal.State) -> dict[str, Seat]:
    """The letters of those who play, in order of play from the dealer's right."""
    if isinstance(state, danish.State):
        return dict(zip(DANISH_SEATS, state.order, strict=True))
    return {FRENCH_SEATS[place]: (state.forehand + place) % state.table for place in range(state.table)}


def write(rules: Rules, state: deal.State) -> str:
    """The line of text of a position in play with all its cards known, always the same for the same.

    What it says is enough to play on and to settle: `read` gives the same position, though the tricks that
    have gone may be made up of other cards. Raises `NoPosition` for a state that is not in play, hides
    cards, or has seen errors.
    """
    if any(state.unseen):
        raise NoPosition("not all cards are known")
    match rules, state:
        case DanishRules(), danish.State():
            clauses = _danish(rules, state)
        case FrenchRules(), french.State():
            clauses = _french(rules, state)
        case _:
            raise NoPosition("the position is one of another game")
    hands = " / ".join(
        f"{letter} {_cards(state.hands[seat])}".rstrip() for letter, seat in seats(state).items()
    )
    return "; ".join((f"{rules.id}: {hands}", *clauses, *_house(rules)))


def _cards(some: Cards) -> str:
    """Cards, the trumps first and the high ones before the low."""
    return " ".join(card.value for part in (ALL_TRUMPS, *SUIT_CARDS[:4]) for card in _falling(some & part))


def _falling(some: Cards) -> list[Card]:
    return sorted(cards(some), key=lambda card: (card.bit == SKUS, -card.index))


def _house(rules: Rules) -> Iterator[str]:
    """Where the rules depart from today's book, each as the sheet of a record has a house rule."""
    for key, value in sorted(rulebook.overrides(rules, rulebook.load(rules.id)).items()):
        yield f"house {key}={msgspec.json.encode(value).decode()}"


def _turn(letters: Mapping[Seat, str], state: deal.State) -> Iterator[str]:
    """Who leads; or what lies on the table, from which it follows whose turn it is."""
    if state.trick:
        yield f"trick {', '.join(_played(letters, play) for play in state.trick)}"
    elif state.turn is not None:
        yield f"{letters[state.turn]} leads"


def _played(letters: Mapping[Seat, str], play: CardPlayed) -> str:
    named = f"={play.named}" if play.named else ""
    return f"{letters[play.seat]} {play.card.value}{named}"


# --- Danish --------------------------------------------------------------------------------------------


def _danish(rules: DanishRules, state: danish.State) -> Iterator[str]:
    if state.phase not in DANISH_PHASES or state.interrupted or state.stopping:
        raise NoPosition(f"no card is to be played in the phase {state.phase!r}")
    if state.faults or state.found or state.fines or state.claims or state.skat_unseen:
        raise NoPosition("what follows from an error has no place in a line of text")
    letters = {seat: letter for letter, seat in seats(state).items()}
    yield from _turn(letters, state)
    if state.renamed:
        yield f"renamed {SUITS[state.led]}"
    yield from _windows(rules, state, letters)
    if rules.has_cups:
        yield f"cups {state.king} {state.pagat}"
    if state.number > 1:
        yield "won " + " ".join(f"{letter} {state.won[seat]}" for seat, letter in letters.items())
        yield from _piles(state, letters)
    yield f"skat {_cards(state.skat)}"
    for one in state.announced:
        yield f"announced {letters[one.seat]} {one.kind} {one.before}"
    if state.table != len(letters):
        yield f"players {state.table}"


def _piles(state: danish.State, letters: Mapping[Seat, str]) -> Iterator[str]:
    """The honours that have been won: all others count alike."""
    worth = {
        letter: sum(card.bit for card in cards(state.piles[seat]) if honours_of(card.bit))
        for seat, letter in letters.items()
    }
    if any(worth.values()):
        yield "piles " + ", ".join(f"{letter} {_cards(some)}" for letter, some in worth.items() if some)


def _windows(rules: DanishRules, state: danish.State, letters: Mapping[Seat, str]) -> Iterator[str]:
    """Who has demanded the skus, and who is still asked, where it is not as at the beginning of a window."""
    if state.number == THIRD_LAST:
        yield from (f"{letters[seat]} demands" for seat in state.order if seat in state.demands)
    if state.phase == "demand":
        yield "demand"
        if state.asked != state.order:
            yield f"asked {_letters(letters, state.asked)}"
    elif state.phase == "announce":
        if state.asked != before_trick(rules, state).asked:
            yield f"asked {_letters(letters, state.asked)}"
    elif not state.trick and before_trick(rules, state).phase == "announce":
        yield "asked nobody"


def _letters(letters: Mapping[Seat, str], some: tuple[Seat, ...]) -> str:
    return " ".join(letters[seat] for seat in some)


# --- French --------------------------------------------------------------------------------------------


def _french(rules: FrenchRules, state: french.State) -> Iterator[str]:
    if state.phase != "play" or state.turn is None or state.taker is None or state.contract is None:
        raise NoPosition(f"no card is to be played in the phase {state.phase!r}")
    if state.chien_unseen or state.ecart_unseen:
        raise NoPosition("not all cards are known")
    letters = {seat: letter for letter, seat in seats(state).items()}
    yield from _turn(letters, state)
    partner = "" if state.partner is None else f" with {letters[state.partner]}"
    yield f"{letters[state.taker]} takes {state.contract.id}{partner}"
    if state.called is not None:
        yield f"called {state.called.value}"
    if state.tricks:
        yield from _past(rules, state, letters)
    yield f"aside {_cards(state.ecart or state.chien)}"
    for shown in state.poignees:
        yield f"poignee {letters[shown.seat]} {len(shown.cards)}"
    if state.slam is not None:
        yield f"slam {letters[state.slam]}"


def _past(rules: FrenchRules, state: french.State, letters: Mapping[Seat, str]) -> Iterator[str]:
    """What the tricks that have gone come to."""
    pile = taker_pile(state)
    more, more_bouts = excuse_gain(rules, state)
    whole, half = divmod(half_points(pile) + more, 2)
    bouts = pile_bouts(pile >> FIRST_TRUMP) + more_bouts
    yield f"taker has {whole}{'.5' if half else ''} points {bouts} bouts"
    yield f"tricks {sum(state.side(trick.winner) == 'taker' for trick in state.tricks)}"
    if fate := excuse_fate(rules, state):
        yield f"excuse {letters[fate.seat]}"
    if len(state.tricks) == rules.deal.hand - 1 and state.tricks[-1].cards & PAGAT:
        yield "petit last"
