"""The requests that are about tournaments: begun, entered, drawn, reported, ranked.

Whoever has the address of a public tournament may look at it. The organiser writes everything, scorers the
results. Who writes, and when, is never taken from a request.
"""

from __future__ import annotations

import secrets
from functools import partial
from typing import Final

import msgspec
from msgspec import Struct
from sqlalchemy import Connection
from starlette.requests import Request
from starlette.responses import Response
from starlette.routing import Route

from ultimo import rulebook
from ultimo.analysis.position import PositionError
from ultimo.answers import books, files
from ultimo.answers.cleaning import clean
from ultimo.answers.files import File
from ultimo.answers.refusing import Refusal, number
from ultimo.answers.sheet_payloads import SheetMade
from ultimo.answers.sheets import why_not
from ultimo.cards import Card, mask
from ultimo.club import boards, standings
from ultimo.club import sheet as s
from ultimo.club import tournament as t
from ultimo.club.drawing import drawn
from ultimo.club.duplicate import by_seat
from ultimo.club.files import Cell, to_csv
from ultimo.club.hand_records import as_html, seat_name
from ultimo.club.presets import PRESETS
from ultimo.names import club_words, names
from ultimo.rulebook import FrenchRules, RulebookError
from ultimo.server.appending import Conflict
from ultimo.server.database import Check
from ultimo.server.house import (
    House,
    answered,
    beginning,
    check_written,
    costly,
    house,
    known,
    quick,
    session_of,
    spend,
    use,
    was_read,
    worked_out,
    wrote,
)
from ultimo.server.http import asked, language, told
from ultimo.server.sheets import followed, hashed
from ultimo.server.store import bound
from ultimo.server.tournament_payloads import (
    AnyTournamentWish,
    AskPosition,
    AskScoring,
    BeginTournament,
    BoardHands,
    BoardPosition,
    CloseRound,
    CloseTournament,
    DropScorer,
    EnterPeople,
    Figures,
    OpenTableSheet,
    Penalise,
    PersonWish,
    PresetShown,
    PublishTournament,
    RenamePerson,
    ReopenTournament,
    ReportTable,
    ReturnPerson,
    ScoringSecret,
    SeatTables,
    StandIn,
    TablesProposed,
    TournamentBehind,
    TournamentLine,
    TournamentMade,
    TournamentNews,
    TournamentWritten,
    WithdrawPerson,
    WriteTournament,
)
from ultimo.server.tournament_showing import figures, shown, trail_lines, writers
from ultimo.server.tournament_store import TournamentLog, unclosed
from ultimo.telling.teller import Teller

TRIES: Final = 20  # conflicts in a row before somebody is turned away
INVITING: Final = 24 * 3600.0  # seconds for which a secret makes scorers
MOST_FACTS: Final = 20_000  # about a tournament
MOST_SCORERS: Final = 50
UNDER_WAY: Final = (  # wishes that bring a tournament on or end it: no limit of writing refuses them
    *(ReportTable, SeatTables, CloseRound, StandIn, WithdrawPerson, DropScorer, CloseTournament),
)


class Seen(Struct, frozen=True):
    """A tournament, its log, and what whoever asks may write."""

    key: str
    log: TournamentLog
    found: t.Tournament
    role: t.Role | None
    own: str = ""  # the id that acts


# --- beginning and finding -------------------------------------------------------------------------------


async def begin(request: Request) -> Response:
    """Announce a tournament."""
    here, session, wish = house(request), await known(request), await asked(request, BeginTournament)
    if wish.club and wish.club not in await _run_by(request):
        raise Refusal(403, "notScorer", "club")
    try:
        rules = rulebook.load(wish.rules, wish.house)
    except RulebookError as error:
        raise Refusal(422, "settings", f"house.{error.key}" if error.key else "rules", reason=error) from None
    terms = t.Terms(
        rules=wish.rules,
        rounds=wish.rounds,
        deals=wish.deals,
        kind=wish.kind,
        overrides=wish.house,
        sizes=wish.sizes,
        compare=wish.compare,
        clubs=wish.clubs,
        ties=wish.ties,
        marks=wish.marks,
        divided=wish.divided,
        apart=wish.apart,
    )
    fact = t.Begun(
        by=session.player.id,
        at=here.clock(),
        name=clean(wish.name),
        terms=terms,
        seed=secrets.token_hex(16),
        digest=rulebook.digest(rules),
    )
    try:
        made = t.begin(fact)
    except s.Refused as refused:
        raise _refusal(refused, language(request)) from None
    key, allow = secrets.token_urlsafe(16), _room(request, session.player.id, wish.club)
    await here.tournaments.create(key, fact, made, wish.club, allow)
    return told(TournamentMade(key), 201)


def _room(request: Request, player: str, club: str) -> Check:
    """Refuse a tournament where enough are not closed, and to whoever has begun enough today."""
    most = house(request).config.own_tournaments

    def check(transaction: Connection) -> None:
        if unclosed(transaction, player, club) >= most:
            raise Refusal(409, "ownTournaments", most=most)

    return beginning(request, "tournaments", player, check, owner=club)


async def listed(request: Request) -> Response:
    """The tournaments that one has begun, and those of one's clubs."""
    session, tongue, clubs = await known(request), language(request), [*await _clubs(request)]
    return told(
        [
            TournamentLine(
                one.id,
                one.name,
                books.title_of(one.rules, tongue),
                one.kind,
                one.people,
                one.public,
                one.closed,
                one.at,
            )
            for one in await house(request).tournaments.of(session.player.id, clubs)
        ]
    )


async def presets(_: Request) -> Response:
    """What a tournament can be begun from."""
    return told(
        [
            PresetShown(
                name, one.rules, books.family_of(one.rules), one.kind, one.rounds, one.deals, one.sizes
            )
            for name, one in PRESETS.items()
        ]
    )


# --- looking ---------------------------------------------------------------------------------------------


async def look(request: Request) -> Response:
    """A tournament as it stands."""
    seen, tongue = await _seen(request), language(request)
    called = await _called(house(request), seen.log)
    facts, role = seen.log.facts, seen.role
    return await answered(request, lambda: shown(seen.key, facts, role, called, tongue))


async def follow(request: Request) -> Response:
    """How much is written, again and again: at once, when there is more, and as a sign of life."""
    seen, length = await _seen(request), house(request).tournaments.length
    private = not seen.found.public
    return await followed(request, seen.key, length, TournamentNews, "unknownTournament", private)


async def log(request: Request) -> Response:
    """All that was written, to keep. It has the seed of the boards, which is the organiser's alone."""
    seen = await _organiser(request)

    def work() -> File:
        text = "".join(msgspec.json.encode(fact).decode() + "\n" for fact in seen.log.facts)
        return File(f"ultimo-{seen.key}.jsonl", files.LINES, text)

    return await answered(request, work)


async def spreadsheet(request: Request) -> Response:
    """The results for a spreadsheet."""
    seen, tongue = await _seen(request), language(request)

    def work() -> File:
        words, rows = club_words(tongue), list[tuple[Cell, ...]]()
        for title, lines in (
            ("person", standings.people(seen.found)),
            ("team", standings.teams(seen.found)),
            ("club", standings.clubs(seen.found)),
        ):
            heads = [
                words["tournament.round"].format(number=one) for one in range(1, seen.found.terms.rounds + 1)
            ]
            rows.append(
                (words["tournament.place"], words[f"tournament.{title}"], *heads, words["tournament.score"])
            )
            for one in lines:
                rounds = ["" if score is None else float(score) for score in one.rounds]
                rows.append((one.place, one.name, *rounds, float(one.score)))
        return files.spreadsheet(f"ultimo-{seen.key}.csv", to_csv(rows, tongue))

    return await answered(request, work)


# --- writing ---------------------------------------------------------------------------------------------


async def write(request: Request) -> Response:
    """Write something once, unless others have written about the same since one has looked."""
    asked_for = await asked(request, WriteTournament)
    tongue = language(request)
    for _ in range(TRIES):
        seen = await _writer(request)
        log = seen.log
        if (obeyed := log.commands.get(bound(seen.own, asked_for.cmd))) is not None:
            return told(TournamentWritten(obeyed))
        if not isinstance(asked_for.wish, UNDER_WAY):
            check_written(request, seen.own)
        fact = await _fact(request, seen, asked_for.wish)
        if news := _others(log, asked_for.base, fact):
            return told(await _behind(house(request), seen, news, fact, tongue), 409)
        try:
            seq = await _append(request, seen, fact, asked_for.cmd)
        except Conflict:
            continue
        return told(TournamentWritten(seq))
    raise Refusal(503, "failed")


async def _append(request: Request, seen: Seen, fact: t.AnyFact, cmd: str | None = None) -> int:
    """Write a fact behind the log, or raise `Conflict`."""
    here, role = house(request), seen.role
    assert role is not None

    def work() -> t.Tournament:
        if seen.log.seq >= MOST_FACTS:
            raise Refusal(422, "tooMany")
        return t.decide(seen.found, fact, role)

    try:
        after = await worked_out(request, work)
    except s.Refused as refused:
        raise _refusal(refused, language(request)) from None
    await here.tournaments.append(seen.key, fact, after, cmd)
    wrote(request, seen.own, (fact,))
    here.followers.wake(seen.key)
    return after.seq


async def _fact(request: Request, seen: Seen, wish: AnyTournamentWish) -> t.AnyFact:
    by, at = seen.own, house(request).clock()
    match wish:
        case EnterPeople(people=people):
            return t.Entered(by=by, at=at, people=tuple(map(_person, people)))
        case RenamePerson(who=who, person=person):
            return t.Renamed(by=by, at=at, who=who, person=_person(person))
        case WithdrawPerson(who=who, round=in_round):
            return t.Withdrew(by=by, at=at, who=who, round=in_round)
        case ReturnPerson(who=who):
            return t.Returned(by=by, at=at, who=who)
        case StandIn(who=who, round=in_round, name=name):
            return t.StoodIn(by=by, at=at, who=who, round=in_round, name=clean(name))
        case SeatTables(round=in_round, tables=tables):
            return t.Seated(by=by, at=at, round=in_round, tables=tables)
        case ReportTable():
            return await _report(request, seen, wish)
        case CloseRound(round=in_round):
            return t.RoundClosed(by=by, at=at, round=in_round)
        case Penalise(who=who, hundredths=lost, note=note):
            return t.Penalised(by=by, at=at, who=who, hundredths=lost, note=clean(note))
        case DropScorer(who=scorer):
            return t.ScorerNamed(by=by, at=at, who=scorer, may=False)
        case PublishTournament(public=public):
            return t.Published(by=by, at=at, public=public)
        case CloseTournament():
            return t.Closed(by=by, at=at)
        case ReopenTournament():
            return t.Reopened(by=by, at=at)


def _person(wish: PersonWish) -> t.Person:
    return t.Person(clean(wish.name), clean(wish.team), clean(wish.club))


async def _report(request: Request, seen: Seen, wish: ReportTable) -> t.AnyFact:
    result = await _from_sheet(request, seen, wish) if wish.sheet else _typed(seen.found, wish)
    at = house(request).clock()
    if wish.amend:
        return t.Amended(
            by=seen.own,
            at=at,
            round=wish.round,
            table=wish.table,
            result=result,
            note=clean(wish.note),
            anyway=wish.anyway,
        )
    return t.Reported(
        by=seen.own, at=at, round=wish.round, table=wish.table, result=result, anyway=wish.anyway
    )


def _typed(found: t.Tournament, wish: ReportTable) -> t.Result:
    written = wish.boards
    if wish.scores and found.terms.boards and isinstance(found.rules, FrenchRules):
        first, seats = (wish.round - 1) * found.terms.deals + 1, found.terms.sizes[0]
        takers = [t.taker_on(found, board) or 0 for board in range(first, first + len(wish.scores))]
        written = tuple(
            () if score is None else by_seat(score, taker, seats)
            for score, taker in zip(wish.scores, takers, strict=True)
        )
    return t.Result(wish.points, written, wish.deals, wish.cups)


async def _from_sheet(request: Request, seen: Seen, wish: ReportTable) -> t.Result:
    """The result as the score sheet of the table has it."""
    key = seen.found.sheets.get((wish.round, wish.table), "")
    facts = (await house(request).sheets.read(key)).facts if key else ()
    was_read(request, len(facts))
    if not facts:
        raise _refusal(s.Refused("tournament.noSheet", "table", table=wish.table), language(request))

    def work() -> t.Result:
        sheet = s.fold(facts)
        totals = s.ledger(sheet).totals
        return t.Result(totals, (), len(sheet.entries), -sum(totals), key)

    return await worked_out(request, work)


def _others(log: TournamentLog, base: int, fact: t.AnyFact) -> range:
    """The facts after `base`, if any of them is about what this one is about.

    A result is of those who sit at the table: tables that are drawn anew are news to it.
    """
    subjects = _subjects(fact)
    if isinstance(fact, t.Reported | t.Amended):
        subjects |= {("round", fact.round, 0)}
    later = range(max(base, 0) + 1, log.seq + 1)
    return later if any(subjects & _subjects(log.facts[seq - 1]) for seq in later) else range(0)


def _subjects(fact: t.AnyFact) -> set[tuple[str, int, int]]:
    """What a fact is about, and hangs on: a table, the seating of a round, or a participant."""
    match fact:
        case t.Seated(round=in_round):
            return {("round", in_round, 0)}
        case t.Reported(round=in_round, table=place) | t.Amended(round=in_round, table=place):
            return {("table", in_round, place)}
        case t.Renamed(who=who) | t.Withdrew(who=who) | t.Returned(who=who) | t.StoodIn(who=who):
            return {("person", who, 0)}
        case t.Penalised(who=who):
            return {("penalty", who, 0)}
    return set()


async def _called(here: House, log: TournamentLog) -> dict[str, str]:
    """What those are called who have written, or may: members by the names that their club has for them."""
    people = writers(log.facts)
    members = await here.clubs.called(log.club, people) if log.club else {}
    return await here.sheets.called(people - members.keys()) | members


async def _behind(here: House, seen: Seen, news: range, fact: t.AnyFact, tongue: str) -> TournamentBehind:
    """What somebody has not seen yet; of a table also its result and the one that was sent."""
    facts, found = seen.log.facts, seen.found
    called = await _called(here, seen.log)
    lines = tuple(line for line in trail_lines(found, facts, called) if line.seq in news)
    stands: Figures = ()
    sent: Figures = ()
    if isinstance(fact, t.Reported | t.Amended):
        there = found.results.get((fact.round, fact.table))
        stands = figures(found, fact.round, there) if there is not None else ()
        sent = figures(found, fact.round, fact.result)
    return TournamentBehind(why_not(s.Refused("behind"), None, tongue), len(facts), lines, stands, sent)


# --- tables ----------------------------------------------------------------------------------------------


async def draw(request: Request) -> Response:
    """Propose tables for all rounds without results."""
    seen = await _organiser(request)
    seed = secrets.token_hex(8)
    try:
        return told(TablesProposed(await worked_out(request, lambda: drawn(seen.found, seed))))
    except s.Refused as refused:
        raise _refusal(refused, language(request)) from None


async def open_sheet(request: Request) -> Response:
    """Open a score sheet for a table; whoever opens it has its pen."""
    here, wish, key = house(request), await asked(request, OpenTableSheet), secrets.token_urlsafe(16)
    for _ in range(TRIES):
        seen = await _writer(request)
        if wish.table > len(seen.found.tables.get(wish.round, ())):
            refused = s.Refused("tournament.noSuchTable", "table", table=wish.table)
            raise _refusal(refused, language(request))
        link = t.SheetLinked(by=seen.own, at=here.clock(), round=wish.round, table=wish.table, sheet=key)
        opened = _opened(seen, wish, here.clock())
        await use(request, "sheets", seen.own)
        try:
            await _append(request, seen, link)
        except Conflict:
            continue
        await here.sheets.create(key, (opened,), s.evolve(None, opened), opened.at)
        return told(SheetMade(key), 201)
    raise Refusal(503, "failed")


def _opened(seen: Seen, wish: OpenTableSheet, at: float) -> s.Opened:
    """The sheet of a table, with the names of those who play."""
    people = seen.found.table(wish.round, wish.table)
    rules = t.rules_at(seen.found, len(people))
    assert rules is not None
    return s.Opened(
        by=seen.own,
        at=at,
        rules=rules.id,
        names=tuple(seen.found.entrant(who).name_in(wish.round) for who in people),
        overrides=rulebook.overrides(rules),
        digest=rulebook.digest(rules),
    )


async def scorers(request: Request) -> Response:
    """Get a secret that makes scorers, or become one."""
    here, session, wish = house(request), await known(request), await asked(request, AskScoring)
    if not wish.secret:
        seen = await _organiser(request)
        await use(request, "invitations", session.player.id)
        secret, until = secrets.token_urlsafe(16), here.clock() + INVITING
        await here.tournaments.invite(seen.key, hashed(secret), until)
        return told(ScoringSecret(secret, until))
    spend(request)
    key: str = request.path_params["tournament"]
    if not await here.tournaments.invited(key, hashed(wish.secret), here.clock()):
        raise Refusal(403, "scoringSpent")
    for _ in range(TRIES):
        log = await here.tournaments.read(key)
        was_read(request, log.seq)
        found = await worked_out(request, partial(t.fold, log.facts))
        ids = await here.sheets.ids(session.player.id)
        if t.role_of(found, ids) is not None:
            return told(TournamentWritten(log.seq))
        if len(found.scorers) >= MOST_SCORERS:
            raise Refusal(422, "tooMany")
        fact = t.ScorerNamed(by=ids[0], at=here.clock(), who=ids[0])
        try:
            after = t.decide(found, fact)  # the secret is the organiser's word
            await here.tournaments.append(key, fact, after)
        except s.Refused as refused:
            raise _refusal(refused, language(request)) from None
        except Conflict:
            continue
        here.followers.wake(key)
        return told(TournamentWritten(after.seq))
    raise Refusal(503, "failed")


# --- boards ----------------------------------------------------------------------------------------------


def _dealt(found: t.Tournament, numbers: range) -> list[boards.Board]:
    teams = found.terms.kind in t.TEAM
    return list(boards.make(found.rules, found.terms.sizes[0], found.seed, numbers, teams=teams))


async def printed_boards(request: Request) -> Response:
    """The hand records of all boards, to print or to keep."""
    seen, tongue = await _organiser(request), language(request)
    form = request.path_params["form"]
    if not seen.found.terms.boards or form not in ("html", "jsonl"):
        raise Refusal(404, "unknownPage")
    whole = range(1, seen.found.terms.rounds * seen.found.terms.deals + 1)

    def work() -> File:
        made = _dealt(seen.found, whole)
        if form == "html":
            return File(f"ultimo-{seen.key}.html", files.PAGE, as_html(made, names(tongue)))
        return File(f"ultimo-{seen.key}-boards.jsonl", files.LINES, boards.dumps(made))

    return await answered(request, work)


async def board(request: Request) -> Response:
    """The hands of a board."""
    dealt, tongue = await _board(request), language(request)

    def work() -> BoardHands:
        rules = boards.rules_of(dealt)
        teller = Teller(names(tongue), rules, ())

        def held(some: tuple[Card, ...]) -> tuple[str, ...]:
            return tuple(card.value for card in teller.sorted(mask(some)))

        return BoardHands(
            dealt.board,
            tuple(seat_name(tongue, seat, dealt.table) for seat in range(dealt.table)),
            dealt.dealer,
            dealt.taker,
            tuple(map(held, dealt.hands)),
            held(dealt.chien),
            dealt.dealer if dealt.taker is None else dealt.taker,
            len(dealt.chien) or 3,
        )

    return told(await worked_out(request, work))


async def position(request: Request) -> Response:
    """The position of a board for the analysis board, when it is known what was laid."""
    dealt, wish, tongue = await _board(request), await asked(request, AskPosition), language(request)
    try:
        return told(BoardPosition(await worked_out(request, lambda: boards.position_of(dealt, wish.laid))))
    except PositionError as error:
        raise Refusal(422, "told", "laid", reason=error.told(tongue)) from None


async def _board(request: Request) -> boards.Board:
    seen, chosen = await _seen(request), number(request.path_params["board"])
    terms = seen.found.terms
    if not terms.boards or chosen > terms.rounds * terms.deals:
        raise Refusal(404, "unknownPage")
    in_round = standings.round_of(terms, chosen)
    if in_round > seen.found.rounds_closed and seen.role != "organiser":
        raise _refusal(s.Refused("tournament.boardsHidden", "board", round=in_round), language(request))
    (dealt,) = await worked_out(request, lambda: _dealt(seen.found, range(chosen, chosen + 1)))
    return dealt


# --- who asks, and for what ------------------------------------------------------------------------------


async def _run_by(request: Request) -> list[str]:
    """The clubs for which whoever asks may hold tournaments: those whose secretary they are."""
    return [club for club, role in (await _clubs(request)).items() if role == "secretary"]


async def _clubs(request: Request) -> dict[str, str]:
    """The clubs of whoever asks, and what they are there."""
    session = await session_of(request)
    found = [] if session is None else await house(request).clubs.of(session.player.id)
    return {one.id: one.role for one in found}


async def _seen(request: Request) -> Seen:
    """The tournament that a request is about, if whoever asks may see it."""
    here, session = house(request), await session_of(request)
    key: str = request.path_params["tournament"]
    log = await here.tournaments.read(key)
    was_read(request, log.seq)
    if not log.facts:
        raise Refusal(404, "unknownTournament")
    ids = [] if session is None else await here.sheets.ids(session.player.id)
    found = await worked_out(request, partial(t.fold, log.facts))
    at_club = (await _clubs(request)).get(log.club, "") if log.club else ""
    role = t.role_of(found, ids, at_club == "secretary")
    if role is None and not at_club and not found.public:
        raise Refusal(404, "unknownTournament")
    acting = next((one for one in (found.host, *found.scorers) if one in ids), ids[0] if ids else "")
    return Seen(key, log, found, role, acting)


async def _writer(request: Request) -> Seen:
    """The same for somebody who may write."""
    await known(request)
    seen = await _seen(request)
    if seen.role is None:
        raise Refusal(403, "notScorer")
    return seen


async def _organiser(request: Request) -> Seen:
    seen = await _writer(request)
    if seen.role != "organiser":
        raise _refusal(s.Refused("tournament.notOrganiser"), language(request))
    return seen


def _refusal(refused: s.Refused, tongue: str) -> Refusal:
    status = {"tournament.notOrganiser": 403, "tournament.boardsHidden": 403}.get(refused.key, 409)
    return Refusal(status, "told", refused.field, reason=why_not(refused, None, tongue))


ROUTES: Final = [
    Route("/api/tournaments", quick(listed)),
    Route("/api/tournaments", costly(begin), methods=["POST"]),
    Route("/api/tournaments/presets", presets),
    Route("/api/tournaments/{tournament}", costly(look)),
    Route("/api/tournaments/{tournament}", costly(write), methods=["POST"]),
    Route("/api/tournaments/{tournament}/follow", costly(follow)),
    Route("/api/tournaments/{tournament}/draw", costly(draw), methods=["POST"]),
    Route("/api/tournaments/{tournament}/sheets", costly(open_sheet), methods=["POST"]),
    Route("/api/tournaments/{tournament}/scorers", costly(scorers), methods=["POST"]),
    Route("/api/tournaments/{tournament}/boards.{form}", costly(printed_boards)),
    Route("/api/tournaments/{tournament}/boards/{board}", costly(board)),
    Route("/api/tournaments/{tournament}/boards/{board}", costly(position), methods=["POST"]),
    Route("/api/tournaments/{tournament}/standings.csv", costly(spreadsheet)),
    Route("/api/tournaments/{tournament}/log", costly(log)),
]
