"""The talk at a prompt: what has been marked, picked and chosen so far, and not yet sent.

A choice is shown before it is sent: Enter chooses, Enter again sends, and until then it can be taken back.
Every step gives a new dialogue, so that the terminal table, the plain lines and the tests share it.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence

from msgspec import Struct
from msgspec.structs import replace

from ultimo.cards import Card, mask
from ultimo.cli.play.notation import Named, cards_named
from ultimo.cli.play.prompt import GoOn, Option, Prompt, Sent, laid
from ultimo.events import Action, Play
from ultimo.names import folded
from ultimo.table.messages import Act, Ready, Skip
from ultimo.telling.labels import label
from ultimo.telling.teller import Teller


class Dialogue(Struct, frozen=True):
    """A prompt, perhaps with prompts before it, and the answer so far."""

    teller: Teller
    refusal: Callable[[Action], str]  # why something may not be done
    quick: bool  # what is chosen is sent at once
    prompts: tuple[Prompt, ...]  # the innermost last
    marked: int
    picked: tuple[Card, ...] = ()
    chosen: Sent | None = None  # shown, and not yet sent
    sent: Sent | None = None
    message: str = ""

    @property
    def prompt(self) -> Prompt:
        """What is asked now."""
        return self.prompts[-1]

    @property
    def options(self) -> tuple[Option, ...]:
        """What can be chosen now."""
        return self.prompt.options

    # --- what a person does ----------------------------------------------------------------------------

    def enter(self) -> Dialogue:
        """Send what is chosen, or choose what is marked; of several cards the suggested ones."""
        if self.chosen is not None:
            return replace(self, sent=self.chosen, message="")
        if not isinstance(self.options[self.marked].leads, Card):
            return self._choose(self.marked)
        if self.picked:
            missing = self.prompt.size - len(self.picked)
            return replace(self, message=self.teller.text("asks.more", count=missing))
        return self._pick(tuple(map(Card, self.prompt.picks[0].suggestion)))

    def say(self, text: str) -> Dialogue:
        """Choose by what is typed: nothing, numbers, cards, or the words of an option."""
        said = folded(text)
        if not said:
            return self.enter()
        if said.replace(" ", "").isdecimal():
            return self._say_numbers(text, said.split())
        option = next((option for option in self.options if said in _typed(option)), None)
        if option is None and (found := cards_named(self.teller.words, self.teller.rules.family, said)):
            return self._say_cards(text, found)
        option = option or self._begun(said)
        return self._choose(self.options.index(option)) if option else self._misunderstood(text)

    def move(self, steps: int) -> Dialogue:
        """Mark another option; what was chosen is not any more."""
        marked = (self.marked + steps) % len(self.options)
        kept = self.chosen if self.prompt.picks else None
        return replace(self, marked=marked, chosen=kept, message="")

    def toggle(self) -> Dialogue:
        """Pick the marked card, or put it back."""
        leads = self.options[self.marked].leads
        if not isinstance(leads, Card):
            return self
        if leads in self.picked:
            return self._pick([card for card in self.picked if card is not leads])
        return self._pick((*self.picked, leads))

    def back(self) -> Dialogue:
        """Take back the last step: the card picked last, the choice, or the prompt that was opened."""
        undone = self.teller.text("undone")
        if self.picked:
            return replace(self._pick(self.picked[:-1]), message=undone)
        if self.chosen is not None:
            return replace(self, chosen=None, message=undone)
        if len(self.prompts) > 1:
            return replace(self._at(self.prompts[:-1]), message=undone)
        return replace(self, message=self.teller.text("nothingToUndo"))

    def means(self, text: str) -> bool:
        """Whether `text` is exactly what may be typed for an option."""
        return any(folded(text) in _typed(option) for option in self.options)

    # --- choosing --------------------------------------------------------------------------------------

    def _choose(self, place: int) -> Dialogue:
        leads = self.options[place].leads
        now = replace(self, marked=place, message="")
        if isinstance(leads, Card):
            return now.toggle()
        if isinstance(leads, GoOn | Ready | Skip):
            return replace(now, sent=leads)
        if callable(leads):
            return self._at((*self.prompts, leads()))
        return now._chose(leads)

    def _chose(self, wish: Sent) -> Dialogue:
        return replace(self, chosen=wish, sent=wish if self.quick else None, message="")

    def _at(self, prompts: tuple[Prompt, ...]) -> Dialogue:
        """At another prompt, with nothing chosen."""
        return Dialogue(self.teller, self.refusal, self.quick, prompts, prompts[-1].default)

    def _pick(self, picked: Sequence[Card]) -> Dialogue:
        """Pick these cards and no others; when they are complete, what follows from them is chosen."""
        prompt = self.prompt
        for place, card in enumerate(picked):
            if not card.bit & prompt.open_to(mask(picked[:place])):
                whole = len(picked) == prompt.size
                return self._refused(*([laid(prompt.picks[0], picked)] if whole else []))
        now = replace(self, picked=tuple(picked), chosen=None, message="")
        if len(picked) < prompt.size:
            return now
        meant = prompt.made_of(picked)
        if len(meant) == 1:
            return now._chose(Act(meant[0]))
        options = tuple(Option(label(self.teller, "", action), Act(action)) for action in meant)
        return self._at((*self.prompts, Prompt(prompt.question, prompt.guide, options)))

    # --- reading ---------------------------------------------------------------------------------------

    def _say_numbers(self, text: str, numbers: list[str]) -> Dialogue:
        if self.prompt.by_value:
            numbered = {option.label: place for place, option in enumerate(self.options)}
        else:
            numbered = {str(place + 1): place for place in range(len(self.options))}
        places = [numbered.get(str(int(number)), -1) for number in numbers]
        if -1 in places:
            return self._misunderstood(text)
        if len(places) == 1:
            return self._choose(places[0])
        cards = [leads for place in places if isinstance(leads := self.options[place].leads, Card)]
        return self._pick(cards) if len(cards) == len(places) else self._misunderstood(text)

    def _say_cards(self, text: str, found: list[Named]) -> Dialogue:
        if len(found) > 1:
            plain = self.prompt.picks and all(named.suit is None for named in found)
            return self._pick([named.card for named in found]) if plain else self._misunderstood(text)
        (named,) = found
        typed = named.card.value.casefold()
        option = next((option for option in self.options if typed in _typed(option)), None)
        if option is None or (named.suit is not None and not callable(option.leads)):
            return self._refused(Play(named.card, named.suit), Play(named.card))
        chosen = self._choose(self.options.index(option))
        return chosen if named.suit is None else chosen.say(named.suit)

    def _begun(self, said: str) -> Option | None:
        """The only option that begins with what was typed."""
        begun = [option for option in self.options if folded(option.label).startswith(said)]
        return begun[0] if len(begun) == 1 and len(said) > 1 else None

    # --- refusing --------------------------------------------------------------------------------------

    def _refused(self, *actions: Action) -> Dialogue:
        """Say why none of these may be done."""
        reason = next((why for action in actions if (why := self.refusal(action))), "")
        key = "notAllowed" if reason else "asks.notOffered"
        values = {"reason": reason} if reason else {}
        return replace(self, message=self.teller.text(key, **values))

    def _misunderstood(self, text: str) -> Dialogue:
        return replace(self, message=self.teller.text("notUnderstood", text=text.strip()))


def _typed(option: Option) -> set[str]:
    return {folded(option.label), *map(folded, option.typed)}
