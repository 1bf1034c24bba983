"""`ultimo serve`: open the house."""

from __future__ import annotations

import os
import sys
import textwrap
import webbrowser
from argparse import ArgumentParser, Namespace
from collections.abc import Iterator, Mapping
from pathlib import Path

from ultimo.cli.complaint import Complaint, complaining
from ultimo.server.settings import (
    Given,
    Setting,
    SettingError,
    from_environment,
    from_file,
    gather,
    given_as_text,
    settings,
)

ABOUT = """
Settings come from a TOML file (--config), from the environment and from flags; what stands later in this list
wins. A setting is called the same everywhere: port = 8080 in the file, ULTIMO_PORT=8080, --port 8080. Lists
are written a,b in the environment and as flags.
"""


def arguments(parser: ArgumentParser) -> None:
    """The arguments of the command."""
    parser.epilog = textwrap.dedent(ABOUT)
    parser.add_argument("--config", metavar="FILE", help="settings from a TOML file (ULTIMO_CONFIG)")
    parser.add_argument("--open", action="store_true", help="open the browser if there is one")
    group = parser.add_argument_group("settings")
    for one in settings():
        group.add_argument(one.flag, dest=one.name, metavar="X", help=_help(one))


def run(arguments: Namespace) -> int:
    """Serve until told to stop."""
    with complaining(SettingError):
        config = gather(given_by(arguments, os.environ))
    try:
        from ultimo.server import running
    except ModuleNotFoundError as error:
        raise Complaint(f"the server needs {error.name}: pip install 'ultimo[web]'") from error

    def opened(address: str) -> None:
        print(f"Ultimo is running at {address}", flush=True)
        if arguments.open and has_browser(os.environ, sys.platform):
            webbrowser.open(address)

    with complaining(SettingError):
        running.run(config, opened)
    return 0


def given_by(arguments: Namespace, environ: Mapping[str, str]) -> Iterator[Given]:
    """All settings that were given, the weakest source first; a command may have flags for some alone."""
    if file := arguments.config or environ.get("ULTIMO_CONFIG"):
        yield from from_file(Path(file))
    yield from from_environment(environ)
    for one in settings():
        if (text := getattr(arguments, one.name, None)) is not None:
            yield given_as_text(one.flag, one.name, text)


def has_browser(environ: Mapping[str, str], platform: str) -> bool:
    """Whether a browser can be opened for the person who sits here: not over ssh, not without a screen."""
    if "SSH_CONNECTION" in environ or "SSH_TTY" in environ:
        return False
    return platform != "linux" or bool(environ.get("DISPLAY") or environ.get("WAYLAND_DISPLAY"))


def _help(one: Setting) -> str:
    default = one.default if one.default not in ("", ()) else "empty"
    shown = str(default).lower() if isinstance(default, bool) else default
    return f"{one.about}; {one.allowed} ({shown}) [{one.variable}]".replace("%", "%%")
