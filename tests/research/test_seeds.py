"""Deal `i` of a seed has the same cards in every door, and in the records of `ultimo simulate`."""

from __future__ import annotations

from collections.abc import Callable
from pathlib import Path
from random import Random
from typing import Any, ClassVar, NamedTuple, TypeAlias

import gymnasium
import numpy as np
import pyspiel
import pytest

import ultimo.research.gymnasium  # noqa: F401 - registers the environments
from commands import ultimo as command
from ultimo import record
from ultimo.cards import PACK, cards
from ultimo.deal import begin, deal_out, replay, shuffled
from ultimo.events import Action, Dealt, Opened
from ultimo.kernel.batch import Batch
from ultimo.play.choices import Choices
from ultimo.players import View
from ultimo.players.arena import arena
from ultimo.research import corpus
from ultimo.research.danish import Floats
from ultimo.research.game import Game
from ultimo.research.observing import by_field, layout_of, observations
from ultimo.research.openspiel import numbered
from ultimo.research.pettingzoo import env
from ultimo.rulebook import DanishRules, Rules, load

SEED, DEALS = 11, 8
BOOKS = ("hermansen", "dtf", "french3", "french4", "french5")


class At(NamedTuple):
    """A place in a deal: forehand is 0."""

    deal: int
    place: int


Hands: TypeAlias = dict[At, frozenset[str]]


def seen_hand(rules: Rules, seen: Floats) -> tuple[int, frozenset[str]]:
    """The place of an observer, and the cards in hand."""
    fields = by_field(layout_of(rules), seen)
    if isinstance(rules, DanishRules):
        place = int(fields["place"].argmax())
    else:
        players = 3 + int(fields["game"].argmax())
        place = players - 1 - int(fields["dealer"].argmax())
    return place, frozenset(PACK[card].value for card in np.flatnonzero(fields["hand"]))


def added(found: Hands, rules: Rules, deal: int, seen: Floats) -> None:
    place, hand = seen_hand(rules, seen)
    found[At(deal, place)] = hand


def by_records(rules: Rules, folder: Path) -> Hands:
    """All hands of the deals that `ultimo simulate` records."""
    file = folder / "deals.jsonl"
    options = ("--deals", DEALS, "--seed", SEED, "--players", "club", "--table", rules.sizes[0])
    done = command("simulate", "--rules", rules.id, *options, "--out", file)
    assert done.status == 0, done
    events = [entry.event for entry in record.load(file).entries]
    opened = [event for event in events if isinstance(event, Opened)]
    dealt = [event for event in events if isinstance(event, Dealt)]
    assert len(dealt) == len(opened) == DEALS, "nobody has asked for other cards"
    return {
        At(deal, place): frozenset(card.value for card in cards.hands[seat])
        for deal, (at, cards) in enumerate(zip(opened, dealt, strict=True))
        for place, seat in enumerate(at.active)
    }


def by_batch(rules: Rules, folder: Path) -> Hands:
    found: Hands = {}
    batch = Batch(rules, deals=DEALS, seed=SEED)
    for place in range(batch.places):
        for deal, seen in enumerate(observations(batch, np.full(DEALS, place))):
            added(found, rules, deal, seen)
    return found


def by_game(rules: Rules, folder: Path) -> Hands:
    """The deals of two sessions; forehand does the first legal action, and so on."""
    found: Hands = {}
    for session in range(2):
        game = Game(rules, deals=DEALS // 2, seed=SEED, session=session)
        while not game.is_over:
            if At(game.number, 0) not in found:
                for seat in game.seats:
                    added(found, rules, game.number, game.observe(seat))
            game.act(int(game.legal().argmax()))
    return found


def by_pettingzoo(rules: Rules, folder: Path) -> Hands:
    found: Hands = {}
    table = env(rules=rules.id, deals=1)
    table.reset(seed=SEED)
    for deal in range(DEALS):
        for agent in table.agents:
            added(found, rules, deal, table.observe(agent)["observation"])
        table.reset()
    return found


def by_gymnasium(rules: Rules, folder: Path) -> Hands:
    """A learner has one place in each deal."""
    found: Hands = {}
    table = gymnasium.make(f"ultimo/{rules.id.capitalize()}-v0")
    seen, info = table.reset(seed=SEED)
    for deal in range(DEALS):
        added(found, rules, deal, seen)
        over = False
        while not over:
            seen, _, over, _, info = table.step(int(info["action_mask"].argmax()))
        seen, info = table.reset()
    return found


def by_vector(rules: Rules, folder: Path) -> Hands:
    """Three tables, at which deals follow as others end."""
    found: Hands = {}
    tables = gymnasium.make_vec(f"ultimo/{rules.id.capitalize()}-v0", num_envs=3)
    seen, info = tables.reset(seed=SEED)
    deals = [0, 1, 2]
    while min(deals) < DEALS:
        for row, deal in enumerate(deals):
            if At(deal, seen_hand(rules, seen[row])[0]) not in found:
                added(found, rules, deal, seen[row])
        seen, _, over, _, info = tables.step(info["action_mask"].argmax(axis=1))
        deals = [deal + 3 * bool(ended) for deal, ended in zip(deals, over, strict=True)]
    return found


def by_openspiel(rules: Rules, folder: Path) -> Hands:
    found: Hands = {}
    game: Any = pyspiel.load_game(f"ultimo_{rules.id}")
    for deal in range(DEALS):
        state = numbered(game, SEED, deal)
        for player in range(game.num_players()):
            added(found, rules, deal, np.array(state.observation_tensor(player), np.float32))
    return found


def by_corpus(rules: Rules, folder: Path) -> Hands:
    """What each place sees at its first decision."""
    done = command(
        "dataset", "--rules", rules.id, "--deals", DEALS, "--seed", SEED, "--cores", 1, "--out", folder / "c"
    )
    assert done.status == 0, done
    read, found = corpus.load(folder / "c").arrays(), Hands()
    for row, seen in enumerate(read.observations()):
        at = At(int(read.notes["deal"][row]), int(read.notes["place"][row]))
        if at not in found:
            added(found, rules, at.deal, seen)
    return found


WHOLE = (by_batch, by_game, by_pettingzoo, by_openspiel)
IN_PART = (by_gymnasium, by_vector, by_corpus)  # one place, or those that were asked


@pytest.mark.parametrize("book", BOOKS)
def test_a_seed_has_the_same_deals_in_every_door(book: str, tmp_path: Path) -> None:
    rules = load(book)
    expected = by_records(rules, tmp_path)
    for door in WHOLE:
        assert_same(door, door(rules, tmp_path), expected)
    for door in IN_PART:
        found = door(rules, tmp_path)
        known = {at: hand for at, hand in found.items() if at.deal < DEALS}
        assert {at.deal for at in known} == set(range(DEALS))
        assert_same(door, known, {at: expected[at] for at in known})


def assert_same(door: Callable[..., Hands], found: Hands, expected: Hands) -> None:
    assert sorted(found) == sorted(expected), door.__name__
    assert [at for at in found if found[at] != expected[at]] == [], door.__name__


class Spy:
    """Plays by dice, and notes the cards that it was dealt."""

    seen: ClassVar[dict[int, list[frozenset[str]]]] = {}

    def __init__(self, seed: str) -> None:
        self._dice, self._looked = Random(seed), False

    def choose(self, view: View, choices: Choices, /) -> Action:
        if not self._looked:
            hand = frozenset(card.value for card in cards(view.deal.hands[view.seat]))
            self.seen.setdefault(view.seat, []).append(hand)
            self._looked = True
        return choices.draw(self._dice)


def test_the_arena_has_deals_of_its_own_the_same_in_all_rotations() -> None:
    rules, number = load("french4"), 2
    made = arena.plan(rules, [f"{__name__}:Spy"] * 4, seed=SEED, deals=5)
    Spy.seen.clear()
    for rotation in range(4):
        arena.play(made, number, rotation)
    dice, opened = Random(f"{SEED}:{number}"), Opened(4, number, (3, 0, 1, 2))
    state = replay(rules, begin(rules, opened))
    dealt = deal_out(rules, state, shuffled(dice), dice)
    for seat, hands in Spy.seen.items():
        assert set(hands) == {frozenset(card.value for card in dealt.hands[seat])}
        assert len(hands) == 4
    assert len(Spy.seen) == 4


def test_another_number_of_processes_or_tables_changes_no_deal() -> None:
    rules = load("hermansen")
    all_at_once = observations(Batch(rules, deals=6, seed=SEED))
    one_by_one = [observations(Batch(rules, deals=1, seed=SEED, first=deal))[0] for deal in range(6)]
    assert np.array_equal(all_at_once, one_by_one)
