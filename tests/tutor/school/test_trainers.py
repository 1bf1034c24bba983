"""Trainers ask without an end and never the same twice; whatever they say can be answered and understood."""

from __future__ import annotations

import re
import subprocess
import sys
from collections.abc import Iterator
from random import Random

import msgspec
import pytest
from msgspec.structs import replace

from ultimo import danish, deal, french
from ultimo import events as e
from ultimo.cards import ALL_CARDS, ALL_TRUMPS, COURTS, KINGS, SUIT_CARDS, TRUMPS, cards, mask
from ultimo.danish.declarations import declarations
from ultimo.kernel.dice import generator
from ultimo.kernel.worlds.draw import sampler
from ultimo.kernel.worlds.knowledge import heard, knowledge
from ultimo.names import LANGUAGES, schooling
from ultimo.rulebook import DanishRules, FrenchRules, Rules, ids, load
from ultimo.telling.writer import CardRows, Grid
from ultimo.tutor.school.course import UnknownExercise, UnknownLesson, exercise, lesson
from ultimo.tutor.school.exercises import Answer, BadAnswer, Choice, Exercise, Number, Pick, Question, Widget
from ultimo.tutor.school.trainers import (
    TRAINERS,
    Trainer,
    UnknownTrainer,
    bidding,
    counting,
    inference,
    score,
    trainer,
)
from ultimo.tutor.school.trainers import declarations as declarations_trainer
from ultimo.tutor.school.trainers.deals import Dealt, played
from ultimo.tutor.school.trainers.declarations import Hand
from ultimo.tutor.school.trainers.laying import Laying
from ultimo.tutor.school.trainers.seen import Seen
from ultimo.tutor.school.trainers.skat import Skat, distance

EVERY = [pytest.param(one, id=one.id) for one in TRAINERS.values()]
ASKED = {False: 200, True: 20}  # of a run by the usual rulebook; fewer where it takes long
FEW = {False: 6, True: 2}  # by each other one
PLACES = re.compile(r"\{[^}]*\}")
HUGE = ("0",) * 10_000
JUDGED = ("skat", "ecart", "bidding")  # where several answers may be right
QUICK = 48  # worlds an answer


def some_answer(widget: Widget) -> Answer:
    match widget:
        case Choice() | Number():
            return ("0",)
        case Pick(cards=cards, count=count, barred=barred):
            return tuple([card for card in cards if card not in barred][:count])


def quick(asked: Exercise) -> Exercise:
    """The same question, judged in few worlds."""
    return replace(asked, samples=QUICK) if isinstance(asked, Laying | bidding.Bidding) else asked


def other_answer(widget: Widget, right: Answer) -> Answer:
    """An answer that is not right: another number, or something else of the options."""
    match widget:
        case Number():
            return (str(int(right[0]) + 1),)
        case Choice(options=options):
            return tuple(str(one) for one in range(len(options)) if str(one) not in right)[:1] or right[:1]
        case Pick():
            raise NotImplementedError("what is as good, only a judge knows")


def impossible(widget: Widget) -> list[Answer]:
    match widget:
        case Choice(options=options):
            return [(), ("-1",), (str(len(options)),), ("0", "0"), ("x",), ("٣",), HUGE]
        case Number():
            return [(), ("",), ("1.5",), ("1e9",), ("9" * 5000,), ("٣",), ("1", "2"), HUGE]
        case Pick(cards=cards, barred=barred):
            return [(), cards[:1] * 3, ("SK",) * 3, ("??",), cards, (*barred[:1], *cards), HUGE]


@pytest.mark.parametrize("one", EVERY)
def test_a_trainer_has_a_name_and_rulebooks_of_its_game(one: Trainer) -> None:
    assert load(one.books[0]).family == one.family
    families = [load(book).family for book in one.books]
    assert families == sorted(families, key=families.index)  # those of one game side by side
    for language in LANGUAGES:
        words = schooling(language)
        assert words[f"trainers.{one.id}.title"]
        assert words[f"trainers.{one.id}.about"]


@pytest.mark.parametrize("one", EVERY)
def test_a_run_is_the_same_every_time_and_nothing_in_it_comes_twice(one: Trainer) -> None:
    for book in one.books:
        rules, few = load(book), FEW[one.heavy]
        asked = ASKED[one.heavy] if book == one.books[0] else few
        first = [one.ask(rules, "7", n).question("en") for n in range(asked)]
        again = [one.ask(rules, "7", n).question("en") for n in range(few)]
        other = [one.ask(rules, "8", n).question("en") for n in range(few)]
        assert first[:few] == again
        written = [msgspec.json.encode(question) for question in first]
        assert len(set(written)) == asked
        assert not set(written) & set(map(msgspec.json.encode, other))


@pytest.mark.parametrize("one", EVERY)
def test_a_trainer_accepts_its_own_answer_in_every_language_and_refuses_what_is_none(one: Trainer) -> None:
    for book in one.books:
        for n in range(1 if one.heavy else 4):
            asked = quick(one.ask(load(book), "7", n))
            answers = set()
            for language in LANGUAGES:
                question = asked.question(language)
                told = asked.verdict(some_answer(question.widget), language)
                assert asked.verdict(told.answer, language).right
                if one.id not in JUDGED:
                    assert not asked.verdict(other_answer(question.widget, told.answer), language).right
                assert question.text
                assert told.text
                assert "{" not in question.text + told.text
                answers.add(told.answer)
            assert len(answers) == 1
            for bad in impossible(question.widget):
                with pytest.raises(BadAnswer):
                    asked.verdict(bad, "en")


@pytest.mark.parametrize("language", LANGUAGES)
def test_the_words_of_the_school_have_the_same_places_in_every_language(language: str) -> None:
    first, other = schooling(LANGUAGES[0]), schooling(language)
    assert {key: set(PLACES.findall(text)) for key, text in other.items()} == {
        key: set(PLACES.findall(text)) for key, text in first.items()
    }


def test_an_unknown_trainer_or_exercise_is_an_error_of_its_own() -> None:
    with pytest.raises(UnknownTrainer):
        trainer("no such")
    with pytest.raises(UnknownLesson):
        exercise("no such", 0)
    for number in (-1, len(lesson("whip-sums").exercises), 10**9):
        with pytest.raises(UnknownExercise):
            exercise("whip-sums", number)


def test_an_exercise_of_a_lesson_speaks_by_its_rulebook() -> None:
    asked, taught = exercise("whip-sums", 0), lesson("whip-sums")
    assert asked.question("da") == taught.exercises[0].question(taught.pen("da"))
    answer = asked.verdict(("999",), "en")
    assert not answer.right
    assert asked.verdict(answer.answer, "en").right


def test_the_school_can_be_listed_without_the_compiler() -> None:
    """The server knows every lesson and trainer, and never loads numba."""
    code = (
        "import sys, ultimo.tutor.school.course, ultimo.tutor.school.trainers; print('numba' in sys.modules)"
    )
    done = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, check=True)
    assert done.stdout == "False\n"


# --- declarations ----------------------------------------------------------------------------------------


def hand_of(question: Question) -> tuple[str, ...]:
    (block,) = question.blocks
    assert isinstance(block, CardRows)
    return block.rows[0].cards


@pytest.mark.parametrize("book", [book for book in ids() if load(book).family == "danish"])
def test_what_a_hand_declares_is_what_the_rules_say(book: str) -> None:
    rules = load(book)
    assert isinstance(rules, DanishRules)
    kinds = set()
    for n in range(40):
        asked = declarations_trainer.ask(rules, "kinds", n)
        question = asked.question("en")
        widget = question.widget
        assert isinstance(widget, Choice)
        hand = mask(" ".join(hand_of(question)))
        assert hand.bit_count() == 25
        due = declarations(rules, hand)
        told = asked.verdict((str(len(widget.options) - 1),), "en")
        assert told.right == (not due)
        assert len(told.answer) == max(1, len(due))
        kinds |= {one.kind for one in due}
    assert kinds >= {"tarok", "matadors", "half"}


def test_the_verdict_says_what_is_there_and_what_is_missing() -> None:
    rules = load("dtf")
    assert isinstance(rules, DanishRules)
    held = "SK SQ SN T0 T20 T19 T18 T9 T8 T7 S2 S3 S4 H1 H2 H3 C1 C2 C3 C4 D1 D2 D3 D4 D5"
    asked = Hand(rules, mask(held))
    widget = asked.question("en").widget
    assert isinstance(widget, Choice)
    half = widget.options.index("Half spades without the jack")
    matadors = widget.options.index("3 matadors")
    told = asked.verdict((str(matadors),), "en")
    assert not told.right
    assert told.answer == (str(half),)
    assert (
        "Half spades without the jack: three of the four court cards, and the skus (5 points)." in told.text
    )
    assert "Missing for matadors: T21 T1." in told.text
    (block,) = told.blocks
    assert isinstance(block, CardRows)
    assert set(block.rows[0].marked) == {"SK", "SQ", "SN", "T0"}
    assert asked.verdict((str(half),), "da").text.startswith("Rigtigt. ")


# --- score -----------------------------------------------------------------------------------------------


@pytest.mark.parametrize("book", TRAINERS["score"].books)
def test_what_a_deal_brings_is_what_the_settlement_says(book: str) -> None:
    """The settlement from the score sheet alone comes to the same as the deal, payment by payment."""
    rules = load(book)
    for n in range(10):
        asked = score.ask(rules, "sheet", n)
        opened, state = asked.deal.log[0], asked.deal.state
        assert isinstance(opened, e.Opened)
        if isinstance(state, danish.State):
            outcome: danish.Outcome | french.Outcome = replace(
                danish.outcome_of(state, state.counts), king=opened.king, pagat=opened.pagat
            )
        else:
            assert isinstance(rules, FrenchRules)
            outcome = french.outcome_of(rules, state)
        paid = e.balances(deal.settle(rules, outcome).transfers)[asked.seat]
        assert asked.verdict((str(paid),), "en").right
        assert not asked.verdict((str(paid + 5),), "en").right


def test_the_scores_asked_for_have_every_kind_of_payment() -> None:
    paid = {
        book: {one.reason for n in range(60) for one in score.ask(load(book), "kinds", n).deal.transfers}
        for book in ("dtf", "french4")
    }
    assert paid["dtf"] >= {
        *("kingUltimo", "kingBagud", "pagatUltimo", "lastTrick", "nolo", "count"),
        *("declaration", "kingLost", "pagatLost", "pagatHome", "ante"),
    }
    assert paid["french4"] >= {"contract", "petitAuBout", "poignee"}


# --- counting --------------------------------------------------------------------------------------------


@pytest.mark.parametrize("book", TRAINERS["counting"].books)
def test_trumps_are_counted_as_they_lie_on_the_table(book: str) -> None:
    rules = load(book)
    every = ALL_TRUMPS if rules.family == "danish" else TRUMPS
    for n in range(12):
        asked = counting.ask(rules, "table", n)
        block = asked.question("en").blocks[1]
        assert isinstance(block, CardRows)
        shown = mask(" ".join(card for row in block.rows for card in row.cards))
        marked = asked.verdict(("0",), "en").blocks[1]
        assert isinstance(marked, CardRows)
        assert mask(" ".join(card for row in marked.rows for card in row.marked)) == shown & every
        if asked.kind == "out":
            assert asked.verdict((str((every & ~shown).bit_count()),), "en").right


def test_the_french_way_of_counting_has_tens_for_the_left_and_units_for_the_right() -> None:
    found = (counting.ask(load("dtf"), "pairs", n) for n in range(40))
    asked = next(one for one in found if one.kind == "both")
    told = asked.verdict(("0",), "en")
    left, right = divmod(int(told.answer[0]), 10)
    assert f"Right {right}, Left {left}," in told.text
    assert f"Left {left}, right {right}: {told.answer[0]}." in told.text


# --- inference -------------------------------------------------------------------------------------------


def deals_to_read(book: str, many: int) -> Iterator[Dealt]:
    """Deals with some tricks played, the next to be led."""
    for n in range(many):
        yield played(
            load(book),
            Random(f"read {book} {n}"),
            lambda state, n=n: state.phase == "play" and len(state.tricks) == n and not state.trick,  # type: ignore[misc]
        )


@pytest.mark.parametrize("book", TRAINERS["inference"].books)
def test_the_truth_is_always_among_what_is_possible(book: str) -> None:
    for found in deals_to_read(book, 3):
        state = found.state
        assert isinstance(state, danish.State)
        rows = (*state.hands, state.skat)
        for seat in state.order:
            seen = Seen(found.rules, found.view(seat), seat)
            told = found.seen_by(seat)
            for card in cards(inference.KEYS & ~(seen.state.hands[seat] | seen.state.laid)):
                if any(row & card.bit for row in rows):
                    possible = inference.Where(seen, told, card).possible
                    assert next(place for place, row in enumerate(rows) if row & card.bit) in possible
            for other in seen.others:
                if other != state.dealer:
                    least, most = inference.Split(seen, told, "least", other).bounds
                    dealt = (state.hands[other] | seen.played(other)) & ALL_TRUMPS
                    assert least <= dealt.bit_count() <= most


def test_what_is_concluded_is_so_in_every_world() -> None:
    """Worlds that are drawn without a supposition never go beyond what was found with one."""
    for found in deals_to_read("dtf", 4):
        seat = found.state.active[0]
        told, seen = found.seen_by(seat), Seen(found.rules, found.view(seat), seat)
        worlds = sampler(knowledge(found.rules, seen.state, heard(told))).draw(300, generator(5, 5))
        hidden = cards(inference.KEYS & ~(seen.state.hands[seat] | sum(map(seen.played, seen.order))))
        drawn = [worlds.rows(number) for number in range(len(worlds))]
        for card in hidden:
            lies = {place for world in drawn for place, row in enumerate(world) if row & card.bit}
            assert lies <= inference.Where(seen, told, card).possible
        other = next(one for one in seen.others if one != found.state.dealer)
        least, most = inference.Split(seen, told, "most", other).bounds
        counts = {((world[other] | seen.played(other)) & ALL_TRUMPS).bit_count() for world in drawn}
        assert least <= min(counts)
        assert max(counts) <= most


def test_a_question_knows_nothing_of_hidden_cards() -> None:
    """Two cards that nobody has seen change hands, and what is asked and answered stays the same."""
    found = next(deals_to_read("dtf", 1))
    me, one, two = found.state.active
    swapped = exchanged(found, one, two)
    assert swapped.state.hands != found.state.hands
    for deal_ in (found, swapped):
        assert deal_.seen_by(me) == found.seen_by(me)
    seen = [Seen(each.rules, each.view(me), me) for each in (found, swapped)]
    card = cards(inference.KEYS & ~seen[0].state.hands[me])[0]
    asked = [inference.Where(one, found.seen_by(me), card) for one in seen]
    assert asked[0].question("en") == asked[1].question("en")
    assert asked[0].verdict(("0",), "en") == asked[1].verdict(("0",), "en")


def exchanged(found: Dealt, one: int, two: int) -> Dealt:
    """The same deal, but two small cards of the same suit have changed hands before anybody saw them."""
    spades = SUIT_CARDS[0] & ~COURTS
    ours, theirs = (cards(found.state.hands[seat] & spades)[0] for seat in (one, two))
    other = {ours: theirs, theirs: ours}

    def changed(event: e.DealEvent) -> e.DealEvent:
        if not isinstance(event, e.Dealt):
            return event
        return replace(
            event, hands=tuple(tuple(other.get(card, card) for card in hand) for hand in event.hands)
        )

    log = tuple(map(changed, found.log))
    return Dealt(found.rules, deal.replay(found.rules, log), log)


def test_the_books_own_deductions_are_found() -> None:
    """With four trumps and no declaration the others have nine each (the book's b)."""
    rules = load("hermansen")
    for n in range(400):
        found = played(rules, Random(n), lambda state: state.phase == "play")
        dealer = found.state.dealer
        state = found.state
        assert isinstance(state, danish.State)
        own = ((state.hands[dealer] | state.skat) & ALL_TRUMPS).bit_count()
        if own == 4 and not any(one.kind == "tarok" for made in state.declared for one in made or ()):
            break
    seen = Seen(rules, found.view(dealer), dealer)
    for other in seen.others:
        asked = inference.Split(seen, found.seen_by(dealer), "least", other)
        assert asked.bounds == (9, 9)
        told = asked.verdict(("8",), "en")
        assert not told.right
        assert "There are 22 trumps, the skus included, and you were dealt 4." in told.text
        assert "was dealt exactly 9." in told.text


# --- skat, écart, bidding --------------------------------------------------------------------------------


def layings() -> list[tuple[str, str]]:
    return [(name, book) for name in ("skat", "ecart") for book in TRAINERS[name].books]


@pytest.mark.parametrize(("name", "book"), layings())
def test_a_laying_is_judged_and_told_beside_the_clubs_and_the_best(name: str, book: str) -> None:
    asked = TRAINERS[name].ask(load(book), "judged", 0)
    assert isinstance(asked, Laying)
    asked = replace(asked, samples=QUICK)
    widget = asked.question("en").widget
    assert isinstance(widget, Pick)
    free = [card for card in widget.cards if card not in widget.barred]
    assert len(widget.cards) == asked.hand.bit_count()
    assert mask(" ".join(widget.barred)) & KINGS == asked.hand & KINGS
    told = asked.verdict(tuple(free[: widget.count]), "en")
    table = told.blocks[-1]
    assert isinstance(table, Grid)
    assert [row[0] for row in table.rows] == ["Yours", "Club player", "Best"]
    assert table.rows[-1][-1] == "0 ± 0"
    left = asked.hand.bit_count() - widget.count
    for row in table.rows:
        assert int(row[2]) + sum(int(part[1:]) for part in row[3].split()) == left
    assert asked.verdict(told.answer, "en").right


def test_laying_away_the_strength_of_a_hand_is_wrong() -> None:
    """The book's hand 8-1: queens and knights beside kings go, and a suit with them."""
    held = "T20 T17 T14 T11 T10 T7 T5 T3 SK SQ S6 S5 S4 S2 S1 HK CQ CN C8 C5 C3 DK DN DJ D1 D3 D4 D5"
    asked = Skat(*dealers("hermansen", held), samples=240)
    told = asked.verdict(("SQ", "CQ", "CN"), "en")
    assert not told.right
    assert "points a deal behind the best." in told.text
    assert asked.verdict(("S4", "S2", "S1"), "en").right
    assert "The club player lays the same." in asked.verdict(("S4", "S2", "S1"), "en").text


def test_three_that_may_not_be_laid_together_are_refused_with_a_reason() -> None:
    """Three trumps are laid all or none where the book says so."""
    held = "T20 T2 SK SJ S9 S8 S6 S5 S1 HN H1 H2 H7 H9 C10 C9 C8 C7 C6 C3 C2 C1 D1 D3 D7 D8 D9 D10"
    asked = Skat(*dealers("hermansen", held), samples=QUICK)
    told = asked.verdict(("T2", "S1", "C1"), "en")
    assert not told.right
    assert "may not be laid together" in told.text
    assert asked.verdict(told.answer, "en").right


def test_a_skat_is_judged_by_what_the_dealer_knows() -> None:
    held = "T20 T17 T14 T11 T10 T7 T5 T3 SK SQ S6 S5 S4 S2 S1 HK CQ CN C8 C5 C3 DK DN DJ D1 D3 D4 D5"
    one, other = (Skat(*dealers("hermansen", held, seed), samples=QUICK) for seed in (1, 2))
    assert one == other
    assert one.question("en") == other.question("en")


def dealers(book: str, held: str, seed: int = 0) -> tuple[Rules, int, deal.State]:
    """The dealer's view before the skat, with these cards; the others have any of the rest."""
    rules = load(book)
    rest = Random(seed).sample(cards(ALL_CARDS & ~mask(held)), 50)
    opened = e.Opened(3, 2, (0, 1, 2), 60, 60)
    log = list(deal.begin(rules, opened))
    state = deal.replay(rules, log)
    wishes: list[tuple[int | None, e.Action]] = [
        (None, e.Deal((tuple(rest[:25]), tuple(rest[25:]), cards(mask(held))))),
        *((seat, e.Accept()) for seat in range(3)),
    ]
    for seat, wish in wishes:
        if state.phase != "skat":
            state, told = deal.step(rules, state, seat, wish)
            log += told
    return rules, 2, Dealt(rules, state, tuple(log)).view(2)


def test_two_small_cards_beside_the_distance_to_the_normal_hand() -> None:
    normal = "T21 T9 T8 T7 T6 T5 T4 S1 S2 S3 S4 S5 S6 H1 H2 H3 H4 C1 C2 C3 C4 D1 D2 D3 D4"
    assert distance(mask(normal)) == 0
    assert distance(mask(normal.replace("D4", "T3"))) == 1
    assert distance(mask(normal.replace("D3 D4", "S7 S8"))) == 2


@pytest.mark.parametrize("book", TRAINERS["bidding"].books)
def test_a_bid_is_judged_by_what_it_brings(book: str) -> None:
    asked = replace(bidding.ask(load(book), "judged", 0), samples=192)
    widget = asked.question("en").widget
    assert isinstance(widget, Choice)
    told = [asked.verdict((str(place),), "en") for place in range(len(widget.options))]
    assert any(one.right for one in told)
    assert not all(one.right for one in told)
    table = told[0].blocks[-1]
    assert isinstance(table, Grid)
    assert [row[0] for row in table.rows] == list(widget.options)


def test_all_bouts_and_a_row_of_trumps_are_not_passed() -> None:
    rules = load("french4")
    assert isinstance(rules, FrenchRules)
    held = mask("T21 T20 T19 T18 T17 T16 T15 T14 T1 T0 SK SQ HK HQ CK CQ DK DQ")
    state = played(rules, Random(3), lambda state: state.phase == "bid").state
    assert isinstance(state, french.State)
    seat = deal.waiting_for(rules, state)[0]
    unseen = tuple(0 if one == seat else rules.deal.hand for one in range(4))
    hands = tuple(held if one == seat else 0 for one in range(4))
    known = replace(state, hands=hands, unseen=unseen, dealt=hands, chien=0, chien_unseen=rules.deal.chien)
    asked = bidding.Bidding(rules, seat, known, samples=QUICK)
    assert not asked.verdict(("0",), "en").right
    assert "bouts 3 (you would need 36 points with these)" in asked.verdict(("0",), "en").text
