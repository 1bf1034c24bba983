"""What a place at a Danish table observes: its own cards, and what everybody has seen."""

from __future__ import annotations

import numpy as np
import numpy.typing as npt

from ultimo.kernel.bits import lowest
from ultimo.kernel.danish import layout as at
from ultimo.kernel.jit import Ints, inlined, tight
from ultimo.play.following import FIRST_TRUMP, NO_SUIT
from ultimo.research.layout import CARDS, Fields

Floats = npt.NDArray[np.float32]

PLACES, SUITS = 3, 5
DEALER = 2

_field = Fields("danish", 1)
HAND = _field.planes("hand", "the cards in hand")
SKAT = _field.planes("skat", "the cards that the observer has laid; empty for all but the dealer")
TABLE = _field.planes("table", "the card that each player has on the table", PLACES)
PLAYED = _field.planes("played", "the cards that each player has played, those on the table included", PLACES)
HELD = _field.planes("held", "the cards that each player has told by declaring, played or not", PLACES)
LACKED = _field.planes("lacked", "the cards that each player was not dealt, as declarations tell", PLACES)
PHASE = _field.numbers(
    "phase",
    6,
    "1 for what is decided: asking for other cards, laying, announcing, demanding, playing, naming",
)
PLACE = _field.numbers("place", PLACES, "1 for where the observer sits: forehand, middle, dealer")
TURN = _field.numbers(
    "turn",
    PLACES,
    "1 for the player who is to act; if others are asked for what only some may demand, nobody",
)
LEADER = _field.numbers("leader", PLACES, "1 for the player who led to the trick on the table, or leads next")
LED = _field.numbers("led", SUITS, "1 for the suit that was led: spades, hearts, clubs, diamonds, trumps")
TRICK = _field.numbers("trick", 1, "the number of the trick, from 1")
DEMANDED = _field.numbers("demanded", 1, "1 if the skus has been demanded")
LAID = _field.numbers("laid", 1, "how many cards the observer has laid as dealer, while laying")
TOUT_LAID = _field.numbers("tout_laid", 1, "1 if the observer lays as for a tout")
TRICKS = _field.numbers("tricks", PLACES, "tricks won, by player")
HONOURS = _field.numbers("honours", PLACES, "honours in the tricks won, by player")
TRUMPS = _field.numbers("trumps_declared", PLACES, "trumps declared, by player; 0 if none")
VOID = _field.numbers(
    "void", PLACES * SUITS, "1 for a suit that a player has shown not to have, five a player"
)
LEADS = _field.numbers("leads", PLACES * SUITS, "how often a player has led each suit, five a player")
NOLO = _field.numbers("nolo", PLACES, "the trick before which a player announced nolo; 0 if not")
TOUT = _field.numbers("tout", PLACES, "the trick before which a player announced tout; 0 if not")
NET = _field.numbers("net", PLACES, "points won or lost in this deal so far, by player")
CUPS = _field.numbers("cups", 2, "what the king's cup and the pagat's cup hold")
SEATS = _field.numbers("seats", 1, "how many people are at the table")
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
