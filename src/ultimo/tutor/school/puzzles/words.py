"""What is said about a puzzle, in the four languages: its task, and what came of the moves."""

from __future__ import annotations

from collections.abc import Sequence

from ultimo import events as e
from ultimo.analysis.solver import Atom, Claim
from ultimo.cards import PAGAT
from ultimo.names import puzzling
from ultimo.rulebook import DanishRules, load
from ultimo.tutor.board import Board, words_of
from ultimo.tutor.board_words import BoardWords
from ultimo.tutor.school.puzzles.playing import Asked, Game, NotAMove, Place, Reply, game, solution_of
from ultimo.tutor.school.puzzles.puzzle import Puzzle
from ultimo.tutor.school.puzzles.shown import PuzzleShown, ReplyShown
from ultimo.tutor.shown import ActionShown, LineStep


def puzzle_shown(puzzle: Puzzle, language: str) -> PuzzleShown:
    """A puzzle and its task."""
    played = game(puzzle)
    words = words_of(played.start.board, language)
    return PuzzleShown(
        id=puzzle.id,
        rules=puzzle.rules,
        family=puzzle.family,
        theme=puzzle.theme,
        title=puzzling(language)[f"themes.{puzzle.theme}"],
        tricks=puzzle.tricks,
        rating=puzzle.rating,
        seats=tuple(seat for seat in played.start.board.letters if seat in played.side),
        side=_side(played, words),
        goal=_goal(played, words),
    )


def reply_shown(puzzle: Puzzle, moves: Sequence[e.Action], reply: Reply, language: str) -> ReplyShown:
    """What came of moves, in words."""
    played, board = game(puzzle), reply.place.board
    words = words_of(board, language)
    text = puzzling(language)
    if reply.asked is not None:
        told = (text["told.right"],) if moves else ()
        return ReplyShown(
            "open",
            told,
            _question(reply.place, reply.asked, words),
            _actions(reply.place, reply.asked, words),
        )
    if reply.state == "solved":
        goal = _goal(played, words)
        return ReplyShown(
            "solved", (text["told.solved"].format(goal=goal),), "", (), _steps(board, words, len(board.made))
        )
    before = played.play(moves[:-1])
    right = played.play((*moves[:-1], *played.line(before.place))).place.board
    return ReplyShown(
        "failed",
        _mistake(before, moves[-1], words),
        "",
        (),
        _steps(right, words, len(right.made)),
        _refutation(played, reply.place, words),
    )


def told_wrong(error: NotAMove, language: str) -> str:
    """What is said of a move that cannot be made."""
    return puzzling(language)["told.notAMove"].format(number=error.place + 1)


# --- the task -----------------------------------------------------------------------------------------------


def _side(played: Game, words: BoardWords) -> str:
    text = puzzling(words.teller.words.language)
    key = "side.one" if len(played.side) == 1 else "side.many"
    told = text[key].format(side=words.side(played.side))
    rules = played.start.board.rules
    usual = load(rules.id)
    match rules, usual:
        case DanishRules(), DanishRules() if usual.skus.demandable and not rules.skus.demandable:
            told += " " + text["side.noDemand"]
    return told


def _goal(played: Game, words: BoardWords) -> str:
    if isinstance(played.goal, Claim):
        return " ".join(_claimed(played, played.goal, words))
    return _points(played, words)


def _claimed(played: Game, goal: Claim, words: BoardWords) -> list[str]:
    """A Danish goal, an event after the other."""
    text = puzzling(words.teller.words.language)
    if [(atom.what, atom.holds) for atom in goal.atoms] == [("lost", False), ("bagud", False)]:
        return [_atom(text["goal.save"], goal.atoms[0], words)]
    return [_atom(text[f"goal.{_event(played, atom)}"], atom, words) for atom in goal.atoms]


def _event(played: Game, atom: Atom) -> str:
    """The sentence for an event."""
    match atom.what, atom.holds:
        case "ultimo", True:
            return "ultimo" if played.side == {atom.seat} else "ultimoOf"
        case "ultimo", False:
            return "stop"
        case "nolo", False:
            return "noNolo"
        case _:
            return atom.what


def _atom(sentence: str, atom: Atom, words: BoardWords) -> str:
    card = "" if atom.card is None else words.teller.face(atom.card)
    return sentence.format(player=words.name(atom.seat), card=card)


def _points(played: Game, words: BoardWords) -> str:
    """A French goal: what it is about, and the points that it must come to."""
    text = puzzling(words.teller.words.language)
    puzzle, state = played.puzzle, played.start.board.start
    match puzzle.theme:
        case "petit":
            mine = any(state.hands[seat] & PAGAT for seat in played.side)
            mine = mine or any(play.seat in played.side and play.card.bit == PAGAT for play in state.trick)
            about = text["goal.savePetit" if mine else "goal.catchPetit"]
        case "contract":
            return text["goal.make" if played.most else "goal.beat"]
        case "slam":
            about = text["goal.makeSlam" if played.most else "goal.slam"]
        case theme:
            about = text[f"goal.{theme}"]
    target = puzzle.target
    if played.most:
        key = "points.paid" if target >= 0 else "points.pay"
    else:
        key = "points.defenceGains" if target <= 0 else "points.defencePays"
    return f"{about} {text[key].format(points=abs(target))}"


# --- the moves ----------------------------------------------------------------------------------------------


def _question(place: Place, asked: Asked, words: BoardWords) -> str:
    """What is asked, where it is not simply a card."""
    if not _off_turn(place, asked):
        return ""
    turn = place.board.turn
    assert turn is not None
    return puzzling(words.teller.words.language)["told.asksDemand"].format(player=words.name(turn))


def _actions(place: Place, asked: Asked, words: BoardWords) -> tuple[ActionShown, ...]:
    text, off = puzzling(words.teller.words.language), _off_turn(place, asked)

    def label(action: e.Action) -> str:
        if off:
            return text["told.demand" if isinstance(action, e.DemandSkus) else "told.leave"]
        return words.label(place.board.state, action)

    return tuple(ActionShown(one.action, label(one.action), words.cards(one.action)) for one in asked.options)


def _off_turn(place: Place, asked: Asked) -> bool:
    """Whether it is asked for the skus of whoever is on turn."""
    return asked.options[0].seat != place.board.turn


def _mistake(before: Reply, move: e.Action, words: BoardWords) -> tuple[str, ...]:
    """What was wrong, and what would have been right."""
    assert before.asked is not None
    text = puzzling(words.teller.words.language)
    if _off_turn(before.place, before.asked):
        return (text["told.mustNot" if isinstance(move, e.DemandSkus) else "told.must"],)
    labels = {one.action: one.label for one in _actions(before.place, before.asked, words)}
    right = [labels[one.action] for one in before.asked.right]
    key = "told.only" if len(right) == 1 else "told.any"
    return (
        text["told.failed"].format(move=labels[move]),
        text[key].format(moves=words.teller.words.listed(right)),
    )


def _refutation(played: Game, place: Place, words: BoardWords) -> tuple[LineStep, ...]:
    """How the others make the most of a wrong move, until the goal is out of reach for good."""
    first = len(place.board.made)
    board = _unasked(_answered(played, place).board)
    if played.over(board) is None:
        for _, action in solution_of(board, played.goal, played.side).line:
            board = _unasked(board)
            if not isinstance(action, e.Decline):
                board = board.after(action)
            if played.over(board) is not None:
                break
    return _steps(board, words, len(board.made))[len(_steps(board, words, first)) :]


def _answered(played: Game, place: Place) -> Place:
    """The place after the answer of whoever is on turn, where the skus should have been demanded."""
    while place.waited and played.over(place.board) is None:
        asked = played.asked(place)
        wrong = (one.action for one in asked.options if not one.right)
        place = place.after(next(wrong, asked.options[0].action))
    return place


def _unasked(board: Board) -> Board:
    """The board once nobody has demanded the skus before the trick."""
    while board.state.phase == "demand":
        board = board.after(e.Decline())
    return board


def _steps(board: Board, words: BoardWords, most: int) -> tuple[LineStep, ...]:
    """What has been done on a board; that nobody demands the skus is not told."""
    return tuple(
        words.step(one.before, one.seat, one.action)
        for one in board.made[:most]
        if not isinstance(one.action, e.Decline)
    )
