"""The events that are told in one sentence, and how."""

from __future__ import annotations

from collections.abc import Callable
from typing import TYPE_CHECKING, Any, TypeAlias

from ultimo import events as e

if TYPE_CHECKING:
    from ultimo.telling.teller import Teller

Telling: TypeAlias = "Callable[[Teller, Any], str]"


def _by_seat(key: str) -> Telling:
    """A sentence about the player of the event."""
    return lambda teller, event: teller.text(key, player=teller.players[event.seat])


def _plain(key: str) -> Telling:
    return lambda teller, event: teller.text(key)


def _with_cards(key: str, empty: str | None = None) -> Telling:
    """A sentence about the player's cards."""

    def tell(teller: Teller, event: Any) -> str:
        if empty and not event.cards:
            return teller.text(empty, player=teller.players[event.seat])
        return teller.text(key, player=teller.players[event.seat], cards=teller.cards(event.cards))

    return tell


def _with_card(key: str) -> Telling:
    return lambda teller, event: teller.text(
        key, player=teller.players[event.seat], card=teller.card(event.card)
    )


def _with_hand(key: str) -> Telling:
    return lambda teller, event: teller.text(
        key, player=teller.players[event.seat], cards=teller.cards(event.hand)
    )


def _either(field: str, yes: str, no: str) -> Telling:
    """One of two sentences about the player."""
    return lambda teller, event: teller.text(
        yes if getattr(event, field) else no, player=teller.players[event.seat]
    )


def _declared(teller: Teller, event: e.Declared) -> str:
    key = "tells.declaresEarly" if event.early else "declares"
    return teller.text(
        key, player=teller.players[event.seat], declaration=teller.declarations(event.declarations)
    )


def _announced(teller: Teller, event: e.Announced) -> str:
    announcement = teller.words.announcement(event.kind)
    return teller.text("announces", player=teller.players[event.seat], announcement=announcement)


def _claimed(teller: Teller, event: e.ClaimMade) -> str:
    player, against = teller.players[event.seat], teller.players[event.against]
    key = "tells.claimsRightly" if event.upheld else "tells.claimsWrongly"
    return teller.text(key, player=player, other=against, what=teller.text(f"claims.{event.offence}"))


def _offence(key: str) -> Telling:
    return lambda teller, event: teller.text(
        key, player=teller.players[event.seat], offence=teller.words.offence(event.offence)
    )


def _voted(teller: Teller, event: e.Voted) -> str:
    answer = teller.text("yes" if event.yes else "no")
    return teller.text("tells.votes", player=teller.players[event.seat], answer=answer)


def _poignee(teller: Teller, event: e.PoigneeShown) -> str:
    return teller.text(
        "tells.poignee",
        player=teller.players[event.seat],
        poignee=teller.words.poignee(event.size),
        cards=teller.cards(event.cards),
    )


def _revealed(teller: Teller, event: e.Revealed) -> str:
    told = teller.text("tells.aside", cards=teller.cards(event.cards))
    if event.partner is None:
        return told
    partner = teller.text("tells.partner", player=teller.players[event.partner])
    return teller.words.clauses([told, partner])


SENTENCES: dict[type[e.Event], Telling] = {
    e.SeriesOpened: lambda teller, event: teller.text("tells.table", players=", ".join(event.names)),
    e.FoundingMissed: lambda teller, event: teller.text(
        "tells.foundingMissed",
        player=teller.players[event.seat],
        cup=teller.words.cup(event.cup),
        points=event.points,
    ),
    e.CupsMoved: _by_seat("tells.cupsMoved"),
    e.PackCut: _by_seat("tells.packCut"),
    e.Dealt: _plain("tells.dealt"),
    e.RedealDemanded: _with_hand("tells.redealDemanded"),
    e.CountObjected: _either("right", "tells.objectsRightly", "tells.objectsWrongly"),
    e.Misdealt: _plain("tells.misdealt"),
    e.CardsCorrected: _plain("tells.cardsCorrected"),
    e.RedealChosen: _by_seat("tells.redealChosen"),
    e.SkatNotice: _with_cards("tells.skatNoticeCards", "tells.skatNotice"),
    e.SkatTakenBack: _by_seat("tells.skatTakenBack"),
    e.Declared: _declared,
    e.Announced: _announced,
    e.WrongDemand: _by_seat("tells.wrongDemand"),
    e.TarokLaidAnswer: lambda teller, event: teller.text(
        "tells.tarokLaid", player=teller.players[event.by], count=event.count
    ),
    e.SuitNotIn: lambda teller, event: teller.text("tells.suitNotIn", suit=teller.suit(event.suit)),
    e.SkusRenamed: lambda teller, event: teller.text(
        "named", player=teller.players[event.seat], suit=teller.suit(event.suit)
    ),
    e.CardTakenBack: _with_card("tells.cardTakenBack"),
    e.PlayedOutOfTurn: _with_card("tells.outOfTurn"),
    e.LeadPassed: _by_seat("tells.leadPassed"),
    e.TrickWon: _by_seat("winsTrick"),
    e.SkusReturned: _by_seat("tells.skusReturned"),
    e.ClaimMade: _claimed,
    e.OffenceFound: _offence("tells.offenceFound"),
    e.FineWaived: _offence("tells.fineWaived"),
    e.Voted: _voted,
    e.DealContinued: _plain("tells.dealContinued"),
    e.CardReturned: _with_card("tells.cardReturned"),
    e.UltimoQuestioned: _by_seat("tells.ultimoQuestioned"),
    e.UltimoCharged: _either("helped", "tells.ultimoHelped", "tells.ultimoNotHelped"),
    e.SkatShown: lambda teller, event: teller.text("tells.skatShown", cards=teller.cards(event.cards)),
    e.CountEntered: lambda teller, event: teller.text(
        "counts", player=teller.players[event.seat], points=event.points
    ),
    e.RecountDemanded: _either("wrong", "tells.recountWrong", "tells.recount"),
    e.CupEmptied: lambda teller, event: teller.text("tells.cupEmptied", cup=teller.words.cup(event.cup)),
    e.PetitSec: _by_seat("petitSec"),
    e.BidMade: lambda teller, event: teller.text(
        "bids", player=teller.players[event.seat], bid=teller.words.bid(event.bid)
    ),
    e.Passed: _by_seat("passes"),
    e.Called: _with_card("calls"),
    e.ChienShown: lambda teller, event: teller.text("tells.chienShown", cards=teller.cards(event.cards)),
    e.PoigneeShown: _poignee,
    e.ExcuseKept: _either("owed", "tells.excuseKeptOwed", "tells.excuseKept"),
    e.ExcuseLost: _by_seat("tells.excuseLost"),
    e.ExcuseWins: _by_seat("tells.excuseWins"),
    e.PartnerRevealed: _by_seat("tells.partner"),
    e.TakerAloneRevealed: _by_seat("tells.takerAlone"),
    e.Revealed: _revealed,
    e.CupsDivided: _plain("tells.cupsDivided"),
}
