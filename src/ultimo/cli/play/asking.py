"""The hand and the prompt as lines of text."""

from __future__ import annotations

from ultimo.cards import SUITS, Card, Cards
from ultimo.cli.play.dialogue import Dialogue
from ultimo.cli.play.prompt import GoOn
from ultimo.cli.play.spans import Line, Span, flow
from ultimo.telling.teller import Teller

HERE, PICKED, NUMBER = "▸", "✓", ":"  # the option that is marked, one that is chosen, and behind its number


def hand(teller: Teller, held: Cards, dialogue: Dialogue | None, columns: int) -> list[Line]:
    """The hand by suits, trumps first; what may be chosen has its number, marks show what is."""
    rows: dict[int, list[Line]] = {}
    for card in teller.sorted(held):
        rows.setdefault(card.suit, []).append(_cell(teller, card, dialogue))
    return [line for cells in rows.values() for line in flow(cells, columns)]


def _cell(teller: Teller, card: Card, dialogue: Dialogue | None) -> Line:
    colour = "trump" if SUITS[card.suit] == "T" else "red" if SUITS[card.suit] in "HD" else "black"
    name = teller.face(card)
    place = _place(dialogue, card)
    if dialogue is None or place is None:
        return [Span("  "), Span(name, f"dim {colour}"), Span(" ")]
    marked = place == dialogue.marked
    picked = card in dialogue.picked or (marked and dialogue.chosen is not None)
    mark = PICKED if picked else HERE if marked else " "
    kind = f"{'marked' if marked else 'legal'} {colour}"
    return [Span(mark, kind), Span(f"{place + 1}{NUMBER}", f"{kind} number"), Span(name, kind), Span(" ")]


def _place(dialogue: Dialogue | None, card: Card) -> int | None:
    """The number of the option that a card in the hand stands for."""
    if dialogue is None:
        return None
    return next((place for place, option in enumerate(dialogue.options) if option.card is card), None)


def prompt(dialogue: Dialogue, columns: int) -> list[Line]:
    """The question, the options that are not in the hand, and what Enter does."""
    lines = [[Span(dialogue.prompt.question, "question")]]
    if isinstance(dialogue.options[0].leads, GoOn):  # the question says it
        return lines
    words = [place for place, option in enumerate(dialogue.options) if option.card is None]
    if words and not dialogue.prompt.by_value:
        lines += flow([_option(dialogue, place) for place in words], columns)
    return lines + answer(dialogue)


def answer(dialogue: Dialogue) -> list[Line]:
    """What Enter does, and what is wrong with what was said."""
    message = [[Span(dialogue.message, "message")]] if dialogue.message else []
    return [[Span(enter(dialogue), "enter")], *message]


def _option(dialogue: Dialogue, place: int) -> Line:
    marked = place == dialogue.marked
    mark = (PICKED if dialogue.chosen is not None else HERE) if marked else " "
    kind = "marked" if marked else "legal"
    return [
        Span(mark, kind),
        Span(f"{place + 1}{NUMBER}", f"{kind} number"),
        Span(dialogue.options[place].label, kind),
        Span("  "),
    ]


def enter(dialogue: Dialogue) -> str:
    """What Enter will do now."""
    teller, pick = dialogue.teller, dialogue.prompt.pick
    marked = dialogue.options[dialogue.marked]
    if dialogue.chosen is not None:
        from_cards = teller.faces(dialogue.picked) if dialogue.picked else marked.label
        return teller.text("screen.confirm", choice=from_cards)
    if pick is None or not isinstance(marked.leads, Card):
        if dialogue.prompt.by_value:
            numbers = [option.label for option in dialogue.options if option.label.isdecimal()]
            return teller.text("screen.number", choice=marked.label, least=numbers[0], most=numbers[-1])
        return teller.text("enterFor", choice=marked.label)
    if dialogue.picked:
        missing = pick.size - len(dialogue.picked)
        return teller.text("screen.picking", cards=teller.faces(dialogue.picked), count=missing)
    return teller.text("screen.suggest", cards=teller.faces(pick.suggestion))
