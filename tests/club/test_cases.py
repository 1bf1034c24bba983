"""Every case of the specification that is about payments (rules G5, G6, G7), written on a score sheet.

The cases and their numbers are those of the tests of the rules; here they go through the messages of the
sheet. What a deal at the table has paid, its entry must pay.
"""

from __future__ import annotations

from random import Random
from typing import Any

import pytest
from msgspec.structs import replace

from french_table import rules_of
from offences import COMMIT
from properties import test_strict_tables as strict_tables
from properties.driving import open_deal
from properties.laws import witnessed
from rulebook import test_bastas_fines as bastas
from rulebook import test_counting as counting
from rulebook import test_fines as fines
from rulebook import test_french_scores as french_cases
from rulebook import test_last_trick as last_tricks
from rulebook import test_nolo_and_tout as nolos
from rulebook import test_payments_in_play as in_play
from rulebook import test_sample_game as sample
from settling import A_TOUT, A, B, C, Settled
from sheets import PEN, begun, danish_entry, french_entry, write
from table import DANISH, Table, danish_rules, net
from ultimo import danish, deal, french
from ultimo.cards import Card, parse_card
from ultimo.club import sheet as s
from ultimo.club.entries import DanishDeal, Entry, FrenchDeal
from ultimo.club.mistakes import Captured
from ultimo.danish.legal import due_declarations
from ultimo.danish.outcome import Fined, GivenBack, LostKing, PagatFate
from ultimo.danish.payments import ante, fine_for
from ultimo.events import Announced, CardPlayed, Claim, Cup, Declaration, FineWaived, Paid, PassDeal, Redeal
from ultimo.rulebook import DanishRules, Rules

EVERYBODY = (A, B, C, "king", "pagat")
COUNTED: dict[str, Any] = {"counts": {A: 26, B: 26}}
KING = parse_card("SK")


# --- the end of a Danish deal ------------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("book", "cards", "more", "expected", "after", "took"), last_tricks.CASES + last_tricks.HOUSE_RULES
)
def test_the_last_trick_is_paid_as_the_specification_says(
    book: str,
    cards: str,
    more: dict[str, Any],
    expected: tuple[int, int, int],
    after: tuple[int, int],
    took: tuple[tuple[Cup, int], ...],
) -> None:
    settled = Settled("club", book, cards, **more)
    assert (settled.players, settled.cups) == (expected, after)
    assert settled.emptied == took


@pytest.mark.parametrize(("before", "tricks", "expected"), nolos.NOLO_PRICES)
def test_bastas_nolo_is_paid_as_it_was_announced(
    before: int | None, tricks: tuple[int, int, int], expected: int
) -> None:
    announced = (Announced(C, "nolo", before),) if before else ()
    settled = Settled("club", "basta", nolos.CARDS, tricks, announced=announced)
    assert settled.only("nolo", "noloLost") == (-expected // 2, -expected // 2, expected)


@pytest.mark.parametrize(("before", "expected"), nolos.TOUT_PRICES)
def test_bastas_tout_is_paid_as_it_was_announced(before: int | None, expected: int) -> None:
    announced = (Announced(A, "tout", before),) if before else ()
    won = Settled("club", "basta", nolos.CARDS, A_TOUT, announced=announced)
    assert (won.players, won.cups) == ((expected + 120, -expected // 2, -expected // 2), (0, 0))
    lost = Settled("club", "basta", nolos.CARDS, (24, 1, 0), announced=announced)
    assert lost.only("tout", "toutLost")[0] == (-expected if before else 0)


@pytest.mark.parametrize(("cards", "tricks", "barren", "expected"), bastas.WINS_NOTHING)
def test_who_wins_nothing_is_paid_nothing(
    cards: str, tricks: tuple[int, int, int], barren: int, expected: tuple[int, ...]
) -> None:
    settled = Settled("club", "basta", cards, tricks, barren=(barren,))
    assert (settled.players, settled.emptied) == (expected, ())


@pytest.mark.parametrize("book", counting.ROUNDED)
@pytest.mark.parametrize("count", [0, 3, 4, 23, 24, 28, 29, 73])
def test_a_count_is_paid_as_printed(book: str, count: int) -> None:
    """C deals, and counts; C has a trick with the skat, and without any other a nolo."""
    entry = (
        DanishDeal(winner=A, counts={B: count, C: 77 - count}) if count else DanishDeal(winner=A, nolo=(B,))
    )
    (line,) = s.ledger(write(begun(danish_rules(book), 3), entry)).lines
    paid = net([t for t in line.transfers if t.reason == "count"], B, C)
    expected = (counting.PRINTED[count], counting.PRINTED[77 - count]) if count else (0, 0)
    assert paid == expected


# --- deals that were played at a table ---------------------------------------------------------------------


def finish(table: Table, rng: Random) -> Table:
    """Play, err and vote at random until the deal is over."""
    while not deal.is_over(table.state):
        if deal.needs_cards(table.state):
            table.act(None, deal.deal_out(table.rules, table.state, deal.shuffled(rng), rng))
        else:
            seat = deal.waiting_for(table.rules, table.state)[0]
            table.act(seat, table.legal(seat).draw(rng))
    return table


def in_short(table: Table, entry: DanishDeal) -> DanishDeal:
    """The entry without what follows from its fines: not what goes back, but what was true or captured."""
    rules = table.rules
    assert isinstance(rules, DanishRules)
    wrong = [one.seat for one in entry.fines if one.offence == "wrongDecl" and one.overpaid]
    true = {seat: due_declarations(rules, table.state, seat) for seat in wrong}
    fines = tuple(replace(one, overpaid=0) for one in entry.fines)
    captured = tuple(Captured(one.by, one.card) for one in entry.given_back)
    short = replace(entry, fines=fines, true_declarations=true, captured=captured)
    return replace(short, given_back=(), banned=(), barren=())


def assert_written(table: Table) -> s.Line:
    """What the entry of a deal pays is what the table has paid, the ante set aside."""
    rules = table.rules
    assert isinstance(rules, DanishRules)
    paid = [t for t in table.transfers() if t.reason != "ante"]
    anted = any(t.reason == "ante" for t in table.transfers())
    king, pagat = (0, 0) if anted else net(ante(rules, (A, B, C)), "king", "pagat")
    entry = danish_entry(danish.outcome_of(table.state, table.state.counts))
    sheet = begun(rules, 3, (60 - king, 60 - pagat))
    (line,) = s.ledger(write(sheet, entry)).lines
    (short,) = s.ledger(write(sheet, in_short(table, entry))).lines
    assert short.transfers == line.transfers
    assert net([t for t in line.transfers if t.reason != "ante"], *EVERYBODY) == net(paid, *EVERYBODY)
    assert sum(t.reason == "ante" for t in line.transfers) == 2 * entry.antes
    assert line.emptied == table.state.emptied
    return line


@pytest.mark.parametrize("seed", range(2))
@pytest.mark.parametrize(
    ("offence", "book"),
    [
        (offence, book)
        for offence in COMMIT
        for book in DANISH
        if fine_for(danish_rules(book), offence).exists  # type: ignore[arg-type]
    ],
)
def test_a_deal_with_a_fine_is_paid_as_at_the_table(offence: str, book: str, seed: int) -> None:
    commit, seat = COMMIT[offence]
    table = finish(commit(book), Random(seed))
    line = assert_written(table)
    assert isinstance(line.entry, DanishDeal)
    if offence != "cupsNotMoved" or danish_rules(book).cups.move_duty:
        assert (seat, offence) in {(one.seat, one.offence) for one in line.entry.fines}


@pytest.mark.parametrize("book", DANISH)
@pytest.mark.parametrize("again", [True, False])
def test_a_misdeal_is_paid_as_at_the_table(book: str, again: bool) -> None:
    table = fines.wrong_number_in_time(book)
    if table.state.phase == "misdeal":
        table.act(C, Redeal() if again else PassDeal())
    assert_written(finish(table, Random(1)))


@pytest.mark.parametrize("number", range(16))
@pytest.mark.parametrize("book", DANISH)
def test_a_deal_among_players_who_err_is_paid_as_at_the_table(book: str, number: int) -> None:
    """Whatever goes wrong, and whatever the others let pass."""
    rng = Random(f"written {book} {number}")
    rules = strict_tables.table_of(book, rng)
    opened = open_deal(rules, 3, rng)
    witness = witnessed(rules, opened, rng, error=rng.choice((0.0, 0.02, 0.1, 1.0)), probing=0.0)
    state, log = witness.state, witness.log
    assert isinstance(state, danish.State)
    out = danish.outcome_of(state, state.counts)
    out = replace(out, let_pass=tuple({one.seat for one in log if isinstance(one, FineWaived)}))
    if state.result != "played":  # though all cards may have been played
        out = replace(out, winner=None, tricks=None, last=())
    sheet = begun(rules, 3, (opened.king, opened.pagat), opened.dealer)
    if out.counts and sum(out.counts) != 78:  # cards were missing in a deal that stood
        with pytest.raises(s.Refused):
            write(sheet, replace(danish_entry(out), counts=dict(zip(out.order, out.counts, strict=True))))
        return
    (line,) = s.ledger(write(sheet, danish_entry(out))).lines
    paid = [t for one in log if isinstance(one, Paid) for t in one.transfers]
    assert net(line.transfers, *EVERYBODY) == net(paid, *EVERYBODY)
    assert line.emptied == state.emptied


def bastas_deals() -> list[Table]:
    """Deals of the oldest book whose fines bear on the rest of them."""
    king = bastas.revoked(bastas.CAPTURED, "SK", "T20", "H1")
    pagat = bastas.at_end({A: "T1 S5", B: "H7 T20", C: "H1 H2"}, leader=C)
    pagat.play("H1", "T1", "T20")
    pagat.act(C, Claim("revoke", B))
    home = bastas.revoked({A: "S4 S5 S6", B: "S7 D1 T1", C: "H1 H2 H3"}, "S4", "D1", "H1")
    home.play("S5", "T1", "H2")  # for which B is paid nothing any more
    cavalry = bastas.dealers_cavalry()
    cavalry.act(A, Claim("skat", C))
    return [king, pagat, home, cavalry, bastas.helped(True, True), bastas.helped(True, False)]


@pytest.mark.parametrize("number", range(6))
def test_bastas_fines_are_written_with_all_that_follows_from_them(number: int) -> None:
    line = assert_written(finish(bastas_deals()[number], Random(number)))
    assert isinstance(line.entry, DanishDeal)
    assert line.entry.fines


@pytest.mark.parametrize("book", DANISH)
def test_kings_and_pagat_that_fall_in_play_are_paid_as_at_the_table(book: str) -> None:
    rules = danish_rules(book)
    for table in (in_play.ruffed_king(rules), *(in_play.pagat_ruffs(rules, card) for card in ("D6", "T15"))):
        line = assert_written(table)  # as if the deal had then been scrapped
        assert table.transfers() == [t for t in line.transfers if t.reason != "ante"] != []


@pytest.mark.parametrize("book", ["jensen", "hermansen", "vlk", "dtf", "basta"])
@pytest.mark.parametrize("skus_in", [10, 25])
def test_a_tout_is_paid_as_at_the_table(book: str, skus_in: int) -> None:
    line = assert_written(nolos.whole_tout(danish_rules(book), skus_in=skus_in))
    assert {cup for cup, _ in line.emptied} == {"king", "pagat"}


def test_a_declaration_that_came_too_early_may_be_written_and_is_not_paid() -> None:
    ten = Declaration("tarok", 10, pagat=False)
    entry = DanishDeal(declarations={A: (ten,)}, fines=(Fined(A, "earlyDecl"),))
    for book, received in (("basta", 0), ("dtf", 20)):
        (line,) = s.ledger(write(begun(danish_rules(book), 3), entry)).lines
        assert net([t for t in line.transfers if t.reason == "declaration"], A) == (received,)


def test_a_last_trick_is_won_without_a_trump_where_others_have_them_all() -> None:
    all_trumps = (Declaration("tarok", 22, pagat=True), Declaration("matadors", 22))
    entry = DanishDeal(declarations={B: all_trumps}, winner=A, fallen=(CardPlayed(B, KING),), **COUNTED)
    (line,) = s.ledger(write(begun(danish_rules("dtf"), 3), entry)).lines
    assert {t.reason for t in line.transfers} >= {"lastTrick", "kingBagud"}
    with pytest.raises(s.Refused, match="does not beat"):
        write(begun(danish_rules("dtf"), 3), replace(entry, fallen=(CardPlayed(B, Card("T1")),)))


# --- whole examples ----------------------------------------------------------------------------------------


@pytest.mark.parametrize("book", sample.BOOKS)
def test_hermansens_game_is_paid_as_in_the_book(book: str) -> None:
    evening = sample.played(book)
    state = evening.state.deal
    sheet = write(begun(evening.rules, 3), danish_entry(danish.outcome_of(state, state.counts)))
    found = s.ledger(sheet)
    assert found.totals == evening.state.totals
    assert found.lines[0].cups == {"king": evening.state.king, "pagat": evening.state.pagat}
    assert len(found.lines[0].transfers) == len(sample.paid(evening))
    lines = sample.GAME["settlement"]["computed"]["lines"]
    seats = [(seat, who) for who, seat in sample.SEATS.items()]
    staked = [net([t for t in found.lines[0].transfers if t.reason == "found"], seat)[0] for seat, _ in seats]
    counts = [net([t for t in found.lines[0].transfers if t.reason == "count"], seat)[0] for seat, _ in seats]
    for (seat, who), stake, count in zip(seats, staked, counts, strict=True):
        assert found.totals[seat] - stake - count == sum(line.get(who, 0) for line in lines)


def after(rules: Rules, *results: french.Outcome) -> s.Ledger:
    return s.ledger(write(begun(rules, results[0].players), *map(french_entry, results)))


@pytest.mark.parametrize(("result", "value"), french_cases.VALUES)
def test_a_french_deal_is_worth_what_the_specification_says(result: french.Outcome, value: int) -> None:
    found = after(rules_of(f"french{result.players}"), result)
    defence = [seat for seat in range(result.players) if seat not in (result.taker, result.partner)]
    assert [found.totals[seat] for seat in defence] == [-value] * len(defence)
    assert sum(found.totals) == 0


@pytest.mark.parametrize(("result", "nets"), french_cases.NETS)
def test_what_each_gains_in_a_french_deal(result: french.Outcome, nets: list[int]) -> None:
    assert list(after(rules_of(f"french{result.players}"), result).totals) == nets


@pytest.mark.parametrize("game", french_cases.EXAMPLES["games"], ids=lambda game: str(game["id"]))
def test_the_games_of_the_french_book_come_out_on_the_sheet(game: dict[str, Any]) -> None:
    result = french_cases.of_example(game)
    expected = list((game.get("book") or game["derived"])["per_player"].values())
    assert list(after(rules_of(f"french{result.players}"), result).totals) == expected
    counted_by_defence = replace(
        french_entry(result), counted="defence", half_points=182 - result.half_points
    )
    sheet = write(begun(rules_of(f"french{result.players}"), result.players), counted_by_defence)
    assert list(s.ledger(sheet).totals) == expected


def test_the_five_games_of_the_french_book_add_up_on_the_sheet() -> None:
    games = french_cases.EXAMPLES["games"][:5]
    found = after(rules_of(), *map(french_cases.of_example, games))
    printed = [list(game["book"]["running_total"].values()) for game in games]
    assert [list(line.totals) for line in found.lines] == printed


@pytest.mark.parametrize(
    ("book", "shares"),
    [*((book, (50, 50, 55, 50)) for book in counting.ROUNDED), ("basta", (51, 51, 52, 51))],
)
def test_at_the_end_the_cups_are_divided(book: str, shares: tuple[int, ...]) -> None:
    sheet = begun(danish_rules(book), 4, (130, 75))
    sheet = replace(sheet, start=replace(sheet.start, totals=(-60, -20, -115, -10)))
    found = s.ledger(s.decide(sheet, s.Closed(by=PEN)))
    assert net(found.division, 0, 1, 2, 3, "king", "pagat") == (*shares, -130, -75)
    assert sum(found.totals) == 0


# --- what cannot be written --------------------------------------------------------------------------------

PLAIN: dict[str, Any] = {"winner": A, **COUNTED}
WRONG = (Fined(A, "wrongDecl"),)


@pytest.mark.parametrize(
    ("book", "field", "entry"),
    [
        ("dtf", "antes", DanishDeal(**PLAIN, antes=0)),
        ("dtf", "antes", DanishDeal(**PLAIN, antes=2)),  # a misdeal has its own price there
        ("jensen", "fines", DanishDeal(**PLAIN, fines=(Fined(A, "outOfTurn"),))),
        ("jensen", "fines", DanishDeal(**PLAIN, fines=(Fined(A, "cupsNotMoved"),))),  # never moved
        ("jensen", "fines", DanishDeal(fines=(Fined(A, "misdeal"),))),  # the dealer antes again there
        ("jensen", "fines", DanishDeal(**PLAIN, fines=(Fined(A, "revoke"),))),  # which ends the deal
        ("dtf", "true_declarations", DanishDeal(**PLAIN, true_declarations={A: ()})),
        ("dtf", "true_declarations", DanishDeal(fines=WRONG, true_declarations={A: ()})),
        ("dtf", "true_declarations", DanishDeal(fines=WRONG, true_declarations={A: (Declaration("full"),)})),
        ("jensen", "fines", DanishDeal(**PLAIN, fines=(Fined(A, "wrongDecl", overpaid=-10),))),
        ("jensen", "fines", DanishDeal(**PLAIN, fines=(Fined(A, "missingDecl", overpaid=10),))),
        ("basta", "fines", DanishDeal(**PLAIN, fines=(Fined(A, "revoke", false_ten=True),))),
        ("dtf", "fines", DanishDeal(**PLAIN, fines=(Fined(7, "revoke"),))),
        ("jensen", "given_back", DanishDeal(**PLAIN, given_back=(GivenBack(A, B, KING, 15),))),
        ("basta", "given_back", DanishDeal(**PLAIN, given_back=(GivenBack(A, A, KING, 15),))),
        ("basta", "given_back", DanishDeal(**PLAIN, given_back=(GivenBack(A, 3, KING, 15),))),
        ("basta", "given_back", DanishDeal(**PLAIN, given_back=(GivenBack(A, B, KING, -5),))),
        ("basta", "given_back", DanishDeal(**PLAIN, given_back=(GivenBack(A, B, Card("S4"), 5),))),
        ("basta", "captured", DanishDeal(**PLAIN, captured=(Captured(A, KING),))),
        ("basta", "captured", DanishDeal(fines=(Fined(A, "revoke"),), captured=(Captured(A, KING),))),
        ("basta", "charged", DanishDeal(**PLAIN, charged=B)),  # nobody has made ultimo
        ("basta", "charged", DanishDeal(**PLAIN, won_with=KING, charged=A)),
        ("basta", "charged", DanishDeal(**PLAIN, won_with=KING, charged=4)),
        ("basta", "banned", DanishDeal(**PLAIN, banned=(5,))),
        ("basta", "let_pass", DanishDeal(**PLAIN, let_pass=(5,))),
        ("basta", "barren", DanishDeal(**PLAIN, barren=(5,))),
        ("dtf", "announcements", DanishDeal(**PLAIN, announcements=(Announced(A, "tout", 1),))),
        ("basta", "announcements", DanishDeal(**PLAIN, announcements=(Announced(A, "tout", 2),))),
        ("dtf", "winner", DanishDeal(winner=3, counts={A: 26, B: 26})),
        ("dtf", "won_with", DanishDeal(won_with=KING)),
        ("dtf", "won_with", DanishDeal(**PLAIN, won_with=Card("T0"))),
        ("dtf", "won_with", DanishDeal(**PLAIN, won_with=KING, kings_lost=(LostKing(A, KING),))),
        ("dtf", "won_with", DanishDeal(**PLAIN, won_with=KING, fallen=(CardPlayed(B, Card("T1")),))),
        ("dtf", "fallen", DanishDeal(fallen=(CardPlayed(A, KING),))),
        ("dtf", "fallen", DanishDeal(**PLAIN, fallen=(CardPlayed(A, KING),))),
        ("dtf", "fallen", DanishDeal(**PLAIN, fallen=(CardPlayed(B, KING), CardPlayed(C, KING)))),
        ("dtf", "fallen", DanishDeal(**PLAIN, fallen=(CardPlayed(B, KING), CardPlayed(B, Card("HK"))))),
        ("dtf", "fallen", DanishDeal(**PLAIN, fallen=(CardPlayed(3, KING),))),
        (
            "dtf",
            "fallen",
            DanishDeal(**PLAIN, fallen=(CardPlayed(B, KING),), kings_lost=(LostKing(B, KING),)),
        ),
        ("dtf", "nolo", DanishDeal(nolo=(B,))),
        ("dtf", "nolo", DanishDeal(winner=A, nolo=(A,))),
        ("dtf", "nolo", DanishDeal(winner=A, nolo=(4,))),
        ("dtf", "nolo", DanishDeal(winner=A, nolo=(B, C))),
        ("dtf", "tout", DanishDeal(tout=True)),
        ("dtf", "pagat_fate", DanishDeal(winner=A, nolo=(B,), pagat_fate=PagatFate(B, home=True))),
        ("dtf", "kings_lost", DanishDeal(**PLAIN, kings_lost=(LostKing(A, Card("S4")),))),
        ("dtf", "counts", DanishDeal(counts={A: 26, B: 26})),
        ("dtf", "counts", DanishDeal(winner=A, tout=True, counts={A: 60, B: 10})),
        ("french4", "taker", FrenchDeal(bid="garde")),
    ],
)
def test_an_impossible_entry_is_refused_with_its_field(book: str, field: str, entry: Entry) -> None:
    rules = rules_of(book) if book.startswith("french") else danish_rules(book)
    sheet = begun(rules, rules.sizes[0])
    with pytest.raises(s.Refused) as refused:
        write(sheet, entry)
    assert refused.value.field == field
    assert refused.value.told("da", sheet) != refused.value.told("de", sheet)


@pytest.mark.parametrize(
    ("field", "result"), [case for case in french_cases.IMPOSSIBLE if case[0] != "players"]
)
def test_an_impossible_french_entry_is_refused_with_its_field(field: str, result: french.Outcome) -> None:
    with pytest.raises(s.Refused) as refused:
        write(begun(rules_of(), 4), french_entry(result))
    assert refused.value.field == field
