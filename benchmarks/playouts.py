"""Complete random deals in the compiled loops: dealt, played out and settled, one core."""

from __future__ import annotations

from benchmarks.measure import Job, in_turns
from benchmarks.report import Bar, Section, table

from ultimo import rulebook
from ultimo.kernel.danish import run as danish_run
from ultimo.kernel.french import layout as french_at
from ultimo.kernel.french import run as french_run
from ultimo.rulebook import DanishRules

SESSION = 20  # deals
ASKED = ("hermansen", "french4")  # for which there is a bar
TRICKS = slice(danish_run.COLUMNS.index("tricks_forehand"), danish_run.COLUMNS.index("tricks_forehand") + 3)
RESULT = french_run.COLUMNS.index("result")


LIMITED = (
    "Of a Danish deal some 60 % of the time go to the tricks, the skat and the row that is written, 11 % "
    "to the settlement, 10 % to the shuffle, 5 % each to the ways to lay and to throwing the dice ahead, the "
    "rest to dealing and declaring. In the tricks each lead waits for the winner before it: throws are made "
    "ahead, what may answer lies in one word, and what quiet tricks bring is settled together, so little "
    "else is left to wait for."
)


def playouts(book: str, deals: int, first: int = 0) -> tuple[int, int]:
    """Play deals at random; how many deals and card plays that was. Deals without play have none."""
    rules = rulebook.load(book)
    if isinstance(rules, DanishRules):
        sessions = max(1, deals // SESSION)
        rows = danish_run.sessions(
            rules,
            table=3,
            seed=1,
            first=first,
            number=sessions,
            length=min(deals, SESSION),
        )
        return len(rows), 3 * int(rows[:, TRICKS].sum())
    rows = french_run.sessions(rules, seed=1, first=first, number=deals)
    played = int((rows[:, RESULT] == french_at.PLAYED).sum())
    return deals, played * rules.players * rules.deal.hand


def job(book: str, deals: int) -> Job:
    """Play so many deals; the work is the deals."""
    return lambda: playouts(book, deals)[0]


def plays_in_deal(book: str) -> float:
    """How many card plays a random deal has."""
    deals, plays = playouts(book, 2000)
    return plays / deals


def measure(full: bool) -> Section:
    """Every rule set."""
    books = ["hermansen", *(book for book in rulebook.ids() if book != "hermansen")]
    rates = in_turns({book: job(book, 60_000 if full else 30_000) for book in books}, 9 if full else 5)
    rows = [
        (
            book,
            rates[book].cpu,
            rates[book].wall,
            rates[book].cpu * plays_in_deal(book),
            rates[book].cpu / rates["hermansen"].cpu,
        )
        for book in books
    ]
    return Section(
        "Random playouts",
        "Complete deals with everything before the first card and the whole settlement, chosen at random "
        "among what is legal, on one core: Danish at a table of three in sessions of 20 deals.",
        (table(("rule set", "deals/s", "by the clock", "card plays/s", "× hermansen"), rows),),
        tuple(Bar(f"random deals of {book}", 900_000, rates[book].cpu, " deals/s") for book in ASKED),
        LIMITED,
    )
