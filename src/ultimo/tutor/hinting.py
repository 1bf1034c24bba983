"""A hint: what to do now, why, who is dangerous, where the key cards may lie, and why not another card.

All of it comes from what the seat has seen, by fixed dice and in a fixed number of worlds.
"""

from __future__ import annotations

from collections.abc import Iterator

import numpy as np
from msgspec import Struct

from ultimo import danish, french
from ultimo import events as e
from ultimo.cards import KINGS, PACK, PAGAT, SKUS, T21, TRUMPS, Card, Cards, cards
from ultimo.kernel.worlds.draw import Worlds
from ultimo.kernel.worlds.knowledge import Impossible
from ultimo.play.choices import Choices
from ultimo.players import View
from ultimo.players.expert.expert import AnyTable, Judgement, likely_worlds
from ultimo.players.expert.inference import OBSERVANT, Floats, places_of
from ultimo.players.policy.levels import Club
from ultimo.players.reasons import Candidate
from ultimo.telling.teller import Teller
from ultimo.tutor import advising, ends
from ultimo.tutor.advising import SHOWN, weighable
from ultimo.tutor.decisions import alone
from ultimo.tutor.grades import SURE, thresholds
from ultimo.tutor.judging import SAMPLES, judgement
from ultimo.tutor.shown import AgainstShown, CandidateShown, HiddenShown, HintShown
from ultimo.tutor.words import Words

NODES = 1 << 19  # positions that are searched for a hint: somebody waits for it
PLAYED_OUT = 128  # worlds for what becomes more or less likely
LOOKED_INTO = 112  # likely worlds that say where cards lie,
DOUBT = 16  # and so many of those that fit: people may have played for reasons of their own
LIKELY = 0.5  # above it a card is said to be somewhere
CERTAIN = 0.995
DANGERS = 5  # sentences about single cards
MANY = 2.0  # so many trumps are worth a sentence


class Thought(Struct):
    """A decision with all that a hint is made of."""

    view: View
    choices: Choices
    words: Words
    found: Judgement
    chances: Floats | None  # by card and row: where it may lie
    played: ends.Ends | None  # by the best candidate, and by the one that was asked about

    @property
    def table(self) -> AnyTable:
        """The decision as the search sees it."""
        assert self.found.table is not None
        return self.found.table

    @property
    def best(self) -> int:
        """The place of what is advised among the candidates of the search."""
        return place_of(self.table, self.found.action)


def hint(
    view: View, choices: Choices, teller: Teller, against: e.Action | None = None, samples: int = SAMPLES
) -> HintShown:
    """What to do now, and why; with `against` also why not that. Raises `IllegalAction` if it cannot be."""
    advising.check(choices, against)
    seen, words = alone(view), Words(teller)
    if (due := advising.due(seen, choices)) is not None:
        return advising.plain(seen, choices, words, due, against)
    found = judgement(seen, choices, against, samples, NODES)
    thought = Thought(seen, weighable(seen, choices), words, found, None, None)
    pool = _pool(found, samples)
    if pool is not None:
        thought.chances = _chances(seen, choices, pool)
        thought.played = ends.play_out(thought.table, _concerned(thought, against), pool, PLAYED_OUT)
    return HintShown(
        found.action,
        words.cards(found.action),
        words.advice(seen.deal, found.action),
        tuple(_why(thought)),
        tuple(_dangers(thought)),
        tuple(_candidates(thought, against)),
        tuple(_hidden(thought)),
        advising.heads(seen, words),
        None if against is None else _against(thought, against),
    )


# --- what is known ---------------------------------------------------------------------------------------


def place_of(table: AnyTable, action: e.Action) -> int:
    """The place of the candidate that is an action, or comes to the same."""
    return next(
        place
        for place, option in enumerate(table.options)
        if action == option.action or action in option.same
    )


def _pool(found: Judgement, samples: int) -> Worlds | None:
    """Worlds with how likely each is: those of the race, or others that fit; None if none does."""
    assert found.table is not None
    if found.race is not None and found.race.worlds:
        return found.race.pool()
    try:
        worlds, _ = found.table.likely(samples, np.array([ends.SEED], np.uint64))
    except Impossible:
        return None
    return worlds if len(worlds) else None


def _chances(view: View, choices: Choices, pool: Worlds) -> Floats:
    """By card and row where it may lie, with what the others have done; `pool` are worlds that fit."""
    dice = np.array([ends.SEED], np.uint64)
    likely = likely_worlds(view, weighable(view, choices), LOOKED_INTO, dice, OBSERVANT)
    if not len(likely):
        return places_of(pool)
    return (LOOKED_INTO * places_of(likely) + DOUBT * places_of(pool)) / (LOOKED_INTO + DOUBT)


def _concerned(thought: Thought, against: e.Action | None) -> list[int]:
    """The places of what is advised, and of what was asked about."""
    places = {thought.best}
    if against is not None and against in thought.choices:
        places.add(place_of(thought.table, against))
    return sorted(places)


# --- why -------------------------------------------------------------------------------------------------


def _why(thought: Thought) -> Iterator[str]:
    words, found = thought.words, thought.found
    advised = Club().explain(thought.view, thought.choices)
    if role := words.known(f"roles.{advised.role}"):
        yield role
    if found.race is None and found.candidates[0].points is not None:
        yield words.principle("solved")
    elif thought.table.options[thought.best].action == advised.action or _agrees(thought, advised.action):
        yield words.principle(advised.principle)
    else:
        yield words.principle("search")
    yield from _ahead(thought)
    yield from _outlook(thought)
    yield from advising.said(thought.view, words)


def _agrees(thought: Thought, action: e.Action) -> bool:
    return action == thought.found.action or action in thought.table.options[thought.best].same


def _ahead(thought: Thought) -> Iterator[str]:
    """How far what is advised lies before the next."""
    words, found = thought.words, thought.found
    if len(found.candidates) < 2:
        yield words.text("hint.alike")
        return
    second = found.candidates[1]
    other = words.label(thought.view.deal, second.action)
    lead, error = _lead(thought, second)
    if lead - SURE * error < thresholds(thought.view.rules).fine:
        yield words.text("hint.close", other=other)
    else:
        key = "hint.ahead" if found.race is not None else "hint.aheadKnown"
        yield words.text(key, points=words.points(lead), other=other)


def _lead(thought: Thought, other: Candidate) -> tuple[float, float]:
    """By how much what is advised is ahead of another candidate, and the doubt about it."""
    found = thought.found
    if found.race is not None:
        return found.race.lead(thought.best, place_of(thought.table, other.action))
    return (found.candidates[0].points or 0.0) - (other.points or 0.0), 0.0


def _outlook(thought: Thought) -> Iterator[str]:
    """The chance of what everything turns on: the last trick, or the contract."""
    if thought.played is None:
        return
    event = "lastTrick" if thought.view.rules.family == "danish" else "contract"
    chance = ends.chance(thought.table, thought.played, thought.best, event)
    if chance is not None and not isinstance(thought.found.action, e.Pass):
        yield thought.words.text(f"hint.{event}", percent=_percent(chance))


# --- dangers, and where cards may lie --------------------------------------------------------------------


def key_cards(view: View) -> list[Card]:
    """The cards everything turns on that the seat does not hold, and that are not gone."""
    state = view.deal
    keys: Cards = T21 | PAGAT | SKUS | KINGS
    mine = state.hands[view.seat] | state.aside.known | state.laid
    plays = (*(play for trick in state.tricks for play in trick.plays), *state.trick)
    if isinstance(state, french.State) and state.called is not None:
        keys |= state.called.bit
    gone = sum(play.card.bit for play in plays)
    return sorted(cards(keys & ~mine & ~gone), key=lambda card: -card.index)


def _hidden(thought: Thought) -> Iterator[HiddenShown]:
    if thought.chances is None:
        return
    for card in key_cards(thought.view):
        chances = tuple(round(float(chance), 3) for chance in thought.chances[card.index])
        if any(chances):
            yield HiddenShown(card.value, thought.words.card_name(card), chances)


def _dangers(thought: Thought) -> Iterator[str]:
    """Who probably has which key card, and who has the most trumps left."""
    if thought.chances is None:
        return
    told = [
        (float(chance), _where(thought, card, row, float(chance)))
        for card in key_cards(thought.view)
        for row, chance in enumerate(thought.chances[card.index])
        if chance > LIKELY
    ]
    told.sort(key=lambda one: -one[0])
    yield from (sentence for _, sentence in told[:DANGERS])
    yield from _most_trumps(thought)


def _where(thought: Thought, card: Card, row: int, chance: float) -> str:
    """That a card probably lies with a seat, or aside."""
    words, state = thought.words, thought.view.deal
    sure = "Sure" if chance >= CERTAIN else ""
    percent, name = _percent(chance), words.card_name(card)
    if row >= state.table:
        aside = words.text(f"hint.asides.{state.aside.kind}")
        return words.text(f"hint.aside{sure}", card=name, aside=aside, percent=percent)
    player = words.teller.players[row]
    if isinstance(state, danish.State) and card.bit == PAGAT:
        return words.text(f"hint.pagat{sure}", player=player, percent=percent)
    if isinstance(state, french.State) and card == state.called and row != state.taker:
        return words.text(f"hint.partner{sure}", player=player, percent=percent)
    return words.text(f"hint.holds{sure}", card=name, player=player, percent=percent)


def _most_trumps(thought: Thought) -> Iterator[str]:
    """Who of the others has more trumps than anybody, where that is so."""
    assert thought.chances is not None
    state, me = thought.view.deal, thought.view.seat
    real = [card.index for card in PACK if card.bit & TRUMPS & ~SKUS]
    left = {seat: float(thought.chances[real, seat].sum()) for seat in state.active}
    left[me] = float((state.hands[me] & TRUMPS & ~SKUS).bit_count())
    first, second = sorted(left, key=lambda seat: -left[seat])[:2]
    if first != me and round(left[first]) > round(left[second]) and left[first] >= MANY:
        player, count = thought.words.teller.players[first], round(left[first])
        yield thought.words.text(f"hint.trumps.{thought.view.rules.family}", player=player, count=count)


# --- candidates, and why not this one --------------------------------------------------------------------


def _candidates(thought: Thought, against: e.Action | None) -> Iterator[CandidateShown]:
    """The best first; the one that was asked about is always there."""
    words, state = thought.words, thought.view.deal
    asked = None if against is None or against not in thought.choices else place_of(thought.table, against)
    for number, one in enumerate(thought.found.candidates):
        if number < SHOWN or place_of(thought.table, one.action) == asked:
            yield CandidateShown(
                words.label(state, one.action),
                words.cards(one.action),
                one.action,
                None if one.points is None else round(one.points, 2),
                None if one.spread is None else round(one.spread, 2),
                one.samples,
            )


def _against(thought: Thought, action: e.Action) -> AgainstShown:
    """What another action costs, and what becomes more or less likely by it."""
    words, state, found = thought.words, thought.view.deal, thought.found
    label, cards_, best = words.label(state, action), words.cards(action), words.label(state, found.action)
    if action not in thought.choices:
        return AgainstShown(label, cards_, None, None, (advising.unweighed(words, action, label, best),))
    if action == found.action:
        return AgainstShown(label, cards_, 0.0, 0.0, (words.text("against.best", other=label),))
    place = place_of(thought.table, action)
    tried = next((one for one in found.candidates if place_of(thought.table, one.action) == place), None)
    if place == thought.best:
        return AgainstShown(label, cards_, 0.0, 0.0, (words.text("against.same", other=label, best=best),))
    if tried is None or tried.points is None:
        return AgainstShown(label, cards_, None, None, (words.text("against.unlike", other=label),))
    lead, error = _lead(thought, tried)
    sentences = (_cost(thought, label, best, lead, error), *_changes(thought, place))
    return AgainstShown(label, cards_, round(lead, 2), round(error, 2), sentences)


def _cost(thought: Thought, label: str, best: str, lead: float, error: float) -> str:
    words = thought.words
    values = {"other": label, "best": best, "points": words.points(lead), "error": words.number(error)}
    if lead == 0 and error == 0:
        return words.text("against.same", **values)
    if lead <= 0:
        return words.text("against.better", **values)
    if thought.found.race is None:
        return words.text("against.losesKnown", **values)
    return words.text("against.loses" if lead > SURE * error else "against.unsure", **values)


def _changes(thought: Thought, place: int) -> Iterator[str]:
    """What becomes more or less likely, in worlds that both were tried in."""
    if thought.played is None or place not in thought.played.ends:
        return
    words = thought.words
    for change in ends.changes(thought.table, thought.played, place, thought.best):
        event = words.text(f"events.{change.event}")
        if change.event in ends.COUNTS:
            one, other = words.number(change.one), words.number(change.other)
            yield words.text("against.counts", event=event, points=one, instead=other)
        else:
            one, other = str(_percent(change.one)), str(_percent(change.other))
            yield words.text("against.change", event=event, percent=one, instead=other)


def _percent(chance: float) -> int:
    return round(100 * chance)
