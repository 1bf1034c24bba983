"""The tool that finds faults: its figures are those of deals played out, and a planted fault is found."""

from __future__ import annotations

import msgspec
import numpy as np
import pytest

import find_faults
from find_faults import CARDS, Decisions, card_class, family_of, mean_of
from ultimo.kernel.danish import layout as danish_at
from ultimo.kernel.danish.run import do as do_danish
from ultimo.kernel.french import layout as french_at
from ultimo.kernel.french import weights as french_weights
from ultimo.kernel.french.run import do as do_french
from ultimo.kernel.policy import CLUB, HIGHEST, STUDENT

CLUBS = (0, 0)


def some(book: str, player: int, adviser: int, number: int = 60, share: int = 64) -> Decisions:
    return find_faults.decisions(family_of(book, None), player, adviser, CLUBS, number, share, seed=5)


@pytest.mark.parametrize("book", ["hermansen", "french4"])
def test_a_gain_is_that_of_the_deal_played_out_both_ways(book: str) -> None:
    one = some(book, CLUB, HIGHEST)
    at = danish_at if book == "hermansen" else french_at
    dice = np.zeros(1, np.uint64)
    compared = 0
    for row in np.flatnonzero(one.unlike & one.family.in_play(one.states))[:12]:
        ends = []
        for action in (one.does[row], one.advised[row]):
            s, w = one.states[row].copy(), np.zeros(danish_at.PAPER, np.int64)
            me = s[at.TURN]
            while s[at.PHASE] != at.CLOSED:
                if book == "hermansen":
                    do_danish(one.family.n, s, w, action)
                else:
                    do_french(one.family.n, s, action)
                if s[at.PHASE] != at.CLOSED:
                    action = one.family.choose(CLUB, s, w, dice)
            ends.append(int(s[at.NET + me]))
        assert one.gains[row] == ends[1] - ends[0]
        compared += 1
    assert compared == 12


def test_kinds_are_complete_and_the_worst_come_first() -> None:
    one = some("french4", CLUB, HIGHEST, number=200)
    kinds = one.kinds()
    assert sum(kind.gain.number for kind in kinds) == one.unlike.sum() > 100
    assert [kind.weight for kind in kinds] == sorted((kind.weight for kind in kinds), reverse=True)
    assert sum(kind.weight for kind in kinds) == pytest.approx(1000 * mean_of(one.gains).mean)
    assert {kind.role for kind in kinds} >= {"taker", "defender"}
    played = [kind for kind in kinds if kind.phase == "cards"]
    assert {kind.turn for kind in played} == {"lead", "follow"}
    assert {kind.tricks for kind in played} == {"1–6", "7–12", "13–18"}
    assert {kind.does for kind in played} <= {*CARDS, "poignée"}


def test_cards_have_their_classes() -> None:
    named = {name: [card for card in range(78) if card_class(card) == name] for name in CARDS}
    assert {name: len(cards) for name, cards in named.items()} == {
        "pip": 40,
        "court": 12,
        "king": 4,
        "pagat": 1,
        "T2–10": 9,
        "T11–20": 10,
        "T21": 1,
        "skus": 1,
    }
    assert (named["pagat"], named["T21"], named["skus"]) == ([56], [76], [77])


def test_a_planted_fault_is_found() -> None:
    """A club player for whom the petit is a burden leads it as a defender, and any other card is better."""
    family = family_of("french4", None)
    honest = {check.name: check for check in some("french4", CLUB, CLUB, 1500, 512).checks()}
    family.n[french_weights.PETIT_WORTH + 1] *= -1
    spoilt = find_faults.decisions(family, CLUB, CLUB, CLUBS, 1500, 512, seed=5)
    found = {check.name: check for check in spoilt.checks()}
    name = "a defender leads the petit, the taker next"
    assert found[name].does.number > 3 > honest[name].does.number
    assert found[name].gain.mean > 5


@pytest.mark.parametrize("book", ["dtf", "french4"])
def test_taste_is_counted_for_the_seats_of_the_player(book: str) -> None:
    family = family_of(book, None)
    seats = 3 if book == "dtf" else 4
    every = find_faults.taste(family, book, CLUB, CLUB, 40, 3)
    alone = find_faults.taste(family, book, CLUB, STUDENT, 40, 3)
    for whole, part in zip(every[2:], alone[2:], strict=True):
        if whole.name != "made":
            assert (whole.share.of, part.share.of) == (40 * seats, 40)
        assert 0 <= part.share.number <= part.share.of
    leads, skus = every[0].share, every[1].share
    assert 0 <= leads.number < leads.of
    assert 10 < skus.of <= 40
    assert sum(one.share.number for one in every) > 0


def test_the_page_says_the_same_twice(capsys: pytest.CaptureFixture[str]) -> None:
    asked = ["hermansen", "--players", "club", "--decisions", "120", "--deals", "6", "--least", "1"]
    told = []
    for more in ([], [], ["--json"]):
        find_faults.main([*asked, *more])
        told.append(capsys.readouterr().out)
    assert told[0] == told[1]
    assert "### What the student would do in the place of the club" in told[0]
    (found,) = msgspec.json.decode(told[2], type=list[find_faults.Found])
    assert (found.decisions, found.player, found.adviser) == (120, "club", "student")
    assert len(found.checks) == 7


def test_each_player_may_have_a_number_of_decisions(capsys: pytest.CaptureFixture[str]) -> None:
    few = ["--deals", "1", "--json", "--players", "club", "beginner"]
    find_faults.main(["dtf", *few, "--decisions", "30", "20"])
    found = msgspec.json.decode(capsys.readouterr().out, type=list[find_faults.Found])
    assert [(one.player, one.others, one.decisions) for one in found] == [
        ("club", "club", 30),
        ("beginner", "club", 20),
    ]
    with pytest.raises(SystemExit):
        find_faults.main(["dtf", *few, "--decisions", "30", "20", "10"])


def test_shares_say_how_sure_they_are() -> None:
    assert str(find_faults.Share(25, 100)) == "25.0 ± 8.5 %"
    assert [str(find_faults.Share(*one)) for one in ((0, 1200), (3, 3), (0, 0))] == [
        "0 of 1,200",
        "3 of 3",
        "–",
    ]


def test_a_danish_student_has_the_patience_that_the_books_ask_for() -> None:
    """F3.5: a hand short of tarok does not lead it; F5.1: the skus is a weapon to trick 22."""
    weak_leads, skus_gone, *_ = find_faults.taste(
        family_of("hermansen", None), "hermansen", STUDENT, STUDENT, 200, 3
    )
    assert weak_leads.share.number < 0.10 * weak_leads.share.of
    assert skus_gone.share.number < 0.25 * skus_gone.share.of


def test_taste_of_those_who_search_stands_beside_that_of_the_others() -> None:
    family = family_of("hermansen", None)
    found = find_faults.taste_of_searching(family, "hermansen", "club", 12, 4, 3)
    assert found.weak_leads.of > 0
    assert 6 < found.skus_gone.of <= 12  # in the others it lies in the skat
    assert found.weak_leads.number + found.skus_gone.number <= 2  # a club player has patience
    again = find_faults.taste_of_searching(family, "hermansen", "random", 12, 4, 3)
    assert again.skus_gone.number > 2
    assert again.weak_leads.number > 2
