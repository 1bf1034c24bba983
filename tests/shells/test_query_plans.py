"""No list is made by looking at every row: the plans of both databases say so."""

from __future__ import annotations

import asyncio
import re
from collections.abc import Awaitable, Callable
from pathlib import Path
from typing import Any

import pytest
from sqlalchemy import event, text

from postgres import binaries, new_database
from ultimo.server import sheet_store, tournament_store
from ultimo.server.club_store import ClubStore, Invitation, clubs_run_by
from ultimo.server.database import Database
from ultimo.server.quotas import Quotas
from ultimo.server.sheet_store import SheetStore
from ultimo.server.store import Store, open_tables, seated_experts
from ultimo.server.tournament_store import TournamentStore

NOW = 1e9
WHOLE = re.compile(r"\bSCAN (?!CONSTANT|\(subquery|SUBQUERY|anon)|Seq Scan on \w+")  # SQLite's, PostgreSQL's


def lists(database: Database) -> dict[str, Callable[[], Awaitable[Any]]]:
    """All that is asked of the database for lists, for limits and again and again."""
    store, sheets, clubs = Store(database), SheetStore(database), ClubStore(database)
    tournaments = TournamentStore(database)
    quotas = Quotas(database, {"guests": 10}, lambda: NOW)
    invitation = Invitation("hash", "c1", "", "member", NOW + 1, 1)
    return {
        "lobby": lambda: store.lobby(NOW),
        "open tables": lambda: database.read(lambda it: open_tables(it, "nobody", NOW)),
        "experts": lambda: database.read(lambda it: seated_experts(it, "nobody", NOW, 1000)),
        "history": lambda: store.history("nobody"),
        "figures": lambda: store.figures("nobody", 0.0, "en"),
        "mistakes": lambda: store.mistakes("nobody"),
        "progress": lambda: store.progress("nobody"),
        "attempts": lambda: store.attempts("nobody"),
        "session": lambda: store.player_of("hash", NOW),
        "new session": lambda: store.add_session("new", "p1", NOW, NOW + 1),
        "being present": lambda: store.be_present("node", [("t1", "nobody")]),
        "who is present": lambda: store.present(["t1", "t2"], "node", 0.0),
        "lengths": lambda: store.lengths(["t1", "t2"]),
        "sheets": lambda: sheets.of("nobody"),
        "open sheets": lambda: database.read(lambda it: sheet_store.unclosed(it, "nobody")),
        "clubs": lambda: clubs.of("nobody"),
        "clubs run by one": lambda: database.read(lambda it: clubs_run_by(it, "nobody")),
        "heads of sheets": lambda: clubs.heads(["s1", "s2"]),
        "invitations": lambda: clubs.invitations(NOW, club="c1"),
        "an invitation": lambda: clubs.invitations(NOW, key="hash"),
        "inviting": lambda: clubs.invite(invitation, NOW),
        "tournaments": lambda: tournaments.of("nobody", ["c1"]),
        "open tournaments": lambda: database.read(lambda it: tournament_store.unclosed(it, "nobody")),
        "open tournaments of a club": lambda: database.read(
            lambda it: tournament_store.unclosed(it, "nobody", "c1")
        ),
        "quota": lambda: quotas.use("guests", ["nobody", "at home"]),
        "sheet": lambda: sheets.length("s1"),
        "club": lambda: clubs.length("c1"),
        "tournament": lambda: tournaments.length("o1"),
    }


ROWS = {  # of each table with its columns, where `n` is the number of the row and `x` the same as text
    "player (id, name, language, guest, created_at, seen_at, merged_into)": (
        "'p' || x, 'x', 'en', true, 0, 0, CASE WHEN n % 5 = 0 THEN 'a' || x END"
    ),
    "session (token_hash, player_id, created_at, expires_at)": "'h' || x, 'p' || x, 0, 2e9",
    "game (id, settings, title, host, public, moment, names, kinds, series, number, created_at, "
    "updated_at)": (
        "'t' || x, '{}', 'x', 'p' || x, n % 50 = 0, CASE WHEN n % 10 = 0 THEN 'deal' ELSE 'over' END, "
        "'[]', '[]', '[]', 1, n, n"
    ),
    "game_player (game_id, player_id, seat)": "'t' || x, 'p' || x, 0",
    "event (table_id, seq, kind, body, at)": "'t' || x, 1, 'x', '{}', n",
    "figure (table_id, deal, player_id, at, rules, bid, size, points, share, played, made, ultimos, baguds, "
    "nolos, slams, lasts)": "'t' || x, 1, 'p' || x, n, 'dtf', '', 3, 0, 0, 1, 0, 0, 0, 0, 0, 0",
    "review (table_id, deal, version, digest, body, at)": "'t' || x, 1, 1, 'x', '{}', n",
    "progress (player_id, item, value, at)": "'p' || x, 'first/danish', 1, n",
    "attempt (player_id, puzzle_id, at, solved, mu, sigma)": "'p' || x, 'x', n, true, 0, 0",
    "presence (table_id, player_id, node, seen_at)": "'t' || x, 'p' || x, 'n' || x, 1e9",
    "quota (who, what, day, used)": "'p' || x, 'tables', 11574, 1",
    "sheet (id, host, pen, rules, names, deals, closed, handing_until, created_at, updated_at)": (
        "'s' || x, 'p' || x, 'p' || x, 'dtf', '[]', 0, false, 0, n, n"
    ),
    "sheet_fact (sheet_id, seq, body, at)": "'s' || x, 1, '{}', n",
    "club (id, name, members, epoch, created_at, updated_at)": "'c' || x, 'x', 1, 0, 0, n",
    "club_fact (club_id, seq, body, at)": "'c' || x, 1, '{}', n",
    "club_member (club_id, member_id, player_id, role)": "'c' || x, 'm1', 'p' || x, 'member'",
    "club_invitation (hash, club_id, member_id, role, until, uses)": (
        "'h' || x, 'c' || x, '', 'member', 2e9, 1"
    ),
    "tournament (id, host, club, name, rules, kind, people, public, closed, inviting_until, created_at, "
    "updated_at)": (
        "'o' || x, 'p' || x, CASE WHEN n % 2 = 0 THEN 'c' || x ELSE '' END, 'x', 'dtf', 'individual', 0, "
        "true, false, 0, n, n"
    ),
    "tournament_fact (tournament_id, seq, body, at)": "'o' || x, 1, '{}', n",
}


async def filled(database: Database, rows: int) -> None:
    """Fill a database so that to look at every row is the worse plan."""

    def job(connection: Any) -> None:
        numbers = f"SELECT 1 AS n UNION ALL SELECT n + 1 FROM numbers WHERE n < {rows}"
        spelled = "SELECT n, CAST(n AS text) AS x FROM numbers"
        for columns, values in ROWS.items():
            source = f"WITH RECURSIVE numbers AS ({numbers}), texts AS ({spelled})"
            connection.execute(text(f"{source} INSERT INTO {columns} SELECT {values} FROM texts"))
        connection.exec_driver_sql("ANALYZE")

    await database.write(job)


async def plans(database: Database, ask: Callable[[], Awaitable[Any]]) -> list[str]:
    """How the database goes about each statement of a request."""
    asked: list[tuple[str, Any]] = []

    def note(connection: Any, _: Any, statement: str, given: Any, *__: Any) -> None:
        asked.append((statement, given))

    event.listen(database.engine, "before_cursor_execute", note)
    try:
        await ask()
    finally:
        event.remove(database.engine, "before_cursor_execute", note)
    explain = "EXPLAIN QUERY PLAN " if database.embedded else "EXPLAIN "

    def job(connection: Any) -> list[str]:
        found = []
        for statement, given in asked:
            if statement.startswith(("SELECT", "UPDATE", "DELETE")):
                one = given[0] if isinstance(given, list) else given
                rows = connection.exec_driver_sql(explain + statement, one)
                found.append("\n".join(str(row[-1]) for row in rows))
        return found

    return await database.read(job)


@pytest.mark.parametrize("kind", ["sqlite", "postgresql"])
def test_no_list_looks_at_every_row(kind: str, tmp_path: Path) -> None:
    if kind == "postgresql" and binaries() is None:
        pytest.skip("PostgreSQL is not installed: apt-get install postgresql")
    address = str(tmp_path / "tables.db") if kind == "sqlite" else new_database()

    async def main() -> dict[str, list[str]]:
        database = Database(address)
        await database.start()
        await filled(database, 3000)
        found = {name: await plans(database, ask) for name, ask in lists(database).items()}
        await database.close()
        return found

    found = asyncio.run(main())
    assert all(found.values()), "every list asks something"
    whole = {name: [plan for plan in some if WHOLE.search(plan)] for name, some in found.items()}
    assert not {name: some for name, some in whole.items() if some}
    assert "ix_game_lobby" in found["lobby"][0]
