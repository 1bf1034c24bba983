"""Take the pictures of the page that the documents show: `make screenshots`. Look at them before you commit.

A server of its own on a database that is thrown away, tables whose cards are given, and a real browser.
"""

from __future__ import annotations

import sys
import time
from collections.abc import Callable
from io import BytesIO
from pathlib import Path
from random import Random
from tempfile import TemporaryDirectory
from typing import Any, Literal, NamedTuple, TypeAlias

from PIL import Image
from playwright.sync_api import Browser, expect
from sqlalchemy import create_engine

ROOT = Path(__file__).parents[1]
sys.path.insert(0, str(ROOT / "tests"))

from browser.chromium import chromium  # noqa: E402
from browser.prepared import STRONG, YOU, Prepared, dealt, last_tricks  # noqa: E402
from browser.visitor import DESKTOP, PATIENCE, PHONE, Visitor  # noqa: E402
from serving import Serving  # noqa: E402
from ultimo.events import Bid, Pass  # noqa: E402
from ultimo.server.figures import Figure, note  # noqa: E402
from ultimo.server.house import COOKIE  # noqa: E402

PICTURES = ROOT / "docs" / "pictures"
QUALITY = 82  # of a picture, of 100
TAKER = "T21 T20 T16 T14 T13 T11 T8 T1 SK SQ SN S4 HK HQ D5 D9"

Place: TypeAlias = Literal["phone", "desktop"]
Scheme: TypeAlias = Literal["light", "dark"]
Look: TypeAlias = tuple[Place, Scheme]
View: TypeAlias = Callable[[Visitor, Serving, str], None]  # the text tells the copies of a table apart

ALL: tuple[Look, ...] = (("phone", "light"), ("phone", "dark"), ("desktop", "light"), ("desktop", "dark"))


class Shot(NamedTuple):
    """A picture: what it shows, and in which looks."""

    name: str
    view: View
    looks: tuple[Look, ...] = ALL


# --- what is shown -------------------------------------------------------------------------------------


def home(visitor: Visitor, server: Serving, copy: str) -> None:
    """The way in."""
    visitor.go().find("play-danish").wait_for()


def new_table(visitor: Visitor, server: Serving, copy: str) -> None:
    """Setting up a table."""
    visitor.go("/new").find("book-hermansen").check()
    visitor.page.locator("[data-testid^=rule-]").first.wait_for(state="attached")
    visitor.page.evaluate("scrollTo(0, 0)")


def house_rules(visitor: Visitor, server: Serving, copy: str) -> None:
    """The switches of a rulebook."""
    new_table(visitor, server, copy)
    groups = visitor.find("rule-decl-mode").locator("xpath=ancestor::details")
    groups.evaluate_all("groups => groups.forEach(group => (group.open = true))")
    visitor.find("rule-decl-mode").get_by_role("combobox").select_option("manual")
    visitor.find("rule-decl-mode").scroll_into_view_if_needed()


def skat(visitor: Visitor, server: Serving, copy: str) -> None:
    """The dealer lays three cards."""
    cards = dealt("dtf", 3, YOU, {YOU: STRONG})
    Prepared("skat", "dtf", cards, copy=copy).sit_down(visitor, server.database)
    visitor.play_until(lambda offer: offer.kind == "pick")
    visitor.press("[data-testid=suggest]")


def play(visitor: Visitor, server: Serving, copy: str) -> None:
    """The visitor follows in the middle of a deal."""

    def follows(deal: Any) -> bool:
        return len(deal.tricks) > 6 and len(deal.trick) == 2 and deal.turn == YOU

    table = Prepared("play", "dtf", dealt("dtf", 3, 1, {YOU: STRONG}), copy=copy)
    table.play_until(follows, keep="T0 T1 T21 T15 T12 SK HK").sit_down(visitor, server.database)
    visitor.play_until(lambda offer: offer.kind == "card")


def ultimo(visitor: Visitor, server: Serving, copy: str) -> None:
    """The pagat wins the last trick, and is paid for."""
    visitor.prefer(speed="slow")
    next(last_tricks(copy)).sit_down(visitor, server.database)
    visitor.play_until(lambda offer: offer.kind == "card")
    visitor.play("T1")
    visitor.find("payments").filter(has_text="ltimo").wait_for()
    visitor.page.wait_for_timeout(600)  # the chips are half-way


def result(visitor: Visitor, server: Serving, copy: str) -> None:
    """What the deal has come to."""
    next(last_tricks(copy)).sit_down(visitor, server.database)
    visitor.play_deal()


def replay(visitor: Visitor, server: Serving, copy: str) -> None:
    """A deal step by step."""
    result(visitor, server, copy)
    visitor.page.goto(f"{visitor.page.url}/deal/1")
    visitor.find("replay").wait_for()
    visitor.page.get_by_role("button", name="Trick 9").click()
    for _ in range(3):
        visitor.page.keyboard.press("ArrowRight")


def bidding(visitor: Visitor, server: Serving, copy: str) -> None:
    """A bid is to be made."""
    table = Prepared("bidding", "french4", dealt("french4", 4, 1, {YOU: TAKER}), copy=copy)
    table.act(2, Bid("petite"))
    table.act(3, Pass())
    table.sit_down(visitor, server.database)
    visitor.play_until(lambda offer: offer.kind == "button")


def ecart(visitor: Visitor, server: Serving, copy: str) -> None:
    """The taker has seen the chien, and lays his écart."""
    table = Prepared("ecart", "french4", dealt("french4", 4, 3, {YOU: TAKER}), copy=copy)
    table.act(YOU, Bid("garde"))
    for seat in (1, 2, 3):
        table.act(seat, Pass())
    table.sit_down(visitor, server.database)
    visitor.play_until(lambda offer: offer.kind == "pick")
    visitor.press("[data-testid=suggest]")


def chien(visitor: Visitor, server: Serving, copy: str) -> None:
    """The chien lies open before the taker picks it up."""
    table = Prepared("chien", "french4", dealt("french4", 4, YOU, {YOU: TAKER}), copy=copy, tempo="slow")
    for seat in (1, 2, 3):
        table.act(seat, Pass())
    table.sit_down(visitor, server.database)
    visitor.likes = ("Bid",)
    visitor.step(visitor.play_until(lambda offer: offer.kind == "button"))
    visitor.find("chien").wait_for()


def first_decision(visitor: Visitor, server: Serving, copy: str) -> None:
    """What a newcomer is asked first, one click from the front page."""
    visitor.go()
    visitor.press("[data-testid=play-danish]")
    visitor.offered()


def five(visitor: Visitor, server: Serving, copy: str) -> None:
    """Five at the table: French Tarot in the middle of a trick."""

    def follows(deal: Any) -> bool:
        return len(deal.tricks) > 4 and len(deal.trick) == 4 and deal.turn == YOU

    table = Prepared("five 3", "french5", copy=copy)
    table.play_until(follows).sit_down(visitor, server.database)
    visitor.play_until(lambda offer: offer.kind == "card")


def learn(visitor: Visitor, server: Serving, copy: str) -> None:
    """How to play."""
    visitor.go("/learn/dtf").page.get_by_role("heading", level=2).first.wait_for()
    visitor.page.get_by_role("heading", level=2).nth(1).scroll_into_view_if_needed()


def statistics(visitor: Visitor, server: Serving, copy: str) -> None:
    """The figures of somebody who has played some evenings."""
    table = Prepared("statistics", "hermansen", copy=copy)
    token = table.save(server.database)
    visitor.context.add_cookies([{"name": COOKIE, "value": token, "url": visitor.url}])
    dice = Random(7)
    kept = [
        Figure(
            table.player.id,
            deal=number,
            rules="french4" if number % 3 == 0 else "hermansen",
            size=4,
            points=dice.choice((-65, -45, -40, -20, -5, 10, 15, 35, 60, 85, 140 if number % 7 == 0 else 20)),
            ultimos=number % 11 == 0,
            baguds=number % 29 == 0,
            lasts=number % 3 == 1,
            bid=dice.choice(("", "petite", "garde", "garde")) if number % 3 == 0 else "",
            made=number % 2,
        )
        for number in range(2, 74)
    ]
    engine = create_engine(f"sqlite:///{server.database}")
    with engine.begin() as connection:
        note(connection, table.table, time.time(), kept)
    engine.dispose()
    visitor.go("/me").find("figures").wait_for()


def hint(visitor: Visitor, server: Serving, copy: str) -> None:
    """What to play, and why."""
    visitor.open_table("dtf", 3, "club")
    visitor.play_until(lambda offer: offer.kind == "card" and len(offer.cards) > 3)
    visitor.press("[data-testid=hint]")
    visitor.find("hint-do").wait_for(timeout=PATIENCE)


def why_not(visitor: Visitor, server: Serving, copy: str) -> None:
    """Why not another card, and what all of them are worth."""
    visitor.likes = ("Bid",)
    visitor.open_table("french4", 4, "club")
    offer = visitor.play_until(lambda offer: offer.kind == "card" and len(offer.cards) > 3)
    visitor.press("[data-testid=hint]")
    visitor.find("hint-do").wait_for(timeout=PATIENCE)
    hinted = visitor.page.locator("[data-hinted]").first.get_attribute("data-card")
    visitor.touch(next(card for card in offer.cards if card != hinted))
    visitor.find("hint-against").wait_for(timeout=PATIENCE)


def review(visitor: Visitor, server: Serving, copy: str) -> None:
    """A deal reviewed."""
    visitor.open_table("dtf", 3, "club")
    visitor.play_deal()
    visitor.press("[data-testid=to-review]")
    visitor.find("review-graph").wait_for(timeout=4 * PATIENCE)


def analysis(visitor: Visitor, server: Serving, copy: str) -> None:
    """A position solved, with the value of every card on it."""
    visitor.go("/analyse?p=hermansen: F T1 S2 S1 / M T21 T0 HK / B H7 H8 H9; F leads; cups 60 60")
    visitor.press("[data-testid=solve]")
    visitor.page.locator("[data-testid=verdict][data-exact=true]").wait_for(timeout=PATIENCE)


def first_deal(visitor: Visitor, server: Serving, copy: str) -> None:
    """The guided first deal, where the first card is to be played."""
    visitor.go("/school/first/danish").find("guide").wait_for()
    while visitor.find("guide-next").count():
        before = visitor.find("step").inner_text()
        visitor.press("[data-testid=guide-next]")
        expect(visitor.find("step")).not_to_have_text(before)


def school(visitor: Visitor, server: Serving, copy: str) -> None:
    """The course and all else that can be learned."""
    visitor.go("/school").find("school").wait_for()


def lesson(visitor: Visitor, server: Serving, copy: str) -> None:
    """A lesson with a hand and an exercise."""
    visitor.go("/school/four-factors").find("exercise").first.scroll_into_view_if_needed()


def trainer(visitor: Visitor, server: Serving, copy: str) -> None:
    """A question of a trainer."""
    visitor.go("/school/trainers/skat").find("exercise").wait_for()


def puzzle(visitor: Visitor, server: Serving, copy: str) -> None:
    """A puzzle on the board."""
    visitor.go("/puzzles/hermansen-1").find("puzzle-goal").wait_for(timeout=PATIENCE)


def games(visitor: Visitor, server: Serving, copy: str) -> None:
    """The games to watch."""
    visitor.go("/games").page.locator("[data-game]").first.wait_for(timeout=PATIENCE)


def game(visitor: Visitor, server: Serving, copy: str) -> None:
    """A game between masters, where a decision of its play is explained."""
    visitor.go("/games/hermansen").find("game").wait_for(timeout=4 * PATIENCE)
    for _ in range(3):
        visitor.press("[data-testid=game-forward]")
    visitor.find("decision").wait_for()


EVENING: tuple[dict[str, Any], ...] = (  # deals of a score sheet
    {"winner": 1, "counts": {"1": 30, "3": 20}},
    {
        "declarations": {"2": [{"kind": "tarok", "count": 10, "pagat": True}]},
        "kings_lost": [{"seat": 0, "card": "SK"}],
        "winner": 2,
        "won_with": "T1",
        "counts": {"2": 31, "0": 22},
    },
    {"winner": 3, "fallen": [{"type": "CardPlayed", "seat": 1, "card": "HK"}], "counts": {"3": 26, "1": 26}},
    {"winner": 0, "won_with": "DK", "counts": {"0": 35, "2": 21}},
    {"winner": 3, "nolo": [1]},
)


def kept_sheet(visitor: Visitor) -> str:
    """A score sheet of an evening: where it is."""
    visitor.go().find("play-danish").wait_for()
    table = {"rules": "dtf", "names": ["Karen", "Bo", "Ida", "Per"]}
    path = f"/sheets/{visitor.ask('POST', '/api/sheets', table)['id']}"
    for number, entry in enumerate(EVENING, 1):
        wish = {"type": "BookDeal", "entry": {"game": "danish", **entry}}
        visitor.ask("POST", f"/api{path}", {"cmd": f"picture-{number}", "base": number, "wish": wish})
    return path


def sheet(visitor: Visitor, server: Serving, copy: str) -> None:
    """A score sheet, and the next deal to write down."""
    visitor.go(kept_sheet(visitor)).find("entry").wait_for()


def sheet_mistake(visitor: Visitor, server: Serving, copy: str) -> None:
    """A mistake is written down by the fines of the book."""
    visitor.go(kept_sheet(visitor)).find("erred").wait_for()
    visitor.press("[data-testid=erred]")
    visitor.press("[data-testid=offender]")
    visitor.find("erred").evaluate("button => button.scrollIntoView()")


def sheet_wall(visitor: Visitor, server: Serving, copy: str) -> None:
    """The score sheet on a screen on the wall."""
    visitor.go(f"{kept_sheet(visitor)}?tv=1").find("tv").wait_for()


def sheet_end(visitor: Visitor, server: Serving, copy: str) -> None:
    """The end of the evening: who pays whom."""
    path = kept_sheet(visitor)
    wish = {"cmd": "picture-end", "base": len(EVENING) + 1, "wish": {"type": "CloseSheet"}}
    visitor.ask("POST", f"/api{path}", wish)
    visitor.go(path).find("rate").fill("0.25")
    visitor.find("pays").wait_for()
    visitor.find("end").evaluate("end => end.scrollIntoView()")


MEMBERS = (
    *("Karen Holm", "Bo Juhl", "Ida Friis", "Per Skov", "Lise Bech", "Ole Dam", "Eva Krogh", "Jens Lund"),
    *("Mette Vang", "Hans Ravn", "Grete Munk", "Svend Hjort"),
)
DAYS = ("2026-09-01", "2026-09-15", "2026-09-29", "2026-10-13", "2026-10-27", "2026-11-10")
TONIGHT = "2026-11-17"
DEALS: tuple[tuple[int, dict[str, str]], ...] = (  # who of three wins the last trick, and how
    (0, {}),
    (1, {"won_with": "T1"}),
    (2, {"won_with": "SK"}),
)


class Kept:
    """A club that somebody has kept for a season, and tonight's evening."""

    def __init__(self, visitor: Visitor) -> None:
        self.visitor = visitor
        visitor.go("/clubs").find("found").wait_for()
        wish = {"name": "Aarhus Tarok", "me": MEMBERS[0], "language": "en"}
        self.at = f"/api/clubs/{visitor.ask('POST', '/api/clubs', wish)['id']}"
        self.write(type="AddMembers", names=MEMBERS[1:])
        visitor.ask("POST", f"{self.at}/import", self._past())
        self.evening = self.write(type="OpenEvening", day=TONIGHT)[0]

    def _past(self) -> dict[str, Any]:
        rng, lines = Random(5), []
        for day in DAYS:
            points = [rng.randint(-120, 120) for _ in MEMBERS[:8]]
            there = rng.sample(MEMBERS, 9)
            lines += [
                f"{day},{name},{won},12" for name, won in zip(there, [*points, -sum(points)], strict=True)
            ]
        return {"text": "\n".join(lines), "name": "Season 2026/27", "add": True, "check": False}

    def write(self, **wish: Any) -> list[str]:
        """Write in the club's log; the ids that are made."""
        seq = self.visitor.ask("GET", self.at)["seq"]
        written = self.visitor.ask("POST", self.at, {"cmd": f"command-{seq:04}", "base": seq, "wish": wish})
        made: list[str] = written["made"]
        return made

    def attend(self) -> None:
        """Let eleven members and a guest come."""
        there = [f"m{number}" for number in range(1, 12)]
        self.write(type="SetAttendance", evening=self.evening, members=there, guests={"g1": "Ulla"})

    def draw(self) -> None:
        """Draw the tables, and keep them."""
        self.attend()
        wish = {"rounds": 3, "sizes": [4, 3], "seed": "aarhus"}
        drawn = self.visitor.ask("POST", f"{self.at}/evenings/{self.evening}/draw", wish)
        self.write(type="KeepTables", evening=self.evening, rounds=drawn["rounds"], seed=drawn["seed"])

    def play(self) -> None:
        """Play three deals at every table of the first round, and close the evening."""
        self.draw()
        for table in (1, 2, 3):
            place = {"round": 1, "table": table}
            path = f"{self.at}/evenings/{self.evening}/sheets"
            sheet = f"/api/sheets/{self.visitor.ask('POST', path, place)['id']}"
            for number, (winner, more) in enumerate(DEALS):
                seen = self.visitor.ask("GET", sheet)
                order = seen["coming"][0]["order"]
                counts = {str(order[0]): 24 + number, str(order[1]): 30}
                entry = {"game": "danish", "winner": order[winner], "counts": counts} | more
                wish = {"type": "BookDeal", "entry": entry}
                self.visitor.ask(
                    "POST", sheet, {"cmd": f"booking-{number}", "base": seen["seq"], "wish": wish}
                )
        self.visitor.ask("POST", f"{self.at}/evenings/{self.evening}/close", {"anyway": True})

    def go(self, path: str = "") -> Visitor:
        """Open a page of the club."""
        return self.visitor.go(f"{self.at.removeprefix('/api')}{path}")


def club_new(visitor: Visitor, server: Serving, copy: str) -> None:
    """A club that was founded a moment ago."""
    visitor.go("/clubs").find("club-name").fill("Aarhus Tarok")
    visitor.find("your-name").fill(MEMBERS[0])
    visitor.press("[data-testid=found]")
    visitor.press("[data-testid=to-new-club]")
    visitor.find("first-steps").wait_for()


def club_members(visitor: Visitor, server: Serving, copy: str) -> None:
    """A pasted list of members."""
    club_new(visitor, server, copy)
    visitor.press("[data-testid=to-members]")
    visitor.find("paste").fill("\n".join(MEMBERS[1:6]))
    visitor.find("found-names").wait_for()


def club_evening(visitor: Visitor, server: Serving, copy: str) -> None:
    """Who is there tonight."""
    kept = Kept(visitor)
    kept.attend()
    kept.go(f"/evenings/{kept.evening}").find("draw-now").wait_for()


def club_tables(visitor: Visitor, server: Serving, copy: str) -> None:
    """The tables that were drawn."""
    kept = Kept(visitor)
    kept.draw()
    kept.go(f"/evenings/{kept.evening}").find("plan").wait_for()


def club_wall(visitor: Visitor, server: Serving, copy: str) -> None:
    """The tables on a screen on the wall."""
    kept = Kept(visitor)
    kept.draw()
    kept.go(f"/evenings/{kept.evening}?view=wall").find("wall").wait_for()


def club(visitor: Visitor, server: Serving, copy: str) -> None:
    """The club in the middle of a season."""
    kept = Kept(visitor)
    kept.play()
    kept.go().find("season-chart").wait_for()


def club_season(visitor: Visitor, server: Serving, copy: str) -> None:
    """The season, from its chart on."""
    kept = Kept(visitor)
    kept.play()
    kept.go("/seasons/s1").find("season-chart").wait_for()
    visitor.find("season-chart").evaluate("chart => chart.parentElement.scrollIntoView()")


TWO = (ALL[0], ALL[2])
SHOTS = (
    Shot("club-new", club_new, ALL[:1]),
    Shot("club-members", club_members, ALL[:1]),
    Shot("club-evening", club_evening, TWO),
    Shot("club-tables", club_tables, TWO),
    Shot("club-wall", club_wall, ALL[2:3]),
    Shot("club", club, (ALL[0], ALL[1], ALL[2])),
    Shot("club-season", club_season, ALL[2:3]),
    Shot("first-deal", first_deal, TWO),
    Shot("school", school, TWO),
    Shot("lesson", lesson, TWO),
    Shot("trainer", trainer, TWO),
    Shot("puzzle", puzzle, TWO),
    Shot("games", games, ALL[:1]),
    Shot("game", game, TWO),
    Shot("sheet", sheet, TWO),
    Shot("sheet-mistake", sheet_mistake, ALL[:1]),
    Shot("sheet-wall", sheet_wall, ALL[2:3]),
    Shot("sheet-end", sheet_end, ALL[:1]),
    Shot("hint", hint, (ALL[0], ALL[3])),
    Shot("why-not", why_not, (ALL[0], ALL[2])),
    Shot("review", review, (ALL[0], ALL[2], ALL[3])),
    Shot("analysis", analysis, (ALL[0], ALL[2])),
    Shot("home", home),
    Shot("first", first_decision),
    Shot("learn", learn),
    Shot("chien", chien),
    Shot("five", five),
    Shot("statistics", statistics),
    Shot("new-table", new_table, ALL[:3]),
    Shot("house-rules", house_rules, (ALL[0], ALL[2])),
    Shot("skat", skat),
    Shot("play", play),
    Shot("ultimo", ultimo),
    Shot("result", result),
    Shot("replay", replay, ALL[:3]),
    Shot("bidding", bidding, ALL[:1]),
    Shot("ecart", ecart, ALL[:3]),
)


# --- taking the pictures -------------------------------------------------------------------------------


def take(browser: Browser, server: Serving, shot: Shot, look: Look) -> bytes:
    """A picture of what is shown, as the browser gives it."""
    place, scheme = look
    phone = place == "phone"
    context = browser.new_context(
        viewport=PHONE if phone else DESKTOP,
        device_scale_factor=2 if phone else 1,
        has_touch=phone,
        color_scheme=scheme,
        locale="en-GB",
        reduced_motion="no-preference" if shot.view is ultimo else "reduce",
    )
    visitor = Visitor(context, server.url, "touch" if phone else "mouse")
    shot.view(visitor, server, f" {shot.name} {place} {scheme}")
    picture = visitor.page.screenshot()
    context.close()
    return picture


def compact(picture: bytes) -> bytes:
    """The picture in few bytes; the felt is fine cloth, which PNG packs badly."""
    packed = BytesIO()
    Image.open(BytesIO(picture)).convert("RGB").save(packed, "WEBP", quality=QUALITY, method=6)
    return packed.getvalue()


def main() -> None:
    """Take all pictures, or those whose names are given."""
    PICTURES.mkdir(exist_ok=True)
    wanted = sys.argv[1:]
    shots = [(shot, look) for shot in SHOTS if not wanted or shot.name in wanted for look in shot.looks]
    with (
        TemporaryDirectory() as folder,
        Serving(Path(folder) / "ultimo.sqlite") as server,
        chromium() as browser,
    ):
        for shot, look in shots:
            file = PICTURES / f"{shot.name}-{'-'.join(look)}.webp"
            file.write_bytes(compact(take(browser, server, shot, look)))
            print(f"{file.relative_to(ROOT)}: {file.stat().st_size // 1000} kB", flush=True)


if __name__ == "__main__":
    main()
