"""What a person is asked, made from what the table offers: a question, and numbered options."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from functools import partial
from typing import TypeAlias, Union

from msgspec import Struct

from ultimo import events as e
from ultimo.cards import SKUS, Card, Cards, mask
from ultimo.events import Action, Declaration
from ultimo.names import page
from ultimo.play.choices import Subset
from ultimo.table.messages import Act, ClaimRest, Ready, Skip, Wish
from ultimo.table.offering import cost
from ultimo.table.scene import (
    AnyOffer,
    ButtonOffer,
    CardName,
    DeclareOffer,
    NumberOffer,
    PickOffer,
    PlayOffer,
    Scene,
    SlotShown,
    Turn,
)
from ultimo.telling.labels import slot_name
from ultimo.telling.teller import Teller


class GoOn(Struct, frozen=True):
    """The person has seen enough of what is on the table."""


Sent: TypeAlias = Wish | GoOn
Leads: TypeAlias = Union[Sent, Card, "Callable[[], Prompt]"]


class Option(Struct, frozen=True):
    """One thing to choose: a wish, a card of several that are chosen together, or another prompt."""

    label: str
    leads: Leads
    typed: tuple[str, ...] = ()  # what else may be typed for it
    card: Card | None = None  # the card in the hand that it stands for


class Prompt(Struct, frozen=True):
    """What is asked. With `by_value` the options are numbers, and a number that is typed is meant itself."""

    question: str
    guide: str
    options: tuple[Option, ...]
    default: int = 0
    picks: tuple[PickOffer, ...] = ()  # sets of cards, of which one is to be chosen
    by_value: bool = False

    @property
    def size(self) -> int:
        """How many cards are to be chosen."""
        return self.picks[0].size

    def open_to(self, picked: Cards) -> Cards:
        """The cards that may be added to those picked so far.

        >>> from ultimo.cards import cards, mask
        >>> prompt = Prompt("", "", (), picks=(PickOffer("Lay", "", 3, ("T2",), ("S1", "S2", "S3")),))
        >>> cards(prompt.open_to(mask("S1"))), cards(prompt.open_to(mask("S1 S2")))
        ((S2, S3, T2), (T2,))
        """
        together = 0
        for sets in map(_sets, self.picks):
            whole = sets.must | sets.among
            free = sets.size - (picked | sets.must).bit_count()
            if free >= 0 and not picked & ~whole:
                together |= (whole if free else sets.must) & ~picked
        return together

    def made_of(self, chosen: Sequence[Card]) -> list[Action]:
        """What choosing these cards may mean: with the skus in the skat a tout, or a mistake."""
        found = [laid(offer, chosen) for offer in self.picks if mask(chosen) in _sets(offer)]
        return list(dict.fromkeys(found))


def laid(offer: PickOffer, chosen: Sequence[Card]) -> Action:
    """What is done with the cards that are chosen."""
    some = tuple(sorted(chosen))
    return e.Lay(some, offer.tout) if offer.does == "Lay" else e.ShowPoignee(some)


def _sets(offer: PickOffer) -> Subset:
    return Subset(_mask(offer.must), _mask(offer.among), offer.size)


def _mask(some: Sequence[CardName]) -> Cards:
    return mask(map(Card, some))


# --- the moments of a table ----------------------------------------------------------------------------


def between(teller: Teller, turn: Turn | None) -> Prompt:
    """Between deals: on to the next, at a strict table after paying one's share into the cups."""
    share = [_button(offer) for offer in turn.offers if isinstance(offer, ButtonOffer)] if turn else []
    question = turn.question if turn and share else teller.text("enterNext")
    on = Option(teller.text("does.nextDeal"), Ready())
    return Prompt(question, teller.text("guide.between"), (*share, on))


def watching(teller: Teller, scene: Scene) -> Prompt:
    """A trick is over that a sitter-out has watched."""
    options = [Option(teller.text("does.goOn"), GoOn())]
    if scene.table.may_skip:
        options.append(Option(page(teller.words.language)["live.skip"], Skip()))
    return Prompt(teller.text("enterOn"), teller.text("guide.watching"), tuple(options))


def asked(teller: Teller, turn: Turn) -> Prompt:
    """What the table asks; who may show a poignée is asked about that first."""
    shows = [offer for offer in turn.offers if isinstance(offer, PickOffer) and offer.does == "ShowPoignee"]
    others = [offer for offer in turn.offers if offer not in shows]
    if not shows:
        return _offered(teller, turn, others)
    options = [Option(teller.text("does.noPoignee"), partial(_offered, teller, turn, others))]
    options += [Option(offer.label, partial(_show, teller, offer)) for offer in shows]
    return Prompt(teller.text("askPoignee"), teller.text("guide.poignee"), tuple(options))


# --- offers --------------------------------------------------------------------------------------------


def _offered(teller: Teller, turn: Turn, offers: Sequence[AnyOffer]) -> Prompt:
    """All that is offered, behind the first what may be done besides."""
    first, *others = offers
    picks = tuple(offer for offer in offers if isinstance(offer, PickOffer))
    aside = [one for offer in others if offer not in picks for one in _options(teller, offer)]
    if turn.rest:
        aside.append(Option(page(teller.words.language)["live.rest"], ClaimRest()))
    if isinstance(first, DeclareOffer):
        return _declare(teller, first, tuple(aside), first.due)
    own = _pickable(teller, picks) if picks else _options(teller, first)
    by_value = isinstance(first, NumberOffer)
    return Prompt(turn.question, turn.guide, (*own, *aside), _default(first), picks, by_value)


def _default(offer: AnyOffer) -> int:
    """The place of what costs little, or is usual."""
    match offer:
        case PlayOffer(cards=cards):
            return cards.index(min(cards, key=lambda card: cost(Card(card))))
        case NumberOffer(least=least, usual=usual):
            return usual - least
        case _:
            return 0


def _options(teller: Teller, offer: AnyOffer) -> list[Option]:
    match offer:
        case PlayOffer(cards=cards):
            return [_play(teller, offer, Card(card)) for card in cards]
        case ButtonOffer():
            return [_button(offer)]
        case NumberOffer(does=does, least=least, most=most):
            kind = e.Cut if does == "Cut" else e.EnterCount
            return [Option(str(number), Act(kind(number))) for number in range(least, most + 1)]
        case DeclareOffer():
            return [Option(teller.text("askDeclare"), partial(_declare, teller, offer, (), offer.due))]
        case PickOffer():
            return _pickable(teller, (offer,))


def _button(offer: ButtonOffer) -> Option:
    action, typed = offer.action, ""
    if isinstance(action, e.Call | e.NameSkus):
        typed = action.card.value if isinstance(action, e.Call) else action.suit
    return Option(offer.label, Act(action), (typed,) if typed else ())


def _play(teller: Teller, offer: PlayOffer, card: Card) -> Option:
    leads: Leads = Act(e.Play(card))
    if offer.naming and card.bit == SKUS:
        leads = partial(_name, teller, offer, card)
    return Option(teller.face(card), leads, (card.value,), card)


def _name(teller: Teller, offer: PlayOffer, card: Card) -> Prompt:
    """As what a skus is led."""
    options = tuple(
        Option(shown.word, Act(e.Play(card, shown.suit)), (shown.suit, f"{card.value}={shown.suit}"))
        for shown in offer.suits
    )
    return Prompt(teller.text("askName"), teller.text("guide.nameLed"), options)


def _show(teller: Teller, offer: PickOffer) -> Prompt:
    """Which trumps are shown."""
    question, guide = (teller.text(key, count=offer.size) for key in ("chooseCards", "guide.show"))
    return Prompt(question, guide, tuple(_pickable(teller, (offer,))), picks=(offer,))


def _pickable(teller: Teller, picks: Sequence[PickOffer]) -> list[Option]:
    among = _mask([card for offer in picks for card in (*offer.must, *offer.among)])
    return [Option(teller.face(card), card, (card.value,), card) for card in teller.sorted(among)]


def _declare(
    teller: Teller, offer: DeclareOffer, aside: tuple[Option, ...], made: tuple[Declaration, ...]
) -> Prompt:
    """Compose declarations: what is composed so far, a pass, or another choice in one of the slots."""
    said = [made, ()] if made else [made]
    options = [Option(teller.declarations(some), Act(e.Declare(some))) for some in said]
    options += [
        Option(
            teller.text("does.changeSlot", slot=slot_name(teller, slot.options[0].declaration)),
            partial(_declare_in, teller, offer, aside, made, slot),
        )
        for slot in offer.slots
    ]
    return Prompt(teller.text("askDeclare"), teller.text("guide.declare"), (*options, *aside))


def _declare_in(
    teller: Teller,
    offer: DeclareOffer,
    aside: tuple[Option, ...],
    made: tuple[Declaration, ...],
    slot: SlotShown,
) -> Prompt:
    """One declaration of a slot, or none of it."""
    own = [one.declaration for one in slot.options]

    def with_one(*one: Declaration) -> Callable[[], Prompt]:
        together = [*(other for other in made if other not in own), *one]
        rows = [shown.declaration for row in offer.slots for shown in row.options]
        return partial(_declare, teller, offer, aside, tuple(one for one in rows if one in together))

    options = [Option(teller.text("does.nothingOfSlot"), with_one())]
    options += [Option(one.label, with_one(one.declaration)) for one in slot.options]
    return Prompt(slot.name, teller.text("guide.declare"), tuple(options))
