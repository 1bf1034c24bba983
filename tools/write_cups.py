"""Write docs/cups.md: the same position with a small and with a full king cup, and what an expert does in it.

Club players play hermansen; whenever one holds a king late in a deal, an expert is asked what to do in his
place, once with a small cup and once with a full one. Where the answers differ, both actions are tried again
in many more worlds, with both cups.
"""

from __future__ import annotations

import argparse
from collections.abc import Iterator
from math import sqrt
from pathlib import Path
from random import Random

from msgspec import Struct
from msgspec.structs import replace

from ultimo import danish, deal
from ultimo.cards import KINGS, cards
from ultimo.events import Action, Play, Seat
from ultimo.play.choices import Choices, actions
from ultimo.players import Match, View, create
from ultimo.players.expert.expert import Expert
from ultimo.rulebook import load

PAGE = Path(__file__).parents[1] / "docs" / "cups.md"
COMMAND = "python tools/write_cups.py"
RULES = "hermansen"
SMALL, LARGE = 20, 400
TRICKS = range(10, 23)
ASKED = 128  # worlds for the first answer
TRIED = 3000  # worlds for the proof
SHOWN = 3

HEADING = f"""# The cup decides

*The same cards, the same past, another cup: an expert plays otherwise, and it is right to.*

Club players played `{RULES}`. Whenever one of them held a king between trick {TRICKS.start} and trick
{TRICKS.stop - 1}, an expert was asked in his place what to play, once with {SMALL} points in the king cup and
once with {LARGE}. Nothing else differed. Where the answers did, both cards were tried in {TRIED:,} worlds
other than those of the answer. *Points* are what the seat gains from there to the end of the deal, with a
standard error.
"""


class Case(Struct, frozen=True):
    """A position in which the cup decides: by cup and action, points and their standard error."""

    view: View
    choices: Choices
    actions: tuple[Action, Action]  # with the small and with the full cup


def main() -> None:
    """Search, prove, write."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--deals", type=int, default=60)
    parser.add_argument("--seed", type=int, default=1)
    arguments = parser.parse_args()
    asked, found = 0, []
    for view, choices in positions(arguments.deals, arguments.seed):
        asked += 1
        small, large = (Expert(1, samples=ASKED).choose(held(view, cup), choices) for cup in (SMALL, LARGE))
        if small != large:
            found.append(Case(view, choices, (small, large)))
    proofs = [(case, proof(case)) for case in found]
    right = [(case, points) for case, points in proofs if is_right(points)]
    right.sort(key=lambda one: -min(margins(one[1])))
    command = f"{COMMAND} --deals {arguments.deals} --seed {arguments.seed}"
    PAGE.write_text(page(command, asked, len(found), right), encoding="utf-8")
    print(f"{asked} asked, {len(found)} otherwise, {len(right)} beyond two standard errors both ways")


def positions(deals: int, seed: int) -> Iterator[tuple[View, Choices]]:
    """Decisions of club players who hold a king late in the deal."""
    rules = load(RULES)
    match = Match(rules, ["A", "B", "C"], {seat: create("club", seat) for seat in range(3)}, Random(seed))
    for _ in range(deals):
        match.next_deal()
        while True:
            state = match.state.deal
            if isinstance(state, danish.State) and state.phase == "play" and state.number in TRICKS:
                seat = state.turn
                choices = deal.legal(rules, state, seat)
                if state.hands[seat] & KINGS and len(choices) > 1:
                    yield match.view(seat), choices
            if not match.advance():
                break


def held(view: View, king: int) -> View:
    """The same view with so much in the king cup."""
    assert isinstance(view.deal, danish.State)
    return replace(view, series=replace(view.series, deal=replace(view.deal, king=king)))


Points = list[list[tuple[float, float]]]  # by cup, by action


def proof(case: Case) -> Points:
    """Both actions with both cups, in many worlds."""
    found: Points = []
    for cup in (SMALL, LARGE):
        reason = Expert(2, samples=TRIED).explain(held(case.view, cup), actions(*case.actions))
        by_action = {one.action: (one.points or 0.0, one.spread or 0.0) for one in reason.candidates}
        found.append([by_action.get(action, (0.0, 1.0)) for action in case.actions])
    return found


def margins(points: Points) -> tuple[float, float]:
    """By how many standard errors the first action leads with the small cup, and the second with the full."""
    (small_one, small_two), (large_one, large_two) = points
    return lead(small_one, small_two), lead(large_two, large_one)


def lead(one: tuple[float, float], other: tuple[float, float]) -> float:
    """How far one mean is above another, in standard errors; worlds in common make it rather more."""
    return (one[0] - other[0]) / max(1e-9, sqrt(one[1] ** 2 + other[1] ** 2))


def is_right(points: Points) -> bool:
    """Whether each action is the better one with its cup, beyond doubt."""
    return min(margins(points)) > 2


def page(command: str, asked: int, otherwise: int, right: list[tuple[Case, Points]]) -> str:
    """The whole page."""
    lines = [HEADING, "```console", f"$ {command}", "```", ""]
    lines.append(
        f"Of {asked} decisions {otherwise} were taken otherwise with the full cup; in {len(right)} of them "
        "each card is better with its cup by more than two standard errors.\n"
    )
    for number, (case, points) in enumerate(right[:SHOWN], 1):
        lines += example(number, case, points)
    return "\n".join(lines).rstrip() + "\n"


def example(number: int, case: Case, points: Points) -> Iterator[str]:
    """One position, as a player would tell it."""
    state, seat = case.view.deal, case.view.seat
    assert isinstance(state, danish.State)
    yield f"## {number}. Trick {state.number}\n"
    yield f"{_place(state, seat)} to play, with {_written(state.hands[seat])}."
    if state.trick:
        yield (
            "On the table: " + ", ".join(f"{_place(state, p.seat)} {p.card.value}" for p in state.trick) + "."
        )
    out = sum(play.card.bit for trick in state.tricks for play in trick.plays)
    yield f"Fallen: {_written(out)}.\n"
    small, large = (_said(action) for action in case.actions)
    yield f"| king cup | {small} | {large} |\n|---:|---:|---:|"
    for cup, row in zip((SMALL, LARGE), points, strict=True):
        best = max(mean for mean, _ in row)
        cells = [f"{mean:+.1f} ± {error:.1f}" for mean, error in row]
        shown = [f"**{c}**" if mean == best else c for c, (mean, _) in zip(cells, row, strict=True)]
        yield f"| {cup} | {shown[0]} | {shown[1]} |"
    yield ""


def _place(state: danish.State, seat: Seat) -> str:
    return ("forehand", "middle", "dealer")[state.order.index(seat)].capitalize()


def _written(some: int) -> str:
    return " ".join(card.value for card in cards(some))


def _said(action: Action) -> str:
    assert isinstance(action, Play)
    return action.card.value if action.named is None else f"{action.card.value} as {action.named}"


if __name__ == "__main__":
    main()
