"""What the pages and the server tell each other over HTTP, as JSON."""

from __future__ import annotations

from typing import Annotated, Any, Literal, TypeAlias

from msgspec import UNSET, Meta, Struct, UnsetType

from ultimo.events import Action, Seat
from ultimo.fair import AnyProof
from ultimo.names import Family
from ultimo.table.archive import Frame
from ultimo.table.scene import CardName, Moment, PaymentShown
from ultimo.table.settings import Settings
from ultimo.telling.citations import Cited
from ultimo.telling.glossary import Explanation
from ultimo.telling.switches import SwitchGroup
from ultimo.telling.writer import Block, Chapter
from ultimo.tutor.school.exercises import Question, Verdict

Language: TypeAlias = Literal["en", "da", "fr", "de"]
PlayerName: TypeAlias = Annotated[str, Meta(min_length=1, max_length=24)]
Password: TypeAlias = Annotated[str, Meta(min_length=8, max_length=200)]


class Asked(Struct, frozen=True, rename="camel", forbid_unknown_fields=True):
    """Something that a page asks for."""


class Told(Struct, frozen=True, rename="camel"):
    """Something that a page is told."""


class Trouble(Told, frozen=True, omit_defaults=True):
    """What is wrong with a request; `field` says with which part of it, `cite` where that is written.

    `column` is the place in a text, from 1 up.
    """

    error: str
    field: str = ""
    cite: Cited | None = None
    column: int | None = None


# --- people --------------------------------------------------------------------------------------------


class Enter(Asked, frozen=True):
    """Come in; whoever has no session yet becomes a guest."""

    language: Language | None = None


class ChangeMe(Asked, frozen=True):
    """Change one's name or language."""

    name: PlayerName | UnsetType = UNSET
    language: Language | UnsetType = UNSET


class Credentials(Asked, frozen=True):
    """The name and the password of an account."""

    name: PlayerName
    password: Password


class ChangePassword(Asked, frozen=True):
    """Change the password of one's account."""

    old: Annotated[str, Meta(max_length=200)]
    new: Password


class LogOut(Asked, frozen=True):
    """Log out: of this browser, or of all."""

    everywhere: bool = False


class Me(Told, frozen=True):
    """Who somebody is."""

    id: str
    name: str
    guest: bool
    language: Language


class Sitting(Told, frozen=True):
    """A session that one has played: `series` are one's own totals after each deal.

    `device` is the id that it has on the device where it was played: it can be looked at, and counts nowhere.
    """

    id: str
    title: str
    at: float
    moment: Moment
    deals: int
    total: int
    players: tuple[str, ...]
    series: tuple[int, ...] = ()
    device: str = ""


class FigureGroup(Told, frozen=True):
    """What one has won and lost under a rulebook at tables of a size; `slams` are touts, too."""

    title: str
    rules: str
    family: Family
    size: int
    deals: int
    points: int
    ultimos: int
    baguds: int
    nolos: int
    slams: int
    last_tricks: int


class ContractFigure(Told, frozen=True):
    """How often one has taken with a bid, and made it."""

    bid: str
    times: int
    made: int


class DealFigure(Told, frozen=True):
    """One deal of one's own."""

    table: str
    deal: int
    points: int
    title: str
    at: float


Uncounted: TypeAlias = Literal["takenBack", "sameCards"]  # why a deal does not count


class Figures(Told, frozen=True):
    """What one has won and lost: `totals` run through the last deals, and begin at nothing."""

    deals: int
    points: int
    deals_today: int
    points_today: int
    groups: tuple[FigureGroup, ...]
    contracts: tuple[ContractFigure, ...]
    totals: tuple[int, ...]
    best: DealFigure | None
    worst: DealFigure | None
    uncounted: dict[Uncounted, int]


# --- rulebooks -----------------------------------------------------------------------------------------


class Differs(Told, frozen=True):
    """A rule on which a book and the federation's do not agree: `here` is this book, `there` the other."""

    key: str
    here: str
    there: str
    cite_here: Cited
    cite_there: Cited


class Book(Told, frozen=True):
    """A rulebook that a table can be opened under."""

    id: str
    family: Family
    title: str
    about: str
    sizes: tuple[int, ...]
    beside: str  # the title of the book that it is compared with
    differences: tuple[Differs, ...]


class BookPage(Told, frozen=True):
    """A rulebook and what a table may change about it, with the house rules chosen so far."""

    book: Book
    groups: tuple[SwitchGroup, ...]
    sheet_sizes: tuple[int, ...]  # of tables whose score is kept on a sheet


class RuleLine(Told, frozen=True):
    """A rule of a table; where `house`, `book` is what the book says instead."""

    key: str
    sentence: str
    cite: Cited
    house: bool = False
    book: str = ""


class RuleSection(Told, frozen=True):
    """The rules about one part of the game."""

    title: str
    lines: tuple[RuleLine, ...]


class TableRules(Told, frozen=True):
    """The rules for `size` at the table, `house` of them its own: how to play, then all of them in detail."""

    title: str
    about: str
    heading: str
    family: Family
    size: int
    sizes: tuple[int, ...]
    house: int
    chapters: tuple[Chapter, ...]
    sections: tuple[RuleSection, ...]
    earlier: bool = False  # whether the book has changed since


class Glossary(Told, frozen=True):
    """The words of both games, explained."""

    words: tuple[Explanation, ...]


# --- tables --------------------------------------------------------------------------------------------


class NewTable(Asked, frozen=True):
    """Open a table."""

    settings: Settings


class PlayAgain(Asked, frozen=True):
    """Open a table at which the cards of a closed deal are played once more, or on from a frame."""

    deal: Annotated[int, Meta(ge=1)]
    step: Annotated[int, Meta(ge=0)] | None = None


class TableMade(Told, frozen=True):
    """The table that has been opened."""

    id: str


class BringSession(Asked, frozen=True):
    """Bring the log of a session that was played on a device; `known` as with a score sheet."""

    log: str
    known: bool = False


class SessionBrought(Told, frozen=True):
    """The place of a session in the account, and how many of its deals are there."""

    id: str
    deals: int


class SeatProgram(Asked, frozen=True):
    """Give a seat to a program."""

    seat: Seat
    name: str


class ProgramSeated(Told, frozen=True):
    """The token of a program, which is told this once, and the name by which it sits there."""

    token: str
    seat: Seat
    name: str


class SeatLine(Told, frozen=True):
    """A seat as the lobby shows it."""

    name: str
    kind: Literal["person", "bot", "open"]


class TableLine(Told, frozen=True):
    """A table as the lobby and its invitation show it."""

    id: str
    title: str
    rules: str
    family: Family
    size: int
    seats: tuple[SeatLine, ...]
    moment: Moment
    number: int  # of the deal
    deals: int | None
    house: int
    public: bool
    at: float


class Lobby(Told, frozen=True):
    """The public tables: those one can sit down at, and those one can watch."""

    open: tuple[TableLine, ...]
    running: tuple[TableLine, ...]


class Replay(Told, frozen=True):
    """A closed deal step by step, with all cards open."""

    deal: int
    frames: tuple[Frame, ...]
    cites: dict[str, Cited]  # the legend of their payments


class Ledger(Told, frozen=True):
    """Every payment of a session, and their legend."""

    payments: tuple[PaymentShown, ...]
    cites: dict[str, Cited]


# --- the tutor -----------------------------------------------------------------------------------------

PositionText: TypeAlias = Annotated[str, Meta(max_length=2000)]
Moves: TypeAlias = Annotated[tuple[Action, ...], Meta(max_length=200)]
Comment: TypeAlias = Annotated[str, Meta(max_length=1000)]


class AskHint(Asked, frozen=True):
    """Ask what to do, and why not something else; `move` may say which one, of several that wait.

    With `first` a club player answers, at once.
    """

    move: int | None = None
    against: Action | None = None
    first: bool = False


class Analyse(Asked, frozen=True):
    """Look at a position after some moves."""

    text: PositionText
    moves: Moves = ()


class Search(Asked, frozen=True):
    """Search a position for a goal."""

    text: PositionText
    moves: Moves = ()
    goal: Annotated[str, Meta(max_length=100)] = "points"


class WriteDown(Asked, frozen=True):
    """Write down what was played from a position, with a comment to each move."""

    text: PositionText
    moves: Moves = ()
    comments: Annotated[tuple[Comment, ...], Meta(max_length=200)] = ()


class GuideStep(Asked, frozen=True):
    """Go to a step of a guided first deal, after these moves of one's own."""

    at: Annotated[int, Meta(ge=0, le=1000)] = 0
    moves: Moves = ()


class Reopen(Asked, frozen=True):
    """Open what was written down."""

    record: Annotated[str, Meta(max_length=200_000)]


class Reopened(Told, frozen=True):
    """A position, what was played from there, and a comment to each move."""

    text: str
    moves: tuple[Action, ...]
    comments: tuple[str, ...]


class ReviewProgress(Told, frozen=True):
    """How far a review has come, and how many are before it."""

    done: int
    of: int
    waiting: int


class Waiting(Told, frozen=True):
    """How many searches are before this one."""

    waiting: int


class PositionTold(Told, frozen=True):
    """A position in text."""

    text: str


# --- puzzles -------------------------------------------------------------------------------------------


class TryPuzzle(Asked, frozen=True):
    """The moves that somebody makes in a puzzle, from its start."""

    moves: Annotated[tuple[Action, ...], Meta(max_length=40)] = ()


class ThemeLine(Told, frozen=True):
    """A theme of puzzles: how many there are, and how many of them one has tried and solved."""

    id: str
    title: str
    family: Family
    number: int
    tried: int
    solved: int


class RulesLine(Told, frozen=True):
    """A rulebook that puzzles are played by."""

    id: str
    title: str
    family: Family
    number: int


class StandingShown(Told, frozen=True):
    """What one's attempts at puzzles have come to; `streak` is how many were solved one after another."""

    rating: int
    tried: int
    solved: int
    streak: int
    best: int


class OwnDeal(Told, frozen=True):
    """A reviewed deal of one's own with mistakes that the solver proves: they can be played better."""

    table: str
    deal: int
    title: str
    number: int


class PuzzlesTold(Told, frozen=True):
    """All puzzles: by themes and rulebooks, one's own standing, and the puzzle of the day."""

    themes: tuple[ThemeLine, ...]
    rules: tuple[RulesLine, ...]
    standing: StandingShown
    day: str
    day_solved: bool | None  # None before it was tried
    own: tuple[OwnDeal, ...]


class Attempted(Told, frozen=True):
    """What an attempt at a puzzle comes to; `told` beside it is the puzzle after the moves (`PuzzleTold`).

    `solved` is how one's first attempt ended, if there was one; `change` is what this one has changed in the
    rating, if it counts.
    """

    standing: StandingShown
    solved: bool | None
    change: int | None = None


# --- games to watch ------------------------------------------------------------------------------------


class GameSeat(Told, frozen=True):
    """A master who played a game, and what it brought them."""

    name: str
    result: int


class GameLine(Told, frozen=True):
    """A game to watch: in a few words, by which rules, and how many of its decisions are told.

    The card is the one that won the last trick.
    """

    id: str
    headline: str
    rules: str
    family: Family
    seats: tuple[GameSeat, ...]
    card: CardName
    told: int


class GamesTold(Told, frozen=True):
    """All games to watch."""

    games: tuple[GameLine, ...]


class GameTold(Told, frozen=True):
    """A game step by step."""

    game: GameLine
    replay: Replay


class WatchOn(Asked, frozen=True):
    """Open a table at which a game is played on from a step, from a seat of one's choice."""

    step: Annotated[int, Meta(ge=0)]
    seat: Annotated[Seat, Meta(ge=0, le=4)]


# --- the school ----------------------------------------------------------------------------------------

AnswerWord: TypeAlias = Annotated[str, Meta(max_length=12)]


class GiveAnswer(Asked, frozen=True):
    """Answer an exercise: by the numbers of options, by cards in notation, or by one number."""

    answer: Annotated[tuple[AnswerWord, ...], Meta(max_length=40)]


class LessonLine(Told, frozen=True):
    """A lesson in a list: how many exercises it has, and how many of them are solved."""

    name: str
    title: str
    goal: str
    exercises: int
    solved: int


class SchoolChapter(Told, frozen=True):
    """A chapter of the course."""

    id: str
    family: Family
    title: str
    lessons: tuple[LessonLine, ...]


class TrainerBook(Told, frozen=True):
    """A rulebook by which a trainer can be played; who serves both games has books of both."""

    id: str
    title: str
    family: Family


class TrainerLine(Told, frozen=True):
    """A trainer, and one's longest run of right answers; the first book, and its game, are the usual ones."""

    id: str
    family: Family
    title: str
    about: str
    books: tuple[TrainerBook, ...]
    best: int


class FirstDeal(Told, frozen=True):
    """The first deal of a game, with a guide; whether one has played it."""

    family: Family
    done: bool


class School(Told, frozen=True):
    """All that can be learned, and how far one has come."""

    first: tuple[FirstDeal, ...]
    chapters: tuple[SchoolChapter, ...]
    trainers: tuple[TrainerLine, ...]


class ReadPart(Told, frozen=True, tag_field="kind", tag="read"):
    """Something to read in a lesson."""

    block: Block


class AskPart(Told, frozen=True, tag_field="kind", tag="ask"):
    """An exercise of a lesson, by its number from 0."""

    number: int
    question: Question
    solved: bool


class LessonPage(Told, frozen=True):
    """A lesson: its parts in order, what comes before and after it, and where to practise."""

    name: str
    family: Family
    chapter: str
    title: str
    goal: str
    book: str
    parts: tuple[ReadPart | AskPart, ...]
    cites: tuple[Cited, ...]
    needs: tuple[LessonLine, ...]
    previous: LessonLine | None
    next: LessonLine | None
    trainers: tuple[TrainerLine, ...]


class TrainerPage(Told, frozen=True):
    """A question of a trainer's run."""

    trainer: TrainerLine
    book: str
    n: int
    question: Question


class TrainerVerdict(Told, frozen=True):
    """What is said to an answer in a run, how long the run is, and one's longest."""

    verdict: Verdict
    streak: int
    best: int


# --- fair cards ----------------------------------------------------------------------------------------


class DealingOrder(Told, frozen=True):
    """How a pack becomes hands: who gets a packet in turn, and where the chien may come from.

    `pack` is the pack as it was cut, where it is not shuffled.
    """

    seats: int
    order: tuple[int, ...]
    packet: int
    chien: int
    ends: int  # so many cards at either end of the pack do not go to the chien
    pack: tuple[CardName, ...] = ()


class DealtCards(Told, frozen=True):
    """What was dealt: the cards of each seat, and those of the chien."""

    hands: tuple[tuple[CardName, ...], ...]
    chien: tuple[CardName, ...]


class Shuffled(Told, frozen=True):
    """One dealing of a deal: the secrets it came from, and what came of them."""

    proof: AnyProof
    dealt: DealtCards


class FirstDealer(Told, frozen=True):
    """How the first dealer came about: by lot, by cards that were drawn, or set by the table."""

    dealer: int
    cards: tuple[CardName, ...]
    proof: AnyProof | None
    is_set: bool


class CupsRest(Told, frozen=True):
    """Who got the rest of the cups when the session ended, and how that was drawn."""

    seat: int
    proof: AnyProof | None


class FairDeal(Told, frozen=True):
    """All that is needed to check the cards of a closed deal; a redeal makes a second dealing.

    With the first deal comes how its dealer was drawn, and with the last one who got the rest of the cups.
    """

    rules: str
    house: dict[str, Any]
    dealer: int
    dealing: DealingOrder
    shuffles: tuple[Shuffled, ...]
    first: FirstDealer | None = None
    rest: CupsRest | None = None
    digest: str = ""  # of the rules
