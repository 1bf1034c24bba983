"""A table that waits for its people, and what they can tell it: names, speed, skipping, claiming."""

from __future__ import annotations

from playwright.sync_api import expect

from browser.conftest import Arrive
from browser.prepared import YOU, Prepared
from browser.visitor import PATIENCE
from page_client import log_of
from serving import Serving, until
from ultimo.deal import State, is_over
from ultimo.table.claiming import can_claim
from ultimo.table.facts import StoodIn, WentAway

# A browser without a sound card: how many notes were played.
NOTES = """
window.notes = 0;
window.AudioContext = class {
  currentTime = 0;
  destination = {};
  resume() { return Promise.resolve(); }
  createGain() { return { gain: { setValueAtTime() {}, exponentialRampToValueAtTime() {} }, connect() {} }; }
  createOscillator() {
    return { frequency: {}, connect: other => other, start() { window.notes += 1; }, stop() {} };
  }
};
"""


def away(server: Serving, table: str) -> None:
    """Wait until the table has noticed that nobody is there."""
    until(lambda: isinstance(log_of(server.database, table)[-1].fact, WentAway))


def test_a_game_with_bots_waits_for_its_player(arrive: Arrive, server: Serving) -> None:
    visitor = arrive()
    table = visitor.open_table(level="random", grace=5)
    visitor.play_until(lambda offer: offer.kind == "card")
    hand = visitor.hand()
    visitor.page.goto("about:blank")
    away(server, table)
    visitor.go(f"/t/{table}")
    expect(visitor.find("welcome")).to_contain_text("Welcome back")
    assert visitor.hand() == hand, "nobody has played a card meanwhile"
    facts = [row.fact for row in log_of(server.database, table)]
    assert not any(isinstance(fact, StoodIn) for fact in facts)


def test_a_guest_says_a_name_and_the_host_starts(arrive: Arrive) -> None:
    host, guest = arrive(), arrive(way="touch")
    seats = [{"kind": "host"}, {"kind": "open"}, {"kind": "bot", "level": "beginner"}]
    host.open_table(seats=seats)
    bot = host.page.locator("[data-place='2'] b").inner_text()
    guest.page.goto(host.find("invite").input_value())
    guest.press("[data-testid=sit]")
    suggested = guest.find("name").input_value()
    assert suggested.strip()
    guest.find("name").fill(bot.upper())
    guest.press("[data-testid=sit-down]")
    expect(guest.find("refusal")).to_contain_text("choose another name")
    guest.press("[data-testid=sit]")
    guest.find("name").fill("Bodil")
    guest.press("[data-testid=sit-down]")
    expect(guest.find("gathering")).to_contain_text("Waiting for the host to start")
    expect(host.page.locator("[data-place='1']")).to_contain_text("Bodil")
    expect(host.find("hand")).to_be_hidden()
    host.press("[data-testid=start]")
    for visitor in (host, guest):
        expect(visitor.find("hand")).to_be_visible()


def test_a_turn_is_in_the_title_and_sounds_where_it_is_wanted(arrive: Arrive) -> None:
    visitor = arrive()
    visitor.page.add_init_script(NOTES)
    visitor.open_table(level="random", tempo="slow")
    offer = visitor.play_until(lambda offer: offer.kind == "card")
    expect(visitor.page).to_have_title("● Your turn – Ultimo")
    assert visitor.page.evaluate("window.notes") == 0
    visitor.press("[data-panel=settings]")
    visitor.press("[data-testid=sound]")
    assert visitor.page.evaluate("window.notes") == 2, "one hears what one has switched on"
    visitor.page.keyboard.press("Escape")
    visitor.step(offer)
    expect(visitor.page).not_to_have_title("● Your turn – Ultimo")
    while visitor.page.evaluate("window.notes") < 4:  # whoever wins the trick leads without a sound
        visitor.step()


def test_the_host_sets_the_speed_and_others_read_it(arrive: Arrive) -> None:
    host, other = arrive(), arrive()
    host.open_table(tempo="slow", public=True)
    other.page.goto(host.page.url)
    host.press("[data-panel=settings]")
    host.find("speed").get_by_role("combobox").select_option("instant")
    host.page.keyboard.press("Escape")
    other.press("[data-panel=settings]")
    expect(other.find("speed").get_by_role("combobox")).to_have_count(0)
    instant = other.find("speed").locator("b")
    expect(instant).to_have_text(
        host.page.evaluate("JSON.parse(words.textContent).words['new.tempos.instant']")
    )
    other.page.keyboard.press("Escape")
    assert "speed of play" in host.story()


def test_a_deal_that_one_sits_out_can_be_skipped(arrive: Arrive, server: Serving) -> None:
    visitor = arrive()
    Prepared("skip", "dtf", seats=4, dealer=2, tempo="slow").sit_down(visitor, server.database)
    visitor.press("[data-testid=skip]")
    expect(visitor.find("result")).to_be_visible(timeout=PATIENCE)


def test_the_rest_can_be_claimed(arrive: Arrive, server: Serving) -> None:
    visitor = arrive()
    claimable().sit_down(visitor, server.database)
    visitor.press("[data-testid=rest]")
    expect(visitor.find("result")).to_be_visible()
    assert "claims the rest" in visitor.story()


def claimable() -> Prepared:
    """A table at which Ada may lay down the rest of a deal that was played at random."""

    def enough(deal: State) -> bool:
        view = table.live.view(YOU)
        assert view is not None
        assert view.deal is not None
        return is_over(deal) or can_claim(table.live.rules, view.deal, YOU)

    for number in range(200):
        table = Prepared(f"the rest {number}", "dtf")
        if table.play_until(enough).live.waiting_for:
            return table
    raise AssertionError("the rest is never Ada's")


def test_the_last_card_plays_itself(arrive: Arrive, server: Serving) -> None:
    visitor = arrive().prefer(autoLast=True)
    ending = Prepared("last card", "dtf").play_until(
        lambda deal: len(deal.tricks) == 24 and deal.turn == YOU and deal.phase == "play"
    )
    ending.sit_down(visitor, server.database)
    expect(visitor.find("result")).to_be_visible()


def test_the_same_cards_again_are_dealt_without_a_refusal(arrive: Arrive, server: Serving) -> None:
    visitor = arrive()
    Prepared("same again", "dtf").play_until(lambda deal: len(deal.tricks) == 24).sit_down(
        visitor, server.database
    )
    visitor.play_deal()
    before = len([line for line in server.lines if line["event"] == "refused"])
    visitor.page.get_by_role("button", name="Play these cards again").click()
    expect(visitor.find("result")).to_be_hidden()
    visitor.play_until(lambda offer: offer.kind != "result")
    assert len([line for line in server.lines if line["event"] == "refused"]) == before
