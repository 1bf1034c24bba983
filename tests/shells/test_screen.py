"""The table on a screen, driven by its keys without a terminal."""

from __future__ import annotations

import asyncio
from collections.abc import Awaitable, Callable
from pathlib import Path
from typing import Any

import pytest
from textual.containers import VerticalScroll
from textual.pilot import Pilot
from textual.widgets import Static

from commands import ultimo
from sessions import deal_out, evening, happened, until
from ultimo.cards import Card
from ultimo.cli.complaint import Complaint
from ultimo.cli.play.app import Page, Table
from ultimo.cli.play.saving import Saved, SaveFile, load
from ultimo.cli.play.session import Session
from ultimo.events import CardPlayed, DealClosed, Event, Lay, Play, SkatLaid
from ultimo.names import LANGUAGES
from ultimo.table.messages import Act

HAND = "SK SQ S4 S3 HK HJ H2 H5 H9 CK C10 C7 C2 DQ D1 D5 T21 T15 T9 T4 T2 T0"
Script = Callable[[Table, "Pilot[None]"], Awaitable[None]]


def drive(session: Session, script: Script, size: tuple[int, int] = (80, 24)) -> Table:
    """Let a script press keys at a table."""
    table = Table(session)

    async def run() -> None:
        async with table.run_test(size=size) as pilot:
            await pilot.pause()
            await script(table, pilot)

    asyncio.run(run())
    return table


async def asked(table: Table, pilot: Pilot[None]) -> None:
    """Wait until the person is asked something."""
    for _ in range(20_000):
        if table.dialogue is not None or table.session.is_over or not table.is_running:
            return
        await pilot.pause(0.005)
    raise AssertionError("nobody is asked")


def on_screen(table: Table, name: str) -> str:
    """The text of a part of the screen."""
    return str(table.query_one(f"#{name}", Static).render())


def page(table: Table) -> str:
    """The text of the page that is open."""
    assert isinstance(table.screen, Page)
    return str(table.screen.query_one(Static).render())


def leading() -> Session:
    """The person is forehand with a known hand, and leads."""
    session = evening(dealer=2, quiet=True)
    deal_out(session, HAND)
    return session


# --- only Enter ----------------------------------------------------------------------------------------


@pytest.mark.parametrize(("book", "size"), [("dtf", 4), ("french4", 4)])
def test_enter_alone_gets_through_a_deal_and_on_to_the_next(book: str, size: int) -> None:
    session = evening(book, size, deals=None)
    ended: list[str] = []

    async def script(table: Table, pilot: Pilot[None]) -> None:
        while session.live.number < 2:
            await asked(table, pilot)
            if session.live.moment == "between":
                ended.append(on_screen(table, "lines"))
            await pilot.press("enter")

    drive(session, script)
    assert "Deal 1 is over" in ended[0]
    assert "Total" in ended[0]


def test_the_end_of_the_evening() -> None:
    session = evening(deals=1)
    dialogue = until(session, lambda _: len(session.scene.hand) == 1).enter()
    session.proceed(dialogue.enter().sent)

    async def script(table: Table, pilot: Pilot[None]) -> None:
        await asked(table, pilot)
        assert session.is_over
        assert "The game is over" in on_screen(table, "prompt")
        assert "Cups shared out" in on_screen(table, "lines")
        await pilot.press("enter")
        await pilot.pause()
        assert not table.is_running

    drive(session, script)


@pytest.mark.parametrize("tongue", LANGUAGES)
def test_nothing_is_left_unsaid_in_any_language(tongue: str) -> None:
    async def script(table: Table, pilot: Pilot[None]) -> None:
        await asked(table, pilot)
        for key in ("question_mark", "l", "p", "r"):
            if not isinstance(table.screen, Page):
                await pilot.press(key)
            await pilot.pause()
            if isinstance(table.screen, Page):
                assert "{" not in page(table)
                await pilot.press("escape")
                await pilot.pause()

    drive(evening("french4", 4, lang=tongue), script)


# --- choosing ------------------------------------------------------------------------------------------


def test_a_card_by_typing_it_and_a_second_enter() -> None:
    session = leading()

    async def script(table: Table, pilot: Pilot[None]) -> None:
        await asked(table, pilot)
        await pilot.press("h", "5")
        assert "> h5" in on_screen(table, "typed")
        await pilot.press("backspace", "9", "enter")
        assert table.dialogue is not None
        assert table.dialogue.chosen == Act(Play(Card("H9")))
        assert "Chosen: ♥9. Enter confirms, U undoes" in on_screen(table, "prompt")
        await pilot.press("enter")
        await asked(table, pilot)

    drive(session, script)
    assert CardPlayed(0, Card("H9")) in happened(session)


def test_arrows_and_undo() -> None:
    session = leading()

    async def script(table: Table, pilot: Pilot[None]) -> None:
        await asked(table, pilot)
        assert table.dialogue is not None
        first = table.dialogue.marked
        await pilot.press("right", "down", "left")
        assert table.dialogue.marked == (first + 1) % len(table.dialogue.options)
        before = len(session.log)
        await pilot.press("enter", "u")
        assert "Undone" in on_screen(table, "prompt")
        assert table.dialogue.chosen is None
        await pilot.press("u")
        assert "Nothing to undo" in on_screen(table, "prompt")
        assert len(session.log) == before

    drive(session, script)


def test_cards_are_laid_with_space() -> None:
    session = evening(dealer=0, quiet=True)
    deal_out(session, HAND)

    async def script(table: Table, pilot: Pilot[None]) -> None:
        await asked(table, pilot)
        await pilot.press("enter")
        assert on_screen(table, "hand").count("✓") == 3
        await pilot.press("u", "u", "u")
        assert on_screen(table, "hand").count("✓") == 0
        await pilot.press("space", "right", "space", "right", "space")
        assert table.dialogue is not None
        assert isinstance(table.dialogue.chosen, Act)
        assert on_screen(table, "hand").count("✓") == 3
        await pilot.press("u")
        assert on_screen(table, "hand").count("✓") == 2
        await pilot.press("escape", *"lay", "space", *"S4", "space", *"H9", "space", *"D5", "enter")
        assert table.dialogue.chosen == Act(Lay((Card("S4"), Card("H9"), Card("D5"))))
        await pilot.press("enter")
        await asked(table, pilot)

    drive(session, script)
    assert SkatLaid(0, (Card("S4"), Card("H9"), Card("D5"))) in happened(session)


def test_what_is_mistyped_is_said_and_escape_forgets_it() -> None:
    async def script(table: Table, pilot: Pilot[None]) -> None:
        await asked(table, pilot)
        await pilot.press(*"zzz", "enter")
        assert "“zzz” is not a choice here" in on_screen(table, "prompt")
        await pilot.press(*"99", "escape")
        assert table.typed == ""

    drive(leading(), script)


# --- pages ---------------------------------------------------------------------------------------------


def test_help_says_what_is_asked_and_what_enter_does() -> None:
    async def script(table: Table, pilot: Pilot[None]) -> None:
        await asked(table, pilot)
        await pilot.press("question_mark")
        await pilot.pause()
        assert "You lead: play any highlighted card" in page(table)
        assert "Press Enter for" in page(table)
        await pilot.press("enter")
        await pilot.pause()
        assert table.dialogue is not None
        assert table.dialogue.chosen is None  # Enter closed the page and chose nothing
        await pilot.press("h", "enter")  # where cards are asked for, H begins hearts
        await pilot.pause()
        assert "You lead: play any highlighted card" in page(table)

    drive(leading(), script)


def test_ledger_rules_and_previous_trick() -> None:
    async def script(table: Table, pilot: Pilot[None]) -> None:
        await asked(table, pilot)
        await pilot.press("enter", "enter")
        await asked(table, pilot)
        for key, words in (
            ("l", "Previous trick (1)"),
            ("p", "Anna pays 20 into the king cup: opening stake"),
            ("p", "[The federation (DTF), "),
            ("r", "LAST TRICK AND ULTIMO"),
        ):
            await pilot.press(key)
            await pilot.pause()
            assert words in page(table)
            await pilot.press("escape")
            await pilot.pause()

    drive(leading(), script)


def test_a_long_page_scrolls() -> None:
    async def script(table: Table, pilot: Pilot[None]) -> None:
        await asked(table, pilot)
        await pilot.press("r")
        await pilot.pause()
        scroll = table.screen.query_one(VerticalScroll)
        seen = [scroll.scroll_y]
        for key in ("down", "pagedown", "end"):
            await pilot.press(key)
            await pilot.pause()
            seen.append(scroll.scroll_y)
        assert seen == sorted(set(seen))
        assert seen[-1] == scroll.max_scroll_y
        await pilot.press("home")
        await pilot.pause()
        assert scroll.scroll_y == 0

    drive(leading(), script)


def test_an_impatient_person_hurries_the_others_and_skips_nothing() -> None:
    """Enter while the others move makes them faster; what comes too late does nothing."""
    session = evening("dtf", 4, deals=None, tempo="slow")

    async def script(table: Table, pilot: Pilot[None]) -> None:
        for _ in range(12):
            await pilot.press("enter")
        stale = table._turn
        await asked(table, pilot)
        before = len(session.log)
        table._others(stale - 1)
        assert len(session.log) == before

    drive(session, script)
    assert session.live.moment == "deal"


def test_who_sits_out_watches() -> None:
    session = evening("dtf", 4, seat=2, dealer=0, quiet=True)

    async def script(table: Table, pilot: Pilot[None]) -> None:
        await asked(table, pilot)
        assert session.watching
        assert "Press Enter to continue" in on_screen(table, "prompt")
        assert "sitting out" in on_screen(table, "seats")
        assert not table.query_one("#hand", Static).display

    drive(session, script)


@pytest.mark.parametrize("size", [(80, 24), (100, 30), (60, 20)])
def test_everything_has_room(size: tuple[int, int]) -> None:
    """The prompt and the keys stand at the bottom, and no part is pushed off the screen."""

    async def script(table: Table, pilot: Pilot[None]) -> None:
        await asked(table, pilot)
        for name in ("head", "seats", "hand", "prompt", "keys"):
            region = table.query_one(f"#{name}", Static).region
            assert region.bottom <= size[1], name
            assert region.right <= size[0], name
        assert table.query_one("#story").region.height >= (3 if size[1] >= 24 else 1)

    drive(leading(), script, size)


# --- leaving -------------------------------------------------------------------------------------------


def saved(session: Session, path: Path) -> Session:
    """The same evening, saved in a file."""
    live = session.live
    session.save = SaveFile(path, Saved(live.rules, live.settings.size, 0, (tuple(happened(session)),)))
    return session


def test_quit_and_resume(tmp_path: Path) -> None:
    path = tmp_path / "evening.jsonl"
    session = saved(leading(), path)

    async def script(table: Table, pilot: Pilot[None]) -> None:
        await asked(table, pilot)
        await pilot.press("enter", "enter")
        await asked(table, pilot)
        await pilot.press("q")
        await pilot.pause()
        assert not table.is_running

    drive(session, script)
    assert [event for step in load(path).played for event in step] == happened(session)
    assert ultimo("play", "--resume", path, "--deals", 1, "--seed", 1, given="\n" * 300).status == 0
    assert any(isinstance(event, DealClosed) for step in load(path).played for event in step)


def test_a_full_disk_ends_the_evening_with_a_word(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    session = saved(leading(), tmp_path / "evening.jsonl")

    def full(_: SaveFile, __: list[Event]) -> None:
        raise Complaint("the game cannot be saved: no space left")

    async def script(table: Table, pilot: Pilot[None]) -> None:
        await asked(table, pilot)
        monkeypatch.setattr(SaveFile, "append", full)
        await pilot.press("enter", "enter")
        await pilot.pause()
        assert not table.is_running

    table: Any = drive(session, script)
    assert "no space left" in str(table.failure)
