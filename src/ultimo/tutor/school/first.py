"""A first deal, played under guidance: the cards of all are arranged, and a guide tells what to touch.

A deal is a file: the hands, and in their order the steps of the guide with all that is done at the table
after each. Nothing is kept of whoever plays it: where somebody is follows from the number of the step and
from what they have done so far, which is played through the real rules each time.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from functools import cache
from importlib import resources
from typing import Final, Literal, TypeAlias

import msgspec
from msgspec import Struct

from ultimo import deal, series
from ultimo import events as e
from ultimo.cards import TRUMPS, Card, CardError, parse_card
from ultimo.family import family
from ultimo.names import Family, capital
from ultimo.play.counting import honours_of
from ultimo.rulebook import Rules, load
from ultimo.tutor.school.parts import CARD, Pen, Row, Said

Kind: TypeAlias = Literal["tell", "do", "on", "end"]
DEALS: Final[tuple[Family, ...]] = ("danish", "french")
SPEECHLESS: Final = (e.Accept, e.Decline, e.Answer)  # is done by itself where there is nothing else to do


class Step(Struct, frozen=True, forbid_unknown_fields=True):
    """What the guide says, and what is done after it.

    Where something is to be `touch`ed, the learner does it: it, or one of its `equals`, is the next action of
    the deal. After that, or when the learner goes on, `then` follows by itself. `why` says what is wrong with
    another card or action, and `otherwise` what is wrong with any other. Where the learner is to choose,
    `either` is shown as well as what is right.
    """

    say: Said
    touch: str = ""
    then: str = ""
    equals: str = ""
    either: str = ""
    shown: tuple[Row, ...] = ()
    why: Mapping[str, Said] = {}
    otherwise: Said | None = None


class First(Struct, frozen=True, forbid_unknown_fields=True, rename="kebab"):
    """A guided first deal. Hands and names are by seat; the learner has no name of their own.

    `payments` is what the guide says at the end of each that the learner has got or made, in their order.
    """

    title: Said
    book: str
    house: dict[str, str]
    learner: e.Seat
    dealer: e.Seat
    names: tuple[str, ...]
    hands: tuple[str, ...]
    steps: tuple[Step, ...]
    payments: tuple[Said, ...]
    chien: str = ""

    @property
    def rules(self) -> Rules:
        """What is played."""
        return load(self.book, self.house)

    def pen(self, language: str) -> Pen:
        """Who writes its texts in a language."""
        return Pen(self.rules, language)

    def kind(self, step: int) -> Kind:
        """What is to be done at a step: listen, do something, let cards be played, or look at the end."""
        here = self.steps[step]
        if here.touch:
            return "do"
        if step == len(self.steps) - 1:
            return "end"
        return "on" if any(map(_is_card, phrases(here.then))) else "tell"


class Reached(Struct, frozen=True):
    """Where a learner is: all that has happened, wish by wish, and which of it since the step before.

    `changed` are the cards that have changed places because the learner has played one for the other.
    """

    step: int
    happened: tuple[tuple[e.Event, ...], ...]
    since: int
    state: series.State
    touch: e.Action | None  # what is to be done now
    changed: Mapping[Card, Card]


class NoSuchStep(ValueError):
    """A step that there is not, or that is not reached by so few moves."""


class WrongMove(ValueError):
    """A move that is not made here: the rules forbid it, or the deal is to go on otherwise."""

    def __init__(
        self,
        step: Step,
        action: e.Action,
        instead: e.Action,
        changed: Mapping[Card, Card],
        refusal: e.IllegalAction | None = None,
    ) -> None:
        super().__init__(f"not here: {action}")
        self.step = step
        self.action = action
        self.instead = instead
        self.changed = changed
        self.refusal = refusal


# --- reading ---------------------------------------------------------------------------------------------


@cache
def first(name: Family) -> First:
    """The first deal of a game."""
    file = resources.files("ultimo.tutor.school").joinpath("first", f"{name}.toml")
    return msgspec.toml.decode(file.read_bytes(), type=First)


def _is_card(word: str) -> bool:
    try:
        parse_card(word)
    except CardError:
        return False
    return True


def phrases(text: str) -> list[str]:
    """The actions in a text: cards that are played by themselves, and what lies between commas.

    >>> phrases("lay C1 C5 D10, declares, CK C2")
    ['lay C1 C5 D10', 'declares', 'CK', 'C2']
    """
    parts = [part.strip() for part in text.split(",") if part.strip()]
    return [one for part in parts for one in (part.split() if _is_card(part.split()[0]) else [part])]


def action(rules: Rules, state: series.State, seat: e.Seat, phrase: str) -> e.Action:
    """What a phrase means for a seat: a card, a bid, or what there is to say."""
    assert state.deal is not None
    verb, *rest = phrase.split()
    some = tuple(sorted(parse_card(word) for word in rest))
    match verb:
        case "lay":
            return e.Lay(some)
        case "show":
            return e.ShowPoignee(some)
        case "declare":
            return e.Declare(family(rules).due_declarations(rules, state.deal, seat))
        case "nothing":
            return e.Declare(())
        case "silent":
            return e.Decline()
        case "slam":
            return e.Announce("slam")
        case "pass":
            return e.Pass()
        case "petite" | "garde" | "sans" | "contre":
            return e.Bid(verb)
        case _:
            return e.Play(parse_card(verb))


# --- playing ---------------------------------------------------------------------------------------------


class _Playing:
    """A deal that is played by its file."""

    def __init__(self, first: First) -> None:
        self.first = first
        self.rules = first.rules
        self.state: series.State | None = None
        self.happened: list[tuple[e.Event, ...]] = []
        self.changed: dict[Card, Card] = {}  # for a card of the file, the one that has its place
        self._happens(series.open_series(self.rules, first.names, first.dealer))
        assert self.state is not None
        self._happens(series.next_deal(self.rules, self.state))

    def _happens(self, events: tuple[e.Event, ...]) -> None:
        self.happened.append(events)
        for event in events:
            self.state = series.evolve(self.rules, self.state, event)

    @property
    def here(self) -> series.State:
        """The game as it is."""
        assert self.state is not None
        return self.state

    def follows(self, text: str) -> None:
        """What a text says happens."""
        for phrase in phrases(text):
            if phrase == "deal":
                hands = tuple(tuple(map(parse_card, hand.split())) for hand in self.first.hands)
                self._wished(None, e.Deal(hands, tuple(map(parse_card, self.first.chien.split()))))
            else:
                seat = self.asked()
                self._wished(seat, self._meant(seat, phrase))

    def asked(self) -> e.Seat:
        """Whose turn it is."""
        assert self.here.deal is not None
        return deal.waiting_for(self.rules, self.here.deal)[0]

    def touch(self, step: Step) -> e.Action:
        """What the learner is to do at a step."""
        return self._meant(self.first.learner, step.touch)

    def _meant(self, seat: e.Seat, phrase: str) -> e.Action:
        found = action(self.rules, self.here, seat, phrase)
        if isinstance(found, e.Play) and seat == self.first.learner:
            return e.Play(self.changed.get(found.card, found.card))
        return found

    def _wished(self, seat: e.Seat | None, wish: e.Action) -> None:
        self._happens(series.decide(self.rules, self.here, seat, wish))
        while (silent := self._silent()) is not None:
            self._happens(series.decide(self.rules, self.here, *silent))

    def _silent(self) -> tuple[e.Seat, e.Action] | None:
        """What is done without a word, as there is nothing else to do."""
        if not self.here.playing or self.here.deal is None or self.here.deal.phase == "play":
            return None
        seat = self.asked()
        choices = series.legal(self.rules, self.here, seat)
        only = next(iter(choices)) if len(choices) == 1 else None
        return (seat, only) if isinstance(only, SPEECHLESS) else None

    def moves(self, step: Step, wish: e.Action) -> None:
        """The learner does something, or `WrongMove`."""
        wish = _in_order(wish)
        for one in (step.touch, *step.equals.split()):
            if wish == self._meant(self.first.learner, one):
                self._wished(self.first.learner, wish)
                if one != step.touch:
                    self._change(parse_card(step.touch), parse_card(one))
                return
        try:
            series.decide(self.rules, self.here, self.first.learner, wish)
        except e.IllegalAction as refusal:
            raise WrongMove(step, wish, self.touch(step), self.changed, refusal) from None
        raise WrongMove(step, wish, self.touch(step), self.changed)

    def _change(self, one: Card, other: Card) -> None:
        """Two cards of the learner's have changed places."""
        first, second = self.changed.get(one, one), self.changed.get(other, other)
        self.changed |= {one: second, other: first}


def _in_order(wish: e.Action) -> e.Action:
    """A wish with its cards sorted: in which order they were touched does not matter."""
    match wish:
        case e.Lay(cards=some, tout=tout):
            return e.Lay(tuple(sorted(some)), tout)
        case e.ShowPoignee(cards=some):
            return e.ShowPoignee(tuple(sorted(some)))
        case _:
            return wish


def at(first: First, moves: Sequence[e.Action], step: int) -> Reached:
    """Where a learner is at a step after these moves, or `WrongMove`, or `NoSuchStep`.

    Moves that belong to later steps are not looked at, so that one can go back.
    """
    if not 0 <= step < len(first.steps):
        raise NoSuchStep("there is no such step")
    playing, made = _Playing(first), iter(moves)
    since = 0
    for one in first.steps[:step]:
        since = len(playing.happened)
        if one.touch:
            wish = next(made, None)
            if wish is None:
                raise NoSuchStep("more has to be done before this step")
            playing.moves(one, wish)
        playing.follows(one.then)
    here = first.steps[step]
    touch = playing.touch(here) if here.touch else None
    return Reached(step, tuple(playing.happened), since, playing.here, touch, playing.changed)


def script(first: First) -> tuple[e.Action, ...]:
    """What somebody does who does all as the guide says."""
    playing, made = _Playing(first), []
    for step in first.steps:
        if step.touch:
            made.append(playing.touch(step))
            playing.moves(step, made[-1])
        playing.follows(step.then)
    return tuple(made)


# --- in words --------------------------------------------------------------------------------------------


def words(pen: Pen, said: Said, changed: Mapping[Card, Card]) -> str:
    """A text of the deal, with the cards in it that have changed places."""

    def now(text: str) -> str:
        return CARD.sub(lambda found: f"[{changed.get(card := parse_card(found[1]), card).value}]", text)

    return pen.write(Said(*map(now, msgspec.structs.astuple(said))))


def reason(wrong: WrongMove, pen: Pen, players: Sequence[str]) -> str:
    """Why a move is not made: what the guide says of just this one, what the rules say, or the guide."""
    teller = msgspec.structs.replace(pen.teller, players=tuple(players))
    for word in _words(wrong):
        if word in wrong.step.why:
            return words(pen, wrong.step.why[word], wrong.changed)
    if wrong.refusal is not None:
        return f"{capital(teller.refusal(wrong.refusal)).rstrip('.')}."
    if wrong.step.otherwise is not None:
        return words(pen, wrong.step.otherwise, wrong.changed)
    if not isinstance(wrong.action, e.Play):
        return pen.text("first.other")
    face, instead = teller.face(wrong.action.card), teller.faces(_cards(wrong.instead))
    return pen.text(f"first.{_loss(wrong.action.card)}", card=face, instead=instead)


def _words(wrong: WrongMove) -> Iterator[str]:
    """How a move may be written where its step says what is wrong with it: by its cards, or by its kind."""
    meant = set(_cards(wrong.instead))
    yield from (card.value for card in _cards(wrong.action) if card not in meant)
    match wrong.action:
        case e.Bid(bid=bid):
            yield bid
        case e.Pass():
            yield "pass"
        case e.Declare():
            yield "nothing"


def _cards(action: e.Action) -> tuple[Card, ...]:
    match action:
        case e.Play(card=card):
            return (card,)
        case e.Lay(cards=some) | e.ShowPoignee(cards=some):
            return some
        case _:
            return ()


def _loss(card: Card) -> str:
    """What somebody would give away with a card: its points, a trump, or only what is to be shown."""
    if honours_of(card.bit):
        return "worth"
    return "trump" if card.bit & TRUMPS else "small"
