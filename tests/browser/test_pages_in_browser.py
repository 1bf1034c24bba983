"""Everything around a deal in a browser: reasons, rules, replay, records, proofs, languages, accounts."""

from __future__ import annotations

from pathlib import Path

import pytest
from msgspec.structs import replace
from playwright.sync_api import expect

from browser.chromium import PLAIN
from browser.conftest import Arrive
from browser.prepared import YOU, Prepared, dealt
from browser.test_accessibility_in_browser import faults
from browser.visitor import Offer, Visitor
from page_client import log_of
from serving import AtTable, Serving, until
from serving import Visitor as Somebody
from ultimo import record
from ultimo.cli.main import main
from ultimo.events import Dealt, Event
from ultimo.record.check import check
from ultimo.table.facts import Happened, PlayerCommitted


def bars(visitor: Visitor, offer: Offer) -> bool:
    """Whether the visitor holds a card that he may not play."""
    return offer.kind == "card" and len(offer.cards) < len(visitor.hand())


def kept(visitor: Visitor, link: str, folder: Path) -> record.Record:
    """The record behind a link, whose every line is checked by the rules."""
    with visitor.page.expect_download() as waiting:
        visitor.page.get_by_role("link", name=link).click()
    path = folder / waiting.value.suggested_filename
    waiting.value.save_as(path)
    read = record.load(path)
    check(record.rules_of(read.header), [entry.event for entry in read.entries])
    return read


def cards_of(events: list[Event]) -> list[Dealt]:
    """The cards that were dealt."""
    return [event for event in events if isinstance(event, Dealt)]


def test_a_deal_explains_itself_and_can_be_gone_through_again(
    arrive: Arrive, server: Serving, tmp_path: Path
) -> None:
    visitor = arrive()
    page = visitor.page
    begun = Prepared("explained", "hermansen", house={"cups.ante": 10}).play_until(
        lambda deal: len(deal.tricks) >= 18 and len(deal.trick) == 2 and deal.turn == YOU
    )
    begun.sit_down(visitor, server.database)

    offer = visitor.play_until(lambda offer: bars(visitor, offer))
    held = visitor.hand()
    visitor.touch(next(card for card in held if card not in offer.cards), barred=True)
    expect(visitor.find("why").locator(".cite")).to_be_visible()
    assert visitor.hand() == held, "a barred card says why it is, and stays in the hand"

    visitor.press("[data-testid=last-trick]")
    expect(visitor.find("last").get_by_role("listitem")).to_have_count(3)
    page.keyboard.press("Escape")
    visitor.press("[data-panel=rules]")
    expect(visitor.find("rules")).to_contain_text("house rule")
    assert visitor.find("rules").locator(".cite").count() > 30, "every rule says where it is written"
    page.keyboard.press("Escape")

    visitor.step(offer)
    visitor.play_deal()
    records = [kept(visitor, f"Download record ({form})", tmp_path) for form in ("text", "JSON")]
    assert records[0].entries == records[1].entries, "one record in two spellings"

    page.get_by_role("link", name="Replay step by step").click()
    step = page.get_by_role("slider", name="Step")
    forward = page.get_by_role("button", name="Forward one step")
    expect(visitor.find("replay").locator("[data-played]")).to_have_count(1)
    first = int(step.input_value())
    assert first > 0, "it opens where the first card is played"
    for _ in range(3):
        forward.click()
    told = visitor.find("replay").inner_text()
    forward.click()
    assert visitor.find("replay").inner_text() != told
    page.get_by_role("button", name="Back one step").click()
    expect(step).to_have_value(str(first + 3))
    assert visitor.find("replay").inner_text() == told, "back is back where one was"
    page.get_by_role("button", name="Trick 25").click()
    page.keyboard.press("End")
    expect(forward).to_be_disabled()
    page.get_by_role("link", name="Back to the table").click()

    page.get_by_role("button", name="Play these cards again").click()
    expect(page.get_by_text("same cards again")).to_be_visible()
    assert begun.table not in page.url
    offer = visitor.play_until(lambda offer: offer.kind == "card")
    expect(visitor.find("why")).to_have_count(0)  # that nothing is shuffled here is nobody's fault
    visitor.step(offer)
    again = [row.fact for row in log_of(server.database, page.url.rpartition("/")[2])]
    events = [event for fact in again if isinstance(fact, Happened) for event in fact.events]
    assert cards_of(events) == cards_of([entry.event for entry in records[0].entries])


def test_a_page_takes_part_in_the_shuffle_and_checks_it(arrive: Arrive, server: Serving) -> None:
    table = Prepared("fair", "hermansen", fair=True).play_until(lambda deal: len(deal.tricks) == 24)
    visitor = table.sit_down(arrive(), server.database)
    visitor.play_deal()
    committed = [PlayerCommitted(deal, table.player.id, "") for deal in (0, 1, 2)]
    until(lambda: committed == [replace(fact, digest="") for fact in commitments(server, table.table)])
    visitor.page.get_by_role("link", name="Check the shuffle").click()
    verdicts = visitor.find("verdict")
    expect(verdicts).to_have_count(2)
    for place, said in enumerate(("exactly this first dealer.", "exactly the cards that were dealt.")):
        verdict = verdicts.nth(place)
        expect(verdict).to_have_attribute("data-outcome", "fair")
        expect(verdict).to_contain_text(f"The secrets give {said}")
        expect(verdict).to_contain_text("Your own secret is included.")


def test_a_page_on_a_plain_http_address_takes_part_in_the_shuffle_and_checks_it(
    arrive: Arrive, built: None, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    """Browsers give such a page no cryptography. The cards come from real secrets here."""
    with Serving(tmp_path / "ultimo.sqlite", 0, None, "--hosts", PLAIN, seed=None) as server:
        visitor = arrive(server, forgiven=("Cross-Origin-Opener-Policy",))  # which is for secure pages
        visitor.url = f"http://{PLAIN}:{server.port}"
        table = visitor.open_table("dtf", 3, "random")
        assert visitor.page.evaluate("[isSecureContext, typeof crypto.subtle]") == [False, "undefined"]
        visitor.play_until(lambda _: True)
        visitor.page.goto("about:blank")
        same = Somebody(server)  # who goes on without the page, and quicker
        same.cookies = {one["name"]: one["value"] for one in visitor.context.cookies()}
        with AtTable(same, table) as quick:
            quick.play()
        proof = tmp_path / "proof.json"
        proof.write_bytes(same.get(f"/api/tables/{table}/fair/1").body)
        assert main(["verify", str(proof)]) == 0
        assert "shuffled by the server and 1 of the players" in capsys.readouterr().out
        visitor.go(f"/verify?t={table}&deal=1")
        verdicts = visitor.find("verdict")
        expect(verdicts).to_have_count(2)
        for one in range(2):
            expect(verdicts.nth(one)).to_have_attribute("data-outcome", "fair")


def commitments(server: Serving, table: str) -> list[PlayerCommitted]:
    """What the log of a table has of the secrets of its players."""
    facts = [row.fact for row in log_of(server.database, table)]
    return [fact for fact in facts if isinstance(fact, PlayerCommitted)]


def test_the_page_speaks_the_language_that_is_chosen(arrive: Arrive, server: Serving) -> None:
    """The king of spades and the letters of the courts, in each language as the game has them."""
    spoken = {
        "da": ("spar konge", "K D C Kn"),
        "fr": ("roi de pique", "R D C V"),
        "de": ("Pik-König", "K D R B"),
    }
    courts = dealt("french4", 4, 3, {YOU: "SK SQ SN SJ"})
    visitor = Prepared("languages", "french4", courts).sit_down(arrive(), server.database)
    page = visitor.page
    questions = {visitor.play_until(lambda _: True).question}
    visitor.press("[data-panel=settings]")
    page.get_by_label("Large card corners").check()
    for language, (king, letters) in spoken.items():
        page.locator("dialog select:has([lang])").select_option(language)
        expect(page.locator("html")).to_have_attribute("lang", language)
        expect(page.locator("[data-card=SK]")).to_have_accessible_name(king)
        shown = [
            page.locator(f"[data-card={card}] .index b").inner_text() for card in ("SK", "SQ", "SN", "SJ")
        ]
        assert " ".join(shown) == letters
        questions.add(visitor.find("question").inner_text())
        visitor.press("[data-panel=settings]")
    assert len(questions) == 4, "each language asks in its own words"


def test_a_guest_makes_an_account_and_finds_his_games_in_it(arrive: Arrive) -> None:
    visitor = arrive(way="touch", forgiven=("/api/password",))
    page = visitor.page
    visitor.open_table("french3", 3, "random")
    visitor.play_deal()

    visitor.go("/account")
    keep = page.locator("section", has=page.get_by_role("heading", name="Keep your games"))
    keep.get_by_label("Name").fill("Marguerite")
    keep.get_by_label("Password").fill("un deux trois quatre")
    keep.get_by_role("button", name="Create account").click()
    expect(page.get_by_text("You are logged in as Marguerite.")).to_be_visible()
    page.get_by_role("button", name="Log out", exact=True).click()
    expect(visitor.find("play-danish")).to_be_visible()
    visitor.go("/history")
    expect(page.get_by_text("You haven’t played yet.")).to_be_visible()

    visitor.go("/account")
    back = page.locator("section", has=page.get_by_role("heading", name="Already have an account?"))
    back.get_by_label("Name").fill("Marguerite")
    back.get_by_label("Password").fill("un deux trois quatre")
    back.get_by_role("button", name="Log in").click()
    expect(page.get_by_text("You are logged in as Marguerite.")).to_be_visible()
    visitor.go("/history")
    expect(visitor.find("sitting")).to_have_count(1)
    page.get_by_role("link", name="Deal 1", exact=True).click()
    expect(visitor.find("replay")).to_be_visible()

    visitor.go("/account")
    another = page.locator("section", has=page.get_by_role("heading", name="Change password"))
    another.get_by_label("Old password").fill("un deux trois quatre")
    another.get_by_label("New password").fill("marguerite")
    assert faults(visitor, "account") == []
    another.get_by_role("button", name="Change password").click()
    expect(another.get_by_role("alert")).to_contain_text("easy to guess")
    another.get_by_label("New password").fill("cinq six sept huit")
    another.get_by_role("button", name="Change password").click()
    expect(page.get_by_text("Your password has been changed.")).to_be_visible()
    visitor.press("[data-testid=logout-everywhere]")
    expect(visitor.find("play-danish")).to_be_visible()
    visitor.go("/account")
    back.get_by_label("Name").fill("Marguerite")
    back.get_by_label("Password").fill("cinq six sept huit")
    back.get_by_role("button", name="Log in").click()
    expect(page.get_by_text("You are logged in as Marguerite.")).to_be_visible()

    visitor.press("[data-testid=delete]")
    visitor.press("[data-testid=delete-sure]")
    expect(visitor.find("play-danish")).to_be_visible()
    visitor.go("/account")
    expect(page.get_by_text("You are playing as a guest")).to_be_visible()
    expect(page.get_by_text("Marguerite")).to_have_count(0)
