"""One person's evening at a table of bots: what happens, what the person is asked, and the saved game."""

from __future__ import annotations

from collections.abc import Callable, Iterable
from secrets import token_hex

from ultimo import table
from ultimo.cli.play import prompt
from ultimo.cli.play.dialogue import Dialogue
from ultimo.cli.play.prompt import GoOn, Prompt, Sent
from ultimo.cli.play.saving import SaveFile
from ultimo.events import Action, IllegalAction
from ultimo.players import create
from ultimo.table import Fact, Live, Think
from ultimo.table.decide import may_skip
from ultimo.table.driving import pause
from ultimo.table.facts import Happened
from ultimo.table.local import NOW, PERSON
from ultimo.table.messages import Act
from ultimo.table.scene import Happening, Scene
from ultimo.table.showing import teller_of
from ultimo.telling.teller import Teller, cite_after


def bot(think: Think) -> Action:
    """What a bot does."""
    return create(think.level, think.seed).choose(think.view, think.choices)


class Session:
    """A table and its person. What happens is in the file, if there is one, before it is told."""

    def __init__(
        self,
        facts: Iterable[Fact],
        language: str,
        *,
        quick: bool = False,
        choose: Callable[[Think], Action] = bot,
    ) -> None:
        self.log: list[tuple[Fact, float]] = []
        self.language = language
        self.save: SaveFile | None = None
        self.watching = False  # a trick is over that the person, who sits out, has only watched
        self._quick, self._choose = quick, choose
        self._fold(None, facts)

    def _fold(self, live: Live | None, facts: Iterable[Fact]) -> None:
        for fact in facts:
            self.log.append((fact, NOW))
            live = table.evolve(live, fact, NOW)
        assert live is not None
        self.live = live
        self._due = table.due_local(live, lambda: token_hex(32))
        self._scene: Scene | None = None

    @property
    def scene(self) -> Scene:
        """What the person sees."""
        if self._scene is None:
            self._scene = table.scene(self.live, PERSON, self.language, frozenset((PERSON,)))
        return self._scene

    @property
    def teller(self) -> Teller:
        """Who tells the person about the table."""
        return teller_of(self.live, self.language)

    @property
    def is_over(self) -> bool:
        """Whether nothing more is played."""
        return self.live.moment == "over"

    @property
    def pause(self) -> float:
        """How long what has just happened is left for the person to see."""
        return pause(self.live) if isinstance(self._due, Think) else 0.0

    def greeting(self) -> list[str]:
        """Under which rules is played, from which file, and what the person has been told in this deal."""
        text = self.teller.text
        file = [text("resumed", file=self.save.path)] if self.save and self.live.series else []
        told = table.story_so_far(self.live, PERSON, self.language)
        return [text("rulebook", title=self.scene.table.title), *file, *_lines(told)]

    # --- asking ----------------------------------------------------------------------------------------

    def dialogue(self) -> Dialogue | None:
        """The talk that begins now, if the person is asked something."""
        asked = self._prompt()
        return Dialogue(self.teller, self._refusal, self._quick, (asked,), asked.default) if asked else None

    def _prompt(self) -> Prompt | None:
        if self.watching:
            return prompt.watching(self.teller, self.scene)
        if self._due is not None or self.is_over:
            return None
        if self.live.moment == "between":
            return prompt.between(self.teller, self.scene.turn)
        assert self.scene.turn is not None
        return prompt.asked(self.teller, self.scene.turn)

    def _refusal(self, action: Action) -> str:
        """Why the person may not do something; nothing if it may be done."""
        try:
            table.decide(self.live, PERSON, "", Act(action))
        except IllegalAction as error:
            return self._why(error)
        return ""

    def _why(self, error: IllegalAction) -> str:
        """The reason for a refusal, and the place where the rule stands."""
        return self.teller.refusal(error) + cite_after(self.teller, error.cite)

    # --- going on --------------------------------------------------------------------------------------

    def proceed(self, sent: Sent | None = None) -> list[str]:
        """Let happen what the person has sent, or the next thing that happens without; what is told of it."""
        self.watching = False
        if sent is not None and not isinstance(sent, GoOn):
            try:
                return self.put(table.decide(self.live, PERSON, "", sent))
            except IllegalAction as error:
                return [self.teller.text("notAllowed", reason=self._why(error))]
        if isinstance(self._due, Think):
            return self.put(table.thought(self.live, self._due, self._choose(self._due)))
        return self.put(self._due.facts) if self._due is not None else []

    def put(self, facts: tuple[Fact, ...]) -> list[str]:
        """Let facts happen; what the person is told of them."""
        events = [event for fact in facts if isinstance(fact, Happened) for event in fact.events]
        if self.save is not None and events:
            self.save.append(events)
        before = self.live
        self._fold(before, facts)
        told = table.story(before, self.log[-len(facts) :], PERSON, self.language)
        sits_out = may_skip(self.live, self.live.seat_of(PERSON))
        self.watching = sits_out and any(one.kind == "won" for one in told)
        return _lines(told)


def _lines(told: Iterable[Happening]) -> list[str]:
    return [one.text for one in told if one.text]
