"""What happened in a French deal, as a score sheet notes it: the input of the settlement."""

from __future__ import annotations

from typing import ClassVar, Literal, TypeAlias

from msgspec import Struct

from ultimo.events import Cup, Seat
from ultimo.french.reckoning import DEFENCE, NO_SEAT, NOBODY, TAKER

Side: TypeAlias = Literal["taker", "defence"]

ALL_HALF_POINTS = 182  # in the pack
SIDES: dict[Side | None, int] = {"taker": TAKER, "defence": DEFENCE, None: NOBODY}
SIDE_NAMES: dict[int, Side | None] = {number: side for side, number in SIDES.items()}


class Outcome(
    Struct, frozen=True, kw_only=True, forbid_unknown_fields=True, tag_field="family", tag="french"
):
    """What happened in a deal, as a score sheet notes it.

    `half_points` and `bouts` are those of the taker's side. `poignees` has one entry for each that was shown:
    by which side, and how many trumps. Without a partner at a table of five the taker plays alone. `fault` is
    the side that made a mistake such as a revoke.
    """

    players: int
    taker: Seat
    bid: str
    half_points: int
    bouts: int
    partner: Seat | None = None
    petit_au_bout: Side | None = None
    poignees: tuple[tuple[Side, int], ...] = ()
    slam_announced: Side | None = None
    slam_made: Side | None = None
    fault: Side | None = None
    family: ClassVar[Literal["french"]] = "french"

    @property
    def table(self) -> int:
        """How many sit at the table."""
        return self.players

    @property
    def cups(self) -> dict[Cup, int]:
        """What the cups hold before the deal: there are none."""
        return {}


def seat_number(seat: Seat | None) -> int:
    """A seat as the integer rules see it."""
    return NO_SEAT if seat is None else seat
