"""The live table without I/O: wishes and time in, facts and scenes out."""

from ultimo.table.archive import (
    Frame,
    UnknownDeal,
    again,
    deal_events,
    deal_record,
    ledger,
    proofs,
    replay,
    session_record,
    step_of,
    totals,
)
from ultimo.table.decide import decide, open_table
from ultimo.table.driving import Due, Facts, Nothing, Think, Wait, due, thought
from ultimo.table.facts import Fact, PlayerId, forget
from ultimo.table.live import Live, evolve
from ultimo.table.local import due_local, open_local
from ultimo.table.settings import Again, SeatPlan, Settings
from ultimo.table.showing import scene
from ultimo.table.story import story, story_so_far

__all__ = [
    "Again",
    "Due",
    "Fact",
    "Facts",
    "Frame",
    "Live",
    "Nothing",
    "PlayerId",
    "SeatPlan",
    "Settings",
    "Think",
    "UnknownDeal",
    "Wait",
    "again",
    "deal_events",
    "deal_record",
    "decide",
    "due",
    "due_local",
    "evolve",
    "forget",
    "ledger",
    "open_local",
    "open_table",
    "proofs",
    "replay",
    "scene",
    "session_record",
    "step_of",
    "story",
    "story_so_far",
    "thought",
    "totals",
]
