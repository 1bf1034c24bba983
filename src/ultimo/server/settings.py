"""The settings of the server: each with its meaning and its bounds, from a file, the environment and flags.

Later sources win: what is built in, the TOML file, the environment (`ULTIMO_PORT`), the flags (`--port`).
Every value is checked, wherever it comes from, by the type of its field here.

>>> gather([given_as_text("ULTIMO_PORT", "port", "8080"), Given("--port", "port", 9000)]).port
9000
"""

from __future__ import annotations

import os
import tomllib
from collections.abc import Iterable, Iterator, Mapping
from ipaddress import ip_address
from pathlib import Path
from typing import Annotated, Any, Final, Literal, NamedTuple, get_args, get_type_hints

import msgspec
from msgspec import Meta, Struct
from msgspec.inspect import BoolType, FloatType, IntType, LiteralType, Metadata, VarTupleType, type_info

PREFIX: Final = "ULTIMO_"
TEST_SEED: Final = "ULTIMO_TEST_SEED"  # no setting: no file and no flag has it
PAGE: Final = Path(__file__).parent / "static"  # where the page is built to


class SettingError(ValueError):
    """A setting that cannot be used: which, where it comes from, and what is allowed."""

    def __init__(self, name: str, source: str, reason: str) -> None:
        super().__init__(f"{source}: {name}: {reason}" if name else f"{source}: {reason}")
        self.name = name
        self.source = source


def _about(text: str, **bounds: Any) -> Meta:
    return Meta(description=text, **bounds)


class Config(Struct, frozen=True, forbid_unknown_fields=True):
    """Every setting of the server."""

    host: Annotated[str, _about("the address to listen on; 0.0.0.0 lets other machines in")] = "127.0.0.1"
    port: Annotated[int, _about("the port to listen on; 0 takes a free one", ge=0, le=65535)] = 8000
    database: Annotated[
        str,
        _about(
            "where games are kept: the path of a SQLite file, or postgresql://…; if empty, a file in the "
            "user's own folder for state"
        ),
    ] = ""
    origins: Annotated[
        tuple[str, ...],
        _about("addresses a page may come from besides the server's own, such as https://tarok.example"),
    ] = ()
    proxies: Annotated[
        tuple[str, ...],
        _about("addresses of proxies whose X-Forwarded-For and X-Forwarded-Proto are trusted; * trusts all"),
    ] = ()
    page: Annotated[str, _about("the folder of the built web page; if empty, the one in the package")] = ""
    bot_processes: Annotated[
        int, _about("bot processes; 0 means one fewer than the number of processors", ge=0, le=256)
    ] = 0
    expert_seconds: Annotated[
        float, _about("how long an expert thinks about a move, in seconds", ge=0.05, le=60)
    ] = 1.0
    session_days: Annotated[
        int, _about("days without a visit after which a person is logged out", ge=1, le=3650)
    ] = 90
    shutdown_seconds: Annotated[
        int, _about("seconds that open connections get to close when the server stops", ge=1, le=300)
    ] = 5
    message_burst: Annotated[
        int, _about("messages a page may send in one burst over its socket", ge=1, le=10_000)
    ] = 20
    message_rate: Annotated[
        float, _about("messages per second a page may send on average", gt=0, le=10_000)
    ] = 8.0
    request_burst: Annotated[
        int, _about("changes and new sockets one address may request in one burst", ge=1, le=100_000)
    ] = 120
    request_rate: Annotated[
        float, _about("changes and new sockets per second from one address, on average", gt=0, le=100_000)
    ] = 10.0
    login_burst: Annotated[
        int, _about("password attempts in one burst, per address and per name", ge=1, le=10_000)
    ] = 10
    login_rate: Annotated[float, _about("password attempts per second, on average", gt=0, le=1_000)] = 0.1
    sockets: Annotated[int, _about("sockets that one address may hold open", ge=1, le=1_000_000)] = 200
    metrics: Annotated[bool, _about("serve /metrics (block it from the public in your proxy)")] = True
    log_level: Annotated[
        Literal["debug", "info", "warning", "error"], _about("the lowest level that is logged")
    ] = "info"
    log_format: Annotated[
        Literal["json", "text"], _about("how lines are logged on standard error: for programs or for people")
    ] = "json"


class Given(NamedTuple):
    """A value for a setting, and where it comes from."""

    source: str
    name: str
    value: Any


class Setting(NamedTuple):
    """A setting as help and documents show it."""

    name: str
    about: str
    allowed: str
    default: Any

    @property
    def flag(self) -> str:
        """How it is given on the command line."""
        return f"--{self.name.replace('_', '-')}"

    @property
    def variable(self) -> str:
        """How it is given in the environment."""
        return PREFIX + self.name.upper()


def settings() -> tuple[Setting, ...]:
    """All settings, in the order in which they are documented."""
    built_in = Config()
    return tuple(
        Setting(name, _meta(hint).description or "", allowed(hint), getattr(built_in, name))
        for name, hint in HINTS.items()
    )


# --- sources -------------------------------------------------------------------------------------------


def from_file(path: Path) -> Iterator[Given]:
    """The settings of a TOML file: `port = 8080`, one a line."""
    try:
        tables = tomllib.loads(path.read_text(encoding="utf-8"))
    except (OSError, UnicodeDecodeError, tomllib.TOMLDecodeError) as error:
        reason = error.strerror if isinstance(error, OSError) else f"not a TOML file: {error}"
        raise SettingError("", str(path), str(reason)) from error
    for name, value in tables.items():
        yield Given(str(path), name, value)


def from_environment(environ: Mapping[str, str]) -> Iterator[Given]:
    """The settings of the environment; other variables are none of our business."""
    for one in settings():
        if (text := environ.get(one.variable)) is not None:
            yield given_as_text(one.variable, one.name, text)


def given_as_text(source: str, name: str, text: str) -> Given:
    """A value that comes as text; a list is separated by commas."""
    if isinstance(_bare(HINTS[name]), VarTupleType):
        return Given(source, name, [part.strip() for part in text.split(",") if part.strip()])
    return Given(source, name, text)


def gather(given: Iterable[Given]) -> Config:
    """The settings from all sources; a later one wins. Raises `SettingError`."""
    values: dict[str, Any] = {}
    for source, name, value in given:
        if name not in HINTS:
            raise SettingError(name, source, f"no such setting. Available: {', '.join(HINTS)}")
        try:
            values[name] = msgspec.convert(value, HINTS[name], strict=not isinstance(value, str))
        except msgspec.ValidationError:
            raise SettingError(
                name, source, f"{value!r} is not allowed; it must be {allowed(HINTS[name])}"
            ) from None
    return Config(**values)


# --- what the types say --------------------------------------------------------------------------------


HINTS: Final[Mapping[str, Any]] = get_type_hints(Config, include_extras=True)


def allowed(hint: Any) -> str:
    """What a setting may be, in words."""
    match _bare(hint):
        case BoolType():
            return "true or false"
        case LiteralType():
            return f"one of {', '.join(get_args(get_args(hint)[0]))}"
        case IntType(ge=least, le=most):
            return f"a whole number from {least} to {most}"
        case FloatType(ge=least, gt=above, le=most):
            return f"a number {f'above {above}' if least is None else f'from {least}'} up to {most}"
        case VarTupleType():
            return "a list of texts"
        case _:
            return "a text"


def _bare(hint: Any) -> Any:
    """The type without its description, but with its bounds."""
    info = type_info(hint)
    return info.type if isinstance(info, Metadata) else info


def _meta(hint: Any) -> Meta:
    return next(one for one in get_args(hint) if isinstance(one, Meta))


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
        (not _is_loopback(config.host), f"host is {config.host}, which others can reach"),
        (bool(config.proxies), "there are proxies"),
        (bool(config.origins), "pages may come from other origins"),
        (not config.database, "games would be kept in the user's own file"),
        ("postgres" in config.database.partition("://")[0], "games are kept in PostgreSQL"),
    ):
        if earnest:
            raise SettingError(
                "",
                TEST_SEED,
                f"{reason}: with a seed the cards are known, so it is for tests alone; unset it",
            )
    return seed


def _is_loopback(host: str) -> bool:
    try:
        return ip_address(host).is_loopback
    except ValueError:
        return host == "localhost"
