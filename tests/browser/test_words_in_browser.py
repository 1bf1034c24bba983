"""What is said at a table in a browser: the skus demanded and renamed, a poignée, a false declaration."""

from __future__ import annotations

from typing import Any

from playwright.sync_api import expect

from browser.conftest import Arrive
from browser.prepared import YOU, Prepared, dealt
from serving import Serving
from ultimo.cards import parse_card
from ultimo.events import Play

TRUMPS = "T21 T20 T19 T18 T17 T16 T15 T14 T13 T12 T11 T10"
HEARTS = "HK HQ HN HJ H10 H9 H8 H7 H6 H5 H4 H3 H2 H1"


def action(kind: str, **values: Any) -> str:
    """What finds the button of an action."""
    told = "".join(f"[data-action*='\"{key}\":{value}']" for key, value in values.items())
    return f"[data-testid=turn] [data-offer={kind}]{told}"


def test_a_led_skus_is_named_and_renamed_by_the_next_hand(arrive: Arrive, server: Serving) -> None:
    """The visitor leads the skus as a suit that only he has; then a bot does the same to him."""
    led = Prepared("skus led", "dtf", dealt("dtf", 3, 2, {YOU: f"T0 {HEARTS}"}))
    visitor = led.sit_down(arrive(), server.database)
    visitor.play_until(lambda offer: offer.kind == "card")
    visitor.play("T0")
    visitor.press("[data-offer=naming] [data-suit=H]")
    visitor.offered()
    story = visitor.story()
    assert "Ada (you) leads Skus as hearts" in story
    assert "Karen says the skus stands for " in story

    followed = Prepared("skus followed", "dtf", dealt("dtf", 3, 1, {2: f"T0 {HEARTS}"}))
    followed.play_until(lambda deal: deal.phase == "play")
    followed.act(2, Play(parse_card("T0"), "H"))
    visitor = followed.sit_down(arrive(), server.database)
    visitor.play_until(lambda offer: "NameSkus" in offer.actions[0])
    visitor.press(action("NameSkus", suit='"C"'))
    played = visitor.page.locator("[data-played=T0]")
    expect(played).to_contain_text("clubs")
    assert "Ada (you) says the skus stands for clubs" in visitor.story()


def test_the_skus_is_demanded_and_has_to_be_played(arrive: Arrive, server: Serving) -> None:
    table = Prepared("skus demanded", "dtf", dealt("dtf", 3, 2, {1: "T0"}))
    table.play_until(lambda deal: deal.phase == "demand", keep="T0")
    visitor = table.sit_down(arrive(), server.database)
    asked = visitor.play_until(lambda offer: offer.kind == "button")
    assert asked.question == "Demand the skus (make its holder play it)?"
    visitor.press(action("DemandSkus"))
    visitor.step()
    visitor.offered()
    story = visitor.story()
    assert "Ada (you) demands the skus" in story
    assert "Karen plays Skus" in story, "who has it must play it to this trick"


def test_a_poignee_is_shown(arrive: Arrive, server: Serving) -> None:
    """With twelve trumps, which ten are shown is the visitor's to choose."""
    cards = dealt("french4", 4, 3, {YOU: f"{TRUMPS} SK HK"}, "S1 S2 H1 H2 C1 C2")
    visitor = Prepared("poignee", "french4", cards).sit_down(arrive(), server.database)
    visitor.likes = ("Bid",)
    visitor.play_until(lambda offer: offer.kind == "card")
    visitor.press("[data-pick=ShowPoignee]")
    for card in TRUMPS.split()[2:]:
        visitor.touch(card)
    expect(visitor.find("picked")).to_have_text("10 of 10 chosen")
    visitor.press("[data-testid=confirm]")
    shown = " ".join(card.removeprefix("T") for card in TRUMPS.split()[2:])
    expect(visitor.find("story")).to_contain_text(f"Ada (you) shows a single poignée: trumps {shown}")


def test_a_wrong_declaration_is_pointed_out_and_fined(arrive: Arrive, server: Serving) -> None:
    """Where everybody declares by himself, the visitor says what he does not hold, and owns up to it."""
    house = {"decl.mode": "manual", "strict.declare": True}
    cards = dealt("jensen", 3, 2, {YOU: "SK SQ SN SJ"})
    visitor = Prepared("false declaration", "jensen", cards, house).sit_down(arrive(), server.database)
    visitor.play_until(lambda offer: offer.kind == "declare")
    expect(visitor.find("turn")).to_contain_text("You have: Full spades")
    visitor.page.get_by_text("Declare something else").click()
    visitor.page.locator("select[data-slot='0']").select_option(label="10 trumps with the pagat")
    visitor.press("[data-offer=declare] [data-offer=Declare]")
    visitor.play_until(lambda offer: offer.kind == "card")
    visitor.page.get_by_text("Report a mistake …").click()
    visitor.press(action("Claim", against=YOU))
    expect(visitor.find("story")).to_contain_text("Fine for Ada (you): wrong declaration")
    assert "Ada (you) pays 10 into the king cup: fine" in visitor.ledger()
