"""A French position from its words."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from itertools import product
from operator import mul

from msgspec import Struct
from msgspec.structs import replace

from ultimo import french
from ultimo.analysis.position.errors import PositionError
from ultimo.analysis.position.scanning import FRENCH_SEATS, Clause, Told, Word, Words, half_points
from ultimo.cards import (
    ALL_CARDS,
    BOUTS,
    JACKS,
    KINGS,
    KNIGHTS,
    PAGAT,
    QUEENS,
    SKUS,
    TRUMPS,
    Card,
    Cards,
    cards,
    mask,
)
from ultimo.events import CardPlayed, Opened, Play, PoigneeShown, Seat
from ultimo.play.counting import honours_of
from ultimo.rulebook import BidRow, FrenchRules

EXCUSE_HALF_POINTS = 9


class _Told(Told):
    """What the clauses of a position have said; a seat's number is its place in the order of play."""

    def __init__(self, rules: FrenchRules, hands: list[Words], clauses: list[Clause]) -> None:
        super().__init__(FRENCH_SEATS[: rules.players], hands, clauses)
        self.taker: Seat | None = None
        self.partner: Seat | None = None
        self.contract: BidRow | None = None
        self.half_points: int | None = None
        self.bouts: int | None = None
        self.points_at = 0
        self.tricks: int | None = None
        self.aside: Cards = 0
        self.excuse: Seat | None = None
        self.poignees: list[PoigneeShown] = []
        self.slam: Seat | None = None
        self.called: Card | None = None
        self.petit_last = False  # the petit fell in the trick just won

    def seat(self, word: Word) -> Seat:
        return self.letters.index(word.seat(self.letters))


def build(rules: FrenchRules, hands: list[Words], clauses: list[Clause]) -> french.State:
    """The position that the words describe."""
    told = _Told(rules, hands, clauses)
    for clause in clauses:
        _hear(rules, told, clause)
    for _, card, named in told.trick:
        if named is not None:
            raise card.error("excuseNamed")
    if told.taker is None:
        raise PositionError(told.end, "takerMissing", example="A takes garde")

    def step(now: french.State, seat: Seat, play: Play) -> french.State:
        return french.step(rules, now, seat, play)[0]

    seats = {letter: seat for seat, letter in enumerate(told.letters)}
    state = told.play(rules, seats, _state(rules, told), step)
    told.check_turn(told.letters[state.turn or 0])
    return state


def _hear(rules: FrenchRules, told: _Told, clause: Clause) -> None:
    """Take down one clause."""
    words = clause.words
    match clause.keys:
        case (_, "TAKES", _) | (_, "TAKES", _, "WITH", _):
            told.taker = told.seat(words[0])
            told.contract = _contract(rules, words[2])
            told.partner = told.seat(words[4]) if len(words) == 5 else None
            if told.partner is not None and (rules.call.card == "none" or told.partner == told.taker):
                raise words[4].error("noPartner")
        case ("TAKER", "HAS", _, "POINTS", _, "BOUT" | "BOUTS"):
            told.half_points, told.points_at = half_points(words[2]), words[2].at
            told.bouts = words[4].number("boutsNumber")
        case ("TRICKS", _):
            told.tricks = words[1].number("tricksNumber")
        case ("ASIDE" | "ECART" | "ÉCART" | "CHIEN", *_):
            told.aside |= told.take(clause.rest(1, "cardsExpected", example="aside S2 S3 …"))
            if told.aside.bit_count() != rules.deal.chien:
                raise words[0].error("asideSize", text=words[0].text, count=rules.deal.chien)
        case ("EXCUSE", _):
            told.excuse = told.seat(words[1])
        case ("POIGNEE" | "POIGNÉE", _, _):
            told.poignees.append(_poignee(rules, told.seat(words[1]), words[2]))
        case ("CALLED", _):
            told.called = words[1].card()
        case ("PETIT", "LAST"):
            told.petit_last = True
        case ("SLAM" | "CHELEM", _):
            told.slam = told.seat(words[1])
        case _:
            known = "takes, called, leads, trick, taker has, tricks, aside, excuse, petit, poignee, slam"
            told.hear(clause, known)


def _contract(rules: FrenchRules, word: Word) -> BidRow:
    for row in rules.bid.ladder:
        if row.id == word.text.lower():
            return row
    raise word.error("noBid", text=word.text, bids=", ".join(row.id for row in rules.bid.ladder))


def _poignee(rules: FrenchRules, seat: Seat, word: Word) -> PoigneeShown:
    """A poignée of so many trumps; which they were is of no matter any more."""
    shown = word.number("trumpsNumber")
    if shown not in rules.poignee.sizes:
        raise word.error("poigneeSizes", sizes=", ".join(map(str, rules.poignee.sizes)))
    return PoigneeShown(seat, rules.poignee.sizes.index(shown), cards(TRUMPS)[:shown])


# --- the tricks that have gone -------------------------------------------------------------------------


class _Past(Struct, frozen=True):
    """How the tricks so far may have gone: so many to the taker's side, with so many honours and bouts."""

    tricks: int
    honours: int
    bouts: int
    owed: bool  # the other side has won the trick of the excuse


def _state(rules: FrenchRules, told: _Told) -> french.State:
    assert told.taker is not None
    assert told.contract is not None
    played = rules.deal.hand - told.left(rules.deal.hand)
    _lay_aside(rules, told, played)
    gone = ALL_CARDS & ~told.seen
    excuse = _excuse(told, gone)
    past, own = _past(rules, told, gone, played, excuse)
    side = [seat for seat in range(rules.players) if seat in (told.taker, told.partner)]
    others = [seat for seat in range(rules.players) if seat not in side]
    winners = [(side[0], True)] * past.tricks + [(others[0], False)] * (played - past.tricks)
    tricks = _tricks(rules, gone, own, winners, excuse, past.owed != (excuse in side))
    if told.petit_last:
        tricks = _petit_last(tricks)
    dealer = rules.players - 1
    won = [0] * rules.players
    for trick in tricks:
        won[trick.winner] |= trick.cards
    taken = told.contract.chien == "taken"
    state = french.initial(rules, Opened(rules.players, dealer, tuple(range(rules.players))))
    return replace(
        state,
        phase="play",
        turn=told.letters.index(told.first),
        hands=tuple(told.hands[letter] for letter in told.letters),
        chien=0 if taken else told.aside,
        ecart=told.aside if taken else 0,
        trumps_laid=told.aside & TRUMPS if taken else 0,
        taker=told.taker,
        contract=told.contract,
        called=told.called,
        holder=told.taker if told.partner is None else told.partner,
        sides_public=True,
        slam=told.slam,
        poignees=tuple(told.poignees),
        tricks=tricks,
        won=tuple(won),
        excuse=next((place for place, trick in enumerate(tricks) if trick.cards & SKUS), None),
        excuse_told=excuse is not None,
    )


def _lay_aside(rules: FrenchRules, told: _Told, played: int) -> None:
    """Cards that do not count lie aside if nothing is said, where there are enough of them."""
    if not told.aside:
        free = ALL_CARDS & ~told.seen & ~(TRUMPS | SKUS if played else 0)  # before the first trick, all
        rest = sorted(cards(free), key=lambda card: honours_of(card.bit))
        told.aside = mask(rest[: rules.deal.chien])
        told.seen |= told.aside


def _excuse(told: _Told, gone: Cards) -> Seat | None:
    """Who has played the excuse."""
    if not gone & SKUS:
        return None
    return told.taker if told.excuse is None else told.excuse


def _past(
    rules: FrenchRules, told: _Told, gone: Cards, played: int, excuse: Seat | None
) -> tuple[_Past, Cards]:
    """The past that fits what is told, and the cards of the taker's side's tricks without the excuse."""
    for past in _pasts(rules, told, gone, played, excuse):
        fallen = excuse is not None
        own_trick = fallen and past.owed != (excuse in (told.taker, told.partner))
        size = rules.players * past.tricks - own_trick
        theirs = rules.players * (played - past.tricks) - (fallen and not own_trick)
        own = _chosen(gone & ~SKUS, size, past.honours, past.bouts) if theirs >= 0 else None
        if own is not None:
            return past, own
    raise PositionError(told.points_at, "impossiblePoints")


def _pasts(rules: FrenchRules, told: _Told, gone: Cards, played: int, excuse: Seat | None) -> Iterator[_Past]:
    """What may have been: as many tricks as the points make likely, or near it, but not all and not none."""
    assert told.contract is not None
    ours = excuse is not None and excuse in (told.taker, told.partner)
    counted = 0 if told.contract.chien == "defence" else told.aside
    base = 2 * honours_of(counted) + counted.bit_count()
    bouts = (gone & BOUTS & ~SKUS).bit_count()
    wanted = base + played * rules.players if told.half_points is None else told.half_points
    likely = round(played * max(0, wanted - base) / max(1, 2 * honours_of(gone) + gone.bit_count()))
    if told.tricks is not None:
        counts = [told.tricks]
    else:
        inner = range(1, played) if played > 1 else range(played + 1)
        counts = sorted(inner, key=lambda count: abs(count - likely))
    for tricks in counts:
        for owed in (False, True) if excuse is not None else (False,):
            own_trick = excuse is not None and owed != ours
            cards_won = rules.players * tricks - own_trick
            share = (EXCUSE_HALF_POINTS - owed if ours else int(owed)) if excuse is not None else 0
            if told.half_points is None or told.bouts is None:
                yield from _about_half(honours_of(gone & ~SKUS), bouts, tricks, owed)
                continue
            double, odd = divmod(told.half_points - base - share - cards_won, 2)
            mine = told.bouts - ours - (counted & BOUTS).bit_count()
            if not odd and double >= 0 and 0 <= mine <= bouts and 0 <= tricks <= played:
                yield _Past(tricks, double, mine, owed)


def _about_half(worth: int, bouts: int, tricks: int, owed: bool) -> Iterator[_Past]:
    """Pasts in which the taker's side has about half of what has been played."""
    for some in sorted(range(bouts + 1), key=lambda some: abs(2 * some - bouts)):
        for part in sorted(range(worth + 1), key=lambda part: abs(2 * part - worth)):
            yield _Past(tricks, part, some, owed)


def _chosen(among: Cards, size: int, worth: int, bouts: int) -> Cards | None:
    """Cards of which there are `size` with these honours and bouts, if there are such."""
    own = mask(cards(among & BOUTS)[:bouts])
    plain = [card for card in cards(among & ~BOUTS) if not honours_of(card.bit)]
    ranks = [cards(among & rank) for rank in (KINGS, QUEENS, KNIGHTS, JACKS)]
    values = [honours_of(mask(rank[:1])) for rank in ranks]
    wanted, room = worth - honours_of(own), size - own.bit_count()
    for counts in product(*(range(len(rank), -1, -1) for rank in ranks)):
        missing = room - sum(counts)
        if sum(map(mul, counts, values)) == wanted and 0 <= missing <= len(plain):
            courts = [card for rank, count in zip(ranks, counts, strict=True) for card in rank[:count]]
            return own | mask(courts) | mask(plain[:missing])
    return None


def _tricks(
    rules: FrenchRules,
    gone: Cards,
    own: Cards,
    winners: Sequence[tuple[Seat, bool]],
    excuse: Seat | None,
    excuse_in_own: bool,
) -> tuple[french.Trick, ...]:
    """Tricks with these winners, `own` being the cards of the taker's side; the excuse lies in one."""
    ours, theirs = _petit_first(own), _petit_first(gone & ~own & ~SKUS)
    found: list[french.Trick] = []
    missing = excuse is not None
    for winner, is_own in winners:
        here = missing and is_own == excuse_in_own
        missing = missing and not here
        pool = ours if is_own else theirs
        plays = [
            CardPlayed(seat, Card("T0") if here and seat == excuse else pool.pop())
            for seat in range(rules.players)
        ]
        found.append(french.Trick(tuple(plays), winner))
    return tuple(found)


def _petit_first(some: Cards) -> list[Card]:
    """Cards to be played from the end of the list, the petit before all others."""
    return [*cards(some & ~PAGAT), *cards(some & PAGAT)]


def _petit_last(tricks: tuple[french.Trick, ...]) -> tuple[french.Trick, ...]:
    """The same tricks with the one of the petit at the end."""
    return tuple(sorted(tricks, key=lambda trick: bool(trick.cards & PAGAT)))
