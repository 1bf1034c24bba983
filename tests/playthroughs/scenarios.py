"""The playthroughs: one ordinary deal for every rulebook and size of table, and every special case.

Each scenario asserts that what it is named after has really happened.
"""

from __future__ import annotations

from collections.abc import Callable
from functools import partial
from typing import Any, TypeAlias

from playthroughs.script import Playthrough, Script, ordinary, perform
from ultimo import rulebook
from ultimo.cards import RANKS, Card, parse_cards
from ultimo.events import (
    Announce,
    Announced,
    Bid,
    Call,
    CardPlayed,
    CardTakenBack,
    ChienShown,
    Claim,
    DealClosed,
    DealContinued,
    DemandRedeal,
    ExcuseLost,
    FineImposed,
    Lay,
    NameSkus,
    Paid,
    Passed,
    PetitSec,
    Play,
    PoigneeShown,
    RedealDemanded,
    Scored,
    ShowPoignee,
    SkatLaid,
    SkatNotice,
    SkusRenamed,
    TakerAloneRevealed,
    TrickWon,
    Vote,
)

Scenario: TypeAlias = Callable[[], Playthrough]

# Each special case is played at one size of table; between them the sizes are all there.
SIZES = {
    "jensen": 3,
    "hermansen": 4,
    "vlk": 5,
    "basta": 4,
    "dtf": 5,
    "fft3": 3,
    "fft4": 4,
    "fft5": 5,
    "french3": 3,
    "french4": 4,
    "french5": 5,
}
# Forehand, middle and dealer when seat 0 deals.
SEATS = {3: (1, 2, 0), 4: (1, 3, 0)}
SEATS_OF_FIVE = {"vlk": (1, 4, 0), "dtf": (1, 4, 0)}

SCENARIOS: dict[str, Scenario] = {}


def scenario(
    case: str, *books: str
) -> Callable[[Callable[[str], Playthrough]], Callable[[str], Playthrough]]:
    """Enter a special case for some rulebooks."""

    def enter(play: Callable[[str], Playthrough]) -> Callable[[str], Playthrough]:
        for book in books:
            SCENARIOS[f"{book}-{SIZES[book]}-{case}"] = partial(play, book)
        return play

    return enter


def seats(book: str) -> tuple[int, int, int]:
    """Forehand, middle and dealer at the table of this book's special cases."""
    return SEATS.get(SIZES[book]) or SEATS_OF_FIVE[book]


ORDINARY_SEEDS = {"fft3": 11, "fft4": 4, "fft5": 3, "french3": 11, "french4": 4, "french5": 3}


def an_ordinary_deal(book: str, size: int) -> Playthrough:
    play = ordinary(book, size, ORDINARY_SEEDS.get(book, 1))
    assert play.has(DealClosed("played"))
    return play


for _book in rulebook.ids():
    for _size in rulebook.load(_book).sizes:
        SCENARIOS[f"{_book}-{_size}-ordinary"] = partial(an_ordinary_deal, _book, _size)


# --- Danish Tarok --------------------------------------------------------------------------------------

TAROK_BOOKS = ("jensen", "hermansen", "vlk", "basta", "dtf")


def last_trick(play: Playthrough) -> tuple[dict[int, str], int]:
    """The cards of the last trick by seat, and who won it."""
    place = max(index for index, event in enumerate(play.log) if isinstance(event, TrickWon))
    won = play.log[place]
    assert isinstance(won, TrickWon)
    plays = [event for event in play.log[:place] if isinstance(event, CardPlayed)][-3:]
    return {event.seat: event.card.value for event in plays}, won.seat


def tricks(play: Playthrough, seat: int) -> int:
    """How many tricks a seat has won."""
    return sum(event.seat == seat for event in play.all(TrickWon))


def reasons(play: Playthrough) -> set[str]:
    """Why points changed hands."""
    return {transfer.reason for event in play.all(Paid) for transfer in event.transfers}


@scenario("no-tarok", "jensen", "hermansen", "vlk", "dtf")
def a_hand_without_tarok(book: str) -> Playthrough:
    forehand, middle, dealer = seats(book)
    trumps = " ".join(f"T{number}" for number in range(1, 22))
    first, second = trumps.split()[:11], trumps.split()[11:]
    play = perform(
        Script(
            book=book,
            size=SIZES[book],
            seed=1,
            hands={middle: "T0", forehand: " ".join(first), dealer: " ".join(second)},
            takes=(forehand,),
            words=((middle, DemandRedeal()),),
        )
    )
    (demanded,) = play.all(RedealDemanded)
    assert demanded.seat == middle
    assert Card("T0") in demanded.hand
    return play


UNSPARED = "T21 T20 T18 T17 T15 T13 T12 T10 T9 T8 T6 T4 T3 T2 T0 SK SQ SN SJ HK HQ HN HJ CK CQ CN DK DQ"


@scenario("unavoidable-skat", "jensen", "hermansen", "vlk", "dtf")
def a_skat_of_declared_cards(book: str) -> Playthrough:
    dealer = seats(book)[2]
    play = perform(
        Script(
            book=book,
            size=SIZES[book],
            seed=2,
            hands={dealer: UNSPARED},
            takes=(dealer,),
            words=((dealer, Lay(parse_cards("SJ HJ DQ"))),),
        )
    )
    assert play.has(SkatLaid(dealer, parse_cards("SJ HJ DQ")))
    assert len(play.all(SkatNotice)) == 1
    return play


@scenario("skus-renamed", *TAROK_BOOKS)
def a_skus_led_as_a_suit_that_nobody_has(book: str) -> Playthrough:
    forehand, middle, dealer = seats(book)
    hearts = " ".join(f"H{rank}" for rank in RANKS)
    play = perform(
        Script(
            book=book,
            size=SIZES[book],
            seed=3,
            hands={forehand: f"T0 {hearts}"},
            takes=(dealer,),
            words=((forehand, Play(Card("T0"), "H")), (middle, NameSkus("S"))),
        )
    )
    assert play.has(SkusRenamed(middle, "S"))
    return play


@scenario("nolo-with-bagud", *TAROK_BOOKS)
def a_nolo_that_goes_bagud(book: str) -> Playthrough:
    forehand, middle, dealer = seats(book)
    play = perform(
        Script(
            book=book,
            size=SIZES[book],
            seed=2,
            hands={middle: "SK S1 S2 S3 S4 H10 H9 H8 H7 H6 C1 C2 C3 C4 C5 D10 D9 D8 D7 D6 T2 T3"},
            takes=(forehand, dealer),
            keeps={middle: "SK", forehand: "T21", dealer: "T20"},
        )
    )
    assert tricks(play, middle) == 0
    assert last_trick(play)[0][middle] == "SK"
    assert {"nolo", "kingBagud"} <= reasons(play)
    return play


@scenario("tout", *TAROK_BOOKS)
def a_tout(book: str) -> Playthrough:
    forehand = seats(book)[0]
    trumps = " ".join(f"T{number}" for number in range(3, 22))
    play = perform(
        Script(
            book=book,
            size=SIZES[book],
            seed=5,
            hands={forehand: f"{trumps} SK SQ SN HK CK DK"},
            takes=(forehand,),
            words=((forehand, Announce("tout")),) if book == "basta" else (),
        )
    )
    assert tricks(play, forehand) == 25
    assert "tout" in reasons(play)
    assert play.has(Announced(forehand, "tout")) == (book == "basta")
    return play


@scenario("two-kings-bagud", *TAROK_BOOKS)
def two_kings_that_go_bagud(book: str) -> Playthrough:
    forehand, middle, dealer = seats(book)
    trumps = " ".join(f"T{number}" for number in range(6, 22))
    play = perform(
        Script(
            book=book,
            size=SIZES[book],
            seed=7,
            hands={
                forehand: f"{trumps} S1 S2 H10 H9",
                middle: "HK H1 H2 H3 H4 H5",
                dealer: "SK S3 S4 S5 S6 S7",
            },
            takes=(forehand,),
            keeps={forehand: "T21 T20", middle: "HK", dealer: "SK"},
        )
    )
    fallen, winner = last_trick(play)
    assert (winner, fallen[middle], fallen[dealer]) == (forehand, "HK", "SK")
    assert "kingBagud" in reasons(play)
    return play


@scenario("revoke-and-votes", "dtf")
def a_revoke_that_is_forgiven_and_one_that_is_not(book: str) -> Playthrough:
    forehand, middle, dealer = seats(book)
    forgiven = ((forehand, Vote(True)), (dealer, Vote(True)))
    scrapped = ((forehand, Vote(False)), (dealer, Vote(True)))
    play = perform(
        Script(
            book=book,
            size=SIZES[book],
            seed=8,
            hands={forehand: "SK C5", middle: "S7 SQ H1 C4 C6", dealer: "S3"},
            house={"strict.follow": True},
            words=(
                (forehand, Play(Card("SK"))),
                (middle, Play(Card("H1"))),
                (dealer, Claim("revoke", middle)),
                *forgiven,
                (middle, Play(Card("S7"))),
                (forehand, Play(Card("C5"))),
                (middle, Play(Card("H1"))),
                (forehand, Claim("revoke", middle)),
                *scrapped,
            ),
        )
    )
    assert len(play.all(FineImposed)) == 2
    assert play.has(CardTakenBack(middle, Card("H1")))
    assert play.has(DealContinued())
    assert play.has(DealClosed("scrapped"))
    return play


# --- French Tarot --------------------------------------------------------------------------------------

TAROT_BOOKS = ("french3", "french4", "french5")


def french(book: str, seed: int, **more: Any) -> Playthrough:
    """A French deal: the last seat deals, so that seat 0 speaks first."""
    return perform(Script(book=book, size=SIZES[book], dealer=SIZES[book] - 1, seed=seed, **more))


@scenario("petit-sec", *TAROT_BOOKS)
def a_bare_petit(book: str) -> Playthrough:
    trumps = [f"T{number}" for number in (*range(2, 22), 0)]
    hands = {0: "T1", 1: " ".join(trumps[:11]), 2: " ".join(trumps[11:])}
    play = french(book, 1, hands=hands)
    (bare,) = play.all(PetitSec)
    assert bare.seat == 0
    assert play.has(DealClosed("thrownIn"))
    return play


@scenario("all-pass", *TAROT_BOOKS)
def nobody_bids(book: str) -> Playthrough:
    play = french(book, 2)
    assert len(play.all(Passed)) == SIZES[book]
    assert play.has(DealClosed("thrownIn"))
    return play


@scenario("excuse-last", *TAROT_BOOKS)
def an_excuse_kept_too_long(book: str) -> Playthrough:
    words = ((0, Bid("garde")), *([(0, Call(Card("DK")))] if book == "french5" else []))
    play = french(
        book,
        3,
        hands={0: "T0 T21 T19 T17 T15 T13 T11 SK HK", 1: "DK T20 T18"},
        words=words,
        takes=(0, 2),
        keeps={0: "T0"},
    )
    assert play.has(ExcuseLost(0))
    return play


@scenario("announced-chelem", *TAROT_BOOKS)
def a_slam_announced_and_made(book: str) -> Playthrough:
    lowest = {"french3": 5, "french4": 8, "french5": 10}[book]
    courts = {"french3": "SK SQ HK HQ CK CQ DK", "french4": "SK HK CK DK", "french5": "SK HK CK"}[book]
    trumps = [f"T{number}" for number in range(lowest, 22)]
    play = french(
        book,
        4,
        hands={1: f"{' '.join(trumps)} {courts}"},
        words=(
            (1, Bid("garde")),
            *([(1, Call(Card("DK")))] if book == "french5" else []),
            (1, Announce("slam")),
            (1, ShowPoignee(parse_cards(" ".join(trumps[: POIGNEES[book]])))),
        ),
        takes=(1,),
    )
    assert play.has(Announced(1, "slam"))
    assert {"slam", "poignee"} <= reasons(play)
    (first, *_) = play.all(CardPlayed)
    assert first.seat == 1
    return play


POIGNEES = {"french3": 15, "french4": 13, "french5": 10}


@scenario("laid-trump-shown-again", "fft4")
def a_triple_poignee_with_a_laid_trump(book: str) -> Playthrough:
    trumps = [f"T{number}" for number in range(2, 17)]
    hand, chien = " ".join([*trumps[2:], "SK HK CK DK S1"]), "T2 T3 S2 S3 S4 S5"
    play = french(
        book,
        7,
        hands={0: hand, -1: chien},
        words=(
            (0, Bid("garde")),
            (0, Lay(parse_cards("T2 S1 S2 S3 S4 S5"))),
            (0, ShowPoignee(parse_cards(" ".join(trumps)))),
        ),
        takes=(0,),
    )
    (shown,) = play.all(PoigneeShown)
    assert Card("T2") in shown.cards
    return play


@scenario("king-in-the-chien", "french5")
def a_called_king_in_the_chien(book: str) -> Playthrough:
    play = french(
        book,
        5,
        hands={2: "T21 T20 T18 T16 T14 T1 SK HK CK", -1: "DK"},
        words=((2, Bid("garde")), (2, Call(Card("DK")))),
        takes=(2,),
    )
    (shown,) = play.all(ChienShown)
    assert Card("DK") in shown.cards
    assert play.log[play.log.index(shown) + 1] == TakerAloneRevealed(2)
    return play


@scenario("alone-against-four", "french5")
def a_taker_who_names_his_own_king(book: str) -> Playthrough:
    play = french(
        book,
        6,
        hands={2: "T21 T20 T19 T18 T16 T14 T1 SK HK CK DK DQ"},
        words=((2, Bid("sans")), (2, Call(Card("HK")))),
        takes=(2,),
        keeps={2: "HK"},
    )
    (scored,) = play.all(Scored)
    assert scored.partner is None
    revealed = play.log.index(TakerAloneRevealed(2))
    assert revealed > play.log.index(play.all(TrickWon)[-2])
    return play
