"""A review as people read it: every decision with its grade and words, and the better lines of play."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence

from ultimo import deal
from ultimo import events as e
from ultimo.players.policy.levels import Club
from ultimo.rulebook import Rules
from ultimo.telling.teller import Teller
from ultimo.tutor import lines
from ultimo.tutor.advising import weighable
from ultimo.tutor.decisions import Decision, decisions
from ultimo.tutor.grades import COSTLY, GRADES, Grade, grade_of, thresholds
from ultimo.tutor.reviewed import Review, Reviewed, Worth, standing
from ultimo.tutor.school.course import lesson, taught_in
from ultimo.tutor.shown import (
    DecisionShown,
    LessonLink,
    LineStep,
    OptionShown,
    ReviewedSeat,
    ReviewShown,
    ThresholdsShown,
)
from ultimo.tutor.words import Words, trick_of


def review_shown(
    review: Review,
    events: Sequence[e.DealEvent],
    teller: Teller,
    number: int,
    title: str,
    step_of: Callable[[int], int],
    better_lines: bool = True,
) -> ReviewShown:
    """A review in words; `step_of` gives the frame of a replay for the index of an event in the deal.

    The better lines of play are searched for, which takes a while and need not be.
    """
    words, rules = Words(teller), teller.rules
    made = list(decisions(rules, events))
    told = {place for seat in range(len(review.result)) for place in review.worst(seat)}
    shown = []
    for place, (one, decision) in enumerate(zip(review.decisions, made, strict=True)):
        line: tuple[LineStep, ...] = ()
        played: tuple[LineStep, ...] = ()
        if place in told and better_lines:
            best = one.options[0].action
            line = _steps(words, lines.better(rules, events, decision, best, one.proven))
            played = _steps(words, lines.played(made, place))
        shown.append(_decision(words, rules, place, one, decision, step_of(one.index), line, played))
    steps = thresholds(rules)
    active = deal.replay(rules, events).active
    return ReviewShown(
        number,
        title,
        rules.family,
        tuple(_seat(words, review, seat, seat in active) for seat in range(len(review.result))),
        tuple(shown),
        tuple(graph(review)),
        ThresholdsShown(steps.slip, steps.mistake, steps.blunder),
        words.text(
            "review.note",
            slip=words.number(steps.slip),
            mistake=words.number(steps.mistake),
            blunder=words.number(steps.blunder),
        ),
    )


def graph(review: Review) -> Iterator[tuple[float, ...]]:
    """What every seat could expect before each decision, and last what they got."""
    present = review.luck
    for one in review.decisions:
        present = one.outlook or present
        yield present
    yield tuple(map(float, review.result))


def _steps(words: Words, steps: Sequence[lines.Step]) -> tuple[LineStep, ...]:
    return tuple(words.step(step.before, step.seat, step.action) for step in steps)


# --- a decision ------------------------------------------------------------------------------------------


def _decision(
    words: Words,
    rules: Rules,
    place: int,
    one: Reviewed,
    made: Decision,
    step: int,
    line: tuple[LineStep, ...],
    played: tuple[LineStep, ...],
) -> DecisionShown:
    state, advice = made.truth, principle(one, made)
    return DecisionShown(
        at=place,
        step=step,
        seat=one.seat,
        trick=trick_of(state),
        question=words.asked(state, one.seat, one.action),
        label=words.label(state, one.action),
        cards=words.cards(one.action),
        action=one.action,
        grade=one.grade,
        grade_word=words.text(f"grades.{one.grade}"),
        loss=round(one.loss, 2),
        error=round(one.error, 2),
        open_loss=None if one.open_loss is None else round(one.open_loss, 2),
        proven=one.proven,
        words=tuple(sentences(words, one, state)),
        principle=words.principle(advice),
        lesson=_lesson(words, advice),
        options=tuple(_options(words, rules, one, state)),
        line=line,
        played=played,
    )


def sentences(words: Words, one: Reviewed, state: deal.State) -> Iterator[str]:
    """What is said about a decision; nothing where there was none."""
    if len(one.options) < 2:
        return
    player = words.teller.players[one.seat]
    best = words.label(state, one.options[0].action)
    values = {"best": best, "points": words.points(one.loss), "error": words.number(one.error)}
    if one.unlucky and one.sure_loss == 0:
        opened = max(one.options, key=lambda worth: -1e9 if worth.open is None else worth.open)
        points, label = words.points(one.open_loss or 0.0), words.label(state, opened.action)
        yield words.text("review.unlucky", player=player, best=label, points=points)
    elif one.grade == "best":
        yield words.text("review.none")
        yield from _next_best(words, one, state)
    elif one.grade == "fine":
        yield words.text("review.unsure", **values)
    if one.grade in COSTLY:
        yield words.text("review.lostKnown" if one.known else "review.lost", player=player, **values)
        yield from _as_it_lay(words, one)


def _next_best(words: Words, one: Reviewed, state: deal.State) -> Iterator[str]:
    """How far the next best lay behind what was done, where that is sure."""
    if one.found < thresholds(words.teller.rules).slip:
        return
    behind = one.options[1]
    yield words.text(
        "review.nextKnown" if one.known else "review.next",
        player=words.teller.players[one.seat],
        next=words.label(state, behind.action),
        points=words.points(behind.behind),
        error=words.number(behind.error),
    )


def _as_it_lay(words: Words, one: Reviewed) -> Iterator[str]:
    """What a costly decision cost with all cards open."""
    if one.open_loss is None or one.known:
        return
    if one.open_loss <= 0:
        yield words.text("review.lucky")
    else:
        key = "review.openProven" if one.proven else "review.open"
        yield words.text(key, points=words.points(one.open_loss))


def principle(one: Reviewed, made: Decision) -> str:
    """The number of the advice that is true of the best action, or how that was found."""
    if len(one.options) < 2:
        return ""
    advised = Club().choose(made.view, weighable(made.view, made.choices))
    if one.options[0].does(advised) and one.principle:
        return one.principle
    told = one.grade in COSTLY or one.found >= thresholds(made.view.rules).slip
    return ("solved" if one.known else "search") if told else ""


def _lesson(words: Words, advice: str) -> LessonLink | None:
    """The lesson that teaches a principle, if one does."""
    name = taught_in(advice)
    if name is None:
        return None
    found, language = lesson(name), words.teller.words.language
    return LessonLink(name, found.pen(language).write(found.title))


def _options(words: Words, rules: Rules, one: Reviewed, state: deal.State) -> Iterator[OptionShown]:
    """What could have been done, the best first; what comes to the same stands side by side."""
    if len(one.options) < 2:
        return
    for place, (worth, place_held) in enumerate(zip(one.options, standing(rules, one.options), strict=True)):
        grade: Grade = "best" if place == 0 else grade_of(rules, worth.behind, worth.error)
        for action in _alike(worth, one.action):
            yield OptionShown(
                words.label(state, action),
                words.cards(action),
                action,
                round(one.options[0].points - worth.behind, 2),
                round(worth.behind, 2),
                round(worth.error, 2),
                None if worth.open is None else round(worth.open, 2),
                action == one.action,
                grade,
                place_held,
            )


def _alike(worth: Worth, done: e.Action) -> tuple[e.Action, ...]:
    """An action and those that come to the same, what was done first."""
    some = dict.fromkeys((worth.action, *worth.same))
    return tuple(sorted(some, key=lambda action: action != done))


# --- a seat ----------------------------------------------------------------------------------------------


def _seat(words: Words, review: Review, seat: e.Seat, plays: bool) -> ReviewedSeat:
    mine = [one for one in review.decisions if one.seat == seat]
    lost = sum(one.sure_loss for one in mine)
    return ReviewedSeat(
        seat,
        words.teller.players[seat],
        plays,
        review.result[seat],
        round(review.luck[seat], 1),
        round(review.play(seat), 1),
        round(lost, 1),
        tuple(review.worst(seat)),
        {grade: sum(one.grade == grade for one in mine) for grade in GRADES},
        tuple(_summary(words, review, seat, lost)) if plays else (),
    )


def _summary(words: Words, review: Review, seat: e.Seat, lost: float) -> Iterator[str]:
    """What a seat got, how much of it lay in the cards, and what its own decisions cost."""
    player, result = words.teller.players[seat], words.signed_points(review.result[seat])
    yield words.text("review.result", player=player, points=result)
    yield words.text("review.luck", points=words.signed_points(review.luck[seat]))
    yield words.text("review.skill", points=words.signed_points(review.play(seat)))
    if round(lost, 1) > 0:
        yield words.text("review.cost", points=words.points(lost))
    else:
        yield words.text("review.clean")
