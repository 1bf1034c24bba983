"""From the plain engine to the array of a Danish deal and back: the same deal, told in both ways."""

from __future__ import annotations

from ultimo import events as e
from ultimo.cards import PACK, SUITS
from ultimo.danish.declarations import FAMILIES, KINDS, MADE, PAGAT_BIT
from ultimo.danish.numbers import numbers
from ultimo.danish.state import State
from ultimo.kernel.arrays import ints, zeros
from ultimo.kernel.danish import layout as at
from ultimo.kernel.danish import memory
from ultimo.kernel.jit import Ints
from ultimo.kernel.sets import words
from ultimo.play.counting import honours_of
from ultimo.play.following import SKUS_CARD
from ultimo.rulebook import DanishRules

PHASES = {
    "handCheck": at.HANDS,
    "skat": at.LAYING,
    "announce": at.ANNOUNCE,
    "demand": at.DEMAND,
    "play": at.PLAY,
    "name": at.NAME,
}
WORDS: dict[int, e.Action] = {
    at.DECLINE: e.Decline(),
    at.DEMAND_SKUS: e.DemandSkus(),
    at.NOLO: e.Announce("nolo"),
    at.TOUT: e.Announce("tout"),
    at.ACCEPT: e.Accept(),
    at.DEMAND_REDEAL: e.DemandRedeal(),
}


def from_view(rules: DanishRules, state: State, seat: e.Seat) -> Ints:
    """The array as a seat sees it that is to act: hands that it does not see are empty.

    The memory behind it is what everybody has seen.
    """
    if state.phase not in PHASES:
        raise ValueError(f"nothing is decided by the cards in the phase {state.phase!r}")
    s = zeros(at.LENGTH)
    place = {one: number for number, one in enumerate(state.order)}
    s[at.PHASE], s[at.TURN] = PHASES[state.phase], place[seat]
    _put_table(s, state, place)
    _put_hands(s, state)
    _put_trick(s, state, place)
    _put_memory(rules, s, state, place)
    return s


def _put_table(s: Ints, state: State, place: dict[e.Seat, int]) -> None:
    s[at.TABLE_SIZE], s[at.KING_CUP], s[at.PAGAT_CUP] = state.table, state.king, state.pagat
    s[at.WINNER] = at.NOBODY
    s[at.CHARGED] = at.NOBODY if state.charged is None else place[state.charged]
    s[at.BANNED] = sum(1 << place[one] for one in state.banned)
    s[at.BARREN] = sum(1 << place[one] for one in state.barren)
    for one, number in place.items():
        s[at.NET + number] = state.net[one]
        s[at.TRICKS_WON + number] = state.won[one]
        s[at.HONOURS + number] = honours_of(state.piles[one])
    for said in state.announced:
        s[(at.NOLO_BEFORE if said.kind == "nolo" else at.TOUT_BEFORE) + place[said.seat]] = said.before
    s[at.ASKED] = sum(1 << place[one] for one in state.asked)
    if state.phase == "handCheck":
        s[at.ASKED] = 1 << s[at.TURN]
    s[at.TOUT_LAID] = state.tout_laid


def _put_hands(s: Ints, state: State) -> None:
    for number, one in enumerate(state.order):
        s[at.SUITS + number], s[at.TRUMPS + number] = words(state.hands[one])
        s[at.DEALT_SUITS + number], s[at.DEALT_TRUMPS + number] = words(state.dealt[one])
    s[at.SKAT_SUITS], s[at.SKAT_TRUMPS] = words(state.skat)
    s[at.LAID] = 0 if state.phase in ("handCheck", "skat") else 3


def _put_trick(s: Ints, state: State, place: dict[e.Seat, int]) -> None:
    s[at.NUMBER], s[at.LED], s[at.PLAYED] = state.number, state.led, len(state.trick)
    s[at.DEMANDED], s[at.SKUS_GONE] = state.demanded, state.skus_gone
    for turn, play in enumerate(state.trick):
        s[at.LAST_CARDS + turn] = play.card.index
    s[at.TRICK_SUITS], s[at.TRICK_TRUMPS] = words(sum(play.card.bit for play in state.trick))
    if state.trick:
        s[at.LEADER] = place[state.trick[0].seat]
    elif state.phase in ("play", "announce", "demand"):
        s[at.LEADER] = place[state.turn]


def _put_memory(rules: DanishRules, s: Ints, state: State, place: dict[e.Seat, int]) -> None:
    n = ints(numbers(rules))
    for plays, led in (*((trick.plays, trick.led) for trick in state.tricks), (state.trick, state.led)):
        for turn, play in enumerate(plays):
            memory.see_card(s, place[play.seat], play.card.index, led, turn)
            if play.named is not None and SUITS.index(play.named) != led:
                memory.see_renamed(n, s, place[play.seat], SUITS.index(play.named))
    for one, number in place.items():
        if said := state.declared[one]:
            made, pagat, courts = _made(said)
            memory.hear_hand(n, s, number, made, pagat, courts)
    s[at.HEARD] = state.phase not in ("handCheck", "skat")


def _made(said: tuple[e.Declaration, ...]) -> tuple[Ints, int, int]:
    """Declarations as numbers; whether they tell the pagat, and the courts they tell."""
    made, pagat, courts = zeros(MADE), 0, 0
    made[0] = len(said)
    for row, one in enumerate(said):
        family = 0
        if one.of is not None:
            family = tuple(FAMILIES).index(one.of)
            courts |= FAMILIES[one.of] & ~(one.missing.bit if one.missing else 0)
        for spot, number in enumerate((KINDS.index(one.kind), one.count or 0, family), 1 + 3 * row):
            made[spot] = number
        pagat |= PAGAT_BIT if one.pagat else 0
    return made, pagat, courts


def to_action(phase: int, action: int) -> e.Action:
    """What an action is called at the table; the cards of a skat are one action there."""
    if phase == at.LAYING:
        raise ValueError("a skat is laid in several actions")
    if action < at.FIRST_WORD:
        return e.Play(PACK[action])
    if action < at.RENAME_SKUS:
        return e.Play(PACK[SKUS_CARD], SUITS[action - at.LEAD_SKUS])
    if action < at.DECLINE:
        return e.NameSkus(SUITS[action - at.RENAME_SKUS])
    return WORDS[action]


def from_action(action: e.Action) -> int:
    """The number of an action at the table."""
    match action:
        case e.Play(card, None):
            return card.index
        case e.Play(_, suit):
            return at.LEAD_SKUS + SUITS.index(suit)
        case e.NameSkus(suit):
            return at.RENAME_SKUS + SUITS.index(suit)
        case _:
            return next(number for number, word in WORDS.items() if word == action)
