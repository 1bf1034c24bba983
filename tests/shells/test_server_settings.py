"""The settings of the server: where they come from, which one wins, and what is said about wrong ones."""

from __future__ import annotations

from dataclasses import replace
from pathlib import Path
from typing import Any

import msgspec
import pytest

from commands import fails, ultimo
from ultimo.cli import serve
from ultimo.cli.main import parser
from ultimo.server.settings import (
    Config,
    Given,
    SettingError,
    database,
    from_environment,
    from_file,
    gather,
    given_as_text,
    seed_for_tests,
    settings,
)


def gathered(file: Path, environ: dict[str, str], *flags: str) -> Config:
    """The settings as the command gathers them."""
    given = ["serve", *flags]
    arguments = parser(given).parse_args(given)
    return gather(serve.given_by(arguments, {**environ, "ULTIMO_CONFIG": str(file)}))


def test_flags_go_before_the_environment_which_goes_before_the_file(tmp_path: Path) -> None:
    file = tmp_path / "ultimo.toml"
    file.write_text('port = 8001\nhost = "file"\nlog_level = "debug"\nsockets = 7\n')
    found = gathered(file, {"ULTIMO_PORT": "8002", "ULTIMO_HOST": "environment"}, "--port", "8003")
    assert (found.port, found.host, found.log_level, found.sockets) == (8003, "environment", "debug", 7)
    assert found.expert_seconds == Config().expert_seconds


def test_the_file_of_a_flag_goes_before_that_of_the_environment(tmp_path: Path) -> None:
    mine, other = tmp_path / "mine.toml", tmp_path / "other.toml"
    mine.write_text("port = 1")
    other.write_text("port = 2")
    assert gathered(other, {}, "--config", str(mine)).port == 1


def test_every_setting_can_be_given_in_each_of_the_three_ways(tmp_path: Path) -> None:
    texts = {
        one.name: "a,b" if one.default in ((),) else "error" if one.name == "log_level" else str(one.default)
        for one in settings()
    }
    texts |= {"log_format": "text", "metrics": "false"}
    by_environment = gather(
        from_environment({one.variable: texts[one.name] for one in settings()} | {"ULTIMO_LONG": "1"})
    )
    by_flags = gather(given_as_text(one.flag, one.name, texts[one.name]) for one in settings())
    assert by_environment == by_flags
    assert by_flags.origins == ("a", "b")
    assert not by_flags.metrics
    file = tmp_path / "all.toml"
    lines = [f"{name} = {_toml(value)}" for name, value in msgspec.to_builtins(by_flags).items()]
    file.write_text("\n".join(lines))
    assert gather(from_file(file)) == by_flags


def _toml(value: object) -> str:
    return msgspec.json.encode(value).decode()


@pytest.mark.parametrize(
    ("given", "complaint"),
    [
        (
            Given("f.toml", "port", 70000),
            "f.toml: port: 70000 is not allowed; it must be a whole number from 0",
        ),
        (Given("f.toml", "port", 80.5), "f.toml: port: 80.5 is not allowed"),
        (Given("f.toml", "metrics", 1), "f.toml: metrics: 1 is not allowed; it must be true or false"),
        (Given("f.toml", "prot", 1), "f.toml: prot: no such setting. Available: host, port"),
        (given_as_text("ULTIMO_PORT", "port", "x"), "ULTIMO_PORT: port: 'x' is not allowed"),
        (
            given_as_text("--log-level", "log_level", "loud"),
            "--log-level: log_level: 'loud' is not allowed; it must be one of debug, info, warning, error",
        ),
        (
            given_as_text("--message-rate", "message_rate", "0"),
            "--message-rate: message_rate: '0' is not allowed; it must be a number above 0",
        ),
    ],
)
def test_an_error_says_which_setting_from_where_and_what_is_allowed(given: Given, complaint: str) -> None:
    with pytest.raises(SettingError) as caught:
        gather([given])
    assert str(caught.value).startswith(complaint)
    assert caught.value.name == given.name


def test_a_file_that_cannot_be_read_is_named(tmp_path: Path) -> None:
    broken = tmp_path / "broken.toml"
    broken.write_text("port = ")
    assert fails("serve", "--config", broken).startswith(f"{broken}: not a TOML file: ")
    assert fails("serve", "--config", tmp_path / "none.toml").endswith("none.toml: No such file or directory")


def test_help_explains_every_setting_with_its_default_and_its_name_in_the_environment() -> None:
    text = " ".join(ultimo("serve", "--help").out.split())
    for one in settings():
        assert one.flag in text
        assert f"[{one.variable}]" in text.replace("[ ", "[")
        assert one.about.split(";")[0] in text
    assert "(127.0.0.1)" in text


def test_the_document_lists_every_setting() -> None:
    document = (Path(__file__).parents[2] / "docs" / "server.md").read_text(encoding="utf-8")
    for one in settings():
        assert f"| `{one.name}` |" in document
        assert one.about in document


def test_without_a_database_there_is_a_file_of_the_users_own() -> None:
    assert database(Config(), {"XDG_STATE_HOME": "/state"}) == "/state/ultimo/tables.db"
    assert database(Config(), {}).endswith("/.local/state/ultimo/tables.db")
    assert database(Config(database="here.db"), {"XDG_STATE_HOME": "/state"}) == "here.db"


FOR_TESTS = Config(database="tables.db")


def test_a_server_has_no_seed_unless_a_test_gives_it_one() -> None:
    assert seed_for_tests(Config(), {}) is None
    assert seed_for_tests(Config(), {"ULTIMO_TEST_SEED": ""}) is None
    for host in ("127.0.0.1", "127.8.8.8", "::1", "localhost"):
        alone = replace(FOR_TESTS, host=host)
        assert seed_for_tests(alone, {"ULTIMO_TEST_SEED": "7"}) == "7"
    with pytest.raises(SettingError, match="no such setting"):
        gather([Given("f.toml", "test_seed", "7")])


@pytest.mark.parametrize(
    ("earnest", "reason"),
    [
        ({"host": "0.0.0.0"}, "host is 0.0.0.0, which others can reach"),
        ({"host": "::"}, "host is ::, which others can reach"),
        ({"host": "192.168.1.7"}, "which others can reach"),
        ({"host": "tarok.example"}, "which others can reach"),
        ({"host": ""}, "which others can reach"),
        ({"proxies": ("127.0.0.1",)}, "there are proxies"),
        ({"origins": ("https://tarok.example",)}, "pages may come from other origins"),
        ({"database": ""}, "games would be kept in the user's own file"),
        ({"database": "postgresql:///ultimo"}, "games are kept in PostgreSQL"),
        ({"database": "postgresql+psycopg://host/ultimo"}, "games are kept in PostgreSQL"),
    ],
)
def test_a_seed_is_refused_where_somebody_might_play_in_earnest(earnest: dict[str, Any], reason: str) -> None:
    with pytest.raises(SettingError) as caught:
        seed_for_tests(replace(FOR_TESTS, **earnest), {"ULTIMO_TEST_SEED": "7"})
    assert str(caught.value).startswith("ULTIMO_TEST_SEED: ")
    assert reason in str(caught.value)
    assert "for tests alone" in str(caught.value)


@pytest.mark.parametrize(
    ("environ", "platform", "there"),
    [
        ({"DISPLAY": ":0"}, "linux", True),
        ({"WAYLAND_DISPLAY": "wayland-0"}, "linux", True),
        ({}, "linux", False),
        ({"DISPLAY": ":0", "SSH_CONNECTION": "x"}, "linux", False),
        ({}, "darwin", True),
        ({"SSH_TTY": "x"}, "darwin", False),
    ],
)
def test_a_browser_is_opened_only_where_somebody_sits(
    environ: dict[str, str], platform: str, there: bool
) -> None:
    assert serve.has_browser(environ, platform) is there
