"""Reviews: the same from wherever a deal comes, no harsher than the doubt allows, exact if all is known."""

from __future__ import annotations

from random import Random

import msgspec
import pytest

from live import Evening, bots
from rulebook.test_sample_game import played as sample_game
from tutor.walking import PEOPLE, strict, teller
from ultimo import events as e
from ultimo import record, rulebook
from ultimo.cards import UNSEEN
from ultimo.names import LANGUAGES
from ultimo.play.choices import Choices
from ultimo.players import Match, View, create
from ultimo.players.expert.expert import Judgement
from ultimo.players.policy.levels import Club
from ultimo.record import jsonl, sheet
from ultimo.record.model import Entry, Record
from ultimo.rulebook import Rules
from ultimo.table import Settings
from ultimo.table.archive import deal_record, deal_steps, session_record
from ultimo.tutor import review as reviewing_module
from ultimo.tutor.advising import decided_by_cards
from ultimo.tutor.decisions import Decision, NoDeal, alone, deals, decisions
from ultimo.tutor.grades import GRADES, SURE, grade_of, thresholds
from ultimo.tutor.judging import NODES, judgement
from ultimo.tutor.review import CLOSER, Progress, review, reviewing
from ultimo.tutor.reviewed import Review, Reviewed
from ultimo.tutor.telling import graph, review_shown

SAMPLES = 8
MOST_CARDS = 4  # in a hand, for an error that is exactly known
MOST_DEALS = 12


def played(rules: Rules, level: str, seed: int = 1, number: int = 1) -> list[tuple[e.DealEvent, ...]]:
    """Some deals between bots of a level."""
    size = rules.sizes[0]
    match = Match(rules, PEOPLE[:size], {seat: create(level, seat) for seat in range(size)}, Random(seed))
    for _ in match.play_deals(number):
        pass
    return deals(match.log)


# --- a closer look ---------------------------------------------------------------------------------------


def test_what_may_have_been_a_mistake_near_the_end_is_looked_at_again(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    """A first look is rough; only what it leaves in doubt is worth the time of a closer one."""
    looks: list[int] = []

    def watched(
        view: View, choices: Choices, keep: e.Action | None, samples: int, nodes: int = 0
    ) -> Judgement:
        looks.append(samples)
        return judgement(view, choices, keep, samples, nodes or NODES)

    monkeypatch.setattr(reviewing_module, "judgement", watched)
    rules = rulebook.load("french4")
    for events in played(rules, "beginner", number=2):
        review(rules, events, samples=SAMPLES)
    assert 0 < looks.count(CLOSER * SAMPLES) < looks.count(SAMPLES)


# --- where a deal comes from -----------------------------------------------------------------------------


@pytest.mark.parametrize("book", ["dtf", "french4"])
def test_a_deal_gives_the_same_decisions_from_wherever_it_comes(book: str) -> None:
    evening = Evening(Settings(book, 4, bots(4), tempo="instant"), 3)
    evening.play_on(2)
    rules = evening.live.rules
    from_table: list[e.DealEvent] = [step.event for step in deal_steps(evening.log, 2)]  # type: ignore[misc]
    whole = _events(jsonl.loads(jsonl.dumps(session_record(evening.log))))
    single = _events(sheet.loads(sheet.dumps(deal_record(evening.log, 2))))
    ways = [from_table, deals(whole)[1], deals(single)[0]]
    first, second, third = (list(decisions(rules, events)) for events in ways)
    assert len(first) > 10
    assert first == second == third


def _events(read: Record) -> list[e.Event]:
    return [entry.event for entry in read.entries]


def test_a_review_comes_again_and_survives_being_stored() -> None:
    rules = rulebook.load("french3")
    (events,) = played(rules, "beginner")
    one, two = (review(rules, events, samples=SAMPLES) for _ in range(2))
    assert one == two
    assert msgspec.json.decode(msgspec.json.encode(one), type=Review) == one
    text = jsonl.dumps(Record(record.header(rules, 3), tuple(map(Entry, events))))
    assert review(rules, deals(_events(jsonl.loads(text)))[0], samples=SAMPLES) == one


def test_progress_is_told_before_the_review() -> None:
    rules = rulebook.load("french3")
    (events,) = played(rules, "beginner")
    *steps, last = reviewing(rules, events, seats=(), samples=1)
    assert isinstance(last, Review)
    assert [step.done for step in steps if isinstance(step, Progress)] == list(
        range(1, len(last.decisions) + 1)
    )


def test_what_one_seat_saw_cannot_be_reviewed() -> None:
    rules = rulebook.load("dtf")
    (events,) = played(rules, "random")
    hidden = [
        e.Dealt(tuple((UNSEEN,) * len(hand) for hand in one.hands), one.chien)
        if isinstance(one, e.Dealt)
        else one
        for one in events
    ]
    with pytest.raises(NoDeal, match="hides cards"):
        review(rules, hidden)


def test_what_does_not_begin_a_deal_is_none() -> None:
    with pytest.raises(NoDeal):
        list(decisions(rulebook.load("dtf"), ()))


# --- grades ----------------------------------------------------------------------------------------------


@pytest.mark.parametrize("book", ["dtf", "french4"])
def test_no_grade_is_worse_than_the_doubt_allows(book: str) -> None:
    rules = rulebook.load(book)
    steps = thresholds(rules)
    limits = {"slip": steps.slip, "mistake": steps.mistake, "blunder": steps.blunder}
    for loss in (0.0, 0.4, 0.5, 2.0, 5.0, 8.0, 20.0, 25.0, 60.0, 400.0):
        for error in (0.0, 0.1, 1.0, 5.0, 40.0):
            grade = grade_of(rules, loss, error)
            assert loss - SURE * error >= limits.get(grade, -1000)
            if error:
                assert GRADES.index(grade) <= GRADES.index(grade_of(rules, loss, 0.0))
    assert grade_of(rules, steps.blunder, 0.0) == "blunder"
    assert grade_of(rules, 0.0, 3.0) == "best"


class Erring:
    """A club player who errs once: where every card is known, with the worst that can be done."""

    def __init__(self) -> None:
        self.lost = 0.0
        self.done: e.Action | None = None

    def choose(self, view: View, choices: Choices, /) -> e.Action:
        if self.done is None and decided_by_cards(view, choices) and view.deal.size(view.seat) <= MOST_CARDS:
            found = judgement(alone(view), choices, samples=1)
            values = [one.points for one in found.candidates if one.points is not None]
            if found.race is None and len(set(values)) > 1:
                self.lost, self.done = max(values) - min(values), found.candidates[-1].action
                return self.done
        return Club().choose(view, choices)


@pytest.mark.parametrize(("book", "seed"), [("hermansen", 1)])
def test_an_ending_in_which_one_card_is_exactly_worse(book: str, seed: int) -> None:
    rules = rulebook.load(book)
    size = rules.sizes[0]
    erring = Erring()
    players = {seat: erring if seat == 0 else Club() for seat in range(size)}
    match = Match(rules, PEOPLE[:size], players, Random(seed))
    for _ in match.play_deals(MOST_DEALS):
        if erring.done is not None:
            break
    events = deals(match.log)[-1]
    found = review(rules, events, seats=(0,), samples=1)
    error = next(one for one in found.decisions if one.seat == 0 and one.action == erring.done)
    assert error.known
    assert error.loss == erring.lost
    assert error.error == 0.0
    assert error.grade == grade_of(rules, erring.lost, 0.0)
    assert error.sure_loss == erring.lost


# --- in words --------------------------------------------------------------------------------------------


@pytest.mark.parametrize("language", LANGUAGES)
@pytest.mark.parametrize("book", ["jensen", "french5"])
def test_a_review_in_words(book: str, language: str) -> None:
    rules = rulebook.load(book)
    (events,) = played(rules, "beginner", 2)
    found = review(rules, events, samples=SAMPLES)
    told = teller(rules, len(found.result), language)
    shown = review_shown(found, events, told, 1, "Title", lambda index: index + 1)
    assert len(shown.decisions) == len(found.decisions) == len(shown.graph) - 1
    assert shown.graph[-1] == found.result
    assert sum(map(len, (seat.worst for seat in shown.seats)))
    for seat in shown.seats:
        assert sum(seat.grades.values()) == sum(one.seat == seat.seat for one in shown.decisions)
        assert seat.luck + seat.play == pytest.approx(seat.result, abs=0.11)
        assert len(seat.sentences) == 4
    for place, (one, made) in enumerate(zip(shown.decisions, decisions(rules, events), strict=True)):
        assert one.at == place
        assert one.step == made.index + 1
        assert one.question
        assert one.label
        if one.options:
            assert [option.chosen for option in one.options].count(True) == 1
            assert one.options[0].behind == 0.0
        costly = any(place in seat.worst for seat in shown.seats)
        assert bool(one.line) == bool(one.played) == costly
        if costly:
            assert one.words
            assert one.line[0].label == one.options[0].label
            assert one.played[0].label == one.label
    assert not msgspec.json.encode(shown).count(b'"grade_word"')


def test_right_but_unlucky_is_told_so() -> None:
    rules = rulebook.load("dtf")
    (events,) = played(rules, "club", 4)
    found = review(rules, events, samples=SAMPLES)
    shown = review_shown(found, events, teller(rules, 3), 1, "", lambda index: index)
    lucky = [
        one.words[0].startswith("Right by what")
        for one, given in zip(shown.decisions, found.decisions, strict=True)
        if given.unlucky and given.sure_loss == 0
    ]
    assert lucky
    assert all(lucky)


def test_how_far_the_next_best_lay_behind_is_told_where_it_is_sure() -> None:
    rules = rulebook.load("dtf")
    (events,) = played(rules, "club", 4)
    found = review(rules, events, samples=SAMPLES)
    shown = review_shown(found, events, teller(rules, 3), 1, "", lambda index: index, better_lines=False)
    pairs = list(zip(shown.decisions, found.decisions, strict=True))
    told = {one.at for one, _ in pairs if any("the next best" in text for text in one.words)}
    sure = {one.at for one, given in pairs if given.found >= thresholds(rules).slip and not given.unlucky}
    assert told
    assert told == sure
    assert all(one.principle for one, _ in pairs if one.at in told)
    assert not any(one.line for one in shown.decisions)


def test_nothing_is_expected_before_it_can_be() -> None:
    forced = Reviewed(1, 0, "play", 0, e.Accept(), "forced")
    bare = Review("dtf", "", (forced, forced), (3, -3, 0), (1.0, -1.0, 0.0))
    assert list(graph(bare)) == [(1.0, -1.0, 0.0)] * 2 + [(3.0, -3.0, 0.0)]


@pytest.mark.parametrize("level", ["random", "club"])
def test_a_strict_table_can_be_reviewed(level: str) -> None:
    """What is an error there, or said besides, is not judged."""
    rules = strict("dtf")
    for events in played(rules, level, 5, 3):
        found = review(rules, events, samples=2)
        made: list[Decision] = list(decisions(rules, events))
        assert len(found.decisions) == len(made)
        assert review_shown(found, events, teller(rules, 3, "de"), 1, "", lambda index: index).seats


# --- the book --------------------------------------------------------------------------------------------


def test_in_the_annotated_game_nothing_is_worse_than_a_slip() -> None:
    evening = sample_game("hermansen")
    (events,) = deals(evening.log)
    found = review(evening.rules, events)
    assert {one.grade for one in found.decisions} <= {"forced", "best", "fine", "slip"}
    assert sum(one.grade == "slip" for one in found.decisions) < len(found.decisions) / 6
