"""Tables over HTTP and sockets: opened, played, looked at afterwards."""

from __future__ import annotations

import time
from collections.abc import Iterator
from pathlib import Path

import msgspec
import pytest

from commands import fails, ultimo
from live import Evening, bots
from serving import AtTable, Serving, Visitor
from ultimo import record, rulebook
from ultimo.answers.payloads import (
    Book,
    BookPage,
    FairDeal,
    Glossary,
    Ledger,
    Lobby,
    Replay,
    Sitting,
    TableLine,
    TableRules,
)
from ultimo.record.check import check
from ultimo.table import Settings
from ultimo.telling.glossary import glossary
from ultimo.telling.learning import chapters, heading
from written import write

pytestmark = pytest.mark.xdist_group("server_tables")

LIMITS = {"ULTIMO_REQUEST_BURST": "5000", "ULTIMO_MESSAGE_BURST": "5000"}


@pytest.fixture(scope="module")
def server(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Serving]:
    with Serving(tmp_path_factory.mktemp("tables") / "tables.db", env=LIMITS) as serving:
        yield serving


@pytest.fixture(scope="module")
def visitor(server: Serving) -> Visitor:
    one = Visitor(server)
    one.enter()
    return one


@pytest.fixture(scope="module")
def played(visitor: Visitor) -> str:
    """A table at which two deals are over."""
    table = visitor.open_table("dtf", 4, house={"skus.demandable": False})
    with AtTable(visitor, table) as page:
        page.play(2)
    return table


# --- rulebooks -----------------------------------------------------------------------------------------


def test_all_books_are_told_with_what_differs_from_the_usual_one(visitor: Visitor) -> None:
    books = msgspec.json.decode(visitor.get("/api/books?lang=da").body, type=list[Book])
    assert tuple(book.id for book in books) == rulebook.ids()
    by_id = {book.id: book for book in books}
    assert not by_id["dtf"].differences
    assert not by_id["french4"].differences
    assert by_id["hermansen"].differences
    assert all(one.here != one.there for one in by_id["hermansen"].differences)
    assert by_id["fft3"].beside == by_id["french3"].title
    assert "deal.firstDealer" in [one.key for one in by_id["fft3"].differences]
    assert "players" not in [one.key for one in by_id["fft3"].differences]


def test_a_book_shows_its_switches_as_the_house_has_set_them(visitor: Visitor) -> None:
    answer = visitor.get("/api/books/dtf?lang=en&house=%7B%22skus.demandable%22:false%7D")
    page = msgspec.json.decode(answer.body, type=BookPage)
    (switch,) = [one for group in page.groups for one in group.switches if one.key == "skus.demandable"]
    assert (switch.value, switch.book) == (False, True)


def test_a_book_teaches_how_to_play_it_with_so_many_and_these_house_rules(visitor: Visitor) -> None:
    answer = visitor.get("/api/books/dtf/learn?lang=en&size=4&house=%7B%22pay.kingLost%22:9%7D")
    page = msgspec.json.decode(answer.body, type=TableRules)
    assert (page.family, page.size, page.sizes, page.house) == ("danish", 4, (3, 4, 5), 1)
    assert page.chapters == chapters(rulebook.load("dtf", {"pay.kingLost": 9}), 4)
    assert [chapter.id for chapter in page.chapters][-1] == "house"
    fewest = msgspec.json.decode(visitor.get("/api/books/french5/learn?lang=fr").body, type=TableRules)
    assert (fewest.size, fewest.heading) == (5, heading(rulebook.load("french5"), "fr"))


def test_the_words_of_the_game_are_explained(visitor: Visitor) -> None:
    answer = visitor.get("/api/words?lang=fr")
    assert msgspec.json.decode(answer.body, type=Glossary).words == glossary("fr")


# --- opening and finding -------------------------------------------------------------------------------


def test_a_public_table_stands_in_the_lobby_and_others_can_sit_down(
    server: Serving, visitor: Visitor
) -> None:
    seats = [{"kind": "host"}, {"kind": "open"}, {"kind": "bot", "level": "random"}]
    public, private = (visitor.open_table(seats=seats, public=public) for public in (True, False))
    friend = Visitor(server)
    friend.enter()
    lobby = msgspec.json.decode(friend.get("/api/tables").body, type=Lobby)
    assert public in [line.id for line in lobby.open]
    assert private not in [line.id for line in lobby.open + lobby.running]
    invitation = msgspec.json.decode(friend.get(f"/api/tables/{private}").body, type=TableLine)
    assert [seat.kind for seat in invitation.seats] == ["person", "open", "bot"]
    with AtTable(friend, private) as page:
        assert page.do({"type": "Sit", "seat": 1})["type"] == "done"
    with AtTable(visitor, public) as page:
        assert page.do({"type": "Start"})["type"] == "done"
        page.take_part(lambda: page.scene["moment"] != "gathering")
    lobby = msgspec.json.decode(friend.get("/api/tables").body, type=Lobby)
    assert public in [line.id for line in lobby.running]


def test_a_table_that_cannot_be_says_at_which_field(visitor: Visitor) -> None:
    seats = [{"kind": "host"}, {"kind": "bot"}, {"kind": "bot"}]
    for change, field in (
        ({"rules": "whist"}, "settings.rules"),
        ({"house": {"skus.demandable": 3}}, "settings.house.skus.demandable"),
        ({"size": 7}, "settings.size"),
        ({"tempo": "hasty"}, "settings.tempo"),
    ):
        settings = {"rules": "dtf", "size": 3, "seats": seats} | change
        answer = visitor.post("/api/tables", {"settings": settings})
        assert (answer.status, answer.json["field"]) == (422, field)


# --- what remains --------------------------------------------------------------------------------------


def test_the_rules_of_a_table_mark_what_is_its_own(visitor: Visitor, played: str) -> None:
    rules = msgspec.json.decode(visitor.get(f"/api/tables/{played}/rules?lang=en").body, type=TableRules)
    own = [line for section in rules.sections for line in section.lines if line.house]
    assert (rules.house, [line.key for line in own]) == (1, ["skus.demandable"])
    assert own[0].book != own[0].sentence
    assert rules.chapters == chapters(rulebook.load("dtf", {"skus.demandable": False}), rules.size)


@pytest.fixture(scope="module")
def proven(server: Serving) -> str:
    """A table at which two deals are over whose cards come from secrets: the server's and a page's."""
    evening = Evening(Settings("dtf", 4, bots(4), deals=2), seed=5)
    evening.play_on(2)
    write(server.database, [fact for fact, _ in evening.log], time.time())
    return evening.live.table


@pytest.mark.parametrize("form", ["sheet", "jsonl"])
def test_the_record_can_be_kept_and_checked_and_its_cards_are_fair(
    visitor: Visitor, proven: str, form: str, tmp_path: Path
) -> None:
    for deal, lines in ((None, 2), (2, 1)):
        wish = f"form={form}" + (f"&deal={deal}" if deal else "")
        answer = visitor.get(f"/api/tables/{proven}/record?{wish}")
        assert f".{form}" in answer.headers["content-disposition"]
        read = record.loads(answer.body.decode())
        check(record.rules_of(read.header), [entry.event for entry in read.entries])
        file = tmp_path / "kept"
        file.write_bytes(answer.body)
        verified = ultimo("verify", file)
        assert verified.status == 0
        deals = [line for line in verified.out.splitlines() if line.startswith("deal ")]
        assert len([line for line in deals if "dealt again" not in line]) == lines
        assert "the server and 1 of the players" in verified.out


def test_the_proof_of_a_deal_can_be_verified(visitor: Visitor, proven: str) -> None:
    answer = visitor.get(f"/api/tables/{proven}/fair/2")
    proof = msgspec.json.decode(answer.body, type=FairDeal)
    assert proof.shuffles[0].proof.deal == 2
    verified = ultimo("verify", "-", given=answer.body)
    assert (verified.status, verified.out.split(":")[0]) == (0, "deal 2")


def test_cards_from_a_seed_have_no_proof(visitor: Visitor, played: str) -> None:
    answer = visitor.get(f"/api/tables/{played}/fair/1")
    assert answer.status == 404
    assert "was not shuffled here" in answer.json["error"]
    record = visitor.get(f"/api/tables/{played}/record?form=jsonl").body
    assert "no proofs" in fails("verify", "-", given=record)


def test_a_deal_is_replayed_with_all_cards_open(visitor: Visitor, played: str) -> None:
    replay = msgspec.json.decode(visitor.get(f"/api/tables/{played}/replay/1?lang=fr").body, type=Replay)
    assert replay.deal == 1
    open_hands = [sum(bool(seat.hand) for seat in frame.scene.seats) for frame in replay.frames]
    assert max(open_hands) == 3
    assert replay.frames[-1].scene.result is not None


def test_the_ledger_has_the_payments_of_all_deals(visitor: Visitor, played: str) -> None:
    answer = visitor.get(f"/api/tables/{played}/ledger?lang=de")
    ledger = msgspec.json.decode(answer.body, type=Ledger)
    paid = ledger.payments
    assert {one.deal for one in paid} >= {1, 2}
    assert {one.cite for one in paid} == set(ledger.cites)


def test_the_history_has_the_totals_after_each_deal(visitor: Visitor, played: str) -> None:
    sittings = msgspec.json.decode(visitor.get("/api/history?lang=da").body, type=list[Sitting])
    (mine,) = [one for one in sittings if one.id == played]
    assert (mine.deals, len(mine.series), mine.total) == (2, 2, mine.series[-1])


def test_the_same_cards_are_played_once_more(visitor: Visitor, played: str) -> None:
    answer = visitor.post(f"/api/tables/{played}/again", {"deal": 2})
    assert answer.status == 201
    before = msgspec.json.decode(visitor.get(f"/api/tables/{played}/replay/2").body, type=Replay)
    with AtTable(visitor, answer.json["id"]) as page:
        assert page.scene["table"]["again"]
        page.do({"type": "Start"})
        page.play(1)
        hands = {hand["seat"]: hand["cards"] for hand in page.scene["result"]["hands"]}
    result = before.frames[-1].scene.result
    assert result is not None
    assert hands == {hand.seat: list(hand.cards) for hand in result.hands}
    proof = visitor.get(f"/api/tables/{answer.json['id']}/fair/1")
    assert proof.status == 404
    assert "was not shuffled here" in proof.json["error"]
    assert visitor.post(f"/api/tables/{played}/again", {"deal": 9}).status == 404


def test_a_deal_is_played_on_from_a_frame_of_its_replay(visitor: Visitor, played: str) -> None:
    before = msgspec.json.decode(visitor.get(f"/api/tables/{played}/replay/1").body, type=Replay)
    step = len(before.frames) // 2
    answer = visitor.post(f"/api/tables/{played}/again", {"deal": 1, "step": step})
    assert answer.status == 201
    frame = before.frames[step].scene
    with AtTable(visitor, answer.json["id"]) as page:
        while page.scene["turn"] is None:
            page.hear()
        assert sum(seat["tricks"] for seat in page.scene["seats"]) >= sum(seat.tricks for seat in frame.seats)
        page.play(1)
    for wrong in (len(before.frames) - 1, len(before.frames), 10**6):
        assert visitor.post(f"/api/tables/{played}/again", {"deal": 1, "step": wrong}).status == 409
    assert visitor.post(f"/api/tables/{played}/again", {"deal": 1, "step": -1}).status == 422


# --- sockets -------------------------------------------------------------------------------------------


def test_a_page_that_comes_back_sees_the_same_table(visitor: Visitor) -> None:
    table = visitor.open_table("french4", 4)
    with AtTable(visitor, table) as page:
        page.do({"type": "Start"})
        while page.scene["turn"] is None:
            page.hear()
        seen = page.scene["hand"]
    with AtTable(visitor, table) as page:
        assert page.scene["hand"] == seen
        page.send({"type": "resync"})
        while page.hear()["type"] != "full":
            pass
        assert page.scene["hand"] == seen
        page.play(1)
