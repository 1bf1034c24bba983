"""Write docs/benchmark-card.md from the cards in benchmarks/card.

A card is measured by `ultimo arena --card --players LEVEL --out FOLDER`; FOLDER/card.json goes to
benchmarks/card/LEVEL.json.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from pathlib import Path

import msgspec

from ultimo import rulebook
from ultimo.cli.figures import number
from ultimo.players.arena import card
from ultimo.players.arena.card import Card, Entry

ROOT = Path(__file__).parents[1]
PAGE = ROOT / "docs" / "benchmark-card.md"
CARDS = ROOT / "benchmarks" / "card"
LEVELS = ("random", "beginner", "club", "expert")

HEAD = f"""# The benchmark card

To compare players from different papers, measure them by the same card. This is version {card.VERSION}; a
change of anything in it is another version.

| | fixed |
|---|---|
| rulebooks | {", ".join(f"`{book}`" for book in card.BOOKS)}, with the fewest players that each is for |
| opponents | all `{card.OPPONENTS[0]}`, then all `{card.OPPONENTS[1]}`: both choose without dice |
| deals | the first {card.DEALS} deals of seed {card.SEED}, with the cups that the arena draws for them |
| duplicate | each deal once for each seat of the player under test, with the same pack, cups and dealer |
| metric | **gain**: the points a deal of the player above the average of the table, over all rotations |
| interval | 95 %, normal, between deals: a deal with all its rotations is one observation |

```
ultimo arena --card --players club
ultimo arena --card --players "cmd:node examples/bots/first-legal.mjs" --out card
ultimo arena --card --players my.package:Bot --rules french4 --json
```

`--players` takes any player: a level, a class, or [a program in any language](protocol.md). `--out FOLDER`
keeps the result of each table, goes on with an interrupted run, and writes `card.json`. `--rules` takes some
of the rulebooks, `--deals N` the first N deals alone, for a first look; say so where you publish it.

When you publish a card, give its version and that of Ultimo, the gain with its interval for every line, the
options of the player (`seconds`, `samples`, `limit`) and the machine, and how many deals were lost to faults:
they count as the stand-in played them.

Points are those of each book and cannot be added across books. The opponents are not measured against
themselves: a player that chooses exactly as its opponents do has a gain of exactly zero.
"""
TABLE = """
| player | deals | against {} | 95 % | against {} | 95 % |
|---|--:|--:|--:|--:|--:|
"""
FOOT = """
Measured with version {} of Ultimo. This page is written by `python tools/write_benchmark_card.py` from the
cards in `benchmarks/card`.
"""


def read(folder: Path = CARDS) -> dict[str, Card]:
    """The cards, by level, from the lowest up."""
    found = {file.stem: msgspec.json.decode(file.read_bytes(), type=Card) for file in folder.glob("*.json")}
    return {level: found[level] for level in LEVELS if level in found}


def page(cards: Mapping[str, Card]) -> Iterator[str]:
    """The text of the page."""
    yield HEAD
    for book in card.BOOKS:
        yield f"\n## {rulebook.load(book).title}\n"
        yield TABLE.format(*card.OPPONENTS)
        for level, one in cards.items():
            mine = {entry.opponent: entry for entry in one.entries if entry.rules == book}
            cells = " | ".join(_cells(mine.get(opponent)) for opponent in card.OPPONENTS)
            yield f"| {level} | {one.deals:,} | {cells} |\n"
    yield FOOT.format(", ".join(sorted({one.version for one in cards.values()})))


def _cells(entry: Entry | None) -> str:
    if entry is None or entry.gain.interval is None:
        return "– | –"
    low, high = entry.gain.interval
    return f"{number(entry.gain.mean)} | ± {(high - low) / 2:.2f}"


def main() -> None:
    """Write the page."""
    PAGE.write_text("".join(page(read())), encoding="utf-8")


if __name__ == "__main__":
    main()
