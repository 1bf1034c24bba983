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
from ultimo.telling.teller import Teller
from ultimo.tutor import advising, ends
from ultimo.tutor.advising import SHOWN, weighable
from ultimo.tutor.decisions import alone
from ultimo.tutor.grades import SURE, is_equal
from ultimo.tutor.judging import SAMPLES, Judged, judged, judgement
from ultimo.tutor.reviewed import Worth, standing
from ultimo.tutor.shown import AgainstShown, CandidateShown, HiddenShown, HintShown
from ultimo.tutor.words import Words

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
    judged: Judged
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
        return place_of(self.table, self.judged.best.action)


def hint(
    view: View, choices: Choices, teller: Teller, against: e.Action | None = None, samples: int = SAMPLES
) -> HintShown:
    """What to do now, and why; with `against` also why not that. Raises `IllegalAction` if it cannot be."""
    advising.check(choices, against)
    seen, words = alone(view), Words(teller)
    if (due := advising.due(seen, choices)) is not None:
        return advising.plain(seen, choices, words, due, against)
    found = judgement(seen, choices, against, samples)
    thought = Thought(seen, weighable(seen, choices), words, found, judged(found), None, None)
    best = thought.judged.best.action
    pool = _pool(found, samples)
    if pool is not None:
        thought.chances = _chances(seen, choices, pool)
        thought.played = ends.play_out(thought.table, _concerned(thought, against), pool, PLAYED_OUT)
    return HintShown(
        best,
        words.cards(best),
        words.advice(seen.deal, best),
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
    words = thought.words
    advised = Club().explain(thought.view, thought.choices)
    if role := words.known(f"roles.{advised.role}"):
        yield role
    if thought.judged.known and len(thought.judged.worths) > 1:
        yield words.principle("solved")
    elif thought.judged.best.does(advised.action):
        yield words.principle(advised.principle)
    else:
        yield words.principle("search")
    yield from _ahead(thought)
    yield from _outlook(thought)
    yield from advising.said(thought.view, words)


def _ahead(thought: Thought) -> Iterator[str]:
    """How far what is advised lies before the next, or that others are about equal and why it is named."""
    words, (best, *others) = thought.words, thought.judged.worths
    if not others:
        yield words.text("hint.alike")
        return
    state, rules = thought.view.deal, thought.view.rules
    equal = [one for one in others if is_equal(rules, one.behind, one.error)]
    other = equal[0] if equal else others[0]
    values = {"other": words.label(state, other.action), "points": words.points(other.behind)}
    if not equal:
        yield words.text("hint.aheadKnown" if thought.judged.known else "hint.ahead", **values)
        return
    yield words.text("hint.equal" if len(equal) == 1 else "hint.equalMore", **values, count=len(equal) - 1)
    if round(other.behind, 1) > 0:
        yield words.text("hint.highest", best=words.label(state, best.action), **values)
    else:
        yield words.text("hint.either")


def _outlook(thought: Thought) -> Iterator[str]:
    """The chance of what everything turns on: the last trick, or the contract."""
    if thought.played is None:
        return
    event = "lastTrick" if thought.view.rules.family == "danish" else "contract"
    chance = ends.chance(thought.table, thought.played, thought.best, event)
    if chance is not None and not isinstance(thought.judged.best.action, e.Pass):
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
    words, state, judged = thought.words, thought.view.deal, thought.judged
    if len(judged.worths) == 1:
        action = judged.best.action
        yield CandidateShown(words.label(state, action), words.cards(action), action)
        return
    standings = standing(thought.view.rules, judged.worths)
    for number, (one, place) in enumerate(zip(judged.worths, standings, strict=True)):
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
    words, state, best = thought.words, thought.view.deal, thought.judged.best
    label, cards_, named = words.label(state, action), words.cards(action), words.label(state, best.action)
    if action not in thought.choices:
        return AgainstShown(label, cards_, None, None, (advising.unweighed(words, action, label, named),))
    if action == best.action:
        return AgainstShown(label, cards_, 0.0, 0.0, (words.text("against.best", other=label),))
    if best.does(action):
        return AgainstShown(label, cards_, 0.0, 0.0, (words.text("against.same", other=label, best=named),))
    other = next((one for one in thought.judged.worths if one.does(action)), None)
    if other is None:
        return AgainstShown(label, cards_, None, None, (words.text("against.unlike", other=label),))
    sentences = (_cost(thought, other, label, named), *_changes(thought, place_of(thought.table, action)))
    return AgainstShown(label, cards_, round(other.behind, 2), round(other.error, 2), sentences)


def _cost(thought: Thought, other: Worth, label: str, best: str) -> str:
    words, behind, error = thought.words, other.behind, other.error
    values = {"other": label, "best": best, "points": words.points(behind), "error": words.number(error)}
    if behind == 0 and error == 0:
        return words.text("against.same", **values)
    if round(behind, 1) == 0:
        return words.text("against.better", **values)
    if thought.judged.known:
        return words.text("against.losesKnown", **values)
    return words.text("against.loses" if behind > SURE * error else "against.unsure", **values)


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
