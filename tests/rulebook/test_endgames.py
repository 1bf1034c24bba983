"""Hermansen's seven endgames: every line of the book, every branch of its solutions, and every claim.

The data says what is played and what comes of it; the engine must allow each move, tell the same result and
pay for it. Claims are proved by trying everything the engine allows.
"""

from __future__ import annotations

import json
from collections.abc import Iterator, Mapping
from pathlib import Path
from typing import Any, cast

import pytest

from table import Table, danish_rules, ending, net
from ultimo import danish
from ultimo.cards import KINGS, PAGAT, SKUS, Suit, parse_card
from ultimo.events import Decline, DemandSkus, NameSkus, Play, Reason, Seat
from ultimo.rulebook import DanishRules

DATA = json.loads((Path(__file__).parents[1] / "data" / "endgames.json").read_text(encoding="utf-8"))
ENDGAMES: dict[str, dict[str, Any]] = {endgame["id"]: endgame for endgame in DATA["endgames"]}
BOOKS = ("hermansen", "jensen")

SEATS = {"F": 1, "M": 2, "B": 0}
PEOPLE = {seat: who for who, seat in SEATS.items()}
Result = list[str]

# What the data calls a rule, and the parameter that switches it.
SWITCHES: dict[tuple[str, Any], tuple[str, Any]] = {
    ("demand", False): ("skus.demandable", False),
    ("third_last_free", False): ("skus.thirdLastVoluntary", False),
    ("last_lead_passes", True): ("skus.lastTrickLead", "leadPasses"),
    ("second_last_barred", False): ("skus.secondLastBarred", False),
    ("baptise", False): ("skus.rename", "never"),
}

CITED = {
    ("eg-1", 0): ("G72", "I-7.2"),
    ("eg-1", 2): ("G73",),
    ("eg-3", 0): ("G83",),
    ("eg-4", 0): ("G84",),
    ("eg-5", 0): ("G75", "I-7.3", "I-7.14"),
    ("eg-6", 0): ("G74", "I-7.2"),
    ("eg-7", 2): ("I-7.13",),
    ("eg-7", 4): ("I-7.10",),
}


def rules_of(book: str, switches: Mapping[str, Any] | None = None) -> DanishRules:
    """The rulebook with the switches of the data; careless players need a table that lets them be so."""
    house: dict[str, Any] = {}
    for switch, value in (switches or {}).items():
        house |= {"strict.skusClaim": True} if switch == "careless" else dict([SWITCHES[switch, value]])
    return danish_rules(book, house)


def position(endgame: Mapping[str, Any], rules: DanishRules) -> Table:
    """The printed cards; everybody has taken some tricks, so that there is no tout and no nolo."""
    hands = {SEATS[who]: " ".join(hand) for who, hand in endgame["hands"].items()}
    earlier = 25 - endgame["tricks_left"]
    return ending(rules, hands, SEATS[endgame["leader"]], won={1: 7, 2: 7, 0: earlier - 14})


def move(table: Table, text: str) -> None:
    """One move of the data. Silence is not written: nobody else demands."""
    who, what, *rest = text.split()
    seat = SEATS[who]
    if what == "demand" and table.state.phase != "demand":
        table.act(seat, DemandSkus())
        return
    while table.state.phase == "demand":
        asked = table.state.asked[0]
        table.act(asked, DemandSkus() if what == "demand" and asked == seat else Decline())
    if what == "play":
        table.act(seat, Play(parse_card(rest[0])))
    elif what == "lead_skus":
        table.act(seat, Play(parse_card("T0"), cast(Suit, rest[0])))
    elif what == "baptise":
        table.act(seat, NameSkus(cast(Suit, rest[0])))


def results(state: danish.State) -> list[Result]:
    """What the tricks of an ending came to, in the words of the data."""
    found = []
    for number, trick in enumerate(state.tricks, 26 - len(state.tricks)):
        for play in trick.plays:
            if play.card.bit & (KINGS | PAGAT):
                word = ("lost", "home", "bagud", "ultimo")[(play.seat == trick.winner) + 2 * (number == 25)]
                found.append([word, PEOPLE[play.seat], play.card.value])
    last = state.tricks[-1]
    (card,) = [play.card.value for play in last.plays if play.seat == last.winner]
    found.append(["last_trick", PEOPLE[last.winner], card])
    if any(play.card.bit == SKUS for play in last.plays):
        (owner,) = [seat for seat, pile in enumerate(state.piles) if pile & SKUS]
        found.append(["skus_to", PEOPLE[owner], "T0"])
    return found


# --- the lines of the book -----------------------------------------------------------------------------


def lines() -> Iterator[Any]:
    for key, endgame in ENDGAMES.items():
        for number, line in enumerate(endgame["book_lines"]):
            passes = line.get("rules", {}).get("last_lead_passes")
            for book in (*BOOKS, "dtf") if passes else BOOKS:
                cites = CITED.get((key, number))
                marks = [pytest.mark.cites(*cites)] if cites else []
                yield pytest.param(key, line, book, id=f"{key}-{book}-{line['name']}", marks=marks)


@pytest.mark.parametrize(("key", "line", "book"), [*lines()])
def test_a_line_of_the_book_is_legal_and_ends_as_printed(key: str, line: dict[str, Any], book: str) -> None:
    table = position(ENDGAMES[key], rules_of(book, line.get("rules")))
    for text in line["moves"]:
        move(table, text)
    assert table.state.phase == "closed"
    assert results(table.state) == line["result"]
    for result in line["result"]:
        assert_paid(table, result)


PRICES: dict[tuple[str, bool], tuple[Reason, int]] = {  # result, king or pagat: what each opponent gets
    ("lost", True): ("kingLost", 5),
    ("lost", False): ("pagatLost", 5),
    ("home", False): ("pagatHome", -5),
    ("ultimo", True): ("kingUltimo", -40),
    ("ultimo", False): ("pagatUltimo", -45),
    ("bagud", True): ("kingBagud", 40),
    ("bagud", False): ("pagatBagud", 45),
}


def assert_paid(table: Table, result: Result) -> None:
    """The engine has paid for this result, and for nothing else in its place."""
    word, who, card = result
    others = [seat for seat in (1, 2, 0) if seat != SEATS[who]]
    about = [t for t in table.transfers() if t.card == parse_card(card) and t.reason != "lastTrick"]
    if word == "last_trick":
        ultimo = any("Ultimo" in t.reason for t in about)
        price = 0 if ultimo else -20  # the price of an ultimo includes it
        assert net([t for t in table.transfers() if t.reason == "lastTrick"], *others) == (price, price)
    elif word == "skus_to" or (word == "home" and card != "T1"):  # neither is paid for
        assert about == []
    else:
        reason, price = PRICES[word, card != "T1"]
        assert {t.reason for t in about} == {reason}
        assert net(about, *others) == (price, price)


# --- the trees of the solutions ------------------------------------------------------------------------


@pytest.mark.parametrize("book", BOOKS)
@pytest.mark.parametrize("key", ENDGAMES)
def test_an_opponent_may_do_exactly_what_the_solution_reckons_with(key: str, book: str) -> None:
    endgame = ENDGAMES[key]
    settled = {SEATS[who] for who in (*endgame["coalition"], *endgame["solution_tree_passive"])}
    leaves = 0

    def walk(table: Table, nodes: list[dict[str, Any]]) -> None:
        nonlocal leaves
        for node in nodes:
            branch = Table(table.rules, table.state)
            move(branch, node["move"])
            if "result" in node:
                leaves += 1
                assert results(branch.state) == node["result"]
            else:
                walk(branch, node["then"])
        reckoned = [node["move"] for node in nodes if not node["move"].endswith("demand")]
        seat = table.state.turn
        if reckoned and table.state.phase == "play" and seat not in settled:
            assert sorted(reckoned) == sorted(written(seat, action) for action in cards_for(table, seat))

    walk(position(endgame, rules_of(book, endgame.get("solution_tree_rules"))), endgame["solution_tree"])
    assert leaves


def cards_for(table: Table, seat: Seat) -> list[Play]:
    return [action for action in table.legal(seat) if isinstance(action, Play)]


def written(seat: Seat, action: Play) -> str:
    """A move as the data writes it."""
    what = f"lead_skus {action.named}" if action.named else f"play {action.card.value}"
    return f"{PEOPLE[seat]} {what}"


# --- the claims ----------------------------------------------------------------------------------------


def claims() -> Iterator[Any]:
    """The claims of the data, and what is left of them when a rule of the skus is another one."""
    for key, endgame in ENDGAMES.items():
        for check in endgame["checks"]:
            yield pytest.param(key, check, id=f"{key}-{check['name']}")
        for variant, expected in endgame.get("ablation", {}).items():
            rules = DATA["ablation"]["variants"][variant]
            if all((switch, value) in SWITCHES for switch, value in rules.items()):
                check = {"rules": rules, "expected": expected}
                check |= {"coalition": endgame["coalition"], "claim": endgame["claim"]}
                yield pytest.param(key, check, id=f"{key}-ablation-{variant}")


@pytest.mark.parametrize(("key", "check"), [*claims()])
def test_a_claim_can_be_forced_or_not_as_the_data_says(key: str, check: dict[str, Any]) -> None:
    table = position(ENDGAMES[key], rules_of("hermansen", check.get("rules")))
    for text in check.get("after", ()):
        move(table, text)
    assert isinstance(table.rules, DanishRules)
    coalition = {SEATS[who] for who in check["coalition"]}
    assert forced(table.rules, table.state, coalition, check["claim"]["all"]) is check["expected"]


def forced(rules: DanishRules, state: danish.State, coalition: set[Seat], claim: list[Result]) -> bool:
    """Whether the coalition can bring the claim about with open cards, whatever the others do."""
    if state.phase == "closed":
        return holds(claim, results(state))
    mover = danish.waiting_for(rules, state)[0]
    for seat in state.order:  # a demand holds nobody up: whoever gains by one makes it
        if seat != mover and DemandSkus() in danish.legal(rules, state, seat) and state.phase != "demand":
            after = danish.step(rules, state, seat, DemandSkus())[0]
            if forced(rules, after, coalition, claim) is (seat in coalition):
                return seat in coalition
    own = mover in coalition
    for action in danish.legal(rules, state, mover):
        if isinstance(action, Play | NameSkus | DemandSkus | Decline):
            after = danish.step(rules, state, mover, action)[0]
            if forced(rules, after, coalition, claim) is own:
                return own
    return not own


def holds(claim: list[Result], found: list[Result]) -> bool:
    """Whether every atom of a claim is true; an atom may leave out the card."""

    def occurs(atom: Result) -> bool:
        return any(result[: len(atom)] == atom for result in found)

    return all(not occurs(atom[1:]) if atom[0] == "not" else occurs(atom) for atom in claim)
