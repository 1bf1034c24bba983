"""What is written of a deal, and the outcome that it stands for.

Whoever keeps the score writes less than an outcome needs: nobody counts tricks unless somebody has none, and
nobody looks which card won an ordinary last trick. What is not written is filled in with something that can
have been, and that is paid the same.
"""

from __future__ import annotations

from itertools import product
from typing import TypeAlias

from msgspec import Struct
from msgspec.structs import replace

from ultimo import danish, french
from ultimo.cards import UNSEEN, Card, parse_card, parse_cards
from ultimo.club.mistakes import THE_PAGAT, Captured, fined_offences, returned, suffering, with_repayments
from ultimo.danish.declarations import vocabulary
from ultimo.danish.following import LAST
from ultimo.danish.outcome import Fined, GivenBack, LostKing, Order, PagatFate
from ultimo.danish.payments import fine_for
from ultimo.danish.plausible import WHOLE_COUNT, held
from ultimo.events import (
    Account,
    Announced,
    CardPlayed,
    Cup,
    Declaration,
    ImpossibleOutcome,
    Seat,
    Settlement,
)
from ultimo.french.outcome import ALL_HALF_POINTS, Side
from ultimo.rulebook import DanishRules, FrenchRules, Rules

PLAIN = tuple(parse_card(f"T{number}") for number in range(21, 1, -1))  # what may have won a last trick
BLANKS = parse_cards("S5 H5 C5 D5")  # which nobody declares


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
    `fines` are the mistakes that were fined, a misdeal among them where the book has a price for it. What
    follows from them by the book is not written: `banned` and `barren` are for those who suffer it besides.
    What the book cannot know is: `true_declarations` of somebody who declared wrongly, kings and the pagat
    that were `captured` by a mistake, and who is `charged` with an ultimo. A mistake that the others let pass
    is not written, but a false declaration was then paid: `let_pass` says whose.
    """

    antes: int = 1  # more where the dealer antes again after a misdeal
    declarations: dict[Seat, tuple[Declaration, ...]] = {}
    announcements: tuple[Announced, ...] = ()
    kings_lost: tuple[LostKing, ...] = ()
    pagat_fate: PagatFate | None = None
    captured: tuple[Captured, ...] = ()
    given_back: tuple[GivenBack, ...] = ()
    fines: tuple[Fined, ...] = ()
    true_declarations: dict[Seat, tuple[Declaration, ...]] = {}
    let_pass: tuple[Seat, ...] = ()
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
    `fault` is the side that made a mistake, such as a revoke: where the book knows it, its win is void.
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
    fault: Side | None = None


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
            return _danish(rules, (forehand, middle, dealer), table, cups, entry)
        case FrenchRules(), FrenchDeal():
            return _french(rules, table, order, entry)
    raise ImpossibleOutcome("game", "otherGame", book=rules.id)


def field_of(entry: Entry, error: ImpossibleOutcome) -> str:
    """The field of an entry in which the fault of its outcome lies."""
    if not isinstance(entry, DanishDeal) or error.field != "last":
        return error.field
    about = {one.card for one in entry.fallen}
    wrong = error.key in ("notInDeal", "cardFallsOnce", "oneCardEach") or error.values.get("card") in about
    return "fallen" if wrong else "won_with"


def at_table(order: tuple[Seat, ...], happened: Outcome, settled: Settlement) -> Settlement:
    """The payments of an outcome between the seats of the table.

    A French outcome numbers those who play: of five at a game of four, the dealer is left out.
    """
    if isinstance(happened, danish.Outcome):
        return settled
    seats: dict[Account, Account] = dict(enumerate(sorted(order)))
    return Settlement(
        tuple(replace(one, payer=seats[one.payer], payee=seats[one.payee]) for one in settled.transfers)
    )


def _place(table: int, order: tuple[Seat, ...], field: str, seat: Seat) -> Seat:
    """The number of a seat among those who play."""
    if seat not in range(table):
        raise ImpossibleOutcome(field, "notASeat", seat=seat, last=table - 1)
    if seat not in order:
        raise ImpossibleOutcome(field, "notInDeal", player=seat)
    return sorted(order).index(seat)


def _french(
    rules: FrenchRules, table: int, order: tuple[Seat, ...], entry: FrenchDeal
) -> french.Outcome | None:
    if entry.taker is None:
        if entry != FrenchDeal():
            raise ImpossibleOutcome("taker", "whoTook")
        return None
    points = entry.half_points
    return french.Outcome(
        players=rules.players,
        taker=_place(table, order, "taker", entry.taker),
        bid=entry.bid,
        half_points=points if entry.counted == "taker" else ALL_HALF_POINTS - points,
        bouts=entry.bouts,
        partner=None if entry.partner is None else _place(table, order, "partner", entry.partner),
        petit_au_bout=entry.petit_au_bout,
        poignees=entry.poignees,
        slam_announced=entry.slam_announced,
        slam_made=entry.slam_made,
        fault=entry.fault,
    )


def _danish(
    rules: DanishRules, order: Order, table: int, cups: dict[Cup, int], entry: DanishDeal
) -> danish.Outcome:
    _check_cards(entry)
    _check_fines(rules, entry)
    _check_captured(rules, entry)
    _check_end(order, entry)
    paid = _paid_declarations(rules, entry)
    fines = with_repayments(rules, entry.fines, paid, entry.true_declarations)
    back = returned(rules, order, entry.captured, entry.kings_lost, entry.pagat_fate)
    counts = _counts(order, entry.counts)
    played = entry.winner is not None
    return danish.Outcome(
        table=table,
        order=order,
        king=cups["king"],
        pagat=cups["pagat"],
        antes=entry.antes,
        declarations=paid,
        announcements=entry.announcements,
        kings_lost=entry.kings_lost,
        pagat_fate=entry.pagat_fate,
        given_back=(*entry.given_back, *back),
        fines=fines,
        let_pass=entry.let_pass,
        banned=_together(entry.banned, suffering(rules, fines, "banUltimo")),
        barren=_together(entry.barren, suffering(rules, fines, "winNothing")),
        charged=entry.charged,
        tricks=_tricks(order, entry, counts) if played else None,
        last=_last_trick(order, entry) if played else (),
        winner=entry.winner,
        counts=counts,
    )


def _together(some: tuple[Seat, ...], others: tuple[Seat, ...]) -> tuple[Seat, ...]:
    return tuple(dict.fromkeys((*some, *others)))


def _check_fines(rules: DanishRules, entry: DanishDeal) -> None:
    """The book knows the fines, none of them has ended a deal that was played out, and what was true is told.

    Only of somebody who declared wrongly is it told what would have been true.
    """
    known = fined_offences(rules) if entry.fines else ()
    for one in entry.fines:
        if one.offence not in known:
            raise ImpossibleOutcome("fines", "noSuchFine", book=rules.id, offence=one.offence)
        if entry.winner is not None and "stop" in fine_for(rules, one.offence).effect:
            raise ImpossibleOutcome("fines", "endsTheDeal", offence=one.offence)
    wrong = {one.seat for one in entry.fines if one.offence == "wrongDecl"}
    for seat, true in entry.true_declarations.items():
        if seat not in wrong or set(true) == set(entry.declarations.get(seat, ())):
            raise ImpossibleOutcome("true_declarations", "declaredRightly", player=seat)
        speakable = {one for some in vocabulary(rules.decl) for one in some}
        for strange in set(true) - speakable:
            raise ImpossibleOutcome(
                "true_declarations", "noSuchDeclaration", player=seat, book=rules.id, declaration=strange
            )


def _check_captured(rules: DanishRules, entry: DanishDeal) -> None:
    """Whoever captured a card has made a mistake by which it goes back, and somebody had lost it."""
    captors = suffering(rules, entry.fines, "giveBack")
    lost = {one.card: one.seat for one in entry.kings_lost}
    if entry.pagat_fate is not None and not entry.pagat_fate.home:
        lost[THE_PAGAT] = entry.pagat_fate.seat
    for one in entry.captured:
        if one.by not in captors:
            raise ImpossibleOutcome("captured", "capturedRightly", player=one.by)
        if lost.get(one.card, one.by) == one.by:
            raise ImpossibleOutcome("captured", "notLostTo", card=one.card, player=one.by)
    if len({one.card for one in entry.captured}) != len(entry.captured):
        raise ImpossibleOutcome("captured", "cardFallsOnce")


def _check_end(order: Order, entry: DanishDeal) -> None:
    """What is written of the end of the deal fits together."""
    if entry.winner is None:
        for field in ("won_with", "fallen", "nolo", "tout"):
            if getattr(entry, field):
                raise ImpossibleOutcome(field, "whoWonLast")
    for seat in entry.nolo:
        if seat not in order:
            raise ImpossibleOutcome("nolo", "notInDeal", player=seat)
        if seat == entry.winner:
            raise ImpossibleOutcome("nolo", "wonLastTrick", player=seat)
    if len(set(entry.nolo)) > 1 and not entry.tout:
        raise ImpossibleOutcome("nolo", "twoNolos")


def _paid_declarations(rules: DanishRules, entry: DanishDeal) -> dict[Seat, tuple[Declaration, ...]]:
    """The declarations without those that are not paid, as in some books one that comes too early is not."""
    unpaid = {one.seat for one in entry.fines if "noPayForIt" in fine_for(rules, one.offence).effect}
    return {seat: made for seat, made in entry.declarations.items() if seat not in unpaid}


def _check_cards(entry: DanishDeal) -> None:
    """Every card that is written down is one of the pack."""
    written = {
        "declarations": (one.missing for made in entry.declarations.values() for one in made),
        "true_declarations": (one.missing for made in entry.true_declarations.values() for one in made),
        "kings_lost": (one.card for one in entry.kings_lost),
        "captured": (one.card for one in entry.captured),
        "given_back": (one.card for one in entry.given_back),
        "won_with": (entry.won_with,),
        "fallen": (one.card for one in entry.fallen),
    }
    for field, some in written.items():
        if UNSEEN in some:
            raise ImpossibleOutcome(field, "whichCard")


def _counts(order: Order, counted: dict[Seat, int]) -> tuple[int, int, int] | None:
    """The three piles; of two that were counted the third is the rest."""
    if not counted:
        return None
    missing = [seat for seat in order if seat not in counted]
    if len(missing) > 1 or not set(counted) <= set(order):
        raise ImpossibleOutcome("counts", "countTwo")
    rest = WHOLE_COUNT - sum(counted.values())
    one, two, three = (counted.get(seat, rest) for seat in order)
    return one, two, three


def _last_trick(order: Order, entry: DanishDeal) -> tuple[CardPlayed, ...]:
    """The cards of the last trick that matter, the winner's first."""
    assert entry.winner is not None
    if any(one.seat == entry.winner for one in entry.fallen):
        raise ImpossibleOutcome("fallen", "winnerLosesNothing")
    won = entry.won_with if entry.won_with is not None else _plain(order, entry)
    return (CardPlayed(entry.winner, won), *entry.fallen)


def _plain(order: Order, entry: DanishDeal) -> Card:
    """A card that the winner of the last trick may have played: no other has declared it.

    A trump beats whatever falls; if others have them all, a card of a suit whose king does not fall has won.
    """
    liars = {one.seat for one in entry.fines if one.offence == "wrongDecl"} | set(entry.let_pass)
    elsewhere = 0
    for seat in set(order) - liars - {entry.winner}:
        for one in entry.declarations.get(seat, ()):
            elsewhere |= held(one)
    beaten = {one.card.suit for one in entry.fallen}
    suits = [card for card in BLANKS if card.suit not in beaten]
    return next(card for card in (*PLAIN, *suits, *BLANKS) if not card.bit & elsewhere)


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
    raise ImpossibleOutcome("counts", "wasItANolo")
