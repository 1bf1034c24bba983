"""Drawing an evening: who sits at which table in which round, so that people meet as many others as they can.

`draw` makes a plan for a wish. It is a search by numbered steps and not by the clock: the same seed gives the
same plan on every machine. A plan says how good it is: how many meetings are repeated, and how many must be
in any plan; the proof of the bound is in docs/seating.md.
"""

from ultimo.club.seating.drawing import STEPS, draw
from ultimo.club.seating.measures import meetings
from ultimo.club.seating.plan import MOST_PEOPLE, Plan, Round, Share, Wish
from ultimo.club.seating.tables import split

__all__ = ["MOST_PEOPLE", "STEPS", "Plan", "Round", "Share", "Wish", "draw", "meetings", "split"]
