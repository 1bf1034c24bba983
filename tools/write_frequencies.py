"""Measure what the books say about how often things happen, and write docs/frequencies.md."""

from __future__ import annotations

import os
from argparse import ArgumentParser
from collections.abc import Iterator
from pathlib import Path

from ultimo.analysis.executing import executor
from ultimo.analysis.frequencies import frequencies
from ultimo.analysis.frequencies.frequencies import CLAIMS, NOT_MEASURED, Claim, Measured, Row
from ultimo.cli.figures import percent, percents
from ultimo.cli.progress import progress

PAGE = Path(__file__).parents[1] / "docs" / "frequencies.md"
DEALS, SEED = 1_000_000, 2026

HEAD = """# How often?

What the books say about how often things happen, and how often they do. Measured with

```
ultimo stats --deals {deals} --seed {seed}
```

in {deals:,} deals for each figure, with 95 % intervals by Wilson; this page is written by
`python tools/write_frequencies.py`. The books are those of
[rules.md](rules.md#a1-sources-and-citation-key); what they say is given in our words.

## What the cards alone decide

Counted in shuffled packs, as dealt; beside it the exact probability, found by counting hands. One suit
stands for all four, so that the deals are independent. A whip is a suit of six cards or more.

| book | says | counted | measured | 95 % interval | exact |
|---|---|---|--:|---|--:|
"""

PLAYERS = """
## What depends on the players

Counted at tables of simple players, all of one kind: *random* (any kind of legal action, and any of that
kind), *lowest* and *highest* (the lowest or the highest legal card; in French Tarot they bid as the beginner
does), *beginner* and *club* (the levels of these names). The first three say how often something happens by
itself, not how often it happens among people who play for it or against it. Danish tables have three players
and sessions of 20 deals.

| book | says | counted | players | measured | 95 % interval |
|---|---|---|---|--:|---|
"""

ALSO = """
## What no book says

| counted | measured | 95 % interval | exact |
|---|--:|---|--:|
"""

FINDINGS = """
## What follows

* To lay from a suit of five because it is hardly an opponent's whip is advice that the cards do not bear
  out: nearly every second time one of the two others has six or more of it, whether or not it is the suit he
  will choose. With a suit of six it is every fourth time.
* They do bear out that a suit of four is often somebody's whip, a declared suit too, and that declarations
  often tell where the skus is.
* A whip of six hits four times, unless one of the others has seven or eight of the suit: then it hits only
  the third player, five or six times. Longer whips of `L` cards always hit `3L − 14` times, since the others
  have no more than seven together.
* The normal fight hand is what one lays towards, not what one is dealt: among the {kinds:,} kinds of hands
  (so many tarokker, suits of such lengths) it is number {place} in frequency.
* Random and lowest players made no tout at all, as Hermansen has it. Where all three always play their
  highest card there is one in about two hundred deals: the rarity is not in the cards alone.
* That king ultimo is harder than pagat ultimo is not in the cards either: random players bring home a king
  more often than the pagat, also counted by the card. Among club players, who play for it and against it, it is:
  pagat ultimo comes about three to four times as often.
* There are {ways:.2e} Danish deals, 78!/(25! · 25! · 28!), taken before the dealer lays. The preface of
  1943 calls their number perfectly astronomical.

## What was not measured

Neither the cards alone nor simple players can be asked about these.

| book | says |
|---|---|
"""


def page(measured: Measured) -> Iterator[str]:
    """The text of the page."""
    from ultimo.analysis.frequencies.exact import kinds, place_of_kind

    every = list(frequencies.rows(measured))
    yield HEAD.format(deals=measured.deals, seed=measured.seed)
    for claim in CLAIMS:
        yield from _claim([row for row in every if row.claim is claim and row.exact is not None], claim)
    yield PLAYERS
    for claim in CLAIMS:
        yield from _claim([row for row in every if row.claim is claim and row.exact is None], claim)
    yield ALSO
    for row in every:
        if row.claim is None:
            yield f"| {row.figure.label} | {_measured(row)} | {_exact(row)} |\n"
    place = place_of_kind(7, 6, 4, 4, 4)
    yield FINDINGS.format(kinds=len(kinds()), place=place, ways=frequencies.danish_deals())
    for book, section, says in NOT_MEASURED:
        yield f"| {book}, {section} | {says} |\n"


def _claim(rows: list[Row], claim: Claim) -> Iterator[str]:
    """The lines of a claim; what is as in the line before is left out."""
    head, label = f"| {claim.book}, {claim.section} | {claim.says} |", ""
    for row in rows:
        counted = f"{row.figure.label} ({row.figure.rules})" if row.figure.rules else row.figure.label
        shown = "" if counted == label else counted
        end = (
            f"{_measured(row)} | {_exact(row)} |"
            if row.players is None
            else f"{row.players} | {_measured(row)} |"
        )
        yield f"{head} {shown} | {end}\n"
        head, label = "| | |", counted


def _measured(row: Row) -> str:
    if not row.share.of:
        return "– | –"
    return f"{percent(row.share.value)} | {percents(row.share.interval())}"


def _exact(row: Row) -> str:
    assert row.exact is not None
    return percent(row.exact)


def main() -> None:
    """Measure and write."""
    parser = ArgumentParser(description=__doc__)
    parser.add_argument("--deals", type=int, default=DEALS)
    parser.add_argument("--seed", type=int, default=SEED)
    given = parser.parse_args()
    with executor(os.cpu_count() or 1) as on, progress(frequencies.total(given.deals)) as advance:
        measured = frequencies.measure(given.deals, given.seed, on=on, advance=advance)
    PAGE.write_text("".join(page(measured)), encoding="utf-8")


if __name__ == "__main__":
    main()
