"""What people could do to a live table, or to its cards, that they should not."""

from __future__ import annotations

import asyncio
from collections.abc import Callable
from pathlib import Path
from typing import Any

import msgspec
import pytest
from sqlalchemy import Connection, text
from sqlalchemy.event import listen

from live import HOST, Evening, bots
from ultimo import rulebook, series
from ultimo.events import IllegalAction
from ultimo.fair import Proof, commitment
from ultimo.record import jsonl
from ultimo.record.check import steps
from ultimo.server.database import Database, Unavailable
from ultimo.table import Settings, Think, again, due, evolve, open_table, session_record
from ultimo.table.decide import BOTS, decide
from ultimo.table.messages import Commit, Hex256, Reveal, Sit, Stand, TakeBack


@pytest.mark.parametrize(("book", "country"), [("dtf", "danish"), ("french5", "french")])
def test_who_is_called_like_a_bot_can_leave_the_table_to_one(book: str, country: Any) -> None:
    name = BOTS[country][-1]
    live: Any = None
    for fact in open_table("table1", Settings(book, 5, bots(5)), HOST, name):
        live = evolve(live, fact, 0.0)
    for fact in decide(live, HOST, name, Stand()):
        live = evolve(live, fact, 1.0)
    assert {sitting.kind for sitting in live.seats} == {"bot"}
    assert len({sitting.name for sitting in live.seats}) == 5


@pytest.mark.parametrize("book", ["hermansen", "dtf"])
def test_every_deal_of_five_can_be_played_again(book: str) -> None:
    """Where one sits out for five deals, it is the one who did."""
    played = Evening(Settings(book, 5, bots(5), tempo="instant"), 3)
    played.play_on(3)
    for number in (1, 2, 3):
        cards = again(played.log, number)
        second = Evening(Settings(book, 5, bots(5), tempo="instant", deals=1), 4, again=cards)
        second.play_on(1)
        second.end()
        written = session_record(second.log)
        assert len(list(steps(second.live.rules, [entry.event for entry in written.entries]))) > 25
        assert jsonl.loads(jsonl.dumps(written)) == written


def two_people() -> Evening:
    """Two persons and a bot, at the point where the first cards are to be dealt."""
    evening = Evening(Settings("dtf", 3, bots(3, 2), tempo="instant"), 5, (HOST, "p1"))
    evening.do("p1", Sit(1))
    while not evening.live.needs_cards:
        evening.step()
    return evening


def test_a_secret_is_revealed_before_the_cards_or_not_at_all() -> None:
    evening, secrets = two_people(), {HOST: "01" * 32, "p1": "02" * 32}
    for player, secret in secrets.items():
        evening.do(player, Commit(2, commitment(secret)))
    evening.step()
    evening.do(HOST, Reveal(2, secrets[HOST]))
    while not evening.live.dealings:
        evening.step()
    dealt = evening.live.proof
    with pytest.raises(IllegalAction):
        evening.do("p1", Reveal(2, secrets["p1"]))
    assert dealt is not None
    assert evening.live.proof == dealt
    assert isinstance(dealt, Proof)
    assert [one.missing for one in dealt.attempts] == [(1,), ()]
    assert dealt.players == (), "nobody has committed to anything in the second attempt"


@pytest.mark.parametrize("spelling", ["ab" * 32 + "\n", "AB" * 32, " " + "ab" * 32, "ab" * 31, ""])
def test_a_secret_has_one_spelling(spelling: str) -> None:
    with pytest.raises(msgspec.ValidationError):
        msgspec.convert(spelling, type=Hex256)


def test_nobody_can_foresee_the_dice_of_a_bot() -> None:
    """Tables at which the same is known to everybody have bots with other dice."""
    seeds = set()
    for seed in range(3):
        evening = Evening(Settings("dtf", 3, bots(3), tempo="instant"), seed)
        while not isinstance(
            think := due(evening.live, evening.now, {HOST: evening.now}, evening.secret), Think
        ):
            evening.step()
        seeds.add((think.seed, evening.live.moves, evening.live.table))
        assert evening.live.shuffle is not None
        assert evening.live.shuffle.secret not in think.seed
    assert len({seed for seed, _, _ in seeds}) == 3


def test_what_a_full_disk_takes_back_is_not_called_written(tmp_path: Path) -> None:
    """SQLite rolls a whole transaction back then, and with it what others have written in it."""

    async def main() -> None:
        database = Database(str(tmp_path / "tables.db"))
        await database.start()
        await database.write(lambda connection: connection.execute(text("CREATE TABLE small (a)")).close())
        pages = await database.read(lambda connection: connection.scalar(text("PRAGMA page_count")))
        database.engine.dispose()
        listen(database.engine, "connect", lambda raw, _: raw.execute(f"PRAGMA max_page_count = {pages + 2}"))

        def put(size: int) -> Callable[[Connection], None]:
            return lambda connection: connection.execute(
                text("INSERT INTO small VALUES (zeroblob(:size))"), {"size": size}
            ).close()

        jobs = [database.write(put(size)) for size in (10, 100_000)]
        outcomes = await asyncio.gather(*jobs, return_exceptions=True)
        kept = await database.read(lambda connection: connection.scalar(text("SELECT count(*) FROM small")))
        assert kept == sum(outcome is None for outcome in outcomes)
        assert isinstance(outcomes[1], Unavailable)
        await database.close()

    asyncio.run(main())


def test_bots_that_play_for_everybody_finish_the_deal_and_wait() -> None:
    evening = Evening(Settings("dtf", 3, bots(3, 2), tempo="instant"), 3, (HOST, "p1"))
    evening.do("p1", Sit(1))
    evening.settle_down()
    evening.here.clear()
    for _ in range(2000):
        if not evening.step():
            break
    assert (evening.live.moment, evening.live.number) == ("between", 1)
    evening.here = {HOST}
    evening.do(HOST, TakeBack())
    evening.play_on(2)
    assert evening.live.number == 2


@pytest.mark.parametrize(("book", "out"), [("hermansen", 0), ("hermansen", 5), ("hermansen", -1), ("dtf", 2)])
def test_only_one_of_five_who_does_not_deal_sits_out_for_five_deals(book: str, out: int) -> None:
    with pytest.raises(IllegalAction, match="does not sit out when seat 0 deals"):
        series.open_series(rulebook.load(book), "ABCDE", dealer=0, out=out)
