"""A hint: what to do now, why, who is dangerous, where the key cards may lie, and why not another card.

All of it comes from what the seat has seen, by fixed dice and in a fixed number of worlds.
"""

from __future__ import annotations

import itertools
from collections.abc import Iterator

from msgspec import Struct
from msgspec.structs import replace

from ultimo import events as e
from ultimo.play.choices import Choices
from ultimo.players import View
from ultimo.players.expert.expert import AnyTable, Judgement
from ultimo.players.policy.levels import Club
from ultimo.telling.teller import Teller
from ultimo.tutor import advising, beliefs, ends, facts
from ultimo.tutor.advising import SHOWN, weighable
from ultimo.tutor.decisions import alone
from ultimo.tutor.evidence import Evidence
from ultimo.tutor.facts import Fact
from ultimo.tutor.grades import SURE
from ultimo.tutor.judging import SAMPLES, judgement
from ultimo.tutor.reviewed import Worth, standing
from ultimo.tutor.shown import AgainstShown, CandidateShown, HiddenShown, HintShown
from ultimo.tutor.words import Words

DANGERS = 5  # sentences about single cards
OUTLOOKS = ("lastTrick", "contract", "contractLost")
ROLES = ("nolo", "ultimator", "leader", "balancer", "helper", "bidder", "taker", "partner", "defender")


class Thought(Struct):
    """A decision with all that a hint is made of."""

    words: Words
    found: Judgement
    evidence: Evidence
    played: ends.Ends | None  # by the two best candidates, and by the one that was asked about

    @property
    def table(self) -> AnyTable:
        """The decision as the search sees it."""
        assert self.found.table is not None
        return self.found.table

    @property
    def best(self) -> int:
        """The place of what is advised among the candidates of the search."""
        return ends.place_of(self.table, self.evidence.action)


def hint(
    view: View, choices: Choices, teller: Teller, against: e.Action | None = None, samples: int = SAMPLES
) -> HintShown:
    """What to do now, and why; with `against` also why not that. Raises `IllegalAction` if it cannot be."""
    advising.check(choices, against)
    seen, words = alone(view), Words(teller)
    if (due := advising.due(seen, choices)) is not None:
        return advising.plain(seen, choices, words, due, against)
    return shown(think(seen, choices, words, against, samples), against)


def shown(thought: Thought, against: e.Action | None) -> HintShown:
    """A hint as it goes to a page."""
    words, on = thought.words, thought.evidence
    best, state = on.action, on.view.deal
    return HintShown(
        best,
        words.cards(best),
        words.advice(state, best),
        tuple(facts.told(_why(thought), on, words)),
        tuple(facts.told(_dangers(on), on, words)),
        tuple(_candidates(thought, against)),
        tuple(_hidden(on, words)),
        advising.heads(on.view, words),
        None if against is None else _against(thought, against),
    )


def think(view: View, choices: Choices, words: Words, against: e.Action | None, samples: int) -> Thought:
    """What a hint is made of, where the cards decide."""
    found = judgement(view, choices, against, samples)
    on, played, pool = ends.evidence(view, weighable(view, choices), found, samples, against)
    if pool is not None and found.table is not None:
        chances, trumps = beliefs.beliefs(view, choices, pool)
        on = replace(on, chances=chances, located=beliefs.located(view, found.table), trumps=trumps)
    return Thought(words, found, on, played)


# --- what is known ---------------------------------------------------------------------------------------


# --- why -------------------------------------------------------------------------------------------------


def _why(thought: Thought) -> Iterator[Fact]:
    """What may be said for what is advised, the weightiest first; what is not so is left out."""
    on = thought.evidence
    advised = Club().explain(on.view, on.choices)
    yield facts.Alike()
    if on.known:
        yield facts.Solved()
    if on.equals:
        yield facts.Equal(on.equals[0], len(on.equals) - 1)
    if on.worths[0].does(advised.action):
        yield facts.Advice(advised.principle)
    if on.rival is not None:
        yield facts.Ahead(on.worths[1])
        yield from (facts.Effect(change.event) for change in ends.telling(on.changes))
    yield from itertools.islice((one for one in map(facts.Aim, ROLES) if facts.holds(one, on)), 1)
    yield from map(facts.Outlook, OUTLOOKS)
    yield from advising.said(on.view)


# --- dangers, and where cards may lie --------------------------------------------------------------------


def _hidden(on: Evidence, words: Words) -> Iterator[HiddenShown]:
    for card, chances in on.chances.items():
        if any(chances):
            yield HiddenShown(card.value, words.card_name(card), tuple(round(one, 3) for one in chances))


def _dangers(on: Evidence) -> Iterator[Fact]:
    """Who has which key card, the likeliest first, and who has the most trumps left."""
    rows = {card: max(range(len(some)), key=some.__getitem__) for card, some in on.chances.items()}
    likely = sorted(rows, key=lambda card: -on.chances[card][rows[card]])
    yield from itertools.islice((facts.Lies(card, rows[card]) for card in likely), DANGERS)
    yield from map(facts.MostTrumps, on.trumps)


# --- candidates, and why not this one --------------------------------------------------------------------


def _candidates(thought: Thought, against: e.Action | None) -> Iterator[CandidateShown]:
    """The best first; the one that was asked about is always there."""
    words, on = thought.words, thought.evidence
    state = on.view.deal
    if len(on.worths) == 1:
        yield CandidateShown(words.label(state, on.action), words.cards(on.action), on.action)
        return
    standings = standing(on.view.rules, on.worths)
    for number, (one, place) in enumerate(zip(on.worths, standings, strict=True)):
        if number < SHOWN or (against is not None and one.does(against)):
            yield CandidateShown(
                words.label(state, one.action),
                words.cards(one.action),
                one.action,
                round(one.points, 2),
                round(one.error, 2),
                one.samples,
                place,
            )


def _against(thought: Thought, action: e.Action) -> AgainstShown:
    """What another action costs, and what becomes more or less likely by it."""
    words, on = thought.words, thought.evidence
    state, best = on.view.deal, on.worths[0]
    label, cards_, named = words.label(state, action), words.cards(action), words.label(state, best.action)
    if action not in on.choices:
        return AgainstShown(label, cards_, None, None, (advising.unweighed(words, action, label, named),))
    if action == best.action:
        return AgainstShown(label, cards_, 0.0, 0.0, (words.text("against.best", other=label),))
    if best.does(action):
        return AgainstShown(label, cards_, 0.0, 0.0, (words.text("against.same", other=label, best=named),))
    other = next((one for one in on.worths if one.does(action)), None)
    if other is None:
        return AgainstShown(label, cards_, None, None, (words.text("against.unlike", other=label),))
    sentences = (
        _cost(thought, other, label, named),
        *_changes(thought, action),
    )
    return AgainstShown(label, cards_, round(other.behind, 2), round(other.error, 2), sentences)


def _cost(thought: Thought, other: Worth, label: str, best: str) -> str:
    words, behind, error = thought.words, other.behind, other.error
    values = {"other": label, "best": best, "points": words.points(behind), "error": words.number(error)}
    if behind == 0 and error == 0:
        return words.text("against.same", **values)
    if round(behind, 1) == 0:
        return words.text("against.better", **values)
    if thought.evidence.known:
        return words.text("against.losesKnown", **values)
    return words.text("against.loses" if behind > SURE * error else "against.unsure", **values)


def _changes(thought: Thought, action: e.Action) -> Iterator[str]:
    """What becomes more or less likely, in worlds that both were tried in."""
    if thought.played is not None:
        place = ends.place_of(thought.table, action)
        changes = ends.compare(thought.table, thought.played, place, thought.best)
        yield from map(thought.words.change, ends.telling(changes))
