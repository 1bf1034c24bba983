"""Nothing that a hint says is false: the engine judges its sentences, not the tutor's own conditions."""

from __future__ import annotations

import os
from collections import Counter
from collections.abc import Iterator
from random import Random

import pytest
from msgspec.structs import replace

from tutor.sentences import PATTERNS, Case, judged_false
from tutor.walking import PEOPLE, teller
from ultimo import rulebook
from ultimo.names import tutoring
from ultimo.players import Match, create
from ultimo.rulebook import Rules
from ultimo.tutor import hinting
from ultimo.tutor.advising import decided_by_cards
from ultimo.tutor.decisions import Decision, deals, decisions
from ultimo.tutor.words import Words

LONG = "ULTIMO_LONG" in os.environ
DECISIONS = 1820 if LONG else 200  # for each rulebook
SAMPLES = 24
ROLES = ("nolo", "ultimator", "leader", "helper", "taker", "partner", "bidder")
LEVELS = ("beginner", "club", "student", "random")


def some(rules: Rules, number: int) -> Iterator[Decision]:
    """Decisions about cards in deals between bots of all levels."""
    size, found, seed = rules.sizes[0], 0, 0
    while found < number:
        rng, seed = Random(f"sentences {rules.id} {seed}"), seed + 1
        players = {seat: create(rng.choice(LEVELS), f"{seed} {seat}") for seat in range(size)}
        match = Match(rules, PEOPLE[:size], players, rng)
        list(match.play_deals(1))
        for one in decisions(rules, deals(match.log)[0]):
            if found < number and decided_by_cards(one.view, one.choices) and rng.random() < 0.8:
                found += 1
                yield one


@pytest.mark.parametrize("book", rulebook.ids())
def test_no_sentence_of_a_hint_is_false(book: str) -> None:
    rules, told, false = rulebook.load(book), Counter[str](), []
    for number, made in enumerate(some(rules, DECISIONS)):
        words = Words(teller(rules, made.view.deal.table))
        against = made.choices.draw(Random(number))
        thought = hinting.think(made.view, made.choices, words, against, SAMPLES)
        shown = hinting.shown(thought, against)
        case = Case(made, thought, shown, words)
        false += [(number, sentence) for sentence in judged_false(case)]
        told.update(
            next(key for key, pattern in PATTERNS.items() if pattern.fullmatch(sentence))
            for sentence in (*shown.why, *shown.dangers)
        )
        assert shown.why
    assert not false, f"{len(false)} of {sum(told.values())}: {false[:12]}"
    assert len(told) > 8


def test_the_judge_finds_what_is_false() -> None:
    """Nobody plays for everything at once: told so, the judge says what is false."""
    cases = []
    for number, made in enumerate(some(rulebook.load("hermansen"), 12)):
        words = Words(teller(made.view.rules, made.view.deal.table))
        thought = hinting.think(made.view, made.choices, words, None, SAMPLES)
        cases.append(Case(made, thought, hinting.shown(thought, None), words))
        assert list(judged_false(cases[-1])) == [], number
    roles = tuple(tutoring("en")[f"roles.{role}"] for role in ROLES)
    for one in cases:
        wrong = list(judged_false(one._replace(hint=replace(one.hint, why=roles))))
        assert len(wrong) >= len(ROLES) - 2  # who plays for one thing plays for little else
