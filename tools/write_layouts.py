"""Write docs/observations.md from the layouts, and the sizes of the games that docs/research.md shows.

python tools/write_layouts.py
"""

from __future__ import annotations

import re
from collections.abc import Iterator
from math import factorial, prod
from pathlib import Path

import numpy as np

from ultimo import rulebook
from ultimo.cards import PACK
from ultimo.danish.dealing import DEALER_HAND, HAND
from ultimo.french import numbers as rule
from ultimo.kernel.french.deal import array_of
from ultimo.kernel.policy import POLICIES
from ultimo.research import danish, french
from ultimo.research.actions import names
from ultimo.research.decisions import DEAL, play
from ultimo.research.history import KINDS
from ultimo.research.layout import CARDS, POINTS, Field, Layout
from ultimo.rulebook import DanishRules, FrenchRules, Rules

DOCS = Path(__file__).parents[1] / "docs"
PAGE, CARD = DOCS / "observations.md", DOCS / "research.md"
SIZES = re.compile(r"(?<=<!-- sizes -->\n).*(?=<!-- end of sizes -->)", re.DOTALL)
DEALS, SEED = 1000, 1  # that are measured
CARD_ACTIONS = {
    "danish": "to play or to lay, as the phase has it. A skat is laid card by card.",
    "french": """to play, to lay, to call or to show, as the phase has it.
An écart is laid card by card, a poignée shown trump by trump. Sizes of poignées are those of the rulebook: size 1
is its smallest, with four players 10 trumps.""",
}

HEAD = """# Observations, actions and tokens

What every number means that `ultimo.research` gives you. This page is written by
`python tools/write_layouts.py` from `ultimo.research.layout`, `actions` and `history`.

An observation is a flat vector of 32-bit floats. It is what one player may know: their own cards, and what
everybody has seen. Hidden cards have no part in it: [tests](../tests/research/test_observations.py) compare it
with what the table has shown to that seat. All rulebooks of a family have the same layout.

| as | how | shape |
|---|---|---|
| a flat vector | `observations(batch)`, or what a door gives you | `(…, size)` |
| planes of cards | `planes(layout, seen)`: the vector begins with them | `(…, planes, 78)` |
| fields by name | `by_field(layout, seen)["void"]` | `(…, 3, 5)`, as the tables below say |

```python
from ultimo.kernel.batch import Batch
from ultimo.research.observing import by_field, layout_of, observations, planes
from ultimo.rulebook import load

batch = Batch(load("hermansen"), deals=4, seed=7)
layout = layout_of(batch.rules)
seen = observations(batch)                          # of the player in turn, a row for each deal
print(layout.family, layout.version, seen.shape, planes(layout, seen).shape)
print(by_field(layout, seen)["hand"].sum(axis=1))   # the dealers, with 28 cards each
```

```text
danish 1 (4, 1167) (4, 14, 78)
[28. 28. 28. 28.]
```

**Versions.** A layout has a family and a version, as in `danish 1`. A change of any place, range or meaning is
another version. A corpus and the [line protocol](protocol.md) name theirs; a corpus of another layout is refused.

**Order of players.** Whatever is kept by player begins with the observer. *Player 1* plays next, then *player 2*.

**Ranges.** They are also the bounds of the `Box` of PettingZoo and Gymnasium. *Points* are whole numbers without
a bound that matters (the `Box` has ± 1,000,000).

**Nothing.** If a deal is over, or the seat sits it out, all numbers are 0.

## The pack

Cards have numbers from 0 to 77: in every plane, as actions, and in tokens.

| numbers | cards |
|---|---|
"""

FOOT = """
## Tokens

The public history of a deal is a sequence of tokens. A token is `player * vocabulary + word`: who has said or
done something, counted in the order of play from the reader on, and what. Discards are secret and no words.
Neither is a "no" to a question that only some are asked: it would tell something of their cards.

`env(history=True)` of PettingZoo, `Game(…, history=True).history.tokens(seat)` and `Corpus.logs` give them. An
information state of OpenSpiel has the same tokens, each plus 1, with zeros behind them. Words that only the
player knows stand among them: cards dealt (`players * vocabulary + card`), cards laid, and every "no".
"""


def page() -> Iterator[str]:
    """The text of docs/observations.md."""
    yield HEAD
    for start in range(0, 56, 14):
        yield f"| {start} – {start + 13} | {_cards(start, start + 14)} |\n"
    yield f"| 56 – 77 | {_cards(56, 78)}: the trumps 1 to 21, and the skus or excuse |\n"
    for title, layout in (("Danish Tarok", danish.LAYOUT), ("French Tarot", french.LAYOUT)):
        yield from _layout(title, layout)
    yield FOOT
    for title, layout in (("Danish Tarok", danish.LAYOUT), ("French Tarot", french.LAYOUT)):
        words = KINDS[layout.family]
        yield f"\n{title}: a vocabulary of {words[-1].first + words[-1].number} words.\n\n"
        yield "| words | mean |\n|---|---|\n"
        for kind in words:
            yield f"| {kind.first} – {kind.first + kind.number - 1} | {kind.about} |\n"


def _cards(start: int, end: int) -> str:
    return " ".join(card.value for card in PACK[start:end])


def _layout(title: str, layout: Layout) -> Iterator[str]:
    planes = f"The first {layout.planes * CARDS:,} are {layout.planes} planes of 78 cards."
    yield f"\n## {title}: layout `{layout.family} {layout.version}`\n\n{layout.size:,} numbers. {planes}\n"
    yield "\n### Fields\n\n"
    yield "| field | start | numbers | shape | range | meaning |\n|---|--:|--:|---|---|---|\n"
    for field in layout.fields:
        shape = " × ".join(map(str, field.shape)) or "1"
        cells = (f"`{field.name}`", field.start, field.size, shape, _range(field), field.about)
        yield f"| {' | '.join(map(str, cells))} |\n"
    yield "\n### Number by number\n\n| number | field | meaning |\n|--:|---|---|\n"
    for field in layout.fields:
        step = field.size // field.times
        for one, label in enumerate(field.labels):
            first = field.start + one * step
            where = f"{first} – {first + step - 1}" if field.cards else str(first)
            yield f"| {where} | `{field.name}` | {field.about}{label and f': **{label}**'} |\n"
    actions = names(layout.family == "danish")
    yield f"\n### Actions\n\n{len(actions)} numbers. 0 – 77 are the cards of the pack, {CARD_ACTIONS[layout.family]}"
    yield "\n\n| action | means |\n|--:|---|\n"
    for number, name in enumerate(actions[CARDS:], CARDS):
        yield f"| {number} | {name} |\n"


def _range(field: Field) -> str:
    if (field.low, field.high) == (0, 1):
        return "0, 1"
    return "points" if field.high == POINTS else f"{field.low} – {field.high}"


# --- how large the games are ------------------------------------------------------------------------------


def sizes() -> Iterator[str]:
    """The table of docs/research.md: how long deals are, and how much may be done."""
    heads = (
        "rulebook",
        "players",
        "ways to deal",
        "decisions a deal",
        "with a choice",
        "legal actions",
        "most",
    )
    yield f"| {' | '.join(heads)} |\n|---|{'--:|' * (len(heads) - 1)}\n"
    yield from map(size, rulebook.ids())


def size(book: str) -> str:
    """The row of a rulebook."""
    rules = rulebook.load(book)
    found = [_measured(rules, level) for level in ("random", "club")]
    cells = [" / ".join(cell) for cell in zip(*found, strict=True)]
    power = len(str(_ways(rules))) - 1
    ways = f"{_ways(rules) / 10**power:.1f} · 10^{power}"
    return f"| `{book}` | {len(_hands(rules))} | {ways} | {' | '.join(cells)} |\n"


def _measured(rules: Rules, level: str) -> tuple[str, ...]:
    table = rules.sizes[0]
    played = play(rules, table=table, seed=SEED, first=0, deals=DEALS, length=20, policies=[POLICIES[level]])
    legal = np.unpackbits(played.masks, axis=1).sum(axis=1)
    each = np.bincount(played.notes[:, DEAL], minlength=DEALS)
    chosen = legal > 1
    return (
        f"{each.mean():.1f}",
        f"{chosen.sum() / DEALS:.1f}",
        f"{legal[chosen].mean():.2f}",
        str(legal.max()),
    )


def _hands(rules: Rules) -> tuple[int, ...]:
    """How many cards each player is dealt."""
    if isinstance(rules, DanishRules):
        return HAND, HAND, DEALER_HAND
    assert isinstance(rules, FrenchRules)
    return (int(array_of(rules)[rule.HAND]),) * rules.players


def _ways(rules: Rules) -> int:
    """In how many ways the cards can lie."""
    hands = _hands(rules)
    return factorial(CARDS) // prod(map(factorial, (*hands, CARDS - sum(hands))))


def main() -> None:
    """Write both pages."""
    PAGE.write_text("".join(page()), encoding="utf-8")
    text = CARD.read_text(encoding="utf-8")
    CARD.write_text(SIZES.sub(lambda _: "".join(sizes()), text), encoding="utf-8")


if __name__ == "__main__":
    main()
