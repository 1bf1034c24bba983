"""A puzzle: an ending in which few moves reach a goal, and where all puzzles are kept.

The files beside this module hold a puzzle a line. What they claim is worked out again by `verifying`. Nothing
is imported here that takes long: a server lists puzzles without playing them.
"""

from __future__ import annotations

from functools import cache
from hashlib import blake2b
from importlib import resources
from typing import Final, Literal, TypeAlias, get_args

import msgspec
from msgspec import Struct

from ultimo.names import Family

DanishTheme: TypeAlias = Literal["pagat", "king", "bagud", "stop", "demand", "name", "save", "nolo", "two"]
FrenchTheme: TypeAlias = Literal["contract", "petitBout", "petit", "excuse", "slam"]
Theme: TypeAlias = DanishTheme | FrenchTheme

DANISH_THEMES: Final[tuple[DanishTheme, ...]] = get_args(DanishTheme)
FRENCH_THEMES: Final[tuple[FrenchTheme, ...]] = get_args(FrenchTheme)
THEMES: Final[tuple[Theme, ...]] = (*DANISH_THEMES, *FRENCH_THEMES)

MEAN: Final = 1500  # the rating of a puzzle that is neither easy nor hard
FEWEST, MOST = 2, 8  # tricks of a puzzle
MARGIN: Final = (
    10  # points from each defender by which a French puzzle's right move is better than the others
)


class Puzzle(Struct, frozen=True, omit_defaults=True):
    """A position in which whoever is on turn can reach a goal, and by few moves only.

    `side` are the letters of the seats that the solver plays. A Danish goal is a claim as `ultimo solve` has
    it written; a French one is `points`: the deal must be worth at least `target` to the taker's side from
    each defender, or at most so much if the solver defends.
    """

    id: str
    rules: str
    theme: Theme
    tricks: int  # to come
    rating: int
    side: str
    goal: str
    position: str
    target: int = 0

    @property
    def family(self) -> Family:
        """The game it belongs to."""
        return "danish" if self.theme in DANISH_THEMES else "french"

    @property
    def composed(self) -> bool:
        """Whether it stands in a book, and was not found in a deal."""
        return "-" in self.id


def name_of(text: str, goal: str, side: str) -> str:
    """A short name for a puzzle, the same whoever finds it."""
    return blake2b(f"{text}|{goal}|{side}".encode(), digest_size=5).hexdigest()


# --- all of them -------------------------------------------------------------------------------------------


class UnknownPuzzle(LookupError):
    """A name under which there is no puzzle."""


@cache
def collection() -> tuple[Puzzle, ...]:
    """All puzzles that come with the program."""
    files = sorted(
        (file for file in resources.files(__package__).iterdir() if file.name.endswith(".jsonl")),
        key=lambda file: file.name,
    )
    return tuple(one for file in files for one in read(file.read_bytes()))


@cache
def _by_id() -> dict[str, Puzzle]:
    return {one.id: one for one in collection()}


def puzzle(name: str) -> Puzzle:
    """A puzzle by its name, or `UnknownPuzzle`."""
    try:
        return _by_id()[name]
    except KeyError:
        raise UnknownPuzzle(name) from None


def read(data: bytes) -> list[Puzzle]:
    """The puzzles of a file, or `msgspec.ValidationError`."""
    return msgspec.json.Decoder(Puzzle).decode_lines(data)


def write(puzzles: list[Puzzle]) -> bytes:
    """Puzzles as a file has them."""
    return msgspec.json.Encoder().encode_lines(puzzles)
