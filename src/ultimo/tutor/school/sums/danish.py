"""Sums of Danish Tarok; where something is paid, a sum names the rulebook, and F, M and B are the seats."""

from __future__ import annotations

from collections.abc import Sequence
from math import comb

from ultimo.cards import Card, mask, parse_card
from ultimo.danish.counting import count_results, in_fives
from ultimo.danish.declarations import declarations, value
from ultimo.danish.following import winner
from ultimo.danish.last_trick import last_trick
from ultimo.danish.outcome import Order, Outcome
from ultimo.danish.payments import CUPS, ante, king_lost, pagat_fallen
from ultimo.danish.session import CHIPS, founding
from ultimo.events import CardPlayed, Cup, Transfer, balances
from ultimo.play.counting import honours_of
from ultimo.play.following import suit_of
from ultimo.rulebook import DanishRules, load
from ultimo.tutor.school.sums.known import known

SUIT = 14  # cards of a suit
MOST_UNDECLARED = 9  # trumps of a hand that has declared none
TRUMPS = 22  # the skus counted
PAGAT = "T1"
ORDER: Order = (1, 2, 0)
SEATS = dict(zip("FMB", ORDER, strict=True))
LEVEL = ("9", "8", "8")  # tricks of forehand, middle hand and the dealer


def _danish(book: str) -> DanishRules:
    rules = load(book)
    assert isinstance(rules, DanishRules), book
    return rules


@known
def whip(about: list[str]) -> int:
    """The trumps that a suit of so many cards drives out, if each lead draws a card from both others.

    >>> [whip([length]) for length in ("6", "7", "8")]
    [4, 7, 10]
    """
    length = int(about[0])
    return 2 * length - (SUIT - length)


@known
def remaining(about: list[str]) -> int:
    """What is left of a number when all others are taken away.

    >>> remaining(["22", "10", "7"])
    5
    """
    whole, *gone = map(int, about)
    return whole - sum(gone)


@known
def fewest(about: list[str]) -> int:
    """The fewest trumps that one opponent can have if the other has declared none and you hold so many.

    >>> [fewest([own]) for own in ("4", "5", "6")]
    [9, 8, 7]
    """
    return TRUMPS - int(about[0]) - MOST_UNDECLARED


@known
def declared(about: list[str]) -> int:
    """What each opponent pays for all that a hand declares, by a rulebook.

    >>> declared("hermansen T21 T20 T1 T0 SK SQ SN".split())
    20
    """
    book, *hand = about
    rules = _danish(book)
    return sum(value(rules, one) for one in declarations(rules, mask(" ".join(hand))))


@known
def pile(about: list[str]) -> int:
    """The card points of so many tricks with these counting cards in them.

    >>> pile("9 SK T21 HQ HN CJ".split())
    23
    """
    tricks, *some = about
    return int(tricks) + honours_of(mask(" ".join(some)))


@known
def fives(about: list[str]) -> int:
    """What card points pay by the table, in steps of five.

    >>> [fives([points]) for points in ("23", "24", "28", "29")]
    [-5, 0, 0, 5]
    """
    return in_fives(int(about[0]))


@known
def counted(about: list[str]) -> int:
    """What somebody gains by the card points of forehand, middle hand and the dealer.

    >>> counted("hermansen F 17 28 33".split()), counted("basta F 17 28 33".split())
    (-5, -9)
    """
    book, who, *points = about
    first, second, third = map(int, points)
    noted = _outcome((0, 0), ("T2", "S1", "H1"), LEVEL, (first, second, third))
    return count_results(_danish(book), noted)[SEATS[who]]


@known
def chips(about: list[str]) -> int:
    """The fewest chips that make so many points, with the federation's chips.

    >>> chips(["45"])
    3
    """
    left, used = int(about[0]), 0
    for chip in CHIPS:
        used += left // chip
        left %= chip
    return used


@known
def founded(about: list[str]) -> int:
    """What is in a cup when the first deal begins, with so many at the table.

    >>> founded("hermansen 4 king".split()), founded("basta 4 pagat".split())
    (85, 35)
    """
    book, table, name = about
    rules = _danish(book)
    return _in_cup(founding(rules, int(table), ORDER, _cup(name)) + ante(rules, ORDER), name)


@known
def grown(about: list[str]) -> int:
    """What is in a cup that held so much, after what happened: `ante`, or a card that was lost.

    >>> grown("hermansen king 85 SK HK ante".split())
    100
    """
    book, name, held, *happened = about
    rules = _danish(book)
    return int(held) + sum(_in_cup(_happened(rules, one), name) for one in happened)


@known
def lost(about: list[str]) -> int:
    """What a king or the pagat costs its player if it does not win its trick, before the last.

    >>> lost("hermansen SK".split()), lost("basta SK".split())
    (15, 10)
    """
    book, card = about
    return -balances(_happened(_danish(book), card))[SEATS["F"]]


@known
def home(about: list[str]) -> int:
    """What the pagat brings that wins a trick before the last.

    >>> home(["hermansen"])
    10
    """
    return balances(pagat_fallen(_danish(about[0]), ORDER, SEATS["F"], home=True))[SEATS["F"]]


@known
def gained(about: list[str]) -> int:
    """What somebody gains in the last trick, cup included.

    About: the rulebook, who, the king cup and the pagat cup, the three cards from forehand on, who leads, and
    perhaps how many tricks each has won.

    >>> gained("hermansen F 60 60 T1 S5 H3".split())
    150
    >>> gained("dtf F 60 60 CK C3 C5 13 12 0".split())
    -25
    """
    book, who, *happened = about
    return balances(_last(book, happened))[SEATS[who]]


@known
def cost(about: list[str]) -> int:
    """What somebody loses in the last trick, written as `gained` is.

    >>> cost("hermansen M 100 60 T5 HK S3".split())
    200
    """
    return -gained(about)


@known
def cup(about: list[str]) -> int:
    """What is in a cup after the last trick, before new opening stakes: as `gained`, with `king` or `pagat`.

    >>> cup("hermansen pagat 60 60 T5 T1 S3".split())
    125
    """
    book, name, *happened = about
    held = int(happened[0 if _cup(name) == "king" else 1])
    return held + _in_cup(_last(book, happened), name)


def _happened(rules: DanishRules, what: str) -> list[Transfer]:
    """What is paid for the ante, or for a card that forehand loses."""
    match what:
        case "ante":
            return ante(rules, ORDER)
        case _ if what == PAGAT:
            return pagat_fallen(rules, ORDER, SEATS["F"], home=False)
        case _:
            return king_lost(rules, ORDER, SEATS["F"], parse_card(what))


def _last(book: str, about: Sequence[str]) -> tuple[Transfer, ...]:
    """What is paid for the last trick."""
    king, pagat, first, second, third, *tricks = about
    noted = _outcome((int(king), int(pagat)), (first, second, third), tricks or LEVEL)
    return last_trick(_danish(book), noted).transfers


def _outcome(
    cups: tuple[int, int],
    last: tuple[str, str, str],
    tricks: Sequence[str],
    counts: tuple[int, int, int] | None = None,
) -> Outcome:
    played: list[Card] = [parse_card(card) for card in last]
    first, second, third = (card.index for card in played)
    one, two, three = map(int, tricks)
    return Outcome(
        table=3,
        order=ORDER,
        king=cups[0],
        pagat=cups[1],
        tricks=(one, two, three),
        last=tuple(CardPlayed(seat, card) for seat, card in zip(ORDER, played, strict=True)),
        winner=ORDER[winner(first, second, third, suit_of(first))],
        counts=counts,
    )


def _in_cup(paid: Sequence[Transfer], name: str) -> int:
    return balances(paid)[_cup(name)]


def _cup(name: str) -> Cup:
    return next(one for one in CUPS if one == name)


@known
def whips(about: list[str]) -> int:
    """The trumps that several whips drive out together.

    >>> whips(["6", "7"])
    11
    """
    return sum(whip([length]) for length in about)


@known
def leads(about: list[str]) -> int:
    """How often one must be on lead to play whips of these lengths to the bottom.

    >>> leads(["6", "7"])
    13
    """
    return sum(map(int, about))


@known
def hits(about: list[str]) -> int:
    """How often a whip of so many cards hits a player who holds so many of the suit.

    >>> hits(["6", "2"])
    4
    """
    length, held = map(int, about)
    return max(0, length - held)


@known
def trumps_left(about: list[str]) -> int:
    """The trumps left to a player after a whip: so many trumps, its length, the cards held of it.

    >>> trumps_left(["6", "7", "2"])
    1
    """
    trumps, length, held = about
    return max(0, int(trumps) - hits([length, held]))


@known
def laid_points(about: list[str]) -> int:
    """The card points of these cards, without the one that the skat counts as a trick.

    >>> laid_points(["SQ", "SN", "SJ"])
    6
    """
    return honours_of(mask(" ".join(about)))


@known
def french_count(about: list[str]) -> int:
    """The two-digit count of trumps: those of the left hand before the stroke, of the right hand after it.

    >>> french_count("T3 S7 T0 | T9 H4".split())
    21
    """
    stroke = about.index("|")
    left, right = (
        sum(card.startswith("T") for card in half) for half in (about[:stroke], about[stroke + 1 :])
    )
    return 10 * left + right


@known
def fallen(about: list[str]) -> int:
    """The trumps that a two-digit count says have fallen from the two others.

    >>> fallen(["43"])
    7
    """
    return sum(divmod(int(about[0]), 10))


@known
def trumps_in(about: list[str]) -> int:
    """The trumps not yet played: by the count, the trumps one had, and those one still has.

    >>> trumps_in(["85", "7", "3"])
    5
    """
    count, had, have = about
    return TRUMPS - fallen([count]) - (int(had) - int(have))


@known
def trumps_outside(about: list[str]) -> int:
    """The trumps that the two others still have, by the count and the trumps one had oneself.

    >>> trumps_outside(["72", "10"])
    3
    """
    count, had = about
    return TRUMPS - fallen([count]) - int(had)


@known
def quiet_rounds(about: list[str]) -> int:
    """How often a suit of so many cards can be led and hit nobody, if the two others share the rest evenly.

    >>> [quiet_rounds([length]) for length in ("5", "6", "7")]
    [4, 4, 3]
    """
    return (SUIT - int(about[0])) // 2


@known
def whip_elsewhere(about: list[str]) -> int:
    """Where forehand holds so many of a suit: the per cent of deals in which another has six or more.

    >>> [whip_elsewhere([length]) for length in ("4", "5", "6")]
    [73, 47, 26]
    """
    held = int(about[0])
    rest, unseen, hand = SUIT - held, 53, 25  # middle hand has 25 of the 53 cards, the dealer the others
    ways = sum(
        comb(rest, some) * comb(unseen - rest, hand - some)
        for some in range(rest + 1)
        if max(some, rest - some) >= 6
    )
    return round(100 * ways / comb(unseen, hand))
