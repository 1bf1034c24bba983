"""What a real server sends: no byte names a card that the viewer has not seen, or a secret of the shuffle."""

from __future__ import annotations

import asyncio
from collections.abc import Callable, Iterator, Sequence

import msgspec
import pytest

from naming import named, named_by, without_speech
from page_client import NO_LIMITS, Logged, Page, deal_over, failures, log_of, party
from serving import Serving, Visitor
from table import WITHOUT_FFT
from ultimo import rulebook, series
from ultimo.cards import NOTATION
from ultimo.names import LANGUAGES
from ultimo.table import Live, PlayerId, evolve
from ultimo.table.facts import Happened, PlayerRevealed, ServerCommitted
from ultimo.table.live import after

pytestmark = pytest.mark.xdist_group("wire_secrecy")

# Each rule set, the Danish ones with somebody who sits out; one also with nobody, and with two.
BOOKS = [rulebook.load(book) for book in WITHOUT_FFT]
TABLES = [(book.id, 4 if 4 in book.sizes else book.sizes[0]) for book in BOOKS] + [("dtf", 3), ("dtf", 5)]
OPEN_HANDS = {"hermansen": {"sitter.sees": "all"}}


def in_the_middle(page: Page) -> bool:
    """Whether the second trick is over, or the deal."""
    return deal_over(page) or (page.scene["last"] or {"number": 0})["number"] >= 2


def seated(server: Serving, book: str, size: int, turn: int) -> list[Page]:
    """People in every seat and a spectator who has not even come in, in all languages."""
    languages = [*LANGUAGES[turn % len(LANGUAGES) :], *LANGUAGES]
    people = party(
        [server], book, size, size, languages=languages, house=OPEN_HANDS.get(book, {}), public=True
    )
    return [*people, Page(Visitor(server), None, people[0].table, [server], languages[size % 4])]


async def play(pages: Sequence[Page], how_far: Callable[[Page], bool]) -> None:
    async with asyncio.TaskGroup() as group:
        for page in pages:
            group.create_task(page.stay(how_far))


class Evening:
    """Tables of all rule sets, stopped in the middle of a deal to ask what may not be told, and played on."""

    def __init__(self, server: Serving) -> None:
        self.tables = [seated(server, *table, turn) for turn, table in enumerate(TABLES)]
        pages = [page for table in self.tables for page in table]
        asyncio.run(play(pages, in_the_middle))
        self.running = [table for table in self.tables if not deal_over(table[0])]
        self.answers = {table[0].table: list(ask(table)) for table in self.running}
        asyncio.run(play(pages, deal_over))
        self.logs = {table[0].table: log_of(server.database, table[0].table) for table in self.tables}


def ask(pages: Sequence[Page]) -> Iterator[tuple[str, int, bytes]]:
    """What a player and a stranger are answered who ask about a deal that is being played."""
    table = f"/api/tables/{pages[0].table}"
    for page in (pages[0], pages[-1]):
        for what in (
            "",
            "/ledger",
            "/record",
            "/record?form=jsonl",
            "/record?deal=1",
            "/record?deal=1&form=jsonl",
            "/replay/1",
            "/replay/2",
            "/fair/1",
            "/fair/2",
            "/review/1",
            "/review/2",
            "/position/1/0",
        ):
            answer = page.visitor.get(f"{table}{what}")
            yield what, answer.status, answer.body
    answer = pages[0].visitor.post(f"{table}/again", {"deal": 1})
    yield "/again", answer.status, answer.body


@pytest.fixture(scope="module")
def evening(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Evening]:
    with Serving(tmp_path_factory.mktemp("wire") / "tables.db", env=NO_LIMITS) as server:
        yield Evening(server)
        assert failures(server) == []


class Known:
    """What a viewer has seen of the cards, and the end of the first deal, by sequence number."""

    def __init__(self, log: Sequence[Logged], viewer: PlayerId | None) -> None:
        self.seen: list[frozenset[str]] = [frozenset()]
        self.closed = 0
        live: Live | None = None
        for row in log:
            known = self.seen[-1]
            if isinstance(row.fact, Happened):
                known = self._more(live, row.fact, viewer, known)
            live = evolve(live, row.fact, row.at)
            if live.moment in ("between", "over") and live.number and not self.closed:
                self.closed = row.seq
            self.seen.append(frozenset(NOTATION) if self.closed else known)

    def _more(
        self, live: Live | None, fact: Happened, viewer: PlayerId | None, known: frozenset[str]
    ) -> frozenset[str]:
        assert live is not None
        for event in fact.events:
            if live.series is not None:
                seen = series.seen_by(live.rules, live.series, live.seat_of(viewer), event)
                known |= named_by(seen)
            live = after(live, event)
        return known


def told(page: Page) -> Iterator[tuple[int, bytes]]:
    """What a page was sent, whether it could use it or not, and up to where in the log that was told."""
    latest = 0
    for data in page.heard:
        latest = max(latest, msgspec.json.decode(data).get("seq", 0))
        yield latest, data


def test_nobody_is_sent_a_card_that_he_has_not_seen(evening: Evening) -> None:
    """As a check of the check, players are sent cards that a spectator has not seen."""
    looked = more = 0
    for pages in evening.tables:
        public = Known(evening.logs[pages[0].table], None)
        for page in pages:
            known = Known(evening.logs[page.table], page.player)
            for seq, data in told(page):
                cards = named(without_speech(data), page.language, page.scene["table"]["family"])
                assert cards <= known.seen[seq], (page.table, page.scene["you"], seq, data)
                looked += bool(cards) and seq < known.closed
                more += not cards <= public.seen[seq]
    assert looked > 100 * len(TABLES)
    assert more > 50 * len(TABLES)


def test_no_secret_of_a_shuffle_is_sent_before_the_deal_is_over(evening: Evening) -> None:
    looked = 0
    for pages in evening.tables:
        log = evening.logs[pages[0].table]
        closed = Known(log, None).closed
        asked = b"".join(body for _, _, body in evening.answers.get(pages[0].table, ()))
        for secret, deal in secrets(log):
            for page in pages:
                sent = b"".join(data for seq, data in told(page) if seq < closed or deal > 1)
                assert secret not in sent
                looked += len(sent) > 0
            assert secret not in asked
    assert looked > 2 * len(TABLES)


def secrets(log: Sequence[Logged]) -> list[tuple[bytes, int]]:
    """The secrets of the server and of the people, and of which deal each is."""
    found = [row.fact for row in log if isinstance(row.fact, ServerCommitted | PlayerRevealed)]
    return [(fact.secret.encode(), fact.deal) for fact in found]


def test_what_is_asked_of_a_running_deal_is_not_told(evening: Evening) -> None:
    assert len(evening.running) >= len(TABLES) - 3  # where everybody passes, no deal is played
    for pages in evening.running:
        for what, status, body in evening.answers[pages[0].table]:
            expected = 200 if what in ("", "/ledger", "/record", "/record?form=jsonl") else 404
            assert status == expected, (what, status, body)
            for language in LANGUAGES:
                assert not named(body.decode(), language, pages[0].scene["table"]["family"]), (what, body)


def test_when_the_deal_is_over_everything_is_told(evening: Evening) -> None:
    for pages in evening.running:
        spectator = pages[-1]
        hands = spectator.scene["result"]["hands"]
        assert sum(len(hand["cards"]) for hand in hands) >= 60
        table = f"/api/tables/{spectator.table}"
        for what in ("/record?deal=1", "/replay/1"):
            assert spectator.visitor.get(f"{table}{what}").status == 200
