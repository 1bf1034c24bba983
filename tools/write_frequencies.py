"""Measure what the books say about how often things happen, and write docs/frequencies.md."""

from __future__ import annotations

import os
from argparse import ArgumentParser
from collections.abc import Iterator
from pathlib import Path

from ultimo.analysis import frequencies
from ultimo.analysis.frequencies import CLAIMS, NOT_MEASURED, Claim, Measured, Row
from ultimo.cli.progress import progress
from ultimo.cli.simulating import percent, percents

PAGE = Path(__file__).parents[1] / "docs" / "frequencies.md"
DEALS, SEED = 1_000_000, 2026

HEAD = """# How often?

What the books say about how often things happen, and how often they do. Measured with

```
ultimo stats --deals {deals} --seed {seed}
```

({deals:,} deals for each figure; 95 % intervals by Wilson); this page is written by `python tools/write_frequencies.py`.
The books are those of [rules.md](rules.md#a1-sources-and-citation-key); what they say is given in our words.

## What the cards alone decide

Counted in shuffled packs, as dealt; beside it the exact probability, found by counting hands. One suit stands for all
four, so that the deals are independent.

| book | says | counted | measured | 95 % interval | exact |
|---|---|---|--:|---|--:|
"""

PLAYERS = """
## What depends on the players

Counted at tables of simple players, all of one kind: *random* (any legal action), *lowest* and *highest* (the legal card
that comes first or last in the pack; in French Tarot they bid by the worth of the hand), *sensible* (French Tarot: bids
as these, leads long suits, wins tricks as the last player). They say how often something happens by itself, not how
often it happens among people who play for it or against it. Danish tables have three players and sessions of 20 deals.

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

* The advice to lay from a suit of five because it is hardly an opponent's whip does not rest on the cards: nearly every
  second time one of the two others has six or more of it. With a suit of six it is every fourth time.
* That a suit of four is often somebody's whip, a declared suit too, and that the declarations often tell where the skus
  is, is borne out by the cards. So is that a whip of six drives out four tarokker: it fails only where one of the
  others has seven of the suit or more. Longer whips never fail: with `L` cards they drive out `3L − 14`.
* The normal fight hand is what one lays towards, not what one is dealt: among the {kinds:,} kinds of hands (numbers of
  tarokker and lengths of suits) it is the {place}th in frequency.
* Nobody who plays without a plan makes a tout, unless everybody always plays his highest card: then the strongest hand
  takes everything, more than a thousand times as often as Hermansen says. What is rare is not the hand but that two
  others let it happen.
* That king ultimo is harder than pagat ultimo is no property of the cards. Random players bring home a king more often
  than the pagat, and there are four kings to do it with.
* All Danish deals, taken before the dealer lays, are {ways:.2e}: 78!/(25! · 25! · 28!). Hermansen's preface calls their
  number perfectly astronomical.

## What was not measured

Neither the cards alone nor simple players can be asked about these.

| book | says |
|---|---|
"""


def page(measured: Measured) -> Iterator[str]:
    """The text of the page."""
    from ultimo.analysis.frequencies_exact import kinds, place_of_kind

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
    with progress(frequencies.total(given.deals)) as advance:
        measured = frequencies.measure(given.deals, given.seed, cores=os.cpu_count() or 1, advance=advance)
    PAGE.write_text("".join(page(measured)), encoding="utf-8")


if __name__ == "__main__":
    main()
