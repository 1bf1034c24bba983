"""Write the conformance suite anew: `make conformance`, or some files of it by name.

Every file is the same to the byte each time: the seeds are fixed, and what the tests ask is fixed too.
"""

from __future__ import annotations

import hashlib
import json
import sys
from collections.abc import Callable, Iterable, Iterator, Mapping
from copy import deepcopy
from itertools import pairwise
from pathlib import Path
from random import Random
from typing import Any, Literal

import msgspec
from msgspec import inspect
from msgspec.structs import replace

ROOT = Path(__file__).parents[1]
sys.path[:0] = [str(ROOT / "tests"), str(ROOT / "tools")]

from conformance_cases import (  # noqa: E402
    Vector,
    begun,
    cases,
    dealing,
    is_few,
    lean,
    noted,
    vector,
)
from parameters import kinds, others  # noqa: E402
from playthroughs.scenarios import SCENARIOS  # noqa: E402
from rulebook.test_sample_game import played as sample_game  # noqa: E402
from skats import TIGHT  # noqa: E402
from table import Evening  # noqa: E402
from ultimo import danish, deal, french, record, series  # noqa: E402
from ultimo import events as e  # noqa: E402
from ultimo.cards import ALL_CARDS, KINGS, PACK, Card, cards, mask  # noqa: E402
from ultimo.conformance.notation import move_text, text  # noqa: E402
from ultimo.conformance.suite import FOLDER, INDEX, schema  # noqa: E402
from ultimo.danish.outcome import LostKing, PagatFate  # noqa: E402
from ultimo.family import Outcome  # noqa: E402
from ultimo.play.following import strength  # noqa: E402
from ultimo.record import Entry, Record, jsonl  # noqa: E402
from ultimo.record.check import steps  # noqa: E402
from ultimo.rulebook import (  # noqa: E402
    DanishRules,
    FrenchRules,
    RulebookError,
    Rules,
    citation,
    digest,
    ids,
    load,
)
from ultimo.rulebook import parameters as parameters_of  # noqa: E402

Given = dict[str, Any]
Made = Iterator[Vector | None]

BIDS = ("petite", "garde", "sans", "contre")


# --- one rulebook, by seeds ------------------------------------------------------------------------------


def of_book(book: str) -> list[Vector]:
    """The vectors of a rulebook: tricks, hands, outcomes, deals, positions, records."""
    rules, rng = load(book), Random(f"conformance {book}")
    parts: tuple[Callable[[Rules, Random], Made], ...] = (
        tricks,
        hands,
        piles,
        dealings,
        tables,
        danish_outcomes if isinstance(rules, DanishRules) else french_outcomes,
        deals,
        scenarios,
        records,
    )
    return named(book, (one for part in parts for one in part(rules, rng)))


def named(book: str, some: Iterable[Vector | None]) -> list[Vector]:
    """Vectors with ids, none twice."""
    found: dict[bytes, Vector] = {}
    for one in some:
        if one is not None:
            found.setdefault(encoded([one["kind"], one["rules"], one.get("overrides"), one["input"]]), one)
    return [{"id": f"{book}-{one['kind']}-{at}", **one} for at, one in enumerate(found.values(), 1)]


def tricks(rules: Rules, rng: Random) -> Made:
    """Tricks at random, of which every second is mostly of one suit."""
    size = 3 if isinstance(rules, DanishRules) else rules.players
    for number in range(24):
        suit = rng.choice("SHCDT")
        alike = [card for card in PACK if card.value[0] == suit]
        some = rng.sample(alike if number % 2 else PACK, size)
        if number % 4 == 3:
            some[rng.randrange(size)] = rng.choice([card for card in PACK if card not in some])
        if number % 5 == 0 and Card("T0") not in some:
            some[rng.randrange(size)] = Card("T0")
        given: Given = {"cards": " ".join(str(card.value) for card in some)}
        if isinstance(rules, DanishRules) and some[0] is Card("T0"):
            given["named"] = rng.choice("SHCDT")
        yield vector("trick", rules, given, [rules.play.cite])
    if not isinstance(rules, DanishRules):
        for place in range(size):
            some = rng.sample(PACK[:-1], size - 1)
            some.insert(place, Card("T0"))
            given = {"cards": " ".join(str(card.value) for card in some), "slam": True}
            yield vector("trick", rules, given, [citation(rules, "slam"), "I-C.11"])


def hands(rules: Rules, rng: Random) -> Made:
    """Hands that have something to declare more often than others."""
    size = 25 if isinstance(rules, DanishRules) else rules.deal.hand
    for number in range(24):
        trumps = rng.sample(PACK[56:], min(size - 4, rng.randint(7, 16)))
        courts = rng.sample([card for card in PACK[:56] if card.value[1] in "KQNJ"], rng.randint(3, 9))
        some = mask([*trumps, *courts])
        rest = [card for card in PACK if not card.bit & some]
        chosen = cards(some)[: size + 3 * (number % 3 == 0 and isinstance(rules, DanishRules))]
        wanted = size + (3 if number % 3 == 0 and isinstance(rules, DanishRules) else 0)
        hand = mask([*chosen, *rng.sample(rest, wanted - len(chosen))])
        given: Given = {"hand": text(hand)}
        if isinstance(rules, DanishRules):
            if wanted == 28:
                given["skat"] = text(rng.sample(cards(hand & ~KINGS), 3))
            yield vector("declarations", rules, given, [citation(rules, "decl")])
        else:
            if number % 3 == 0 and rules.poignee.ecart_trump == "showAgain":
                given |= {"laid": text([next(c for c in PACK[57:76] if not c.bit & hand)]), "taker": True}
            yield vector("declarations", rules, given, [citation(rules, "poignee.sizes")])


def piles(rules: Rules, rng: Random) -> Made:
    """Piles, and the whole pack."""
    yield vector("count", rules, whole_pack(rules), ["G4"])
    for _ in range(8):
        number = rng.randint(1, 20)
        size = number * (3 if isinstance(rules, DanishRules) else 2)
        given: Given = {"cards": text(rng.sample(PACK, size))}
        if isinstance(rules, DanishRules):
            given["tricks"] = number
            if rng.random() < 0.5:
                left = [card for card in PACK if card not in cards(mask(given["cards"]))]
                given["skat"] = text(rng.sample(left, 3))
        yield vector("count", rules, given, ["A4"])


def whole_pack(rules: Rules) -> Given:
    """Every card in one pile."""
    if isinstance(rules, DanishRules):
        return {"cards": text(PACK[3:]), "tricks": 25, "skat": text(PACK[:3])}
    return {"cards": text(PACK)}


def dealings(rules: Rules, rng: Random) -> Made:
    """Packs, and the hands they give."""
    for number in range(6):
        deck = " ".join(str(card.value) for card in rng.sample(PACK, 78))
        if isinstance(rules, DanishRules):
            table = rules.sizes[number % len(rules.sizes)]
            dealer = rng.randrange(table)
            active = series.seated(rules, table, dealer, series.first_out(rules, table, dealer))
            given: Given = {"deck": deck, "table": table, "active": list(active)}
        else:
            ends = rules.deal.chien_forbidden_ends
            places = range(1, 79) if number > 3 else range(1 + ends, 79 - ends)
            chien = sorted(rng.sample(places, rules.deal.chien))
            if number > 3:
                chien = sorted({number - 3 if number == 4 else 79 - ends, *chien[1:]})
            given = {"deck": deck, "dealer": rng.randrange(rules.players), "chien": chien}
        yield vector("dealing", rules, given, [citation(rules, "deal")])


def tables(rules: Rules, rng: Random) -> Made:
    """Who deals and sits where, founding and dividing."""
    for table in rules.sheet_sizes:
        for dealer in range(table):
            given: Given = {"table": table, "dealer": dealer, "deals": 12}
            yield vector("seating", rules, given, [citation(rules, "table")])
            if table > 4 and series.first_out(rules, table, dealer) is not None:
                out = rng.choice([seat for seat in range(table) if seat != dealer])
                usual = out == series.first_out(rules, table, dealer)
                cites = [citation(rules, "table"), "I-1.2" if usual else "I-1.8"]
                yield vector("seating", rules, given | {"out": out}, cites)
        yield vector(
            "seating",
            rules,
            {"table": table, "dealer": 0, "deals": 8, "passed": [1, 4]},
            [citation(rules, "table")],
        )
        if isinstance(rules, DanishRules):
            active = list(series.seated(rules, table, 0, series.first_out(rules, table, 0)))
            for cups in (["king"], ["pagat"], ["king", "pagat"]):
                given = {"table": table, "active": active, "found": cups}
                yield vector("stakes", rules, given, [citation(rules, "cups.found")])
            for _ in range(4):
                totals = [5 * rng.randint(-80, 80) for _ in range(table)]
                held = {"king": 5 * rng.randint(0, 60), "pagat": 5 * rng.randint(0, 60)}
                dealer = rng.randrange(table)
                given = {"divide": held, "totals": totals, "dealer": dealer, "lot": (dealer + 2) % table}
                yield vector("stakes", rules, given, [citation(rules, "session.rest")])
    if not isinstance(rules, DanishRules):
        for _ in range(6):
            some = rng.sample(PACK[:-1], rules.players)
            given = {"drawn": " ".join(str(card.value) for card in some)}
            yield vector("seating", rules, given, [citation(rules, "deal.firstDealer")])


# --- outcomes --------------------------------------------------------------------------------------------


def french_outcomes(rules: Rules, rng: Random) -> Made:
    """Score sheets of French Tarot: every bid, number of bouts, bonus and slam; some that cannot be."""
    assert isinstance(rules, FrenchRules)
    for number in range(90):
        bouts = rng.randrange(4)
        needed = rules.target[str(bouts)]  # type: ignore[index]
        half = 2 * needed + rng.choice((0, 0, 1, -1, -2, 2, rng.randint(-60, 60)))
        given: Given = {"family": "french", "players": rules.players, "taker": rng.randrange(rules.players)}
        given |= {"bid": BIDS[number % 4], "half_points": max(0, min(182, half)), "bouts": bouts}
        if rules.players == 5 and rng.random() < 0.7:
            given["partner"] = rng.choice([one for one in range(5) if one != given["taker"]])
        if rng.random() < 0.4:
            given["petit_au_bout"] = rng.choice(("taker", "defence"))
        if rng.random() < 0.4:
            sizes = [rng.choice(rules.poignee.sizes) for _ in range(rng.choice((1, 1, 2)))]
            given["poignees"] = [[rng.choice(("taker", "defence")), size] for size in sizes]
        if rng.random() < 0.15:
            given["slam_announced"] = "taker"
        if rng.random() < 0.15:
            side = rng.choice(("taker", "defence"))
            given |= {"slam_made": side, "half_points": 182 if side == "taker" else 6}
            given["bouts"] = 3 if side == "taker" else 0
            given.pop("petit_au_bout", None)
        if rng.random() < 0.1:
            given["fault"] = rng.choice(("taker", "defence"))
        yield paid(rules, given)
    taker: Given = {"family": "french", "players": rules.players, "taker": 0, "bid": "garde"}
    fair = taker | {"half_points": 92, "bouts": 2}
    for wrong in (
        {"players": 2},
        {"taker": rules.players},
        {"bid": "tout"},
        {"bouts": 4},
        {"half_points": 183},
        {"half_points": 10, "bouts": 2},
        {"poignees": [["taker", 4]]},
        {"poignees": [["taker", rules.poignee.sizes[0]], ["taker", rules.poignee.sizes[0]]]},
        {"slam_announced": "defence"},
        {"slam_made": "taker"},
        {"petit_au_bout": "taker", "bouts": 0, "half_points": 60},
        {"petit_au_bout": "defence", "bouts": 3},
        {"partner": 0},
        {"partner": 7},
        {"fault": "taker"},
        {"half_points": 93},
    ):
        yield paid(rules, fair | wrong)


def paid(rules: Rules, given: Given) -> Vector | None:
    """An outcome, with the places of what it pays."""
    made = vector("outcome", rules, given, [])
    if made is None:
        return None
    if "error" in made:
        return made | {"cites": [rules.play.cite]}
    outcome = msgspec.convert(given, Outcome, str_keys=True)
    return made | {"cites": places(deal.settle(rules, outcome).transfers) or [rules.play.cite]}


def places(transfers: Iterable[e.Transfer]) -> list[str]:
    """Where the rules of some payments stand."""
    return sorted({one.cite for one in transfers})


LAST_CARDS = ["SK", "HK", "CK", "DK", "T1", "T20", "T5", "S4", "H3", "C2", "D9", "T0", "SQ", "HJ", "T21"]


COURTS_OF: tuple[Literal["S", "H", "C", "D", "K"], ...] = ("S", "H", "C", "D", "K")


def danish_outcomes(rules: Rules, rng: Random) -> Made:
    """Score sheets of Danish Tarok: what the last trick can bring, with everything else now and then."""
    assert isinstance(rules, DanishRules)
    for number in range(60):
        table = rng.choice(rules.sizes)
        dealer = rng.randrange(table)
        order = series.seated(rules, table, dealer, series.first_out(rules, table, dealer))
        forehand, middle, dealer = order
        leader = rng.randrange(3)
        some = [Card(one) for one in rng.sample(LAST_CARDS, 3)]
        turn = [order[(leader + step) % 3] for step in range(3)]
        led = some[0].suit if some[0].value != "T0" else some[1].suit
        best = max(range(3), key=lambda at: strength(some[at].index, led, True))
        winner = turn[best]
        won = split(rng, 24, number % 4)
        won[order.index(winner)] += 1
        points = [won[0], won[1], won[2] + 1]
        honours = [0, 0, 0]
        for _ in range(13):
            takers = [at for at in range(3) if won[at]]
            honours[rng.choice(takers)] += 4
        counts = tuple(point + honour for point, honour in zip(points, honours, strict=True))
        more: dict[str, Any] = {}
        fallen = {one.value for one in some}
        kings = [one for one in ("SK", "HK", "CK", "DK") if one not in fallen]
        if rng.random() < 0.5:
            lost = rng.sample(kings, min(len(kings), rng.randint(1, 2)))
            more["kings_lost"] = tuple(LostKing(rng.choice(order), Card(one)) for one in lost)
        if "T1" not in fallen and rng.random() < 0.5:
            more["pagat_fate"] = PagatFate(rng.choice(order), rng.random() < 0.5)
        if rng.random() < 0.3:
            seat = rng.choice(order)
            more["declarations"] = {seat: (e.Declaration("tarok", rng.randint(10, 13), False),)}
        elif rng.random() < 0.2:
            more["declarations"] = {rng.choice(order): (e.Declaration("full", of=rng.choice(COURTS_OF)),)}
        if rng.random() < 0.12:
            more["banned"] = (winner,)
        if rng.random() < 0.1:
            more["barren"] = (rng.choice(order),)
        if rules.nolo.announce and rng.random() < 0.3:
            before = rng.choice(rules.nolo.announce).before_trick
            more["announcements"] = (e.Announced(rng.choice(order), "nolo", before),)
        elif rules.tout.announce and rng.random() < 0.3:
            before = rng.choice(rules.tout.announce).before_trick
            more["announcements"] = (e.Announced(rng.choice(order), "tout", before),)
        outcome = danish.Outcome(
            table=table,
            order=(forehand, middle, dealer),
            king=5 * rng.randint(0, 30),
            pagat=5 * rng.randint(0, 30),
            tricks=(won[0], won[1], won[2]),
            last=tuple(e.CardPlayed(seat, card) for seat, card in zip(turn, some, strict=True)),
            winner=winner,
            counts=(counts[0], counts[1], counts[2]),
            **more,
        )
        yield paid(rules, noted(outcome))


def split(rng: Random, whole: int, manner: int) -> list[int]:
    """So many tricks for three: often with a nolo, now and then with a tout."""
    if manner == 0 and rng.random() < 0.5:
        found = [whole, 0, 0]
    elif manner == 1:
        first = rng.randint(1, whole - 1)
        found = [first, whole - first, 0]
    else:
        first, second = sorted(rng.sample(range(1, whole), 2))
        found = [first, second - first, whole - second]
    rng.shuffle(found)
    return found


# --- deals -----------------------------------------------------------------------------------------------

STRICT = ("deal", "cups", "skat", "declare", "follow", "turn", "skusClaim", "skusDemand", "count")


def deals(rules: Rules, rng: Random) -> Made:
    """Evenings between players who choose at random, with the positions of some choices and the outcomes."""
    for table in rules.sizes:
        evening = Evening(rules, table, rng.randrange(table))
        for _ in range(16 // len(rules.sizes)):
            evening.play_deal(rng)
        yield from told(rules, evening.log, rng, asked=6)
    if isinstance(rules, DanishRules):
        for switch in STRICT:
            strict = load(rules.id, {f"strict.{switch}": True})
            evening = Evening(strict, 3)
            evening.next_deal()
            if not any(isinstance(event, e.Opened) for event in evening.log):
                continue
            evening = Evening(strict, 3)
            evening.play_deal(rng)
            yield from told(strict, evening.log, rng, asked=3)


def scenarios(rules: Rules, rng: Random) -> Made:
    """The rare cases that were written as playthroughs."""
    for name in sorted(SCENARIOS):
        if name.split("-")[0] == rules.id and not name.endswith("-ordinary"):
            play = SCENARIOS[name]()
            yield from told(play.rules, play.log, rng, asked=3)


def told(rules: Rules, log: Iterable[e.Event], rng: Random, asked: int, cites: Iterable[str] = ()) -> Made:
    """The deals of a log as vectors; of each some positions, and its outcome as a score sheet has it."""
    events = list(log)
    given: Given = {}
    moves: list[str] = []
    paid_cites: set[str] = set(cites)
    before: deal.State | None = None
    questions: list[tuple[deal.State, int]] = []
    for position, step in steps(rules, events):
        for event in step.events:
            if isinstance(event, e.Opened):
                given, moves, paid_cites, questions = begun(event) | {"dealings": []}, [], set(cites), []
            if isinstance(event, e.Paid):
                paid_cites |= {one.cite for one in event.transfers if one.reason != "found"}
        if isinstance(step.action, e.Deal):
            given["dealings"].append(dealing(step.action))
        elif step.action is not None and step.seat is not None and before is not None and given:
            questions.append((before, step.seat))
            moves.append(move_text(step.seat, step.action))
        before = position.deal
        if position.deal is not None and deal.is_over(position.deal) and given:
            where = sorted(paid_cites) or [rules.play.cite]
            yield vector("deal", rules, given | {"moves": "/".join(moves)}, where)
            yield from ended(rules, given, position.deal)
            special = [one for one in questions if one[0].phase != "play" or is_special(*one)]
            for state, seat in rng.sample(special, min(len(special), asked // 2)) + rng.sample(
                questions, min(len(questions), asked // 2)
            ):
                if is_few(deal.legal(rules, state, seat)):
                    yield vector("legal", rules, lean(rules, state, seat), [phase_cite(rules, state.phase)])
            given = {}


def is_special(state: deal.State, seat: int) -> bool:
    """Whether the skus or excuse, or a last trick, has to do with a choice."""
    on_table = mask([play.card for play in state.trick])
    return bool((state.hands[seat] | on_table) & mask("T0")) and state.number > 1


def phase_cite(rules: Rules, phase: str) -> str:
    """Where the rule of a choice stands."""
    table = {
        "handCheck": "deal",
        "skat": "skat",
        "declare": "decl",
        "demand": "skus",
        "name": "skus",
        "answer": "skus",
        "announce": "nolo",
        "bid": "bid",
        "call": "call",
        "ecart": "ecart",
        "slam": "slam",
        "cut": "deal",
        "count": "count",
        "misdeal": "deal",
    }.get(phase)
    return rules.play.cite if table is None else citation(rules, table)


def ended(rules: Rules, given: Given, state: deal.State) -> Made:
    """What a score sheet notes of a deal that was played out; it must come to the same."""
    if state.result != "played":
        return
    if isinstance(rules, DanishRules):
        if state.claims or rules != load(rules.id):  # type: ignore[union-attr]
            return
        counts = state.counts  # type: ignore[union-attr]
        outcome: Any = danish.outcome_of(state, counts)  # type: ignore[arg-type]
        outcome = replace(outcome, king=given.get("king", 0), pagat=given.get("pagat", 0))
    else:
        outcome = french.outcome_of(rules, state)  # type: ignore[arg-type]
    made = paid(rules, noted(outcome))
    if made is not None and made.get("expected", {}).get("nets") == list(state.net):
        yield made


# --- records ---------------------------------------------------------------------------------------------


def records(rules: Rules, rng: Random) -> Made:
    """Records as they should be, and damaged or illegal in every way."""
    table = rules.sizes[-1]
    evening = Evening(rules, table, 0)
    evening.play_deal(rng)
    while not any(isinstance(event, e.TrickWon) for event in evening.log):
        evening.play_deal(rng)
    log = last_deal(evening.log)
    header = record.header(rules, table)
    lines = written(header, short(rules, log, 2))
    for change in CHANGES if rules.id in DAMAGED else CHANGES[ONLY_DAMAGED:]:
        changed = change(deepcopy(lines), rules)
        if changed is not None:
            said = (
                changed
                if isinstance(changed, str)
                else "".join(encoded(one).decode() + "\n" for one in changed)
            )
            made = vector("record", rules, {"text": said}, [rules.play.cite])
            if made is not None and made.get("error", {}).get("key") in UNREADABLE:
                made["cites"] = ["record format"]
            yield made


UNREADABLE = {  # what a reader finds before any rule is asked
    *("empty", "notARecord", "notJson", "notAnObject", "noHeader", "otherVersion", "notAnEvent"),
    *("wrongField", "unusableRules", "otherRules"),
}


def last_deal(log: list[e.Event]) -> list[e.Event]:
    """The events from the opening of the last deal on."""
    place = max(at for at, event in enumerate(log) if isinstance(event, e.Opened))
    return log[place:]


def short(rules: Rules, log: list[e.Event], tricks_kept: int) -> list[e.Event]:
    """The beginning of a deal, as far as it makes whole steps: some tricks."""
    kept: list[e.Event] = []
    for _, step in steps(rules, log):
        kept += step.events
        if sum(isinstance(event, e.TrickWon) for event in kept) >= tricks_kept:
            break
    return kept


def written(header: Any, log: list[e.Event]) -> list[dict[str, Any]]:
    """A record as objects, one a line, without citations."""
    entries = [
        e.Paid(tuple(replace(one, cite="") for one in event.transfers))
        if isinstance(event, e.Paid)
        else event
        for event in log
    ]
    said = jsonl.dumps(Record(header, tuple(map(Entry, entries))))
    return [json.loads(line) for line in said.splitlines()]


Lines = list[dict[str, Any]]
Change = Callable[[Lines, Rules], "Lines | str | None"]
CHANGES: list[Change] = []


def change(made: Change) -> Change:
    """Enter a way to change a record."""
    CHANGES.append(made)
    return made


def first(lines: Lines, kind: str, nth: int = 0) -> int | None:
    """The place of an event of a kind."""
    found = [at for at, line in enumerate(lines) if line.get("type") == kind]
    return found[nth] if len(found) > nth else None


def with_field(kind: str, nth: int = 0, **values: Any) -> Change:
    """A change of fields of an event; the header is `header`."""

    def changed(lines: Lines, rules: Rules) -> Lines | None:
        at = 0 if kind == "header" else first(lines, kind, nth)
        if at is None:
            return None
        lines[at] |= values
        return lines

    return changed


def without(kind: str, nth: int = 0) -> Change:
    """A record without an event."""

    def changed(lines: Lines, rules: Rules) -> Lines | None:
        at = first(lines, kind, nth)
        return None if at is None else [*lines[:at], *lines[at + 1 :]]

    return changed


change(lambda lines, rules: lines)
change(lambda lines, rules: "\r\n\n".join(json.dumps(line) for line in lines) + "\r\n")
change(lambda lines, rules: lines[: first(lines, "Dealt")])
change(lambda lines, rules: lines[: (first(lines, "TrickWon", 1) or 0)])
change(with_field("header", ultimo=2))
change(with_field("header", rules="whist"))
change(with_field("header", digest="0" * 16))
change(with_field("header", overrides={"skus.colour": "red"}))
change(with_field("header", table="many"))
change(lambda lines, rules: lines[1:])
change(lambda lines, rules: "")
change(lambda lines, rules: "Dear Anna,\n")
change(lambda lines, rules: encoded(lines[0]).decode() + '\n{"type":"Dealt","hands":[["SK"\n')
change(lambda lines, rules: encoded(lines[0]).decode() + "\n[1,2]\n")
change(lambda lines, rules: [lines[0], *lines[: first(lines, "Dealt")]])
change(with_field("CardPlayed", type="CardPlaid"))
change(with_field("CardPlayed", card="S11"))
change(with_field("CardPlayed", seat="first"))
change(with_field("CardPlayed", meta="slow"))
change(with_field("TrickWon", seat=9))
ONLY_DAMAGED = len(CHANGES)  # what any reader of any rulebook does alike: it is asked of two
DAMAGED = ("dtf", "fft4")
change(lambda lines, rules: lines)
change(without("Opened"))
change(without("Dealt"))
change(without("CardPlayed"))
change(without("CardPlayed", 1))
change(without("TrickWon"))
change(without("Paid"))
change(without("BidMade"))
change(without("HandAccepted"))
change(without("SkatLaid"))
change(with_field("Opened", dealer=99))
change(with_field("Opened", active=[0, 0, 0]))
change(with_field("Paid", transfers=[]))
change(with_field("Scored", value=7))


@change
def _another_players_card(lines: Lines, rules: Rules) -> Lines | None:
    one, two = first(lines, "CardPlayed"), first(lines, "CardPlayed", 1)
    if one is None or two is None:
        return None
    lines[one]["card"] = lines[two]["card"]
    lines[one].pop("named", None)
    return lines


@change
def _a_card_twice(lines: Lines, rules: Rules) -> Lines | None:
    one, two = first(lines, "CardPlayed"), first(lines, "CardPlayed", 3 if rules.accounts else rules.sizes[0])
    if one is None or two is None:
        return None
    lines[two] |= {"card": lines[one]["card"], "seat": lines[one]["seat"]}
    return lines


@change
def _out_of_turn(lines: Lines, rules: Rules) -> Lines | None:
    at = first(lines, "CardPlayed", 1)
    if at is None:
        return None
    lines[at], lines[at + 1] = lines[at + 1], lines[at]
    return lines


@change
def _another_winner(lines: Lines, rules: Rules) -> Lines | None:
    at = first(lines, "TrickWon")
    if at is None:
        return None
    lines[at]["seat"] = next(
        line["seat"] for line in lines[at - 2 : at] if line.get("seat") != lines[at]["seat"]
    )
    return lines


@change
def _another_payment(lines: Lines, rules: Rules) -> Lines | None:
    at = first(lines, "Paid")
    if at is None:
        return None
    lines[at]["transfers"][0]["points"] += 5
    return lines


@change
def _hidden_cards(lines: Lines, rules: Rules) -> Lines | None:
    at = first(lines, "Dealt")
    assert at is not None
    lines[at]["hands"][1] = ["?"] * len(lines[at]["hands"][1])
    return lines


@change
def _a_card_dealt_twice(lines: Lines, rules: Rules) -> Lines | None:
    at = first(lines, "Dealt")
    assert at is not None
    hands = [hand for hand in lines[at]["hands"] if hand]
    hands[0][0] = hands[1][0]
    return lines


@change
def _a_revoke(lines: Lines, rules: Rules) -> Lines | None:
    """The second card of a trick becomes one of another suit from a hand that could follow."""
    at, given = first(lines, "CardPlayed", 1), first(lines, "Dealt")
    if at is None or given is None:
        return None
    led, played = lines[at - 1].get("card", "T0"), lines[at]
    hand = lines[given]["hands"][played["seat"]]
    other = [card for card in hand if card[0] != led[0] and card != "T0"]
    if led == "T0" or played["card"][0] != led[0] or not other:
        return None
    played["card"] = other[0]
    return lines


@change
def _a_second_deal_within(lines: Lines, rules: Rules) -> Lines | None:
    at, opened = first(lines, "CardPlayed", 1), first(lines, "Opened")
    return None if at is None or opened is None else [*lines[:at], lines[opened], *lines[at:]]


@change
def _a_session_within(lines: Lines, rules: Rules) -> Lines | None:
    at = first(lines, "CardPlayed")
    series_opened = {"type": "SeriesOpened", "names": ["A", "B", "C"], "dealer": 0}
    return None if at is None else [*lines[:at], series_opened, *lines[at:]]


# --- cases by hand ---------------------------------------------------------------------------------------


def by_hand() -> list[Vector]:
    """Cases of part G of which the tests ask the engine in another way."""
    return named("case", _by_hand())


def _by_hand() -> Made:
    danish_books = [one for one in ids() if isinstance(load(one), DanishRules)]
    for book in danish_books:
        yield vector("trick", load(book), {"cards": "H10 H8 H2"}, ["G1"])
        yield vector("trick", load(book), {"cards": "C1 C10 S4"}, ["G2"])
    for book in ("french3", "french4", "french5"):
        size = load(book).sizes[0]
        yield vector("trick", load(book), {"cards": " ".join(["H1", "H10", "S4", "C2", "D2"][:size])}, ["G3"])
    tight: Given = {"table": 3, "order": [1, 2, 0], "phase": "skat", "turn": 0, "hands": [TIGHT, "", ""]}
    for book in ("jensen", "hermansen", "vlk"):
        yield vector("legal", load(book), {"position": tight, "seat": 0}, ["G39e", "I-4.1"])
    for book in ("jensen", "vlk", "dtf"):
        yield vector("deal", load(book), laid_from_declaration(), ["G35" if book == "jensen" else "G36"])
    for book in ("jensen", "dtf"):
        for count in (0, 3, 4, 23, 24, 28, 29, 73, 74, 78):
            house = {"nolo.cancelsCount": False}
            rules = load(book, house if count in (0, 78) else {})
            yield vector("outcome", rules, one_count(count), ["G124", *(["G125"] if count == 73 else [])])
    for book in ("hermansen", "jensen"):
        for one in told(load(book), sample_game(book).log, Random(1), asked=0, cites=["G132"]):
            yield one and one | {"cites": ["G132"]}
    yield vector(
        "stakes",
        load("basta"),
        {"table": 4, "active": [1, 3, 0], "found": ["king", "pagat"]},
        ["G144j", "I-2.2"],
    )
    half = {"family": "french", "players": 4, "taker": 0, "bid": "petite", "half_points": 89, "bouts": 2}
    yield vector("outcome", load("french4"), half, ["G157a", "I-C.9", "I-C.22"])
    for book in ("fft3", "fft4", "fft5"):
        rules = load(book)
        drawn = ["H10", "T0", "DQ", "T3", "SK"][: rules.sizes[0]]
        yield vector("seating", rules, {"drawn": " ".join(drawn)}, ["G202"])
    mort: Given = {"table": 5, "dealer": 3, "deals": 8, "passed": [0, 1, 4]}
    for book in ("fft4", "french4"):
        yield vector("seating", load(book, {"table.mort": True}), mort, ["G238", "I-F.8", "table.mort"])
    deck = " ".join(str(card.value) for card in PACK)
    for book in ("fft4", "french4"):
        for ends in ([2, 77], [1, 40], [40, 78], [4, 75]):
            given = {"deck": deck, "dealer": 0, "chien": sorted([*ends, 21, 22, 23, 24])}
            yield vector("dealing", load(book), given, ["G203", "I-C.1"])
    never = load("fft4", {"deal.shuffle": "never"})
    start: Given = {"table": 4, "dealer": 1, "phase": "cut", "turn": 0}
    among = ["cut 3", "cut 4", "cut 74", "cut 75"]
    yield vector("legal", never, {"position": start, "seat": 0, "among": among}, ["G204", "I-C.2"])
    yield from neighbours(load("jensen"), "C9")
    yield from neighbours(load("french4"), "C9 D9")


def neighbours(rules: Rules, others: str) -> Made:
    """Tricks between any two cards of a suit, or trumps, that follow each other: either may be first."""
    for suit in "SHT":
        alike = [str(card.value) for card in PACK if card.value[0] == suit and card.value != "T0"]
        for number, (one, other) in enumerate(pairwise(alike)):
            first, second = (one, other) if number % 2 else (other, one)
            yield vector("trick", rules, {"cards": f"{first} {second} {others}"}, [rules.play.cite])


def one_count(count: int) -> Given:
    """A score sheet on which the dealer's count is this; of 0 and 78 it is forehand's or the dealer's."""
    given: Given = {"family": "danish", "table": 3, "order": [1, 2, 0], "king": 60, "pagat": 60}
    if count in (0, 78):
        tricks, counts = ([25, 0, 0], [77, 0, 1]) if count == 0 else ([0, 0, 25], [0, 0, 78])
        winner = 1 if count == 0 else 0
    else:
        own = min(max(count - 1, 0), 12)
        tricks = [13, 25 - 13 - own, own]
        counts = [78 - count - tricks[1], tricks[1], count]
        if tricks[0] > counts[0] or tricks[1] == 0:
            tricks = [2, 1, 22]
            counts = [78 - count - 1, 1, count]
        winner = 1
    last = [{"seat": winner, "card": "T20"}]
    return given | {"tricks": tricks, "last": last, "winner": winner, "counts": counts}


def laid_from_declaration() -> Given:
    """Case 34: the dealer lays SJ, a card of a declaration."""
    rest = cards(ALL_CARDS & ~mask(TIGHT))
    hands = [TIGHT, text(rest[:25]), text(rest[25:])]
    moves = "1 accept/2 accept/0 accept/0 lay SJ CQ C2"
    given: Given = {"table": 3, "dealer": 0, "active": [1, 2, 0], "king": 60, "pagat": 60}
    return given | {"dealings": [{"hands": hands}], "moves": moves}


# --- parameters ------------------------------------------------------------------------------------------

# What a value of one parameter needs of others, where no table could play it else.
WITH: dict[tuple[str, Any], dict[str, Any]] = {
    ("count.counters", "all"): {"count.mode": "exact"},
    ("count.mode", "table5"): {"count.counters": "twoAndBalance"},
    ("call.card", "none"): {
        "call.fallback": [],
        "call.firstLeadBan": False,
        "call.restrictAfterExcuse": False,
        "share.taker": 4,
        "share.partner": 0,
    },
    ("share.taker", 1): {"share.partner": 2},
    ("share.taker", 3): {"share.partner": 0},
    ("share.partner", 0): {"share.taker": 3},
    ("share.partner", 2): {"share.taker": 1},
}
BESIDE: dict[str, Callable[[Any], dict[str, Any]]] = {
    "ultimo.king": lambda value: {"ultimo.kingRange": [0, 1000]},
    "ultimo.pagat": lambda value: {"ultimo.pagatRange": [0, 1000]},
    "ultimo.kingRange": lambda value: {"ultimo.king": value[0] + 5},
    "ultimo.pagatRange": lambda value: {"ultimo.pagat": value[0] + 5},
    "poignee.sizes": lambda value: {"poignee.values": [20, 30, 50][: len(value)]},
    "poignee.values": lambda value: {"poignee.sizes": [8, 10, 13][: len(value)]},
    "deal.hand": lambda value: {},
}
FAMILIES: dict[str, tuple[type[Any], tuple[str, ...]]] = {
    "danish": (DanishRules, ("jensen", "basta", "dtf", "hermansen", "vlk")),
    "french": (FrenchRules, ("french5", "fft5", "french4", "fft4", "french3", "fft3")),
}
# Parameters that no single vector can show, each with the reason.
NOT_FLIPPED = {
    "players": "another number of players is another rulebook",
    "round": "there is only one value",
    "deal.hand": "78 cards leave no other size of hand",
    "deal.chien": "78 cards leave no other size of chien",
    "share.alone": "it follows from the number of players",
}


def parameters(pool: list[Vector]) -> list[Vector]:
    """Every parameter with other values: a question that is then answered otherwise, where there is one."""
    found: list[Vector | None] = []
    for kind, books in FAMILIES.values():
        known = {book: [one for one in pool if one["rules"] == book] for book in books}
        for key, value_kind in kinds(inspect.type_info(kind)):
            if key in NOT_FLIPPED or key == "family":
                continue
            found += _flipped(key, value_kind, books, known)
    return named("parameter", found)


def _flipped(key: str, kind: Any, books: tuple[str, ...], known: Mapping[str, list[Vector]]) -> Made:
    """Each value once, with a question that it changes; if none changes any, one of them all the same."""
    shown: set[bytes] = set()
    spare: Vector | None = None
    for book in books:
        value = value_of(load(book), key)
        for other in others(key, kind, value):
            if other == value or encoded(other) in shown:
                continue
            house = {key: other} | BESIDE.get(key, lambda value: {})(other)
            if not isinstance(other, list | dict):
                house |= WITH.get((key, other), {})
            try:
                load(book, house)
            except RulebookError:
                continue
            made, changed = _telling(book, house, key, known[book])
            if changed and made is not None:
                shown.add(encoded(other))
                yield made
            spare = spare or made
    if not shown:
        if spare is None:
            raise RuntimeError(f"{key}: no value could be shown")
        yield spare


def value_of(rules: Rules, key: str) -> Any:
    """The value of a parameter."""
    node = json.loads(msgspec.json.encode(rules))
    for word in key.split("."):
        node = node[word]
    return node


def _telling(
    book: str, house: Mapping[str, Any], key: str, known: list[Vector]
) -> tuple[Vector | None, bool]:
    """The first question whose answer the rules change; if there is none, a deal; and whether one did."""
    refused: Vector | None = None
    plain: Vector | None = None
    for one in known:
        if key in one.get("overrides", {}):
            continue
        try:
            rules = load(book, {**one.get("overrides", {}), **house})
        except RulebookError:
            continue
        made = vector(one["kind"], rules, one["input"], [citation(rules, key), key])
        if made is None:
            continue
        if "expected" in made and made["expected"] != one.get("expected"):
            return made, True
        if "error" in made and "expected" in one and refused is None:
            refused = made
        if plain is None and one["kind"] == "deal" and "expected" in made:
            plain = made
    return refused or plain, refused is not None


# --- files -----------------------------------------------------------------------------------------------


def encoded(value: Any) -> bytes:
    """JSON, in the order of its keys."""
    return msgspec.json.encode(value)


def lines_of(vectors: Iterable[Vector]) -> bytes:
    """Vectors as JSON lines."""
    return b"".join(encoded(one) + b"\n" for one in vectors)


def read(name: str) -> list[Vector]:
    """The vectors of a file."""
    return [json.loads(line) for line in (FOLDER / f"{name}.jsonl").read_bytes().splitlines()]


def rule_sets() -> dict[str, Any]:
    """Every rule set with its family, the digest that records name, and all parameters."""
    return {
        book: {"family": rules.family, "digest": digest(rules), "parameters": parameters_of(rules)}
        for book in ids()
        for rules in [load(book)]
    }


def pool() -> list[Vector]:
    """Questions by which a parameter may be shown, the short ones first."""
    some = [*read("cases"), *(one for book in ids() for one in read(book) if one["kind"] != "record")]
    return sorted(some, key=lambda one: len(encoded(one["input"])))


def main(chosen: list[str]) -> None:
    """Write the files that are named, or all; the index, the schema and `rules.json` always."""
    FOLDER.mkdir(parents=True, exist_ok=True)
    writers: dict[str, Callable[[], list[Vector]]] = {book: lambda book=book: of_book(book) for book in ids()}  # type: ignore[misc]
    writers = {**writers, "cases": lambda: [*by_hand(), *cases()], "parameters": lambda: parameters(pool())}
    if unknown := sorted({*chosen} - {*writers}):
        raise SystemExit(f"no file is called {', '.join(unknown)}; there are {', '.join(writers)}")
    for name in chosen or writers:
        (FOLDER / f"{name}.jsonl").write_bytes(lines_of(writers[name]()))
        print(f"wrote {name}")
    index = {
        name: {
            "sha256": hashlib.sha256((FOLDER / f"{name}.jsonl").read_bytes()).hexdigest(),
            "vectors": len(read(name)),
        }
        for name in sorted(writers)
    }
    INDEX.write_text(json.dumps(index, indent=1) + "\n", encoding="utf-8")
    for file, told_as in (("vector.schema.json", schema()), ("rules.json", rule_sets())):
        (FOLDER.parent / file).write_text(json.dumps(told_as, indent=1) + "\n", encoding="utf-8")


if __name__ == "__main__":
    main(sys.argv[1:])
