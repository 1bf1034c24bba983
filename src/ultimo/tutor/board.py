"""The analysis board: a position read from text, moves tried on it, and what the solver says of it.

A board is a value, made of a line of text and of moves: the same text and moves make the same board.
All cards lie open and nobody errs, so that the switches of a strict table are off.
"""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence
from itertools import chain
from math import inf

from msgspec import Struct
from msgspec.structs import replace

from ultimo import danish, deal, rulebook
from ultimo import events as e
from ultimo import record as records
from ultimo.analysis import position
from ultimo.analysis.goals import GoalError, goal_of, side_of
from ultimo.analysis.position import PositionError
from ultimo.analysis.position.scanning import Word
from ultimo.analysis.solver import POINTS, Atom, Claim, Goal, Solution, Valued, solve
from ultimo.analysis.solver.forcing import Forced, forcing
from ultimo.cards import ULTIMO_CARDS, cards
from ultimo.files import shortened
from ultimo.kernel import NotCompilable
from ultimo.play.choices import Shows
from ultimo.players.policy.levels import policies
from ultimo.record.check import IllegalRecord, whole_steps
from ultimo.rulebook import DanishRules, RulebookError, Rules
from ultimo.tutor.board_words import BoardWords
from ultimo.tutor.decisions import NoDeal, deals, decisions
from ultimo.tutor.shown import ActionShown, GoalShown, LineStep, SolvedShown, ValueShown

LONGEST = 4000  # characters of a text
MOST_MOVES = 120
FORCED_TRICKS = 6  # tricks to come, up to which it is told who can force what
BUDGET = 1 << 20  # positions of a stage, if nothing is said
HEAD = "Ultimo position 1"
MOVES = e.Play | e.NameSkus | e.Announce | e.ShowPoignee | e.DemandSkus | e.Decline  # of a deal in play
NEAR_THE_END = 8  # tricks to come where a record is opened


class BoardError(ValueError):
    """What cannot be put on the board: the field it stands in, the column or move (from 1), and why."""

    def __init__(self, field: str, column: int | None, reason: str) -> None:
        super().__init__(reason)
        self.field, self.column, self.reason = field, column, reason


class Made(Struct, frozen=True):
    """A move that was made: by whom, and what followed; `before` is the position in which it was made."""

    before: deal.State
    seat: e.Seat
    action: e.Action
    events: tuple[e.DealEvent, ...]


class Board(Struct, frozen=True):
    """A position and what has been tried on it."""

    rules: Rules
    start: deal.State
    state: deal.State  # after the moves
    made: tuple[Made, ...] = ()

    @property
    def text(self) -> str:
        """The line of the position before any move."""
        return position.write(self.rules, self.start)

    @property
    def here(self) -> str:
        """The line of the position after the moves; before the deal is over."""
        return "" if self.over else position.write(self.rules, self.state)

    @property
    def over(self) -> bool:
        """Whether nothing more happens."""
        return deal.is_over(self.state)

    @property
    def turn(self) -> e.Seat | None:
        """Who is to do something; of several the first."""
        return next(iter(deal.waiting_for(self.rules, self.state)), None)

    @property
    def letters(self) -> dict[e.Seat, str]:
        """The letters of the seats that play, in order of play."""
        return {seat: letter for letter, seat in position.seats(self.start).items()}

    @property
    def left(self) -> int:
        """Tricks to come, with the one on the table."""
        played = {play.seat for play in self.state.trick}
        return max(
            (hand.bit_count() + (seat in played) for seat, hand in enumerate(self.state.hands)), default=0
        )

    def actions(self) -> Iterator[tuple[e.Seat, e.Action]]:
        """What may be done: by the seat on turn, and whoever may demand the skus without being on turn."""
        turn = self.turn
        if turn is None:
            return
        for offer in deal.legal(self.rules, self.state, turn).offers:
            if isinstance(offer, Shows):
                yield turn, next(iter(offer))  # of a poignée only its size counts
                continue
            yield from ((turn, action) for action in offer if not isinstance(action, e.AskTarokLaid))
        demand = e.DemandSkus()
        if self.state.phase == "play" and not self._may(turn, demand):
            yield from [(seat, demand) for seat in self.state.active if self._may(seat, demand)][:1]

    def _may(self, seat: e.Seat, action: e.Action) -> bool:
        return action in deal.legal(self.rules, self.state, seat)

    def after(self, action: e.Action) -> Board:
        """The board after one more move, or `IllegalAction`: by the seat on turn, else by whoever may."""
        if self.turn is None:
            raise e.IllegalAction("dealOver")
        others = [seat for seat in self.state.active if seat != self.turn]
        seat = next((one for one in (self.turn, *others) if self._may(one, action)), self.turn)
        state, events = deal.step(self.rules, self.state, seat, action)
        made = Made(self.state, seat, action, events)
        return Board(self.rules, self.start, state, (*self.made, made))


# --- making one ------------------------------------------------------------------------------------------


def board(text: str, moves: Sequence[e.Action] = (), language: str = "en") -> Board:
    """The board of a text and the moves on it, or `BoardError`; the text may be a sheet of `record`."""
    if text.lstrip().startswith(HEAD):
        line, kept, _ = recorded(text, language)
        return board(line, (*kept, *moves), language)
    plain = BoardWords.plain(language)
    if len(text) > LONGEST:
        raise BoardError("text", None, plain.get("tooLong", most=LONGEST))
    if len(moves) > MOST_MOVES:
        raise BoardError("moves", None, plain.get("tooManyMoves", most=MOST_MOVES))
    try:
        rules, state = position.read(text)
        found = _calm(rules, state)
    except PositionError as error:
        raise BoardError("text", error.at + 1, error.told(language)) from error
    except RulebookError as error:
        raise BoardError("text", None, _no_rules(error, language)) from error
    words = words_of(found, language)
    for number, action in enumerate(moves, 1):
        if not isinstance(action, MOVES):
            raise BoardError("moves", number, words.text("notAMove"))
        try:
            found = found.after(action)
        except e.IllegalAction as error:
            reason = words.text("notAMove") if found.turn is None else words.teller.refusal(error)
            label = words.label(found.state, action)
            told = words.text("move", number=number, label=label, reason=reason)
            raise BoardError("moves", number, told) from error
    return found


def _no_rules(error: RulebookError, language: str) -> str:
    """Why a text has no rules: its rulebook, or a house rule."""
    words = BoardWords.plain(language)
    if error.key:
        return words.get("badHouse", rule=error.key)
    return words.get("noBook", book=error.file, books=", ".join(rulebook.ids()))


def _calm(rules: Rules, state: deal.State) -> Board:
    """The board of a position, at a table without errors."""
    calm = policies(rules).calm(rules)
    return Board(calm, state, state)


def words_of(board: Board, language: str) -> BoardWords:
    """Who tells what is on a board."""
    return BoardWords.of(board.rules, board.start, language)


# --- what is shown of it ---------------------------------------------------------------------------------


def actions_shown(board: Board, language: str) -> tuple[ActionShown, ...]:
    """What may be done here, with its words."""
    words = words_of(board, language)
    return tuple(
        ActionShown(action, _named(words, board, seat, action), words.cards(action))
        for seat, action in board.actions()
    )


def _named(words: BoardWords, board: Board, seat: e.Seat, action: e.Action) -> str:
    """The label of an action; with its player, if they are not on turn."""
    label = words.label(board.state, action)
    return label if seat == board.turn else words.text("demand", player=words.name(seat), label=label)


def played_shown(board: Board, language: str) -> tuple[LineStep, ...]:
    """The moves that have been made, with their words."""
    words = words_of(board, language)
    return tuple(words.step(one.before, one.seat, one.action) for one in board.made)


def goals_shown(board: Board, language: str) -> tuple[GoalShown, ...]:
    """What can be asked here: points, and what somebody may still bring about."""
    if board.over:
        return ()
    words = words_of(board, language)
    if not isinstance(board.state, danish.State):
        return (GoalShown("points", words.text("goals.sides")),)
    found = [GoalShown("points", words.text("goals.points"))]
    for seat, letter in board.letters.items():
        found.append(GoalShown(f"points:{letter}", words.text("goals.pointsOf", player=words.name(seat))))
    return (*found, *(GoalShown(goal_id(board, atom), words.atom(atom)) for atom in atoms(board.state)))


def atoms(state: danish.State) -> Iterator[Atom]:
    """What may still come about in a Danish position."""
    for seat in state.order:
        held = state.hands[seat] | sum(play.card.bit for play in state.trick if play.seat == seat)
        yield Atom("lastTrick", seat)
        for card in cards(held & ULTIMO_CARDS):
            yield Atom("ultimo", seat, card)
            yield Atom("bagud", seat, card)
        if state.won[seat] == 0:
            yield Atom("nolo", seat)
        if state.won[seat] == state.number - 1:
            yield Atom("tout", seat)


def goal_id(board: Board, atom: Atom) -> str:
    """A claim as `ultimo solve` has it written: `ultimo:F:T1`."""
    card = "" if atom.card is None else f":{atom.card.value}"
    return f"{'' if atom.holds else '!'}{atom.what}:{board.letters[atom.seat]}{card}"


# --- solving ---------------------------------------------------------------------------------------------


def solving(
    text: str, moves: Sequence[e.Action], goal: str = "points", language: str = "en", budget: int = BUDGET
) -> SolvedShown:
    """What at most `budget` positions show of a board, or `BoardError`; if it is all, it is `finished`."""
    return solved(board(text, moves, language), goal, language, budget)


def solved(board: Board, goal: str = "points", language: str = "en", budget: int = BUDGET) -> SolvedShown:
    """The same of a board."""
    words = words_of(board, language)
    if board.over:
        return _nothing(board, words.text("over"))
    aim, side = _goal(board, goal, words)
    try:
        found = solve(board.rules, board.state, aim, side, nodes=max(1, budget))
        if not found.exact:
            found = _with_what_is_sure(board, found, side, max(1, budget // 2))
    except NotCompilable:
        return _nothing(board, words.text("poignee"))
    except ValueError:
        return _nothing(board, words.text("unsolvable"))
    forced, all_forced = _forced(board, aim, side, words) if found.exact else ((), True)
    verdict = words.verdict(aim, side, found)
    if not found.exact:
        verdict = words.text("unfinished", positions=words.number(found.nodes))
    return SolvedShown(
        found.exact and all_forced,
        found.exact,
        found.nodes,
        round(found.seconds, 3),
        board.left,
        _values(board, found, side, words),
        _line(board, found, words),
        verdict,
        forced,
    )


def _with_what_is_sure(
    board: Board, found: Solution, side: frozenset[e.Seat] | None, budget: int
) -> Solution:
    """Where everybody plays for themselves: of actions not known yet what they gain against all others.

    A player for whom the others do not care gets at least what they get if the others play against them.
    """
    seat = board.turn
    if side is not None or seat is None or not isinstance(board.state, danish.State):
        return found
    alone = solve(board.rules, board.state, POINTS, frozenset({seat}), nodes=budget, line=0)
    least = {(one.seat, one.action): one.least for one in alone.actions}
    actions = (
        replace(one, value=sure, least=sure)
        if one.least is None and one.seat == seat and (sure := least.get((seat, one.action))) is not None
        else one
        for one in found.actions
    )
    return replace(found, actions=tuple(actions), nodes=found.nodes + alone.nodes)


def _nothing(board: Board, verdict: str) -> SolvedShown:
    return SolvedShown(True, False, 0, 0.0, board.left, (), (), verdict, ())


def _goal(board: Board, text: str, words: BoardWords) -> tuple[Goal, frozenset[e.Seat] | None]:
    """The goal and who plays for it: `points`, `points:F`, or a claim."""
    what, _, who = text.partition(":")
    try:
        if what.strip().lower() == "points":
            return POINTS, side_of(who or None, board.rules, board.state, POINTS)
        goal = goal_of(text, board.rules, board.state)
        return goal, side_of(None, board.rules, board.state, goal)
    except GoalError as error:
        raise BoardError("goal", None, words.text("goal", reason=error.told(words.language))) from error


def _values(
    board: Board, found: Solution, side: frozenset[e.Seat] | None, words: BoardWords
) -> tuple[ValueShown, ...]:
    """What the actions are worth, the best first; best for the seat that would do it."""
    legal = dict.fromkeys(board.actions())
    valued = [one for one in found.actions if (one.seat, one.action) in legal]
    sure = {one: _sure(one, _wants_most(board.state, side, one.seat)) for one in valued}
    tops = {one.seat: max(sure[other] for other in valued if other.seat == one.seat) for one in valued}
    ranked = sorted(valued, key=lambda one: (one.seat != board.turn, -sure[one]))
    return tuple(
        ValueShown(
            one.action,
            _named(words, board, one.seat, one.action),
            words.cards(one.action),
            one.value,
            one.points if one.points is not None else words.shares(board.state, one.value),
            one.seat == board.turn and sure[one] == tops[one.seat] > -inf,
            one.least,
            one.most,
        )
        for one in ranked
    )


def _sure(one: Valued, wants_most: bool) -> float:
    """What a seat is sure of that wants the value to be high, or low."""
    if wants_most:
        return -inf if one.least is None else one.least
    return -inf if one.most is None else -one.most


def _wants_most(state: deal.State, side: frozenset[e.Seat] | None, seat: e.Seat) -> bool:
    """Whether a seat wants a value to be high."""
    if not isinstance(state, danish.State):
        return state.side(seat) == "taker"
    return side is None or seat in side


def _line(board: Board, found: Solution, words: BoardWords) -> tuple[LineStep, ...]:
    """The line of best play in words; of silence only what is asked for."""
    now, told = board.state, []
    for seat, action in found.line:
        while now.phase == "demand" and action not in deal.legal(board.rules, now, seat):
            assert isinstance(now, danish.State)
            now, _ = deal.step(board.rules, now, now.asked[0], e.Decline())
        if isinstance(action, e.Decline) and now.phase not in ("demand", "announce"):
            continue
        told.append(words.step(now, seat, action))
        now, _ = deal.step(board.rules, now, seat, action)
    return tuple(told)


def _forced(
    board: Board, goal: Goal, side: frozenset[e.Seat] | None, words: BoardWords
) -> tuple[tuple[str, ...], bool]:
    """Who can force what, where it is asked for points and the end is near."""
    if isinstance(goal, Claim) or side is not None or board.left > FORCED_TRICKS:
        return (), True
    match board.rules, board.state:
        case DanishRules() as rules, danish.State() as state:
            found = forcing(rules, state)
            by_side: dict[tuple[e.Seat, ...], list[Forced]] = {}
            for one in found.found:
                by_side.setdefault(one.side, []).append(one)
            told = tuple(words.forced(some, [one.atom for one in ones]) for some, ones in by_side.items())
            return told or (words.text("verdicts.nothingForced"),), found.exact
    return (), True


# --- to keep ---------------------------------------------------------------------------------------------

_SAID: dict[str, e.Action] = {"demands": e.DemandSkus(), "silent": e.Decline()}
_MOVE = re.compile(r"\s*(?:[0-9]+\.)?\s*([A-Z])\s+([^{]*?)\s*(?:\{(.*)\})?\s*$", re.IGNORECASE)


def record(text: str, moves: Sequence[e.Action], comments: Sequence[str] = (), language: str = "en") -> str:
    """The position and the moves on it as a small sheet, which `board` reads; or `BoardError`.

    A record of a deal begins with its opening and holds how the cards were dealt. A position has no such
    past, so that what is kept of a board is a sheet of its own: the line of the position, and below it a move
    on each line with what was noted about it.
    """
    found = board(text, moves, language)
    lines = [HEAD, found.text]
    for place, one in enumerate(found.made):
        comment = " ".join(comments[place].split()) if place < len(comments) else ""
        note = f" {{{comment.replace('{', '(').replace('}', ')')}}}" if comment else ""
        lines.append(f"{place + 1}. {found.letters[one.seat]} {written(one.action)}{note}")
    return "\n".join([*lines, ""])


def written(action: e.Action) -> str:
    """A move as a sheet has it: `S2`, `T0=H`, `demands`, `names S`."""
    match action:
        case e.Play(card=card, named=named):
            return str(card.value) + (f"={named}" if named else "")
        case e.NameSkus(suit=suit):
            return f"names {suit}"
        case e.Announce(kind=kind):
            return f"announces {kind}"
        case e.ShowPoignee(cards=some):
            return f"shows {' '.join(card.value for card in some)}"
        case _:
            return next(word for word, said in _SAID.items() if said == action)


def recorded(text: str, language: str = "en") -> tuple[str, tuple[e.Action, ...], tuple[str, ...]]:
    """The line, the moves and the comments of a sheet that `record` wrote, or `BoardError`.

    Of the record of a deal, or of a whole game, it is the position of the last deal near its end.
    """
    if not text.lstrip().startswith(HEAD):
        return _near_the_end(text, language), (), ()
    lines = [(number, line.strip()) for number, line in enumerate(text.strip().splitlines(), 1)]
    lines = [(number, line) for number, line in lines[1:] if line and not line.startswith("#")]
    if not lines:
        raise BoardError("text", None, BoardWords.plain(language).get("noPosition"))
    moves, comments = [], []
    for number, line in lines[1:]:
        found = _MOVE.match(line)
        try:
            moves.append(_move(found[2] if found else line))
        except (PositionError, ValueError) as error:
            words = BoardWords.plain(language)
            told = words.get("notSheet", line=number, reason=words.get("unknownMove", text=line))
            raise BoardError("text", None, told) from error
        comments.append((found and found[3]) or "")
    return lines[0][1], tuple(moves), tuple(comments)


def _near_the_end(text: str, language: str) -> str:
    """The line of the position with eight tricks to come in the last deal of a record."""
    try:
        kept = records.loads(text)
        rules = records.rules_of(kept.header, same=False)
        happened = chain.from_iterable(whole_steps(rules, [entry.event for entry in kept.entries]))
        played = [
            one.truth
            for one in decisions(rules, deals(tuple(happened))[-1])
            if one.truth.phase == "play" and not one.truth.trick
        ]
        late = [state for state in played if max(map(int.bit_count, state.hands)) <= NEAR_THE_END]
        return position.write(rules, (late or played[-1:])[0])
    except (records.RecordError, IllegalRecord, NoDeal, position.NoPosition, IndexError) as error:
        wrong = isinstance(error, records.RecordError | IllegalRecord)
        reason = shortened(str(error)) if wrong else BoardWords.plain(language).get("noDeal")
        raise BoardError("record", None, reason) from error


def _move(text: str) -> e.Action:
    first, *rest = text.split()
    match first.lower(), rest:
        case "names", [suit]:
            return e.NameSkus(Word(suit, 0).suit())
        case "announces", [("nolo" | "tout" | "slam") as kind]:
            return e.Announce(kind)
        case "shows", [_, *_]:
            return e.ShowPoignee(tuple(Word(card, 0).card() for card in rest))
        case said, [] if said in _SAID:
            return _SAID[said]
        case _, []:
            card, _, named = first.partition("=")
            return e.Play(Word(card, 0).card(), Word(named, 0).suit() if named else None)
    raise ValueError(text)
