"""What a seat at a French table observes: its own cards, and what everybody has seen."""

from __future__ import annotations

from ultimo.french import numbers as rule
from ultimo.kernel.french import layout as at
from ultimo.kernel.jit import Ints, inlined, tight
from ultimo.play.following import NO_SUIT
from ultimo.research import layout
from ultimo.research.danish import ALL_TRUMPS, Floats, spread
from ultimo.research.layout import CARDS, Fields, players

PLAYERS, SUITS = at.MOST_SEATS, len(layout.SUITS)
MOST_TRICKS = 24
PHASES = ("bidding", "calling", "laying", "a slam", "playing", "the trumps of a poignée")
LADDER = ("petite", "garde", "garde sans le chien", "garde contre le chien")
BY_PLAYER = players(PLAYERS)

_field = Fields("french", 1)
HAND = _field.planes("hand", "the cards in hand")
CHIEN = _field.planes("chien", "the chien, if it was turned up")
ECART = _field.planes("ecart", "the cards that the observer has laid aside as the taker")
CALLED = _field.planes("called", "the card that was called")
TABLE = _field.planes("table", "the card that each player has on the table", BY_PLAYER)
PLAYED = _field.planes(
    "played", "the cards that each player has played, those on the table included", BY_PLAYER
)
SHOWN = _field.planes("shown", "the trumps that each player has shown as a poignée, played or not", BY_PLAYER)
PHASE = _field.numbers("phase", "1 for what is decided", PHASES)
GAME = _field.numbers("game", "1 for the number of players", ("3 players", "4 players", "5 players"))
BEHIND = _field.numbers("dealer", "1 for the player who deals", BY_PLAYER)
TURN = _field.numbers("turn", "1 for the player who is to act", BY_PLAYER)
TAKER = _field.numbers(
    "taker", "1 for the taker; while the bidding lasts, for the highest bidder so far", BY_PLAYER
)
CONTRACT = _field.numbers("contract", "1 for the highest bid so far", LADDER)
BIDS = _field.numbers(
    "bids",
    "what each player has said: 0 nothing yet, 1 pass, 2 the lowest bid, …",
    BY_PLAYER,
    high=1 + rule.MOST_BIDS,
)
SIDE = _field.numbers(
    "side", "1 for the side on which the observer knows to be", ("the taker's side", "the other side")
)
SIDES = _field.numbers("sides", "1 for everybody on the taker's side, once all know the sides", BY_PLAYER)
SLAM = _field.numbers("slam", "1 for a player who has announced a slam", BY_PLAYER)
POIGNEES = _field.numbers("poignees", "how many trumps each player has shown", BY_PLAYER, high=ALL_TRUMPS)
LEADER = _field.numbers(
    "leader", "1 for the player who led to the trick on the table, or leads next", BY_PLAYER
)
LED = _field.numbers("led", "1 for the suit that was led", layout.SUITS)
TRICK = _field.numbers("trick", "the number of the trick, from 0", high=MOST_TRICKS)
TRICKS = _field.numbers("tricks", "tricks won", BY_PLAYER, high=MOST_TRICKS)
VOID = _field.numbers("void", "1 for a suit that a player has shown not to have", BY_PLAYER, layout.SUITS)
LEFT = _field.numbers("left", "how many cards the observer has still to lay, or to show", high=ALL_TRUMPS)
LAYOUT = _field.layout()


@tight
def observe(n: Ints, states: Ints, seats: Ints, out: Floats) -> None:
    """Write down what one seat of each deal observes; a row stays empty where there is none (-1)."""
    for row in range(len(states)):
        for spot in range(len(out[row])):
            out[row, spot] = 0
        if seats[row] >= 0:
            _observe(n[rule.PLAYERS], states[row], seats[row], out[row])


@inlined
def _observe(players: int, s: Ints, me: int, o: Floats) -> None:
    phase = s[at.PHASE]
    taken = phase not in (at.BIDDING, at.CALLING)
    spread(o, HAND, s[at.SUITS + me], s[at.TRUMPS + me])
    spread(o, CHIEN, s[at.CHIEN_SEEN_SUITS], s[at.CHIEN_SEEN_TRUMPS])
    if taken and s[at.TAKER] == me:
        spread(o, ECART, s[at.ECART_SUITS], s[at.ECART_TRUMPS])
    if s[at.CALLED] != at.NOTHING:
        o[CALLED + s[at.CALLED]] = 1
    for spot in range(s[at.PLACE]):
        player = (s[at.LEADER] + spot - me) % players
        o[TABLE + CARDS * player + s[at.TABLE + spot]] = 1
    o[PHASE + (at.PLAYING if phase == at.SHOWING and s[at.TURN] != me else phase)] = 1
    o[GAME + players - 3] = 1
    _point(o, BEHIND, s[at.DEALER], me, players)
    _point(o, TURN, s[at.TURN], me, players)
    _point(o, TAKER, s[at.TAKER], me, players)
    if s[at.CONTRACT] != at.NOTHING:
        o[CONTRACT + s[at.CONTRACT]] = 1
    if taken:
        _observe_sides(players, s, me, o)
    _point(o, SLAM, s[at.ANNOUNCER], me, players)
    if phase in (at.PLAYING, at.SHOWING):
        _point(o, LEADER, s[at.LEADER], me, players)
    if s[at.LED] != NO_SUIT:
        o[LED + s[at.LED]] = 1
    o[TRICK] = s[at.TRICK]
    if s[at.TURN] == me:
        o[LEFT] = s[at.LEFT]
    for player in range(players):
        _observe_player(s, (me + player) % players, player, o)


@inlined
def _observe_sides(players: int, s: Ints, me: int, o: Floats) -> None:
    """The taker and the partner know their side from the call on, the others when all do."""
    if s[at.TAKER] == me or s[at.PARTNER] == me:
        o[SIDE] = 1
    elif s[at.SIDES_PUBLIC]:
        o[SIDE + 1] = 1
    if s[at.SIDES_PUBLIC]:
        for player in range(players):
            o[SIDES + player] = s[at.SIDES] >> (me + player) % players & 1


@inlined
def _observe_player(s: Ints, seat: int, player: int, o: Floats) -> None:
    """What everybody knows of a seat; `player` counts from the observer on."""
    spread(o, PLAYED + CARDS * player, s[at.PLAYED_SUITS + seat], s[at.PLAYED_TRUMPS + seat])
    if player == 0 or s[at.PHASE] != at.SHOWING or s[at.TURN] != seat:  # all of a poignée is shown at once
        spread(o, SHOWN + CARDS * player, 0, s[at.SHOWN_TRUMPS + seat])
        o[POIGNEES + player] = s[at.SHOWN_SIZE + seat]
    o[BIDS + player] = s[at.BIDS + seat]
    o[TRICKS + player] = s[at.TRICKS + seat]
    for suit in range(SUITS):
        o[VOID + SUITS * player + suit] = s[at.VOID + seat] >> suit & 1


@inlined
def _point(o: Floats, field: int, seat: int, me: int, players: int) -> None:
    """Mark a seat, if there is one."""
    if seat != at.NOTHING:
        o[field + (seat - me) % players] = 1
