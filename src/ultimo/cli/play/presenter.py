"""What the two terminal tables have in common: what to show and what to ask at this moment."""

from __future__ import annotations

from ultimo import deal, series
from ultimo.cards import Cards
from ultimo.cli import rules
from ultimo.cli.play import asking, pages, picture, prompts
from ultimo.cli.play.dialogue import Dialogue, begin
from ultimo.cli.play.prompt import GoOn, Prompt, Wish
from ultimo.cli.play.session import Session, Told
from ultimo.cli.play.spans import Line, Span
from ultimo.telling.rules_words import book

PAGES = {"l": "previousTrick", "p": "ledger", "r": "screen.rules", "h": "help", "?": "help"}
BACK, QUIT = "u", "q"


class Presenter:
    """Shows a session."""

    def __init__(self, session: Session, quick: bool = False) -> None:
        self.session = session
        self.teller = session.teller
        self.quick = quick

    # --- asking ----------------------------------------------------------------------------------------

    def dialogue(self) -> Dialogue | None:
        """The talk that begins now, if the person is asked something."""
        prompt = self._prompt()
        return begin(self.teller, prompt, self.quick) if prompt else None

    def _prompt(self) -> Prompt | None:
        session = self.session
        match session.moment:
            case "asked":
                assert session.choices is not None
                return prompts.build(self.teller, session.view, session.choices)
            case "watching":
                return prompts.watching(self.teller)
            case "between" if session.present is not None:
                share = series.legal(session.rules, session.match.state, session.seat)
                return prompts.between(self.teller, share, session.is_last)
            case _:
                return None

    def proceed(self, wish: Wish | None = None) -> list[Told]:
        """Let happen what the person has sent, or what happens without him."""
        if wish is None and self.session.moment == "others":
            return self.session.advance()
        if wish is None or isinstance(wish, GoOn):
            return self.session.go_on()
        return self.session.act(wish)

    # --- showing ---------------------------------------------------------------------------------------

    def head(self) -> Line:
        """Rules, deal, trick and cups."""
        return picture.head(self.teller, self.session.view.series)

    def seats(self, columns: int) -> list[Line]:
        """Everybody at the table."""
        session, state = self.session, self.session.match.state
        turns = deal.waiting_for(session.rules, state.deal) if state.deal and state.playing else ()
        return picture.seats(self.teller, session.view.series, session.seat, turns, columns)

    def hand(self, dialogue: Dialogue | None, columns: int) -> list[Line]:
        """The person's cards."""
        return asking.hand(self.teller, self._held(), dialogue, columns)

    def _held(self) -> Cards:
        present = self.session.present
        return present.hands[self.session.seat] if present and present.hands else 0

    def result(self) -> list[Line]:
        """The deal that is over."""
        state = self.session.view.series
        paid = [transfer for number, transfer in self.session.payments() if number == state.deals]
        return pages.result(self.teller, state, paid)

    def page(self, key: str, dialogue: Dialogue | None, columns: int) -> list[Line]:
        """What a key shows: the previous trick, the payments, the rules, help."""
        match key.lower():
            case "l":
                return pages.previous_trick(self.teller, self.session.present)
            case "p":
                return pages.ledger(self.teller, self.session.payments())
            case "r":
                lines = rules.show_lines(self.session.rules, columns, self.teller.words.language)
                return [[Span(line)] for line in lines]
            case _:
                return pages.guide(dialogue, self.teller)

    def greeting(self) -> list[str]:
        """Under which rules is played, and from which file a game goes on."""
        greeting = [
            self.teller.text("rulebook", title=book(self.session.rules, self.teller.words.language).title)
        ]
        if self.session.resumed:
            greeting.append(self.teller.text("resumed", file=self.session.saved_in))
        return greeting

    def farewell(self) -> list[str]:
        """Where the game is saved, and how to go on with it."""
        file = self.session.saved_in
        if not file:
            return []
        lines = [self.teller.text("saved", file=file)]
        if self.session.moment != "over":
            lines.append(self.teller.text("resume", command=f"ultimo play --resume {file}"))
        return lines
