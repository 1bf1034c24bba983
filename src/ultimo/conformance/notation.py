"""How a vector writes what the engine knows: cards, actions and positions as short texts.

>>> action_text(e.Play(Card("T0"), "H")), action_text(e.Lay((Card("S4"), Card("H3"), Card("D2"))))
('T0=H', 'lay S4 H3 D2')
>>> action("declare tarok 10 with; half H -HQ").declarations[1].missing
HQ
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping, Sequence
from typing import Any, cast

import msgspec
from msgspec.structs import fields

from ultimo import deal
from ultimo import events as e
from ultimo.cards import SUITS, Card, Cards, mask, parse_card, parse_cards
from ultimo.cards import cards as cards_of
from ultimo.french import State as FrenchState
from ultimo.french import Trick as FrenchTrick
from ultimo.play.following import NO_SUIT
from ultimo.rulebook import DanishRules, Rules


class Unreadable(ValueError):
    """A request that says nothing this engine can read."""


# --- cards -----------------------------------------------------------------------------------------------


def text(some: Cards | Iterable[Card]) -> str:
    """Cards in the order of the pack, separated by spaces."""
    return " ".join(str(card.value) for card in cards_of(some if isinstance(some, int) else mask(some)))


# --- declarations ----------------------------------------------------------------------------------------


def declaration_text(one: e.Declaration) -> str:
    """A declaration: `tarok 10 with`, `matadors 3`, `half H -HQ`, `full K`, `over S`."""
    words = [one.kind, *([str(one.count)] if one.count else []), *([one.of] if one.of else [])]
    if one.pagat is not None:
        words.append("with" if one.pagat else "without")
    return " ".join([*words, *([f"-{one.missing.value}"] if one.missing else [])])


def declaration(said: str) -> e.Declaration:
    """The declaration that a text names."""
    kind, *rest = said.split()
    count, pagat, of, missing = 0, None, None, None
    for word in rest:
        if word.isdecimal():
            count = int(word)
        elif word in ("with", "without"):
            pagat = word == "with"
        elif word.startswith("-"):
            missing = parse_card(word[1:])
        else:
            of = word
    return msgspec.convert(
        {"kind": kind, "count": count, "pagat": pagat, "of": of, "missing": missing}, e.Declaration
    )


# --- actions ---------------------------------------------------------------------------------------------

_FIXED: dict[str, e.Action] = {
    "accept": e.Accept(),
    "ask redeal": e.DemandRedeal(),
    "object": e.ObjectCount(),
    "deal again": e.Redeal(),
    "pass the deal": e.PassDeal(),
    "move cups": e.MoveCups(),
    "found": e.Found(),
    "decline": e.Decline(),
    "demand skus": e.DemandSkus(),
    "ask tarok laid": e.AskTarokLaid(),
    "claim void": e.ClaimVoid(),
    "have": e.Answer(True),
    "have not": e.Answer(False),
    "vote yes": e.Vote(True),
    "vote no": e.Vote(False),
    "recount": e.Recount(),
    "pass": e.Pass(),
}
_FIXED_TEXTS = {wish: said for said, wish in _FIXED.items()}


def action_text(wish: e.Action) -> str:
    """An action as a vector writes it."""
    match wish:
        case e.Play(card=card, named=named):
            return f"{card.value}={named}" if named else str(card.value)
        case e.Lay(cards=laid, tout=tout):
            return f"lay {text(laid)}{' tout' if tout else ''}"
        case e.Declare(declarations=made):
            return f"declare {'; '.join(map(declaration_text, made)) or 'nothing'}"
        case e.Announce(kind=kind):
            return f"announce {kind}"
        case e.NameSkus(suit=suit):
            return f"name {suit}"
        case e.Claim(offence=offence, against=against):
            return f"claim {offence} {against}"
        case e.EnterCount(points=points):
            return f"count {points}"
        case e.Cut(at=at):
            return f"cut {at}"
        case e.Bid(bid=bid):
            return f"bid {bid}"
        case e.Call(card=card):
            return f"call {card.value}"
        case e.ShowPoignee(cards=shown):
            return f"show {text(shown)}"
        case _:
            return _FIXED_TEXTS[wish]


_READ: dict[str, Callable[[str], e.Action]] = {
    "lay": lambda rest: e.Lay(parse_cards(rest.removesuffix(" tout")), rest.endswith(" tout")),
    "declare": lambda rest: e.Declare(
        () if rest == "nothing" else tuple(declaration(one.strip()) for one in rest.split(";"))
    ),
    "announce": lambda rest: msgspec.convert({"type": "Announce", "kind": rest}, e.Announce),
    "name": lambda rest: msgspec.convert({"type": "NameSkus", "suit": rest}, e.NameSkus),
    "claim": lambda rest: msgspec.convert(
        {"type": "Claim", "offence": rest.split()[0], "against": int(rest.split()[1])}, e.Claim
    ),
    "count": lambda rest: e.EnterCount(int(rest)),
    "cut": lambda rest: e.Cut(int(rest)),
    "bid": lambda rest: msgspec.convert({"type": "Bid", "bid": rest}, e.Bid),
    "call": lambda rest: e.Call(parse_card(rest)),
    "show": lambda rest: e.ShowPoignee(parse_cards(rest)),
}


def action(said: str) -> e.Action:
    """The action that a text names; raises `Unreadable`."""
    if said in _FIXED:
        return _FIXED[said]
    first, _, rest = said.partition(" ")
    try:
        return _READ[first](rest) if first in _READ else _play(said)
    except (ValueError, IndexError) as error:
        raise Unreadable(f"{said!r} is not an action") from error


def _play(said: str) -> e.Play:
    card, _, named = said.partition("=")
    return msgspec.convert({"type": "Play", "card": parse_card(card), "named": named or None}, e.Play)


def move_text(seat: e.Seat | None, wish: e.Action) -> str:
    """Who did what: `1 S4`."""
    return f"{seat} {action_text(wish)}"


def moves(said: str) -> list[tuple[e.Seat, e.Action]]:
    """The moves of a deal, which stand between strokes."""
    found = []
    for one in filter(None, said.split("/")):
        seat, _, rest = one.strip().partition(" ")
        if not seat.isdecimal():
            raise Unreadable(f"{one!r} is not a move")
        found.append((int(seat), action(rest)))
    return found


# --- positions -------------------------------------------------------------------------------------------

# Fields of a state that are sets of cards, one or one a seat.
_SETS = {"skat", "chien", "shown", "ecart", "trumps_laid"}
_SETS_BY_SEAT = {"hands", "dealt", "piles"}
_OPENING = ("table", "order", "dealer", "king", "pagat")


def position(rules: Rules, state: deal.State) -> dict[str, Any]:
    """A state of a deal as a vector writes it: what it has beyond a deal that has just been opened."""
    danish = isinstance(rules, DanishRules)
    base = deal.initial(rules, _opened(rules, state))
    found: dict[str, Any] = {"table": state.table}
    found |= {"order": list(state.active)} if danish else {"dealer": state.dealer}
    found |= {"king": state.cups["king"], "pagat": state.cups["pagat"]} if danish else {}
    for field in fields(state):
        value = getattr(state, field.name)
        if field.name not in _OPENING and value != getattr(base, field.name):
            found[field.name] = _written(field.name, value, danish)
    return found


def state_of(rules: Rules, written: Mapping[str, Any]) -> deal.State:
    """The state that a position tells; `number` stands for tricks of which nothing else matters."""
    danish = isinstance(rules, DanishRules)
    table = written["table"]
    if danish:
        order = tuple(written["order"])
        opened = e.Opened(table, order[-1], order, written.get("king", 0), written.get("pagat", 0))
    else:
        dealer = written["dealer"]
        opened = e.Opened(table, dealer, tuple((dealer + step) % table for step in range(1, table + 1)))
    base = deal.initial(rules, opened)
    raw = {field.name: getattr(base, field.name) for field in fields(base)}
    for name, value in written.items():
        if name == "number" and not danish:
            raw["tricks"] = (FrenchTrick((), 0),) * (value - 1)
        elif name not in _OPENING:
            raw[name] = _read(name, value, danish)
    raw["led"] = raw["led"] if "led" in written else _led(raw["trick"])
    if not danish and "top" not in written:
        raw["top"] = max((_trump(play.card) for play in raw["trick"]), default=0)
    plain = {name: msgspec.to_builtins(value, builtin_types=(Card,)) for name, value in raw.items()}
    return msgspec.convert(plain, type(base))


def _opened(rules: Rules, state: deal.State) -> e.Opened:
    order = state.active
    if not isinstance(rules, DanishRules):
        order = tuple((state.dealer + step) % state.table for step in range(1, state.table + 1))
    return e.Opened(state.table, state.dealer, order, state.cups.get("king", 0), state.cups.get("pagat", 0))


def _written(name: str, value: Any, danish: bool) -> Any:
    if name in _SETS:
        return text(value)
    if name in _SETS_BY_SEAT or (name == "won" and not danish):
        return [text(one) for one in value]
    if name == "led":
        return "" if value == NO_SUIT else SUITS[value]
    if name == "trick":
        return [_played(play) for play in value]
    if name == "tricks":
        return [_trick_text(trick, danish) for trick in value]
    return msgspec.to_builtins(value)


def _read(name: str, value: Any, danish: bool) -> Any:
    if name in _SETS:
        return mask(value)
    if name in _SETS_BY_SEAT or (name == "won" and not danish):
        return tuple(map(mask, value))
    if name == "led":
        return SUITS.index(value) if value else NO_SUIT
    if name == "trick":
        return tuple(map(_card_played, value))
    if name == "tricks":
        return tuple(_trick(one, danish) for one in value)
    return value


def _played(play: e.CardPlayed) -> str:
    return move_text(play.seat, e.Play(play.card, play.named))


def _card_played(said: str) -> e.CardPlayed:
    ((seat, wish),) = moves(said)
    assert isinstance(wish, e.Play)
    return e.CardPlayed(seat, wish.card, wish.named)


def _trick_text(trick: Any, danish: bool) -> str:
    """`1 S4, 2 T4, 0 S3 > 2`, in Danish Tarok with the suit that was in force: `> 2 S`."""
    led = f" {SUITS[trick.led]}" if danish and trick.led != NO_SUIT else ""
    return f"{', '.join(map(_played, trick.plays))} > {trick.winner}{led}"


def _trick(said: str, danish: bool) -> dict[str, Any]:
    played, _, end = said.partition(">")
    winner, *led = end.split()
    plays = tuple(_card_played(one.strip()) for one in played.split(",") if one.strip())
    found: dict[str, Any] = {"plays": plays, "winner": int(winner)}
    return found | ({"led": SUITS.index(cast(Any, led[0])) if led else NO_SUIT} if danish else {})


def _led(trick: Sequence[e.CardPlayed]) -> int:
    """The suit in force: what a led skus was named as, or the suit of the first card that has one."""
    for play in trick:
        if play.named:
            return SUITS.index(play.named)
        if play.card.value != "T0":
            return play.card.suit
    return NO_SUIT


def _trump(card: Card) -> int:
    return int(card.value[1:]) if card.value.startswith("T") else 0


def is_french(state: deal.State) -> bool:
    """Whether a state is one of French Tarot."""
    return isinstance(state, FrenchState)
