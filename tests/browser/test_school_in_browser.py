"""The school in a browser: lessons by touch and by keys, runs with a trainer, and how it all looks."""

from __future__ import annotations

import re
from typing import Literal
from urllib.parse import parse_qs, urlsplit

import pytest
from playwright.sync_api import Locator, expect

from browser.conftest import Arrive
from browser.test_accessibility_in_browser import faults
from browser.visitor import Visitor
from ultimo.names import LANGUAGES
from ultimo.rulebook import load
from ultimo.tutor.school.course import Bound, course, exercise, lesson
from ultimo.tutor.school.exercises import Answer, Choice, Exercise, Number, Pick
from ultimo.tutor.school.trainers import trainer

LESSON = "aim"  # asks for cards, for numbers and for one of several
WIDE = "five-books"  # has a grid with a column for each book
KEYS = "1234567890abcdef"  # choose the options, in their order
HANDS = "hands-few"  # asks for a skat out of 28 cards, and for declarations


def asked(visitor: Visitor, number: int) -> Locator:
    """An exercise of the lesson that is open."""
    return visitor.page.locator(f"#exercise-{number} [data-testid=exercise]")


def right(one: Exercise) -> Answer:
    """An answer that is right."""
    match one.question("en").widget:
        case Pick(cards=cards, count=count, barred=barred):
            some = tuple([card for card in cards if card not in barred][:count])
        case Choice() | Number():
            some = ("0",)
    return one.verdict(some, "en").answer


def wrong(one: Exercise) -> Answer:
    """One that is not."""
    match one.question("en").widget:
        case Pick(cards=cards, count=count, barred=barred):
            open_ = [card for card in cards if card not in barred]
            tries: list[Answer] = [tuple(open_[at : at + count]) for at in range(len(open_) - count + 1)]
        case Choice(options=options):
            tries = [(str(option),) for option in range(len(options))]
        case Number():
            tries = [("12345",)]
    return next(answer for answer in tries if not one.verdict(answer, "en").right)


def give(visitor: Visitor, place: Locator, one: Exercise, answer: Answer) -> None:
    """Answer an exercise with a mouse or a finger."""
    for word in answer:
        match one.question("en").widget:
            case Pick():
                _touch(visitor, place.locator(f"[data-touch={word}]"))
            case Choice():
                _touch(visitor, place.locator(f"label:has([data-option='{word}'])"))
            case Number():
                place.locator("input").fill(word)
    _touch(visitor, place.get_by_test_id("answer"))


def _touch(visitor: Visitor, target: Locator) -> None:
    if visitor.way == "touch":
        target.tap()
    else:
        target.click()


def exercises(name: str) -> list[Bound]:
    return [exercise(name, number) for number in range(len(lesson(name).exercises))]


def first(name: str, kind: type[Choice] | type[Number] | type[Pick]) -> int:
    """The number of the first exercise of a kind."""
    return next(at for at, one in enumerate(exercises(name)) if isinstance(one.question("en").widget, kind))


def is_narrow(visitor: Visitor) -> bool:
    """Whether nothing is wider than the window."""
    return bool(visitor.page.evaluate("document.documentElement.scrollWidth <= innerWidth"))


# --- lessons -------------------------------------------------------------------------------------------


def test_a_newcomer_finds_the_school_and_solves_a_lesson_by_touch(arrive: Arrive) -> None:
    visitor = arrive(way="touch")
    page = visitor.page
    visitor.go()
    visitor.press("[data-testid=to-school]")
    expect(page.get_by_role("heading", level=1)).to_have_text("School")
    expect(visitor.find("first-deal")).to_be_visible()
    expect(visitor.find("go-on")).to_have_text(lesson(LESSON).title.en)
    chapters = [one.id for one in course().chapters if one.family == "danish"]
    expect(page.locator("[data-chapter]")).to_have_count(len(chapters))
    assert is_narrow(visitor)
    visitor.press("[data-testid=go-on]")

    count = len(exercises(LESSON))
    expect(visitor.find("solved")).to_have_text(f"Solved: 0 of {count}")
    for number, one in enumerate(exercises(LESSON)):
        place = asked(visitor, number)
        give(visitor, place, one, wrong(one))
        expect(place).to_have_attribute("data-told", "wrong")
        expect(place.get_by_test_id("verdict")).to_contain_text("Not quite.")
        _touch(visitor, place.get_by_test_id("again"))
        expect(place).to_have_attribute("data-told", "")
        give(visitor, place, one, right(one))
        expect(place).to_have_attribute("data-told", "right")
        expect(visitor.find("solved")).to_have_text(f"Solved: {number + 1} of {count}")
        _touch(visitor, place.get_by_test_id("go-on"))
    expect(visitor.find("lesson-end")).to_contain_text("Lesson done!")
    assert is_narrow(visitor)
    visitor.press("[data-testid=next-lesson]")
    following = course().lessons("danish")[1]
    expect(page.get_by_role("heading", level=1)).to_have_text(lesson(following).title.en)

    visitor.go("/school")
    expect(page.locator(f"[data-lesson={LESSON}]")).to_contain_text(f"{count}/{count}")
    expect(visitor.find("go-on")).to_have_text(lesson(following).title.en)
    visitor.press("[data-testid=game-french]")
    expect(page.locator("[data-chapter=bidding]")).to_be_visible()
    expect(page.locator("[data-chapter=skat]")).to_have_count(0)


def test_what_is_right_is_marked_where_it_was_asked(arrive: Arrive) -> None:
    visitor = arrive(way="touch")
    visitor.go(f"/school/{LESSON}")
    for kind in (Pick, Choice, Number):
        number = first(LESSON, kind)
        one, place = exercise(LESSON, number), asked(visitor, number)
        good, bad = right(one), wrong(one)
        give(visitor, place, one, bad)
        expect(place.get_by_test_id("verdict")).to_contain_text(one.verdict(bad, "en").text[-40:])
        if kind is Choice:
            expect(place.locator("label.good")).to_have_count(len(good))
            expect(place.locator("label.bad [data-option]")).to_have_attribute("data-option", bad[0])
        elif kind is Pick:
            expect(place.locator(".face.good")).to_have_count(len(good))
            expect(place.locator(".face.bad")).to_have_count(len(set(bad) - set(good)))
        else:
            expect(place.locator(".due")).to_have_text(good[0])


def test_a_lesson_is_solved_with_keys_alone(arrive: Arrive) -> None:
    visitor = arrive(way="keys")
    page = visitor.page
    visitor.go(f"/school/{LESSON}")
    for number, one in enumerate(exercises(LESSON)):
        place = asked(visitor, number)
        expect(place).to_be_visible()
        match one.question("en").widget:
            case Choice():
                for word in right(one):
                    page.keyboard.press(KEYS[int(word)])
            case Number():
                page.keyboard.type(right(one)[0])
            case Pick():
                for card in right(one):
                    visitor.reach(f"#exercise-{number} [data-touch={card}]")
                    page.keyboard.press("Space")
        page.keyboard.press("Enter")
        expect(place).to_have_attribute("data-told", "right")
        page.keyboard.press("Enter")
    expect(visitor.find("lesson-end")).to_contain_text("Lesson done!")
    expect(visitor.find("next-lesson")).to_be_focused()
    page.keyboard.press("Enter")
    expect(page.get_by_role("heading", level=1)).to_have_text(lesson(course().lessons("danish")[1]).title.en)


def test_a_skat_is_picked_out_of_28_cards_on_a_small_phone(arrive: Arrive) -> None:
    visitor = arrive(way="touch", viewport={"width": 320, "height": 568})
    visitor.go(f"/school/{HANDS}")
    number = first(HANDS, Pick)
    one, place = exercise(HANDS, number), asked(visitor, number)
    cards = place.locator("[data-touch]")
    expect(cards.first).to_be_visible()
    widths = cards.evaluate_all("all => all.map(one => one.parentElement.getBoundingClientRect().width)")
    assert min(widths[:-1]) >= 40
    good = right(one)
    for card in (*good, good[0]):
        cards.and_(place.locator(f"[data-touch={card}]")).tap(position={"x": 12, "y": 20})
    expect(place.get_by_test_id("picked")).to_have_text("2 of 3 chosen")
    expect(place.get_by_test_id("answer")).to_be_disabled()
    place.locator(f"[data-touch={good[0]}]").tap(position={"x": 12, "y": 20})
    expect(place.locator(f"[data-touch={good[0]}]")).to_have_attribute("aria-pressed", "true")
    _touch(visitor, place.get_by_test_id("answer"))
    expect(place).to_have_attribute("data-told", "right")
    assert is_narrow(visitor)


def test_a_wide_grid_is_scrolled_on_a_small_phone_with_keys_as_well(arrive: Arrive) -> None:
    visitor = arrive(way="keys", viewport={"width": 320, "height": 568}, locale="de")
    visitor.go(f"/school/{WIDE}")
    grid = visitor.page.locator(".wide[tabindex='0']").first
    expect(grid).to_be_visible()
    assert is_narrow(visitor)
    grid.focus()
    visitor.page.keyboard.press("ArrowRight")
    visitor.page.wait_for_function("() => document.activeElement.scrollLeft > 0")
    assert faults(visitor, "a wide grid") == []


def test_a_lesson_that_is_not_there_says_so(arrive: Arrive) -> None:
    visitor = arrive(forgiven=("404",))
    visitor.go("/school/nothing")
    expect(visitor.page.get_by_role("alert")).to_have_text("There is no such lesson.")


# --- trainers ------------------------------------------------------------------------------------------


class Run:
    """What a page is asked in a run: it says so in its requests."""

    def __init__(self, visitor: Visitor) -> None:
        self.visitor = visitor
        self.seed, self.n, self.book = "", -1, "dtf"
        visitor.page.on("request", lambda request: self._hear(request.url))

    def _hear(self, url: str) -> None:
        parts = urlsplit(url)
        if parts.path == "/api/school/trainers/declarations":
            wish = parse_qs(parts.query)
            self.seed, self.n, self.book = wish["seed"][0], int(wish["n"][0]), wish.get("rules", ["dtf"])[0]

    def exercise(self, n: int) -> Exercise:
        """The question with this number, once the page shows it."""
        expect(self.visitor.page.get_by_role("heading", name=f"Question {n + 1}", exact=True)).to_be_visible()
        assert self.n == n
        return trainer("declarations").ask(load(self.book), self.seed, n)


def test_a_run_with_keys_alone_goes_on_until_an_answer_is_wrong(arrive: Arrive) -> None:
    visitor = arrive(way="keys")
    page, run = visitor.page, Run(visitor)
    visitor.go("/school/trainers/declarations")
    streak, place = visitor.find("streak"), visitor.find("exercise")
    for n in range(3):
        for word in right(run.exercise(n)):
            page.keyboard.press(KEYS[int(word)])
        page.keyboard.press("Enter")
        expect(place).to_have_attribute("data-told", "right")
        expect(streak).to_have_attribute("data-streak", str(n + 1))
        page.keyboard.press("Enter")
    page.keyboard.press(KEYS[int(wrong(run.exercise(3))[0])])
    page.keyboard.press("Enter")
    expect(place).to_have_attribute("data-told", "wrong")
    expect(streak).to_have_attribute("data-streak", "0")
    expect(streak).to_have_attribute("data-best", "3")
    expect(place).to_contain_text("The run is over: 3 in a row")
    expect(visitor.find("again")).to_have_count(0)
    page.keyboard.press("Enter")
    run.exercise(0)
    expect(streak).to_have_attribute("data-best", "3")


def test_a_trainer_is_played_by_another_book_by_touch(arrive: Arrive) -> None:
    visitor = arrive(way="touch")
    page, run = visitor.page, Run(visitor)
    visitor.go("/school/trainers/declarations")
    run.exercise(0)
    with page.expect_response(re.compile("rules=jensen")):
        page.locator("select").select_option("jensen")
    one = run.exercise(0)
    expect(page.locator("[data-option]")).to_have_count(len(_options(one)))
    expect(page.get_by_text(_options(one)[0], exact=True)).to_be_visible()
    expect(visitor.find("answer")).to_be_in_viewport()
    give(visitor, visitor.find("exercise"), one, right(one))
    expect(visitor.find("streak")).to_have_attribute("data-streak", "1")
    visitor.go("/school")
    expect(page.locator("[data-trainer=declarations]")).to_contain_text("Best: 1 in a row")


def _options(one: Exercise) -> tuple[str, ...]:
    widget = one.question("en").widget
    assert isinstance(widget, Choice)
    return widget.options


# --- how it looks --------------------------------------------------------------------------------------


@pytest.mark.parametrize("language", LANGUAGES)
def test_the_menu_stays_in_one_line_in_every_language(arrive: Arrive, language: str) -> None:
    visitor = arrive(way="touch", locale=language, viewport={"width": 320, "height": 568})
    visitor.go("/school")
    expect(visitor.page.locator("[data-chapter]").first).to_be_visible()
    for width in (320, 360, 390, 416, 432, 470, 512, 514, 560, 640):
        visitor.page.set_viewport_size({"width": width, "height": 568})
        tops = visitor.page.locator("body header a, body header nav button").evaluate_all(
            "all => all.map(one => one.getBoundingClientRect()).map(({ y, height }) => y + height / 2)"
        )
        assert len(tops) == 6
        assert max(tops) - min(tops) < 12, f"{language} at {width}"
        assert is_narrow(visitor)


@pytest.mark.parametrize(
    ("scheme", "size", "locale", "name"),
    [
        ("dark", (390, 844), "da", LESSON),
        ("light", (320, 568), "fr", HANDS),
    ],
)
def test_axe_finds_no_serious_fault_at_school(
    arrive: Arrive, scheme: Literal["light", "dark"], size: tuple[int, int], locale: str, name: str
) -> None:
    visitor = arrive(color_scheme=scheme, viewport={"width": size[0], "height": size[1]}, locale=locale)
    page, found = visitor.page, []
    visitor.go("/school")
    expect(page.locator("[data-chapter]").first).to_be_visible()
    found += faults(visitor, "school")
    visitor.go(f"/school/{name}")
    expect(asked(visitor, 0)).to_be_visible()
    if len(exercises(name)) <= 4:  # of a longer one, some are seen unanswered later
        found += faults(visitor, f"lesson {name}")
    for number, one in enumerate(exercises(name)[:4]):
        place = asked(visitor, number)
        give(visitor, place, one, right(one) if number % 2 else wrong(one))
        expect(place.get_by_test_id("verdict")).to_be_visible()
    found += faults(visitor, f"lesson {name}, answered")
    assert is_narrow(visitor)
    visitor.go("/school/trainers/declarations")
    page.locator("[data-option='0']").click()
    found += faults(visitor, "trainer")
    visitor.find("answer").click()
    expect(visitor.find("verdict")).to_be_visible()
    found += faults(visitor, "trainer, answered")
    assert found == []
