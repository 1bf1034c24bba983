"""Games to watch: the file that comes with the program, what is told of them, and how they are chosen."""

from __future__ import annotations

from importlib import resources

import pytest
from msgspec.structs import replace

import write_games
from ultimo import deal, rulebook
from ultimo import events as e
from ultimo.answers import games as answers
from ultimo.answers.payloads import WatchOn
from ultimo.answers.refusing import Refusal
from ultimo.cards import Card
from ultimo.names import LANGUAGES
from ultimo.players.policy.levels import Club
from ultimo.record.check import check
from ultimo.rulebook import digest
from ultimo.tutor.advising import weighable
from ultimo.tutor.decisions import Decision, decisions
from ultimo.tutor.games import annotating, game
from ultimo.tutor.games.game import Game, UnknownGame, collection
from ultimo.tutor.grades import Grade, thresholds
from ultimo.tutor.reviewed import Review, Reviewed, Worth

NAMES = [one.id for one in collection()]
DTF = rulebook.load("dtf")


@pytest.fixture(params=NAMES)
def one(request: pytest.FixtureRequest) -> Game:
    """Each game."""
    return game.game(request.param)


# --- the file ----------------------------------------------------------------------------------------------


def test_the_file_is_small_and_has_all_that_was_wished() -> None:
    data = resources.files(game.__package__).joinpath(game.FILE).read_bytes()
    assert len(data) <= write_games.LARGEST
    assert game.write(game.read(data)) == data
    assert [wish.name for wish in write_games.WISHES] == NAMES
    assert [wish.rules for wish in write_games.WISHES] == [one.rules.id for one in collection()]
    with pytest.raises(UnknownGame):
        game.game("none")


def test_every_record_follows_from_the_rules(one: Game) -> None:
    rules = one.rules
    end = check(rules, one.events)
    assert end.series is not None
    assert end.series.deals == 1
    assert not end.series.playing
    assert deal.replay(rules, one.deal).net == one.review.result
    assert (one.review.rules, one.review.digest) == (rules.id, digest(rules))


def test_what_is_told_is_about_the_decisions_that_were_made(one: Game) -> None:
    rules = one.rules
    made = list(decisions(rules, one.deal))
    assert len(made) == len(one.review.decisions)
    for found, decision in zip(one.review.decisions, made, strict=True):
        assert (found.index, found.seat, found.action) == (decision.index, decision.seat, decision.action)
        assert (found.phase, found.trick) == (decision.truth.phase, len(decision.truth.tricks))
        for option in found.options:
            assert option.action in decision.choices
        if found.options:
            assert sum(option.does(found.action) for option in found.options) == 1
            assert found.options[0].behind == 0.0
    told = [place for place, found in enumerate(one.review.decisions) if found.options]
    assert annotating.told(rules, one.review, made) == told
    assert write_games.FEWEST <= len(told) <= annotating.MOST


# --- in words ----------------------------------------------------------------------------------------------


@pytest.mark.parametrize("language", LANGUAGES)
def test_a_game_is_told_in_a_language(language: str) -> None:
    lines = answers.listed(language).games
    assert [line.id for line in lines] == NAMES
    for line in lines:
        best = max(line.seats, key=lambda seat: seat.result)
        assert line.headline.endswith(
            tuple(f", {sign}{abs(seat.result)}" for seat in line.seats for sign in "+−")
        )
        assert sum(seat.result for seat in line.seats) == 0 or line.family == "danish"
        assert best.result > 0
        assert line.card in {card.value for card in Card}


def test_every_game_is_shown_with_its_review(one: Game) -> None:
    language = LANGUAGES[NAMES.index(one.id) % len(LANGUAGES)]
    told, review = answers.told(one.id, language), answers.review(one.id, language)
    assert told.game in answers.listed(language).games
    frames = told.replay.frames
    assert any(seat.hand for frame in frames for seat in frame.scene.seats)
    shown = [decision for decision in review.decisions if len(decision.options) > 1]
    assert len(shown) == told.game.told
    for decision in shown:
        before, after = frames[decision.step - 1].scene, frames[decision.step].scene
        assert decision.words
        assert not decision.line
        held, left = (scene.seats[decision.seat].hand for scene in (before, after))
        assert set(decision.cards) <= set(held)
        if isinstance(decision.action, e.Play | e.Lay):
            assert not set(decision.cards) & set(left)


def test_a_game_is_analysed_and_played_on_from_a_step() -> None:
    name = NAMES[0]
    review = answers.review(name, "en")
    decision = next(one for one in review.decisions if len(one.options) > 1 and one.trick)
    assert answers.position(name, str(decision.step - 1)).text.startswith(game.game(name).rules.id)
    settings, again = answers.again(name, WatchOn(decision.step - 1, decision.seat))
    assert [plan.kind for plan in settings.seats].index("host") == decision.seat
    assert {plan.level for plan in settings.seats} == {"club"}
    assert sum(isinstance(move.action, e.Play) for move in again.moves) == len(
        [one for one in review.decisions[: decision.at] if isinstance(one.action, e.Play)]
    )
    for wish in (WatchOn(0, 4), WatchOn(9999, 0)):
        with pytest.raises(Refusal):
            answers.again(name, wish)
    with pytest.raises(Refusal):
        answers.told("none", "en")


# --- which decisions ---------------------------------------------------------------------------------------


BLUNDER, MISTAKE = thresholds(DTF).blunder, thresholds(DTF).mistake


@pytest.fixture(scope="module")
def made() -> Decision:
    """A card that somebody plays, with others to choose from."""
    found = decisions(DTF, game.game("dtf").deal)
    return next(
        one for one in found if isinstance(one.action, e.Play) and one.choices.cards().bit_count() > 3
    )


def reviewed(
    made: Decision, grade: Grade, behind: float, error: float = 0.0, club: bool = True, phase: str = "play"
) -> Reviewed:
    """The decision as a review has it: the best is what a club player plays or another card."""
    advised = Club().choose(made.view, weighable(made.view, made.choices))
    other = next(one for one in made.choices if isinstance(one, e.Play) and one != advised)
    best, next_best = (advised, other) if club else (other, advised)
    options = (Worth(best, behind), Worth(next_best, 0.0, behind, error))
    costly = grade not in ("best", "fine")
    action, loss = (next_best, behind) if costly else (best, 0.0)
    return Reviewed(0, made.seat, phase, 0, action, grade, loss, error, options=options)


def test_what_was_costly_is_told_first_and_then_what_a_club_player_misses(made: Decision) -> None:
    def weight(one: Reviewed) -> float:
        return annotating.weight(DTF, one, made)

    assert weight(reviewed(made, "slip", 3.0)) == 2 * BLUNDER + 3.0
    assert weight(reviewed(made, "best", MISTAKE, club=False)) == 2 * MISTAKE
    assert weight(reviewed(made, "best", MISTAKE)) == MISTAKE
    assert weight(reviewed(made, "best", 500.0)) == BLUNDER
    assert weight(reviewed(made, "best", 500.0, phase="bid")) == 0.0, "a club player bids so too"
    assert weight(reviewed(made, "best", MISTAKE - 1, club=False)) == 0.0
    assert weight(reviewed(made, "best", MISTAKE, error=2.0, club=False)) == 0.0, "that is not sure"
    unlucky = Reviewed(0, 0, "play", 0, made.action, "fine", open_loss=20.0, proven=True)
    assert weight(unlucky) == 20.0
    assert weight(replace(unlucky, proven=False)) == 0.0
    assert weight(replace(unlucky, loss=1.0)) == 0.0, "it was not quite right"


def test_a_short_review_has_options_only_where_something_is_told(made: Decision) -> None:
    quiet, great = reviewed(made, "best", 1.0), reviewed(made, "best", 33.333)
    review = Review("dtf", "", (quiet, great), (0, 0, 0), (0.0, 0.0, 0.0))
    bare, told = annotating.short(DTF, review, [made] * 2).decisions
    assert (bare.options, bare.action, bare.grade) == ((), quiet.action, "best")
    assert [option.behind for option in told.options] == [0.0, 33.33]
    many = replace(review, decisions=(great,) * 20)
    assert (
        sum(bool(one.options) for one in annotating.short(DTF, many, [made] * 20).decisions)
        == annotating.MOST
    )


# --- how they are made -------------------------------------------------------------------------------------


def test_the_same_seed_gives_the_same_game() -> None:
    wish = write_games.Wish("one", "french3", ("made", "lost"))
    options = write_games.Options(samples=4, review_samples=4, screened=2, deals=1)
    first, second = (game.write([write_games.chosen(wish, "test", options)]) for _ in range(2))
    assert first == second
    (made,) = game.read(first)
    assert write_games.fit(wish, made.rules, made.deal) > 0
    assert write_games.fit(write_games.Wish("one", "french3", ("nolo",)), made.rules, made.deal) == 0
