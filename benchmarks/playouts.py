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
    "Of the 1.1 µs of a Danish deal about 0.14 go to shuffling and dealing, 0.1 to the skat and the "
    "declarations, 0.77 to the tricks and the settlement (the last about 0.1), 0.07 to the row that is "
    "written. It is the work itself, and not that a draw waits for the one before: two deals in one loop,"
    " trick by trick, were no faster, card by card 2 %. Left to gain: numba asks for each index whether "
    "it is negative, some 5 %."
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
