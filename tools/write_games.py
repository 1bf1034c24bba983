"""Write the games to watch: deals between masters, chosen because something happens in them, and reviewed.

    python tools/write_games.py
    python tools/write_games.py --samples 400 --review-samples 1000

For each game that is wished, club players play many deals first, which takes a moment each: where they make
an ultimo or fight for a contract, masters may too. Masters then play the most promising of those cards, and
the deal that comes nearest to the wish, and in which decisions are worth telling, is kept. Everything follows
from the seed: whoever runs it again writes the same bytes, as long as the players are the same. It takes some
ten minutes of a core.
"""

from __future__ import annotations

import sys
from argparse import ArgumentParser
from collections.abc import Iterator, Sequence
from pathlib import Path
from random import Random
from time import perf_counter
from typing import Final, NamedTuple

from ultimo import deal, french, record, rulebook
from ultimo.events import DealEvent, Event, Paid
from ultimo.names import names
from ultimo.players import Match, create
from ultimo.rulebook import FrenchRules, Rules
from ultimo.table.decide import BOTS
from ultimo.telling.headlines import IN_VAIN, headline
from ultimo.telling.moments import LOST, WON
from ultimo.telling.teller import Teller
from ultimo.tutor.decisions import deals, decisions
from ultimo.tutor.games import game
from ultimo.tutor.games.annotating import short
from ultimo.tutor.review import review
from ultimo.tutor.reviewed import Review

FILE: Final = Path(game.__file__).with_name(game.FILE)
LARGEST: Final = 400_000  # bytes of the file
CLOSE: Final = 6  # card points by which a French contract is made or lost narrowly
FEWEST: Final = 4  # decisions of a game that are worth telling


class Wish(NamedTuple):
    """A game that is looked for: what should happen in it, what is liked most first."""

    name: str
    rules: str
    happens: tuple[str, ...]


WISHES: Final = (
    Wish("hermansen", "hermansen", ("pagatUltimo", "kingUltimo", "nolo", "pagatBagud")),
    Wish("dtf", "dtf", ("kingUltimo", "kingBagud", "nolo", "pagatUltimo")),
    Wish("basta", "basta", ("nolo", "noloLost", "tout", "pagatBagud", "pagatUltimo")),
    Wish("jensen", "jensen", ("kingUltimo", "kingBagud", "pagatBagud", "nolo", "pagatUltimo")),
    Wish("french3", "french3", ("petitAuBout", "close", "slam")),
    Wish("french4", "french4", ("close", "petitAuBout")),
    Wish("french4-high", "french4", ("slam", "contre", "sans", "petitAuBout")),
    Wish("french5", "french5", ("lost", "close", "petitAuBout")),
)


class Played(NamedTuple):
    """A deal that was played: by which dice, all that happened, and how well that fits a wish."""

    seed: str
    log: tuple[Event, ...]
    deal: tuple[DealEvent, ...]
    fit: int


# --- what happens ------------------------------------------------------------------------------------------


def happened(rules: Rules, events: Sequence[DealEvent]) -> frozenset[str]:
    """What a deal may be chosen for."""
    paid = [one.reason for event in events if isinstance(event, Paid) for one in event.transfers]
    found: set[str] = {reason for reason in paid if reason in (*WON, *LOST, *IN_VAIN)}
    ended = deal.replay(rules, events)
    if isinstance(rules, FrenchRules) and isinstance(ended, french.State) and ended.counted:
        outcome = french.outcome_of(rules, ended)
        score = french.score(rules, outcome)
        found |= {outcome.bid, "made" if score.won else "lost"}
        found |= {"close"} if abs(score.difference) <= CLOSE else set()
        found |= {"petitAuBout"} if outcome.petit_au_bout else set()
        found |= {"slam"} if outcome.slam_made else set()
    return frozenset(found)


def fit(wish: Wish, rules: Rules, events: Sequence[DealEvent]) -> int:
    """How well a deal fits a wish: 0 not at all."""
    found = happened(rules, events)
    return max(
        (len(wish.happens) - place for place, one in enumerate(wish.happens) if one in found), default=0
    )


# --- playing -----------------------------------------------------------------------------------------------


def play(wish: Wish, seed: str, level: str, samples: int | None) -> Played:
    """A deal of a new session between players of a level; its cards follow from the seed alone."""
    rules = rulebook.load(wish.rules)
    called = BOTS[rules.family][: rules.sizes[0]]
    players = {seat: create(level, f"{seed}:{seat}", samples=samples) for seat in range(len(called))}
    match = Match(rules, called, players, Random(seed))
    for _ in match.play_deals(1):
        pass
    (events,) = deals(match.log)
    return Played(seed, tuple(match.log), events, fit(wish, rules, events))


def promising(wish: Wish, seed: str, number: int) -> list[str]:
    """The dice of the deals that fit a wish when club players play them, the best first."""
    some = [play(wish, f"{seed}:{wish.name}:{one}", "club", None) for one in range(number)]
    return [one.seed for one in sorted(some, key=lambda one: -one.fit)]


def masterly(wish: Wish, seeds: Sequence[str], samples: int) -> Iterator[Played]:
    """Deals of masters: what is all that was wished as it comes, then the others, the best first."""
    others = []
    for seed in seeds:
        began, one = perf_counter(), play(wish, seed, "master", samples)
        rules = rulebook.load(wish.rules)
        teller = Teller(names("en"), rules, BOTS[rules.family])
        say(f"  {seed}: {headline(teller, one.deal)} (fit {one.fit}, {perf_counter() - began:.0f} s)")
        if one.fit == len(wish.happens):
            yield one
        else:
            others.append(one)
    yield from sorted(others, key=lambda one: -one.fit)


def reviewed(rules: Rules, events: tuple[DealEvent, ...], samples: int) -> Review:
    """The review of a deal, of which no more is kept than is told."""
    found = short(rules, review(rules, events, samples=samples), list(decisions(rules, events)))
    say(f"  {number_told(found)} decisions worth telling")
    return found


def again(one: game.Game, samples: int) -> game.Game:
    """A game of the file with a new review."""
    say(one.id)
    return game.made(one.id, one.kept, reviewed(one.rules, one.deal, samples))


def number_told(found: Review) -> int:
    """How many decisions of a review are told."""
    return sum(bool(one.options) for one in found.decisions)


def chosen(wish: Wish, seed: str, options: Options) -> game.Game:
    """The game that fulfils a wish best."""
    rules = rulebook.load(wish.rules)
    say(f"{wish.name}: {', '.join(wish.happens)}")
    seeds = promising(wish, seed, options.screened)[: options.deals]
    best: tuple[int, Played, Review] | None = None
    for one in masterly(wish, seeds, options.samples):
        made = reviewed(rules, one.deal, options.review_samples)
        number = number_told(made)
        if best is None or number > best[0]:
            best = number, one, made
        if number >= FEWEST:
            break
    assert best is not None
    _, one, made = best
    entries = tuple(record.Entry(event) for event in one.log)
    kept = record.Record(record.header(rules, rules.sizes[0]), entries)
    return game.made(wish.name, kept, made)


# --- writing -----------------------------------------------------------------------------------------------


class Options(NamedTuple):
    """How much is played and thought."""

    samples: int
    review_samples: int
    screened: int
    deals: int


def say(text: str) -> None:
    """Tell how far it has come."""
    print(text, file=sys.stderr, flush=True)


def main() -> None:
    """Write the file."""
    asked = ArgumentParser(description=(__doc__ or "").splitlines()[0])
    asked.add_argument("--seed", default="games")
    asked.add_argument("--samples", type=int, default=128, help="worlds a decision of the masters")
    asked.add_argument("--review-samples", type=int, default=384, help="worlds a decision of the review")
    asked.add_argument("--screened", type=int, default=400, help="deals of club players for each game")
    asked.add_argument("--deals", type=int, default=8, help="deals of masters for each game, at most")
    asked.add_argument("--only", nargs="*", choices=[wish.name for wish in WISHES], help="only these games")
    asked.add_argument("--again", action="store_true", help="only review the games of the file anew")
    asked.add_argument("--output", type=Path, default=FILE)
    given = asked.parse_args()
    options = Options(given.samples, given.review_samples, given.screened, given.deals)
    wishes = [wish for wish in WISHES if given.only is None or wish.name in given.only]
    if given.again:
        body = game.write(again(one, options.review_samples) for one in game.collection())
    else:
        body = game.write(chosen(wish, given.seed, options) for wish in wishes)
    if len(body) > LARGEST:
        sys.exit(f"The games take {len(body)} bytes; {LARGEST} are allowed.")
    given.output.write_bytes(body)
    say(f"{len(wishes)} games, {len(body)} bytes: {given.output}")


if __name__ == "__main__":
    main()
