"""The card of a corpus: a page that says what is in it, for people, and what its columns are called."""

from __future__ import annotations

import json
from collections.abc import Iterator
from typing import TYPE_CHECKING

from ultimo.analysis.runs import rules_of
from ultimo.research.decisions import SET
from ultimo.research.layout import Field
from ultimo.rulebook import FrenchRules

if TYPE_CHECKING:
    from ultimo.research.dataset import Manifest, Plan

SEEN = "obs_"  # before the names of what is observed
ABOUT = (
    ("deal", "int64", "the number of the deal among all deals of the seed"),
    ("decision", "int16", "the number of the decision in its deal, from 0; those left out are counted"),
    ("seat", "int8", "the seat of the player, from 0"),
    ("place", "int8", "the place in the order of play, from 0: forehand is 0, the dealer the last"),
    ("level", "string", "the level of the player"),
    ("action", "int16", "what was done; `actions` of `dataset.json` names the numbers"),
    ("return", "int32", "the points that the place has won or lost when the deal is over"),
    ("heard", "int16", "how many tokens of the deal everybody had heard before"),
)


def columns_of(field: Field) -> list[str]:
    """The columns of a field of observations: one for all its sets of cards, one for each other number."""
    if field.cards or field.times == 1:
        return [f"{SEEN}{field.name}"]
    return [f"{SEEN}{field.name}_{one}" for one in range(field.times)]


def text(made: Plan, manifest: Manifest) -> str:
    """The card."""
    return "\n".join(_lines(made, manifest)) + "\n"


def _lines(made: Plan, manifest: Manifest) -> Iterator[str]:
    rules = rules_of(made)
    decisions = sum(shard.decisions.rows for shard in manifest.shards)
    size = sum(file.bytes for shard in manifest.shards for file in (shard.decisions, shard.deals))
    players = made.players[0] if len(set(made.players)) == 1 else ", ".join(made.players)
    yield f"# Decisions in {rules.title}"
    yield ""
    yield f"{decisions:,} decisions of {made.deals:,} deals, played by bots of Ultimo {made.version}."
    yield ""
    yield "| | |"
    yield "|---|---|"
    yield f"| rules | `{made.rules}`, digest `{made.digest}` |"
    if made.overrides:
        yield f"| house rules | `{json.dumps(made.overrides, ensure_ascii=False, sort_keys=True)}` |"
    yield f"| players at the table | {made.table} |"
    yield f"| levels, by seat | {players} |"
    yield f"| seed | {made.seed}; deal `i` is deal `i` of this seed in `ultimo simulate` |"
    if not isinstance(rules, FrenchRules):
        yield f"| deals a session | {made.length}; each begins with cups newly founded |"
    yield f"| decisions kept | {'all' if made.sample == 1 else f'one in {made.sample}, at random'} |"
    yield f"| shards | {made.shards}, of {made.shard:,} deals |"
    yield f"| size | {size:,} bytes |"
    yield f"| observations | layout `{made.layout}`, {manifest.layout.size} numbers |"
    yield f"| actions | {len(manifest.actions)} |"
    yield "| licence | MIT, as the program |"
    yield ""
    yield "`ultimo.research.corpus.load(folder)` reads it; `dataset.json` has the plan and all digests."
    yield f"The same plan gives the same bytes with Ultimo {made.version} and pyarrow {manifest.pyarrow}."
    yield ""
    yield from _decisions(manifest)
    yield from _deals(made, manifest)


def _decisions(manifest: Manifest) -> Iterator[str]:
    yield "## decisions/*.parquet"
    yield ""
    yield "A row a decision, in the order of play. A set of cards has ten bytes: card `i` of the pack is bit"
    yield "`i % 8` of byte `i // 8`. Players come in the order of play, the observer first."
    yield ""
    yield "| column | type | what it says |"
    yield "|---|---|---|"
    for name, kind, about in ABOUT:
        yield f"| `{name}` | {kind} | {about} |"
    mask = (len(manifest.actions) + 7) // 8
    yield f"| `mask` | {mask} bytes | what could be done: action `i` is bit `i % 8` of byte `i // 8` |"
    for field in manifest.layout.fields:
        first, *more = columns_of(field)
        sets = "a set" if field.times == 1 else f"{field.times} sets"
        kind = f"{SET * field.times} bytes, {sets}" if field.cards else "int32"
        names = f"`{first}` … `{more[-1]}`" if more else f"`{first}`"
        yield f"| {names} | {kind} | {field.about} |"
    yield ""


def _deals(made: Plan, manifest: Manifest) -> Iterator[str]:
    places = made.table if isinstance(rules_of(made), FrenchRules) else 3
    yield "## deals/*.parquet"
    yield ""
    yield "A row a deal, with the columns of `ultimo simulate --rows`, and:"
    yield ""
    yield "| column | type | what it says |"
    yield "|---|---|---|"
    yield "| `tokens` | list of int16 | everything that all players have heard or seen, in order |"
    yield ""
    yield f"A token is `place * {manifest.vocabulary} + word`, with places 0 to {places - 1}."
    yield f"Words below {len(manifest.actions)} are actions. `Corpus.logs` reads them as any player does."
