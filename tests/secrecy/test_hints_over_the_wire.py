"""A hint of a real server is what follows from the view of one seat, in which no hidden card is."""

from __future__ import annotations

from pathlib import Path

import msgspec
import pytest

from page_client import log_of
from serving import AtTable, Serving, Visitor
from ultimo.players.warming import compile_part
from ultimo.table import Live, evolve
from ultimo.table.helping import question
from ultimo.table.showing import teller_of
from ultimo.tutor.hinting import hint

pytestmark = pytest.mark.xdist_group("server_tutor")

FEW = 4  # worlds a decision


def test_a_hint_follows_from_what_its_seat_knows_and_nobody_else_gets_it(tmp_path: Path) -> None:
    compile_part("Danish experts")
    compile_part("French experts")
    env = {"ULTIMO_REVIEW_SAMPLES": str(FEW), "ULTIMO_REQUEST_BURST": "500", "ULTIMO_TUTOR_PROCESSES": "1"}
    with Serving(tmp_path / "tables.db", env=env) as server:
        visitor, stranger = Visitor(server), Visitor(server)
        me = visitor.enter()["id"]
        stranger.enter()
        asked = 0
        with AtTable(visitor, visitor.open_table("dtf", 3)) as page:
            table = page.scene["table"]["id"]
            while asked < 4 and page.scene["result"] is None:
                wish = page.wish()
                if wish is None:
                    page.hear()
                    continue
                if wish["type"] == "Act":
                    told = visitor.post(f"/api/tables/{table}/hint?lang=en", {})
                    assert told.status == 200, told
                    live = latest(server, table)
                    view, choices = question(live, me)
                    assert known_cards(view.series) < 78
                    expected = hint(view, choices, teller_of(live, "en"), None, FEW)
                    assert told.json == msgspec.json.decode(msgspec.json.encode(expected))
                    assert stranger.post(f"/api/tables/{table}/hint", {}).status == 403
                    asked += 1
                page.do(wish)
        assert asked == 4


def latest(server: Serving, table: str) -> Live:
    live: Live | None = None
    for row in log_of(server.database, table):
        live = evolve(live, row.fact, row.at)
    assert live is not None
    return live


def known_cards(series: object) -> int:
    """How many cards a view places in a hand."""
    deal = series.deal  # type: ignore[attr-defined]
    return sum(hand.bit_count() for hand in deal.hands)
