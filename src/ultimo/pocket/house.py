"""What the page asks for, answered on the device: the paths of the server, as far as nobody else is needed.

What needs other people, long thinking or an account is refused with a sentence that says so.

>>> import asyncio
>>> from ultimo.pocket.storage import Memory
>>> house = House(Memory(), lambda: 0.0)
>>> status, headers, body = asyncio.run(house.answer("GET", "/api/books", "", "da"))
>>> status, headers["content-type"], b'"id":"hermansen"' in body
(200, 'application/json', True)
"""

from __future__ import annotations

import asyncio
import re
import secrets
from collections.abc import Awaitable, Callable, Mapping
from random import Random
from typing import Final, TypeAlias, TypeVar
from urllib.parse import parse_qsl, unquote, urlsplit

import msgspec
from msgspec import UNSET, Struct
from msgspec.structs import replace

from ultimo.answers import advice, books, games, guide, positions, puzzles, school, sheets, tables
from ultimo.answers.cleaning import clean_name, guest_name
from ultimo.answers.files import File
from ultimo.answers.payloads import (
    Analyse,
    AskHint,
    ChangeMe,
    Enter,
    GiveAnswer,
    GuideStep,
    Lobby,
    Me,
    NewTable,
    PlayAgain,
    Reopen,
    TableMade,
    TrainerVerdict,
    TryPuzzle,
    WatchOn,
    WriteDown,
)
from ultimo.answers.ratings import Attempt, standing
from ultimo.answers.refusing import Refusal, decoded, largest, number, refusal_of, sentence, trouble
from ultimo.answers.sheet_payloads import (
    OpenSheet,
    PreviewDeal,
    ReadSheet,
    SheetMade,
    SheetWritten,
    WriteSheet,
)
from ultimo.club.sheet import AnyFact, Sheet
from ultimo.events import Seat
from ultimo.names import LANGUAGES
from ultimo.players import create
from ultimo.pocket.storage import Full, Storage
from ultimo.pocket.tables import Line, Person, Tables, Talk, UnknownTable
from ultimo.rulebook import UnknownVersion, load
from ultimo.table.archive import Log
from ultimo.table.messages import Goodbye
from ultimo.table.scene import Moment
from ultimo.table.settings import Settings, experts
from ultimo.tutor.school.puzzles.puzzle import Puzzle
from ultimo.tutor.school.trainers import Trainer

T = TypeVar("T")

FACT: Final[msgspec.json.Decoder[AnyFact]] = msgspec.json.Decoder(AnyFact)
MOST_CARDS: Final = 21  # in play in a French puzzle that is searched here in about two seconds
ME, PROGRESS, ATTEMPTS = "me", "progress", "attempts"  # the names of values


class Resident(Struct, frozen=True):
    """Who lives on the device."""

    id: str
    name: str
    language: str


class Ask(Struct, frozen=True):
    """A request: what stands in its address, what it brings, and in which language it is answered."""

    at: dict[str, str]
    query: dict[str, str]
    body: bytes
    language: str

    def wish(self, kind: type[T]) -> T:
        """What it asks for."""
        return decoded(self.body, kind)


class Made(Struct, frozen=True):
    """An answer with another status than 200."""

    status: int
    told: object = None


Handler: TypeAlias = "Callable[[House, Ask], Awaitable[object]]"
Answer: TypeAlias = tuple[int, dict[str, str], bytes]

_routes: list[tuple[str, re.Pattern[str], Handler]] = []


def route(method: str, path: str) -> Callable[[Handler], Handler]:
    """Let a function answer a path; `{name}` stands for a part of it."""
    pattern = re.compile(re.sub(r"\{(\w+)\}", r"(?P<\1>[^/]+)", path))

    def taken(handler: Handler) -> Handler:
        _routes.append((method, pattern, handler))
        return handler

    return taken


class House:
    """The house on a device. `clock` gives seconds since 1970, `secret` 32 random bytes as hex."""

    def __init__(
        self,
        storage: Storage,
        clock: Callable[[], float],
        secret: Callable[[], str] = lambda: secrets.token_hex(32),
    ) -> None:
        self.storage, self.clock, self.secret = storage, clock, secret
        self.tables = Tables(storage, clock, secret)
        self._door = asyncio.Lock()

    async def start(self) -> None:
        """Load what a first table needs, before anybody waits for it."""
        create("club", "")

    async def answer(self, method: str, path: str, body: str, language: str) -> Answer:
        """The answer to a request: its status, its headers and what it brings."""
        parts = urlsplit(path)
        try:
            if len(data := body.encode()) > largest(parts.path):
                raise Refusal(413, "tooLarge", most=largest(parts.path))
            handler, at = _found(method, parts.path)
            return _written(await handler(self, Ask(at, dict(parse_qsl(parts.query)), data, language)))
        except (Refusal, UnknownVersion) as error:
            refusal = refusal_of(error)
            return _written(Made(refusal.status, trouble(refusal, language)))
        except UnknownTable:
            return _written(Made(404, trouble(Refusal(404, "unknownTable"), language)))
        except Full:
            return _written(Made(507, trouble(Refusal(507, "deviceFull"), language)))

    async def open(self, table: str, language: str, say: Callable[[str], None]) -> Talk | None:
        """Show a table to a page: `say` is called with every message. None if there is no such table."""
        try:
            held = await self.tables.hold(table)
        except (UnknownTable, UnknownVersion) as error:
            why = "unknownTable" if isinstance(error, UnknownTable) else "otherRules"
            goodbye = Goodbye(sentence(language, why, book=getattr(error, "file", "")), again=False)
            say(msgspec.json.encode(goodbye).decode())
            return None
        return held.join(await self.person(language), language, say)

    # --- who lives here, and what they have done -----------------------------------------------------------

    async def resident(self, language: str) -> Resident:
        """Who lives here; the first to come in moves in, whatever the page asks meanwhile."""
        async with self._door:
            kept = await self.storage.get(ME)
            if kept is not None:
                return msgspec.json.decode(kept, type=Resident)
            own = self.secret()[:32]
            return await self.keep(Resident(own, guest_name(language, Random(own).randrange), language))

    async def keep(self, resident: Resident) -> Resident:
        """Keep who lives here."""
        await self.storage.put(ME, msgspec.json.encode(resident).decode())
        return resident

    async def person(self, language: str) -> Person:
        """Who lives here, as the tables know them."""
        found = await self.resident(language)
        return Person(found.id, found.name)

    async def progress(self) -> dict[str, int]:
        """What has been done in the school, by item."""
        return msgspec.json.decode(await self.storage.get(PROGRESS) or "{}", type=dict[str, int])

    async def remember(self, progress: Mapping[str, int]) -> None:
        """Keep what has been done."""
        await self.storage.put(PROGRESS, msgspec.json.encode(progress).decode())

    async def done(self, item: str) -> None:
        """Remember that something was done."""
        await self.remember({**await self.progress(), item: 1})

    async def tried(self) -> dict[str, Attempt]:
        """The first attempts at puzzles, by puzzle."""
        kept = msgspec.json.decode(await self.storage.get(ATTEMPTS) or "[]", type=list[Attempt])
        return {one.puzzle: one for one in kept}

    @property
    def puzzle_of_the_day(self) -> Puzzle:
        """The puzzle of the day, of those that can be done here."""
        return puzzles.of_the_day(self.clock(), _is_short)

    # --- logs ----------------------------------------------------------------------------------------------

    async def game(self, table: str) -> Game:
        """A table without its log."""
        for one in await self.games():
            if one.id == table:
                return one
        raise UnknownTable(table)

    async def games(self) -> list[Game]:
        """All tables, the latest first."""
        kept, found = await self.storage.get(ME), await self.tables.lines()
        own = msgspec.json.decode(kept, type=Resident).id if kept is not None else ""
        return [_game(table, line, own) for table, line in found]

    async def log(self, table: str) -> Log:
        """The log of a table."""
        return [(row.fact, row.at) for row in await self.tables.read(table)]

    async def open_log(self, table: str) -> Log:
        """The log of a table, for what tells the cards of its deals."""
        game = await self.game(table)
        tables.check_open(game.settings, game.moment)
        return await self.log(table)

    async def facts(self, sheet: str) -> tuple[AnyFact, ...]:
        """What is written on a sheet."""
        found = tuple(FACT.decode(row) for _, row in await self.storage.read(sheet))
        if not found:
            raise Refusal(404, "unknownSheet")
        return found

    async def write(
        self, sheet: str, after: int, facts: tuple[AnyFact, ...], then: Sheet, cmd: str | None = None
    ) -> None:
        """Write on a sheet."""
        rows = [msgspec.json.encode(fact).decode() for fact in facts]
        await self.storage.append(sheet, after, rows, cmd)
        line = sheets.Listed(sheet, then.rules.id, then.names, len(then.entries), then.closed, facts[-1].at)
        await self.storage.describe(sheet, "sheet", msgspec.json.encode(line).decode())

    async def called(self, facts: tuple[AnyFact, ...], language: str) -> dict[str, str]:
        """The names of those who have written on a sheet, as far as they live here."""
        own = await self.resident(language)
        return {own.id: own.name} if own.id in sheets.writers(facts) else {}


class Game(Struct, frozen=True):
    """What is known of a table without its log."""

    id: str
    settings: Settings
    moment: Moment
    number: int
    names: tuple[str, ...]
    kinds: tuple[str, ...]
    series: tuple[tuple[int, ...], ...]
    at: float
    seat: Seat | None
    device: str = ""


def _game(table: str, line: Line, own: str) -> Game:
    shown = line.summary
    seat = next((seat for player, seat in shown.people if player == own), None)
    return Game(
        table,
        line.settings,
        shown.moment,
        shown.number,
        shown.names,
        shown.kinds,
        shown.series,
        line.at,
        seat,
    )


def _found(method: str, path: str) -> tuple[Handler, dict[str, str]]:
    """Who answers a path. What a server answers and nobody here, needs one."""
    matches = [(made, handler, match) for made, one, handler in _routes if (match := one.fullmatch(path))]
    for made, handler, match in matches:
        if made == method:
            return handler, {name: unquote(part) for name, part in match.groupdict().items()}
    raise Refusal(405, "notAllowed") if matches else Refusal(501, "needsServer")


def _written(told: object) -> Answer:
    status = told.status if isinstance(told, Made) else 200
    told = told.told if isinstance(told, Made) else told
    if isinstance(told, File):
        body = told.body.encode() if isinstance(told.body, str) else told.body
        saved = f'attachment; filename="{told.name}"'
        return status, {"content-type": told.media, "content-disposition": saved}, body
    body = b"" if told is None else msgspec.json.encode(told)
    return status, {"content-type": "application/json"}, body


# --- people ----------------------------------------------------------------------------------------------


def _me(resident: Resident) -> Me:
    return Me(resident.id, resident.name, True, resident.language)  # type: ignore[arg-type]


@route("POST", "/api/enter")
async def enter(house: House, ask: Ask) -> object:
    """Come in."""
    wish, resident = ask.wish(Enter).language, await house.resident(ask.language)
    if wish is not None and wish != resident.language:
        resident = await house.keep(replace(resident, language=wish))
    return _me(resident)


@route("PATCH", "/api/me")
async def change_me(house: House, ask: Ask) -> object:
    """Change one's name or language."""
    wish, resident = ask.wish(ChangeMe), await house.resident(ask.language)
    if wish.name is not UNSET:
        resident = replace(resident, name=clean_name(wish.name))
    if wish.language is not UNSET and wish.language in LANGUAGES:
        resident = replace(resident, language=wish.language)
    return _me(await house.keep(resident))


@route("DELETE", "/api/me")
async def forget_me(house: House, ask: Ask) -> object:
    """Delete everything that is kept here; what was brought to an account stays there."""
    await house.tables.forget_all()
    return Made(204)


@route("GET", "/api/history")
async def history(house: House, ask: Ask) -> object:
    """The sessions that were played here."""
    return [tables.sitting(game, ask.language) for game in await house.games()]


# --- rulebooks -------------------------------------------------------------------------------------------


@route("GET", "/api/words")
async def words(house: House, ask: Ask) -> object:
    """The words of both games, explained."""
    return books.words(ask.language)


@route("GET", "/api/books")
async def all_books(house: House, ask: Ask) -> object:
    """All rulebooks."""
    return books.books(ask.language)


@route("GET", "/api/books/{book}")
async def book(house: House, ask: Ask) -> object:
    """One rulebook with its switches."""
    return books.page(ask.at["book"], ask.query.get("house", "{}"), ask.language)


@route("GET", "/api/books/{book}/learn")
async def learn(house: House, ask: Ask) -> object:
    """How to play by a rulebook."""
    house_rules = ask.query.get("house", "{}")
    return books.learn(ask.at["book"], house_rules, ask.query.get("size"), ask.language)


# --- tables ----------------------------------------------------------------------------------------------


@route("GET", "/api/tables")
async def lobby(house: House, ask: Ask) -> object:
    """The public tables: here are none."""
    return Lobby((), ())


@route("POST", "/api/tables")
async def open_table(house: House, ask: Ask) -> object:
    """Open a table for one person and bots."""
    settings = ask.wish(NewTable).settings
    tables.check_settings(settings, ask.language)
    return Made(
        201, TableMade(await house.tables.open(_possible(settings), await house.person(ask.language)))
    )


def _possible(settings: Settings) -> Settings:
    """Refuse a table that needs others: people, or experts."""
    if experts(settings):
        raise Refusal(409, "expertsNeedServer")
    if any(plan.kind == "open" for plan in settings.seats):
        raise Refusal(409, "needsServer")
    return replace(settings, public=False)


@route("GET", "/api/tables/{table}")
async def invitation(house: House, ask: Ask) -> object:
    """What a table plays and who sits there."""
    return tables.line(await house.game(ask.at["table"]), ask.language)


@route("DELETE", "/api/tables/{table}")
async def forget_table(house: House, ask: Ask) -> object:
    """Delete a table from the device."""
    await house.tables.forget((await house.game(ask.at["table"])).id)
    return Made(204)


@route("POST", "/api/tables/{table}/again")
async def open_again(house: House, ask: Ask) -> object:
    """Open a table for the cards of a deal that is over."""
    wish, person = ask.wish(PlayAgain), await house.person(ask.language)
    game, log = await house.game(ask.at["table"]), await house.open_log(ask.at["table"])
    again, settings = tables.again(log, wish.deal, wish.step), tables.alone(game.settings, log, person.id)
    return Made(201, TableMade(await house.tables.open(settings, person, again)))


@route("GET", "/api/tables/{table}/rules")
async def rules(house: House, ask: Ask) -> object:
    """The rules of a table in sentences."""
    return tables.rules((await house.game(ask.at["table"])).settings, ask.language)


@route("GET", "/api/tables/{table}/record")
async def record(house: House, ask: Ask) -> object:
    """The record of a deal, or of all that are over, to keep."""
    form, deal = tables.asked_record(ask.query.get("form", "sheet"), ask.query.get("deal"))
    return tables.record(ask.at["table"], await house.open_log(ask.at["table"]), form, deal)


@route("GET", "/api/tables/{table}/replay/{deal}")
async def replay(house: House, ask: Ask) -> object:
    """A deal step by step."""
    return tables.replay(await house.open_log(ask.at["table"]), number(ask.at["deal"]), ask.language)


@route("GET", "/api/tables/{table}/fair/{deal}")
async def fair(house: House, ask: Ask) -> object:
    """How the cards of a deal were shuffled."""
    return tables.fair(await house.open_log(ask.at["table"]), number(ask.at["deal"]))


@route("GET", "/api/tables/{table}/ledger")
async def ledger(house: House, ask: Ask) -> object:
    """Every payment of the session so far."""
    return tables.ledger(await house.log(ask.at["table"]), ask.language)


# --- the tutor -------------------------------------------------------------------------------------------


@route("POST", "/api/tables/{table}/hint")
async def hint(house: House, ask: Ask) -> object:
    """What a club player would do, and why."""
    wish, person = ask.wish(AskHint), await house.person(ask.language)
    live = (await house.tables.hold(ask.at["table"])).live
    view, choices = advice.question(live, person.id, wish.against, ask.language)
    return msgspec.Raw(advice.club_hint(view, choices, ask.language, advice.people(live), wish.against))


@route("GET", "/api/tables/{table}/position/{deal}/{step}")
async def position(house: House, ask: Ask) -> object:
    """The position that a frame of a replay shows."""
    log = await house.open_log(ask.at["table"])
    return positions.position(log, number(ask.at["deal"]), ask.at["step"])


@route("POST", "/api/analyse")
async def analyse(house: House, ask: Ask) -> object:
    """A position after some moves, and what may be done there."""
    wish = ask.wish(Analyse)
    return msgspec.Raw(positions.board(wish.text, wish.moves, ask.language))


@route("POST", "/api/analyse/record")
async def write_down(house: House, ask: Ask) -> object:
    """The record of what was played from a position."""
    wish = ask.wish(WriteDown)
    return positions.written(wish.text, wish.moves, wish.comments, ask.language)


@route("POST", "/api/analyse/open")
async def reopen(house: House, ask: Ask) -> object:
    """The position and the moves of such a record."""
    return positions.opened(ask.wish(Reopen).record, ask.language)


# --- the school ------------------------------------------------------------------------------------------


@route("GET", "/api/school")
async def whole_school(house: House, ask: Ask) -> object:
    """All that can be learned."""
    return school.school(await house.progress(), ask.language)


@route("GET", "/api/school/lessons/{lesson}")
async def lesson(house: House, ask: Ask) -> object:
    """A lesson, with what of it is solved."""
    name = ask.at["lesson"]
    school.check_lesson(name)
    return school.lesson(name, school.parts(name, ask.language), await house.progress(), ask.language)


@route("POST", "/api/school/lessons/{lesson}/{number}")
async def exercise(house: House, ask: Ask) -> object:
    """What is said to an answer to an exercise of a lesson; a right one is remembered."""
    name = ask.at["lesson"]
    school.check_lesson(name)
    asked = school.exercise_asked(name, ask.at["number"])
    verdict = school.lesson_verdict(name, asked, ask.wish(GiveAnswer).answer, ask.language)
    if verdict.right:
        await house.done(school.exercise_item(name, asked))
    return verdict


@route("GET", "/api/school/trainers/{trainer}")
async def question(house: House, ask: Ask) -> object:
    """A question of a run of a trainer."""
    one = _trainer(ask)
    asked_book, seed, n = school.question_asked(one, ask.query)
    found = school.trainer_question(one.id, asked_book, seed, n, ask.language)
    return school.trainer_page(one, asked_book, n, found, await house.progress(), ask.language)


@route("POST", "/api/school/trainers/{trainer}")
async def judge(house: House, ask: Ask) -> object:
    """What is said to an answer to it, and how long the run is; of a trainer there is one run at a time."""
    one = _trainer(ask)
    asked_book, seed, n = school.question_asked(one, ask.query)
    answer = ask.wish(GiveAnswer).answer
    verdict = school.trainer_verdict(one.id, asked_book, seed, n, answer, ask.language)
    progress, run = await house.progress(), school.run_item(one.id, f"{asked_book}/{seed}")
    length = school.run_after(progress.get(run, 0), n, verdict.right)
    best = max(progress.get(school.longest_item(one.id), 0), length)
    others = {item: value for item, value in progress.items() if not item.startswith(school.run_item(one.id))}
    await house.remember({**others, run: length, school.longest_item(one.id): best})
    return TrainerVerdict(verdict, max(0, length), best)


def _trainer(ask: Ask) -> Trainer:
    """The trainer that is asked, unless it needs a server."""
    one = school.trainer_asked(ask.at["trainer"])
    if one.heavy:
        raise Refusal(501, "needsServer")
    return one


@route("POST", "/api/school/first/{name}")
async def first_deal(house: House, ask: Ask) -> object:
    """A step of the first deal of a game."""
    game, resident = guide.asked_deal(ask.at["name"]), await house.resident(ask.language)
    shown = guide.step(game, ask.wish(GuideStep), resident.name, ask.language)
    if shown.kind == "end":
        await house.done(school.first_item(game))
    return shown


# --- puzzles ---------------------------------------------------------------------------------------------


@route("GET", "/api/puzzles")
async def all_puzzles(house: House, ask: Ask) -> object:
    """Which puzzles there are, and how one has done so far."""
    return puzzles.listed(await house.tried(), (), house.puzzle_of_the_day, ask.language)


@route("GET", "/api/puzzles/next")
async def next_puzzle(house: House, ask: Ask) -> object:
    """A puzzle that one has not tried, about as hard as one is good."""
    tried = await house.tried()
    fresh = puzzles.fresh(tried, ask.query.get("theme"), ask.query.get("rules"))
    short = [one for one in fresh if _is_short(one)]
    return _puzzle(puzzles.following(short or fresh, tried, {}, Random()), tried, ask)


@route("GET", "/api/puzzles/day")
async def daily(house: House, ask: Ask) -> object:
    """The puzzle of the day."""
    return _puzzle(house.puzzle_of_the_day, await house.tried(), ask)


@route("GET", "/api/puzzles/{puzzle}")
async def one_puzzle(house: House, ask: Ask) -> object:
    """A puzzle from its start."""
    return _puzzle(puzzles.named(ask.at["puzzle"]), await house.tried(), ask)


@route("POST", "/api/puzzles/{puzzle}")
async def attempt(house: House, ask: Ask) -> object:
    """What comes of somebody's moves; the first time that they end a puzzle, it counts."""
    found, tried = _short(puzzles.named(ask.at["puzzle"])), await house.tried()
    body, state = puzzles.played(found.id, ask.wish(TryPuzzle).moves, ask.language)
    if state == "open" or found.id in tried:
        return puzzles.shown(body, found, tried)
    one = Attempt(found.id, house.clock(), state == "solved", puzzles.made_rating(found))
    before, all_of = standing(tried.values()), [*tried.values(), one]
    await house.storage.put(ATTEMPTS, msgspec.json.encode(all_of).decode())
    return puzzles.counted(body, before, standing(all_of))


def _puzzle(one: Puzzle, tried: Mapping[str, Attempt], ask: Ask) -> object:
    body, _ = puzzles.played(_short(one).id, (), ask.language)
    return puzzles.shown(body, one, tried)


def _is_short(one: Puzzle) -> bool:
    return one.family == "danish" or one.tricks * load(one.rules).sizes[0] <= MOST_CARDS


def _short(one: Puzzle) -> Puzzle:
    """The puzzle, unless its search would keep somebody waiting."""
    if not _is_short(one):
        raise Refusal(501, "needsServer")
    return one


# --- games to watch --------------------------------------------------------------------------------------


@route("GET", "/api/games")
async def all_games(house: House, ask: Ask) -> object:
    """All games to watch."""
    return games.listed(ask.language)


@route("GET", "/api/games/{game}")
async def one_game(house: House, ask: Ask) -> object:
    """A game step by step."""
    return games.told(ask.at["game"], ask.language)


@route("GET", "/api/games/{game}/review")
async def game_review(house: House, ask: Ask) -> object:
    """What the review says of it."""
    return games.review(ask.at["game"], ask.language)


@route("GET", "/api/games/{game}/position/{step}")
async def game_position(house: House, ask: Ask) -> object:
    """The position that a step of it shows."""
    return games.position(ask.at["game"], ask.at["step"])


@route("POST", "/api/games/{game}/again")
async def watch_on(house: House, ask: Ask) -> object:
    """Open a table at which it is played on."""
    settings, again = games.again(ask.at["game"], ask.wish(WatchOn))
    return Made(201, TableMade(await house.tables.open(settings, await house.person(ask.language), again)))


# --- score sheets ----------------------------------------------------------------------------------------


@route("GET", "/api/sheets")
async def all_sheets(house: House, ask: Ask) -> object:
    """The sheets of the device, the latest first."""
    kept = [msgspec.json.decode(line, type=sheets.Listed) for _, line in await house.storage.logs("sheet")]
    return [sheets.line(one, ask.language) for one in sorted(kept, key=lambda one: -one.at)]


@route("POST", "/api/sheets")
async def open_sheet(house: House, ask: Ask) -> object:
    """Begin a sheet."""
    by = (await house.resident(ask.language)).id
    fact, made = sheets.opened(ask.wish(OpenSheet), by, house.clock(), ask.language)
    return await _begun(house, (fact,), made)


@route("POST", "/api/sheets/read")
async def read_sheet(house: House, ask: Ask) -> object:
    """Make a sheet of a log that was kept."""
    own = (await house.resident(ask.language)).id
    return await _begun(house, *sheets.read(ask.wish(ReadSheet).log, own, ask.language))


async def _begun(house: House, facts: tuple[AnyFact, ...], made: Sheet) -> Made:
    key = f"~{house.secret()[:16]}"
    await house.write(key, 0, facts, made)
    return Made(201, SheetMade(key))


@route("GET", "/api/sheets/{sheet}")
async def look(house: House, ask: Ask) -> object:
    """A sheet as it stands."""
    key, own = ask.at["sheet"], await house.resident(ask.language)
    facts = await house.facts(key)
    called = await house.called(facts, ask.language)
    return sheets.shown(key, facts, [own.id], called, ask.language, may_delete=True)


@route("DELETE", "/api/sheets/{sheet}")
async def forget_sheet(house: House, ask: Ask) -> object:
    """Delete a sheet from the device."""
    await house.facts(ask.at["sheet"])
    await house.storage.forget(ask.at["sheet"])
    return Made(204)


@route("POST", "/api/sheets/{sheet}")
async def write(house: House, ask: Ask) -> object:
    """Write something once; what hangs on what was written before, only if one has seen all of that."""
    key, wish, own = ask.at["sheet"], ask.wish(WriteSheet), await house.resident(ask.language)
    sheets.check_numbers(wish.wish)
    facts = await house.facts(key)
    if (obeyed := await house.storage.applied(key, wish.cmd)) is not None:
        return SheetWritten(obeyed)
    if sheets.is_behind(wish, len(facts)):
        called = await house.called(facts, ask.language)
        return Made(409, sheets.behind(facts, called, wish.base, ask.language))
    fact, after = sheets.written(facts, [own.id], wish.wish, house.clock(), ask.language)
    await house.write(key, len(facts), (fact,), after, wish.cmd)
    return SheetWritten(after.seq)


@route("POST", "/api/sheets/{sheet}/preview")
async def preview(house: House, ask: Ask) -> object:
    """What an entry would pay, or why it cannot have been."""
    return sheets.previewed(await house.facts(ask.at["sheet"]), ask.wish(PreviewDeal), ask.language)


@route("GET", "/api/sheets/{sheet}/money")
async def money(house: House, ask: Ask) -> object:
    """The evening in money."""
    rate = sheets.rate_asked(ask.query.get("coins", "1"), ask.query.get("points", "1"))
    return sheets.money(await house.facts(ask.at["sheet"]), rate, ask.language)


@route("GET", "/api/sheets/{sheet}/log")
async def log(house: House, ask: Ask) -> object:
    """All that was written, to keep."""
    facts = await house.facts(ask.at["sheet"])
    return sheets.log_file(facts, await house.called(facts, ask.language), None, ask.language)


@route("GET", "/api/sheets/{sheet}/table.csv")
async def spreadsheet(house: House, ask: Ask) -> object:
    """The table of all deals for a spreadsheet."""
    return sheets.table_file(await house.facts(ask.at["sheet"]), None, ask.language)
