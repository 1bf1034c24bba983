"""The server as a program: it starts, is watched, stops politely, and says what keeps it from starting."""

from __future__ import annotations

import re
import socket
from collections.abc import Iterator
from pathlib import Path

import msgspec
import pytest
from websockets.exceptions import ConnectionClosed

from serving import AtTable, Serving, Visitor, serve
from ultimo import record
from ultimo.events import Dealt


@pytest.fixture
def server(tmp_path: Path) -> Iterator[Serving]:
    with Serving(tmp_path / "deep" / "folder" / "tables.db") as serving:
        yield serving


def test_a_server_that_is_told_to_stop_says_goodbye_and_comes_back_with_everything(server: Serving) -> None:
    visitor = Visitor(server)
    visitor.enter()
    table = visitor.open_table()
    page = AtTable(visitor, table)
    assert page.do({"type": "Say", "text": "hello"})["type"] == "done"
    assert server.stop() == 0
    last = page.hear()
    while last["type"] != "goodbye":
        last = page.hear()
    assert last["again"]
    with pytest.raises(ConnectionClosed) as closed:
        page.hear()
    assert closed.value.rcvd is not None
    assert closed.value.rcvd.code == 1012
    events = [line["event"] for line in server.lines]
    assert events[-2:] == ["stopping", "stopped"]
    server.start()
    with AtTable(visitor, table) as page:
        assert [said["text"] for said in page.scene["chat"]] == ["hello"]
        page.play()


def measured(visitor: Visitor) -> dict[str, str]:
    """What the server has counted."""
    answer = visitor.get("/metrics")
    assert answer.headers["content-type"].startswith("text/plain; version=0.0.4")
    return dict(re.findall(r"^(ultimo_\S+) (\S+)$", answer.body.decode(), re.MULTILINE))


def test_machines_can_ask_how_it_is(server: Serving) -> None:
    visitor = Visitor(server)
    visitor.enter()
    with AtTable(visitor, visitor.open_table(level="beginner")) as page:
        page.play()
        before = measured(visitor)
        assert page.do({"type": "Sit", "seat": 0})["type"] == "refused"
        values = measured(visitor)
    assert values["ultimo_tables"] == values["ultimo_viewers"] == values["ultimo_sockets"] == "1.0"
    assert float(values['ultimo_commands_total{result="done"}']) > 20
    for refused in ('ultimo_refusals_total{reason="illegal"}', 'ultimo_commands_total{result="refused"}'):
        assert float(values[refused]) == float(before.get(refused, 0)) + 1
    for histogram in ("append", "action_to_seen", "request"):
        assert float(values[f"ultimo_{histogram}_seconds_count"]) > 0
    assert float(values['ultimo_bot_seconds_count{level="beginner"}']) > 0
    assert visitor.get("/healthz").body == b"alive\n"
    assert visitor.get("/readyz").status == 200


def test_every_line_of_the_log_is_json_and_a_request_can_be_followed(server: Serving) -> None:
    answer = Visitor(server).post("/api/login", {"name": "Nobody", "password": "secret words"})
    request = answer.headers["x-request-id"]
    assert server.logged("refused", request=request)["reason"] == "noAccount"
    line = server.logged("request", request=request)
    assert (line["method"], line["route"], line["status"]) == ("POST", "/api/login", 403)
    assert "secret words" not in server.log


def test_metrics_can_be_left_out_and_the_log_can_be_for_people(tmp_path: Path) -> None:
    with Serving(tmp_path / "tables.db", 0, {"ULTIMO_METRICS": "false"}, "--log-format", "text") as server:
        assert Visitor(server).get("/metrics").status == 404
        assert "serving" in server.log
        with pytest.raises(msgspec.DecodeError):
            _ = server.lines


def test_a_server_with_a_seed_says_so_and_two_of_them_deal_alike(tmp_path: Path) -> None:
    dealt = []
    for name in ("one", "other"):
        with Serving(tmp_path / name, seed="7") as server:
            assert server.logged("FOR TESTS ALONE: whoever knows the seed knows all cards")["seed"] == "7"
            visitor = Visitor(server)
            visitor.enter()
            table = visitor.open_table("hermansen", level="random")
            with AtTable(visitor, table) as page:
                page.play()
            kept = record.loads(visitor.get(f"/api/tables/{table}/record").body.decode())
            dealt.append([entry.event for entry in kept.entries if isinstance(entry.event, Dealt)])
    assert dealt[0] == dealt[1]
    assert dealt[0]


def test_a_seed_is_refused_for_others_and_nothing_is_served(tmp_path: Path) -> None:
    file = str(tmp_path / "tables.db")
    done = serve("--host", "0.0.0.0", "--port", "0", "--database", file, ULTIMO_TEST_SEED="7")
    assert (done.returncode, done.stdout) == (1, "")
    assert done.stderr.startswith("ultimo: ULTIMO_TEST_SEED: host is 0.0.0.0, which others can reach: ")
    assert not Path(file).exists()


def test_a_port_that_is_taken_is_named(tmp_path: Path) -> None:
    with socket.create_server(("127.0.0.1", 0)) as taken:
        port = str(taken.getsockname()[1])
        done = serve("--port", port, "--database", str(tmp_path / "tables.db"))
    assert done.returncode == 1
    assert (
        done.stderr == f"ultimo: 127.0.0.1:{port}: Address already in use; choose another --port or --host\n"
    )


@pytest.mark.parametrize(
    ("database", "complaint"),
    [
        ("/proc/none/tables.db", "No such file or directory"),
        ("mysql://localhost/x", "mysql is not supported"),
        ("postgresql://127.0.0.1:1/none", "onnection"),
    ],
)
def test_a_database_that_cannot_be_opened_is_said_in_one_line(database: str, complaint: str) -> None:
    done = serve("--port", "0", ULTIMO_DATABASE=database)
    assert done.returncode == 1
    assert done.stdout == ""
    assert done.stderr.startswith("ultimo: the database cannot be opened: database: ")
    assert complaint in done.stderr
    assert done.stderr.count("\n") == 1


def test_a_file_that_is_no_database_is_left_as_it_is(tmp_path: Path) -> None:
    file = tmp_path / "letter.txt"
    file.write_text("Dear Ada, " * 100, encoding="utf-8")
    done = serve("--port", "0", "--database", str(file))
    assert done.returncode == 1
    assert "not a database" in done.stderr
    assert file.read_text(encoding="utf-8").startswith("Dear Ada")
