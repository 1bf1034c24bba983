"""What a place at a Danish table observes: its own cards, and what everybody has seen."""

from __future__ import annotations

import numpy as np
import numpy.typing as npt

from ultimo.danish.following import LAST
from ultimo.kernel.bits import lowest
from ultimo.kernel.danish import layout as at
from ultimo.kernel.jit import Ints, inlined, tight
from ultimo.play.following import FIRST_TRUMP, NO_SUIT
from ultimo.research import layout
from ultimo.research.layout import CARDS, Fields, players

Floats = npt.NDArray[np.float32]

PLACES, SUITS = 3, len(layout.SUITS)
DEALER = 2
ALL_TRUMPS, ALL_HONOURS = CARDS - FIRST_TRUMP, 52
PHASES = ("asking for other cards", "laying", "announcing", "demanding", "playing", "naming")
BY_PLAYER = players(PLACES)

_field = Fields("danish", 1)
HAND = _field.planes("hand", "the cards in hand")
SKAT = _field.planes("skat", "the cards that the observer has laid; empty for all but the dealer")
TABLE = _field.planes("table", "the card that each player has on the table", BY_PLAYER)
PLAYED = _field.planes(
    "played", "the cards that each player has played, those on the table included", BY_PLAYER
)
HELD = _field.planes("held", "the cards that each player has told by declaring, played or not", BY_PLAYER)
LACKED = _field.planes("lacked", "the cards that each player was not dealt, as declarations tell", BY_PLAYER)
PHASE = _field.numbers("phase", "1 for what is decided", PHASES)
PLACE = _field.numbers("place", "1 for where the observer sits", ("forehand", "middle", "dealer"))
TURN = _field.numbers(
    "turn",
    "1 for the player who is to act; if others are asked for what only some may demand, nobody",
    BY_PLAYER,
)
LEADER = _field.numbers(
    "leader", "1 for the player who led to the trick on the table, or leads next", BY_PLAYER
)
LED = _field.numbers("led", "1 for the suit that was led", layout.SUITS)
TRICK = _field.numbers("trick", "the number of the trick, from 1", high=LAST)
DEMANDED = _field.numbers("demanded", "1 if the skus has been demanded")
LAID = _field.numbers("laid", "how many cards the observer has laid as dealer, while laying", high=3)
TOUT_LAID = _field.numbers("tout_laid", "1 if the observer lays as for a tout")
TRICKS = _field.numbers("tricks", "tricks won", BY_PLAYER, high=LAST)
HONOURS = _field.numbers(
    "honours",
    "what the honours in the tricks won count: 4, 3, 2, 1, and 52 in all",
    BY_PLAYER,
    high=ALL_HONOURS,
)
TRUMPS = _field.numbers(
    "trumps_declared", "how many trumps a player has declared; 0 if none", BY_PLAYER, high=ALL_TRUMPS
)
VOID = _field.numbers("void", "1 for a suit that a player has shown not to have", BY_PLAYER, layout.SUITS)
LEADS = _field.numbers("leads", "how often a player has led each suit", BY_PLAYER, layout.SUITS, high=LAST)
NOLO = _field.numbers(
    "nolo", "the trick before which a player announced nolo; 0 if not", BY_PLAYER, high=LAST
)
TOUT = _field.numbers(
    "tout", "the trick before which a player announced tout; 0 if not", BY_PLAYER, high=LAST
)
NET = _field.numbers(
    "net", "points won or lost in this deal so far", BY_PLAYER, low=-layout.POINTS, high=layout.POINTS
)
CUPS = _field.numbers("cups", "what a cup holds", ("king's cup", "pagat's cup"), high=layout.POINTS)
SEATS = _field.numbers("seats", "how many people are at the table", high=5)
LAYOUT = _field.layout()


@tight
def observe(states: Ints, places: Ints, out: Floats) -> None:
    """Write down what one place of each deal observes; a row stays empty where there is none (-1)."""
    for row in range(len(states)):
        for spot in range(len(out[row])):
            out[row, spot] = 0
        if places[row] >= 0:
            _observe(states[row], places[row], out[row])


@inlined
def _observe(s: Ints, me: int, o: Floats) -> None:
    spread(o, HAND, s[at.SUITS + me], s[at.TRUMPS + me])
    if me == DEALER:
        spread(o, SKAT, s[at.SKAT_SUITS], s[at.SKAT_TRUMPS])
        if s[at.PHASE] == at.LAYING:
            o[LAID] = s[at.LAID]
            o[TOUT_LAID] = s[at.TOUT_LAID]
    for spot in range(s[at.PLAYED]):
        player = (s[at.LEADER] + spot - me) % PLACES
        o[TABLE + CARDS * player + s[at.LAST_CARDS + spot]] = 1
    o[PHASE + s[at.PHASE] - at.HANDS] = 1
    o[PLACE + me] = 1
    if s[at.TURN] == me or s[at.PHASE] not in (at.HANDS, at.DEMAND):
        o[TURN + (s[at.TURN] - me) % PLACES] = 1
    if s[at.PHASE] >= at.ANNOUNCE:
        o[LEADER + (s[at.LEADER] - me) % PLACES] = 1
    if s[at.LED] != NO_SUIT:
        o[LED + s[at.LED]] = 1
    o[TRICK] = s[at.NUMBER]
    o[DEMANDED] = s[at.DEMANDED]
    o[CUPS] = s[at.KING_CUP]
    o[CUPS + 1] = s[at.PAGAT_CUP]
    o[SEATS] = s[at.TABLE_SIZE]
    for player in range(PLACES):
        _observe_player(s, (me + player) % PLACES, player, o)


@inlined
def _observe_player(s: Ints, place: int, player: int, o: Floats) -> None:
    """What everybody knows of a place; `player` counts from the observer on."""
    spread(o, PLAYED + CARDS * player, s[at.OUT_SUITS + place], s[at.OUT_TRUMPS + place])
    spread(o, HELD + CARDS * player, s[at.HELD_SUITS + place], s[at.HELD_TRUMPS + place])
    spread(o, LACKED + CARDS * player, s[at.LACKED_SUITS + place], s[at.LACKED_TRUMPS + place])
    o[TRICKS + player] = s[at.TRICKS_WON + place]
    o[HONOURS + player] = s[at.HONOURS + place]
    o[TRUMPS + player] = s[at.TAROKKER + place]
    for suit in range(SUITS):
        o[VOID + SUITS * player + suit] = s[at.VOID + place] >> suit & 1
        o[LEADS + SUITS * player + suit] = s[at.LEADS + SUITS * place + suit]
    o[NOLO + player] = s[at.NOLO_BEFORE + place]
    o[TOUT + player] = s[at.TOUT_BEFORE + place]
    o[NET + player] = s[at.NET + place]


@inlined
def spread(o: Floats, plane: int, suits: int, trumps: int) -> None:
    """Put a set of cards into a plane."""
    while suits:
        o[plane + lowest(suits)] = 1
        suits &= suits - 1
    while trumps:
        o[plane + FIRST_TRUMP + lowest(trumps)] = 1
        trumps &= trumps - 1
