"""What is advised without reckoning: what has to be done anyhow, and what a club player would do.

It needs neither the compiler nor numpy; where both are there, `hinting` asks the expert and says more.
"""

from __future__ import annotations

from collections.abc import Iterator

from ultimo import danish, deal
from ultimo import events as e
from ultimo.play.choices import Actions, Choices
from ultimo.players import View
from ultimo.players.policy.danish import SAID
from ultimo.players.policy.levels import Club, errand, policies
from ultimo.players.reasons import Reason
from ultimo.telling.teller import Teller
from ultimo.tutor import facts
from ultimo.tutor.decisions import alone
from ultimo.tutor.evidence import Evidence
from ultimo.tutor.facts import Fact
from ultimo.tutor.reviewed import Worth
from ultimo.tutor.shown import AgainstShown, CandidateShown, HintShown
from ultimo.tutor.words import Words

SHOWN = 8  # candidates

# --- what there is to decide -----------------------------------------------------------------------------


def decided_by_cards(view: View, choices: Choices) -> bool:
    """Whether there is something to judge: more than one thing to do, and the cards decide which."""
    return errand(view, choices) is None and len(weighable(view, choices)) > 1


def weighable(view: View, choices: Choices) -> Choices:
    """Those of the choices that the cards decide between: no errors, and nothing that is said besides."""
    if view.rules.family == "french":
        return choices
    may = deal.legal(policies(view.rules).calm(view.rules), view.deal, view.seat)
    said = () if view.deal.phase == "play" else SAID
    offers = (
        Actions(tuple(one for one in offer if isinstance(one, said))) if isinstance(offer, Actions) else offer
        for offer in may.offers
    )
    return Choices(tuple(offer for offer in offers if len(offer)))


def due(view: View, choices: Choices) -> e.Action | None:
    """What is to be done without thinking of the cards, or because there is nothing else."""
    if (found := errand(view, choices)) is not None:
        return found
    weighed = weighable(view, choices)
    return next(iter(weighed)) if len(weighed) == 1 else None


def check(choices: Choices, against: e.Action | None) -> None:
    """Refuse to say anything against what cannot be done."""
    if against is not None and against not in choices:
        raise e.IllegalAction("notNow")


# --- where nothing is to be decided ----------------------------------------------------------------------


def plain(view: View, choices: Choices, words: Words, due: e.Action, against: e.Action | None) -> HintShown:
    """The hint to do what is due."""
    state = view.deal
    label = words.label(state, due)
    answer = None
    if against is not None:
        other = words.label(state, against)
        sentence = words.text("against.best", other=other)
        if against != due:
            sentence = words.text("against.honest", best=label, other=other)
        answer = AgainstShown(other, words.cards(against), None, None, (sentence,))
    return HintShown(
        due,
        words.cards(due),
        words.advice(state, due),
        (_reason(words, choices, due),),
        (),
        (CandidateShown(label, words.cards(due), due),),
        (),
        heads(view, words),
        answer,
    )


def _reason(words: Words, choices: Choices, due: e.Action) -> str:
    if len(choices) == 1 or isinstance(due, e.Play | e.Lay):
        return words.text("hint.only")
    if isinstance(due, e.Declare):
        return words.principle("declare")
    return words.principle("chance" if isinstance(due, e.Cut) else "honest")


# --- what a club player would do -------------------------------------------------------------------------


def club_hint(view: View, choices: Choices, teller: Teller, against: e.Action | None = None) -> HintShown:
    """What a club player would do now, and by which principle; with `against` also rather than that.

    The candidates stand in the player's order, without points: it weighs, and reckons with no worlds.
    Raises `IllegalAction` if `against` cannot be.
    """
    check(choices, against)
    seen, words = alone(view), Words(teller)
    if (must := due(seen, choices)) is not None:
        return plain(seen, choices, words, must, against)
    weighed = weighable(seen, choices)
    advised = Club().explain(seen, weighed)
    on = Evidence(seen, weighed, (Worth(advised.action, 0.0),))
    principle, rest = (facts.Advice(advised.principle),), (facts.Aim(advised.role), *said(seen))
    return HintShown(
        advised.action,
        words.cards(advised.action),
        words.advice(seen.deal, advised.action),
        (*facts.told(principle, on, words), words.text("hint.club"), *facts.told(rest, on, words)),
        (),
        tuple(_candidates(seen, words, advised, against if against in weighed else None)),
        (),
        heads(seen, words),
        None if against is None else _rather(seen, words, weighed, advised.action, against),
    )


def _candidates(
    view: View, words: Words, advised: Reason, against: e.Action | None
) -> Iterator[CandidateShown]:
    """What is advised first; what was asked about is always there."""
    others = dict.fromkeys((advised.action, *(one.action for one in advised.candidates)))
    shown = dict.fromkeys([*others][:SHOWN] + ([] if against is None else [against]))
    for action in shown:
        yield CandidateShown(words.label(view.deal, action), words.cards(action), action)


def _rather(view: View, words: Words, weighed: Choices, advised: e.Action, against: e.Action) -> AgainstShown:
    """That what is advised is preferred to something else."""
    best, other = words.label(view.deal, advised), words.label(view.deal, against)
    if against == advised:
        return AgainstShown(other, words.cards(against), 0.0, 0.0, (words.text("against.best", other=other),))
    told = (
        words.text("against.club", other=other, best=best)
        if against in weighed
        else unweighed(words, against, other, best)
    )
    return AgainstShown(other, words.cards(against), None, None, (told,))


# --- what every hint has ---------------------------------------------------------------------------------


def unweighed(words: Words, action: e.Action, label: str, best: str) -> str:
    """What is said of something that the cards do not decide about."""
    key = "wrong" if isinstance(action, e.Play | e.Lay) else "unlike"
    return words.text(f"against.{key}", other=label, best=best)


def heads(view: View, words: Words) -> tuple[str, ...]:
    """The names of the places where a card may lie."""
    return (*words.teller.players, words.teller.text(view.deal.aside.kind))


def said(view: View) -> Iterator[Fact]:
    """What the others have said that matters."""
    state, me = view.deal, view.seat
    if isinstance(state, danish.State):
        for seat, made in enumerate(state.declared):
            if made and seat != me:
                yield facts.Declared(seat, made)
    else:
        for shown in state.poignees:
            if shown.seat != me:
                yield facts.Showed(shown.seat, shown.size)
    for seat, kind in facts.announced(view):
        if seat != me:
            yield facts.Announced(seat, kind)
