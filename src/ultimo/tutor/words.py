"""The words of the tutor: actions, points and chances as its sentences have them."""

from __future__ import annotations

from msgspec import Struct

from ultimo import deal
from ultimo import events as e
from ultimo.cards import Card, mask
from ultimo.danish import State as DanishState
from ultimo.names import COMMA, capital, tables, tutoring
from ultimo.telling import labels
from ultimo.telling.teller import Teller
from ultimo.tutor.evidence import COUNTS, Change
from ultimo.tutor.shown import LineStep

WHOLE_FROM = 10  # so many points are told without a fraction


class Words(Struct, frozen=True):
    """Says what the tutor thinks, at a table and in a language."""

    teller: Teller

    # --- sentences -------------------------------------------------------------------------------------

    def text(self, key: str, **values: object) -> str:
        """A sentence of the tutor."""
        return tutoring(self._language)[key].format_map(values)

    def known(self, key: str) -> str:
        """A sentence that need not be there, or nothing."""
        return tutoring(self._language).get(key, "")

    def principle(self, name: str) -> str:
        """The advice with a number, or nothing."""
        return self.known(f"principles.{name}")

    @property
    def _language(self) -> str:
        return self.teller.words.language

    # --- numbers ---------------------------------------------------------------------------------------

    def number(self, value: float) -> str:
        """A number as it is written: with one place behind the comma while it is small."""
        rounded = round(value, 1) if abs(value) < WHOLE_FROM else float(round(value))
        told = f"{rounded:g}".replace("-", "−")
        return told.replace(".", COMMA.get(self._language, ","))

    def signed(self, value: float) -> str:
        """A number that was won or lost, with its sign."""
        told = self.number(value)
        return told if told.startswith("−") or told == "0" else f"+{told}"

    def percent(self, chance: float) -> int:
        """An estimated chance in hundredths, which never reads as certain."""
        return min(99, max(1, round(100 * chance)))

    def change(self, change: Change) -> str:
        """What happens more or less often, or how much more or less is counted."""
        event = self.text(f"events.{change.event}")
        if change.event in COUNTS:
            one, other = self.number(change.one), self.number(change.other)
            return self.text("against.counts", event=event, points=one, instead=other)
        one, other = (str(round(100 * chance)) for chance in (change.one, change.other))
        return self.text("against.change", event=event, percent=one, instead=other)

    def points(self, value: float) -> str:
        """So many points."""
        return self._amount(self.number(value), abs(value))

    def signed_points(self, value: float) -> str:
        """So many points that were won or lost."""
        return self._amount(self.signed(value), abs(value))

    def _amount(self, told: str, size: float) -> str:
        _, one, more = tables(self._language, "rules")["amounts"]["points"]
        single = round(size, 1) < 2 if self._language == "fr" else round(size, 1) == 1
        return str(one).replace("1", told) if single else str(more).format(told)

    # --- actions ---------------------------------------------------------------------------------------

    def label(self, present: deal.State, action: e.Action) -> str:
        """An action as an entry of a list: `♠K`, `Discard ♠3 ♦7 ♣9`, `Pass`."""
        return labels.label(self.teller, present.phase, action)

    def advice(self, present: deal.State, action: e.Action) -> str:
        """An action as somebody is told to do it: `Play ♠K`."""
        label = self.label(present, action)
        match action:
            case e.Play():
                return self.text("say.play", card=label)
            case e.Call():
                return self.text("say.call", card=label)
            case e.NameSkus() if present.phase != "play":
                return self.text("say.name", suit=label)
            case e.Declare(declarations=()):
                return self.text("say.declareNothing")
            case e.Declare():
                return self.text("say.declare", declarations=label)
            case e.Answer(have=yes):
                return self.text("say.answer", answer=self.teller.text("yes" if yes else "no"))
            case e.Vote(yes=yes):
                return self.text("say.vote", answer=self.teller.text("yes" if yes else "no"))
            case e.EnterCount():
                return self.text("say.count", points=label)
            case e.Cut():
                return self.text("say.cut", count=label)
            case _:
                return label

    def asked(self, present: deal.State, seat: e.Seat, action: e.Action) -> str:
        """Who had to decide what: `Trick 12: Karen to play`."""
        player = self.teller.players[seat]
        asked = self.known(f"asked.{_question(present, action)}") or self.text(
            "asked.other", player="{player}"
        )
        return asked.format(player=player, number=len(present.tricks) + 1)

    def step(self, present: deal.State, seat: e.Seat, action: e.Action) -> LineStep:
        """Something that is done in a line of play; `present` is the deal before it."""
        trick = trick_of(present) if isinstance(action, e.Play) else None
        label = self.label(present, action)
        return LineStep(seat, self.teller.players[seat], label, self.cards(action), trick)

    def cards(self, action: e.Action) -> tuple[str, ...]:
        """The cards that an action is about, as a player holds them."""
        return tuple(card.value for card in self.teller.sorted(mask(cards_of(action))))

    def card(self, card: Card) -> str:
        """A card in a sentence."""
        return self.teller.card(card)

    def card_name(self, card: Card) -> str:
        """The full name of a card, by itself."""
        return capital(self.teller.words.card_long(card.value, self.teller.rules.family))


def trick_of(present: deal.State) -> int | None:
    """The number of the trick that is being played, if one is."""
    return len(present.tricks) + 1 if present.phase in ("play", "demand", "answer", "name") else None


def cards_of(action: e.Action) -> tuple[Card, ...]:
    """The cards that an action moves or shows."""
    match action:
        case e.Play(card=card):
            return (card,)
        case e.Lay(cards=some) | e.ShowPoignee(cards=some):
            return some
        case _:
            return ()


def _question(present: deal.State, action: e.Action) -> str:
    if isinstance(present, DanishState) and present.ballot is not None:
        return "vote"
    return "poignee" if isinstance(action, e.ShowPoignee) else present.phase
