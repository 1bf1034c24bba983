"""A judge of the sentences of a hint: it reads position and play-outs by itself, and asks the engine.

Nothing of the tutor's own conditions is used: a sentence is taken as a reader takes it, by its words, and
looked at against the deal as it lies, the rules, and the table of play-outs.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Iterator
from typing import Any, NamedTuple, TypeAlias

import numpy as np

from tutor.walking import PEOPLE
from ultimo import danish, deal, french
from ultimo import events as e
from ultimo.cards import PACK, Card, cards
from ultimo.danish import payments
from ultimo.kernel.danish import layout as dk
from ultimo.kernel.french import layout as fr
from ultimo.names import tutoring
from ultimo.players.expert import opened
from ultimo.players.expert.expert import likely_worlds
from ultimo.players.expert.inference import OBSERVANT
from ultimo.players.policy.levels import policies
from ultimo.rulebook import Rules
from ultimo.tutor.decisions import Decision
from ultimo.tutor.hinting import Thought
from ultimo.tutor.shown import HintShown
from ultimo.tutor.words import Words

SURE = 1.64
LIKELY = 0.65
SEED = 0x9E3779B97F4A7C15
BLACK = ["1", "2", "3", "4", "5", "6", "7", "8", "9", "10", "J", "N", "Q", "K"]
RED = [
    "10",
    "9",
    "8",
    "7",
    "6",
    "5",
    "4",
    "3",
    "2",
    "1",
    "J",
    "N",
    "Q",
    "K",
]  # of Danish Tarok, from the lowest
COURTS, BOUTS = "JNQK", ("T0", "T1", "T21")
NEEDED = (112, 102, 82, 72)  # half points of the taker's side, by bouts

Values: TypeAlias = dict[str, str]


class Case(NamedTuple):
    """A decision with its hint, and with what that was made of."""

    made: Decision
    thought: Thought
    hint: HintShown
    words: Words

    # --- the position ----------------------------------------------------------------------------------

    @property
    def rules(self) -> Rules:
        return self.made.view.rules

    @property
    def truth(self) -> Any:
        return self.made.truth

    @property
    def me(self) -> int:
        return self.made.view.seat

    @property
    def is_danish(self) -> bool:
        return isinstance(self.truth, danish.State)

    @property
    def hand(self) -> set[str]:
        return {card.value for card in cards(self.truth.hands[self.me])}

    @property
    def trick(self) -> list[tuple[int, str]]:
        return [(play.seat, play.card.value) for play in self.truth.trick]

    @property
    def card(self) -> str:
        assert isinstance(self.hint.action, e.Play)
        return str(self.hint.action.card.value)

    @property
    def rival(self) -> str:
        """The card of the second best action; nothing if it is none."""
        others = [one for one in self.hint.candidates if one.action != self.hint.action]
        return others[0].action.card.value if others and isinstance(others[0].action, e.Play) else ""

    @property
    def legal(self) -> set[str]:
        calm = policies(self.rules).calm(self.rules)
        return {one.card.value for one in deal.legal(calm, self.truth, self.me) if isinstance(one, e.Play)}

    @property
    def elsewhere(self) -> set[str]:
        """The cards that the seat has not seen."""
        state = self.made.view.deal
        seen = {play.card.value for trick in state.tricks for play in trick.plays} | {
            c for _, c in self.trick
        }
        seen |= {card.value for card in cards(state.laid | state.aside.known)}
        return {card.value for card in PACK} - seen - self.hand

    def height(self, card: str) -> int:
        order = RED if self.is_danish and card[0] in "HD" else BLACK
        return int(card[1:]) if card[0] == "T" else order.index(card[1:])

    def of(self, suit: str, some: set[str]) -> set[str]:
        return {card for card in some if card[0] == suit and card != "T0"}

    @property
    def led(self) -> str:
        """The suit in force; nothing before it is known."""
        led: int = self.truth.led
        return "" if led < 0 else "SHCDT"[led]

    def stands_highest(self, card: str) -> bool:
        """Whether a card beats all that lies in the trick."""
        led = self.led or card[0]

        def power(one: str) -> int:
            if one == "T0":
                return -1
            return 100 + self.height(one) if one[0] == "T" else self.height(one) + 1 if one[0] == led else 0

        return power(card) > max((power(one) for _, one in self.trick), default=0)

    def takes(self, card: str) -> bool:
        """Whether the engine gives the seat the trick, if it plays a card last."""
        for action in self.made.choices:
            if isinstance(action, e.Play) and action.card.value == card:
                happened = deal.decide(self.rules, self.truth, self.me, action)
                return any(isinstance(one, e.TrickWon) and one.seat == self.me for one in happened)
        return False

    def is_longest(self, suit: str) -> bool:
        return suit != "T" and len(self.of(suit, self.hand)) == max(
            len(self.of(one, self.hand)) for one in "SHCD"
        )

    # --- the play-outs ---------------------------------------------------------------------------------

    def ends(self, action: e.Action) -> Any:
        played = self.thought.played
        assert played is not None
        return played.ends[self.place(action)]

    def place(self, action: e.Action) -> int:
        options = self.thought.table.options
        return next(at for at, one in enumerate(options) if action == one.action or action in one.same)

    def happens(self, event: str, action: e.Action) -> Any:
        played = self.thought.played
        assert played is not None
        read = _danish_event if self.is_danish else _french_event
        return np.asarray(read(self, event, played.starts, self.ends(action)), float)

    def share(self, event: str, action: e.Action | None = None) -> float:
        assert self.thought.played is not None
        weights = self.thought.played.weights
        return float(weights @ self.happens(event, action or self.hint.action) / weights.sum())

    @property
    def second(self) -> e.Action | None:
        others = [one.action for one in self.hint.candidates if one.action != self.hint.action]
        return others[0] if others else None

    def moves(self, event: str, one: e.Action, other: e.Action) -> float:
        """By how much an event is more frequent by an action than by another; 0 within its error."""
        assert self.thought.played is not None
        weights = self.thought.played.weights / self.thought.played.weights.sum()
        between = self.happens(event, one) - self.happens(event, other)
        mean = float(weights @ between)
        error = float(np.sqrt((weights**2 * (between - mean) ** 2).sum()))
        return mean if abs(mean) > SURE * error else 0.0

    def better(self, event: str) -> bool:
        return self.second is not None and self.moves(event, self.hint.action, self.second) > 0

    def rarer(self, event: str) -> bool:
        return self.second is not None and self.moves(event, self.hint.action, self.second) < 0

    def last(self, seat: int) -> float:
        """How often a seat takes the last trick of a Danish deal."""
        assert self.thought.played is not None
        if seat not in self.truth.order:
            return 0.0
        ends, weights = self.ends(self.hint.action), self.thought.played.weights
        wins = (ends[:, dk.PHASE] == dk.CLOSED) & (ends[:, dk.WINNER] == self.truth.order.index(seat))
        return float(weights @ wins / weights.sum())

    def lead(self, action: e.Action) -> tuple[float, float]:
        """How far the best is ahead of another action, and the error, from the table of the search."""
        found, best, other = self.thought.found, self.place(self.hint.action), self.place(action)
        race = found.race
        if race is None:
            told = {one.action: one.points or 0.0 for one in found.candidates}
            return _of(told, self, self.hint.action) - _of(told, self, action), 0.0
        between = np.concatenate(race.gains)
        between = between[:, best] - between[:, other]
        known = ~np.isnan(between)
        lead, error = _mean(between[known], race.weights[known])
        if race.solved is not None:
            rows = np.array(race.solved.gains)
            mean, spread = _mean(rows[:, best] - rows[:, other], np.ones(len(rows)))
            doubt, spread = np.hypot(error, 8.0), np.hypot(spread, 30.0 / np.sqrt(len(rows)))
            part = doubt**2 / (doubt**2 + spread**2)
            return part * mean + (1 - part) * lead, float(np.hypot(part * spread, (1 - part) * error))
        if not self.is_danish and {"T0"} & {
            getattr(getattr(one, "card", None), "value", "")
            for one in (self.thought.table.options[best].action, self.thought.table.options[other].action)
        }:
            error = float(np.hypot(error, 15.0))
        return lead, error

    def action(self, label: str) -> e.Action:
        """What an entry of the list does."""
        return next(one.action for one in self.hint.candidates if one.label == label)


def _of(told: dict[e.Action, float], case: Case, action: e.Action) -> float:
    return next(points for one, points in told.items() if case.place(one) == case.place(action))


def _mean(values: Any, weights: Any) -> tuple[float, float]:
    share = weights / weights.sum()
    mean = float(share @ values)
    return mean, float(np.sqrt((share**2 * (values - mean) ** 2).sum()))


def _danish_event(case: Case, event: str, starts: Any, ends: Any) -> Any:
    me = case.truth.order.index(case.me)
    closed = ends[:, dk.PHASE] == dk.CLOSED
    mine, others = closed & (ends[:, dk.WINNER] == me), closed & (ends[:, dk.WINNER] != me)
    others &= ends[:, dk.WINNER] != dk.NOBODY
    fresh = ends[:, dk.HAPPENED] & ~starts[:, dk.HAPPENED]
    held = starts[:, dk.TRUMPS + me] % 2 == 1
    last = np.array([row[dk.LAST_CARDS + (me - row[dk.LEADER]) % 3] for row in ends])
    tricks = [ends[:, dk.TRICKS_WON + place] for place in range(3)]
    match event:
        case "lastTrick":
            return mine
        case "pagatUltimo" | "kingUltimo":
            return mine & _has(fresh, event)
        case "pagatUltimoOthers" | "kingUltimoOthers":
            return others & _has(fresh, event.removesuffix("Others"))
        case "pagatBagud":
            return closed & ~mine & (last == 56)
        case "kingBagud":
            return closed & ~mine & (last >= 0) & (last < 56) & (last % 14 == 13)
        case "pagatLost" | "pagatHome":
            return held & _has(fresh, event)
        case "kingLost":
            return _has(fresh, event)
        case "nolo":
            return closed & (tricks[me] == 0)
        case "noloOthers":
            return closed & ((tricks[(me + 1) % 3] == 0) | (tricks[(me + 2) % 3] == 0))
        case "tout":
            return closed & (tricks[(me + 1) % 3] == 0) & (tricks[(me + 2) % 3] == 0)
        case "count":
            return ends[:, dk.COUNTS + me]
    raise AssertionError(event)


def _has(happened: Any, event: str) -> Any:
    code = next(at for at, meaning in enumerate(payments.MEANINGS) if meaning.reason == event)
    return (happened >> code) % 2 == 1


def _french_event(case: Case, event: str, starts: Any, ends: Any) -> Any:
    played, sides = ends[:, fr.RESULT] == fr.PLAYED, ends[:, fr.SIDES]
    ours = sides >> case.me & 1
    made = played & (ends[:, fr.HALF_POINTS] >= np.array(NEEDED)[np.clip(ends[:, fr.BOUTS], 0, 3)])
    side = np.where(ours == 1, 1, -1)
    seats = range(case.truth.table)
    holder = sum(np.where(starts[:, fr.TRUMPS + seat] % 2 == 1, seat + 1, 0) for seat in seats) - 1
    taken = ends[:, fr.PETIT_TAKER]
    owner = np.where(holder >= 0, sides >> np.maximum(holder, 0) & 1, -1)
    captor = np.where(taken >= 0, sides >> np.maximum(taken, 0) & 1, -1)
    match event:
        case "contract":
            return made
        case "contractLost":
            return played & ~made
        case "taker":
            return played & (ends[:, fr.TAKER] == case.me)
        case "passed":
            return ends[:, fr.RESULT] == fr.ALL_PASSED
        case "petitBout":
            return played & (ends[:, fr.PETIT_SIDE] == side)
        case "petitBoutOthers":
            return played & (ends[:, fr.PETIT_SIDE] == -side)
        case "petitLost":
            return played & (holder == case.me) & (captor == 1 - ours)
        case "petitWon":
            return played & (owner == 1 - ours) & (captor == ours)
        case "slam":
            return played & (ends[:, fr.SLAM_SIDE] == side)
        case "slamOthers":
            return played & (ends[:, fr.SLAM_SIDE] == -side)
        case "half":
            return ends[:, fr.HALF_POINTS] / 2
        case "bouts":
            return ends[:, fr.BOUTS]
    raise AssertionError(event)


# --- sentences ---------------------------------------------------------------------------------------------


def judged_false(case: Case) -> Iterator[str]:
    """The sentences of a hint that are not so, with what they are."""
    against = case.hint.against
    for sentence in (*case.hint.why, *case.hint.dangers):
        keys = [(key, match.groupdict()) for key, match in _matches(sentence)]
        assert keys, f"no sentence of a hint: {sentence}"
        if not any(_is_so(case, key, values) for key, values in keys):
            yield f"{keys[0][0]}: {sentence}"
    for sentence in against.sentences if against else ():
        keys = [(key, match.groupdict()) for key, match in _matches(sentence)]
        assert keys, f"no sentence of a hint: {sentence}"
        assert against is not None
        if not any(_is_so_against(case, key, values) for key, values in keys):
            yield f"{keys[0][0]}: {sentence}"


def _matches(sentence: str) -> Iterator[tuple[str, re.Match[str]]]:
    for key, pattern in PATTERNS.items():
        if match := pattern.fullmatch(sentence):
            yield key, match


def _pattern(text: str) -> re.Pattern[str]:
    parts = re.split(r"\{(\w+)\}", text)
    return re.compile("".join(f"(?P<{one}>.+)" if at % 2 else re.escape(one) for at, one in enumerate(parts)))


PATTERNS = {
    key: _pattern(text)
    for key, text in tutoring("en").items()
    if key.partition(".")[0] in ("roles", "principles", "hint", "against") and ".asides" not in key
}


def _is_so(case: Case, key: str, values: Values) -> bool:
    section, _, name = key.partition(".")
    if section == "roles":
        return _role(case, name)
    if section == "principles":
        return PRINCIPLES[name](case)
    if key in ("against.change", "against.counts"):
        return case.second is not None and _change(case, values, case.hint.action, case.second)
    return SENTENCES[key](case, values)


def _change(case: Case, values: Values, one: e.Action, other: e.Action) -> bool:
    """Whether an event is so much more or less frequent, beyond the error."""
    event = next(
        key.partition(".")[2]
        for key, text in tutoring("en").items()
        if key.startswith("events.") and text == values["event"]
    )
    if "percent" in values:
        told = (values["percent"], values["instead"])
        found = tuple(str(round(100 * case.share(event, action))) for action in (one, other))
    else:
        told = (values["points"], values["instead"])
        shares = [case.share(event, action) for action in (one, other)]
        so = all(_tells(text, share) for text, share in zip(told, shares, strict=True))
        found = told if so else ()
    return told == found and case.moves(event, one, other) != 0


def _is_so_against(case: Case, key: str, values: Values) -> bool:
    against = case.hint.against
    assert against is not None
    if key in ("against.wrong", "against.unlike", "against.best"):
        return against.loses is None or against.label == case.words.label(case.truth, case.hint.action)
    other = _asked(case)
    if key in ("against.change", "against.counts"):
        return _change(case, values, other, case.hint.action)
    lead, error = case.lead(other)
    so = "points" in values and _tells(values["points"], lead)
    match key:
        case "against.same":
            return (lead == 0 and error == 0) or case.place(other) == case.place(case.hint.action)
        case "against.better":
            return round(lead, 1) <= 0
        case "against.losesKnown":
            return so and error == 0
        case "against.loses":
            return so and lead > SURE * error
        case "against.unsure":
            return so and lead <= SURE * error
    return False


def _asked(case: Case) -> e.Action:
    against = case.hint.against
    assert against is not None
    for action in case.made.choices:
        if case.words.label(case.truth, action) == against.label:
            return action
    raise AssertionError(against.label)


# --- what a seat plays for ---------------------------------------------------------------------------------


def _role(case: Case, role: str) -> bool:
    if not case.is_danish:
        return _side(case) == role
    others = sorted((seat for seat in case.truth.order if seat != case.me), key=case.last)
    mine, weaker, stronger = case.last(case.me), case.last(others[0]), case.last(others[1])
    match role:
        case "nolo":
            return case.truth.won[case.me] == 0 and case.share("nolo") >= 0.5
        case "ultimator":
            return mine >= 0.5 and mine > max(weaker, stronger) - 1e-9
        case "leader":
            return stronger >= 0.5 and stronger > mine > weaker
        case "helper":
            return stronger >= 0.5 and mine < weaker
        case "balancer":
            return mine <= 0.2 and weaker >= 0.3
    return False


def _side(case: Case) -> str:
    state = case.truth
    if state.phase == "bid":
        return "bidder"
    if case.me == state.taker:
        return "taker"
    if state.called is None:
        return "defender"
    held = case.hand | {
        play.card.value for trick in state.tricks for play in trick.plays if play.seat == case.me
    }
    held |= {card for seat, card in case.trick if seat == case.me}
    return "partner" if state.called.value in held else "defender"


# --- hints -------------------------------------------------------------------------------------------------


def _tells(told: str, points: float) -> bool:
    """Whether a number of points is told as it is, but for its rounding."""
    number = float(told.split()[0].replace("−", "-"))
    return abs(number - points) <= (0.051 if abs(points) < 10 else 0.51)


def _ahead(case: Case, values: Values) -> bool:
    other = case.action(values["other"])
    lead, error = case.lead(other)
    return _tells(values["points"], lead) and lead - SURE * error >= 0.5 and other == case.second


def _equal(case: Case, values: Values) -> bool:
    lead, error = case.lead(case.action(values["other"]))
    return lead - SURE * error < 0.5


def _equal_more(case: Case, values: Values) -> bool:
    worths = case.thought.evidence.worths
    close = [lead - SURE * error < 0.5 for lead, error in (case.lead(one.action) for one in worths[1:])]
    return _equal(case, values) and sum(close) == 1 + int(values["count"])


def _highest(case: Case, values: Values) -> bool:
    best = {case.words.label(case.truth, case.hint.action): 1}
    leads = [case.lead(one.action) for one in case.thought.evidence.worths[1:]]
    close = [lead for lead, error in leads if lead - SURE * error < 0.5]
    return values["best"] in best and any(_tells(values["points"], lead) for lead in close)


def _either(case: Case, values: Values) -> bool:
    other = case.action(values["other"])
    return (
        values["best"] == case.words.label(case.truth, case.hint.action)
        and round(case.lead(other)[0], 1) <= 0
    )


def _alike(case: Case, values: Values) -> bool:
    """Whether all that may be played is of one suit, counts the same, and nothing of another lies between."""
    some = case.legal
    if len({card[0] for card in some}) > 1 or "T0" in some:
        return False
    heights = sorted(map(case.height, some))
    between = {case.height(card) for card in case.of(next(iter(some))[0], case.elsewhere)}
    between |= {
        case.height(card) for _, card in case.trick if card[0] == next(iter(some))[0] and card != "T0"
    }
    counting = {card for card in some if card[1] in COURTS or card in BOUTS}
    return not counting and not between & set(range(heights[0] + 1, heights[-1]))


def _expected(event: str) -> Callable[[Case, Values], bool]:
    def is_so(case: Case, values: Values) -> bool:
        share = case.share(event)
        told = min(99, max(1, round(100 * share)))
        return share >= LIKELY and int(values["percent"]) == told and case.truth.phase not in ("bid", "call")

    return is_so


def _declared(case: Case, values: Values) -> bool:
    seat = PEOPLE.index(values["player"])
    made = case.truth.declared[seat]
    return seat != case.me and case.words.teller.declarations(made) == values["declarations"]


def _announced(case: Case, values: Values) -> bool:
    seat = PEOPLE.index(values["player"])
    state = case.truth
    said = [one.kind for one in state.announced if one.seat == seat] if case.is_danish else ["slam"]
    told = {case.words.teller.words.announcement(kind) for kind in said}
    return seat != case.me and (case.is_danish or state.slam == seat) and values["announcement"] in told


def _poignee(case: Case, values: Values) -> bool:
    seat = PEOPLE.index(values["player"])
    shown = [case.words.teller.words.poignee(one.size) for one in case.truth.poignees if one.seat == seat]
    return seat != case.me and values["poignee"] in shown


def _lies(case: Case, values: Values, card: Card) -> bool:
    """Whether a card is thought to lie where it is said to; and where it must, it does."""
    player = values.get("player")
    row = case.truth.table if player is None else PEOPLE.index(player)
    shown = next(one for one in case.hint.hidden if one.card == card.value)
    if "percent" in values:
        chance = shown.chances[row]
        return chance >= LIKELY - 0.001 and abs(100 * chance - int(values["percent"])) <= 1
    aside = case.truth.aside.known
    lies = (aside if row == case.truth.table else case.truth.hands[row]) & card.bit
    return bool(lies)


def _named(case: Case, values: Values) -> bool:
    card = next(one for one in PACK if case.words.card_name(one) == values["card"])
    return _lies(case, values, card)


def _pagat(case: Case, values: Values) -> bool:
    return _lies(case, values, Card("T1"))


def _partner(case: Case, values: Values) -> bool:
    return _lies(case, values, case.truth.called)


def _most_trumps(case: Case, values: Values) -> bool:
    """Whether in most likely worlds a player has more trumps than anybody else."""
    seat, view = PEOPLE.index(values["player"]), case.made.view
    dice = np.array([SEED], np.uint64)
    chosen = case.thought.evidence.choices
    drawn = [(112.0, likely_worlds(view, chosen, 112, dice, OBSERVANT))]
    race = case.thought.found.race
    if race is not None and race.worlds:
        drawn.append((16.0, race.pool()))
    most = counted = whole = 0.0
    for share, worlds in drawn:
        if not len(worlds):
            continue
        weights = share * worlds.weights / worlds.weights.sum()
        whole += share
        for weight, row in zip(weights, worlds.trumps, strict=True):
            held = [bin(int(row[one]) & (1 << 21) - 1).count("1") for one in range(case.truth.table)]
            held[case.me] = len(case.of("T", case.hand))
            most += weight * (held[seat] > max(number for one, number in enumerate(held) if one != seat))
            counted += weight * held[seat]
    sure = race is None or most / whole >= LIKELY - 1e-6
    return sure and seat != case.me and (race is None or round(counted / whole) == int(values["count"]))


def _always(case: Case, values: Values) -> bool:
    return True


SENTENCES: dict[str, Callable[[Case, Values], bool]] = {
    "hint.alike": _alike,
    "hint.ahead": _ahead,
    "hint.aheadKnown": _ahead,
    "hint.equal": _equal,
    "hint.equalMore": _equal_more,
    "hint.highest": _highest,
    "hint.either": _either,
    "hint.lastTrick": _expected("lastTrick"),
    "hint.contract": _expected("contract"),
    "hint.contractLost": _expected("contractLost"),
    "hint.declared": _declared,
    "hint.announced": _announced,
    "hint.poignee": _poignee,
    "hint.holds": _named,
    "hint.holdsSure": _named,
    "hint.aside": _named,
    "hint.asideSure": _named,
    "hint.pagat": _pagat,
    "hint.pagatSure": _pagat,
    "hint.partner": _partner,
    "hint.partnerSure": _partner,
    "hint.trumps.danish": _most_trumps,
    "hint.trumps.french": _most_trumps,
}


# --- principles of the discard -----------------------------------------------------------------------------


class Discard(NamedTuple):
    """The dealer's cards before and after."""

    dealt: set[str]
    laid: set[str]

    @property
    def kept(self) -> set[str]:
        return self.dealt - self.laid

    def before(self, suit: str) -> int:
        return sum(card[0] == suit for card in self.dealt)

    def after(self, suit: str) -> int:
        return sum(card[0] == suit for card in self.kept)


def _discard(case: Case) -> Discard:
    assert isinstance(case.hint.action, e.Lay)
    return Discard(case.hand, {card.value for card in case.hint.action.cards})


def _f1_4(case: Case) -> bool:
    one = _discard(case)
    return sorted(map(one.after, "SHCD")) == [4, 4, 4, 6] and one.after("T") == 7


def _f1_7(case: Case) -> bool:
    one = _discard(case)
    return one.after("T") >= 8 and not any(card[0] == "T" for card in one.laid)


def _f1_9(case: Case) -> bool:
    one = _discard(case)
    trumps = {card for card in one.dealt if card[0] == "T" and card != "T0"}
    return 1 <= len(trumps) <= 3 and trumps <= one.laid


def _f1_11(case: Case) -> bool:
    one = _discard(case)
    long = [suit for suit in "SHCD" if one.before(suit) >= 5]
    cut = [suit for suit in long if suit + "K" in one.dealt and one.after(suit) < one.before(suit)]
    whole = [suit for suit in long if suit + "K" not in one.dealt and one.after(suit) == one.before(suit)]
    return bool(cut and whole) and one.after("T") <= 6


def _f1_12(case: Case) -> bool:
    one = _discard(case)
    return any(one.before(suit) in (5, 6) and one.before(suit) - one.after(suit) >= 2 for suit in "SHCD")


def _f1_13(case: Case) -> bool:
    one = _discard(case)
    return all(one.after(suit) == 4 for suit in "SHCD") and one.after("T") == 9


def _f1_14(case: Case) -> bool:
    one = _discard(case)
    return any(
        low + high in ("JN", "NQ", "QK") and suit + high in one.laid and suit + low in one.kept
        for suit in "SHCD"
        for low in COURTS
        for high in COURTS
    )


def _f1_15(case: Case) -> bool:
    one = _discard(case)
    above = any(
        other[0] == card[0] and case.height(other) > case.height(card) and card[0] != "T"
        for card in one.laid
        for other in one.kept
    )
    return case.share("nolo") >= 0.5 and not above


def _f1_16(case: Case) -> bool:
    one = _discard(case)
    most = max(map(one.after, "SHCD"))
    return any({suit + "K", suit + "Q"} <= one.kept and one.after(suit) == most for suit in "SHCD")


# --- principles of Danish play -----------------------------------------------------------------------------


def _dk_trick(case: Case) -> bool:
    full = any(card[1] in COURTS or card in BOUTS for _, card in case.trick)
    return case.takes(case.card) and not case.takes(case.rival) and full and case.better("count")


def _dk_king(case: Case) -> bool:
    trumps = case.of("T", case.elsewhere)
    return case.card[1] == "K" and case.stands_highest(case.card) and bool(trumps)


def _f2_7(case: Case) -> bool:
    suit = case.led
    if case.card[0] != suit or case.card[1] in COURTS or suit == "T" or case.stands_highest(case.card):
        return False
    mine = []
    for trick in case.truth.tricks:
        plays = [(play.seat, play.card.value) for play in trick.plays]
        if plays[0][0] != case.me and "SHCDT"[trick.led] == suit:
            mine += [card for seat, card in plays if seat == case.me and card[0] == suit]
    length = len(case.of(suit, case.hand)) + len(mine)
    pips = [card for card in case.of(suit, case.hand) if card[1] not in COURTS]
    if not mine:
        low = case.height(case.card) == min(map(case.height, pips))
        return len(pips) > 1 and low == (length >= 4)
    return (case.height(case.card) > case.height(mine[0])) == (length >= 4)


def _f3_1(case: Case) -> bool:
    return case.card[0] != "T" and case.rival[:1] == "T" and case.rival != "T0" and case.better("lastTrick")


def _f3_2(case: Case) -> bool:
    leads = not case.trick and case.is_longest(case.card[0])
    return leads and _role(case, "ultimator") and case.better("lastTrick")


def _f3_3(case: Case) -> bool:
    return not case.trick and case.is_longest(case.card[0]) and _role(case, "leader")


def _f3_5(case: Case) -> bool:
    others = sorted((seat for seat in case.truth.order if seat != case.me), key=case.last)
    led = {trick.plays[0].card.value[0] for trick in case.truth.tricks if trick.plays[0].seat == others[0]}
    return not case.trick and case.card[0] in led and _role(case, "helper")


def _f3_22(case: Case) -> bool:
    return case.card == "T1" and case.better("pagatHome")


def _f3_23(case: Case) -> bool:
    kept = case.rival[1:] == "K" and case.card[1:] != "K"
    return kept and (case.better("kingUltimo") or case.rarer("kingBagud") or case.rarer("kingLost"))


def _f4_2(case: Case) -> bool:
    return not case.trick and case.is_longest(case.card[0])


def _f5_3(case: Case) -> bool:
    assert case.second is not None
    lead, error = case.lead(case.second)
    return case.card == "T0" and bool(case.trick) and lead - SURE * error >= 0.5


def _f5_4(case: Case) -> bool:
    action = case.hint.action
    return isinstance(action, e.NameSkus) or (isinstance(action, e.Play) and action.named is not None)


def _f5_6(case: Case) -> bool:
    return case.card == "T0" and _role(case, "ultimator")


def _f5_8(case: Case) -> bool:
    return isinstance(case.hint.action, e.DemandSkus) and case.truth.number <= 23


def _f6_1(case: Case) -> bool:
    trumps = case.of("T", case.hand)
    courts = {suit: sum(card[1] in COURTS for card in case.of(suit, case.hand)) for suit in "SHCD"}
    small = all(2 * courts[suit] <= len(case.of(suit, case.hand)) for suit in "SHCD")
    said = isinstance(case.hint.action, e.Accept | e.Announce)
    return said and len(trumps) <= 3 and all(case.height(card) <= 10 for card in trumps) and small


def _f6_8(case: Case) -> bool:
    losing = {card for card in case.legal if card[0] == case.card[0] and not case.stands_highest(card)} - {
        "T0"
    }
    highest = case.height(case.card) == max(map(case.height, losing), default=-1)
    return bool(case.trick) and case.card in losing and highest and len(losing) > 1 and _role(case, "nolo")


# --- principles of French Tarot ----------------------------------------------------------------------------


def _friends(case: Case) -> set[int]:
    """Who is of the side of the seat, as the seat knows."""
    state = case.made.view.deal
    assert isinstance(state, french.State)
    if state.sides_public:
        side = {state.taker, case.truth.partner} - {None}
        return {
            seat for seat in range(state.table) if seat != case.me and (seat in side) == (case.me in side)
        }
    return {case.truth.taker} if _side(case) == "partner" else set()


def _winning(case: Case) -> int:
    """Whose card stands highest: nobody's is higher than it."""
    power = {
        seat: (
            card[0] == "T" and card != "T0",
            card[0] == case.led,
            case.height(card) if card != "T0" else -1,
        )
        for seat, card in case.trick
    }
    return max(power, key=power.__getitem__)


def _feeds(case: Case) -> bool:
    court = case.card[0] != "T" and case.card[1] in COURTS
    return bool(case.trick) and court and not case.stands_highest(case.card)


def _f7_1(case: Case) -> bool:
    one = _discard(case)
    void = any(one.before(suit) and not one.after(suit) for suit in "SHCD")
    return void or any(card[0] != "T" and card[1] in COURTS for card in one.laid)


def _f7_2(case: Case) -> bool:
    side = _side(case) in ("taker", "partner")
    return case.share("contract" if side else "contractLost") >= 0.5


def _f7_3(case: Case) -> bool:
    hidden = _side(case) == "partner" and not case.truth.sides_public
    return hidden and _feeds(case) and _winning(case) == case.truth.taker and case.better("half")


def _f7_6(case: Case) -> bool:
    trumps = [case.height(card) for card in case.of("T", case.hand)]
    top = max((case.height(card) for _, card in case.trick if card[0] == "T"), default=0)
    return case.card[0] == "T" and case.height(case.card) == min(trumps) and max(trumps) < top


def _fr_call(case: Case) -> bool:
    assert isinstance(case.hint.action, e.Call)
    card = case.hint.action.card.value
    long = len(case.of(card[0], case.hand)) >= max(len(case.of(suit, case.hand)) for suit in "SHCD")
    return card not in case.hand and (card[0] + "Q" in case.hand or long)


def _fr_excuse(case: Case) -> bool:
    return case.card == "T0" and bool(case.trick) and not any(map(case.stands_highest, case.legal - {"T0"}))


def _fr_long(case: Case) -> bool:
    out = len(case.of(case.card[0], case.elsewhere))
    return _f4_2(case) and out < len(case.of(case.card[0], case.hand))


def _fr_master(case: Case) -> bool:
    above = [
        one for one in case.of(case.card[0], case.elsewhere) if case.height(one) > case.height(case.card)
    ]
    return case.card[0] != "T" and not above and case.stands_highest(case.card)


def _fr_force(case: Case) -> bool:
    """Whether the taker has in truth no card of the suit: who has shown that, has none."""
    held = {card.value[0] for card in cards(case.truth.hands[case.truth.taker])}
    return not case.trick and case.me != case.truth.taker and case.card[0] not in held


def _fr_return(case: Case) -> bool:
    friends = _friends(case)
    led = {trick.plays[0].card.value[0] for trick in case.truth.tricks if trick.plays[0].seat in friends}
    return not case.trick and case.card[0] in led


def _fr_ruff(case: Case) -> bool:
    lower = [
        one for one in case.of("T", case.legal) if one != "T1" and case.height(one) < case.height(case.card)
    ]
    trumped = any(card[0] == "T" and card != "T0" for _, card in case.trick)
    return case.card[0] == "T" and case.led in tuple("SHCD") and not trumped and not lower


def _fr_win(case: Case) -> bool:
    return case.takes(case.card) and bool(case.rival) and not case.takes(case.rival)


def _fr_feed(case: Case) -> bool:
    ours = _side(case) in ("taker", "partner")
    better = case.better("half") if ours else case.rarer("half")
    return _feeds(case) and _winning(case) in _friends(case) and better


def _fr_low(case: Case) -> bool:
    def worth(card: str) -> float:
        return 4.5 if card in BOUTS or card[1:] == "K" else {"Q": 3.5, "N": 2.5, "J": 1.5}.get(card[1:], 0.5)

    least = min(map(worth, case.legal))
    return bool(case.trick) and not case.stands_highest(case.card) and worth(case.card) == least


def _solved(case: Case) -> bool:
    """Whether nothing better is found with open cards."""
    calm = policies(case.rules).calm(case.rules)
    values = opened.worths(calm, case.truth, case.me, opened.Allowance(nodes=1 << 22))
    if not values or case.hint.action not in values:
        return case.thought.found.race is None
    return values[case.hint.action] == max(values.values())


PRINCIPLES: dict[str, Callable[[Case], bool]] = {
    "F1.4": _f1_4,
    "F1.7": _f1_7,
    "F1.9": _f1_9,
    "F1.11": _f1_11,
    "F1.12": _f1_12,
    "F1.13": _f1_13,
    "F1.14": _f1_14,
    "F1.15": _f1_15,
    "F1.16": _f1_16,
    "DK.trick": _dk_trick,
    "DK.king": _dk_king,
    "F2.7": _f2_7,
    "F3.1": _f3_1,
    "F3.2": _f3_2,
    "F3.3": _f3_3,
    "F3.5": _f3_5,
    "F3.22": _f3_22,
    "F3.23": _f3_23,
    "F4.2": _f4_2,
    "F5.3": _f5_3,
    "F5.4": _f5_4,
    "F5.6": _f5_6,
    "F5.8": _f5_8,
    "F6.1": _f6_1,
    "F6.8": _f6_8,
    "F7.1": _f7_1,
    "F7.2": _f7_2,
    "F7.3": _f7_3,
    "F7.4": lambda case: case.card == "T0" and len(case.hand) <= 3,
    "F7.5": lambda case: isinstance(case.hint.action, e.Bid),
    "F7.6": _f7_6,
    "FR.call": _fr_call,
    "FR.slam": lambda case: isinstance(case.hint.action, e.Decline) and case.share("slam") < 0.5,
    "FR.excuse": _fr_excuse,
    "FR.petit.save": lambda case: (
        case.card == "T1" and case.rarer("petitLost") and case.share("petitLost") <= 0.1
    ),
    "FR.petit.hunt": lambda case: (
        not case.trick and case.card[0] == "T" and "T1" in case.elsewhere and case.better("petitWon")
    ),
    "FR.petit.bout": lambda case: "T1" in case.hand and case.card != "T1" and case.better("petitBout"),
    "FR.trumps": lambda case: (
        not case.trick and case.card[0] == "T" and case.card != "T0" and bool(case.of("T", case.elsewhere))
    ),
    "FR.long": _fr_long,
    "FR.master": _fr_master,
    "FR.force": _fr_force,
    "FR.return": _fr_return,
    "FR.ruff": _fr_ruff,
    "FR.win": _fr_win,
    "FR.feed": _fr_feed,
    "FR.low": _fr_low,
    "solved": _solved,
}
