"""What is written of a deal, and the outcome that it stands for.

Whoever keeps the score writes less than an outcome needs: nobody counts tricks unless somebody has none, and
nobody looks which card won an ordinary last trick. What is not written is filled in with something that can
have been, and that is paid the same.
"""

from __future__ import annotations

from itertools import product
from typing import TypeAlias

from msgspec import Struct

from ultimo import danish, french
from ultimo.cards import UNSEEN, Card, parse_card
from ultimo.danish.outcome import Fined, GivenBack, LostKing, Order, PagatFate
from ultimo.danish.plausible import WHOLE_COUNT, held
from ultimo.events import Announced, CardPlayed, Cup, Declaration, ImpossibleOutcome, Seat
from ultimo.french.outcome import ALL_HALF_POINTS, Side
from ultimo.rulebook import DanishRules, FrenchRules, Rules

LAST = 25
MOST_ANTES = 20  # a dealer who errs more often than that has stopped
PLAIN = tuple(parse_card(f"T{number}") for number in range(21, 1, -1))  # what may have won a last trick


class DanishDeal(
    Struct,
    frozen=True,
    kw_only=True,
    omit_defaults=True,
    forbid_unknown_fields=True,
    tag_field="game",
    tag="danish",
):
    """A Danish deal as it is written down; a deal without a winner was scrapped.

    `won_with` is a king or the pagat where the last trick was won with one: an ultimo. `fallen` are kings and
    the pagat that were lost in the last trick: bagud. `counts` are the piles of two players, or of three.
    """

    antes: int = 1  # more where the dealer antes again after a misdeal
    declarations: dict[Seat, tuple[Declaration, ...]] = {}
    announcements: tuple[Announced, ...] = ()
    kings_lost: tuple[LostKing, ...] = ()
    pagat_fate: PagatFate | None = None
    given_back: tuple[GivenBack, ...] = ()
    fines: tuple[Fined, ...] = ()
    banned: tuple[Seat, ...] = ()
    barren: tuple[Seat, ...] = ()
    charged: Seat | None = None
    winner: Seat | None = None
    won_with: Card | None = None
    fallen: tuple[CardPlayed, ...] = ()
    nolo: tuple[Seat, ...] = ()
    tout: bool = False
    counts: dict[Seat, int] = {}


class FrenchDeal(
    Struct,
    frozen=True,
    kw_only=True,
    omit_defaults=True,
    forbid_unknown_fields=True,
    tag_field="game",
    tag="french",
):
    """A French deal as it is written down. Without a taker nobody played: all passed, or a petit was bare.

    `half_points` are those of the side that was counted, twice what people say; `bouts` are the taker's.
    """

    taker: Seat | None = None
    bid: str = ""
    partner: Seat | None = None
    half_points: int = 0
    counted: Side = "taker"
    bouts: int = 0
    petit_au_bout: Side | None = None
    poignees: tuple[tuple[Side, int], ...] = ()
    slam_announced: Side | None = None
    slam_made: Side | None = None


Entry: TypeAlias = DanishDeal | FrenchDeal
Outcome: TypeAlias = danish.Outcome | french.Outcome


def outcome(
    rules: Rules, table: int, order: tuple[Seat, ...], cups: dict[Cup, int], entry: Entry
) -> Outcome | None:
    """What an entry stands for, with these players and cups; none if nothing was played.

    Raises `ImpossibleOutcome` where no deal can have gone so; `ultimo.deal.settle` looks closer.
    """
    match rules, entry:
        case DanishRules(), DanishDeal():
            forehand, middle, dealer = order
            return _danish((forehand, middle, dealer), table, cups, entry)
        case FrenchRules(), FrenchDeal():
            return _french(rules, entry)
    raise ImpossibleOutcome("game", f"{rules.id} is another game")


def _french(rules: FrenchRules, entry: FrenchDeal) -> french.Outcome | None:
    if entry.taker is None:
        if entry != FrenchDeal():
            raise ImpossibleOutcome("taker", "say who took, or nothing at all if nobody did")
        return None
    points = entry.half_points
    return french.Outcome(
        players=rules.players,
        taker=entry.taker,
        bid=entry.bid,
        half_points=points if entry.counted == "taker" else ALL_HALF_POINTS - points,
        bouts=entry.bouts,
        partner=entry.partner,
        petit_au_bout=entry.petit_au_bout,
        poignees=entry.poignees,
        slam_announced=entry.slam_announced,
        slam_made=entry.slam_made,
    )


def _danish(order: Order, table: int, cups: dict[Cup, int], entry: DanishDeal) -> danish.Outcome:
    _check_written(order, entry)
    counts = _counts(order, entry.counts)
    played = entry.winner is not None
    return danish.Outcome(
        table=table,
        order=order,
        king=cups["king"],
        pagat=cups["pagat"],
        antes=entry.antes,
        declarations=entry.declarations,
        announcements=entry.announcements,
        kings_lost=entry.kings_lost,
        pagat_fate=entry.pagat_fate,
        given_back=entry.given_back,
        fines=entry.fines,
        banned=entry.banned,
        barren=entry.barren,
        charged=entry.charged,
        tricks=_tricks(order, entry, counts) if played else None,
        last=_last_trick(order, entry) if played else (),
        winner=entry.winner,
        counts=counts,
    )


def _check_written(order: Order, entry: DanishDeal) -> None:
    """Refuse what the settlement takes for granted."""
    if entry.antes not in range(1, MOST_ANTES + 1):
        raise ImpossibleOutcome("antes", f"the dealer antes once, and at most {MOST_ANTES} times")
    if any(seat not in order for one in entry.given_back for seat in (one.by, one.to)):
        raise ImpossibleOutcome("given_back", "a card goes back between players of this deal")
    declared = (one.missing for made in entry.declarations.values() for one in made)
    lost, back = (one.card for one in entry.kings_lost), (one.card for one in entry.given_back)
    fallen = (one.card for one in entry.fallen)
    if UNSEEN in (entry.won_with, *declared, *lost, *back, *fallen):
        raise ImpossibleOutcome("won_with", "say which card it was")


def _counts(order: Order, counted: dict[Seat, int]) -> tuple[int, int, int] | None:
    """The three piles; of two that were counted the third is the rest."""
    if not counted:
        return None
    missing = [seat for seat in order if seat not in counted]
    if len(missing) > 1 or not set(counted) <= set(order):
        raise ImpossibleOutcome("counts", "count the piles of two of the three who played")
    rest = WHOLE_COUNT - sum(counted.values())
    one, two, three = (counted.get(seat, rest) for seat in order)
    return one, two, three


def _last_trick(order: Order, entry: DanishDeal) -> tuple[CardPlayed, ...]:
    """The cards of the last trick that matter, the winner's first."""
    assert entry.winner is not None
    if any(one.seat == entry.winner for one in entry.fallen):
        raise ImpossibleOutcome("fallen", "whoever wins the last trick loses no card in it")
    won = entry.won_with if entry.won_with is not None else _plain(order, entry)
    return (CardPlayed(entry.winner, won), *entry.fallen)


def _plain(order: Order, entry: DanishDeal) -> Card:
    """A trump that the winner of the last trick may have played: no other has declared it."""
    others = [seat for seat in order if seat != entry.winner]
    elsewhere = 0
    for declared in (entry.declarations.get(seat, ()) for seat in others):
        for one in declared:
            elsewhere |= held(one)
    found = next((card for card in PLAIN if not card.bit & elsewhere), None)
    if found is None:
        raise ImpossibleOutcome("winner", "the others have declared every trump")
    return found


def _tricks(order: Order, entry: DanishDeal, counts: tuple[int, int, int] | None) -> tuple[int, int, int]:
    """Tricks that everybody may have won: none for a nolo, all for a tout, else at least one.

    A pile is worth a point for each of its tricks, and the dealer's one more for the skat.
    """
    if entry.tout:
        one, two, three = (LAST if seat == entry.winner else 0 for seat in order)
        return one, two, three
    least, most = [], []
    for place, seat in enumerate(order):
        home = entry.pagat_fate is not None and entry.pagat_fate.home and entry.pagat_fate.seat == seat
        won = (seat == entry.winner) + home
        least.append(0 if seat in entry.nolo else max(1, won))
        count = LAST if counts is None else counts[place] - (seat == order[2])
        most.append(0 if seat in entry.nolo else min(LAST, count))
    firsts, seconds = (range(low, high + 1) for low, high in zip(least[:2], most[:2], strict=True))
    for first, second in product(firsts, seconds):
        if least[2] <= LAST - first - second <= most[2]:
            return first, second, LAST - first - second
    raise ImpossibleOutcome("counts", "with so few points somebody has no trick: was it a nolo?")
