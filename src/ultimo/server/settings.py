"""The settings of the server: each with its meaning and its bounds, from a file, the environment and flags.

Later sources win: what is built in, the TOML file, the environment (`ULTIMO_PORT`), the flags (`--port`).
Every value is checked, wherever it comes from, by the type of its field here.

>>> gather([given_as_text("ULTIMO_PORT", "port", "8080"), Given("--port", "port", 9000)]).port
9000
"""

from __future__ import annotations

import os
from collections.abc import Iterable, Iterator, Mapping
from dataclasses import dataclass, field, fields
from pathlib import Path
from typing import Annotated, Any, Final, Literal, NamedTuple, TypeVar, get_args, get_origin, get_type_hints

import msgspec
from msgspec import Meta

from ultimo import files, rulebook
from ultimo.server.hosts import is_loopback

T = TypeVar("T")

PREFIX: Final = "ULTIMO_"
TEST_SEED: Final = "ULTIMO_TEST_SEED"  # no setting: no file and no flag has it
PAGE: Final = Path(__file__).parent / "static"  # where the page is built to


class SettingError(ValueError):
    """A setting that cannot be used: which, where it comes from, and what is allowed."""

    def __init__(self, name: str, source: str, reason: str) -> None:
        super().__init__(f"{source}: {name}: {reason}" if name else f"{source}: {reason}")
        self.name = name
        self.source = source


def _setting(default: T, about: str, **bounds: float) -> T:
    """A setting with its meaning; `ge` and `le` are the least and the most, a number is above `gt`."""
    return field(default=default, metadata={"about": about, "bounds": bounds})


@dataclass(frozen=True, slots=True)
class Config:
    """Every setting of the server."""

    host: str = _setting("127.0.0.1", "the address to listen on; 0.0.0.0 lets other machines in")
    port: int = _setting(8000, "the port to listen on; 0 takes a free one", ge=0, le=65535)
    database: str = _setting(
        "",
        "where games are kept: the path of a SQLite file, or postgresql://…; if empty, a file in the "
        "user's own folder for state",
    )
    origins: tuple[str, ...] = _setting(
        (), "addresses a page may come from besides the server's own, such as https://tarok.example"
    )
    hosts: tuple[str, ...] = _setting(
        (),
        "names this server answers to, such as tarok.example or *.tarok.example, besides localhost, IP "
        "addresses and the names in origins; * means all",
    )
    proxies: tuple[str, ...] = _setting(
        (),
        "addresses or networks of proxies whose X-Forwarded-For and X-Forwarded-Proto are trusted; * means "
        "that everything comes through one proxy",
    )
    page: str = _setting("", "the folder of the built web page; if empty, the one in the package")
    bot_processes: int = _setting(
        0, "bot processes; 0 means one fewer than the number of processors", ge=0, le=256
    )
    expert_seconds: float = _setting(
        1.0, "how long an expert thinks about a move, in seconds", ge=0.05, le=60
    )
    expert_wait: float = _setting(
        2.0,
        "seconds that an expert's move may wait for a free process; then a club player moves for it",
        ge=0,
        le=60,
    )
    tutor_processes: int = _setting(
        0,
        "processes that think about hints and reviews, and as many that search positions; 0 means half the "
        "number of processors",
        ge=0,
        le=256,
    )
    tutor_queue: int = _setting(
        50, "reviews that may wait or be made at the same time, and as many searches", ge=1, le=10_000
    )
    tutor_address: int = _setting(
        8, "hints, reviews and searches that one address may have waiting or running", ge=1, le=10_000
    )
    review_samples: int = _setting(
        192, "ways the hidden cards may lie that a hint or a review tries for each decision", ge=2, le=10_000
    )
    session_days: int = _setting(90, "days without a visit after which a person is logged out", ge=1, le=3650)
    disk_reserve: int = _setting(
        100,
        "MiB that must be free on the disk of a SQLite file; with less, /readyz says that the server is "
        "not ready",
        ge=0,
        le=1_000_000,
    )
    chat_days: int = _setting(
        90, "days after which what was said at a table is deleted; 0 never", ge=0, le=36500
    )
    log_days: int = _setting(
        0,
        "days without a move after which the moves of a table are deleted; results and statistics stay; "
        "0 never",
        ge=0,
        le=36500,
    )
    empty_days: int = _setting(
        30,
        "days without a move after which a table is deleted at which no deal was finished; 0 never",
        ge=0,
        le=36500,
    )
    guest_days: int = _setting(
        180, "days without a visit after which a guest without an account is deleted; 0 never", ge=0, le=36500
    )
    review_days: int = _setting(
        180, "days after which the review of a deal is deleted; it can be made again; 0 never", ge=0, le=36500
    )
    shutdown_seconds: int = _setting(
        5, "seconds that open connections get to close when the server stops", ge=1, le=300
    )
    message_burst: int = _setting(
        20,
        "messages one person may send in one burst, over all their sockets; strangers count by address",
        ge=1,
        le=10_000,
    )
    message_rate: float = _setting(8.0, "messages per second one person may send on average", gt=0, le=10_000)
    talk_burst: int = _setting(8, "things one person may say at tables in one burst", ge=1, le=10_000)
    talk_rate: float = _setting(
        0.5, "things per second one person may say at tables on average", gt=0, le=10_000
    )
    spectators: int = _setting(
        100, "spectators that one table may have; at most half of them from one address", ge=0, le=100_000
    )
    spectator_burst: int = _setting(
        20, "requests that all spectators of one table may send in one burst together", ge=1, le=10_000
    )
    spectator_rate: float = _setting(
        5.0, "requests per second that all spectators of one table may send together", gt=0, le=10_000
    )
    table_sockets: int = _setting(
        8, "sockets that one person may hold open at one table; strangers count by address", ge=1, le=10_000
    )
    request_burst: int = _setting(
        120, "changes and new sockets one address may request in one burst", ge=1, le=100_000
    )
    request_rate: float = _setting(
        10.0, "changes and new sockets per second from one address, on average", gt=0, le=100_000
    )
    read_burst: int = _setting(
        600,
        "costly reads one address may request in one burst: replays, records, score sheets, clubs, lists",
        ge=1,
        le=1_000_000,
    )
    read_rate: float = _setting(
        30.0,
        "costly reads per second from one address, on average; each 5 ms that they take cost another",
        gt=0,
        le=1_000_000,
    )
    table_burst: int = _setting(30, "tables one address may open in one burst", ge=1, le=100_000)
    table_rate: float = _setting(1.0, "tables per second from one address, on average", gt=0, le=100_000)
    login_burst: int = _setting(
        10, "password attempts in one burst, from one address for one name", ge=1, le=10_000
    )
    login_rate: float = _setting(0.1, "password attempts per second, on average", gt=0, le=1_000)
    sockets: int = _setting(200, "sockets that one address may hold open", ge=1, le=1_000_000)
    lease_seconds: float = _setting(
        6.0,
        "seconds after which other processes take over the tables of one that hangs or has vanished",
        ge=0.5,
        le=60,
    )
    connections: int = _setting(
        0,
        "connections in all, sockets among them; 0 means as many as the limit of open files allows",
        ge=0,
        le=1_000_000,
    )
    address_connections: int = _setting(
        300,
        "connections that one address may hold open, at most half of all; a proxy's own address has no limit",
        ge=1,
        le=1_000_000,
    )
    request_seconds: float = _setting(
        20.0,
        "seconds for the header of a request; a body, or an answer that is read, gets more as long as 4 KiB "
        "a second pass",
        gt=0,
        le=600,
    )
    idle_seconds: int = _setting(10, "seconds that a connection may wait for its next request", ge=1, le=3600)
    ping_seconds: float = _setting(
        20.0,
        "seconds between pings over a socket; one that does not answer for as long is closed",
        gt=0,
        le=600,
    )
    streams: int = _setting(
        200,
        "score sheets, clubs and tournaments that one address may follow at the same time",
        ge=1,
        le=1_000_000,
    )
    own_streams: int = _setting(
        20,
        "score sheets, clubs and tournaments that one person may follow at the same time",
        ge=1,
        le=1_000_000,
    )
    own_tables: int = _setting(
        20,
        "tables that one person may have open; one at which nothing happens for two hours does not count",
        ge=1,
        le=1_000_000,
    )
    own_bot_tables: int = _setting(
        3, "tables of bots alone that one person may have open", ge=0, le=1_000_000
    )
    own_experts: int = _setting(
        24, "seats of experts at the tables that one person has open", ge=0, le=1_000_000
    )
    own_sheets: int = _setting(
        200, "score sheets that are not closed and that one person has begun", ge=1, le=1_000_000
    )
    own_clubs: int = _setting(20, "clubs that one person may be the secretary of", ge=1, le=1_000_000)
    own_tournaments: int = _setting(
        50, "tournaments that are not closed, of one person or of one club", ge=1, le=1_000_000
    )
    day_guests: int = _setting(
        300, "new guests from one address in a day; days are those of UTC", ge=1, le=1_000_000
    )
    day_tables: int = _setting(
        1200, "tables that one person or address may open in a day", ge=1, le=1_000_000
    )
    day_sheets: int = _setting(
        1000, "score sheets that one person or address may begin in a day", ge=1, le=1_000_000
    )
    day_clubs: int = _setting(20, "clubs that one person or address may found in a day", ge=1, le=1_000_000)
    day_tournaments: int = _setting(
        50, "tournaments that one person or address may announce in a day", ge=1, le=1_000_000
    )
    day_invitations: int = _setting(
        1000,
        "invitations, and links for a pen or for scorers, that one person or address may make in a day",
        ge=1,
        le=1_000_000,
    )
    day_bytes: int = _setting(
        100_000_000,
        "bytes of files that one person or address may have read back in a day",
        ge=1,
        le=1_000_000_000_000,
    )
    day_written: int = _setting(
        50_000_000,
        "bytes that one person may write in a day at tables, on score sheets, in clubs and tournaments; an "
        "address five times as many",
        ge=1,
        le=1_000_000_000_000,
    )
    day_ratings: int = _setting(
        3,
        "attempts of accounts at a puzzle that change its rating, from one address in a day; those of guests "
        "never do",
        ge=0,
        le=1_000_000,
    )
    metrics: bool = _setting(True, "serve /metrics (block it from the public in your proxy)")
    log_level: Literal["debug", "info", "warning", "error"] = _setting(
        "info", "the lowest level that is logged"
    )
    log_format: Literal["json", "text"] = _setting(
        "json", "how lines are logged on standard error: for programs or for people"
    )


class Given(NamedTuple):
    """A value for a setting, and where it comes from."""

    source: str
    name: str
    value: Any


class Setting(NamedTuple):
    """A setting as help and documents show it."""

    name: str
    about: str
    kind: Any
    bounds: Mapping[str, float]
    default: Any

    @property
    def flag(self) -> str:
        """How it is given on the command line."""
        return f"--{self.name.replace('_', '-')}"

    @property
    def variable(self) -> str:
        """How it is given in the environment."""
        return PREFIX + self.name.upper()

    @property
    def allowed(self) -> str:
        """What it may be, in words."""
        if get_origin(self.kind) is Literal:
            return f"one of {', '.join(get_args(self.kind))}"
        least = "above {gt}" if "gt" in self.bounds else "from {ge}"
        words = {
            bool: "true or false",
            int: f"a whole number {least} to {{le}}",
            float: f"a number {least} up to {{le}}",
            str: "a text",
        }
        return words.get(self.kind, "a list of texts").format_map(self.bounds)


KINDS: Final = get_type_hints(Config)
SETTINGS: Final = {
    one.name: Setting(one.name, kind=KINDS[one.name], default=one.default, **one.metadata)
    for one in fields(Config)
}


def settings() -> tuple[Setting, ...]:
    """All settings, in the order in which they are documented."""
    return tuple(SETTINGS.values())


# --- sources -------------------------------------------------------------------------------------------


def from_file(path: Path) -> Iterator[Given]:
    """The settings of a TOML file: `port = 8080`, one a line."""
    try:
        text = files.text(files.read(path, files.RULES))
    except files.FileError as error:
        raise SettingError("", str(path), str(error)) from error
    try:
        tables = rulebook.toml(text)
    except ValueError as error:
        raise SettingError("", str(path), f"not a TOML file: {error}") from error
    for name, value in tables.items():
        yield Given(str(path), name, value)


def from_environment(environ: Mapping[str, str]) -> Iterator[Given]:
    """The settings of the environment; other variables are none of our business."""
    for one in settings():
        if (text := environ.get(one.variable)) is not None:
            yield given_as_text(one.variable, one.name, text)


def given_as_text(source: str, name: str, text: str) -> Given:
    """A value that comes as text; a list is separated by commas."""
    if isinstance(SETTINGS[name].default, tuple):
        return Given(source, name, [part.strip() for part in text.split(",") if part.strip()])
    return Given(source, name, text)


def gather(given: Iterable[Given]) -> Config:
    """The settings from all sources; a later one wins. Raises `SettingError`."""
    values: dict[str, Any] = {}
    for source, name, value in given:
        if name not in SETTINGS:
            raise SettingError(name, source, f"no such setting. Available: {', '.join(SETTINGS)}")
        one = SETTINGS[name]
        bounded = Annotated[one.kind, Meta(**one.bounds)]  # type: ignore[name-defined]
        try:
            values[name] = msgspec.convert(value, bounded, strict=not isinstance(value, str))
        except msgspec.ValidationError:
            reason = f"{value!r} is not allowed; it must be {one.allowed}"
            raise SettingError(name, source, reason) from None
    return Config(**values)


# --- what follows from them ----------------------------------------------------------------------------


def database(config: Config, environ: Mapping[str, str] = os.environ) -> str:
    """The database of these settings: where none is named, a file in the user's folder for state."""
    if config.database:
        return config.database
    state = environ.get("XDG_STATE_HOME") or str(Path.home() / ".local" / "state")
    return str(Path(state) / "ultimo" / "tables.db")


def page(config: Config) -> Path:
    """The folder of the built page."""
    return Path(config.page) if config.page else PAGE


def seed_for_tests(config: Config, environ: Mapping[str, str] = os.environ) -> str | None:
    """The seed from which a server under test deals all its cards; there is none unless tests start it.

    Whoever knows it knows every hand, so it is refused wherever somebody might play in earnest: on an address
    that others can reach, behind a proxy or for pages from elsewhere, on PostgreSQL, and on the user's own
    file of games. Raises `SettingError`.
    """
    seed = environ.get(TEST_SEED)
    if not seed:
        return None
    for earnest, reason in (
        (not is_loopback(config.host), f"host is {config.host}, which others can reach"),
        (bool(config.proxies), "there are proxies"),
        (bool(config.origins), "pages may come from other origins"),
        (not config.database, "games would be kept in the user's own file"),
        ("postgres" in config.database.partition("://")[0], "games are kept in PostgreSQL"),
    ):
        if earnest:
            reason += ": with a seed the cards are known, so it is for tests alone; unset it"
            raise SettingError("", TEST_SEED, reason)
    return seed
