"""The table as lines of text: rules and cups, and everybody who sits there."""

from __future__ import annotations

from collections.abc import Sequence

from ultimo import deal, series
from ultimo.cli.play.spans import Line, Span, cut, table
from ultimo.events import CardPlayed, Seat
from ultimo.rulebook import DanishRules
from ultimo.telling.rules_words import book
from ultimo.telling.seats import active, contract, notes, role
from ultimo.telling.teller import Teller, capital, signed

TURN, OWN = "▸", "*"  # before the name of whoever the deal waits for, and behind the person's own


def head(teller: Teller, state: series.State) -> Line:
    """Which rules, which deal, which trick, and the cups."""
    present = state.deal
    parts = [
        book(teller.rules, teller.words.language).title,
        teller.text("deal", number=state.deals + state.playing or 1),
    ]
    if present is not None and state.playing and (present.trick or present.tricks):
        number = len(present.tricks) + bool(present.trick) or 1
        parts.append(teller.text("trick", number=number))
    if played := contract(teller, present):
        parts.append(played)
    line = [Span(" · ".join(parts), "title")]
    if isinstance(teller.rules, DanishRules):
        held = {"king": state.king, "pagat": state.pagat}
        cups = " · ".join(f"{capital(teller.words.cup(cup))} {points}" for cup, points in held.items())
        line.append(Span(f"   {cups}"))
    return line


# --- the seats -----------------------------------------------------------------------------------------


def seats(teller: Teller, state: series.State, own: Seat, turns: Sequence[Seat], columns: int) -> list[Line]:
    """Everybody at the table: role, cards, tricks, total, the card in the trick, and what is known."""
    present = state.deal
    trick = _trick_shown(present)
    texts = [[teller.text(f"screen.{key}") for key in ("seat", "role", "cards", "tricks", "total")]]
    number = len(present.tricks) + bool(present.trick) if present else 0
    texts[0] += [teller.text("trick", number=number) if trick else "", ""]
    texts += [
        [
            (TURN if seat in turns else " ") + name + (OWN if seat == own else ""),
            role(teller, present, seat),
            *_counts(present, seat),
            signed(state.totals[seat]),
            _played(teller, trick, seat),
            notes(teller, present, seat),
        ]
        for seat, name in enumerate(state.names)
    ]
    texts[0][0] = " " + texts[0][0]
    return [cut(line, columns) for line in table(texts, right=(2, 3, 4))]


def _counts(present: deal.State | None, seat: Seat) -> tuple[str, str]:
    """How many cards a seat holds and how many tricks it has."""
    if present is None or seat not in active(present) or not present.hands:
        return "", ""
    won = sum(trick.winner == seat for trick in present.tricks)
    return str(present.size(seat)), str(won)


def _trick_shown(present: deal.State | None) -> tuple[CardPlayed, ...]:
    """The trick on the table; one that is complete lies there until the next is led."""
    if present is None:
        return ()
    return present.trick or (present.tricks[-1].plays if present.tricks else ())


def _played(teller: Teller, trick: tuple[CardPlayed, ...], seat: Seat) -> str:
    for place, play in enumerate(trick, 1):
        if play.seat == seat:
            named = f"={teller.suit(play.named)}" if play.named else ""
            return f"{place}. {teller.face(play.card)}{named}"
    return ""
