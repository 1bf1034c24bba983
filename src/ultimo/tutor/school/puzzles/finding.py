"""Finding puzzles: endings of bots' deals, looked at for every goal that somebody may have in them.

Deals are numbered and dealt by a seed, so that the same search finds the same puzzles. Of a deal at most one
puzzle is kept.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Collection, Iterator, Mapping, Sequence
from functools import cache
from random import Random

import numpy as np
from msgspec import Struct
from msgspec.structs import replace

from ultimo import danish, deal, french, rulebook
from ultimo import events as e
from ultimo.analysis import position
from ultimo.cards import KINGS, PAGAT, SKUS, ULTIMO_CARDS, cards
from ultimo.danish.following import THIRD_LAST
from ultimo.french.counting import taker_pile
from ultimo.kernel import NotCompilable
from ultimo.kernel.batch import Batch
from ultimo.kernel.policy import POLICIES
from ultimo.players.numbered import Numbered
from ultimo.players.policy.levels import policies
from ultimo.rulebook import FrenchRules, Rules
from ultimo.tutor.board import Board
from ultimo.tutor.decisions import deals
from ultimo.tutor.school.puzzles.alike import Shape, equals, shape
from ultimo.tutor.school.puzzles.measuring import measured
from ultimo.tutor.school.puzzles.playing import Game, solution_of
from ultimo.tutor.school.puzzles.puzzle import (
    DANISH_THEMES,
    FRENCH_THEMES,
    MARGIN,
    Puzzle,
    Theme,
    name_of,
)

LEVELS = ("club", "club", "beginner")  # who plays; those who err make endings for those who do not
KEEPING = ("club", "beginner", "lowest")  # the last keeps its kings and the skus
KEPT: tuple[Theme, ...] = ("demand", "name", "bagud", "excuse")
SELDOM: dict[Theme, tuple[str, str]] = {"nolo": ("club", "club"), "slam": ("club", "highest")}
BATCH, NEARLY = 20_000, 2  # deals that are played at once to find these, and tricks short of a slam
TRICKS = (3, 3, 4, 4, 4, 5, 5, 5, 6, 6, 7)  # to come; slams and nolos begin earlier or later
LATE, LATE_THEMES = (2, 3, 3, 4, 4, 5), ("demand", "excuse")
SKUS_THEMES: tuple[Theme, ...] = ("demand", "name")
ENOUGH_BITS = 2.0  # what is easier by chance is no puzzle


class Ending(Struct, frozen=True):
    """A position of a deal: somebody is to play a card after some events."""

    rules: Rules
    events: tuple[e.DealEvent, ...]
    board: Board

    @property
    def turn(self) -> e.Seat:
        """Who is to play."""
        assert self.board.turn is not None
        return self.board.turn


def themes_of(rules: Rules) -> tuple[Theme, ...]:
    """The themes that puzzles of a rulebook can have."""
    if isinstance(rules, FrenchRules):
        return FRENCH_THEMES
    return tuple(one for one in DANISH_THEMES if one != "demand" or rules.skus.demandable)


# --- deals --------------------------------------------------------------------------------------------------


def endings(book: str, seed: int, number: int, wanted: Sequence[Theme]) -> list[Ending]:
    """The positions of a deal with some number of tricks to come that may have a wanted theme.

    The themes take turns in saying who plays, and which deals are looked at.
    """
    rng = Random(f"{book} {seed} {number}")
    rules = rulebook.load(book)
    calm = policies(rules).calm(rules)
    theme = wanted[number % len(wanted)]
    levels = _levels(rules, theme, rng)
    if theme in SELDOM:
        number = _seldom(book, seed, theme, number)
    match = Numbered(calm, levels, seed, number)
    for _ in match.play_deals(1):
        pass
    left = rng.choice(LATE if theme in LATE_THEMES else TRICKS)
    found = [one for events in deals(match.log) for one in _positions(calm, events, left, wanted)]
    rng.shuffle(found)
    return found


def _levels(rules: Rules, theme: Theme, rng: Random) -> list[str]:
    """Who plays, by seat."""
    size = rules.players if isinstance(rules, FrenchRules) else 3
    if theme in SELDOM:
        return [SELDOM[theme][0], *[SELDOM[theme][1]] * (size - 1)]
    return [rng.choice(KEEPING if theme in KEPT else LEVELS) for _ in range(size)]


def _seldom(book: str, seed: int, theme: Theme, place: int) -> int:
    """The number of a deal in which a rare theme may come up: the one at a place among them."""
    for batch in range(1, 1000):
        found = _numbers(book, seed, theme, batch)
        if len(found) > place:
            return found[place]
    raise LookupError(f"{book}: too few deals with the theme {theme}")


@cache
def _numbers(book: str, seed: int, theme: Theme, batches: int) -> tuple[int, ...]:
    """The deals of some batches whose end is near to a nolo or a slam."""
    if not batches:
        return ()
    rules, first = rulebook.load(book), (batches - 1) * BATCH
    batch = Batch(rules, deals=BATCH, seed=seed, first=first)
    batch.play([POLICIES[level] for level in _levels(rules, theme, Random(0))])
    if isinstance(rules, FrenchRules):
        near = batch.tricks_won[:, 0] >= rules.deal.hand - NEARLY
        near &= np.arange(first, first + BATCH) % rules.players == rules.players - 1  # the same dealer
    else:
        near = batch.tricks_won.min(axis=1) <= 1
    return (*_numbers(book, seed, theme, batches - 1), *(first + int(one) for one in np.flatnonzero(near)))


def _positions(
    rules: Rules, events: tuple[e.DealEvent, ...], left: int, wanted: Collection[Theme]
) -> Iterator[Ending]:
    """The positions of a deal in which a card was played, as they can be written down."""
    opened = events[0]
    assert isinstance(opened, e.Opened)
    state = deal.initial(rules, opened)
    for place, event in enumerate(events[1:], 1):
        if isinstance(event, e.CardPlayed) and state.phase == "play":
            to_come = max(state.hands[seat].bit_count() for seat in state.active)
            if to_come == left and any(may_be(theme, state, event.seat) for theme in wanted):
                try:
                    read = position.read(position.write(rules, state))[1]
                except (position.NoPosition, position.PositionError):
                    return
                yield Ending(rules, events[:place], Board(rules, read, read))
        state = deal.evolve(rules, state, event)


def may_be(theme: Theme, state: deal.State, turn: e.Seat) -> bool:
    """Whether a position may have a puzzle of a theme, at a glance."""
    hand, held = state.hands[turn], 0
    for other in state.hands:
        held |= other
    match theme, state:
        case "pagat" | "save", _:
            return bool(hand & PAGAT)
        case "king", _:
            return bool(hand & KINGS)
        case "bagud" | "stop" | "two", _:
            return bool(held & ~hand & ULTIMO_CARDS)
        case "demand", danish.State():
            return bool(held & ~hand & SKUS) and state.number <= THIRD_LAST
        case "name", _:
            return bool(held & SKUS)
        case "nolo", danish.State():
            return any(state.won[seat] == 0 for seat in state.order)
        case "petit" | "petitBout", _:
            return bool((held | sum(play.card.bit for play in state.trick)) & PAGAT)
        case "excuse", french.State():
            return any(
                hand & SKUS and state.side(seat) == state.side(turn) for seat, hand in enumerate(state.hands)
            )
        case "slam", french.State():
            return all(state.side(trick.winner) == "taker" for trick in state.tricks)
        case _:
            return True


# --- goals --------------------------------------------------------------------------------------------------


class Wish(Struct, frozen=True):
    """Something that may be a puzzle: the goal and who plays for it."""

    theme: Theme
    goal: str
    side: tuple[e.Seat, ...]
    target: int = 0


def wishes(ending: Ending) -> Iterator[Wish]:
    """What the seat on turn may want in an ending, alone or with another."""
    state = ending.board.state
    if isinstance(state, danish.State):
        yield from _danish(ending, state)
    else:
        yield from _french(ending, state)


def _danish(ending: Ending, state: danish.State) -> Iterator[Wish]:
    me, letters = ending.turn, ending.board.letters
    own, alone = letters[me], (me,)
    for card in cards(state.hands[me] & ULTIMO_CARDS):
        yield Wish("pagat" if card.bit == PAGAT else "king", f"ultimo:{own}:{card.value}", alone)
    if state.hands[me] & PAGAT:
        yield Wish("save", f"!lost:{own}:T1,!bagud:{own}:T1", alone)
    if state.won[me] == 0:
        yield Wish("nolo", f"nolo:{own}", alone)
    for other in state.order:
        if other == me:
            continue
        third = next(seat for seat in state.order if seat not in (me, other))
        both, his = (me, third), letters[other]
        if state.won[other] == 0:
            yield Wish("nolo", f"!nolo:{his}", both)
        for card in cards(state.hands[other] & ULTIMO_CARDS):
            bagud, stop = f"bagud:{his}:{card.value}", f"!ultimo:{his}:{card.value}"
            yield Wish("bagud", bagud, alone)
            yield Wish("stop", stop, alone)
            yield Wish("two", bagud, both)
            yield Wish("two", stop, both)
            yield Wish("two", f"ultimo:{his}:{card.value}", (me, other))


def _french(ending: Ending, state: french.State) -> Iterator[Wish]:
    """The themes that tell the best card from the best of the others; the goal lies between the two."""
    rules, me = ending.rules, ending.turn
    assert isinstance(rules, FrenchRules)
    found = solution_of(ending.board)
    mine = state.side(me)
    sign = 1 if mine == "taker" else -1
    best = sign * found.value
    right = [one for one in found.actions if sign * one.value > best - MARGIN]
    wrong = [one for one in found.actions if sign * one.value <= best - MARGIN]
    if not wrong or not equals([one.action for one in right], ending.board):
        return
    next_best = max(wrong, key=lambda one: sign * one.value)
    good = _ended(ending.board, found.line)
    after = ending.board.after(next_best.action)
    bad = _ended(after, solution_of(after).line if not after.over else ())
    one, other = french.outcome_of(rules, good), french.outcome_of(rules, bad)
    worst = min(sign * action.value for action in right)
    middle = sign * ((worst + sign * next_best.value + 1) // 2)
    side = tuple(seat for seat in ending.board.letters if state.side(seat) == mine)
    if (one.slam_made == "taker") != (other.slam_made == "taker"):
        yield Wish("slam", "points", side, middle)
    if one.petit_au_bout == mine != other.petit_au_bout:
        yield Wish("petitBout", "points", side, middle)
    if may_be("petit", state, me) and not (one.petit_au_bout or other.petit_au_bout):
        holders = ["taker" if taker_pile(end) & PAGAT else "defence" for end in (good, bad)]
        if holders[0] == mine != holders[1]:
            yield Wish("petit", "points", side, middle)
    if worst > 0 > sign * next_best.value:
        yield Wish("contract", "points", side, sign)
    if may_be("excuse", state, me):
        yield Wish("excuse", "points", side, middle)


def _ended(board: Board, line: tuple[tuple[e.Seat, e.Action], ...]) -> french.State:
    """The end of a deal after a line of play."""
    state = board.state
    for seat, action in line:
        state, _ = deal.step(board.rules, state, seat, action)
    assert isinstance(state, french.State)
    return state


# --- puzzles ------------------------------------------------------------------------------------------------


def puzzles_in(ending: Ending, wanted: Collection[Theme]) -> Iterator[Puzzle]:
    """The puzzles of an ending that have one of the wanted themes; their difficulty is not yet measured."""
    free = frozenset(wanted)
    for wish in wishes(ending):
        special = {one for one in SKUS_THEMES if one in free and _may_show(one, ending, wish)}
        if wish.theme not in free and not special:
            continue
        made = _made(ending, wish)
        game = Game(made)
        if not is_puzzle(game):
            continue
        found = {wish.theme} & free if wish.theme != "excuse" or shows(game, "excuse") else set()
        found |= {one for one in special if shows(game, one)}
        yield from (replace(made, theme=theme) for theme in sorted(found))


def _may_show(theme: Theme, ending: Ending, wish: Wish) -> bool:
    """Whether a wish may be about the skus: in another's hand to be demanded, in one's own to be named."""
    state = ending.board.state
    holder = next((seat for seat in wish.side if state.hands[seat] & SKUS), None)
    if not may_be(theme, state, ending.turn):
        return False
    return (holder is None) == (theme == "demand")


def _made(ending: Ending, wish: Wish) -> Puzzle:
    board = ending.board
    side = "".join(letter for seat, letter in board.letters.items() if seat in wish.side)
    text = board.text
    return Puzzle(
        id=name_of(text, wish.goal, side),
        rules=ending.rules.id,
        theme=wish.theme,
        tricks=board.left,
        rating=0,
        side=side,
        goal=wish.goal,
        position=text,
        target=wish.target,
    )


def is_puzzle(game: Game) -> bool:
    """Whether the first decision has one right move, or equal ones, and the goal is reached from there."""
    if game.over(game.start.board) is not None:
        return False
    asked = game.asked(game.start)
    if not asked.ours or not asked.right or len(asked.right) == len(asked.options):
        return False
    if not equals([one.action for one in asked.right], game.start.board):
        return False
    ended = game.play(game.line())
    return ended.state == "solved"


def shows(game: Game, theme: Theme) -> bool:
    """Whether a puzzle is about the skus or excuse: there is a decision in which only that card is right."""
    keys = [one for one in game.play(game.line()).decisions if one.share < 1]
    return any(all(_is_about(option.action, theme) for option in one.right) for one in keys)


def _is_about(action: e.Action, theme: Theme) -> bool:
    match action, theme:
        case e.DemandSkus(), "demand":
            return True
        case e.NameSkus(), "name":
            return True
        case e.Play(named=named), "name":
            return named is not None
        case e.Play(card=card), "excuse":
            return card.bit == SKUS
        case _:
            return False


# --- the search ---------------------------------------------------------------------------------------------


class Found:
    """A collection in the making: what is wanted of every rulebook and theme, and what is there."""

    def __init__(self, wanted: Mapping[tuple[str, Theme], int], puzzles: Collection[Puzzle] = ()) -> None:
        self.missing = Counter(wanted)
        self.shapes: set[Shape] = set()
        for one in puzzles:
            self.take(one)

    def take(self, one: Puzzle) -> None:
        """Note that a puzzle is there."""
        self.shapes.add(shape(one))
        self.missing[one.rules, one.theme] -= 1

    def themes(self, book: str) -> tuple[Theme, ...]:
        """What is still wanted of a rulebook, most wanted first."""
        lacking = [(number, theme) for (rules, theme), number in self.missing.items() if rules == book]
        return tuple(theme for number, theme in sorted(lacking, key=lambda one: -one[0]) if number > 0)

    def is_new(self, one: Puzzle) -> bool:
        """Whether none like it is there."""
        return shape(one) not in self.shapes


def search(found: Found, book: str, seed: int, number: int) -> Puzzle | None:
    """The puzzle of a numbered deal that is wanted most, if it has one."""
    wanted = found.themes(book)
    if not wanted:
        return None
    best: Puzzle | None = None
    kept: Ending | None = None
    for ending in endings(book, seed, number, wanted):
        try:
            some = [one for one in puzzles_in(ending, wanted) if found.is_new(one)]
        except NotCompilable:
            continue
        for one in some:
            if best is None or wanted.index(one.theme) < wanted.index(best.theme):
                best, kept = one, ending
        if best is not None and wanted.index(best.theme) == 0:
            break
    if best is None or kept is None:
        return None
    hard = measured(Game(best), kept.rules, kept.events)
    if hard.bits < ENOUGH_BITS:
        return None
    return replace(best, rating=hard.rating)
