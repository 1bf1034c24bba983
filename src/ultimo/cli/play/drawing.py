"""Scenes and talks as lines of text, made of spans: a text, and what it is (`legal`, `marked`, `dim` …).

Nothing is told by the kind alone: without colours the text says the same.
"""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from itertools import groupby
from typing import NamedTuple, TypeAlias

from ultimo.cards import SUITS, Card
from ultimo.cli import rules
from ultimo.cli.play.dialogue import Dialogue
from ultimo.cli.play.prompt import GoOn
from ultimo.cli.play.session import Session
from ultimo.table import ledger
from ultimo.table.messages import Ready
from ultimo.table.scene import PlayShown, SeatShown, TrickShown
from ultimo.telling.teller import Teller, signed

HERE, PICKED, NUMBER = "▸", "✓", ":"  # the option that is marked, one that is chosen, and behind its number
OWN = "*"  # behind the person's own name
PAGES = {"l": "previousTrick", "p": "ledger", "r": "screen.rules", "h": "help", "?": "help"}
BACK, QUIT = "u", "q"
KEYS = ("enter", "arrows", "space", "typing", "back", "trick", "ledger", "rules", "help", "quit")


class Span(NamedTuple):
    """A piece of a line and what it is."""

    text: str
    kind: str = ""


Line: TypeAlias = list[Span]


def plain(line: Iterable[Span]) -> str:
    """A line without its kinds."""
    return "".join(span.text for span in line).rstrip()


def _width(line: Iterable[Span]) -> int:
    return sum(len(span.text) for span in line)


def _cut(line: Line, columns: int) -> Line:
    """A line that takes no more than so many columns; the last of them shows that something is left out."""
    kept: Line = []
    for span in line:
        room = columns - _width(kept)
        if len(span.text.rstrip()) > room:
            return [*kept, Span(span.text[: room - 1] + "…", span.kind)]
        kept.append(Span(span.text[:room], span.kind))
    return kept


def flow(cells: Sequence[Line], columns: int) -> list[Line]:
    """Cells one after another, on as many lines as they need."""
    lines: list[Line] = [[]]
    for cell in cells:
        if lines[-1] and _width(lines[-1]) + _width(cell) > columns:
            lines.append([])
        lines[-1] += cell
    return lines


def _table(rows: Sequence[Sequence[str]], right: Iterable[int]) -> list[Line]:
    """Rows in columns, those of `right` flush with their right edge; the first row is their heads."""
    flush = set(right)
    widths = [max(map(len, column)) for column in zip(*rows, strict=True)]
    lines = []
    for place, row in enumerate(rows):
        cells = enumerate(zip(row, widths, strict=True))
        texts = [text.rjust(wide) if column in flush else text.ljust(wide) for column, (text, wide) in cells]
        lines.append([Span(f"{text}  ", "" if place else "dim") for text in texts])
    return lines


# --- the table -----------------------------------------------------------------------------------------


def head(session: Session) -> Line:
    """Which rules, which deal, which trick, the contract, and the cups."""
    teller, scene = session.teller, session.scene
    parts = [scene.table.title, teller.text("deal", number=scene.number or 1)]
    trick = scene.trick or scene.last
    if scene.moment == "deal" and trick is not None:
        parts.append(teller.text("trick", number=trick.number))
    parts += [scene.contract] if scene.contract else []
    cups = " · ".join(f"{cup.name} {cup.points}" for cup in scene.cups)
    return [Span(" · ".join(parts), "title"), *([Span(f"   {cups}")] if cups else [])]


def seats(session: Session, columns: int) -> list[Line]:
    """Everybody at the table: role, cards, tricks, total, the card in the trick, and what is known.

    A trick that is complete lies there until the next is led.
    """
    teller, scene = session.teller, session.scene
    trick = scene.trick or scene.last
    heads = [teller.text(f"screen.{key}") for key in ("seat", "role", "cards", "tricks", "total")]
    heads += [teller.text("trick", number=trick.number) if trick else "", ""]
    rows = [[f" {heads[0]}", *heads[1:]]]
    dealt = any(shown.cards or shown.tricks for shown in scene.seats)
    for shown in scene.seats:
        name = (HERE if shown.turn else " ") + shown.name + (OWN if shown.seat == scene.you else "")
        plays = dealt and "sitter" not in shown.tags
        counts = [str(shown.cards), str(shown.tricks)] if plays else ["", ""]
        played = _played(teller, trick, shown.seat)
        total = signed(shown.total + shown.staked)
        rows.append([name, shown.role, *counts, total, played, _known(teller, trick, shown)])
    return [_cut(line, columns) for line in _table(rows, right=(2, 3, 4))]


def _played(teller: Teller, trick: TrickShown | None, seat: int) -> str:
    plays = enumerate(trick.plays, 1) if trick else ()
    return next((f"{place}. {_card(teller, play, '=')}" for place, play in plays if play.seat == seat), "")


def _card(teller: Teller, play: PlayShown, sign: str) -> str:
    """A card in a trick; a led skus with its suit."""
    return teller.face(Card(play.card)) + (f"{sign}{play.as_word}" if play.as_word else "")


def _known(teller: Teller, trick: TrickShown | None, shown: SeatShown) -> str:
    """What everybody knows about a seat beside its cards."""
    won = [teller.text("screen.won")] if trick and trick.winner == shown.seat else []
    return ", ".join([*won, *shown.said])


def hand(session: Session, dialogue: Dialogue | None, columns: int) -> list[Line]:
    """The hand by suits, trumps first; what may be chosen has its number, marks show what is."""
    suits = groupby(map(Card, session.scene.hand), lambda card: card.suit)
    rows = [[_cell(session.teller, card, dialogue) for card in some] for _, some in suits]
    return [line for cells in rows for line in flow(cells, columns)]


def _cell(teller: Teller, card: Card, dialogue: Dialogue | None) -> Line:
    colour = "trump" if SUITS[card.suit] == "T" else "red" if SUITS[card.suit] in "HD" else "black"
    for place, option in enumerate(dialogue.options if dialogue else ()):
        if dialogue and option.card is card:
            return _option(dialogue, place, colour, room=1)
    return [Span("  "), Span(teller.face(card), f"dim {colour}"), Span(" ")]


def _option(dialogue: Dialogue, place: int, colour: str = "", room: int = 2) -> Line:
    """An option with its mark and its number."""
    option, marked = dialogue.options[place], place == dialogue.marked
    one_of_many = isinstance(option.leads, Card)
    chosen = option.card in dialogue.picked if one_of_many else marked and dialogue.chosen is not None
    mark = PICKED if chosen else HERE if marked else " "
    kind = f"{'marked' if marked else 'legal'} {colour}".rstrip()
    number = Span(f"{place + 1}{NUMBER}", f"{kind} number")
    return [Span(mark, kind), number, Span(option.label, kind), Span(" " * room)]


# --- what is asked -------------------------------------------------------------------------------------


def asked(dialogue: Dialogue, columns: int) -> list[Line]:
    """The question, the options that are not in the hand, and what Enter does."""
    lines = [[Span(dialogue.prompt.question, "question")]]
    words = [place for place, option in enumerate(dialogue.options) if option.card is None]
    goes_on = isinstance(dialogue.options[0].leads, GoOn | Ready)  # the question says that Enter does
    if words and not dialogue.prompt.by_value and not (goes_on and len(words) == 1):
        lines += flow([_option(dialogue, place) for place in words], columns)
    return lines + answer(dialogue)[goes_on:]


def answer(dialogue: Dialogue) -> list[Line]:
    """What Enter does, and what is wrong with what was said."""
    message = [[Span(dialogue.message, "message")]] if dialogue.message else []
    return [[Span(enter(dialogue), "enter")], *message]


def enter(dialogue: Dialogue) -> str:
    """What Enter will do now."""
    teller, prompt, picked = dialogue.teller, dialogue.prompt, dialogue.picked
    marked = dialogue.options[dialogue.marked]
    if dialogue.chosen is not None:
        return teller.text("screen.confirm", choice=teller.faces(picked) if picked else marked.label)
    if isinstance(marked.leads, Card) and picked:
        return teller.text("screen.picking", cards=teller.faces(picked), count=prompt.size - len(picked))
    if isinstance(marked.leads, Card):
        return teller.text("screen.suggest", cards=teller.faces(map(Card, prompt.picks[0].suggestion)))
    if prompt.by_value:
        numbers = [option.label for option in dialogue.options if option.label.isdecimal()]
        return teller.text("screen.number", choice=marked.label, least=numbers[0], most=numbers[-1])
    return teller.text("enterFor", choice=marked.label)


# --- pages to read -------------------------------------------------------------------------------------


def page(session: Session, key: str, dialogue: Dialogue | None, columns: int) -> list[Line]:
    """What a key shows: the previous trick, the payments, the rules, help."""
    match PAGES[key]:
        case "previousTrick":
            return _previous_trick(session.teller, session.scene.last)
        case "ledger":
            return _ledger(session)
        case "screen.rules":
            lines = rules.show_lines(session.live.rules, columns, session.language)
            return [[Span(line)] for line in lines]
        case _:
            return _guide(session.teller, dialogue)


def _previous_trick(teller: Teller, trick: TrickShown | None) -> list[Line]:
    """Who played what to the last complete trick, and who won it."""
    if trick is None or trick.winner is None:
        return [[Span(teller.text("screen.noTrick"))]]
    lines = [[Span(f"{teller.text('previousTrick')} ({trick.number})", "title")]]
    for play in trick.plays:
        lines.append([Span(f"  {teller.words.pair(teller.players[play.seat], _card(teller, play, ' = '))}")])
    return [*lines, [Span(teller.text("winsTrick", player=teller.players[trick.winner]))]]


def _ledger(session: Session) -> list[Line]:
    """Every payment of the evening with its citation, deal by deal."""
    lines: list[Line] = []
    payments, cites = ledger(session.log, session.language)
    for number, of_deal in groupby(payments, lambda paid: paid.deal):
        lines.append([Span(session.teller.text("deal", number=number), "title")])
        for words, some in groupby(of_deal, lambda paid: cites[paid.cite].words):
            lines += [[Span(f"  {paid.text}")] for paid in some]
            lines.append([Span(f"    [{words}]", "dim")] if words else [])
    return lines or [[Span(session.teller.text("screen.noPayments"))]]


def _guide(teller: Teller, dialogue: Dialogue | None) -> list[Line]:
    """What is asked, what Enter will do, and all keys."""
    lines: list[Line] = []
    if dialogue is not None:
        guide = [[Span(line)] for line in dialogue.prompt.guide.splitlines()]
        lines = [[Span(dialogue.prompt.question, "title")], *guide, [Span(enter(dialogue), "enter")], []]
    lines.append([Span(teller.text("screen.keys"), "title")])
    return lines + [[Span(f"  {teller.text(f'keys.{key}')}")] for key in KEYS]


def result(session: Session) -> list[Line]:
    """The deal that is over, if one is: how it ended, what was paid for what, and what everybody has now."""
    teller, ended = session.teller, session.scene.result
    if ended is None:
        return []
    lines: list[Line] = [[Span(ended.title, "title")], *([Span(line)] for line in ended.lines), []]
    rows = [(row.label, row.points) for row in ended.rows if row.part != "end"]
    rows.append((teller.text("screen.thisDeal"), ended.deal_row))
    rows += [(row.label, row.points) for row in ended.rows if row.part == "end"]
    rows.append((teller.text("total"), ended.total_row))
    texts = [[label, *(signed(gain) if gain else "·" for gain in gains)] for label, gains in rows]
    return lines + _table([["", *ended.accounts], *texts], right=range(1, len(ended.accounts) + 1))
