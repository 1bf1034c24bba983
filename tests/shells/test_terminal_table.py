"""The terminal plays on the live table: what the table does, offers and says is what a person there has."""

from __future__ import annotations

from pathlib import Path

import pytest

from commands import ultimo
from sessions import asks, deal_out, evening, happened, until
from ultimo import record, rulebook
from ultimo.cli.play import drawing
from ultimo.cli.play.session import Session
from ultimo.events import Bid, Declare, Decline, Found, Opened, SeriesClosed
from ultimo.names import LANGUAGES, page
from ultimo.table import SeatPlan, Settings, open_local
from ultimo.table.answering import only_choice
from ultimo.table.local import PERSON
from ultimo.table.messages import Act, ClaimRest, Ready, Skip

ENTERS = "\n" * 400


def sat_down(book: str, size: int, seed: str, seat: int = 0) -> Session:
    """A new game, with nothing known about it."""
    seats = tuple(SeatPlan("host") if other == seat else SeatPlan("bot", "random") for other in range(size))
    return Session(open_local(Settings(book, size, seats, deals=1), "Ada", seed), "en")


# --- what the table does by itself ---------------------------------------------------------------------


@pytest.mark.parametrize(("book", "size"), [("dtf", 4), ("vlk", 5), ("french4", 4)])
def test_forced_answers_are_those_of_the_table(book: str, size: int) -> None:
    """Whatever the table would answer for a person is answered, and nothing else is."""
    session = evening(book, size, deals=2)
    asked = 0
    while not session.is_over:
        dialogue, live = session.dialogue(), session.live
        seat = live.seat_of(PERSON)
        if dialogue is None or session.watching or live.moment != "deal":
            session.proceed(dialogue.enter().sent if dialogue else None)
            continue
        assert live.series is not None
        assert seat in live.waiting_for
        assert only_choice(live.rules, live.series, seat) is None
        asked += 1
        while dialogue.sent is None:
            dialogue = dialogue.enter()
        session.proceed(dialogue.sent)
    assert asked > 10


def test_the_holder_of_the_skus_is_asked_whether_to_demand_it() -> None:
    """Who was not asked would be known to hold it. Rule: I-7.5."""
    session = evening("jensen", dealer=2, quiet=True)
    deal_out(session, "S1 S2 S3 T0")
    dialogue = until(session, asks("Demand the skus"))
    assert [option.leads for option in dialogue.options] == [Act(Decline())]


@pytest.mark.parametrize("seed", ["1", "2", "3", "4", "5", "6"])
def test_nobody_begins_by_sitting_out(seed: str) -> None:
    session = sat_down("dtf", 4, seed, seat=2)
    until(session, lambda _: True)
    assert [2 in event.active for event in happened(session) if isinstance(event, Opened)] == [True]


def test_the_stakes_of_the_first_deal_are_the_persons_own_where_they_can_be_forgotten() -> None:
    session = evening("dtf", 3, house={"strict.cups": True})
    dialogue = until(session, lambda _: True)
    assert [option.leads for option in dialogue.options] == [Act(Found()), Ready()]
    assert "stake" in dialogue.enter().options[0].label


def test_after_the_last_deal_the_game_is_over_and_its_result_is_shown() -> None:
    session = evening(deals=1)
    with pytest.raises(AssertionError, match="never asked"):
        until(session, lambda _: session.live.moment == "between")
    assert isinstance(happened(session)[-1], SeriesClosed)
    assert session.dialogue() is None
    shown = "\n".join(map(drawing.plain, drawing.result(session)))
    assert "Deal 1 is over" in shown
    assert "Cups shared out" in shown


# --- what else the page offers -------------------------------------------------------------------------


def test_who_sits_out_may_skip_to_the_result() -> None:
    session = evening("dtf", 4, seat=2, dealer=0, deals=2)
    watching = until(session, asks("Press Enter to continue"))
    assert [option.leads for option in watching.options][1:] == [Skip()]
    session.proceed(watching.say("skip").sent)
    between = until(session, lambda _: True)
    assert between.prompt.question == "Press Enter for the next deal"


def test_the_rest_of_a_deal_is_laid_down() -> None:
    session = evening("french4", 4, dealer=3)
    deal_out(session, "T21 T20 T19 T18 T17 T16 T15 T14 T13 T12 T11 T10 T9 T8 T7 T6 T5 T0")
    session.proceed(Act(Bid("contre")))
    session.proceed(until(session, asks("Show a poignée")).enter().say("T0").chosen)
    dialogue = until(session, lambda now: any(option.leads == ClaimRest() for option in now.options))
    chosen = dialogue.say("claim the rest")
    assert chosen.sent is None
    told = session.proceed(chosen.enter().sent)
    assert told[0] == "Anna claims the rest: no card can change the result any more"
    assert session.live.moment == "between"


@pytest.mark.parametrize("language", LANGUAGES)
def test_what_the_page_offers_is_offered_in_the_words_of_the_page(language: str) -> None:
    session = evening("dtf", 4, seat=2, dealer=0, lang=language)
    labels = [option.label for option in until(session, lambda _: True).options]
    assert page(language)["live.skip"] in labels


def test_what_may_be_declared_too_early_is_offered_behind_what_is_asked() -> None:
    """At a strict table a person may err in it like anybody."""
    session = evening(dealer=0, house={"decl.mode": "manual", "strict.declare": True})
    early = until(session, lambda now: "What do you declare?" in [option.label for option in now.options])
    assert early.prompt.question != "What do you declare?"
    declaring = early.say("what do you declare?")
    assert declaring.prompt.question == "What do you declare?"
    assert isinstance(declaring.options[0].leads, Act)
    assert isinstance(declaring.options[0].leads.action, Declare)


def test_a_refused_wish_is_told_and_changes_nothing() -> None:
    session = evening(dealer=2)
    deal_out(session, "SK")
    until(session, asks("lead a card"))
    before = session.live
    assert session.proceed(Skip())[0].startswith("Not allowed: ")
    assert session.live is before


# --- without a server ----------------------------------------------------------------------------------


def test_no_time_passes() -> None:
    """Whoever is not asked does not wait, either for secrets or for the grace of the absent."""
    session = sat_down("dtf", 3, "1")
    until(session, asks("play a card"))
    assert {at for _, at in session.log} == {0.0}
    assert not any(sitting.stand_in for sitting in session.live.seats)


@pytest.mark.parametrize(("book", "size", "cut"), [("dtf", 4, 30), ("dtf", 4, 90), ("french5", 5, 40)])
def test_a_seeded_game_goes_on_as_if_it_had_never_been_left(
    book: str, size: int, cut: int, tmp_path: Path
) -> None:
    """The cards and the dice of the bots follow from the seed and from what has been played."""
    whole, left = tmp_path / "whole.jsonl", tmp_path / "left.jsonl"
    table = ("play", "--rules", book, "--table", size, "--level", "random")
    game = ("--seed", "a", "--deals", 2)
    assert ultimo(*table, *game, "--save", whole, given=ENTERS).status == 0
    assert ultimo(*table, *game, "--save", left, given="\n" * cut).status == 0
    assert len(record.load(left).entries) < len(record.load(whole).entries)
    assert ultimo("play", "--level", "random", *game, "--resume", left, given=ENTERS).status == 0
    assert left.read_bytes() == whole.read_bytes()


def test_a_resumed_game_tells_the_deal_so_far(tmp_path: Path) -> None:
    path = tmp_path / "evening.jsonl"
    table = ("--rules", "dtf", "--table", 3, "--level", "random", "--seed", 1)
    first = ultimo("play", *table, "--name", "Ada", "--save", path, given="\n" * 8)
    again = ultimo("play", "--level", "random", "--seed", 1, "--resume", path, given="")
    opened = next(line for line in first.out.splitlines() if line.startswith("Deal 1: "))
    assert again.out.splitlines()[:2] == [
        f"Rulebook: {rulebook.load('dtf').title}",
        f"Continuing the game from {path}",
    ]
    assert opened in again.out
