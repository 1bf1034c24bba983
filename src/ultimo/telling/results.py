"""The result of a deal: how it ended in cards, and what was paid for what.

Every number is one of the settlement's: of its transfers, its score, its count, or a parameter it reads.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable, Iterator, Mapping, Sequence
from itertools import groupby
from typing import Final, Literal, TypeAlias, get_args

from msgspec import Struct

from ultimo import deal, french, series
from ultimo.danish import State as DanishState
from ultimo.danish.counting import MEAN_COUNT, balancer, count_results, in_fives, is_counted
from ultimo.danish.payments import CUPS
from ultimo.danish.state import Trick as DanishTrick
from ultimo.danish.state import outcome_of
from ultimo.events import Account, Declaration, Reason, Seat, Transfer, balances
from ultimo.family import family
from ultimo.french import State as FrenchState
from ultimo.french import Trick as FrenchTrick
from ultimo.french.settlement import row_of
from ultimo.names import capital
from ultimo.rulebook import DanishRules, FrenchRules, Rules
from ultimo.telling.citations import entry, rule_of
from ultimo.telling.teller import Teller, halves, signed

Part: TypeAlias = Literal[
    "stake",  # paid before the first card, whatever happens
    "play",  # won and lost in the deal
    "end",  # the division of the cups: it belongs to the game, and to no deal
]
PARTS: Final[dict[Reason, Part]] = {
    "found": "stake",
    "shortFounding": "stake",
    "ante": "stake",
    "division": "end",
    "divisionRest": "end",
}


ALL_POINTS: Final = 3 * MEAN_COUNT
DECLARED: Final = {
    "tarok": "decl.tarok",
    "matadors": "decl.matador",
    "matadorsBelow": "decl.matador",
    "half": "decl.half",
    "full": "decl.full",
    "over": "decl.over",
}


class RowShown(Struct, frozen=True):
    """What each account has gained or lost for one reason, and where that is written, by the legend.

    `how` is how it was worked out: the sum where there is one, then who pays whom.
    """

    label: str
    points: tuple[int, ...]
    cites: tuple[str, ...] = ()
    part: Part = "play"
    rule: str = ""  # of a declaration, which is one of several that stand in the same place
    how: tuple[str, ...] = ()


class StepShown(Struct, frozen=True):
    """Counts from `least` to `most` are paid alike."""

    least: int
    most: int
    points: int


class Named(Struct, frozen=True):
    """A payment, and the declaration that it was for."""

    transfer: Transfer
    declaration: Declaration | None = None


def part_of(transfer: Transfer) -> Part:
    """To which part of a result a payment belongs."""
    return PARTS.get(transfer.reason, "play")


def gains(transfers: Iterable[Transfer], table: int) -> tuple[int, ...]:
    """What each seat has won or lost in a deal, its stakes included and the division of the cups left out.

    This is the figure of a deal wherever one is shown: at the table, in the result, in lists and in totals.
    """
    gained = balances(one for one in transfers if part_of(one) != "end")
    return tuple(gained[seat] for seat in range(table))


def accounts_of(rules: Rules, table: int) -> tuple[Account, ...]:
    """Who can have points: the seats, and the cups where there are any."""
    return (*range(table), *rules.accounts)


# --- by reason -----------------------------------------------------------------------------------------


def by_reason(
    teller: Teller, transfers: Sequence[Transfer], accounts: Sequence[Account], present: deal.State | None
) -> list[RowShown]:
    """A row for each reason, in the order in which it was first paid for; one for each declaration."""
    together: dict[tuple[str, Account | None], list[Named]] = {}
    for one in _named(teller.rules, transfers, present):
        declarer = one.transfer.payee if one.declaration else None
        together.setdefault((_label(teller, one), declarer), []).append(one)
    sums = _sums(teller, present)
    return [_row(teller, capital(label), some, accounts, sums) for (label, _), some in together.items()]


def _row(
    teller: Teller,
    label: str,
    some: Sequence[Named],
    accounts: Sequence[Account],
    sums: Mapping[Reason, str],
) -> RowShown:
    made, gained = some[0].declaration, balances(one.transfer for one in some)
    sum_ = sums.get(some[0].transfer.reason)
    return RowShown(
        label,
        tuple(gained[account] for account in accounts),
        tuple(dict.fromkeys(entry(one.transfer) for one in some)),
        part_of(some[0].transfer),
        rule_of(teller.rules, DECLARED[made.kind], teller.words.language) if made else "",
        (*([] if sum_ is None else [sum_]), *_flows(teller, [one.transfer for one in some])),
    )


def _flows(teller: Teller, transfers: Sequence[Transfer]) -> Iterator[str]:
    """Who pays whom how much: `Karen, Aage → Inger: 2 × 10 = 20`."""
    left = list(transfers)
    while left:
        first = left[0]
        to_one = [one for one in left if (one.payee, one.points) == (first.payee, first.points)]
        by_one = [one for one in left if (one.payer, one.points) == (first.payer, first.points)]
        some = max(to_one, by_one, key=len)
        payers = ", ".join(dict.fromkeys(teller.account(one.payer) for one in some))
        payees = ", ".join(dict.fromkeys(teller.account(one.payee) for one in some))
        sum_ = sum(one.points for one in some)
        paid = f"{len(some)} × {first.points} = {sum_}" if len(some) > 1 else str(sum_)
        yield teller.words.pair(f"{payers} → {payees}", paid)
        left = [one for one in left if one not in some]


def _named(rules: Rules, transfers: Iterable[Transfer], present: deal.State | None) -> Iterator[Named]:
    """Payments, those for declarations with what was declared: it is paid for in the order it is said."""
    paid: Counter[tuple[Account, Account]] = Counter()
    for one in transfers:
        found = None
        if one.reason == "declaration" and present is not None and isinstance(one.payee, int):
            made = family(rules).paid_declarations(rules, present, one.payee)
            at = paid[one.payer, one.payee]
            paid[one.payer, one.payee] += 1
            if at < len(made) and made[at][1] == one.points:
                found = made[at][0]
        yield Named(one, found)


def _label(teller: Teller, one: Named) -> str:
    return teller.declaration(one.declaration) if one.declaration else teller.reason(one.transfer)


def added(rows: Sequence[RowShown], accounts: Sequence[Account]) -> tuple[int, ...]:
    """What each account has gained or lost by all of it."""
    return tuple(sum(row.points[place] for row in rows) for place in range(len(accounts)))


def standing(state: series.State, accounts: Sequence[Account]) -> tuple[int, ...]:
    """What each account holds."""
    return tuple(state.totals[one] if isinstance(one, int) else state.cups[one] for one in accounts)


# --- in sentences --------------------------------------------------------------------------------------


def account_of(
    teller: Teller, transfers: Sequence[Transfer], present: deal.State | None, seat: Seat, *, own: bool
) -> str:
    """What a seat has won and lost in one sentence, the stakes first; `own` is the reader's."""
    own_transfers = [one for one in transfers if seat in (one.payer, one.payee)]
    concerned = list(_named(teller.rules, own_transfers, present))
    parts: dict[Part, list[str]] = {
        part: list(_gained(teller, [one for one in concerned if part_of(one.transfer) == part], seat))
        for part in get_args(Part)
    }
    whole = gains((one.transfer for one in concerned), len(teller.players))[seat]
    name = capital(teller.text("you")) if own else teller.players[seat]
    who = teller.text("result.who", player=name, points=signed(whole))
    clauses = [", ".join(some) for some in (parts["stake"], parts["play"]) if some]
    apart = teller.words.clauses(clauses)
    sentence = teller.text("result.whole" if clauses else "result.nothing", who=who, parts=apart)
    return " ".join([sentence, *(teller.text("result.then", part=capital(one)) for one in parts["end"])])


def _gained(teller: Teller, some: Sequence[Named], seat: Seat) -> Iterator[str]:
    """For each reason what it has brought or cost a seat, and from whom or to whom."""
    points: dict[tuple[str, bool], int] = {}
    others: dict[tuple[str, bool], dict[Account, None]] = {}
    for one in some:
        label, gained = _label(teller, one), one.transfer.payee == seat
        key = label, gained
        points[key] = points.get(key, 0) + (one.transfer.points if gained else -one.transfer.points)
        others.setdefault(key, {})[one.transfer.payer if gained else one.transfer.payee] = None
    for (label, gained), sum_ in points.items():
        with_whom = _others(teller, list(others[label, gained]), "from" if gained else "to")
        yield teller.text("result.part", reason=label, points=signed(sum_), others=with_whom)


def _others(teller: Teller, accounts: Sequence[Account], way: Literal["from", "to"]) -> str:
    """From whom or to whom, as the language says it of people and of cups."""
    seats = [teller.players[one] for one in accounts if isinstance(one, int)]
    cups = [one for one in CUPS if one in accounts]
    said = [teller.text(f"result.{way}Seats", names=teller.words.listed(seats))] if seats else []
    if len(cups) == 1:
        said.append(teller.text(f"result.{way}Cup", cup=teller.words.cup(cups[0])))
    elif cups:
        said.append(teller.text(f"result.{way}Cups"))
    return teller.words.listed(said)


# --- in cards ------------------------------------------------------------------------------------------


def outcome(teller: Teller, present: deal.State) -> list[str]:
    """How the deal ended, in cards; the French score as its formula."""
    match teller.rules, present:
        case DanishRules() as rules, DanishState(skat=skat, counts=counts):
            laid = [teller.words.pair(teller.text("skat"), teller.cards_of(skat))] if skat else []
            return [*laid, *([_counted(teller, rules, present)] if counts else [])]
        case FrenchRules() as rules, FrenchState(counted=(_, *_)):
            return _scored(teller, rules, present)
        case _, FrenchState(bids=(_, *_)):
            return [teller.text("allPassed")]
    return []


def _sums(teller: Teller, present: deal.State | None) -> dict[Reason, str]:
    """How the payments of a deal are worked out that do not simply have their price."""
    match teller.rules, present:
        case DanishRules() as rules, DanishState(counts=(_, *_)):
            return {"count": _counted(teller, rules, present)}
        case FrenchRules() as rules, FrenchState(counted=(_, *_)):
            outcome = french.outcome_of(rules, present)
            return dict(_terms(teller, rules, outcome, french.score(rules, outcome)))
    return {}


def _scored(teller: Teller, rules: FrenchRules, present: FrenchState) -> list[str]:
    """The count of a French deal, and what it was worth."""
    outcome = french.outcome_of(rules, present)
    score = french.score(rules, outcome)
    taker, defence = map(halves, present.counted)
    aside = teller.text("ecart" if present.ecart else "chien")
    needed = teller.text("needed", points=score.points, needed=score.needed, bouts=outcome.bouts)
    return [
        teller.words.pair(aside, teller.cards_of(present.ecart or present.chien)),
        teller.text("tells.countedSides", taker=taker, defence=defence),
        f"{needed}. {teller.text('contractMade' if score.won else 'contractLost')}",
        *_formula(teller, rules, outcome, score),
        *_shares(teller, rules, present, outcome),
    ]


def tricks(teller: Teller, ended: deal.State) -> list[str]:
    """What was played in each trick of a deal that is over, and who won it."""
    played: tuple[DanishTrick | FrenchTrick, ...] = ended.tricks
    return [
        teller.text(
            "result.trick",
            number=number,
            plays=" · ".join(f"{teller.players[play.seat]} {teller.card(play.card)}" for play in trick.plays),
            winner=teller.text("winsTrick", player=teller.players[trick.winner]),
        )
        for number, trick in enumerate(played, 1)
    ]


def _counted(teller: Teller, rules: DanishRules, present: DanishState) -> str:
    """The card points of each, and what they come to."""
    ended = outcome_of(present, present.counts)
    results = count_results(rules, ended)
    if not is_counted(rules, ended):  # as after a tout that is paid in another way
        counted = [
            teller.text("counts", player=teller.players[seat], points=present.counts[seat])
            for seat in present.order
        ]
        return ", ".join(counted)
    rest = balancer(rules, present.table, present.order) if rules.count.counters != "all" else None
    counted = [
        teller.text(
            "result.balance" if seat == rest else "result.counted",
            player=teller.players[seat],
            count=present.counts[seat],
            points=signed(results[seat]),
        )
        for seat in present.order
    ]
    return teller.text("result.par", par=MEAN_COUNT, counts=", ".join(counted))


def ladder(rules: Rules, present: deal.State) -> tuple[StepShown, ...]:
    """The books' table as far as this deal needs it: its counts in whole fives, par, and the steps beside.

    Rule: 000 Efter spillet; 004 OMREGNINGSTABEL.
    """
    if not isinstance(rules, DanishRules) or not isinstance(present, DanishState) or not present.counts:
        return ()
    if rules.count.mode != "table5" or not is_counted(rules, outcome_of(present, present.counts)):
        return ()
    counts = (*(present.counts[seat] for seat in present.order), MEAN_COUNT - 5, MEAN_COUNT, MEAN_COUNT + 5)
    shown = {in_fives(count) for count in counts}
    return tuple(step for step in steps() if step.points in shown)


def steps() -> Iterator[StepShown]:
    """The books' whole table: which counts are paid alike, and how."""
    for points, group in groupby(range(ALL_POINTS + 1), in_fives):
        counts = list(group)
        yield StepShown(counts[0], counts[-1], points)


def _formula(
    teller: Teller, rules: FrenchRules, outcome: french.Outcome, score: french.Score
) -> Iterator[str]:
    """The score in its terms, `(25 + 28) × 2 = 106`, and what each defender pays or receives."""
    yield from (text for _, text in _terms(teller, rules, outcome, score))
    terms = [term for term in (score.contract, score.petit_au_bout, score.poignee, score.slam) if term]
    whole = abs(score.value)
    if len(terms) > 1:  # as the side sees it that wins them
        sign = 1 if score.value >= 0 else -1
        added_up = " ".join(f"{'+' if sign * term > 0 else '−'} {abs(term)}" for term in terms)
        yield teller.text("result.sum", terms=added_up.removeprefix("+ "), points=whole)
    yield teller.text("result.pay" if score.value >= 0 else "result.receive", points=whole)


def _terms(
    teller: Teller, rules: FrenchRules, outcome: french.Outcome, score: french.Score
) -> Iterator[tuple[Reason, str]]:
    """The parts of a score, each with what it is for."""
    row = row_of(rules, outcome.bid)
    key = "exact" if not score.difference else "over" if score.won else "short"
    yield (
        "contract",
        teller.text(
            f"result.{key}",
            bid=capital(teller.words.bid(row.id)),
            difference=abs(score.difference),
            base=rules.base,
            times=row.mult,
            points=abs(score.contract),
        ),
    )
    if score.petit_au_bout:
        side = teller.text(f"result.sides.{outcome.petit_au_bout}")
        points, petit = abs(score.petit_au_bout), rules.petit_au_bout
        told = teller.text("result.petit", side=side, petit=petit, times=row.mult, points=points)
        yield "petitAuBout", told
    if score.poignee:
        side = teller.text(f"result.sides.{'taker' if score.won else 'defence'}")
        yield "poignee", teller.text("result.poignee", side=side, points=abs(score.poignee))
    if score.slam:
        side = teller.text(f"result.sides.{'taker' if score.slam > 0 else 'defence'}")
        made = "result.slam" if outcome.slam_made else "result.slamFailed"
        yield "slam", teller.text(made, side=side, points=abs(score.slam))


def _shares(teller: Teller, rules: FrenchRules, present: FrenchState, outcome: french.Outcome) -> list[str]:
    """What taker and partner get of it, where there is a partner."""
    if outcome.partner is None:
        return []
    paid = gains(french.settle(rules, outcome).transfers, present.table)
    shares = [
        f"{teller.players[seat]} ({teller.words.role(role)}) {signed(paid[seat])}"
        for seat, role in ((outcome.taker, "taker"), (outcome.partner, "partner"))
    ]
    return [", ".join(shares)]
