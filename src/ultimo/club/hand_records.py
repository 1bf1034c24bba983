"""Prepared deals on paper: the hands of each board, and for whoever sorts the pack where every card goes."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence
from html import escape

from ultimo.cards import Card, mask
from ultimo.club.boards import Board, playing, rules_of
from ultimo.events import Seat
from ultimo.names import Names, club_words, names
from ultimo.pauses import with_pauses
from ultimo.record.grammar import write_cards
from ultimo.telling.rules_words import book
from ultimo.telling.teller import Teller, hand_order

COMPASS = 4  # so many seats have the names of the winds

_STYLE = """
body{font:14px/1.4 system-ui,sans-serif;margin:1.5rem;color:#111;background:#fff}
section{break-inside:avoid;break-after:page;margin:0 0 2rem}
section:last-child{break-after:auto}
h1{font-size:1.3rem}h2{font-size:1.15rem;margin:0 0 .2rem}h3{font-size:1rem;margin:1rem 0 .3rem}
p{margin:.1rem 0}
.hands{display:grid;grid-template-columns:repeat(auto-fit,minmax(11rem,1fr));gap:.8rem;margin-top:.6rem}
.hand{border:1px solid #888;border-radius:.3rem;padding:.4rem .6rem}
.hand b{display:block}
.red{color:#b00020}
code{font-size:.75rem;color:#444}
table{border-collapse:collapse}td,th{border:1px solid #aaa;padding:.1rem .35rem;text-align:center}
th{font-weight:600;text-align:left}
td small{display:block;color:#555}
"""


def seat_name(language: str, seat: Seat, table: int) -> str:
    """What a seat is called: by a wind at a table of four, else by its number."""
    words = club_words(language)
    return words[f"deals.seats{seat}"] if table == COMPASS else words["deals.seat"].format(number=seat + 1)


def _short(language: str, seat: Seat, table: int) -> str:
    return club_words(language)[f"deals.letters{seat}"] if table == COMPASS else str(seat + 1)


def _suits(teller: Teller, some: Iterable[Card]) -> Iterator[tuple[str, list[Card]]]:
    """A hand by suits, as a player holds it."""
    held = teller.sorted(mask(some))
    for suit in "TSHCD":
        if found := [card for card in held if card.value[0] == suit]:
            yield suit, found


def _ranks(teller: Teller, suit: str, some: Sequence[Card]) -> str:
    """The cards of a suit without its sign."""
    sign = teller.words.suit_sign(suit)
    return " ".join(teller.face(card).removeprefix(sign) for card in some)


def _sign(teller: Teller, suit: str) -> str:
    return teller.suit("T") if suit == "T" else teller.words.suit_sign(suit)


def _where(board: Board, language: str) -> dict[Card, str]:
    """Where every card goes, in a letter."""
    found = {
        card: _short(language, seat, board.table) for seat, hand in enumerate(board.hands) for card in hand
    }
    return found | dict.fromkeys(board.chien, club_words(language)["deals.chienLetter"])


def _heads(board: Board, language: str) -> list[str]:
    words, order = club_words(language), playing(rules_of(board), board.table, board.dealer)
    told = [words["deals.deals"].format(seat=seat_name(language, board.dealer, board.table))]
    if board.taker is not None:
        told.append(words["deals.takes"].format(seat=seat_name(language, board.taker, board.table)))
    out = [seat for seat in range(board.table) if seat not in order]
    told += [words["deals.out"].format(seat=seat_name(language, seat, board.table)) for seat in out]
    return told


def _piles(board: Board, language: str) -> Iterator[tuple[str, tuple[Card, ...]]]:
    """The hands, and the chien, with their names."""
    for seat, hand in enumerate(board.hands):
        if hand:
            yield seat_name(language, seat, board.table), hand
    if board.chien:
        yield names(language).text("chien"), board.chien


def _sorting(board: Board, teller: Teller, language: str) -> Iterator[tuple[str, list[tuple[str, str]]]]:
    """Each suit from the highest card down, and where each card goes."""
    where = _where(board, language)
    pack = sorted(where, key=lambda card: hand_order(card, teller.rules.low_reds_win))
    for suit in "TSHCD":
        own = [card for card in pack if card.value[0] == suit]
        yield suit, [(_ranks(teller, suit, [card]), where[card]) for card in own]


def as_text(boards: Iterable[Board], words: Names) -> Iterator[str]:
    """Boards as lines of text."""
    club, language = club_words(words.language), words.language
    for board in boards:
        teller = Teller(words, rules_of(board), ())
        number = club["deals.board"].format(number=board.board)
        yield f"{number} · {' · '.join(_heads(board, language))}"
        piles = list(_piles(board, language))
        width = max(len(name) for name, _ in piles)
        for name, pile in piles:
            suits = "  ".join(
                f"{_sign(teller, suit)} {_ranks(teller, suit, some)}" for suit, some in _suits(teller, pile)
            )
            yield f"  {name:<{width}}  {suits}"
            yield f"  {'':<{width}}  [{write_cards(pile)}]"
        yield f"  {club['deals.sort']}"
        for suit, places in _sorting(board, teller, language):
            told = "  ".join(f"{rank} {where}" for rank, where in places)
            yield f"    {_sign(teller, suit)}: {told}"
        yield ""


def as_html(boards: Sequence[Board], words: Names) -> str:
    """Boards as one page to be printed, a sheet of paper each; it needs nothing from elsewhere."""
    club, language = club_words(words.language), words.language
    title = club["deals.title"].format(book=book(rules_of(boards[0]), language).title)
    parts = "".join(_section(board, words) for board in with_pauses(boards))
    return (
        f'<!doctype html>\n<html lang="{language}">\n<head>\n<meta charset="utf-8">\n'
        f'<meta name="viewport" content="width=device-width">\n<title>{escape(title)}</title>\n'
        f"<style>{_STYLE}</style>\n</head>\n<body>\n<h1>{escape(title)}</h1>\n{parts}</body>\n</html>\n"
    )


def _section(board: Board, words: Names) -> str:
    club, language = club_words(words.language), words.language
    teller = Teller(words, rules_of(board), ())
    hands = ""
    for name, pile in _piles(board, language):
        suits = "".join(
            f"<p>{_red(suit, _sign(teller, suit))} {escape(_ranks(teller, suit, some))}</p>"
            for suit, some in _suits(teller, pile)
        )
        hands += (
            f'<div class="hand"><b>{escape(name)}</b>{suits}<code>{escape(write_cards(pile))}</code></div>'
        )
    rows = "".join(
        f'<tr><th scope="row">{_red(suit, _sign(teller, suit))}</th>'
        + "".join(f"<td>{escape(rank)}<small>{escape(where)}</small></td>" for rank, where in places)
        + "</tr>"
        for suit, places in _sorting(board, teller, language)
    )
    return (
        f"<section><h2>{escape(club['deals.board'].format(number=board.board))}</h2>"
        f"<p>{escape(' · '.join(_heads(board, language)))}</p>"
        f'<div class="hands">{hands}</div><h3>{escape(club["deals.sort"])}</h3>'
        f"<table>{rows}</table></section>\n"
    )


def _red(suit: str, sign: str) -> str:
    return f'<span class="red">{escape(sign)}</span>' if suit in "HD" else escape(sign)
