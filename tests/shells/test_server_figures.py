"""One's own figures on a real server: they are kept, they go with a guest, they can be deleted."""

from __future__ import annotations

import sqlite3
from collections.abc import Iterator
from typing import Any

import pytest

from live import HOST, Evening, bots
from serving import AtTable, Serving, Visitor
from ultimo.server.figures import figures
from ultimo.table import SeatPlan, Settings, again
from ultimo.table.messages import Ready, Sit, Undo

PASSWORD = "a very long password"
LIMITS = {"ULTIMO_LOGIN_BURST": "500", "ULTIMO_REQUEST_BURST": "5000"}
NOW = "28000000"  # minutes since 1970: in 2023
FUTURE = "99999999"


@pytest.fixture(scope="module")
def server(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Serving]:
    with Serving(tmp_path_factory.mktemp("figures") / "tables.db", env=LIMITS) as serving:
        yield serving


def came(server: Serving) -> Visitor:
    visitor = Visitor(server)
    visitor.enter()
    return visitor


def play(visitor: Visitor, rules: str, size: int, deals: int = 1) -> list[int]:
    """Play deals at a table of one's own; one's gain in each."""
    gained = []
    with AtTable(visitor, visitor.open_table(rules, size, deals=deals)) as page:
        for number in range(1, deals + 1):
            page.play(number)
            gained.append(page.scene["result"]["dealRow"][page.scene["you"]])
        while page.scene["moment"] != "over":
            page.hear()
    return gained


def asked(visitor: Visitor, since: str = NOW) -> Any:
    answer = visitor.get(f"/api/figures?since={since}&lang=en")
    assert answer.status == 200
    return answer.json


def test_figures_are_those_of_the_deals_and_add_up_with_the_history(server: Serving) -> None:
    visitor = came(server)
    assert asked(visitor)["deals"] == 0
    assert asked(visitor)["best"] is None
    danish, french = play(visitor, "dtf", 3, 2), play(visitor, "french4", 4)
    told = asked(visitor)
    history = visitor.get("/api/history").json
    assert told["deals"] == told["dealsToday"] == 3
    assert told["points"] == told["pointsToday"] == sum(one["total"] for one in history)
    assert told["totals"][-1] == told["points"]
    assert told["best"]["points"] == max(danish + french)
    assert told["worst"]["points"] == min(danish + french)
    groups = {(group["rules"], group["size"]): group for group in told["groups"]}
    assert groups["dtf", 3]["deals"] == 2
    assert groups["dtf", 3]["family"] == "danish"
    assert groups["french4", 4]["points"] == sum(french)
    assert asked(visitor, FUTURE)["dealsToday"] == 0
    assert asked(visitor, FUTURE)["deals"] == 3


def test_others_have_figures_of_their_own_and_strangers_none(server: Serving) -> None:
    play(came(server), "french3", 3)
    assert asked(came(server))["deals"] == 0
    assert Visitor(server).get("/api/figures").status == 401


@pytest.mark.parametrize("since", ["", "0", "-1", "1e3", "9999999999", "now", "%00", "1;drop"])
def test_nonsense_is_refused(server: Serving, since: str) -> None:
    assert came(server).get(f"/api/figures?since={since}").status == 404


def test_a_guests_figures_go_into_an_account_and_are_deleted_with_it(server: Serving) -> None:
    first = came(server)
    assert first.post("/api/account", {"name": "Figure", "password": PASSWORD}).status == 200
    before = play(first, "french4", 4)
    guest = came(server)
    more = play(guest, "french4", 4)
    assert guest.post("/api/login", {"name": "Figure", "password": PASSWORD}).status == 200
    told = asked(guest)
    assert (told["deals"], told["points"]) == (2, sum(before + more))
    ids = [first.enter()["id"]]
    assert guest.ask("DELETE", "/api/me").status == 204
    with sqlite3.connect(server.database) as database:
        left = database.execute("select count(*) from figure where player_id = ?", ids).fetchone()
        merged = database.execute(
            "select count(*) from figure f left join player p on p.id = f.player_id where p.id is null"
        ).fetchone()
    assert left == merged == (0,)


def test_a_deal_in_which_something_was_taken_back_is_counted_apart(server: Serving) -> None:
    """Also one that counted when it was over for the first time."""
    visitor = came(server)
    with AtTable(visitor, visitor.open_table("dtf", 3, deals=2)) as page:
        page.play(1)
        assert asked(visitor)["deals"] == 1
        back = page.scene["table"]["backs"][-2]
        assert page.do({"type": "Undo", "to": back["to"]})["type"] == "done"
        assert page.scene["moment"] == "deal"
        assert asked(visitor)["deals"] == 0
        assert visitor.get(f"/api/tables/{page.scene['table']['id']}/replay/1").status == 404
        page.play(1)
        assert page.scene["table"]["takenBack"]
        assert (asked(visitor)["deals"], asked(visitor)["uncounted"]) == (0, {"takenBack": 1})
        page.play(2)
        while page.scene["moment"] != "over":
            page.hear()
    told = asked(visitor)
    (game,) = visitor.get("/api/history").json
    assert (told["deals"], told["uncounted"]) == (1, {"takenBack": 1})
    assert told["deals"] + sum(told["uncounted"].values()) == len(game["series"])


# --- the figures of a deal -----------------------------------------------------------------------------


@pytest.mark.parametrize(("book", "size"), [("dtf", 3), ("basta", 4), ("vlk", 5), ("french5", 5)])
def test_each_feat_is_counted_once(book: str, size: int) -> None:
    evening = Evening(Settings(book, size, bots(size), tempo="instant", deals=4), f"feats {book}")
    total = 0
    for number in range(1, 5):
        evening.play_on(number)
        (own,) = figures(evening.live)
        shown = evening.scene(HOST)
        assert shown.result is not None
        assert (own.deal, own.points, own.share) == (number, shown.result.deal_row[0], 0)
        rows = [row for row in shown.result.rows if row.points[0]]
        assert own.lasts == (evening.live.series.deal.tricks[-1].winner == 0)  # type: ignore[union-attr]
        assert own.ultimos == sum("ultimo" in row.label and row.points[0] > 0 for row in rows)
        assert own.baguds == sum("bagud" in row.label and row.points[0] < 0 for row in rows)
        total += own.points
    evening.end()
    (own,) = figures(evening.live)
    assert total + own.share == evening.live.series.totals[0]  # type: ignore[union-attr]


def test_what_was_taken_back_or_played_before_does_not_count_nor_does_a_stand_in() -> None:
    evening = Evening(Settings("dtf", 3, bots(3), tempo="instant"), 3)
    evening.play_on(1)
    assert len(figures(evening.live)) == 1
    second = Evening(Settings("dtf", 3, bots(3), tempo="instant", deals=1), 4, again=again(evening.log, 1))
    second.play_on(1)
    assert [own.uncounted for own in figures(second.live)] == ["sameCards"]
    backs = evening.scene(HOST).table.backs
    evening.do(HOST, Undo(backs[-1].to))
    evening.play_on(1)
    assert [own.uncounted for own in figures(evening.live)] == ["takenBack"]
    evening.do(HOST, Ready())
    evening.play_on(2)
    assert [own.uncounted for own in figures(evening.live)] == [""]
    two = (SeatPlan("host"), SeatPlan("open"), SeatPlan("bot", "random"))
    away = Evening(Settings("dtf", 3, two, tempo="instant"), 3, people=(HOST, "p1"))
    away.do("p1", Sit(1))
    away.settle_down()
    away.here.discard(HOST)
    away.play_on(1)
    assert [figure.player_id for figure in figures(away.live)] == ["p1"]
