"""Rules B11 and E4: which errors a strict table knows, who points them out, and what they cost."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import pytest

from offences import (
    COMMIT,
    LAST_THREE,
    NINE,
    SKAT,
    TEN,
    WRONG_SKAT,
    declared,
    fined,
    manual,
    paid,
    reasons,
    revoke,
    taken_up,
    tarok,
    vote,
    wrong_cards,
    wrong_number,
)
from settling import A, B, C
from table import DANISH, Table, danish_rules, dealt, ending, opened, strict
from ultimo import danish
from ultimo.cards import Card, cards
from ultimo.events import (
    Claim,
    ClaimMade,
    Deal,
    Declare,
    DemandSkus,
    EnterCount,
    FineWaived,
    IllegalAction,
    MoveCups,
    ObjectCount,
    OffenceFound,
    PassDeal,
    Play,
    Redeal,
    Vote,
)

STOPS, VOTE, PLAYS_ON = "scrapped", "vote", "goes on"
J, H, V, B99, T = DANISH

# Rules D1: the amount, and what comes of the deal; no entry where a book knows no such fine.
FINES: dict[str, dict[str, tuple[int, str]]] = {
    "wrongSkat": {J: (40, STOPS), H: (40, STOPS), V: (40, STOPS), B99: (15, PLAYS_ON), T: (40, VOTE)},
    "wrongCards": {J: (40, STOPS), H: (40, STOPS), V: (40, STOPS), B99: (15, PLAYS_ON), T: (40, VOTE)},
    "revoke": {J: (40, STOPS), H: (40, STOPS), V: (40, STOPS), B99: (15, PLAYS_ON), T: (40, VOTE)},
    "wrongDecl": {J: (10, PLAYS_ON), H: (40, STOPS), V: (10, PLAYS_ON), B99: (0, PLAYS_ON), T: (40, VOTE)},
    "missingDecl": {J: (10, PLAYS_ON), H: (40, STOPS), V: (10, PLAYS_ON), B99: (0, PLAYS_ON), T: (40, VOTE)},
    "earlyDecl": {B99: (0, PLAYS_ON), T: (20, VOTE)},
    "outOfTurn": {T: (20, VOTE)},
    "wrongDemand": {J: (20, PLAYS_ON), H: (20, PLAYS_ON), V: (20, PLAYS_ON), T: (20, PLAYS_ON)},
    "cupsNotMoved": {T: (5, PLAYS_ON)},
}
SHOWS = {
    ("revoke", J): "G136",
    ("revoke", H): "G136",
    ("missingDecl", H): "I-11.8",
    ("missingDecl", T): "I-11.1",
    ("outOfTurn", T): "I-11.10",
} | {("wrongCards", book): "I-11.3" for book in DANISH}
ROWS = [
    pytest.param(offence, book, *terms, marks=pytest.mark.cites(SHOWS[offence, book]))
    if (offence, book) in SHOWS
    else (offence, book, *terms)
    for offence, books in FINES.items()
    for book, terms in books.items()
]


def what_comes_of(table: Table) -> str:
    """Whether the deal stops, waits for a vote or goes on."""
    return STOPS if table.state.result == "scrapped" else VOTE if table.state.ballot else PLAYS_ON


def by_offender(table: Table, seat: int) -> dict[Any, int]:
    """To whom an offender has paid fines, and how much."""
    return {t.payee: t.points for t in reasons(table, "fine") if t.payer == seat}


# --- what each book takes ------------------------------------------------------------------------------


@pytest.mark.parametrize(("offence", "book", "amount", "outcome"), ROWS)
def test_every_book_has_its_fines_and_says_who_gets_them(
    offence: str, book: str, amount: int, outcome: str
) -> None:
    commit, seat = COMMIT[offence]
    table = commit(book)
    assert fined(table)[0] == (seat, offence)
    payees = [other for other in (A, B, C) if other != seat] if book == B99 else ["king", "pagat"]
    assert by_offender(table, seat) == (dict.fromkeys(payees, amount) if amount else {})
    assert what_comes_of(table) == outcome


@pytest.mark.parametrize(
    ("offence", "book"),
    [(offence, book) for offence, books in FINES.items() for book in DANISH if book not in books],
)
def test_an_error_that_a_book_does_not_fine_cannot_happen(offence: str, book: str) -> None:
    commit, _ = COMMIT[offence]
    if offence == "cupsNotMoved":
        assert fined(commit(book)) == []
        return
    with pytest.raises(IllegalAction):
        commit(book)


@pytest.mark.parametrize("offence", FINES)
def test_a_house_may_set_another_fine(offence: str) -> None:
    key = f"fine.{offence}" + ("" if offence in ("wrongDemand", "cupsNotMoved") else ".amt")
    commit, seat = COMMIT[offence]
    assert by_offender(commit(T, **{key: 35}), seat) == {"king": 35, "pagat": 35}


@pytest.mark.parametrize("offence", ["revoke", "wrongDemand"])
def test_a_house_may_give_the_fines_to_the_opponents_or_to_the_cups(offence: str) -> None:
    commit, seat = COMMIT[offence]
    assert set(by_offender(commit(J, **{"fine.to": "opponents"}), seat)) == {A, B, C} - {seat}
    assert set(by_offender(revoke(B99, **{"fine.to": "cups"}), B)) == {"king", "pagat"}


def test_cups_that_were_not_moved_are_paid_themselves_whoever_gets_the_other_fines() -> None:
    commit, seat = COMMIT["cupsNotMoved"]
    assert by_offender(commit(T, **{"fine.to": "opponents"}), seat) == {"king": 5, "pagat": 5}


@pytest.mark.cites("I-11.3", "I-11.4")
@pytest.mark.parametrize("book", [J, H, V])
def test_everybody_with_a_wrong_number_of_cards_is_fined_and_every_fine_is_told(book: str) -> None:
    table = wrong_cards(book)
    assert paid(table, "fine") == (-80, 0, -80, 80, 80)
    assert fined(table) == [(A, "wrongCards"), (C, "wrongCards")]
    assert {(one.seat, one.offence) for one in table.state.fines} == {(A, "wrongCards"), (C, "wrongCards")}


def test_an_objection_that_is_unfounded_costs_nothing() -> None:
    table = taken_up(strict(T, "deal"))
    table.act(B, ObjectCount())
    assert (table.events(OffenceFound), paid(table, "fine")) == ([], (0,) * 5)


# --- a switch for each error ---------------------------------------------------------------------------


def _misdeal(rules: Any) -> None:
    start = opened()
    hands = [cards(hand) for hand in wrong_number(strict(J, "deal")).state.dealt]
    Table(rules, danish.initial(rules, start)).act(None, Deal(tuple(hands)))


def _wrong_skat(rules: Any) -> None:
    taken_up(rules).act(C, WRONG_SKAT)


def _wrong_declaration(rules: Any) -> None:
    declared(rules, NINE, tarok(10))


def _early_declaration(rules: Any) -> None:
    taken_up(rules, TEN).act(A, Declare((tarok(10),)))


def _revoke(rules: Any) -> None:
    ending(rules, LAST_THREE, A).play("S4", "D1")


def _out_of_turn(rules: Any) -> None:
    ending(rules, LAST_THREE, A).act(B, Play(Card("D1")))


def _wrong_demand(rules: Any) -> None:
    table = ending(rules, LAST_THREE, A)
    table.act(B, DemandSkus())


def _wrong_count(rules: Any) -> None:
    table = ending(rules, {A: "T20", B: "S4", C: "D4"}, A, won={A: 8, B: 8, C: 8})
    table.play("T20", "S4", "D4")
    table.act(B, EnterCount(26))


def _move_cups(rules: Any) -> None:
    taken_up(rules).act(C, MoveCups())


@pytest.mark.parametrize(
    ("switch", "err"),
    [
        ("deal", _misdeal),
        ("cups", _move_cups),
        ("skat", _wrong_skat),
        ("declare", _wrong_declaration),
        ("declare", _early_declaration),
        ("follow", _revoke),
        ("turn", _out_of_turn),
        ("skusDemand", _wrong_demand),
        ("count", _wrong_count),
    ],
)
def test_an_error_can_happen_only_where_its_switch_is_on(switch: str, err: Callable[[Any], None]) -> None:
    house = {"decl.mode": "manual"} if switch == "declare" else {}
    err(strict(T, switch, **house))
    others = {"deal", "cups", "skat", "declare", "follow", "turn", "skusDemand", "count"} - {switch}
    with pytest.raises(IllegalAction):
        err(strict(T, *others, **house))


def test_who_may_err_in_declaring_declares_himself_also_where_the_mode_is_auto() -> None:
    table = taken_up(strict(T, "declare"), TEN)
    table.act(C, SKAT)
    assert table.state.declared == (None, None, None)
    table.act(C, Declare(()))
    assert Claim("declaration", C) in table.legal(B)


@pytest.mark.parametrize(
    ("book", "after"), [(B99, {A: 5, B: 5}), (T, {"king": 5, "pagat": 5}), (J, {"king": 5, "pagat": 5})]
)
def test_a_misdeal_that_is_seen_in_time_costs_the_dealer_his_books_price(book: str, after: Any) -> None:
    table = wrong_number_in_time(book)
    if book != T:
        assert list(table.legal(C)) == [Redeal(), PassDeal()]
        table.act(C, Redeal())
    reason = "ante" if book == J else "misdeal"
    price = {t.payee: t.points for t in reasons(table, reason)[-2:]}
    assert price == after


def wrong_number_in_time(book: str) -> Table:
    """A misdeal to which B objects while the hands are taken up."""
    rules, start = strict(book, "deal"), opened()
    table = Table(rules, danish.initial(rules, start), danish.begin(rules, start))
    table.state = danish.evolve(rules, table.state, table.log[1])
    hands = [cards(hand) for hand in wrong_number(rules).state.dealt]
    table.act(None, Deal(tuple(hands)))
    table.act(B, ObjectCount())
    return table


# --- who points an error out ---------------------------------------------------------------------------


@pytest.mark.cites("G140", "I-11.6")
@pytest.mark.parametrize("book", [J, H])
def test_a_sitter_who_points_out_a_revoke_is_ignored(book: str) -> None:
    order = (1, 3, 0)
    hands = {1: NINE, 3: "T11 T12 T13 S4 S5 S6 D4 D5 D6", 0: "T14 T15 T16"}
    table = dealt(strict(book, "follow"), hands, order, table=4)
    table.accept_all()
    table.act(0, next(iter(table.legal(0))))
    table.play("S1", "D4")
    refusal = table.refuses(2, Claim("revoke", 3))
    assert refusal.reason == "only players in this deal can do this"
    assert list(table.legal(2)) == []
    table.act(1, Claim("revoke", 3))  # whereas an active player is heard
    assert table.state.result == "scrapped"


@pytest.mark.parametrize("book", DANISH)
@pytest.mark.parametrize("seat", [A, B, C])
def test_every_active_player_may_point_out_a_revoke_even_his_own(book: str, seat: int) -> None:
    table = ending(strict(book, "follow"), LAST_THREE, A)
    table.play("S4", "D1", "H1")
    table.act(seat, Claim("revoke", B))
    assert fined(table) == [(B, "revoke")]


@pytest.mark.parametrize("book", [J, V])
def test_an_offender_makes_his_own_wrong_declaration_known(book: str) -> None:
    table = declared(manual(book), NINE, tarok(10))
    table.act(A, Claim("declaration", A))
    assert fined(table) == [(A, "wrongDecl")]


@pytest.mark.parametrize("book", DANISH)
def test_the_dealer_may_report_his_own_skat(book: str) -> None:
    table = taken_up(strict(book, "skat"), TEN)
    table.act(C, WRONG_SKAT)
    table.act(C, Claim("skat", C))
    assert fined(table) == [(C, "wrongSkat")]


@pytest.mark.parametrize("book", DANISH)
def test_a_false_claim_costs_nothing(book: str) -> None:
    table = declared(manual(book, "follow", "skat"), TEN, tarok(10))
    table.play("S1", "S4")
    before = table.state.net
    for claim in (Claim("revoke", B), Claim("declaration", A), Claim("skat", C)):
        assert table.act(C, claim) == (ClaimMade(C, claim.against, claim.offence, upheld=False),)
        assert table.refuses(C, claim)  # once is enough until the next card falls
    assert table.state.net == before
    table.play(table.may_play(C).split()[0])
    assert Claim("revoke", B) in table.legal(C)


def test_an_error_is_fined_once() -> None:
    table = revoke(B99)
    assert table.act(A, Claim("revoke", B)) == (ClaimMade(A, B, "revoke", upheld=False),)


# --- leniency ------------------------------------------------------------------------------------------


@pytest.mark.parametrize("offence", FINES)
def test_at_a_lenient_table_a_fine_needs_both_opponents(offence: str) -> None:
    commit, seat = COMMIT[offence]
    table = commit(T, **{"strict.lenient": True})
    assert table.state.ballot is not None
    assert (table.state.ballot.question, seat in table.state.ballot.voters) == ("fine", False)
    assert paid(table, "fine") == (0,) * 5
    vote(table, True, True)
    assert fined(table)[0] == (seat, offence)
    assert by_offender(table, seat) == dict.fromkeys(("king", "pagat"), FINES[offence][T][0])


@pytest.mark.parametrize(
    "offence", ["wrongSkat", "revoke", "wrongDecl", "missingDecl", "earlyDecl", "outOfTurn"]
)
@pytest.mark.parametrize("words", [(False, True), (True, False), (False, False)])
def test_at_a_lenient_table_one_opponent_can_let_an_error_pass(offence: str, words: tuple[bool, ...]) -> None:
    commit, seat = COMMIT[offence]
    table = vote(commit(T, **{"strict.lenient": True}), *words)
    assert (table.log[-1], fined(table)) == (FineWaived(seat, offence), [])  # type: ignore[arg-type]
    assert (table.state.ballot, table.state.result, paid(table, "fine")) == (None, "", (0,) * 5)


@pytest.mark.parametrize("second", [True, False])
def test_at_a_lenient_table_every_offender_has_a_vote_of_his_own(second: bool) -> None:
    """Both A and C have a wrong number of cards; to fine one is not to fine the other."""
    table = vote(wrong_cards(J, **{"strict.lenient": True}), True, True)
    assert by_offender(table, A) == {"king": 40, "pagat": 40}
    assert by_offender(table, C) == {}
    vote(table, second, second)
    assert by_offender(table, C) == ({"king": 40, "pagat": 40} if second else {})
    assert table.state.result == "scrapped"


def test_an_error_that_was_let_pass_is_not_brought_up_again() -> None:
    table = vote(revoke(T, **{"strict.lenient": True}), False, False)
    assert table.act(A, Claim("revoke", B)) == (ClaimMade(A, B, "revoke", upheld=False),)
    table.play("S5", "S7", "H2", "D2", "H3", "S6")
    assert (table.state.result, fined(table)) == ("played", [])


def test_an_early_declaration_that_was_let_pass_is_paid_after_all() -> None:
    table = vote(COMMIT["earlyDecl"][0](B99, **{"strict.lenient": True}), False, False)
    assert paid(table, "declaration") == (20, -10, -10, 0, 0)


def test_while_a_vote_is_taken_only_the_two_others_may_act() -> None:
    table = revoke(T)
    assert list(table.legal(B)) == []
    assert list(table.legal(A)) == [Vote(True), Vote(False)]
    assert table.refuses(A, Play(Card("S5"))).reason == "the vote comes first: wait for it, or answer it"
    table.act(C, Vote(True))
    assert list(table.legal(C)) == []


def test_no_switch_is_on_in_any_book() -> None:
    for book in DANISH:
        rules = danish_rules(book).strict
        switches = (rules.deal, rules.cups, rules.skat, rules.declare, rules.follow, rules.turn)
        assert not any((*switches, rules.skus_claim, rules.skus_demand, rules.count, rules.lenient))
