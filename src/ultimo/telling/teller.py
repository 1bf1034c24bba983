"""What happened, in words: an event as the sentences of a person who saw it.

The words come from `names`; what is not said aloud (a hand taken up, a hidden answer) has no sentence.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Sequence
from functools import lru_cache
from typing import Any

from msgspec import Struct

from ultimo import deal
from ultimo import events as e
from ultimo.cards import SUITS, TRUMP, TRUMPS, UNSEEN, Card, Cards, cards, mask
from ultimo.french import State as FrenchState
from ultimo.french.settlement import needed_points
from ultimo.names import Names, SaidDeclaration, UnknownName
from ultimo.rulebook import DanishRules, FrenchRules, Rules
from ultimo.telling import citations
from ultimo.telling.rules_words import book

HANDS = 4096  # that are known in their order


class Teller(Struct, frozen=True, cache_hash=True):
    """Tells what happens at a table, in a language."""

    words: Names
    rules: Rules
    players: tuple[str, ...]

    # --- small things ----------------------------------------------------------------------------------

    def face(self, card: Card) -> str:
        """A card as a screen shows it: `♠K`, `T15`."""
        return self.words.card(card.value, self.rules.family)

    def faces(self, some: Iterable[Card]) -> str:
        """Some cards as a screen shows them, as a player holds them."""
        return " ".join(map(self.face, self.sorted(mask(some))))

    def card(self, card: Card) -> str:
        """A card as a sentence has it: `♠K`, `tarok 15`, `pagat`, `Skus`."""
        if card.bit & TRUMPS:
            return self.words.card_long(card.value, self.rules.family)
        return self.face(card)

    def cards(self, some: Iterable[Card]) -> str:
        """Some cards in a sentence, as a player holds them."""
        return self.cards_of(mask(some))

    def cards_of(self, some: Cards) -> str:
        """A set of cards in a sentence: several trumps by their numbers, `tarok 21 20 15, ♠K ♠3`."""
        trumps, others = self.sorted(some & TRUMPS), self.sorted(some & ~TRUMPS)
        numbers = " ".join(card.value[1:] for card in trumps)
        told = [self.card(card) for card in trumps] if len(trumps) < 2 else [f"{self.suit('T')} {numbers}"]
        return ", ".join([*told, " ".join(map(self.face, others))] if others else told)

    def sorted(self, hand: Cards) -> tuple[Card, ...]:
        """The cards of a hand as a player holds them."""
        return _in_order(hand, self.rules.low_reds_win)

    def suit(self, suit: str) -> str:
        """A suit, or the trumps."""
        return self.words.suit(suit, self.rules.family)

    def account(self, account: e.Account) -> str:
        """Whose account it is: a player's or a cup's."""
        return self.players[account] if isinstance(account, int) else self.words.cup(account)

    def declarations(self, made: Sequence[e.Declaration]) -> str:
        """What a hand declares, as the rulebook has it said."""
        return self.words.declarations(self._wording, list(map(_said, made)))

    def declaration(self, made: e.Declaration) -> str:
        """One declaration inside a sentence."""
        return self.words.declared(self._wording, _said(made))

    @property
    def _wording(self) -> str:
        assert isinstance(self.rules, DanishRules)
        return self.rules.decl.words

    def reason(self, transfer: e.Transfer) -> str:
        """Why points change hands, and for which king."""
        why = self.words.reason(transfer.reason, self.rules.family)
        which = transfer.card if transfer.reason.startswith("king") else None  # there is one pagat
        return f"{why} {self.card(which)}" if which else why

    def payment(self, transfer: e.Transfer) -> str:
        """One payment."""
        payer, payee = self.account(transfer.payer), self.account(transfer.payee)
        if isinstance(transfer.payer, str):
            key, values = "tells.fromCup", {"player": payee, "cup": payer}
        elif isinstance(transfer.payee, str):
            key, values = "paysCup", {"payer": payer, "cup": payee}
        else:
            key, values = "pays", {"payer": payer, "payee": payee}
        return self.text(key, points=transfer.points, reason=self.reason(transfer), **values)

    def refusal(self, error: e.IllegalAction) -> str:
        """Why a wish is refused."""
        sentence = self.words.refusal(error.key)
        spoken = {name: self._spoken(name, value) for name, value in error.values.items()}
        return sentence.format_map(spoken) if spoken else sentence

    def impossible(self, error: e.ImpossibleOutcome) -> str:
        """Why no deal can have gone as a score sheet says."""
        return self.words.outcome(
            error.key, {name: self._noted(name, value) for name, value in error.values.items()}
        )

    def _written_declaration(self, made: e.Declaration) -> str:
        """A declaration as somebody has written it; one that has no words, in notation."""
        try:
            return self.declaration(made)
        except (ValueError, UnknownName):
            return made.notation

    def _noted(self, name: str, value: e.Noted) -> object:
        match name, value:
            case _, e.Declaration():
                return self._written_declaration(value)
            case _, Card():
                return self.card(value)
            case "player", int() if value in range(len(self.players)):
                return self.players[value]
            case "sizes", tuple():
                return f" {self.words.refusal('or')} ".join(map(str, value))
            case "bids", tuple():
                return ", ".join(map(self.words.bid, value))
            case _, tuple():
                return ", ".join(map(str, value))
            case "book", _:
                return book(self.rules, self.words.language).title
            case "announcement", str():
                return self.words.announcement(value)
            case "offence", str():
                return self.words.offence(value)
            case _:
                return value

    def _spoken(self, name: str, value: e.Spoken) -> str:
        match value:
            case Card():
                return self.card(value)
            case (Card(), *_):
                return self.cards(card for card in value if isinstance(card, Card))
            case tuple():
                return (f" {self.words.refusal('or')} " if name == "sizes" else ", ").join(map(str, value))
            case int():
                return self.players[value] if name == "player" else str(value)
            case _ if name == "bid":
                return self.words.bid(value)
            case _ if name == "book":
                return value
            case _:
                return self.words.refusal(value)

    def text(self, key: str, **values: object) -> str:
        """A sentence of the table."""
        return self.words.text(key, **values)

    # --- events ----------------------------------------------------------------------------------------

    def tell(self, before: deal.State | None, event: e.Event, number: int = 1) -> list[str]:
        """The sentences for an event.

        `before` is the deal in which it happened, as the reader knows it; `number` is that of a new deal.
        """
        match SENTENCES.get(type(event)):
            case str(key):
                return [self._say(key, event)]
            case (field, yes, no):
                return [self._say(yes if getattr(event, field) else no, event)]
        match event:
            case e.Paid(transfers=transfers):
                return [self.payment(transfer) for transfer in transfers]
            case e.CardPlayed(named=None):
                return [self._say("leads" if before is not None and not before.trick else "plays", event)]
            case e.CardPlayed(named=str(suit)):
                return [self._say("tells.leadsAs", event, suit=self.suit(suit))]
            case e.VoidClaimed() | e.VoidAnswered():
                lacks = isinstance(event, e.VoidClaimed) or not event.have
                return [self._say("lacks" if lacks else "tells.has", event, suit=self._led(before))]
            case e.SeriesOpened(drawn=drawn):
                return [self._say("tells.table", event), *([self.draws(event)] if drawn else [])]
            case e.Opened():
                return self._opened(event, number)
            case e.RedealDemanded(hand=hand):
                return [self._say("tells.redealDemanded", event, cards=self.cards(hand))]
            case e.TarokLaidAnswer(by=seat):
                return [self._say("tells.tarokLaid", event, player=self.players[seat])]
            case e.SkusDemanded(by=by):
                return [self.text("demands", player=self.players[seat]) for seat in by]
            case e.Counted(points=points):
                return self._counted(before, points)
            case e.FineImposed(effects=effects):
                clauses = [self._say("fined", event), *map(self.words.effect, effects)]
                return [self.words.clauses(clauses)]
            case e.Scored():
                return self._scored(event)
            case e.Revealed(partner=partner):
                others = [] if partner is None else [self.text("tells.partner", player=self.players[partner])]
                return [self.words.clauses([self._say("tells.aside", event), *others])]
            case e.DealClosed(result=result):
                return self._closed(before, result)
            case e.SeriesClosed(totals=totals):
                return [self.text("seriesOver"), self.totals(totals)]
            case e.SkatLaid(tout=True):
                return [self._say("tells.laysForTout", event)]
            case e.SkatLaid():
                return [self._laid("tells.laysSkat", event)]
            case e.EcartLaid(shown=shown):
                shows = [self._say("shows", event, cards=self.cards(shown))] if shown else []
                return [self._laid("tells.laysEcart", event), *shows]
        return []

    def _say(self, key: str, event: e.Event, **values: object) -> str:
        """A sentence about an event: `values`, and what else it has a place for."""
        return self.words.filled(f"text.{key}", _Spoken(self, event, values))

    def draws(self, event: e.SeriesOpened) -> str:
        """Who has drawn which card for the first deal, and so deals."""
        pairs = zip(self.players, event.drawn, strict=True)
        cards = ", ".join(f"{player} {self.cards([card])}" for player, card in pairs)
        return self.text("tells.drawn", cards=cards, player=self.players[event.dealer])

    def totals(self, totals: Sequence[int]) -> str:
        """What everybody has won or lost."""
        return ", ".join(f"{name} {signed(total)}" for name, total in zip(self.players, totals, strict=True))

    def _opened(self, event: e.Opened, number: int) -> list[str]:
        dealer = self.text("deals", player=self.players[event.dealer])
        out = [seat for seat in range(event.table) if seat not in event.active]
        return [
            self.words.pair(self.text("deal", number=number), dealer),
            *(self.text("sitsOut", player=self.players[seat]) for seat in out),
        ]

    def _led(self, before: deal.State | None) -> str:
        return self.suit(SUITS[before.led]) if before is not None and before.led >= 0 else UNSEEN.value

    def _laid(self, key: str, event: e.SkatLaid | e.EcartLaid) -> str:
        laid = self._say(key, event)
        return laid if UNSEEN in event.cards else self.words.pair(laid, self.cards(event.cards))

    def _counted(self, before: deal.State | None, points: tuple[int, ...]) -> list[str]:
        if isinstance(self.rules, FrenchRules):
            taker, defence = map(halves, points)
            return [self.text("tells.countedSides", taker=taker, defence=defence)]
        active = before.active if before is not None else range(len(points))
        return [self.text("counts", player=self.players[seat], points=points[seat]) for seat in active]

    def _closed(self, before: deal.State | None, result: str) -> list[str]:
        keys = {"played": "dealOver", "scrapped": "dealScrapped", "passed": "tells.dealPassed"}
        if result in keys:
            return [self.text(keys[result])]
        all_passed = isinstance(before, FrenchState) and bool(before.bids)
        return [self.text("allPassed")] if all_passed else []  # of a bare petit everybody has been told

    def _scored(self, event: e.Scored) -> list[str]:
        assert isinstance(self.rules, FrenchRules)
        needed = needed_points(self.rules, event.bouts)
        won = event.points >= needed
        return [
            self.text("needed", points=event.points, needed=needed, bouts=event.bouts),
            self.text("contractMade" if won else "contractLost"),
        ]


# The events that are told in one sentence; where it is one of two, a field says which.
SENTENCES: dict[type[e.Event], str | tuple[str, str, str]] = {
    e.FoundingMissed: "tells.foundingMissed",
    e.CupsMoved: "tells.cupsMoved",
    e.PackCut: "tells.packCut",
    e.Dealt: "tells.dealt",
    e.CountObjected: ("right", "tells.objectsRightly", "tells.objectsWrongly"),
    e.Misdealt: "tells.misdealt",
    e.CardsCorrected: "tells.cardsCorrected",
    e.RedealChosen: "tells.redealChosen",
    e.SkatNotice: ("cards", "tells.skatNoticeCards", "tells.skatNotice"),
    e.SkatTakenBack: "tells.skatTakenBack",
    e.Declared: ("early", "tells.declaresEarly", "declares"),
    e.Announced: "announces",
    e.WrongDemand: "tells.wrongDemand",
    e.SuitNotIn: "tells.suitNotIn",
    e.SkusRenamed: "named",
    e.CardTakenBack: "tells.cardTakenBack",
    e.PlayedOutOfTurn: "tells.outOfTurn",
    e.LeadPassed: "tells.leadPassed",
    e.TrickWon: "winsTrick",
    e.SkusReturned: "tells.skusReturned",
    e.ClaimMade: ("upheld", "tells.claimsRightly", "tells.claimsWrongly"),
    e.OffenceFound: "tells.offenceFound",
    e.FineWaived: "tells.fineWaived",
    e.Voted: "tells.votes",
    e.DealContinued: "tells.dealContinued",
    e.CardReturned: "tells.cardReturned",
    e.UltimoQuestioned: "tells.ultimoQuestioned",
    e.UltimoCharged: ("helped", "tells.ultimoHelped", "tells.ultimoNotHelped"),
    e.SkatShown: "tells.skatShown",
    e.CountEntered: "counts",
    e.RecountDemanded: ("wrong", "tells.recountWrong", "tells.recount"),
    e.CupEmptied: "tells.cupEmptied",
    e.PetitSec: "petitSec",
    e.BidMade: "bids",
    e.Passed: "passes",
    e.Called: "calls",
    e.ChienShown: "tells.chienShown",
    e.PoigneeShown: "tells.poignee",
    e.ExcuseKept: ("owed", "tells.excuseKeptOwed", "tells.excuseKept"),
    e.ExcuseLost: "tells.excuseLost",
    e.ExcuseWins: "tells.excuseWins",
    e.PartnerRevealed: "tells.partner",
    e.TakerAloneRevealed: "tells.takerAlone",
    e.CupsDivided: "tells.cupsDivided",
}

# What a sentence about an event has places for: the field that fills one, and how it is told.
PLACES: dict[str, tuple[str, Callable[[Teller, Any], object]]] = {
    "player": ("seat", Teller.account),
    "other": ("against", Teller.account),
    "cup": ("cup", Teller.account),
    "players": ("names", lambda _, names: ", ".join(names)),
    "card": ("card", Teller.card),
    "cards": ("cards", Teller.cards),
    "suit": ("suit", Teller.suit),
    "points": ("points", lambda _, points: points),
    "count": ("count", lambda _, count: count),
    "declaration": ("declarations", Teller.declarations),
    "announcement": ("kind", lambda teller, kind: teller.words.announcement(kind)),
    "offence": ("offence", lambda teller, offence: teller.words.offence(offence)),
    "what": ("offence", lambda teller, offence: teller.text(f"claims.{offence}")),
    "answer": ("yes", lambda teller, yes: teller.text("yes" if yes else "no")),
    "bid": ("bid", lambda teller, bid: teller.words.bid(bid)),
    "poignee": ("size", lambda teller, size: teller.words.poignee(size)),
}


class _Spoken(dict[str, object]):
    """The values of a sentence about an event, each told when the sentence has a place for it."""

    def __init__(self, teller: Teller, event: e.Event, values: dict[str, object]) -> None:
        super().__init__(values)
        self._teller, self._event = teller, event

    def __missing__(self, place: str) -> object:
        field, told = PLACES[place]
        return told(self._teller, getattr(self._event, field))


def _said(one: e.Declaration) -> SaidDeclaration:
    return one.kind, one.count, one.pagat, one.of, one.missing.value if one.missing else None


def after(rules: Rules, present: deal.State | None, event: e.Event) -> deal.State | None:
    """The deal after an event; what happens between deals leaves the last one as it is."""
    match event:
        case e.Opened():
            return deal.initial(rules, event)
        case e.SeriesOpened() | e.FoundingMissed() | e.CupsDivided() | e.SeriesClosed():
            return present
        case _ if present is None or deal.is_over(present):
            return present
        case _:
            return deal.evolve(rules, present, event)


@lru_cache(HANDS)
def _in_order(hand: Cards, danish: bool) -> tuple[Card, ...]:
    return tuple(sorted(cards(hand), key=lambda card: hand_order(card, danish)))


def hand_order(card: Card, danish: bool) -> tuple[int, int]:
    """The place of a card in a sorted hand: trumps first, then S H C D; high cards first, the skus last.

    In the Danish red suits the 1 stands above the 10 (rules A3).
    """
    if card.suit == TRUMP:
        return 0, -card.index if card.value != "T0" else 1
    rank = card.index % 14
    if danish and SUITS[card.suit] in "HD" and rank < 10:
        rank = 9 - rank
    return card.suit + 1, -rank


def cite_after(teller: Teller, cite: str) -> str:
    """A citation in brackets, to stand after a sentence; nothing where there is none."""
    return f" [{citations.words(cite, teller.words.language)}]" if cite else ""


def signed(points: int) -> str:
    """Points won or lost, with a sign; a minus as wide as a plus."""
    return f"{points:+d}".replace("-", "−") if points else "0"


def halves(half_points: int) -> str:
    """Half points as a person writes them.

    >>> halves(83), halves(1), halves(82)
    ('41½', '½', '41')
    """
    whole, half = divmod(half_points, 2)
    return f"{whole or '' if half else whole}{'½' if half else ''}"
